#include "core/train/task_texts.h"

#include <algorithm>
#include <array>

namespace attn::train {
namespace task::language {

extern const TaskTexts texts;

}  // namespace task::language

const TaskTexts* texts_of(const Task& task) {
    static const std::array kRows = {&task::language::texts};
    const auto at = std::find_if(kRows.begin(), kRows.end(), [&](const TaskTexts* row) { return row->task == task.id; });
    return at == kRows.end() ? nullptr : *at;
}

std::vector<std::string> missing(const Task& task, const TaskOptions& options) {
    const TaskTexts* texts = texts_of(task);
    return texts ? texts->missing(options) : std::vector<std::string>{};
}

const TaskSize* size_without_packages(const Task& task) {
    for (const TaskSize& size : task.sizes)
        if (missing(task, complete(task, {.seed = 0, .size = std::string(size.id)})).empty()) return &size;
    return nullptr;
}

}  // namespace attn::train
