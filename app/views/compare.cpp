// Two runs side by side: the document, and the document with one choice changed; between them what the change did.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/state/reasons.h"
#include "app/ui/rich_text.h"
#include "app/views/matrix_view.h"
#include "app/views/view.h"

namespace app {
namespace {

constexpr std::string_view kShown[] = {"weights", "scores", "output"};
constexpr Str kShownTitles[] = {Str::shown_weights, Str::shown_scores, Str::shown_output};
/// Outputs that differ by less than this are the same numbers added up in another order.
constexpr float kSameOutput = 1e-5f;

struct Page {
    const Frame& f;
    const ComparisonKind& kind;
    const Compared& c;

    const Comparison& wanted() const { return f.view().comparison; }
    const attn::Trace& left() const { return f.trace(); }
    const attn::Trace* right() const { return f.derived.other.trace(); }

    template <class Change>
    void change(Change how) const {
        f.change_view([&](ViewState& v) { how(v.comparison); });
    }
};

// -- what is compared

void pick_kind(const Page& p, Rect rect) {
    std::vector<const ComparisonKind*> kinds;
    std::vector<SelectOption> options;
    int chosen = 0;
    for (const ComparisonKind& kind : comparison_kinds()) {
        if (kind.applies && !kind.applies(p.f.state.document)) continue;
        if (kind.id == p.kind.id) chosen = static_cast<int>(kinds.size());
        kinds.push_back(&kind);
        options.push_back({p.f.say(kind.title)});
    }
    const int before = chosen;
    if (select(p.f.ui, "compare_kind", rect, options, chosen, Align::Left) && chosen != before)
        p.change([&](Comparison& c) {
            c.kind = kinds[static_cast<std::size_t>(chosen)]->id;
            c.choice.clear();
        });
}

std::string name_of_choice(const Page& p, std::string_view id) {
    if (p.kind.id == "temperature") return "τ = " + std::string(id);
    return std::string(label_of(id, p.f.view().language));
}

void pick_choice(const Page& p, Rect rect) {
    std::vector<std::string> names, notes;
    const auto& choices = p.f.derived.other_choices;
    for (const ComparisonChoice& choice : choices) {
        names.push_back(name_of_choice(p, choice.id));
        notes.push_back(choice.current           ? std::string(p.f.say(Str::compare_own))
                        : choice.why_not.empty() ? ""
                                                 : reason_text({choice.why_not, "", "", 0}, p.f.view().language));
    }
    std::vector<SelectOption> options;
    int chosen = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i].id == p.f.derived.other_choice) chosen = static_cast<int>(i);
        options.push_back({names[i], notes[i].empty(), notes[i]});
    }
    const int before = chosen;
    if (select(p.f.ui, "compare_choice", rect, options, chosen, Align::Left) && chosen != before)
        p.change([&](Comparison& c) {
            c.kind = p.kind.id;
            c.choice = choices[static_cast<std::size_t>(chosen)].id;
        });
}

/// The two words that change places.
void pick_words(const Page& p, Rect rect) {
    const auto& tokens = p.f.derived.labels.tokens;
    if (tokens.size() < 2) return;
    std::vector<SelectOption> options;
    for (const std::string& token : tokens) options.push_back({token});
    const Swap swap = swap_of(p.wanted(), static_cast<int>(tokens.size()));
    int first = swap.first, second = swap.second;
    const float each = (rect.w - p.f.px(34)) / 2;
    const bool one = select(p.f.ui, "swap_first", {rect.x, rect.y, each, rect.h}, options, first, Align::Left);
    p.f.painter().text_in({rect.x + each, rect.y, p.f.px(24), rect.h}, "⇄", {Type::Body, Align::Center}, Hue::Faint);
    const bool two =
        select(p.f.ui, "swap_second", {rect.x + each + p.f.px(34), rect.y, each, rect.h}, options, second, Align::Left);
    if (!one && !two) return;
    p.change([&](Comparison& c) {
        c.kind = p.kind.id;
        c.first = first;
        c.second = second;
    });
}

