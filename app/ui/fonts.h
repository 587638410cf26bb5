#pragma once
// The fonts: which glyphs are wanted, and one atlas with a font for every role of type. Foreign text goes through
// attn::visible() before it is drawn: the atlas knows 16-bit code points only.

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/vocab.h"
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
    void add(const GlyphSet& other);
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
    /// Opens and checks the files; what is missing or broken is replaced and told in problems(). `labels`: all that the
    /// program says, in all languages: of it, what is not Chinese is there from the start in small and body type.
    explicit Fonts(const FontFiles& files, std::string_view labels = {});
    ~Fonts();

    /// Notes what `text` needs in one role. True where the atlas lacks some of it: the next refresh() brings it.
    /// The painter asks by itself for all that it writes.
    bool need(std::string_view text, Type type);
    /// What will be written in one role of prose or another: the user's own words, which the walk's captions, lists and
    /// figures say again, and a chapter's, page after page.
    /// `Opening`: what is written large, which is made only from when there is any.
    enum class Words : std::uint8_t { Text, Source, Chapter, Opening };
    /// Notes these words, in place of those of this kind before. One atlas then holds them, and none has to be made while
    /// something plays or a page is turned.
    void expect(Words kind, std::string_view text);
    /// The labels are Chinese from now on: their characters come into all roles of prose together. Whoever is shown one
    /// label in one role is shown others in others.
    void read_chinese();
    /// Whether one of the role's typefaces draws the character; what none does is a frame around its number.
    bool draws(char32_t code, Type type) const;
    /// `shown` is drawn as a frame around the number of `meant`: in a field it stands for a character that the field cannot
    /// hold. Where two fields mean different characters by it, around nothing.
    void stand_for(char32_t shown, char32_t meant, Type type);
    /// Shows the atlas of the theme's sizes, and makes it where there is none or glyphs were asked for. Between frames only,
    /// with the GL context and an ImGui context current. True where another is shown than before (a frame drawn before
    /// should be redrawn). The last few sizes are kept: a theme or a room that is left and entered again costs nothing.
    bool refresh(const Theme& theme);
    bool pending() const { return shown_->pending; }

    gui::FontAt at(Type type) const { return shown_->fonts[static_cast<std::size_t>(type)]; }
    float width(std::string_view text, Type type) const;
    TextExtent extent(std::string_view text, Type type) const;

    const std::vector<FontProblem>& problems() const { return problems_; }
    Size atlas_size() const { return shown_->atlas_size; }
    /// In all roles together.
    std::size_t glyphs() const;

private:
    /// The glyphs of the theme's sizes.
    struct Sized {
        std::array<float, kTypeCount> sizes{};
        std::array<GlyphSet, kTypeCount> glyphs;
        std::array<std::vector<std::uint16_t>, kTypeCount> ranges;
        std::array<gui::FontAt, kTypeCount> fonts{};
        gui::Atlas atlas;
        Size atlas_size{};
        bool made = false;
        bool pending = true;  // made, and glyphs were asked for since, or not made
        bool opening = false; // the opening's roles are made as well

        GlyphSet& of(Type type) { return glyphs[static_cast<std::size_t>(type)]; }
        float area(Type type) const;
        float area() const;  // of the atlas, in pixels, as the glyphs wanted so far will fill it
        bool want(std::string_view text, Type type);
    };
    std::unique_ptr<Sized> with_first_glyphs(const std::array<float, kTypeCount>& sizes) const;
    /// In all roles of prose that have room for it.
    static void want_in_prose(Sized& sized, std::string_view text);
    static void want_in_opening(Sized& sized, std::string_view text);
    void want_expected(Sized& sized) const;
    void make(Sized& sized, const Theme& theme);
    void add_role(Sized& sized, Type type, const Theme& theme);
    void add_boxes(Sized& sized, Type type);
    bool show(const Theme& theme);

    std::array<std::unique_ptr<FontFile>, kFontSlots> files_;
    std::vector<FontProblem> problems_;
    std::string first_text_, chinese_;  // of the labels
    std::array<std::string, 4> expected_;  // by Words
    bool reads_chinese_ = false;
    struct StandIn {
        char32_t meant = 0;  ///< 0: different characters at once
        long asked = 0;      ///< in which frame, last
    };
    std::map<char32_t, StandIn> stand_ins_;
    long frame_ = 0;
    std::unique_ptr<Sized> shown_;
    std::vector<std::unique_ptr<Sized>> kept_;  // the latest last
};

}  // namespace app
