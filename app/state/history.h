#pragma once
// Undo and redo of whole values. Snapshots are shared, so an unchanged one costs a pointer.

#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace app {

template <class T>
class History {
public:
    /// How many edits can be undone; older states are discarded.
    static constexpr std::size_t kDepth = 200;
    /// Edits of one gesture further apart than this (seconds) are undone one by one.
    static constexpr double kGesturePause = 1.0;

    /// Stores `before`, the value that an edit is about to replace. A numbered gesture ("drag#3") ends explicitly: a
    /// pause does not split it.
    void remember(T before, const std::string& gesture) {
        const bool joined = !gesture.empty() && gesture == gesture_ &&
                            (since_ < kGesturePause || gesture.find('#') != std::string::npos) && !past_.empty();
        gesture_ = gesture;
        since_ = 0;
        future_.clear();
        if (joined) return;
        past_.push_back(std::move(before));
        if (past_.size() > kDepth) past_.pop_front();
    }
    bool undo(T& now) { return move(past_, future_, now); }
    bool redo(T& now) { return move(future_, past_, now); }
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    /// Time passes between edits.
    void pass(double seconds) { since_ += seconds; }

private:
    bool move(std::deque<T>& from, std::deque<T>& to, T& now) {
        if (from.empty()) return false;
        to.push_back(std::exchange(now, std::move(from.back())));
        from.pop_back();
        gesture_.clear();
        return true;
    }

    std::deque<T> past_, future_;
    std::string gesture_;
    double since_ = 0;
};

}  // namespace app
