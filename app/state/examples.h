#pragma once
// The documents that are a click away: a table.

#include <cstdint>
#include <optional>
#include <span>

#include "app/content/strings.h"
#include "core/document/document.h"

namespace app {

/// How much one should know beforehand.
enum class Level : std::uint8_t { First, Further, Whole };

struct Example {
    std::string_view id;
    Str title;  ///< its text and its form, in a line
    Str says;   ///< what is to be seen
    Level level = Level::First;
    std::optional<Language> language = {};  ///< of its text, where that is of one
    attn::Document document;
};

std::span<const Example> example_documents();
/// The one with this id; there is one.
const Example& example_document(std::string_view id);
/// What the window opens with where nothing else is asked for: trained heads, on a sentence that they have much to say of.
attn::Document opening_document(Language language);

}  // namespace app
