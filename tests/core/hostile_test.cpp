// The table of bad inputs, one test per row, as far as it concerns the engine: it must neither abort nor return a wrong
// number silently.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <clocale>
#include <locale>

#include "core/document/fields.h"
#include "core/io/csv.h"
#include "core/ops/explain.h"
#include "core/text/unicode.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

Document with_text(std::string text) {
    Document doc;
    doc.text = std::move(text);
    return doc;
}

/// Runs the document, and checks that every label is safe to show: one line, no control characters.
attn::Run run_and_look(const Document& doc) {
    attn::Run run = run_valid(doc);
    EXPECT_EQ(every_row_and_column_has_a_label(run.trace), "");
    for (const std::string& token : run.trace.tokens)
        for (const char c : visible(token)) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << token;
    return run;
}

TEST(Hostile, Row25_NoTokens) {
    for (const char* text : {"", "   ", "\n\t\r\n", "\xEF\xBB\xBF"})
        for (const char* vectors : {"meaning", "one_hot", "random"})
            for (const char* form : {"raw", "multi_head"}) {
                Document doc = with_text(text);
                doc.vectors = vectors;
                choose_form(doc, form);
                const auto run = run_valid(doc);
                EXPECT_EQ(run.trace.size(), 0) << text;
                EXPECT_EQ(run.inputs.n(), 0);
                EXPECT_TRUE(document_from_json(document_to_json(doc), "").ok());
            }
}

TEST(Hostile, Row26_AMegabyteOfText) {
    std::string words, line(1 << 20, 'x');
    while (words.size() < (1 << 20)) words += "word ";
    const std::string newlines(1 << 20, '\n');
    for (const std::string* text : std::initializer_list<const std::string*>{&words, &line, &newlines}) {
        bool cut = false;
        const std::vector<std::string> tokens = tokens_of(with_text(*text), &cut);
        EXPECT_LE(tokens.size(), kMaxTokens);
        EXPECT_EQ(cut, text == &words);
    }
    Document doc = with_text(words);
    choose_form(doc, "raw");
    const auto run = run_valid(doc);
    EXPECT_TRUE(run.cut);
    EXPECT_EQ(run.inputs.n(), static_cast<int>(kMaxTokens));
    EXPECT_EQ(rows_are_shares(run.trace), "");
}

TEST(Hostile, Row27_InvalidUtf8) {
    const auto run = run_and_look(with_text("a \xC0\x80 b \xED\xA0\x80 c \xFF"));
    EXPECT_GE(run.replaced, 3);
    EXPECT_EQ(find(run.trace, {Role::Weights})->value.rows(), run.inputs.n());
    EXPECT_FALSE(document_from_json("{\"text\": \"\xC0\x80\"}", "f.json").ok()) << "a file must be UTF-8";
    EXPECT_FALSE(document_from_json(std::string("\xFF\xFE{\0}\0", 6), "f.json").ok()) << "UTF-16";
    EXPECT_FALSE(document_from_json(R"({"text": "\ud800"})", "f.json").ok()) << "half a surrogate pair";
}

TEST(Hostile, Row28_ControlCharacters) {
    const std::string text = std::string("a\0b", 3) + " \x1b[2J \u202Eabc \x07";
    const auto run = run_and_look(with_text(text));
    for (StepId id = 0; id < run.trace.size(); ++id) {
        const std::string said = explain_text(run.trace, explain(run.trace, {id, 0, 0}));
        EXPECT_EQ(said.find('\x1b'), std::string::npos);
        EXPECT_EQ(said.find("\u202E"), std::string::npos);
        EXPECT_EQ(said.find('\0'), std::string::npos);
    }
    const Error error = refusal_of("{\"\\u001b[2J\": 1}");
    EXPECT_EQ(error.text().find('\x1b'), std::string::npos) << "a message never carries an escape";
    const Error choice = refusal_of("{\"mask\": \"\\u001b[2J\"}");
    EXPECT_EQ(choice.text().find('\x1b'), std::string::npos);
}

