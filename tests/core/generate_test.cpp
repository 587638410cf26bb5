// One token at a time with a cache: the same results as all at once, and what the cache saves.
#include <gtest/gtest.h>

#include <set>

#include "core/analysis/cache.h"
#include "core/attention/forms/attention.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"
#include "core/ops/measure.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kGenerateAgreement = 1e-5;
constexpr int kNew = 4;

Document generate_document() {
    Document doc;
    doc.text = "the cat sat down";
    doc.config.form = "generate";
    doc.config.generate = kNew;
    doc.weights = "random";
    return doc;
}

const Matrix& generated_output(const attn::Run& run) { return find(run.trace, {Role::Output})->value; }

/// The same stack on the text with the generated tokens, all rows at once under a causal mask.
Document at_once(const Document& doc, const Trace& trace) {
    Document all = doc;
    all.tokens.assign(trace.tokens.begin(), trace.tokens.end() - 1);  // the last was chosen, but never used as input
    all.config.form = "encoder";
    all.config.mask = "causal";
    all.config.generate = AttentionConfig{}.generate;
    all.config.choose = AttentionConfig{}.choose;
    return all;
}

void expect_as_at_once(const Document& doc) {
    SCOPED_TRACE(name_of(doc));
    ASSERT_TRUE(problems(doc).empty()) << problems(doc).front().text();
    const attn::Run run = run_valid(doc);
    ASSERT_EQ(run.trace.tokens.size(), run.inputs.tokens.size() + kNew);
    EXPECT_TRUE(close(generated_output(run), generated_output(run_valid(at_once(doc, run.trace))), kGenerateAgreement));
}

TEST(Generate, EqualsAllTokensAtOnceUnderACausalMask) {
    for (const Score& score : scores())
        for (const Position& position : positions()) {
            Document doc = generate_document();
            doc.config.score = score.id;
            doc.config.position = position.id;
            doc.config.heads = 4;
            doc.config.kv_heads = 2;
            doc.config.layers = 2;
            if (problems(doc).empty()) expect_as_at_once(doc);
        }
    for (const std::string_view block : {"post_norm", "pre_norm"})
        for (const std::string_view activation : {"relu", "swiglu"})
            for (const std::string_view selection : {"soft", "top_k", "sparsemax"})
                for (const std::string_view scope : {"global", "local_m"}) {
                    Document doc = generate_document();
                    doc.config.block = block;
                    doc.config.norm = block == "pre_norm" ? "rms_norm" : "layer_norm";
                    doc.config.activation = activation;
                    doc.config.selection = selection;
                    doc.config.scope = scope;
                    doc.config.gate = scope == "global" ? "none" : "sigmoid";
                    doc.config.choose = "sample";
                    expect_as_at_once(doc);
                }
}

/// S is the number of tokens at the time: a later token predicted its position with a larger S than the first, while
/// computing all at once uses the final S for all. The run reports this.
TEST(Generate, WithLocalPTheLengthGrowsAndANoteSaysSo) {
    for (const int layers : {1, 2}) {
        Document doc = generate_document();
        doc.config.layers = layers;
        const attn::Run plain = run_valid(doc);
        EXPECT_FALSE(plain.growing_source);
        doc.config.scope = "local_p";
        const attn::Run run = run_valid(doc);
        EXPECT_TRUE(run.growing_source);
        const int n = run.inputs.n();
        for (int time = 0; time < kNew; ++time) {
            const Tag tag{Role::Centers, kNoHead, layers - 1, time};
            const Matrix &centers = find(run.trace, tag)->value, &shares = find(run.trace, tag.as(Role::CenterShares))->value;
            EXPECT_NEAR(centers(0, 0), shares(0, 0) * static_cast<float>(n + time), 1e-5) << time;
        }
        const Matrix at_once_output = generated_output(run_valid(at_once(doc, run.trace)));
        EXPECT_FALSE(close(generated_output(run), at_once_output, 1e-3)) << layers;
        doc.config.generate = 1;
        EXPECT_FALSE(run_valid(doc).growing_source) << "there is one length only";
    }
}

