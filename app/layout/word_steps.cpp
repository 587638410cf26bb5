// Which boxes follow a word, what each reads, and what it contains.

#include "app/layout/word_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/explain/inspection.h"

namespace app {
namespace {

using attn::Op;
using attn::Role;
using attn::StepId;

bool is_shown_of_unit(Role role) { return role == Role::Update || role == Role::Reset || role == Role::Candidate; }

class StepsReader {
public:
    StepsReader(const attn::Trace& trace, const attn::Step& of, StepId begin, const std::vector<WordStep>& boxes)
        : t_(trace), of_(of), begin_(begin), boxes_(boxes) {}

    std::vector<StepId> read_by(StepId id) const {
        std::vector<StepId> out;
        collect(id, out);
        return out;
    }

private:
    bool has_row(StepId id) const { return row_for(of_, 0, t_[id]) >= 0; }
    bool is_box(StepId id) const {
        return std::any_of(boxes_.begin(), boxes_.end(), [&](const WordStep& box) {
            return box.step == id || std::count(box.inside.begin(), box.inside.end(), id) > 0;
        });
    }
    void collect(StepId id, std::vector<StepId>& out) const {
        for (const StepId input : t_[id].inputs) {
            const attn::Step& step = t_[input];
            const bool operand = step.op == Op::Input && look_of(step.tag.role).operand;
            if (operand || !has_row(input)) continue;
            if (is_box(input) || input <= begin_ || step.tag.head != attn::kNoHead || step.tag.role == Role::HeadOutput) {
                if (std::find(out.begin(), out.end(), input) == out.end()) out.push_back(input);
            } else {
                collect(input, out);
            }
        }
    }

    const attn::Trace& t_;
    const attn::Step& of_;
    StepId begin_;
    const std::vector<WordStep>& boxes_;
};

/// The operation that makes a value: a product with a bias counts as a product.
Op made_by(const attn::Trace& trace, StepId id) {
    const attn::Step& step = trace[id];
    return step.op == Op::AddRow && trace[step.inputs[0]].op == Op::MatMul ? Op::MatMul : step.op;
}

float length_of(const attn::RowVector& row) { return row.norm(); }

}  // namespace

bool of_tokens(attn::Axis axis) {
    return axis.kind == attn::Axis::Kind::Tokens || axis.kind == attn::Axis::Kind::SourceTokens;
}

int row_for(const attn::Step& from, int row, const attn::Step& of) {
    if (!of_tokens(of.rows) || of.rows.kind != from.rows.kind) return -1;
    const int at = from.rows.first + row - of.rows.first;
    return at >= 0 && at < static_cast<int>(of.value.rows()) ? at : -1;
}

std::vector<WordStep> word_steps(const attn::Trace& trace, const attn::Step& of, StepId begin,
                                 const std::vector<std::pair<StepId, int>>& steps) {
    std::vector<WordStep> out;
    std::vector<StepId> inside;
    for (const auto& [id, stop] : steps) {
        const attn::Step& step = trace[id];
        if (step.op == Op::Stack) continue;
        if (has_trait(step.tag.role, attn::kGate)) {
            if (is_shown_of_unit(step.tag.role)) inside.push_back(id);
            continue;
        }
        WordStep box{id, stop};
        if (step.tag.role == Role::State) box.inside = std::exchange(inside, {});
        out.push_back(std::move(box));
    }
    const StepsReader reader(trace, of, begin, out);
    std::vector<std::vector<StepId>> reads;
    for (const WordStep& box : out) reads.push_back(reader.read_by(box.step));
    for (std::size_t i = 0; i < out.size(); ++i) {
        WordStep& box = out[i];
        // As inputs of a unit, only states and queries are listed: its gates are shown inside the box.
        if (!box.inside.empty())
            std::erase_if(reads[i], [&](StepId id) { return trace[id].tag.role != Role::State && trace[id].tag.role != Role::Queries; });
        box.reads = std::move(reads[i]);
    }
    return out;
}

bool is_alike(const attn::Tag& a, const attn::Tag& b) {
    return a.role == b.role && a.part == b.part && a.head == b.head && a.pass == b.pass;
}

const WordStep* WordStrip::opened() const {
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const WordStep& step) {
        return open && row(step.step) >= 0 && is_alike(b.step(step.step).tag, *open);
    });
    return found == steps.end() ? nullptr : &*found;
}

