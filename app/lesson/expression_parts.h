#pragma once
// Shared by the files of the expression language.

#include <span>

#include "app/lesson/expression.h"

namespace app {

/// A function of values. Arguments of the wrong kind have no value; the count is checked by the caller.
struct LessonFunction {
    std::string_view name;
    int fewest = 1, most = 1;
    LessonValue (*call)(std::span<const LessonValue>, const LessonContext&);
};
/// Of paths between tokens (expression_paths.cpp).
std::span<const LessonFunction> path_functions();
/// Null: there is none of that name.
const LessonFunction* find_lesson_function(std::string_view name);

/// A cell of a step, a row, a column or the whole of it; rows and columns from 0, below 0: all.
LessonValue part_of_step(const LessonContext& context, attn::StepId step, int row, int col);
/// The label of a row's or column's place.
std::string label_at(const LessonContext& context, const LessonValue& line, int place);
/// Operators; values of other kinds give none.
LessonValue combine(char op, const LessonValue& a, const LessonValue& b);
/// "<", "<=", ">", ">=", "=", "!=".
LessonValue compare(std::string_view op, const LessonValue& a, const LessonValue& b);

/// Whether named_value() knows the name.
bool is_value_name(std::string_view name);
/// n, d, heads, pi …; nullopt: there is no such name.
std::optional<LessonValue> named_value(const LessonContext& context, std::string_view name);

}  // namespace app
