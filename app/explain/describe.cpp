#include "app/explain/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/explain/form_words.h"
#include "app/explain/intervention_words.h"
#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"
#include "core/document/fields.h"

namespace app {
namespace {

using attn::Role;
using Eigen::Index;

/// At most this many tokens of a long text are read out, and this many rows of a large matrix.
constexpr std::size_t kTokensSaid = 40;
constexpr Index kRowsSaid = 12;
/// A row attends "mostly" to a token with more weight than kMost; tokens with less than kLeast are not named.
constexpr float kMost = 0.5f, kLeast = 0.1f;
constexpr std::size_t kNamed = 3;

bool shares_out(Role role) {
    return role == Role::Weights || role == Role::LocalWeights || role == Role::Drawn || role == Role::Probabilities;
}

struct Teller {
    const DescribeSource& s;
    std::string out{};

    std::string say(Str string, std::initializer_list<std::string_view> arguments = {}) const {
        return fill_in(tr(string, s.language), arguments);
    }
    bool chinese() const { return s.language == Language::Chinese; }
    std::string quoted(std::string_view text) const { return fmt::format("“{}”", text); }
    /// Between the items of an enumeration.
    std::string_view comma() const { return chinese() ? "、" : ", "; }
    std::string number(float value) const { return number_text(value); }
    void paragraph(const std::string& text) {
        if (!text.empty()) out += text + '\n';
    }
    /// Adds a sentence; Chinese has no space in between.
    void add(std::string& text, const std::string& sentence) const {
        text.append(text.empty() || chinese() ? "" : " ").append(sentence);
    }
    const attn::Step& step() const { return s.trace[s.step]; }
    /// Labels as shown: transposed where tokens are columns.
    bool turned() const { return s.convention == attn::Convention::Columns; }
    std::string row_label(Index r) const { return quoted(s.labels.spoken(step().rows, static_cast<int>(r))); }
    std::string col_label(Index c) const { return quoted(s.labels.spoken(step().cols, static_cast<int>(c))); }
    std::string place_of(Index r, Index c) const {
        return turned() ? say(Str::described_at, {col_label(c), row_label(r)})
                        : say(Str::described_at, {row_label(r), col_label(c)});
    }

    std::string tokens(const std::vector<std::string>& all) const {
        std::string text;
        for (std::size_t i = 0; i < std::min(all.size(), kTokensSaid); ++i)
            text.append(i == 0 || chinese() ? "" : ", ").append(quoted(all[i]));
        if (all.size() > kTokensSaid) add(text, say(Str::described_more, {std::to_string(all.size() - kTokensSaid)}));
        return text;
    }

    void computation() {
        const std::string form(form_title(s.document, s.language));
        if (s.labels.tokens.empty()) return paragraph(say(Str::described_no_tokens, {form}));
        paragraph(say(Str::described_form, {form, std::to_string(s.labels.tokens.size()), tokens(s.labels.tokens)}));
        if (!s.labels.source_tokens.empty())
            paragraph(say(Str::described_source,
                          {std::to_string(s.labels.source_tokens.size()), tokens(s.labels.source_tokens)}));
    }

    /// The settings that affect the picture and differ from the defaults of a document.
    void choices() {
        std::string text;
        const auto also = [&](Str title, std::string_view value) {
            text += (text.empty() ? ""
                     : chinese()  ? "；"
                                  : "; ") +
                    say(Str::named_value, {tr(title, s.language), value});
        };
        const attn::AttentionConfig& c = s.document.config;
        if (const std::string_view score = attn::score_of(c); !score.empty())
            also(Str::score, label_of(score, s.language));
        const attn::AttentionConfig plain;
        if (c.heads != plain.heads) also(Str::heads, std::to_string(c.heads));
        if (c.mask != plain.mask) also(Str::mask, label_of(c.mask, s.language));
        if (c.scope != plain.scope) also(Str::scope, label_of(c.scope, s.language));
        if (c.position != plain.position) also(Str::position, label_of(c.position, s.language));
        if (c.selection != plain.selection) also(Str::selection, label_of(c.selection, s.language));
        if (c.temperature != plain.temperature) also(Str::temperature, fmt::format("{:g}", c.temperature));
        if (!text.empty()) paragraph(text + (chinese() ? "。" : "."));
        for (const attn::Intervention& put : s.document.interventions)
            paragraph(intervention_words(put, s.language, s.count) + (chinese() ? "。" : "."));
        if (!s.document.edits.empty())
            paragraph(say(Str::edit_count, {std::to_string(s.document.edits.size())}) + (chinese() ? "。" : "."));
    }

    void shown_step() {
        const std::string name(name_of(s.trace, s.step, s.language));
        std::string text = s.places > 0
                               ? say(Str::described_step, {std::to_string(s.place), std::to_string(s.places), name})
                               : say(Str::described_step_alone, {name});
        if (step().tag.head != attn::kNoHead) text += say(Str::described_head, {attn::number_of(step().tag.head, s.count)});
        const Str does = is_reverse(step().tag) ? says_of_reverse(step()) : say_of_file(step()).value_or(look_of(step().tag.role).say);
        text += say(Str::described_does, {tr(in_convention(does, s.convention), s.language)});
        paragraph(text);
        if (!s.caption.empty()) paragraph(s.caption + (chinese() ? "。" : "."));
    }

