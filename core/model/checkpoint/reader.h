#pragma once
// Reads config.json of a checkpoint: sizes, blocks and words in config.cpp, places and windows in
// places.cpp. Internal to read_checkpoint_config.

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/json_writer.h"
#include "core/model/checkpoint/config.h"
#include "core/model/checkpoint/config_keys.h"

namespace attn {

inline constexpr int kMostPlaces = 1 << 22;

/// A value of config.json as a message has it.
std::string text_of(const JsonValue& value);

class ConfigReader {
public:
    ConfigReader(const JsonValue& root, const std::string& where) : keys_(root), root_(root), where_(where), out_(JsonLayout::Compact) {}

    Result<CheckpointConfig> read();

private:
    Error wrong(std::string_view key, std::string message) const;
    /// A member that is there and not null.
    const JsonValue* member(std::string_view key) { return keys_.find(key); }
    /// The switch is there, and on.
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

    Result<Done> first_place();

    /// Words of a vocabulary; of a model of pictures, its labels.
    Result<int> count_of_words();

    /// id2label, an object of numbers and names; without one they are numbered as Hugging Face does: LABEL_0, LABEL_1 …
    Result<Done> labels();

    /// How many patches there are, and so how many places: the class token has the first.
    Result<Done> picture();
    Result<Done> block();
    Result<Done> position();

    bool is_rotary() const { return config_.family->position.starts_with("rope"); }
    /// Angles of layers that see everything, and of those with a window, where these have their own.
    Result<Done> angles();
    /// Where the settings of angles stand, if they stand together: since transformers 5 all of them, before that some.
    std::string_view angles_key() { return member("rope_parameters") ? "rope_parameters" : "rope_scaling"; }
    /// What stands there of a kind of layer: an object of its own in there, or the object itself for those that see everything.
    /// Null: there is none.
    const JsonValue* nested_angles(std::string_view layers);
    /// A number of `nested` by its one name, else of the root by one of several; both are read where they say the same.
    Result<double> angle_number(const JsonValue* nested, std::string_view key, std::span<const std::string_view> at_root, double otherwise);
    /// Of a head's columns, where config.json says how many turn.
    Result<double> share_of_columns();
    /// "default" where nothing is said.
    std::string scaling_of(const JsonValue* said);

    /// T5's numbers by distance.
    Result<Done> buckets();

    /// Which layers have no position: one in so many, which a list may write out (0: has none).
    Result<Done> unplaced();
    /// How slowly the angles of layers that see everything grow.
    Result<Done> slowing(const JsonValue* nested, double base, double share);

    /// The pair that makes so many rotations over the places that a model was trained on [Peng et al. 2023, eq. 19].
    static double pair_of(double rotations, double places, double width, double base);
    /// How much longer queries and keys become for texts so many times as long [Peng et al. 2023, 3.4].
    static double lengthened(double factor, double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; }

    /// Longer than a model was first trained on [Ding et al. 2024]: up to that length its angles are slowed by the short factors,
    /// which are computed where they are one for all pairs.
    Result<Done> longrope(const JsonValue& said);

    Result<Done> yarn(const JsonValue& said, double base, double share);
    /// mscale and mscale_all_dim; 0 where they are not there, or are 0.
    std::pair<double, double> shares_of(const JsonValue& said);

    /// The tokens that a decoder begins and ends with; outputs are scaled where they meet the words' own vectors.
    Result<Done> two_texts();

    /// As many tokens on either side as half of local_attention; the first layer of so many sees all.
    Result<Done> windows_around();
    Result<Done> windows();

    /// One layer in so many sees everything, as the list of layers has it from this layer on; `otherwise` where there is no
    /// list, or too short a one.
    int every_of_types(int from, int otherwise);
    /// Every layer's kind, global or local, by attention_types or attention_layers: one of so many must be global.
    Result<Done> windows_by_list();
    /// Newer files write out which layers have a window; they must agree. `every`: 0 where all have one.
    Result<Done> layer_types(int every, int first);
    Result<Done> caps();

    ConfigKeys keys_;
    const JsonValue& root_;
    const std::string& where_;
    JsonWriter out_;
    CheckpointConfig config_;
};

}  // namespace attn
