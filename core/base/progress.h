#pragma once
// The progress of a long computation. (For cancelling it see cancel.h.)

#include <functional>

namespace attn {

/// While it lives, computations on this thread report to it. A nested one replaces it meanwhile.
class Progress {
public:
    /// `tell`: called with the share of the work that is done, 0 to 1, never decreasing.
    explicit Progress(std::function<void(double share)> tell);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    friend void expect_work(double);
    friend void count_work(double);
    friend bool work_is_counted();

    std::function<void(double)> tell_;
    Progress* outer_;
    double expected_ = 0, done_ = 0, reported_ = -1;
};

/// For the engine: how much work there will be, and how much was done, in multiply-adds.
void expect_work(double multiply_adds);
void count_work(double multiply_adds);
/// Whether anybody listens: if not, the amount of work need not be computed.
bool work_is_counted();

}  // namespace attn
