#pragma once
// The table of example documents that are one click away.

#include <cstdint>
#include <optional>
#include <span>

#include "app/content/strings.h"
#include "core/document/document.h"

namespace app {

/// How much a reader should know beforehand.
enum class Level : std::uint8_t { First, Further, Whole };

struct Example {
    std::string_view id;
    Str title;  ///< text and form, in one line
    Str says;   ///< what to look for
    Level level = Level::First;
    std::optional<Language> language = {};  ///< of its text, if the text is in one language
    attn::Document document;
};

std::span<const Example> example_documents();
/// The example with this id, which must exist.
const Example& example_document(std::string_view id);
/// The document that the window opens with by default: trained heads, on a sentence that they have much to say about.
attn::Document opening_document(Language language);

}  // namespace app
