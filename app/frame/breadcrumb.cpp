#include "app/frame/breadcrumb.h"

#include <algorithm>

#include "app/explain/inspection.h"
#include "app/frame/flow_camera.h"
#include "app/state/follower.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

/// The levels of the path.
enum class PathLevel : std::uint8_t { Model, Place, Block, Head, Matrix, Cell };

struct Crumb {
    PathLevel level;
    std::string text;
    Hue hue = Hue::Soft;
};

/// The cell that the last levels refer to: the pinned one, else the step's explained one.
std::optional<attn::Cell> cell_of_path(const Frame& f) {
    if (const auto pinned = cell_of(f.trace(), f.view().pinned)) return pinned;
    return f.derived.explained;
}

std::vector<Crumb> path_to_here(const Frame& f) {
    std::vector<Crumb> out{{PathLevel::Model, std::string(f.say(Str::crumb_model))}};
    const Derived& d = f.derived;
    if (d.places.empty()) return out;
    if (d.map.any()) {
        const FlowPlace& place = d.places[static_cast<std::size_t>(d.place)];
        out.push_back({PathLevel::Place, place_of(f, d.timeline.sections[static_cast<std::size_t>(place.main)])});
    }
    const FlowBlock block = open_block(d.timeline, d.pose.stop);
    out.push_back({PathLevel::Block, std::string(f.say(title_of(block)))});
    const auto cell = cell_of_path(f);
    const bool heads = f.state.document.config.heads > 1, on_stage = f.view().screen == Screen::Stage;
    const bool in_head = cell && f.trace()[cell->step].tag.head != attn::kNoHead;
    if (heads && block == FlowBlock::Attention && (in_head || !on_stage))
        out.push_back({PathLevel::Head, f.say(Str::head_number, {f.number(f.view().head)})});
    // What is made from all heads together belongs to no head.
    if (!cell || (heads && !in_head && !on_stage)) return out;
    // The flow shows a whole place, so a cell that the user has not pinned is not part of the path.
    if (!on_stage && !f.view().pinned) return out;
    const attn::Step& step = f.trace()[cell->step];
    out.push_back({PathLevel::Matrix, name_of(f.trace(), cell->step, f.view().language),
                   hue_of(step.tag.role)});
    out.push_back({PathLevel::Cell, d.labels.of(step.rows, cell->row) + ", " + d.labels.of(step.cols, cell->col)});
    return out;
}

/// The level that fills the screen.
PathLevel path_level(const Frame& f) {
    if (f.view().screen == Screen::Stage) return f.view().pinned ? PathLevel::Cell : PathLevel::Matrix;
    if (f.derived.map.any() && f.view().flow.zoom < kUnfolded) return PathLevel::Model;
    return f.state.document.config.heads > 1 && !f.view().flow.fan ? PathLevel::Head : PathLevel::Block;
}

void go_to_level(const Frame& f, PathLevel level) {
    const bool on_stage = f.view().screen == Screen::Stage;
    const int place = f.derived.place;
    switch (level) {
        case PathLevel::Model:
            // If there is only one place, the whole is all of its heads.
            if (f.derived.map.any()) return look_at_whole(f);
            if (f.state.document.config.heads > 1) f.change_view([](ViewState& v) { v.flow.fan = true; });
            return f.push(LookAt{place});
        case PathLevel::Block:
            if (f.state.document.config.heads > 1) f.change_view([](ViewState& v) { v.flow.fan = true; });
            return f.push(LookAt{place});
        case PathLevel::Place:
            return f.push(LookAt{place});
        case PathLevel::Head:
            f.change_view([](ViewState& v) { v.flow.fan = false; });
            return f.push(LookAt{place});
        case PathLevel::Matrix:
        case PathLevel::Cell:
            break;
    }
    const auto cell = cell_of_path(f);
    if (!cell) return;
    const CellRef ref{f.trace()[cell->step].tag, cell->row, cell->col};
    if (!on_stage) return f.push(EnterMatrix{ref});
    f.push(Pin{level == PathLevel::Cell ? std::optional(ref) : std::nullopt});
}

constexpr std::string_view kPathThen = "›";

}  // namespace

void draw_breadcrumb(const Frame& f, Rect line) {
    Painter& p = f.painter();
    std::vector<Crumb> crumbs = path_to_here(f);
    const PathLevel here = path_level(f);
    const float between = p.width(kPathThen, Type::Small) + f.px(12);
    const auto width = [&](const Crumb& c) { return p.width(c.text, c.level == here ? Type::SmallStrong : Type::Small); };
    const auto wide = [&] {
        float sum = 0;
        for (const Crumb& c : crumbs) sum += width(c) + between;
        return sum;
    };
    while (crumbs.size() > 2 && wide() > line.w) crumbs.erase(crumbs.begin() + 1);
    float x = line.x;
    const float base = line.center().y + p.middle_to_baseline(Type::Small);
    for (std::size_t i = 0; i < crumbs.size(); ++i) {
        const Crumb& c = crumbs[i];
        const float w = width(c);
        const Rect rect{x - f.px(4), line.y, w + f.px(8), line.h};
        const Touch touch = touch_area(f.ui, "crumb_" + std::to_string(static_cast<int>(c.level)), rect);
        const bool is_here = c.level == here;
        if (touch.hovered) {
            gui::set_cursor(gui::Cursor::Hand);
            p.fill(rect, Ink(Hue::Accent, 0.1f), f.px(5));
        }
        p.text({x, base}, c.text, {is_here ? Type::SmallStrong : Type::Small}, is_here ? Hue::Accent : touch.hovered ? Hue::Ink : c.hue);
        if (touch.focused) focus_ring(f.ui, rect, f.px(5));
        if (touch.clicked) go_to_level(f, c.level);
        x += w;
        if (i + 1 < crumbs.size()) p.text({x + between / 2, base}, kPathThen, {Type::Small, Align::Center}, Hue::Faint);
        x += between;
    }
}

}  // namespace app
