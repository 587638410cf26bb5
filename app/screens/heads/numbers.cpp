// The numbers behind the heads screen: each map as shown, and the combinations of one place's maps. For a long text,
// maps are computed one after the other, and only those that are shown as a whole are kept.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/screens/heads/parts.h"
#include "core/base/parallel.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// Maximum width in cells of a picture of the strongest heads, at the finest level and at the coarsest.
constexpr int kFinest = 1024, kCoarsest = 32;
constexpr float kNobody = -std::numeric_limits<float>::infinity();

/// A step's own numbers if they are the whole map; else a copy of its rows.
SharedMatrix numbers_of(const attn::Trace& trace, const attn::AttentionMap& map) {
    const attn::StepId step = map.places.empty() ? attn::kNoStep : map.places.front().step;
    const bool whole = step != attn::kNoStep && map.places.back().step == step &&
                       trace[step].value.rows() == map.rows() && trace[step].value.cols() == map.cols;
    if (whole) return trace[step].value.held();
    return std::make_shared<const attn::Matrix>(attn::weights_of(trace, map));
}

/// The map in the requested measure; for a run that mixes no values, its weights.
SharedMatrix numbers_in(const attn::Trace& trace, const attn::AttentionMap& map, attn::Measure measure) {
    if (measure == attn::Measure::Weight) return numbers_of(trace, map);
    auto made = attn::map_in(trace, map, measure);
    return made ? std::make_shared<const attn::Matrix>(std::move(*made)) : nullptr;
}

bool hides(const HeadsPlace& place) {
    return std::find(place.hidden.begin(), place.hidden.end(), true) != place.hidden.end();
}

SharedMatrix without_hidden(SharedMatrix numbers, const HeadsChoice& choice, const HeadsPlace& place) {
    if (!hides(place)) return numbers;
    return std::make_shared<const attn::Matrix>(attn::without_keys(*numbers, place.hidden, choice.renormalise));
}

SharedFar far_of(const attn::Matrix& map) {
    auto pyramid = build_pyramid(map);
    auto out = std::make_shared<FarMap>();
    out->block = 1 << pyramid->levels.size();
    out->cells = std::move(pyramid->levels.back());
    return out;
}

/// Finds the strongest head for each block, given one head after the other.
class StrongestHeads {
public:
    void add(const attn::Matrix& map, int head) {
        if (head_.size() == 0) begin(map);
        attn::share_rows(head_.rows(), static_cast<double>(map.cols() * block_), [&](std::ptrdiff_t first, std::ptrdiff_t past) {
            for (Eigen::Index r = first * block_; r < std::min(past * block_, map.rows()); ++r)
                for (Eigen::Index block = 0; block < head_.cols(); ++block) {
                    const Eigen::Index begin = block * block_, end = std::min(begin + block_, map.cols());
                    float most = 0;
                    for (Eigen::Index c = begin; c < end; ++c)
                        if (const float w = map(r, c); std::isfinite(w)) most = std::max(most, w);
                    offer(r / block_, block, most, static_cast<float>(head));
                }
        });
    }
    /// `most` has full colour.
    std::shared_ptr<const std::vector<StrongestLevel>> levels(float most) {
        auto out = std::make_shared<std::vector<StrongestLevel>>();
        while (head_.size() > 0) {
            out->push_back({static_cast<int>(block_), codes(most)});
            if (std::max(head_.rows(), head_.cols()) <= kCoarsest) break;
            halve();
        }
        return out;
    }

private:
    void begin(const attn::Matrix& map) {
        const auto longest = static_cast<int>(std::max(map.rows(), map.cols()));
        while (longest > kFinest * block_) block_ *= 2;
        empty((map.rows() + block_ - 1) / block_, (map.cols() + block_ - 1) / block_);
    }
    void empty(Eigen::Index rows, Eigen::Index cols) {
        head_ = attn::Matrix::Constant(rows, cols, kNobody);
        best_ = attn::Matrix::Zero(rows, cols);
    }
    void offer(Eigen::Index row, Eigen::Index col, float weight, float head) {
        if (weight <= best_(row, col)) return;
        best_(row, col) = weight;
        head_(row, col) = head;
    }
    attn::Matrix codes(float most) const {
        attn::Matrix out = head_;
        for (Eigen::Index i = 0; i < out.size(); ++i)
            if (head_.data()[i] >= 0)
                out.data()[i] = StrongestLevel::code_of(static_cast<int>(head_.data()[i]), most > 0 ? std::min(best_.data()[i] / most, 1.0f) : 0);
        return out;
    }
    /// Half as many cells along each side: of four, the one with the largest weight.
    void halve() {
        const attn::Matrix heads = std::move(head_), best = std::move(best_);
        block_ *= 2;
        empty((best.rows() + 1) / 2, (best.cols() + 1) / 2);
        for (Eigen::Index r = 0; r < best.rows(); ++r)
            for (Eigen::Index c = 0; c < best.cols(); ++c) offer(r / 2, c / 2, best(r, c), heads(r, c));
    }

