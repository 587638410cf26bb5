#pragma once
// Turns a snapshot of a training into a model that documents can refer to: a folder that is written before any document
// refers to it, so that nothing saved, exported or undone ever refers to a missing model.

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
/// The model of the snapshot, measured, and read back from the files written for it:
/// FOLDER/questions-usual-seed0-step400-…. The files are written completely or not at all. Empty `folder`: nothing is
/// written; the model lives as long as the document.
attn::Result<attn::ModelPtr> save_snapshot(const TakenSnapshot& taken, const std::filesystem::path& folder);

/// The title of a model: the label of a shipped one, the recipe of a snapshot trained here ("Sorting letters, 400
/// steps, seed 0"), else the name of its folder.
std::string model_title(const attn::Model& model, Language language);
/// The key under which a snapshot trained here can be given a name (ViewState::model_names); empty: for other models,
/// which keep their own names.
std::string_view nameable_model(const attn::Model& model);
/// The name that the user gave a model; empty: none.
std::string_view given_name(const std::map<std::string, std::string>& names, const attn::Model& model);

struct SavedModel {
    std::string folder;  ///< its name, without the path
    attn::Result<attn::ModelPtr> model;
};
/// The models that save_snapshot() has written to the folder, newest first. Reads files, so call it on a thread; `stop`
/// ends it early.
std::vector<SavedModel> saved_models(const std::filesystem::path& folder, const std::stop_token& stop);

}  // namespace app
