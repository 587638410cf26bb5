// Cards to choose from: their texts, and that their pictures show what they open.

#include "app/state/gallery.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/state/own_models.h"
#include "app/state/edits.h"
#include "core/attention/forms/attention.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace app {
namespace {

std::vector<GalleryCard> cards(Gallery which, Language language = Language::English, const attn::Document& now = {}) {
    return make_gallery(which, now, language, attn::Convention::Rows, {});
}

TEST(Gallery, ExamplesAreSortedByLevelAndLanguage) {
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
        if (document.config.form == "online") {
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
        if (document.config.form == "generate" || document.config.form == "bahdanau") continue;  // a row per step
        EXPECT_TRUE(std::any_of(run->trace.steps.begin(), run->trace.steps.end(), is_it));
    }
}

TEST(Gallery, EveryFormHasASentenceAndItsFormula) {
    for (const Language language : {Language::English, Language::Chinese}) {
        const auto all = cards(Gallery::Forms, language);
        ASSERT_EQ(all.size(), attn::forms().size());
        for (const GalleryCard& card : all) {
            EXPECT_FALSE(card.says.empty()) << card.id;
            EXPECT_FALSE(card.formula.empty()) << card.id;
        }
        EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const GalleryCard& c) { return c.chosen; }), 1);
    }
}

TEST(Gallery, ModelsStartWithNoneAndTheOpenings) {
    attn::Document now = opening_document(Language::English);
    const auto all = cards(Gallery::Models, Language::English, now);
    ASSERT_EQ(all.size(), attn::shipped_ids().size() + 1);
    EXPECT_TRUE(all[0].id.empty());
    EXPECT_EQ(all[1].id, now.model->name);
    EXPECT_TRUE(all[1].chosen);
    for (const GalleryCard& card : all) EXPECT_GT(card.picture.size(), 0) << card.id;
}

/// A model that was trained in the window stays among the models when another one is chosen, and after a restart.
TEST(Gallery, TrainedModelsAreListedByTheirDescription) {
    const auto folder = std::filesystem::temp_directory_path() / "attenscope_gallery_test";
    std::filesystem::remove_all(folder);
    const auto trained = [&](std::int64_t steps, std::string variation) {
        const attn::train::Task& task = *attn::train::find_task("copy");
        TakenSnapshot taken;
        taken.task = &task;
        taken.options = attn::train::complete(task, {.seed = 3, .size = "", .figures = false, .variation = std::move(variation)});
        taken.step = steps;
        taken.weights = std::make_shared<const std::vector<attn::train::Weight>>(task.course(taken.options).weights);
        const auto kept = save_snapshot(taken, folder);
        EXPECT_TRUE(kept) << kept.error().text();
        return *kept;
    };
    const attn::ModelPtr plain = trained(7, "");
    std::filesystem::last_write_time(plain->name + "/config.json", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const attn::ModelPtr varied = trained(8, "no_position");
    std::filesystem::create_directories(folder / "damaged");
    std::ofstream(folder / "damaged" / "config.json") << "{";
    std::filesystem::last_write_time(folder / "damaged" / "config.json", std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    const attn::Document now = opening_document(Language::English);
    const auto all = make_gallery(Gallery::Models, now, Language::English, attn::Convention::Rows, {}, folder);
    const std::size_t shipped = attn::shipped_ids().size() + 1;
    ASSERT_EQ(all.size(), shipped + 3);
    EXPECT_EQ(all[shipped].title, "Copying, without position, 8 steps, seed 3");
    EXPECT_EQ(all[shipped].model->fingerprint, varied->fingerprint);
    EXPECT_EQ(all[shipped + 1].title, "Copying, 7 steps, seed 3");
    EXPECT_GT(all[shipped + 1].picture.size(), 0);
    EXPECT_EQ(all[shipped + 2].title, "damaged");
    EXPECT_NE(all[shipped + 2].refused.find("damaged"), std::string::npos) << all[shipped + 2].refused;
    // The document's own model has one card, the first after "none".
    attn::Document with = now;
    use_model(with, plain, Language::English);
    const auto chosen = make_gallery(Gallery::Models, with, Language::Chinese, attn::Convention::Rows, {}, folder);
    ASSERT_EQ(chosen.size(), all.size());
    EXPECT_TRUE(chosen[1].chosen);
    EXPECT_EQ(chosen[1].model->fingerprint, plain->fingerprint);
    EXPECT_NE(chosen[1].title.find("种子 3"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(Gallery, IsCancelledWhenNotNeeded) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(make_gallery(Gallery::Examples, {}, Language::English, attn::Convention::Rows, stop.get_token()).empty());
}

}  // namespace
}  // namespace app
