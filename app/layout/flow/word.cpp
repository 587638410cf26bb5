// The flow of one word: each word sends out three strands, the row of the followed word is shown in figures; where a
// weight meets its value, a lane as thick as the weight leads on, and all lanes end in the word's output.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain/blank.h"
#include "app/explain/inspection.h"
#include "app/layout/flow/parts.h"
#include "app/timeline/roles.h"

namespace app::flow {
namespace {

constexpr float kContext = 0.11f, kLit = 0.5f;  ///< opacity of strands out of focus, and in focus
constexpr float kThickest = 50, kThinnest = 1;  ///< design pixels: a lane of weight 1, and of hardly any weight
constexpr float kLeastShare = 0.005f;           ///< smaller weights are dots
constexpr float kSpoken = 0.03f;                ///< the least weight at which another lane is labelled
constexpr float kNearly = 0.25f;  ///< the largest distance at which the output is nearly a value, in lengths of it
constexpr float kCompact = 800;   ///< design pixels of text: below, or while presenting, only what matters is shown
constexpr int kFewWords = 6;      ///< their rows are higher, and have figures
constexpr float kBlockShare = 0.225f;  ///< the share of the width that a head's few numbers may take to have figures
constexpr float kMostRest = 0.25f;     ///< the width of the column of the rest, at most, in all of them
constexpr int kFewCells = 8;           ///< of a head: with more there are no figures
constexpr int kFewestKeys = 5;         ///< the least number of keys shown in small type, before the figures go
constexpr int kMostKeys = 11;          ///< of a long text, if their figures fit
constexpr float kLens = 7;             ///< design pixels: the least width of a column that has no figures
constexpr std::size_t kBeside = 2;     ///< the most boxes after the attention that are drawn below the output
constexpr float kLeastPanel = 100, kLeastCompactPanel = 62;  ///< of the followed row, before the strip goes

float mixed(float a, float z, float t) { return a + (z - a) * t; }

/// The followed query, the key that it attends to most, and the weights; during a transition there are two of them.
struct Followed {
    int query = 0, key = 0;  ///< a slot of the keys
    std::vector<float> shares;
};

/// A matrix whose highlighted rows are higher.
struct Stack {
    attn::StepId step = attn::kNoStep;
    Rect cells{};
    std::vector<Rect> rows{};
    Rect row(int i) const { return rows[static_cast<std::size_t>(i)]; }
};

/// What is drawn of a value, from its row to the output.
struct Lane {
    Rect before{};                 ///< from the row to the knot; empty: several keys
    Rect drop{};                   ///< from the card to the knot
    float radius = 0;              ///< of the knot
    float thick = 0, arrives = 0;  ///< after the knot, and at the output
    Point at{}, to{};              ///< the knot, and the middle of the end
    bool touches(Rect r) const {
        constexpr int kSteps = 24;
        if (before.overlaps(r) || drop.overlaps(r) || rect_around(at, 2 * radius, 2 * radius).overlaps(r)) return true;
        for (int i = 0; i <= kSteps && thick > 0; ++i) {
            // As the painter draws it: a cubic that leaves and arrives level.
            const float p = static_cast<float>(i) / kSteps, q = 1 - p, along = 1.5f * p * q + p * p * p;
            const Point middle{at.x + (to.x - at.x) * along, at.y + (to.y - at.y) * p * p * (3 - 2 * p)};
            const float high = thick + (arrives - thick) * p;
            if (middle.x >= r.x && middle.x <= r.right() && middle.y + high / 2 >= r.y && middle.y - high / 2 <= r.bottom()) return true;
        }
        return false;
    }
};

class Picture {
public:
    /// What is shown of the strip after the attention: it gives way before the row does. Alone: there is only room for
    /// the strip with what it unfolds.
    enum class Lines : std::uint8_t { Figure, Name, Alone, None };
    Picture(Layout& layout, const WordFlow& word, Lines of_strip, bool below_home)
        : l(layout), w(word), lines(of_strip), beside(below_home), s(l.b.style().scale), u(l.b.style().label / 13.5f) {}
    bool begin();
    void draw();

private:
    Layout& l;
    const WordFlow& w;
    const Lines lines;
    const bool beside;  ///< a short strip is below the output
    const float s, u;  ///< pixels per design pixel, of lengths and of text
    float known = 1;   ///< how far the highlight of the strongest key has appeared
    float t = 1;       ///< transition from the previous row to the current one
    Followed now{}, was{};
    std::vector<FlowSlot> keys{}, queries{};
    float names = 0, strips = 0, braid = 0, own_names = 0, bus_wide = 0, label_wide = 0, gap = 0;  ///< widths
    Rect area{}, card{}, panel{}, right{};
    Stack key_rows{}, query_rows{}, value_rows{};
    Rect home{};                  ///< the output of the word
    Rect strip_at{}, unfolded_at{};
    float floor_ = 0;   ///< the lower end of the attention
    int asker_row = 0;  ///< the query whose rows are followed
    std::vector<Rect> columns{};  ///< of the card: one per key, from left to right
    std::vector<Lane> lanes_{};
    std::optional<Type> of_figures{};  ///< type of the row's figures; none: only what is highlighted has a figure
    float columns_left = 0, narrowest = 0, lines_base = 0, first_line = 0, words_base = 0;
    bool slanted = false;
    bool has_key = false;  ///< in a compact picture: the strongest key is shown
    bool compact =
        false;  ///< large text in a small window, or presenting: only the row, its values and the output

    const attn::Step& step(attn::StepId id) const { return l.b.step(id); }
    float measure(std::string_view text, Type type) const { return l.b.in.measure(text, type); }
    double made(const WordPart& part) const;
    bool same_words() const { return w.source.step == w.key_source.step; }
    FlowSlot key_slot(int j) const { return keys[static_cast<std::size_t>(j)]; }
    FlowSlot query_slot(int i) const { return queries[static_cast<std::size_t>(i)]; }
    int nk() const { return static_cast<int>(keys.size()); }
    int nq() const { return static_cast<int>(queries.size()); }
    std::string say(Str text, std::initializer_list<std::string_view> with = {}) const {
        return fill_in(l.b.words(text), with);
    }
    std::string name_of(attn::Axis axis, FlowSlot slot) const;
    /// "… 12 more", or shorter if that does not fit.
    std::string name_of_more(FlowSlot slot, float room) const;
    /// The first that fits, else the last one.
    std::string shorter_of(std::initializer_list<std::string> words, float room, Type type) const {
        for (const std::string& one : words)
            if (measure(one, type) <= room) return one;
        return *(words.end() - 1);
    }
    std::string key_name(int j) const { return name_of(step(w.weights.step).cols, key_slot(j)); }
    std::string query_name(int i) const { return name_of(step(w.weights.step).rows, query_slot(i)); }
    /// The strongest key is not known before the first scores are there.
    float key_lit(int j) const { return known * ((j == now.key ? t : 0) + (j == was.key ? 1 - t : 0)); }
    float query_lit(int i) const { return (i == now.query ? t : 0) + (i == was.query ? 1 - t : 0); }
    float share(int j) const {
        return mixed(was.shares[static_cast<std::size_t>(j)], now.shares[static_cast<std::size_t>(j)], t);
    }
    int asker() const { return query_slot(now.query).first; }
    /// The rectangle of a word in the list on the left; with `asks` that of a query, which has its own list if there
    /// are two texts.
    Rect word_row(int i, bool asks) const;
    float column(int j) const { return columns[static_cast<std::size_t>(j)].center().x; }
    float column_wide(int j) const { return columns[static_cast<std::size_t>(j)].w; }

