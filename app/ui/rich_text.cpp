#include "app/ui/rich_text.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace app {
namespace {

constexpr std::u32string_view kNeverFirst = U"，。、；：？！）】》」』’”…—·,.;:!?)]}%";
constexpr std::u32string_view kNeverLast = U"（【《「『‘“([{";

bool is_space(char32_t c) { return c == ' ' || c == '\t' || c == 0x3000; }
/// Characters of scripts that break anywhere.
bool breaks_anywhere(char32_t c) { return c >= 0x2e80 && c <= 0xffef; }
bool never_first(char32_t c) { return kNeverFirst.find(c) != std::u32string_view::npos; }
bool never_last(char32_t c) { return kNeverLast.find(c) != std::u32string_view::npos; }

/// Text that stays together on a line, as a range of bytes.
struct Atom {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Words and single characters, each with the punctuation that must stay with it. Spaces are between atoms.
std::vector<Atom> split_atoms(std::string_view text) {
    std::vector<Atom> atoms;
    char32_t before = ' ';
    for (std::size_t at = 0; at < text.size();) {
        const attn::CodePoint code = attn::decode_utf8(text, at);
        const char32_t c = code.value;
        const std::size_t end = at + code.length;
        if (!is_space(c)) {
            const bool touching = !is_space(before) && !atoms.empty();
            const bool joined = touching && (never_first(c) || never_last(before) ||
                                             (!breaks_anywhere(c) && !breaks_anywhere(before) && !never_last(c)) ||
                                             (never_last(c) && !breaks_anywhere(before)));
            if (joined) {
                atoms.back().end = end;
            } else {
                atoms.push_back({at, end});
            }
        }
        before = c;
        at = end;
    }
    return atoms;
}

class Wrapper {
public:
    Wrapper(std::string_view text, float width, const MeasureWidth& measure)
        : text_(text), width_(width), measure_(measure) {}

    void paragraph(std::vector<std::string_view>& lines) {
        const std::vector<Atom> atoms = split_atoms(text_);
        if (atoms.empty()) return lines.push_back(text_.substr(0, 0));
        std::size_t begin = atoms.front().begin, end = begin;
        float used = 0.0f;
        for (const Atom& atom : atoms) {
            const float gap = end == begin ? 0.0f : measure_(text_.substr(end, atom.begin - end));
            const float size = measure_(text_.substr(atom.begin, atom.end - atom.begin));
            if (end != begin && used + gap + size > width_) {
                lines.push_back(text_.substr(begin, end - begin));
                begin = end = atom.begin;
                used = 0.0f;
            } else {
                used += gap;
            }
            if (end == begin) begin = atom.begin;
            used += size;
            end = atom.end;
            if (begin == atom.begin && size > width_) {
                begin = break_long(atom, lines);
                used = measure_(text_.substr(begin, end - begin));
            }
        }
        lines.push_back(text_.substr(begin, end - begin));
    }

private:
    /// Breaks an atom that is too wide by itself into lines; returns where its rest begins.
    std::size_t break_long(const Atom& atom, std::vector<std::string_view>& lines) const {
        std::size_t begin = atom.begin;
        float used = 0.0f;
        for (std::string_view sign : attn::graphemes(text_.substr(atom.begin, atom.end - atom.begin))) {
            const auto at = static_cast<std::size_t>(sign.data() - text_.data());
            const float size = measure_(sign);
            if (at > begin && used + size > width_) {
                lines.push_back(text_.substr(begin, at - begin));
                begin = at;
                used = 0.0f;
            }
            used += size;
        }
        return begin;
    }

