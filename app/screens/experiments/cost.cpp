// What this computation cost, step by step, and what a layer of each kind would cost: table and curves.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/frame/chart.h"
#include "app/screens/experiments/view.h"
#include "app/timeline/roles.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

/// Attention has its own hue; the others are ink of different strength, or dashed, because the hues of queries and keys
/// are reserved for those.
struct KindInk {
    Hue hue;
    float strength = 1;
    bool dashed = false;
    operator Ink() const { return Ink(hue, strength); }
};
constexpr std::array<KindInk, 5> kKindInks = {{{Hue::Score}, {Hue::Ink}, {Hue::Soft, 0.75f}, {Hue::Score, 0.55f, true}, {Hue::Soft, 1, true}}};

/// Design pixels: in a narrower body, the table is above the bill.
constexpr float kNarrow = 640;

float row_height(const Frame& f) { return f.theme.line_height(Type::Small) + f.px(4); }

void bill(const Frame& f, Rect area) {
    const CostExperiment& data = f.derived.part<ExperimentData>().cost;
    const float high = row_height(f), number = f.painter().width("000.0M", Type::NumberSmall) + f.px(14);
    const float name_w = std::min(area.w * 0.42f, f.px(210)), bars = area.w - name_w - 2 * number;
    const auto head = [&](float right, Str words) {
        f.painter().text({right, area.y + f.theme.em(Type::Small)}, f.say(words), {Type::Small, Align::Right},
                         Hue::Soft);
    };
    // This heading is the least important: it is left out if the headings of the numbers need its room.
    const float work_w = f.painter().width(f.say(Str::cost_work), Type::Small), left = area.right() - number - work_w;
    if (area.x + f.painter().width(f.say(Str::cost_steps), Type::Small) + f.px(8) < left)
        f.painter().text({area.x, area.y + f.theme.em(Type::Small)}, f.say(Str::cost_steps), {Type::Small}, Hue::Soft);
    head(area.right() - number, Str::cost_work);
    head(area.right(), Str::cost_bytes);
    float y = area.y + high;
    const double most = data.rows.empty() ? 1 : std::max(1.0, data.rows.front().multiply_adds);
    for (const CostRow& row : data.rows) {
        if (y + high > area.bottom()) break;
        const std::string name = std::string(label_of(attn::role_id(row.role), f.view().language)) +
                                 (row.products() > 1 ? fmt::format(" × {}", row.products()) : "");
        f.painter().text_fit({area.x, y, name_w - f.px(8), high}, name, {Type::Small}, Hue::Ink);
        const float w = bars * static_cast<float>(row.multiply_adds / most);
        if (bars > f.px(20) && w > 0)
            f.painter().fill({area.x + name_w, y + high * 0.25f, std::max(w, f.px(2)), high * 0.5f},
                             look_of(row.role).hue, f.px(3));
        f.painter().text_in({area.right() - 2 * number, y, number, high}, brief(row.multiply_adds),
                            {Type::NumberSmall, Align::Right}, Hue::Ink);
        f.painter().text_in({area.right() - number, y, number, high}, brief(row.bytes),
                            {Type::NumberSmall, Align::Right}, Hue::Soft);
        y += high;
    }
}

