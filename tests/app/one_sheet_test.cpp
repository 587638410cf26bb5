// Scores stay in place until they are weights; softmax is shown as bars that end as one column of height 1; what is kept from
// step to step moves; a story ends on its words with their arcs. Layouts as data, no pixels.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/content/number_text.h"
#include "app/frame/view.h"
#include "core/analysis/prediction.h"
#include "core/analysis/telling.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "tests/app/anim_stage_support.h"

namespace {

using namespace app;
using namespace staged;
using attn::Op;
using attn::Role;
using attn::StepId;

StageInput input(const Staged& staged, const Stop& stop, double progress) {
    const Theme& theme = theme_named("light");
    StageStyle style = at_the_desk(theme, Type::Number);
    const StageStyle small = at_the_desk(theme, Type::NumberSmall);
    style.small_figure = small.figure;
    style.small_digit = small.digit;
    StageInput in = staged.input(stop, progress, picture({1440, 900}, theme), style, Language::English);
    in.measure = [&theme](std::string_view text, Type type) { return width_in(theme, text, type); };
    const auto pair = attn::telling_pair(staged.trace(), stop.step);
    in.explained = pair ? attn::telling_cell(staged.trace(), stop.step, *pair) : attn::Cell{stop.step, 0, 0};
    in.folding = folding_for(in);
    return in;
}

class OneSheet : public ::testing::TestWithParam<int> {
protected:
    static attn::Document document(std::string_view form, int n, std::string_view mask) {
        attn::Document doc = document_of(n, mask);
        attn::choose_form(doc, form);
        return doc;
    }
    Scene scene(const StageInput& in) const {
        Scene out;
        lay_out(in, out);
        return out;
    }
    static const Stop* stop_with(const Staged& staged, Role role) {
        for (const Stop& stop : staged.timeline().stops)
            if (staged.trace()[stop.step].tag.role == role) return &stop;
        return nullptr;
    }
};

TEST_P(OneSheet, ScoresBecomeWeightsInPlace) {
    int in_place = 0;
    for (const std::string_view form : {"multi_head", "sliced_input", "encoder", "raw"})
        for (const std::string_view mask : {"none", "causal"}) {
            const Staged staged(document(form, GetParam(), mask));
            const Stop* scores = stop_with(staged, Role::Scores);
            ASSERT_TRUE(scores) << form;
            const Scene made = scene(input(staged, *scores, 1));
            const MatrixSprite* sheet = shown(made, scores->step);
            ASSERT_TRUE(sheet);
            for (const Stop& stop : staged.timeline().stops) {
                const attn::Step& step = staged.trace()[stop.step];
                if (step.op != Op::Scale && step.op != Op::Mask && step.op != Op::Softmax) continue;
                if (step.value.cols() != step.value.rows() || stop.reverse) continue;
                for (const double progress : {0.0, 0.5, 1.0}) {
                    const Scene now = scene(input(staged, stop, progress));
                    for (const MatrixSprite& m : now.matrices) EXPECT_EQ(m.grid, sheet->grid) << form << " " << attn::step_name(step.tag) << " at " << progress;
                }
                ++in_place;
            }
        }
    EXPECT_GE(in_place, 8);
}

TEST_P(OneSheet, TheColumnOfHeightOneConsistsOfTheShares) {
    const Staged staged(document("multi_head", GetParam(), "causal"));
    const Stop* softmax = stop_with(staged, Role::Weights);
    ASSERT_TRUE(softmax);
    const StageInput in = input(staged, *softmax, 1);
    const Scene done = scene(in);
    const attn::Matrix& weights = staged.trace()[softmax->step].value;
    const int row = in.explained->row;
    const MatrixSprite* sheet = shown(done, softmax->step);
    ASSERT_TRUE(sheet);
    // The column is left of the cells and above them; the bars are over the cells.
    float total = 0;
    std::vector<Rect> column, bars;
    for (const BandSprite& bar : done.bars) {
        if (bar.hue != Hue::Score || bar.rect.bottom() > sheet->grid.origin.y) continue;
        (bar.rect.right() < sheet->grid.origin.x ? column : bars).push_back(bar.rect);
    }
    int allowed = 0;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) allowed += weights(row, j) > 0 ? 1 : 0;
    ASSERT_EQ(static_cast<int>(column.size()), allowed);
    ASSERT_EQ(static_cast<int>(bars.size()), allowed);
    for (const Rect& part : column) total += part.h;
    std::size_t at = 0;
    float below = 0;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
        const float share = weights(row, j);
        if (share <= 0) continue;
        EXPECT_NEAR(column[at].h / total, share, 1e-4);
        EXPECT_NEAR(column[0].bottom() - column[at].bottom(), below, 0.05f) << "they stand on each other";
        EXPECT_NEAR(bars[at].h, std::max(2.0f, share * total), 0.05f);
        EXPECT_NEAR(bars[at].center().x, sheet->grid.at(row, static_cast<int>(j)).center().x, 0.05f);
        below += column[at].h;
        ++at;
    }
}

