#include "app/anim/scene.h"

namespace app {

void Scene::clear() {
    cards.clear();
    bands.clear();
    ribbons.clear();
    matrices.clear();
    bars.clear();
    paths.clear();
    cells.clear();
    labels.clear();
    captions.clear();
    legends.clear();
}

std::optional<attn::Cell> pick(const Scene& scene, Point point) {
    for (auto m = scene.matrices.rbegin(); m != scene.matrices.rend(); ++m) {
        if (!m->pickable || m->alpha <= 0 || !m->grid.area().contains(point)) continue;
        const int row = static_cast<int>((point.y - m->grid.origin.y) / m->grid.cell);
        const int col = static_cast<int>((point.x - m->grid.origin.x) / m->grid.pitch_x());
        if (row >= m->grid.rows || col >= m->grid.cols) continue;
        if (!m->reveal.shows(row, col, m->grid.rows, m->grid.cols)) continue;
        return attn::Cell{m->step, m->first_row + row, m->first_col + col};
    }
    return std::nullopt;
}

}  // namespace app
