#pragma once
// A snapshot of a training becomes a model that documents can name: a folder that is written before any document names
// it, so that nothing that is saved, exported or undone ever points at what is not there.

#include <filesystem>

#include "app/state/training.h"

namespace app {

/// The model of the snapshot, measured, read back from the files it has become: FOLDER/questions-usual-seed0-step400-….
/// The files are in place whole or not at all. `folder` empty: it is written nowhere, and lives as long as the document.
attn::Result<attn::ModelPtr> keep_snapshot(const TakenSnapshot& taken, const std::filesystem::path& folder);

/// What people call a model: the last part of a folder's path; a shipped one's id as it is.
std::string_view short_model_name(std::string_view name);

}  // namespace app
