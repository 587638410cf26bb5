#pragma once
// A result that takes long: of several that are asked for only the newest counts.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/state/worker.h"

namespace app {

/// A result that is made on a thread, whatever it is.
class LateJob {
public:
    virtual ~LateJob() = default;
    /// The result is there and was not taken, and somebody looks at it.
    virtual bool ready() const = 0;
    /// It was asked for and is not ready, and somebody looks at it.
    virtual bool busy() const = 0;
    /// Nobody looks at it until the next take(): what is ready then waits, and is no reason for another frame.
    virtual void look_away() = 0;
    /// Until nothing is being made.
    virtual void wait() = 0;
    /// Called from the thread when a result is ready.
    virtual void on_ready(Wake wake) = 0;
};

template <class Result>
class LatestOnly final : public LateJob {
public:
    /// Makes the result from what it holds itself; where the token asks for a stop nobody wants it any more.
    using Make = std::function<Result(const std::stop_token&)>;
    /// Gives away what there is of it so far: the next take() has that, and a later one the rest.
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
    /// Nothing is wanted any more.
    void drop() {
        worker_.drop();
        take();
    }
    /// The result that became ready since; once.
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
    Worker worker_;  ///< last: it ends before what it writes
};

}  // namespace app
