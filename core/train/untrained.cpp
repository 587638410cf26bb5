#include "core/train/untrained.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "core/io/safe_text.h"
#include "core/model/files/model_files.h"
#include "core/text/unicode.h"
#include "core/train/task_texts.h"
#include "core/train/tasks.h"

namespace attn::train {
namespace {

/// Untrained models by the fingerprint of the trained one.
struct MadeBefore {
    std::mutex mutex;
    std::map<std::uint64_t, std::weak_ptr<const Model>> models;
};
MadeBefore& made_before() {
    static MadeBefore made;
    return made;
}

Result<ModelPtr> make_untrained(const Model& trained, const Task& task) {
    TaskOptions options = complete(task, options_of(task, trained));
    options.figures = false;  // its answers are random
    const TaskTexts* texts = texts_of(task);
    auto first = texts ? texts->untrained(trained) : Result<Model>(task.model("", options, task.course(options).weights));
    if (!first) return first.error();
    Model made = std::move(*first);
    made.about = {};
    made.measured.clear();
    if (made.training) made.training->steps = 0;
    ModelFiles files = model_files(made);
    files.name = trained.name + std::string(kUntrained);
    return read_model(files);
}

}  // namespace

Result<ModelPtr> untrained(const Model& trained) {
    const Task* task = task_of(trained);
    if (!task)
        return Error{fmt::format("\"{}\" records no training of a known task, so its state before training cannot be "
                                 "recomputed",
                                 visible(trained.name)),
                     "", "", 0};
    MadeBefore& made = made_before();
    const std::scoped_lock lock(made.mutex);
    std::weak_ptr<const Model>& cached = made.models[trained.fingerprint];
    if (ModelPtr model = cached.lock(); model && model->name == trained.name + std::string(kUntrained)) return model;
    auto model = make_untrained(trained, *task);
    if (model) cached = *model;
    return model;
}

}  // namespace attn::train
