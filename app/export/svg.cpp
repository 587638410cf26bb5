#include "app/export/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/content/xml_text.h"
#include "app/export/png.h"
#include "app/export/svg_text.h"

namespace app {
namespace {

using svg::number;
using svg::paint;
using Kind = DrawnItem::Kind;

/// Chinese next to Latin letters, as in the frame (app/ui/fonts.cpp).
constexpr float kChineseSize = 1.06f, kChineseDrop = 0.02f;

bool holds(Rect outer, Rect inner) {
    constexpr float kSlack = 0.5f;
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack && inner.right() <= outer.right() + kSlack &&
           inner.bottom() <= outer.bottom() + kSlack;
}

/// The area that an item's ink can cover.
Rect bounds_of(const DrawnItem& item) {
    if (item.kind == Kind::Text) {
        const float reach = item.turned != 0 ? item.length + item.em : 0;
        return {item.at.x - reach, item.at.y - item.em - reach, item.length + 2 * reach, item.em * 1.4f + 2 * reach};
    }
    if (item.points.empty()) return item.rect.inset(item.kind == Kind::Shadow ? -item.width : 0);
    float left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
    for (const Point& p : item.points) {
        left = std::min(left, p.x);
        top = std::min(top, p.y);
        right = std::max(right, p.x);
        bottom = std::max(bottom, p.y);
    }
    const float out = item.radius + item.width;
    return Rect{left, top, right - left, bottom - top}.inset(-out);
}

bool is_ground(const DrawnItem& item, Size size) {
    return item.kind == Kind::Fill && item.radius == 0 && item.rect.w >= size.w && item.rect.h >= size.h;
}

std::string point(Point p) { return number(p.x) + " " + number(p.y); }

std::string rect_attributes(Rect r) {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x), number(r.y), number(r.w),
                       number(r.h));
}

/// A rectangle with some rounded corners.
std::string rect_path(Rect r, float radius, unsigned corners) {
    const auto round = [&](unsigned corner) { return corners >> corner & 1 ? radius : 0.0f; };
    const float tl = round(0), tr = round(1), br = round(2), bl = round(3);
    const auto arc = [](float by, Point to) {
        return by > 0 ? fmt::format("A{0} {0} 0 0 1 {1}", number(by), point(to)) : std::string();
    };
    return "M" + point({r.x + tl, r.y}) + "H" + number(r.right() - tr) + arc(tr, {r.right(), r.y + tr}) + "V" +
           number(r.bottom() - br) + arc(br, {r.right() - br, r.bottom()}) + "H" + number(r.x + bl) +
           arc(bl, {r.x, r.bottom() - bl}) + "V" + number(r.y + tl) + arc(tl, {r.x + tl, r.y}) + "Z";
}

std::string path_through(std::span<const Point> points) {
    std::string out;
    for (std::size_t i = 0; i < points.size(); ++i) out += (i == 0 ? "M" : "L") + point(points[i]);
    return out;
}

class SvgWriter {
public:
    explicit SvgWriter(const SvgOptions& options) : options_(options) {}

    attn::Result<std::string> write(const Drawing& drawing) {
        std::vector<const DrawnItem*> order;
        for (const DrawnItem& item : drawing.items)
            if ((item.color >> 24) != 0 || (item.color2 >> 24) != 0) order.push_back(&item);
        std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->layer < b->layer; });
        const Rect whole{0, 0, options_.size.w, options_.size.h};
        for (const DrawnItem* item : order) {
            const Rect clip = intersection(item->clip, whole), bounds = bounds_of(*item);
            if (!clip.overlaps(bounds) || (!options_.ground && is_ground(*item, options_.size))) continue;
            enter(holds(clip, bounds) ? whole : clip, whole);
            if (auto done = put(*item); !done) return done.error();
        }
        enter(whole, whole);
        return head() + body_ + "</svg>\n";
    }

