#include "app/state/derived.h"

#include <algorithm>
#include <cmath>

#include "app/state/refusals.h"

namespace app {
namespace {

/// Where the motion's explanation stands: the first cell of the step that is shown.
attn::Cell first_cell(attn::StepId step) { return {step, 0, 0}; }

std::optional<attn::Cell> cell_of(const attn::Trace& trace, const std::optional<CellRef>& ref) {
    if (!ref) return std::nullopt;
    const attn::StepId step = attn::find_id(trace, ref->tag);
    if (step == attn::kNoStep) return std::nullopt;
    const attn::Matrix& value = trace[step].value;
    if (ref->row >= value.rows() || ref->col >= value.cols()) return std::nullopt;
    return attn::Cell{step, ref->row, ref->col};
}

/// Larger matrices are subtracted on a thread.
constexpr Eigen::Index kSubtractedAtOnce = Eigen::Index{512} * 512;

}  // namespace

const attn::Error* Derived::refusal(std::string_view field, std::string_view id) const {
    for (const Refusal& one : refused)
        if (one.field == field && one.id == id) return &one.why;
    return nullptr;
}

Deriver::Deriver() = default;
Deriver::~Deriver() = default;

void Deriver::on_ready(std::function<void()> wake) {
    for (DocumentRunner* runner : {&main_, &unedited_.runner, &other_.runner}) runner->on_ready(wake);
    heads_job_.on_ready(wake);
    compared_job_.on_ready(wake);
    changed_job_.on_ready(wake);
}

bool Deriver::ready() const {
    return main_.ready() || unedited_.runner.ready() || other_.runner.ready() || heads_job_.ready() ||
           compared_job_.ready() || changed_job_.ready();
}

bool Deriver::busy() const { return heads_job_.busy() || compared_job_.busy() || changed_job_.busy(); }

void Deriver::take(Derived& derived, Outcome outcome) {
    derived.computing = false;
    derived.error = std::move(outcome.error);
    if (!outcome.computed) return;
    derived.computed = std::move(outcome.computed);
    derived.run = &derived.computed->run;
    ++derived.generation;
}

void Deriver::follow_document(const AppState& state, Derived& derived) {
    if (document_ && *document_ == state.document) {
        if (auto outcome = main_.take()) take(derived, std::move(*outcome));
        return;
    }
    if (!document_ || !same_but_for_drags(*document_, state.document)) derived.refused = refused_by(state.document);
    document_ = state.document;
    if (auto outcome = main_.ask(state.document))
        take(derived, std::move(*outcome));
    else
        derived.computing = true;
    if (derived.computed) return;
    derived.computed = compute_all({});  // there is always one to draw
    derived.run = &derived.computed->run;
    ++derived.generation;
}

void Deriver::Side::follow(SideRun& run, const std::optional<attn::Document>& wanted, std::uint64_t& generation) {
    const auto use = [&](Outcome outcome) {
        run = {std::move(outcome.computed), std::move(outcome.error), false};
        ++generation;
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

void Deriver::follow_sides(const AppState& state, Derived& derived) {
    const attn::Document& document = state.document;
    const bool looked_at = state.view.difference || state.view.screen == Screen::Compare;
    std::optional<attn::Document> without, other;
    if (!document.edits.empty() && looked_at) {
        without = document;
        without->edits.clear();
    }
    unedited_.follow(derived.unedited, without, derived.generation);
    if (state.view.screen != Screen::Compare) {
        asked_.reset();
    } else if (!asked_ || asked_->first != document || asked_->second != state.view.comparison) {
        asked_ = {document, state.view.comparison};
        wanted_ = other_document(document, state.view.comparison);
    }
    derived.same_run = asked_ && kind_of(state.view.comparison, document).what == Compares::Head;
    if (asked_ && !derived.same_run) other = wanted_;
    other_.follow(derived.other, other, derived.generation);
}

/// What the numbers typed over change in the step at the playhead.
void Deriver::follow_change(Derived& derived) {
    if (auto made = changed_job_.take()) derived.edit_change = std::move(*made);
    const auto step = derived.pose.step;
    if (changed_ == std::pair(derived.generation, step)) return;
    changed_ = {derived.generation, step};
    changed_job_.drop();
    derived.edit_change = {};
    if (!derived.unedited.computed || step == attn::kNoStep) return;
    const auto make = [now = derived.computed, before = derived.unedited.computed, step](const std::stop_token&) {
        return edit_difference(now->run.trace, before->run.trace, step);
    };
    if (derived.run->trace[step].value.size() > kSubtractedAtOnce)
        changed_job_.ask(make);
    else
        derived.edit_change = make({});
}

void Deriver::compare(const AppState& state, Derived& derived) {
    follow_change(derived);
    if (auto made = compared_job_.take()) derived.compared = std::move(*made);
    const attn::Trace& trace = derived.run->trace;
    const auto step = derived.pose.step;
    attn::Tag near = step == attn::kNoStep ? attn::Tag{} : trace[step].tag;
    near.head = state.document.config.heads > 1 ? state.view.head : attn::kNoHead;
    const ComparedKey key{derived.generation, state.view.screen, state.view.comparison, near, state.view.language};
    if (compared_ == key) return;
    compared_ = key;
    compared_job_.drop();
    derived.compared = {};
    derived.other_choices.clear();
    if (state.view.screen != Screen::Compare) return;
    const ComparisonKind& kind = kind_of(state.view.comparison, state.document);
    derived.other_choices = choices_of(kind, state.document, state.view.head);
    derived.other_choice = choice_of(kind, state.view.comparison, derived.other_choices);
    const std::shared_ptr<const Computed> with = derived.same_run ? derived.computed : derived.other.computed;
    if (!with) return;
    derived.other_labels = labels_of(with->run.trace, state.view.language);
    ComparedPlace place{state.view.comparison.shown, near, {}, {}};
    if (kind.what == Compares::Order)
        place.swap = swap_of(state.view.comparison, static_cast<int>(trace.tokens.size()));
    if (kind.what == Compares::Head && !derived.other_choice.empty())
        place.other_head = std::stoi(derived.other_choice) - 1;
    // Where the matrices stand is known at once; what lies between large ones takes a while.
    derived.compared = place_runs(trace, with->run.trace, place);
    derived.compared.serial = ++compared_serial_;
    const auto make = [left = derived.computed, with, placed = derived.compared](const std::stop_token&) {
        Compared made = placed;
        subtract_runs(left->run.trace, with->run.trace, made);
        return made;
    };
    const attn::StepId left = derived.compared.left;
    const bool large = left != attn::kNoStep && trace[left].value.size() > kSubtractedAtOnce;
    if (large)
        compared_job_.ask(make);
    else
        derived.compared = make({});
}

void Deriver::follow_view(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const int heads = state.document.config.heads;
    const int head = heads > 1 ? view.head : attn::kNoHead;
    if (timeline_generation_ != derived.generation || timeline_head_ != head) {
        derived.timeline = make_timeline(trace, head);
        timeline_generation_ = derived.generation;
        timeline_head_ = head;
        language_.reset();
    }
    if (language_ != view.language) {
        language_ = view.language;
        derived.labels = labels_of(trace, view.language);
        searched_.clear();
        derived.found = {};
    }
    const bool number = view.search.rows && !view.search.text.empty() && view.search.text.front() != ':';
    if (const std::string wanted = (number ? ":" : "") + view.search.text; searched_ != wanted) {
        searched_ = wanted;
        derived.found = find_tokens(derived.labels, searched_);
    }
    const int stop = std::max(0, stop_of(derived.timeline, trace, view.playhead.tag));
    derived.time = time_of(derived.timeline, stop, view.playhead.progress);
    derived.pose = pose_at(derived.timeline, derived.time);
    if (!derived.timeline.stops.empty()) {
        // time_of(stop, 1) lies inside the stop: its rest belongs to it.
        derived.pose = {stop, derived.timeline.stops[static_cast<std::size_t>(stop)].step, view.playhead.progress};
        derived.time += view.rest;
    }

    const auto pointed = cell_of(trace, view.pointed), pinned = cell_of(trace, view.pinned);
    derived.focus = pointed ? pointed : pinned;
    derived.focus_pinned = !pointed && pinned;
    if (!derived.focus && derived.pose.step != attn::kNoStep && trace[derived.pose.step].value.size() > 0)
        derived.focus = first_cell(derived.pose.step);
}

void Deriver::follow_focus(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const InspectionKey key{derived.generation, derived.focus, view.language, view.convention};
    if (key == inspected_) return;
    inspected_ = key;
    derived.inspection =
        derived.focus ? inspect(trace, *derived.focus, derived.labels, view.language, view.convention) : Inspection{};
}

void Deriver::follow_formula(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const auto pointed = cell_of(trace, view.pointed), pinned = cell_of(trace, view.pinned);
    const auto make = [&](const std::optional<attn::Cell>& cell) {
        return cell ? substitute(trace, *cell, view.language, view.convention) : Substitution{};
    };
    const InspectionKey pin{derived.generation, pinned, view.language, view.convention};
    if (pin != substituted_pin_) pin_substitution_ = make(pinned);
    substituted_pin_ = pin;
    const bool of_pin = pinned && (!pointed || pin_substitution_.has_source(*pointed));
    derived.lit_source = of_pin && pointed ? pointed : std::nullopt;
    const InspectionKey key{derived.generation, of_pin ? pinned : pointed, view.language, view.convention};
    if (key == substituted_) return;
    substituted_ = key;
    derived.substitution = of_pin ? pin_substitution_ : make(pointed);
}

void Deriver::follow_lab(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    if (view.screen != Screen::Lab) return;
    const std::string page(shown_lab_page(view.lab_page, state.document));
    const int head = state.document.config.heads > 1 ? view.head : attn::kNoHead;
    LabKey key{derived.generation, page,      head, derived.focus ? derived.focus->row : 0, view.study_width,
               view.study_seed,    view.paths};
    if (key == lab_) return;
    make_lab({page, *derived.run, state.document, head, key.row, view.study_width, view.study_seed, view.paths},
             derived.lab);
    lab_ = std::move(key);
}

void Deriver::follow_flow(const AppState& state, Derived& derived) {
    if (state.view.screen != Screen::Flow) return;
    const std::pair made{timeline_generation_, timeline_head_};
    if (places_of_ != made) derived.places = flow_places(derived.run->trace, derived.timeline);
    places_of_ = made;
    derived.place = std::max(0, flow_place_of(derived.places, derived.timeline, derived.pose.stop));
    const FlowKey key{timeline_generation_, timeline_head_, derived.place};
    if (key == flow_) return;
    flow_ = key;
    derived.flow = derived.places.empty() ? FlowGraph{}
                                          : make_flow(derived.run->trace, derived.timeline,
                                                      derived.places[static_cast<std::size_t>(derived.place)]);
}

/// A long text's maps are looked through on the thread: what is there stays meanwhile where it is of the same run.
void Deriver::ask_heads(const HeadsPageKey& key, const LookedAt& cells, Derived& derived) {
    if (key.maps.generation != heads_.generation) {
        // Steps of another run: only the plane of an arrow in the hand stays.
        const attn::Plane held = derived.heads.plane.plane;
        derived.heads = {};
        derived.heads.plane.plane = held;
    }
    const bool again = key.maps != heads_;
    heads_page_ = key;
    const auto make = [run = derived.computed, labels = again ? derived.labels : AxisLabels{}, key, cells, again](
                          HeadsData data, const std::stop_token& stop) {
        if (again) make_heads(run, labels, key.choice, data, stop);
        make_heads_page(run->run.trace, key.choice, key.head, cells, data, stop);
        data.computing = false;
        return data;
    };
    if (!has_large_heads(derived.run->trace)) {
        heads_job_.drop();
        derived.heads = make(std::move(derived.heads), {});
        heads_ = key.maps;
        return;
    }
    heads_job_.ask([make, before = derived.heads](const std::stop_token& stop) { return make(before, stop); });
    derived.heads.computing = true;
}

void Deriver::follow_heads(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    if (view.screen != Screen::Heads) return;
    if (auto made = heads_job_.take()) {
        derived.heads = std::move(*made);
        heads_ = heads_page_.maps;
    }
    const HeadsChoice& choice = view.heads;
    const HeadsKey maps{derived.generation, view.language, choice.hide_first, choice.hide_special, choice.renormalise};
    // Only these pages are about one pair: the others need not be made anew when the pointer moves.
    const std::string_view page = heads_page(choice.page);
    const bool pair = page == "neuron" || page == "plane";
    const attn::Trace& trace = derived.run->trace;
    const LookedAt cells{cell_of(trace, view.pointed), cell_of(trace, view.pinned)};
    const HeadsPageKey key{maps, read_by_page(choice), view.head, pair ? cells : LookedAt{}};
    if (key != heads_page_) ask_heads(key, cells, derived);
    // The motion is not on this screen: where nothing is pointed at or pinned, a weight is explained.
    if (!cells.now && !cells.rest && derived.heads.at_first) derived.focus = derived.heads.at_first;
}

void Deriver::follow_study(const AppState& state, Derived& derived) {
    const ViewState& v = state.view;
    if (!v.study.open() && v.study.term.empty() && !derived.study.lesson && !derived.study.term) return;
    StudyKey key{derived.generation,
                 state.lessons.get(),
                 v.study,
                 v.language,
                 v.convention,
                 v.screen,
                 v.screen == Screen::Lab ? v.lab_page : v.heads.page,
                 v.comparison.kind,
                 v.head,
                 v.playhead.tag,
                 v.pinned,
                 v.paths.dials};
    key.study.lit.reset();
    key.study.lit_part.clear();
    if (study_ == key) return;
    study_ = std::move(key);
    make_study_page(state, derived, derived.study);
}

void Deriver::refresh(const AppState& state, Derived& derived) {
    follow_document(state, derived);
    follow_sides(state, derived);
    follow_view(state, derived);
    follow_lab(state, derived);
    follow_flow(state, derived);
    follow_heads(state, derived);
    follow_focus(state, derived);
    follow_formula(state, derived);
    compare(state, derived);
    follow_study(state, derived);
}

void Deriver::finish(const AppState& state, Derived& derived) {
    refresh(state, derived);
    if (derived.computing) main_.wait();
    if (derived.unedited.computing) unedited_.runner.wait();
    if (derived.other.computing) other_.runner.wait();
    refresh(state, derived);
    if (!busy()) return;
    heads_job_.wait();
    compared_job_.wait();
    changed_job_.wait();
    refresh(state, derived);
}

}  // namespace app
