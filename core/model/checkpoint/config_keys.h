#pragma once
// The members of a configuration, recording which were read. A key that was not read and is not known to be harmless
// may affect the result, so the reader reports it to the user. Internal to the reading of checkpoints.

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
    /// A member of `of`, which is the configuration or part of it; null if it is missing or null. Marks it as read.
    const JsonValue* find(const JsonValue& of, std::string_view key);
    const JsonValue* find(std::string_view key) { return find(root_, key); }
    /// Marks everything inside this value as read.
    void read_whole(const JsonValue& value) { whole_.insert(&value); }

    /// Paths of the members that were not read and may affect the result, in the order of the file.
    std::vector<std::string> unread() const;

private:
    void gather(const JsonValue& of, const std::string& path, std::vector<std::string>& out) const;

    const JsonValue& root_;
    std::set<const JsonValue*> read_, whole_;
};

}  // namespace attn
