#pragma once
// A model: where numbers come from. A folder in Hugging Face's layout holds one: config.json, vocab.json (or a
// tokenizer.json of whole words), model.safetensors. Those that the program brings along are such folders, too.
//
// Tensors are named as the steps that they become: embeddings, query_weight, output_bias, l1.up_weight, positions …

#include <cstdint>
#include <filesystem>
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
#include "core/document/document.h"
#include "core/io/json.h"
#include "core/io/safetensors.h"
#include "core/model/picture/picture_input.h"
#include "core/trace/step_value.h"

namespace attn {

/// The same in both languages of the program.
struct BothLanguages {
    std::string english, chinese;
    bool operator==(const BothLanguages&) const = default;
};

/// Of the answers whose weight was at least this (and less than that of the next row), in tests: which share was right.
struct SureAt {
    double weight = 0;
    double right = 0;
    int count = 0;
    bool operator==(const SureAt&) const = default;
};

/// What a head was asked while it was trained: its name.
struct HeadQuestion {
    std::string id;
    BothLanguages text;
    std::vector<SureAt> sure = {};  ///< by rising weights, on sentences that never trained; empty: not measured
};
/// The row of a weight; null where nothing was measured, or too little to say.
const SureAt* sure_at(std::span<const SureAt> rows, double weight);

/// Figures that were measured when the model was made, by name.
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
    std::string size = {};  ///< of the task; empty: it has but one
    std::string variation = {};  ///< of the task, one thing other than it is; empty: none
};

/// What a user is told of a checkpoint that was opened: it is not, or not certainly, all that the files say.
struct ModelNote {
    enum class Kind : std::uint8_t {
        UnreadKeys,   ///< keys of config.json that are not read here and may change what is computed
        OtherHead,    ///< tensors of a head for another task, which is not computed: the model says no words
        LeftOut,      ///< the same beside a head that says words
        NoOutput,     ///< there is no output matrix, and the words' vectors are not to stand for it: it says no words
        OwnOutput,    ///< an output matrix and the words' vectors, which config.json says are one, but which differ: it is used
        FirstToken,   ///< what it writes begins with this token, which is not written for the user
        LanguageToken,  ///< texts begin with the code of their language, which the user writes
    };
    Kind kind;
    std::vector<std::string> names;
    bool operator==(const ModelNote&) const = default;
};

/// Sines and cosines in columns of their own, a pair a wavelength: a position that is a formula, for texts of any
/// length.
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
    std::string name;  ///< as a document says it: the id of a shipped one, or a folder
    BothLanguages about;
    std::vector<std::pair<std::string, JsonValue>> settings;   ///< fields of a document: its form, heads, position …
    /// The vocabulary, in the order of its rows; of a checkpoint as a person reads it.
    std::vector<std::string> words;
    std::vector<std::string> columns;                          ///< names of the columns of a vector; empty: numbered
    /// A word that is not among them has the row of the program's table of meanings (core/text/meaning.h), then zeros; those
    /// that are begin with it, and what is predicted is a word of the text.
    bool other_words = false;
    FrozenMatrix embeddings;  ///< words × width; of stored weights the shape alone
    std::map<std::string, FrozenMatrix, std::less<>> weights;  ///< all other tensors, by the name of their step
    /// A checkpoint's tensors, which stay on disk until they are asked for (stored_weights.h); null: all are in memory.
    std::shared_ptr<const StoredWeights> stored;
    /// How a checkpoint cuts text (core/tokenizers/tokenizer_model.h); null: its words are whole words.
    std::shared_ptr<const TokenizerModel> tokenizer;
    /// How it cuts what a decoder has written, where that is another language; null: as any text.
    std::shared_ptr<const TokenizerModel> writer;
    /// The row of the token that a decoder's text begins with, before anything is written; nothing: of what begins it.
    std::optional<int> start;
    std::optional<int> end;  ///< and of the one that it ends with
    bool pairs = false;      ///< a second text may follow the first (BERT's pairs of sentences)
    std::optional<PictureInput> picture;  ///< how it takes a picture in place of a text; its words are labels
    std::vector<ModelNote> notes = {};    ///< of a checkpoint
    std::optional<PositionWaves> waves;
    std::vector<HeadQuestion> questions;  ///< one a head, or none
    /// Of a model whose heads have no questions: the word that a pronoun gives most weight to in the last layer.
    std::vector<SureAt> sure;
    std::optional<ModelTraining> training;
    std::vector<MeasuredSet> measured;
    std::uint64_t fingerprint = 0;              ///< of its files' bytes: two models of one fingerprint are the same
    std::unordered_map<std::string, int> rows;  ///< of words

    int width() const { return static_cast<int>(embeddings.cols()); }
    std::int64_t numbers() const;  ///< how many there are in all tensors
    bool has(std::string_view tensor) const;
    /// Its shape, without its numbers; nothing where there is no such tensor.
    std::optional<FrozenMatrix> shape_of(std::string_view tensor) const;
    /// Its numbers, read where they are on disk. Throws ModelUnreadable (stored_weights.h) where that fails.
    std::optional<FrozenMatrix> matrix(std::string_view tensor) const;
    /// So many of its rows, read without the others; there must be such a tensor. Throws as matrix() does.
    Matrix first_rows(std::string_view tensor, int count) const;
    /// The vectors of all words; throws as matrix() does.
    FrozenMatrix word_vectors() const;
    /// The same as a step's value: of a large table that is stored nothing is read before somebody looks.
    StepValue word_values() const;
    /// Its numbers for a step whose results alone are looked at, as word_values(); nothing where there are none.
    std::optional<StepValue> value_of(std::string_view tensor) const;
    /// The row of a token: as it is written, else without regard to case, else by the word that a regular English
    /// ending was put to. Nothing for a token that the model does not know.
    std::optional<int> row_of(std::string_view token) const;
    /// One row a token. What it does not know has the row of [UNK], or zeros where it has none, and Source::Unknown.
    /// Of a model with other_words a row says whether it was chosen by hand or derived.
    Matrix vectors(const std::vector<std::string>& tokens, std::vector<Source>& sources) const;
    /// The same by rows; a row that is below 0 is unknown.
    Matrix vectors_of(std::span<const int> ids, std::vector<Source>& sources) const;
};
using ModelPtr = std::shared_ptr<const Model>;

