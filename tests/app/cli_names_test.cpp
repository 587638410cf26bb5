// One vocabulary: the names that a trace, an explanation, the schema and the help use.
#include <gmock/gmock.h>

#include <set>

#include "app/export/trace_json.h"
#include "core/document/fields.h"
#include "core/io/json.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;

/// Documents that together have every operation with a parameter.
const std::vector<std::string> kDocuments = {
    R"({"variant":"generate","text":"a b c","choose":"sample","choose_top_k":2,"choose_top_p":0.5,"choose_temperature":2,"norm":"rms_norm","position":"rope"})",
    R"({"variant":"multi_head","text":"a b c","heads":2,"selection":"hard","draws":3,"gate":"sigmoid"})",
    R"({"variant":"multi_head","text":"a b c","heads":2,"penalty":1,"scope":"local_p"})",
    R"({"variant":"encoder","text":"a b c","position":"relative","selection":"sparsemax"})",
    R"({"variant":"luong","text":"a b c","selection":"top_k"})"};

/// Members that every step has.
const std::set<std::string> kOfAll = {"id", "name", "op", "role", "layer", "head", "time", "part", "inputs", "shape", "rows",
                                      "columns", "values", "edited", "notes", "convention"};

TEST(Names, ParametersHaveOneNameInTraceExplanationAndHelp) {
    const std::string help = run({"trace", "--help"}).out;
    std::set<std::string> seen;
    for (const std::string& document : kDocuments) {
        const auto traced = run({"trace", "-"}, document);
        ASSERT_EQ(traced.status, 0) << traced.err;
        const auto json = attn::parse_json(traced.out);
        ASSERT_TRUE(json.ok());
        for (const attn::JsonValue& step : json->find("steps")->items)
            for (const attn::JsonMember& member : step.members) {
                if (kOfAll.contains(member.key)) continue;
                EXPECT_THAT(help, HasSubstr("`" + member.key + "`")) << step.find("op")->string;
                if (!seen.insert(step.find("op")->string + "." + member.key).second || member.key == "sources") continue;
                const auto explained = run({"explain", "-", "--step", step.find("name")->string, "--row", "1", "--column", "1",
                                            "--format", "json"}, document);
                ASSERT_EQ(explained.status, 0) << explained.err;
                const auto explanation = attn::parse_json(explained.out);
                ASSERT_TRUE(explanation.ok());
                const attn::JsonValue* same = explanation->find(member.key);
                ASSERT_NE(same, nullptr) << step.find("op")->string << " " << member.key;
                EXPECT_EQ(same->number, member.value.number);
                EXPECT_EQ(same->string, member.value.string);
            }
    }
    EXPECT_GT(seen.size(), 15u);
}

/// Each field has a number that nothing else has: wherever a step's parameter has that number, it has the field's name.
TEST(Names, AParameterHasTheNameOfItsField) {
    const std::vector<std::pair<std::string, std::string>> unusual = {
        {R"("position":"relative","text":"a b c d e f","relative_clip":17)", "relative_clip"},
        {R"("position":"rope","rope_base":4321)", "rope_base"},
        {R"("scope":"local_p","window":19)", "window"},
        {R"("selection":"top_k","text":"a b c","top_k":23)", "top_k"},
        {R"("selection":"hard","draws":29)", "draws"},
        {R"("penalty":3.25)", "penalty"},
        {R"("temperature":3.75)", "temperature"},
        {R"("variant":"encoder","epsilon":0.0625)", "epsilon"},
        {R"("variant":"generate","choose":"sample","choose_top_k":31)", "choose_top_k"},
        {R"("variant":"generate","choose":"sample","choose_top_p":0.8125)", "choose_top_p"},
        {R"("variant":"generate","choose":"sample","choose_temperature":5.5)", "choose_temperature"},
    };
    for (const auto& [choices, field] : unusual) {
        const auto traced = attn::parse_json(run({"trace", "-"}, "{" + choices + "}").out);
        ASSERT_TRUE(traced.ok()) << choices;
        const double value = traced->find("document")->find(field)->number;
        int seen = 0;
        for (const attn::JsonValue& step : traced->find("steps")->items)
            for (const attn::JsonMember& member : step.members) {
                if (kOfAll.contains(member.key) || member.value.kind != attn::JsonKind::Number || member.value.number != value) continue;
                ++seen;
                EXPECT_TRUE(field == member.key || field == "choose_" + member.key) << field << " is called " << member.key;
            }
        EXPECT_GT(seen, 0) << field;
    }
}

