#include "app/views/scene_paint.h"

#include <algorithm>
#include <cmath>

#include "app/ui/rich_text.h"
#include "app/views/matrix_view.h"

namespace app {
namespace {

/// Matrices with more cells than this, or with smaller ones than their sprite says, are one texture instead of a
/// rectangle a cell.
constexpr int kSmallGridCells = 900;
/// Bytes of an ellipsis and a letter of any script.
constexpr std::size_t kFewLetters = 6;

struct ScenePainter {
    const Frame& f;
    const Scene& scene;
    Painter& p;

    Color masked_back;  ///< of a masked cell, under its hatch

    explicit ScenePainter(const Frame& frame, const Scene& s)
        : f(frame), scene(s), p(frame.painter()), masked_back(mix(f.theme[Hue::Back], f.theme[Hue::Masked], 0.2f)) {}

    /// The largest type in which a number fits into a cell of this width; none: null.
    struct Figures {
        bool any = false;
        Type type = Type::Number, strong = Type::NumberStrong;
    };
    Figures figures(float cell, float widest) const {
        const float room = cell - f.px(3);
        const float number = p.width("0", Type::Number) * widest, small = p.width("0", Type::NumberSmall) * widest;
        if (number <= room) return {true, Type::Number, Type::NumberStrong};
        if (small <= room) return {true, Type::NumberSmall, Type::NumberSmall};
        return {};
    }

    float radius(float side) const { return std::min(f.theme.cell_radius, side * 0.22f); }

    void hatched(Rect rect, float alpha, Hue hue) {
        p.fill(rect, Ink(hue == Hue::Masked ? masked_back : mix(f.theme[Hue::Back], f.theme[hue], 0.2f), alpha),
               radius(rect.w));
        p.hatch(rect.inset(1), Ink(hue, 0.75f * alpha), f.px(6), f.px(1));
    }

    /// A word on a hatched cell, on a plate of its own so that it can be read.
    void on_hatch(Rect rect, std::string_view words, const Figures& type, float alpha) {
        const float w = p.width(words, type.type) + f.px(8), h = f.theme.em(type.type) * 1.35f;
        p.fill(rect_around(rect.center(), w, h), Ink(masked_back, alpha), h * 0.3f);
        p.text_in(rect, words, {type.type, Align::Center}, Ink(Hue::Soft, alpha));
    }

    /// A weight of exactly 0 because its score is masked is not the same as one that is nearly 0.
    bool masked_weight(attn::StepId id, int row, int col) const {
        const attn::Matrix* scores = masked_behind(f.trace(), f.trace()[id]);
        return scores && is_masked_score((*scores)(row, col));
    }

    /// Slopes are often small: they have as many digits as tell them apart, where there is room.
    std::string figure_of(float value, const ColorScale& scale, Type type, float room) const {
        if (scale.hue != Hue::Gradient) return number_text(value);
        if (value == 0) return "0";
        std::string fine = number_text(value, decimals_of(scale));
        return p.width(fine, type) <= room ? fine : number_text(value);
    }

    void cell(Rect rect, float value, const ColorScale& scale, float alpha, const Figures& type, bool strong) {
        if (!std::isfinite(value)) {
            hatched(rect, alpha, std::isinf(value) && value < 0 ? Hue::Masked : Hue::Warning);
            if (type.any && alpha > 0.5f) on_hatch(rect, std::isinf(value) && value < 0 ? "−∞" : "?", type, alpha);
            return;
        }
        const Color color = f.scratch.heatmaps->color(scale, value);
        p.fill(rect, Ink(color, alpha), radius(rect.w));
        if (!type.any) return;
        const Color ink = ink_on(alpha >= 1 ? color : mix(f.theme[Hue::Back], color, alpha));
        p.text_in(rect, figure_of(value, scale, strong ? type.strong : type.type, rect.w), {strong ? type.strong : type.type, Align::Center},
                  Ink(ink, std::min(1.0f, alpha + 0.1f)));
    }

