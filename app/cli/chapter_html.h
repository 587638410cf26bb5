#pragma once
// What all papers for a class are made of: one HTML file for a browser or a printer, with nothing outside it.

#include <string>
#include <string_view>

#include "app/chapters/format/question.h"

namespace app {

std::string html_of(const Prose& prose, const Chapter& chapter);
/// A task or a question; of a question its options, too, and never the answer.
std::string html_box(std::string_view label, const Prose& prose, const Asked* asked, const Chapter& chapter);
/// A line of the key: which page's question, and what is marked right, with how it was measured below it.
std::string html_key_line(std::string_view title, std::string_view question, std::string_view answer);
/// The key, on a sheet of its own.
std::string html_key(const std::string& lines, Language language);
/// The parts in one language, and all of them as a file.
std::string html_article(std::string_view title, std::string_view says, Language language, std::string_view sections);
std::string html_page(std::string_view title, Language language, std::string_view articles);

}  // namespace app
