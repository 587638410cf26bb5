// The alignment of two texts: a row for each written word, a column for each word that is read, and the weights between
// them. While the walk plays, it is written row by row.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/content/number_text.h"
#include "app/frame/hint.h"
#include "app/frame/scene_paint.h"
#include "app/layout/word_steps.h"
#include "app/screens/heads/alignment_layout.h"
#include "app/screens/heads/heads.h"
#include "app/screens/heads/parts.h"
#include "app/screens/heads/view.h"
#include "app/timeline/colors.h"

namespace app {
namespace {

using attn::StepId;

/// Words are considered swapped if both of these weights are at least this.
constexpr float kSure = 0.3f;
/// Smaller weights have no figure.
constexpr float kFigureFrom = 0.05f;

int strongest_of(const attn::Matrix& weights, int row) {
    int best = 0;
    for (int c = 1; c < static_cast<int>(weights.cols()); ++c)
        if (std::isfinite(weights(row, c)) && !(weights(row, best) >= weights(row, c))) best = c;
    return best;
}

std::optional<QueryKey> swap_in(const attn::Matrix& weights, const HeadsPlace& place) {
    std::optional<QueryKey> out;
    float surest = kSure;
    for (int r = 0; r + 1 < static_cast<int>(weights.rows()); ++r) {
        const int first = strongest_of(weights, r), second = strongest_of(weights, r + 1);
        const float both = std::min(weights(r, first), weights(r + 1, second));
        if (first != second + 1 || !(both >= surest) || place.is_blank(r, first) || place.is_blank(r + 1, second)) continue;
        surest = both;
        out = {r, second};
    }
    return out;
}

/// The probabilities with one row per query; kNoStep if the run has none.
StepId probabilities_of(const attn::Trace& trace, int queries) {
    for (StepId id = trace.size(); id-- > 0;)
        if (trace[id].tag.role == attn::Role::Probabilities && trace[id].tag.pass == 0 && trace[id].value.rows() == queries && trace[id].value.at_hand())
            return id;
    return attn::kNoStep;
}

/// The vectors of the words that are read: the last ones before the attention that it reads as a whole.
StepId vectors_of_sources(const attn::Trace& trace, const attn::AttentionMap& map) {
    for (StepId id = map.places.front().step; id-- > 0;) {
        const attn::Step& step = trace[id];
        if (step.rows.kind == attn::Axis::Kind::SourceTokens && step.cols.kind == attn::Axis::Kind::Features && step.tag.head == attn::kNoHead &&
            step.value.rows() == map.cols && step.value.at_hand())
            return id;
    }
    return attn::kNoStep;
}

/// Traces the weights back to the vectors from which their queries are made, before projections; empty if one row has
/// none.
std::vector<attn::Cell> vectors_that_ask(const attn::Trace& trace, const attn::AttentionMap& map) {
    using attn::Op;
    const auto of_words = [](attn::Axis axis) { return axis.kind == attn::Axis::Kind::Tokens || axis.kind == attn::Axis::Kind::SourceTokens; };
    const auto is_vector = [&](const attn::Step& step) { return step.rows.kind == attn::Axis::Kind::Tokens && !of_words(step.cols); };
    const auto is_projection = [&](const attn::Step& step) { return step.op == Op::MatMul && trace[step.inputs[1]].op == Op::Input; };
    std::vector<attn::Cell> out;
    for (attn::Cell at : map.places) {
        while (at.step != attn::kNoStep && !is_vector(trace[at.step])) at.step = trace[at.step].inputs.empty() ? attn::kNoStep : trace[at.step].inputs[0];
        if (at.step == attn::kNoStep) return {};
        for (const attn::Step* step = &trace[at.step]; is_projection(*step) || step->op == Op::Slice || step->op == Op::Rotate || step->op == Op::AddRow; step = &trace[at.step])
            at.step = step->inputs[0];
        if (at.row >= static_cast<int>(trace[at.step].value.rows()) || !trace[at.step].value.at_hand()) return {};
        at.col = 0;
        out.push_back(at);
    }
    return out;
}

/// What the weights mix: the product that reads them; kNoStep if it is evicted.
StepId context_of(const attn::Trace& trace, StepId weights) {
    for (StepId id = weights + 1; id < trace.size(); ++id)
        if (trace[id].op == attn::Op::MatMul && trace[id].inputs[0] == weights && trace[id].tag.pass == 0) return trace[id].value.at_hand() ? id : attn::kNoStep;
    return attn::kNoStep;
}

/// What is made from each row. If something is missing for one word, nothing is shown for any.
void make_results(const attn::Trace& trace, const attn::AttentionMap& map, AlignmentData& out) {
    for (const attn::Cell& at : map.places) {
        const attn::Step& weights = trace[at.step];
        const StepId context = context_of(trace, at.step);
        if (context == attn::kNoStep) {
            out.contexts.clear(), out.states.clear(), out.units.clear();
            return;
        }
        out.contexts.push_back({context, at.row, 0});
        const bool recurrent = weights.tag.time != attn::kNoTime && weights.value.rows() == 1;
        std::vector<std::pair<StepId, int>> behind;
        StepId state = attn::kNoStep;
        for (StepId id = context + 1; id < trace.size() && (state == attn::kNoStep || !recurrent); ++id) {
            const attn::Step& step = trace[id];
            if (step.tag.pass != 0 || (recurrent && step.tag.time != weights.tag.time)) continue;
            behind.emplace_back(id, -1);
            if (step.tag.role == (recurrent ? attn::Role::State : attn::Role::Output) && row_for(weights, at.row, step) >= 0) state = id;
        }
        if (state == attn::kNoStep || !trace[state].value.at_hand()) continue;
        out.states.push_back({state, row_for(weights, at.row, trace[state]), 0});
        if (!recurrent) continue;
        for (WordStep& step : word_steps(trace, weights, context, behind))
            if (step.step == state) out.units.push_back(std::move(step));
    }
    if (out.states.size() != out.contexts.size()) out.states.clear();
    if (out.units.size() != out.states.size()) out.units.clear();
}

/// A recurrent decoder writes a row's own word; a masked one writes the word after the one that it has read.
void make_words(const attn::Trace& trace, const HeadsPlace& place, AlignmentData& out) {
    const std::vector<std::string>& names = place.query_names;
    out.written = names;
    out.read.clear();
    if (out.said.empty()) return;
    if (attn::writes_own_place(trace)) {
        out.read.assign(1, std::string());
        out.read.insert(out.read.end(), names.begin(), names.end() - 1);
        return;
    }
    out.read = names;
    out.written.assign(names.begin() + 1, names.end());
    out.written.push_back(out.said.back().word);
}

}  // namespace

void make_alignment(const attn::Trace& trace, const AxisLabels& labels, HeadsData& out) {
    out.alignment = {};
    const HeadsPlace& place = *out.here();
    out.alignment.swap = swap_in(out.weights_of(place, out.head), place);
    out.alignment.sources = vectors_of_sources(trace, out.map());
    out.alignment.asking = vectors_that_ask(trace, out.map());
    make_results(trace, out.map(), out.alignment);
    const StepId said = probabilities_of(trace, place.queries());
    for (int r = 0; said != attn::kNoStep && r < place.queries(); ++r) {
        const int word = strongest_of(trace[said].value, r);
        out.alignment.said.push_back({labels.of(trace[said].cols, word), trace[said].value(r, word)});
    }
    make_words(trace, place, out.alignment);
    // A word that was given, such as the target language's first token, has the probability that the run assigns to it.
    for (std::size_t r = 0; r < out.alignment.read.size() && attn::writes_own_place(trace); ++r) {
        AlignmentData::Said& one = out.alignment.said[r];
        const std::string& written = out.alignment.written[r];
        for (int word = 0; one.word != written && word < static_cast<int>(trace[said].value.cols()); ++word)
            if (labels.of(trace[said].cols, word) == written) one = {written, trace[said].value(static_cast<int>(r), word)};
    }
}

float written_share(const Derived& derived, const HeadsData& data, int row) {
    const attn::Cell at = data.map().places[static_cast<std::size_t>(row)];
    for (const Stop& stop : derived.timeline.stops) {
        if (stop.step != at.step) continue;
        const double moved = phase(derived.time, stop.start, stop.start + stop.motion);
        if (derived.run->trace[at.step].value.rows() == 1) return static_cast<float>(ease(moved));
        return static_cast<float>(phase(moved * data.here()->queries(), row, row + 1));
    }
    return 1;
}

int written_last(const Derived& derived, const HeadsData& data) {
    for (int r = 0; r < data.here()->queries(); ++r)
        if (const float share = written_share(derived, data, r); share < 1) return share > 0 ? r : r - 1;
    return -1;
}

attn::Cell strongest_written(const Derived& derived, const HeadsData& data) {
    const int row = written_last(derived, data);
    return row < 0 ? attn::Cell{attn::kNoStep} : data.map().cell(derived.run->trace, row, strongest_of(data.weights_of(*data.here(), data.head), row));
}

namespace {

class AlignmentPage {
public:
    AlignmentPage(const Frame& f, Rect area)
        : f_(f), data_(f.derived.part<HeadsData>()), place_(*data_.here()), weights_(data_.weights_of(place_, data_.head)), words_(data_.alignment) {
        pair_ = focus_pair(f);
        AlignmentRoom room{.area = area, .scale = f.px(1), .em = f.theme.em(Type::Body), .figure = f.painter().width("0.00", Type::NumberStrong), .bare = f.painter().width(".00", Type::NumberStrong)};
        room.names = std::max(f.painter().width("0", Type::Body), widest_name(f, words_.written, Type::BodyStrong));
        if (!words_.read.empty()) room.reads = widest_name(f, words_.read, Type::Small);
        room.sources = widest_name(f, place_.key_names, Type::BodyStrong);
        for (const AlignmentData::Said& said : words_.said)
            room.says = std::max(room.says, f.painter().width(said.word, Type::BodyStrong) + figure_room() + f.px(34));
        if (says_names()) room.says_figure = figure_room() + f.px(22);
        room.strips = words_.sources != attn::kNoStep;
        room.asks = !words_.asking.empty();
        room.makes = (words_.contexts.empty() ? 0 : 1) + (words_.states.empty() ? 0 : 1);
        room.rows = place_.queries();
        room.cols = place_.keys();
        room.lit = pair_ ? pair_->query : -1;
        if (room.lit >= 0) room.strongest = strongest_columns(room.lit);
        at_ = lay_out_alignment(room);
        area_ = area;
    }

