#include "tests/app/ui_stage.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace app {
namespace {

std::vector<std::byte> font_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

std::vector<std::byte> latin() { return font_bytes(find_fonts()[FontSlot::Latin].path); }

TEST(FontCheck, AcceptsWhatDebianShips) {
    const FontFiles files = find_fonts();
    for (std::size_t i = 0; i < kFontSlots; ++i) {
        ASSERT_FALSE(files.entries[i].path.empty()) << font_package(static_cast<FontSlot>(i));
        const auto file = FontFile::open(files.entries[i].path, files.entries[i].face);
        EXPECT_TRUE(file) << files.entries[i].path << ": " << (file ? "" : file.error().message);
    }
}

TEST(FontCheck, RefusesGarbage) {
    EXPECT_FALSE(check_font({}, 0));
    std::mt19937 random(7);
    std::vector<std::byte> noise(5000);
    for (std::byte& b : noise) b = static_cast<std::byte>(random() & 0xff);
    EXPECT_FALSE(check_font(noise, 0));
    const unsigned char magic[] = {0x00, 0x01, 0x00, 0x00};  // a font's beginning, then noise
    for (std::size_t i = 0; i < 4; ++i) noise[i] = static_cast<std::byte>(magic[i]);
    EXPECT_FALSE(check_font(noise, 0));
}

TEST(FontCheck, RefusesEveryCut) {
    const std::vector<std::byte> whole = latin();
    ASSERT_TRUE(check_font(whole, 0));
    for (std::size_t size : {1u, 11u, 12u, 40u, 200u, 1000u, 20000u}) {
        EXPECT_FALSE(check_font(std::span(whole).first(size), 0)) << size;
    }
    EXPECT_FALSE(check_font(std::span(whole).first(whole.size() - whole.size() / 10), 0));
}

TEST(FontCheck, RefusesFlippedBits) {
    const std::vector<std::byte> whole = latin();
    std::mt19937 random(3);
    int accepted = 0;
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> broken = whole;
        broken[random() % broken.size()] ^= std::byte{0x41};
        if (check_font(broken, 0)) ++accepted;  // a table that is never read
    }
    EXPECT_LT(accepted, 100);
}

TEST(FontCheck, RefusesFaceOutOfRange) {
    EXPECT_FALSE(check_font(latin(), 1));
    EXPECT_FALSE(check_font(latin(), -1));
    const std::vector<std::byte> chinese = font_bytes(find_fonts()[FontSlot::Chinese].path);
    EXPECT_TRUE(check_font(chinese, 2));
    const auto refused = check_font(chinese, 99);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("99"), std::string::npos);
}

TEST(FontCheck, RefusesColourBitmaps) {
    // A font whose outline table has another name has only bitmaps left.
    std::vector<std::byte> bitmaps = latin();
    for (std::size_t at = 12; at + 4 < 400; at += 16) {
        if (std::to_integer<char>(bitmaps[at]) == 'C' && std::to_integer<char>(bitmaps[at + 1]) == 'F') {
            bitmaps[at] = std::byte{'X'};
        }
    }
    const auto refused = check_font(bitmaps, 0);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("no outlines"), std::string::npos);
}

TEST(FontFileOpen, RefusesNonFiles) {
    EXPECT_FALSE(FontFile::open("/nonexistent.otf", 0));
    EXPECT_FALSE(FontFile::open("/tmp", 0));
    EXPECT_FALSE(FontFile::open("/dev/null", 0));
}

/// An open font is in memory: glyphs are still drawn after the file becomes shorter, and no signal ends the program.
TEST(FontFileOpen, SurvivesAShrinkingFile) {
    const FontFiles::Entry entry = find_fonts().entries.front();
    const std::filesystem::path copy = std::filesystem::temp_directory_path() / ("attenscope-font-" + std::to_string(::getpid()));
    std::filesystem::copy_file(entry.path, copy, std::filesystem::copy_options::overwrite_existing);
    const auto font = FontFile::open(copy.string(), entry.face);
    ASSERT_TRUE(font) << font.error().text();
    std::filesystem::resize_file(copy, 0);
    EXPECT_TRUE(check_font((*font)->bytes(), (*font)->face()));
    std::filesystem::remove(copy);
}

