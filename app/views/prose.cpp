#include "app/views/prose.h"

#include <algorithm>
#include <cmath>

#include "app/ui/rich_text.h"

namespace app {
namespace {

using Kind = ProseSpan::Kind;

// Shares of the em.
constexpr float kLine = 1.62f, kBetween = 0.78f, kIndent = 1.25f, kBullet = 0.16f;
constexpr float kTallFormula = 1.5f;
/// Stands for a formula while lines are broken; it is no letter of any script that breaks anywhere.
constexpr std::string_view kFormulaSign = "\xEF\xBF\xBC";

Type type_of(Kind kind, Type base) {
    const bool small = base == Type::Small;
    switch (kind) {
        case Kind::Strong:
        case Kind::Number:
            return small ? Type::SmallStrong : base == Type::Title ? Type::TitleStrong : Type::BodyStrong;
        case Kind::Code:
            return small ? Type::NumberSmall : Type::Number;
        case Kind::Cite:
            return Type::Small;
        default:
            return base;
    }
}

/// A block as one text, and for each byte the span it came from.
struct Flat {
    std::string text;
    std::vector<int> span;
};

class Layouter {
public:
    Layouter(const Frame& f, Type type)
        : f_(f), type_(type), size_(type == Type::Small ? FormulaSize::Small : FormulaSize::Normal) {}

    ProseLines block(const ProseBlock& block, float width, const std::function<int(std::string_view)>& cite) {
        ProseLines out;
        out.kind = block.kind;
        const float em = f_.theme.em(type_), line = em * kLine;
        if (block.kind == ProseBlock::Kind::Formula) {
            const FormulaLayout& formula = set(block.spans[0].text);
            const float scale = std::min(1.0f, width / std::max(formula.width, 1.0f));
            out.pieces.push_back(
                {Kind::Math, block.spans[0].text, 0, formula.width * scale, 0, -1, block.spans[0].missing});
            out.height = (formula.ascent + formula.descent) * scale + em * 0.5f;
            return out;
        }
        const float left = block.kind == ProseBlock::Kind::Item ? em * kIndent : 0;
        const Flat flat = flatten(block, cite);
        const auto at = [&](std::string_view piece) {
            return static_cast<std::size_t>(piece.data() - flat.text.data());
        };
        const MeasureWidth measure = [&](std::string_view piece) {
            float sum = 0;
            stretches(flat, at(piece), piece.size(),
                      [&](std::string_view text, int span) { sum += width_of(block, text, span); });
            return sum;
        };
        int number = 0;
        for (const std::string_view one : wrap_lines(flat.text, width - left, measure)) {
            float x = left;
            stretches(flat, at(one), one.size(), [&](std::string_view text, int index) {
                const ProseSpan& span = block.spans[static_cast<std::size_t>(index)];
                const float w = width_of(block, text, index);
                out.pieces.push_back({span.kind, span.kind == Kind::Math ? span.text : std::string(text), x, w, number,
                                      span.link, span.missing});
                x += w;
            });
            ++number;
        }
        out.height = static_cast<float>(number) * line;
        return out;
    }

private:
    const FormulaLayout& set(const std::string& source) {
        return f_.scratch.formulas.get(source, size_, f_.theme, f_.painter().fonts());
    }
    float width_of(const ProseBlock& block, std::string_view text, int index) {
        const ProseSpan& span = block.spans[static_cast<std::size_t>(index)];
        if (span.kind == Kind::Math) return set(span.text).width;
        return f_.painter().width(text, type_of(span.kind, type_));
    }
    static Flat flatten(const ProseBlock& block, const std::function<int(std::string_view)>& cite) {
        Flat out;
        for (std::size_t i = 0; i < block.spans.size(); ++i) {
            const ProseSpan& span = block.spans[i];
            std::string text = span.text;
            if (span.kind == Kind::Math) text = kFormulaSign;
            if (span.kind == Kind::Cite) {
                const int number = cite ? cite(span.source) : 0;
                text = number > 0 ? "[" + std::to_string(number) + "]" : "";
            }
            out.text += text;
            out.span.resize(out.text.size(), static_cast<int>(i));
        }
        return out;
    }
    template <class Each>
    static void stretches(const Flat& flat, std::size_t begin, std::size_t size, Each each) {
        const std::size_t end = begin + size;
        while (begin < end) {
            std::size_t stop = begin + 1;
            while (stop < end && flat.span[stop] == flat.span[begin]) ++stop;
            each(std::string_view(flat.text).substr(begin, stop - begin), flat.span[begin]);
            begin = stop;
        }
    }

