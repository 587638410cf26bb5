#include "app/cli/circuits_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/cli/target_word.h"
#include "app/cli/columns.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using CircuitLine = std::vector<std::string>;
using attn::Compositions;
using attn::HeadCircuit;

constexpr std::size_t kSingularOnALine = 12;

std::string head_label(const attn::Tag& tag, attn::CountFrom count) {
    const std::string place = attn::head_place_text(tag.layer, std::max(tag.head, 0), count);
    return tag.part == attn::Part::Main ? place : fmt::format("{} {}", attn::part_id(tag.part), place);
}

std::string score_text(double score) { return std::isfinite(score) ? fmt::format("{:.3f}", score) : "-"; }
std::string signed_score(double score) { return std::isfinite(score) ? fmt::format("{:+.3f}", score) : "-"; }

/// The number of equal singular values with the same sum of squares and sum of fourth powers.
double rank_of(const std::vector<double>& singular) {
    double squares = 0, fourths = 0;
    for (const double one : singular) {
        squares += one * one;
        fourths += one * one * one * one;
    }
    return fourths > 0 ? squares * squares / fourths : 0;
}

std::string word_text(const attn::Trace& trace, int id) { return attn::in_quotes(attn::axis_label(trace, {attn::Axis::Kind::Words}, id)); }

std::string words_text(const attn::Trace& trace, const std::vector<attn::WordNumber>& words) {
    std::string out;
    for (const attn::WordNumber& one : words) out += fmt::format("{}{} {:+.3g}", out.empty() ? "" : ", ", word_text(trace, one.id), one.value);
    return out;
}

/// What is folded into the matrices, and what is not.
std::string folding_text(const attn::CircuitFolding& folded) {
    std::vector<std::string> in, out;
    if (folded.gain) in.emplace_back("the norm's γ (W_Q, W_K, W_V)");
    if (folded.input_gain) in.emplace_back("the norm of the inputs: its γ, and the mean that a layer norm takes off (W_E)");
    if (folded.final_gain) in.emplace_back("the last norm's γ (W_U)");
    if (folded.centred) in.emplace_back("that a layer norm takes the mean off (all that reads or writes the stream)");
    if (folded.outer_gain) in.emplace_back("γ of the norm of what attention made (W_O)");
    if (folded.layer_scale) in.emplace_back("the learned scale of what attention made (W_O)");
    if (folded.head_gain) in.emplace_back("γ of the norms of queries and keys (W_Q, W_K)");
    if (folded.sum_normed) out.emplace_back("the norms of each block's sum, which stand between heads");
    out.emplace_back(folded.sum_normed ? "1/√d_k" : "the norms' scales, 1/√d_k");
    if (folded.biased) out.emplace_back("biases");
    if (folded.by_distance) out.emplace_back("numbers by distance");
    if (folded.capped) out.emplace_back("the cap on scores");
    if (folded.gated) out.emplace_back("the gate");
    std::string text = in.empty() ? "nothing is folded in" : fmt::format("folded in: {}", fmt::join(in, "; "));
    text += fmt::format("; left out: {}\n", fmt::join(out, ", "));
    if (folded.rotary) text += "queries and keys are rotated by their places (RoPE): W_QK is that of a distance of 0, a token that looks at itself\n";
    if (folded.heads_per_key > 1) text += fmt::format("{} heads share W_K and W_V\n", folded.heads_per_key);
    if (folded.cross) text += "cross-attention is not among the heads\n";
    return text;
}

std::string heads_table_of(const CircuitsReport& report) {
    std::vector<CircuitLine> rows = {{"head", "‖W_OV‖", "rank", "copying", "‖W_QK‖", "rank"}};
    for (const HeadCircuit& head : report.circuits.heads)
        rows.push_back({head_label(head.tag, report.count), score_text(head.ov_norm()), fmt::format("{:.1f}", rank_of(head.ov)), signed_score(head.copying),
                        score_text(head.qk_norm()), fmt::format("{:.1f}", rank_of(head.qk))});
    return in_columns(rows, right_but_first(rows.front().size()));
}

