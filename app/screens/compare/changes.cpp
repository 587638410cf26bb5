// Which heads attend elsewhere in the other run: a map of layers by heads, and the heads that differ most as bars. A
// click shows that head.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/content/number_text.h"
#include "app/frame/hint.h"
#include "app/frame/interventions.h"
#include "app/frame/matrix_view.h"
#include "app/screens/compare/parts.h"

namespace app {
namespace {

// Design pixels.
constexpr float kMostChangeCell = 26, kChangeRow = 24, kLeastBodyBeside = 760;

/// A layer of one stack.
struct ChangeRow {
    attn::Part part = attn::Part::Main;
    int layer = attn::kNoLayer;
    bool operator==(const ChangeRow&) const = default;
};

HeadPlace place_of_change(const attn::HeadChange& change) { return {change.tag.of_head(attn::kNoHead), std::max(change.tag.head, 0)}; }

std::string head_words(const Frame& f, const attn::HeadChange& change) {
    const std::string head = f.number(std::max(change.tag.head, 0));
    const std::string words = change.tag.layer == attn::kNoLayer ? f.say(Str::head_number, {head}) : f.say(Str::put_head, {f.number(change.tag.layer), head});
    if (change.tag.part == attn::Part::Cross) return f.say(Str::put_of_cross, {words});
    return change.tag.part == attn::Part::Encoder ? f.say(Str::put_of_encoder, {words}) : words;
}

/// The largest change of a weight, as the panels subtract: the second run minus the first.
std::string signed_change(const attn::HeadChange& change) { return signed_text(static_cast<float>(change.after - change.before), 3); }

std::string change_words(const Frame& f, const attn::HeadChange& change) {
    const std::string key = change.key < 0 ? std::string(f.say(Str::changes_elsewhere)) : f.derived.labels.of(change.keys_of, change.key);
    return f.say(Str::changes_largest, {head_words(f, change), number_text(static_cast<float>(change.distance), 3), f.derived.labels.of(change.queries_of, change.query), key,
                                        number_text(static_cast<float>(change.before), 3), number_text(static_cast<float>(change.after), 3)});
}

/// A head on the map or in the list, which can be chosen.
bool touch_change(const Frame& f, std::string_view id, Rect rect, const attn::HeadChange& change) {
    const Touch touch = touch_area(f.ui, id, rect, false);
    if (touch.hovered) {
        gui::set_cursor(gui::Cursor::Hand);
        hint(f, id, rect, change_words(f, change));
    }
    if (touch.clicked) choose_head(f, place_of_change(change));
    return touch.hovered;
}

bool is_shown(const ComparePage& p, const attn::HeadChange& change) {
    const attn::Tag& shown = p.left()[p.c.left].tag;
    return shown.part == change.tag.part && shown.layer == change.tag.layer && std::max(shown.head, 0) == std::max(change.tag.head, 0);
}

/// Returns where it ends.
float draw_changes_map(const ComparePage& p, Rect area, const std::vector<attn::HeadChange>& heads) {
    const Frame& f = p.f;
    std::vector<ChangeRow> rows;
    int columns = 1;
    for (const attn::HeadChange& head : heads) {
        if (const ChangeRow row{head.tag.part, head.tag.layer}; std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
        columns = std::max(columns, head.tag.head + 1);
    }
    std::sort(rows.begin(), rows.end(), [](const ChangeRow& a, const ChangeRow& b) { return std::pair(a.part, a.layer) < std::pair(b.part, b.layer); });
    const float line = f.theme.line_height(Type::Small), names = rows.size() > 1 ? f.px(26) : 0;
    const float side = std::min({f.px(kMostChangeCell), (area.w - names) / static_cast<float>(columns), (area.h - line) / static_cast<float>(rows.size())});
    // Layers at the left and heads above, as many as have room.
    const auto apart = [side](float each) { return static_cast<std::size_t>(std::max(1.0f, std::ceil(each / side))); };
    for (std::size_t r = 0; r < rows.size() && names > 0; r += apart(line))
        if (rows[r].layer != attn::kNoLayer)
            f.painter().text_fit({area.x, area.y + line + side * static_cast<float>(r), names - f.px(6), side}, f.number(rows[r].layer), {Type::Small, Align::Right}, Hue::Soft);
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); c += apart(f.painter().width("88", Type::Small)))
        f.painter().text_fit({area.x + names + side * static_cast<float>(c), area.y, side, line}, f.number(static_cast<int>(c)), {Type::Small, Align::Center}, f.theme.head_text(static_cast<int>(c)));
    area = {area.x + names, area.y + line, area.w - names, area.h - line};
    const auto most = static_cast<float>(std::max(heads.front().distance, 1e-12));
    for (const attn::HeadChange& head : heads) {
        const auto row = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), ChangeRow{head.tag.part, head.tag.layer}) - rows.begin());
        const Rect rect = Rect{area.x + side * static_cast<float>(std::max(head.tag.head, 0)), area.y + side * static_cast<float>(row), side, side}.inset(f.px(1));
        f.painter().fill(rect, Ink(Hue::Rule, 0.6f), f.px(3));  // a head that does not differ is seen, too
        f.painter().fill(rect.inset(f.px(0.5f)), cell_color(f.theme, Hue::Score, static_cast<float>(head.distance), {0, most}, false), f.px(3));
        const bool hovered = touch_change(f, fmt::format("change_{}_{}", row + 1, std::max(head.tag.head, 0) + 1), rect, head);
        if (hovered || is_shown(p, head)) f.painter().stroke(rect, Hue::Accent, f.px(3), f.px(is_shown(p, head) ? 2 : 1));
    }
    return area.y + side * static_cast<float>(rows.size());
}

}  // namespace

