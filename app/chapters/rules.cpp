#include "app/chapters/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/chapters/do.h"
#include "app/chapters/format/target.h"
#include "app/content/number_text.h"
#include "app/timeline/labels.h"

namespace app {
namespace {

using ValueKind = ChapterValue::Kind;
using TargetKind = LinkTarget::Kind;

/// Whether two numbers look the same to a reader. Numbers computed in two ways are rarely exactly equal.
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
std::vector<const Prose*> texts_before_answer(const ChapterPage& page, Language language) {
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

void answer_given_away(const ChapterPage& page, const ChapterContext& context, const PageQuestion& question,
                 std::vector<RuleBroken>& out) {
    const ChapterAsk& ask = *page.ask;
    const ChapterContext asking = asking_context(context, question);
    const attn::StepId shown = shown_step_of(page, context);
    const bool of_step = ask.kind == "value_of_cell" || ask.kind == "largest_in_row" || ask.kind == "order_weights";
    if (of_step && question.step == shown && shown != attn::kNoStep)
        out.push_back({"ask", "the answer can be read off the picture: the step that is asked about is the one shown"});
    if (ask.kind == "value_of_cell" && page.enter.screen == "flow")
        out.push_back({"ask", "the answer can be read off the picture: every number of the flow can be pointed at"});
    if ((ask.kind == "number" || ask.kind == "which") && read_off(ask.of, shown, asking))
        out.push_back({"ask", fmt::format("the answer can be read off the picture: {} is read off the step shown", ask.of)});
    if (question.input != AnswerInput::Number) return;
    const Answer right = right_answer(ask, question, context);
    if (!right.number) return;
    for (const Prose* text : texts_before_answer(page, context.language))
        for (const std::string& expression : expressions_of(*text))
            if (const auto shown_number = number_shown(expression, asking); shown_number && same_number(*shown_number, *right.number))
                out.push_back({"ask", fmt::format("the page tells the answer, {}, itself: {{{}}}",
                                                  number_text(static_cast<float>(*shown_number), 2), expression)});
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
bool is_named(const ChapterPage& page, const ChapterContext& c, const attn::Cell& cell, const PageQuestion* question) {
    const attn::Tag tag = c.trace[cell.step].tag;
    const double value = static_cast<double>(c.trace[cell.step].value(cell.row, cell.col));
    const ChapterContext asking = question ? asking_context(c, *question) : c;
    for (const Prose* text : texts_before_answer(page, c.language)) {
        for (const std::string& link : text->links)
            if (const auto lit = lit_by(link, asking); lit && (lit->row >= 0 || lit->col >= 0))
                if (holds_cell(*lit, tag, cell.row, cell.col)) return true;
        for (const std::string& expression : expressions_of(*text))
            if (const auto number = number_shown(expression, asking); number && same_number(*number, value))
                return true;
    }
    return question && question->step == cell.step && question->row == cell.row + 1;
}

/// Screens that draw one pair or one row: the pinned one, or else the one at which the motion ends.
constexpr std::string_view kDrawOneRow[] = {"heads plane", "experiments draws"};

void pin_and_light(const ChapterPage& page, const ChapterContext& c, const PageQuestion* question, std::vector<RuleBroken>& out) {
    const auto pinned = pinned_cell(page, c);
    if (!pinned && std::ranges::find(kDrawOneRow, page.enter.screen) != std::end(kDrawOneRow))
        out.push_back({"screen", "this screen draws one pair or one row, and nothing is pinned: pin a cell of the one that the text is about"});
    if (pinned && !is_named(page, c, *pinned, question))
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

std::vector<RuleBroken> broken_rules(const ChapterPage& page, const ChapterContext& context, const PageQuestion* question) {
    std::vector<RuleBroken> out;
    if (page.ask && question && question->possible) answer_given_away(page, context, *question, out);
    pin_and_light(page, context, question, out);
    numbers_of_links(page, context, out);
    return out;
}

std::optional<RuleBroken> unlisted_translation(const ChapterPage& page, const ChapterContext& context,
                                               const std::vector<TextPair>& pairs) {
    const auto second = evaluate("source_token(1)", context);
    const attn::Document& document = context.document;
    if (!second || second->kind != ValueKind::Text || document.source_kind != "text") return std::nullopt;
    const auto says = [&](Language language, std::string_view word) {
        const std::vector<const Prose*> texts = texts_before_answer(page, language);
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

namespace {

constexpr int kLargestRow = 10'000;

/// Rows that an expression or a target names by a bare number: "weights[8]", "weights[8,2]", "token(8)", "row weights 8".
void bare_rows(std::string_view text, std::set<int>& out) {
    const bool target = text.starts_with("row ") || text.starts_with("cell ") || text.starts_with("token ");
    for (std::size_t i = 1; i < text.size(); ++i) {
        const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
        const bool opens = text[i - 1] == '[' || text.substr(0, i).ends_with("token(") || (target && text[i - 1] == ' ');
        if (!opens || !digit(i)) continue;
        int number = 0;
        std::size_t end = i;
        while (digit(end) && number < kLargestRow) number = 10 * number + (text[end++] - '0');
        if (end == text.size() || text[end] == ']' || text[end] == ',' || text[end] == ')' || text[end] == ' ') out.insert(number);
        if (target) return;  // the next number is a column
    }
}

std::set<int> rows_mentioned(const Prose& prose) {
    std::set<int> out;
    for (const std::string& expression : expressions_of(prose)) bare_rows(expression, out);
    for (const std::string& link : prose.links) bare_rows(link, out);
    return out;
}

}  // namespace

std::optional<RuleBroken> number_of_another_token(const ChapterPage& page, const std::array<std::vector<std::string>, kLanguageCount>& tokens,
                                                  const std::vector<TextPair>& pairs) {
    const auto& english = tokens[0];
    const auto& chinese = tokens[1];
    if (english == chinese) return std::nullopt;
    std::set<int> rows;
    // A number in one language's text only refers to that text. One in both, or in the page's own keys, refers to both texts.
    std::set<int> mentioned[kLanguageCount];
    for (std::size_t language = 0; language < kLanguageCount; ++language) {
        mentioned[language] = rows_mentioned(page.say[language]);
        if (page.ask) mentioned[language].merge(rows_mentioned(page.ask->say[language]));
    }
    std::ranges::set_intersection(mentioned[0], mentioned[1], std::inserter(rows, rows.end()));
    bare_rows(page.light, rows);
    if (page.enter.pin) bare_rows("token(" + page.enter.pin->row + ")", rows);
    if (page.ask) {
        bare_rows(page.ask->of, rows);
        bare_rows("token(" + page.ask->row + ")", rows);
    }
    if (page.task)
        for (const std::string& until : page.task->until) bare_rows(until, rows);
    for (const int row : rows) {
        const auto at = static_cast<std::size_t>(row - 1);
        if (row < 1 || at >= english.size() || at >= chinese.size()) continue;
        for (const TextPair& pair : pairs)
            if (pair[0] == english[at] && pair[1] != chinese[at] && std::ranges::find(chinese, pair[1]) != chinese.end())
                return RuleBroken{"set", fmt::format("number {} is “{}” in one language and “{}” in the other: write place(\"{}\", \"{}\"), or count "
                                                     "from the end (n - 3)",
                                                     row, english[at], chinese[at], pair[0], pair[1])};
    }
    return std::nullopt;
}

namespace {

/// `of` may be written as a list in braces.
template <class Words = std::initializer_list<std::string_view>>
bool has_any(std::string_view words, const Words& of) {
    return std::ranges::any_of(of, [&](std::string_view one) { return words.find(one) != std::string_view::npos; });
}

/// "4" of 04-q-k-v.toml, "A" of A-translation.toml; "" of a file that has no number.
std::string chapter_number(const Chapter& chapter) {
    std::string_view name = std::string_view(chapter.file).substr(chapter.file.rfind('/') + 1);
    name = name.substr(0, name.find('-') == std::string_view::npos ? 0 : name.find('-'));
    while (name.size() > 1 && name.front() == '0') name.remove_prefix(1);
    return std::string(name);
}

/// The numbers of chapters that a text mentions: "8" in "see chapter 8", "第 8 章".
std::vector<std::string> chapters_mentioned(std::string_view words) {
    std::vector<std::string> out;
    const auto after = [&](std::string_view before, std::string_view then) {
        for (std::size_t at = words.find(before); at != std::string_view::npos; at = words.find(before, at + 1)) {
            std::size_t end = at + before.size();
            while (end < words.size() && words[end] >= '0' && words[end] <= '9') ++end;
            if (end > at + before.size() && words.substr(end).starts_with(then)) out.emplace_back(words.substr(at + before.size(), end - at - before.size()));
        }
    };
    after("hapter ", "");
    after("第 ", " 章");
    return out;
}

std::string words_of_link(const Prose& prose, int link) {
    std::string out;
    for (const ProseBlock& block : prose.blocks)
        for (const ProseSpan& span : block.spans)
            if (span.link == link && span.kind != ProseSpan::Kind::Number) out += span.text;
    return out;
}

void chapters_by_number(const Prose& prose, std::string_view key, const ChapterLibrary& library, std::vector<RuleBroken>& out) {
    const auto with_number = [&](std::string_view number) {
        return std::ranges::any_of(library.chapters, [&](const Chapter& chapter) { return chapter_number(chapter) == number; });
    };
    for (const std::string& number : chapters_mentioned(words_of(prose)))
        if (!with_number(number)) out.push_back({std::string(key), fmt::format("there is no chapter {}", number)});
    for (std::size_t i = 0; i < prose.links.size(); ++i) {
        const auto target = parse_target(prose.links[i]);
        if (!target || target->kind != TargetKind::Chapter) continue;
        const Chapter* chapter = library.find(target->name.substr(0, target->name.find('/')));
        for (const std::string& number : chapters_mentioned(words_of_link(prose, static_cast<int>(i))))
            if (chapter && chapter_number(*chapter) != number)
                out.push_back({std::string(key), fmt::format("the link says chapter {}, and “{}” is chapter {}", number, chapter->id, chapter_number(*chapter))});
    }
}

bool leads_on(const Prose& prose) {
    return std::ranges::any_of(prose.links, [](const std::string& link) {
        const auto target = parse_target(link);
        return target && (target->kind == TargetKind::Chapter || target->kind == TargetKind::Page);
    });
}

/// Claims of earlier pages that were wrong or too broad: the words that indicate one, in either language, and the words
/// with which the page itself (not its notes) makes it correct. Without such words, the claim must not be made at all.
struct LooseClaim {
    std::vector<std::string_view> claim;
    std::vector<std::string_view> unless;
    std::string_view remedy;
};
std::span<const LooseClaim> loose_claims() {
    static const LooseClaim kAll[] = {
        {{"n this program", "这个程序里", "本程序里"}, {}, "what this program does changes, and the page would not: say “here”"},
        {{"all there is", "all the geometry", "就全了"}, {}, "that nothing else belongs to it is seldom true: say of which page or chapter it is all"},
        {{"ρ"}, {"oughly", "大致"}, "ρ says how a long product grows, and of one step only roughly: say so"},
        {{"captioning network", "图像描述"}, {"Here", "这里"}, "in that network a state asks, and in the picture words do: say what is different here"},
    };
    return kAll;
}

/// Whether an expression reads weights of a numbered layer: "l2.weights.h1", "argmax(l1.t1.weights[8])".
bool of_one_layer(std::string_view expression) {
    for (std::size_t i = 0; i + 1 < expression.size(); ++i)
        if (expression[i] == 'l' && expression[i + 1] >= '1' && expression[i + 1] <= '9' && (i == 0 || expression[i - 1] == '(' || expression[i - 1] == '.'))
            return expression.find("weights", i) != std::string_view::npos;
    return false;
}

}  // namespace

std::vector<RuleBroken> broken_words(const ChapterPage& page, const ChapterContext& context, const ChapterLibrary& library) {
    std::vector<RuleBroken> out;
    const std::string language(language_id(context.language));
    std::vector<std::pair<std::string, const Prose*>> texts = {{language, &in(page.say, context.language)}, {"notes", &in(page.notes, context.language)}};
    if (page.task) texts.emplace_back("task", &in(page.task->say, context.language));
    if (page.ask) texts.emplace_back("ask", &in(page.ask->say, context.language));
    if (page.ask) texts.emplace_back("ask", &in(page.ask->because, context.language));
    const std::string own_words = words_of(in(page.say, context.language));
    for (const auto& [key, prose] : texts) {
        const std::string words = words_of(*prose);
        chapters_by_number(*prose, key, library, out);
        for (const LooseClaim& loose : loose_claims())
            if (has_any(words, loose.claim) && !has_any(own_words, loose.unless))
                out.push_back({key, fmt::format("{} ({})", loose.remedy, language)});
        if (has_any(words, {"which comes later", "which come later", "in a later chapter", "后面会讲", "以后会讲", "后面再讲"}) && !leads_on(*prose))
            out.push_back({key, fmt::format("what is promised for later needs a link to its page or chapter ({})", language)});
    }
    const auto layers = evaluate("layers", context);
    if (page.ask && layers && layers->number > 1 && (of_one_layer(page.ask->of) || of_one_layer(page.ask->step))) {
        const std::string question = words_of(in(page.ask->say, context.language));
        const bool where = question.empty() || has_any(question, {"look", "weight", "看", "权重"});
        if (where && !has_any(question + words_of(in(page.say, context.language)), {"layer", "层"}))
            out.push_back({"ask", fmt::format("the network has {:.0f} layers, and they look at different words: name the layer ({})", layers->number, language)});
    }
    return out;
}

bool is_untrained(const Chapter& chapter, const ChapterPage& page, const ChapterContext& context, bool& says_so) {
    constexpr int kTrainedFrom = 5;
    const std::string number = chapter_number(chapter);
    if (number.empty() || (number.front() >= '0' && number.front() <= '9' && std::stoi(number) < kTrainedFrom)) return false;
    if (page.closing || context.document.model || page.enter.screen == "train") return false;
    says_so = has_any(words_of(in(page.say, context.language)), {"rained", "by hand", "identity", "identities", "random", "训练", "手工", "单位矩阵", "随机"});
    return true;
}

std::span<const std::string_view> page_view_keys() {
    static constexpr std::string_view kKeys[] = {"comparison",    "heads",        "paths",      "flow",       "experiment_page",
                                                 "scaling_width", "scaling_seed", "difference", "convention", "shared_scale",
                                                 "speed",         "trained"};
    return kKeys;
}

}  // namespace app
