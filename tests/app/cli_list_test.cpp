// `attenscope list` and `attenscope schema`.

#include <gmock/gmock.h>

#include <sstream>

#include "app/cli/columns.h"
#include "core/document/fields.h"
#include "core/io/json.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;

class CliList : public testing::TestWithParam<const char*> {};

TEST_P(CliList, HasIdsAndBothLabels) {
    const auto text = run({"list", GetParam()});
    EXPECT_EQ(text.status, 0) << text.err;
    const auto json = attn::parse_json(run({"list", GetParam(), "--format", "json"}).out);
    ASSERT_TRUE(json.ok());
    EXPECT_FALSE(json->items.empty());
    for (const attn::JsonValue& entry : json->items) {
        EXPECT_FALSE(entry.find("id")->string.empty());
        EXPECT_FALSE(entry.find("en")->string.empty());
        EXPECT_FALSE(entry.find("zh")->string.empty());
        EXPECT_THAT(text.out, HasSubstr(entry.find("id")->string));
    }
}
INSTANTIATE_TEST_SUITE_P(All, CliList,
                         testing::Values("variant", "score", "mask", "selection", "unembedding", "tokenizer", "vectors", "weights",
                                         "masks", "models", "tasks", "themes", "languages", "examples", "steps", "ops", "roles"));

/// A label is beside its id, a description below it, in lines that fit into a terminal.
TEST(CliList, DescriptionsAreBelowTheirIds) {
    EXPECT_THAT(run({"list", "score"}).out, HasSubstr("cosine      Cosine      余弦\n"));
    for (const char* list : {"models", "tasks", "variations"}) {
        std::istringstream lines(run({"list", list}).out);
        int ids = 0;
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(app::terminal_width(line), 80u) << line;
            ids += !line.empty() && line.front() != ' ';
        }
        EXPECT_EQ(static_cast<std::size_t>(ids), attn::parse_json(run({"list", list, "--format", "json"}).out)->items.size());
    }
}

TEST(CliList, StepsAreThoseOfTheDocument) {
    const auto outcome = run({"list", "steps", "--text", "早上好", "--set", "heads=2"});
    EXPECT_THAT(outcome.out, HasSubstr("weights.h2"));
    EXPECT_EQ(run({"list", "steps", "--set", "heads=3"}).status, 3);
}

TEST(CliSchema, IsTheDocumentSchema) {
    const auto outcome = run({"schema"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, attn::document_schema());
}

/// Whether a value has the type, the range and the choices that its schema requires.
bool allows(const attn::JsonValue& schema, const attn::JsonValue& value) {
    if (const auto* either = schema.find("oneOf"))
        return std::any_of(either->items.begin(), either->items.end(),
                           [&](const attn::JsonValue& one) { return allows(one, value); });
    if (const auto* only = schema.find("const")) return value.string == only->string;
    const std::string& type = schema.find("type")->string;
    if (type == "string" && value.kind != attn::JsonKind::String) return false;
    if ((type == "number" || type == "integer") && value.kind != attn::JsonKind::Number) return false;
    if (type == "integer" && !value.is_integer) return false;
    if (type == "object" && value.kind != attn::JsonKind::Object) return false;
    if (type == "array") {
        if (value.kind != attn::JsonKind::Array) return false;
        for (const attn::JsonValue& item : value.items)
            if (!allows(*schema.find("items"), item)) return false;
    }
    if (const auto* low = schema.find("minimum"); low && value.number < low->number) return false;
    if (const auto* high = schema.find("maximum"); high && value.number > high->number) return false;
    if (const auto* choices = schema.find("enum"))
        return std::any_of(choices->items.begin(), choices->items.end(),
                           [&](const attn::JsonValue& choice) { return choice.string == value.string; });
    return true;
}

TEST(CliSchema, AcceptsTheDocumentsOfTraces) {
    const auto schema = attn::parse_json(run({"schema"}).out);
    ASSERT_TRUE(schema.ok());
    const auto& properties = *schema->find("properties");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"trace"},
          {"trace", "--text", "a b", "--set", "heads=2", "--set", "mask=causal", "--set", "temperature=0"},
          {"trace", "--text", "a b", "--set", "X=[[1,2],[3,4]]", "--set", "b_Q=[1,2]", "--set", "weight_seed=9"},
          {"trace", "--set", R"(tokens=["a"])", "--set",
           R"(edits=[{"step": "scores", "row": 1, "column": 1, "value": 0.5}])"}}) {
        const auto outcome = run(arguments);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto trace = attn::parse_json(outcome.out);
        for (const attn::JsonMember& field : trace->find("document")->members) {
            const attn::JsonValue* rule = properties.find(field.key);
            ASSERT_NE(rule, nullptr) << field.key;
            EXPECT_TRUE(allows(*rule, field.value)) << field.key;
        }
    }
}

}  // namespace
