#pragma once
// What a document takes over from what it names: a model, a file of attention, a picture.

#include <string>
#include <string_view>

#include "core/document/document.h"
#include "core/model/attention_file/given_attention.h"

namespace attn {

/// The tensor of a matrix of the document: W_Q is query_weight. Empty for X.
std::string_view tensor_of(Given which);

/// Uses the model's vectors, weights and settings.
void take_model(Document& document, ModelPtr model);
/// Sets a sentence as the model's input: the second text if the model's decoder begins with a start token (nothing is
/// written yet), else the text.
void give_sentence(Document& document, std::string sentence);


/// Uses the file's attention instead of a form: heads and layers are set to the file's, and the text is cleared, so
/// that the file's tokens are shown.
void take_attention(Document& document, GivenAttentionPtr attention);

/// The form of such a document: from_file, or from_queries if the file has queries and keys.
std::string_view form_of_file(const GivenAttention& attention);

/// Whether the document's rows are patches of its picture: it has a picture model and takes its vectors.
bool shows_picture(const Document& document);
/// Whether it needs a picture and has none.
bool wants_picture(const Document& document);
/// The message for such a document.
inline constexpr std::string_view kPictureWanted =
    "this model looks at a picture, and none is named; add --picture FILE.png, or \"picture\" to the document";

}  // namespace attn
