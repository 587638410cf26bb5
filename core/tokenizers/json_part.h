#pragma once
// One value of a tokenizer's JSON, with its path. Only the first error of the whole file is noted: a reader takes what
// it needs and checks at the end whether all was well.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/io/json.h"
#include "core/text/closest_name.h"

namespace attn::tokenizing {

/// The first error in a file.
struct Fault {
    std::string where;  ///< the file
    std::optional<Error> error{};
    int depth = 0;  ///< of nested parts, which are read recursively
    std::unordered_set<const JsonValue*> read{};  ///< members that were requested

    void note(std::string_view key, std::string_view message, int line);
};

class JsonPart {
public:
    JsonPart(const JsonValue& value, std::string path, Fault& fault)
        : value_(&value), path_(std::move(path)), fault_(&fault) {}

    const JsonValue& value() const { return *value_; }
    const std::string& path() const { return path_; }
    Fault& fault() const { return *fault_; }

    /// The paths of members with content (not null, false, 0 or empty) that were never requested, here and in requested
    /// parts.
    std::vector<std::string> unread() const;

    /// Whether the member exists and is not null.
    bool has(std::string_view key) const;
    /// The member; if it is missing, notes an error and returns the empty object.
    JsonPart part(std::string_view key) const;
    /// The items of a member that is a list; if it is missing, notes an error and returns none.
    std::vector<JsonPart> list(std::string_view key) const;
    std::vector<JsonPart> items() const;

    /// A missing member gives the fallback; without a fallback an error is noted.
    std::string text(std::string_view key, const std::optional<std::string>& fallback = {}) const;
    bool flag(std::string_view key, std::optional<bool> fallback = {}) const;
    std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = {}) const;
    /// Absent and null give nullopt.
    std::optional<std::string> maybe_text(std::string_view key) const;

    std::string as_text() const;
    std::int64_t as_whole(std::int64_t low, std::int64_t high) const;

    void wrong(const std::string& message) const;
    void wrong(std::string_view key, const std::string& message) const;

    /// A member that exists and is not null, of any kind; otherwise nullptr.
    const JsonValue* member(std::string_view key) const;

private:
    std::string path_of(std::string_view key) const;

    const JsonValue* value_;
    std::string path_;
    Fault* fault_;
};

/// "a, b, c": the names of a table's rows, for the message about an unknown one.
template <class Table>
std::string names_in(const Table& table) {
    std::string out;
    for (const auto& row : table) out.append(out.empty() ? "" : ", ").append(row.name);
    return out;
}

/// The row that a part's "type" names; for an unknown name, the error suggests the closest.
template <class Table>
const typename Table::value_type* row_of(const Table& table, const JsonPart& part, std::string_view kind) {
    const std::string type = part.text("type");
    std::vector<std::string_view> names;
    for (const auto& row : table) {
        if (row.name == type) return &row;
        names.push_back(row.name);
    }
    if (part.fault().error) return nullptr;
    part.wrong("type", "there is no " + std::string(kind) + " \"" + type + "\" here; the closest is " +
                           closest_name(type, names) + " (of " + names_in(table) + ")");
    return nullptr;
}

}  // namespace attn::tokenizing
