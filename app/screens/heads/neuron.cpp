// One query against every key, feature by feature: the two vectors, their products, the sum, and what becomes of it.

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/matrix_view.h"
#include "app/screens/heads/view.h"
#include "app/timeline/colors.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

constexpr int kRecorded = 256;                  ///< only this many queries are recorded by name
constexpr float kLeastRow = 20, kMostNeuronRow = 42;  ///< at scale 1

/// The columns of the table, from left to right.
struct NeuronTable {
    const Frame& f;
    const HeadsData& data;
    const NeuronData& n;
    const HeadsPlace& place;
    Rect body{};
    float row = 0, head = 0;
    std::size_t rows_shown = 0;
    float queries_w = 0, names_w = 0, strip_w = 0, number_w = 0, bar_w = 0;
    float names_x = 0, vectors_x = 0, products_x = 0, score_x = 0, weight_x = 0;
    std::vector<std::size_t> middle{};  ///< steps of the path that have a column between score and weight
    float middle_x = 0;

    Painter& p() const { return f.painter(); }
    const attn::Trace& trace() const { return f.trace(); }
    int features() const { return static_cast<int>(n.rows[0].products->products.size()); }
    /// The operand that all rows share is at the top, the other one in the rows.
    bool left_on_top() const { return n.same_left || !n.same_right; }
    attn::StepId top_step() const { return left_on_top() ? n.rows[0].products->left : n.rows[0].products->right; }
    attn::StepId row_step() const { return left_on_top() ? n.rows[0].products->right : n.rows[0].products->left; }
    const std::vector<float>& top_values() const {
        return left_on_top() ? n.rows[0].products->left_values : n.rows[0].products->right_values;
    }
    const std::vector<float>& row_values(const NeuronRow& r) const {
        return left_on_top() ? r.products->right_values : r.products->left_values;
    }
    float top_most() const { return left_on_top() ? n.left_most : n.right_most; }
    float row_most() const { return left_on_top() ? n.right_most : n.left_most; }

    std::string_view step_name(std::size_t i) const {
        return label_of(attn::role_id(trace()[n.path[i]].tag.role), f.view().language);
    }
    float column_w(std::size_t i) const {
        return std::max(number_w, p().width(step_name(i), Type::SmallStrong)) + f.px(10);
    }
    /// The name of an operand, regardless of a transposition.
    std::string operand_name(attn::StepId step) const {
        if (trace()[step].op == attn::Op::Transpose) step = trace()[step].inputs[0];
        return name_of(trace(), step, f.view().language);
    }

    void fit(Rect area) {
        body = area;
        const float gap = f.px(14);
        number_w = p().width("−00.00", Type::NumberSmall) + f.px(6);
        const bool wide = area.w >= f.px(600);
        queries_w = wide && place.query_names.size() > 1
                        ? std::min(widest_name(f, place.query_names, Type::SmallStrong) + f.px(22), f.px(120))
                        : 0;
        names_w = std::min(widest_name(f, place.key_names, Type::SmallStrong) + f.px(12), wide ? f.px(120) : f.px(70));
        bar_w = wide ? f.px(52) : f.px(34);
        const float ends = 2 * (bar_w + number_w + gap);
        float rest = area.w - queries_w - names_w - ends - 2 * gap;
        // Columns between the score and the weight, starting from the scaled score, as long as the strips stay
        // readable.
        const float numbers = 2 * static_cast<float>(features()) * (p().width("−0.00", Type::NumberSmall) + f.px(6));
        const float wanted = std::max(f.px(220), std::min(numbers, f.px(360)));
        for (std::size_t i = 1; i + 1 < n.path.size(); ++i)
            if (rest - column_w(i) > wanted) {
                middle.push_back(i);
                rest -= column_w(i);
            }
        strip_w = std::max(f.px(40), std::min(rest / 2, kMostNeuronRow * f.px(1.8f) * static_cast<float>(features())));
        names_x = area.x + queries_w;
        vectors_x = names_x + names_w;
        products_x = vectors_x + strip_w + gap;
        score_x = products_x + strip_w + gap;
        middle_x = score_x + bar_w + number_w + gap;
        weight_x = middle_x;
        for (const std::size_t i : middle) weight_x += column_w(i);
        head = 2 * f.theme.line_height(Type::Small) + f.px(32);
        const float room = area.h - head;
        row = std::clamp(room / static_cast<float>(n.rows.size()), f.px(kLeastRow), f.px(kMostNeuronRow));
        // When it scrolls, whole rows are shown.
        rows_shown = std::max<std::size_t>(1, static_cast<std::size_t>(room / row + 0.001f));
        if (rows_shown < n.rows.size()) row = std::max(1.0f, room) / static_cast<float>(rows_shown);
        rows_shown = std::min(rows_shown, n.rows.size());
    }

