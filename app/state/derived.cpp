#include "app/state/derived_parts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/state/refusals.h"
#include "app/state/screens.h"
#include "app/timeline/reverse.h"
#include "core/analysis/prediction.h"
#include "core/analysis/telling.h"
#include "core/remake/remake.h"

namespace app {

std::optional<attn::Cell> cell_of(const attn::Trace& trace, const std::optional<CellRef>& ref) {
    if (!ref) return std::nullopt;
    const attn::StepId step = attn::find_id(trace, ref->tag);
    if (step == attn::kNoStep) return std::nullopt;
    const attn::StepValue& value = trace[step].value;  // the shape only: computes nothing
    if (ref->row >= value.rows() || ref->col >= value.cols()) return std::nullopt;
    return attn::Cell{step, ref->row, ref->col};
}

const attn::Error* Derived::refusal(std::string_view field, std::string_view id) const {
    for (const Refusal& one : refused)
        if (one.field == field && one.id == id) return &one.why;
    return nullptr;
}

Derived::Derived() = default;
Derived::~Derived() = default;

Deriver::Parts::Parts() {
    for (const ScreenRow& row : screens())
        if (row.follower) of_screens[static_cast<std::size_t>(row.screen)] = row.follower();
}

Deriver::Deriver() : parts_(std::make_unique<Parts>()) {}
Deriver::~Deriver() = default;

void Deriver::on_ready(Wake wake) {
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
    std::map<std::string_view, int> out = {
        {"timeline", p.timeline.made()},
        {"labels", p.labels.made()},
        {"found", p.found.made()},
        {"inspection", p.inspection.made()},
        {"substitution", p.of_pin.made() + p.of_shown.made()},
        {"places", p.places.made()},
        {"map", p.map.made()},
        {"tower", p.tower.made()},
        {"tower_lens", p.tower_lens.made()},
        {"flow", p.flow.made()},
        {"gallery", p.gallery.made()},
        {"edit_change", p.edit_change.made()},
        {"course", p.of_chapter->made()}};
    for (const ScreenRow& row : screens())
        if (const auto& one = p.of_screens[static_cast<std::size_t>(row.screen)]) out[row.id] = one->made();
    return out;
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
    // A larger budget may allow what was refused before.
    const double may_take = attn::memory_budget();
    if (document && *document == state.document && budget == may_take) {
        if (auto outcome = main.take()) take(derived, std::move(*outcome));
        derived.share = main.share();
        return;
    }
    if (!document || !same_but_for_drags(*document, state.document)) derived.refused = refused_by(state.document);
    document = state.document;
    budget = may_take;
    if (auto outcome = main.ask(state.document))
        take(derived, std::move(*outcome));
    else
        derived.computing = true;
    derived.share = main.share();
    if (derived.computed) return;
    take(derived, {compute_all({}), std::move(derived.error)});  // views always need a run to draw
    derived.computing = !derived.error;
}

void Deriver::Parts::Side::follow(SideRun& run, const std::optional<attn::Document>& wanted) {
    const auto use = [&](Outcome outcome) {
        run = {std::move(outcome.computed), run.generation + 1, std::move(outcome.error), false};
    };
    if (document == wanted) {
        if (auto outcome = runner.take()) use(std::move(*outcome));
        run.share = runner.share();
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
    run.share = runner.share();
}

void Deriver::Parts::follow_sides(const AppState& state, Derived& derived) {
    Follower* shown = of_screens[static_cast<std::size_t>(state.view.screen)].get();
    for (const auto& one : of_screens)
        if (one && one.get() != shown) one->rest(derived);
    const Beside wanted = shown ? shown->beside(state) : Beside{};
    std::optional<attn::Document> without;
    if (attn::is_altered(state.document) && (state.view.difference || wanted.unedited)) without = attn::unaltered(state.document);
    unedited.follow(derived.unedited, without);
    derived.same_run = wanted.same_run;
    other.follow(derived.other, wanted.document);
}

namespace {

/// The evicted steps that the pictures and texts of a step read: its inputs, and for a step of a head everything
/// between its queries and its weights. Of a huge step only the stage reads all numbers, and only while it shows that
/// step.
void add_in_sight(const attn::Trace& trace, attn::StepId id, std::set<attn::StepId>& out) {
    if (trace[id].value.recipe() && !out.insert(id).second) return;
    for (const attn::StepId input : trace[id].inputs)
        if (const attn::StepValue& value = trace[input].value; value.recipe() && !attn::is_huge(value.size())) add_in_sight(trace, input, out);
}

std::vector<attn::StepId> steps_in_sight(const attn::Trace& trace, attn::StepId shown, bool staged) {
    std::set<attn::StepId> out;
    add_in_sight(trace, shown, out);
    if (!staged && attn::is_huge(trace[shown].value.size())) out.erase(shown);
    const attn::Tag& tag = trace[shown].tag;
    for (attn::StepId id = 0; tag.head != attn::kNoHead && id < trace.size(); ++id)
        if (trace[id].value.recipe() && trace[id].tag.as(tag.role) == tag) out.insert(id);
    return {out.begin(), out.end()};
}

}  // namespace

void Deriver::Parts::pose_when_seen(Derived& derived, Pose coming, bool staged) {
    const attn::Trace& trace = derived.run->trace;
    staged = staged || !attn::is_huge(trace[coming.step].value.size());  // of smaller ones all screens read the same
    const std::tuple key{derived.generation, coming.step, staged};
    sight.take(derived.in_sight);
    const auto set = [&] {
        derived.pose = coming;
        pose_of = derived.generation;
        derived.remaking = false;
    };
    if (!trace.evict_from || sight.of() == key) return set();
    const auto& stops = derived.timeline.stops;
    const std::vector<attn::StepId> steps = steps_in_sight(trace, coming.step, staged);
    double work = 0;
    for (const attn::StepId id : steps) work += trace[id].value.work_to_see();
    // The first picture of a run waits for its values, as it waited for the run.
    const bool is_current = pose_of == derived.generation && derived.pose.stop < static_cast<int>(stops.size()) &&
                        stops[static_cast<std::size_t>(derived.pose.stop)].step == derived.pose.step;
    if (!is_current || work <= kSeenAtOnce) {
        derived.in_sight.clear();
        sight.forget();
        return set();
    }
    derived.remaking = true;
    if (sight.requested_for(key)) return;
    sight.ask(derived.in_sight, key, false, [run = derived.computed, steps](const std::stop_token& stop) {
        std::vector<std::shared_ptr<const attn::Matrix>> made;
        for (const attn::StepId id : steps) {
            if (stop.stop_requested()) break;
            made.push_back(run->run.trace[id].value.held());
            run->ranges[static_cast<std::size_t>(id)];
        }
        return made;
    });
}

void Deriver::Parts::follow_time(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const int head = state.document.config.heads > 1 ? view.head : attn::kNoHead;
    timeline.follow(derived.timeline, {derived.generation, head, view.pace},
                    [&](Timeline& made) { made = make_timeline(trace, head, view.pace); });
    labels.follow(derived.labels, {derived.generation, view.language},
                  [&](AxisLabels& made) { made = labels_of(trace, view.language); });
    const bool number = view.search.rows && !view.search.text.empty() && view.search.text.front() != ':';
    const std::string searched = (number ? ":" : "") + view.search.text;
    found.follow(derived.found, {derived.generation, view.language, searched},
                 [&](Found& made) { made = find_tokens(derived.labels, searched); });
    const int stop = std::max(0, stop_of(derived.timeline, trace, view.playhead.tag));
    derived.time = time_of(derived.timeline, stop, view.playhead.progress);
    if (derived.timeline.stops.empty()) {
        derived.pose = pose_at(derived.timeline, derived.time);
        return;
    }
    // time_of(stop, 1) is still inside the stop: the rest period belongs to it.
    const bool staged = view.screen == Screen::Stage;
    const Pose pose{stop, derived.timeline.stops[static_cast<std::size_t>(stop)].step, view.playhead.progress};
    pose_when_seen(derived, staged ? with_arrival(derived.timeline, pose) : pose, staged);
    derived.time += std::min(view.rest, derived.timeline.stops[static_cast<std::size_t>(stop)].rest);
}

/// What the motion explains, and its caption.
namespace {

/// The largest number in magnitude of the row or cell that a chapter's page highlights in this step, which is the one
/// that the page speaks about. None if the page highlights something else.
std::optional<attn::Cell> largest_lit(const attn::Step& step, attn::StepId id, const LitCells& lit) {
    const attn::Matrix& m = step.value;
    if (lit.token >= 0 || lit.tag != step.tag || lit.row < 0 || lit.row >= m.rows() || lit.col >= m.cols()) return std::nullopt;
    int col = std::max(lit.col, 0);
    const auto size = [&](int c) { return std::isfinite(m(lit.row, c)) ? std::abs(m(lit.row, c)) : -1.0f; };
    for (int c = 0; lit.col < 0 && c < m.cols(); ++c)
        if (size(c) > size(col)) col = c;
    return attn::Cell{id, lit.row, col};
}

int largest_of_row(const attn::Trace& trace, const Derived::Ending& ending) {
    Eigen::Index largest = 0;
    trace[ending.weights].value.row(ending.query).maxCoeff(&largest);
    return static_cast<int>(largest);
}

/// Many gradients are 0 and tell nothing: takes the row's largest in magnitude instead, or the step's.
attn::Cell telling_gradient(const attn::Trace& trace, attn::Cell cell) {
    const attn::Matrix& m = trace[cell.step].value;
    if (m(cell.row, cell.col) != 0) return cell;
    Eigen::Index row = cell.row, col = 0;
    if (m.row(row).cwiseAbs().maxCoeff(&col) == 0) m.cwiseAbs().maxCoeff(&row, &col);
    return {cell.step, static_cast<int>(row), static_cast<int>(col)};
}

}  // namespace

void Deriver::Parts::follow_opening(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const bool asks = view.asking != Asking::None;
    question.follow(derived.question, {derived.generation, view.head, view.language, asks}, [&](std::optional<TextQuestion>& made) {
        made = asks ? question_of_text(state.document, *derived.run, view.head, view.language) : std::nullopt;
    });
    opening.follow(derived.opening, {derived.generation, view.head, view.language, asks, view.opening.word}, [&](std::optional<OpeningData>& made) {
        made = opening_data(state.document, *derived.run, view.head, view.language, derived.question, view.opening.word);
    });
    repairs.follow(derived.repairs, {derived.generation, asks}, [&](std::vector<WordChange>& made) {
        made = asks ? repairs_of(state.document, *derived.run) : std::vector<WordChange>();
    });
    changes.take(derived.changes);
    const std::tuple key{derived.generation, view.head};
    if (!derived.question || derived.computing) {
        derived.changes.clear();
        changes.forget();
        return;
    }
    if (changes.requested_for(key)) return;
    derived.changes.clear();
    changes.ask(derived.changes, key, false,
                [document = state.document, run = derived.computed, question = *derived.question, head = view.head,
                 language = view.language](const std::stop_token& stop) {
                    return telling_changes(document, run->run.trace, question, head, language, stop);
                });
}

/// The row from which a model predicts the next word: the walk of a text that is continued follows the last word.
std::optional<int> foretelling(const attn::Document& document, const attn::Run& run) {
    if (!attn::says_words(document) || !run.trace.source_tokens.empty() || !attn::looks_back_only(run.config) || attn::logits_step(run.trace) == attn::kNoStep)
        return std::nullopt;
    return attn::expected_places(document, run).front().row;
}

void Deriver::Parts::follow_explained(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const attn::StepId step = derived.pose.step;
    const auto pinned = cell_of(trace, view.pinned);
    const std::optional<LitCells>& lit = view.course.lit;
    follow_opening(state, derived);
    // The walk explains the question's words; if there is no question, but the model resolves pronouns, it follows the
    // pronoun.
    const bool may_follow = !view.course.open();
    followed.follow(pronoun, {derived.generation, view.head, may_follow}, [&](std::optional<TextQuestion>& made) {
        made = may_follow ? question_of_text(state.document, *derived.run, view.head, view.language) : std::nullopt;
        if (made && !is_pronoun(trace.tokens[static_cast<std::size_t>(made->query)])) made.reset();
    });
    const std::optional<TextQuestion>& text_question = derived.question ? derived.question : pronoun;
    std::optional<attn::TellingPair> question_pair;
    if (text_question) question_pair = {text_question->query, text_question->key};
    explained.follow(derived.explained, {derived.generation, step, view.head, pinned, lit, question_pair, may_follow}, [&](std::optional<attn::Cell>& made) {
        made.reset();
        if (step == attn::kNoStep || trace[step].value.size() == 0) return;
        if (pinned && pinned->step == step) {
            made = pinned;
            return;
        }
        if (!pinned && lit && (made = largest_lit(trace[step], step, *lit))) return;
        auto pair = pinned ? attn::pair_of(trace, *pinned) : std::nullopt;
        // In another layer or head the same word attends elsewhere.
        std::optional<attn::Tag> of;
        if (pair)
            of = trace[pinned->step].tag;
        else if (question_pair)
            pair = question_pair, of = trace[text_question->weights].tag;
        else if (const auto next = may_follow ? foretelling(state.document, *derived.run) : std::nullopt)
            pair = attn::pair_at(trace, step, {*next, 0});
        else
            pair = attn::telling_pair(trace, step, view.head);
        const attn::Tag& here = trace[step].tag;
        if (pair && of && here.part == of->part && (here.layer != of->layer || (here.head != of->head && here.head != attn::kNoHead && of->head != attn::kNoHead)))
            pair = attn::pair_at(trace, step, *pair);
        made = pair ? attn::telling_cell(trace, step, *pair) : attn::Cell{step, 0, 0};
        if (is_reverse(trace[step].tag)) made = telling_gradient(trace, *made);
    });
    follow_ending(state, derived);
    const auto& stops = derived.timeline.stops;
    News news = stops.empty() ? News::Usual : stops[static_cast<std::size_t>(derived.pose.stop)].news;
    // If nothing plays, the user looks at this single step: it is explained as if it were the first of its kind.
    if (news == News::Again && !view.plays()) news = News::Usual;
    const Moment moment = moment_at(derived.pose.progress);
    auto said = derived.explained;
    if (derived.ending) news = News::Usual;  // whatever the last step did, the caption is about its weights
    if (derived.ending && !derived.ending->goes_on) said = attn::Cell{derived.ending->weights, derived.ending->query, largest_of_row(trace, *derived.ending)};
    const attn::CountFrom count = counts_from(view, state.document);
    caption.follow(derived.caption, {derived.generation, said, moment, news, view.language, view.convention, count},
                   [&](Caption& made) {
                       made = said ? app::caption({*derived.run, derived.labels, said->step, moment, *said, news, view.language, view.convention, count})
                                   : Caption{};
                   });
}

/// The ending comes after the last step of a story, on the stage.
void Deriver::Parts::follow_ending(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    derived.ending.reset();
    const auto& stops = derived.timeline.stops;
    const bool last = !stops.empty() && derived.pose.stop + 1 == static_cast<int>(stops.size()) && derived.pose.progress >= 1;
    if (!last || view.pace != WalkPace::Story || view.screen != Screen::Stage || view.rest <= kStepSeconds || !derived.explained) return;
    const attn::Trace& trace = derived.run->trace;
    over.follow(derived.story_end, {derived.generation, view.head}, [&](StoryEnd& made) { made = story_end(trace, derived.labels, view.head); });
    const StoryEnd& end = derived.story_end;
    const auto pair = attn::pair_of(trace, *derived.explained);
    const double arrived = phase(view.rest, kStepSeconds, kStepSeconds + kArcsAppearSeconds);
    if (end.across && pair && pair->query < end.across->rows()) {
        const attn::Cell row = end.across->cell(trace, pair->query, 0);
        derived.ending = {row.step, row.row, false, arrived};
    } else if (end.weights != attn::kNoStep && pair && pair->query < trace[end.weights].value.rows()) {
        derived.ending = {end.weights, pair->query, !end.likely.empty() && pair->query + 1 == trace[end.weights].value.rows(), arrived};
    }
}

/// The cell that is explained: pointed at, else pinned, else the screen's own, else the motion's.
void Deriver::Parts::follow_focus(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const auto pointed = cell_of(trace, view.pointed), pinned = cell_of(trace, view.pinned);
    derived.focus_pinned = !pointed && pinned;
    derived.focus = pointed ? pointed : pinned;
    if (!derived.focus) derived.focus = derived.to_explain;
    if (!derived.focus) derived.focus = derived.explained;
    inspection.follow(
        derived.inspection, {{derived.generation, derived.focus, view.language, view.convention}, counts_from(view, state.document)}, [&](Inspection& made) {
            made = derived.focus ? inspect(trace, *derived.focus, derived.labels, view.language, view.convention, counts_from(view, state.document))
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

namespace {

std::optional<HeadPlace> head_of_step(const Derived& derived, const AppState& state) {
    if (derived.pose.step == attn::kNoStep) return std::nullopt;
    const attn::Tag at = derived.run->trace[derived.pose.step].tag;
    const bool attends = at.part == attn::Part::Main || at.part == attn::Part::Cross || at.part == attn::Part::Encoder;
    if (!attends || at.pass != 0 || (at.layer == attn::kNoLayer && at.head == attn::kNoHead)) return std::nullopt;
    return HeadPlace{at, state.view.head};
}

}  // namespace

void Deriver::Parts::refresh(const AppState& state, Derived& derived) {
    const Screen screen = state.view.screen;
    const auto& shown = of_screens[static_cast<std::size_t>(screen)];
    each_job([](auto& job) { job.look_away(); });
    follow_document(state, derived);
    seen_picture.follow(derived.picture, derived.generation, [&](std::optional<HeadsPicture>& made) { made = picture_of(*derived.run); });
    follow_sides(state, derived);
    follow_time(state, derived);
    for (const auto& one : of_screens)
        if (one) one->follow_always(state, derived);
    follow_explained(state, derived);
    derived.to_explain.reset();
    derived.shown_head = head_of_step(derived, state);
    if (shown) shown->follow(state, derived);
    if (screen == Screen::Stage) follow_stage(state, derived);
    if (screen == Screen::Flow) follow_flow(state, derived);
    if (screen == Screen::Home) follow_home(state, derived);
    follow_focus(state, derived);
    follow_change(state, derived);
    follow_gallery(state, derived);
    of_chapter->follow(state, derived);
}

void Deriver::refresh(const AppState& state, Derived& derived) { parts_->refresh(state, derived); }

void Deriver::finish(const AppState& state, Derived& derived) {
    refresh(state, derived);
    if (derived.computing) parts_->main.wait();
    if (derived.unedited.computing) parts_->unedited.runner.wait();
    if (derived.other.computing) parts_->other.runner.wait();
    refresh(state, derived);
    const bool goes_on = std::ranges::any_of(parts_->of_screens, [](const auto& one) { return one && one->goes_on(); });
    // What became ready may ask for something else: a picture of what was trained.
    constexpr int kRounds = 5;
    for (int i = 0; i < kRounds && ((i == 0 && goes_on) || busy() || ready()); ++i) {
        parts_->each_job([](auto& job) { job.wait(); });
        refresh(state, derived);
    }
}

}  // namespace app
