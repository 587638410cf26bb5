// The values on their way to the output of a word's flow.

#include <array>

#include "app/layout/flow/word_picture.h"

namespace app::flow::word {
namespace {

constexpr float kThinnest = 1;     ///< design pixels: a lane of hardly any weight
constexpr float kSpoken = 0.03f;   ///< the least weight at which another lane is labelled
constexpr float kNearly = 0.25f;   ///< the largest distance at which the output is nearly a value, in lengths of it

}  // namespace

/// From each share down to its value's lane, and from there on as thick as the share.
void Picture::draw_lanes() {
    const auto moved = static_cast<float>(made(w.output));
    const float drop = static_cast<float>(phase(moved, 0, 0.3)),
                flows = static_cast<float>(ease(phase(moved, 0.3, 0.9)));
    const auto values = static_cast<float>(phase(made(w.values), 0.6, 1));
    float all = 0;
    for (int j = 0; j < nk(); ++j) all += kThickest * s * share(j);
    float end = home.center().y - all / 2;
    for (int j = 0; j < nk(); ++j) {
        const float value = share(j), lit = key_lit(j), thick = std::max(kThinnest * s, kThickest * s * value),
                    x = column(j);
        const Rect row = value_rows.row(j);
        const float y = row.center().y, start = row.right() + 4 * s;
        const float lane = mixed(2 * s, std::min(row.h * 0.8f, std::max(thick, 6 * s)), lit);
        const bool none = key_slot(j).is_band(), cut = is_masked(j);
        if (values > 0 && !none)
            l.b.scene.ribbons.push_back({start, y - lane / 2, y + lane / 2, x, y - mixed(lane, thick, lit * flows) / 2,
                                         y + mixed(lane, thick, lit * flows) / 2, Hue::Value,
                                         values * mixed(0.3f, 0.62f, lit)});
        Lane drawn;
        if (values > 0 && !none) drawn.before = {start, y - lane / 2, x - start, lane};
        if (cut) {  // masked values pass nothing on
            lanes_.push_back(drawn);
            continue;
        }
        const float arrives = kThickest * s * value, to = mixed(x, right.x - 6 * s, flows);
        drawn.drop = {x - s, panel.bottom(), 2 * s, y - panel.bottom()};
        drawn.radius = mixed(4.5f, 10.5f, lit) * s;
        drawn.thick = thick;
        drawn.arrives = std::max(arrives, 0.8f * s);
        drawn.at = {x, y};
        drawn.to = {right.x - 6 * s, end + drawn.arrives / 2};
        lanes_.push_back(drawn);
        if (flows > 0)
            l.b.scene.ribbons.push_back({x, y - thick / 2, y + thick / 2, to, mixed(y - thick / 2, end, flows),
                                         mixed(y + thick / 2, end + std::max(arrives, 0.8f * s), flows), Hue::Value,
                                         mixed(0.34f, 0.62f, std::max(lit, std::min(1.0f, 3 * value)))});
        end += arrives;
        const float r = mixed(4.5f, 10.5f, lit) * s;
        if (drop > 0) {
            l.b.path({{x, panel.bottom()}, {x, mixed(panel.bottom(), y - r, drop)}}, Hue::Score,
                     std::max(0.9f, 6.5f * value) * s, mixed(0.3f, 0.9f, std::max(lit, value)));
        }
        if (drop < 1) continue;
        const Rect knot = rect_around({x, y}, 2 * r, 2 * r);
        l.b.scene.bars.push_back({knot, Hue::Paper, 1, r});
        BandSprite edge{knot, Hue::Score, mixed(0.7f, 1, lit), r};
        edge.outline = true;
        l.b.scene.bars.push_back(edge);
        if (lit > 0.5f) label({x, y + 4.6f * u}, "×", Type::BodyStrong, Hue::Score, Align::Center, lit);
    }
}

/// Labels what flows on the lanes of the strongest key, of the rest and of the second strongest, where nothing else is
/// drawn.
void Picture::say_lanes() const {
    const auto alpha = static_cast<float>(phase(made(w.output), 0.8, 1)) * (t < 1 ? 0.0f : 1.0f);
    if (alpha <= 0) return;
    std::vector<Rect> written;
    // In a small picture the path of places reaches up to the last row.
    const float lowest_text = compact && !l.b.style().presenting ? value_rows.cells.bottom() - 17 * u : floor_ + 4 * u;
    const auto is_free = [&](Rect r) {
        if (r.right() > right.x - 10 * s || r.y < card.bottom() + 2 * s || r.bottom() > lowest_text || r.x < value_rows.cells.right() + 4 * s) return false;
        return std::none_of(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.touches(r); }) &&
               std::none_of(written.begin(), written.end(), [&](const Rect& other) { return other.overlaps(r); });
    };
    const auto one = [&](int j, Type type) {
        const float weight = now.shares[static_cast<std::size_t>(j)], y = value_rows.row(j).center().y, thick = kThickest * s * weight;
        constexpr std::string_view kOmission = "… ";
        std::string name = key_name(j);
        if (key_slot(j).is_band() && name.starts_with(kOmission)) name.erase(0, kOmission.size());
        const std::string said = number_text(weight, weight < 0.02f ? 4 : 2) + " × " + name;
        const float wide = measure(said, type), high = (type == Type::Small ? 8.5f : 10.5f) * u, after = column(j) + 16 * s, before = value_rows.cells.right() + 8 * s;
        const bool within = j == now.key && thick >= 12 * u && after + wide <= right.x - 12 * s;
        if (within) {
            label({after, y + 5 * u}, said, type, Hue::Ink, Align::Left, alpha);
            written.push_back({after, y - high / 2, wide, high});
            return;
        }
        // Over the lane or below it, before its knot or after it; the rest has no lane before it.
        const float half = std::max(3 * s, lanes_[static_cast<std::size_t>(j)].before.h / 2), lowest_line = lowest_text - 2 * u;
        const float level = std::min(y + high / 2, lowest_line);
        const float left_of_knot = column(j) - lanes_[static_cast<std::size_t>(j)].radius - 5 * s - wide;
        for (const Point at : {Point{left_of_knot, key_slot(j).is_band() ? level : y - half - 3 * u}, Point{after, y - 5 * u - thick / 2},
                               Point{before, y - half - 3 * u}, Point{before, y + half + 3 * u + high}, Point{after, y + 5 * u + thick / 2 + high}}) {
            const Rect r{at.x, at.y - high, wide, high};
            if (!is_free(r.inset(-1.5f * s))) continue;
            label(at, said, type, Hue::Value, Align::Left, alpha);
            written.push_back(r);
            return;
        }
        if (j != now.key) return;
        // With many lanes only thin ones are below it.
        const float knot = lanes_[static_cast<std::size_t>(j)].radius;
        const Point at{before, y - (before + wide < column(j) - knot - 2 * s ? half : std::max(half, knot)) - 3 * u};
        l.b.scene.bars.push_back({Rect{at.x, at.y - high, wide, high}.inset(-2 * s), Hue::Back, 0.92f * alpha, 4 * s});
        label(at, said, type, Hue::Value, Align::Left, alpha);
        written.push_back({at.x, at.y - high, wide, high});
    };
    one(now.key, Type::BodyStrong);
    int second = -1;
    for (int j = 0; j < nk(); ++j) {
        if (key_slot(j).is_band()) one(j, Type::Small);
        else if (j != now.key && (second < 0 || now.shares[static_cast<std::size_t>(j)] > now.shares[static_cast<std::size_t>(second)]))
            second = j;
    }
    if (second >= 0 && now.shares[static_cast<std::size_t>(second)] >= kSpoken) one(second, Type::Small);
}

