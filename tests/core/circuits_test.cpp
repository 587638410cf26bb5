// The residual stream, neurons, W_OV, W_QK and composition: compared with the circuit that was set by hand, whose
// numbers NumPy computes from whole matrices (tests/data/make_planted.py), and checked for consistency on every family
// of checkpoints.
#include "core/analysis/circuits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/prediction.h"
#include "core/analysis/residual.h"
#include "core/attention/parts/choices.h"
#include "core/document/take.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/model/model.h"
#include "tests/core/checkpoint_folder.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

constexpr double kCircuitClose = 1e-4;

struct PlantedCircuits {
    JsonValue says;
    Document document;
    attn::Run run;
};
PlantedCircuits planted_circuits() {
    const std::filesystem::path folder = ATTN_SOURCE_DIR "/tests/data/planted";
    PlantedCircuits out{*parse_json(*read_file(folder / "reference.json", 1 << 20)), {}, {}};
    out.document = *document_from_json(R"({"model": ")" + folder.string() + "\"}", "", {.folders = true});
    for (const JsonValue& token : out.says.find("tokens")->items) out.document.tokens.push_back(token.string);
    out.run = run_valid(out.document);
    return out;
}

void expect_numbers(const std::vector<double>& ours, const JsonValue* theirs, double tolerance = kCircuitClose) {
    ASSERT_TRUE(theirs);
    ASSERT_EQ(ours.size(), theirs->items.size());
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs->items[i].number, tolerance) << i;
}

TEST(ResidualStream, EqualsAnIndependentPass) {
    const PlantedCircuits p = planted_circuits();
    const auto stacks = residual_stacks(p.run);
    ASSERT_TRUE(stacks);
    ASSERT_EQ(stacks->size(), 1U);
    const auto& points = stacks->front().points;
    const auto& there = p.says.find("stream")->items;
    ASSERT_EQ(points.size(), there.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        SCOPED_TRACE(i);
        expect_numbers(points[i].norm, there[i].find("norm"));
        expect_numbers(points[i].cosine_end, there[i].find("cosine_end"));
        EXPECT_EQ(points[i].added == kNoStep, i == 0);
        if (i == 0) continue;
        EXPECT_EQ(points[i].after, i % 2 == 1 ? StreamAfter::Attention : StreamAfter::FeedForward);
        EXPECT_EQ(points[i].layer, static_cast<int>(i - 1) / 2);
        expect_numbers(points[i].cosine_before, there[i].find("cosine_before"));
        expect_numbers(points[i].added_norm, there[i].find("added_norm"));
        expect_numbers(points[i].added_cosine, there[i].find("added_cosine"), 1e-3);  // imprecise for tiny vectors
    }
}

std::vector<std::string> circuit_families() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

class CircuitsOf : public testing::TestWithParam<std::string> {};

/// Each stream begins with the inputs, has a point for each sub-layer, and ends where the final norm reads it; without
/// norms in between it is the inputs plus everything added.
TEST_P(CircuitsOf, AddedVectorsSumToTheStream) {
    const auto doc = opened(kCheckpoints / GetParam());
    ASSERT_TRUE(doc);
    const attn::Run run = run_valid(*doc);
    const auto stacks = residual_stacks(run);
    ASSERT_TRUE(stacks) << stacks.error().text();
    const bool two = has(find_form(run.config.form)->reads, Reads::Source);
    EXPECT_EQ(stacks->size(), two ? 2U : 1U);
    for (const ResidualStack& stack : *stacks) {
        const bool encoder = stack.part == Part::Encoder;
        const auto layers = static_cast<std::size_t>(encoder ? run.config.encoder_blocks() : run.config.layers);
        ASSERT_EQ(stack.points.size(), 1 + layers * (two && !encoder ? 3 : 2));
        EXPECT_EQ(stack.sum_normed, block_orders().find(run.config.block)->norm_sum);
        Eigen::MatrixXd sum = run.trace[stack.points.front().stream].value.cast<double>();
        for (const StreamPoint& point : stack.points) {
            const Eigen::MatrixXd now = run.trace[point.stream].value.cast<double>();
            if (point.added != kNoStep) sum += run.trace[point.added].value.cast<double>();
            if (!stack.sum_normed) {
                EXPECT_LT((now - sum).cwiseAbs().maxCoeff(), 1e-4 * (1 + now.cwiseAbs().maxCoeff()));
            }
            for (std::size_t row = 0; row < point.norm.size(); ++row) EXPECT_NEAR(point.norm[row], now.row(static_cast<Eigen::Index>(row)).norm(), 1e-9);
        }
        for (const double one : stack.points.back().cosine_end) EXPECT_NEAR(one, 1, 1e-12);
        const Step& read = run.trace[stack.points.back().stream];
        if (stack.sum_normed) {
            EXPECT_TRUE(read.op == Op::LayerNorm || read.op == Op::RmsNorm);
        }
    }
}

