// An error of a document names the key's path, the line and the reason.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/attention/forms/attention.h"
#include "core/document/fields.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

/// A document that has the key on line 3.
std::string on_line_three(std::string_view key, std::string_view value) {
    return fmt::format("{{\n\"attenscope\": 1,\n\"{}\": {}\n}}", key, value);
}

void expect_refused(std::string_view json, std::string_view key, int line, std::string_view says) {
    SCOPED_TRACE(json.substr(0, 300));
    const Error error = refusal_of(json);
    EXPECT_EQ(error.key, key) << error.text();
    EXPECT_EQ(error.line, line) << error.text();
    EXPECT_EQ(error.where, "test.json");
    EXPECT_NE(error.message.find(says), std::string::npos) << error.text() << "\nshould say: " << says;
    EXPECT_TRUE(error.text().starts_with("test.json:"));
}

TEST(DocumentErrors, AWrongTypeNamesKeyAndLine) {
    for (const Field& field : document_fields())
        for (const std::string_view value : {"null", "true", "\"a\"", "1", "[[[]]]", "{}"}) {
            const bool text = value == "\"a\"", number = value == "1", list = value == "[[[]]]";
            if (text && field.kind == FieldKind::Text) continue;
            if (value == "{}" && field.kind == FieldKind::Parameters) continue;
            if (number && (field.kind == FieldKind::Integer || field.kind == FieldKind::Number)) continue;
            const Error error = refusal_of(on_line_three(field.key, value));
            EXPECT_EQ(error.line, 3) << field.key << " " << value << ": " << error.text();
            EXPECT_TRUE(error.key.starts_with(field.key)) << error.text();
            if (!text && !list) {
                EXPECT_NE(error.message.find("expected"), std::string::npos) << error.text();
            }
        }
}

TEST(DocumentErrors, OutOfRangeNamesTheRange) {
    int checked = 0;
    for (const Field& field : document_fields()) {
        if (field.low == field.high || (field.kind != FieldKind::Integer && field.kind != FieldKind::Number)) continue;
        ++checked;
        expect_refused(on_line_three(field.key, fmt::format("{}", field.low - 1)), field.key, 3,
                       "is not possible; take");
        const std::string above = field.high > 1e30 ? "1e39" : fmt::format("{:.0f}", field.high + 1);
        expect_refused(on_line_three(field.key, above), field.key, 3, "is not possible; take");
        if (field.kind == FieldKind::Integer)
            expect_refused(on_line_three(field.key, "1.5"), field.key, 3, "whole number");
    }
    EXPECT_GE(checked, 5);
}

TEST(DocumentErrors, AnUnknownChoiceNamesThemAll) {
    for (const Field& field : document_fields()) {
        if (field.kind != FieldKind::Choice) continue;
        expect_refused(on_line_three(field.key, "\"sideways\""), field.key, 3, "there is no \"sideways\"");
        const Error error = refusal_of(on_line_three(field.key, "\"sideways\""));
        for (const std::string_view id : field.choices()) {
            EXPECT_NE(error.message.find(id), std::string::npos) << error.text();
        }
    }
}

TEST(DocumentErrors, AnUnknownKeyNamesItsLineAndTheLikelyOne) {
    expect_refused("{\n\"haeds\": 2}", "haeds", 2, "unknown key");
    expect_refused("{\n\n\"Heads\": 2}", "Heads", 3, "did you mean \"heads\"?");
    expect_refused("{\"temprature\": 2}", "temprature", 1, "did you mean \"temperature\"?");
    expect_refused("{\"\": 2}", "", 1, "unknown key");
    EXPECT_EQ(refusal_of("{\"\": 2}").message.find("did you mean"), std::string::npos);
}

TEST(DocumentErrors, AMatrixNamesTheCell) {
    for (const std::string_view key : {"X", "W_Q", "W_K", "W_V", "W_O", "mask_pattern"}) {
        const auto refused = [&](std::string_view value, std::string_view path, int line, std::string_view says) {
            expect_refused(fmt::format("{{\"mask\": \"drawn\",\n\"{}\": {}}}", key, value),
                           fmt::format("{}{}", key, path), line, says);
        };
        refused("[[1, 2],\n[3]]", "[1]", 3, "The rows differ in length: this one has 1, the first has 2");
        refused("[[1, 2],\n[3, 4],\n[1e39, 1]]", "[2][0]", 4, "beyond what a 32-bit float holds");
        refused("[[1, \"nan\"]]", "[0][1]", 2, "NaN");
        refused("[[1, \"inf\"]]", "[0][1]", 2, "infinity");
        refused("[[1, null]]", "[0][1]", 2, "A number is expected");
        refused("[[1], 2]", "[1]", 2, "A row is expected");
        refused("[]", "", 2, "empty");
        refused("[[]]", "[0]", 2, "empty");
    }
    expect_refused("{\"b_Q\": [1,\n\"two\"]}", "b_Q[1]", 2, "A number is expected");
    expect_refused("{\"b_Q\": []}", "b_Q", 1, "empty");
    expect_refused("{\"mask\": \"drawn\", \"mask_pattern\": [[1, 0.5]]}", "mask_pattern[0][1]", 1, "1 (visible)");
}

