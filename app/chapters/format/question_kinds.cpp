// The kinds of questions: how each is made and checked.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/chapters/format/question.h"
#include "app/content/number_text.h"
#include "app/timeline/labels.h"
#include "core/attention/parts/mask.h"
#include "core/base/random.h"
#include "core/document/fields.h"

namespace app {
namespace {

using Kind = ChapterValue::Kind;

/// The longest text that is run for a question, because this happens between two frames.
constexpr std::size_t kLongestChoice = 64;
/// The most options to choose from.
constexpr std::size_t kMostWords = 16, kMostOptions = 8;
/// A smaller change counts as none.
constexpr double kSame = 1e-4;

const attn::Matrix& matrix_of(const PageQuestion& question, const ChapterContext& c) { return c.trace[question.step].value; }
double at(const PageQuestion& question, const ChapterContext& c, int place) {
    return static_cast<double>(matrix_of(question, c)(question.row - 1, place));
}
bool counts(double value) { return !std::isnan(value); }

/// Offers the `most` positions of a row with the largest numbers, in their original order.
void offer_places(const ChapterContext& c, PageQuestion& question, std::size_t most) {
    const attn::Matrix& m = matrix_of(question, c);
    std::vector<int> places(static_cast<std::size_t>(m.cols()));
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return at(question, c, a) > at(question, c, b); });
    if (places.size() > most) places.resize(most);
    std::sort(places.begin(), places.end());
    const AxisLabels labels = labels_of(c.trace, c.language);
    for (const int place : places) {
        question.places.push_back(place);
        question.options.push_back(labels.of(c.trace[question.step].cols, place));
    }
    if (question.options.size() < 2) question.possible = false;
}

attn::Cell cell_at(const PageQuestion& question, int place) { return {question.step, question.row - 1, place}; }

/// A sentence's words are all offered, so that the selection is no hint; from a vocabulary, those with the largest
/// numbers.
void offer_row(const ChapterContext& c, PageQuestion& question) {
    const auto all = static_cast<std::size_t>(matrix_of(question, c).cols());
    offer_places(c, question, all <= kMostWords ? all : kMostOptions);
}

// ---- largest_in_row ----

void make_largest(const ChapterAsk&, const ChapterContext& c, PageQuestion& question) { offer_row(c, question); }

Marked mark_places(const PageQuestion& question, const Answer& answer, const std::vector<int>& right) {
    Marked out;
    out.right_options = right;
    out.right = answer.chosen.size() == 1 && std::find(right.begin(), right.end(), answer.chosen[0]) != right.end();
    if (!right.empty()) out.right_answer = question.options[static_cast<std::size_t>(right.front())];
    return out;
}

Marked mark_largest(const ChapterAsk&, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    double best = -INFINITY;
    for (const int place : question.places) best = std::max(best, at(question, c, place));
    std::vector<int> right;
    for (std::size_t i = 0; i < question.places.size(); ++i)
        if (at(question, c, question.places[i]) == best) right.push_back(static_cast<int>(i));
    Marked out = mark_places(question, answer, right);
    if (!right.empty()) out.cells.push_back(cell_at(question, question.places[static_cast<std::size_t>(right[0])]));
    if (!out.right && answer.chosen.size() == 1)
        out.cells.push_back(cell_at(question, question.places[static_cast<std::size_t>(answer.chosen[0])]));
    return out;
}

// ---- order_weights ----

void make_order(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    offer_places(c, question, static_cast<std::size_t>(std::max(ask.count, 0)));
}

Marked mark_order(const ChapterAsk&, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    Marked out;
    out.right_options.resize(question.places.size());
    std::iota(out.right_options.begin(), out.right_options.end(), 0);
    const auto value = [&](int option) { return at(question, c, question.places[static_cast<std::size_t>(option)]); };
    std::stable_sort(out.right_options.begin(), out.right_options.end(),
                     [&](int a, int b) { return value(a) > value(b); });
    for (const int option : out.right_options) {
        if (!out.right_answer.empty()) out.right_answer += " > ";
        out.right_answer += question.options[static_cast<std::size_t>(option)];
        out.cells.push_back(cell_at(question, question.places[static_cast<std::size_t>(option)]));
    }
    out.right =
        answer.chosen.size() == question.places.size() &&
        std::is_sorted(answer.chosen.begin(), answer.chosen.end(), [&](int a, int b) { return value(a) > value(b); });
    return out;
}

