// The inspector: the computation of the number under the pointer (or the pinned one), its row, its geometry.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/frame/backwards.h"
#include "app/frame/geometry.h"
#include "app/frame/matrix_view.h"
#include "app/frame/view.h"
#include "app/screens/heads/heads.h"
#include "app/screens/heads/look.h"
#include "app/screens/stage/touch.h"
#include "app/timeline/reverse.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

struct InspectorColumn {
    const Frame& f;
    float x, right, y;
    float width() const { return right - x; }
    float px(float v) const { return f.px(v); }
    Painter& p() const { return f.painter(); }
};

void heading(InspectorColumn& c, std::string_view text) {
    c.y += c.px(32);
    section_label(c.f.ui, {c.x, c.y}, text);
    c.y += c.px(12);
}

void title(InspectorColumn& c, const Inspection& in) {
    Painter& p = c.p();
    c.y += c.px(38);
    float x = c.x;
    const float room = c.width() - c.px(70);
    const std::string row = p.fitted(in.row_label, Type::TitleStrong, room * 0.5f),
                      col = p.fitted(in.col_label, Type::TitleStrong, room * 0.5f);
    x += p.text({x, c.y}, row, {Type::TitleStrong}, in.row_hue) + c.px(12);
    x += p.text({x, c.y}, "→", {Type::Title}, Hue::Faint) + c.px(12);
    p.text({x, c.y}, col, {Type::TitleStrong}, in.col_hue);
    if (c.f.derived.focus_pinned) p.text({c.right, c.y}, c.f.say(Str::pinned), {Type::Small, Align::Right}, Hue::Soft);
    c.y += c.px(22);
    p.text({c.x, c.y}, p.fitted(in.matrix + " · " + in.place, Type::Small, c.width()), {Type::Small}, Hue::Soft);
}

/// One line in a pale pill: the operation, and its result.
void pill(InspectorColumn& c, std::string_view how, std::string_view value, Ink value_ink, bool strong) {
    const float high = c.px(29);
    const Rect rect{c.x, c.y, c.width(), high};
    c.p().fill(rect, strong ? Hue::AccentSoft : Hue::Back, c.px(7));
    const Type type = strong ? Type::NumberStrong : Type::Number;
    const Rect inside = rect.inset(c.px(13), 0);
    const float room = inside.w - c.p().width(value, type) - c.px(8);
    c.p().text_in(inside, c.p().fitted(how, type, room), {type, Align::Left}, strong ? Hue::Accent : Hue::Soft);
    c.p().text_in(inside, value, {type, Align::Right}, value_ink);
    c.y += high + c.px(5);
}

/// Of the row that an alignment is being written in, so much; none: nothing is written row by row.
std::optional<float> written_of_row(const Frame& f) {
    const HeadsData& data = f.derived.part<HeadsData>();
    if (f.view().screen != Screen::Heads || data.page != "alignment" || !data.here() || !f.derived.inspection.cell) return std::nullopt;
    const auto pair = query_key_of(f.trace(), data.map(), *f.derived.inspection.cell);
    return pair ? std::optional(written_share(f.derived, data, pair->query)) : std::nullopt;
}
/// Whether the walk has reached a step's number; until then the inspector does not reveal it, on any screen.
bool is_reached(const Frame& f, attn::StepId step) {
    const Pose& pose = f.derived.pose;
    if (!f.view().plays() && pose.progress >= 1) return true;
    if (step != pose.step) return step < pose.step;
    const auto written = written_of_row(f);
    return written ? *written >= 1 : pose.progress >= kCellThere;
}

/// Whether the playhead has reached the number or the first step of its explanation.
bool is_begun(const Frame& f, const Inspection& in) {
    if (!in.chain.empty()) return is_reached(f, in.chain.front().step);
    return is_reached(f, in.cell->step);
}