    Rect view() const { return {body.x, body.y + head, body.w, std::max(1.0f, body.h - head)}; }
    std::size_t first(float scroll) const {
        return std::min(static_cast<std::size_t>(std::max(0.0f, std::round(scroll / row))), n.rows.size() - rows_shown);
    }
    /// The j-th row from the first shown one.
    Rect line(std::size_t j) const {
        return {names_x, view().y + row * static_cast<float>(j), body.right() - names_x - f.px(8), row};
    }

    void strip(float x, float y, float high, const std::vector<float>& values, Hue hue, float most) const {
        const float w = strip_w / static_cast<float>(values.size());
        const float gap = w > f.px(6) ? f.px(1.5f) : 0;
        const ColorScale scale{hue, -most, most > 0 ? most : 1, true};
        const bool numbers = w - gap > p().width("−0.00", Type::NumberSmall) + f.px(2) && high > f.px(16);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Rect cell{x + w * static_cast<float>(i), y, w - gap, high};
            const Color color = f.scratch.heatmaps->color(scale, values[i]);
            p().fill(cell, color, std::min(f.px(4), w * 0.2f));
            if (numbers) draw_figure(f, cell, number_text(values[i]), Type::NumberSmall, ink_on(color), false);
        }
    }

    void bar(Rect track, float share, Ink ink, bool both_ways) const {
        const float high = std::min(f.px(11), track.h * 0.6f), zero = both_ways ? track.center().x : track.x;
        const float w = (both_ways ? track.w / 2 : track.w) * std::clamp(std::abs(share), 0.0f, 1.0f);
        p().fill({track.x, track.center().y - high / 2, track.w, high}, Hue::Back, f.px(3));
        p().fill({share < 0 ? zero - w : zero, track.center().y - high / 2, w, high}, ink, std::min(f.px(3), w / 2));
        if (both_ways)
            p().line({zero, track.center().y - high * 0.7f}, {zero, track.center().y + high * 0.7f}, Hue::Faint,
                     f.theme.rule_width);
    }

    void titles() const {
        const float high = f.theme.line_height(Type::Small), tall = f.px(24);
        const auto name = [&](float x, float y, float w, std::string_view text, Hue hue, Align align) {
            p().text_fit({x, y, w, high}, text, {Type::SmallStrong, align}, hue);
        };
        const auto hue = [&](attn::StepId step) { return hue_of(trace()[step].tag); };
        // The shared operand, above the rows by which it is multiplied.
        name(vectors_x, body.y, strip_w, operand_name(top_step()), hue(top_step()), Align::Left);
        strip(vectors_x, body.y + high, tall, top_values(), hue(top_step()), top_most());
        const std::string& asks = place.query_names[static_cast<std::size_t>(n.query)];
        p().text_fit({names_x, body.y + high, names_w - f.px(8), tall}, n.same_left ? asks : std::string(),
                     {Type::SmallStrong, Align::Right}, Hue::Query);
        const float y = body.y + high + tall + f.px(5);
        name(vectors_x, y, strip_w, operand_name(row_step()), hue(row_step()), Align::Left);
        name(products_x, y, strip_w,
             std::string(operand_name(top_step())) + " × " + std::string(operand_name(row_step())), Hue::Score,
             Align::Left);
        name(score_x, y, bar_w + number_w, "Σ = " + std::string(step_name(0)), Hue::Score, Align::Right);
        float x = middle_x;
        for (const std::size_t i : middle) {
            name(x, y, column_w(i) - f.px(10), step_name(i), Hue::Soft, Align::Right);
            x += column_w(i);
        }
        name(weight_x, y, bar_w + number_w, step_name(n.path.size() - 1), Hue::Score, Align::Right);
    }

    void key_row(std::size_t j, Rect line, bool lit) const {
        const NeuronRow& r = n.rows[j];
        const float pad = std::min(f.px(3), row * 0.1f), high = line.h - 2 * pad, y = line.y + pad;
        if (lit) p().fill(line.inset(-f.px(4), 0), Ink(Hue::AccentSoft, 0.7f), f.px(6));
        const bool blank = place.is_blank(n.query, static_cast<int>(j));
        p().text_fit({names_x, line.y, names_w - f.px(8), line.h}, place.key_names[j],
                     {lit ? Type::SmallStrong : Type::Small, Align::Right}, place.blank_keys[j] ? Hue::Faint : lit ? Hue::Key : Hue::Ink);
        strip(vectors_x, y, high, row_values(r), hue_of(trace()[row_step()].tag), row_most());
        if (blank) return p().stroke_dashed({products_x, y, body.right() - f.px(8) - products_x, high}, Hue::Rule, f.px(6), f.theme.rule_width, f.px(3), f.px(3));
        strip(products_x, y, high, r.products->products, Hue::Score, n.product_most);
        const float score = r.values.front(), weight = r.values.back();
        bar({score_x, y, bar_w, high}, n.score_most > 0 ? score / n.score_most : 0,
            score < 0 ? Ink(Hue::Negative, 0.8f) : Ink(Hue::Score, 0.7f), true);
        number(score_x + bar_w, line, score, Hue::Ink);
        float x = middle_x;
        for (const std::size_t i : middle) {
            number(x + column_w(i) - f.px(10) - number_w, line, r.values[i], Hue::Soft);
            x += column_w(i);
        }
        const bool masked =
            std::any_of(r.values.begin(), r.values.end(), [](float v) { return std::isinf(v) && v < 0; });
        const Rect track = rect_around({weight_x + bar_w / 2, line.center().y}, bar_w, std::min(f.px(11), high * 0.6f));
        if (masked)
            p().hatch(track, Ink(Hue::Masked, 0.9f), f.px(6), f.px(1));
        else
            bar({weight_x, y, bar_w, high}, std::isfinite(weight) ? weight : 0,
                f.theme.head(data.here()->maps.size() > 1 ? data.head : -1), false);
        number(weight_x + bar_w, line, weight, Hue::Score);
    }

    void number(float x, Rect line, float value, Ink ink) const {
        p().text_in({x, line.y, number_w, line.h}, number_text(value), {Type::NumberSmall, Align::Right}, ink);
    }

    /// The queries, to choose from: pointing previews one, a click picks it.
    std::optional<int> queries() const {
        if (queries_w <= 0) return std::nullopt;
        const auto count = static_cast<int>(place.query_names.size());
        const float top = body.y + f.theme.line_height(Type::Small) + f.px(4), high = f.theme.em(Type::Small) * 1.35f;
        p().text_fit({body.x, body.y, queries_w - f.px(10), f.theme.line_height(Type::Small)},
                     label_of("queries", f.view().language), {Type::SmallStrong}, Hue::Query);
        const float each = std::min(f.px(30), (body.bottom() - top) / static_cast<float>(count));
        const int always_shown[] = {n.query};
        const std::vector<bool> shown = thinned(count, each, high, always_shown);
        std::optional<int> over;
        for (int i = 0; i < count; ++i) {
            const Rect at{body.x, top + each * static_cast<float>(i), queries_w - f.px(10), each};
            if (at.contains(gui::mouse())) over = i;
            if (i == n.query)
                p().fill(rect_around(at.center(), at.w, std::max(each, high)), Ink(Hue::Query, 0.16f), f.px(6));
            if (shown[static_cast<std::size_t>(i)])
                p().text_fit(rect_around(at.center(), at.w - f.px(10), high),
                             place.query_names[static_cast<std::size_t>(i)],
                             {i == n.query ? Type::SmallStrong : Type::Small}, i == n.query ? Hue::Query : Hue::Soft);
            if (count <= kRecorded) f.ui.record("neuron_query_" + std::to_string(i), at);
        }
        return over;
    }
};

