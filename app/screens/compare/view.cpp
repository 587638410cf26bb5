// Two runs side by side: the document, and the document with one thing changed or another one; between them the effect
// of the change.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/content/number_text.h"
#include "app/explain/inspection.h"
#include "app/frame/matrix_view.h"
#include "app/frame/nothing.h"
#include "app/screens/compare/parts.h"
#include "app/ui/rich_text.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"

namespace app {
namespace {

/// Smaller differences of outputs are due to another order of summation.
constexpr float kSameOutput = 1e-5f;
/// Short texts fill the screen: their cells grow up to this many times the usual size.
constexpr float kCellOfCompare = 2.2f;

MatrixNames names_of(const AxisLabels& labels, attn::Axis axis) {
    return [&labels, axis](int i) { return labels.of(axis, i); };
}

/// The name of a cell that stands for one of each run: "cat", or "cat/dog".
std::string name_of_both(const std::string& left, const std::string& right) {
    return left == right ? left : left + "/" + right;
}

struct ComparePanels {
    MatrixLook left, difference, right;
    Rect at[3];
    bool stacked = false;  ///< each has its title at the left, and no legend
    bool in_row = false;   ///< side by side
};

/// Both runs' colours span one range, so that they can be compared by eye.
ColorScale shared_scale(const ComparePage& p) {
    const attn::StepId a = p.c.left, b = p.c.right;
    const StepRange &own = p.f.derived.computed->ranges[static_cast<std::size_t>(a)], &other = p.other()->ranges[static_cast<std::size_t>(b)];
    ColorScale scale = color_scale(p.left(), p.f.derived.computed->ranges, a, false);
    const float least = scale.diverging ? 0 : scale.high, most = scale.diverging ? std::numeric_limits<float>::infinity() : 1;
    scale.high = std::max({least, own.shown(), std::min(other.shown(), most)});
    if (scale.diverging) scale.low = -scale.high;
    scale.beyond = scale.high < std::max(own.largest(), std::min(other.largest(), most));
    return scale;
}

/// The cell that differs most, which the sentence below speaks of; none in a large matrix. Where nothing differs, the
/// first row, without a column.
std::optional<Spot> most_different(const attn::Matrix& difference) {
    constexpr Eigen::Index kSearchedAtMost = 900;
    if (difference.size() == 0 || difference.size() > kSearchedAtMost) return std::nullopt;
    Spot at{0, -1};
    float most = 0;
    for (int r = 0; r < static_cast<int>(difference.rows()); ++r)
        for (int c = 0; c < static_cast<int>(difference.cols()); ++c)
            if (const float size = std::abs(difference(r, c)); size > most) {
                most = size;
                at = {r, c};
            }
    return at;
}

void light(MatrixLook& look, int row, int col) {
    look.lit_row = row;
    look.lit_col = col;
}

ComparePanels compare_panels_of(const ComparePage& p) {
    const attn::Step &a = p.left()[p.c.left], &b = p.right()[p.c.right];
    ComparePanels out;
    const ColorScale scale = shared_scale(p);
    const Hue hue = hue_of(a.tag);
    const auto look = [&](const attn::Trace& trace, const attn::Step& step, attn::StepId key, const AxisLabels& labels) {
        MatrixLook made{&step.value.matrix(), key, scale, names_of(labels, step.rows), names_of(labels, step.cols), hue, hue,
                        false,       -1,  -1};
        made.masked_in = masked_behind(trace, step);
        made.largest_cell = kCellOfCompare * p.f.theme.cell_size;
        return made;
    };
    out.left = look(p.left(), a, p.c.left, p.f.derived.labels);
    out.left.found_rows = found_on(p.f, a.rows);
    out.left.found_cols = found_on(p.f, a.cols);
    out.right = look(
        p.right(), b, p.f.derived.same_run ? p.c.right : matrix_key(MatrixOf::OtherRun, p.c.right), p.f.derived.part<ComparisonData>().labels);
    if (p.c.difference.size() == 0) return out;
    out.difference = out.left;
    out.difference.value = p.c.difference.value.get();
    out.difference.owner = p.c.difference.value;
    out.difference.key = matrix_key(MatrixOf::Difference, static_cast<attn::StepId>(p.c.serial));
    out.difference.scale = difference_scale(hue, p.c.difference);
    out.difference.is_signed = true;
    out.difference.masked_in = nullptr;
    return out;
}

/// Highlights the cell under the pointer in all three, without a pointer the one that differs most; in the second run
/// where its token is.
void link_pointers(const ComparePage& p, ComparePanels& panels) {
    std::optional<Spot> at;
    if (p.f.scratch.compare_at) at = Spot{p.f.scratch.compare_at->row, p.f.scratch.compare_at->col};
    else if (panels.difference.value) at = most_different(*panels.difference.value);
    if (!at || at->row >= static_cast<int>(panels.left.value->rows()) ||
        at->col >= static_cast<int>(panels.left.value->cols()))
        return;
    light(panels.left, at->row, at->col);
    if (p.c.can_subtract()) {
        if (panels.difference.value) light(panels.difference, at->row, at->col);
        light(panels.right, p.c.row_place[static_cast<std::size_t>(at->row)],
              at->col < 0 ? -1 : p.c.col_place[static_cast<std::size_t>(at->col)]);
    }
}

void panel_title(const ComparePage& p, Rect panel, std::string_view words, std::string_view shape, Ink ink) {
    const Frame& f = p.f;
    const Rect line{panel.x, panel.y, panel.w, f.px(26)};
    const float shape_w = f.painter().width(shape, Type::NumberSmall) + f.px(10);
    // If there is no room for both, the shape is left out, then the type is smaller.
    const float words_w = f.painter().width(words, Type::BodyStrong), w = words_w + shape_w;
    if (w > panel.w)
        return (void)f.painter().text_fit(
            line, words, {words_w > panel.w ? Type::SmallStrong : Type::BodyStrong, Align::Center}, ink);
    const float x = line.center().x - w / 2;
    f.painter().text_in({x, line.y, w, line.h}, words, {Type::BodyStrong}, ink);
    f.painter().text_in({x, line.y, w, line.h}, shape, {Type::NumberSmall, Align::Right}, Hue::Faint);
}

/// Below each other, each has its title at the left.
constexpr float kTitleShare = 0.18f;
Rect beside_title(Rect area) { return {area.x + area.w * kTitleShare, area.y, area.w * (1 - kTitleShare), area.h}; }

/// The row or column of the first run that corresponds to one of the second; −1: none.
int back_from(const std::vector<int>& place, int index) {
    const auto found = std::find(place.begin(), place.end(), index);
    return found == place.end() ? -1 : static_cast<int>(found - place.begin());
}

bool same_columns(const Frame& f, const MatrixLook& a, const MatrixLook& b) {
    const auto count = [&](const MatrixLook& look) { return static_cast<int>(f.columns() ? look.value->rows() : look.value->cols()); };
    const auto name = [&](const MatrixLook& look, int i) { return f.columns() ? look.rows(i) : look.cols(i); };
    if (count(a) != count(b)) return false;
    for (int i = 0; i < count(a); ++i)
        if (name(a, i) != name(b, i)) return false;
    return true;
}

/// Below each other, a column is in one line in all three: their figures have the same room, and the same columns fold.
/// Names above the first serve all where they are the same; the others then lie closer.
void put_in_line(const ComparePage& p, Rect body, ComparePanels& panels) {
    const Frame& f = p.f;
    std::vector<MatrixLook*> all{&panels.left, &panels.right};
    if (panels.difference.value) all.push_back(&panels.difference);
    int length = 0;
    for (const MatrixLook* look : all) length = std::max(length, figure_length(f, *look));
    for (MatrixLook* look : all) look->figure_length = length;
    if (!p.c.can_subtract() || panels.left.lit_row < 0) return;
    const auto share = [](const MatrixLook& look, int col) {
        return look.value && look.lit_row >= 0 && col >= 0 ? std::abs((*look.value)(look.lit_row, col)) : 0.0f;
    };
    const std::vector<int>& place = p.c.col_place;
    const auto weight = [=, left = panels.left, right = panels.right, difference = panels.difference](int col) {
        return std::max({share(left, col), share(right, place[static_cast<std::size_t>(col)]), share(difference, col)});
    };
    panels.left.column_weight = panels.difference.column_weight = weight;
    panels.right.column_weight = [weight, place](int col) {
        const int in_left = back_from(place, col);
        return in_left < 0 ? 0.0f : weight(in_left);
    };
    if (!same_columns(f, panels.left, panels.right)) return;
    const float gap = panels.at[1].y - panels.at[0].bottom(), names = names_height(f, beside_title(panels.at[0]), panels.left),
                high = (body.h - names - 2 * gap) / 3;
    panels.difference.names_columns = panels.right.names_columns = false;
    for (int i = 0; i < 3; ++i) panels.at[i] = {body.x, body.y + static_cast<float>(i) * (high + gap), body.w, names + high};
}

/// Three areas in a row; or below each other where the window is narrow, or if only then the figures can be read.
void place_panels(const ComparePage& p, Rect body, ComparePanels& panels) {
    const Frame& f = p.f;
    const MatrixLook& widest = panels.difference.value ? panels.difference : panels.left;
    const float stack_gap = f.px(6), row_gap = f.px(20), third = (body.h - 2 * stack_gap) / 3;
    const Rect in_row{0, 0, (body.w - 2 * row_gap) / 3, body.h - f.px(30) - f.px(48)}, in_stack = beside_title({0, 0, body.w, third});
    panels.stacked = figures_in(f, in_stack, widest) > figures_in(f, in_row, widest);
    const float gap = panels.stacked ? stack_gap : row_gap;
    const bool row = body.w > body.h * 1.1f && !panels.stacked;
    for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<float>(i);
        const float w = (body.w - 2 * gap) / 3, h = (body.h - 2 * gap) / 3;
        panels.at[i] =
            row ? Rect{body.x + k * (w + gap), body.y, w, body.h} : Rect{body.x, body.y + k * (h + gap), body.w, h};
    }
    panels.in_row = row;
    if (panels.stacked) put_in_line(p, body, panels);
}

std::optional<Spot> panel(const ComparePage& p, std::string_view id, Rect area, const MatrixLook& look,
                          std::string_view title, std::string_view shape, Ink ink, bool stacked) {
    const Frame& f = p.f;
    if (stacked) {
        constexpr int kLines = 3;
        const Rect body = beside_title(area);
        const float names = names_height(f, body, look);
        const Rect words{area.x, area.y + names, body.x - area.x - f.px(10), area.h - names};
        const float high = lines_height(f.painter(), words.w, title, Type::BodyStrong, kLines);
        draw_lines(f.painter(), {words.x, words.center().y - high / 2, words.w, high}, title, {Type::BodyStrong}, ink, kLines);
        return draw_matrix(f, id, body, look);
    }
    panel_title(p, area, title, shape, ink);
    const bool large = look.value->size() > Heatmaps::kWholeAtMost;
    const float legend = f.px(large ? 72 : 48);
    const MatrixDrawn drawn =
        draw_matrix_map(f, id, {area.x, area.y + f.px(30), area.w, area.h - f.px(30) - legend}, look);
    const float w = std::min(f.px(180), area.w * 0.7f);
    draw_legend(f, {area.center().x - w / 2, area.bottom() - legend + f.px(16), w, f.px(8)}, look.scale, look.is_signed,
                look.more);
    if (large && id == "left")
        draw_pooling(f, "pooling", {area.x, area.bottom() - f.px(24), area.w, f.px(20)}, drawn.window, Align::Center);
    return drawn.spot;
}

std::string shape_of_left(const ComparePage& p) { return shape_text(p.f, p.left()[p.c.left].value); }
std::string shape_of_right(const ComparePage& p) { return shape_text(p.f, p.right()[p.c.right].value); }

void why_no_difference(const ComparePage& p, Rect area) {
    const std::string words = p.c.can_subtract() ? std::string(p.f.say(Str::computing))
                                             : p.f.say(Str::compare_shapes, {shape_of_left(p), shape_of_right(p)});
    const RichText text = lay_out_rich(words, area.w - p.f.px(24), Type::Body, p.f.theme, p.f.painter().fonts());
    draw_rich(p.f.painter(), text, {area.x + p.f.px(12), area.center().y - text.height() / 2}, Hue::Soft);
}

/// Draws the three, with the cell under the pointer highlighted in all of them.
void draw_panels(const ComparePage& p, Rect body) {
    const Frame& f = p.f;
    ComparePanels panels = compare_panels_of(p);
    link_pointers(p, panels);
    place_panels(p, body, panels);
    const bool stacked = panels.stacked;
    const auto in_left = panel(p, "left", panels.at[0], panels.left, own_run_name(p), shape_of_left(p), Hue::Ink, stacked);
    std::optional<Spot> in_difference;
    if (panels.difference.value)
        in_difference =
            panel(p, "difference", panels.at[1], panels.difference,
                  f.say(p.kind.what == Compares::Order ? Str::compare_difference_back
                        : panels.in_row                ? Str::compare_difference
                                                       : Str::compare_difference_below), "",
                  Hue::Soft, stacked);
    else
        why_no_difference(p, panels.at[1]);
    const auto in_right = panel(p, "right", panels.at[2], panels.right, other_run_name(p), shape_of_right(p), Hue::Ink, stacked);
    const Spot* spot = in_left ? &*in_left : in_difference ? &*in_difference : nullptr;
    f.scratch.compare_at.reset();
    const attn::Tag tag = p.left()[p.c.left].tag;
    if (spot)
        f.scratch.compare_at = CellRef{tag, spot->row, spot->col};
    else if (in_right && p.c.can_subtract())
        if (const int row = back_from(p.c.row_place, in_right->row), col = back_from(p.c.col_place, in_right->col); row >= 0 && col >= 0)
            f.scratch.compare_at = CellRef{tag, row, col};
}

/// The position in the model, so that a picture states it: "weights · block 3 · head 2 · gpt2".
std::string place_said(const ComparePage& p) {
    const Frame& f = p.f;
    const attn::Tag tag = p.left()[p.c.left].tag;
    std::string out = name_of(p.left(), p.c.left, f.view().language);
    if (tag.layer != attn::kNoLayer) out += " · " + f.say(Str::place_block, {f.number(tag.layer)});
    if (tag.head != attn::kNoHead && p.kind.what != Compares::Head) out += " · " + f.say(Str::head_number, {f.number(tag.head)});
    if (p.kind.what == Compares::Model) return out + " · " + own_run_name(p) + " → " + other_run_name(p);
    if (const attn::ModelPtr& model = f.state.document.model)
        out += " · " + attn::visible_text(std::filesystem::path(model->name).filename().string());
    return out;
}

/// The three numbers under the pointer; without a pointer, a summary of the whole.
std::string numbers_said(const ComparePage& p) {
    const Frame& f = p.f;
    const auto& at = f.scratch.compare_at;
    const attn::Step &a = p.left()[p.c.left], &b = p.right()[p.c.right];
    std::string words;
    if (at && p.c.difference.size() > 0 && at->row < static_cast<int>(a.value.rows()) &&
        at->col < static_cast<int>(a.value.cols())) {
        const int row = p.c.row_place[static_cast<std::size_t>(at->row)],
                  col = p.c.col_place[static_cast<std::size_t>(at->col)];
        if (row < 0 || col < 0)
            return f.say(Str::compare_no_counterpart, {f.derived.labels.of(a.rows, at->row), f.derived.labels.of(a.cols, at->col), number_text(a.value(at->row, at->col))});
        words = f.say(Str::compare_numbers,
                      {name_of_both(f.derived.labels.of(a.rows, at->row), f.derived.part<ComparisonData>().labels.of(b.rows, row)),
                       name_of_both(f.derived.labels.of(a.cols, at->col), f.derived.part<ComparisonData>().labels.of(b.cols, col)),
                       number_text(a.value(at->row, at->col)), number_text(b.value(row, col)),
                       signed_text((*p.c.difference.value)(at->row, at->col))});
    } else if (p.kind.what == Compares::Order && p.c.output_largest >= 0) {
        words = p.c.output_largest < kSameOutput
                    ? f.say(Str::compare_permuted,
                            {p.c.output_largest == 0 ? "0" : fmt::format("{:.0e}", p.c.output_largest)})
                    : f.say(Str::compare_not_permuted, {number_text(p.c.output_largest, 3)});
    } else if (p.c.difference.size() > 0) {
        const std::string here = number_text(p.c.difference.largest, 3);
        words = f.say(Str::compare_at, {place_said(p), p.c.output_largest < 0
                                                           ? f.say(Str::compare_largest_here, {here})
                                                           : f.say(Str::compare_largest, {here, number_text(p.c.output_largest, 3)})});
    }
    return words;
}

std::string trouble(const ComparePage& p) {
    if (p.f.derived.error) return p.f.derived.error->text();
    if (p.kind.what == Compares::Model) {
        const ComparisonData& data = p.f.derived.part<ComparisonData>();
        const std::string& folder = p.wanted().model;
        if (folder.empty()) return std::string(p.f.say(Str::compare_type_model));
        if (data.opening) return p.f.say(Str::compare_model_opening, {attn::visible_text(folder)});
        if (data.model_error) return data.model_missing ? p.f.say(Str::compare_model_missing, {attn::visible_text(folder)}) : p.f.say(Str::compare_model_refused, {data.model_error->text()});
    }
    if (p.f.derived.other.error) return p.f.derived.other.error->text();
    if (p.f.derived.other.computing) return computing_words(p.f, p.f.derived.other.share);
    if (p.kind.what == Compares::StoredRun && !has_stored_run(p.wanted())) return std::string(p.f.say(Str::compare_none_kept));
    if (p.kind.what == Compares::Text && p.wanted().text.empty()) return std::string(p.f.say(Str::compare_type_text));
    if (p.left().tokens.empty()) return std::string(p.f.say(Str::no_tokens));
    if (p.has_choices() && p.f.derived.part<ComparisonData>().choice.empty()) return std::string(p.f.say(Str::compare_nothing));
    return std::string(p.f.say(Str::compare_missing));
}

}  // namespace

