// Matrix product: the left operand on the left, the right one above, the result where rows and columns meet. One cell
// slowly: its pairs of factors fly to a list next to the result and add up; then its row; then all. For weights ×
// values, the value rows come down as strips, each as thick as its weight, and merge into the output row.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "app/explain/inspection.h"
#include "app/layout/parts.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Cell;
using attn::Role;

/// Terms that are listed next to the result.
constexpr int kListed = 8;
/// Terms have more than two decimals, at most these, if they would otherwise not add up to the sum as written. The
/// limit is the column's width.
constexpr int kMostDecimals = 3;
constexpr float kChipOfLine = 0.86f;
/// Moments of the slow cell, as shares of its time.
constexpr double kLightUp = 0.10, kTermsEnd = 0.82;
constexpr float kSmallSymbol = 0.85f;  ///< of a symbol wider than its matrix
/// Opacity of what is not highlighted.
constexpr float kDim = 0.45f;
/// Opacity of the bands through the highlighted row and column.
constexpr float kRowBand = 0.12f, kColumnBand = 0.13f;
/// Room right of the upper operand for its caption.
constexpr float kBesideAbove = 100;

struct Product {
    attn::StepId left, right, result;
    /// The operands on the left of the result and above it. Where tokens are columns, the factors swap places: C = A B
    /// becomes Cᵀ = Bᵀ Aᵀ.
    attn::StepId beside, above;
    Grid left_grid, right_grid, result_grid;
    const Grid& beside_grid() const { return left_grid.transposed ? right_grid : left_grid; }
    const Grid& above_grid() const { return left_grid.transposed ? left_grid : right_grid; }
    Cell cell;                                        ///< the explained one
    int first_row = 0;                                ///< of the left operand and the result
    int row() const { return cell.row - first_row; }  ///< of the grids
    Pace pace;
    bool aside = false;
    Rect aside_rect;
    Rect card;          ///< around aside_rect
    int listed = 0;     ///< number of terms with their own line
    float line = 0;     ///< pitch of the lines
    float first_line = 0;
    bool named = false;  ///< the words of the left operand's terms are written, too
};

/// The card of terms in the corner, in design pixels: the padding around its lines, and the height of its heading and
/// sum.
constexpr float kPad = 14, kHeadAndSum = 50;
/// The same while presenting, and how much higher the lines then begin.
constexpr float kPresentedHeadAndSum = 62, kPresentedLift = 8;
/// Where the lines of terms begin, below their heading.
constexpr float kFirstLine = 20;
/// The corner always has room for this many lines of terms, whatever that costs the operands.
constexpr int kFewestTerms = 3;
/// The least pitch of the lines of terms, in heights of a chip.
constexpr float kClosestLines = 0.72f;

bool mixes_values(const Builder& b, const Product& p) {
    return mixes_by(b.step(p.left));
}

/// Room for the words of the left operand's terms: above it, or left of it where tokens are columns.
Margins term_names(const Builder& b, const Product& p, float cell) {
    if (!p.named) return {};
    return b.columns() ? Margins{.left = b.left_space(p.left)} : Margins{.top = b.top_space(p.left, cell)};
}

