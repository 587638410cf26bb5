// The tokens of a document's texts.
#include <algorithm>

#include "core/document/document.h"
#include "core/document/internal.h"
#include "core/document/model_tokens.h"
#include "core/document/origins.h"
#include "core/document/scene.h"
#include "core/document/take.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/model.h"
#include "core/text/tokenizer.h"

namespace attn {
namespace {

bool reads_source(const Document& doc) {
    const Form* form = find_form(doc.config.form);
    return form && has(form->reads, Reads::Source);
}

void add_padding(const Document& doc, std::vector<std::string>& tokens) {
    tokens.insert(tokens.end(), static_cast<std::size_t>(std::max(doc.padding, 0)), std::string(kPadding));
}

std::vector<std::string> region_names() {
    std::vector<std::string> out;
    for (int region = 0; region < kSceneRegions; ++region) out.push_back(region_name(region));
    return out;
}

/// `own`: the model's tokenizer, if the document leaves the choice to it; `special`: with the tokenizer's special
/// tokens.
std::vector<std::string> split(const Document& doc, std::string_view text, const TokenizerModel* own, bool special, bool* cut, int* replaced) {
    std::vector<std::string> out;
    if (own) return token_texts(*own, text, special, cut, replaced);
    const Tokenizer* way = find_tokenizer(doc.tokenizer);
    if (!way) return out;
    const Tokens found = tokenize(text, *way, kMaxTokens);
    for (const Token& token : found.tokens) out.push_back(token.text);
    if (cut) *cut = found.cut;
    if (replaced) *replaced = found.replaced;
    return out;
}

/// The tokens of the text, after the token that a decoder's text begins with.
std::vector<std::string> text_tokens(const Document& doc, bool* cut, int* replaced) {
    const auto start = start_token(doc);
    if (!start) return split(doc, doc.text, own_tokenizer(doc), true, cut, replaced);
    std::vector<std::string> out = split(doc, doc.text, writing_tokenizer(doc), false, cut, replaced);
    out.insert(out.begin(), *start);
    if (out.size() > kMaxTokens) out.pop_back();
    return out;
}

/// The given tokens, or else the tokenized text.
std::vector<std::string> text_tokens_of(const Document& doc, bool* cut, int* replaced) {
    return doc.tokens.empty() ? text_tokens(doc, cut, replaced) : doc.tokens;
}

void add_second_text(const Document& doc, std::vector<std::string>& tokens, bool* cut) {
    const std::vector<std::string> second = second_text(doc).names;
    tokens.insert(tokens.end(), second.begin(), second.end());
    if (tokens.size() <= kMaxTokens || second.empty()) return;
    tokens.resize(std::max(kMaxTokens, tokens.size() - second.size()));
    if (cut) *cut = true;
}

/// The names in the file; missing ones are numbered, as for a matrix without words.
std::vector<std::string> named_or_numbered(const std::vector<std::string>& names, int count, char letter) {
    std::vector<std::string> out = names;
    for (int i = static_cast<int>(out.size()); i < count; ++i) out.push_back(letter + std::to_string(i + 1));
    return out;
}

}  // namespace

bool reads_pair(const Document& doc) {
    const Form* form = find_form(doc.config.form);
    if (!form || !doc.model || !doc.model->pairs || doc.attention || doc.matrix(Given::X) || !takes_model_vectors(doc)) return false;
    return has(form->reads, Reads::Blocks) && !has(form->reads, Reads::Source) && !has(form->reads, Reads::Generate);
}

void fit_source(Document& doc, bool pair) {
    static const Document kDefaults;
    if (reads_pair(doc) == pair) return;
    if (!pair)
        doc.source.clear();
    else if (doc.source.empty())
        doc.source = kDefaults.source;
}

SecondText second_text(const Document& doc) {
    SecondText out;
    if (!reads_pair(doc) || doc.source.empty()) return out;
    if (const TokenizerModel* own = own_tokenizer(doc)) return cut_second_text(*own, doc.source);
    out.names = split(doc, doc.source, nullptr, false, nullptr, nullptr);
    out.segment = doc.model->has("second_token_type") ? 1 : 0;
    return out;
}

std::vector<int> segments_of(const Document& doc, std::size_t tokens) {
    const SecondText second = second_text(doc);
    if (second.names.empty() || tokens == 0) return {};
    const std::size_t padding = static_cast<std::size_t>(std::max(doc.padding, 0)), first = text_tokens_of(doc, nullptr, nullptr).size();
    std::vector<int> out(tokens, 0);
    for (std::size_t i = first; i + padding < tokens; ++i) out[i] = second.segment;
    return out;
}

std::vector<std::string> tokens_of(const Document& doc, bool* cut, int* replaced) {
    if (doc.attention && doc.tokens.empty() && doc.text.empty())
        return named_or_numbered(doc.attention->tokens, doc.attention->queries, 'x');
    if (shows_picture(doc)) return doc.picture ? picture_tokens(*doc.model->picture) : std::vector<std::string>{};
    std::vector<std::string> out = text_tokens_of(doc, cut, replaced);
    if (!out.empty()) add_second_text(doc, out, cut);
    if (!out.empty() && !reads_source(doc)) add_padding(doc, out);
    // A matrix without a text: its rows are numbered.
    const auto& x = doc.matrix(Given::X);
    if (out.empty() && x)
        for (Eigen::Index i = 0; i < x->rows(); ++i) out.push_back("x" + std::to_string(i + 1));
    return out;
}

std::vector<std::string> source_tokens_of(const Document& doc) {
    if (doc.attention) return named_or_numbered(doc.attention->source_tokens, doc.attention->sources, 's');
    if (!reads_source(doc)) return {};
    if (shows_scene(doc)) return region_names();
    std::vector<std::string> out = split(doc, doc.source, own_tokenizer(doc), true, nullptr, nullptr);
    if (!out.empty()) add_padding(doc, out);
    const auto& x = doc.matrix(Given::X_source);
    if (out.empty() && x)
        for (Eigen::Index i = 0; i < x->rows(); ++i) out.push_back("s" + std::to_string(i + 1));
    return out;
}

}  // namespace attn
