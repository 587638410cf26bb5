#include "core/train/shipped/tokenizer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/io/json_writer.h"
#include "core/text/unicode.h"
#include "core/tokenizers/byte_letters.h"
#include "core/tokenizers/pattern.h"

namespace attn::train {
namespace {

constexpr std::string_view kStretch = R"(\p{Han}| ?(?:(?!\p{Han})\p{L})+| ?\p{N}| ?[^\s\p{L}\p{N}]|\s)";
constexpr int kBytes = 256;

const tokenizing::Pattern& stretch_pattern() {
    static const tokenizing::Pattern kPattern = *tokenizing::Pattern::make(kStretch);
    return kPattern;
}

using StretchCounts = std::map<std::string, std::int64_t, std::less<>>;

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
}

class Trained {
public:
    Trained() {
        for (int byte = 0; byte < kBytes; ++byte) add(std::string(1, static_cast<char>(byte)));
    }

    /// The token of both together, new or existing.
    int merge(int left, int right) {
        const std::string whole = bytes_[static_cast<std::size_t>(left)] + bytes_[static_cast<std::size_t>(right)];
        if (const auto there = ids_.find(whole); there != ids_.end()) return there->second;
        merges_.emplace_back(left, right);
        return add(whole);
    }

    /// Adds a character's bytes, merging from the first on.
    void add_character(std::string_view character) {
        int so_far = static_cast<std::uint8_t>(character[0]);
        for (std::size_t i = 1; i < character.size(); ++i) so_far = merge(so_far, static_cast<std::uint8_t>(character[i]));
    }

    std::string json() const {
        JsonWriter out;
        out.begin_object();
        put(out, "version", "1.0");
        out.key("added_tokens"), out.begin_array(), out.end_array();
        out.key("normalizer"), out.null();
        put_cutting(out);
        out.key("post_processor"), out.null();
        out.key("decoder"), put_byte_level(out);
        out.key("model"), out.begin_object();
        put(out, "type", "BPE");
        out.key("vocab"), out.begin_object();
        for (std::size_t id = 0; id < bytes_.size(); ++id) out.key(letters(id)), out.integer(static_cast<std::int64_t>(id));
        out.end_object();
        out.key("merges"), out.begin_array();
        for (const auto& [left, right] : merges_)
            out.string(letters(static_cast<std::size_t>(left)) + " " + letters(static_cast<std::size_t>(right)));
        out.end_array(), out.end_object(), out.end_object();
        return out.take();
    }

private:
    int add(std::string bytes) {
        ids_.emplace(bytes, static_cast<int>(bytes_.size()));
        bytes_.push_back(std::move(bytes));
        return static_cast<int>(bytes_.size()) - 1;
    }
    std::string letters(std::size_t id) const {
        std::string out;
        for (const char byte : bytes_[id]) out += encode_utf8(tokenizing::byte_letter(static_cast<std::uint8_t>(byte)));
        return out;
    }
    static void put(JsonWriter& out, std::string_view key, std::string_view text) { out.key(key), out.string(text); }
    static void put_byte_level(JsonWriter& out) {
        out.begin_object();
        put(out, "type", "ByteLevel");
        for (const char* key : {"add_prefix_space", "trim_offsets", "use_regex"}) out.key(key), out.boolean(false);
        out.end_object();
    }
    static void put_cutting(JsonWriter& out) {
        out.key("pre_tokenizer"), out.begin_object();
        put(out, "type", "Sequence");
        out.key("pretokenizers"), out.begin_array();
        out.begin_object();
        put(out, "type", "Split");
        out.key("pattern"), out.begin_object(), put(out, "Regex", kStretch), out.end_object();
        put(out, "behavior", "Isolated");
        out.key("invert"), out.boolean(false), out.end_object();
        put_byte_level(out);
        out.end_array(), out.end_object();
    }

