#pragma once
// Reads config.json of a checkpoint: sizes, blocks and words in config.cpp, places and windows in
// places.cpp. Internal to read_checkpoint_config.

#include <string>
#include <string_view>
#include <utility>

#include "core/io/json_writer.h"
#include "core/model/checkpoint/config.h"

namespace attn {

inline constexpr int kMostPlaces = 1 << 22;

/// A value of config.json as a message has it.
std::string text_of(const JsonValue& value);

class ConfigReader {
public:
    ConfigReader(const JsonValue& root, const std::string& where) : root_(root), where_(where), out_(JsonLayout::Compact) {}

    Result<CheckpointConfig> read();

private:
    Error wrong(std::string_view key, std::string message) const;
    /// A member that is there and not null.
    const JsonValue* member(std::string_view key) const;
    Result<int> whole(std::string_view key, int low, int high, int otherwise = -1);
    Result<double> number(const JsonValue& of, std::string_view key, double otherwise);
    void say(std::string_view key, std::string_view value) { out_.key(key), out_.string(value); }
    void say(std::string_view key, int value) { out_.key(key), out_.integer(value); }
    void say(std::string_view key, double value) { out_.key(key), out_.number(static_cast<float>(value)); }

    Result<Done> family();
    Result<Done> demands();
    Result<Done> sizes();

    /// Words of a vocabulary; of a model of pictures, its labels.
    Result<int> count_of_words();

    /// id2label, an object of numbers and names; without one they are numbered as Hugging Face does: LABEL_0, LABEL_1 …
    Result<Done> labels();

    /// How many patches there are, and so how many places: the class token has the first.
    Result<Done> picture();
    Result<Done> block();
    Result<Done> position();

    bool is_rotary() const { return config_.family->position.starts_with("rope"); }

    /// Of global layers and of those with a window; newer files have an object for each.
    Result<Done> two_bases();

    /// T5's numbers by distance.
    Result<Done> buckets();

    /// Which layers have no position: one in so many, which a list may write out (0: has none).
    Result<Done> unplaced();
    Result<Done> slowing();

    /// The pair that makes so many rotations over the places that a model was trained on [Peng et al. 2023, eq. 19].
    static double pair_of(double rotations, double places, double width, double base);
    /// How much longer queries and keys become for texts so many times as long [Peng et al. 2023, 3.4].
    static double lengthened(double factor, double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; }

    Result<Done> yarn(const JsonValue& said);
    /// mscale and mscale_all_dim; 0 where they are not there, or are 0.
    static std::pair<double, double> shares_of(const JsonValue& said);

    /// The tokens that a decoder begins and ends with; outputs are scaled where they meet the words' own vectors.
    Result<Done> two_texts();

    /// As many tokens on either side as half of local_attention; the first layer of so many sees all.
    Result<Done> windows_around();
    Result<Done> windows();

    /// Newer files write out which layers have a window; they must agree.
    Result<Done> layer_types(int every, int first);
    Result<Done> caps();

    const JsonValue& root_;
    const std::string& where_;
    JsonWriter out_;
    CheckpointConfig config_;
};

}  // namespace attn
