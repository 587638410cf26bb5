// Every stop of the walk of every form can be read: on the stage and in the flow, at the desk and before a room, in both
// languages. What a form's own cases (frame_cases) show in every theme is one step; here it is all of them.

#include "core/attention.h"
#include "core/document_fields.h"
#include "tests/frames/label_stage.h"

namespace frames {
namespace {

using app::Language;
using app::Screen;

/// One way to look at a walk.
struct Sight {
    std::string_view theme;
    Screen screen;
    bool room;
    app::Size size;
};
constexpr Sight kSights[] = {
    {"light", Screen::Stage, false, {1280, 800}},     {"light", Screen::Flow, false, {1280, 800}},
    {"dark", Screen::Stage, false, {1920, 1080}},     {"dark", Screen::Flow, false, {1920, 1080}},
    {"projector", Screen::Stage, false, {1024, 768}}, {"projector", Screen::Flow, false, {1024, 768}},
    {"projector", Screen::Stage, true, {1024, 768}},  {"projector", Screen::Flow, true, {1024, 768}},
};

attn::Document of_form(std::string_view variant) {
    attn::Document doc;
    doc.text = "the tired cat sat down";
    attn::choose_variant(doc, variant);
    return doc;
}

class FormLabels : public LabelStage, public ::testing::WithParamInterface<std::string_view> {
protected:
    void look(const Sight& sight, Language language) {
        program().state() = app::first_state(language);
        program().state().document = of_form(GetParam());
        program().state().view.theme = sight.theme;
        program().finish();
        program().apply(app::ChangeView{[&](app::ViewState& v) {
            v.screen = sight.screen;
            v.present.on = sight.room;
        }});
        program().finish();
    }
};

TEST_P(FormLabels, OfEveryStopCanBeRead) {
    std::size_t stops = 0;
    for (const Language language : {Language::English, Language::Chinese})
        for (const Sight& sight : kSights) {
            look(sight, language);
            const app::Timeline& line = program().derived().timeline;
            for (std::size_t stop = 0; stop < line.stops.size(); ++stop, ++stops) {
                program().apply(app::GoToStop{static_cast<int>(stop), 1});
                program().finish();
                const attn::Tag& tag = trace()[program().derived().pose.step].tag;
                judge(fmt::format("{}, step {}, {} {}, {}, {}", GetParam(), attn::step_name(tag), sight.screen == Screen::Flow ? "flow" : "stage",
                                  sight.room ? "before a room" : "at the desk", sight.theme, language_id(language)),
                      sight.size, false);
            }
        }
    EXPECT_GT(stops, 0u);
}

std::vector<std::string_view> forms() {
    std::vector<std::string_view> all;
    for (const attn::Variant& variant : attn::variants())
        if (variant.id != "from_file") all.push_back(variant.id);  // it has no numbers before a file is given
    return all;
}

INSTANTIATE_TEST_SUITE_P(Forms, FormLabels, ::testing::ValuesIn(forms()), [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace frames
