// Changes a document's form: fields that it does not read or that exclude it are reset to their defaults.
#include <algorithm>

#include "core/attention/forms/forms.h"
#include "core/document/fields.h"
#include "core/document/internal.h"
#include "core/model/attention_file/given_attention.h"

namespace attn {

void drop_unread(Document& doc) {
    for (const Field& field : document_fields())
        if (field.is_read && !field.is_read(doc)) field.reset(doc);
}

void choose_form(Document& doc, std::string_view id) {
    const auto all = forms();  // "from_file" is not among them: it comes with its file
    if (std::none_of(all.begin(), all.end(), [id](const Form& form) { return form.id == id; })) return;
    if (doc.attention && id != doc.config.form) {
        // The form computes on the tokens of the file.
        if (doc.text.empty() && doc.tokens.empty()) doc.tokens = tokens_of(doc);
        find_field("attention")->reset(doc);
        doc.edits.clear();
    }
    const bool pair = reads_pair(doc);
    doc.config.form = id;
    doc.config.score.clear();
    fit_source(doc, pair);
    drop_unread(doc);
    // Resets fields that exclude the form, until nothing is wrong or nothing more can be reset.
    for (std::size_t round = 0; round < document_fields().size(); ++round) {
        const std::vector<Error> wrong = problems(doc);
        const Field* field = nullptr;
        for (const Error& error : wrong) {
            const Field* one = find_field(error.key.substr(0, error.key.find_first_of(".[")));
            const bool own = one && (one->key == "variant" || one->key == "text" || one->key == "tokens" || one->key == "X");
            if (one && !own && !one->is_default(doc)) field = one;
        }
        if (!field) return;
        field->reset(doc);
        drop_unread(doc);
    }
}

}  // namespace attn
