#pragma once
// The building blocks of all papers for a class: one HTML file for a browser or a printer, without external resources.

#include <string>
#include <string_view>

#include "app/chapters/format/question.h"

namespace app {

std::string html_of(const Prose& prose, const Chapter& chapter);
/// A task or a question; a question includes its options, but never the answer.
std::string html_box(std::string_view label, const Prose& prose, const PageQuestion* question, const Chapter& chapter);
/// A line of the key: the page, its question and the right answer, with its derivation below.
std::string html_key_line(std::string_view title, std::string_view question, std::string_view answer);
/// The key, on a separate sheet.
std::string html_key(const std::string& lines, Language language);
/// One language's article, and the file with all of them.
std::string html_article(std::string_view title, std::string_view says, Language language, std::string_view sections);
std::string html_page(std::string_view title, Language language, std::string_view articles);

}  // namespace app
