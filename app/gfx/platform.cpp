#include "app/gfx/platform.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "app/gfx/state_guard.h"

namespace app::gfx {

const char* shader_version() { return "#version 330 core"; }
std::string shader_text(std::string_view text) { return std::string(text); }

void draw_alone_where_threads_are_refused() {
    constexpr unsigned kMost = 32;  // of its
    const std::size_t count = std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
    std::mutex gate;
    std::vector<std::jthread> made;
    made.reserve(count);
    const std::scoped_lock all_at_once(gate);  // opened first, so that they end before they are waited for
    try {
        while (made.size() < count) made.emplace_back([&gate] { const std::scoped_lock passed(gate); });
    } catch (const std::system_error&) {
        ::setenv("LP_NUM_THREADS", "0", 0);
    }
}

/// A quarter of what four bytes a pixel would take.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height) {
    const StateGuard guard;  // rows are tightly packed
    TextureHandle texture = make_texture();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    constexpr std::array<GLint, 4> kWhite = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, kWhite.data());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, coverage);
    return texture;
}

}  // namespace app::gfx
