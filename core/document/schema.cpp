#include <algorithm>

#include "core/document/fields.h"
#include "core/model/model.h"

namespace attn {
namespace {

void type(JsonWriter& out, std::string_view name) {
    out.key("type");
    out.string(name);
}

void write_choices(const Field& field, JsonWriter& out) {
    out.key("enum");
    out.strings([&] {
        std::vector<std::string> ids;
        for (const std::string_view id : field.choices()) ids.emplace_back(id);
        return ids;
    }());
}

void write_range(const Field& field, JsonWriter& out) {
    if (field.low == field.high) return;
    out.key("minimum");
    out.number(field.low);
    out.key("maximum");
    out.number(field.high);
}

/// A non-empty list of what `write_item` describes.
template <class WriteItem>
void list_of(JsonWriter& out, const WriteItem& write_item) {
    type(out, "array");
    out.key("minItems");
    out.integer(1);
    out.key("items");
    out.begin_object();
    write_item();
    out.end_object();
}

void tokens_schema(JsonWriter& out) {
    list_of(out, [&] {
        type(out, "string");
        out.key("minLength");
        out.integer(1);
    });
    out.key("maxItems");
    out.integer(static_cast<std::int64_t>(kMaxTokens));
}

/// Head numbers, from 1; the list may be empty.
void integers_schema(JsonWriter& out) {
    type(out, "array");
    out.key("items");
    out.begin_object();
    type(out, "integer");
    out.key("minimum");
    out.integer(1);
    out.key("maximum");
    out.integer(kMaxHeads);
    out.end_object();
}

void row_schema(const Field& field, JsonWriter& out) {
    list_of(out, [&] {
        type(out, "number");
        write_range(field, out);
    });
}

void edit_member(JsonWriter& out, std::string_view key, std::string_view kind, bool counted) {
    out.key(key);
    out.begin_object();
    type(out, kind);
    if (counted) {
        out.key("minimum");
        out.integer(1);
    }
    out.end_object();
}

void write_edits_schema(JsonWriter& out) {
    type(out, "array");
    out.key("items");
    out.begin_object();
    type(out, "object");
    out.key("required");
    const std::vector<std::string> keys = {"step", "row", "column", "value"};
    out.strings(keys);
    out.key("additionalProperties");
    out.boolean(false);
    out.key("properties");
    out.begin_object();
    edit_member(out, "step", "string", false);
    edit_member(out, "row", "integer", true);
    edit_member(out, "column", "integer", true);
    edit_member(out, "value", "number", false);
    out.end_object();
    out.end_object();
}

template <std::size_t Count>
void choice_member(JsonWriter& out, std::string_view key, const std::array<std::string_view, Count>& ids) {
    out.key(key);
    out.begin_object();
    type(out, "string");
    out.key("enum");
    out.strings(std::vector<std::string>(ids.begin(), ids.end()));
    out.end_object();
}

void write_interventions_schema(JsonWriter& out) {
    type(out, "array");
    out.key("items");
    out.begin_object();
    type(out, "object");
    out.key("required");
    out.strings(std::vector<std::string>{"at", "layer", "by"});
    out.key("additionalProperties");
    out.boolean(false);
    out.key("properties");
    out.begin_object();
    choice_member(out, "at", kSites);
    choice_member(out, "by", kPutBy);
    choice_member(out, "part", std::array{part_id(Part::Cross), part_id(Part::Encoder)});
    edit_member(out, "layer", "integer", false);
    edit_member(out, "head", "integer", true);
    edit_member(out, "text", "string", false);
    out.key("tokens");
    out.begin_object();
    integers_schema(out);
    out.end_object();
    out.end_object();
    out.end_object();
}

void write_number_or_infinity(const Field& field, JsonWriter& out) {
    out.key("oneOf");
    out.begin_array();
    out.begin_object();
    type(out, "number");
    write_range(field, out);
    out.end_object();
    out.begin_object();
    out.key("const");
    out.string("inf");
    out.end_object();
    out.end_array();
}

void write_kind(const Field& field, JsonWriter& out) {
    switch (field.kind) {
        case FieldKind::Text:
            type(out, "string");
            break;
        case FieldKind::Choice:
            type(out, "string");
            write_choices(field, out);
            break;
        case FieldKind::Integer:
            type(out, "integer");
            write_range(field, out);
            break;
        case FieldKind::Number:
            if (field.or_infinite) return write_number_or_infinity(field, out);
            type(out, "number");
            write_range(field, out);
            break;
        case FieldKind::Strings:
            tokens_schema(out);
            break;
        case FieldKind::Integers:
            integers_schema(out);
            break;
        case FieldKind::Parameters:
            type(out, "object");
            out.key("additionalProperties");
            out.begin_object();
            list_of(out, [&] { row_schema(field, out); });
            out.end_object();
            break;
        case FieldKind::Table:
            list_of(out, [&] { row_schema(field, out); });
            break;
        case FieldKind::Row:
            row_schema(field, out);
            break;
        case FieldKind::Edits:
            write_edits_schema(out);
            break;
        case FieldKind::Interventions:
            write_interventions_schema(out);
            break;
    }
}

/// Adds the document with each choice of a field that it reads.
void add_choices(const Document& doc, const Field& field, std::vector<Document>& out) {
    if (field.kind != FieldKind::Choice || field.key == "variant" || (field.is_read && !field.is_read(doc))) return;
    for (const std::string_view id : field.choices()) {
        out.push_back(doc);
        if (!set_field(out.back(), field.key, id)) out.pop_back();
    }
}

/// Documents of a form that together read every field that it can read: no field depends on more than one choice
/// besides the form, or on a mask and a position (the base of rotary angles inside a window).
std::vector<Document> documents_with_choices(std::string_view form) {
    Document doc;
    doc.config.form = form;
    std::vector<Document> out{doc};
    for (const Field& other : document_fields()) add_choices(doc, other, out);
    std::vector<Document> masked;
    add_choices(doc, *find_field("mask"), masked);
    for (const Document& one : masked) add_choices(one, *find_field("position"), out);
    // And one with a picture model, which no choice produces.
    Model of_pictures;
    of_pictures.picture.emplace();
    doc.vectors = "model";
    doc.model = std::make_shared<const Model>(std::move(of_pictures));
    out.push_back(std::move(doc));
    return out;
}

bool is_read_by_one(const Field& field, const std::vector<Document>& documents) {
    return !field.is_read || std::any_of(documents.begin(), documents.end(), field.is_read);
}

struct FormRow {
    std::string_view id;
    std::vector<Document> documents;
};
std::vector<FormRow> all_forms() {
    std::vector<FormRow> out;
    for (const Form& form : forms()) out.push_back({form.id, documents_with_choices(form.id)});
    return out;
}

/// The forms with which some document reads the field; empty: all of them, or it does not depend on the form.
std::vector<std::string> forms_that_read(const Field& field, const std::vector<FormRow>& forms) {
    std::vector<std::string> out;
    for (const FormRow& form : forms)
        if (is_read_by_one(field, form.documents)) out.emplace_back(form.id);
    if (out.size() == forms.size()) out.clear();
    return out;
}

}  // namespace

bool can_be_read(const Field& field, std::string_view form) {
    return is_read_by_one(field, documents_with_choices(form));
}

std::string document_schema() {
    const Document defaults;
    const std::vector<FormRow> forms = all_forms();
    JsonWriter out;
    out.begin_object();
    out.key("$schema");
    out.string("https://json-schema.org/draft/2020-12/schema");
    out.key("title");
    out.string("Attenscope document");
    type(out, "object");
    out.key("additionalProperties");
    out.boolean(false);
    out.key("properties");
    out.begin_object();
    out.key("attenscope");
    out.begin_object();
    out.key("description");
    out.string("The version of this format.");
    type(out, "integer");
    out.key("minimum");
    out.integer(1);
    out.key("maximum");
    out.integer(kDocumentVersion);
    out.end_object();
    for (const Field& field : document_fields()) {
        out.key(field.key);
        out.begin_object();
        out.key("description");
        out.string(field.help);
        write_kind(field, out);
        // The forms that read it: in the field's own words, and by name if only some do.
        out.key("readBy");
        out.string(field.read_by.empty() ? "every document" : field.read_by);
        if (const auto some = forms_that_read(field, forms); !some.empty()) {
            out.key("variants");
            out.strings(some);
        }
        const bool has_default = field.kind == FieldKind::Text || field.kind == FieldKind::Integer ||
                                 field.kind == FieldKind::Number ||
                                 (field.kind == FieldKind::Choice && field.key != "score");
        if (has_default) {
            out.key("default");
            field.write(defaults, out);
        }
        out.end_object();
    }
    out.end_object();
    out.end_object();
    return out.take();
}

}  // namespace attn
