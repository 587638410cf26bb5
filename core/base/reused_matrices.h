#pragma once
// Memory of small matrices: each run makes the same few shapes as the previous one, and the C library retains only
// seven blocks per size. Reusing them saves a fiftieth of the time of a run on eight tokens.

#include "core/base/matrix.h"

namespace attn {

/// rows × cols uninitialised numbers, for callers that write all of them.
Matrix unwritten(Eigen::Index rows, Eigen::Index cols);
/// Call as a matrix is destroyed: if it is small, this thread retains its memory for one of the same shape; 4 MiB in
/// all.
void reuse_later(Matrix& going);

}  // namespace attn
