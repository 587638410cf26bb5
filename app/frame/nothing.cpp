#include "app/frame/nothing.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/document/take.h"

namespace app {

Str nothing_yet(const Frame& f) { return attn::wants_picture(f.state.document) ? Str::no_picture : Str::no_tokens; }

std::string computing_words(const Frame& f, float share) {
    const std::string percent = fmt::format("{:.0f}", 100 * std::clamp(share, 0.0f, 1.0f));
    return percent == "0" ? std::string(f.say(Str::computing)) : f.say(Str::computing_share, {percent});
}

}  // namespace app
