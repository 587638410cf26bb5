#include "core/analysis/repeated_words.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/analysis/heads.h"
#include "core/attention/forms/attention.h"
#include "core/base/random.h"
#include "core/document/document.h"
#include "core/document/take.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

constexpr int kMostRepeated = 25;

/// The document's spelling of a token; empty: a special token.
std::string plain_word(const Model& model, std::size_t row) {
    if (!model.tokenizer) return is_special_token(model.words[row]) ? "" : model.words[row];
    const auto id = static_cast<int>(row);
    return model.tokenizer->is_special(id) ? "" : model.tokenizer->token(id);
}

}  // namespace

std::vector<std::string> repeated_words(const ModelPtr& model, std::uint64_t seed, int most) {
    Document document;
    take_model(document, model);
    const bool goes_on = has(find_form(document.config.form)->reads, Reads::Generate);
    const int added = goes_on ? document.config.generate - 1 : 0;
    int length = std::min(kMostRepeated, (most - added) / 2);
    if (const auto places = model->shape_of("positions"))
        length = std::min(length, (static_cast<int>(places->rows()) - added) / 2);
    Random random(seed);
    std::vector<std::string> out;
    std::unordered_set<std::string> drawn;
    // The vocabulary may be smaller than the requested number, so tries are limited.
    for (std::size_t tries = 0; tries < 64 * kMostRepeated && std::ssize(out) < length; ++tries) {
        std::string word = plain_word(*model, random.next() % model->words.size());
        if (!word.empty() && drawn.insert(word).second) out.push_back(std::move(word));
    }
    const std::size_t once = out.size();
    for (std::size_t i = 0; i < once; ++i) out.push_back(out[i]);
    return out;
}

}  // namespace attn
