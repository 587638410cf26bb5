#include "core/analysis/circuits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/eigenvalues.h"
#include "core/analysis/symmetric_eigen.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/score.h"
#include "core/base/progress.h"
#include "core/document/document.h"
#include "core/document/model_tokens.h"
#include "core/kernels/multiply.h"
#include "core/model/model.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Words per part when the unembedding is applied.
constexpr Eigen::Index kWordsAtOnce = 2048;

using Dense = Eigen::MatrixXd;

Tag of_layer(Role role, Part part, int layer) { return {role, kNoHead, layer, kNoTime, part}; }

/// The parameter of a layer; nothing if it has none.
std::optional<Dense> parameter_of(const Trace& t, Tag tag) {
    const StepId id = find_id(t, tag);
    if (id == kNoStep) return std::nullopt;
    return Dense(t[id].value.cast<double>());
}

/// C applied to each row x.
Dense rows_centred(Dense x) { return x.colwise() - Eigen::VectorXd(x.rowwise().mean()); }
Dense cols_centred(Dense x) { return x.rowwise() - Eigen::RowVectorXd(x.colwise().mean()); }

Matrix narrowed(const Dense& x) { return x.cast<float>(); }

/// S with S S = x, for a positive semidefinite matrix.
Dense root(const Dense& gram) {
    const SymmetricEigen own = symmetric_eigen(gram);
    return own.vectors * own.values.cwiseMax(0).cwiseSqrt().asDiagonal() * own.vectors.transpose();
}

/// ‖A x‖ = ‖S x‖, and the singular values of A B are those of S_A S_Bᵀ: S has d_k rows, while A has as many as the
/// stream is wide.
Dense root_of_cols(const Dense& a) { return root(a.transpose() * a); }

std::vector<double> singular_values(const Dense& x) {
    const Eigen::VectorXd values = symmetric_eigen(x * x.transpose()).values.cwiseMax(0).cwiseSqrt();
    std::vector<double> out(values.begin(), values.end());
    std::reverse(out.begin(), out.end());
    return out;
}

/// The matrices of one layer's heads, with the folded norms.
struct LayerWeights {
    Dense query, output;  ///< width × heads·d_k, heads·d_k × width
    Dense key, value;     ///< width × key heads·d_k
    int heads = 1, key_heads = 1;

    Eigen::Index one() const { return query.cols() / heads; }
    Eigen::Index group(int head) const { return head * key_heads / heads; }
    auto query_of(int head) const { return query.middleCols(head * one(), one()); }
    auto output_of(int head) const { return output.middleRows(head * one(), one()); }
    auto key_of(int head) const { return key.middleCols(group(head) * one(), one()); }
    auto value_of(int head) const { return value.middleCols(group(head) * one(), one()); }
};

/// The layers of one stack, and how its norms are folded in.
class Stack {
public:
    Stack(const Run& run, Part part) : run_(run), t_(run.trace), part_(part) {
        const BlockOrder& order = *block_orders().find(run.config.block);
        first_ = order.norm_first && !order.norm_sum;
        made_ = order.norm_made && !order.norm_sum;
        centred_ = norms().find(run.config.norm)->centred;
        while (find_id(t_, of_layer(Role::QueryWeight, part_, layers_)) != kNoStep) ++layers_;
    }

    Part part() const { return part_; }
    int layers() const { return layers_; }
    int heads() const { return run_.config.heads; }
    Tag head(int layer, int of_head) const { return {Role::Weights, heads() > 1 ? of_head : kNoHead, layer, kNoTime, part_}; }
    /// The mean of the stream is subtracted by whatever reads it.
    bool centred() const { return centred_ && first_; }

    LayerWeights weights(int layer) const {
        const PinScope pins;
        const auto at = [&](Role role) { return of_layer(role, part_, layer); };
        LayerWeights out{.query = *parameter_of(t_, at(Role::QueryWeight)), .output = *parameter_of(t_, at(Role::OutputWeight)),
                         .key = *parameter_of(t_, at(Role::KeyWeight)), .value = *parameter_of(t_, at(Role::ValueWeight)),
                         .heads = heads(), .key_heads = run_.config.key_heads()};
        if (first_ && layer >= run_.config.bare_layers)
            for (Dense* reads : {&out.query, &out.key, &out.value}) {
                if (const auto gain = parameter_of(t_, at(Role::NormGain))) *reads = gain->row(0).transpose().asDiagonal() * *reads;
                if (centred_) *reads = cols_centred(std::move(*reads));
            }
        out.output = written(std::move(out.output), at(Role::OuterGain));
        fold_head_gain(out.query, at(Role::QueryGain));
        fold_head_gain(out.key, at(Role::KeyGain));
        return out;
    }

