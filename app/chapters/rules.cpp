#include "app/chapters/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/do.h"
#include "app/chapters/format/target.h"
#include "app/content/number_text.h"
#include "app/timeline/labels.h"

namespace app {
namespace {

using ValueKind = ChapterValue::Kind;
using TargetKind = LinkTarget::Kind;

/// Whether two numbers look the same to a reader; numbers computed in two ways are never exactly equal.
bool same_number(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}); }

/// The value of an expression in a sentence, if it is a number and not the label of a position.
std::optional<double> number_shown(const std::string& written, const ChapterContext& c) {
    const auto value = evaluate(without_format(written), c);
    if (!value || value->kind != ValueKind::Number || !value->text.empty() || !std::isfinite(value->number))
        return std::nullopt;
    return value->number;
}
/// The label that it shows: a token's text, or a position's.
std::string label_shown(const std::string& written, const ChapterContext& c) {
    const auto value = evaluate(without_format(written), c);
    return value && (value->kind == ValueKind::Text || value->kind == ValueKind::Number) ? value->text : std::string();
}

/// All texts of the page that are visible before an answer is given.
std::vector<const Prose*> told_before(const ChapterPage& page, Language language) {
    std::vector<const Prose*> out{&in(page.say, language)};
    if (page.task) out.push_back(&in(page.task->say, language));
    if (page.ask) out.push_back(&in(page.ask->say, language));
    return out;
}

bool on_stage(const ChapterPage& page) { return page.enter.screen.empty() || page.enter.screen == "stage"; }

/// The step whose numbers the stage shows after the motion.
attn::StepId shown_step_of(const ChapterPage& page, const ChapterContext& c) {
    if (!on_stage(page)) return attn::kNoStep;
    const std::string& name = !page.enter.show.empty() ? page.enter.show
                              : page.play_to.empty()   ? page.play_from
                                                       : page.play_to;
    return name.empty() ? attn::kNoStep : step_in(c, name);
}

/// Whether the answer can be read from the shown step: a cell of it, or the largest of a row.
bool read_off(const std::string& of, attn::StepId shown, const ChapterContext& asking) {
    if (shown == attn::kNoStep) return false;
    const std::vector<Reading> readings = readings_of(of, asking);
    if (readings.empty()) return false;
    const Reading& whole = readings.back();
    if (whole.cell) return whole.cell->step == shown;
    constexpr std::string_view kPicks[] = {"max(", "min(", "argmax(", "argmin(", "ranked("};
    const bool picks = std::any_of(std::begin(kPicks), std::end(kPicks), [&](std::string_view word) {
        return whole.text.starts_with(word) && whole.text.ends_with(")");
    });
    return picks && readings.size() == 2 && readings.front().value.step == shown;
}

void answer_told(const ChapterPage& page, const ChapterContext& context, const Asked& asked,
                 std::vector<RuleBroken>& out) {
    const ChapterAsk& ask = *page.ask;
    const ChapterContext asking = asking_context(context, asked);
    const attn::StepId shown = shown_step_of(page, context);
    const bool of_step = ask.kind == "value_of_cell" || ask.kind == "largest_in_row" || ask.kind == "order_weights";
    if (of_step && asked.step == shown && shown != attn::kNoStep)
        out.push_back({"ask", "the answer can be read off the picture: the step that is asked about is the one shown"});
    if (ask.kind == "value_of_cell" && page.enter.screen == "flow")
        out.push_back({"ask", "the answer can be read off the picture: every number of the flow can be pointed at"});
    if ((ask.kind == "number" || ask.kind == "which") && read_off(ask.of, shown, asking))
        out.push_back({"ask", fmt::format("the answer can be read off the picture: {} is read off the step shown", ask.of)});
    if (asked.input != AnswerInput::Number) return;
    const Answer right = right_answer(ask, asked, context);
    if (!right.number) return;
    for (const Prose* text : told_before(page, context.language))
        for (const std::string& expression : expressions_of(*text))
            if (const auto told = number_shown(expression, asking); told && same_number(*told, *right.number))
                out.push_back({"ask", fmt::format("the page tells the answer, {}, itself: {{{}}}",
                                                  number_text(static_cast<float>(*told), 2), expression)});
}

std::optional<LitCells> lit_by(const std::string& link, const ChapterContext& c) {
    const auto target = parse_target(link);
    return target && target->kind <= TargetKind::Cell ? cells_of(*target, c) : std::nullopt;
}
bool holds_cell(const LitCells& lit, attn::Tag tag, int row, int col) {
    return lit.tag == tag && (lit.row < 0 || lit.row == row) && (lit.col < 0 || lit.col == col);
}

/// The cell that a page pins, with row and column from 0.
std::optional<attn::Cell> pinned_cell(const ChapterPage& page, const ChapterContext& c) {
    if (!page.enter.pin) return std::nullopt;
    const CellSpot& spot = *page.enter.pin;
    const std::string& other = page.enter.show.empty() ? page.play_to : page.enter.show;
    const attn::StepId id = step_in(c, spot.step.empty() ? other : spot.step);
    if (id == attn::kNoStep) return std::nullopt;
    const attn::Matrix& m = c.trace[id].value;
    const auto row = index_of(spot.row, c, static_cast<int>(m.rows()));
    const auto col = index_of(spot.column, c, static_cast<int>(m.cols()));
    return row && col ? std::optional(attn::Cell{id, *row, *col}) : std::nullopt;
}

