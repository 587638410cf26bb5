#pragma once
// Layers and heads count from 0 in code. Shown to people, and typed by them, they count from 0, as papers on published
// models do, or from 1; files and step names (trace.h) always count from 1.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace attn {

enum class CountFrom : std::uint8_t { Zero, One };

/// "0" or "1".
std::string_view count_from_id(CountFrom from);
std::optional<CountFrom> find_count_from(std::string_view id);

/// The number shown for a layer or a head, and the reverse.
constexpr int said_of(int index, CountFrom from) { return index + static_cast<int>(from); }
constexpr int index_of(int said, CountFrom from) { return said - static_cast<int>(from); }
std::string number_of(int index, CountFrom from);

/// "7.11": a layer's head as papers write it.
std::string head_place_text(int layer, int head, CountFrom from);

/// A head as the user named it; no layer: the layer in view. A number below the first becomes −1, which names
/// no head.
struct HeadNumbers {
    std::optional<int> layer;
    int head = 0;
    bool operator==(const HeadNumbers&) const = default;
};
/// Reads "7.11", "L7H11", "layer 7 head 11", "block 7 · head 11", "head 11", "第 7 层第 11 个头" …; nullopt: it names no
/// head.
std::optional<HeadNumbers> read_head_place(std::string_view text, CountFrom from);

/// A step's display name: when counting from 1 its step name, from 0 "weights 7.11", "residual 7", so that the two
/// cannot be confused.
std::string said_name(const Tag& tag, CountFrom from);
/// The same without spaces, for file names: "weights-7.11".
std::string file_name_of(const Tag& tag, CountFrom from);
/// The reverse; "7.11" alone is that head's weights. nullopt: not in this form, perhaps a step name.
std::optional<Tag> read_said_name(std::string_view text, CountFrom from);

}  // namespace attn
