#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numbers>
#include <system_error>
#include <thread>
#include <utility>

#include "core/io/safetensors.h"

namespace attn::train {
namespace {

// Constants of AdamW [Loshchilov, Hutter 2019].
constexpr float kFirstDecay = 0.9f, kSecondDecay = 0.999f, kTiny = 1e-8f;

}  // namespace

std::int64_t Course::steps() const {
    std::int64_t sum = 0;
    for (const Phase& phase : phases) sum += phase.steps;
    return sum;
}

/// Threads that take parts of a batch until none is left; the caller takes parts, too.
struct Trainer::Crew {
    std::vector<PlanMemory> memories;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake, rest;
    std::function<void(PlanMemory&, int)> work;
    int parts = 0, working = 0;
    std::int64_t round = 0;
    bool over = false;
    std::atomic<int> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure{};  ///< the first one: written by the thread that set `failed`

    /// Must not throw: other threads may still be working, and the caller must wait for them.
    void take(PlanMemory& memory) noexcept {
        try {
            for (int part = next++; part < parts; part = next++) work(memory, part);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
            next = parts;
        }
    }
    void live(std::size_t which) {
        for (std::int64_t seen = 0;;) {
            std::unique_lock lock(mutex);
            wake.wait(lock, [&] { return over || round > seen; });
            if (over) return;
            seen = round;
            lock.unlock();
            take(memories[which]);
            lock.lock();
            if (--working == 0) rest.notify_one();
        }
    }
    void run() {
        {
            const std::lock_guard lock(mutex);
            next = 0;
            working = static_cast<int>(threads.size());
            ++round;
        }
        wake.notify_all();
        take(memories[0]);
        std::unique_lock lock(mutex);
        rest.wait(lock, [&] { return working == 0; });
        if (failed.exchange(false)) std::rethrow_exception(std::exchange(failure, nullptr));
    }
    ~Crew() {
        {
            const std::lock_guard lock(mutex);
            over = true;
        }
        wake.notify_all();
        for (std::thread& thread : threads) thread.join();
    }
};

Trainer::Trainer(Course course, int threads) : course_(std::move(course)), crew_(std::make_unique<Crew>()) {
    std::size_t numbers = 0;
    for (const Weight& weight : course_.weights) {
        for (auto* list : {&gradients_, &first_, &second_}) list->push_back(Matrix::Zero(weight.value.rows(), weight.value.cols()));
        numbers += static_cast<std::size_t>(weight.value.size());
    }
    part_gradients_.assign(static_cast<std::size_t>(course_.parts), std::vector<float>(numbers));
    tallies_.resize(static_cast<std::size_t>(course_.parts));
    crew_->parts = course_.parts;
    crew_->work = [this](PlanMemory& memory, int part) { run_part(memory, part); };
    const int count = std::clamp(threads, 1, course_.parts);
    for (int i = 0; i < count; ++i) {
        crew_->memories.push_back(course_.plan->memory());
        for (std::size_t w = 0; w < course_.weights.size(); ++w)
            if (course_.weight_steps[w] != kNoStep)
                course_.plan->place_weight(crew_->memories.back(), course_.weight_steps[w], course_.weights[w].value.data());
    }
    try {
        for (int i = 1; i < count; ++i)
            crew_->threads.emplace_back([crew = crew_.get(), i] { crew->live(static_cast<std::size_t>(i)); });
    } catch (const std::system_error&) {
        // If no more threads are available, fewer do: the parts of a step are the same.
    }
    take_snapshot();
}

Trainer::~Trainer() = default;

void Trainer::run_part(PlanMemory& memory, int part) {
    course_.fill(memory, course_.weights, part);
    course_.plan->forward(memory);
    tallies_[static_cast<std::size_t>(part)] = course_.judge(memory, part, step_);
    course_.plan->backward(memory);
    float* to = part_gradients_[static_cast<std::size_t>(part)].data();
    for (std::size_t w = 0; w < course_.weights.size(); ++w) {
        const auto size = course_.weights[w].value.size();
        if (course_.weight_steps[w] == kNoStep) {
            to = std::fill_n(to, size, 0.0f);
            continue;
        }
        const float* from = course_.plan->gradient(memory, course_.weight_steps[w]);
        to = std::copy(from, from + size, to);
    }
    if (course_.look_back) course_.look_back(memory, part, part_gradients_[static_cast<std::size_t>(part)].data());
}

void Trainer::add_up() {
    std::size_t at = 0;
    for (Matrix& gradient : gradients_) {
        gradient.setZero();
        for (const std::vector<float>& part : part_gradients_)
            gradient += Eigen::Map<const Matrix>(part.data() + at, gradient.rows(), gradient.cols());
        at += static_cast<std::size_t>(gradient.size());
    }
    for (const auto& [one, other] : course_.shared) {
        gradients_[one] += gradients_[other];
        gradients_[other].noalias() = gradients_[one];
    }
}

/// Scales the gradients of all trained weights so that their joint norm is within the limit. [Pascanu et al. 2013]
double Trainer::clip() {
    double squares = 0;
    for (const Matrix& gradient : gradients_) squares += gradient.cast<double>().squaredNorm();
    const double length = std::sqrt(squares);
    if (course_.clip > 0 && length > static_cast<double>(course_.clip))
        for (Matrix& gradient : gradients_) gradient *= static_cast<float>(static_cast<double>(course_.clip) / length);
    return length;
}

float Trainer::rate_now(const Phase*& phase, int& phase_index, std::int64_t& within) const {
    within = step_;
    phase_index = 0;
    for (const Phase& one : course_.phases) {
        phase = &one;
        if (within < one.steps) break;
        within -= one.steps;
        ++phase_index;
    }
    if (within < phase->warm_up) return phase->rate * static_cast<float>(within + 1) / static_cast<float>(phase->warm_up);
    const double share = static_cast<double>(within) / std::max(phase->steps, 1);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * share)), last = static_cast<double>(phase->last);
    return phase->rate * static_cast<float>(last + (1 - last) * cosine);
}

