#pragma once
// Questions: a table of kinds. Each is made from a computation and marked by computing, never from a stored answer; the
// number of the try is the seed of what is fresh.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/chapters/format/chapter.h"

namespace app {

/// How it is answered.
enum class AnswerInput : std::uint8_t { Choose, Number, Order, Act };

/// A question as it is put now.
struct Asked {
    int attempt = 1;          ///< from 1
    int row = 0, column = 0;  ///< asked about, from 1; 0: none
    attn::StepId step = attn::kNoStep;
    AnswerInput input = AnswerInput::Choose;
    std::vector<std::string> options;
    std::vector<int> places;            ///< what each option is: a place in the row, or an index of the author's list
    std::vector<std::string> labels;    ///< of the numbers below
    std::vector<double> before, after;  ///< which_change: the row
    bool possible = false;              ///< else there is nothing to ask in this document

    bool operator==(const Asked&) const = default;
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

/// What came of it.
struct Marked {
    bool right = false;
    std::vector<int> right_options;
    std::string right_answer;        ///< a number, or labels in order
    std::vector<attn::Cell> cells;   ///< whose chains give the answer: the right one's first, then the chosen one's
    std::vector<MeasuredLine> lines;  ///< how it was measured: the numbers that were read, what came of them
    bool operator==(const Marked&) const = default;
};

struct QuestionKind {
    std::string_view id;
    Str sentence;
    std::string_view
        slots;  ///< what its {0}, {1} … are: r the row's label, c the column's, s the step, t the tolerance
    AnswerInput input;
    void (*make)(const ChapterAsk&, const ChapterContext&, Asked&);
    Marked (*mark)(const ChapterAsk&, const Asked&, const ChapterContext&, const Answer&);
    bool has_row = false, has_column = false;
    std::string_view needs;  ///< keys that must be there, with blanks between them
};
std::span<const QuestionKind> question_kinds();
const QuestionKind* find_question_kind(std::string_view id);

/// The document that a try is made on: the one given with what is fresh in it. The first is `document` itself.
attn::Document fresh_document(const attn::Document& document, const ChapterAsk& ask, int attempt, Language language);
/// The question on what is on the screen. `context.row` and `column` are not read.
Asked make_question(const ChapterAsk& ask, const ChapterContext& context, int attempt);
Marked mark_question(const ChapterAsk& ask, const Asked& asked, const ChapterContext& context, const Answer& answer);
/// The context with the row and column that are asked about.
ChapterContext asking_context(const ChapterContext& context, const Asked& asked);
/// An answer that is right, and one that is wrong where there is one: for tests and for "show me".
Answer right_answer(const ChapterAsk& ask, const Asked& asked, const ChapterContext& context);
std::optional<Answer> wrong_answer(const ChapterAsk& ask, const Asked& asked, const ChapterContext& context);

/// Sets fields in a language's values. False: one was refused, `problem` says which and why.
bool set_fields(attn::Document& document, const FieldSettings& settings, Language language,
                std::string* problem = nullptr);
/// The document of a page: the chapter's start and what the page sets.
attn::Document page_document(const Chapter& chapter, const ChapterPage& page, Language language);

}  // namespace app
