#include "app/state/heads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/anim/pyramid.h"
#include "app/state/heads_parts.h"
#include "app/state/inspection_parts.h"

namespace app {
namespace {

/// Pictures of larger matrices are drawn from far away: there a few large weights would leave the rest white.
constexpr Eigen::Index kBulkFrom = Eigen::Index{256} * 256;
/// More cells than these are looked through on a thread: a millisecond for each of the heads.
constexpr Eigen::Index kAtOnce = Eigen::Index{512} * 512;

std::string name_of_row(const attn::Trace& trace, const AxisLabels& labels, attn::Cell row) {
    return labels.of(trace[row.step].rows, row.row);
}

HeadsPlace& place_of(HeadsData& out, attn::Tag at) {
    for (HeadsPlace& place : out.places)
        if (place.at == at) return place;
    out.places.emplace_back().at = at;
    return out.places.back();
}

void name_tokens(const attn::Trace& trace, const AxisLabels& labels, const attn::AttentionMap& map, HeadsPlace& place) {
    for (const attn::Cell& row : map.places) place.query_names.push_back(name_of_row(trace, labels, row));
    for (int c = 0; c < map.cols; ++c) place.key_names.push_back(labels.of(map.keys, c));
}

void hide(const HeadsChoice& choice, HeadsPlace& place) {
    place.hidden.assign(place.key_names.size(), false);
    for (std::size_t c = 0; c < place.hidden.size(); ++c)
        place.hidden[c] =
            (choice.hide_first && c == 0) || (choice.hide_special && attn::is_special_token(place.key_names[c]));
}

/// A step's own numbers where they are the whole map; else a copy of its rows.
SharedMatrix numbers_of(const attn::Trace& trace, const attn::AttentionMap& map) {
    const attn::StepId step = map.places.empty() ? attn::kNoStep : map.places.front().step;
    const bool whole = step != attn::kNoStep && map.places.back().step == step &&
                       trace[step].value.rows() == map.rows() && trace[step].value.cols() == map.cols;
    if (whole) return trace[step].value.held();
    return std::make_shared<const attn::Matrix>(attn::weights_of(trace, map));
}

/// The map in the measure that was asked for; of a run without values to mix its weights.
SharedMatrix numbers_in(const attn::Trace& trace, const attn::AttentionMap& map, attn::Measure measure) {
    if (measure == attn::Measure::Weight) return numbers_of(trace, map);
    auto made = attn::map_in(trace, map, measure);
    return made ? std::make_shared<const attn::Matrix>(std::move(*made)) : nullptr;
}

bool hides(const HeadsPlace& place) {
    return std::find(place.hidden.begin(), place.hidden.end(), true) != place.hidden.end();
}

}  // namespace

Spread spread_of(const attn::Matrix& weights) {
    Spread out;
    for (Eigen::Index i = 0; i < weights.size(); ++i)
        if (std::isfinite(weights.data()[i])) out.most = std::max(out.most, std::abs(weights.data()[i]));
    if (weights.size() > kBulkFrom) out.bulk = bulk_of(weights);
    return out;
}

bool HeadsPlace::is_large() const { return Eigen::Index{queries()} * keys() > kAtOnce; }

std::vector<const attn::Matrix*> HeadsData::of_place(const HeadsPlace& from) const {
    std::vector<const attn::Matrix*> out;
    for (const int map : from.maps) out.push_back(weights[static_cast<std::size_t>(map)].get());
    return out;
}

bool has_large_heads(const attn::Trace& trace) {
    Eigen::Index cells = 0;
    for (const attn::Step& step : trace.steps)
        if (step.tag.role == attn::Role::Weights && step.tag.pass == 0) cells += step.value.size();
    return cells > kAtOnce;
}

std::string_view heads_page(std::string_view asked) {
    for (const std::string_view page : kHeadsPages)
        if (page == asked) return page;
    return kHeadsPages[0];
}

void make_heads(const std::shared_ptr<const Computed>& run, const AxisLabels& labels, const HeadsChoice& choice,
                HeadsData& out, const std::stop_token& stop) {
    const attn::Trace& trace = run->run.trace;
    ++out.revision;
    out.maps = attn::attention_maps(trace);
    out.weights.clear();
    out.spreads.clear();
    out.roles.clear();
    out.places.clear();
    out.most = 0;
    out.picture = picture_of(run->run);
    out.measure = attn::find_measure(choice.measure).value_or(attn::Measure::Weight);
    // One measure for all maps, so that they can be compared.
    for (const attn::AttentionMap& map : out.maps)
        if (out.measure != attn::Measure::Weight && !attn::map_in(trace, map, out.measure)) out.measure = attn::Measure::Weight;
    for (std::size_t i = 0; i < out.maps.size() && !stop.stop_requested(); ++i) {
        const attn::AttentionMap& map = out.maps[i];
        HeadsPlace& place = place_of(out, map.tag.of_head(attn::kNoHead));
        if (place.maps.empty()) {
            name_tokens(trace, labels, map, place);
            hide(choice, place);
        }
        place.maps.push_back(static_cast<int>(i));
        SharedMatrix shown = numbers_in(run->run.trace, map, out.measure);
        if (hides(place)) {
            place.hidden_weight += attn::weight_on(*shown, place.hidden);
            shown = std::make_shared<const attn::Matrix>(attn::without_keys(*shown, place.hidden, choice.renormalise));
        }
        const bool one_text = map.queries.kind == attn::Axis::Kind::Tokens && map.keys.kind == attn::Axis::Kind::Tokens;
        out.roles.push_back(one_text ? std::optional(attn::head_roles_of(trace, map)) : std::nullopt);
        out.spreads.push_back(spread_of(*shown));
        out.weights.push_back(std::move(shown));
        place.spread.most = std::max(place.spread.most, out.spreads.back().most);
        place.spread.bulk = std::max(place.spread.bulk, out.spreads.back().bulk);
        out.most = std::max(out.most, place.spread.most);
    }
    for (HeadsPlace& place : out.places) place.hidden_weight /= static_cast<double>(place.maps.size());
}

std::optional<QueryKey> query_key_of(const attn::Trace& trace, const attn::AttentionMap& map, attn::Cell cell) {
    const attn::Tag tag = trace[cell.step].tag;
    if (!in_score_family(tag) || tag.head != map.tag.head || tag.layer != map.tag.layer ||
        tag.part != map.tag.part)
        return std::nullopt;
    for (int r = 0; r < map.rows(); ++r) {
        const attn::Cell place = map.places[static_cast<std::size_t>(r)];
        const bool same =
            trace[place.step].tag.time == tag.time ? place.row == cell.row : tag.time == attn::kNoTime && r == cell.row;
        if (same && cell.col < trace[place.step].value.cols()) return QueryKey{r, cell.col};
    }
    return std::nullopt;
}

std::optional<CellRef> weight_at(const attn::Trace& trace, const HeadsData& data, int head, QueryKey at) {
    const HeadsPlace* place = data.here();
    if (!place || at.query >= place->queries() || at.key >= place->keys()) return std::nullopt;
    const int strongest = head < 0 ? attn::strongest_at(data.of_place(*place), at.query, at.key) : -1;
    const int index = head >= 0 ? head : strongest >= 0 ? strongest : data.head;
    if (index >= static_cast<int>(place->maps.size())) return std::nullopt;
    const attn::AttentionMap& map = data.maps[static_cast<std::size_t>(place->maps[static_cast<std::size_t>(index)])];
    const attn::Cell cell = map.cell(trace, at.query, at.key);
    if (cell.step == attn::kNoStep) return std::nullopt;
    return CellRef{trace[cell.step].tag, cell.row, cell.col};
}

}  // namespace app