TEST(GlyphSets, HoldAndGrow) {
    GlyphSet set("早上好");
    EXPECT_TRUE(set.holds("Good 好"));
    EXPECT_FALSE(set.holds("朋友"));
    const std::size_t before = set.size();
    EXPECT_TRUE(set.add("朋友"));
    EXPECT_FALSE(set.add("朋友"));
    EXPECT_EQ(set.size(), before + 2);
    EXPECT_TRUE(set.holds("😀\xff\x01"));  // beyond 16 bits, broken, control: never waited for
    const std::vector<std::uint16_t> ranges = set.ranges();
    EXPECT_EQ(ranges.size() % 2, 1u);
    EXPECT_EQ(ranges.back(), 0);
    EXPECT_EQ(ranges.front(), 0x20);
}

using FontsTest = UiStage;

TEST_F(FontsTest, ChineseIsBuiltOnDemand) {
    fonts_->refresh(theme_);
    EXPECT_FALSE(gui::has_glyph(fonts_->at(Type::Title), U'早'));
    EXPECT_FALSE(fonts_->need("plain", Type::Title));
    EXPECT_TRUE(fonts_->need("早上好", Type::Title));
    EXPECT_TRUE(fonts_->refresh(theme_));
    EXPECT_FALSE(fonts_->refresh(theme_));
    EXPECT_TRUE(gui::has_glyph(fonts_->at(Type::Title), U'早'));
    EXPECT_FALSE(fonts_->need("早上好", Type::Title));
}

TEST_F(FontsTest, TheLabelsChineseIsBuiltTogether) {
    fonts_ = std::make_unique<Fonts>(find_fonts(), "Query 查询 键 值 ≫");
    fonts_->refresh(theme_);
    EXPECT_FALSE(fonts_->need("≫", Type::Body));  // from the start
    fonts_->read_chinese();
    EXPECT_TRUE(fonts_->pending());
    fonts_->refresh(theme_);
    for (const Type type : {Type::Body, Type::SmallStrong, Type::BodyStrong, Type::TitleStrong, Type::NumberStrong})
        EXPECT_FALSE(fonts_->need("键值", type)) << static_cast<int>(type);
    EXPECT_TRUE(fonts_->need("早", Type::Title));  // no label contains it
    fonts_->refresh(theme_);
    fonts_->read_chinese();
    EXPECT_FALSE(fonts_->pending());
    // They are also available in another size.
    fonts_->refresh(scaled(theme_, 1.5f));
    EXPECT_FALSE(fonts_->need("键值", Type::Title));
    EXPECT_TRUE(fonts_->need("早", Type::Title));
}

TEST_F(FontsTest, AFormerSizeIsStillThere) {
    const Theme larger = scaled(theme_, 1.25f);
    EXPECT_TRUE(fonts_->refresh(theme_));
    ImFont* const at_the_desk = fonts_->at(Type::Body).font;
    const float width = fonts_->width("attention", Type::Body);
    EXPECT_TRUE(fonts_->refresh(larger));
    EXPECT_GT(fonts_->width("attention", Type::Body), width);
    EXPECT_FALSE(fonts_->refresh(larger));
    EXPECT_TRUE(fonts_->refresh(theme_));
    if (gui::Atlas::several()) {
        EXPECT_EQ(fonts_->at(Type::Body).font, at_the_desk);
    }
    EXPECT_EQ(fonts_->width("attention", Type::Body), width);
    // It includes characters that were requested in the meantime.
    fonts_->refresh(larger);
    fonts_->expect(Fonts::Words::Text, "早");
    fonts_->refresh(larger);
    fonts_->refresh(theme_);
    EXPECT_TRUE(gui::has_glyph(fonts_->at(Type::Body), U'早'));
    // Of many sizes the oldest are dropped, and built again when needed.
    for (int i = 0; i < 8; ++i) fonts_->refresh(scaled(theme_, 1 + 0.1f * static_cast<float>(i)));
    EXPECT_TRUE(fonts_->refresh(theme_));
    frame([](Ui& ui) { ui.painter().text({20, 40}, "still there 早", {Type::Body}, Hue::Ink); });
    EXPECT_EQ(fonts_->width("attention", Type::Body), width);
}

