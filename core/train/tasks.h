#pragma once
// The table of training tasks: what is learned, from which examples, what to watch during training, and the result. A
// row is a file in core/train/tasks, named in tasks.inc; it contains everything specific to its task, and no other code
// depends on a task's id.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/catalogue.h"
#include "core/document/document.h"
#include "core/model/model.h"
#include "core/train/trainer.h"

namespace attn::train {

/// A text of a row, in both languages of the program.
struct TaskText {
    std::string_view english, chinese;
};

/// A size of a task: the defaults of its options.
struct TaskSize {
    std::string_view id;  ///< "small", "usual"
    TaskText name;
    int steps = 0;
    float rate = 0;  ///< the largest of the schedule
    int batch = 0;   ///< examples per step
    int width = 0, heads = 0, layers = 1;
};

/// Requested options; 0 and "" are the task's defaults. `complete` fills them in.
struct TaskOptions {
    std::uint64_t seed = 0;
    std::string size;  ///< TaskSize::id
    int steps = 0;
    float rate = 0;
    int batch = 0;  ///< rounded to whole parts of the course
    bool figures = true;  ///< whether a model's record includes measurements, which take time
    std::string variation = {};  ///< Variation::id (variations.h), of one that applies; empty: none
};

/// A document's texts that show the task: for viewing the model's predictions and its heads' attention.
struct TaskExample {
    std::string_view id;      ///< unique in its task
    std::string_view text;    ///< as a document's text
    std::string_view source;  ///< the second text, for forms that read one
    TaskText shows;           ///< a few words on what is predicted here
};

/// One measured number, a share from 0 to 1.
struct TaskFigure {
    std::string id;  ///< the key in config.json and files
    BothLanguages name;
    double value = 0;
    std::string head = {};  ///< the step of the head's weights; empty: not about one head
};

/// The result of a training on held-out examples.
struct TaskMeasure {
    double right = 0;   ///< share of right answers
    double chance = 0;  ///< the share of right answers by guessing
    double role = 0;    ///< the weight that the head with the job puts on the right position
    double off = 0;     ///< `right` with that head switched off
    double score = 0;   ///< the criterion for choosing among seeds: larger is better
    TaskText role_name;               ///< a few words on what `role` measures
    std::vector<MeasuredSet> sets;    ///< all figures by the sets they were measured on, as a model records them
    std::vector<TaskFigure> figures;  ///< the figures to show first
    std::vector<SureAt> sure = {};    ///< how often the head with the job was right, by its largest weight
};

/// The most tokens of an example in its text and in the second one; 0: no such text, or unknown.
struct Longest {
    int text = 0, source = 0;
};

struct Variation;

struct Task {
    std::string_view id;
    TaskText name;      ///< "Four questions"
    TaskText about;     ///< what is learned, in one sentence
    TaskText look_for;  ///< what to watch during training
    std::span<const TaskSize> sizes;  ///< the default first
    /// The options are complete here and below.
    Course (*course)(const TaskOptions&) = nullptr;
    /// The model with the weights after any step, as stored in a folder: configuration, vocabulary, words, the record
    /// of its training, and measurements. `weights`: as in the course.
    Model (*model)(std::string name, const TaskOptions&, const std::vector<Weight>& weights) = nullptr;
    std::span<const TaskExample> examples;
    /// On so many held-out examples, always the same ones; 0: as many as for a model's record. The same weights give
    /// the same numbers on every machine.
    TaskMeasure (*measure)(const TaskOptions&, const std::vector<Weight>& weights, int examples) = nullptr;
    /// The weights of a model that this task made, in the course's order. Error: it was trained on something else, or
    /// lacks a tensor.
    Result<std::vector<Weight>> (*weights)(const Model&) = nullptr;
    /// The measurements as a table for people (English, for the command line).
    std::string (*table)(const TaskOptions&, const std::vector<Weight>& weights) = nullptr;
    /// Whether it can be trained with this variation; null: with none.
    bool (*varies)(const TaskOptions&, const Variation&) = nullptr;
    Longest (*longest)(const TaskOptions&) = nullptr;
    /// The target words at the first `places` positions of a text that is an example, including those after its end,
    /// where a right answer continues; "" where there is none. Null: at each position the next word of the text.
    std::vector<std::string> (*targets)(const std::vector<std::string>& text, const std::vector<std::string>& source, int places,
                                      const TaskOptions&) = nullptr;
    /// Whether the encoder's text has one of the shapes of the examples; null: any text will do.
    bool (*has_shape)(std::string_view source) = nullptr;
};

Catalogue<Task>& task_catalogue();
std::span<const Task> tasks();
const Task* find_task(std::string_view id);
/// The task that a model records its training on; null: none of this program's.
const Task* task_of(const Model& model);

/// The size that the options name, or the default size; null if there is no such size.
const TaskSize* size_of(const Task& task, const TaskOptions& options);
/// The options with defaults filled in. The size must be one of the task's.
TaskOptions complete(const Task& task, TaskOptions options);
/// The options that a model records.
TaskOptions options_of(const Task& task, const Model& model);
/// The model's prediction at one position of a run of its text, and the target there.
struct PlaceAnswer {
    int place = 0;  ///< in the text: the prediction is made at this token
    std::string token, target, said;  ///< `target` "": no target, or unknown
    double share = 0;                ///< the probability of the predicted word
    bool right() const { return !target.empty() && target == said; }
};
/// For each position with a prediction, in order; empty: the model makes none.
std::vector<PlaceAnswer> answers_of(const Task& task, const TaskOptions& options, const Run& run);

/// The longest texts that a model was trained on: those of the task that it records. Its behaviour on longer ones was
/// never trained.
Longest longest_trained(const Model& model);
/// The model after some step, as a document that shows an example of the task.
Document task_document(const TaskExample& example, ModelPtr model);
/// For readers of Chinese the first example that contains Chinese, if there is one; otherwise the first. The task must
/// have one.
const TaskExample& example_for(const Task& task, bool chinese);
/// Sets a sentence as the model's input, like attn::give_sentence. If the task has two texts, its encoder reads the
/// sentence, and its decoder starts with the start word of example_for() ("fr", ">").
void give_task_sentence(Document& document, std::string sentence, bool chinese = false);

}  // namespace attn::train