std::string name_of_box(const stage::Builder& b, const WordStep& box, float room) {
    const attn::Step& step = b.step(box.step);
    const Language language = b.in.language;
    const auto say = [&](Str text) { return std::string(b.words(text)); };
    switch (step.op) {
        case Op::LayerNorm:
        case Op::RmsNorm: {
            const std::string whole(label_of(attn::op_id(step.op), language));
            return b.in.measure(whole, Type::SmallStrong) <= room ? whole : say(Str::box_norm);
        }
        case Op::Activate:
            if (step.tag.role == Role::Activated) return std::string(name_of(step.as<attn::ActivateParams>().activation));
            break;
        default:
            break;
    }
    switch (step.tag.role) {
        case Role::Attended:
            return say(Str::box_attended);
        case Role::Residual: {
            const bool feeds = step.tag.part == attn::Part::FeedForward || step.tag.part == attn::Part::EncoderFeedForward;
            const std::string whole = say(feeds ? Str::box_plus_ffn : Str::box_plus_attention);
            return feeds || b.in.measure(whole, Type::SmallStrong) <= room ? whole : "+ x";
        }
        case Role::Up:
            return say(Str::box_up);
        case Role::Down:
            return say(Str::box_down);
        case Role::State:
            return say(box.inside.empty() ? Str::box_state : Str::box_unit);
        default:
            return std::string(label_of(attn::role_id(step.tag.role), language));
    }
}

std::string figure_of_box(const WordStrip& strip, const WordStep& box, float room) {
    const attn::Step& step = strip.b.step(box.step);
    const int at = strip.row(box.step);
    if (at < 0 || !step.value.at_hand()) return {};
    const attn::RowVector row = step.value.one_row(at);
    if (row.size() == 0 || !row.allFinite()) return {};
    const auto say = [&](Str text, std::initializer_list<std::string_view> with) {
        std::string whole = fill_in(strip.b.words(text), with);
        return strip.b.in.measure(whole, Type::Small) <= room ? whole : std::string(*with.begin());
    };
    const auto say_change = [&](float times) {
        constexpr float kMany = 10;
        return times < kMany ? say(Str::box_changed, {number_text(100 * times, 0) + "%"}) : say(Str::box_changed_times, {number_text(times, 0)});
    };
    if (step.tag.role == Role::Probabilities) {
        Eigen::Index best = 0;
        const float share = row.maxCoeff(&best);
        return strip.b.label(step.cols, static_cast<int>(best)) + " " + number_text(share);
    }
    if (step.op == Op::Add && !box.reads.empty()) {
        const StepId from = box.reads.front();
        const attn::StepValue& value = strip.b.step(from).value;
        const attn::RowVector before = value.at_hand() ? value.one_row(std::max(0, strip.row(from))) : attn::RowVector();
        const float length = before.size() == row.size() ? length_of(before) : 0;
        if (length > 0 && std::isfinite(length))
            return say_change(length_of(row - before) / length);
    }
    if (step.op == Op::Activate) {
        const auto on = (row.array() != 0).count();
        const std::string of = std::to_string(on), all = std::to_string(row.size()), whole = fill_in(strip.b.words(Str::box_on), {of, all});
        if (on < row.size()) return strip.b.in.measure(whole, Type::Small) <= room ? whole : of + "/" + all;
    }
    return say(Str::box_length, {number_text(length_of(row))});
}

