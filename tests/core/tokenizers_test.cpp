// Tokenizers by hand: what each part does to a few characters, and how tokens are shown.
#include <gmock/gmock.h>

#include "core/tokenizers/charsmap.h"
#include "core/tokenizers/decoders.h"
#include "core/tokenizers/normalizers.h"
#include "core/tokenizers/pre_tokenizers.h"
#include "core/tokenizers/processors.h"
#include "tests/core/tokenizers_support.h"

namespace attn::test {
namespace {

using tokenizing::AlignedText;
using testing::ElementsAre;
using Texts = std::vector<std::string>;

/// A part of a tokenizer.json, parsed by `read`.
template <class Read>
auto part_of(const std::string& json, Read read) {
    const auto root = parse_json(json);
    EXPECT_TRUE(root) << json;
    tokenizing::Fault fault{"here"};
    auto out = read(tokenizing::JsonPart(*root, "part", fault));
    EXPECT_FALSE(fault.error) << json << ": " << fault.error->text();
    return out;
}

TEST(CheckpointTokenizer, ACharacterSplitIntoBytesIsShownInParts) {
    const auto bytes = valid_tokenizer(tokenizer_json(byte_model({}), kByteParts));
    EXPECT_THAT(texts_of(*bytes, "a早"), ElementsAre("a", "早 1/3", "早 2/3", "早 3/3"));
    const auto pieces = *bytes->encode("a早", false);
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(pieces[i].begin, 1U);
        EXPECT_EQ(pieces[i].end, 4U);
        EXPECT_EQ(pieces[i].part, static_cast<int>(i));
        EXPECT_EQ(pieces[i].parts, 3);
    }
    EXPECT_EQ(pieces[0].parts, 0);
    EXPECT_EQ(bytes->token_text(pieces[1].id), "E6");
    EXPECT_EQ(bytes->token(pieces[1].id), "æ");
}

TEST(CheckpointTokenizer, PartsOfACharacterAreCounted) {
    // 早 is E6 97 A9, 好 is E5 A5 BD.
    const auto model =
        valid_tokenizer(tokenizer_json(byte_model({{"æ", "Ĺ"}, {"©", "å"}, {"¥", "½"}, {"Ġ", "æĹ"}}), kByteParts));
    EXPECT_THAT(texts_of(*model, "早"), ElementsAre("早 1/2", "早 2/2"));
    EXPECT_THAT(texts_of(*model, "早好"), ElementsAre("早 1/2", "早 2/2 好 1/2", "好 2/2"));
    EXPECT_THAT(texts_of(*model, "a 早"), ElementsAre("a", " 早 1/2", "早 2/2"));
    EXPECT_EQ(model->token_text(*model->id_of("ĠæĹ")), " E6 97");
    const auto pieces = *model->encode("早好", false);
    EXPECT_EQ(pieces[1].begin, 0U);
    EXPECT_EQ(pieces[1].end, 6U);
}

TEST(CheckpointTokenizer, ByteFallbackIsShownInParts) {
    std::string vocab = R"("<unk>": 0, "▁": 1, "a": 2)";
    for (const char* byte : {"E6", "97", "A9"})
        vocab +=
            std::string(", \"<0x") + byte + ">\": " + std::to_string(3 + std::count(vocab.begin(), vocab.end(), 'x'));
    const auto model = valid_tokenizer(tokenizer_json(
        R"({"type": "BPE", "byte_fallback": true, "unk_token": "<unk>", "vocab": {)" + vocab + R"(}, "merges": []})",
        R"("pre_tokenizer": {"type": "Metaspace"}, "decoder": {"type": "Sequence", "decoders": [
           {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]})"));
    EXPECT_THAT(texts_of(*model, "a 早"), ElementsAre(" ", "a", " ", "早 1/3", "早 2/3", "早 3/3"));
    const auto pieces = *model->encode("a 早好", false);
    EXPECT_TRUE(pieces.back().unknown);
    EXPECT_EQ(pieces.back().begin, 5U);
    EXPECT_EQ(pieces[0].begin, pieces[0].end);  // not typed by the user
    EXPECT_EQ(model->decode(std::vector<int>{1, 2, 3, 4, 5, 3, 99999, -1}), " a早\uFFFD");
}

TEST(CheckpointTokenizer, AnyBytesAreTokenized) {
    const auto model = valid_tokenizer(tokenizer_json(byte_model({}), kByteParts));
    const std::string text =
        "a\xFF"
        "b"
        "\xE6\x97";
    const auto pieces = *model->encode(text, false);
    EXPECT_EQ(pieces.size(), 8U);  // two U+FFFD of three bytes
    EXPECT_EQ(pieces[1].begin, 1U);
    EXPECT_EQ(pieces[1].end, 2U);
    EXPECT_EQ(pieces.back().end, text.size());
    EXPECT_TRUE((*model->encode("", true)).empty());
}

TEST(CheckpointTokenizer, RolesAreThoseOfTheConfig) {
    const auto model = read_tokenizer(
        {.where = "here",
         .tokenizer_json =
             tokenizer_json(byte_model({}), R"("added_tokens": [{"id": 300, "content": "<s>", "special": true}])"),
         .tokenizer_config = R"({"bos_token": {"content": "<s>"}, "eos_token": null, "model_max_length": 1e30})"});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ((*model)->special_id("bos"), 300);
    EXPECT_EQ((*model)->special_id("eos"), std::nullopt);
    EXPECT_EQ((*model)->size(), 301);
    EXPECT_TRUE((*model)->is_special(300));
    EXPECT_EQ((*model)->token(299), "");
    EXPECT_EQ((*model)->decode(std::vector<int>{300}), "");
}

struct Change {
    const char* json;
    const char* before;
    const char* after;
};

TEST(CheckpointTokenizer, NormalizersDoWhatTheirNamesSay) {
    for (const Change& one : std::vector<Change>{
             {R"({"type": "NFC"})", "e\u0301 \u1112\u1161\u11AB", "é 한"},
             {R"({"type": "NFD"})", "é", "e\u0301"},
             {R"({"type": "NFKC"})", "ﬁ ① ﾊﾞ Ａ", "fi 1 バ A"},
             {R"({"type": "NFKD"})", "½", "1\u20442"},
             {R"({"type": "NFC"})", "a\u0302\u0323", "\u1EAD"},  // the marks are reordered
             {R"({"type": "Lowercase"})", "ÀBΣİ", "àbσi\u0307"},
             {R"({"type": "StripAccents"})", "e\u0301é", "eé"},
             {R"({"type": "Nmt"})", "a\x01\tb\u200Bc", "a b c"},
             {R"({"type": "Strip", "strip_left": true, "strip_right": false})", " \ta ", "a "},
             {R"({"type": "Strip"})", "   ", ""},
             {R"({"type": "Prepend", "prepend": "▁"})", "a", "▁a"},
             {R"({"type": "Prepend", "prepend": "▁"})", "", ""},
             {R"({"type": "Replace", "pattern": {"String": "."}, "content": "!"})", "a.b.", "a!b!"},
             {R"({"type": "Replace", "pattern": {"Regex": "[0-9]+"}, "content": ""})", "a12b3", "ab"},
             {R"({"type": "ByteLevel"})", " é", "ĠÃ©"},
             {R"({"type": "BertNormalizer"})", "Café\u200B\t早b", "cafe  早 b"},
             {R"({"type": "BertNormalizer", "lowercase": false})", "Café", "Café"},
             {R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": true, "handle_chinese_chars": false})",
              "É早", "E早"},
             {R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})", "é", "e"},
         }) {
        const auto normalizer = part_of(one.json, tokenizing::read_normalizer);
        AlignedText text = tokenizing::align(one.before);
        tokenizing::Effort effort(text.text.size());
        ASSERT_TRUE(normalizer(text, effort)) << one.json;
        EXPECT_EQ(text.text, one.after) << one.json;
        EXPECT_EQ(text.from.size(), text.text.size()) << one.json;
    }
}

