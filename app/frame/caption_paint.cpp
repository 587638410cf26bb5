#include "app/frame/caption_paint.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/roles.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

Type strong_of(Type type) {
    return type == Type::Small ? Type::SmallStrong : type == Type::Title ? Type::TitleStrong : Type::BodyStrong;
}
Type smaller_than(Type type) { return type == Type::Title ? Type::Body : Type::Small; }

/// The part of the sentence from byte `from` to byte `to`: one line.
std::vector<Caption::Part> parts_between(const Caption& caption, std::size_t from, std::size_t to) {
    std::vector<Caption::Part> out;
    std::size_t at = 0;
    for (const Caption::Part& part : caption.parts) {
        const std::size_t begin = std::max(from, at), end = std::min(to, at + part.text.size());
        if (begin < end)
            out.push_back({part.text.substr(begin - at, end - begin), part.hue, part.strong, part.formula});
        at += part.text.size();
    }
    return out;
}

/// A formula as large as the words around it.
const FormulaLayout& letters(const Frame& f, const Caption::Part& part, Type type) {
    const FormulaSize size = type == Type::Title ? FormulaSize::Large : type == Type::Small ? FormulaSize::Small : FormulaSize::Normal;
    return f.scratch.formulas.get(part.text, size, f.theme, f.painter().fonts(), {.inside_text = true});
}

float width_of_part(const Frame& f, const Caption::Part& part, Type type) {
    if (part.formula) return letters(f, part, type).width;
    return f.painter().width(part.text, part.strong ? strong_of(type) : type);
}

float width_of_parts(const Frame& f, const std::vector<Caption::Part>& parts, Type type) {
    float width = 0;
    for (const Caption::Part& part : parts) width += width_of_part(f, part, type);
    return width;
}

struct Lines {
    std::vector<std::vector<Caption::Part>> lines;
    Type type;
};

/// One line in the largest type that fits; else two lines in the largest type that fits; else several lines in Small.
Lines set_lines(const Frame& f, const Caption& caption, Rect rect, Type largest) {
    const Painter& p = f.painter();
    const std::string text = caption.text();
    for (const std::size_t most : {std::size_t{1}, std::size_t{2}})
        for (Type type = largest;; type = smaller_than(type)) {
            Lines out{{}, type};
            const auto measure = [&](std::string_view part) { return p.width(part, strong_of(type)); };
            bool wide = false;
            for (const std::string_view line : most == 1 ? std::vector<std::string_view>{text} : wrap_lines(text, rect.w, measure)) {
                const auto from = static_cast<std::size_t>(line.data() - text.data());
                out.lines.push_back(parts_between(caption, from, from + line.size()));
                wide = wide || width_of_parts(f, out.lines.back(), type) > rect.w;
            }
            const bool high = f.theme.line_height(type) * static_cast<float>(out.lines.size()) > rect.h + f.px(2);
            if ((!wide && !high) || (most == 2 && type == Type::Small)) return out;
            if (type == Type::Small) break;
        }
    return {};
}

void set_caption(const Frame& f, Rect rect, const Caption& caption, Type largest) {
    Painter& p = f.painter();
    const Lines set = set_lines(f, caption, rect, largest);
    const float line = f.theme.line_height(set.type);
    float y = rect.center().y - line * static_cast<float>(set.lines.size()) / 2;
    for (const auto& parts : set.lines) {
        float x = rect.center().x - width_of_parts(f, parts, set.type) / 2;
        // On whole pixels: at fractional positions, glyphs would change in their last bits when others move them within
        // the texture.
        const float base = std::round(y + line / 2 + p.middle_to_baseline(set.type));
        for (const Caption::Part& part : parts) {
            const Point at{std::round(x), base};
            if (part.formula) {
                draw_formula(p, letters(f, part, set.type), at);
                x += letters(f, part, set.type).width;
            } else {
                x += p.text(at, part.text, {part.strong ? strong_of(set.type) : set.type}, part.hue);
            }
        }
        y += line;
    }
    f.ui.record("caption", rect);
}

}  // namespace

/// While presenting, the sentence is at the foot of the window; pictures that are too low have none.
Rect stage_area(const Frame& f, Rect place) {
    constexpr float kLeastPicture = 130;
    const bool below =
        !f.view().present.on && !f.view().difference && place.h >= f.px(kLeastPicture + kSubtitle);
    const float path = f.view().flow.entered && below ? f.px(kPath) : 0;
    return below ? Rect{place.x, place.y + path, place.w, place.h - f.px(kSubtitle) - path} : place;
}

void draw_caption(const Frame& f, Rect rect, const Caption& caption, Type largest) {
    if (caption.empty() || rect.empty()) return;
    // Readers are to predict first: until a page's question is answered, no number of the run is shown.
    const ChapterPage* page = open_page(f.state);
    if (page && page->ask && !f.view().course.checked)
        return set_caption(f, rect, {{{std::string(f.say(say_of(*f.derived.run, f.derived.pose.step)))}}}, largest);
    set_caption(f, rect, caption, largest);
}

}  // namespace app
