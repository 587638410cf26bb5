#include "app/state/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/chapters/do.h"
#include "app/screens/heads/look.h"
#include "app/screens/training/training.h"
#include "app/state/derived.h"
#include "app/timeline/answer.h"
#include "core/document/fields.h"
#include "core/model/model.h"

namespace app {
namespace {

/// Whether the model is a folder's language model: it continues one text, and no token sees those after it.
bool is_language_model_of_a_folder(const attn::Document& document) {
    if (!document.model || !document.model->stored || document.model->start || document.model->picture) return false;
    const bool ahead = document.config.mask == "none" && document.config.form != "generate";
    const auto shipped = attn::shipped_ids();
    return !ahead && std::ranges::find(shipped, document.model->name) == shipped.end();
}
/// Fields that depend on the tokens: a page that sets one of them needs its own text.
constexpr std::string_view kOfTheText[] = {"text", "tokens", "X", "mask_pattern", "edits"};

bool sets(const FieldSettings& settings, std::string_view field) {
    return std::any_of(settings.begin(), settings.end(), [&](const FieldSetting& s) { return s.field == field; });
}

class CourseUpdater {
public:
    CourseUpdater(AppState& state, const Derived& derived) : state_(state), derived_(derived) {}

    bool operator()(const OpenPage& open) {
        const Chapter* chapter = state_.chapters ? state_.chapters->find(open.chapter) : nullptr;
        if (!chapter || !chapter->readable()) return false;
        course().walk.reset();
        enter(*chapter, std::clamp(open.page, 0, static_cast<int>(chapter->pages.size())));
        return true;
    }
    bool operator()(const BeginWalk& begin) {
        if (!state_.chapters || begin.walk.pages.empty()) return false;
        const PagePlace first = place_of_page(*state_.chapters, begin.walk.pages.front());
        if (!first.chapter) return false;
        course().walk = begin.walk;
        course().walk->at = 0;
        enter(*first.chapter, first.page);
        return true;
    }
    bool operator()(const TurnPage& turn) {
        if (course().walk) return walk_on(turn.pages);
        const Chapter* chapter = open_chapter(state_);
        if (!chapter) return false;
        const int page = std::clamp(course().page + turn.pages, 0, static_cast<int>(chapter->pages.size()));
        if (page == course().page) return false;
        enter(*chapter, page);
        return true;
    }
    bool operator()(const CloseChapter&) {
        give_back();
        leave_opening();
        course() = {};
        state_.progress.chapter.clear();
        return true;
    }
    bool operator()(const OwnNumbers&) {
        if (!open_page(state_)) return false;
        replace(own_document(state_));
        course().arriving = true;
        return true;
    }
    bool operator()(const Arrive&) {
        course().arriving = false;
        if (const ChapterPage* page = open_page(state_)) arrive(*page);
        return true;
    }
    bool operator()(const GiveAnswer& give) {
        course().answer = give.answer;
        if (!give.check || course().checked) return false;
        const ChapterPage* page = open_page(state_);
        if (!page || !page->ask) return false;
        const attn::Document own = own_document(state_);
        const ChapterContext context = context_now(state_, derived_, own);
        const PageQuestion question = make_question(*page->ask, context, course().attempt);
        const Marked marked = mark_question(*page->ask, question, context, give.answer);
        // A task done by hand can be repeated until it is right.
        if (question.input == AnswerInput::Act && !marked.right) return false;
        course().checked = true;
        course().question = question;
        course().marked = marked;
        if (marked.right) done().right = true;
        if (course().walk) count_answer(marked.right);
        reveal(*page->ask, question, marked);
        return true;
    }
    bool operator()(const TryAgain&) {
        const ChapterPage* page = open_page(state_);
        if (!page || !page->ask) return false;
        const attn::Document before = own_document(state_);
        ++course().attempt;
        course().answer = {};
        course().checked = false;
        course().question = {};
        course().marked = {};
        // Sets the fresh parts of the document; the learner's other changes stay.
        if (own_document(state_) != before || page->ask->kind == "drag_vector" || page->ask->kind == "predict_sign")
            replace(own_document(state_));
        course().arriving = true;
        return true;
    }
    bool operator()(const ShowHow&) {
        const ChapterPage* page = open_page(state_);
        if (!page) return false;
        const ChapterDo* how = page->task ? &page->task->how : page->ask ? &page->ask->how : nullptr;
        if (!how) return false;
        attn::Document next = state_.document;
        if (!do_edits(next, *how, state_.view.language)) return false;
        replace(std::move(next));
        use_view(*how);
        pin(how->pin, how->show);
        return true;
    }
    bool operator()(const TaskDone&) {
        done().task = true;
        return false;
    }
    bool operator()(const ForgetProgress&) {
        state_.progress.pages.clear();
        return false;
    }
    bool operator()(const FollowLink& link) {
        const auto target = parse_target(link.target);
        if (!target) return false;
        follow(*target);
        return true;
    }

private:
    CourseView& course() { return state_.view.course; }
    PageDone& done() {
        const Chapter* chapter = open_chapter(state_);
        const ChapterPage* page = open_page(state_);
        return state_.progress.at(chapter ? chapter->id : "", page ? page->id : "");
    }
    void replace(attn::Document next) {
        if (next == state_.document) return;
        state_.history.remember(state_.document, {});
        state_.document = std::move(next);
    }

