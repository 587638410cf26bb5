#pragma once
// The readers behind read_tokenizer(): one for each kind of file. Each fills a pipeline or says what is wrong.

#include <memory>
#include <string>

#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pipeline.h"

namespace attn::pieces {

using PipelinePtr = std::unique_ptr<Pipeline>;

Result<PipelinePtr> read_tokenizer_json(const std::string& bytes, const std::string& where);

/// A model of tokenizer.json: a table of names and functions.
struct ReadModel {
    std::shared_ptr<Vocabulary> vocabulary;  ///< the model's own, without added tokens
    std::unique_ptr<const CutModel> model;
    std::string prefix{}, suffix{};
    bool byte_tokens = false;
};
ReadModel read_model_part(const JsonPart& part);

/// Appends the next merge; says what is wrong where a token of it is not in the vocabulary.
std::optional<std::string> add_merge(const Vocabulary& vocabulary, std::string_view left, std::string_view right,
                                     std::string_view prefix, std::vector<Merge>& out);

/// What tokenizer_config.json says, as far as it says anything here.
struct TokenizerConfig {
    std::string tokenizer_class{};                            ///< without "Fast" at its end
    std::map<std::string, std::string, std::less<>> roles{};  ///< "bos" -> "<s>"
    std::vector<AddedToken> added{};                          ///< "added_tokens_decoder"
    std::optional<bool> add_bos{}, add_eos{}, lowercase{}, strip_accents{}, han_apart{}, add_space{}, legacy{};
    std::optional<int> extra_ids{};  ///< of T5
};
Result<TokenizerConfig> read_tokenizer_config(const std::string& bytes, const std::string& where);

/// vocab.json with merges.txt, or vocab.txt.
Result<PipelinePtr> read_older_files(const TokenizerFiles& files, const TokenizerConfig& config);
/// A SentencePiece model, with vocab.json where the checkpoint has ids of its own.
Result<PipelinePtr> read_sentencepiece(const TokenizerFiles& files, const TokenizerConfig& config);

/// vocab.json: tokens and their ids.
std::optional<Error> read_plain_vocabulary(const TokenizerFiles& files, Vocabulary& out);

/// Puts the vocabulary together: the model's, then the added tokens.
std::optional<Error> finish_pipeline(Pipeline& pipeline, const Vocabulary& own, std::vector<AddedToken> added,
                                     const std::string& where);

/// The file's name in its folder.
std::string place_of(const TokenizerFiles& files, std::string_view name);

/// The JSON of a file, with limits for the largest that there are.
Result<JsonValue> parse_large(const std::string& bytes, const std::string& where);

}  // namespace attn::pieces
