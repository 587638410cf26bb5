#pragma once
// What follows from something else, and is made anew only where that is another one now.

#include <functional>
#include <optional>
#include <utility>

#include "app/state/latest.h"

namespace app {

/// Remembers what a value was made for.
template <class Key, class Value>
class Memo {
public:
    /// make(value) where the value is of another key. True: it was.
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

/// The same for what may take long: then it is made on a thread, and what is there stays until it is ready.
template <class Key, class Value>
class LateMemo {
public:
    /// Holds by value whatever it reads.
    using Make = std::function<Value(const std::stop_token&)>;

    /// Takes what has become ready since; true: something has.
    bool take(Value& value) {
        auto made = job_.take();
        if (!made) return false;
        value = std::move(*made);
        of_ = asked_;
        return true;
    }
    bool asked_for(const Key& key) const { return asked_ == key; }
    bool asked() const { return asked_.has_value(); }
    /// What the value is of; none: nothing has been made.
    const std::optional<Key>& of() const { return of_; }
    void ask(Value& value, Key key, bool at_once, Make make) {
        ask_by_parts(value, std::move(key), at_once,
                     [make = std::move(make)](const std::stop_token& stop, const typename LatestOnly<Value>::SoFar&) { return make(stop); });
    }
    /// The value can be looked at while it is made.
    void ask_by_parts(Value& value, Key key, bool at_once, typename LatestOnly<Value>::MakeByParts make) {
        asked_ = std::move(key);
        ++made_;
        job_.drop();
        if (!at_once) return job_.ask_by_parts(std::move(make));
        value = make({}, [](const Value&) {});
        of_ = asked_;
    }
    /// Nothing was ever asked for.
    void forget() {
        asked_.reset();
        of_.reset();
        job_.drop();
    }
    LatestOnly<Value>& job() { return job_; }
    const LatestOnly<Value>& job() const { return job_; }
    int made() const { return made_; }

private:
    std::optional<Key> asked_, of_;
    int made_ = 0;
    LatestOnly<Value> job_;
};

}  // namespace app
