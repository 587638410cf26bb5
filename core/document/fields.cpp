#include "core/document/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/document/internal.h"
#include "core/document/take.h"
#include "core/io/matrix_json.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/given_picture.h"
#include "core/model/model.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::string_view kVersionKey = "attenscope", kModelKey = "model", kAttentionKey = "attention", kPictureKey = "picture";
constexpr std::string_view kInfinity = "inf";

JsonKind json_kind(FieldKind kind) {
    switch (kind) {
        case FieldKind::Text:
        case FieldKind::Choice:
            return JsonKind::String;
        case FieldKind::Integer:
        case FieldKind::Number:
            return JsonKind::Number;
        case FieldKind::Strings:
        case FieldKind::Table:
        case FieldKind::Row:
        case FieldKind::Edits:
        case FieldKind::Interventions:
        case FieldKind::Integers:
            return JsonKind::Array;
        case FieldKind::Parameters:
            return JsonKind::Object;
    }
    return JsonKind::Null;
}

Result<Done> check_choice(const Field& field, const JsonValue& value) {
    const auto choices = field.choices();
    if (std::find(choices.begin(), choices.end(), value.string) != choices.end()) return Done{};
    return error_at(value, field.key,
              fmt::format("there is no \"{}\"; choose one of {}", visible(value.string), fmt::join(choices, ", ")));
}

Result<Done> check_range(const Field& field, const JsonValue& value) {
    if (field.kind == FieldKind::Integer && !value.is_integer)
        return error_at(value, field.key, "a whole number is expected");
    if (field.low == field.high || (value.number >= field.low && value.number <= field.high)) return Done{};
    return error_at(value, field.key, fmt::format("{} is not possible; take {} to {}", value.number, field.low, field.high));
}

/// The known key that was probably meant, for an error message.
std::string near_key(std::string_view wrong) {
    const auto lower = fold_case(wrong);
    for (const Field& field : document_fields())
        if (fold_case(field.key) == lower || (wrong.size() >= 3 && field.key.starts_with(wrong.substr(0, 3))))
            return fmt::format("; did you mean \"{}\"?", field.key);
    return "; `attenscope schema` lists the keys";
}

Result<Done> check_version(const JsonValue& value) {
    if (!value.is_integer || value.integer < 1)
        return error_at(value, kVersionKey, "the version of the format is a whole number from 1");
    if (value.integer <= kDocumentVersion) return Done{};
    return error_at(value, kVersionKey,
              fmt::format("the document is of format {}, this program reads up to {}; take a newer program",
                          value.integer, kDocumentVersion));
}

/// The line of the key that an error is about: "heads", "mask_pattern[1]", "parameters.score_weight.h2".
int line_of(const JsonValue& root, std::string_view key) {
    const std::string_view first = key.substr(0, key.find_first_of("[."));
    const JsonValue* value = root.find(first);
    if (!value) return 0;
    const JsonValue* inside = value->kind == JsonKind::Object && first.size() < key.size()
                                  ? value->find(key.substr(first.size() + 1))
                                  : nullptr;
    return inside ? inside->line : value->line;
}

Result<JsonValue> parse_setting(const Field& field, std::string_view value) {
    const bool infinite = field.or_infinite && (value == kInfinity || value == "\"inf\"");
    if (json_kind(field.kind) != JsonKind::String && !infinite) {
        auto parsed = parse_json(value);
        if (!parsed)
            return Error{fmt::format("\"{}\" is not {}", visible(value), kind_name(json_kind(field.kind))), "",
                         std::string(field.key), 0};
        parsed->line = 0;
        return parsed;
    }
    JsonValue text;
    text.kind = JsonKind::String;
    text.string = infinite ? kInfinity : value;
    return text;
}

}  // namespace

Result<Done> read_field(const Field& field, Document& doc, const JsonValue& value) {
    const JsonKind wanted = json_kind(field.kind);
    if (field.or_infinite && value.kind == JsonKind::String && value.string == kInfinity) {
        JsonValue infinite = value;
        infinite.kind = JsonKind::Number;
        infinite.number = infinite.number32 = std::numeric_limits<float>::infinity();
        return field.read(doc, infinite);
    }
    if (value.kind != wanted)
        return error_at(value, field.key, fmt::format("{}{} is expected, not {}", kind_name(wanted),
                                                      field.or_infinite ? " or \"inf\"" : "", kind_name(value.kind)));
    if (field.kind == FieldKind::Choice)
        if (auto ok = check_choice(field, value); !ok) return ok;
    if (wanted == JsonKind::Number)
        if (auto ok = check_range(field, value); !ok) return ok;
    return field.read(doc, value);
}

const Field* find_field(std::string_view key) {
    const auto fields = document_fields();
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
    return found == fields.end() ? nullptr : &*found;
}

