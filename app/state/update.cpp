#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/state/derived.h"
#include "app/state/screens.h"
#include "app/state/state.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// The most time that one frame may advance the animation: after a suspend it continues where it was.
constexpr double kLongestFrame = 0.1;
/// Seconds from the flow to the stage.
constexpr double kPassage = 0.7;
/// Seconds of a camera motion of the flow.
constexpr double kFlight = 0.9;
/// Seconds in which the heads fan out.
constexpr double kFanning = 0.8;

double in_steps(double progress) { return std::round(std::clamp(progress, 0.0, 1.0) * kProgressSteps) / kProgressSteps; }

struct Updater {
    AppState& state;
    const Derived& derived;

    ViewState& view() { return state.view; }
    /// Whether the walk waits after each step.
    bool by_step() const { return state.view.pace == WalkPace::Step; }

    void go_to(int stop, double progress) {
        const auto& stops = derived.timeline.stops;
        if (stops.empty()) return;
        const auto at = static_cast<std::size_t>(std::clamp(stop, 0, static_cast<int>(stops.size()) - 1));
        view().playhead = {derived.run->trace[stops[at].step].tag, in_steps(progress)};
    }

    void seek(double time) {
        const Pose pose = pose_at(derived.timeline, time);
        view().rest = 0;
        if (pose.step == attn::kNoStep) return;
        go_to(pose.stop, pose.progress);
        const Stop& stop = derived.timeline.stops[static_cast<std::size_t>(pose.stop)];
        view().rest = std::clamp(time - stop.start - pose.progress * stop.motion, 0.0, stop.rest);
    }

