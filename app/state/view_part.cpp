// Parts of a view: taken from a view, applied to one, read and written with the table of its fields.
#include <algorithm>

#include "app/state/json_fields.h"
#include "app/state/view_fields.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonWriter;

std::size_t place_of_field(std::string_view key) {
    const auto at =
        std::find_if(view_fields().begin(), view_fields().end(), [&](const ViewField& f) { return f.key == key; });
    return static_cast<std::size_t>(at - view_fields().begin());
}

}  // namespace

bool ViewPart::has(std::string_view key) const {
    const std::size_t at = place_of_field(key);
    return at < view_fields().size() && named[at];
}

bool ViewPart::operator==(const ViewPart& other) const {
    if (named != other.named) return false;
    for (std::size_t i = 0; i < view_fields().size(); ++i)
        if (named[i] && !view_fields()[i].same(values, other.values)) return false;
    return true;
}

ViewPart part_of(const ViewState& view, unsigned uses) {
    ViewPart out;
    for (std::size_t i = 0; i < view_fields().size(); ++i) {
        if (!(view_fields()[i].uses & uses)) continue;
        view_fields()[i].copy(out.values, view);
        out.named.set(i);
    }
    return out;
}

void use_part(ViewState& view, const ViewPart& part) {
    for (std::size_t i = 0; i < view_fields().size(); ++i)
        if (part.named[i]) view_fields()[i].copy(view, part.values);
}

void use_changes(ViewPart& stored, const ViewPart& before, const ViewPart& now) {
    for (std::size_t i = 0; i < view_fields().size(); ++i) {
        if (view_fields()[i].same(before.values, now.values)) continue;
        view_fields()[i].copy(stored.values, now.values);
        stored.named.set(i);
    }
}

void reset_fields(ViewState& view, unsigned uses) {
    static const ViewState kDefaults;
    for (const ViewField& one : view_fields())
        if (one.uses & uses) one.copy(view, kDefaults);
}

void read_member(ReadPart& out, const attn::JsonMember& member, unsigned uses, std::string_view where) {
    const std::size_t at = place_of_field(member.key);
    if (at == view_fields().size() || !(view_fields()[at].uses & uses))
        out.problems.push_back(
            wrong_key("there is no such setting; it is left out", where, member.key, member.key_line));
    else if (view_fields()[at].read(out.part.values, member.value))
        out.part.named.set(at);
    else if (member.value.kind != JsonKind::Null)
        out.problems.push_back(
            wrong_key("it must be " + std::string(view_fields()[at].expected), where, member.key, member.value.line));
}

attn::Result<ReadPart> part_from_json(std::string_view bytes, unsigned uses, std::string_view where) {
    const auto json = parse_object(bytes, where);
    if (!json) return json.error();
    ReadPart out;
    for (const attn::JsonMember& member : json->members) read_member(out, member, uses, where);
    return out;
}

void write_part(const ViewPart& part, JsonWriter& out) {
    for (std::size_t i = 0; i < view_fields().size(); ++i) {
        if (!part.named[i]) continue;
        out.key(view_fields()[i].key);
        view_fields()[i].write(part.values, out);
    }
}

std::string part_to_json(const ViewPart& part) {
    JsonWriter out;
    out.begin_object();
    write_part(part, out);
    out.end_object();
    return out.take();
}

}  // namespace app
