// Softmax: the row is lifted out of the sheet, its scores become bars on one line, hang down from the largest, and grow
// or shrink as exponentials; divided by their sum they are stacked into one column of height 1, and fall back into the
// row as weights. Next to it the same is shown in numbers (the ladder).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "app/layout/parts.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

/// The end of each phase, as a share of the slow part: the row is lifted, its scores are bars, the maximum is
/// subtracted, the exponentials are there, division by their sum begins, the shares are stacked, they begin to fall
/// back, they are in the row.
constexpr double kLift = 0.10, kScores = 0.18, kMinus = 0.32, kExp = 0.47, kSum = 0.52, kDivide = 0.65, kBack = 0.87, kDropped = 0.97;
/// The share of the motion for the slow part; then the other rows follow.
constexpr double kSlow = 0.76;
/// Opacity of the sheet while a row is lifted out of it.
constexpr float kFallen = 0.2f;

/// The columns of the ladder.
struct Ladder {
    float label_w, column_w, bar_w, line;
    int first = 0;  ///< in a narrow stage, the columns before this one are left out

    bool shows(int column) const { return column >= first; }
    /// The right end of a column's numbers, relative to the ladder's left.
    float right_of(int column) const { return label_w + column_w * static_cast<float>(column - first + 1); }
};
constexpr int kLadderColumns = 4;

/// A share as written in the row, above its bar and in the table: with enough digits to differ from 0.
std::string share_text(const Builder& b, float share, Type type = Type::Number, float room = 1e9f) {
    return row_text(share, [&](std::string_view text) { return b.in.measure(text, type) <= room; });
}

/// At temperature 0 and ∞ nothing is divided: the numbers are limits.
std::string exp_heading(const attn::Explanation& e) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    if (temperature == 0 || std::isinf(temperature)) return temperature == 0 ? "τ → 0" : "τ → ∞";
    return temperature == 1 ? "exp" : fmt::format("exp(/{:g})", temperature);
}

Type heading_type(const Builder& b) { return b.style().presenting ? Type::Number : Type::NumberSmall; }

void ladder_head(Builder& b, Rect rect, const Ladder& l, const attn::Explanation& e, double t) {
    const float y = rect.y;
    const auto put = [&](int column, std::string text, double when) {
        if (!l.shows(column)) return;
        b.text({rect.x + l.right_of(column), y}, std::move(text), heading_type(b), Hue::Soft, Align::Right,
               static_cast<float>(phase(t, when - 0.08, when)));
    };
    put(0, "s", kLift);
    if (e.state) return;  // wholly masked or overflowed: there is nothing to divide
    put(1, minus_text(static_cast<float>(e.named(attn::Name::Maximum))), kMinus);
    put(2, exp_heading(e), kExp);
    put(3, "/ " + number_text(static_cast<float>(e.named(attn::Name::Sum))), kDivide);
}

void ladder_row(Builder& b, Rect rect, const Ladder& l, const attn::Explanation& e, int j, float y, double t) {
    const attn::Term& term = e.terms[static_cast<std::size_t>(j)];
    const bool lit = j == e.cell.col;
    const float score = b.value(term.left), base = y + l.line * 0.5f + b.style().label * 0.36f;
    const float share = b.step(e.cell.step).value(e.cell.row, j);
    b.text({rect.x + l.label_w - 10 * b.style().scale, base}, b.label(b.step(e.cell.step).cols, j),
           lit ? Type::BodyStrong : Type::Body, lit ? (b.has_projections() ? Hue::Key : Hue::Accent) : Hue::Ink,
           Align::Right);
    b.scene.labels.back().fit = l.label_w - 10 * b.style().scale;
    const auto put = [&](int column, const std::string& text, double when, Hue hue, bool strong) {
        if (!l.shows(column)) return;
        b.text({rect.x + l.right_of(column), base}, text, strong ? Type::NumberStrong : Type::Number, hue, Align::Right,
               static_cast<float>(phase(t, when - 0.12, when)));
    };
    put(0, number_text(score), kLift, term.masked ? Hue::Masked : Hue::Ink, false);
    if (term.masked) {
        put(3, number_text(share), kDivide, Hue::Masked, false);
    } else {
        put(1, number_text(score - static_cast<float>(e.named(attn::Name::Maximum))), kMinus, Hue::Ink, false);
        put(2, share_text(b, term.value), kExp, Hue::Ink, false);
        put(3, share_text(b, share), kDivide, Hue::Score, lit);
    }
    if (l.bar_w <= 0) return;
    const float x = rect.x + l.right_of(kLadderColumns - 1) + 14 * b.style().scale,
                h = std::min(12 * b.style().scale, l.line * 0.5f);
    const Rect track{x, y + (l.line - h) / 2, l.bar_w, h};
    b.scene.bars.push_back({track, Hue::Rule, 1, h / 2});
    // First the exponentials (the largest is 1), then the shares of 1.
    const auto rise = static_cast<float>(ease(phase(t, kMinus, kExp))),
               settle = static_cast<float>(ease(phase(t, kSum, kDivide)));
    const float length = term.value * rise * (1 - settle) + share * settle;
    if (length > 0)
        b.scene.bars.push_back(
            {{track.x, track.y, std::max(h * 0.6f, track.w * length), h}, Hue::Score, lit ? 1.0f : 0.5f, h / 2});
}

