#include "core/train/tasks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <mutex>
#include <utility>

#include "core/document/take.h"
#include "core/text/unicode.h"
#include "core/tokenizers/character_rules.h"
#include "core/train/task_texts.h"

namespace attn::train {
namespace task {

#define TASK(name)         \
    namespace name {       \
    extern const Task row; \
    }
#include "core/train/tasks.inc"
#undef TASK

}  // namespace task

Catalogue<Task>& task_catalogue() {
    static const std::array kRows = {
#define TASK(name) task::name::row,
#include "core/train/tasks.inc"
#undef TASK
    };
    static Catalogue<Task> table(kRows);
    return table;
}

std::span<const Task> tasks() { return task_catalogue().rows(); }
const Task* find_task(std::string_view id) { return task_catalogue().find(id); }
const Task* task_of(const Model& model) { return model.training ? find_task(model.training->task) : nullptr; }

const TaskSize* size_of(const Task& task, const TaskOptions& options) {
    if (options.size.empty()) return &task.sizes.front();
    const auto at = std::find_if(task.sizes.begin(), task.sizes.end(), [&](const TaskSize& s) { return s.id == options.size; });
    return at == task.sizes.end() ? nullptr : &*at;
}

TaskOptions complete(const Task& task, TaskOptions options) {
    const TaskSize* size = size_of(task, options);
    assert(size);
    options.size = size->id;
    if (options.steps <= 0) options.steps = size->steps;
    if (!(options.rate > 0)) options.rate = size->rate;
    if (options.batch <= 0) options.batch = size->batch;
    return options;
}

TaskOptions options_of(const Task& task, const Model& model) {
    TaskOptions out;
    if (!model.training) return complete(task, out);
    out.seed = model.training->seed;
    out.size = model.training->size;
    if (!size_of(task, out)) out.size.clear();
    out.steps = static_cast<int>(std::min<std::int64_t>(model.training->steps, 1 << 30));
    out.batch = model.training->batch;
    out.variation = model.training->variation;
    return complete(task, out);
}

Longest longest_trained(const Model& model) {
    const Task* task = task_of(model);
    if (!task) return {};
    if (task->longest) {
        // Cached, because it is requested often and needs the task with its vocabulary.
        static std::mutex mutex;
        static std::map<std::pair<const Task*, std::string>, Longest> known;
        const TaskOptions options = options_of(*task, model);
        const std::scoped_lock lock(mutex);
        const auto [at, made] = known.try_emplace({task, options.size});
        if (made) at->second = task->longest(options);
        return at->second;
    }
    return {texts_of(*task) ? kLanguageContext : 0, 0};
}

Document task_document(const TaskExample& example, ModelPtr model) {
    Document out;
    out.text = example.text;
    if (!example.source.empty()) out.source = example.source;
    take_model(out, std::move(model));
    return out;
}

const TaskExample& example_for(const Task& task, bool chinese) {
    const auto has_chinese = [](std::string_view text) { return std::ranges::any_of(to_code_points(text), tokenizing::is_han); };
    const auto found = std::ranges::find_if(task.examples, [&](const TaskExample& one) { return chinese && (has_chinese(one.text) || has_chinese(one.source)); });
    return found == task.examples.end() ? task.examples.front() : *found;
}

void give_task_sentence(Document& document, std::string sentence, bool chinese) {
    const Task* task = document.model ? task_of(*document.model) : nullptr;
    const bool reads = task && !task->examples.empty() && !task->examples.front().source.empty();
    if (!reads) return give_sentence(document, std::move(sentence));
    document.source = std::move(sentence);
    document.tokens.clear();
    document.text = example_for(*task, chinese).text;
    document.text = tokens_of(document).front();
}

}  // namespace attn::train
