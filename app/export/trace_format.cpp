#include "app/export/trace_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/export/trace_csv.h"
#include "app/export/trace_json.h"
#include "app/export/trace_npz.h"

namespace app {
namespace {

/// "-0.123456789, " is about the longest float32 with its separator.
constexpr double kBytesAWrittenNumber = 15;
/// Names, shapes and parameters of one step.
constexpr double kBytesAStep = 512;

double label_bytes(const attn::Trace& trace, attn::Axis axis, Eigen::Index count) {
    // Quotes, a comma and, in the worst case, every byte escaped: "\u0000".
    double bytes = 0;
    for (Eigen::Index i = 0; i < count; ++i)
        bytes += 4 + 6 * static_cast<double>(attn::axis_label(trace, axis, static_cast<int>(i)).size());
    return bytes;
}

}  // namespace

std::string_view trace_format_id(TraceFormat format) {
    switch (format) {
        case TraceFormat::Json:
            return "json";
        case TraceFormat::Npz:
            return "npz";
        case TraceFormat::Csv:
            return "csv";
    }
    return "";
}

std::optional<TraceFormat> find_trace_format(std::string_view id) {
    for (const TraceFormat format : kTraceFormats)
        if (trace_format_id(format) == id) return format;
    return std::nullopt;
}

std::optional<TraceFormat> trace_format_of(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    if (ending.empty()) return std::nullopt;
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return find_trace_format(std::string_view(ending).substr(1));
}

std::vector<attn::StepId> every_step(const attn::Trace& trace) {
    std::vector<attn::StepId> steps(static_cast<std::size_t>(trace.size()));
    std::iota(steps.begin(), steps.end(), 0);
    return steps;
}

attn::Trace in_columns(attn::Trace trace, std::span<const attn::StepId> steps) {
    for (const attn::StepId id : steps) {
        attn::Step& step = trace.steps[static_cast<std::size_t>(id)];
        step.value = attn::Matrix(step.value.transpose());
        std::swap(step.rows, step.cols);
        for (attn::Step::Replaced& cell : step.replaced) std::swap(cell.row, cell.col);
    }
    return trace;
}

double estimate_trace_file(TraceFormat format, const attn::Trace& trace, std::span<const attn::StepId> steps) {
    double bytes = 4096;
    for (const attn::StepId id : steps) {
        const attn::Step& step = trace[id];
        const auto numbers = static_cast<double>(step.value.size());
        bytes += kBytesAStep + numbers * (format == TraceFormat::Npz ? 4 : kBytesAWrittenNumber);
        bytes += label_bytes(trace, step.rows, step.value.rows()) + label_bytes(trace, step.cols, step.value.cols());
    }
    return bytes;
}

attn::Result<std::string> encode_trace(TraceFormat format, const TraceSource& source, attn::CsvGuard guard) {
    if (const double bytes = estimate_trace_file(format, source.run.trace, source.steps); bytes > kMaxTraceFile)
        return attn::Error{
            fmt::format("the file would take up to {:.1f} GB as {}, more than the {:.1f} GB allowed; take "
                        "{}fewer tokens or heads, or some of the steps",
                        bytes / 1e9, trace_format_id(format), kMaxTraceFile / 1e9,
                        format == TraceFormat::Npz ? "" : "the format npz, "),
            "", "", 0};
    switch (format) {
        case TraceFormat::Json:
            return trace_json(source);
        case TraceFormat::Npz:
            return trace_npz(source);
        case TraceFormat::Csv:
            return trace_csv(source, guard);
    }
    return std::string();
}

}  // namespace app
