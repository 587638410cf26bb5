#include "app/state/word_changes.h"

#include <algorithm>
#include <cctype>

#include "core/model/model.h"

namespace app {
namespace {

/// Either for the other. Opposites, and subjects of another kind: what a sentence says of one is seldom true of the other.
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

/// As the word in whose place it comes was written.
std::string cased_as(std::string_view word, std::string_view like) {
    std::string out(word);
    if (!like.empty() && std::isupper(static_cast<unsigned char>(like.front())) && !out.empty())
        out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
    return out;
}

}  // namespace

std::vector<WordChange> word_changes(const attn::Document& document, const std::vector<std::string>& tokens) {
    std::vector<WordChange> out;
    if (!document.model || !document.tokens.empty()) return out;
    std::size_t at = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string& token = tokens[i];
        const std::size_t found = document.text.find(token, at);
        if (token.empty() || found == std::string::npos) continue;  // a piece of a word, or a mark of the model's own
        at = found + token.size();
        const std::string plain = lower(token);
        for (const Exchange& exchange : kExchanges) {
            if (plain != exchange.one && plain != exchange.other) continue;
            const std::string to = cased_as(plain == exchange.one ? exchange.other : exchange.one, token);
            if (!document.model->row_of(token) || !document.model->row_of(to)) continue;
            out.push_back({static_cast<int>(i), token, to, document.text.substr(0, found) + to + document.text.substr(at)});
        }
    }
    return out;
}

}  // namespace app
