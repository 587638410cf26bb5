#pragma once
// How a model was made, as recorded in its configuration: description, training, measurements. Readers of Hugging
// Face's layout ignore unknown keys, so a checkpoint of this program's own contains them, too. Internal to core/model.

#include <string>

#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/model/model.h"

namespace attn {

/// Fills about, training and measured from the members that exist. `where`: the file, for errors.
Result<Done> read_model_record(const JsonValue& root, const std::string& where, Model& model);
/// Writes the same as members of the current object.
void put_model_description(JsonWriter& out, const Model& model);
void put_model_training(JsonWriter& out, const Model& model);

}  // namespace attn
