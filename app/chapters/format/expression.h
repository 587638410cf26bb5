#pragma once
// The small expression language of chapters: "max(weights[2])", "n >= 4". Parsed once into a tree (expression_tree.h)
// and evaluated on a computation; what does not exist there has no value, and a wrong expression is an error.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "core/analysis/paths.h"
#include "core/document/document.h"

namespace app {

class ExpressionMemo;

/// The training snapshot that is shown, and how far the training is.
struct TrainedNow {
    double step = 0, newest = 0;                 ///< the snapshot's steps, and the steps taken
    double loss = 0;                             ///< on the examples of that step; NaN: before the first step
    double right = 0, role = 0, role_off = 0;    ///< shares, on unseen examples (train::TaskMeasure)
    struct Beside {
        double right = 0, role = 0;
    };
    std::optional<Beside> beside = {};  ///< the variation trained alongside, at the same step; none: there is none
};

/// What expressions can read.
struct ChapterContext {
    const attn::Trace& trace;
    const attn::Document& document;
    const attn::Document* own = nullptr;  ///< the page's document; null: the same
    Language language = Language::English;
    attn::Convention convention = attn::Convention::Rows;
    int head = 0;             ///< the shown head, from 0
    std::string screen = {};  ///< "stage", "experiments scaling"
    std::optional<attn::Tag> shown = {};
    struct Pinned {
        attn::Tag tag;
        int row = 0, col = 0;  ///< from 0
    };
    std::optional<Pinned> pinned = {};
    int row = 0, column = 0;  ///< of the question, from 1; 0: none
    attn::PathChoice dials = {};  ///< of the experiments' paths page
    ExpressionMemo* memo = nullptr;  ///< the chapter's; null: nothing is cached
    std::optional<TrainedNow> trained = {};  ///< none: nothing is being trained

    /// The same screen for another run; both must outlive it.
    ChapterContext on(const attn::Trace& other, const attn::Document& changed) const {
        return {other, changed, own, language, convention, head, screen, shown, pinned, row, column, dials, memo, trained};
    }
};

/// The value of an expression. Numbers: a row, a column or a matrix, in row-major order.
struct ChapterValue {
    enum class Kind : std::uint8_t { None, Number, Text, Truth, Numbers } kind = Kind::None;
    double number = 0;
    bool whole = false;  ///< a count, not a measurement: shown without decimals
    bool truth = false;
    std::string text;  ///< for Text; for a Number that is a position: its label
    std::vector<double> numbers;
    int rows = 0, cols = 0;
    /// For a row or a column: the step that labels its positions.
    attn::StepId step = attn::kNoStep;
    bool down = false;  ///< a column: its positions are rows of the step

    bool none() const { return kind == Kind::None; }
    static ChapterValue of(double number, bool whole = false);
    static ChapterValue of(std::string text);
    static ChapterValue of_truth(bool truth);
};

/// The step with this name; if several match, that of the shown head. kNoStep: there is none now.
attn::StepId step_in(const ChapterContext& context, std::string_view name);
/// Whether a step of some document could have this name.
bool is_step_name(std::string_view name);

/// Error: the expression is wrong for any document. `key` is unset.
attn::Result<ChapterValue> evaluate(std::string_view expression, const ChapterContext& context);
/// A subexpression and its value: "weights[2]" and its numbers, then "entropy(weights[2])".
struct Reading {
    std::string text;
    ChapterValue value;
    std::optional<attn::Cell> cell = {};  ///< of the given computation, if it is a single number of a step
};
/// How an expression gets its value: the numbers that it reads and the results of its functions, inner ones first, each
/// once, the whole last. Empty: it has no value, or is wrong.
std::vector<Reading> readings_of(std::string_view expression, const ChapterContext& context);
/// The numbers of a row with two decimals, only the first ones of a long row; a single number with three.
std::string reading_text(const ChapterValue& value);

/// True if it has a value and that is true.
bool holds(std::string_view condition, const ChapterContext& context);
/// An index from 0; none: it has no value, or is outside 0 … count−1.
std::optional<int> index_of(std::string_view expression, const ChapterContext& context, int count);

/// Removes the format: "weights[1,2]:3" becomes "weights[1,2]".
std::string_view without_format(std::string_view expression_and_format);
/// The value of "weights[1,2]:3" as shown in prose; empty: it has no value.
attn::Result<std::string> shown_value(std::string_view expression_and_format, const ChapterContext& context);

}  // namespace app
