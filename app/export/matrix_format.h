#pragma once
// One matrix as a file or as text to paste: a table of formats. To add a format, add a writer and a row.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "core/attention/forms/attention.h"
#include "core/base/result.h"
#include "core/io/csv.h"
#include "core/trace/trace.h"

namespace app {

/// What to write. `rows` and `columns` have a label for each row and column, or are empty.
struct MatrixSource {
    attn::Matrix value;
    std::string name;  ///< its step's name: "weights.h2"
    std::vector<std::string> rows, columns;
    std::string program{};   ///< "attenscope 0.1.0"; NPZ and JSON name the writing program
    bool shortened = false;  ///< LaTeX: of long sides the first four and the last, three decimals
    attn::CsvGuard guard = attn::CsvGuard::Off;
};

/// A step's value with its axis labels; both transposed if tokens are columns.
MatrixSource matrix_of(const attn::Trace& trace, attn::StepId step,
                       attn::Convention convention = attn::Convention::Rows);

struct MatrixFormat {
    std::string_view id;      ///< on the command line
    std::string_view name;    ///< a proper name, the same in every language
    std::string_view ending;  ///< of file names, without the dot
    Str about;                ///< what it is useful for
    bool is_text;             ///< so it can be copied
    attn::Result<std::string> (*write)(const MatrixSource&);
};

/// csv, tsv, json, npy, npz, numpy, latex, markdown.
std::span<const MatrixFormat> matrix_formats();
const MatrixFormat* find_matrix_format(std::string_view id);
/// By the ending of a file name, ignoring case; null if no format has it.
const MatrixFormat* matrix_format_of(std::string_view path);

/// The matrix in one format, exactly: every number reads back as the same float32 (except in shortened LaTeX). Error:
/// it would take more than kMaxTraceFile bytes.
attn::Result<std::string> encode_matrix(const MatrixFormat& format, const MatrixSource& source);

}  // namespace app
