#include "app/state/settings.h"

#include "app/state/json_fields.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;

bool read_corner(WindowPlace& place, const JsonValue& x, const JsonValue& y) {
    constexpr int kFar = 1 << 16;
    place.corner.emplace();
    return read(place.corner->x, x, -kFar, kFar) && read(place.corner->y, y, -kFar, kFar);
}

/// [width, height] or [width, height, left, top].
bool read_window(WindowPlace& out, const JsonValue& value) {
    const auto& items = value.items;
    WindowPlace place;
    const bool good = value.kind == JsonKind::Array && (items.size() == 2 || items.size() == 4) &&
                      read(place.width, items[0], WindowPlace::kLeast, WindowPlace::kMost) &&
                      read(place.height, items[1], WindowPlace::kLeast, WindowPlace::kMost) &&
                      (items.size() == 2 || read_corner(place, items[2], items[3]));
    if (good) out = place;
    return good;
}

void write_window(const WindowPlace& window, attn::JsonWriter& out) {
    out.begin_row();
    out.integer(window.width);
    out.integer(window.height);
    if (window.corner) {
        out.integer(window.corner->x);
        out.integer(window.corner->y);
    }
    out.end_array();
}

}  // namespace

std::optional<Language> Settings::language() const {
    return view.has("language") ? std::optional(view.values.language) : std::nullopt;
}

attn::Result<LoadedSettings> settings_from_json(std::string_view bytes, std::string_view where) {
    const auto json = parse_object(bytes, where);
    if (!json) return json.error();
    LoadedSettings out;
    ReadPart view;
    for (const attn::JsonMember& member : json->members) {
        const auto must = [&](bool good, const char* expected) {
            if (!good && member.value.kind != JsonKind::Null)
                view.problems.push_back(
                    wrong_key(std::string("it must be ") + expected, where, member.key, member.value.line));
        };
        if (member.key == "window")
            must(read_window(out.settings.window, member.value), "[width, height, left, top]");
        else if (member.key == "fonts")
            must(field::Text::read(out.settings.fonts, member.value), "the path of a folder");
        else if (member.key == "first_start_done")
            must(read(out.settings.first_start_done, member.value), "true or false");
        else
            read_member(view, member, kSetting, where);
    }
    out.settings.view = std::move(view.part);
    out.problems = std::move(view.problems);
    return out;
}

std::string settings_to_json(const Settings& settings) {
    attn::JsonWriter out;
    out.begin_object();
    write_part(settings.view, out);
    out.key("window");
    write_window(settings.window, out);
    out.key("fonts");
    out.string(settings.fonts);
    out.key("first_start_done");
    out.boolean(settings.first_start_done);
    out.end_object();
    return out.take();
}

Settings settings_of(const ViewState& view, const WindowPlace& window) {
    // Settings that a chapter's page only borrowed are stored as the learner had them.
    ViewState own = view;
    const LentView& lent = view.course.lent;
    own.speed = lent.speed.value_or(view.speed);
    own.shared_scale = lent.shared_scale.value_or(view.shared_scale);
    own.level = view.own_level.value_or(view.level);
    own.convention = lent.convention.value_or(view.convention);
    return {part_of(own, kSetting), window, {}, true};
}

Settings merged(Settings stored, const Settings& before, const Settings& now) {
    use_changes(stored.view, before.view, now.view);
    if (before.window != now.window) stored.window = now.window;
    stored.first_start_done = true;
    return stored;
}

}  // namespace app
