#pragma once
// Selects steps of a computation by their properties: `--only role=weights,layer=3,head=2`.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/counting.h"

namespace app {

/// The values requested for one key. A step matches if its number is in one of the spans; roles, operations and parts
/// are numbered in the order of their tables.
struct StepWish {
    struct Span {
        int first = 0, last = 0;
    };
    std::string_view key;  ///< a row of the table: "role", "op", "part", "layer", "head", "time", "pass"
    std::string values;     ///< as written: "weights,output"
    std::vector<Span> spans;
};

/// Reads KEY=VALUE[,VALUE…][,KEY=…]: any of the values of a key, all of the keys. Layers and heads count from `from`,
/// times from 1; "2-4" is a span. Error: which word is wrong, and the valid ones.
attn::Result<std::vector<StepWish>> read_step_wishes(std::string_view words, attn::CountFrom from);

/// The steps that match all wishes, in order. If no step has a number for a key (there is only one head, or one layer),
/// all count as having the first. Error: none matches; the message names the wish that excluded the last ones, and its
/// possible values.
attn::Result<std::vector<attn::StepId>> steps_that_fit(const attn::Trace& trace, std::span<const StepWish> wishes, attn::CountFrom from);

/// "role (an id of `attenscope list roles`), …": the keys and their values, for the manual.
std::string step_wish_help();

}  // namespace app
