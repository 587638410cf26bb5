#pragma once
// A text for measuring a model without one: random words, repeated once.

#include <limits>

#include "app/cli/document_arguments.h"
#include "app/cli/parser.h"

namespace app {

/// Whether only a model is named, neither a document nor a text or other input.
bool names_model_alone(const DocumentArguments& arguments);
/// Declares --seed, for the random words.
void declare_seed(Parser& parser, int& seed);
/// Sets the text to such words, at most `most`. Error: an image model.
attn::Result<attn::Done> take_repeated(DocumentArguments& arguments, int seed, int most = std::numeric_limits<int>::max());

}  // namespace app
