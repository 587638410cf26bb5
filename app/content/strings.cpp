#include "app/content/strings.h"

#include <cstdlib>

namespace app {
namespace {

constexpr StringRow kRows[] = {
#define S(name, en, zh) StringRow{#name, {en, zh}},
#include "app/content/strings.inc"
#undef S
};

/// Ids of tables, features and roles have a prefix, so that other strings can use the same names.
constexpr std::string_view kIdPrefix = "id_";

}  // namespace

std::string_view language_id(Language language) { return language == Language::Chinese ? "zh" : "en"; }

std::optional<Language> find_language(std::string_view id) {
    if (id == "en") return Language::English;
    if (id == "zh") return Language::Chinese;
    return std::nullopt;
}

Language system_language() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value && *value)
            return std::string_view(value).starts_with("zh") ? Language::Chinese : Language::English;
    return Language::English;
}

std::span<const StringRow> string_rows() { return kRows; }

std::string_view tr(Str string, Language language) {
    return kRows[static_cast<std::size_t>(string)].text[static_cast<std::size_t>(language)];
}

std::optional<Str> find_string(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        if (kRows[i].name == name) return static_cast<Str>(i);
    return std::nullopt;
}

Str in_convention(Str string, attn::Convention convention) {
    if (convention == attn::Convention::Rows) return string;
    switch (string) {
#define C(rows, columns) \
    case Str::rows:      \
        return Str::columns;
#include "app/content/columns.inc"
#undef C
        default:
            return string;
    }
}

std::string_view label_of(std::string_view id, Language language) {
    for (const StringRow& row : kRows)
        if (row.name.starts_with(kIdPrefix) && row.name.substr(kIdPrefix.size()) == id)
            return row.text[static_cast<std::size_t>(language)];
    return id;
}

namespace {

/// The text named by a prefix and what it is about: "hint_mask", "tip_play", "form_raw".
std::string_view row_about(std::string_view prefix, std::string_view id, Language language) {
    for (const StringRow& row : kRows)
        if (row.name.starts_with(prefix) && row.name.substr(prefix.size()) == id)
            return row.text[static_cast<std::size_t>(language)];
    return {};
}

}  // namespace

std::string_view hint_of(std::string_view field, Language language) { return row_about("hint_", field, language); }
std::string_view tip_of(std::string_view control, Language language) { return row_about("tip_", control, language); }
std::string_view sentence_of_form(std::string_view form, Language language) { return row_about("form_", form, language); }

std::string fill_in(std::string_view pattern, std::initializer_list<std::string_view> arguments) {
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool slot = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                          pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
        const auto index = slot ? static_cast<std::size_t>(pattern[i + 1] - '0') : arguments.size();
        if (index >= arguments.size()) {
            out += pattern[i];
            continue;
        }
        out += *(arguments.begin() + index);
        i += 2;
    }
    return out;
}

std::string all_text() {
    std::string out;
    for (const StringRow& row : kRows)
        for (const std::string_view text : row.text) out += text;
    return out;
}

}  // namespace app