struct Pair {
    std::size_t writer = 0, reader = 0;
    double score = 0;
};
/// In descending order.
std::vector<Pair> pairs_of(const CircuitsReport& report, attn::Composes by) {
    std::vector<Pair> out;
    const Eigen::MatrixXf& scores = report.compositions[by];
    for (Eigen::Index r = 0; r < scores.rows(); ++r)
        for (Eigen::Index w = 0; w < scores.cols(); ++w)
            if (std::isfinite(scores(r, w))) out.push_back({static_cast<std::size_t>(w), static_cast<std::size_t>(r), static_cast<double>(scores(r, w))});
    std::stable_sort(out.begin(), out.end(), [](const Pair& a, const Pair& b) { return a.score > b.score; });
    return out;
}

std::string compositions_table(const CircuitsReport& report) {
    const auto name = [&](std::size_t i) { return head_label(report.compositions.heads[i], report.count); };
    std::vector<CircuitLine> rows(1);
    for (const std::string_view by : attn::kComposes) rows.front().push_back(fmt::format("by {}", static_cast<char>(by.front() - 'a' + 'A')));
    bool any = false;
    for (std::size_t by = 0; by < attn::kComposes.size(); ++by) {
        const auto pairs = pairs_of(report, static_cast<attn::Composes>(by));
        any |= !pairs.empty();
        for (std::size_t i = 0; i < std::min(pairs.size(), static_cast<std::size_t>(report.top)); ++i) {
            if (rows.size() < i + 2) rows.resize(i + 2);
            rows[i + 1].resize(attn::kComposes.size());
            rows[i + 1][by] = fmt::format("{:.3f}  {} → {}", pairs[i].score, name(pairs[i].writer), name(pairs[i].reader));
        }
    }
    if (!any) return "";
    return fmt::format("\ncomposition, the head that writes → the head that reads; by chance {:.3f}\n", report.compositions.chance) + in_columns(rows, {}, 2);
}

std::string singular_text(std::string_view name, const std::vector<double>& values) {
    std::string out = fmt::format("singular values of {}", name);
    for (std::size_t i = 0; i < values.size(); ++i) out += fmt::format("{}{:.4g}", i % kSingularOnALine == 0 ? "\n  " : " ", values[i]);
    return out + "\n";
}

/// Rows of a matrix of words × words.
std::string rows_table(const attn::Trace& trace, std::string_view title, std::vector<std::string> head, const std::vector<attn::WordRow>& words) {
    if (words.empty()) return "";
    std::vector<CircuitLine> rows = {std::move(head)};
    for (const attn::WordRow& one : words)
        rows.push_back({word_text(trace, one.id), fmt::format("{:+.3g}", one.itself), fmt::format("{}", one.rank), words_text(trace, one.says.most), words_text(trace, one.says.least)});
    return fmt::format("\n{}\n", title) + in_columns(rows, {Side::Left, Side::Right, Side::Right}, 2);
}

void write_finite(attn::JsonWriter& out, std::string_view key, double value) {
    out.key(key);
    std::isfinite(value) ? out.number(value) : out.null();
}

void write_word_numbers(attn::JsonWriter& out, const attn::Trace& trace, std::string_view key, const std::vector<attn::WordNumber>& words) {
    out.key(key);
    out.begin_array();
    for (const attn::WordNumber& one : words) {
        out.begin_object();
        out.key("id");
        out.integer(one.id);
        out.key("text");
        out.string(attn::axis_label(trace, {attn::Axis::Kind::Words}, one.id));
        out.key("value");
        out.number(one.value);
        out.end_object();
    }
    out.end_array();
}

void write_matrix_of(attn::JsonWriter& out, std::string_view key, const std::vector<double>& singular) {
    out.key(key);
    out.begin_object();
    write_finite(out, "norm", HeadCircuit::norm_of(singular));
    out.key("singular_values");
    out.begin_row();
    for (const double one : singular) out.number(one);
    out.end_array();
    out.end_object();
}

void write_head(attn::JsonWriter& out, const HeadCircuit& head) {
    out.begin_object();
    out.key("name");
    out.string(attn::step_name(head.tag));
    out.key("layer");
    out.integer(head.tag.layer + 1);
    out.key("head");
    out.integer(std::max(head.tag.head, 0) + 1);
    write_matrix_of(out, "ov", head.ov);
    write_matrix_of(out, "qk", head.qk);
    write_finite(out, "copying", head.copying);
    out.end_object();
}