    void draw() {
        for (int r = 0; r < at_.rows; ++r) row(r);
        for (int c = 0; c < at_.cols; ++c) source(c);
        swap();
        if (at_.makes_w > 0) headings();
        unfold();
        touch();
    }

private:
    Painter& p() const { return f_.painter(); }
    float px(float v) const { return f_.px(v); }
    float figure_room() const { return p().width("0.00", Type::Number) + px(10); }
    bool is_lit(int r) const { return r == at_.lit; }
    /// Each row predicts the word that it is named after.
    bool says_names() const {
        for (int r = 0; r < static_cast<int>(words_.said.size()); ++r)
            if (!place_.blank_queries[index(r)] && words_.said[index(r)].word != words_.written[index(r)]) return false;
        return !words_.said.empty();
    }
    std::vector<int> strongest_columns(int r) const {
        std::vector<int> out(static_cast<std::size_t>(place_.keys()));
        std::iota(out.begin(), out.end(), 0);
        const auto weight = [&](int c) { return std::isfinite(weights_(r, c)) ? weights_(r, c) : -1; };
        std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return weight(a) > weight(b); });
        // Blank words have no figures to make room for.
        std::erase_if(out, [&](int c) { return place_.is_blank(r, c); });
        return out;
    }
    std::size_t index(int i) const { return static_cast<std::size_t>(i); }