// ---- numbers ----

void make_cell(const ChapterAsk&, const ChapterContext& c, PageQuestion& question) {
    question.possible = std::isfinite(at(question, c, question.column - 1));
}
Marked mark_number(double right, double tolerance, const Answer& answer) {
    Marked out;
    out.right = answer.number && std::abs(*answer.number - right) <= tolerance + 1e-9;
    out.right_answer = number_text(static_cast<float>(right), tolerance < 0.005 ? 3 : 2);
    return out;
}
Marked mark_cell(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    Marked out = mark_number(at(question, c, question.column - 1), ask.tolerance, answer);
    out.cells.push_back(cell_at(question, question.column - 1));
    return out;
}

std::optional<double> measured(const std::string& expression, const ChapterContext& c) {
    const auto value = evaluate(expression, c);
    if (!value || value->kind != Kind::Number || !std::isfinite(value->number)) return std::nullopt;
    return value->number;
}
void make_number(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    question.possible = measured(ask.of, asking_context(c, question)).has_value();
}
/// How an expression was measured. `after`: the same in another run; a number is written next to the first one, a row below it.
std::vector<MeasuredLine> lines_of(const std::string& expression, const ChapterContext& c,
                                   const ChapterContext* after = nullptr) {
    std::vector<MeasuredLine> out;
    const std::vector<Reading> then = after ? readings_of(expression, *after) : std::vector<Reading>();
    for (const Reading& course : readings_of(expression, c)) {
        if (course.value.kind == Kind::Truth) continue;
        const std::string before = reading_text(course.value);
        out.push_back({course.text, before});
        const auto same =
            std::find_if(then.begin(), then.end(), [&](const Reading& r) { return r.text == course.text; });
        const std::string now = same == then.end() ? before : reading_text(same->value);
        if (now == before) continue;
        if (course.value.kind == Kind::Numbers)
            out.push_back({"→", now});
        else
            out.back().value += " → " + now;
    }
    return out;
}

Marked mark_expression(const ChapterAsk& ask, const PageQuestion&, const ChapterContext& c, const Answer& answer) {
    const auto value = measured(ask.of, c);
    if (!value) return {};
    Marked out = mark_number(*value, ask.tolerance, answer);
    out.lines = lines_of(ask.of, c);
    for (const Reading& course : readings_of(ask.of, c))
        if (course.cell) out.cells.push_back(*course.cell);
    return out;
}

// ---- which ----

void make_which(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    const ChapterContext asking = asking_context(c, question);
    const auto value = evaluate(ask.of, asking);
    if (!value || value->kind != Kind::Number || !counts(value->number)) {
        question.possible = false;
        return;
    }
    if (question.step != attn::kNoStep) return offer_row(c, question);
    const int count = static_cast<int>(c.trace.tokens.size());
    const AxisLabels labels = labels_of(c.trace, c.language);
    constexpr int kMost = static_cast<int>(kMostWords);
    // In a long text, the words around the right one.
    const int right = static_cast<int>(value->number) - 1;
    const int first = std::clamp(right - kMost / 2, 0, std::max(0, count - kMost));
    for (int i = first; i < std::min(count, first + kMost); ++i) {
        question.places.push_back(i);
        question.options.push_back(labels.tokens[static_cast<std::size_t>(i)]);
    }
    question.possible = question.options.size() >= 2;
}
Marked mark_which(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    const auto value = measured(ask.of, c);
    if (!value) return {};
    std::vector<int> right;
    for (std::size_t i = 0; i < question.places.size(); ++i)
        if (question.places[i] == static_cast<int>(*value) - 1) right.push_back(static_cast<int>(i));
    Marked out = mark_places(question, answer, right);
    out.lines = lines_of(ask.of, c);
    return out;
}

// ---- which_mask ----