void draw_compare(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const ComparePage page{f, kind_of(f.view().part<Comparison>(), f.state.document), f.derived.part<ComparisonData>().compared};
    const Rect inner = f.area.inset(f.px(24), f.px(12));
    const float top = draw_compare_choices(page, inner) + f.px(16);
    const bool both = page.is_chosen() && page.other() && page.c.left != attn::kNoStep && page.c.right != attn::kNoStep;
    // While presenting, the figures say what the sentence would.
    const bool has_sentence = !f.view().present.on || !both;
    const float line = !has_sentence ? 0 : std::max(f.px(30), both ? lines_height(f.painter(), inner.w, numbers_said(page), Type::Body) : 0.0f);
    const Rect body{inner.x, top, inner.w, std::max(0.0f, inner.bottom() - line - f.px(8) - top)};
    if (!both || body.empty()) {
        f.scratch.compare_at.reset();
        f.painter().text_fit(body, trouble(page), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    Rect panels = body;
    if (has_changes(page, body)) {
        const float wide = std::min(f.px(280), body.w * 0.26f);
        draw_changes(page, {body.right() - wide, body.y, wide, body.h});
        panels.w -= wide + f.px(20);
    }
    draw_panels(page, panels);
    if (!has_sentence) return;
    draw_lines(f.painter(), {inner.x, inner.bottom() - line, inner.w, line}, numbers_said(page),
               {Type::Body, Align::Center}, f.scratch.compare_at ? Hue::Ink : Hue::Soft);
}

}  // namespace app