    void operator()(const EditDocument& edit) {
        attn::Document next = state.document;
        edit.change(next);
        if (next == state.document) return;
        if (keep_locked(state, next)) view().done = tr(Str::chapter_locked, view().language);
        if (next == state.document) return;
        state.history.remember(state.document, edit.gesture);
        // Another text has other rows, so it is first shown whole.
        const bool same_rows = next.text == state.document.text && next.tokens == state.document.tokens;
        if (!same_rows) {
            view().map = {};
            view().flow.followed = view().flow.followed_before = -1;
        }
        state.document = std::move(next);
        settle();
    }
    void operator()(const StartExport& start) {
        if (state.exporting.running) return;
        state.exporting = {};
        state.exporting.ordered = view().exporting;
        state.exporting.replace = start.replace;
    }
    void operator()(const CancelExport&) { state.exporting.cancel = true; }
    void operator()(const ExportNews& news) { state.exporting = news.state; }
    void operator()(const Tell& tell) { view().done = tell.sentence; }
    void operator()(const OwnAction& action) {
        if (action.act(state, derived)) settle();
    }
    void operator()(const Undo&) {
        if (state.history.undo(state.document)) settle();
    }
    void operator()(const Redo&) {
        if (state.history.redo(state.document)) settle();
    }
    void operator()(const Pin& pin) { view().pinned = pin.cell; }
    void operator()(const PointAt& point) { view().pointed = point.cell; }
    void operator()(const LightUp& light) { view().lit = light.cell; }
    void operator()(const Replay&) {
        if (derived.timeline.stops.empty() || view().still) return;
        go_to(derived.pose.stop, 0);
        view().rest = 0;
        view().playing = view().one_step = true;
    }
    void operator()(const MovePin& move) {
        if (!view().pinned) return;
        const attn::Step* step = attn::find(derived.run->trace, view().pinned->tag);
        if (!step || step->value.size() == 0) return;
        CellRef& cell = *view().pinned;
        const bool turned = view().convention == attn::Convention::Columns;
        const int rows = turned ? move.cols : move.rows, cols = turned ? move.rows : move.cols;
        cell.row = std::clamp(cell.row + rows, 0, static_cast<int>(step->value.rows()) - 1);
        cell.col = std::clamp(cell.col + cols, 0, static_cast<int>(step->value.cols()) - 1);
    }
    void operator()(const Play& play) {
        // Playing at the end starts over.
        const bool at_end = derived.time >= derived.timeline.length() - derived.last_rest();
        view().course.play_to.reset();
        if (play.on && !derived.timeline.stops.empty() && at_end)
            go_to(0, 0);
        else if (play.on && by_step() && view().playhead.progress >= 1)
            go_to(derived.pose.stop + 1, 0);
        view().playing = play.on;
        view().one_step = play.on && by_step();
        view().rest = 0;
    }
    /// The stop that many further on; when presenting, stops that change nothing, and so have no caption, are skipped.
    int worth_showing(int stop, int by) {
        int to = stop + by;
        const auto& stops = derived.timeline.stops;
        const auto silent = [&] {
            return to >= 0 && to < static_cast<int>(stops.size()) && stops[static_cast<std::size_t>(to)].news == News::Nothing;
        };
        while (view().present.on && silent()) to += by < 0 ? -1 : 1;
        return to;
    }
    void operator()(const PlayNext&) {
        const int stop = derived.pose.stop;
        view().rest = 0;
        if (view().playhead.progress < 1) {
            view().playing = false;
            return go_to(stop, 1);
        }
        const int next = worth_showing(stop, 1);
        if (next >= static_cast<int>(derived.timeline.stops.size())) {  // a story still has its arcs to show
            view().rest = derived.last_rest();
            return;
        }
        go_to(next, view().still ? 1 : 0);
        view().playing = view().one_step = !view().still;
    }
    void operator()(const Seek& to) { seek(to.time); }
    void operator()(const GoToStop& to) {
        go_to(to.stop, to.progress);
        view().rest = 0;
    }
    void operator()(const StepBy& by) {
        view().playing = false;
        // Going back from the middle of a motion goes to where it began: the stop before, finished.
        const int to = worth_showing(derived.pose.stop, by.stops);
        const bool past = to < 0 || to >= static_cast<int>(derived.timeline.stops.size());
        go_to(past && view().present.on ? derived.pose.stop : to, 1);
        view().rest = 0;
    }
    void operator()(const EnterMatrix& enter) {
        const int stop = stop_of(derived.timeline, derived.run->trace, enter.cell.tag);
        if (stop < 0) return;
        view().playing = false;
        view().rest = 0;
        go_to(stop, 1);
        view().pinned = enter.cell;
        view().pointed.reset();
        view().passage = Passage{enter.cell};
        view().flow.flight.reset();
        view().flow.entered = true;
        pass(view().still ? kPassage : 0);
    }
    void operator()(const LeaveMatrix&) {
        if (view().screen != Screen::Stage) return;
        view().screen = Screen::Flow;
        see({});
        view().flow.flight.reset();
        view().flow.entered = false;
        view().passage = Passage{CellRef{view().playhead.tag}, 1, true};
        pass(view().still ? kPassage : 0);
    }
    /// Advances the transition between flow and stage.
    void pass(double seconds) {
        if (!view().passage) return;
        Passage& way = *view().passage;
        way.passed += (way.back ? -seconds : seconds) / kPassage;
        if (way.passed >= 1 && !way.back) view().screen = Screen::Stage;
        if (way.back ? way.passed <= 0 : way.passed >= 1) view().passage.reset();
    }
    void see(const FlowCamera& camera) { static_cast<FlowCamera&>(view().flow) = camera; }
    void operator()(const LookAt& at) {
        if (derived.places.empty()) return;
        const int place = std::clamp(at.place, 0, static_cast<int>(derived.places.size()) - 1);
        // From the stage, first go back to the flow.
        if (view().screen == Screen::Stage) (*this)(LeaveMatrix{});
        if (view().screen != Screen::Flow) return;
        const FlowCamera to = clamped(at.camera, derived.map, place),
                         from = moved_to(derived.map, view().flow, derived.place, place);
        if (place != derived.place) {
            const FlowPlace& there = derived.places[static_cast<std::size_t>(place)];
            view().playing = false;
            view().rest = 0;
            go_to(derived.timeline.sections[static_cast<std::size_t>(there.last)].last, 1);
        }
        view().flow.flight.reset();
        see(at.flies ? from : to);
        if (at.flies && from != to) view().flow.flight = FlowFlight{from, to};
        fly(view().still ? kFlight : 0);
    }
    /// Advances the flow's camera; it waits until the stage is left.
    void fly(double seconds) {
        FlowLook& look = view().flow;
        if (!look.flight || view().passage) return;
        look.flight->passed += seconds / kFlight;
        see(between(look.flight->from, look.flight->to, look.flight->passed));
        if (look.flight->passed < 1) return;
        see(look.flight->to);
        look.flight.reset();
    }
    /// Moves the heads apart, or back behind the one in front.
    void fan(double seconds) {
        FlowLook& look = view().flow;
        const double way = (look.fan ? seconds : -seconds) / kFanning;
        look.fanned = view().still ? (look.fan ? 1 : 0) : std::clamp(look.fanned + way, 0.0, 1.0);
    }
    /// Moves the picture from the previously followed word to the current one.
    void follow(double seconds) {
        constexpr double kSwing = 0.35;
        FlowLook& look = view().flow;
        look.swing = view().still ? 1 : std::min(1.0, look.swing + seconds / kSwing);
    }
    /// Lets the arcs move from what they show to what they will show.
    void swing() {
        Opening& opening = view().opening;
        if (!derived.opening || view().still) {
            opening.before.clear();
            opening.swing = 1;
            return;
        }
        std::vector<float> shown;
        for (std::size_t i = 0; i < derived.opening->shares.size(); ++i) shown.push_back(shown_share(*derived.opening, opening, i));
        opening.before = std::move(shown);
        opening.swing = 0;
    }
    void operator()(const OpeningAction& action) {
        ViewState& v = view();
        Opening& opening = v.opening;
        using Do = OpeningAction::Do;
        switch (action.what) {
            case Do::Guess:
                if (v.asking == Asking::Asked) opening.guess = opening.guess == action.word ? -1 : action.word;
                return;
            case Do::Answer:
                if (v.asking == Asking::Asked)
                    opening.seconds = v.still ? kAnswerSeconds : 0;
                else if (v.asking == Asking::Answered)
                    opening.seconds = kAnswerSeconds;
                else
                    return;
                v.asking = Asking::Answered;
                return;
            case Do::AskWith:
                if (v.asking != Asking::Answered || !derived.opening || action.word == derived.opening->query) return;
                swing();
                opening.word = action.word;
                opening.seconds = kAnswerSeconds;
                return;
            case Do::LookInside:
                return look_inside();
            case Do::Again:
                v.asking = Asking::Asked;
                v.opening = {};
                v.screen = Screen::Stage;
                v.playing = v.one_step = false;
                v.pinned.reset();
                return;
        }
    }
    /// Shows the answer's row in the flow of its word: the walk then explains its largest weight.
    void look_inside() {
        ViewState& v = view();
        if (v.asking == Asking::None || v.asking == Asking::Leaving) return;
        v.screen = derived.opening ? Screen::Flow : Screen::Stage;
        v.playing = v.one_step = false;
        v.rest = 0;
        if (derived.opening) {
            const attn::Tag tag = derived.run->trace[derived.opening->weights].tag;
            v.playhead = {tag, 1};
            v.pinned = CellRef{tag, derived.opening->query, derived.opening->key};
            if (tag.head != attn::kNoHead) v.head = tag.head;
            v.flow = {};
            v.flow.followed = derived.opening->query;
        }
        const bool moves = derived.opening && v.asking == Asking::Answered && !v.still;
        v.asking = moves ? Asking::Leaving : Asking::None;
        v.opening.seconds = 0;
        v.opening.swing = 1;
    }
    /// Adjusts the level to where the user goes, after any action. First look is the opening: going on from it to a
    /// screen that shows numbers, or into a chapter, which covers everything, asks for more; coming back to first look
    /// shows the answer again. A chapter changes the level only while it is open.
    void follow_level(Detail before, Asking asking_before) {
        ViewState& v = view();
        if (v.course.open() && !v.own_level) {
            v.own_level = before;
            v.level = Detail::Everything;
        } else if (!v.course.open() && v.own_level) {
            v.level = *std::exchange(v.own_level, std::nullopt);
        }
        const Detail needed = first_with(part_of(v.screen));
        if (v.level < needed && v.level < before)
            v.screen = Screen::Stage;  // the level was lowered
        else
            v.level = std::max(v.level, needed);
        const bool asks = v.asking == Asking::Asked || v.asking == Asking::Answered, asked_already = asking_before != Asking::None;
        if (v.level > Detail::FirstLook) {
            if (before == Detail::FirstLook && asks && !v.own_level) look_inside();
        } else if (v.screen == Screen::Stage && !v.course.open() && !asks) {
            if (before == Detail::FirstLook && asked_already && !v.own_level) {
                v.level = Detail::WithNumbers;
            } else {
                v.playing = v.one_step = false;
                v.asking = Asking::Answered;
                v.opening = {};
                v.opening.seconds = kAnswerSeconds;
            }
        }
    }
    /// Advances the opening.
    void pass_opening(double seconds) {
        ViewState& v = view();
        if (!v.opening_moves()) return;
        const double end = v.asking == Asking::Asked ? kBreathSeconds : v.asking == Asking::Answered ? kAnswerSeconds : kLeavingSeconds;
        v.opening.seconds = std::min(v.opening.seconds + seconds, end);
        v.opening.swing = std::min(1.0, v.opening.swing + seconds / kSwingSeconds);
        if (v.asking == Asking::Leaving && v.opening.seconds >= end) {
            v.asking = Asking::None;
            v.opening = {};
        }
    }
    /// For another text the question is asked again; if the answer is shown, its arcs move. Playing, or going to another screen, ends the
    /// opening.
    void follow_opening(bool other_text) {
        ViewState& v = view();
        const bool elsewhere = v.screen != Screen::Stage && !(v.screen == Screen::Flow && v.asking == Asking::Leaving);
        if (v.playing || elsewhere) {
            v.asking = Asking::None;
            v.opening = {};
        } else if (other_text && v.asking == Asking::Answered) {
            swing();
            v.opening.guess = v.opening.word = -1;
            v.opening.seconds = kAnswerSeconds;
        } else if (other_text) {
            v.asking = Asking::Asked;
            v.opening.guess = v.opening.word = -1;
        }
    }
    void operator()(const ChooseHead& choice) {
        // The query word stays the query.
        if (view().asking == Asking::Answered && derived.opening && choice.head != view().head) {
            swing();
            view().opening.word = derived.opening->query;
            view().opening.seconds = kAnswerSeconds;
        }
        view().head = std::clamp(choice.head, 0, std::max(state.document.config.heads, 1) - 1);
        for (const ScreenRow& row : screens())
            if (row.head_chosen) row.head_chosen(view());
        settle();
    }
    /// A dialog covers the picture, so the walk waits. A drawer does not.
    bool is_covered() { return view().sheet != Sheet::None && view().sheet != Sheet::Steps && view().sheet != Sheet::Cell; }
    void operator()(const Advance& passed) {
        if (!(passed.seconds > 0)) return;  // rejects NaN, too
        state.history.pass(passed.seconds);
        pass(std::min(passed.seconds, kLongestFrame));
        fan(std::min(passed.seconds, kLongestFrame));
        follow(std::min(passed.seconds, kLongestFrame));
        fly(std::min(passed.seconds, kLongestFrame));
        pass_opening(std::min(passed.seconds, kLongestFrame));
        if (!view().playing || derived.timeline.stops.empty() || is_covered()) return;
        // The reverse pass that the playhead is in is still being computed.
        if (view().playhead.tag.pass != 0 && stop_of(derived.timeline, derived.run->trace, view().playhead.tag) < 0) return;
        play_on(std::min(passed.seconds, kLongestFrame) * view().speed);
    }
    void operator()(const ChangeView& change) {
        const int memory = view().memory;
        const Screen screen = view().screen;
        change.change(view());
        // The message about an action on one screen is not shown on the next.
        if (view().screen != screen) view().done.clear();
        if (view().memory != memory) attn::set_memory_budget(budget_of(view().memory));
        // Without motion the heads fan out at once.
        if (view().still) view().flow.fanned = view().flow.fan ? 1 : 0;
        view().scale = std::clamp(view().scale, kMinScale, kMaxScale);
        view().speed = std::clamp(view().speed, kMinSpeed, kMaxSpeed);
        // The picture never leaves the window: its center goes at most to where its edge is visible.
        if (view().screen != Screen::Flow) view().flow.flight.reset();
        if (view().screen != Screen::Stage && !view().passage) view().flow.entered = false;
        if (!view().flow.flight) see(clamped(view().flow.camera(), derived.map, derived.place));
        view().map = clamped(view().map);
        if (view().screen != Screen::Flow) view().passage.reset();
        if (!view().present.on) view().present = {};
        settle();
    }

