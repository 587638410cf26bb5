#pragma once
// Questions: a table of kinds. A question is made from a computation and its answer is computed, never stored; the
// attempt's number is the seed for what is fresh.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/chapters/format/chapter.h"

namespace app {

/// How a question is answered.
enum class AnswerInput : std::uint8_t { Choose, Number, Order, Act };

/// The question of a page, as made from the current computation.
struct PageQuestion {
    int attempt = 1;          ///< from 1
    int row = 0, column = 0;  ///< of the question, from 1; 0: none
    attn::StepId step = attn::kNoStep;
    AnswerInput input = AnswerInput::Choose;
    std::vector<std::string> options;
    std::vector<int> places;            ///< for each option, its position in the row or its index in the author's list
    std::vector<std::string> labels;    ///< for the numbers below
    std::vector<double> before, after;  ///< for which_change: the row
    bool possible = false;              ///< false: this document does not allow such a question

    bool operator==(const PageQuestion&) const = default;
};

struct Answer {
    std::vector<int> chosen;  ///< options, in order
    std::optional<double> number;
    bool given() const { return !chosen.empty() || number.has_value(); }
    bool operator==(const Answer&) const = default;
};

/// "entropy(weights[1])" and "1.58 → 1.21".
struct MeasuredLine {
    std::string what, value;
    bool operator==(const MeasuredLine&) const = default;
};

/// The result of checking an answer.
struct Marked {
    bool right = false;
    std::vector<int> right_options;
    std::string right_answer;        ///< a number, or labels in order
    std::vector<attn::Cell> cells;   ///< their chains explain the answer: first the right cell, then the chosen one
    std::vector<MeasuredLine> lines;  ///< the measurement: the numbers that were read, and the results
    bool operator==(const Marked&) const = default;
};

struct QuestionKind {
    std::string_view id;
    Str sentence;
    std::string_view
        slots;  ///< the meaning of {0}, {1} …: r the row's label, c the column's, s the step, t the tolerance
    AnswerInput input;
    void (*make)(const ChapterAsk&, const ChapterContext&, PageQuestion&);
    Marked (*mark)(const ChapterAsk&, const PageQuestion&, const ChapterContext&, const Answer&);
    bool has_row = false, has_column = false;
    std::string_view needs;  ///< required keys, separated by spaces
};
std::span<const QuestionKind> question_kinds();
const QuestionKind* find_question_kind(std::string_view id);

/// The document for an attempt: the given one with its fresh parts replaced. The first attempt uses `document` itself,
/// except that which_mask always chooses a mask.
attn::Document fresh_document(const attn::Document& document, const ChapterAsk& ask, int attempt, Language language);
/// Makes the question from the current computation. Ignores `context.row` and `column`.
PageQuestion make_question(const ChapterAsk& ask, const ChapterContext& context, int attempt);
Marked mark_question(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context, const Answer& answer);
/// The context with the row and column of the question.
ChapterContext asking_context(const ChapterContext& context, const PageQuestion& question);
/// A right answer, and a wrong one if there is one: for tests and for "show me".
Answer right_answer(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context);
std::optional<Answer> wrong_answer(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context);

/// Sets fields to their values for a language. False: one was refused; `problem` says which and why.
bool set_fields(attn::Document& document, const FieldSettings& settings, Language language,
                std::string* problem = nullptr);
/// The document of a page: the chapter's start with the page's settings.
attn::Document page_document(const Chapter& chapter, const ChapterPage& page, Language language);

}  // namespace app
