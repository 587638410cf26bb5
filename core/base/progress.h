#pragma once
// How far a long computation is. (Whether it shall go on is cancel.h's.)

#include <functional>

namespace attn {

/// While it lives, computations of this thread tell it. One inside another takes its place.
class Progress {
public:
    /// `tell`: the share of the work that is done, 0 to 1, never going back.
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
    double expected_ = 0, done_ = 0, told_ = -1;
};

/// For the engine: how much work there will be, and how much was done, in multiply-adds.
void expect_work(double multiply_adds);
void count_work(double multiply_adds);
/// Whether somebody is told: what work there was need not be found out for nobody.
bool work_is_counted();

}  // namespace attn
