#include "core/train/shipped/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include "core/io/files.h"
#include "core/io/lzw.h"
#include "core/train/shipped/corpus.h"
#include "core/train/shipped/language_grammar.h"

namespace attn::train {
namespace {

constexpr std::string_view kWordNet = "/usr/share/wordnet/", kScripture = "/usr/lib/bible.data",
                           kPoems = "/usr/share/games/fortunes/";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::uint64_t kGrammarSeed = 20;
constexpr int kSentences = 20'000;

using Documents = std::vector<std::string>;

template <class Each>
void for_lines(std::string_view text, const Each& each) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        each(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

Result<Documents> english_grammar() { return grammar_sentences(kGrammarSeed, false, kSentences); }
Result<Documents> chinese_grammar() { return grammar_sentences(kGrammarSeed, true, kSentences); }

std::string trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ';')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.remove_suffix(1);
    return std::string(text);
}

/// A line of WordNet's data files: "00003483 02 r 01 basically 0 … | in essence; at bottom; "He is basically dishonest"".
/// each(word, gloss without its examples, examples).
template <class Each>
Result<Done> for_senses(const Each& each) {
    for (const char* part : {"data.noun", "data.verb", "data.adj", "data.adv"}) {
        const auto bytes = read_file(std::string(kWordNet) + part, kMostBytes);
        if (!bytes) return bytes.error();
        for_lines(*bytes, [&](std::string_view line) {
            const std::size_t bar = line.find(" | ");
            if (line.starts_with(' ') || bar == line.npos) return;  // the licence at the top has indented lines
            std::size_t at = 0;
            for (int field = 0; field < 4; ++field) at = line.find(' ', at) + 1;
            std::string word(line.substr(at, line.find_first_of(" (", at) - at));
            std::replace(word.begin(), word.end(), '_', ' ');
            std::string_view rest = line.substr(bar + 3);
            std::string gloss;
            Documents examples;
            while (!rest.empty()) {
                const std::size_t open = std::min(rest.find('"'), rest.size());
                gloss += rest.substr(0, open);
                rest.remove_prefix(std::min(open + 1, rest.size()));
                const std::size_t close = std::min(rest.find('"'), rest.size());
                if (close > 0) examples.push_back(trimmed(rest.substr(0, close)));
                rest.remove_prefix(std::min(close + 1, rest.size()));
            }
            each(word, trimmed(gloss.substr(0, gloss.find("; ;"))), examples);
        });
    }
    return Done{};
}

Result<Documents> glosses() {
    Documents out;
    const auto done = for_senses([&](const std::string& word, const std::string& gloss, const Documents&) {
        if (!gloss.empty()) out.push_back(word + ": " + gloss + ".");
    });
    if (!done) return done.error();
    return out;
}

Result<Documents> examples() {
    Documents out;
    const auto done = for_senses([&](const std::string&, const std::string&, const Documents& all) {
        for (const std::string& one : all)
            if (one.size() > 12) out.push_back(one);  // shorter lines are not sentences
    });
    if (!done) return done.error();
    return out;
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return out;
}

/// The file of the package bible-kjv-text: windows of 64 KiB, each compressed, after a table of their offsets.
Result<std::string> unpacked_scripture() {
    constexpr std::size_t kCountAt = 0x58, kTableAt = 0x5c;
    const auto bytes = read_file(std::string(kScripture), kMostBytes);
    if (!bytes) return bytes.error();
    const auto wrong = [](std::string message) { return Error{std::move(message), std::string(kScripture), "", 0}; };
    if (bytes->size() < kTableAt || !bytes->starts_with("EC02")) return wrong("it does not begin as the package's file does");
    const std::size_t count = number_at(*bytes, kCountAt);
    if (count > bytes->size() / 4 || kTableAt + 4 * (count + 1) > bytes->size()) return wrong("its table of windows is cut off");
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = number_at(*bytes, kTableAt + 4 * i), to = number_at(*bytes, kTableAt + 4 * (i + 1));
        if (from > to || to > bytes->size()) return wrong(fmt::format("window {} lies outside of it", i));
        auto window = unpack_lzw(std::string_view(*bytes).substr(from, to - from), std::size_t{1} << 17);
        if (!window) return wrong(window.error().message);
        out += *window;
    }
    return out;
}

