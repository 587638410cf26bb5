#include "app/timeline/reverse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/content/number_text.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Op;
using attn::Step;
using attn::StepId;
using attn::Trace;

/// A single letter, with any colour and index; any other symbol needs parentheses next to a sign.
bool is_letter(std::string_view symbol) {
    if (symbol.size() > 3 && symbol[0] == '\\' && symbol[2] == ' ') symbol.remove_prefix(3);
    if (symbol.empty() || !std::isalpha(static_cast<unsigned char>(symbol[0]))) return false;
    return symbol.find_first_of(" +-/(") == std::string_view::npos && (symbol.size() == 1 || symbol[1] == '_' || symbol[1] == '^');
}

/// In its own group, so that a colour does not extend beyond it.
std::string grouped(std::string_view symbol) {
    return is_letter(symbol) ? "{" + std::string(symbol) + "}" : "({" + std::string(symbol) + "})";
}

/// The symbol of a transposed step, which may be a factor of the forward run or a gradient.
std::string symbol_of_any(const Trace& trace, StepId id, attn::Convention convention) {
    return is_reverse(trace[id].tag) ? symbol_of_reverse(trace, id, convention)
                                     : std::string(symbol_of(trace[id].tag.role, convention));
}

std::string name_of_any(const Trace& trace, StepId id, Language language) {
    return is_reverse(trace[id].tag) ? name_of_reverse(trace, id, language)
                                     : std::string(label_of(attn::role_id(trace[id].tag.role), language));
}

}  // namespace

std::string_view letter_of_objective(const Trace& trace) {
    // The steps of the reverse pass come after all others, and the loss is the last step before them.
    const auto first = std::partition_point(trace.steps.begin(), trace.steps.end(), [](const Step& step) { return !is_reverse(step.tag); });
    const bool loss = first != trace.steps.begin() && std::prev(first)->tag.role == attn::Role::Loss;
    return loss ? "L" : "y";
}

std::string symbol_of_gradient(const Trace& trace, attn::Role role, attn::Convention convention) {
    return "{\\g \\partial " + std::string(letter_of_objective(trace)) + "/\\partial}\\," + grouped(symbol_of(role, convention));
}

std::string symbol_of_reverse(const Trace& trace, StepId id, attn::Convention convention) {
    const Step& step = trace[id];
    if (is_gradient(step.tag)) return symbol_of_gradient(trace, step.tag.role, convention);
    if (step.op == Op::Transpose) return grouped(symbol_of_any(trace, step.inputs[0], convention)) + "^T";
    if (step.op == Op::Input) return "\\f c";
    return "{\\g \\delta}_{" + std::string(symbol_of(step.tag.role, convention)) + "}^{(" + std::to_string(step.tag.pass - 1) + ")}";
}

std::string name_of_reverse(const Trace& trace, StepId id, Language language) {
    const Step& step = trace[id];
    const std::string of(label_of(attn::role_id(step.tag.role), language));
    if (is_gradient(step.tag)) return fill_in(tr(Str::gradient_of, language), {of});
    if (step.op == Op::Transpose) return fill_in(tr(Str::turned_over, language), {name_of_any(trace, step.inputs[0], language)});
    if (step.op == Op::Input) return std::string(tr(Str::constant_of_rule, language));
    return fill_in(tr(Str::on_the_way, language), {of, std::to_string(step.tag.pass - 1)});
}

Str says_of_reverse(const Step& step) {
    static constexpr Str kSays[] = {
#define OP_LOOK(name, seconds, lay_out, folds, in_reverse, of_nothing) Str::in_reverse,
#include "app/timeline/op_looks.inc"
#undef OP_LOOK
    };
    if (step.op == Op::Input && is_gradient(step.tag)) return Str::say_back_begins;
    return kSays[static_cast<std::size_t>(step.op)];
}

}  // namespace app
