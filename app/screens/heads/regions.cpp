// Heads attend to regions: the picture, and over each of its patches the weight that one query gives it.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/seen_picture.h"
#include "app/screens/heads/maps.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr float kMostVeil = 0.86f;     ///< opacity of the colour that the largest weight lays over the picture
constexpr float kGrid = 0.6f;           ///< opacity of the lines between patches
constexpr float kPaler = 0.4f;          ///< opacity of the paper over the picture itself
constexpr float kLeastNumbers = 44;    ///< minimum size of a patch with a number, in pixels at scale 1
constexpr float kHeadsColumn = 0.3f;   ///< share of the width for the pictures of all heads

class Regions {
public:
    explicit Regions(const Frame& frame) : f_(frame), data_(frame.derived.part<HeadsData>()), place_(*data_.here()), picture_(*data_.picture) {
        const auto& picked = f_.view().part<HeadsChoice>().queries;
        if (!picked.empty()) query_ = std::min(picked.front(), place_.queries() - 1);
    }

    int query() const { return query_; }
    /// The number of tokens without a patch, which come before those of the patches.
    int before() const { return picture_.before; }
    int token_of(int patch) const { return picture_.token_of(patch); }
    const std::string& name(int token) const { return place_.key_names[static_cast<std::size_t>(token)]; }
    float weight(int head, int key) const {
        const float w = data_.weights_of(place_, head)(query_, key);
        return std::isfinite(w) ? w : 0;
    }
    /// The patch with the largest weight, by index.
    int strongest(int head) const {
        int best = 0;
        for (int i = 1; i < picture_.patches(); ++i)
            if (std::abs(weight(head, token_of(i))) > std::abs(weight(head, token_of(best)))) best = i;
        return best;
    }
    float most(int head) const { return std::abs(weight(head, token_of(strongest(head)))); }
    /// Centred, with the picture's own proportions.
    Rect fitted(Rect area) const {
        const Size size = size_in({area.w, area.h}, picture_);
        return rect_around(area.center(), size.w, size.h);
    }
    Rect patch(Rect all, int index) const { return patch_in(all, picture_, index); }
    int patch_under(Rect all) const {
        const Point at = gui::mouse();
        if (!all.contains(at)) return -1;
        const auto index = [](float share, int count) { return std::clamp(static_cast<int>(share * static_cast<float>(count)), 0, count - 1); };
        return index((at.y - all.y) / all.h, picture_.rows) * picture_.cols + index((at.x - all.x) / all.w, picture_.cols);
    }

    /// `part` distinguishes the pictures of one frame.
    void draw(Rect all, int head, int part) const {
        draw_seen_picture(f_, all, picture_, part);
        // Paler than the original, so that the weights on it are visible.
        f_.painter().fill(all, Ink(Hue::Paper, kPaler));
        const float high = f_.view().shared_scale ? scale_of(head) : most(head);
        for (int i = 0; i < picture_.patches(); ++i) veil(patch(all, i), weight(head, token_of(i)), high);
    }
    /// Lines between the patches.
    void grid(Rect all) const {
        const float line = f_.theme.rule_width;
        for (int c = 1; c < picture_.cols; ++c)
            f_.painter().fill({all.x + all.w * static_cast<float>(c) / static_cast<float>(picture_.cols), all.y, line, all.h}, Ink(Hue::Paper, kGrid));
        for (int r = 1; r < picture_.rows; ++r)
            f_.painter().fill({all.x, all.y + all.h * static_cast<float>(r) / static_cast<float>(picture_.rows), all.w, line}, Ink(Hue::Paper, kGrid));
    }
    void numbers(Rect all, int head) const {
        if (patch(all, 0).w < f_.px(kLeastNumbers)) return;
        for (int i = 0; i < picture_.patches(); ++i) {
            const Rect cell = patch(all, i);
            const std::string words = number_text(weight(head, token_of(i)), 2);
            const float w = f_.painter().width(words, Type::NumberSmall) + f_.px(8), h = f_.theme.line_height(Type::NumberSmall);
            const Rect plate = rect_around({cell.center().x, cell.bottom() - h / 2 - f_.px(3)}, w, h);
            f_.painter().fill(plate, Ink(Hue::Paper, 0.86f), f_.px(4));
            f_.painter().text_in(plate, words, {Type::NumberSmall, Align::Center}, Hue::Ink);
        }
    }
    void outline(Rect cell, Hue hue) const {
        f_.painter().stroke(cell.inset(-f_.px(1)), Ink(Hue::Paper, 0.9f), f_.px(3), f_.px(4));
        f_.painter().stroke(cell, hue, f_.px(3), f_.px(2));
    }
    float scale_of(int head) const { return f_.view().shared_scale ? std::max(data_.spreads[map_of(head)].most, 1e-9f) : most(head); }

private:
    std::size_t map_of(int head) const { return static_cast<std::size_t>(place_.maps[static_cast<std::size_t>(head)]); }
    void veil(Rect cell, float w, float high) const {
        const float share = high > 0 ? std::min(std::abs(w) / high, 1.0f) : 0;
        if (share > 0.004f) f_.painter().fill(cell, Ink(w < 0 ? Hue::Negative : Hue::Score, kMostVeil * share));
    }

