#pragma once
// What a frame drew, as plain data: every call of the painter, in order, for writers of vector graphics. Pixels, as the
// frame's own; colours packed 0xAABBGGRR with every opacity already in them.

#include <cstdint>
#include <string>
#include <vector>

#include "app/draw/vocab.h"

namespace app {

struct DrawnItem {
    enum class Kind : std::uint8_t {
        Fill,      ///< `rect`, rounded by `radius` where `corners` says
        Stroke,    ///< inside `rect`, `width` thick; dashed where `dash` > 0
        Gradient,  ///< `rect`, from `color` to `color2`; top to bottom where `vertical`
        Shadow,    ///< of `rect`, rounded by `radius`, blurred by `width`
        Circle,    ///< about `points[0]`; a ring where `width` > 0
        Polygon,   ///< filled
        Polyline,  ///< `width` thick; `closed`, `round` ends
        Lines,     ///< each pair of points is one
        Ribbon,    ///< the first half of the points is one border, the second the other; `color` at its beginning,
                   ///< `color2` at its end, `vertical`: it flows down
        Text,
        Image,
    };
    static constexpr unsigned kAllCorners = 15;  ///< bits: top left, top right, bottom right, bottom left

    Kind kind = Kind::Fill;
    int layer = 0;  ///< a higher one lies above all of a lower one
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
    Point at{};        ///< its baseline: where it begins
    float length = 0;  ///< as it was measured
    Align align = Align::Left;
    float turned = 0;  ///< radians, about `at`
    struct Piece {
        std::size_t begin = 0;  ///< in `text`
        float x = 0;
        bool wide = false;  ///< Chinese and the like
    };
    std::vector<Piece> pieces{};

    // Image
    unsigned texture = 0;
    Rect uv{};
    int pixels_wide = 0, pixels_high = 0;
    std::vector<std::uint8_t> rgba{};  ///< of the part that `uv` names, once it was read
};

struct Drawing {
    std::vector<DrawnItem> items;
};

}  // namespace app