    /// Rows as they reach the stream: after the norm of a sub-layer's output, if there is one, but without its scale; and
    /// times the learned scale of each column (DINOv2).
    Dense written(Dense rows, Tag gain_tag) const {
        if (made_ && centred_) rows = rows_centred(std::move(rows));
        if (made_)
            if (const auto gain = parameter_of(t_, gain_tag)) rows = rows * gain->row(0).transpose().asDiagonal();
        if (const auto scales = parameter_of(t_, gain_tag.as(Role::LayerScale))) rows = rows * scales->row(0).transpose().asDiagonal();
        return centred() ? rows_centred(std::move(rows)) : rows;
    }

    void tell(CircuitFolding& out) const {
        const auto has = [&](Role role) { return find_id(t_, of_layer(role, part_, 0)) != kNoStep; };
        out.gain |= first_;
        out.centred |= centred();
        out.outer_gain |= made_;
        out.layer_scale |= has(Role::LayerScale);
        out.head_gain |= has(Role::QueryGain) || has(Role::KeyGain);
        out.biased |= has(Role::QueryBias) || has(Role::KeyBias) || has(Role::ValueBias) || has(Role::OutputBias);
        out.heads_per_key = heads() / run_.config.key_heads();
    }

private:
    /// One gain per column, or the same gains for each head.
    static void fold_head_gain(Dense& weight, const std::optional<Dense>& gain) {
        if (!gain) return;
        for (Eigen::Index c = 0; c < weight.cols(); ++c) weight.col(c) *= (*gain)(0, c % gain->cols());
    }
    void fold_head_gain(Dense& weight, Tag tag) const { fold_head_gain(weight, parameter_of(t_, tag)); }

    const Run& run_;
    const Trace& t_;
    Part part_;
    bool first_ = false, made_ = false, centred_ = false;
    int layers_ = 0;
};

std::vector<Stack> stacks_of_run(const Run& run) {
    std::vector<Stack> out;
    for (const Part part : {Part::Encoder, Part::Main})
        if (Stack one(run, part); one.layers() > 0) out.push_back(one);
    return out;
}

/// Calls work(first, count) for all words, a part at a time, and counts them as work.
template <class Work>
void in_parts(Eigen::Index words, const std::stop_token& stop, const Work& work) {
    for (Eigen::Index first = 0; first < words && !stop.stop_requested(); first += kWordsAtOnce) {
        const Eigen::Index count = std::min(kWordsAtOnce, words - first);
        work(first, count);
        count_work(static_cast<double>(count));
    }
}

/// The unembedding, with the preceding γ folded in.
class WordsMatrix {
public:
    explicit WordsMatrix(const Run& run) : t_(run.trace) {
        StepId id = summed_logits(t_);
        if (id == kNoStep) return;
        if (t_[id].op == Op::AddRow) id = t_[id].inputs[0];
        if (t_[id].op != Op::MatMul) return;
        const StepId matrix = t_[id].inputs[1];
        StepId state = t_[id].inputs[0];
        if (t_[state].tag.part == Part::Words) return;  // there is a layer with an activation in between
        double factor = 1;
        while (t_[state].op == Op::Scale || t_[state].op == Op::SliceRows) {
            if (t_[state].op == Op::Scale) factor *= static_cast<double>(t_[state].as<ScaleParams>().factor);
            state = t_[state].inputs[0];
        }
        gain_ = Eigen::VectorXd::Constant(t_[matrix].value.rows(), factor);
        const Op op = t_[state].op;
        if ((op == Op::LayerNorm || op == Op::RmsNorm) && !block_orders().find(run.config.block)->norm_sum) {
            has_gain_ = true;
            gain_ = gain_.cwiseProduct(t_[t_[state].inputs[1]].value.matrix().row(0).transpose().cast<double>());
            centred_ = op == Op::LayerNorm;
        }
        matrix_ = matrix;
    }

