#pragma once
// The superuser may write everywhere, so tests of refused writes run as a user without privileges.

#include <filesystem>
#include <functional>

namespace test_support {

/// Runs `check`, with its EXPECTs, where file permissions apply: in a child process with nobody's ids if this process
/// is the superuser's, else in this process. Changes that `check` makes in the child's memory are lost.
void as_nobody(const std::function<void()>& check);

/// Gives a folder and its contents to nobody if this process is the superuser's.
void give_to_nobody(const std::filesystem::path& folder);

}  // namespace test_support
