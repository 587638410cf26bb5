#pragma once
// The inputs of attention: the tokens' vectors and the weights, the same on every machine.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/config.h"
#include "core/text/meaning.h"
#include "core/trace/trace.h"

namespace attn {

/// X·weight + bias. A bias without columns means that there is none (and records no step).
struct Projection {
    FrozenMatrix weight;
    RowVector bias;
    Source source = Source::Identity;
    Source bias_source = Source::Given;
};

struct Model;
struct GivenAttention;

/// A matrix that the document gives for a step by the step's name ("score_weight.h1", …), used instead of the seeded
/// one.
struct GivenParameter {
    Tag tag;
    FrozenMatrix value;
};

struct Inputs {
    std::vector<std::string> tokens;
    std::vector<std::string> features;  ///< names of the columns of x; empty: numbered
    FrozenMatrix x;                     ///< n×d
    std::vector<Source> x_sources;      ///< one per row
    /// The second text, for forms that read one; the same features.
    std::vector<std::string> source_tokens;
    FrozenMatrix source_x;
    std::vector<Source> source_x_sources;
    /// A scene instead of the second text: the share of each thing in each region (regions × things), and the things'
    /// vectors.
    std::vector<std::string> things;
    FrozenMatrix region_shares, thing_vectors;
    std::vector<Source> thing_sources;
    /// For a picture instead of a text (core/model/picture/picture_input.h): the pixel values of each patch, and the
    /// model that reads them.
    FrozenMatrix pixels;
    std::shared_ptr<const Model> picture_model;
    int end_row = -1;  ///< the row that speaks for the whole text; -1: there is none
    int padding = 0;  ///< the last so many keys are padding
    /// For a pair of texts in one sequence: the segment of each token, from 0; empty: there is one text.
    std::vector<int> segments;
    /// The words that a prediction chooses from, and their vectors (V×d).
    SharedNames words;
    StepValue word_vectors;
    std::vector<Source> word_sources;

    Projection query, key, value, output;
    bool random_weights = false;  ///< weights are seeded; else the identity, and ones
    std::uint64_t weight_seed = 1;
    std::vector<GivenParameter> parameters;
    std::shared_ptr<const Model> model;  ///< the model that weights are taken from; null: none
    /// The run holds no large matrix of the model: each is read from disk by every step that needs it, so that the
    /// memory holds one at a time.
    bool weights_stay_on_disk = false;
    std::shared_ptr<const GivenAttention> attention;  ///< weights from a file; nothing is computed then; null: none
    Matrix drawn_mask;  ///< of 0 and 1, for the mask drawn by hand; empty: nothing is masked
    std::vector<Replacement> replacements;
    std::vector<Edit> edits;
    /// If only the shapes are here: returns the inputs with numbers, for a form whose steps depend on them
    /// (attention.h).
    std::function<Inputs()> numbers;

    int n() const { return static_cast<int>(x.rows()); }
    int d() const { return static_cast<int>(x.cols()); }
};

/// The source of a row of the table of meanings.
Source source_of(MeaningOrigin origin);
/// One row per token. `meaning`: the table's row, or, for a token that the table lacks, a vector of similar length
/// seeded by the token itself. `sources` gets one entry per row.
Matrix meaning_vectors(const std::vector<std::string>& tokens, std::vector<Source>& sources);
/// n×v: one column per name; every token must be among the names.
Matrix one_hot_vectors(const std::vector<std::string>& tokens, const std::vector<std::string>& names);
/// n×width: seeded by `seed` and the token, so that the same token has the same vector at every position.
Matrix random_vectors(const std::vector<std::string>& tokens, std::uint64_t seed, int width);

/// rows×cols with independent entries of mean 0 and variance 1/rows, so that a projection preserves the spread of its
/// input. `which` distinguishes W_Q, W_K, … under one seed.
FrozenMatrix random_weight(std::uint64_t seed, std::string_view which, int rows, int cols);
/// rows×cols with independent entries of mean 0 and variance 1/cols: a table of vectors.
FrozenMatrix random_table(std::uint64_t seed, std::string_view which, int rows, int cols);
/// 1 on the diagonal, rows×cols.
Matrix identity_weight(int rows, int cols);

}  // namespace attn
