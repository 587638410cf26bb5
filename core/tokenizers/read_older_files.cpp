#include <fmt/format.h>

#include <array>

#include "core/io/safe_text.h"
#include "core/tokenizers/readers.h"

namespace attn::pieces {

namespace {

/// Qwen's pattern: as Llama 3's, but digits one by one.
constexpr std::string_view kQwenPattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// How the classes of tokenizers with vocab.json and merges.txt, or vocab.txt, differ.
struct OlderClass {
    std::string_view name;
    bool words;                ///< vocab.txt: WordPiece; else byte-level merges
    std::string_view begin{};  ///< around a text
    std::string_view end{};
    bool qwen = false;  ///< NFC and its own pattern
};
constexpr std::array kOlderClasses = {
    OlderClass{"GPT2Tokenizer", false},
    OlderClass{"GPTNeoXTokenizer", false},
    OlderClass{"CodeGenTokenizer", false},
    OlderClass{"RobertaTokenizer", false, "<s>", "</s>"},
    OlderClass{"BartTokenizer", false, "<s>", "</s>"},
    OlderClass{"LongformerTokenizer", false, "<s>", "</s>"},
    OlderClass{"Qwen2Tokenizer", false, "", "", true},
    OlderClass{"BertTokenizer", true, "[CLS]", "[SEP]"},
    OlderClass{"DistilBertTokenizer", true, "[CLS]", "[SEP]"},
    OlderClass{"ElectraTokenizer", true, "[CLS]", "[SEP]"},
};

std::vector<std::string_view> lines_of(std::string_view text) {
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

/// One token a line; the line is its id.
std::optional<Error> read_lines(const TokenizerFiles& files, Vocabulary& out) {
    const auto lines = lines_of(files.vocab_txt);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() && i + 1 == lines.size()) break;
        if (auto problem = out.add(lines[i], static_cast<std::int64_t>(i)))
            return Error{std::move(*problem), place_of(files, "vocab.txt"), "", static_cast<int>(i) + 1};
    }
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

/// The tokens that have a part to play, found in texts as they stand.
std::vector<AddedToken> added_of(const TokenizerConfig& config, const OlderClass& row, const Vocabulary& own) {
    std::vector<AddedToken> out = config.added;
    std::vector<std::string> names;
    for (const auto& [role, token] : config.roles) names.push_back(token);
    for (const std::string_view usual :
         {std::string_view("<|endoftext|>"), row.begin, row.end, std::string_view("<mask>"), std::string_view("<unk>"),
          std::string_view("<pad>"), std::string_view("[MASK]"), std::string_view("[UNK]"), std::string_view("[PAD]")})
        names.emplace_back(usual);
    for (const std::string& name : names) {
        const auto id = own.find(name);
        const bool there = std::any_of(out.begin(), out.end(), [&](const AddedToken& t) { return t.content == name; });
        if (name.empty() || !id || there) continue;
        out.push_back({.content = name, .id = *id, .lstrip = name == "<mask>", .normalized = false, .special = true});
    }
    return out;
}

std::optional<Error> fill_words(const TokenizerFiles& files, const TokenizerConfig& config, Pipeline& out,
                                std::shared_ptr<Vocabulary> own) {
    const bool lowercase = config.lowercase.value_or(true);
    out.normalizer = bert_normalizer({.set_han_apart = config.han_apart.value_or(true),
                                      .strip_accents = config.strip_accents.value_or(lowercase),
                                      .lowercase = lowercase});
    out.pre_tokenizer = bert_words();
    out.decoder = wordpiece_decoder("##", true);
    out.spelling.prefix = "##";
    const auto named = config.roles.find("unk");
    const std::string name = named == config.roles.end() ? "[UNK]" : named->second;
    const auto unknown = own->find(name);
    if (!unknown)
        return Error{fmt::format("the unknown token {} is not in it", in_quotes(name)), place_of(files, "vocab.txt"),
                     "", 0};
    out.model = make_wordpiece(std::move(own), {.unknown = *unknown});
    return std::nullopt;
}

std::optional<Error> fill_bytes(const TokenizerFiles& files, const TokenizerConfig& config, const OlderClass& row,
                                Pipeline& out, std::shared_ptr<Vocabulary> own) {
    const auto merges = read_merges(files, *own);
    if (!merges) return merges.error();
    const bool space = config.add_space.value_or(false);
    if (row.qwen) {
        out.normalizer = normal_form_c();
        // The pattern is the program's own: it is a regular expression.
        out.pre_tokenizer = in_order(
            {split_at(Search(*Pattern::make(kQwenPattern)), Behavior::Isolated, false), byte_level(space, false)});
    } else {
        out.pre_tokenizer = byte_level(space, true);
    }
    out.decoder = byte_level_decoder();
    out.spelling.byte_letters = true;
    BpeChoices choices;
    const auto named = config.roles.find("unk");
    if (named != config.roles.end()) choices.unknown = own->find(named->second);
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

Result<PipelinePtr> read_older_files(const TokenizerFiles& files, const TokenizerConfig& config) {
    const bool words = !files.vocab_txt.empty();
    std::string name = config.tokenizer_class;
    if (name.empty() || name == "PreTrainedTokenizer") name = words ? "BertTokenizer" : "GPT2Tokenizer";
    const auto row = std::find_if(kOlderClasses.begin(), kOlderClasses.end(),
                                  [&](const OlderClass& one) { return one.name == name; });
    if (row == kOlderClasses.end() || row->words != words)
        return Error{fmt::format("there is no {} with {} here; there are {}", in_quotes(name),
                                 words ? "vocab.txt" : "vocab.json", names_in(kOlderClasses)),
                     place_of(files, "tokenizer_config.json"), "tokenizer_class", 0};
    if (!words && files.merges.empty())
        return Error{"vocab.json alone does not say how words are cut: merges.txt is missing", files.where, "", 0};
    auto own = std::make_shared<Vocabulary>();
    if (auto error = words ? read_lines(files, *own) : read_plain_vocabulary(files, *own)) return *std::move(error);
    auto out = std::make_unique<Pipeline>();
    if (auto error = words ? fill_words(files, config, *out, own) : fill_bytes(files, config, *row, *out, own))
        return *std::move(error);
    const std::string where = place_of(files, words ? "vocab.txt" : "vocab.json");
    if (auto error = finish_pipeline(*out, *own, added_of(config, *row, *own), where)) return *std::move(error);
    for (const auto& [token, side] : {std::pair{row->begin, &out->before}, {row->end, &out->after}}) {
        if (token.empty()) continue;
        const auto id = out->vocabulary->find(token);
        if (!id)
            return Error{fmt::format("{} is missing, which stands around each text", in_quotes(token)), where, "", 0};
        side->push_back(*id);
    }
    return out;
}

}  // namespace attn::pieces
