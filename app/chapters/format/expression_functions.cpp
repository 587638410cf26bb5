// Functions of numbers, rows and the screen: a table.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/chapters/format/expression_parts.h"
#include "app/timeline/labels.h"
#include "core/document/fields.h"
#include "core/io/json_writer.h"
#include "core/kernels/softmax.h"

namespace app {
namespace {

using Arguments = std::span<const ChapterValue>;
using Kind = ChapterValue::Kind;

/// The numbers of a row, or a single number as a row.
std::vector<double> numbers_of(const ChapterValue& value) {
    if (value.kind == Kind::Number) return {value.number};
    return value.numbers;
}

template <double (*F)(const std::vector<double>&), bool Whole = false>
ChapterValue measure(Arguments a, const ChapterContext&) {
    const std::vector<double> numbers = numbers_of(a[0]);
    if (numbers.empty()) return {};
    return ChapterValue::of(F(numbers), Whole);
}
double sum_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double mean_of(const std::vector<double>& x) { return sum_of(x) / static_cast<double>(x.size()); }
double variance_of(const std::vector<double>& x) {
    const double mean = mean_of(x);
    double sum = 0;
    for (const double v : x) sum += (v - mean) * (v - mean);
    return sum / static_cast<double>(x.size());
}
double std_of(const std::vector<double>& x) { return std::sqrt(variance_of(x)); }
double norm_of(const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}
double count_of(const std::vector<double>& x) { return static_cast<double>(x.size()); }
double entropy_of(const std::vector<double>& x) {
    double sum = 0;
    for (const double p : x)
        if (p > 0) sum -= p * std::log(p);
    return sum;
}

/// The largest or smallest number of a row, or of several arguments.
template <bool Largest>
ChapterValue extreme(Arguments a, const ChapterContext&) {
    std::optional<double> best;
    bool whole = true;
    for (const ChapterValue& value : a) {
        whole = whole && value.kind == Kind::Number && value.whole;
        const std::vector<double> numbers = numbers_of(value);
        if (numbers.empty()) return {};
        for (const double number : numbers)
            if (!best || (Largest ? number > *best : number < *best)) best = number;
    }
    return best ? ChapterValue::of(*best, whole) : ChapterValue{};
}

ChapterValue place(const ChapterContext& context, const ChapterValue& line, std::size_t at) {
    ChapterValue out = ChapterValue::of(static_cast<double>(at) + 1, true);
    out.text = label_at(context, line, static_cast<int>(at));
    return out;
}

bool is_line(const ChapterValue& value) {
    return value.kind == Kind::Numbers && !value.numbers.empty() && (value.rows == 1 || value.cols == 1);
}

template <bool Largest>
ChapterValue arg_extreme(Arguments a, const ChapterContext& context) {
    if (!is_line(a[0])) return {};
    const auto& x = a[0].numbers;
    const auto at = Largest ? std::max_element(x.begin(), x.end()) : std::min_element(x.begin(), x.end());
    return place(context, a[0], static_cast<std::size_t>(at - x.begin()));
}

ChapterValue ranked(Arguments a, const ChapterContext& context) {
    if (!is_line(a[0]) || a[1].kind != Kind::Number) return {};
    const auto& x = a[0].numbers;
    const double k = a[1].number;
    if (!(k >= 1) || k > static_cast<double>(x.size())) return {};
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t l, std::size_t r) { return x[l] > x[r]; });
    return place(context, a[0], order[static_cast<std::size_t>(k) - 1]);
}

/// Whether these are two non-empty rows of the same length.
bool alike(Arguments a) {
    return a[0].kind == Kind::Numbers && a[1].kind == Kind::Numbers && !a[0].numbers.empty() &&
           a[0].numbers.size() == a[1].numbers.size();
}
double product(Arguments a) {
    return std::inner_product(a[0].numbers.begin(), a[0].numbers.end(), a[1].numbers.begin(), 0.0);
}
ChapterValue dot(Arguments a, const ChapterContext&) { return alike(a) ? ChapterValue::of(product(a)) : ChapterValue{}; }
std::optional<double> cosine_of(Arguments a) {
    if (!alike(a)) return std::nullopt;
    const double lengths = norm_of(a[0].numbers) * norm_of(a[1].numbers);
    if (lengths == 0) return std::nullopt;
    return std::clamp(product(a) / lengths, -1.0, 1.0);
}
ChapterValue cosine(Arguments a, const ChapterContext&) {
    const auto value = cosine_of(a);
    return value ? ChapterValue::of(*value) : ChapterValue{};
}
ChapterValue angle(Arguments a, const ChapterContext&) {
    const auto value = cosine_of(a);
    return value ? ChapterValue::of(std::acos(*value) * 180 / std::numbers::pi) : ChapterValue{};
}
ChapterValue distance(Arguments a, const ChapterContext&) {
    if (!alike(a)) return {};
    double sum = 0;
    for (std::size_t i = 0; i < a[0].numbers.size(); ++i) {
        const double gap = a[0].numbers[i] - a[1].numbers[i];
        sum += gap * gap;
    }
    return ChapterValue::of(std::sqrt(sum));
}

