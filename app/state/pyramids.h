#pragma once
// Pyramids of the matrices that are looked at, made on a thread of their own, each once, and kept within a budget.

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

/// Which matrix of which run: the same key is the same numbers. `only`: one way of pooling (PyramidBuilder). `afar`: its
/// smallest level alone, for pictures no larger than that.
struct PyramidKey {
    int matrix = 0;
    std::uint64_t generation = 0;
    std::optional<Pooling> only{};
    bool afar = false;
    auto operator<=>(const PyramidKey&) const = default;
};

class Pyramids {
public:
    /// What the pyramids together may hold; those longest unused go first, but never one of this frame.
    static constexpr std::size_t kBudget = std::size_t{256} << 20;

    Pyramids();
    ~Pyramids();
    Pyramids(const Pyramids&) = delete;
    Pyramids& operator=(const Pyramids&) = delete;

    /// The runs that are looked at.
    using Generations = std::array<std::uint64_t, 4>;
    /// A frame begins: what belongs to other generations is dropped.
    void begin(const Generations& live);
    /// Null: it is being made from now on. `owner` keeps `value` alive and unchanged meanwhile; without one a copy of
    /// the numbers is taken.
    const Pyramid* get(PyramidKey key, const attn::Matrix& value, std::shared_ptr<const void> owner);
    /// The same of a value that was let go of and is never there whole for this: a block of rows after the other is made
    /// and forgotten. `also` is told the range of its numbers, from the thread.
    template <class Also>
    const Pyramid* survey(PyramidKey key, const attn::StepValue& value, const Also& also) {
        bool fresh = false;
        const Pyramid* there = kept(key, fresh);
        if (fresh) go_through(key, value, also);
        return there;
    }
    /// A value that was let go of and takes long to make again is made from now on, once for these generations; `also`
    /// is done with it.
    void see(const attn::StepValue& value, std::function<void()> also);
    /// The pyramid where it is there; asks for nothing. Good for this frame.
    const Pyramid* peek(PyramidKey key) const;
    /// Of what is being made, 0 … 1; 1 where nothing is.
    float progress() const;
    bool busy() const;
    /// One became ready since the last begin().
    bool ready() const;
    /// Until nothing is being made.
    void wait();
    /// Called from the thread when one is ready.
    void on_ready(Wake wake);
    std::size_t bytes() const;

private:
    struct Kept {
        std::shared_ptr<const Pyramid> pyramid;  ///< null: being made
        std::uint64_t used = 0;                  ///< by the frame of that number
    };
    /// Null: it is being made; `fresh` is set where it has to be asked for.
    const Pyramid* kept(PyramidKey key, bool& fresh);
    void go_through(PyramidKey key, const attn::StepValue& value, std::function<void(const StepRange&)> also);
    /// What a job does with what it made.
    Worker::Keep keep(PyramidKey key, std::optional<Pyramid> made);
    std::size_t sum() const;
    void fit();

    // All but `done_` under the worker's lock.
    std::map<PyramidKey, Kept> kept_;
    std::uint64_t frame_ = 0;
    Generations live_{};
    bool news_ = false;
    std::set<const attn::Recipe*> asked_;
    std::atomic<float> done_ = 1;
    Worker worker_;  ///< last: it ends before what it writes
};

}  // namespace app