/// Explains why the inspector is empty.
void not_yet(InspectorColumn& c) {
    const RichText text = lay_out_rich(c.f.say(Str::inspector_later), c.width(), Type::Body, c.f.theme, c.f.painter().fonts());
    c.y += c.px(20);
    draw_rich(c.p(), text, {c.x, c.y}, Hue::Soft);
    c.y += text.height();
}

void chain(InspectorColumn& c, const Inspection& in) {
    if (in.chain.empty() || !is_reached(c.f, in.chain.front().step)) return;
    heading(c, c.f.say(in.chain_of_score ? Str::how_much : Str::how_made));
    for (const ChainRow& row : in.chain)
        if (is_reached(c.f, row.step)) pill(c, row.how, row.hue == Hue::Gradient ? slope_text(row.value) : telling_text(row.value), row.hue, row.here);
}

void terms(InspectorColumn& c, const Inspection& in, float until) {
    if (in.terms.empty() || !in.chain.empty() || !is_reached(c.f, in.cell->step)) return;
    heading(c, c.f.say(Str::how_made));
    Painter& p = c.p();
    const float high = c.px(24), number_w = p.width("−00.00", Type::Number);
    for (const TermRow& t : in.terms) {
        if (c.y + high * 3 > until) break;
        const Rect row{c.x, c.y, c.width(), high};
        const float label_w = c.width() - number_w * 3 - c.px(30);
        p.text_fit({row.x, row.y, label_w, high}, t.label, {Type::Small}, Hue::Soft);
        float x = row.right();
        p.text_in({x - number_w, row.y, number_w, high}, number_text(t.value), {Type::Number, Align::Right}, Hue::Ink);
        if (t.product) {
            x -= number_w + c.px(14);
            p.text_in({x - c.px(4), row.y, c.px(18), high}, "=", {Type::Number, Align::Center}, Hue::Faint);
            p.text_in({x - number_w - c.px(2), row.y, number_w, high}, number_text(t.right),
                      {Type::Number, Align::Right}, t.right_hue);
            x -= number_w + c.px(14);
            p.text_in({x - c.px(2), row.y, c.px(16), high}, "×", {Type::Number, Align::Center}, Hue::Faint);
            p.text_in({x - number_w, row.y, number_w, high}, number_text(t.left), {Type::Number, Align::Right},
                      t.left_hue);
        }
        c.y += high;
    }
    if (in.hidden_terms > 0) {
        p.text_in({c.x, c.y, c.width(), high},
                  c.f.say(Str::more_terms, {std::to_string(in.hidden_terms), number_text(in.hidden_sum)}),
                  {Type::Small}, Hue::Soft);
        c.y += high;
    }
    c.y += c.px(4);
    const bool slope = is_reverse(c.f.trace()[in.cell->step].tag);
    pill(c, c.f.say(Str::sum), slope ? slope_text(in.sum) : telling_text(in.sum), Hue::Accent, true);
    if (!in.rounded) return;
    const RichText words = lay_out_rich(c.f.say(Str::rounded_terms), c.width(), Type::Small, c.f.theme, p.fonts());
    draw_rich(p, words, {c.x, c.y}, Hue::Soft);
    c.y += words.height();
}

/// Decimals that distinguish the shares: 2, and more if all are small.
int decimals_of_shares(const std::vector<ShareRow>& shares, const std::vector<std::size_t>& shown) {
    float most = 0;
    for (const std::size_t i : shown) most = std::max(most, shares[i].value);
    return decimals_of({Hue::Score, 0, most > 0 ? most : 1, false});
}

