// All heads of all layers at once, and one of them large: pointing previews it, a click chooses it.

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/frame/interventions.h"
#include "app/screens/heads/maps.h"

namespace app {
namespace {

constexpr float kLeastSmall = 34;  ///< side of a small map, at scale 1
/// How much paper covers a head that the filter leaves out: it keeps its place, and can still be chosen.
constexpr float kFilteredOut = 0.82f;

enum class TileKind : std::uint8_t { Head, Average, Largest, Strongest };
struct Tile {
    int place = 0;
    TileKind kind = TileKind::Head;
    int head = 0;
    Rect rect{};
};

struct GridPainter {
    const Frame& f;
    const HeadsData& data;
    Rect area{};  ///< of the maps, without titles
    float side_w = 0, side_h = 0, names_w = 0, top = 0;
    int heads = 0;

    bool several() const { return heads > 1; }
    int columns() const { return heads + (several() ? 3 : 0); }
    float content() const { return side_h * static_cast<float>(data.places.size()); }

    /// The grid next to the preview, or above it, whichever leaves the preview more figures, else whichever makes both
    /// larger. Returns the preview's area. `reads`: which figures a preview would have.
    Rect part(Rect body, const std::function<Reads(Rect)>& reads) {
        constexpr float kShare = 0.54f;
        const float gap = f.px(12);
        const Rect beside{body.x, body.y, body.w * kShare, body.h};
        fit(beside);
        const float side = side_h, preview = std::min(body.w - beside.w, body.h);
        fit({body.x, body.y, body.w, body.h * kShare});
        const float used = std::min(top + content() + f.px(4), body.h * kShare);
        const float below = std::min(body.w, body.h - used);
        const Rect under{body.x, body.y + used + gap, body.w, body.h - used - gap};
        const Rect next{beside.right() + gap, body.y, body.w - beside.w - gap, body.h};
        const Reads in_under = reads(under), in_next = reads(next);
        if (in_under != in_next ? in_under > in_next : side_h + below / 2 >= side + preview / 2) {
            area.h = used - top;
            return under;
        }
        fit(beside);
        return next;
    }

    void fit(Rect body) {
        heads = 0;
        names_w = 0;
        for (const HeadsPlace& place : data.places) heads = std::max(heads, static_cast<int>(place.maps.size()));
        if (data.places.size() > 1)
            for (const HeadsPlace& place : data.places)
                names_w = std::max(names_w, f.painter().width(place_title(f, place), Type::Small) + f.px(12));
        names_w = std::min(names_w, body.w * 0.42f);
        top = f.theme.line_height(Type::Small);
        area = {body.x + names_w, body.y + top, body.w - names_w - f.px(8), std::max(1.0f, body.h - top)};
        const float rows = static_cast<float>(data.places.size());
        const float side =
            std::max(f.px(kLeastSmall), std::min({area.w / static_cast<float>(columns()), area.h / rows, f.px(132)}));
        side_w = std::min(side, area.w / static_cast<float>(columns()));
        side_h = side;
    }

    const HeadsPlace& place(const Tile& tile) const { return data.places[static_cast<std::size_t>(tile.place)]; }
    std::size_t map(const Tile& tile) const {
        return static_cast<std::size_t>(place(tile).maps[static_cast<std::size_t>(tile.head)]);
    }
    const SharedMatrix& weights(const Tile& tile) const {
        if (tile.kind == TileKind::Average) return place(tile).average;
        if (tile.kind == TileKind::Largest || tile.kind == TileKind::Strongest) return place(tile).largest;
        return data.weights[map(tile)];
    }
    /// The reduced map if the whole one is not there; else null.
    const FarMap* far(const Tile& tile) const {
        if (tile.kind == TileKind::Strongest || weights(tile)) return nullptr;
        if (tile.kind == TileKind::Average) return place(tile).far_average.get();
        return tile.kind == TileKind::Largest ? place(tile).far_largest.get() : data.far[map(tile)].get();
    }
    /// In a tile a large map looks the same whether the whole is there or not, so the reduced one is preferred.
    const FarMap* far_tile(const Tile& tile) const {
        return tile.kind == TileKind::Head && data.far[map(tile)] ? data.far[map(tile)].get() : far(tile);
    }
    const Spread& spread(const Tile& tile) const {
        if (tile.kind == TileKind::Average) return place(tile).average_spread;
        return tile.kind == TileKind::Head ? data.spreads[map(tile)] : place(tile).spread;
    }
    float most(const Tile& tile) const { return f.view().shared_scale ? data.most : spread(tile).colored(); }
    bool is_chosen(const Tile& tile) const {
        return tile.kind == TileKind::Head && tile.place == data.place && tile.head == data.head;
    }

