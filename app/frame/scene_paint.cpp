#include "app/frame/scene_paint.h"

#include <algorithm>
#include <cmath>

#include "app/frame/scene_painter.h"

namespace app {
namespace {

/// Matrices with more cells than this, or with smaller ones than their sprite's limit, are drawn as one texture instead
/// of a rectangle per cell.
constexpr int kSmallGridCells = 900;

}  // namespace

ScenePainter::Figures ScenePainter::figures(float cell, float widest) const {
    const float room = cell - f.px(3);
    const float number = p.width("0", Type::Number) * widest, small = p.width("0", Type::NumberSmall) * widest;
    if (number <= room) return {true, Type::Number, Type::NumberStrong};
    // Small figures cannot be read on a projection: such cells show only their colour.
    if (small <= room && !f.view().present.on) return {true, Type::NumberSmall, Type::NumberSmall};
    return {};
}

void ScenePainter::hatched(Rect rect, float alpha, Hue hue) {
    p.fill(rect, Ink(hue == Hue::Masked ? masked_back : mix(f.theme[Hue::Back], f.theme[hue], 0.2f), alpha),
           radius(rect.w));
    p.hatch(rect.inset(1), Ink(hue, 0.75f * alpha), f.px(6), f.px(1));
}

void ScenePainter::on_hatch(Rect rect, std::string_view words, const Figures& type, float alpha) {
    const float w = p.width(words, type.type) + f.px(8), h = f.theme.em(type.type) * 1.35f;
    p.fill(rect_around(rect.center(), w, h), Ink(masked_back, alpha), h * 0.3f);
    p.text_in(rect, words, {type.type, Align::Center}, Ink(Hue::Soft, alpha));
}

bool ScenePainter::masked_weight(attn::StepId id, int row, int col) const {
    const attn::Matrix* scores = masked_behind(f.trace(), f.trace()[id]);
    return scores && is_masked_score((*scores)(row, col));
}

std::string ScenePainter::figure_of(float value, const ColorScale& scale, Type type, float room, bool spoken) const {
    if (scale.hue != Hue::Gradient) {
        if (!spoken) return number_text(value);
        const auto fits = [&](std::string_view text) { return p.width(text, type) <= room - f.px(2); };
        // A text with extra digits must not touch its neighbours.
        const std::string text = row_text(value, [&](std::string_view longer) { return p.width(longer, type) <= room - f.px(6); });
        return fits(text) ? text : short_row_text(value, fits);
    }
    if (value == 0) return "0";
    std::string fine = number_text(value, decimals_of(scale));
    return p.width(fine, type) <= room ? fine : number_text(value);
}

void ScenePainter::cell(Rect rect, float value, const ColorScale& scale, float alpha, const Figures& type, bool strong, bool spoken) {
    constexpr float kMoreInk = 5.0f / 3;  // relative to its cell, where that is dimmed; both fade together
    if (!std::isfinite(value)) {
        hatched(rect, alpha, std::isinf(value) && value < 0 ? Hue::Masked : Hue::Warning);
        if (type.any && alpha > 0.5f) on_hatch(rect, std::isinf(value) && value < 0 ? "−∞" : "?", type, alpha);
        return;
    }
    const Color color = f.scratch.heatmaps->color(scale, value);
    p.fill(rect, Ink(color, alpha), radius(rect.w));
    if (!type.any) return;
    const Color ink = ink_on(alpha >= 1 ? color : mix(f.theme[Hue::Back], color, alpha));
    const Type own = strong ? type.strong : type.type;
    draw_figure(f, rect, figure_of(value, scale, own, rect.w, spoken), own, Ink(ink, std::min(1.0f, alpha * kMoreInk)), spoken, alpha);
}

ScenePainter::Figures ScenePainter::figures_in(Rect rect, const MatrixSprite& m) const {
    return !m.numbers || rect.h < f.theme.em(Type::Number) ? Figures{} : figures(rect.w, widest_number(m));
}

ScenePainter::Figures ScenePainter::figures_of_row(Rect rect, const MatrixSprite& m) const {
    if (!m.numbers || rect.h < f.theme.em(Type::Number)) return {};
    return figures(rect.w, shortest_number(f.derived.computed->ranges[static_cast<std::size_t>(m.step)]));
}

float ScenePainter::widest_number(const MatrixSprite& m) const {
    return longest_number(f.derived.computed->ranges[static_cast<std::size_t>(m.step)]);
}

float ScenePainter::widest_in_row(const MatrixSprite& m) const {
    const attn::Matrix& value = f.trace()[m.step].value;
    std::size_t most = 1;
    for (const int c : standing(m.grid.col_fold, m.grid.cols))
        if (const float v = value(m.first_row, m.first_col + c); v != 0) most = std::max(most, number_text(v).size());
    return static_cast<float>(most);
}

std::vector<int> ScenePainter::standing(const Fold& fold, int count) {
    std::vector<int> out;
    if (fold.on()) return {fold.indices.begin(), fold.indices.begin() + fold.count};
    for (int i = 0; i < count; ++i) out.push_back(i);
    return out;
}

void ScenePainter::placeholders(const MatrixSprite& m) {
    for (const int r : standing(m.grid.row_fold, m.grid.rows))
        for (const int c : standing(m.grid.col_fold, m.grid.cols))
            if (!m.reveal.shows(r, c, m.grid.rows, m.grid.cols)) {
                const Rect rect = m.grid.at(r, c);
                p.fill(rect, Ink(Hue::Paper, 0.6f * m.alpha), radius(rect.w));
                p.stroke_dashed(rect, Ink(Hue::Rule, m.alpha), radius(rect.w), f.theme.rule_width, f.px(4),
                                f.px(3));
            }
}

void ScenePainter::rectangles(const MatrixSprite& m) {
    const attn::Matrix& value = f.trace()[m.step].value;
    Figures type = m.numbers ? figures(m.grid.pitch_x() - m.grid.gap, widest_number(m)) : Figures{};
    // Of a single row it is enough that its own numbers fit.
    if (m.numbers && !type.any && m.grid.rows == 1) type = figures(m.grid.pitch_x() - m.grid.gap, widest_in_row(m));
    const bool lighting = m.lit_row >= 0 || m.lit_col >= 0;
    const bool ringed = m.ring && m.ring->step == m.step;
    const int spoken_row = ringed ? m.ring->row - m.first_row : m.lit_row;
    if (m.placeholders) placeholders(m);
    rests(m);
    const std::vector<int> columns = standing(m.grid.col_fold, m.grid.cols);
    for (const int r : standing(m.grid.row_fold, m.grid.rows))
        for (const int c : columns) {
            if (!m.reveal.shows(r, c, m.grid.rows, m.grid.cols)) continue;
            const bool lit = r == m.lit_row || c == m.lit_col;
            const float alpha = m.alpha * (lighting && !lit ? m.dim : 1.0f);
            const Rect rect = m.grid.at(r, c);
            if (masked_weight(m.step, m.first_row + r, m.first_col + c)) {
                hatched(rect, alpha, Hue::Masked);
                if (type.any) on_hatch(rect, "0", type, alpha);
                continue;
            }
            // Under a lens the other cells are colours only, except in the row in focus.
            const bool thin = (m.grid.row_fold.thins() && r != m.grid.row_fold.lens) || (m.grid.col_fold.thins() && c != m.grid.col_fold.lens);
            const Figures own = !thin ? type : r == spoken_row ? figures_of_row(rect, m) : figures_in(rect, m);
            const bool winner = ringed && r == spoken_row && m.first_col + c == m.ring->col;
            cell(m.shrink > 0 ? rect.inset(rect.w * m.shrink / 2) : rect, value(m.first_row + r, m.first_col + c),
                 m.scale, alpha, own, winner, lit || r == spoken_row);
        }
}

FoldedRest ScenePainter::folded_rest(const FoldedRest::Key& key) const {
    constexpr int kStripesAtMost = 24;
    const attn::Matrix& value = f.trace()[key.step].value;
    const int hidden = key.all - key.fold.count, stripes = std::min(hidden, kStripesAtMost);
    FoldedRest out;
    out.stripes.resize(static_cast<std::size_t>(stripes));
    int at = 0;
    for (int i = 0; i < key.all; ++i) {
        if (key.fold.shows(i)) continue;
        std::optional<float>& far = out.stripes[static_cast<std::size_t>(static_cast<std::int64_t>(at++) * stripes / hidden)];
        const int row = key.first_row + (key.of_rows ? i : key.other), col = key.of_rows ? key.other : i;
        const float v = value(row, col);
        if (!std::isfinite(v) || masked_weight(key.step, row, col)) continue;
        out.sum += v;
        if (!far || std::abs(v) > std::abs(*far)) far = v;
    }
    return out;
}

void ScenePainter::rest(const MatrixSprite& m, Rect rect, int other, bool of_rows, bool lit) {
    constexpr int kFew = 256;  // of them nothing is kept
    const bool upright = of_rows == m.grid.transposed, lighting = m.lit_row >= 0 || m.lit_col >= 0;
    const float alpha = m.alpha * (lighting && !lit ? m.dim : 1.0f);
    const FoldedRest::Key key{m.step, m.first_row, other, of_rows, of_rows ? m.grid.rows : m.grid.cols, of_rows ? m.grid.row_fold : m.grid.col_fold};
    FoldedRest few;
    if (key.all <= kFew) few = folded_rest(key);
    const FoldedRest& all = key.all <= kFew ? few : f.of_run().rests.get(key, [&] { return folded_rest(key); });
    const auto count = static_cast<float>(all.stripes.size());
    for (std::size_t i = 0; i < all.stripes.size(); ++i) {
        const float at = static_cast<float>(i) / count;
        const Rect stripe = upright ? Rect{rect.x + rect.w * at, rect.y, rect.w / count, rect.h}
                                    : Rect{rect.x, rect.y + rect.h * at, rect.w, rect.h / count};
        p.fill(stripe.inset(upright ? f.px(0.5f) : 0, upright ? 0 : f.px(0.5f)),
               Ink(all.stripes[i] ? f.scratch.heatmaps->color(m.scale, *all.stripes[i]) : masked_back, alpha));
    }
    // The sum of shares is meaningful.
    if (of_rows || m.scale.diverging || m.scale.low != 0 || !lit || !m.numbers) return;
    // Its ground covers the stripes, and must not reach into the next column or beyond the matrix.
    const std::string words = short_row_text(all.sum, [&](std::string_view text) { return p.width(text, Type::Number) + f.px(8) <= rect.w; });
    if (words.empty()) return;
    const float w = p.width(words, Type::Number) + f.px(8);
    p.fill(rect_around(rect.center(), w, f.theme.em(Type::Number) * 1.3f), Ink(Hue::Paper, 0.85f * alpha), f.px(4));
    p.text_in(rect, words, {Type::Number, Align::Center}, Hue::Ink);
}

void ScenePainter::rests(const MatrixSprite& m) {
    const Grid& g = m.grid;
    const int row = g.row_fold.first_hidden(), col = g.col_fold.first_hidden();
    const int lit = m.lit_row >= 0 ? m.lit_row : m.ring && m.ring->step == m.step ? m.ring->row - m.first_row : -1;
    if (g.col_fold.on())
        for (const int r : standing(g.row_fold, g.rows))
            if (m.reveal.shows(r, col, g.rows, g.cols)) rest(m, g.at(r, col), r, false, r == lit);
    if (g.row_fold.on())
        for (const int c : standing(g.col_fold, g.cols))
            if (m.reveal.shows(row, c, g.rows, g.cols)) rest(m, g.at(row, c), c, true, m.lit_col == c);
}

void ScenePainter::piece(const MatrixSprite& m, unsigned texture, float from, float to, float left, float right, float alpha) {
    if (to <= from || right <= left) return;
    const Rect area = m.grid.area();
    const auto rows = static_cast<float>(m.grid.rows), cols = static_cast<float>(m.grid.cols);
    const Rect uv{left / cols, from / rows, (right - left) / cols, (to - from) / rows};
    const Rect seen = m.grid.transposed ? Rect{uv.y, uv.x, uv.h, uv.w} : uv;
    const Rect to_area{area.x + area.w * seen.x, area.y + area.h * seen.y, area.w * seen.w, area.h * seen.h};
    m.grid.transposed ? p.image_turned(texture, to_area, uv, alpha) : p.image(texture, to_area, uv, alpha);
}

int ScenePainter::in_few_sizes(int size) {
    return static_cast<int>(std::lround(std::exp2(std::ceil(std::log2(static_cast<float>(size)) * 2) / 2)));
}

void ScenePainter::texture(const MatrixSprite& m) {
    const Rect area = m.grid.area();
    const bool turned = m.grid.transposed;
    const int w = std::max(1, static_cast<int>(std::lround(turned ? area.h : area.w))),
              h = std::max(1, static_cast<int>(std::lround(turned ? area.w : area.h)));
    const attn::Step& step = f.trace()[m.step];
    const int wide = m.thumbnail ? in_few_sizes(w) : w, high = m.thumbnail ? in_few_sizes(h) : h;
    MatrixPicture picture{m.thumbnail ? PictureNumbers::from_afar(step.value) : step.value,
                          m.step,
                          {static_cast<double>(m.first_col), static_cast<double>(m.first_row),
                           static_cast<double>(m.grid.cols), static_cast<double>(m.grid.rows)},
                          m.scale,
                          wide,
                          high,
                          m.grid.gap * static_cast<float>(wide) / static_cast<float>(w),
                          m.first_row};
    picture.masked_in = masked_behind(f.trace(), step);
    const unsigned id = f.scratch.heatmaps->texture(picture);
    if (id == 0) return;
    const auto rows = static_cast<float>(m.grid.rows), cols = static_cast<float>(m.grid.cols);
    const bool lighting = m.lit_row >= 0 || m.lit_col >= 0;
    const float alpha = m.alpha * (lighting ? m.dim : 1.0f);
    if (m.placeholders && !m.reveal.everything()) p.fill(area, Ink(Hue::Paper, 0.6f), f.px(3));
    if (m.reveal.everything()) {
        piece(m, id, 0, rows, 0, cols, alpha);
    } else {
        const auto first = static_cast<float>(m.reveal.first_row);
        const float done = std::clamp(std::floor(m.reveal.rows) - 1.0f, 0.0f, rows - 1);  // rows after the first one
        const float below = m.reveal.upwards ? std::max(0.0f, done - first) : std::min(done, rows - first - 1);
        if (m.reveal.upwards) {
            piece(m, id, first - std::min(done, first), first, 0, cols, alpha);
            piece(m, id, rows - below, rows, 0, cols, alpha);
            piece(m, id, first, first + 1, 0, std::min(cols, m.reveal.cells), alpha);
            return;
        }
        piece(m, id, first + 1, first + 1 + below, 0, cols, alpha);
        piece(m, id, 0, done - below, 0, cols, alpha);
        piece(m, id, first, first + 1, 0, std::min(cols, m.reveal.cells), alpha);
    }
    if (!lighting) return;
    if (m.lit_row >= 0)
        piece(m, id, static_cast<float>(m.lit_row), static_cast<float>(m.lit_row + 1), 0, cols, m.alpha);
    if (m.lit_col >= 0)
        piece(m, id, 0, rows, static_cast<float>(m.lit_col), static_cast<float>(m.lit_col + 1), m.alpha);
}

void ScenePainter::ring(const MatrixSprite& m) {
    if (!m.ring || m.ring->step != m.step) return;
    const int row = m.ring->row - m.first_row, col = m.ring->col - m.first_col;
    if (row < 0 || row >= m.grid.rows || col < 0 || col >= m.grid.cols) return;
    const Rect rect = m.grid.at(row, col).inset(-f.px(1.5f));
    p.stroke(rect, Hue::Accent, radius(rect.w) + f.px(1.5f), f.px(2.5f));
}

void ScenePainter::matrix(const MatrixSprite& m) {
    if (m.unseen || m.alpha <= 0.01f) return;
    if (!f.scratch.heatmaps->in_sight(f.derived.computed, m.step, m.thumbnail)) return not_yet(m);
    const bool folds = m.grid.row_fold.on() || m.grid.col_fold.on(), few = m.grid.rows * m.grid.cols <= kSmallGridCells;
    const bool small = folds || (few && std::min(m.grid.cell, m.grid.pitch_x()) >= f.px(m.smallest));
    if (small)
        rectangles(m);
    else
        texture(m);
    marks(m, small);
    ring(m);
}

void ScenePainter::not_yet(const MatrixSprite& m) {
    p.fill(m.grid.area(), Ink(Hue::Paper, 0.6f * m.alpha), f.px(3));
    p.stroke_dashed(m.grid.area(), Ink(Hue::Rule, m.alpha), f.px(3), f.theme.rule_width, f.px(4), f.px(3));
}

void ScenePainter::all() {
    for (const RibbonSprite& r : scene.ribbons)
        if (r.behind) ribbon(r);
    for (const CardSprite& c : scene.cards) card(c);
    for (const BandSprite& b : scene.bands) band(b);
    for (const RibbonSprite& r : scene.ribbons)
        if (!r.behind) ribbon(r);
    for (const MatrixSprite& m : scene.matrices) matrix(m);
    for (const BandSprite& b : scene.bars) band(b);
    for (const PathSprite& line : scene.paths) path(line);
    for (const QuadSprite& q : scene.quads)
        if (q.cell.step != attn::kNoStep) quad(q);
    for (const PlaneSprite& sheet : scene.planes) plane(sheet);
    for (const QuadSprite& q : scene.quads)
        if (q.cell.step != attn::kNoStep) number_on(q);
    for (const QuadSprite& q : scene.quads)
        if (q.cell.step == attn::kNoStep) {
            quad(q);
            number_on(q);
        }
    for (const CellSprite& c : scene.cells) flying(c);
    for (const LabelSprite& l : scene.labels) label(l);
    for (const CaptionSprite& c : scene.captions) caption(c);
    for (const LegendSprite& l : scene.legends) legend(l);
}

void paint_scene(const Frame& frame, const Scene& scene) { ScenePainter(frame, scene).all(); }

}  // namespace app
