#include "core/train/shipped/corpus.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "core/base/random.h"
#include "core/tokenizers/byte_letters.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn::train {
namespace {

/// Tokenizes stretches, and caches the result for repeated ones.
class Cutter {
public:
    explicit Cutter(const TokenizerModel& tokenizer) : tokenizer_(tokenizer) {}

    void cut(std::string_view text, std::vector<std::uint16_t>& out) {
        for_stretches(text, [&](std::string_view stretch) {
            auto known = known_.find(std::string(stretch));
            if (known == known_.end()) {
                const auto cut = tokenizer_.encode(stretch, false);
                assert(cut);
                std::vector<std::uint16_t> ids;
                for (const ModelToken& piece : *cut) ids.push_back(static_cast<std::uint16_t>(piece.id));
                known = known_.emplace(std::string(stretch), std::move(ids)).first;
            }
            out.insert(out.end(), known->second.begin(), known->second.end());
        });
    }

private:
    const TokenizerModel& tokenizer_;
    std::unordered_map<std::string, std::vector<std::uint16_t>> known_;
};

/// Where examples begin: at the first line that the previous example does not contain completely; or where the previous
/// one ended, inside a line longer than an example. With by_line: at every line.
std::vector<std::uint32_t> starts_of(const std::vector<std::uint32_t>& lines, std::size_t tokens, int longest, bool by_line) {
    const auto needed = static_cast<std::size_t>(longest) + 1;
    std::vector<std::uint32_t> out;
    if (by_line) {
        std::copy_if(lines.begin(), lines.end(), std::back_inserter(out), [&](std::uint32_t line) { return line + needed <= tokens; });
        return out;
    }
    for (std::size_t at = 0; at + needed <= tokens;) {
        out.push_back(static_cast<std::uint32_t>(at));
        const std::size_t past = at + static_cast<std::size_t>(longest);
        auto line = std::upper_bound(lines.begin(), lines.end(), past);  // the first after it; the one before is cut
        assert(line != lines.begin());
        --line;
        at = *line > at ? *line : past;
    }
    return out;
}

TextStream stream_of(const TextSource* source, const std::vector<const std::string*>& documents, Cutter& cutter,
                     std::uint16_t line_feed, int longest) {
    TextStream out;
    out.source = source;
    std::vector<std::uint32_t> lines;
    for (const std::string* document : documents)
        for (std::size_t at = 0; at < document->size();) {
            const std::size_t end = std::min(document->find('\n', at), document->size());
            lines.push_back(static_cast<std::uint32_t>(out.tokens.size()));
            cutter.cut(std::string_view(*document).substr(at, end - at), out.tokens);
            out.tokens.push_back(line_feed);
            at = end + 1;
        }
    out.starts = starts_of(lines, out.tokens.size(), longest, source && source->by_line);
    return out;
}

std::uint16_t line_feed_of(const TokenizerModel& tokenizer) { return static_cast<std::uint16_t>(*tokenizer.id_of("\u010A")); }

}  // namespace

int Corpus::vocabulary() const { return tokenizer->size(); }

bool is_held_out(std::string_view document) {
    constexpr std::uint64_t kShares = 10'000;
    Random random(hash_bytes(document));
    return static_cast<double>(random.next() % kShares) < kHeldOutShare * static_cast<double>(kShares);
}

TextStream text_stream(const TextSource* source, const std::vector<std::string>& documents, const TokenizerModel& tokenizer, int longest) {
    Cutter cutter(tokenizer);
    std::vector<const std::string*> all;
    for (const std::string& document : documents) all.push_back(&document);
    return stream_of(source, all, cutter, line_feed_of(tokenizer), longest);
}

Result<std::shared_ptr<const Corpus>> make_corpus(std::span<const TextSource> sources, const TokenCounts& counts, int longest) {
    const auto out = std::make_shared<Corpus>();
    out->longest = longest;
    std::vector<std::vector<std::string>> texts;
    std::vector<std::string> training;
    for (const TextSource& source : sources) {
        auto documents = source.read();
        if (!documents) return documents.error();
        for (const std::string& document : *documents)
            if (!is_held_out(document)) training.push_back(document);
        texts.push_back(std::move(*documents));
    }
    auto read = read_tokenizer({.where = "the trained tokenizer", .tokenizer_json = train_tokenizer(training, counts), .keep = true});
    if (!read) return read.error();
    out->tokenizer = std::move(*read);
    Cutter cutter(*out->tokenizer);
    for (std::size_t s = 0; s < sources.size(); ++s)
        for (const bool held_out : {false, true}) {
            std::vector<const std::string*> side;
            for (const std::string& document : texts[s])
                if (is_held_out(document) == held_out) side.push_back(&document);
            (held_out ? out->held_out : out->seen).push_back(stream_of(&sources[s], side, cutter, line_feed_of(*out->tokenizer), longest));
        }
    return std::shared_ptr<const Corpus>(out);
}

std::vector<int> token_characters(const TokenizerModel& tokenizer) {
    std::vector<int> out;
    for (int id = 0; id < tokenizer.size(); ++id) {
        const std::string bytes = tokenizing::bytes_of_letters(tokenizer.token(id)).value_or("");
        // A character counts at its first byte.
        out.push_back(static_cast<int>(std::count_if(bytes.begin(), bytes.end(), [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0) != 0x80; })));
    }
    return out;
}

}  // namespace attn::train