    std::string axis(attn::Axis which, Index count, bool rows) const {
        const std::string_view kind = tr(axis_words(which.kind), s.language);
        return say(rows ? Str::described_rows : Str::described_columns, {std::to_string(count), kind});
    }
    static Str axis_words(attn::Axis::Kind kind) {
        switch (kind) {
            case attn::Axis::Kind::Tokens:
                return Str::axis_tokens;
            case attn::Axis::Kind::SourceTokens:
                return Str::axis_source_tokens;
            case attn::Axis::Kind::Features:
                return Str::axis_features;
            case attn::Axis::Kind::Pairs:
                return Str::axis_pairs;
            case attn::Axis::Kind::Distances:
                return Str::axis_distances;
            case attn::Axis::Kind::Words:
                return Str::axis_words;
            case attn::Axis::Kind::Things:
                return Str::axis_things;
            case attn::Axis::Kind::Units:
                break;
        }
        return Str::axis_units;
    }

    void matrix() {
        const attn::Matrix& value = step().value;
        if (value.size() == 0) return;
        const attn::Axis over = turned() ? step().cols : step().rows, along = turned() ? step().rows : step().cols;
        const Index rows = turned() ? value.cols() : value.rows(), cols = turned() ? value.rows() : value.cols();
        std::string text = say(Str::described_matrix, {axis(over, rows, true), axis(along, cols, false)});
        Index high_r = -1, high_c = 0, low_r = 0, low_c = 0, hidden = 0;
        for (Index r = 0; r < value.rows(); ++r)
            for (Index c = 0; c < value.cols(); ++c) {
                const float v = value(r, c);
                if (!std::isfinite(v)) {
                    ++hidden;
                    continue;
                }
                if (high_r < 0) std::tie(high_r, high_c, low_r, low_c) = std::tuple(r, c, r, c);
                if (v > value(high_r, high_c)) std::tie(high_r, high_c) = std::pair(r, c);
                if (v < value(low_r, low_c)) std::tie(low_r, low_c) = std::pair(r, c);
            }
        if (high_r >= 0)
            add(text, say(Str::described_extremes, {number(value(high_r, high_c)), place_of(high_r, high_c),
                                                number(value(low_r, low_c)), place_of(low_r, low_c)}));
        if (hidden > 0) add(text, say(Str::described_masked, {std::to_string(hidden)}));
        paragraph(text);
    }

    /// "“bank” attends mostly to “river” (0.62), then “the” (0.20)."
    std::string attends(Index row) const {
        const attn::Matrix& value = step().value;
        std::vector<Index> order;
        for (Index c = 0; c < value.cols(); ++c)
            if (std::isfinite(value(row, c))) order.push_back(c);
        if (order.empty() && value.cols() > 0) return say(Str::described_no_numbers, {row_label(row)});
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return value(row, a) > value(row, b); });
        if (order.empty() || !(value(row, order.front()) > 0)) return say(Str::described_attends_nothing, {row_label(row)});
        const auto named = [&](Index c) { return fmt::format("{} ({})", col_label(c), number(value(row, c))); };
        std::string then;
        for (std::size_t i = 1; i < std::min(order.size(), kNamed) && value(row, order[i]) >= kLeast; ++i)
            then.append(then.empty() ? "" : comma()).append(named(order[i]));
        const Str how = value(row, order.front()) > kMost ? Str::described_attends_mostly : Str::described_attends;
        std::string text = say(how, {row_label(row), named(order.front())});
        if (!then.empty()) text += say(Str::described_then, {then});
        return text + (chinese() ? "。" : ".");
    }
    void weights() {
        if (is_reverse(step().tag) || !shares_out(step().tag.role)) return;
        const Index count = step().value.rows();
        for (Index r = 0; r < std::min(count, kRowsSaid); ++r) paragraph(attends(r));
        if (count > kRowsSaid) paragraph(say(Str::described_more_rows, {std::to_string(count - kRowsSaid)}));
    }

    void cell() {
        if (!s.cell) return;
        const Inspection i = inspect(s.trace, *s.cell, s.labels, s.language, s.convention, s.count);
        const float value = s.trace[s.cell->step].value(s.cell->row, s.cell->col);
        std::string text = say(Str::described_cell, {i.matrix, quoted(turned() ? i.col_label : i.row_label),
                                                 quoted(turned() ? i.row_label : i.col_label), number(value)});
        std::string chain;
        for (const ChainRow& row : i.chain)
            chain.append(chain.empty() ? ""
                         : chinese()   ? "；"
                                       : "; ")
                .append(row.how)
                .append(" → ")
                .append(row.infinite ? "−∞" : number(row.value));
        if (!chain.empty()) add(text, say(Str::described_chain, {chain}));
        paragraph(text);
        paragraph(attn::explain_text(s.trace, i.explanation));
        paragraph(i.note);
    }
};

}  // namespace

std::string describe_view(const DescribeSource& source) {
    Teller teller{source};
    teller.computation();
    teller.choices();
    if (source.page) {
        teller.paragraph(*source.page);
        return std::move(teller.out);
    }
    if (source.step == attn::kNoStep) return std::move(teller.out);
    teller.shown_step();
    teller.matrix();
    teller.weights();
    teller.cell();
    return std::move(teller.out);
}

}  // namespace app
