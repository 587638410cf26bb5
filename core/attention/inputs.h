#pragma once
// What attention starts from: the tokens' vectors and the weights, the same on every machine.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/config.h"
#include "core/text/meaning.h"
#include "core/trace/trace.h"

namespace attn {

/// X·weight + bias. A bias of no columns is none at all (and records no step).
struct Projection {
    FrozenMatrix weight;
    RowVector bias;
    Source source = Source::Identity;
    Source bias_source = Source::Given;
};

struct Model;
struct GivenAttention;

/// A matrix given for a step by its name, in place of the seeded one: {"score_weight.h1", …}.
struct GivenParameter {
    Tag tag;
    FrozenMatrix value;
};

struct Inputs {
    std::vector<std::string> tokens;
    std::vector<std::string> features;  ///< names of the columns of x; empty: numbered
    FrozenMatrix x;                     ///< n×d
    std::vector<Source> x_sources;      ///< one a row
    /// The second text, for forms that read one; the same features.
    std::vector<std::string> source_tokens;
    FrozenMatrix source_x;
    std::vector<Source> source_x_sources;
    /// A scene in place of the second text: what each region shows (regions × things), and the things' vectors.
    std::vector<std::string> things;
    FrozenMatrix region_shares, thing_vectors;
    std::vector<Source> thing_sources;
    /// Of a picture in place of a text (core/model/picture/picture_input.h): the numbers of each patch, and whose patches they are.
    FrozenMatrix pixels;
    std::shared_ptr<const Model> picture_model;
    int padding = 0;  ///< so many of the last keys are padding
    /// Of a pair of texts in one sequence, which of both each token is of, from 0; empty: there is one text.
    std::vector<int> segments;
    /// The words that a prediction chooses among, and their vectors (V×d).
    SharedNames words;
    StepValue word_vectors;
    std::vector<Source> word_sources;

    Projection query, key, value, output;
    bool random_weights = false;  ///< seeded; else the identity, and ones
    std::uint64_t weight_seed = 1;
    std::vector<GivenParameter> parameters;
    std::shared_ptr<const Model> model;  ///< whose weights are taken; null: of none
    std::shared_ptr<const GivenAttention> attention;  ///< weights from a file, in place of all computing; null: none
    Matrix drawn_mask;  ///< of 0 and 1, for the mask drawn by hand; empty: everything is looked at
    std::vector<Replacement> replacements;
    std::vector<Edit> edits;
    /// Where only the shapes are here: the whole, for a form whose steps depend on numbers (attention.h).
    std::function<Inputs()> numbers;

    int n() const { return static_cast<int>(x.rows()); }
    int d() const { return static_cast<int>(x.cols()); }
};

/// Where a row of the table of meanings comes from.
Source source_of(MeaningOrigin origin);
/// One row a token. `meaning`: the table's row, or, for a token that it lacks, a vector seeded by the token itself,
/// of the same typical length. `sources` gets one entry a row.
Matrix meaning_vectors(const std::vector<std::string>& tokens, std::vector<Source>& sources);
/// n×v: a column a name; every token must be among the names.
Matrix one_hot_vectors(const std::vector<std::string>& tokens, const std::vector<std::string>& names);
/// n×width: seeded by `seed` and the token, so that the same token has the same vector wherever it stands.
Matrix random_vectors(const std::vector<std::string>& tokens, std::uint64_t seed, int width);

/// rows×cols with independent entries of mean 0 and variance 1/rows, so that a projection keeps the spread of its
/// input. `which` tells W_Q from W_K and so on under one seed.
FrozenMatrix random_weight(std::uint64_t seed, std::string_view which, int rows, int cols);
/// rows×cols with independent entries of mean 0 and variance 1/cols: a table of vectors.
FrozenMatrix random_table(std::uint64_t seed, std::string_view which, int rows, int cols);
/// 1 on the diagonal, rows×cols.
Matrix identity_weight(int rows, int cols);

}  // namespace attn
