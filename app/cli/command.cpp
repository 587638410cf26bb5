#include "app/cli/command.h"

#include <ostream>

#include "core/io/safe_text.h"

namespace app {

Exit fail(Streams& streams, Exit exit, std::string_view message) {
    streams.out.flush();
    streams.err << "attenscope: " << attn::visible_text(message, true) << '\n';
    return exit;
}

Exit fail(Streams& streams, Exit exit, const attn::Error& error) { return fail(streams, exit, error.text()); }

void say(Streams& streams, std::string_view line) { streams.out << attn::visible_text(line, true) << '\n'; }

void note(Streams& streams, std::string_view message) {
    streams.err << "attenscope: note: " << attn::visible_text(message, true) << '\n';
}

}  // namespace app
