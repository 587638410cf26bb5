// The documentation: every path that it names exists, and the README stays short.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "places.h"
#include "tests/app/chapter_fixture.h"

namespace {

namespace fs = std::filesystem;

constexpr int kMostLinesOfReadme = 130;

/// A page's text, by its path from the root.
struct Page {
    std::string path;
    std::vector<std::string> lines;
};

/// A link's target or the text of a code span, and the line that it begins on, from 1.
struct Named {
    std::string text;
    int line = 0;
};

Page read_page(const fs::path& file) {
    Page page{fs::relative(file, ATTN_SOURCE_DIR).generic_string(), {}};
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) page.lines.push_back(line);
    return page;
}

/// README.md, CONTRIBUTING.md and docs/*.md.
std::vector<Page> pages() {
    const fs::path root = ATTN_SOURCE_DIR;
    std::vector<Page> out = {read_page(root / "README.md"), read_page(root / "CONTRIBUTING.md")};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) out.push_back(read_page(file));
    return out;
}

/// The text without fenced blocks, whose lines become empty.
std::string prose_of(const Page& page) {
    std::string out;
    bool fenced = false;
    for (const std::string& line : page.lines) {
        const std::size_t begin = line.find_first_not_of(' ');
        const bool fence = begin != std::string::npos && line.compare(begin, 3, "```") == 0;
        if (!fence && !fenced) out += line;
        if (fence) fenced = !fenced;
        out += '\n';
    }
    EXPECT_FALSE(fenced) << page.path << " ends inside a fenced block";
    return out;
}

int line_at(std::string_view text, std::size_t at) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// The texts between backticks. `rest` is the text with spaces in their place.
std::vector<Named> code_spans(const std::string& text, std::string& rest) {
    std::vector<Named> out;
    rest = text;
    for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
        const std::size_t end = text.find('`', begin + 1);
        if (end == std::string::npos) {
            ADD_FAILURE() << "a code span that begins on line " << line_at(text, begin) << " does not end";
            break;
        }
        out.push_back({text.substr(begin + 1, end - begin - 1), line_at(text, begin)});
        for (std::size_t i = begin; i <= end; ++i)
            if (rest[i] != '\n') rest[i] = ' ';
        begin = text.find('`', end + 1);
    }
    return out;
}

/// The targets of [words](target) and ![words](target).
std::vector<Named> links(const std::string& text) {
    std::vector<Named> out;
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
        const std::size_t end = text.find(')', at);
        if (end == std::string::npos) break;
        out.push_back({text.substr(at + 2, end - at - 2), line_at(text, at)});
    }
    return out;
}

bool is_elsewhere(std::string_view target) {
    return target.starts_with("https://") || target.starts_with("http://") || target.starts_with("mailto:") || target.starts_with("#");
}

bool is_path(std::string_view text) {
    constexpr std::array<std::string_view, 6> kTops = {"core/", "app/", "tests/", "assets/", "docs/", "shaders/"};
    return std::any_of(kTops.begin(), kTops.end(), [&](std::string_view top) { return text.starts_with(top); });
}

/// A word of capitals by itself: "NAME" in "NN-NAME.toml", not in "RENAMED".
bool has_word(std::string_view part, std::string_view word) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = part.find(word); at != std::string_view::npos; at = part.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_letter(part[at - 1])) && (end == part.size() || !is_letter(part[end]))) return true;
    }
    return false;
}

/// Whether it stands for something that the reader creates, or for several things.
bool is_placeholder(std::string_view part) {
    constexpr std::array<std::string_view, 3> kSigns = {"*", "…", "<"};
    return has_word(part, "NAME") || has_word(part, "ID") ||
           std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) { return part.find(sign) != std::string_view::npos; });
}

/// The part of a path that must exist: all of it, or up to the folder before the first placeholder.
std::string what_must_be_there(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (is_placeholder(part)) break;
        out += part;
        if (slash == std::string_view::npos) break;
        out += '/';
        path.remove_prefix(slash + 1);
    }
    return out;
}

/// The path that a code span begins with: "tests/run" of "tests/run --all".
std::string path_in(const std::string& span) { return span.substr(0, span.find_first_of(" \n")); }

