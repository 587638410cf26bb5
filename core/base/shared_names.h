#pragma once
// A list of names that several owners share and nobody changes: a checkpoint's vocabulary has tens of thousands of
// words, which every run of it uses as labels; copying them would cost as much as a short run.

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attn {

/// Reads as a vector of strings does, but cannot be written.
class SharedNames {
public:
    using List = std::vector<std::string>;

    SharedNames() = default;
    SharedNames(List names) : held_(std::make_shared<const List>(std::move(names))) {}
    SharedNames(std::initializer_list<std::string> names) : SharedNames(List(names)) {}
    /// A list shared with other owners; not null.
    explicit SharedNames(std::shared_ptr<const List> held) : held_(std::move(held)) {}

    const List& list() const { return held_ ? *held_ : none(); }
    operator const List&() const { return list(); }
    std::size_t size() const { return list().size(); }
    bool empty() const { return list().empty(); }
    const std::string& operator[](std::size_t i) const { return list()[i]; }
    const std::string& at(std::size_t i) const { return list().at(i); }
    auto begin() const { return list().begin(); }
    auto end() const { return list().end(); }

    friend bool operator==(const SharedNames& a, const SharedNames& b) { return a.held_ == b.held_ || a.list() == b.list(); }
    friend bool operator==(const SharedNames& a, const List& b) { return a.list() == b; }

private:
    static const List& none() {
        static const List kNone;
        return kNone;
    }

    std::shared_ptr<const List> held_;
};

}  // namespace attn
