#include "core/document/model_tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/document/origins.h"
#include "core/model/model.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

constexpr std::string_view kAuto = "auto";
/// Bytes of a text that are tokenized: enough for kMaxTokens tokens, since no token is longer than 64 bytes.
constexpr std::size_t kMostCutBytes = kMaxTokens * 64;

struct CutText {
    std::vector<ModelToken> tokens;
    bool cut = false;
};

/// Cuts between characters: a cut inside one would change it.
std::string_view shortened(std::string_view text) {
    if (text.size() <= kMostCutBytes) return text;
    std::size_t at = kMostCutBytes;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return text.substr(0, at);
}

Result<CutText> cut_text(const TokenizerModel& tokenizer, std::string_view text, bool special) {
    const std::string_view part = shortened(text);
    auto tokens = tokenizer.encode(part, special);
    if (!tokens) return tokens.error();
    CutText out{std::move(*tokens), part.size() < text.size()};
    if (text.empty()) out.tokens.clear();
    if (out.tokens.size() > kMaxTokens) {
        out.cut = true;
        out.tokens.resize(kMaxTokens);
    }
    return out;
}

std::vector<std::string> names_of(const std::vector<ModelToken>& tokens) {
    std::vector<std::string> out;
    for (const ModelToken& token : tokens) out.push_back(token.text.empty() ? token.spelling : token.text);
    return out;
}

}  // namespace

const TokenizerModel* own_tokenizer(const Document& doc) {
    if (!doc.model || !doc.model->tokenizer || doc.tokenizer != kAuto || !takes_model_vectors(doc)) return nullptr;
    return doc.model->tokenizer.get();
}

const TokenizerModel* writing_tokenizer(const Document& doc) {
    const TokenizerModel* own = own_tokenizer(doc);
    return own && doc.model->writer ? doc.model->writer.get() : own;
}

std::optional<std::string> start_token(const Document& doc) {
    const Form* form = find_form(doc.config.form);
    if (!doc.model || !doc.model->start || !takes_model_vectors(doc) || !form || !has(form->reads, Reads::Source))
        return std::nullopt;
    return doc.model->words[static_cast<std::size_t>(*doc.model->start)];
}

std::vector<std::string> token_texts(const TokenizerModel& tokenizer, std::string_view text, bool special, bool* cut, int* replaced) {
    const auto found = cut_text(tokenizer, text, special);
    if (!found) return {};
    if (cut) *cut = found->cut;
    if (replaced) *replaced = clean_utf8(shortened(text)).replaced;
    return names_of(found->tokens);
}

namespace {

/// Rows of the found tokens, if `tokens` begin with them; what follows the text is padding. `by_hand`: given tokens are
/// this text only if there are equally many.
std::optional<std::vector<int>> rows_of_tokens(std::vector<ModelToken> found, std::span<const std::string> tokens, bool by_hand) {
    const std::vector<std::string> names = names_of(found);
    if (names.size() > tokens.size() || (by_hand && names.size() < tokens.size()) || !std::equal(names.begin(), names.end(), tokens.begin())) return std::nullopt;
    std::vector<int> ids(tokens.size(), -1);
    for (std::size_t i = 0; i < names.size(); ++i) ids[i] = found[i].unknown ? -1 : found[i].id;
    return ids;
}

}  // namespace

SecondText cut_second_text(const TokenizerModel& tokenizer, std::string_view text) {
    SecondText out;
    const auto found = tokenizer.encode_beside(shortened(text));
    if (!found) return out;
    out.names = names_of(*found);
    for (const ModelToken& token : *found) out.ids.push_back(token.unknown ? -1 : token.id);
    if (!found->empty()) out.segment = found->front().segment;
    return out;
}

