#include "core/base/seed_memo.h"

namespace attn {

FrozenMatrix SeedMemo::get(const Key& key, const std::function<Matrix()>& make) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = values_.find(key); found != values_.end()) return found->second;
    }
    // Made outside the lock: two threads may make the same matrix, but none waits for another's.
    const FrozenMatrix made = make();
    const std::size_t size = sizeof(float) * static_cast<std::size_t>(made.size());
    if (size > kMost / 4) return made;
    const std::lock_guard lock(mutex_);
    if (bytes_ + size > kMost) {
        values_.clear();
        bytes_ = 0;
    }
    if (values_.emplace(key, made).second) bytes_ += size;
    return made;
}

std::size_t SeedMemo::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace attn