void Trainer::update(float rate, int phase_index) {
    ++since_fresh_;
    const auto age = static_cast<double>(since_fresh_);
    const auto first_scale = static_cast<float>(1 / (1 - std::pow(static_cast<double>(kFirstDecay), age)));
    const auto second_scale = static_cast<float>(1 / (1 - std::pow(static_cast<double>(kSecondDecay), age)));
    for (std::size_t w = 0; w < course_.weights.size(); ++w) {
        Weight& weight = course_.weights[w];
        if (phase_index < weight.from_phase || phase_index > weight.to_phase) continue;
        auto g = gradients_[w].array(), m = first_[w].array(), v = second_[w].array(), x = weight.value.array();
        m = kFirstDecay * m + (1 - kFirstDecay) * g;
        v = kSecondDecay * v + (1 - kSecondDecay) * g.square();
        x = x * (1 - rate * weight.decay) - rate * (m * first_scale) / ((v * second_scale).sqrt() + kTiny);
    }
}

StepReport Trainer::step() {
    course_.draw(step_);
    crew_->run();
    add_up();
    const Phase* phase = nullptr;
    int phase_index = 0;
    std::int64_t within = 0;
    const float rate = rate_now(phase, phase_index, within);
    if (within == 0 && phase->fresh) {
        for (auto* list : {&first_, &second_})
            for (Matrix& moment : *list) moment.setZero();
        since_fresh_ = 0;
    }
    // Weights that are not trained in this phase do not count in the norm, either.
    for (std::size_t w = 0; w < course_.weights.size(); ++w)
        if (phase_index < course_.weights[w].from_phase || phase_index > course_.weights[w].to_phase) gradients_[w].setZero();
    report_ = {};
    report_.gradient_length = clip();
    report_.rate = rate;
    double right = 0, targets = 0;
    for (const Tally& tally : tallies_) {
        report_.loss += tally.loss;
        right += tally.right;
        targets += tally.targets;
    }
    report_.accuracy = targets > 0 ? right / targets : 0;
    update(rate, phase_index);
    report_.step = ++step_;
    take_snapshot();
    return report_;
}

void Trainer::take_snapshot() {
    std::size_t bytes = 0;
    for (const Weight& weight : course_.weights) bytes += static_cast<std::size_t>(weight.value.size()) * sizeof(float);
    // A snapshot is retained if its step is the first at or after a power of √2; the newest one is replaced.
    const auto rung = [](std::int64_t step) { return step < 1 ? -1.0 : std::floor(2 * std::log2(static_cast<double>(step))); };
    if (snapshots_.size() > 1 && rung(snapshots_.back().step) == rung(snapshots_[snapshots_.size() - 2].step)) snapshots_.pop_back();
    if (snapshots_.size() > 2 && (snapshots_.size() + 1) * bytes > snapshot_bytes_) {  // drops every second one
        std::vector<Snapshot> remaining;
        for (std::size_t i = 0; i < snapshots_.size(); ++i)
            if (i % 2 == 0) remaining.push_back(std::move(snapshots_[i]));
        snapshots_ = std::move(remaining);
    }
    Snapshot snapshot{step_, {}, report_};
    for (const Weight& weight : course_.weights) snapshot.weights.push_back(weight.value);
    snapshots_.push_back(std::move(snapshot));
}

std::string Trainer::state() const {
    std::vector<NamedTensor> tensors;
    for (std::size_t w = 0; w < course_.weights.size(); ++w) {
        const Weight& weight = course_.weights[w];
        tensors.push_back({weight.name, weight.value});
        tensors.push_back({"first." + weight.name, first_[w]});
        tensors.push_back({"second." + weight.name, second_[w]});
    }
    return tensor_file_bytes(tensors, {{"step", std::to_string(step_)}, {"since_fresh", std::to_string(since_fresh_)}});
}

Result<Done> Trainer::restore(std::string_view bytes) {
    const auto file = TensorFile::in_memory(bytes, "the state of training");
    if (!file) return file.error();
    const auto number = [&](const char* key) -> std::int64_t {
        const auto at = file->header().metadata.find(key);
        std::int64_t value = -1;
        if (at != file->header().metadata.end()) std::from_chars(at->second.data(), at->second.data() + at->second.size(), value);
        return value;
    };
    const std::int64_t step = number("step"), since = number("since_fresh");
    if (step < 0 || since < 0) return Error{"it does not say at which step it was left", file->name(), "", 0};
    std::vector<Matrix> values[3];
    const char* const prefixes[3] = {"", "first.", "second."};
    for (int list = 0; list < 3; ++list)
        for (const Weight& weight : course_.weights) {
            auto matrix = file->matrix(prefixes[list] + weight.name);
            if (!matrix) return matrix.error();
            if (matrix->rows() != weight.value.rows() || matrix->cols() != weight.value.cols())
                return Error{fmt::format("it is {} × {}, but must be {} × {}", matrix->rows(), matrix->cols(), weight.value.rows(),
                                         weight.value.cols()),
                             file->name(), weight.name, 0};
            values[list].push_back(std::move(*matrix));
        }
    // Assigned in place, because the threads read these matrices.
    for (std::size_t w = 0; w < course_.weights.size(); ++w) {
        course_.weights[w].value.noalias() = values[0][w];
        first_[w] = values[1][w];
        second_[w] = values[2][w];
    }
    step_ = step;
    since_fresh_ = since;
    snapshots_.clear();
    take_snapshot();
    return Done{};
}

}  // namespace attn::train