    bool is_there() const { return matrix_ != kNoStep; }
    bool has_gain() const { return has_gain_; }
    Eigen::Index words() const { return t_[matrix_].value.cols(); }
    Eigen::Index width() const { return t_[matrix_].value.rows(); }

    /// Some of its columns: width × count.
    Dense columns(Eigen::Index first, Eigen::Index count) const {
        const Step& w = t_[matrix_];
        Dense out = w.op == Op::Transpose && w.replaced.empty() ? Dense(t_[w.inputs[0]].value.some_rows(first, count).transpose().cast<double>())
                                                                : Dense(w.value.middleCols(first, count).cast<double>());
        out = gain_.asDiagonal() * out;
        if (centred_) out = cols_centred(std::move(out));
        return out;
    }
    /// Calls work(first, columns) for all columns, a part at a time.
    template <class Work>
    void each_part(const Work& work, const std::stop_token& stop = {}) const {
        const PinScope pins;  // a separate matrix that is on disk is read only once
        in_parts(words(), stop, [&](Eigen::Index first, Eigen::Index count) { work(first, columns(first, count)); });
    }

private:
    const Trace& t_;
    StepId matrix_ = kNoStep;
    Eigen::VectorXd gain_;
    bool has_gain_ = false, centred_ = false;
};

/// γ of the norm of the inputs (BART, ModernBERT); kNoStep: they have none.
StepId input_gain(const Run& run) { return find_id(run.trace, {Role::NormGain}); }

/// Some word vectors as they enter the stream, without positions, without the scale of the norm of the inputs.
Dense embedded(const Run& run, bool centred, Eigen::Index first, Eigen::Index count) {
    Dense out = run.inputs.word_vectors.some_rows(first, count).cast<double>();
    if (run.config.embedding_scale != 1) out *= static_cast<double>(run.config.embedding_scale);
    if (const StepId gain = input_gain(run); gain != kNoStep) {
        if (norms().find(run.config.norm)->centred) out = rows_centred(std::move(out));
        out = out * run.trace[gain].value.matrix().row(0).transpose().cast<double>().asDiagonal();
    }
    return centred ? rows_centred(std::move(out)) : out;
}

/// The word vectors that enter the stream, as columns: width × words. The interface of WordsMatrix that read_rows() uses.
class EmbeddedWords {
public:
    EmbeddedWords(const Run& run, bool centred) : run_(run), centred_(centred) {}
    Eigen::Index words() const { return run_.inputs.word_vectors.rows(); }
    Dense columns(Eigen::Index first, Eigen::Index count) const { return embedded(run_, centred_, first, count).transpose(); }
    template <class Work>
    void each_part(const Work& work, const std::stop_token& stop) const {
        const PinScope pins;
        in_parts(words(), stop, [&](Eigen::Index first, Eigen::Index count) { work(first, columns(first, count)); });
    }

private:
    const Run& run_;
    bool centred_;
};

bool has_vectors(const Run& run, const WordsMatrix& words) {
    return words.is_there() && run.inputs.word_vectors.rows() == words.words() && run.inputs.word_vectors.cols() == words.width() && !run.inputs.word_vectors.is_shape();
}

/// W_U W_E, width × width, with W_U minus its mean over the words: the nonzero eigenvalues of W_E W_OV W_U are those of
/// W_O (W_U W_E) W_V.
Dense words_to_words(const Run& run, const WordsMatrix& words, bool centred) {
    const Eigen::Index width = words.width();
    Dense out = Dense::Zero(width, width);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(width);
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(width);
    words.each_part([&](Eigen::Index first, const Dense& part) {
        const Dense vectors = embedded(run, centred, first, part.cols());
        out += multiply(narrowed(part), narrowed(vectors)).cast<double>();
        mean += part.rowwise().sum();
        sum += vectors.colwise().sum();
    });
    return out - mean * sum / static_cast<double>(words.words());
}

double copying_of(const Dense& square) {
    const Eigen::VectorXcd own = eigenvalues(square);
    const double all = own.cwiseAbs().sum();
    return all > 0 ? own.real().sum() / all : kNaN;
}

