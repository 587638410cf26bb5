// The flow of one word: each word sends out three strands, the row of the followed word is shown in figures; where a
// weight meets its value, a lane as thick as the weight leads on, and all lanes end in the word's output.

#include <array>

#include "app/explain/blank.h"
#include "app/explain/inspection.h"
#include "app/layout/flow/word_picture.h"
#include "app/timeline/roles.h"

namespace app::flow {
namespace word {
namespace {

constexpr float kContext = 0.11f;  ///< opacity of strands out of focus

}  // namespace

MatrixSprite& Picture::cells(attn::StepId id, int row, Rect at, bool figures, float alpha) const {
    const auto cols = static_cast<int>(step(id).value.cols());
    const float pitch = at.w / static_cast<float>(cols);
    const float between_cells = cols <= kFewCells ? std::min(2 * s, at.h * 0.12f) : 0;
    MatrixSprite& m = l.b.matrix(id, {at.top_left(), at.h, 1, cols, between_cells, pitch / at.h});
    m.first_row = row;
    m.alpha = alpha;
    m.smallest = 2;
    m.numbers = figures;
    m.lit_row = figures ? 0 : -1;
    return m;
}

/// A disc, bar or figure can be picked as the cell of its value.
void Picture::pick_at(attn::StepId id, int row, int col, Rect at) const {
    MatrixSprite& m = l.b.matrix(id, {at.top_left(), at.h, 1, 1, 0, at.w / at.h});
    m.first_row = row;
    m.first_col = col;
    m.unseen = true;
}

bool Picture::is_masked(int j) const {
    return t >= 1 && !key_slot(j).is_band() && hatched_weight(asker(), key_slot(j).first);
}

bool Picture::hatched_weight(int row, int col) const { return !std::isfinite(step(w.read.step).value(row, col)); }

void Picture::draw_strip(attn::StepId source, int token, Rect row, float lit) const {
    const Rect at =
        rect_around({row.x + names + 8 * s + strips / 2, row.center().y}, strips, std::min(20 * u, row.h * 0.62f));
    cells(source, token, at, false, mixed(0.75f, 1, lit));
}

void Picture::draw_words() const {
    const auto one = [&](int i, bool asks, float lit, Hue hue) {
        const Rect row = word_row(i, asks);
        const FlowSlot slot = (asks ? queries : keys)[static_cast<std::size_t>(i)];
        const bool band = slot.is_band();
        const attn::Step& weights = step(w.weights.step);
        const bool blank = !band && is_blank_token(l.in.stage.trace, token_at(asks ? weights.rows : weights.cols, slot.first));
        label({row.x + names, row.center().y + 5 * u}, asks ? query_name(i) : key_name(i),
              lit > 0.5f ? Type::BodyStrong
              : band     ? Type::Small
                         : Type::Body,
              blank        ? Hue::Soft
              : lit > 0.5f ? hue
              : band       ? Hue::Soft
                           : Hue::Ink,
              Align::Right, 1, names);
        if (strips > 0 && !band)
            draw_strip(asks && !same_words() ? w.source.step : w.key_source.step, slot.first, row, lit);
        if (!band && (asks || same_words())) l.b.scene.asks.push_back({row, slot.first, true});
    };
    for (int j = 0; j < nk(); ++j) {
        float asks = 0;
        for (int i = 0; same_words() && i < nq(); ++i)
            if (query_slot(i).first == key_slot(j).first) asks = query_lit(i);
        one(j, false, std::max(asks, key_lit(j)), asks > key_lit(j) ? Hue::Query : Hue::Key);
    }
    for (int i = 0; !same_words() && i < nq(); ++i) one(i, true, query_lit(i), Hue::Query);
    if (same_words() || strips <= 0) return;
    // With two texts, the titles say what their words stand for.
    const auto title = [&](attn::StepId id, Rect first) {
        while (step(id).op == attn::Op::SliceRows) id = step(id).inputs[0];
        label({first.x + names + 8 * s, first.center().y - std::min(20 * u, first.h * 0.62f) / 2 - 6 * u},
              std::string(label_of(attn::role_id(step(id).tag.role), l.in.stage.language)), Type::Small, Hue::Soft, Align::Left, 1, strips);
    };
    title(w.key_source.step, word_row(0, false));
    title(w.source.step, word_row(0, true));
}

/// Strands from each word to its row: those of the query and of the strongest key are thick.
void Picture::draw_braid(const Stack& to, Hue hue, const WordPart& part, bool asks, int strand) const {
    const auto there = static_cast<float>(phase(made(part), 0, 0.5));
    if (there <= 0) return;
    const float end = to.cells.x - own_names;
    for (int i = 0; i < (asks ? nq() : nk()); ++i) {
        if ((asks ? queries : keys)[static_cast<std::size_t>(i)].is_band()) continue;
        const float lit = asks ? query_lit(i) : key_lit(i);
        const Rect from = word_row(i, asks), row = to.row(i);
        const float leaves = mixed(3.2f, 9, lit) * s, arrives = std::max(2 * s, row.h * mixed(0.55f, 0.8f, lit));
        const float y = from.center().y + static_cast<float>(strand - 1) * 7.5f * s, x = from.right() + 4 * s;
        const float reach = mixed(x, end, there);
        l.b.scene.ribbons.push_back({x, y - leaves / 2, y + leaves / 2, reach,
                                     mixed(y, row.center().y, there) - arrives / 2,
                                     mixed(y, row.center().y, there) + arrives / 2, hue, mixed(kContext, kLit, lit)});
    }
}

void Picture::draw_stack(const Stack& of, Hue hue, Str saying, const WordPart& part, bool asks) const {
    const std::string title = app::name_of(l.in.stage.trace, of.step, l.in.stage.language);
    const float base = of.cells.y - 9 * u, wide = measure(title, Type::BodyStrong);
    label({of.cells.x, base}, title, Type::BodyStrong, hue);
    const std::string says = say(saying);
    const float room = (asks || compact || &of == &value_rows ? panel.x - 6 * s : card.x - 26 * s) - of.cells.x - wide - 8 * u;
    if (measure(says, Type::Small) <= room) label({of.cells.x + wide + 8 * u, base}, says, Type::Small, Hue::Soft);
    const double done = made(part);
    const int count = static_cast<int>(of.rows.size());
    for (int i = 0; i < count; ++i) {
        const FlowSlot slot = (asks ? queries : keys)[static_cast<std::size_t>(i)];
        const float lit = asks ? query_lit(i) : key_lit(i);
        if (compact && &of != &value_rows && lit < 0.5f) continue;
        const Rect row = of.row(i).inset(0, std::min(1 * s, of.row(i).h * 0.1f));
        const std::string name = asks ? query_name(i) : key_name(i);
        if (lit > 0.5f || (of.row(i).h >= 11 * u && slot.rest == 0))
            label({row.x - 7 * u, row.center().y + 4.3f * u}, name, lit > 0.5f ? Type::BodyStrong : Type::Small,
                  lit > 0.5f ? hue : Hue::Soft, Align::Right, 1, 72 * u);
        if (slot.is_band()) {
            const bool says_rest = slot.rest > 0 && row.h >= 15 * u;
            l.b.scene.bands.push_back({says_rest ? row : row.inset(0, row.h * 0.3f), hue, 0.08f, 3 * s});
            if (says_rest) inside(row, name, Type::Small, Hue::Soft);
            continue;
        }
        l.b.scene.bands.push_back({row, hue, 0.06f, 3 * s});
        const double there = lit > 0.5f ? phase(done, 0.45, 0.8) : phase(done, 0.6, 1);
        if (there <= 0) continue;
        const bool figures = lit > 0.6f && step(of.step).value.cols() <= kFewCells;
        MatrixSprite& m = cells(of.step, slot.first, row, figures, mixed(0.55f, 1, lit));
        if (there < 1) m.reveal = {0, 0, false, static_cast<float>(there * static_cast<double>(m.grid.cols)), 1};
    }
}

/// Keys run to the right, then up, and come down onto their columns without crossing each other.
void Picture::draw_key_lines() const {
    const auto there = static_cast<float>(phase(made(w.scores), 0, 0.35));
    if (there <= 0) return;
    const float bus_room = bus_wide * 0.7f;
    for (int j = 0; j < nk(); ++j) {
        if (key_slot(j).is_band()) continue;
        const float lit = key_lit(j), order = static_cast<float>(j + 1) / static_cast<float>(nk() + 1);
        const float y = key_rows.row(j).center().y, x = column(j);
        const float bus = key_rows.cells.right() + 6 * s + bus_room * (1 - order);
        const float lane = lines_base - std::min(4.6f * s, 46 * s / static_cast<float>(nk())) * static_cast<float>(j);
        const float stops = slanted ? lines_base + 5 * s : words_base - 15 * u;
        const std::array<Point, 5> corners{
            {{key_rows.cells.right() + 3 * s, y}, {bus, y}, {bus, lane}, {x, lane}, {x, stops}}};
        l.b.path(rounded(corners, 7 * s), Hue::Key, mixed(1.1f, 3.6f, lit) * s, mixed(0.26f, 0.85f, lit) * there);
    }
}

/// What the place makes from the row next, and the arrow from the output to it.
void Picture::draw_after() const {
    const WordStrip strip = strip_of();
    if (!beside) {
        // From the output back to the first box.
        const float there = made(w.output) >= 1 ? 0.7f : 0.25f, x = right.x - 14 * s, over = strip_at.y - 13 * s,
                    first = strip_at.x + 20 * s;
        const std::array<Point, 5> corners{
            {{right.x - 4 * s, home.bottom() - 3 * s}, {x, home.bottom() - 3 * s}, {x, over}, {first, over}, {first, strip_at.y - s}}};
        arrow_along(l.b, rounded(corners, 7 * s), Hue::Output, 1.4f * s, there);
    }
    lay_out_strip(strip, strip_at, lines == Lines::Figure ? StripLines::Figure : StripLines::Name);
    lay_out_unfolded(strip, unfolded_at);
}

void Picture::draw_head(int head, Rect at) const {
    const attn::StepId id = l.graph().weights[static_cast<std::size_t>(head)];
    const attn::RowVector row = step(id).value.one_row(asker());
    CardSprite frame{at};
    frame.head = head;
    l.b.scene.cards.push_back(frame);
    if (head == l.in.head) {
        BandSprite edge{at, Hue::Accent, 1, 8 * s};
        edge.outline = true;
        edge.head = head;
        l.b.scene.bars.push_back(edge);
    }
    const bool two = at.h >= 66 * u;
    const std::string name = say(Str::head) + " " + attn::number_of(head, l.in.stage.count);
    LabelSprite title{{at.x + 10 * u, at.y + 17 * u}, name, Type::SmallStrong, Hue::Ink, Align::Left, 1, at.w - 16 * u};
    title.head = head;
    l.b.scene.labels.push_back(title);
    const auto own_question = static_cast<std::size_t>(head) < l.in.questions.size()
                                  ? l.in.questions[static_cast<std::size_t>(head)]
                                  : std::string();
    const float left = at.x + 16 * u + measure(name, Type::SmallStrong);
    // If one question does not fit next to its head's name, all get their own line.
    const bool below = std::any_of(l.in.questions.begin(), l.in.questions.end(), [&](const std::string& question) {
        return measure(question, Type::Small) > at.right() - 6 * u - left;
    });
    const bool own_line = two && below && at.h >= 74 * u;
    if (own_line)
        label({at.x + 10 * u, at.y + 32 * u}, own_question, Type::Small, Hue::Soft, Align::Left, 1, at.w - 16 * u);
    else if (two && measure(own_question, Type::Small) <= at.right() - 6 * u - left)
        label({left, at.y + 17 * u}, own_question, Type::Small, Hue::Soft);
    int key = 0;
    float most = -1;
    const auto cols = static_cast<int>(row.size());
    for (int j = 0; j < cols; ++j)
        if (row[j] > most) most = row[j], key = j;
    if (made(w.weights) < 1 || !(most > 0)) return;
    // One bar per slot, as in the row.
    const float over = own_line ? 39 * u : 24 * u;
    const Rect chart{at.x + 10 * u, at.y + over, at.w * 0.5f, at.h - over - 7 * u};
    const float pitch = chart.w / static_cast<float>(nk());
    for (int j = 0; two && j < nk(); ++j) {
        const float share = sum_of(row, key_slot(j));
        const float high = std::max(1.2f * s, chart.h * std::min(1.0f, share));
        BandSprite ground{
            {chart.x + pitch * static_cast<float>(j) + s, chart.y, pitch - 2 * s, chart.h}, Hue::Score, 0.09f, 2 * s};
        BandSprite bar{{ground.rect.x, chart.bottom() - high, ground.rect.w, high}, Hue::Score, 1, 1.5f * s};
        ground.head = bar.head = head;
        l.b.scene.bars.push_back(ground);
        l.b.scene.bars.push_back(bar);
    }
    const float x = two ? chart.right() + 10 * u : left, y = two ? chart.y + chart.h * 0.45f : at.y + 17 * u;
    label({x, y}, l.b.label(step(id).cols, key), two ? Type::BodyStrong : Type::SmallStrong, Hue::Ink, Align::Left, 1,
          std::max(1.0f, at.right() - 8 * u - x - (two ? 0 : 36 * u)));
    LabelSprite figure{two ? Point{x, y + 17 * u} : Point{at.right() - 10 * u, y}, number_text(most), Type::Number,
                       Hue::Score, two ? Align::Left : Align::Right};
    figure.head = head;
    l.b.scene.labels.push_back(figure);
}

void Picture::draw_heads() const {
    const auto heads = static_cast<int>(l.graph().weights.size());
    const float bottom = home.y - 48 * u, top = right.y + 22 * u;
    if (compact || heads < 2 || bottom - top < 30 * u) return;
    label({right.x, right.y + 13 * u}, say(Str::flow_heads, {std::to_string(heads)}), Type::SmallStrong, Hue::Soft,
          Align::Left, 1, right.w);
    constexpr float kLow = 28;
    const float room = bottom - top, pitch = std::clamp(room / static_cast<float>(heads), kLow * u, 98 * u);
    const int shown = std::min(heads, static_cast<int>(room / pitch));
    const int first = std::clamp(l.in.head - shown / 2, 0, heads - shown);
    for (int i = 0; i < shown; ++i)
        draw_head(first + i, {right.x, top + pitch * static_cast<float>(i), right.w, pitch - 7 * s});
}

void Picture::draw() {
    if (lines == Lines::Alone) {
        lay_out_strip(strip_of(), strip_at, StripLines::Name);
        return lay_out_unfolded(strip_of(), unfolded_at);
    }
    const float high = home_high();
    const Rect rows = value_rows.cells;
    const float most = std::min(right.w - 4 * s, 62 * u * static_cast<float>(step(w.output.step).value.cols()));
    if (compact) {
        const auto count = static_cast<float>(step(w.output.step).value.cols());
        const float tall =
            std::max(std::min(rows.h, 30 * u * std::min(count, 6.0f)), count <= 6 ? 18.5f * u * count : 0.0f);
        home = {right.x + 3 * s, rows.center().y - tall / 2, right.w - 6 * s, tall};
    } else
        home = {right.x + 2 * s, std::max(std::min(rows.center().y - high / 2, lowest()), highest()), most, high};
    if (!compact) {
        draw_braid(key_rows, Hue::Key, w.keys, false, 0);
        draw_braid(query_rows, Hue::Query, w.queries, true, 1);
        draw_braid(value_rows, Hue::Value, w.values, false, 2);
        draw_words();
    }
    draw_card();
    if (!compact) draw_key_lines();
    if (!compact || (has_key && known > 0)) draw_stack(key_rows, Hue::Key, Str::flow_keys_say, w.keys, false);
    draw_stack(query_rows, Hue::Query, Str::flow_queries_say, w.queries, true);
    draw_stack(value_rows, Hue::Value, Str::flow_values_say, w.values, false);
    draw_row();
    draw_lanes();
    say_lanes();
    draw_home();
    draw_heads();
    if (strip_at.empty()) return;
    if (beside) strip_at = {right.x, home.bottom() + 58 * u, right.w, strip_at.h};
    draw_after();
}

}  // namespace word

int followed_row(const FlowInput& in, int rows) {
    const int query = in.query >= 0 ? in.query : in.graph.query;
    return query < 0 ? rows - 1 : std::min(query, rows - 1);
}

bool lay_out_word(Layout& l) {
    if (!follows_word(l.in)) return false;
    using Lines = word::Picture::Lines;
    const bool open = l.in.unfolded.has_value();
    for (const Lines lines : {Lines::Figure, Lines::Name, Lines::Alone, Lines::None}) {
        if (lines == Lines::Alone && !open) continue;
        for (const bool beside : {true, false}) {
            word::Picture picture(l, *l.graph().word, lines, beside);
            if (!picture.begin()) continue;
            picture.draw();
            return true;
        }
    }
    return false;
}

}  // namespace app::flow
