#include "app/screens/heads/ranked.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/repeated_words.h"
#include "core/document/intervene.h"
#include "core/model/model.h"

namespace app {
namespace {

constexpr std::string_view kSpread = "spread";
constexpr std::uint64_t kRepeatedSeed = 1;

}  // namespace

std::optional<std::size_t> ranked_column(std::string_view id) {
    for (std::size_t i = 0; i < kRankedColumns; ++i)
        if (ranked_id(i) == id) return i;
    return std::nullopt;
}

std::string_view ranked_id(std::size_t column) { return column < attn::kHeadRoles ? attn::head_roles()[column].id : kSpread; }

attn::RoleShare in_column(const attn::HeadRoles& head, std::size_t column) {
    if (column < attn::kHeadRoles) return head.roles[column];
    return {.share = head.spread, .chance = std::numeric_limits<double>::quiet_NaN()};
}

const attn::HeadRoles* RankedHeads::find(const attn::Tag& weights) const {
    if (!measured) return nullptr;
    const auto at = std::ranges::find(*measured, weights, &attn::HeadRoles::tag);
    return at == measured->end() ? nullptr : &*at;
}

bool knows_words(const attn::Document& document) { return document.model && document.weights == "model" && !document.model->picture; }

std::optional<attn::Document> on_repeated_words(const attn::Document& document) {
    if (!knows_words(document)) return std::nullopt;
    attn::Document out = document;
    out.tokens = attn::repeated_words(document.model, kRepeatedSeed);
    if (out.tokens.empty()) return std::nullopt;
    // They belong to other words.
    out.edits.clear();
    attn::drop_unfit_interventions(out);
    return out;
}

void order_heads(const HeadsChoice& choice, const attn::Tag& here, RankedHeads& out) {
    out.order.clear();
    if (!out.measured) return;
    const std::vector<attn::HeadRoles>& all = *out.measured;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const attn::Tag& at = all[static_cast<std::size_t>(i)].tag;
        if (!choice.only_here || (at.part == here.part && at.layer == here.layer)) out.order.push_back(i);
    }
    const auto column = ranked_column(choice.role);
    if (!column) return;
    const auto share = [&](int i) {
        const double of = in_column(all[static_cast<std::size_t>(i)], *column).share;
        return std::isnan(of) ? -1.0 : of;
    };
    std::ranges::stable_sort(out.order, [&](int a, int b) { return share(a) > share(b); });
}

}  // namespace app
