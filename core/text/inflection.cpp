#include "core/text/inflection.h"

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t kShortestBase = 3;  // keeps "as" from becoming "a" and "used" from becoming "us"

bool is_vowel(char c) { return std::string_view("aeiouy").find(c) != std::string_view::npos; }

/// Collects candidates; too short ones are dropped.
class Candidates {
public:
    void add(std::string base) {
        if (base.size() >= kShortestBase) found_.push_back(std::move(base));
    }
    /// A base split off at an apostrophe, or before the -es of "goes", may be of any length.
    void add_short(std::string base) {
        if (!base.empty()) found_.push_back(std::move(base));
    }
    std::vector<std::string> take() { return std::move(found_); }

private:
    std::vector<std::string> found_;
};

/// Bases from before -ed or -ing: jump-ed, run-ning, chas-ed from chase, tri-ed from try.
void add_stem(Candidates& out, std::string_view stem) {
    if (stem.size() < 2) return;
    const char last = stem.back();
    const char before = stem[stem.size() - 2];
    out.add(std::string(stem));
    if (last == before && !is_vowel(last)) out.add(std::string(stem.substr(0, stem.size() - 1)));
    if (last == 'i') out.add(std::string(stem.substr(0, stem.size() - 1)) + "y");
    out.add(std::string(stem) + "e");  // chas-ed, argu-ed, di-ed
}

void add_without_s(Candidates& out, std::string_view word) {
    if (word.ends_with("ss")) return;
    out.add(std::string(word.substr(0, word.size() - 1)));
    if (word.ends_with("oes"))
        out.add_short(std::string(word.substr(0, word.size() - 2)));
    else if (word.ends_with("es"))
        out.add(std::string(word.substr(0, word.size() - 2)));
    if (word.ends_with("ies")) out.add(std::string(word.substr(0, word.size() - 3)) + "y");
}

}  // namespace

std::vector<std::string> compared_forms(std::string_view word) {
    Candidates out;
    if (!std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; })) return {};
    for (const std::string_view ending : {"er", "est"})
        if (word.ends_with(ending)) add_stem(out, word.substr(0, word.size() - ending.size()));
    return out.take();
}

std::vector<std::string> base_forms(std::string_view word) {
    Candidates out;
    const bool letters =
        std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '\''; });
    if (!letters) return {};
    // The dog's; and the subject of he's, I'm, they're, we'll.
    for (const std::string_view ending : {"'s", "'m", "'re", "'ll", "'ve", "'d"})
        if (word.ends_with(ending)) {
            out.add_short(std::string(word.substr(0, word.size() - ending.size())));
            return out.take();
        }
    if (word.size() <= kShortestBase) return {};
    if (word.ends_with("s")) {
        add_without_s(out, word);
    } else if (word.ends_with("ed")) {
        add_stem(out, word.substr(0, word.size() - 2));
    } else if (word.ends_with("ing")) {
        add_stem(out, word.substr(0, word.size() - 3));
    }
    return out.take();
}

}  // namespace attn
