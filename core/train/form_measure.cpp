// Measures a trained form on held-out examples, and the part that each head plays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/gradient/gradient.h"
#include "core/train/form.h"
#include "core/train/surety.h"

namespace attn::train {
namespace {

constexpr std::uint64_t kUnseenSeed = 99;
constexpr int kTogether = 16;

struct Counts {
    double examples = 0, whole = 0, targets = 0, right = 0;
    std::vector<std::vector<double>> share;  ///< per job and map: weight on the right positions
    std::vector<double> looks, even;         ///< per job: number of looks; and the weight if it were spread evenly
    std::vector<Surety> sure;                ///< per map, for the first job

    double whole_share() const { return whole / std::max(examples, 1.0); }
    double answer_share() const { return right / std::max(targets, 1.0); }
};

/// Whether the matrix reads a recurrent decoder's context into its state.
bool reads_context(std::string_view weight) {
    for (const Role role : {Role::ContextWeight, Role::UpdateContextWeight, Role::ResetContextWeight})
        if (weight == step_name({role})) return true;
    return false;
}

class Examiner {
public:
    Examiner(const FormTask& task, int examples) : task_(task), form_(TrainedForm::make(task, kTogether)), memory_(form_->plan().memory()) {
        Random random(kUnseenSeed);
        for (int i = 0; i < examples; ++i) drills_.push_back(next_drill(task, random, true));
    }

    Counts examine(const std::vector<Weight>& weights) {
        Counts out;
        out.share.assign(task_.jobs.size(), std::vector<double>(form_->maps().size()));
        out.sure.resize(form_->maps().size());
        out.looks.resize(task_.jobs.size());
        out.even.resize(task_.jobs.size());
        for (std::size_t w = 0; w < weights.size(); ++w)
            if (form_->weight_steps()[w] != kNoStep)
                form_->plan().place_weight(memory_, form_->weight_steps()[w], weights[w].value.data());
        for (std::size_t first = 0; first < drills_.size(); first += kTogether) {
            const std::size_t count = std::min<std::size_t>(kTogether, drills_.size() - first);
            for (std::size_t i = 0; i < kTogether; ++i)
                form_->fill(memory_, static_cast<int>(i), drills_[first + std::min(i, count - 1)], weights.front().value);
            form_->plan().forward(memory_);
            for (std::size_t i = 0; i < count; ++i) {
                count_answers(drills_[first + i], static_cast<int>(i), out);
                count_looks(drills_[first + i], static_cast<int>(i), out);
            }
        }
        return out;
    }

    /// The head that does a job best: a map of its part and layer.
    int best_map(const Counts& counts, std::size_t job) const {
        int best = -1;
        for (std::size_t m = 0; m < form_->maps().size(); ++m) {
            const Tag tag = form_->maps()[m].tag;
            const Job& current = task_.jobs[job];
            if (tag.part != current.part || (current.layer >= 0 && std::max<int>(tag.layer, 0) != current.layer)) continue;
            if (best < 0 || counts.share[job][m] > counts.share[job][static_cast<std::size_t>(best)]) best = static_cast<int>(m);
        }
        return best;
    }

    /// The weights with one head switched off: its output is not read by W_O.
    std::vector<Weight> without(std::vector<Weight> weights, int map) const {
        const Tag tag = form_->maps()[static_cast<std::size_t>(map)].tag;
        const Tag output{Role::OutputWeight, kNoHead, tag.layer, kNoTime, tag.part};
        for (Weight& weight : weights) {
            if (reads_context(weight.name)) weight.value.setZero();
            // [c; s] W_c: the context is twice as wide as the state.
            if (weight.name == step_name({Role::CombineWeight})) weight.value.topRows(weight.value.rows() / 3 * 2).setZero();
            if (weight.name != step_name(output)) continue;
            const auto heads = static_cast<Eigen::Index>(std::count_if(form_->maps().begin(), form_->maps().end(), [&](const TrainedForm::Map& m) {
                return m.tag.layer == tag.layer && m.tag.part == tag.part;
            }));
            const Eigen::Index width = weight.value.rows() / heads;
            weight.value.middleRows(std::max(tag.head, 0) * width, width).setZero();
        }
        return weights;
    }

    const TrainedForm& form() const { return *form_; }

private:
    void count_answers(const Drill& drill, int index, Counts& out) {
        const auto logits = form_->logits(memory_, index);
        const Eigen::Index among = task_.by_meaning ? static_cast<Eigen::Index>(drill.text.size()) : logits.cols();
        bool whole = true;
        for (std::size_t i = 0; i < drill.targets.size(); ++i) {
            if (drill.targets[i] == kNoTarget) continue;
            Eigen::Index best = 0;
            logits.row(static_cast<Eigen::Index>(i)).head(among).maxCoeff(&best);
            ++out.targets;
            const bool right = best == drill.targets[i];
            out.right += right ? 1 : 0;
            whole = whole && right;
        }
        ++out.examples;
        out.whole += whole ? 1 : 0;
    }