TEST(DocumentErrors, AMisshapenMatrixNamesBothShapes) {
    constexpr std::string_view kX = "\"X\": [[1, 2], [3, 4], [5, 6]]";
    const auto refused = [&](std::string_view rest, std::string_view key, std::string_view says) {
        expect_refused(fmt::format("{{{},\n{}}}", kX, rest), key, 2, says);
    };
    refused("\"W_Q\": [[1]]", "W_Q", "it is 1 × 1, but must be 2 × 1");
    refused("\"W_K\": [[1, 2, 3]]", "W_K", "it is 1 × 3, but must be 2 × 3");
    refused("\"W_Q\": [[1], [1]], \"W_K\": [[1, 2], [1, 2]]", "W_K", "it is 2 × 2, but must be 2 × 1");
    refused("\"W_V\": [[1], [1], [1]]", "W_V", "it is 3 × 1, but must be 2 × 1");
    refused("\"W_V\": [[1], [1]], \"W_O\": [[1], [1]]", "W_O", "it is 2 × 1, but must be 1 × any");
    refused("\"b_Q\": [1, 2, 3]", "b_Q", "it is 1 × 3, but must be 1 × 2");
    refused("\"W_O\": [[1, 2, 3], [1, 2, 3]], \"b_O\": [1]", "b_O", "it is 1 × 1, but must be 1 × 3");
    expect_refused("{\"text\": \"one two\",\n\"X\": [[1], [2], [3]]}", "X", 2,
                   "it has 3 rows, but the text has 2 tokens");
    refused("\"mask\": \"drawn\", \"mask_pattern\": [[1]]", "mask_pattern", "it is 1 × 1, but the text has 3 tokens");
    refused("\"heads\": 3", "heads", "3 heads do not divide the 2 columns of the queries");
    refused("\"heads\": 2, \"W_V\": [[1], [1]]", "heads", "2 heads do not divide the 1 columns of the values");
}

TEST(DocumentErrors, AFieldThatTheFormDoesNotReadIsNamedWithTheForm) {
    for (const Form& form : forms()) {
        const auto refused = [&](std::string_view key, std::string_view value) {
            expect_refused(
                fmt::format("{{\"text\": \"a b\", \"variant\": \"{}\",\n\"{}\": {}}}", form.id, key, value), key, 2,
                fmt::format("\"{}\"", form.id));
        };
        if (!has(form.reads, Reads::Heads)) refused("heads", "2");
        if (!has(form.reads, Reads::Weights)) refused("weights", "\"random\"");
        if (!has(form.reads, Reads::Source)) refused("X_source", "[[1]]");
        if (!has(form.reads, Reads::Blocks)) refused("layers", "2");
        if (has(form.reads, Reads::Projections)) continue;
        for (const Field& field : document_fields()) {
            if (field.key.starts_with("W_")) refused(field.key, "[[1]]");
            if (field.key.starts_with("b_")) refused(field.key, "[1]");
        }
    }
    expect_refused("{\"mask_pattern\": [[1]]}", "mask_pattern", 1, "read only by the mask \"drawn\"");
}

TEST(DocumentErrors, AnEditNamesWhatIsWrongWithIt) {
    const auto refused = [](std::string_view edit, std::string_view path, std::string_view says) {
        expect_refused(fmt::format("{{\"edits\": [\n{}]}}", edit), fmt::format("edits[0]{}", path), 2, says);
    };
    refused("1", "", "an object is expected");
    refused("{\"step\": \"scores\", \"row\": 1, \"column\": 1}", "", "\"value\" is missing");
    refused(R"({"step": "score", "row": 1, "column": 1, "value": 1})", ".step", "the name of a step");
    refused(R"({"step": 1, "row": 1, "column": 1, "value": 1})", ".step", "the name of a step");
    refused(R"({"step": "scores", "row": 0, "column": 1, "value": 1})", ".row", "a whole number from 1");
    refused(R"({"step": "scores", "row": 1, "column": 1.5, "value": 1})", ".column", "a whole number from 1");
    refused(R"({"step": "scores", "row": 3000000000, "column": 1, "value": 1})", ".row", "a whole number from 1");
    refused(R"({"step": "scores", "row": 1, "column": 1, "value": 1e39})", ".value", "float32");
    refused(R"({"step": "scores", "row": 1, "column": 1, "value": "1"})", ".value", "float32");
    refused(R"({"step": "scores", "row": 1, "column": 1, "value": 1, "why": 1})", ".why", "unknown key");
}

