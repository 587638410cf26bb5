#pragma once
// The second run of the comparison: which choices there are, what document each makes, and what lies between the two.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "app/screens/compare/look.h"
#include "app/state/difference.h"
#include "app/timeline/labels.h"
#include "core/analysis/head_changes.h"

namespace app {

/// What makes the second run: another choice of a field, two tokens that change places, no edits, another text, another
/// head of the same run, the model before it was trained, or a run that was kept.
enum class Compares : std::uint8_t { Choice, Order, Edits, Text, Head, Untrained, Kept };

/// One way to a second run; all in a table.
struct ComparisonKind {
    std::string_view id;
    Compares what;
    Str title;
    std::string_view field;  ///< of the document whose choices are offered; empty: none is
    /// Ids of the choices, where they are no field's.
    std::span<const std::string_view> choices;
    /// Whether the document has what it needs. May be null: always.
    bool (*applies)(const attn::Document&);
};
std::span<const ComparisonKind> comparison_kinds();
/// The one that a view asks for, where it applies; else the first that does, and that makes sense of a model's weights where these are used.
const ComparisonKind& kind_of(const Comparison& comparison, const attn::Document& document);

struct ComparisonChoice {
    std::string id;
    std::string why_not;   ///< the document's own words; empty: it can be had
    bool current = false;  ///< what the document has itself
};
/// Of a field, or the heads' numbers from 1; `head` is the one that is looked at, from 0. Empty for the other kinds.
std::vector<ComparisonChoice> choices_of(const ComparisonKind& kind, const attn::Document& document, int head = 0);
/// Of a head's choice, from 0.
int head_of_choice(std::string_view id);
/// The choice in force: the one asked for where it is possible, else the first other one that is. "": none is.
std::string choice_of(const ComparisonKind& kind, const Comparison& comparison,
                      std::span<const ComparisonChoice> choices);

/// The document with that one thing changed, or the other one. A kept link that cannot be read gives the document
/// itself: links are checked where they come in.
attn::Document other_document(const attn::Document& document, const Comparison& comparison);

/// Keeps a document to be set beside what comes after it.
void keep(Comparison& comparison, const attn::Document& document);
bool has_kept(const Comparison& comparison);
/// The one that was kept; nothing where there is none, or a link that cannot be read.
std::optional<attn::Document> kept_document(const Comparison& comparison);

/// Two tokens that change places, and back. Rows of tokens in a run go where `place` says.
struct Swap {
    int first = 0, second = 0;
    int place(int index) const { return index == first ? second : index == second ? first : index; }
};
/// The tokens that the comparison swaps, inside a text of `count`; the same token twice: nothing to swap.
Swap swap_of(const Comparison& comparison, int count);

/// A matrix of each run and the second minus the first; rows and columns of the second are put back where their tokens
/// stand in the first.
struct Compared {
    attn::StepId left = attn::kNoStep, right = attn::kNoStep;
    bool same_shape = false;
    bool aligned = false;     ///< of other shapes, but their tokens stand for each other (core/analysis/head_changes.h)
    Difference difference;
    unsigned serial = 0;                    ///< of this comparison: another one has other numbers
    std::vector<int> row_place, col_place;  ///< where the first run's rows and columns stand in the second; −1: nowhere
    bool outputs_too = false;               ///< both outputs can be subtracted
    Swap swap;                              ///< that they were placed by
    float output_largest = -1;              ///< of the outputs' difference; negative: they cannot be compared
    /// How far each head's weights lie apart, most first; null: not made, or the two are the same text and model with another choice.
    std::shared_ptr<const attn::HeadChanges> changes;

    /// There is a difference, or it is on its way.
    bool can_subtract() const { return same_shape || aligned; }
};
/// Whether the two runs differ in their text, their model or an intervention: then their heads can be compared one by one.
bool ranks_heads(const ComparisonKind& kind);
/// Which matrices are set side by side.
struct ComparedPlace {
    std::string_view role;  ///< "weights", "scores" or "output"; of several such steps the one nearest to `near`
    attn::Tag near;
    Swap swap;
    std::optional<int> other_head;  ///< of the second run; without it the first one's. Outputs are then the heads' own.
};
/// Which they are and how they stand; then what lies between them, which takes its time where they are large.
Compared place_runs(const attn::Trace& left, const attn::Trace& right, const ComparedPlace& place);
void subtract_runs(const attn::Trace& left, const attn::Trace& right, Compared& placed);
/// The roles whose matrices are compared.
inline constexpr std::string_view kComparedRoles[] = {"weights", "scores", "output"};
/// Which of the roles a run has.
bool has_role(const attn::Trace& trace, std::string_view role);

/// What the screen shows.
struct ComparisonData {
    std::vector<ComparisonChoice> choices;
    std::string choice;  ///< what the second run has in place of the document's
    AxisLabels labels;   ///< of the second run
    Compared compared;
};

}  // namespace app
