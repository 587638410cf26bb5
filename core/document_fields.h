#pragma once
// The document's fields as a table: what reads it from JSON, writes it, sets one field by name, lists its choices and
// prints its schema all go through these rows. A field is one row.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace attn {

enum class FieldKind : std::uint8_t { Text, Choice, Integer, Number, Strings, Table, Row, Edits };

struct Field {
    std::string_view key;
    FieldKind kind;
    std::string_view help;  ///< one sentence, for the schema and the manual
    /// Choice: the ids that are allowed.
    std::vector<std::string_view> (*choices)() = nullptr;
    double low = 0, high = 0;  ///< Integer, Number: the closed range; equal: unlimited
    /// Takes the value, of the right kind and within the range, or says what is wrong with it.
    Result<Done> (*read)(Document&, const JsonValue&);
    void (*write)(const Document&, JsonWriter&);
    bool (*is_default)(const Document&);
};

std::span<const Field> document_fields();
const Field* find_field(std::string_view key);

/// A document from JSON; `{}` is one. Errors name the key's path and the line; `where` is the file's name. Checks that
/// the fields fit together, too.
Result<Document> document_from_json(std::string_view bytes, std::string_view where);
/// Indented JSON with the version, the text and every field that is not at its default.
std::string document_to_json(const Document& document);
/// Sets a field from a piece of JSON; what is not JSON is taken as text: "heads", "2"; "mask", "causal". Fields are
/// not checked against each other here (problems() does that), so that several can be set one after the other.
Result<Done> set_field(Document& document, std::string_view key, std::string_view value);
/// The JSON Schema (draft 2020-12) of documents.
std::string document_schema();

/// An edit is written {"step": "scores.h1", "row": 2, "column": 3, "value": 0.5}; rows and columns count from 1.
Result<Edit> edit_from_json(const JsonValue& value, std::string_view key);

}  // namespace attn
