#include "app/cli/head_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "app/cli/columns.h"
#include "core/base/random.h"
#include "core/io/json_writer.h"
#include "core/remake/remake.h"
#include "core/tokenizers/tokenizer_model.h"

namespace app {
namespace {

using Line = std::vector<std::string>;

constexpr std::size_t kNamedHeads = 3;
constexpr int kMostRepeated = 25;

std::string role_share(double share) { return std::isnan(share) ? "-" : fmt::format("{:.2f}", share); }

/// Those with a share, the largest first, equal ones in the order of the computation.
std::vector<const attn::HeadRoles*> by_share(const std::vector<attn::HeadRoles>& heads, std::size_t role) {
    std::vector<const attn::HeadRoles*> out;
    for (const attn::HeadRoles& head : heads)
        if (!std::isnan(head.roles[role].share)) out.push_back(&head);
    std::stable_sort(out.begin(), out.end(), [role](const auto* a, const auto* b) { return a->roles[role].share > b->roles[role].share; });
    return out;
}

bool same_chances(const attn::HeadRoles& a, const attn::HeadRoles& b) {
    return std::equal(a.roles.begin(), a.roles.end(), b.roles.begin(), [](const attn::RoleShare& x, const attn::RoleShare& y) {
        return x.rows == y.rows && (x.chance == y.chance || x.rows == 0);
    });
}

Line shares_line(std::string name, const attn::HeadRoles& head, double attn::RoleShare::*number, double spread) {
    Line out = {std::move(name)};
    for (const attn::RoleShare& role : head.roles) out.push_back(role_share(role.*number));
    out.push_back(role_share(spread));
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

std::vector<attn::HeadRoles> measured_heads(const attn::Trace& trace) {
    std::vector<attn::HeadRoles> out;
    const auto of_text = [](const attn::Axis& axis) {
        return axis.kind == attn::Axis::Kind::Tokens || axis.kind == attn::Axis::Kind::SourceTokens;
    };
    for (const attn::AttentionMap& map : attn::attention_maps(trace)) {
        if (!of_text(map.queries) || !of_text(map.keys)) continue;
        const attn::Looking looking;
        out.push_back(attn::head_roles_of(trace, map));
    }
    return out;
}

std::string heads_table(const std::vector<attn::HeadRoles>& heads) {
    std::vector<Line> rows = {{"head"}};
    for (const attn::HeadRoleRow& role : attn::head_roles()) rows.front().emplace_back(role.id);
    rows.front().emplace_back("spread");
    const std::vector<Side> sides = [&] {
        std::vector<Side> out(rows.front().size(), Side::Right);
        out.front() = Side::Left;
        return out;
    }();
    for (std::size_t i = 0; i < heads.size(); ++i) {
        rows.push_back(shares_line(attn::step_name(heads[i].tag), heads[i], &attn::RoleShare::share, heads[i].spread));
        const bool last = i + 1 == heads.size() || !same_chances(heads[i], heads[i + 1]);
        if (last && std::any_of(heads[i].roles.begin(), heads[i].roles.end(), [](const auto& role) { return role.rows > 0; }))
            rows.push_back(shares_line("(by chance)", heads[i], &attn::RoleShare::chance, 1));
    }
    return in_columns(rows, sides);
}

std::string heads_ranked(const std::vector<attn::HeadRoles>& heads) {
    std::vector<Line> rows;
    for (std::size_t role = 0; role < attn::kHeadRoles; ++role) {
        const auto best = by_share(heads, role);
        if (best.empty()) continue;
        rows.push_back({std::string(attn::head_roles()[role].id), std::string(attn::head_roles()[role].definition)});
        for (std::size_t i = 0; i < std::min(kNamedHeads, best.size()); ++i)
            rows.back().push_back(fmt::format("{} {}", attn::step_name(best[i]->tag), role_share(best[i]->roles[role].share)));
    }
    return rows.empty() ? "" : "\nmost of it have\n" + in_columns(rows, {}, 2);
}

std::string heads_json(const attn::Trace& trace, const std::vector<attn::HeadRoles>& heads) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("tokens");
    out.strings(trace.tokens);
    if (!trace.source_tokens.empty()) {
        out.key("source_tokens");
        out.strings(trace.source_tokens);
    }
    out.key("roles");
    out.begin_array();
    for (const attn::HeadRoleRow& role : attn::head_roles()) {
        out.begin_object();
        out.key("id");
        out.string(role.id);
        out.key("definition");
        out.string(role.definition);
        out.end_object();
    }
    out.end_array();
    out.key("heads");
    out.begin_array();
    for (const attn::HeadRoles& head : heads) {
        out.begin_object();
        out.key("name");
        out.string(attn::step_name(head.tag));
        write_place(out, "layer", head.tag.layer);
        write_place(out, "head", head.tag.head);
        for (std::size_t role = 0; role < attn::kHeadRoles; ++role) {
            out.key(attn::head_roles()[role].id);
            out.begin_object();
            write_share(out, "share", head.roles[role].share);
            write_share(out, "chance", head.roles[role].chance);
            out.key("rows");
            out.integer(head.roles[role].rows);
            out.end_object();
        }
        write_share(out, "spread", head.spread);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

std::vector<std::string> repeated_words(const attn::ModelPtr& model, std::uint64_t seed, int most) {
    attn::Document document;
    attn::take_model(document, model);
    const bool goes_on = attn::has(attn::find_form(document.config.form)->reads, attn::Reads::Generate);
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
