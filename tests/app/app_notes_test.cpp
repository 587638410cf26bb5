// Notes about a document: they have a place of their own, stay closed, and have no cross if they cannot be closed.

#include "app/content/model_notes.h"
#include "app/panels/notes.h"
#include "app/screens/prediction/prediction.h"
#include "app/state/edits.h"
#include "core/document/fields.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class AppNotes : public AppFrame {
protected:
    /// A sentence with so many words that the model does not know.
    void show_unknown(int unknown) {
        attn::Document document;
        use_model(document, attn::shipped_model("induction"));
        document.text = "a b c a b";
        for (int i = 0; i < unknown; ++i) document.text += " qq" + std::to_string(i);
        app_->apply(becomes(document));
        ViewState view = app_->state().view;
        view.screen = Screen::Stage;
        app_->apply(becomes(view));
        app_->finish();
        const auto& derived = app_->derived();
        app_->apply(GoToStop{stop_of(derived.timeline, derived.run->trace, attn::find_id(derived.run->trace, {attn::Role::Weights, 0, 0})), 1});
        frame();
    }
    static bool says(const FrameLog& log, std::string_view part) {
        return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text.find(part) != std::string::npos; });
    }
};

TEST_F(AppNotes, LastingNotesCoverNeitherPictureNorCaption) {
    show_unknown(2);
    const FrameLog log = frame();
    const Rect note = rect_of(log, "note0"), caption = rect_of(log, "caption");
    EXPECT_TRUE(says(log, "qq0, qq1"));
    EXPECT_FALSE(note.overlaps(caption));
    EXPECT_LE(rect_of(log, "stage").bottom(), caption.y);
}

TEST_F(AppNotes, ACrossClosesANoteAboutADocument) {
    show_unknown(2);
    const float covered = rect_of(frame(), "caption").y;
    click("note0.close");
    const FrameLog log = frame();
    EXPECT_FALSE(has(log, "note0"));
    EXPECT_GT(rect_of(log, "caption").y, covered) << "the picture has the room";
    show_unknown(3);
    EXPECT_TRUE(has(frame(), "note0")) << "this is told of other words";
}

/// Every run of a checkpoint states, in both languages, which of its parts are not computed.
TEST_F(AppNotes, ACheckpointHasANote) {
    attn::Document document;
    const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/checkpoints/modernbert-classes", {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    use_model(document, *model);
    document.tokens = {"the", "cat"};
    app_->apply(becomes(document));
    ViewState view = app_->state().view;
    view.screen = Screen::Prediction;
    app_->apply(becomes(view));
    app_->finish();
    frame();
    const FrameLog log = frame();
    EXPECT_TRUE(says(log, "This checkpoint has a head for another task"));
    EXPECT_EQ(app_->derived().part<PredictionData>().rows, 0) << "nothing is predicted";
    EXPECT_EQ(model_note_text({attn::ModelNote::Kind::UnreadKeys, {"a", "b", "c", "d", "e", "f", "g"}}, Language::English),
              "The model's config.json has settings that are not read here and may change what is computed: a, b, c, d, e, f … (7 in all).");
    EXPECT_EQ(model_note_text({attn::ModelNote::Kind::UnreadKeys, {"a", "b"}}, Language::Chinese),
              "模型的 config.json 里有这里不读取、但可能影响计算结果的设置：a、b。");
}

TEST_F(AppNotes, ManyUnknownWordsAreCounted) {
    show_unknown(11);
    EXPECT_TRUE(says(frame(), "11 words are not in the model's vocabulary, such as qq0, qq1, qq2, qq3, qq4, qq5, qq6, qq7."));
}

/// A sentence that is longer than the bar continues on the next line: nothing of it is cut off.
TEST_F(AppNotes, ALongSentenceHasSeveralLines) {
    show_unknown(2);
    const float one = rect_of(frame(), "note0").h;
    app_->apply(ChangeView{[](ViewState& v) { v.notice = "It begins here and goes on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on and on until its end."; }});
    const FrameLog log = frame();
    EXPECT_GT(rect_of(log, "note1").h, one + 10);
    EXPECT_TRUE(says(log, "until its end."));
    EXPECT_FALSE(rect_of(log, "note1").overlaps(rect_of(log, "note0")));
}

TEST_F(AppNotes, NotesThatDisappearWithTheirCauseHaveNoCross) {
    show_unknown(0);
    EXPECT_FALSE(has(frame(), "note0"));
    attn::Document wrong;
    wrong.vectors = "random";
    attn::choose_form(wrong, "multi_head");
    wrong.config.heads = 3;  // which does not divide 8
    app_->apply(becomes(wrong));
    app_->finish();
    const FrameLog log = frame();
    ASSERT_TRUE(app_->derived().error);
    EXPECT_TRUE(has(log, "note0"));
    EXPECT_FALSE(has(log, "note0.close"));
}

}  // namespace
}  // namespace app
