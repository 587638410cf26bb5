// Which keys and queries the flow of a word shows, so that the figures of its row have room.

#include "app/layout/flow/word_picture.h"

namespace app::flow::word {
namespace {

constexpr float kCompact = 800;   ///< design pixels of text: below, or while presenting, only what matters is shown
constexpr int kFewestKeys = 5;    ///< the least number of keys shown in small type, before the figures go
constexpr int kMostKeys = 11;     ///< of a long text, if their figures fit
constexpr std::size_t kBeside = 2;  ///< the most boxes after the attention that are drawn below the output
constexpr float kLeastPanel = 100, kLeastCompactPanel = 62;  ///< of the followed row, before the strip goes

}  // namespace

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

}  // namespace app::flow::word