    /// Advances along the timeline; at its end, playing stops.
    void play_on(double seconds) {
        const Stop& stop = derived.timeline.stops[static_cast<std::size_t>(derived.pose.stop)];
        const double at = stop.start + view().playhead.progress * stop.motion + view().rest + seconds;
        if (view().one_step && at >= stop.start + stop.motion) {
            go_to(derived.pose.stop, 1);
            view().playing = view().one_step = false;
            view().rest = 0;
            return;
        }
        if (view().course.play_to) {
            // The motion of a page ends at the step that is named; going past that step leaves it.
            const int last = stop_of(derived.timeline, derived.run->trace, *view().course.play_to);
            if (last >= 0 && derived.pose.stop > last) {
                view().course.play_to.reset();
            } else if (last >= 0 && at >= derived.timeline.stops[static_cast<std::size_t>(last)].start +
                                       derived.timeline.stops[static_cast<std::size_t>(last)].motion) {
                go_to(last, 1);
                view().playing = false;
                view().course.play_to.reset();
                view().rest = 0;
                return;
            }
        }
        if (at >= derived.timeline.length()) {
            go_to(static_cast<int>(derived.timeline.stops.size()) - 1, 1);
            view().playing = false;
            view().rest = derived.last_rest();
            return;
        }
        const Pose pose = pose_at(derived.timeline, at);
        go_to(pose.stop, view().still ? 1 : pose.progress);
        const Stop& now = derived.timeline.stops[static_cast<std::size_t>(pose.stop)];
        view().rest = std::max(0.0, at - now.start - view().playhead.progress * now.motion);
    }

