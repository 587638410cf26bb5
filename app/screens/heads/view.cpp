// The frame of the heads screen: the switch of its pages, the choice of an attention, and the page.

#include "app/screens/heads/view.h"

#include <algorithm>

#include "app/frame/nothing.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

struct Page {
    std::string_view id;
    Str title;
    void (*draw)(const Frame&, Rect);
};
constexpr Page kPages[] = {{"lines", Str::heads_lines, draw_heads_lines},
                           {"alignment", Str::heads_alignment, draw_heads_alignment},
                           {"grid", Str::heads_grid, draw_heads_grid},
                           {"ranked", Str::heads_ranked, draw_heads_ranked},
                           {"through", Str::heads_through, draw_heads_through},
                           {"neuron", Str::heads_neuron, draw_heads_neuron},
                           {"plane", Str::heads_plane, draw_heads_plane},
                           {"regions", Str::heads_regions, draw_heads_regions},
                           {"composition", Str::heads_composition, draw_heads_composition},
                           {"circuit", Str::heads_circuit, draw_heads_circuit}};
static_assert(std::size(kPages) == std::size(kHeadsPages));

/// Whether heads of one stack follow each other.
bool has_layers(const HeadsData& data) {
    const auto self = [](const HeadsPlace& place) { return place.at.part != attn::Part::Cross; };
    return std::ranges::any_of(data.places, [&](const HeadsPlace& place) { return self(place) && place.at.layer > 0; });
}

/// The pages for which this run has content.
std::vector<std::size_t> offered_pages(const Frame& f) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < std::size(kPages); ++i) {
        if (kPages[i].id == "regions" && !f.derived.part<HeadsData>().picture) continue;
        // Beside the regions of a picture there is no room for its title in a small window.
        if (kPages[i].id == "composition" && (!has_layers(f.derived.part<HeadsData>()) || f.derived.part<HeadsData>().picture)) continue;
        if (kPages[i].id == "circuit" && (attn::no_circuits(*f.derived.run) || f.derived.part<HeadsData>().picture)) continue;
        if (kPages[i].id == "alignment" && !f.derived.part<HeadsData>().aligns()) continue;
        out.push_back(i);
    }
    return out;
}

std::size_t shown_page(const Frame& f) {
    const std::string_view id = heads_page(f.view().part<HeadsChoice>().page, f.derived.part<HeadsData>().aligns(), f.derived.part<HeadsData>().picture.has_value());
    for (std::size_t i = 0; i < std::size(kPages); ++i)
        if (kPages[i].id == id) return i;
    return 0;
}

/// The index of a page among the offered ones; 0 if it is not offered.
int place_among(const std::vector<std::size_t>& pages, std::size_t page) {
    const auto at = std::find(pages.begin(), pages.end(), page);
    return at == pages.end() ? 0 : static_cast<int>(at - pages.begin());
}

float pages_switch(const Frame& f, Rect row) {
    std::vector<std::string_view> titles;
    float widest = 0, words = 0;
    const std::vector<std::size_t> pages = offered_pages(f);
    for (const std::size_t i : pages) {
        titles.push_back(f.say(kPages[i].title));
        const float title = f.painter().width(titles.back(), Type::BodyStrong);
        widest = std::max(widest, title);
        words += title + f.px(6);
    }
    int chosen = place_among(pages, shown_page(f));
    float wide = std::min(row.w, (widest + f.px(26)) * static_cast<float>(titles.size()));
    // Closer together where the choice of an attention then fits beside them.
    if (const float left = row.w - f.px(140); f.derived.part<HeadsData>().places.size() > 1 && wide > left) wide = std::min(wide, std::max(left, segments_width(f.ui, titles)));
    Rect rect{row.x, row.y, wide, row.h};
    const int before = chosen;
    if (words <= wide) {
        segmented(f.ui, "heads_page", rect, titles, chosen);
    } else {  // beside a chapter: a menu, so that no title is cut
        rect.w = std::min(row.w, widest + f.px(44));
        select(f.ui, "heads_page", rect, titles, chosen, Align::Left);
    }
    if (chosen != before)
        change_heads(f, [page = kPages[pages[static_cast<std::size_t>(chosen)]].id](HeadsChoice& h) { h.page = page; });
    return rect.right();
}

/// The choice between several attentions, at the right end of the row; returns whether it was drawn.
void pick_place(const Frame& f, Rect rect) {
    const auto& places = f.derived.part<HeadsData>().places;
    std::vector<std::string> names;
    for (const HeadsPlace& place : places) names.push_back(place_title(f, place));
    const std::vector<SelectOption> options(names.begin(), names.end());
    int chosen = f.derived.part<HeadsData>().place;
    const int before = chosen;
    if (select(f.ui, "heads_place", rect, options, chosen, Align::Right) && chosen != before)
        change_heads(f, [at = places[static_cast<std::size_t>(chosen)].at](HeadsChoice& h) { h.at = at; });
}

}  // namespace

