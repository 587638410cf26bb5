// What the tower of a model shows.

#include "app/layout/flow/tower.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/telling.h"
#include "core/document/take.h"

namespace app {
namespace {

using attn::Axis;

constexpr int kLensTop = 5;

const Section& named_after(const Timeline& timeline, const FlowPlace& place) {
    return timeline.sections[static_cast<std::size_t>(place.main)];
}

int count_of(const attn::Trace& trace, bool source) {
    return static_cast<int>(source ? trace.source_tokens.size() : trace.tokens.size());
}

/// The weight of a step between two tokens; NaN if it has none.
float weight_between(const attn::Step& step, const attn::Matrix& value, int query, int key) {
    const int row = query - step.rows.first, col = key - step.cols.first;
    if (row < 0 || col < 0 || row >= value.rows() || col >= value.cols()) return std::numeric_limits<float>::quiet_NaN();
    return value(row, col);
}

/// The tokens that matter most for a followed one, by the attention given to each; all if there are few.
void choose_words(TowerSide& side, int count, int followed, const std::vector<double>& given) {
    side.count = count;
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    const auto worth = [&](int token) { return token == followed ? 1e9 : given[static_cast<std::size_t>(token)]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return worth(a) > worth(b); });
    if (count > kMostTowerWords) order.resize(kMostTowerWords);
    side.tokens = order;
    std::sort(side.tokens.begin(), side.tokens.end());
    side.rank.assign(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto at = std::lower_bound(side.tokens.begin(), side.tokens.end(), order[i]) - side.tokens.begin();
        side.rank[static_cast<std::size_t>(at)] = static_cast<int>(i);
        if (order[i] == followed) side.followed = static_cast<int>(at);
    }
}

/// How much attention one token gives to each other, summed over the lanes of some floors.
template <class Wanted>
std::vector<double> given_by(const attn::Trace& trace, const Tower& tower, int count, int followed, Wanted wanted) {
    std::vector<double> given(static_cast<std::size_t>(count), 0);
    for (const TowerFloor& floor : tower.floors) {
        if (!wanted(floor)) continue;
        for (const TowerHead& head : floor.heads) {
            const attn::Step& step = trace[head.weights];
            const attn::FrozenMatrix held = step.value;
            for (int key = 0; key < count; ++key) {
                const float weight = weight_between(step, held.matrix(), followed, key);
                if (std::isfinite(weight)) given[static_cast<std::size_t>(key)] += static_cast<double>(weight);
            }
        }
    }
    return given;
}

}  // namespace

bool is_tower(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places, const ModelMap& map) {
    if (places.size() < 2 || trace.tokens.empty()) return false;
    bool answers = false;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Section& section = named_after(timeline, places[i]);
        if (section.reverse || section.time != attn::kNoTime || map.tiles[i].weights.empty()) return false;
        for (const attn::StepId id : map.tiles[i].weights) {
            const attn::Step& step = trace[id];
            const Axis::Kind own = section.encoder ? Axis::Kind::SourceTokens : Axis::Kind::Tokens;
            const Axis::Kind keys = section.cross ? Axis::Kind::SourceTokens : own;
            if (step.rows.kind != own || step.cols.kind != keys) return false;
        }
        answers |= !section.encoder;
    }
    return answers;
}

Tower plan_tower(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places, const ModelMap& map) {
    Tower tower;
    const bool two = std::any_of(places.begin(), places.end(), [&](const FlowPlace& p) {
        return named_after(timeline, p).encoder || named_after(timeline, p).cross;
    });
    tower.sides.resize(two ? 2 : 1);
    tower.sides.front().source = two;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Section& section = named_after(timeline, places[i]);
        TowerFloor floor;
        floor.place = static_cast<int>(i);
        floor.side = two && !section.encoder ? 1 : 0;
        floor.keys_of = section.cross ? 0 : floor.side;
        floor.layer = std::max(0, section.layer);
        for (const attn::StepId id : map.tiles[i].weights) floor.heads.push_back({id, trace[id].tag.head, 0, {}});
        TowerSide& side = tower.sides[static_cast<std::size_t>(floor.side)];
        if (!side.floors.empty()) {
            TowerFloor& below = tower.floors[static_cast<std::size_t>(side.floors.back())];
            below.ends_layer = below.layer != floor.layer;
        }
        side.floors.push_back(static_cast<int>(tower.floors.size()));
        tower.floors.push_back(std::move(floor));
    }
    return tower;
}

int followed_by_default(const attn::Run& run, const attn::Document& document, const Tower& tower) {
    const int count = static_cast<int>(run.trace.tokens.size());
    if (attn::says_words(document)) {
        if (attn::shows_picture(document)) return 0;
        if (attn::looks_back_only(run.config)) return count - 1;
        if (const auto places = attn::expected_places(document, run); !places.empty()) return std::clamp(places.front().row, 0, count - 1);
    }
    const TowerFloor& top = tower.floors[static_cast<std::size_t>(tower.answers().floors.back())];
    const attn::StepId weights = top.heads.front().weights;
    const auto pair = attn::telling_pair(run.trace, weights);
    return pair ? std::clamp(pair->query + run.trace[weights].rows.first, 0, count - 1) : count - 1;
}