    float written(int r) const { return written_share(f_.derived, data_, r); }
    /// Whether a vector has been computed at the playhead; one that is not a stop of the walk appears with its row.
    bool is_made(StepId step, int r) const {
        for (const Stop& stop : f_.derived.timeline.stops)
            if (stop.step == step) return f_.derived.time >= stop.start + stop.motion;
        return written(r) >= 1;
    }

    void row(int r) {
        const Rect line = at_.row(r);
        const float there = written(r);
        const bool lit = is_lit(r);
        const bool blank = place_.blank_queries[index(r)];
        const std::string& name = words_.written[index(r)];
        if (lit) p().fill({at_.names_right - name_room(), line.y, line.right() - at_.names_right + name_room(), line.h}, Ink(Hue::Query, 0.1f), px(8));
        if (at_.named[index(r)]) {
            const float own = name_room() - at_.reads_w;
            p().text_fit({at_.names_right - own, line.y, own - px(4), line.h}, name,
                         {lit ? Type::BodyStrong : Type::Body, Align::Right}, blank ? Hue::Faint : lit ? Hue::Query : there > 0 ? Hue::Ink : Hue::Faint);
            if (at_.reads_w > 0)
                p().text_fit({at_.names_right - at_.names_w - at_.reads_w, line.y, at_.reads_w - px(8), line.h}, words_.read[index(r)], {Type::Small, Align::Right}, Hue::Soft);
        }
        const int best = strongest_of(weights_, r);
        for (int c = 0; c < at_.cols; ++c) cell(r, c, there, c == best);
        if (!words_.said.empty()) said(r, there);
        if (at_.asks_w > 0) asks(r, there);
        if (at_.makes_w > 0) makes(r);
    }
    /// What the row mixes, then what the decoder makes from it: boxes in the focused row.
    void makes(int r) {
        int i = 0;
        float from = at_.sheet.right() + px(2);
        for (const std::vector<attn::Cell>* cells : {&words_.contexts, &words_.states}) {
            if (cells->empty()) continue;
            const bool is_state = cells == &words_.states;
            const attn::Cell& cell = (*cells)[index(r)];
            const Rect all = at_.made(r, i++), box = all.inset(0, std::min(px(4), all.h * 0.12f));
            const float high = std::min(px(is_lit(r) ? 26 : 18), box.h * 0.7f);
            const bool open = is_state && is_lit(r) && opened();
            if (is_lit(r)) {
                p().fill(box, Hue::Paper, px(6));
                p().stroke(box, open ? Hue::Accent : Hue::Rule, px(6), px(open ? 2 : 1));
            }
            const bool made = is_made(cell.step, r);
            if (made) stripes({all.x + px(4), all.center().y - high / 2, all.w - px(8), high}, cell.step, cell.row, is_state ? Hue::Output : Hue::Value, is_lit(r) ? 1 : 0.65f);
            if (is_lit(r) && made) p().arrow({from, all.center().y}, {all.x - px(2), all.center().y}, Ink(Hue::Output), px(1.5f), px(5));
            from = all.right() + px(2);
            if (is_state && !words_.units.empty() && !words_.units[index(r)].inside.empty()) f_.ui.record("alignment_state_" + std::to_string(r), box);
        }
    }
    void headings() {
        int i = 0;
        for (const bool is_state : {false, true}) {
            if ((is_state ? words_.states : words_.contexts).empty()) continue;
            const Rect all = at_.made(0, i++);
            const std::string_view name = f_.say(!is_state ? Str::alignment_context : words_.units.empty() ? Str::alignment_vector : words_.units.front().inside.empty() ? Str::alignment_state : Str::alignment_unit);
            const bool room = p().width(name, Type::Small) <= all.w + px(10);
            const Point at{all.center().x, at_.sheet.y - px(7)};
            if (room)
                p().text(at, name, {Type::Small, Align::Center}, Hue::Soft);
            else
                p().text_slanted(at, name, {Type::Small}, Hue::Soft);
        }
    }
    bool has_unit() const { return is_lit(at_.lit) && at_.lit >= 0 && !words_.units.empty() && !words_.units[index(at_.lit)].inside.empty(); }
    bool opened() const { return has_unit() && f_.view().unfolded && is_alike(*f_.view().unfolded, f_.trace()[words_.units[index(at_.lit)].step].tag); }

