// The formula of a number with its numbers inserted yields that number: evaluated from the written text, with each number
// within the rounding of its decimals, it is the cell's value; and each number of it knows its cell.

#include "app/explain/substitution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/ui/formula.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "tests/app/inspection_documents.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using namespace inspected_documents;
using app_test::Bench;
using attn::Cell;
using attn::Convention;
using attn::Op;
using attn::Role;
using attn::StepId;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The interval of numbers that round to the written one.
struct Interval {
    double low = 0, high = 0;
};
Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
Interval operator-(Interval a) { return {-a.high, -a.low}; }
Interval operator*(Interval a, Interval b) {
    double low = kInfinity, high = -kInfinity;
    for (const double x : {a.low, a.high})
        for (const double y : {b.low, b.high}) {
            const double product = x == 0 || y == 0 ? 0 : x * y;
            low = std::min(low, product);
            high = std::max(high, product);
        }
    return {low, high};
}
Interval operator/(Interval a, Interval b) {
    if (b.low <= 0 && b.high >= 0) return {-kInfinity, kInfinity};
    return a * Interval{1 / b.high, 1 / b.low};
}
/// Functions that change by at most their argument's change times `slope`.
template <class Function>
Interval through(Interval x, double slope, Function f) {
    const double middle = (x.low + x.high) / 2, off = slope * (x.high - x.low) / 2;
    return {f(middle) - off, f(middle) + off};
}

/// Reads what the formula typesetter reads, and evaluates it.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}
    Interval all() {
        const Interval value = sum();
        EXPECT_TRUE(at_ >= text_.size()) << "stopped at " << text_.substr(at_);
        return value;
    }

