#pragma once
// All texts of the program in both languages, one per line (strings.inc). A missing language does not compile.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/attention/forms/attention.h"

namespace app {

enum class Language : std::uint8_t { English, Chinese };
inline constexpr int kLanguageCount = 2;

/// "en", "zh".
std::string_view language_id(Language language);
std::optional<Language> find_language(std::string_view id);
/// The language of the environment (LC_ALL, LC_MESSAGES, LANG): Chinese for zh…, else English.
Language system_language();

enum class Str : std::uint16_t {
#define S(name, en, zh) name,
#include "app/content/strings.inc"
#undef S
};

struct StringRow {
    std::string_view name;
    std::array<std::string_view, kLanguageCount> text;
};
std::span<const StringRow> string_rows();

std::string_view tr(Str string, Language language);
/// The string for this convention: if tokens are columns, a string about rows is replaced (columns.inc).
Str in_convention(Str string, attn::Convention convention);

/// The string with this name ("say_scores"); none if there is none.
std::optional<Str> find_string(std::string_view name);
/// The label of a row of one of the engine's tables ("multi_head" -> "Multi-head" / "多头"), of a feature or of a role;
/// the id itself if the list has none (a test prevents that).
std::string_view label_of(std::string_view id, Language language);
/// What a field of the document does, in a sentence; empty if no setting has that key.
std::string_view hint_of(std::string_view field, Language language);
/// A sentence about a form of attention ("form_" and its id); empty if there is none.
std::string_view sentence_of_form(std::string_view form, Language language);
/// What a control does, in a sentence ("tip_" and its id); empty if there is none.
std::string_view tip_of(std::string_view control, Language language);

/// Replaces {0}, {1} … by the arguments.
std::string fill_in(std::string_view pattern, std::initializer_list<std::string_view> arguments);

/// All texts of both languages, concatenated, so that the fonts have their characters.
std::string all_text();

}  // namespace app