    void enter(const Chapter& chapter, int page) {
        const bool same_chapter = course().chapter == chapter.id;
        // The learner's own text stays, unless the page needs its own.
        std::optional<std::string> learners_text;
        if (same_chapter && state_.document.tokens.empty())
            if (open_page(state_) && !has_own_text(state_)) learners_text = state_.document.text;
        keep_model();
        give_back();
        leave_opening();
        std::optional<CourseWalk> walk = std::move(course().walk);
        std::shared_ptr<const attn::Model> model = std::move(course().model);
        course() = {};
        course().walk = std::move(walk);
        course().model = std::move(model);
        course().chapter = chapter.id;
        course().page = page;
        // A lesson or a quiz goes through pages of many chapters, so it leaves the learner's own place unchanged.
        if (!course().walk) state_.progress.chapter = chapter.id;
        state_.view.sheet = Sheet::None;
        const ChapterPage* entered = open_page(state_);
        if (!course().walk) state_.progress.page = entered ? entered->id : "";
        if (!entered) return;
        done().seen = true;
        attn::Document next = own_document(state_);
        const bool own_text = std::any_of(std::begin(kOfTheText), std::end(kOfTheText),
                                          [&](std::string_view field) { return sets(entered->enter.set, field); });
        if (learners_text && !own_text) next.text = *learners_text;
        if (!attn::problems(next).empty()) next = own_document(state_);
        replace(std::move(next));
        course().arriving = true;
    }

    /// The language model of an opened folder stays in use on the pages that allow any model, until another one is chosen there.
    void keep_model() {
        const ChapterPage* left = open_page(state_);
        if (is_language_model_of_a_folder(state_.document))
            course().model = state_.document.model;
        else if (left && left->any_model)
            course().model.reset();
    }
    /// Goes to the next page of the lesson or quiz, even after a link has led elsewhere. Its last page is followed by its end.
    bool walk_on(int pages) {
        CourseWalk& walk = *course().walk;
        const int at = std::clamp(walk.at + pages, 0, walk.size());
        const PagePlace place = place_of_page(*state_.chapters, walk.pages[static_cast<std::size_t>(std::min(at, walk.size() - 1))]);
        if (!place.chapter) return false;
        const int page = at < walk.size() ? place.page : static_cast<int>(place.chapter->pages.size());
        if (at == walk.at && course().chapter == place.chapter->id && course().page == page) return false;
        walk.at = at;
        enter(*place.chapter, page);
        return true;
    }
    /// In a quiz, the first answer counts.
    void count_answer(bool right) {
        CourseWalk& walk = *course().walk;
        const Chapter* chapter = open_chapter(state_);
        const ChapterPage* page = open_page(state_);
        if (!walk.counts() || walk.ended() || !chapter || !page) return;
        const auto at = static_cast<std::size_t>(walk.at);
        if (walk.pages[at] == chapter->id + "/" + page->id && !walk.first[at]) walk.first[at] = right;
    }

