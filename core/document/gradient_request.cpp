#include "core/document/gradient_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/attention/parts/choices.h"
#include "core/attention/parts/rows.h"
#include "core/document/internal.h"
#include "core/document/take.h"
#include "core/gradient/gradient.h"
#include "core/ops/ops.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::string_view kLoss = "loss";
/// Cost of the reverse pass relative to the run: two products for each, and transposed factors.
constexpr double kTimesWork = 5, kTimesBytes = 8;

bool form_has(const Document& doc, Reads use) {
    const Form* form = find_form(doc.config.form);
    return form && has(form->reads, use);
}

/// A whole number from 1, converted to an index from 0; −1: no such number.
int counted(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= 1 ? number - 1 : -1;
}

/// The rows of the logits that have a right word, and that word.
struct TargetRows {
    std::vector<int> rows, words;
};

int word_of(const Inputs& in, const std::string& word) {
    const auto at = std::find(in.words.begin(), in.words.end(), word);
    return at == in.words.end() ? kNoTarget : static_cast<int>(at - in.words.begin());
}

TargetRows target_rows(const Document& doc, const Inputs& in, int rows) {
    TargetRows out;
    const std::vector<std::string>& target = doc.config.target;
    const auto ask = [&](int row, const std::string& word) {
        if (word == kPadding) return;
        if (const int number = word_of(in, word); number != kNoTarget) {
            out.rows.push_back(row);
            out.words.push_back(number);
        }
    };
    // Row i of a recurrent decoder predicts word i from the previous words; the first row has no previous word.
    const bool own = form_has(doc, Reads::Unit);
    for (int row = own ? 1 : 0; row < rows; ++row) {
        const int place = own ? row : row + 1;
        if (target.empty() && place < in.n())
            ask(row, in.tokens[static_cast<std::size_t>(place)]);
        else if (!target.empty())
            ask(row, target[target.size() == 1 ? 0 : static_cast<std::size_t>(row)]);
    }
    return out;
}

/// The rows with a right word; the step itself if all rows have one.
StepId rows_of(Trace& t, StepId from, const std::vector<int>& rows, Tag tag) {
    const auto count = static_cast<int>(rows.size());
    if (count == t[from].value.rows()) return from;
    if (rows.back() - rows.front() + 1 == count) return slice_rows(t, from, rows.front(), count, tag.as(Role::LossLogits));
    std::vector<StepId> parts;
    for (const int row : rows) {
        Tag one = tag.as(Role::LossRow);
        one.time = row;
        parts.push_back(slice_rows(t, from, row, 1, one));
    }
    return stack(t, parts, tag.as(Role::LossLogits));
}

/// The softmax of these logits: an existing step, or a new one.
StepId shares_of(Trace& t, StepId logits, Tag tag) {
    for (StepId id = logits + 1; id < t.size(); ++id)
        if (t[id].op == Op::Softmax && t[id].inputs[0] == logits && t[id].as<SoftmaxParams>().temperature == 1) return id;
    return softmax(t, logits, 1, tag.as(Role::LossProbabilities));
}

/// −1/k Σ log p(right word), and where its reverse pass begins.
std::optional<Objective> record_cross_entropy(Trace& t, StepId all, const TargetRows& targets) {
    if (targets.rows.empty()) return std::nullopt;
    const Tag tag{Role::Loss};
    const StepId logits = rows_of(t, all, targets.rows, tag);
    const auto count = static_cast<Eigen::Index>(targets.rows.size());
    const float share = 1.0f / static_cast<float>(count);
    const StepId p = shares_of(t, logits, tag);
    Matrix right = Matrix::Zero(count, t[logits].value.cols());
    for (Eigen::Index r = 0; r < count; ++r) right(r, targets.words[static_cast<std::size_t>(r)]) = 1;
    const StepId y = input(t, std::move(right), tag.as(Role::LossTargets), t[logits].rows, t[logits].cols, {Source::Given});
    const StepId said = row_sum(t, multiply(t, p, y, tag.as(Role::LossTerms)), tag.as(Role::LossShares));
    const StepId each = activate(t, said, Activation::MinusLog, tag.as(Role::LossLogs));
    scale(t, column_sum(t, each, tag.as(Role::LossSum)), share, tag);
    const Tag of = t[logits].tag;
    const StepId off = add(t, p, scale(t, y, -1, of.of_pass(3)), of.of_pass(2));
    return Objective{logits, scale(t, off, share, of.of_pass(1))};
}

/// −1/n Σ L_s over the n rows with unmasked keys; the others add 0.
std::optional<Objective> record_bound(Trace& t) {
    const StepId bound = find_id(t, {Role::Bound});
    if (bound == kNoStep) return std::nullopt;
    int rows = 0;
    for (int row = 0; row < static_cast<int>(t[bound].value.rows()); ++row)
        if (row_state(t, bound, row) != RowState::AllMasked) ++rows;
    if (rows == 0) return std::nullopt;
    const StepId loss = scale(t, column_sum(t, bound, {Role::LossSum}), -1 / static_cast<float>(rows), {Role::Loss});
    return objective_at(t, {loss, 0, 0});
}

