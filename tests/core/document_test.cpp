// Documents: defaults, the round trip through JSON, fields set by name, what a run makes of them.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "core/document/fields.h"
#include "core/text/tokenizer.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

TEST(Document, EmptyObjectIsTheDefaults) {
    EXPECT_EQ(document_of("{}"), Document{});
    EXPECT_EQ(document_of(R"({"attenscope": 1})"), Document{});
    EXPECT_TRUE(problems({}).empty());
    const auto run = run_valid({});
    EXPECT_EQ(run.trace.tokens, (std::vector<std::string>{"早", "上", "好"}));
    EXPECT_FALSE(run.cut);
    EXPECT_EQ(run.replaced, 0);
}

TEST(Document, DefaultSentenceTeaches) {
    Document doc;
    choose_form(doc, "raw");
    const auto run = run_valid(doc);
    const Matrix& weights = find(run.trace, {Role::Weights})->value;
    EXPECT_GT(std::min(weights(0, 0), weights(0, 1)), weights(0, 2)) << "早 looks at 早 and 上 more than at 好";
}

/// Texts with everything that JSON must escape and that UTF-8 must preserve.
rc::Gen<std::string> any_text() {
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                            "a", " ", "\n", "\"", "\\", "早", "𠮷", "e\u0301", "\u202e", "\t", "/",
                            "👩‍👩‍👧", std::string(1, '\0'), "\x1b")),
                        [](const std::vector<std::string>& parts) {
                            std::string text;
                            for (const std::string& part : parts) text += part;
                            return text;
                        });
}

TEST(Document, RoundTripsThroughJson) {
    EXPECT_TRUE(rc::check("identity", [] {
        Document doc = *any_document();
        doc.text = *any_text();
        doc.tokenizer = tokenizers()[*rc::gen::inRange<std::size_t>(0, tokenizers().size())].id;
        doc.vectors = *rc::gen::element<std::string>("meaning", "one_hot", "random");
        doc.vector_seed = *rc::gen::inRange<std::uint64_t>(0, 1ull << 53);
        doc.width = *rc::gen::inRange(1, kMaxWidth + 1);
        doc.config.temperature = *rc::gen::element(0.0f, 0.1f, 1e-38f, 1e-45f, 1.0f, 3.4028235e38f);
        drop_unread(doc);
        const auto run_of = *run(doc);
        const int edits = *rc::gen::inRange(0, 3);
        for (int i = 0; i < edits; ++i) doc.edits.push_back(*any_edit(run_of));
        const std::string json = document_to_json(doc);
        const Result<Document> back = document_from_json(json, "");
        RC_ASSERT(back.ok());
        RC_ASSERT(*back == doc);
        RC_ASSERT(document_to_json(*back) == json);
    }));
}

/// The random documents really contain what the round trip must preserve.
TEST(Document, RandomDocumentsHaveEveryField) {
    std::set<std::string_view> changed;
    constexpr int kHundreds = 10;  // the rarest occurs in a few of a hundred
    for (int i = 0; i < kHundreds; ++i)
        EXPECT_TRUE(rc::check("every field", [&] {
            const Document doc = *any_document();
            for (const Field& field : document_fields())
                if (!field.is_default(doc)) changed.insert(field.key);
        }));
    for (const std::string_view key : {"parameters", "heads_off", "kv_heads", "padding", "X_source", "mask_pattern",
                                       "b_O", "penalty", "gate", "scope", "selection", "position", "score", "heads"})
        EXPECT_TRUE(changed.contains(key)) << key;
}

TEST(Document, ParametersRoundTripByStepNames) {
    Document doc;
    doc.config.score = "additive";
    doc.config.heads = 2;
    doc.parameters = {{{Role::ScoreWeight, 1}, seeded_matrix(1, 4, 4)},
                      {{Role::ScoreVector, 0}, seeded_matrix(2, 4, 1)}};
    const std::string json = document_to_json(doc);
    EXPECT_NE(json.find("\"score_weight.h2\""), std::string::npos) << json;
    const Document back = document_of(json);
    EXPECT_EQ(back, doc);
    const auto run = run_valid(back);
    EXPECT_TRUE(same_bits(find(run.trace, {Role::ScoreWeight, 1})->value, doc.parameters[0].value));
    EXPECT_EQ(find(run.trace, {Role::ScoreWeight, 1})->as<InputParams>().sources, std::vector{Source::Given});
    EXPECT_EQ(find(run.trace, {Role::ScoreWeight, 0})->as<InputParams>().sources, std::vector{Source::Identity});
    doc.edits = {{{Role::ScoreWeight, 1}, 0, 0, 9}};
    EXPECT_EQ(find(run_valid(doc).trace, {Role::ScoreWeight, 1})->value(0, 0), 9) << "a given weight can be typed over";
}

