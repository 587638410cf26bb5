#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>


namespace attn {
namespace {

constexpr std::array<std::string_view, kOpCount> kOps = {
#define OP(name, id, rows) id,
#include "core/trace/ops.inc"
#undef OP
};
constexpr std::array<RowsOf, kOpCount> kRowsOf = {
#define OP(name, id, rows) RowsOf::rows,
#include "core/trace/ops.inc"
#undef OP
};

constexpr std::array<std::string_view, kRoleCount> kRoles = {
#define ROLE(name, id, ...) id,
#include "core/trace/roles.inc"
#undef ROLE
};
constexpr std::array<unsigned, kRoleCount> kTraits = {
#define ROLE(name, id, ...) unsigned{__VA_ARGS__},
#include "core/trace/roles.inc"
#undef ROLE
};

/// Role ids in older files.
struct FormerId {
    std::string_view id;
    Role role;
};
constexpr std::array kFormerIds = {
    FormerId{"turned_queries", Role::RotatedQueryPairs},
    FormerId{"turned_keys", Role::RotatedKeyPairs},
};

constexpr std::array<std::string_view, kPartCount> kParts = {"", "encoder", "cross", "ffn", "encoder_ffn", "source", "final", "words"};
constexpr std::array<std::string_view, kActivationCount> kActivations = {
    "tanh",       "sigmoid",       "relu",       "leaky_relu",       "gelu",       "gelu_tanh",       "gelu_quick",       "silu",
    "elu_plus_one", "log_elu_plus_one", "log", "tanh_slope",  "sigmoid_slope", "relu_slope",    "leaky_relu_slope", "gelu_slope", "gelu_tanh_slope", "gelu_quick_slope",
    "silu_slope", "elu_plus_one_slope", "log_elu_plus_one_slope", "log_slope", "minus_log"};
constexpr std::string_view kGradient = "grad";

constexpr std::array<std::string_view, 14> kSources = {"meaning", "seeded", "one_hot", "identity", "given",
                                                       "formula", "drawn",  "scene",   "model",    "unknown", "file",
                                                       "picture", "derived", "of_kind"};

/// A whole string as a positive number, or 0.
template <class Number = int>
Number positive(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

/// "l3": the third of what `letter` counts, unless it was given before.
template <class Number>
bool read_count(std::string_view word, char letter, Number& counted) {
    if (counted != -1 || !word.starts_with(letter)) return false;
    counted = static_cast<Number>(positive<Number>(word.substr(1)) - 1);
    return counted != -1;
}

/// The document's field names for its inputs; a step may be addressed by them.
struct FieldName {
    std::string_view field;
    Role role;
    Part part = Part::Main;
};
constexpr std::array kFieldNames = {
    FieldName{"X", Role::Embeddings},    FieldName{"X_source", Role::Embeddings, Part::Source},
    FieldName{"W_Q", Role::QueryWeight}, FieldName{"W_K", Role::KeyWeight},
    FieldName{"W_V", Role::ValueWeight}, FieldName{"W_O", Role::OutputWeight},
    FieldName{"b_Q", Role::QueryBias},   FieldName{"b_K", Role::KeyBias},
    FieldName{"b_V", Role::ValueBias},   FieldName{"b_O", Role::OutputBias},
};

/// One word of a step's name: the part, a layer, a time, the role, or (after the role) a head.
bool read_word(std::string_view word, Tag& tag, bool& role) {
    if (role) {
        if (tag.head != kNoHead || !word.starts_with('h')) return false;
        tag.head = positive(word.substr(1)) - 1;
        return tag.head >= 0;
    }
    if (word.starts_with(kGradient) && tag.pass == 0) {
        const std::int16_t pass = word == kGradient ? 1 : positive<std::int16_t>(word.substr(kGradient.size()));
        if (pass > 1 || word == kGradient) {
            tag.pass = pass;
            return true;
        }
    }
    if (const std::optional<Role> found = find_role(word)) {
        tag.role = *found;
        return role = true;
    }
    for (const FieldName& name : kFieldNames)
        if (name.field == word && (name.part == Part::Main || tag.part == Part::Main)) {
            tag.role = name.role;
            if (name.part != Part::Main) tag.part = name.part;
            return role = true;
        }
    if (read_count(word, 'l', tag.layer) || read_count(word, 't', tag.time)) return true;
    const auto part = std::find(kParts.begin() + 1, kParts.end(), word);
    if (part == kParts.end() || tag.part != Part::Main) return false;
    tag.part = static_cast<Part>(part - kParts.begin());
    return true;
}

/// "-2", "0", "+2".
std::string signed_text(int number) { return (number > 0 ? "+" : "") + std::to_string(number); }

}  // namespace

std::string_view part_id(Part part) { return kParts[static_cast<std::size_t>(part)]; }
std::string_view activation_id(Activation activation) { return kActivations[static_cast<std::size_t>(activation)]; }
Activation slope_of(Activation activation) {
    constexpr int kFunctions = static_cast<int>(Activation::TanhSlope);
    assert(static_cast<int>(activation) < kFunctions);
    return static_cast<Activation>(static_cast<int>(activation) + kFunctions);
}
RowsOf rows_of(Op op) { return kRowsOf[static_cast<std::size_t>(op)]; }
std::string_view op_id(Op op) { return kOps[static_cast<std::size_t>(op)]; }
std::string_view role_id(Role role) { return kRoles[static_cast<std::size_t>(role)]; }
bool has_trait(Role role, RoleTrait trait) { return (kTraits[static_cast<std::size_t>(role)] & trait) != 0; }
std::string_view source_id(Source source) { return kSources[static_cast<std::size_t>(source)]; }

std::optional<Source> Sources::of_row(int row) const {
    const std::span<const Source> each = listed();
    return each.empty() ? std::nullopt : std::optional(each[std::min(each.size() - 1, static_cast<std::size_t>(row))]);
}

std::optional<Role> find_role(std::string_view id) {
    if (const auto at = std::find(kRoles.begin(), kRoles.end(), id); at != kRoles.end())
        return static_cast<Role>(at - kRoles.begin());
    for (const FormerId& former : kFormerIds)
        if (former.id == id) return former.role;
    return std::nullopt;
}

StepId find_id(const Trace& trace, Tag tag) {
    for (StepId id = 0; id < trace.size(); ++id)
        if (trace[id].tag == tag) return id;
    return kNoStep;
}

StepId find_given(const Trace& trace, Tag tag) {
    const auto there = std::find_if(trace.given.begin(), trace.given.end(), [&](const GivenStep& given) { return given.tag == tag; });
    return there == trace.given.end() ? kNoStep : there->id;
}

const Step* find(const Trace& trace, Tag tag) {
    const StepId id = find_id(trace, tag);
    return id == kNoStep ? nullptr : &trace[id];
}

std::string step_name(Tag tag) {
    std::string name;
    if (tag.pass > 0) name += std::string(kGradient) + (tag.pass > 1 ? std::to_string(tag.pass) : "") + ".";
    if (tag.part != Part::Main) name += std::string(part_id(tag.part)) + ".";
    if (tag.layer != kNoLayer) name += "l" + std::to_string(tag.layer + 1) + ".";
    if (tag.time != kNoTime) name += "t" + std::to_string(tag.time + 1) + ".";
    name += role_id(tag.role);
    if (tag.head != kNoHead) name += ".h" + std::to_string(tag.head + 1);
    return name;
}

std::optional<Tag> parse_step_name(std::string_view name) {
    Tag tag;
    bool role = false;
    if (name.ends_with('.')) return std::nullopt;
    while (!name.empty()) {
        const std::string_view word = name.substr(0, name.find('.'));
        name.remove_prefix(std::min(name.size(), word.size() + 1));
        if (!read_word(word, tag, role)) return std::nullopt;
    }
    if (!role) return std::nullopt;
    // Only the norm and the residual of the feed-forward sub-layer bear its part; a name of a step inside it may have
    // it, too.
    if (has_trait(tag.role, kFeedForward)) {
        if (tag.part == Part::FeedForward) tag.part = Part::Main;
        if (tag.part == Part::EncoderFeedForward) tag.part = Part::Encoder;
    }
    return tag;
}

StepId find_step(const Trace& trace, std::string_view name) {
    if (const int number = positive(name); number > 0) return number <= trace.size() ? number - 1 : kNoStep;
    const std::optional<Tag> tag = parse_step_name(name);
    if (!tag) return kNoStep;
    if (const StepId id = find_id(trace, *tag); id != kNoStep) return id;
    // Whatever the name leaves out may be anything: "weights" alone is the first head's, in the first layer that has
    // one.
    const auto fits = [](int wanted, int has) { return wanted == -1 || wanted == has; };
    // With a single head, steps bear no head number, but "weights.h1" finds them all the same.
    if (tag->head == 0) {
        const StepId alone = find_id(trace, tag->of_head(kNoHead));
        const bool cut = std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& s) { return s.tag.head != kNoHead; });
        if (alone != kNoStep && !cut) return alone;
    }
    for (StepId id = 0; id < trace.size(); ++id) {
        const Tag& at = trace[id].tag;
        if (at.role == tag->role && at.pass == tag->pass && fits(tag->head, at.head) && fits(tag->layer, at.layer) && fits(tag->time, at.time) &&
            (tag->part == Part::Main || tag->part == at.part))
            return id;
    }
    return kNoStep;
}

std::string axis_label(const Trace& trace, Axis axis, int index) {
    const auto at = static_cast<std::size_t>(axis.first + index);
    const auto named = [at](const std::vector<std::string>& names) {
        return at < names.size() ? names[at] : std::to_string(at + 1);
    };
    switch (axis.kind) {
        case Axis::Kind::Tokens:
            return named(trace.tokens);
        case Axis::Kind::SourceTokens:
            return named(trace.source_tokens);
        case Axis::Kind::Features:
            return named(trace.features);
        case Axis::Kind::Words:
            return named(trace.words);
        case Axis::Kind::Things:
            return named(trace.things);
        case Axis::Kind::Distances:
            return signed_text(axis.first + index);
        case Axis::Kind::Pairs:
            return axis_label(trace, {axis.queries}, static_cast<int>(at) / axis.span) + " · " +
                   axis_label(trace, {axis.keys}, static_cast<int>(at) % axis.span);
        case Axis::Kind::Units:
            return std::to_string(at + 1);
    }
    return {};
}

}  // namespace attn
