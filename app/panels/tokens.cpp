// The tokens as chips: those of the text, and behind an arrow those of the second text, which it attends to. A click
// pins the token's row, or column.

#include "app/explain/caption.h"
#include "app/frame/view.h"

namespace app {
namespace {

using AxisKind = attn::Axis::Kind;

/// The chip of the focused cell's row or column.
int lit_of(const Frame& f, AxisKind kind) {
    if (!f.derived.focus) return -1;
    const attn::Step& step = f.trace()[f.derived.focus->step];
    if (step.rows.kind == kind) return step.rows.first + f.derived.focus->row;
    return kind == AxisKind::SourceTokens && step.cols.kind == kind ? step.cols.first + f.derived.focus->col : -1;
}

/// The chip of a token that a link of the chapter lights.
int lit_by_words(const Frame& f) {
    const auto& lit = f.view().course.lit;
    return lit ? lit->token : -1;
}

void pin(const Frame& f, AxisKind kind, int index) {
    if (f.derived.pose.step == attn::kNoStep) return;
    const attn::Step& step = f.trace()[f.derived.pose.step];
    const auto inside = [&](attn::Axis axis, Eigen::Index count) {
        return axis.kind == kind && index >= axis.first && index - axis.first < static_cast<int>(count);
    };
    const int row = f.view().pinned && f.view().pinned->tag == step.tag ? f.view().pinned->row : 0;
    if (inside(step.rows, step.value.rows()))
        f.push(Pin{CellRef{step.tag, index - step.rows.first, 0}});
    else if (kind == AxisKind::SourceTokens && inside(step.cols, step.value.cols()))
        f.push(Pin{CellRef{step.tag, row, index - step.cols.first}});
}

/// Whether the token comes after the text: the model generated it.
bool is_written(const Frame& f, int token) { return token >= f.derived.run->inputs.n(); }

/// Whether a token is shown yet: while playing, a generated token appears when it is chosen.
bool is_there(const Frame& f, int token) {
    if (!is_written(f, token) || !f.view().plays()) return true;
    const attn::StepId chosen = attn::find_id(f.trace(), {attn::Role::Choice, attn::kNoHead, attn::kNoLayer, token - f.derived.run->inputs.n()});
    const Pose& pose = f.derived.pose;
    return chosen == attn::kNoStep || pose.step > chosen || (pose.step == chosen && pose.progress >= kCellThere);
}

/// The place of the next token, until it is chosen.
float draw_place_of_next(const Frame& f, float x, Size like) {
    const Rect place{x, f.area.center().y - like.h / 2 + f.px(3), like.h, like.h};
    f.painter().stroke_dashed(place, Hue::Accent, f.theme.button_radius, f.px(1.4f), f.px(4), f.px(3));
    f.painter().text_in(place, "?", {Type::BodyStrong, Align::Center}, Hue::Accent);
    f.ui.record("token_next", place);
    return place.right();
}

/// The first token to show: while tokens are being generated, a line that is too long shows its end.
std::size_t first_shown(const Frame& f, const std::vector<std::string>& labels, float room) {
    std::size_t end = labels.size();
    while (end > 0 && !is_there(f, static_cast<int>(end) - 1)) --end;
    const bool writing = end < labels.size() || (!labels.empty() && is_written(f, static_cast<int>(labels.size()) - 1));
    if (!writing) return 0;
    float used = f.px(60);  // for the next token, and for dots
    std::size_t first = end;
    while (first > 0 && (used += chip_size(f.ui, labels[first - 1]).w + f.px(6)) <= room) --first;
    return first;
}

/// As many tokens as fit, then the number of those left out. Returns the right end.
float row_of_tokens(const Frame& f, std::string_view id, const std::vector<std::string>& labels, AxisKind kind, float x,
                   float room) {
    const int lit = lit_of(f, kind), named = kind == AxisKind::Tokens ? lit_by_words(f) : -1;
    const float gap = f.px(6);
    std::size_t shown = kind == AxisKind::Tokens ? first_shown(f, labels, room - x) : 0;
    if (shown > 0) x += f.painter().text({x, f.area.center().y + f.px(7)}, "… ", {Type::Small}, Hue::Soft);
    const std::size_t first = shown;
    for (; shown < labels.size(); ++shown) {
        const Size size = chip_size(f.ui, labels[shown]);
        if (kind == AxisKind::Tokens && !is_there(f, static_cast<int>(shown))) return draw_place_of_next(f, x, size);
        if (x + size.w > room && shown > first) break;
        ChipLook look;
        look.lit = static_cast<int>(shown) == lit || static_cast<int>(shown) == named;
        if (kind == AxisKind::SourceTokens) look.fill = mix(f.theme[Hue::Back], f.theme[Hue::Key], 0.14f);
        if (kind == AxisKind::Tokens && is_written(f, static_cast<int>(shown))) look.fill = mix(f.theme[Hue::Back], f.theme[Hue::Output], 0.16f);
        const Touch touch = chip(f.ui, std::string(id) + std::to_string(shown),
                                 {x, f.area.center().y - size.h / 2 + f.px(3)}, labels[shown], look);
        if (touch.clicked) pin(f, kind, static_cast<int>(shown));
        x += size.w + gap;
    }
    if (shown == labels.size()) return x;
    return x + f.px(4) +
           f.painter().text({x + f.px(4), f.area.center().y + f.px(7)}, "+" + std::to_string(labels.size() - shown),
                            {Type::Small}, Hue::Soft);
}

}  // namespace

void draw_tokens(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const auto& tokens = f.derived.labels.tokens;
    const auto& source = f.derived.labels.source_tokens;
    const float right = f.area.right() - f.px(70), left = f.area.x + f.px(24);
    const float half = source.empty() ? right : left + (right - left) / 2 - f.px(30);
    float x = row_of_tokens(f, "token", tokens, AxisKind::Tokens, left, half);
    if (source.empty()) return;
    const float y = f.area.center().y + f.px(3);
    f.painter().arrow({x + f.px(8), y}, {x + f.px(30), y}, Hue::Faint, f.px(1.5f), f.px(6));
    row_of_tokens(f, "source_token", source, AxisKind::SourceTokens, x + f.px(42), right);
}

}  // namespace app