void pick_shown(const Page& p, Rect rect) {
    std::vector<std::string_view> titles;
    std::vector<std::string_view> ids;
    int chosen = 0;
    for (std::size_t i = 0; i < std::size(kShown); ++i) {
        if (!has_role(p.left(), kShown[i])) continue;
        if (kShown[i] == p.wanted().shown) chosen = static_cast<int>(ids.size());
        ids.push_back(kShown[i]);
        titles.push_back(p.f.say(kShownTitles[i]));
    }
    if (ids.size() > 1 && segmented(p.f.ui, "compare_shown", rect, titles, chosen))
        p.change([&](Comparison& c) { c.shown = ids[static_cast<std::size_t>(chosen)]; });
}

void pick_row(const Page& p, Rect row) {
    const Frame& f = p.f;
    const float title_w = f.painter().width(f.say(Str::compare_with), Type::Body) + f.px(14);
    f.painter().text_in(row, f.say(Str::compare_with), {Type::Body}, Hue::Soft);
    const float shown_w = std::min(f.px(300), row.w * 0.34f);
    float x = row.x + title_w;
    const float room = row.right() - shown_w - f.px(16) - x, kind_w = std::min(f.px(170), room * 0.45f);
    pick_kind(p, {x, row.y, kind_w, row.h});
    x += kind_w + f.px(16);
    const Rect rest{x, row.y, std::max(0.0f, row.right() - shown_w - f.px(16) - x), row.h};
    if (p.kind.id == "order")
        pick_words(p, rest);
    else if (!p.kind.field.empty())
        pick_choice(p, rest);
    pick_shown(p, {row.right() - shown_w, row.y + f.px(2), shown_w, row.h - f.px(4)});
}

// -- what is shown

std::vector<std::string> names_of(const AxisLabels& labels, attn::Axis axis, Eigen::Index count) {
    std::vector<std::string> names;
    for (int i = 0; i < static_cast<int>(count); ++i) names.push_back(labels.of(axis, i));
    return names;
}

/// A token's name in the second run is where the first one's stands there.
std::vector<std::string> placed(const std::vector<std::string>& names, const std::vector<int>& place) {
    if (place.size() != names.size()) return names;
    std::vector<std::string> out = names;
    for (std::size_t i = 0; i < names.size(); ++i) out[static_cast<std::size_t>(place[i])] = names[i];
    return out;
}

struct Panels {
    MatrixLook left, difference, right;
    Rect at[3];
};

/// Both runs' colours span one range, so that they can be compared by eye.
ColorScale shared_scale(const Page& p) {
    const attn::StepId a = p.c.left, b = p.c.right;
    ColorScale scale = color_scale(p.left(), p.f.derived.computed->ranges, a, false);
    const StepRange& other = p.f.derived.other.computed->ranges[static_cast<std::size_t>(b)];
    if (!scale.diverging) {
        scale.high = std::max(scale.high, std::min(other.high, 1.0f));
        return scale;
    }
    scale.high = std::max(scale.high, other.largest());
    scale.low = -scale.high;
    return scale;
}

void light(MatrixLook& look, int row, int col) {
    look.lit_row = row;
    look.lit_col = col;
}

Panels panels_of(const Page& p) {
    const attn::Step &a = p.left()[p.c.left], &b = (*p.right())[p.c.right];
    const AxisLabels& labels = p.f.derived.labels;
    Panels out;
    const ColorScale scale = shared_scale(p);
    const Hue hue = hue_of(a.tag.role);
    out.left = {&a.value,
                p.c.left,
                scale,
                names_of(labels, a.rows, a.value.rows()),
                names_of(labels, a.cols, a.value.cols()),
                hue,
                hue,
                false,
                -1,
                -1};
    out.right = {&b.value,
                 matrix_key(MatrixOf::OtherRun, p.c.right),
                 scale,
                 names_of(labels, b.rows, b.value.rows()),
                 names_of(labels, b.cols, b.value.cols()),
                 hue,
                 hue,
                 false,
                 -1,
                 -1};
    out.right.rows = placed(out.right.rows, p.c.row_place);
    out.right.cols = placed(out.right.cols, p.c.col_place);
    if (p.c.difference.size() == 0) return out;
    out.difference = out.left;
    out.difference.value = &p.c.difference;
    out.difference.key = matrix_key(MatrixOf::Difference, p.c.left);
    out.difference.scale = difference_scale(hue, p.c.difference);
    out.difference.is_signed = true;
    return out;
}

