#pragma once
// The fonts: which glyphs are needed, and an atlas with a font for every role of type. Foreign text must pass through
// attn::visible() before it is drawn: the atlas has 16-bit code points only.

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

/// The code points that the atlas must hold: 16 bits, all that a packaged ImGui can show.
class GlyphSet {
public:
    /// ASCII and the characters of `text`.
    explicit GlyphSet(std::string_view text = {});
    /// True if any of them are new.
    bool add(std::string_view text);
    void add(const GlyphSet& other);
    bool holds(std::string_view text) const;
    std::size_t size() const { return count_; }
    /// Pairs of first and last, ended by 0.
    std::vector<std::uint16_t> ranges() const;

private:
    bool add(char32_t code_point);
    std::bitset<0x10000> bits_;
    std::size_t count_ = 0;
};

class Fonts {
public:
    /// Opens and checks the files; missing or broken ones are replaced and listed in problems(). `labels`: all texts of
    /// the program, in all languages; the non-Chinese ones are in the atlas from the start, in small and body type.
    explicit Fonts(const FontFiles& files, std::string_view labels = {});
    ~Fonts();

    /// Uses these files in place of the others from the next refresh() on, e.g. because they have more characters.
    void use(const FontFiles& files);
    /// A character that was written is in none of its role's typefaces.
    bool lacks() const { return lacks_; }

    /// Registers the characters of `text` in one role. True if the atlas lacks some of them: the next refresh() adds
    /// them. The painter calls this for everything that it writes.
    bool need(std::string_view text, Type type);
    /// Kinds of text that will be written in some role of prose: the user's own words, which captions, lists and
    /// figures repeat, and a chapter's, page after page. `Opening`: text in the opening's large type, which is
    /// rasterised only when it is needed.
    enum class Words : std::uint8_t { Text, Source, Chapter, Opening };
    /// Registers these words in place of earlier ones of this kind. One atlas then has them all, so that it need not be
    /// rebuilt while something plays or a page is turned.
    void expect(Words kind, std::string_view text);
    /// The labels are Chinese from now on: their characters are added to all roles of prose at once, because a user who
    /// sees one label in one role will see others in others.
    void read_chinese();
    /// Whether one of the role's typefaces draws the character; a character that none draws is shown as a frame around
    /// its number.
    bool draws(char32_t code, Type type) const;
    /// Draws `shown` as a frame around the number of `meant`: in a field it stands for a character that the field
    /// cannot hold. If two fields use it for different characters, the frame is empty.
    void stand_for(char32_t shown, char32_t meant, Type type);
    /// Shows the atlas for the theme's sizes, and builds it if there is none or glyphs are missing. Between frames
    /// only, with the GL context and an ImGui context current. True if another atlas is shown than before (an earlier
    /// frame should then be redrawn). The last few sizes are cached: going back to a previous theme or projector mode
    /// costs nothing.
    bool refresh(const Theme& theme);
    bool pending() const { return shown_->pending; }

    gui::FontAt at(Type type) const { return shown_->fonts[static_cast<std::size_t>(type)]; }
    float width(std::string_view text, Type type) const;
    TextExtent extent(std::string_view text, Type type) const;

    const std::vector<FontProblem>& problems() const { return problems_; }
    Size atlas_size() const { return shown_->atlas_size; }
    /// In all roles.
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
        bool pending = true;  // not built, or glyphs were requested since
        bool opening = false; // the opening's roles are built as well

        GlyphSet& of(Type type) { return glyphs[static_cast<std::size_t>(type)]; }
        float area(Type type) const;
        float area() const;  // the atlas's area in pixels with the glyphs requested so far
        bool want(std::string_view text, Type type);
    };
    std::unique_ptr<Sized> with_first_glyphs(const std::array<float, kTypeCount>& sizes) const;
    /// In all roles of prose with enough space.
    static void want_in_prose(Sized& sized, std::string_view text);
    static void want_in_opening(Sized& sized, std::string_view text);
    void want_expected(Sized& sized) const;
    void open(const FontFiles& files);
    const FontFile* file_of(FontSlot slot) const { return files_[static_cast<std::size_t>(slot)].get(); }
    void make(Sized& sized, const Theme& theme);
    void add_role(Sized& sized, Type type, const Theme& theme);
    bool lacks_chinese(const Sized& sized, Type type, FontSlot slot) const;
    void add_boxes(Sized& sized, Type type);
    bool show(const Theme& theme);

    std::array<std::unique_ptr<FontFile>, kFontSlots> files_;
    std::vector<std::unique_ptr<FontFile>> replaced_;  ///< an atlas that is shown may still refer to them
    bool lacks_ = false;
    std::vector<FontProblem> problems_;
    std::string first_text_, chinese_;  // taken from the labels
    std::array<std::string, 4> expected_;  // indexed by Words
    bool reads_chinese_ = false;
    struct StandIn {
        char32_t meant = 0;  ///< 0: different characters at once
        long requested = 0;  ///< the last frame that requested it
    };
    std::map<char32_t, StandIn> stand_ins_;
    long frame_ = 0;
    std::unique_ptr<Sized> shown_;
    std::vector<std::unique_ptr<Sized>> recent_;  // latest last
};

}  // namespace app