    const Frame& f_;
    const HeadsData& data_;
    const HeadsPlace& place_;
    const HeadsPicture& picture_;
    int query_ = 0;
};

/// Shows the row of weights of this token from now on.
void look_from(const Frame& f, int token) {
    change_heads(f, [token](HeadsChoice& h) { h.queries = token == 0 ? std::vector<int>{} : std::vector<int>{token}; });
}

/// Tokens without a patch are outside the picture; returns the one under the pointer, or −1.
int chips_outside(const Frame& f, const Regions& regions, Rect row) {
    constexpr std::array kChipIds = {"regions_class", "regions_distillation"};
    int pointed = -1;
    float right = row.x - f.px(6);
    for (int token = 0; token < regions.before(); ++token) {
        ChipLook look;
        look.lit = regions.query() == token;
        const std::string weight = number_text(regions.weight(f.derived.part<HeadsData>().head, token), 2);
        look.note = weight;
        const Size size = chip_size(f.ui, regions.name(token), look.note);
        const Rect at{right + f.px(6), row.center().y - size.h / 2, size.w, size.h};
        if (chip(f.ui, kChipIds[static_cast<std::size_t>(token)], {at.x, at.y}, regions.name(token), look).clicked) look_from(f, token);
        if (at.contains(gui::mouse())) pointed = token;
        right = at.right();
    }
    const Rect beside{right + f.px(12), row.y, std::max(0.0f, row.right() - right - f.px(12)), row.h};
    const int head = f.derived.part<HeadsData>().head, token = regions.token_of(regions.strongest(head));
    const std::string says = f.say(Str::regions_says, {regions.name(regions.query()), f.number(head), regions.name(token),
                                                       number_text(regions.weight(head, token), 3)});
    const float lines = lines_height(f.painter(), beside.w, says, Type::Body, 2);
    draw_lines(f.painter(), {beside.x, beside.center().y - lines / 2, beside.w, lines}, says, {Type::Body}, Hue::Ink, 2);
    return pointed;
}

/// All heads of the layer, small; a click chooses one.
void all_heads(const Frame& f, const Regions& regions, Rect area) {
    const auto count = static_cast<int>(f.derived.part<HeadsData>().here()->maps.size());
    int columns = 1;
    const auto side = [&](int c) { return std::min(area.w / static_cast<float>(c), area.h / static_cast<float>((count + c - 1) / c)); };
    for (int c = 2; c <= count; ++c)
        if (side(c) > side(columns)) columns = c;
    const int rows = (count + columns - 1) / columns;
    const float w = area.w / static_cast<float>(columns), h = std::min(area.h / static_cast<float>(rows), w + f.px(26)), title = f.px(20);
    for (int head = 0; head < count; ++head) {
        const Rect room{area.x + w * static_cast<float>(head % columns), area.y + h * static_cast<float>(head / columns), w, h};
        const bool chosen = head == f.derived.part<HeadsData>().head;
        const Touch touch = touch_area(f.ui, "regions_head_" + std::to_string(head + 1), room.inset(f.px(3)));
        if (chosen || touch.hovered) f.painter().fill(room.inset(f.px(2)), Ink(Hue::AccentSoft), f.px(6));
        if (touch.focused) focus_ring(f.ui, room.inset(f.px(2)), f.px(6));
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        if (touch.clicked) f.push(ChooseHead{head});
        const Rect inner = room.inset(f.px(6), f.px(4));
        f.painter().text_fit({inner.x, inner.y, inner.w, title}, f.say(Str::head_number, {f.number(head)}),
                             {chosen ? Type::SmallStrong : Type::Small, Align::Center}, f.theme.head_text(head));
        regions.draw(regions.fitted({inner.x, inner.y + title, inner.w, std::max(1.0f, inner.h - title)}), head, 2 + head);
    }
}

