// From outputs to words: with the words' own vectors or a separate matrix, with or without a bias, for encoders, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

const Matrix* value(const attn::Run& run, Role role, int time = kNoTime) {
    const Step* step = find(run.trace, {role, kNoHead, kNoLayer, time});
    return step ? &step->value.matrix() : nullptr;
}

constexpr std::string_view kOwn = R"("unembedding":"own","parameters":{"unembedding_weight":[[1,0,2],[0,3,0]],"unembedding_bias":[[0,0,-1]]})";
constexpr std::string_view kWords = R"("tokens":["a","b","c"],"X":[[1,0],[0,1],[1,1]],)";

TEST(Unembedding, AnEncoderPredictsOnlyOnRequest) {
    const auto made = [](std::string_view choice) {
        return run_valid(document_of(R"({"variant":"encoder",)" + std::string(kWords) + std::string(choice) + "}"));
    };
    EXPECT_EQ(value(made(R"("layers":1)"), Role::Logits), nullptr);
    EXPECT_TRUE(made(R"("layers":1)").trace.words.empty());
    const attn::Run tied = made(R"("unembedding":"tied")");
    const Matrix &output = *value(tied, Role::Output), &e = *value(tied, Role::Vocabulary);
    EXPECT_TRUE(close(*value(tied, Role::Logits), output * e.transpose(), 1e-5));
    EXPECT_EQ(value(tied, Role::Probabilities)->rows(), 3) << "which word stands at each place";
    const attn::Run own = made(kOwn);
    const Matrix w{{1, 0, 2}, {0, 3, 0}}, bias{{0, 0, -1}};
    const Matrix products = *value(own, Role::Output) * w;
    EXPECT_TRUE(close(*value(own, Role::LogitProducts), products, 1e-5));
    EXPECT_TRUE(close(*value(own, Role::Logits), products.rowwise() + bias.row(0), 1e-5));
    EXPECT_EQ(value(own, Role::Vocabulary), nullptr) << "nothing reads the words' vectors";
}

TEST(Unembedding, DecodersUseTheWordVectorsByDefault) {
    for (const std::string_view form : {"decoder", "generate"}) {
        const auto logits = [&](std::string_view choice) {
            const std::string source = form == "decoder" ? R"("source":"",)" R"("X_source":[[1,0]],)" : R"("generate":2,)";
            const attn::Run run = run_valid(document_of(R"({"variant":")" + std::string(form) + "\"," + source + std::string(kWords) + std::string(choice) + "}"));
            return *value(run, Role::Logits, form == "generate" ? 1 : kNoTime);
        };
        EXPECT_TRUE(same_bits(logits(R"("layers":1)"), logits(R"("unembedding":"tied")"))) << form;
        const std::string own = form == "decoder" ? R"("unembedding":"own","parameters":{"unembedding_weight":[[1,0,2,0],[0,3,0,1]]})" : std::string(kOwn);
        EXPECT_FALSE(same_bits(logits(R"("layers":1)"), logits(own))) << form;
        EXPECT_FALSE(same_bits(logits(R"("layers":1)"), logits(form == "decoder" ? R"("parameters":{"unembedding_bias":[[1,0,0,0]]})" : R"("parameters":{"unembedding_bias":[[1,0,0]]})"))) << form;
    }
}

TEST(Unembedding, EveryNumberIsExplainedAndCounted) {
    for (const std::string_view form : {"encoder", "decoder", "generate"})
        for (const std::string_view choice : {"tied", "own"}) {
            Document doc;
            doc.text = "the cat sat";
            doc.weights = "random";
            doc.config.form = form;
            doc.config.unembedding = choice;
            EXPECT_EQ(anything_wrong(doc, run_valid(doc)), "") << form << " " << choice;
        }
}

TEST(Unembedding, FormsWithoutPredictionRefuseIt) {
    EXPECT_THAT(refusal_of(R"({"variant":"raw","unembedding":"own"})").message, HasSubstr("read only by the forms with blocks"));
    const std::string weight = R"("parameters":{"unembedding_weight":[[1,0,2],[0,3,0]]}})";
    EXPECT_THAT(refusal_of(R"({"variant":"encoder",)" + std::string(kWords) + weight).message, HasSubstr("no such step"));
    EXPECT_THAT(refusal_of(R"({"variant":"encoder",)" + std::string(kWords) + R"("unembedding":"own","parameters":{"unembedding_weight":[[1]]}})").message,
                HasSubstr("it is 1 × 1, but must be 2 × 3"));
}

}  // namespace
}  // namespace attn::test
