// Paths: the same text three times, as read by a recurrence, a convolution and attention; below, what arrives.

#include "app/screens/experiments/paths_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace app {
namespace {

using attn::PathKind;

constexpr std::array<std::string_view, 4> kKernels = {"3", "5", "7", "9"};
constexpr float kWidestColumn = 104, kRoomForTicks = 48, kNarrowest = 7;
/// Shares of the height for the picture of each kind; the curves get the rest. A single picture gets more.
constexpr std::array kShares = {0.18f, 0.33f, 0.19f};
constexpr std::array kSharesTight = {0.22f, 0.40f, 0.38f};
constexpr std::array kSharesAlone = {0.32f, 0.54f, 0.40f};
/// With less height than this, in lines of small type, the curves are left out.
constexpr float kLeastLines = 21, kLeastLinesAlone = 13;

/// A control with a label before it, in rows that wrap.
class DialRow {
public:
    DialRow(const Frame& f, Rect body, float top) : f_(f), body_(body), at_{body.x, top} {}

    /// The rectangle for a control of this width; the label is drawn before it.
    Rect next(std::string_view words, float width) {
        const float said = words.empty() ? 0 : f_.painter().width(words, Type::Small) + f_.px(10);
        const float high = f_.theme.control_height;
        if (at_.x > body_.x && at_.x + said + width > body_.right()) at_ = {body_.x, at_.y + high + f_.px(6)};
        f_.painter().text_in({at_.x, at_.y, said, high}, words, {Type::Small}, Hue::Soft);
        const Rect out{at_.x + said, at_.y, std::min(width, body_.right() - at_.x - said), high};
        at_.x += said + width + f_.px(26);
        return out;
    }
    float bottom() const { return at_.y + f_.theme.control_height; }

private:
    const Frame& f_;
    Rect body_;
    Point at_;
};

/// Selects which of the networks is shown, or all.
struct KindSwitch {
    std::vector<std::string_view> names;
    float width = 0;
};
KindSwitch kind_switch(const Frame& f) {
    KindSwitch out{{f.say(Str::paths_all)}};
    for (const PathKind kind : kPathKindList) out.names.push_back(name_of_path(f, kind));
    for (const std::string_view name : out.names)
        out.width = std::max(out.width, f.painter().width(name, Type::BodyStrong));
    out.width = (out.width + f.px(18)) * static_cast<float>(out.names.size());
    return out;
}
void choose_kind(const Frame& f, const KindSwitch& kinds, Rect at) {
    int chosen = f.view().part<ExperimentsLook>().paths.only ? static_cast<int>(*f.view().part<ExperimentsLook>().paths.only) + 1 : 0;
    if (segmented(f.ui, "paths.only", at, kinds.names, chosen))
        f.change_view([chosen](ViewState& v) {
            v.part<ExperimentsLook>().paths.only.reset();
            if (chosen > 0) v.part<ExperimentsLook>().paths.only = static_cast<PathKind>(chosen - 1);
        });
}

void dials_of_convolution(const Frame& f, DialRow& row) {
    const attn::PathChoice& d = f.view().part<ExperimentsLook>().paths.dials;
    int kernel = std::clamp((d.kernel - 3) / 2, 0, static_cast<int>(kKernels.size()) - 1);
    if (segmented(f.ui, "paths.kernel", row.next(f.say(Str::paths_kernel), f.theme.em(Type::Body) * 9), kKernels,
                  kernel))
        f.change_view([kernel](ViewState& v) { v.part<ExperimentsLook>().paths.dials.kernel = 3 + 2 * kernel; });
    bool dilated = d.dilated;
    const std::string_view gaps = f.say(Str::paths_gaps);
    if (toggle(f.ui, "paths.dilated",
               row.next({}, f.painter().width(gaps, Type::Body) + f.theme.em(Type::Body) * 2.25f + f.theme.gap), gaps,
               dilated))
        f.change_view([dilated](ViewState& v) { v.part<ExperimentsLook>().paths.dials.dilated = dilated; });
    const int now = f.derived.part<ExperimentData>().paths.layers;
    auto layers = static_cast<float>(now);
    if (slider(f.ui, "paths.layers", row.next(f.say(Str::paths_layers, {std::to_string(now)}), f.px(110)), layers,
               {1, static_cast<float>(attn::kMostPathLayers), 1, 1, false}))
        f.change_view([layers](ViewState& v) { v.part<ExperimentsLook>().paths.dials.layers = static_cast<int>(std::lround(layers)); });
}

void dials_of_chain(const Frame& f, DialRow& row) {
    float radius = f.view().part<ExperimentsLook>().paths.dials.radius;
    const std::string rho = f.say(Str::paths_radius, {fmt::format("{:.2f}", radius)});
    if (slider(f.ui, "paths.radius", row.next(rho, f.px(110)), radius,
               {attn::kLeastRadius, attn::kLargestRadius, 0.05f, attn::PathChoice{}.radius, false}))
        f.change_view([radius](ViewState& v) { v.part<ExperimentsLook>().paths.dials.radius = radius; });
}

/// The switch is next to the sentence if there is room, else before the controls of what is shown. Returns where they
/// end.
float dials(const PathsPlace& place, Rect body, float said) {
    const Frame& f = place.f;
    const KindSwitch kinds = kind_switch(f);
    const float line = f.theme.control_height;
    DialRow row(f, body, body.y + line + f.px(6));
    if (said + kinds.width + f.px(20) <= body.w)
        choose_kind(f, kinds, {body.right() - kinds.width, body.y, kinds.width, line});
    else
        choose_kind(f, kinds, row.next({}, kinds.width));
    if (place.shows(PathKind::Convolution)) dials_of_convolution(f, row);
    if (place.shows(PathKind::Recurrent)) dials_of_chain(f, row);
    return row.bottom();
}

/// States the number of steps of the shown networks.
std::string steps_said(const Frame& f) {
    const PathsExperiment& data = f.derived.part<ExperimentData>().paths;
    const auto name = [&](int token) { return f.derived.labels.of({attn::Axis::Kind::Tokens}, token); };
    if (const auto only = f.view().part<ExperimentsLook>().paths.only)
        return f.say(Str::paths_says_one,
                     {name(data.from), name(data.to), std::to_string(data.steps[static_cast<std::size_t>(*only)])});
    return f.say(Str::paths_says, {name(data.from), name(data.to), std::to_string(data.steps[0]),
                                   std::to_string(data.steps[1]), std::to_string(data.steps[2])});
}

/// The columns fill the width next to the text, up to a limit at which the eye still connects them.
void place_columns(PathsPlace& place) {
    const Frame& f = place.f;
    float words = 0;
    place.number = f.px(34);
    constexpr std::array kBy = {Str::paths_chain_by, Str::paths_convolution_by, Str::paths_attention_by};
    for (const PathKind kind : kPathKindList) {
        const auto k = static_cast<std::size_t>(kind);
        words = std::max({words, f.painter().width(f.say(kBy[k]), Type::Small),
                          f.painter().width(name_of_path(f, kind), Type::SmallStrong)});
        place.number = std::max(place.number, f.painter().width(std::to_string(place.data.steps[k]), Type::TitleStrong));
    }
    place.number += f.px(12);
    place.gutter = std::min(place.number + words + f.px(18), place.body.w * 0.36f);
    const float room = place.body.w - place.gutter - f.px(kRoomForTicks);
    place.column = std::min(room / static_cast<float>(place.data.n), f.px(kWidestColumn));
    place.left = place.body.x + place.gutter + (room - place.column * static_cast<float>(place.data.n)) / 2;
}

float share_of(const PathsPlace& place, PathKind kind) {
    const auto k = static_cast<std::size_t>(kind);
    if (place.f.view().part<ExperimentsLook>().paths.only) return place.tight ? 1 : kSharesAlone[k];
    return (place.tight ? kSharesTight : kShares)[k];
}

/// A press moves the nearer end of the path.
void touch(PathsPlace& place, Rect area) {
    const Touch touched = touch_area(place.f.ui, "paths.words", area, false);
    const int under = touched.hovered ? place.token_at(gui::mouse().x) : -1;
    place.looked = under >= 0 ? under : place.data.from;
    if (under < 0) return;
    gui::set_cursor(gui::Cursor::Hand);
    place.f.painter().fill({place.left + place.column * static_cast<float>(under), area.y, place.column, area.h},
                           Hue::AccentSoft, place.f.px(6));
    if (touched.clicked)
        place.f.change_view([n = place.data.n, under](ViewState& v) { v.part<ExperimentsLook>().paths = with_nearer_end(v.part<ExperimentsLook>().paths, n, under); });
}

}  // namespace

