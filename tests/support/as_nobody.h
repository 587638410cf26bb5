#pragma once
// The superuser may write everywhere: what must be refused is tried by somebody who may not.

#include <filesystem>
#include <functional>

namespace test_support {

/// Runs `check`, with its EXPECTs, where files' permissions count: in a child process with nobody's rights where this
/// one is the superuser's, else in this one. What `check` changes in memory is gone afterwards.
void as_nobody(const std::function<void()>& check);

/// Hands a folder and what is in it to nobody, where this process is the superuser's.
void give_to_nobody(const std::filesystem::path& folder);

}  // namespace test_support
