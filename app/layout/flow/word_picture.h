#pragma once
// The picture of one word's flow, shared by the files that lay it out. Internal to them.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/layout/flow/parts.h"

namespace app::flow::word {

inline constexpr float kLit = 0.5f;       ///< opacity of what is in focus
inline constexpr float kThickest = 50;    ///< design pixels: a lane of weight 1
inline constexpr int kFewWords = 6;       ///< their rows are higher, and have figures
inline constexpr int kFewCells = 8;       ///< of a head: with more there are no figures
inline constexpr float kBlockShare = 0.225f;  ///< the share of the width that a head's few numbers may take to have figures

inline float mixed(float a, float z, float t) { return a + (z - a) * t; }

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

}  // namespace app::flow::word
