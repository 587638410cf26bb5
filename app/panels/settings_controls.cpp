#include "app/panels/settings_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain/form_words.h"
#include "app/frame/commands.h"
#include "app/frame/hint.h"
#include "app/panels/settings_switches.h"
#include "app/state/own_models.h"
#include "app/state/edits.h"
#include "app/state/reasons.h"
#include "app/state/refusals.h"
#include "core/document/origins.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"

namespace app {

Rect label_part(const Frame& f, Rect row) {
    return {row.x + f.theme.margin, row.y, row.w - f.theme.margin - f.px(14), row.h};
}

void label(const Frame& f, Rect row, std::string_view text, float until) {
    const float x = row.x + f.theme.margin;
    f.painter().text_fit({x, row.y, until - x - f.px(4), row.h}, text, {Type::Small}, Hue::Soft);
}

namespace {

/// Seeds for a double click or the die are below this, so that every JSON reader represents them exactly.
constexpr double kSeeds = 1000;

std::string current_of(const attn::Document& d, const attn::Field& field) {
    if (field.key == "score") return std::string(attn::score_of(d.config));
    if (field.key == "vectors" && d.matrix(attn::Given::X)) return "";
    if (field.key == "tokenizer" && !d.tokens.empty()) return "";
    return std::string(field.chosen(d));
}

void select_row(const Frame& f, const Setting& setting, const attn::Field& field, Rect row) {
    const auto ids = field.choices();
    const std::string now = current_of(f.state.document, field);
    std::vector<SelectOption> options;
    std::vector<std::string> notes;
    notes.reserve(ids.size());
    int chosen = -1;
    for (const std::string_view id : ids) {
        if (id == now) chosen = static_cast<int>(options.size());
        const attn::Error* why = f.derived.refusal(setting.field, id);
        notes.push_back(why ? reason_text(*why, f.view().language) : std::string());
        options.push_back({label_of(id, f.view().language), why == nullptr, notes.back()});
    }
    const int before = chosen;
    if (chosen < 0) {
        options.push_back({f.say(Str::given)});
        chosen = static_cast<int>(options.size()) - 1;
    }
    const Rect part = label_part(f, row);
    const float title_w = f.painter().width(f.say(setting.title), Type::Small) + f.px(10);
    const Rect control{part.x + title_w, part.y, part.w - title_w, part.h};
    label(f, row, f.say(setting.title), control.x);
    if (!select(f.ui, setting.field, control, options, chosen) || chosen == before ||
        chosen >= static_cast<int>(ids.size()))
        return;
    f.edit([field = setting.field, id = ids[static_cast<std::size_t>(chosen)]](attn::Document& d) {
        choose(d, field, id);
    });
}

/// A choice from pictures (gallery.cpp): a form of attention, a model.
void gallery_row(const Frame& f, const Setting& setting, Rect row) {
    const Rect part = label_part(f, row);
    const float title_w = f.painter().width(f.say(setting.title), Type::Small) + f.px(10);
    label(f, row, f.say(setting.title), part.x + title_w);
    const Rect control{part.x + title_w, part.y, part.w - title_w, part.h};
    if (select_elsewhere(f.ui, setting.field, control, setting_value(f, setting)))
        run_command(f, setting.control == Control::Model ? "models" : "forms");
}

void set_whole(const Frame& f, std::string_view field, double value, std::string gesture = {}) {
    f.edit(
        [field, value](attn::Document& d) {
            [[maybe_unused]] const auto set = attn::set_field(d, field, fmt::format("{:.0f}", value));
            attn::drop_unread(d);
        },
        std::move(gesture));
}

/// The number of columns that heads can share.
int widest_split(const Frame& f) {
    const attn::StepId queries = attn::find_id(f.trace(), {attn::Role::Queries});
    if (queries != attn::kNoStep) return static_cast<int>(f.trace()[queries].value.cols());
    const attn::StepId x = attn::find_id(f.trace(), {attn::Role::Embeddings});
    return x == attn::kNoStep ? 1 : static_cast<int>(f.trace()[x].value.cols());
}

void counts_row(const Frame& f, const Setting& setting, const attn::Field& field, Rect row) {
    const int most =
        field.key == "kv_heads" ? f.state.document.config.heads : std::clamp(widest_split(f), 1, most_heads_offered(f.state.document));
    const bool whole = field.key == "kv_heads";  // a document stores 0 for as many as heads
    int now = static_cast<int>(field.number(f.state.document));
    if (whole && now == 0) now = most;
    std::vector<std::string> names, notes;
    for (int n = 1; n <= most; ++n) {
        names.push_back(std::to_string(n));
        const attn::Error* why = f.derived.refusal(field.key, names.back());
        notes.push_back(why ? reason_text(*why, f.view().language) : std::string());
    }
    std::vector<SelectOption> options;
    for (std::size_t i = 0; i < names.size(); ++i) options.push_back({names[i], notes[i].empty(), notes[i]});
    int chosen = std::clamp(now, 1, std::max(most, 1)) - 1;
    const int before = chosen;
    const Rect part = label_part(f, row);
    const float title_w = f.painter().width(f.say(setting.title), Type::Small) + f.px(10);
    label(f, row, f.say(setting.title), part.x + title_w);
    if (options.empty() ||
        !select(f.ui, setting.field, {part.x + title_w, part.y, part.w - title_w, part.h}, options, chosen) ||
        chosen == before)
        return;
    f.edit([whole, chosen, most](attn::Document& d) {
        if (whole) {
            d.config.kv_heads = chosen + 1 == most ? 0 : chosen + 1;
            return;
        }
        d.config.heads = chosen + 1;
        // What belongs to removed heads goes with them.
        std::erase_if(d.config.heads_off, [&](int head) { return head > chosen; });
        if (d.config.kv_heads > 0 && d.config.heads % d.config.kv_heads != 0) d.config.kv_heads = 0;
    });
}

void stepper_row(const Frame& f, const Setting& setting, const attn::Field& field, Rect row) {
    const double now = field.number(f.state.document);
    const Rect part = label_part(f, row);
    const float side = f.px(22),
                number_w = std::max(f.px(28), f.painter().width(fmt::format("{:.0f}", now), Type::Number) + f.px(6));
    const float y = part.center().y - side / 2, x = part.right() - number_w - 2 * side;
    label(f, row, f.say(setting.title), x);
    const std::string id(setting.field);
    const bool less = now > field.low && !f.derived.refusal(setting.field, kOneLess),
               more = now < (setting.highest ? setting.highest(f.state.document) : field.high) && !f.derived.refusal(setting.field, kOneMore);
    if (icon_button(f.ui, id + "-", {x, y, side, side}, Icon::Minus, ButtonKind::Plain, less))
        set_whole(f, setting.field, now - 1, id);
    f.painter().text_in({x + side, part.y, number_w, part.h}, fmt::format("{:.0f}", now), {Type::Number, Align::Center},
                        Hue::Ink);
    if (icon_button(f.ui, id + "+", {part.right() - side, y, side, side}, Icon::Plus, ButtonKind::Plain, more))
        set_whole(f, setting.field, now + 1, id);
}

/// Another seed, seemingly random, but the same on every machine.
double thrown(double seed) {
    const auto mixed = (static_cast<std::uint64_t>(seed) + 1) * 0x9E3779B97F4A7C15ull;
    const double next = static_cast<double>((mixed >> 40) % static_cast<std::uint64_t>(kSeeds));
    return next == seed ? next + 1 : next;
}

void die(const Frame& f, Rect rect, bool lit) {
    const Ink ink = lit ? Hue::Accent : Hue::Soft;
    const Rect face = rect_around(rect.center(), f.px(14), f.px(14));
    f.painter().stroke(face, ink, f.px(3), f.px(1.3f));
    for (const float at : {-0.24f, 0.0f, 0.24f})
        f.painter().circle({face.center().x + at * face.w, face.center().y + at * face.h}, f.px(1.3f), ink);
}

void seed_row(const Frame& f, const Setting& setting, const attn::Field& field, Rect row) {
    const double now = field.number(f.state.document);
    const Rect part = label_part(f, row);
    const float side = f.px(24);
    const std::string text = fmt::format("{:.0f}", now);
    const float number_w = f.painter().width(text, Type::Number) + f.px(6);
    label(f, row, f.say(setting.title), part.right() - side - number_w);
    f.painter().text_in({part.x, part.y, part.w - side - f.px(4), part.h}, text, {Type::Number, Align::Right},
                        Hue::Ink);
    const Rect button{part.right() - side, part.center().y - side / 2, side, side};
    const Touch touch = touch_area(f.ui, setting.field, button);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    if (touch.focused) focus_ring(f.ui, button, f.px(5));
    die(f, button, touch.hovered || touch.held);
    if (touch.clicked) set_whole(f, setting.field, thrown(now));
}

/// "∞" at the end of the row switches to the text "inf" in the document, and back.
void infinity_switch(const Frame& f, const Setting& setting, Rect rect, bool on) {
    const Touch touch = touch_area(f.ui, std::string(setting.field) + ".inf", rect);
    if (on) f.painter().fill(rect, Hue::AccentSoft, f.px(4));
    f.painter().text_in(rect, "∞", {Type::Number, Align::Center},
                        on ? Ink(Hue::Accent) : Ink(touch.hovered ? Hue::Ink : Hue::Soft));
    if (touch.focused) focus_ring(f.ui, rect, f.px(4));
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    if (!touch.clicked) return;
    f.edit([field = setting.field, value = on ? fmt::format("{}", setting.reset) : std::string("inf")](
               attn::Document& d) { [[maybe_unused]] const auto set = attn::set_field(d, field, value); });
}

void slider_row(const Frame& f, const Setting& setting, const attn::Field& field, Rect row) {
    const auto now = static_cast<float>(field.number(f.state.document));
    Rect part = label_part(f, row);
    if (field.or_infinite) {
        const float side = f.px(20);
        infinity_switch(f, setting, {part.right() - side + f.px(6), part.center().y - side / 2, side, side},
                        std::isinf(now));
        part.w -= side - f.px(4);
    }
    const std::string text = std::isinf(now) ? std::string() : fmt::format("{:.2f}", now);
    const float number_w = f.painter().width("0.00", Type::NumberSmall) + f.px(4);
    const float title_w = std::min(f.painter().width(f.say(setting.title), Type::Small) + f.px(8), part.w * 0.5f);
    label(f, row, f.say(setting.title), part.x + title_w + f.px(4));
    f.painter().text_in(part, text, {Type::NumberSmall, Align::Right}, Hue::Ink);
    float shown = std::min(now, setting.most);
    const Rect track{part.x + title_w, part.y, part.w - title_w - number_w, part.h};
    if (!slider(f.ui, setting.field, track, shown, {0.0f, setting.most, setting.most / 80, setting.reset, false}))
        return;
    f.edit(
        [field = setting.field, shown](attn::Document& d) {
            [[maybe_unused]] const auto set =
                attn::set_field(d, field, fmt::format("{}", std::round(shown * 100) / 100));
        },
        std::string(setting.field));
}

/// "10000", "1e-5": the usual notation, without zeros that the exponent does not need.
std::string decade_text(double value) {
    std::string text = value >= 1 && value < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:g}", value);
    for (const std::string_view sign : {"e-0", "e+0", "e+"})
        if (const std::size_t at = text.find(sign); at != std::string::npos)
            text.replace(at, sign.size(), sign[1] == '-' ? "e-" : "e");
    return text;
}

void decades_row(const Frame& f, const Setting& setting, const attn::Field& field, Rect row) {
    const double now = field.number(f.state.document);
    const Rect part = label_part(f, row);
    const std::string text = decade_text(now);
    const float side = f.px(22), number_w = std::max(f.px(44), f.painter().width(text, Type::Number) + f.px(6));
    const float y = part.center().y - side / 2, x = part.right() - number_w - 2 * side;
    label(f, row, f.say(setting.title), x);
    const std::string id(setting.field);
    const auto set_to = [&](double value) {
        f.edit(
            [field = setting.field, value](attn::Document& d) {
                [[maybe_unused]] const auto set = attn::set_field(d, field, fmt::format("{:g}", value));
            },
            id);
    };
    // Tolerance for the rounding of a tenth in float.
    constexpr double kRoom = 1.000001;
    if (icon_button(f.ui, id + "-", {x, y, side, side}, Icon::Minus, ButtonKind::Plain, now / 10 * kRoom >= field.low))
        set_to(std::max(now / 10, field.low));
    f.painter().text_in({x + side, part.y, number_w, part.h}, text, {Type::Number, Align::Center}, Hue::Ink);
    if (icon_button(f.ui, id + "+", {part.right() - side, y, side, side}, Icon::Plus, ButtonKind::Plain,
                    now * 10 <= field.high * kRoom))
        set_to(std::min(now * 10, field.high));
}

std::string select_value(const Frame& f, const attn::Field& field) {
    const std::string now = current_of(f.state.document, field);
    return std::string(now.empty() ? f.say(Str::given) : label_of(now, f.view().language));
}

std::string model_name(const Frame& f) {
    const attn::Document& d = f.state.document;
    if (!d.model) return std::string(f.say(Str::model_none));
    const std::string_view given = given_name(f.view().model_names, *d.model);
    return given.empty() ? model_title(*d.model, f.view().language) : attn::visible_text(given);
}

/// The usual count for the document, or one of the two.
void count_row(const Frame& f, const Setting& setting, Rect row) {
    if (rests_on(f, row)) hint(f, setting.field, row, hint_of(setting.field, f.view().language));
    const auto usual = attn::usual_count(f.state.document);
    const std::string by_itself = f.say(Str::count_usual, {f.say(count_title(usual))});
    std::vector<SelectOption> options = {{by_itself}};
    int chosen = 0;
    for (const attn::CountFrom from : kCounts) {
        if (f.view().count_from == from) chosen = static_cast<int>(options.size());
        options.push_back({f.say(count_title(from))});
    }
    const int before = chosen;
    const Rect part = label_part(f, row);
    const float title_w = f.painter().width(f.say(setting.title), Type::Small) + f.px(10);
    label(f, row, f.say(setting.title), part.x + title_w);
    // While closed, it shows the present count, whoever chose it.
    const Rect control{part.x + title_w, part.y, part.w - title_w, part.h};
    if (!select(f.ui, setting.field, control, options, chosen, Align::Right, f.say(count_title(f.counts_from()))) || chosen == before) return;
    f.change_view([chosen](ViewState& v) {
        choose_count(v, chosen > 0 ? std::optional(kCounts[static_cast<std::size_t>(chosen) - 1]) : std::nullopt);
    });
}

}  // namespace