    Followed row_of(int query) const;
    float block_width() const;
    void stack(Stack& into, attn::StepId id, float x, float y, float wide, float row, float lit, int count,
               bool asks) const;
    void place_columns();
    void place_rows();
    void place_values_alone();
    void place_columns_of_card();
    void place_all();
    void fold_to_figures();
    void fold_long_text();
    void fold_to(int count);
    float figure_room(Type type, bool shortened = false) const;
    bool has_figures(int j) const { return of_figures && column_wide(j) >= figure_room(*of_figures, !compact) - 0.5f * s; }
    std::vector<float> column_widths(const Followed& of, float wide, float whole, float rest) const;
    float sum_of(const attn::RowVector& row, const FlowSlot& slot) const;
    std::optional<Type> type_of_figures() const;
    std::string figure(float value, float room, Type type) const;
    void place_card();

    void label(Point at, std::string text, Type type, Hue hue, Align align = Align::Left, float alpha = 1,
               float fit = 0) const {
        l.b.scene.labels.push_back({at, std::move(text), type, hue, align, alpha, fit});
    }
    /// Text centred in a rectangle.
    void inside(Rect r, std::string text, Type type, Hue hue, float alpha = 1) const {
        label({r.center().x, r.center().y + 4.6f * u}, std::move(text), type, hue, Align::Center, alpha, r.w);
    }
    MatrixSprite& cells(attn::StepId id, int row, Rect at, bool figures, float alpha) const;
    void pick_at(attn::StepId id, int row, int col, Rect at) const;
    /// Attention is masked there.
    bool hatched_weight(int row, int col) const;
    bool is_masked(int j) const;
    void draw_words() const;
    void draw_strip(attn::StepId source, int token, Rect row, float lit) const;
    void draw_braid(const Stack& to, Hue hue, const WordPart& part, bool asks, int strand) const;
    void draw_stack(const Stack& of, Hue hue, Str saying, const WordPart& part, bool asks) const;
    void draw_key_lines() const;
    void draw_card();
    void draw_dots() const;
    void draw_row() const;
    void draw_cells_of(attn::StepId id, float y, float high, double there, bool strong) const;
    void draw_shares(float y, float bottom) const;
    std::string name_of_second_line(float room) const;
    std::string name_within(attn::StepId id, float room, Type type) const;
    void draw_lanes();
    void say_lanes() const;
    /// Whether the word's output is nearly the value of the strongest key.
    bool has_become(FlowSlot key) const;
    void draw_home() const;
    void draw_after() const;
    WordStrip strip_of() const;
    void place_strip();
    float home_high() const { return compact ? 0 : 38 * u; }
    /// The range in which the output can be placed: above what is below it, and below the card.
    float lowest() const { return floor_ - home_high() - 58 * u - (beside ? strip_at.h + 6 * u : 0); }
    float highest() const { return card.bottom() + 12 * s + kThickest * s / 2 - home_high() / 2; }
    void draw_heads() const;
    void draw_head(int head, Rect at) const;
};

double Picture::made(const WordPart& part) const {
    if (!l.in.playing || part.stop < 0) return 1;
    const int at = l.in.stage.pose.stop;
    if (l.in.sweep && l.in.sweep->has(part.stop)) return l.in.sweep->share;
    return part.stop != at ? (part.stop < at ? 1 : 0) : l.in.stage.pose.progress;
}

std::string Picture::name_of(attn::Axis axis, FlowSlot slot) const {
    if (slot.is_band()) return say(Str::flow_more, {std::to_string(slot.count())});
    const std::string name = l.b.label(axis, slot.first);
    return step(w.weights.step).value.cols() > kFlowWhole ? std::to_string(slot.first + 1) + " " + name : name;
}

std::string Picture::name_of_more(FlowSlot slot, float room) const {
    const std::string count = std::to_string(slot.rest > 0 ? slot.rest : slot.count());
    return shorter_of({say(Str::flow_more, {count}), "… " + count}, room, Type::Small);
}

float Picture::sum_of(const attn::RowVector& row, const FlowSlot& slot) const {
    const auto some = [&row](int first, int last) {
        double sum = 0;
        for (int k = first; k <= last; ++k) sum += std::max(0.0f, row[k]);
        return sum;
    };
    double sum = slot.rest > 0 ? some(0, static_cast<int>(row.size()) - 1) : some(slot.first, slot.last);
    if (slot.rest > 0)
        for (const FlowSlot& other : keys)
            if (other.rest == 0) sum -= some(other.first, other.last);
    return std::isfinite(sum) ? static_cast<float>(std::max(0.0, sum)) : 0;
}

Followed Picture::row_of(int query) const {
    const attn::RowVector weights = step(w.weights.step).value.one_row(query);
    Followed out;
    for (const FlowSlot& slot : keys) out.shares.push_back(sum_of(weights, slot));
    for (int j = 0; j < nk(); ++j) {
        const bool best = !key_slot(j).is_band() &&
                          (key_slot(out.key).is_band() ||
                           out.shares[static_cast<std::size_t>(j)] > out.shares[static_cast<std::size_t>(out.key)]);
        if (best) out.key = j;
    }
    for (int i = 0; i < nq(); ++i)
        if (query_slot(i).has(query)) out.query = i;
    return out;
}

bool Picture::begin() {
    const attn::Step& weights = step(w.weights.step);
    const auto rows = static_cast<int>(weights.value.rows()), cols = static_cast<int>(weights.value.cols());
    if (rows == 0 || cols == 0) return false;
    const int query = followed_row(l.in, rows), before = l.in.before >= 0 && l.in.before < rows ? l.in.before : query;
    const bool long_text = rows > kFlowWhole || cols > kFlowWhole;
    for (int j = 0; j < std::min(cols, kFlowWhole); ++j) keys.push_back({j, j});
    if (rows > kFlowWhole)
        queries = {{query, query}};
    else
        for (int i = 0; i < rows; ++i) queries.push_back({i, i});
    asker_row = query;
    if (cols > kFlowWhole) fold_to(kMostKeys);
    now = row_of(query);
    t = long_text ? 1 : static_cast<float>(ease(l.in.swing));
    was = t < 1 ? row_of(before) : now;
    known = static_cast<float>(ease(phase(made(w.scores), 0.12, 0.3)));
    compact = l.in.stage.area.w < kCompact * u || l.b.style().presenting;
    const bool follows = lines != Lines::None;
    // With large text there is no room for the figures of boxes: the followed row needs it.
    if (compact && lines == Lines::Figure) return false;
    if (follows && (w.after.empty() || (w.after.size() <= kBeside ? compact : beside) || (compact && beside))) return false;
    place_strip();
    if (lines == Lines::Alone) {
        const float above = std::max(0.0f, strip_at.y - l.in.stage.area.y) / 2;
        strip_at.y -= above;
        unfolded_at.y -= above;
        return !beside && !unfolded_at.empty();
    }
    place_all();
    if (compact) fold_to_figures();
    else if (cols > kFlowWhole) fold_long_text();
    if (follows && beside && highest() > lowest()) return false;
    return card.w > 120 * s && panel.h > (!follows || beside ? 60 : compact ? kLeastCompactPanel : kLeastPanel) * u;
}

void Picture::place_all() {
    place_columns();
    place_rows();
    place_card();
    of_figures = type_of_figures();
}

/// The column width that fits every number of the row's lines in this type, whichever row is followed. Shortened: without
/// a leading zero, or with one decimal less.
float Picture::figure_room(Type type, bool shortened) const {
    float digits = 0;
    for (const attn::StepId id : {w.scores.step, w.read.step})
        digits = std::max(digits, longest_number(l.in.stage.ranges[static_cast<std::size_t>(id)]));
    return measure("0", type) * (shortened ? digits - 1 : digits) + 5.6f * s;
}

std::optional<Type> Picture::type_of_figures() const {
    if (!compact) return Type::Number;
    for (const Type type : {Type::Number, Type::NumberSmall})
        if (figure_room(type) <= narrowest) return type;
    return std::nullopt;
}

/// The strongest keys, in their order, and one slot for all others.
void Picture::fold_to(int count) {
    const auto& weights = step(w.weights.step).value;
    const attn::RowVector row = weights.one_row(asker_row);
    const int itself = !compact && same_words() && weights.rows() == weights.cols() ? asker_row : -1;
    keys = strongest_slots({row.data(), static_cast<std::size_t>(row.size())}, count, {itself, l.in.key});
    was = now = row_of(asker_row);
    t = 1;
}

/// Fewer keys of a long text, until all that are shown have their figures.
void Picture::fold_long_text() {
    for (int count = kMostKeys; count > 2; --count) {
        bool fits = true;
        for (int j = 0; j < nk(); ++j)
            fits = fits && (key_slot(j).is_band() || column_wide(j) >= figure_room(Type::Number, count <= kFlowStrongest) - 0.5f * s);
        if (fits) return;
        fold_to(count - 1);
        place_all();
    }
}

/// Reduces the keys to the strongest until the row's lines have figures; a few in large type are preferred to more in
/// small type.
void Picture::fold_to_figures() {
    const auto has_room = [this](int count) { return of_figures && (*of_figures == Type::Number || count <= kFewestKeys); };
    for (int count = nk(), fewer = count - 2; !has_room(count) && fewer > 1; --fewer) {
        count = fewer;
        fold_to(fewer);
        place_all();
    }
}

/// Few numbers of a head have room for their figures; of many, each is a stripe.
float Picture::block_width() const {
    const auto cols = static_cast<float>(step(w.keys.step).value.cols());
    // A small picture has no room for both the figures of a head and the row of many keys: the figures are dropped.
    const bool both = !compact || area.w - cols * 38 * u - 116 * u - own_names >= static_cast<float>(nk() + 1) * 24 * u;
    return cols <= kFewCells && both ? cols * (compact ? 38 * u : std::clamp(area.w * kBlockShare / cols, 33 * u, 42 * u))
                             : 168 * u;
}

void Picture::place_columns() {
    area = l.in.stage.area;
    area.h = floor_ - area.y;
    float widest = 0;
    const Type type = Type::Body;
    for (int j = 0; j < nk(); ++j) widest = std::max(widest, measure(key_name(j), type));
    if (!same_words())
        for (int i = 0; i < nq(); ++i) widest = std::max(widest, measure(query_name(i), type));
    names = std::clamp(widest + 4 * u, 30 * u, 104 * u);
    const bool narrow = area.w < 1120 * u;
    strips = w.projected && area.w >= 1060 * u ? (narrow ? 64 * s : 96 * s) : 0;
    braid = std::clamp(area.w * 0.13f, 70 * s, 190 * s);
    gap = (narrow ? 16 : 30) * s;
    const auto width = static_cast<float>(step(w.output.step).value.cols());
    right.w = narrow
                  ? 176 * u
                  : std::max(228 * u,
                             width <= kFewCells ? width * std::clamp(area.w * kBlockShare / width, 33 * u, 40 * u) : 0);
    right.x = area.right() - right.w;
    // The card of a short text is no wider than its columns need.
    float own = 0;
    for (int j = 0; j < nk(); ++j)
        if (key_slot(j).rest == 0) own = std::max({own, measure(key_name(j), Type::Small), measure(key_name(j), Type::BodyStrong) - 2 * u});
    for (int i = 0; !same_words() && i < nq(); ++i) own = std::max(own, measure(query_name(i), Type::BodyStrong));
    own_names = std::clamp(own + 12 * u, 24 * u, 80 * u);
    bus_wide = (narrow ? 40 : 58) * s;
    if (compact) {
        names = strips = braid = 0;
        bus_wide = 16 * s;
        right.w = 62 * u;
        right.x = area.right() - right.w;
    }
    const float left = area.x + names + strips + 12 * s + braid + own_names + block_width() + bus_wide;
    label_wide = std::min((compact ? 50 : 74) * u, (right.x - gap - left) * 0.24f);
    if (compact) return;
    // To keep the figures of the row, first the braid and then the words' vectors become narrower.
    float short_of = label_wide + static_cast<float>(nk()) * figure_room(Type::Number) + 27 * s - (right.x - gap - left);
    for (const auto& [part, least] : {std::pair{&braid, 64 * s}, std::pair{&strips, 44 * s}}) {
        const float given = std::clamp(short_of, 0.0f, std::max(0.0f, *part - least));
        *part -= given;
        short_of -= given;
    }
    // For the figures in their shortest form, the names of the lines and the bus give way, too.
    const float shortest = figure_room(Type::Number, true) * static_cast<float>(nk() - 1) + std::max(measure("00.00", Type::Number), figure_room(Type::Number)) + 3 * s;
    float lacks = label_wide + shortest + 27 * s - (right.x - gap - (area.x + names + strips + 12 * s + braid + own_names + block_width() + bus_wide));
    const float named = std::clamp(measure(name_of_second_line(74 * u), Type::Small) + 18 * u, 48 * u, 74 * u);
    for (const auto& [part, least] : {std::pair{&label_wide, named}, std::pair{&bus_wide, 28 * s}}) {
        const float given = std::clamp(lacks, 0.0f, std::max(0.0f, *part - least));
        *part -= given;
        lacks -= given;
    }
    const float most = label_wide + static_cast<float>(nk()) * 78 * u + 15 * s,
                free = std::max(0.0f, right.x - gap - left - most);
    braid += std::min(free * 0.5f, 90 * s);
    gap += std::max(0.0f, free - std::min(free * 0.5f, 90 * s));
}

Rect Picture::word_row(int i, bool asks) const {
    const bool own = asks && !same_words();
    if (own) {
        const float pitch = std::min(area.h * 0.42f / static_cast<float>(nq()), 46 * u),
                    high = pitch * static_cast<float>(nq());
        return {area.x, area.bottom() - high + pitch * static_cast<float>(i), names + strips + 12 * s, pitch};
    }
    // In a folded text, the query is drawn among the keys.
    int at = i;
    if (asks && nq() != nk())
        for (int j = 0; j < nk(); ++j)
            if (key_slot(j).has(query_slot(i).first)) at = j;
    const float all = same_words() ? area.h : area.h * 0.52f, top = 22 * u;
    const float pitch = std::min((all - top) / static_cast<float>(nk()), (nk() <= kFewWords ? 96 : 68) * u);
    const float left = same_words() ? std::max(0.0f, (all - top - pitch * static_cast<float>(nk())) / 2) : 0;
    return {area.x, area.y + top + left + pitch * static_cast<float>(at), names + strips + 12 * s, pitch};
}

void Picture::stack(Stack& into, attn::StepId id, float x, float y, float wide, float row, float lit, int count,
                    bool asks) const {
    into = {id};
    const float top = y;
    for (int i = 0; i < count; ++i) {
        const float high = mixed(row, lit, asks ? query_lit(i) : key_lit(i));
        into.rows.push_back({x, y, wide, high});
        y += high;
    }
    into.cells = {x, top, wide, y - top};
}

void Picture::place_rows() {
    if (compact) return place_values_alone();
    const Rect& a = area;
    const float x = a.x + names + strips + 12 * s + braid + own_names, wide = block_width();
    const bool few = nk() <= kFewWords && nq() <= kFewWords;
    const float title = 27 * u, lit = (few ? 34 : 29) * u, apart = 10 * u, most_apart = 64 * u;
    const auto rest = static_cast<float>(2 * (nk() - 1) + nq() - 1);
    const float room = a.h - 3 * (title + lit) - 2 * apart;
    const float row = rest > 0 ? std::clamp(room / rest, 2 * s, (few ? 26 : 18) * u) : 0;
    const float spare = std::min(most_apart, std::max(0.0f, room - row * rest) / 2) + apart;
    // A short text is centred instead of stretched over the whole height.
    const float used = 3 * (title + lit) + row * rest + 2 * spare, above = std::max(0.0f, a.h - used) * 0.4f;
    area = {a.x, a.y + above, a.w, std::max(used, a.h - 2 * above)};
    float y = area.y + title;
    stack(key_rows, w.keys.step, x, y, wide, row, lit, nk(), false);
    y = key_rows.cells.bottom() + spare + title;
    stack(query_rows, w.queries.step, x, y, wide, row, lit, nq(), true);
    y = query_rows.cells.bottom() + spare + title;
    stack(value_rows, w.values.step, x, y, wide, row, lit, nk(), false);
}

/// The values at the bottom, the followed row next to the card.
void Picture::place_values_alone() {
    constexpr float kShare = 0.36f;  // of the height
    const float x = area.x + own_names, wide = block_width(), title = 27 * u, lit = 29 * u;
    const float row =
        nk() > 1 ? std::clamp((area.h * kShare - title - lit) / static_cast<float>(nk() - 1), 2 * s, 22 * u) : 0;
    const float high = lit + row * static_cast<float>(nk() - 1);
    stack(value_rows, w.values.step, x, area.bottom() - high, wide, row, lit, nk(), false);
    key_rows = {w.keys.step};
    for (int j = 0; j < nk(); ++j) key_rows.rows.push_back({x, area.y, wide, lit});
    key_rows.cells = {x, area.y, wide, lit};
    query_rows = {w.queries.step};
    for (int i = 0; i < nq(); ++i) query_rows.rows.push_back({x, area.y, wide, lit});
    query_rows.cells = {x, area.y, wide, lit};
}

/// Of one row: all columns alike if their figures fit, else those of the strongest keys have their figures and the others
/// only their colour. The strongest key has room for all of its digits.
std::vector<float> Picture::column_widths(const Followed& of, float wide, float whole, float rest) const {
    std::vector<float> out(keys.size(), 0);
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        if (keys[j].is_band()) out[j] = rest;
        else order.push_back(j);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t z) {
        const auto is_pinned = [&](std::size_t j) { return keys[j].first == l.in.key; };
        return is_pinned(a) != is_pinned(z) ? is_pinned(a) : of.shares[a] > of.shares[z];
    });
    if (order.empty()) return out;
    const auto best = static_cast<std::size_t>(of.key);
    const auto count = static_cast<float>(order.size());
    const float even = wide / count, extra = std::clamp(whole - even, 0.0f, wide * 0.3f), each = (wide - extra) / count;
    const float least = figure_room(Type::Number, true);
    for (const std::size_t j : order) out[j] = each + (j == best ? extra : 0);
    if (each >= least) return out;
    const float narrow = std::min(kLens * u, wide / (count + 4));
    const auto others = static_cast<std::size_t>(std::max(0.0f, (wide - whole - narrow * (count - 1)) / (least - narrow)));
    const auto with = std::min(others, order.size() - 1);
    const float left = order.size() - 1 > with ? (wide - whole - least * static_cast<float>(with)) / static_cast<float>(order.size() - 1 - with) : narrow;
    std::size_t given = 0;
    for (const std::size_t j : order) out[j] = j == best ? whole : given++ < with ? least : left;
    return out;
}

