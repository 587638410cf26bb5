#pragma once
// The document: everything that the picture depends on, and nothing else. It is what the user edits, saves and undoes,
// and what `attenscope trace` reads. (It is in core because the engine is tested through it.)

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/forms/attention.h"
#include "core/attention/inputs.h"
#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/document/intervention.h"
#include "core/model/named.h"
#include "core/ops/measure.h"

namespace attn {

inline constexpr int kDocumentVersion = 1;
/// Matrices that a document may give, used unchanged. The order is that of the schema.
enum class Given : std::uint8_t { X, X_source, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O };
inline constexpr int kGivenCount = 10;
std::string_view given_id(Given which);

struct Model;
struct GivenAttention;
struct GivenPicture;

/// The number, or the loss, whose gradient is requested, with respect to everything that it depends on.
struct GradientOf {
    bool loss = false;
    Tag tag;  ///< of the step; unused for the loss
    int row = 0, col = 0;
    bool operator==(const GradientOf&) const = default;
};

struct Document {
    std::string text = "早上好";
    std::string tokenizer = "auto";
    std::vector<std::string> tokens;  ///< given explicitly, instead of text and tokenizer
    std::string source = "good morning";  ///< the second text, for forms that read one
    std::string source_kind = "text";     ///< or scene: the regions of a picture
    std::uint64_t scene_seed = 1;
    int padding = 0;                      ///< this many [PAD] after the text that the keys come from
    std::string vectors = "meaning";
    std::uint64_t vector_seed = 1;
    int width = 8;  ///< of random vectors
    std::string weights = "identity";
    std::uint64_t weight_seed = 1;
    /// The source of vectors and weights "model"; null: no model is named.
    std::shared_ptr<const Model> model;
    /// Weights that another program computed (core/model/attention_file/given_attention.h), used instead of a form;
    /// null: the form computes.
    std::shared_ptr<const GivenAttention> attention;
    /// The input of a picture model (core/model/given_picture.h); null: none is named.
    std::shared_ptr<const GivenPicture> picture;
    AttentionConfig config;
    std::array<std::optional<FrozenMatrix>, kGivenCount> given;
    std::vector<GivenParameter> parameters;  ///< weights, given by the name of their step
    Matrix mask_pattern;      ///< of the mask drawn by hand; empty: nothing is masked
    std::vector<Edit> edits;  ///< numbers typed over computed ones
    std::vector<Intervention> interventions;  ///< replacements of computed steps, in order
    std::optional<GradientOf> gradient;  ///< a reverse pass follows the run; none: no reverse pass

    const std::optional<FrozenMatrix>& matrix(Given which) const { return given[static_cast<std::size_t>(which)]; }
    bool operator==(const Document& other) const;
};

/// The errors of a document, each with its key; empty: the document can be run.
std::vector<Error> problems(const Document& document);

/// Takes a form and resets every field that it does not read or that cannot be combined with it.
void choose_form(Document& document, std::string_view form);
/// Resets the fields that nothing reads after a choice was changed.
void drop_unread(Document& document);
/// The sizes that the cost of a run depends on: tokens, tokens of the second text, columns of X, words that a
/// prediction chooses from, things in a scene.
struct Sizes {
    int n = 0, m = 0, d = 0, words = 0, things = 0;
};
Sizes sizes_of(const Document& document);
/// The exact cost of all steps of a run, found by a run over shapes. The document must have no problems.
Cost cost_of(const Document& document);
/// Cost::work of all steps: the unit of progress, and the measure by which a long run is announced. The document must
/// have no problems.
double work_of(const Document& document);

/// A computed document: the trace, and what the user must be informed of.
struct Run {
    Inputs inputs;
    AttentionConfig config;  ///< of the trace's computation
    Trace trace;
    bool cut = false;      ///< the text has more tokens than are shown
    int replaced = 0;      ///< invalid bytes of the text, shown as U+FFFD
    /// Local-p while generating: S grows with the text, so a run with the cache and a run from scratch differ by
    /// definition.
    bool growing_source = false;
    bool no_gradient = false;  ///< the number whose gradient is requested does not exist
    int unused_edits = 0;  ///< edits of steps that this configuration does not have
    std::vector<std::string> unknown;  ///< words of the texts that the model does not know, each once; no punctuation
    /// For each unknown word, the words that may have been meant, the closest first. Computed for the first few, if the
    /// model's words come from the table of meanings.
    std::vector<std::vector<std::string>> close_to_unknown;
};

/// The model knows nothing of a token: it is not in the vocabulary, and its row is 0. No statement can be made about
/// it, or about the rows that attend to it.
bool is_blank(const Run& run, int token);

/// Whether something replaces computed numbers: edits or interventions.
bool is_altered(const Document& document);
/// The same document without edits and interventions.
Document unaltered(Document document);

/// Runs of other texts, keyed by the text (intervene.h).
using OtherRuns = std::map<std::string, std::shared_ptr<const Run>>;

/// Computes tokens, vectors, weights and attention. `others`: runs that interventions patch from, as far as they exist
/// already. Fails if `problems` is not empty, and soon after `stop` is requested.
Result<Run> run(const Document& document, const std::stop_token& stop = {}, std::optional<Eigen::Index> evict_from = {},
                const OtherRuns& others = {});

/// Whether the model reads the document's second text, if there is one, after the first as one sequence: BERT's
/// sentence pairs.
bool reads_pair(const Document& document);
/// Adapts the second text after the form or model has changed: clears it if it would now become part of a pair that the
/// user did not ask for, and sets the default if it no longer is and is empty, because a form may need one. `pair`:
/// reads_pair() before the change.
void fit_source(Document& document, bool pair);
/// The tokens of the second text; empty if the form reads none.
std::vector<std::string> source_tokens_of(const Document& document);
/// The tokens that a document shows.
std::vector<std::string> tokens_of(const Document& document, bool* cut = nullptr, int* replaced = nullptr);
/// For a pair of texts, the segment of each of this many tokens of tokens_of(); empty if there is one text.
std::vector<int> segments_of(const Document& document, std::size_t tokens);

}  // namespace attn