/// A layer's weight matrix in float64, with the columns of all heads.
Eigen::MatrixXd whole_weight(const attn::Run& run, Role role, int layer) { return run.trace[find_id(run.trace, {role, kNoHead, layer})].value.cast<double>(); }

/// Whatever heads share, and wherever norms are: singular values match the norms of the whole products, and every
/// composition score lies between 0 and 1.
TEST_P(CircuitsOf, HeadsHaveTheNormsOfTheirWholeProducts) {
    const auto doc = opened(kCheckpoints / GetParam());
    ASSERT_TRUE(doc);
    const attn::Run run = run_valid(*doc);
    const auto made = head_circuits(run);
    ASSERT_TRUE(made) << made.error().text();
    const int stacks = has(find_form(run.config.form)->reads, Reads::Source) ? run.config.layers + run.config.encoder_blocks() : run.config.layers;
    ASSERT_EQ(made->heads.size(), static_cast<std::size_t>(stacks * run.config.heads));
    EXPECT_EQ(made->folded.heads_per_key, run.config.heads / run.config.key_heads());
    const BlockOrder& order = *block_orders().find(run.config.block);
    for (const HeadCircuit& head : made->heads) {
        if (head.tag.part != Part::Main) continue;
        const int l = head.tag.layer, h = std::max(head.tag.head, 0), g = h * run.config.key_heads() / run.config.heads;
        const Eigen::Index one = whole_weight(run, Role::QueryWeight, l).cols() / run.config.heads;
        Eigen::MatrixXd value = whole_weight(run, Role::ValueWeight, l).middleCols(g * one, one), output = whole_weight(run, Role::OutputWeight, l).middleRows(h * one, one);
        const auto centre = [](Eigen::Index d) { return Eigen::MatrixXd(Eigen::MatrixXd::Identity(d, d) - Eigen::MatrixXd::Constant(d, d, 1.0 / static_cast<double>(d))); };
        const bool layer_norm = norms().find(run.config.norm)->centred, first = order.norm_first && !order.norm_sum;
        if (first && l >= run.config.bare_layers) {
            value = whole_weight(run, Role::NormGain, l).row(0).transpose().asDiagonal() * value;
            if (layer_norm) value = centre(value.rows()) * value;
        }
        if (order.norm_made && !order.norm_sum) output = output * whole_weight(run, Role::OuterGain, l).row(0).transpose().asDiagonal();
        if (find_id(run.trace, {Role::LayerScale, kNoHead, l}) != kNoStep) output = output * whole_weight(run, Role::LayerScale, l).row(0).transpose().asDiagonal();
        if (first && layer_norm) output = output * centre(output.cols());
        const double norm = (value * output).norm();
        EXPECT_NEAR(head.ov_norm(), norm, 1e-6 * (1 + norm)) << l << h;
        EXPECT_TRUE(std::is_sorted(head.ov.rbegin(), head.ov.rend()));
        EXPECT_EQ(head.qk.size(), static_cast<std::size_t>(one));
        EXPECT_EQ(std::isnan(head.copying), !made->words);
        if (made->words) {
            EXPECT_LE(std::abs(head.copying), 1 + 1e-6);
        }
    }
    const Compositions all = compositions(run);
    ASSERT_EQ(all.heads.size(), made->heads.size());
    int pairs = 0;
    for (const Eigen::MatrixXf& scores : all.scores)
        for (Eigen::Index r = 0; r < scores.rows(); ++r)
            for (Eigen::Index w = 0; w < scores.cols(); ++w) {
                const Tag reader = all.heads[static_cast<std::size_t>(r)], writer = all.heads[static_cast<std::size_t>(w)];
                EXPECT_EQ(std::isfinite(scores(r, w)), reader.part == writer.part && writer.layer < reader.layer);
                if (!std::isfinite(scores(r, w))) continue;
                ++pairs;
                EXPECT_GT(scores(r, w), 0);
                EXPECT_LE(scores(r, w), 1 + 1e-5);
            }
    EXPECT_GT(pairs, 0);
    // A head analysed alone has the same numbers as among all.
    const Tag& head = all.heads.back();
    const Compositions alone = compositions(run, head);
    const auto at = static_cast<Eigen::Index>(all.heads.size()) - 1;
    for (std::size_t by = 0; by < all.scores.size(); ++by)
        for (Eigen::Index w = 0; w < at; ++w) {
            if (std::isfinite(all.scores[by](at, w))) {
                EXPECT_EQ(alone.scores[by](at, w), all.scores[by](at, w));
            }
            for (Eigen::Index r = 0; r < at; ++r) EXPECT_FALSE(std::isfinite(alone.scores[by](r, w)));
        }
}

