#pragma once
// The residual stream: behind each sub-layer how long it is, which way it points, and what was added there.

#include <vector>

#include "core/document/document.h"

namespace attn {

/// What the stream has just gone through.
enum class StreamAfter : std::uint8_t { Inputs, Attention, CrossAttention, FeedForward };
std::string_view stream_after_id(StreamAfter after);

/// The stream at one place of a stack; a number a row (a token) in each list. A cosine with a vector of zeros is NaN.
struct StreamPoint {
    StreamAfter after = StreamAfter::Inputs;
    int layer = kNoLayer;
    StepId stream = kNoStep;  ///< where a block normalises its sum: behind that norm
    StepId added = kNoStep;   ///< kNoStep: of the inputs
    std::vector<double> norm;            ///< ‖x‖
    std::vector<double> cosine_before;   ///< with the stream at the point before; of the inputs 1
    std::vector<double> cosine_end;      ///< with the stream behind the last block, before its final norm
    std::vector<double> added_norm;      ///< ‖what was added‖; empty: of the inputs
    std::vector<double> added_cosine;    ///< of that with the stream that it was added to: below 0 it takes away from it
};

/// The blocks of one text, from what goes into the first.
struct ResidualStack {
    Part part = Part::Main;  ///< Encoder: of an encoder and decoder
    Axis rows;               ///< what the rows stand for
    bool sum_normed = false; ///< each block normalises its sum (post-norm): a point is not the one before plus what was added
    std::vector<StreamPoint> points;
};

/// float64 on the numbers of the trace, the encoder's stack first. Refused: the form has no blocks.
Result<std::vector<ResidualStack>> residual_stacks(const Run& run);

}  // namespace attn
