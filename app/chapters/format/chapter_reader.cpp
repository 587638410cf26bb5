#include "app/chapters/format/chapter_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/document/fields.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;

constexpr Language kLanguages[] = {Language::English, Language::Chinese};

bool is_id(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

/// The value as set_field() takes it: texts as they are, the rest as JSON.
std::string written(const JsonValue& value) { return value.kind == JsonKind::String ? value.string : json_text(value); }

bool is_local(const JsonValue& value) {
    return value.kind == JsonKind::Object && !value.members.empty() &&
           std::all_of(value.members.begin(), value.members.end(),
                       [](const attn::JsonMember& m) { return m.key == "en" || m.key == "zh"; });
}

}  // namespace

void ChapterFile::wrong(const JsonValue& at, std::string key, std::string message) const {
    problems->push_back({std::move(message), file, std::move(key), at.line, at.column});
}

ChapterTable::ChapterTable(const ChapterFile& file, const JsonValue& value, std::string path)
    : file_(file), value_(value), path_(std::move(path)) {}

std::string ChapterTable::path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void ChapterTable::only(std::initializer_list<std::string_view> keys) const {
    for (const attn::JsonMember& member : value_.members)
        if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
            JsonValue at = member.value;
            at.line = member.key_line;
            at.column = std::min(at.column, 1);
            file_.wrong(at, path_of(member.key),
                        fmt::format("there is no such key here; there are {}", fmt::join(keys, ", ")));
        }
}

void ChapterTable::wrong(std::string_view key, std::string message) const {
    const JsonValue* at = find(key);
    file_.wrong(at ? *at : value_, path_of(key), std::move(message));
}

void ChapterTable::text(std::string_view key, std::string& out, bool must) const {
    const JsonValue* value = find(key);
    if (!value) {
        if (must) wrong(key, "this key is missing");
        return;
    }
    if (value->kind != JsonKind::String) return wrong(key, "a text in quotes is expected");
    out = value->string;
}

void ChapterTable::expression(std::string_view key, std::string& out) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind == JsonKind::String)
        out = value->string;
    else if (value->kind == JsonKind::Number && value->is_integer)
        out = std::to_string(value->integer);
    else
        wrong(key, "a whole number from 1 or an expression in quotes is expected");
}

void ChapterTable::number(std::string_view key, double& out) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind != JsonKind::Number) return wrong(key, "a number is expected");
    out = value->number;
}

void ChapterTable::whole(std::string_view key, int& out, int low, int high) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind != JsonKind::Number || !value->is_integer || value->integer < low || value->integer > high)
        return wrong(key, fmt::format("a whole number from {} to {} is expected", low, high));
    out = static_cast<int>(value->integer);
}

void ChapterTable::strings(std::string_view key, std::vector<std::string>& out) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind == JsonKind::String) return out.push_back(value->string);
    if (value->kind != JsonKind::Array) return wrong(key, "a list of texts is expected: [\"…\", \"…\"]");
    for (const JsonValue& item : value->items) {
        if (item.kind != JsonKind::String) return file_.wrong(item, path_of(key), "a text in quotes is expected");
        out.push_back(item.string);
    }
}

void ChapterTable::id(std::string_view key, std::string& out) const {
    text(key, out, true);
    if (!out.empty() && !is_id(out)) wrong(key, "an id has small letters a-z, digits and - only");
}

void ChapterTable::check_both(const JsonValue& value, const std::string& path) const {
    if (value.kind != JsonKind::Object) {
        file_.wrong(value, path, "both languages are expected: { en = \"…\", zh = \"…\" }");
        return;
    }
    for (const Language language : kLanguages) {
        const JsonValue* one = value.find(language_id(language));
        if (!one || one->kind != JsonKind::String || one->string.empty())
            file_.wrong(one ? *one : value, path + "." + std::string(language_id(language)),
                        "a text in this language is missing");
    }
}

void ChapterTable::both(std::string_view key, LocalText& out, bool must) const {
    const JsonValue* value = find(key);
    if (!value) {
        if (must) wrong(key, "this key is missing: { en = \"…\", zh = \"…\" }");
        return;
    }
    check_both(*value, path_of(key));
    for (const Language language : kLanguages)
        if (const JsonValue* one = value->find(language_id(language)); one && one->kind == JsonKind::String)
            out[static_cast<std::size_t>(language)] = one->string;
}

