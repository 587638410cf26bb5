#pragma once
// How a row of the view's table (view_fields.h) is made: of a member of ViewState, or of what a screen's folder has of it.

#include <utility>

#include "app/state/json_fields.h"
#include "app/state/view_fields.h"

namespace app {

inline constexpr unsigned kChapter = kPlace | kOnPage | kPageStarts;
inline constexpr std::string_view kTruth = "true or false", kNumber = "a number", kObject = "an object", kName = "a name";

template <class Codec, auto kGet>
constexpr ViewField view_field(std::string_view key, std::string_view expected, unsigned uses) {
    return {key,
            expected,
            uses,
            [](const ViewState& v, attn::JsonWriter& out) { Codec::write(kGet(v), out); },
            [](ViewState& v, const attn::JsonValue& value) { return Codec::read(kGet(v), value); },
            [](ViewState& to, const ViewState& from) { kGet(to) = kGet(from); },
            [](const ViewState& a, const ViewState& b) { return kGet(a) == kGet(b); }};
}

/// Of a part that a screen's folder owns, or something in it: MEMBER(template part<HeadsChoice>()). Views share it until it
/// becomes another one.
template <class Codec, auto kGet>
constexpr ViewField part_field(std::string_view key, std::string_view expected, unsigned uses) {
    ViewField out = view_field<Codec, kGet>(key, expected, uses);
    out.copy = [](ViewState& to, const ViewState& from) {
        if (!(kGet(std::as_const(to)) == kGet(from))) kGet(to) = kGet(from);
    };
    return out;
}

}  // namespace app
