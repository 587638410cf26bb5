#pragma once
// Training of any form of attention: words in, words out. The steps of a document's form become a plan (plan.h), the
// words' vectors are looked up, and cross-entropy is applied in the rows that have a target word. So what is trained is
// exactly what the engine computes: the same steps, with the same names.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/io/json.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace attn::train {

/// Where the head with a job should attend from one row: any of these positions.
struct Look {
    int job = 0;  ///< of FormTask::jobs
    int row = 0;
    std::vector<int> places;
};

/// An example. Words are indices into FormTask::words.
struct Drill {
    std::vector<int> text, source;  ///< no longer than the task's longest
    std::vector<int> targets;       ///< one per position of `text`: its target word, or kNoTarget; in a task
                                    ///< by meaning, the target's position in the text
    std::vector<bool> bare = {};    ///< positions whose word has only its meaning, like an untrained one; empty: none
    /// For a task by meaning: words that training offers as answers in addition to those of the text. If every word of
    /// the text were of a different kind, its kind alone would identify the answer.
    std::vector<int> rivals = {};
    std::vector<Look> looks;        ///< not part of the loss, only measured
    std::string key;                ///< identifies the example: some keys are held out
};

/// What some head learns to do.
struct Job {
    std::string_view id;
    TaskText name;
    Part part = Part::Main;  ///< of the head's attention
    int layer = -1;          ///< −1: any layer
};

/// A task for a form of attention, in one size.
struct FormTask {
    std::string settings;  ///< of a document, as JSON: form, heads, layers, position, tokenizer …
    std::string changes = {};         ///< a variation's overrides of the settings (variations.h); null removes a field
    bool measured_unchanged = false;  ///< measured without the changes
    bool one_matrix = false;          ///< W_Q and W_K begin alike and move alike
    std::vector<std::string> words;
    /// Words are known by their meanings (core/text/meaning.h): a vector begins with these eight numbers, which are not
    /// trained, and the answer is a word of the text. So the task can be done with words that are never trained:
    /// `others`, numbered after `words`, have their meaning followed by zeros.
    bool by_meaning = false;
    std::vector<std::string> others = {};
    int rivals = 0;  ///< per drill
    int width = 32;
    int longest = 1, longest_source = 0;  ///< the most tokens of an example
    float spread = 1;                     ///< of the initial weights, times 1/√rows
    float vector_spread = 0;              ///< of the words' initial vectors; 0: 1/√width
    /// W_V and W_O of the last layer (with two texts: of cross-attention) start near the identity, so that a head's
    /// output is the attended word, and attending to the right word pays from the first step on.
    bool copying = true;
    /// Initial scale of the other W_O, and of a recurrent encoder's recurrent weights, relative to their spread: at
    /// first every position contains only its own word.
    float quiet = 0.1f;
    /// Decay of a recurrent encoder's recurrent weights: if they are large, a word can be found in its neighbours'
    /// annotations.
    float carried_decay = 0.3f;
    /// Share of the steps before an encoder's heads may mix the words of its text: until then each position contains
    /// only its own word, so the model first learns which one to attend to.
    double alone = 0.6;
    float decay = 0.01f;                  ///< of matrices
    float warm_share = 0.05f;             ///< share of the steps
    double unseen = 0.1;                  ///< share of the keys that are held out
    double chance = 0;                    ///< share of examples that a guess gets right
    int measured = 500;                   ///< examples measured for a model's record
    std::vector<Job> jobs;                ///< the first is the head with the task's job
    std::function<Drill(Random&)> drill;
};

/// The settings, overridden by the changes.
std::vector<JsonMember> settings_in(const FormTask& task);
/// The document with these settings.
Document settings_of(const FormTask& task);
/// Whether examples with this key are held out.
bool is_unseen(const FormTask& task, std::string_view key);
/// The next training example, or the next held-out one.
Drill next_drill(const FormTask& task, Random& random, bool unseen);

/// The form's steps, compiled for a batch of examples.
class TrainedForm {
public:
    static std::shared_ptr<const TrainedForm> make(const FormTask& task, int batch);

    const Plan& plan() const { return *plan_; }
    std::shared_ptr<const Plan> shared_plan() const { return plan_; }
    /// The initial weights: the words' vectors, then every parameter of the form by its step's name.
    std::vector<Weight> weights(std::uint64_t seed) const;
    const std::vector<StepId>& weight_steps() const { return steps_; }

