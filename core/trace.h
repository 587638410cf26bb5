#pragma once
// The spine: every operation of the engine records what it read and what it made as a *step*.
// Stepping, animation, inspection, explanation and export all read the trace; nothing goes around it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// The closed, small set of operations. The compiler names every `switch` that forgot one.
enum class Op : std::uint8_t {
    Input,      ///< a value that comes from outside: vectors, weights, a mask's pattern
    MatMul,     ///< C[i,j] = Σ_f A[i,f] B[f,j]
    Transpose,  ///< B[i,j] = A[j,i]
    Scale,      ///< B = A · factor
    Add,        ///< C = A + B
    AddRow,     ///< C[i,j] = A[i,j] + b[0,j]: a bias
    Mask,       ///< −∞ where the pattern (second input) is 0
    Softmax,    ///< by row, with temperature; masked entries weigh exactly 0
    Slice,      ///< a block of columns: one head's part
    Concat,     ///< blocks of columns, side by side
};
inline constexpr int kOpCount = 10;

/// What a step's value means, whatever made it. A table (trace.cpp) gives each its id.
enum class Role : std::uint8_t {
    Embeddings,
    Positions,
    Inputs,
    QueryWeight,
    KeyWeight,
    ValueWeight,
    OutputWeight,
    QueryBias,
    KeyBias,
    ValueBias,
    OutputBias,
    QueryProducts,
    KeyProducts,
    ValueProducts,
    OutputProducts,
    Queries,
    Keys,
    Values,
    KeysTransposed,
    Scores,
    Scaled,
    MaskPattern,
    Masked,
    Weights,
    HeadOutput,
    Joined,
    Output,
};
inline constexpr int kRoleCount = 27;

std::string_view op_id(Op op);
std::string_view role_id(Role role);
std::optional<Role> find_role(std::string_view id);

using StepId = int;
inline constexpr int kNoLayer = -1;
inline constexpr int kNoHead = -1;
inline constexpr StepId kNoStep = -1;

/// Which of the many values: role, and layer and head where there are several (both count from 0 in code).
struct Tag {
    Role role = Role::Embeddings;
    int head = kNoHead;
    int layer = kNoLayer;
    bool operator==(const Tag&) const = default;
};

/// What the rows or the columns of a value stand for; operations hand it on, so every cell has its labels.
struct Axis {
    enum class Kind : std::uint8_t { Tokens, Features, Units } kind = Kind::Units;
    int first = 0;  ///< where a slice begins
    bool operator==(const Axis&) const = default;
};

/// Where the number in an `Input` cell comes from.
enum class Source : std::uint8_t { Meaning, Seeded, OneHot, Identity, Given, Formula, Drawn };
std::string_view source_id(Source source);

/// A number typed over by hand: it replaces what was computed, and everything after it follows.
struct Edit {
    Tag tag;
    int row = 0;
    int col = 0;
    float value = 0;
    bool operator==(const Edit&) const = default;
};

/// The parameters of an operation, beside its inputs.
struct Params {
    float factor = 1;             ///< Scale
    float temperature = 1;        ///< Softmax: 0 is the limit (arg max, ties shared), +∞ is uniform
    int first_column = 0;         ///< Slice
    std::vector<Source> sources;  ///< Input: one for all rows, or one a row
};

struct Step {
    Op op = Op::Input;
    Tag tag;
    std::vector<StepId> inputs;  ///< always earlier steps
    Params params;
    Axis rows, cols;
    Matrix value;
    /// Cells typed over by hand, with the number that had been computed there.
    struct Replaced {
        int row, col;
        float computed;
    };
    std::vector<Replaced> replaced;
};

/// One number: a step, a row and a column, counted from 0.
struct Cell {
    StepId step = kNoStep;
    int row = 0;
    int col = 0;
    bool operator==(const Cell&) const = default;
};

/// What a row of a step must be told apart for.
enum class RowState : std::uint8_t { AllMasked, Overflow };
struct Note {
    StepId step;
    int row;
    RowState state;
};

struct Trace {
    std::vector<std::string> tokens;    ///< labels of the `Tokens` axis
    std::vector<std::string> features;  ///< labels of the `Features` axis; empty: numbered
    std::vector<Edit> edits;            ///< applied to each step as it is recorded
    std::vector<Step> steps;
    std::vector<Note> notes;

    const Step& operator[](StepId id) const { return steps[static_cast<std::size_t>(id)]; }
    StepId size() const { return static_cast<StepId>(steps.size()); }
};

const Step* find(const Trace& trace, Tag tag);
StepId find_id(const Trace& trace, Tag tag);  ///< kNoStep when there is none

/// A step's name for people and files: "weights", "weights.h2" (head 2), "l1.weights.h2" (layer 1). Counts from 1.
std::string step_name(Tag tag);
/// The reverse; also accepts the step's number in the trace, from 1.
StepId find_step(const Trace& trace, std::string_view name);
std::optional<Tag> parse_step_name(std::string_view name);

/// The label of the i-th row or column of an axis: a token, a feature's name, or a number from 1.
std::string axis_label(const Trace& trace, Axis axis, int index);
/// The note on a row of a step, if any.
std::optional<RowState> row_state(const Trace& trace, StepId step, int row);

}  // namespace attn