namespace {

/// The ids of a pair: those of the first text alone, then of the second; the rest is padding.
std::optional<std::vector<int>> pair_ids(const Document& doc, std::span<const std::string> tokens, const SecondText& second) {
    Document alone = doc;
    alone.source.clear();
    const std::vector<std::string> first = tokens_of(alone);
    const std::size_t padding = static_cast<std::size_t>(std::max(doc.padding, 0)), before = first.size() - std::min(padding, first.size());
    const std::span<const std::string> rest = tokens.size() > before ? tokens.subspan(before) : std::span<const std::string>{};
    if (rest.empty() || !std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(before), tokens.begin())) return std::nullopt;
    auto ids = token_ids(alone, tokens.first(before));
    if (!ids) {  // tokens given explicitly
        ids.emplace();
        for (const std::string& token : tokens.first(before)) ids->push_back(doc.model->row_of(token).value_or(-1));
    }
    const std::size_t seconds = std::min(second.ids.size(), rest.size());
    if (!std::equal(second.names.begin(), second.names.begin() + static_cast<std::ptrdiff_t>(seconds), rest.begin())) return std::nullopt;
    ids->insert(ids->end(), second.ids.begin(), second.ids.begin() + static_cast<std::ptrdiff_t>(seconds));
    ids->resize(tokens.size(), -1);
    return ids;
}

}  // namespace

std::optional<std::vector<int>> token_ids(const Document& doc, std::span<const std::string> tokens) {
    const TokenizerModel* tokenizer = own_tokenizer(doc);
    if (!tokenizer) return std::nullopt;
    if (const SecondText second = second_text(doc); !second.names.empty()) return pair_ids(doc, tokens, second);
    const auto start = start_token(doc);
    if (auto found = cut_text(start ? *writing_tokenizer(doc) : *tokenizer, doc.text, !start)) {
        if (start) {
            ModelToken first;
            first.id = *doc.model->start;
            first.text = *start;
            found->tokens.insert(found->tokens.begin(), first);
        }
        if (auto ids = rows_of_tokens(std::move(found->tokens), tokens, !doc.tokens.empty())) return ids;
    }
    if (doc.source.empty()) return std::nullopt;
    if (auto found = cut_text(*tokenizer, doc.source, true)) return rows_of_tokens(std::move(found->tokens), tokens, false);
    return std::nullopt;
}

namespace {

/// A vocabulary may name tokens that the model has no vectors for; only texts that contain one are refused.
std::optional<Error> beyond_vectors(const std::vector<ModelToken>& tokens, const Model& model) {
    const auto rows = static_cast<int>(model.embeddings.rows());
    const auto at = std::find_if(tokens.begin(), tokens.end(), [rows](const ModelToken& token) { return token.id >= rows; });
    if (at == tokens.end()) return std::nullopt;
    return Error{fmt::format("the tokenizer gives \"{}\" the id {}, but the model has vectors for the ids 0 to {} alone (vocab_size in "
                             "config.json); take it out of the text", visible(at->spelling), at->id, rows - 1), "", "", 0};
}

std::optional<Error> problem_of(const Result<CutText>& found, const Model& model, std::string_view key) {
    std::optional<Error> out = found ? beyond_vectors(found->tokens, model) : std::optional(found.error());
    if (out) out->key = key;
    return out;
}

/// Checks a pair's second text; the tokenizer may use segments that the model has no vector for.
std::optional<Error> second_text_problem(const Document& doc, const TokenizerModel* tokenizer) {
    if (!reads_pair(doc) || doc.source.empty()) return std::nullopt;
    if (tokenizer) {
        auto found = tokenizer->encode_beside(shortened(doc.source));
        auto wrong = found ? beyond_vectors(*found, *doc.model) : std::optional(found.error());
        if (wrong) return wrong->key = "source", wrong;
    }
    const int most = doc.model->has("second_token_type") ? 1 : 0, segment = second_text(doc).segment;
    if (segment <= most || !doc.model->has("token_type")) return std::nullopt;
    return Error{fmt::format("the second text is of segment {}, but the model has vectors for {} alone (type_vocab_size in config.json); "
                             "take the second text out", segment, most == 1 ? "the segments 0 and 1" : "segment 0"), "", "source", 0};
}

}  // namespace

std::optional<Error> text_problem(const Document& doc) {
    const TokenizerModel* tokenizer = own_tokenizer(doc);
    if (auto wrong = second_text_problem(doc, tokenizer)) return wrong;
    if (!tokenizer) return std::nullopt;
    if (doc.tokens.empty())
        if (auto wrong = problem_of(cut_text(*writing_tokenizer(doc), doc.text, !start_token(doc)), *doc.model, "text")) return wrong;
    const Form* form = find_form(doc.config.form);
    if (!form || !has(form->reads, Reads::Source)) return std::nullopt;
    return problem_of(cut_text(*tokenizer, doc.source, true), *doc.model, "source");
}

}  // namespace attn