    Eigen::Index block_ = 1;
    attn::Matrix head_, best_;
};

/// Combinations of several heads, which need not be in memory at the same time.
struct Together {
    bool average = false, largest = false, strongest = false;
    attn::AverageMap mean{};
    attn::Matrix most{};
    StrongestHeads heads{};

    void add(const attn::Matrix& map, int head) {
        if (average) mean.add(map);
        if (strongest) heads.add(map, head);
        if (largest) attn::raise_to(map, most);
    }
};

SharedMatrix share(attn::Matrix map) { return std::make_shared<const attn::Matrix>(std::move(map)); }

}  // namespace

SharedMatrix shown_map(const attn::Trace& trace, const HeadsChoice& choice, const HeadsPlace& place, const HeadsData& data, int map) {
    const auto i = static_cast<std::size_t>(map);
    return data.weights[i] ? data.weights[i] : without_hidden(numbers_in(trace, data.maps[i], data.measure), choice, place);
}

void discard_maps(HeadsPlace& place, HeadsData& out) {
    if (!place.is_large()) return;
    for (const int map : place.maps) out.weights[static_cast<std::size_t>(map)].reset();
    place.average.reset();
    place.largest.reset();
}

namespace {

/// What is always computed from a map, whatever is shown of it.
void tell(const attn::Trace& trace, const attn::Matrix& shown, std::size_t map, HeadsPlace& place, HeadsData& out) {
    const attn::AttentionMap& of = out.maps[map];
    const bool one_text = of.queries.kind == of.keys.kind &&
                          (of.queries.kind == attn::Axis::Kind::Tokens || of.queries.kind == attn::Axis::Kind::SourceTokens);
    if (one_text) out.roles[map] = attn::head_roles_of(trace, of);
    out.spreads[map] = spread_of(shown);
    place.spread.most = std::max(place.spread.most, out.spreads[map].most);
    place.spread.bulk = std::max(place.spread.bulk, out.spreads[map].bulk);
    out.most = std::max(out.most, place.spread.most);
}

void put_together(Together& made, const Wanted& wanted, bool afar, HeadsPlace& place) {
    if (made.average) {
        SharedMatrix average = share(made.mean.average());
        place.average_spread = spread_of(*average);
        if (afar) place.far_average = far_of(*average);
        if (wanted.average) place.average = std::move(average);
    }
    if (made.largest) {
        SharedMatrix largest = share(std::move(made.most));
        if (afar) place.far_largest = far_of(*largest);
        if (wanted.largest) place.largest = std::move(largest);
    }
    if (made.strongest) place.strongest = made.heads.levels(place.spread.colored());
}

}  // namespace

void look_through(const attn::Trace& trace, const HeadsChoice& choice, const Wanted& wanted, HeadsPlace& place, HeadsData& out,
                  const std::stop_token& stop, const SoFar& so_far) {
    const bool afar = wanted.from_afar && !place.from_afar, first = !place.looked_through;
    if (place.is_large() && !wanted.average) place.average.reset();
    if (place.is_large() && !wanted.largest) place.largest.reset();
    Together together{afar || (wanted.average && !place.average), afar || (wanted.largest && !place.largest),
                      (afar || wanted.strongest) && !place.strongest};
    const bool all = first || afar || together.average || together.largest || together.strongest;
    if (first) place.hidden_weight = 0;  // left from an interrupted run
    for (std::size_t head = 0; head < place.maps.size() && !stop.stop_requested(); ++head) {
        const attn::PinScope pins;  // what is recomputed for one head is released before the next
        const auto map = static_cast<std::size_t>(place.maps[head]);
        const bool whole = std::find(wanted.heads.begin(), wanted.heads.end(), static_cast<int>(head)) != wanted.heads.end();
        SharedMatrix shown = all || whole ? shown_map(trace, choice, place, out, place.maps[head]) : nullptr;
        if (first && hides(place)) place.hidden_weight += attn::weight_on(*numbers_in(trace, out.maps[map], out.measure), place.hidden);
        if (first) tell(trace, *shown, map, place, out);
        if (all) together.add(*shown, static_cast<int>(head));
        if (afar) out.far[map] = far_of(*shown);
        out.weights[map] = whole ? std::move(shown) : nullptr;
        if (afar && so_far) so_far(out);
    }
    if (stop.stop_requested()) return;
    if (first) place.hidden_weight /= static_cast<double>(place.maps.size());
    place.looked_through = true;
    if (all) put_together(together, wanted, afar, place);
    place.from_afar |= afar;
}

}  // namespace app
