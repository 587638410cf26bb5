#pragma once
// The table of settings: their groups, their controls, and when each is offered. One row per setting.

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
    Stepper,   ///< a whole number, with buttons for one more and one less
    Seed,      ///< a whole number, with a die
    Slider,    ///< a number from 0 to the row's `most`, with an ∞ switch if the field allows it
    Decades,   ///< a number, with buttons for ten times and a tenth
    Biases,    ///< a small switch for each of the four biases, which are given as zeros to be edited
    HeadsOff,  ///< a small switch for each head
    Form,      ///< a form of attention, chosen from pictures
    CountFrom, ///< of the view: layers and heads count from 0 or from 1
    Model,     ///< none, a shipped one, or the present one from elsewhere; chosen from pictures
};

struct Setting {
    std::string_view field;  ///< in the document's table; for CountFrom in the view's
    Str title;
    Control control = Control::Select;
    /// A condition in addition to the field's own `is_read`; null: none.
    bool (*sensible)(const attn::Document&) = nullptr;
    float most = 0;   ///< Slider: its right end, which does not limit the document
    float reset = 0;  ///< Slider: the value for a double click
    double (*highest)(const attn::Document&) = nullptr;  ///< Stepper: where the document limits it further than the field
};

struct SettingGroup {
    Str title;
    std::span<const Setting> settings;
    bool always = false;  ///< open even if the others fold
};
std::span<const SettingGroup> setting_groups();

/// "0, 1, 2"
inline constexpr attn::CountFrom kCounts[] = {attn::CountFrom::Zero, attn::CountFrom::One};
Str count_title(attn::CountFrom from);
/// None: the usual count for the document. A chapter always counts from 1, and the user is told so.
void choose_count(ViewState& view, std::optional<attn::CountFrom> from);

/// Whether the picture depends on it and it can be set here.
bool is_offered(const Setting& setting, const attn::Document& document);

}  // namespace app
