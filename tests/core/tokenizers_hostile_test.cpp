// Broken or malicious tokenizer files: each is an error with file, key and line.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/effort.h"
#include "tests/core/tokenizers_support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

struct Broken {
    std::string json;
    std::string said;  ///< part of "file:line: key: message"
};

std::string bpe(const std::string& vocab, const std::string& merges) {
    return R"({"type": "BPE", "vocab": )" + vocab + R"(, "merges": )" + merges + "}";
}
const std::string kTiny = bpe(R"({"a": 0})", "[]");

TEST(CheckpointTokenizerHostile, Row23_BrokenTokenizerJson) {
    for (const Broken& one : std::vector<Broken>{
             {"not JSON", "here/tokenizer.json"},
             {"", "there is no tokenizer"},
             {"[]", "an object is expected, not a list"},
             {"{}", "model: an object is expected, not nothing"},
             {"{\n\"model\": {\"type\": \"BPEE\"}}",
              "here/tokenizer.json:2: model.type: there is no model \"BPEE\" here; the closest is BPE"},
             {tokenizer_json(bpe("{}", "[]")), "model.vocab: the vocabulary is empty"},
             {tokenizer_json(bpe("[]", "[]")), "model.vocab: an object is expected, not a list"},
             {tokenizer_json(bpe(R"({"a": -1})", "[]")), "\"a\" has the id -1"},
             {tokenizer_json(bpe(R"({"a": 5000000})", "[]")), "\"a\" has the id 5000000"},
             {tokenizer_json(bpe(R"({"a": 1.5})", "[]")), "no whole number"},
             {tokenizer_json(bpe("{\"a\": 1,\n\"b\": 1}", "[]")),
              "here/tokenizer.json:2: model.vocab: \"b\" has the id 1, which \"a\" has, too"},
             {tokenizer_json(bpe(R"({"a": 0})", "[\n\"a b\"]")),
              "here/tokenizer.json:2: model.merges[0]: the merge names \"b\""},
             {tokenizer_json(bpe(R"({"a": 0, "b": 1})", R"(["a b"])")), "the merge names \"ab\""},
             {tokenizer_json(bpe(R"({"a": 0})", R"(["a"])")), "two tokens are expected"},
             {tokenizer_json(bpe(R"({"a": 0})", R"("a")")), "model.merges: a list is expected"},
             {tokenizer_json(R"({"type": "Unigram", "vocab": [["a", 0], ["b"]]})"),
              "model.vocab[1]: a piece and its score"},
             {tokenizer_json(R"({"type": "Unigram", "vocab": [["a", 0]], "unk_id": 3})"),
              "model.unk_id: a whole number from 0 to 0"},
             {tokenizer_json(R"({"type": "WordPiece", "vocab": {"a": 0}})"), "\"[UNK]\" is not in the vocabulary"},
             {tokenizer_json(kTiny, R"("normalizer": {"type": "NFX"})"),
              "normalizer.type: there is no normalizer \"NFX\" here; the closest is NFC"},
             {tokenizer_json(kTiny, R"("normalizer": {"type": "Precompiled", "precompiled_charsmap": "!!!!"})"),
              "no base64"},
             {tokenizer_json(kTiny, R"("pre_tokenizer": {"type": "UnicodeScripts"})"),
              "there is no pre-tokenizer \"UnicodeScripts\""},
             {tokenizer_json(kTiny, R"("pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a("}})"),
              "pre_tokenizer.pattern.Regex: the regular expression \"a(\" cannot be read: missing closing parenthesis"},
             {tokenizer_json(kTiny,
                             R"("pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Merged"})"),
              "there is no \"Merged\""},
             {tokenizer_json(kTiny, R"("decoder": {"type": "CTC"})"), "there is no decoder \"CTC\""},
             {tokenizer_json(kTiny,
                             R"("post_processor": {"type": "BertProcessing", "sep": ["x", 9], "cls": ["a", 0]})"),
              "no token has the id 9"},
             {tokenizer_json(kTiny,
                             R"("post_processor": {"type": "TemplateProcessing", "single": [], "special_tokens": {}})"),
              "the text itself is not in it"},
             {tokenizer_json(kTiny, R"("added_tokens": [{"id": 1, "content": ""}])"), "added_tokens[0].content"},
             {tokenizer_json(kTiny, R"("added_tokens": [{"id": 1, "content": "x"}, {"id": 1, "content": "y"}])"),
              "\"y\" has the id 1, which \"x\" has, too"},
             {tokenizer_json(kTiny, R"("added_tokens": [{"id": -1, "content": "x"}])"), "added_tokens[0].id"},
         }) {
        const auto model = read_json_tokenizer(one.json);
        ASSERT_FALSE(model) << one.json;
        EXPECT_THAT(model.error().text(), HasSubstr(one.said));
    }
}

TEST(CheckpointTokenizerHostile, NestedPartsAreAnError) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += R"({"type": "Sequence", "normalizers": [)";
    const auto model = read_json_tokenizer(tokenizer_json(kTiny, "\"normalizer\": " + deep));
    ASSERT_FALSE(model);
    EXPECT_THAT(model.error().text(), HasSubstr("nested more than"));
}

