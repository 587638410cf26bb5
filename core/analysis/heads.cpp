#include "core/analysis/heads.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/kernels/multiply.h"

namespace attn {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

bool is_map(Role role) { return role == Role::Weights || role == Role::LocalWeights; }

/// The map that a step of weights belongs to; a new one if there is none yet.
AttentionMap& map_of(std::vector<AttentionMap>& maps, Tag tag) {
    tag.time = kNoTime;
    tag.role = Role::Weights;
    for (AttentionMap& map : maps)
        if (map.tag == tag) return map;
    maps.emplace_back().tag = tag;
    return maps.back();
}

/// Whether the Gaussian of a predicted window is applied to this step; then its result mixes the values.
bool has_gaussian(const Trace& t, const Step& step) {
    return step.tag.role == Role::Weights && find(t, step.tag.as(Role::LocalWeights)) != nullptr;
}

/// Rows of several times that were stacked afterwards: the original steps are used instead.
bool repeats_times(const Trace& t, const Step& step) {
    return step.tag.time == kNoTime && step.op == Op::Stack && !step.inputs.empty() &&
           t[step.inputs[0]].tag.time != kNoTime;
}

/// The step with the same cells that the weights were computed from: the chain from the weights up to the scores before
/// any mask.
StepId cells_before(const Step& step) {
    switch (step.op) {
        case Op::Multiply:
            return step.tag.role == Role::LocalWeights ? step.inputs[0] : kNoStep;
        case Op::Softmax:
        case Op::Sparsemax:
        case Op::TopK:
        case Op::TopP:
        case Op::Mask:
            return step.inputs[0];
        default:  // the scores themselves: nothing above hides keys
            return kNoStep;
    }
}

/// Calls visit(r) for each row of a matrix; large ones on several threads.
template <class Visit>
void each_row(const Matrix& of, Visit visit) {
    share_rows(of.rows(), static_cast<double>(of.cols()), [&](std::ptrdiff_t first, std::ptrdiff_t past) {
        for (std::ptrdiff_t r = first; r < past; ++r) visit(r);
    });
}

bool is_finite_row(const Matrix& of, Eigen::Index row) { return all_finite(of, row, row + 1, {0, of.cols()}); }

bool has_finite_rows(const Matrix& of) {
    std::atomic<bool> finite = true;
    share_rows(of.rows(), static_cast<double>(of.cols()), [&](std::ptrdiff_t first, std::ptrdiff_t past) {
        if (!all_finite(of, first, past, {0, of.cols()})) finite = false;
    });
    return finite;
}

bool counts(float weight) { return std::isfinite(weight) && weight > 0; }

}  // namespace

Cell AttentionMap::cell(const Trace& trace, int row, int col) const {
    const Cell place = places[static_cast<std::size_t>(row)];
    if (col >= trace[place.step].value.cols()) return {kNoStep, 0, 0};
    return {place.step, place.row, col};
}

bool writes_own_place(const Trace& trace) {
    return std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& step) { return step.tag.role == Role::State; });
}

std::vector<AttentionMap> attention_maps(const Trace& trace) {
    std::vector<AttentionMap> maps;
    for (StepId id = 0; id < trace.size(); ++id) {
        const Step& step = trace[id];
        if (!is_map(step.tag.role) || step.tag.pass != 0 || has_gaussian(trace, step) || repeats_times(trace, step)) continue;
        AttentionMap& map = map_of(maps, step.tag);
        if (map.places.empty()) {
            map.queries = step.rows;
            map.keys = step.cols;
        }
        map.cols = std::max(map.cols, static_cast<int>(step.value.cols()));
        for (int r = 0; r < static_cast<int>(step.value.rows()); ++r) map.places.push_back({id, r, 0});
    }
    return maps;
}

VisibleKeys::VisibleKeys(const Trace& trace, const AttentionMap& map) : map_(map) {
    StepId before = kNoStep;
    for (const Cell& place : map.places) {
        if (place.step != before) {
            const Step& weights = trace[place.step];
            Source& source = sources_.emplace_back();
            source.weights = &static_cast<const Matrix&>(weights.value);
            source.from_file = weights.op == Op::Input;
            for (StepId id = place.step; id != kNoStep; id = cells_before(trace[id]))
                if (trace[id].op == Op::Mask) source.masks.push_back(&static_cast<const Matrix&>(trace[trace[id].inputs[1]].value));
            before = place.step;
        }
        of_row_.push_back(static_cast<std::uint32_t>(sources_.size()) - 1);
    }
}

const float* VisibleKeys::weights(int row) const {
    return source(row).weights->row(map_.places[static_cast<std::size_t>(row)].row).data();
}

