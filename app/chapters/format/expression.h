#pragma once
// The small language of numbers in chapters: "max(weights[2])", "n >= 4". Read once into a tree (expression_tree.h) and
// evaluated on a computation; what is not there has no value, what is written wrongly is an error.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "core/analysis/paths.h"
#include "core/document/document.h"

namespace app {

class ExpressionMemo;

/// The snapshot of a training that is shown, and how far that training is.
struct TrainedNow {
    double step = 0, newest = 0;                 ///< steps of the snapshot, and taken
    double loss = 0;                             ///< of that step's own examples; NaN: before the first step
    double right = 0, role = 0, role_off = 0;    ///< shares, on examples that never train (train::TaskMeasure)
    struct Beside {
        double right = 0, role = 0;
    };
    std::optional<Beside> beside = {};  ///< the variation that is trained beside it, after the same step; none: there is none
};

/// What is on the screen, as far as expressions can ask.
struct ChapterContext {
    const attn::Trace& trace;
    const attn::Document& document;
    const attn::Document* own = nullptr;  ///< the page's document; null: the same
    Language language = Language::English;
    attn::Convention convention = attn::Convention::Rows;
    int head = 0;             ///< shown, from 0
    std::string screen = {};  ///< "stage", "experiments scaling"
    std::optional<attn::Tag> shown = {};
    struct Pinned {
        attn::Tag tag;
        int row = 0, col = 0;  ///< from 0
    };
    std::optional<Pinned> pinned = {};
    int row = 0, column = 0;  ///< asked about, from 1; 0: nothing is
    attn::PathChoice dials = {};  ///< of the experiments' page of paths
    ExpressionMemo* memo = nullptr;  ///< the chapter's; null: everything is read and run anew
    std::optional<TrainedNow> trained = {};  ///< none: nothing is being trained

    /// The same screen over another run; both must outlive it.
    ChapterContext on(const attn::Trace& other, const attn::Document& changed) const {
        return {other, changed, own, language, convention, head, screen, shown, pinned, row, column, dials, memo, trained};
    }
};

/// What an expression gives. Numbers: a row, a column or a matrix, in the order of its rows.
struct ChapterValue {
    enum class Kind : std::uint8_t { None, Number, Text, Truth, Numbers } kind = Kind::None;
    double number = 0;
    bool whole = false;  ///< counted, not measured: shown without decimals
    bool truth = false;
    std::string text;  ///< Text; of a Number that is a place: its label
    std::vector<double> numbers;
    int rows = 0, cols = 0;
    /// Of a row or column: what labels its places.
    attn::StepId step = attn::kNoStep;
    bool down = false;  ///< a column: its places are rows of the step

    bool none() const { return kind == Kind::None; }
    static ChapterValue of(double number, bool whole = false);
    static ChapterValue of(std::string text);
    static ChapterValue of_truth(bool truth);
};

/// The step of a name: of those that it fits, the one of the head that is shown. kNoStep: there is none now.
attn::StepId step_in(const ChapterContext& context, std::string_view name);
/// Whether a step could be called so in some document.
bool is_step_name(std::string_view name);

/// Error: the expression is wrong, whatever the document. `key` is unset.
attn::Result<ChapterValue> evaluate(std::string_view expression, const ChapterContext& context);
/// A part of an expression and what it came to: "weights[2]" and its numbers, then "entropy(weights[2])".
struct Reading {
    std::string text;
    ChapterValue value;
    std::optional<attn::Cell> cell = {};  ///< of the computation given, where it is one number of a step
};
/// How an expression comes to its value: the numbers that it reads and what each function makes of them, inner ones
/// first, each once, the whole last. Empty: it has no value, or is wrong.
std::vector<Reading> readings_of(std::string_view expression, const ChapterContext& context);
/// Numbers of a row with two decimals, the first of them where there are many; a number with three.
std::string reading_text(const ChapterValue& value);

/// True where it has a value and that is true.
bool holds(std::string_view condition, const ChapterContext& context);
/// An index from 0; none: it has no value or is outside 0 … count−1.
std::optional<int> index_of(std::string_view expression, const ChapterContext& context, int count);

/// "weights[1,2]:3" without its format: "weights[1,2]".
std::string_view without_format(std::string_view expression_and_format);
/// "weights[1,2]:3" in prose, as it is shown; empty: it has no value.
attn::Result<std::string> shown_value(std::string_view expression_and_format, const ChapterContext& context);

}  // namespace app