    void lines(const Tile& tile, Rect rect) const {
        float thickest = f.view().shared_scale ? data.most : 0;
        const attn::AttentionLines& all = data.small[map(tile)];
        if (thickest <= 0 && !all.lines.empty()) thickest = all.lines.back().weight;
        const auto y = [&](int i, int count) {
            return rect.y + rect.h * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
        };
        for (const attn::AttentionLine& one : all.lines) {
            const float share = thickest > 0 ? one.weight / thickest : 0;
            f.painter().line({rect.x, y(one.query, place(tile).queries())},
                             {rect.right(), y(one.key, place(tile).keys())},
                             place(tile).is_blank(one.query, one.key) ? Ink(Hue::Faint, kSaysNothing) : Ink(f.theme.head(tile.head), 0.12f + 0.8f * share),
                             f.px(place(tile).is_blank(one.query, one.key) ? 0.5f : 0.5f + 1.5f * share));
        }
    }

    void draw(const Tile& tile) const {
        const Rect card = tile.rect.inset(f.px(3));
        Painter& p = f.painter();
        p.fill(card, Hue::Paper, f.px(5));
        const Rect inner = card.inset(f.px(3));
        const Rect picture = fitted_to(f, inner, place(tile));
        if (tile.kind == TileKind::Strongest)
            draw_strongest(f, picture, place(tile), most(tile));
        else if (f.view().part<HeadsChoice>().small_lines && tile.kind == TileKind::Head && !data.small.empty())
            lines(tile, inner);
        else if (const FarMap* map = far_tile(tile))
            draw_far_map(f, picture, *map, key(tile), most(tile));
        else if (weights(tile))
            draw_small_map(f, picture, place(tile), weights(tile), key(tile), most(tile));
        tint(tile, {inner.x, card.bottom() - f.px(4), inner.w, f.px(5)});
        if (is_filtered_out(tile)) p.fill(card, Ink(Hue::Paper, kFilteredOut), f.px(5));
        const bool hovered = tile.rect.contains(gui::mouse());
        if (is_chosen(tile))
            p.stroke(card, f.theme.head(tile.head), f.px(5), f.px(2.5f));
        else
            p.stroke(card, hovered ? Ink(Hue::Accent, 0.6f) : Ink(Hue::Rule), f.px(5), f.theme.rule_width);
    }

    bool is_filtered_out(const Tile& tile) const {
        return tile.kind == TileKind::Head && filters_heads(f.view().part<HeadsChoice>()) && !data.ranked.leaves(data.maps[map(tile)].tag);
    }

    /// A bar for the share of the weight that lies where the chosen role attends.
    void tint(const Tile& tile, Rect bar) const {
        const auto column = ranked_column(f.view().part<HeadsChoice>().role);
        if (!column || tile.kind != TileKind::Head) return;
        const attn::HeadRoles* roles = data.ranked.find(data.maps[map(tile)].tag);
        if (roles && !std::isnan(in_column(*roles, *column).share)) draw_share_bar(f, bar, in_column(*roles, *column));
    }

    attn::StepId key(const Tile& tile) const {
        return heads_matrix_key(
            data.revision,
            1 + tile.place * (attn::kMaxHeads + 2) +
                (tile.kind == TileKind::Head ? tile.head : attn::kMaxHeads - 1 + static_cast<int>(tile.kind)));
    }

    std::vector<Tile> tiles(float scroll) const {
        std::vector<Tile> out;
        for (std::size_t row = 0; row < data.places.size(); ++row) {
            const auto count = static_cast<int>(data.places[row].maps.size());
            for (int c = 0; c < columns(); ++c) {
                Tile tile{static_cast<int>(row), TileKind::Head, c, {}};
                if (c >= heads) tile.kind = static_cast<TileKind>(c - heads + 1);
                if (c < heads && c >= count) continue;
                const float gap = c >= heads ? f.px(10) : 0;  // the maps of several heads are set apart
                tile.rect = {area.x + (side_w - f.px(10) / static_cast<float>(columns())) * static_cast<float>(c) + gap,
                             area.y + side_h * static_cast<float>(row) - scroll,
                             side_w - f.px(10) / static_cast<float>(columns()), side_h};
                out.push_back(tile);
            }
        }
        return out;
    }

