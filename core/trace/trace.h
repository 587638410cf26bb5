#pragma once
// The spine: every operation of the engine records what it read and what it made as a *step*. Stepping, animation,
// inspection, explanation and export all read the trace; nothing bypasses it.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/base/shared_names.h"
#include "core/kernels/parameters.h"
#include "core/trace/step_ids.h"
#include "core/trace/step_value.h"

namespace attn {

/// The closed set of operations (ops.inc). The compiler names every `switch` that forgot one.
enum class Op : std::uint8_t {
#define OP(name, id, rows) name,
#include "core/trace/ops.inc"
#undef OP
};

/// What a step's value means, whatever made it (roles.inc).
enum class Role : std::uint16_t {
#define ROLE(name, ...) name,
#include "core/trace/roles.inc"
#undef ROLE
};

#define OP(name, id, rows) +1
inline constexpr int kOpCount = 0
#include "core/trace/ops.inc"
    ;
#undef OP
#define ROLE(name, ...) +1
inline constexpr int kRoleCount = 0
#include "core/trace/roles.inc"
    ;
#undef ROLE

/// What a row of an operation's value depends on: on the whole inputs; on that row of the first input and the whole
/// others; on that row of each.
enum class RowsOf : std::uint8_t { Whole, First, Each };
RowsOf rows_of(Op op);

/// Whether each number of the operation's value is a number of an input, merely moved.
constexpr bool carries_cells(Op op) {
    switch (op) {
#define OP(name, id, rows) \
    case Op::name:         \
        return false;
#define CARRY(name, id, rows) \
    case Op::name:            \
        return true;
#include "core/trace/ops.inc"
#undef OP
    }
    return false;
}

std::string_view op_id(Op op);
std::string_view role_id(Role role);
/// What the engine needs to know of a role, as flags in its row.
enum RoleTrait : std::uint8_t {
    kScoreStage = 1,    ///< a score, or what it becomes up to the weight: the same cell at different stages
    kKeyRows = 2,       ///< its rows are keys, although they may be the same tokens as the queries
    kGate = 4,          ///< computed within a gated recurrent unit
    kFeedForward = 8,   ///< computed within the feed-forward sub-layer
    kPrediction = 16,   ///< computed for the last token alone, with or without a cache
    kPassing = 32,      ///< only leads from one value that is held to the next
};
bool has_trait(Role role, RoleTrait trait);
/// Also finds the role ids of older files.
std::optional<Role> find_role(std::string_view id);

inline constexpr int kNoLayer = -1;
inline constexpr int kNoHead = -1;
inline constexpr int kNoTime = -1;
inline constexpr StepId kNoStep = -1;

/// Tells apart values of one role where a model has several attentions or stacks: the encoder's; the cross-attention's;
/// the norm and residual of the feed-forward sub-layer, which would otherwise share a name; and the layer between the
/// last block and the vocabulary.
enum class Part : std::uint8_t { Main, Encoder, Cross, FeedForward, EncoderFeedForward, Source, Final, Words };
inline constexpr int kPartCount = 8;
std::string_view part_id(Part part);  ///< "" for Main

/// Identifies a value: its role and, where there are several, its head, layer, time (a step of a recurrence or of
/// decoding, or a tile) and part. All count from 0 in code.
struct Tag {
    // 16 bytes, so that it is passed in two registers.
    Role role = Role::Embeddings;
    /// 0: a value of the computation itself. 1: the gradient with respect to that value; 2, 3 …: intermediate values of
    /// that gradient (gradient.h).
    std::int16_t pass = 0;
    std::int16_t layer = kNoLayer;
    Part part = Part::Main;
    int head = kNoHead;
    int time = kNoTime;

    constexpr Tag() = default;
    constexpr Tag(Role what, int of_head = kNoHead, int of_layer = kNoLayer, int at = kNoTime, Part where = Part::Main, int of_pass = 0)
        : role(what), pass(static_cast<std::int16_t>(of_pass)), layer(static_cast<std::int16_t>(of_layer)), part(where), head(of_head), time(at) {}
    bool operator==(const Tag&) const = default;

