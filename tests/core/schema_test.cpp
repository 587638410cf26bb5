// The schema that the program prints describes what the program accepts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/document/fields.h"
#include "core/document/origins.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

const JsonValue& member(const JsonValue& object, std::string_view key) {
    static const JsonValue kNone;
    const JsonValue* found = object.find(key);
    EXPECT_NE(found, nullptr) << key;
    return found ? *found : kNone;
}

const JsonValue& schema() {
    static const JsonValue kSchema = [] {
        auto parsed = parse_json(document_schema());
        EXPECT_TRUE(parsed.ok()) << (parsed ? "" : parsed.error().text());
        return parsed ? *parsed : JsonValue{};
    }();
    return kSchema;
}

bool type_fits(std::string_view type, const JsonValue& value) {
    if (type == "object") return value.kind == JsonKind::Object;
    if (type == "array") return value.kind == JsonKind::Array;
    if (type == "string") return value.kind == JsonKind::String;
    if (type == "number") return value.kind == JsonKind::Number;
    return type == "integer" && value.kind == JsonKind::Number && std::floor(value.number) == value.number;
}

bool object_fits(const JsonValue& rule, const JsonValue& value);

/// The part of JSON Schema that ours uses.
bool fits(const JsonValue& rule, const JsonValue& value) {
    if (const JsonValue* ways = rule.find("oneOf"))
        return std::any_of(ways->items.begin(), ways->items.end(), [&](const JsonValue& way) {
            const JsonValue* only = way.find("const");
            return only ? value.kind == JsonKind::String && value.string == only->string : fits(way, value);
        });
    if (!type_fits(member(rule, "type").string, value)) return false;
    if (const JsonValue* allowed = rule.find("enum"))
        if (std::none_of(allowed->items.begin(), allowed->items.end(),
                         [&](const JsonValue& one) { return one.string == value.string; }))
            return false;
    if (const JsonValue* least = rule.find("minLength"); least && std::ssize(value.string) < least->integer)
        return false;
    if (const JsonValue* low = rule.find("minimum"); low && value.number < low->number) return false;
    if (const JsonValue* high = rule.find("maximum"); high && value.number > high->number) return false;
    if (const JsonValue* least = rule.find("minItems"); least && std::ssize(value.items) < least->integer) return false;
    if (const JsonValue* most = rule.find("maxItems"); most && std::ssize(value.items) > most->integer) return false;
    if (const JsonValue* item = rule.find("items"))
        for (const JsonValue& one : value.items)
            if (!fits(*item, one)) return false;
    return value.kind != JsonKind::Object || object_fits(rule, value);
}

bool object_fits(const JsonValue& rule, const JsonValue& value) {
    const JsonValue& properties = member(rule, "properties");
    for (const JsonMember& one : value.members) {
        const JsonValue* known = properties.find(one.key);
        if (!known || !fits(*known, one.value)) return false;
    }
    if (const JsonValue* required = rule.find("required"))
        for (const JsonValue& key : required->items)
            if (!value.find(key.string)) return false;
    return true;
}

bool fits_schema(std::string_view json) {
    const auto parsed = parse_json(json);
    EXPECT_TRUE(parsed.ok()) << json;
    return parsed && fits(schema(), *parsed);
}

std::string_view type_of(FieldKind kind) {
    switch (kind) {
        case FieldKind::Text:
        case FieldKind::Choice:
            return "string";
        case FieldKind::Integer:
            return "integer";
        case FieldKind::Number:
            return "number";
        case FieldKind::Parameters:
            return "object";
        case FieldKind::Strings:
        case FieldKind::Integers:
        case FieldKind::Table:
        case FieldKind::Row:
        case FieldKind::Edits:
        case FieldKind::Interventions:
            return "array";
    }
    return "";
}

TEST(Schema, HasEveryFieldWithItsTypeChoicesRangeAndHelp) {
    const JsonValue root = schema();
    EXPECT_FALSE(member(root, "additionalProperties").boolean);
    const JsonValue& properties = member(root, "properties");
    EXPECT_EQ(properties.members.size(), document_fields().size() + 1);  // and the version
    EXPECT_EQ(member(member(properties, "attenscope"), "maximum").integer, kDocumentVersion);
    for (const Field& field : document_fields()) {
        SCOPED_TRACE(field.key);
        const JsonValue& whole = member(properties, field.key);
        EXPECT_EQ(member(whole, "description").string, field.help);
        const JsonValue& rule = field.or_infinite ? member(whole, "oneOf").items.at(0) : whole;
        EXPECT_EQ(member(rule, "type").string, type_of(field.kind));
        EXPECT_TRUE(field.help.ends_with(".")) << "a sentence";
        if (field.kind == FieldKind::Choice) {
            std::vector<std::string_view> ids;
            for (const JsonValue& id : member(rule, "enum").items) ids.push_back(id.string);
            EXPECT_EQ(ids, field.choices());
        }
        if (field.low == field.high) continue;
        const JsonValue& numbers = field.kind == FieldKind::Table ? member(member(rule, "items"), "items") : rule;
        EXPECT_EQ(member(numbers, "minimum").number, field.low);
        EXPECT_EQ(member(numbers, "maximum").number, field.high);
    }
}