Result<Edit> edit_from_json(const JsonValue& value, std::string_view key) {
    if (value.kind != JsonKind::Object)
        return error_at(value, key, fmt::format("an object is expected, not {}", kind_name(value.kind)));
    Edit edit;
    for (const char* needed : {"step", "row", "column", "value"})
        if (!value.find(needed))
            return error_at(value, key, fmt::format("\"{}\" is missing; an edit has step, row, column and value", needed));
    for (const JsonMember& member : value.members) {
        const JsonValue& v = member.value;
        const std::string path = fmt::format("{}.{}", key, visible(member.key));
        const bool index = member.key == "row" || member.key == "column";
        if (member.key == "step") {
            const auto tag = v.kind == JsonKind::String ? parse_step_name(v.string) : std::nullopt;
            if (!tag) return error_at(v, path, "the name of a step is expected, such as \"scores\" or \"weights.h2\"");
            edit.tag = *tag;
        } else if (index) {
            if (!v.is_integer || v.integer < 1 || v.integer > std::numeric_limits<int>::max())
                return error_at(v, path, "a whole number from 1 is expected");
            (member.key == "row" ? edit.row : edit.col) = static_cast<int>(v.integer) - 1;
        } else if (member.key == "value") {
            if (v.kind != JsonKind::Number || !std::isfinite(v.number32))
                return error_at(v, path, "a number that float32 can hold is expected");
            edit.value = v.number32;
        } else {
            return error_at(v, path, "unknown key; an edit has step, row, column and value");
        }
    }
    return edit;
}

namespace {

Result<Done> read_model_name(Document& doc, const JsonValue& value, const ModelPlaces& places) {
    if (value.kind != JsonKind::String)
        return error_at(value, kModelKey, fmt::format("{} is expected, not {}", kind_name(JsonKind::String), kind_name(value.kind)));
    if (value.string.empty()) {
        doc.model.reset();
        return Done{};
    }
    auto model = find_model(value.string, places);
    if (!model) {
        Error error = model.error();
        if (error.where.empty()) return error_at(value, kModelKey, error.message);
        return error_at(value, kModelKey, error.text());
    }
    take_model(doc, std::move(*model));
    return Done{};
}

Result<Done> read_attention_name(Document& doc, const JsonValue& value, const ModelPlaces& places) {
    if (value.kind == JsonKind::Array)
        return error_at(value, kAttentionKey, "the name of a file is expected; weights belong in a file of attention");
    if (value.kind != JsonKind::String)
        return error_at(value, kAttentionKey, fmt::format("{} is expected, not {}", kind_name(JsonKind::String), kind_name(value.kind)));
    if (value.string.empty()) {
        find_field(kAttentionKey)->reset(doc);
        return Done{};
    }
    if (doc.model)
        return error_at(value, kAttentionKey, "a model computes attention of its own; remove \"model\" or \"attention\"");
    auto attention = find_attention(value.string, places);
    if (!attention) {
        const Error& error = attention.error();
        return error_at(value, kAttentionKey, error.where.empty() ? error.message : error.text());
    }
    take_attention(doc, std::move(*attention));
    return Done{};
}

Result<Done> read_picture_name(Document& doc, const JsonValue& value, const ModelPlaces& places) {
    if (value.kind != JsonKind::String)
        return error_at(value, kPictureKey, fmt::format("{} is expected, not {}", kind_name(JsonKind::String), kind_name(value.kind)));
    doc.picture.reset();
    if (value.string.empty()) return Done{};
    auto picture = find_picture(value.string, places);
    if (!picture) {
        const Error& error = picture.error();
        return error_at(value, kPictureKey, error.where.empty() ? error.message : error.text());
    }
    doc.picture = std::move(*picture);
    return Done{};
}

/// Keys that bring settings along are read before all other fields, whatever the order in the file.
struct FieldReadFirst {
    std::string_view key;
    Result<Done> (*read)(Document&, const JsonValue&, const ModelPlaces&);
};
constexpr FieldReadFirst kFieldsReadFirst[] = {{kModelKey, read_model_name}, {kAttentionKey, read_attention_name}, {kPictureKey, read_picture_name}};
bool comes_first(std::string_view key) {
    return std::any_of(std::begin(kFieldsReadFirst), std::end(kFieldsReadFirst), [key](const FieldReadFirst& one) { return one.key == key; });
}

}  // namespace