void shares(InspectorColumn& c, const Inspection& in, float until) {
    if (in.shares.empty() || !is_reached(c.f, in.shares_of)) return;
    heading(c, c.f.say(in.shares_title));
    Painter& p = c.p();
    const float high = c.px(26);
    int room = std::max(3, static_cast<int>((until - c.y) / high));
    if (static_cast<int>(in.shares.size()) > room) room = std::max(2, room - 1);  // a line for those that are left out
    // Of a long row, the largest shares, in their original order.
    std::vector<std::size_t> shown(in.shares.size());
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
    if (static_cast<int>(shown.size()) > room) {
        std::partial_sort(shown.begin(), shown.begin() + room, shown.end(),
                          [&](std::size_t a, std::size_t b) { return in.shares[a].value > in.shares[b].value; });
        shown.resize(static_cast<std::size_t>(room));
        std::sort(shown.begin(), shown.end());
    }
    float label_w = 0;
    for (const std::size_t i : shown)
        for (const Type type : {Type::Body, Type::BodyStrong}) label_w = std::max(label_w, p.width(in.shares[i].name(), type));
    label_w = std::min(label_w, c.width() * 0.3f);
    const int decimals = decimals_of_shares(in.shares, shown);
    const float number_w = p.width(number_text(0, decimals), Type::Number) + c.px(8), bar_x = c.x + label_w + c.px(12),
                bar_w = c.right - number_w - bar_x - c.px(8);
    for (const std::size_t i : shown) {
        const ShareRow& s = in.shares[i];
        const Rect row{c.x, c.y, c.width(), high}, track{bar_x, row.center().y - c.px(6), bar_w, c.px(12)};
        p.text_fit({row.x, row.y, label_w, high}, s.name(), {s.here ? Type::BodyStrong : Type::Body, Align::Right},
                   Hue::Ink);
        p.fill(track, Hue::Back, c.px(6));
        if (s.masked)
            p.hatch(track, Ink(Hue::Masked, 0.8f), c.px(6), c.px(1));
        else if (s.value > 0) {
            // Its length is the share: round ends would make all small ones look the same.
            const float wide = std::max(1.0f, track.w * s.value);
            p.fill({track.x, track.y, wide, track.h}, Ink(Hue::Score, s.here ? 1.0f : 0.45f), std::min(c.px(6), wide / 2));
        }
        p.text_in(row, number_text(s.value, decimals), {Type::Number, Align::Right}, s.here ? Hue::Score : Hue::Soft);
        c.y += high;
    }
    if (shown.size() == in.shares.size()) return;
    float rest = 0;
    for (std::size_t i = 0; i < in.shares.size(); ++i)
        if (!std::binary_search(shown.begin(), shown.end(), i)) rest += in.shares[i].value;
    p.text_fit({c.x, c.y, c.width(), high},
               c.f.say(Str::more_shares, {std::to_string(in.shares.size() - shown.size()), number_text(rest)}),
               {Type::Small}, Hue::Soft);
    c.y += high;
}

void note(InspectorColumn& c, const Inspection& in) {
    if (in.note.empty()) return;
    const RichText text = lay_out_rich(in.note, c.width(), Type::Small, c.f.theme, c.p().fonts());
    c.y += c.px(12);
    draw_rich(c.p(), text, {c.x, c.y}, Hue::Soft);
    c.y += text.height();
}

/// A link to the reverse pass from this number, or out of it.
void gradient_link(InspectorColumn& c, const CellRef& cell) {
    const Frame& f = c.f;
    const bool leaves = is_reverse(cell.tag);
    // In a chapter the page says what to do; the key works all the same.
    if (f.view().course.open() && !leaves) return;
    const std::string_view words = f.say(leaves ? Str::leave_gradient : Str::ask_gradient);
    const float w = c.p().width(words, Type::Small);
    if (link(f.ui, "gradient", {c.right - w, c.y}, words, {Type::Small}, Hue::Gradient)) turn_back(f);
}

