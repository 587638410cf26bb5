// app/shell/child.h on Windows.

#include "app/shell/child.h"

#include <array>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "app/shell/child_words.h"
#include "app/shell/windows/wide.h"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace app {
namespace {

constexpr DWORD kLookMilliseconds = 100;

class Held {
public:
    Held() = default;
    ~Held() { close(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    HANDLE* out() { return &handle_; }
    HANDLE get() const { return handle_; }
    void close() {
        if (handle_) CloseHandle(std::exchange(handle_, nullptr));
    }

private:
    HANDLE handle_ = nullptr;
};

struct Pipe {
    Held ours, theirs;
    bool open(bool to_child) {
        SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
        if (!CreatePipe((to_child ? theirs : ours).out(), (to_child ? ours : theirs).out(), &inherited, 0)) return false;
        return SetHandleInformation(ours.get(), HANDLE_FLAG_INHERIT, 0) != 0;
    }
};

attn::Error last_failure() {
    return {std::system_category().message(static_cast<int>(GetLastError())), {}, {}, 0};
}

/// Quoted as the child's C library will parse it.
std::wstring quoted(const std::wstring& word) {
    std::wstring out = L"\"";
    std::size_t backslashes = 0;
    for (const wchar_t sign : word) {
        if (sign == L'"') out.append(backslashes + 1, L'\\');
        backslashes = sign == L'\\' ? backslashes + 1 : 0;
        out += sign;
    }
    out.append(backslashes, L'\\');
    return out + L"\"";
}

template <class Hear>
void listen(HANDLE from, const Hear& hear) {
    std::array<char, 4096> block;
    DWORD got = 0;
    while (ReadFile(from, block.data(), static_cast<DWORD>(block.size()), &got, nullptr) != 0 && got > 0)
        hear(std::string_view(block.data(), got));
}

void feed(HANDLE to, std::string_view input) {
    DWORD written = 0;
    while (!input.empty() && WriteFile(to, input.data(), static_cast<DWORD>(input.size()), &written, nullptr) != 0)
        input.remove_prefix(written);
}

}  // namespace

std::wstring own_file() {
    std::wstring out(MAX_PATH, L'\0');
    for (;;) {
        const DWORD size = GetModuleFileNameW(nullptr, out.data(), static_cast<DWORD>(out.size()));
        if (size < out.size()) return out.substr(0, size);
        out.resize(2 * out.size());
    }
}

std::string own_program() { return std::filesystem::path(own_file()).string(); }

attn::Result<attn::Done> run_child(const ChildJob& job) {
    Pipe in, out, error;
    if (!in.open(true) || !out.open(false) || !error.open(false)) return last_failure();
    std::wstring command = quoted(wide(job.program));
    for (const std::string& word : job.arguments) command += L" " + quoted(wide(word));
    STARTUPINFOW start{};
    start.cb = sizeof(start);
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = in.theirs.get();
    start.hStdOutput = out.theirs.get();
    start.hStdError = error.theirs.get();
    PROCESS_INFORMATION made{};
    if (!CreateProcessW(wide(job.program).c_str(), command.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr, nullptr, &start, &made))
        return last_failure();
    CloseHandle(made.hThread);
    Held process;
    *process.out() = made.hProcess;
    for (Pipe* pipe : {&in, &out, &error}) pipe->theirs.close();

    ChildWords words;
    {
        const std::jthread feeds([&] {
            feed(in.ours.get(), job.input);
            in.ours.close();
        });
        const std::jthread hears([&] { listen(out.ours.get(), [&](std::string_view more) { words.hear(more, job); }); });
        const std::jthread hears_errors([&] { listen(error.ours.get(), [&](std::string_view more) { words.hear_error(more); }); });
        // On Windows, a program without a window cannot be asked to end in a way that it would notice.
        while (WaitForSingleObject(process.get(), kLookMilliseconds) == WAIT_TIMEOUT)
            if (job.cancelled && job.cancelled()) TerminateProcess(process.get(), 1);
    }
    DWORD status = 1;
    if (GetExitCodeProcess(process.get(), &status) != 0 && status == 0) return attn::Done{};
    std::string why = words.last_line();
    if (why.empty()) why = "for no stated reason";
    return attn::Error{std::move(why), {}, {}, 0};
}

}  // namespace app