TEST_P(OneSheet, TheBarsStayInsideTheStage) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    const Stop* softmax = stop_with(staged, Role::Weights);
    ASSERT_TRUE(softmax);
    for (double progress = 0; progress <= 1; progress += 0.04) {
        const StageInput in = input(staged, *softmax, progress);
        const Scene now = scene(in);
        const Rect inside = in.area.inset(-1);
        const auto is_inside = [&](const Rect& r) { return r.x >= inside.x && r.y >= inside.y && r.right() <= inside.right() && r.bottom() <= inside.bottom(); };
        for (const BandSprite& bar : now.bars) EXPECT_TRUE(is_inside(bar.rect)) << progress;
        for (const CellSprite& cell : now.cells) EXPECT_TRUE(is_inside(cell.rect)) << progress;
        for (const PathSprite& path : now.paths)
            for (const Point& point : path.points) EXPECT_TRUE(inside.contains(point)) << progress;
    }
}

TEST_P(OneSheet, WeightsMoveBesideTheValues) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    const Stop *softmax = stop_with(staged, Role::Weights), *mixed = stop_with(staged, Role::HeadOutput);
    ASSERT_TRUE(softmax && mixed);
    const Scene before = scene(input(staged, *softmax, 1)), after = scene(input(staged, *mixed, 0));
    const auto place = [&](const Scene& in_scene) {
        const auto at = std::find_if(in_scene.matrices.begin(), in_scene.matrices.end(), [&](const MatrixSprite& m) { return m.step == softmax->step; });
        EXPECT_NE(at, in_scene.matrices.end());
        return at->grid;
    };
    const Grid from = place(before), to = place(after);
    for (const float share : {0.0f, 0.25f, 1.0f}) {
        Scene now = after;
        come_from(before, share, now);
        EXPECT_NEAR(place(now).origin.x, from.origin.x + (to.origin.x - from.origin.x) * share, 0.01f);
        EXPECT_NEAR(place(now).cell, from.cell + (to.cell - from.cell) * share, 0.01f);
    }
    // After the motion the picture is the step's own.
    Scene there = after;
    come_from(before, 1, there);
    ASSERT_EQ(there.matrices.size(), after.matrices.size());
    ASSERT_EQ(there.labels.size(), after.labels.size());
    for (std::size_t i = 0; i < after.labels.size(); ++i) EXPECT_EQ(there.labels[i].alpha, after.labels[i].alpha);
}

/// Old numbers disappear before new ones appear: they never overlap.
TEST_P(OneSheet, OldNumbersDisappearBeforeNewOnesAppear) {
    int seen = 0;
    for (const std::string_view form : {"multi_head", "raw", "encoder"}) {
        const Staged staged(document(form, GetParam(), "none"));
        const auto& stops = staged.timeline().stops;
        for (std::size_t i = 1; i < stops.size(); ++i)
            for (const float share : {0.1f, 0.4f, 0.5f, 0.6f, 0.9f}) {
                const Scene before = scene(input(staged, stops[i - 1], 1));
                Scene now = scene(input(staged, stops[i], 0));
                come_from(before, share, now);
                for (std::size_t a = 0; a < now.matrices.size(); ++a)
                    for (std::size_t z = a + 1; z < now.matrices.size(); ++z) {
                        const MatrixSprite &one = now.matrices[a], &two = now.matrices[z];
                        const auto is_in = [](const Scene& all, StepId id) { return std::any_of(all.matrices.begin(), all.matrices.end(), [id](const MatrixSprite& m) { return m.step == id; }); };
                        if (!one.numbers || !two.numbers || !one.grid.area().overlaps(two.grid.area()) || one.step == two.step) continue;
                        const bool one_new = !is_in(before, one.step), two_new = !is_in(before, two.step);
                        if (one_new == two_new) continue;
                        const MatrixSprite &fresh = one_new ? one : two, &old = one_new ? two : one;
                        if (is_in(scene(input(staged, stops[i], 0)), old.step)) continue;  // it stays, because the new one is computed from it
                        ++seen;
                        EXPECT_LE(std::min(fresh.alpha, old.alpha), 0.01f) << form << " at " << share;
                    }
            }
    }
    EXPECT_GT(seen, 0);
}