    void fill(PlanMemory& memory, int index, const Drill& drill, const Matrix& vectors) const;
    /// Writes the gradient at the logits of one example, with weight `share` per target row; returns its loss and hits.
    Tally judge(PlanMemory& memory, int index, const Drill& drill, double share) const;
    /// Adds the gradients of the looked-up vectors to the words': words × width.
    void look_back(const PlanMemory& memory, int index, const Drill& drill, float* gradient) const;
    /// rows × words (for a task by meaning: × the text's words, then its rivals), after forward().
    Eigen::Map<const Matrix> logits(const PlanMemory& memory, int index) const;

    struct Map {
        Tag tag;
        StepId step;
        int keys;
    };
    const std::vector<Map>& maps() const { return maps_; }  ///< weights of all heads
    Eigen::Map<const Matrix> weights_of(const PlanMemory& memory, const Map& map, int index) const;

private:
    void find_steps(const FormTask& task, const AttentionConfig& config, const Trace& trace);
    void add_weight(const FormTask& task, const Step& step, StepId id, int layers);

    /// Whether the word at a position, of the text and then of its rivals, has only its meaning.
    bool is_bare(const Drill& drill, std::size_t place) const;

    struct Start {
        std::string name;
        int rows, cols;
        float spread;  ///< 0: all equal `level`
        float level;
        float decay;
        bool copies = false;
        int from_phase = 0;
    };
    std::shared_ptr<const Plan> plan_;
    std::vector<Start> starts_;
    std::vector<StepId> steps_;  ///< kNoStep: the words' vectors, which the plan only looks up
    StepId x_ = kNoStep, source_ = kNoStep, logits_ = kNoStep;
    StepId among_ = kNoStep;  ///< for a task by meaning: the vectors of the text's words, which are its answers
    Matrix meanings_;         ///< for a task by meaning: of its words and of the others
    Matrix drawn_;            ///< of a task whose settings draw a mask; empty: all is seen
    struct Pattern {
        StepId step;
        int rows, cols;
        bool source;  ///< keys are those of the second text
    };
    std::vector<Pattern> patterns_;  ///< which keys exist: filled for each example
    std::vector<Map> maps_;
    int width_ = 0, longest_ = 0, longest_source_ = 0, words_ = 0;
    int answers_ = 0;  ///< the most words that it chooses among
};

/// The course of a task; its weights are those of TrainedForm::weights.
Course form_course(const FormTask& task, const TaskOptions& options);
/// `row`: the task's row, which gives its id and texts.
Model form_model(const Task& row, const FormTask& task, std::string name, const TaskOptions& options,
                 const std::vector<Weight>& weights);
/// The weights of a model that form_model made.
Result<std::vector<Weight>> form_weights(const FormTask& task, const Model& model);
TaskMeasure form_measure(const FormTask& task, const std::vector<Weight>& weights, int examples);
std::string form_table(const FormTask& task, const std::vector<Weight>& weights);

/// The task with the variation of that id; unchanged if there is none, or if it does not apply (variations.h).
FormTask varied(FormTask task, std::string_view variation);
bool form_varies(const FormTask& task, const Variation& variation);

template <FormTask (*kForm)(const TaskOptions&)>
FormTask varied_form(const TaskOptions& o) {
    return varied(kForm(o), o.variation);
}

/// A row of the table: its functions are derived from the function that makes its FormTask from options; `kRow` is the
/// row itself.
template <FormTask (*kForm)(const TaskOptions&), const Task& kRow>
constexpr Task form_row(Task row) {
    row.course = [](const TaskOptions& o) { return form_course(varied_form<kForm>(o), o); };
    row.model = [](std::string name, const TaskOptions& o, const std::vector<Weight>& weights) {
        return form_model(kRow, varied_form<kForm>(o), std::move(name), o, weights);
    };
    row.measure = [](const TaskOptions& o, const std::vector<Weight>& weights, int examples) {
        return form_measure(varied_form<kForm>(o), weights, examples);
    };
    row.weights = [](const Model& model) { return form_weights(varied_form<kForm>(options_of(kRow, model)), model); };
    row.table = [](const TaskOptions& o, const std::vector<Weight>& weights) { return form_table(varied_form<kForm>(o), weights); };
    row.varies = [](const TaskOptions& o, const Variation& variation) { return form_varies(kForm(o), variation); };
    row.longest = [](const TaskOptions& o) {
        const FormTask task = kForm(o);
        return Longest{task.longest, task.longest_source};
    };
    return row;
}

}  // namespace attn::train
