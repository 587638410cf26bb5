#pragma once
// What the published library's classes of tokenizers add to files that do not say it themselves (all but tokenizer.json):
// one table, by the class's name or by the model_type of config.json.

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
    std::string_view model_types{};  ///< parted by spaces: models that have it where no file names a class
    std::string_view roles{};        ///< "cls=[CLS] sep=[SEP]": the tokens where no file names others
    std::string_view before{}, after{};  ///< roles of the tokens around a text
    bool switched = false;  ///< add_bos_token and add_eos_token of tokenizer_config.json say what stands around a text
    bool twice = false;     ///< the second of two texts begins with what the first ends with, and both are of one segment
    bool qwen = false;      ///< NFC and a pattern of its own
    bool extra = false;     ///< T5: <extra_id_99> … <extra_id_0> come behind the tokens
    bool folded = false;    ///< ALBERT: accents and capitals go before anything is cut (but with do_lower_case false capitals stay)
    bool codes = false;     ///< Marian: >>fra<< before a text is one token, the language to write in
    std::string_view first{};  ///< tokens that come before the tokens, parted by spaces: their places are their ids
    int later = 0;             ///< how much greater the id of another token is than its place
};

/// The class for the kinds of files that are there: the one that is named, else that of the model_type, else the usual one
/// for the first kind. One that is not named adds a sentence to `notes`. Fails where one is named that is not known or has
/// other files; `where` is the file that names it.
Result<const TokenizerClass*> choose_class(const std::vector<ClassFiles>& there, const TokenizerConfig& config,
                                           const std::string& where, std::vector<std::string>& notes);

/// The token that a class has for a role where no file names one; "" for none.
std::string_view usual_token(const TokenizerClass& row, std::string_view role);

/// Calls visit(word) for each of the words of a row's list.
template <class Visit>
void each_word(std::string_view words, Visit visit) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        visit(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

}  // namespace attn::tokenizing