    /// Without a gradient the steps of the reverse pass are gone: playhead and pin move to the forward value that the
    /// gradient belonged to.
    void leave_reverse() {
        ViewState& v = view();
        if (v.playhead.tag.pass != 0) {
            v.playhead = {v.playhead.tag.of_pass(0), 1};
            v.playing = v.one_step = false;
            v.rest = 0;
        }
        if (v.pinned && v.pinned->tag.pass > 1) v.pinned.reset();
        if (v.pinned) v.pinned->tag.pass = 0;
    }

    /// After a change of the document or the head: resets references to what is gone.
    void settle() {
        ViewState& v = view();
        v.head = std::clamp(v.head, 0, std::max(state.document.config.heads, 1) - 1);
        v.pointed.reset();
        v.lit.reset();
        const bool heads = state.document.config.heads > 1;
        const auto follow = [&](attn::Tag& tag) {
            if (tag.head != attn::kNoHead) tag.head = heads ? v.head : attn::kNoHead;
        };
        follow(v.playhead.tag);
        if (v.pinned) follow(v.pinned->tag);
        if (!state.document.gradient) leave_reverse();
    }
};

}  // namespace

namespace {

/// The message about the last action stays until the next one. Pointing and view changes do not count, nor does the
/// opening: a user who comes from it is still new.
bool ends_what_was_said(const Action& action) {
    return !std::holds_alternative<Advance>(action) && !std::holds_alternative<PointAt>(action) &&
           !std::holds_alternative<LightUp>(action) && !std::holds_alternative<ChangeView>(action) &&
           !std::holds_alternative<OpeningAction>(action) && !std::holds_alternative<ExportNews>(action);
}

}  // namespace

