#pragma once
// What the experiments' page of paths shows: the way between two tokens by three kinds of network, and what arrives of a small
// change. Measured on the document's own vectors (core/analysis/paths.h).

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

/// Stretches (see core/analysis/paths.h) are one a token, 0 where nothing arrives.
struct PathsExperiment {
    int n = 0;
    int from = 0, to = 0;  ///< the two tokens, the earlier one first
    attn::PathChoice dials;
    int layers = 0, layers_needed = 0;  ///< of the convolution: that it has, and that would connect the two
    std::array<int, attn::kPathKinds> steps{}, in_sequence{};  ///< by PathKind
    /// What arrives at `to` from each token, by PathKind.
    std::array<std::vector<double>, attn::kPathKinds> arriving;
    std::vector<double> spreading;           ///< of a change of `from`'s state, in the state of each token
    std::vector<std::vector<double>> nodes;  ///< the convolution's, by layer: the inputs first, the top last
    std::vector<std::vector<int>> field;     ///< what the top at `to` reads: the top first, the inputs last
    std::vector<int> route;                  ///< from the top at `to` down to `from`; empty: out of reach

    double arrives(attn::PathKind kind, int token) const {
        const std::vector<double>& all = arriving[static_cast<std::size_t>(kind)];
        return token >= 0 && token < static_cast<int>(all.size()) ? all[static_cast<std::size_t>(token)] : 0;
    }
};

/// The tokens' vectors as the run began with them, typed-over numbers included; null: it has none.
const attn::Matrix* path_input(const attn::Trace& trace);
/// The two tokens of a look in a text of n tokens, the earlier one first.
std::pair<int, int> ends_of(const PathsLook& look, int n);
/// The look with the nearer of its two ends moved to a token.
PathsLook with_nearer_end(PathsLook look, int n, int token);
/// Ends early, with less of it, where `stop` is asked for.
void make_paths(const attn::Trace& trace, std::uint64_t seed, const PathsLook& look, PathsExperiment& experiments,
                const std::stop_token& stop = {});

/// "0.35", "0.002", "1e-06", "0": what arrives, short.
std::string arrives_text(double stretch);
/// The page in words: the two tokens, then a sentence for each network.
std::string describe_paths(const PathsExperiment& experiments, const std::vector<std::string>& tokens, Language language);

}  // namespace app
