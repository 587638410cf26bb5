#include "app/explain/intervention_words.h"

#include <fmt/format.h>

namespace app {
namespace {

std::string site_words(const attn::Intervention& one, Language language, attn::CountFrom count) {
    const std::string layer = attn::number_of(one.layer, count), head = attn::number_of(one.head, count);
    switch (one.at) {
        case attn::Site::Head:
            return fill_in(tr(Str::put_head, language), {layer, head});
        case attn::Site::Pattern:
            return fill_in(tr(Str::put_pattern, language), {layer, head});
        case attn::Site::Attention:
            return fill_in(tr(Str::put_attention, language), {layer});
        case attn::Site::FeedForward:
            return fill_in(tr(Str::put_feed_forward, language), {layer});
        case attn::Site::Layer:
            return fill_in(tr(Str::put_layer, language), {layer});
        case attn::Site::Residual:
            return fill_in(tr(one.layer == 0 ? Str::put_residual_first : Str::put_residual, language), {attn::number_of(one.layer - 1, count)});
    }
    return {};
}

}  // namespace

std::string intervention_place_words(const attn::Intervention& one, Language language, attn::CountFrom count) {
    std::string out = site_words(one, language, count);
    if (one.part == attn::Part::Encoder) out = fill_in(tr(Str::put_of_encoder, language), {out});
    if (one.part == attn::Part::Cross) out = fill_in(tr(Str::put_of_cross, language), {out});
    if (!one.tokens.empty()) {
        std::string tokens;
        for (const int token : one.tokens) tokens += (tokens.empty() ? "" : language == Language::Chinese ? "、" : ", ") + std::to_string(token + 1);
        out = fill_in(tr(Str::put_at_tokens, language), {out, tokens});
    }
    return out;
}

std::string intervention_words(const attn::Intervention& one, Language language, attn::CountFrom count) {
    const std::string out = intervention_place_words(one, language, count);
    if (const attn::PatternRule* rule = attn::rule_of(one.by)) return fill_in(tr(Str::named_value, language), {out, label_of(rule->id, language)});
    if (one.by == attn::PutBy::Mean) return fill_in(tr(Str::put_mean, language), {out});
    if (one.by == attn::PutBy::Text) return fill_in(tr(Str::put_text, language), {out, one.text});
    return fill_in(tr(one.at == attn::Site::Residual || one.at == attn::Site::Pattern ? Str::put_zero_stream : Str::put_zero, language), {out});
}

}  // namespace app