Result<Document> document_from_json(std::string_view bytes, std::string_view where, const ModelPlaces& places) {
    const auto in_file = [&](Error error) {
        error.where = where;
        return error;
    };
    auto root = parse_json(bytes);
    if (!root) return in_file(root.error());
    if (root->kind != JsonKind::Object)
        return in_file(error_at(*root, "", fmt::format("a document is an object {{…}}, not {}", kind_name(root->kind))));
    Document doc;
    const bool own_numbers = root->find("X") && !root->find("text");
    for (const FieldReadFirst& first : kFieldsReadFirst)
        if (const JsonValue* named = root->find(first.key))
            if (auto ok = first.read(doc, *named, places); !ok) return in_file(ok.error());
    if (own_numbers) doc.text.clear();  // a given matrix has no text unless one is given, too
    for (const JsonMember& member : root->members) {
        if (member.key == kVersionKey) {
            if (auto ok = check_version(member.value); !ok) return in_file(ok.error());
            continue;
        }
        if (comes_first(member.key)) continue;
        const Field* field = find_field(member.key);
        if (!field) return in_file({"unknown key" + near_key(member.key), "", visible(member.key), member.key_line});
        if (auto ok = read_field(*field, doc, member.value); !ok) return in_file(ok.error());
    }
    // Settings of the model that the document leaves unread are dropped; the file's own fields are not.
    for (const Field& field : document_fields())
        if (doc.model && field.is_read && !field.is_read(doc) && !root->find(field.key)) field.reset(doc);
    for (Error& problem : problems(doc)) {
        problem.line = line_of(*root, problem.key);
        return in_file(problem);
    }
    return doc;
}

Result<PartlyRead> document_from_json_in_part(std::string_view bytes, std::string_view where, const ModelPlaces& places) {
    auto root = parse_json(bytes);
    if (root && root->kind != JsonKind::Object)
        root = error_at(*root, "", fmt::format("a document is an object {{…}}, not {}", kind_name(root->kind)));
    if (!root) {
        Error error = root.error();
        error.where = where;
        return error;
    }
    PartlyRead out;
    const auto leave_out = [&](Error error) {
        error.where = where;
        out.left_out.push_back(std::move(error));
    };
    for (const FieldReadFirst& first : kFieldsReadFirst)
        if (const JsonValue* named = root->find(first.key))
            if (auto ok = first.read(out.document, *named, places); !ok) leave_out(ok.error());
    if (root->find("X") && !root->find("text")) out.document.text.clear();
    for (const JsonMember& member : root->members) {
        if (member.key == kVersionKey) {
            if (auto ok = check_version(member.value); !ok) {  // the fields of another version may have another meaning
                Error error = ok.error();
                error.where = where;
                return error;
            }
            continue;
        }
        if (comes_first(member.key)) continue;
        const Field* field = find_field(member.key);
        if (!field) {
            leave_out({"unknown key" + near_key(member.key), "", visible(member.key), member.key_line});
            continue;
        }
        Document with = out.document;  // a field that fails half-way must change nothing
        if (auto ok = read_field(*field, with, member.value); !ok)
            leave_out(ok.error());
        else
            out.document = std::move(with);
    }
    if (root->find(kAttentionKey) && !out.document.attention && out.document.text.empty()) out.document.text = Document{}.text;
    // Resets fields that do not fit together, one at a time, until all fit.
    for (std::size_t round = 0; round < document_fields().size(); ++round) {
        const std::vector<Error> wrong = problems(out.document);
        if (wrong.empty()) return out;
        const Field* field = find_field(wrong.front().key.substr(0, wrong.front().key.find_first_of(".[")));
        if (!field || field->is_default(out.document)) break;
        Error error = wrong.front();
        error.line = line_of(*root, error.key);
        leave_out(std::move(error));
        field->reset(out.document);
    }
    if (problems(out.document).empty()) return out;
    const std::string text = std::exchange(out.document, Document{}).text;
    if (!text.empty()) out.document.text = text;
    return out;
}

namespace {

/// Lists cannot be written as empty, and a choice left to the form has no id.
bool can_write_default(const Field& field) {
    static const Document kDefaults;
    switch (field.kind) {
        case FieldKind::Text:
        case FieldKind::Integer:
        case FieldKind::Number:
            return true;
        case FieldKind::Choice:
            return !field.chosen(kDefaults).empty();
        default:
            return false;
    }
}

}  // namespace

std::string document_to_json(const Document& doc, JsonLayout layout) {
    JsonWriter out(layout);
    out.begin_object();
    out.key(kVersionKey);
    out.integer(kDocumentVersion);
    Document base;  // what a reader starts from
    if (doc.model) take_model(base, doc.model);
    if (doc.attention) take_attention(base, doc.attention);
    for (const Field& field : document_fields()) {
        const bool unsaid = field.is_default(doc) && (field.is_default(base) || !can_write_default(field));
        if (field.key != "text" && unsaid) continue;
        out.key(field.key);
        field.write(doc, out);
    }
    out.end_object();
    return out.take();
}

Result<Done> set_field(Document& doc, std::string_view key, std::string_view value, const ModelPlaces& places) {
    const Field* field = find_field(key);
    if (!field) return Error{"unknown key" + near_key(key), "", visible(key), 0};
    auto parsed = parse_setting(*field, value);
    if (!parsed) return parsed.error();
    for (const FieldReadFirst& first : kFieldsReadFirst)
        if (key == first.key) return first.read(doc, *parsed, places);
    return read_field(*field, doc, *parsed);
}

}  // namespace attn
