#pragma once
// What the files of the document share. Internal to them.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/document/document.h"
#include "core/io/json.h"

namespace attn {

/// A token that is no word, and a place where none is asked for.
inline constexpr std::string_view kPadding = "[PAD]";

/// What is wrong with a value of the document: its key, and the line it is on.
inline Error error_at(const JsonValue& value, std::string_view key, std::string message) {
    return {std::move(message), "", std::string(key), value.line};
}

/// Columns of Q, of K and of V, of the matrices given or as wide as X.
struct ProjectionWidths {
    int queries = 0, keys = 0, values = 0;
};
ProjectionWidths projection_widths(const Document& document, int d);

/// Each text once, in order of first appearance.
std::vector<std::string> different(std::initializer_list<std::span<const std::string>> lists);

/// The run over shapes, without its numbers; nothing where there are no tokens.
std::optional<Trace> shape_trace(const Document& document);
/// From how many numbers on its run lets values go (Trace::let_go_from): that of a checkpoint; of a small form everything
/// is held.
std::optional<Eigen::Index> let_go_from(const Document& document);

/// Tokens, vectors and weights of a document without problems.
Inputs inputs_of(const Document& document, bool* cut = nullptr, int* replaced = nullptr);
/// There are tokens to compute with.
bool can_run(const Inputs& inputs, const Document& document);

}  // namespace attn