/// The tensor that stands for a matrix of the document: W_Q is query_weight. Empty for X.
std::string_view tensor_of(Given which);

/// The bytes of a model's files.
struct ModelFiles {
    std::string name;   ///< of the model
    std::string where;  ///< the folder, for messages
    std::string vocabulary_name = "vocab.json";
    std::string config, vocabulary, tensors;
};
/// Reads a model whole, and runs it over shapes: what comes back fits together. Errors name the file, and the key or
/// the tensor: see ECOSYSTEM's table of bad inputs.
Result<ModelPtr> read_model(const ModelFiles& files);
/// The files of a folder. Refused, with what to do: no such folder, weights as pickle, weights in several files.
Result<ModelFiles> read_model_folder(const std::filesystem::path& folder, std::string name);
/// Files of which read_model makes the same model, to the bit where `numbers` is F32.
ModelFiles model_files(const Model& model, TensorNumbers numbers = TensorNumbers::F32);
/// Writes them into a folder that is there. config.json goes first and comes last: whenever the program is killed, what can be
/// opened is one whole model, never the words of one with the weights of another.
Result<Done> write_model_folder(const std::filesystem::path& folder, const ModelFiles& files);

/// Those that the program brings along, in order; none of them can fail to be read (a test says so). Each is read when
/// it is first asked for: shipped_models() reads all, shipped_model() one, shipped_ids() none.
std::span<const ModelPtr> shipped_models();
ModelPtr shipped_model(std::string_view id);
std::vector<std::string_view> shipped_ids();

/// A folder of Hugging Face's with a model of some family (families.h): its numbers stay on disk until they are asked
/// for. Refused, with what to do: a family, a feature or a tensor that is not known here; a shape that contradicts
/// config.json; more numbers than memory holds.
Result<ModelPtr> read_checkpoint(const std::filesystem::path& folder, std::string name);

/// By the id of a shipped one, or by its folder, relative to places.base; either with @0 behind it: the model as it was
/// before it was trained (core/train/untrained.h).
Result<ModelPtr> find_model(std::string_view name, const ModelPlaces& places);
/// Takes its vectors, its weights and its settings.
void take_model(Document& document, ModelPtr model);
/// A sentence for the model that the document has: the second text of one whose decoder begins with a token of its own
/// (and so has written nothing yet), the text of all others.
void give_sentence(Document& document, std::string sentence);

}  // namespace attn
