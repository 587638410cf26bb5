// Folders from before tokenizer.json: which class tokenizes, and which tokens exist outside the vocabulary.
#include <gmock/gmock.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "core/tokenizers/tokenizer_folder.h"
#include "tests/core/tokenizers_support.h"

namespace attn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Ids = std::vector<int>;

/// A folder of a few files, removed at the end.
class Files {
public:
    Files() {
        std::string name = (std::filesystem::temp_directory_path() / "attn_tokenizer_XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Files() { std::filesystem::remove_all(path_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    Files& put(const std::string& file, std::string_view bytes) {
        std::ofstream(path_ / file, std::ios::binary) << bytes;
        return *this;
    }
    std::shared_ptr<const TokenizerModel> read() const {
        auto model = read_tokenizer_folder(path_);
        EXPECT_TRUE(model) << model.error().text();
        return model ? *model : nullptr;
    }
    std::string refused() const {
        const auto model = read_tokenizer_folder(path_);
        return model ? "it was read" : model.error().text();
    }
    Ids ids(std::string_view text) const {
        Ids out;
        const auto model = read();
        if (!model) return out;
        const auto pieces = model->encode(text, true);
        EXPECT_TRUE(pieces) << pieces.error().text();
        if (pieces)
            for (const ModelToken& piece : *pieces) out.push_back(piece.id);
        return out;
    }

private:
    std::filesystem::path path_;
};

std::string of_type(const std::string& model_type) { return R"({"model_type": ")" + model_type + R"("})"; }

constexpr const char* kLetters = R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "a": 4, "Ġ": 5, "Ġa": 6, "<mask>": 7, "<|endoftext|>": 8})";
constexpr const char* kMerges = "#version: 0.2\nĠ a\n";
constexpr const char* kWords = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\nsat\n";

/// The vocabulary of a SentencePiece model of this kind: <unk>, <s>, </s>, then ▁a and b.
std::string pieces_file() {
    return proto_piece("<unk>", 0, 2) + proto_piece("<s>", 0, 3) + proto_piece("</s>", 0, 3) + proto_piece("\u2581a", -1) +
           proto_piece("b", -2) + proto_bytes(2, proto_int(3, 1));
}

struct OfType {
    const char* model_type;
    Ids ids;
};

/// Early versions of tokenizer_config.json name no class: config.json's model_type decides, as for Hugging Face.
TEST(TokenizerFolder, TheModelTypeDecidesIfNoClassIsNamed) {
    for (const OfType& one : std::vector<OfType>{{"gpt2", {4, 6, 5, 7}},
                                                 {"roberta", {0, 4, 6, 7, 2}},
                                                 {"bart", {0, 4, 6, 7, 2}},
                                                 {"longformer", {0, 4, 6, 7, 2}}}) {
        Files files;
        files.put("config.json", of_type(one.model_type)).put("tokenizer_config.json", R"({"do_lower_case": false})");
        files.put("vocab.json", kLetters).put("merges.txt", kMerges);
        if (std::string(one.model_type) == "gpt2") files.put("special_tokens_map.json", R"({"mask_token": {"content": "<mask>"}})");
        EXPECT_EQ(files.ids("a a <mask>"), one.ids) << one.model_type;
    }
    for (const char* const model_type : {"bert", "distilbert", "electra"}) {
        Files files;
        files.put("config.json", of_type(model_type)).put("vocab.txt", kWords);
        EXPECT_THAT(files.ids("The cats [MASK]"), ElementsAre(2, 5, 6, 7, 4, 3)) << model_type;
    }
    for (const OfType& one : std::vector<OfType>{{"t5", {3, 4, 104, 2}},
                                                 {"mt5", {3, 4, 104, 2}},
                                                 {"xlm-roberta", {0, 4, 5, 3, 2}},
                                                 {"camembert", {5, 7, 8, 3, 6}},
                                                 {"llama", {1, 3, 4, 0}},
                                                 {"mistral", {1, 3, 4, 0}}}) {
        Files files;
        files.put("config.json", of_type(one.model_type)).put("spiece.model", pieces_file());
        const bool extra = one.ids.size() > 2 && one.ids[2] == 104;
        EXPECT_EQ(files.ids(extra ? "ab<extra_id_0>" : "ab?"), one.ids) << one.model_type;
    }
}

