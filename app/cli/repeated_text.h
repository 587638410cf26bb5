#pragma once
// A model that is measured without a text: random words of it, repeated once.

#include <limits>

#include "app/cli/document_arguments.h"
#include "app/cli/parser.h"

namespace app {

/// Names neither a document nor what is looked at: only a model.
bool names_model_alone(const DocumentArguments& arguments);
/// --seed, of those words.
void declare_seed(Parser& parser, int& seed);
/// Such words, `most` at the most, as the text. Refused: a model of pictures.
attn::Result<attn::Done> take_repeated(DocumentArguments& arguments, int seed, int most = std::numeric_limits<int>::max());

}  // namespace app
