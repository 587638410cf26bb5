#pragma once
// The table of the document's fields, one row per field. Reading from JSON, writing, setting one field by name, listing
// its choices and printing the schema all go through these rows.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace attn {

enum class FieldKind : std::uint8_t { Text, Choice, Integer, Number, Strings, Integers, Table, Row, Parameters, Edits, Interventions };

struct Field {
    std::string_view key;
    FieldKind kind = FieldKind::Text;
    std::string_view help;  ///< one sentence, for the schema and the manual
    /// Choice: the allowed ids, and the id in a document ("": left to the form).
    std::vector<std::string_view> (*choices)() = nullptr;
    std::string_view (*chosen)(const Document&) = nullptr;
    double low = 0, high = 0;  ///< Integer, Number: the closed range; equal: no limits
    bool or_infinite = false;      ///< Number: the text "inf" is allowed, too
    bool reads_file = false;       ///< another value reads a part of the file that the document names; without one there is none
    double (*number)(const Document&) = nullptr;
    /// Takes a value of the right kind and range, or returns an error.
    Result<Done> (*read)(Document&, const JsonValue&) = nullptr;
    void (*write)(const Document&, JsonWriter&) = nullptr;
    bool (*is_default)(const Document&) = nullptr;
    void (*reset)(Document&) = nullptr;
    /// Whether the picture depends on the field, given the document's other choices; null: always. (text, source and
    /// tokenizer are the user's input: they stay while a form that does not read them is shown.)
    bool (*is_read)(const Document&) = nullptr;
    std::string_view read_by = "";  ///< what reads it, for the message

    Field or_inf() const {
        Field field = *this;
        field.or_infinite = true;
        return field;
    }
    Field only_if(bool (*condition)(const Document&), std::string_view by) const {
        Field field = *this;
        field.is_read = condition;
        field.read_by = by;
        return field;
    }
};

std::span<const Field> document_fields();
const Field* find_field(std::string_view key);

/// A document from JSON; `{}` is valid. Errors name the key's path and the line; `where` is the file's name. Also
/// checks that the fields fit together. A named model is looked for in `places`. The model's settings apply first, the
/// other fields after them; settings that are then unread are dropped.
Result<Document> document_from_json(std::string_view bytes, std::string_view where, const ModelPlaces& places = {});
/// The same, but keeps whatever is valid: used for the user's last document, of which one bad field must not cost the
/// rest. A field that is wrong, unknown or contradicts others is left at its default and reported. Fails only if there
/// is no JSON object.
struct PartlyRead {
    Document document;
    std::vector<Error> left_out;
};
Result<PartlyRead> document_from_json_in_part(std::string_view bytes, std::string_view where, const ModelPlaces& places = {});
/// JSON with the version, the text and every field that differs from its default, or from its model's setting.
std::string document_to_json(const Document& document, JsonLayout layout = JsonLayout::Indented);
/// Sets a field from a piece of JSON; anything that is not JSON is taken as text: "heads", "2"; "mask", "causal".
/// Fields are not checked against each other here (problems() does that), so that several can be set in turn.
Result<Done> set_field(Document& document, std::string_view key, std::string_view value, const ModelPlaces& places = {});
/// Takes a JSON value of the right kind and range, or returns an error.
Result<Done> read_field(const Field& field, Document& document, const JsonValue& value);
/// Whether any document with this form reads the field.
bool can_be_read(const Field& field, std::string_view form);
/// The JSON Schema (draft 2020-12) of documents.
std::string document_schema();

/// An edit is written as {"step": "scores.h1", "row": 2, "column": 3, "value": 0.5}; rows and columns count from 1.
Result<Edit> edit_from_json(const JsonValue& value, std::string_view key);

}  // namespace attn
