#pragma once
// The word whose logit a command is about: after or at which token, and compared with which other word.

#include <optional>
#include <string>

#include "app/cli/parser.h"
#include "core/analysis/attribution.h"
#include "core/analysis/prediction.h"
#include "core/io/json_writer.h"

namespace app {

struct WordOptions {
    std::string target, against;
    int at = 0;
};
/// Declares --target, --against and --at.
void declare_word(Parser& parser, WordOptions& options);

struct TargetWord {
    int place = 0;  ///< from 1
    std::string token;
    bool masked = false;  ///< the word at the place; else the one after it
    attn::LikelyWord target;
    std::optional<attn::LikelyWord> against;
    bool likeliest = false;  ///< no target was given
    int row = 0;             ///< in the logits

    attn::AttributedWord word() const;
};
/// For a document that is run with for_prediction(). Error: it predicts no words, or there is no such place or token.
attn::Result<TargetWord> target_word(const WordOptions& options, const attn::Document& document, const attn::Run& run);

/// "after 4 "river": the logit of "bank" (the likeliest) minus that of "sea"".
std::string target_text(const TargetWord& word);
/// The texts' tokens, `place`, `token`, `target` and `against`, as members.
void write_target(attn::JsonWriter& out, const attn::Trace& trace, const TargetWord& word);

/// With three decimals and a sign; a value that rounds to 0 has none.
std::string signed_number(double value);

}  // namespace app