/// Whether the page names the cell: by a link to it, its row or its column, by its number in a sentence, or by the
/// question.
bool is_named(const ChapterPage& page, const ChapterContext& c, const attn::Cell& cell, const Asked* asked) {
    const attn::Tag tag = c.trace[cell.step].tag;
    const double value = static_cast<double>(c.trace[cell.step].value(cell.row, cell.col));
    const ChapterContext asking = asked ? asking_context(c, *asked) : c;
    for (const Prose* text : told_before(page, c.language)) {
        for (const std::string& link : text->links)
            if (const auto lit = lit_by(link, asking); lit && (lit->row >= 0 || lit->col >= 0))
                if (holds_cell(*lit, tag, cell.row, cell.col)) return true;
        for (const std::string& expression : expressions_of(*text))
            if (const auto number = number_shown(expression, asking); number && same_number(*number, value))
                return true;
    }
    return asked && asked->step == cell.step && asked->row == cell.row + 1;
}

void pin_and_light(const ChapterPage& page, const ChapterContext& c, const Asked* asked, std::vector<RuleBroken>& out) {
    const auto pinned = pinned_cell(page, c);
    if (pinned && !is_named(page, c, *pinned, asked))
        out.push_back({"pin",
                       "no sentence of the page names the pinned cell: link to it, to its row or column, or "
                       "write its number"});
    const auto lit = page.light.empty() || !on_stage(page) ? std::nullopt : lit_by(page.light, c);
    if (!lit || (lit->row < 0 && lit->col < 0)) return;
    if (pinned) {
        if (!holds_cell(*lit, c.trace[pinned->step].tag, pinned->row, pinned->col))
            out.push_back({"pin", "the pinned cell is not what is lit: the number explained belongs to another cell"});
        return;
    }
    const attn::StepId shown = shown_step_of(page, c);
    if (page.ask || page.hides("inspector") || shown == attn::kNoStep) return;
    if (!holds_cell(*lit, c.trace[shown].tag, 0, 0))
        out.push_back({"light",
                       "nothing is pinned, so the inspector explains the first cell, which is not lit: the "
                       "number explained belongs to another cell"});
}

/// Checks the text of links: a number must be that of the link's cell, a label that of its row or column.
void numbers_of_links(const ChapterPage& page, const ChapterContext& c, std::vector<RuleBroken>& out) {
    const Prose& text = in(page.say, c.language);
    const AxisLabels labels = labels_of(c.trace, c.language);
    for (const ProseBlock& block : text.blocks)
        for (const ProseSpan& span : block.spans) {
            if (span.kind != ProseSpan::Kind::Number || span.link < 0) continue;
            const auto lit = lit_by(text.links[static_cast<std::size_t>(span.link)], c);
            if (!lit || (lit->row < 0 && lit->col < 0)) continue;
            const attn::Step* step = attn::find(c.trace, lit->tag);
            if (!step) continue;
            const auto wrong = [&](std::string_view what) {
                out.push_back({std::string(language_id(c.language)),
                               fmt::format("{{{}}} is not {} of its link ({})", span.text, what,
                                           text.links[static_cast<std::size_t>(span.link)])});
            };
            if (const std::string label = label_shown(span.text, c); !label.empty()) {
                const bool of_row = lit->row >= 0 && label == labels.of(step->rows, lit->row);
                const bool of_col = lit->col >= 0 && label == labels.of(step->cols, lit->col);
                if (!of_row && !of_col) wrong("the label of the row or column");
            } else if (lit->row >= 0 && lit->col >= 0) {
                const auto number = number_shown(span.text, c);
                if (number && !same_number(*number, static_cast<double>(step->value(lit->row, lit->col))))
                    wrong("the number of the cell");
            }
        }
}

}  // namespace

std::vector<RuleBroken> broken_rules(const ChapterPage& page, const ChapterContext& context, const Asked* asked) {
    std::vector<RuleBroken> out;
    if (page.ask && asked && asked->possible) answer_told(page, context, *asked, out);
    pin_and_light(page, context, asked, out);
    numbers_of_links(page, context, out);
    return out;
}

std::optional<RuleBroken> unlisted_translation(const ChapterPage& page, const ChapterContext& context,
                                               const std::vector<TextPair>& pairs) {
    const auto second = evaluate("source_token(1)", context);
    const attn::Document& document = context.document;
    if (!second || second->kind != ValueKind::Text || document.source_kind != "text") return std::nullopt;
    const auto says = [&](Language language, std::string_view word) {
        const std::vector<const Prose*> texts = told_before(page, language);
        return std::any_of(texts.begin(), texts.end(),
                           [&](const Prose* text) { return text_of(*text).find(word) != std::string::npos; });
    };
    if (!says(Language::English, "ranslat") && !says(Language::Chinese, "译")) return std::nullopt;
    const auto listed = [&](const TextPair& pair) {
        return (pair[0] == document.text && pair[1] == document.source) ||
               (pair[1] == document.text && pair[0] == document.source);
    };
    if (std::any_of(pairs.begin(), pairs.end(), listed)) return std::nullopt;
    return RuleBroken{"set", fmt::format("the page speaks of a translation, and “{}” with “{}” is not in {}",
                                         document.text, document.source, kPairsFile)};
}

std::span<const std::string_view> page_view_keys() {
    static constexpr std::string_view kKeys[] = {"comparison",    "heads",        "paths",      "flow",       "experiment_page",
                                                 "scaling_width", "scaling_seed", "difference", "convention", "shared_scale",
                                                 "speed",         "trained"};
    return kKeys;
}

}  // namespace app