    void count_looks(const Drill& drill, int index, Counts& out) {
        for (const Look& look : drill.looks) {
            const auto job = static_cast<std::size_t>(look.job);
            ++out.looks[job];
            int seen = 0;
            for (std::size_t m = 0; m < form_->maps().size(); ++m) {
                const TrainedForm::Map& map = form_->maps()[m];
                if (map.tag.part != task_.jobs[job].part) continue;
                const auto weights = form_->weights_of(memory_, map, index);
                for (const int place : look.places) out.share[job][m] += static_cast<double>(weights(look.row, place));
                if (job == 0 && look.places.size() == 1) out.sure[m].add(weights.row(look.row), places_of(weights.cols()), look.places.front());
                if (seen == 0) seen = static_cast<int>((weights.row(look.row).array() > 0).count());
            }
            out.even[job] += static_cast<double>(look.places.size()) / std::max(seen, 1);
        }
    }

    /// Each position is a different word.
    static std::vector<int> places_of(Eigen::Index count) {
        std::vector<int> out(static_cast<std::size_t>(count));
        std::iota(out.begin(), out.end(), 0);
        return out;
    }

    const FormTask& task_;
    std::shared_ptr<const TrainedForm> form_;
    PlanMemory memory_;
    std::vector<Drill> drills_;
};

struct JobFigures {
    std::string head;
    double share = 0, even = 0, whole_off = 0, right_off = 0;
};

struct Figures {
    Counts counts;
    std::vector<JobFigures> jobs;
    std::vector<SureAt> sure = {};  ///< of the head for the first job
};

Figures figures_of(const FormTask& task, const std::vector<Weight>& weights, int examples) {
    FormTask measured = task;
    if (task.measured_unchanged) measured.changes.clear();
    Examiner examiner(measured, examples > 0 ? examples : task.measured);
    Figures out{examiner.examine(weights), {}, {}};
    for (std::size_t job = 0; job < task.jobs.size(); ++job) {
        const int map = examiner.best_map(out.counts, job);
        if (map < 0) continue;
        if (job == 0) out.sure = out.counts.sure[static_cast<std::size_t>(map)].rows();
        const Counts off = examiner.examine(examiner.without(weights, map));
        const double looks = std::max(out.counts.looks[job], 1.0);
        out.jobs.push_back({step_name(examiner.form().maps()[static_cast<std::size_t>(map)].tag),
                            out.counts.share[job][static_cast<std::size_t>(map)] / looks, out.counts.even[job] / looks,
                            off.whole_share(), off.answer_share()});
    }
    return out;
}

}  // namespace

TaskMeasure form_measure(const FormTask& task, const std::vector<Weight>& weights, int examples) {
    const Figures figures = figures_of(task, weights, examples);
    TaskMeasure out;
    out.right = figures.counts.whole_share();
    out.chance = task.chance;
    MeasuredSet set{"unseen", {}};
    const auto add = [&](const std::string& id, TaskText name, double value, const std::string& head = {}) {
        set.figures.emplace_back(id, three_digits(value));
        out.figures.push_back({id, {std::string(name.english), std::string(name.chinese)}, value, head});
    };
    add("examples_right", {"examples wholly right", "全对的例子"}, figures.counts.whole_share());
    add("answers_right", {"answers right", "答对的比例"}, figures.counts.answer_share());
    for (std::size_t job = 0; job < figures.jobs.size(); ++job) {
        const Job& current = task.jobs[job];
        const JobFigures& one = figures.jobs[job];
        const std::string id(current.id);
        add(id, current.name, one.share, one.head);
        add(id + "_by_chance", {"the same, spread evenly", "平均分布时的同一比例"}, one.even, one.head);
        add(id + "_head_off", {"answers right with this head off", "关掉这个头后答对的比例"}, one.right_off, one.head);
    }
    out.sure = figures.sure;
    if (!figures.jobs.empty()) {
        out.role = figures.jobs.front().share;
        out.off = figures.jobs.front().whole_off;
        out.role_name = task.jobs.front().name;
    }
    // Among seeds with equally many right answers, prefers those whose heads attend to the answer.
    constexpr double kShareOfLooks = 0.1;
    out.score = out.right;
    for (const JobFigures& one : figures.jobs) out.score += kShareOfLooks * one.share / static_cast<double>(figures.jobs.size());
    out.sets = {std::move(set)};
    return out;
}

std::string form_table(const FormTask& task, const std::vector<Weight>& weights) {
    const Figures figures = figures_of(task, weights, 0);
    std::string out = fmt::format("On {} unseen examples: {:.1f} % wholly right (by chance {:.1f} %), {:.1f} % of the answers.\n\n",
                                  figures.counts.examples, 100 * figures.counts.whole_share(), 100 * task.chance,
                                  100 * figures.counts.answer_share());
    out += fmt::format("{:<54}{:<24}{:>7}{:>8}{:>21}\n", "what a head does", "head", "share", "chance", "answers with it off");
    for (std::size_t job = 0; job < figures.jobs.size(); ++job) {
        const JobFigures& one = figures.jobs[job];
        out += fmt::format("{:<54}{:<24}{:>7.2f}{:>8.2f}{:>19.1f} %\n", task.jobs[job].name.english, one.head, one.share, one.even,
                           100 * one.right_off);
    }
    return out;
}

}  // namespace attn::train
