// The small language model: its texts and their split, the tokenizer that it trains, its training, and the shipped
// model. Nothing here needs a package of texts: training uses the program's own grammar.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/document/take.h"
#include "core/io/lzw.h"
#include "core/model/files/model_files.h"
#include "core/model/open/shipped.h"
#include "core/tokenizers/tokenizer_model.h"
#include "core/train/shipped/language.h"
#include "core/train/task_texts.h"
#include "core/train/tasks.h"
#include "tests/core/support.h"

namespace attn::train {
namespace {

/// LZW codes of a text, none of which stands for more than one character, packed as compress(1) does.
std::string packed(const std::vector<int>& codes) {
    std::string out;
    std::size_t at = 0, group = 0;
    int bits = 9, free = 257;
    bool first = true;
    for (const int code : codes) {
        if (free > (1 << bits) - 1 && bits < 16) {
            const std::size_t whole = static_cast<std::size_t>(bits) * 8;
            at = group + (at - group + whole - 1) / whole * whole;
            group = at;
            ++bits;
        }
        for (int i = 0; i < bits; ++i, ++at) {
            out.resize(std::max(out.size(), at / 8 + 1), '\0');
            if (code >> i & 1) out[at / 8] = static_cast<char>(static_cast<unsigned char>(out[at / 8]) | 1u << at % 8);
        }
        if (!first) ++free;
        first = false;
    }
    return out;
}

TEST(Lzw, UnpacksCodesOfEveryWidthThatAppears) {
    std::string text;
    std::vector<int> codes;
    for (int i = 0; i < 1200; ++i) {  // past 512 and 1024 entries
        text += static_cast<char>('a' + i * 7 % 26);
        codes.push_back(text.back());
    }
    const auto out = unpack_lzw(packed(codes), 1 << 20);
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, text);
}

TEST(Lzw, UnpacksACodeThatIsStillIncomplete) {
    const auto out = unpack_lzw(packed({'a', 257, 258, 'b'}), 100);  // a, aa, aaa, b
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, "aaaaaab");
}

TEST(Lzw, RefusesUnknownCodesAndLongOutput) {
    EXPECT_FALSE(unpack_lzw(packed({'a', 400}), 100));
    EXPECT_FALSE(unpack_lzw(packed({300}), 100));
    EXPECT_FALSE(unpack_lzw(packed({'a', 'b', 'c'}), 2));
    EXPECT_EQ(*unpack_lzw("", 10), "");
}

std::shared_ptr<const TokenizerModel> tokenizer_of(const std::string& json) {
    auto read = read_tokenizer({.where = "made", .tokenizer_json = json});
    EXPECT_TRUE(read) << read.error().text();
    return read ? *read : nullptr;
}

std::vector<int> ids_of(const TokenizerModel& tokenizer, std::string_view text) {
    std::vector<int> out;
    const auto cut = tokenizer.encode(text, false);
    EXPECT_TRUE(cut);
    for (const ModelToken& piece : *cut) out.push_back(piece.id);
    return out;
}

std::vector<std::string> some_texts() {
    std::vector<std::string> out = grammar_sentences(3, false, 300);
    for (std::string& one : grammar_sentences(3, true, 300)) out.push_back(std::move(one));
    return out;
}

TEST(TrainedTokenizer, DoesNotDependOnTheOrderOfTexts) {
    std::vector<std::string> texts = some_texts();
    const std::string one = train_tokenizer(texts, {.merged = 80, .characters = 60});
    std::reverse(texts.begin(), texts.end());
    EXPECT_EQ(train_tokenizer(texts, {.merged = 80, .characters = 60}), one);
    EXPECT_NE(train_tokenizer(texts, {.merged = 81, .characters = 60}), one);
}

TEST(TrainedTokenizer, RoundTripsAndKeepsFrequentWordsWhole) {
    const auto tokenizer = tokenizer_of(train_tokenizer(some_texts(), {.merged = 200, .characters = 100}));
    ASSERT_TRUE(tokenizer);
    for (const std::string text : {"The tired cat sat down.", "一只小猫累了。", "Zebra, 42 ~ naïve\n\n  two", "龘靐齉爩", "🐈‍⬛ e\u0301", "\t\r\n", ""})
        EXPECT_EQ(tokenizer->decode(ids_of(*tokenizer, text)), text);
    EXPECT_EQ(ids_of(*tokenizer, "猫").size(), 1u) << "a frequent character is one piece";
    EXPECT_EQ(ids_of(*tokenizer, " the").size(), 1u) << "a frequent word is one piece, with its space";
    EXPECT_EQ(ids_of(*tokenizer, "龘").size(), 3u) << "an unknown one is its bytes";
}

const TaskSize& grammar_size() { return *size_of(*find_task("language"), {.seed = 0, .size = std::string(kGrammarSize)}); }

