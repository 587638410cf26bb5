#pragma once
// Memory of small matrices that come and go by the dozen: a run makes the same few shapes as the one before it, of which
// the C library keeps seven each at hand. A fiftieth of the time of a run on eight tokens.

#include "core/base/matrix.h"

namespace attn {

/// rows × cols numbers, which are whatever stood there: for who writes all of them.
Matrix unwritten(Eigen::Index rows, Eigen::Index cols);
/// Of a matrix that goes: this thread keeps its memory for one of the same shape, if it is small; half a megabyte in all.
void reuse_later(Matrix& going);

}  // namespace attn