/// The sum is in the corner between the two operands, so that the figures get the full width. While presenting, every
/// shown term has a line there; at normal size, as many as fit, the largest ones.
void place(Builder& b, Product& p) {
    const StageStyle& s = b.style();
    const float n = b.lines(p.beside), f = b.uprights(p.beside), m = b.uprights(p.above);
    const Fold terms = b.columns() ? b.row_fold(p.right) : b.col_fold(p.left);
    const int all = static_cast<int>(b.step(p.left).value.cols());
    const bool folds = s.presenting && terms.on();
    const int standing = s.presenting ? (folds ? terms.count : all) : std::min(all, kListed);
    const float pad = s.presenting ? 0 : kPad * s.scale, around = (s.presenting ? kPresentedHeadAndSum : kHeadAndSum) * s.scale + 2 * pad;
    const float closest = s.presenting ? s.line : s.chip_h * kClosestLines;
    const auto high = [&](int lines, float line) { return line * static_cast<float>(lines) + around; };
    const int rest = folds || all > standing ? 1 : 0, fewest = s.presenting ? standing + rest : std::min(standing + rest, kFewestTerms);
    const float wide = s.aside + 2 * pad, gap_aside = s.presenting ? s.aside_gap : s.between;
    // If the context is omitted, the sum gets only what the figures leave.
    const bool wanted = s.presenting || b.shows(Omittable::Context);
    const float names = b.left_space(p.beside), edge = (s.presenting ? s.figure : s.label) * 0.5f;
    const float right = s.between + (s.presenting || !b.shows(Omittable::Legend) ? edge : kBesideAbove * s.scale);
    float left = names, gap = s.between, cell = 0, top = b.top_space(p.above, s.cell_max);
    Margins terms_named = term_names(b, p, s.cell_max);
    const float mid = terms_named.left;
    // Adds the width or height that the sum lacks between the operands.
    for (int i = 0; i < 4; ++i) {
        cell = fit_cell(b, f + n, f + m, {left, top, right + mid, s.caption + gap});
        // Slanted labels need their height only where cells came out narrow.
        top = b.top_space(p.above, cell);
        terms_named = term_names(b, p, cell);
        gap = std::max(s.between, terms_named.top);
        if (!wanted) continue;
        left = std::max(names, wide + gap_aside - cell * b.narrow() * f - s.between);
        gap = std::max(gap, high(fewest, closest) + pad + terms_named.top - top - cell * f);
    }
    cell = fit_cell(b, f + n, f + m, {left, top, right + mid, s.caption + gap});
    // If there is still too little room with the smallest cells, the lines of the sum move closer together.
    gap = std::max({s.between, terms_named.top, gap - std::max(0.0f, top + cell * (f + n) + gap + s.caption - b.in.area.h)});
    const float pitch = cell * b.narrow(), width = left + pitch * (f + m) + mid + right, height = top + cell * (f + n) + gap + s.caption;
    const float x = b.in.area.x + std::max(0.0f, (b.in.area.w - width) / 2) + left,
                y = b.in.area.y + std::max(0.0f, (b.in.area.h - height) / 2) + top;
    const Grid beside_grid = b.grid(p.beside, {x, y + cell * f + gap}, cell),
               above_grid = b.grid(p.above, {x + pitch * f + s.between + mid, y}, cell);
    p.left_grid = b.columns() ? above_grid : beside_grid;
    p.right_grid = b.columns() ? beside_grid : above_grid;
    p.result_grid = b.grid(p.result, {above_grid.origin.x, beside_grid.origin.y}, cell);

    const float ends = beside_grid.origin.y - terms_named.top - pad, corner = ends - (y - top);
    const int room = static_cast<int>((corner - around) / closest);
    p.aside = s.presenting || (room >= 1 && x + pitch * f + s.between - gap_aside - wide >= b.in.area.x - 1);
    p.listed = standing + rest <= room || s.presenting ? standing : std::max(1, room - 1);
    const int lines = p.listed + (p.listed < all ? 1 : 0);
    p.line = s.presenting ? s.line : std::clamp((corner - around) / static_cast<float>(lines), closest, s.line);
    const float until = above_grid.origin.x - mid - gap_aside - pad, tall = high(lines, p.line) - 2 * pad;
    const float below = s.presenting ? s.figure * -0.5f : pad + std::max(0.0f, (corner - tall - 2 * pad) / 2);
    p.aside_rect = {std::max(b.in.area.x + pad, until - s.aside), ends - below - tall, 0, tall};
    p.aside_rect.w = until - p.aside_rect.x;
    p.card = p.aside_rect.inset(-pad);
    p.first_line = p.aside_rect.y + (kFirstLine - (s.presenting ? kPresentedLift : 0)) * s.scale;
}

/// Adds the words to the weights if that costs neither the figures their room nor the sum its place.
void place_with_names(Builder& b, Product& p) {
    place(b, p);
    if (!mixes_values(b, p)) return;
    Product named = p;
    named.named = true;
    place(b, named);
    const auto can_be_read = [&](attn::StepId id, const Grid& grid) { return b.in.style.figure > 0 && legible(b.in, id, grid) >= 1; };
    const bool costs_nothing = named.result_grid.cell >= p.result_grid.cell || (b.folding && b.folding->words);
    const bool all = can_be_read(p.left, named.left_grid) && can_be_read(p.right, named.right_grid) && can_be_read(p.result, named.result_grid);
    if ((costs_nothing || all) && named.aside == p.aside) p = named;
}