/// The number before any edit, and a way to edit it.
void edits(InspectorColumn& c, const Inspection& in) {
    const Frame& f = c.f;
    const CellRef cell{f.trace()[in.cell->step].tag, in.cell->row, in.cell->col};
    if (const attn::Trace* before = f.derived.unedited.trace(); before && f.view().difference) {
        const attn::Step* old = attn::find(*before, cell.tag);
        if (old && cell.row < old->value.rows() && cell.col < old->value.cols()) {
            const float was = old->value(cell.row, cell.col), now = in.explanation.result;
            c.y += c.px(24);
            c.p().text_fit({c.x, c.y - c.px(14), c.width(), c.px(20)},
                           f.say(Str::was_now, {number_text(was), number_text(now), signed_text(now - was)}),
                           {Type::Body}, Hue::Ink);
        }
    }
    if (!f.derived.focus_pinned) return;
    if (f.scratch.number && f.scratch.number->cell == cell && !rect_on_stage(f, cell)) {
        c.y += c.px(44);
        draw_number_field(f, {c.x + c.px(4), c.y - c.px(34), c.px(120), c.px(34)});
        c.y += c.px(6);
        return;
    }
    c.y += c.px(24);
    gradient_link(c, cell);
    if (is_reverse(cell.tag)) return;
    if (link(f.ui, "type_over", {c.x, c.y}, f.say(Str::type_over), {Type::Small}, Hue::Accent))
        open_number_field(f, cell);
    c.y += c.px(2);
}

/// A link to the page that shows the same two vectors larger.
void larger_geometry(InspectorColumn& c, const Inspection& in) {
    const Frame& f = c.f;
    if (f.view().screen == Screen::Heads && f.view().part<HeadsChoice>().page == "plane") return;
    const std::string_view words = f.say(Str::larger_geometry);
    const float w = c.p().width(words, Type::Small);
    if (!link(f.ui, "larger_geometry", {c.right - w, c.y - c.px(12)}, words, {Type::Small}, Hue::Accent)) return;
    const CellRef cell{f.trace()[in.cell->step].tag, in.cell->row, in.cell->col};
    f.change_view([cell](ViewState& v) {
        v.screen = Screen::Heads;
        v.part<HeadsChoice>().page = "plane";
        v.part<HeadsChoice>().plane = "pair";
        row_of(Screen::Heads).show_attention(v, cell.tag);
        v.pinned = cell;
    });
}

void value_line(InspectorColumn& c, const Inspection& in) {
    if (!in.chain.empty() || !in.terms.empty() || !is_reached(c.f, in.cell->step)) return;
    c.y += c.px(18);
    pill(c, in.matrix, number_text(in.explanation.result, 4), Hue::Accent, true);
}

}  // namespace

void draw_inspector(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().fill(f.area, Hue::Paper);
    f.painter().fill({f.area.x, f.area.y, f.theme.rule_width, f.area.h}, Hue::Rule);
    const auto clip = f.painter().clip(f.area);
    InspectorColumn c{f, f.area.x + f.theme.margin, f.area.right() - f.theme.margin, f.area.y};
    const Inspection& in = f.derived.inspection;
    if (!in.cell) {
        const RichText text =
            lay_out_rich(f.say(Str::inspector_empty), c.width(), Type::Body, f.theme, f.painter().fonts());
        draw_rich(f.painter(), text, {c.x, c.y + f.px(24)}, Hue::Soft);
        return;
    }
    title(c, in);
    edits(c, in);
    if (!is_begun(f, in)) return not_yet(c);
    value_line(c, in);
    chain(c, in);
    const float plane = in.geometry ? std::min(f.px(250), f.area.h * 0.32f) : 0;
    const float until = f.area.bottom() - plane - (in.geometry ? f.px(56) : f.px(20));
    terms(c, in, until);
    note(c, in);
    shares(c, in, until);
    if (!in.geometry) return;
    const float left = f.area.bottom() - f.px(20) - c.y - f.px(38);
    if (left < f.px(110)) return;
    heading(c, f.say(Str::geometry));
    larger_geometry(c, in);
    draw_plane(f, {c.x, c.y + f.px(4), c.width(), std::min(left, f.px(250))}, *in.geometry);
}

}  // namespace app
