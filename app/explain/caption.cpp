#include "app/explain/caption.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "app/content/number_text.h"
#include "app/explain/blank.h"
#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Op;
using attn::Role;
using Kind = attn::Axis::Kind;

struct Sentences {
    Role role;
    Str cell, row, all;
};
constexpr Sentences kSentences[] = {
#define CAPTION(role, cell, row, all) {Role::role, Str::cell, Str::row, Str::all},
#include "app/explain/captions.inc"
#undef CAPTION
};

const Sentences* sentences_of(Role role) {
    const auto* found = std::find_if(std::begin(kSentences), std::end(kSentences),
                                     [&](const Sentences& one) { return one.role == role; });
    return found == std::end(kSentences) ? nullptr : found;
}

bool of_tokens(attn::Axis axis) {
    return axis.kind == Kind::Tokens || axis.kind == Kind::SourceTokens || axis.kind == Kind::Things ||
           axis.kind == Kind::Words;
}

/// Weights say nothing if the largest is below kUneven times an even share, and the least at least kAlike of the
/// largest.
constexpr float kUneven = 1.5f, kAlike = 0.6f;

/// The placeholders of a sentence.
enum Slot { kWho, kWhom, kShown, kMatrix, kSaid, kSlots };

struct Writer {
    const CaptionInput& in;
    std::array<Caption::Part, kSlots> slots{};
    std::pair<Kind, int> who{}, whom{};  ///< the tokens that the names belong to

    const attn::Trace& trace() const { return in.run.trace; }
    const attn::Step& step() const { return trace()[in.step]; }
    float value() const { return step().value(in.explained.row, in.explained.col); }

    void name(Slot slot, attn::Axis axis, int index, Hue hue) {
        if (!of_tokens(axis)) return;
        slots[slot] = {in.labels.spoken(axis, index), hue, true};
        (slot == kWho ? who : whom) = {axis.kind, axis.first + index};
    }
    void number(float shown, Hue hue) { slots[kShown] = {telling_text(shown), hue, true}; }
    /// Whether both are the same token, not just the same word at two positions.
    bool itself() const { return !slots[kWho].text.empty() && !slots[kWhom].text.empty() && who == whom; }

    /// The row of weights that the step is, or by which it mixes values; none for other steps.
    std::optional<std::pair<attn::StepId, int>> weights_row() const {
        const Role role = step().tag.role;
        if (is_reverse(step().tag)) return std::nullopt;
        if (role == Role::Weights || role == Role::LocalWeights || role == Role::Drawn || role == Role::Probabilities)
            return std::pair(in.step, in.explained.row);
        if (mixes_values(trace(), in.step)) return std::pair(step().inputs[0], in.explained.row);
        return std::nullopt;
    }

    /// "W_Q": the symbol of the matrix multiplied by, or its name if it has no simple symbol.
    Caption::Part matrix_letters() const {
        if (step().op != Op::MatMul) return {};
        for (std::size_t i = step().inputs.size(); i-- > 0;) {
            const Role role = trace()[step().inputs[i]].tag.role;
            if (!look_of(role).operand) continue;
            std::string text(symbol_of(role, in.convention));
            if (text.size() > 3 && text[0] == '\\' && text[2] == ' ') text.erase(0, 3);
            if (text.find('\\') == std::string::npos && text.find('{') == std::string::npos)
                return {std::move(text), Hue::Ink, false, true};
            return {std::string(label_of(attn::role_id(role), in.language)), Hue::Ink, true};
        }
        return {};
    }

