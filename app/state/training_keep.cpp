#include "app/state/training_keep.h"

#include <fmt/format.h>

#include "app/state/folders.h"
#include "core/io/files.h"

namespace app {

namespace train = attn::train;

attn::Result<attn::ModelPtr> keep_snapshot(const TakenSnapshot& taken, const std::filesystem::path& folder) {
    attn::Model made = taken.task->model("", taken.options, *taken.weights);
    if (made.training) made.training->steps = taken.step;
    attn::ModelFiles files = attn::model_files(made);
    files.name = fmt::format("train:{}@{}", taken.task->id, taken.step);
    auto model = attn::read_model(files);
    if (!model || folder.empty()) return model;
    // Another recipe makes other numbers, and another folder: documents of before keep theirs.
    const auto own = folder / fmt::format("{}-{}{}{}-seed{}-step{}-{:08x}", taken.task->id, taken.options.size,
                                          taken.options.variation.empty() ? "" : "-", taken.options.variation, taken.options.seed, taken.step, (*model)->fingerprint & 0xffffffffu);
    if (const auto there = make_folder(own); !there) return there.error();
    for (const auto& [name, bytes] : {std::pair<std::string, const std::string*>{"model.safetensors", &files.tensors},
                                      {files.vocabulary_name, &files.vocabulary},
                                      {"config.json", &files.config}})
        if (const auto written = attn::atomic_write(own / name, *bytes); !written) return written.error();
    return attn::find_model(own.string(), {.folders = true});
}

std::string_view short_model_name(std::string_view name) {
    const auto slash = name.find_last_of('/');
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

}  // namespace app