INSTANTIATE_TEST_SUITE_P(All, CircuitsOf, testing::ValuesIn(circuit_families()), [](const auto& one) {
    std::string name = one.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(Circuits, AreThoseOfWholeMatrices) {
    const PlantedCircuits p = planted_circuits();
    const JsonValue& there = *p.says.find("circuits");
    const auto made = head_circuits(p.run);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->words);
    const auto& heads = there.find("heads")->items;
    ASSERT_EQ(made->heads.size(), heads.size());
    std::vector<int> words(p.document.model->words.size());
    std::iota(words.begin(), words.end(), 0);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        SCOPED_TRACE(i);
        const HeadCircuit& head = made->heads[i];
        EXPECT_EQ(head.tag.layer + 1, heads[i].find("layer")->integer);
        EXPECT_EQ(head.tag.head + 1, heads[i].find("head")->integer);
        expect_numbers(head.ov, heads[i].find("ov"));
        expect_numbers(head.qk, heads[i].find("qk"));
        EXPECT_NEAR(head.copying, heads[i].find("copying")->number, kCircuitClose);
        const std::vector<WordRow> moved = moved_words(p.run, head.tag, words, 3);
        ASSERT_EQ(moved.size(), words.size());
        for (std::size_t w = 0; w < moved.size(); ++w) {
            EXPECT_NEAR(moved[w].itself, heads[i].find("itself")->items[w].number, kCircuitClose);
            EXPECT_EQ(moved[w].says.most.front().id, heads[i].find("says")->items[w].integer);
            EXPECT_EQ(moved[w].rank == 1, moved[w].says.most.front().id == static_cast<int>(w));
            ASSERT_EQ(moved[w].says.least.size(), 3U);
            EXPECT_LE(moved[w].says.least[0].value, moved[w].says.least[1].value);
        }
    }
    // The induction head copies: it raises most the logit of the token that it attends to.
    const HeadCircuit& induction = made->heads[6];
    EXPECT_GT(induction.copying, 0.999);
    for (const WordRow& one : moved_words(p.run, induction.tag, words, 1)) EXPECT_EQ(one.rank, 1);
    EXPECT_TRUE(made->folded.gain && made->folded.centred && made->folded.biased);
    EXPECT_FALSE(made->folded.rotary || made->folded.outer_gain || made->folded.sum_normed || made->folded.cross);
}

