#include "app/screens/prediction/logit_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace app {
namespace {

using attn::Contribution;
using attn::Contributor;

Contributor kind_beside(Contributor what) { return what == Contributor::FeedForwardBias ? Contributor::FeedForward : what; }

/// Biases of norms and replaced values have no column.
bool is_in_map(const Contribution& part) {
    const Contributor kind = kind_beside(part.what);
    return part.layer != attn::kNoLayer && (kind == Contributor::Head || kind == Contributor::AttentionBias || kind == Contributor::FeedForward);
}

void add_row(LogitParts& out, const Contribution& part) {
    if (!is_in_map(part)) return;
    const LogitParts::Row row{part.layer, part.part};
    if (std::find(out.rows.begin(), out.rows.end(), row) == out.rows.end()) out.rows.push_back(row);
    const Contributor kind = kind_beside(part.what);
    if (kind == Contributor::Head)
        out.heads = std::max(out.heads, part.head + 1);
    else if (std::find(out.beside.begin(), out.beside.end(), kind) == out.beside.end())
        out.beside.push_back(kind);
}

void add_to_cell(LogitParts& out, std::size_t index) {
    const Contribution& part = out.made.parts[index];
    if (!is_in_map(part)) return;
    const auto row = std::find(out.rows.begin(), out.rows.end(), LogitParts::Row{part.layer, part.part});
    const auto kind = std::find(out.beside.begin(), out.beside.end(), kind_beside(part.what));
    const LogitParts::Cell at{static_cast<std::size_t>(row - out.rows.begin()),
                              part.what == Contributor::Head ? part.head : out.heads + static_cast<int>(kind - out.beside.begin()), part.value, index};
    const auto same = std::find_if(out.cells.begin(), out.cells.end(), [&](const auto& cell) { return cell.row == at.row && cell.column == at.column; });
    if (same == out.cells.end())
        out.cells.push_back(at);
    else
        same->value += part.value;
}

}  // namespace

LogitParts lay_out_parts(attn::Attribution made) {
    LogitParts out;
    out.made = std::move(made);
    const std::vector<Contribution>& parts = out.made.parts;
    out.largest_first.resize(parts.size());
    std::iota(out.largest_first.begin(), out.largest_first.end(), std::size_t{0});
    std::stable_sort(out.largest_first.begin(), out.largest_first.end(), [&](std::size_t a, std::size_t b) { return std::abs(parts[a].value) > std::abs(parts[b].value); });
    for (const Contribution& part : parts) add_row(out, part);
    // In the order of the layers.
    std::stable_sort(out.rows.begin(), out.rows.end(), [](const auto& a, const auto& b) { return a.layer < b.layer; });
    for (std::size_t i = 0; i < parts.size(); ++i) add_to_cell(out, i);
    for (const LogitParts::Cell& cell : out.cells) out.largest = std::max(out.largest, std::abs(cell.value));
    return out;
}

std::optional<HeadPlace> head_among(const LogitParts& parts, const std::optional<HeadPlace>& chosen) {
    std::optional<HeadPlace> out;
    for (const std::size_t i : parts.largest_first) {
        const Contribution& part = parts.made.parts[i];
        if (part.what != Contributor::Head) continue;
        if (!out) out = HeadPlace{{attn::Role::Weights, attn::kNoHead, part.layer, attn::kNoTime, part.part}, part.head};
        if (chosen && part.part == chosen->at.part && part.layer == chosen->at.layer && part.head == chosen->head) return chosen;
    }
    return out;
}

}  // namespace app