/// One document per chapter, one line per verse.
Result<Documents> scripture() {
    const auto text = unpacked_scripture();
    if (!text) return text.error();
    Documents out;
    std::string chapter;
    for_lines(*text, [&](std::string_view line) {  // "Ge1:1 In the beginning …"
        const std::size_t colon = line.find(':'), space = line.find(' ');
        if (colon == line.npos || space == line.npos || colon > space) return;
        if (out.empty() || chapter != line.substr(0, colon)) {
            chapter = line.substr(0, colon);
            out.emplace_back();
        }
        if (!out.back().empty()) out.back() += '\n';
        out.back() += line.substr(space + 1);
    });
    return out;
}

/// One document per poem, without its heading (which is coloured, so it begins with an escape).
Result<Documents> poems() {
    Documents out;
    for (const char* file : {"tang300", "song100"}) {
        const auto bytes = read_file(std::string(kPoems) + file, kMostBytes);
        if (!bytes) return bytes.error();
        out.emplace_back();
        for_lines(*bytes, [&](std::string_view line) {
            if (line == "%") return void(out.emplace_back());
            if (line.empty() || line.front() == '\x1b') return;
            if (!out.back().empty()) out.back() += '\n';
            out.back() += line;
        });
    }
    std::erase(out, std::string());
    return out;
}

constexpr std::array kSources = {
    TextSource{"grammar", "", "", false, false, 0.08, english_grammar},
    TextSource{"grammar_zh", "", "", true, false, 0.13, chinese_grammar},
    TextSource{"glosses", "wordnet-base", "/usr/share/wordnet/data.noun", false, false, 0.28, glosses},
    TextSource{"examples", "wordnet-base", "/usr/share/wordnet/data.noun", false, false, 0.13, examples},
    TextSource{"scripture", "bible-kjv-text", kScripture, false, true, 0.30, scripture},
    TextSource{"poems", "fortunes-zh", "/usr/share/games/fortunes/tang300", true, true, 0.08, poems},
};
constexpr std::size_t kOwn = 2;

}  // namespace

std::span<const TextSource> text_sources() { return kSources; }
std::span<const TextSource> own_sources() { return std::span(kSources).first(kOwn); }

std::vector<std::string> missing_packages() {
    std::vector<std::string> out;
    for (const TextSource& source : kSources) {
        std::error_code problem;
        if (source.package.empty() || std::filesystem::exists(std::filesystem::path(source.probe), problem)) continue;
        if (std::find(out.begin(), out.end(), source.package) == out.end()) out.emplace_back(source.package);
    }
    return out;
}

std::vector<std::string> grammar_sentences(std::uint64_t seed, bool chinese, int count) {
    LanguageGrammar grammar(seed);
    Documents out;
    while (static_cast<int>(out.size()) < count) {
        const LanguageSentence sentence = grammar.next();
        if (sentence.chinese != chinese) continue;
        std::string text;
        for (const std::string& token : sentence.words) text += (text.empty() || chinese ? "" : " ") + token;
        if (!chinese) text[0] = static_cast<char>(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0]);
        out.push_back(text + (chinese ? "。" : "."));
    }
    return out;
}

std::vector<std::string> untrained_sentences(std::uint64_t seed, bool chinese, int count) {
    std::unordered_set<std::string> trained;
    for (std::string& one : grammar_sentences(kGrammarSeed, chinese, kSentences))
        if (!is_held_out(one)) trained.insert(std::move(one));
    Documents out;
    for (int drawn = 2 * count; static_cast<int>(out.size()) < count; drawn *= 2) {
        out = grammar_sentences(seed, chinese, drawn);
        std::erase_if(out, [&](const std::string& one) { return trained.contains(one); });
    }
    out.resize(static_cast<std::size_t>(count));
    return out;
}

}  // namespace attn::train
