#pragma once
// Errors as values: failures that come from outside (a file, a document, an argument) are returned as a `Result`.
// Programming errors are asserted instead.

#include <string>
#include <utility>
#include <variant>

namespace attn {

/// What happened, where, and what to do: written for a person. `where` is a file, `line` is 1-based (0: not a text),
/// `key` is the path inside the document ("W_Q[2][0]").
struct Error {
    std::string message;
    std::string where;
    std::string key;
    int line = 0;

    /// "document.json:12: heads: 3 does not divide the width 8".
    std::string text() const;
};

/// A value or an `Error`. Test it, then dereference it.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& operator*() { return std::get<0>(state_); }
    const T& operator*() const { return std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }

    const Error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

/// For functions that return nothing but may fail.
struct Done {};

}  // namespace attn
