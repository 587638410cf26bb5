#include "app/screens/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/state/derived.h"
#include "app/state/difference.h"
#include "app/state/edits.h"
#include "core/document/fields.h"
#include "core/document/internal.h"
#include "core/document/link.h"
#include "core/document/origins.h"
#include "core/document/take.h"
#include "core/train/tasks.h"
#include "core/train/untrained.h"

namespace app {
namespace {

using attn::Document;
using attn::Role;
using attn::StepId;
using attn::Trace;

constexpr std::string_view kTemperatures[] = {"0", "0.25", "0.5", "1", "2", "4"};

bool reads(const Document& doc, std::string_view key) {
    const attn::Field* field = attn::find_field(key);
    return field && (!field->is_read || field->is_read(doc));
}
bool has_pairs(const Document& doc) { return !doc.attention && !attn::shows_picture(doc) && attn::tokens_of(doc).size() >= 2; }
bool has_trained(const Document& doc) { return doc.model && attn::train::task_of(*doc.model) && doc.model->training->steps > 0; }
bool has_model(const Document& doc) { return attn::takes_model_weights(doc) && !attn::shows_picture(doc); }
bool has_heads(const Document& doc) { return doc.config.heads > 1 && (doc.attention || reads(doc, "heads")); }
template <const char* Key>
bool reads_key(const Document& doc) {
    return reads(doc, Key);
}
constexpr char kScore[] = "score", kMask[] = "mask", kPosition[] = "position", kScope[] = "scope",
               kSelection[] = "selection", kTemperature[] = "temperature";

constexpr ComparisonKind kKinds[] = {
    {"score", Compares::Choice, Str::score, kScore, {}, reads_key<kScore>},
    {"mask", Compares::Choice, Str::mask, kMask, {}, reads_key<kMask>},
    {"position", Compares::Choice, Str::position, kPosition, {}, reads_key<kPosition>},
    {"scope", Compares::Choice, Str::scope, kScope, {}, reads_key<kScope>},
    {"selection", Compares::Choice, Str::selection, kSelection, {}, reads_key<kSelection>},
    {"temperature", Compares::Choice, Str::temperature, kTemperature, kTemperatures, reads_key<kTemperature>},
    {"variant", Compares::Choice, Str::form, "variant", {}, nullptr},
    {"text", Compares::Text, Str::compare_text, "", {}, nullptr},
    {"head", Compares::Head, Str::compare_head, "", {}, has_heads},
    {"order", Compares::Order, Str::compare_order, "", {}, has_pairs},
    {"edits", Compares::Edits, Str::compare_edits, "", {}, attn::is_altered},
    {"untrained", Compares::Untrained, Str::compare_training, "", {}, has_trained},
    {"model", Compares::Model, Str::compare_model, "", {}, has_model},
    {"kept", Compares::StoredRun, Str::compare_kept, "", {}, nullptr},
};
/// The kinds to try first with a model's weights.
constexpr std::string_view kFirstOfTrained[] = {"head", "order", "text"};

std::string current_of(const Document& doc, std::string_view field) {
    if (field == "score") return std::string(attn::score_of(doc.config));
    if (field == "temperature") return fmt::format("{}", doc.config.temperature);
    const attn::Field* row = attn::find_field(field);
    return row && row->chosen ? std::string(row->chosen(doc)) : "";
}

/// Keeps its own vectors, swapped: for word vectors swapping the words would do, but one-hot vectors are assigned by
/// first appearance.
void swap_tokens(Document& doc, const Comparison& comparison) {
    const attn::Inputs in = attn::inputs_of(doc);
    std::vector<std::string> tokens = in.tokens;
    const Swap swap = swap_of(comparison, static_cast<int>(tokens.size()));
    if (swap.first == swap.second) return;
    attn::Matrix x(in.x);
    x.row(swap.first).swap(x.row(swap.second));
    std::swap(tokens[static_cast<std::size_t>(swap.first)], tokens[static_cast<std::size_t>(swap.second)]);
    if (in.padding > 0 && in.source_tokens.empty()) tokens.resize(tokens.size() - static_cast<std::size_t>(in.padding));
    doc.tokens = std::move(tokens);
    doc.given[static_cast<std::size_t>(attn::Given::X)] = std::move(x);
    if (in.source_x.size() > 0) doc.given[static_cast<std::size_t>(attn::Given::X_source)] = in.source_x;
    attn::drop_unread(doc);  // where the vectors came from before
}

/// The step of a role nearest to the learner's position: of the same attention and block first, then of the same time
/// and head.
StepId step_of(const Trace& trace, Role role, attn::Tag near) {
    StepId best = attn::kNoStep;
    int best_nearness = -1;
    for (StepId id = 0; id < trace.size(); ++id) {
        const attn::Tag& tag = trace[id].tag;
        if (tag.role != role || tag.pass != 0) continue;
        const int nearness = (tag.part == near.part ? 8 : 0) + (tag.layer == near.layer ? 4 : 0) +
                             (tag.time == near.time ? 2 : 0) +
                             (tag.head == attn::kNoHead || tag.head == near.head ? 1 : 0);
        if (nearness <= best_nearness) continue;
        best = id;
        best_nearness = nearness;
    }
    return best;
}

/// The last step of a role, the result of the whole run.
StepId last_of(const Trace& trace, Role role) {
    for (StepId id = trace.size() - 1; id >= 0; --id)
        if (trace[id].tag.role == role && trace[id].tag.pass == 0) return id;
    return attn::kNoStep;
}

std::vector<int> places(attn::Axis axis, Eigen::Index count, Swap swap) {
    std::vector<int> out;
    for (int i = 0; i < static_cast<int>(count); ++i)
        out.push_back(axis.kind == attn::Axis::Kind::Tokens ? swap.place(i) : i);
    return out;
}

/// For each row or column of one run, its position in the other run, whose text has another length; nothing if they are
/// not tokens, or none corresponds.
std::optional<std::vector<int>> aligned_places(const Trace& left, const attn::Axis& axis, Eigen::Index count, const Trace& right, const attn::Axis& other, Eigen::Index other_count) {
    if (axis.kind != other.kind || axis.first != other.first) return std::nullopt;
    const bool source = axis.kind == attn::Axis::Kind::SourceTokens;
    if (!source && axis.kind != attn::Axis::Kind::Tokens) return count == other_count ? std::optional(places(axis, count, {})) : std::nullopt;
    std::vector<int> out = source ? attn::aligned_tokens(left.source_tokens, right.source_tokens) : attn::aligned_tokens(left.tokens, right.tokens);
    if (axis.first != 0 || std::ssize(out) != count || std::ssize(source ? right.source_tokens : right.tokens) != other_count) return std::nullopt;
    return std::any_of(out.begin(), out.end(), [](int place) { return place >= 0; }) ? std::optional(std::move(out)) : std::nullopt;
}

Difference subtract_steps(const Trace& left, StepId a, const Trace& right, StepId b, Swap swap) {
    const attn::Matrix &first = left[a].value, &second = right[b].value;
    if (!same_shape(first, second)) return {};
    return subtract(first, second, places(left[a].rows, first.rows(), swap), places(left[a].cols, first.cols(), swap));
}

}  // namespace

std::span<const ComparisonKind> comparison_kinds() { return kKinds; }

const ComparisonKind& kind_of(const Comparison& comparison, const Document& document) {
    const auto applies = [&](const ComparisonKind& kind) { return !kind.applies || kind.applies(document); };
    const auto with_id = [&](std::string_view id) {
        return std::find_if(std::begin(kKinds), std::end(kKinds), [&](const ComparisonKind& kind) { return kind.id == id && applies(kind); });
    };
    if (const auto* found = with_id(comparison.kind); found != std::end(kKinds)) return *found;
    if (attn::takes_model_weights(document))
        for (const std::string_view id : kFirstOfTrained)
            if (const auto* kind = with_id(id); kind != std::end(kKinds)) return *kind;
    return *std::find_if(std::begin(kKinds), std::end(kKinds), applies);  // the form can always be changed
}

std::vector<ComparisonChoice> choices_of(const ComparisonKind& kind, const Document& document, int head) {
    std::vector<ComparisonChoice> out;
    if (kind.what == Compares::Head)
        for (int h = 0; h < document.config.heads; ++h) out.push_back({std::to_string(h + 1), "", h == head});
    if (kind.field.empty()) return out;
    std::vector<std::string_view> ids(kind.choices.begin(), kind.choices.end());
    if (ids.empty()) ids = attn::find_field(kind.field)->choices();
    const std::string now = current_of(document, kind.field);
    for (const std::string_view id : ids) {
        Document copy = document;
        choose(copy, kind.field, id);
        const auto wrong = attn::problems(copy);
        out.push_back({std::string(id), wrong.empty() ? "" : wrong.front().message, id == now});
    }
    return out;
}

int head_of_choice(std::string_view id) {
    int number = 0;
    std::from_chars(id.data(), id.data() + id.size(), number);
    return number - 1;
}

std::string choice_of(const ComparisonKind& kind, const Comparison& comparison,
                      std::span<const ComparisonChoice> choices) {
    const auto possible = [](const ComparisonChoice& choice) { return choice.why_not.empty() && !choice.current; };
    if (kind.id == comparison.kind)
        for (const ComparisonChoice& choice : choices)
            if (choice.id == comparison.choice && possible(choice)) return std::string(choice.id);
    for (const ComparisonChoice& choice : choices)
        if (possible(choice)) return std::string(choice.id);
    return "";
}

Document other_document(const Document& document, const Comparison& comparison, const attn::ModelPtr& model) {
    Document other = document;
    const ComparisonKind& kind = kind_of(comparison, document);
    switch (kind.what) {
        case Compares::Choice:
            if (const std::string id = choice_of(kind, comparison, choices_of(kind, document)); !id.empty())
                choose(other, kind.field, id);
            break;
        case Compares::Order:
            if (attn::problems(document).empty()) swap_tokens(other, comparison);
            break;
        case Compares::Edits:
            other = attn::unaltered(std::move(other));
            break;
        case Compares::Text:
            type_text(other, comparison.text);
            break;
        case Compares::Head:
            break;
        case Compares::Untrained:
            if (const auto before = attn::train::untrained(*document.model)) other.model = *before;
            break;
        case Compares::Model:
            if (model) attn::take_model(other, model);
            break;
        case Compares::StoredRun:
            if (auto kept = stored_run_document(comparison)) other = std::move(*kept);
            break;
    }
    return other;
}

void keep(Comparison& comparison, const Document& document) {
    comparison.kind = "kept";
    comparison.stored_link = attn::document_link(document);
    comparison.stored_run.reset();
    if (attn::document_from_link(comparison.stored_link)) return;
    comparison.stored_link.clear();
    comparison.stored_run = std::make_shared<const Document>(document);
}

bool has_stored_run(const Comparison& comparison) { return comparison.stored_run || !comparison.stored_link.empty(); }

std::optional<Document> stored_run_document(const Comparison& comparison) {
    if (comparison.stored_run) return *comparison.stored_run;
    auto kept = attn::document_from_link(comparison.stored_link);
    return kept ? std::optional(std::move(*kept)) : std::nullopt;
}

bool wants_model(const ViewState& view, const Document& document) {
    return view.screen == Screen::Compare && kind_of(view.part<Comparison>(), document).what == Compares::Model;
}

bool ranks_heads(const ComparisonKind& kind) {
    return kind.what == Compares::Text || kind.what == Compares::Model || kind.what == Compares::StoredRun || kind.what == Compares::Edits || kind.what == Compares::Untrained;
}

Swap swap_of(const Comparison& comparison, int count) {
    if (count < 2) return {};
    return {std::clamp(comparison.first, 0, count - 1), std::clamp(comparison.second, 0, count - 1)};
}

bool has_role(const Trace& trace, std::string_view role) {
    const auto found = attn::find_role(role);
    return found && last_of(trace, *found) != attn::kNoStep;
}

Compared place_runs(const Trace& left, const Trace& right, const ComparedPlace& place) {
    Role shown = attn::find_role(place.role).value_or(Role::Weights);
    if (place.other_head && shown == Role::Output) shown = Role::HeadOutput;
    Compared out;
    out.swap = place.swap;
    out.left = step_of(left, shown, place.near);
    // In the other run, the step with the same tag as the first one's.
    attn::Tag there = out.left == attn::kNoStep ? place.near : left[out.left].tag;
    if (place.other_head) there.head = *place.other_head;
    out.right = step_of(right, shown, there);
    out.outputs_too = !place.other_head;
    if (out.left == attn::kNoStep || out.right == attn::kNoStep) return out;
    const attn::Step& first = left[out.left];
    out.row_place = places(first.rows, first.value.rows(), place.swap);
    out.col_place = places(first.cols, first.value.cols(), place.swap);
    const attn::Step& second = right[out.right];
    out.same_shape = same_shape(first.value, second.value);
    if (out.same_shape) return out;
    auto rows = aligned_places(left, first.rows, first.value.rows(), right, second.rows, second.value.rows());
    auto cols = aligned_places(left, first.cols, first.value.cols(), right, second.cols, second.value.cols());
    if (!rows || !cols) return out;
    out.aligned = true;
    out.row_place = std::move(*rows);
    out.col_place = std::move(*cols);
    return out;
}

void subtract_runs(const Trace& left, const Trace& right, Compared& placed) {
    if (placed.can_subtract())
        placed.difference =
            subtract(left[placed.left].value, right[placed.right].value, placed.row_place, placed.col_place);
    const StepId a = last_of(left, Role::Output), b = last_of(right, Role::Output);
    if (!placed.outputs_too || a == attn::kNoStep || b == attn::kNoStep) return;
    const Difference outputs = subtract_steps(left, a, right, b, placed.swap);
    if (outputs.size() > 0) placed.output_largest = outputs.largest;
}

}  // namespace app