TEST(Names, GivenMatricesAreStepsOfTheSameName) {
    const std::string document = R"({"variant":"cross","text":"a b","source":"c d e","weights":"random","b_Q":[1,2,3,4,5,6,7,8]})";
    for (const auto& [field, step] : std::vector<std::pair<std::string, std::string>>{
             {"X", "embeddings"}, {"X_source", "source.embeddings"}, {"W_Q", "query_weight"}, {"W_K", "key_weight"},
             {"W_V", "value_weight"}, {"W_O", "output_weight"}, {"b_Q", "query_bias"}}) {
        const auto by_field = run({"trace", "-", "--step", field, "--format", "csv"}, document);
        EXPECT_EQ(by_field.status, 0) << by_field.err;
        EXPECT_EQ(by_field.out, run({"trace", "-", "--step", step, "--format", "csv"}, document).out) << field;
    }
    // In a block, which gives its weights by their steps' names, they are the same two words.
    const std::string zeros = R"([[0,0],[0,0]]}})", block = R"({"variant":"encoder","tokens":["a"],"X":[[1,2]],"parameters":{)";
    EXPECT_EQ(run({"trace", "-", "--step", "output"}, block + R"("l1.W_Q":)" + zeros).out,
              run({"trace", "-", "--step", "output"}, block + R"("l1.query_weight":)" + zeros).out);
}

/// Every field that has choices is a list under its name, with the choices of the schema; the former names of lists still
/// work, with a note.
TEST(Names, ListsHaveTheNamesOfTheirFields) {
    const auto schema = attn::parse_json(run({"schema"}).out);
    const std::string help = run({"list", "--help"}).out;
    int lists = 0;
    for (const attn::JsonMember& field : schema->find("properties")->members) {
        const attn::JsonValue* choices = field.value.find("enum");
        if (!choices) continue;
        ++lists;
        EXPECT_THAT(help, HasSubstr(field.key));
        const auto listed = run({"list", field.key, "--format", "json"});
        ASSERT_EQ(listed.status, 0) << listed.err;
        EXPECT_EQ(listed.err, "");
        const auto entries = attn::parse_json(listed.out);
        ASSERT_EQ(entries->items.size(), choices->items.size()) << field.key;
        for (std::size_t i = 0; i < choices->items.size(); ++i)
            EXPECT_EQ(entries->items[i].find("id")->string, choices->items[i].string);
    }
    EXPECT_GT(lists, 15);
    for (const std::string was : {"variants", "scores", "masks", "positions", "tokenizers"}) {
        const auto old = run({"list", was});
        const std::string now = was.substr(0, was.size() - 1);
        EXPECT_EQ(old.out, run({"list", now}).out);
        EXPECT_THAT(old.err, HasSubstr("the list \"" + was + "\" is now called as the field: \"" + now + "\""));
    }
}

TEST(Names, AHeadByItsNumberIsTheOnlyHead) {
    const std::string one = R"({"variant":"multi_head","text":"a b","heads":1,"score":"additive")";
    EXPECT_EQ(run({"trace", "-", "--step", "weights.h1", "--format", "csv"}, one + "}").out,
              run({"trace", "-", "--step", "weights", "--format", "csv"}, one + "}").out);
    EXPECT_EQ(run({"trace", "-", "--step", "weights.h2"}, one + "}").status, 3);
    const auto given = run({"trace", "-", "--step", "scores", "--format", "csv"},
                           one + R"(,"score_width":1,"parameters":{"score_vector.h1":[[0]]}})");
    EXPECT_EQ(given.status, 0) << given.err;
    const auto lost = run({"trace", "-"}, R"({"variant":"multi_head","text":"a b","heads":2,"score":"additive","parameters":{"score_vector":[[1]]}})");
    EXPECT_EQ(lost.status, 3);
    EXPECT_THAT(lost.err, HasSubstr("score_vector.h1"));
}

TEST(Names, TheFeedForwardLayersWeightsMayHaveItsName) {
    const std::string begin = R"({"variant":"encoder","text":"a b","ffn_width":1,"parameters":{")";
    const std::string zeros = R"(l1.up_weight":[[0],[0],[0],[0],[0],[0],[0],[0]]}})";
    const auto plain = run({"trace", "-", "--step", "output"}, begin + zeros);
    ASSERT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(run({"trace", "-", "--step", "output"}, begin + "ffn." + zeros).out, plain.out);
}

/// The schema names for every field the forms that read it.
TEST(Names, TheSchemaNamesTheFormsThatReadAField) {
    const auto schema = attn::parse_json(run({"schema"}).out);
    ASSERT_TRUE(schema.ok());
    for (const attn::Field& field : attn::document_fields()) {
        const attn::JsonValue* one = schema->find("properties")->find(field.key);
        ASSERT_NE(one, nullptr);
        ASSERT_NE(one->find("readBy"), nullptr) << field.key;
        EXPECT_FALSE(one->find("readBy")->string.empty()) << field.key;
        const attn::JsonValue* forms = one->find("variants");
        if (field.reads_file) {  // read with a file alone, in place of a form
            EXPECT_EQ(one->find("readBy")->string, "files of attention with several texts");
            continue;
        }
        for (const attn::Form& form : attn::forms()) {
            const bool named = !forms || std::any_of(forms->items.begin(), forms->items.end(),
                                                     [&](const attn::JsonValue& v) { return v.string == form.id; });
            EXPECT_EQ(named, attn::can_be_read(field, form.id)) << field.key << " " << form.id;
        }
    }
    const attn::JsonValue* tile = schema->find("properties")->find("tile")->find("variants");
    ASSERT_NE(tile, nullptr);
    EXPECT_EQ(tile->items.size(), 1u);
}

}  // namespace
