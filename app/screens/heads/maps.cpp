// Maps of attention as heatmaps: the large ones of the page of lines, and how all small ones are drawn.

#include "app/screens/heads/maps.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/frame/map_touch.h"
#include "app/layout/omission.h"

namespace app {
namespace {

/// A picture with up to this many cells is drawn cell by cell; a larger one as a texture.
constexpr Eigen::Index kCellsAtMost = 150;
/// Pictures of the strongest heads with more cells are textures, and so are their reduced levels.
constexpr Eigen::Index kRectanglesAtMost = 64 * 64;
/// Parts that distinguish small pictures of a matrix from a large one.
constexpr int kSmallPart = 1, kFarPart = 2;
/// For heads_matrix_key(): the pictures of each place's strongest heads, one index per level.
constexpr int kFirstStrongest = 1200, kLevels = 16;
constexpr int kFirstKey = 1 << 24, kKeysARevision = 1 << 12, kRevisions = 1 << 13;

std::string title_of_map(const Frame& f, const DrawnMap& map, float room) {
    if (map.head >= 0) return head_title(f, map.head, room, Type::SmallStrong);
    return std::string(f.say(f.view().part<HeadsChoice>().shown == "average" ? Str::heads_average : Str::heads_largest));
}

/// The number of columns that makes the pictures largest, of those in which their figures can be read if there are any.
int columns_for(std::size_t count, Rect area, const std::function<Reads(Size)>& reads_in) {
    int best = 1;
    Reads most = Reads::None;
    float largest = 0;
    for (int columns = 1; columns <= static_cast<int>(count); ++columns) {
        const int rows = (static_cast<int>(count) + columns - 1) / columns;
        const float side = std::min(area.w / static_cast<float>(columns), area.h / static_cast<float>(rows));
        const Reads reads = reads_in({area.w / static_cast<float>(columns), area.h / static_cast<float>(rows)});
        if (reads != most ? reads > most : side > largest + 0.5f) {
            most = reads;
            largest = side;
            best = columns;
        }
    }
    return best;
}

/// The cells of a picture without names; transposed where tokens are columns.
struct SmallGrid {
    Rect area;
    int rows, cols;
    bool turned;
    float w, h;  ///< of a cell
    float gap, radius;

