#pragma once
// Line charts in the program's style: thin rules, few ticks, names at the ends of the lines.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/frame/view.h"

namespace app {

struct ChartAxis {
    double low = 0, high = 1;
    bool log = false;  ///< logarithmic; both ends must be above 0
    std::string_view title = {};
    std::string_view room = {};  ///< y: space is reserved for this number, so that charts below each other are aligned
};

/// A plot with two axes inside `area`; ticks and titles are inside it, too.
class Chart {
public:
    Chart(const Frame& frame, Rect area, ChartAxis x, ChartAxis y);

    Rect plot() const { return plot_; }
    Point at(double x, double y) const;
    /// The x value at a horizontal screen position.
    double x_at(float pixel) const;

    void line(std::span<const double> xs, std::span<const double> ys, Ink ink, float thickness = 2.2f) const;
    /// A dashed line, so that it differs from others not only in colour.
    void dashes(std::span<const double> xs, std::span<const double> ys, Ink ink, float thickness = 2.2f) const;
    void dot(double x, double y, Ink ink) const;
    /// Adjacent bars, one for each share, starting at the low end of the x axis.
    void bars(std::span<const double> shares, Ink ink) const;
    /// A dotted vertical line with a label at its foot.
    void mark(double x, std::string_view words, Ink ink) const;
    /// A label at the right end of a line, inside the plot.
    void name(double x, double y, std::string_view words, Ink ink, float lift) const;
    /// Labels for several lines that end at the same x, moved apart where they would overlap.
    struct LineEnd {
        double y = 0;
        std::string words;
    };
    void names(double x, std::vector<LineEnd> ends, Ink ink, float lift) const;

private:
    void ticks_x() const;
    void ticks_y() const;
    double share(const ChartAxis& axis, double value) const;

    const Frame& f_;
    Rect plot_;
    ChartAxis x_, y_;
};

/// Two or three digits, readable at a glance: "0.25", "1.3", "840", "12k", "3.4M".
std::string brief(double value);

}  // namespace app
