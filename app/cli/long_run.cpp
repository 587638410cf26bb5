#include "app/cli/long_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <system_error>
#include <thread>

#include "app/shell/interrupt.h"
#include "core/base/progress.h"
#include "core/document/gradient_request.h"
#include "core/kernels/multiply.h"

namespace app {
namespace {

constexpr double kLongSeconds = 3;
/// Multiply-adds per second of one slow core, when random draws, exponentials and small products dominate: the
/// announced duration is rather too long than too short.
constexpr double kWorkInASecond = 5e8;
/// The fraction of a large product's speed that a whole run of a model reaches at least.
constexpr double kOfAProduct = 0.3;
constexpr int kTenths = 10;
constexpr std::chrono::milliseconds kBetweenLooks{20};

/// Multiply-adds per second of a product on this machine, measured now.
double measured_speed() {
    constexpr Eigen::Index kRows = 256, kInner = 512, kColumns = 512;
    constexpr int kTimes = 3;
    const attn::Matrix a = attn::Matrix::Constant(kRows, kInner, 0.5f), b = attn::Matrix::Constant(kInner, kColumns, 0.25f);
    double best = 0;
    for (int i = 0; i < kTimes; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        if (attn::multiply(a, b).size() == 0) break;
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        best = std::max(best, static_cast<double>(kRows * kInner * kColumns) / std::max(took.count(), 1e-9));
    }
    return best;
}

/// Multiply-adds per second of a model's run on this machine.
double model_speed() {
    static const double kSpeed = std::max(measured_speed() * kOfAProduct, kWorkInASecond);
    return kSpeed;
}

/// A model's run consists of large products, whose speed depends on the machine: it is measured, which takes some
/// milliseconds.
double seconds_of(const attn::Document& document) {
    const double work = attn::work_of(document);
    if (!document.model || work < kLongSeconds * kWorkInASecond) return work / kWorkInASecond;
    return work / model_speed();
}

void tell_seconds(double seconds, Streams& streams) {
    if (seconds < kLongSeconds) return;
    note(streams, fmt::format("this may take {:.0f} s; Ctrl+C stops it", seconds));
    streams.err.flush();
}

/// Here, a gradient was requested explicitly, so its absence is an error.
attn::Error no_gradient(const attn::Document& document) {
    return {fmt::format("\"{}\" is not in this computation: there is no such step, row or column; `attenscope trace` names the steps",
                        attn::gradient_text(*document.gradient)), "", "gradient", 0};
}

}  // namespace

void announce_products(double multiply_adds, Streams& streams) {
    if (multiply_adds < kLongSeconds * kWorkInASecond) return;
    tell_seconds(multiply_adds / model_speed(), streams);
}

void announce(const attn::Document& document, Streams& streams) { tell_seconds(seconds_of(document), streams); }

attn::Result<attn::Run> run_watched(const attn::Document& document, Streams& streams, const attn::OtherRuns& others) {
    const Interrupt interrupt;
    announce(document, streams);
    int reported = 0;
    const bool tells = seconds_of(document) >= kLongSeconds;
    const attn::Progress progress([&](double share) {
        const int tenth = static_cast<int>(share * kTenths);
        if (!tells || tenth <= reported || tenth >= kTenths) return;
        reported = tenth;
        note(streams, fmt::format("{} %", tenth * 100 / kTenths));
        streams.err.flush();
    });
    // Watches for the signal while this thread computes.
    std::stop_source stop;
    std::jthread look;
    try {
        look = std::jthread([&](const std::stop_token& ended) {
            while (!ended.stop_requested() && !interrupt.requested()) std::this_thread::sleep_for(kBetweenLooks);
            if (interrupt.requested()) stop.request_stop();
        });
    } catch (const std::system_error&) {
        // Without a thread, Ctrl+C is noticed when the run is over.
    }
    auto run = attn::run(document, stop.get_token(), {}, others);
    if (run && run->no_gradient) return no_gradient(document);
    if (!run && interrupt.requested()) {
        note(streams, "interrupted; nothing was written");
        streams.err.flush();  // the signal ends the program when `interrupt` is destroyed
    }
    return run;
}

}  // namespace app
