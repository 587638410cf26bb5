#pragma once
// The engine with each vector width of this machine and with several numbers of threads: results must be the same.

#include <string>

#include "core/base/parallel.h"
#include "core/kernels/widths.h"

namespace attn::test {

/// Forces a vector width and a number of threads, and restores the previous ones at its end.
class Forced {
public:
    Forced(vectors::Width width, int thread_count) : width_(vectors::chosen()), threads_(threads()) {
        vectors::choose(width);
        set_threads(thread_count);
    }
    Forced(const Forced&) = delete;
    Forced& operator=(const Forced&) = delete;
    ~Forced() {
        vectors::choose(width_);
        set_threads(threads_);
    }

private:
    vectors::Width width_;
    int threads_;
};

/// Calls check("avx2, 3 threads") for every width, with 1, 2 and 3 threads each.
template <class Check>
void with_every_width(const Check& check) {
    for (const vectors::Width width : vectors::widths())
        for (const int count : {1, 2, 3}) {
            const Forced forced(width, count);
            check(std::string(vectors::width_id(width)) + ", " + std::to_string(count) + " threads");
        }
}

}  // namespace attn::test