/// The head that attends to the previous token is read by the keys of the induction head, and no other pair stands out.
/// BART's embeddings reach the heads through a norm of their own: its γ, and the mean it takes off, belong to W_E.
TEST(Circuits, TheNormOfTheInputsIsInTheEmbedding) {
    const auto doc = opened(kCheckpoints / "bart");
    ASSERT_TRUE(doc) << doc.error().text();
    const attn::Run run = run_valid(*doc);
    const auto made = head_circuits(run);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_TRUE(made->folded.input_gain);
    EXPECT_TRUE(made->folded.sum_normed);
    const auto whole = [&](const char* name) { return Eigen::MatrixXd(run.trace[find_step(run.trace, name)].value.matrix().cast<double>()); };
    const Eigen::MatrixXd e = Matrix(doc->model->word_vectors()).cast<double>();
    const Eigen::MatrixXd read = (e.colwise() - e.rowwise().mean()) * whole("norm_gain").row(0).asDiagonal();
    const Eigen::MatrixXd says = e.transpose().colwise() - e.colwise().mean().transpose();
    const int one = static_cast<int>(e.cols()) / run.config.heads;
    int checked = 0;
    for (const HeadCircuit& head : made->heads) {
        if (head.tag.part != Part::Main) continue;
        const std::string layer = "l" + std::to_string(head.tag.layer + 1) + ".";
        const Eigen::MatrixXd ov = whole((layer + "value_weight").c_str()).middleCols(head.tag.head * one, one) * whole((layer + "output_weight").c_str()).middleRows(head.tag.head * one, one);
        const Eigen::VectorXcd own = (read * ov * says).eigenvalues();
        EXPECT_NEAR(head.copying, own.real().sum() / own.cwiseAbs().sum(), 1e-4) << layer << head.tag.head;
        ++checked;
    }
    EXPECT_EQ(checked, 4);
}

/// What is computed for one head is what is computed for all.
TEST(Circuits, OfOneHeadAreThoseOfAll) {
    for (const char* family : {"gpt2", "llama", "gemma2", "bart", "bert", "t5"}) {
        const auto doc = opened(kCheckpoints / family);
        ASSERT_TRUE(doc) << doc.error().text();
        const attn::Run run = run_valid(*doc);
        const auto all = head_circuits(run);
        ASSERT_TRUE(all);
        const std::vector<Tag> tags = circuit_heads(run);
        ASSERT_EQ(tags.size(), all->heads.size());
        for (std::size_t i = 0; i < tags.size(); ++i) {
            SCOPED_TRACE(family + (" " + step_name(tags[i])));
            EXPECT_EQ(tags[i], all->heads[i].tag);
            const auto one = head_circuit(run, tags[i]);
            ASSERT_TRUE(one);
            EXPECT_EQ(one->heads.front().ov, all->heads[i].ov);
            EXPECT_EQ(one->heads.front().qk, all->heads[i].qk);
            EXPECT_EQ(one->words, all->words);
            EXPECT_TRUE(std::isnan(one->heads.front().copying));
            const double copying = copying_score(run, tags[i]);
            if (std::isnan(all->heads[i].copying))
                EXPECT_TRUE(std::isnan(copying));
            else
                EXPECT_NEAR(copying, all->heads[i].copying, 1e-4);
        }
    }
}

