#pragma once
// The families of models that are opened, as rows of features: which choices of a document a family is, what its
// config.json calls them, and where its tensors lie. One block computes all of them; a row never brings a pass of its
// own. To add a family: a row, and its tensors where no other row has them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A side of a tensor, by what config.json says. Narrow: of the words' vectors, where they have a width of their own.
enum class Side : std::uint8_t { One, Width, Narrow, Queries, Keys, Head, Inner, Words, Places, Heads, Buckets, Pixels };

/// How a step's columns lie in a tensor that several share.
enum class Fused : std::uint8_t {
    No,
    Query, Key, Value,              ///< all queries, then all keys, then all values
    HeadQuery, HeadKey, HeadValue,  ///< head by head: its queries, its keys, its values
    Up, Side,                       ///< what a gated layer bends, then what it multiplies that by
};

/// Several rows may have one step: a checkpoint has it under one of these names, or copies of it under several.
struct FamilyTensor {
    std::string_view step;    ///< of the engine, '#' for the layer from 1: "l#.query_weight"
    /// Of the file, '#' for the layer from 0, without the family's prefix; where layers share tensors, '#' for the group and
    /// '@' for the layer in it.
    std::string_view tensor;
    Side rows = Side::One, cols = Side::Width;
    bool transposed = false;  ///< stored as outputs × inputs
    Fused fused = Fused::No;
    bool needed = true;
    int row = -1;  ///< only this one of its rows: a segment's vector; −1: all of them
    float plus = 0;          ///< gains stored as 1 + w
    bool folded = false;     ///< stored with more than two dimensions
};

/// What config.json calls the sizes; empty: the family has no such key.
struct FamilyKeys {
    std::string_view width = "hidden_size", layers = "num_hidden_layers", heads = "num_attention_heads",
                     key_heads = "", head_width = "", inner = "intermediate_size", epsilon = "layer_norm_eps",
                     activation = "hidden_act", places = "";
    std::string_view decoder_layers = "";  ///< of an encoder and decoder: `layers` are the encoder's; not said: as many
    std::string_view narrow = "";  ///< the words' own width, 128 where that is not said
    std::string_view groups = "", layers_of_group = "";  ///< layers share tensors: so many groups, each of so many layers
};

/// A switch that changes what is computed, and the one way that is computed here; null counts as that.
struct OneWay {
    std::string_view key, only;
};

/// Two keys that must say the same: what the decoder has, and what the encoder.
struct SameKeys {
    std::string_view key, as;
};

/// Which layers have a window, and how wide; Around: to both sides, with a global layer first of so many; ByList: as a list of
/// the layers' kinds says (GPT-Neo's).
enum class Windows : std::uint8_t { None, All, Alternating, ByPattern, Around, ByList };

struct Family {
    std::string_view type;  ///< model_type
    std::string_view name;  ///< as people say it
    FamilyKeys keys = {};
    std::vector<std::string_view> prefixes = {};
    std::vector<std::span<const FamilyTensor>> tensors = {};
    bool causal = true;
    bool tied = true;  ///< where config.json does not say tie_word_embeddings
    std::string_view block = "pre_norm", norm = "layer_norm", position = "learned";
    std::string_view parallel_key = "";  ///< false: the block is pre_norm
    std::string_view norm_first_key = "";  ///< false: the block is post_norm
    bool gated = false;
    bool scaled_embeddings = false;  ///< by √width
    bool capped = false;             ///< attn_logit_softcapping, final_logit_softcapping
    int first_place = 0;             ///< rows of the table of places before that of the first token
    bool places_behind = false;      ///< config.json counts the others alone; else those before, too, the last of which is padding's
    double epsilon = 1e-5, rope_base = 10000;
    std::string_view rope_share_key = "", rope_base_key = "rope_theta";
    std::string_view rope_columns_key = "";  ///< in place of a share: so many columns of a head turn
    int rope_columns = 0;                    ///< where that is not said
    bool longrope = false;                   ///< what other families call yarn, and once su, is longrope here, too
    double rope_share = 1;
    std::string_view local_base_key = "";  ///< of layers with a window, where they have a base of their own
    double local_base = 10000;
    Windows windows = Windows::None;
    std::string_view activation = "";  ///< where config.json does not say it
    std::string_view form = "encoder";  ///< or decoder: an encoder, and a decoder that looks at it
    std::string_view score = "";           ///< empty: the form's own
    int bare_layers = 0;                   ///< attention of the first so many has no norm in front
    bool unplaced_layers = false;          ///< no_rope_layers: some have no position
    std::string_view scale_key = "";       ///< true: embeddings times √width
    bool scaled_output = false;            ///< where the words' vectors are the output matrix: outputs times 1/√width
    bool pictures = false;                 ///< patches of a picture are read, and labels are said
    int picture_tokens = 1;                ///< so many tokens of its own stand before the patches
    std::vector<SameKeys> same = {};
    std::vector<OneWay> only = {};  ///< in place of what holds for all families
    std::string_view words_activation = "";  ///< of the layer in front of the words, whatever config.json says of the blocks
    bool waves_from_two = false;     ///< places are sines and cosines, from place 2 on (fairseq's)
    bool language_codes = false;     ///< texts begin with the code of their language
    std::vector<std::string_view> left_out = {};  ///< ends of names of tensors that computing does not need
};

std::span<const Family> families();
/// Null: there is none of that type.
const Family* find_family(std::string_view type);
/// The name of the family that computes most like this one, for a message: by a list, or the one whose type this one begins
/// with ("vit_mae" is of ViT's kind). Empty: none is known.
std::string_view closest_family(std::string_view type);
/// Tensors that computing needs no more: masks and angles that were stored, and what was trained beside the head for words.
bool is_left_out(std::string_view tensor);
/// Tensors of heads for other tasks than words: classes of texts or of tokens, answers in a text, rewards.
bool is_of_other_head(std::string_view tensor);

}  // namespace attn
