// The pages of lines and of small maps: what is drawn for the selected heads, separately or combined.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/screens/heads/parts.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// The most lines; of more, the thickest are drawn, because others could not be distinguished.
constexpr int kMostLines = 1200, kMostSmallLines = 60;
/// A small picture shows the weights that add up to this share of each row: the others would only blur it.
constexpr double kSmallKeep = 0.8;
/// The share of the memory budget (core/remake/remake.h) for matrices on this screen.
constexpr double kForMaps = 0.25;

/// The requested place; else the first of the same part, else a cross-attention, else any. A single token that attends
/// to itself (a decoder that has written one word) says nothing, and comes last.
int requested_place(const HeadsData& data, attn::Tag at) {
    const auto find = [&](auto good) {
        const auto found = std::find_if(data.places.begin(), data.places.end(), good);
        return found == data.places.end() ? -1 : static_cast<int>(found - data.places.begin());
    };
    int place = find([&](const HeadsPlace& p) { return p.at.part == at.part && p.at.layer == at.layer; });
    const auto says = [&](const HeadsPlace& p) {
        const attn::AttentionMap& map = data.maps[static_cast<std::size_t>(p.maps.front())];
        return map.rows() > 1 || map.cols > 1;
    };
    if (place < 0) place = find([&](const HeadsPlace& p) { return p.at.part == at.part && says(p); });
    if (place < 0) place = find([&](const HeadsPlace& p) { return p.at.part == attn::Part::Cross && says(p); });
    if (place < 0) place = find(says);
    return place < 0 && !data.places.empty() ? 0 : place;
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

/// The heads that the page of lines draws: the selected ones if any of them exist, else all.
std::vector<int> heads_lit(const HeadsPlace& place, const HeadsChoice& choice) {
    const std::vector<int> all = all_heads(place);
    if (choice.shown == "strongest") return all;
    std::vector<int> lit;
    std::copy_if(all.begin(), all.end(), std::back_inserter(lit),
                 [&](int head) { return std::find(choice.only.begin(), choice.only.end(), head) != choice.only.end(); });
    return lit.empty() ? all : lit;
}

/// As many of these as the memory budget allows as a whole: the shown one, and the first ones.
std::vector<int> within_budget(std::vector<int> heads, const HeadsPlace& place, int shown) {
    if (!place.is_large()) return heads;
    const double each = static_cast<double>(place.queries()) * place.keys() * sizeof(float);
    const auto most = static_cast<std::size_t>(std::max(1.0, kForMaps * attn::memory_budget() / each));
    if (heads.size() <= most) return heads;
    const auto own = std::find(heads.begin(), heads.end(), shown);
    if (own != heads.end()) std::rotate(heads.begin(), own, own + 1);
    heads.resize(most);
    std::sort(heads.begin(), heads.end());
    return heads;
}

void draw_heads(HeadsData& data, const HeadsPlace& place, const HeadsChoice& choice, const std::vector<int>& heads) {
    const bool strongest = choice.shown == "strongest";
    std::vector<const attn::Matrix*> maps;
    for (const int head : heads) maps.push_back(&data.weights_of(place, head));
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto map = static_cast<std::size_t>(place.maps[static_cast<std::size_t>(heads[i])]);
        const SharedMatrix shown = strongest ? strongest_alone(maps, i) : data.weights[map];
        data.drawn.push_back({heads[i], shown, strongest ? spread_of(*shown).most : data.spreads[map].most, {}, {}});
    }
}

/// The maps that are always kept whole: all of a short text; of a long one, that of the shown head.
std::vector<int> needed(const HeadsPlace& place, int shown) {
    if (!place.is_large()) return all_heads(place);
    return shown < 0 ? std::vector<int>{} : std::vector<int>{shown};
}

std::vector<int> inside(const std::vector<int>& picked, Eigen::Index count) {
    std::vector<int> out;
    std::copy_if(picked.begin(), picked.end(), std::back_inserter(out), [&](int i) { return i >= 0 && i < count; });
    return out;
}

