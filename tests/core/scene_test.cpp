// The scene: the same for the same seed, complete, and computed like any other source.
#include "core/document/scene.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

Document scene_document() {
    Document doc;
    doc.text = "the cat under the sun";
    doc.config.form = "cross";
    doc.source_kind = "scene";
    return doc;
}

TEST(Scene, EveryThingHasAWordOfTheTableAndARegion) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 99u}) {
        const Scene scene = make_scene(seed);
        const Matrix shares = scene_shares(scene);
        ASSERT_EQ(shares.rows(), kSceneRegions);
        ASSERT_EQ(shares.cols(), static_cast<Eigen::Index>(scene.things.size()));
        Document doc = scene_document();
        doc.scene_seed = seed;
        for (const Source source : run_valid(doc).inputs.thing_sources) EXPECT_EQ(source, Source::Meaning);
        for (std::size_t i = 0; i < scene.things.size(); ++i) {
            EXPECT_GT(shares.col(static_cast<Eigen::Index>(i)).maxCoeff(), 0.02f) << scene.things[i].word << " " << seed;
        }
        for (int r = 0; r < kSceneRegions; ++r) EXPECT_EQ(shares.row(r).sum(), 1.0f) << region_name(r);
    }
}

TEST(Scene, SeedsMoveTheThings) {
    EXPECT_TRUE(same_bits(scene_shares(make_scene(4)), scene_shares(make_scene(4))));
    EXPECT_FALSE(same_bits(scene_shares(make_scene(4)), scene_shares(make_scene(5))));
    std::set<std::string> names;
    for (int r = 0; r < kSceneRegions; ++r) names.insert(region_name(r));
    EXPECT_EQ(static_cast<int>(names.size()), kSceneRegions);
}

TEST(Scene, ARegionIsTheMixtureOfItsThings) {
    for (const std::string_view vectors : {"meaning", "one_hot", "random"}) {
        Document doc = scene_document();
        doc.vectors = vectors;
        const attn::Run run = run_valid(doc);
        EXPECT_EQ(anything_wrong(doc, run), "");
        EXPECT_EQ(cost_is_exact(run, doc), "");
        EXPECT_EQ(find(run.trace, {Role::Weights})->value.cols(), kSceneRegions);
        EXPECT_TRUE(same_bits(find(run.trace, {Role::Embeddings, kNoHead, kNoLayer, kNoTime, Part::Source})->value,
                              run.inputs.source_x));
    }
}

/// "cat" attends most to a region that shows part of the cat.
TEST(Scene, AWordAttendsToItsThing) {
    for (const std::string_view word : {"cat", "girl", "ball", "house"}) {
        Document doc = scene_document();
        doc.text = word;
        const attn::Run run = run_valid(doc);
        const auto thing = std::find(run.trace.things.begin(), run.trace.things.end(), word) - run.trace.things.begin();
        Eigen::Index looked = 0;
        find(run.trace, {Role::Weights})->value.row(0).maxCoeff(&looked);
        EXPECT_GT(run.inputs.region_shares(looked, thing), 0.1f) << word << " looks at " << region_name(static_cast<int>(looked));
    }
}

TEST(Scene, GivenVectorsAndPaddingAreRefused) {
    Document doc = scene_document();
    doc.padding = 1;
    EXPECT_EQ(problems(doc).at(0).key, "padding");
    doc.padding = 0;
    doc.given[static_cast<std::size_t>(Given::X_source)] = Matrix::Ones(12, 8);
    EXPECT_EQ(problems(doc).at(0).key, "X_source");
}

}  // namespace
}  // namespace attn::test
