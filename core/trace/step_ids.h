#pragma once
// The ids of the steps that a step reads.

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace attn {

using StepId = int;

/// A short list: up to three ids, enough for nearly every step, are stored inline; longer lists (the heads that are
/// joined, the rows that are stacked) on the heap.
class StepIds {
public:
    StepIds() = default;
    StepIds(std::initializer_list<StepId> ids) { add(ids.begin(), ids.end()); }
    StepIds(const std::vector<StepId>& ids) { add(ids.data(), ids.data() + ids.size()); }
    operator std::vector<StepId>() const { return {begin(), end()}; }

    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const StepId* begin() const { return count_ <= kHere ? here_.data() : many_.data(); }
    const StepId* end() const { return begin() + count_; }
    StepId operator[](std::size_t i) const { return begin()[i]; }
    void push_back(StepId id) { add(&id, &id + 1); }

private:
    static constexpr std::size_t kHere = 3;

    void add(const StepId* first, const StepId* past) {
        const auto more = static_cast<std::size_t>(past - first);
        if (count_ + more > kHere) return add_to_many(first, past);
        for (std::size_t i = 0; i < kHere; ++i)  // a constant trip count, so that the loop is unrolled
            if (i < more) here_[count_ + i] = first[i];
        count_ += more;
    }
    void add_to_many(const StepId* first, const StepId* past);

    std::size_t count_ = 0;
    std::array<StepId, kHere> here_ = {};
    std::vector<StepId> many_;
};

}  // namespace attn
