#pragma once
// A model: the source of numbers. It is stored as a folder in Hugging Face's layout: config.json, vocab.json (or a
// tokenizer.json of whole words), model.safetensors. Shipped models are such folders, too.
//
// Tensors are named after the steps that they become: embeddings, query_weight, output_bias, l1.up_weight, positions …

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/io/json.h"
#include "core/model/named.h"
#include "core/model/picture/picture_input.h"
#include "core/trace/trace.h"

namespace attn {

/// A text in both languages of the program.
struct BothLanguages {
    std::string english, chinese;
    bool operator==(const BothLanguages&) const = default;
};

/// The share of right answers in tests, among the answers with at least this weight (and less than the next row's).
struct SureAt {
    double weight = 0;
    double right = 0;
    int count = 0;
    bool operator==(const SureAt&) const = default;
};

/// The question that a head was trained to answer; it names the head.
struct HeadQuestion {
    std::string id;
    BothLanguages text;
    std::vector<SureAt> sure = {};  ///< by rising weights, measured on held-out sentences; empty: not measured
};
/// The row of a weight; null if nothing was measured, or too few answers.
const SureAt* sure_at(std::span<const SureAt> rows, double weight);

/// Figures measured when the model was trained, by name.
struct MeasuredSet {
    std::string id;  ///< "unseen_words"
    std::vector<std::pair<std::string, double>> figures;
};

/// How a model was made.
struct ModelTraining {
    std::string task;
    std::uint64_t seed = 0;
    std::int64_t steps = 0;
    int batch = 0;
    std::string size = {};  ///< of the task; empty: the task has only one
    std::string variation = {};  ///< of the task, which changes one thing about it; empty: none
};

/// Reported to the user about an opened checkpoint: something in its files is not computed, or perhaps not.
struct ModelNote {
    enum class Kind : std::uint8_t {
        UnreadKeys,   ///< keys of config.json that are not read here and may affect the result
        OtherHead,    ///< tensors of a head for another task, which is not computed: the model predicts no words
        LeftOut,      ///< the same, next to a head that predicts words
        NoOutput,     ///< no output matrix, and the word vectors must not replace it: the model predicts no words
        OwnOutput,    ///< config.json ties the output matrix to the word vectors, but they differ: the matrix is used
        FirstToken,   ///< what it writes begins with this token, which is not written for the user
        VisionTower,    ///< the model for pictures, of a checkpoint with two
        TextTower,      ///< the model for texts, of a checkpoint with two
        LanguageInFront,  ///< the code of its language that its tokenizer puts in front of what it reads
        LanguageBehind,   ///< the same, behind it
        LanguageToken,  ///< texts begin with the code of their language, which the user writes
    };
    Kind kind;
    std::vector<std::string> names;
    bool operator==(const ModelNote&) const = default;
};

/// Sines and cosines in columns of their own, one pair per wavelength: positions by formula, for texts of any length.
struct PositionWaves {
    int first_column = 0;
    std::vector<float> wavelengths;
    int first_place = 0;  ///< p of the first token
    bool halves = false;  ///< all sines, then all cosines
};
/// n×width: zeros, and from first_column on sin and cos of 2π p / λ.
Matrix wave_positions(int n, int width, const PositionWaves& waves);

class TokenizerModel;
class StoredWeights;

struct Model {
    std::string name;  ///< as a document names it: the id of a shipped one, or a folder
    BothLanguages about;
    std::vector<std::pair<std::string, JsonValue>> settings;   ///< fields of a document: form, heads, position …
    /// The vocabulary, in the order of its rows; a checkpoint's in readable form.
    std::vector<std::string> words;
    std::vector<std::string> columns;                          ///< names of the columns of a vector; empty: numbered
    /// A word outside the vocabulary has its row of the program's table of meanings (core/text/meaning.h), then zeros.
    /// The vectors of the vocabulary begin with that row, too, and predictions are words of the text.
    bool other_words = false;
    FrozenMatrix embeddings;  ///< words × width; of a stored model only the shape
    std::map<std::string, FrozenMatrix, std::less<>> weights;  ///< all other tensors, by the name of their step
    /// A checkpoint's tensors, which stay on disk until they are requested (stored_weights.h); null: all are in memory.
    std::shared_ptr<const StoredWeights> stored;
    /// How a checkpoint tokenizes text (core/tokenizers/tokenizer_model.h); null: its tokens are whole words.
    std::shared_ptr<const TokenizerModel> tokenizer;
    /// How it tokenizes the text that a decoder writes, if that is another language; null: like any text.
    std::shared_ptr<const TokenizerModel> writer;
    /// The row of the token that a decoder's text begins with; nothing: it needs none.
    std::optional<int> start;
    std::vector<int> ends;  ///< the rows of the tokens of which each ends what a model writes
    /// An encoder of texts whose vector is the row of the first of this token; kHighestToken: of the token with the
    /// highest number, as CLIP's first models say it. Nothing: no row speaks for a text.
    static constexpr int kHighestToken = -1;
    std::optional<int> text_end;
    bool pairs = false;      ///< a second text may follow the first (BERT's sentence pairs)
    std::optional<PictureInput> picture;  ///< how a picture becomes its input instead of a text; its words are labels
    std::vector<ModelNote> notes = {};    ///< of a checkpoint
    std::optional<PositionWaves> waves;
    std::vector<HeadQuestion> questions;  ///< one per head, or none
    /// For a model whose heads have no questions: measured on the word that a pronoun gives the largest weight in the
    /// last layer.
    std::vector<SureAt> sure;
    std::optional<ModelTraining> training;
    std::vector<MeasuredSet> measured;
    std::uint64_t fingerprint = 0;              ///< of the files' bytes: equal for equal models
    std::unordered_map<std::string, int> rows;  ///< row of each word

    int width() const { return static_cast<int>(embeddings.cols()); }
    std::int64_t numbers() const;  ///< the number of entries of all tensors
    bool has(std::string_view tensor) const;
    /// The shape without numbers; nothing if there is no such tensor.
    std::optional<FrozenMatrix> shape_of(std::string_view tensor) const;
    /// The numbers, read from disk if they are there. Throws ModelUnreadable (stored_weights.h) if that fails.
    std::optional<FrozenMatrix> matrix(std::string_view tensor) const;
    /// The first rows, read without the others; the tensor must exist. Throws like matrix().
    Matrix first_rows(std::string_view tensor, int count) const;
    /// The vectors of all words; throws like matrix().
    FrozenMatrix word_vectors() const;
    /// The same as a step's value: a large stored table is read only when it is used.
    StepValue word_values() const;
    /// The numbers for a step of which only results are viewed, like word_values(); nothing if there are none.
    std::optional<StepValue> value_of(std::string_view tensor) const;
    /// The row of a token: as it is written, else ignoring case, else of the word without a regular English ending.
    /// Nothing for a token that the model does not know.
    std::optional<int> row_of(std::string_view token) const;
    /// One row per token. An unknown token has the row of [UNK], or zeros if there is none, and Source::Unknown. For a
    /// model with other_words, the source says whether the row was chosen by hand or derived.
    Matrix vectors(const std::vector<std::string>& tokens, std::vector<Source>& sources) const;
    /// The same by rows; a negative row is unknown.
    Matrix vectors_of(std::span<const int> ids, std::vector<Source>& sources) const;
};

}  // namespace attn
