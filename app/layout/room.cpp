// Readable figures: what must be folded so that every shown cell has room for its number.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "app/layout/parts.h"

namespace app {
namespace {

using attn::Op;

/// Padding around a figure, horizontally and vertically, in heights of the figure.
constexpr float kBeside = 0.35f, kAbove = 0.28f;
/// The minimum number of slots: two single ones and the shared one.
constexpr int kFewestSlots = 3;
/// Ratios of width to height for cells, the preferred ones first.
constexpr float kShapes[] = {1.6f, 1.8f, 2.0f, 2.3f, 1.3f, 1.0f};
/// The same for a result alone on the stage: high cells first, and a lower one only if it is wider by this factor.
constexpr float kTallShapes[] = {1.0f, 1.15f, 1.3f, 1.6f, 1.8f, 2.0f, 2.3f}, kWider = 1.02f;
/// Pitch of rows and columns out of focus, relative to a full one: the smallest at which colours can still be
/// distinguished.
constexpr float kThinUpright = 0.42f, kThinLine = 0.62f;
/// At normal size, a step with longer sides is shown as a map: there the lens and the inspector show the numbers.
constexpr int kFiguresAtDesk = 24, kFeaturesAtDesk = 512;
/// The most slots for the terms of a product at normal size, if not all fit: those that its card lists, and the shared
/// one.
constexpr int kTermsAtDesk = 9;

/// Whether a layout can fold rows and columns. Those that draw over the cells by their own columns, or turn them,
/// cannot: if their figures are not readable, the step's result is shown alone.
bool folds(Op op) {
    static constexpr bool kFolds[] = {
#define OP_LOOK(name, seconds, lay_out, folds, in_reverse, of_nothing) folds,
#include "app/timeline/op_looks.inc"
#undef OP_LOOK
    };
    return kFolds[static_cast<std::size_t>(op)];
}

/// The product of states and the vectors of a large vocabulary is shown without these: they would have to be read, all
/// of them, for a few columns.
bool leaves_out_vectors(const attn::Trace& trace, attn::StepId id) {
    constexpr Eigen::Index kMostRead = 1 << 22;
    const attn::Step& step = trace[id];
    return step.op == Op::MatMul && step.cols.kind == attn::Axis::Kind::Words && trace[step.inputs[1]].value.size() > kMostRead;
}
bool leaves_out_vectors(const StageInput& in) { return leaves_out_vectors(in.trace, in.pose.step); }

bool draws_cube(const StageInput& in) { return in.cube && can_be_cube(in.trace, in.pose.step); }

float wide(const StageInput& in, attn::StepId id) { return stage::figure_width(in, id); }

/// Whether the operation replaces each number by another one at the same position.
bool replaces_in_place(Op op) {
    constexpr Op kInPlace[] = {Op::Scale, Op::Mask, Op::TopK, Op::TopP, Op::Softmax, Op::Sparsemax, Op::Draw, Op::Activate};
    return std::find(std::begin(kInPlace), std::end(kInPlace), op) != std::end(kInPlace);
}

/// The same for the row in focus where other columns are thinned: its figures never go.
float legible_row(const StageInput& in, const MatrixSprite& m) {
    const Fold& fold = m.grid.upright_fold();
    if (m.grid.transposed || !fold.thins()) return 1e9f;
    return (m.grid.pitch_x() * fold.thin - m.grid.gap) / stage::row_figure_width(in, m.step);
}

/// The worst ratio of available to required room among all cells; all figures are readable from 1 on.
float legible(const StageInput& in, const Folding& folding, Scene& scene) {
    StageInput folded = in;
    folded.folding = folding;
    folded.pose.progress = 1;
    lay_out(folded, scene);
    float least = 1e9f;
    for (const MatrixSprite& m : scene.matrices) {
        if (m.alpha <= 0 || !m.numbers) continue;
        least = std::min(least, stage::legible(in, m.step, m.grid));
        // A result that replaces its input shows the input's figures first.
        if (m.step == in.pose.step && in.style.presenting && replaces_in_place(in.trace[m.step].op)) least = std::min(least, stage::legible(in, in.trace[m.step].inputs[0], m.grid));
        if (m.step == in.pose.step) least = std::min(least, legible_row(in, m));
    }
    return least;
}

using Side = int Folding::*;

/// What may be folded. While presenting, everything. At normal size, where tokens are pointed at, tokens are folded
/// only in a product, whose row, column and cell cannot be read anywhere else, or if `all` is set.
std::vector<Side> sides_of(const StageInput& in, bool all) {
    if (all || (in.trace[in.pose.step].op == Op::MatMul && !leaves_out_vectors(in))) return {&Folding::terms, &Folding::uprights, &Folding::lines};
    const attn::Step& step = in.trace[in.pose.step];
    const bool columns = in.convention == attn::Convention::Columns;
    const auto may_fold = [](const attn::Axis& axis) {
        return axis.kind == attn::Axis::Kind::Features || axis.kind == attn::Axis::Kind::Units || axis.kind == attn::Axis::Kind::Words;
    };
    std::vector<Side> out;
    if (may_fold(columns ? step.rows : step.cols)) out.push_back(&Folding::uprights);
    if (may_fold(columns ? step.cols : step.rows)) out.push_back(&Folding::lines);
    return out;
}

/// Folds a long vocabulary to a few words, whose cells are visible though not readable; nothing if there is none.
std::optional<Folding> words_folded(const StageInput& in) {
    constexpr int kSlots = 6;
    constexpr float kWide = 1.6f;
    const attn::Step& step = in.trace[in.pose.step];
    const auto long_words = [](const attn::Axis& axis, Eigen::Index count) { return axis.kind == attn::Axis::Kind::Words && count > kFiguresAtDesk; };
    const bool rows = long_words(step.rows, step.value.rows()), cols = long_words(step.cols, step.value.cols());
    if (!rows && !cols) return std::nullopt;
    const bool upright = cols != (in.convention == attn::Convention::Columns);
    Folding out;
    out.alone = leaves_out_vectors(in);
    if (upright) out.narrow = kWide;
    (upright ? out.uprights : out.lines) = kSlots;
    return out;
}

/// Removes one slot where that makes the cells grow most. The columns of the row in focus are folded only after the
/// terms.
bool fold_more(const StageInput& in, Folding& folding, const std::vector<Side>& sides, Scene& scene) {
    float best = 0;
    Side chosen = nullptr;
    const Side row = in.convention == attn::Convention::Columns ? &Folding::lines : &Folding::uprights;
    const bool has_terms = in.trace[in.pose.step].op == Op::MatMul && !folding.alone && folding.terms > kFewestSlots;
    for (const Side side : sides) {
        if (folding.*side <= kFewestSlots || (side == row && has_terms)) continue;
        Folding fewer = folding;
        --(fewer.*side);
        // If neither of two helps by itself, the larger one is reduced.
        const float gain = legible(in, fewer, scene) + 1e-4f * static_cast<float>(folding.*side);
        if (gain <= best) continue;
        best = gain;
        chosen = side;
    }
    if (chosen) --(folding.*chosen);
    return chosen != nullptr;
}

}  // namespace

bool can_be_cube(const attn::Trace& trace, attn::StepId id) { return trace[id].op == Op::MatMul && !leaves_out_vectors(trace, id); }

float shortest_number(const StepRange& range) {
    const bool has_whole = std::max(std::abs(range.high), std::abs(range.low)) >= 1;
    return longest_number(range) - (has_whole ? 1.0f : 0.0f);
}

float longest_number(const StepRange& range) {
    const auto digits = [](float size) { return size < 9.995f ? 4.0f : size < 99.995f ? 5.0f : size < 999.995f ? 6.0f : 8.0f; };
    return std::max(digits(std::abs(range.high)), range.low < 0 ? digits(-range.low) + 1 : 0.0f);
}

/// Vocabularies do not count, since they fold to the likely words; features count only above a high limit.
bool is_map(const StageInput& in) {
    const attn::Step& step = in.trace[in.pose.step];
    const auto is_longer = [](const attn::Axis& axis, Eigen::Index count) {
        using Kind = attn::Axis::Kind;
        if (axis.kind == Kind::Words) return false;
        return count > (axis.kind == Kind::Features || axis.kind == Kind::Units ? kFeaturesAtDesk : kFiguresAtDesk);
    };
    const auto longer = [&](const attn::Step& s) { return is_longer(s.rows, s.value.rows()) || is_longer(s.cols, s.value.cols()); };
    return longer(step) || (!leaves_out_vectors(in) && std::any_of(step.inputs.begin(), step.inputs.end(), [&](attn::StepId id) { return longer(in.trace[id]); }));
}

namespace {

/// With the style's type, with or without words at the weights.
std::optional<Folding> folding_with(const StageInput& in, bool words) {
    if (in.style.figure <= 0 || in.pose.step == attn::kNoStep || in.area.empty()) return std::nullopt;
    const attn::Step& step = in.trace[in.pose.step];
    if (step.value.size() == 0 || draws_cube(in)) return std::nullopt;
    float widest = wide(in, in.pose.step);
    const bool alone = leaves_out_vectors(in);
    if (!alone)
        for (const attn::StepId id : step.inputs) widest = std::max(widest, wide(in, id));
    const float high = in.style.figure * (1 + kAbove);
    Scene scene;
    const auto in_good_shape = [&](Folding folding) -> std::optional<Folding> {
        for (const float shape : kShapes) {
            folding.narrow = shape;
            if (legible(in, folding, scene) >= 1) return folding;
        }
        // If height is scarce, cells are only as high as the figure.
        folding.narrow = widest / high;
        return legible(in, folding, scene) >= 1 ? std::optional(folding) : std::nullopt;
    };
    // Alone, the result takes the width first, then as much height as is left.
    const auto in_tall_shape = [&](Folding folding) {
        std::optional<Folding> best;
        float widest_pitch = 0;
        for (const float shape : kTallShapes) {
            folding.narrow = shape;
            if (legible(in, folding, scene) < 1 || scene.matrices.empty()) continue;
            const float pitch = scene.matrices.front().grid.pitch_x();
            if (pitch <= widest_pitch * kWider) continue;
            best = folding;
            widest_pitch = pitch;
        }
        return best ? best : in_good_shape(folding);
    };
    Folding folding;
    folding.words = words;
    folding.alone = alone;
    if (!in.style.presenting && is_map(in)) return std::nullopt;
    // Thinned columns still have room for the figures of the row in focus; where tokens are columns these are below
    // each other.
    const bool columns = in.convention == attn::Convention::Columns;
    const float gap = in.style.gap, row_wide = stage::row_figure_width(in, in.pose.step);
    const float thin_upright = columns ? kThinUpright : std::min(1.0f, (row_wide + gap) / (widest + gap)), thin_line = columns ? 1 : kThinLine;
    // In the order of giving way. A transposed matrix keeps square cells.
    std::optional<Folding> good;
    omit_until_it_fits(in.style.omitted, Omittable::Slots, [&](Omitted omitted) {
        folding.omitted = omitted;
        if (step.op == Op::Transpose) {
            if (legible(in, folding, scene) >= 1) good = folding;
            return good.has_value();
        }
        const bool thins = !omitted.shows(Omittable::Context) && step.op == Op::MatMul && !alone;
        folding.thin_uprights = thins ? thin_upright : 1;
        if (!(good = in_good_shape(folding)) && thins) {
            folding.thin_lines = thin_line;
            good = in_good_shape(folding);
        }
        return good.has_value();
    });
    if (good) return good;
    if (!folds(step.op)) {
        folding = {};
        folding.alone = true;
        folding.omitted = omitted_before(Omittable::Slots);
        if (const auto whole = in_good_shape(folding)) return whole;
        widest = wide(in, in.pose.step);
    }
    const auto most = [](float room, float each) { return std::clamp(static_cast<int>(room / each), kFewestSlots, Fold::kMost); };
    for (const bool all : {false, true}) {
        if (in.style.presenting && !all) continue;
        const std::vector<Side> sides = sides_of(in, all);
        folding.narrow = widest / high;
        for (const Side side : sides)
            folding.*side = std::min(most(in.area.w, side == &Folding::uprights ? row_wide : widest), side == &Folding::uprights ? Fold::kMost : most(in.area.h, high));
        if (!in.style.presenting && folding.terms < Folding::kAll) folding.terms = std::min(folding.terms, kTermsAtDesk);
        while (legible(in, folding, scene) < 1 && fold_more(in, folding, sides, scene)) {
        }
        if (auto folded = alone ? in_tall_shape(folding) : in_good_shape(folding)) {
            // Folding may have made room for the thinned rows or columns again.
            for (float Folding::*thin : {&Folding::thin_uprights, &Folding::thin_lines}) {
                Folding whole = *folded;
                whole.*thin = 1;
                if (legible(in, whole, scene) >= 1) folded = whole;
            }
            return folded;
        }
    }
    return in.style.presenting ? std::optional(folding) : words_folded(in);
}

/// With the style's type. The words at weights are dropped before their figures, but after the context.
std::optional<Folding> folding_in_type(const StageInput& in) {
    const attn::Step& step = in.trace[in.pose.step];
    Scene scene;
    auto plain = folding_with(in, false);
    if (step.op != Op::MatMul || draws_cube(in) || step.inputs.size() != 2 || !stage::mixes_by(in.trace[step.inputs[0]])) return plain;
    const auto named = folding_with(in, true);
    const bool costs_a_figure = named && plain && named->terms < plain->terms && legible(in, *plain, scene) >= 1;
    return named && !costs_a_figure && legible(in, *named, scene) >= 1 ? named : plain;
}

StageInput in_small_type(const StageInput& in) {
    StageInput out = in;
    out.style.figure = in.style.small_figure;
    out.style.digit = in.style.small_digit;
    return out;
}

/// With the style's type, or with a smaller one if the figures would not be readable.
std::optional<Folding> folding_of(const StageInput& in) {
    const auto folding = folding_in_type(in);
    Scene scene;
    if (in.style.small_figure <= 0 || draws_cube(in) || is_map(in) || (folding && legible(in, *folding, scene) >= 1)) return folding;
    auto small = folding_in_type(in_small_type(in));
    if (!small) return folding;
    small->small = true;
    return small;
}

/// The product that made the scores which a step then changes element by element; kNoStep if the step does something
/// else.
attn::StepId scores_of(const attn::Trace& trace, attn::StepId id) {
    const attn::Step& step = trace[id];
    const auto keeps_shape = [](Op op) {
        constexpr Op kKeep[] = {Op::Scale, Op::Add, Op::AddRow, Op::Mask, Op::TopK, Op::TopP, Op::Softmax, Op::Sparsemax, Op::Draw};
        return std::find(std::begin(kKeep), std::end(kKeep), op) != std::end(kKeep);
    };
    while (keeps_shape(trace[id].op) && trace[id].tag.pass == 0) {
        id = trace[id].inputs[0];
        if (trace[id].value.rows() != step.value.rows() || trace[id].value.cols() != step.value.cols()) break;
    }
    return trace[id].op == Op::MatMul && trace[id].tag.role == attn::Role::Scores ? id : attn::kNoStep;
}

/// A step on scores is drawn where they were computed, if its figures fit there, too.
std::optional<Folding> on_the_sheet(const StageInput& in) {
    const attn::Step& step = in.trace[in.pose.step];
    if (in.cube || step.op == Op::MatMul || step.op == Op::Add || step.op == Op::AddRow) return std::nullopt;
    const attn::StepId scores = scores_of(in.trace, in.pose.step);
    if (scores == attn::kNoStep) return std::nullopt;
    StageInput made = in;
    made.pose.step = scores;
    made.pose.progress = 1;
    made.explained.reset();
    made.focus.reset();
    made.folding = folding_of(made);
    if (!made.folding || made.folding->folds() || made.folding->thins()) return std::nullopt;
    Scene scene;
    lay_out(made, scene);
    const auto of = [&](attn::StepId id) {
        return std::find_if(scene.matrices.begin(), scene.matrices.end(), [id](const MatrixSprite& m) { return m.step == id; });
    };
    const auto& operands = in.trace[scores].inputs;
    const auto result = of(scores), above = of(operands[in.convention == attn::Convention::Columns ? 0 : 1]);
    if (result == scene.matrices.end() || above == scene.matrices.end()) return std::nullopt;
    Folding out;
    out.omitted = made.folding->omitted;
    out.narrow = result->grid.narrow;
    out.small = made.folding->small;
    out.sheet = ScoreSheet{result->grid, above->grid.origin.y};
    return legible(out.small ? in_small_type(in) : in, out, scene) >= 1 ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<Folding> folding_for(const StageInput& in) {
    if (in.pose.step == attn::kNoStep || in.style.figure <= 0 || in.area.empty()) return std::nullopt;
    if (auto sheet = on_the_sheet(in)) return sheet;
    return folding_of(in);
}

float stage::figure_width(const StageInput& in, attn::StepId id) {
    return in.style.digit * longest_number(in.ranges[static_cast<std::size_t>(id)]) + in.style.figure * kBeside;
}

float stage::row_figure_width(const StageInput& in, attn::StepId id) {
    constexpr float kBesideInRow = 4;  // design pixels
    return in.style.digit * shortest_number(in.ranges[static_cast<std::size_t>(id)]) + kBesideInRow * in.style.scale;
}

bool stage::mixes_by(const attn::Step& left) {
    using attn::Role;
    const Role role = left.tag.role;
    return left.tag.pass != 1 && (role == Role::Weights || role == Role::LocalWeights || role == Role::Drawn);
}

float stage::legible(const StageInput& in, attn::StepId id, const Grid& grid) {
    return std::min((grid.pitch_x() - grid.gap) / figure_width(in, id), (grid.cell - grid.gap) / (in.style.figure * (1 + kAbove)));
}

namespace stage {
namespace {

bool is_product(const attn::Step& step) { return step.op == Op::MatMul && step.inputs.size() == 2; }

/// The cell that the step is about, regardless of the pointer, so that nothing moves while pointing.
attn::Cell anchor_of(const Builder& b) {
    const attn::StepId id = b.in.pose.step;
    if (b.in.explained && b.in.explained->step == id) return *b.in.explained;
    return {id, b.rows_of(id).first, 0};
}

float weight_at(const attn::Matrix& value, Eigen::Index row, Eigen::Index col) {
    const float v = value(std::clamp<Eigen::Index>(row, 0, value.rows() - 1), std::clamp<Eigen::Index>(col, 0, value.cols() - 1));
    return std::isfinite(v) ? std::abs(v) : -1;
}

/// The magnitude of a term of the explained number; where values are mixed, its weight.
float weight_of_term(const Builder& b, int term) {
    const attn::Step& step = b.step(b.in.pose.step);
    const attn::Cell at = anchor_of(b);
    const attn::Step& left = b.step(step.inputs[0]);
    const float weight = weight_at(left.value, at.row, term);
    return left.tag.role == attn::Role::Weights ? weight : weight * weight_at(b.step(step.inputs[1]).value, term, at.col);
}

}  // namespace

std::vector<int> largest_of(int count, int must, const std::function<float(int)>& weight) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::vector<float> weights;
    for (int i = 0; i < count; ++i) weights.push_back(i == must ? 1e30f : weight(i));
    constexpr int kMostRanked = 64;
    const auto most = order.begin() + std::min(count, kMostRanked);
    std::partial_sort(order.begin(), most, order.end(), [&](int i, int j) {
        const float a = weights[static_cast<std::size_t>(i)], b = weights[static_cast<std::size_t>(j)];
        return a != b ? a > b : i < j;
    });
    order.erase(most, order.end());
    return order;
}

Fold fold_of(const std::vector<int>& largest, int count, int slots) {
    Fold fold;
    if (count <= slots) return fold;
    fold.count = std::clamp(slots - 1, 1, std::min(Fold::kMost, static_cast<int>(largest.size())));
    std::copy_n(largest.begin(), fold.count, fold.indices.begin());
    std::sort(fold.indices.begin(), fold.indices.begin() + fold.count);
    return fold;
}

Fold fold_to(int count, int slots, int must, const std::function<float(int)>& weight) {
    return count <= slots ? Fold{} : fold_of(largest_of(count, must, weight), count, slots);
}

namespace {

/// The terms of the explained number that have their own slots.
Fold fold_of_terms(const Builder& b, int count) {
    if (count <= b.folding->terms) return {};
    const attn::Cell at = anchor_of(b);
    return fold_of(b.in.rows->largest({&b.step(b.in.pose.step), at.row, at.col, true}, [&] { return largest_of(count, -1, [&](int i) { return weight_of_term(b, i); }); }),
                   count, b.folding->terms);
}

}  // namespace

Fold Builder::under_lens(Fold fold, int whole, bool upright) const {
    fold.thin = upright ? folding->thin_uprights : folding->thin_lines;
    if (fold.thin < 1) fold.lens = whole;
    return fold;
}

Fold Builder::row_fold(attn::StepId id) const {
    if (!folding) return {};
    const attn::Step& moving = step(in.pose.step);
    const int count = rows_of(id).count;
    if (is_product(moving) && id == moving.inputs[1] && id != in.pose.step) return fold_of_terms(*this, count);
    // Rows near the explained one.
    const int row = std::clamp(anchor_of(*this).row - rows_of(in.pose.step).first, 0, count - 1);
    const Fold fold = fold_to(count, columns() ? folding->uprights : folding->lines, row,
                              [row](int i) { return -static_cast<float>(std::abs(i - row)); });
    return is_product(moving) ? under_lens(fold, spot ? std::clamp(spot->row - rows_of(in.pose.step).first, 0, count - 1) : row, columns()) : fold;
}

Fold Builder::col_fold(attn::StepId id) const {
    if (!folding) return {};
    const attn::Step& moving = step(in.pose.step);
    const auto count = static_cast<int>(step(id).value.cols());
    if (is_product(moving) && id == moving.inputs[0]) return fold_of_terms(*this, count);
    // The largest numbers of the explained row; the same columns in every matrix with as many columns.
    const attn::Cell at = anchor_of(*this);
    const attn::Step& own = count == moving.value.cols() ? moving : step(id);
    const int col = std::min(at.col, count - 1);
    // Of a vocabulary the likeliest words: one that is very unlikely is no news.
    const bool words = own.cols.kind == attn::Axis::Kind::Words;
    const auto weight = [&own, at, words](int i) { return words ? own.value(std::min<Eigen::Index>(at.row, own.value.rows() - 1), i) : weight_at(own.value, at.row, i); };
    const int slots = columns() ? folding->lines : folding->uprights;
    const Fold fold = count <= slots ? Fold{} : fold_of(in.rows->largest({&own, at.row, col}, [&] { return largest_of(count, col, weight); }), count, slots);
    return is_product(moving) ? under_lens(fold, spot ? std::min(spot->col, count - 1) : col, !columns()) : fold;
}

}  // namespace stage
}  // namespace app
