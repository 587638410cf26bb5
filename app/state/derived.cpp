#include "app/state/derived.h"

#include <algorithm>
#include <cmath>

#include "app/state/lesson_do.h"
#include "app/state/memo.h"
#include "app/state/refusals.h"
#include "app/state/runner.h"
#include "core/study/telling.h"

namespace app {
namespace {

std::optional<attn::Cell> cell_of(const attn::Trace& trace, const std::optional<CellRef>& ref) {
    if (!ref) return std::nullopt;
    const attn::StepId step = attn::find_id(trace, ref->tag);
    if (step == attn::kNoStep) return std::nullopt;
    const attn::Matrix& value = trace[step].value;
    if (ref->row >= value.rows() || ref->col >= value.cols()) return std::nullopt;
    return attn::Cell{step, ref->row, ref->col};
}

/// Paths between tokens of longer texts are measured on a thread.
constexpr std::size_t kPathsAtOnce = 128;
/// Larger matrices are subtracted on a thread.
constexpr Eigen::Index kSubtractedAtOnce = Eigen::Index{512} * 512;

}  // namespace

const attn::Error* Derived::refusal(std::string_view field, std::string_view id) const {
    for (const Refusal& one : refused)
        if (one.field == field && one.id == id) return &one.why;
    return nullptr;
}

Derived::Derived() = default;
Derived::Derived(const Derived&) = default;
Derived::Derived(Derived&&) noexcept = default;
Derived& Derived::operator=(const Derived&) = default;
Derived& Derived::operator=(Derived&&) noexcept = default;
Derived::~Derived() = default;

/// Each part is kept by all that it is made from: its key.
struct Deriver::Parts {
    /// A run beside the document's own, and the document that it is of.
    struct Side {
        DocumentRunner runner;
        std::optional<attn::Document> document;
        void follow(SideRun& run, const std::optional<attn::Document>& wanted);
    };
    DocumentRunner main;
    Side unedited, other;
    std::optional<attn::Document> document;
    Memo<std::pair<attn::Document, Comparison>, attn::Document> other_wanted;
    attn::Document other_document;

    using Generation = std::uint64_t;
    Memo<std::tuple<Generation, int>, Timeline> timeline;
    Memo<std::tuple<Generation, attn::StepId>, attn::Cell> told;
    attn::Cell told_cell;  ///< where the motion's explanation stands while nothing is pinned
    Memo<std::tuple<Generation, Language>, AxisLabels> labels;
    Memo<std::tuple<Generation, Language, std::string>, Found> found;

    using CellKey = std::tuple<Generation, std::optional<attn::Cell>, Language, attn::Convention>;
    Memo<CellKey, Inspection> inspection;
    Memo<CellKey, Substitution> of_pin, of_shown;
    Substitution pin_substitution;  ///< of the pinned cell, whatever is pointed at

    using LabKey = std::tuple<Generation, std::string, int, int, int, std::uint64_t, PathsLook>;
    LateMemo<LabKey, LabData> lab;
    Memo<std::tuple<Generation, int>, std::vector<FlowPlace>> places;
    Memo<std::tuple<Generation, int, int>, FlowGraph> flow;
    /// What the maps of the heads are made from, and what a page of them is.
    using MapsKey = std::tuple<Generation, Language, bool, bool, bool>;
    struct HeadsKey {
        MapsKey maps;
        HeadsChoice choice;
        int head = 0;
        LookedAt cells;
        bool operator==(const HeadsKey&) const = default;
    };
    LateMemo<HeadsKey, HeadsData> heads;
    using ComparedKey = std::tuple<Generation, Generation, bool, Comparison, attn::Tag, Language>;
    LateMemo<ComparedKey, Compared> compared;
    unsigned compared_serial = 0;
    LateMemo<std::tuple<Generation, Generation, attn::StepId>, Difference> edit_change;
    Memo<std::tuple<Generation, const LessonLibrary*, StudyView, Language, attn::Convention, std::string, int,
                    attn::Tag, std::optional<CellRef>, attn::PathChoice>,
         StudyPage>
        study;

