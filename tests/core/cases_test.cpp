// Files that were once opened wrongly, with the right values that users reported with them, found without this program (NumPy
// in double precision, the published libraries). Cases of checkpoints' numbers are in checkpoint_shapes_test.cpp and
// checkpoint_tokens_test.cpp; keyboards and pasted lines are tested with the field and the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/io/files.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/model/attention_file/given_attention.h"
#include "core/tokenizers/tokenizer_folder.h"
#include "tests/core/checkpoint_folder.h"
#include "tests/core/tokenizers_support.h"

namespace attn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Ids = std::vector<int>;
using Words = std::vector<std::string>;

const std::filesystem::path kCases = ATTN_SOURCE_DIR "/tests/data/cases";

std::string bytes_of(const std::string& file) {
    const auto bytes = read_file(kCases / file, std::size_t{1} << 20);
    EXPECT_TRUE(bytes) << bytes.error().text();
    return bytes ? *bytes : "";
}

std::shared_ptr<const TokenizerModel> tokenizer_of(const std::string& folder) {
    const auto model = read_tokenizer_folder(kCases / folder);
    EXPECT_TRUE(model) << model.error().text();
    return model ? *model : nullptr;
}
Ids ids_of(const TokenizerModel& model, std::string_view text) {
    Ids out;
    const auto pieces = model.encode(text, true);
    EXPECT_TRUE(pieces) << pieces.error().text();
    if (pieces)
        for (const ModelToken& piece : *pieces) out.push_back(piece.id);
    return out;
}
/// The positions of the tokens into which the tokenizer of a case cuts the text.
Words cut_by(const std::string& folder, std::string_view text) {
    Words out;
    const auto model = tokenizer_of(folder);
    const auto pieces = model->encode(text, false);
    EXPECT_TRUE(pieces) << pieces.error().text();
    if (pieces)
        for (const ModelToken& piece : *pieces) out.emplace_back(text.substr(piece.begin, piece.end - piece.begin));
    return out;
}

/// The arrays of weights in an .npz, by name; texts are left out.
std::vector<NpzArray> arrays_of(const std::string& file) {
    std::vector<NpzArray> out;
    const auto read = each_npz_file(
        bytes_of(file), {},
        [&](std::string_view name, const std::string& bytes) -> Result<Done> {
            auto array = read_npy(bytes);
            if (!array) return array.error();
            out.push_back({std::string(name.substr(0, name.find('.'))), std::move(*array)});
            return Done{};
        },
        [](std::string_view name) { return name.find("tokens") == name.npos; });
    EXPECT_TRUE(read) << read.error().text();
    return out;
}

GivenAttentionPtr attention_of(const std::string& file) {
    const auto given = find_attention(file, {.folders = true, .base = kCases});
    EXPECT_TRUE(given) << given.error().text();
    return given ? *given : nullptr;
}
std::string why_not(const std::string& file) {
    const auto given = find_attention(file, {.folders = true, .base = kCases});
    return given ? "it was read" : given.error().text();
}
/// Layers `from` to `to` as an array stores them: its last axes are heads, rows and columns.
void expect_layers(const AttentionStack& stack, int from, int to, const NpyArray& right) {
    ASSERT_EQ(right.values.size(), static_cast<std::size_t>((to - from) * stack.heads * stack.rows * stack.cols));
    std::size_t at = 0;
    for (int layer = from; layer < to; ++layer)
        for (int h = 0; h < stack.heads; ++h)
            for (int r = 0; r < stack.rows; ++r)
                for (int c = 0; c < stack.cols; ++c) ASSERT_NEAR(stack.map(layer, h)(r, c), right.values[at++], 1e-7f) << "layer " << layer << ", head " << h << ", row " << r << ", column " << c;
}

// Tokenizers

TEST(Cases, AddedTokensHaveTheirIds) {
    EXPECT_EQ(ids_of(*tokenizer_of("07-added-tokens-json"), "the [NEW] cat <user>"), (Ids{2, 5, 12, 6, 13, 3}));
}

TEST(Cases, OfTwoEqualWordsTheLaterIsTheToken) { EXPECT_EQ(ids_of(*tokenizer_of("08-vocab-twice"), "the cat dog"), (Ids{2, 5, 12, 13, 3})); }

