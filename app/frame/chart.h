#pragma once
// Curves over two axes, in the house's look: thin rules, few ticks, names at the lines' ends.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/frame/view.h"

namespace app {

struct ChartAxis {
    double low = 0, high = 1;
    bool log = false;  ///< both ends above 0
    std::string_view title = {};
    std::string_view room = {};  ///< y: a number that has room beside the axis, so that charts below each other begin alike
};

/// A plot of two axes inside `area`; ticks and titles take their room from it.
class Chart {
public:
    Chart(const Frame& frame, Rect area, ChartAxis x, ChartAxis y);

    Rect plot() const { return plot_; }
    Point at(double x, double y) const;
    /// x of a point of the screen.
    double x_at(float pixel) const;

    void line(std::span<const double> xs, std::span<const double> ys, Ink ink, float thickness = 2.2f) const;
    /// The same, in dashes: told from others by more than its colour.
    void dashes(std::span<const double> xs, std::span<const double> ys, Ink ink, float thickness = 2.2f) const;
    void dot(double x, double y, Ink ink) const;
    /// Bars that touch: one for each share, from the axis' low end on.
    void bars(std::span<const double> shares, Ink ink) const;
    /// A dotted upright line with its words at its foot.
    void mark(double x, std::string_view words, Ink ink) const;
    /// Words at the right end of a line, inside the plot.
    void name(double x, double y, std::string_view words, Ink ink, float lift) const;
    /// The same for several lines that end at one x: the names keep apart.
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

/// Two or three digits that are read at a glance: "0.25", "1.3", "840", "12k", "3.4M".
std::string brief(double value);

}  // namespace app