void update(AppState& state, const Action& action, const Derived& derived) {
    const Asking asking_before = state.view.asking;
    const bool asks = asking_before != Asking::None;
    const Detail level = state.view.level;
    const std::string text = asks ? state.document.text : std::string();
    if (ends_what_was_said(action)) {
        state.view.done.clear();
        state.view.offers_tour = false;  // the user found the way without it
    }
    Updater updater{state, derived};
    std::visit(updater, static_cast<const AnyAction&>(action));
    if (asks && state.view.asking != Asking::None) updater.follow_opening(state.document.text != text);
    updater.follow_level(level, asking_before);
}

namespace {
constexpr std::string_view kSheetIds[] = {"none",     "keys",     "palette", "export", "description", "tour", "chapters",
                                            "glossary", "examples", "forms",   "models", "steps",       "cell", "help"};
constexpr std::string_view kFormerDescription = "words";  ///< its id in older files
}  // namespace

std::string_view sheet_id(Sheet sheet) { return kSheetIds[static_cast<std::size_t>(sheet)]; }

std::optional<Sheet> find_sheet(std::string_view id) {
    if (id == kFormerDescription) return Sheet::Description;
    for (std::size_t i = 0; i < std::size(kSheetIds); ++i)
        if (kSheetIds[i] == id) return static_cast<Sheet>(i);
    return std::nullopt;
}

AppState first_state(Language language) {
    AppState state;
    state.view.language = language;
    state.document = example_document(language == Language::Chinese ? "morning" : "cat").document;
    state.view.playhead = {{attn::Role::Embeddings}, 1};
    return state;
}

}  // namespace app
