// Glyph atlases: several can be kept, one of them is shown.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/gfx/platform.h"
#include "app/ui/compat.h"

namespace app::gui {

#if IMGUI_VERSION_NUM < 19200

namespace {

constexpr int kDigitWidth = 3, kDigitHeight = 5;
/// The sixteen hexadecimal digits: five rows of three dots, the first in the highest bits.
constexpr std::array<std::uint16_t, 16> kDigits = {
    0b111101101101111, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001, 0b111100111001111,
    0b111100111101111, 0b111001001001001, 0b111101111101111, 0b111101111001111, 0b111101111101101, 0b110101110101110,
    0b111100100100111, 0b110101101101110, 0b111100111100111, 0b111100111100100};

}  // namespace

struct Atlas::Glyphs {
    /// Two rows of digits in a frame, in units of dots of `dot` pixels.
    struct Box {
        char32_t number = 0;
        int dot = 1;
        int id = -1;  ///< of its rectangle in the atlas

        int columns() const { return number > 0xFFFF ? 3 : 2; }
        int width() const { return dot * (columns() * (kDigitWidth + 1) + 3); }
        int height() const { return dot * (2 * (kDigitHeight + 1) + 3); }

        /// `at`: its first pixel; `stride`: pixels from one row to the next.
        void draw(unsigned char* at, int stride) const {
            const int across = width() / dot, down = height() / dot;
            const auto mark = [&](int x, int y) {
                for (int row = 0; row < dot; ++row) std::fill_n(at + (y * dot + row) * stride + x * dot, dot, static_cast<unsigned char>(255));
            };
            for (int x = 0; x < across; ++x) mark(x, 0), mark(x, down - 1);
            for (int y = 0; y < down; ++y) mark(0, y), mark(across - 1, y);
            if (number == 0) return;
            for (int i = 0; i < 2 * columns(); ++i) {
                const std::uint16_t digit = kDigits[number >> (4 * (2 * columns() - 1 - i)) & 0xF];
                const int left = 2 + i % columns() * (kDigitWidth + 1), top = 2 + i / columns() * (kDigitHeight + 1);
                for (int dot_of = 0; dot_of < kDigitWidth * kDigitHeight; ++dot_of)
                    if (digit >> (kDigitWidth * kDigitHeight - 1 - dot_of) & 1) mark(left + dot_of % kDigitWidth, top + dot_of / kDigitWidth);
            }
        }
    };

    ImFontAtlas fonts;
    gfx::TextureHandle texture;
    std::vector<Box> boxes;
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
    for (const Glyphs::Box& box : glyphs_->boxes)
        if (const ImFontAtlasCustomRect* at = fonts.GetCustomRectByIndex(box.id); at->IsPacked()) box.draw(coverage + at->Y * width + at->X, width);
    glyphs_->texture = gfx::make_coverage_texture(coverage, width, height);
    fonts.SetTexID((ImTextureID)(std::intptr_t)glyphs_->texture.id());
    fonts.ClearTexData();  // the texture has them now
    return {static_cast<float>(width), static_cast<float>(height)};
}

void Atlas::show() { ImGui::GetIO().Fonts = &glyphs_->fonts; }

void Atlas::clear() {
    fonts()->Clear();
    glyphs_->boxes.clear();
}

void Atlas::add_boxed(FontAt font, char32_t code, char32_t number) {
    Glyphs::Box box{number};
    box.dot = std::max(1, static_cast<int>(font.size) / box.height());
    const float width = static_cast<float>(box.width()), top = std::round((font.size - static_cast<float>(box.height())) / 2);
    const auto dot = static_cast<float>(box.dot);
    box.id = fonts()->AddCustomRectFontGlyph(font.font, static_cast<ImWchar>(code), box.width(), box.height(), width + 2 * dot, {dot, top});
    glyphs_->boxes.push_back(box);
}

#else

// Later versions rasterise a glyph when it is first drawn, at any size, in one growing atlas.
struct Atlas::Glyphs {};

Atlas::Atlas() = default;
Atlas::~Atlas() = default;
bool Atlas::several() { return false; }
ImFontAtlas* Atlas::fonts() { return ImGui::GetIO().Fonts; }
Size Atlas::upload() {
    return {static_cast<float>(fonts()->TexData->Width), static_cast<float>(fonts()->TexData->Height)};
}
void Atlas::show() {}
void Atlas::clear() { fonts()->Clear(); }
void Atlas::add_boxed(FontAt, char32_t, char32_t) {}

#endif

FontAt Atlas::add(const FontSource& source) {
    ImFontConfig config;
    config.FontData = const_cast<std::byte*>(source.data.data());  // only read; the library's field is not const
    config.FontDataSize = static_cast<int>(source.data.size());
    // Claims that the atlas owns the data, or it would copy it (19 MB for the Chinese font, per role); undone below.
    config.FontDataOwnedByAtlas = true;
    config.FontNo = static_cast<decltype(config.FontNo)>(source.face);
    // Versions from 1.90 to 1.91 truncate sizes to whole pixels and stretch the letters when they are drawn: the
    // nearest whole size is stretched least.
    constexpr bool kWholeSizes = IMGUI_VERSION_NUM >= 18991 && IMGUI_VERSION_NUM < 19200;
    config.SizePixels = kWholeSizes ? std::round(source.height) : source.height;
    config.OversampleH = static_cast<decltype(config.OversampleH)>(source.oversample);
    config.OversampleV = 1;
    config.PixelSnapH = source.snap;
    config.GlyphOffset = {source.offset.x, source.offset.y};
    config.MergeMode = source.merge;
#if IMGUI_VERSION_NUM < 19200
    config.GlyphRanges = source.ranges;  // later versions load glyphs on demand
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
