#pragma once
// A checkpoint's tokenizer, as its own files define it: text to ids and back. (Not to be confused with
// core/text/tokenizer.h, the program's own ways of splitting text into words.)

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

/// One token of a text. `begin` and `end` are bytes of the text given to encode(), before normalisation, and always at
/// character boundaries: a token with only some bytes of a character has the whole character as its span, and `text`
/// says which piece it is: "早 1/3", "早 2/3", "早 3/3" are the three tokens that 早 was split into. A token with no typed
/// character (an added special token, a space put in front) has begin == end.
struct ModelToken {
    int id = 0;
    std::string text;       ///< as a person reads it: " the", "ing", "早 1/3"; valid UTF-8, not made visible
    std::string spelling;   ///< as the vocabulary spells it: "Ġthe", "##ing", "▁the", "<0xE6>"
    std::size_t begin = 0;  ///< bytes of the typed text
    std::size_t end = 0;
    bool special = false;  ///< marks structure, not text: <s>, [CLS], <|endoftext|>
    bool unknown = false;  ///< stands for something that is not in the vocabulary
    int part = 0;          ///< from 1: the index of this token within the (first) split character; 0: none is split
    int parts = 0;         ///< how many tokens that character was split into
    int segment = 0;       ///< in a pair of texts: which of them, as the model numbers them
};

/// Splits text as the model was trained to see it. Immutable: any number of threads may use one.
class TokenizerModel {
public:
    explicit TokenizerModel(std::unique_ptr<const tokenizing::Pipeline> pipeline, std::string file = {});
    ~TokenizerModel();
    TokenizerModel(const TokenizerModel&) = delete;
    TokenizerModel& operator=(const TokenizerModel&) = delete;

    /// The tokens of a text; with_special adds what the checkpoint puts around one text (<s> … </s>, [CLS] … [SEP]).
    /// Takes any bytes: what is not UTF-8 is read as U+FFFD. The time is linear in the text, up to a logarithm. Fails
    /// if a pattern of the tokenizer takes too many steps on this text, or if the vocabulary has neither a token for
    /// something nor an unknown token.
    Result<std::vector<ModelToken>> encode(std::string_view text, bool with_special) const;

    /// The tokens that follow a first text's (encoded with its special tokens) when a second text is appended: after
    /// [CLS] a [SEP], this is b [SEP]; each token has its segment. Spans refer to the second text. Also fails if the
    /// files do not define pairs.
    Result<std::vector<ModelToken>> encode_beside(std::string_view second) const;

    /// The text of ids, without special tokens; bytes that do not form a character become U+FFFD. Ids outside the
    /// vocabulary are skipped.
    std::string decode(std::span<const int> ids) const;

    /// One more than the largest id. A checkpoint's embeddings may have more rows, never fewer.
    int size() const;

    /// The id of a token as the vocabulary spells it ("Ġthe", "<s>").
    std::optional<int> id_of(std::string_view token) const;

    /// The token as the vocabulary spells it; "" where no token has this id.
    std::string token(int id) const;

    /// The token as a person reads it: " the" for "Ġthe" and "▁the", "ing" for "##ing"; bytes that do not form a whole
    /// character in hexadecimal ("E6 97"). "" if no token has this id.
    std::string token_text(int id) const;

    bool is_special(int id) const;

    /// The token with a special role, by its name in tokenizer_config.json without "_token": "bos", "eos", "unk",
    /// "sep", "pad", "cls", "mask".
    std::optional<int> special_id(std::string_view role) const;

    /// The code of its language that is added to each text, and whether it is in front of the text or behind it.
    std::optional<int> source_language() const;
    bool language_in_front() const;

    /// What the files leave open and was assumed as in the published library, and what they say but is not followed:
    /// one sentence each.
    const std::vector<std::string>& notes() const;

    /// tokenizer.json as it was read, if `keep` was set; otherwise empty.
    const std::string& file() const { return file_; }

private:
    Result<std::vector<ModelToken>> between(std::string_view text, std::span<const int> before, std::span<const int> after) const;

    std::unique_ptr<const tokenizing::Pipeline> pipeline_;
    std::string file_;
};

/// The files of a checkpoint's folder that define the tokenizer: their bytes, empty if there is no such file.
struct TokenizerFiles {
    std::string where{};             ///< the folder, for messages
    std::string tokenizer_json{};    ///< tokenizer.json: if it exists it is used; the others are older formats
    std::string tokenizer_config{};  ///< tokenizer_config.json
    std::string special_tokens{};    ///< special_tokens_map.json
    std::string added_tokens{};      ///< added_tokens.json
    std::string config{};            ///< config.json, for the tokenizer's class if the others do not name it
    std::string vocab_json{};        ///< vocab.json, with merges.txt; or next to a SentencePiece model (Marian)
    std::string merges{};            ///< merges.txt
    std::string vocab_txt{};         ///< vocab.txt
    std::string sentencepiece{};     ///< tokenizer.model, spiece.model, sentencepiece.bpe.model, source.spm
    bool keep = false;               ///< keep tokenizer.json with the tokenizer, to be saved again
};

/// The tokenizer that these files describe. Errors give file, key and line; an unknown part is named together with the
/// closest known one.
Result<std::shared_ptr<const TokenizerModel>> read_tokenizer(const TokenizerFiles& files);

}  // namespace attn
