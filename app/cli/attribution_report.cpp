#include "app/cli/attribution_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "app/cli/circuits_report.h"
#include "app/cli/columns.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using Line = std::vector<std::string>;

constexpr std::size_t kNamedSources = 2;

/// "head", "cross head", "feed forward bias".
std::string part_label(const attn::Contribution& part) {
    std::string out(attn::contributor_id(part.what));
    std::replace(out.begin(), out.end(), '_', ' ');
    const bool names_stack = part.layer != attn::kNoLayer && (part.part == attn::Part::Cross || part.part == attn::Part::Encoder);
    return names_stack ? std::string(attn::part_id(part.part)) + " " + out : out;
}

std::string number_or_none(int index, attn::CountFrom count) { return index < 0 ? "" : attn::number_of(index, count); }

/// The source tokens that contribute most to it, by magnitude.
std::string largest_sources(const attn::Trace& trace, const attn::Contribution& part) {
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < part.sources.size(); ++j) order.push_back(j);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(part.sources[a]) > std::abs(part.sources[b]); });
    std::string out;
    for (std::size_t i = 0; i < std::min(kNamedSources, order.size()); ++i) {
        if (std::abs(part.sources[order[i]]) < 0.0005) break;
        const auto j = static_cast<int>(order[i]);
        out += fmt::format("{}{} {} {}", i == 0 ? "" : ", ", signed_number(part.sources[order[i]]), attn::in_quotes(attn::axis_label(trace, part.keys, j)), part.keys.first + j + 1);
    }
    return out;
}

std::string parts_table(const attn::Trace& trace, const AttributionReport& report, int top) {
    std::vector<const attn::Contribution*> order;
    for (const attn::Contribution& part : report.parts) order.push_back(&part);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return std::abs(a->value) > std::abs(b->value); });
    const bool has_sources = std::any_of(order.begin(), order.end(), [](const auto* part) { return !part->sources.empty(); });
    std::vector<Line> rows = {{"", "part", "layer", "head", has_sources ? "most of it from" : ""}};
    const std::size_t shown = std::min(order.size(), static_cast<std::size_t>(top)), others = order.size() - shown;
    for (std::size_t i = 0; i < shown; ++i)
        rows.push_back({signed_number(order[i]->value), part_label(*order[i]), number_or_none(order[i]->layer, report.count), number_or_none(order[i]->head, report.count),
                        largest_sources(trace, *order[i])});
    if (others > 0) {
        // If the parts have no total, neither do the remaining ones.
        const double left = std::accumulate(order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), 0.0, [](double sum, const auto* part) { return sum + part->value; });
        rows.push_back({report.sum ? signed_number(left) : "", others == 1 ? "the last one" : fmt::format("the {} others{}", others, report.sum ? " together" : "")});
    }
    return in_columns(rows, {Side::Right, Side::Left, Side::Right, Side::Right, Side::Left});
}

/// Integrated gradients: the `top` tokens with the largest shares.
std::string tokens_table(const attn::Trace& trace, const AttributionReport& report, int top) {
    struct Share {
        const attn::Contribution* of;
        int token;
        double value;
    };
    std::vector<Share> order;
    for (const attn::Contribution& part : report.parts)
        for (std::size_t j = 0; j < part.sources.size(); ++j) order.push_back({&part, static_cast<int>(j), part.sources[j]});
    std::stable_sort(order.begin(), order.end(), [](const Share& a, const Share& b) { return std::abs(a.value) > std::abs(b.value); });
    std::vector<Line> rows = {{"", "token", ""}};
    for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(top)); ++i) {
        const Share& one = order[i];
        rows.push_back({signed_number(one.value), std::to_string(one.of->keys.first + one.token + 1), attn::in_quotes(attn::axis_label(trace, one.of->keys, one.token))});
        if (one.of->part != attn::Part::Main && report.parts.size() > 1) rows.back().back() += fmt::format(" of the {}", attn::part_id(one.of->part));
    }
    return in_columns(rows, {Side::Right, Side::Right, Side::Left});
}

/// One line per layer: its heads, then its other parts.
std::string layers_map(const AttributionReport& report) {
    using Contributor = attn::Contributor;
    std::map<std::pair<attn::Part, int>, std::vector<double>> heads;
    for (const attn::Contribution& part : report.parts) {
        if (part.what != Contributor::Head) continue;
        auto& row = heads[{part.part, part.layer}];
        if (row.size() <= static_cast<std::size_t>(part.head)) row.resize(static_cast<std::size_t>(part.head) + 1);
        row[static_cast<std::size_t>(part.head)] = part.value;
    }
    std::size_t most = 0;
    for (const auto& [at, row] : heads) most = std::max(most, row.size());
    const auto beside = [&](attn::Part stack, int layer, std::initializer_list<Contributor> kinds) -> std::string {
        std::optional<double> sum;
        for (const attn::Contribution& part : report.parts)
            if (part.layer == layer && part.part == stack && std::find(kinds.begin(), kinds.end(), part.what) != kinds.end()) sum = sum.value_or(0) + part.value;
        return sum ? signed_number(*sum) : "";
    };
    const auto has = [&](std::initializer_list<Contributor> kinds) {
        return std::any_of(report.parts.begin(), report.parts.end(), [&](const attn::Contribution& part) { return std::find(kinds.begin(), kinds.end(), part.what) != kinds.end(); });
    };
    const std::initializer_list<Contributor> bias = {Contributor::AttentionBias}, feed = {Contributor::FeedForward, Contributor::FeedForwardBias};
    std::vector<Line> rows = {{"layer"}};
    for (std::size_t h = 0; h < most; ++h) rows.front().push_back("head " + attn::number_of(static_cast<int>(h), report.count));
    if (has(bias)) rows.front().emplace_back("attention bias");
    if (has(feed)) rows.front().emplace_back("feed forward");
    for (const auto& [at, row] : heads) {
        const auto& [part, layer] = at;
        rows.push_back({part == attn::Part::Main ? attn::number_of(layer, report.count) : fmt::format("{} {}", attn::part_id(part), attn::said_of(layer, report.count))});
        for (std::size_t h = 0; h < most; ++h) rows.back().push_back(h < row.size() ? signed_number(row[h]) : "");
        if (has(bias)) rows.back().push_back(beside(part, layer, bias));
        if (has(feed)) rows.back().push_back(beside(part, layer, feed));
    }
    std::vector<Side> sides(rows.front().size(), Side::Right);
    sides.front() = Side::Left;
    return in_columns(rows, sides);
}