/// The lines of several heads whose maps stay in their file: made while the maps come by one after the other, so that
/// the strongest lines are held, and not the maps.
class LinesInPassing {
public:
    LinesInPassing(const HeadsPlace& place, const HeadsChoice& choice, const std::stop_token& stop)
        : heads_(heads_lit(place, choice)), queries_(inside(choice.queries, place.queries())), keys_(inside(choice.keys, place.keys())), stop_(stop),
          lines_({.keep = static_cast<double>(choice.keep), .queries = queries_, .keys = keys_, .most = kMostLines}, heads_.size()) {}

    /// Not for what is made of several maps, or of whole ones.
    static bool serve(const attn::Trace& trace, const HeadsData& data, const HeadsChoice& choice) {
        const HeadsPlace& place = *data.here();
        const bool changed = choice.renormalise && std::find(place.hidden.begin(), place.hidden.end(), true) != place.hidden.end();
        return data.page == "lines" && choice.shown == "heads" && !choice.matrix && !changed && data.measure == attn::Measure::Weight &&
               place.is_large() && reads_maps_from_disk(trace);
    }
    void add_to(Wanted& wanted) {
        wanted.visited = heads_;
        wanted.visit = [this](int head, const attn::Matrix& shown) {
            lines_.add(drawn_.size(), shown, stop_);
            drawn_.push_back({head, nullptr, 0, attn::sum_of_rows(shown, queries_), attn::sum_of_cols(shown, keys_)});
        };
    }
    void put_into(HeadsData& out) {
        out.left_out = 0;
        out.drawn = std::move(drawn_);
        for (DrawnMap& map : out.drawn) {
            const auto index = static_cast<std::size_t>(out.here()->maps[static_cast<std::size_t>(map.head)]);
            map.most = out.spreads[index].most;
            map.weights = out.weights[index];
        }
        out.lines = lines_.collected();
    }

private:
    std::vector<int> heads_, queries_, keys_;
    std::stop_token stop_;
    attn::LineCollector lines_;
    std::vector<DrawnMap> drawn_;
};

void make_lines(const attn::Trace& trace, const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop) {
    HeadsPlace& place = out.places[static_cast<std::size_t>(out.place)];
    out.drawn.clear();
    out.left_out = 0;
    if (choice.shown == "average") {
        out.drawn.push_back({-1, place.average, place.average_spread.most, {}, {}});
    } else if (choice.shown == "largest") {
        out.drawn.push_back({-1, place.largest, place.spread.most, {}, {}});
    } else {
        const std::vector<int> lit = heads_lit(place, choice), heads = within_budget(lit, place, out.head);
        out.left_out = static_cast<int>(lit.size() - heads.size());
        draw_heads(out, place, choice, heads);
        // If each is drawn only where it is the strongest, its other numbers are no longer needed.
        if (choice.shown == "strongest") look_through(trace, choice, {.heads = needed(place, out.head)}, place, out, stop);
    }
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

void make_small_lines(const attn::Trace& trace, const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop) {
    out.small.clear();
    out.small.resize(choice.small_lines ? out.maps.size() : 0);
    if (!choice.small_lines) return;
    for (const HeadsPlace& place : out.places)
        for (const int map : place.maps) {
            const attn::PinScope pins;
            const SharedMatrix shown = shown_map(trace, choice, place, out, map);
            const attn::Matrix* const one = shown.get();
            out.small[static_cast<std::size_t>(map)] = attn::strongest_lines({&one, 1},
                                                                              {.keep = std::min(kSmallKeep, static_cast<double>(choice.keep)),
                                                                               .queries = {},
                                                                               .keys = {},
                                                                               .most = kMostSmallLines},
                                                                              stop);
            if (stop.stop_requested()) return;
        }
}

/// What a page needs from a place, which is the shown one or another.
Wanted wanted_of(const HeadsData& data, const HeadsPlace& place, bool here, const HeadsChoice& choice, bool in_passing) {
    Wanted out;
    out.heads = needed(place, here ? data.head : -1);
    const bool large = place.is_large();
    if (data.page == "grid") {
        out.average = out.largest = !large;
        out.strongest = true;
        out.from_afar = large;
    }
    if (!here) return out;
    if (data.page == "regions") out.heads = all_heads(place);
    if (data.page != "lines" || in_passing) return out;
    out.average = choice.shown == "average";
    out.largest = choice.shown == "largest";
    out.strongest = choice.shown == "strongest" || (large && choice.shown != "heads");
    if (out.average || out.largest) return out;
    for (const int head : within_budget(heads_lit(place, choice), place, data.head)) out.heads.push_back(head);
    return out;
}

/// Makes the maps that the page needs; for long texts no others are kept.
void make_maps(const attn::Trace& trace, const HeadsChoice& choice, bool shared_scale, HeadsData& out, const std::stop_token& stop,
               const SoFar& so_far, LinesInPassing* passing) {
    for (HeadsPlace& place : out.places) {
        const bool here = &place == out.here();
        const bool needed = here || out.page == "grid" || (shared_scale && !place.looked_through);
        if (!needed) discard_maps(place, out);
        if (!needed) continue;
        Wanted wanted = wanted_of(out, place, here, choice, here && passing);
        if (here && passing) passing->add_to(wanted);
        look_through(trace, choice, wanted, place, out, stop, so_far);
    }
}

/// From the chosen query to the patch with its largest weight.
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
    // Filtering and sorting change the table only; the rest of the page stays as it is.
    out.role = HeadsChoice{}.role;
    out.only_here = HeadsChoice{}.only_here;
    out.find = HeadsChoice{}.find;
    out.times = HeadsChoice{}.times;
    out.composes = HeadsChoice{}.composes;
    return out;
}

