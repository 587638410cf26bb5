// What folds and what never does: the top bar at every size, columns as drawers, numbers while presenting.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "app/screens/heads/heads.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "core/model/model.h"
#include "tests/app/app_fixture.h"

namespace {

using namespace app;
using attn::Role;

class Folds : public AppFrame {
protected:
    void look(Size size, std::string_view theme, Language language, float scale) {
        app_->apply(ChangeView{[=, theme = std::string(theme)](ViewState& v) {
            v.theme = theme;
            v.language = language;
            v.scale = scale;
        }});
        for (int i = 0; i < 3; ++i) {
            log_.clear();
            app_->build_frame(size, 0, &log_);
        }
    }
    const Rect* find(std::string_view id) const {
        for (const WidgetRect& widget : log_.widgets)
            if (widget.id == id) return &widget.rect;
        return nullptr;
    }
    FrameLog log_;
};

TEST_F(Folds, TheTextIsLegibleAtEverySize) {
    constexpr float kReadable = 200;
    constexpr std::string_view kBar[] = {"screen", "text", "menu", "drawer_steps", "drawer_cell", "language"};
    for (const std::string_view theme : {"light", "projector"})
        for (const Language language : {Language::English, Language::Chinese})
            for (const Size size : {Size{640, 480}, {1024, 768}, {1280, 800}, {3000, 1600}})
                for (const float scale : {0.75f, 1.0f, 3.0f}) {
                    SCOPED_TRACE(fmt::format("{} {} {}x{} at {}", theme, language_id(language), size.w, size.h, scale));
                    look(size, theme, language, scale);
                    const Rect* text = find("text");
                    ASSERT_TRUE(text);
                    EXPECT_GE(text->w, kReadable - 1);
                    if (size.w == 1280 && scale == 1 && theme == "light") {
                        EXPECT_GE(text->w, 220);
                    }
                    for (const std::string_view one : kBar)
                        for (const std::string_view two : kBar)
                            if (const Rect *a = find(one), *b = find(two); one < two && a && b) {
                                EXPECT_FALSE(a->inset(0.5f).overlaps(*b)) << one << " on " << two;
                            }
                    EXPECT_TRUE(find("menu"));
                    EXPECT_LE(find("menu")->right(), size.w);
                    EXPECT_TRUE(find("screen") || find("screen.0")) << "the screens can be reached";
                }
}

/// Users know the names of screens and levels, but not the sentence: the names are folded before the sentence is shortened.
TEST_F(Folds, TheSentenceIsShortenedLast) {
    constexpr float kSentence = 400;
    show("the tired cat that had chased the small grey mouse through the old house all night sat down on the mat", "none", {Role::Scores});
    for (const Language language : {Language::English, Language::Chinese})
        for (const Size size : {Size{1024, 768}, {1280, 800}, {1440, 900}}) {
            SCOPED_TRACE(fmt::format("{} {}", language_id(language), size.w));
            look(size, "light", language, 1);
            const Rect* text = find("text");
            ASSERT_TRUE(text);
            EXPECT_GE(text->w, kSentence - 1);
        }
    show("the tired cat", "none", {Role::Scores});
    look({1440, 900}, "light", Language::English, 1);
    EXPECT_TRUE(find("screen.1") && find("level.1")) << "a short one leaves tabs and words their room";
}

TEST_F(Folds, TheScreensAreAListIfTabsDoNotFit) {
    show("the tired cat", "none", {Role::Scores});
    EXPECT_TRUE(shows("screen.1")) << "tabs at the desk";
    app_->apply(ChangeView{[](ViewState& v) { v.scale = 2; }});
    EXPECT_FALSE(shows("screen.1"));
    click("screen");
    click("screen.0");
    EXPECT_EQ(app_->state().view.screen, Screen::Flow);
}

TEST_F(Folds, ColumnsBecomeDrawers) {
    show("the tired cat", "none", {Role::Scores});
    click("cell_1_1");
    end_motion();
    key_with_ctrl(gui::Key::Comma);
    EXPECT_EQ(app_->state().view.sheet, Sheet::None) << "the column is there";
    app_->apply(ChangeView{[](ViewState& v) { v.scale = 2; }});
    click("drawer_steps");
    EXPECT_EQ(app_->state().view.sheet, Sheet::Steps);
    EXPECT_TRUE(shows("drawer.steps"));
    press(gui::Key::Escape);
    EXPECT_EQ(app_->state().view.sheet, Sheet::None);
    EXPECT_FALSE(shows("drawer.steps"));
    EXPECT_TRUE(app_->state().view.pinned) << "Escape closed the drawer and nothing else";
    key_with_ctrl(gui::Key::I);
    EXPECT_TRUE(shows("drawer.cell"));
    app_->apply(ChangeView{[](ViewState& v) { v.scale = 1; }});
    frame();
    EXPECT_EQ(app_->state().view.sheet, Sheet::None) << "the column has room again";
}

TEST_F(Folds, EverythingGrowsWithALargeWindow) {
    show("the tired cat", "none", {Role::Scores});
    look({1920, 1080}, "light", Language::English, 1);
    const float usual = find("menu")->w;
    look({3000, 1600}, "light", Language::English, 1);
    EXPECT_GE(find("menu")->w, 1.3f * usual);
}

bool is_number(std::string_view text) {
    for (const std::string_view sign : {"-", "−"})
        if (text.starts_with(sign)) text.remove_prefix(sign.size());
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// In the projector theme a product shows numbers even in the smallest window, in both languages: those of the number in
/// focus, whatever else shrinks.
TEST_F(Folds, ProductsHaveNumbersInTheProjectorTheme) {
    show("the tired cat sat down", "none", {Role::Scores});
    int products = 0;
    for (const Language language : {Language::English, Language::Chinese})
        for (const Size size : {Size{1024, 768}, {1280, 800}, {1366, 768}})
            for (int stop = 0; stop < static_cast<int>(app_->derived().timeline.stops.size()); ++stop) {
                app_->apply(GoToStop{stop, 1});
                app_->finish();
                look(size, "projector", language, 1);
                const attn::Step& step = app_->derived().run->trace[app_->derived().pose.step];
                if (step.op != attn::Op::MatMul) continue;
                ++products;
                SCOPED_TRACE(fmt::format("{} {} {}x{}", attn::step_name(step.tag), language_id(language), size.w, size.h));
                int cells = 0, figures = 0;
                const attn::Cell explained = *app_->derived().explained;
                const std::string spoken = fmt::format("cell_{}_{}", explained.row, explained.col);
                for (const WidgetRect& cell : log_.widgets) {
                    if (!cell.id.starts_with("cell_")) continue;
                    if (const Rect* button = find("cube")) {
                        EXPECT_FALSE(cell.rect.inset(1).overlaps(*button)) << cell.id;
                    }
                    if (cell.id != spoken) continue;
                    ++cells;
                    figures += static_cast<int>(std::count_if(log_.labels.begin(), log_.labels.end(), [&](const LabelRect& label) {
                        return is_number(label.text) && cell.rect.contains(label.rect.center());
                    }));
                }
                EXPECT_EQ(cells, 1);
                EXPECT_EQ(figures, cells);
            }
    EXPECT_GE(products, 6);
}

/// Digits are at least three hundredths of the window's height in every cell that is shown, on every step.
TEST_F(Folds, EveryNumberIsLegibleWhilePresenting) {
    constexpr float kShareOfHeight = 24.0f / 768, kDigitOfEm = 0.6f, kRounding = 0.3f;
    for (const std::string_view id : {"asked", "causal"}) {
        for (const Example& example : example_documents())
            if (example.id == id) app_->apply(becomes(example.document));
        app_->apply(ChangeView{[](ViewState& v) { v.present.on = true; }});
        for (const auto& [size, theme] : {std::pair{Size{1024, 768}, "projector"}, {Size{1440, 900}, "light"}})
            for (int stop = 0; stop < static_cast<int>(app_->derived().timeline.stops.size()); ++stop) {
                app_->apply(GoToStop{stop, 1});
                app_->finish();
                look(size, theme, Language::English, 1);
                const attn::Trace& trace = app_->derived().run->trace;
                SCOPED_TRACE(fmt::format("{} {} at {}", id, attn::step_name(trace[app_->derived().pose.step].tag), size.w));
                int figures = 0;
                for (const WidgetRect& cell : log_.widgets) {
                    if (!cell.id.starts_with("cell_")) continue;
                    for (const LabelRect& label : log_.labels) {
                        if (!is_number(label.text) || !cell.rect.contains(label.rect.center())) continue;
                        ++figures;
                        const auto signs = std::count_if(label.text.begin(), label.text.end(),
                                                         [](char c) { return (c & 0xc0) != 0x80; });
                        const float digit = label.rect.w / static_cast<float>(signs);
                        EXPECT_GE(digit + kRounding, kDigitOfEm * kShareOfHeight * std::min(size.h, size.w * 0.75f)) << label.text;
                    }
                }
                EXPECT_GT(figures, 0);
            }
    }
}

/// The windows in which the numbers of the explained cells are checked: in normal and in presenting mode.
struct Sight {
    Size size;
    const char* theme;
    bool presenting;
};
constexpr Sight kSights[] = {{{1440, 900}, "light", false}, {{1280, 800}, "dark", false}, {{1024, 768}, "projector", false},
                             {{1024, 768}, "projector", true}, {{1280, 800}, "light", true}};

/// Tables of weights on other pages than the stage: the row in focus has its numbers there, too.
class RowsOfFigures : public Folds {
protected:
    void open(const attn::Document& document, const ViewState& view) {
        app_->apply(becomes(document));
        app_->apply(becomes(view));
        app_->finish();
    }
    void see(const Sight& sight, Language language) {
        app_->apply(ChangeView{[&](ViewState& v) { v.present.on = sight.presenting; }});
        app_->finish();
        look(sight.size, sight.theme, language, 1);
    }

    /// How many cells `id`_row_… show a legible number in that window; fails for one that is too small.
    int figures_of(const std::string& id, int row, const Sight& sight) {
        constexpr float kDigitOfEm = 0.6f, kRounding = 0.35f;
        const float em = sight.presenting ? 24.0f / 768 * std::min(sight.size.h, sight.size.w * 0.75f) : 13;
        const std::string start = fmt::format("{}_{}_", id, row);
        int figures = 0;
        for (const WidgetRect& cell : log_.widgets) {
            if (!cell.id.starts_with(start)) continue;
            for (const LabelRect& label : log_.labels) {
                std::string_view digits = label.text;
                while (digits.starts_with('<') || digits.starts_with('+')) digits.remove_prefix(1);
                if (!is_number(digits) || !cell.rect.contains(label.rect.center())) continue;
                ++figures;
                const auto signs = std::count_if(label.text.begin(), label.text.end(), [](char c) { return (c & 0xc0) != 0x80; });
                EXPECT_GE(label.rect.w / static_cast<float>(signs) + kRounding, kDigitOfEm * em) << cell.id << ": " << label.text;
                EXPECT_LE(label.rect.w, cell.rect.w + 1) << label.text;
            }
        }
        return figures;
    }
    template <class Check>
    void everywhere(Check check) {
        for (const Sight& sight : kSights)
            for (const Language language : {Language::English, Language::Chinese}) {
                SCOPED_TRACE(fmt::format("{}x{} {} {}{}", sight.size.w, sight.size.h, sight.theme, language_id(language), sight.presenting ? " room" : ""));
                see(sight, language);
                check(sight);
            }
    }
};

TEST_F(RowsOfFigures, TheRowOfAnAlignmentHasThem) {
    for (const std::string_view model : {"alignment", "translation"}) {
        SCOPED_TRACE(model);
        attn::Document document;
        use_model(document, attn::shipped_model(model));
        ViewState view = app_->state().view;
        view.screen = Screen::Heads;
        view.part<HeadsChoice>().page = "alignment";
        open(document, view);
        app_->apply(GoToStop{static_cast<int>(app_->derived().timeline.stops.size()) - 1, 1});
        app_->finish();
        everywhere([&](const Sight& sight) {
            const HeadsData& data = app_->derived().part<HeadsData>();
            ASSERT_TRUE(data.alignment.swap);
            const int row = data.alignment.swap->query;
            // A number that rounds to 0 is a dot where a narrow column has no room for its digits; all other weights are
            // written, in one size.
            const attn::Matrix& weights = data.weights_of(*data.here(), data.head);
            int said = 0;
            for (int key = 0; key < data.here()->keys(); ++key) said += !data.here()->is_blank(row, key) && weights(row, key) >= 0.005f ? 1 : 0;
            EXPECT_GT(said, 1);
            EXPECT_GE(figures_of("cell", row, sight), said);
        });
    }
}

/// A word that is wider than its column reaches over its neighbours' free space before it is cut.
TEST_F(Folds, NamesOfColumnsAreNotCutWhilePresenting) {
    int named = 0;
    for (const char* text : {"the boy saw the bird and he loved it", "the boy saw the bird in the tree and he loved it"}) {
        show(text, "none", {Role::Scores});
        app_->apply(ChangeView{[](ViewState& v) { v.present.on = true; }});
        for (int stop = 0; stop < static_cast<int>(app_->derived().timeline.stops.size()); ++stop) {
            app_->apply(GoToStop{stop, 1});
            app_->finish();
            look({1024, 768}, "light", Language::English, 1);
            SCOPED_TRACE(fmt::format("{} at {}", text, attn::step_name(app_->derived().run->trace[app_->derived().pose.step].tag)));
            for (std::size_t i = 0; i < log_.labels.size(); ++i) {
                const LabelRect& label = log_.labels[i];
                named += label.text == "loved" ? 1 : 0;
                EXPECT_FALSE((label.text.starts_with("lov") || label.text.starts_with("pers")) && label.text.ends_with("…")) << label.text;
                for (std::size_t k = i + 1; k < log_.labels.size() && label.text == "loved"; ++k)
                    EXPECT_FALSE(label.rect.inset(0.5f).overlaps(log_.labels[k].rect)) << log_.labels[k].text;
            }
        }
    }
    EXPECT_GT(named, 6);
}

/// Text that is too small for presenting is not drawn: of several equations only that of the step is shown.
TEST_F(Folds, TheFormulaIsLegibleWhilePresenting) {
    for (const char* model : {"language", "translation", "alignment", "questions"}) {
        attn::Document document;
        use_model(document, attn::shipped_model(model));
        app_->apply(becomes(document));
        app_->apply(ChangeView{[](ViewState& v) {
            v.screen = Screen::Stage;
            v.present.on = true;
        }});
        int formulas = 0;
        for (const auto& [size, theme] : {std::pair{Size{1024, 768}, "projector"}, {Size{1280, 800}, "light"}})
            for (int stop = 0; stop < static_cast<int>(app_->derived().timeline.stops.size()); stop += 3) {
                app_->apply(GoToStop{stop, 1});
                app_->finish();
                look(size, theme, Language::English, 1);
                const Rect* formula = find("formula");
                if (!formula) continue;
                ++formulas;
                float letters = 0;
                for (const LabelRect& l : log_.labels)
                    if (formula->contains(l.rect.center())) letters = std::max(letters, l.rect.h);
                EXPECT_GE(letters, 24.0f / 768 * size.h) << model << " " << size.w << " at " << stop;
            }
        EXPECT_GT(formulas, 4) << model;
    }
}

}  // namespace