void operands(Builder& b, const Product& p, float light) {
    const float dim = 1 - (1 - kDim) * light;
    MatrixSprite& left = b.matrix(p.left, p.left_grid);
    left.lit_row = p.row();
    left.dim = dim;
    if (b.focused(p.left)) left.ring = *b.in.focus;
    MatrixSprite& right = b.matrix(p.right, p.right_grid);
    right.lit_col = p.cell.col;
    right.dim = dim;
    if (b.focused(p.right)) right.ring = *b.in.focus;

    MatrixSprite& result = b.matrix(p.result, p.result_grid);
    result.placeholders = true;
    result.reveal =
        reveal_of(p.pace, {p.result, p.row(), b.focus_in(p.result).col}, p.result_grid);
    result.ring = p.cell;
    result.scale = b.colors_of_row(p.result, p.cell.row);
    result.lit_row = p.row();
    result.dim = dim;
}

/// Pale bands from the highlighted row and column to where they meet.
void bands(Builder& b, const Product& p, float light) {
    const Rect meet = p.result_grid.at(p.row(), p.cell.col);
    const Rect row = p.left_grid.row(p.row()), col = p.right_grid.col(p.cell.col);
    const Rect level = b.columns() ? col : row, upright = b.columns() ? row : col;
    const Rect all = p.result_grid.area();
    b.scene.bands.push_back({{level.x, level.y, all.right() - level.x, level.h}, b.colors(p.beside).hue, kRowBand * light, 0});
    b.scene.bands.push_back(
        {{upright.x, upright.y, upright.w, meet.bottom() - upright.y}, b.colors(p.above).hue, kColumnBand * light, 0});
}

/// The term with the largest weight.
int most_of(const Builder& b, const Product& p) {
    Eigen::Index most = 0;
    b.step(p.left).value.row(p.cell.row).maxCoeff(&most);
    return static_cast<int>(most);
}

/// The words of the values, right of them, as far as the figures leave room; returns their width. The one with the
/// largest weight is highlighted.
float value_names(Builder& b, const Product& p) {
    const attn::Step& values = b.step(p.right);
    const bool of_words = values.rows.kind == attn::Axis::Kind::Tokens || values.rows.kind == attn::Axis::Kind::SourceTokens;
    if (b.columns() || !of_words) return 0;
    const StageStyle& s = b.style();
    const int most = most_of(b, p);
    const float x = p.right_grid.area().right() + 8 * s.scale;
    const float room = b.in.area.right() - 4 * s.scale - x - (b.shows(Omittable::Legend) ? kBesideAbove * s.scale : 0);
    std::vector<LabelSprite> names;
    float widest = 0;
    for (int i = 0; i < p.right_grid.rows; ++i) {
        const Rect row = p.right_grid.row(i);
        if (!p.right_grid.row_fold.shows(i) || row.h < s.label) continue;
        const bool lit = i == most;
        LabelSprite name{{x, row.center().y + s.label * 0.36f}, b.label(values.rows, i), lit ? Type::SmallStrong : Type::Small,
                         lit ? b.colors(p.right).hue : Hue::Soft};
        widest = std::max(widest, b.in.measure(name.text, name.type));
        names.push_back(std::move(name));
    }
    if (names.empty() || widest > room) return 0;
    std::move(names.begin(), names.end(), std::back_inserter(b.scene.labels));
    return widest + 8 * s.scale;
}

