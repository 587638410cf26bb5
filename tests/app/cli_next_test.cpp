// `attenscope next`: the next token, masked tokens, the logit lens, and one token after the other.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "core/io/json.h"
#include "core/io/safetensors.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;
using testing::StartsWith;

std::string checkpoint_folder(const std::string& name) {
    return std::string(ATTN_SOURCE_DIR "/tests/data/checkpoints/") + name;
}

std::vector<std::string> next_arguments(const std::string& name, const std::vector<std::string>& more,
                               const std::string& tokens = R"(["the","cat","sat"])") {
    std::vector<std::string> out = {"next", "--model", checkpoint_folder(name), "--set", "tokens=" + tokens};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

TEST(CliNext, PrintsTheNextTokens) {
    const auto table = run(next_arguments("gpt2", {"--top", "3"}));
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr("after 3 \"sat\"\n"));
    const auto json = run(next_arguments("gpt2", {"--top", "11", "--json"}));
    EXPECT_EQ(json.status, 0) << json.err;
    const auto parsed = attn::parse_json(json.out);
    ASSERT_TRUE(parsed);
    const auto& words = parsed->find("expected")->items.at(0).find("words")->items;
    ASSERT_EQ(words.size(), 11U);
    double sum = 0;
    for (const auto& word : words) sum += word.find("probability")->number;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_GE(words[0].find("probability")->number, words[1].find("probability")->number);
    // The logits are those of the row of "sat", as an independent pass computed them.
    const auto right = attn::TensorFile::open(checkpoint_folder("gpt2") + "/activations.safetensors");
    ASSERT_TRUE(right) << right.error().text();
    const attn::Matrix logits = *right->matrix("logits");
    for (const auto& word : words) EXPECT_NEAR(word.find("logit")->number, static_cast<double>(logits(2, word.find("id")->integer)), 1e-4);
}

/// A model with a head that classifies texts predicts no words at any position.
TEST(CliNext, AHeadForAnotherTaskPredictsNoWords) {
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--at", "2"}, {}, {"--sample", "2"}}) {
        const auto said = run(next_arguments("modernbert-classes", more));
        EXPECT_NE(said.status, 0);
        EXPECT_EQ(said.out, "");
        EXPECT_THAT(said.err, HasSubstr("no matrix from its outputs to words"));
    }
    EXPECT_THAT(run(next_arguments("modernbert-classes", {"--at", "2"})).err,
                HasSubstr("note: This checkpoint has a head for another task (classifier.bias, classifier.weight), which is not computed here"));
}

/// An encoder and decoder reads the sentence and writes after its start token.
TEST(CliNext, WritesTheOutputOfAnEncoderDecoder) {
    for (const char* name : {"t5", "flan-t5", "marian"}) {
        const auto next = run({"next", "--model", checkpoint_folder(name), "--text", "red hat ran", "--top", "2"});
        EXPECT_EQ(next.status, 0) << next.err;
        EXPECT_THAT(next.out, HasSubstr("after 1 \"a\"\n")) << name;
        const auto json = run({"next", "--model", checkpoint_folder(name), "--text", "red hat ran", "--sample", "3", "--json"});
        EXPECT_EQ(json.status, 0) << json.err;
        const auto parsed = attn::parse_json(json.out);
        ASSERT_TRUE(parsed);
        const auto& words = parsed->find("words")->items;
        ASSERT_GE(words.size(), 1U);
        // The likeliest each time: the first is the one that `next` lists first, and the second follows it.
        const std::string first = words[0].find("text")->string;
        EXPECT_THAT(next.out, HasSubstr("\"" + first + "\""));
        EXPECT_EQ(words[0].find("drawn_by")->number, 1);
        if (words.size() < 2) continue;
        const auto second = run({"next", "--model", checkpoint_folder(name), "--text", "red hat ran", "--set", "text=" + first, "--json"});
        EXPECT_EQ(second.status, 0) << second.err;
        EXPECT_EQ(attn::parse_json(second.out)->find("expected")->items.at(0).find("words")->items[0].find("text")->string,
                  words[1].find("text")->string);
        EXPECT_EQ(run({"heads", "--model", checkpoint_folder(name)}).status, 0);
        EXPECT_EQ(run({"trace", "--model", checkpoint_folder(name), "--text", "red hat", "--step", "cross.l2.weights.h1"}).status, 0);
    }
}