TEST(Hostile, Row29_DifficultScripts) {
    std::string marks = "e";
    for (int i = 0; i < 1000; ++i) marks += "\u0301";
    for (const std::string& text : {std::string("👩‍👩‍👧‍👦 🇨🇳"), marks, std::string("שלום עליכם"),
                                    std::string("𠮷野家"), std::string("สวัสดี")})
        for (const char* tokenizer : {"auto", "words", "characters", "bytes"}) {
            Document doc = with_text(text);
            doc.tokenizer = tokenizer;
            const auto run = run_and_look(doc);
            EXPECT_GT(run.inputs.n(), 0) << text << " " << tokenizer;
            EXPECT_EQ(rows_are_shares(run.trace), "");
        }
}

TEST(Hostile, Row30_TokensThatAreFormulasOrHaveQuotes) {
    Document doc;
    doc.tokens = {"=1+1", "a\"b", "c,d", "e\nf", "@x"};
    const auto run = run_and_look(doc);
    const Step& weights = *find(run.trace, {Role::Weights});
    CsvWriter plain, guarded(CsvGuard::Apostrophe);
    plain.table(weights.value, run.trace.tokens, run.trace.tokens);
    guarded.table(weights.value, run.trace.tokens, run.trace.tokens);
    const std::string csv = plain.take(), safe = guarded.take();
    EXPECT_NE(csv.find(",=1+1,\"a\"\"b\",\"c,d\",\"e\nf\",@x\n"), std::string::npos) << csv.substr(0, 80);
    EXPECT_NE(safe.find("'=1+1"), std::string::npos) << safe.substr(0, 80);
    EXPECT_NE(safe.find("'@x"), std::string::npos);
    EXPECT_EQ(document_of(document_to_json(doc)).tokens, doc.tokens);
}

TEST(Hostile, Row31_Temperatures) {
    const auto weights_at = [](std::string_view temperature) {
        const auto run = run_valid(document_of(
            fmt::format(R"({{"variant": "raw", "X": [[1, 0], [1, 0], [0, 1]], "temperature": {}}})", temperature)));
        EXPECT_TRUE(run.trace.notes.empty());
        return find(run.trace, {Role::Weights})->value;
    };
    Matrix ties(3, 3);
    ties << 0.5f, 0.5f, 0, 0.5f, 0.5f, 0, 0, 0, 1;
    EXPECT_EQ(weights_at("0"), ties);
    EXPECT_EQ(weights_at("-0.0"), ties);
    EXPECT_EQ(weights_at("1e-38"), ties);
    EXPECT_EQ(weights_at("1e38"), Matrix::Constant(3, 3, 1.0f / 3));
    EXPECT_EQ(weights_at("3.4e38"), Matrix::Constant(3, 3, 1.0f / 3));
    EXPECT_EQ(refusal_of("{\n\"temperature\": -1}").line, 2);
    EXPECT_EQ(refusal_of("{\"temperature\": 1e39}").key, "temperature");
    for (const char* wrong : {"{\"temperature\": NaN}", "{\"temperature\": Infinity}", "{\"temperature\": 1,5}",
                              "{\"temperature\": \"1,5\"}"})
        EXPECT_GT(refusal_of(wrong).line, 0) << wrong;
    Document doc;
    EXPECT_FALSE(set_field(doc, "temperature", "1,5").ok());
    EXPECT_FALSE(set_field(doc, "temperature", "nan").ok());
}

TEST(Hostile, Row32_WhollyMaskedRows) {
    const auto run = run_valid(document_of(
        R"({"text": "a b", "mask": "drawn", "mask_pattern": [[0, 0], [1, 0]], "heads": 2, "b_O": [1, 2, 3, 4, 5, 6, 7, 8]})"));
    for (const int head : {0, 1}) {
        const StepId weights = find_id(run.trace, {Role::Weights, head});
        EXPECT_EQ(run.trace[weights].value.row(0), RowVector::Zero(2));
        EXPECT_EQ(row_state(run.trace, weights, 0), RowState::AllMasked);
        EXPECT_EQ(run.trace[weights].value.row(1), (RowVector(2) << 1, 0).finished());
        EXPECT_EQ(find(run.trace, {Role::HeadOutput, head})->value.row(0), RowVector::Zero(4));
    }
    EXPECT_EQ(every_cell_is_explained(run.trace), "");
    const Error wrong = refusal_of(R"({"text": "a b", "mask": "drawn", "mask_pattern": [[1, 1, 1]]})");
    EXPECT_EQ(wrong.message, "it is 1 × 3, but the text has 2 tokens: it must be 2 × 2");
}