/// No legend overlaps a matrix while it is transposed.
TEST_P(OneSheet, NoLegendIsShownDuringATransposition) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    int turned = 0;
    for (const Stop& stop : staged.timeline().stops) {
        if (staged.trace()[stop.step].op != Op::Transpose) continue;
        ++turned;
        for (const double progress : {0.0, 0.3, 0.5, 0.8}) EXPECT_TRUE(scene(input(staged, stop, progress)).legends.empty()) << progress;
    }
    EXPECT_GT(turned, 0);
}

/// The range in the legend of a scaled row is that of the numbers shown there.
TEST_P(OneSheet, TheLegendOfAScaledRowMatchesItsNumbers) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    const Stop* scaled = stop_with(staged, Role::Scaled);
    ASSERT_TRUE(scaled);
    int legends = 0;
    for (const double progress : {0.1, 0.49, 0.51, 1.0}) {
        const StageInput in = input(staged, *scaled, progress);
        const Scene now = scene(in);
        const auto shown_now = std::find_if(now.matrices.rbegin(), now.matrices.rend(), [](const MatrixSprite& m) { return m.numbers && m.alpha > 0; });
        ASSERT_NE(shown_now, now.matrices.rend());
        const attn::RowVector row = staged.trace()[shown_now->step].value.one_row(in.explained->row);
        for (const LegendSprite& legend : now.legends) {
            ++legends;
            EXPECT_NEAR(std::max(std::abs(legend.scale.low), std::abs(legend.scale.high)), row.cwiseAbs().maxCoeff(), 1e-4f) << progress;
        }
    }
    EXPECT_TRUE(legends > 0 || GetParam() > 5);
}

/// The word of each value is written beside the values, without narrowing the cells.
TEST_P(OneSheet, ValuesHaveTheirWords) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    const Stop* mixed = stop_with(staged, Role::HeadOutput);
    ASSERT_TRUE(mixed);
    const StageInput in = input(staged, *mixed, 1);
    const Scene shown = scene(in);
    const StepId values = staged.trace()[mixed->step].inputs[1];
    const auto of_values = std::find_if(shown.matrices.begin(), shown.matrices.end(), [&](const MatrixSprite& m) { return m.step == values; });
    ASSERT_NE(of_values, shown.matrices.end());
    float widest = 0;
    for (int i = 0; i < of_values->grid.rows; ++i)
        widest = std::max(widest, in.measure(in.labels.of(staged.trace()[values].rows, i), Type::SmallStrong));
    const float beside = 112 * in.style.scale;  // the caption, and what is placed separately
    if (GetParam() > 5 && in.area.right() - of_values->grid.area().right() < widest + beside) return;
    int named = 0;
    for (int i = 0; i < of_values->grid.rows; ++i) {
        if (!of_values->grid.row_fold.shows(i) || of_values->grid.row(i).h < in.style.label) continue;
        const Rect row = of_values->grid.row(i);
        const auto name = std::find_if(shown.labels.begin(), shown.labels.end(), [&](const LabelSprite& l) {
            return l.text == in.labels.of(staged.trace()[values].rows, i) && l.at.x > row.right() && l.at.y > row.y && l.at.y < row.bottom();
        });
        ASSERT_NE(name, shown.labels.end()) << i;
        EXPECT_LE(name->at.x + in.measure(name->text, name->type), in.area.right());
        for (const CaptionSprite& caption : shown.captions)
            EXPECT_FALSE(caption.step == values && caption.at.x < name->at.x + in.measure(name->text, name->type)) << "the caption stands right of the names";
        ++named;
    }
    EXPECT_GE(named, 1);
}

