#include "app/draw/scene.h"

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
