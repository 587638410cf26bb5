#pragma once
// How the catalogues' rows write formulas: patterns with placeholders for the letters.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// Whether tokens are rows (papers since 2017) or columns (Lee Hung-yi's lectures; Bahdanau, Luong). Formulas, views
/// and exports can show either; the engine computes rows.
enum class Convention : std::uint8_t { Rows, Columns };
/// "rows", "columns".
std::string_view convention_id(Convention convention);
std::optional<Convention> find_convention(std::string_view id);

/// A formula in the formula setter's syntax, with $q and $k for the letters of queries and keys (and others that its
/// owner documents). Where tokens are columns, another formula may replace it.
struct Notation {
    std::string_view rows;
    std::string_view columns = {};  ///< empty: the same
    std::string_view in(Convention shown) const { return shown == Convention::Columns && !columns.empty() ? columns : rows; }
    bool empty() const { return rows.empty(); }
};

/// The letters of one attention, and the name of the width that its scores are divided by.
struct Letters {
    std::string_view query, key, value;
    std::string_view width = "d_k";
};
inline constexpr Letters kQueryKeyValue = {"{\\q Q}", "{\\k K}", "{\\v V}"};
inline constexpr Letters kVectors = {"{\\x X}", "{\\x X}", "{\\x X}", "d"};

/// Replaces each $letter of the pattern by its text.
struct Filling {
    char letter;
    std::string_view text;
};
std::string write(std::string_view pattern, std::initializer_list<Filling> fillings);
/// With $q, $k, $v and $d from these letters.
std::string write(std::string_view pattern, const Letters& letters);

}  // namespace attn