struct Parted {
    const char* json;
    const char* text;
    Texts parts;
};

TEST(CheckpointTokenizer, PreTokenizersSplitAsTheirNamesSay) {
    for (const Parted& one : std::vector<Parted>{
             {R"({"type": "Whitespace"})", "don't  a_b!? 早", {"don", "'", "t", "a_b", "!?", "早"}},
             {R"({"type": "WhitespaceSplit"})", " a,b\u3000c ", {"a,b", "c"}},
             {R"({"type": "BertPreTokenizer"})", "a,b c$", {"a", ",", "b", "c", "$"}},
             {R"({"type": "Punctuation"})", "a!!b", {"a", "!", "!", "b"}},
             {R"({"type": "Punctuation", "behavior": "Contiguous"})", "a!!b", {"a", "!!", "b"}},
             {R"({"type": "Punctuation", "behavior": "MergedWithPrevious"})", "a!!b", {"a!", "!", "b"}},
             {R"({"type": "Punctuation", "behavior": "MergedWithNext"})", "a!!b", {"a", "!", "!b"}},
             {R"({"type": "Punctuation", "behavior": "Removed"})", "a!!b", {"a", "b"}},
             {R"({"type": "Digits", "individual_digits": true})", "a12½", {"a", "1", "2", "½"}},
             {R"({"type": "Digits"})", "a12b", {"a", "12", "b"}},
             {R"({"type": "CharDelimiterSplit", "delimiter": "-"})", "a-b--c", {"a", "b", "c"}},
             {R"({"type": "Metaspace"})", "a  b", {"▁a", "▁", "▁b"}},
             {R"({"type": "Metaspace", "add_prefix_space": false})", "a b", {"a", "▁b"}},
             {R"({"type": "Metaspace", "prepend_scheme": "never", "split": false})", "a b", {"a▁b"}},
             {R"({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext"})", "a b", {"a", " b"}},
             {R"({"type": "Split", "pattern": {"Regex": "\\w+"}, "behavior": "Removed", "invert": true})",
              "a, b",
              {"a", "b"}},
             {R"({"type": "ByteLevel", "add_prefix_space": true})", "it's  a 12", {"Ġit", "'s", "Ġ", "Ġa", "Ġ12"}},
             {R"({"type": "ByteLevel", "use_regex": false})", "a b", {"ĠaĠb"}},
             {R"({"type": "Split", "pattern": {"Regex": "\\s+(?!\\S)|\\s+"}, "behavior": "Isolated"})",
              "a   b ",
              {"a", "  ", " ", "b", " "}},
             {R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Punctuation"}]})",
              "a b!",
              {"a", "b", "!"}},
         }) {
        const auto pre_tokenizer = part_of(one.json, tokenizing::read_pre_tokenizer);
        tokenizing::Chunks chunks = {{tokenizing::align(one.text)}};
        tokenizing::Effort effort(chunks[0].text.text.size());
        ASSERT_TRUE(pre_tokenizer(chunks, effort)) << one.json;
        Texts parts;
        for (const tokenizing::Chunk& chunk : chunks) parts.push_back(chunk.text.text);
        EXPECT_EQ(parts, one.parts) << one.json;
    }
}

