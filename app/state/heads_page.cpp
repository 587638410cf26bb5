// The pages of lines and of small maps: what is drawn of the heads that are looked at, each alone or together.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/state/heads_parts.h"

namespace app {
namespace {

/// More lines than these are told of, and the thickest are drawn: beyond them nothing can be told apart.
constexpr int kMostLines = 1200, kMostSmallLines = 60;
/// A small picture shows at most this share of each row: the rest is mist.
constexpr double kSmallKeep = 0.8;
/// A picture of the strongest heads is at most this many cells wide at its finest, and at its coarsest.
constexpr int kFinest = 1024, kCoarsest = 32;

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

constexpr float kNobody = -std::numeric_limits<float>::infinity();

/// A level and the weights that it is about, which tell the strongest even where their colours end.
struct Strongest {
    StrongestLevel level;
    attn::Matrix best;

    Strongest(int block, Eigen::Index rows, Eigen::Index cols)
        : level{block, attn::Matrix::Constant(rows, cols, kNobody)}, best(attn::Matrix::Zero(rows, cols)) {}
    void offer(Eigen::Index row, Eigen::Index col, float weight, float code) {
        if (weight <= best(row, col)) return;
        best(row, col) = weight;
        level.code(row, col) = code;
    }
};

Strongest strongest_in(attn::MapRefs maps, int block, float most) {
    const Eigen::Index rows = maps[0]->rows(), cols = maps[0]->cols();
    Strongest out(block, (rows + block - 1) / block, (cols + block - 1) / block);
    for (std::size_t i = 0; i < maps.size(); ++i)
        for (Eigen::Index r = 0; r < rows; ++r)
            for (Eigen::Index c = 0; c < cols; ++c)
                if (const float w = (*maps[i])(r, c); std::isfinite(w))
                    out.offer(r / block, c / block, w,
                              StrongestLevel::code_of(static_cast<int>(i), most > 0 ? std::min(w / most, 1.0f) : 0));
    return out;
}

/// Half as many cells along each side: of four the one with the largest weight.
Strongest halved(const Strongest& from) {
    const Eigen::Index rows = from.best.rows(), cols = from.best.cols();
    Strongest out(from.level.block * 2, (rows + 1) / 2, (cols + 1) / 2);
    for (Eigen::Index r = 0; r < rows; ++r)
        for (Eigen::Index c = 0; c < cols; ++c) out.offer(r / 2, c / 2, from.best(r, c), from.level.code(r, c));
    return out;
}

std::shared_ptr<const std::vector<StrongestLevel>> strongest_levels(attn::MapRefs maps, float most) {
    auto out = std::make_shared<std::vector<StrongestLevel>>();
    if (maps.empty() || maps[0]->size() == 0) return out;
    const auto longest = static_cast<int>(std::max(maps[0]->rows(), maps[0]->cols()));
    int block = 1;
    while (longest > kFinest * block) block *= 2;
    Strongest at = strongest_in(maps, block, most);
    for (;;) {
        out->push_back(at.level);
        if (std::max(at.best.rows(), at.best.cols()) <= kCoarsest) return out;
        at = halved(at);
    }
}

/// What several heads say together, of places that somebody looks at.
void put_together(const HeadsData& data, HeadsPlace& place, bool average, bool largest, bool strongest) {
    const std::vector<const attn::Matrix*> maps = data.of_place(place);
    if (average && !place.average) {
        place.average = std::make_shared<const attn::Matrix>(attn::average_of(maps));
        place.average_spread = spread_of(*place.average);
    }
    if (largest && !place.largest) place.largest = std::make_shared<const attn::Matrix>(attn::largest_of(maps));
    if (strongest && !place.strongest) place.strongest = strongest_levels(maps, place.spread.colored());
}

/// A head's weights where it is the strongest.
SharedMatrix strongest_alone(attn::MapRefs maps, std::size_t head) {
    attn::Matrix out = *maps[head];
    for (int r = 0; r < static_cast<int>(out.rows()); ++r)
        for (int c = 0; c < static_cast<int>(out.cols()); ++c)
            if (attn::strongest_at(maps, r, c) != static_cast<int>(head))
                out(r, c) = std::numeric_limits<float>::quiet_NaN();
    return std::make_shared<const attn::Matrix>(std::move(out));
}

void draw_heads(HeadsData& data, const HeadsPlace& place, const HeadsChoice& choice) {
    const bool strongest = choice.shown == "strongest";
    const std::vector<const attn::Matrix*> maps = data.of_place(place);
    const auto heads = static_cast<int>(maps.size());
    const auto lit = [&](int head) {
        return strongest || choice.only.empty() ||
               std::find(choice.only.begin(), choice.only.end(), head) != choice.only.end();
    };
    const bool any = std::any_of(choice.only.begin(), choice.only.end(), [&](int head) { return head < heads; });
    for (int head = 0; head < heads; ++head) {
        if (any && !lit(head)) continue;
        const auto index = static_cast<std::size_t>(head), map = static_cast<std::size_t>(place.maps[index]);
        const SharedMatrix shown = strongest ? strongest_alone(maps, index) : data.weights[map];
        data.drawn.push_back({head, shown, strongest ? spread_of(*shown).most : data.spreads[map].most, {}, {}});
    }
}

std::vector<int> inside(const std::vector<int>& picked, Eigen::Index count) {
    std::vector<int> out;
    std::copy_if(picked.begin(), picked.end(), std::back_inserter(out), [&](int i) { return i >= 0 && i < count; });
    return out;
}

void make_lines(const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop) {
    HeadsPlace& place = out.places[static_cast<std::size_t>(out.place)];
    put_together(out, place, choice.shown == "average", choice.shown == "largest", choice.shown == "strongest");
    out.drawn.clear();
    if (choice.shown == "average")
        out.drawn.push_back({-1, place.average, place.average_spread.most, {}, {}});
    else if (choice.shown == "largest")
        out.drawn.push_back({-1, place.largest, place.spread.most, {}, {}});
    else
        draw_heads(out, place, choice);
    std::vector<const attn::Matrix*> maps;
    const std::vector<int> queries = inside(choice.queries, place.queries()), keys = inside(choice.keys, place.keys());
    for (DrawnMap& map : out.drawn) {
        map.received = attn::sum_of_rows(*map.weights, queries);
        map.given = attn::sum_of_cols(*map.weights, keys);
        maps.push_back(map.weights.get());
    }
    out.lines = attn::strongest_lines(
        maps, {.keep = static_cast<double>(choice.keep), .queries = queries, .keys = keys, .most = kMostLines}, stop);
}

void make_grid(const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop) {
    for (HeadsPlace& place : out.places) put_together(out, place, true, true, true);
    out.small.clear();
    if (!choice.small_lines) return;
    for (const SharedMatrix& weights : out.weights) {
        const attn::Matrix* const map = weights.get();
        out.small.push_back(attn::strongest_lines({&map, 1},
                                                  {.keep = std::min(kSmallKeep, static_cast<double>(choice.keep)),
                                                   .queries = {},
                                                   .keys = {},
                                                   .most = kMostSmallLines},
                                                  stop));
    }
}

/// From the token that regions are looked at from to the patch that has most of its weight.
QueryKey region_pair(const HeadsChoice& choice, const HeadsData& data) {
    const attn::Matrix& weights = data.weights_of(*data.here(), data.head);
    QueryKey out{choice.queries.empty() ? 0 : std::min(choice.queries.front(), static_cast<int>(weights.rows()) - 1), 1};
    for (int key = 1; key < static_cast<int>(weights.cols()); ++key)
        if (std::abs(weights(out.query, key)) > std::abs(weights(out.query, out.key))) out.key = key;
    return out;
}

}  // namespace

HeadsChoice read_by_page(const HeadsChoice& choice) {
    HeadsChoice out = choice;
    out.matrix = HeadsChoice{}.matrix;
    out.after = HeadsChoice{}.after;
    return out;
}

void make_heads_page(const attn::Trace& trace, const HeadsChoice& choice, int head, const LookedAt& cells,
                     HeadsData& out, const std::stop_token& stop) {
    out.place = place_asked(out, choice.at);
    out.at_first.reset();
    out.page = heads_page(choice.page);
    if (out.place < 0 || stop.stop_requested()) return;
    ++out.page_revision;
    out.head = std::clamp(head, 0, static_cast<int>(out.here()->maps.size()) - 1);
    if (out.map().rows() > 0) {
        const QueryKey first = out.page == "regions" && out.picture ? region_pair(choice, out) : first_pair(trace, out);
        const attn::Cell weight = out.map().cell(trace, first.query, first.key);
        if (weight.step != attn::kNoStep) out.at_first = weight;
    }
    if (out.page == "lines") make_lines(choice, out, stop);
    if (out.page == "grid") make_grid(choice, out, stop);
    if (out.page == "through") make_through(trace, choice, out, stop);
    if (out.page == "neuron") make_neuron(trace, cells, out);
    if (out.page == "plane") make_plane(trace, choice, cells, out);
}

}  // namespace app
