// The compare screen in use: heads that attend elsewhere are ranked beside the panels, and a click shows one.

#include "app/screens/compare/comparison.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class AppCompare : public AppFrame {
protected:
    const Compared& compared() { return app_->derived().part<ComparisonData>().compared; }
    void compare(std::string_view text, std::string_view other) {
        attn::Document doc;
        attn::take_model(doc, attn::shipped_model("language"));
        doc.text = text;
        app_->apply(becomes(doc));
        app_->finish();
        ViewState view = app_->state().view;
        view.screen = Screen::Compare;
        view.part<Comparison>().kind = "text";
        view.part<Comparison>().text = other;
        app_->apply(becomes(view));
        app_->finish();
        frame();
    }
};

TEST_F(AppCompare, AClickShowsTheHeadThatDiffersMost) {
    compare("the river is wide", "the bank is");
    ASSERT_TRUE(compared().changes);
    const auto& heads = compared().changes->heads;
    ASSERT_EQ(heads.size(), 16U);
    EXPECT_TRUE(shows("change_4_4"));
    for (const std::size_t nth : {std::size_t{1}, std::size_t{0}}) {
        click("changed_head" + std::to_string(nth + 1));
        app_->finish();
        frame();
        const attn::Tag& shown = app_->derived().run->trace[compared().left].tag;
        EXPECT_EQ(shown.layer, heads[nth].tag.layer);
        EXPECT_EQ(shown.head, heads[nth].tag.head);
    }
    click("change_2_3");
    app_->finish();
    frame();
    EXPECT_EQ(app_->derived().run->trace[compared().left].tag.layer, 1);
    EXPECT_EQ(app_->derived().run->trace[compared().left].tag.head, 2);
}

}  // namespace
}  // namespace app
