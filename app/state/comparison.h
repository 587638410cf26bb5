#pragma once
// The second run of the comparison: which choices there are, what document each makes, and what lies between the two.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "app/state/state.h"

namespace app {

/// One way to change the document; all in a table.
struct ComparisonKind {
    std::string_view id;
    Str title;
    std::string_view field;  ///< of the document whose choices are offered; empty: none is
    /// Ids of the choices, where they are no field's.
    std::span<const std::string_view> choices;
    /// Whether the document has what it needs. May be null: always.
    bool (*applies)(const attn::Document&);
};
std::span<const ComparisonKind> comparison_kinds();
/// The one that a view asks for, where it applies; else the first that does.
const ComparisonKind& kind_of(const Comparison& comparison, const attn::Document& document);

struct ComparisonChoice {
    std::string_view id;
    std::string why_not;   ///< the document's own words; empty: it can be had
    bool current = false;  ///< what the document has itself
};
std::vector<ComparisonChoice> choices_of(const ComparisonKind& kind, const attn::Document& document);
/// The choice in force: the one asked for where it is possible, else the first other one that is. "": none is.
std::string choice_of(const ComparisonKind& kind, const Comparison& comparison,
                      std::span<const ComparisonChoice> choices);

/// The document with that one thing changed.
attn::Document other_document(const attn::Document& document, const Comparison& comparison);

/// Two tokens that change places, and back. Rows of tokens in a run go where `place` says.
struct Swap {
    int first = 0, second = 0;
    int place(int index) const { return index == first ? second : index == second ? first : index; }
};
/// The tokens that the comparison swaps, inside a text of `count`; the same token twice: nothing to swap.
Swap swap_of(const Comparison& comparison, int count);

/// A matrix of each run and the second minus the first, cell by cell; rows and columns of the second are put back where
/// their tokens stand in the first.
struct Compared {
    attn::StepId left = attn::kNoStep, right = attn::kNoStep;
    attn::Matrix difference;                ///< empty: `why`
    float largest = 0;                      ///< magnitude in it
    std::vector<int> row_place, col_place;  ///< where the first run's rows and columns stand in the second
    float output_largest = -1;              ///< of the outputs' difference; negative: they cannot be compared
};
/// `role`: "weights", "scores" or "output"; of several such steps the one nearest to `near`.
Compared compare_runs(const attn::Trace& left, const attn::Trace& right, std::string_view role, attn::Tag near,
                      Swap swap);
/// Which of the roles a run has.
bool has_role(const attn::Trace& trace, std::string_view role);

/// Each step of a run with numbers typed over minus the same step of the run without.
attn::Matrix edit_difference(const attn::Trace& edited, const attn::Trace& unedited, attn::StepId step);

}  // namespace app
