#include "app/shell/frame_words.h"

#include <algorithm>
#include <cmath>

#include "core/text/unicode.h"

namespace app {
namespace {

bool has_letter(std::string_view text) {
    return std::ranges::any_of(attn::to_code_points(text), [](char32_t c) {
        const attn::CharKind kind = attn::kind_of(c);
        return kind == attn::CharKind::Letter || kind == attn::CharKind::Character;
    });
}

bool meets(Rect a, Rect b) { return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom(); }

/// A label continues the line of the one before if it stands on it, at most a space away.
bool continues(const LabelRect& before, const LabelRect& next) {
    const float gap = next.rect.x - before.rect.right();
    return before.over == next.over && std::abs(next.rect.y - before.rect.y) < 0.2f * before.rect.h && gap > -1 && gap < 0.5f * before.rect.h;
}

void add_lines(const FrameLog& log, bool over, std::vector<std::string>& lines) {
    std::string line;
    const auto end_line = [&] {
        if (has_letter(line) && (lines.empty() || lines.back() != line)) lines.push_back(line);
        line.clear();
    };
    const LabelRect* before = nullptr;
    for (const LabelRect& label : log.labels) {
        if (label.over != over || label.text.empty() || !meets(label.rect, label.clip)) continue;
        if (before && continues(*before, label)) {
            // Words in Chinese are not separated, and neither are the parts of a word in two colours.
            if (label.rect.x - before->rect.right() > 0.12f * before->rect.h) line += ' ';
        } else {
            end_line();
        }
        line += label.text;
        before = &label;
    }
    end_line();
}

}  // namespace

FrameWords words_of(const FrameLog& log) {
    FrameWords words;
    add_lines(log, true, words.lines);
    add_lines(log, false, words.lines);
    if (log.focus.id.empty()) return words;
    words.focus = log.focus_text;
    if (!words.focus.empty()) return words;
    for (const LabelRect& label : log.labels)
        if (log.focus.rect.contains({label.rect.x + label.rect.w / 2, label.rect.y + label.rect.h / 2}) && has_letter(label.text))
            words.focus += (words.focus.empty() ? "" : " ") + label.text;
    if (words.focus.empty()) {
        words.focus = log.focus.id;
        std::ranges::replace(words.focus, '_', ' ');
        std::ranges::replace(words.focus, '.', ' ');
    }
    return words;
}

}  // namespace app
