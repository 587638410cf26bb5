#include "app/screens/heads/heads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "app/explain/blank.h"
#include "app/explain/inspection_parts.h"
#include "app/screens/heads/parts.h"
#include "core/base/parallel.h"
#include "core/kernels/multiply.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// Larger matrices are drawn at low resolution, where a few large weights would leave the rest white.
constexpr Eigen::Index kBulkFrom = Eigen::Index{256} * 256;
/// Maps with more cells are processed on a thread: a millisecond per head.
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
    std::vector<std::string> queries, keys;
    for (const attn::Cell& row : map.places) {
        queries.push_back(name_of_row(trace, labels, row));
        place.blank_queries.push_back(row.step != attn::kNoStep && is_blank_token(trace, token_at(trace[row.step].rows, row.row)));
    }
    for (int c = 0; c < map.cols; ++c) {
        keys.push_back(labels.of(map.keys, c));
        place.blank_keys.push_back(is_blank_token(trace, token_at(map.keys, c)));
    }
    place.query_names = std::move(queries);
    place.key_names = std::move(keys);
}

void hide(const HeadsChoice& choice, HeadsPlace& place) {
    place.hidden.assign(place.key_names.size(), false);
    for (std::size_t c = 0; c < place.hidden.size(); ++c)
        place.hidden[c] =
            (choice.hide_first && c == 0) || (choice.hide_special && attn::is_special_token(place.key_names[c]));
}

/// The head with the largest weight there; if not all maps are available, the strongest in the surrounding block of
/// cells. Negative: none has any weight.
int strongest_head(const attn::Trace& trace, const HeadsData& data, const HeadsPlace& place, QueryKey at) {
    const std::vector<const attn::Matrix*> maps = data.of_place(place);
    const bool all = std::find(maps.begin(), maps.end(), nullptr) == maps.end();
    if (!all && place.strongest && !place.strongest->empty()) {
        const StrongestLevel& finest = place.strongest->front();
        return StrongestLevel::head_of(finest.code(at.query / finest.block, at.key / finest.block));
    }
    int strongest = -1;
    float best = 0;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const auto row = maps[i] ? std::nullopt : row_on_disk(trace, data, place, static_cast<int>(i), at.query);
        const float w = maps[i] ? (*maps[i])(at.query, at.key) : row ? (*row)(at.key) : 0;
        if (!std::isfinite(w) || w <= best) continue;
        best = w;
        strongest = static_cast<int>(i);
    }
    return strongest;
}

}  // namespace

