#include "app/cli/step_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>

#include "app/cli/step_arguments.h"
#include "app/export/trace_format.h"
#include "core/io/safe_text.h"
#include "core/text/closest_name.h"

namespace app {
namespace {

using WishSpan = StepWish::Span;

constexpr std::string_view kMain = "main";

std::optional<int> whole(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

/// Reads "3" or "2-4"; the smallest valid number is `lowest`.
std::optional<WishSpan> span_of(std::string_view text, int lowest) {
    const std::size_t dash = text.find('-');
    const auto first = whole(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole(text.substr(dash + 1));
    if (!first || !last || *first < lowest || *last < *first) return std::nullopt;
    return WishSpan{*first, *last};
}

/// The index of `id` among `count` names.
template <class NameOf>
std::optional<WishSpan> named(std::string_view id, int count, const NameOf& name_of) {
    for (int i = 0; i < count; ++i)
        if (name_of(i) == id) return WishSpan{i, i};
    return std::nullopt;
}

std::string_view role_at(int role) { return attn::role_id(static_cast<attn::Role>(role)); }
std::string_view op_at(int op) { return attn::op_id(static_cast<attn::Op>(op)); }
std::string_view part_at(int part) { return part == 0 ? kMain : attn::part_id(static_cast<attn::Part>(part)); }

/// Reads a role by its id, its former id, or the document's name for it: "W_Q".
std::optional<WishSpan> read_role(std::string_view word) {
    const auto tag = attn::parse_step_name(word);
    if (!tag || *tag != attn::Tag{}.as(tag->role)) return std::nullopt;
    return WishSpan{static_cast<int>(tag->role), static_cast<int>(tag->role)};
}

template <class NameOf>
std::vector<std::string_view> all_names(int count, const NameOf& name_of) {
    std::vector<std::string_view> out;
    for (int i = 0; i < count; ++i) out.push_back(name_of(i));
    return out;
}

struct Key {
    std::string_view id, help;
    int (*of)(const attn::Step&);  ///< for values that count from one, 0: the step has none
    std::optional<WishSpan> (*read)(std::string_view);
    std::vector<std::string_view> (*names)();  ///< names of the values; nullptr: they are numbers
    bool from_one = false;                     ///< if no step has a number, all have 1
    bool counted = false;                      ///< written and read in the document's counting
};

constexpr std::array kKeys = {
    Key{"role", "an id of `attenscope list roles`", [](const attn::Step& s) { return static_cast<int>(s.tag.role); }, read_role,
        [] { return all_names(attn::kRoleCount, role_at); }},
    Key{"op", "an id of `attenscope list ops`", [](const attn::Step& s) { return static_cast<int>(s.op); },
        [](std::string_view word) { return named(word, attn::kOpCount, op_at); }, [] { return all_names(attn::kOpCount, op_at); }},
    Key{"part", "main, encoder, cross, ffn …: what a step's name begins with", [](const attn::Step& s) { return static_cast<int>(s.tag.part); },
        [](std::string_view word) { return named(word, attn::kPartCount, part_at); }, [] { return all_names(attn::kPartCount, part_at); }},
    Key{"layer", "as --count-from says", [](const attn::Step& s) { return s.tag.layer + 1; }, [](std::string_view word) { return span_of(word, 0); }, nullptr, true, true},
    Key{"head", "as --count-from says", [](const attn::Step& s) { return s.tag.head + 1; }, [](std::string_view word) { return span_of(word, 0); }, nullptr, true, true},
    Key{"time", "from 1: a word that is generated, a tile", [](const attn::Step& s) { return s.tag.time + 1; },
        [](std::string_view word) { return span_of(word, 1); }, nullptr, true},
    Key{"pass", "0 for the computation itself, 1 for gradients, 2, 3 … for what is made on the way to one",
        [](const attn::Step& s) -> int { return s.tag.pass; }, [](std::string_view word) { return span_of(word, 0); }, nullptr},
};

const Key* key_named(std::string_view id) {
    const auto found = std::ranges::find(kKeys, id, &Key::id);
    return found == kKeys.end() ? nullptr : &*found;
}

attn::Error wrong(std::string message) { return wrong_option("--only", std::move(message)); }

attn::Error no_such_value(const Key& key, std::string_view word, attn::CountFrom from) {
    if (!key.names)
        return wrong(fmt::format("{}={} is not possible; give a number ({}) or a span such as 2-4", key.id, attn::in_quotes(word),
                                 key.counted ? fmt::format("from {}", attn::count_from_id(from)) : key.help));
    const auto names = key.names();
    return wrong(fmt::format("there is no {} {}; the closest is {} (give {})", key.id, attn::in_quotes(word), attn::closest_name(word, names), key.help));
}

/// The number of each step for a key.
class NumberOf {
public:
    NumberOf(const Key& key, const attn::Trace& trace) : key_(key) {
        const auto has = [&](const attn::Step& step) { return key.of(step) > 0; };
        alone_ = key.from_one && std::none_of(trace.steps.begin(), trace.steps.end(), has);
    }
    int operator()(const attn::Step& step) const { return alone_ ? 1 : key_.of(step); }

private:
    const Key& key_;
    bool alone_ = false;
};

/// "1-12", "weights, output": the values that these steps have, with numbers as spans.
std::string values_of(const Key& key, attn::CountFrom from, const NumberOf& number, const attn::Trace& trace, const std::vector<attn::StepId>& steps) {
    std::set<int> had;
    for (const attn::StepId id : steps)
        if (const int value = number(trace[id]); value > 0 || !key.from_one) had.insert(value);
    const auto names = key.names ? key.names() : std::vector<std::string_view>();
    const auto said = [&](int value) { return key.counted ? attn::number_of(value - 1, from) : std::to_string(value); };
    std::vector<std::string> out;
    for (auto at = had.begin(); at != had.end();) {
        const int first = *at;
        int last = first;
        for (++at; !key.names && at != had.end() && *at == last + 1; ++at) last = *at;
        out.push_back(key.names ? std::string(names[static_cast<std::size_t>(first)]) : first == last ? said(first) : fmt::format("{}-{}", said(first), said(last)));
    }
    return fmt::format("{}", fmt::join(out, ","));
}

}  // namespace

attn::Result<std::vector<StepWish>> read_step_wishes(std::string_view words, attn::CountFrom from) {
    std::vector<StepWish> out;
    const Key* key = nullptr;
    while (true) {
        const std::size_t comma = words.find(',');
        std::string_view word = words.substr(0, comma);
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
            key = key_named(word.substr(0, equals));
            if (!key) {
                std::vector<std::string_view> ids;
                for (const Key& row : kKeys) ids.push_back(row.id);
                return wrong(fmt::format("there is no {}; there are {}", attn::in_quotes(word.substr(0, equals)), fmt::join(ids, ", ")));
            }
            word.remove_prefix(equals + 1);
        }
        if (!key) return wrong(fmt::format("{} is not KEY=VALUE, such as role=weights,layer=3,head=2", attn::in_quotes(word)));
        auto span = key->read(word);
        // In code the first is 1.
        if (span && key->counted) span = WishSpan{attn::index_of(span->first, from) + 1, attn::index_of(span->last, from) + 1};
        if (!span || (key->counted && span->first < 1)) return no_such_value(*key, word, from);
        auto at = std::ranges::find(out, key->id, &StepWish::key);
        if (at == out.end()) at = out.insert(at, StepWish{key->id, "", {}});
        at->values.append(at->values.empty() ? "" : ",").append(word);
        at->spans.push_back(*span);
        if (comma == std::string_view::npos) return out;
        words.remove_prefix(comma + 1);
    }
}

attn::Result<std::vector<attn::StepId>> steps_that_fit(const attn::Trace& trace, std::span<const StepWish> wishes, attn::CountFrom from) {
    std::vector<attn::StepId> steps = every_step(trace);
    std::string before;
    for (const StepWish& wish : wishes) {
        const Key& key = *key_named(wish.key);
        const NumberOf number(key, trace);
        const auto fits = [&](attn::StepId id) {
            const int value = number(trace[id]);
            return std::ranges::any_of(wish.spans, [value](WishSpan s) { return s.first <= value && value <= s.last; });
        };
        std::vector<attn::StepId> left;
        std::ranges::copy_if(steps, std::back_inserter(left), fits);
        if (left.empty() && trace.size() > 0) {
            const std::string had = values_of(key, from, number, trace, steps);
            return wrong(fmt::format("no step{} has {}={}; {}", before.empty() ? "" : " with " + before, wish.key, wish.values,
                                     had.empty() ? fmt::format("none has a {}", wish.key) : fmt::format("there is {}={}", wish.key, had)));
        }
        steps = std::move(left);
        before += fmt::format("{}{}={}", before.empty() ? "" : " and ", wish.key, wish.values);
    }
    return steps;
}

std::string step_wish_help() {
    std::string out;
    for (const Key& key : kKeys) out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", key.id, key.help);
    return out;
}

}  // namespace app
