#include "app/cli/long_run.h"

#include <fmt/format.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "app/cli/interrupt.h"
#include "core/document_gradient.h"
#include "core/progress.h"

namespace app {
namespace {

/// Multiply-adds a second of one slow core: what is announced is rather too long than too short.
constexpr double kWorkInASecond = 5e8;
constexpr double kLongSeconds = 3;
constexpr int kTenths = 10;
constexpr std::chrono::milliseconds kBetweenLooks{20};

bool is_long(const attn::Document& document) { return attn::work_of(document) > kLongSeconds * kWorkInASecond; }

/// Who asks for it here wants it, and nothing else.
attn::Error no_gradient(const attn::Document& document) {
    return {fmt::format("\"{}\" is not in this computation: there is no such step, row or column; `attenscope trace` names the steps",
                        attn::gradient_text(*document.gradient)), "", "gradient", 0};
}

}  // namespace

void announce(const attn::Document& document, Streams& streams) {
    if (!is_long(document)) return;
    note(streams, fmt::format("this may take {:.0f} s; Ctrl+C stops it", attn::work_of(document) / kWorkInASecond));
    streams.err.flush();
}

attn::Result<attn::Run> run_watched(const attn::Document& document, Streams& streams) {
    const Interrupt interrupt;
    announce(document, streams);
    int told = 0;
    const bool tells = is_long(document);
    const attn::Progress progress([&](double share) {
        const int tenth = static_cast<int>(share * kTenths);
        if (!tells || tenth <= told || tenth >= kTenths) return;
        told = tenth;
        note(streams, fmt::format("{} %", tenth * 100 / kTenths));
        streams.err.flush();
    });
    // Looks for the signal while this thread computes.
    std::stop_source stop;
    const std::jthread look([&](const std::stop_token& ended) {
        while (!ended.stop_requested() && !interrupt.requested()) std::this_thread::sleep_for(kBetweenLooks);
        if (interrupt.requested()) stop.request_stop();
    });
    auto run = attn::run(document, stop.get_token());
    if (run && run->no_gradient) return no_gradient(document);
    if (!run && interrupt.requested()) {
        note(streams, "interrupted; nothing was written");
        streams.err.flush();  // the signal ends the program as soon as `interrupt` goes
    }
    return run;
}

}  // namespace app