    std::vector<std::string> bytes_;
    std::unordered_map<std::string, int> ids_;
    std::vector<std::pair<int, int>> merges_;
};

using Pair = std::pair<int, int>;
struct PairHash {
    std::size_t operator()(const Pair& p) const { return static_cast<std::size_t>(p.first) * 1'000'003 + static_cast<std::size_t>(p.second); }
};

/// Words during merging, and which of them contain a pair.
class WordMerger {
public:
    explicit WordMerger(const StretchCounts& counts) {
        for (const auto& [text, count] : counts) {
            if (!is_ascii(text) || text.size() < 2) continue;
            Word word{{}, count};
            for (const char byte : text) word.pieces.push_back(static_cast<std::uint8_t>(byte));
            words_.push_back(std::move(word));
            tally(words_.size() - 1, 1);
        }
    }

    /// The most frequent pair; in a tie the first by ids. Nothing if no pair occurs twice.
    std::optional<Pair> best() const {
        std::optional<Pair> best;
        std::int64_t most = 1;
        for (const auto& [pair, site] : pairs_)
            if (site.count > most || (best && site.count == most && pair < *best)) best = pair, most = site.count;
        return best;
    }

    void merge(Pair pair, int made) {
        std::vector<std::size_t> where = std::move(pairs_[pair].words);
        std::sort(where.begin(), where.end());
        where.erase(std::unique(where.begin(), where.end()), where.end());
        for (const std::size_t w : where) {
            tally(w, -1);
            std::vector<int>& p = words_[w].pieces;
            std::size_t to = 0;
            for (std::size_t from = 0; from < p.size(); ++to) {
                const bool both = from + 1 < p.size() && p[from] == pair.first && p[from + 1] == pair.second;
                p[to] = both ? made : p[from];
                from += both ? 2 : 1;
            }
            p.resize(to);
            tally(w, 1);
        }
        pairs_.erase(pair);
    }

private:
    struct Word {
        std::vector<int> pieces;
        std::int64_t count;
    };
    struct Site {
        std::int64_t count = 0;
        std::vector<std::size_t> words;
    };
    void tally(std::size_t w, int sign) {
        const Word& word = words_[w];
        for (std::size_t i = 0; i + 1 < word.pieces.size(); ++i) {
            Site& site = pairs_[{word.pieces[i], word.pieces[i + 1]}];
            site.count += sign * word.count;
            if (sign > 0) site.words.push_back(w);
        }
    }

    std::vector<Word> words_;
    std::unordered_map<Pair, Site, PairHash> pairs_;
};

/// The most frequent non-ASCII characters.
std::vector<std::string> frequent_characters(const StretchCounts& stretches, int most) {
    StretchCounts counts;
    for (const auto& [text, count] : stretches)
        for (std::size_t at = 0; at < text.size();) {
            const auto length = static_cast<std::size_t>(decode_utf8(text, at).length);
            if (length > 1) counts[text.substr(at, length)] += count;
            at += length;
        }
    std::vector<std::pair<std::string, std::int64_t>> order(counts.begin(), counts.end());
    std::erase_if(order, [](const auto& one) { return one.second < 2; });
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (order.size() > static_cast<std::size_t>(most)) order.resize(static_cast<std::size_t>(most));
    std::vector<std::string> out;
    for (auto& one : order) out.push_back(std::move(one.first));
    return out;
}

}  // namespace

void for_stretches(std::string_view text, const std::function<void(std::string_view)>& use) {
    tokenizing::Effort effort(text.size());
    const auto found = stretch_pattern().find_all(text, effort);
    assert(found);
    for (const tokenizing::Match& one : *found) use(text.substr(one.begin, one.end - one.begin));
}

std::string train_tokenizer(std::span<const std::string> texts, const TokenCounts& counts) {
    StretchCounts stretches;
    for (const std::string& text : texts)
        for_stretches(text, [&](std::string_view stretch) {
            if (const auto there = stretches.find(stretch); there != stretches.end())
                ++there->second;
            else
                stretches.emplace(std::string(stretch), 1);
        });
    Trained trained;
    for (const std::string& character : frequent_characters(stretches, counts.characters)) trained.add_character(character);
    WordMerger words(stretches);
    for (int i = 0; i < counts.merged; ++i) {
        const auto pair = words.best();
        if (!pair) break;
        words.merge(*pair, trained.merge(pair->first, pair->second));
    }
    return trained.json();
}

}  // namespace attn::train
