#include "core/train/form.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <span>

#include "core/attention/forms/attention.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/document/fields.h"
#include "core/gradient/gradient.h"
#include "core/io/json.h"
#include "core/text/meaning.h"

namespace attn::train {
namespace {

/// The form that the plan computes: for a generating form all rows at once, which is the same computation.
AttentionConfig trained_config(const FormTask& task) {
    AttentionConfig config = settings_of(task).config;
    const Form& form = *find_form(config.form);
    if (has(form.reads, Reads::Generate)) {
        config.form = "encoder";
        config.mask = "causal";
    }
    if (!has(find_form(config.form)->reads, Reads::Words) && !unembeddings().find(config.unembedding)->predicts) config.unembedding = "tied";
    // Examples have different lengths, so keys after their end must be masked.
    if (find_mask(config.mask)->pattern == nullptr) config.mask = task.longest_source > 0 ? "padding" : drawn_mask().id;
    return config;
}

/// The zero vector before a recurrent decoder's first word, which is not a weight.
bool is_zero_input(Role role) {
    return role == Role::StateProducts || role == Role::UpdateProducts || role == Role::ResetProducts;
}

/// The phase in which an encoder's heads begin to mix words.
constexpr int kLatePhase = 1;
/// The spread of the noise on initial weights that copy, relative to other weights.
constexpr float kNearCopy = 0.2f;

Matrix spread_matrix(Random& random, int rows, int cols, float spread) {
    Matrix out(rows, cols);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = spread * random.normal();
    return out;
}

Matrix meanings_of(const FormTask& task) {
    Matrix out(static_cast<Eigen::Index>(task.words.size() + task.others.size()), kMeaningWidth);
    Eigen::Index row = 0;
    for (const auto* list : {&task.words, &task.others})
        for (const std::string& word : *list) {
            const MeaningVector numbers = meaning_of(word).value_or(MeaningVector{});
            out.row(row++) = Eigen::Map<const Eigen::RowVectorXf>(numbers.data(), kMeaningWidth);
        }
    return out;
}

Inputs shapes_for(const FormTask& task) {
    Inputs in;
    Random random(1);
    for (int i = 0; i < task.longest; ++i) in.tokens.push_back("w" + std::to_string(i));
    for (int i = 0; i < task.longest_source; ++i) in.source_tokens.push_back("s" + std::to_string(i));
    in.x = spread_matrix(random, task.longest, task.width, 1);
    in.source_x = spread_matrix(random, task.longest_source, task.width, 1);
    in.words = task.words;
    if (task.by_meaning) {
        std::vector<std::string> offered = in.tokens;
        for (int i = 0; i < task.rivals; ++i) offered.push_back("r" + std::to_string(i));
        in.words = std::move(offered);
    }
    in.word_vectors = spread_matrix(random, static_cast<int>(in.words.size()), task.width, 1);
    in.x_sources = in.source_x_sources = in.word_sources = {Source::Model};
    in.drawn_mask = Matrix::Ones(task.longest, task.longest);
    in.random_weights = true;
    return in;
}

}  // namespace

std::vector<JsonMember> settings_in(const FormTask& task) {
    const auto settings = parse_json(task.settings), changes = parse_json(task.changes.empty() ? "{}" : task.changes);
    assert(settings && changes);
    std::vector<JsonMember> out = settings->members;
    for (const JsonMember& change : changes->members) {
        std::erase_if(out, [&](const JsonMember& one) { return one.key == change.key; });
        if (change.value.kind != JsonKind::Null) out.push_back(change);
    }
    return out;
}

Document settings_of(const FormTask& task) {
    Document out;
    for (const JsonMember& one : settings_in(task)) {
        [[maybe_unused]] const auto done = read_field(*find_field(one.key), out, one.value);
        assert(done);
    }
    return out;
}

bool is_unseen(const FormTask& task, std::string_view key) {
    constexpr std::uint64_t kShares = 10'000;
    Random random(hash_bytes(key));  // FNV alone gives short keys similar hashes
    return static_cast<double>(random.next() % kShares) < task.unseen * static_cast<double>(kShares);
}

Drill next_drill(const FormTask& task, Random& random, bool unseen) {
    for (;;) {
        Drill drill = task.drill(random);
        const bool other = std::any_of(drill.text.begin(), drill.text.end(), [&](int word) { return word >= static_cast<int>(task.words.size()); });
        if ((other || is_unseen(task, drill.key)) == unseen) return drill;
    }
}

std::shared_ptr<const TrainedForm> TrainedForm::make(const FormTask& task, int batch) {
    const AttentionConfig config = trained_config(task);
    const Trace trace = run_attention(shapes_for(task), config);
    const auto form = std::make_shared<TrainedForm>();
    form->width_ = task.width;
    form->longest_ = task.longest;
    form->longest_source_ = task.longest_source;
    form->words_ = static_cast<int>(task.words.size());
    form->answers_ = task.by_meaning ? task.longest + task.rivals : form->words_;
    if (task.by_meaning) form->meanings_ = meanings_of(task);
    form->drawn_ = settings_of(task).mask_pattern;
    form->find_steps(task, config, trace);
    PlanRequest request;
    request.trace = &trace;
    request.per_example = {form->x_};
    if (form->source_ != kNoStep) request.per_example.push_back(form->source_);
    if (form->among_ != kNoStep) request.per_example.push_back(form->among_);
    for (const Pattern& pattern : form->patterns_) request.per_example.push_back(pattern.step);
    for (const StepId step : form->steps_)
        if (step != kNoStep) request.weights.push_back(step);
    request.objectives = {form->logits_};
    request.wanted = request.weights;
    request.wanted.push_back(form->x_);
    if (form->source_ != kNoStep) request.wanted.push_back(form->source_);
    if (form->among_ != kNoStep) request.wanted.push_back(form->among_);
    for (const Map& map : form->maps_) request.watched.push_back(map.step);
    request.batch = batch;
    auto plan = Plan::make(request);
    assert(plan.ok());
    form->plan_ = std::make_shared<const Plan>(std::move(*plan));
    return form;
}

void TrainedForm::find_steps(const FormTask& task, const AttentionConfig& config, const Trace& trace) {
    const bool by_formula = find_position(config.position)->encoding != nullptr;
    const bool drawn = config.mask == drawn_mask().id;
    starts_.push_back({"embeddings", words_, width_, task.vector_spread > 0 ? task.vector_spread : 1 / std::sqrt(static_cast<float>(width_)), 0,
                       task.by_meaning ? 0 : task.decay});  // a meaning must not decay
    steps_.push_back(kNoStep);
    for (StepId id = 0; id < trace.size(); ++id) {
        const Step& step = trace[id];
        const Role role = step.tag.role;
        if (role == Role::Logits) logits_ = id;
        if (role == Role::Weights && step.tag.time == kNoTime) maps_.push_back({step.tag, id, static_cast<int>(step.value.cols())});
        if (step.op != Op::Input || is_zero_input(role)) continue;
        if (role == Role::Embeddings)
            (step.tag.part == Part::Source ? source_ : x_) = id;
        else if (role == Role::Vocabulary)
            (task.by_meaning ? among_ : steps_.front()) = id;
        else if (const bool of_source = step.cols.kind == Axis::Kind::SourceTokens; role == Role::MaskPattern && (of_source || drawn))
            patterns_.push_back({id, static_cast<int>(step.value.rows()), static_cast<int>(step.value.cols()), of_source});
        else if (role != Role::MaskPattern && role != Role::CausalPattern && role != Role::DistanceBias &&
                 role != Role::BucketShares && role != Role::HeadShares && role != Role::SegmentShares && !(role == Role::Positions && by_formula))
            add_weight(task, step, id, config.layers);
    }
    assert(x_ != kNoStep && logits_ != kNoStep && task.by_meaning == (among_ != kNoStep));
}

void TrainedForm::add_weight(const FormTask& task, const Step& step, StepId id, int layers) {
    const Role role = step.tag.role;
    const auto rows = static_cast<int>(step.value.rows()), cols = static_cast<int>(step.value.cols());
    const bool row = rows == 1, gain = role == Role::NormGain, table = role == Role::Positions;
    const float spread = task.spread / std::sqrt(static_cast<float>(table ? cols : rows));
    const bool copies = task.copying && (role == Role::ValueWeight || role == Role::OutputWeight) &&
                        (step.tag.part == Part::Cross || (step.tag.part == Part::Main && task.longest_source == 0 && step.tag.layer + 1 == layers));
    const bool quiet = task.copying && !copies && role == Role::OutputWeight;
    const bool carries = step.tag.part == Part::Source && (role == Role::RecurrentWeight || role == Role::BackwardRecurrentWeight);
    const float share = copies ? kNearCopy : quiet || carries ? task.quiet : 1;
    const bool late = step.tag.part == Part::Encoder && role == Role::OutputWeight;
    const float decay = row ? 0 : carries ? task.carried_decay : task.decay;
    starts_.push_back({step_name(step.tag), rows, cols, row || late ? 0 : share * spread, gain ? 1.0f : 0.0f, decay, copies,
                       late ? kLatePhase : 0});
    steps_.push_back(id);
}

std::vector<Weight> TrainedForm::weights(std::uint64_t seed) const {
    Random random(seed * 1000003 + 29);
    std::vector<Weight> out;
    for (const Start& start : starts_) {
        Matrix value = start.spread > 0 ? spread_matrix(random, start.rows, start.cols, start.spread)
                                        : Matrix(Matrix::Constant(start.rows, start.cols, start.level));
        if (start.copies) value.diagonal().array() += 1;
        if (out.empty() && meanings_.size() > 0) value.leftCols(kMeaningWidth) = meanings_.topRows(words_);
        out.push_back({start.name, std::move(value), start.decay, start.from_phase});
    }
    return out;
}

bool TrainedForm::is_bare(const Drill& drill, std::size_t place) const {
    if (meanings_.size() == 0) return false;
    const int word = place < drill.text.size() ? drill.text[place] : drill.rivals[place - drill.text.size()];
    return word >= words_ || (!drill.bare.empty() && drill.bare[place]);
}

void TrainedForm::fill(PlanMemory& memory, int index, const Drill& drill, const Matrix& vectors) const {
    const auto look_up = [&](StepId step, int rows, std::initializer_list<std::span<const int>> lists) {
        Eigen::Map<Matrix> x(plan_->example(memory, step, index), rows, width_);
        x.setZero();
        std::size_t at = 0;
        for (const std::span<const int> list : lists)
            for (const int word : list) {
                assert(static_cast<int>(at) < rows);
                auto row = x.row(static_cast<Eigen::Index>(at));
                if (step != source_ && is_bare(drill, at))
                    row.head(kMeaningWidth) = meanings_.row(word);
                else
                    row = vectors.row(word);
                ++at;
            }
    };
    look_up(x_, longest_, {drill.text});
    if (among_ != kNoStep) look_up(among_, answers_, {drill.text, drill.rivals});
    if (source_ != kNoStep) look_up(source_, longest_source_, {drill.source});
    for (const Pattern& pattern : patterns_) {
        Eigen::Map<Matrix> allowed(plan_->example(memory, pattern.step, index), pattern.rows, pattern.cols);
        allowed.setZero();
        allowed.leftCols(static_cast<Eigen::Index>((pattern.source ? drill.source : drill.text).size())).setOnes();
        if (!pattern.source && drawn_.size() > 0) allowed.array() *= drawn_.array();
    }
}

Eigen::Map<const Matrix> TrainedForm::logits(const PlanMemory& memory, int index) const {
    return {plan_->value(memory, logits_, index), longest_, answers_};
}

Eigen::Map<const Matrix> TrainedForm::weights_of(const PlanMemory& memory, const Map& map, int index) const {
    const int rows = map.tag.part == Part::Encoder ? longest_source_ : longest_;
    return {plan_->value(memory, map.step, index), rows, map.keys};
}

Tally TrainedForm::judge(PlanMemory& memory, int index, const Drill& drill, double share) const {
    Eigen::Map<Matrix> all(plan_->objective(memory, logits_, index), longest_, answers_);
    all.setZero();
    // There are no words to answer with after the end of a text.
    const Eigen::Index among = among_ != kNoStep ? static_cast<Eigen::Index>(drill.text.size() + drill.rivals.size()) : answers_;
    const auto said = logits(memory, index).leftCols(among);
    auto gradient = all.leftCols(among);
    Tally tally;
    for (std::size_t i = 0; i < drill.targets.size(); ++i) {
        const int target = drill.targets[i];
        if (target == kNoTarget) continue;
        const auto r = static_cast<Eigen::Index>(i);
        Eigen::Index best = 0;
        const float most = said.row(r).maxCoeff(&best);
        auto p = gradient.row(r).array();
        p = (said.row(r).array() - most).exp();
        const float sum = p.sum();
        tally.loss -= share * std::log(std::max(static_cast<double>(p[target] / sum), 1e-30));
        p *= static_cast<float>(share) / sum;
        p[target] -= static_cast<float>(share);
        ++tally.targets;
        if (best == target) ++tally.right;
    }
    return tally;
}

void TrainedForm::look_back(const PlanMemory& memory, int index, const Drill& drill, float* gradient) const {
    Eigen::Map<Matrix> to(gradient, words_, width_);
    const Eigen::Index fixed = meanings_.cols(), learned = width_ - fixed;
    const auto add = [&](StepId step, int rows, std::initializer_list<std::span<const int>> lists) {
        const Eigen::Map<const Matrix> from(plan_->gradient(memory, step, index), rows, width_);
        std::size_t at = 0;
        for (const std::span<const int> list : lists)
            for (const int word : list) {
                if (step == source_ || !is_bare(drill, at)) to.row(word).tail(learned) += from.row(static_cast<Eigen::Index>(at)).tail(learned);
                ++at;
            }
    };
    add(x_, longest_, {drill.text});
    if (among_ != kNoStep) add(among_, answers_, {drill.text, drill.rivals});
    if (source_ != kNoStep) add(source_, longest_source_, {drill.source});
}

}  // namespace attn::train
