#pragma once
// An assembled tokenizer: the implementation behind TokenizerModel. The file readers fill it.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/cut_model.h"
#include "core/tokenizers/decoders.h"
#include "core/tokenizers/normalizers.h"
#include "core/tokenizers/pre_tokenizers.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn::tokenizing {

/// How the vocabulary spells tokens, so that they can be shown as the text that they stand for.
struct Spelling {
    bool byte_letters = false;  ///< "Ġ" is a space
    bool byte_tokens = false;   ///< "<0xE6>" is a byte
    std::string space{};        ///< "▁"; empty: spaces are spaces
    std::string prefix{};       ///< of continuation tokens: "##"
    std::string suffix{};       ///< of tokens that end a word: "</w>"
};

/// The tokens around a second text that follows a first one with its own: [CLS] a [SEP] b [SEP].
struct Beside {
    std::vector<int> before{}, after{};
    int segment = 1;  ///< of all these tokens; those of the first text have segment 0
    bool operator==(const Beside&) const = default;
};

/// Ids before and after one text.
struct Around {
    std::vector<int> before{}, after{};
    std::optional<Beside> beside = Beside{};  ///< nullopt: it is not known how a pair of texts is combined
};

/// What a file says about settings that tokenizer_config.json may override; nullopt where it does not say.
struct Said {
    std::optional<bool> lowercase{}, strip_accents{}, han_apart{}, add_space{};
};

struct Pipeline {
    VocabularyPtr vocabulary;  ///< of the model and the added tokens
    Normalizer normalizer = in_sequence({});
    PreTokenizer pre_tokenizer = in_order({});
    std::unique_ptr<const CutModel> model;
    Decoder decoder = spaced_decoder();
    AddedTokens added;
    std::optional<int> source_language{};  ///< the code among the tokens around a text
    bool language_in_front = false;
    TakeFirst take_first;  ///< empty: there are none
    Around around;  ///< ids around one text, and around a second text
    std::map<std::string, int, std::less<>> roles;
    Spelling spelling;
    Said said;
    std::vector<std::string> notes{};  ///< what was assumed without a file saying it, and what is not followed
};

/// The bytes that a token stands for.
std::string bytes_of(const Pipeline& pipeline, int id);

/// Sets `text`, `part` and `parts` of consecutive tokens; `bytes` has the bytes of each.
void tell_parts(std::vector<ModelToken>& pieces, const std::vector<std::string>& bytes);

/// Bytes as text; those that do not form a whole character in hexadecimal ("E6 97").
std::string text_or_hex(std::string_view bytes);

}  // namespace attn::tokenizing