int PathsPlace::token_at(float pixel) const {
    const auto token = static_cast<int>(std::floor((pixel - left) / column));
    return pixel >= left && token < data.n ? token : -1;
}

bool PathsPlace::thin() const { return column < f.px(kNarrowest); }

bool experiment_paths_applies(const Frame& f) { return experiment_applies("paths", f.state.document); }

void draw_experiment_paths(const Frame& f, Rect area) {
    const PathsExperiment& data = f.derived.part<ExperimentData>().paths;
    const Rect body = area.inset(f.px(24), f.px(8));
    const float line = f.theme.line_height(Type::Body);
    if (data.n < 2) {
        // For a long text they are still being computed.
        const Str words = f.derived.part<ExperimentData>().computing ? Str::computing : Str::paths_one;
        f.painter().text_fit({body.x, body.y, body.w, line}, f.say(words), {Type::Body}, Hue::Ink);
        return;
    }
    const float said =
        f.painter().text_fit({body.x, body.y, body.w, f.theme.control_height}, steps_said(f), {Type::Body}, Hue::Ink);
    PathsPlace place{f, data};
    const float top = dials(place, body, said) + f.px(10);
    place.body = {body.x, top, body.w, body.bottom() - top};
    place.course = f.theme.line_height(Type::Small);
    place_columns(place);
    touch(place, {place.left, top, place.right() - place.left, place.body.h});
    place.tight = place.body.h < (f.view().part<ExperimentsLook>().paths.only ? kLeastLinesAlone : kLeastLines) * place.course;
    Rect row{body.x, top, body.w, 0};
    constexpr std::array kDraw = {draw_path_chain, draw_path_convolution, draw_path_attention};
    for (const PathKind kind : kPathKindList) {
        if (!place.shows(kind)) continue;
        row = {row.x, row.bottom(), row.w, place.body.h * share_of(place, kind)};
        kDraw[static_cast<std::size_t>(kind)](place, row);
    }
    if (!place.tight) draw_path_curves(place, {row.x, row.bottom(), row.w, body.bottom() - row.bottom()});
}

}  // namespace app