    Tag as(Role other) const { return {other, head, layer, time, part, pass}; }
    Tag of_head(int other) const { return {role, other, layer, time, part, pass}; }
    Tag of_pass(int other) const { return {role, head, layer, time, part, other}; }
};

/// What the rows or the columns of a value stand for; operations pass it on, so every cell has its labels.
struct Axis {
    enum class Kind : std::uint8_t { Tokens, SourceTokens, Features, Units, Pairs, Distances, Words, Things } kind = Kind::Units;
    int first = 0;  ///< where a slice begins; Distances: the smallest, −k
    /// Pairs: row i·span + j is query i with key j; `queries` and `keys` say what these two stand for.
    int span = 0;
    Kind queries = Kind::Tokens, keys = Kind::Tokens;
    bool operator==(const Axis&) const = default;
};

/// Where the number in an `Input` cell comes from.
enum class Source : std::uint8_t {
    Meaning, Seeded, OneHot, Identity, Given, Formula, Drawn, Scene, Model, Unknown, File, Picture,
    Derived,  ///< in the table of meanings, but not entered by hand
    OfKind,   ///< the table's row for all numbers, or for punctuation
};
std::string_view source_id(Source source);

/// Where the rows of an input come from: all from one source, or each from its own.
class Sources {
public:
    Sources() = default;
    Sources(Source all) : all_(all) {}
    /// One for all rows, or one per row.
    Sources(const std::vector<Source>& rows) {
        if (rows.size() == 1)
            all_ = rows[0];
        else
            rows_ = rows;
    }
    std::optional<Source> of_row(int row) const;
    /// One source for all rows, one per row, or none.
    std::span<const Source> listed() const { return all_ ? std::span(&*all_, 1) : std::span(rows_); }
    bool operator==(const Sources&) const = default;

private:
    std::optional<Source> all_;
    std::vector<Source> rows_;
};

/// A number typed over by hand: it replaces the computed one, and everything after it follows.
struct Edit {
    Tag tag;
    int row = 0;
    int col = 0;
    float value = 0;
    bool operator==(const Edit&) const = default;
};

struct PatternRule;  // core/ops/pattern_rules.h

/// Rows of a step that are replaced as it is recorded: by zeros, by the mean of its rows, by the rows of a given value,
/// or, if they are weights, by a rule. Everything after it follows, as with an edit.
struct Replacement {
    enum class By : std::uint8_t { Zero, Mean, Given, Rule };
    Tag tag;  ///< at all times
    By by = By::Zero;
    std::vector<int> tokens;  ///< only these, from 0; empty: all
    StepValue given;          ///< one row per token
    const PatternRule* rule = nullptr;

    bool concerns(Tag step) const {
        step.time = kNoTime;
        return step == tag;
    }
};

// The parameters of the operations that have any besides their inputs.

struct InputParams {
    Sources sources;
};
struct ScaleParams {
    float factor = 1;
};
struct ActivateParams {
    Activation activation = Activation::Tanh;
};
struct NormParams {  ///< LayerNorm, RmsNorm
    float epsilon = 0;
};
struct NormGradientParams {
    float epsilon = 0;
    bool centred = false;  ///< the gradient of a layer norm; otherwise of an RMS norm
};
struct FoldParams {
    int width = 1;  ///< the columns of the value
};
/// Distances from the row's position to a key, clipped to ±clip.
struct SpreadParams {
    int clip = 0;
    int first = 0;  ///< the first row's position
    int keys = 0;
};
struct CollectParams {
    int clip = 0;
    int first = 0;  ///< the first row's position
};
struct WindowParams {
    float reach = 0;
    int keys = 0;
};
struct GaussianParams {
    float sigma = 1;
    int keys = 0;
};
struct TopKParams {
    int k = 0;
};
struct TopPParams {
    float p = 1, temperature = 1;
};
/// Softmax, Sparsemax, SoftmaxGradient. 0 is the limit (arg max, ties shared), +∞ is uniform.
struct SoftmaxParams {
    float temperature = 1;
};
struct DrawParams {
    int draws = 0;
    int first = 0;  ///< draws of the same seed before these
    std::uint64_t seed = 0;
};
struct PenaltyParams {
    float lambda = 1;
};
struct RecurParams {
    bool backward = false;  ///< from the last row to the first
};
struct SliceParams {  ///< Slice: columns; SliceRows: rows
    int first = 0, count = 0;
};

using Params = std::variant<std::monostate, InputParams, ScaleParams, ActivateParams, NormParams, NormGradientParams, RotateParams, FoldParams,
                            SpreadParams, CollectParams, WindowParams, GaussianParams, TopKParams, TopPParams, SoftmaxParams, DrawParams,
                            PenaltyParams, RecurParams, SliceParams>;

struct Step {
    Op op = Op::Input;
    Tag tag;
    StepIds inputs;  ///< always earlier steps
    Params params;
    Axis rows, cols;
    StepValue value;  ///< an input's is shared with the document that gives it
    /// Cells typed over by hand or replaced, each once, with the number computed there.
    struct Replaced {
        int row, col;
        float computed;
    };
    std::vector<Replaced> replaced;