    std::string said() const {
        std::string text(tr(in_convention(say_of(in.run, in.step), in.convention), in.language));
        if (!text.empty() && in.language == Language::English)
            text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    void fill() {
        const bool raw = looks_at_itself(trace()), both = of_tokens(step().rows) && of_tokens(step().cols);
        const Hue asks = raw ? Hue::Accent : Hue::Query, answers = raw ? Hue::Accent : Hue::Key;
        const bool back = is_reverse(step().tag);
        const Hue hue = hue_of(step().tag), own = !back && (both || mixes_values(trace(), in.step)) ? asks : hue;
        if (of_tokens(step().rows))
            name(kWho, step().rows, in.explained.row, own == Hue::Input ? Hue::Accent : own);
        else
            name(kWho, step().cols, in.explained.col, own == Hue::Input ? Hue::Accent : own);
        if (both) name(kWhom, step().cols, in.explained.col, answers);
        number(value(), hue == Hue::Input ? Hue::Ink : hue);
        if (const auto row = weights_row()) largest_weight(row->first, row->second, answers);
        slots[kMatrix] = matrix_letters();
        if (back) slots[kShown] = {slope_text(value()), Hue::Gradient, true};
        if (back) slots[kWhom] = {std::string(letter_of_objective(trace())), Hue::Gradient, true};
        slots[kSaid] = {said(), Hue::Ink, false};
    }

    /// Fills in the weight to be stated, and the token that it is given to.
    void largest_weight(attn::StepId id, int row, Hue hue) {
        const attn::Step& weights = trace()[id];
        Eigen::Index col = id == in.step ? in.explained.col : 0;
        if (id != in.step || weights.tag.role == Role::Probabilities) weights.value.one_row(row).maxCoeff(&col);
        name(kWhom, weights.cols, static_cast<int>(col), hue);
        const float weight = weights.value(row, col);
        slots[kShown] = {weight_text(static_cast<double>(weight)), look_of(weights.tag.role).hue, true};
    }

    bool largest_of_row() const {
        const attn::RowVector row = step().value.one_row(in.explained.row);
        return row.size() > 1 && value() == row.maxCoeff();
    }
    /// The number of keys that a row of weights may attend to, and its largest and least weight.
    struct Spread {
        int seen = 0;
        float most = 0, least = 1;
    };
    Spread spread_of(attn::StepId id, int row) const {
        Spread out;
        for (const float weight : attn::RowVector(trace()[id].value.one_row(row))) {
            if (weight <= 0) continue;
            ++out.seen;
            out.most = std::max(out.most, weight);
            out.least = std::min(out.least, weight);
        }
        return out;
    }
    bool is_even(attn::StepId id, int row) const {
        const Spread spread = spread_of(id, row);
        return spread.seen > 1 && spread.most * static_cast<float>(spread.seen) < kUneven && spread.least >= kAlike * spread.most;
    }

    /// Whether the step states who attends to whom.
    bool says_who_looks() const {
        const Role role = step().tag.role;
        return role == Role::Scores || role == Role::Scaled || role == Role::Weights || role == Role::LocalWeights || role == Role::Drawn ||
               mixes_values(trace(), in.step);
    }
    /// What is said instead if one of the two is a word that the model has never seen.
    std::optional<Str> of_blank() const {
        if (!says_who_looks() || slots[kWho].text.empty() || slots[kWhom].text.empty()) return std::nullopt;
        return blank_claim(trace(), {who.first, who.second}, {whom.first, whom.second});
    }

    Str of_weights(bool finished) const {
        const auto row = *weights_row();
        if (spread_of(row.first, row.second).most <= 0) return Str::cap_weight_none;
        if (!largest_of_row()) return Str::cap_weight_given;
        if (is_even(row.first, row.second)) return itself() ? Str::cap_weight_even_itself : Str::cap_weight_even;
        if (itself()) return Str::cap_weight_itself;
        return finished ? Str::cap_weight : Str::cap_weight_given;
    }
    Str of_mixture(bool finished) const {
        const auto row = *weights_row();
        if (spread_of(row.first, row.second).most <= 0) return Str::cap_weight_none;
        if (!finished) return itself() ? Str::cap_takes_itself : Str::cap_takes;
        if (is_even(row.first, row.second)) return Str::cap_mixed_even;
        return itself() ? Str::cap_mixed_itself : Str::cap_mixed;
    }
    /// The highlight has left the explained cell and moves through its row, so other numbers are lit.
    bool wanders() const {
        constexpr Op kGo[] = {Op::MatMul, Op::Activate, Op::Multiply, Op::Divide, Op::ExpShift};
        return in.moment == Moment::Row && step().value.cols() > 1 && std::find(std::begin(kGo), std::end(kGo), step().op) != std::end(kGo);
    }
    /// Whether the sentence states only the number of the explained cell, or whose it is.
    static bool says_number(Str sentence) {
        return sentence == Str::cap_activated_is || sentence == Str::cap_logits_is;
    }
    Str of_scores() const {
        if (in.moment == Moment::Cell && step().op == Op::MatMul)
            return itself() ? Str::cap_asks_itself : Str::cap_asks;
        if (wanders()) return Str::cap_asks_all;
        if (itself()) return Str::cap_answers_itself;
        return in.moment == Moment::All && largest_of_row() ? Str::cap_answers_loudest : Str::cap_answers;
    }

    /// Whether all weights are over a second text or a picture.
    bool looks_elsewhere() const {
        const auto& steps = trace().steps;
        bool other = false;
        for (const attn::Step& step : steps) {
            if (step.tag.role != Role::Weights || is_reverse(step.tag)) continue;
            if (step.cols.kind == Kind::Tokens) return false;
            other = other || step.cols.kind == Kind::SourceTokens || step.cols.kind == Kind::Things;
        }
        return other;
    }

    /// The step's sentence if nothing special applies; none: it uses its text of roles.inc.
    std::optional<Str> own_sentence() const {
        const Role role = role_of_doing(step());
        const Sentences* own = sentences_of(role);
        const bool named = !slots[kWho].text.empty();
        if (role == Role::Scores && named && !slots[kWhom].text.empty()) return of_scores();
        const bool from_file = step().op == Op::Input;  // not computed: the weights are given
        if ((role == Role::Weights || role == Role::LocalWeights) && named && (in.moment != Moment::Cell || from_file) &&
            !slots[kWhom].text.empty())
            return of_weights(in.moment == Moment::All && !from_file);
        if (from_file && (role == Role::Inputs || role == Role::Residual) && say_of_file(step())) return std::nullopt;
        if (mixes_values(trace(), in.step) && named && !slots[kWhom].text.empty())
            return of_mixture(in.moment != Moment::Cell);
        if (!own) return std::nullopt;
        // A product with W_O states its matrix; an output made in another way is described only when it is there.
        Str sentence = in.moment == Moment::Cell ? own->cell : in.moment == Moment::Row ? own->row : own->all;
        if (wanders() && says_number(sentence)) sentence = own->cell;
        if ((sentence == Str::cap_output || sentence == Str::cap_output_change) && slots[kMatrix].text.empty()) return looks_elsewhere() ? Str::cap_output_of : own->all;
        if (sentence == Str::cap_output_is && looks_elsewhere()) return Str::cap_output_of;
        if (sentence == Str::cap_keys_turned && looks_at_itself(trace())) return Str::cap_vectors_turned;
        return sentence;
    }

    Str plain_sentence() const {
        const bool number = in.moment != Moment::Cell && !wanders() && step().op != Op::Input && !carries_cells(step().op);
        if (!number) return Str::cap_said;
        return slots[kWho].text.empty() ? Str::cap_number : Str::cap_number_of;
    }

    /// Keys that an earlier time step of the recurrence already computed.
    bool are_keys_as_before() const {
        if (is_reverse(step().tag) || step().tag.time == attn::kNoTime || step().tag.time < 1 || look_of(step().tag.role).hue != Hue::Key)
            return false;
        attn::Tag before = step().tag;
        --before.time;
        const attn::StepId id = attn::find_id(trace(), before);
        if (id == attn::kNoStep) return false;
        const attn::Matrix &then = trace()[id].value, &now = step().value;
        return then.rows() == now.rows() && then.cols() == now.cols() && then == now;
    }

    Str of_nothing() const {
        if (step().tag.role == Role::Queries && step().op == Op::SliceRows) return Str::cap_state_asks;
        static constexpr Str kSays[] = {
#define OP_LOOK(name, seconds, lay_out, folds, in_reverse, of_nothing) Str::of_nothing,
#include "app/timeline/op_looks.inc"
#undef OP_LOOK
        };
        if (step().op == Op::MatMul && slots[kMatrix].text.empty()) return Str::cap_no_change;
        return kSays[static_cast<std::size_t>(step().op)];
    }

    /// What the chain rule does here and, once the number is there, what it means.
    Str of_reverse() const {
        if (in.moment == Moment::Cell || !is_gradient(step().tag) || step().op == Op::Input || !std::isfinite(value())) return Str::cap_said;
        return value() == 0 ? Str::cap_no_slope : Str::cap_slope;
    }

    Str sentence() const {
        if (is_reverse(step().tag)) return of_reverse();
        if (in.news == News::Nothing) return of_nothing();
        if (const auto blank = of_blank()) return *blank;
        const auto own = own_sentence();
        return own && can_say(*own) ? *own : plain_sentence();
    }

    /// Whether every name that the sentence needs is available.
    bool can_say(Str string) const {
        const std::string_view text = tr(string, Language::English);
        for (const Slot slot : {kWho, kWhom, kMatrix})
            if (text.find("{" + std::to_string(static_cast<int>(slot)) + "}") != std::string_view::npos &&
                slots[slot].text.empty())
                return false;
        return true;
    }

    Caption fill_sentence(Str string) const {
        Caption out;
        const std::string_view text = tr(string, in.language);
        std::size_t from = 0;
        for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', from)) {
            if (at > from) out.parts.push_back({std::string(text.substr(from, at - from))});
            out.parts.push_back(slots[static_cast<std::size_t>(text[at + 1] - '0')]);
            from = at + 3;
        }
        if (from < text.size()) out.parts.push_back({std::string(text.substr(from))});
        return out;
    }

    /// Many short stops of a repeated block share one sentence: each alone could not be read.
    Caption again() {
        const attn::Tag tag = step().tag;
        const bool timed = tag.time != attn::kNoTime;
        slots[0] = {timed ? std::to_string(tag.time + 1) : attn::number_of(tag.layer, in.count), Hue::Accent, true};
        return fill_sentence(timed                         ? Str::cap_again_time
                             : tag.layer != attn::kNoLayer ? Str::cap_again_block
                                                           : Str::cap_again);
    }
};

}  // namespace

Moment moment_at(double progress) {
    return progress < kCellThere ? Moment::Cell : progress < kRowThere ? Moment::Row : Moment::All;
}

std::string Caption::text() const {
    std::string out;
    for (const Part& part : parts) out += part.text;
    return out;
}

Caption caption(const CaptionInput& in) {
    if (in.step == attn::kNoStep) return {};
    Writer writer{in};
    if (writer.are_keys_as_before()) return writer.fill_sentence(Str::cap_same_keys);
    if (in.news == News::Again && !is_reverse(writer.step().tag)) return writer.again();
    if (writer.step().value.size() == 0) return {};
    writer.fill();
    return writer.fill_sentence(writer.sentence());
}

}  // namespace app
