#include "tests/frames/replay.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/gfx/target.h"

namespace frames {
namespace {

using app::Color;
using app::Painter;
using app::Point;
using app::Rect;

/// The words of a line, by their meaning.
struct Line {
    std::string_view kind, type, text;
    std::vector<float> numbers;  ///< those without a name, in order
    std::vector<Color> colors;
    float radius = 0, width = 0, dash = 0, gap = 0, step = 0;
    unsigned corners = 15;
    bool down = false, closed = false, round = false, turned = false;
    int rows = 0, cols = 0;            ///< of a map
    std::array<float, 4> seen{};
    std::vector<std::string_view> cells;

    Rect rect() const { return {numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3)}; }
    Point point(std::size_t i) const { return {numbers.at(2 * i), numbers.at(2 * i + 1)}; }
    std::vector<Point> points() const {
        std::vector<Point> out;
        for (std::size_t i = 0; 2 * i + 1 < numbers.size(); ++i) out.push_back(point(i));
        return out;
    }
};

float number(std::string_view word) {
    float value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

bool is_plain_number(std::string_view word) {
    float value = 0;
    return std::from_chars(word.data(), word.data() + word.size(), value).ptr == word.data() + word.size();
}

Color color_of(std::string_view hex) {
    std::uint32_t v = 0;
    std::from_chars(hex.data(), hex.data() + hex.size(), v, 16);
    if (hex.size() == 6) v = v << 8 | 255;
    return {static_cast<std::uint8_t>(v >> 24), static_cast<std::uint8_t>(v >> 16 & 255),
            static_cast<std::uint8_t>(v >> 8 & 255), static_cast<std::uint8_t>(v & 255)};
}

void read_word(Line& line, std::string_view word) {
    if (is_plain_number(word)) return line.numbers.push_back(number(word));
    if (word[0] == '#') return line.colors.push_back(color_of(word.substr(1)));
    if (word == "down") line.down = true;
    if (word == "closed") line.closed = true;
    if (word == "round") line.round = true;
    if (word == "turned") line.turned = true;
    const std::string_view value = word.substr(1);
    if (!is_plain_number(value)) {
        if (word.starts_with("seen=")) {
            word.remove_prefix(5);
            for (float& one : line.seen) {
                one = number(word);
                word.remove_prefix(std::min(word.find(',') + 1, word.size()));
            }
        } else if (line.kind == "text" && line.type.empty()) {
            line.type = word;
        }
        return;
    }
    if (word[0] == 'r') line.radius = number(value);
    if (word[0] == 'w') line.width = number(value);
    if (word[0] == 'd') line.dash = number(value);
    if (word[0] == 'g') line.gap = number(value);
    if (word[0] == 's') line.step = number(value);
    if (word[0] == 'c') line.corners = static_cast<unsigned>(number(value));
}

Line parsed(std::string_view rest) {
    Line line;
    while (!rest.empty()) {
        if (rest[0] == '"') {
            line.text = rest.substr(1, rest.size() - 2);
            break;
        }
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.kind.empty())
            line.kind = word;
        else if (line.kind == "row")
            line.cells.push_back(word);
        else if (!word.empty())
            read_word(line, word);
    }
    return line;
}

app::gui::Corners corners_of(unsigned bits) {
    using app::gui::Corners;
    switch (bits) {
        case 0:
            return Corners::None;
        case 9:
            return Corners::Left;
        case 6:
            return Corners::Right;
        case 3:
            return Corners::Top;
        case 12:
            return Corners::Bottom;
        default:
            return Corners::All;
    }
}

class Replay {
public:
    explicit Replay(Painter& painter) : p_(painter) {}

