#pragma once
// What a configuration says of how its model was made: description, training, measured. Readers of Hugging Face's layout
// leave out keys that they do not know, so a checkpoint of this program's own says it, too. Internal to core/model.

#include <string>

#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/model/model.h"

namespace attn {

/// Fills about, training and measured with what is there. `where`: the file, for errors.
Result<Done> read_model_record(const JsonValue& root, const std::string& where, Model& model);
/// The same as members of the object that is being written.
void put_model_description(JsonWriter& out, const Model& model);
void put_model_training(JsonWriter& out, const Model& model);

}  // namespace attn
