// The experiments' pages: their text is legible, in three themes, both languages and three sizes.

#include <fmt/format.h>

#include "app/frame/view.h"
#include "app/screens/experiments/look.h"
#include "app/state/examples.h"
#include "tests/frames/frame_stage.h"
#include "tests/frames/label_check.h"

namespace frames {
namespace {

struct ExperimentCase {
    std::string_view page, example;
};
void PrintTo(const ExperimentCase& one, std::ostream* out) { *out << one.page; }

constexpr ExperimentCase kPages[] = {{"scaling", "cat"},    {"position", "rotary"}, {"draws", "hard"}, {"scene", "scene"},
                              {"cache", "generate"}, {"cost", "encoder"},    {"paths", "heads"}};
constexpr app::Size kSizes[] = {{1280, 800}, {1920, 1080}, {1024, 768}};
constexpr std::size_t kListed = 8;

const app::Example& example_of(std::string_view id) {
    for (const app::Example& one : app::example_documents())
        if (one.id == id) return one;
    ADD_FAILURE() << "no example " << id;
    return app::example_documents().front();
}

/// Only the page: the lists on the left scroll, and other tests check them.
std::vector<app::LabelRect> on_the_page(std::vector<app::LabelRect> labels, app::Size size, std::string_view theme) {
    const app::Rect left = app::place_rect(app::Place::Left, {0, 0, size.w, size.h}, app::theme_named(theme));
    std::erase_if(labels, [&](const app::LabelRect& l) { return left.contains(l.rect.center()); });
    return labels;
}

class ExperimentTest : public FrameStage, public ::testing::WithParamInterface<ExperimentCase> {
protected:
    void show_page(std::string_view theme, app::Language language,
                   attn::Convention convention = attn::Convention::Rows) {
        program().apply(app::becomes(example_of(GetParam().example).document));
        app::ViewState view = program().state().view;
        view.screen = app::Screen::Experiments;
        view.part<app::ExperimentsLook>().page = GetParam().page;
        view.theme = theme;
        view.language = language;
        view.convention = convention;
        program().apply(app::becomes(view));
    }
};

TEST_P(ExperimentTest, NothingOverlapsAndNothingIsCut) {
    for (const std::string_view theme : {"light", "dark", "projector"})
        for (const app::Language language : {app::Language::English, app::Language::Chinese})
            for (const attn::Convention convention : {attn::Convention::Rows, attn::Convention::Columns})
                for (const app::Size size : kSizes) {
                    show_page(theme, language, convention);
                    std::string listed;
                    const auto faults = label_faults(on_the_page(labels(size), size, theme), size, {});
                    for (std::size_t i = 0; i < std::min(faults.size(), kListed); ++i) listed += "\n  " + faults[i].text();
                    EXPECT_EQ(listed, "") << fmt::format("{}, {}, {}, {}, {:.0f}x{:.0f}", GetParam().page, theme,
                                                       language_id(language), convention_id(convention), size.w,
                                                       size.h);
                }
}

class SceneTest : public FrameStage {};

/// Each word has two pictures side by side: how probable each region is, and which region was drawn.
TEST_F(SceneTest, SoftAndHardAreSideBySide) {
    for (const app::Language language : {app::Language::English, app::Language::Chinese})
        for (const std::string_view selection : {"hard", "soft"}) {
            attn::Document document = example_of("scene").document;
            document.config.selection = selection;
            program().apply(app::becomes(document));
            app::ViewState view = program().state().view;
            view.screen = app::Screen::Experiments;
            view.part<app::ExperimentsLook>().page = "scene";
            view.language = language;
            program().apply(app::becomes(view));
            const std::string hard = std::string(app::tr(app::Str::id_hard, language)) + " · " + std::string(app::tr(app::Str::scene_drawn, language));
            std::vector<app::Rect> drawn, mixed;
            for (const app::LabelRect& label : on_the_page(labels({1280, 800}), {1280, 800}, "light")) {
                if (label.text == hard || label.text == app::tr(app::Str::id_hard, language)) drawn.push_back(label.rect);
                if (label.text == app::tr(app::Str::id_soft, language)) mixed.push_back(label.rect);
            }
            ASSERT_EQ(drawn.size(), mixed.size()) << selection;
            EXPECT_EQ(drawn.size() > 2, selection == "hard");
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                EXPECT_NEAR(drawn[i].y, mixed[i].y, 1) << "in one line";
                EXPECT_GT(drawn[i].x, mixed[i].x);
            }
        }
}

TEST_P(ExperimentTest, TheSamePageIsTheSamePicture) {
    show_page("light", app::Language::English);
    const app::gfx::Image first = render({640, 480});
    reopen();
    show_page("light", app::Language::English);
    EXPECT_TRUE(first == render({640, 480}));
}

INSTANTIATE_TEST_SUITE_P(Experiments, ExperimentTest, ::testing::ValuesIn(kPages),
                         [](const auto& row) { return std::string(row.param.page); });

}  // namespace
}  // namespace frames
