#pragma once
// How the compare screen is looked at.

#include <memory>
#include <string>

#include "core/document/document.h"

namespace app {

/// What the compare screen sets beside the document: the same one with a single thing changed, or another one.
struct Comparison {
    std::string kind;               ///< a row of comparison_kinds(); empty: the first that makes sense
    std::string choice;             ///< the other choice (a head counts from 1); empty: the first that is possible
    int first = 0, second = 1;      ///< the tokens that change places
    std::string shown = "weights";  ///< the role that is set side by side
    std::string text;               ///< the other text
    std::string kept;               ///< the run that was kept, as a link (core/document/link.h); empty: none was
    /// The same where no link can hold it, because it takes numbers from a folder or a file; it lasts as long as the window.
    std::shared_ptr<const attn::Document> kept_here = {};
    bool operator==(const Comparison&) const = default;
};

}  // namespace app
