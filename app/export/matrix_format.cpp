#include "app/export/matrix_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/export/matrix_text.h"
#include "app/export/trace_format.h"
#include "app/export/trace_labels.h"
#include "core/io/json_writer.h"
#include "core/io/npz.h"

namespace app {
namespace {

using attn::Result;

/// "-0.123456789, " is about the longest number with its separator.
constexpr double kBytesANumber = 16;

Result<std::string> write_csv(const MatrixSource& m) {
    attn::CsvWriter out(m.guard);
    out.table(m.value, m.rows, m.columns);
    return out.take();
}

void write_members(attn::JsonWriter& out, const MatrixSource& m) {
    out.key("name");
    out.string(m.name);
    if (!m.program.empty()) {
        out.key("program");
        out.string(m.program);
    }
    out.key("shape");
    out.begin_row();
    out.integer(m.value.rows());
    out.integer(m.value.cols());
    out.end_array();
    out.key("rows");
    out.strings(m.rows);
    out.key("columns");
    out.strings(m.columns);
}

Result<std::string> write_json(const MatrixSource& m) {
    attn::JsonWriter out;
    out.begin_object();
    write_members(out, m);
    out.key("values");
    out.matrix(m.value);
    out.end_object();
    return out.take();
}

Result<std::string> write_npy(const MatrixSource& m) { return attn::npy_bytes(m.value); }

/// The array under its step's name, and its labels as JSON next to it.
Result<std::string> write_npz(const MatrixSource& m) {
    attn::JsonWriter labels;
    labels.begin_object();
    write_members(labels, m);
    labels.end_object();
    const attn::NpzFile files[] = {{m.name + ".npy", attn::npy_bytes(m.value)}, {"labels.json", labels.take()}};
    return attn::npz_bytes(files, attn::NpzPacking::Deflated);
}

constexpr MatrixFormat kFormats[] = {
    {"csv", "CSV", "csv", Str::about_csv, true, write_csv},
    {"tsv", "TSV", "tsv", Str::about_tsv, true, matrix_tsv},
    {"json", "JSON", "json", Str::about_json, true, write_json},
    {"npy", "NPY", "npy", Str::about_npy, false, write_npy},
    {"npz", "NPZ", "npz", Str::about_npz, false, write_npz},
    {"numpy", "NumPy", "py", Str::about_numpy, true, matrix_numpy},
    {"latex", "LaTeX", "tex", Str::about_latex, true, matrix_latex},
    {"markdown", "Markdown", "md", Str::about_markdown, true, matrix_markdown},
};

}  // namespace

MatrixSource matrix_of(const attn::Trace& trace, attn::StepId id, attn::Convention convention) {
    const attn::Step& step = trace[id];
    const std::string name = attn::step_name(step.tag);
    if (convention == attn::Convention::Columns)
        return {step.value.transpose(), name, column_labels(trace, step), row_labels(trace, step)};
    return {step.value.matrix(), name, row_labels(trace, step), column_labels(trace, step)};
}

std::span<const MatrixFormat> matrix_formats() { return kFormats; }

const MatrixFormat* find_matrix_format(std::string_view id) {
    const auto found =
        std::find_if(std::begin(kFormats), std::end(kFormats), [id](const auto& f) { return f.id == id; });
    return found == std::end(kFormats) ? nullptr : &*found;
}

const MatrixFormat* matrix_format_of(std::string_view path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                    [&](const auto& f) { return !ending.empty() && ending.substr(1) == f.ending; });
    return found == std::end(kFormats) ? nullptr : &*found;
}

Result<std::string> encode_matrix(const MatrixFormat& format, const MatrixSource& source) {
    const double bytes = kBytesANumber * static_cast<double>(source.value.size());
    if (bytes > kMaxTraceFile)
        return attn::Error{fmt::format("{} would take up to {:.1f} GB as {}, more than the {:.1f} GB allowed; take npy",
                                       source.name, bytes / 1e9, format.name, kMaxTraceFile / 1e9),
                           {},
                           {},
                           0};
    return format.write(source);
}

}  // namespace app
