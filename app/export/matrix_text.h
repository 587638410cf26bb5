#pragma once
// Matrices as text to paste into programs, papers and notes. Internal to matrix_format.cpp.

#include "app/export/matrix_format.h"

namespace app {

/// Numbers only, separated by tabs: a spreadsheet reads them as cells.
attn::Result<std::string> matrix_tsv(const MatrixSource& source);
/// "weights_h1 = np.array([[…], …], dtype=np.float32)", preceded by a comment with the labels.
attn::Result<std::string> matrix_numpy(const MatrixSource& source);
/// "\begin{bmatrix} … \end{bmatrix}" (amsmath).
attn::Result<std::string> matrix_latex(const MatrixSource& source);
/// A table whose header row and first column are the labels.
attn::Result<std::string> matrix_markdown(const MatrixSource& source);

}  // namespace app
