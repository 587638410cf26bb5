#pragma once
// How sure a head's answers were when it was tested, by the weight that they had.

#include <array>
#include <span>
#include <vector>

#include "core/base/matrix.h"
#include "core/model/model.h"

namespace attn::train {

/// How often the word with the largest weight was the right one, by that weight.
struct Surety {
    static constexpr std::array<double, 9> kFrom = {0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    std::array<int, kFrom.size()> count{}, right{};
    /// One question: a row of weights, the first place of each word, and the place of the answer.
    void add(const Eigen::Ref<const RowVector>& weights, std::span<const int> same, int answer);
    void add(const Surety& other);
    /// As a model keeps them.
    std::vector<SureAt> rows() const;
};

/// Three digits are what was measured.
double three_digits(double share);

}  // namespace attn::train
