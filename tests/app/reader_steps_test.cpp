// Every reader of foreign input takes twice the steps for twice the input, whatever it consists of. Steps are counted where
// characters and names are compared (core/base/effort.h), so no clock is needed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "app/chapters/format/expression_tree.h"
#include "app/chapters/format/toml_check.h"
#include "app/ui/formula.h"
#include "core/base/effort.h"
#include "core/document/link.h"
#include "core/io/json.h"
#include "core/io/safetensors.h"
#include "core/text/tokenizer.h"
#include "core/tokenizers/tokenizer_model.h"

namespace app {
namespace {

constexpr int kPieces = 4'000;

std::string repeated(std::string_view piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
}
/// The beginning, so many parts, the end.
using Input = std::function<std::string(int)>;
Input of(std::string begin, std::string piece, std::string end = "") {
    return [=](int n) { return begin + repeated(piece, n) + end; };
}
/// Parts with their number in place of #.
Input numbered(std::string begin, std::string piece, std::string end) {
    return [=](int n) {
        std::string out = begin;
        for (int i = 0; i < n; ++i)
            for (const char c : piece) out += c == '#' ? std::to_string(i) : std::string(1, c);
        return out + end;
    };
}

struct Reader {
    std::string name;
    std::function<void(const std::string&)> read;
    std::vector<Input> inputs;
};

std::string tensor_header_of(const std::string& json) {
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(json.size() >> (8 * i) & 255);
    return out + json;
}

std::string link_of_a_long_text(int n) {
    attn::Document document;
    document.text = repeated("ab ", n);
    return attn::document_link(document);
}

/// Tokenizers of checkpoints over a few overlapping pieces, one for each kind of model.
Reader cutting(const std::string& name, const std::string& model, const std::string& more) {
    const auto read = attn::read_tokenizer({.tokenizer_json = "{\"model\": " + model + ", " + more + "}"});
    EXPECT_TRUE(read) << read.error().text();
    const auto tokenizer = *read;
    return {"cutting by " + name, [=](const std::string& text) { EXPECT_TRUE(tokenizer->encode(text, true)); },
            {of("", "a"), of("", "ab"), of("", "a "), of("", " "), of("", "早"), of("e", "\u0301"), of("a", "\u0323\u0302"),
             of("", "\xff"), of("", "<s>"), of("", " <s"), of("", "1"), of("", "!"), of("", "\r\n"), of("", "abababab"),
             of("", "ﬁ")}};
}

std::vector<Reader> tokenizer_readers() {
    const std::string added = R"("added_tokens": [{"id": 90, "content": "<s>", "special": true, "lstrip": true, "rstrip": true}])";
    const std::string mark = R"("pre_tokenizer": {"type": "Metaspace"}, )" + added;
    const std::string tail = R"("<unk>": 0, "a": 1, "b": 2, "ab": 3, "abab": 4, "aa": 5, "aaaa": 6, "▁": 7, "▁a": 8})";
    const std::string listed = R"([["<unk>", 0], ["a", -1], ["b", -1.5], ["ab", -2], ["abab", -3], ["aa", -2], ["▁", -1]])";
    return {cutting("merges", R"({"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "vocab": {)" + tail +
                                  R"(, "merges": ["a b", "a a", "ab ab", "aa aa", "▁ a"]})",
                    R"("normalizer": {"type": "NFKC"}, )" + added),
            cutting("a unigram model", R"({"type": "Unigram", "unk_id": 0, "vocab": )" + listed + "}",
                    R"("normalizer": {"type": "NFD"}, )" + mark),
            cutting("word pieces", R"({"type": "WordPiece", "unk_token": "<unk>", "vocab": {)" + tail + "}",
                    R"("normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, )" + added),
            cutting("a pattern", R"({"type": "WordLevel", "unk_token": "<unk>", "vocab": {)" + tail + "}",
                    R"("pre_tokenizer": {"type": "ByteLevel"}, )" + added),
            {"tokenizer.json",
             [](const std::string& json) { static_cast<void>(attn::read_tokenizer({.tokenizer_json = json})); },
             {numbered(R"({"model": {"type": "WordLevel", "vocab": {)", R"("k#": #,)", R"("z": 999999}}})"),
              of(R"({"model": {"type": "BPE", "vocab": {"a": 0, "aa": 1}, "merges": [)", R"("a a",)", R"("a a"]}})"),
              of(R"({"model": {"type": "WordLevel", "vocab": {"a": 0}}, "normalizer": )", R"({"type": "Sequence", "normalizers": [)")}},
            {"SentencePiece models",
             [](const std::string& bytes) { static_cast<void>(attn::read_tokenizer({.sentencepiece = bytes})); },
             {of("", std::string("\x0a\x03\x0a\x01" "a")), of("", "\xff"), of("\x0a", "\xff")}}};
}

std::vector<Reader> readers() {
    std::vector<Reader> out = {
        {"documents and settings",
         [](const std::string& text) { static_cast<void>(attn::parse_json(text)); },
         {of("[", "1,", "1]"), of("[", R"("a\n",)", "1]"), of("[\"", R"(\u0041)", "\"]"), of("", "\n", "1"), of("", "["),
          of("", R"({"a":)"), of("[", "[],", "1]"), numbered("{", R"("k#":1,)", R"("z":1})"),
          numbered("{", R"("k#":1,)", R"("k0":1})"), of("{", R"("a":1,)", R"("b":2})"), of("\"", "\xff", "\""),
          of("\"", "é", "\"")}},
        {"the check of chapters",
         [](const std::string& text) { static_cast<void>(find_toml_fault(text)); },
         {numbered("", "k# = 1\n", ""), of("a = \"", "x", "\""), of("a = \"", "x"), of("a = '''", "'"),
          of("a = \"\"\"", "\"\"\n"), of("", "#\n"), of("a = [", "1, ", "]"), of("a = [", "["), of("a", ".a", " = 1"),
          of("a = [", "{a.b = 1}, ", "]"), of("a = \"", R"(\")", "\""), of("a = \"", "因", "\"")}},
        {"expressions of chapters",
         [](const std::string& text) { static_cast<void>(parse_expression(text)); },
         {of("1", " + 1"), of("", "-", "1"), of("", "("), of("n = 1", " and n = 1"), of("\"", "a", "\""), of("", " ", "1"),
          of("max(1", ", 1", ")"), of("a", "a"), of("1", "1"), of("weights[1", ",1", "]")}},
        {"formulas",
         [](const std::string& text) { static_cast<void>(parse_formula(text)); },
         {of("", "x"), of("", "x+"), of("", "{"), of("", "x^", "x"), of("", " ", "x"), of("", R"(\alpha )"), of("x", "_1"),
          of("", "{x}"), of("", R"(\frac{1}{2})"), of(R"(\word{)", "a", "}"), of("", R"(\part{a}{x})"), of("", "因")}},
        {"tensor files",
         [](const std::string& json) {
             const std::string bytes = tensor_header_of(json);
             static_cast<void>(attn::read_tensor_header(bytes, bytes.size()));
         },
         {numbered("{", R"("t#":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)",
                   R"("z":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})"),
          numbered(R"({"__metadata__":{)", R"("k#":"v",)", R"("z":"v"}})"), of("", " ", "{}"), of("", R"({"a":)")}},
        {"links", [](const std::string& text) { static_cast<void>(attn::document_from_link(text)); }, {link_of_a_long_text}},
    };
    for (Reader& reader : tokenizer_readers()) out.push_back(std::move(reader));
    for (const attn::Tokenizer& tokenizer : attn::tokenizers())
        out.push_back(
            {"the tokenizer " + std::string(tokenizer.id),
             [&tokenizer](const std::string& text) { static_cast<void>(attn::tokenize(text, tokenizer, text.size() + 1)); },
             {of("", "a"), of("", "a "), of("a", "'a"), of("a", "-"), of("e", "\u0301"), of("", "早"), of("", "早上"),
              of("", "😀"), of("", "👩\u200d"), of("", "\xff"), of("", "1,"), of("", "\r\n"), of("", "…")}});
    return out;
}

std::uint64_t steps_for(const Reader& reader, const std::string& text) {
    const std::uint64_t before = attn::reader_steps;
    reader.read(text);
    return attn::reader_steps - before;
}

TEST(Readers, TakeLinearTime) {
    for (const Reader& reader : readers()) {
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
            SCOPED_TRACE(fmt::format("{}, input {}", reader.name, i + 1));
            const std::string text = reader.inputs[i](kPieces), longer = reader.inputs[i](2 * kPieces);
            const std::uint64_t once = steps_for(reader, text), twice = steps_for(reader, longer);
            EXPECT_LT(twice, 3 * once + 1'000);
            EXPECT_LT(once, 100 * text.size() + 1'000'000 * (reader.name == "links"));
            most = std::max(most, once);
        }
        EXPECT_GT(most, std::uint64_t{kPieces}) << reader.name << ": its steps are not counted";
    }
}

}  // namespace
}  // namespace app
