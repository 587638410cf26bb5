// The screens beside the stage, for every form: no text overlaps or is cut off, in normal mode and while presenting, and
// matrices have the numbers of the row in focus, large enough to be read. Size, theme, language and page are combined at
// random, with fixed seeds: each form has some combinations, all forms together have all.

#include "app/screens/compare/comparison.h"
#include "app/screens/heads/heads.h"
#include "app/screens/heads/look.h"
#include "app/state/screens.h"
#include "core/attention/forms/attention.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/frames/label_stage.h"

namespace frames {
namespace {

using app::Language;
using app::Screen;

struct Sight {
    std::string_view theme;
    app::Size size;
    bool room = false;
};
constexpr Sight kSights[] = {{"light", {1440, 900}},          {"light", {1024, 768}},     {"light", {1024, 768}, true}, {"dark", {1280, 800}},
                             {"projector", {1024, 768}, true}, {"dark", {1024, 768}, true}, {"projector", {1440, 900}},  {"light", {1280, 800}}};
constexpr float kDesk = 13, kRoom = 24;  // pixels of a number's em

/// A page of a screen; the pages of the heads screen that hold a matrix must have figures.
struct Page {
    Screen screen;
    std::string_view page;
    bool matrix = false;  ///< with numbers of the row in focus
};
constexpr Page kPages[] = {{Screen::Heads, "lines"},   {Screen::Heads, "grid", true}, {Screen::Heads, "ranked"}, {Screen::Heads, "through", true},
                           {Screen::Heads, "neuron"},  {Screen::Heads, "plane"},      {Screen::Heads, "maps", true}, {Screen::Compare, "", true},
                           {Screen::Prediction, ""},   {Screen::Experiments, ""},     {Screen::Flow, ""}};

attn::Document of_form(std::string_view form) {
    attn::Document doc;
    doc.text = "the tired cat sat down and slept";
    attn::choose_form(doc, form);
    return doc;
}

bool is_figure(std::string_view text) {
    for (const std::string_view sign : {"+", "-", "−", "<", ">"})
        if (text.starts_with(sign)) text.remove_prefix(sign.size());
    return text.find('.') != std::string_view::npos && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

class OtherScreens : public LabelStage, public ::testing::WithParamInterface<std::string> {
protected:
    void look(const Page& page, const Sight& sight, Language language) {
        program().state() = app::first_state(language);
        program().state().document = of_form(GetParam());
        program().state().view.theme = sight.theme;
        program().finish();
        program().apply(app::ChangeView{[&](app::ViewState& v) {
            v.screen = page.screen;
            v.present.on = sight.room;
            auto& heads = v.part<app::HeadsChoice>();
            heads.matrix = page.page == "maps";
            if (page.screen == Screen::Heads) heads.page = page.page == "maps" ? "lines" : page.page;
        }});
        program().finish();
    }

    /// The numbers in a row, or in a column, of `names`: those whose centres are on one line, for the longest such line.
    static std::size_t longest_line(const std::vector<app::LabelRect>& labels, float least, float x_from) {
        std::size_t most = 0;
        for (const app::LabelRect& one : labels) {
            if (!is_figure(one.text) || one.rect.h < least - 0.5f || one.rect.x < x_from) continue;
            std::size_t here = 0;
            for (const app::LabelRect& other : labels)
                here += is_figure(other.text) && other.rect.x >= x_from && std::abs(other.rect.center().y - one.rect.center().y) < 1 ? 1 : 0;
            most = std::max(most, here);
        }
        return most;
    }
};

TEST_P(OtherScreens, AreLegible) {
    std::uint32_t lot = 2166136261u;
    for (const char c : GetParam()) lot = (lot ^ static_cast<unsigned char>(c)) * 16777619u;
    std::size_t looked = 0, turn = lot % std::size(kSights);
    for (const Page& page : kPages) {
        if (!app::is_available(page.screen, of_form(GetParam()))) continue;
        const Sight& sight = kSights[++turn % std::size(kSights)];
        const Language language = (turn / 3) % 2 ? Language::Chinese : Language::English;
        look(page, sight, language);
        ++looked;
        const std::string where = fmt::format("{}, {} {}, {}{}, {}", GetParam(), app::row_of(page.screen).id, page.page, sight.theme,
                                              sight.room ? ", presenting" : "", language_id(language));
        judge(where, sight.size, false);
        if (!page.matrix) continue;
        const auto& data = program().derived().part<app::HeadsData>();
        if (page.screen == Screen::Heads && !data.here()) continue;
        const app::Compared& compared = program().derived().part<app::ComparisonData>().compared;
        if (page.screen == Screen::Compare && compared.difference.size() == 0) continue;  // nothing to subtract
        const auto written = labels(sight.size);
        if (const bool has_matrix = page.screen != Screen::Heads || data.here()->keys() >= 3; !has_matrix) continue;
        const app::Rect stage = app::place_rect(app::row_of(page.screen).screen == Screen::Heads ? app::Place::Heads : app::Place::Compare,
                                                {0, 0, sight.size.w, sight.size.h}, app::theme_named(sight.theme));
        if (stage.empty()) continue;
        EXPECT_GE(longest_line(written, sight.room ? kRoom : kDesk, sight.room ? 0 : stage.x), 2u) << where;
    }
    EXPECT_GT(looked, 5u);
}

/// W_OV and W_QK of the planted induction head: nothing is cut, in either language, at any size, in any theme.
class WeightsOfAHead : public LabelStage {};

TEST_F(WeightsOfAHead, AreLegible) {
    const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    int turn = 0;
    for (const Language language : {Language::English, Language::Chinese})
        for (const Sight& sight : kSights) {
            program().state() = app::first_state(language);
            attn::take_model(program().state().document, *model);
            program().state().document.text = "river stone apple green river stone";
            program().state().view.theme = sight.theme;
            program().finish();
            program().apply(app::ChangeView{[&](app::ViewState& v) {
                v.screen = Screen::Heads;
                v.present.on = sight.room;
                v.head = 2;
                v.part<app::HeadsChoice>().page = "circuit";
                v.part<app::HeadsChoice>().at = {attn::Role::Weights, attn::kNoHead, 1};
            }});
            program().finish();
            ASSERT_TRUE(program().derived().part<app::HeadsData>().circuit->of_token.finished);
            judge(fmt::format("{}, {}{}", language_id(language), sight.theme, sight.room ? ", presenting" : ""), sight.size, false);
            ++turn;
        }
    EXPECT_EQ(turn, 16);
}

std::vector<std::string> form_ids() {
    std::vector<std::string> all;
    for (const attn::Form& form : attn::forms())
        if (form.id != "from_file") all.emplace_back(form.id);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Forms, OtherScreens, ::testing::ValuesIn(form_ids()), [](const auto& row) { return row.param; });

}  // namespace
}  // namespace frames
