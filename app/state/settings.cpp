#include "app/state/settings.h"

#include <algorithm>
#include <climits>
#include <iterator>

#include "app/state/json_read.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;
using attn::JsonWriter;

bool read_language(Settings& s, const JsonValue& value) {
    s.language = value.kind == JsonKind::String ? find_language(value.string) : std::nullopt;
    return s.language.has_value();
}

bool read_theme(Settings& s, const JsonValue& value) {
    if (value.kind != JsonKind::String || value.string.empty()) return false;
    s.theme = value.string;
    return true;
}

bool read_fonts(Settings& s, const JsonValue& value) {
    if (value.kind != JsonKind::String) return false;
    s.fonts = value.string;
    return true;
}

bool read_convention(Settings& s, const JsonValue& value) {
    const auto convention = value.kind == JsonKind::String ? attn::find_convention(value.string) : std::nullopt;
    if (convention) s.convention = *convention;
    return convention.has_value();
}

constexpr std::string_view kPoolings[] = {"mean", "largest"};

bool read_pooling(Settings& s, const JsonValue& value) {
    for (std::size_t i = 0; i < std::size(kPoolings); ++i)
        if (value.kind == JsonKind::String && value.string == kPoolings[i]) {
            s.pooling = static_cast<Pooling>(i);
            return true;
        }
    return false;
}

bool read_scale(Settings& s, const JsonValue& value) {
    double scale = 0;
    if (!read(scale, value, double{kMinScale}, double{kMaxScale})) return false;
    s.scale = static_cast<float>(scale);
    return true;
}

bool read_corner(WindowPlace& place, const JsonValue& x, const JsonValue& y) {
    constexpr int kFar = 1 << 16;
    place.corner.emplace();
    return read(place.corner->x, x, -kFar, kFar) && read(place.corner->y, y, -kFar, kFar);
}

/// [width, height] or [width, height, left, top].
bool read_window(Settings& s, const JsonValue& value) {
    const auto& items = value.items;
    WindowPlace place;
    const bool good = value.kind == JsonKind::Array && (items.size() == 2 || items.size() == 4) &&
                      read(place.width, items[0], WindowPlace::kLeast, WindowPlace::kMost) &&
                      read(place.height, items[1], WindowPlace::kLeast, WindowPlace::kMost) &&
                      (items.size() == 2 || read_corner(place, items[2], items[3]));
    if (good) s.window = place;
    return good;
}

void write_window(const Settings& s, JsonWriter& out) {
    out.begin_row();
    out.integer(s.window.width);
    out.integer(s.window.height);
    if (s.window.corner) {
        out.integer(s.window.corner->x);
        out.integer(s.window.corner->y);
    }
    out.end_array();
}

/// A setting is one row.
struct Field {
    std::string_view key;
    std::string_view expected;
    bool (*read)(Settings&, const JsonValue&);
    void (*write)(const Settings&, JsonWriter&);
};

constexpr Field kFields[] = {
    {"language", "\"en\" or \"zh\"", read_language,
     [](const Settings& s, JsonWriter& out) { s.language ? out.string(language_id(*s.language)) : out.null(); }},
    {"theme", "the name of a theme", read_theme, [](const Settings& s, JsonWriter& out) { out.string(s.theme); }},
    {"scale", "a number", read_scale, [](const Settings& s, JsonWriter& out) { out.number(s.scale); }},
    {"speed", "a number", [](Settings& s, const JsonValue& v) { return read(s.speed, v, kMinSpeed, kMaxSpeed); },
     [](const Settings& s, JsonWriter& out) { out.number(s.speed); }},
    {"still", "true or false", [](Settings& s, const JsonValue& v) { return read(s.still, v); },
     [](const Settings& s, JsonWriter& out) { out.boolean(s.still); }},
    {"shared_scale", "true or false", [](Settings& s, const JsonValue& v) { return read(s.shared_scale, v); },
     [](const Settings& s, JsonWriter& out) { out.boolean(s.shared_scale); }},
    {"convention", "\"rows\" or \"columns\"", read_convention,
     [](const Settings& s, JsonWriter& out) { out.string(attn::convention_id(s.convention)); }},
    {"pooling", "\"mean\" or \"largest\"", read_pooling,
     [](const Settings& s, JsonWriter& out) { out.string(kPoolings[static_cast<std::size_t>(s.pooling)]); }},
    {"cube", "true or false", [](Settings& s, const JsonValue& v) { return read(s.cube, v); },
     [](const Settings& s, JsonWriter& out) { out.boolean(s.cube); }},
    {"window", "[width, height, left, top]", read_window, write_window},
    {"fonts", "the path of a folder", read_fonts, [](const Settings& s, JsonWriter& out) { out.string(s.fonts); }},
    {"first_start_done", "true or false", [](Settings& s, const JsonValue& v) { return read(s.first_start_done, v); },
     [](const Settings& s, JsonWriter& out) { out.boolean(s.first_start_done); }},
};

const Field* find_field(std::string_view key) {
    const auto at = std::find_if(std::begin(kFields), std::end(kFields), [&](const Field& f) { return f.key == key; });
    return at == std::end(kFields) ? nullptr : at;
}

}  // namespace

attn::Result<LoadedSettings> settings_from_json(std::string_view bytes, std::string_view where) {
    const auto json = parse_object(bytes, where);
    if (!json) return json.error();
    LoadedSettings out;
    for (const auto& [key, value, line] : json->members) {
        const Field* field = find_field(key);
        if (!field)
            out.problems.push_back(wrong_key("there is no such setting; it is left out", where, key, line));
        else if (value.kind != JsonKind::Null && !field->read(out.settings, value))
            out.problems.push_back(wrong_key("it must be " + std::string(field->expected), where, key, value.line));
    }
    return out;
}

std::string settings_to_json(const Settings& settings) {
    JsonWriter out;
    out.begin_object();
    for (const Field& field : kFields) {
        out.key(field.key);
        field.write(settings, out);
    }
    out.end_object();
    return out.take();
}

Settings settings_of(const ViewState& view, const WindowPlace& window) {
    // What a page of a chapter has only borrowed is kept as the learner had it.
    const LentView& lent = view.study.lent;
    return {view.language,
            view.theme,
            view.scale,
            lent.speed.value_or(view.speed),
            view.still,
            lent.shared_scale.value_or(view.shared_scale),
            lent.convention.value_or(view.convention),
            view.pooling,
            view.cube,
            window,
            {},
            true};
}

void use_settings(ViewState& view, const Settings& settings) {
    if (settings.language) view.language = *settings.language;
    view.theme = settings.theme;
    view.scale = settings.scale;
    view.speed = settings.speed;
    view.still = settings.still;
    view.shared_scale = settings.shared_scale;
    view.convention = settings.convention;
    view.pooling = settings.pooling;
    view.cube = settings.cube;
}

Settings merged(Settings stored, const Settings& before, const Settings& now) {
    const auto keep = [&](auto field) {
        if (before.*field != now.*field) stored.*field = now.*field;
    };
    keep(&Settings::language);
    keep(&Settings::theme);
    keep(&Settings::scale);
    keep(&Settings::speed);
    keep(&Settings::still);
    keep(&Settings::shared_scale);
    keep(&Settings::convention);
    keep(&Settings::pooling);
    keep(&Settings::cube);
    keep(&Settings::window);
    stored.first_start_done = true;
    return stored;
}

}  // namespace app