TEST(DocumentErrors, AParameterNamesWhatIsWrongWithIt) {
    const auto refused = [](std::string_view parameters, std::string_view path, std::string_view says) {
        expect_refused(
            fmt::format("{{\"score\": \"additive\", \"X\": [[1, 2], [3, 4]],\n\"parameters\": {{{}}}}}", parameters),
            fmt::format("parameters{}", path), 2, says);
    };
    constexpr std::string_view kFits = "[[1, 0], [0, 1]]";
    const auto given = [&](std::string_view name) { return fmt::format("\"{}\": {}", name, kFits); };
    EXPECT_TRUE(
        problems(document_of(fmt::format(R"({{"score": "additive", "X": [[1, 2], [3, 4]], "parameters": {{{}}}}})",
                                         given("score_weight"))))
            .empty());
    refused(R"("score_weight": [[1, 2, 3]])", ".score_weight", "it is 1 × 3, but must be 2 × 2");
    refused(R"("score_vector": [[1, 2]])", ".score_vector", "it is 1 × 2, but must be 2 × 1");
    refused(given("score_wait"), ".score_wait", "the name of a step");
    refused(given(""), ".", "the name of a step");
    refused(given("score_weight.h2"), ".score_weight.h2", "has no such step with these choices");
    refused(given("l1.up_weight"), ".l1.up_weight", "the form \"multi_head\" has no such step");
    refused(given("weights"), ".weights", "this step is computed");
    refused(given("query_weight"), ".query_weight", "W_Q");
    refused(given("embeddings"), ".embeddings", "not given by its name");
    refused(R"("score_weight": 1)", ".score_weight", "A matrix is expected");
    refused(R"("score_weight": [[1, "nan"], [0, 1]])", ".score_weight[0][1]", "NaN");
    refused(R"("score_weight": [[1, 0], [1e39, 1]])", ".score_weight[1][0]", "beyond what a 32-bit float holds");
    refused(R"("score_weight": [[1, 0], ["-inf", 1]])", ".score_weight[1][0]", "infinity");
    refused(R"("score_weight": [])", ".score_weight", "empty");
    const auto twice = [&](std::string_view a, std::string_view b) { return given(a) + ", " + given(b); };
    expect_refused(fmt::format("{{\"heads\": 2, \"score\": \"additive\",\n\"parameters\": {{{}}}}}",
                               twice("score_weight.h1", "score_weight.h01")),
                   "parameters.score_weight.h01", 2, "\"score_weight.h1\" appears twice");
}

TEST(DocumentErrors, HeadsNameTheOtherHeads) {
    const auto refused = [](std::string_view fields, std::string_view key, std::string_view says) {
        expect_refused(fmt::format("{{\n{}}}", fields), key, 2, says);
    };
    refused(R"("heads": 4, "kv_heads": 3)", "kv_heads", "3 key heads do not divide heads = 4");
    refused(R"("heads": 2, "kv_heads": 4)", "kv_heads", "4 key heads do not divide heads = 2");
    refused(R"("heads": 4, "kv_heads": 2, "W_K": [[1], [1]], "X": [[1, 2]], "W_Q": [[1, 2, 3, 4], [1, 2, 3, 4]])",
            "W_K", "it is 2 × 1, but must be 2 × 2");
    refused(R"("heads": 4, "kv_heads": 2, "b_V": [1, 2, 3, 4, 5, 6, 7, 8])", "b_V", "it is 1 × 8, but must be 1 × 4");
    refused(R"("heads": 2, "heads_off": [3])", "heads_off", "there is no head 3: heads is 2");
    refused(R"("heads": 2, "heads_off": [2, 0])", "heads_off[1]", "the number of a head is expected, 1 to 128");
    refused(R"("heads": 2, "heads_off": [129])", "heads_off[0]", "the number of a head is expected");
    refused(R"("heads": 2, "heads_off": [1.5])", "heads_off[0]", "the number of a head is expected");
    refused(R"("heads": 2, "heads_off": ["1"])", "heads_off[0]", "the number of a head is expected");
    EXPECT_EQ(document_of(R"({"heads": 4, "heads_off": [3, 1, 3]})").config.heads_off, (std::vector<int>{0, 2}))
        << "sorted, each once";
}

