#pragma once
// What the published library's tokenizer classes define beyond their files (all kinds but tokenizer.json): one table,
// by class name or by the model_type of config.json.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn::tokenizing {

struct TokenizerConfig;

/// The files that a class reads: vocab.txt, vocab.json with merges.txt, a SentencePiece model.
enum class ClassFiles { Words, Letters, Pieces };

struct TokenizerClass {
    std::string_view name;
    ClassFiles files;
    std::string_view model_types{};  ///< separated by spaces: models that use it if no file names a class
    std::string_view roles{};        ///< "cls=[CLS] sep=[SEP]": the tokens if no file names others
    std::string_view before{}, after{};  ///< roles of the tokens around a text
    bool switched = false;  ///< add_bos_token and add_eos_token of tokenizer_config.json decide what is around a text
    bool twice = false;     ///< a second text begins with the token that ends the first, and both have one segment
    bool qwen = false;      ///< NFC and its own pattern
    bool extra = false;     ///< T5: <extra_id_99> … <extra_id_0> are appended after the tokens
    bool folded = false;    ///< ALBERT: accents and capitals go before anything is cut (but with do_lower_case false capitals stay, and with keep_accents accents)
    bool codes = false;     ///< Marian: >>fra<< before a text is one token, the target language
    std::string_view first{};  ///< tokens before the file's own, separated by spaces: their indices are their ids
    int later = 0;             ///< how much greater the id of any other token is than its index
};

/// The class for the existing kinds of files: the named one, otherwise that of the model_type, otherwise the default of
/// the first kind. A class that was not named adds a sentence to `notes`. Fails if the named class is unknown or needs
/// other files; `where` is the file that names it.
Result<const TokenizerClass*> choose_class(const std::vector<ClassFiles>& there, const TokenizerConfig& config,
                                           const std::string& where, std::vector<std::string>& notes);

/// The token that a class has for a role if no file names one; "" for none.
std::string_view usual_token(const TokenizerClass& row, std::string_view role);

/// Calls visit(word) for each word of a space-separated list.
template <class Visit>
void each_word(std::string_view words, Visit visit) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        visit(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

}  // namespace attn::tokenizing
