#pragma once
// A snapshot of a training becomes a model that documents can name: a folder that is written before any document names
// it, so that nothing that is saved, exported or undone ever points at what is not there.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace app {

/// Weights after some step, on their way to the stage.
struct TakenSnapshot {
    const attn::train::Task* task = nullptr;
    attn::train::TaskOptions options;
    std::int64_t step = 0;
    std::shared_ptr<const std::vector<attn::train::Weight>> weights;
    std::string text, source;  ///< that the screen shows
};

/// The model of the snapshot, measured, read back from the files it has become: FOLDER/questions-usual-seed0-step400-….
/// The files are in place whole or not at all. `folder` empty: it is written nowhere, and lives as long as the document.
attn::Result<attn::ModelPtr> keep_snapshot(const TakenSnapshot& taken, const std::filesystem::path& folder);

/// What people call a model: the label of a shipped one, the recipe of a snapshot that was trained here ("Sorting letters,
/// 400 steps, seed 0"), else the name of its folder.
std::string model_title(const attn::Model& model, Language language);
/// The key of a snapshot that was trained here among the names that were given (ViewState::model_names); empty: a model of
/// another kind, which has the name that it came with.
std::string_view nameable_model(const attn::Model& model);
/// The name that was given to a model; empty: none.
std::string_view given_name(const std::map<std::string, std::string>& names, const attn::Model& model);

struct KeptModel {
    std::string folder;  ///< its name, without the path
    attn::Result<attn::ModelPtr> model;
};
/// What keep_snapshot() has left in the folder, the newest first. Reads files: on a thread. Cut short by `stop`.
std::vector<KeptModel> kept_models(const std::filesystem::path& folder, const std::stop_token& stop);

}  // namespace app
