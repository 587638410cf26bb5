#pragma once
// What the inspector shows about one number, prepared once: its place, the chain that made it, its row, its geometry.

#include <optional>
#include <string>
#include <vector>

#include "app/content/number_text.h"
#include "app/content/strings.h"
#include "app/timeline/colors.h"
#include "app/timeline/labels.h"
#include "core/attention/forms/attention.h"
#include "core/ops/explain.h"
#include "core/trace/counting.h"

namespace app {

/// One line of the chain: "/ √4" and the value after it.
struct ChainRow {
    std::string how;
    float value = 0;
    Hue hue = Hue::Ink;
    bool here = false;      ///< the inspected number
    bool infinite = false;  ///< −∞: masked
    attn::StepId step = attn::kNoStep;  ///< the step that did it
};

/// One term of a sum: left × right = value, with the hues of their matrices; the factors are in the order of the stage.
struct TermRow {
    float left = 0, right = 0, value = 0;
    Hue left_hue = Hue::Ink, right_hue = Hue::Ink;
    bool product = true;
    std::string label;  ///< of the inner index: a feature or a token
};

struct ShareRow {
    std::string label;
    float value = 0;
    bool here = false;
    bool masked = false;
    int place = 0;  ///< position of the token, from 1, if another one has the same label; else 0

    std::string name() const { return place > 0 ? label + " " + std::to_string(place) : label; }
};

/// Two vectors drawn in a plane, for instance a query and a key.
struct Geometry {
    std::string left, right;  ///< formula symbols: "q", "k"
    Hue left_hue = Hue::Query, right_hue = Hue::Key;
    Point a, b;  ///< in the plane that both vectors span, so that lengths, angle and projection are exact
    int first_feature = 0;  ///< for vectors with only two features, the axes are these features and this is the number
                            ///< of the first one, from 1; otherwise 0, and b lies along the first axis
    double degrees = 0, product = 0;
};

/// The angle, with this many decimals, and what the axes are.
std::string geometry_note(const Geometry& geometry, int decimals, Language language);

struct Inspection {
    std::optional<attn::Cell> cell;
    attn::Explanation explanation;
    std::string row_label, col_label;
    Hue row_hue = Hue::Query, col_hue = Hue::Key;
    std::string place;   ///< "row 3, column 2 · head 1", as drawn
    std::string matrix;  ///< "scores"
    std::vector<ChainRow> chain;
    bool chain_of_score = false;  ///< it leads from query and key to a weight
    std::vector<TermRow> terms;
    int hidden_terms = 0;  ///< those not listed
    float hidden_sum = 0;
    float sum = 0;
    std::vector<ShareRow> shares;  ///< the row of weights that the cell belongs to
    Str shares_title = Str::row_values;
    attn::StepId shares_of = attn::kNoStep;
    bool rounded = false;  ///< the terms as displayed do not add up to the sum as displayed
    std::optional<Geometry> geometry;
    std::string note;  ///< masked row, overwritten number, where the number comes from …
};

/// The symbol of a step for the formula setter: "\\q Q". In softmax(X Xᵀ) X the keys are X itself.
std::string symbol_of(const attn::Trace& trace, attn::StepId step, attn::Convention convention);
/// The name of a step's matrix: "queries".
std::string name_of(const attn::Trace& trace, attn::StepId step, Language language);

/// Prepares everything about a cell.
Inspection inspect(const attn::Trace& trace, attn::Cell cell, const AxisLabels& labels, Language language,
                   attn::Convention convention, attn::CountFrom count = attn::CountFrom::One);

}  // namespace app