/// The three files of the case, with a vocabulary of a few letters: the published one has 50,265 words.
TEST(Cases, ARobertaWhoseClassIsNotNamed) {
    const auto file = [](const char* name) { return bytes_of(std::string("real-1-roberta-no-class/") + name); };
    const auto model = read_tokenizer({.where = "here", .tokenizer_config = file("tokenizer_config.json"), .special_tokens = file("special_tokens_map.json"), .config = file("config.json"),
                                       .vocab_json = R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "H": 4, "i": 5, "Ġ": 6, "w": 7, "Ġw": 8, "<mask>": 9})", .merges = "#version: 0.2\nĠ w\n"});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(ids_of(**model, "Hi w"), (Ids{0, 4, 5, 8, 2})) << "<s> and </s> stand around it, and no blank is put in front";
    EXPECT_EQ(ids_of(**model, "H <mask>"), (Ids{0, 4, 9, 2})) << "which takes the blank before it";
}

TEST(Cases, ANonBlankSignStaysWithItsWord) { EXPECT_EQ(cut_by("real-4-u180e", "a \u180ex"), (Words{"a", " ", "\u180ex"})); }

TEST(Cases, PatternsAreOnigurumas) {
    EXPECT_EQ(cut_by("real-5-regex-dialect-intersection", "早abc好é。 1"), (Words{"早", "abc", "好", "é", "。", " ", "1"}));
    EXPECT_EQ(cut_by("real-5-regex-dialect-han", "早上。「好」・"), (Words{"早上", "。「", "好", "」・"}));
    EXPECT_EQ(cut_by("real-5-regex-dialect-w", "हिन्दी, नाम!"), (Words{"हिन्दी", ",", " ", "नाम", "!"}));
    EXPECT_EQ(cut_by("real-5-regex-dialect-twice", "1234567 12"), (Words{"1234567", " ", "12"}));
    EXPECT_EQ(cut_by("real-5-regex-dialect-bloom", "Hello, world।no"), (Words{"Hello", ",", " world", "।", "no"}));
}

/// A text that grows without end is an error, which names what makes it grow.
TEST(Cases, ATokenizerThatDoubles) {
    const auto pieces = tokenizer_of("D2-tokenizer-doubling")->encode("a cat", false);
    ASSERT_FALSE(pieces);
    EXPECT_THAT(pieces.error().text(), HasSubstr("makes this text longer again and again"));
    const auto doc = document_from_json(R"({"text": "a cat", "model": ")" + (kCases / "D2-tokenizer-doubling").string() + "\"}", "", {.folders = true});
    ASSERT_FALSE(doc && problems(*doc).empty()) << "as a model's, too";
}

// Checkpoints

TEST(Cases, WrappersInFrontOfNames) {
    for (const char* folder : {"14-prefixed-names-module", "14-prefixed-names-orig-mod"}) {
        SCOPED_TRACE(folder);
        const auto doc = opened(kCases / folder);
        ASSERT_TRUE(doc) << doc.error().text();
        const attn::Run run = run_valid(*doc);
        const auto file = TensorFile::open((kCheckpoints / "gpt2" / "activations.safetensors").string());
        ASSERT_TRUE(file) << file.error().text();
        const Matrix there = *file->matrix("logits"), &here = run.trace[find_step(run.trace, "logits")].value;
        ASSERT_EQ(here.rows(), there.rows());
        EXPECT_LE((here - there).cwiseAbs().maxCoeff(), 1e-4f * there.cwiseAbs().maxCoeff());
    }
}

// Attention of other programs

TEST(Cases, StepsOfWriting) {
    const std::vector<NpzArray> right = arrays_of("09-generate-steps/expected.npz");
    ASSERT_FALSE(right.empty());
    for (const char* file : {"09-generate-steps/steps.npz", "09-generate-steps/steps.json"}) {
        SCOPED_TRACE(file);
        const GivenAttentionPtr given = attention_of(file);
        ASSERT_TRUE(given);
        const AttentionStack& stack = given->stacks.front();
        const int each = stack.layers / static_cast<int>(right.size());
        ASSERT_EQ(each * static_cast<int>(right.size()), stack.layers);
        for (int i = 0; i < static_cast<int>(right.size()); ++i) expect_layers(stack, i * each, (i + 1) * each, right[static_cast<std::size_t>(i)].array);
    }
}

