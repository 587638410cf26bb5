// Numbers are dropped last: at every window size, on every step of every form, with texts of five to twelve tokens, the row,
// the column and the number in focus are legible. Layouts as data, no pixels.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/frame/caption_paint.h"
#include "app/frame/view.h"
#include "core/analysis/telling.h"
#include "core/attention/forms/attention.h"
#include "core/document/fields.h"
#include "tests/app/anim_stage_support.h"

namespace {

using namespace app;
using namespace staged;
using attn::Cell;
using attn::Op;
using attn::Role;
using attn::StepId;

constexpr Size kWindows[] = {{1440, 900}, {1280, 800}, {1024, 768}};
constexpr float kSmallest = 13;        // pixels of a number's em
constexpr float kSlack = 1;

attn::Document of_form(std::string_view form, int n) {
    attn::Document doc = document_of(n, "none");
    attn::choose_form(doc, form);
    return doc;
}

class FiguresLast : public ::testing::TestWithParam<std::string> {
protected:
    StageInput input_of(const Staged& staged, const Stop& stop, double progress, Size window, const Theme& theme, Language language) {
        StageStyle style = at_the_desk(theme, Type::Number);
        // In the projector theme type is nearly twice as large: its small size is larger than any other theme's.
        if (theme.em(Type::NumberSmall) >= kSmallest) {
            const StageStyle small = at_the_desk(theme, Type::NumberSmall);
            style.small_figure = small.figure;
            style.small_digit = small.digit;
        }
        StageInput in = staged.input(stop, progress, picture(window, theme), style, language);
        in.measure = [&theme](std::string_view text, Type type) { return width_in(theme, text, type); };
        const auto pair = attn::telling_pair(staged.trace(), stop.step);
        in.explained = pair ? attn::telling_cell(staged.trace(), stop.step, *pair) : Cell{stop.step, 0, 0};
        in.folding = folding_for(in);
        if (in.folding && in.folding->small) {
            in.style.figure = style.small_figure;
            in.style.digit = style.small_digit;
        }
        return in;
    }