TEST(DocumentErrors, TheSecondTextMustFitTheFirst) {
    const auto refused = [](std::string_view fields, std::string_view key, std::string_view says) {
        expect_refused(fmt::format("{{\"variant\": \"cross\",\n{}}}", fields), key, 2, says);
    };
    refused(R"("X": [[1, 2]])", "X", "add X_source");
    refused(R"("X": [[1, 2]], "source": "", "X_source": [[1, 2, 3]])", "X_source", "it has 3 columns, but X has 2");
    refused(R"("X": [[1, 2]], "source": "one two", "X_source": [[1, 2]])", "X_source",
            "it has 1 rows, but the source has 2 tokens");
    refused(R"("mask": "drawn", "text": "a b", "source": "c d e", "mask_pattern": [[1, 1], [1, 1]])", "mask_pattern",
            "it must be 2 × 3");
    expect_refused("{\"text\": \"a b\", \"padding\": 1, \"mask\": \"padding\",\n\"X\": [[1], [2]]}", "X", 2,
                   "it has 2 rows, but the text has 3 tokens");
}

/// A field that a form does not read is refused with the form's name, so that no setting is silently ignored.
TEST(DocumentErrors, EveryFieldThatIsNotReadIsNamed) {
    int checked = 0;
    for (const Form& form : forms())
        for (const Field& field : document_fields()) {
            Document doc;
            doc.config.form = form.id;
            if (!field.is_read || field.is_read(doc) || field.key == "mask_pattern") continue;
            if (field.reads_file) {
                EXPECT_NE(set_field(doc, field.key, "3").error().text().find("no file of attention is named"), std::string::npos);
                continue;
            }
            const std::string_view value = field.key == "picture"              ? ATTN_SOURCE_DIR "/tests/data/checkpoints/vit/picture.png"
                                           : field.kind == FieldKind::Choice     ? field.choices().back()
                                           : field.kind == FieldKind::Text     ? "questions"  // the model
                                           : field.kind == FieldKind::Integers ? "[1]"
                                           : field.kind == FieldKind::Strings  ? "[\"a\"]"
                                           : field.kind == FieldKind::Table    ? "[[1]]"
                                           : field.kind == FieldKind::Row      ? "[1]"
                                           : field.kind == FieldKind::Interventions ? R"([{"at": "head", "layer": 1, "head": 1, "by": "zero"}])"
                                           : field.kind == FieldKind::Number && field.high < 2 ? "0.5"
                                                                               : "3";
            ASSERT_TRUE(set_field(doc, field.key, value, {.folders = true}).ok()) << field.key;
            if (field.is_read(doc)) continue;  // the choice itself makes the form read the field
            const std::vector<Error> wrong = problems(doc);
            const auto named =
                std::find_if(wrong.begin(), wrong.end(), [&](const Error& e) { return e.key == field.key; });
            ASSERT_NE(named, wrong.end()) << form.id << " " << field.key;
            EXPECT_NE(named->message.find(fmt::format("\"{}\"", form.id)), std::string::npos) << named->text();
            EXPECT_NE(named->message.find(field.read_by), std::string::npos) << named->text();
            drop_unread(doc);
            EXPECT_TRUE(field.is_default(doc)) << field.key;
            ++checked;
        }
    EXPECT_GE(checked, 40);
}

TEST(DocumentErrors, ProblemsOfADocumentMadeInCode) {
    const auto keys = [](const Document& doc) {
        std::vector<std::string> out;
        for (const Error& error : problems(doc)) out.push_back(error.key);
        return out;
    };
    Document doc;
    doc.config.temperature = std::numeric_limits<float>::quiet_NaN();
    doc.config.heads = 0;
    doc.config.form = "none such";
    doc.width = 0;
    EXPECT_THAT(keys(doc), testing::UnorderedElementsAre("variant", "temperature", "heads", "width"));
    EXPECT_FALSE(run(doc).ok());
    doc = {};
    doc.config.temperature = -1e-30f;
    EXPECT_EQ(keys(doc), (std::vector<std::string>{"temperature"}));
    doc.config.temperature = kInfinity;
    EXPECT_EQ(keys(doc), std::vector<std::string>());
    doc.config.temperature = -kInfinity;
    EXPECT_EQ(keys(doc), (std::vector<std::string>{"temperature"}));
}

}  // namespace
}  // namespace attn::test