    SmallGrid(const Frame& f, Rect rect, Eigen::Index r, Eigen::Index c)
        : area(rect), rows(static_cast<int>(r)), cols(static_cast<int>(c)), turned(f.columns()) {
        w = rect.w / static_cast<float>(turned ? rows : cols);
        h = rect.h / static_cast<float>(turned ? cols : rows);
        gap = std::min(f.px(1), w * 0.08f);
        radius = std::min(f.px(2), w * 0.15f);
    }
    Rect cell(int r, int c, int span) const {
        const auto across = static_cast<float>(turned ? r : c), down = static_cast<float>(turned ? c : r);
        return {area.x + w * across, area.y + h * down, w * static_cast<float>(span) - gap,
                h * static_cast<float>(span) - gap};
    }
    QueryKey at(Point p) const {
        const auto index = [](float offset, float length, int count) {
            return std::clamp(static_cast<int>(offset / length), 0, count - 1);
        };
        const int across = index(p.x - area.x, w, turned ? rows : cols),
                  down = index(p.y - area.y, h, turned ? cols : rows);
        return turned ? QueryKey{across, down} : QueryKey{down, across};
    }
};

}  // namespace

attn::StepId picture_key(const Frame& f, const attn::Matrix& weights, attn::StepId own) {
    for (const attn::AttentionMap& map : f.derived.part<HeadsData>().maps)
        if (!map.places.empty() && f.trace()[map.places.front().step].value.place() == weights.data())
            return map.places.front().step;
    return own;
}

ColorScale scale_of_maps(const Frame& f, float most) {
    const float high = most > 0 ? most : 1;
    const bool both = f.derived.part<HeadsData>().measure == attn::Measure::Part;
    return {Hue::Score, both ? -high : 0, high, both};
}

MatrixLook look_at(const Frame& f, const SharedMatrix& weights, attn::StepId own, float most) {
    MatrixLook look;
    const HeadsPlace& place = *f.derived.part<HeadsData>().here();
    look.value = weights.get();
    look.owner = weights;
    look.key = picture_key(f, *weights, own);
    // For a single head; a map of several heads is 0 where all are masked, and has no scores of its own.
    if (look.key >= 0) look.masked_in = masked_behind(f.trace(), f.trace()[look.key]);
    look.scale = scale_of_maps(f, most);
    look.rows = names_from(place.query_names);
    look.cols = names_from(place.key_names);
    look.pale_rows = &place.blank_queries;
    look.pale_cols = &place.blank_keys;
    const attn::AttentionMap& map = f.derived.part<HeadsData>().map();
    if (!map.places.empty()) look.found_rows = found_on(f, f.trace()[map.places.front().step].rows);
    look.found_cols = found_on(f, map.keys);
    look.row_hue = Hue::Query;
    look.col_hue = Hue::Key;
    if (const auto pair = focus_pair(f)) {
        look.lit_row = pair->query;
        look.lit_col = pair->key;
    }
    if (const int query = query_in_words(f); query >= 0 && query < static_cast<int>(weights->rows())) {
        look.lit_row = query;
        look.lit_col = -1;
    }
    return look;
}

void use_map_pointer(const Frame& f, std::string_view id, Rect area, const MapSpot& pointed) {
    const Touch touch = touch_area(f.ui, id, area, false);
    const auto cell =
        touch.hovered && pointed.at ? weight_at(f.trace(), f.derived.part<HeadsData>(), pointed.head, *pointed.at) : std::nullopt;
    point_at_weight(f, cell);
    if (cell) gui::set_cursor(gui::Cursor::Hand);
    if (!touch.clicked || moved_map(f)) return;
    if (pointed.head >= 0) f.push(ChooseHead{pointed.head});
    pin_weight(f, cell);
}

std::optional<QueryKey> cell_under(const Frame& f, Rect rect, const HeadsPlace& place) {
    const Point at = gui::mouse();
    if (!rect.contains(at) || place.queries() == 0 || place.keys() == 0) return std::nullopt;
    return SmallGrid(f, rect, place.queries(), place.keys()).at(at);
}

Rect fitted_to(const Frame& f, Rect area, const HeadsPlace& place) {
    auto wide = static_cast<float>(std::max(place.keys(), 1)), high = static_cast<float>(std::max(place.queries(), 1));
    if (f.columns()) std::swap(wide, high);
    const float cell = std::min(area.w / wide, area.h / high);
    return rect_around(area.center(), std::max(1.0f, cell * wide), std::max(1.0f, cell * high));
}

attn::StepId heads_matrix_key(unsigned revision, int index) {
    return -(kFirstKey + static_cast<int>(revision % kRevisions) * kKeysARevision + index * 2);
}

namespace {

/// A texture in a rectangle, transposed where tokens are columns.
void draw_picture(const Frame& f, Rect rect, MatrixPicture picture) {
    const bool turned = f.columns();
    picture.width = static_cast<int>(std::lround(turned ? rect.h : rect.w));
    picture.height = static_cast<int>(std::lround(turned ? rect.w : rect.h));
    const unsigned id = f.scratch.heatmaps->texture(picture);
    if (id != 0) turned ? f.painter().image_turned(id, rect) : f.painter().image(id, rect);
}

gfx::ViewRect whole_of(const attn::Matrix& value) {
    return {0, 0, static_cast<double>(value.cols()), static_cast<double>(value.rows())};
}

/// Opacity of a head's colour where it is the strongest.
float strongest_alpha(float share) { return 0.15f + 0.85f * std::clamp(share, 0.0f, 1.0f); }

/// The colours of StrongestLevel's numbers; `gain` is the part of the scale that a share of 1 stands for.
gfx::Lut strongest_colors(const Frame& f, float gain) {
    gfx::Lut out{};
    for (std::size_t i = 0; i < gfx::kLutSize; ++i) {
        const auto code = static_cast<float>(i);
        const Color color = mix(f.theme[Hue::Paper], f.theme.head(StrongestLevel::head_of(code)),
                                strongest_alpha(StrongestLevel::share_of(code) * gain));
        const std::uint8_t entry[] = {color.r, color.g, color.b, 255};
        std::copy(std::begin(entry), std::end(entry), out.begin() + static_cast<std::ptrdiff_t>(i * 4));
    }
    return out;
}

/// The finest level whose cells are at least a pixel, so that each pixel shows one head.
const StrongestLevel& level_for(const std::vector<StrongestLevel>& levels, Rect rect) {
    const float side = std::max(rect.w, rect.h);
    for (const StrongestLevel& level : levels)
        if (static_cast<float>(std::max(level.code.rows(), level.code.cols())) <= side) return level;
    return levels.back();
}

}  // namespace

namespace {

/// The scores behind a map: of a single head its own, of several heads those of all.
std::vector<const attn::Matrix*> scores_behind(const Frame& f, const attn::Matrix& weights, attn::StepId key) {
    std::vector<const attn::Matrix*> out;
    const auto add = [&](attn::StepId step) {
        const attn::Matrix* scores = masked_behind(f.trace(), f.trace()[step]);
        if (scores && scores->rows() == weights.rows() && scores->cols() == weights.cols()) out.push_back(scores);
    };
    if (key >= 0) {
        add(key);
        return out;
    }
    for (const HeadsPlace& place : f.derived.part<HeadsData>().places) {
        if (place.average.get() != &weights && place.largest.get() != &weights) continue;
        for (const int index : place.maps) {
            const attn::AttentionMap& map = f.derived.part<HeadsData>().maps[static_cast<std::size_t>(index)];
            if (!map.places.empty()) add(map.places.front().step);
        }
        if (out.size() != place.maps.size()) out.clear();
        return out;
    }
    return out;
}

bool masked_in_all(const std::vector<const attn::Matrix*>& scores, int row, int col) {
    return !scores.empty() && std::all_of(scores.begin(), scores.end(), [&](const attn::Matrix* one) {
        return is_masked_score((*one)(row, col));
    });
}

void masked_cell(const Frame& f, Rect rect, float radius) {
    f.painter().fill(rect, mix(f.theme[Hue::Back], f.theme[Hue::Masked], 0.2f), radius);
    f.painter().hatch(rect, Ink(Hue::Masked, 0.75f), f.px(4), f.px(1));
}

/// Nothing is claimed about a word that the model has never seen: if there is room, its cells are outlined.
void blank_cell(const Frame& f, Rect rect, float radius) {
    constexpr float kOutlined = 8;
    if (rect.w >= f.px(kOutlined)) f.painter().stroke_dashed(rect, Hue::Rule, radius, f.theme.rule_width, f.px(2), f.px(2));
}

/// The same on a picture that is one texture: its rows and columns are covered.
void cover_blank(const Frame& f, const SmallGrid& grid, const HeadsPlace& place) {
    const auto whole = [&](int r0, int c0, int r1, int c1) {
        const Rect first = grid.cell(r0, c0, 1), last = grid.cell(r1, c1, 1);
        f.painter().fill({first.x, first.y, last.right() - first.x, last.bottom() - first.y}, Hue::Paper);
    };
    for (int r = 0; r < grid.rows; ++r)
        if (place.blank_queries[static_cast<std::size_t>(r)]) whole(r, 0, r, grid.cols - 1);
    for (int c = 0; c < grid.cols; ++c)
        if (place.blank_keys[static_cast<std::size_t>(c)]) whole(0, c, grid.rows - 1, c);
}

}  // namespace

void draw_small_map(const Frame& f, Rect rect, const HeadsPlace& place, const SharedMatrix& shared, attn::StepId own, float most) {
    const attn::Matrix& weights = *shared;
    const ColorScale scale = scale_of_maps(f, most);
    if (weights.size() == 0) return;
    const attn::StepId key = picture_key(f, weights, own);
    const bool cells = weights.size() <= kCellsAtMost;
    const auto scores = cells || key >= 0 ? scores_behind(f, weights, key) : std::vector<const attn::Matrix*>{};
    if (!cells) {
        MatrixPicture picture{weights, key, whole_of(weights), scale, 0, 0, 0, kSmallPart, shared};
        if (scores.size() == 1) picture.masked_in = scores.front();
        draw_picture(f, rect, picture);
        if (place.has_blanks()) cover_blank(f, SmallGrid(f, rect, weights.rows(), weights.cols()), place);
        return;
    }
    const SmallGrid grid(f, rect, weights.rows(), weights.cols());
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.cols; ++c) {
            const float v = weights(r, c);
            if (place.is_blank(r, c))
                blank_cell(f, grid.cell(r, c, 1), grid.radius);
            else if (!std::isfinite(v) || masked_in_all(scores, r, c))
                masked_cell(f, grid.cell(r, c, 1), grid.radius);
            else
                f.painter().fill(grid.cell(r, c, 1), f.scratch.heatmaps->color(scale, v), grid.radius);
        }
}

