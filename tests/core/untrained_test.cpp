// A model as it was before training, recomputed from the record of its training.

#include "core/train/untrained.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/train/tasks.h"
#include "tests/core/support.h"

namespace {

using namespace attn;

class Untrained : public testing::TestWithParam<std::string_view> {};

TEST_P(Untrained, IsTheModelBeforeTheFirstStep) {
    const ModelPtr trained = shipped_model(GetParam());
    const auto before = find_model(std::string(GetParam()) + "@0", {});
    ASSERT_TRUE(before) << before.error().text();
    EXPECT_EQ((*before)->name, std::string(GetParam()) + "@0");
    EXPECT_EQ((*before)->words, trained->words);
    EXPECT_EQ((*before)->settings.size(), trained->settings.size());
    EXPECT_TRUE((*before)->measured.empty()) << "what was measured is the trained one's";
    ASSERT_TRUE((*before)->training);
    EXPECT_EQ((*before)->training->steps, 0);
    const train::Task& task = *train::task_of(*trained);
    const auto course = task.course(train::complete(task, train::options_of(task, *trained)));
    const auto weights = task.weights(**before), learned = task.weights(*trained);
    ASSERT_TRUE(weights && learned);
    ASSERT_FALSE(weights->empty());
    ASSERT_EQ(weights->size(), learned->size());
    float moved = 0;
    for (std::size_t i = 0; i < weights->size(); ++i) {  // a course may have weights that no model needs
        const auto drawn = std::find_if(course.weights.begin(), course.weights.end(),
                                        [&](const train::Weight& w) { return w.name == (*weights)[i].name; });
        ASSERT_NE(drawn, course.weights.end()) << (*weights)[i].name;
        EXPECT_TRUE(test::same_bits((*weights)[i].value, drawn->value)) << drawn->name;
        moved = std::max(moved, ((*weights)[i].value - (*learned)[i].value).cwiseAbs().maxCoeff());
    }
    EXPECT_GT(moved, 0.1f) << "training has moved nothing";
    EXPECT_EQ(*find_model(std::string(GetParam()) + "@0", {}), *before) << "it is made once";
}

/// All shipped models whose course can be reproduced here; the language model needs texts of other packages
/// (language_test.cpp has its own test).
std::vector<std::string_view> ids_with_a_course() {
    std::vector<std::string_view> out = shipped_ids();
    std::erase(out, "language");
    return out;
}

INSTANTIATE_TEST_SUITE_P(Shipped, Untrained, testing::ValuesIn(ids_with_a_course()),
                         [](const auto& model) { return std::string(model.param); });

TEST(UntrainedModel, OfAMissingModelIsRefused) {
    const auto none = find_model("nothing@0", {});
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().text().find("nothing@0"), std::string::npos) << none.error().text();
    Model other;
    other.name = "mine";
    const auto unrecorded = train::untrained(other);
    ASSERT_FALSE(unrecorded);
    EXPECT_NE(unrecorded.error().text().find("\"mine\" records no training"), std::string::npos);
}

}  // namespace
