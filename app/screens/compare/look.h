#pragma once
// What the compare screen shows.

#include <memory>
#include <string>

#include "core/document/document.h"

namespace app {

/// What the compare screen compares the document with: itself with one thing changed, or another document.
struct Comparison {
    std::string kind;               ///< a row of comparison_kinds(); empty: the first that makes sense
    std::string choice;             ///< the other choice (heads count from 1); empty: the first that is possible
    int first = 0, second = 1;      ///< the tokens that are swapped
    std::string shown = "weights";  ///< the compared role
    std::string text;               ///< the other text
    std::string model;              ///< the other model: a folder, or the name of a shipped one
    std::string stored_link;          ///< the stored run, as a link (core/document/link.h); empty: none
    /// The stored run if no link can hold it, because it takes numbers from a folder or a file. It lasts as long as the
    /// window.
    std::shared_ptr<const attn::Document> stored_run = {};
    bool operator==(const Comparison&) const = default;
};

}  // namespace app