/// Columns are as wide as their content. If not all fit, the bars go first, then columns from the left: the weight goes
/// last.
void fit_ladder(const Builder& b, const InPlace& p, const attn::Explanation& e, const std::vector<int>& shown, Ladder& l, bool has_bars) {
    const auto maximum = static_cast<float>(e.named(attn::Name::Maximum)), sum = static_cast<float>(e.named(attn::Name::Sum));
    const float gap = (b.style().presenting ? 20 : 8) * b.style().scale;
    float widest = 0;
    for (const std::string& heading : {minus_text(maximum), exp_heading(e), "/ " + number_text(sum)})
        widest = std::max(widest, b.in.measure(heading, heading_type(b)));
    for (const int j : shown) {
        const attn::Term& term = e.terms[static_cast<std::size_t>(j)];
        if (term.masked) continue;
        const float score = b.value(term.left);
        for (const std::string& number : {number_text(score), number_text(score - maximum), share_text(b, term.value)})
            widest = std::max(widest, b.in.measure(number, Type::Number));
    }
    l.column_w = std::max(l.column_w, widest + gap);
    const float bar_gap = 14 * b.style().scale, least_bar = b.style().presenting ? 60 * b.style().scale : 10;
    const auto left_for_bar = [&] { return p.aside.w - l.right_of(kLadderColumns - 1) - bar_gap; };
    float widest_name = 0;
    for (const int j : shown)
        widest_name = std::max(widest_name, b.in.measure(b.label(b.step(e.cell.step).cols, j), Type::BodyStrong));
    // Names are not cut while the bars have room to spare.
    constexpr float kShortBar = 60;  // design pixels
    const float wanted = std::max(0.0f, widest_name + 12 * b.style().scale - l.label_w);
    if (!has_bars) l.label_w += std::clamp(left_for_bar() - kShortBar * b.style().scale, 0.0f, wanted);
    l.bar_w = has_bars ? 0 : left_for_bar();
    if (l.bar_w < least_bar) l.bar_w = 0;
    while (l.first < kLadderColumns - 1 && l.right_of(kLadderColumns - 1) > p.aside.w) ++l.first;
    if (l.bar_w > 0) return;
    // The names get the remaining width.
    const float spare = p.aside.w - l.right_of(kLadderColumns - 1);
    l.label_w += std::clamp(widest_name + 12 * b.style().scale - l.label_w, 0.0f, std::max(0.0f, spare));
}

/// The `most` tokens with the largest shares, in their own order.
std::vector<int> largest_shares(const Builder& b, const InPlace& p, int count, int most) {
    std::vector<int> out(static_cast<std::size_t>(std::min(count, most)));
    if (count <= most) {
        std::iota(out.begin(), out.end(), 0);
        return out;
    }
    const attn::Matrix& weights = b.step(p.result).value;
    out = b.in.rows->largest({&b.step(p.result), p.cell.row}, [&] { return largest_of(count, -1, [&](int j) { return weights(p.cell.row, j); }); });
    if (static_cast<int>(out.size()) > most) out.resize(static_cast<std::size_t>(most));
    std::sort(out.begin(), out.end());
    return out;
}

