#include "core/trace.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace attn {
namespace {

constexpr std::array<std::string_view, kOpCount> kOps = {"input",   "matmul", "transpose", "scale", "add",
                                                         "add_row", "mask",   "softmax",   "slice", "concat"};

constexpr std::array<std::string_view, kRoleCount> kRoles = {
    "embeddings",      "positions", "inputs",     "query_weight", "key_weight",      "value_weight", "output_weight",
    "query_bias",      "key_bias",  "value_bias", "output_bias",  "query_products",  "key_products", "value_products",
    "output_products", "queries",   "keys",       "values",       "keys_transposed", "scores",       "scaled",
    "mask_pattern",    "masked",    "weights",    "head_output",  "joined",          "output"};

constexpr std::array<std::string_view, 7> kSources = {"meaning", "seeded",  "one_hot", "identity",
                                                      "given",   "formula", "drawn"};

/// A whole string as a positive number, or 0.
int positive(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

}  // namespace

std::string_view op_id(Op op) { return kOps[static_cast<std::size_t>(op)]; }
std::string_view role_id(Role role) { return kRoles[static_cast<std::size_t>(role)]; }
std::string_view source_id(Source source) { return kSources[static_cast<std::size_t>(source)]; }

std::optional<Role> find_role(std::string_view id) {
    const auto at = std::find(kRoles.begin(), kRoles.end(), id);
    if (at == kRoles.end()) return std::nullopt;
    return static_cast<Role>(at - kRoles.begin());
}

StepId find_id(const Trace& trace, Tag tag) {
    for (StepId id = 0; id < trace.size(); ++id)
        if (trace[id].tag == tag) return id;
    return kNoStep;
}

const Step* find(const Trace& trace, Tag tag) {
    const StepId id = find_id(trace, tag);
    return id == kNoStep ? nullptr : &trace[id];
}

std::string step_name(Tag tag) {
    std::string name;
    if (tag.layer != kNoLayer) name += "l" + std::to_string(tag.layer + 1) + ".";
    name += role_id(tag.role);
    if (tag.head != kNoHead) name += ".h" + std::to_string(tag.head + 1);
    return name;
}

std::optional<Tag> parse_step_name(std::string_view name) {
    Tag tag;
    if (name.size() > 2 && name[0] == 'l' && positive(name.substr(1, name.find('.') - 1)) > 0) {
        tag.layer = positive(name.substr(1, name.find('.') - 1)) - 1;
        name.remove_prefix(std::min(name.size(), name.find('.')));
        if (!name.empty()) name.remove_prefix(1);
    }
    if (const auto dot = name.rfind(".h"); dot != std::string_view::npos) {
        const int head = positive(name.substr(dot + 2));
        if (head == 0) return std::nullopt;
        tag.head = head - 1;
        name = name.substr(0, dot);
    }
    const std::optional<Role> role = find_role(name);
    if (!role) return std::nullopt;
    tag.role = *role;
    return tag;
}

StepId find_step(const Trace& trace, std::string_view name) {
    if (const int number = positive(name); number > 0) return number <= trace.size() ? number - 1 : kNoStep;
    const std::optional<Tag> tag = parse_step_name(name);
    if (!tag) return kNoStep;
    if (const StepId id = find_id(trace, *tag); id != kNoStep) return id;
    // "weights" alone means the first head's where there are several.
    if (tag->head == kNoHead)
        for (StepId id = 0; id < trace.size(); ++id)
            if (trace[id].tag.role == tag->role && (tag->layer == kNoLayer || trace[id].tag.layer == tag->layer))
                return id;
    return kNoStep;
}

std::string axis_label(const Trace& trace, Axis axis, int index) {
    const auto at = static_cast<std::size_t>(axis.first + index);
    if (axis.kind == Axis::Kind::Tokens && at < trace.tokens.size()) return trace.tokens[at];
    if (axis.kind == Axis::Kind::Features && at < trace.features.size()) return trace.features[at];
    return std::to_string(at + 1);
}

std::optional<RowState> row_state(const Trace& trace, StepId step, int row) {
    for (const Note& note : trace.notes)
        if (note.step == step && note.row == row) return note.state;
    return std::nullopt;
}

}  // namespace attn
