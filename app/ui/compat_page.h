#pragma once
// What a browser page, for which ImGui has no back end, needs in addition to the input injected through compat.h.

#include <functional>
#include <string>
#include <string_view>

namespace app::gui {

/// The pointer's shape after a frame, as a CSS name.
std::string_view shown_cursor();
/// Replaces the clipboard of a window with these two functions.
void use_clipboard(std::function<void(const std::string&)> copy, std::function<std::string()> paste);

}  // namespace app::gui
