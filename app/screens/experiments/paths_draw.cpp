// The three pictures of the page of paths. The opacity of a mark is how much of a small change has arrived there.

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/screens/experiments/paths_view.h"

namespace app {
namespace {

/// The hues of queries, keys and outputs are reserved for those: whatever is not attention is ink.
constexpr Hue kRecurrentHue = Hue::Ink, kConvolutionHue = Hue::Soft;

using attn::PathKind;

/// Whatever is reached at all is visible, and a larger share is stronger.
constexpr float kFaintest = 0.12f;
/// The most arcs that are drawn: of more, every k-th one, and that of the path.
constexpr int kMostArcs = 160;
/// The maximum length of the line from a state down to its token.
constexpr float kLongestStem = 26;

float strength(double stretch) {
    return stretch > 0 ? kFaintest + (1 - kFaintest) * static_cast<float>(std::min(stretch, 1.0)) : 0;
}

/// The mark of a node: the less has arrived, the paler; a ring if nothing can arrive.
void node(const Frame& f, Point at, float radius, Hue hue, double stretch, bool end) {
    Painter& p = f.painter();
    p.circle(at, radius, Hue::Paper);
    if (stretch > 0) p.circle(at, radius, Ink(hue, strength(stretch)));
    p.ring(at, radius, end ? Ink(hue) : stretch > 0 ? Ink(hue, 0.55f) : Ink(Hue::Rule), f.px(end ? 2 : 1.2f));
}

/// The number that arrived, if a column has room for it.
void number_at(const PathsPlace& place, int token, float baseline, double stretch) {
    const std::string text = arrives_text(stretch);
    Painter& p = place.f.painter();
    if (p.width(text, Type::NumberSmall) > place.column - place.f.px(3)) return;
    p.text({place.x(token), baseline}, text, {Type::NumberSmall, Align::Center}, stretch > 0 ? Hue::Ink : Hue::Faint);
}

/// Draws tokens, in ascending order, as runs without gaps where columns are only a pixel or two wide.
void runs(const PathsPlace& place, const std::vector<int>& tokens, float y, float high, Ink ink) {
    for (std::size_t i = 0; i < tokens.size();) {
        std::size_t end = i + 1;
        while (end < tokens.size() &&
               place.x(tokens[end]) - place.x(tokens[end - 1]) <= std::max(place.column, place.f.px(2)) * 1.01f)
            ++end;
        const float left = place.x(tokens[i]) - place.column / 2, right = place.x(tokens[end - 1]) + place.column / 2;
        place.f.painter().fill({left, y - high / 2, std::max(right - left, place.f.px(1.5f)), high}, ink, high / 3);
        i = end;
    }
}

/// The heights of a convolution's layers: the inputs at the bottom, the top layer at the top.
struct Floors {
    float bottom = 0, apart = 0;
    float y(int layer) const { return bottom - apart * static_cast<float>(layer); }
};

/// Lines from each node to the nodes that it reads.
void reads(const PathsPlace& place, const Floors& floors) {
    const PathsExperiment& data = place.data;
    const int side = (data.dials.kernel - 1) / 2;
    for (int layer = data.layers; layer > 0; --layer)
        for (const int token : data.field[static_cast<std::size_t>(data.layers - layer)])
            for (int o = -side; o <= side; ++o) {
                const std::int64_t below = token + o * attn::dilation_of(data.dials, layer - 1);
                if (below < 0 || below >= data.n) continue;
                place.f.painter().line({place.x(token), floors.y(layer)},
                                       {place.x(static_cast<int>(below)), floors.y(layer - 1)}, Ink(kConvolutionHue, 0.28f),
                                       place.f.px(1.1f));
            }
}

/// The receptive field as a cone: lines between the ends of what one layer reads and the next.
void cone(const PathsPlace& place, const Floors& floors) {
    const PathsExperiment& data = place.data;
    for (int layer = data.layers; layer > 0; --layer) {
        const auto& above = data.field[static_cast<std::size_t>(data.layers - layer)];
        const auto& below = data.field[static_cast<std::size_t>(data.layers - layer) + 1];
        const float half = place.column / 2;
        const Point corners[] = {{place.x(above.front()) - half, floors.y(layer)},
                                 {place.x(above.back()) + half, floors.y(layer)},
                                 {place.x(below.back()) + half, floors.y(layer - 1)},
                                 {place.x(below.front()) - half, floors.y(layer - 1)}};
        place.f.painter().polygon(corners, Ink(kConvolutionHue, 0.10f));
    }
}

void route(const PathsPlace& place, const Floors& floors) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < place.data.route.size(); ++i)
        points.push_back({place.x(place.data.route[i]), floors.y(place.data.layers - static_cast<int>(i))});
    if (points.size() > 1) place.f.painter().polyline(points, kConvolutionHue, place.f.px(2.6f));
}