    /// The unit of the focused row, unfolded below or above it.
    void unfold() {
        if (!opened() || at_.makes_w <= 0) return;
        const WordStep& unit = words_.units[index(at_.lit)];
        if (!is_made(unit.step, at_.lit)) return;
        const attn::Step& asks = f_.trace()[data_.map().places[index(at_.lit)].step];
        Scene scene;
        const StageInput stage = stage_input(f_, area_);
        stage::Builder b{stage, scene};
        const std::vector<WordStep> steps{unit};
        const WordStrip strip{b, steps, [&](StepId id) { return row_for(asks, data_.map().places[index(at_.lit)].row, f_.trace()[id]); }, [](const WordStep&) { return 1.0; }, f_.view().unfolded, area_};
        const Rect box = at_.made(at_.lit, 1);
        scene.opens.push_back({box, unit.step});
        const float high = unfolded_height(strip), below = box.bottom() + px(6), above = box.y - px(6) - high;
        panel_ = {area_.x, below + high <= area_.bottom() || above < area_.y ? std::min(below, area_.bottom() - high) : above, area_.w, high};
        lay_out_unfolded(strip, panel_);
        if (!scene.bands.empty()) panel_ = scene.bands.front().rect;
        paint_scene(f_, scene);
    }
    /// A click on a state unfolds its unit, or folds it.
    bool touch_states() {
        if (at_.makes_w <= 0 || words_.units.empty()) return false;
        for (int r = 0; r < at_.rows; ++r) {
            const WordStep& unit = words_.units[index(r)];
            const Rect box = at_.made(r, 1);
            if (unit.inside.empty() || panel_.contains(box.center())) continue;
            const Touch touch = touch_area(f_.ui, "alignment_unit_" + std::to_string(r), box, false);
            if (!touch.hovered) continue;
            gui::set_cursor(gui::Cursor::Hand);
            hint(f_, "alignment_unit", box, f_.say(Str::tip_flow_unfold));
            if (!touch.clicked) return true;
            const bool open = opened() && r == at_.lit;
            const attn::Tag tag = f_.trace()[unit.step].tag;
            f_.change_view([tag, open](ViewState& v) { v.unfolded = open ? std::nullopt : std::optional(tag); });
            if (r != at_.lit) pin_weight(f_, weight_at(f_.trace(), data_, data_.head, {r, strongest_of(weights_, r)}));
            return true;
        }
        return false;
    }
    /// The query state, and its line into the row.
    void asks(int r, float there) {
        const attn::Cell& cell = words_.asking[index(r)];
        const Rect line = at_.row(r);
        const float high = std::min(px(18), line.h * 0.62f), middle = line.center().y;
        stripes({at_.asks_x, middle - high / 2, at_.asks_w, high}, cell.step, cell.row, Hue::Query, is_lit(r) ? 1 : 0.65f);
        const Point end{std::lerp(at_.asks_x + at_.asks_w, at_.sheet.x, std::min(1.0f, 4 * there)), middle};
        if (there > 0) p().line({at_.asks_x + at_.asks_w, middle}, end, Ink(Hue::Query, is_lit(r) ? 0.9f : 0.3f), px(is_lit(r) ? 2.5f : 1));
    }
    float name_room() const { return std::max(px(20), at_.names_right - f_.area.x - px(4)); }

