#pragma once
// What heads do over many texts: what one text alone shows may be chance.

#include <array>
#include <map>
#include <span>
#include <vector>

#include "core/analysis/head_roles.h"

namespace attn {

/// Of numbers that come one after the other, summed in float64 (Welford 1962).
class Moments {
public:
    void add(double value);
    int count() const { return count_; }
    double mean() const;       ///< NaN: of none
    double deviation() const;  ///< of the sample, by count − 1; NaN: of fewer than two
private:
    int count_ = 0;
    double mean_ = 0, squares_ = 0;
};

/// One head over all texts that had it.
struct HeadOverTexts {
    Tag tag;                                 ///< of the weights
    std::array<Moments, kHeadRoles> shares;  ///< each text's mean counts once, where its rows have the role
    std::array<Moments, kHeadRoles> chances;
    Moments spread;
    /// Weights by how far back the key stands from the query: 0 is the token itself, −1 the one after it. Each pair that the
    /// query may look at counts once, in rows that may look at more than one key. Empty where queries and keys are of two texts.
    std::map<int, Moments> by_distance;
};

class HeadsOverTexts {
public:
    void add(const Trace& trace);
    int texts() const { return texts_; }
    /// In the order in which they were first met.
    std::span<const HeadOverTexts> heads() const { return heads_; }

private:
    HeadOverTexts& head_of(const Tag& tag);
    std::vector<HeadOverTexts> heads_;
    int texts_ = 0;
};

}  // namespace attn
