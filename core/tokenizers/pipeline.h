#pragma once
// A tokenizer put together: what TokenizerModel has behind it. The readers of the files fill one.

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

/// How the vocabulary spells, so that a token can be shown as what it stands for.
struct Spelling {
    bool byte_letters = false;  ///< "Ġ" is a space
    bool byte_tokens = false;   ///< "<0xE6>" is a byte
    std::string space{};        ///< "▁"; empty: spaces are spaces
    std::string prefix{};       ///< of what goes on: "##"
    std::string suffix{};       ///< of what ends a word: "</w>"
};

/// Around a second text that follows a first with what stands around that: [CLS] a [SEP] b [SEP].
struct Beside {
    std::vector<int> before{}, after{};
    int segment = 1;  ///< of all of these tokens; those of the first text are of segment 0
    bool operator==(const Beside&) const = default;
};

/// Ids before and after one text.
struct Around {
    std::vector<int> before{}, after{};
    std::optional<Beside> beside = Beside{};  ///< nothing: how a pair of texts is put together is not known here
};

/// What a file says of settings that tokenizer_config.json may say otherwise; nothing where it does not say.
struct Said {
    std::optional<bool> lowercase{}, strip_accents{}, han_apart{}, add_space{};
};

struct Pipeline {
    VocabularyPtr vocabulary;  ///< of the model and of the added tokens
    Normalizer normalizer = in_sequence({});
    PreTokenizer pre_tokenizer = in_order({});
    std::unique_ptr<const CutModel> model;
    Decoder decoder = spaced_decoder();
    AddedTokens added;
    TakeFirst take_first;  ///< empty: there is nothing of the kind
    Around around;  ///< ids that stand around one text, and around one that follows another
    std::map<std::string, int, std::less<>> roles;
    Spelling spelling;
    Said said;
    std::vector<std::string> notes{};  ///< what was taken without being said, and what was said and is not followed
};

/// The bytes that a token stands for.
std::string bytes_of(const Pipeline& pipeline, int id);

/// Sets `text`, `part` and `parts` of tokens that follow each other; `bytes` are those of each.
void tell_parts(std::vector<ModelToken>& pieces, const std::vector<std::string>& bytes);

/// Bytes as text; those that are no whole character in hexadecimal ("E6 97").
std::string text_or_hex(std::string_view bytes);

}  // namespace attn::tokenizing