/// What composition needs of a layer: as writers, each head's S_V W_O, d_k × width; as readers, W_Q S_K, W_K S_Q and
/// W_V S_O, width × d_k; each divided by the norm of its product, with the heads next to each other.
struct Reduced {
    Matrix writes;
    std::array<Matrix, 3> reads;
};

Reduced reduced(const LayerWeights& w, int only_head, bool writes, bool reads) {
    const Eigen::Index one = w.one(), width = w.query.rows();
    const int first = only_head < 0 ? 0 : only_head, count = only_head < 0 ? w.heads : 1;
    Reduced out;
    if (writes) out.writes.resize(count * one, width);
    if (reads)
        for (Matrix& m : out.reads) m.resize(width, count * one);
    for (int i = 0; i < count; ++i) {
        const int h = first + i;
        const Dense of_values = root_of_cols(w.value_of(h)), of_output = root_of_cols(w.output_of(h).transpose());
        const double ov = (of_values * of_output).norm();
        if (writes) out.writes.middleRows(i * one, one) = narrowed(of_values * w.output_of(h) / ov);
        if (!reads) continue;
        const Dense of_queries = root_of_cols(w.query_of(h)), of_keys = root_of_cols(w.key_of(h));
        const double qk = (of_queries * of_keys).norm();
        out.reads[0].middleCols(i * one, one) = narrowed(w.query_of(h) * of_keys / qk);
        out.reads[1].middleCols(i * one, one) = narrowed(w.key_of(h) * of_queries / qk);
        out.reads[2].middleCols(i * one, one) = narrowed(w.value_of(h) * of_output / ov);
    }
    return out;
}

/// Stores the norms of the blocks of `writes` × `reads` in their cells.
void put_norms(const Matrix& product, Eigen::Index one, Eigen::Index first_reader, Eigen::Index first_writer, Eigen::MatrixXf& out) {
    for (Eigen::Index r = 0; r < product.cols() / one; ++r)
        for (Eigen::Index w = 0; w < product.rows() / one; ++w)
            out(first_reader + r, first_writer + w) = static_cast<float>(product.block(w * one, r * one, one, one).cast<double>().norm());
}

/// Collects the largest and the smallest numbers as words are added.
class Extremes {
public:
    explicit Extremes(int top) : top_(static_cast<std::size_t>(top)) {}
    void add(int id, double value) {
        put(out_.most, {id, value}, [](double a, double b) { return a > b; });
        put(out_.least, {id, value}, [](double a, double b) { return a < b; });
    }
    void shift(double by) {
        for (auto* list : {&out_.most, &out_.least})
            for (WordNumber& one : *list) one.value += by;
    }
    WordReading take() { return std::move(out_); }

private:
    template <class Before>
    void put(std::vector<WordNumber>& list, WordNumber one, const Before& before) {
        if (list.size() == top_ && (top_ == 0 || !before(one.value, list.back().value))) return;
        const auto at = std::upper_bound(list.begin(), list.end(), one, [&](const WordNumber& a, const WordNumber& b) { return before(a.value, b.value); });
        list.insert(at, one);
        if (list.size() > top_) list.pop_back();
    }
    std::size_t top_;
    WordReading out_;
};

/// A reading per row, and for each row its number at the `watched` word and that number's rank.
struct Read {
    std::vector<WordReading> rows;
    std::vector<double> watched;
    std::vector<int> rank;
};
template <class Words>
Read read_rows(const Words& words, const Dense& rows, int top, const std::vector<int>& watched = {}, const std::stop_token& stop = {}) {
    const Matrix narrow = narrowed(rows);
    std::vector<Extremes> found(static_cast<std::size_t>(rows.rows()), Extremes(top));
    Read out;
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(rows.rows());
    if (!watched.empty()) {
        const PinScope pins;
        for (std::size_t i = 0; i < watched.size(); ++i)
            out.watched.push_back(static_cast<double>(multiply(narrow.row(static_cast<Eigen::Index>(i)), narrowed(words.columns(watched[i], 1)))(0, 0)));
        out.rank.assign(watched.size(), 1);
    }
    words.each_part([&](Eigen::Index first, const Dense& part) {
        const Matrix says = multiply(narrow, narrowed(part));
        for (Eigen::Index r = 0; r < says.rows(); ++r)
            for (Eigen::Index c = 0; c < says.cols(); ++c) {
                const auto value = static_cast<double>(says(r, c));
                found[static_cast<std::size_t>(r)].add(static_cast<int>(first + c), value);
                if (!watched.empty() && value > out.watched[static_cast<std::size_t>(r)]) ++out.rank[static_cast<std::size_t>(r)];
            }
        sums += says.cast<double>().rowwise().sum();
    }, stop);
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        const double mean = sums(r) / static_cast<double>(words.words());
        found[i].shift(-mean);
        if (!watched.empty()) out.watched[i] -= mean;
        out.rows.push_back(found[i].take());
    }
    return out;
}

