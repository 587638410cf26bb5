#include "app/shell/waker.h"

#include <utility>

namespace app {

void Waker::open(std::function<void()> post) {
    const std::lock_guard lock(mutex_);
    post_ = std::move(post);
}

void Waker::close() { open({}); }

void Waker::wake() {
    const std::lock_guard lock(mutex_);
    if (post_) post_();
}

}  // namespace app