    void cell(int r, int c, float there, bool best) {
        const Rect rect = at_.cell(r, c).inset(std::min(px(1.5f), at_.col(c).w * 0.06f));
        const bool has_figure = at_.has_figure(r, c);
        const float weight = weights_(r, c), radius = std::min(px(6), rect.h * 0.2f);
        if (has_figure) f_.ui.record("cell_" + std::to_string(r) + "_" + std::to_string(c), rect);
        if (there <= 0 && rect.w >= px(9)) return p().stroke_dashed(rect, Hue::Rule, radius, f_.theme.rule_width, px(3), px(3));
        if (!std::isfinite(weight)) return p().hatch(rect, Ink(Hue::Masked, 0.5f), px(6), px(1));
        // All cells have a background, so that the sheet is visible; the weight fills it.
        p().fill(rect, is_lit(r) ? Hue::Paper : Hue::Back, radius);
        // Nothing is claimed about a blank word: it has neither figures nor colour.
        if (place_.is_blank(r, c)) return p().stroke_dashed(rect, Hue::Rule, radius, f_.theme.rule_width, px(3), px(3));
        if (weight > 0.002f) p().fill({rect.x, rect.y, rect.w * there, rect.h}, Ink(Hue::Score, std::clamp(weight, 0.0f, 1.0f)), radius);
        if (!has_figure || there < 1 || (weight < kFigureFrom && !is_lit(r))) return;
        const Type type = best ? Type::NumberStrong : Type::Number;
        const auto fits = [&](std::string_view text) { return p().width(text, type) <= rect.w; };
        const std::string figure = is_lit(r) ? short_row_text(weight, fits) : number_text(weight);
        // A row has one size of type: a weight that rounds to 0 is a dot where a narrow column has no room for its digits.
        if (figure.empty()) return p().circle(rect.center(), px(1.4f), Hue::Faint);
        const Ink ink = weight > 0.5f ? Ink(Hue::Paper) : is_lit(r) || best ? Ink(Hue::Ink) : Ink(Hue::Soft);
        p().text_in(rect, figure, {type, Align::Center}, ink);
    }

