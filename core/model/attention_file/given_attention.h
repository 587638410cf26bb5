#pragma once
// Attention that another program computed: the weights of its heads, read from a file and used unchanged. A document
// names the file; a run records each head's weights as an input, so that every view of weights shows these.
//
// Supported are .npz, .npy, .safetensors and JSON, with weights [layers, heads, queries, keys]; or one entry per layer,
// [heads, queries, keys] or [1, heads, queries, keys], as in Hugging Face's output_attentions, for all layers or some;
// or one array per head (head_0 …); or the output of generate(), with one entry per step and layer (step_0_layer_0 …).
// A batch of several texts is one GivenAttention for each text. A capture of several processes is an index that names
// their files. Large files stay on disk: opening reads headers, and a map is read when it is looked at (remake.h).
//
// In place of weights a safetensors file or an index may have queries and keys (queries_0, keys_0 …), from which a run
// computes the weights, and beside either of them the residual stream (residual_input, residual_0 …).

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/model/named.h"
#include "core/trace/trace.h"

namespace attn {

/// What the weights of one layer's heads are computed from: softmax(Q Kᵀ · scale), over the keys that are seen.
struct ComparedLayer {
    std::vector<StepValue> queries;  ///< per head: queries × width
    std::vector<StepValue> keys;     ///< keys × width; heads may share them
    std::vector<int> keys_of;        ///< per head, an index into `keys`
    float scale = 1;
    StepValue pattern;  ///< queries × keys of 1 (seen) and 0; empty: every query sees every key
    int pattern_of = 0;  ///< the first layer of the stack that has the same pattern
};

/// One attention in all its layers: self-attention of a text, an encoder's, or cross-attention from a decoder to an
/// encoder.
struct AttentionStack {
    Part part = Part::Main;
    Axis::Kind queries = Axis::Kind::Tokens, keys = Axis::Kind::Tokens;
    int layers = 0, heads = 0;
    int rows = 0, cols = 0;          ///< queries and keys
    std::vector<int> numbers;        ///< each layer's number in its model, from 0: a file may have only some layers
    std::vector<StepValue> maps;  ///< layers × heads, layer by layer; each queries × keys. Empty: they are computed
    std::vector<ComparedLayer> compared;  ///< per layer; empty: the file has the weights

    const StepValue& map(int layer, int head) const { return maps[static_cast<std::size_t>(layer * heads + head)]; }
};

/// The residual stream of one text: what the first block reads, and what each block hands on.
struct GivenStream {
    Part part = Part::Main;          ///< or Encoder
    Axis::Kind tokens = Axis::Kind::Tokens;
    StepValue input;                 ///< tokens × width
    std::vector<StepValue> layers;   ///< behind layer 0, 1 …; at least one
};

/// Why a row is not a row of weights: its sum is not 1 (and not all entries are 0, as if everything were masked), an
/// entry is negative, or an entry is not finite.
enum class RowFault : std::uint8_t { Sum, Negative, NotFinite };
struct FaultyRows {
    RowFault fault = RowFault::Sum;
    std::int64_t count = 0;  ///< rows with this fault
    /// The first such row, and its sum or faulty entry.
    Part part = Part::Main;
    int layer = 0, head = 0, row = 0;  ///< the layer's number in the model
    double value = 0;
};

/// The rows of those maps that have been read: how many there are, and which are not weights.
struct CheckedRows {
    std::int64_t rows = 0;
    std::int64_t maps = 0, all_maps = 0;
    std::vector<FaultyRows> faults;  ///< at most one per kind
    bool of_all() const { return maps == all_maps; }
};
class RowChecks;  // counts them
struct AttentionParts;

struct GivenAttention {
    std::string name;                    ///< the file, as the document names it
    std::vector<AttentionStack> stacks;  ///< each part once, the encoder first
    std::vector<GivenStream> streams;    ///< the encoder's first; empty: the file has none
    std::vector<std::string> tokens;         ///< names of the queries, and of the keys of the same text; empty: unnamed
    std::vector<std::string> source_tokens;  ///< names of the keys of another text; empty: unnamed, or there is none
    int queries = 0;                     ///< number of tokens, named or not
    int sources = 0;                     ///< number of tokens of the other text; 0: there is none
    int heads = 0, layers = 0;           ///< heads per layer; layers of the tallest stack
    /// How far a row's sum may be from 1: the rounding error of the file's number type.
    double tolerance = 0;
    int text = 0, texts = 1;             ///< which text of a batch this is, from 0, and how many the file has
    bool held = true;                    ///< all maps are in memory; otherwise they are read when they are looked at
    std::shared_ptr<RowChecks> checks;
    std::shared_ptr<const AttentionParts> parts;  ///< what other texts are read from; null if there are none
    std::uint64_t fingerprint = 0;       ///< of the file, the text's number and the tokens

