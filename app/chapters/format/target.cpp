#include "app/chapters/format/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/io/safe_text.h"

namespace app {
namespace {

using TargetKind = LinkTarget::Kind;

struct Form {
    std::string_view word;
    TargetKind kind;
    int words;  ///< that follow it
};
constexpr Form kForms[] = {{"matrix", TargetKind::Matrix, 1}, {"row", TargetKind::Row, 2},   {"column", TargetKind::Column, 2},
                           {"cell", TargetKind::Cell, 3},     {"part", TargetKind::Part, 1}, {"token", TargetKind::Token, 1},
                           {"play", TargetKind::Play, 2},     {"page", TargetKind::Page, 1}, {"chapter", TargetKind::Chapter, 1},
                           {"term", TargetKind::Term, 1},     {"set", TargetKind::Set, -1},  {"screen", TargetKind::Screen, -1}};

/// Words separated by spaces; parentheses or quotes keep spaces inside a word.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> out;
    int depth = 0;
    bool quoted = false, open = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ' ' && depth == 0 && !quoted) {
            open = false;
            continue;
        }
        if (!open) out.emplace_back();
        open = true;
        out.back().push_back(c);
    }
    return out;
}

bool is_quoted(const std::string& written) { return written.size() >= 2 && written.front() == '"'; }

std::optional<int> token_at(const std::string& written, const ChapterContext& context) {
    const auto& tokens = context.trace.tokens;
    if (!is_quoted(written)) return index_of(written, context, static_cast<int>(tokens.size()));
    const auto found = std::find(tokens.begin(), tokens.end(), written.substr(1, written.size() - 2));
    return found == tokens.end() ? std::nullopt : std::optional(static_cast<int>(found - tokens.begin()));
}

/// A quoted token is looked up among the labels by the expression language.
std::optional<int> place_of(const std::string& written, attn::StepId step, bool row, const ChapterContext& context) {
    const attn::Step& of = context.trace[step];
    const int count = static_cast<int>(row ? of.value.rows() : of.value.cols());
    if (is_quoted(written)) {
        const std::string label = written.substr(1, written.size() - 2);
        for (int i = 0; i < count; ++i)
            if (attn::axis_label(context.trace, row ? of.rows : of.cols, i) == label) return i;
        return std::nullopt;
    }
    return index_of(written, context, count);
}

}  // namespace

attn::Result<LinkTarget> parse_target(std::string_view text) {
    if (attn::is_web_address(text))
        return LinkTarget{TargetKind::Address, std::string(text), {}, {}, {}};
    const std::vector<std::string> words = words_of(text);
    const auto wrong = [](std::string message) { return attn::Error{std::move(message), "", "", 0}; };
    if (words.empty()) return wrong("a link needs a target, such as (row weights 2)");
    for (const Form& form : kForms) {
        if (form.word != words[0]) continue;
        const int count = static_cast<int>(words.size()) - 1;
        if (form.words >= 0 ? count != form.words : count < 1)
            return wrong(fmt::format("“{}” takes {} more word{}", form.word, form.words, form.words == 1 ? "" : "s"));
        LinkTarget out{form.kind, words[1], {}, {}, {}};
        if (form.kind == TargetKind::Row) out.row = words[2];
        if (form.kind == TargetKind::Column) out.column = words[2];
        if (form.kind == TargetKind::Play) out.second = words[2];
        if (form.kind == TargetKind::Cell) {
            out.row = words[2];
            out.column = words[3];
        }
        if (form.words < 0) out.name = std::string(text.substr(text.find(' ') + 1));
        const bool step = form.kind <= TargetKind::Cell || form.kind == TargetKind::Play;
        if (step && !is_step_name(out.name)) return wrong(fmt::format("there is no step “{}”", out.name));
        if (form.kind == TargetKind::Play && !is_step_name(out.second))
            return wrong(fmt::format("there is no step “{}”", out.second));
        return out;
    }
    return wrong(
        fmt::format("“{}” begins no target; there are matrix, row, column, cell, part, token, play, set, screen, page, "
                    "chapter and https://",
                    words[0]));
}

std::optional<LitCells> cells_of(const LinkTarget& target, const ChapterContext& context) {
    if (target.kind == TargetKind::Token) {
        const auto token = token_at(target.name, context);
        return token ? std::optional(LitCells{{}, -1, -1, *token}) : std::nullopt;
    }
    if (target.kind > TargetKind::Cell) return std::nullopt;
    const attn::StepId step = step_in(context, target.name);
    if (step == attn::kNoStep) return std::nullopt;
    LitCells out{context.trace[step].tag};
    if (!target.row.empty()) {
        const auto row = place_of(target.row, step, true, context);
        if (!row) return std::nullopt;
        out.row = *row;
    }
    if (!target.column.empty()) {
        const auto column = place_of(target.column, step, false, context);
        if (!column) return std::nullopt;
        out.col = *column;
    }
    return out;
}

}  // namespace app