void Picture::place_columns_of_card() {
    const float all = panel.right() - 8 * s - columns_left, whole = std::max(measure("00.00", Type::Number), figure_room(Type::Number)) + 3 * s;
    columns.clear();
    std::vector<float> widths;
    if (compact) {
        // The keys have the room: the rest needs less than one column, but has its number.
        float count = 0, words = 0;
        for (const FlowSlot& slot : keys) {
            if (slot.rest == 0) ++count;
            else words = measure("… " + std::to_string(slot.rest), Type::Small) + 4 * s;
        }
        const auto share = [&](float columns_) { return columns_ * all / (count + columns_); };
        const auto extra_with = [&](float taken) { return std::clamp(whole - (all - taken) / std::max(1.0f, count), 0.0f, (all - taken) * 0.3f); };
        const auto each_with = [&](float taken) { return (all - taken - extra_with(taken)) / std::max(1.0f, count); };
        float others = words > 0 ? std::max(share(0.5f), std::min(words, share(0.65f))) : 0;
        // Figures of the keys go before that number.
        const float half = 0.5f * (all - std::clamp(whole - all / (count + 0.5f), 0.0f, all * 0.3f)) / (count + 0.5f);
        if (words > 0 && each_with(others) < figure_room(Type::Number)) others = half;
        const float extra = extra_with(others), rest = each_with(others);
        for (int j = 0; j < nk(); ++j) widths.push_back(key_slot(j).rest > 0 ? others : rest + extra * key_lit(j));
        narrowest = rest;
    } else {
        // The rest has room for how many it is, and for its share.
        float rest = 0;
        for (const FlowSlot& slot : keys)
            if (slot.rest > 0)
                rest = std::min(all * kMostRest, std::max(measure("… " + std::to_string(slot.rest), Type::Small), measure("0.00", Type::Number)) + 6 * s);
        widths = column_widths(now, all - rest, whole, rest);
        const std::vector<float> before = t < 1 ? column_widths(was, all - rest, whole, rest) : widths;
        narrowest = all;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            widths[j] = mixed(before[j], widths[j], t);
            if (!keys[j].is_band()) narrowest = std::min(narrowest, widths[j]);
        }
    }
    float x = columns_left;
    for (const float wide : widths) {
        columns.push_back({x, card.y, wide, card.h});
        x += wide;
    }
}