struct Matched {
    const char* expression;
    const char* text;
    Texts matches;
};

/// Results of Oniguruma 6.9.8, for whose syntax tokenizers' expressions are written.
TEST(CheckpointTokenizer, ExpressionsMeanWhatOnigurumaMeans) {
    for (const Matched& one : std::vector<Matched>{
             {R"re([\p{L}\p{M}&&[^\p{Han}]]+)re", "早abc好é。", {"abc", "é"}},
             {R"re([a&&[^b]])re", "ab", {"a"}},
             {R"re([^a&&b]+)re", "abc", {"abc"}},
             {R"re([a-c&&b-d&&[^c]]+)re", "abcd", {"b"}},
             {R"re([a-d&&[^b-c]x]+)re", "abcdx", {"a", "d"}},
             {R"re(\p{Han}+)re", "早上。「好」・〇", {"早上", "好", "〇"}},
             {R"re(\p{Katakana}+)re", "カタ・カー", {"カタ", "カ"}},
             {R"re(\w+)re", "हिन्दी ไทย a²_b‿c x\u200dy Ⓐ", {"हिन्दी", "ไทย", "a²_b‿c", "x", "y", "Ⓐ"}},
             {R"re(\bना\b)re", "ना नाम", {"ना"}},
             {R"re(\B.)re", "ab c", {"b"}},
             {R"re(\W+)re", "a²हि, ½", {", "}},
             {R"re(\p{N}{1,3}+)re", "1234567 12", {"1234567", "12"}},
             {R"re((?:ab){1,2}+c)re", "ababababc", {"ababababc"}},
             {R"re(a{2}{3})re", "aaaaaaa", {"aaaaaa"}},
             {R"re(x**y)re", "xxy", {"xxy"}},
             {R"re(a{,2})re", "aaa", {"aa", "a"}},
             {R"re(a++b)re", "aab", {"aab"}},
             {R"re(a{b)re", "a{b", {"a{b"}},
             {R"re( ?[^(\s|[.,!?…。，、।۔،])]+)re", " Hello, world (yes)|no।", {" Hello", " world", "yes", "no"}},
             {R"re(\p{Letter}+)re", "aé1", {"aé"}},
             {R"re(\p{Uppercase_Letter}+)re", "aBCd", {"BC"}},
             {R"re(\p{^L}+)re", "a1!b", {"1!"}},
             {R"re(\P{^L}+)re", "a1!b", {"a", "b"}},
             {R"re([\p{^Lu}]+)re", "aBc", {"a", "c"}},
             {R"re(\u4e00+)re", "一一二", {"一一"}},
             {R"re([\u4e00-\u9fff]+)re", "a早上b", {"早上"}},
             {R"re(\x{4e00}|\x41)re", "一A", {"一", "A"}},
             {R"re(\s+)re", "a\u180e \u3000\xc2""\x85""b", {" \u3000\xc2""\x85"""}},
             {R"re(\S+)re", "a\u180e b", {"a\u180e", "b"}},
             {R"re([^\S\n]+)re", "a \n\u180e b", {" ", " "}},
             {R"re([\S]+)re", "ab c", {"ab", "c"}},
             {R"re([\W\d]+)re", "a1, b", {"1, "}},
             {R"re(\h+)re", "xBeg", {"Be"}},
             {R"re(\v)re", "\u2028\x0b""", {"\x0b"""}},
             {R"re([[:alpha:]]+)re", "aé1", {"aé"}},
             {R"re([[:^alpha:]]+)re", "a1!b", {"1!"}},
             {R"re([[:punct:]$]+)re", "a$!+b", {"$!"}},
             {R"re(^a)re", "a\na", {"a", "a"}},
             {R"re(a$)re", "a\na", {"a", "a"}},
             {R"re((?m:.+))re", "a\nb", {"a\nb"}},
             {R"re(.+)re", "a\nb", {"a", "b"}},
             {R"re(a(?i)b|C)re", "aB ac c", {"aB", "ac"}},
             {R"re((?i:AB)c)re", "abc abC", {"abc"}},
             {R"re([]a]+)re", "a]b", {"a]"}},
             {R"re([a\]b-]+)re", "a]-c", {"a]-"}},
             {R"re([\b])re", "a\x08""", {"\x08"""}},
             {R"re((?<=ab|c)d)re", "abd cd d", {"d", "d"}},
             {R"re((?#none)a)re", "a", {"a"}},
             {R"re(\p{Alnum}+)re", "a1_é", {"a1", "é"}},
             {R"re(\p{Print}+)re", "a\u2028b", {"a", "b"}},
             {R"re([[a-c][^a-y]]+)re", "abz d", {"abz "}},
             {R"re([^[a-c]x]+)re", "axyd", {"yd"}},
             {R"re(\Qa)re", "Qab", {"Qa"}},
             {R"re(\p{Emoji})re", "a☺", {"☺"}},
             {R"re(\d+)re", "1२½", {"1२"}},
             {R"re(\O)re", "\n", {"\n"}},
             {R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)re", "I'M  it's 1234 \n x हिन्दी", {"I", "'M", " ", " it", "'s", " ", "123", "4", " \n", " x", " ह", "िन", "्द", "ी"}},
         }) {
        const auto pattern = tokenizing::Pattern::make(one.expression);
        ASSERT_TRUE(pattern) << pattern.error().text();
        tokenizing::Effort effort(100);
        const auto found = pattern->find_all(one.text, effort);
        ASSERT_TRUE(found) << one.expression;
        Texts matches;
        for (const tokenizing::Match& match : *found) matches.push_back(std::string(one.text).substr(match.begin, match.end - match.begin));
        EXPECT_EQ(matches, one.matches) << one.expression;
    }
}

