#include "app/draw/scene.h"

#include <algorithm>
#include <cmath>

namespace app {

void Scene::clear() {
    convention = attn::Convention::Rows;
    cards.clear();
    bands.clear();
    ribbons.clear();
    matrices.clear();
    bars.clear();
    paths.clear();
    planes.clear();
    quads.clear();
    cells.clear();
    labels.clear();
    captions.clear();
    legends.clear();
    asks.clear();
    opens.clear();
}

namespace {

void see(const Camera& c, RibbonSprite& r) {
    const Point along = r.down ? Point{c.offset.y, c.offset.x} : c.offset;
    for (float* x : {&r.from_at, &r.to_at}) *x = *x * c.zoom + along.x;
    for (float* y : {&r.from_low, &r.from_high, &r.to_low, &r.to_high}) *y = *y * c.zoom + along.y;
}

void see(const Camera& c, MatrixSprite& m) {
    m.grid.origin = c(m.grid.origin);
    m.grid.cell *= c.zoom;
    m.grid.gap *= c.zoom;
}

void see(const Camera& c, BandSprite& b) {
    b.rect = c(b.rect);
    b.radius *= c.zoom;
}

}  // namespace

void look_through(const Camera& c, Scene& scene) {
    if (c == Camera{}) return;
    for (CardSprite& card : scene.cards) card.rect = c(card.rect);
    for (BandSprite& band : scene.bands) see(c, band);
    for (RibbonSprite& ribbon : scene.ribbons) see(c, ribbon);
    for (MatrixSprite& matrix : scene.matrices) see(c, matrix);
    for (BandSprite& bar : scene.bars) see(c, bar);
    for (PathSprite& path : scene.paths) {
        for (Point& p : path.points) p = c(p);
        path.width *= c.zoom;
    }
    for (PlaneSprite& plane : scene.planes)
        for (Point& p : plane.corners) p = c(p);
    for (QuadSprite& quad : scene.quads)
        for (Point& p : quad.corners) p = c(p);
    for (CellSprite& cell : scene.cells) cell.rect = c(cell.rect);
    for (LabelSprite& label : scene.labels) {
        label.at = c(label.at);
        label.fit *= c.zoom;
    }
    for (CaptionSprite& caption : scene.captions) {
        caption.at = c(caption.at);
        caption.room *= c.zoom;
    }
    for (LegendSprite& legend : scene.legends) {
        const Rect seen = c(legend.rect);
        legend.rect = {seen.x, seen.y, seen.w, legend.rect.h};
    }
    for (AskSprite& ask : scene.asks) ask.rect = c(ask.rect);
    for (OpenSprite& open : scene.opens) open.rect = c(open.rect);
}

bool QuadSprite::contains(Point p) const {
    bool left = false, right = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point a = corners[i], edge = corners[(i + 1) % corners.size()] - a, to = p - a;
        const float side = edge.x * to.y - edge.y * to.x;
        (side < 0 ? left : right) = true;
    }
    return left != right;
}

Rect QuadSprite::bounds() const {
    const auto [x0, x1] = std::minmax({corners[0].x, corners[1].x, corners[2].x, corners[3].x});
    const auto [y0, y1] = std::minmax({corners[0].y, corners[1].y, corners[2].y, corners[3].y});
    return {x0, y0, x1 - x0, y1 - y0};
}