/// With as many decimals as fit; empty if nothing fits.
std::string Picture::figure(float value, float room, Type type) const {
    if (!std::isfinite(value)) return "−∞";
    return short_row_text(value, [&](std::string_view words) { return measure(words, type) <= room; });
}

void Picture::place_card() {
    right = {right.x, area.y, right.w, area.h};
    const float x = key_rows.cells.right() + bus_wide;
    card = {x, area.y, right.x - gap - x, std::max(0.0f, value_rows.cells.y - (compact ? 12 : 24) * u - area.y)};
    columns_left = card.x + label_wide;
    panel = {card.x + 7 * s, card.y, card.w - 14 * s, 0};
    float widest = 0;
    place_columns_of_card();
    slanted = false;
    for (int j = 0; j < nk(); ++j) {
        if (key_slot(j).is_band()) continue;
        const float name = measure(key_name(j), Type::Body);
        widest = std::max(widest, name);
        slanted = slanted || name > column_wide(j) - 3 * s;
    }
    const float bus = compact ? 8 * s : std::min(14 * s + 4.6f * s * static_cast<float>(nk()), 60 * s);
    words_base = card.y + bus + (slanted ? std::min(widest, 76 * u) * kSlantedRise + 6 * u : 18 * u);
    lines_base = slanted ? card.y + bus : words_base - 18 * u;
    first_line = words_base + 8 * u;
    const float all = card.bottom() - first_line - 8 * s, least = std::min(all, 168 * u);
    const float dots = std::min(all - least, (nq() <= kFewWords ? 30 : 18) * u * static_cast<float>(nq() - 1));
    const bool has_dots = !compact && nq() > 1 && dots / static_cast<float>(nq() - 1) >= 4 * u;
    const float from = first_line + (has_dots ? dots + 4 * u : 0);
    panel = {panel.x, from, panel.w, std::min(card.bottom() - 7 * s - from, 236 * u)};
    card.h = panel.bottom() + 7 * s - card.y;
    if (!compact) return;
    // The strongest key is shown under the query, if the values leave room.
    const float title = 27 * u, high = query_rows.cells.h;
    float y = panel.y + 6 * u;
    has_key = y + 2 * high + title <= value_rows.cells.y - title - 4 * u;
    for (Stack* one : {&query_rows, &key_rows}) {
        for (Rect& row : one->rows) row.y = y;
        one->cells.y = y;
        y += high + title;
    }
}

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