    float widest_number(const MatrixSprite& m) const {
        return longest_number(f.derived.computed->ranges[static_cast<std::size_t>(m.step)]);
    }

    /// The rows, or the columns, that have a place of their own.
    static std::vector<int> standing(const Fold& fold, int count) {
        std::vector<int> out;
        if (fold.on()) return {fold.kept.begin(), fold.kept.begin() + fold.count};
        for (int i = 0; i < count; ++i) out.push_back(i);
        return out;
    }
    static std::vector<int> folded(const Fold& fold, int count) {
        std::vector<int> out;
        for (int i = 0; fold.on() && i < count; ++i)
            if (!fold.shows(i)) out.push_back(i);
        return out;
    }

    void placeholders(const MatrixSprite& m) {
        for (const int r : standing(m.grid.row_fold, m.grid.rows))
            for (const int c : standing(m.grid.col_fold, m.grid.cols))
                if (!m.reveal.shows(r, c, m.grid.rows, m.grid.cols)) {
                    const Rect rect = m.grid.at(r, c);
                    p.fill(rect, Ink(Hue::Paper, 0.6f * m.alpha), radius(rect.w));
                    p.stroke_dashed(rect, Ink(Hue::Rule, m.alpha), radius(rect.w), f.theme.rule_width, f.px(4),
                                    f.px(3));
                }
    }

    void rectangles(const MatrixSprite& m) {
        const attn::Matrix& value = f.trace()[m.step].value;
        const Figures type = m.numbers ? figures(m.grid.pitch_x() - m.grid.gap, widest_number(m)) : Figures{};
        const bool lighting = m.lit_row >= 0 || m.lit_col >= 0;
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
                cell(m.shrink > 0 ? rect.inset(rect.w * m.shrink / 2) : rect, value(m.first_row + r, m.first_col + c),
                     m.scale, alpha, type, lighting && lit);
            }
    }

    /// What is folded of one row or column: its cells as stripes, the colours of their own numbers; of many cells each
    /// stripe is the number of its share that is farthest from 0. Of weights their sum stands on it in the row that is
    /// told of.
    void rest(const MatrixSprite& m, Rect rect, const std::vector<int>& hidden, int other, bool of_rows, bool lit) {
        constexpr std::size_t kStripesAtMost = 24;
        const attn::Matrix& value = f.trace()[m.step].value;
        const bool upright = of_rows == m.grid.transposed, lighting = m.lit_row >= 0 || m.lit_col >= 0;
        const float alpha = m.alpha * (lighting && !lit ? m.dim : 1.0f);
        const std::size_t stripes = std::min(hidden.size(), kStripesAtMost);
        const auto count = static_cast<float>(stripes);
        float sum = 0, far = 0;
        bool any = false;
        for (std::size_t i = 0; i < hidden.size(); ++i) {
            const int row = m.first_row + (of_rows ? hidden[i] : other), col = of_rows ? other : hidden[i];
            const float v = value(row, col);
            const bool none = !std::isfinite(v) || masked_weight(m.step, row, col);
            if (!none) {
                sum += v;
                if (!any || std::abs(v) > std::abs(far)) far = v;
                any = true;
            }
            const std::size_t share = i * stripes / hidden.size();
            if ((i + 1) * stripes / hidden.size() == share) continue;  // more of it comes
            const float at = static_cast<float>(share) / count;
            const Rect stripe = upright ? Rect{rect.x + rect.w * at, rect.y, rect.w / count, rect.h}
                                        : Rect{rect.x, rect.y + rect.h * at, rect.w, rect.h / count};
            p.fill(stripe.inset(upright ? f.px(0.5f) : 0, upright ? 0 : f.px(0.5f)),
                   Ink(any ? f.scratch.heatmaps->color(m.scale, far) : masked_back, alpha));
            any = false;
            far = 0;
        }
        if (of_rows || m.scale.diverging || !lit) return;
        const std::string words = number_text(sum);
        const float w = p.width(words, Type::Number) + f.px(8);
        if (w > rect.w + f.px(8)) return;
        p.fill(rect_around(rect.center(), w, f.theme.em(Type::Number) * 1.3f), Ink(Hue::Paper, 0.85f * alpha), f.px(4));
        p.text_in(rect, words, {Type::Number, Align::Center}, Hue::Ink);
    }