attn::Matrix pattern_of(const attn::Document& document) {
    const auto run = attn::run(document);
    if (!run) return {};
    const attn::StepId id = attn::find_step(run->trace, "mask_pattern");
    if (id != attn::kNoStep) return run->trace[id].value.matrix();
    const auto n = static_cast<Eigen::Index>(run->trace.tokens.size());
    return attn::Matrix::Ones(n, n);
}
attn::Document with_mask(const ChapterContext& c, std::string_view mask) {
    attn::Document document = c.document;
    document.config.mask = std::string(mask);
    attn::drop_unread(document);
    return document;
}
void make_mask(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    for (std::size_t i = 0; i < ask.choices.size(); ++i) {
        question.places.push_back(static_cast<int>(i));
        question.options.emplace_back(label_of(ask.choices[i], c.language));
    }
    question.possible = question.options.size() >= 2 && c.trace.tokens.size() <= kLongestChoice && c.trace.tokens.size() >= 2;
}
Marked mark_mask(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    const attn::Matrix own = pattern_of(c.document);
    std::vector<int> right;
    for (std::size_t i = 0; i < ask.choices.size(); ++i) {
        const attn::Matrix other = pattern_of(with_mask(c, ask.choices[i]));
        if (other.rows() == own.rows() && other.cols() == own.cols() && other == own)
            right.push_back(static_cast<int>(i));
    }
    return mark_places(question, answer, right);
}

// ---- changes ----

std::optional<attn::Run> run_with(const ChapterContext& c, const FieldSettings& change) {
    if (c.trace.tokens.size() > kLongestChoice) return std::nullopt;
    attn::Document document = c.document;
    if (!set_fields(document, change, c.language)) return std::nullopt;
    attn::drop_unread(document);
    auto run = attn::run(document);
    if (!run) return std::nullopt;
    return std::move(*run);
}
/// The question's row in a run with a change; empty: there is none.
std::vector<double> row_with(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c,
                             const FieldSettings& change) {
    std::vector<double> out;
    const auto run = run_with(c, change);
    if (!run) return out;
    const ChapterContext there = c.on(run->trace, c.document);
    const attn::StepId id = step_in(there, ask.step.empty() ? "weights" : std::string_view(ask.step));
    if (id == attn::kNoStep || run->trace[id].value.rows() < question.row) return out;
    const attn::Matrix& m = run->trace[id].value;
    for (Eigen::Index col = 0; col < m.cols(); ++col) out.push_back(static_cast<double>(m(question.row - 1, col)));
    return out;
}
bool same_row(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size() || a.empty()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && !(std::abs(a[i] - b[i]) < kSame)) return false;
    return true;
}
void make_change(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    if (ask.options.empty()) {
        question.possible = false;
        return;
    }
    const AxisLabels labels = labels_of(c.trace, c.language);
    for (Eigen::Index col = 0; col < matrix_of(question, c).cols(); ++col) {
        question.labels.push_back(labels.of(c.trace[question.step].cols, static_cast<int>(col)));
        question.before.push_back(at(question, c, static_cast<int>(col)));
    }
    // A change that does not affect this row is no question, so take the next one.
    const std::size_t count = ask.options.size();
    const std::size_t first = attn::hash_bytes(ask.step + std::to_string(question.attempt)) % count;
    for (std::size_t i = 0; i < count && question.after.empty(); ++i) {
        question.after = row_with(ask, question, c, ask.options[(first + i) % count].set);
        if (same_row(question.after, question.before)) question.after.clear();
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Prose filled = fill_prose(in(ask.options[i].say, c.language), asking_context(c, question));
        question.places.push_back(static_cast<int>(i));
        question.options.push_back(text_of(filled));
    }
    question.possible = !question.after.empty() && count >= 2;
}
Marked mark_change(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    std::vector<int> right;
    for (std::size_t i = 0; i < ask.options.size(); ++i)
        if (same_row(row_with(ask, question, c, ask.options[i].set), question.after)) right.push_back(static_cast<int>(i));
    return mark_places(question, answer, right);
}

// ---- predict_sign ----

