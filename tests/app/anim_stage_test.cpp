// The stage's layout: pure, inside its area, every cell there to be pointed at, every label readable.

#include "app/anim/stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/state/derived.h"
#include "core/document.h"
#include "core/document_fields.h"
#include "core/ops.h"

namespace {

using namespace app;
using attn::Cell;
using attn::Document;
using attn::Op;
using attn::StepId;

constexpr Rect kArea{232, 180, 700, 480};
constexpr int kSizes[] = {1, 3, 12, 64, 512};

/// As wide as letters usually are; no fonts here.
float width_of(std::string_view text, Type) { return 7.5f * static_cast<float>(text.size()); }

std::string words(int n) {
    constexpr std::array<std::string_view, 5> kWords = {"the", "tired", "cat", "sat", "down"};
    std::string text;
    for (int i = 0; i < n; ++i) text.append(kWords[static_cast<std::size_t>(i) % kWords.size()]).append(" ");
    return text;
}

/// Positions, biases, two heads, a mask.
Document document_of(int n, std::string_view mask = "causal") {
    Document doc;
    doc.text = words(n);
    doc.weights = "random";
    doc.config.heads = 2;
    doc.config.mask = mask;
    doc.config.position = "sinusoidal";
    doc.given[static_cast<std::size_t>(attn::Given::b_Q)] = attn::Matrix::Constant(1, 8, 0.25f);
    return doc;
}

/// One way of attention: fields of a document, by name.
using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
const Fields kWays[] = {
    {{"score", "additive"}, {"scope", "local_p"}},
    {{"score", "concat"}, {"selection", "sparsemax"}},
    {{"score", "gat"}, {"gate", "sigmoid"}, {"penalty", "0.5"}},
    {{"score", "cosine"}, {"selection", "top_k"}, {"top_k", "2"}, {"mask", "causal"}},
    {{"position", "rope"}, {"selection", "hard"}, {"draws", "20"}},
    {{"position", "relative"}, {"heads", "2"}},
};

Document way_of(const Fields& fields, int n) {
    Document doc;
    doc.text = words(n);
    doc.weights = "random";
    for (const auto& [field, value] : fields) EXPECT_TRUE(attn::set_field(doc, field, value)) << field;
    return doc;
}

/// Operations that need a whole model, on a few numbers of their own.
attn::Trace loose_operations(int n) {
    attn::Trace t;
    for (int i = 0; i < n; ++i) t.tokens.push_back("w" + std::to_string(i));
    const attn::Axis tokens{attn::Axis::Kind::Tokens}, units{attn::Axis::Kind::Units};
    const auto numbers = [&](int rows, int cols, attn::Role role, attn::Axis row_axis, attn::Axis col_axis) {
        attn::Matrix value = attn::Matrix::NullaryExpr(rows, cols, [](Eigen::Index r, Eigen::Index c) {
            return 0.1f * static_cast<float>((r * 7 + c * 3) % 11) - 0.4f;
        });
        return attn::input(t, std::move(value), {role}, row_axis, col_axis, {attn::Source::Given});
    };
    using attn::Role;
    const StepId x = numbers(n, 4, Role::Embeddings, tokens, units);
    const StepId gain = numbers(1, 4, Role::NormGain, units, units), bias = numbers(1, 4, Role::NormBias, units, units);
    const StepId square = numbers(4, 4, Role::RecurrentWeight, units, units);
    attn::layer_norm(t, x, gain, bias, {Role::Normed});
    attn::rms_norm(t, x, gain, {Role::Normed, attn::kNoHead, 1});
    attn::recur(t, x, square, false, {Role::States});
    attn::recur(t, x, square, true, {Role::BackwardStates});
    const StepId scores = numbers(n, n, Role::Scores, tokens, tokens);
    const StepId most = attn::row_max(t, scores, attn::kNoStep, {Role::RunningMax});
    const StepId later = attn::row_max(t, scores, most, {Role::RunningMax, attn::kNoHead, attn::kNoLayer, 1});
    const StepId shifted = attn::exp_shift(t, scores, later, {Role::Shifted});
    const StepId sum = attn::row_sum(t, shifted, {Role::TileSum});
    attn::divide(t, shifted, sum, {Role::RunningOutput});
    attn::top_p(t, scores, 0.6f, {Role::LogitsKept});
    const StepId row = attn::slice_rows(t, x, n - 1, 1, {Role::KeyRow});
    attn::stack(t, {x, row}, {Role::CachedKeys});
    return t;
}

/// A computed document and the poses of its timeline.
class Staged {
public:
    explicit Staged(const Document& document)
        : Staged(*attn::run(document), document.config.heads > 1 ? 0 : attn::kNoHead) {}
    Staged(attn::Run run, int head) : computed_(compute_all(std::move(run))) {
        labels_ = labels_of(trace(), Language::English);
        timeline_ = make_timeline(trace(), head);
    }
    const attn::Trace& trace() const { return computed_->run.trace; }
    const Timeline& timeline() const { return timeline_; }
    bool columns() const { return convention_ == attn::Convention::Columns; }
    /// The same run, tokens as columns.
    Staged in_columns() const {
        Staged other = *this;
        other.convention_ = attn::Convention::Columns;
        return other;
    }

