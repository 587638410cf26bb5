#include "app/cli/head_maps.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/columns.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using Names = std::vector<std::string>;

struct NamedMap {
    std::string name;
    Names rows, cols;
    attn::Matrix map;
    int layers = 0;  ///< the number of layers that it goes through; 0: it belongs to one head
};

Names names_of(const attn::Trace& trace, attn::Axis axis, int count) {
    Names out;
    for (int i = 0; i < count; ++i) out.push_back(attn::axis_label(trace, axis, i));
    return out;
}

std::string as_text(const std::vector<NamedMap>& maps) {
    std::string out;
    for (const NamedMap& one : maps) {
        out += (out.empty() ? "" : "\n") + one.name + "\n";
        std::vector<Names> rows = {{""}};
        std::vector<Side> sides = {Side::Left};
        for (const std::string& col : one.cols) {
            rows.front().push_back(attn::visible_text(col));
            sides.push_back(Side::Right);
        }
        for (Eigen::Index r = 0; r < one.map.rows(); ++r) {
            rows.push_back({attn::visible_text(one.rows[static_cast<std::size_t>(r)])});
            for (const float value : one.map.row(r)) rows.back().push_back(std::isfinite(value) ? fmt::format("{:.3f}", value) : "-");
        }
        out += in_columns(rows, sides);
    }
    return out;
}

void write_map(attn::JsonWriter& out, const attn::Matrix& map) {
    out.begin_array();
    for (Eigen::Index r = 0; r < map.rows(); ++r) {
        out.begin_array();
        for (const float value : map.row(r)) std::isfinite(value) ? out.number(value) : out.null();
        out.end_array();
    }
    out.end_array();
}

std::string as_json(const std::vector<NamedMap>& maps, std::string_view kind, std::string_view id) {
    attn::JsonWriter out;
    out.begin_object();
    out.key(kind);
    out.string(id);
    out.key("maps");
    out.begin_array();
    for (const NamedMap& one : maps) {
        out.begin_object();
        out.key("name");
        out.string(one.name);
        if (one.layers > 0) {
            out.key("layers");
            out.integer(one.layers);
        }
        out.key("rows");
        out.strings(one.rows);
        out.key("columns");
        out.strings(one.cols);
        out.key("values");
        write_map(out, one.map);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

}  // namespace

attn::Result<std::string> through_report(const attn::Trace& trace, attn::Through which, bool json) {
    std::vector<NamedMap> out;
    for (const attn::LayerMaps& stack : attn::layer_maps(trace)) {
        const auto n = static_cast<int>(stack.means.front().rows());
        if (which == attn::Through::Flow && n > attn::kMostFlowTokens)
            return attn::Error{fmt::format("a flow is computed for each pair of tokens, for texts of up to {}; this one has {}. "
                                           "Take --through rollout, or a shorter text", attn::kMostFlowTokens, n), "", "text", 0};
        const bool of_source = stack.part == attn::Part::Encoder;
        const Names names = names_of(trace, {of_source && !trace.source_tokens.empty() ? attn::Axis::Kind::SourceTokens : attn::Axis::Kind::Tokens}, n);
        attn::Matrix map = which == attn::Through::Rollout ? attn::attention_rollout(stack.means)
                           : which == attn::Through::Flow  ? attn::attention_flow(stack.means)
                                                           : attn::attention_average(stack.means);
        const std::string layers = stack.means.size() == 1 ? "1 layer" : fmt::format("{} layers", stack.means.size());
        out.push_back({fmt::format("{}{} through {}", of_source ? "encoder, " : "", attn::through_id(which), layers), names, names,
                       std::move(map), static_cast<int>(stack.means.size())});
    }
    if (out.empty()) return attn::Error{"no two consecutive layers are self-attention over the same text, so nothing is passed on from layer to layer", "", "variant", 0};
    return json ? as_json(out, "through", attn::through_id(which)) : as_text(out);
}

attn::Result<std::string> measure_report(const attn::Trace& trace, attn::Measure measure, bool json, attn::CountFrom count) {
    std::vector<NamedMap> out;
    for (const attn::AttentionMap& map : attn::attention_maps(trace)) {
        auto made = attn::map_in(trace, map, measure);
        if (!made) return attn::Error{"not all weights of this form mix values that it holds; there are only the weights themselves", "", "variant", 0};
        Names rows;
        for (const attn::Cell& place : map.places) rows.push_back(attn::axis_label(trace, trace[place.step].rows, place.row));
        out.push_back({attn::said_name(map.tag, json ? attn::CountFrom::One : count), std::move(rows), names_of(trace, map.keys, map.cols), std::move(*made), 0});
    }
    if (out.empty()) return attn::Error{"this form holds no weights", "", "variant", 0};
    return json ? as_json(out, "measure", attn::measure_id(measure)) : as_text(out);
}

}  // namespace app