/// The row in numbers: score, minus the maximum, exp, divided by the sum; as many tokens as fit, those with the largest
/// shares.
void ladder(Builder& b, const InPlace& p, const attn::Explanation& e, double t, bool has_bars) {
    if (p.aside.w <= 0) return;
    const StageStyle& s = b.style();
    const auto count = static_cast<int>(e.terms.size());
    Ladder l{std::min(70 * s.scale, p.aside.w * 0.2f), std::min(60 * s.scale, p.aside.w * 0.155f), 0, s.presenting ? s.line : 30 * s.scale};
    const int room = std::max(2, static_cast<int>((b.in.area.bottom() - p.aside.y - 90 * s.scale) / l.line));
    const attn::Matrix& weights = b.step(p.result).value;
    const std::vector<int> shown = largest_shares(b, p, count, count > room ? room - 1 : count);
    fit_ladder(b, p, e, shown, l, has_bars);
    const float top = p.aside.y + (s.presenting ? s.figure : 4 * s.scale);
    ladder_head(b, {p.aside.x, top, p.aside.w, 0}, l, e, t);
    float y = top + 12 * s.scale;
    float listed = 0;
    for (const int j : shown) {
        ladder_row(b, p.aside, l, e, j, y, t);
        listed += weights(p.cell.row, j);
        y += l.line;
    }
    if (count > static_cast<int>(shown.size())) {
        const std::string more = fill_in(
            b.words(Str::more_terms),
            {std::to_string(count - static_cast<int>(shown.size())), number_text(std::max(0.0f, 1.0f - listed))});
        // Under the numbers, or, if that is too far right, under the names.
        const float x = p.aside.x + l.label_w, wide = b.in.measure(more, Type::Small);
        b.text({x + wide > b.in.area.right() ? p.aside.x : x, y + 18 * s.scale}, more, Type::Small, Hue::Soft);
    }
    if (e.state == attn::RowState::AllMasked)
        b.say_masked_row({p.aside.x, y + 40 * s.scale});
}

/// The row's numbers as bars over their columns, in place of the operand that made the scores.
struct Contest {
    float top = 0, base = 0;  ///< the bars are between these
    Rect column;              ///< where they are stacked
    float highest = 0, lowest = 0;  ///< scores, without masked ones

    float height() const { return base - top; }
};

/// The type of the figures at the bars.
constexpr Type kFigures = Type::Number;

/// Calls `each` for the terms that have their own column and are not masked.
template <class Each>
void for_shown(const InPlace& p, const attn::Explanation& e, Each each) {
    const Fold& fold = p.grid.col_fold;
    for (int at = 0; at < fold.shown(static_cast<int>(e.terms.size())); ++at) {
        const int j = fold.index(at);
        if (const attn::Term& term = e.terms[static_cast<std::size_t>(j)]; !term.masked) each(j, term);
    }
}

/// Nothing if there is no room for bars, or nothing to divide.
std::optional<Contest> contest(const Builder& b, const InPlace& p, const attn::Explanation& e) {
    constexpr float kLeast = 84, kMost = 240, kWidest = 40;  // design pixels: height of the bars, width of their stack
    const StageStyle& s = b.style();
    const float names = b.left_space(p.result), line = b.in.measure("0", kFigures) * 2;
    const float free = p.free_above - 1.5f * line;
    if (b.columns() || e.state || free < kLeast * s.scale) return std::nullopt;
    Contest c;
    c.base = p.grid.origin.y - b.top_space(p.result, p.grid.cell) - line / 2;
    c.top = c.base - (s.presenting ? free : std::min(free, kMost * s.scale));
    const float wide = std::min(kWidest * s.scale, names * 0.4f);
    c.column = {p.grid.origin.x - names / 2 - wide / 2, c.top, wide, c.height()};
    c.lowest = c.highest = static_cast<float>(e.named(attn::Name::Maximum));
    for_shown(p, e, [&](int, const attn::Term& term) { c.lowest = std::min(c.lowest, b.value(term.left)); });
    return c;
}

/// One number of the row on its way through these phases.
class Contender {
public:
    Contender(Builder& b, const InPlace& p, const Contest& c, const attn::Explanation& e, int j, float below)
        : b_(b), p_(p), c_(c), j_(j), lit_(j == e.cell.col), exp_(e.terms[static_cast<std::size_t>(j)].value) {
        score_ = b.value(e.terms[static_cast<std::size_t>(j)].left);
        share_ = b.step(p.result).value(e.cell.row, j);
        cell_ = p.grid.at(p.row(), j);
        const Rect& column = c.column;
        stacked_ = {column.x, column.bottom() - column.h * (below + share_), column.w, column.h * share_};
    }

