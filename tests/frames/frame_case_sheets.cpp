// Another run beside this one, chapters, and panels over the window.

#include "app/screens/compare/look.h"
#include "app/screens/experiments/look.h"
#include "core/document/link.h"
#include "tests/frames/frame_case_parts.h"

namespace frames {
namespace {

/// Chapter 3 beside its own sentence, on a page from 0.
template <int page>
constexpr Look chapter_at = [](ViewState& v) {
    v.course.chapter = "softmax-xxt-x";
    v.course.page = page;
};

template <int stop>
constexpr Look tour_at = [](ViewState& v) {
    v.sheet = Sheet::Tour;
    v.tour = stop;
};

/// The question about the text, or its answer at the end of the animation, beside a guess.
template <app::Asking Now>
constexpr Look asking = [](ViewState& v) {
    v.asking = Now;
    v.opening.seconds = Now == app::Asking::Asked ? app::kBreathSeconds : app::kAnswerSeconds;
    v.opening.guess = 1;
};
/// In the middle of softmax.
constexpr Look asking_halfway = [](ViewState& v) {
    v.asking = app::Asking::Answered;
    v.opening.seconds = 2.4;
};

void show_scale(ViewState& view) {
    view.screen = app::Screen::Experiments;
    view.part<app::ExperimentsLook>().page = "scale";
}
/// The experiments' page of paths; `Only` below 0: all three networks.
template <int Kernel, bool Dilated, int Only>
void show_paths(ViewState& view) {
    view.screen = app::Screen::Experiments;
    view.part<app::ExperimentsLook>().page = "paths";
    view.part<app::ExperimentsLook>().paths.dials.kernel = Kernel;
    view.part<app::ExperimentsLook>().paths.dials.dilated = Dilated;
    if constexpr (Only >= 0) view.part<app::ExperimentsLook>().paths.only = static_cast<attn::PathKind>(Only);
}

constexpr FrameCase kSheetCases[] = {
    // another run beside this one
    with({"compare_text", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "text"},
         [](ViewState& v) { v.part<app::Comparison>().text = "the happy dog ran home"; }),
    with({"compare_changes", language, "l2.weights.h1", 1, kNoPin, "dark", kChinese, kMiddle, Place::Compare, "text"},
         [](ViewState& v) { v.part<app::Comparison>().text = "the old bank is wide"; }),
    {"compare_head", four_heads, "weights.h2", 1, kNoPin, "dark", kChinese, kMiddle, Place::Compare, "head"},
    with({"compare_kept", cat, "weights", 1, kNoPin, "light", kChinese, kMiddle, Place::Compare, "kept"},
         [](ViewState& v) { v.part<app::Comparison>().stored_link = attn::document_link(causal()); }),
    {"compare_kept_none", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "kept"},
    // panels over the window
    with(whole("sheet_keys", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Keys; }),
    with(whole("sheet_palette", "dark", kChinese), [](ViewState& v) { v.sheet = Sheet::Palette; }),
    with(whole("sheet_export", "light", kChinese),
         [](ViewState& v) {
             v.sheet = Sheet::Export;
             v.exporting.path = "attenscope-weights.png";  // the picture must not depend on the path of the home folder
             v.exporting.proposed = false;
         }),
    with(whole("sheet_description", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Description; }),
    with({"chapter_softmax", cat_raw, "weights", 1, Pin{0, 3}, "light", kEnglish, {1280, 800}, Place::Course},
         chapter_at<1>),
    with({"chapter_formula", morning, "output", 1, kNoPin, "dark", kChinese, {1280, 800}, Place::Course}, chapter_at<3>),
    with({"chapter_question", cat_raw, "scores", 1, kNoPin, "light", kChinese, {1280, 800}, Place::Course}, chapter_at<5>),
    with({"chapter_projector", cat_raw, "scores", 1, kNoPin, "projector", kEnglish, {1024, 768}, Place::Course},
         chapter_at<0>),
    with(whole("sheet_chapters", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Chapters; }),
    with(whole("sheet_glossary", "dark", kChinese), [](ViewState& v) { v.sheet = Sheet::Glossary; }),
    with(whole("sheet_examples", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Examples; }),
    with(whole("sheet_forms", "light", kChinese), [](ViewState& v) { v.sheet = Sheet::Forms; }),
    with(whole("sheet_models", "dark", kEnglish), [](ViewState& v) { v.sheet = Sheet::Models; }),
    with(whole("tour_text", "light", kChinese), tour_at<0>),
    with(whole("tour_stage", "light", kEnglish), tour_at<1>),
    with(whole("tour_inspector", "dark", kChinese), tour_at<2>),
    with(whole("tour_timeline", "projector", kEnglish), tour_at<3>),
    with(whole("tour_settings", "light", kEnglish), tour_at<4>),
    with(whole("tour_screens", "light", kChinese), tour_at<5>),
    with(whole("tour_offered", "light", kEnglish), [](ViewState& v) { v.offers_tour = true; }),
    // the question about the text
    with({"question_asked", opening_english, "embeddings", 0, kNoPin, "light", kEnglish, {900, 600}, Place::Overlay},
         asking<app::Asking::Asked>),
    with({"question_answered", opening_english, "output", 1, kNoPin, "light", kEnglish, {900, 600}, Place::Overlay},
         asking<app::Asking::Answered>),
    with({"question_dark", opening_chinese, "output", 1, kNoPin, "dark", kChinese, {900, 600}, Place::Overlay},
         asking<app::Asking::Answered>),
    with({"question_projector", opening_chinese, "embeddings", 0, kNoPin, "projector", kChinese, {840, 640}, Place::Overlay},
         asking<app::Asking::Asked>),
    with({"question_halfway", opening_english, "embeddings", 0, kNoPin, "light", kEnglish, {900, 600}, Place::Overlay}, asking_halfway),
    with({"question_narrow", opening_english, "output", 1, kNoPin, "projector", kEnglish, {840, 640}, Place::Overlay},
         asking<app::Asking::Answered>),
    // the paths between tokens
    with({"scale_page", opening_english, "weights.h1", 1, kNoPin, "light", kEnglish, kMiddle, Place::Experiments}, show_scale),
    with({"scale_page_none", morning, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Experiments}, show_scale),
    with({"paths", many, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Experiments}, show_paths<3, false, -1>),
    with({"paths_gaps", two_heads, "weights.h1", 1, kNoPin, "dark", kChinese, kMiddle, Place::Experiments},
         show_paths<3, true, 1>),
    with({"paths_64", sixty_four, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Experiments},
         show_paths<5, true, -1>),
    with({"paths_long", thousand, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Experiments},
         show_paths<9, true, -1>),
    with({"paths_1", one, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Experiments}, show_paths<3, false, -1>),
};

}  // namespace

std::span<const FrameCase> sheet_cases() { return kSheetCases; }

}  // namespace frames