TEST(CheckpointTokenizerHostile, Row24_EndlessPatterns) {
    const auto model =
        valid_tokenizer(tokenizer_json(byte_model({}), R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"}, {"type": "ByteLevel"}]})"));
    EXPECT_TRUE(model->encode("aaaa", false));
    const auto pieces = model->encode(std::string(200, 'a') + "b", false);
    ASSERT_FALSE(pieces);
    EXPECT_THAT(pieces.error().text(), HasSubstr("\"(a+)+$\" takes too many steps"));
    // Many short, expensive texts share one allowance.
    std::string words;
    for (int i = 0; i < 3'000; ++i) words += std::string(18, 'a') + "b ";
    const auto many = valid_tokenizer(tokenizer_json(
        byte_model({}), R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
            {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"}, {"type": "ByteLevel"}]})"));
    EXPECT_FALSE(many->encode(words, false));
}

TEST(CheckpointTokenizerHostile, CharactersWithoutAnyTokenAreReported) {
    const auto model = valid_tokenizer(tokenizer_json(kTiny));
    const auto pieces = model->encode("ab", false);
    ASSERT_FALSE(pieces);
    EXPECT_THAT(pieces.error().text(), HasSubstr("no token for \"b\""));
}

/// Chained replacements that each double a text: an error at once, instead of exhausting the memory.
TEST(CheckpointTokenizerHostile, TextsThatDouble) {
    const auto model = [](const std::string& part, const std::string& list, const std::string& one, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) all += (i > 0 ? ", " : "") + one;
        return valid_tokenizer(tokenizer_json(byte_model({}), "\"" + part + "\": {\"type\": \"Sequence\", \"" + list + "\": [" + all + "]}"));
    };
    const std::string twice = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
    const std::string far = R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")" + std::string(100'000, 'a') + "\"}";
    const std::string letters = R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})";
    for (const auto& many : {model("normalizer", "normalizers", twice, 60), model("normalizer", "normalizers", far, 3),
                             model("normalizer", "normalizers", R"({"type": "ByteLevel"})", 60), model("pre_tokenizer", "pretokenizers", letters, 60)}) {
        const auto pieces = many->encode("a\u00e9 a", false);
        ASSERT_FALSE(pieces);
        EXPECT_THAT(pieces.error().text(), HasSubstr("makes this text longer again and again"));
    }
    EXPECT_TRUE(model("normalizer", "normalizers", twice, 4)->encode("a", false));
}