/// XLM-R and CamemBERT number their tokens differently from the file, and have <mask> after all others.
TEST(TokenizerFolder, PiecesMayHaveOtherNumbers) {
    Files files;
    files.put("config.json", of_type("camembert")).put("sentencepiece.bpe.model", pieces_file());
    const auto camembert = files.read();
    EXPECT_EQ(camembert->id_of("<s>NOTUSED"), 0);
    EXPECT_EQ(camembert->id_of("<pad>"), 1);
    EXPECT_EQ(camembert->id_of("<unk>NOTUSED"), 4);
    EXPECT_EQ(camembert->id_of("<mask>"), 9);
    EXPECT_EQ(camembert->size(), 10);
    EXPECT_EQ(camembert->special_id("cls"), 5);
    files.put("config.json", of_type("xlm-roberta"));
    EXPECT_EQ(files.read()->id_of("<mask>"), 6);
    EXPECT_EQ(files.read()->id_of("<pad>"), 1);
}

TEST(TokenizerFolder, GemmaBeginsWithItsOwnToken) {
    Files files;
    files.put("config.json", of_type("gemma2"));
    files.put("tokenizer.model", proto_piece("<pad>", 0, 3) + proto_piece("<eos>", 0, 3) + proto_piece("<bos>", 0, 3) +
                                     proto_piece("<unk>", 0, 2) + proto_piece("a", -1) + proto_bytes(2, proto_int(3, 1)) +
                                     proto_bytes(3, proto_int(3, 0)));
    EXPECT_THAT(files.ids("a"), ElementsAre(2, 4));
    // A setting of the folder takes precedence over the class's default.
    files.put("tokenizer_config.json", R"({"add_bos_token": false, "add_eos_token": true})");
    EXPECT_THAT(files.ids("a"), ElementsAre(4, 1));
}

/// Marian: the target language is one token, and </s> ends a text.
TEST(TokenizerFolder, MarianWithoutAClass) {
    Files files;
    files.put("config.json", of_type("marian")).put("source.spm", pieces_file()).put("tokenizer_config.json", R"({"source_lang": "en"})");
    files.put("vocab.json", R"({"</s>": 0, "<unk>": 1, "b": 2, "▁a": 3, ">>mlg<<": 4, "<pad>": 5})");
    EXPECT_THAT(files.ids(">>mlg<< ab"), ElementsAre(4, 3, 2, 0));
    // Signs that source.spm does not have are one token however many there are; a piece of it that has no number is one by itself.
    EXPECT_THAT(files.ids("a早上好b"), ElementsAre(3, 1, 2, 0));
    files.put("source.spm", proto_piece("<unk>", 0, 2) + proto_piece("\u2581a", -1) + proto_piece("b", -2) + proto_piece("c", -2));
    EXPECT_THAT(files.ids("acb"), ElementsAre(3, 1, 2, 0));
    EXPECT_THAT(files.ids("ac早上c"), ElementsAre(3, 1, 1, 1, 0));
}

/// A named class takes precedence over model_type, and that of tokenizer_config.json over all.
TEST(TokenizerFolder, ANamedClassTakesPrecedence) {
    Files files;
    files.put("vocab.json", kLetters).put("merges.txt", kMerges);
    files.put("config.json", R"({"model_type": "gpt2", "tokenizer_class": "RobertaTokenizer"})");
    EXPECT_THAT(files.ids("a"), ElementsAre(0, 4, 2));
    files.put("tokenizer_config.json", R"({"tokenizer_class": "GPT2TokenizerFast"})");
    EXPECT_THAT(files.ids("a"), ElementsAre(4));
    // OPT and its relatives request a token in front.
    files.put("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true, "bos_token": "</s>"})");
    EXPECT_THAT(files.ids("a"), ElementsAre(2, 4));
    files.put("tokenizer_config.json", R"({"tokenizer_class": "CLIPTokenizer"})");
    EXPECT_THAT(files.refused(), HasSubstr("there is no \"CLIPTokenizer\""));
}