/// The key that a query of the shown head attends to most.
QueryKey best_key(const Frame& f, int query) {
    const HeadsData& data = f.derived.part<HeadsData>();
    const attn::Matrix& w = data.weights_of(*data.here(), data.head);
    QueryKey out{query, 0};
    for (int c = 0; c < static_cast<int>(w.cols()); ++c)
        if (std::isfinite(w(query, c)) && !(w(query, out.key) >= w(query, c))) out.key = c;
    return out;
}

void say_feature(const Frame& f, const NeuronTable& t, const NeuronRow& row, Point at) {
    const float x = at.x >= t.products_x ? t.products_x : t.vectors_x;
    const auto i = static_cast<int>((at.x - x) / t.strip_w * static_cast<float>(t.features()));
    if (at.x < t.vectors_x || i < 0 || i >= t.features()) return;
    const attn::FeatureProducts& products = *row.products;
    const auto index = static_cast<std::size_t>(i);
    const std::string name = f.say(Str::feature_number, {f.derived.labels.of(f.trace()[products.left].cols, i)});
    tooltip(
        f.ui, rect_around(at, f.px(8), f.px(8)), f.area,
        f.say(Str::feature_says, {name, number_text(products.left_values[index]),
                                  number_text(products.right_values[index]), number_text(products.products[index])}));
}

}  // namespace

