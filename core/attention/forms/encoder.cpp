#include <fmt/format.h>

#include "core/attention/forms/block.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/patches.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

/// Whether it predicts the word at each position [Devlin et al. 2018, 3.1]
bool predicts(const AttentionConfig& config) { return unembeddings().find(config.unembedding)->predicts; }

void run_encoder(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const Stack s{in, config};
    const StepId y = encoder_stack(t, s, true, block_inputs(t, s));
    if (in.end_row >= 0) slice_rows(t, y, in.end_row, 1, {Role::EndState});
    if (!predicts(config)) return;
    softmax(t, has_patches(in) ? label_logits(t, in, config, y, {}) : word_logits(t, in, config, y, {}), 1, {Role::Probabilities});
}

std::string encoder_formula(const AttentionConfig& config, Convention shown) {
    const std::string said = predicts(config) ? "\\quad P = \\part{predict}{\\word{softmax}(" + logits_formula(config, shown, "{\\o Y}") + ")}" : "";
    const std::string attention = sub_layer_formula(config, "{\\x X}", "\\part{mix}{\\word{MHA}}", all_bare(config));
    constexpr std::string_view kFeed = "\\part{feed_forward}{\\word{FFN}}";
    if (block_order(config).parallel) {
        const std::string sum = fmt::format("\\part{{residual}}{{Z + {}({})}}", kFeed, norm_formula(config, "{\\x X}"));
        return "Z = " + attention + "\\quad {\\o Y} = " + stack_end_formula(config, sum) + said;
    }
    return "Z = " + attention + "\\quad {\\o Y} = " + stack_end_formula(config, sub_layer_formula(config, "Z", kFeed)) + said;
}

std::string encoder_where(const AttentionConfig& config, Convention shown) {
    const bool many = config.heads > 1;
    const std::string head = attention_formula(config, shown, kQueryKeyValue, many ? "_i" : "");
    const std::string joined = many ? "\\word{Concat}_i(" + head + ")" : head;
    const bool columns = shown == Convention::Columns;
    return "\\word{MHA}(x) = \\part{output}{" + (columns ? "{\\o W^o}\\," + joined : joined + "\\,{\\o W_O}") +
           "}\\quad " + ffn_where(config, shown);
}

}  // namespace

/// Blocks of self-attention and feed-forward layer, each with residual and norm [Vaswani et al. 2017, 3.1]; the norm is
/// after the sub-layer (post-norm), or before it with one more at the end (pre-norm) [Xiong et al. 2020].
constexpr Form encoder = {
    .id = "encoder",
    .score = "scaled_dot",
    .formula = encoder_formula,
    .where = encoder_where,
    .source = "Vaswani et al. 2017",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Weights | Reads::Attend | Reads::Order | Reads::Blocks,
    .run = run_encoder,
};

}  // namespace attn::form
