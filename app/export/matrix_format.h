#pragma once
// One matrix as a file or as text to paste: a table of formats. To add one: a writer and a row.

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

/// What is written. Labels: one for each row and column, or none.
struct MatrixSource {
    attn::Matrix value;
    std::string name;  ///< of its step: "weights.h2"
    std::vector<std::string> rows, columns;
    std::string program{};   ///< "attenscope 0.1.0"; NPZ and JSON say who wrote them
    bool shortened = false;  ///< LaTeX: of long rows and columns the first and the last few, three decimals
    attn::CsvGuard guard = attn::CsvGuard::Off;
};

/// A step's value with the labels of its axes; transposed, with its labels, where tokens are columns.
MatrixSource matrix_of(const attn::Trace& trace, attn::StepId step,
                       attn::Convention convention = attn::Convention::Rows);

struct MatrixFormat {
    std::string_view id;      ///< on the command line
    std::string_view name;    ///< a proper name, the same in every language
    std::string_view ending;  ///< of files, without the dot
    Str about;                ///< what it is good for
    bool is_text;             ///< and so can be copied
    attn::Result<std::string> (*write)(const MatrixSource&);
};

/// csv, tsv, json, npy, npz, numpy, latex, markdown.
std::span<const MatrixFormat> matrix_formats();
const MatrixFormat* find_matrix_format(std::string_view id);
/// By a file's ending, without regard to case; null: none has it.
const MatrixFormat* matrix_format_of(std::string_view path);

/// The matrix in one format, exact: every number reads back as the same float32 (LaTeX, when shortened, does not).
/// Error: it would take more than kMaxTraceFile bytes.
attn::Result<std::string> encode_matrix(const MatrixFormat& format, const MatrixSource& source);

}  // namespace app