void floor_nodes(const PathsPlace& place, const Floors& floors, float radius) {
    const PathsExperiment& data = place.data;
    for (int layer = 0; layer <= data.layers; ++layer) {
        const std::vector<double>& arrived = data.nodes[static_cast<std::size_t>(layer)];
        for (int token = 0; token < data.n; ++token) {
            const double stretch = arrived[static_cast<std::size_t>(token)];
            const Point at{place.x(token), floors.y(layer)};
            if (stretch > 0)
                node(place.f, at, radius, kConvolutionHue, stretch,
                     (layer == data.layers && token == data.to) ||
                         (layer == 0 && token == data.from && !data.route.empty()));
            else
                place.f.painter().circle(at, std::max(radius * 0.4f, place.f.px(1.2f)), Hue::Rule);
        }
    }
}

}  // namespace

std::string_view name_of_path(const Frame& f, PathKind kind) {
    static constexpr std::array<std::string_view, attn::kPathKinds> kLabels = {"layer_recurrent", "layer_convolution",
                                                                               "layer_attention"};
    return label_of(kLabels[static_cast<std::size_t>(kind)], f.view().language);
}

Hue hue_of_path(PathKind kind) {
    switch (kind) {
        case PathKind::Recurrent:
            return kRecurrentHue;
        case PathKind::Convolution:
            return kConvolutionHue;
        case PathKind::Attention:
            return Hue::Score;
    }
    return Hue::Ink;
}

void draw_path_tokens(const PathsPlace& place, float top) {
    const Frame& f = place.f;
    std::vector<std::pair<float, float>> taken;
    const auto put = [&](int token, bool must) {
        const std::string name = f.derived.labels.of({attn::Axis::Kind::Tokens}, token);
        const Type type = place.is_end(token) ? Type::SmallStrong : Type::Small;
        const float most = must ? std::max(place.column, f.px(90)) : place.column * 2;
        const float half = std::min(f.painter().width(name, type), most) / 2;
        // The names of the ends stay inside the picture.
        const float middle = std::clamp(place.x(token), place.left - f.px(30) + half,
                                        std::max(place.left - f.px(30) + half, place.right() + f.px(30) - half));
        const float low = middle - half - f.px(3), high = middle + half + f.px(3);
        for (const auto& [l, h] : taken)
            if (low < h && high > l) return;
        if (!must && 2 * half < f.painter().width(name, type)) return;
        taken.emplace_back(low, high);
        f.painter().text_fit({middle - half - f.px(1), top, 2 * half + f.px(2), place.course}, name,
                             {type, Align::Center}, place.is_end(token) ? Hue::Ink : Hue::Soft);
    };
    put(place.data.from, true);
    put(place.data.to, true);
    if (place.looked != place.data.from) put(place.looked, true);
    // Of thousands of tokens, only as many are tried as could possibly fit.
    const int every = std::max(1, static_cast<int>(f.px(24) / place.column));
    for (int token = 0; token < place.data.n; token += every)
        if (!place.is_end(token) && token != place.looked) put(token, false);
}

void draw_path_steps(const PathsPlace& place, Rect row, PathKind kind, std::string_view by) {
    const Frame& f = place.f;
    const std::string count = std::to_string(place.data.steps[static_cast<std::size_t>(kind)]);
    const float high = f.theme.line_height(Type::SmallStrong) + f.theme.line_height(Type::Small);
    const float number = place.number;
    const Rect box{place.body.x, row.y + std::max((row.h - (place.names(kind) ? place.course : 0) - high) / 2, 0.0f),
                   place.gutter - f.px(14), high};
    f.painter().text_in({box.x, box.y, number, box.h}, count, {Type::TitleStrong}, hue_of_path(kind));
    const float line = f.theme.line_height(Type::SmallStrong);
    f.painter().text_fit({box.x + number, box.y, box.w - number, line}, name_of_path(f, kind), {Type::SmallStrong},
                         Hue::Ink);
    f.painter().text_fit({box.x + number, box.y + line, box.w - number, box.h - line}, by, {Type::Small}, Hue::Soft);
}

