// A chapter in the whole program: what its words highlight on the screens, and links from term to term.

#include "app/state/course.h"
#include "app/chapters/course_page.h"
#include "tests/app/app_fixture.h"
#include "app/screens/heads/look.h"

namespace app {
namespace {

class AppCourse : public AppFrame {
protected:
    void open(std::string_view chapter, std::string_view page) {
        const Chapter* found = app_->state().chapters->find(chapter);
        ASSERT_TRUE(found);
        still();
        app_->apply(CourseAction{OpenPage{std::string(chapter), found->page_index(page)}});
        app_->finish();
        frame();
    }
    void still() {
        ViewState view = app_->state().view;
        view.still = true;
        app_->apply(becomes(view));
    }
    void light(LitCells cells, Screen screen) {
        ViewState view = app_->state().view;
        view.course.lit = cells;
        view.screen = screen;
        app_->apply(becomes(view));
    }
    std::vector<Rect> lit() {
        std::vector<Rect> out;
        const FrameLog log = frame();
        for (const WidgetRect& widget : log.widgets)
            if (widget.id == "course.lit") out.push_back(widget.rect);
        return out;
    }
    LitCells row_of_weights(int row) const {
        return {app_->derived().run->trace[attn::find_step(app_->derived().run->trace, "weights")].tag, row};
    }
};

TEST_F(AppCourse, ARowIsHighlightedOnTheStageAndInTheFlow) {
    open("softmax-xxt-x", "softmax");
    light(row_of_weights(1), Screen::Stage);
    const auto stage = lit();
    ASSERT_EQ(stage.size(), 1u);
    EXPECT_GT(stage[0].w, 2 * stage[0].h) << "a row is wide";
    light(row_of_weights(1), Screen::Flow);
    const auto flow = lit();
    ASSERT_GE(flow.size(), 1u);
    EXPECT_GT(flow[0].w, 60) << "its glasses, one a key, side by side";
    light(row_of_weights(40), Screen::Flow);
    EXPECT_TRUE(lit().empty()) << "there is no such row";
}

TEST_F(AppCourse, ATokenIsHighlightedInEveryMatrixWithItsRow) {
    open("q-k-v", app_->state().chapters->find("q-k-v")->pages[3].id);
    light({{}, -1, -1, 2}, Screen::Flow);
    const std::size_t three = lit().size();
    EXPECT_GE(three, 5u) << "vectors, queries, keys, values, scores, weights, output";
    light({{}, -1, -1, 400}, Screen::Flow);
    EXPECT_TRUE(lit().empty());
}

TEST_F(AppCourse, ARowIsTheQueryOnTheHeadsScreen) {
    open("many-heads", app_->state().chapters->find("many-heads")->pages[1].id);
    ViewState view = app_->state().view;
    view.part<HeadsChoice>().page = "lines";
    app_->apply(becomes(view));
    const std::string wanted =
        fill_in(tr(Str::weights_of, app_->state().view.language), {app_->derived().labels.tokens[1]});
    const auto says = [&] {
        const FrameLog log = frame(6);
        return std::any_of(log.labels.begin(), log.labels.end(),
                           [&](const LabelRect& l) { return l.text.starts_with(wanted); });
    };
    light({{}, -1, -1, 40}, Screen::Heads);
    EXPECT_FALSE(says());
    light({{}, -1, -1, 1}, Screen::Heads);
    EXPECT_TRUE(says());
}

TEST_F(AppCourse, PointingAtALinkHighlightsItsPartOfTheFormula) {
    // The first page with a link to a row of the weights.
    for (const Chapter& chapter : app_->state().chapters->chapters)
        for (const ChapterPage& page : chapter.pages)
            for (const std::string& link : page.say[0].links) {
                if (!link.starts_with("row weights")) continue;
                open(chapter.id, page.id);
                const auto& links = app_->derived().part<CoursePage>().say.links;
                const auto at = std::find(links.begin(), links.end(), link) - links.begin();
                const FrameLog log = frame();
                gui::inject_mouse_pos(rect_of(log, "course.say.link." + std::to_string(at)).center());
                frame();
                ASSERT_TRUE(app_->state().view.course.lit);
                EXPECT_EQ(app_->state().view.course.lit->tag.role, attn::Role::Weights);
                EXPECT_EQ(app_->state().view.course.lit_part, "softmax");
                return;
            }
    FAIL() << "no such link in any chapter";
}

TEST_F(AppCourse, ATermLeadsToTheTermsThatItNames) {
    const ChapterLibrary& library = *app_->state().chapters;
    const auto with_see =
        std::find_if(library.terms.begin(), library.terms.end(), [](const ChapterTerm& t) { return !t.see.empty(); });
    ASSERT_NE(with_see, library.terms.end());
    for (const Language language : {Language::English, Language::Chinese}) {
        const Prose says = term_prose(library, *with_see, language, nullptr);
        EXPECT_EQ(says.blocks.size(), in(with_see->says, language).blocks.size() + 1);
        EXPECT_EQ(says.links.back(), "term " + with_see->see.back());
        const ChapterTerm* last = library.term(with_see->see.back(), nullptr);
        ASSERT_TRUE(last);
        EXPECT_NE(text_of(says).find(in(last->name, language)), std::string::npos);
    }
}

}  // namespace
}  // namespace app