    Scene at(const Stop& stop, double progress, std::optional<Cell> focus = {}, Rect area = kArea) const {
        const auto index = static_cast<int>(&stop - timeline_.stops.data());
        Scene scene;
        lay_out(StageInput{trace(),
                           computed_->ranges,
                           labels_,
                           {index, stop.step, progress},
                           focus,
                           area,
                           {},
                           Language::English,
                           false,
                           convention_,
                           width_of},
                scene);
        return scene;
    }

private:
    std::shared_ptr<const Computed> computed_;
    AxisLabels labels_;
    Timeline timeline_;
    attn::Convention convention_ = attn::Convention::Rows;
};

void expect_same(const Point& a, const Point& b) {
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
}

Point rounded(Point p) { return {std::round(p.x), std::round(p.y)}; }

void expect_same(const Scene& a, const Scene& b) {
    ASSERT_EQ(a.matrices.size(), b.matrices.size());
    for (std::size_t i = 0; i < a.matrices.size(); ++i) {
        const MatrixSprite &x = a.matrices[i], &y = b.matrices[i];
        EXPECT_EQ(x.step, y.step);
        expect_same(x.grid.origin, y.grid.origin);
        EXPECT_EQ(x.grid.cell, y.grid.cell);
        EXPECT_EQ(x.alpha, y.alpha);
        EXPECT_EQ(x.reveal.cells, y.reveal.cells);
        EXPECT_EQ(x.reveal.rows, y.reveal.rows);
        EXPECT_EQ(x.scale, y.scale);
        EXPECT_EQ(x.ring, y.ring);
    }
    ASSERT_EQ(a.cells.size(), b.cells.size());
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
        EXPECT_EQ(a.cells[i].cell, b.cells[i].cell);
        EXPECT_EQ(a.cells[i].rect, b.cells[i].rect);
        EXPECT_EQ(a.cells[i].alpha, b.cells[i].alpha);
    }
    ASSERT_EQ(a.labels.size(), b.labels.size());
    for (std::size_t i = 0; i < a.labels.size(); ++i) {
        EXPECT_EQ(a.labels[i].text, b.labels[i].text);
        expect_same(a.labels[i].at, b.labels[i].at);
        EXPECT_EQ(a.labels[i].alpha, b.labels[i].alpha);
    }
    EXPECT_EQ(a.bands.size(), b.bands.size());
    EXPECT_EQ(a.bars.size(), b.bars.size());
    EXPECT_EQ(a.ribbons.size(), b.ribbons.size());
}

std::string where(const Staged& staged, const Stop& stop, int n) {
    const attn::Step& step = staged.trace()[stop.step];
    return std::string(attn::op_id(step.op)) + " " + attn::step_name(step.tag) + ", n = " + std::to_string(n) +
           (staged.columns() ? ", columns" : "");
}

