#pragma once
// A model's folder, read and written (model.h).

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/io/safetensors.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"

namespace attn {

/// Reads a whole model and runs it over shapes, so that everything in the result fits together. Errors name the file,
/// and the key or the tensor.
Result<ModelPtr> read_model(const ModelFiles& files);
/// Checks that a folder exists and has weights; `where` is its name for messages.
Result<Done> check_model_folder(const std::filesystem::path& folder, const std::string& where);
/// The files of a folder. Errors, each with advice: no such folder, weights as pickle, an adapter, no weights.
Result<ModelFiles> read_model_folder(const std::filesystem::path& folder, std::string name);
/// Files from which read_model restores the same model, bit for bit if `numbers` is F32.
ModelFiles model_files(const Model& model, TensorNumbers numbers = TensorNumbers::F32);
/// Writes the files into an existing folder. config.json is removed first and written last, so that if the program is
/// killed, the folder never has the words of one model with the weights of another.
Result<Done> write_model_folder(const std::filesystem::path& folder, const ModelFiles& files);

}  // namespace attn