    void rests(const MatrixSprite& m) {
        const Grid& g = m.grid;
        const std::vector<int> rows = folded(g.row_fold, g.rows), cols = folded(g.col_fold, g.cols);
        const int lit = m.lit_row >= 0 ? m.lit_row : m.ring && m.ring->step == m.step ? m.ring->row - m.first_row : -1;
        if (!cols.empty())
            for (const int r : standing(g.row_fold, g.rows))
                if (m.reveal.shows(r, cols.front(), g.rows, g.cols)) rest(m, g.at(r, cols.front()), cols, r, false, r == lit);
        if (!rows.empty())
            for (const int c : standing(g.col_fold, g.cols))
                if (m.reveal.shows(rows.front(), c, g.rows, g.cols))
                    rest(m, g.at(rows.front(), c), rows, c, true, m.lit_col == c);
    }

    /// Rows `from` to `to` of the texture, columns `left` to `right`. The texture is that of the value as it is stored;
    /// transposed it is laid over its diagonal, pixel for pixel, so both ways of standing share it.
    void piece(const MatrixSprite& m, unsigned texture, float from, float to, float left, float right, float alpha) {
        if (to <= from || right <= left) return;
        const Rect area = m.grid.area();
        const auto rows = static_cast<float>(m.grid.rows), cols = static_cast<float>(m.grid.cols);
        const Rect uv{left / cols, from / rows, (right - left) / cols, (to - from) / rows};
        const Rect seen = m.grid.transposed ? Rect{uv.y, uv.x, uv.h, uv.w} : uv;
        const Rect to_area{area.x + area.w * seen.x, area.y + area.h * seen.y, area.w * seen.w, area.h * seen.h};
        m.grid.transposed ? p.image_turned(texture, to_area, uv, alpha) : p.image(texture, to_area, uv, alpha);
    }

    /// The next power of √2: a size that grows is one of a few.
    static int in_few_sizes(int size) {
        return static_cast<int>(std::lround(std::exp2(std::ceil(std::log2(static_cast<float>(size)) * 2) / 2)));
    }

