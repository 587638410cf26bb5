#include "app/chapters/format/question.h"

#include <algorithm>

#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/document/intervene.h"
#include "core/document/origins.h"

namespace app {
namespace {

/// A seed that is the same everywhere for the same question and attempt.
std::uint64_t seed_of(const ChapterAsk& ask, int attempt) {
    const std::string name = ask.kind + "/" + ask.step + "/" + ask.row + "/" + ask.of + "/" + std::to_string(attempt);
    return attn::hash_bytes(name);
}

bool is_fresh(const ChapterAsk& ask, std::string_view what) {
    return std::find(ask.fresh.begin(), ask.fresh.end(), what) != ask.fresh.end();
}

/// The given index at the first attempt; then another one each time, and all of them before one repeats.
int fresh_index(int given, int count, int attempt) { return (given + attempt - 1) % count; }

}  // namespace

bool set_fields(attn::Document& document, const FieldSettings& settings, Language language, std::string* problem) {
    bool all = true;
    const auto set = [&](const FieldSetting& setting) {
        const std::string& value = in(setting.value, language);
        if (setting.field == "variant") attn::choose_form(document, value);
        const auto done = attn::set_field(document, setting.field, value);
        if (done) return;
        all = false;
        if (problem && problem->empty()) *problem = setting.field + ": " + done.error().message;
    };
    // A model brings its own settings, so the page's other settings are applied after it, as in a document.
    const auto is_model = [](const FieldSetting& setting) { return setting.field == "model"; };
    for (const FieldSetting& setting : settings)
        if (is_model(setting)) set(setting);
    for (const FieldSetting& setting : settings)
        if (!is_model(setting)) set(setting);
    return all;
}

attn::Document page_document(const Chapter& chapter, const ChapterPage& page, Language language) {
    attn::Document document;
    set_fields(document, chapter.start, language);
    set_fields(document, page.enter.set, language);
    return page.ask ? fresh_document(document, *page.ask, 1, language) : document;
}

attn::Document fresh_document(const attn::Document& document, const ChapterAsk& ask, int attempt, Language language) {
    attn::Document out = document;
    const auto seed = static_cast<std::uint64_t>(attempt);
    if (ask.kind == "which_mask" && !ask.choices.empty()) {
        attn::Random random(seed_of(ask, attempt));
        out.config.mask = ask.choices[static_cast<std::size_t>(random.next() % ask.choices.size())];
        attn::drop_unread(out);  // for example a window that this mask does not have
    }
    if (attempt <= 1) return out;
    if (is_fresh(ask, "vectors")) {
        attn::seed_vectors(out, seed);
    }
    if (is_fresh(ask, "weights")) {
        attn::seed_weights(out, seed);
    }
    if (is_fresh(ask, "draws")) out.config.draw_seed = seed;
    if (is_fresh(ask, "scene")) out.scene_seed = seed;
    const auto& texts = in(ask.texts, language);
    if (is_fresh(ask, "text") && !texts.empty()) {
        out.text = texts[static_cast<std::size_t>(attempt - 2) % texts.size()];
        out.tokens.clear();
        out.edits.clear();
        attn::drop_unfit_interventions(out);
    }
    return out;
}

ChapterContext asking_context(const ChapterContext& c, const PageQuestion& question) {
    ChapterContext out = c;
    out.row = question.row;
    out.column = question.column;
    return out;
}

PageQuestion make_question(const ChapterAsk& ask, const ChapterContext& context, int attempt) {
    PageQuestion question;
    question.attempt = attempt;
    const QuestionKind* kind = find_question_kind(ask.kind);
    if (!kind) return question;
    question.input = kind->input;
    if (kind->has_row || !ask.step.empty()) {
        question.step = step_in(context, ask.step.empty() ? "weights" : std::string_view(ask.step));
        if (question.step == attn::kNoStep) return question;
        const attn::Matrix& m = context.trace[question.step].value;
        if (m.size() == 0) return question;
        const bool fresh = ask.fresh.empty() || is_fresh(ask, "row");
        const int tries = fresh ? attempt : 1;
        const auto index = [&](const std::string& expression, int count) {
            return index_of(expression.empty() ? "1" : expression, context, count);
        };
        const auto row = index(ask.row, static_cast<int>(m.rows()));
        const auto column = index(ask.column, static_cast<int>(m.cols()));
        if (!row || !column) return question;
        question.row = fresh_index(*row, static_cast<int>(m.rows()), tries) + 1;
        // The row advances by one per attempt; the column advances more slowly, so that the pairs differ.
        if (kind->has_column) question.column = fresh_index(*column, static_cast<int>(m.cols()), (tries + 1) / 2) + 1;
    }
    question.possible = true;
    kind->make(ask, context, question);
    return question;
}

Marked mark_question(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context, const Answer& answer) {
    const QuestionKind* kind = find_question_kind(ask.kind);
    if (!kind || !question.possible) return {};
    return kind->mark(ask, question, asking_context(context, question), answer);
}

Answer right_answer(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context) {
    const Marked marked = mark_question(ask, question, context, {});
    Answer answer;
    if (question.input == AnswerInput::Choose && !marked.right_options.empty())
        answer.chosen = {marked.right_options.front()};
    if (question.input == AnswerInput::Order) answer.chosen = marked.right_options;
    if (question.input == AnswerInput::Number) {
        const ChapterContext asking = asking_context(context, question);
        if (!ask.of.empty()) {
            const auto value = evaluate(ask.of, asking);
            if (value && value->kind == ChapterValue::Kind::Number) answer.number = value->number;
        } else if (!marked.cells.empty()) {
            const attn::Cell cell = marked.cells.front();
            answer.number = static_cast<double>(context.trace[cell.step].value(cell.row, cell.col));
        }
    }
    return answer;
}

std::optional<Answer> wrong_answer(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context) {
    Answer answer = right_answer(ask, question, context);
    if (question.input == AnswerInput::Number && answer.number) {
        answer.number = *answer.number + 10 * ask.tolerance + 0.1;
        return answer;
    }
    if (question.input == AnswerInput::Order) {
        std::reverse(answer.chosen.begin(), answer.chosen.end());
        if (!mark_question(ask, question, context, answer).right) return answer;
        return std::nullopt;
    }
    for (int option = 0; option < static_cast<int>(question.options.size()); ++option) {
        answer.chosen = {option};
        if (!mark_question(ask, question, context, answer).right) return answer;
    }
    return std::nullopt;
}

}  // namespace app