int VisibleKeys::keys(int row) const { return static_cast<int>(source(row).weights->cols()); }

int VisibleKeys::of(int row, std::span<std::uint8_t> out) const {
    const Source& from = source(row);
    const int place = map_.places[static_cast<std::size_t>(row)].row;
    const std::size_t keys = std::min(out.size(), static_cast<std::size_t>(from.weights->cols()));
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    std::fill_n(out.begin(), keys, std::uint8_t{1});
    if (from.from_file)
        for (std::size_t c = 0; c < keys; ++c) out[c] = (*from.weights)(place, static_cast<Eigen::Index>(c)) > 0;
    for (const Matrix* mask : from.masks) {
        const float* const shown = mask->row(place).data();
        for (std::size_t c = 0; c < std::min(keys, static_cast<std::size_t>(mask->cols())); ++c) out[c] &= static_cast<std::uint8_t>(shown[c] != 0);
    }
    return static_cast<int>(std::count(out.begin(), out.end(), std::uint8_t{1}));
}

/// Of this row alone: weights may be in a file, or not at hand.
std::vector<bool> visible_keys(const Trace& trace, const AttentionMap& map, int row) {
    const Cell place = map.places[static_cast<std::size_t>(row)];
    const Step& weights = trace[place.step];
    std::vector<bool> out(static_cast<std::size_t>(map.cols));
    const auto keys = std::min(map.cols, static_cast<int>(weights.value.cols()));
    const auto see = [&](const RowVector& numbers, auto shows) {
        for (int c = 0; c < std::min(keys, static_cast<int>(numbers.size())); ++c) out[static_cast<std::size_t>(c)] = out[static_cast<std::size_t>(c)] && shows(numbers(c));
    };
    std::fill_n(out.begin(), keys, true);
    if (weights.op == Op::Input) see(weights.value.one_row(place.row), [](float weight) { return weight > 0; });
    for (StepId id = place.step; id != kNoStep; id = cells_before(trace[id]))
        if (trace[id].op == Op::Mask) see(trace[trace[id].inputs[1]].value.one_row(place.row), [](float shown) { return shown != 0; });
    return out;
}

Matrix weights_of(const Trace& trace, const AttentionMap& map) {
    Matrix out = Matrix::Constant(map.rows(), map.cols, kNothing);
    for (int r = 0; r < map.rows(); ++r) {
        const Cell place = map.places[static_cast<std::size_t>(r)];
        const Matrix& value = trace[place.step].value;
        out.row(r).head(value.cols()) = value.row(place.row);
    }
    return out;
}

bool is_special_token(std::string_view token) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMarks = {
        {{"[", "]"}, {"<|", "|>"}, {"<", ">"}}};
    constexpr std::array<std::string_view, 15> kNames = {"PAD", "CLS", "DIST", "SEP",  "MASK", "UNK", "BOS", "EOS",
                                                         "pad", "unk", "mask", "s",    "/s",  "bos", "eos"};
    for (const auto& [open, close] : kMarks) {
        if (token.size() <= open.size() + close.size() || !token.starts_with(open) || !token.ends_with(close)) continue;
        const std::string_view name = token.substr(open.size(), token.size() - open.size() - close.size());
        if (open == "<|" || std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
    }
    return false;
}

Matrix without_keys(const Matrix& weights, const std::vector<bool>& hidden, bool renormalise) {
    assert(static_cast<Eigen::Index>(hidden.size()) == weights.cols());
    Matrix out = weights;
    for (Eigen::Index r = 0; r < out.rows(); ++r) {
        double left = 0;
        for (Eigen::Index c = 0; c < out.cols(); ++c) {
            if (hidden[static_cast<std::size_t>(c)])
                out(r, c) = kNothing;
            else if (std::isfinite(out(r, c)))
                left += static_cast<double>(out(r, c));
        }
        if (renormalise && left > 0) out.row(r) = (out.row(r).cast<double>() / left).cast<float>();
    }
    return out;
}

double weight_on(const Matrix& weights, const std::vector<bool>& hidden) {
    double on = 0, all = 0;
    for (Eigen::Index r = 0; r < weights.rows(); ++r)
        for (Eigen::Index c = 0; c < weights.cols(); ++c) {
            if (!std::isfinite(weights(r, c))) continue;
            all += static_cast<double>(weights(r, c));
            if (hidden[static_cast<std::size_t>(c)]) on += static_cast<double>(weights(r, c));
        }
    return all > 0 ? on / all : 0;
}

