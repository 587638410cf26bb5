#include "core/io/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/io/json_places.h"
#include "core/io/json_syntax.h"
#include "core/io/safe_text.h"
#include "core/io/sniff.h"
#include "core/text/byte_order_mark.h"

namespace attn {

namespace {

constexpr std::string_view kWanted = "a document in JSON";

/// A double exactly halfway between two floats may have been rounded to that place; any other rounds to the float
/// nearest to the text. Below float's normal range the halfway points lie elsewhere, so all of that range counts.
bool may_round_twice(double number) {
    constexpr std::uint64_t kDropped = (std::uint64_t{1} << 29) - 1;  // 52 bits of fraction against 23
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 28;
    const bool halfway = (std::bit_cast<std::uint64_t>(number) & kDropped) == kHalf;
    return halfway || std::abs(number) < static_cast<double>(std::numeric_limits<float>::min());
}

/// The first eight bytes as a number: where two texts differ in it, it orders them as the texts.
std::uint64_t first_bytes(std::string_view text) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < sizeof out; ++i) out = out << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
    return out;
}

/// Builds the tree from the parser's events. The method names are the library's; false ends it with `error_` set.
class TreeBuilder {
public:
    TreeBuilder(std::string_view bytes, const JsonLimits& limits) : bytes_(bytes), limits_(limits) {}

    bool null() { return add(JsonKind::Null, tracker_.scalar()) != nullptr; }

    bool boolean(bool value) {
        JsonValue* const added = add(JsonKind::Boolean, tracker_.scalar());
        if (added) added->boolean = value;
        return added != nullptr;
    }

    bool number_integer(std::int64_t value) { return add_number(value); }

    bool number_unsigned(std::uint64_t value) {
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return add_number({});
        return add_number(static_cast<std::int64_t>(value));
    }

    bool number_float(double /*value*/, const std::string& /*text*/) { return add_number({}); }

    bool string(std::string& value) {
        JsonValue* const added = add(JsonKind::String, tracker_.scalar());
        if (added) added->string = std::move(value);
        return added != nullptr;
    }

    bool binary(std::vector<std::uint8_t>& /*value*/) { return false; }  // never sent for text

    bool start_object(std::size_t /*size*/) { return open(JsonKind::Object); }
    bool start_array(std::size_t /*size*/) { return open(JsonKind::Array); }

    bool key(std::string& name) {
        open_.back()->members.push_back({std::move(name), {}, tracker_.scalar().line});
        return true;
    }

    bool end_object() {
        const bool distinct = check_keys(*open_.back());
        open_.pop_back();
        return distinct;
    }

    bool end_array() {
        open_.pop_back();
        return true;
    }

    bool parse_error(std::size_t /*offset*/, const std::string& token, const nlohmann::detail::exception& fault);

    PlaceTracker& tracker() { return tracker_; }
    JsonValue& root() { return root_; }
    const Error& error() const { return error_; }

private:
    JsonValue* add(JsonKind kind, const Place& place);
    bool add_number(std::optional<std::int64_t> integer);
    bool open(JsonKind kind);
    bool check_keys(const JsonValue& object);
    Place fault_place(std::string_view report) const;
    std::string describe_open() const;
    std::string open_path() const;
    bool fail(const Place& place, const std::string& message, std::string key = {});

    std::string_view bytes_;
    JsonLimits limits_;
    PlaceTracker tracker_;
    JsonValue root_;
    std::vector<JsonValue*> open_;  // outermost first; stable: a parent does not grow while a child is open
    std::size_t values_ = 0;
    Error error_;
};

bool TreeBuilder::fail(const Place& place, const std::string& message, std::string key) {
    error_ = {fmt::format("column {}: {}", std::max(place.column, 1), message), {}, std::move(key), place.line};
    return false;
}

JsonValue* TreeBuilder::add(JsonKind kind, const Place& place) {
    if (++values_ > limits_.max_values) {
        fail(place, fmt::format("There are more than {} values, the most that is read.", limits_.max_values));
        return nullptr;
    }
    JsonValue* slot = &root_;
    if (!open_.empty()) {
        JsonValue& parent = *open_.back();
        slot = parent.kind == JsonKind::Array ? &parent.items.emplace_back() : &parent.members.back().value;
    }
    slot->kind = kind;
    slot->line = place.line;
    slot->column = place.column;
    return slot;
}

/// Parses the number's text again: std::from_chars ignores the locale, and the float must not be rounded twice.
bool TreeBuilder::add_number(std::optional<std::int64_t> integer) {
    const Place place = tracker_.scalar();
    JsonValue* const value = add(JsonKind::Number, place);
    if (!value) return false;
    const char* const end = bytes_.data() + bytes_.size();
    if (std::from_chars(place.at, end, value->number).ec != std::errc{}) value->number = 0;  // underflows even a double
    value->number32 = static_cast<float>(value->number);
    if (may_round_twice(value->number)) static_cast<void>(std::from_chars(place.at, end, value->number32));
    value->is_integer = integer.has_value();
    value->integer = integer.value_or(0);
    return true;
}

bool TreeBuilder::open(JsonKind kind) {
    const Place& place = tracker_.punctuation();
    if (static_cast<int>(open_.size()) >= limits_.max_depth)
        return fail(place, fmt::format("Lists and objects are nested more than {} deep.", limits_.max_depth));
    JsonValue* const added = add(kind, place);
    if (added) open_.push_back(added);
    return added != nullptr;
}

