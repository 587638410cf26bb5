#pragma once
// The fonts: which glyphs are wanted, and one atlas with a font for every role of type. Foreign text goes through
// attn::visible() before it is drawn: the atlas knows 16-bit code points only.

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/anim/vocab.h"
#include "app/ui/compat.h"
#include "app/ui/font_file.h"
#include "app/ui/theme.h"

namespace app {

/// Width, and the ink above and below the baseline, in pixels.
struct TextExtent {
    float width = 0.0f;
    float ascent = 0.0f;
    float descent = 0.0f;
    float overhang = 0.0f;  // ink of the last glyph beyond its advance (italics)
};

/// The code points that the atlas must hold. 16 bit, which is all that a packaged ImGui can show.
class GlyphSet {
public:
    /// ASCII and the characters of `text`.
    explicit GlyphSet(std::string_view text = {});
    /// True where something new came in.
    bool add(std::string_view text);
    bool holds(std::string_view text) const;
    std::size_t size() const { return count_; }
    /// Pairs of first and last, 0 at the end.
    std::vector<std::uint16_t> ranges() const;

private:
    bool add(char32_t code_point);
    std::bitset<0x10000> bits_;
    std::size_t count_ = 0;
};

class Fonts {
public:
    /// Opens and checks the files; what is missing or broken is replaced and told in problems(). `text`: what is known
    /// to be shown in small and body type (the program's strings), so that few frames need a second atlas.
    explicit Fonts(const FontFiles& files, std::string_view text = {});
    ~Fonts();

    /// Notes what `text` needs in one role. True where the atlas lacks some of it: the next refresh() brings it.
    /// The painter asks by itself for all that it writes.
    bool need(std::string_view text, Type type);
    /// Notes a text that will be written in one role of prose or another: the user's own words, which the walk's captions,
    /// lists and figures say again. One atlas then holds them, and none has to be made while something plays.
    void expect(std::string_view text);
    /// Builds the atlas where the theme's sizes changed or glyphs were asked for. Between frames only, with the GL
    /// context and an ImGui context current. True where it was rebuilt (a frame drawn before should be redrawn).
    bool refresh(const Theme& theme);
    bool pending() const { return pending_; }

    gui::FontAt at(Type type) const { return fonts_[static_cast<std::size_t>(type)]; }
    float width(std::string_view text, Type type) const;
    TextExtent extent(std::string_view text, Type type) const;

    const std::vector<FontProblem>& problems() const { return problems_; }
    Size atlas_size() const { return atlas_size_; }
    /// In all roles together.
    std::size_t glyphs() const;

private:
    void add_role(Type type, const Theme& theme);
    void add_wanted(std::string_view text, Type type);
    /// Whoever shows a Chinese label in one role will show others, in others: they come together, once.
    void read_chinese(std::string_view text);
    void start_over();

    std::array<std::unique_ptr<FontFile>, kFontSlots> files_;
    std::vector<FontProblem> problems_;
    std::array<gui::FontAt, kTypeCount> fonts_{};
    std::array<float, kTypeCount> built_sizes_{};
    std::array<GlyphSet, kTypeCount> glyphs_;
    std::array<std::vector<std::uint16_t>, kTypeCount> ranges_;
    std::string known_text_;
    float area_ = 0.0f;  // of the atlas, in pixels, as the glyphs wanted so far will fill it
    Size atlas_size_{};
    bool pending_ = true;
    bool reads_chinese_ = false;  // the labels' Chinese is in all roles of prose
};

}  // namespace app