    /// The prediction after a row's word, and its probability.
    void said(int r, float there) {
        const Rect line = at_.row(r);
        const AlignmentData::Said& one = words_.said[index(r)];
        if (there < 1 || at_.says_w <= 0 || !at_.named[index(r)] || place_.blank_queries[index(r)]) return;
        const float y = line.center().y;
        p().arrow({at_.says_left, y}, {at_.says_left + px(16), y}, Ink(is_lit(r) ? Hue::Output : Hue::Faint), px(1.5f), px(6));
        const Rect word{at_.says_left + px(22), line.y, std::max(at_.says_word ? px(8) : 0, at_.says_w - px(22) - figure_room()), line.h};
        if (at_.says_word) p().text_fit(word, one.word, {is_lit(r) ? Type::BodyStrong : Type::Body}, is_lit(r) ? Hue::Output : Hue::Ink);
        p().text_in({word.right(), line.y, figure_room(), line.h}, number_text(one.share), {Type::Number, Align::Right}, Hue::Soft);
    }

    void source(int c) {
        const Rect column = at_.col(c);
        const bool lit = pair_ && pair_->key == c;
        const std::string& name = place_.key_names[index(c)];
        const TextStyle style{lit ? Type::BodyStrong : Type::Body, Align::Center};
        const Ink ink = place_.blank_keys[index(c)] ? Hue::Faint : lit ? Hue::Key : Hue::Ink;
        const bool named = at_.source_named(c, f_.theme.em(Type::Body)) || lit;
        if (named && at_.slanted)
            p().text_slanted({column.center().x, at_.names_base}, name, {style.type}, ink);
        else if (named)
            p().text({column.center().x, at_.names_base}, name, style, ink);
        if (words_.sources != attn::kNoStep) strip(c);
    }

    /// The word's vector as stripes, evenly sampled if not all fit.
    void strip(int c) {
        const Rect column = at_.col(c);
        stripes({column.x + px(4), at_.strip_y, std::max(1.0f, column.w - px(8)), at_.strip_h}, words_.sources, c, Hue::Key, 1);
    }
    void stripes(Rect strip, StepId of, int row, Hue hue, float strength) {
        const attn::Matrix& vectors = f_.trace()[of].value;
        const auto count = std::min(static_cast<int>(vectors.cols()), std::max(1, static_cast<int>(strip.w / px(2))));
        const float most = f_.derived.computed->ranges[index(of)].largest(), wide = strip.w / static_cast<float>(count);
        for (int i = 0; i < count && most > 0; ++i) {
            const float v = vectors(row, static_cast<Eigen::Index>(i) * vectors.cols() / count) / most;
            const float high = std::max(px(1), std::abs(v) * strip.h);
            p().fill({strip.x + wide * static_cast<float>(i), strip.bottom() - high, std::max(1.0f, wide - px(0.5f)), high},
                     Ink(v < 0 ? Hue::Negative : hue, strength * (0.35f + 0.65f * std::min(1.0f, std::abs(v)))));
        }
    }

