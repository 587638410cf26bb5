#pragma once
// The document: everything that the picture depends on, and nothing else. It is what the learner makes, what is
// saved and undone, and what `attenscope trace` reads. (It stands in core because the engine is checked through it.)

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/forms/attention.h"
#include "core/attention/inputs.h"
#include "core/base/result.h"
#include "core/document/intervention.h"
#include "core/ops/measure.h"

namespace attn {

inline constexpr int kDocumentVersion = 1;
/// Tokens of typed text that are shown; more are cut with a note.
inline constexpr std::size_t kMaxTokens = 4096;
/// What one run may hold in memory; a larger one is refused with the sum. Every step's value is held, so that looking
/// at any of them costs nothing: at 4,096 tokens a matrix of scores is 64 MiB, and four masked heads take 1.2 GB. More
/// heads of so long a text are refused rather than computed again whenever they are looked at.
inline constexpr double kMaxBytes = 1.5 * (1u << 30);
inline constexpr int kMaxWidth = 8192;
/// Bytes of a document that is written: what may be written may be read back, so more is no document.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{16} << 20;
/// Bytes of one token that is given; the tokenizers cut longer ones.
inline constexpr std::size_t kMaxTokenBytes = 4096;

/// Matrices that a document may give; taken as they are. The order is that of the schema.
enum class Given : std::uint8_t { X, X_source, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O };
inline constexpr int kGivenCount = 10;
std::string_view given_id(Given which);

struct Model;
struct GivenAttention;
struct GivenPicture;

/// Where a model, or a file of attention, may be looked for when a document names one.
struct ModelPlaces {
    bool folders = false;  ///< else shipped ones alone: what somebody sends opens no file
    std::filesystem::path base = {};  ///< relative names are looked for here; empty: where the program runs
};

/// Whose gradient is asked for, with respect to everything that it depends on: one number, or the loss.
struct GradientOf {
    bool loss = false;
    Tag tag;  ///< of the step; of the loss nothing
    int row = 0, col = 0;
    bool operator==(const GradientOf&) const = default;
};

struct Document {
    std::string text = "早上好";
    std::string tokenizer = "auto";
    std::vector<std::string> tokens;  ///< given by hand: instead of text and tokenizer
    std::string source = "good morning";  ///< the second text, for forms that read one
    std::string source_kind = "text";     ///< or scene: the regions of a picture
    std::uint64_t scene_seed = 1;
    int padding = 0;                      ///< so many [PAD] after the text that is looked at
    std::string vectors = "meaning";
    std::uint64_t vector_seed = 1;
    int width = 8;  ///< of random vectors
    std::string weights = "identity";
    std::uint64_t weight_seed = 1;
    /// Where vectors and weights "model" come from; null: none is named.
    std::shared_ptr<const Model> model;
    /// Weights that another program computed (core/model/attention_file/given_attention.h), in place of a form; null: the form computes.
    std::shared_ptr<const GivenAttention> attention;
    /// What a model of pictures looks at (core/model/picture/given_picture.h); null: none is named.
    std::shared_ptr<const GivenPicture> picture;
    AttentionConfig config;
    std::array<std::optional<FrozenMatrix>, kGivenCount> given;
    std::vector<GivenParameter> parameters;  ///< weights given by the name of their step
    Matrix mask_pattern;      ///< of the mask drawn by hand; empty: everything is looked at
    std::vector<Edit> edits;  ///< numbers typed over
    std::vector<Intervention> interventions;  ///< what is put in the place of what is computed, in order
    std::optional<GradientOf> gradient;  ///< the reverse pass follows the run; none: there is none

    const std::optional<FrozenMatrix>& matrix(Given which) const { return given[static_cast<std::size_t>(which)]; }
    bool operator==(const Document& other) const;
};

/// What is wrong with a document, each with the key it concerns; empty: it can be run.
std::vector<Error> problems(const Document& document);

/// Takes a form and puts every field back to its default that it does not read or cannot be combined with.
void choose_form(Document& document, std::string_view form);
/// Puts fields that nothing reads any more back to their defaults: after a choice was changed.
void drop_unread(Document& document);
/// What the size of a run depends on: tokens, those of the second text, columns of X, words that a prediction chooses
/// among, things in a scene.
struct Sizes {
    int n = 0, m = 0, d = 0, words = 0, things = 0;
};
Sizes sizes_of(const Document& document);
/// What all steps of a run take together, exactly: found by a run over shapes. The document has no problems.
Cost cost_of(const Document& document);
/// What progress is measured by, and a long run announced: Cost::work of all steps. The document has no problems.
double work_of(const Document& document);

/// A computed document: the trace, and what a reader must be told.
struct Run {
    Inputs inputs;
    AttentionConfig config;  ///< that the trace was computed with
    Trace trace;
    bool cut = false;      ///< the text has more tokens than are shown
    int replaced = 0;      ///< invalid bytes of the text, shown as U+FFFD
    /// Local-p while generating: S grows with the text, so a run with the cache and one made anew differ by definition.
    bool growing_source = false;
    bool no_gradient = false;  ///< the number whose gradient is asked for is not there
    int unused_edits = 0;  ///< typed-over numbers of steps that this configuration does not have
    std::vector<std::string> unknown;  ///< words of the texts that the model does not know, each once; no punctuation
    /// For each of these the words that it may have been meant to be, the closest first; looked for where the model's words
    /// come from the table of meanings, for the first few.
    std::vector<std::vector<std::string>> close_to_unknown;
};

/// Nothing is known of a token: it is not in the model's vocabulary, and its row is 0. Nothing can be claimed of it, or of
/// what looks at it.
bool is_blank(const Run& run, int token);

/// Something stands in the place of what is computed: numbers typed over, or interventions.
bool is_altered(const Document& document);
/// What the same document computes by itself.
Document unaltered(Document document);

/// Runs of other texts, by their text (intervene.h).
using OtherRuns = std::map<std::string, std::shared_ptr<const Run>>;

/// Tokens, vectors, weights, attention. `others`: what interventions patch from, where it is there already. Fails where `problems` has something to say, and soon after `stop` is requested.
Result<Run> run(const Document& document, const std::stop_token& stop = {}, std::optional<Eigen::Index> let_go_from = {},
                const OtherRuns& others = {});

/// The model reads the document's second text behind the first, where there is one, as one sequence: BERT's pairs of sentences.
bool reads_pair(const Document& document);
/// The second text as a document has it whose form or model has changed: none of a pair that nobody asked for, and none that
/// is empty where a form needs one. `pair`: reads_pair() before.
void fit_source(Document& document, bool pair);
/// The tokens of the second text; empty where the form reads none.
std::vector<std::string> source_tokens_of(const Document& document);
/// The tokens that a document shows.
std::vector<std::string> tokens_of(const Document& document, bool* cut = nullptr, int* replaced = nullptr);
/// Of a pair, the segment of each of so many tokens_of(); empty where there is one text.
std::vector<int> segments_of(const Document& document, std::size_t tokens);

}  // namespace attn