namespace {

/// A row in the unfolded box.
struct RowLine {
    StepId step = attn::kNoStep;
    std::string label;
    bool result = false;
    Fold fold{};
};

class Unfolded {
public:
    Unfolded(const WordStrip& strip, const WordStep& box)
        : strip_(strip), b_(strip.b), box_(box), s_(b_.style().scale), u_(b_.style().label / 13.5f) {
        for (const StepId id : box.reads) add(id, lines_.empty() ? "" : sign_between());
        if (!box.inside.empty() && !lines_.empty()) lines_.front().label = "s  " + std::string(label_of(attn::role_id(Role::State), b_.in.language));
        for (const StepId id : box.inside) add(id, letter_of(id));
        lines_.push_back({box.step, result_sign() + name(box.step), true});
        for (const RowLine& line : lines_) labels_ = std::max(labels_, b_.in.measure(line.label, Type::BodyStrong) + 14 * u_);
        // In a narrow picture, names are above their rows if there is enough height.
        stacked_ = strip.area.w < kNarrow * u_;
        stacked_ = stacked_ && height() + strip_height(b_, StripLines::Name) + 12 * u_ <= strip.area.h;
        labels_ = stacked_ ? 0 : std::min(labels_, strip.area.w * 0.36f);
        cells_w_ = strip.area.w - 20 * s_ - labels_;
        for (RowLine& line : lines_) line.fold = fold_of(line.step);
    }

    float height() const {
        float high = 2 * kInset * u_;
        for (std::size_t i = 0; i < lines_.size(); ++i) high += line_height(i);
        return high;
    }

    void draw(Rect at) {
        // No wider than its rows, and under its box.
        float widest = 0;
        for (const RowLine& line : lines_) widest = std::max(widest, std::max(grid_of(line, {}).area().w, stacked_ ? b_.in.measure(line.label, Type::BodyStrong) : 0));
        const float wide = std::min(at.w, widest + labels_ + 20 * s_);
        float middle = at.center().x;
        for (const OpenSprite& open : b_.scene.opens)
            if (open.step == box_.step) middle = open.rect.center().x;
        at = {std::clamp(middle - wide / 2, at.x, at.right() - wide), at.y, wide, at.h};
        b_.scene.bands.push_back({at, Hue::Paper, 1, 8 * s_});
        BandSprite edge{at, Hue::Accent, 0.6f, 8 * s_};
        edge.outline = true;
        b_.scene.bars.push_back(edge);
        float y = at.y + kInset * u_;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            draw_line(i, {at.x + 10 * s_, y, at.w - 20 * s_, line_height(i)});
            y += line_height(i);
        }
    }

private:
    static constexpr float kInset = 7, kLine = 26, kNames = 14, kLabel = 19, kNarrow = 800;
    float line_height(std::size_t i) const { return (kLine + (names_above(i) ? kNames : 0) + (stacked_ ? kLabel : 0)) * u_; }

    const attn::Step& step(StepId id) const { return b_.step(id); }
    std::string name(StepId id) const { return app::name_of(b_.trace(), id, b_.in.language); }
    void add(StepId id, const std::string& sign) { lines_.push_back({id, sign + name(id), false}); }
    Eigen::Index width(std::size_t i) const { return step(lines_[i].step).value.cols(); }
    /// Column names are written above the first row, and again where the width changes.
    bool names_above(std::size_t i) const { return i == 0 || width(i) != width(i - 1); }

