// Cards to choose from: what they say, and that their pictures are what they open.

#include "app/state/gallery.h"

#include <gtest/gtest.h>

#include "app/state/edits.h"
#include "core/attention.h"
#include "core/model/model.h"

namespace app {
namespace {

std::vector<GalleryCard> cards(Gallery which, Language language = Language::English, const attn::Document& now = {}) {
    return make_gallery(which, now, language, attn::Convention::Rows, {});
}

TEST(Gallery, ExamplesStandByLevelTheUsersLanguageFirst) {
    for (const Language language : {Language::English, Language::Chinese}) {
        const auto all = cards(Gallery::Examples, language);
        ASSERT_EQ(all.size(), example_documents().size());
        EXPECT_EQ(example_document(all.front().id).language, language);
        for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(*all[i - 1].level, *all[i].level);
    }
}

TEST(Gallery, APictureIsTheWeightsOfARun) {
    for (const GalleryCard& card : cards(Gallery::Examples)) {
        const attn::Document& document = example_document(card.id).document;
        SCOPED_TRACE(card.id);
        EXPECT_FALSE(card.says.empty());
        if (document.config.variant == "online") {
            EXPECT_EQ(card.picture.size(), 0) << "this form never holds weights";
            continue;
        }
        ASSERT_GT(card.picture.size(), 0);
        const auto run = attn::run(document);
        ASSERT_TRUE(run);
        const attn::Matrix& picture = card.picture;
        const auto is_it = [&](const attn::Step& step) {
            const attn::Matrix& v = step.value;
            return v.rows() >= picture.rows() && v.cols() >= picture.cols() &&
                   v.topLeftCorner(picture.rows(), picture.cols()) == picture;
        };
        if (document.config.variant == "generate" || document.config.variant == "bahdanau") continue;  // a row a step
        EXPECT_TRUE(std::any_of(run->trace.steps.begin(), run->trace.steps.end(), is_it));
    }
}

TEST(Gallery, EveryFormHasASentenceAndItsFormula) {
    for (const Language language : {Language::English, Language::Chinese}) {
        const auto all = cards(Gallery::Forms, language);
        ASSERT_EQ(all.size(), attn::variants().size());
        for (const GalleryCard& card : all) {
            EXPECT_FALSE(card.says.empty()) << card.id;
            EXPECT_FALSE(card.formula.empty()) << card.id;
        }
        EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const GalleryCard& c) { return c.chosen; }), 1);
    }
}

TEST(Gallery, ModelsBeginWithNoneAndTheOneOfTheOpening) {
    attn::Document now = opening_document(Language::English);
    const auto all = cards(Gallery::Models, Language::English, now);
    ASSERT_EQ(all.size(), attn::shipped_ids().size() + 1);
    EXPECT_TRUE(all[0].id.empty());
    EXPECT_EQ(all[1].id, now.model->name);
    EXPECT_TRUE(all[1].chosen);
    for (const GalleryCard& card : all) EXPECT_GT(card.picture.size(), 0) << card.id;
}

TEST(Gallery, IsLeftWhenNobodyWantsItAnyMore) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(make_gallery(Gallery::Examples, {}, Language::English, attn::Convention::Rows, stop.get_token()).empty());
}

}  // namespace
}  // namespace app
