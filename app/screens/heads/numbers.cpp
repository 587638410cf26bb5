// The numbers behind the heads screen: each map as shown, and the combinations of one place's maps. For a long text,
// maps are computed one after the other, and only those that are shown as a whole are kept.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/screens/heads/parts.h"
#include "core/base/parallel.h"
#include "core/kernels/multiply.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// Maximum width in cells of a picture of the strongest heads, at the finest level and at the coarsest.
constexpr int kFinest = 1024, kCoarsest = 32;
/// Reduced maps have at least so many cells along a side: a tile of the grid is hardly larger.
constexpr int kFewest = 64;
constexpr float kNobody = -std::numeric_limits<float>::infinity();

/// A step's own numbers if they are the whole map; else a copy of its rows.
SharedMatrix numbers_of(const attn::Trace& trace, const attn::AttentionMap& map) {
    const attn::StepId step = map.places.empty() ? attn::kNoStep : map.places.front().step;
    const bool whole = step != attn::kNoStep && map.places.back().step == step &&
                       trace[step].value.rows() == map.rows() && trace[step].value.cols() == map.cols;
    if (whole) return trace[step].value.held_in_passing();
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

/// Reduced maps, and pictures of the strongest heads, of all attentions together take at most this many bytes: a file
/// may have a thousand heads.
constexpr std::size_t kAllReduced = std::size_t{128} << 20;

/// The longer side of each reduced map: kSmallestLevel, or half of it until all fit.
int far_side(std::size_t maps) {
    int side = kSmallestLevel;
    const auto bytes = [&] { return maps * 2 * sizeof(float) * static_cast<std::size_t>(side) * static_cast<std::size_t>(side); };
    while (side > kFewest && bytes() > kAllReduced) side /= 2;
    return side;
}

/// The same for the finest picture of the strongest heads of each attention; the coarser ones add a third.
int finest_side(std::size_t places) {
    int side = kFinest;
    const auto bytes = [&] { return places * sizeof(float) * static_cast<std::size_t>(side) * static_cast<std::size_t>(side) / 3 * 4; };
    while (side > kSmallestLevel && bytes() > kAllReduced) side /= 2;
    return side;
}

SharedFar far_of(const attn::Matrix& map, int side) {
    auto pyramid = build_pyramid(map, {}, nullptr, side);
    auto out = std::make_shared<FarMap>();
    out->block = 1 << pyramid->levels.size();
    out->cells = std::move(pyramid->levels.back());
    return out;
}

/// Finds the strongest head for each block, given one head after the other.
class StrongestHeads {
public:
    explicit StrongestHeads(int finest = kFinest) : finest_(finest) {}
    void add(const attn::Matrix& map, int head) {
        if (head_.size() == 0) begin(map);
        attn::share_rows(head_.rows(), static_cast<double>(map.cols() * block_), [&](std::ptrdiff_t first, std::ptrdiff_t past) {
            attn::RowVector most(map.cols());  // of each column, over the block's rows
            for (Eigen::Index row = first; row < past; ++row) {
                most.setZero();
                for (Eigen::Index r = row * block_; r < std::min((row + 1) * block_, map.rows()); ++r) raise_row(map, r, most);
                for (Eigen::Index block = 0; block < head_.cols(); ++block) {
                    const Eigen::Index begin = block * block_;
                    offer(row, block, most.segment(begin, std::min(block_, map.cols() - begin)).maxCoeff(), static_cast<float>(head));
                }
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
        while (longest > finest_ * block_) block_ *= 2;
        empty((map.rows() + block_ - 1) / block_, (map.cols() + block_ - 1) / block_);
    }
    static void raise_row(const attn::Matrix& map, Eigen::Index r, attn::RowVector& most) {
        if (attn::all_finite(map, r, r + 1, {0, map.cols()})) {
            most = most.cwiseMax(map.row(r));
            return;
        }
        for (Eigen::Index c = 0; c < map.cols(); ++c)
            if (const float w = map(r, c); std::isfinite(w)) most(c) = std::max(most(c), w);
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

    int finest_;
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

void put_together(Together& made, const Wanted& wanted, bool afar, int side, HeadsPlace& place) {
    if (made.average) {
        SharedMatrix average = share(made.mean.average());
        place.average_spread = spread_of(*average);
        if (afar) place.far_average = far_of(*average, side);
        if (wanted.average) place.average = std::move(average);
    }
    if (made.largest) {
        SharedMatrix largest = share(std::move(made.most));
        if (afar) place.far_largest = far_of(*largest, side);
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
    together.heads = StrongestHeads(finest_side(out.places.size()));
    const int side = far_side(out.maps.size());
    const bool all = first || afar || together.average || together.largest || together.strongest;
    if (first) place.hidden_weight = 0;  // left from an interrupted run
    for (std::size_t head = 0; head < place.maps.size() && !stop.stop_requested(); ++head) {
        const attn::PinScope pins;  // what is recomputed for one head is released before the next
        const auto map = static_cast<std::size_t>(place.maps[head]);
        const bool whole = std::find(wanted.heads.begin(), wanted.heads.end(), static_cast<int>(head)) != wanted.heads.end();
        const bool visited = std::find(wanted.visited.begin(), wanted.visited.end(), static_cast<int>(head)) != wanted.visited.end();
        SharedMatrix shown = all || whole || visited ? shown_map(trace, choice, place, out, place.maps[head]) : nullptr;
        if (first && hides(place)) place.hidden_weight += attn::weight_on(*numbers_in(trace, out.maps[map], out.measure), place.hidden);
        if (first) tell(trace, *shown, map, place, out);
        if (all) together.add(*shown, static_cast<int>(head));
        if (afar) out.far[map] = far_of(*shown, side);
        if (visited) wanted.visit(static_cast<int>(head), *shown);
        out.weights[map] = whole ? std::move(shown) : nullptr;
        if (afar && so_far) so_far(out);
    }
    if (stop.stop_requested()) return;
    if (first) place.hidden_weight /= static_cast<double>(place.maps.size());
    place.looked_through = true;
    if (all) put_together(together, wanted, afar, side, place);
    place.from_afar |= afar;
}

}  // namespace app
