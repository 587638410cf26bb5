#include "core/base/progress.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

thread_local Progress* listening = nullptr;

constexpr double kWorthTelling = 0.005;

}  // namespace

Progress::Progress(std::function<void(double)> tell) : tell_(std::move(tell)), outer_(std::exchange(listening, this)) {}

Progress::~Progress() { listening = outer_; }

void expect_work(double multiply_adds) {
    if (listening) listening->expected_ += multiply_adds;
}

bool work_is_counted() { return listening && listening->expected_ > 0; }

void count_work(double multiply_adds) {
    Progress* const p = listening;
    if (!p || p->expected_ <= 0) return;
    p->done_ += multiply_adds;
    const double share = std::min(1.0, p->done_ / p->expected_);
    if (share < p->reported_ + kWorthTelling) return;
    p->reported_ = share;
    p->tell_(share);
}

}  // namespace attn
