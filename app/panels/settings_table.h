#pragma once
// Which settings there are, in which group, with which control, and when each is offered. A setting is one row.

#include <optional>
#include <span>
#include <string_view>

#include "app/content/strings.h"
#include "app/state/state.h"
#include "core/document/fields.h"
#include "core/trace/counting.h"

namespace app {

enum class Control : std::uint8_t {
    Select,    ///< one of the field's choices
    Counts,    ///< one of a few whole numbers
    Stepper,   ///< a whole number, one more or one less
    Seed,      ///< a whole number and a die
    Slider,    ///< a number from 0 to the row's `most`; ∞ beside it where the field allows it
    Decades,   ///< a number, ten times more or a tenth of it
    Biases,    ///< a small switch for each of the four biases: given as zeros, to be typed over
    HeadsOff,  ///< a small switch for each head
    Form,      ///< a form of attention, from pictures
    CountFrom, ///< from 0 or from 1: how layers and heads are counted, of the view
    Model,     ///< none, one that comes along, or the one from elsewhere that is in use, from pictures
};

struct Setting {
    std::string_view field;  ///< of the document's table; CountFrom: of the view's
    Str title;
    Control control = Control::Select;
    /// Beyond what the field's own row says of who reads it; null: always sensible.
    bool (*sensible)(const attn::Document&) = nullptr;
    float most = 0;   ///< Slider: its right end, which is no end in a document
    float reset = 0;  ///< Slider: where a double click goes
};

struct SettingGroup {
    Str title;
    std::span<const Setting> settings;
    bool always = false;  ///< stands open even where the others fold
};
std::span<const SettingGroup> setting_groups();

/// "0, 1, 2"
inline constexpr attn::CountFrom kCounts[] = {attn::CountFrom::Zero, attn::CountFrom::One};
Str count_title(attn::CountFrom from);
/// None: as is usual for the document. A chapter counts from 1, and says so where something else is chosen.
void choose_count(ViewState& view, std::optional<attn::CountFrom> from);

/// Whether the picture depends on it and it can be set here.
bool is_offered(const Setting& setting, const attn::Document& document);

}  // namespace app