/// The word is also beside the weights, where no number loses its place, so that nobody needs to count which number belongs
/// to which word.
TEST_P(OneSheet, WeightsHaveTheWordsOfTheValues) {
    for (const bool columns : {false, true}) {
        SCOPED_TRACE(columns);
        const Staged rows(document("multi_head", GetParam(), "none"));
        const Staged staged = columns ? rows.in_columns() : rows;
        const Stop* mixed = stop_with(staged, Role::HeadOutput);
        ASSERT_TRUE(mixed);
        const StageInput in = input(staged, *mixed, 1);
        const Scene shown = scene(in);
        const StepId weights = staged.trace()[mixed->step].inputs[0];
        const auto found = std::find_if(shown.matrices.begin(), shown.matrices.end(), [&](const MatrixSprite& m) { return m.step == weights; });
        ASSERT_NE(found, shown.matrices.end());
        const Grid& grid = found->grid;
        int named = 0, standing = 0;
        for (int j = 0; j < grid.cols; ++j) {
            if (!grid.col_fold.shows(j)) continue;
            ++standing;
            const Rect col = grid.col(j);
            for (const LabelSprite& l : shown.labels) {
                if (l.text != in.labels.of(staged.trace()[weights].cols, j)) continue;
                const float wide = in.measure(l.text, l.type);
                const Rect at = columns ? Rect{l.at.x - wide, l.at.y - in.style.label * 0.7f, wide, in.style.label * 0.7f}
                                        : Rect{l.slanted ? l.at.x : l.at.x - wide / 2, l.at.y - in.style.label * 0.7f, l.slanted ? 1 : wide, in.style.label * 0.7f};
                const bool here = columns ? l.at.x <= grid.area().x && l.at.y > col.y && l.at.y < col.bottom() : l.at.y <= grid.area().y && at.center().x > col.x && at.center().x < col.right();
                if (!here) continue;
                ++named;
                for (const CardSprite& card : shown.cards) EXPECT_FALSE(card.rect.overlaps(at)) << l.text;
                for (const MatrixSprite& m : shown.matrices) EXPECT_FALSE(m.grid.area().overlaps(at)) << l.text;
            }
        }
        EXPECT_TRUE(named == standing || (named == 0 && GetParam() > 9)) << named << " of " << standing;
    }
}

TEST_P(OneSheet, AStoryEndsOnArcsAsThickAsTheWeights) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    const StoryEnd end = story_end(staged.trace(), labels_of(staged.trace(), Language::English), 0);
    const StepId weights = end.weights;
    ASSERT_NE(weights, attn::kNoStep);
    const Stop& last = staged.timeline().stops.back();
    const attn::Matrix& shares = staged.trace()[weights].value;
    for (const Size window : {Size{1440, 900}, Size{1024, 768}}) {
        StageInput in = input(staged, last, 1);
        in.area = picture(window, theme_named("light"));
        for (int query = 0; query < shares.rows(); ++query) {
            Scene arcs;
            lay_out_arcs(in, end, weights, query, false, arcs);
            ASSERT_EQ(static_cast<Eigen::Index>(arcs.cards.size()), shares.cols());
            for (std::size_t i = 0; i + 1 < arcs.cards.size(); ++i) EXPECT_LE(arcs.cards[i].rect.right(), arcs.cards[i + 1].rect.x);
            EXPECT_GE(arcs.cards.front().rect.x, in.area.x);
            EXPECT_LE(arcs.cards.back().rect.right(), in.area.right() + 0.5f);
            std::size_t arc = 0;
            for (Eigen::Index key = 0; key < shares.cols(); ++key) {
                if (shares(query, key) < 0.005f) continue;
                ASSERT_LT(arc, arcs.paths.size());
                // A weight on the word itself is a loop.
                const auto& points = arcs.paths[arc].points;
                EXPECT_NEAR(key == query ? (points.front().x + points.back().x) / 2 : points.back().x, arcs.cards[static_cast<std::size_t>(key)].rect.center().x, 0.5f);
                const float thinnest = 1.5f * in.style.scale;
                EXPECT_NEAR((arcs.paths[arc].width - thinnest) / (40 * in.style.scale), shares(query, key), 1e-4f);
                for (const Point& p : arcs.paths[arc].points) EXPECT_GE(p.y, in.area.y);
                ++arc;
            }
            EXPECT_EQ(arc, arcs.paths.size());
        }
    }
}