void labels(Builder& b, const Product& p, float light) {
    const int row = light > 0.5f ? p.row() : -1, col = light > 0.5f ? p.cell.col : -1;
    b.row_labels(p.left_grid, b.step(p.left), b.colors(p.left).hue, row);
    if (b.step(p.left).rows.kind == attn::Axis::Kind::Pairs) b.pair_heading(p.left, p.left_grid);
    b.col_labels(p.right_grid, b.step(p.right), b.colors(p.right).hue, col);
    if (p.named) b.col_labels(p.left_grid, b.step(p.left), b.colors(p.right).hue, light > 0.5f ? most_of(b, p) : -1);
    const Grid& beside = p.beside_grid();
    const std::size_t own = b.scene.captions.size();
    b.caption(p.beside, beside);
    const float named = mixes_values(b, p) ? value_names(b, p) : 0;
    if (b.shows(Omittable::Legend)) {
        b.caption_beside(p.above, p.above_grid());
        b.scene.captions.back().at.x += named;
        b.scene.captions.back().room -= named;
    }
    b.caption_with_legend(p.result, p.result_grid, p.result, p.cell.row);
    // Under a single column, the symbol would reach into the neighbour's caption, and while presenting the other way
    // round, too.
    if (b.uprights(p.result) <= 1) {
        b.scene.captions.back().smallest = kSmallSymbol;
        if (b.style().presenting) b.scene.captions[own].room = beside.area().w - b.style().between / 2;
    }
}

/// One term moving from the operands to its line, the factors in their order on the stage; `t` 0…1.
void fly_term(Builder& b, const Product& p, const attn::Term& term, Rect left_to, Rect right_to, double t, int decimals) {
    const double moved = ease(phase(t, 0, 0.7));
    const auto move = [&](Rect from, Rect to) {
        const auto k = static_cast<float>(moved);
        return Rect{from.x + (to.x - from.x) * k, from.y + (to.y - from.y) * k, from.w + (to.w - from.w) * k,
                    from.h + (to.h - from.h) * k};
    };
    const Rect from_left = p.left_grid.at(term.left.row - p.first_row, term.left.col),
               from_right = p.right_grid.at(term.right->row, term.right->col);
    b.scene.cells.push_back({term.left, move(from_left, b.columns() ? right_to : left_to), b.colors(p.left)});
    b.scene.cells.push_back({*term.right, move(from_right, b.columns() ? left_to : right_to), b.colors(p.right)});
    if (t < 0.7) return;
    const auto alpha = static_cast<float>(phase(t, 0.7, 1.0));
    const float base = left_to.center().y + b.style().label * 0.36f;
    b.text({(left_to.right() + right_to.x) / 2, base}, "×", Type::Number, Hue::Soft, Align::Center, alpha);
    const float equals = decimals > 2 ? 8.0f : 14.0f;  // a longer number begins further left
    b.text({right_to.right() + equals * b.style().scale, base}, "=", Type::Number, Hue::Soft, Align::Center, alpha);
    // What would be 0.00 has the digits that tell it from 0, as many as there is room for.
    const std::string usual = number_text(term.value, decimals);
    const float room = p.aside_rect.right() - right_to.right() - (equals + 8) * b.style().scale - b.in.measure("=", Type::Number) / 2;
    const std::string written = !has_only_zeros(usual) ? usual : row_text(term.value, [&](std::string_view text) { return b.in.measure(text, Type::Number) <= room; });
    b.text({p.aside_rect.right(), base}, written, Type::Number, Hue::Ink, Align::Right, alpha);
}

/// The line under the terms, and the sum of those that have arrived. `decimals` 0: the terms as written do not add up
/// to the sum as written, so "≈" is put before it.
void total(Builder& b, const Product& p, float y, float sum, bool done, int decimals) {
    const StageStyle& s = b.style();
    b.scene.bars.push_back({{p.aside_rect.x, y, p.aside_rect.w, 1.5f * s.scale}, Hue::Faint, 0.8f, 0});
    const float base = y + 24 * s.scale;
    const Hue hue = b.colors(p.result).hue;
    b.text({p.aside_rect.x, base},
           b.label(b.step(p.result).rows, p.cell.row) + " · " + b.label(b.step(p.result).cols, p.cell.col),
           Type::SmallStrong, hue);
    b.scene.labels.back().fit = p.aside_rect.w * 0.6f;
    const std::string written = decimals > 0 ? number_text(sum, decimals) : (done ? "≈ " : "") + number_text(sum);
    b.text({p.aside_rect.right(), base}, written, Type::NumberStrong, done ? hue : Hue::Ink, Align::Right);
}

/// The `count` largest terms among those that are shown, in their own order.
std::vector<int> largest_terms(const attn::Explanation& e, int count, const Fold& fold) {
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(e.terms.size()); ++i)
        if (fold.shows(i)) order.push_back(i);
    const auto size = [&](int i) { return std::abs(e.terms[static_cast<std::size_t>(i)].value); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
    std::sort(order.begin(), order.end());
    return order;
}

