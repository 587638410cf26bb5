#pragma once
// One value of a tokenizer's JSON and where it stands. What is wrong is noted once, the first time, for the whole file:
// whoever reads a part takes what it needs and asks at the end whether all was well.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/io/json.h"
#include "core/text/closest_name.h"

namespace attn::tokenizing {

/// The first thing that is wrong in a file.
struct Fault {
    std::string where;  ///< the file
    std::optional<Error> error{};
    int depth = 0;  ///< of parts within parts, which are read by functions that call themselves
    std::unordered_set<const JsonValue*> read{};  ///< members that somebody asked for

    void note(std::string key, std::string message, int line);
};

class JsonPart {
public:
    JsonPart(const JsonValue& value, std::string path, Fault& fault)
        : value_(&value), path_(std::move(path)), fault_(&fault) {}

    const JsonValue& value() const { return *value_; }
    const std::string& path() const { return path_; }
    Fault& fault() const { return *fault_; }

    /// The paths of members that say something (not null, false, 0 or empty) and that nobody asked for, here and in the
    /// parts that somebody asked for.
    std::vector<std::string> unread() const;

    /// A member that is there and not null.
    bool has(std::string_view key) const;
    /// The member; the empty object where it is missing, which is noted.
    JsonPart part(std::string_view key) const;
    /// The items of a member that is a list; none where it is missing, which is noted.
    std::vector<JsonPart> list(std::string_view key) const;
    std::vector<JsonPart> items() const;

    /// A missing member is the fallback; without one it is noted.
    std::string text(std::string_view key, std::optional<std::string> fallback = {}) const;
    bool flag(std::string_view key, std::optional<bool> fallback = {}) const;
    std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = {}) const;
    /// Absent and null are nothing.
    std::optional<std::string> maybe_text(std::string_view key) const;

    std::string as_text() const;
    std::int64_t as_whole(std::int64_t low, std::int64_t high) const;

    void wrong(const std::string& message) const;
    void wrong(std::string_view key, const std::string& message) const;

    /// A member that is there and not null, of any kind; nullptr for none.
    const JsonValue* member(std::string_view key) const;

private:
    std::string path_of(std::string_view key) const;

    const JsonValue* value_;
    std::string path_;
    Fault* fault_;
};

/// "a, b, c": the names of a table's rows, for the sentence about one that is not there.
template <class Table>
std::string names_in(const Table& table) {
    std::string out;
    for (const auto& row : table) out.append(out.empty() ? "" : ", ").append(row.name);
    return out;
}

/// The row that a part's "type" names; what is not there is noted with the closest that is.
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
