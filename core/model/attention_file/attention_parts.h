#pragma once
// The raw content of a file of attention: arrays with names and shapes, and names of tokens. Internal to
// given_attention.cpp and its readers.

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json.h"
#include "core/io/safetensors.h"
#include "core/model/attention_file/given_attention.h"

namespace attn {

/// Numbers in C order: in memory, or in a file that stays open, in the type that they are stored in.
struct NumberSource {
    std::vector<float> held;
    std::shared_ptr<const TensorFile> file;  ///< null: they are held
    TensorPlace place;

    std::uint64_t count() const { return file ? place.count() : held.size(); }
    Result<Done> read(std::uint64_t first, std::uint64_t count, float* out) const;
};
using NumberSourcePtr = std::shared_ptr<const NumberSource>;

/// Rows of a map, as they lie in their source.
struct MapPart {
    NumberSourcePtr from;
    std::uint64_t first = 0;
    Eigen::Index rows = 0, cols = 0;
};
/// Where one head's map is: parts, one under the other. A part with fewer columns has 0 in the others.
struct MapPlace {
    std::vector<MapPart> parts;
    Eigen::Index rows = 0, cols = 0;

    Result<Matrix> read(Eigen::Index first, Eigen::Index count) const;
    Result<Matrix> read() const { return read(0, rows); }
};

struct AttentionArray {
    std::string name;
    std::vector<std::size_t> shape;
    std::vector<MapPlace> maps;  ///< in C order of the axes before the last two; empty if there are fewer than two axes
    double tolerance = 0;        ///< GivenAttention::tolerance
    std::string where = {};      ///< the file that it is in, if that is another than the opened one
    bool counts_from_0 = false;  ///< its layer's number is surely counted from 0

    /// All the numbers of a source.
    static AttentionArray of(std::string name, std::vector<std::size_t> shape, NumberSourcePtr from, double tolerance);
    static AttentionArray of(std::string name, std::vector<std::size_t> shape, std::vector<float> values, double tolerance);
};

/// Queries and keys of one layer of one text, as they lie in the file.
struct ComparedPlace {
    std::string name;  ///< of the array of queries
    Part part = Part::Main;
    int layer = 0;
    std::vector<MapPlace> queries;  ///< per head
    std::vector<MapPlace> keys;
    std::vector<int> keys_of;       ///< per head, an index into `keys`
    double scale = 1;
    bool causal = false;
    std::optional<MapPlace> seen;   ///< queries × 2: the first key that each query sees, and the one behind the last
    std::string where = {};         ///< AttentionArray::where
};
/// The residual stream at one place of one text.
struct StreamPlace {
    std::string name;
    Part part = Part::Main;
    int layer = kStreamInput;  ///< behind this layer
    MapPlace rows;
    std::string where = {};

    static constexpr int kStreamInput = -1;
};

/// The content of one file, or of all that an index names: for each text of a batch its arrays, without a batch axis.
struct AttentionParts {
    std::vector<AttentionArray> arrays;  ///< as they are in the file; split_texts() moves them into `texts`
    std::optional<std::size_t> said_texts;  ///< the file says that the first axis of each array is this many texts
    std::map<std::string, std::string> said;  ///< of queries and keys: "scale" and "causal", in JSON
    struct Text {
        std::vector<AttentionArray> arrays;
        std::vector<ComparedPlace> compared;  ///< in place of arrays
        std::vector<StreamPlace> streams;
        TokenNames named;
    };
    std::vector<Text> texts;
    std::vector<TokenNames> named;  ///< of each text, or of the only one
    bool held = true;               ///< all numbers are in memory
    std::uint64_t fingerprint = 0;
};

/// Stores lists of names by their key ("tokens" or another), one list for each text.
void take_names(std::vector<TokenNames>& into, std::string_view key, std::vector<std::vector<std::string>> names);

/// Divides arrays with a batch axis into texts.
Result<Done> split_texts(AttentionParts& parts);
/// Takes queries, keys and the residual stream out of the arrays of a file, into its texts, which are made if the file has
/// any. (queries_and_keys.cpp)
Result<Done> take_queries_and_keys(AttentionParts& parts);
/// The keys of each head where fewer key heads than heads serve consecutive ones; the error names the arrays.
Result<std::vector<int>> shared_keys(std::size_t heads, std::size_t key_heads, std::string_view queries, std::string_view keys);
/// "" , "encoder_", "decoder_" and "cross_".
std::optional<Part> part_of_prefix(std::string_view prefix);

inline Error attention_error(std::string message, std::string_view key = {}) {
    return {std::move(message), {}, std::string(key), 0};
}

/// Tolerances of a row's sum: several times the rounding of one number of each type.
inline constexpr double kSumOfFloats = 1e-4, kSumOfHalves = 2e-3, kSumOfBrains = 1e-2, kSumOfWritten = 2e-3;

/// The arrays of a file in any supported format. Errors say where in the file; the caller adds the file's name.
Result<AttentionParts> attention_parts(std::string_view bytes, std::string_view name);
Result<AttentionParts> attention_parts_of_json(std::string_view bytes);
/// The same for a safetensors file, opened by its header. Numbers that are_held() says stay on disk are read later.
Result<AttentionParts> attention_parts_of_tensors(const std::string& path);
/// The same for an index of several such files in `folder` (attention_index.cpp).
Result<AttentionParts> attention_parts_of_index(const JsonValue& index, const std::filesystem::path& folder);
/// The key of an index's list of pieces.
inline constexpr std::string_view kPieces = "attention_pieces";
/// Names from a list, or from an object's lists of tokens.
Result<TokenNames> token_names_from(const JsonValue& value);
/// The same for each text of a batch, from a list of lists; from a flat list, of one text.
Result<std::vector<std::vector<std::string>>> token_lists_from(const JsonValue& value, std::string_view key);
double tolerance_of_type(std::string_view type);
/// The numbers of a tensor, read now if they are to be held.
Result<NumberSourcePtr> source_of(const std::shared_ptr<const TensorFile>& file, const TensorPlace& place, bool held);
std::uint64_t time_written(const std::filesystem::path& path);
/// Whether the length at the beginning fits a file of `size` bytes and a brace follows.
bool looks_like_safetensors(std::string_view begin, std::uint64_t size);
inline constexpr std::size_t kMaxTexts = kMaxAttentionTexts;
/// The most maps of one array.
inline constexpr std::size_t kMostMaps = std::size_t{1} << 22;
/// Whether a file's numbers are read when it is opened.
bool are_held(double numbers);

/// "(12, 12, 9, 9)".
std::string shape_words(const std::vector<std::size_t>& shape);

/// A stack whose maps are still to be read.
struct PlacedStack {
    AttentionStack stack;
    std::vector<MapPlace> maps;
};
/// Arranges queries and keys as stacks of heads, and reads them or leaves them on disk.
Result<std::vector<AttentionStack>> compared_stacks(const std::vector<ComparedPlace>& places, bool held);
/// The same for the residual stream.
Result<std::vector<GivenStream>> streams_of(const std::vector<StreamPlace>& places, bool held);
/// Arranges the arrays as stacks of heads. Where not all numbers are held, the order of the axes is checked on some rows
/// of some maps of each array.
Result<std::vector<PlacedStack>> stacks_of(const std::vector<AttentionArray>& arrays, bool held);

}  // namespace attn
