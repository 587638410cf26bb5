#pragma once
// The data of the page of paths: the route between two tokens through three kinds of network, and how much of a small
// change arrives. Measured on the document's own vectors (core/analysis/paths.h).

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/content/strings.h"
#include "app/screens/experiments/look.h"
#include "core/analysis/paths.h"
#include "core/trace/trace.h"

namespace app {

/// Stretch factors (see core/analysis/paths.h) are given per token, 0 where nothing arrives.
struct PathsExperiment {
    int n = 0;
    int from = 0, to = 0;  ///< the two tokens, the earlier one first
    attn::PathChoice dials;
    int layers = 0, layers_needed = 0;  ///< of the convolution: how many it has, and how many would connect the two
    std::array<int, attn::kPathKinds> steps{}, in_sequence{};  ///< by PathKind
    /// What arrives at `to` from each token, by PathKind.
    std::array<std::vector<double>, attn::kPathKinds> arriving;
    std::vector<double> spreading;           ///< how a change of `from`'s state changes the state of each token
    std::vector<std::vector<double>> nodes;  ///< the same for the convolution, by layer: the inputs first, the top last
    std::vector<std::vector<int>> field;     ///< receptive field of the top at `to`: the top first, the inputs last
    std::vector<int> route;                  ///< from the top at `to` down to `from`; empty if it is out of reach

    double arrives(attn::PathKind kind, int token) const {
        const std::vector<double>& all = arriving[static_cast<std::size_t>(kind)];
        return token >= 0 && token < static_cast<int>(all.size()) ? all[static_cast<std::size_t>(token)] : 0;
    }
};

/// The tokens' vectors at the beginning of the run, with overwritten numbers; null if there are none.
const attn::Matrix* path_input(const attn::Trace& trace);
/// The two tokens in a text of n tokens, the earlier one first.
std::pair<int, int> ends_of(const PathsLook& look, int n);
/// The same, with the nearer of the two ends moved to `token`.
PathsLook with_nearer_end(PathsLook look, int n, int token);
/// Returns early with partial results when `stop` is requested.
void make_paths(const attn::Trace& trace, std::uint64_t seed, const PathsLook& look, PathsExperiment& experiments,
                const std::stop_token& stop = {});

/// "0.35", "0.002", "1e-06", "0": a stretch factor in short form.
std::string arrives_text(double stretch);
/// The page as text: the two tokens, then a sentence for each network.
std::string describe_paths(const PathsExperiment& experiments, const std::vector<std::string>& tokens, Language language);

}  // namespace app
