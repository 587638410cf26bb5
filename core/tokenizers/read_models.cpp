#include <fmt/format.h>

#include "core/base/effort.h"
#include "core/io/safe_text.h"
#include "core/tokenizers/readers.h"

namespace attn::tokenizing {

namespace {

std::shared_ptr<Vocabulary> read_vocab_object(const JsonPart& part) {
    auto out = std::make_shared<Vocabulary>();
    const JsonPart vocab = part.part("vocab");
    for (const JsonMember& word : vocab.value().members) {
        if (word.value.kind != JsonKind::Number || !word.value.is_integer) {
            vocab.fault().note(vocab.path(), fmt::format("the id of {} is no whole number", in_quotes(word.key)),
                               word.key_line);
            return out;
        }
        if (auto problem = out->add(word.key, word.value.integer)) {
            vocab.fault().note(vocab.path(), std::move(*problem), word.key_line);
            return out;
        }
    }
    if (vocab.value().members.empty()) vocab.wrong("the vocabulary is empty");
    return out;
}

/// "a b" or ["a", "b"]
std::optional<std::pair<std::string_view, std::string_view>> merge_texts(const JsonValue& value) {
    if (value.kind == JsonKind::Array && value.items.size() == 2 && value.items[0].kind == JsonKind::String &&
        value.items[1].kind == JsonKind::String)
        return std::pair<std::string_view, std::string_view>{value.items[0].string, value.items[1].string};
    if (value.kind != JsonKind::String) return std::nullopt;
    const std::string_view text = value.string;
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) return std::nullopt;
    return std::pair{text.substr(0, space), text.substr(space + 1)};
}

std::vector<Merge> read_merge_list(const JsonPart& part, const Vocabulary& vocabulary, std::string_view prefix) {
    std::vector<Merge> out;
    const JsonValue* list = part.member("merges");
    if (!list || list->kind != JsonKind::Array) {
        part.wrong("merges", "a list is expected");
        return out;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const auto note = [&](std::string_view message) {
            part.fault().note(fmt::format("{}.merges[{}]", part.path(), i), message, list->items[i].line);
        };
        const auto texts = merge_texts(list->items[i]);
        if (!texts) {
            note("two tokens are expected, \"a b\" or [\"a\", \"b\"]");
            return out;
        }
        auto problem = add_merge(vocabulary, texts->first, texts->second, prefix, out);
        if (problem) {
            note(std::move(*problem));
            return out;
        }
    }
    return out;
}

std::optional<int> unknown_of(const JsonPart& part, const Vocabulary& vocabulary) {
    const auto token = part.maybe_text("unk_token");
    if (!token) return std::nullopt;
    const auto id = vocabulary.find(*token);
    // An unknown token that is not in the vocabulary is never produced; a text that would need it gives an error.
    return id;
}

ReadModel read_bpe_model(const JsonPart& part) {
    ReadModel out;
    out.vocabulary = read_vocab_object(part);
    out.prefix = part.text("continuing_subword_prefix", "");
    out.suffix = part.text("end_of_word_suffix", "");
    out.byte_tokens = part.flag("byte_fallback", false);
    const auto merges = read_merge_list(part, *out.vocabulary, out.prefix);
    out.model = make_bpe(out.vocabulary, merges,
                         {.unknown = unknown_of(part, *out.vocabulary),
                          .byte_fallback = out.byte_tokens,
                          .fuse_unknown = part.flag("fuse_unk", false),
                          .ignore_merges = part.flag("ignore_merges", false),
                          .prefix = out.prefix,
                          .suffix = out.suffix});
    return out;
}

ReadModel read_wordpiece_model(const JsonPart& part) {
    ReadModel out;
    out.vocabulary = read_vocab_object(part);
    out.prefix = part.text("continuing_subword_prefix", "##");
    const std::string unknown = part.text("unk_token", "[UNK]");
    const auto id = out.vocabulary->find(unknown);
    if (!id) part.wrong("unk_token", fmt::format("{} is not in the vocabulary", in_quotes(unknown)));
    out.model = make_wordpiece(
        out.vocabulary, {.unknown = id.value_or(0),
                         .prefix = out.prefix,
                         .longest_word = static_cast<int>(part.whole("max_input_chars_per_word", 1, 10'000, 100))});
    return out;
}

ReadModel read_wordlevel_model(const JsonPart& part) {
    ReadModel out;
    out.vocabulary = read_vocab_object(part);
    out.model = make_wordlevel(out.vocabulary, unknown_of(part, *out.vocabulary));
    return out;
}

ReadModel read_unigram_model(const JsonPart& part) {
    ReadModel out;
    out.vocabulary = std::make_shared<Vocabulary>();
    std::vector<Scored> scores;
    for (const JsonPart& item : part.list("vocab")) {
        const JsonValue& pair = item.value();
        const bool good = pair.kind == JsonKind::Array && pair.items.size() == 2 &&
                          pair.items[0].kind == JsonKind::String && pair.items[1].kind == JsonKind::Number;
        const int id = static_cast<int>(scores.size());
        if (!good) {
            item.wrong("a piece and its score are expected");
            return out;
        }
        if (auto problem = out.vocabulary->add(pair.items[0].string, id)) {
            item.wrong(*problem);
            return out;
        }
        scores.push_back({id, pair.items[1].number});
    }
    if (scores.empty()) part.wrong("vocab", "the vocabulary is empty");
    std::optional<int> unknown;
    if (part.has("unk_id")) unknown = static_cast<int>(part.whole("unk_id", 0, out.vocabulary->size() - 1));
    out.byte_tokens = part.flag("byte_fallback", false);
    out.model = make_unigram(out.vocabulary, scores, {.unknown = unknown, .byte_fallback = out.byte_tokens});
    return out;
}

struct ModelRow {
    std::string_view name;
    ReadModel (*read)(const JsonPart&);
};
const std::vector<ModelRow>& model_rows() {
    static const std::vector<ModelRow> rows = {{"BPE", read_bpe_model},
                                               {"WordPiece", read_wordpiece_model},
                                               {"Unigram", read_unigram_model},
                                               {"WordLevel", read_wordlevel_model}};
    return rows;
}

/// Files of the first versions do not name the model's type, so its members decide.
ReadModel read_by_what_it_has(const JsonPart& part) {
    if (part.has("merges")) return read_bpe_model(part);
    if (part.has("max_input_chars_per_word") || part.has("continuing_subword_prefix"))
        return read_wordpiece_model(part);
    const JsonValue* vocab = part.value().find("vocab");
    return vocab && vocab->kind == JsonKind::Array ? read_unigram_model(part) : read_wordlevel_model(part);
}

}  // namespace

std::optional<std::string> add_merge(const Vocabulary& vocabulary, std::string_view left, std::string_view right,
                                     std::string_view prefix, std::vector<Merge>& out) {
    count_step();
    const std::string_view rest = !prefix.empty() && right.starts_with(prefix) ? right.substr(prefix.size()) : right;
    const std::string whole = std::string(left) + std::string(rest);
    const auto left_id = vocabulary.find(left), right_id = vocabulary.find(right), made = vocabulary.find(whole);
    for (const auto& [id, text] : {std::pair{left_id, left}, {right_id, right}, {made, std::string_view(whole)}})
        if (!id) return fmt::format("the merge names {}, which the vocabulary does not have", in_quotes(text));
    out.push_back({*left_id, *right_id, static_cast<int>(out.size()), *made});
    return std::nullopt;
}

ReadModel read_model_part(const JsonPart& part) {
    if (!part.has("type")) return read_by_what_it_has(part);
    const ModelRow* row = row_of(model_rows(), part, "model");
    return row ? row->read(part) : ReadModel{};
}

}  // namespace attn::tokenizing
