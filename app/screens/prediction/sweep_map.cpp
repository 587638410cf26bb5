// The map of a sweep as it is drawn: its titles, and which places the document already replaces.

#include <algorithm>
#include <cmath>

#include "app/content/strings.h"
#include "app/screens/prediction/sweep.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

struct SweepTitles {
    const SweepData& data;
    const SweepWords& words;

    std::string say(Str string, std::initializer_list<std::string_view> arguments = {}) const { return fill_in(tr(string, words.language), arguments); }
    std::string number(int index) const { return attn::number_of(index, words.count); }

    /// Whether another text is patched into this stack's tokens: an encoder's, if there is one.
    bool reads_other(attn::Part part) const {
        const bool encodes = std::ranges::any_of(data.map.rows, [](const SweepMap::Row& row) { return row.part == attn::Part::Encoder; });
        return encodes == (part == attn::Part::Encoder);
    }
    /// The token of the text and, where the other text has another one there, that one too.
    std::string token(const SweepMap::Row& row) const {
        const bool source = row.part == attn::Part::Encoder && !words.trace->source_tokens.empty();
        std::string out = words.labels->of({source ? attn::Axis::Kind::SourceTokens : attn::Axis::Kind::Tokens}, row.index);
        const auto at = static_cast<std::size_t>(row.index);
        const auto& here = row.part == attn::Part::Encoder ? words.trace->source_tokens : words.trace->tokens;
        if (reads_other(row.part) && at < data.of_other_text.size() && at < here.size() && data.of_other_text[at] != here[at]) out += " ← " + attn::visible_text(data.of_other_text[at]);
        return out;
    }
    std::string row(const SweepMap::Row& row) const {
        const std::string out = data.map.residual ? token(row) : say(Str::lens_layer, {number(row.index)});
        if (row.part == attn::Part::Encoder) return say(Str::put_of_encoder, {out});
        return row.part == attn::Part::Cross ? say(Str::put_of_cross, {out}) : out;
    }
    SignedMap::Column column(int c) const {
        const SweepMap& map = data.map;
        if (map.residual) return {c == 0 ? say(Str::stream_inputs) : number(c - 1)};
        if (c < map.heads) return {number(c), c};
        return {say(map.beside[static_cast<std::size_t>(c - map.heads)] == attn::Site::Attention ? Str::sweep_attention : Str::parts_feed_forward)};
    }
};

}  // namespace

SignedMap lay_out_drawn(const SweepData& data, const SweepWords& words, const std::vector<attn::Intervention>& replaced) {
    const SweepTitles titles{data, words};
    SignedMap out;
    for (const SweepMap::Row& row : data.map.rows) out.rows.push_back(titles.row(row));
    for (int c = 0; c < data.map.columns(); ++c) out.columns.push_back(titles.column(c));
    if (data.map.residual) out.corner = titles.say(Str::sweep_after_layer);
    for (const SweepMap::Cell& cell : data.map.cells) {
        const bool there = std::ranges::any_of(replaced, [&](const attn::Intervention& one) { return same_place(one, cell.put); });
        out.cells.push_back({cell.row, cell.column, cell.value, std::isfinite(cell.value), there});
    }
    out.largest = data.by == attn::PutBy::Text ? std::max(1.0, data.map.largest) : data.map.largest;
    return out;
}

}  // namespace app
