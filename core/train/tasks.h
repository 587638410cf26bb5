#pragma once
// The tasks of training as a table: what is learned, by which examples, what to look for while it is learned, and what
// comes out of it. A row is a file in core/train/tasks, named in tasks.inc; it carries all that is told of it, and nobody
// asks for a task by its id outside its row.

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

/// Words of a row, in both languages of the program.
struct TaskText {
    std::string_view english, chinese;
};

/// A size that a task comes in: what its options are where they say nothing.
struct TaskSize {
    std::string_view id;  ///< "small", "usual"
    TaskText name;
    int steps = 0;
    float rate = 0;  ///< the largest of the schedule
    int batch = 0;   ///< examples a step
    int width = 0, heads = 0, layers = 1;
};

/// What can be asked for; 0 and "" are the task's own. `options_of` fills them in.
struct TaskOptions {
    std::uint64_t seed = 0;
    std::string size;  ///< TaskSize::id
    int steps = 0;
    float rate = 0;
    int batch = 0;  ///< rounded to whole parts of the course
    bool figures = true;  ///< a model's record holds what was measured; false: nothing is, which takes no time
    std::string variation = {};  ///< Variation::id (variations.h), of those that apply; empty: the task as it is
};

/// A document's texts that show the task: what the model says of them, and where its heads look.
struct TaskExample {
    std::string_view id;      ///< of this example in its task
    std::string_view text;    ///< as a document's text
    std::string_view source;  ///< the second text, for forms that read one
    TaskText shows;           ///< in a few words, what is asked here
};

/// One measured number, a share from 0 to 1.
struct TaskFigure {
    std::string id;  ///< in config.json and for files
    BothLanguages name;
    double value = 0;
    std::string head = {};  ///< the step of the weights that it is about; empty: of no single head
};

/// What a training has come to, on examples that it never saw.
struct TaskMeasure {
    double right = 0;   ///< share of the answers that are right
    double chance = 0;  ///< the same share for who guesses
    double role = 0;    ///< share of its weight that the head with the job puts on the right place
    double off = 0;     ///< `right` with that head off
    double score = 0;   ///< what seeds are chosen by: the larger the better
    TaskText role_name;               ///< what `role` is, in a few words
    std::vector<MeasuredSet> sets;    ///< all figures by the sets they were measured on, as a model records them
    std::vector<TaskFigure> figures;  ///< those that a reader is shown first
    std::vector<SureAt> sure = {};    ///< how often the head with the job was right, by its largest weight
};

/// The most tokens that an example has, in its text and in the second one; 0: it has none, or that is not known.
struct Longest {
    int text = 0, source = 0;
};

struct Variation;

struct Task {
    std::string_view id;
    TaskText name;      ///< "Four questions"
    TaskText about;     ///< what is learned, in one sentence
    TaskText look_for;  ///< what to look for while it is learned
    std::span<const TaskSize> sizes;  ///< the usual one first
    /// The options are complete here and below.
    Course (*course)(const TaskOptions&) = nullptr;
    /// The model with the weights after any step, as a folder holds it: configuration, vocabulary, words, the record of
    /// its training and what was measured. `weights`: as in the course.
    Model (*model)(std::string name, const TaskOptions&, const std::vector<Weight>& weights) = nullptr;
    std::span<const TaskExample> examples;
    /// On so many unseen examples, always the same ones; 0: as many as a model's record asks for. The same weights give
    /// the same numbers everywhere.
    TaskMeasure (*measure)(const TaskOptions&, const std::vector<Weight>& weights, int examples) = nullptr;
    /// Of a model that this task made: its weights in the course's order. Error: it was trained on something else, or
    /// lacks a tensor.
    Result<std::vector<Weight>> (*weights)(const Model&) = nullptr;
    /// What was measured, as a table for people (English, for the command line).
    std::string (*table)(const TaskOptions&, const std::vector<Weight>& weights) = nullptr;
    /// Whether it can be trained with this variation; null: with none.
    bool (*varies)(const TaskOptions&, const Variation&) = nullptr;
    Longest (*longest)(const TaskOptions&) = nullptr;
    /// The words that are asked for at the first `places` places of texts that are an example, behind the text as well, where a
    /// right answer goes on; "" where none is. Null: at each place the word of the text that comes next.
    std::vector<std::string> (*asked)(const std::vector<std::string>& text, const std::vector<std::string>& source, int places,
                                      const TaskOptions&) = nullptr;
    /// Whether a text that its encoder reads has one of the shapes that examples have; null: there are none to keep to.
    bool (*has_shape)(std::string_view source) = nullptr;
};

Catalogue<Task>& task_catalogue();
std::span<const Task> tasks();
const Task* find_task(std::string_view id);
/// The task whose training a model records; null: none of ours.
const Task* task_of(const Model& model);

/// The size that the options name; where they name none, the usual one; null where there is no such size.
const TaskSize* size_of(const Task& task, const TaskOptions& options);
/// The options with all that they leave open filled in. The size is one of the task's.
TaskOptions complete(const Task& task, TaskOptions options);
/// With which options a model says it was made.
TaskOptions options_of(const Task& task, const Model& model);
/// What the model said at one place of a run of its text, and what was asked for there.
struct PlaceAnswer {
    int place = 0;  ///< of the text: the word said is asked for at this token
    std::string token, asked, said;  ///< `asked` "": nothing was, or that is not known
    double share = 0;                ///< the probability of the word said
    bool right() const { return !asked.empty() && asked == said; }
};
/// At each place that the model says a word at, in order; empty: it says none.
std::vector<PlaceAnswer> answers_of(const Task& task, const TaskOptions& options, const Run& run);

/// The longest texts that a model was trained on: those of the task that it records. What it does with longer ones, no
/// training has ever touched.
Longest longest_trained(const Model& model);
/// The model after so many steps as a document that shows an example of the task.
Document task_document(const TaskExample& example, ModelPtr model);
/// For readers of Chinese the first that has Chinese in it, if any has; else the first. The task has one.
const TaskExample& example_for(const Task& task, bool chinese);
/// A sentence for the model that the document has, as attn::give_sentence; the encoder of a task with two texts reads it, and
/// its decoder has the word that begins what it says in example_for() ("fr", ">").
void give_task_sentence(Document& document, std::string sentence, bool chinese = false);

}  // namespace attn::train
