#include "app/cli/output.h"

#include <ostream>

#include "core/io/files.h"

namespace app {

Exit write_output(Streams& streams, const std::string& out, std::string_view bytes, Content content) {
    if (!out.empty() && out != "-") {
        const auto done = attn::atomic_write(out, bytes);
        return done ? Exit::Ok : fail(streams, Exit::Failure, done.error());
    }
    if (content == Content::Binary && streams.out_is_terminal)
        return fail(streams, Exit::Usage, "these bytes are not for a terminal; name a file with -o, or pipe them on");
    streams.out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    streams.out.flush();
    if (streams.out.good()) return Exit::Ok;
    return fail(streams, Exit::Failure, "standard output cannot be written: the disk is full, or its reader has gone");
}

}  // namespace app
