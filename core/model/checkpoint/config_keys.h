#pragma once
// The members of a configuration, and which of them were read: what is not read, and is not known to change nothing, may
// change a number, and its reader names it to the user. Internal to the reading of checkpoints.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json.h"

namespace attn {

class ConfigKeys {
public:
    /// `root` must outlive it.
    explicit ConfigKeys(const JsonValue& root) : root_(root) {}

    const JsonValue& root() const { return root_; }
    /// A member of `of`, which is the configuration or lies in it; null where it is missing or null. It is read from now on.
    const JsonValue* find(const JsonValue& of, std::string_view key);
    const JsonValue* find(std::string_view key) { return find(root_, key); }
    /// All that lies in this value is read, too.
    void read_whole(const JsonValue& value) { whole_.insert(&value); }

    /// Paths of the members that nobody read and that may change what is computed, in the order of the file.
    std::vector<std::string> unread() const;

private:
    void gather(const JsonValue& of, const std::string& path, std::vector<std::string>& out) const;

    const JsonValue& root_;
    std::set<const JsonValue*> read_, whole_;
};

}  // namespace attn
