#include "app/lesson/toml.h"

#include <fmt/format.h>

#include <cmath>

#include "core/io/json_writer.h"
#include "core/io/nesting.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_UNRELEASED_FEATURES 1  // inline tables over several lines
// The parser asserts some of what it reports as errors a line later: a hostile chapter would end a build with assertions.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

void set_number(JsonValue& out, double number) {
    out.kind = JsonKind::Number;
    out.number = number;
    out.number32 = static_cast<float>(number);
}

bool take(const toml::node& node, JsonValue& out, int depth, Toml& all) {
    out.line = static_cast<int>(node.source().begin.line);
    out.column = static_cast<int>(node.source().begin.column);
    const auto refuse = [&](std::string_view problem) {
        all.problem = problem;
        all.line = out.line;
        all.column = out.column;
        return false;
    };
    if (depth > attn::kDeepestNesting) return refuse("the tables are nested too deeply");
    if (const auto* table = node.as_table()) {
        out.kind = JsonKind::Object;
        for (const auto& [key, value] : *table) {
            attn::JsonMember member{std::string(key.str()), {}, static_cast<int>(key.source().begin.line)};
            if (!take(value, member.value, depth + 1, all)) return false;
            // Of a value that is a table the key is the better place: a table's own begins at its first key.
            if (member.value.line == 0) member.value.line = member.key_line;
            out.members.push_back(std::move(member));
        }
    } else if (const auto* array = node.as_array()) {
        out.kind = JsonKind::Array;
        for (const toml::node& item : *array) {
            out.items.emplace_back();
            if (!take(item, out.items.back(), depth + 1, all)) return false;
        }
    } else if (const auto* text = node.as_string()) {
        out.kind = JsonKind::String;
        out.string = text->get();
    } else if (const auto* whole = node.as_integer()) {
        set_number(out, static_cast<double>(whole->get()));
        out.is_integer = true;
        out.integer = whole->get();
    } else if (const auto* number = node.as_floating_point()) {
        if (std::isnan(number->get())) return refuse("nan is no number that a lesson could mean");
        if (std::isinf(number->get())) {  // as documents write it: temperature = inf
            out.kind = JsonKind::String;
            out.string = number->get() > 0 ? "inf" : "-inf";
            return true;
        }
        set_number(out, number->get());
    } else if (const auto* flag = node.as_boolean()) {
        out.kind = JsonKind::Boolean;
        out.boolean = flag->get();
    } else {
        return refuse("a date or a time has no meaning in a lesson; write a text in quotes");
    }
    return true;
}

void write(attn::JsonWriter& out, const JsonValue& value) {
    switch (value.kind) {
        case JsonKind::Null:
            return out.null();
        case JsonKind::Boolean:
            return out.boolean(value.boolean);
        case JsonKind::Number:
            return value.is_integer ? out.integer(value.integer) : out.number(value.number);
        case JsonKind::String:
            return out.string(value.string);
        case JsonKind::Array:
            out.begin_array();
            for (const JsonValue& item : value.items) write(out, item);
            return out.end_array();
        case JsonKind::Object:
            out.begin_object();
            for (const attn::JsonMember& member : value.members) {
                out.key(member.key);
                write(out, member.value);
            }
            return out.end_object();
    }
}

}  // namespace

std::string LessonProblem::text() const {
    std::string place = file;
    if (line > 0) place += fmt::format("{}{}:{}", place.empty() ? "line " : ":", line, column);
    if (!place.empty()) place += ": ";
    return place + (key.empty() ? "" : key + ": ") + message;
}

Toml parse_toml(std::string_view bytes) {
    Toml out;
    out.root.kind = JsonKind::Object;
    if (bytes.size() > kMaxBytes) {
        out.problem = "the file is larger than a lesson can be (4 MiB)";
        return out;
    }
    const toml::parse_result parsed = toml::parse(bytes);
    if (!parsed) {
        out.problem = std::string(parsed.error().description());
        out.line = static_cast<int>(parsed.error().source().begin.line);
        out.column = static_cast<int>(parsed.error().source().begin.column);
        return out;
    }
    take(parsed.table(), out.root, 0, out);
    return out;
}

std::string json_text(const JsonValue& value) {
    attn::JsonWriter out(attn::JsonLayout::Compact);
    write(out, value);
    return out.take();
}

}  // namespace app
