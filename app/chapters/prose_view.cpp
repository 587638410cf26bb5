#include "app/chapters/prose_view.h"

#include <algorithm>
#include <cmath>

#include "app/ui/rich_text.h"

namespace app {
namespace {

using SpanKind = ProseSpan::Kind;

// In ems.
constexpr float kProseLine = 1.62f, kProseBetween = 0.78f, kIndent = 1.25f, kBullet = 0.16f;
/// Space around a formula that is higher than a line of text.
constexpr float kFormulaAir = 0.16f;
/// Space after a formula for a comma or full stop, which must stay with it.
constexpr float kForSign = 0.7f;
/// A formula that is too wide is reduced down to this scale, and broken if that is not enough.
constexpr float kLeastScale = 0.82f, kWorthBreaking = 1.12f;
/// Stands for a formula during line breaking; not a character of a script that breaks anywhere.
constexpr std::string_view kFormulaSign = "\xEF\xBF\xBC";

Type type_of(SpanKind kind, Type base) {
    const bool small = base == Type::Small;
    switch (kind) {
        case SpanKind::Strong:
        case SpanKind::Number:
            return small ? Type::SmallStrong : base == Type::Title ? Type::TitleStrong : Type::BodyStrong;
        case SpanKind::Code:
            return small ? Type::NumberSmall : Type::Number;
        case SpanKind::Cite:
            return Type::Small;
        default:
            return base;
    }
}

/// A block as one text, with the span of each byte.
struct Flat {
    std::string text;
    std::vector<int> span;
};

class Layouter {
public:
    Layouter(const Frame& f, Type type)
        : f_(f), type_(type), size_(type == Type::Small ? FormulaSize::Small : FormulaSize::Normal) {}

    ProseLines block(const ProseBlock& block, float width, const std::function<int(std::string_view)>& cite) {
        if (block.kind == ProseBlock::Kind::Formula) return formula(block.spans[0], width);
        ProseLines out;
        out.kind = block.kind;
        const float left = block.kind == ProseBlock::Kind::Item ? f_.theme.em(type_) * kIndent : 0;
        room_ = width - left;
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
        for (const std::string_view one : wrap_lines(flat.text, room_, measure)) {
            const std::size_t first = out.pieces.size();
            float x = left;
            stretches(flat, at(one), one.size(), [&](std::string_view text, int index) {
                const ProseSpan& span = block.spans[static_cast<std::size_t>(index)];
                ProsePiece piece{span.kind, std::string(text), x, width_of(block, text, index),
                                 span.link, span.missing};
                if (span.kind == SpanKind::Math) {
                    const SetFormula made = in_line(span.text);
                    piece.text = span.text;
                    piece.room = made.room;
                    piece.scale = made.scale;
                }
                x += piece.width;
                out.pieces.push_back(std::move(piece));
            });
            finish_line(out, first);
        }
        return out;
    }

private:
    /// A formula as set for its place.
    struct SetFormula {
        const FormulaLayout& layout;
        FormulaRoom room;
        float scale = 1;
        float width() const { return layout.width * scale; }
    };

    SetFormula set(const std::string& source, bool inside_text, float width) {
        const auto get = [&](FormulaRoom room) -> const FormulaLayout& {
            return f_.scratch.formulas.get(source, size_, f_.theme, f_.painter().fonts(), room);
        };
        FormulaRoom room{inside_text, 0};
        const FormulaLayout* layout = &get(room);
        const auto scale_of = [&](const FormulaLayout& of) { return std::min(1.0f, width / std::max(of.width, 1.0f)); };
        if (scale_of(*layout) < kLeastScale) {
            // Broken if that makes it clearly larger, but not if the break comes before nearly all of it.
            const FormulaRoom narrow{inside_text, width};
            const FormulaLayout& broken = get(narrow);
            if (scale_of(broken) > scale_of(*layout) * kWorthBreaking) {
                room = narrow;
                layout = &broken;
            }
        }
        return {*layout, room, scale_of(*layout)};
    }
    SetFormula in_line(const std::string& source) { return set(source, true, room_ - f_.theme.em(type_) * kForSign); }

    ProseLines formula(const ProseSpan& span, float width) {
        const SetFormula of = set(span.text, false, width);
        const float air = f_.theme.em(type_) * 0.25f;
        ProseLines out;
        out.kind = ProseBlock::Kind::Formula;
        out.height = (of.layout.ascent + of.layout.descent) * of.scale + 2 * air;
        out.first_base = air + of.layout.ascent * of.scale;
        out.pieces.push_back(
            {SpanKind::Math, span.text, 0, of.width(), -1, span.missing, of.room, of.scale, 0, out.height, out.first_base});
        return out;
    }

