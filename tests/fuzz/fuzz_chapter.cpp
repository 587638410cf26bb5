// Any bytes as a chapter. Oracle: it is read, with or without problems; every problem has a text; its prose can be
// filled in from a computation.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/chapters/format/chapter.h"
#include "core/text/unicode.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

const attn::Document& document() {
    static const attn::Document kDocument = [] {
        attn::Document d;
        d.text = "a b";
        return d;
    }();
    return kDocument;
}

const attn::Run& computed() {
    static const attn::Run kRun = *attn::run(document());
    return kRun;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const app::Chapter chapter = app::parse_chapter(bytes, "fuzz.toml", {});
    require(chapter.readable() || !chapter.problems.empty());
    for (const app::ChapterProblem& problem : chapter.problems) require(!problem.text().empty());
    const app::ChapterContext context{computed().trace, document()};
    for (const app::ChapterPage& page : chapter.pages)
        for (const app::Prose& prose : page.say) static_cast<void>(app::text_of(app::fill_prose(prose, context)));
    for (const app::ChapterSource& source : chapter.sources) require(source.url.empty() || source.url.starts_with("http"));
    return 0;
}
