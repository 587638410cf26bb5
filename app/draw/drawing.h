#pragma once
// What a frame drew, as plain data: every call of the painter, in order, for exporters of vector graphics. Lengths are
// the frame's pixels; colours are packed as 0xAABBGGRR with all opacities already multiplied in.

#include <cstdint>
#include <string>
#include <vector>

#include "app/draw/vocab.h"

namespace app {

struct DrawnItem {
    enum class Kind : std::uint8_t {
        Fill,      ///< `rect`, with the `corners` rounded by `radius`
        Stroke,    ///< inside `rect`, `width` thick; dashed where `dash` > 0
        Gradient,  ///< `rect`, from `color` to `color2`; top to bottom where `vertical`
        Shadow,    ///< of `rect`, rounded by `radius`, blurred by `width`
        Circle,    ///< about `points[0]`; a ring where `width` > 0
        Polygon,   ///< filled
        Polyline,  ///< `width` thick; `closed`, `round` ends
        Lines,     ///< each pair of points is one line
        Ribbon,    ///< the first half of the points is one border, the second half the other; `color` at its start,
                   ///< `color2` at its end; `vertical`: it runs downwards
        Text,
        Image,
    };
    static constexpr unsigned kAllCorners = 15;  ///< bits: top left, top right, bottom right, bottom left

    Kind kind = Kind::Fill;
    int layer = 0;  ///< higher layers are drawn above all lower ones
    Rect clip;
    std::uint32_t color = 0, color2 = 0;
    Rect rect{};
    float radius = 0, width = 0, dash = 0, gap = 0;
    unsigned corners = kAllCorners;
    bool vertical = false, closed = false, round = false;
    std::vector<Point> points{};

    // Text
    std::string text{};
    Type type = Type::Body;
    float em = 0;      ///< pixels
    Point at{};        ///< where its baseline begins
    float length = 0;  ///< measured width
    Align align = Align::Left;
    float turned = 0;  ///< radians, about `at`
    struct Piece {
        std::size_t begin = 0;  ///< in `text`
        float x = 0;
        bool wide = false;  ///< Chinese and other full-width characters
    };
    std::vector<Piece> pieces{};

    // Image
    unsigned texture = 0;
    Rect uv{};
    int pixels_wide = 0, pixels_high = 0;
    std::vector<std::uint8_t> rgba{};  ///< the part named by `uv`; empty until it is read back
};

struct Drawing {
    std::vector<DrawnItem> items;
};

}  // namespace app