    const Frame& f_;
    Type type_;
    FormulaSize size_;
};

void draw_piece(const Frame& f, const ProsePicture& picture, const ProsePiece& piece, Rect place, bool hovered) {
    Painter& p = f.painter();
    const float base = place.center().y + p.middle_to_baseline(picture.type);
    if (piece.kind == Kind::Math) {
        const FormulaSize size = picture.type == Type::Small ? FormulaSize::Small : FormulaSize::Normal;
        const FormulaLayout& formula = f.scratch.formulas.get(piece.text, size, f.theme, p.fonts());
        FormulaLook look;
        look.scale = formula.width > 0 ? std::min(1.0f, piece.width / formula.width) : 1;
        const float high = (formula.ascent + formula.descent) * look.scale;
        const bool tall = high > p.theme().em(picture.type) * kTallFormula;
        draw_formula(p, formula, {place.x, tall ? place.center().y - high / 2 + formula.ascent * look.scale : base},
                     look);
    } else {
        const Hue hue = piece.missing                ? Hue::Faint
                        : piece.link >= 0            ? Hue::Accent
                        : piece.kind == Kind::Number ? Hue::Score
                        : piece.kind == Kind::Cite   ? Hue::Soft
                                                     : Hue::Ink;
        p.text({place.x, base}, piece.text, {type_of(piece.kind, picture.type)}, hue);
    }
    if (piece.link < 0) return;
    const float under = base + f.px(3.5f);
    if (hovered)
        p.line({place.x, under}, {place.right(), under}, Hue::Accent, f.px(1.4f));
    else
        p.line_dashed({place.x, under}, {place.right(), under}, Ink(Hue::Accent, 0.55f), f.px(1.1f), f.px(2), f.px(3));
}

}  // namespace

ProsePicture lay_out_prose(const Frame& f, const Prose& prose, float width, Type type,
                           const std::function<int(std::string_view)>& cite) {
    ProsePicture out;
    out.type = type;
    out.width = width;
    out.links = prose.links;
    const float em = f.theme.em(type);
    out.line = em * kLine;
    Layouter layouter(f, type);
    for (const ProseBlock& block : prose.blocks) {
        const bool list = !out.blocks.empty() && out.blocks.back().kind == ProseBlock::Kind::Item &&
                          block.kind == ProseBlock::Kind::Item;
        if (!out.blocks.empty()) out.height += em * kBetween * (list ? 0.5f : 1.0f);
        ProseLines lines = layouter.block(block, width, cite);
        lines.top = out.height;
        out.height += lines.height;
        out.blocks.push_back(std::move(lines));
    }
    return out;
}

ProseTouch draw_prose(const Frame& f, const ProsePicture& picture, Point at, Rect view, std::string_view id,
                      int blocks) {
    ProseTouch out;
    const float em = f.theme.em(picture.type);
    // A link over several lines is one link: all its pieces light together.
    std::vector<Rect> places;
    const auto place_of = [&](const ProseLines& block, const ProsePiece& piece) {
        if (block.kind == ProseBlock::Kind::Formula) return Rect{at.x, at.y + block.top, piece.width, block.height};
        return Rect{at.x + piece.x, at.y + block.top + static_cast<float>(piece.line) * picture.line, piece.width,
                    picture.line};
    };
    const auto inside = [&](Rect r) { return r.y >= view.y - 1 && r.bottom() <= view.bottom() + 1; };
    const std::size_t count =
        blocks < 0 ? picture.blocks.size() : std::min(picture.blocks.size(), static_cast<std::size_t>(blocks));
    for (std::size_t b = 0; b < count; ++b)
        for (const ProsePiece& piece : picture.blocks[b].pieces) {
            const Rect place = place_of(picture.blocks[b], piece);
            if (piece.link < 0 || !inside(place)) continue;
            const Touch touch = touch_area(f.ui, std::string(id) + ".link." + std::to_string(piece.link), place, false);
            if (touch.hovered) out.hovered = piece.link;
            if (touch.clicked) out.clicked = piece.link;
        }
    if (out.hovered >= 0) gui::set_cursor(gui::Cursor::Hand);
    for (std::size_t b = 0; b < count; ++b) {
        const ProseLines& block = picture.blocks[b];
        for (const ProsePiece& piece : block.pieces) {
            const Rect place = place_of(block, piece);
            if (inside(place)) draw_piece(f, picture, piece, place, piece.link >= 0 && piece.link == out.hovered);
        }
        const Point bullet{at.x + em * 0.45f, at.y + block.top + picture.line / 2};
        if (block.kind == ProseBlock::Kind::Item && bullet.y > view.y && bullet.y < view.bottom())
            f.painter().circle(bullet, em * kBullet, Hue::Accent);
    }
    return out;
}

}  // namespace app