/// What is pointed at, told to all three; the second run has it where its token stands.
void link_pointers(const Page& p, Panels& panels) {
    const auto& at = p.f.scratch.compare_at;
    if (!at || at->row >= static_cast<int>(panels.left.value->rows()) ||
        at->col >= static_cast<int>(panels.left.value->cols()))
        return;
    light(panels.left, at->row, at->col);
    if (panels.difference.value) {
        light(panels.difference, at->row, at->col);
        light(panels.right, p.c.row_place[static_cast<std::size_t>(at->row)],
              p.c.col_place[static_cast<std::size_t>(at->col)]);
    }
}

int back_from(const std::vector<int>& place, int index) {
    const auto found = std::find(place.begin(), place.end(), index);
    return found == place.end() ? index : static_cast<int>(found - place.begin());
}

void panel_title(const Page& p, Rect panel, std::string_view words, std::string_view shape, Ink ink) {
    const Frame& f = p.f;
    const Rect line{panel.x, panel.y, panel.w, f.px(26)};
    const float shape_w = f.painter().width(shape, Type::NumberSmall) + f.px(10);
    const std::string fitted = f.painter().fitted(words, Type::BodyStrong, panel.w - shape_w);
    const float w = f.painter().width(fitted, Type::BodyStrong) + shape_w, x = line.center().x - w / 2;
    f.painter().text_in({x, line.y, w, line.h}, fitted, {Type::BodyStrong}, ink);
    f.painter().text_in({x, line.y, w, line.h}, shape, {Type::NumberSmall, Align::Right}, Hue::Faint);
}

/// The document's own choice and the other one: what stands above the two.
std::string own_name(const Page& p) {
    if (p.kind.id == "order") return std::string(p.f.say(Str::compare_as_written));
    if (p.kind.id == "edits") return std::string(p.f.say(Str::compare_with_edits));
    for (const ComparisonChoice& choice : p.f.derived.other_choices)
        if (choice.current) return name_of_choice(p, choice.id);
    return std::string(p.f.say(Str::compare_document));
}

std::string other_name(const Page& p) {
    if (p.kind.id == "order") return std::string(p.f.say(Str::compare_swapped));
    if (p.kind.id == "edits") return std::string(p.f.say(Str::compare_without_edits));
    return p.f.derived.other_choice.empty() ? std::string(p.f.say(Str::compare_document))
                                            : name_of_choice(p, p.f.derived.other_choice);
}

/// Three areas in a row, or one below the other in a narrow window.
void place_panels(const Frame& f, Rect body, Panels& panels) {
    const float gap = f.px(20);
    const bool row = body.w > body.h * 1.1f;
    for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<float>(i);
        const float w = (body.w - 2 * gap) / 3, h = (body.h - 2 * gap) / 3;
        panels.at[i] =
            row ? Rect{body.x + k * (w + gap), body.y, w, body.h} : Rect{body.x, body.y + k * (h + gap), body.w, h};
    }
}

std::optional<Spot> panel(const Page& p, std::string_view id, Rect area, const MatrixLook& look, std::string_view title,
                          std::string_view shape, Ink ink) {
    const Frame& f = p.f;
    panel_title(p, area, title, shape, ink);
    const float legend = f.px(48);
    const auto spot = draw_matrix(f, id, {area.x, area.y + f.px(30), area.w, area.h - f.px(30) - legend}, look);
    const float w = std::min(f.px(180), area.w * 0.7f);
    draw_legend(f, {area.center().x - w / 2, area.bottom() - legend + f.px(16), w, f.px(8)}, look.scale,
                look.is_signed);
    return spot;
}

std::string shape_of_left(const Page& p) { return shape_text(p.f, p.left()[p.c.left].value); }
std::string shape_of_right(const Page& p) { return shape_text(p.f, (*p.right())[p.c.right].value); }

void why_no_difference(const Page& p, Rect area) {
    const std::string words = p.f.say(Str::compare_shapes, {shape_of_left(p), shape_of_right(p)});
    const RichText text = lay_out_rich(words, area.w - p.f.px(24), Type::Body, p.f.theme, p.f.painter().fonts());
    draw_rich(p.f.painter(), text, {area.x + p.f.px(12), area.center().y - text.height() / 2}, Hue::Soft);
}