    Step() = default;
    /// A step whose tag and value are still to come.
    Step(Op what, std::initializer_list<StepId> read, const Axis& down, const Axis& across)
        : op(what), inputs(read), rows(down), cols(across) {}

    /// The parameters of its operation.
    template <class Own>
    const Own& as() const {
        return std::get<Own>(params);
    }
};

/// One number: a step, a row and a column, counted from 0.
struct Cell {
    StepId step = kNoStep;
    int row = 0;
    int col = 0;
    bool operator==(const Cell&) const = default;
};

struct Note {
    StepId step;
    int row;
    RowState state;
};

/// The cost of one step, or the sum over many (measure.h).
struct Cost {
    double multiply_adds = 0;
    double bytes = 0;  ///< of its value in float32
    double held = 0;   ///< the part of these that is held and not evicted (remake.h); counted only in runs over shapes
    double work = 0;   ///< its time in multiply-adds: those, plus sampling and a fixed cost per step
};

/// A run over shapes: steps have shapes and no numbers, and their costs are summed (measure.h).
struct ShapeRun {
    double times = 1;  ///< each step recorded now stands for this many (rounds.h)
    Cost sum;
};

/// Steps of heads that wait to be computed in parallel, per head (side_by_side.h).
struct HeadsAside {
    std::vector<std::vector<StepId>> waiting;
};

/// An input, indexed by its tag: a run looks up many of them.
struct GivenStep {
    Tag tag;
    StepId id;
};

struct Trace {
    std::vector<std::string> tokens;    ///< labels of the `Tokens` axis
    std::vector<std::string> source_tokens;  ///< labels of the `SourceTokens` axis: the second text
    std::vector<std::string> features;  ///< labels of the `Features` axis; empty: numbered
    SharedNames words;                  ///< labels of the `Words` axis: the vocabulary
    std::vector<std::string> things;    ///< labels of the `Things` axis: what a scene shows
    std::vector<Replacement> replacements;  ///< applied to each step as it is recorded
    std::vector<Edit> edits;            ///< applied after the replacements
    std::vector<Step> steps;
    std::vector<GivenStep> given;  ///< the inputs among `steps`
    std::vector<Note> notes;     ///< without those of values that nothing has read yet: use notes_of()
    std::vector<Tag> taken;      ///< parameters that were given by their step's name
    std::vector<Error> refused;  ///< parameters that were given in a shape that does not fit
    std::stop_token stop;        ///< during the run: asks the operations to stop (cancel.h)
    std::optional<ShapeRun> shapes;
    std::optional<HeadsAside> heads;
    /// Values of at least this many numbers that are cheap to recompute are evicted (remake.h); none: all are held.
    std::optional<Eigen::Index> evict_from;

    const Step& operator[](StepId id) const { return steps[static_cast<std::size_t>(id)]; }
    StepId size() const { return static_cast<StepId>(steps.size()); }
};

const Step* find(const Trace& trace, Tag tag);
StepId find_id(const Trace& trace, Tag tag);  ///< kNoStep when there is none
StepId find_given(const Trace& trace, Tag tag);  ///< among the inputs

/// A step's name for people and files: "weights", "weights.h2" (head 2), "encoder.l1.t3.weights.h2" (layer 1, time 3).
/// Counts from 1. In a backward pass: "grad.weights.h2", and for intermediate values "grad2.weights.h2",
/// "grad3.weights.h2".
std::string step_name(Tag tag);
/// The reverse; also accepts the step's number in the trace, from 1, and the document's field names for what it gives:
/// "W_Q" is "query_weight", "X_source" "source.embeddings".
StepId find_step(const Trace& trace, std::string_view name);
std::optional<Tag> parse_step_name(std::string_view name);

/// The label of the i-th row or column of an axis: a token, a feature's name, or a number from 1.
std::string axis_label(const Trace& trace, Axis axis, int index);
/// The note on a row of a step, if any.
std::optional<RowState> row_state(const Trace& trace, StepId step, int row);
/// All notes on one step, row by row; if it was evicted and nothing has read it, it is recomputed for them (remake.h).
std::vector<Note> notes_of(const Trace& trace, StepId step);

}  // namespace attn