/// added_tokens.json and special_tokens_map.json: ids outside the vocabulary, found in a text before it is tokenized.
TEST(TokenizerFolder, AddedTokensHaveTheirIds) {
    Files files;
    files.put("vocab.txt", kWords).put("tokenizer_config.json", R"({"do_lower_case": true, "tokenizer_class": "BertTokenizer"})");
    files.put("special_tokens_map.json", R"({"additional_special_tokens": ["[NEW]", {"content": "<user>", "lstrip": true}]})");
    files.put("added_tokens.json", R"({"[NEW]": 9, "<user>": 10, "TWO cats": 11})");
    EXPECT_THAT(files.ids("the [NEW] cat<user>s"), ElementsAre(2, 5, 9, 6, 10, 1, 3));
    EXPECT_TRUE(files.read()->is_special(9));
    // An added token that is not special is matched in lower case, too, like the text.
    EXPECT_THAT(files.ids("two CATS"), ElementsAre(2, 11, 3));
    EXPECT_FALSE(files.read()->is_special(11));
    EXPECT_THAT(files.ids("the [new]"), testing::Not(testing::Contains(9)));
}

TEST(TokenizerFolder, TheNewestFileTakesPrecedence) {
    Files files;
    files.put("vocab.txt", kWords).put("config.json", of_type("bert"));
    files.put("tokenizer_config.json", R"({"unk_token": "the", "pad_token": "cat"})");
    files.put("special_tokens_map.json", R"({"unk_token": "[UNK]", "bos_token": {"content": "sat", "lstrip": false}})");
    files.put("added_tokens.json", R"({"[NEW]": 9})");
    EXPECT_EQ(files.read()->special_id("unk"), 1) << "special_tokens_map.json is stronger";
    EXPECT_EQ(files.read()->special_id("bos"), 8);
    EXPECT_EQ(files.read()->special_id("pad"), 6);
    EXPECT_EQ(files.read()->special_id("sep"), 3) << "of the class";
    // A special token without an id in any file comes after all others.
    files.put("special_tokens_map.json", R"({"bos_token": "[BOS]"})");
    EXPECT_EQ(files.read()->special_id("bos"), 10);
    // If tokenizer_config.json lists the added tokens, the two older files are not read.
    files.put("tokenizer_config.json", R"({"added_tokens_decoder": {"9": {"content": "[OLD]", "special": true}}})");
    EXPECT_EQ(files.read()->id_of("[NEW]"), std::nullopt);
    EXPECT_EQ(files.read()->id_of("[OLD]"), 9);
    EXPECT_EQ(files.read()->special_id("bos"), std::nullopt);
    EXPECT_THAT(files.ids("the [OLD]"), ElementsAre(2, 5, 9, 3));
}