    std::optional<CellRef> cell_of(const CellSpot& spot, const std::string& step) {
        const attn::Document own = own_document(state_);
        const ChapterContext context = context_now(state_, derived_, own);
        const attn::StepId id = step_in(context, spot.step.empty() ? step : spot.step);
        if (id == attn::kNoStep) return std::nullopt;
        const attn::Matrix& m = derived_.run->trace[id].value;
        const auto row = index_of(spot.row, context, static_cast<int>(m.rows()));
        const auto column = index_of(spot.column, context, static_cast<int>(m.cols()));
        if (!row || !column) return std::nullopt;
        return CellRef{derived_.run->trace[id].tag, *row, *column};
    }
    void pin(const std::optional<CellSpot>& spot, const std::string& step) {
        if (spot) state_.view.pinned = cell_of(*spot, step);
    }
    /// Goes to a step of the current computation, at a point of its motion.
    bool show(const std::string& name, double progress) {
        const auto named = attn::parse_step_name(name);
        const attn::StepId id = attn::find_step(derived_.run->trace, name);
        if (id == attn::kNoStep || !named) return false;
        attn::Tag tag = derived_.run->trace[id].tag;
        if (named->head != attn::kNoHead) state_.view.head = named->head;
        if (tag.head != attn::kNoHead && state_.document.config.heads > 1) tag.head = state_.view.head;
        state_.view.playhead = {tag, progress};
        state_.view.rest = 0;
        return true;
    }
    void play(const std::string& from, const std::string& to) {
        ViewState& v = state_.view;
        v.playing = v.one_step = false;
        const attn::StepId last = attn::find_step(derived_.run->trace, to);
        if (v.still || last == attn::kNoStep) {
            show(to, 1);
            return;
        }
        if (!show(from, 0)) return;
        v.screen = Screen::Stage;
        v.playing = true;
        course().play_to = derived_.run->trace[last].tag;
        if (course().play_to->head != attn::kNoHead && state_.document.config.heads > 1) course().play_to->head = v.head;
    }
    void use_view(const ChapterDo& how) {
        ViewState& v = state_.view;
        // The learner's own settings are saved, to be restored later.
        const ViewPart part = part_of_page(how, v.language);
        LentView& lent = course().lent;
        if (part.has("convention") && !lent.convention) lent.convention = v.convention;
        if (part.has("shared_scale") && !lent.shared_scale) lent.shared_scale = v.shared_scale;
        if (part.has("speed") && !lent.speed) lent.speed = v.speed;
        const std::uint64_t before = std::as_const(v).part<TrainingLook>().run;
        use_part(v, part);
        // A page's own training restarts, so that every learner sees the same.
        if (part.has("trained")) v.part<TrainingLook>().run = before + 1;
        if (!how.screen.empty()) use_screen(v, how.screen);
        if (how.show.empty()) return;
        if (how.screen.empty()) v.screen = Screen::Stage;
        show(how.show, 1);
    }

    /// Restores the learner's view settings that the left page has changed.
    void give_back() {
        ViewState& v = state_.view;
        const LentView lent = std::exchange(course().lent, {});
        v.convention = lent.convention.value_or(v.convention);
        v.shared_scale = lent.shared_scale.value_or(v.shared_scale);
        v.speed = lent.speed.value_or(v.speed);
    }
    /// The opening's words and arcs belong to the page that shows them.
    void leave_opening() {
        state_.view.asking = Asking::None;
        state_.view.opening = {};
    }
    void arrive(const ChapterPage& page) {
        ViewState& v = state_.view;
        give_back();
        reset_fields(v, kPageStarts);
        v.part<HeadsChoice>().held = false;
        const auto& stops = derived_.timeline.stops;
        if (!stops.empty()) v.playhead = {derived_.run->trace[stops.back().step].tag, 1};
        use_view(page.enter);
        if (!page.play_from.empty()) play(page.play_from, page.play_to);
        pin(page.enter.pin, page.enter.show.empty() ? page.play_to : page.enter.show);
        course().lit.reset();
        course().lit_part.clear();
        if (!page.light.empty()) light(page.light);
    }
    void light(const std::string& text) {
        const auto target = parse_target(text);
        if (!target) return;
        if (target->kind == LinkTarget::Kind::Part) course().lit_part = target->name;
        const attn::Document own = own_document(state_);
        course().lit = cells_of(*target, context_now(state_, derived_, own));
    }