    std::string sign_between() const {
        switch (step(box_.step).op) {
            case Op::Add:
                return "+ ";
            case Op::Multiply:
                return "× ";
            default:
                return {};
        }
    }
    /// The letter of the unit's formula.
    std::string letter_of(StepId id) const {
        switch (step(id).tag.role) {
            case Role::Update:
                return "z  ";
            case Role::Reset:
                return "r  ";
            default:
                return "n  ";
        }
    }
    std::string result_sign() const {
        if (!box_.inside.empty()) return "s + z · (n − s) = ";
        const attn::Step& made = step(box_.step);
        switch (made_by(b_.trace(), box_.step)) {
            case Op::MatMul:
                return made.op == Op::AddRow ? "· W + b = " : "· W = ";
            case Op::LayerNorm:
            case Op::RmsNorm:
                return norm_sign(made);
            case Op::Activate:
                return std::string(name_of(made.as<attn::ActivateParams>().activation)) + " = ";
            case Op::Softmax:
                return "softmax = ";
            default:
                return "= ";
        }
    }
    std::string norm_sign(const attn::Step& made) const {
        const StepId from = made.inputs[0];
        const int row = strip_.row(from);
        if (row < 0 || !step(from).value.at_hand()) return "= ";
        const auto x = step(from).value.one_row(row).template cast<double>().eval();
        const bool centred = made.op == Op::LayerNorm;
        const double mean = centred ? x.mean() : 0,
                     spread = std::sqrt((x.array() - mean).square().mean() + static_cast<double>(made.as<attn::NormParams>().epsilon));
        const std::string over = " / " + number_text(static_cast<float>(spread)) + " · γ";
        return centred ? "(x " + minus_text(static_cast<float>(mean)) + ")" + over + " + β = " : "x" + over + " = ";
    }

    /// As many columns as have room for their figures; if not all, the largest, with the others in one slot after them.
    Fold fold_of(StepId id) const {
        const StepId by = step(id).value.cols() == step(box_.step).value.cols() ? box_.step : id;
        const auto cols = static_cast<int>(step(id).value.cols());
        const int most = static_cast<int>(cells_w_ / least());
        if (cols <= most) return {};
        const attn::RowVector row = step(by).value.one_row(std::max(0, strip_.row(by)));
        constexpr float kRest = 1.7f;
        Fold fold = stage::fold_to(cols, most - 1, -1, [&](int c) { return std::abs(row[c]); });
        fold.rest = kRest;
        return fold;
    }
    float least() const { return b_.in.measure("-00.00", Type::Number) + 6 * u_; }

    Grid grid_of(const RowLine& line, Point at) const {
        const auto cols = static_cast<int>(step(line.step).value.cols());
        const float pitch = std::min(cells_w_ / line.fold.pitches(cols), 62 * u_), high = (kLine - 3) * u_;
        Grid grid{at, high, 1, cols, 2 * s_, pitch / high};
        grid.col_fold = line.fold;
        return grid;
    }

    void draw_line(std::size_t i, Rect all) const {
        const RowLine& line = lines_[i];
        const bool names = names_above(i);
        const attn::Step& of = step(line.step);
        const Rect at{all.x + labels_, all.bottom() - kLine * u_, all.w - labels_, kLine * u_};
        const Rect label = stacked_ ? Rect{all.x, all.y, all.w, kLabel * u_} : Rect{all.x, at.y, labels_ - 8 * u_, at.h};
        const int row = strip_.row(line.step);
        const Hue hue = hue_of(of.tag);
        b_.scene.labels.push_back({{label.x, label.center().y + 4.6f * u_}, line.label, line.result ? Type::BodyStrong : Type::Body,
                                   line.result ? hue : Hue::Ink, Align::Left, 1, label.w});
        if (row < 0) return;
        const auto cols = static_cast<int>(of.value.cols());
        const Grid grid = grid_of(line, {at.x, at.y + 1.5f * u_});
        const Fold& fold = grid.col_fold;
        const float pitch = grid.pitch_x();
        const double there = line.result ? strip_.made(box_) : 1;
        if (there > 0) {
            MatrixSprite& m = b_.matrix(line.step, grid);
            m.first_row = row;
            m.smallest = 2;
            m.lit_row = 0;
            if (there < 1) m.reveal = {0, 0, false, static_cast<float>(there) * static_cast<float>(cols), 1};
        }
        if (!names) return;
        const float base = at.y - 2.5f * u_;
        for (int slot = 0; slot < (fold.on() ? fold.count : cols); ++slot) {
            const int c = fold.on() ? fold.indices[static_cast<std::size_t>(slot)] : slot;
            const Rect cell = grid.at(0, c);
            b_.scene.labels.push_back({{cell.center().x, base}, b_.label(of.cols, c), Type::Small, Hue::Soft, Align::Center, 1, cell.w});
        }
        if (!fold.on()) return;
        const float left = grid.origin.x + pitch * fold.before(fold.count);
        b_.scene.labels.push_back({{left + pitch * fold.rest / 2, base}, fill_in(b_.words(Str::flow_more), {std::to_string(cols - fold.count)}),
                                   Type::Small, Hue::Soft, Align::Center, 1, pitch * fold.rest});
    }