void Picture::draw_card() {
    const auto& heads = l.graph().weights;
    // The edges of the other heads, behind the shown one.
    for (int h = std::min(static_cast<int>(heads.size()), 5); h-- > 0;) {
        if (h == l.in.head) continue;
        const int behind = h < l.in.head ? h + 1 : h;
        l.b.scene.cards.push_back({card.moved(5 * s * static_cast<float>(behind), 5 * s * static_cast<float>(behind)),
                                   Hue::Rule, false, 1, h});
    }
    l.b.scene.cards.push_back({card});
    l.card = card;
    l.b.scene.bands.push_back({panel, Hue::Query, 0.07f, 7 * s});
    // Slanted names need a line's distance: if that is too much, in smaller type; else those without figures are left out.
    constexpr float kLine = 16, kSmallLine = 13, kShortName = 34;  // a slanted "… 12" stays between its neighbours and in the card
    const auto distance = [&](int j) {
        float least = card.w;
        for (const int k : {j - 1, j + 1})
            if (k >= 0 && k < nk()) least = std::min(least, std::abs(column(k) - column(j)));
        return least * kSlantedRise;
    };
    float closest = card.w;
    for (int j = 0; j < nk(); ++j)
        if (!key_slot(j).is_band()) closest = std::min(closest, distance(j));
    const bool small_names = slanted && closest < kLine * u, left_out = slanted && closest < kSmallLine * u;
    float last_named = card.x - card.w;
    for (int j = 0; j < nk(); ++j) {
        const float lit = key_lit(j), half = column_wide(j) / 2;
        const Rect strip{column(j) - half + 1.5f * s, words_base - 16 * u, 2 * half - 3 * s,
                         panel.y - words_base + 16 * u};
        if (lit > 0) l.b.scene.bands.push_back({strip, Hue::Key, 0.1f * lit, 5 * s});
        // The number of the others is level where it fits.
        const std::string more = key_slot(j).is_band() ? name_of_more(key_slot(j), compact && slanted ? kShortName * u : 2 * half) : std::string();
        // A number that is wider than its column reaches into the margin of the card.
        const float over = slanted || more.empty() ? 0 : std::max(0.0f, measure(more, Type::Small) - 2 * half);
        const bool rises = slanted && (more.empty() || measure(more, Type::Small) > 2 * half);
        LabelSprite name{{column(j) + (rises ? 3 * s : std::min(over / 2, 12 * s)), words_base},
                         more.empty() ? key_name(j) : more,
                         lit > 0.5f ? Type::BodyStrong : key_slot(j).is_band() || small_names ? Type::Small : Type::Body,
                         lit > 0.5f              ? Hue::Key
                         : key_slot(j).is_band() ? Hue::Soft
                                                 : Hue::Ink,
                         rises ? Align::Left : Align::Center,
                         1,
                         rises ? 76 * u : 2 * half + over};
        name.slanted = rises;
        // The last name begins further left rather than leave the card.
        if (rises) {
            const float reach = std::min(measure(name.text, name.type), name.fit) * kSlantedRun;
            name.at.x = std::max(column(j) - half * 0.7f, std::min(name.at.x, card.right() - 4 * s - reach));
        }
        if (same_words() && !key_slot(j).is_band())
            l.b.scene.asks.push_back({{column(j) - half, words_base - 20 * u, 2 * half, 26 * u}, key_slot(j).first});
        // The strongest key is never left out, and no other is too close to it.
        const bool others = !left_out || key_slot(j).is_band() ||
                            (has_figures(j) && (column(j) - last_named) * kSlantedRise >= kSmallLine * u && (j > now.key || (column(now.key) - column(j)) * kSlantedRise >= kSmallLine * u));
        if (lit <= 0.5f && !others) continue;
        last_named = column(j);
        l.b.scene.labels.push_back(std::move(name));
    }
    draw_dots();
    // The followed row enters.
    const auto enters = static_cast<float>(phase(made(w.scores), 0, 0.3));
    for (int i = 0; i < nq() && enters > 0; ++i) {
        const float lit = query_lit(i);
        if (lit <= 0) continue;
        const Rect row = query_rows.row(i);
        const float x = row.right() + 3 * s, end = mixed(x, panel.x, enters), y = panel.y + 18.5f * u;
        l.b.scene.ribbons.push_back({x, row.y + 3 * s, row.bottom() - 3 * s, end,
                                     mixed(row.center().y, y, enters) - 13 * u,
                                     mixed(row.center().y, y, enters) + 13 * u, Hue::Query, kLit * lit});
    }
}