/// Texts on one line are at least five pixels apart, at every width: numbers that touch read as one number.
void expect_labels_apart(const Scene& scene, const StageInput& in) {
    for (std::size_t i = 0; i < scene.labels.size(); ++i)
        for (std::size_t k = i + 1; k < scene.labels.size(); ++k) {
            const LabelSprite &a = scene.labels[i], &b = scene.labels[k];
            if (std::abs(a.at.y - b.at.y) > 1) continue;
            const auto half = [&](const LabelSprite& l) { return std::min(in.measure(l.text, l.type), l.fit > 0 ? l.fit : 1e9f) / 2; };
            EXPECT_GE(std::abs(a.at.x - b.at.x), half(a) + half(b) + 5) << a.text << " and " << b.text << " in " << in.area.w;
        }
}

TEST_P(OneSheet, FiguresUnderTheWordsAreApart) {
    const Staged staged(document("multi_head", GetParam(), "none"));
    const StoryEnd end = story_end(staged.trace(), labels_of(staged.trace(), Language::English), 0);
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("translation"));
    doc.text = "fr hier la petite fille a vu un chat noir dans le jardin";
    doc.source = "yesterday the small girl saw a black cat in the garden .";
    const Staged two(doc);
    const StoryEnd across = story_end(two.trace(), labels_of(two.trace(), Language::English), 0);
    ASSERT_TRUE(across.across);
    for (const float wide : {1200.0f, 900.0f, 760.0f, 700.0f}) {
        for (const bool both : {false, true}) {
            const Staged& of = both ? two : staged;
            StageInput in = input(of, of.timeline().stops.back(), 1);
            in.area = {40, 80, wide, 600};
            const StoryEnd& arch = both ? across : end;
            const attn::Cell row = both ? across.across->cell(of.trace(), across.across->rows() / 2, 0) : attn::Cell{end.weights, 2, 0};
            Scene scene;
            lay_out_arcs(in, arch, row.step, row.row, false, scene);
            Scene figures;
            for (const LabelSprite& l : scene.labels)
                if (l.type != Type::BodyStrong && l.type != Type::TitleStrong && l.type != Type::SmallStrong) figures.labels.push_back(l);
            EXPECT_GE(figures.labels.size(), 5u);
            expect_labels_apart(figures, in);
        }
    }
}