float average_at(MapRefs maps, int row, int col) {
    double sum = 0;
    int count = 0;
    for (const Matrix* map : maps)
        if (const float w = (*map)(row, col); std::isfinite(w)) {
            sum += static_cast<double>(w);
            ++count;
        }
    return count > 0 ? static_cast<float>(sum / count) : kNothing;
}

void AverageMap::add(const Matrix& map) {
    const bool first = maps_++ == 0;
    if (first) {
        sum_.resize(map.rows(), map.cols());
        ask_large_pages(sum_.data(), static_cast<std::size_t>(sum_.size()) * sizeof(double));
    }
    if (missing_.size() == 0 && !has_finite_rows(map)) missing_.setZero(map.rows(), map.cols());
    each_row(map, [&](Eigen::Index r) {
        auto sum = sum_.row(r);
        if (missing_.size() == 0) {
            if (first)
                sum = map.row(r).cast<double>();
            else
                sum += map.row(r).cast<double>();
            return;
        }
        for (Eigen::Index c = 0; c < map.cols(); ++c) {
            const bool there = std::isfinite(map(r, c));
            sum(c) = (first ? 0.0 : sum(c)) + (there ? static_cast<double>(map(r, c)) : 0.0);
            missing_(r, c) = static_cast<std::uint16_t>(missing_(r, c) + (there ? 0 : 1));
        }
    });
}

Matrix AverageMap::average() const {
    Matrix out(sum_.rows(), sum_.cols());
    ask_large_pages(out.data(), static_cast<std::size_t>(out.size()) * sizeof(float));
    each_row(out, [&](Eigen::Index r) {
        if (missing_.size() == 0) {
            out.row(r) = (sum_.row(r) / static_cast<double>(maps_)).cast<float>();
            return;
        }
        for (Eigen::Index c = 0; c < out.cols(); ++c) {
            const int count = maps_ - missing_(r, c);
            out(r, c) = count > 0 ? static_cast<float>(sum_(r, c) / count) : kNothing;
        }
    });
    return out;
}

Matrix average_of(MapRefs maps) {
    AverageMap out;
    for (const Matrix* map : maps) out.add(*map);
    return out.average();
}

void raise_to(const Matrix& map, Matrix& largest) {
    if (largest.size() == 0) {
        largest.resize(map.rows(), map.cols());
        ask_large_pages(largest.data(), static_cast<std::size_t>(largest.size()) * sizeof(float));
        each_row(map, [&](Eigen::Index r) { largest.row(r) = map.row(r); });
        return;
    }
    each_row(map, [&](Eigen::Index r) {
        if (is_finite_row(map, r) && is_finite_row(largest, r)) {
            largest.row(r) = largest.row(r).cwiseMax(map.row(r));
            return;
        }
        for (Eigen::Index c = 0; c < map.cols(); ++c)
            if (const float w = map(r, c), most = largest(r, c); std::isfinite(w) && !(most >= w)) largest(r, c) = w;
    });
}

Matrix largest_of(MapRefs maps) {
    Matrix out;
    for (const Matrix* map : maps) raise_to(*map, out);
    return out;
}

int strongest_at(MapRefs maps, int row, int col) {
    int strongest = -1;
    float best = 0;
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (const float w = (*maps[i])(row, col); counts(w) && w > best) {
            best = w;
            strongest = static_cast<int>(i);
        }
    return strongest;
}

std::vector<double> sum_of_rows(const Matrix& weights, std::span<const int> rows) {
    std::vector<double> out(static_cast<std::size_t>(weights.cols()), 0.0);
    const auto add = [&](Eigen::Index r) {
        for (Eigen::Index c = 0; c < weights.cols(); ++c)
            if (std::isfinite(weights(r, c))) out[static_cast<std::size_t>(c)] += static_cast<double>(weights(r, c));
    };
    for (const int r : rows)
        if (r >= 0 && r < weights.rows()) add(r);
    for (Eigen::Index r = 0; rows.empty() && r < weights.rows(); ++r) add(r);
    return out;
}

std::vector<double> sum_of_cols(const Matrix& weights, std::span<const int> cols) {
    const auto sum = [&](Eigen::Index r) {
        double out = 0;
        const auto add = [&](Eigen::Index c) {
            if (std::isfinite(weights(r, c))) out += static_cast<double>(weights(r, c));
        };
        for (const int c : cols)
            if (c >= 0 && c < weights.cols()) add(c);
        for (Eigen::Index c = 0; cols.empty() && c < weights.cols(); ++c) add(c);
        return out;
    };
    std::vector<double> out;
    for (Eigen::Index r = 0; r < weights.rows(); ++r) out.push_back(sum(r));
    return out;
}

}  // namespace attn