    void take(Derived& derived, Outcome outcome);
    void follow_document(const AppState& state, Derived& derived);
    void follow_sides(const AppState& state, Derived& derived);
    void follow_time(const AppState& state, Derived& derived);
    void follow_focus(const AppState& state, Derived& derived);
    void follow_change(const AppState& state, Derived& derived);
    void follow_study(const AppState& state, Derived& derived);
    // What each screen (screens.inc) shows beside the run.
    void follow_stage(const AppState&, Derived&) {}
    void follow_compare(const AppState& state, Derived& derived);
    void follow_lab(const AppState& state, Derived& derived);
    void follow_flow(const AppState& state, Derived& derived);
    void follow_heads(const AppState& state, Derived& derived);

    void refresh(const AppState& state, Derived& derived);
    template <class Do>
    void each_runner(Do act) {
        for (DocumentRunner* runner : {&main, &unedited.runner, &other.runner}) act(*runner);
    }
    template <class Do>
    void each_job(Do act) {
        act(lab.job());
        act(heads.job());
        act(compared.job());
        act(edit_change.job());
    }
};

Deriver::Deriver() : parts_(std::make_unique<Parts>()) {}
Deriver::~Deriver() = default;

void Deriver::on_ready(std::function<void()> wake) {
    parts_->each_runner([&](auto& runner) { runner.on_ready(wake); });
    parts_->each_job([&](auto& job) { job.on_ready(wake); });
}

bool Deriver::ready() const {
    bool any = false;
    parts_->each_runner([&](auto& runner) { any |= runner.ready(); });
    parts_->each_job([&](auto& job) { any |= job.ready(); });
    return any;
}

bool Deriver::busy() const {
    bool any = false;
    parts_->each_job([&](auto& job) { any |= job.busy(); });
    return any;
}

std::map<std::string_view, int> Deriver::made() const {
    const Parts& p = *parts_;
    return {{"timeline", p.timeline.made()},
            {"labels", p.labels.made()},
            {"found", p.found.made()},
            {"inspection", p.inspection.made()},
            {"substitution", p.of_pin.made() + p.of_shown.made()},
            {"lab", p.lab.made()},
            {"places", p.places.made()},
            {"flow", p.flow.made()},
            {"heads", p.heads.made()},
            {"compared", p.compared.made()},
            {"edit_change", p.edit_change.made()},
            {"study", p.study.made()}};
}

void Deriver::Parts::take(Derived& derived, Outcome outcome) {
    derived.computing = false;
    derived.error = std::move(outcome.error);
    if (!outcome.computed) return;
    derived.computed = std::move(outcome.computed);
    derived.run = &derived.computed->run;
    ++derived.generation;
}

void Deriver::Parts::follow_document(const AppState& state, Derived& derived) {
    if (document && *document == state.document) {
        if (auto outcome = main.take()) take(derived, std::move(*outcome));
        return;
    }
    if (!document || !same_but_for_drags(*document, state.document)) derived.refused = refused_by(state.document);
    document = state.document;
    if (auto outcome = main.ask(state.document))
        take(derived, std::move(*outcome));
    else
        derived.computing = true;
    if (derived.computed) return;
    take(derived, {compute_all({}), std::move(derived.error)});  // there is always one to draw
    derived.computing = !derived.error;
}

void Deriver::Parts::Side::follow(SideRun& run, const std::optional<attn::Document>& wanted) {
    const auto use = [&](Outcome outcome) {
        run = {std::move(outcome.computed), run.generation + 1, std::move(outcome.error), false};
    };
    if (document == wanted) {
        if (auto outcome = runner.take()) use(std::move(*outcome));
        return;
    }
    document = wanted;
    if (!wanted) {
        runner.drop();
        return use({});
    }
    if (auto outcome = runner.ask(*wanted))
        use(std::move(*outcome));
    else
        run.computing = true;
}

void Deriver::Parts::follow_sides(const AppState& state, Derived& derived) {
    const attn::Document& now = state.document;
    const bool compares = state.view.screen == Screen::Compare;
    std::optional<attn::Document> without, beside;
    if (!now.edits.empty() && (state.view.difference || compares)) {
        without = now;
        without->edits.clear();
    }
    unedited.follow(derived.unedited, without);
    derived.same_run = compares && kind_of(state.view.comparison, now).what == Compares::Head;
    if (compares && !derived.same_run) {
        other_wanted.follow(other_document, {now, state.view.comparison},
                            [&](attn::Document& made) { made = app::other_document(now, state.view.comparison); });
        beside = other_document;
    }
    other.follow(derived.other, beside);
    if (compares || !compared.asked()) return;
    compared.forget();  // large matrices that nobody looks at
    derived.compared = {};
}

/// What the numbers typed over change in the step at the playhead.
void Deriver::Parts::follow_change(const AppState&, Derived& derived) {
    edit_change.take(derived.edit_change);
    const auto step = derived.pose.step;
    const std::tuple key{derived.generation, derived.unedited.generation, step};
    if (edit_change.asked_for(key)) return;
    derived.edit_change = {};
    const bool any = derived.unedited.computed && step != attn::kNoStep;
    const bool large = any && derived.run->trace[step].value.size() > kSubtractedAtOnce;
    const auto make = [any, now = derived.computed, before = derived.unedited.computed, step](const std::stop_token&) {
        return any ? edit_difference(now->run.trace, before->run.trace, step) : Difference{};
    };
    edit_change.ask(derived.edit_change, key, !large, make);
}

void Deriver::Parts::follow_compare(const AppState& state, Derived& derived) {
    compared.take(derived.compared);
    const Comparison& comparison = state.view.comparison;
    const attn::Trace& trace = derived.run->trace;
    const auto step = derived.pose.step;
    attn::Tag near = step == attn::kNoStep ? attn::Tag{} : trace[step].tag;
    near.head = state.document.config.heads > 1 ? state.view.head : attn::kNoHead;
    const ComparedKey key{derived.generation, derived.other.generation, derived.same_run, comparison, near,
                          state.view.language};
    if (compared.asked_for(key)) return;
    const ComparisonKind& kind = kind_of(comparison, state.document);
    derived.other_choices = choices_of(kind, state.document, state.view.head);
    derived.other_choice = choice_of(kind, comparison, derived.other_choices);
    const std::shared_ptr<const Computed> with = derived.same_run ? derived.computed : derived.other.computed;
    derived.compared = {};
    bool large = false;
    if (with) {
        derived.other_labels = labels_of(with->run.trace, state.view.language);
        ComparedPlace place{comparison.shown, near, {}, {}};
        if (kind.what == Compares::Order) place.swap = swap_of(comparison, static_cast<int>(trace.tokens.size()));
        if (kind.what == Compares::Head && !derived.other_choice.empty())
            place.other_head = std::stoi(derived.other_choice) - 1;
        // Where the matrices stand is known at once; what lies between large ones takes a while.
        derived.compared = place_runs(trace, with->run.trace, place);
        derived.compared.serial = ++compared_serial;
        const attn::StepId left = derived.compared.left;
        large = left != attn::kNoStep && trace[left].value.size() > kSubtractedAtOnce;
    }
    const auto make = [left = derived.computed, with, placed = derived.compared](const std::stop_token&) {
        Compared made = placed;
        if (with) subtract_runs(left->run.trace, with->run.trace, made);
        return made;
    };
    compared.ask(derived.compared, key, !large, make);
}

void Deriver::Parts::follow_time(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const int head = state.document.config.heads > 1 ? view.head : attn::kNoHead;
    timeline.follow(derived.timeline, {derived.generation, head},
                    [&](Timeline& made) { made = make_timeline(trace, head); });
    labels.follow(derived.labels, {derived.generation, view.language},
                  [&](AxisLabels& made) { made = labels_of(trace, view.language); });
    const bool number = view.search.rows && !view.search.text.empty() && view.search.text.front() != ':';
    const std::string searched = (number ? ":" : "") + view.search.text;
    found.follow(derived.found, {derived.generation, view.language, searched},
                 [&](Found& made) { made = find_tokens(derived.labels, searched); });
    const int stop = std::max(0, stop_of(derived.timeline, trace, view.playhead.tag));
    derived.time = time_of(derived.timeline, stop, view.playhead.progress);
    derived.pose = pose_at(derived.timeline, derived.time);
    if (derived.timeline.stops.empty()) return;
    // time_of(stop, 1) lies inside the stop: its rest belongs to it.
    derived.pose = {stop, derived.timeline.stops[static_cast<std::size_t>(stop)].step, view.playhead.progress};
    derived.time += view.rest;
}

/// The cell that is explained: pointed at, or pinned, or where the motion is. On the heads' screen there is none: where
/// nothing is pointed at or pinned, a weight is explained.
void Deriver::Parts::follow_focus(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const auto pointed = cell_of(trace, view.pointed), pinned = cell_of(trace, view.pinned);
    const bool moves = derived.pose.step != attn::kNoStep && trace[derived.pose.step].value.size() > 0;
    derived.focus_pinned = !pointed && pinned;
    derived.focus = pointed ? pointed : pinned;
    if (!derived.focus && view.screen == Screen::Heads) derived.focus = derived.heads.at_first;
    if (!derived.focus && moves) {
        told.follow(told_cell, {derived.generation, derived.pose.step}, [&](attn::Cell& made) {
            const auto pair = attn::telling_pair(trace, derived.pose.step);
            made = pair ? attn::telling_cell(trace, derived.pose.step, *pair) : attn::Cell{derived.pose.step, 0, 0};
        });
        derived.focus = told_cell;
    }
    inspection.follow(
        derived.inspection, {derived.generation, derived.focus, view.language, view.convention}, [&](Inspection& made) {
            made = derived.focus ? inspect(trace, *derived.focus, derived.labels, view.language, view.convention)
                                 : Inspection{};
        });

    const auto substituted = [&](const std::optional<attn::Cell>& cell) {
        return cell ? substitute(trace, *cell, view.language, view.convention) : Substitution{};
    };
    of_pin.follow(pin_substitution, {derived.generation, pinned, view.language, view.convention},
                  [&](Substitution& made) { made = substituted(pinned); });
    const bool is_of_pin = pinned && (!pointed || pin_substitution.has_source(*pointed));
    derived.lit_source = is_of_pin && pointed ? pointed : std::nullopt;
    of_shown.follow(derived.substitution,
                    {derived.generation, is_of_pin ? pinned : pointed, view.language, view.convention},
                    [&](Substitution& made) { made = is_of_pin ? pin_substitution : substituted(pointed); });
}

void Deriver::Parts::follow_lab(const AppState& state, Derived& derived) {
    lab.take(derived.lab);
    const ViewState& view = state.view;
    const std::string page(shown_lab_page(view.lab_page, state.document));
    const int head = state.document.config.heads > 1 ? view.head : attn::kNoHead;
    // The motion stands on the first row; a pointed or pinned cell names another.
    const auto pointed = cell_of(derived.run->trace, view.pointed), pinned = cell_of(derived.run->trace, view.pinned);
    const int row = pointed ? pointed->row : pinned ? pinned->row : 0;
    const LabKey key{derived.generation, page, head, row, view.study_width, view.study_seed, view.paths};
    if (lab.asked_for(key)) return;
    const bool large = page == "paths" && derived.run->trace.tokens.size() > kPathsAtOnce;
    // What is there of another run has other tokens.
    if (lab.of() && std::get<0>(*lab.of()) != derived.generation) derived.lab.paths = {};
    const auto make = [run = derived.computed, document = state.document, page, head, row, width = view.study_width,
                       seed = view.study_seed, paths = view.paths, revision = lab.made(),
                       data = derived.lab](const std::stop_token& stop) {
        LabData made = data;
        make_lab({page, run->run, document, head, row, width, seed, paths, stop}, made);
        made.revision = revision;
        made.computing = false;
        return made;
    };
    lab.ask(derived.lab, key, !large, make);
    derived.lab.computing = large;
}

void Deriver::Parts::follow_flow(const AppState& state, Derived& derived) {
    const int head = state.document.config.heads > 1 ? state.view.head : attn::kNoHead;
    const attn::Trace& trace = derived.run->trace;
    places.follow(derived.places, {derived.generation, head},
                  [&](std::vector<FlowPlace>& made) { made = flow_places(trace, derived.timeline); });
    derived.place = std::max(0, flow_place_of(derived.places, derived.timeline, derived.pose.stop));
    flow.follow(derived.flow, {derived.generation, head, derived.place}, [&](FlowGraph& made) {
        made = derived.places.empty()
                   ? FlowGraph{}
                   : make_flow(trace, derived.timeline, derived.places[static_cast<std::size_t>(derived.place)]);
    });
}

/// A long text's maps are looked through on the thread: what is there stays meanwhile where it is of the same run.
void Deriver::Parts::follow_heads(const AppState& state, Derived& derived) {
    heads.take(derived.heads);
    const ViewState& view = state.view;
    const HeadsChoice& choice = view.heads;
    const attn::Trace& trace = derived.run->trace;
    const LookedAt cells{cell_of(trace, view.pointed), cell_of(trace, view.pinned)};
    // Only these pages are about one pair: the others need not be made anew when the pointer moves.
    const std::string_view page = heads_page(choice.page);
    const bool pair = page == "neuron" || page == "plane";
    const HeadsKey key{{derived.generation, view.language, choice.hide_first, choice.hide_special, choice.renormalise},
                       read_by_page(choice),
                       view.head,
                       pair ? cells : LookedAt{}};
    if (heads.asked_for(key)) return;
    if (!heads.of() || std::get<0>(heads.of()->maps) != derived.generation) {
        // Steps of another run: only the plane of an arrow in the hand stays.
        const attn::Plane held = derived.heads.plane.plane;
        derived.heads = {};
        derived.heads.plane.plane = held;
    }
    const bool again = !heads.of() || heads.of()->maps != key.maps;
    const bool large = has_large_heads(trace);
    const auto make = [run = derived.computed, axes = again ? derived.labels : AxisLabels{}, key, cells, again,
                       before = derived.heads](const std::stop_token& stop) {
        HeadsData data = before;
        if (again) make_heads(run, axes, key.choice, data, stop);
        make_heads_page(run->run.trace, key.choice, key.head, cells, data, stop);
        data.computing = false;
        return data;
    };
    heads.ask(derived.heads, key, !large, make);
    derived.heads.computing = large;
}

void Deriver::Parts::follow_study(const AppState& state, Derived& derived) {
    const ViewState& v = state.view;
    if (!v.study.open() && v.study.term.empty() && !derived.study.lesson && !derived.study.term) return;
    StudyView open = v.study;
    open.lit.reset();
    open.lit_part.clear();
    study.follow(derived.study,
                 {derived.generation, state.lessons.get(), std::move(open), v.language, v.convention, screen_name(v),
                  v.head, v.playhead.tag, v.pinned, v.paths.dials},
                 [&](StudyPage& made) { make_study_page(state, derived, made); });
}

void Deriver::Parts::refresh(const AppState& state, Derived& derived) {
    static constexpr void (Parts::*kOfScreen[])(const AppState&, Derived&) = {
#define SCREEN(name, id, ...) &Parts::follow_##id,
#include "app/state/screens.inc"
#undef SCREEN
    };
    follow_document(state, derived);
    follow_sides(state, derived);
    follow_time(state, derived);
    (this->*kOfScreen[static_cast<std::size_t>(state.view.screen)])(state, derived);
    follow_focus(state, derived);
    follow_change(state, derived);
    follow_study(state, derived);
}

void Deriver::refresh(const AppState& state, Derived& derived) { parts_->refresh(state, derived); }

void Deriver::finish(const AppState& state, Derived& derived) {
    refresh(state, derived);
    if (derived.computing) parts_->main.wait();
    if (derived.unedited.computing) parts_->unedited.runner.wait();
    if (derived.other.computing) parts_->other.runner.wait();
    refresh(state, derived);
    if (!busy()) return;
    parts_->each_job([](auto& job) { job.wait(); });
    refresh(state, derived);
}

}  // namespace app
