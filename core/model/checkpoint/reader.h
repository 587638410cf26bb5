#pragma once
// Reads a checkpoint's config.json: sizes, blocks and words in config.cpp, positions and windows in places.cpp.
// Internal to read_checkpoint_config.

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/json_writer.h"
#include "core/model/checkpoint/config.h"
#include "core/model/checkpoint/config_keys.h"

namespace attn {

inline constexpr int kMostPlaces = 1 << 22;

/// A value of config.json, for a message.
std::string text_of(const JsonValue& value);

class ConfigReader {
public:
    ConfigReader(const JsonValue& root, const std::string& where) : keys_(root), root_(root), where_(where), out_(JsonLayout::Compact) {}

    Result<CheckpointConfig> read();

private:
    Error wrong(std::string_view key, std::string message) const;
    /// A member that exists and is not null.
    const JsonValue* member(std::string_view key) { return keys_.find(key); }
    /// Whether the switch exists and is on.
    bool is_on(std::string_view key);
    Result<int> whole(std::string_view key, int low, int high, int otherwise = -1);
    Result<double> number(const JsonValue& of, std::string_view key, double otherwise);
    void say(std::string_view key, std::string_view value) { out_.key(key), out_.string(value); }
    void say(std::string_view key, int value) { out_.key(key), out_.integer(value); }
    void say(std::string_view key, double value) { out_.key(key), out_.number(static_cast<float>(value)); }

    Result<Done> family();
    Result<Done> demands();
    Result<Done> sizes();
    Result<Done> shared_sizes();
    /// The width of the feed-forward layer where config.json has its ratio to the blocks'.
    Result<int> inner_by_ratio(int width);
    /// Whether the feed-forward layer is gated: in all models of the family, or where a switch says so.
    bool is_gated();

    Result<Done> first_place();

    /// The size of the vocabulary; for a picture model, the number of its labels.
    Result<int> count_of_words();

    /// id2label, an object of numbers and names; without it, labels are numbered as Hugging Face does: LABEL_0, LABEL_1
    /// …
    Result<Done> labels();

    /// The number of patches, and thus of positions; the class token has the first one.
    Result<Done> picture();
    Result<Done> block();
    Result<Done> position();

    bool is_rotary() const { return config_.family->position.starts_with("rope"); }
    /// Angles of the global layers, and of layers with a window if these have their own.
    Result<Done> angles();
    /// The key of the object with the settings of angles: since transformers 5 it has all of them, before that some.
    std::string_view angles_key() { return member("rope_parameters") ? "rope_parameters" : "rope_scaling"; }
    /// The settings of one kind of layer in that object: a nested object, or for global layers the object itself. Null:
    /// there are none.
    const JsonValue* nested_angles(std::string_view layers);
    /// A number under its one name in `nested`, or else under one of several at the root; both are marked as read if
    /// they agree.
    Result<double> angle_number(const JsonValue* nested, std::string_view key, std::span<const std::string_view> at_root, double otherwise);
    /// The rotated share of a head's columns, if config.json has a number of columns.
    Result<double> share_of_columns();
    /// "default" if nothing is given.
    std::string scaling_of(const JsonValue* said);

    /// T5's biases by distance.
    Result<Done> buckets();

    /// Which layers have no position: one in every so many, which may be written out as a list (0: no position).
    Result<Done> unplaced();
    /// How much the angles of global layers are slowed.
    Result<Done> slowing(const JsonValue* nested, double base, double share);

    /// The pair that makes this many rotations over the trained context length [Peng et al. 2023, eq. 19].
    static double pair_of(double rotations, double places, double width, double base);
    /// The factor on queries and keys for texts `factor` times as long [Peng et al. 2023, 3.4].
    static double lengthened(double factor, double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; }

    /// For texts longer than the model was first trained on [Ding et al. 2024]. Up to that length angles are slowed by
    /// the short factors; these are supported if all pairs have the same one.
    Result<Done> longrope(const JsonValue& said);

    Result<Done> yarn(const JsonValue& said, double base, double share);
    /// mscale and mscale_all_dim; 0 if missing or 0.
    std::pair<double, double> shares_of(const JsonValue& said);

    /// The tokens that a decoder's text begins and ends with; and the scaling of outputs if the word vectors are tied.
    Result<Done> two_texts();

    /// Half of local_attention tokens on either side; the first layer of every so many is global.
    Result<Done> windows_around();
    Result<Done> windows();

    /// One layer in how many is global, from the list of layers, starting at layer `from`; `otherwise` if there is no
    /// list or it is too short.
    int every_of_types(int from, int otherwise);
    /// The kind of every layer, global or local, from attention_types or attention_layers: exactly one in every so many
    /// must be global.
    Result<Done> windows_by_list();
    /// Newer files list the layers with a window; the list must agree. `every`: 0 if all layers have one.
    Result<Done> layer_types(int every, int first);
    Result<Done> caps();
    Result<Done> ends_of_text();
    /// The token whose row speaks for a whole text.
    Result<Done> text_end();

    ConfigKeys keys_;
    const JsonValue& root_;
    const std::string& where_;
    JsonWriter out_;
    CheckpointConfig config_;
};

}  // namespace attn
