// Files dropped onto the window: the first document is opened, and refusals are reported.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "app/shell/open_files.h"
#include "core/document/document.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "places.h"
#include "tests/support/all_signs.h"
#include "tests/support/refusing.h"

namespace {

namespace fs = std::filesystem;
using app::Dropped;

class DropTest : public ::testing::Test {
protected:
    DropTest() {
        std::string pattern = (fs::temp_directory_path() / "drop-XXXXXX").native();
        root_ = ::mkdtemp(pattern.data());
    }
    ~DropTest() override { fs::remove_all(root_); }
    std::string file(const std::string& name, std::string_view bytes) {
        std::ofstream(root_ / name, std::ios::binary) << bytes;
        return (root_ / name).native();
    }
    static Dropped drop(const std::vector<std::string>& files) { return app::open_dropped(files); }
    fs::path root_;
};

/// Files are read on a thread that cannot throw to anybody: refused memory is reported like any other refusal.
TEST_F(DropTest, RefusedMemoryIsAnError) {
    const std::string attention = file("a.json", R"({"attention": [[[1, 0], [0.5, 0.5]]], "tokens": ["a", "b"]})");
    for (const std::string& dropped : {file("d.json", R"({"text": "dropped"})"), attention, std::string(ATTN_SOURCE_DIR "/tests/data/checkpoints/t5")}) {
        int refused = 0;
        for (int which = 1;; which += 1 + which / 8) {
            std::optional<Dropped> outcome;
            bool came = false;
            {
                const test_support::Refusing refusing(which);
                outcome.emplace(app::open_dropped({&dropped, 1}));
                came = refusing.came();
            }
            if (!came) {
                EXPECT_TRUE(outcome->document) << outcome->notice();
                break;
            }
            if (outcome->document) continue;  // the refused allocation was not essential
            ++refused;
            ASSERT_NE(outcome->notice().find("there is not enough memory to open this"), std::string::npos) << which << ": " << outcome->notice();
        }
        EXPECT_GE(refused, 5) << dropped;
    }
}

TEST_F(DropTest, ADocumentIsOpenedSilently) {
    const Dropped dropped = drop({file("a.json", R"({"text": "dropped"})")});
    ASSERT_TRUE(dropped.document);
    EXPECT_EQ(dropped.document->text, "dropped");
    EXPECT_EQ(dropped.notice(), "");
}

/// As a file that the program wrote, opened again and dropped, and as one that others wrote, with escapes.
TEST_F(DropTest, EveryCodePointIsDroppedAndOpenedAgain) {
    for (const std::string& text : test_support::all_signs()) {
        attn::Document document;
        document.text = text;
        const Dropped dropped = drop({file("all.json", attn::document_to_json(document))});
        ASSERT_TRUE(dropped.document) << dropped.notice();
        ASSERT_TRUE(dropped.document->text == text) << "from " << static_cast<std::uint32_t>(attn::decode_utf8(text, 0).value);
        const auto again = app::open_document(file("escaped.json", nlohmann::json{{"text", text}}.dump(-1, ' ', true)));
        ASSERT_TRUE(again) << again.error().text();
        ASSERT_TRUE(again->text == text);
    }
}

TEST_F(DropTest, TheFirstDocumentIsOpenedAndRefusalsAreCounted) {
    const Dropped dropped = drop({file("notes.txt", "hello"), file("bad.json", R"({"heads": "two"})"),
                                  file("a.json", R"({"text": "a"})"), file("b.json", R"({"text": "b"})")});
    ASSERT_TRUE(dropped.document);
    EXPECT_EQ(dropped.document->text, "a");
    EXPECT_NE(dropped.notice().find("notes.txt"), std::string::npos);
    EXPECT_TRUE(dropped.notice().ends_with("(+1)")) << dropped.notice();
}

TEST_F(DropTest, AChapterIsRecognizedByItsName) {
    const Dropped dropped =
        drop({file("notes.txt", "hello"), file("mine.toml", "id = ["), file("a.json", R"({"text": "a"})")});
    EXPECT_TRUE(dropped.chapter.ends_with("/mine.toml")) << dropped.chapter;
    EXPECT_FALSE(dropped.document) << "the chapter came first";
    EXPECT_EQ(drop({file("a.json", R"({"text": "a"})")}).chapter, "");
}

/// A picture is not a document: it is given to the vision model.
TEST_F(DropTest, APictureIsGivenToTheVisionModel) {
    const fs::path folder = ATTN_SOURCE_DIR "/tests/data/checkpoints/vit";
    const Dropped dropped = drop({(folder / "picture.png").native()});
    ASSERT_TRUE(dropped.picture);
    EXPECT_FALSE(dropped.document);
    EXPECT_EQ(dropped.notice(), "");
    EXPECT_EQ(dropped.picture->picture.width, 11);
    auto document = app::open_document(folder);
    ASSERT_TRUE(document) << document.error().text();
    EXPECT_TRUE(attn::wants_picture(*document));
    EXPECT_TRUE(app::take_picture(*document, dropped.picture));
    EXPECT_EQ(attn::tokens_of(*document).size(), 10u);
    attn::Document of_text;
    EXPECT_FALSE(app::take_picture(of_text, dropped.picture));
    EXPECT_FALSE(of_text.picture);
    const Dropped photo = drop({ATTN_SOURCE_DIR "/tests/data/pictures/color.jpg"});
    ASSERT_TRUE(photo.picture) << photo.notice();
    EXPECT_EQ(photo.picture->picture.width, 26);
    const Dropped refused = drop({file("photo.jpg", "\xFF\xD8\xFF\xE0 JFIF")});
    EXPECT_FALSE(refused.picture);
    EXPECT_NE(refused.notice().find("photo.jpg: the JPEG is damaged or was cut short"), std::string::npos) << refused.notice();
}

TEST_F(DropTest, ThousandsOfFilesAreNotAllRead) {
    std::vector<std::string> files(5000, file("notes.txt", "hello"));
    files.push_back(file("last.json", "{}"));
    const Dropped dropped = drop(files);
    EXPECT_FALSE(dropped.document);
    EXPECT_TRUE(dropped.notice().ends_with("(+5000)")) << dropped.notice();
}

TEST_F(DropTest, FoldersPipesDevicesAndAddressesAreRefused) {
    const std::string pipe = (root_ / "pipe").native();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& what : {root_.native(), pipe, std::string("/dev/zero"), std::string("/dev/null"),
                                    std::string("http://example.org/a.json"), std::string()}) {
        const Dropped dropped = drop({what});
        EXPECT_FALSE(dropped.document) << what;
        EXPECT_NE(dropped.notice(), "") << what;
    }
    EXPECT_EQ(drop({}).notice(), "");
}

TEST_F(DropTest, AnErrorNamesFileLineAndKey) {
    const auto opened = app::open_document(file("bad.json", "{\n  \"heads\": \"two\"\n}"));
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().where.find("bad.json"), std::string::npos);
    EXPECT_EQ(opened.error().line, 2);
    EXPECT_EQ(opened.error().key, "heads");
}

}  // namespace