bool any_step(const Trace& t, std::initializer_list<Role> roles) {
    return std::any_of(t.steps.begin(), t.steps.end(), [&](const Step& step) { return std::find(roles.begin(), roles.end(), step.tag.role) != roles.end(); });
}

CircuitFolding folding_of(const Run& run, const WordsMatrix& words, const std::vector<Stack>& stacks) {
    CircuitFolding out;
    const bool reads = has_vectors(run, words);
    out.input_gain = reads && input_gain(run) != kNoStep;
    out.final_gain = reads && words.has_gain();
    out.rotary = std::any_of(run.trace.steps.begin(), run.trace.steps.end(), [](const Step& step) { return step.op == Op::Rotate; });
    out.by_distance = any_step(run.trace, {Role::DistanceBias, Role::BucketBias, Role::RelativeScores, Role::RelativeContext});
    out.capped = any_step(run.trace, {Role::Capped});
    out.gated = any_step(run.trace, {Role::Gate});
    out.cross = find_id(run.trace, of_layer(Role::QueryWeight, Part::Cross, 0)) != kNoStep;
    out.sum_normed = block_orders().find(run.config.block)->norm_sum;
    for (const Stack& stack : stacks) stack.tell(out);
    return out;
}

HeadCircuit spectra_of(const LayerWeights& w, const Tag& tag, int head) {
    return {.tag = tag,
            .ov = singular_values(root_of_cols(w.value_of(head)) * root_of_cols(w.output_of(head).transpose())),
            .qk = singular_values(root_of_cols(w.query_of(head)) * root_of_cols(w.key_of(head))),
            .copying = kNaN};
}

std::vector<WordRow> rows_of_words(const std::vector<int>& ids, Read read) {
    std::vector<WordRow> out;
    for (std::size_t i = 0; i < ids.size(); ++i) out.push_back({ids[i], std::move(read.rows[i]), read.watched[i], read.rank[i]});
    return out;
}

Dense embedded_tokens(const Run& run, bool centred, const std::vector<int>& ids, Eigen::Index width) {
    Dense out(static_cast<Eigen::Index>(ids.size()), width);
    for (std::size_t i = 0; i < ids.size(); ++i) out.row(static_cast<Eigen::Index>(i)) = embedded(run, centred, ids[i], 1);
    return out;
}

/// The requested head of the reader's layer; −1: all heads.
int only_in(const std::optional<Tag>& only, const Stack& stack, int layer) {
    return only && only->part == stack.part() && only->layer == layer ? std::max(only->head, 0) : -1;
}

}  // namespace

std::optional<Error> no_circuits(const Run& run) {
    if (!has(find_form(run.config.form)->reads, Reads::Blocks))
        return Error{"the form has no blocks that add to a stream; it is for encoder, decoder and generate", "", "variant", 0};
    if (const Score* score = find_score(score_of(run.config)); !score || score->factor == nullptr)
        return Error{"its scores are no product of queries and keys, so it has no W_QK; take scaled_dot or dot", "", "score", 0};
    return std::nullopt;
}

double HeadCircuit::norm_of(const std::vector<double>& singular) {
    return std::sqrt(std::inner_product(singular.begin(), singular.end(), singular.begin(), 0.0));
}

std::vector<Tag> circuit_heads(const Run& run) {
    std::vector<Tag> out;
    for (const Stack& stack : stacks_of_run(run))
        for (int l = 0; l < stack.layers(); ++l)
            for (int h = 0; h < stack.heads(); ++h) out.push_back(stack.head(l, h));
    return out;
}

