#pragma once
// Computing a document: a small one at once, a large one on a thread of its own while the last picture stays.

#include <functional>
#include <memory>
#include <optional>

#include "app/state/computed.h"
#include "app/state/latest.h"

namespace app {

/// What came of a document: a computation, or why there is none.
struct Outcome {
    std::shared_ptr<const Computed> computed;
    std::optional<attn::Error> error;
};

/// Computes one document after the other; of several that are asked for only the newest counts.
class DocumentRunner {
public:
    /// The outcome where it can be had at once; none: take() has it when it is ready.
    std::optional<Outcome> ask(const attn::Document& document);
    /// Nothing is wanted any more.
    void drop() { newest_.drop(); }
    /// The outcome that became ready since; once.
    std::optional<Outcome> take() { return newest_.take(); }
    bool ready() const { return newest_.ready(); }
    /// Until what was asked for is ready.
    void wait() { newest_.wait(); }
    /// Called from the thread when an outcome is ready.
    void on_ready(Wake wake) { newest_.on_ready(std::move(wake)); }

private:
    LatestOnly<Outcome> newest_;
};

}  // namespace app