/// From the second step on one row is computed: 1×t scores, and the cache grows by one row.
TEST(Generate, OneRowATimeAndTheCacheGrows) {
    const attn::Run run = run_valid(generate_document());
    const int n = run.inputs.n();
    for (int time = 1; time < kNew; ++time) {
        const Step* scores = find(run.trace, {Role::Scores, kNoHead, 0, time});
        ASSERT_NE(scores, nullptr);
        EXPECT_EQ(scores->value.rows(), 1);
        EXPECT_EQ(scores->value.cols(), n + time);
        EXPECT_EQ(axis_label(run.trace, scores->rows, 0), run.trace.tokens[static_cast<std::size_t>(n + time - 1)]);
        const Step* cache = find(run.trace, {Role::CachedKeys, kNoHead, 0, time});
        ASSERT_NE(cache, nullptr);
        EXPECT_EQ(cache->value.rows(), n + time);
    }
}

std::vector<std::string> words_of(const Document& doc) { return run_valid(doc).trace.tokens; }

TEST(Generate, GreedyTakesTheLargestLogit) {
    const attn::Run run = run_valid(generate_document());
    for (int time = 0; time < kNew; ++time) {
        const Matrix& logits = find(run.trace, {Role::Logits, kNoHead, kNoLayer, time})->value;
        Eigen::Index best = 0;
        logits.row(0).maxCoeff(&best);
        EXPECT_EQ(run.trace.tokens[run.inputs.tokens.size() + static_cast<std::size_t>(time)],
                  run.trace.words[static_cast<std::size_t>(best)]);
    }
    Document one = generate_document();
    one.config.choose = "sample";
    one.config.choose_top_k = 1;
    EXPECT_EQ(words_of(one), run.trace.tokens);
    one.config.choose_top_k = 0;
    one.config.choose_top_p = 0;
    EXPECT_EQ(words_of(one), run.trace.tokens);
    one.config.choose_top_p = 1;
    one.config.choose_temperature = 0;
    EXPECT_EQ(words_of(one), run.trace.tokens);
}

TEST(Generate, TheSeedRepeatsADrawAndAnotherChangesIt) {
    Document doc = generate_document();
    doc.config.choose = "sample";
    doc.config.choose_temperature = 1e30f;  // all words equally likely
    doc.config.generate = 12;
    EXPECT_EQ(words_of(doc), words_of(doc));
    std::set<std::vector<std::string>> seen;
    for (const std::uint64_t seed : {1, 2, 3}) {
        doc.config.draw_seed = seed;
        seen.insert(words_of(doc));
    }
    EXPECT_EQ(seen.size(), 3u);
}

/// The cost of a step without the cache is that of a run that begins with all those tokens.
TEST(Cache, WithoutItEveryTimeStartsOver) {
    for (const std::string_view position : {"none", "rope", "alibi", "relative", "learned"}) {
        Document doc = generate_document();
        doc.config.layers = 2;
        doc.config.heads = 2;
        doc.config.position = position;
        SCOPED_TRACE(name_of(doc));
        const attn::Run run = run_valid(doc);
        const std::vector<CachedPass> passes = cached_passes(run.trace);
        ASSERT_EQ(passes.size(), static_cast<std::size_t>(kNew));
        for (const CachedPass& pass : passes) {
            Document anew = doc;
            anew.tokens.assign(run.trace.tokens.begin(), run.trace.tokens.begin() + pass.tokens);
            anew.config.generate = 1;
            const std::vector<CachedPass> whole = cached_passes(run_valid(anew).trace);
            // A run that continues also looks up the chosen word's vector.
            const bool goes_on = pass.time + 1 < kNew;
            const double next = goes_on ? static_cast<double>(run.trace.words.size()) * run.inputs.d() : 0;
            EXPECT_EQ(pass.without_cache, whole[0].multiply_adds + next) << pass.time;
            EXPECT_EQ(pass.cache_bytes, 2.0 * 2 * pass.tokens * run.inputs.d() * sizeof(float));
            if (pass.time > 0) {
                EXPECT_LT(pass.multiply_adds, pass.without_cache);
            }
        }
        EXPECT_EQ(passes[0].multiply_adds, passes[0].without_cache);
    }
    EXPECT_TRUE(cached_passes(run_valid(Document{}).trace).empty());
}

TEST(Generate, RefusesSettingsWithoutMeaningForFutureTokens) {
    for (const std::string_view choice : {R"("mask": "padding", "padding": 1)", R"("mask": "drawn")",
                                          R"("score": "location")", R"("penalty": 0.5)", R"("padding": 1)"})
        EXPECT_NE(refusal_of(R"({"text": "a b", "variant": "generate", )" + std::string(choice) + "}").message, "");
}

}  // namespace
}  // namespace attn::test
