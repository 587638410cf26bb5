#pragma once
// What heads do over many texts, since a single text may mislead.

#include <array>
#include <map>
#include <span>
#include <vector>

#include "core/analysis/head_roles.h"

namespace attn {

/// Running mean and deviation of numbers added one by one, in float64 (Welford 1962).
class Moments {
public:
    void add(double value);
    int count() const { return count_; }
    double mean() const;       ///< NaN: no numbers
    double deviation() const;  ///< sample deviation (count − 1); NaN: fewer than two
private:
    int count_ = 0;
    double mean_ = 0, squares_ = 0;
};

/// One head over all texts that had it.
struct HeadOverTexts {
    Tag tag;                                 ///< of the weights
    std::array<Moments, kHeadRoles> shares;  ///< the mean of each text in which the role has keys counts once
    std::array<Moments, kHeadRoles> chances;
    Moments spread;
    /// Weights by the distance from the key to the query: 0 is the token itself, −1 the one after it. Each pair visible
    /// to the query counts once, in rows with more than one visible key. Empty if queries and keys are of two texts.
    std::map<int, Moments> by_distance;
};

class HeadsOverTexts {
public:
    void add(const Trace& trace);
    int texts() const { return texts_; }
    /// In order of first appearance.
    std::span<const HeadOverTexts> heads() const { return heads_; }

private:
    HeadOverTexts& head_of(const Tag& tag);
    std::vector<HeadOverTexts> heads_;
    int texts_ = 0;
};

}  // namespace attn