/// The rows of the other words: a disc for each weight.
void Picture::draw_dots() const {
    const float room = panel.y - first_line - 4 * u;
    if (compact || nq() < 2 || room < 4 * u * static_cast<float>(nq() - 1)) return;
    const attn::Step& weights = step(w.weights.step);
    const double there = made(w.weights);
    const float row = room / static_cast<float>(nq() - 1), most = std::min({row * 0.48f, 8.2f * u, narrowest * 0.45f});
    float y = first_line;
    for (int i = 0; i < nq(); ++i) {
        const float high = row * (1 - query_lit(i));
        if (high <= 0.5f * s) continue;
        const float alpha = 1 - query_lit(i);
        const float middle = y + high / 2;
        l.b.scene.asks.push_back({{card.x, y, columns_left - card.x, high}, query_slot(i).first});
        if (row >= 10.5f * u)
            label({columns_left - 9 * u, middle + 4.2f * u}, query_name(i), Type::Small, Hue::Soft, Align::Right, alpha,
                  columns_left - card.x - 12 * u);
        for (int j = 0; j < nk() && there > 0; ++j) {
            const float value = key_slot(j).is_band() ? sum_of(weights.value.one_row(query_slot(i).first), key_slot(j)) : weights.value(query_slot(i).first, key_slot(j).first);
            const Rect cell{columns[static_cast<std::size_t>(j)].x, y, column_wide(j), high};
            if (row >= 24 * u && !key_slot(j).is_band()) {
                l.b.scene.cells.push_back({{w.weights.step, query_slot(i).first, key_slot(j).first},
                                           cell.inset(1.5f * s),
                                           l.b.colors(w.weights.step),
                                           alpha * 0.55f * static_cast<float>(there)});
                l.b.scene.cells.back().hatched = hatched_weight(query_slot(i).first, key_slot(j).first);
                pick_at(w.weights.step, query_slot(i).first, key_slot(j).first, cell);
                continue;
            }
            const bool dot = !(value >= kLeastShare);
            if (dot && !key_slot(j).is_band() && hatched_weight(query_slot(i).first, key_slot(j).first)) continue;
            const float r =
                dot ? std::min(1.3f * s, most) : (most * 0.2f + most * 0.8f * std::sqrt(std::min(1.0f, value)));
            const Rect at = rect_around({column(j), middle}, 2 * r, 2 * r);
            l.b.scene.bars.push_back({at, dot ? Hue::Faint : Hue::Score,
                                      alpha * static_cast<float>(there) * (dot ? 0.5f : mixed(0.35f, 0.75f, value)),
                                      r});
            if (!key_slot(j).is_band()) pick_at(w.weights.step, query_slot(i).first, key_slot(j).first, cell);
        }
        y += high;
    }
}

void Picture::draw_cells_of(attn::StepId id, float y, float high, double there, bool strong) const {
    const attn::Step& of = step(id);
    const ColorScale colors = l.b.colors_of_row(id, asker());
    for (int j = 0; j < nk(); ++j) {
        const FlowSlot slot = key_slot(j);
        // The first product slowly, then all others.
        const int order = (j - now.key + nk()) % nk();
        const double from = order == 0 ? 0.3 : 0.62 + 0.3 * order / std::max(1, nk());
        const auto alpha = static_cast<float>(phase(there, from, std::min(1.0, from + 0.12)));
        const Rect cell = rect_around({column(j), y + high / 2}, std::min(column_wide(j) - 2.5f * s, 76 * u), high);
        if (slot.is_band()) {
            inside(cell, "…", Type::NumberSmall, Hue::Soft, alpha);
            continue;
        }
        if (alpha <= 0) continue;
        const float value = of.value(asker(), slot.first);
        const Type type = j == now.key ? (strong ? Type::NumberStrong : Type::Number) : of_figures.value_or(Type::NumberSmall);
        const bool has_figure = j == now.key || has_figures(j);
        if (t < 1 && std::isfinite(value)) {
            const int before = query_slot(was.query).first;
            const float past = of.value(before, slot.first);
            if (has_figure)
                inside(cell, figure(std::isfinite(past) ? mixed(past, value, t) : value, cell.w - s, type), type, Hue::Ink, alpha);
        } else if (strong) {
            CellSprite c{{id, asker(), slot.first}, cell, colors, alpha};
            c.hatched = !std::isfinite(value);
            c.number = has_figure;
            l.b.scene.cells.push_back(c);
        } else if (has_figure) {
            inside(cell, figure(value, cell.w - s, type), type, j == now.key ? Hue::Ink : Hue::Soft, alpha);
        }
        pick_at(id, asker(), slot.first, cell);
    }
}

/// Glasses that are filled by the shares.
void Picture::draw_shares(float y, float bottom) const {
    const double there = made(w.weights);
    const auto filled = static_cast<float>(ease(phase(there, 0.1, 0.8)));
    const float over = 19 * u, high = bottom - y - over, most_wide = 52 * u;
    for (int j = 0; j < nk(); ++j) {
        const FlowSlot slot = key_slot(j);
        const float wide = std::min(column_wide(j) * 0.74f, most_wide);
        const Rect glass{column(j) - wide / 2, y + over, wide, high};
        l.b.scene.bands.push_back({glass, Hue::Score, 0.07f, 4 * s});
        if (is_masked(j)) {
            CellSprite hatch{{w.weights.step, asker(), slot.first}, glass, {}, 0.6f};
            hatch.hatched = true;
            l.b.scene.cells.push_back(hatch);
            continue;
        }
        if (there <= 0) continue;
        const float value = share(j), lit = key_lit(j), bar = std::max(1.5f * s, high * std::min(1.0f, value) * filled);
        l.b.scene.bars.push_back(
            {{glass.x, glass.bottom() - bar, wide, bar}, Hue::Score, mixed(0.55f, 1, lit), std::min(4 * s, bar / 2)});
        const float room = column_wide(j) - 2 * s;
        const Type type = lit > 0.5f                                           ? Type::NumberStrong
                          : !compact || measure("0.000", Type::Number) <= room ? Type::Number
                                                                               : Type::NumberSmall;
        const std::string text = lit > 0.5f || compact || slot.is_band() || has_figures(j) ? figure(value, room, type) : std::string();
        if (lit > 0.5f || !has_only_zeros(text))
            label({column(j), glass.bottom() - bar - 5 * u}, text, type, lit > 0.5f ? Hue::Score : Hue::Soft,
                  Align::Center, static_cast<float>(phase(there, 0.5, 0.8)));
        if (slot.is_band()) continue;
        pick_at(w.weights.step, asker(), slot.first, glass);
    }
}

