#pragma once
// How often a head's answers were right in tests, by the weight that they had.

#include <array>
#include <span>
#include <vector>

#include "core/base/matrix.h"
#include "core/model/model.h"

namespace attn::train {

/// Counts by the largest weight whether the word with that weight was the right one.
struct Surety {
    static constexpr std::array<double, 9> kFrom = {0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    std::array<int, kFrom.size()> count{}, right{};
    /// One question: a row of weights, the first position of each word, and the position of the answer.
    void add(const Eigen::Ref<const RowVector>& weights, std::span<const int> same, int answer);
    void add(const Surety& other);
    /// In the form that models store.
    std::vector<SureAt> rows() const;
};

/// Rounds to the measured precision of three digits.
double three_digits(double share);

}  // namespace attn::train
