#include "app/state/runner.h"

#include <chrono>
#include <new>

#include "core/base/progress.h"

namespace app {
namespace {

/// More multiply-adds than this (about a millisecond) go to the thread.
constexpr double kWorkAtOnce = 2e6;
/// Progress is shown this often.
constexpr std::chrono::milliseconds kBetweenNews{100};

/// A document that cannot be run is reported at once.
bool can_wait_for(const attn::Document& doc) {
    return !attn::problems(doc).empty() || attn::work_of(doc) <= kWorkAtOnce;
}

Outcome outcome_of(const attn::Document& document, const std::stop_token& stop = {}) try {
    auto run = attn::run(document, stop);
    if (!run) return {nullptr, run.error()};
    return {compute_all(std::move(*run), stop), std::nullopt};
} catch (const std::bad_alloc&) {
    return {nullptr, attn::Error{"there is not enough memory to compute this; take a shorter text, or end other programs", "", "", 0}};
}

}  // namespace

std::shared_ptr<const Computed> compute_all(attn::Run run, const std::stop_token& stop) {
    auto computed = std::make_shared<Computed>();
    computed->run = std::move(run);
    computed->ranges = StepRanges(computed->run.trace);
    for (std::size_t i = 0; i < computed->ranges.size(); ++i) {
        if (stop.stop_requested()) return nullptr;
        if (!computed->run.trace.steps[i].value.recipe()) computed->ranges[i];  // here, not in a frame
    }
    return computed;
}

std::optional<Outcome> DocumentRunner::ask(const attn::Document& document) {
    if (can_wait_for(document)) {
        drop();
        return outcome_of(document);
    }
    share_ = 0;
    newest_.ask_by_parts([document](const std::stop_token& stop, const auto& so_far) {
        auto reported = std::chrono::steady_clock::now();
        const attn::Progress progress([&](double share) {
            const auto now = std::chrono::steady_clock::now();
            if (share >= 1 || now - reported < kBetweenNews) return;  // at 1 the run itself is about to come
            reported = now;
            so_far(Outcome{nullptr, std::nullopt, static_cast<float>(share)});
        });
        return outcome_of(document, stop);
    });
    return std::nullopt;
}

std::optional<Outcome> DocumentRunner::take() {
    auto made = newest_.take();
    share_ = made ? made->share : share_;
    return share_ < 1 ? std::nullopt : std::move(made);
}

}  // namespace app