    void draw(const Line& l) {
        if (l.kind == "clip") return clip(l);
        if (l.kind == "layer") return layer(l);
        if (l.kind == "map") {
            map_ = l;
            return;
        }
        if (l.kind == "row") return row(l);
        if (l.kind == "fill") return p_.fill(l.rect(), l.colors.at(0), l.radius, corners_of(l.corners));
        if (l.kind == "cells") return cells(l);
        if (l.kind == "stroke" && l.dash > 0)
            return p_.stroke_dashed(l.rect(), l.colors.at(0), l.radius, l.width, l.dash, l.gap);
        if (l.kind == "stroke") return p_.stroke(l.rect(), l.colors.at(0), l.radius, l.width);
        if (l.kind == "gradient") return p_.gradient(l.rect(), l.colors.at(0), l.colors.at(1), l.down);
        if (l.kind == "shadow") return shadow(l);
        if (l.kind == "circle" && l.width > 0)
            return p_.ring(l.point(0), l.numbers.at(2), l.colors.at(0), l.width);
        if (l.kind == "circle") return p_.circle(l.point(0), l.numbers.at(2), l.colors.at(0));
        if (l.kind == "polygon") return p_.polygon(l.points(), l.colors.at(0));
        if (l.kind == "line") return line(l);
        if (l.kind == "hatch") return hatch(l);
        if (l.kind == "ribbon") return ribbon(l);
        if (l.kind == "text") return text(l);
    }

private:
    void clip(const Line& l) {
        clip_.reset();
        if (l.numbers.size() == 4) clip_.emplace(p_.clip(l.rect()));
    }
    void layer(const Line& l) {
        clip_.reset();
        layer_.reset();
        if (l.numbers.at(0) > 0) layer_.emplace(p_.onto(app::gui::foreground()));
    }
    void cells(const Line& l) {
        for (std::size_t i = 0; i < l.colors.size(); ++i)
            p_.fill(l.rect().moved(l.step * static_cast<float>(i), 0), l.colors[i], l.radius);
    }
    void shadow(const Line& l) {
        const Color c = l.colors.at(0);
        const float alpha = static_cast<float>(c.a) / 255;
        p_.shadow(l.rect(), l.radius, l.width, p_.theme().dark ? alpha / 3 : alpha, 0);
    }
    void line(const Line& l) {
        const auto points = l.points();
        if (points.size() == 2) return p_.line(points[0], points[1], l.colors.at(0), l.width, l.round);
        p_.polyline(points, l.colors.at(0), l.width, l.closed);
    }
    void hatch(const Line& l) {
        const int count = static_cast<int>(l.numbers.at(0));
        const auto at = [&](std::size_t i) { return Point{l.numbers.at(1 + 2 * i), l.numbers.at(2 + 2 * i)}; };
        // The lines between the first and the last are as far apart as those are from each other, cut as they are by the
        // rectangle that the two touch.
        const float first = at(0).x + at(0).y, last = at(2).x + at(2).y;
        const float left = at(0).x, top = at(1).y, right = std::max(at(3).x, at(1).x), bottom = std::max(at(2).y, at(0).y);
        for (int i = 0; i < count; ++i) {
            const float sum = count > 1 ? first + (last - first) * static_cast<float>(i) / static_cast<float>(count - 1) : first;
            const float x0 = std::max(left, sum - bottom), x1 = std::min(right, sum - top);
            if (x1 > x0) p_.line({x0, sum - x0}, {x1, sum - x1}, l.colors.at(0), l.width);
        }
    }
    void ribbon(const Line& l) {
        const auto at = [&](std::size_t i) { return l.point(i); };
        const Color a = l.colors.at(0), b = l.colors.at(1);
        const bool brushed = std::fabs(at(1).x - (at(0).x + at(2).x) / 2) > 0.3f && !l.down;
        if (brushed || at(0).x == at(2).x) {
            // A stroke of the pen: its middle line, with the thickness at each of the three points.
            const auto middle = [&](std::size_t i) { return app::between(at(i), at(i + 3), 0.5f); };
            const auto thick = [&](std::size_t i) { return std::hypot(at(i).x - at(i + 3).x, at(i).y - at(i + 3).y); };
            std::vector<Point> way;
            const Point bend = middle(1) * 2 - app::between(middle(0), middle(2), 0.5f);
            for (int i = 0; i <= 16; ++i) {
                const float t = static_cast<float>(i) / 16;
                way.push_back(app::between(app::between(middle(0), bend, t), app::between(bend, middle(2), t), t));
            }
            return p_.brush(way, a, thick(0), thick(1) - thick(0));
        }
        if (l.down)
            return p_.ribbon_down({at(3).y, at(3).x, at(0).x}, {at(5).y, at(5).x, at(2).x}, a, b);
        p_.ribbon({at(0).x, at(0).y, at(3).y}, {at(2).x, at(2).y, at(5).y}, a, b);
    }
    void text(const Line& l) {
        const app::Type type = type_named(l.type);
        app::TextStyle style{type, app::Align::Left, l.numbers.at(2) / p_.theme().em(type)};
        if (l.turned) return p_.text_slanted(l.point(0), l.text, style, l.colors.at(0));
        p_.text(l.point(0), l.text, style, l.colors.at(0));
    }
    /// A row of the map's cells, or of blocks of them.
    void row(const Line& l) {
        const Rect area = map_.rect();
        // The first word is the row's number.
        float low = 0;
        std::from_chars(l.cells.at(0).data(), l.cells.at(0).data() + l.cells.at(0).size(), low);
        const auto n = l.cells.size() - 1;
        const float tall = (map_.turned ? area.w : area.h) / map_.seen[3], wide = (map_.turned ? area.h : area.w) / map_.seen[2];
        const float block = std::max(1.0f, std::round(map_.seen[2] / static_cast<float>(n)));
        for (std::size_t j = 0; j < n; ++j) {
            const float x = (static_cast<float>(j) * block - (map_.seen[0] - std::floor(map_.seen[0]))) * wide;
            const float y = (low - map_.seen[1]) * tall;
            const Rect cell = map_.turned ? Rect{area.x + y, area.y + x, tall * block, wide * block}
                                          : Rect{area.x + x, area.y + y, wide * block, tall * block};
            const std::string_view level = l.cells[j + 1];
            if (level == "--") continue;
            int at = 0;
            std::from_chars(level.data(), level.data() + level.size(), at, 16);
            const float t = static_cast<float>(at) / 255;
            const Color& a = map_.colors.at(1), &b = map_.colors.at(2), &c = map_.colors.at(3);
            p_.fill(cell, t < 0.5f ? app::mix(a, b, t * 2) : app::mix(b, c, t * 2 - 1));
        }
    }

