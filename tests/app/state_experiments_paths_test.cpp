// The experiments' page of paths: it shows the numbers of the small networks, for the chosen tokens and settings.
#include "app/screens/experiments/paths.h"

#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/chapters/do.h"
#include "app/explain/describe.h"
#include "app/screens/experiments/experiments.h"
#include "app/state/settings.h"

namespace app {
namespace {

using attn::PathKind;

attn::Document text(std::string words) {
    attn::Document doc;
    attn::choose_form(doc, "raw");
    doc.text = std::move(words);
    return doc;
}
constexpr const char* kAnimal = "the animal didn't cross the street because it was too tired";

PathsExperiment paths_of(const attn::Document& doc, const PathsLook& look = {}) {
    const auto run = attn::run(doc);
    EXPECT_TRUE(run.ok());
    ExperimentData data;
    ExperimentInput in{"paths", *run, doc};
    in.paths = look;
    make_experiments(in, data);
    return data.paths;
}

TEST(PathsExperiment, HasTheNumbersOfTheNetworks) {
    const attn::Document doc = text(kAnimal);
    const auto run = attn::run(doc);
    PathsLook look;
    look.dials = {5, true, 2, 0.7f};
    look.from = 3;
    look.to = 9;
    const PathsExperiment data = paths_of(doc, look);
    EXPECT_EQ(data.n, 11);
    EXPECT_EQ(data.steps, (std::array<int, 3>{6, 2, 1}));
    EXPECT_EQ(data.in_sequence, (std::array<int, 3>{11, 3, 1}));
    EXPECT_EQ(data.layers, 2);
    const attn::Real x = attn::path_vectors(run->inputs.x, doc.weight_seed);
    const attn::RecurrentChain chain = attn::make_chain(x, doc.weight_seed, static_cast<double>(0.7f));
    EXPECT_NEAR(data.arrives(PathKind::Recurrent, 3), attn::stretch_of(attn::chain_jacobian(chain, 3, 9)), 1e-12);
    EXPECT_EQ(data.arrives(PathKind::Recurrent, 10), 0) << "a later token";
    EXPECT_EQ(data.arrives(PathKind::Recurrent, 9), 1);
    EXPECT_NEAR(data.spreading[9], data.arrives(PathKind::Recurrent, 3), 1e-12);
    EXPECT_EQ(data.arrives(PathKind::Convolution, 0), 0) << "9 places away, 8 are reached";
    EXPECT_GT(data.arrives(PathKind::Convolution, 1), 0);
    EXPECT_EQ(data.field.back().size(), 10u);
    EXPECT_EQ(data.route, (std::vector<int>{9, 3, 3}));
    EXPECT_NEAR(data.arrives(PathKind::Attention, 3), attn::stretch_of(attn::attention_jacobian(x, 3, 9)), 1e-12);
    EXPECT_EQ(data.arrives(PathKind::Attention, 11), 0) << "outside the text";
}

TEST(PathsExperiment, AcceptsTextsOfEveryLength) {
    EXPECT_EQ(paths_of(text("")).n, 0);
    EXPECT_EQ(paths_of(text("cat")).n, 1);
    const PathsExperiment two = paths_of(text("tired cat"));
    EXPECT_EQ(two.steps, (std::array<int, 3>{1, 1, 1}));
    std::string many;
    for (int i = 0; i < 600; ++i) many += "cat ";
    const PathsExperiment data = paths_of(text(many));
    EXPECT_EQ(data.n, 600);
    EXPECT_EQ(data.steps, (std::array<int, 3>{599, 599, 1}));
    EXPECT_EQ(data.layers, attn::kMostPathLayers);
    EXPECT_TRUE(data.route.empty());
    PathsLook gaps;
    gaps.dials.dilated = true;
    EXPECT_EQ(paths_of(text(many), gaps).steps[1], 10);  // 2^10 > 600
    EXPECT_EQ(paths_of(text(many), gaps).route.size(), 11u);
}

TEST(PathsExperiment, TheNearerEndMoves) {
    PathsLook look;
    look = with_nearer_end(look, 10, 7);
    EXPECT_EQ(ends_of(look, 10), (std::pair{0, 7}));
    look = with_nearer_end(look, 10, 2);
    EXPECT_EQ(ends_of(look, 10), (std::pair{2, 7}));
    look = with_nearer_end(look, 10, 9);
    EXPECT_EQ(ends_of(look, 10), (std::pair{2, 9}));
    EXPECT_EQ(look.to, -1) << "the last of a longer text, too";
    EXPECT_EQ(ends_of(look, 30), (std::pair{2, 29}));
    EXPECT_EQ(ends_of(look, 2), (std::pair{1, 1})) << "the text became short";
    EXPECT_EQ(ends_of(look, 0), (std::pair{0, 0}));
    EXPECT_EQ(ends_of({{}, 5, 1, {}}, 9), (std::pair{1, 5})) << "the earlier one first";
}

TEST(PathsExperiment, ResultsAreShort) {
    EXPECT_EQ(arrives_text(0), "0");
    EXPECT_EQ(arrives_text(1), "1.00");
    EXPECT_EQ(arrives_text(0.346), "0.35");
    EXPECT_EQ(arrives_text(0.0234), "0.02");
    EXPECT_EQ(arrives_text(0.00012), "0.0001");
    EXPECT_EQ(arrives_text(0.0000012), "1e−06");
}

TEST(PathsExperiment, IsSavedWithTheView) {
    ViewState view;
    view.part<ExperimentsLook>().page = "paths";
    view.part<ExperimentsLook>().paths.dials = {7, true, 4, 1.5f};
    view.part<ExperimentsLook>().paths.from = 2;
    view.part<ExperimentsLook>().paths.to = 5;
    view.part<ExperimentsLook>().paths.only = PathKind::Convolution;
    const auto again = part_from_json(part_to_json(part_of(view, kPlace)), kPlace, "");
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->part.values.part<ExperimentsLook>().paths, view.part<ExperimentsLook>().paths);
    const auto odd =
        part_from_json(R"({"paths": {"kernel": 6, "radius": 90, "layers": -3, "only": "rnn"}})", kPlace, "");
    EXPECT_EQ(odd->part.values.part<ExperimentsLook>().paths.dials.kernel, 7);
    EXPECT_EQ(odd->part.values.part<ExperimentsLook>().paths.dials.radius, attn::kLargestRadius);
    EXPECT_EQ(odd->part.values.part<ExperimentsLook>().paths.dials.layers, 0);
    EXPECT_FALSE(odd->part.values.part<ExperimentsLook>().paths.only);
}

TEST(PathsExperiment, ChaptersReadItsNumbers) {
    const attn::Document doc = text(kAnimal);
    const auto run = attn::run(doc);
    attn::PathChoice dials;
    dials.kernel = 5;
    const ChapterContext context = page_context(doc, *run, doc, Language::English, dials);
    const auto is = [&](std::string_view condition) { return holds(condition, context); };
    EXPECT_TRUE(is(R"(path("recurrent", 1, n) = n - 1 and path("recurrent", 9, 2) = 7)"));
    EXPECT_TRUE(is(R"(path("convolution", 1, n) = 5 and path("dilated", 1, n) = 3 and path("attention", 1, n) = 1)"));
    EXPECT_TRUE(is(R"(in_sequence("recurrent") = n and in_sequence("attention") = 1)"));
    EXPECT_TRUE(is(R"(dial("kernel") = 5 and dial("layers") = 5 and dial("radius") = 0.7 and not dial("dilated"))"));
    EXPECT_TRUE(is(R"(seen(1) = n)"));
    const PathsExperiment data = paths_of(doc, {dials, 0, -1, {}});
    for (const PathKind kind : {PathKind::Recurrent, PathKind::Convolution, PathKind::Attention}) {
        const auto value = evaluate("arrives(\"" + std::string(attn::path_kind_id(kind)) + "\", 2, n)", context);
        ASSERT_TRUE(value.ok());
        EXPECT_NEAR(value->number, data.arrives(kind, 1), 1e-12);
    }
    for (const char* nothing : {R"(path("rnn", 1, 2))", R"(path("recurrent", 0, 2))", R"(path("recurrent", 1, 12))",
                                R"(arrives("attention", 1, 99))", R"(dial("colour"))", "seen(12)"}) {
        const auto value = shown_value(nothing, context);
        EXPECT_TRUE(value.ok() && value->empty()) << nothing;
    }
}

TEST(PathsExperiment, IsDescribedInWords) {
    const attn::Document doc = text(kAnimal);
    const auto run = attn::run(doc);
    const PathsExperiment data = paths_of(doc);
    for (const Language language : {Language::English, Language::Chinese}) {
        const AxisLabels labels = labels_of(run->trace, language);
        DescribeSource source{.document = doc, .trace = run->trace, .labels = labels};
        source.language = language;
        source.page = describe_paths(data, labels.tokens, language);
        const std::string said = describe_view(source);
        EXPECT_NE(said.find("tired"), std::string::npos);
        EXPECT_NE(said.find("10"), std::string::npos);
        EXPECT_NE(said.find(arrives_text(data.arrives(PathKind::Recurrent, 0))), std::string::npos);
        EXPECT_EQ(said.find('{'), std::string::npos) << said;
    }
    EXPECT_EQ(describe_paths(paths_of(text("cat")), {"cat"}, Language::English), tr(Str::paths_one, Language::English));
}

}  // namespace
}  // namespace app