namespace {

bool near(float a, float b) { return std::abs(a - b) < 0.5f; }
bool same_place(Point a, Point b) { return near(a.x, b.x) && near(a.y, b.y); }
bool same_place(const Rect& a, const Rect& b) { return near(a.x, b.x) && near(a.y, b.y) && near(a.w, b.w) && near(a.h, b.h); }

bool same(const LabelSprite& a, const LabelSprite& b) { return same_place(a.at, b.at) && a.align == b.align && a.text == b.text; }
bool same(const RibbonSprite& a, const RibbonSprite& b) {
    return a.down == b.down && near(a.from_at, b.from_at) && near(a.to_at, b.to_at) && near(a.from_low, b.from_low) && near(a.to_low, b.to_low);
}
bool same(const CardSprite& a, const CardSprite& b) { return same_place(a.rect, b.rect); }
bool same(const BandSprite& a, const BandSprite& b) { return same_place(a.rect, b.rect) && a.hue == b.hue; }
bool same(const PathSprite& a, const PathSprite& b) {
    return !a.points.empty() && !b.points.empty() && same_place(a.points.front(), b.points.front()) && same_place(a.points.back(), b.points.back());
}
bool same(const CaptionSprite& a, const CaptionSprite& b) { return same_place(a.at, b.at) && a.step == b.step; }

bool same_slots(const Grid& a, const Grid& b) {
    const auto same_indices = [](const Fold& x, const Fold& y) { return x.count == y.count && x.indices == y.indices; };
    return same_indices(a.row_fold, b.row_fold) && same_indices(a.col_fold, b.col_fold);
}

/// Old figures disappear before new ones appear, because overlapping ones would be unreadable.
float going(float share) { return std::max(0.0f, 1 - 2 * share); }
float coming(float share) { return std::max(0.0f, 2 * share - 1); }

/// Sprites that are equal in both stay; new ones fade in and old ones fade out.
template <class Sprites>
void cross(const Sprites& before, float share, Sprites& now) {
    const auto has = [](const Sprites& all, const auto& one) {
        return std::any_of(all.begin(), all.end(), [&](const auto& other) { return same(other, one); });
    };
    const float goes = going(share), comes = coming(share);
    const Sprites arriving = now;
    for (auto& one : now)
        if (!has(before, one)) one.alpha *= comes;
    for (const auto& one : before) {
        if (goes <= 0 || has(arriving, one)) continue;
        now.push_back(one);
        now.back().alpha *= goes;
    }
}

}  // namespace

void come_from(const Scene& before, float share, Scene& scene) {
    const auto counterpart = [](const Scene& all, const MatrixSprite& m) {
        const auto at = std::find_if(all.matrices.begin(), all.matrices.end(), [&](const MatrixSprite& other) {
            return other.step == m.step && other.first_row == m.first_row && other.grid.transposed == m.grid.transposed &&
                   same_slots(other.grid, m.grid);  // folded differently, it is another picture
        });
        return at == all.matrices.end() ? nullptr : &*at;
    };
    std::vector<const MatrixSprite*> gone;
    for (const MatrixSprite& m : before.matrices)
        if (share < 1 && !counterpart(scene, m)) gone.push_back(&m);
    for (MatrixSprite& m : scene.matrices) {
        if (const MatrixSprite* was = counterpart(before, m)) {
            m.grid.origin = between(was->grid.origin, m.grid.origin, share);
            m.grid.cell = was->grid.cell + (m.grid.cell - was->grid.cell) * share;
            m.grid.narrow = was->grid.narrow + (m.grid.narrow - was->grid.narrow) * share;
        } else {
            m.alpha *= coming(share);
        }
    }
    for (const MatrixSprite* m : gone) {
        scene.matrices.push_front(*m);
        scene.matrices.front().alpha *= going(share);
        scene.matrices.front().pickable = false;
    }
    for (CellSprite& cell : scene.cells) cell.alpha *= coming(share);
    cross(before.cards, share, scene.cards);
    cross(before.bands, share, scene.bands);
    cross(before.ribbons, share, scene.ribbons);
    cross(before.bars, share, scene.bars);
    cross(before.paths, share, scene.paths);
    cross(before.labels, share, scene.labels);
    cross(before.captions, share, scene.captions);
}

std::optional<attn::Cell> pick(const Scene& scene, Point point) {
    for (auto quad = scene.quads.rbegin(); quad != scene.quads.rend(); ++quad)
        if (quad->cell.step != attn::kNoStep && quad->contains(point)) return quad->cell;
    for (auto m = scene.matrices.rbegin(); m != scene.matrices.rend(); ++m) {
        if (!m->pickable || m->alpha <= 0 || !m->grid.area().contains(point)) continue;
        if (m->grid.on_rest(point)) continue;
        const auto [row, col] = m->grid.nearest(point);
        if (!m->reveal.shows(row, col, m->grid.rows, m->grid.cols)) continue;
        return attn::Cell{m->step, m->first_row + row, m->first_col + col};
    }
    return std::nullopt;
}

}  // namespace app
