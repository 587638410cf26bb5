#pragma once
// `attenscope [FILE|TEXT…]`: opens the window. Also the program's own --help and --version.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/shell/window_loop.h"

namespace app {

struct WindowArguments {
    std::vector<std::string> words;  ///< one document's path, or the words of a text
    std::string model;  ///< a folder, or the id of a shipped model
    std::string picture;  ///< a PNG for an image model
    std::string language, theme;
    std::optional<float> scale;
    std::optional<double> memory;  ///< MiB
    std::string count_from;        ///< "0" or "1"; empty: as in the settings
    std::string assets;
    std::string chapter;
    bool no_restore = false, notes = false;
    std::string report;
    bool version = false;
};

/// What the window opens with. A single word that names a file, a link or a model's folder is a document; everything
/// else is a text. Error: bad input.
attn::Result<WindowOptions> window_options(const WindowArguments& arguments, std::istream& in);

Exit run_window_command(const WindowArguments& arguments, Streams& streams);

extern const Command kWindowCommand;

}  // namespace app