    /// After the answer, shows the step of the question, the cell whose chain explains the answer, or the predicted
    /// change.
    void reveal(const ChapterAsk& ask, const PageQuestion& question, const Marked& marked) {
        if (ask.kind == "predict_sign") {
            attn::Document next = state_.document;
            if (set_fields(next, ask.change, state_.view.language) && attn::problems(next).empty())
                replace(std::move(next));
        }
        if (state_.view.asking == Asking::Asked) {
            // The question next to the page is answered along with it.
            state_.view.asking = Asking::Answered;
            state_.view.opening.seconds = state_.view.still ? kAnswerSeconds : 0;
            return;
        }
        const std::string step = !ask.reveal.empty()           ? ask.reveal
                                 : question.step != attn::kNoStep ? attn::step_name(derived_.run->trace[question.step].tag)
                                                               : std::string();
        const bool moves =
            !step.empty() && state_.view.screen == Screen::Stage && marked.right && ask.kind != "which_change";
        if (moves)
            play(step, step);
        else if (!step.empty() && state_.view.screen == Screen::Stage)
            show(step, 1);
        if (!marked.cells.empty())
            state_.view.pinned = CellRef{derived_.run->trace[marked.cells.front().step].tag, marked.cells.front().row,
                                         marked.cells.front().col};
    }

    void follow(const LinkTarget& target) {
        using Kind = LinkTarget::Kind;
        ViewState& v = state_.view;
        switch (target.kind) {
            case Kind::Matrix:
            case Kind::Row:
            case Kind::Column:
            case Kind::Cell: {
                const attn::Document own = own_document(state_);
                const auto cells = cells_of(target, context_now(state_, derived_, own));
                if (!cells) return;
                v.screen = Screen::Stage;
                v.playing = false;
                show(attn::step_name(cells->tag), 1);
                course().lit = cells;
                if (target.kind == Kind::Cell) v.pinned = CellRef{cells->tag, cells->row, cells->col};
                return;
            }
            case Kind::Part: {
                const int section = section_with(derived_.timeline, target.name, derived_.pose.stop);
                if (section < 0) return;
                v.screen = Screen::Stage;
                const Stop& stop = derived_.timeline.stops[static_cast<std::size_t>(
                    derived_.timeline.sections[static_cast<std::size_t>(section)].last)];
                v.playhead = {derived_.run->trace[stop.step].tag, 1};
                return;
            }
            case Kind::Play:
                return play(target.name, target.second);
            case Kind::Set: {
                attn::Document next = state_.document;
                if (set_by_text(next, target.name) && attn::problems(next).empty()) replace(std::move(next));
                return;
            }
            case Kind::Screen:
                use_screen(v, target.name);
                return;
            case Kind::Page:
                if (const Chapter* chapter = open_chapter(state_); chapter && chapter->page_index(target.name) >= 0)
                    enter(*chapter, chapter->page_index(target.name));
                return;
            case Kind::Chapter: {
                const std::size_t slash = target.name.find('/');
                const Chapter* chapter = state_.chapters ? state_.chapters->find(target.name.substr(0, slash)) : nullptr;
                if (!chapter) return;
                const int page = slash == std::string::npos ? 0 : chapter->page_index(target.name.substr(slash + 1));
                enter(*chapter, std::max(page, 0));
                return;
            }
            case Kind::Term:
                course().term = course().term == target.name ? "" : target.name;
                return;
            case Kind::Token:
            case Kind::Address:
                return;
        }
    }

    AppState& state_;
    const Derived& derived_;
};

}  // namespace

bool act_on(AppState& state, const CourseAction& action, const Derived& derived) {
    const bool changed = std::visit(CourseUpdater{state, derived}, action);
    // A lesson is resumed after a restart; its pages come from its route.
    state.progress.walk = state.view.course.walk;
    if (state.progress.walk) {
        state.progress.walk->title = {};
        state.progress.walk->pages.clear();
    }
    return changed;
}

}  // namespace app