ChapterValue softmax(Arguments a, const ChapterContext&) {
    if (!is_line(a[0])) return {};
    ChapterValue out = a[0];
    const std::vector<float> scores(out.numbers.begin(), out.numbers.end());
    std::vector<float> weights(scores.size());
    if (attn::softmax_row(scores.data(), static_cast<int>(scores.size()), 1, weights.data())) return {};
    out.numbers.assign(weights.begin(), weights.end());
    return out;
}

template <double (*F)(double), bool Whole = false>
ChapterValue number(Arguments a, const ChapterContext&) {
    if (a[0].kind != Kind::Number) return {};
    const double value = F(a[0].number);
    return std::isfinite(value) ? ChapterValue::of(value, Whole) : ChapterValue{};
}
// Standard library functions may not be template arguments.
double root(double x) { return std::sqrt(x); }
double exponential(double x) { return std::exp(x); }
double logarithm(double x) { return std::log(x); }
double binary_logarithm(double x) { return std::log2(x); }
double tangent(double x) { return std::tanh(x); }
double nearest(double x) { return std::round(x); }
double below(double x) { return std::floor(x); }
double above(double x) { return std::ceil(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
ChapterValue absolute(Arguments a, const ChapterContext&) {
    if (a[0].kind != Kind::Number) return {};
    return ChapterValue::of(std::abs(a[0].number), a[0].whole);
}

/// A position from 1 as an index from 0; none: out of range.
std::optional<std::size_t> place_in(const ChapterValue& value, std::size_t count) {
    if (value.kind != Kind::Number || !(value.number >= 1) || value.number > static_cast<double>(count)) return {};
    return static_cast<std::size_t>(value.number) - 1;
}
ChapterValue label_of_axis(const ChapterContext& c, attn::Axis::Kind kind, int at) {
    attn::Axis axis;
    axis.kind = kind;
    return ChapterValue::of(labels_of(c.trace, c.language).of(axis, at));
}
ChapterValue token(Arguments a, const ChapterContext& c) {
    const auto at = place_in(a[0], c.trace.tokens.size());
    return at ? label_of_axis(c, attn::Axis::Kind::Tokens, static_cast<int>(*at)) : ChapterValue{};
}
ChapterValue source_token(Arguments a, const ChapterContext& c) {
    const auto at = place_in(a[0], c.trace.source_tokens.size());
    return at ? label_of_axis(c, attn::Axis::Kind::SourceTokens, static_cast<int>(*at)) : ChapterValue{};
}
/// The position of the first token that is one of these texts, so that a page can name it in both languages.
ChapterValue place_of(Arguments a, const ChapterContext& c) {
    for (std::size_t i = 0; i < c.trace.tokens.size(); ++i) {
        const ChapterValue label = label_of_axis(c, attn::Axis::Kind::Tokens, static_cast<int>(i));
        for (const ChapterValue& text : a)
            if (text.kind == Kind::Text && text.text == label.text) {
                ChapterValue out = ChapterValue::of(static_cast<double>(i) + 1, true);
                out.text = label.text;
                return out;
            }
    }
    return {};
}
ChapterValue feature(Arguments a, const ChapterContext& c) {
    const attn::StepId x = attn::find_step(c.trace, "embeddings");
    if (x == attn::kNoStep) return {};
    const auto at = place_in(a[0], static_cast<std::size_t>(c.trace[x].value.cols()));
    return at ? ChapterValue::of(labels_of(c.trace, c.language).of(c.trace[x].cols, static_cast<int>(*at)))
              : ChapterValue{};
}
template <bool Row>
ChapterValue label(Arguments a, const ChapterContext& c) {
    if (a[0].step == attn::kNoStep) return {};
    const attn::Step& step = c.trace[a[0].step];
    const auto at = place_in(a[1], static_cast<std::size_t>(Row ? step.value.rows() : step.value.cols()));
    if (!at) return {};
    return ChapterValue::of(labels_of(c.trace, c.language).of(Row ? step.rows : step.cols, static_cast<int>(*at)));
}
ChapterValue name(Arguments a, const ChapterContext& c) {
    if (a[0].kind != Kind::Text) return {};
    return ChapterValue::of(std::string(label_of(a[0].text, c.language)));
}
template <bool Rows>
ChapterValue extent(Arguments a, const ChapterContext&) {
    if (a[0].kind != Kind::Numbers) return {};
    return ChapterValue::of(Rows ? a[0].rows : a[0].cols, true);
}

// ---- the screen ------------------------------------------------------------------------------------------------

/// Whether the tag has the name's role and, if the name gives them, its head, layer and time.
bool is_called(const attn::Tag& tag, const ChapterValue& name) {
    if (name.kind != Kind::Text) return false;
    const auto named = attn::parse_step_name(name.text);
    const auto fits = [](int wanted, int has) { return wanted == -1 || wanted == has; };
    return named && named->role == tag.role && named->pass == tag.pass && fits(named->head, tag.head) && fits(named->layer, tag.layer) &&
           fits(named->time, tag.time) && (named->part == attn::Part::Main || named->part == tag.part);
}
ChapterValue shown(Arguments a, const ChapterContext& c) {
    return ChapterValue::of_truth(c.shown && is_called(*c.shown, a[0]));
}
ChapterValue pinned(Arguments a, const ChapterContext& c) {
    if (!c.pinned || !is_called(c.pinned->tag, a[0])) return ChapterValue::of_truth(false);
    const auto agrees = [&](std::size_t i, int has) {
        return a.size() <= i || (a[i].kind == Kind::Number && a[i].number == has + 1);
    };
    return ChapterValue::of_truth(agrees(1, c.pinned->row) && agrees(2, c.pinned->col));
}
ChapterValue screen(Arguments a, const ChapterContext& c) {
    if (a[0].kind != Kind::Text) return {};
    return ChapterValue::of_truth(c.screen == a[0].text || c.screen.starts_with(a[0].text + " "));
}
ChapterValue edited(Arguments a, const ChapterContext& c) {
    return ChapterValue::of(
        static_cast<double>(std::count_if(c.document.edits.begin(), c.document.edits.end(),
                                          [&](const attn::Edit& e) { return is_called(e.tag, a[0]); })),
        true);
}
/// A field as it would be written, even if it is at its default.
std::string written(const attn::Document& document, const attn::Field& field) {
    attn::JsonWriter out(attn::JsonLayout::Compact);
    field.write(document, out);
    return out.take();
}
ChapterValue changed(Arguments a, const ChapterContext& c) {
    const attn::Field* field = a[0].kind == Kind::Text ? attn::find_field(a[0].text) : nullptr;
    if (!field || !c.own) return ChapterValue::of_truth(false);
    // A matrix that is not given has no written form.
    if (field->is_default(c.document) != field->is_default(*c.own)) return ChapterValue::of_truth(true);
    if (field->is_default(c.document)) return ChapterValue::of_truth(false);
    return ChapterValue::of_truth(written(c.document, *field) != written(*c.own, *field));
}

ChapterValue field(Arguments a, const ChapterContext& c) {
    if (a[0].kind != Kind::Text) return {};
    const attn::Field* found = attn::find_field(a[0].text);
    if (found && found->kind == attn::FieldKind::Choice) return ChapterValue::of(std::string(found->chosen(c.document)));
    if (found && found->number)
        return ChapterValue::of(found->number(c.document), found->kind == attn::FieldKind::Integer);
    return {};
}

constexpr ChapterFunction kFunctions[] = {
    {"max", 1, 9, extreme<true>},
    {"min", 1, 9, extreme<false>},
    {"sum", 1, 1, measure<sum_of>},
    {"mean", 1, 1, measure<mean_of>},
    {"variance", 1, 1, measure<variance_of>},
    {"std", 1, 1, measure<std_of>},
    {"norm", 1, 1, measure<norm_of>},
    {"count", 1, 1, measure<count_of, true>},
    {"entropy", 1, 1, measure<entropy_of>},
    {"rows", 1, 1, extent<true>},
    {"cols", 1, 1, extent<false>},
    {"argmax", 1, 1, arg_extreme<true>},
    {"argmin", 1, 1, arg_extreme<false>},
    {"ranked", 2, 2, ranked},
    {"dot", 2, 2, dot},
    {"cos", 2, 2, cosine},
    {"angle", 2, 2, angle},
    {"distance", 2, 2, distance},
    {"softmax", 1, 1, softmax},
    {"abs", 1, 1, absolute},
    {"sqrt", 1, 1, number<root>},
    {"exp", 1, 1, number<exponential>},
    {"ln", 1, 1, number<logarithm>},
    {"log2", 1, 1, number<binary_logarithm>},
    {"tanh", 1, 1, number<tangent>},
    {"sigmoid", 1, 1, number<sigmoid>},
    {"round", 1, 1, number<nearest, true>},
    {"floor", 1, 1, number<below, true>},
    {"ceil", 1, 1, number<above, true>},
    {"sign", 1, 1, number<sign, true>},
    {"token", 1, 1, token},
    {"source_token", 1, 1, source_token},
    {"place", 1, 9, place_of},
    {"feature", 1, 1, feature},
    {"label", 2, 2, label<false>},
    {"row_label", 2, 2, label<true>},
    {"name", 1, 1, name},
    {"shown", 1, 1, shown},
    {"pinned", 1, 3, pinned},
    {"screen", 1, 1, screen},
    {"edited", 1, 1, edited},
    {"changed", 1, 1, changed},
    {"field", 1, 1, field},
};

}  // namespace

const ChapterFunction* find_chapter_function(std::string_view name) {
    for (const std::span<const ChapterFunction> table : {std::span<const ChapterFunction>(kFunctions), path_functions(), training_functions()})
        for (const ChapterFunction& function : table)
            if (function.name == name) return &function;
    return nullptr;
}

}  // namespace app
