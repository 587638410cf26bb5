#pragma once
// Every word that the program shows, in both languages, on one line each (strings.inc). A missing language does not
// compile.

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
/// What the environment asks for (LC_ALL, LC_MESSAGES, LANG): Chinese for zh…, else English.
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
/// What is said in a string's place with this convention: of columns, where it speaks of rows (columns.inc).
Str in_convention(Str string, attn::Convention convention);

/// The string of this name ("say_scores"); none: there is no such one.
std::optional<Str> find_string(std::string_view name);
/// The label of a row of one of the engine's tables ("multi_head" -> "Multi-head" / "多头"), of a feature's name or of
/// a role; the id itself where the list has none (a test keeps that from happening).
std::string_view label_of(std::string_view id, Language language);
/// What a field of the document does, in a sentence; empty where no setting has it.
std::string_view hint_of(std::string_view field, Language language);
/// A sentence on a form of attention (form_ and its id); empty: there is none.
std::string_view sentence_of_form(std::string_view form, Language language);
/// What a control does, in a sentence ("tip_" and its id); empty: there is none.
std::string_view tip_of(std::string_view control, Language language);

/// Replaces {0}, {1} … by the arguments.
std::string fill_in(std::string_view pattern, std::initializer_list<std::string_view> arguments);

/// All text of both languages, one after the other: what the fonts must hold.
std::string all_text();

}  // namespace app
