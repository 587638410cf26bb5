#pragma once
// What a page of a browser, which ImGui has no back end for, asks of it beside the input that compat.h injects.

#include <functional>
#include <string>
#include <string_view>

namespace app::gui {

/// The pointer's shape as CSS has it, after a frame.
std::string_view shown_cursor();
/// Where no window brings the system's clipboard: these two are asked in its place.
void use_clipboard(std::function<void(const std::string&)> copy, std::function<std::string()> paste);

}  // namespace app::gui
