#pragma once
// Makes rows of the view's table (view_fields.h), for a member of ViewState or for a part that a screen's folder owns.

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

/// A row for a part that a screen's folder owns, or for a member of it: MEMBER(template part<HeadsChoice>()). A copy
/// writes only a changed value, so that views go on sharing an equal part.
template <class Codec, auto kGet>
constexpr ViewField part_field(std::string_view key, std::string_view expected, unsigned uses) {
    ViewField out = view_field<Codec, kGet>(key, expected, uses);
    out.copy = [](ViewState& to, const ViewState& from) {
        if (!(kGet(std::as_const(to)) == kGet(from))) kGet(to) = kGet(from);
    };
    return out;
}

}  // namespace app
