#pragma once
// Shared by the files of the document. Internal to them.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/document/document.h"
#include "core/io/json.h"

namespace attn {

/// A token that is no word; as a target, it means that no word is required at that place.
inline constexpr std::string_view kPadding = "[PAD]";

/// An error about a value of the document, with its key and line.
inline Error error_at(const JsonValue& value, std::string_view key, std::string message) {
    return {std::move(message), "", std::string(key), value.line};
}

/// Columns of Q, K and V: of the matrices that are given, else as wide as X.
struct ProjectionWidths {
    int queries = 0, keys = 0, values = 0;
};
ProjectionWidths projection_widths(const Document& document, int d);

/// Each text without duplicates, in order of first appearance.
std::vector<std::string> different(std::initializer_list<std::span<const std::string>> lists);

/// The trace of the run over shapes, without numbers; nothing if there are no tokens.
std::optional<Trace> shape_trace(const Document& document);
/// The number of entries from which on the run evicts values; set only if the weights are a checkpoint's. Otherwise all
/// values are held.
std::optional<Eigen::Index> evict_from(const Document& document);

/// Tokens, vectors and weights of a document without problems.
Inputs inputs_of(const Document& document, bool* cut = nullptr, int* replaced = nullptr);
/// Whether there are tokens to compute with.
bool can_run(const Inputs& inputs, const Document& document);

}  // namespace attn