    void texture(const MatrixSprite& m) {
        const Rect area = m.grid.area();
        const bool turned = m.grid.transposed;
        const int w = std::max(1, static_cast<int>(std::lround(turned ? area.h : area.w))),
                  h = std::max(1, static_cast<int>(std::lround(turned ? area.w : area.h)));
        const attn::Step& step = f.trace()[m.step];
        const int wide = m.thumbnail ? in_few_sizes(w) : w, high = m.thumbnail ? in_few_sizes(h) : h;
        MatrixPicture picture{step.value,
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
            const float done = std::clamp(std::floor(m.reveal.rows) - 1.0f, 0.0f, rows - 1);  // rows after the first
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

    void ring(const MatrixSprite& m) {
        if (!m.ring || m.ring->step != m.step) return;
        const int row = m.ring->row - m.first_row, col = m.ring->col - m.first_col;
        if (row < 0 || row >= m.grid.rows || col < 0 || col >= m.grid.cols) return;
        const Rect rect = m.grid.at(row, col).inset(-f.px(1.5f));
        p.stroke(rect, Hue::Accent, radius(rect.w) + f.px(1.5f), f.px(2.5f));
    }

    void matrix(const MatrixSprite& m) {
        if (m.alpha <= 0.01f) return;
        if (!f.scratch.heatmaps->in_sight(f.derived.computed, m.step)) return not_yet(m);
        const bool few = m.grid.rows * m.grid.cols <= kSmallGridCells || m.grid.row_fold.on() || m.grid.col_fold.on();
        const bool small = few &&
                           std::min(m.grid.cell, m.grid.pitch_x()) >= f.px(m.smallest);
        if (small)
            rectangles(m);
        else
            texture(m);
        marks(m, small);
        ring(m);
    }

    /// Its place, until its numbers are made again.
    void not_yet(const MatrixSprite& m) {
        p.fill(m.grid.area(), Ink(Hue::Paper, 0.6f * m.alpha), f.px(3));
        p.stroke_dashed(m.grid.area(), Ink(Hue::Rule, m.alpha), f.px(3), f.theme.rule_width, f.px(4), f.px(3));
    }

    /// Numbers typed over by hand carry a dot.
    void marks(const MatrixSprite& m, bool small) {
        if (!small) return;
        for (const auto& edit : f.trace()[m.step].replaced) {
            const int row = edit.row - m.first_row, col = edit.col - m.first_col;
            if (row < 0 || row >= m.grid.rows || col < 0 || col >= m.grid.cols || !m.grid.shows(row, col)) continue;
            const Rect rect = m.grid.at(row, col);
            p.circle({rect.right() - f.px(5), rect.y + f.px(5)}, f.px(2.5f), Hue::Warning);
        }
    }

    void flying(const CellSprite& c) {
        if (c.alpha <= 0.01f) return;
        if (c.hatched) return hatched(c.rect, c.alpha, Hue::Masked);
        const Figures type = c.number ? figures(c.rect.w, 5) : Figures{};
        cell(c.rect, f.trace()[c.cell.step].value(c.cell.row, c.cell.col), c.scale, c.alpha, type, false);
    }

    void ribbon(const RibbonSprite& r) {
        const Ink ink = ink_of(r.head, r.hue, r.alpha);
        if (r.down)
            p.ribbon_down({r.from_at, r.from_low, r.from_high}, {r.to_at, r.to_low, r.to_high}, ink);
        else
            p.ribbon({r.from_at, r.from_low, r.from_high}, {r.to_at, r.to_low, r.to_high}, ink);
    }

    void band(const BandSprite& b) {
        const Ink ink = ink_of(b.head, b.hue, b.alpha);
        if (b.dashed)
            p.stroke_dashed(b.rect, ink, b.radius, f.px(1.5f), f.px(5), f.px(3));
        else if (b.outline)
            p.stroke(b.rect, ink, b.radius, f.px(2));
        else
            p.fill(b.rect, ink, b.radius);
    }

    void card(const CardSprite& c) {
        const auto scope = p.opacity(c.alpha);
        if (c.paper) p.card(c.rect);
        if (c.paper && c.head == kNoHeadColor) return;
        if (!c.paper) p.fill(c.rect, Ink(Hue::Paper, 0.7f), f.theme.card_radius);
        p.stroke(c.rect, ink_of(c.head, c.hue, c.paper ? 1.0f : 0.6f), f.theme.card_radius, f.px(1.2f));
    }

    void path(const PathSprite& line) {
        if (line.alpha <= 0.01f) return;
        const Ink ink(line.hue, line.alpha);
        if (line.arrow)
            p.arrow(line.points.front(), line.points.back(), ink, line.width, line.width * 4);
        else
            p.polyline(line.points, ink, line.width);
    }

    /// As wide as a number may be on a slanted face, whose cells are as wide as its shorter sides apart.
    Figures figures_on(const QuadSprite& q) const {
        const Point across = (q.corners[1] - q.corners[0]), down = (q.corners[3] - q.corners[0]);
        const float wide = std::max(std::abs(across.x), std::abs(down.x)),
                    high = std::max(std::abs(across.y), std::abs(down.y));
        const float characters = q.scale.low < 0 ? 5 : 4;  // all of a face, or none
        const float room = wide - f.px(2);
        const auto fits = [&](Type type) {
            return p.width("0", type) * characters <= room && f.theme.em(type) <= high;
        };
        if (fits(Type::Number)) return {true, Type::Number, Type::NumberStrong};
        if (fits(Type::NumberSmall)) return {true, Type::NumberSmall, Type::NumberSmall};
        return {};
    }

    bool masked_face(const QuadSprite& q) const {
        return !std::isfinite(q.value) ||
               (q.cell.step != attn::kNoStep && masked_weight(q.cell.step, q.cell.row, q.cell.col));
    }

    /// As it is seen: in its shade.
    Color face_color(const QuadSprite& q) const {
        const Color color = masked_face(q) ? masked_back : f.scratch.heatmaps->color(q.scale, q.value);
        return q.shade > 0 ? mix(color, f.theme[Hue::Ink], q.shade) : color;
    }

    void quad(const QuadSprite& q) {
        if (q.alpha <= 0.01f) return;
        p.polygon(q.corners, Ink(face_color(q), q.alpha));
        if (q.ring) p.polyline(q.corners, Hue::Accent, f.px(2.5f), true);
    }

    /// Over the sheets that pass through: a number is read through none. Those that come and go do so with their cube.
    void number_on(const QuadSprite& q) {
        constexpr float kLeastInk = 0.9f;
        const Figures type = q.number && q.alpha > 0.01f ? figures_on(q) : Figures{};
        if (!type.any) return;
        const bool infinite = !std::isfinite(q.value), stays = q.cell.step != attn::kNoStep;
        const Color color = face_color(q);
        const Color ink = ink_on(q.alpha >= 1 ? color : mix(f.theme[Hue::Back], color, q.alpha));
        const std::string number = infinite         ? (q.value < 0 ? "−∞" : "?")
                                   : masked_face(q) ? "0"
                                                    : number_text(q.value);
        const float alpha = std::clamp(q.alpha + 0.1f, stays ? kLeastInk : 0.0f, 1.0f);
        p.text_in(rect_around(q.center(), q.bounds().w, f.theme.em(type.type)), number,
                  {q.lit ? type.strong : type.type, Align::Center}, Ink(ink, alpha));
    }

    void plane(const PlaneSprite& sheet) {
        if (sheet.alpha <= 0.01f) return;
        p.polygon(sheet.corners, Ink(sheet.hue, sheet.alpha));
        p.polyline(sheet.corners, Ink(sheet.hue, std::min(1.0f, 3 * sheet.alpha)), f.px(1), true);
    }

    /// Of a head, its own colour; else that of the meaning.
    Ink ink_of(int head, Hue hue, float alpha, bool text = false) const {
        if (head == kNoHeadColor) return {hue, alpha};
        return {text ? f.theme.head_text(head) : f.theme.head(head), alpha};
    }

    void label(const LabelSprite& l) {
        if (l.alpha <= 0.02f || l.text.empty()) return;
        const Ink ink = ink_of(l.head, l.hue, l.alpha, true);
        const std::string text =
            l.fit > 0 && p.width(l.text, l.type) > l.fit ? p.fitted(l.text, l.type, l.fit) : l.text;
        if (l.slanted)
            p.text_slanted(l.at, text, {l.type, l.align}, ink);
        else
            p.text(l.at, text, {l.type, l.align}, ink);
    }

    void heading(const CaptionSprite& c) {
        const std::string name = name_of(f.trace(), c.step, f.view().language);
        if (p.width(name, Type::BodyStrong) > c.room) {
            const std::string symbol = symbol_of(f.trace(), c.step, scene.convention);
            const FormulaLayout& layout = f.scratch.formulas.get(symbol, FormulaSize::Small, f.theme, p.fonts());
            const auto scope = p.opacity(c.alpha);
            if (layout.width <= c.room) return draw_formula(p, layout, {c.at.x - layout.width / 2, c.at.y});
        }
        const Rect line{c.at.x - c.room / 2, c.at.y - f.theme.em(Type::BodyStrong), c.room,
                        f.theme.em(Type::BodyStrong) * 1.3f};
        const std::string fitted = p.fitted(name, Type::BodyStrong, c.room);
        if (fitted != name && fitted.size() <= kFewLetters) return;  // a letter and … say nothing
        p.text_in(line, fitted, {Type::BodyStrong, Align::Center}, Ink(*c.title, c.alpha));
    }

    /// A name beside a matrix, in as many lines as its room makes of it.
    std::vector<std::string_view> name_lines(std::string_view name, float room) const {
        if (p.width(name, Type::Small) <= room) return {name};
        return wrap_lines(name, room, [&](std::string_view text) { return p.width(text, Type::Small); });
    }

    void caption(const CaptionSprite& c) {
        if (c.title) return heading(c);
        const std::string symbol = symbol_of(f.trace(), c.step, scene.convention);
        const FormulaLayout& layout = f.scratch.formulas.get(symbol, FormulaSize::Normal, f.theme, p.fonts());
        const std::string shape = std::to_string(c.rows) + " × " + std::to_string(c.cols);
        const std::string name = name_of(f.trace(), c.step, f.view().language);
        const auto alpha = p.opacity(c.alpha);
        if (c.centered) {
            const float gap = f.px(10);
            const float name_w = gap + p.width(name, Type::Small), shape_w = gap + p.width(shape, Type::NumberSmall);
            const bool named = layout.width + name_w <= c.room,
                       shaped = named && layout.width + name_w + shape_w <= c.room;
            float x = c.at.x - (layout.width + (named ? name_w : 0) + (shaped ? shape_w : 0)) / 2;
            FormulaLook look;
            look.scale = std::clamp(c.room / std::max(layout.width, 1.0f), c.smallest, 1.0f);
            if (look.scale < 1) x = c.at.x - layout.width * look.scale / 2;
            draw_formula(p, layout, {x, c.at.y}, look);
            x += layout.width;
            if (named) p.text({x + gap, c.at.y}, name, {Type::Small}, Hue::Soft);
            if (shaped) p.text({x + name_w + gap, c.at.y}, shape, {Type::NumberSmall}, Hue::Faint);
        } else {
            draw_formula(p, layout, c.at);
            const float below =
                std::max(f.px(20), layout.descent + f.theme.em(Type::Small));  // deep ones: Σ with a letter
            float base = c.at.y + below;
            for (const std::string_view line : name_lines(name, c.room)) {
                p.text({c.at.x, base}, line, {Type::Small}, Hue::Soft);
                base += f.px(18);
            }
            if (base <= c.at.y + c.deep) p.text({c.at.x, base}, shape, {Type::NumberSmall}, Hue::Faint);
        }
    }

    void legend(const LegendSprite& l) {
        constexpr int kSteps = 96;
        const float w = l.rect.w / kSteps;
        for (int i = 0; i < kSteps; ++i) {
            const float t = (static_cast<float>(i) + 0.5f) / kSteps;
            p.fill({l.rect.x + w * static_cast<float>(i), l.rect.y, w + 0.5f, l.rect.h},
                   f.scratch.heatmaps->color(l.scale, l.scale.low + (l.scale.high - l.scale.low) * t));
        }
        const auto end = [](float v, int digits) { return number_text(v, digits); };
        const int digits = l.scale.high == 1.0f ? 0 : std::max(l.scale.high < 0.1f ? 3 : 2, decimals_of(l.scale));
        LegendWords words;
        if (l.scale.diverging) words.middle = "0";
        words.ends.emplace_back(end(l.scale.low, l.scale.diverging ? 2 : 0),
                                (l.scale.beyond ? "≥ " : "") + end(l.scale.high, digits));
        // Too narrow for both ends: of a diverging scale they are the same number, of another the low end is 0.
        for (int fewer = digits; fewer >= (l.scale.high < 1 ? 1 : 0) && !l.scale.beyond; --fewer)
            words.instead.push_back((l.scale.diverging ? "±" : "≤ ") + end(l.scale.high, fewer));
        draw_legend_words(f, l.rect, words);
    }

    void all() {
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
};

}  // namespace

void paint_scene(const Frame& frame, const Scene& scene) { ScenePainter(frame, scene).all(); }

}  // namespace app