    /// Draws it in the stack, once it is there.
    void draw_in_column(double t) const {
        if (t >= kDivide) bar(stacked_, 1);
    }
    void draw(double t) const {
        if (t < kScores) lifted(t);
        if (t >= kLift && t < kDivide) bar(at(t), static_cast<float>(phase(t, kLift, kScores)));
        if (t >= kBack && t < kDropped)
            b_.scene.cells.push_back({{p_.result, p_.cell.row, j_}, between(stacked_, cell_, moved(t, kBack, kDropped)), b_.colors(p_.result), 1, lit_});
        if (t >= kDropped) bar(bar_of(share_), 0.55f * static_cast<float>(phase(t, kDropped, 1)));
        numbers(t);
    }

private:
    static float moved(double t, double from, double to) { return static_cast<float>(ease(phase(t, from, to))); }
    /// The cell, unchanged, on the bars' line.
    Rect risen() const { return {cell_.x, c_.base - cell_.h, cell_.w, cell_.h}; }
    Rect slot(float top, float bottom) const {
        const float least = 2 * b_.style().scale, wide = std::min(cell_.w, 48 * b_.style().scale);
        return {cell_.center().x - wide / 2, top, wide, std::max(least, bottom - top)};
    }
    Rect bar_of(float share) const { return slot(c_.base - c_.height() * share, c_.base); }
    /// From 0 upwards if positive, downwards if negative.
    Rect bar_of_score() const {
        const float low = std::min(0.0f, c_.lowest), high = std::max(0.0f, c_.highest), span = std::max(1e-6f, high - low);
        const auto y = [&](float v) { return c_.base - c_.height() * (v - low) / span; };
        return slot(y(std::max(0.0f, score_)), y(std::min(0.0f, score_)));
    }
    /// Hanging from the level of the largest score.
    Rect hanging() const {
        const float figure = b_.in.measure("0", kFigures) * 2;  // room below the longest
        return slot(c_.top, c_.top + (c_.height() - figure) * (c_.highest - score_) / std::max(1e-6f, c_.highest - c_.lowest));
    }

    void lifted(double t) const {
        const Rect rect = between(between(cell_, risen(), moved(t, 0.02, kLift)), bar_of_score(), moved(t, kLift, kScores));
        const auto alpha = 1 - static_cast<float>(phase(t, kLift, kScores));
        b_.scene.cells.push_back({{p_.from, p_.cell.row, j_}, rect, b_.colors_of_row(p_.from, p_.cell.row), alpha, t < kLift});
    }
    Rect at(double t) const {
        if (t < kScores) return between(risen(), bar_of_score(), moved(t, kLift, kScores));
        if (t < kMinus) return between(bar_of_score(), hanging(), moved(t, kScores + 0.03, kMinus));
        if (t < kExp) return between(hanging(), bar_of(exp_), moved(t, kMinus + 0.03, kExp));
        return between(bar_of(exp_), stacked_, moved(t, kSum, kDivide));
    }
    void bar(Rect rect, float alpha) const {
        const float round = std::min(3 * b_.style().scale, std::min(rect.w, rect.h) / 2);
        b_.scene.bars.push_back({rect, Hue::Score, alpha * (lit_ ? 1.0f : 0.5f), round});
    }
    /// The number that the bar shows, at its end, if it fits.
    void numbers(double t) const {
        const float gap = 5 * b_.style().scale, em = b_.in.measure("0", kFigures) * 1.7f;
        const auto say = [&](float value, Rect rect, bool below, double from, double until) {
            const auto alpha = static_cast<float>(phase(t, from, from + 0.04) * (1 - phase(t, until - 0.03, until)));
            const float room = p_.grid.pitch_x() - gap;
            std::string text = share_text(b_, value, kFigures, room);
            for (int decimals = 1; decimals >= 0 && b_.in.measure(text, kFigures) > room; --decimals) text = number_text(value, decimals);
            if (alpha <= 0 || b_.in.measure(text, kFigures) > room) return;
            b_.text({cell_.center().x, below ? rect.bottom() + em : rect.y - gap}, text, kFigures, lit_ ? Hue::Score : Hue::Soft,
                    Align::Center, alpha);
        };
        say(score_, bar_of_score(), false, kScores - 0.03, kScores + 0.05);
        say(score_ - c_.highest, hanging(), true, kMinus - 0.04, kMinus + 0.05);
        say(exp_, bar_of(exp_), false, kExp - 0.03, kSum + 0.04);
        if (t >= kDropped) say(share_, bar_of(share_), false, kDropped, 2);
    }

