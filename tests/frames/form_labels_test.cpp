// Every stop of the walk of every form is legible: on the stage and in the flow, in normal mode and while presenting, in both
// languages. The cases of a form (frame_cases) show one step in every theme; here all steps are tested.

#include "core/attention/forms/attention.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/attention_file/given_attention.h"
#include "tests/frames/label_stage.h"

namespace frames {
namespace {

using app::Language;
using app::Screen;

/// One way to look at a walk.
struct Sight {
    std::string_view theme;
    Screen screen;
    bool presenting;
    app::Size size;
};
constexpr Sight kSights[] = {
    {"light", Screen::Stage, false, {1280, 800}},     {"light", Screen::Flow, false, {1280, 800}},
    {"dark", Screen::Stage, false, {1920, 1080}},     {"dark", Screen::Flow, false, {1920, 1080}},
    {"projector", Screen::Stage, false, {1024, 768}}, {"projector", Screen::Flow, false, {1024, 768}},
    {"projector", Screen::Stage, true, {1024, 768}},  {"projector", Screen::Flow, true, {1024, 768}},
};

/// A form, or a choice that changes its steps as much as another form would.
struct Looked {
    std::string name;
    attn::Document document;
};
void PrintTo(const Looked& looked, std::ostream* out) { *out << looked.name; }

/// Design pixels: left of this is the column of steps and settings, and above this the header.
constexpr float kSettings = 212, kHeader = 60;

attn::Document of_form(std::string_view form) {
    attn::Document doc;
    doc.text = "the tired cat sat down";
    attn::choose_form(doc, form);
    return doc;
}

/// Gated units, over a source that is longer than the text.
attn::Document gated_units() {
    attn::Document doc = of_form("bahdanau");
    doc.text = "I saw a cat yesterday";
    doc.source = "我昨天看见了一只猫";
    doc.weights = "random";
    doc.config.unit = "gru";
    return doc;
}

/// Two layers of two heads in a file of another program; an empty document if it cannot be read.
attn::Document from_a_file() {
    constexpr std::string_view kHead = "[[0.6,0.1,0.1,0.1,0.1],[0.2,0.5,0.1,0.1,0.1],[0.1,0.6,0.1,0.1,0.1],"
                                       "[0.1,0.1,0.7,0.05,0.05],[0.1,0.1,0.3,0.4,0.1]]";
    const std::string layer = fmt::format("[{0},{0}]", kHead);
    const auto read = attn::read_attention(
        fmt::format(R"({{"tokens":["the","tired","cat","sat","down"],"attention_0":{0},"attention_1":{0}}})", layer), "attn.json");
    attn::Document doc;
    if (read) attn::take_attention(doc, *read);
    return doc;
}

class FormLabels : public LabelStage, public ::testing::WithParamInterface<Looked> {
protected:
    void look(const Sight& sight, Language language) {
        program().state() = app::first_state(language);
        program().state().document = GetParam().document;
        program().state().view.theme = sight.theme;
        program().finish();
        program().apply(app::ChangeView{[&](app::ViewState& v) {
            v.screen = sight.screen;
            v.present.on = sight.presenting;
        }});
        program().finish();
    }
};

TEST_P(FormLabels, OfEveryStopAreLegible) {
    ASSERT_EQ(GetParam().document.attention != nullptr, GetParam().name == "from_a_file");
    std::size_t stops = 0;
    for (const Language language : {Language::English, Language::Chinese})
        for (const Sight& sight : kSights) {
            look(sight, language);
            const app::Timeline& line = program().derived().timeline;
            for (std::size_t stop = 0; stop < line.stops.size(); ++stop, ++stops) {
                program().apply(app::GoToStop{static_cast<int>(stop), 1});
                program().finish();
                const attn::Tag& tag = trace()[program().derived().pose.step].tag;
                judge(fmt::format("{}, step {}, {} {}, {}, {}", GetParam().name, attn::step_name(tag), sight.screen == Screen::Flow ? "flow" : "stage",
                                  sight.presenting ? "presenting" : "normal", sight.theme, language_id(language)),
                      sight.size, false);
            }
        }
    EXPECT_GT(stops, 0u);
}

/// No name or choice of the settings is shortened in normal mode, whatever a form's units are set to.
TEST_P(FormLabels, OfTheSettingsAreWhole) {
    for (const Language language : {Language::English, Language::Chinese}) {
        look(kSights[0], language);
        for (const app::LabelRect& label : labels(kSights[0].size))
            EXPECT_FALSE(label.rect.x < kSettings && label.rect.y > kHeader && label.text.ends_with("…"))
                << label.text << ", " << language_id(language);
    }
}

std::vector<Looked> forms() {
    std::vector<Looked> all = {{"gated_units", gated_units()}, {"from_a_file", from_a_file()}};
    for (const attn::Form& form : attn::forms())  // attention from a file has no numbers until a file is given
        if (form.id != "from_file") all.push_back({std::string(form.id), of_form(form.id)});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Forms, FormLabels, ::testing::ValuesIn(forms()), [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace frames
