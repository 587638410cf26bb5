// The stage's layout in its area: everything inside it, every position defined, labels thinned out.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/app/anim_stage_support.h"

namespace {

using namespace app;
using namespace staged;
using attn::Cell;
using attn::Op;
using attn::StepId;

constexpr int kSizes[] = {1, 3, 12, 64, 512};

constexpr float kSlack = 1;  // pixels

bool inside(const Rect& outer, const Rect& r) {
    return r.x >= outer.x - kSlack && r.y >= outer.y - kSlack && r.right() <= outer.right() + kSlack &&
           r.bottom() <= outer.bottom() + kSlack;
}

bool finite(const Rect& r) { return std::isfinite(r.x + r.y + r.w + r.h); }

TEST(StageLayout, MatricesStayInsideTheArea) {
    for (const int n : kSizes) {
        for (const Staged& staged : all_staged(n))
            for (const Stop& stop : staged.timeline().stops)
                for (const double progress : {0.0, 0.25, 0.6, 1.0}) {
                    SCOPED_TRACE(where(staged, stop, n) + " at " + std::to_string(progress));
                    const Scene scene = staged.at(stop, progress);
                    for (const MatrixSprite& m : scene.matrices)
                        EXPECT_TRUE(inside(kArea, m.grid.area())) << m.grid.area().x << " " << m.grid.area().y << " "
                                                                  << m.grid.area().w << "x" << m.grid.area().h;
                }
    }
}

TEST(StageLayout, EveryPositionIsFinite) {
    const Rect areas[] = {kArea, {0, 0, 90, 60}, {0, 0, 0, 0}, {0, 0, 4000, 30}};
    for (const int n : {1, 5, 64}) {
        for (const Staged& staged : all_staged(n))
            for (const Stop& stop : staged.timeline().stops)
                for (const Rect& area : areas)
                    for (const double progress : {0.0, 0.3, 0.65, 1.0}) {
                        SCOPED_TRACE(where(staged, stop, n) + " at " + std::to_string(progress));
                        const Scene scene = staged.at(stop, progress, Cell{stop.step, 0, 0}, area);
                        for (const MatrixSprite& m : scene.matrices) {
                            EXPECT_TRUE(finite(m.grid.area()) && std::isfinite(m.alpha));
                            EXPECT_GT(m.grid.cell, 0);
                        }
                        for (const CellSprite& c : scene.cells) EXPECT_TRUE(finite(c.rect) && std::isfinite(c.alpha));
                        for (const BandSprite& b : scene.bars) EXPECT_TRUE(finite(b.rect) && std::isfinite(b.alpha));
                        for (const BandSprite& b : scene.bands) EXPECT_TRUE(finite(b.rect) && std::isfinite(b.alpha));
                        for (const LabelSprite& l : scene.labels) EXPECT_TRUE(std::isfinite(l.at.x + l.at.y + l.alpha));
                        for (const RibbonSprite& r : scene.ribbons)
                            EXPECT_TRUE(
                                std::isfinite(r.from_at + r.from_low + r.from_high + r.to_at + r.to_low + r.to_high));
                    }
    }
}

/// Highlighted names left of a matrix at this height.
int lit_names_left_at(const Scene& scene, float y, std::string_view text) {
    return static_cast<int>(std::count_if(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) {
        return l.align == Align::Right && std::abs(l.at.y - y) < 8 && l.text == text && l.type == Type::BodyStrong;
    }));
}

TEST(StageLayout, ManyLabelsAreThinnedButTheHighlightedOneStays) {
    constexpr int kManyRows = 64, kLit = 37;
    const Staged rows(document_of(kManyRows));
    for (const Staged& staged : {rows, rows.in_columns()})
        for (const Stop& stop : staged.timeline().stops) {
            const attn::Step& step = staged.trace()[stop.step];
            if (step.op != Op::Mask && step.op != Op::Scale && step.op != Op::Softmax) continue;
            SCOPED_TRACE(where(staged, stop, kManyRows));
            const Cell focus = staged.columns() ? Cell{stop.step, 2, kLit} : Cell{stop.step, kLit, 2};
            const Scene scene = staged.at(stop, 1, focus);
            const MatrixSprite* m = shown(scene, stop.step);
            ASSERT_TRUE(m);
            EXPECT_EQ(lit_names_left_at(scene, m->grid.line(kLit).center().y, staged.trace().tokens[kLit]), 1);
            // The names left of the grid, from top to bottom, never closer than their letters are high.
            std::vector<float> lines;
            for (const LabelSprite& l : scene.labels)
                if (l.align == Align::Right && l.at.x < m->grid.origin.x) lines.push_back(l.at.y);
            EXPECT_LT(static_cast<int>(lines.size()), kManyRows);
            std::sort(lines.begin(), lines.end());
            for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_GT(lines[i] - lines[i - 1], StageStyle{}.label);
        }
}

/// The labels above softmax's columns, from the left.
std::vector<LabelSprite> softmax_headings(std::string_view temperature) {
    constexpr Rect kWide{232, 180, 1400, 700};
    const Staged staged(way_of({{"temperature", temperature}}, 3));
    std::vector<LabelSprite> out;
    for (const Stop& stop : staged.timeline().stops)
        if (staged.trace()[stop.step].op == Op::Softmax)
            for (const LabelSprite& l : staged.at(stop, 1, {}, kWide).labels)
                if (l.type == Type::NumberSmall && l.align == Align::Right) out.push_back(l);
    std::sort(out.begin(), out.end(), [](const LabelSprite& a, const LabelSprite& b) { return a.at.x < b.at.x; });
    return out;
}

TEST(StageLayout, SoftmaxDividesByNoTemperatureAtItsEnds) {
    for (const auto& [temperature, says] : {std::pair{"1", "exp"}, {"2", "exp(/2)"}, {"0", "τ → 0"}, {"inf", "τ → ∞"}}) {
        const std::vector<LabelSprite> headings = softmax_headings(temperature);
        ASSERT_EQ(headings.size(), 4u) << temperature;
        EXPECT_EQ(headings[2].text, says);
        for (std::size_t i = 1; i < headings.size(); ++i)
            EXPECT_GT(headings[i].at.x - width_of(headings[i].text, Type::NumberSmall), headings[i - 1].at.x + 4)
                << headings[i - 1].text << " touches " << headings[i].text;
    }
}

}  // namespace
