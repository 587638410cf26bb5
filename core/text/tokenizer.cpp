#include "core/text/tokenizer.h"

#include <algorithm>
#include <limits>

#include "core/text/meaning.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::size_t kLongestToken = 4096;  // bytes; keeps one hostile megabyte from becoming one label

/// A grapheme cluster and its kind.
struct Cluster {
    std::size_t begin = 0;
    std::size_t end = 0;
    char32_t first = 0;
    CharKind kind = CharKind::Control;
};

/// A digit, # or * in a keycap (U+20E3) is an emoji: "1️⃣" is not a number.
bool is_keycap(std::string_view cluster) { return cluster.ends_with("\u20E3"); }

/// Reads `text` from a byte on, cluster by cluster.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    /// The cluster at byte `at`; one of kind Space at the end of the text.
    Cluster at(std::size_t at) const {
        if (at >= text_.size()) return {at, at, 0, CharKind::Space};
        const CodePoint point = decode_utf8(text_, at);
        const std::size_t end = at + grapheme_length(text_, at);
        CharKind kind = kind_of(point.value);
        if (kind == CharKind::Digit && end - at > point.length && is_keycap(text_.substr(at, end - at))) {
            kind = CharKind::Emoji;
        }
        return {at, end, point.value, kind};
    }

    bool done(std::size_t at) const { return at >= text_.size(); }
    std::string_view between(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }

private:
    std::string_view text_;
};

/// Where the last whole code point ends at or before `end`.
std::size_t whole_code_point(std::string_view text, std::size_t end) {
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return end;
}

/// The tokens so far, never more than the limit.
class Output {
public:
    Output(std::string_view text, std::size_t limit) : text_(text), limit_(limit) {}

    bool full() const { return tokens_.size() >= limit_; }

    void add(std::size_t begin, std::size_t end) {
        while (end - begin > kLongestToken && !full()) {
            const std::size_t middle = whole_code_point(text_, begin + kLongestToken);
            push(begin, middle);
            begin = middle;
        }
        if (!full()) push(begin, end);
    }

    std::vector<Token> take() { return std::move(tokens_); }

private:
    void push(std::size_t begin, std::size_t end) {
        tokens_.push_back({std::string(text_.substr(begin, end - begin)), begin, end});
    }

    std::string_view text_;
    std::size_t limit_;
    std::vector<Token> tokens_;
};

bool makes_words(CharKind kind) { return kind == CharKind::Letter || kind == CharKind::Digit; }

/// Apostrophes, hyphens, the soft hyphen, the underscore: between letters they belong to the word.
bool joins_letters(char32_t code) {
    switch (code) {
        case '\'':
        case '-':
        case '_':
        case 0xAD:
        case 0x2010:
        case 0x2011:
        case 0x2019:
            return true;
        default:
            return false;
    }
}

bool joins(const Cluster& before, const Cluster& joint, const Cluster& after) {
    if (!makes_words(after.kind)) return false;
    const bool digits = before.kind == CharKind::Digit && after.kind == CharKind::Digit;
    if (digits) return joint.first == '.' || joint.first == ',' || joint.first == '_';
    return joins_letters(joint.first);
}

/// The end of the word or number that begins with `first`: don't, well-known, covid-19, 3.14, 3rd.
std::size_t word_end(const Reader& reader, Cluster first) {
    const std::size_t enough = first.begin + 4 * kLongestToken;  // the rest becomes the next token
    Cluster last = first;
    while (last.end < enough) {
        const Cluster next = reader.at(last.end);
        if (makes_words(next.kind)) {
            last = next;
            continue;
        }
        if (next.begin == next.end || next.kind == CharKind::Space) break;
        const Cluster after = reader.at(next.end);
        if (!joins(last, next, after)) break;
        last = after;
    }
    return last.end;
}

/// Adds the tokens that begin with `first`, a character of a script without spaces; returns where they end.
using CharacterRun = std::size_t (*)(const Reader&, const Cluster& first, Output&);

