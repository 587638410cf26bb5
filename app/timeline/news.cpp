#include "app/timeline/news.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>

#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"
#include "app/timeline/timeline.h"
#include "core/ops/ops.h"

namespace app {
namespace {

using attn::Op;
using attn::Role;
using attn::StepId;

bool same_numbers(const attn::FrozenMatrix& a, const attn::FrozenMatrix& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    const auto bytes = static_cast<std::size_t>(a.size()) * sizeof(float);
    return a.data() == b.data() || std::memcmp(a.data(), b.data(), bytes) == 0;
}

/// Evicted values are recomputed as a whole only if their first rows are equal.
bool same_values(const attn::StepValue& a, const attn::StepValue& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    const bool remade = !a.at_hand() || !b.at_hand();
    if (remade && a.rows() > 1 && !same_numbers(a.some_rows(0, 1), b.some_rows(0, 1))) return false;
    return same_numbers(a, b);
}

bool changes_nothing(const attn::Trace& trace, const attn::Step& step) {
    // Softmax results differ from their inputs anyway, and one row of a checkpoint's logits would need the embeddings
    // of all words.
    if (attn::makes_shares(step.op) && step.value.recipe()) return false;
    return std::any_of(step.inputs.begin(), step.inputs.end(),
                       [&](StepId input) { return same_values(trace[input].value, step.value); });
}

/// Roles that differ from time to time even if everything else repeats.
bool echoes(Role role) {
    return role == Role::Weights || role == Role::LocalWeights || role == Role::Drawn || role == Role::Probabilities ||
           role == Role::Choice;
}

bool tells(const attn::Trace& trace, StepId id) {
    const Role role = trace[id].tag.role;
    if (is_reverse(trace[id].tag)) return false;
    return role == Role::Scores || role == Role::Weights || role == Role::Probabilities || mixes_values(trace, id);
}

/// The sums and gates within a recurrent unit, up to the state that it makes.
bool is_within_unit(Role role) {
    const bool whole = role == Role::State || role == Role::States || role == Role::BackwardStates || role == Role::Annotations;
    return stage_of(role) == Stage::States && !whole;
}

StorySeconds usual_seconds(const attn::Step& step) {
    if (is_reverse(step.tag)) return is_gradient(step.tag) ? StorySeconds{1.4, 1.0} : StorySeconds{0.7, 0.4};
    if (is_within_unit(step.tag.role)) return {0.4, 0.2};
    // What a block does to each word separately involves no other word, so it is passed quickly.
    const Stage stage = stage_of(step.tag.role);
    if (stage == Stage::Norm || stage == Stage::FeedForward || stage == Stage::Residual) return {0.5, 0.3};
    switch (step.tag.role) {
        case Role::Embeddings:
        case Role::Scaled:
        case Role::CausalMasked:
        case Role::Masked:
        case Role::Output:
        case Role::Attended:
            return {1.4, 1.5};
        case Role::Queries:
        case Role::Scores:
            return {2.0, 0.9};
        case Role::Keys:
        case Role::Values:
            return {1.1, 0.9};
        default:
            return {1.1, 0.7};
    }
}

StorySeconds seconds_of(const attn::Step& step, News news) {
    switch (news) {
        case News::Nothing:
            return {kBlink / 2, kBlink / 2};
        case News::Again:
            return {0.22, 0.08};
        case News::Echo:
            return {0.9, 0.7};
        case News::Carried:
            return {0.7, 0.6};
        case News::Usual:
            return usual_seconds(step);
        case News::Telling:
            return step.tag.role == Role::Weights ? StorySeconds{5.0, 1.5} : StorySeconds{4.0, 1.5};
    }
    return {};
}

bool has_many_places(const attn::Trace& trace, const std::vector<StepId>& steps) {
    return std::any_of(steps.begin(), steps.end(), [&](StepId id) {
        return trace[id].tag.layer != attn::kNoLayer || trace[id].tag.time != attn::kNoTime;
    });
}

}  // namespace

bool mixes_values(const attn::Trace& trace, StepId id) {
    const attn::Step& step = trace[id];
    if (step.op != Op::MatMul || step.tag.pass != 0) return false;
    const Role left = trace[step.inputs[0]].tag.role;
    return left == Role::Weights || left == Role::LocalWeights || left == Role::Drawn;
}

std::vector<News> news_of(const attn::Trace& trace, const std::vector<StepId>& steps) {
    std::vector<News> out;
    // In a recurrence, the same role made by another operation is new: for instance the part that a state takes from
    // the jointly projected words, or a state that is a sum where the first was an activation. But who attends to whom
    // is new only once.
    std::set<std::tuple<Role, attn::Part, int, std::optional<Op>>> seen;
    std::set<std::tuple<Role, attn::Part, int>> heard;
    for (const StepId id : steps) {
        const attn::Step& step = trace[id];
        const bool first = heard.insert({step.tag.role, step.tag.part, step.tag.pass}).second;
        const auto by = step.tag.time == attn::kNoTime ? std::nullopt : std::optional(step.op);
        const bool other = seen.insert({step.tag.role, step.tag.part, step.tag.pass, by}).second;
        const bool fresh = other && (first || !echoes(step.tag.role));
        const bool given = step.op == Op::Input && step.tag.time != attn::kNoTime;  // zeros for a missing word
        if (step.op != Op::Input && changes_nothing(trace, step))
            out.push_back(fresh || !by ? News::Nothing : News::Again);  // stated once for all words
        else if (!fresh)
            out.push_back(echoes(step.tag.role) && !is_reverse(step.tag) ? News::Echo : News::Again);
        else if (tells(trace, id))
            out.push_back(News::Telling);
        else
            out.push_back(carries_cells(step.op) || given ? News::Carried : News::Usual);
    }
    // The output is made with the last layer's weights, so these are shown as slowly as the first ones, and the scores
    // that they are made from are shown again.
    for (std::size_t i = steps.size(); i-- > 0;) {
        const attn::Tag& tag = trace[steps[i]].tag;
        if (tag.role != Role::Weights || is_reverse(tag) || tag.part == attn::Part::Cross) continue;
        if (out[i] != News::Echo || tag.layer == attn::kNoLayer || tag.time != attn::kNoTime) break;
        out[i] = News::Telling;
        for (std::size_t k = i; k-- > 0 && trace[steps[k]].tag.layer == tag.layer;)
            if (trace[steps[k]].tag.role == Role::Scores && out[k] == News::Again) out[k] = News::Usual;
        break;
    }
    return out;
}

std::vector<StorySeconds> story_seconds(const attn::Trace& trace, const std::vector<StepId>& steps,
                                        const std::vector<News>& news) {
    constexpr double kLeastOfOthers = 0.35;  // share of their time left to them before Telling steps are shortened
    std::vector<StorySeconds> out;
    double blinks = 0, others = 0, telling = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        out.push_back(seconds_of(trace[steps[i]], news[i]));
        (news[i] == News::Nothing ? blinks : news[i] == News::Telling ? telling : others) += out.back().motion + out.back().rest;
    }
    const bool many = has_many_places(trace, steps);
    const double most = many ? kStoryMostOfMany : kStoryMost, all = blinks + others + telling, moving = others + telling;
    double of_blinks = 1, of_others = 1, of_telling = 1;
    if (all > most) {
        // Blinks are shortened first, if they are over a third of the whole.
        of_blinks = blinks > most / 3 ? most / 3 / blinks : 1;
        const double left = most - blinks * of_blinks;
        of_others = of_telling = moving > 0 ? left / moving : 1;
        if (many && others > 0 && telling > 0) {
            of_others = std::clamp((left - telling) / others, std::min(kLeastOfOthers, of_others), 1.0);
            of_telling = (left - others * of_others) / telling;
        }
    } else if (all < kStoryLeast && moving > 0) {
        of_others = of_telling = std::min(kStoryStretch, (kStoryLeast - blinks) / moving);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double factor = news[i] == News::Nothing ? of_blinks : news[i] == News::Telling ? of_telling : of_others;
        out[i].motion *= std::min(factor, kStoryStretch);
        out[i].rest *= std::min(factor, kStoryStretch);
    }
    return out;
}

}  // namespace app