std::string setting_value(const Frame& f, const Setting& setting) {
    const attn::Document& d = f.state.document;
    if (setting.control == Control::CountFrom) return std::string(f.say(count_title(f.counts_from())));
    const attn::Field& field = *attn::find_field(setting.field);
    switch (setting.control) {
        case Control::Form:
            return std::string(form_title(d, f.view().language));
        case Control::Model:
            return model_name(f);
        case Control::Select:
            return select_value(f, field);
        case Control::Counts:
        case Control::Stepper:
        case Control::Seed: {
            const double now = field.number(d);
            return fmt::format("{:.0f}", field.key == "kv_heads" && now == 0 ? d.config.heads : now);
        }
        case Control::Slider: {
            const double now = field.number(d);
            return std::isinf(now) ? "∞" : fmt::format("{:.2f}", now);
        }
        case Control::Decades:
            return decade_text(field.number(d));
        case Control::Biases:
        case Control::HeadsOff:
        case Control::CountFrom:
            break;
    }
    return {};
}

float setting_rows(const Frame& f, const Setting& setting) {
    const int heads = f.state.document.config.heads;
    if (setting.control != Control::HeadsOff || heads <= 4) return 1;
    return heads <= kSwitchesInARow ? 2 : 3;
}

void draw_setting(const Frame& f, const Setting& setting, Rect row) {
    if (setting.control == Control::CountFrom) return count_row(f, setting, row);
    const attn::Field& field = *attn::find_field(setting.field);
    const attn::Document& d = f.state.document;
    const bool of_file = d.attention && setting.control == Control::Form;
    if (rests_on(f, row))
        hint(f, setting.field, row,
             of_file ? sentence_of_form(d.config.form, f.view().language) : hint_of(setting.field, f.view().language));
    switch (setting.control) {
        case Control::Select:
            return select_row(f, setting, field, row);
        case Control::Counts:
            return counts_row(f, setting, field, row);
        case Control::Stepper:
            return stepper_row(f, setting, field, row);
        case Control::Seed:
            return seed_row(f, setting, field, row);
        case Control::Slider:
            return slider_row(f, setting, field, row);
        case Control::Decades:
            return decades_row(f, setting, field, row);
        case Control::Biases:
            return biases_row(f, setting, row);
        case Control::HeadsOff:
            return heads_row(f, setting, row);
        case Control::CountFrom:
            return;
        case Control::Form:
        case Control::Model:
            return gallery_row(f, setting, row);
    }
}

}  // namespace app
