#pragma once
// Lines from queries on the left to keys on the right. Lines and pointer input are in lines.cpp, the words and bars
// next to them in lines_words.cpp.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/screens/heads/maps.h"

namespace app {

inline float finite(float weight) { return std::isfinite(weight) && weight > 0 ? weight : 0; }

struct LinesColumn {
    float top = 0, each = 0;
    int count = 0;
    float y(int i) const { return top + (static_cast<float>(i) + 0.5f) * each; }
    int at(float pixel) const {
        const int i = static_cast<int>(std::floor((pixel - top) / each));
        return i >= 0 && i < count ? i : -1;
    }
};

struct LinesPainter {
    const Frame& f;
    const HeadsData& data;
    const HeadsPlace& place;
    Rect area;
    LinesColumn queries{}, keys{};
    float left = 0, right = 0;  ///< x positions of the lines' ends
    float name_w = 0, given_w = 0, received_w = 0;
    std::optional<TokenSpot> spot{};  ///< under the pointer

    const HeadsChoice& choice() const { return f.view().part<HeadsChoice>(); }
    Painter& p() const { return f.painter(); }
    float divisor() const;
    void fit(Rect body);
    void find_spot();
    /// If nothing is under the pointer, uses what the chapter's text points at. Returns whether it does.
    bool spot_in_words();

    // -- lines

    /// Whether all maps are held; else only rows are read, and of a key what is drawn is shown.
    bool reads_columns() const { return holds_drawn(data); }
    /// 0 for a hidden key.
    float weight(const DrawnMap& map, int query, int key) const;

    Ink color(const DrawnMap& map) const { return f.theme.head(map.head); }

    /// Offset of a head's line: lines of several heads run side by side, so that none hides another.
    float strand(std::size_t map) const;
    void line(const attn::AttentionLine& one, float strength) const;
    bool reaches_threshold(std::size_t map, int query, float weight) const;
    void lines_of_spot() const;
    void lines(std::optional<QueryKey> meant) const;

    /// The line under the pointer. All have the same shape: y goes from end to end as 3t² − 2t³ while x is at t.
    const attn::AttentionLine* under_pointer() const;

    // -- tokens

    bool is_picked(bool key, int i) const;
    bool is_spot(bool key, int i) const { return spot && spot->key == key && spot->index == i; }

    std::vector<int> always(bool key, std::optional<QueryKey> meant) const;
    void names(bool key, std::optional<QueryKey> meant) const;

    // -- the sums of weights per token

    /// Nothing is claimed about a blank word, so it has no bar.
    bool is_blank(bool key, int i) const;
    float received(const DrawnMap& map, int key) const;
    float given(const DrawnMap& map, int query) const;
    bool is_of_key() const { return spot && spot->key && reads_columns(); }
    bool shows_given() const { return given_w > 0 && (is_of_key() || !choice().keys.empty()); }

    template <class Of>
    void bars(bool key, Of of) const {
        const LinesColumn& column = key ? keys : queries;
        std::vector<float> sums;
        float longest = 0;
        for (int i = 0; i < column.count; ++i) {
            float sum = 0;
            for (const DrawnMap& map : data.drawn) sum += of(map, i);
            sums.push_back(sum / divisor());
            longest = std::max(longest, sums.back());
        }
        if (longest <= 0) return;
        // If several tokens share a pixel, the largest one's bar is drawn.
        const int together = std::max(1, static_cast<int>(std::lround(1 / std::max(column.each, 0.01f))));
        const auto largest_from = [&](int first) {
            const auto begin = sums.begin() + first;
            return static_cast<int>(std::max_element(begin, begin + std::min(together, column.count - first)) -
                                    sums.begin());
        };
        const float number_w = p().width("<0.01%", Type::NumberSmall) + f.px(6);
        const float room = (key ? received_w : given_w) - number_w - f.px(8);
        const float thick = together > 1 ? 1 : std::min(f.px(12), column.each * 0.62f);
        const std::vector<bool> shown =
            thinned(column.count, column.each, f.theme.em(Type::NumberSmall) * 1.3f, always(key, std::nullopt));
        float end = 0;  // of the last bar
        for (int i = 0; i < column.count; ++i) {
            float x = key ? right + name_w + f.px(8) : left - name_w - f.px(8);
            const int drawn = largest_from(i - i % together);
            if (i % together != 0) x = end;
            for (const DrawnMap& map : data.drawn) {
                if (i % together != 0) break;
                const float w = room * of(map, drawn) / divisor() / longest;
                const Rect bar{key ? x : x - w, column.y(i) - thick / 2, w, thick};
                if (w > 0.2f) p().fill(bar, color(map).faded(0.8f), std::min(f.px(2), w / 2));
                x += key ? w : -w;
            }
            end = x;
            if (!shown[static_cast<std::size_t>(i)] || sums[static_cast<std::size_t>(i)] <= 0) continue;
            const Rect at{key ? x + f.px(5) : x - f.px(5) - number_w, column.y(i) - f.px(10), number_w, f.px(20)};
            // The weights of one token are shares of 1; sums over several tokens are not.
            const float sum = sums[static_cast<std::size_t>(i)];
            p().text_in(at, spot ? weight_text(sum) : number_text(sum),
                        {Type::NumberSmall, key ? Align::Left : Align::Right}, Hue::Soft);
        }
    }

    void titles() const;

    // -- pointer input

    /// The pair that a token means where a pair is needed: for a query, the key that it attends to most among the drawn
    /// ones; for a key, the query that attends to it most.
    QueryKey strongest_of(TokenSpot token) const;
    void press_token() const;
    void say_line(const attn::AttentionLine& one) const;
    void touch(const attn::AttentionLine* under) const;
    void record() const;

    mutable std::map<std::pair<int, int>, attn::RowVector> rows{};  ///< of maps that are not held, by head and query
};

}  // namespace app
