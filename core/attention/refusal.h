#pragma once
// What a row of a catalogue cannot stand together with. The row says it itself; the document only asks.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct AttentionConfig;
struct Form;

/// The field that is to be changed, and why: the rest of a sentence that begins with the row's id.
struct Refusal {
    std::string_view key;
    std::string why;
};
using Refusals = std::vector<Refusal>;

/// What a row has against the other choices; all ids in the configuration are rows of their tables.
using Refuses = Refusals (*)(const AttentionConfig&, const Form&);

}  // namespace attn
