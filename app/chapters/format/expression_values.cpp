// Steps, names and operators of the expression language.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/chapters/format/expression_parts.h"
#include "app/timeline/labels.h"
#include "core/document/fields.h"

namespace app {
namespace {

using Kind = ChapterValue::Kind;

/// Numbers are equal if they differ only by rounding.
constexpr double kAgree = 1e-5;

int width_of(const ChapterContext& context, std::string_view step) {
    const attn::StepId id = attn::find_step(context.trace, step);
    return id == attn::kNoStep ? 0 : static_cast<int>(context.trace[id].value.cols());
}

/// The number of columns of one head's queries.
int head_width(const ChapterContext& context) {
    const attn::StepId id = attn::find_step(context.trace, "queries");
    if (id == attn::kNoStep) return width_of(context, "embeddings");
    const int width = static_cast<int>(context.trace[id].value.cols());
    return context.trace[id].tag.head == attn::kNoHead ? width / std::max(context.document.config.heads, 1) : width;
}

double apply(char op, double a, double b) {
    switch (op) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        case '/':
            return b == 0 ? std::nan("") : a / b;
        default:
            return std::pow(a, b);
    }
}

bool agree(double a, double b) {
    return a == b || std::abs(a - b) <= kAgree * std::max({std::abs(a), std::abs(b), 1e-3});
}

}  // namespace

bool is_step_name(std::string_view name) { return attn::parse_step_name(name).has_value(); }

attn::StepId step_in(const ChapterContext& context, std::string_view name) {
    const auto tag = attn::parse_step_name(name);
    if (!tag) return attn::kNoStep;
    if (tag->head == attn::kNoHead && context.document.config.heads > 1) {
        // If every head has such a step, take that of the shown head, next to the step that find_step would return.
        const attn::StepId first = attn::find_step(context.trace, name);
        if (first != attn::kNoStep && context.trace[first].tag.head != attn::kNoHead) {
            const attn::StepId own = attn::find_id(context.trace, context.trace[first].tag.of_head(context.head));
            if (own != attn::kNoStep) return own;
        }
        return first;
    }
    return attn::find_step(context.trace, name);
}

ChapterValue part_of_step(const ChapterContext& context, attn::StepId step, int row, int col) {
    const attn::Matrix& m = context.trace[step].value;
    ChapterValue out;
    out.step = step;
    if (row >= 0 && col >= 0) {
        out = ChapterValue::of(static_cast<double>(m(row, col)));
        out.step = step;
        return out;
    }
    out.kind = Kind::Numbers;
    out.down = col >= 0;
    out.rows = row >= 0 ? 1 : static_cast<int>(m.rows());
    out.cols = col >= 0 ? 1 : static_cast<int>(m.cols());
    for (int r = row >= 0 ? row : 0; r < (row >= 0 ? row + 1 : m.rows()); ++r)
        for (int c = col >= 0 ? col : 0; c < (col >= 0 ? col + 1 : m.cols()); ++c)
            out.numbers.push_back(static_cast<double>(m(r, c)));
    if (std::any_of(out.numbers.begin(), out.numbers.end(), [](double v) { return std::isnan(v); })) return {};
    return out;
}

std::string label_at(const ChapterContext& context, const ChapterValue& line, int place) {
    if (line.step == attn::kNoStep) return {};
    const attn::Step& step = context.trace[line.step];
    return labels_of(context.trace, context.language).of(line.down ? step.rows : step.cols, place);
}

ChapterValue combine(char op, const ChapterValue& a, const ChapterValue& b) {
    const bool a_row = a.kind == Kind::Numbers, b_row = b.kind == Kind::Numbers;
    const auto number = [](const ChapterValue& v) { return v.kind == Kind::Number; };
    if ((!a_row && !number(a)) || (!b_row && !number(b))) return {};
    if (!a_row && !b_row) {
        const bool whole = a.whole && b.whole && op != '/' && op != '^';
        return ChapterValue::of(apply(op, a.number, b.number), whole);
    }
    if (a_row && b_row && (a.rows != b.rows || a.cols != b.cols)) return {};
    ChapterValue out = a_row ? a : b;
    for (std::size_t i = 0; i < out.numbers.size(); ++i) {
        out.numbers[i] = apply(op, a_row ? a.numbers[i] : a.number, b_row ? b.numbers[i] : b.number);
        if (std::isnan(out.numbers[i])) return {};
    }
    return out;
}

ChapterValue compare(std::string_view op, const ChapterValue& a, const ChapterValue& b) {
    if (a.kind == Kind::Number && b.kind == Kind::Text && !a.text.empty())
        return compare(op, ChapterValue::of(a.text), b);
    if (a.kind == Kind::Text && b.kind == Kind::Text) {
        if (op == "=") return ChapterValue::of_truth(a.text == b.text);
        if (op == "!=") return ChapterValue::of_truth(a.text != b.text);
        return {};
    }
    if (a.kind != Kind::Number || b.kind != Kind::Number) return {};
    const double x = a.number, y = b.number;
    const bool same = agree(x, y);
    if (op == "=") return ChapterValue::of_truth(same);
    if (op == "!=") return ChapterValue::of_truth(!same);
    if (op == "<") return ChapterValue::of_truth(x < y && !same);
    if (op == ">") return ChapterValue::of_truth(x > y && !same);
    return ChapterValue::of_truth(op == "<=" ? x <= y || same : x >= y || same);
}

bool is_value_name(std::string_view name) {
    constexpr std::string_view kNames[] = {"n",      "m",          "d",  "d_k", "head", "row",    "column",
                                           "convention", "pi", "e",  "inf", "text", "source", "score"};
    if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) return true;
    const attn::Field* field = attn::find_field(name);
    return field && (field->kind == attn::FieldKind::Choice || field->number);
}

std::optional<ChapterValue> named_value(const ChapterContext& c, std::string_view name) {
    const auto count = [](std::size_t number) { return ChapterValue::of(static_cast<double>(number), true); };
    const auto known = [](int number) { return number > 0 ? ChapterValue::of(number, true) : ChapterValue{}; };
    if (name == "n") return count(c.trace.tokens.size());
    if (name == "m") return count(c.trace.source_tokens.empty() ? c.trace.tokens.size() : c.trace.source_tokens.size());
    if (name == "d") return known(width_of(c, "embeddings"));
    if (name == "d_k") return known(head_width(c));
    if (name == "head") return ChapterValue::of(c.head + 1, true);
    if (name == "row") return known(c.row);
    if (name == "column") return known(c.column);
    if (name == "convention") return ChapterValue::of(std::string(attn::convention_id(c.convention)));
    if (name == "pi") return ChapterValue::of(std::numbers::pi);
    if (name == "e") return ChapterValue::of(std::numbers::e);
    if (name == "inf") return ChapterValue::of(std::numeric_limits<double>::infinity());
    if (name == "text") return ChapterValue::of(c.document.text);
    if (name == "source") return ChapterValue::of(c.document.source);
    if (name == "score") return ChapterValue::of(std::string(attn::score_of(c.document.config)));
    const attn::Field* field = attn::find_field(name);
    if (!field) return std::nullopt;
    if (field->kind == attn::FieldKind::Choice) return ChapterValue::of(std::string(field->chosen(c.document)));
    // "weights" is a field and a step; here it is the step, see evaluate().
    if (!field->number) return std::nullopt;
    return ChapterValue::of(field->number(c.document), field->kind == attn::FieldKind::Integer);
}

}  // namespace app