/// Tibetan, and characters that a field cannot hold: a box with the number of each, in every role and size.
TEST_F(FontsTest, UndrawableCharactersAreBoxedWithTheirNumber) {
    if (!gui::Atlas::several()) GTEST_SKIP() << "this version of the library makes its glyphs itself";
    const auto picture = [&](std::string_view text, Type type) {
        frame([&](Ui& ui) { ui.painter().text({20, 60}, text, {type}, Hue::Ink); });
        return seen().rgba;
    };
    const auto field = [&](std::string text) {
        frames(2, [&](Ui& ui) { text_field(ui, "field", {20, 40, 300, 36}, text, {}); });
        return seen().rgba;
    };
    for (const Type type : {Type::Small, Type::Body, Type::Title, Type::Number, Type::Math}) {
        const auto one = picture("\u0F40", type);
        EXPECT_TRUE(one != picture("\u0F41", type)) << static_cast<int>(type);
        EXPECT_TRUE(one != picture("\uFFFD", type));
        EXPECT_TRUE(one == picture("\u0F40", type));
    }
    const auto thumb = field("👍");
    EXPECT_TRUE(thumb != field("😀"));
    EXPECT_TRUE(thumb == field("👍"));
    EXPECT_TRUE(field("a\nb") == field("a\nb"));
    // Beyond 16 bits a number has one more digit.
    fonts_->stand_for(U'\uE001', 0x1F44D, Type::Body);
    fonts_->stand_for(U'\uE002', 0xE7, Type::Body);
    fonts_->refresh(theme_);
    EXPECT_GT(fonts_->width("\uE001", Type::Body), fonts_->width("\uE002", Type::Body));
    // A character with two meanings shows no number, which could be wrong for one of them.
    fonts_->stand_for(U'\uE001', 0x1F600, Type::Body);
    fonts_->refresh(theme_);
    EXPECT_EQ(fonts_->width("\uE001", Type::Body), fonts_->width("\uE002", Type::Body));
    EXPECT_FALSE(fonts_->pending());
    fonts_->stand_for(U'\uE001', 0x1F44D, Type::Body);
    EXPECT_FALSE(fonts_->pending());
}

TEST_F(FontsTest, ExpectedCharactersAreInAllProseRoles) {
    fonts_->refresh(theme_);
    fonts_->expect(Fonts::Words::Text, "plain");
    EXPECT_FALSE(fonts_->pending());
    fonts_->expect(Fonts::Words::Text, "犬が好き");
    EXPECT_TRUE(fonts_->pending());
    fonts_->refresh(theme_);
    for (const Type type : {Type::Small, Type::Body, Type::Title, Type::SmallStrong, Type::BodyStrong, Type::NumberStrong})
        EXPECT_FALSE(fonts_->need("好犬", type)) << static_cast<int>(type);
    fonts_->expect(Fonts::Words::Text, "犬が好き");
    EXPECT_FALSE(fonts_->pending());
}

TEST_F(FontsTest, ReleasedCharactersAreNotBuiltInOtherSizes) {
    fonts_->refresh(theme_);
    fonts_->expect(Fonts::Words::Chapter, "犬が好き");
    fonts_->refresh(scaled(theme_, 1.25f));
    EXPECT_FALSE(fonts_->need("犬", Type::Body));
    fonts_->expect(Fonts::Words::Chapter, "");
    fonts_->refresh(scaled(theme_, 1.5f));
    EXPECT_TRUE(fonts_->need("犬", Type::Body));
}

TEST_F(FontsTest, TheOpeningsRolesAreBuiltWhenUsed) {
    fonts_->refresh(theme_);
    EXPECT_FALSE(fonts_->at(Type::Huge));
    EXPECT_EQ(fonts_->width("bird", Type::Huge), 0);
    fonts_->expect(Fonts::Words::Opening, "bird 鸟");
    EXPECT_TRUE(fonts_->refresh(theme_));
    EXPECT_GT(fonts_->width("bird", Type::Huge), fonts_->width("bird", Type::Title) * 2);
    EXPECT_FALSE(fonts_->need("鸟", Type::HugeStrong)) << "a word turns strong";
    EXPECT_FALSE(fonts_->need("boy", Type::Huge));
}