    /// The line is as high as its highest piece requires; all pieces share a baseline.
    void finish_line(ProseLines& out, std::size_t first) {
        const float em = f_.theme.em(type_), air = em * kFormulaAir, drop = f_.painter().middle_to_baseline(type_);
        float above = em * kProseLine / 2 + drop, below = em * kProseLine / 2 - drop;
        for (std::size_t i = first; i < out.pieces.size(); ++i) {
            const ProsePiece& piece = out.pieces[i];
            if (piece.kind != SpanKind::Math) continue;
            const FormulaLayout& layout =
                f_.scratch.formulas.get(piece.text, size_, f_.theme, f_.painter().fonts(), piece.room);
            above = std::max(above, layout.ascent * piece.scale + air);
            below = std::max(below, layout.descent * piece.scale + air);
        }
        for (std::size_t i = first; i < out.pieces.size(); ++i) {
            out.pieces[i].top = out.height;
            out.pieces[i].height = above + below;
            out.pieces[i].base = out.height + above;
        }
        if (first == 0) out.first_base = above;
        out.height += above + below;
    }

    float width_of(const ProseBlock& block, std::string_view text, int index) {
        const ProseSpan& span = block.spans[static_cast<std::size_t>(index)];
        if (span.kind == SpanKind::Math) return in_line(span.text).width();
        return f_.painter().width(text, type_of(span.kind, type_));
    }
    static Flat flatten(const ProseBlock& block, const std::function<int(std::string_view)>& cite) {
        Flat out;
        for (std::size_t i = 0; i < block.spans.size(); ++i) {
            const ProseSpan& span = block.spans[i];
            std::string text = span.text;
            if (span.kind == SpanKind::Math) text = kFormulaSign;
            if (span.kind == SpanKind::Cite) {
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
    float room_ = 0;  ///< of the block's lines
};

/// `base`: the baseline.
void draw_piece(const Frame& f, const ProsePicture& picture, const ProsePiece& piece, Rect place, float base,
                bool hovered) {
    Painter& p = f.painter();
    if (piece.kind == SpanKind::Math) {
        const FormulaSize size = picture.type == Type::Small ? FormulaSize::Small : FormulaSize::Normal;
        FormulaLook look;
        look.scale = piece.scale;
        draw_formula(p, f.scratch.formulas.get(piece.text, size, f.theme, p.fonts(), piece.room), {place.x, base},
                     look);
    } else {
        const Hue hue = piece.missing                ? Hue::Faint
                        : piece.link >= 0            ? Hue::Accent
                        : piece.kind == SpanKind::Number ? Hue::Score
                        : piece.kind == SpanKind::Cite   ? Hue::Soft
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
    Layouter layouter(f, type);
    for (const ProseBlock& block : prose.blocks) {
        const bool list = !out.blocks.empty() && out.blocks.back().kind == ProseBlock::Kind::Item &&
                          block.kind == ProseBlock::Kind::Item;
        if (!out.blocks.empty()) out.height += em * kProseBetween * (list ? 0.5f : 1.0f);
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
    // A link over several lines is a single link: all its pieces light up together.
    std::vector<Rect> places;
    const auto place_of = [&](const ProseLines& block, const ProsePiece& piece) {
        return Rect{at.x + piece.x, at.y + block.top + piece.top, piece.width, piece.height};
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
            if (inside(place))
                draw_piece(f, picture, piece, place, at.y + block.top + piece.base,
                           piece.link >= 0 && piece.link == out.hovered);
        }
        const Point bullet{at.x + em * 0.45f,
                           at.y + block.top + block.first_base - f.painter().middle_to_baseline(picture.type)};
        if (block.kind == ProseBlock::Kind::Item && bullet.y > view.y && bullet.y < view.bottom())
            f.painter().circle(bullet, em * kBullet, Hue::Accent);
    }
    return out;
}

void draw_term_names(const Frame& f, Rect line, const ChapterTerm& term) {
    const Language own = f.view().language, other = own == Language::English ? Language::Chinese : Language::English;
    const float w = f.painter().text_fit(line, in(term.name, own), {Type::BodyStrong}, Hue::Ink), x = w + f.px(12);
    f.painter().text_fit({line.x + x, line.y, line.w - x, line.h}, in(term.name, other), {Type::Small}, Hue::Soft);
}

}  // namespace app
