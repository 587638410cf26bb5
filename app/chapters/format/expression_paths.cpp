// Functions of the paths between tokens: their steps, and what a small change at one end causes at the other. The dials
// are those of the experiments' page.

#include <algorithm>
#include <cmath>

#include "app/chapters/format/expression_parts.h"
#include "core/analysis/paths.h"

namespace app {
namespace {

using Arguments = std::span<const ChapterValue>;
using Kind = ChapterValue::Kind;

/// The longest text that is measured, because this happens between two frames.
constexpr std::size_t kLongest = 256;

struct Way {
    attn::PathKind kind;
    attn::PathChoice dials;
};
/// Reads "recurrent", "convolution" (by the dials), "dilated" or "attention".
std::optional<Way> way_of(const ChapterValue& name, const ChapterContext& c) {
    if (name.kind != Kind::Text) return std::nullopt;
    Way way{attn::PathKind::Convolution, c.dials};
    if (name.text == "dilated") {
        way.dials.dilated = true;
        return way;
    }
    const auto kind = attn::find_path_kind(name.text);
    if (!kind) return std::nullopt;
    way.kind = *kind;
    return way;
}

/// A token as an index from 0; none: outside the text.
std::optional<int> token_at(const ChapterValue& value, const ChapterContext& c) {
    const double at = value.kind == Kind::Number ? value.number : 0;
    if (!(at >= 1) || at > static_cast<double>(c.trace.tokens.size())) return std::nullopt;
    return static_cast<int>(at) - 1;
}

ChapterValue path(Arguments a, const ChapterContext& c) {
    const auto way = way_of(a[0], c);
    const auto from = token_at(a[1], c), to = token_at(a[2], c);
    if (!way || !from || !to) return {};
    return ChapterValue::of(attn::path_length(way->kind, way->dials, std::abs(*to - *from)), true);
}

ChapterValue in_sequence(Arguments a, const ChapterContext& c) {
    const auto way = way_of(a[0], c);
    if (!way || c.trace.tokens.empty()) return {};
    return ChapterValue::of(attn::steps_in_sequence(way->kind, way->dials, static_cast<int>(c.trace.tokens.size())),
                           true);
}

double measured(const Way& way, const attn::Real& x, std::uint64_t seed, int from, int to) {
    switch (way.kind) {
        case attn::PathKind::Recurrent:
            return attn::stretch_of(
                attn::chain_jacobian(attn::make_chain(x, seed, static_cast<double>(way.dials.radius)), from, to));
        case attn::PathKind::Convolution: {
            const int layers = attn::conv_layers(way.dials, static_cast<int>(x.rows()));
            return attn::stretch_of(attn::conv_jacobian(attn::make_convolution(x, seed, way.dials, layers), from, to));
        }
        case attn::PathKind::Attention:
            return attn::stretch_of(attn::attention_jacobian(x, from, to));
    }
    return 0;
}

ChapterValue arrives(Arguments a, const ChapterContext& c) {
    const auto way = way_of(a[0], c);
    const auto from = token_at(a[1], c), to = token_at(a[2], c);
    const attn::Step* x = attn::find(c.trace, {attn::Role::Embeddings});
    if (!way || !from || !to || !x || c.trace.tokens.size() > kLongest) return {};
    const std::uint64_t seed = c.document.weight_seed;
    return ChapterValue::of(measured(*way, attn::path_vectors(x->value, seed), seed, *from, *to));
}

/// The tokens that the top of the convolution at one token depends on.
ChapterValue seen(Arguments a, const ChapterContext& c) {
    const auto at = token_at(a[0], c);
    if (!at) return {};
    const auto n = static_cast<int>(c.trace.tokens.size());
    const auto field = attn::receptive_field(c.dials, attn::conv_layers(c.dials, n), n, *at);
    return ChapterValue::of(static_cast<double>(field.back().size()), true);
}

ChapterValue dial(Arguments a, const ChapterContext& c) {
    if (a[0].kind != Kind::Text) return {};
    if (a[0].text == "kernel") return ChapterValue::of(c.dials.kernel, true);
    if (a[0].text == "layers")
        return ChapterValue::of(attn::conv_layers(c.dials, static_cast<int>(c.trace.tokens.size())), true);
    if (a[0].text == "dilated") return ChapterValue::of_truth(c.dials.dilated);
    if (a[0].text == "radius") return ChapterValue::of(static_cast<double>(c.dials.radius));
    return {};
}

constexpr ChapterFunction kPathFunctions[] = {
    {"path", 3, 3, path}, {"in_sequence", 1, 1, in_sequence}, {"arrives", 3, 3, arrives}, {"seen", 1, 1, seen},
    {"dial", 1, 1, dial},
};

}  // namespace

std::span<const ChapterFunction> path_functions() { return kPathFunctions; }

}  // namespace app
