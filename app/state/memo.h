#pragma once
// Values that are recomputed only when their inputs change.

#include <functional>
#include <optional>
#include <utility>

#include "app/state/latest.h"

namespace app {

/// Remembers the key that a value was made for.
template <class Key, class Value>
class Memo {
public:
    template <class Make>
    bool follow(Value& value, Key key, Make make) {
        if (key_ == key) return false;
        key_ = std::move(key);
        ++made_;
        make(value);
        return true;
    }
    int made() const { return made_; }

private:
    std::optional<Key> key_;
    int made_ = 0;
};

/// The same for slow values: they are made on a thread, and the previous value stays until the new one is ready.
template <class Key, class Value>
class LateMemo {
public:
    /// Must hold by value whatever it reads.
    using Make = std::function<Value(const std::stop_token&)>;

    /// Takes a result that became ready since the last call; true if there was one.
    bool take(Value& value) {
        auto made = job_.take();
        if (!made) return false;
        value = std::move(*made);
        of_ = requested_;
        return true;
    }
    bool requested_for(const Key& key) const { return requested_ == key; }
    bool requested() const { return requested_.has_value(); }
    /// The key of the present value; none: nothing has been made.
    const std::optional<Key>& of() const { return of_; }
    void ask(Value& value, Key key, bool at_once, Make make) {
        ask_by_parts(value, std::move(key), at_once,
                     [make = std::move(make)](const std::stop_token& stop, const typename LatestOnly<Value>::SoFar&) { return make(stop); });
    }
    /// As ask(), but partial values can be shown while the value is being made.
    void ask_by_parts(Value& value, Key key, bool at_once, typename LatestOnly<Value>::MakeByParts make) {
        requested_ = std::move(key);
        ++made_;
        job_.drop();
        if (!at_once) return job_.ask_by_parts(std::move(make));
        value = make({}, [](const Value&) {});
        of_ = requested_;
    }
    /// Back to the initial state, as if nothing had been requested.
    void forget() {
        requested_.reset();
        of_.reset();
        job_.drop();
    }
    LatestOnly<Value>& job() { return job_; }
    const LatestOnly<Value>& job() const { return job_; }
    int made() const { return made_; }

private:
    std::optional<Key> requested_, of_;
    int made_ = 0;
    LatestOnly<Value> job_;
};

}  // namespace app
