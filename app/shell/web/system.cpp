// Replacements in a web page for other processes, signals and the system's typefaces.

#include <emscripten.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "app/shell/child.h"
#include "app/shell/child_words.h"
#include "app/shell/signals.h"
#include "app/ui/typeface.h"

namespace app {

std::string own_program() { return {}; }

namespace {

/// `order`: the arguments, each with a zero byte behind it, then the standard input.
EM_JS(void, page_run_child, (const char* order, int size), { Module.runChild(HEAPU8.slice(order, order + size)); });
EM_JS(void, page_end_child, (), { Module.endChild(); });

class ChildInWorker;

/// The browser passes on a worker's messages by calling exported functions.
ChildInWorker*& child_in_worker() {
    static ChildInWorker* one = nullptr;
    return one;
}

/// Another process of the program is a worker here, one at a time: the window's exports (app/shell/exporter.cpp).
class ChildInWorker final : public RunningChild {
public:
    using Ended = std::function<void(attn::Result<attn::Done>)>;

    ChildInWorker(ChildJob job, Ended ended) : job_(std::move(job)), ended_(std::move(ended)) {
        child_in_worker() = this;
        std::string order;
        for (const std::string& word : job_.arguments) order += word + '\0';
        order += job_.input;
        page_run_child(order.data(), static_cast<int>(order.size()));
    }
    ~ChildInWorker() override {
        page_end_child();
        child_in_worker() = nullptr;
    }
    ChildInWorker(const ChildInWorker&) = delete;
    ChildInWorker& operator=(const ChildInWorker&) = delete;

    void cancel() override {
        page_end_child();
        end(attn::Error{"it was cancelled", {}, {}, 0});
    }
    void hear(std::string_view words, bool error) {
        if (error)
            words_.hear_error(words);
        else
            words_.hear(words, job_);
    }
    void exit(int status) {
        if (status == 0) return end(attn::Done{});
        std::string why = words_.last_line();
        if (why.empty()) why = "for no stated reason";
        end(attn::Error{std::move(why), {}, {}, 0});
    }

private:
    void end(attn::Result<attn::Done> how) {
        if (const Ended ended = std::exchange(ended_, nullptr)) ended(std::move(how));
    }

    ChildJob job_;
    Ended ended_;
    ChildWords words_;
};

}  // namespace

std::unique_ptr<RunningChild> start_child(ChildJob job, std::function<void(attn::Result<attn::Done>)> ended) {
    return std::make_unique<ChildInWorker>(std::move(job), std::move(ended));
}

void begin_process() {}
LastSentence::LastSentence(std::string) {}  // the browser reports a crashed page
LastSentence::~LastSentence() = default;

/// The fonts packed into the page, one file per typeface (app/packaging/web/page).
struct SystemFonts::Known {};
SystemFonts::SystemFonts(const std::string&) {}
SystemFonts::~SystemFonts() = default;

FontFiles::Entry SystemFonts::nearest(const Typeface& wanted) {
    std::string path(wanted.path);
    path = "/fonts" + path.substr(path.rfind('/'));
    if (path.ends_with(".ttc")) path.replace(path.size() - 3, 3, "otf");
    return ::access(path.c_str(), R_OK) == 0 ? FontFiles::Entry{path, 0} : FontFiles::Entry{};
}

}  // namespace app

// Called by app/shell/web/page.js.
extern "C" {
EMSCRIPTEN_KEEPALIVE void page_child_said(const char* words, int size) {
    if (auto* one = app::child_in_worker()) one->hear({words, static_cast<std::size_t>(size)}, false);
}
EMSCRIPTEN_KEEPALIVE void page_child_failed(const char* words, int size) {
    if (auto* one = app::child_in_worker()) one->hear({words, static_cast<std::size_t>(size)}, true);
}
EMSCRIPTEN_KEEPALIVE void page_child_ended(int status) {
    if (auto* one = app::child_in_worker()) one->exit(status);
}
}