/// Tokens that tokenizer.json defines keep their definition; those that it lacks are added.
TEST(TokenizerFolder, TokensBesideTokenizerJson) {
    Files files;
    files.put("tokenizer.json", tokenizer_json(R"({"type": "WordLevel", "unk_token": "u", "vocab": {"u": 0, "a": 1, "<s>": 2}})",
                                               R"("pre_tokenizer": {"type": "Whitespace"},
                                                  "added_tokens": [{"id": 3, "content": "[A]", "special": true}])"));
    files.put("added_tokens.json", R"({"[A]": 7, "[B]": 4})");
    files.put("special_tokens_map.json", R"({"bos_token": "<s>", "mask_token": "<mask>"})");
    EXPECT_THAT(files.ids("a[A][B]<s> a <mask>"), ElementsAre(1, 3, 4, 2, 1, 5));
    EXPECT_EQ(files.read()->special_id("bos"), 2);
}

/// Of two equal lines the later one is the token; all other ids stay.
TEST(TokenizerFolder, AWordMayOccurTwiceInTheList) {
    Files files;
    files.put("vocab.txt", std::string(kWords) + "cat\n##s\ndog\n").put("config.json", of_type("bert"));
    EXPECT_THAT(files.ids("the cats dog"), ElementsAre(2, 5, 9, 10, 11, 3));
    EXPECT_EQ(files.read()->size(), 12);
    EXPECT_THAT(files.read()->notes(), testing::Contains(HasSubstr("vocab.txt: 2 of its lines occur twice (the first: \"cat\" in the lines 7 and 10)")));
}

/// Editors may put a byte-order mark at the start of any file.
TEST(TokenizerFolder, AByteOrderMarkIsNoPartOfAFile) {
    const std::string mark = "\xEF\xBB\xBF";
    Files words;
    words.put("vocab.txt", mark + "the\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n").put("config.json", mark + of_type("bert"));
    words.put("tokenizer_config.json", mark + R"({"do_lower_case": false})").put("added_tokens.json", mark + R"({"[NEW]": 4})");
    EXPECT_THAT(words.ids("the[NEW]"), ElementsAre(2, 0, 4, 3));
    Files letters;
    letters.put("config.json", of_type("gpt2")).put("vocab.json", mark + kLetters).put("merges.txt", mark + kMerges);
    EXPECT_THAT(letters.ids("a a"), ElementsAre(4, 6));
    letters.put("merges.txt", mark + "Ġ a\r\n");
    EXPECT_THAT(letters.ids("a a"), ElementsAre(4, 6));
}

/// Sums of scores in single precision, as in SentencePiece: they decide between segmentations that are nearly equal.
TEST(TokenizerFolder, ScoresAddUpInSinglePrecision) {
    Files files;
    // In double precision "a" before "aa" scores better than after it, by less than single precision can resolve.
    files.put("spiece.model", proto_piece("<unk>", 0, 2) + proto_piece("a", -5.1F) + proto_piece("aa", -7.3F) + proto_piece("aaa", -9.7F) +
                                  proto_bytes(2, proto_int(3, 1)) + proto_bytes(3, proto_int(3, 0)));
    const std::string text(37, 'a');
    const double one = static_cast<double>(-5.1F), two = static_cast<double>(-7.3F), three = static_cast<double>(-9.7F);
    std::vector<float> best(text.size() + 1, -1e9F);
    std::vector<int> from(text.size() + 1);
    best[0] = 0;
    for (int at = 0; at < static_cast<int>(text.size()); ++at)
        for (const auto& [length, score] : {std::pair{1, one}, {2, two}, {3, three}}) {
            if (at + length > static_cast<int>(text.size())) continue;
            const auto end = static_cast<std::size_t>(at + length);
            const double sum = score + static_cast<double>(best[static_cast<std::size_t>(at)]);
            if (sum > static_cast<double>(best[end])) best[end] = static_cast<float>(sum), from[end] = length;
        }
    Ids wanted;
    for (int at = static_cast<int>(text.size()); at > 0; at -= from[static_cast<std::size_t>(at)]) wanted.insert(wanted.begin(), from[static_cast<std::size_t>(at)]);
    EXPECT_EQ(files.ids(text), wanted);
}

TEST(TokenizerFolder, ErrorsInTheOlderFilesAreReported) {
    Files files;
    files.put("vocab.txt", kWords).put("added_tokens.json", R"({"[NEW]": "9"})");
    EXPECT_THAT(files.refused(), HasSubstr("added_tokens.json:1: [NEW]: a whole number"));
    files.put("added_tokens.json", "[]");
    EXPECT_THAT(files.refused(), HasSubstr("added_tokens.json"));
    files.put("added_tokens.json", "{}").put("special_tokens_map.json", "{");
    EXPECT_THAT(files.refused(), HasSubstr("special_tokens_map.json"));
    files.put("special_tokens_map.json", "{}").put("config.json", "{");
    EXPECT_THAT(files.refused(), HasSubstr("config.json"));
}

}  // namespace
}  // namespace attn::test
