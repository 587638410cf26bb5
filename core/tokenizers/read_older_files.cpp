#include <fmt/format.h>

#include "core/io/safe_text.h"
#include "core/text/byte_order_mark.h"
#include "core/tokenizers/readers.h"

namespace attn::tokenizing {

namespace {

/// Qwen's pattern: Llama 3's, but with single digits.
constexpr std::string_view kQwenPattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

std::vector<std::string_view> lines_of(std::string_view text) {
    text = without_byte_order_mark(text);
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        out.push_back(line);
        at = end + 1;
    }
    return out;
}

/// One token per line; the line number is its id. Of two equal lines the later one counts, as in the published library.
std::optional<Error> read_lines(const TokenizerFiles& files, Vocabulary& out, std::vector<std::string>& notes) {
    const auto lines = lines_of(files.vocab_txt);
    int again = 0;
    std::string first;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() && i + 1 == lines.size()) break;
        if (const auto before = out.find(lines[i]); before && ++again == 1)
            first = fmt::format("{} in the lines {} and {}", in_quotes(lines[i]), *before + 1, i + 1);
        if (auto problem = out.rename(lines[i], static_cast<std::int64_t>(i)))
            return Error{std::move(*problem), place_of(files, "vocab.txt"), "", static_cast<int>(i) + 1};
    }
    if (again > 0) notes.push_back(fmt::format("vocab.txt: {} of its lines occur twice (the first: {}); the later line counts", again, first));
    if (out.size() == 0) return Error{"the vocabulary is empty", place_of(files, "vocab.txt"), "", 0};
    return std::nullopt;
}

Result<std::vector<Merge>> read_merges(const TokenizerFiles& files, const Vocabulary& vocabulary) {
    std::vector<Merge> out;
    const auto lines = lines_of(files.merges);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (line.empty() || line.starts_with("#version")) continue;
        const std::size_t space = line.find(' ');
        const auto wrong = [&](std::string message) {
            return Error{std::move(message), place_of(files, "merges.txt"), "", static_cast<int>(i) + 1};
        };
        if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
            return wrong("two tokens with a space between them are expected");
        if (auto problem = add_merge(vocabulary, line.substr(0, space), line.substr(space + 1), "", out))
            return wrong(std::move(*problem));
    }
    return out;
}

std::optional<Error> fill_words(const TokenizerFiles& files, const TokenizerConfig& config, const TokenizerClass& row,
                                Pipeline& out, std::shared_ptr<Vocabulary> own) {
    const bool lowercase = config.lowercase.value_or(true);
    out.normalizer = bert_normalizer({.set_han_apart = config.han_apart.value_or(true),
                                      .strip_accents = config.strip_accents.value_or(lowercase),
                                      .lowercase = lowercase});
    out.pre_tokenizer = bert_words();
    out.decoder = wordpiece_decoder("##", true);
    out.spelling.prefix = "##";
    const std::string_view name = token_of_role(config, row, "unk");
    const auto unknown = own->find(name);
    if (!unknown)
        return Error{fmt::format("the unknown token {} is not in it", in_quotes(name)), place_of(files, "vocab.txt"),
                     "", 0};
    out.model = make_wordpiece(std::move(own), {.unknown = *unknown});
    return std::nullopt;
}

std::optional<Error> fill_bytes(const TokenizerFiles& files, const TokenizerConfig& config, const TokenizerClass& row,
                                Pipeline& out, std::shared_ptr<Vocabulary> own) {
    const auto merges = read_merges(files, *own);
    if (!merges) return merges.error();
    const bool space = config.add_space.value_or(false);
    if (row.qwen) {
        out.normalizer = normal_form_c();
        // The pattern is built in, so it is a valid regular expression.
        out.pre_tokenizer = in_order(
            {split_at(Search(*Pattern::make(kQwenPattern)), Behavior::Isolated, false), byte_level(space, false)});
    } else {
        out.pre_tokenizer = byte_level(space, true);
    }
    out.decoder = byte_level_decoder();
    out.spelling.byte_letters = true;
    BpeChoices choices;
    const auto named = config.roles.find("unk");
    if (named != config.roles.end()) choices.unknown = own->find(named->second.content);
    out.model = make_bpe(std::move(own), *merges, choices);
    return std::nullopt;
}

}  // namespace

std::optional<Error> read_plain_vocabulary(const TokenizerFiles& files, Vocabulary& out) {
    const std::string where = place_of(files, "vocab.json");
    const auto root = parse_large(files.vocab_json, where);
    if (!root) return root.error();
    if (root->kind != JsonKind::Object || root->members.empty())
        return Error{"an object of tokens and their ids is expected", where, "", root->line};
    for (const JsonMember& word : root->members) {
        if (word.value.kind != JsonKind::Number || !word.value.is_integer)
            return Error{fmt::format("the id of {} is no whole number", in_quotes(word.key)), where, "", word.key_line};
        if (auto problem = out.add(word.key, word.value.integer))
            return Error{std::move(*problem), where, "", word.key_line};
    }
    return std::nullopt;
}

Result<PipelinePtr> read_older_files(const TokenizerFiles& files, const TokenizerConfig& config, const TokenizerClass& row) {
    const bool words = row.files == ClassFiles::Words;
    if (!words && files.merges.empty())
        return Error{"vocab.json alone does not say how words are cut: merges.txt is missing", files.where, "", 0};
    auto own = std::make_shared<Vocabulary>();
    std::vector<std::string> notes;
    if (auto error = words ? read_lines(files, *own, notes) : read_plain_vocabulary(files, *own)) return *std::move(error);
    auto out = std::make_unique<Pipeline>();
    out->notes = std::move(notes);
    if (auto error = words ? fill_words(files, config, row, *out, own) : fill_bytes(files, config, row, *out, own))
        return *std::move(error);
    const std::string where = place_of(files, words ? "vocab.txt" : "vocab.json");
    TokenList added;
    added.add_numbered(config);
    added.add_special(config, &row, *own);
    if (auto error = finish_pipeline(*out, *own, added.take(), where)) return *std::move(error);
    if (auto problem = put_around(config, row, *out)) return Error{*std::move(problem), where, "", 0};
    return out;
}

}  // namespace attn::tokenizing