private:
    bool take(std::string_view what) {
        spaces();
        if (text_.substr(at_, what.size()) != what) return false;
        at_ += what.size();
        return true;
    }
    void need(std::string_view what) { EXPECT_TRUE(take(what)) << what << " before " << text_.substr(at_); }
    /// Spaces and colours, which are followed by a space.
    void spaces() {
        for (bool more = true; more;) {
            more = false;
            for (const std::string_view skipped :
                 {" ", "\\;", "\\,", "\\q ", "\\k ", "\\v ", "\\s ", "\\o ", "\\x ", "\\m "})
                if (text_.substr(at_, skipped.size()) == skipped) {
                    at_ += skipped.size();
                    more = true;
                }
            if (text_.substr(at_, 6) == "\\text{") {
                at_ = text_.find('}', at_) + 1;
                more = true;
            }
        }
    }
    Interval sum() {
        Interval value = take("-") ? -product() : product();
        while (true) {
            if (take("+"))
                value = value + product();
            else if (take("-"))
                value = value + -product();
            else
                return value;
        }
    }
    bool at_factor() {
        spaces();
        return at_ < text_.size() && text_[at_] == '(';
    }
    Interval product() {
        Interval value = power();
        while (true) {
            if (take("\\cdot"))
                value = value * power();
            else if (take("/"))
                value = value / power();
            else if (at_factor())
                value = value * power();
            else
                return value;
        }
    }
    Interval power() {
        if (take("e^")) {
            const Interval x = group();
            return {std::exp(x.low), std::exp(x.high)};
        }
        Interval value = atom();
        if (!take("^")) return value;
        const Interval n = text_[at_] == '{' ? group() : digit();
        if (n.low == 2 && n.high == 2) {
            const double a = value.low * value.low, b = value.high * value.high;
            return {value.low <= 0 && value.high >= 0 ? 0 : std::min(a, b), std::max(a, b)};
        }
        return {std::pow(value.low, n.low), std::pow(value.high, n.high)};
    }
    Interval digit() {
        const double d = text_[at_++] - '0';
        return {d, d};
    }
    Interval group() {
        need("{");
        const Interval value = sum();
        need("}");
        return value;
    }
    Interval in_parentheses() {
        need("(");
        const Interval value = sum();
        need(")");
        return value;
    }
    Interval largest() {
        need("(");
        Interval most = sum();
        while (take(",")) {
            const Interval next = sum();
            most = {std::max(most.low, next.low), std::max(most.high, next.high)};
        }
        need(")");
        return most;
    }
    Interval atom() {
        if (take("\\part{")) {
            at_ = text_.find('}', at_) + 1;
            return group();
        }
        if (take("\\frac")) {
            const Interval above = group();
            return above / group();
        }
        if (take("\\sqrt")) {
            const Interval x = group();
            return {std::sqrt(std::max(0.0, x.low)), std::sqrt(std::max(0.0, x.high))};
        }
        if (take("\\infty")) return {kInfinity, kInfinity};
        if (take("\\max")) return largest();
        if (take("\\tanh")) return through(in_parentheses(), 1, [](double x) { return std::tanh(x); });
        if (take("\\cos")) return through(in_parentheses(), 1, [](double x) { return std::cos(x); });
        if (take("\\sin")) return through(in_parentheses(), 1, [](double x) { return std::sin(x); });
        if (take("\\word{")) return activation();
        spaces();
        if (at_ < text_.size() && text_[at_] == '(') return in_parentheses();
        if (at_ < text_.size() && text_[at_] == '{') return group();
        return number();
    }
    Interval activation() {
        const std::size_t end = text_.find('}', at_);
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end + 1;
        const Interval x = in_parentheses();
        for (int i = 0; i < attn::kActivationCount; ++i) {
            const auto which = static_cast<attn::Activation>(i);
            if (app::name_of(which) != name) continue;
            if (which == attn::Activation::Log) return {std::log(std::max(0.0, x.low)), std::log(std::max(0.0, x.high))};
            return through(x, 1.2, [which](double v) { return attn::activated(which, v); });
        }
        ADD_FAILURE() << "no function " << name;
        return {};
    }
    Interval number() {
        spaces();
        const std::size_t begin = at_;
        while (at_ < text_.size() && ((text_[at_] >= '0' && text_[at_] <= '9') || text_[at_] == '.')) ++at_;
        const std::string digits(text_.substr(begin, at_ - begin));
        EXPECT_FALSE(digits.empty()) << "a number is expected before " << text_.substr(begin);
        if (digits.empty()) {
            at_ = text_.size();
            return {};
        }
        const double value = std::stod(digits);
        const std::size_t point = digits.find('.');
        if (point == std::string::npos) return {value, value};
        const double half = 0.5001 * std::pow(10.0, -static_cast<double>(digits.size() - point - 1));
        return {value - half, value + half};
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool within(Interval range, double value) {
    constexpr double kRounding = 1e-4;
    if (value == -kInfinity) return range.low == -kInfinity;
    return value >= range.low - kRounding && value <= range.high + kRounding;
}

/// First, last and middle cells of every step.
template <class Use>
void for_each_cell(const attn::Trace& trace, Use use) {
    for (StepId id = 0; id < trace.size(); ++id) {
        const auto rows = static_cast<int>(trace[id].value.rows()), cols = static_cast<int>(trace[id].value.cols());
        for (const Cell cell :
             {Cell{id, 0, 0}, Cell{id, rows - 1, cols - 1}, Cell{id, rows / 2, cols / 3}, Cell{id, 0, cols - 1}})
            use(cell);
    }
}

TEST(Substitution, TheWrittenFormulaYieldsTheNumber) {
    std::vector<bool> seen(attn::kOpCount, false);
    int checked = 0, bounded = 0;
    for (const Fields& fields : kDocuments) {
        const attn::Run run = run_of(fields);
        for (const Convention convention : {Convention::Rows, Convention::Columns})
            for_each_cell(run.trace, [&](Cell cell) {
                const attn::Step& step = run.trace[cell.step];
                const Substitution formula = substitute(run.trace, cell, Language::English, convention);
                for (const Substitution::Line& line : formula.lines) {
                    if (line.numbers.find("\\dots") != std::string::npos) continue;
                    SCOPED_TRACE(name_of(fields) + attn::step_name(step.tag) + ": " + line.text);
                    const Interval range = Reader(line.numbers).all();
                    const auto value = static_cast<double>(step.value(cell.row, cell.col));
                    EXPECT_TRUE(within(range, value)) << range.low << " … " << range.high << ", not " << value;
                    ++checked;
                    bounded += range.high - range.low < 0.5 + std::abs(value) || std::isinf(value);
                    seen[static_cast<std::size_t>(step.op)] = true;
                }
                EXPECT_EQ(formula.lines.empty(), step.op == Op::Input) << attn::step_name(step.tag);
            });
    }
    EXPECT_GT(bounded, checked * 9 / 10);  // an interval that contains everything would prove nothing
    EXPECT_GE(std::count(seen.begin(), seen.end(), true), 28);
}

/// Every part of the line is one of its numbers, and its source has that number.
TEST(Substitution, EachNumberKnowsItsCell) {
    for (const Fields& fields : kDocuments) {
        const attn::Run run = run_of(fields);
        for_each_cell(run.trace, [&](Cell cell) {
            const Substitution formula = substitute(run.trace, cell, Language::Chinese, Convention::Rows);
            for (const Substitution::Line& line : formula.lines) {
                SCOPED_TRACE(line.text);
                const auto parsed = parse_formula(line.text);
                ASSERT_TRUE(parsed) << parsed.error().message;
                for (const FormulaSource& source : line.sources) {
                    ASSERT_LT(source.cell.step, run.trace.size());
                    const attn::Matrix& value = run.trace[source.cell.step].value;
                    EXPECT_TRUE(source.cell.row < value.rows() && source.cell.col < value.cols());
                    EXPECT_EQ(*line.cell_of(source.part), source.cell);
                    EXPECT_FALSE(line.part_of(source.cell).empty());
                }
            }
        });
    }
}

TEST(Substitution, LongSumsAreShortenedWithANote) {
    attn::Document doc;
    doc.text = "the tired cat";
    doc.weights = "random";
    doc.vectors = "random";
    doc.width = 64;
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const StepId scores = attn::find_id(run->trace, {Role::Scores});
    const Substitution formula = substitute(run->trace, {scores, 1, 2}, Language::English, Convention::Rows);
    ASSERT_GT(formula.lines.size(), 3u);
    for (std::size_t i = 0; i + 1 < formula.lines.size(); ++i) {
        const Substitution::Line& line = formula.lines[i];
        EXPECT_NE(line.text.find("more:"), std::string::npos) << line.text;
        EXPECT_TRUE(within(Reader(line.numbers).all(), static_cast<double>(run->trace[scores].value(1, 2))))
            << line.text;
    }
    EXPECT_GT(formula.lines.front().text.size(), formula.lines.back().text.size());
}

TEST(Substitution, StaysWhileTheUserPointsAtASource) {
    Bench b;
    const attn::Trace& trace = b.derived.run->trace;
    const StepId scores = attn::find_id(trace, {Role::Scores});
    const StepId left = trace[scores].inputs[0];
    b.act(Pin{CellRef{{Role::Scores}, 1, 0}});
    EXPECT_EQ(b.derived.substitution.cell, (Cell{scores, 1, 0}));
    b.act(PointAt{CellRef{trace[left].tag, 1, 0}});
    EXPECT_EQ(b.derived.substitution.cell, (Cell{scores, 1, 0}));
    EXPECT_EQ(b.derived.lit_source, (Cell{left, 1, 0}));
    b.act(PointAt{CellRef{{Role::Scores}, 0, 1}});  // not a source of it: its own formula
    EXPECT_EQ(b.derived.substitution.cell, (Cell{scores, 0, 1}));
    EXPECT_EQ(b.derived.lit_source, std::nullopt);
    b.act(PointAt{});
    EXPECT_EQ(b.derived.substitution.cell, (Cell{scores, 1, 0}));
    b.act(Pin{});
    EXPECT_EQ(b.derived.substitution.cell, std::nullopt);
}

}  // namespace