/// A step's name, or its symbol if the name does not fit.
std::string Picture::name_within(attn::StepId id, float room, Type type) const {
    constexpr std::string_view kInScores = "\\s ";
    const attn::Role role = step(id).tag.role;
    const std::string name(label_of(attn::role_id(role), l.in.stage.language));
    const std::string_view symbol = look_of(role).symbol;
    const bool letter = symbol.size() == kInScores.size() + 1 && symbol.starts_with(kInScores);
    return measure(name, type) <= room || !letter ? name : std::string(symbol.substr(kInScores.size()));
}

/// What makes the second line of the row out of the first, as long as there is room for.
std::string Picture::name_of_second_line(float room) const {
    if (w.divisor <= 0) return std::string(label_of(attn::role_id(step(w.read.step).tag.role), l.in.stage.language));
    const std::string root = "√" + std::to_string(w.divisor);
    return measure("÷ " + root, Type::Small) <= room ? "÷ " + root : "/" + root;
}

void Picture::draw_row() const {
    const bool scaled = w.read.step != w.scores.step && panel.h >= 120 * u;
    const float line = 25 * u, second = 21 * u, top = panel.y + 6 * u, names_at = columns_left - 8 * u;
    const float fit = columns_left - panel.x - 10 * u;
    label({names_at, top + line / 2 + 4.6f * u},
          w.products ? "q·k" : name_within(w.scores.step, fit, Type::BodyStrong), Type::BodyStrong, Hue::Query, Align::Right, 1, fit);
    draw_cells_of(w.scores.step, top, line, made(w.scores), true);
    float y = top + line;
    if (scaled) {
        label({names_at, y + second / 2 + 4.6f * u}, name_of_second_line(fit), Type::Small, Hue::Soft, Align::Right, 1, fit);
        draw_cells_of(w.read.step, y, second, made(w.read), false);
        y += second;
    }
    draw_shares(y + 2 * u, panel.bottom() - 8 * u);
    label({names_at, panel.bottom() - 10 * u}, name_within(w.weights.step, fit, Type::Small), Type::Small, Hue::Score,
          Align::Right, 1, fit);
}

/// From each share down to its value's lane, and from there on as thick as the share.
void Picture::draw_lanes() {
    const auto moved = static_cast<float>(made(w.output));
    const float drop = static_cast<float>(phase(moved, 0, 0.3)),
                flows = static_cast<float>(ease(phase(moved, 0.3, 0.9)));
    const auto values = static_cast<float>(phase(made(w.values), 0.6, 1));
    float all = 0;
    for (int j = 0; j < nk(); ++j) all += kThickest * s * share(j);
    float end = home.center().y - all / 2;
    for (int j = 0; j < nk(); ++j) {
        const float value = share(j), lit = key_lit(j), thick = std::max(kThinnest * s, kThickest * s * value),
                    x = column(j);
        const Rect row = value_rows.row(j);
        const float y = row.center().y, start = row.right() + 4 * s;
        const float lane = mixed(2 * s, std::min(row.h * 0.8f, std::max(thick, 6 * s)), lit);
        const bool none = key_slot(j).is_band(), cut = is_masked(j);
        if (values > 0 && !none)
            l.b.scene.ribbons.push_back({start, y - lane / 2, y + lane / 2, x, y - mixed(lane, thick, lit * flows) / 2,
                                         y + mixed(lane, thick, lit * flows) / 2, Hue::Value,
                                         values * mixed(0.3f, 0.62f, lit)});
        Lane drawn;
        if (values > 0 && !none) drawn.before = {start, y - lane / 2, x - start, lane};
        if (cut) {  // masked values pass nothing on
            lanes_.push_back(drawn);
            continue;
        }
        const float arrives = kThickest * s * value, to = mixed(x, right.x - 6 * s, flows);
        drawn.drop = {x - s, panel.bottom(), 2 * s, y - panel.bottom()};
        drawn.radius = mixed(4.5f, 10.5f, lit) * s;
        drawn.thick = thick;
        drawn.arrives = std::max(arrives, 0.8f * s);
        drawn.at = {x, y};
        drawn.to = {right.x - 6 * s, end + drawn.arrives / 2};
        lanes_.push_back(drawn);
        if (flows > 0)
            l.b.scene.ribbons.push_back({x, y - thick / 2, y + thick / 2, to, mixed(y - thick / 2, end, flows),
                                         mixed(y + thick / 2, end + std::max(arrives, 0.8f * s), flows), Hue::Value,
                                         mixed(0.34f, 0.62f, std::max(lit, std::min(1.0f, 3 * value)))});
        end += arrives;
        const float r = mixed(4.5f, 10.5f, lit) * s;
        if (drop > 0) {
            l.b.path({{x, panel.bottom()}, {x, mixed(panel.bottom(), y - r, drop)}}, Hue::Score,
                     std::max(0.9f, 6.5f * value) * s, mixed(0.3f, 0.9f, std::max(lit, value)));
        }
        if (drop < 1) continue;
        const Rect knot = rect_around({x, y}, 2 * r, 2 * r);
        l.b.scene.bars.push_back({knot, Hue::Paper, 1, r});
        BandSprite edge{knot, Hue::Score, mixed(0.7f, 1, lit), r};
        edge.outline = true;
        l.b.scene.bars.push_back(edge);
        if (lit > 0.5f) label({x, y + 4.6f * u}, "×", Type::BodyStrong, Hue::Score, Align::Center, lit);
    }
}