/// Rows of W_E W_QK W_Eᵀ against the product of the stored matrices: the head for earlier copies of its own token looks for
/// the token itself, and no other head of the circuit does by word vectors alone.
TEST(Circuits, AHeadLooksForTheTokensThatItsWeightsSay) {
    const PlantedCircuits p = planted_circuits();
    const auto whole = [&](const char* name) { return Eigen::MatrixXd(p.run.trace[find_step(p.run.trace, name)].value.matrix().cast<double>()); };
    const Eigen::MatrixXd e = Matrix(p.document.model->word_vectors()).cast<double>();
    std::vector<int> words(p.document.model->words.size());
    std::iota(words.begin(), words.end(), 0);
    for (const Tag& tag : circuit_heads(p.run)) {
        SCOPED_TRACE(step_name(tag));
        const std::string layer = "l" + std::to_string(tag.layer + 1) + ".";
        const Eigen::MatrixXd read = (e.colwise() - Eigen::VectorXd(e.rowwise().mean())) * whole((layer + "norm_gain").c_str()).row(0).asDiagonal();
        const Eigen::Index one = e.cols() / p.run.config.heads;
        Eigen::MatrixXd scores = read * whole((layer + "query_weight").c_str()).middleCols(tag.head * one, one) * whole((layer + "key_weight").c_str()).middleCols(tag.head * one, one).transpose() * read.transpose();
        scores.colwise() -= Eigen::VectorXd(scores.rowwise().mean());
        const std::vector<WordRow> rows = sought_words(p.run, tag, words, 2);
        ASSERT_EQ(rows.size(), words.size());
        for (std::size_t w = 0; w < rows.size(); ++w) {
            const auto at = static_cast<Eigen::Index>(w);
            EXPECT_NEAR(rows[w].itself, scores(at, at), 1e-4);
            EXPECT_NEAR(rows[w].says.most.front().value, scores.row(at).maxCoeff(), 1e-4);
            EXPECT_NEAR(rows[w].says.least.front().value, scores.row(at).minCoeff(), 1e-4);
            EXPECT_TRUE(step_name(tag) != "l1.weights.h4" || rows[w].rank == 1);
        }
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(std::isnan(copying_score(p.run, circuit_heads(p.run).front(), stop.get_token())));
    EXPECT_TRUE(sought_words(p.run, circuit_heads(p.run).front(), {}, 2).empty());
}

TEST(Circuits, CompositionFindsThePlantedPairAlone) {
    const PlantedCircuits p = planted_circuits();
    const JsonValue& there = *p.says.find("circuits");
    const Compositions made = compositions(p.run);
    const auto index = [&](const JsonValue& place) {
        const Tag tag{Role::Weights, static_cast<int>(place.items[1].integer) - 1, static_cast<int>(place.items[0].integer) - 1};
        return std::find(made.heads.begin(), made.heads.end(), tag) - made.heads.begin();
    };
    std::vector<std::string> found;
    for (const JsonValue& pair : there.find("pairs")->items) {
        const Eigen::Index r = index(*pair.find("reader")), w = index(*pair.find("writer"));
        for (std::size_t by = 0; by < kComposes.size(); ++by) {
            const double score = static_cast<double>(made.scores[by](r, w));
            EXPECT_NEAR(score, pair.find(kComposes[by])->number, kCircuitClose) << r << w << kComposes[by];
            if (score > 1.5 * made.chance)
                found.push_back(std::string(kComposes[by]) + " " + step_name(made.heads[static_cast<std::size_t>(w)]) + " " + step_name(made.heads[static_cast<std::size_t>(r)]));
        }
    }
    EXPECT_THAT(found, testing::ElementsAre("k l1.weights.h2 l2.weights.h3"));
    EXPECT_NEAR(made.chance, 1 / std::sqrt(47.0), 1e-12);
    EXPECT_NEAR(made.chance, there.find("by_chance")->number, 0.02 * made.chance);
}

/// A neuron's contribution is that of the independent pass, and the neurons of a layer sum to the layer's.
TEST(Neurons, SumToTheirLayerAndAreThoseOfAnIndependentPass) {
    const PlantedCircuits p = planted_circuits();
    const auto made = attribute(p.run, {.row = static_cast<int>(p.says.find("position")->integer) - 1, .target = *p.document.model->row_of(p.says.find("target")->string)}, true);
    ASSERT_TRUE(made);
    int layers = 0;
    for (const JsonValue& there : p.says.find("of_target")->find("parts")->items) {
        if (there.find("part")->string != "mlp") continue;
        ++layers;
        const auto part = std::find_if(made->parts.begin(), made->parts.end(), [&](const Contribution& one) { return one.what == Contributor::FeedForward && one.layer + 1 == there.find("layer")->integer; });
        ASSERT_NE(part, made->parts.end());
        expect_numbers(part->neurons, there.find("neurons"), 1e-5);
        EXPECT_NEAR(std::accumulate(part->neurons.begin(), part->neurons.end(), 0.0), part->value, 1e-6);
    }
    EXPECT_EQ(layers, 2);
    const std::vector<Neuron> top = top_neurons(p.run.trace, *made, 5);
    ASSERT_EQ(top.size(), 5U);
    for (std::size_t i = 1; i < top.size(); ++i) EXPECT_GE(std::abs(top[i - 1].value), std::abs(top[i].value));
    const auto says = neuron_words(p.run, top, 2);
    ASSERT_EQ(says.size(), 5U);
    for (std::size_t i = 0; i < top.size(); ++i) {
        EXPECT_EQ(static_cast<double>(p.run.trace[p.run.trace[top[i].step].inputs[0]].value(made->of.row, top[i].index)), top[i].activation);
        EXPECT_GT(says[i].most.front().value, 0);
        EXPECT_LT(says[i].least.front().value, 0);
    }
    EXPECT_TRUE(top_neurons(p.run.trace, *made, 0).empty());
}

/// Generating runs once for each word: the stream is that of the first run, which has all tokens of the text, and the
/// row of a logit is not a row of the layers.
TEST(ResidualStream, OfAGeneratedTextIsThatOfTheFirstRun) {
    Document doc;
    take_model(doc, shipped_model("induction"));
    doc.config.generate = 3;
    const attn::Run run = run_valid(doc);
    const auto stacks = residual_stacks(run);
    ASSERT_TRUE(stacks);
    ASSERT_EQ(stacks->size(), 1U);
    const auto rows = run.trace[stacks->front().points.front().stream].value.rows();
    EXPECT_GT(rows, 1);
    for (const StreamPoint& point : stacks->front().points) EXPECT_EQ(std::ssize(point.norm), rows);
    EXPECT_LE(stacks->front().points.size(), 5U);
    const attn::Run once = run_valid(for_prediction(doc));
    const auto made = attribute(once, {.row = 0, .target = 1}, true);
    ASSERT_TRUE(made) << made.error().text();
    const std::vector<Neuron> top = top_neurons(once.trace, *made, 3);
    for (const Neuron& one : top) {
        const Step& down = once.trace[one.step];
        const auto part = std::find_if(made->parts.begin(), made->parts.end(), [&](const Contribution& c) { return c.step == one.step; });
        ASSERT_NE(part, made->parts.end());
        EXPECT_EQ(part->row, down.value.rows() - 1);
        EXPECT_EQ(one.activation, static_cast<double>(once.trace[down.inputs[0]].value(down.value.rows() - 1, one.index)));
    }
}

TEST(Circuits, FormsWithoutCircuitsAreRefused) {
    Document doc;
    doc.tokens = {"a", "b"};
    for (const auto& made : {head_circuits(run_valid(doc))}) EXPECT_THAT(made.error().text(), HasSubstr("the form has no blocks"));
    EXPECT_THAT(residual_stacks(run_valid(doc)).error().text(), HasSubstr("the form has no blocks"));
    doc.config.form = "encoder";
    doc.config.layers = 2;
    int others = 0;
    for (const std::string_view id : {"additive", "general", "cosine", "concat"}) {
        doc.config.score = id;
        const auto other = attn::run(doc);
        if (!other) continue;  // a score that blocks do not support
        ++others;
        const auto made = head_circuits(*other);
        ASSERT_FALSE(made) << id;
        EXPECT_THAT(made.error().text(), HasSubstr("no product of queries and keys")) << id;
        EXPECT_TRUE(residual_stacks(*other)) << id;
    }
    EXPECT_GE(others, 2);
}

}  // namespace
}  // namespace attn::test