    const WordStrip& strip_;
    stage::Builder& b_;
    const WordStep& box_;
    const float s_, u_;
    std::vector<RowLine> lines_{};
    float labels_ = 0, cells_w_ = 0;
    bool stacked_ = false;
};

}  // namespace

float unfolded_height(const WordStrip& strip) {
    const WordStep* box = strip.opened();
    return box ? Unfolded(strip, *box).height() : 0;
}

void lay_out_unfolded(const WordStrip& strip, Rect at) {
    if (const WordStep* box = strip.opened()) Unfolded(strip, *box).draw(at);
}

void arrow_along(stage::Builder& b, std::vector<Point> points, Hue hue, float width, float alpha) {
    const Point end = points.back(), before = points[points.size() - 2];
    b.path(std::move(points), hue, width, alpha);
    b.path({before, end}, hue, width, alpha, true);
}

float strip_height(const stage::Builder& b, StripLines lines) {
    return (lines == StripLines::Figure ? 54.0f : 38.0f) * b.style().label / 13.5f;
}

namespace {

bool is_inside_feed_forward(Role role) {
    return role == Role::Up || role == Role::Activated || role == Role::Side || role == Role::Gated;
}

/// The boxes of a strip with their names and widths.
struct StripPlan {
    std::vector<const WordStep*> boxes{};
    std::vector<std::string> names{};
    std::vector<float> widths{};
    float gap = 0, pad = 0;
    bool whole_names = true;
};

/// All boxes are equally wide, unless a name needs more: those with shorter names give it.
void set_widths(StripPlan& plan, const WordStrip& strip, float equal) {
    std::vector<float> needs;
    for (const std::string& name : plan.names) needs.push_back(strip.b.in.measure(name, Type::SmallStrong) + 2 * plan.pad + 1);
    const float sum = std::accumulate(needs.begin(), needs.end(), 0.0f), total = equal * static_cast<float>(needs.size());
    plan.whole_names = sum <= total;
    float level = plan.whole_names ? equal : 0;
    for (std::size_t pass = 0; plan.whole_names && pass < needs.size(); ++pass) {
        float above = 0, below = 0;
        for (const float need : needs) (need > level ? above : below) += need > level ? need : 1;
        level = (total - above) / std::max(1.0f, below);
    }
    for (const float need : needs) plan.widths.push_back(std::max(need, level) * (plan.whole_names ? 1 : total / sum));
}

StripPlan plan_with(const WordStrip& strip, float wide, bool folded) {
    const float s = strip.b.style().scale, u = strip.b.style().label / 13.5f;
    StripPlan out;
    for (const WordStep& box : strip.steps)
        if (!folded || !is_inside_feed_forward(strip.b.step(box.step).tag.role)) out.boxes.push_back(&box);
    const auto count = static_cast<float>(out.boxes.size());
    out.gap = std::min(20 * s, wide * (wide < 800 * u ? 0.08f : 0.12f) / count);
    out.pad = std::min(7 * s, out.gap / 2);
    const float equal = std::min((wide - out.gap * (count - 1)) / count, 190 * u);
    for (const WordStep* box : out.boxes)
        out.names.push_back(folded && strip.b.step(box->step).tag.role == Role::Down ? "FFN" : name_of_box(strip.b, *box, equal - 2 * out.pad));
    set_widths(out, strip, equal);
    return out;
}

/// Where not all names have room, the feed-forward network is one box, unless a box inside it is unfolded.
StripPlan plan_of(const WordStrip& strip, float wide) {
    StripPlan whole = plan_with(strip, wide, false);
    const WordStep* opened = strip.opened();
    if (whole.whole_names || (opened && is_inside_feed_forward(strip.b.step(opened->step).tag.role))) return whole;
    return plan_with(strip, wide, true);
}

}  // namespace