/// The terms whose columns and rows are not folded.
std::vector<int> unfolded_terms(const Builder& b, const Product& p, int count) {
    const Fold fold = b.col_fold(p.left);
    std::vector<int> out;
    for (int i = 0; i < count; ++i)
        if (fold.shows(i)) out.push_back(i);
    return out;
}

/// The number of decimals with which the listed terms add up to the sum as written; 0: even the most are not enough.
int decimals_of(const attn::Explanation& e, const std::vector<int>& shown) {
    std::vector<float> parts;
    float rest = 0;
    for (int i = 0; i < static_cast<int>(e.terms.size()); ++i) {
        const float value = e.terms[static_cast<std::size_t>(i)].value;
        if (std::binary_search(shown.begin(), shown.end(), i))
            parts.push_back(value);
        else
            rest += value;
    }
    if (shown.size() < e.terms.size()) parts.push_back(rest);
    return decimals_that_add_up(parts, e.computed, 2, kMostDecimals);
}

/// "query asks key"; for other products, that something is added up.
void heading(Builder& b, const Product& p, float light) {
    const StageStyle& s = b.style();
    Point at{p.aside_rect.x, p.first_line - 8 * s.scale};
    const attn::Step& step = b.step(p.result);
    const auto put = [&](std::string words, Type type, Hue hue) {
        const float wide = b.in.measure(words, type);
        b.text(at, std::move(words), type, hue, Align::Left, light);
        b.scene.labels.back().fit = std::max(1.0f, p.aside_rect.right() - at.x);
        at.x += wide + 5 * s.scale;
    };
    if (s.presenting || step.tag.role != Role::Scores || step.tag.pass == 1)
        return put(std::string(b.words(Str::adding_up)), Type::SmallStrong, s.presenting ? Hue::Faint : Hue::Soft);
    const std::string asker = b.label(step.rows, p.cell.row), answerer = b.label(step.cols, p.cell.col);
    const std::string asks(b.words(Str::asks));
    const float all = b.in.measure(asker, Type::BodyStrong) + b.in.measure(asks, Type::Body) + b.in.measure(answerer, Type::BodyStrong) + 10 * s.scale;
    if (all > p.aside_rect.w) return put(std::string(b.words(Str::adding_up)), Type::SmallStrong, Hue::Soft);
    put(asker, Type::BodyStrong, b.colors(p.left).hue);
    put(asks, Type::Body, Hue::Soft);
    put(answerer, Type::BodyStrong, b.colors(p.right).hue);
}

/// The card in the corner: pairs, products, and their growing sum. `t` is the slow cell's time; 1 shows it finished.
void adding_up(Builder& b, const Product& p, double t) {
    const attn::Explanation e = attn::explain(b.trace(), p.cell);
    const StageStyle& s = b.style();
    const auto count = static_cast<int>(e.terms.size());
    const int listed = std::min(p.listed, count);
    const auto light = static_cast<float>(phase(t, 0, kLightUp));
    if (!s.presenting) b.scene.cards.push_back({p.card, Hue::Rule, true, light});
    heading(b, p, light);
    const std::vector<int> shown = s.presenting ? unfolded_terms(b, p, count) : largest_terms(e, listed, b.col_fold(p.left));
    const int decimals = decimals_of(e, shown), digits = std::max(2, decimals);
    float sum = 0, rest = 0;
    int line = 0;
    for (int i = 0; i < count; ++i) {
        const attn::Term& term = e.terms[static_cast<std::size_t>(i)];
        const double begin = kLightUp + (kTermsEnd - kLightUp) * i / count;
        const double arrive = t >= 1 ? 1 : phase(t, begin, begin + (kTermsEnd - kLightUp) / count);
        if (arrive >= 1) sum += term.value;
        if (!std::binary_search(shown.begin(), shown.end(), i)) {
            rest += term.value;
            continue;
        }
        const float y = p.first_line + p.line * static_cast<float>(line++);
        if (arrive <= 0) continue;
        const Rect left_to{p.aside_rect.x, y, s.chip_w, std::min(s.chip_h, p.line * kChipOfLine)};
        fly_term(b, p, term, left_to, left_to.moved(s.chip_w + 22 * s.scale, 0), arrive, digits);
    }
    float y = p.first_line + p.line * static_cast<float>(listed);
    if (listed < count) {
        const auto alpha =
            static_cast<float>(t >= 1 ? 1 : phase(t, kLightUp + (kTermsEnd - kLightUp) * listed / count, kTermsEnd));
        b.text({p.aside_rect.x, y + p.line * 0.62f},
               fill_in(b.words(Str::more_terms), {std::to_string(count - listed), number_text(rest, digits)}), Type::Small,
               Hue::Soft, Align::Left, alpha);
        y += p.line;
    }
    if (t > kLightUp) total(b, p, y, t >= kTermsEnd ? e.computed : sum, t >= kTermsEnd, decimals);
    if (t <= kTermsEnd || t >= 1) return;
    // The sum flies to its cell.
    const auto k = static_cast<float>(ease(phase(t, kTermsEnd, 1)));
    const Rect from{p.aside_rect.right() - s.chip_w, y + 6 * s.scale, s.chip_w, s.chip_h},
        to = p.result_grid.at(p.row(), p.cell.col);
    b.scene.cells.push_back({p.cell,
                             {from.x + (to.x - from.x) * k, from.y + (to.y - from.y) * k, from.w + (to.w - from.w) * k,
                              from.h + (to.h - from.h) * k},
                             b.colors_of_row(p.result, p.cell.row)});
}

