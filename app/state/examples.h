#pragma once
// The documents that are a click away: a table.

#include <span>

#include "app/content/strings.h"
#include "core/document.h"

namespace app {

struct Example {
    std::string_view id;
    Str title;
    attn::Document document;
};

/// The first is the Chinese opening, the second the English one.
std::span<const Example> example_documents();

}  // namespace app
