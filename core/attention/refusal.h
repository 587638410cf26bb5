#pragma once
// What a catalogue row cannot be combined with. The row decides; the document only asks it.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct AttentionConfig;
struct Form;

/// The field to change, and why: the rest of a sentence that begins with the row's id.
struct Refusal {
    std::string_view key;
    std::string why;
};
using Refusals = std::vector<Refusal>;

/// A row's objections to the other choices; all ids in the configuration are rows of their tables.
using Refuses = Refusals (*)(const AttentionConfig&, const Form&);

}  // namespace attn
