#pragma once
// Shared by the files of the expression language.

#include <span>

#include "app/chapters/format/expression.h"

namespace app {

/// A function of values. Arguments of the wrong kind have no value; the count is checked by the caller.
struct ChapterFunction {
    std::string_view name;
    int fewest = 1, most = 1;
    ChapterValue (*call)(std::span<const ChapterValue>, const ChapterContext&);
};
/// Of paths between tokens (expression_paths.cpp).
std::span<const ChapterFunction> path_functions();
/// Of what is trained, and of what was measured when a model was made (expression_training.cpp).
std::span<const ChapterFunction> training_functions();
/// Null: there is none of that name.
const ChapterFunction* find_chapter_function(std::string_view name);

/// A cell of a step, a row, a column or the whole of it; rows and columns from 0, below 0: all.
ChapterValue part_of_step(const ChapterContext& context, attn::StepId step, int row, int col);
/// The label of a row's or column's place.
std::string label_at(const ChapterContext& context, const ChapterValue& line, int place);
/// Operators; values of other kinds give none.
ChapterValue combine(char op, const ChapterValue& a, const ChapterValue& b);
/// "<", "<=", ">", ">=", "=", "!=".
ChapterValue compare(std::string_view op, const ChapterValue& a, const ChapterValue& b);

/// Whether named_value() knows the name.
bool is_value_name(std::string_view name);
/// n, d, heads, pi …; nullopt: there is no such name.
std::optional<ChapterValue> named_value(const ChapterContext& context, std::string_view name);

}  // namespace app