/// The same for a model of ours with two texts: its decoder begins with the word with which all its sentences begin.
TEST(CliNext, GivesASentenceToTheEncoderOfATask) {
    const std::vector<std::string> arguments = {"next", "--model", "translation", "--text", "the small girl saw a black cat .", "--top", "1"};
    const auto french = run(arguments);
    EXPECT_EQ(french.status, 0) << french.err;
    EXPECT_EQ(french.err, "");
    EXPECT_THAT(french.out, HasSubstr("after 1 \"fr\"\n"));
    EXPECT_THAT(french.out, HasSubstr("\"la\""));
    auto chinese = arguments;
    chinese.insert(chinese.end(), {"--set", "text=zh"});
    EXPECT_THAT(run(chinese).out, HasSubstr("\"那\""));
    const auto written = run({"next", "--model", "translation", "--text", "the small girl saw a black cat .", "--sample", "8"});
    EXPECT_EQ(written.status, 0) << written.err;
    EXPECT_THAT(written.out, StartsWith("\"la petite fille a vu un chat noir\""));
    const auto date = run({"next", "--model", "dates", "--text", "may 3, 2021", "--set", "text=>2021-0", "--top", "1"});
    EXPECT_THAT(date.out, HasSubstr("\"5\""));
    // After ten tokens it has no position for another.
    const auto digits = run({"next", "--model", "dates", "--text", "may 3, 2021", "--sample", "20"});
    EXPECT_EQ(digits.status, 0) << digits.err;
    EXPECT_THAT(digits.out, StartsWith("\"2021-05-03\""));
    EXPECT_THAT(digits.err, HasSubstr("written are 10 of 20: "));
}

TEST(CliNext, AGeneratedSentenceEndsWithItsFullStop) {
    for (const auto& [language, sentence] : {std::pair("fr", "la petite fille a vu un chat noir ."), {"zh", "那个小女孩看见了一只黑猫。"}}) {
        const auto written = run({"next", "--model", "translation", "--text", "the small girl saw a black cat .", "--set", std::string("text=") + language,
                                  "--sample", "20", "--json"});
        EXPECT_EQ(written.status, 0) << written.err;
        const auto parsed = attn::parse_json(written.out);
        ASSERT_TRUE(parsed);
        const std::string text = parsed->find("text")->string;
        EXPECT_TRUE(text.ends_with(std::string(sentence).substr(std::string(sentence).size() - 3)) || text.ends_with(" .")) << text;
        EXPECT_LT(parsed->find("words")->items.size(), 12U) << text;
    }
}

/// If a model cannot do something or was not trained for it, the message says so.
TEST(CliNext, ReportsUnsupportedRequests) {
    EXPECT_THAT(run({"next", "--model", "alignment", "--sample", "4"}).err, HasSubstr("each of its rows says the word at its own place"));
    EXPECT_THAT(run({"next", "--model", "it", "--text", "the cat [MASK] ."}).err, HasSubstr("its vocabulary has no [MASK]; name the position with --at"));
    const auto date = run({"next", "--model", "dates", "--text", "march 3 1999", "--top", "1"});
    EXPECT_EQ(date.status, 0) << date.err;
    EXPECT_THAT(date.err, HasSubstr("\"march 3 1999\" is written as no example of the model's training was"));
    EXPECT_EQ(run({"next", "--model", "dates", "--text", "march 3, 1999", "--top", "1"}).err, "");
    EXPECT_THAT(run({"next", "--model", "translation", "--text", "the small girl saw a black cat ?", "--top", "1"}).err, HasSubstr("not in the model's vocabulary: ?"));
}

