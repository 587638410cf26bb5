#pragma once
// The content of a checkpoint's config.json, read with its family's row: sizes, and the choices of a document. Internal
// to the reading of checkpoints.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/io/json.h"
#include "core/model/checkpoint/families.h"
#include "core/model/picture/picture_input.h"

namespace attn {

struct CheckpointSizes {
    int encoder_layers = 0;  ///< 0: as many as `layers`
    int width = 0, layers = 0, heads = 0, key_heads = 0, head = 0, inner = 0, words = 0, places = 0, buckets = 0;
    int pixels = 0;  ///< numbers per patch
    int narrow = 0;  ///< the words' own width, or that of the blocks
    int groups = 0, layers_of_group = 1;  ///< 0: each layer has tensors of its own
    int registers = 0;
};
struct CheckpointConfig {
    const Family* family = nullptr;
    CheckpointSizes sizes;
    bool ends_in_norm = true;  ///< there is a norm after the last block
    bool tied = true;  ///< the unembedding is the transposed word vectors
    std::optional<PictureInput> picture;  ///< how a picture is cut; means and spreads are in another file
    std::vector<std::string> labels;      ///< the labels of a picture model
    PictureKind picture_kind;
    std::optional<int> text_end;  ///< as in Model
    bool beside_another = false;  ///< the checkpoint has another model, for pictures or for texts
    std::optional<int> start;   ///< for a decoder: the token that its text begins with
    std::optional<int> forced;  ///< and the one that it is made to write first
    std::vector<int> ends;      ///< the tokens of which each ends what a model writes
    std::string activation;         ///< as config.json calls it
    std::vector<std::pair<std::string, JsonValue>> settings;  ///< the document's fields, except the unembedding
    std::vector<std::string> unread;  ///< paths of keys that are not read here and may affect the result
};

/// Errors have the key and the line; `where`: the file. An error about an unknown family, activation, scaling or switch
/// lists the known ones.
/// `tower`: which model of a checkpoint with two, by the part of its key: "text" or "vision"; empty: that for pictures.
Result<CheckpointConfig> read_checkpoint_config(const JsonValue& root, const std::string& where, std::string_view tower = "");

}  // namespace attn
