#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/chapters/checker.h"
#include "app/chapters/do.h"
#include "app/chapters/format/target.h"
#include "app/chapters/rules.h"
#include "app/screens/experiments/look.h"
#include "app/screens/training/training.h"
#include "core/document/fields.h"
#include "core/io/json.h"

namespace app {
namespace {

constexpr int kTries = 3;

}  // namespace

bool ChapterChecker::all_hold(const std::vector<std::string>& until, const ChapterContext& context) {
    return std::all_of(until.begin(), until.end(), [&](const auto& one) { return holds(one, context); });
}

bool ChapterChecker::done_by(const ChapterDo& how, const std::vector<std::string>& until, const ChapterContext& context) {
    attn::Document document = context.document;
    if (!do_edits(document, how, language_)) return false;
    const auto run = attn::run(document);
    if (!run) return false;
    const ViewPart part = part_of_page(how, language_);
    ChapterContext after = page_context(document, *run, *context.own, language_,
                                       part.has("paths") ? part.values.part<ExperimentsLook>().paths.dials : context.dials);
    ViewState view;
    if (!how.screen.empty() && use_screen(view, how.screen)) after.screen = screen_name(view);
    if (!how.show.empty())
        if (const attn::StepId id = step_in(after, how.show); id != attn::kNoStep) {
            after.shown = after.trace[id].tag;
            if (const auto named = attn::parse_step_name(how.show); named && named->head != attn::kNoHead)
                after.head = named->head;
        }
    if (part.has("convention")) after.convention = part.values.convention;
    after.trained = part.has("trained") ? trained(part.values.part<TrainingLook>()) : context.trained;
    if (how.pin) {
        const attn::StepId id = step_in(after, how.pin->step);
        if (id == attn::kNoStep) return false;
        const attn::Matrix& m = after.trace[id].value;
        const auto row = index_of(how.pin->row, after, static_cast<int>(m.rows()));
        const auto column = index_of(how.pin->column, after, static_cast<int>(m.cols()));
        if (!row || !column) return false;
        after.pinned = ChapterContext::Pinned{after.trace[id].tag, *row, *column};
    }
    return all_hold(until, after);
}

void ChapterChecker::task(const ChapterTask& task, const ChapterContext& context) {
    prose(in(task.say, language_), context, "task");
    for (const std::string& one : task.until) condition(one, context, "task.until", task.place);
    if (all_hold(task.until, context)) page_says(task.place, "task.until", "it is done before it is begun");
    if (!done_by(task.how, task.until, context))
        page_says(task.place, "task.do",
                  fmt::format("after doing it the conditions do not hold ({})", language_id(language_)));
}

void ChapterChecker::question(const ChapterAsk& ask, const ChapterContext& page) {
    const QuestionKind* kind = find_question_kind(ask.kind);
    if (!kind) return;
    need_step("ask.reveal", ask.reveal, page, ask.place);
    for (const AskOption& option : ask.options) {
        std::string problem;
        attn::Document copy = page.document;
        if (!set_fields(copy, option.set, language_, &problem)) page_says(option.place, "ask.changes", problem);
    }
    for (int attempt = 1; attempt <= kTries; ++attempt) {
        const attn::Document document = fresh_document(page.document, ask, attempt, language_);
        const auto run = attn::run(document);
        if (!run) return page_says(ask.place, "ask.fresh", run.error().message);
        ChapterContext tried = page_context(document, *run, *page.own, language_, page.dials);
        tried.convention = page.convention;
        tried.trained = page.trained;
        try_question(ask, tried, attempt);
    }
}

void ChapterChecker::try_question(const ChapterAsk& ask, const ChapterContext& context, int attempt) {
    const PageQuestion question = make_question(ask, context, attempt);
    const auto wrong = [&](std::string_view what) {
        page_says(ask.place, "ask", fmt::format("try {} ({}): {}", attempt, language_id(language_), what));
    };
    if (!question.possible) return wrong("it cannot be asked on this document");
    const ChapterContext asking = asking_context(context, question);
    prose(in(ask.say, language_), asking, "ask");
    prose(in(ask.because, language_), asking, "ask.because");
    for (const AskOption& option : ask.options) {
        prose(in(option.say, language_), asking, "ask.options");
        if (!option.right.empty()) condition(option.right, asking, "ask.options.right", option.place);
    }
    if (question.input == AnswerInput::Act) {
        for (const std::string& one : ask.until) condition(one, context, "ask.until", ask.place);
        if (all_hold(ask.until, context)) wrong("it holds before anything is done");
        if (!done_by(ask.how, ask.until, context)) wrong("after “do” the conditions do not hold");
        return;
    }
    const Answer right = right_answer(ask, question, context);
    if (!right.given() || !mark_question(ask, question, context, right).right)
        wrong("the computed answer is not marked right");
    if (!wrong_answer(ask, question, context)) wrong("no answer would be wrong");
    if (attempt == 1 && ask.kind == "predict_sign" && right.given()) {
        Guesses& all = guesses_[static_cast<std::size_t>(language_)];
        ++all.questions;
        if (question.options[static_cast<std::size_t>(right.chosen.front())] == tr(Str::ask_stays, language_)) {
            ++all.same;
            all.place = ask.place;
        }
    }
}

const std::optional<TrainedNow>& ChapterChecker::trained(const TrainingLook& look) {
    for (const auto& [trained_look, result] : trained_)
        if (trained_look == look) return result;
    return trained_.emplace_back(look, train_for_page(look)).second;
}

bool ChapterChecker::use_settings_text(attn::Document& document, std::string_view text, std::string* problem) {
    const auto set = set_by_text(document, text);
    if (!set) *problem = set.error().key + ": " + set.error().message;
    return set.ok();
}

}  // namespace app
