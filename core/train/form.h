#pragma once
// What any form of attention learns: words in, words out. The steps of a document's form become a plan (plan.h), words'
// vectors are looked up, and cross-entropy is marked in the rows where a word is asked for. So what is trained is what
// the engine computes: the same steps, by the same names.

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

/// Where the head with a job should look from one row: any of these places.
struct Look {
    int job = 0;  ///< of FormTask::jobs
    int row = 0;
    std::vector<int> places;
};

/// An example. Words are numbers of FormTask::words.
struct Drill {
    std::vector<int> text, source;  ///< no longer than the task's longest
    std::vector<int> asked;         ///< one a place of `text`: the word that is asked for there, or kNoTarget; of a task
                                    ///< by meaning the place where it stands in the text
    std::vector<bool> bare = {};    ///< places whose word has its meaning alone, as one that never trains; empty: none
    /// Of a task by meaning: words that training offers as answers beside those of the text. Where each of the text's words is
    /// of a kind of its own, the kind alone would be an answer.
    std::vector<int> rivals = {};
    std::vector<Look> looks;        ///< never marked, only measured
    std::string key;                ///< what makes it this example: some keys never train
};

/// What some head comes to do.
struct Job {
    std::string_view id;
    TaskText name;
    Part part = Part::Main;  ///< of the attention that does it
    int layer = -1;          ///< −1: of any layer
};

/// A task over a form of attention, of one size.
struct FormTask {
    std::string settings;  ///< of a document, as JSON: form, heads, layers, position, tokenizer …
    std::string changes = {};         ///< written over the settings by a variation (variations.h); null takes a field away
    bool measured_unchanged = false;  ///< without the changes
    bool one_matrix = false;          ///< W_Q and W_K begin alike and move alike
    std::vector<std::string> words;
    /// Words are known by their meanings (core/text/meaning.h): a row begins with these eight numbers, which never train, and
    /// what is said is a word of the text. So the task can be done with words that never train: `others`, numbered on from
    /// `words`, which have their meaning and zeros.
    bool by_meaning = false;
    std::vector<std::string> others = {};
    int rivals = 0;  ///< of a drill
    int width = 32;
    int longest = 1, longest_source = 0;  ///< tokens of an example
    float spread = 1;                     ///< of the first weights, by 1/√rows
    float vector_spread = 0;              ///< of the words' first vectors; 0: 1/√width
    /// W_V and W_O of the last layer (of two texts: of the attention between them) begin near the identity, so that what
    /// a head looks at is what it says, and looking at the right word pays from the first step on.
    bool copying = true;
    /// W_O of the others, and what a recurrent encoder carries from word to word, begin this small beside their spread: at
    /// first every word stands in its own place alone.
    float quiet = 0.1f;
    /// Of what a recurrent encoder carries on: where it may carry much, a word is found in its neighbours' annotations.
    float carried_decay = 0.3f;
    /// Share of the steps before an encoder's heads may mix the words of its text: until then each word stands for itself,
    /// so what is learned first is which one to look at.
    double alone = 0.6;
    float decay = 0.01f;                  ///< of matrices
    float warm_share = 0.05f;             ///< of the steps
    double unseen = 0.1;                  ///< share of the keys that never train
    double chance = 0;                    ///< share of examples that who guesses has right
    int measured = 500;                   ///< examples that a model's record is measured on
    std::vector<Job> jobs;                ///< the first is the one with the job of the task
    std::function<Drill(Random&)> drill;
};

/// The settings with the changes over them.
std::vector<JsonMember> settings_in(const FormTask& task);
/// What they say.
Document settings_of(const FormTask& task);
/// Whether an example with this key is kept from training.
bool is_unseen(const FormTask& task, std::string_view key);
/// The next example that trains, or of those that never do.
Drill next_drill(const FormTask& task, Random& random, bool unseen);

/// The form's steps made ready for so many examples at a time.
class TrainedForm {
public:
    static std::shared_ptr<const TrainedForm> make(const FormTask& task, int batch);