bool has_changes(const ComparePage& page, Rect body) {
    return page.c.changes && page.c.changes->heads.size() > 1 && body.w >= page.f.px(kLeastBodyBeside) && !page.f.view().figure;
}

void draw_changes(const ComparePage& p, Rect area) {
    const Frame& f = p.f;
    const std::vector<attn::HeadChange>& heads = p.c.changes->heads;
    const float line = f.theme.line_height(Type::Small);
    f.painter().text_fit({area.x, area.y, area.w, f.px(26)}, f.say(Str::changes_title), {Type::SmallStrong}, Hue::Ink);
    const float map_end = draw_changes_map(p, {area.x, area.y + f.px(30), area.w, area.h * 0.45f}, heads);
    const std::string without = p.c.changes->missing == 0 ? std::string() : f.say(Str::changes_without, {std::to_string(p.c.changes->missing)});
    f.painter().text_fit({area.x, map_end + f.px(4), area.w, line}, without, {Type::Small}, Hue::Soft);
    const float title = map_end + f.px(6) + (without.empty() ? 0 : line), top = title + line;
    const float number = f.painter().width("0.888", Type::NumberSmall) + f.px(6), row = std::max(f.px(kChangeRow), line);
    const float change = f.painter().width("−0.888", Type::NumberSmall) + f.px(10);
    f.painter().text_fit({area.x, title, area.w - f.px(3), line}, f.say(Str::changes_column), {Type::Small, Align::Right}, Hue::Faint);
    const double most = std::max(heads.front().distance, 1e-12);
    float names = 0;
    const auto fit = std::min(heads.size(), static_cast<std::size_t>(std::max(0.0f, (area.bottom() - top) / row)));
    for (std::size_t i = 0; i < fit; ++i) names = std::max(names, f.painter().width(head_words(f, heads[i]), Type::Small));
    names = std::min(names + f.px(8), area.w * 0.45f);
    for (std::size_t i = 0; i < fit; ++i) {
        const Rect at{area.x, top + row * static_cast<float>(i), area.w, row};
        const bool shown = is_shown(p, heads[i]), hovered = touch_change(f, "changed_head" + std::to_string(i + 1), at, heads[i]);
        if (shown || hovered) f.painter().fill(at, Hue::AccentSoft, f.px(4));
        f.painter().text_fit({at.x + f.px(3), at.y, names - f.px(6), at.h}, head_words(f, heads[i]), {shown ? Type::SmallStrong : Type::Small}, Hue::Ink);
        const float wide = std::max(0.0f, at.w - names - number - change);
        f.painter().fill({at.x + names, at.center().y - f.px(4), std::max(f.px(1), wide * static_cast<float>(heads[i].distance / most)), f.px(8)}, Hue::Score, f.px(3));
        f.painter().text_in({at.x, at.y, at.w - change, at.h}, number_text(static_cast<float>(heads[i].distance), 3), {Type::NumberSmall, Align::Right}, Hue::Ink);
        f.painter().text_in({at.x, at.y, at.w - f.px(3), at.h}, signed_change(heads[i]), {Type::NumberSmall, Align::Right}, Hue::Soft);
    }
}

}  // namespace app