TEST(Cases, SomeLayers) {
    EXPECT_THAT(attention_of("10-some-layers/layers_4_5.npz")->stacks.front().numbers, ElementsAre(4, 5));
    EXPECT_THAT(attention_of("10-some-layers/last.npz")->stacks.front().numbers, ElementsAre(11));
    Document doc;
    take_attention(doc, attention_of("10-some-layers/last.npz"));
    EXPECT_NE(find_step(run_valid(doc).trace, "l12.weights.h1"), kNoStep) << "as all layers are counted here, from 1";
}

TEST(Cases, BrainFloats) {
    const auto right = read_npy(bytes_of("11-bf16-npy/expected.npy"));
    ASSERT_TRUE(right) << right.error().text();
    const GivenAttentionPtr given = attention_of("11-bf16-npy/attn.npy");
    ASSERT_TRUE(given);
    expect_layers(given->stacks.front(), 0, given->stacks.front().layers, *right);
    EXPECT_THAT(given->checked().faults, IsEmpty());
}

TEST(Cases, AFileOfPyTorch) { EXPECT_THAT(why_not("12-torch-pt/attn.pt"), testing::AllOf(HasSubstr("PyTorch file"), HasSubstr("pickle"), HasSubstr("np.savez("))); }

TEST(Cases, TokensBesideTheFileAndInIt) {
    EXPECT_EQ(attention_of("13-bom-tokens/attn.npy")->tokens.front(), "the");
    EXPECT_THAT(attention_of("15-byte-letters/attn.npz")->tokens, ElementsAre("The", " cat", "\n", "早", "上"));
    for (const char* file : {"22-names-beside/sample.npz", "22-names-beside/run.npz"}) EXPECT_THAT(attention_of(file)->tokens, ElementsAre("the", "cat", "sat", "on", "it")) << file;
}

TEST(Cases, ARowWithoutNumbers) {
    const GivenAttentionPtr given = attention_of("21-nan-row/attn.npz");
    ASSERT_TRUE(given);
    ASSERT_EQ(given->checked().faults.size(), 1U);
    EXPECT_EQ(given->checked().faults.front().fault, RowFault::NotFinite);
    EXPECT_EQ(place_of_fault(*given, given->checked().faults.front()), "layer 1, head 1, row 1");
    EXPECT_THAT(why_not("21-nan-row/attn2.json"), HasSubstr("\"NaN\" is not a JSON number: a file of attention has null where there is none"));
}

TEST(Cases, HeadsSavedSeparately) {
    const GivenAttentionPtr given = attention_of("23-heads-as-layers/heads.npz");
    ASSERT_TRUE(given);
    EXPECT_EQ(given->stacks.front().layers, 1);
    EXPECT_EQ(given->stacks.front().heads, 3);
    for (const NpzArray& head : arrays_of("23-heads-as-layers/heads.npz")) {
        const FrozenMatrix& map = given->stacks.front().map(0, head.name.back() - '0');
        ASSERT_EQ(head.array.values.size(), static_cast<std::size_t>(map.size()));
        for (std::size_t i = 0; i < head.array.values.size(); ++i) ASSERT_EQ(map(static_cast<Eigen::Index>(i) / map.cols(), static_cast<Eigen::Index>(i) % map.cols()), head.array.values[i]) << head.name;
    }
}

/// What the field shows of them and writes back: FieldStage.SpecialCharactersSurviveEditsAroundThem.
TEST(Cases, TheTextsArePreserved) {
    EXPECT_EQ(document_from_json(bytes_of("19-beyond-bmp/emoji.json"), "")->text, "👍 𠮷野家 good");
    EXPECT_EQ(document_from_json(bytes_of("20-newline-in-field/lines.json"), "")->text, "The cat sat\non the mat.\nIt slept.");
}

}  // namespace
}  // namespace attn::test
