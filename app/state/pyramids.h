#pragma once
// Pyramids of the matrices on the screen: each is made once, on a separate thread, and cached within a budget.

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/draw/pyramid.h"
#include "app/state/worker.h"
#include "app/timeline/step_ranges.h"
#include "core/trace/step_value.h"

namespace app {

/// Which matrix of which run: equal keys mean equal numbers. `only`: a single way of pooling (PyramidBuilder). `afar`:
/// only its smallest level, for pictures no larger than that.
struct PyramidKey {
    int matrix = 0;
    std::uint64_t generation = 0;
    std::optional<Pooling> only{};
    bool afar = false;
    auto operator<=>(const PyramidKey&) const = default;
};

class Pyramids {
public:
    /// What all pyramids together may take. The least recently used are evicted first, but none that this frame uses.
    static constexpr std::size_t kBudget = std::size_t{256} << 20;

    Pyramids();
    ~Pyramids();
    Pyramids(const Pyramids&) = delete;
    Pyramids& operator=(const Pyramids&) = delete;

    /// The runs that are on the screen.
    using Generations = std::array<std::uint64_t, 4>;
    /// Begins a frame: drops what belongs to other generations.
    void begin(const Generations& live);
    /// Null: not ready; it is being made from now on. `owner` keeps `value` alive and unchanged meanwhile; without an
    /// owner the numbers are copied.
    const Pyramid* get(PyramidKey key, const attn::Matrix& value, std::shared_ptr<const void> owner);
    /// The same for an evicted value, which is never held whole for this: its blocks of rows are recomputed and
    /// discarded one after the other. `also` is called with the range of its numbers, on the thread.
    template <class Also>
    const Pyramid* survey(PyramidKey key, const attn::StepValue& value, const Also& also) {
        bool fresh = false;
        const Pyramid* there = find_or_add(key, fresh);
        if (fresh) go_through(key, value, also);
        return there;
    }
    /// Starts to recompute an evicted value that takes long, once for these generations; then calls `also`.
    void see(const attn::StepValue& value, std::function<void()> also);
    /// The pyramid if it is ready; requests nothing. Valid for this frame.
    const Pyramid* peek(PyramidKey key) const;
    /// Of the current job, 0 … 1; 1 if there is none.
    float progress() const;
    bool busy() const;
    /// A pyramid became ready since the last begin().
    bool ready() const;
    /// Blocks until nothing is being made.
    void wait();
    /// Called from the thread when a pyramid is ready.
    void on_ready(Wake wake);
    std::size_t bytes() const;

private:
    struct Entry {
        std::shared_ptr<const Pyramid> pyramid;  ///< null: being made
        std::uint64_t used = 0;                  ///< number of the frame that last used it
    };
    /// Null: being made, or, with `fresh` set, to be requested by the caller.
    const Pyramid* find_or_add(PyramidKey key, bool& fresh);
    void go_through(PyramidKey key, const attn::StepValue& value, std::function<void(const StepRange&)> also);
    /// What a job does with its result.
    Worker::Keep keep(PyramidKey key, std::optional<Pyramid> made);
    std::size_t sum() const;
    void fit();

    // All but `done_` are guarded by the worker's lock.
    std::map<PyramidKey, Entry> entries_;
    std::uint64_t frame_ = 0;
    Generations live_{};
    bool news_ = false;
    std::set<const attn::Recipe*> requested_;
    std::atomic<float> done_ = 1;
    Worker worker_;  ///< last, so that it ends before what it writes
};

}  // namespace app
