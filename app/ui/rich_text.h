#pragma once
// Paragraphs: line breaking for Latin and Chinese text, **strong** and `code` spans.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/vocab.h"
#include "app/ui/paint.h"

namespace app {

using MeasureWidth = std::function<float(std::string_view)>;

/// Breaks between words and between Chinese characters. A Latin word is broken only if it alone is too wide; no line
/// begins with closing punctuation (，。；：？！）】”) or ends with opening punctuation (（【“). '\n' always breaks. The pieces
/// point into `text`; spaces at a break belong to no line.
std::vector<std::string_view> wrap_lines(std::string_view text, float width, const MeasureWidth& measure);

/// Draws a text in a rectangle in at most `most` lines; the last one is shortened with … if there are more. Returns
/// their height. The lines are set closely, as in a heading or a caption.
float draw_lines(Painter& painter, Rect rect, std::string_view text, TextStyle style, Ink ink, int most = 2);
/// The height that draw_lines() will return.
float lines_height(const Painter& painter, float width, std::string_view text, Type type, int most = 2);

enum class Span : std::uint8_t { Plain, Strong, Code };

struct RichPiece {
    std::string text;
    Span span = Span::Plain;
    float x = 0.0f;
    int line = 0;
};

/// Plain data: laid out once, drawn in every frame.
struct RichText {
    std::vector<RichPiece> pieces;
    int lines = 0;
    float line_height = 0.0f;
    Type type = Type::Body;
    float width = 0.0f;  // of the widest line
    float height() const { return static_cast<float>(lines) * line_height; }
};

/// `type` is Small, Body or Title.
RichText lay_out_rich(std::string_view markup, float width, Type type, const Theme& theme, const Fonts& fonts);
/// `at`: top left.
void draw_rich(Painter& painter, const RichText& text, Point at, Ink ink);
/// The markup without its marks.
std::string plain_text(std::string_view markup);

}  // namespace app
