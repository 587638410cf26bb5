#include "app/screens/flow/map.h"

#include <algorithm>
#include <set>

#include "app/content/number_text.h"
#include "app/explain/blank.h"
#include "app/explain/inspection.h"
#include "app/frame/flow_camera.h"
#include "app/frame/hint.h"
#include "app/frame/scene_paint.h"
#include "app/screens/flow/zoom.h"
#include "core/analysis/telling.h"

namespace app {
namespace {

/// Zoom from which the text of an opening flow appears, and from which it is fully there.
constexpr double kLettersFrom = 0.8, kLettersThere = 0.97;
/// From which share of its tile's opening the flow appears.
constexpr double kFlowFrom = 0.3;

std::vector<std::string> titles_of(const Frame& f) {
    std::vector<std::string> out;
    for (const FlowPlace& place : f.derived.places)
        out.push_back(place_of(f, f.derived.timeline.sections[static_cast<std::size_t>(place.main)]));
    return out;
}

/// Text keeps its size, so it appears when the picture has nearly its own.
void fade_letters(Scene& scene, float zoom) {
    const auto alpha = static_cast<float>(phase(zoom, kLettersFrom, kLettersThere));
    if (alpha <= 0) {
        scene.labels.clear();
        scene.captions.clear();
        scene.legends.clear();
        return;
    }
    for (LabelSprite& label : scene.labels) label.alpha *= alpha;
    for (CaptionSprite& caption : scene.captions) caption.alpha *= alpha;
    if (alpha < 1) scene.legends.clear();
}

/// While it plays, later places are not computed yet.
int made_so_far(const Frame& f) { return f.view().plays() ? f.derived.place : -1; }

/// "layer 2 · head 5: “sat” gives 25% of its attention to “tired”".
std::string said_of_thumbnail(const Frame& f, int place, attn::StepId id) {
    const attn::Step& step = f.trace()[id];
    std::string where = place_of(f, f.derived.timeline.sections[static_cast<std::size_t>(
                                        f.derived.places[static_cast<std::size_t>(place)].main)]);
    if (step.tag.head != attn::kNoHead) where += " · " + f.say(Str::head_number, {f.number(step.tag.head)});
    const MapTile& tile = f.derived.map.tiles[static_cast<std::size_t>(place)];
    const bool weights = std::find(tile.weights.begin(), tile.weights.end(), id) != tile.weights.end();
    if (const auto pair = weights ? attn::telling_pair(f.trace(), id) : std::nullopt) {
        const float weight = step.value(pair->query, pair->key);
        const std::string query = f.derived.labels.of(step.rows, pair->query), key = f.derived.labels.of(step.cols, pair->key);
        const auto blank = blank_claim(f.trace(), attn::Cell{id, pair->query, pair->key});
        const std::string looks = blank ? f.say(*blank, {query, key})
                                        : f.say(Str::flow_title, {query, weight_text(static_cast<double>(weight)), key});
        return f.say(Str::named_value, {where, looks});
    }
    return f.say(Str::named_value, {where, name_of(f.trace(), id, f.view().language)});
}

/// The matrix under the pointer.
std::optional<attn::StepId> thumbnail_under(const Scene& scene) {
    for (auto m = scene.matrices.rbegin(); m != scene.matrices.rend(); ++m)
        if (m->alpha > 0.5f && m->grid.area().contains(gui::mouse())) return m->step;
    return std::nullopt;
}

}  // namespace

bool shows_map(const Frame& f) { return f.derived.map.any() && flow_camera(f).zoom < 1 && !f.view().passage; }

std::string map_title(const Frame& f) {
    const auto count = static_cast<int>(f.derived.places.size()), heads = f.state.document.config.heads;
    std::set<int> times;
    for (const FlowPlace& place : f.derived.places)
        times.insert(f.derived.timeline.sections[static_cast<std::size_t>(place.main)].time);
    const auto steps = static_cast<int>(times.size());
    if (steps > 1 && count % steps == 0 && count > steps)
        return f.say(Str::map_title_steps, {std::to_string(steps), std::to_string(count / steps)});
    if (steps > 1) return f.say(Str::map_title_times, {std::to_string(steps)});
    return heads > 1 ? f.say(Str::map_title_heads, {std::to_string(count), std::to_string(heads)})
                     : f.say(Str::map_title, {std::to_string(count)});
}

void draw_model_map(const Frame& f, const StageInput& stage, Rect area) {
    const FlowCamera look = flow_camera(f);
    const double opened = unfolded(look.zoom);
    look_through(camera_of(look, area), f.scratch.scene);
    const std::vector<std::string> titles = titles_of(f);
    Scene map;
    lay_out_map({stage, f.derived.map, f.derived.place, f.view().head, look, titles, opened > 0 ? &f.scratch.scene : nullptr,
                 made_so_far(f)},
                map);
    paint_scene(f, map);
    if (opened > 0) {
        fade_letters(f.scratch.scene, look.zoom);
        const auto scope = f.painter().opacity(static_cast<float>(phase(opened, kFlowFrom, 1)));
        paint_scene(f, f.scratch.scene);
    }
    f.scratch.scene = std::move(map);
    for (std::size_t i = 0; i < f.derived.places.size(); ++i) {
        const Rect unit = f.derived.map.tile(static_cast<int>(i), f.derived.place);
        const Rect tile = camera_of(look, area)(
            Rect{area.x + unit.x * area.w, area.y + unit.y * area.h, unit.w * area.w, unit.h * area.h});
        f.ui.record("map_tile_" + std::to_string(i + 1), tile);
    }
}

void touch_map_tiles(const Frame& f, Rect area, bool hovered, bool clicked) {
    if (!hovered) return;
    const int place = tile_under(f, area, gui::mouse());
    if (place < 0) return;
    gui::set_cursor(gui::Cursor::Hand);
    const auto thumbnail = thumbnail_under(f.scratch.scene);
    const Rect at{gui::mouse().x - f.px(6), gui::mouse().y - f.px(6), f.px(12), f.px(12)};
    if (thumbnail)
        hint(f, "map_step_" + std::to_string(*thumbnail), at, said_of_thumbnail(f, place, *thumbnail));
    else
        hint(f, "map_place_" + std::to_string(place), at, f.say(Str::tip_map_tile));
    if (!clicked) return;
    if (thumbnail && f.trace()[*thumbnail].tag.head != attn::kNoHead) f.push(ChooseHead{f.trace()[*thumbnail].tag.head});
    f.push(LookAt{place});
}

}  // namespace app