    Painter& p_;
    Line map_;
    std::optional<app::PaintScope> layer_, clip_;
};

}  // namespace

app::gfx::Image replay(app::App& program, const Record& record, app::Size size) {
    const auto target = app::gfx::make_target(static_cast<int>(size.w), static_cast<int>(size.h));
    if (!target) return {};
    target->bind();
    const auto draw = [&](Painter& painter) {
        Replay again(painter);
        for (const std::string& line : record) again.draw(parsed(line));
    };
    program.draw_beside(size, draw, true);
    program.draw_beside(size, draw, true);  // with all glyphs
    return target->read();
}

Rect place_of(std::string_view words) {
    const Line line = parsed(words);
    if (line.kind == "clip" || line.kind == "layer" || line.kind == "row") return {};
    if (line.kind == "text" && line.numbers.size() >= 3) {
        const float em = line.numbers[2];
        return {line.numbers[0], line.numbers[1] - em, em * 0.6f * static_cast<float>(line.text.size()), em * 1.3f};
    }
    if (line.kind == "circle" && line.numbers.size() >= 3)
        return app::rect_around(line.point(0), line.numbers[2] * 2, line.numbers[2] * 2);
    if (line.kind == "cells") {
        const Rect first = line.rect();
        return {first.x, first.y, line.step * static_cast<float>(line.colors.size() - 1) + first.w, first.h};
    }
    const bool by_points = line.kind == "line" || line.kind == "polygon" || line.kind == "ribbon";
    if (!by_points) return line.numbers.size() >= 4 && line.kind != "hatch" ? line.rect() : Rect{};
    const auto points = line.points();
    if (points.empty()) return {};
    Rect r{points[0].x, points[0].y, 0, 0};
    float right = r.x, bottom = r.y;
    for (const Point& p : points) {
        r.x = std::min(r.x, p.x), r.y = std::min(r.y, p.y);
        right = std::max(right, p.x), bottom = std::max(bottom, p.y);
    }
    return {r.x, r.y, std::max(right - r.x, 2.0f), std::max(bottom - r.y, 2.0f)};
}

}  // namespace frames
