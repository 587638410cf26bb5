#include "app/cli/head_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "app/cli/columns.h"
#include "core/analysis/induction.h"
#include "core/base/random.h"
#include "core/io/json_writer.h"
#include "core/remake/remake.h"
#include "core/tokenizers/tokenizer_model.h"

namespace app {
namespace {

using Line = std::vector<std::string>;

struct RoleColumn {
    std::string_view id, definition;
    double (*share)(const MeasuredHead&);
    bool ranked = true;
};

constexpr std::array kRoleColumns = {
    RoleColumn{"previous", "weight on the token before", [](const MeasuredHead& h) { return h.roles.previous; }},
    RoleColumn{"same", "weight on the token itself", [](const MeasuredHead& h) { return h.roles.same; }},
    RoleColumn{"next", "weight on the token behind", [](const MeasuredHead& h) { return h.roles.next; }},
    RoleColumn{"first", "weight on the first token", [](const MeasuredHead& h) { return h.roles.first; }},
    RoleColumn{"induction", "weight on the token behind the last earlier place of the same token",
               [](const MeasuredHead& h) { return h.induction; }},
    RoleColumn{"chance", "weight on one token if all were shared equally",
               [](const MeasuredHead& h) { return h.roles.chance; }, false},
    RoleColumn{"spread", "entropy of a row by its largest", [](const MeasuredHead& h) { return h.roles.spread; },
               false},
};
constexpr std::size_t kNamedHeads = 3;
constexpr int kMostRepeated = 25;

std::string role_share(double share) { return std::isnan(share) ? "-" : fmt::format("{:.2f}", share); }

/// Those with a share, the largest first, equal ones in the order of the computation.
std::vector<const MeasuredHead*> by_share(const std::vector<MeasuredHead>& heads, const RoleColumn& column) {
    std::vector<const MeasuredHead*> out;
    for (const MeasuredHead& head : heads)
        if (!std::isnan(column.share(head))) out.push_back(&head);
    std::stable_sort(out.begin(), out.end(),
                     [&](const auto* a, const auto* b) { return column.share(*a) > column.share(*b); });
    return out;
}

void write_share(attn::JsonWriter& out, std::string_view key, double share) {
    out.key(key);
    if (std::isnan(share))
        out.null();
    else
        out.number(share);
}

void write_place(attn::JsonWriter& out, std::string_view key, int index) {
    out.key(key);
    if (index < 0)
        out.null();
    else
        out.integer(index + 1);
}

/// As the document spells a token; empty: no word to measure with.
std::string plain_word(const attn::Model& model, std::size_t row) {
    if (!model.tokenizer) return attn::is_special_token(model.words[row]) ? "" : model.words[row];
    const auto id = static_cast<int>(row);
    return model.tokenizer->is_special(id) ? "" : model.tokenizer->token(id);
}

}  // namespace

std::vector<MeasuredHead> measured_heads(const attn::Trace& trace) {
    std::vector<MeasuredHead> out;
    for (const attn::AttentionMap& map : attn::attention_maps(trace)) {
        if (map.queries.kind != attn::Axis::Kind::Tokens || map.keys.kind != attn::Axis::Kind::Tokens) continue;
        const attn::Looking looking;
        out.push_back({attn::head_roles_of(trace, map), attn::induction_share(trace, map)});
    }
    return out;
}

std::string heads_table(const std::vector<MeasuredHead>& heads) {
    std::vector<Line> rows = {{"head"}};
    std::vector<Side> sides = {Side::Left};
    for (const RoleColumn& column : kRoleColumns) {
        rows.front().emplace_back(column.id);
        sides.push_back(Side::Right);
    }
    for (const MeasuredHead& head : heads) {
        rows.push_back({attn::step_name(head.roles.tag)});
        for (const RoleColumn& column : kRoleColumns) rows.back().push_back(role_share(column.share(head)));
    }
    return in_columns(rows, sides);
}

std::string heads_ranked(const std::vector<MeasuredHead>& heads) {
    std::vector<Line> rows;
    for (const RoleColumn& column : kRoleColumns) {
        if (!column.ranked) continue;
        rows.push_back({std::string(column.id), std::string(column.definition)});
        const auto best = by_share(heads, column);
        for (std::size_t i = 0; i < std::min(kNamedHeads, best.size()); ++i)
            rows.back().push_back(
                fmt::format("{} {}", attn::step_name(best[i]->roles.tag), role_share(column.share(*best[i]))));
    }
    return "\nmost of it have\n" + in_columns(rows, {}, 2);
}

std::string heads_json(const attn::Trace& trace, const std::vector<MeasuredHead>& heads) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("tokens");
    out.strings(trace.tokens);
    out.key("roles");
    out.begin_array();
    for (const RoleColumn& column : kRoleColumns) {
        out.begin_object();
        out.key("id");
        out.string(column.id);
        out.key("definition");
        out.string(column.definition);
        out.end_object();
    }
    out.end_array();
    out.key("heads");
    out.begin_array();
    for (const MeasuredHead& head : heads) {
        out.begin_object();
        out.key("name");
        out.string(attn::step_name(head.roles.tag));
        write_place(out, "layer", head.roles.tag.layer);
        write_place(out, "head", head.roles.tag.head);
        for (const RoleColumn& column : kRoleColumns) write_share(out, column.id, column.share(head));
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

std::vector<std::string> repeated_words(const attn::ModelPtr& model, std::uint64_t seed, int most) {
    attn::Document document;
    attn::take_model(document, model);
    const bool goes_on = attn::has(attn::find_variant(document.config.variant)->reads, attn::Reads::Generate);
    const int added = goes_on ? document.config.generate - 1 : 0;
    int length = std::min(kMostRepeated, (most - added) / 2);
    if (const auto places = model->shape_of("positions"))
        length = std::min(length, (static_cast<int>(places->rows()) - added) / 2);
    attn::Random random(seed);
    std::vector<std::string> out;
    std::unordered_set<std::string> drawn;
    // A vocabulary may be smaller than what is asked for: so many tries, and no more.
    for (std::size_t tries = 0; tries < 64 * kMostRepeated && std::ssize(out) < length; ++tries) {
        std::string word = plain_word(*model, random.next() % model->words.size());
        if (!word.empty() && drawn.insert(word).second) out.push_back(std::move(word));
    }
    const std::size_t once = out.size();
    for (std::size_t i = 0; i < once; ++i) out.push_back(out[i]);
    return out;
}

}  // namespace app
