#pragma once
// The sources of numbers that a document does not give: vectors, weights, the second text. One table each.

#include <array>

#include "core/base/catalogue.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace attn {

struct VectorOrigin {
    std::string_view id;
    /// One row per token; `names`: see by_name. `sources` gets one entry, or one per row.
    Matrix (*make)(const Document&, const std::vector<std::string>& tokens, const std::vector<std::string>& names,
                   std::vector<Source>& sources);
    /// Columns, for this many names.
    int (*width)(const Document&, int names);
    /// The names of the columns; null: numbered.
    std::vector<std::string> (*features)(const Document&, const std::vector<std::string>& names) = nullptr;
    bool by_name = false;  ///< one column per name; for all other origins `names` is empty
    bool seeded = false;
    std::array<std::string_view, 2> fields = {};  ///< the document's fields that it reads
    bool of_model = false;  ///< the document must name a model
};
const Catalogue<VectorOrigin>& vector_origins();

struct WeightOrigin {
    std::string_view id;
    bool seeded = false;
    Source source = Source::Identity;
    /// `name`: "W_Q".
    FrozenMatrix (*make)(const Document&, std::string_view name, int rows, int cols) = nullptr;
    std::array<std::string_view, 1> fields = {};  ///< the document's fields that it reads
    bool of_model = false;  ///< the document must name a model
};
const Catalogue<WeightOrigin>& weight_origins();

struct SourceKind {
    std::string_view id;
    bool scene = false;  ///< the regions of a picture, not the tokens of a text
    std::array<std::string_view, 1> fields = {};
};
const Catalogue<SourceKind>& source_kinds();

/// Whether an origin that is chosen and used reads this field: "vector_seed", "width", "scene_seed".
bool origins_read(const Document& document, std::string_view field);
/// Whether the second text is a picture: the form reads a second text, and a scene takes its place.
bool shows_scene(const Document& document);
/// Whether the vectors, or the weights, depend on a seed.
bool seeds_vectors(const Document& document);
bool seeds_weights(const Document& document);
/// Whether the vectors, or the weights, come from the named model.
bool takes_model_vectors(const Document& document);
bool takes_model_weights(const Document& document);
/// Whether the weights are a published checkpoint's, not those of a model trained by this program.
bool is_published(const Document& document);
/// How layers and heads are counted by default: of a checkpoint from 0, as in its papers; of this program's own models
/// from 1.
CountFrom usual_count(const Document& document);
/// The matrix that is given, or else the model's; nothing if there is neither.
std::optional<FrozenMatrix> held_matrix(const Document& document, Given which);
/// Its shape alone.
std::optional<FrozenMatrix> held_shape(const Document& document, Given which);
/// Switches to seeded vectors, or weights, with this seed.
void seed_vectors(Document& document, std::uint64_t seed);
void seed_weights(Document& document, std::uint64_t seed);

}  // namespace attn