/// Value rows as strips, each as thick as its weight, that come down into the output row (where tokens are columns,
/// from the left into its column). `t` 0…1.
void strips(Builder& b, const Product& p, double t) {
    const auto weights = b.step(p.left).value.row(p.cell.row);
    const auto fly = static_cast<float>(ease(phase(t, kLightUp, 0.8)));
    const auto fade = static_cast<float>(1 - phase(t, 0.86, 1.0));
    const Rect row = b.turned(p.result_grid.row(p.row()));
    float stacked = row.y + p.result_grid.gap / 2;
    const float full = row.h - p.result_grid.gap, pitch = b.columns() ? p.right_grid.pitch_x() : p.right_grid.cell;
    for (int j = 0; j < p.right_grid.rows; ++j) {
        const float share = weights[j], thick = full * share * fly + (pitch - p.right_grid.gap) * (1 - fly);
        const float from = b.turned(p.right_grid.at(j, 0)).y, y = from + (stacked - from) * fly;
        stacked += full * share;
        if (share <= 0 || thick < 0.2f) continue;
        for (int c = 0; c < p.right_grid.cols; ++c) {
            if (!p.right_grid.col_fold.shows(c)) continue;
            const Rect cell = b.turned(p.right_grid.at(j, c));
            b.scene.cells.push_back({{p.right, j, c},
                                     b.turned(Rect{cell.x, y, cell.w, thick}),
                                     b.colors(p.right),
                                     fade * (0.35f + 0.65f * std::min(1.0f, share * 2)),
                                     false});
        }
    }
}

}  // namespace

void lay_out_product(Builder& b) {
    Product p;
    p.result = b.in.pose.step;
    p.left = b.step(p.result).inputs[0];
    p.right = b.step(p.result).inputs[1];
    p.beside = b.columns() ? p.right : p.left;
    p.above = b.columns() ? p.left : p.right;
    p.pace = pace(b.progress());
    const Cell first = b.focus_in(p.result);
    p.first_row = b.rows_of(p.result).first;
    p.cell = current_cell(p.pace, first, static_cast<int>(b.step(p.result).value.cols()), b.col_fold(p.result));
    b.spot = p.cell;
    place_with_names(b, p);
    const auto light = static_cast<float>(phase(p.pace.cell, 0, kLightUp));
    bands(b, p, light);
    labels(b, p, light);
    operands(b, p, light);
    const double slow = p.pace.cell < 1 ? p.pace.cell : 1.0;
    if (mixes_values(b, p) && slow < 1) strips(b, p, slow);
    if (p.aside) adding_up(b, p, slow);
    if (slow < 1) b.scene.matrices.back().ring = p.cell;
}

}  // namespace app::stage