/// If a model is named without a text, the example is one that it was trained for, not words that it never saw.
TEST(CliNext, AModelOfOursHasAnExampleText) {
    for (const char* name : {"translation", "dates", "sort", "induction"}) {
        const auto shown = run({"next", "--model", name, "--top", "1"});
        EXPECT_EQ(shown.status, 0) << name;
        EXPECT_EQ(shown.err, "") << name;
    }
    EXPECT_THAT(run({"next", "--model", "language", "--top", "1"}).out, HasSubstr("好")) << "it cuts any text, and keeps the usual one";
}

TEST(CliNext, PrintsTheLogitLens) {
    const auto json = run(next_arguments("gpt2", {"--lens", "--json", "--at", "2"}));
    EXPECT_EQ(json.status, 0) << json.err;
    const auto parsed = attn::parse_json(json.out);
    ASSERT_TRUE(parsed);
    const auto& one = parsed->find("expected")->items.at(0);
    EXPECT_EQ(one.find("place")->integer, 2);
    const auto& lens = one.find("lens")->items;
    ASSERT_EQ(lens.size(), 3U);
    EXPECT_EQ(lens[2].find("words")->items[0].find("probability")->number,
              one.find("words")->items[0].find("probability")->number);
    // The last of two layers is 1, as this checkpoint counts.
    EXPECT_THAT(run(next_arguments("gpt2", {"--lens"})).out, testing::ContainsRegex("after layer +probability.*\n +none .*\n +0 .*\n +1 .*\n"));
    EXPECT_THAT(run(next_arguments("gpt2", {"--lens", "--count-from", "1"})).out, testing::ContainsRegex("\n +none .*\n +1 .*\n +2 .*\n"));
    const auto shipped = run({"next", "--model", "induction", "--text", "k q b z k q b", "--lens"});
    EXPECT_EQ(shipped.status, 0) << shipped.err;
    EXPECT_THAT(shipped.out, HasSubstr("after 7 \"b\""));
    EXPECT_THAT(shipped.out, HasSubstr("\"z\""));
}

TEST(CliNext, FollowsATokenThroughTheLayers) {
    const std::vector<std::string> how = {"next", "--model", "language", "--text", "the river", "--lens", "--target", "is"};
    const auto table = run(how);
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr("\" is\" through the layers"));
    auto more = how;
    more.push_back("--json");
    const auto parsed = attn::parse_json(run(more).out);
    ASSERT_TRUE(parsed);
    const auto& one = parsed->find("expected")->items.at(0);
    const auto& lens = one.find("target")->find("lens")->items;
    ASSERT_EQ(lens.size(), 5U);
    // After the last layer it is the model's own output, with the same rank.
    const auto& words = one.find("words")->items;
    const auto rank = static_cast<std::size_t>(lens[4].find("rank")->integer);
    ASSERT_GE(rank, 1U);
    ASSERT_LE(rank, words.size());
    EXPECT_EQ(words[rank - 1].find("text")->string, " is");
    EXPECT_EQ(lens[4].find("probability")->number, words[rank - 1].find("probability")->number);
    const auto none = run({"next", "--model", "language", "--text", "the river", "--lens", "--target", "qqqqqq"});
    EXPECT_EQ(none.status, 3);
    EXPECT_THAT(none.err, HasSubstr("no token \"qqqqqq\""));
    EXPECT_EQ(run({"next", "--model", "language", "--text", "the river", "--target", "is"}).status, 2) << "without --lens";
}

TEST(CliNext, AddsOneTokenAfterTheOther) {
    const auto greedy = run(next_arguments("gpt2", {"--sample", "3", "--json"}));
    EXPECT_EQ(greedy.status, 0) << greedy.err;
    const auto parsed = attn::parse_json(greedy.out);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->find("words")->items.size(), 3U);
    const std::vector<std::string> how = {"--sample", "4",       "--temperature", "2",      "--top-k",
                                          "5",        "--top-p", "0.9",           "--seed", "3"};
    const auto one = run(next_arguments("gpt2", how)), two = run(next_arguments("gpt2", how));
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(one.out, two.out);
    EXPECT_THAT(one.out, HasSubstr("drawn by"));
    EXPECT_EQ(run(next_arguments("gpt2", {"--top-k", "2"})).status, 2) << "without --sample";
}