/// Together they use every operation; each with tokens as rows and as columns.
std::vector<Staged> all_staged(int n) {
    std::vector<Staged> all;
    all.emplace_back(document_of(n));
    if (n <= 64) {  // else every pair of them would be a quarter of a million rows
        for (const Fields& fields : kWays) all.emplace_back(way_of(fields, n));
        attn::Run loose;
        loose.trace = loose_operations(n);
        all.emplace_back(std::move(loose), attn::kNoHead);
    }
    const std::size_t rows = all.size();
    all.reserve(2 * rows);
    for (std::size_t i = 0; i < rows; ++i) all.push_back(all[i].in_columns());
    return all;
}

TEST(StageLayout, TheDocumentsOfTheseTestsUseEveryOperation) {
    std::set<Op> seen;
    for (const Staged& staged : all_staged(3))
        for (const Stop& stop : staged.timeline().stops) seen.insert(staged.trace()[stop.step].op);
    EXPECT_EQ(static_cast<int>(seen.size()), attn::kOpCount);
}

TEST(StageLayout, IsPure) {
    for (const Staged& staged : all_staged(5)) {
        const auto& stops = staged.timeline().stops;
        constexpr int kMoments = 20;
        std::vector<Scene> forwards;
        for (const Stop& stop : stops)
            for (int i = 0; i <= kMoments; ++i) forwards.push_back(staged.at(stop, i / static_cast<double>(kMoments)));
        for (std::size_t s = stops.size(); s-- > 0;)
            for (int i = kMoments; i >= 0; --i) {
                SCOPED_TRACE(where(staged, stops[s], 5));
                expect_same(forwards[s * (kMoments + 1) + static_cast<std::size_t>(i)],
                            staged.at(stops[s], i / static_cast<double>(kMoments)));
            }
    }
}

/// The matrix that shows a step's value when its motion is over.
const MatrixSprite* shown(const Scene& scene, StepId step) {
    const auto found = std::find_if(scene.matrices.rbegin(), scene.matrices.rend(),
                                    [step](const MatrixSprite& m) { return m.step == step && m.alpha >= 1; });
    return found == scene.matrices.rend() ? nullptr : &*found;
}

TEST(StageLayout, EveryCellIsShownAndPickedWhenTheMotionIsOver) {
    for (const int n : {1, 3, 12, 64}) {
        for (const Staged& staged : all_staged(n))
            for (const Stop& stop : staged.timeline().stops) {
                SCOPED_TRACE(where(staged, stop, n));
                const Scene scene = staged.at(stop, 1);
                const attn::Matrix& value = staged.trace()[stop.step].value;
                const MatrixSprite* m = shown(scene, stop.step);
                ASSERT_TRUE(m);
                // Of pairs those of one query stand, of all else everything.
                const attn::Axis& rows = staged.trace()[stop.step].rows;
                EXPECT_EQ(m->grid.rows, rows.kind == attn::Axis::Kind::Pairs ? rows.span : value.rows());
                EXPECT_EQ(m->grid.cols, value.cols());
                for (int r = 0; r < m->grid.rows; ++r)
                    for (int c = 0; c < m->grid.cols; ++c) {
                        EXPECT_TRUE(m->reveal.shows(r, c, m->grid.rows, m->grid.cols));
                        ASSERT_EQ(pick(scene, m->grid.at(r, c).center()), (Cell{stop.step, m->first_row + r, c}))
                            << r << " " << c;
                    }
            }
    }
}

TEST(StageLayout, TheBlockOfAPairIsThatOfTheQueryLookedAt) {
    constexpr int kTokens = 5, kQuery = 3;
    const Staged rows(way_of(kWays[0], kTokens));
    int blocks = 0;
    for (const Staged& staged : {rows, rows.in_columns()})
        for (const Stop& stop : staged.timeline().stops) {
            const attn::Step& step = staged.trace()[stop.step];
            if (step.rows.kind != attn::Axis::Kind::Pairs) continue;
            ++blocks;
            SCOPED_TRACE(where(staged, stop, kTokens));
            const Cell focus{stop.step, kQuery * kTokens + 1, 0};
            const Scene scene = staged.at(stop, 1, focus);
            const MatrixSprite* m = shown(scene, stop.step);
            ASSERT_TRUE(m);
            EXPECT_EQ(m->first_row, kQuery * kTokens);
            EXPECT_EQ(m->ring, focus);
            EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) {
                return l.text.find(staged.trace().tokens[kQuery]) != std::string::npos && l.hue == Hue::Query;
            }));
        }
    EXPECT_EQ(blocks, 2 * 3);
}