/// `auto`: a Han, kana or hangul character by itself.
std::size_t single_character(const Reader&, const Cluster& first, Output& out) {
    out.add(first.begin, first.end);
    return first.end;
}

/// `words`: splits the run into words of the table of meanings so that the product of their frequencies is largest; a
/// character that is in none of them stands alone.
std::size_t likeliest_words(const Reader& reader, const Cluster& first, Output& out) {
    constexpr std::size_t kLongestRun = 256;  // the rest is the next run
    constexpr int kAll = 26, kUnknown = 30;   // powers of two: the count of all words; the cost of an unknown character
    std::vector<std::size_t> ends = {first.begin};
    for (Cluster last = first; last.kind == CharKind::Character && ends.size() <= kLongestRun; last = reader.at(last.end))
        ends.push_back(last.end);
    const std::size_t n = ends.size() - 1;
    // Backwards: the least cost of the rest of the run, and how many characters its first word has.
    std::vector<int> cost(n + 1, 0);
    std::vector<std::size_t> size(n + 1, 1);
    for (std::size_t at = n; at-- > 0;)
        for (std::size_t count = 1; count <= std::min(longest_meaning_word(), n - at); ++count) {
            const int usual = usualness(reader.between(ends[at], ends[at + count]));
            if (usual < 0 && count > 1) continue;
            const int whole = (usual < 0 ? kUnknown : kAll - usual) + cost[at + count];
            if (count > 1 && whole > cost[at]) continue;
            cost[at] = whole;
            size[at] = count;
        }
    for (std::size_t at = 0; at < n; at += size[at]) out.add(ends[at], ends[at + size[at]]);
    return ends.back();
}

std::vector<Token> split_by_script(std::string_view text, std::size_t limit, CharacterRun character_run) {
    const Reader reader(text);
    Output out(text, limit);
    for (std::size_t at = 0; !reader.done(at) && !out.full();) {
        const Cluster cluster = reader.at(at);
        std::size_t end = cluster.end;
        if (cluster.kind == CharKind::Character) {
            at = character_run(reader, cluster, out);
            continue;
        }
        if (makes_words(cluster.kind)) end = word_end(reader, cluster);
        if (cluster.kind != CharKind::Space) out.add(cluster.begin, end);
        at = end;
    }
    return out.take();
}

std::vector<Token> split_auto(std::string_view text, std::size_t limit) {
    return split_by_script(text, limit, single_character);
}

std::vector<Token> split_words(std::string_view text, std::size_t limit) {
    return split_by_script(text, limit, likeliest_words);
}

std::vector<Token> split_characters(std::string_view text, std::size_t limit) {
    Output out(text, limit);
    for (std::size_t at = 0; at < text.size() && !out.full();) {
        const std::size_t end = at + grapheme_length(text, at);
        out.add(at, end);
        at = end;
    }
    return out.take();
}

std::vector<Token> split_bytes(std::string_view text, std::size_t limit) {
    Output out(text, limit);
    for (std::size_t at = 0; at < text.size() && !out.full(); ++at) out.add(at, at + 1);
    return out.take();
}

constexpr Tokenizer kTokenizers[] = {
    {"auto", split_auto},
    {"words", split_words},
    {"characters", split_characters},
    {"bytes", split_bytes},
};

}  // namespace

std::span<const Tokenizer> tokenizers() { return kTokenizers; }

const Tokenizer* find_tokenizer(std::string_view id) {
    for (const Tokenizer& tokenizer : kTokenizers) {
        if (tokenizer.id == id) return &tokenizer;
    }
    return nullptr;
}

Tokens tokenize(std::string_view bytes, const Tokenizer& tokenizer, std::size_t limit) {
    const CleanText clean = clean_utf8(bytes);
    // One more than requested shows whether anything was left over.
    const std::size_t requested = limit == std::numeric_limits<std::size_t>::max() ? limit : limit + 1;
    Tokens result;
    result.tokens = tokenizer.split(clean.text, requested);
    result.replaced = clean.replaced;
    if (result.tokens.size() > limit) {
        result.tokens.pop_back();
        result.cut = true;
    }
    return result;
}

}  // namespace attn
