#pragma once
// Some of a computation's steps, by what they are: `--only role=weights,layer=3,head=2`.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/counting.h"

namespace app {

/// What one key asks for. A step fits where it has a number in one of the spans; roles, operations and parts are numbers
/// in the order of their tables.
struct StepWish {
    struct Span {
        int first = 0, last = 0;
    };
    std::string_view key;  ///< a row of the table: "role", "op", "part", "layer", "head", "time", "pass"
    std::string values;     ///< as they were written: "weights,output"
    std::vector<Span> spans;
};

/// Reads KEY=VALUE[,VALUE…][,KEY=…]: of one key any value, of different keys all; layers and heads count from `from`, times from 1,
/// "2-4" are three. Error: which word is wrong, and what there is.
attn::Result<std::vector<StepWish>> read_step_wishes(std::string_view words, attn::CountFrom from);

/// The steps that fit all wishes, in order. Where no step has a number of a kind (there is one head, one layer), each has
/// the first. Error: none fits; the message says which wish was one too many, and what it could have been.
attn::Result<std::vector<attn::StepId>> steps_that_fit(const attn::Trace& trace, std::span<const StepWish> wishes, attn::CountFrom from);

/// "role (an id of `attenscope list roles`), …": the keys and their values, for the manual.
std::string step_wish_help();

}  // namespace app