TEST(Document, FormerStepNamesAreRead) {
    const Document doc = document_of(R"({"tokens": ["a", "b"], "position": "rope", "rope_share": 0.5,
        "edits": [{"step": "turned_queries", "row": 2, "column": 1, "value": 3}]})");
    ASSERT_EQ(doc.edits.size(), 1u);
    EXPECT_EQ(doc.edits[0].tag, Tag{Role::RotatedQueryPairs});
    EXPECT_NE(document_to_json(doc).find("\"rotated_query_pairs\""), std::string::npos);
}

TEST(Document, NumbersRoundTripToTheLastBit) {
    Matrix x = seeded_matrix(3, 5, 5, 1e-3f);
    x(0, 0) = 1e-45f;
    x(0, 1) = 3.4028235e38f;
    x(0, 2) = -0.0f;
    const Document doc = numbers_document(x, "raw");
    const Document back = document_of(document_to_json(doc));
    EXPECT_TRUE(same_bits(*back.matrix(Given::X), *doc.matrix(Given::X)));
}

TEST(Document, WritesOnlyNonDefaultFields) {
    EXPECT_EQ(document_to_json({}), "{\n  \"attenscope\": 1,\n  \"text\": \"早上好\"\n}\n");
}

/// A value that is not the field's default, as set_field takes it.
std::string other_value(const Field& field) {
    switch (field.kind) {
        case FieldKind::Text:
            if (field.key == "attention") return ATTN_SOURCE_DIR "/tests/data/hostile/35-big-endian.npy";
            if (field.key == "picture") return ATTN_SOURCE_DIR "/tests/data/checkpoints/vit/picture.png";
            return field.key == "model" ? "questions" : field.key == "gradient" ? "output,1,1" : "other";
        case FieldKind::Choice:
            for (const std::string_view id : field.choices()) {
                Document doc;
                if (set_field(doc, field.key, id) && !field.is_default(doc)) return std::string(id);
            }
            break;
        case FieldKind::Integer:
            return "7";
        case FieldKind::Number:
            return field.low > 0.5 ? "2" : "0.5";
        case FieldKind::Integers:
            return "[2]";
        case FieldKind::Parameters:
            return R"({"score_weight": [[1, 2]]})";
        case FieldKind::Strings:
            return R"(["other"])";
        case FieldKind::Table:
            return "[[1]]";
        case FieldKind::Row:
            return "[1]";
        case FieldKind::Edits:
            return R"([{"step": "scores", "row": 1, "column": 1, "value": 1}])";
        case FieldKind::Interventions:
            return R"([{"at": "head", "layer": 1, "head": 1, "by": "zero"}])";
    }
    ADD_FAILURE() << field.key << " has no other value";
    return "";
}

TEST(Document, EveryFieldCanBeSetIsComparedAndIsWritten) {
    for (const Field& field : document_fields()) {
        SCOPED_TRACE(field.key);
        if (field.reads_file) continue;  // only with a file of several texts: given_attention_test.cpp
        Document changed;
        EXPECT_TRUE(field.is_default(changed));
        const auto set = set_field(changed, field.key, other_value(field), {.folders = true});
        ASSERT_TRUE(set.ok()) << set.error().text();
        EXPECT_FALSE(changed == Document{});
        EXPECT_FALSE(field.is_default(changed));
        EXPECT_NE(document_to_json(changed).find("\"" + std::string(field.key) + "\":"), std::string::npos);
    }
}

