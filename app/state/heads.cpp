#include "app/state/heads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/state/heads_parts.h"
#include "app/state/inspection_parts.h"

namespace app {
namespace {

/// More lines than these are told of, and the thickest are drawn: beyond them nothing can be told apart.
constexpr int kMostLines = 1200, kMostSmallLines = 60;
/// A small picture shows at most this share of each row: the rest is mist.
constexpr double kSmallKeep = 0.8;

float largest_in(const attn::Matrix& weights) {
    float most = 0;
    for (Eigen::Index i = 0; i < weights.size(); ++i)
        if (std::isfinite(weights.data()[i])) most = std::max(most, weights.data()[i]);
    return most;
}

std::vector<attn::Matrix> of_place(const HeadsData& data, const HeadsPlace& place) {
    std::vector<attn::Matrix> out;
    for (const int map : place.maps) out.push_back(data.weights[static_cast<std::size_t>(map)]);
    return out;
}

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

/// The place that was asked for; else one of the same part, of the text itself, the first.
int place_asked(const HeadsData& data, attn::Tag at) {
    const auto find = [&](auto good) {
        const auto found = std::find_if(data.places.begin(), data.places.end(), good);
        return found == data.places.end() ? -1 : static_cast<int>(found - data.places.begin());
    };
    int place = find([&](const HeadsPlace& p) { return p.at.part == at.part && p.at.layer == at.layer; });
    if (place < 0) place = find([&](const HeadsPlace& p) { return p.at.part == at.part; });
    if (place < 0) place = find([](const HeadsPlace& p) { return p.at.part == attn::Part::Main; });
    return place < 0 && !data.places.empty() ? 0 : place;
}

/// Each head's weights where it is the strongest.
std::vector<attn::Matrix> strongest_alone(const HeadsPlace& place, std::vector<attn::Matrix> maps) {
    for (std::size_t i = 0; i < maps.size(); ++i)
        for (Eigen::Index r = 0; r < maps[i].rows(); ++r)
            for (Eigen::Index c = 0; c < maps[i].cols(); ++c)
                if (place.strongest(r, c) != static_cast<int>(i))
                    maps[i](r, c) = std::numeric_limits<float>::quiet_NaN();
    return maps;
}

void draw_heads(const HeadsData& data, const HeadsPlace& place, const HeadsChoice& choice,
                std::vector<DrawnMap>& drawn) {
    const bool strongest = choice.shown == "strongest";
    std::vector<attn::Matrix> maps = of_place(data, place);
    if (strongest) maps = strongest_alone(place, std::move(maps));
    const auto lit = [&](int head) {
        return strongest || choice.only.empty() ||
               std::find(choice.only.begin(), choice.only.end(), head) != choice.only.end();
    };
    const bool any = std::any_of(choice.only.begin(), choice.only.end(),
                                 [&](int head) { return head < static_cast<int>(maps.size()); });
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (!any || lit(static_cast<int>(i))) drawn.push_back({static_cast<int>(i), std::move(maps[i]), 0, {}, {}});
}

std::vector<int> inside(const std::vector<int>& picked, Eigen::Index count) {
    std::vector<int> out;
    std::copy_if(picked.begin(), picked.end(), std::back_inserter(out), [&](int i) { return i >= 0 && i < count; });
    return out;
}

void make_lines(const HeadsChoice& choice, HeadsData& out) {
    const HeadsPlace& place = *out.here();
    out.drawn.clear();
    if (choice.shown == "average" || choice.shown == "largest")
        out.drawn.push_back({-1, choice.shown == "average" ? place.average : place.largest, 0, {}, {}});
    else
        draw_heads(out, place, choice, out.drawn);
    std::vector<attn::Matrix> maps;
    const std::vector<int> queries = inside(choice.queries, place.average.rows()),
                           keys = inside(choice.keys, place.average.cols());
    for (DrawnMap& map : out.drawn) {
        map.most = largest_in(map.weights);
        map.received = attn::sum_of_rows(map.weights, queries);
        map.given = attn::sum_of_cols(map.weights, keys);
        maps.push_back(map.weights);
    }
    out.lines = attn::strongest_lines(
        maps, {.keep = static_cast<double>(choice.keep), .queries = queries, .keys = keys, .most = kMostLines});
}

void make_grid(const HeadsChoice& choice, HeadsData& out) {
    out.small.clear();
    if (!choice.small_lines) return;
    for (const attn::Matrix& weights : out.weights)
        out.small.push_back(
            attn::strongest_lines({&weights, 1}, {.keep = std::min(kSmallKeep, static_cast<double>(choice.keep)),
                                                  .queries = {},
                                                  .keys = {},
                                                  .most = kMostSmallLines}));
}

}  // namespace

std::string_view heads_page(std::string_view asked) {
    for (const std::string_view page : kHeadsPages)
        if (page == asked) return page;
    return kHeadsPages[0];
}

void make_heads(const attn::Trace& trace, const AxisLabels& labels, const HeadsChoice& choice, HeadsData& out) {
    ++out.revision;
    out.maps = attn::attention_maps(trace);
    out.weights.clear();
    out.places.clear();
    out.most = 0;
    for (std::size_t i = 0; i < out.maps.size(); ++i) {
        const attn::AttentionMap& map = out.maps[i];
        HeadsPlace& place = place_of(out, map.tag.of_head(attn::kNoHead));
        if (place.maps.empty()) {
            name_tokens(trace, labels, map, place);
            hide(choice, place);
        }
        place.maps.push_back(static_cast<int>(i));
        const attn::Matrix whole = attn::weights_of(trace, map);
        place.hidden_weight += attn::weight_on(whole, place.hidden);
        const bool some = std::find(place.hidden.begin(), place.hidden.end(), true) != place.hidden.end();
        out.weights.push_back(some ? attn::without_keys(whole, place.hidden, choice.renormalise) : whole);
        out.most = std::max(out.most, largest_in(out.weights.back()));
    }
    for (HeadsPlace& place : out.places) {
        const std::vector<attn::Matrix> maps = of_place(out, place);
        place.hidden_weight /= static_cast<double>(maps.size());
        place.average = attn::average_of(maps);
        place.largest = attn::largest_of(maps);
        place.strongest = attn::strongest_of(maps);
    }
}

void make_heads_page(const attn::Trace& trace, const HeadsChoice& choice, int head, const LookedAt& cells,
                     HeadsData& out) {
    out.place = place_asked(out, choice.at);
    out.at_first.reset();
    if (out.place < 0) return;
    ++out.page_revision;
    out.head = std::clamp(head, 0, static_cast<int>(out.here()->maps.size()) - 1);
    if (out.map().rows() > 0) {
        const QueryKey first = first_pair(out);
        const attn::Cell weight = out.map().cell(trace, first.query, first.key);
        if (weight.step != attn::kNoStep) out.at_first = weight;
    }
    const std::string_view page = heads_page(choice.page);
    if (page == "lines") make_lines(choice, out);
    if (page == "grid") make_grid(choice, out);
    if (page == "neuron") make_neuron(trace, cells, out);
    if (page == "plane") make_plane(trace, choice, cells, out);
}

std::optional<QueryKey> query_key_of(const attn::Trace& trace, const attn::AttentionMap& map, attn::Cell cell) {
    const attn::Tag tag = trace[cell.step].tag;
    if (!in_score_family(tag.role) || tag.head != map.tag.head || tag.layer != map.tag.layer ||
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
    if (!place || at.query >= place->strongest.rows() || at.key >= place->strongest.cols()) return std::nullopt;
    const int strongest = place->strongest(at.query, at.key);
    const int index = head >= 0 ? head : strongest >= 0 ? strongest : data.head;
    if (index >= static_cast<int>(place->maps.size())) return std::nullopt;
    const attn::AttentionMap& map = data.maps[static_cast<std::size_t>(place->maps[static_cast<std::size_t>(index)])];
    const attn::Cell cell = map.cell(trace, at.query, at.key);
    if (cell.step == attn::kNoStep) return std::nullopt;
    return CellRef{trace[cell.step].tag, cell.row, cell.col};
}

}  // namespace app
