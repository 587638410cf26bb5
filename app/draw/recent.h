#pragma once
// What was computed for the most recent keys, so that a frame need not compute it again.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

namespace app {

template <class Key, class Value, std::size_t Most>
class Recent {
public:
    /// The reference is valid until the next call.
    template <class Make>
    const Value& get(const Key& key, Make make) {
        const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) { return one.first == key; });
        if (found != kept_.end()) return found->second;
        Value made = make();
        if (kept_.size() == Most) kept_.pop_front();
        return kept_.emplace_back(key, std::move(made)).second;
    }

private:
    std::deque<std::pair<Key, Value>> kept_;
};

}  // namespace app
