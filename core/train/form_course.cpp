// Draws the examples of a task, batch by batch.
#include <algorithm>
#include <cmath>

#include "core/gradient/gradient.h"
#include "core/train/form.h"

namespace attn::train {
namespace {

constexpr int kParts = 8;
constexpr float kLast = 0.02f;  ///< share of the rate at the end of a phase

struct TrainedFormRoom {
    FormTask task;
    std::uint64_t seed = 0;
    int each = 1;
    std::shared_ptr<const TrainedForm> form;
    std::vector<Drill> batch;
    double targets = 1;  ///< rows with a target in the whole batch

    const Drill& drill(int part, int index) const { return batch[static_cast<std::size_t>(part * each + index)]; }

    void draw(std::int64_t step) {
        Random random(seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(step) * 2 + 1);
        targets = 0;
        for (Drill& drill : batch) {
            drill = next_drill(task, random, false);
            targets += static_cast<double>(std::count_if(drill.targets.begin(), drill.targets.end(), [](int word) { return word != kNoTarget; }));
        }
    }
};

/// A variation starts with the task's own initial numbers, for all weights that both have.
std::vector<Weight> first_weights(const FormTask& task, const TrainedForm& form, std::uint64_t seed) {
    std::vector<Weight> out = form.weights(seed);
    if (task.changes.empty()) return out;
    FormTask plain = task;
    plain.changes.clear();
    const std::vector<Weight> own = TrainedForm::make(plain, 1)->weights(seed);
    for (Weight& weight : out)
        for (const Weight& one : own)
            if (one.name == weight.name && one.value.rows() == weight.value.rows() && one.value.cols() == weight.value.cols())
                weight.value = one.value;
    return out;
}

/// W_Q and W_K of each attention of a task that has one matrix for both.
std::vector<std::pair<std::size_t, std::size_t>> shared_weights(const FormTask& task, const std::vector<Weight>& weights) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    if (!task.one_matrix) return out;
    constexpr std::string_view kQuery = "query_weight", kKey = "key_weight";
    for (std::size_t query = 0; query < weights.size(); ++query) {
        std::string name = weights[query].name;
        const std::size_t at = name.find(kQuery);
        if (at == std::string::npos) continue;
        name.replace(at, kQuery.size(), kKey);
        for (std::size_t key = 0; key < weights.size(); ++key)
            if (weights[key].name == name) out.emplace_back(query, key);
    }
    return out;
}

}  // namespace

Course form_course(const FormTask& task, const TaskOptions& options) {
    const auto room = std::make_shared<TrainedFormRoom>();
    room->task = task;
    room->seed = options.seed;
    room->each = std::max(1, (options.batch + kParts - 1) / kParts);
    room->batch.resize(static_cast<std::size_t>(room->each * kParts));
    room->form = TrainedForm::make(task, room->each);
    Course course;
    course.weights = first_weights(task, *room->form, options.seed);
    course.shared = shared_weights(task, course.weights);
    for (const auto& [query, key] : course.shared) course.weights[key].value = course.weights[query].value;
    course.weight_steps = room->form->weight_steps();
    course.plan = room->form->shared_plan();
    course.parts = kParts;
    const int warm = static_cast<int>(std::lround(task.warm_share * static_cast<float>(options.steps)));
    // Two phases, if some weight is trained only in the second.
    if (std::none_of(course.weights.begin(), course.weights.end(), [](const Weight& w) { return w.from_phase > 0; })) {
        course.phases = {{options.steps, options.rate, warm, kLast, false}};
    } else {
        const int alone = static_cast<int>(std::lround(task.alone * options.steps));
        course.phases = {{alone, options.rate, warm, kLast, false}, {options.steps - alone, options.rate / 2, warm, kLast, false}};
    }
    course.clip = 1;
    course.draw = [room](std::int64_t step) { room->draw(step); };
    course.fill = [room](PlanMemory& memory, const std::vector<Weight>& weights, int part) {
        for (int i = 0; i < room->each; ++i) room->form->fill(memory, i, room->drill(part, i), weights.front().value);
    };
    course.judge = [room](PlanMemory& memory, int part, std::int64_t) {
        Tally all;
        for (int i = 0; i < room->each; ++i) {
            const Tally one = room->form->judge(memory, i, room->drill(part, i), 1 / std::max(room->targets, 1.0));
            all.loss += one.loss;
            all.right += one.right;
            all.targets += one.targets;
        }
        return all;
    };
    course.look_back = [room](const PlanMemory& memory, int part, float* gradient) {
        for (int i = 0; i < room->each; ++i) room->form->look_back(memory, i, room->drill(part, i), gradient);
    };
    return course;
}

}  // namespace attn::train
