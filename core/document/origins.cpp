#include "core/document/origins.h"

#include <array>

#include "core/document/model_tokens.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/text/meaning.h"

namespace attn {
namespace {

using Names = std::vector<std::string>;

Matrix by_meaning(const Document&, const Names& tokens, const Names&, std::vector<Source>& sources) {
    return meaning_vectors(tokens, sources);
}
Matrix by_name(const Document&, const Names& tokens, const Names& names, std::vector<Source>& sources) {
    sources = {Source::OneHot};
    return one_hot_vectors(tokens, names);
}
Matrix by_seed(const Document& doc, const Names& tokens, const Names&, std::vector<Source>& sources) {
    sources = {Source::Seeded};
    return random_vectors(tokens, doc.vector_seed, doc.width);
}

Matrix by_model(const Document& doc, const Names& tokens, const Names&, std::vector<Source>& sources) {
    if (const auto ids = token_ids(doc, tokens)) return doc.model->vectors_of(*ids, sources);
    return doc.model->vectors(tokens, sources);
}

constexpr std::array kVectorOrigins = {
    VectorOrigin{
        .id = "meaning",
        .make = by_meaning,
        .width = [](const Document&, int) { return kMeaningWidth; },
        .features = [](const Document&, const Names&) { return Names(meaning_features().begin(), meaning_features().end()); },
    },
    VectorOrigin{
        .id = "one_hot",
        .make = by_name,
        .width = [](const Document&, int names) { return names; },
        .features = [](const Document&, const Names& names) { return names; },
        .by_name = true,
    },
    VectorOrigin{
        .id = "random",
        .make = by_seed,
        .width = [](const Document& doc, int) { return doc.width; },
        .seeded = true,
        .fields = {"vector_seed", "width"},
    },
    VectorOrigin{
        .id = "model",
        .make = by_model,
        .width = [](const Document& doc, int) { return doc.model->width(); },
        .features = [](const Document& doc, const Names&) { return doc.model->columns; },
        .fields = {"model"},
        .of_model = true,
    },
};

constexpr std::array kWeightOrigins = {
    WeightOrigin{
        .id = "identity",
        .make = [](const Document&, std::string_view, int rows, int cols) { return FrozenMatrix(identity_weight(rows, cols)); },
    },
    WeightOrigin{
        .id = "random",
        .seeded = true,
        .source = Source::Seeded,
        .make = [](const Document& doc, std::string_view name, int rows, int cols) {
            return random_weight(doc.weight_seed, name, rows, cols);
        },
    },
    WeightOrigin{
        .id = "model",
        .source = Source::Model,
        .make = [](const Document& doc, std::string_view name, int, int) {
            for (int i = 0; i < kGivenCount; ++i)
                if (const auto which = static_cast<Given>(i); given_id(which) == name) return *doc.model->matrix(tensor_of(which));
            return FrozenMatrix();
        },
        .fields = {"model"},
        .of_model = true,
    },
};

constexpr std::array kSourceKinds = {
    SourceKind{"text"},
    SourceKind{"scene", true, {"scene_seed"}},
};

template <class Row>
const Row& seeded_of(const Catalogue<Row>& table) {
    return *std::find_if(table.rows().begin(), table.rows().end(), [](const Row& row) { return row.seeded; });
}

}  // namespace

const Catalogue<VectorOrigin>& vector_origins() {
    static const Catalogue<VectorOrigin> table(kVectorOrigins);
    return table;
}
const Catalogue<WeightOrigin>& weight_origins() {
    static const Catalogue<WeightOrigin> table(kWeightOrigins);
    return table;
}
const Catalogue<SourceKind>& source_kinds() {
    static const Catalogue<SourceKind> table(kSourceKinds);
    return table;
}

bool origins_read(const Document& doc, std::string_view field) {
    const auto reads = [field](const auto* row) {
        return row && std::find(row->fields.begin(), row->fields.end(), field) != row->fields.end();
    };
    return (!doc.matrix(Given::X) && reads(vector_origins().find(doc.vectors))) || reads(weight_origins().find(doc.weights)) ||
           reads(source_kinds().find(doc.source_kind));
}

bool shows_scene(const Document& doc) {
    const Form* form = find_form(doc.config.form);
    const SourceKind* kind = source_kinds().find(doc.source_kind);
    return form && has(form->reads, Reads::Source) && kind && kind->scene;
}

bool seeds_vectors(const Document& doc) {
    const VectorOrigin* kind = vector_origins().find(doc.vectors);
    return kind && kind->seeded;
}
bool seeds_weights(const Document& doc) {
    const WeightOrigin* kind = weight_origins().find(doc.weights);
    return kind && kind->seeded;
}

bool is_published(const Document& doc) { return doc.model && doc.model->stored && !doc.model->training && takes_model_weights(doc); }
CountFrom usual_count(const Document& doc) { return is_published(doc) ? CountFrom::Zero : CountFrom::One; }

bool takes_model_vectors(const Document& doc) {
    const VectorOrigin* kind = vector_origins().find(doc.vectors);
    return kind && kind->of_model;
}
bool takes_model_weights(const Document& doc) {
    const WeightOrigin* kind = weight_origins().find(doc.weights);
    return kind && kind->of_model;
}
std::optional<FrozenMatrix> held_matrix(const Document& doc, Given which) {
    if (const auto& given = doc.matrix(which)) return given;
    return doc.model && takes_model_weights(doc) ? doc.model->matrix(tensor_of(which)) : std::nullopt;
}
std::optional<FrozenMatrix> held_shape(const Document& doc, Given which) {
    if (const auto& given = doc.matrix(which)) return FrozenMatrix::of_shape(given->rows(), given->cols());
    return doc.model && takes_model_weights(doc) ? doc.model->shape_of(tensor_of(which)) : std::nullopt;
}

void seed_vectors(Document& doc, std::uint64_t seed) {
    doc.vectors = seeded_of(vector_origins()).id;
    doc.vector_seed = seed;
}
void seed_weights(Document& doc, std::uint64_t seed) {
    doc.weights = seeded_of(weight_origins()).id;
    doc.weight_seed = seed;
}

}  // namespace attn
