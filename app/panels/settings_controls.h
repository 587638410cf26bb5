#pragma once
// The control of one setting, drawn in its row.

#include <string>

#include "app/frame/view.h"
#include "app/panels/settings_table.h"

namespace app {

/// The number of rows of a setting: many heads' switches need more than one.
float setting_rows(const Frame& frame, const Setting& setting);
void draw_setting(const Frame& frame, const Setting& setting, Rect row);
/// Its value as a word or a number; empty if it consists of several switches.
std::string setting_value(const Frame& frame, const Setting& setting);

}  // namespace app