std::string headline(const AttributionReport& report) {
    std::string out = target_text(report.target) + fmt::format(" is {:.3f}", report.logit);
    if (report.capped) out += " before its cap";
    if (report.baseline)
        out += fmt::format(", and {:.3f} with {} for its vectors; the tokens have {} of the way from there", *report.baseline,
                           report.baseline_name == "zero" ? "zeros" : "their mean", signed_number(report.sum.value_or(0)));
    else if (report.sum)
        out += fmt::format("; its parts sum to {:.3f}", *report.sum);
    else
        out += "; gradient × value of each head";
    return out + "\n";
}

std::string words_of_reading(const attn::Trace& trace, const std::vector<attn::WordNumber>& words) {
    std::string out;
    for (const attn::WordNumber& one : words) out += (out.empty() ? "" : " ") + attn::in_quotes(attn::axis_label(trace, {attn::Axis::Kind::Words}, one.id));
    return out;
}

std::string neurons_table(const attn::Trace& trace, const AttributionReport& report) {
    if (report.neurons.empty()) return "";
    std::vector<Line> rows = {{"", "neuron", "activation", report.readings.empty() ? "" : "speaks for", report.readings.empty() ? "" : "speaks against"}};
    for (std::size_t i = 0; i < report.neurons.size(); ++i) {
        const attn::Neuron& one = report.neurons[i];
        rows.push_back({signed_number(one.value), attn::head_place_text(one.layer, one.index, report.count), signed_number(one.activation)});
        if (report.readings.empty()) continue;
        // A neuron with a negative activation speaks for the words that the neuron itself speaks against.
        const attn::WordReading& says = report.readings[i];
        rows.back().push_back(words_of_reading(trace, one.activation < 0 ? says.least : says.most));
        rows.back().push_back(words_of_reading(trace, one.activation < 0 ? says.most : says.least));
    }
    return "\n" + in_columns(rows, {Side::Right, Side::Right, Side::Right, Side::Left, Side::Left});
}

void write_place_or_null(attn::JsonWriter& out, std::string_view key, int index) {
    out.key(key);
    index < 0 ? out.null() : out.integer(index + 1);
}

void write_neuron(attn::JsonWriter& out, const attn::Trace& trace, const AttributionReport& report, std::size_t index) {
    const attn::Neuron& one = report.neurons[index];
    out.begin_object();
    write_place_or_null(out, "layer", one.layer);
    write_place_or_null(out, "neuron", one.index);
    out.key("activation");
    out.number(one.activation);
    out.key("value");
    out.number(one.value);
    if (!report.readings.empty()) write_reading(out, trace, report.readings[index]);
    out.end_object();
}

void write_part(attn::JsonWriter& out, const attn::Trace& trace, const attn::Contribution& part) {
    out.begin_object();
    out.key("part");
    out.string(attn::contributor_id(part.what));
    out.key("step");
    out.string(attn::step_name(trace[part.step].tag));
    write_place_or_null(out, "layer", part.layer);
    write_place_or_null(out, "head", part.head);
    out.key("value");
    out.number(part.value);
    if (!part.sources.empty()) {
        out.key("of");
        out.string(part.keys.kind == attn::Axis::Kind::SourceTokens ? "source_tokens" : "tokens");
        out.key("sources");
        out.begin_row();
        for (const double source : part.sources) out.number(source);
        out.end_array();
    }
    out.end_object();
}

}  // namespace

std::string attribution_text(const attn::Trace& trace, const AttributionReport& report, int top) {
    if (report.baseline) return headline(report) + "\n" + tokens_table(trace, report, top);
    return headline(report) + "\n" + parts_table(trace, report, top) + "\n" + layers_map(report) + neurons_table(trace, report);
}

std::string attribution_json(const attn::Trace& trace, const AttributionReport& report) {
    attn::JsonWriter out;
    out.begin_object();
    write_target(out, trace, report.target);
    out.key("measure");
    out.string(report.measure);
    out.key("logit");
    out.number(report.logit);
    out.key("capped");
    out.boolean(report.capped);
    if (report.sum) {
        out.key("sum");
        out.number(*report.sum);
    }
    if (report.baseline) {
        out.key("baseline");
        out.string(report.baseline_name);
        out.key("logit_of_baseline");
        out.number(*report.baseline);
    }
    out.key("parts");
    out.begin_array();
    for (const attn::Contribution& part : report.parts) write_part(out, trace, part);
    out.end_array();
    if (!report.neurons.empty()) {
        out.key("neurons");
        out.begin_array();
        for (std::size_t i = 0; i < report.neurons.size(); ++i) write_neuron(out, trace, report, i);
        out.end_array();
    }
    out.end_object();
    return out.take();
}

}  // namespace app