TEST(Docs, LinkedFilesExist) {
    int found = 0;
    for (const Page& page : pages()) {
        std::string words;
        code_spans(prose_of(page), words);
        const fs::path folder = (fs::path(ATTN_SOURCE_DIR) / page.path).parent_path();
        for (const Named& target : links(words)) {
            if (is_elsewhere(target.text)) continue;
            ++found;
            EXPECT_TRUE(fs::exists(folder / target.text.substr(0, target.text.find('#'))))
                << page.path << ":" << target.line << ": there is no " << target.text;
        }
    }
    EXPECT_GT(found, 20) << "the links are no longer found";
}

TEST(Docs, PathsInBackticksExist) {
    int found = 0;
    for (const Page& page : pages()) {
        std::string words;
        for (const Named& span : code_spans(prose_of(page), words)) {
            const std::string path = path_in(span.text);
            if (!is_path(path)) continue;
            ++found;
            EXPECT_TRUE(fs::exists(fs::path(ATTN_SOURCE_DIR) / what_must_be_there(path)))
                << page.path << ":" << span.line << ": there is no " << path;
        }
    }
    EXPECT_GT(found, 100) << "the paths are no longer found";
}

TEST(Docs, APathWithAPlaceholderIsCheckedUpToItsFolder) {
    EXPECT_EQ(what_must_be_there("core/ops/ops.h"), "core/ops/ops.h");
    EXPECT_EQ(what_must_be_there("core/attention/forms/NAME.cpp"), "core/attention/forms/");
    EXPECT_EQ(what_must_be_there("app/screens/NAME/view.cpp"), "app/screens/");
    EXPECT_EQ(what_must_be_there("assets/chapters/NN-NAME.toml"), "assets/chapters/");
    EXPECT_EQ(what_must_be_there("tests/frames/golden/*.txt"), "tests/frames/golden/");
    EXPECT_EQ(what_must_be_there("core/…"), "core/");
    EXPECT_EQ(what_must_be_there("core/<part>/x.h"), "core/");
    EXPECT_EQ(what_must_be_there("assets/models/language/NOTICE"), "assets/models/language/NOTICE");
}

TEST(Docs, EveryPageCanBeReachedFromTheReadme) {
    const std::vector<Page> all = pages();
    std::string words;
    code_spans(prose_of(all.front()), words);
    const std::vector<Named> out = links(words);
    for (std::size_t i = 1; i < all.size(); ++i)
        EXPECT_TRUE(std::any_of(out.begin(), out.end(), [&](const Named& target) { return target.text == all[i].path; }))
            << "README.md has no link to " << all[i].path;
}

/// The cells of a table's row, without the spaces around them; none if the line is no row.
std::vector<std::string> cells_of_row(const std::string& line) {
    std::vector<std::string> out;
    if (!line.starts_with("|")) return out;
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) {
        const std::size_t begin = cell.find_first_not_of(' ');
        out.push_back(begin == std::string::npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
    }
    return out;
}

TEST(Docs, TheCourseTeachesEachOfItsThings) {
    constexpr int kThings = 111;
    const Page page = read_page(fs::path(ATTN_SOURCE_DIR) / "docs/course.md");
    std::set<int> missing;
    for (int number = 1; number <= kThings; ++number) missing.insert(number);
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
        const std::vector<std::string> cells = cells_of_row(page.lines[i]);
        if (cells.empty() || cells.front().find_first_of("0123456789") == std::string::npos) continue;
        const std::string where = page.path + ":" + std::to_string(i + 1);
        ASSERT_EQ(cells.size(), 3u) << where << ": a row is numbers, words, pages";
        std::istringstream numbers(cells[0]);
        for (std::string number; std::getline(numbers, number, ',');)
            EXPECT_EQ(missing.erase(std::stoi(number)), 1u) << where << ": " << number << " has a row already, or there is no such number";
        std::string rest;
        const std::vector<Named> named = code_spans(cells[2], rest);
        EXPECT_FALSE(named.empty()) << where << " names no page";
        for (const Named& span : named) EXPECT_TRUE(app::library().page(span.text)) << where << ": there is no page " << span.text;
    }
    for (const int number : missing) ADD_FAILURE() << page.path << " has no row with the number " << number;
}

TEST(Docs, TheReadmeIsShort) {
    EXPECT_LE(read_page(fs::path(ATTN_SOURCE_DIR) / "README.md").lines.size(), static_cast<std::size_t>(kMostLinesOfReadme))
        << "what is longer has its place in docs/";
}

}  // namespace