void make_heads_page(const attn::Trace& trace, const AxisLabels& labels, const HeadsChoice& choice, int head, bool shared_scale,
                     const LookedAt& cells, HeadsData& out, const std::stop_token& stop, const SoFar& so_far) {
    out.page = heads_page(choice.page, out.aligns(), out.picture.has_value());
    out.place = requested_place(out, choice.at);
    if (out.page == "alignment" && !out.aligns(*out.here()))
        out.place = static_cast<int>(std::find_if(out.places.begin(), out.places.end(), [&](const HeadsPlace& one) { return out.aligns(one); }) - out.places.begin());
    out.at_first.reset();
    if (out.place < 0 || stop.stop_requested()) return;
    ++out.page_revision;
    out.head = std::clamp(head, 0, static_cast<int>(out.here()->maps.size()) - 1);
    out.drawn.clear();  // another page's: freed before more is made
    std::optional<LinesInPassing> passing;
    if (LinesInPassing::serve(trace, out, choice)) passing.emplace(*out.here(), choice, stop);
    make_maps(trace, choice, shared_scale, out, stop, so_far, passing ? &*passing : nullptr);
    if (stop.stop_requested()) return;
    if (out.page == "alignment") make_alignment(trace, labels, out);
    if (out.map().rows() > 0) {
        QueryKey first = out.page == "regions" && out.picture ? region_pair(choice, out) : first_pair(trace, out);
        if (out.page == "alignment" && out.alignment.swap) first = {out.alignment.swap->query, out.alignment.swap->key + 1};
        const attn::Cell weight = out.map().cell(trace, first.query, first.key);
        if (weight.step != attn::kNoStep) out.at_first = weight;
    }
    if (passing)
        passing->put_into(out);
    else if (out.page == "lines")
        make_lines(trace, choice, out, stop);
    if (out.page == "grid") make_small_lines(trace, choice, out, stop);
    if (out.page == "through") make_through(trace, choice, out, stop);
    if (out.page == "neuron") make_neuron(trace, cells, out);
    if (out.page == "plane") make_plane(trace, choice, cells, out);
}

}  // namespace app
