#pragma once
// How the rows of the catalogues write their formulas: patterns with the letters left open.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// Which way tokens lie: rows (the papers since 2017), or columns (Lee Hung-yi's lectures; Bahdanau, Luong). Formulas,
/// views and exports can show either; the engine computes rows.
enum class Convention : std::uint8_t { Rows, Columns };
/// "rows", "columns".
std::string_view convention_id(Convention convention);
std::optional<Convention> find_convention(std::string_view id);

/// A formula as the formula setter reads it, with $q and $k for the letters of queries and keys (and what else the place
/// that holds it names). Where tokens are columns it may stand the other way round.
struct Notation {
    std::string_view rows;
    std::string_view columns = {};  ///< empty: the same
    std::string_view in(Convention shown) const { return shown == Convention::Columns && !columns.empty() ? columns : rows; }
    bool empty() const { return rows.empty(); }
};

/// How the letters of one attention are written, and the width that its scores are divided by.
struct Letters {
    std::string_view query, key, value;
    std::string_view width = "d_k";
};
inline constexpr Letters kQueryKeyValue = {"{\\q Q}", "{\\k K}", "{\\v V}"};
inline constexpr Letters kVectors = {"{\\x X}", "{\\x X}", "{\\x X}", "d"};

/// The pattern with each $letter replaced by what stands for it.
struct Filling {
    char letter;
    std::string_view text;
};
std::string write(std::string_view pattern, std::initializer_list<Filling> fillings);
/// $q, $k, $v and $d of these letters.
std::string write(std::string_view pattern, const Letters& letters);

}  // namespace attn