std::set<std::string> documents_of(const TextStream& stream, const TokenizerModel& tokenizer) {
    const std::vector<int> ids(stream.tokens.begin(), stream.tokens.end());
    const std::string text = tokenizer.decode(ids);
    std::set<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        out.insert(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

TEST(Corpus, SplitsByWholeDocuments) {
    const auto texts = language_texts(grammar_size());
    ASSERT_TRUE(texts) << texts.error().text();
    const Corpus& corpus = *(*texts)->corpus;
    ASSERT_EQ(corpus.seen.size(), own_sources().size());
    for (std::size_t s = 0; s < corpus.seen.size(); ++s) {
        const auto seen = documents_of(corpus.seen[s], *corpus.tokenizer), held_out = documents_of(corpus.held_out[s], *corpus.tokenizer);
        EXPECT_GT(held_out.size(), 50u);
        EXPECT_GT(seen.size(), 20 * held_out.size());
        for (const std::string& document : held_out) {
            EXPECT_TRUE(is_held_out(document));
            EXPECT_FALSE(seen.contains(document)) << document;
        }
    }
}

TEST(Corpus, TokenizesStretchesLikeTheWhole) {
    const auto texts = language_texts(grammar_size());
    ASSERT_TRUE(texts);
    const TokenizerModel& tokenizer = *(*texts)->corpus->tokenizer;
    const std::vector<std::string> mixed = {"The cat 42 sat—down; \"hm\"", "一只 cat，好。", "  spaces  twice"};
    for (const std::string& text : mixed) {
        const TextStream stream = text_stream(nullptr, {text}, tokenizer, 2);
        std::vector<int> whole = ids_of(tokenizer, text + "\n");
        EXPECT_EQ(std::vector<int>(stream.tokens.begin(), stream.tokens.end()), whole) << text;
    }
}

TEST(Corpus, ExamplesBeginAtLinesAndHoldEveryToken) {
    const auto texts = language_texts(grammar_size());
    ASSERT_TRUE(texts);
    const Corpus& corpus = *(*texts)->corpus;
    const TextStream& stream = corpus.seen.front();
    const int line_feed = *corpus.tokenizer->id_of("\u010A");
    std::size_t reached = 0;
    for (const std::uint32_t start : stream.starts) {
        if (start > 0) {
            EXPECT_EQ(stream.tokens[start - 1], line_feed);
        }
        EXPECT_LE(start, reached);
        reached = start + static_cast<std::size_t>(corpus.longest);
        EXPECT_LT(reached, stream.tokens.size());
    }
}

class LanguageTraining : public testing::Test {
protected:
    static TaskOptions options() {
        TaskOptions out{.seed = 4, .size = std::string(kGrammarSize), .steps = 24};
        out.batch = 8;
        return complete(*find_task("language"), out);
    }
};

TEST_F(LanguageTraining, LossFallsAndBytesDoNotDependOnThreads) {
    const Task& task = *find_task("language");
    std::string state[2];
    double first = 0, last = 0;
    for (const int threads : {1, 3}) {
        Trainer trainer(task.course(options()), threads);
        while (!trainer.finished()) {
            const StepReport report = trainer.step();
            if (report.step == 1) first = report.loss;
            last = report.loss;
        }
        state[threads == 3] = trainer.state();
    }
    EXPECT_EQ(state[0], state[1]);
    EXPECT_NEAR(first, std::log(static_cast<double>((*language_texts(grammar_size()))->corpus->vocabulary())), 0.3) << "at first every piece is as likely";
    EXPECT_LT(last, first - 1);
}

TEST_F(LanguageTraining, NeedsPackagesOnlyForForeignTexts) {
    const Task& task = *find_task("language");
    EXPECT_TRUE(missing(task, options()).empty());
    EXPECT_EQ(missing(task, complete(task, {})), missing_packages());
    for (const std::string& one : missing_packages())
        EXPECT_TRUE(std::any_of(text_sources().begin(), text_sources().end(), [&](const TextSource& s) { return s.package == one; }));
    ASSERT_TRUE(size_without_packages(task));
}

TEST_F(LanguageTraining, SharesOfTextsAreWhole) {
    double all = 0;
    for (const TextSource& source : text_sources()) all += source.share;
    EXPECT_NEAR(all, 1, 1e-9);
}

/// Its files have the layout of Llama's family: they are read as an ordinary checkpoint and written again unchanged.
TEST(ShippedLanguage, ReadsAndWritesAsACheckpoint) {
    const ModelPtr model = shipped_model("language");
    ASSERT_TRUE(model);
    ASSERT_TRUE(model->tokenizer && model->stored);
    EXPECT_GE(model->numbers(), 1'000'000);
    const ModelFiles files = model_files(*model, TensorNumbers::F16);
    int found = 0;
    for (const ShippedFile& file : shipped_files()) {
        const std::string_view path = file.path;
        if (!path.starts_with("assets/models/language/")) continue;
        ++found;
        const std::string& written = path.ends_with("config.json") ? files.config : path.ends_with("tokenizer.json") ? files.vocabulary : files.tensors;
        EXPECT_TRUE(file.text == written) << path;
    }
    EXPECT_EQ(found, 3);
}

/// The grammar produces some sentences twice, whatever the seed: evaluation uses none that also trained.
TEST(LanguageSentences, AreEvaluatedOnHeldOutOnes) {
    constexpr std::uint64_t kSeed = 777;
    constexpr int kCount = 300;
    for (const bool chinese : {false, true}) {
        const auto own = own_sources()[chinese ? 1 : 0].read();
        ASSERT_TRUE(own);
        const auto trained = [&](const std::string& one) {
            return !is_held_out(one) && std::find(own->begin(), own->end(), one) != own->end();
        };
        const auto drawn = grammar_sentences(kSeed, chinese, kCount), measured = untrained_sentences(kSeed, chinese, kCount);
        EXPECT_TRUE(std::any_of(drawn.begin(), drawn.end(), trained)) << "else there were nothing to leave out";
        EXPECT_EQ(measured.size(), static_cast<std::size_t>(kCount));
        EXPECT_TRUE(std::none_of(measured.begin(), measured.end(), trained));
    }
}

TEST(ShippedLanguage, HasTheLossOfItsRecord) {
    const ModelPtr model = shipped_model("language");
    ASSERT_TRUE(model);
    const Task& task = *task_of(*model);
    const auto weights = task.weights(*model);
    ASSERT_TRUE(weights) << weights.error().text();
    const auto now = language_check(*size_of(task, options_of(task, *model)), *model->tokenizer, *weights);
    for (const MeasuredSet& set : now) {
        const auto recorded = std::find_if(model->measured.begin(), model->measured.end(), [&](const MeasuredSet& m) { return m.id == set.id; });
        ASSERT_NE(recorded, model->measured.end()) << set.id;
        ASSERT_EQ(recorded->figures.size(), set.figures.size());
        for (std::size_t f = 0; f < set.figures.size(); ++f) EXPECT_NEAR(set.figures[f].second, recorded->figures[f].second, 0.01) << set.id;
        EXPECT_LT(set.figures.front().second, 4) << set.id;  // it would be 8 without a model
    }
    const auto figure = [&](std::string_view set, std::string_view key) {
        for (const MeasuredSet& one : model->measured)
            for (const auto& [name, value] : one.figures)
                if (one.id == set && name == key) return value;
        return 0.0;
    };
    for (const char* language : {"english", "chinese"}) EXPECT_LT(figure(language, "loss"), figure(language, "loss_by_pairs")) << language;
}

/// The untrained model is reproduced from its seed and its own vocabulary: the texts are not needed.
TEST(ShippedLanguage, DiffersFromItsUntrainedModel) {
    const ModelPtr model = shipped_model("language");
    const auto before = find_model("language@0", {});
    ASSERT_TRUE(before) << before.error().text();
    EXPECT_EQ((*before)->words, model->words);
    EXPECT_EQ((*before)->training->steps, 0);
    const Task& task = *task_of(*model);
    const auto weights = task.weights(**before), learned = task.weights(*model);
    ASSERT_TRUE(weights && learned);
    const FormTask form = language_form(*size_of(task, options_of(task, *model)), static_cast<int>(model->embeddings.rows()), nullptr);
    const std::vector<Weight> drawn = TrainedForm::make(form, 1)->weights(model->training->seed);
    ASSERT_EQ(weights->size(), drawn.size());
    float moved = 0;
    for (std::size_t w = 0; w < drawn.size(); ++w) {
        EXPECT_TRUE(test::same_bits((*weights)[w].value, drawn[w].value)) << drawn[w].name;
        moved = std::max(moved, ((*weights)[w].value - (*learned)[w].value).cwiseAbs().maxCoeff());
    }
    EXPECT_GT(moved, 0.1f) << "training has moved nothing";
}

TEST(ShippedLanguage, ContinuesAnyText) {
    for (const char* text : {"In the beginning God created the", "床前明月", "🐈 龘", "x"}) {
        Document doc;
        doc.text = text;
        take_model(doc, shipped_model("language"));
        const auto run = attn::run(doc);
        ASSERT_TRUE(run) << text << ": " << run.error().text();
        EXPECT_TRUE(run->unknown.empty()) << text;
    }
}

TEST(ShippedModels, AreTogetherUnderEightMegabytes) {
    std::size_t bytes = 0;
    for (const ShippedFile& file : shipped_files()) bytes += file.text.size();
    EXPECT_GT(bytes, 500'000u);
    EXPECT_LT(bytes, 8'000'000u);
}

}  // namespace
}  // namespace attn::train
