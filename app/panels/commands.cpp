#include "app/frame/commands.h"

#include <algorithm>
#include <utility>

#include "app/chapters/course_page.h"
#include "app/frame/asking.h"
#include "app/frame/backwards.h"
#include "app/frame/flow_camera.h"
#include "app/frame/interventions.h"
#include "app/frame/map_touch.h"
#include "app/panels/clipboard.h"
#include "app/panels/find.h"
#include "app/panels/modes.h"
#include "app/panels/present.h"
#include "app/screens/compare/comparison.h"
#include "app/screens/heads/view.h"
#include "app/screens/prediction/parts.h"
#include "app/screens/stage/touch.h"
#include "app/screens/training/training.h"
#include "app/state/course.h"
#include "app/state/edits.h"
#include "core/document/link.h"
#include "core/document/origins.h"

namespace app {
namespace {

using Keys = UserCommand::Keys;

constexpr float kScaleStep = 0.125f;
/// The zoom factor of a key press in a large matrix.
constexpr float kMapStep = 1.5f;

bool has_steps(const Frame& f) { return f.derived.pose.step != attn::kNoStep; }
/// On the training screen, the walk goes through its snapshots.
bool shows_training(const Frame& f) { return f.view().screen == Screen::Train; }
bool can_walk(const Frame& f) { return shows_training(f) || has_steps(f); }
void play_or_pause(const Frame& f) {
    if (shows_question(f.state)) return go_on_in_opening(f);
    if (!shows_training(f)) return f.push(Play{!f.view().playing});
    f.push(f.view().part<TrainingLook>().running ? TrainingAction{PauseTraining{}} : TrainingAction{StartTraining{}});
}
template <int by>
void step_by(const Frame& f) {
    if (shows_question(f.state)) return by > 0 ? go_on_in_opening(f) : go_back_in_opening(f);
    shows_training(f) ? f.push(TrainingAction{TurnSnapshot{by}}) : f.push(StepBy{by});
}
void to_first(const Frame& f) {
    if (shows_question(f.state)) return go_back_in_opening(f);
    shows_training(f) ? f.push(TrainingAction{SeekSnapshot{0}}) : f.push(GoToStop{0, 1});
}
void to_last(const Frame& f) {
    // Twice: from the question to the end of the answer's animation.
    if (shows_question(f.state)) {
        if (f.view().asking == Asking::Asked) f.push(OpeningAction{OpeningAction::Do::Answer});
        return f.push(OpeningAction{OpeningAction::Do::Answer});
    }
    if (shows_training(f)) return f.push(TrainingAction{SeekSnapshot{-1}});
    f.push(GoToStop{static_cast<int>(f.derived.timeline.stops.size()) - 1, 1});
}
bool has_pin(const Frame& f) { return f.view().pinned.has_value(); }
/// A number that can be edited: gradients follow from the others.
bool has_forward_pin(const Frame& f) { return has_pin(f) && f.view().pinned->tag.pass == 0; }
/// An open box of the flow or of the alignment that exists in this run.
bool has_unfolded(const Frame& f) {
    const bool shown = f.view().screen == Screen::Flow || f.view().screen == Screen::Heads;
    return shown && f.view().unfolded && f.derived.run && attn::find(f.trace(), *f.view().unfolded);
}
/// Whether Escape has something to undo: a search, a zoomed map, fanned-out heads, a zoomed flow, a pinned cell, an
/// unfolded box, or the reverse pass.
bool is_close(const Frame& f) {
    const FlowLook& look = f.view().flow;
    return has_pin(f) || is_turned_back(f) || f.view().search.open || shows_part_of_map(f) ||
           (f.view().screen == Screen::Flow && (look.fan || look.is_close())) || has_unfolded(f) || can_go_out(f);
}
void unpin_or_close(const Frame& f) {
    if (f.view().search.open) return f.change_view([](ViewState& v) { v.search = {}; });
    if (shows_part_of_map(f)) return f.change_view([](ViewState& v) { v.map = {}; });
    const FlowLook& look = f.view().flow;
    if (has_unfolded(f)) return f.change_view([](ViewState& v) { v.unfolded.reset(); });
    if (f.view().screen == Screen::Flow && look.fan) return f.change_view([](ViewState& v) { v.flow.fan = false; });
    if (f.view().screen == Screen::Flow && look.is_close()) return f.push(LookAt{f.derived.place});
    if (has_pin(f) || !is_turned_back(f)) return can_go_out(f) ? go_out(f) : f.push(Pin{});
    leave_reverse(f);
}
// For large matrices, and for the flow up to the whole model.
bool can_come_closer(const Frame& f) { return can_zoom_map(f) || can_zoom_flow(f, true); }
void come_closer(const Frame& f) { can_zoom_map(f) ? zoom_map(f, kMapStep) : zoom_flow(f, true); }
bool can_go_farther(const Frame& f) { return shows_part_of_map(f) || can_zoom_flow(f, false); }
void go_farther(const Frame& f) { shows_part_of_map(f) ? zoom_map(f, 1 / kMapStep) : zoom_flow(f, false); }
bool in_flow_elsewhere(const Frame& f) {
    return f.view().screen == Screen::Flow && (f.view().flow.is_close() || f.view().flow.zoom < 1);
}
bool shows_part(const Frame& f) { return shows_part_of_map(f) || in_flow_elsewhere(f); }
void fit_picture(const Frame& f) {
    if (in_flow_elsewhere(f)) return f.push(LookAt{f.derived.place});
    f.change_view([](ViewState& v) { v.map = {}; });
}
bool has_fan(const Frame& f) { return f.view().screen == Screen::Flow && !f.derived.flow.weights.empty(); }
bool has_motion(const Frame& f) { return has_steps(f) && !f.view().still; }
bool has_several_heads(const Frame& f) { return f.state.document.config.heads > 1; }
bool has_focus(const Frame& f) { return f.view().pinned || f.derived.focus; }
bool is_changed(const Frame& f) { return attn::is_altered(f.state.document); }
bool has_head_to_switch(const Frame& f) { return head_to_switch(f).has_value(); }
void switch_shown_head(const Frame& f) { switch_head(f, *head_to_switch(f)); }
bool has_typed_pin(const Frame& f) { return f.view().pinned && edit_at(f.state.document, *f.view().pinned); }
bool can_undo(const Frame& f) { return f.state.history.can_undo(); }
bool can_redo(const Frame& f) { return f.state.history.can_redo(); }
bool has_seeds(const Frame& f) { return attn::seeds_weights(f.state.document) || attn::seeds_vectors(f.state.document); }

void move_pin(const Frame& f, int rows, int cols) {
    if (!f.view().pinned && f.derived.focus)
        f.push(Pin{CellRef{f.trace()[f.derived.focus->step].tag, f.derived.focus->row, f.derived.focus->col}});
    f.push(MovePin{rows, cols});
}

template <Screen screen>
void go_to_screen(const Frame& f) {
    show_screen(f, screen);
}
template <Detail level>
void choose_level(const Frame& f) {
    f.change_view([](ViewState& v) { v.level = level; });
}
/// A column that the level lacks is shown by switching to the level with everything.
bool is_beyond_level(const Frame& f, Part column) {
    const ScreenRow& screen = row_of(f.view().screen);
    return !has_part(f.view().level, column) && (column == Part::steps ? screen.steps : screen.inspector);
}
void bring_steps(const Frame& f) {
    if (!is_beyond_level(f, Part::steps)) return toggle_sheet(f, Sheet::Steps);
    choose_level<Detail::Everything>(f);
}
template <Screen screen>
bool is_there(const Frame& f) {
    return has_screen(f, screen);
}
template <Sheet sheet>
void show_sheet(const Frame& f) {
    toggle_sheet(f, sheet);
}

/// The column of the cell: next to the stage if there is room, else over it.
void show_inspector(const Frame& f) {
    if (is_beyond_level(f, Part::inspector))
        return f.change_view([](ViewState& v) {
            v.level = Detail::Everything;
            v.inspector = true;
        });
    if (!inspector_has_handle(f)) return toggle_sheet(f, Sheet::Cell);
    f.change_view([](ViewState& v) { v.inspector = !v.inspector; });
}

/// On most keyboards Q is next to A or W: a slip while typing must not close the window.
void quit(const Frame& f) {
    constexpr double kSlip = 1;  // second
    TypedLately& typed = f.scratch.typed;
    if (typed.ago < kSlip && !std::exchange(typed.warned, true)) return f.push(Tell{std::string(f.say(Str::quit_again))});
    f.change_view([](ViewState& v) { v.quit = true; });
}

/// To the course, where it was left; in the course, to its chapters.
void go_on_learning(const Frame& f) {
    if (f.view().course.open() && f.view().screen != Screen::Home) return toggle_sheet(f, Sheet::Chapters);
    f.push(CourseAction{page_to_learn(f.state)});
}

bool in_course(const Frame& f) { return f.derived.part<CoursePage>().chapter && !f.view().present.on; }
bool has_page(const Frame& f) { return f.derived.part<CoursePage>().page != nullptr; }
bool presents(const Frame& f) { return f.view().present.on; }
template <auto which>
void turn(const Frame& f) {
    f.change_view([](ViewState& v) { v.present.*which = !(v.present.*which); });
}

void other_language(const Frame& f) {
    f.change_view(
        [](ViewState& v) { v.language = v.language == Language::English ? Language::Chinese : Language::English; });
}

bool keeps_run(const Frame& f) { return has_stored_run(f.view().part<Comparison>()); }

/// Keeps this run for comparison with later ones.
void keep_run(const Frame& f) {
    Comparison with = f.view().part<Comparison>();
    keep(with, f.state.document);
    f.change_view([with = std::move(with)](ViewState& v) { v.part<Comparison>() = with; });
    f.push(Tell{std::string(f.say(Str::run_kept))});
}

/// Swaps the kept run with the document.
void exchange_runs(const Frame& f) {
    auto document = stored_run_document(f.view().part<Comparison>());
    if (!document) return;
    keep_run(f);
    f.push(becomes(std::move(*document)));
}

void new_seed(const Frame& f) {
    f.edit([](attn::Document& d) {
        if (attn::seeds_weights(d)) ++d.weight_seed;
        if (attn::seeds_vectors(d)) ++d.vector_seed;
    });
}

void grow(const Frame& f, float by) {
    f.change_view([by](ViewState& v) { v.scale += by; });
}

constexpr auto kWatch = CommandGroup::Watch, kCloser = CommandGroup::Closer, kChange = CommandGroup::Change,
               kLook = CommandGroup::Look, kExport = CommandGroup::Export, kRoom = CommandGroup::Room,
               kChapters = CommandGroup::Chapters, kProgram = CommandGroup::Program;

const UserCommand kCommands[] = {
    {"play", kWatch, Str::do_play, Str::key_play, "Space", play_or_pause, can_walk},
    {"step_back", kWatch, Str::do_step_back, Str::key_step, "←", step_by<-1>, can_walk, Keys::Free, true},
    {"step_forward", kWatch, Str::do_step_forward, Str::key_step, "→", step_by<1>, can_walk, Keys::Free, true},
    {"first_step", kWatch, Str::do_first_step, Str::key_ends, "Home", to_first, can_walk},
    {"last_step", kWatch, Str::do_last_step, Str::key_ends, "End", to_last, can_walk},
    {"question", kWatch, Str::do_question, Str::key_question, "Q", toggle_question, can_ask},
    {"replay", kWatch, Str::do_replay, Str::key_replay, "R", [](const Frame& f) { f.push(Replay{}); }, has_motion},
    {"previous_head", kWatch, Str::do_previous_head, Str::key_head, "↑",
     [](const Frame& f) { f.push(ChooseHead{f.view().head - 1}); }, has_several_heads, Keys::Free, true},
    {"next_head", kWatch, Str::do_next_head, Str::key_head, "↓",
     [](const Frame& f) { f.push(ChooseHead{f.view().head + 1}); }, has_several_heads, Keys::Free, true},

    {"pin_left", kCloser, Str::do_pin_left, Str::key_cell, "Alt+←", [](const Frame& f) { move_pin(f, 0, -1); },
     has_focus, Keys::Free, true},
    {"pin_right", kCloser, Str::do_pin_right, Str::key_cell, "Alt+→", [](const Frame& f) { move_pin(f, 0, 1); },
     has_focus, Keys::Free, true},
    {"pin_up", kCloser, Str::do_pin_up, Str::key_cell, "Alt+↑", [](const Frame& f) { move_pin(f, -1, 0); }, has_focus,
     Keys::Free, true},
    {"pin_down", kCloser, Str::do_pin_down, Str::key_cell, "Alt+↓", [](const Frame& f) { move_pin(f, 1, 0); },
     has_focus, Keys::Free, true},
    {"map_closer", kCloser, Str::do_map_closer, Str::key_map, "+", come_closer, can_come_closer, Keys::Free, true},
    {"map_farther", kCloser, Str::do_map_farther, Str::key_map, "−", go_farther, can_go_farther, Keys::Free, true},
    {"map_fit", kCloser, Str::do_map_fit, Str::key_map, "0", fit_picture, shows_part},
    {"find", kCloser, Str::do_find, Str::key_find, "Ctrl+F", [](const Frame& f) { open_search(f, false); }, has_steps,
     Keys::Always},
    {"find_row", kCloser, Str::do_find_row, Str::key_find, "Ctrl+G", [](const Frame& f) { open_search(f, true); },
     has_steps, Keys::Always},
    {"find_next", kCloser, Str::do_find_next, Str::key_find_next, "N", [](const Frame& f) { go_to_found(f, 1); },
     has_found, Keys::Free, true},
    {"find_previous", kCloser, Str::do_find_previous, Str::key_find_next, "Shift+N",
     [](const Frame& f) { go_to_found(f, -1); }, has_found, Keys::Free, true},
    {"unpin", kCloser, Str::do_unpin, Str::key_unpin, "Esc", unpin_or_close, is_close},
    {"gradient", kCloser, Str::do_gradient, Str::key_gradient, "G", turn_back, can_turn_back},
    {"gradient_of_loss", kCloser, Str::do_gradient_of_loss, Str::key_gradient, "Shift+G", turn_back_from_loss, can_turn_back_from_loss},
    {"description", kCloser, Str::do_description, Str::key_description, "Ctrl+D", show_sheet<Sheet::Description>, has_steps, Keys::Always},

    {"edit_text", kChange, Str::do_edit_text, Str::key_text, "Ctrl+L",
     [](const Frame& f) { f.scratch.focus_text = true; }, nullptr, Keys::Always},
    {"type_over", kChange, Str::do_type_over, Str::key_type, "Enter",
     [](const Frame& f) { open_number_field(f, *f.view().pinned); }, has_forward_pin},
    {"compute_again", kChange, Str::do_compute_again, Str::key_reset, "Del ⌫",
     [](const Frame& f) { f.edit([pinned = *f.view().pinned](attn::Document& d) { reset_cell(d, pinned); }); }, has_typed_pin},
    {"show_change", kChange, Str::do_show_change, Str::key_change, "D",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.difference = !v.difference; }); }, is_changed},
    {"switch_head", kChange, Str::do_switch_head, Str::key_switch_head, "O", switch_shown_head, has_head_to_switch},
    {"examples", kChange, Str::do_examples, Str::key_examples, "Ctrl+O", show_sheet<Sheet::Examples>, nullptr, Keys::Always},
    {"forms", kChange, Str::do_forms, Str::key_examples, "Ctrl+Shift+F", show_sheet<Sheet::Forms>, nullptr, Keys::Always},
    {"models", kChange, Str::do_models, Str::key_examples, "Ctrl+M", show_sheet<Sheet::Models>, nullptr, Keys::Always},
    {"undo", kChange, Str::do_undo, Str::key_undo, "Ctrl+Z", [](const Frame& f) { f.push(Undo{}); }, can_undo, Keys::Free,
     true},
    {"redo", kChange, Str::do_redo, Str::key_redo, "Ctrl+Y Ctrl+Shift+Z", [](const Frame& f) { f.push(Redo{}); }, can_redo, Keys::Free,
     true},
    {"new_seed", kChange, Str::do_new_seed, Str::key_seed, "F9", new_seed, has_seeds, Keys::Always},

    {"export", kExport, Str::do_export, Str::key_export, "Ctrl+E", show_sheet<Sheet::Export>, nullptr, Keys::Always},
    {"save", kExport, Str::do_save, Str::key_save, "Ctrl+S",
     [](const Frame& f) { open_export(f, Subject::Document, "json"); }, nullptr, Keys::Always},
    {"copy", kExport, Str::do_copy, Str::key_copy, "Ctrl+C", copy_number_or_matrix, has_steps},
    {"copy_matrix", kExport, Str::do_copy_matrix, Str::key_copy_matrix, "Ctrl+Shift+C",
     [](const Frame& f) { copy_matrix(f, kClipboardFormat); }, has_steps},
    {"copy_link", kExport, Str::do_copy_link, Str::key_link, "Ctrl+Shift+L", copy_link, nullptr, Keys::Always},
    {"paste", kExport, Str::do_paste, Str::key_paste, "Ctrl+V", paste},

    {"screen_stage", kLook, Str::do_screen_stage, Str::key_screen, "F2", go_to_screen<Screen::Stage>, nullptr,
     Keys::Always},
    {"screen_compare", kLook, Str::do_screen_compare, Str::key_screen, "F3", go_to_screen<Screen::Compare>,
     is_there<Screen::Compare>, Keys::Always},
    {"screen_experiments", kLook, Str::do_screen_experiments, Str::key_screen, "F4", go_to_screen<Screen::Experiments>, is_there<Screen::Experiments>,
     Keys::Always},
    {"screen_flow", kLook, Str::do_screen_flow, Str::key_screen, "F8", go_to_screen<Screen::Flow>,
     is_there<Screen::Flow>, Keys::Always},
    {"screen_heads", kLook, Str::do_screen_heads, Str::key_screen, "F10",
     [](const Frame& f) { f.view().screen == Screen::Heads ? next_heads_page(f) : show_screen(f, Screen::Heads); },
     is_there<Screen::Heads>, Keys::Always},
    {"screen_prediction", kLook, Str::do_screen_prediction, Str::key_prediction, "W",
     [](const Frame& f) { f.view().screen == Screen::Prediction ? turn_prediction_page(f) : show_screen(f, Screen::Prediction); },
     is_there<Screen::Prediction>},
    {"take_prediction", kChange, Str::do_take_prediction, Str::key_take, "A", take_predicted_token, can_take_predicted},
    {"screen_train", kLook, Str::do_screen_train, Str::key_train, "Ctrl+T", go_to_screen<Screen::Train>, is_there<Screen::Train>,
     Keys::Always},
    {"lines_or_heatmap", kLook, Str::do_lines_or_heatmap, Str::key_heatmap, "L", switch_lines_and_heatmap,
     [](const Frame& f) { return f.view().screen == Screen::Heads; }},
    {"keep_run", kLook, Str::do_keep_run, Str::key_keep, "K", keep_run, has_steps},
    {"exchange_runs", kLook, Str::do_exchange_runs, Str::key_keep, "Shift+K", exchange_runs, keeps_run},
    // When presenting, the keys of these take precedence over all others (keys.cpp).
    {"present", kRoom, Str::do_present, Str::key_present, "F5 Ctrl+2", toggle_presenting, nullptr, Keys::Always},
    {"room_next", kRoom, Str::do_room_next, Str::key_room_next, "PgDn → ↓ Space Enter", next_presented, presents},
    {"room_back", kRoom, Str::do_room_back, Str::key_room_back, "PgUp ← ↑", back_presented, presents},
    {"room_dark", kRoom, Str::do_room_dark, Str::key_room, "B .", turn<&Presentation::blank>, presents},
    {"room_spotlight", kRoom, Str::do_room_spotlight, Str::key_room, "S", turn<&Presentation::spotlight>, presents},
    {"room_pen", kRoom, Str::do_room_pen, Str::key_room, "P", turn<&Presentation::pen>, presents},
    {"room_wipe", kRoom, Str::do_room_wipe, Str::key_room_wipe, "Del ⌫", wipe_pen, presents},
    {"room_leave", kRoom, Str::do_room_leave, Str::key_room_leave, "Esc", leave_presenting, presents},

    {"learn", kChapters, Str::do_learn, Str::key_mode, "Alt+L", go_on_learning,
     [](const Frame& f) { return f.state.chapters && !f.state.chapters->chapters.empty(); }},
    {"mode_study", kChapters, Str::do_mode_study, Str::key_mode, "Ctrl+1", [](const Frame& f) { enter_mode(f, Mode::Study); },
     [](const Frame& f) { return f.state.chapters && mode_of(f.view()) != Mode::Study; }, Keys::Always},
    {"mode_inspect", kChapters, Str::do_mode_inspect, Str::key_mode, "Ctrl+3", [](const Frame& f) { enter_mode(f, Mode::Inspect); },
     [](const Frame& f) { return mode_of(f.view()) != Mode::Inspect; }, Keys::Always},
    {"chapters", kChapters, Str::do_chapters, Str::key_chapters, "Ctrl+B", show_sheet<Sheet::Chapters>, nullptr, Keys::Always},
    {"chapter_next", kChapters, Str::do_chapter_next, Str::key_chapter_page, "PgDn",
     [](const Frame& f) { f.push(CourseAction{TurnPage{1}}); }, in_course},
    {"chapter_back", kChapters, Str::do_chapter_back, Str::key_chapter_page, "PgUp",
     [](const Frame& f) { f.push(CourseAction{TurnPage{-1}}); }, in_course},
    {"chapter_own", kChapters, Str::do_chapter_own, Str::key_chapter_own, "Ctrl+R",
     [](const Frame& f) { f.push(CourseAction{OwnNumbers{}}); }, has_page, Keys::Always},
    {"glossary", kChapters, Str::do_glossary, Str::key_glossary, "Ctrl+Shift+B", show_sheet<Sheet::Glossary>, nullptr,
     Keys::Always},
    {"chapter_close", kChapters, Str::do_chapter_close, Str::key_chapters, "Ctrl+W",
     [](const Frame& f) { f.push(CourseAction{CloseChapter{}}); }, in_course},

    {"next_theme", kLook, Str::do_next_theme, Str::key_theme, "F6",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.theme = next_theme(v.theme); }); }, nullptr, Keys::Always},
    {"other_language", kLook, Str::do_other_language, Str::key_language, "F7", other_language, nullptr, Keys::Always},
    {"larger", kLook, Str::do_larger, Str::key_scale, "Ctrl++", [](const Frame& f) { grow(f, kScaleStep); }, nullptr,
     Keys::Always, true},
    {"smaller", kLook, Str::do_smaller, Str::key_scale, "Ctrl+−", [](const Frame& f) { grow(f, -kScaleStep); }, nullptr,
     Keys::Always, true},
    {"usual_size", kLook, Str::do_usual_size, Str::key_scale, "Ctrl+0",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.scale = 1; }); }, nullptr, Keys::Always},
    {"colors", kLook, Str::do_colors, Str::key_colors, "C",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.shared_scale = !v.shared_scale; }); }},
    {"pooling", kLook, Str::do_pooling, Str::key_pooling, "X",
     [](const Frame& f) {
         f.change_view([](ViewState& v) { v.pooling = v.pooling == Pooling::Mean ? Pooling::Largest : Pooling::Mean; });
     }},
    {"convention", kLook, Str::do_convention, Str::key_convention, "T",
     [](const Frame& f) {
         f.change_view([](ViewState& v) {
             using attn::Convention;
             v.convention = v.convention == Convention::Rows ? Convention::Columns : Convention::Rows;
         });
     }},
    {"cube", kLook, Str::do_cube, Str::key_cube, "V",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.cube = !v.cube; }); }, has_steps},
    {"fan_heads", kLook, Str::do_fan_heads, Str::key_fan, "H",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.flow.fan = !v.flow.fan; }); }, has_fan},
    {"motion", kLook, Str::do_motion, Str::key_motion, "M",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.still = !v.still; }); }},
    {"drawer_steps", kLook, Str::do_drawer_steps, Str::key_drawer, "Ctrl+,", bring_steps,
     [](const Frame& f) { return is_drawer(f, Place::Left) || is_beyond_level(f, Part::steps); }, Keys::Always},
    {"drawer_cell", kLook, Str::do_drawer_cell, Str::key_drawer, "Ctrl+I", show_inspector,
     [](const Frame& f) { return is_drawer(f, Place::Right) || inspector_has_handle(f) || is_beyond_level(f, Part::inspector); }, Keys::Always},
    {"panels", kLook, Str::do_panels, Str::key_panels, "F12",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.panels = !v.panels; }); }, nullptr, Keys::Always},
    {"full_screen", kLook, Str::do_full_screen, Str::key_full, "F11",
     [](const Frame& f) { f.change_view([](ViewState& v) { v.full_screen = !v.full_screen; }); }, nullptr,
     Keys::Always},

    {"home", kProgram, Str::do_home, Str::key_home, "Alt+Home", go_to_screen<Screen::Home>},
    {"detail_first", kProgram, Str::do_detail_first, Str::key_detail, "Alt+1", choose_level<Detail::FirstLook>},
    {"detail_numbers", kProgram, Str::do_detail_numbers, Str::key_detail, "Alt+2", choose_level<Detail::WithNumbers>},
    {"detail_everything", kProgram, Str::do_detail_everything, Str::key_detail, "Alt+3", choose_level<Detail::Everything>},
    {"palette", kProgram, Str::do_palette, Str::key_palette, "Ctrl+K Ctrl+Shift+P", show_sheet<Sheet::Palette>, nullptr,
     Keys::Always},
    {"tour", kProgram, Str::do_tour, Str::key_tour, "Shift+F1", begin_tour},
    {"help", kProgram, Str::do_help, Str::key_search_help, "?", show_sheet<Sheet::Help>},
    {"keys", kProgram, Str::do_keys, Str::key_help, "F1", show_sheet<Sheet::Keys>},
    {"quit", kProgram, Str::do_quit, Str::key_quit, "Ctrl+Q", quit, nullptr, Keys::Always},
};

}  // namespace

std::span<const UserCommand> commands_of_user() { return kCommands; }

}  // namespace app
