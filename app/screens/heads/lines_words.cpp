// Tokens on both sides of the lines, the sums that each gives and receives, and the titles above them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/screens/heads/lines_painter.h"

namespace app {
namespace {

/// Tokens closer together than this, in pixels, are drawn as a line instead of dots.
constexpr float kDotsApart = 2;

}  // namespace

bool LinesPainter::is_picked(bool key, int i) const {
    const auto& picked = key ? choice().keys : choice().queries;
    return std::find(picked.begin(), picked.end(), i) != picked.end();
}

std::vector<int> LinesPainter::always(bool key, std::optional<QueryKey> meant) const {
    std::vector<int> out;
    if (spot && spot->key == key) out.push_back(spot->index);
    if (meant) out.push_back(key ? meant->key : meant->query);
    for (const int i : key ? choice().keys : choice().queries) out.push_back(i);
    return out;
}

void LinesPainter::names(bool key, std::optional<QueryKey> meant) const {
    const LinesColumn& column = key ? keys : queries;
    const auto& all = key ? place.key_names : place.query_names;
    const bool body = column.each >= f.theme.em(Type::Body) * 1.5f;
    const float high = f.theme.em(body ? Type::Body : Type::Small) * 1.3f;
    const std::vector<bool> shown = thinned(column.count, column.each, high, always(key, meant));
    const Hue hue = key ? Hue::Key : Hue::Query;
    const bool dots = column.each >= kDotsApart;
    const float x = key ? right : left;
    if (!dots) p().line({x, column.y(0)}, {x, column.y(column.count - 1)}, Ink(hue, 0.6f), f.px(1.8f));
    for (int i = 0; i < column.count; ++i) {
        const bool named = shown[static_cast<std::size_t>(i)];
        if (!dots && !named) continue;
        const bool lit = is_spot(key, i) || is_picked(key, i) || (meant && (key ? meant->key : meant->query) == i);
        const bool hidden = key && place.hidden[static_cast<std::size_t>(i)], blank = is_blank(key, i);
        if (dots || lit)
            p().circle({x, column.y(i)}, f.px(lit ? 3.0f : 1.8f),
                       Ink(hidden ? Hue::Masked : blank ? Hue::Faint : hue, lit ? 1.0f : 0.6f));
        if (!named) continue;
        const Rect room{key ? x + f.px(8) : x - name_w, column.y(i) - high / 2, name_w - f.px(8), high};
        if (is_picked(key, i))
            p().fill({room.x - f.px(2), room.y - f.px(1), room.w + f.px(4), room.h + f.px(2)}, Ink(hue, 0.16f),
                     f.px(6));
        const Type type = body ? (lit ? Type::BodyStrong : Type::Body) : lit ? Type::SmallStrong : Type::Small;
        p().text_fit(room, all[static_cast<std::size_t>(i)], {type, key ? Align::Left : Align::Right},
                     hidden || blank ? Hue::Faint
                     : lit           ? hue
                                     : Hue::Ink);
    }
}

bool LinesPainter::is_blank(bool key, int i) const { return (key ? place.blank_keys : place.blank_queries)[static_cast<std::size_t>(i)]; }

float LinesPainter::received(const DrawnMap& map, int key) const {
    if (is_blank(true, key) || (spot && !spot->key && is_blank(false, spot->index))) return 0;
    if (spot && !spot->key) return weight(map, spot->index, key);
    return static_cast<float>(map.received[static_cast<std::size_t>(key)]);
}

float LinesPainter::given(const DrawnMap& map, int query) const {
    if (is_blank(false, query) || (spot && spot->key && is_blank(true, spot->index))) return 0;
    if (is_of_key()) return weight(map, query, spot->index);
    return static_cast<float>(map.given[static_cast<std::size_t>(query)]);
}

void LinesPainter::titles() const {
    const float high = f.theme.line_height(Type::Small);
    const float top = std::min(queries.top, keys.top) - high - f.px(2);
    const Language language = f.view().language;
    p().text_fit({left - name_w, top, name_w - f.px(8), high}, label_of("queries", language),
                 {Type::SmallStrong, Align::Right}, Hue::Query);
    const float keys_w = p().width(label_of("keys", language), Type::SmallStrong);
    p().text_fit({right + f.px(8), top, name_w - f.px(8), high}, label_of("keys", language), {Type::SmallStrong},
                 Hue::Key);
    std::string sum;
    if (spot && !spot->key)
        sum = f.say(Str::weights_of, {place.query_names[static_cast<std::size_t>(spot->index)]});
    else if (!choice().queries.empty())
        sum = f.say(Str::sum_of_picked, {std::to_string(choice().queries.size())});
    else
        sum = f.say(Str::sum_of_all);
    const float x = right + f.px(8) + std::min(keys_w, name_w - f.px(8)) + f.px(12);
    const std::string averaged = sum + " · " + std::string(f.say(Str::heads_average));
    if (data.drawn.size() > 1 && choice().shown == "heads" && p().width(averaged, Type::Small) < area.right() - x)
        sum = averaged;
    p().text_fit({x, top, area.right() - x, high}, sum, {Type::Small, Align::Right}, Hue::Soft);
    if (!shows_given()) return;
    const std::string to = is_of_key()
                               ? f.say(Str::weights_to, {place.key_names[static_cast<std::size_t>(spot->index)]})
                               : f.say(Str::sum_of_picked, {std::to_string(choice().keys.size())});
    const float queries_w = p().width(label_of("queries", language), Type::SmallStrong);
    p().text_fit({area.x, top, left - f.px(8) - queries_w - f.px(12) - area.x, high}, to, {Type::Small}, Hue::Soft);
}

}  // namespace app
