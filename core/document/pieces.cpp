#include "core/document/pieces.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/document/origins.h"
#include "core/model/model.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

constexpr std::string_view kAuto = "auto";
/// Of a text: so many may become pieces that are shown, and no piece is longer.
constexpr std::size_t kMostCutBytes = kMaxTokens * 64;

struct Pieces {
    std::vector<Piece> pieces;
    bool cut = false;
};

/// A cut within a character would make another of it.
std::string_view shortened(std::string_view text) {
    if (text.size() <= kMostCutBytes) return text;
    std::size_t at = kMostCutBytes;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return text.substr(0, at);
}

Result<Pieces> pieces_of(const TokenizerModel& tokenizer, std::string_view text, bool special) {
    const std::string_view part = shortened(text);
    auto pieces = tokenizer.encode(part, special);
    if (!pieces) return pieces.error();
    Pieces out{std::move(*pieces), part.size() < text.size()};
    if (text.empty()) out.pieces.clear();
    if (out.pieces.size() > kMaxTokens) {
        out.cut = true;
        out.pieces.resize(kMaxTokens);
    }
    return out;
}

std::vector<std::string> names_of(const std::vector<Piece>& pieces) {
    std::vector<std::string> out;
    for (const Piece& piece : pieces) out.push_back(piece.text.empty() ? piece.token : piece.text);
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

std::vector<std::string> piece_names(const TokenizerModel& tokenizer, std::string_view text, bool special, bool* cut, int* replaced) {
    const auto found = pieces_of(tokenizer, text, special);
    if (!found) return {};
    if (cut) *cut = found->cut;
    if (replaced) *replaced = clean_utf8(shortened(text)).replaced;
    return names_of(found->pieces);
}

namespace {

/// Rows of pieces, if `tokens` begin with them; what follows a text is padding. `by_hand`: tokens that are given are the
/// text only where they are as many.
std::optional<std::vector<int>> rows_of_pieces(std::vector<Piece> pieces, std::span<const std::string> tokens, bool by_hand) {
    const std::vector<std::string> names = names_of(pieces);
    if (names.size() > tokens.size() || (by_hand && names.size() < tokens.size()) || !std::equal(names.begin(), names.end(), tokens.begin())) return std::nullopt;
    std::vector<int> ids(tokens.size(), -1);
    for (std::size_t i = 0; i < names.size(); ++i) ids[i] = pieces[i].unknown ? -1 : pieces[i].id;
    return ids;
}

}  // namespace

std::optional<std::vector<int>> piece_ids(const Document& doc, std::span<const std::string> tokens) {
    const TokenizerModel* tokenizer = own_tokenizer(doc);
    if (!tokenizer) return std::nullopt;
    const auto start = start_token(doc);
    if (auto found = pieces_of(start ? *writing_tokenizer(doc) : *tokenizer, doc.text, !start)) {
        if (start) {
            Piece first;
            first.id = *doc.model->start;
            first.text = *start;
            found->pieces.insert(found->pieces.begin(), first);
        }
        if (auto ids = rows_of_pieces(std::move(found->pieces), tokens, !doc.tokens.empty())) return ids;
    }
    if (auto found = pieces_of(*tokenizer, doc.source, true)) return rows_of_pieces(std::move(found->pieces), tokens, false);
    return std::nullopt;
}

namespace {

/// A vocabulary may name tokens that the model has no vectors for; only a text that has one of them is refused.
std::optional<Error> beyond_vectors(const std::vector<Piece>& pieces, const Model& model) {
    const auto rows = static_cast<int>(model.embeddings.rows());
    const auto at = std::find_if(pieces.begin(), pieces.end(), [rows](const Piece& piece) { return piece.id >= rows; });
    if (at == pieces.end()) return std::nullopt;
    return Error{fmt::format("the tokenizer gives \"{}\" the id {}, but the model has vectors for the ids 0 to {} alone (vocab_size in "
                             "config.json); take it out of the text", visible(at->token), at->id, rows - 1), "", "", 0};
}

std::optional<Error> problem_of(const Result<Pieces>& found, const Model& model, std::string_view key) {
    std::optional<Error> out = found ? beyond_vectors(found->pieces, model) : std::optional(found.error());
    if (out) out->key = key;
    return out;
}

}  // namespace

std::optional<Error> text_problem(const Document& doc) {
    const TokenizerModel* tokenizer = own_tokenizer(doc);
    if (!tokenizer) return std::nullopt;
    if (doc.tokens.empty())
        if (auto wrong = problem_of(pieces_of(*writing_tokenizer(doc), doc.text, !start_token(doc)), *doc.model, "text")) return wrong;
    const Form* form = find_form(doc.config.form);
    if (!form || !has(form->reads, Reads::Source)) return std::nullopt;
    return problem_of(pieces_of(*tokenizer, doc.source, true), *doc.model, "source");
}

}  // namespace attn
