// The formula of one attention, assembled from its configuration.
#include <fmt/format.h>

#include "core/attention/forms/shared.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"

namespace attn::form {
namespace {

std::string with_sub(std::string_view letter, std::string_view sub) {
    if (sub.empty()) return std::string(letter);
    return std::string(letter.substr(0, letter.size() - 1)) + std::string(sub) + "}";  // inside the colour's braces
}

/// The scores of all queries with all keys, with everything that belongs to the scores alone.
std::string scores_formula(const AttentionConfig& c, Convention shown, const Letters& letters) {
    const Score& score = *find_score(score_of(c));
    const std::string inner = write(score.formula.in(shown), letters) + std::string(find_position(c.position)->in_scores);
    const std::string part = "\\part{scores}{" + inner + "}";
    const std::string divisor = divisor_formula(score, c, letters);
    return divisor.empty() ? part : fmt::format("\\part{{scale}}{{\\frac{{{}}}{{{}}}}}", part, divisor);
}

/// The weights of these scores: the scores that are kept, the selection, and the effect of scope and draws.
std::string weights_formula(const AttentionConfig& c, std::string scores) {
    const Selection& selection = *find_selection(c.selection);
    if (!selection.selected.empty()) scores = write(selection.selected, {{'s', scores}, {'n', std::to_string(c.top_k)}});
    const std::string made = write(selection.formula, {{'s', scores}}) + std::string(find_scope(c.scope)->on_weights);
    const std::string part = "\\part{softmax}{" + made + "}";
    return selection.draws ? "\\part{draw}{\\word{draw}(" + part + ")}" : part;
}

}  // namespace

std::string attention_formula(const AttentionConfig& c, Convention shown, const Letters& plain, std::string_view sub) {
    const std::string q = with_sub(plain.query, sub), k = with_sub(plain.key, sub), v = with_sub(plain.value, sub);
    const Mask& mask = *find_mask(c.mask);
    std::string scores = scores_formula(c, shown, {q, k, v, plain.width});
    scores += find_position(c.position)->behind_scores;
    scores += find_scope(c.scope)->on_scores;
    if (mask.pattern) scores = fmt::format("\\part{{mask}}{{{} + {}}}", scores, mask.formula);
    if (c.temperature != 1) scores = "\\frac{1}{\\tau}(" + scores + ")";
    const std::string weights = weights_formula(c, std::move(scores));
    std::string mixed = shown == Convention::Columns ? v + "\\," + weights : weights + "\\," + v;
    if (gates().find(c.gate)->activation) mixed = "\\beta \\odot " + mixed;
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

}  // namespace attn::form