/// The logits of the last layer; while generating, those of the first time.
StepId logits_of(const Trace& t) {
    for (StepId id = 0; id < t.size(); ++id)
        if (t[id].tag.role == Role::Logits) return id;
    return kNoStep;
}

std::optional<Objective> record_loss(const Document& doc, const Inputs& in, Trace& t) {
    if (trains_hard(doc)) return record_bound(t);
    const StepId logits = logits_of(t);
    if (logits == kNoStep) return std::nullopt;
    return record_cross_entropy(t, logits, target_rows(doc, in, static_cast<int>(t[logits].value.rows())));
}

std::optional<Objective> record_cell(const Document& doc, Trace& t) {
    GradientOf request = *doc.gradient;
    // A single head has no number in its steps' tags.
    if (doc.config.heads == 1 && request.tag.head == 0) request.tag.head = kNoHead;
    const StepId id = find_id(t, request.tag);
    if (id == kNoStep || request.row >= t[id].value.rows() || request.col >= t[id].value.cols()) return std::nullopt;
    return objective_at(t, {id, request.row, request.col});
}

}  // namespace

std::string gradient_text(const GradientOf& request) {
    if (request.loss) return std::string(kLoss);
    return fmt::format("{},{},{}", step_name(request.tag), request.row + 1, request.col + 1);
}

Result<GradientOf> parse_gradient(std::string_view text) {
    if (text == kLoss) return GradientOf{true, {}, 0, 0};
    const auto wrong = [&](std::string_view why) {
        return Error{fmt::format("\"{}\" {}; write \"loss\", or STEP,ROW,COLUMN, such as output,2,1", visible(text), why), "", "gradient", 0};
    };
    const std::size_t second = text.rfind(','), first = second == std::string_view::npos ? second : text.rfind(',', second - 1);
    if (first == std::string_view::npos || first == second || first == 0) return wrong("names no number");
    const auto tag = parse_step_name(text.substr(0, first));
    if (!tag) return wrong("names no step that there is");
    if (tag->pass != 0) return wrong("is a number of a reverse pass, which has none of its own");
    const int row = counted(text.substr(first + 1, second - first - 1)), col = counted(text.substr(second + 1));
    if (row < 0 || col < 0) return wrong("has no row and column, whole numbers from 1,");
    return GradientOf{false, *tag, row, col};
}

bool trains_hard(const Document& doc) {
    return form_has(doc, Reads::Target) && rows_read(doc.config, "target") && !doc.config.target.empty();
}

bool predicts_words(const Document& doc) {
    if (form_has(doc, Reads::Words)) return true;
    const auto* unembedding = unembeddings().find(doc.config.unembedding);
    return form_has(doc, Reads::Blocks | Reads::Unit) && unembedding && unembedding->predicts;
}

bool can_have_loss(const Document& doc) {
    if (shows_picture(doc)) return false;
    return predicts_words(doc) || (form_has(doc, Reads::Target) && rows_read(doc.config, "target"));
}

bool has_loss(const Document& doc) { return can_have_loss(doc) && why_no_loss(doc).empty(); }

std::string why_no_loss(const Document& doc) {
    if (shows_picture(doc)) return "nothing says which label of the picture is right; take a number, such as logits,1,1";
    if (!can_have_loss(doc)) return fmt::format("the form \"{}\" predicts no words here, so nothing is right or wrong", doc.config.form);
    const bool next = predicts_words(doc) && form_has(doc, Reads::Source);
    if (!doc.config.target.empty() || (next && tokens_of(doc).size() > 1)) return "";
    return next ? "the text has no next token to predict; type more, or give \"target\""
                : "nothing says which word is right; give \"target\"";
}

Cost with_gradient(const Document& doc, Cost forward) {
    if (!doc.gradient) return forward;
    forward.multiply_adds *= 1 + kTimesWork;
    forward.held += kTimesBytes * forward.bytes;  // a reverse pass evicts nothing
    forward.bytes *= 1 + kTimesBytes;
    forward.work *= 1 + kTimesWork;
    return forward;
}

bool record_requested_gradient(const Document& doc, const Inputs& in, Trace& t, const std::stop_token& stop) {
    if (!doc.gradient) return true;
    t.stop = stop;
    const std::optional<Objective> objective = doc.gradient->loss ? record_loss(doc, in, t) : record_cell(doc, t);
    if (objective) record_gradients(t, {&*objective, 1});
    t.stop = {};
    return objective.has_value();
}

}  // namespace attn
