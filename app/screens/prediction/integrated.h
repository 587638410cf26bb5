#pragma once
// Integrated gradients on the page of parts: each token's share in a logit, through all layers. It takes a run and a
// reverse pass for each point, so it is made on a thread.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/screens/prediction/prediction.h"
#include "app/state/latest.h"
#include "core/analysis/integrated.h"
#include "core/document/document.h"

namespace app {

/// What determines the shares.
struct IntegratedRequest {
    attn::Document document;
    int row = 0;  ///< of the logits
    int target = 0;
    std::optional<int> against;
    attn::PutBy from = attn::PutBy::Mean;
    int points = 0;
    bool operator==(const IntegratedRequest&) const = default;
};

/// A part of it can be made first, and the rest later.
struct IntegratedWork {
    std::optional<IntegratedRequest> of = {};
    std::optional<attn::GradientPath> path = {};         ///< while it is under way
    std::optional<attn::IntegratedGradients> made = {};  ///< when it is finished
    std::string error = {};

    bool finished() const { return made.has_value() || !error.empty(); }
};
/// Computes what is missing. `run`: of the document.
IntegratedWork go_on_integrating(const attn::Run& run, IntegratedWork work, const std::stop_token& stop, const std::function<void(const IntegratedWork&)>& so_far = {});

struct IntegratedData {
    std::uint64_t generation = 0;  ///< of the run; 0: nothing was requested yet
    bool computing = false;
    std::size_t done = 0, runs = 0;
    std::string error;
    std::optional<attn::IntegratedGradients> made;
    /// A token of a stack: its index in `made->parts`, and in its sources.
    struct Token {
        std::size_t part = 0;
        int token = 0;
        double share = 0;
    };
    std::vector<Token> largest_first;
    double largest = 0;  ///< magnitude
};

/// Makes them while they are shown, and keeps the last ones: going back to another token or starting point, or undoing a
/// change, computes nothing again.
class IntegratedMaker {
public:
    /// Precondition: the other data of the screen is up to date, as far as it is ready.
    void follow(const AppState& state, Derived& derived);
    /// They are not shown: nothing more is computed. What there is stays.
    void rest(Derived& derived);
    LateJob& job() { return job_; }
    /// How often a thread was started.
    int made() const { return made_; }

private:
    struct Key {
        std::uint64_t generation = 0;
        int row = 0, target = 0;
        std::optional<int> against;
        std::string baseline;
        int points = 0;
        bool operator==(const Key&) const = default;
    };
    void turn_to(IntegratedRequest request);
    void halt();
    void show(IntegratedData& out);

    IntegratedWork now_;
    std::optional<Key> key_;
    std::vector<IntegratedWork> past_;  ///< finished ones, the latest last
    bool running_ = false, shown_ = false;
    int made_ = 0;
    LatestOnly<IntegratedWork> job_;
};

}  // namespace app
