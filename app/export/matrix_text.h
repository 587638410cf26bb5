#pragma once
// Matrices as text that is pasted into programs, papers and notes. Internal to matrix_format.cpp.

#include "app/export/matrix_format.h"

namespace app {

/// Numbers alone, between tabs: a spreadsheet takes them as cells.
attn::Result<std::string> matrix_tsv(const MatrixSource& source);
/// "weights_h1 = np.array([[…], …], dtype=np.float32)", under a comment with the labels.
attn::Result<std::string> matrix_numpy(const MatrixSource& source);
/// "\begin{bmatrix} … \end{bmatrix}" (amsmath).
attn::Result<std::string> matrix_latex(const MatrixSource& source);
/// A table whose head line and first column are the labels.
attn::Result<std::string> matrix_markdown(const MatrixSource& source);

}  // namespace app