void make_sign(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    for (const Str word : {Str::ask_rises, Str::ask_falls, Str::ask_stays}) {
        question.places.push_back(static_cast<int>(question.places.size()));
        question.options.emplace_back(tr(word, c.language));
    }
    question.possible = measured(ask.of, asking_context(c, question)) && run_with(c, ask.change);
}
Marked mark_sign(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    const auto run = run_with(c, ask.change);
    const auto before = measured(ask.of, c);
    if (!run || !before) return {};
    attn::Document document = c.document;
    set_fields(document, ask.change, c.language);
    const ChapterContext there = c.on(run->trace, document);
    const auto after = measured(ask.of, there);
    if (!after) return {};
    const double change = *after - *before;
    Marked out = mark_places(question, answer, {std::abs(change) <= kSame ? 2 : change > 0 ? 0 : 1});
    out.lines = lines_of(ask.of, c, &there);
    return out;
}

// ---- drag_vector and choice ----

void make_drag(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    question.possible = std::all_of(ask.until.begin(), ask.until.end(), [&](const std::string& condition) {
        const auto value = evaluate(condition, c);
        return value && value->kind == Kind::Truth;
    });
}
Marked mark_drag(const ChapterAsk& ask, const PageQuestion&, const ChapterContext& c, const Answer&) {
    Marked out;
    out.right =
        std::all_of(ask.until.begin(), ask.until.end(), [&](const auto& condition) { return holds(condition, c); });
    return out;
}

/// The options in an order that depends on the attempt.
std::vector<int> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<int> out(count);
    std::iota(out.begin(), out.end(), 0);
    std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(seed % count), out.end());
    return out;
}
void make_choice(const ChapterAsk& ask, const ChapterContext& c, PageQuestion& question) {
    if (ask.options.size() < 2) {
        question.possible = false;
        return;
    }
    question.places = shuffled(ask.options.size(), static_cast<std::uint64_t>(question.attempt) * 7 + 1);
    int right = 0;
    for (const int place : question.places) {
        const AskOption& option = ask.options[static_cast<std::size_t>(place)];
        const ChapterContext asking = asking_context(c, question);
        question.options.push_back(text_of(fill_prose(in(option.say, c.language), asking)));
        if (holds(option.right, asking)) ++right;
    }
    question.possible = right == 1;
}
Marked mark_choice(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& c, const Answer& answer) {
    std::vector<int> right;
    for (std::size_t i = 0; i < question.places.size(); ++i)
        if (holds(ask.options[static_cast<std::size_t>(question.places[i])].right, c))
            right.push_back(static_cast<int>(i));
    Marked out = mark_places(question, answer, right);
    for (const int i : right)
        out.lines = lines_of(ask.options[static_cast<std::size_t>(question.places[static_cast<std::size_t>(i)])].right, c);
    return out;
}

constexpr QuestionKind kKinds[] = {
    {"largest_in_row", Str::ask_largest, "rs", AnswerInput::Choose, make_largest, mark_largest, true, false, "step"},
    {"value_of_cell", Str::ask_value, "rcst", AnswerInput::Number, make_cell, mark_cell, true, true, "step"},
    {"number", Str::ask_number, "t", AnswerInput::Number, make_number, mark_expression, false, false, "of"},
    {"which", Str::ask_which, "", AnswerInput::Choose, make_which, mark_which, false, false, "of"},
    {"order_weights", Str::ask_order, "r", AnswerInput::Order, make_order, mark_order, true, false, ""},
    {"which_mask", Str::ask_mask, "", AnswerInput::Choose, make_mask, mark_mask, false, false, "choices"},
    {"which_change", Str::ask_change, "rs", AnswerInput::Choose, make_change, mark_change, true, false, "options"},
    {"predict_sign", Str::ask_sign, "", AnswerInput::Choose, make_sign, mark_sign, false, false, "of change"},
    {"drag_vector", Str::ask_drag, "", AnswerInput::Act, make_drag, mark_drag, false, false, "until"},
    {"choice", Str::ask_choice, "", AnswerInput::Choose, make_choice, mark_choice, false, false, "options because"},
};

}  // namespace

std::span<const QuestionKind> question_kinds() { return kKinds; }

const QuestionKind* find_question_kind(std::string_view id) {
    const auto found =
        std::find_if(std::begin(kKinds), std::end(kKinds), [id](const QuestionKind& k) { return k.id == id; });
    return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace app
