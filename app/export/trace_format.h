#pragma once
// A computed document as a file: every step in order, for other programs. JSON has everything, NPZ is for NumPy, CSV
// for spreadsheets. The same document gives the same bytes.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/csv.h"

namespace app {

enum class TraceFormat : std::uint8_t { Json, Npz, Csv };
inline constexpr std::array kTraceFormats = {TraceFormat::Json, TraceFormat::Npz, TraceFormat::Csv};

/// "json", "npz", "csv"; the ids are also the files' endings.
std::string_view trace_format_id(TraceFormat format);
std::optional<TraceFormat> find_trace_format(std::string_view id);
/// The format of a file's ending, ignoring case.
std::optional<TraceFormat> trace_format_of(const std::filesystem::path& path);

/// What to write. `program` names the writer: "attenscope 0.1.0".
struct TraceSource {
    const attn::Document& document;
    const attn::Run& run;
    std::string_view program;
    std::vector<attn::StepId> steps;  ///< the steps of `run` to write; they keep their numbers
    attn::Convention convention = attn::Convention::Rows;  ///< the convention of `steps`; see in_columns
    std::string_view only{};  ///< how `steps` were chosen, for the reader of the file; empty: all steps
};

std::vector<attn::StepId> every_step(const attn::Trace& trace);

/// The same trace, with tokens as columns in each of `steps`: the value is transposed with its labels and marks.
/// Operations and names stay those of the computation, which is done once, with tokens as rows; steps that are not to
/// be written stay as they are and are not recomputed.
attn::Trace in_columns(attn::Trace trace, std::span<const attn::StepId> steps);

/// The most bytes of one file; it is built in memory, so that it is written whole or not at all.
inline constexpr double kMaxTraceFile = 2.0 * (1u << 30);
/// An upper bound of the file's size in bytes, computed before anything is built.
double estimate_trace_file(TraceFormat format, const attn::Trace& trace, std::span<const attn::StepId> steps);

/// The file's content. Error: it would be larger than kMaxTraceFile; the message gives the size and a smaller
/// alternative.
attn::Result<std::string> encode_trace(TraceFormat format, const TraceSource& source,
                                       attn::CsvGuard guard = attn::CsvGuard::Off);

}  // namespace app
