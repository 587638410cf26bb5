#pragma once
// What a screen's folder derives from the state. The Deriver (derived.h) asks for it and knows nothing of what it is.

#include <memory>
#include <optional>
#include <span>

#include "app/state/derived.h"
#include "app/state/latest.h"

namespace app {

/// The cell in this trace that a reference means; nothing: it has none.
std::optional<attn::Cell> cell_of(const attn::Trace& trace, const std::optional<CellRef>& ref);

/// Runs that a screen sets beside the document's own.
struct Beside {
    std::optional<attn::Document> document;
    bool same_run = false;  ///< another part of the document's own is looked at
    bool unedited = false;  ///< that without what was changed by hand, where anything was
};

/// Kept from frame to frame, and with it the memos of what it makes (memo.h).
class Follower {
public:
    Follower() = default;
    virtual ~Follower() = default;
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

    /// Its part of `derived` becomes what the state says; run, timeline and pose are there.
    virtual void follow(const AppState& state, Derived& derived) = 0;
    /// It is not on the screen: what is large can go.
    virtual void rest(Derived&) {}
    virtual Beside beside(const AppState&) { return {}; }
    /// In each frame, whatever screen is shown, before follow().
    virtual void follow_always(const AppState&, Derived&) {}
    /// What it makes on threads.
    virtual std::span<LateJob* const> jobs() { return {}; }
    /// How often it has made anything.
    virtual int made() const = 0;
};
template <class T>
std::unique_ptr<Follower> make_follower() {
    return std::make_unique<T>();
}
/// Of the chapter's page that is open, whatever the screen.
std::unique_ptr<Follower> chapter_follower();

}  // namespace app