Prose ChapterTable::prose(const JsonValue& value, const std::string& path, Language language) const {
    std::vector<ProseError> errors;
    Prose out = parse_prose(
        value.string, [&](std::string_view id) { return file_.term(id, language); }, errors);
    // A multi-line text begins on the line after its quotes.
    const bool several = value.string.find('\n') != std::string::npos;
    for (const ProseError& error : errors) {
        JsonValue at;
        at.line = value.line + error.line + (several ? 1 : 0);
        at.column = several ? 1 : value.column;
        file_.wrong(at, path, error.message);
    }
    return out;
}

void ChapterTable::both_prose(std::string_view key, LocalProse& out, bool must) const {
    const JsonValue* value = find(key);
    if (!value) {
        if (must) wrong(key, "this key is missing: { en = \"…\", zh = \"…\" }");
        return;
    }
    check_both(*value, path_of(key));
    if (value->kind == JsonKind::Object) ChapterTable(file_, *value, path_of(key)).own_prose(out, false);
}

void ChapterTable::own_prose(LocalProse& out, bool must) const {
    for (const Language language : kLanguages) {
        const std::string key(language_id(language));
        const JsonValue* value = find(key);
        if (value && value->kind == JsonKind::String && !value->string.empty())
            out[static_cast<std::size_t>(language)] = prose(*value, path_of(key), language);
        else if (must || value || find(language == Language::English ? "zh" : "en"))
            wrong(key, "a text in this language is missing");
    }
}

void ChapterTable::fields(std::string_view key, FieldSettings& out) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind != JsonKind::Object) return wrong(key, "fields of the document are expected: { score = \"dot\" }");
    for (const attn::JsonMember& member : value->members) {
        const std::string path = path_of(key) + "." + member.key;
        if (!attn::find_field(member.key)) {
            file_.wrong(member.value, path, "the document has no such field; `attenscope schema` lists them");
            continue;
        }
        FieldSetting setting{member.key, {}, {member.value.line, member.value.column}};
        if (is_local(member.value)) {
            for (const Language language : kLanguages) {
                const JsonValue* one = member.value.find(language_id(language));
                if (!one)
                    file_.wrong(member.value, path, "one of the two languages is missing");
                else
                    setting.value[static_cast<std::size_t>(language)] = written(*one);
            }
        } else {
            setting.value.fill(written(member.value));
        }
        attn::Document probe;
        for (const std::string& value_of : setting.value)
            if (!value_of.empty())
                if (const auto set = attn::set_field(probe, member.key, value_of); !set) {
                    file_.wrong(member.value, path, set.error().message);
                    break;
                }
        // The form must come first, because setting it resets the fields that it does not read.
        if (member.key == "variant")
            out.insert(out.begin(), std::move(setting));
        else
            out.push_back(std::move(setting));
    }
}

void ChapterTable::cell(std::string_view key, std::optional<CellSpot>& out) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind != JsonKind::Object)
        return wrong(key, "a cell is expected: { step = \"weights\", row = 2, column = 1 }");
    const ChapterTable table(file_, *value, path_of(key));
    table.only({"step", "row", "column", "value"});
    CellSpot spot;
    spot.place = table.place();
    table.text("step", spot.step);
    table.expression("row", spot.row);
    table.expression("column", spot.column);
    out = std::move(spot);
}

void ChapterTable::view(LocalText& out) const {
    const JsonValue* value = find("view");
    if (!value) return;
    out.fill(json_text(*value));
    if (!is_local(*value)) return;
    for (const Language language : kLanguages) {
        const JsonValue* one = value->find(language_id(language));
        if (!one) file_.wrong(*value, path_of("view"), "one of the two languages is missing");
        out[static_cast<std::size_t>(language)] = one ? json_text(*one) : std::string();
    }
}

void ChapterTable::doing(std::string_view key, ChapterDo& out) const {
    const JsonValue* value = find(key);
    if (!value) return;
    if (value->kind != JsonKind::Object) return wrong(key, "what is done is expected: { set = { … }, pin = { … } }");
    const ChapterTable table(file_, *value, path_of(key));
    table.only({"set", "pin", "show", "screen", "view", "edit"});
    out.place = table.place();
    table.fields("set", out.set);
    table.cell("pin", out.pin);
    table.text("show", out.show);
    table.text("screen", out.screen);
    table.view(out.view);
    std::optional<CellSpot> cell;
    table.cell("edit", cell);
    if (!cell) return;
    out.edit = ChapterDo::NumberTyped{*cell, 0};
    ChapterTable(file_, *table.find("edit"), table.path_of("edit")).number("value", out.edit->value);
}

}  // namespace app
