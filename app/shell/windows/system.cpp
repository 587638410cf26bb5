// Windows' replacements for signals, the system's typefaces and folder names.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>

#include "app/shell/interrupt.h"
#include "app/shell/signals.h"
#include "app/shell/waker.h"
#include "app/shell/windows/wide.h"
#include "app/ui/typeface.h"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace app {
namespace {

/// Sets a variable that other systems have from the Windows variable `here`, unless it is set.
void set_from(const char* name, const wchar_t* here) {
    if (const wchar_t* value = _wgetenv(here); value && !std::getenv(name)) _wputenv_s(wide(name).c_str(), value);
}

/// A console program started by a double click has an unused console of its own.
void leave_own_console() {
    DWORD others[2];
    if (GetConsoleProcessList(others, static_cast<DWORD>(std::size(others))) == 1) FreeConsole();
}

/// Set on a system thread when the user pressed Ctrl+C, closed the console or logged off.
std::atomic<bool>& end_requested() {
    static std::atomic<bool> requested = false;
    return requested;
}
/// The function that is called as well.
struct Listener {
    std::mutex mutex;
    std::function<void()> tell;
};
Listener& listener() {
    static Listener one;
    return one;
}
void tell_also(std::function<void()> tell) {
    const std::lock_guard lock(listener().mutex);
    listener().tell = std::move(tell);
}

BOOL WINAPI note_end(DWORD why) {
    constexpr DWORD kMostMilliseconds = 5000;
    end_requested() = true;
    {
        const std::lock_guard lock(listener().mutex);
        if (listener().tell) listener().tell();
    }
    // When a console closes, the process ends as soon as this returns, so wait until the work is saved.
    if (why != CTRL_C_EVENT && why != CTRL_BREAK_EVENT) Sleep(kMostMilliseconds);
    return TRUE;
}

}  // namespace

void begin_process() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) _setmode(stream, _O_BINARY);
    leave_own_console();
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
    set_from("HOME", L"USERPROFILE");
    set_from("XDG_CONFIG_HOME", L"APPDATA");
    for (const char* name : {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) set_from(name, L"LOCALAPPDATA");
    const bool chinese = PRIMARYLANGID(GetUserDefaultUILanguage()) == LANG_CHINESE;
    if (!std::getenv("LANG")) _putenv_s("LANG", chinese ? "zh_CN" : "en");
}

LastSentence::LastSentence(std::string) {}  // the system reports a crash in a window of its own
LastSentence::~LastSentence() = default;

struct Interrupt::Waiting {};
Interrupt::Interrupt() { SetConsoleCtrlHandler(note_end, TRUE); }
Interrupt::~Interrupt() {
    SetConsoleCtrlHandler(note_end, FALSE);
    if (end_requested()) std::_Exit(130);
}
bool Interrupt::requested() const { return end_requested(); }

/// (Needs no thread: the system calls the handler on one of its own.)
QuitSignals::QuitSignals(Waker& waker) {
    tell_also([this, &waker] {
        came_ = true;
        waker.wake();
    });
    SetConsoleCtrlHandler(note_end, TRUE);
}
QuitSignals::~QuitSignals() {
    SetConsoleCtrlHandler(note_end, FALSE);
    tell_also({});
}

/// The fonts next to the program, one file per typeface (app/packaging/windows/program).
struct SystemFonts::Known {};
SystemFonts::SystemFonts(const std::string&) {}
SystemFonts::~SystemFonts() = default;

FontFiles::Entry SystemFonts::nearest(const Typeface& wanted) {
    namespace fs = std::filesystem;
    fs::path file = fs::path(own_file()).parent_path() / "fonts" / fs::path(wanted.path).filename();
    if (file.extension() == ".ttc") file.replace_extension(".otf");
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) ? FontFiles::Entry{file.string(), 0} : FontFiles::Entry{};
}

}  // namespace app
