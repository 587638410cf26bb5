#pragma once
// The engine's threads: work of many independent parts is split between them. Results never depend on their number.

#include <cstddef>
#include <memory>

namespace attn {

/// How many threads share a large product, the caller's included; initially as many as the machine has processors (or
/// ATTENSCOPE_THREADS). For the whole process; 1: no thread is ever started.
int threads();
void set_threads(int count);

/// A reference to a callable that takes a part's number. Does not own it: the callable must outlive the call.
class PartWork {
public:
    template <class Work>
    explicit PartWork(const Work& work)
        : work_(std::addressof(work)), call_([](const void* w, int part) { (*static_cast<const Work*>(w))(part); }) {}
    void operator()(int part) const { call_(work_, part); }

private:
    const void* work_;
    void (*call_)(const void*, int);
};

/// Hints at numbers that will be read soon: threads that wait for work prefetch them, as many as fit a core's cache. A
/// later hint replaces an earlier one; numbers freed by then do no harm.
void will_read(const float* numbers, std::ptrdiff_t count);

void run_parts(int parts, PartWork work);

/// Calls work(0) … work(parts − 1), each once, and returns when all are done. If `work` throws (out of memory), no
/// further part is begun, and the first exception is rethrown here. Thread-safe: a caller that finds the engine's
/// threads busy does its work alone.
template <class Work>
void share_parts(int parts, const Work& work) {
    if (parts == 1) return work(0);
    run_parts(parts, PartWork(work));
}

/// Calls work(first, past) for blocks of the rows 0 … rows − 1, on several threads if the whole takes more than a few
/// microseconds: `cost` is the approximate number of simple operations per row.
template <class Work>
void share_rows(std::ptrdiff_t rows, double cost, const Work& work) {
    constexpr double kWorthSharing = 100'000;
    const double whole = static_cast<double>(rows) * cost;
    const int most = whole < kWorthSharing ? 1 : threads();
    const auto parts = static_cast<int>(rows < most ? rows : most);
    if (parts <= 1) return work(std::ptrdiff_t{0}, rows);
    share_parts(parts, [&](int part) { work(rows * part / parts, rows * (part + 1) / parts); });
}

}  // namespace attn