TEST(Schema, EveryDefaultFitsItsOwnRule) {
    const JsonValue root = schema();
    for (const JsonMember& property : member(root, "properties").members)
        if (const JsonValue* value = property.value.find("default")) {
            EXPECT_TRUE(fits(property.value, *value)) << property.key;
            Document doc;
            const std::string text = value->kind == JsonKind::String ? value->string : fmt::format("{}", value->number);
            EXPECT_TRUE(set_field(doc, property.key, text).ok()) << property.key;
            EXPECT_EQ(doc, Document{}) << property.key;
        }
}

TEST(Schema, AcceptsTheProgramsOutput) {
    EXPECT_TRUE(fits_schema("{}"));
    EXPECT_TRUE(fits_schema(document_to_json({})));
    for (const Document& doc : table_documents()) EXPECT_TRUE(fits_schema(document_to_json(doc))) << name_of(doc);
}

/// On documents of a single field, schema and program must agree.
const std::vector<std::string>& lone_fields() {
    static const std::vector<std::string> kDocuments = {
        R"({"text": "a"})",
        R"({"text": 1})",
        R"({"heads": 2})",
        R"({"heads": 0})",
        R"({"heads": 129})",
        R"({"heads": 1.5})",
        R"({"temperature": 0})",
        R"({"temperature": -1})",
        R"({"temperature": 1e39})",
        R"({"temperature": "1"})",
        R"({"temperature": "inf"})",
        R"({"mask": "causal"})",
        R"({"mask": "left"})",
        R"({"tokens": ["a"]})",
        R"({"tokens": []})",
        R"({"tokens": [1]})",
        R"({"tokens": [""]})",
        R"({"X": [[1, 2]]})",
        R"({"X": []})",
        R"({"X": [[]]})",
        R"({"X": [["a"]]})",
        R"({"X": 1})",
        R"({"b_Q": [1, 2, 3, 4, 5, 6, 7, 8]})",
        R"({"b_Q": []})",
        R"({"b_Q": [[1]]})",
        R"({"nonsense": 1})",
        R"({"attenscope": 1})",
        R"({"attenscope": 2})",
        R"({"attenscope": "1"})",
        R"({"edits": []})",
        R"({"edits": [{}]})",
        R"({"vectors": "random", "width": 1024})",
        R"({"vectors": "random", "width": 1025})",
        R"({"edits": [{"step": "scores", "row": 1, "column": 1, "value": 0.5}]})",
        R"({"edits": [{"step": "scores", "row": 0, "column": 1, "value": 0.5}]})",
        R"({"edits": [{"step": "scores", "row": 1, "column": 1, "value": 0.5, "more": 1}]})",
        R"({"mask": "drawn", "mask_pattern": [[1, 1, 0], [1, 1, 1], [0, 0, 0]]})",
        R"({"mask": "drawn", "mask_pattern": [[1, 1, 2], [1, 1, 1], [0, 0, 0]]})",
        R"({"mask": "drawn", "mask_pattern": [[1, 1, -1], [1, 1, 1], [0, 0, 0]]})",
        R"({"vectors": "random", "vector_seed": 9007199254740991})",
        R"({"vectors": "random", "vector_seed": 9007199254740992})",
        R"({"vectors": "random", "vector_seed": -1})"};
    return kDocuments;
}

TEST(Schema, AgreesWithTheProgramOnEveryFieldAlone) {
    for (const std::string& json : lone_fields())
        EXPECT_EQ(fits_schema(json), document_from_json(json, "").ok()) << json;
}

/// Checked with an independent validator, where it is installed.
TEST(Schema, AgreesWithPythonJsonschema) {
    if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0)
        GTEST_SKIP() << "python3-jsonschema is not installed";
    const auto folder = std::filesystem::path(testing::TempDir()) / "attenscope_schema_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "schema.json") << document_schema();
    std::ofstream list(folder / "documents.txt");
    for (const std::string& json : lone_fields())
        list << (document_from_json(json, "").ok() ? "+" : "-") << json << '\n';
    list.close();
    std::ofstream(folder / "check.py") << R"(import json, sys, jsonschema
folder = sys.argv[1]
validator = jsonschema.Draft202012Validator(json.load(open(folder + "/schema.json")))
jsonschema.Draft202012Validator.check_schema(validator.schema)
wrong = [line for line in open(folder + "/documents.txt", encoding="utf-8")
         if validator.is_valid(json.loads(line[1:])) != (line[0] == "+")]
sys.exit("".join(wrong) or 0)
)";
    const std::string command = fmt::format("/usr/bin/python3 '{0}/check.py' '{0}'", folder.string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::filesystem::remove_all(folder);
}

/// A row that reads a field is named in the message that refuses the field.
template <class Row>
void expect_named(std::span<const Row> rows) {
    for (const Row& row : rows)
        for (const std::string_view key : row.fields) {
            if (key.empty()) continue;
            const Field* field = find_field(key);
            ASSERT_NE(field, nullptr) << row.id << " reads " << key;
            if (key == "padding") continue;  // padding is at the end of a text, whatever mask is chosen
            ASSERT_NE(field->is_read, nullptr) << key;
            EXPECT_NE(field->read_by.find(row.id), std::string_view::npos) << key << " is read by " << row.id;
            EXPECT_FALSE(field->is_read(Document{})) << key;
        }
}

TEST(Schema, RowsThatReadAFieldAreNamed) {
    expect_named(masks());
    expect_named(scores());
    expect_named(positions());
    expect_named(scopes());
    expect_named(selections());
    expect_named(word_choices().rows());
    expect_named(vector_origins().rows());
    expect_named(weight_origins().rows());
    expect_named(source_kinds().rows());
}

}  // namespace
}  // namespace attn::test
