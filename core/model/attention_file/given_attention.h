#pragma once
// Attention that another program computed: the weights of its heads from a file, taken as they are. A document names
// the file; a run records each head's weights as an input, so that all that draws from weights draws from these.
//
// Read are .npz, .npy, .safetensors and JSON with weights [layers, heads, queries, keys], or an entry a layer
// [heads, queries, keys] or [1, heads, queries, keys], as Hugging Face's output_attentions gives them, of all layers or of some; a
// head in an array of its own (head_0 …); and what generate() returns, a step's layers after the other's (step_0_layer_0 …).

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/trace/trace.h"

namespace attn {

/// One attention of all its layers: of a text with itself, an encoder's, or one that looks from a decoder into an encoder.
struct AttentionStack {
    Part part = Part::Main;
    Axis::Kind queries = Axis::Kind::Tokens, keys = Axis::Kind::Tokens;
    int layers = 0, heads = 0;
    std::vector<int> numbers;        ///< for each layer which one of its model it is, from 0: a file may hold some of them
    std::vector<FrozenMatrix> maps;  ///< layers × heads, layer by layer; each queries × keys

    const FrozenMatrix& map(int layer, int head) const { return maps[static_cast<std::size_t>(layer * heads + head)]; }
    int rows() const { return static_cast<int>(maps.front().rows()); }
    int cols() const { return static_cast<int>(maps.front().cols()); }
};

/// What keeps a row from being weights: its sum is not 1 (nor is all of it 0, as where everything is masked), a number in
/// it is negative, or none at all.
enum class RowFault : std::uint8_t { Sum, Negative, NotFinite };
struct FaultyRows {
    RowFault fault = RowFault::Sum;
    std::int64_t count = 0;  ///< rows with it
    /// The first of them, and what is wrong there: the sum, or the number.
    Part part = Part::Main;
    int layer = 0, head = 0, row = 0;  ///< the layer by its number in the model
    double value = 0;
};

struct GivenAttention {
    std::string name;                    ///< the file, as a document says it
    std::vector<AttentionStack> stacks;  ///< each part once, the encoder's first
    std::vector<std::string> tokens;         ///< of the queries, and of the keys of one text; empty: not said
    std::vector<std::string> source_tokens;  ///< of the keys that are another text's; empty: not said, or there is none
    int queries = 0;                     ///< how many tokens there are, whether they are named or not
    int sources = 0;                     ///< the same of the other text; 0: there is none
    int heads = 0, layers = 0;           ///< of each layer; of the tallest stack
    /// How far a row's sum may be from 1: what rounding to the file's type of number does to it.
    double tolerance = 0;
    std::int64_t rows = 0;               ///< of all maps
    std::vector<FaultyRows> faults;      ///< at most one of each kind
    std::uint64_t fingerprint = 0;       ///< of the file's bytes and the tokens

    bool operator==(const GivenAttention& other) const {
        return name == other.name && fingerprint == other.fingerprint;
    }
};
using GivenAttentionPtr = std::shared_ptr<const GivenAttention>;

/// Names of tokens that lie beside a file.
struct TokenNames {
    std::vector<std::string> tokens, source_tokens;
    std::string where;  ///< what they were read from, for messages
};

/// From a file's bytes; `name` is the file's, for messages and by its ending where the bytes do not tell what they are.
/// Names in the file come before those in `beside`. Refused, each with its sentence: other formats, among them pickle;
/// whatever the formats' own readers refuse; no attention in it, or several that cannot be told apart; a batch of several
/// texts; axes that are too few, too many, empty, longer than kMaxTokens, more than kMaxLayers or kMaxHeads, or in another
/// order (the weights sum to 1 along another axis than the last); more numbers than kMaxBytes holds; names of tokens that
/// are not as many as the tokens. Rows that are no weights are no error: they are counted (faults) and kept.
Result<GivenAttentionPtr> read_attention(std::string_view bytes, std::string_view name, const TokenNames& beside = {});

/// From a file; a relative name is looked for in places.base, and the document's name of it is absolute. Names of tokens
/// are taken from FILE.tokens.txt, FILE.tokens.json, FILE.txt or FILE.json beside it (FILE without its ending).
Result<GivenAttentionPtr> find_attention(std::string_view name, const ModelPlaces& places);

/// Names of tokens from the bytes of a file: one a line, with an empty line before those of the other text; or JSON,
/// ["the", "cat"] or {"tokens": […], "source_tokens": […]}.
Result<TokenNames> read_token_names(std::string_view bytes, std::string_view name);

/// Whether a file by this name, or with these bytes, is opened as attention rather than as a document.
bool is_attention_name(std::string_view name);
bool is_attention_json(std::string_view bytes);

/// What one kind of fault says of its first row: "layer 2, head 1, row 3".
std::string place_of_fault(const GivenAttention& attention, const FaultyRows& faulty);
/// A sentence on each kind of fault, in English.
std::vector<std::string> fault_sentences(const GivenAttention& attention);

/// What is wrong with one row, if anything.
struct RowCheck {
    bool not_finite = false, negative = false, sum = false;
    double total = 0;
    float worst = 0;  ///< the first number that is negative or none
    bool any() const { return not_finite || negative || sum; }
};
RowCheck check_row(const float* numbers, std::size_t count, double tolerance);

/// Takes the file's attention in place of a form: its heads and layers are the file's, its text is empty, so that the
/// file's tokens are shown.
void take_attention(Document& document, GivenAttentionPtr attention);

}  // namespace attn