Result<HeadCircuits> head_circuits(const Run& run) {
    if (auto wrong = no_circuits(run)) return *std::move(wrong);
    HeadCircuits out;
    const WordsMatrix words(run);
    const std::vector<Stack> stacks = stacks_of_run(run);
    out.words = has_vectors(run, words);
    out.folded = folding_of(run, words, stacks);
    for (const Stack& stack : stacks) {
        const bool says = out.words && stack.part() == Part::Main;
        const Matrix by_words = says ? narrowed(words_to_words(run, words, stack.centred())) : Matrix();
        for (int l = 0; l < stack.layers(); ++l) {
            const LayerWeights w = stack.weights(l);
            const Dense read = says ? Dense(multiply(narrowed(w.output), by_words).cast<double>()) : Dense();
            for (int h = 0; h < w.heads; ++h) {
                out.heads.push_back(spectra_of(w, stack.head(l, h), h));
                if (says) out.heads.back().copying = copying_of(read.middleRows(h * w.one(), w.one()) * w.value_of(h));
            }
        }
    }
    return out;
}

Result<HeadCircuits> head_circuit(const Run& run, const Tag& head) {
    if (auto wrong = no_circuits(run)) return *std::move(wrong);
    const WordsMatrix words(run);
    const Stack stack(run, head.part);
    return HeadCircuits{folding_of(run, words, stacks_of_run(run)), {spectra_of(stack.weights(head.layer), head, std::max(head.head, 0))}, has_vectors(run, words)};
}

/// One head needs d_k columns of words instead of the width × width of words_to_words(): the nonzero eigenvalues of
/// W_E W_OV W_U are those of (W_O W_U) (W_E W_V).
double copying_score(const Run& run, const Tag& head, const std::stop_token& stop) {
    const WordsMatrix words(run);
    if (head.part != Part::Main || !has_vectors(run, words)) return kNaN;
    const Stack stack(run, head.part);
    const LayerWeights w = stack.weights(head.layer);
    const int h = std::max(head.head, 0);
    const Matrix writes = narrowed(w.output_of(h)), reads = narrowed(w.value_of(h));
    Dense square = Dense::Zero(w.one(), w.one());
    Eigen::VectorXd says_sum = Eigen::VectorXd::Zero(w.one());
    Eigen::RowVectorXd reads_sum = Eigen::RowVectorXd::Zero(w.one());
    words.each_part([&](Eigen::Index first, const Dense& part) {
        const Matrix says = multiply(writes, narrowed(part)), read = multiply(narrowed(embedded(run, stack.centred(), first, part.cols())), reads);
        square += multiply(says, read).cast<double>();
        says_sum += says.cast<double>().rowwise().sum();
        reads_sum += read.cast<double>().colwise().sum();
    }, stop);
    return stop.stop_requested() ? kNaN : copying_of(square - says_sum * reads_sum / static_cast<double>(words.words()));
}

double circuits_work(const Run& run) {
    const WordsMatrix words(run);
    double out = 0;
    for (const Stack& stack : stacks_of_run(run)) {
        const auto width = static_cast<double>(run.trace[find_id(run.trace, stack.head(0, 0).as(Role::QueryWeight).of_head(kNoHead))].value.rows());
        const bool says = has_vectors(run, words) && stack.part() == Part::Main;
        out += width * width * (says ? static_cast<double>(words.words()) + width * stack.layers() : 0.0);
    }
    return out;
}