void draw_far_map(const Frame& f, Rect rect, const FarMap& map, attn::StepId own, float most) {
    const Pooling pooling = f.view().pooling;
    const attn::Matrix& cells = map.cells.of(pooling);
    MatrixPicture picture{cells, own, whole_of(cells), scale_of_maps(f, most), 0, 0, 0, kFarPart + static_cast<int>(pooling)};
    picture.whole = picture.of_no_run = true;
    draw_picture(f, rect, picture);
}

void draw_strongest(const Frame& f, Rect rect, const HeadsPlace& place, float most) {
    if (!place.strongest || place.strongest->empty()) return;
    const StrongestLevel& level = level_for(*place.strongest, rect);
    const attn::Matrix& code = level.code;
    const float gain = most > 0 ? place.spread.colored() / most : 1;
    if (level.block > 1 || code.size() > kRectanglesAtMost) {
        const gfx::Lut colors = strongest_colors(f, gain);
        const auto place_index = static_cast<int>(&place - f.derived.part<HeadsData>().places.data());
        MatrixPicture picture{
            code,
            heads_matrix_key(f.derived.part<HeadsData>().revision, kFirstStrongest + place_index * kLevels +
                                                           static_cast<int>(std::lround(std::log2(level.block)))),
            whole_of(code),
            {Hue::Score, 0, static_cast<float>(gfx::kLutSize - 1), false}};
        picture.lut = &colors;
        picture.whole = picture.of_no_run = true;
        draw_picture(f, rect, picture);
        if (level.block == 1 && place.has_blanks()) cover_blank(f, SmallGrid(f, rect, code.rows(), code.cols()), place);
        return;
    }
    const auto scores = place.largest ? scores_behind(f, *place.largest, attn::kNoStep)
                                      : std::vector<const attn::Matrix*>{};
    const SmallGrid grid(f, rect, code.rows(), code.cols());
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.cols; ++c) {
            const int head = StrongestLevel::head_of(code(r, c));
            if (place.is_blank(r, c)) {
                blank_cell(f, grid.cell(r, c, 1), grid.radius);
                continue;
            }
            if (head < 0 || masked_in_all(scores, r, c)) {
                masked_cell(f, grid.cell(r, c, 1), grid.radius);
                continue;
            }
            const Ink ink(f.theme.head(head), strongest_alpha(StrongestLevel::share_of(code(r, c)) * gain));
            f.painter().fill(grid.cell(r, c, 1), ink, grid.radius);
        }
}