bool Picture::has_become(FlowSlot key) const {
    const auto &values = step(w.values.step).value, &output = step(w.output.step).value;
    // Content from another text is added to the word; the word does not become one of that text.
    if (!same_words() || key.first == asker()) return false;
    // If all values are similar, the output is near each of them, so the word must also have the larger part of its
    // attention on this one.
    if (key.is_band() || values.cols() != output.cols() || now.shares[static_cast<std::size_t>(now.key)] < 0.5f)
        return false;
    if (blank_claim(l.in.stage.trace, attn::Cell{w.weights.step, asker(), key.first})) return false;
    const attn::RowVector value = values.one_row(key.first), home_row = output.one_row(asker());
    return (home_row - value).norm() <= kNearly * value.norm();
}

void Picture::draw_home() const {
    const double there = made(w.output);
    const std::string asks = query_name(now.query), answers = key_name(now.key);
    if (compact) {
        label({home.center().x, home.y - 9 * u}, asks, Type::BodyStrong, Hue::Output, Align::Center, 1, right.w);
    } else {
        label({right.x, home.y - 26 * u}, say(Str::flow_takes, {asks}), Type::BodyStrong, Hue::Output, Align::Left, 1,
              right.w);
        const std::string below = shorter_of({say(Str::flow_handed, {answers}), say(Str::flow_handed_short, {answers})}, right.w, Type::Small);
        if (made(w.weights) >= 1) label({right.x, home.y - 10 * u}, below, Type::Small, Hue::Soft, Align::Left, 1, right.w);
    }
    BandSprite frame{home.inset(-2.5f * s), Hue::Output, 1, 8 * s};
    frame.outline = true;
    l.b.scene.bars.push_back(frame);
    const auto count = static_cast<float>(step(w.output.step).value.cols());
    const bool figures = count <= kFewCells && (!compact || home.h / count >= 18 * u);
    const double filled = phase(there, 0.75, 1);
    if (filled > 0) {
        MatrixSprite& m = cells(w.output.step, asker(), home, figures, 1);
        if (compact)
            m.grid = {home.top_left(),
                      home.h / static_cast<float>(m.grid.cols),
                      1,
                      m.grid.cols,
                      m.grid.gap,
                      home.w / (home.h / static_cast<float>(m.grid.cols)),
                      true};
        if (filled < 1) m.reveal = {0, 0, false, static_cast<float>(filled * static_cast<double>(m.grid.cols)), 1};
    }
    const FlowSlot key = key_slot(now.key);
    const Rect below{home.x, home.bottom() + 8 * u, home.w, 23 * u};
    const bool same_width = step(w.values.step).value.cols() == step(w.output.step).value.cols();
    float y = home.bottom() + 8 * u;
    if (!compact && !key.is_band() && same_width && made(w.values) >= 1 && made(w.weights) >= 1) {
        cells(w.values.step, key.first, below, figures, 0.9f);
        y = below.bottom() + 6 * u;
    }
    if (!compact && there >= 1 && t >= 1 && y + 18 * u <= floor_ && has_become(key)) {
        const std::string words = say(Str::flow_became, {asks, answers});
        const bool fits = measure(words, Type::Body) <= right.w;
        label({right.x, y + 13 * u}, words, fits ? Type::Body : Type::Small, Hue::Ink, Align::Left, 1, right.w);
    }
}

}  // namespace app::flow::word
