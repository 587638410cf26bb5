// The page through the layers: how much of each token arrives at each other one after several layers.

#include <algorithm>

#include "app/screens/heads/parts.h"

namespace app {
namespace {

/// For longer texts, the maximum flow is computed on a thread.
constexpr std::size_t kFlowAtOnce = 10;

attn::Matrix arrives(attn::Through which, const std::vector<attn::Matrix>& means, const std::stop_token& stop) {
    switch (which) {
        case attn::Through::Rollout:
            return attn::attention_rollout(means);
        case attn::Through::Flow:
            return attn::attention_flow(means, stop);
        case attn::Through::Average:
            break;
    }
    return attn::attention_average(means);
}

}  // namespace

bool takes_long(const attn::Trace& trace, const HeadsChoice& choice) {
    // The other measures multiply values by the output matrix, for each head of each layer.
    if (choice.measure != attn::measure_id(attn::Measure::Weight)) return true;
    return choice.page == "through" && choice.through == attn::through_id(attn::Through::Flow) &&
           trace.tokens.size() > kFlowAtOnce;
}

void make_through(const attn::Trace& trace, const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop) {
    ThroughData& made = out.through;
    made = {};
    made.which = attn::find_through(choice.through).value_or(attn::Through::Rollout);
    const std::vector<attn::LayerMaps> stacks = attn::layer_maps(trace);
    made.stacks = static_cast<int>(stacks.size());
    if (stacks.empty()) return;
    const attn::Part wanted = out.here()->at.part;
    auto stack = std::find_if(stacks.begin(), stacks.end(), [&](const attn::LayerMaps& s) { return s.part == wanted; });
    if (stack == stacks.end()) stack = stacks.begin();
    made.part = stack->part;
    made.layers = static_cast<int>(stack->means.size());
    made.used = choice.layers == 0 ? made.layers : std::min(choice.layers, made.layers);
    const auto place = std::find_if(out.places.begin(), out.places.end(), [&](const HeadsPlace& p) { return p.at.part == stack->part; });
    made.place = static_cast<int>(place - out.places.begin());
    made.too_long = made.which == attn::Through::Flow && stack->means.front().rows() > attn::kMostFlowTokens;
    if (made.too_long) return;
    attn::Matrix map = arrives(made.which, {stack->means.begin(), stack->means.begin() + made.used}, stop);
    if (map.size() == 0) return;
    if (std::find(place->hidden.begin(), place->hidden.end(), true) != place->hidden.end())
        map = attn::without_keys(map, place->hidden, choice.renormalise);
    made.most = spread_of(map).most;
    made.map = std::make_shared<const attn::Matrix>(std::move(map));
}

}  // namespace app