std::vector<HeadsPageName> heads_pages_of_run(const attn::Run& run) {
    const auto& steps = run.trace.steps;
    const auto any = [&](auto holds) { return std::any_of(steps.begin(), steps.end(), holds); };
    const auto attends = [](const attn::Step& step) { return step.tag.role == attn::Role::Weights && step.tag.pass == 0; };
    if (!any(attends)) return {};
    const bool picture = any([](const attn::Step& step) { return step.tag.role == attn::Role::Pixels; });
    const bool cross = any([&](const attn::Step& step) { return attends(step) && step.cols.kind == attn::Axis::Kind::SourceTokens; });
    const bool layers = any([&](const attn::Step& step) { return attends(step) && step.tag.part != attn::Part::Cross && step.tag.layer > 0; });
    std::vector<HeadsPageName> out;
    for (const Page& page : kPages) {
        if (page.id == "alignment" && !cross) continue;
        if (page.id == "regions" && !picture) continue;
        if (page.id == "composition" && (!layers || picture)) continue;
        if (page.id == "circuit" && (picture || attn::no_circuits(run))) continue;
        out.push_back({page.id, page.title});
    }
    return out;
}

void next_heads_page(const Frame& f) {
    const std::vector<std::size_t> pages = offered_pages(f);
    const auto next = static_cast<std::size_t>(place_among(pages, shown_page(f)) + 1) % pages.size();
    change_heads(f, [page = kPages[pages[next]].id](HeadsChoice& h) { h.page = page; });
}

void switch_lines_and_heatmap(const Frame& f) {
    change_heads(f, [page = f.derived.part<HeadsData>().page](HeadsChoice& h) {
        if (page == "lines") h.matrix = !h.matrix;
        if (page == "grid") h.small_lines = !h.small_lines;
    });
}

std::string place_title(const Frame& f, const HeadsPlace& place) { return attention_title(f, place.at); }

std::string attention_title(const Frame& f, const attn::Tag& weights) {
    Section section;
    section.encoder = weights.part == attn::Part::Encoder;
    section.cross = weights.part == attn::Part::Cross;
    section.layer = weights.layer;
    const std::string name = place_of(f, section);
    return name.empty() ? std::string(f.say(Str::attention_itself)) : name;
}

void point_at_weight(const Frame& f, std::optional<CellRef> cell) {
    if (cell != f.view().pointed) f.push(PointAt{cell});
}

void pin_weight(const Frame& f, std::optional<CellRef> cell) {
    if (cell) f.push(Pin{cell == f.view().pinned ? std::nullopt : cell});
}

std::optional<QueryKey> focus_pair(const Frame& f) {
    const HeadsPlace* place = f.derived.part<HeadsData>().here();
    if (!place || !f.derived.focus) return std::nullopt;
    for (const int map : place->maps)
        if (const auto pair =
                query_key_of(f.trace(), f.derived.part<HeadsData>().maps[static_cast<std::size_t>(map)], *f.derived.focus))
            return pair;
    return std::nullopt;
}

void draw_heads(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const HeadsData& data = f.derived.part<HeadsData>();
    if (!data.here()) {
        const Str none = f.trace().tokens.empty() ? nothing_yet(f) : Str::heads_none;
        return say_in_middle(f, f.area, f.say(data.computing ? Str::computing : none));
    }
    const float margin = f.px(20), high = f.px(32);
    const bool figure = f.view().figure;
    const Rect row{f.area.x + margin, f.area.y + f.px(10), f.area.w - 2 * margin, figure ? 0 : high};
    const float used = figure ? 0 : pages_switch(f, row);
    float top = row.bottom();
    // The page through the layers shows all attentions of one stack together.
    const bool picks = data.page != "composition" && (data.page != "through" || data.through.stacks > 1);
    if (f.derived.part<HeadsData>().places.size() > 1 && picks && !figure) {
        const float room = row.right() - used - f.px(16);
        const bool beside = room >= f.px(120);
        if (!beside) top += high;
        pick_place(f, beside ? Rect{row.right() - room, row.y, room, high} : Rect{row.x, row.bottom(), row.w, high});
    }
    const Rect body{row.x, top + f.px(8), row.w, std::max(0.0f, f.area.bottom() - top - f.px(16))};
    const Page& page = kPages[shown_page(f)];
    if (data.page != page.id) return say_in_middle(f, body, f.say(Str::computing));
    if (page.id == "lines" && f.view().part<HeadsChoice>().matrix) return draw_heads_maps(f, body);
    page.draw(f, body);
}

}  // namespace app
