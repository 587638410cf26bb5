#pragma once
// A checkpoint's tokenizer, as its own files say: text to ids and back. (core/text/tokenizer.h is another thing: the
// program's own ways of cutting text into words.)

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn {

namespace tokenizing {
struct Pipeline;
}

/// One token of a text. `begin` and `end` are bytes of the text as it was given to encode(), through normalisation,
/// and always lie between characters: what holds some bytes of a character only has the whole of it as its span, and
/// tells in `text` which part it is: "早 1/3", "早 2/3", "早 3/3" are the three tokens that 早 was cut into.
/// What no typed character stands behind (special tokens that were added, a space put in front) has begin == end.
struct ModelToken {
    int id = 0;
    std::string text;       ///< as a person reads it: " the", "ing", "早 1/3"; valid UTF-8, not made visible
    std::string spelling;   ///< as the vocabulary spells it: "Ġthe", "##ing", "▁the", "<0xE6>"
    std::size_t begin = 0;  ///< bytes of the typed text
    std::size_t end = 0;
    bool special = false;  ///< marks structure, not text: <s>, [CLS], <|endoftext|>
    bool unknown = false;  ///< stands for something that the vocabulary does not have
    int part = 0;          ///< from 1: which token of the (first) character that is cut; 0: none is
    int parts = 0;         ///< how many tokens that character was cut into
    int segment = 0;       ///< of a pair of texts: which of both, as the model counts them
};

/// Cuts text as the model was trained to see it. Not changed once read: any number of threads may use one.
class TokenizerModel {
public:
    explicit TokenizerModel(std::unique_ptr<const tokenizing::Pipeline> pipeline, std::string file = {});
    ~TokenizerModel();
    TokenizerModel(const TokenizerModel&) = delete;
    TokenizerModel& operator=(const TokenizerModel&) = delete;

    /// The tokens of a text; with_special adds what the checkpoint puts around one text (<s> … </s>, [CLS] … [SEP]).
    /// Any bytes: what is not UTF-8 is taken as U+FFFD. Time linear in the text, but for a logarithm.
    /// Fails where a pattern of the tokenizer takes too many steps on this text, or where the vocabulary has neither a
    /// token nor a token for the unknown.
    Result<std::vector<ModelToken>> encode(std::string_view text, bool with_special) const;

    /// What follows the tokens of a text, with what is put around it, where a second text is put behind it: [CLS] a [SEP], and
    /// then b [SEP]; each token says its segment. Spans are of the second text. Fails also where the files do not say how.
    Result<std::vector<ModelToken>> encode_beside(std::string_view second) const;

    /// The text of ids, special tokens left out; bytes that make no character come as U+FFFD. Ids that the vocabulary
    /// does not have say nothing.
    std::string decode(std::span<const int> ids) const;

    /// One more than the largest id. A checkpoint's embeddings may have more rows, never fewer.
    int size() const;

    /// The id of a token as the vocabulary spells it ("Ġthe", "<s>").
    std::optional<int> id_of(std::string_view token) const;

    /// The token as the vocabulary spells it; "" where no token has this id.
    std::string token(int id) const;

    /// The token as a person reads it: " the" for "Ġthe" and "▁the", "ing" for "##ing"; bytes that are no whole
    /// character in hexadecimal ("E6 97"). "" where no token has this id.
    std::string token_text(int id) const;

    bool is_special(int id) const;

    /// The token that has a part to play, by the name that tokenizer_config.json gives it without "_token": "bos",
    /// "eos", "unk", "sep", "pad", "cls", "mask".
    std::optional<int> special_id(std::string_view role) const;

    /// What the files do not say and was taken as the published library takes it, and what they say and is not followed:
    /// a sentence each.
    const std::vector<std::string>& notes() const;

    /// tokenizer.json as it was read, where it was to be kept; else empty.
    const std::string& file() const { return file_; }

private:
    Result<std::vector<ModelToken>> between(std::string_view text, std::span<const int> before, std::span<const int> after) const;

    std::unique_ptr<const tokenizing::Pipeline> pipeline_;
    std::string file_;
};

/// The files of a checkpoint's folder that say how text is cut: their bytes, empty where there is no such file.
struct TokenizerFiles {
    std::string where{};             ///< the folder, for messages
    std::string tokenizer_json{};    ///< tokenizer.json: taken where it is there, the others are older ways to say it
    std::string tokenizer_config{};  ///< tokenizer_config.json
    std::string special_tokens{};    ///< special_tokens_map.json
    std::string added_tokens{};      ///< added_tokens.json
    std::string config{};            ///< config.json, for the class of the tokenizer where the others do not name it
    std::string vocab_json{};        ///< vocab.json, with merges.txt; or beside a SentencePiece model (Marian)
    std::string merges{};            ///< merges.txt
    std::string vocab_txt{};         ///< vocab.txt
    std::string sentencepiece{};     ///< tokenizer.model, spiece.model, sentencepiece.bpe.model, source.spm
    bool keep = false;               ///< tokenizer.json stays with the tokenizer, to be written again
};

/// The tokenizer that these files describe. What is wrong is said with file, key and line; a part that is not known
/// here is named together with the closest that is.
Result<std::shared_ptr<const TokenizerModel>> read_tokenizer(const TokenizerFiles& files);

}  // namespace attn
