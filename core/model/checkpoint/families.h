#pragma once
// The supported model families, as rows of features: the choices of a document that a family corresponds to, its keys
// in config.json, and the names of its tensors. One block computes all of them; no row has its own forward pass. To add
// a family, add a row, and its tensors if no other row has them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A side of a tensor, by what config.json says. Narrow: of the words' vectors, where they have a width of their own.
enum class Side : std::uint8_t { One, Registers, Width, Narrow, Queries, Keys, Head, Inner, Words, Places, Heads, Buckets, Pixels };

/// Where a step's columns are in a tensor that several steps share.
enum class Fused : std::uint8_t {
    No,
    Query, Key, Value,              ///< all queries, then all keys, then all values
    HeadQuery, HeadKey, HeadValue,  ///< head by head: its queries, its keys, its values
    Up, Side,                       ///< the gated layer's activated half, then the half it is multiplied by
};

/// Several rows may have the same step: a checkpoint has it under one of these names, or copies of it under several.
struct FamilyTensor {
    std::string_view step;    ///< step of the engine, '#' for the layer from 1: "l#.query_weight"
    std::string_view tensor;  ///< tensor in the file, '#' for the layer from 0, without the family's prefix
    Side rows = Side::One, cols = Side::Width;
    bool transposed = false;  ///< stored as outputs × inputs
    Fused fused = Fused::No;
    bool needed = true;
    int row = -1;  ///< only this row of the tensor, such as a segment's vector; −1: all rows
    float plus = 0;          ///< gains stored as 1 + w
    bool folded = false;     ///< stored with more than two dimensions
};

/// The names of the sizes in config.json; empty: the family has no such key.
struct FamilyKeys {
    std::string_view width = "hidden_size", layers = "num_hidden_layers", heads = "num_attention_heads",
                     key_heads = "", head_width = "", inner = "intermediate_size", epsilon = "layer_norm_eps",
                     activation = "hidden_act", places = "";
    std::string_view decoder_layers = "";  ///< of an encoder-decoder, whose `layers` is the encoder's; missing: as many
    std::string_view inner_ratio = "";  ///< the width of the feed-forward layer over the blocks', if there is no key for it
    std::string_view narrow = "";  ///< the words' own width, 128 where that is not said
    std::string_view groups = "", layers_of_group = "";  ///< layers share tensors: so many groups, each of so many layers
};

/// A switch that changes what is computed, and the one way that is computed here; null counts as that.
struct OneWay {
    std::string_view key, only;
};

/// A number that the family's configuration has where config.json leaves it out, though no model of its could do without.
struct UsualNumber {
    std::string_view key;
    int number;
};

/// Two keys that must have the same value: the decoder's and the encoder's.
struct SameKeys {
    std::string_view key, as;
};

/// Which layers have a window, and how wide it is. Around: on both sides, where the first layer of every so many is
/// global; ByList: as listed by the kinds of the layers (GPT-Neo).
enum class Windows : std::uint8_t { None, All, Alternating, ByPattern, Around, ByList };

struct Family {
    std::string_view type;  ///< model_type
    std::string_view name;  ///< the usual name
    FamilyKeys keys = {};
    std::vector<std::string_view> prefixes = {};
    std::vector<std::span<const FamilyTensor>> tensors = {};
    bool causal = true;
    bool tied = true;  ///< default of tie_word_embeddings
    std::string_view block = "pre_norm", norm = "layer_norm", position = "learned";
    std::string_view parallel_key = "";  ///< if this key is false, the block is pre_norm
    std::string_view norm_first_key = "";  ///< if this key is false, the block is post_norm
    bool gated = false;
    std::string_view gated_key = "";         ///< if this key is true, it is, with the function gated_activation
    std::string_view gated_activation = "";
    bool scaled_embeddings = false;  ///< by √width
    bool capped = false;             ///< attn_logit_softcapping, final_logit_softcapping
    int first_place = 0;             ///< rows of the position table before the first token's
    bool places_behind = false;      ///< config.json does not count these rows; else it does (the last is padding's)
    double epsilon = 1e-5, rope_base = 10000;
    std::string_view rope_share_key = "", rope_base_key = "rope_theta";
    std::string_view rope_columns_key = "";  ///< instead of a share: this many columns of a head are rotated
    int rope_columns = 0;                    ///< the default of that key
    bool longrope = false;                   ///< "yarn" (and the older "su") means longrope in this family
    double rope_share = 1;
    std::string_view local_base_key = "";  ///< RoPE base of layers with a window, if they have their own
    double local_base = 10000;
    Windows windows = Windows::None;
    std::string_view activation = "";  ///< default activation
    std::string_view form = "encoder";  ///< or decoder: an encoder, and a decoder that attends to it
    std::string_view score = "";           ///< empty: the form's default
    int bare_layers = 0;                   ///< attention of this many first layers has no norm before it
    bool unplaced_layers = false;          ///< no_rope_layers: some layers have no position
    std::string_view scale_key = "";       ///< if this key is true, embeddings are multiplied by √width
    bool scaled_by_default = false;        ///< they are also if the key is missing
    bool scaled_output = false;            ///< if word vectors are tied, outputs are multiplied by 1/√width
    bool pictures = false;                 ///< reads patches of a picture and predicts labels
    int picture_tokens = 1;                ///< number of special tokens before the patches, without registers
    bool shortest_edge = false;            ///< a preprocessor's size of one number is the shorter side's
    bool interpolated = false;             ///< positions are interpolated to the size of the picture
    bool averaged = false;                 ///< by averaging over a finer grid (antialias)
    std::string_view registers_key = "";   ///< number of tokens without position behind the class token, 4 where it is missing
    std::string_view both = "";            ///< model_type of a checkpoint that has this model beside another, of texts or of pictures
    std::string_view beside = "";          ///< where the other one's tensors begin there
    std::vector<UsualNumber> usual = {};
    bool ends_text = false;                ///< the row of the end token speaks for the whole text
    std::vector<SameKeys> same = {};
    std::vector<OneWay> only = {};  ///< in place of what holds for all families
    std::string_view words_activation = "";  ///< of the layer in front of the words, whatever config.json says of the blocks
    bool waves_from_two = false;     ///< places are sines and cosines, from place 2 on (fairseq's)
    bool language_codes = false;     ///< a code of its language goes with each text
    static constexpr int kStartOfPadding = -1, kStartIsNamed = -2;
    int usual_start = kStartOfPadding;  ///< decoder_start_token_id if config.json has none: the padding token's, or it must have one
    int usual_padding = 0;              ///< pad_token_id if config.json has none
    std::vector<std::string_view> left_out = {};  ///< endings of names of tensors that the computation does not need
};

std::span<const Family> families();
/// Null: there is no family of that type.
const Family* find_family(std::string_view type);
/// The name of the family whose computation is closest to this type's, for a message: from a list, or the family whose
/// type is a prefix of this one ("vit_mae" is closest to ViT). Empty: unknown.
std::string_view closest_family(std::string_view type);
/// Tensors that the computation does not need: stored masks and angles, and what was trained next to the head for
/// words.
bool is_left_out(std::string_view tensor);
/// Tensors of heads for tasks other than words: classes of texts or of tokens, answers in a text, rewards.
bool is_of_other_head(std::string_view tensor);

}  // namespace attn