/// An unsupported construct is named in the error, not read as something else.
TEST(CheckpointTokenizer, ExpressionsThatAreNotReadAreNamed) {
    for (const auto& [expression, said] : std::vector<std::pair<const char*, const char*>>{
             {R"re(\p{Foo})re", R"re("\p{Foo}" (at byte 0))re"}, {R"re(a\y)re", R"re("\y" (at byte 1))re"}, {R"re((?x: a))re", R"re("(?x")re"},
             {R"re((?~a))re", R"re("(?~")re"},             {R"re((*FAIL))re", R"re("(*")re"},           {R"re(a{3,1})re", R"re("{3,1}")re"},
             {R"re([a-\d])re", R"re("-")re"},              {R"re([a)re", "missing terminating ]"},     {R"re(\u4e)re", R"re("\u4e")re"},
             {R"re(\xE9)re", R"re("\xE9")re"},             {R"re(\p{L)re", R"re("\p{")re"},            {R"re([\R])re", R"re("\R")re"},
             {R"re(\Cx)re", R"re("\C")re"},               {R"re(a()re", "missing closing parenthesis"}, {R"re(\x{zz})re", R"re("\x{")re"}}) {
        const auto pattern = tokenizing::Pattern::make(expression);
        ASSERT_FALSE(pattern) << expression;
        EXPECT_THAT(pattern.error().text(), testing::HasSubstr(said));
    }
    EXPECT_FALSE(tokenizing::Pattern::make(std::string(10'000, '[')));
    EXPECT_FALSE(tokenizing::Pattern::make(std::string(10'000, '(')));
}

struct Decoded {
    const char* json;
    Texts tokens;
    const char* text;
};

TEST(CheckpointTokenizer, DecodersJoinAsTheirNamesSay) {
    for (const Decoded& one : std::vector<Decoded>{
             {R"({"type": "ByteLevel"})", {"æĹ", "©", "Ġa"}, "早 a"},
             {R"({"type": "WordPiece"})", {"don", "'", "t", "walk", "##ing", "."}, "don ' t walking."},
             {R"({"type": "WordPiece", "cleanup": false})", {"a", "."}, "a ."},
             {R"({"type": "Metaspace"})", {"▁a", "▁b", "c"}, "a bc"},
             {R"({"type": "BPEDecoder"})", {"a", "b</w>", "c</w>"}, "ab c"},
             {R"({"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"},
                 {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})",
              {" a", "<0xE6>", "<0x97>", "<0xA9>"},
              "a早"},
             {R"({"type": "Replace", "pattern": {"String": "_"}, "content": " "})", {"a_b"}, "a b"},
         }) {
        const auto decoder = part_of(one.json, tokenizing::read_decoder);
        Texts texts = one.tokens;
        decoder(texts);
        std::string joined;
        for (const std::string& text : texts) joined += text;
        EXPECT_EQ(joined, one.text) << one.json;
    }
}

TEST(CheckpointTokenizer, ProcessorsPutIdsAround) {
    tokenizing::Vocabulary vocabulary;
    for (int id = 0; id < 4; ++id) EXPECT_FALSE(vocabulary.add(std::string(1, static_cast<char>('a' + id)), id));
    const auto read = [&](const tokenizing::JsonPart& part) { return tokenizing::read_processor(part, vocabulary); };
    const auto bert = part_of(R"({"type": "BertProcessing", "sep": ["c", 2], "cls": ["b", 1]})", read);
    EXPECT_THAT(bert.before, ElementsAre(1));
    EXPECT_THAT(bert.after, ElementsAre(2));
    const auto both =
        part_of(R"({"type": "Sequence", "processors": [{"type": "RobertaProcessing", "sep": ["c", 2], "cls": ["b", 1]},
        {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x"}}, {"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "x"}}],
         "special_tokens": {"x": {"ids": [3, 0]}}}, {"type": "ByteLevel"}]})",
                read);
    EXPECT_THAT(both.before, ElementsAre(3, 0, 1));
    EXPECT_THAT(both.after, ElementsAre(2, 3, 0));
}

/// A double array with a block of 256 units for each node of one key.
std::string charsmap_of(std::string_view key, std::string_view to) {
    std::vector<std::uint32_t> units(256 * (key.size() + 2));
    std::uint32_t node = 0;
    for (std::uint32_t i = 0; i <= key.size(); ++i) {
        const std::uint32_t base = 256 * (i + 1);
        units[node] |= (base ^ node) << 10;
        if (i == key.size()) {
            units[node] |= 1U << 8;
            units[base] = 1U << 31;
            break;
        }
        const auto byte = static_cast<unsigned char>(key[i]);
        node = base ^ byte;
        units[node] = byte;
    }
    std::string out;
    const auto put = [&](std::uint32_t value) {
        for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 255U);
    };
    put(static_cast<std::uint32_t>(4 * units.size()));
    for (const std::uint32_t unit : units) put(unit);
    return out + std::string(to) + '\0';
}

TEST(CheckpointTokenizer, PrecompiledTablesReplace) {
    const auto map = tokenizing::Charsmap::read(charsmap_of("ﬁ", "fi"));
    ASSERT_TRUE(map) << map.error().text();
    EXPECT_EQ(map->longest(tokenizing::align("aﬁn")).text, "afin");
    EXPECT_EQ(map->by_grapheme(tokenizing::align("aﬁn")).text, "afin");
    // A short grapheme that begins with an entry is replaced as a whole, a long one character by character.
    EXPECT_EQ(map->by_grapheme(tokenizing::align("ﬁ\u0301")).text, "fi");
    EXPECT_EQ(map->by_grapheme(tokenizing::align("ﬁ\u0301\u0301")).text, "fi\u0301\u0301");
    EXPECT_EQ(map->longest(tokenizing::align("ﬁ\u0301")).text, "fi\u0301");
    EXPECT_EQ(map->longest(tokenizing::align("aﬁ")).span(1, 3), (tokenizing::Span{1, 4}));
    for (const char* broken : {"", "abc", "\xFF\xFF\xFF\x7F", "\x04\0\0\0ab"})
        EXPECT_FALSE(tokenizing::Charsmap::read(broken));
    EXPECT_EQ(tokenizing::from_base64("YWI="), "ab");
    for (const char* broken : {"YWI", "Y=I=", "YW I", "===="}) EXPECT_FALSE(tokenizing::from_base64(broken)) << broken;
}

TEST(CheckpointTokenizer, Xlmr) {
    const std::string model = proto_piece("<unk>", 0, 2) + proto_piece("<s>", 0, 3) + proto_piece("</s>", 0, 3) +
                              proto_piece("\u2581a", -1) + proto_piece("b", -2) + proto_bytes(2, proto_int(3, 1));
    const auto read = [&](const char* name, std::string vocab = "") {
        return read_tokenizer({.where = "here",
                               .tokenizer_config = std::string(R"({"tokenizer_class": ")") + name + "\"}",
                               .vocab_json = std::move(vocab),
                               .sentencepiece = model});
    };
    const auto ids = [](const TokenizerModel& m, const char* text) {
        std::vector<int> out;
        const auto pieces = m.encode(text, true);
        EXPECT_TRUE(pieces);
        for (const ModelToken& piece : *pieces) out.push_back(piece.id);
        return out;
    };
    const auto xlmr = read("XLMRobertaTokenizerFast");
    ASSERT_TRUE(xlmr) << xlmr.error().text();
    EXPECT_THAT(ids(**xlmr, " ab?"), ElementsAre(0, 4, 5, 3, 2));
    EXPECT_EQ((*xlmr)->id_of("<mask>"), 6);
    const auto t5 = read("T5Tokenizer");
    ASSERT_TRUE(t5) << t5.error().text();
    EXPECT_THAT(ids(**t5, "ab<extra_id_0>"), ElementsAre(3, 4, 104, 2));
    const auto marian = read("MarianTokenizer", R"({"</s>": 0, "<unk>": 1, "b": 2, "▁a": 3, "<pad>": 4})");
    ASSERT_TRUE(marian) << marian.error().text();
    EXPECT_THAT(ids(**marian, "ab"), ElementsAre(3, 2, 0));
    EXPECT_EQ((*marian)->special_id("pad"), 4);
    EXPECT_EQ((*marian)->decode(std::vector<int>{3, 2, 3, 0}), "ab a");
    // A token that vocab.json lacks still takes part in segmentation, and gets the unknown token's id; so does a byte.
    const auto fewer = read("MarianTokenizer", R"({"</s>": 0, "<unk>": 1, "▁a": 2})");
    ASSERT_TRUE(fewer) << fewer.error().text();
    EXPECT_THAT(ids(**fewer, "abb a?"), ElementsAre(2, 1, 1, 2, 1, 0));
    const auto pieces = (*fewer)->encode("ab", false);
    ASSERT_TRUE(pieces);
    EXPECT_TRUE(pieces->back().unknown);
    EXPECT_EQ(pieces->back().begin, 1u);
    EXPECT_EQ(pieces->back().end, 2u);
    EXPECT_EQ((*fewer)->size(), 3);
    // The unknown token may have another name, and then the SentencePiece model does not know it.
    const auto renamed = read("MarianTokenizer\", \"unk_token\": \"<?>", R"({"</s>": 0, "<?>": 1, "▁a": 2})");
    ASSERT_TRUE(renamed) << renamed.error().text();
    EXPECT_THAT(ids(**renamed, "ab"), ElementsAre(2, 1, 0));
    // Without an unknown token there is no id for such a token.
    const auto none = read("MarianTokenizer", R"({"</s>": 0, "▁a": 1})");
    ASSERT_TRUE(none) << none.error().text();
    ASSERT_FALSE((*none)->encode("ab", false));
    EXPECT_THAT((*none)->encode("ab", false).error().text(), testing::HasSubstr("none for what is unknown"));
    // A text may begin with the target language: it is one token, or the unknown token, and only at the start.
    const auto many = read("MarianTokenizer", R"({"</s>": 0, "<unk>": 1, "b": 2, "▁a": 3, ">>fra<<": 4})");
    ASSERT_TRUE(many) << many.error().text();
    EXPECT_THAT(ids(**many, ">>fra<< ab"), ElementsAre(4, 3, 2, 0));
    EXPECT_THAT(ids(**many, ">>fra<<ab"), ElementsAre(4, 3, 2, 0));
    EXPECT_THAT(ids(**many, ">>fra<<"), ElementsAre(4, 0));
    EXPECT_THAT(ids(**many, ">>deu<< ab"), ElementsAre(1, 3, 2, 0));
    EXPECT_THAT(ids(**many, ">> ab"), testing::Contains(3)) << "no code";
    EXPECT_THAT(ids(**many, "ab >>fra<<"), testing::Not(testing::Contains(4)));
    const auto coded = (*many)->encode(">>deu<< a", false);
    ASSERT_TRUE(coded);
    EXPECT_TRUE(coded->front().unknown);
    EXPECT_EQ(coded->front().end, 7u);
    EXPECT_FALSE((*many)->encode(">>fra<<", false)->front().unknown);
    EXPECT_THAT((*none)->encode(">>fra<<", false).error().text(), testing::HasSubstr("none for what is unknown"));
    const auto other = read("ReformerTokenizer");
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().text(), testing::HasSubstr("XLMRobertaTokenizer"));
}

}  // namespace
}  // namespace attn::test