/// Where tokens are columns the picture is the transposed one: what is seen on line i, i-th from above, and as the j-th
/// from the left is the number in row j and column i, and pointing there names that cell.
TEST(StageLayout, TransposedEachCellStandsWhereItsRowIsAColumn) {
    for (const Staged& staged : all_staged(5))
        for (const Stop& stop : staged.timeline().stops) {
            SCOPED_TRACE(where(staged, stop, 5));
            const Scene scene = staged.at(stop, 1);
            EXPECT_EQ(scene.convention == attn::Convention::Columns, staged.columns());
            for (const MatrixSprite& m : scene.matrices) {
                EXPECT_EQ(m.grid.transposed, staged.columns());
                const Rect area = m.grid.area();
                const auto lines = static_cast<int>(std::lround(area.h / m.grid.cell)),
                           uprights = static_cast<int>(std::lround(area.w / m.grid.cell));
                EXPECT_EQ(lines, staged.columns() ? m.grid.cols : m.grid.rows);
                EXPECT_EQ(uprights, staged.columns() ? m.grid.rows : m.grid.cols);
                for (int i = 0; i < lines; ++i)
                    for (int j = 0; j < uprights; ++j) {
                        const Point seen{area.x + m.grid.cell * (static_cast<float>(j) + 0.5f),
                                         area.y + m.grid.cell * (static_cast<float>(i) + 0.5f)};
                        const Spot spot = staged.columns() ? Spot{j, i} : Spot{i, j};
                        EXPECT_EQ(m.grid.nearest(seen), spot);
                        expect_same(rounded(m.grid.at(spot.row, spot.col).center()), rounded(seen));
                        EXPECT_TRUE(m.grid.row(spot.row).contains(seen) && m.grid.col(spot.col).contains(seen));
                        if (&m == shown(scene, stop.step)) {
                            EXPECT_EQ(pick(scene, seen), (Cell{m.step, m.first_row + spot.row, spot.col}));
                        }
                    }
            }
        }
}

/// C = A B is Cᵀ = Bᵀ Aᵀ: where tokens are columns A stands above C and B left of it, and tokens stay in line.
TEST(StageLayout, FactorsChangePlacesWhereTokensAreColumns) {
    const Staged rows(document_of(5));
    for (const Staged& staged : {rows, rows.in_columns()})
        for (const Stop& stop : staged.timeline().stops) {
            const attn::Step& step = staged.trace()[stop.step];
            if (step.op != Op::MatMul) continue;
            SCOPED_TRACE(where(staged, stop, 5));
            const Scene scene = staged.at(stop, 1);
            const MatrixSprite *a = shown(scene, step.inputs[0]), *b = shown(scene, step.inputs[1]),
                               *c = shown(scene, stop.step);
            ASSERT_TRUE(a && b && c);
            const Grid &beside = (staged.columns() ? b : a)->grid, &above = (staged.columns() ? a : b)->grid;
            EXPECT_LE(beside.area().right(), c->grid.area().x);
            EXPECT_EQ(beside.area().y, c->grid.area().y);
            EXPECT_EQ(beside.area().h, c->grid.area().h);
            EXPECT_LE(above.area().bottom(), c->grid.area().y);
            EXPECT_EQ(above.area().x, c->grid.area().x);
            EXPECT_EQ(above.area().w, c->grid.area().w);
        }
}

