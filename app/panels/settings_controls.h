#pragma once
// The control of one setting, drawn in its row.

#include <string>

#include "app/frame/view.h"
#include "app/panels/settings_table.h"

namespace app {

/// Rows that a setting takes: several heads' switches need more than one.
float setting_rows(const Frame& frame, const Setting& setting);
void draw_setting(const Frame& frame, const Setting& setting, Rect row);
/// What it is set to, in a word or a number; empty where that is several switches.
std::string setting_value(const Frame& frame, const Setting& setting);

}  // namespace app