    void titles(const std::vector<Tile>& all) const {
        // Names where all have room, numbers where one has none: no row of both.
        const bool whole = std::all_of(all.begin(), all.end(), [&](const Tile& tile) {
            return tile.place != 0 || tile.kind != TileKind::Head ||
                   f.painter().width(f.say(Str::head_number, {f.number(tile.head)}), Type::SmallStrong) < tile.rect.w - f.px(2);
        });
        for (const Tile& tile : all) {
            if (tile.place != 0) break;
            const float beside = f.px(4);  // part of the gaps: a short name may extend into them
            const Rect room{tile.rect.x - beside, area.y - top, tile.rect.w + 2 * beside, top};
            if (tile.kind == TileKind::Head) {
                f.painter().text_fit(room, whole ? f.say(Str::head_number, {f.number(tile.head)}) : f.number(tile.head),
                                     {Type::SmallStrong, Align::Center}, f.theme.head_text(tile.head));
            } else {
                constexpr Str kNames[] = {Str::column_average, Str::column_largest, Str::column_strongest};
                constexpr Str kShort[] = {Str::short_average, Str::short_largest, Str::short_strongest};
                const auto which = static_cast<std::size_t>(tile.kind) - 1;
                const bool fits = f.painter().width(f.say(kNames[which]), Type::Small) < tile.rect.w - f.px(2);
                f.painter().text_fit(room, f.say(fits ? kNames[which] : kShort[which]), {Type::Small, Align::Center},
                                     Hue::Soft);
            }
        }
    }