TEST(Hostile, Row33_ScoresOf1e30) {
    for (const char* size : {"1e4", "1e15"}) {  // squared: scores of 1e8 and 1e30
        const auto run =
            run_valid(document_of(fmt::format(R"({{"variant": "raw", "X": [[{0}], [{0}], [-{0}], [0]]}})", size)));
        Matrix expected(4, 4);
        expected << 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0, 0, 1, 0, 0.25f, 0.25f, 0.25f, 0.25f;
        EXPECT_EQ(find(run.trace, {Role::Weights})->value, expected) << size;
        EXPECT_TRUE(run.trace.notes.empty());
        EXPECT_EQ(every_cell_is_explained(run.trace), "");
    }
}

TEST(Hostile, Row34_OneTokenAndAHundredThousand) {
    const auto run = run_valid(with_text("好"));
    EXPECT_EQ(find(run.trace, {Role::Weights})->value, Matrix::Ones(1, 1));
    Document many;
    many.tokens.assign(100'000, "a");
    for (const char* vectors : {"meaning", "one_hot", "random"}) {
        many.vectors = vectors;
        const auto refused = attn::run(many);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().key, "tokens");
        EXPECT_NE(refused.error().message.find("100000 tokens with 1 heads need 120"), std::string::npos)
            << refused.error().message;
    }
    std::string different = "{\"X\": [[1]";
    for (int i = 1; i < 100'000; ++i) different += ",[1]";
    EXPECT_NE(refusal_of(different + "]}").message.find("GB"), std::string::npos);
    Document distinct;
    for (int i = 0; i < 100'000; ++i) distinct.tokens.push_back(std::to_string(i));
    distinct.vectors = "one_hot";
    EXPECT_FALSE(attn::run(distinct).ok()) << "refused before 40 GB of one-hot vectors are made";
}

/// Finite but huge weights: results that overflow are noted, never shown as a number.
TEST(Hostile, HugeParametersAreNoted) {
    for (const char* score : {"general", "additive", "concat", "gat"}) {
        const auto run = run_valid(document_of(fmt::format(
            R"({{"variant": "raw", "X": [[1, 1], [1, 2]], "score": "{}", "parameters": {{"score_weight": {}}}}})",
            score,
            std::string_view(score) == "concat" ? "[[3e38, 3e38], [3e38, 3e38], [3e38, 3e38], [3e38, 3e38]]"
                                                : "[[3e38, 3e38], [3e38, 3e38]]")));
        ASSERT_FALSE(run.trace.notes.empty()) << score;
        EXPECT_EQ(run.trace.notes.front().state, RowState::Overflow) << score;
        for (StepId id = 0; id < run.trace.size(); ++id) {
            const Step& step = run.trace[id];
            for (int r = 0; r < static_cast<int>(step.value.rows()); ++r)
                EXPECT_TRUE(step.value.row(r).allFinite() || row_state(run.trace, id, r) == RowState::Overflow ||
                            step.op == Op::Transpose || step.op == Op::PairConcat || step.op == Op::Fold)
                    << score << " " << step_name(step.tag) << " row " << r;
        }
        EXPECT_EQ(every_cell_is_explained(run.trace), "") << score;
    }
}

/// An empty second text: nothing to attend to, nothing is computed, and the document can be saved.
TEST(Hostile, AnEmptySecondText) {
    int checked = 0;
    for (const Form& form : forms()) {
        if (!has(form.reads, Reads::Source)) continue;
        for (const char* source : {"", "  \n", "\xEF\xBB\xBF"}) {
            Document doc;
            choose_form(doc, form.id);
            doc.source = source;
            const auto run = run_valid(doc);
            EXPECT_EQ(run.trace.size(), 0) << form.id;
            EXPECT_TRUE(document_from_json(document_to_json(doc), "").ok());
            doc.padding = 2;
            EXPECT_EQ(run_valid(doc).trace.size(), 0) << "padding behind nothing is nothing";
            ++checked;
        }
        Document given = numbers_document(Matrix::Ones(2, 2), form.id);
        given.source.clear();
        EXPECT_EQ(run_valid(given).trace.size(), 0) << form.id << ": X alone";
    }
    EXPECT_GE(checked, 3);
}

/// More padding than keys: every row attends to nothing, and is noted so.
TEST(Hostile, OnlyPadding) {
    const auto run = run_valid(document_of(R"({"X": [[1, 2], [3, 4]], "padding": 64, "mask": "padding"})"));
    const StepId weights = find_id(run.trace, {Role::Weights});
    EXPECT_EQ(run.trace[weights].value, Matrix::Zero(2, 2));
    for (const int row : {0, 1}) EXPECT_EQ(row_state(run.trace, weights, row), RowState::AllMasked);
    EXPECT_EQ(every_cell_is_explained(run.trace), "");
}

/// Parameters of a text without tokens are kept until it has some.
TEST(Hostile, ParametersWithoutTokens) {
    Document doc = with_text("");
    doc.config.score = "general";
    doc.parameters = {{{Role::ScoreWeight}, Matrix::Ones(3, 5)}};
    EXPECT_EQ(run_valid(doc).trace.size(), 0);
    doc.text = "a";
    EXPECT_FALSE(problems(doc).empty());
}

TEST(Hostile, Row38_CorruptDocuments) {
    const std::string good =
        document_to_json(document_of(R"({"text": "a b", "W_Q": [[1], [2], [3], [4], [5], [6], [7], [8]],
        "edits": [{"step": "scores", "row": 1, "column": 2, "value": 3}]})"));
    for (std::size_t cut = 0; cut < good.rfind('}'); ++cut) {
        EXPECT_FALSE(document_from_json(good.substr(0, cut), "f.json").ok()) << "cut at " << cut;
    }
    for (const char* bad : {"", " ", "[]", "null", "1", "{} {}", "{\"a\": 1,}", "{\"heads\": 1, \"heads\": 2}",
                            "{'heads': 1}", "{\"X\": [[NaN]]}", "{\"X\": null}", "// comment\n{}"})
        EXPECT_FALSE(document_from_json(bad, "f.json").ok()) << bad;
    const Error newer = refusal_of("{\n\"attenscope\": 2}");
    EXPECT_NE(newer.message.find("newer program"), std::string::npos);
    EXPECT_EQ(newer.line, 2);
    for (const char* version : {"0", "-1", "1.5", "\"1\"", "null"}) {
        EXPECT_FALSE(document_from_json(fmt::format("{{\"attenscope\": {}}}", version), "").ok()) << version;
    }
    EXPECT_FALSE(document_from_json("{\"text\": " + std::string(100'000, '['), "f.json").ok());
    EXPECT_FALSE(document_from_json("{\"text\": \"" + std::string(20 << 20, 'a') + "\"}", "f.json").ok()) << "20 MB";
    EXPECT_TRUE(document_from_json("{\"text\": \"" + std::string(10 << 20, 'a') + "\"}", "f.json").ok()) << "10 MB";
}

/// 1.5 as "1,5" and 1000 as "1.000", as in German; every C++ stream created from here on writes so.
class Comma : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Hostile, Row53_Locales) {
    const std::string json =
        R"({"text": "早上好 Iı", "temperature": 1234.5, "vectors": "random", "width": 8, "vector_seed": 123456, "b_Q": [0.5, 1e-7, 0, 0, 0, 0, 0, 0]})";
    const auto everything = [&] {
        const Document doc = document_of(json);
        const auto run = run_valid(doc);
        std::string out = document_to_json(doc) + document_schema() + refusal_of(R"({"temperature": -1.5})").text();
        for (StepId id = 0; id < run.trace.size(); ++id) out += explain_text(run.trace, explain(run.trace, {id, 0, 0}));
        return out;
    };
    const std::string expected = everything();
    EXPECT_NE(expected.find("1234.5"), std::string::npos);
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const std::string was = std::setlocale(LC_ALL, nullptr);
    EXPECT_EQ(everything(), expected);
    for (const char* name : {"de_DE.UTF-8", "tr_TR.UTF-8", "C", "C.UTF-8"})  // those that are installed
        if (std::setlocale(LC_ALL, name)) {
            EXPECT_EQ(everything(), expected) << name;
        }
    std::setlocale(LC_ALL, was.c_str());
    std::locale::global(before);
}

}  // namespace
}  // namespace attn::test
