#pragma once
// Results on their way out: to standard output, or to a file that is written whole or not at all.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command.h"

namespace app {

enum class Content : std::uint8_t { Text, Binary };

/// Asked before anything is computed: a file that is there is replaced only when the caller says so, and never the one
/// that was read. Empty: it may be written.
std::optional<attn::Error> refuse_output(const std::string& out, bool force, const std::string& input = {});
/// The option that says so, for every command that writes a file.
void declare_force(Parser& parser, bool& force);

/// Where OUT is empty or "-": standard output, which must not be a terminal for binary content.
Exit write_output(Streams& streams, const std::string& out, std::string_view bytes, Content content);

/// A folder that takes several files, made where it is missing. Until all of them are there a file says so in it, UNFINISHED: a
/// run that is ended in the middle leaves the sign behind.
attn::Result<attn::Done> begin_folder(const std::filesystem::path& folder);
void finish_folder(const std::filesystem::path& folder);

}  // namespace app