    Builder& b_;
    const InPlace& p_;
    const Contest& c_;
    int j_;
    bool lit_;
    float score_ = 0, exp_ = 0, share_ = 0;
    Rect cell_, stacked_;
};

/// The line that the bars rest on or hang from, and the mark of height 1 next to their stack.
void measure_of_column(Builder& b, const InPlace& p, const Contest& c, double t) {
    const float s = b.style().scale, left = p.grid.origin.x, right = p.grid.area().right();
    const auto line = [&](float y, float alpha) { b.scene.bars.push_back({{left, y, right - left, 1.5f * s}, Hue::Faint, 0.7f * alpha, 0}); };
    line(c.base, static_cast<float>(phase(t, kLift, kScores)));
    line(c.top, static_cast<float>(phase(t, kScores, kMinus) * (1 - phase(t, kExp, kSum))));
    const auto alpha = static_cast<float>(phase(t, kDivide - 0.06, kDivide));
    if (alpha <= 0) return;
    const float x = c.column.x - 7 * s, hook = 5 * s;
    b.path({{x + hook, c.top}, {x, c.top}, {x, c.base}, {x + hook, c.base}}, Hue::Soft, 1.5f * s, alpha);
    b.text({x - 6 * s, (c.top + c.base) / 2 + b.style().label * 0.36f}, "1", Type::NumberStrong, Hue::Soft, Align::Right, alpha);
}

void play_contest(Builder& b, const InPlace& p, const Contest& c, const attn::Explanation& e, double t) {
    measure_of_column(b, p, c, t);
    float below = 0;
    for_shown(p, e, [&](int j, const attn::Term&) {
        const Contender one(b, p, c, e, j, below);
        one.draw_in_column(t);
        one.draw(t);
        below += b.step(p.result).value(p.cell.row, j);
    });
    // The folded columns are one piece of the stack, on top of the others.
    if (!p.grid.col_fold.on() || t < kDivide || below >= 1) return;
    b.scene.bars.push_back({{c.column.x, c.column.y, c.column.w, c.column.h * (1 - below)}, Hue::Score, 0.25f, 0});
}

}  // namespace

void lay_out_softmax(Builder& b) {
    const float scale = b.style().scale;
    // While presenting only the bars are shown, with the ladder if it has the place of an operand to itself: next to the
    // matrix its numbers would be too small to be read from a distance.
    constexpr float kOfRoom = 0.46f, kPresentedLadder = 600, kLeastPresented = 460;
    const bool sheet = b.folding && b.folding->sheet, room = b.style().presenting && !b.columns();
    const InPlace p = room ? place_in(b, sheet ? kPresentedLadder * scale : 0, sheet ? kLeastPresented * scale : -1, b.in.area.h * kOfRoom)
                           : place_in(b, sheet ? 330 * scale : std::min(440 * scale, b.in.area.w * 0.48f), 130 * scale);
    const attn::Explanation& e = b.in.rows->explained(b.trace(), p.cell);
    const double t = phase(b.progress(), 0, kSlow), others = phase(b.progress(), kSlow, 1);
    const auto arena = contest(b, p, e);
    surround(b, p);
    b.scene.bands.push_back({p.grid.row(p.row()), Hue::Score, 0.12f, 8 * scale});
    if (others < 1) {  // at rest the result covers it
        MatrixSprite& from = b.matrix(p.from, p.grid);
        from.pickable = false;
        from.numbers = others <= 0;  // then weights replace its numbers
        if (arena) from.alpha = 1 - (1 - kFallen) * static_cast<float>(phase(t, 0, kLift));
    }
    MatrixSprite& result = b.matrix(p.result, p.grid);
    const double settled = t >= (arena ? kDropped : 0.9) ? 1 : 0;
    result.reveal = reveal_of({settled, settled, others}, {p.result, p.row(), 0}, p.grid.rows, p.grid.cols);
    result.ring = p.cell;
    result.lit_row = p.row();
    result.dim = kUnspoken;
    ladder(b, p, e, t, arena.has_value());
    if (arena) play_contest(b, p, *arena, e, t);
}

}  // namespace app::stage