TEST_F(FontsTest, EveryRoleHasItsSymbols) {
    fonts_->expect(Fonts::Words::Opening, "a");
    fonts_->refresh(theme_);
    for (std::size_t i = 0; i < kTypeCount; ++i) {
        for (char32_t c : std::u32string_view(U"Ag0×−·√…“”’‹›σ∂")) {
            EXPECT_TRUE(gui::has_glyph(fonts_->at(static_cast<Type>(i)), c)) << i << ' ' << static_cast<int>(c);
        }
    }
}

TEST_F(FontsTest, HostileTextStaysBounded) {
    std::string all;
    for (char32_t c = 0x4e00; c < 0x9fff; ++c) {
        all += {static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
                static_cast<char>(0x80 | (c & 63))};
    }
    theme_ = scaled(theme_named("projector"), 2.0f);
    fonts_->refresh(theme_);
    for (std::size_t i = 0; i < all.size(); i += 300) fonts_->need(all.substr(i, 300), Type::Body);
    fonts_->refresh(theme_);
    EXPECT_LE(fonts_->atlas_size().h, 16384.0f);
}

TEST_F(FontsTest, BrokenFilesAreReplacedAndReported) {
    FontFiles files;  // none at all
    files[FontSlot::Latin] = {"/nonexistent.otf", 0};
    const std::string garbage = ::testing::TempDir() + "garbage.ttf";
    std::ofstream(garbage) << std::string(3000, 'x');
    files[FontSlot::Chinese] = {garbage, 2};
    open_fonts(files);
    EXPECT_EQ(fonts_->problems().size(), kFontSlots);
    EXPECT_NE(fonts_->problems()[0].message.find("fonts-inter"), std::string::npos);
    frame([](Ui& ui) { ui.painter().text({20, 40}, "still there 早", {Type::Body}, Hue::Ink); });
    EXPECT_GT(fonts_->width("still", Type::Body), 10.0f);
}

/// As in a page, whose typefaces have the common characters only until others come.
TEST_F(FontsTest, ATypefaceWithMoreCharactersMayComeLater) {
    const FontFiles all = find_fonts();
    FontFiles few = all;
    few[FontSlot::Chinese] = few[FontSlot::ChineseStrong] = few[FontSlot::Symbols];
    open_fonts(few);
    fonts_->need("學", Type::Body);
    fonts_->refresh(theme_);
    EXPECT_TRUE(fonts_->lacks());
    EXPECT_FALSE(fonts_->draws(U'學', Type::Body));
    // Only the regular one: the bold roles use it, too.
    few[FontSlot::Chinese] = all[FontSlot::Chinese];
    fonts_->use(few);
    EXPECT_TRUE(fonts_->pending());
    fonts_->need("學", Type::BodyStrong);
    fonts_->refresh(theme_);
    EXPECT_FALSE(fonts_->lacks());
    for (const Type type : {Type::Body, Type::BodyStrong, Type::NumberStrong}) EXPECT_TRUE(fonts_->draws(U'學', type));
    frame([](Ui& ui) { ui.painter().text({20, 40}, "學", {Type::Body}, Hue::Ink); });
    EXPECT_NEAR(fonts_->width("學", Type::BodyStrong), fonts_->width("學", Type::Body), 1.0f);
}

TEST_F(FontsTest, ChineseAndLatinShareABaseline) {
    fonts_->need("国", Type::Body);
    fonts_->refresh(theme_);
    const TextExtent latin = fonts_->extent("H", Type::Body), chinese = fonts_->extent("国", Type::Body);
    EXPECT_NEAR(latin.descent, 0.0f, 1.0f);
    EXPECT_GT(chinese.descent, 0.0f);
    // Their centres agree to a pixel.
    EXPECT_NEAR((latin.ascent - latin.descent) / 2, (chinese.ascent - chinese.descent) / 2, 1.5f);
}

}  // namespace
}  // namespace app
