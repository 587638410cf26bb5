#pragma once
// Rows of switches in the settings: biases, heads. Internal to settings_controls.cpp.

#include <string_view>

#include "app/frame/view.h"
#include "app/panels/settings_table.h"

namespace app {

inline constexpr int kSwitchesInARow = 8;

Rect label_part(const Frame& frame, Rect row);
/// Draws the title, at most up to the control that begins at `until`.
void label(const Frame& frame, Rect row, std::string_view text, float until);

void biases_row(const Frame& frame, const Setting& setting, Rect row);
void heads_row(const Frame& frame, const Setting& setting, Rect row);

}  // namespace app