TEST(Document, FieldsAreSetByName) {
    Document doc;
    EXPECT_TRUE(set_field(doc, "heads", "2").ok());
    EXPECT_TRUE(set_field(doc, "mask", "causal").ok());
    EXPECT_TRUE(set_field(doc, "text", "12").ok()) << "a text that looks like a number is a text";
    EXPECT_TRUE(set_field(doc, "temperature", "0.5").ok());
    EXPECT_TRUE(set_field(doc, "W_Q", "[[1, 2], [3, 4]]").ok());
    EXPECT_EQ(doc.config.heads, 2);
    EXPECT_EQ(doc.config.mask, "causal");
    EXPECT_EQ(doc.text, "12");
    EXPECT_EQ(doc.matrix(Given::W_Q)->rows(), 2);
}

TEST(Document, FailedSettersLeaveItUnchanged) {
    Document doc;
    for (const auto& [key, value] : {std::pair{"heads", "two"},
                                     {"heads", "0"},
                                     {"heads", "199"},
                                     {"heads", "1.5"},
                                     {"mask", "sideways"},
                                     {"temperature", "1,5"},
                                     {"temperature", "nan"},
                                     {"temperature", "-1"},
                                     {"W_Q", "[[1], [2, 3]]"},
                                     {"nonsense", "1"},
                                     {"width", ""},
                                     {"edits", "[{}]"},
                                     {"tokens", "[]"},
                                     {"vector_seed", "9007199254740993"}}) {
        const auto set = set_field(doc, key, value);
        ASSERT_FALSE(set.ok()) << key << " " << value;
        EXPECT_NE(set.error().text().find(key), std::string::npos) << set.error().text();
        EXPECT_EQ(doc, Document{}) << key;
    }
}

TEST(Document, ChoosingAFormResetsUnusedFields) {
    Document doc = document_of(R"({"heads": 2, "weights": "random", "score": "dot", "b_Q": [1, 1, 1, 1, 1, 1, 1, 1]})");
    for (const Form& form : forms()) {
        Document chosen = doc;
        choose_form(chosen, form.id);
        EXPECT_TRUE(problems(chosen).empty()) << form.id;
        EXPECT_EQ(score_of(chosen.config), form.score);
    }
    choose_form(doc, "no such");
    EXPECT_EQ(doc.config.form, "multi_head");
}

TEST(Document, AMatrixWithoutTextHasNumberedRows) {
    const auto run = run_valid(document_of(R"({"X": [[1, 0], [0, 1]]})"));
    EXPECT_EQ(run.trace.tokens, (std::vector<std::string>{"x1", "x2"}));
    EXPECT_EQ(find(run.trace, {Role::Output})->value.rows(), 2);
    const auto named = run_valid(document_of(R"({"text": "a b", "X": [[1, 0], [0, 1]]})"));
    EXPECT_EQ(named.trace.tokens, (std::vector<std::string>{"a", "b"}));
}

TEST(Document, WidthsNeedNotBeThatOfX) {
    const auto run = run_valid(document_of(R"({"X": [[1, 2, 3]], "W_K": [[1, 0], [0, 1], [1, 1]],
        "W_V": [[1], [1], [1]], "W_O": [[1, 2, 3, 4]]})"));
    EXPECT_EQ(find(run.trace, {Role::Queries})->value.cols(), 2) << "W_Q follows W_K";
    EXPECT_EQ(find(run.trace, {Role::Output})->value, (RowVector(4) << 6, 12, 18, 24).finished());
}

TEST(Document, VectorsOfEachKind) {
    for (const char* vectors : {"meaning", "one_hot", "random"}) {
        Document doc;
        doc.text = "the cat the dog zyzzyva";
        doc.vectors = vectors;
        const auto run = run_valid(doc);
        const Matrix& x = find(run.trace, {Role::Embeddings})->value;
        EXPECT_EQ(x.row(0), x.row(2)) << vectors << ": the same word has the same vector";
        EXPECT_NE(x.row(0), x.row(1)) << vectors;
        EXPECT_TRUE(x.allFinite());
        const std::size_t labels = run.trace.features.size();
        EXPECT_TRUE(labels == 0 || labels == static_cast<std::size_t>(x.cols())) << vectors;
    }
}

}  // namespace
}  // namespace attn::test
