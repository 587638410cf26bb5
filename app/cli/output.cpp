#include "app/cli/output.h"

#include <cerrno>
#include <filesystem>
#include <ostream>

#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"

namespace app {

namespace {

constexpr std::string_view kUnfinished = "UNFINISHED";

}  // namespace

std::optional<attn::Error> refuse_output(const std::string& out, bool force, const std::string& input) {
    if (out.empty() || out == "-") return std::nullopt;
    std::error_code ignored;
    const auto wrong = [&](const std::string& message) { return wrong_option("-o", attn::visible_text(out) + ": " + message); };
    if (!input.empty() && std::filesystem::equivalent(out, input, ignored))
        return wrong("this is the file that is read; choose another name");
    if (!force && std::filesystem::is_regular_file(out, ignored))
        return wrong("this file is there already; give --force to replace it");
    return std::nullopt;
}

void declare_force(Parser& parser, bool& force) {
    parser.add({.name = "--force", .help = "Replaces OUT where it is there already."}, force);
}

Exit write_output(Streams& streams, const std::string& out, std::string_view bytes, Content content) {
    if (!out.empty() && out != "-") {
        const auto done = attn::atomic_write(out, bytes);
        return done ? Exit::Ok : fail(streams, Exit::Failure, done.error());
    }
    if (content == Content::Binary && streams.out_is_terminal)
        return fail(streams, Exit::Usage, "these bytes are not for a terminal; name a file with -o, or pipe them on");
    errno = 0;
    if (streams.out_is_terminal) {  // names and labels come from files: make terminal control characters visible
        const std::string shown = attn::visible_text(bytes, true);
        streams.out.write(shown.data(), static_cast<std::streamsize>(shown.size()));
    } else {
        streams.out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    streams.out.flush();
    if (streams.out.good()) return Exit::Ok;
    if (errno == EPIPE) return Exit::Failure;  // the reader (head) has closed the pipe, which is no error
    const bool limited = errno == EFBIG;
    return fail(streams, Exit::Failure, limited ? "standard output cannot be written: it would be larger than a file may be here (ulimit -f)"
                                                : "standard output cannot be written: the disk is full");
}

attn::Result<attn::Done> begin_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return attn::Error{error.message(), attn::visible_text(folder.string()), "", 0};
    return attn::atomic_write(folder / kUnfinished, "attenscope was ended before all files of this folder were written; the same command writes them again.\n");
}

void finish_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::remove(folder / kUnfinished, ignored);
}

}  // namespace app
