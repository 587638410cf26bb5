// The residual stream at the selected token: after each sub-layer the length of the vector, what was added, and how
// close its direction is to the final one.

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/content/number_text.h"
#include "app/frame/control_rows.h"
#include "app/frame/matrix_view.h"
#include "app/screens/prediction/parts.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

using attn::StreamAfter;
using attn::StreamPoint;

// Design pixels.
constexpr float kMostStreamRow = 34, kStreamBar = 10;

std::string point_words(const Frame& f, const StreamPoint& point) {
    const std::string layer = f.number(std::max(point.layer, 0));
    switch (point.after) {
        case StreamAfter::Inputs:
            return std::string(f.say(Str::stream_inputs));
        case StreamAfter::Attention:
            return f.say(Str::put_attention, {layer});
        case StreamAfter::CrossAttention:
            return f.say(Str::put_of_cross, {f.say(Str::put_attention, {layer})});
        case StreamAfter::FeedForward:
            return f.say(Str::put_feed_forward, {layer});
        case StreamAfter::Layer:
            return f.say(Str::lens_layer, {layer});
    }
    return {};
}

struct StreamTable {
    const Frame& f;
    const attn::ResidualStack& stack;
    std::size_t row = 0;           ///< of the stack
    std::vector<std::size_t> shown{};  ///< indices of its points, from the inputs on
    Rect area{};
    float names = 0, high = 0, title = 0;
    double most = 0;               ///< the longest vector or addition

    StreamTable(const Frame& frame, const attn::ResidualStack& of, std::size_t at, Rect rect) : f(frame), stack(of), row(at), area(rect) {
        title = f.theme.line_height(Type::Small) + f.px(4);
        const auto room = std::max<std::size_t>(2, static_cast<std::size_t>(std::max(0.0f, area.h - title) / (f.theme.line_height(Type::Small) + f.px(1))));
        // If not all fit, only the points after whole layers; of these some, always including the last one and the
        // inputs.
        std::vector<std::size_t> offered;
        for (std::size_t i = 1; i < stack.points.size(); ++i)
            if (stack.points.size() <= room || i + 1 == stack.points.size() || stack.points[i + 1].layer != stack.points[i].layer) offered.push_back(i);
        const std::size_t apart = offered.size() / room + 1;
        for (std::size_t i = offered.size(); i > 0; i -= std::min(i, apart)) shown.push_back(offered[i - 1]);
        shown.push_back(0);
        std::reverse(shown.begin(), shown.end());
        high = std::min(f.px(kMostStreamRow), (area.h - title) / static_cast<float>(shown.size()));
        for (const StreamPoint& point : stack.points) {
            most = std::max(most, point.norm[row]);
            if (point.adds()) most = std::max(most, point.added_norm[row]);
        }
        for (const std::size_t i : shown) names = std::max(names, f.painter().width(point_words(f, stack.points[i]), Type::Small));
        names = std::min(names + f.px(14), area.w * 0.3f);
    }
    bool skips() const { return shown.size() < stack.points.size(); }

    /// Three columns of bars, and a figure between the last two.
    float column_w() const { return (area.w - names) / 3.4f; }
    Rect column(int i, float y) const {
        const float w = column_w(), x = area.x + names + w * (i == 0 ? 0.0f : i == 1 ? 1.0f : i == 2 ? 2.0f : 2.4f);
        return {x, y, (i == 2 ? 0.4f * w : w) - f.px(14), high};
    }
    void titles() const {
        const Str words[] = {Str::stream_norm, Str::stream_added, Str::stream_added_cosine, Str::stream_end};
        for (int i = 0; i < 4; ++i) {
            Rect at = column(i, area.y);
            at.h = title;
            f.painter().text_fit(at, f.say(words[i]), {Type::SmallStrong, i == 2 ? Align::Right : Align::Left}, Hue::Soft);
        }
    }
    float figure_w() const { return f.painter().width("−8888.8", Type::NumberSmall) + f.px(6); }
    void figure(Rect at, double value) const { f.painter().text_in(at, number_text(static_cast<float>(value), 2), {Type::NumberSmall, Align::Right}, Hue::Ink); }
    /// A length, as a bar from the left.
    void length_bar(Rect at, double value, Hue hue) const {
        const float wide = std::max(0.0f, at.w - figure_w());
        if (most > 0) f.painter().fill({at.x, at.center().y - f.px(kStreamBar) / 2, std::max(f.px(1), wide * static_cast<float>(value / most)), f.px(kStreamBar)}, hue, f.px(3));
        figure(at, value);
    }
    /// A cosine, as a bar from the middle.
    void cosine_bar(Rect at, double value) const {
        if (!std::isfinite(value)) return;
        const float wide = std::max(0.0f, at.w - figure_w()), middle = at.x + wide / 2, reach = wide / 2 * static_cast<float>(std::abs(value));
        f.painter().fill({value < 0 ? middle - reach : middle, at.center().y - f.px(kStreamBar) / 2, std::max(f.px(1), reach), f.px(kStreamBar)}, value < 0 ? Hue::Negative : Hue::Output, f.px(3));
        f.painter().line({middle, at.y}, {middle, at.bottom()}, Hue::Rule, f.px(1));
        figure(at, value);
    }
    void draw() const {
        titles();
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const StreamPoint& point = stack.points[shown[i]];
            const float y = area.y + title + high * static_cast<float>(i);
            f.painter().text_fit({area.x, y, names - f.px(8), high}, point_words(f, point), {Type::Small, Align::Right}, Hue::Soft);
            length_bar(column(0, y), point.norm[row], Hue::Output);
            cosine_bar(column(3, y), point.cosine_end[row]);
            f.ui.record("stream_" + std::to_string(shown[i]), {area.x, y, area.w, high});
            if (!point.adds()) continue;
            length_bar(column(1, y), point.added_norm[row], point.after == StreamAfter::FeedForward ? Hue::Value : Hue::Score);
            if (std::isfinite(point.added_cosine[row])) figure(column(2, y), point.added_cosine[row]);
        }
    }
};

}  // namespace

void draw_prediction_stream(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.row < 0) return draw_prediction_words(f, area);
    if (!data.stream) return say_in_middle(f, area, f.say(data.computing ? Str::computing : Str::stream_none));
    float y = draw_prediction_text(f, {area.x, area.y, area.w, 0}) + f.px(8);
    const std::string token = f.derived.labels.of(data.stream->rows, data.stream_row);
    const Str said = has_given_stream(f.state.document) ? Str::stream_says_layers : Str::stream_says;
    const RichText says = lay_out_rich(f.say(said, {token}), area.w, Type::Body, f.theme, f.painter().fonts());
    draw_rich(f.painter(), says, {area.x, y}, Hue::Ink);
    y += says.height() + f.px(8);
    Rect body = caption_below(f, {area.x, y, area.w, std::max(0.0f, area.bottom() - y)}, f.say(data.stream->sum_normed ? Str::stream_note_normed : Str::stream_note));
    const auto row = static_cast<std::size_t>(data.stream_row);
    if (StreamTable(f, *data.stream, row, body).skips()) {
        Rect less = body;
        less.h -= f.theme.line_height(Type::Small) + f.px(6);
        const std::size_t shown = StreamTable(f, *data.stream, row, less).shown.size();
        caption_below(f, body, f.say(Str::stream_some, {std::to_string(shown), std::to_string(data.stream->points.size())}));
        body = less;
    }
    StreamTable(f, *data.stream, row, body).draw();
}

}  // namespace app