    /// `short_enough`: numbers in the row in focus may have one decimal less.
    static bool can_be_read(const StageInput& in, const MatrixSprite& m, int row, int col, bool short_enough = false) {
        const Rect cell = m.grid.at(row, col);
        const float value = in.trace[m.step].value(m.first_row + row, m.first_col + col);
        const auto fits = [&](std::string_view figure) {
            const auto digits = std::count_if(figure.begin(), figure.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
            return cell.w >= in.style.digit * static_cast<float>(digits);
        };
        return cell.h >= in.style.figure && (short_enough ? !short_row_text(value, fits).empty() : fits(number_text(value)));
    }

    /// Every cell of its row, or of its column, that has not folded.
    static void expect_line(const StageInput& in, const Scene& scene, StepId id, bool of_row, int at, bool may_be_thin) {
        const auto found = std::find_if(scene.matrices.rbegin(), scene.matrices.rend(), [id](const MatrixSprite& m) { return m.step == id; });
        if (found == scene.matrices.rend()) return;
        const MatrixSprite& m = *found;
        at -= of_row ? m.first_row : 0;
        const int count = of_row ? m.grid.cols : m.grid.rows;
        int read = 0;
        for (int i = 0; i < count; ++i) {
            const int row = of_row ? at : i, col = of_row ? i : at;
            if (!m.grid.shows(row, col)) continue;
            const bool thin = (m.grid.col_fold.thins() && col != m.grid.col_fold.lens) || (m.grid.row_fold.thins() && row != m.grid.row_fold.lens);
            ++read;
            EXPECT_TRUE(can_be_read(in, m, row, col, thin && may_be_thin)) << (of_row ? "row " : "column ") << at << ", " << i << " of " << attn::step_name(in.trace[id].tag);
        }
        EXPECT_GT(read, 0);
    }

    static void expect_figures(const StageInput& in, const Scene& scene) {
        const attn::Step& step = in.trace[in.pose.step];
        EXPECT_GE(in.style.figure, kSmallest);
        const bool product = step.op == Op::MatMul && !(in.folding && in.folding->alone);
        // All of the row in focus: no number of it is dropped in favour of others (raw scores of nine words once lost one of
        // nine).
        expect_line(in, scene, in.pose.step, true, in.explained->row, product);
        if (!product) return;
        expect_line(in, scene, step.inputs[0], true, in.explained->row, false);
        expect_line(in, scene, step.inputs[1], false, in.explained->col, false);
        const MatrixSprite* result = shown(scene, in.pose.step);
        ASSERT_TRUE(result);
        ASSERT_TRUE(result->grid.shows(in.explained->row - result->first_row, in.explained->col));
        EXPECT_TRUE(can_be_read(in, *result, in.explained->row - result->first_row, in.explained->col));
    }

    static Rect rect_of(const StageInput& in, const LabelSprite& l) {
        float w = in.measure(l.text, l.type);
        if (l.fit > 0) w = std::min(w, l.fit);
        const float em = in.style.label;
        const float x = l.align == Align::Left ? l.at.x : l.align == Align::Right ? l.at.x - w : l.at.x - w / 2;
        return {x, l.at.y - em * 0.72f, w, em * 0.76f};
    }

    /// Words are inside the area, none overlaps another or a number, and the card of terms overlaps nothing.
    static void expect_room(const StageInput& in, const Scene& scene) {
        const Rect area = in.area.inset(-kSlack - in.style.gap);
        const auto inside = [&](const Rect& r) { return r.x >= area.x && r.y >= area.y && r.right() <= area.right() && r.bottom() <= area.bottom(); };
        for (const MatrixSprite& m : scene.matrices) EXPECT_TRUE(inside(m.grid.area())) << attn::step_name(in.trace[m.step].tag);
        for (const CardSprite& c : scene.cards)
            for (const MatrixSprite& m : scene.matrices) EXPECT_FALSE(c.rect.inset(kSlack).overlaps(m.grid.area())) << attn::step_name(in.trace[m.step].tag);
        std::vector<std::pair<Rect, std::string>> words;
        for (const LabelSprite& l : scene.labels)
            if (!l.slanted && l.alpha > 0.5f && !l.text.empty()) words.emplace_back(rect_of(in, l), l.text);
        for (std::size_t i = 0; i < words.size(); ++i) {
            for (std::size_t j = i + 1; j < words.size(); ++j)
                EXPECT_FALSE(words[i].first.inset(kSlack).overlaps(words[j].first)) << words[i].second << " on " << words[j].second;
            for (const MatrixSprite& m : scene.matrices)
                EXPECT_FALSE(words[i].first.inset(kSlack).overlaps(m.grid.area())) << words[i].second << " on " << attn::step_name(in.trace[m.step].tag);
        }
    }

    /// The sum below the terms is the cell's number.
    static void expect_sum(const StageInput& in, const Scene& scene) {
        if (in.trace[in.pose.step].op != Op::MatMul || scene.cards.empty()) return;
        const auto sum = std::find_if(scene.labels.begin(), scene.labels.end(), [](const LabelSprite& l) { return l.type == Type::NumberStrong; });
        ASSERT_NE(sum, scene.labels.end());
        const float value = in.trace[in.pose.step].value(in.explained->row, in.explained->col);
        const bool same = sum->text.ends_with(number_text(value)) || sum->text == number_text(value, 3);
        EXPECT_TRUE(same) << sum->text << " for " << value;
    }

    void check(const Staged& staged, int n, Size window, const Theme& theme, Language language) {
        // Of a long walk each combination tests some of the stops: the next one continues with the next.
        constexpr std::size_t kShortWalk = 24;
        const auto& stops = staged.timeline().stops;
        const std::size_t stride = 1 + stops.size() / kShortWalk;
        for (std::size_t i = static_cast<std::size_t>(turn_) % stride; i < stops.size(); i += stride)
            for (const double progress : {0.4, 1.0}) {
                const Stop& stop = stops[i];
                const StageInput in = input_of(staged, stop, progress, window, theme, language);
                if (is_map(in) || in.trace[stop.step].value.size() == 0) continue;
                SCOPED_TRACE(fmt::format("{}, {}, {}x{}, {}, {}, at {}", GetParam(), where(staged, stop, n), window.w, window.h, theme.id,
                                         language_id(language), progress));
                Scene scene;
                lay_out(in, scene);
                ++pictures_;
                if (progress < 1) {
                    for (const MatrixSprite& m : scene.matrices) EXPECT_GT(m.grid.cell, 0);
                    continue;
                }
                expect_figures(in, scene);
                expect_room(in, scene);
                expect_sum(in, scene);
            }
    }

    int pictures_ = 0, turn_ = 0;
};

TEST_P(FiguresLast, OfEveryStepAreLegible) {
    // Every form with every size; of lengths, themes and languages each form has some.
    for (const int n : {5, 9, 12}) {
        const Staged staged(of_form(GetParam(), n));
        for (const Size window : kWindows)
            for (const Theme& theme : themes()) {
                const Language language = ++turn_ % 2 ? Language::English : Language::Chinese;
                check(staged, n, window, theme, language);
                if (HasFailure()) return;
            }
    }
    EXPECT_GT(pictures_, 0);
}

std::vector<std::string> form_ids() {
    std::vector<std::string> all;
    for (const attn::Form& form : attn::forms())
        if (form.id != "from_file") all.emplace_back(form.id);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Forms, FiguresLast, ::testing::ValuesIn(form_ids()), [](const auto& row) { return row.param; });

/// The highlight moves through visible numbers only, never through folded ones, and wide cells follow it.
TEST(LitCells, IsNeverInTheFold) {
    const Theme& theme = theme_named("projector");
    int looked = 0, folded = 0;
    for (const std::string_view form : {"multi_head", "encoder", "cross", "raw"})
        for (const int n : {9, 12}) {
            const Staged staged(of_form(form, n));
            for (const Stop& stop : staged.timeline().stops) {
                if (staged.trace()[stop.step].op != Op::MatMul || staged.trace()[stop.step].value.size() == 0) continue;
                for (double progress = 0; progress <= 1; progress += 0.05) {
                    StageInput in = staged.input(stop, progress, picture({1024, 768}, theme), at_the_desk(theme, Type::Number), Language::English);
                    in.measure = [&theme](std::string_view text, Type type) { return width_in(theme, text, type); };
                    const auto pair = attn::telling_pair(staged.trace(), stop.step);
                    in.explained = pair ? attn::telling_cell(staged.trace(), stop.step, *pair) : Cell{stop.step, 0, 0};
                    in.folding = folding_for(in);
                    Scene scene;
                    lay_out(in, scene);
                    SCOPED_TRACE(fmt::format("{}, {} at {}", form, where(staged, stop, n), progress));
                    const auto lit = std::find_if(scene.matrices.rbegin(), scene.matrices.rend(), [&](const MatrixSprite& m) { return m.step == stop.step && m.ring; });
                    if (lit == scene.matrices.rend()) continue;
                    ++looked;
                    folded += lit->grid.col_fold.on() ? 1 : 0;
                    EXPECT_TRUE(lit->grid.shows(lit->ring->row - lit->first_row, lit->ring->col));
                    const Fold& columns = lit->grid.transposed ? lit->grid.row_fold : lit->grid.col_fold;
                    if (!columns.thins()) continue;
                    EXPECT_EQ(columns.lens, lit->grid.transposed ? lit->ring->row - lit->first_row : lit->ring->col);
                }
            }
        }
    EXPECT_GT(looked, 0);
    EXPECT_GT(folded, 0);
}

TEST(OmittedParts, HasOneOrder) {
    const auto never = [](Omitted) { return false; };
    EXPECT_FALSE(omit_until_it_fits({}, Omittable::Slots, never));
    for (int count = 0; count < kOmittable; ++count) {
        const auto omitted = omit_until_it_fits({}, Omittable::Slots, [&](Omitted tried) { return tried.count >= count; });
        ASSERT_TRUE(omitted);
        EXPECT_EQ(omitted->count, count) << "no more than it must";
        for (int what = 0; what < kOmittable; ++what) EXPECT_EQ(omitted->shows(static_cast<Omittable>(what)), what >= count);
    }
}

TEST(OmittedParts, LeavesAllOfItToALargeWindow) {
    const Theme& light = theme_named("light");
    Panels panels;
    panels.yields = true;
    const auto there = [&](Place place, Size size) { return !place_rect(place, {0, 0, size.w, size.h}, light, panels).empty(); };
    EXPECT_TRUE(there(Place::Right, {1920, 1080}));
    EXPECT_TRUE(there(Place::Tokens, {1920, 1080}));
    for (const Size window : kWindows) {
        EXPECT_FALSE(there(Place::Right, window)) << "folded to its handle";
        EXPECT_FALSE(there(Place::Tokens, window));
        EXPECT_TRUE(there(Place::Formula, window));
    }
    panels.inspector_opened = true;
    EXPECT_TRUE(there(Place::Right, kWindows[0])) << "opened by hand";
}

}  // namespace
