#include "app/state/own_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "app/state/folders.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/files/model_files.h"
#include "core/train/variations.h"

namespace app {

namespace train = attn::train;

namespace {

/// The name of the folder to which a snapshot is written: its recipe, and a hash of its numbers. The model records how
/// it was trained.
std::string snapshot_folder(const attn::Model& model) {
    const attn::ModelTraining& made = *model.training;
    return fmt::format("{}-{}{}{}-seed{}-step{}-{:08x}", made.task, made.size, made.variation.empty() ? "" : "-", made.variation,
                       made.seed, made.steps, model.fingerprint & 0xffffffffu);
}

/// Whether this is the name of a snapshot's folder; its last part, which distinguishes snapshots of one training, may
/// differ.
bool names_snapshot(std::string_view name, const attn::Model& model) {
    if (!model.training) return false;
    const std::string own = snapshot_folder(model);
    return name.starts_with(std::string_view(own).substr(0, own.rfind('-') + 1));
}

/// The last component of a folder's path; a shipped model's id is returned unchanged.
std::string_view short_model_name(std::string_view name) {
    return name.substr(name.size() - std::filesystem::path(name).filename().string().size());
}

}  // namespace

attn::Result<attn::ModelPtr> save_snapshot(const TakenSnapshot& taken, const std::filesystem::path& folder) {
    attn::Model made = taken.task->model("", taken.options, *taken.weights);
    if (made.training) made.training->steps = taken.step;
    attn::ModelFiles files = attn::model_files(made);
    files.name = fmt::format("train:{}@{}", taken.task->id, taken.step);
    auto model = attn::read_model(files);
    if (!model || folder.empty()) return model;
    // Another recipe gives other numbers and another folder, so that older documents still find theirs.
    const auto own = folder / snapshot_folder(**model);
    if (const auto there = make_folder(own); !there) return there.error();
    if (const auto written = attn::write_model_folder(own, files); !written) return written.error();
    return attn::find_model(own.string(), {.folders = true});
}

std::string model_title(const attn::Model& model, Language language) {
    if (nameable_model(model).empty()) return attn::visible_text(label_of(short_model_name(model.name), language));
    const train::Task* task = train::task_of(model);
    const attn::ModelTraining& made = *model.training;
    const auto spoken = [language](const train::TaskText& text) {
        return language == Language::Chinese ? text.chinese : text.english;
    };
    std::string title(spoken(task->name));
    if (const train::Variation* variation = train::find_variation(made.variation))
        title = fill_in(tr(Str::model_varied, language), {title, spoken(variation->name)});
    return fill_in(tr(Str::model_trained_here, language), {title, fmt::to_string(made.steps), fmt::to_string(made.seed)});
}

std::string_view nameable_model(const attn::Model& model) {
    const std::string_view name = short_model_name(model.name);
    return train::task_of(model) && names_snapshot(name, model) ? name : std::string_view();
}

std::string_view given_name(const std::map<std::string, std::string>& names, const attn::Model& model) {
    const auto found = names.find(std::string(nameable_model(model)));
    return found == names.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<SavedModel> saved_models(const std::filesystem::path& folder, const std::stop_token& stop) {
    namespace fs = std::filesystem;
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code problem;
    if (folder.empty()) return {};
    for (fs::directory_iterator at(folder, problem); !problem && at != fs::directory_iterator(); at.increment(problem)) {
        std::error_code unreadable;
        const auto written = fs::last_write_time(at->path() / "config.json", unreadable);
        if (!unreadable) found.emplace_back(written, at->path());
    }
    std::sort(found.begin(), found.end(), std::greater<>());
    std::vector<SavedModel> out;
    for (const auto& [written, path] : found) {
        if (stop.stop_requested()) break;
        out.push_back({path.filename().string(), attn::find_model(path.string(), {.folders = true})});
    }
    return out;
}

}  // namespace app
