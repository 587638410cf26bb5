#include "core/tokenizers/json_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/safe_text.h"

namespace attn::tokenizing {

namespace {

const JsonValue& nothing() {
    static const JsonValue value;
    return value;
}

}  // namespace

void Fault::note(std::string_view key, std::string_view message, int line) {
    if (!error) error = Error{visible_text(message), where, visible_text(key), line};
}

const JsonValue* JsonPart::member(std::string_view key) const {
    const JsonValue* found = value_->kind == JsonKind::Object ? value_->find(key) : nullptr;
    if (!found || found->kind == JsonKind::Null) return nullptr;
    fault_->read.insert(found);
    return found;
}

namespace {

bool says_something(const JsonValue& value) {
    switch (value.kind) {
        case JsonKind::Null:
            return false;
        case JsonKind::Boolean:
            return value.boolean;
        case JsonKind::Number:
            return value.number != 0;
        case JsonKind::String:
            return !value.string.empty();
        case JsonKind::Array:
            return !value.items.empty();
        case JsonKind::Object:
            return !value.members.empty();
    }
    return false;
}

/// If no member of a value was requested by name, it is a table (a vocabulary) and counts as read. Recursion is bounded
/// by the JSON reader's depth limit.
void find_unread(const JsonValue& value, const std::string& path, const std::unordered_set<const JsonValue*>& read, std::vector<std::string>& out) {
    const auto is_read = [&](const JsonMember& member) { return read.contains(&member.value); };
    const bool table = std::none_of(value.members.begin(), value.members.end(), is_read);
    for (const JsonMember& member : value.members) {
        if (table) break;
        const std::string inner = path.empty() ? member.key : path + "." + member.key;
        if (is_read(member))
            find_unread(member.value, inner, read, out);
        else if (says_something(member.value))
            out.push_back(inner);
    }
    for (std::size_t i = 0; i < value.items.size(); ++i)
        if (value.items[i].kind == JsonKind::Object) find_unread(value.items[i], fmt::format("{}[{}]", path, i), read, out);
}

}  // namespace

std::vector<std::string> JsonPart::unread() const {
    std::vector<std::string> out;
    find_unread(*value_, path_, fault_->read, out);
    return out;
}

std::string JsonPart::path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void JsonPart::wrong(const std::string& message) const { fault_->note(path_, message, value_->line); }

void JsonPart::wrong(std::string_view key, const std::string& message) const {
    const JsonValue* at = member(key);
    fault_->note(path_of(key), message, at ? at->line : value_->line);
}

bool JsonPart::has(std::string_view key) const { return member(key) != nullptr; }

JsonPart JsonPart::part(std::string_view key) const {
    const JsonValue* found = member(key);
    if (!found || found->kind != JsonKind::Object) {
        wrong(key, fmt::format("an object is expected, not {}", found ? kind_name(found->kind) : "nothing"));
        return {nothing(), path_of(key), *fault_};
    }
    return {*found, path_of(key), *fault_};
}

std::vector<JsonPart> JsonPart::items() const {
    std::vector<JsonPart> out;
    for (std::size_t i = 0; i < value_->items.size(); ++i)
        out.emplace_back(value_->items[i], fmt::format("{}[{}]", path_, i), *fault_);
    return out;
}

std::vector<JsonPart> JsonPart::list(std::string_view key) const {
    const JsonValue* found = member(key);
    if (!found || found->kind != JsonKind::Array) {
        wrong(key, fmt::format("a list is expected, not {}", found ? kind_name(found->kind) : "nothing"));
        return {};
    }
    return JsonPart(*found, path_of(key), *fault_).items();
}

std::string JsonPart::text(std::string_view key, const std::optional<std::string>& fallback) const {
    const JsonValue* found = member(key);
    if (found && found->kind == JsonKind::String) return found->string;
    if (found || !fallback)
        wrong(key, fmt::format("a text is expected, not {}", found ? kind_name(found->kind) : "nothing"));
    return fallback.value_or("");
}

std::optional<std::string> JsonPart::maybe_text(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    return text(key);
}

bool JsonPart::flag(std::string_view key, std::optional<bool> fallback) const {
    const JsonValue* found = member(key);
    if (found && found->kind == JsonKind::Boolean) return found->boolean;
    if (found || !fallback)
        wrong(key, fmt::format("true or false is expected, not {}", found ? kind_name(found->kind) : "nothing"));
    return fallback.value_or(false);
}

std::int64_t JsonPart::whole(std::string_view key, std::int64_t low, std::int64_t high,
                             std::optional<std::int64_t> fallback) const {
    const JsonValue* found = member(key);
    if (found) return JsonPart(*found, path_of(key), *fault_).as_whole(low, high);
    if (!fallback) wrong(key, fmt::format("a whole number from {} to {} is expected, not nothing", low, high));
    return fallback.value_or(low);
}

std::string JsonPart::as_text() const {
    if (value_->kind != JsonKind::String) wrong(fmt::format("a text is expected, not {}", kind_name(value_->kind)));
    return value_->string;
}

std::int64_t JsonPart::as_whole(std::int64_t low, std::int64_t high) const {
    if (value_->kind == JsonKind::Number && value_->is_integer && value_->integer >= low && value_->integer <= high)
        return value_->integer;
    wrong(fmt::format("a whole number from {} to {} is expected", low, high));
    return low;
}

}  // namespace attn::tokenizing