void fill_tower(const attn::Trace& trace, int followed, Tower& tower, const std::stop_token& stop) {
    const int main = static_cast<int>(tower.sides.size()) - 1, count = count_of(trace, false);
    followed = std::clamp(followed, 0, std::max(0, count - 1));
    choose_words(tower.sides.back(), count, followed, given_by(trace, tower, count, followed, [&](const TowerFloor& f) { return f.side == main && !f.crosses(); }));
    if (main > 0) {
        const int sources = count_of(trace, true);
        const auto given = given_by(trace, tower, sources, followed, [](const TowerFloor& f) { return f.crosses(); });
        const auto most = given.empty() ? 0 : static_cast<int>(std::max_element(given.begin(), given.end()) - given.begin());
        choose_words(tower.sides.front(), sources, most, given);
    }
    for (TowerFloor& floor : tower.floors) {
        const auto& queries = tower.sides[static_cast<std::size_t>(floor.side)].tokens;
        const auto& keys = tower.sides[static_cast<std::size_t>(floor.keys_of)].tokens;
        for (TowerHead& head : floor.heads) {
            if (stop.stop_requested()) return;
            const attn::Step& step = trace[head.weights];
            const attn::FrozenMatrix held = step.value;
            head.keys = static_cast<int>(keys.size());
            head.shares.clear();
            for (const int query : queries)
                for (const int key : keys) head.shares.push_back(weight_between(step, held.matrix(), query, key));
        }
    }
}

const std::vector<attn::LikelyWord>* TowerLens::at(int layer, int token) const {
    const auto found = std::find(tokens.begin(), tokens.end(), token);
    if (found == tokens.end() || layer < 0 || layer > layers) return nullptr;
    return &cells[static_cast<std::size_t>(layer) * tokens.size() + static_cast<std::size_t>(found - tokens.begin())];
}

TowerLens read_tower(const attn::Run& run, const attn::Document& document, const Tower& tower, const std::stop_token& stop) {
    TowerLens out;
    const attn::StepId said = attn::logits_step(run.trace);
    if (said == attn::kNoStep || run.trace[said].value.size() == 0) return out;
    const attn::Step& logits = run.trace[said];
    const bool labels = attn::shows_picture(document);
    const int rows = static_cast<int>(logits.value.rows()), first = logits.rows.kind == Axis::Kind::Tokens ? logits.rows.first : 0;
    out.behind = !labels && attn::looks_back_only(run.config);
    out.followed = tower.followed_token();
    std::vector<int> wanted;
    for (const int token : tower.answers().tokens)
        if (token - first >= 0 && token - first < rows) wanted.push_back(token);
    // Consecutive rows are read together.
    std::vector<attn::LensGrid> grids;
    std::vector<std::pair<int, int>> runs;  // ranges of `wanted`
    for (std::size_t i = 0; i < wanted.size();) {
        std::size_t end = i + 1;
        while (end < wanted.size() && wanted[end] == wanted[end - 1] + 1) ++end;
        attn::LensGrid grid = attn::lens_grid(run, wanted[i] - first, static_cast<int>(end - i), kLensTop, stop);
        if (grid.cells.empty()) return {};
        grids.push_back(std::move(grid));
        runs.emplace_back(static_cast<int>(i), static_cast<int>(end - i));
        i = end;
    }
    if (grids.empty()) return out;
    out.layers = grids.front().layers;
    out.tokens = wanted;
    for (int layer = 0; layer <= out.layers; ++layer)
        for (std::size_t g = 0; g < grids.size(); ++g)
            for (int r = 0; r < runs[g].second; ++r) out.cells.push_back(grids[g].at(layer, r));
    const auto* answers = out.at(out.layers, out.followed);
    if (!answers || answers->empty()) return out;
    out.answer = answers->front();
    attn::Run own = run;
    out.way = attn::ranks_in_lens(own.trace, attn::read_lens(own, out.followed - first), out.answer.id);
    return out;
}

std::vector<TowerAsk> strongest_asks(const Tower& tower, int most) {
    std::vector<TowerAsk> all;
    const int side = static_cast<int>(tower.sides.size()) - 1, followed = tower.answers().followed;
    for (std::size_t f = 0; f < tower.floors.size(); ++f) {
        const TowerFloor& floor = tower.floors[f];
        if (floor.side != side) continue;
        for (std::size_t h = 0; h < floor.heads.size(); ++h) {
            TowerAsk best{static_cast<int>(f), static_cast<int>(h), -1, 0};
            for (int key = 0; key < floor.heads[h].keys; ++key) {
                if (!floor.crosses() && key == followed) continue;
                const float weight = floor.heads[h].share(followed, key);
                if (std::isfinite(weight) && weight > best.weight) best.key = key, best.weight = weight;
            }
            if (best.key >= 0) all.push_back(best);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const TowerAsk& a, const TowerAsk& b) { return a.weight > b.weight; });
    if (static_cast<int>(all.size()) > most) all.resize(static_cast<std::size_t>(std::max(0, most)));
    std::stable_sort(all.begin(), all.end(), [](const TowerAsk& a, const TowerAsk& b) { return a.floor < b.floor; });
    return all;
}

}  // namespace app