/// The picture of the chosen head: a click on a patch makes it the query, pointing focuses a weight.
void large_picture(const Frame& f, const Regions& regions, Rect area, int outside) {
    const HeadsData& data = f.derived.part<HeadsData>();
    const Rect picture = regions.fitted(area);
    regions.draw(picture, data.head, 1);
    regions.grid(picture);
    regions.numbers(picture, data.head);
    if (regions.query() >= regions.before()) regions.outline(regions.patch(picture, regions.query() - regions.before()), Hue::Query);
    const Touch touch = touch_area(f.ui, "regions", picture, false);
    const int patch = touch.hovered ? regions.patch_under(picture) : -1;
    const int key = patch >= 0 ? regions.token_of(patch) : outside;
    point_at_weight(f, key >= 0 ? weight_at(f.trace(), data, data.head, {regions.query(), key}) : std::nullopt);
    if (patch < 0) return;
    regions.outline(regions.patch(picture, patch), Hue::Key);
    gui::set_cursor(gui::Cursor::Hand);
    const std::string words = regions.name(key) + "  " + number_text(regions.weight(data.head, key), 4);
    const Rect cell = regions.patch(picture, patch);
    const float w = f.painter().width(words, Type::Small) + f.px(16), h = f.px(24);
    const float x = std::clamp(cell.center().x - w / 2, picture.x, std::max(picture.x, picture.right() - w));
    const Rect plate{x, cell.y - h - f.px(4) < area.y ? cell.bottom() + f.px(4) : cell.y - h - f.px(4), w, h};
    f.painter().card(plate);
    f.painter().text_in(plate, words, {Type::Small, Align::Center}, Hue::Ink);
    if (touch.clicked) look_from(f, key);
}

}  // namespace

void draw_heads_regions(const Frame& f, Rect area) {
    if (!f.derived.part<HeadsData>().picture) return say_in_middle(f, area, f.say(Str::regions_none));
    const Regions regions(f);
    Rect body = caption_below(f, heads_controls(f, area), f.say(regions.before() > 1 ? Str::regions_hint_two : Str::regions_hint));
    body = caption_below(f, caption_below(f, body, hidden_sentence(f)), measure_sentence(f));
    if (body.h < f.px(120)) return;
    const float row = f.px(44), legend = f.px(34), gap = f.px(20);
    const bool several = f.derived.part<HeadsData>().here()->maps.size() > 1;
    const float aside = several ? std::floor(body.w * kHeadsColumn) : 0;
    const Rect left{body.x, body.y, body.w - aside - (several ? gap : 0), body.h};
    const int outside = chips_outside(f, regions, {left.x, left.y, left.w, row});
    const Rect room{left.x, left.y + row + f.px(6), left.w, std::max(1.0f, left.h - row - legend - f.px(6))};
    large_picture(f, regions, room, outside);
    const float bar = std::min(f.px(160), left.w * 0.5f);
    draw_legend(f, {left.center().x - bar / 2, left.bottom() - legend + f.px(10), bar, f.px(7)},
                scale_of_maps(f, regions.scale_of(f.derived.part<HeadsData>().head)), false);
    if (several) all_heads(f, regions, {left.right() + gap, body.y, aside, body.h});
}

}  // namespace app
