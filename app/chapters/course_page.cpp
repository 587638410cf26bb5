#include "app/chapters/course_page.h"

#include <algorithm>

#include "app/state/course.h"
#include "app/chapters/do.h"
#include "app/chapters/page_run.h"
#include "app/screens/experiments/look.h"
#include "app/screens/training/data.h"
#include "app/state/follower.h"
#include "app/state/memo.h"

namespace app {
namespace {

/// Chains below an answer: for the right cell and the chosen one.
constexpr std::size_t kChains = 2;

std::string chain_title(const Derived& derived, Language language, attn::Cell cell) {
    const attn::Step& step = derived.run->trace[cell.step];
    return std::string(name_of(derived.run->trace, cell.step, language)) + " · " +
           derived.labels.of(step.rows, cell.row) + " → " + derived.labels.of(step.cols, cell.col);
}

/// Whether the cell still exists: the document may have changed since the answer.
bool is_in(const attn::Trace& trace, attn::Cell cell) {
    return cell.step >= 0 && cell.step < trace.size() && cell.row < trace[cell.step].value.rows() &&
           cell.col < trace[cell.step].value.cols();
}

}  // namespace

void make_course_page(const AppState& state, const Derived& derived, CoursePage& out) {
    const unsigned revision = out.revision;
    out = {};
    out.revision = revision + 1;
    out.chapter = open_chapter(state);
    out.page = open_page(state);
    const ViewState& v = state.view;
    const Language language = v.language;
    if (!v.course.term.empty() && state.chapters) {
        out.term = state.chapters->term(v.course.term, out.chapter);
        if (out.term) out.term_says = term_prose(*state.chapters, *out.term, language, out.chapter);
    }
    if (!out.page) return;
    const attn::Document own = own_document(state);
    const ChapterContext context = context_now(state, derived, own);
    out.changed = state.document != own;
    out.say = fill_prose(in(out.page->say, language), context);
    out.notes = fill_prose(in(out.page->notes, language), context);
    for (const std::string& link : out.say.links) {
        const auto target = parse_target(link);
        out.lit.push_back(target ? cells_of(*target, context) : std::nullopt);
    }
    if (out.page->task) {
        out.task = fill_prose(in(out.page->task->say, language), context);
        const auto& until = out.page->task->until;
        out.task_done =
            std::all_of(until.begin(), until.end(), [&](const std::string& one) { return holds(one, context); });
    }
    if (!out.page->ask) return;
    const ChapterAsk& ask = *out.page->ask;
    out.question = v.course.checked ? v.course.question : make_question(ask, context, v.course.attempt);
    const ChapterContext asking = asking_context(context, out.question);
    out.question_text = question_prose(ask, out.question, context);
    if (!v.course.checked) return;
    out.marked = v.course.marked;
    out.because = fill_prose(in(ask.because, language), asking);
    for (std::size_t i = 0; i < std::min(out.marked.cells.size(), kChains); ++i) {
        const attn::Cell cell = out.marked.cells[i];
        if (!is_in(derived.run->trace, cell)) continue;
        const Inspection inspection = inspect(derived.run->trace, cell, derived.labels, language, v.convention);
        out.chains.push_back({chain_title(derived, language, cell), inspection.chain});
    }
}

namespace {

class ChapterFollower : public Follower {
public:
    void follow(const AppState& state, Derived& derived) override {
        const ViewState& v = state.view;
        if (!v.course.open() && v.course.term.empty() && !derived.part<CoursePage>().chapter && !derived.part<CoursePage>().term) return;
        CourseView open = v.course;
        open.lit.reset();
        open.lit_part.clear();
        memo_.follow(derived.part<CoursePage>(),
                     {derived.generation, state.chapters.get(), std::move(open), v.language, v.convention, screen_name(v),
                      v.head, v.playhead.tag, v.pinned, v.part<ExperimentsLook>().paths.dials, derived.part<TrainingData>().news, derived.part<TrainingData>().at},
                     [&](CoursePage& made) { make_course_page(state, derived, made); });
    }
    int made() const override { return memo_.made(); }

private:
    Memo<std::tuple<std::uint64_t, const ChapterLibrary*, CourseView, Language, attn::Convention, std::string, int, attn::Tag,
                    std::optional<CellRef>, attn::PathChoice, std::shared_ptr<const TrainingNews>, int>,
         CoursePage>
        memo_;
};

}  // namespace

std::unique_ptr<Follower> chapter_follower() { return std::make_unique<ChapterFollower>(); }

}  // namespace app
