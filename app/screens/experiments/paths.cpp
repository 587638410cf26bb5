#include "app/screens/experiments/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace app {
namespace {

using attn::PathKind;

/// Stretch factors from here on have two decimals, smaller ones only their first digit.
constexpr double kTwoDecimals = 0.1;

constexpr std::string_view kLabels[] = {"layer_recurrent", "layer_convolution", "layer_attention"};

}  // namespace

const attn::Matrix* path_input(const attn::Trace& trace) {
    const attn::Step* step = attn::find(trace, {attn::Role::Embeddings});
    return step && step->value.size() > 0 ? &step->value.matrix() : nullptr;
}

std::pair<int, int> ends_of(const PathsLook& look, int n) {
    const int last = std::max(n - 1, 0);
    const int from = std::clamp(look.from < 0 ? last : look.from, 0, last);
    const int to = std::clamp(look.to < 0 ? last : look.to, 0, last);
    return std::minmax({from, to});
}

PathsLook with_nearer_end(PathsLook look, int n, int token) {
    auto [from, to] = ends_of(look, n);
    // If the token is in the middle, or both ends are the same token, the later end stays.
    if (token < to && std::abs(token - from) <= std::abs(token - to))
        from = token;
    else
        to = token;
    look.from = from;
    look.to = to == n - 1 ? -1 : to;  // the last one also if the text gets longer
    return look;
}

void make_paths(const attn::Trace& trace, std::uint64_t seed, const PathsLook& look, PathsExperiment& experiments,
                const std::stop_token& stop) {
    experiments = {};
    experiments.dials = look.dials;
    const attn::Matrix* input = path_input(trace);
    if (!input) return;
    experiments.n = static_cast<int>(input->rows());
    std::tie(experiments.from, experiments.to) = ends_of(look, experiments.n);
    for (const PathKind kind : {PathKind::Recurrent, PathKind::Convolution, PathKind::Attention}) {
        experiments.steps[static_cast<std::size_t>(kind)] = attn::path_length(kind, look.dials, experiments.to - experiments.from);
        experiments.in_sequence[static_cast<std::size_t>(kind)] = attn::steps_in_sequence(kind, look.dials, experiments.n);
    }
    const attn::Real x = attn::path_vectors(*input, seed);
    const attn::RecurrentChain chain = attn::make_chain(x, seed, static_cast<double>(look.dials.radius));
    experiments.arriving[0] = attn::chain_arriving(chain, experiments.to);
    if (stop.stop_requested()) return;
    experiments.spreading = attn::chain_spreading(chain, experiments.from);
    experiments.layers_needed = experiments.steps[1];
    experiments.layers = attn::conv_layers(look.dials, experiments.n);
    if (stop.stop_requested()) return;
    experiments.nodes = attn::conv_arriving(attn::make_convolution(x, seed, look.dials, experiments.layers), experiments.to);
    experiments.arriving[1] = experiments.nodes.front();
    experiments.field = attn::receptive_field(look.dials, experiments.layers, experiments.n, experiments.to);
    experiments.route = attn::conv_route(look.dials, experiments.layers, experiments.from, experiments.to);
    if (stop.stop_requested()) return;
    experiments.arriving[2] = attn::attention_arriving(x, experiments.to);
}

std::string arrives_text(double stretch) {
    if (stretch == 0) return "0";
    std::string text = stretch >= kTwoDecimals ? fmt::format("{:.2f}", stretch) : fmt::format("{:.1g}", stretch);
    if (const auto minus = text.find('-'); minus != std::string::npos) text.replace(minus, 1, "−");
    return text;
}

std::string describe_paths(const PathsExperiment& experiments, const std::vector<std::string>& tokens, Language language) {
    if (experiments.n < 2) return std::string(tr(Str::paths_one, language));
    const auto name = [&](int token) { return tokens[static_cast<std::size_t>(token)]; };
    std::string out =
        fill_in(tr(Str::described_paths, language), {name(experiments.from), name(experiments.to), std::to_string(experiments.to - experiments.from)});
    for (std::size_t k = 0; k < std::size(kLabels); ++k)
        out += '\n' +
               fill_in(tr(Str::described_path, language), {label_of(kLabels[k], language), std::to_string(experiments.steps[k]),
                                                       std::to_string(experiments.in_sequence[k]),
                                                       arrives_text(experiments.arrives(static_cast<PathKind>(k), experiments.from))});
    if (experiments.layers < experiments.layers_needed)
        out += '\n' + fill_in(tr(Str::paths_sees, language),
                              {name(experiments.to), std::to_string(experiments.field.back().size()), std::to_string(experiments.n)});
    return out;
}

}  // namespace app
