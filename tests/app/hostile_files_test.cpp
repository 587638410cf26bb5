// Files that are broken, that make false claims, or that have another format (tests/data/hostile, made by make_hostile.py),
// each opened as the program opens it. The exact messages are in expected.json. Large files are made here.

#include <gmock/gmock.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "app/shell/open_files.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/model/attention_file/given_attention.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kData = fs::path(ATTN_SOURCE_DIR) / "tests/data";

/// The rest of the message is a library's.
constexpr std::string_view kAndSo = "…";

struct Hostile {
    int row = 0;
    std::string file, folder, on;  ///< a file, or a folder whose files are put over a copy of a checkpoint
    std::vector<std::string> without, notes;
    std::string says;  ///< empty: it opens, with the notes in `notes`
    std::string text;  ///< text to type then
};
void PrintTo(const Hostile& one, std::ostream* out) { *out << one.file << one.folder; }

std::vector<std::string> texts(const attn::JsonValue* list) {
    std::vector<std::string> out;
    for (std::size_t i = 0; list && i < list->items.size(); ++i) out.push_back(list->items[i].string);
    return out;
}

std::vector<Hostile> cases() {
    const auto bytes = attn::read_file(kData / "hostile/expected.json", 1 << 20);
    const auto root = bytes ? attn::parse_json(*bytes) : bytes.error();
    std::vector<Hostile> out;
    if (!root) return out;
    for (const attn::JsonValue& value : root->items) {
        const auto text = [&](std::string_view key) { return value.find(key) ? value.find(key)->string : std::string(); };
        out.push_back({static_cast<int>(value.find("row")->integer), text("file"), text("folder"), text("on"), texts(value.find("without")),
                       texts(value.find("notes")), text("says"), text("text")});
    }
    return out;
}

/// The folder as it is opened.
void lay_over(const Hostile& one, const fs::path& into) {
    for (const auto& entry : fs::directory_iterator(kData / "checkpoints" / one.on))
        if (entry.path().filename() != "activations.safetensors") fs::copy(entry.path(), into);
    for (const std::string& file : one.without) fs::remove(into / file);
    if (!fs::exists(kData / "hostile" / one.folder)) return;  // files are removed, that is all
    for (const auto& entry : fs::directory_iterator(kData / "hostile" / one.folder))
        fs::copy_file(entry.path(), into / entry.path().filename(), fs::copy_options::overwrite_existing);
}

/// The message for the file, without the folder's path on this machine.
std::string without_place(std::string text, const fs::path& folder) {
    const std::string place = folder.native();
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place)) text.replace(at, place.size(), "…");
    return text;
}

class HostileFile : public testing::TestWithParam<Hostile> {};

TEST_P(HostileFile, GivesTheExpectedMessage) {
    const Hostile& one = GetParam();
    const cli_test::Folder copy;
    fs::path folder = kData / "hostile", path = folder / one.file;
    if (!one.folder.empty()) {
        lay_over(one, copy.path());
        folder = path = copy.path();
    }
    auto document = app::open_document(path);
    if (document && !one.text.empty()) document->text = one.text;
    if (!one.says.empty()) {
        auto made = document ? attn::run(*document) : attn::Result<attn::Run>(document.error());
        ASSERT_FALSE(made.ok()) << "it was opened";
        const std::string said = without_place(made.error().text(), folder);
        if (one.says.ends_with(kAndSo))
            EXPECT_THAT(said, testing::StartsWith(one.says.substr(0, one.says.size() - kAndSo.size())));
        else
            EXPECT_EQ(said, one.says);
        return;
    }
    ASSERT_TRUE(document.ok()) << document.error().text();
    const auto made = attn::run(*document);
    ASSERT_TRUE(made.ok()) << made.error().text();
    EXPECT_EQ(attn::fault_sentences(*document->attention), one.notes);
}

INSTANTIATE_TEST_SUITE_P(All, HostileFile, testing::ValuesIn(cases()), [](const auto& one) {
    std::string name = one.param.file + one.param.folder;
    std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return "Row" + name;
});

TEST(HostileFiles, RowsAndFilesCorrespond) {
    std::vector<int> rows;
    std::vector<std::string> named = {"expected.json"};
    for (const Hostile& one : cases()) {
        rows.push_back(one.row);
        named.push_back(one.file + one.folder);
    }
    // 14 and 21 are large: see below.
    for (const int row : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 22, 23, 24, 35, 36, 37})
        EXPECT_THAT(rows, testing::Contains(row));
    for (const auto& entry : fs::directory_iterator(kData / "hostile"))
        EXPECT_THAT(named, testing::Contains(entry.path().filename().native()));
}

std::string little_endian(std::uint64_t number) {
    std::string out(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>(number >> (8 * i) & 0xff);
    return out;
}

TEST(HostileFiles, Row4_AHeaderNestedAHundredThousandDeep) {
    const cli_test::Folder folder;
    const std::string deep = R"({"a":)" + std::string(100'000, '[');
    cli_test::write_file(folder / "deep.safetensors", little_endian(deep.size()) + deep);
    EXPECT_FALSE(app::open_document(folder / "deep.safetensors").ok());
    cli_test::write_file(folder / "deep.json", "{\"attention\": " + std::string(100'000, '['));
    EXPECT_FALSE(app::open_document(folder / "deep.json").ok());
}

TEST(HostileFiles, Row14_AMillionAndAHalfTinyTensorsAreReadInSeconds) {
    const cli_test::Folder folder;
    constexpr int kTensors = 1'400'000;
    std::string header = "{";
    header.reserve(std::size_t{96} << 20);
    for (int i = 0; i < kTensors; ++i) {
        const std::string at = std::to_string(i);
        header += (i > 0 ? ",\"" : "\"") + at + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" + at + "," + std::to_string(i + 1) + "]}";
    }
    header += "}";
    cli_test::write_file(folder / "many.safetensors", little_endian(header.size()) + header + std::string(kTensors, '\0'));
    // Processor time: a busy machine makes the process wait.
    const std::clock_t start = std::clock();
    EXPECT_FALSE(app::open_document(folder / "many.safetensors").ok()) << "its numbers are of a type that is not read";
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20) << "alone it takes under two";
}

TEST(HostileFiles, Row21_MoreThanMemoryHoldsIsRefusedBeforeItIsRead) {
    const cli_test::Folder folder;
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 36;
    const std::string header = R"({"attention":{"dtype":"F32","shape":[4,4,32768,32768],"data_offsets":[0,)" + std::to_string(kHuge) + "]}}";
    cli_test::write_file(folder / "huge.safetensors", little_endian(header.size()) + header);
    std::error_code problem;
    fs::resize_file(folder / "huge.safetensors", 8 + header.size() + kHuge, problem);
    ASSERT_FALSE(problem) << "a file of holes takes no room: " << problem.message();
    const auto document = app::open_document(folder / "huge.safetensors");
    ASSERT_FALSE(document.ok());
    EXPECT_THAT(document.error().message, HasSubstr("has 32768 queries; 1 to 4096 are shown")) << document.error().text();
}

}  // namespace
