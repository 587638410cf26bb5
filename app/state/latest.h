#pragma once
// A result that takes long: if several are requested, only the newest counts.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/state/worker.h"

namespace app {

/// A result that is made on a thread, of whatever type.
class LateJob {
public:
    virtual ~LateJob() = default;
    /// The result is there and not taken yet, and it is being shown.
    virtual bool ready() const = 0;
    /// The result was requested and is not ready, and it is being shown.
    virtual bool busy() const = 0;
    /// Not shown until the next take(): a finished result then waits and is no reason for another frame.
    virtual void look_away() = 0;
    /// Blocks until nothing is being made.
    virtual void wait() = 0;
    /// Called from the thread when a result is ready.
    virtual void on_ready(Wake wake) = 0;
};

template <class Result>
class LatestOnly final : public LateJob {
public:
    /// Makes the result from its captures alone; a stop request means that the result is no longer wanted.
    using Make = std::function<Result(const std::stop_token&)>;
    /// Publishes a partial result: the next take() returns it, and a later one the rest.
    using SoFar = std::function<void(const Result&)>;
    using MakeByParts = std::function<Result(const std::stop_token&, const SoFar&)>;

    void ask(Make make) {
        ask_by_parts([make = std::move(make)](const std::stop_token& stop, const SoFar&) { return make(stop); });
    }
    void ask_by_parts(MakeByParts make) {
        drop();
        worker_.add([this, make = std::move(make)](const std::stop_token& stop) -> Worker::Keep {
            const SoFar so_far = [&](const Result& part) { worker_.keep_so_far(stop, [&] { result_ = part; }); };
            auto made = std::make_shared<Result>(make(stop, so_far));
            return [this, made] { result_ = std::move(*made); };
        });
    }
    /// Cancels what was requested.
    void drop() {
        worker_.drop();
        take();
    }
    /// The result, if one became ready since the last call; returned once.
    std::optional<Result> take() {
        looked_at_ = true;
        const auto lock = worker_.lock();
        return std::exchange(result_, std::nullopt);
    }
    bool ready() const override {
        const auto lock = worker_.lock();
        return looked_at_ && result_.has_value();
    }
    bool busy() const override { return looked_at_ && worker_.busy(); }
    void look_away() override { looked_at_ = false; }
    void wait() override { worker_.wait(); }
    void on_ready(Wake wake) override { worker_.on_ready(std::move(wake)); }

private:
    bool looked_at_ = true;
    std::optional<Result> result_;
    Worker worker_;  ///< last, so that it ends before what it writes
};

}  // namespace app