    const Plan& plan() const { return *plan_; }
    std::shared_ptr<const Plan> shared_plan() const { return plan_; }
    /// The first weights: the words' vectors, then every parameter of the form by its step's name.
    std::vector<Weight> weights(std::uint64_t seed) const;
    const std::vector<StepId>& weight_steps() const { return steps_; }

    void fill(PlanMemory& memory, int index, const Drill& drill, const Matrix& vectors) const;
    /// Puts the gradient at the logits of one example, each asked row weighing `share`; what it was comes back.
    Tally judge(PlanMemory& memory, int index, const Drill& drill, double share) const;
    /// Adds the gradients of the looked-up vectors to those of the words: words × width.
    void look_back(const PlanMemory& memory, int index, const Drill& drill, float* gradient) const;
    /// rows × words (of a task by meaning: × the text's words, then its rivals), after forward().
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

    /// Whether the word at a place, of the text and then of its rivals, has its meaning alone.
    bool is_bare(const Drill& drill, std::size_t place) const;

    struct Start {
        std::string name;
        int rows, cols;
        float spread;  ///< 0: all `level`
        float level;
        float decay;
        bool copies = false;
        int from_phase = 0;
    };
    std::shared_ptr<const Plan> plan_;
    std::vector<Start> starts_;
    std::vector<StepId> steps_;  ///< kNoStep: words' vectors that the plan only looks up
    StepId x_ = kNoStep, source_ = kNoStep, logits_ = kNoStep;
    StepId among_ = kNoStep;  ///< of a task by meaning: the vectors of the text's words, which it answers with
    Matrix meanings_;         ///< of a task by meaning: of its words and of the others
    Matrix drawn_;            ///< of a task whose settings draw a mask; empty: all is seen
    struct Pattern {
        StepId step;
        int rows, cols;
        bool source;  ///< of keys of the second text
    };
    std::vector<Pattern> patterns_;  ///< which keys are there: filled for each example
    std::vector<Map> maps_;
    int width_ = 0, longest_ = 0, longest_source_ = 0, words_ = 0;
    int answers_ = 0;  ///< among how many it chooses at most
};

/// The course of a task; its weights are those of Form::weights.
Course form_course(const FormTask& task, const TaskOptions& options);
/// `id`: of the task; texts of its row.
Model form_model(const Task& row, const FormTask& task, std::string name, const TaskOptions& options,
                 const std::vector<Weight>& weights);
/// Of a model that form_model made.
Result<std::vector<Weight>> form_weights(const FormTask& task, const Model& model);
TaskMeasure form_measure(const FormTask& task, const std::vector<Weight>& weights, int examples);
std::string form_table(const FormTask& task, const std::vector<Weight>& weights);

/// The task with the variation of that id; as it is where there is none, or it does not apply (variations.h).
FormTask varied(FormTask task, std::string_view variation);
bool form_varies(const FormTask& task, const Variation& variation);

template <FormTask (*kForm)(const TaskOptions&)>
FormTask varied_form(const TaskOptions& o) {
    return varied(kForm(o), o.variation);
}

/// A row of the table, told and all else following from what makes its FormTask of options; `kRow` is that row itself.
template <FormTask (*kForm)(const TaskOptions&), const Task& kRow>
constexpr Task form_row(Task told) {
    told.course = [](const TaskOptions& o) { return form_course(varied_form<kForm>(o), o); };
    told.model = [](std::string name, const TaskOptions& o, const std::vector<Weight>& weights) {
        return form_model(kRow, varied_form<kForm>(o), std::move(name), o, weights);
    };
    told.measure = [](const TaskOptions& o, const std::vector<Weight>& weights, int examples) {
        return form_measure(varied_form<kForm>(o), weights, examples);
    };
    told.weights = [](const Model& model) { return form_weights(varied_form<kForm>(options_of(kRow, model)), model); };
    told.table = [](const TaskOptions& o, const std::vector<Weight>& weights) { return form_table(varied_form<kForm>(o), weights); };
    told.varies = [](const TaskOptions& o, const Variation& variation) { return form_varies(kForm(o), variation); };
    told.longest = [](const TaskOptions& o) {
        const FormTask task = kForm(o);
        return Longest{task.longest, task.longest_source};
    };
    return told;
}

}  // namespace attn::train
