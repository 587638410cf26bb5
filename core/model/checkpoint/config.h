#pragma once
// What config.json of a checkpoint says, by the row of its family: sizes, and the choices of a document. Internal to the
// reading of checkpoints.

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
    int encoder_layers = 0;  ///< 0: as many as the others
    int width = 0, layers = 0, heads = 0, key_heads = 0, head = 0, inner = 0, words = 0, places = 0, buckets = 0;
    int pixels = 0;  ///< numbers of a patch
    int narrow = 0;  ///< the words' own width, or that of the blocks
    int groups = 0, layers_of_group = 1;  ///< 0: each layer has tensors of its own
};
struct CheckpointConfig {
    const Family* family = nullptr;
    CheckpointSizes sizes;
    bool ends_in_norm = true;  ///< a norm stands behind the last block
    bool tied = true;  ///< the words' vectors are what words are read off with
    std::optional<PictureInput> picture;  ///< how a picture is cut; its means and spreads stand in another file
    std::vector<std::string> labels;      ///< what a model of pictures says
    std::optional<int> start, end;  ///< of a decoder: the tokens that its text begins and ends with
    std::optional<int> forced;      ///< and the one that it is made to write first
    std::string activation;         ///< as config.json calls it
    std::vector<std::pair<std::string, JsonValue>> settings;  ///< of a document, but for the unembedding
    std::vector<std::string> unread;  ///< paths of keys that are not read here and may change what is computed
};

/// Errors have the key and the line; `where`: the file. A family, an activation, a scaling or a switch that is not known
/// here is named together with those that are.
Result<CheckpointConfig> read_checkpoint_config(const JsonValue& root, const std::string& where);

}  // namespace attn
