// The formula of one attention, put together from its configuration.
#include <fmt/format.h>

#include "core/variants/shared.h"

namespace attn::variant {
namespace {

std::string with_sub(std::string_view letter, std::string_view sub) {
    if (sub.empty()) return std::string(letter);
    return std::string(letter.substr(0, letter.size() - 1)) + std::string(sub) + "}";  // inside the colour's braces
}

/// The scores of all queries with all keys, and the parts that only they have.
std::string scores_formula(const AttentionConfig& c, Convention shown, const std::string& q, const std::string& k) {
    const bool columns = shown == Convention::Columns;
    const std::string_view score = score_of(c);
    const std::string pair = columns ? k + "^T" + q : q + k + "^T";
    std::string inner = pair;
    if (score == "general") inner = columns ? k + "^T W_a^T " + q : q + " W_a " + k + "^T";
    if (score == "cosine") inner = columns ? fmt::format("\\hat{{{}}}^T \\hat{{{}}}", k, q) : fmt::format("\\hat{{{}}} \\hat{{{}}}^T", q, k);
    if (score == "additive") inner = fmt::format("v_a^T \\word{{tanh}}(W_a {} + U_a {})", q, k);
    if (score == "concat") inner = fmt::format("v_a^T \\word{{tanh}}(W_a [{}; {}])", q, k);
    if (score == "location") inner = columns ? "W_a^T " + q : q + " W_a";
    if (score == "gat") inner = fmt::format("\\word{{LeakyReLU}}(a^T [W {}; W {}])", q, k);
    if (c.position == "relative") inner += " + R";
    inner = "\\part{scores}{" + inner + "}";
    if (score != "scaled_dot") return inner;
    const std::string_view width = q.find("\\x") == std::string::npos ? "d_k" : "d";
    return fmt::format("\\part{{scale}}{{\\frac{{{}}}{{\\sqrt{{{}}}}}}}", inner, width);
}

}  // namespace

std::string attention_formula(const AttentionConfig& c, Convention shown, Letters letters, std::string_view sub) {
    const std::string q = with_sub(letters.query, sub), k = with_sub(letters.key, sub), v = with_sub(letters.value, sub);
    const bool columns = shown == Convention::Columns;
    std::string inner = scores_formula(c, shown, q, k);
    if (c.position == "alibi") inner += " - m_i |p - p'|";
    if (c.scope != "global") inner += " + \\part{scope}{{\\m D}}";
    if (c.mask != "none") inner = "\\part{mask}{" + inner + " + {\\m M}}";
    if (c.temperature != 1) inner = "\\frac{1}{\\tau}(" + inner + ")";
    if (c.selection == "top_k") inner = fmt::format("\\word{{top}}_{{{}}}({})", c.top_k, inner);
    std::string weights = std::string(c.selection == "sparsemax" ? "\\word{sparsemax}(" : "\\word{softmax}(") + inner + ")";
    if (c.scope == "local_p") weights += " \\odot \\part{scope}{G}";
    weights = "\\part{softmax}{" + weights + "}";
    if (c.selection == "hard") weights = "\\part{draw}{\\word{draw}(" + weights + ")}";
    std::string mixed = columns ? v + "\\," + weights : weights + "\\," + v;
    if (c.gate != "none") mixed = "\\beta \\odot " + mixed;
    return "\\part{mix}{" + mixed + "}";
}

std::string projections_where(Convention shown, std::string_view query_input, std::string_view key_input) {
    const auto one = [&](std::string_view colour, char letter, std::string_view input) {
        const std::string x = fmt::format("\\part{{vectors}}{{{}}}", input);
        const char small = static_cast<char>(letter - 'A' + 'a');
        const std::string product = shown == Convention::Columns ? fmt::format("{{\\{} W^{}}}{}", colour, small, x)
                                                                 : fmt::format("{}{{\\{} W_{}}}", x, colour, letter);
        return fmt::format("{{\\{} {}}} = \\part{{projections}}{{{}}}", colour, letter, product);
    };
    return one("q", 'Q', query_input) + "\\quad " + one("k", 'K', key_input) + "\\quad " + one("v", 'V', key_input);
}

}  // namespace attn::variant