/// What the hand points at, in all three; else nothing.
void draw_panels(const Page& p, Rect body) {
    const Frame& f = p.f;
    Panels panels = panels_of(p);
    link_pointers(p, panels);
    place_panels(f, body, panels);
    const auto in_left = panel(p, "left", panels.at[0], panels.left, own_name(p), shape_of_left(p), Hue::Ink);
    std::optional<Spot> in_difference;
    if (panels.difference.value)
        in_difference =
            panel(p, "difference", panels.at[1], panels.difference,
                  f.say(p.kind.id == "order" ? Str::compare_difference_back : Str::compare_difference), "", Hue::Soft);
    else
        why_no_difference(p, panels.at[1]);
    const auto in_right = panel(p, "right", panels.at[2], panels.right, other_name(p), shape_of_right(p), Hue::Ink);
    const Spot* spot = in_left ? &*in_left : in_difference ? &*in_difference : nullptr;
    f.scratch.compare_at.reset();
    const attn::Tag tag = p.left()[p.c.left].tag;
    if (spot)
        f.scratch.compare_at = CellRef{tag, spot->row, spot->col};
    else if (in_right && panels.difference.value)
        f.scratch.compare_at =
            CellRef{tag, back_from(p.c.row_place, in_right->row), back_from(p.c.col_place, in_right->col)};
}

/// The three numbers under the pointer; without one, what the whole comes to.
void say_numbers(const Page& p, Rect line) {
    const Frame& f = p.f;
    const auto& at = f.scratch.compare_at;
    const attn::Step& a = p.left()[p.c.left];
    std::string words;
    if (at && p.c.difference.size() > 0 && at->row < static_cast<int>(a.value.rows()) &&
        at->col < static_cast<int>(a.value.cols())) {
        const int row = p.c.row_place[static_cast<std::size_t>(at->row)],
                  col = p.c.col_place[static_cast<std::size_t>(at->col)];
        words = f.say(Str::compare_numbers,
                      {f.derived.labels.of(a.rows, at->row), f.derived.labels.of(a.cols, at->col),
                       number_text(a.value(at->row, at->col)), number_text((*p.right())[p.c.right].value(row, col)),
                       signed_text(p.c.difference(at->row, at->col))});
    } else if (p.kind.id == "order" && p.c.output_largest >= 0) {
        words = p.c.output_largest < kSameOutput
                    ? f.say(Str::compare_permuted,
                            {p.c.output_largest == 0 ? "0" : fmt::format("{:.0e}", p.c.output_largest)})
                    : f.say(Str::compare_not_permuted, {number_text(p.c.output_largest, 3)});
    } else if (p.c.difference.size() > 0) {
        words = f.say(Str::compare_largest,
                      {number_text(p.c.largest, 3), p.c.output_largest < 0 ? "—" : number_text(p.c.output_largest, 3)});
    }
    f.painter().text_fit(line, words, {Type::Body, Align::Center}, at ? Hue::Ink : Hue::Soft);
}

std::string trouble(const Page& p) {
    if (p.f.derived.error) return p.f.derived.error->text();
    if (p.f.derived.other.error) return p.f.derived.other.error->text();
    if (p.f.derived.other.computing) return std::string(p.f.say(Str::computing));
    if (p.left().tokens.empty()) return std::string(p.f.say(Str::no_tokens));
    if (!p.kind.field.empty() && p.f.derived.other_choice.empty()) return std::string(p.f.say(Str::compare_nothing));
    return std::string(p.f.say(Str::compare_missing));
}

}  // namespace

void draw_compare(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const Page page{f, kind_of(f.view().comparison, f.state.document), f.derived.compared};
    const Rect inner = f.area.inset(f.px(24), f.px(12));
    pick_row(page, {inner.x, inner.y, inner.w, f.px(34)});
    const float top = inner.y + f.px(50), line = f.px(30);
    const Rect body{inner.x, top, inner.w, std::max(0.0f, inner.bottom() - line - f.px(8) - top)};
    const bool both = page.right() && page.c.left != attn::kNoStep && page.c.right != attn::kNoStep;
    if (!both || body.empty() || (!page.kind.field.empty() && f.derived.other_choice.empty())) {
        f.scratch.compare_at.reset();
        f.painter().text_fit(body, trouble(page), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    draw_panels(page, body);
    say_numbers(page, {inner.x, inner.bottom() - line, inner.w, line});
}

}  // namespace app
