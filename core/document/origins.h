#pragma once
// Where a document's numbers come from where it does not give them: vectors, weights, the second text. Each is a table.

#include <array>

#include "core/base/catalogue.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace attn {

struct VectorOrigin {
    std::string_view id;
    /// One row a token; `names`: see by_name. `sources` gets one entry, or one a row.
    Matrix (*make)(const Document&, const std::vector<std::string>& tokens, const std::vector<std::string>& names,
                   std::vector<Source>& sources);
    /// Columns, where there are so many names.
    int (*width)(const Document&, int names);
    /// What the columns are called; null: they have numbers.
    std::vector<std::string> (*features)(const Document&, const std::vector<std::string>& names) = nullptr;
    bool by_name = false;  ///< a column a name; for all others `names` is empty
    bool seeded = false;
    std::array<std::string_view, 2> fields = {};  ///< of the document, that it reads
    bool of_model = false;  ///< the document must name a model
};
const Catalogue<VectorOrigin>& vector_origins();

struct WeightOrigin {
    std::string_view id;
    bool seeded = false;
    Source source = Source::Identity;
    /// `name`: "W_Q".
    FrozenMatrix (*make)(const Document&, std::string_view name, int rows, int cols) = nullptr;
    std::array<std::string_view, 1> fields = {};  ///< of the document, that it reads
    bool of_model = false;  ///< the document must name a model
};
const Catalogue<WeightOrigin>& weight_origins();

struct SourceKind {
    std::string_view id;
    bool scene = false;  ///< the regions of a picture, not the tokens of a text
    std::array<std::string_view, 1> fields = {};
};
const Catalogue<SourceKind>& source_kinds();

/// One of the origins that are chosen and in use reads this field: "vector_seed", "width", "scene_seed".
bool origins_read(const Document& document, std::string_view field);
/// What is looked at is a picture: the form reads a second text, and a scene stands for it.
bool shows_scene(const Document& document);
/// A seed decides the vectors; the weights.
bool seeds_vectors(const Document& document);
bool seeds_weights(const Document& document);
/// Its vectors, its weights come from the model that is named.
bool takes_model_vectors(const Document& document);
bool takes_model_weights(const Document& document);
/// Its weights are those of a checkpoint from elsewhere, not of a model that was trained here.
bool is_published(const Document& document);
/// How its layers and heads are counted unless somebody chooses: a checkpoint's from 0, as its papers do; what is made here from 1.
CountFrom usual_count(const Document& document);
/// The matrix that stands for it: given, or the model's; nothing: of neither.
std::optional<FrozenMatrix> held_matrix(const Document& document, Given which);
/// Its shape alone.
std::optional<FrozenMatrix> held_shape(const Document& document, Given which);
/// Takes them.
void seed_vectors(Document& document, std::uint64_t seed);
void seed_weights(Document& document, std::uint64_t seed);

}  // namespace attn
