#include "app/screens/heads/ranked.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <initializer_list>
#include <numeric>

#include "app/content/strings.h"
#include "core/analysis/repeated_words.h"
#include "core/document/intervene.h"
#include "core/model/model.h"

namespace app {
namespace {

constexpr std::string_view kSpread = "spread";
constexpr std::uint64_t kRepeatedSeed = 1;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// ASCII letters in lower case, and no blanks at the ends.
std::string lowered(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

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

bool RankedHeads::leaves(const attn::Tag& weights) const {
    const attn::HeadRoles* const head = find(weights);
    return !head || left.empty() || left[static_cast<std::size_t>(head - measured->data())];
}

bool names_head(std::string_view typed, const attn::Tag& weights, attn::CountFrom count) {
    const std::string wanted = lowered(typed);
    if (wanted.empty()) return true;
    const int head = std::max(weights.head, 0);
    // A whole number is one head: 7.1 is not 7.11. What names no head is a part of a name.
    if (const auto named = attn::read_head_place(wanted, count)) return named->head == head && (!named->layer || *named->layer == weights.layer);
    if (weights.layer != attn::kNoLayer && attn::head_place_text(weights.layer, head, count).starts_with(wanted)) return true;
    const auto number = [&](int index) { return attn::number_of(index, count); };
    for (const Language language : {Language::English, Language::Chinese}) {
        const auto holds = [&](Str words, std::initializer_list<std::string_view> arguments = {}) {
            const std::string name = lowered(fill_in(tr(words, language), arguments));
            const std::size_t at = name.find(wanted);
            // "layer 1" is not layer 12.
            const bool cut = at != std::string::npos && is_digit(wanted.back()) && at + wanted.size() < name.size() && is_digit(name[at + wanted.size()]);
            return at != std::string::npos && !cut;
        };
        if (holds(Str::head_number, {number(head)})) return true;
        if (weights.layer != attn::kNoLayer && (holds(Str::place_block, {number(weights.layer)}) || holds(Str::lens_layer, {number(weights.layer)}))) return true;
        if (weights.part == attn::Part::Encoder && holds(Str::place_encoder)) return true;
        if (weights.part == attn::Part::Cross && holds(Str::place_cross)) return true;
    }
    return false;
}

bool filters_heads(const HeadsChoice& choice) { return !lowered(choice.find).empty() || (choice.times > 0 && ranked_column(choice.role)); }

void order_heads(const HeadsChoice& choice, const attn::Tag& here, attn::CountFrom count, RankedHeads& out) {
    RankedBy by{out.measured, choice.role, choice.find, choice.only_here, choice.times, here, count};
    if (by == out.by) return;
    out.by = std::move(by);
    out.order.clear();
    out.left.clear();
    if (!out.measured) return;
    const std::vector<attn::HeadRoles>& all = *out.measured;
    const auto column = ranked_column(choice.role);
    const auto reaches = [&](const attn::HeadRoles& head) {
        if (choice.times <= 0 || !column) return true;
        const attn::RoleShare share = in_column(head, *column);
        if (std::isnan(share.chance) && !std::isnan(share.share)) return true;  // chance is no measure of this column
        return share.share > static_cast<double>(choice.times) * share.chance;  // false without a share
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const attn::Tag& at = all[i].tag;
        out.left.push_back(names_head(choice.find, at, count) && reaches(all[i]));
        if (out.left.back() && (!choice.only_here || (at.part == here.part && at.layer == here.layer))) out.order.push_back(static_cast<int>(i));
    }
    if (!column) return;
    const auto share = [&](int i) {
        const double of = in_column(all[static_cast<std::size_t>(i)], *column).share;
        return std::isnan(of) ? -1.0 : of;
    };
    std::ranges::stable_sort(out.order, [&](int a, int b) { return share(a) > share(b); });
}

}  // namespace app
