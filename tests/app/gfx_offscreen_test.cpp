#include <cstdlib>

#include "app/gfx/gl_info.h"
#include "app/gfx/shader.h"
#include "app/gfx/state_guard.h"
#include "app/gfx/target.h"
#include "app/gfx/window.h"
#include "tests/app/gfx_fixture.h"
#include "tests/support/virtual_display.h"

namespace app::gfx {
namespace {
using ::testing::Test;

TEST_F(GfxTest, OpensWithoutADisplay) {
    const GlInfo info = gl_info();
    EXPECT_FALSE(info.version.empty());
    EXPECT_FALSE(info.renderer.empty());
    EXPECT_GE(info.max_texture, 1024);
    EXPECT_FALSE(context_lost());
    EXPECT_FALSE(context_->way().empty());
}

TEST_F(GfxTest, TwoContextsTakeTurns) {
    auto second = open_offscreen();
    ASSERT_TRUE(second);
    { Offscreen moved = std::move(*second); }
    ASSERT_TRUE(context_->make_current());
    EXPECT_FALSE(gl_info().version.empty());
}

TEST_F(GfxTest, DriverMessagesAreCollected) {
    glEnable(GL_TEXTURE_2D + 12345);
    EXPECT_FALSE(debug_->take().empty());
    EXPECT_TRUE(debug_->take().empty());
}

TEST(Offscreen, MissingLibraryIsExplained) {
    const auto opened = open_offscreen({.library = "libEGL-that-is-not-there.so.1"});
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("apt install"), std::string::npos);
    EXPECT_NE(opened.error().message.find("attenscope trace"), std::string::npos);
}

TEST(Offscreen, LibraryThatIsNotEglIsExplained) {
    const auto opened = open_offscreen({.library = "libm.so.6"});
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("not a usable EGL"), std::string::npos);
}

TEST_F(GfxTest, TargetKeepsColorsAndOrder) {
    auto target = make_target(5, 3);
    ASSERT_TRUE(target);
    target->clear(rgb(0x3B82F6));
    // One red pixel, at the bottom left in OpenGL's coordinates.
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    const Image upright = target->read();
    ASSERT_TRUE(upright.valid());
    EXPECT_EQ(upright.at(0, 2)[0], 255);
    EXPECT_EQ(upright.at(0, 0)[0], 0x3B);
    EXPECT_EQ(upright.at(4, 0)[2], 0xF6);
    EXPECT_EQ(target->read(RowOrder::TopFirst).at(0, 0)[0], 255);
}

TEST_F(GfxTest, HostileTargetSizes) {
    EXPECT_FALSE(make_target(0, 0));
    EXPECT_FALSE(make_target(-4, 10));
    const int limit = gl_info().max_texture;
    const auto large = make_target(limit + 1, 1);
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find(std::to_string(limit)), std::string::npos);
    auto wide = make_target(limit, 1);
    ASSERT_TRUE(wide);
    wide->clear(rgb(0xFFFFFF));
    EXPECT_EQ(wide->read().at(limit - 1, 0)[0], 255);
    auto dot = make_target(1, 1);
    ASSERT_TRUE(dot);
}

TEST_F(GfxTest, ShaderErrorsNameFileAndLine) {
    const auto bad = build_program({"good.vert", "#version 330 core\nvoid main() { gl_Position = vec4(0); }\n"},
                                   {"bad.frag", "#version 330 core\nout vec4 c;\nvoid main() { c = nonsense; }\n"});
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().where, "bad.frag");
    EXPECT_EQ(bad.error().line, 3) << bad.error().message;
    EXPECT_NE(bad.error().message.find("nonsense"), std::string::npos);
    debug_->take();  // the driver reports it, too
}

TEST_F(GfxTest, ShadersThatDoNotFitAreRefused) {
    const auto bad = build_program({"a.vert", "#version 330 core\nout vec3 v;\nvoid main() { v = vec3(1); }\n"},
                                   {"b.frag", "#version 330 core\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }\n"});
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().where, "a.vert + b.frag");
    debug_->take();
}

TEST_F(GfxTest, StateIsLeftAsItWas) {
    auto target = make_target(4, 4);
    ASSERT_TRUE(target);
    target->bind();
    glEnable(GL_BLEND);
    glViewport(1, 2, 3, 4);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
    glActiveTexture(GL_TEXTURE1);
    {
        HeatmapRenderer renderer = heatmap_renderer();
        Heatmap map;
        const float data[] = {1, 2, 3, 4};
        ASSERT_TRUE(map.upload(data, 2, 2, 1));
        ASSERT_TRUE(map.render(renderer, {make_lut(grey_ramp()), {1, 4}, {0, 0, 2, 2}, 8, 8, {}}));
    }
    GLint value = 0, viewport[4] = {};
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &value);
    EXPECT_EQ(static_cast<unsigned>(value), target->framebuffer());
    glGetIntegerv(GL_VIEWPORT, viewport);
    EXPECT_EQ(viewport[1], 2);
    glGetIntegerv(GL_UNPACK_ALIGNMENT, &value);
    EXPECT_EQ(value, 8);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &value);
    EXPECT_EQ(value, GL_TEXTURE1);
    EXPECT_TRUE(glIsEnabled(GL_BLEND));
    glGetIntegerv(GL_CURRENT_PROGRAM, &value);
    EXPECT_EQ(value, 0);
}

TEST(Window, NoDisplayIsExplained) {
    const char* display = std::getenv("DISPLAY");
    const std::string kept = display == nullptr ? "" : display;
    unsetenv("DISPLAY");
    const auto window = open_window({.title = "test", .visible = false});
    if (display != nullptr) setenv("DISPLAY", kept.c_str(), 1);
    ASSERT_FALSE(window);
    EXPECT_NE(window.error().message.find("no display"), std::string::npos) << window.error().message;
    EXPECT_NE(window.error().message.find("attenscope render"), std::string::npos);
}

TEST(Window, OpensResizesAndGoesFullScreen) {
    const test_support::VirtualDisplay display;
    if (!display.ok()) GTEST_SKIP() << "no Xvfb";
    auto window = open_window({.title = "早上好", .width = 320, .height = 200, .visible = true});
    ASSERT_TRUE(window) << window.error().message;
    GlDebug debug;
    EXPECT_TRUE(window->take_needs_redraw());
    EXPECT_GE(window->framebuffer_size().width, 320);
    EXPECT_GT(window->content_scale(), 0);
    const PixelSize before = window->window_size();
    EXPECT_FALSE(window->fullscreen());
    window->toggle_fullscreen();
    window->poll_events();
    EXPECT_TRUE(window->fullscreen());
    window->toggle_fullscreen();
    window->poll_events();
    EXPECT_FALSE(window->fullscreen());
    EXPECT_EQ(window->window_size(), before);
    Window::post_empty_event();
    window->wait_events(5);
    window->swap();
    EXPECT_FALSE(window->should_close());
    window->set_close(true);
    EXPECT_TRUE(window->should_close());
    EXPECT_TRUE(window->take_dropped().empty());
    EXPECT_TRUE(debug.take().empty());
}

}  // namespace
}  // namespace app::gfx