Compositions compositions(const Run& run, std::optional<Tag> only, const std::stop_token& stop) {
    Compositions out;
    std::vector<Eigen::Index> first_of_stack;
    const std::vector<Stack> stacks = stacks_of_run(run);
    for (const Stack& stack : stacks) {
        first_of_stack.push_back(static_cast<Eigen::Index>(out.heads.size()));
        for (int l = 0; l < stack.layers(); ++l)
            for (int h = 0; h < stack.heads(); ++h) out.heads.push_back(stack.head(l, h));
    }
    const auto all = static_cast<Eigen::Index>(out.heads.size());
    for (Eigen::MatrixXf& scores : out.scores) scores = Eigen::MatrixXf::Constant(all, all, static_cast<float>(kNaN));
    for (std::size_t s = 0; s < stacks.size(); ++s) {
        const Stack& stack = stacks[s];
        if (only && only->part != stack.part()) continue;
        std::vector<Matrix> writers;  // of the previous layers
        const auto first = [&](int layer, int head) { return first_of_stack[s] + layer * stack.heads() + std::max(head, 0); };
        for (int l = 0; l < stack.layers() && !stop.stop_requested(); ++l) {
            // With `only`, that head's layer reads and writes as that head; earlier layers only write, later ones only
            // read.
            const int head = only_in(only, stack, l);
            const bool reads = l > 0 && (!only || l >= only->layer), writes = l + 1 < stack.layers() && (!only || l <= only->layer);
            const LayerWeights w = stack.weights(l);
            const Eigen::Index one = w.one();
            const double wide = static_cast<double>(w.query.rows()) - (stack.centred() ? 1 : 0);
            out.chance = 1 / std::sqrt(wide);
            Reduced mine = reduced(w, head, writes, reads);
            for (int before = 0; reads && before < l && !stop.stop_requested(); ++before) {
                if (only && l > only->layer && before != only->layer) continue;
                const Matrix& wrote = writers[static_cast<std::size_t>(before)];
                for (std::size_t by = 0; by < out.scores.size(); ++by)
                    put_norms(multiply(wrote, mine.reads[by]), one, first(l, head), first(before, only_in(only, stack, before)), out.scores[by]);
            }
            writers.push_back(std::move(mine.writes));
        }
    }
    return out;
}

double compositions_work(const Run& run, bool of_one_head) {
    double out = 0;
    for (const Stack& stack : stacks_of_run(run)) {
        const Step& query = run.trace[find_id(run.trace, of_layer(Role::QueryWeight, stack.part(), 0))];
        const double width = static_cast<double>(query.value.rows()), all = static_cast<double>(query.value.cols()), layers = stack.layers();
        out += 3 * width * all * all * (of_one_head ? layers / stack.heads() : layers * (layers - 1) / 2);
    }
    return out;
}

std::vector<WordReading> neuron_words(const Run& run, const std::vector<Neuron>& neurons, int top) {
    const WordsMatrix words(run);
    if (!words.is_there() || neurons.empty()) return {};
    const Stack stack(run, Part::Main);
    Dense rows(static_cast<Eigen::Index>(neurons.size()), words.width());
    for (std::size_t i = 0; i < neurons.size(); ++i) {
        const Neuron& one = neurons[i];
        const PinScope pins;
        const Dense written = run.trace[run.trace[one.step].inputs[1]].value.some_rows(one.index, 1).cast<double>();
        rows.row(static_cast<Eigen::Index>(i)) = stack.written(written, of_layer(Role::OuterGain, Part::FeedForward, one.layer));
    }
    return read_rows(words, rows, top).rows;
}

std::vector<WordRow> moved_words(const Run& run, const Tag& head, const std::vector<int>& ids, int top, const std::stop_token& stop) {
    const WordsMatrix words(run);
    if (head.part != Part::Main || !has_vectors(run, words) || ids.empty()) return {};
    const Stack stack(run, head.part);
    const LayerWeights w = stack.weights(head.layer);
    const int h = std::max(head.head, 0);
    const Dense moved = embedded_tokens(run, stack.centred(), ids, words.width()) * w.value_of(h) * w.output_of(h);
    return rows_of_words(ids, read_rows(words, moved, top, ids, stop));
}

std::vector<WordRow> sought_words(const Run& run, const Tag& head, const std::vector<int>& ids, int top, const std::stop_token& stop) {
    const Stack stack(run, head.part);
    if (head.part != Part::Main || stack.layers() == 0 || ids.empty()) return {};
    const LayerWeights w = stack.weights(head.layer);
    const StepValue& vectors = run.inputs.word_vectors;
    if (vectors.rows() == 0 || vectors.is_shape() || vectors.cols() != w.query.rows()) return {};
    const int h = std::max(head.head, 0);
    const Dense sought = embedded_tokens(run, stack.centred(), ids, vectors.cols()) * w.query_of(h) * w.key_of(h).transpose();
    return rows_of_words(ids, read_rows(EmbeddedWords(run, stack.centred()), sought, top, ids, stop));
}

std::vector<int> word_rows_of(const Document& document, const Run& run) {
    if (auto ids = token_ids(document, run.trace.tokens)) return *std::move(ids);
    std::vector<int> out;
    for (const std::string& token : run.trace.tokens) out.push_back(document.model ? document.model->row_of(token).value_or(-1) : -1);
    return out;
}

}  // namespace attn