bool TreeBuilder::check_keys(const JsonValue& object) {
    // Sorted places rather than a search for each key: a hostile object may have a million keys. Their first bytes
    // nearly always decide the order, and are contiguous in memory.
    struct Key {
        std::uint64_t begins;
        std::size_t place;
    };
    std::vector<Key> order;
    order.reserve(object.members.size());
    for (std::size_t i = 0; i < object.members.size(); ++i) order.push_back({first_bytes(object.members[i].key), i});
    const auto& key_of = [&](const Key& one) -> const std::string& { return object.members[one.place].key; };
    std::sort(order.begin(), order.end(), [&](const Key& a, const Key& b) {
        count_step();
        if (a.begins != b.begins) return a.begins < b.begins;
        const int compared = key_of(a).compare(key_of(b));
        return compared != 0 ? compared < 0 : a.place < b.place;
    });
    const auto twin = std::adjacent_find(order.begin(), order.end(),
                                         [&](const Key& a, const Key& b) { return a.begins == b.begins && key_of(a) == key_of(b); });
    if (twin == order.end()) return true;
    const JsonMember& first = object.members[twin->place];
    const JsonMember& second = object.members[(twin + 1)->place];
    error_.message = fmt::format("The key {} appears twice in one object, first at line {}: one of them must go.",
                                 in_quotes(second.key), first.key_line);
    error_.key = open_path();
    error_.line = second.key_line;
    return false;
}

/// "layers[2].heads": the path of the innermost open value.
std::string TreeBuilder::open_path() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
        const JsonValue& parent = *open_[i];
        if (parent.kind == JsonKind::Array)
            path += fmt::format("[{}]", parent.items.size() - 1);
        else
            path += (path.empty() ? "" : ".") + visible_text(parent.members.back().key);
    }
    return path;
}

std::string TreeBuilder::describe_open() const {
    if (open_.empty()) return {};
    const JsonValue& inner = *open_.back();
    return fmt::format("the {} opened at line {}, column {}", inner.kind == JsonKind::Array ? "list" : "object",
                       inner.line, inner.column);
}

Place TreeBuilder::fault_place(std::string_view report) const {
    const auto says = [&](std::string_view part) { return report.find(part) != std::string_view::npos; };
    if (says("unexpected end of input") || says("ill-formed UTF-8")) return tracker_.here();
    return says("unexpected '") ? tracker_.punctuation() : tracker_.scalar();  // punctuation is named in quotes
}

bool TreeBuilder::parse_error(std::size_t /*offset*/, const std::string& /*token*/,
                              const nlohmann::detail::exception& fault) {
    // The rest repeats the text, which could contain any of the phrases searched for.
    std::string_view report = fault.what();
    report = report.substr(0, report.find("; last read: "));
    const Place place = fault_place(report);
    const char* const at = place.at ? place.at : bytes_.data();
    const std::string_view rest(at, static_cast<std::size_t>(bytes_.data() + bytes_.size() - at));
    const bool complete = open_.empty() && values_ > 0;
    return fail(place, describe_fault({report, rest, describe_open(), complete}));
}

/// What can be refused before parsing: too large, empty, or not JSON at all.
std::optional<Error> refuse_early(std::string_view bytes, const JsonLimits& limits) {
    if (bytes.size() > limits.max_bytes)
        return Error{fmt::format("This has {} bytes; at most {} are read.", bytes.size(), limits.max_bytes), {}, {}, 0};
    // The library would skip a second mark, and the tracked places would be off.
    if (without_byte_order_mark(bytes) != bytes)
        return Error{"A second byte order mark follows the first: one of them must go.", {}, {}, 1};
    if (auto other = recognise_other(bytes, kWanted)) return Error{*std::move(other), {}, {}, 0};
    if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Error{bytes.empty() ? "The file is empty." : "The file holds nothing but blanks.", {}, {}, 0};
    // The library takes a zero byte for the end of the text and would ignore the rest.
    if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos) {
        const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
        return Error{"There is a zero byte here: this is not a text file in UTF-8.", {}, {}, static_cast<int>(line)};
    }
    return std::nullopt;
}

}  // namespace

std::string_view kind_name(JsonKind kind) {
    switch (kind) {
        case JsonKind::Null:
            return "null";
        case JsonKind::Boolean:
            return "true or false";
        case JsonKind::Number:
            return "a number";
        case JsonKind::String:
            return "a text";
        case JsonKind::Array:
            return "a list";
        case JsonKind::Object:
            return "an object";
    }
    return "";
}

const JsonValue* JsonValue::find(std::string_view key) const {
    const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.key == key; });
    return found == members.end() ? nullptr : &found->value;
}

Result<JsonValue> parse_json(std::string_view bytes, JsonLimits limits) {
    bytes = without_byte_order_mark(bytes);
    if (auto refused = refuse_early(bytes, limits)) return *std::move(refused);
    TreeBuilder builder(bytes, limits);
    const TrackedIterator begin(bytes.data(), &builder.tracker());
    const TrackedIterator end(bytes.data() + bytes.size(), &builder.tracker());
    if (!nlohmann::json::sax_parse(begin, end, &builder)) return builder.error();
    return std::move(builder.root());
}

}  // namespace attn
