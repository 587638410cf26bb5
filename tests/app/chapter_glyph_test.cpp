// Every character of every chapter and of the glossary, in both languages, has a glyph in the program's fonts.

#include <map>

#include "app/chapters/format/library.h"
#include "app/ui/formula.h"
#include "core/text/unicode.h"
#include "tests/app/ui_stage.h"

namespace app {
namespace {

/// The characters of each role of type, with the place where each occurs first.
class Letters {
public:
    void add(std::string_view text, Type type, const std::string& where) {
        for (std::size_t at = 0; at < text.size();) {
            const attn::CodePoint code = attn::decode_utf8(text, at);
            if (code.value > ' ') found_[type].emplace(code.value, where);
            at += code.length;
        }
    }
    void add(const Prose& prose, const std::string& where, const Theme& theme, const Fonts& fonts) {
        for (const ProseBlock& block : prose.blocks)
            for (const ProseSpan& span : block.spans) {
                if (span.kind == ProseSpan::Kind::Number) continue;  // its result consists of digits or a token
                if (span.kind != ProseSpan::Kind::Math) {
                    add(span.text,
                        span.kind == ProseSpan::Kind::Strong ? Type::BodyStrong
                        : span.kind == ProseSpan::Kind::Code ? Type::Number
                                                             : Type::Body,
                        where);
                    continue;
                }
                const auto formula = parse_formula(span.text);
                if (!formula) continue;  // `chapter check` reports it
                const FormulaLayout layout =
                    lay_out_formula(*formula, formula_style(theme, FormulaSize::Normal), measure_with(fonts));
                for (const FormulaLayout::Run& run : layout.runs) add(run.text, run.type, where);
            }
    }
    const std::map<Type, std::map<char32_t, std::string>>& all() const { return found_; }

private:
    std::map<Type, std::map<char32_t, std::string>> found_;
};

class ChapterGlyphTest : public UiStage {
protected:
    Letters letters_;

    void add(const Chapter& chapter, std::size_t language) {
        const auto prose = [&](const LocalProse& both, const std::string& where) {
            letters_.add(both[language], chapter.id + "/" + where, theme_, *fonts_);
        };
        letters_.add(chapter.title[language], Type::BodyStrong, chapter.id);
        letters_.add(chapter.summary[language], Type::Small, chapter.id);
        for (const ChapterPage& page : chapter.pages) {
            letters_.add(page.title[language], Type::TitleStrong, chapter.id + "/" + page.id);
            prose(page.say, page.id);
            prose(page.notes, page.id);
            if (page.task) prose(page.task->say, page.id);
            if (!page.ask) continue;
            prose(page.ask->say, page.id);
            prose(page.ask->because, page.id);
            for (const AskOption& option : page.ask->options) prose(option.say, page.id);
        }
        for (const ChapterSource& source : chapter.sources) {
            letters_.add(source.text, Type::Small, chapter.id + "/" + source.id);
            prose(source.read, source.id);
        }
    }
};

TEST_F(ChapterGlyphTest, EveryCharacterHasAGlyph) {
    fonts_->refresh(theme_);
    const ChapterLibrary library = load_chapters(Assets());
    ASSERT_GT(library.chapters.size(), 10u);
    ASSERT_GT(library.terms.size(), 10u);
    for (std::size_t language = 0; language < kLanguageCount; ++language) {
        for (const Chapter& chapter : library.chapters) add(chapter, language);
        for (const ChapterTerm& term : library.terms) {
            letters_.add(term.name[language], Type::BodyStrong, "glossary/" + term.id);
            letters_.add(term.says[language], "glossary/" + term.id, theme_, *fonts_);
        }
    }
    for (const auto& [type, found] : letters_.all())
        for (const auto& [c, where] : found) fonts_->need(attn::encode_utf8(c), type);
    fonts_->refresh(theme_);
    std::size_t count = 0;
    for (const auto& [type, found] : letters_.all())
        for (const auto& [c, where] : found) {
            ++count;
            EXPECT_TRUE(c <= 0xffff && fonts_->draws(c, type) && gui::has_glyph(fonts_->at(type), c))
                << "“" << attn::encode_utf8(c) << "” (" << static_cast<unsigned>(c) << ") in type "
                << static_cast<int>(type) << ", " << where;
        }
    EXPECT_GT(count, 1000u);  // Chinese alone has more
}

TEST_F(ChapterGlyphTest, DetectsACharacterWithoutAGlyph) {
    fonts_->refresh(theme_);
    EXPECT_FALSE(fonts_->draws(U'\u1200', Type::Body));
}

}  // namespace
}  // namespace app