std::vector<int> all_heads(const HeadsPlace& place) {
    std::vector<int> out(place.maps.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
}

Spread spread_of(const attn::Matrix& weights) {
    Spread out;
    std::vector<float> most(static_cast<std::size_t>(weights.rows()), 0.0f);
    attn::share_rows(weights.rows(), static_cast<double>(weights.cols()), [&](std::ptrdiff_t first, std::ptrdiff_t past) {
        for (std::ptrdiff_t r = first; r < past; ++r) {
            float& row = most[static_cast<std::size_t>(r)];
            if (weights.cols() > 0 && attn::all_finite(weights, r, r + 1, {0, weights.cols()}))
                row = weights.row(r).cwiseAbs().maxCoeff();
            else
                for (const float w : weights.row(r)) row = std::max(row, std::isfinite(w) ? std::abs(w) : 0);
        }
    });
    for (const float row : most) out.most = std::max(out.most, row);
    if (weights.size() > kBulkFrom) out.bulk = bulk_of(weights);
    return out;
}

bool HeadsPlace::is_large() const { return Eigen::Index{queries()} * keys() > kAtOnce; }

std::size_t HeadsData::numbers_held() const {
    std::set<const void*> seen;
    std::size_t sum = 0;
    const auto add = [&](const SharedMatrix& one) {
        if (one && seen.insert(one.get()).second) sum += static_cast<std::size_t>(one->size());
    };
    const auto add_far = [&](const SharedFar& one) {
        if (one) sum += static_cast<std::size_t>(one->cells.mean.size() + one->cells.largest.size());
    };
    for (const SharedMatrix& one : weights) add(one);
    for (const DrawnMap& one : drawn) add(one.weights);
    for (const SharedFar& one : far) add_far(one);
    for (const HeadsPlace& one : places) {
        add(one.average), add(one.largest);
        add_far(one.far_average), add_far(one.far_largest);
        if (!one.strongest) continue;
        for (const StrongestLevel& level : *one.strongest) sum += static_cast<std::size_t>(level.code.size());
    }
    add(through.map);
    return sum;
}

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

bool reads_maps_from_disk(const attn::Trace& trace) {
    const auto map = std::find_if(trace.steps.begin(), trace.steps.end(),
                                  [](const attn::Step& step) { return step.tag.role == attn::Role::Weights && step.tag.pass == 0; });
    return map != trace.steps.end() && map->value.recipe() && map->value.recipe()->read_rows;
}

std::optional<attn::RowVector> row_on_disk(const attn::Trace& trace, const HeadsData& data, const HeadsPlace& place, int head, int query) {
    const attn::AttentionMap& map = data.maps[static_cast<std::size_t>(place.maps[static_cast<std::size_t>(head)])];
    const attn::Cell at = map.places[static_cast<std::size_t>(query)];
    const attn::StepValue& value = trace[at.step].value;
    if (!value.recipe() || !value.recipe()->read_rows || value.cols() != map.cols) return std::nullopt;
    attn::RowVector out = value.one_row(at.row);
    for (std::size_t key = 0; key < place.hidden.size(); ++key)
        if (place.hidden[key]) out(static_cast<Eigen::Index>(key)) = std::numeric_limits<float>::quiet_NaN();
    return out;
}

std::string_view heads_page(std::string_view requested, bool aligns, bool pictured) {
    constexpr std::string_view kAlignment = "alignment", kLines = "lines";
    if (requested.empty() && pictured) return "regions";
    if (requested.empty() || requested == kAlignment) return aligns ? kAlignment : kLines;
    for (const std::string_view page : kHeadsPages)
        if (page == requested) return page;
    return kLines;
}

bool HeadsData::aligns(const HeadsPlace& of) const {
    const attn::AttentionMap& map = maps[static_cast<std::size_t>(of.maps.front())];
    return map.queries.kind == attn::Axis::Kind::Tokens && map.keys.kind == attn::Axis::Kind::SourceTokens && map.rows() > 1 && !of.is_large();
}

void make_heads(const std::shared_ptr<const Computed>& run, const AxisLabels& labels, const HeadsChoice& choice,
                HeadsData& out, const std::stop_token& stop) {
    const attn::Trace& trace = run->run.trace;
    ++out.revision;
    out.maps = attn::attention_maps(trace);
    out.weights.assign(out.maps.size(), nullptr);
    out.far.assign(out.maps.size(), nullptr);
    out.spreads.assign(out.maps.size(), {});
    out.roles.assign(out.maps.size(), std::nullopt);
    out.places.clear();
    out.most = 0;
    out.picture = picture_of(run->run);
    out.measure = attn::find_measure(choice.measure).value_or(attn::Measure::Weight);
    // One measure for all maps, so that they can be compared.
    for (const attn::AttentionMap& map : out.maps)
        if (!attn::has_measures(trace, map)) out.measure = attn::Measure::Weight;
    for (std::size_t i = 0; i < out.maps.size(); ++i) {
        const attn::AttentionMap& map = out.maps[i];
        HeadsPlace& place = place_of(out, map.tag.of_head(attn::kNoHead));
        if (place.maps.empty()) {
            name_tokens(trace, labels, map, place);
            hide(choice, place);
        }
        place.maps.push_back(static_cast<int>(i));
    }
    for (HeadsPlace& place : out.places)
        if (!place.is_large()) look_through(trace, choice, {.heads = all_heads(place)}, place, out, stop);
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
    const int strongest = head < 0 ? strongest_head(trace, data, *place, at) : -1;
    const int index = head >= 0 ? head : strongest >= 0 ? strongest : data.head;
    if (index >= static_cast<int>(place->maps.size())) return std::nullopt;
    const attn::AttentionMap& map = data.maps[static_cast<std::size_t>(place->maps[static_cast<std::size_t>(index)])];
    const attn::Cell cell = map.cell(trace, at.query, at.key);
    if (cell.step == attn::kNoStep) return std::nullopt;
    return CellRef{trace[cell.step].tag, cell.row, cell.col};
}

}  // namespace app
