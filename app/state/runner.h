#pragma once
// Computes a document: a small one at once, a large one on a separate thread while the previous picture stays.

#include <functional>
#include <memory>
#include <optional>

#include "app/state/computed.h"
#include "app/state/latest.h"

namespace app {

/// The result of computing a document, or the reason why there is none.
struct Outcome {
    std::shared_ptr<const Computed> computed;
    std::optional<attn::Error> error;
    float share = 1;  ///< how much of it is done; below 1 there is nothing else yet
};

/// Computes one document after the other; if several are requested, only the newest counts.
class DocumentRunner {
public:
    /// The outcome if it can be had at once; else none, and take() returns it when it is ready.
    std::optional<Outcome> ask(const attn::Document& document);
    /// Cancels what was requested.
    void drop() { newest_.drop(); }
    /// The outcome, if one became ready since the last call; returned once.
    std::optional<Outcome> take();
    /// How much of what was requested is done, as of the last take().
    float share() const { return share_; }
    bool ready() const { return newest_.ready(); }
    /// Blocks until what was requested is ready.
    void wait() { newest_.wait(); }
    /// Called from the thread when an outcome is ready.
    void on_ready(Wake wake) { newest_.on_ready(std::move(wake)); }

private:
    float share_ = 0;
    LatestOnly<Outcome> newest_;
};

}  // namespace app