    CheckedRows checked() const;
    /// Whether it has queries and keys, and the weights are computed from them.
    bool is_compared() const { return !stacks.front().compared.empty(); }

    bool operator==(const GivenAttention& other) const {
        return name == other.name && fingerprint == other.fingerprint;
    }
};
using GivenAttentionPtr = std::shared_ptr<const GivenAttention>;

/// Names of tokens from a file next to the weights.
struct TokenNames {
    std::vector<std::string> tokens, source_tokens;
    std::string where;  ///< the file they were read from, for messages
};

/// Reads a file's bytes; `name` is the file's, for messages, and its extension decides if the bytes do not show the
/// format. Names in the file take precedence over `beside`. Each of these has its own error: other formats, including
/// pickle; anything that the formats' readers refuse; no attention, or several that cannot be told apart; too few or too
/// many axes; empty axes; axes longer than kMaxTokens; more than kMaxLayers or kMaxHeads;
/// axes in another order (the weights sum to 1 along another axis than the last); in memory, more numbers than kMaxBytes
/// holds; a different number of names than tokens. Rows that are not weights are no error: they are counted (faults) and
/// included. Of queries and keys also: keys without queries and the reverse; widths, heads or numbers of tokens that do
/// not fit; numbers that are NaN or infinite; a scale or a mask that is not said. Of the residual stream: a layer that is
/// missing; other numbers of tokens than attention has.
Result<GivenAttentionPtr> read_attention(std::string_view bytes, std::string_view name, const TokenNames& beside = {});

/// Reads a file; a relative name is resolved in places.base, and the document stores the absolute name. Names of tokens
/// are taken from FILE.tokens.txt, FILE.tokens.json, FILE.txt or FILE.json in the same folder (FILE without its
/// extension).
Result<GivenAttentionPtr> find_attention(std::string_view name, const ModelPlaces& places);

/// Another text of the same file; they count from 0.
Result<GivenAttentionPtr> text_of(const GivenAttention& attention, int text);

/// Files of at most this many bytes, as float32, are held in memory; the maps of larger ones are read when they are
/// looked at. For the whole process.
double held_attention();
void set_held_attention(double bytes);
/// The most layers of a file: a stack of heads is not computed here, so it may be taller than one that is.
inline constexpr int kMaxFileLayers = 256;
inline constexpr int kMaxAttentionTexts = 65'536;

/// Names of tokens from the bytes of a file: one per line, with an empty line before those of the other text; or JSON,
/// ["the", "cat"] or {"tokens": […], "source_tokens": […]}.
Result<TokenNames> read_token_names(std::string_view bytes, std::string_view name);

/// Whether a file with this name, or these bytes, is opened as attention rather than as a document.
bool is_attention_name(std::string_view name);
bool is_attention_json(std::string_view bytes);

/// The same for an index of captured files.
bool is_attention_index(std::string_view bytes);

/// The place of the first row with this fault: "layer 2, head 1, row 3".
std::string place_of_fault(const GivenAttention& attention, const FaultyRows& faulty);
/// One English sentence per kind of fault.
std::vector<std::string> fault_sentences(const GivenAttention& attention);

/// The faults of one row.
struct RowCheck {
    bool not_finite = false, negative = false, sum = false;
    double total = 0;
    float worst = 0;  ///< the first number that is negative or not finite
    bool any() const { return not_finite || negative || sum; }
};
RowCheck check_row(const float* numbers, std::size_t count, double tolerance);

}  // namespace attn
