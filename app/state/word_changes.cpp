#include "app/state/word_changes.h"

#include <algorithm>
#include <cctype>

#include "core/model/model.h"
#include "core/text/meaning.h"

namespace app {
namespace {

/// Each word can replace the other. They are opposites, or subjects of different kinds: what a sentence says of one is
/// seldom true of the other.
struct Exchange {
    std::string_view one, other;
};
constexpr Exchange kExchanges[] = {
    {"tired", "wide"},   {"big", "small"},   {"happy", "sad"},     {"hot", "cold"},      {"old", "young"},
    {"strong", "weak"},  {"heavy", "light"}, {"fast", "slow"},     {"hungry", "full"},   {"good", "bad"},
    {"new", "old"},      {"long", "short"},  {"he", "it"},         {"she", "it"},        {"him", "it"},
    {"her", "it"},       {"they", "it"},     {"boy", "girl"},      {"man", "woman"},     {"cat", "dog"},
    {"bird", "book"},    {"dog", "ball"},    {"animal", "child"},  {"street", "river"},  {"loved", "feared"},
    {"trophy", "book"},  {"suitcase", "box"}, {"before", "after"}, {"ran", "slept"},     {"saw", "heard"},
    {"累", "宽"},        {"大", "小"},       {"高兴", "难过"},     {"热", "冷"},         {"老", "年轻"},
    {"强", "弱"},        {"重", "轻"},       {"快", "慢"},         {"饿", "饱"},         {"好", "坏"},
    {"新", "旧"},        {"长", "短"},       {"他", "它"},         {"她", "它"},         {"它们", "它"},
    {"男孩", "女孩"},    {"男人", "女人"},   {"猫", "狗"},         {"小鸟", "书"},         {"鸟", "书"},         {"小猫", "小狗"},
    {"狗", "球"},        {"动物", "孩子"},   {"街", "河"},         {"喜欢", "害怕"},     {"奖杯", "书"},
    {"箱子", "盒子"},    {"看见", "听见"},   {"跑", "睡"},
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// `word` with the capitalization of `like`.
std::string cased_as(std::string_view word, std::string_view like) {
    std::string out(word);
    if (!like.empty() && std::isupper(static_cast<unsigned char>(like.front())) && !out.empty())
        out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
    return out;
}

/// Calls `with` for each token that occurs in the text verbatim: its index, its begin and its end.
template <class With>
void for_written(const attn::Document& document, const std::vector<std::string>& tokens, const With& with) {
    if (!document.tokens.empty()) return;
    std::size_t at = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::size_t found = document.text.find(tokens[i], at);
        if (tokens[i].empty() || found == std::string::npos) continue;  // a piece of a word, or a special token
        at = found + tokens[i].size();
        with(i, found, at);
    }
}

WordChange change_of(const attn::Document& document, std::size_t word, const std::string& from, std::string to, std::size_t begin, std::size_t end) {
    std::string text = document.text.substr(0, begin) + to + document.text.substr(end);
    return {static_cast<int>(word), from, std::move(to), std::move(text)};
}

/// Whether a word is in the model's vocabulary, or in the table of meanings if the model uses that for other words.
bool knows(const attn::Model& model, std::string_view word) {
    return model.row_of(word) || (model.other_words && attn::find_meaning(word));
}

}  // namespace

std::vector<WordChange> word_changes(const attn::Document& document, const std::vector<std::string>& tokens) {
    std::vector<WordChange> out;
    if (!document.model) return out;
    for_written(document, tokens, [&](std::size_t i, std::size_t begin, std::size_t end) {
        const std::string& token = tokens[i];
        const std::string plain = lower(token);
        for (const Exchange& exchange : kExchanges) {
            if (plain != exchange.one && plain != exchange.other) continue;
            std::string to = cased_as(plain == exchange.one ? exchange.other : exchange.one, token);
            if (!knows(*document.model, token) || !knows(*document.model, to)) continue;
            out.push_back(change_of(document, i, token, std::move(to), begin, end));
        }
    });
    return out;
}

std::vector<WordChange> exchanged(const attn::Document& document, const std::vector<std::string>& tokens, std::string_view from, std::string_view to) {
    std::vector<WordChange> out;
    for_written(document, tokens, [&](std::size_t i, std::size_t begin, std::size_t end) {
        if (tokens[i] == from) out.push_back(change_of(document, i, tokens[i], cased_as(to, tokens[i]), begin, end));
    });
    return out;
}

}  // namespace app
