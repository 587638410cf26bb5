// Any text as the markup of a page, and as a formula. Oracles: every link that a span names exists; a formula has an
// error or a form; both take a number of steps proportional to their length.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/chapters/format/prose.h"
#include "core/base/effort.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<app::ProseError> errors;
    const std::uint64_t before = attn::reader_steps;
    const app::Prose prose = app::parse_prose(text, [](std::string_view) { return std::string("t"); }, errors);
    constexpr std::uint64_t kStepsAByte = 200;  // each of the few levels of links reads its contents again
    require(attn::reader_steps - before <= kStepsAByte * (size + 1));
    for (const app::ProseBlock& block : prose.blocks)
        for (const app::ProseSpan& span : block.spans)
            require(span.link < static_cast<int>(prose.links.size()));
    static_cast<void>(app::words_of(prose));
    static_cast<void>(app::expressions_of(prose));
    return 0;
}