void draw_heads_neuron(const Frame& f, Rect area) {
    const HeadsData& data = f.derived.part<HeadsData>();
    const NeuronData& n = data.neuron;
    if (n.rows.empty()) {
        return say_in_middle(f, area, f.say(f.derived.run->inputs.attention ? Str::neuron_from_file : Str::neuron_none));
    }
    const HeadsPlace& here = *data.here();
    const auto pair = focus_pair(f);
    const int key = pair && pair->query == n.query ? pair->key : 0;
    const auto blank = !here.is_blank(n.query, key) ? std::nullopt : std::optional(here.blank_queries[static_cast<std::size_t>(n.query)] ? Str::cap_blank_asks : Str::cap_blank_answers);
    const std::string_view says = f.say(n.rows[0].products->activated ? Str::neuron_tanh : Str::neuron_says);
    const Rect body = caption_below(f, area, blank ? f.say(*blank, {here.query_names[static_cast<std::size_t>(n.query)], here.key_names[static_cast<std::size_t>(key)]}) : std::string(says));
    if (body.h < f.px(90)) return;
    NeuronTable table{f, data, n, here};
    table.fit(body);
    const Rect view = table.view();
    scroll_area(f.ui, "neuron_scroll", view, table.row * static_cast<float>(n.rows.size()), f.scratch.heads_scroll);
    const Touch touch = touch_area(f.ui, "heads_neuron", body, false);
    const std::optional<int> query = table.queries();
    table.titles();
    std::optional<CellRef> cell;
    std::optional<std::size_t> over;
    for (std::size_t i = 0; i < table.rows_shown; ++i) {
        const std::size_t j = table.first(f.scratch.heads_scroll) + i;
        const Rect line = table.line(i);
        const bool pointed = touch.hovered && line.contains(gui::mouse());
        table.key_row(j, line, pointed || (pair && pair->query == n.query && pair->key == static_cast<int>(j)));
        f.ui.record("neuron_key_" + std::to_string(j), line);
        if (!pointed) continue;
        over = j;
        const attn::StepId step = gui::mouse().x < table.middle_x ? n.path.front() : n.path.back();
        cell = CellRef{f.trace()[step].tag, n.cells[j].row, n.cells[j].col};
    }
    if (query && touch.hovered) cell = weight_at(f.trace(), data, data.head, best_key(f, *query));
    point_at_weight(f, cell);
    if (cell) gui::set_cursor(gui::Cursor::Hand);
    if (touch.clicked) pin_weight(f, cell);
    if (over) say_feature(f, table, n.rows[*over], gui::mouse());
}

}  // namespace app
