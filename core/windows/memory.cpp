// core/base/memory.h on Windows.

#include "core/base/memory.h"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace attn {
namespace {

MEMORYSTATUSEX memory_now() {
    MEMORYSTATUSEX out{};
    out.dwLength = sizeof(out);
    if (GlobalMemoryStatusEx(&out) == 0) out.ullTotalPhys = out.ullAvailPhys = 0;
    return out;
}

}  // namespace

void keep_freed_memory() {}
void ask_large_pages(void*, std::size_t) {}

/// The stack size is set in the executable (app/shell/windows/windows.cmake).
int with_enough_stack(const std::function<int()>& program) { return program(); }

double all_memory() { return static_cast<double>(memory_now().ullTotalPhys); }

std::optional<double> available_memory() {
    const auto bytes = static_cast<double>(memory_now().ullAvailPhys);
    return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

}  // namespace attn
