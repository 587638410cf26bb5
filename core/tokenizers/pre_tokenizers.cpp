#include "core/tokenizers/pre_tokenizers.h"

#include <fmt/format.h>

#include <array>

#include "core/io/nesting.h"
#include "core/tokenizers/byte_letters.h"
#include "core/tokenizers/character_rules.h"
#include "core/tokenizers/normalizers.h"
#include "core/tokenizers/split.h"

namespace attn::tokenizing {

const std::string_view kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

namespace {

struct BehaviorRow {
    std::string_view name;
    Behavior behavior;
};
constexpr std::array kBehaviors = {
    BehaviorRow{"Removed", Behavior::Removed},
    BehaviorRow{"Isolated", Behavior::Isolated},
    BehaviorRow{"Contiguous", Behavior::Contiguous},
    BehaviorRow{"MergedWithPrevious", Behavior::MergedWithPrevious},
    BehaviorRow{"MergedWithNext", Behavior::MergedWithNext},
};

Behavior read_behavior(const JsonPart& part) {
    const std::string name = part.text("behavior", "Isolated");
    for (const BehaviorRow& row : kBehaviors)
        if (row.name == name) return row.behavior;
    part.wrong("behavior", fmt::format("there is no \"{}\"; there are {}", name, names_in(kBehaviors)));
    return Behavior::Isolated;
}

/// Splits at each character of a kind.
PreTokenizer split_at_characters(bool (*is)(char32_t), Behavior behavior) {
    return [=](Chunks& chunks, Effort&) {
        return split_chunks(chunks, behavior, false, [&](std::string_view text) { return characters_that(text, is); });
    };
}

/// \w+|[^\w\s]+: words, and runs of what is neither word nor blank.
std::vector<Match> words_and_signs(std::string_view text) {
    std::vector<Match> out;
    int last = 0;
    each_character(text, [&](char32_t code, std::size_t begin, std::size_t end) {
        const int kind = is_white(code) ? 0 : is_word(code) ? 1 : 2;
        if (kind != 0 && kind == last)
            out.back().end = end;
        else if (kind != 0)
            out.push_back({begin, end});
        last = kind;
    });
    return out;
}

PreTokenizer read_byte_level_words(const JsonPart& part) {
    return byte_level(part.flag("add_prefix_space", true), part.flag("use_regex", true));
}

PreTokenizer read_whitespace(const JsonPart&) {
    return [](Chunks& chunks, Effort&) { return split_chunks(chunks, Behavior::Removed, true, words_and_signs); };
}

PreTokenizer read_whitespace_split(const JsonPart&) { return split_at_characters(is_white, Behavior::Removed); }
PreTokenizer read_bert_words(const JsonPart&) { return bert_words(); }
PreTokenizer read_metaspace_words(const JsonPart& part) { return metaspace(read_metaspace(part)); }

PreTokenizer read_punctuation(const JsonPart& part) { return split_at_characters(is_punctuation, read_behavior(part)); }

PreTokenizer read_digits(const JsonPart& part) {
    return split_at_characters(is_numeric,
                               part.flag("individual_digits", false) ? Behavior::Isolated : Behavior::Contiguous);
}

PreTokenizer read_delimiter(const JsonPart& part) {
    return split_at(Search(part.text("delimiter")), Behavior::Removed, false);
}

PreTokenizer read_split(const JsonPart& part) {
    return split_at(read_search(part), read_behavior(part), part.flag("invert", false));
}

PreTokenizer read_words_in_order(const JsonPart& part) {
    std::vector<PreTokenizer> steps;
    for (const JsonPart& item : part.list("pretokenizers")) steps.push_back(read_pre_tokenizer(item));
    return in_order(std::move(steps));
}

}  // namespace

const std::vector<PreTokenizerRow>& pre_tokenizer_rows() {
    static const std::vector<PreTokenizerRow> rows = {
        {"ByteLevel", read_byte_level_words},
        {"Whitespace", read_whitespace},
        {"WhitespaceSplit", read_whitespace_split},
        {"BertPreTokenizer", read_bert_words},
        {"Metaspace", read_metaspace_words},
        {"Punctuation", read_punctuation},
        {"Digits", read_digits},
        {"Split", read_split},
        {"CharDelimiterSplit", read_delimiter},
        {"Sequence", read_words_in_order},
    };
    return rows;
}

PreTokenizer read_pre_tokenizer(const JsonPart& part) {
    const Nested level(part.fault().depth);
    if (level.too_deep()) part.wrong("pre-tokenizers are nested too deep");
    const PreTokenizerRow* row = part.fault().error ? nullptr : row_of(pre_tokenizer_rows(), part, "pre-tokenizer");
    return row ? row->read(part) : in_order({});
}

PreTokenizer in_order(std::vector<PreTokenizer> steps) {
    return [steps = std::move(steps)](Chunks& chunks, Effort& effort) -> Result<Done> {
        for (const PreTokenizer& step : steps) {
            if (auto done = step(chunks, effort); !done) return done.error();
            std::size_t size = 0;
            for (const Chunk& chunk : chunks) size += chunk.text.text.size();
            if (auto done = effort.check_size(size); !done) return done.error();
        }
        return Done{};
    };
}

PreTokenizer split_at(Search search, Behavior behavior, bool invert) {
    return [=](Chunks& chunks, Effort& effort) {
        return split_chunks(chunks, behavior, invert,
                            [&](std::string_view text) { return search.find_all(text, effort); });
    };
}

PreTokenizer byte_level(bool add_space, bool use_pattern) {
    const auto letters = [](Chunks& chunks, Effort&) -> Result<Done> {
        for (Chunk& chunk : chunks)
            if (chunk.id < 0) chunk.text = to_byte_letters(chunk.text);
        return Done{};
    };
    const auto space = [](Chunks& chunks, Effort&) -> Result<Done> {
        for (Chunk& chunk : chunks)
            if (chunk.id < 0 && !chunk.text.text.starts_with(' ')) chunk.text.prepend(" ");
        return Done{};
    };
    std::vector<PreTokenizer> steps;
    if (add_space) steps.emplace_back(space);
    // The pattern is built in, so it is a valid regular expression.
    if (use_pattern) steps.push_back(split_at(Search(*Pattern::make(kGpt2Pattern)), Behavior::Isolated, false));
    steps.emplace_back(letters);
    return in_order(std::move(steps));
}

PreTokenizer bert_words() {
    return in_order(
        {split_at_characters(is_white, Behavior::Removed), split_at_characters(is_punctuation, Behavior::Isolated)});
}

MetaspaceChoices read_metaspace(const JsonPart& part) {
    MetaspaceChoices out;
    out.mark = part.text("replacement", "\u2581");
    out.split = part.flag("split", true);
    if (code_points(out.mark) != 1) part.wrong("replacement", "one character is expected");
    const std::string scheme = part.text("prepend_scheme", part.flag("add_prefix_space", true) ? "always" : "never");
    if (scheme == "first")
        out.prepend = Prepend::First;
    else if (scheme == "never")
        out.prepend = Prepend::Never;
    else if (scheme != "always")
        part.wrong("prepend_scheme", fmt::format("there is no \"{}\"; there are always, first, never", scheme));
    return out;
}

PreTokenizer metaspace(MetaspaceChoices choices) {
    Search marks(choices.mark);
    return
        [choices = std::move(choices), spaces = Search(" "), marks = std::move(marks)](Chunks& chunks, Effort& effort) -> Result<Done> {
            for (Chunk& chunk : chunks) {
                if (chunk.id >= 0 || chunk.text.empty()) continue;
                AlignedText& text = chunk.text;
                if (auto done = replace_found(text, spaces, choices.mark, effort); !done) return done;
                const bool first = choices.prepend == Prepend::Always ||
                                   (choices.prepend == Prepend::First && text.from.front().begin == 0);
                if (first && !text.text.starts_with(choices.mark)) text.prepend(choices.mark);
            }
            if (!choices.split) return Done{};
            return split_chunks(chunks, Behavior::MergedWithNext, false,
                                [&](std::string_view text) { return marks.find_all(text, effort); });
        };
}

}  // namespace attn::tokenizing