TEST(CheckpointTokenizerHostile, OlderFiles) {
    const auto said = [](TokenizerFiles files) {
        files.where = "here";
        const auto model = read_tokenizer(files);
        EXPECT_FALSE(model);
        return model ? std::string() : model.error().text();
    };
    EXPECT_THAT(said({}), HasSubstr("there is no tokenizer"));
    EXPECT_THAT(said({.vocab_json = R"({"a": 0})"}), HasSubstr("merges.txt is missing"));
    EXPECT_THAT(said({.vocab_json = R"({"a": 0})", .merges = "#version: 0.2\na b\n"}),
                HasSubstr("here/merges.txt:2: the merge names \"b\""));
    EXPECT_THAT(said({.vocab_json = R"({"a": 0})", .merges = "a\n"}), HasSubstr("here/merges.txt:1: two tokens"));
    EXPECT_THAT(said({.vocab_json = "[1]", .merges = "a b\n"}), HasSubstr("here/vocab.json"));
    EXPECT_THAT(said({.vocab_txt = "a\n"}), HasSubstr("\"[UNK]\""));
    EXPECT_THAT(said({.tokenizer_config = R"({"tokenizer_class": "CLIPTokenizer"})",
                      .vocab_json = R"({"a": 0})",
                      .merges = "a a\n"}),
                HasSubstr("there is no \"CLIPTokenizer\" with vocab.json here"));
    EXPECT_THAT(said({.tokenizer_config = "{", .vocab_txt = "a\n"}), HasSubstr("here/tokenizer_config.json"));
}

TEST(CheckpointTokenizerHostile, SentencePieceModels) {
    const std::string good = proto_piece("<unk>", 0, 2) + proto_piece("\u2581a", -1) + proto_piece("<0x41>", 0, 6) +
                             proto_bytes(2, proto_int(3, 1) + proto_int(35, 1)) + proto_bytes(3, proto_int(3, 1));
    const auto read = [](std::string bytes) {
        return read_tokenizer({.where = "here", .sentencepiece = std::move(bytes)});
    };
    ASSERT_TRUE(read(good)) << read(good).error().text();
    EXPECT_THAT(read("IQ== 0\nIg== 1\nIHRoZQ== 256\n").error().text(), testing::AllOf(HasSubstr("as tiktoken keeps them"), HasSubstr("tokenizer.json")));
    for (const char* other : {"IQ= 0\n", "IQ== zero\n", "IQ==0\n", "IQ== 0", " 0\n", "I=Q= 0\n"})
        EXPECT_THAT(read(other).error().text(), testing::Not(HasSubstr("tiktoken"))) << other;
    for (std::size_t size = 1; size < good.size(); ++size) {
        const auto cut = read(good.substr(0, size));
        if (cut) continue;  // cut between two fields
        EXPECT_THAT(cut.error().text(), HasSubstr("here/the SentencePiece model"));
    }
    struct Case {
        std::string bytes, said;
    };
    for (const Case& one : std::vector<Case>{
             {proto_bytes(9, "x"), "it has no pieces"},
             {"\x0A\xFF\xFF\xFF\xFF\x0F", "a field of 4294967295 bytes begins where 0 are left (at byte 6)"},
             {std::string(12, '\xFF'), "more than ten bytes"},
             {proto_number(1U << 3 | 3U), "of the kind 3"},
             {std::string(1, '\0') + "a", "has the number 0"},
             {proto_piece("", 0), "0 bytes"},
             {proto_piece(std::string(600, 'a'), 0), "600 bytes"},
             {proto_piece("\xFF", 0), "is not UTF-8"},
             {proto_piece("a", std::numeric_limits<float>::quiet_NaN()), "is no number"},
             {proto_piece("a", 0) + proto_piece("a", 0), "\"a\" occurs in the vocabulary twice"},
             {proto_piece("a", 0) + proto_bytes(2, proto_int(3, 4)), "unigram and bpe"},
             {proto_piece("a", 0) + proto_bytes(3, proto_bytes(2, "abc")), "shorter than 4 bytes"},
         }) {
        const auto model = read(one.bytes);
        ASSERT_FALSE(model) << one.said;
        EXPECT_THAT(model.error().text(), HasSubstr(one.said));
    }
}

}  // namespace
}  // namespace attn::test
