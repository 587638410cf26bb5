// Every label in both languages, and a label for everything that the engine can name.

#include "app/content/strings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "app/content/number_text.h"
#include "app/state/examples.h"
#include "app/ui/theme.h"
#include "core/attention/forms/attention.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"
#include "core/document/fields.h"
#include "core/text/meaning.h"
#include "core/text/unicode.h"
#include "places.h"

namespace {

using namespace app;

std::string_view english(const StringRow& row) { return row.text[static_cast<std::size_t>(Language::English)]; }
std::string_view chinese(const StringRow& row) { return row.text[static_cast<std::size_t>(Language::Chinese)]; }

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

TEST(NumberText, DistinguishesSmallNumbersFromZero) {
    for (const auto& [value, text] : {std::pair{0.0f, "0.00"}, {-0.0f, "0.00"}, {0.5f, "0.50"}, {-1.254f, "−1.25"}, {0.006f, "0.01"}, {0.005f, "0.0050"}, {0.0049f, "0.0049"},
                                      {-0.00014f, "−0.00014"}, {3.2e-5f, "0.000032"}, {3.2e-9f, "3.2e-09"}, {123.0f, "123.00"}})
        EXPECT_EQ(telling_text(value), text);
    EXPECT_EQ(telling_text(std::numeric_limits<float>::quiet_NaN()), "?");
    EXPECT_EQ(telling_text(-std::numeric_limits<float>::infinity()), "−∞");
}

TEST(Strings, NoneIsEmptyUnfinishedOrBroken) {
    for (const StringRow& row : string_rows()) {
        for (const std::string_view text : row.text) {
            EXPECT_FALSE(text.empty()) << row.name;
            for (const char* mark : {"TODO", "FIXME", "XXX"}) EXPECT_FALSE(has(text, mark)) << row.name;
            EXPECT_EQ(attn::clean_utf8(text).replaced, 0) << row.name;
            EXPECT_NE(text.front(), ' ') << row.name;
            EXPECT_NE(text.back(), ' ') << row.name;
        }
    }
}

/// Labels of tables are found by their prefix; every other one is named where it is shown.
TEST(Strings, NoneIsUnused) {
    std::set<std::string, std::less<>> words;
    for (const char* folder : {"/app", "/core"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(ATTN_SOURCE_DIR) + folder)) {
            const std::string end = entry.path().extension().string();
            if ((end != ".cpp" && end != ".h" && end != ".inc") || entry.path().filename() == "strings.inc") continue;
            std::ifstream file(entry.path(), std::ios::binary);
            std::string word;
            for (std::istreambuf_iterator<char> at(file), past; at != past; ++at) {
                if (std::isalnum(static_cast<unsigned char>(*at)) != 0 || *at == '_')
                    word += *at;
                else if (!word.empty())
                    words.insert(std::exchange(word, {}));
            }
        }
    ASSERT_GT(words.size(), 10000u);
    constexpr std::string_view kFound[] = {"id_", "hint_", "tip_", "form_", "say_", "experiment_"};
    for (const StringRow& row : string_rows()) {
        const bool made = std::any_of(std::begin(kFound), std::end(kFound), [&](std::string_view prefix) { return row.name.starts_with(prefix); });
        EXPECT_TRUE(made || words.contains(row.name)) << row.name << " is shown nowhere";
    }
}

TEST(Strings, NamesAreDifferent) {
    std::set<std::string_view> names;
    for (const StringRow& row : string_rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

std::multiset<std::string> placeholders(std::string_view text) {
    std::multiset<std::string> out;
    for (std::size_t i = 0; i + 2 < text.size(); ++i)
        if (text[i] == '{' && text[i + 2] == '}') out.insert(std::string(text.substr(i, 3)));
    return out;
}

TEST(Strings, BothLanguagesHaveTheSamePlaceholders) {
    for (const StringRow& row : string_rows()) {
        const auto slots = placeholders(english(row));
        EXPECT_EQ(slots, placeholders(chinese(row))) << row.name;
        // Numbered from 0 without gaps; every brace belongs to a placeholder. (All captions of the walk get the same
        // arguments and use those that they need.)
        const bool caption = std::string_view(row.name).starts_with("cap_");
        for (std::size_t i = 0; i < slots.size() && !caption; ++i)
            EXPECT_EQ(slots.count("{" + std::to_string(i) + "}"), 1u) << row.name;
        for (const std::string_view text : row.text)
            EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '{')), slots.size()) << row.name;
    }
}