/// In motion: the topmost matrix that can be picked where a cell's middle is gives that cell.
TEST(StageLayout, WhatIsPickedIsWhatIsSeen) {
    for (const Staged& staged : all_staged(5))
        for (const Stop& stop : staged.timeline().stops)
            for (const double progress : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
                SCOPED_TRACE(where(staged, stop, 5) + " at " + std::to_string(progress));
                const Scene scene = staged.at(stop, progress);
                for (const MatrixSprite& m : scene.matrices)
                    for (int r = 0; r < m.grid.rows; ++r)
                        for (int c = 0; c < m.grid.cols; ++c) {
                            const auto cell = pick(scene, m.grid.at(r, c).center());
                            const bool there =
                                m.pickable && m.alpha > 0 && m.reveal.shows(r, c, m.grid.rows, m.grid.cols);
                            EXPECT_TRUE(cell || !there) << r << " " << c;
                            if (!cell) continue;
                            const attn::Matrix& value = staged.trace()[cell->step].value;
                            EXPECT_TRUE(cell->row < value.rows() && cell->col < value.cols());
                        }
            }
}

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

TEST(StageLayout, NothingIsNowhere) {
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

/// Lit names that stand left of a matrix at this height.
int lit_names_left_at(const Scene& scene, float y, std::string_view text) {
    return static_cast<int>(std::count_if(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) {
        return l.align == Align::Right && std::abs(l.at.y - y) < 8 && l.text == text && l.type == Type::BodyStrong;
    }));
}

TEST(StageLayout, ManyLabelsAreThinnedAndTheLitOneStays) {
    constexpr int kMany = 64, kLit = 37;
    const Staged rows(document_of(kMany));
    for (const Staged& staged : {rows, rows.in_columns()})
        for (const Stop& stop : staged.timeline().stops) {
            const attn::Step& step = staged.trace()[stop.step];
            if (step.op != Op::Mask && step.op != Op::Scale && step.op != Op::Softmax) continue;
            SCOPED_TRACE(where(staged, stop, kMany));
            const Cell focus = staged.columns() ? Cell{stop.step, 2, kLit} : Cell{stop.step, kLit, 2};
            const Scene scene = staged.at(stop, 1, focus);
            const MatrixSprite* m = shown(scene, stop.step);
            ASSERT_TRUE(m);
            EXPECT_EQ(lit_names_left_at(scene, m->grid.line(kLit).center().y, staged.trace().tokens[kLit]), 1);
            // Those left of the grid, from top to bottom, never closer than their letters are high.
            std::vector<float> lines;
            for (const LabelSprite& l : scene.labels)
                if (l.align == Align::Right && l.at.x < m->grid.origin.x) lines.push_back(l.at.y);
            EXPECT_LT(static_cast<int>(lines.size()), kMany);
            std::sort(lines.begin(), lines.end());
            for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_GT(lines[i] - lines[i - 1], StageStyle{}.label);
        }
}

TEST(StageLayout, ANumberInFlightIsOneOfTheTrace) {
    for (const Staged& staged : all_staged(5))
        for (const Stop& stop : staged.timeline().stops)
            for (int i = 0; i <= 40; ++i) {
                const Scene scene = staged.at(stop, i / 40.0);
                for (const CellSprite& c : scene.cells) {
                    ASSERT_GE(c.cell.step, 0);
                    const attn::Matrix& value = staged.trace()[c.cell.step].value;
                    EXPECT_TRUE(c.cell.row < value.rows() && c.cell.col < value.cols());
                    EXPECT_FALSE(std::isnan(value(c.cell.row, c.cell.col)));
                    EXPECT_GE(c.alpha, 0);
                    EXPECT_LE(c.alpha, 1.0001f);
                }
            }
}

TEST(StageLayout, ShowsNothingWhereThereIsNothing) {
    Document empty = document_of(0);
    empty.text.clear();
    const Staged staged(empty);
    for (const Stop& stop : staged.timeline().stops) {
        const Scene scene = staged.at(stop, 1);
        EXPECT_TRUE(scene.matrices.empty());
        EXPECT_EQ(pick(scene, kArea.center()), std::nullopt);
    }
}

}  // namespace
