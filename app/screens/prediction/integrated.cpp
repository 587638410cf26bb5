#include "app/screens/prediction/integrated.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/document/take.h"

namespace app {
namespace {

constexpr std::size_t kRememberedShares = 16;
/// The count of runs is shown this often.
constexpr std::chrono::milliseconds kBetweenCounts{100};

IntegratedRequest integrated_request(const AppState& state, const PredictionData& data) {
    const IntegratedLook& look = state.view.part<PredictionLook>().integrated;
    IntegratedRequest out{.document = attn::for_prediction(state.document), .row = data.row, .target = data.target.id, .against = {}, .from = look.from(), .points = look.points};
    out.document.gradient.reset();
    if (data.against) out.against = data.against->id;
    return out;
}

}  // namespace

IntegratedWork go_on_integrating(const attn::Run& run, IntegratedWork work, const std::stop_token& stop, const std::function<void(const IntegratedWork&)>& so_far) {
    const IntegratedRequest& of = *work.of;
    const auto fails = [&](const attn::Error& error) {
        if (!stop.stop_requested()) work.error = error.message;
        return work;
    };
    if (!work.path) {
        auto path = attn::begin_gradient_path(of.document, run, {.row = of.row, .target = of.target, .against = of.against}, of.from, of.points);
        if (!path) return fails(path.error());
        work.path = std::move(*path);
        if (so_far) so_far(work);
    }
    const auto compute = [&](const attn::Document& document, const attn::OtherRuns& others) { return attn::run(document, stop, {}, others); };
    auto reported = std::chrono::steady_clock::now();
    while (!work.path->finished() && !stop.stop_requested()) {
        const auto done = attn::go_on_path(of.document, run, *work.path, compute);
        if (!done) return fails(done.error());
        const auto now = std::chrono::steady_clock::now();
        if (!so_far || now - reported < kBetweenCounts) continue;
        so_far(work);
        reported = now;
    }
    if (!work.path->finished()) return work;
    work.made = attn::sum_of_path(run, *work.path);
    work.path.reset();
    return work;
}

void IntegratedMaker::halt() {
    if (!running_) return;
    job_.drop();
    running_ = false;
}

void IntegratedMaker::rest(Derived& derived) {
    halt();
    if (std::as_const(derived).part<IntegratedData>().computing) derived.part<IntegratedData>().computing = false;
}

void IntegratedMaker::turn_to(IntegratedRequest request) {
    halt();
    if (now_.made) {
        if (past_.size() == kRememberedShares) past_.erase(past_.begin());
        past_.push_back(std::move(now_));
    }
    now_ = {};
    const auto there = std::ranges::find_if(past_, [&](const IntegratedWork& one) { return *one.of == request; });
    if (there != past_.end()) {
        now_ = std::move(*there);
        past_.erase(there);
    }
    now_.of = std::move(request);
    shown_ = false;
}

void IntegratedMaker::show(IntegratedData& out) {
    out.made = now_.made;
    out.largest_first.clear();
    for (std::size_t part = 0; out.made && part < out.made->parts.size(); ++part)
        for (int token = 0; token < static_cast<int>(out.made->parts[part].sources.size()); ++token)
            out.largest_first.push_back({part, token, out.made->parts[part].sources[static_cast<std::size_t>(token)]});
    std::ranges::stable_sort(out.largest_first, std::ranges::greater{}, [](const IntegratedData::Token& one) { return std::abs(one.share); });
    out.largest = out.largest_first.empty() ? 0 : std::abs(out.largest_first.front().share);
}

void IntegratedMaker::follow(const AppState& state, Derived& derived) {
    const PredictionData& data = std::as_const(derived).part<PredictionData>();
    IntegratedData& out = derived.part<IntegratedData>();
    if (auto made = job_.take()) {
        now_ = std::move(*made);
        shown_ = false;
        if (now_.finished()) running_ = false;
    }
    if (derived.computing || data.computing || data.generation != derived.generation || data.row < 0) {
        halt();
        out.computing = false;
        return;
    }
    const IntegratedLook& look = state.view.part<PredictionLook>().integrated;
    // The document is copied and compared only where something changed.
    const Key key{derived.generation, data.row, data.target.id, data.against ? std::optional(data.against->id) : std::nullopt, look.baseline, look.points};
    if (key_ != key) {
        key_ = key;
        IntegratedRequest request = integrated_request(state, data);
        if (!now_.of || !(*now_.of == request)) turn_to(std::move(request));
    }
    if (now_.finished() || look.stopped)
        halt();
    else if (!running_) {
        running_ = true;
        ++made_;
        job_.ask_by_parts([run = derived.computed, begun = now_](const std::stop_token& stop, const auto& so_far) { return go_on_integrating(run->run, begun, stop, so_far); });
    }
    out.generation = derived.generation;
    out.computing = running_;
    out.runs = static_cast<std::size_t>(look.points) + 1;
    out.done = now_.made ? out.runs : now_.path ? static_cast<std::size_t>(now_.path->done) : 0;
    out.error = now_.error;
    if (!shown_) show(out);
    shown_ = true;
}

}  // namespace app
