#include "app/cli/intervention_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/cli/columns.h"
#include "app/cli/next_report.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using TableRow = std::vector<std::string>;
using Place = SweepReport::Place;

/// For the residual stream, the number of layers that it has passed.
std::string depth_title(const attn::Intervention& put, attn::CountFrom count) { return put.at == attn::Site::Residual ? std::to_string(put.layer) : attn::number_of(put.layer, count); }

/// A line of the map is a layer, or a token of the residual stream: texts are longer than models are deep, and the
/// width is limited.
std::string line_title(const attn::Trace& trace, const attn::Intervention& put, attn::CountFrom count) {
    const std::string stack = put.part == attn::Part::Main ? "" : std::string(attn::part_id(put.part)) + " ";
    if (put.at != attn::Site::Residual) return stack + depth_title(put, count);
    const bool of_source = put.part == attn::Part::Encoder && !trace.source_tokens.empty();
    const int token = put.tokens.front();
    return fmt::format("{}{} {}", stack, token + 1, attn::in_quotes(attn::axis_label(trace, {of_source ? attn::Axis::Kind::SourceTokens : attn::Axis::Kind::Tokens}, token)));
}

std::string column_title(const attn::Intervention& put, attn::CountFrom count) {
    if (attn::is_of_a_head(put.at)) return fmt::format("head {}", attn::said_of(put.head, count));
    return put.at == attn::Site::Residual ? depth_title(put, count) : std::string(attn::site_id(put.at));
}

std::string sweep_map(const attn::Trace& trace, const SweepReport& report) {
    const bool by_token = !report.places.empty() && report.places.front().put.at == attn::Site::Residual;
    std::vector<std::string> lines, columns = {by_token ? report.count == attn::CountFrom::One ? "token \\ after layer" : "token \\ layers passed" : "layer"};
    std::map<std::pair<std::string, std::string>, std::string> cells;
    const auto add_once = [](std::vector<std::string>& titles, const std::string& title) {
        if (std::find(titles.begin(), titles.end(), title) == titles.end()) titles.push_back(title);
    };
    for (const Place& place : report.places) {
        const std::string line = line_title(trace, place.put, report.count), column = column_title(place.put, report.count);
        add_once(lines, line);
        add_once(columns, column);
        cells[{line, column}] = signed_number(report.measure(place.logit));
    }
    std::vector<TableRow> table = {columns};
    for (const std::string& line : lines) {
        table.push_back({line});
        for (std::size_t c = 1; c < columns.size(); ++c) table.back().push_back(cells[{line, columns[c]}]);
    }
    return in_columns(table, right_but_first(columns.size()));
}

std::string largest_places(const SweepReport& report, int top) {
    std::vector<const Place*> order;
    for (const Place& place : report.places) order.push_back(&place);
    std::stable_sort(order.begin(), order.end(), [&](const Place* a, const Place* b) { return std::abs(a->logit - report.here) > std::abs(b->logit - report.here); });
    order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
    const bool estimates = std::any_of(order.begin(), order.end(), [](const Place* place) { return place->estimate.has_value(); });
    std::vector<TableRow> rows = {{report.there ? "recovered" : "change", "logit", "place"}};
    if (estimates) rows.front().insert(rows.front().begin() + 1, "first order");
    for (const Place* place : order) {
        rows.push_back({signed_number(report.measure(place->logit)), fmt::format("{:.3f}", place->logit), attn::intervention_text(place->put, report.count)});
        if (estimates) rows.back().insert(rows.back().begin() + 1, place->estimate ? signed_number(report.measure(report.here + *place->estimate)) : "");
    }
    return in_columns(rows, estimates ? std::vector<Side>{Side::Right, Side::Right, Side::Right} : std::vector<Side>{Side::Right, Side::Right});
}

std::string put_text(attn::PutBy by, const std::string& from) {
    if (by == attn::PutBy::Text) return "what " + attn::in_quotes(from) + " has there";
    if (const attn::PatternRule* rule = attn::rule_of(by)) return fmt::format("the pattern \"{}\"", rule->id);
    return by == attn::PutBy::Zero ? "zeros" : "the mean over the tokens";
}

void write_place(attn::JsonWriter& out, const SweepReport& report, const Place& place) {
    out.begin_object();
    out.key("intervention");
    attn::write_intervention(place.put, out);
    out.key("logit");
    out.number(place.logit);
    out.key("change");
    out.number(place.logit - report.here);
    if (report.there) {
        const double share = report.measure(place.logit);
        out.key("recovered");
        std::isfinite(share) ? out.number(share) : out.null();
    }
    if (place.estimate) {
        out.key("first_order");
        out.number(*place.estimate);
    }
    out.end_object();
}

}  // namespace

