#pragma once
// The readers behind read_tokenizer(): one per kind of file. Each fills a pipeline or returns an error.

#include <memory>
#include <string>
#include <unordered_set>

#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pipeline.h"
#include "core/tokenizers/tokenizer_class.h"

namespace attn::tokenizing {

using PipelinePtr = std::unique_ptr<Pipeline>;

struct TokenizerConfig;

Result<PipelinePtr> read_tokenizer_json(const TokenizerFiles& files, const TokenizerConfig& config);

/// A model from tokenizer.json: a table of names and functions.
struct ReadModel {
    std::shared_ptr<Vocabulary> vocabulary;  ///< the model's own, without added tokens
    std::unique_ptr<const CutModel> model;
    std::string prefix{}, suffix{};
    bool byte_tokens = false;
};
ReadModel read_model_part(const JsonPart& part);

/// Appends the next merge; returns an error message if one of its tokens is not in the vocabulary.
std::optional<std::string> add_merge(const Vocabulary& vocabulary, std::string_view left, std::string_view right,
                                     std::string_view prefix, std::vector<Merge>& out);

/// What the files next to a vocabulary say about the tokenizer: tokenizer_config.json, special_tokens_map.json,
/// added_tokens.json and, for the class, config.json.
struct TokenizerConfig {
    std::string tokenizer_class{};  ///< without "Fast" at its end; empty: none is named
    std::string class_file{};       ///< the file that names it
    std::string model_type{};       ///< from config.json
    std::map<std::string, AddedToken, std::less<>> roles{};  ///< "bos" -> <s>; their ids are not known yet
    std::vector<AddedToken> additional{};                    ///< special tokens without a role, without ids
    std::vector<AddedToken> added{};                         ///< with an id, in ascending order
    std::optional<bool> add_bos{}, add_eos{}, lowercase{}, strip_accents{}, han_apart{}, add_space{}, legacy{}, legacy_behaviour{}, keep_accents{};
    std::string source_language{};  ///< src_lang, as the file writes it; empty: it does not say
    std::optional<int> extra_ids{};    ///< for T5
    std::vector<std::string> notes{};  ///< what the files ask for but is not supported
};
Result<TokenizerConfig> read_tokenizer_config(const TokenizerFiles& files);

/// The added tokens, collected from several files: one whose text or id is already present is skipped.
class TokenList {
public:
    explicit TokenList(std::vector<AddedToken> first = {});
    void add(AddedToken token);
    /// Adds the tokens to which a file gives an id.
    void add_numbered(const TokenizerConfig& config);
    /// Adds the tokens of roles and the other special ones, with their ids in the vocabulary or else, as in the
    /// published library, new ids after all others. With a class, also its own tokens if the vocabulary has them.
    void add_special(const TokenizerConfig& config, const TokenizerClass* row, const Vocabulary& own);
    std::vector<AddedToken> take() { return std::move(tokens_); }

private:
    std::vector<AddedToken> tokens_;
    std::unordered_set<std::string> contents_;
    std::unordered_set<int> ids_;
    int size_ = 0;  ///< one more than the largest id
};

/// The token of a role: as the files name it, otherwise as the class does; "" for none.
std::string_view token_of_role(const TokenizerConfig& config, const TokenizerClass& row, std::string_view role);

/// Sets the roles, and the tokens around a text, once the vocabulary is complete. Returns an error message if a token
/// is missing.
std::optional<std::string> put_around(const TokenizerConfig& config, const TokenizerClass& row, Pipeline& out);

/// vocab.json with merges.txt, or vocab.txt.
Result<PipelinePtr> read_older_files(const TokenizerFiles& files, const TokenizerConfig& config, const TokenizerClass& row);
/// A SentencePiece model, with vocab.json if the checkpoint has its own ids.
Result<PipelinePtr> read_sentencepiece(const TokenizerFiles& files, const TokenizerConfig& config, const TokenizerClass& row);

/// vocab.json: tokens and their ids.
std::optional<Error> read_plain_vocabulary(const TokenizerFiles& files, Vocabulary& out);

/// Builds the vocabulary: the model's, then the added tokens.
std::optional<Error> finish_pipeline(Pipeline& pipeline, const Vocabulary& own, std::vector<AddedToken> added,
                                     const std::string& where);

/// The file's name in its folder.
std::string place_of(const TokenizerFiles& files, std::string_view name);

/// The JSON of a file, with limits that admit the largest existing ones.
Result<JsonValue> parse_large(const std::string& bytes, const std::string& where);

}  // namespace attn::tokenizing
