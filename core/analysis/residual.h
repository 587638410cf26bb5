#pragma once
// The residual stream after each sub-layer: its length, its direction, and what was added.

#include <vector>

#include "core/document/document.h"

namespace attn {

/// The last sub-layer that the stream passed; a whole layer in a file, which has the stream between layers alone.
enum class StreamAfter : std::uint8_t { Inputs, Attention, CrossAttention, FeedForward, Layer };
std::string_view stream_after_id(StreamAfter after);

/// The stream at one place of a stack; each list has one number per row (token). A cosine with a zero vector is NaN.
struct StreamPoint {
    StreamAfter after = StreamAfter::Inputs;
    int layer = kNoLayer;
    StepId stream = kNoStep;  ///< after the norm, if a block normalises its sum
    StepId added = kNoStep;   ///< kNoStep: for the inputs, and where no step has what was added
    std::vector<double> norm;            ///< ‖x‖
    std::vector<double> cosine_before;   ///< with the stream at the previous point; 1 for the inputs
    std::vector<double> cosine_end;      ///< with the stream after the last block, before its final norm
    std::vector<double> added_norm;      ///< ‖what was added‖; empty for the inputs
    std::vector<double> added_cosine;    ///< of what was added with the stream before: below 0, it reduces the stream

    bool adds() const { return after != StreamAfter::Inputs; }
};

/// The blocks of one text, starting with the first one's input.
struct ResidualStack {
    Part part = Part::Main;  ///< Encoder: the encoder of an encoder and decoder
    Axis rows;               ///< labels of the rows
    bool sum_normed = false; ///< each block normalises its sum (post-norm): a point is not the one before plus `added`
    std::vector<StreamPoint> points;
};

/// float64 on the numbers of the trace, the encoder's stack first. What a layer of a file added is the difference of the
/// stream behind it and in front of it. Error: the form has no blocks, and no file has a stream.
Result<std::vector<ResidualStack>> residual_stacks(const Run& run);

}  // namespace attn
