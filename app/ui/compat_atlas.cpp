// Atlases of glyphs: several may be kept, one is shown.

#include <imgui.h>

#include <cmath>

#include "app/gfx/platform.h"
#include "app/ui/compat.h"

namespace app::gui {

#if IMGUI_VERSION_NUM < 19200

struct Atlas::Glyphs {
    ImFontAtlas fonts;
    gfx::TextureHandle texture;
};

Atlas::Atlas() : glyphs_(std::make_unique<Glyphs>()) { glyphs_->fonts.Flags |= ImFontAtlasFlags_NoMouseCursors; }

Atlas::~Atlas() {
    if (ImGui::GetCurrentContext() && ImGui::GetIO().Fonts == &glyphs_->fonts) ImGui::GetIO().Fonts = nullptr;
}

bool Atlas::several() { return true; }

ImFontAtlas* Atlas::fonts() { return &glyphs_->fonts; }

Size Atlas::upload() {
    ImFontAtlas& fonts = glyphs_->fonts;
    unsigned char* coverage = nullptr;
    int width = 0, height = 0;
    fonts.GetTexDataAsAlpha8(&coverage, &width, &height);
    glyphs_->texture = gfx::make_coverage_texture(coverage, width, height);
    fonts.SetTexID((ImTextureID)(std::intptr_t)glyphs_->texture.id());
    fonts.ClearTexData();  // the texture has it now
    return {static_cast<float>(width), static_cast<float>(height)};
}

void Atlas::show() { ImGui::GetIO().Fonts = &glyphs_->fonts; }

#else

// Later versions rasterise a glyph when it is first drawn, at any size, in one atlas that grows.
struct Atlas::Glyphs {};

Atlas::Atlas() = default;
Atlas::~Atlas() = default;
bool Atlas::several() { return false; }
ImFontAtlas* Atlas::fonts() { return ImGui::GetIO().Fonts; }
Size Atlas::upload() {
    return {static_cast<float>(fonts()->TexData->Width), static_cast<float>(fonts()->TexData->Height)};
}
void Atlas::show() {}

#endif

void Atlas::clear() { fonts()->Clear(); }

FontAt Atlas::add(const FontSource& source) {
    ImFontConfig config;
    config.FontData = const_cast<std::byte*>(source.data.data());  // only read; the library's field is not const
    config.FontDataSize = static_cast<int>(source.data.size());
    // Said to be the atlas's own, or it makes a copy (19 MB for the Chinese font, for every role); taken back below.
    config.FontDataOwnedByAtlas = true;
    config.FontNo = static_cast<decltype(config.FontNo)>(source.face);
    // Versions from 1.90 to 1.91 cut sizes down to whole pixels and stretch the letters when they are drawn: the nearest
    // whole size is stretched least.
    constexpr bool kWholeSizes = IMGUI_VERSION_NUM >= 18991 && IMGUI_VERSION_NUM < 19200;
    config.SizePixels = kWholeSizes ? std::round(source.height) : source.height;
    config.OversampleH = static_cast<decltype(config.OversampleH)>(source.oversample);
    config.OversampleV = 1;
    config.PixelSnapH = source.snap;
    config.GlyphOffset = {source.offset.x, source.offset.y};
    config.MergeMode = source.merge;
#if IMGUI_VERSION_NUM < 19200
    config.GlyphRanges = source.ranges;  // later versions load glyphs when they are asked for
#endif
    ImFont* font = fonts()->AddFont(&config);
#if IMGUI_VERSION_NUM < 19200
    fonts()->ConfigData.back().FontDataOwnedByAtlas = false;
#else
    fonts()->Sources.back().FontDataOwnedByAtlas = false;
#endif
    return {font, source.height};
}

FontAt Atlas::add_builtin(float height) {
    ImFontConfig config;
    config.SizePixels = height;
    return {fonts()->AddFontDefault(&config), height};
}

}  // namespace app::gui