    void names(float scroll) const {
        if (data.places.size() < 2) return;
        const auto clip = f.painter().clip({area.x - names_w, area.y, names_w, area.h});
        for (std::size_t row = 0; row < data.places.size(); ++row) {
            const Rect room{area.x - names_w, area.y + side_h * static_cast<float>(row) - scroll, names_w - f.px(10),
                            side_h};
            if (room.y < area.y - f.px(1) || room.bottom() > area.bottom() + f.px(1)) continue;
            f.painter().text_fit(room, place_title(f, data.places[row]), {Type::Small, Align::Right},
                                 static_cast<int>(row) == data.place ? Hue::Ink : Hue::Soft);
        }
    }
};

void legend_below(const Frame& f, Rect area, const ColorScale& scale, bool more) {
    const float w = std::min(f.px(180), area.w * 0.6f);
    draw_legend(f, {area.center().x - w / 2, area.bottom() - f.px(26), w, f.px(8)}, scale, false, more);
}

/// For a long text, a map that is not there as a whole: its reduced form, and what a pixel stands for.
void far_preview(const Frame& f, Rect area, Rect body, const GridPainter& grid, const Tile& tile) {
    const FarMap* map = grid.far(tile);
    if (!map) return;
    const std::string block = std::to_string(map->block);
    const float line = f.theme.line_height(Type::Small);
    const std::string cells = f.say(f.view().pooling == Pooling::Mean ? Str::pool_mean : Str::pool_largest, {block, block});
    const Rect below{body.x, body.bottom() - 2 * line, body.w, line};
    f.painter().text_fit(below, cells, {Type::Small, Align::Center}, Hue::Soft);
    if (tile.kind == TileKind::Head)
        f.painter().text_fit({below.x, below.bottom(), below.w, line}, f.say(Str::grid_from_afar), {Type::Small, Align::Center}, Hue::Soft);
    body.h = std::max(1.0f, body.h - 2 * line);
    draw_far_map(f, fitted_to(f, body, grid.place(tile)), *map, grid.key(tile), grid.most(tile));
    legend_below(f, area, scale_of_maps(f, grid.most(tile)), !f.view().shared_scale && grid.spread(tile).is_cut());
}

/// While presenting there is no legend: its numbers would be too small, and those of the cells say more.
float legend_of_preview(const Frame& f) { return f.view().present.on ? 0 : f.px(34); }

/// The place may differ from the shown one, so names and numbers are its own.
void preview(const Frame& f, Rect area, const GridPainter& grid, const Tile& tile) {
    const HeadsPlace& place = grid.data.places[static_cast<std::size_t>(tile.place)];
    constexpr Str kNames[] = {Str::heads_average, Str::heads_largest, Str::heads_strongest};
    std::string title = tile.kind == TileKind::Head ? head_title(f, tile.head, area.w, Type::BodyStrong)
                                                : std::string(f.say(kNames[static_cast<int>(tile.kind) - 1]));
    if (grid.data.places.size() > 1) title = place_title(f, place) + " · " + title;
    const float high = f.theme.line_height(Type::Body);
    const Color color = f.theme.head_text(tile.kind == TileKind::Head ? tile.head : -1);
    f.painter().text_fit({area.x, area.y, area.w, high}, title, {Type::BodyStrong, Align::Center}, color);
    const float legend = legend_of_preview(f);
    const Rect body{area.x, area.y + high, area.w, std::max(1.0f, area.h - high - legend)};
    if (tile.kind == TileKind::Strongest) {
        draw_strongest(f, fitted_to(f, body, place), place, grid.most(tile));
        return;
    }
    if (!grid.weights(tile)) return far_preview(f, area, body, grid, tile);
    MatrixLook look = look_at(f, grid.weights(tile), grid.key(tile), grid.most(tile));
    look.more = !f.view().shared_scale && grid.spread(tile).is_cut();
    look.rows = names_from(place.query_names);
    look.cols = names_from(place.key_names);
    look.pale_rows = &place.blank_queries;
    look.pale_cols = &place.blank_keys;
    const auto spot = draw_matrix(f, "preview", body, look);
    if (tile.place == grid.data.place) {
        MapSpot pointed{tile.kind == TileKind::Head ? tile.head : -1, std::nullopt};
        if (spot) pointed.at = QueryKey{spot->row, spot->col};
        use_map_pointer(f, "heads_preview", area, pointed);
    }
    if (legend > 0) legend_below(f, area, look.scale, look.more);
}

/// Which figures the preview of the chosen head would have there.
Reads preview_reads(const Frame& f, Rect area, const HeadsData& data) {
    const auto map = static_cast<std::size_t>(data.here()->maps[static_cast<std::size_t>(data.head)]);
    if (!data.weights[map]) return Reads::None;
    area.h -= f.theme.line_height(Type::Body) + legend_of_preview(f);
    return figures_in(f, area, look_at(f, data.weights[map], attn::kNoStep, data.spreads[map].colored()));
}

}  // namespace

namespace {

/// How to use the grid; for a long text still being processed, how much of it is there.
std::string grid_caption(const Frame& f) {
    const HeadsData& data = f.derived.part<HeadsData>();
    std::size_t there = 0;
    for (std::size_t i = 0; i < data.maps.size(); ++i) there += data.weights[i] || data.far[i] ? 1 : 0;
    if (!data.computing || there == data.maps.size()) return f.view().figure || f.view().present.on ? std::string() : std::string(f.say(Str::grid_hint));
    return f.say(Str::grid_so_far, {std::to_string(there), std::to_string(data.maps.size())});
}

}  // namespace

void draw_heads_grid(const Frame& f, Rect area) {
    Rect body = caption_below(f, heads_controls(f, area), grid_caption(f));
    body = caption_below(f, body, head_sentence(f));
    body = caption_below(f, body, hidden_sentence(f));
    body = caption_below(f, body, measure_sentence(f));
    body = caption_below(f, body, tint_sentence(f));
    body = caption_below(f, body, filter_sentence(f));
    if (body.h < f.px(80)) return;
    GridPainter grid{f, f.derived.part<HeadsData>()};
    // With a single head there is nothing to choose, so it gets all the room.
    if (grid.data.maps.size() == 1) return preview(f, body, grid, {grid.data.place, TileKind::Head, 0, {}});
    const Rect right = grid.part(body, [&](Rect room) { return preview_reads(f, room, grid.data); });
    const Rect view{grid.area.x - grid.names_w, grid.area.y, grid.area.w + grid.names_w + f.px(8), grid.area.h};
    scroll_area(f.ui, "heads_scroll", view, grid.content(), f.scratch.heads_scroll);
    const std::vector<Tile> tiles = grid.tiles(f.scratch.heads_scroll);
    grid.titles(tiles);
    grid.names(f.scratch.heads_scroll);
    const Tile* shown = nullptr;
    {
        const auto clip = f.painter().clip(view);
        for (const Tile& tile : tiles) {
            if (tile.rect.bottom() < view.y || tile.rect.y > view.bottom()) continue;
            grid.draw(tile);
            if (view.contains(gui::mouse()) && tile.rect.contains(gui::mouse())) shown = &tile;
            f.ui.record(
                "tile_" + std::to_string(tile.place) + "_" +
                    std::to_string(tile.kind == TileKind::Head ? tile.head : grid.heads - 1 + static_cast<int>(tile.kind)),
                tile.rect);
        }
    }
    const Tile* hovered = shown;
    for (const Tile& tile : tiles)
        if (!shown && grid.is_chosen(tile)) shown = &tile;
    if (!shown) return;
    const Touch touch = touch_area(f.ui, "heads_grid", view, false);
    if (hovered && touch.hovered) {
        gui::set_cursor(gui::Cursor::Hand);
        const HeadsPlace& place = grid.place(*hovered);
        const auto at = cell_under(f, fitted_to(f, hovered->rect.inset(f.px(6)), place), place);
        const bool here = hovered->place == grid.data.place;
        point_at_weight(f, at && here
                               ? weight_at(f.trace(), grid.data, hovered->kind == TileKind::Head ? hovered->head : -1, *at)
                               : std::nullopt);
        if (touch.clicked && hovered->kind == TileKind::Head) {
            const attn::Tag weights = grid.data.maps[static_cast<std::size_t>(place.maps[static_cast<std::size_t>(hovered->head)])].tag;
            choose_head(f, {weights.of_head(attn::kNoHead), hovered->head});
        }
    } else if (!right.contains(gui::mouse())) {
        point_at_weight(f, std::nullopt);
    }
    preview(f, right, grid, *shown);
}

}  // namespace app
