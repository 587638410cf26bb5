#pragma once
// The engine's threads: work that is many independent parts is shared out among them. What is computed never depends on
// how many there are.

#include <cstddef>
#include <memory>

namespace attn {

/// How many threads a large product is shared between, the caller's own included; at the start as many as the machine has
/// processors (or ATTENSCOPE_THREADS). For the whole process; 1: no thread is ever made.
int threads();
void set_threads(int count);

/// A reference to something that is called with a part's number: what is handed over lives longer than the call.
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

/// Numbers that will be read next: threads that wait for work bring them from memory nearer meanwhile, as many as a core's
/// cache holds. What is said later takes the place of what was said before; numbers that are gone by then do no harm.
void will_read(const float* numbers, std::ptrdiff_t count);

void run_parts(int parts, PartWork work);

/// Calls work(0) … work(parts − 1), each once, and returns when all are done. Where `work` throws (memory that is refused)
/// no further part is begun, and the first exception comes out here. Safe from several threads: whoever comes while the engine's
/// threads are busy does its own work itself.
template <class Work>
void share_parts(int parts, const Work& work) {
    if (parts == 1) return work(0);
    run_parts(parts, PartWork(work));
}

/// Calls work(first, past) for the rows 0 … rows − 1 in blocks, shared where they come to more than a few microseconds:
/// `cost` is about how many simple operations a row takes.
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
