#include "app/explain/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "app/explain/blank.h"
#include "app/explain/inspection_parts.h"
#include "app/explain/row_reader.h"
#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"
#include "core/model/attention_file/given_attention.h"
#include "core/ops/measure.h"

namespace app {
namespace {

using attn::Cell;
using attn::Op;
using attn::Role;
using attn::Step;
using attn::StepId;
using attn::Tag;
using attn::Trace;

/// Terms that are listed; the others are summed up in one line.
constexpr std::size_t kListedTerms = 12;

struct Maker {
    const Trace& trace;
    const AxisLabels& labels;
    Language language;
    attn::Convention convention;
    attn::CountFrom count;
    Inspection out;
    RowReader reader{trace};

    std::string say(Str string, std::initializer_list<std::string_view> arguments = {}) const {
        return fill_in(tr(in_convention(string, convention), language), arguments);
    }
    bool columns() const { return convention == attn::Convention::Columns; }
    float value(Cell cell) const { return reader(cell); }
    Role role(StepId step) const { return trace[step].tag.role; }

    std::string label(attn::Axis axis, int index) const { return labels.of(axis, index); }

    void place(Cell cell);
    void terms();
    void shares(Cell cell);
    void geometry(Cell cell);
    void notes();
    void say_blank();
    std::string row_fault() const;
};

bool mixes_values(Role role) { return role == Role::Weights || role == Role::LocalWeights || role == Role::Drawn; }

/// The weights by which a step mixes values, whatever gates or sums follow; kNoStep for other steps.
StepId weights_behind(const Trace& trace, StepId step) {
    while (trace[step].op == Op::Multiply || trace[step].op == Op::Add || trace[step].op == Op::Scale)
        step = trace[step].inputs[0];
    if (trace[step].op != Op::MatMul || is_reverse(trace[step].tag)) return attn::kNoStep;
    const StepId left = trace[step].inputs[0];
    return mixes_values(trace[left].tag.role) ? left : attn::kNoStep;
}

/// The row of shares that belongs to a cell: the weights that its scores become or that made it, or its own.
StepId shares_of(const Trace& trace, StepId step) {
    const Role role = trace[step].tag.role;
    if (is_reverse(trace[step].tag)) return attn::kNoStep;
    if (role == Role::Probabilities) return step;
    if (const StepId root = score_root(trace, step); root != attn::kNoStep) {
        const StepId last = score_path(trace, root).back();
        return mixes_values(trace[last].tag.role) ? last : attn::kNoStep;
    }
    return weights_behind(trace, step);
}

/// The scores that a share was made from, to find the masked ones.
StepId scores_behind(const Trace& trace, StepId shares) {
    while (trace[shares].op != Op::Softmax && trace[shares].op != Op::Sparsemax && !trace[shares].inputs.empty())
        shares = trace[shares].inputs[0];
    return trace[shares].inputs.empty() ? shares : trace[shares].inputs[0];
}

void Maker::place(Cell cell) {
    const Step& step = trace[cell.step];
    out.row_label = label(step.rows, cell.row);
    out.col_label = label(step.cols, cell.col);
    const bool raw = looks_at_itself(trace);
    out.row_hue = in_score_family(step.tag) ? (raw ? Hue::Input : Hue::Query) : hue_of(step.tag);
    out.col_hue = in_score_family(step.tag) ? (raw ? Hue::Input : Hue::Key) : Hue::Soft;
    const std::string row = std::to_string((columns() ? cell.col : cell.row) + 1),
                      col = std::to_string((columns() ? cell.row : cell.col) + 1);
    out.place = step.tag.head == attn::kNoHead
                    ? say(Str::row_column, {row, col})
                    : say(Str::row_column_head, {row, col, attn::number_of(step.tag.head, count)});
    const attn::Tag tag = step.tag;
    // Files and other programs count the words of a vocabulary from 0.
    if (step.cols.kind == attn::Axis::Kind::Words) out.place += " · " + say(Str::place_word_id, {std::to_string(step.cols.first + cell.col)});
    if (tag.layer != attn::kNoLayer) out.place += " · " + say(Str::place_block, {attn::number_of(tag.layer, count)});
    if (tag.time != attn::kNoTime) out.place += " · " + say(Str::place_time, {std::to_string(tag.time + 1)});
    out.matrix = name_of(trace, cell.step, language);
}

/// Operations whose number is a sum of terms worth listing.
bool adds_up(Op op) {
    return op == Op::MatMul || op == Op::Add || op == Op::AddRow || op == Op::PairSum || op == Op::Collect ||
           op == Op::RowSum || op == Op::ColumnSum || op == Op::Penalty || op == Op::Recur;
}

void Maker::terms() {
    const attn::Explanation& e = out.explanation;
    if (!adds_up(e.op)) return;
    std::vector<std::size_t> order(e.terms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // If there are too many terms, the largest are listed, in their own order.
    if (order.size() > kListedTerms) {
        std::partial_sort(order.begin(), order.begin() + kListedTerms, order.end(), [&](std::size_t a, std::size_t b) {
            return std::abs(e.terms[a].value) > std::abs(e.terms[b].value);
        });
        for (std::size_t i = kListedTerms; i < order.size(); ++i) out.hidden_sum += e.terms[order[i]].value;
        out.hidden_terms = static_cast<int>(order.size() - kListedTerms);
        order.resize(kListedTerms);
        std::sort(order.begin(), order.end());
    }
    for (const std::size_t i : order) {
        const attn::Term& term = e.terms[i];
        TermRow row;
        row.left = value(term.left);
        row.left_hue = hue_of(trace, term.left.step);
        row.value = term.value;
        row.product = term.right.has_value();
        if (term.right) {
            row.right = value(*term.right);
            row.right_hue = hue_of(trace, term.right->step);
            if (columns() && e.op == Op::MatMul) {
                std::swap(row.left, row.right);
                std::swap(row.left_hue, row.right_hue);
            }
            row.label = label(trace[term.left.step].cols, term.left.col);
        } else {
            row.label = name_of(trace, term.left.step, language);
        }
        out.terms.push_back(std::move(row));
    }
    out.sum = e.op == Op::Recur ? static_cast<float>(e.named(attn::Name::Sum)) : e.computed;
    // In hundredths, as on the screen; a smaller sum has its own digits there.
    const auto shown = [](float v) { return std::round(static_cast<double>(v) * 100); };
    double added = out.hidden_terms > 0 ? shown(out.hidden_sum) : 0;
    for (const TermRow& row : out.terms) added += shown(row.value);
    const bool less = shown(out.sum) == 0 && out.sum != 0;
    out.rounded = std::isfinite(out.sum) && (less || added != shown(out.sum));
}

void Maker::shares(Cell cell) {
    const StepId weights = shares_of(trace, cell.step);
    if (weights == attn::kNoStep) return;
    const Step& step = trace[weights];
    out.shares_of = weights;
    out.shares_title = step.tag.role == Role::Probabilities ? Str::rows_probabilities : Str::rows_shares;
    const attn::RowVector seen = trace[scores_behind(trace, weights)].value.one_row(cell.row);
    const bool same_cell = weights == cell.step || in_score_family(trace[cell.step].tag);
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) {
        const bool masked = std::isinf(seen[j]) && seen[j] < 0;
        out.shares.push_back({label(step.cols, j), step.value(cell.row, j), same_cell && j == cell.col, masked});
    }
    // A word that occurs more than once is followed by its position.
    std::map<std::string, int> times;
    for (const ShareRow& share : out.shares) ++times[share.label];
    for (std::size_t j = 0; j < out.shares.size(); ++j)
        if (times[out.shares[j].label] > 1) out.shares[j].place = step.cols.first + static_cast<int>(j) + 1;
}

void Maker::geometry(Cell cell) {
    const StepId root = score_root(trace, cell.step);
    if (root == attn::kNoStep || trace[root].op != Op::MatMul) return;
    const Step& scores = trace[root];
    const Eigen::VectorXf q = trace[scores.inputs[0]].value.row(cell.row);
    const Eigen::VectorXf k = trace[scores.inputs[1]].value.col(cell.col);
    if (q.size() < 2 || !q.allFinite() || !k.allFinite()) return;
    const double lengths = q.cast<double>().norm() * k.cast<double>().norm();
    Geometry g;
    const bool raw = hue_of(role(scores.inputs[0])) == Hue::Input;
    g.left = raw ? fmt::format("\\x x_{}", cell.row + 1) : "\\q q";
    const bool places = scores_by_place(trace, root);
    g.right = raw ? fmt::format("\\x x_{}", cell.col + 1) : places ? "\\q w" : "\\k k";
    g.left_hue = raw ? Hue::Input : Hue::Query;
    g.right_hue = raw ? Hue::Score : places ? Hue::Query : Hue::Key;
    g.product = q.cast<double>().dot(k.cast<double>());
    if (q.size() == 2) {
        g.first_feature = trace[scores.inputs[0]].cols.first + 1;
        g.a = {q[0], q[1]};
        g.b = {k[0], k[1]};
    } else {
        const double length = k.cast<double>().norm(), along = length > 0 ? g.product / length : 0;
        g.b = {static_cast<float>(length), 0};
        g.a = {static_cast<float>(along), static_cast<float>(std::sqrt(std::max(0.0, q.cast<double>().squaredNorm() - along * along)))};
    }
    g.degrees = lengths > 0 ? std::acos(std::clamp(g.product / lengths, -1.0, 1.0)) * 180.0 / 3.14159265358979 : 90.0;
    out.geometry = g;
}

Str source_text(attn::Source source) {
    switch (source) {
        case attn::Source::Meaning:
            return Str::from_meaning;
        case attn::Source::Seeded:
            return Str::from_seeded;
        case attn::Source::OneHot:
            return Str::from_one_hot;
        case attn::Source::Identity:
            return Str::from_identity;
        case attn::Source::Given:
            return Str::from_given;
        case attn::Source::Formula:
            return Str::from_formula;
        case attn::Source::Drawn:
            return Str::from_drawn;
        case attn::Source::Scene:
            return Str::from_scene;
        case attn::Source::Model:
            return Str::from_model;
        case attn::Source::Unknown:
            return Str::from_unknown;
        case attn::Source::File:
            return Str::from_the_file;
        case attn::Source::Picture:
            return Str::from_the_picture;
        case attn::Source::Derived:
            return Str::from_derived;
        case attn::Source::OfKind:
            return Str::from_kind;
    }
    return Str::from_given;
}

/// For a row from a file: why it is not a row of weights.
std::string Maker::row_fault() const {
    const attn::Cell cell = out.explanation.cell;
    const attn::FrozenMatrix& value = trace[cell.step].value;
    const attn::RowCheck row =
        attn::check_row(value.data() + Eigen::Index{cell.row} * value.cols(), static_cast<std::size_t>(value.cols()), 0);
    if (row.not_finite) return std::string(say(Str::row_not_finite));
    const std::string sum = number_text(static_cast<float>(row.total), 4);
    return row.negative ? say(Str::row_negative, {number_text(row.worst, 4), sum}) : say(Str::row_sum, {sum});
}

void Maker::notes() {
    const attn::Explanation& e = out.explanation;
    const attn::Tag tag = trace[e.cell.step].tag;
    if (is_gradient(tag) && !e.edited && std::isfinite(e.result))
        out.note = say(Str::gradient_note, {letter_of_objective(trace), slope_text(e.result)});
    else if (is_reverse(tag) && e.op == Op::Input)
        out.note = say(Str::constant_note);
    else if (e.edited)
        out.note = say(attn::is_typed_over(trace, e.cell) ? Str::typed_over : Str::put_note, {number_text(e.computed, 4)});
    else if (e.state == attn::RowState::AllMasked)
        out.note = say(Str::masked_row);
    else if (e.state == attn::RowState::Overflow)
        out.note = say(Str::overflow_row);
    else if (e.state == attn::RowState::NotWeights)
        out.note = say(source_text(e.source)) + '\n' + row_fault();
    else if (e.op == Op::Input)
        out.note = say(source_text(e.source));
    else if ((e.op == Op::Mask && e.terms[0].masked) ||
             ((e.op == Op::Softmax || e.op == Op::Sparsemax) && e.terms[static_cast<std::size_t>(e.cell.col)].masked))
        out.note = std::string(say(Str::masked_cell)) + (e.op == Op::Mask ? "\n" + say(Str::click_mask) : "");
    else if (e.op == Op::Mask)
        out.note = say(Str::click_mask);
    else if (carries_cells(e.op) && !e.terms.empty())
        out.note = say(Str::copied_from, {name_of(trace, e.terms[0].left.step, language)});
    else if (e.op == Op::Softmax) {
        // The maximum entropy is that of equal weights over the keys that may be attended to.
        const auto looked_at = std::count_if(e.terms.begin(), e.terms.end(), [](const attn::Term& t) { return !t.masked; });
        out.note = say(Str::entropy, {fmt::format("{:.2f}", attn::entropy(trace[e.cell.step].value.some_rows(e.cell.row, 1), 0)),
                                      fmt::format("{:.2f}", std::log(static_cast<double>(looked_at)))});
    }
}

/// For a score, a weight or a mixture: nothing is claimed about a word that the model has never seen.
void Maker::say_blank() {
    const Cell cell = out.explanation.cell;
    const Step& step = trace[cell.step];
    const bool pair = in_score_family(step.tag) && !is_reverse(step.tag);
    const StepId weights = pair ? cell.step : weights_behind(trace, cell.step);
    if (weights == attn::kNoStep) return;
    // For a mixture, only the row is a word.
    const auto claim = pair ? blank_claim(trace, cell) : blank_claim(trace, token_at(trace[weights].rows, cell.row), {});
    if (!claim) return;
    const std::string blank = say(*claim, {out.row_label, out.col_label});
    const std::string_view stop = language == Language::Chinese ? "。" : ".";
    out.note = blank + std::string(stop) + (out.note.empty() ? "" : "\n" + out.note);
}

}  // namespace

namespace {

/// Whether these are transposed vectors rather than keys, as in a form without projections.
bool is_vectors_transposed(const Trace& trace, StepId step) {
    if (trace[step].tag.role != Role::KeysTransposed) return false;
    const Role of = trace[trace[step].inputs[0]].tag.role;
    return of == Role::Embeddings || of == Role::Inputs;
}

}  // namespace

std::string name_of(const Trace& trace, StepId step, Language language) {
    if (is_reverse(trace[step].tag)) return name_of_reverse(trace, step, language);
    if (is_vectors_transposed(trace, step)) return std::string(tr(Str::vectors_transposed, language));
    // "Annotations" is Bahdanau's term for the states of a recurrent network; a Transformer's encoder has an output.
    const attn::Tag& tag = trace[step].tag;
    if (tag.role == Role::Annotations && tag.part == attn::Part::Encoder) return std::string(tr(Str::encoder_output, language));
    return std::string(label_of(attn::role_id(tag.role), language));
}

namespace {

/// Logits from a separate matrix, with or without a bias.
std::string_view symbol_of_logits(const Trace& trace, StepId step, attn::Convention convention) {
    const bool columns = convention == attn::Convention::Columns, biased = trace[step].op == Op::AddRow;
    if (trace[step].op == attn::Op::Scale) return "\\frac{1}{2} (l_c + l_d)";
    const Step& product = biased ? trace[trace[step].inputs[0]] : trace[step];
    const bool own = trace[product.inputs[1]].tag.role == Role::UnembeddingWeight;
    if (own) return columns ? biased ? "W^u Y + b_U" : "W^u Y" : biased ? "Y W_U + b_U" : "Y W_U";
    return columns ? biased ? "E^T Y + b_U" : "E^T Y" : biased ? "Y E^T + b_U" : "Y E^T";
}

/// Whether the score is Q W Kᵀ: its W is the one of the paper, qᵀ W k, whether tokens are rows or columns.
bool is_between_queries_and_keys(const Trace& trace, Tag weight) {
    const Step* scores = attn::find(trace, weight.as(Role::Scores));
    return scores && scores->op == Op::MatMul;
}

}  // namespace

std::string symbol_of(const Trace& trace, StepId step, attn::Convention convention) {
    if (is_reverse(trace[step].tag)) return symbol_of_reverse(trace, step, convention);
    if (is_vectors_transposed(trace, step)) return "\\x X^T";
    const Tag tag = trace[step].tag;
    if (convention == attn::Convention::Columns && is_between_queries_and_keys(trace, tag)) {
        if (tag.role == Role::ScoreWeight) return "W_a^T";
        if (tag.role == Role::ScoreQueries) return "\\q W_a^T Q";
    }
    if (tag.role == Role::Logits || tag.role == Role::LogitProducts) return std::string(symbol_of_logits(trace, step, convention));
    if (tag.role == Role::Annotations && tag.part == attn::Part::Encoder) return "H";
    return std::string(symbol_of(tag.role, convention));
}

Inspection inspect(const Trace& trace, Cell cell, const AxisLabels& labels, Language language,
                   attn::Convention convention, attn::CountFrom count) {
    Maker maker{trace, labels, language, convention, count, {}};
    maker.out.cell = cell;
    maker.out.explanation = attn::explain(trace, cell);
    maker.place(cell);
    make_chain(trace, cell, {language, convention}, maker.out);
    maker.terms();
    maker.shares(cell);
    maker.geometry(cell);
    maker.notes();
    maker.say_blank();
    return std::move(maker.out);
}

std::string geometry_note(const Geometry& g, int decimals, Language language) {
    const std::string degrees = fmt::format("{:.{}f}", g.degrees, decimals);
    if (g.first_feature == 0) return fill_in(tr(Str::geometry_plane, language), {degrees});
    return fill_in(tr(Str::geometry_features, language), {degrees, std::to_string(g.first_feature), std::to_string(g.first_feature + 1)});
}

}  // namespace app