    std::string_view text_;
    float width_;
    const MeasureWidth& measure_;
};

// ---- markup ----------------------------------------------------------------------------------------------------

/// The text without markup, and the span kind of each of its bytes.
struct Marked {
    std::string text;
    std::vector<Span> spans;
};

Marked read_marks(std::string_view markup) {
    Marked marked;
    Span span = Span::Plain;
    // A mark that is never closed is an ordinary character.
    const auto toggles = [&](std::size_t at, std::string_view mark, Span own) {
        if (markup.substr(at, mark.size()) != mark) return false;
        return span == own || (span == Span::Plain && markup.find(mark, at + mark.size()) != std::string_view::npos);
    };
    for (std::size_t at = 0; at < markup.size();) {
        if (toggles(at, "**", Span::Strong)) {
            span = span == Span::Strong ? Span::Plain : Span::Strong;
            at += 2;
        } else if (toggles(at, "`", Span::Code)) {
            span = span == Span::Code ? Span::Plain : Span::Code;
            at += 1;
        } else {
            marked.text.push_back(markup[at++]);
            marked.spans.push_back(span);
        }
    }
    return marked;
}

Type type_of(Span span, Type base) {
    if (span == Span::Code) return base == Type::Small ? Type::NumberSmall : Type::Number;
    if (span == Span::Plain) return base;
    return base == Type::Small ? Type::SmallStrong : base == Type::Title ? Type::TitleStrong : Type::BodyStrong;
}

/// Calls `each` for every stretch of one kind in [begin, end).
template <class Each>
void for_stretches(const Marked& marked, std::size_t begin, std::size_t end, Each each) {
    while (begin < end) {
        std::size_t stop = begin + 1;
        while (stop < end && marked.spans[stop] == marked.spans[begin]) ++stop;
        each(std::string_view(marked.text).substr(begin, stop - begin), marked.spans[begin]);
        begin = stop;
    }
}

}  // namespace

std::vector<std::string_view> wrap_lines(std::string_view text, float width, const MeasureWidth& measure) {
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        Wrapper(text.substr(0, end), width, measure).paragraph(lines);
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

RichText lay_out_rich(std::string_view markup, float width, Type type, const Theme& theme, const Fonts& fonts) {
    const Marked marked = read_marks(markup);
    const auto offset = [&](std::string_view piece) {
        return static_cast<std::size_t>(piece.data() - marked.text.data());
    };
    const auto measure = [&](std::string_view piece) {
        float sum = 0.0f;
        const std::size_t begin = offset(piece);
        for_stretches(marked, begin, begin + piece.size(),
                      [&](std::string_view text, Span span) { sum += fonts.width(text, type_of(span, type)); });
        return sum;
    };
    RichText rich;
    rich.type = type;
    rich.line_height = theme.line_height(type);
    for (std::string_view line : wrap_lines(marked.text, width, measure)) {
        float x = 0.0f;
        const std::size_t begin = offset(line);
        for_stretches(marked, begin, begin + line.size(), [&](std::string_view text, Span span) {
            rich.pieces.push_back({std::string(text), span, x, rich.lines});
            x += fonts.width(text, type_of(span, type));
        });
        rich.width = std::max(rich.width, x);
        ++rich.lines;
    }
    return rich;
}

void draw_rich(Painter& painter, const RichText& text, Point at, Ink ink) {
    const float em = painter.theme().em(text.type);
    for (const RichPiece& piece : text.pieces) {
        const float middle = at.y + (static_cast<float>(piece.line) + 0.5f) * text.line_height;
        const Type type = type_of(piece.span, text.type);
        const Point baseline{at.x + piece.x, middle + painter.middle_to_baseline(text.type)};
        if (piece.span == Span::Code) {
            const Rect back{baseline.x - em * 0.15f, middle - em * 0.68f, painter.width(piece.text, type) + em * 0.3f,
                            em * 1.36f};
            painter.fill(back, Ink(Hue::Soft, 0.13f), em * 0.25f);
        }
        painter.text(baseline, piece.text, {type}, ink);
    }
}

namespace {

/// Baseline distance of closely set lines, in ems.
constexpr float kCloseLines = 1.32f;

std::vector<std::string_view> close_lines(const Painter& painter, float width, std::string_view text, Type type,
                                          int most) {
    if (painter.width(text, type) <= width) return {text};
    auto lines = wrap_lines(text, width, [&](std::string_view piece) { return painter.width(piece, type); });
    const auto limit = static_cast<std::size_t>(std::max(1, most));
    if (lines.size() <= limit) return lines;
    lines.resize(limit);
    const auto begin = static_cast<std::size_t>(lines.back().data() - text.data());
    lines.back() = text.substr(begin);
    return lines;
}

}  // namespace

float draw_lines(Painter& painter, Rect rect, std::string_view text, TextStyle style, Ink ink, int most) {
    const float line = painter.theme().line_height(style.type), next = painter.theme().em(style.type) * kCloseLines;
    float y = rect.y;
    for (const std::string_view one : close_lines(painter, rect.w, text, style.type, most)) {
        painter.text_fit({rect.x, y, rect.w, line}, one, style, ink);
        y += next;
    }
    return y - next + line - rect.y;
}

float lines_height(const Painter& painter, float width, std::string_view text, Type type, int most) {
    const auto count = static_cast<float>(close_lines(painter, width, text, type, most).size());
    return painter.theme().line_height(type) + (count - 1) * painter.theme().em(type) * kCloseLines;
}

std::string plain_text(std::string_view markup) { return read_marks(markup).text; }

}  // namespace app