/// The text of a decoder ends with any of the tokens that the files name, as in Hugging Face's generate().
TEST(CliNext, ATextEndsWithAnyOfItsEndTokens) {
    const cli_test::Folder folder;
    for (const auto& file : std::filesystem::directory_iterator(checkpoint_folder("gpt2")))
        std::filesystem::copy(file.path(), folder / file.path().filename().string());
    const auto written = [&] {
        const auto ran = run({"next", "--model", folder.path().string(), "--set", R"(tokens=["the","cat","sat"])", "--sample", "4", "--json"});
        EXPECT_EQ(ran.status, 0) << ran.err;
        std::vector<std::int64_t> ids;
        const auto parsed = attn::parse_json(ran.out);
        for (const attn::JsonValue& word : parsed->find("words")->items) ids.push_back(word.find("id")->integer);
        return ids;
    };
    const std::vector<std::int64_t> all = written();
    ASSERT_EQ(all.size(), 4U);
    const auto second = std::find(all.begin(), all.end(), all[1]);
    std::int64_t other = 0;
    while (std::find(all.begin(), all.end(), other) != all.end()) ++other;
    cli_test::write_file(folder / "generation_config.json", fmt::format(R"({{"eos_token_id": [{}, {}]}})", other, all[1]));
    EXPECT_EQ(written(), std::vector<std::int64_t>(all.begin(), second + 1));
}

/// BERT with its own tokenizer: [MASK] in the text is the mask token, and [CLS] comes before the text.
TEST(CliNext, FillsInTheMaskOfATypedText) {
    const cli_test::Folder folder;
    for (const char* file : {"config.json", "model.safetensors"})
        std::filesystem::copy_file(checkpoint_folder("bert") + "/" + file, folder / file);
    cli_test::write_file(folder / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsat\non\nmat\n##s\n");
    const std::string model = folder.path().string();
    const auto masked = run({"next", "--model", model, "--text", "the [MASK] cats", "--lens"});
    EXPECT_EQ(masked.status, 0) << masked.err;
    EXPECT_THAT(masked.out, HasSubstr("at 3 \"[MASK]\"\n"));
    EXPECT_THAT(masked.out, HasSubstr("after layer"));
    const auto none = run({"next", "--model", model, "--text", "the cats"});
    EXPECT_EQ(none.status, 3);
    EXPECT_THAT(none.err, HasSubstr("no token of the text is [MASK]"));
    const auto added = run({"next", "--model", model, "--text", "the cats", "--sample", "2"});
    EXPECT_EQ(added.status, 3);
    EXPECT_THAT(added.err, HasSubstr("fills in words and adds none"));
}

TEST(CliNext, ReportsMissingArguments) {
    const auto none = run({"next", "--text", "the cat", "--set", "variant=encoder"});
    EXPECT_EQ(none.status, 3);
    EXPECT_THAT(none.err, HasSubstr("no matrix from its outputs to words"));
    EXPECT_THAT(none.err, HasSubstr("output, 2 × "));
    const auto both = run({"next", "--text", "the cat", "--set", "variant=encoder", "--set", "unembedding=tied"});
    EXPECT_EQ(both.status, 3);
    EXPECT_THAT(both.err, HasSubstr("no token of the text is [MASK]"));
    const auto masked =
        run({"next", "--set", "variant=encoder", "--set", "unembedding=tied", "--set", R"(tokens=["the","[MASK]"])"});
    EXPECT_EQ(masked.status, 0) << masked.err;
    EXPECT_THAT(masked.out, HasSubstr("at 2 \"[MASK]\""));
    const auto beyond = run(next_arguments("gpt2", {"--at", "9"}));
    EXPECT_EQ(beyond.status, 3);
    EXPECT_THAT(beyond.err, HasSubstr("9 is none of them"));
}

}  // namespace
