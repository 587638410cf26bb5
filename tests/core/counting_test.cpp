// How layers and heads are printed and read, counted from 0 or from 1.

#include "core/document/take.h"
#include "core/trace/counting.h"

#include <gtest/gtest.h>

#include "core/document/intervene.h"
#include "core/document/origins.h"
#include "core/model/model.h"
#include "places.h"

namespace attn {
namespace {

using enum CountFrom;

TEST(Counting, PrintedPlacesAreReadBack) {
    EXPECT_EQ(number_of(7, Zero), "7");
    EXPECT_EQ(number_of(7, One), "8");
    EXPECT_EQ(head_place_text(7, 11, Zero), "7.11");
    EXPECT_EQ(head_place_text(7, 11, One), "8.12");
    for (const CountFrom from : {Zero, One}) {
        EXPECT_EQ(find_count_from(count_from_id(from)), from);
        for (const int index : {0, 3, 143}) EXPECT_EQ(index_of(said_of(index, from), from), index);
        EXPECT_EQ(read_head_place(head_place_text(7, 11, from), from), (HeadNumbers{7, 11}));
    }
    EXPECT_EQ(find_count_from("2"), std::nullopt);
}

TEST(Counting, AHeadIsReadInEveryNotation) {
    for (const std::string_view text : {"7.11", "L7H11", "l7h11", "l7.h11", "layer 7 head 11", "Layer 7, Head 11", "block 7 · head 11", "第 7 层第 11 头", "第7层第11个头",
                                        "第 7 层头 11", "层7头11", " 7.11 "})
        EXPECT_EQ(read_head_place(text, Zero), (HeadNumbers{7, 11})) << text;
    for (const std::string_view text : {"head 11", "H11", "第 11 头", "头 11"}) EXPECT_EQ(read_head_place(text, One), (HeadNumbers{std::nullopt, 10})) << text;
    EXPECT_EQ(read_head_place("0.3", One), (HeadNumbers{-1, 2})) << "meant, and not there: never the layer that is looked at";
    for (const std::string_view text : {"", "7", "7.", ".11", "7.11.2", "7.-1", "L7", "layer 7", "head", "headline 3", "7.1x", "99999999999.1", "第 7 层"})
        EXPECT_EQ(read_head_place(text, Zero), std::nullopt) << text;
}

/// A step's name always counts from 1; the notation that counts from 0 looks different.
TEST(Counting, APrintedStepIsNeverAName) {
    const Tag weights{Role::Weights, 11, 7}, residual{Role::Residual, kNoHead, 7}, cross{Role::Weights, 1, 0, kNoTime, Part::Cross}, alone{Role::Weights, 2};
    EXPECT_EQ(said_name(weights, One), "l8.weights.h12");
    EXPECT_EQ(said_name(weights, Zero), "weights 7.11");
    EXPECT_EQ(said_name(residual, Zero), "residual 7");
    EXPECT_EQ(said_name(cross, Zero), "cross.weights 0.1");
    EXPECT_EQ(said_name(alone, Zero), "weights head 2");
    EXPECT_EQ(said_name({Role::Embeddings}, Zero), step_name({Role::Embeddings}));
    EXPECT_EQ(file_name_of(weights, Zero), "weights-7.11");
    EXPECT_EQ(file_name_of(weights, One), "l8.weights.h12");
    for (const Tag& tag : {weights, residual, cross, alone}) {
        EXPECT_EQ(read_said_name(said_name(tag, Zero), Zero), tag) << said_name(tag, Zero);
        EXPECT_FALSE(parse_step_name(said_name(tag, Zero))) << said_name(tag, Zero);
    }
    EXPECT_EQ(read_said_name("7.11", Zero), weights);
    EXPECT_EQ(read_said_name("8.12", One), weights);
    for (const std::string_view text : {"weights", "l8.weights.h12", "nose 7.11", "weights 0", "weights x", "l8.weights 7", "0.1", "65537.1", "40000.1", "1.40000", "weights 65537.1", "values 65537"}) EXPECT_EQ(read_said_name(text, One), std::nullopt) << text;
}

TEST(Counting, ACheckpointCountsAsItsPapersDo) {
    const auto planted = find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
    ASSERT_TRUE(planted);
    Document doc;
    EXPECT_EQ(usual_count(doc), One);
    for (const std::string_view id : shipped_ids()) {
        take_model(doc, shipped_model(id));
        EXPECT_EQ(usual_count(doc), One) << id;
    }
    take_model(doc, *planted);
    EXPECT_EQ(usual_count(doc), Zero);
}

TEST(Counting, APlaceIsTypedAsItIsPrinted) {
    const auto put = intervention_at("head 1.2", Zero);
    ASSERT_TRUE(put);
    EXPECT_EQ(put->layer, 1);
    EXPECT_EQ(put->head, 2);
    EXPECT_EQ(intervention_text(*put, Zero), "head 1.2");
    EXPECT_EQ(intervention_text(*put), "head 2.3");
    EXPECT_EQ(intervention_at("feed_forward 0", Zero)->layer, 0);
    EXPECT_FALSE(intervention_at("head 0.1", One));
    EXPECT_FALSE(intervention_at("head 1.0", One));
    // The residual stream's index is the number of layers passed, not a layer's number: both countings agree on it.
    for (const CountFrom from : {Zero, One}) EXPECT_EQ(intervention_text(*intervention_at("residual 2", from), from), "residual 2");
    const auto planted = find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
    ASSERT_TRUE(planted);
    Document doc;
    take_model(doc, *planted);
    doc.text = "river stone";
    EXPECT_EQ(wrong_place(doc, *put, Zero), std::nullopt);
    EXPECT_EQ(wrong_place(doc, *intervention_at("head 2.0", Zero), Zero), "there is no layer 2: there are 2, counted from 0");
    EXPECT_EQ(wrong_place(doc, *intervention_at("head 1.4", Zero), Zero), "there is no head 4: a layer has 4, counted from 0");
    EXPECT_EQ(wrong_place(doc, *intervention_at("head 3.1", One), One), "there is no layer 3: there are 2");
}

}  // namespace
}  // namespace attn