TEST(Strings, ColumnVersionsHaveTheSamePlaceholders) {
    int others = 0;
    for (std::size_t i = 0; i < string_rows().size(); ++i) {
        const auto string = static_cast<Str>(i), instead = in_convention(string, attn::Convention::Columns);
        EXPECT_EQ(in_convention(string, attn::Convention::Rows), string);
        if (instead == string) continue;
        ++others;
        for (const Language language : {Language::English, Language::Chinese})
            EXPECT_EQ(placeholders(tr(string, language)), placeholders(tr(instead, language))) << string_rows()[i].name;
        EXPECT_NE(string_rows()[i].text, string_rows()[static_cast<std::size_t>(instead)].text);
    }
    EXPECT_GT(others, 20);
}

/// It has a label of its own in both languages, not the id itself.
void expect_label(std::string_view id, const char* table) {
    const std::string name = "id_" + std::string(id);
    const auto rows = string_rows();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const StringRow& row) { return row.name == name; }))
        << table << ": " << id;
    for (const Language language : {Language::English, Language::Chinese})
        EXPECT_FALSE(label_of(id, language).empty()) << table << ": " << id;
}

TEST(Strings, EveryRowOfTheEnginesTablesHasALabel) {
    for (const auto& row : attn::forms()) expect_label(row.id, "variants");
    for (const auto& row : attn::scores()) expect_label(row.id, "scores");
    for (const auto& row : attn::masks()) expect_label(row.id, "masks");
    for (const auto& row : attn::positions()) expect_label(row.id, "positions");
    for (const auto& field : attn::document_fields()) {
        if (!field.choices) continue;
        for (const std::string_view choice : field.choices()) expect_label(choice, "document fields");
    }
}

TEST(Strings, EveryRoleFeatureAndThemeHasALabel) {
    for (int r = 0; r < attn::kRoleCount; ++r) expect_label(attn::role_id(static_cast<attn::Role>(r)), "roles");
    for (const std::string_view feature : attn::meaning_features()) expect_label(feature, "features");
    for (const Theme& theme : themes()) expect_label(theme.id, "themes");
}

TEST(Strings, LabelsOfUnknownIdsAreTheIds) {
    EXPECT_EQ(label_of("no_such_id", Language::Chinese), "no_such_id");
    EXPECT_EQ(label_of("play", Language::Chinese), "play");  // a string, but no id
}

TEST(Strings, TermsAreTheSameEverywhere) {
    const std::string all = all_text();
    for (const char* term : {"词元", "注意力头", "因果掩码"}) EXPECT_TRUE(has(all, term)) << term;
    // These words are always translated by the fixed terms.
    for (const char* wrong : {"令牌", "标记", "蒙版", "遮罩", "掩膜", "注意头"}) EXPECT_FALSE(has(all, wrong)) << wrong;
    for (const StringRow& row : string_rows()) {
        const std::string en = lower(english(row));
        const std::string_view zh = chinese(row);
        EXPECT_TRUE(!has(en, "token") || has(zh, "词元") || has(zh, "分词")) << row.name;
        EXPECT_TRUE(!has(en, "head") || has(zh, "头")) << row.name;
        EXPECT_TRUE(!has(en, "mask") || has(zh, "掩码") || has(zh, "遮")) << row.name;
    }
}

TEST(Strings, FillIn) {
    EXPECT_EQ(fill_in("row {0}, column {1}", {"3", "2"}), "row 3, column 2");
    EXPECT_EQ(fill_in("{1}{0}{1}", {"a", "b"}), "bab");
    EXPECT_EQ(fill_in("{0}", {"{0}"}), "{0}");  // inserted text is not scanned again
    EXPECT_EQ(fill_in("{2} {x} {", {"a"}), "{2} {x} {");
    EXPECT_EQ(fill_in("", {"a"}), "");
}

TEST(Strings, Languages) {
    for (const Language language : {Language::English, Language::Chinese})
        EXPECT_EQ(find_language(language_id(language)), language);
    EXPECT_FALSE(find_language("fr"));
    EXPECT_EQ(tr(Str::steps, Language::English), "Steps");
    EXPECT_EQ(tr(Str::steps, Language::Chinese), "步骤");
}

TEST(Examples, EveryOneCanBeRunInBothLanguages) {
    std::set<std::string_view> ids;
    ASSERT_GE(example_documents().size(), 2u);
    for (const Example& example : example_documents()) {
        EXPECT_TRUE(ids.insert(example.id).second) << example.id;
        EXPECT_TRUE(attn::problems(example.document).empty()) << example.id;
    }
}

}  // namespace
