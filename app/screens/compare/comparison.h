#pragma once
// The second run of the comparison: the available choices, the document that each makes, and the difference of the two
// runs.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "app/screens/compare/look.h"
#include "app/state/difference.h"
#include "app/state/state.h"
#include "app/timeline/labels.h"
#include "core/analysis/head_changes.h"

namespace app {

/// What makes the second run: another choice of a field, two swapped tokens, no edits, another text, another head of
/// the same run, the model before training, another model, or a run that was stored.
enum class Compares : std::uint8_t { Choice, Order, Edits, Text, Head, Untrained, Model, StoredRun };

/// One way to make a second run; comparison_kinds() is a table of them.
struct ComparisonKind {
    std::string_view id;
    Compares what;
    Str title;
    std::string_view field;  ///< the document field whose choices are offered; empty: none
    /// Ids of the choices, if they are not those of a field.
    std::span<const std::string_view> choices;
    /// Whether the document has what this kind needs. Null: always.
    bool (*applies)(const attn::Document&);
};
std::span<const ComparisonKind> comparison_kinds();
/// The kind that the view requests, if it applies; else the first that applies and makes sense with a model's weights
/// where these are used.
const ComparisonKind& kind_of(const Comparison& comparison, const attn::Document& document);

struct ComparisonChoice {
    std::string id;
    std::string why_not;   ///< the document's own reason; empty: it is possible
    bool current = false;  ///< the document's own value
};
/// The values of a field, or the heads' numbers from 1; `head` is the shown one, from 0. Empty for the other kinds.
std::vector<ComparisonChoice> choices_of(const ComparisonKind& kind, const attn::Document& document, int head = 0);
/// The head that a choice means, from 0.
int head_of_choice(std::string_view id);
/// The effective choice: the requested one if possible, else the first other one that is. "" if there is none.
std::string choice_of(const ComparisonKind& kind, const Comparison& comparison,
                      std::span<const ComparisonChoice> choices);

/// The document with that one thing changed, or the other document. A stored link that cannot be read gives the
/// document itself, since links are validated on input. `model`: the other model, for a comparison with one; null: it
/// is not open.
attn::Document other_document(const attn::Document& document, const Comparison& comparison, const attn::ModelPtr& model = nullptr);

/// Whether the screen is waiting for another model, so that a folder that is dropped onto the window is that one.
bool wants_model(const ViewState& view, const attn::Document& document);

/// Stores a document for comparison with later ones.
void keep(Comparison& comparison, const attn::Document& document);
bool has_stored_run(const Comparison& comparison);
/// The stored document; nothing if there is none or its link cannot be read.
std::optional<attn::Document> stored_run_document(const Comparison& comparison);

/// Two tokens that swap places. Row i of the first run corresponds to row `place(i)` of the second.
struct Swap {
    int first = 0, second = 0;
    int place(int index) const { return index == first ? second : index == second ? first : index; }
};
/// The tokens that the comparison swaps, clamped to a text of `count` tokens; the same token twice: no swap.
Swap swap_of(const Comparison& comparison, int count);

/// A matrix of each run and their difference, second minus first; the second one's rows and columns are first moved
/// back to where their tokens are in the first.
struct Compared {
    attn::StepId left = attn::kNoStep, right = attn::kNoStep;
    bool same_shape = false;
    bool aligned = false;     ///< the shapes differ, but the tokens correspond (core/analysis/head_changes.h)
    Difference difference;
    unsigned serial = 0;                    ///< of this comparison: any other has a different number
    std::vector<int> row_place, col_place;  ///< positions of the first run's rows and columns in the second; −1: none
    bool outputs_too = false;               ///< the outputs can be subtracted, too
    Swap swap;                              ///< the swap they were aligned by
    float output_largest = -1;              ///< magnitude in the outputs' difference; negative: not comparable
    /// how much each head's weights differ, most first; null: not computed, or the runs differ only in a choice
    std::shared_ptr<const attn::HeadChanges> changes;

    /// Whether there is a difference, or will be once it is computed.
    bool can_subtract() const { return same_shape || aligned; }
};
/// Whether the two runs differ in their text, their model or an intervention, so that their heads can be compared one
/// by one.
bool ranks_heads(const ComparisonKind& kind);
/// Which matrices are compared.
struct ComparedPlace {
    std::string_view role;  ///< "weights", "scores" or "output"; of several such steps, the one most like `near`
    attn::Tag near;
    Swap swap;
    std::optional<int> other_head;  ///< of the second run; none: the same. With it, outputs are those of single heads.
};
/// The two matrices and how they are aligned; then the difference, which takes time if they are large.
Compared place_runs(const attn::Trace& left, const attn::Trace& right, const ComparedPlace& place);
void subtract_runs(const attn::Trace& left, const attn::Trace& right, Compared& placed);
/// The roles whose matrices are compared.
inline constexpr std::string_view kComparedRoles[] = {"weights", "scores", "output"};
/// Whether a run has such a role.
bool has_role(const attn::Trace& trace, std::string_view role);

/// What the screen shows.
struct ComparisonData {
    std::vector<ComparisonChoice> choices;
    std::string choice;  ///< what the second run has instead of the document's own choice
    AxisLabels labels;   ///< of the second run
    Compared compared;
    std::string model_title;  ///< of the other model
    bool opening = false;     ///< it is being read
    std::optional<attn::Error> model_error;  ///< why it does not open
    bool model_missing = false;              ///< because there is no such folder
};

}  // namespace app