/// The table of layer types from "Attention Is All You Need", with this text's numbers; columns as wide as their
/// content.
float table(const Frame& f, Rect area) {
    const CostExperiment& data = f.derived.part<ExperimentData>().cost;
    const float high = row_height(f), gap = f.px(14);
    constexpr std::array kTitles = {Str::cost_work, Str::cost_sequential, Str::cost_path};
    float y = area.y + draw_lines(f.painter(), {area.x, area.y, area.w, 0},
                                  f.say(Str::cost_layers, {brief(data.size.n), brief(data.size.d)}), {Type::SmallStrong},
                                  Hue::Ink);
    float column = 0;
    for (const Str title : kTitles) column = std::max(column, f.painter().width(f.say(title), Type::Small));
    // In a narrow area the headings are wrapped, but never the numbers.
    column = std::min(column, (area.w - f.px(110)) / 3 - gap);
    column = std::max(column, f.painter().width("000.0M", Type::NumberSmall));
    const auto box = [&](std::size_t c) {
        return Rect{area.right() - (column + gap) * static_cast<float>(kTitles.size() - c) + gap, y, column, high};
    };
    float head = 0;
    for (std::size_t c = 0; c < kTitles.size(); ++c)
        head =
            std::max(head, draw_lines(f.painter(), box(c), f.say(kTitles[c]), {Type::Small, Align::Right}, Hue::Soft));
    y += head + f.px(2);
    for (std::size_t k = 0; k < attn::layer_kinds().size(); ++k) {
        const attn::LayerKind& kind = attn::layer_kinds()[k];
        f.painter().fill({area.x, y + high / 2 - f.px(4), f.px(8), f.px(8)}, kKindInks[k], f.px(4));
        f.painter().text_fit({area.x + f.px(16), y, box(0).x - gap - area.x - f.px(16), high},
                             label_of(kind.id, f.view().language), {Type::Small}, Hue::Ink);
        const double numbers[] = {kind.work(data.size), kind.sequential(data.size), kind.path(data.size)};
        for (std::size_t c = 0; c < kTitles.size(); ++c)
            f.painter().text_in(box(c), brief(numbers[c]), {Type::NumberSmall, Align::Right}, Hue::Ink);
        y += high;
    }
    return y;
}

void cost_curves(const Frame& f, Rect area) {
    const CostExperiment& data = f.derived.part<ExperimentData>().cost;
    if (area.h < f.px(90) || data.lengths.empty()) return;
    double low = 1e30, high = 1;
    for (const auto& curve : data.work)
        for (const double w : curve) low = std::min(low, w), high = std::max(high, w);
    const Chart chart(f, area, {data.lengths.front(), data.lengths.back(), true, f.say(Str::tokens_axis)},
                      {low, high, true, f.say(Str::cost_curve)});
    for (std::size_t k = 0; k < data.work.size(); ++k) {
        // Where two cost the same, both are visible: the later one is drawn in dashes over the earlier one.
        if (kKindInks[k].dashed)
            chart.dashes(data.lengths, data.work[k], kKindInks[k], 3.2f);
        else
            chart.line(data.lengths, data.work[k], kKindInks[k]);
    }
    chart.mark(std::max(1.0, data.size.n), "n = " + brief(data.size.n), Hue::Accent);
    for (std::size_t k = 0; k < data.work.size(); ++k)
        chart.dot(std::max(1.0, data.size.n), attn::layer_kinds()[k].work(data.size), kKindInks[k]);
}

}  // namespace

bool experiment_cost_applies(const Frame& f) { return experiment_applies("cost", f.state.document); }

void draw_experiment_cost(const Frame& f, Rect area) {
    const CostExperiment& data = f.derived.part<ExperimentData>().cost;
    const Rect body = area.inset(f.px(24), f.px(8));
    const float gap = f.px(32);
    const float top = experiment_says(
        f, body, f.say(Str::cost_says, {brief(data.multiply_adds), brief(data.bytes), std::to_string(f.trace().size())}));
    const float left = (body.w - gap) * 0.5f, x = body.x + left + gap, w = body.w - left - gap;
    if (body.w < f.px(kNarrow)) {
        // The table takes the full width; the bill and the curves are next to each other below it.
        const float below = table(f, {body.x, top, body.w, body.bottom() - top}) + f.px(18);
        bill(f, {body.x, below, left, body.bottom() - below});
        return cost_curves(f, {x, below, w, body.bottom() - below});
    }
    bill(f, {body.x, top, left, body.bottom() - top});
    const float below = table(f, {x, top, w, body.bottom() - top});
    cost_curves(f, {x, below + f.px(18), w, body.bottom() - below - f.px(18)});
}

}  // namespace app
