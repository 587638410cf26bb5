#include "core/variants/variants.h"

namespace attn::variant {

std::string softmax_formula(const AttentionConfig& config, std::string_view left, std::string_view right) {
    std::string inner = "\\part{scores}{" + std::string(left) + std::string(right) + "^T}";
    if (score_of(config) == "scaled_dot") {
        const std::string_view width = left.find("\\x") == std::string_view::npos ? "d_k" : "d";
        inner = "\\part{scale}{\\frac{" + inner + "}{\\sqrt{" + std::string(width) + "}}}";
    }
    if (config.mask != "none") inner = "\\part{mask}{" + inner + " + {\\m M}}";
    if (config.temperature != 1) inner = "\\frac{1}{\\tau}(" + inner + ")";
    return "\\part{softmax}{\\word{softmax}(" + inner + ")}";
}

}  // namespace attn::variant