void lay_out_strip(const WordStrip& strip, Rect at, StripLines lines) {
    stage::Builder& b = strip.b;
    const float s = b.style().scale, u = b.style().label / 13.5f;
    const StripPlan plan = plan_of(strip, at.w);
    const float gap = plan.gap, pad = plan.pad;
    const WordStep* opened = strip.opened();
    std::vector<Rect> boxes;
    float x = at.x;
    for (const float wide : plan.widths) {
        boxes.push_back({x, at.y, wide, at.h});
        x += wide + gap;
    }
    const auto box_of = [&](attn::StepId id) -> int {
        for (std::size_t i = 0; i < plan.boxes.size(); ++i)
            if (plan.boxes[i]->step == id) return static_cast<int>(i);
        return -1;
    };
    for (std::size_t i = 0; i < plan.boxes.size(); ++i) {
        const WordStep& box = *plan.boxes[i];
        const attn::Step& of = b.step(box.step);
        const Rect r = boxes[i];
        const double there = strip.made(box);
        const bool open = &box == opened;
        b.scene.bands.push_back({r, Hue::Paper, 1, 7 * s});
        BandSprite edge{r, open || (there > 0 && there < 1) ? Hue::Accent : Hue::Rule, 1, 7 * s};
        edge.outline = true;
        b.scene.bars.push_back(edge);
        const float inside = r.w - 2 * pad;
        const auto text = [&](float y, std::string words, Type type, Hue hue, float alpha) {
            b.scene.labels.push_back({{r.x + pad, y}, std::move(words), type, hue, Align::Left, alpha, inside});
        };
        text(r.y + 15 * u, plan.names[i], Type::SmallStrong, hue_of(of.tag), there > 0 ? 1.0f : 0.45f);
        const Rect bar{r.x + pad, r.y + 21 * u, inside, 11 * u};
        const int row = strip.row(box.step);
        if (there > 0 && row >= 0) {
            const auto cols = static_cast<int>(of.value.cols());
            const float pitch = bar.w / static_cast<float>(cols);
            MatrixSprite& m = b.matrix(box.step, {bar.top_left(), bar.h, 1, cols, cols <= 24 ? std::min(1.5f * s, pitch * 0.15f) : 0, pitch / bar.h});
            m.first_row = row;
            m.numbers = m.pickable = false;
            m.smallest = 2;
            if (there < 1) m.reveal = {0, 0, false, static_cast<float>(there) * static_cast<float>(cols), 1};
        }
        if (lines == StripLines::Figure && there >= 1) text(r.y + 47 * u, figure_of_box(strip, box, inside), Type::Small, Hue::Soft, 1);
        b.scene.opens.push_back({r, box.step});
        // Arrows from box to box; a residual connection is drawn over the boxes between.
        if (i > 0) b.path({{boxes[i - 1].right() + 2 * s, r.center().y}, {r.x - 2 * s, r.center().y}}, Hue::Output, 1.4f * s, there > 0 ? 0.8f : 0.3f, true);
        if (of.op != Op::Add || box.reads.empty()) continue;
        const int from = box_of(box.reads.front());
        if (from < 0 || from + 1 >= static_cast<int>(i)) continue;
        const Rect start = boxes[static_cast<std::size_t>(from)];
        const float over = r.y - 9 * s;
        arrow_along(b, {{start.center().x, r.y - 1 * s}, {start.center().x, over}, {r.center().x, over}, {r.center().x, r.y - 1 * s}}, Hue::Output, 1.4f * s,
                    there > 0 ? 0.7f : 0.25f);
    }
}

}  // namespace app