    /// Beside the ring where it covers least: a figure counts most, then a weight's colour.
    Rect tag_beside(Rect block, Size size) const {
        Rect best;
        float least = 1e30f;
        for (const float x : {block.right() + px(6), block.x - px(6) - size.w})
            for (const float y : {block.bottom() - size.h, block.y, block.bottom() + px(3), block.y - px(3) - size.h}) {
                const Rect tag{x, y, size.w, size.h};
                const bool inside = tag.x >= at_.sheet.x && tag.right() <= at_.sheet.right() && tag.y >= at_.sheet.y && tag.bottom() <= at_.sheet.bottom();
                if (!inside && least < 1e30f) continue;
                float covers = inside ? 0 : 100;
                for (int r = 0; r < at_.rows; ++r)
                    for (int c = 0; c < at_.cols; ++c) {
                        if (!tag.overlaps(at_.cell(r, c))) continue;
                        const float weight = std::isfinite(weights_(r, c)) ? weights_(r, c) : 0;
                        covers += weight + (at_.has_figure(r, c) && (is_lit(r) || weight >= kFigureFrom) ? 1 : 0) + (is_lit(r) ? 1 : 0);
                    }
                if (covers >= least) continue;
                least = covers;
                best = tag;
            }
        return best;
    }

    /// A ring around two swapped words.
    void swap() {
        if (!words_.swap || written(words_.swap->query) < 1 || written(words_.swap->query + 1) < 1) return;
        const auto [query, key] = *words_.swap;
        const Rect block = around(at_.cell(query, key), at_.cell(query + 1, key + 1)).inset(-px(2));
        p().stroke(block, Hue::Accent, px(9), px(2));
        const std::string_view words = f_.say(Str::alignment_swaps);
        const float wide = p().width(words, Type::SmallStrong) + px(12), high = f_.theme.em(Type::Small) * 1.7f;
        const Rect tag = tag_beside(block, {wide, high});
        p().fill(tag, Hue::AccentSoft, high / 2);
        p().text_in(tag, words, {Type::SmallStrong, Align::Center}, Hue::Accent);
    }

    void touch() {
        if (touch_states() || panel_.contains(gui::mouse())) return;
        const Touch touch = touch_area(f_.ui, "heads_alignment", at_.sheet, false);
        QueryKey over;
        std::optional<CellRef> cell;
        if (touch.hovered && at_.find(gui::mouse(), over.query, over.key)) cell = weight_at(f_.trace(), data_, data_.head, over);
        point_at_weight(f_, cell);
        if (cell) {
            p().stroke(at_.cell(over.query, over.key), Hue::Accent, px(7), px(2));
            gui::set_cursor(gui::Cursor::Hand);
        }
        if (touch.clicked) pin_weight(f_, cell);
    }

    const Frame& f_;
    const HeadsData& data_;
    const HeadsPlace& place_;
    const attn::Matrix& weights_;
    const AlignmentData& words_;
    std::optional<QueryKey> pair_;
    AlignmentLayout at_;
    Rect area_;
    Rect panel_{};  ///< what is unfolded lies over the sheet
};

}  // namespace

void draw_heads_alignment(const Frame& f, Rect area) {
    // While presenting, the sheet gets the full height.
    Rect body = area;
    if (!f.view().present.on) {
        body = caption_below(f, heads_controls(f, area), f.say(Str::alignment_says));
        body = caption_below(f, body, hidden_sentence(f));
    }
    if (body.h < f.px(60)) return;
    AlignmentPage(f, body).draw();
}

}  // namespace app