void draw_path_chain(const PathsPlace& place, Rect row) {
    const Frame& f = place.f;
    const PathsExperiment& data = place.data;
    draw_path_steps(place, row, PathKind::Recurrent, f.say(Str::paths_chain_by));
    const float foot = row.bottom() - (place.names(PathKind::Recurrent) ? place.course : 0) - f.px(6);
    const bool numbered = !place.thin() && place.names(PathKind::Recurrent);
    const float numbers = numbered ? f.theme.em(Type::NumberSmall) * 1.2f : 0;
    const float radius = std::min({place.column * 0.26f, (foot - row.y - numbers) * 0.30f, f.px(18)});
    const float y = std::max(row.y + numbers + radius + f.px(4), foot - radius - f.px(kLongestStem));
    Painter& p = f.painter();
    p.line({place.x(0), y}, {place.x(data.n - 1), y}, Hue::Rule, f.px(1.4f));
    p.line({place.x(data.from), y}, {place.x(data.to), y}, kRecurrentHue, f.px(2.6f));
    for (const int end : {data.from, data.to})
        p.line({place.x(end), y}, {place.x(end), foot}, Ink(kRecurrentHue, 0.6f), f.px(2));
    if (!place.thin())
        for (int token = 0; token < data.n; ++token) {
            const double arrived = data.spreading[static_cast<std::size_t>(token)];
            if (!place.is_end(token)) p.line({place.x(token), y}, {place.x(token), foot}, Hue::Rule, f.px(1.2f));
            node(f, {place.x(token), y}, radius, kRecurrentHue, token < data.from ? 0 : arrived, place.is_end(token));
            if (token < data.n - 1 && radius > f.px(5)) {
                const bool lit = token >= data.from && token < data.to;
                const float tip = place.x(token + 1) - radius - f.px(1);
                p.arrow({tip - f.px(9), y}, {tip, y}, lit ? kRecurrentHue : Hue::Faint, f.px(2), f.px(8));
            }
            if (numbered && token >= data.from) number_at(place, token, y - radius - f.px(5), arrived);
        }
    if (place.names(PathKind::Recurrent)) draw_path_tokens(place, foot + f.px(3));
}

void draw_path_convolution(const PathsPlace& place, Rect row) {
    const Frame& f = place.f;
    const PathsExperiment& data = place.data;
    const bool all = data.field.back().size() == static_cast<std::size_t>(data.n);
    draw_path_steps(place, row, PathKind::Convolution, f.say(Str::paths_convolution_by));
    const float foot = row.bottom() - (place.names(PathKind::Convolution) ? place.course : 0) - f.px(10);
    const float top = row.y + f.px(12) + (all ? 0 : place.course);
    const Floors floors{foot, (foot - top) / static_cast<float>(data.layers)};
    const float radius = std::min({place.column * 0.26f, floors.apart * 0.30f, f.px(8)});
    if (!all) {
        const std::string name = f.derived.labels.of({attn::Axis::Kind::Tokens}, data.to);
        f.painter().text_fit(
            {place.left, row.y, place.right() - place.left, place.course},
            f.say(Str::paths_sees, {name, std::to_string(data.field.back().size()), std::to_string(data.n)}),
            {Type::Small, Align::Right}, Hue::Soft);
    }
    cone(place, floors);
    if (place.thin()) {
        for (int layer = 0; layer <= data.layers; ++layer)
            runs(place, data.field[static_cast<std::size_t>(data.layers - layer)], floors.y(layer),
                 std::min(f.px(5), floors.apart * 0.5f), Ink(kConvolutionHue, 0.5f));
        route(place, floors);
    } else {
        reads(place, floors);
        route(place, floors);
        floor_nodes(place, floors, radius);
    }
    if (place.names(PathKind::Convolution)) draw_path_tokens(place, foot + f.px(8));
}

void draw_path_attention(const PathsPlace& place, Rect row) {
    const Frame& f = place.f;
    const PathsExperiment& data = place.data;
    const std::vector<double>& arriving = data.arriving[static_cast<std::size_t>(PathKind::Attention)];
    draw_path_steps(place, row, PathKind::Attention, f.say(Str::paths_attention_by));
    const float foot = row.bottom() - place.course - f.px(6);
    const float numbers = place.thin() ? 0 : f.theme.em(Type::NumberSmall) * 1.3f, base = foot - numbers;
    std::vector<int> order;
    for (int token = 0; token < data.n; token += 1 + data.n / kMostArcs)
        if (token != data.to && token != data.from) order.push_back(token);
    if (data.from != data.to) order.push_back(data.from);  // last, above the others
    const float span = std::max(place.right() - place.left, 1.0f), most = base - row.y - f.px(10);
    for (const int token : order) {
        const double arrived = arriving[static_cast<std::size_t>(token)];
        const bool lit = token == data.from;
        const Point a{place.x(token), base}, b{place.x(data.to), base};
        // A cubic rises to three quarters of the height of its control points.
        const float rise = (0.35f + 0.65f * std::abs(b.x - a.x) / span) * most * 4 / 3;
        f.painter().curve(a, {a.x, a.y - rise}, {b.x, b.y - rise}, b, Ink(Hue::Score, lit ? 1.0f : 0.3f),
                          f.px(1.2f + 6 * static_cast<float>(std::min(arrived, 1.0))) + (lit ? f.px(1) : 0));
    }
    for (int token = 0; !place.thin() && token < data.n; ++token) {
        const double arrived = arriving[static_cast<std::size_t>(token)];
        node(f, {place.x(token), base}, std::min(place.column * 0.2f, f.px(4)), Hue::Score, arrived,
             place.is_end(token));
        number_at(place, token, foot - f.px(1), arrived);
    }
    draw_path_tokens(place, foot + f.px(3));
}

}  // namespace app
