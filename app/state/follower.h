#pragma once
// What a screen's folder derives from the state. The Deriver (derived.h) calls it without knowing its type.

#include <memory>
#include <optional>
#include <span>

#include "app/state/derived.h"
#include "app/state/latest.h"

namespace app {

/// The cell that a reference means in this trace; none if the trace has no such cell.
std::optional<attn::Cell> cell_of(const attn::Trace& trace, const std::optional<CellRef>& ref);

/// Runs that a screen needs in addition to the document's own.
struct Beside {
    std::optional<attn::Document> document;
    bool same_run = false;  ///< the second run is another part of the document's own
    bool unedited = false;  ///< also the run without edits and interventions, if there are any
};

/// Lives from frame to frame, and with it the memos of what it derives (memo.h).
class Follower {
public:
    Follower() = default;
    virtual ~Follower() = default;
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

    /// Updates its part of `derived` from the state; run, timeline and pose are up to date by then.
    virtual void follow(const AppState& state, Derived& derived) = 0;
    /// The screen is not shown: large data can be freed.
    virtual void rest(Derived&) {}
    virtual Beside beside(const AppState&) { return {}; }
    /// In each frame, whatever screen is shown, before follow().
    virtual void follow_always(const AppState&, Derived&) {}
    /// Whether its work continues without further calls, as training does: rendering a picture waits for it only once.
    virtual bool goes_on() const { return false; }
    /// Its jobs on threads.
    virtual std::span<LateJob* const> jobs() { return {}; }
    /// How often it has derived anything.
    virtual int made() const = 0;
};
template <class T>
std::unique_ptr<Follower> make_follower() {
    return std::make_unique<T>();
}
/// For the open page of a chapter, on any screen.
std::unique_ptr<Follower> chapter_follower();

}  // namespace app