void draw_heads_maps(const Frame& f, Rect area) {
    const HeadsData& data = f.derived.part<HeadsData>();
    Rect body = caption_below(f, heads_controls(f, area), head_sentence(f));
    body = caption_below(f, body, budget_sentence(f));
    body = caption_below(f, body, hidden_sentence(f));
    body = caption_below(f, body, measure_sentence(f));
    const HeadsPlace& place = *data.here();
    if (body.h < f.px(60) || data.drawn.empty()) return;
    if (!holds_drawn(data)) return say_in_middle(f, body, f.say(Str::computing));
    const bool large = Eigen::Index{place.queries()} * place.keys() > Heatmaps::kWholeAtMost;
    const Rect said{body.x, body.bottom() - f.px(22), body.w, f.px(22)};
    if (large) body.h -= said.h;
    if (f.view().part<HeadsChoice>().shown == "strongest") {
        const Rect picture = fitted_to(f, body.inset(f.px(8)), place);
        draw_strongest(f, picture, place, f.view().shared_scale ? data.most : place.spread.colored());
        return use_map_pointer(f, "heads_maps", body, {-1, cell_under(f, picture, place)});
    }
    const float high = f.theme.line_height(Type::Small), each_legend = f.px(30);
    const auto inner_of = [&](Size room, float below) { return Rect{0, 0, room.w - f.px(8), std::max(1.0f, room.h - high - below)}; };
    MatrixLook first = look_at(f, data.drawn.front().weights, attn::kNoStep, data.drawn.front().most);
    int columns = 1;
    // The legend is dropped before the numbers; while presenting there is none.
    const auto omitted = omit_until_it_fits(omitted_before(f.view().present.on ? Omittable::Context : Omittable::Legend), Omittable::Context, [&](Omitted tried) {
        const float below = tried.shows(Omittable::Legend) ? each_legend : 0;
        Reads most = Reads::None;
        columns = columns_for(data.drawn.size(), body, [&](Size room) {
            const Reads reads = figures_in(f, inner_of(room, below), first);
            most = std::max(most, reads);
            return reads;
        });
        return most != Reads::None;
    });
    const bool has_legend = omitted ? omitted->shows(Omittable::Legend) : !f.view().present.on;
    if (!omitted) columns = columns_for(data.drawn.size(), body, [](Size) { return Reads::None; });
    const int rows = (static_cast<int>(data.drawn.size()) + columns - 1) / columns;
    const float w = body.w / static_cast<float>(columns), h = body.h / static_cast<float>(rows);
    const float legend = has_legend ? each_legend : 0;
    MapSpot pointed;
    for (std::size_t i = 0; i < data.drawn.size(); ++i) {
        const DrawnMap& map = data.drawn[i];
        const Rect room{body.x + w * static_cast<float>(static_cast<int>(i) % columns),
                        body.y + h * static_cast<float>(static_cast<int>(i) / columns), w, h};
        const Rect title{room.x + f.px(6), room.y, room.w - f.px(12), high};
        if (data.here()->maps.size() > 1)
            f.painter().text_fit(title, title_of_map(f, map, title.w), {Type::SmallStrong, Align::Center},
                                 f.theme.head_text(map.head));
        MatrixLook look =
            look_at(f, map.weights, heads_matrix_key(data.page_revision, kKeysARevision / 4 + static_cast<int>(i)),
                    f.view().shared_scale ? data.most : map.most);
        span_bulk(f, look);
        const Rect inner{room.x + f.px(4), room.y + high, room.w - f.px(8), std::max(1.0f, room.h - high - legend)};
        const MatrixDrawn drawn = draw_matrix_map(f, "map" + std::to_string(i), inner, look);
        if (drawn.spot) pointed = {map.head, QueryKey{drawn.spot->row, drawn.spot->col}};
        if (large && i == 0) draw_pooling(f, "pooling", said, drawn.window, Align::Center);
        const float bar = std::min(f.px(150), room.w * 0.5f);
        if (has_legend) draw_legend(f, {room.center().x - bar / 2, room.bottom() - legend + f.px(6), bar, f.px(7)}, look.scale, false,
                    look.more);
    }
    use_map_pointer(f, "heads_maps", body, pointed);
}

}  // namespace app
