#include "app/explain/form_words.h"

#include "core/analysis/prediction.h"
#include "core/attention/form.h"
#include "core/document/origins.h"
#include "core/model/model.h"

namespace app {

std::string_view form_title(const attn::Document& document, Language language) {
    const attn::Form* form = attn::find_form(document.config.form);
    const bool of_checkpoint = document.model && document.model->stored && attn::takes_model_weights(document);
    if (!of_checkpoint || !form || !attn::has(form->reads, attn::Reads::Blocks)) return label_of(document.config.form, language);
    if (attn::has(form->reads, attn::Reads::Source)) return tr(Str::family_both, language);
    return tr(attn::looks_back_only(document.config) ? Str::family_decoder : Str::family_encoder, language);
}

}  // namespace app
