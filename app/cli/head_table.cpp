#include "app/cli/head_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/columns.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using Line = std::vector<std::string>;

constexpr std::size_t kNamedHeads = 3;
/// Distances with a column of their own; the others are in the JSON.
constexpr int kFarthestAhead = 3, kFarthestBack = 8;

std::string role_share(double share) { return std::isnan(share) ? "-" : fmt::format("{:.2f}", share); }

/// Heads with a share, in descending order; equal ones in the order of computation.
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

std::string mean_and_deviation(const attn::Moments& of) {
    if (of.count() < 2) return role_share(of.mean());
    return fmt::format("{:.2f} ± {:.2f}", of.mean(), of.deviation());
}

void write_moments(attn::JsonWriter& out, const attn::Moments& of) {
    write_share(out, "mean", of.mean());
    write_share(out, "deviation", of.deviation());
}

void write_place(attn::JsonWriter& out, std::string_view key, int index) {
    out.key(key);
    if (index < 0)
        out.null();
    else
        out.integer(index + 1);
}

void write_name(attn::JsonWriter& out, const attn::Tag& weights) {
    out.key("name");
    out.string(attn::step_name(weights));
    write_place(out, "layer", weights.layer);
    write_place(out, "head", weights.head);
}

}  // namespace

std::string heads_table(const std::vector<attn::HeadRoles>& heads, attn::CountFrom count) {
    std::vector<Line> rows = {{"head"}};
    for (const attn::HeadRoleRow& role : attn::head_roles()) rows.front().emplace_back(role.id);
    rows.front().emplace_back("spread");
    const std::vector<Side> sides = [&] {
        std::vector<Side> out(rows.front().size(), Side::Right);
        out.front() = Side::Left;
        return out;
    }();
    for (std::size_t i = 0; i < heads.size(); ++i) {
        rows.push_back(shares_line(attn::said_name(heads[i].tag, count), heads[i], &attn::RoleShare::share, heads[i].spread));
        const bool last = i + 1 == heads.size() || !same_chances(heads[i], heads[i + 1]);
        if (last && std::any_of(heads[i].roles.begin(), heads[i].roles.end(), [](const auto& role) { return role.rows > 0; }))
            rows.push_back(shares_line("(by chance)", heads[i], &attn::RoleShare::chance, 1));
    }
    return in_columns(rows, sides);
}

std::string heads_ranked(const std::vector<attn::HeadRoles>& heads, attn::CountFrom count) {
    std::vector<Line> rows;
    for (std::size_t role = 0; role < attn::kHeadRoles; ++role) {
        const auto best = by_share(heads, role);
        if (best.empty()) continue;
        rows.push_back({std::string(attn::head_roles()[role].id), std::string(attn::head_roles()[role].definition)});
        for (std::size_t i = 0; i < std::min(kNamedHeads, best.size()); ++i)
            rows.back().push_back(fmt::format("{} {}", attn::said_name(best[i]->tag, count), role_share(best[i]->roles[role].share)));
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
        write_name(out, head.tag);
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

std::string texts_table(const attn::HeadsOverTexts& over, attn::CountFrom count) {
    std::vector<Line> rows = {{"head"}}, distances = {{"head"}};
    for (const attn::HeadRoleRow& role : attn::head_roles()) rows.front().emplace_back(role.id);
    rows.front().emplace_back("spread");
    const auto heads = over.heads();
    std::vector<int> columns;
    for (int back = -kFarthestAhead; back <= kFarthestBack; ++back)
        if (std::ranges::any_of(heads, [back](const auto& head) { return head.by_distance.contains(back); })) columns.push_back(back);
    for (const int back : columns) distances.front().push_back(fmt::format("{}", back));
    for (const attn::HeadOverTexts& head : heads) {
        Line line = {attn::said_name(head.tag, count)};
        Line means = line;
        for (const attn::Moments& share : head.shares) line.push_back(mean_and_deviation(share));
        line.push_back(mean_and_deviation(head.spread));
        rows.push_back(std::move(line));
        if (head.by_distance.empty()) continue;
        for (const int back : columns) {
            const auto at = head.by_distance.find(back);
            means.push_back(at == head.by_distance.end() ? "-" : role_share(at->second.mean()));
        }
        distances.push_back(std::move(means));
    }
    const std::vector<Side> sides = right_but_first(std::max(rows.front().size(), distances.front().size()));
    std::string out = in_columns(rows, sides);
    if (distances.size() > 1) out += "\nmean weight by how many tokens back the key stands (0: the token itself)\n" + in_columns(distances, sides);
    return out;
}

std::string texts_json(const attn::HeadsOverTexts& over) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("texts");
    out.integer(over.texts());
    out.key("heads");
    out.begin_array();
    for (const attn::HeadOverTexts& head : over.heads()) {
        out.begin_object();
        write_name(out, head.tag);
        for (std::size_t role = 0; role < attn::kHeadRoles; ++role) {
            out.key(attn::head_roles()[role].id);
            out.begin_object();
            write_moments(out, head.shares[role]);
            write_share(out, "chance", head.chances[role].mean());
            out.key("texts");
            out.integer(head.shares[role].count());
            out.end_object();
        }
        out.key("spread");
        out.begin_object();
        write_moments(out, head.spread);
        out.end_object();
        out.key("by_distance");
        out.begin_array();
        for (const auto& [back, weight] : head.by_distance) {
            out.begin_object();
            out.key("back");
            out.integer(back);
            write_moments(out, weight);
            out.key("pairs");
            out.integer(weight.count());
            out.end_object();
        }
        out.end_array();
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

}  // namespace app