private:
    std::string head() const {
        const Rect part = options_.part.value_or(Rect{0, 0, options_.size.w, options_.size.h});
        const std::string w = number(part.w), h = number(part.h);
        const float on_paper = options_.millimetres / part.w;
        const auto length = [&](float pixels) { return options_.millimetres > 0 ? number(pixels * on_paper) + "mm" : number(pixels); };
        std::string out = fmt::format(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:space=\"preserve\" width=\"{0}\" height=\"{1}\" "
            "viewBox=\"{2} {3} {4} {5}\">\n<title>{6}</title>\n",
            length(part.w), length(part.h), number(part.x), number(part.y), w, h, xml_escaped(options_.title));
        if (!options_.metadata.empty()) out += "<metadata>" + xml_escaped(options_.metadata) + "</metadata>\n";
        return out + "<style>" + svg::type_rules() + "</style>\n<defs>\n" + defs_ + "</defs>\n";
    }

    /// Clips everything from here on to `clip`.
    void enter(Rect clip, Rect whole) {
        if (clip == clip_) return;
        if (open_) body_ += "</g>\n";
        clip_ = clip;
        open_ = clip != whole;
        if (!open_) return;
        const auto [at, fresh] = clips_.try_emplace({clip.x, clip.y, clip.w, clip.h}, clips_.size());
        if (fresh)
            defs_ += fmt::format("<clipPath id=\"c{}\"><rect{}/></clipPath>\n", at->second, rect_attributes(clip));
        body_ += fmt::format("<g clip-path=\"url(#c{})\">\n", at->second);
    }

    attn::Result<attn::Done> put(const DrawnItem& item) {
        switch (item.kind) {
            case Kind::Fill:
                fill(item);
                break;
            case Kind::Stroke:
                stroke(item);
                break;
            case Kind::Gradient:
                body_ += fmt::format("<rect{} fill=\"url(#{})\"/>\n", rect_attributes(item.rect), gradient(item));
                break;
            case Kind::Shadow:
                shadow(item);
                break;
            case Kind::Circle:
                circle(item);
                break;
            case Kind::Polygon:
                body_ += fmt::format("<path d=\"{}Z\"{}/>\n", path_through(item.points), paint("fill", item.color));
                break;
            case Kind::Polyline:
                polyline(item);
                break;
            case Kind::Lines:
                lines(item);
                break;
            case Kind::Ribbon:
                ribbon(item);
                break;
            case Kind::Text:
                text(item);
                break;
            case Kind::Image:
                return image(item);
        }
        return attn::Done{};
    }

    void fill(const DrawnItem& item) {
        const std::string ink = paint("fill", item.color);
        if (item.radius > 0 && item.corners != DrawnItem::kAllCorners) {
            body_ += fmt::format("<path d=\"{}\"{}/>\n", rect_path(item.rect, item.radius, item.corners), ink);
            return;
        }
        body_ += "<rect" + rect_attributes(item.rect);
        if (item.radius > 0) body_ += fmt::format(" rx=\"{}\"", number(item.radius));
        body_ += ink + "/>\n";
    }
    void stroke(const DrawnItem& item) {
        body_ += "<rect" + rect_attributes(item.rect.inset(item.width / 2)) + " fill=\"none\"" +
                 paint("stroke", item.color) + fmt::format(" stroke-width=\"{}\"", number(item.width));
        if (item.radius > 0) body_ += fmt::format(" rx=\"{}\"", number(std::max(0.0f, item.radius - item.width / 2)));
        if (item.dash > 0) body_ += fmt::format(" stroke-dasharray=\"{} {}\"", number(item.dash), number(item.gap));
        body_ += "/>\n";
    }
    /// Adds a gradient over the item's rectangle and returns its id.
    std::string gradient(const DrawnItem& item) {
        const std::string id = fmt::format("g{}", gradients_++);
        defs_ += fmt::format(
            "<linearGradient id=\"{}\" x2=\"{}\" y2=\"{}\"><stop offset=\"0\"{}/>"
            "<stop offset=\"1\"{}/></linearGradient>\n",
            id, item.vertical ? 0 : 1, item.vertical ? 1 : 0, paint("stop", item.color), paint("stop", item.color2));
        return id;
    }
    void shadow(const DrawnItem& item) {
        // The frame's shadow fades like the integral of a Gaussian over its blur.
        const std::string deviation = number(item.width / 2);
        const auto [at, fresh] = blurs_.try_emplace(deviation, blurs_.size());
        if (fresh)
            defs_ += fmt::format(
                "<filter id=\"b{}\" x=\"-20%\" y=\"-20%\" width=\"140%\" height=\"140%\">"
                "<feGaussianBlur stdDeviation=\"{}\"/></filter>\n",
                at->second, deviation);
        body_ += fmt::format("<rect{} rx=\"{}\"{} filter=\"url(#b{})\"/>\n", rect_attributes(item.rect),
                             number(item.radius), paint("fill", item.color), at->second);
    }
    void circle(const DrawnItem& item) {
        const Point at = item.points.front();
        body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(at.x), number(at.y), number(item.radius));
        body_ += item.width > 0 ? " fill=\"none\"" + paint("stroke", item.color) +
                                      fmt::format(" stroke-width=\"{}\"/>\n", number(item.width))
                                : paint("fill", item.color) + "/>\n";
    }
    void polyline(const DrawnItem& item) {
        body_ += fmt::format("<path d=\"{}{}\" fill=\"none\"{} stroke-width=\"{}\"{}/>\n", path_through(item.points),
                             item.closed ? "Z" : "", paint("stroke", item.color), number(item.width),
                             item.round ? " stroke-linecap=\"round\"" : "");
    }
    void lines(const DrawnItem& item) {
        std::string path;
        for (std::size_t i = 0; i + 1 < item.points.size(); i += 2)
            path += "M" + point(item.points[i]) + "L" + point(item.points[i + 1]);
        body_ += fmt::format("<path d=\"{}\"{} stroke-width=\"{}\"/>\n", path, paint("stroke", item.color),
                             number(item.width));
    }
    void ribbon(const DrawnItem& item) {
        const std::size_t half = item.points.size() / 2;
        std::vector<Point> outline(item.points.begin(), item.points.begin() + static_cast<std::ptrdiff_t>(half));
        outline.insert(outline.end(), item.points.rbegin(), item.points.rbegin() + static_cast<std::ptrdiff_t>(half));
        const std::string ink =
            item.color == item.color2 ? paint("fill", item.color) : fmt::format(" fill=\"url(#{})\"", gradient(item));
        body_ += fmt::format("<path d=\"{}Z\"{}/>\n", path_through(outline), ink);
    }
    void text(const DrawnItem& item) {
        const std::string shown = item.text;
        const bool one = item.pieces.size() <= 1;
        // A single piece is anchored at the point that it was aligned to, which is right even with a substituted font.
        const float shift = !one || item.align == Align::Left ? 0 : item.align == Align::Center ? 0.5f : 1.0f;
        const float scale = one && !item.pieces.empty() && item.pieces.front().wide ? kChineseSize : 1.0f;
        const float drop = scale > 1 ? std::round(item.em * kChineseDrop) : 0;
        body_ +=
            fmt::format("<text class=\"{}\" font-size=\"{}\" x=\"{}\" y=\"{}\"", svg::type_class(item.type),
                        number(item.em * scale), number(item.at.x + item.length * shift), number(item.at.y + drop));
        if (shift > 0) body_ += shift < 1 ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
        if (item.turned != 0)
            body_ += fmt::format(" transform=\"rotate({} {})\"", number(item.turned * 57.29578f), point(item.at));
        body_ += paint("fill", item.color) + ">";
        if (one)
            body_ += xml_escaped(shown);
        else
            pieces(item);
        body_ += "</text>\n";
    }
    /// A text in several scripts: each piece starts where it does in the frame.
    void pieces(const DrawnItem& item) {
        for (std::size_t i = 0; i < item.pieces.size(); ++i) {
            const auto& piece = item.pieces[i];
            const std::size_t end = i + 1 < item.pieces.size() ? item.pieces[i + 1].begin : item.text.size();
            const std::string words = xml_escaped(std::string_view(item.text).substr(piece.begin, end - piece.begin));
            body_ += fmt::format("<tspan x=\"{}\"", number(piece.x));
            if (piece.wide) body_ += fmt::format(" font-size=\"{}\"", number(item.em * kChineseSize));
            body_ += ">" + words + "</tspan>";
        }
    }
    attn::Result<attn::Done> image(const DrawnItem& item) {
        if (item.pixels_wide <= 0 || item.pixels_high <= 0) return attn::Done{};
        const auto png = encode_png({item.pixels_wide, item.pixels_high, item.rgba});
        if (!png) return png.error();
        body_ += "<image" + rect_attributes(item.rect) + " preserveAspectRatio=\"none\"";
        if ((item.color >> 24) < 255) body_ += fmt::format(" opacity=\"{:.3g}\"", double(item.color >> 24) / 255);
        body_ += " xlink:href=\"data:image/png;base64," + svg::base64(*png) + "\"/>\n";
        return attn::Done{};
    }

    const SvgOptions& options_;
    std::string defs_, body_;
    Rect clip_{};
    bool open_ = false;
    std::map<std::tuple<float, float, float, float>, std::size_t> clips_;
    std::map<std::string, std::size_t> blurs_;
    int gradients_ = 0;
};

}  // namespace

Rect inked_rows(const Drawing& drawing, Size size) {
    const Rect whole{0, 0, size.w, size.h};
    float top = size.h, bottom = 0;
    for (const DrawnItem& item : drawing.items) {
        if (((item.color >> 24) == 0 && (item.color2 >> 24) == 0) || is_ground(item, size)) continue;
        const Rect ink = intersection(intersection(bounds_of(item), item.clip), whole);
        if (ink.empty()) continue;
        top = std::min(top, ink.y);
        bottom = std::max(bottom, ink.bottom());
    }
    if (top >= bottom) return whole;
    constexpr float kMargin = 4;
    top = std::max(0.0f, std::floor(top) - kMargin);
    return {0, top, size.w, std::min(size.h, std::ceil(bottom) + kMargin) - top};
}

attn::Result<std::string> drawing_svg(const Drawing& drawing, const SvgOptions& options) {
    return SvgWriter(options).write(drawing);
}

}  // namespace app
