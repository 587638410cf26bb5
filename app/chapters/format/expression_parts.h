#pragma once
// Shared by the files of the expression language.

#include <span>

#include "app/chapters/format/expression.h"

namespace app {

/// A function of values. Arguments of the wrong kind give no value; the caller checks their number.
struct ChapterFunction {
    std::string_view name;
    int fewest = 1, most = 1;
    ChapterValue (*call)(std::span<const ChapterValue>, const ChapterContext&);
};
/// Functions of paths between tokens (expression_paths.cpp).
std::span<const ChapterFunction> path_functions();
/// Functions of the current training and of a model's recorded measurements (expression_training.cpp).
std::span<const ChapterFunction> training_functions();
/// Null if there is none of that name.
const ChapterFunction* find_chapter_function(std::string_view name);

/// A cell, row or column of a step, or all of it; rows and columns from 0, below 0: all.
ChapterValue part_of_step(const ChapterContext& context, attn::StepId step, int row, int col);
/// The label of a position in a row or column.
std::string label_at(const ChapterContext& context, const ChapterValue& line, int place);
/// Arithmetic operators; values of other kinds give none.
ChapterValue combine(char op, const ChapterValue& a, const ChapterValue& b);
/// "<", "<=", ">", ">=", "=", "!=".
ChapterValue compare(std::string_view op, const ChapterValue& a, const ChapterValue& b);

/// Whether named_value() knows the name.
bool is_value_name(std::string_view name);
/// n, d, heads, pi …; nullopt if there is no such name.
std::optional<ChapterValue> named_value(const ChapterContext& context, std::string_view name);

}  // namespace app
