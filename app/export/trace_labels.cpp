#include "app/export/trace_labels.h"

#include "core/text/unicode.h"

namespace app {
namespace {

std::vector<std::string> labels(const attn::Trace& trace, attn::Axis axis, Eigen::Index count) {
    std::vector<std::string> out;
    out.reserve(static_cast<std::size_t>(count));
    for (Eigen::Index i = 0; i < count; ++i) out.push_back(text_label(trace, axis, static_cast<int>(i)));
    return out;
}

}  // namespace

std::string_view axis_id(attn::Axis::Kind kind) {
    switch (kind) {
        case attn::Axis::Kind::Tokens:
            return "tokens";
        case attn::Axis::Kind::Features:
            return "features";
        case attn::Axis::Kind::Units:
            return "units";
        case attn::Axis::Kind::SourceTokens:
            return "source_tokens";
        case attn::Axis::Kind::Pairs:
            return "pairs";
        case attn::Axis::Kind::Distances:
            return "distances";
        case attn::Axis::Kind::Words:
            return "words";
        case attn::Axis::Kind::Things:
            return "things";
    }
    return "";
}

std::string_view row_state_id(attn::RowState state) {
    switch (state) {
        case attn::RowState::AllMasked:
            return "all_masked";
        case attn::RowState::Overflow:
            return "overflow";
        case attn::RowState::NotWeights:
            return "not_weights";
    }
    return "";
}

std::string text_label(const attn::Trace& trace, attn::Axis axis, int index) {
    std::string label = attn::axis_label(trace, axis, index);
    return attn::clean_utf8(label).replaced > 0 ? attn::visible(label) : label;
}

std::vector<std::string> row_labels(const attn::Trace& trace, const attn::Step& step) {
    return labels(trace, step.rows, step.value.rows());
}

std::vector<std::string> column_labels(const attn::Trace& trace, const attn::Step& step) {
    return labels(trace, step.cols, step.value.cols());
}

}  // namespace app