/// Labels what flows on the lanes of the strongest key, of the rest and of the second strongest, where nothing else is
/// drawn.
void Picture::say_lanes() const {
    const auto alpha = static_cast<float>(phase(made(w.output), 0.8, 1)) * (t < 1 ? 0.0f : 1.0f);
    if (alpha <= 0) return;
    std::vector<Rect> written;
    // In a small picture the path of places reaches up to the last row.
    const float lowest_text = compact && !l.b.style().presenting ? value_rows.cells.bottom() - 17 * u : floor_ + 4 * u;
    const auto is_free = [&](Rect r) {
        if (r.right() > right.x - 10 * s || r.y < card.bottom() + 2 * s || r.bottom() > lowest_text || r.x < value_rows.cells.right() + 4 * s) return false;
        return std::none_of(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.touches(r); }) &&
               std::none_of(written.begin(), written.end(), [&](const Rect& other) { return other.overlaps(r); });
    };
    const auto one = [&](int j, Type type) {
        const float weight = now.shares[static_cast<std::size_t>(j)], y = value_rows.row(j).center().y, thick = kThickest * s * weight;
        constexpr std::string_view kOmission = "… ";
        std::string name = key_name(j);
        if (key_slot(j).is_band() && name.starts_with(kOmission)) name.erase(0, kOmission.size());
        const std::string said = number_text(weight, weight < 0.02f ? 4 : 2) + " × " + name;
        const float wide = measure(said, type), high = (type == Type::Small ? 8.5f : 10.5f) * u, after = column(j) + 16 * s, before = value_rows.cells.right() + 8 * s;
        const bool within = j == now.key && thick >= 12 * u && after + wide <= right.x - 12 * s;
        if (within) {
            label({after, y + 5 * u}, said, type, Hue::Ink, Align::Left, alpha);
            written.push_back({after, y - high / 2, wide, high});
            return;
        }
        // Over the lane or below it, before its knot or after it; the rest has no lane before it.
        const float half = std::max(3 * s, lanes_[static_cast<std::size_t>(j)].before.h / 2), lowest_line = lowest_text - 2 * u;
        const float level = std::min(y + high / 2, lowest_line);
        const float left_of_knot = column(j) - lanes_[static_cast<std::size_t>(j)].radius - 5 * s - wide;
        for (const Point at : {Point{left_of_knot, key_slot(j).is_band() ? level : y - half - 3 * u}, Point{after, y - 5 * u - thick / 2},
                               Point{before, y - half - 3 * u}, Point{before, y + half + 3 * u + high}, Point{after, y + 5 * u + thick / 2 + high}}) {
            const Rect r{at.x, at.y - high, wide, high};
            if (!is_free(r.inset(-1.5f * s))) continue;
            label(at, said, type, Hue::Value, Align::Left, alpha);
            written.push_back(r);
            return;
        }
        if (j != now.key) return;
        // With many lanes only thin ones are below it.
        const float knot = lanes_[static_cast<std::size_t>(j)].radius;
        const Point at{before, y - (before + wide < column(j) - knot - 2 * s ? half : std::max(half, knot)) - 3 * u};
        l.b.scene.bars.push_back({Rect{at.x, at.y - high, wide, high}.inset(-2 * s), Hue::Back, 0.92f * alpha, 4 * s});
        label(at, said, type, Hue::Value, Align::Left, alpha);
        written.push_back({at.x, at.y - high, wide, high});
    };
    one(now.key, Type::BodyStrong);
    int second = -1;
    for (int j = 0; j < nk(); ++j) {
        if (key_slot(j).is_band()) one(j, Type::Small);
        else if (j != now.key && (second < 0 || now.shares[static_cast<std::size_t>(j)] > now.shares[static_cast<std::size_t>(second)]))
            second = j;
    }
    if (second >= 0 && now.shares[static_cast<std::size_t>(second)] >= kSpoken) one(second, Type::Small);
}

bool Picture::has_become(FlowSlot key) const {
    const auto &values = step(w.values.step).value, &output = step(w.output.step).value;
    // Content from another text is added to the word; the word does not become one of that text.
    if (!same_words() || key.first == asker()) return false;
    // If all values are similar, the output is near each of them, so the word must also have the larger part of its
    // attention on this one.
    if (key.is_band() || values.cols() != output.cols() || now.shares[static_cast<std::size_t>(now.key)] < 0.5f)
        return false;
    if (blank_claim(l.in.stage.trace, attn::Cell{w.weights.step, asker(), key.first})) return false;
    const attn::RowVector value = values.one_row(key.first), home_row = output.one_row(asker());
    return (home_row - value).norm() <= kNearly * value.norm();
}

void Picture::draw_home() const {
    const double there = made(w.output);
    const std::string asks = query_name(now.query), answers = key_name(now.key);
    if (compact) {
        label({home.center().x, home.y - 9 * u}, asks, Type::BodyStrong, Hue::Output, Align::Center, 1, right.w);
    } else {
        label({right.x, home.y - 26 * u}, say(Str::flow_takes, {asks}), Type::BodyStrong, Hue::Output, Align::Left, 1,
              right.w);
        const std::string below = shorter_of({say(Str::flow_handed, {answers}), say(Str::flow_handed_short, {answers})}, right.w, Type::Small);
        if (made(w.weights) >= 1) label({right.x, home.y - 10 * u}, below, Type::Small, Hue::Soft, Align::Left, 1, right.w);
    }
    BandSprite frame{home.inset(-2.5f * s), Hue::Output, 1, 8 * s};
    frame.outline = true;
    l.b.scene.bars.push_back(frame);
    const auto count = static_cast<float>(step(w.output.step).value.cols());
    const bool figures = count <= kFewCells && (!compact || home.h / count >= 18 * u);
    const double filled = phase(there, 0.75, 1);
    if (filled > 0) {
        MatrixSprite& m = cells(w.output.step, asker(), home, figures, 1);
        if (compact)
            m.grid = {home.top_left(),
                      home.h / static_cast<float>(m.grid.cols),
                      1,
                      m.grid.cols,
                      m.grid.gap,
                      home.w / (home.h / static_cast<float>(m.grid.cols)),
                      true};
        if (filled < 1) m.reveal = {0, 0, false, static_cast<float>(filled * static_cast<double>(m.grid.cols)), 1};
    }
    const FlowSlot key = key_slot(now.key);
    const Rect below{home.x, home.bottom() + 8 * u, home.w, 23 * u};
    const bool same_width = step(w.values.step).value.cols() == step(w.output.step).value.cols();
    float y = home.bottom() + 8 * u;
    if (!compact && !key.is_band() && same_width && made(w.values) >= 1 && made(w.weights) >= 1) {
        cells(w.values.step, key.first, below, figures, 0.9f);
        y = below.bottom() + 6 * u;
    }
    if (!compact && there >= 1 && t >= 1 && y + 18 * u <= floor_ && has_become(key)) {
        const std::string words = say(Str::flow_became, {asks, answers});
        const bool fits = measure(words, Type::Body) <= right.w;
        label({right.x, y + 13 * u}, words, fits ? Type::Body : Type::Small, Hue::Ink, Align::Left, 1, right.w);
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

WordStrip Picture::strip_of() const {
    return {l.b, w.after, [this](attn::StepId id) { return row_for(step(w.weights.step), asker_row, step(id)); },
            [this](const WordStep& box) { return made({box.step, box.stop}); }, l.in.unfolded, l.in.stage.area};
}

/// Places the strip and what it unfolds: at the bottom or, if it is short, below the output.
void Picture::place_strip() {
    floor_ = l.in.stage.area.bottom();
    strip_at = unfolded_at = {};
    if (lines == Lines::None) return;
    const Rect& all = l.in.stage.area;
    const WordStrip strip = strip_of();
    const float open = unfolded_height(strip), high = strip_height(l.b, lines == Lines::Figure ? StripLines::Figure : StripLines::Name);
    if (open > 0) {
        unfolded_at = {all.x, floor_ - open, all.w, open};
        floor_ -= open + 10 * u;
    }
    strip_at = {all.x, floor_ - high, all.w, high};
    if (!beside) floor_ -= high + (compact ? 18 : 22) * u;
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

}  // namespace

int followed_row(const FlowInput& in, int rows) {
    const int query = in.query >= 0 ? in.query : in.graph.query;
    return query < 0 ? rows - 1 : std::min(query, rows - 1);
}

bool lay_out_word(Layout& l) {
    if (!follows_word(l.in)) return false;
    using Lines = Picture::Lines;
    const bool open = l.in.unfolded.has_value();
    for (const Lines lines : {Lines::Figure, Lines::Name, Lines::Alone, Lines::None}) {
        if (lines == Lines::Alone && !open) continue;
        for (const bool beside : {true, false}) {
            Picture picture(l, *l.graph().word, lines, beside);
            if (!picture.begin()) continue;
            picture.draw();
            return true;
        }
    }
    return false;
}

}  // namespace app::flow