void write_rows(attn::JsonWriter& out, const attn::Trace& trace, std::string_view key, const std::vector<attn::WordRow>& words) {
    out.key(key);
    out.begin_array();
    for (const attn::WordRow& one : words) {
        out.begin_object();
        out.key("id");
        out.integer(one.id);
        out.key("text");
        out.string(attn::axis_label(trace, {attn::Axis::Kind::Words}, one.id));
        write_finite(out, "itself", one.itself);
        out.key("rank");
        out.integer(one.rank);
        write_reading(out, trace, one.says);
        out.end_object();
    }
    out.end_array();
}

void write_folding(attn::JsonWriter& out, const attn::CircuitFolding& folded) {
    out.key("folding");
    out.begin_object();
    const std::pair<std::string_view, bool> members[] = {{"gain", folded.gain}, {"input_gain", folded.input_gain}, {"final_gain", folded.final_gain}, {"centred", folded.centred}, {"outer_gain", folded.outer_gain}, {"layer_scale", folded.layer_scale}, {"head_gain", folded.head_gain},
                                                         {"sum_normed", folded.sum_normed}, {"biases_left_out", folded.biased}, {"by_distance_left_out", folded.by_distance}, {"cap_left_out", folded.capped}, {"gate_left_out", folded.gated},
                                                         {"rotary_distance_0", folded.rotary}, {"cross_left_out", folded.cross}};
    for (const auto& [key, value] : members) {
        out.key(key);
        out.boolean(value);
    }
    out.key("heads_per_key");
    out.integer(folded.heads_per_key);
    out.end_object();
}

/// readers × writers, or, for one head, a list of its pairs.
void write_compositions(attn::JsonWriter& out, const CircuitsReport& report) {
    out.key("composition");
    out.begin_object();
    write_finite(out, "chance", report.compositions.chance);
    for (std::size_t by = 0; by < attn::kComposes.size(); ++by) {
        out.key(attn::kComposes[by]);
        out.begin_array();
        if (report.one_head) {
            for (const Pair& pair : pairs_of(report, static_cast<attn::Composes>(by))) {
                out.begin_object();
                out.key("writer");
                out.string(attn::step_name(report.compositions.heads[pair.writer]));
                out.key("reader");
                out.string(attn::step_name(report.compositions.heads[pair.reader]));
                write_finite(out, "score", pair.score);
                out.end_object();
            }
        } else {
            const Eigen::MatrixXf& scores = report.compositions.scores[by];
            for (Eigen::Index r = 0; r < scores.rows(); ++r) {
                out.begin_row();
                for (Eigen::Index w = 0; w < scores.cols(); ++w) std::isfinite(scores(r, w)) ? out.number(scores(r, w)) : out.null();
                out.end_array();
            }
        }
        out.end_array();
    }
    out.end_object();
}

}  // namespace

std::string circuits_text(const attn::Trace& trace, const CircuitsReport& report) {
    std::string out = folding_text(report.circuits.folded);
    if (!report.one_head) return out + "\n" + heads_table_of(report) + compositions_table(report);
    const HeadCircuit& head = report.circuits.heads.front();
    out += fmt::format("\nhead {}: ‖W_OV‖ {}, copying {}; ‖W_QK‖ {}\n", head_label(head.tag, report.count), score_text(head.ov_norm()), signed_score(head.copying), score_text(head.qk_norm()));
    return out + singular_text("W_OV", head.ov) + singular_text("W_QK", head.qk) +
           rows_table(trace, "a token that is attended to, and what that does to the logits of all tokens (W_E W_OV W_U, minus the mean)", {"attended", "itself", "rank", "raises", "lowers"}, report.moved) +
           rows_table(trace, "a token as a query, and its scores with all tokens as keys (W_E W_QK W_Eᵀ, minus the mean)", {"query", "itself", "rank", "highest", "lowest"}, report.sought) +
           compositions_table(report);
}

std::string circuits_json(const attn::Trace& trace, const CircuitsReport& report) {
    attn::JsonWriter out;
    out.begin_object();
    write_folding(out, report.circuits.folded);
    out.key("heads");
    out.begin_array();
    for (const HeadCircuit& head : report.circuits.heads) write_head(out, head);
    out.end_array();
    if (report.one_head) {
        write_rows(out, trace, "tokens", report.moved);
        write_rows(out, trace, "queries", report.sought);
    }
    write_compositions(out, report);
    out.end_object();
    return out.take();
}

void write_reading(attn::JsonWriter& out, const attn::Trace& trace, const attn::WordReading& reading) {
    write_word_numbers(out, trace, "most", reading.most);
    write_word_numbers(out, trace, "least", reading.least);
}

}  // namespace app
