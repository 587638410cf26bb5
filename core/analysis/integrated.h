#pragma once
// Integrated gradients: which tokens of the text a logit depends on, through all layers.

#include <functional>
#include <vector>

#include "core/analysis/attribution.h"
#include "core/document/document.h"
#include "core/document/intervention.h"

namespace attn {

struct IntegratedGradients {
    double logit = 0;     ///< of the text …
    double baseline = 0;  ///< … and of the baseline
    /// One for each stack: of the vectors that enter its first block, one number per token in `sources`.
    std::vector<Contribution> parts;

    /// Over all tokens: logit − baseline, up to the error of the integral.
    double sum() const;
};

/// The way from the baseline to a text's vectors, of which a part has been computed.
struct GradientPath {
    /// The vectors that enter a stack, and what is summed up for them.
    struct Entry {
        Intervention put;
        StepId step = kNoStep;
        Eigen::MatrixXd from, way;  ///< the baseline, and the way from it to the vectors
        Eigen::MatrixXd slopes;     ///< the sum of the gradients
    };
    AttributedWord of;
    int points = 0;
    std::vector<Entry> entries;
    double baseline = 0;  ///< the logit there
    int done = 0;         ///< runs: the baseline's, then that of each point

    int runs() const { return points + 1; }
    bool finished() const { return done == runs(); }
};

/// Computes a document, in which interventions patch from these runs.
using Compute = std::function<Result<Run>(const Document& document, const OtherRuns& others)>;

/// The share of token j in a logit: Σ_c (x_jc − b_jc) ∫₀¹ ∂logit/∂x_jc at b + α (x − b) dα, with x the vectors that enter
/// the first block (of the encoder as well, if there is one) and b the baseline: zeros, or the mean of the rows of x. The
/// integral is computed by the midpoint rule, with one run and one reverse pass for each of `points`. After layer norms
/// a vector's length does not matter, so that from zeros nearly all of the change is near α = 0, and the integral
/// converges slowly; from the mean it converges fast. [Sundararajan et al. 2017, "Axiomatic Attribution for Deep Networks", eq. 1 and 3]
/// `run`: of the document; `of` as for attribute(). Errors: those of the runs; the vectors do not belong to a text.
Result<IntegratedGradients> integrated_gradients(const Document& document, const Run& run, const AttributedWord& of, PutBy baseline, int points,
                                                 const Compute& compute);

/// The same in parts, each of which is one run: begin, go on until the path is finished, and sum it up.
Result<GradientPath> begin_gradient_path(const Document& document, const Run& run, const AttributedWord& of, PutBy baseline, int points);
Result<Done> go_on_path(const Document& document, const Run& run, GradientPath& path, const Compute& compute);
/// Precondition: it is finished.
IntegratedGradients sum_of_path(const Run& run, const GradientPath& path);

}  // namespace attn
