#pragma once
// Writes results: to standard output, or to a file that is written whole or not at all.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command.h"

namespace app {

enum class Content : std::uint8_t { Text, Binary };

/// Called before anything is computed: an existing file is replaced only with `force`, and never the one that was read.
/// Empty: it may be written.
std::optional<attn::Error> refuse_output(const std::string& out, bool force, const std::string& input = {});
/// Declares the option for that, on every command that writes a file.
void declare_force(Parser& parser, bool& force);

/// If OUT is empty or "-", standard output, which must not be a terminal for binary content.
Exit write_output(Streams& streams, const std::string& out, std::string_view bytes, Content content);

/// Creates a folder for several files, if it is missing. Until finish_folder() it contains a file UNFINISHED, which a
/// run that is interrupted leaves behind.
attn::Result<attn::Done> begin_folder(const std::filesystem::path& folder);
void finish_folder(const std::filesystem::path& folder);

}  // namespace app