/// Of a few words the cards grow apart, and never beyond the stage.
TEST(StoryEnd, OfAShortTextTakesItsShareOfTheStage) {
    attn::Document doc = document_of(3, "none");
    attn::choose_form(doc, "multi_head");
    const Staged staged(doc);
    const StoryEnd end = story_end(staged.trace(), labels_of(staged.trace(), Language::English), 0);
    for (const Size window : {Size{1440, 900}, Size{1280, 800}, Size{1024, 768}}) {
        StageInput in = input(staged, staged.timeline().stops.back(), 1);
        in.area = picture(window, theme_named("light"));
        Scene arcs;
        lay_out_arcs(in, end, end.weights, 1, false, arcs);
        ASSERT_EQ(arcs.cards.size(), 3u);
        const float wide = arcs.cards.back().rect.right() - arcs.cards.front().rect.x;
        EXPECT_GE(wide, 0.2f * in.area.w) << window.w;
        EXPECT_LE(wide, 0.65f * in.area.w) << window.w;
        for (const PathSprite& path : arcs.paths)
            for (const Point& p : path.points) EXPECT_GE(p.y, in.area.y);
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, OneSheet, ::testing::Values(5, 9, 12));

/// If the text continues: after its last word there is a free place with the likeliest word, and a list of five words with
/// their shares.
TEST(StoryEnd, OfAGeneratedTextShowsTheNextWords) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("language"));
    doc.text = "the Lord said unto the";
    const Staged staged(doc);
    const StoryEnd end = story_end(staged.trace(), labels_of(staged.trace(), Language::English), 0);
    const StepId weights = end.weights, shares = ends_before(staged.trace(), weights);
    ASSERT_NE(shares, attn::kNoStep);
    const int last = static_cast<int>(staged.trace().tokens.size()) - 1;
    const auto likely = attn::likeliest(staged.trace(), shares, last, 5);
    for (const Size window : {Size{1440, 900}, Size{1024, 768}}) {
        StageInput in = input(staged, staged.timeline().stops.back(), 1);
        in.area = picture(window, theme_named("light"));
        Scene scene;
        lay_out_arcs(in, end, weights, last, true, scene);
        EXPECT_EQ(scene.cards.size(), staged.trace().tokens.size());
        ASSERT_EQ(scene.bands.size(), 1u);
        EXPECT_TRUE(scene.bands[0].dashed);
        EXPECT_GE(scene.bands[0].rect.x, scene.cards.back().rect.right());
        EXPECT_LE(scene.bands[0].rect.right(), in.area.right() + 0.5f);
        ASSERT_EQ(scene.bars.size(), likely.size());
        for (std::size_t i = 0; i < likely.size(); ++i) {
            EXPECT_NEAR(scene.bars[i].rect.w / scene.bars[0].rect.w, likely[i].probability / likely[0].probability, 1e-3f);
            EXPECT_LE(scene.bars[i].rect.bottom(), in.area.bottom());
            const auto says = [&](const std::string& text) { return std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) { return l.text == text; }); };
            EXPECT_TRUE(says(likely[i].text) && says(weight_text(static_cast<double>(likely[i].probability)))) << likely[i].text;
        }
    }
}

/// Both texts, with a line for each visible weight, as thick as the weight; numbers for the row in focus.
TEST(StoryEnd, OfTwoTextsShowsBoth) {
    for (const std::string_view model : {"translation", "alignment"}) {
        attn::Document doc;
        attn::take_model(doc, attn::shipped_model(model));
        const Staged staged(doc);
        const StoryEnd end = story_end(staged.trace(), labels_of(staged.trace(), Language::English), 0);
        const auto& map = end.across;
        ASSERT_TRUE(map) << model;
        EXPECT_EQ(std::ssize(end.written), map->rows()) << model;
        StageInput in = input(staged, staged.timeline().stops.back(), 1);
        in.area = picture({1280, 800}, theme_named("light"));
        for (int r = 0; r < map->rows(); ++r) {
            const attn::Cell row = map->cell(staged.trace(), r, 0);
            Scene scene;
            lay_out_arcs(in, end, row.step, row.row, false, scene);
            EXPECT_EQ(scene.cards.size(), static_cast<std::size_t>(map->rows() + map->cols)) << model;
            std::size_t seen = 0;
            for (int q = 0; q < map->rows(); ++q)
                for (int k = 0; k < map->cols; ++k) {
                    const attn::Cell cell = map->cell(staged.trace(), q, k);
                    seen += staged.trace()[cell.step].value(cell.row, cell.col) >= 0.005f ? 1 : 0;
                }
            EXPECT_EQ(scene.paths.size(), seen) << model;
            for (const CardSprite& card : scene.cards) {
                EXPECT_GE(card.rect.y, in.area.y);
                EXPECT_LE(card.rect.bottom(), in.area.bottom());
            }
            const auto lit = std::count_if(scene.labels.begin(), scene.labels.end(), [](const LabelSprite& l) { return l.type == Type::NumberStrong; });
            EXPECT_EQ(lit, 1) << model;
        }
    }
}

TEST(StoryEnd, ExistsIfWordsAttendToWords) {
    const auto ends = [](std::string_view form) {
        attn::Document doc = document_of(5, "none");
        attn::choose_form(doc, form);
        return ends_on(Staged(doc).trace(), 0) != attn::kNoStep;
    };
    EXPECT_TRUE(ends("raw"));
    EXPECT_TRUE(ends("encoder"));
    EXPECT_FALSE(ends("cross")) << "words ask another text";
    EXPECT_FALSE(ends("linear")) << "no weights are held";
    EXPECT_FALSE(ends("generate")) << "it tells a word itself";
}

}  // namespace
