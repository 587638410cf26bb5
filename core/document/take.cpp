#include "core/document/take.h"

#include <array>
#include <cassert>
#include <utility>

#include "core/attention/forms/forms.h"
#include "core/document/fields.h"
#include "core/document/origins.h"
#include "core/model/model.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kGivenCount> kTensors = {
    "",           "",         "query_weight", "key_weight", "value_weight", "output_weight",
    "query_bias", "key_bias", "value_bias",   "output_bias"};

}  // namespace

std::string_view tensor_of(Given which) { return kTensors[static_cast<std::size_t>(which)]; }

void take_model(Document& doc, ModelPtr model) {
    doc.config = {};
    doc.vectors = doc.weights = "model";
    for (const auto& [key, value] : model->settings) {
        const Field* field = find_field(key);
        assert(field);
        [[maybe_unused]] const auto done = read_field(*field, doc, value);
        assert(done);
    }
    if (!model->picture) doc.picture.reset();
    static const Document kDefaults;
    if (model->pairs && doc.source == kDefaults.source) doc.source.clear();  // one text, until a second is given
    doc.model = std::move(model);
}

void give_sentence(Document& doc, std::string sentence) {
    const bool reads = doc.model && doc.model->start;
    doc.tokens.clear();
    if (reads) doc.text.clear();
    (reads ? doc.source : doc.text) = std::move(sentence);
}

std::string_view form_of_file(const GivenAttention& attention) { return attention.is_compared() ? form::from_queries.id : form::from_file.id; }

void take_attention(Document& doc, GivenAttentionPtr attention) {
    doc = {};
    doc.text.clear();
    doc.config.form = form_of_file(*attention);
    doc.config.heads = attention->heads;
    doc.config.layers = attention->layers;
    doc.attention = std::move(attention);
}

bool shows_picture(const Document& doc) {
    return doc.model && doc.model->picture && takes_model_vectors(doc) && !doc.matrix(Given::X) && !doc.attention;
}

bool wants_picture(const Document& doc) { return shows_picture(doc) && !doc.picture; }

}  // namespace attn
