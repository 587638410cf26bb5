#include "app/views/settings.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/document_fields.h"

namespace app {
namespace {

constexpr float kHottest = 4.0f;

/// One setting: what it is called, whether the variant reads it, and how to choose.
struct Setting {
    std::string_view field;  ///< of the document's table of fields
    Str title;
    attn::Uses needs;
};
constexpr Setting kChoices[] = {
    {"variant", Str::form, attn::Uses::Nothing},
    {"score", Str::score, attn::Uses::Nothing},
    {"mask", Str::mask, attn::Uses::Nothing},
    {"position", Str::position, attn::Uses::Nothing},
    {"vectors", Str::vectors, attn::Uses::Nothing},
    {"tokenizer", Str::tokens_by, attn::Uses::Nothing},
    {"weights", Str::weights_source, attn::Uses::Weights},
};

bool used(const Frame& f, attn::Uses needs) {
    const attn::Variant* variant = attn::find_variant(f.state.document.config.variant);
    return needs == attn::Uses::Nothing || (variant && attn::has(variant->uses, needs));
}

std::string current_of(const attn::Document& d, std::string_view field) {
    if (field == "variant") return d.config.variant;
    if (field == "score") return std::string(attn::score_of(d.config));
    if (field == "mask") return d.config.mask;
    if (field == "position") return d.config.position;
    if (field == "vectors") return d.matrix(attn::Given::X) ? "" : d.vectors;
    if (field == "tokenizer") return d.tokens.empty() ? d.tokenizer : "";
    if (field == "weights") return d.weights;
    return "";
}

void label(const Frame& f, Rect row, std::string_view text) {
    f.painter().text_in({row.x + f.theme.margin, row.y, row.w, row.h}, text, {Type::Small}, Hue::Soft);
}

Rect control_rect(const Frame& f, Rect row) { return {row.x + f.px(76), row.y, row.w - f.px(76) - f.px(14), row.h}; }

void choice(const Frame& f, Rect row, const Setting& setting) {
    label(f, row, f.say(setting.title));
    const attn::Field* field = attn::find_field(setting.field);
    const auto ids = field->choices();
    const std::string now = current_of(f.state.document, setting.field);
    std::vector<SelectOption> options;
    int chosen = -1;
    for (const std::string_view id : ids) {
        if (id == now) chosen = static_cast<int>(options.size());
        options.push_back({label_of(id, f.view().language), !f.derived.refuses(setting.field, id)});
    }
    const int before = chosen;
    if (chosen < 0) {
        options.push_back({f.say(Str::given)});
        chosen = static_cast<int>(options.size()) - 1;
    }
    if (!select(f.ui, setting.field, control_rect(f, row), options, chosen) || chosen == before ||
        chosen >= static_cast<int>(ids.size()))
        return;
    f.edit([&](attn::Document& d) { choose(d, setting.field, ids[static_cast<std::size_t>(chosen)]); });
}

void heads(const Frame& f, Rect row) {
    label(f, row, f.say(Str::heads));
    std::vector<SelectOption> options;
    std::vector<std::string> names;
    const attn::StepId queries = attn::find_id(f.trace(), {attn::Role::Queries});
    const int width = queries == attn::kNoStep ? 1 : static_cast<int>(f.trace()[queries].value.cols());
    std::vector<int> counts;
    for (int h = 1; h <= std::min(attn::kMaxHeads, width); ++h)
        if (width % h == 0) counts.push_back(h);
    int chosen = -1;
    for (const int h : counts) {
        if (h == f.state.document.config.heads) chosen = static_cast<int>(names.size());
        names.push_back(std::to_string(h));
    }
    for (const std::string& name : names) options.push_back({name});
    const int before = chosen;
    if (select(f.ui, "heads", control_rect(f, row), options, chosen) && chosen != before)
        f.edit([&](attn::Document& d) { d.config.heads = counts[static_cast<std::size_t>(chosen)]; });
}

/// 0 … 4 on the track; its end is no end in a document.
void temperature(const Frame& f, Rect row) {
    label(f, {row.x, row.y, row.w, row.h * 0.55f}, f.say(Str::temperature));
    float value = f.state.document.config.temperature;
    f.painter().text_in({row.x, row.y, row.w - f.px(18), row.h * 0.55f}, fmt::format("{:.2f}", value),
                        {Type::NumberSmall, Align::Right}, Hue::Ink);
    float shown = std::min(value, kHottest);
    const Rect track{row.x + f.theme.margin, row.y + row.h * 0.5f, row.w - f.theme.margin - f.px(18), row.h * 0.5f};
    if (slider(f.ui, "temperature", track, shown, {0.0f, kHottest, 0.05f, 1.0f, false}))
        f.edit([&](attn::Document& d) { d.config.temperature = std::round(shown * 100) / 100; }, "temperature");
}

}  // namespace

float lowest_setting(const Frame& f) { return f.px(22); }
float usual_setting(const Frame& f) { return f.px(27); }

float settings_height(const Frame& f, float row) {
    float rows = 0;
    for (const Setting& setting : kChoices) rows += used(f, setting.needs) ? 1.0f : 0.0f;
    rows += used(f, attn::Uses::Heads) ? 1.0f : 0.0f;
    return f.px(24) + rows * row + f.px(52);
}

void draw_settings(const Frame& f, Rect area) {
    section_label(f.ui, {area.x + f.theme.margin, area.y + f.px(14)}, f.say(Str::settings));
    float y = area.y + f.px(24);
    const float rows = (settings_height(f, 1) - settings_height(f, 0));
    const float high = (area.h - settings_height(f, 0)) / std::max(1.0f, rows);
    for (const Setting& setting : kChoices) {
        if (!used(f, setting.needs)) continue;
        choice(f, {area.x, y, area.w, high}, setting);
        y += high;
        if (setting.field == "mask" && used(f, attn::Uses::Heads)) {
            heads(f, {area.x, y, area.w, high});
            y += high;
        }
    }
    temperature(f, {area.x, y, area.w, f.px(48)});
}

}  // namespace app