std::string sweep_text(const attn::Trace& trace, const SweepReport& report, int top) {
    std::string out = target_text(report.target) + fmt::format(" is {:.3f}", report.here);
    if (report.there) out += fmt::format(", and {:.3f} with the other text", *report.there);
    out += report.there ? fmt::format("; how much of the way from one to the other there is with {} in one place", put_text(report.by, report.from))
                        : fmt::format("; what it changes by with {} in one place", put_text(report.by, report.from));
    return out + "\n\n" + sweep_map(trace, report) + "\n" + largest_places(report, top);
}

std::string sweep_json(const attn::Trace& trace, const SweepReport& report) {
    attn::JsonWriter out;
    out.begin_object();
    write_target(out, trace, report.target);
    out.key("by");
    out.string(attn::put_by_id(report.by));
    out.key("logit");
    out.number(report.here);
    if (report.there) {
        out.key("logit_of_text");
        out.number(*report.there);
    }
    out.key("places");
    out.begin_array();
    for (const Place& place : report.places) write_place(out, report, place);
    out.end_array();
    out.end_object();
    return out.take();
}

ChangeReport change_report(const attn::Run& before, const attn::Run& after, const TargetWord& predicted, const std::vector<attn::Intervention>& put, int top) {
    const attn::RowVector old_row = before.trace[attn::logits_step(before.trace)].value.one_row(predicted.row);
    const attn::RowVector new_row = after.trace[attn::logits_step(after.trace)].value.one_row(predicted.row);
    ChangeReport out{.target = predicted, .put = put, .before = attn::logit_of(before.trace, predicted.word()), .after = attn::logit_of(after.trace, predicted.word()),
                     .divergence = attn::kl_divergence(old_row, new_row), .words = {}};
    const auto likely = [&](const attn::Run& run) {
        attn::Run own = run;
        return expectations(own, {{predicted.row, predicted.masked}}, top, false).front().words;
    };
    std::vector<int> ids;
    for (const auto& words : {likely(before), likely(after), std::vector<attn::LikelyWord>{predicted.target}})
        for (const attn::LikelyWord& word : words)
            if (std::find(ids.begin(), ids.end(), word.id) == ids.end()) ids.push_back(word.id);
    if (predicted.against && std::find(ids.begin(), ids.end(), predicted.against->id) == ids.end()) ids.push_back(predicted.against->id);
    const auto share = [](const attn::RowVector& logits, int id) { return static_cast<float>(attn::share_of(logits, id)); };
    for (const int id : ids)
        out.words.push_back({{id, attn::axis_label(before.trace, {attn::Axis::Kind::Words}, id), share(old_row, id)}, old_row(id), new_row(id), share(new_row, id)});
    std::stable_sort(out.words.begin(), out.words.end(), [](const auto& a, const auto& b) { return a.word.probability > b.word.probability; });
    return out;
}

std::string change_text(const ChangeReport& report) {
    std::string out = target_text(report.target) + fmt::format(" is {:.3f}, and {:.3f} with", report.before, report.after);
    for (std::size_t i = 0; i < report.put.size(); ++i) {
        const attn::Intervention& put = report.put[i];
        out += fmt::format("{} {} at {}", i == 0 ? "" : ",", put_text(put.by, put.text), attn::intervention_text(put, report.count));
    }
    out += fmt::format("; KL divergence of the prediction {:.4f} nats\n\n", report.divergence);
    std::vector<TableRow> rows = {{"before", "after", "change", "logit", "change", "token"}};
    for (const ChangeReport::Word& word : report.words)
        rows.push_back({fmt::format("{:.4f}", word.word.probability), fmt::format("{:.4f}", word.probability_after),
                        fmt::format("{:+.4f}", word.probability_after - word.word.probability), fmt::format("{:.3f}", word.before),
                        signed_number(static_cast<double>(word.after) - static_cast<double>(word.before)), attn::in_quotes(word.word.text)});
    return out + in_columns(rows, {Side::Right, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left});
}

std::string change_json(const attn::Trace& trace, const ChangeReport& report) {
    attn::JsonWriter out;
    out.begin_object();
    write_target(out, trace, report.target);
    out.key("interventions");
    out.begin_array();
    for (const attn::Intervention& put : report.put) attn::write_intervention(put, out);
    out.end_array();
    out.key("logit");
    out.number(report.before);
    out.key("logit_after");
    out.number(report.after);
    out.key("kl_divergence");
    out.number(report.divergence);
    out.key("words");
    out.begin_array();
    for (const ChangeReport::Word& word : report.words) {
        out.begin_object();
        out.key("id");
        out.integer(word.word.id);
        out.key("text");
        out.string(word.word.text);
        out.key("probability");
        out.number(word.word.probability);
        out.key("probability_after");
        out.number(word.probability_after);
        out.key("logit");
        out.number(word.before);
        out.key("logit_after");
        out.number(word.after);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

}  // namespace app
