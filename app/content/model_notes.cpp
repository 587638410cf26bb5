#include "app/content/model_notes.h"

#include <algorithm>

namespace app {
namespace {

Str sentence_of(attn::ModelNote::Kind kind) {
    using enum attn::ModelNote::Kind;
    switch (kind) {
        case UnreadKeys:
            return Str::unread_keys_note;
        case OtherHead:
            return Str::other_head_note;
        case LeftOut:
            return Str::left_out_note;
        case NoOutput:
            return Str::no_output_note;
        case OwnOutput:
            return Str::own_output_note;
        case FirstToken:
            return Str::first_token_note;
        case VisionTower:
            return Str::vision_tower_note;
        case TextTower:
            return Str::text_tower_note;
        case LanguageInFront:
            return Str::language_in_front_note;
        case LanguageBehind:
            return Str::language_behind_note;
        case LanguageToken:
            return Str::language_token_note;
    }
    return Str::unread_keys_note;
}

}  // namespace

std::string model_note_text(const attn::ModelNote& note, Language language) {
    constexpr std::size_t kShown = 6;
    std::string names;
    for (std::size_t i = 0; i < std::min(note.names.size(), kShown); ++i)
        names.append(i == 0 ? "" : language == Language::Chinese ? "、" : ", ").append(note.names[i]);
    if (note.names.size() > kShown) names = fill_in(tr(Str::first_of_many, language), {names, std::to_string(note.names.size())});
    return fill_in(tr(sentence_of(note.kind), language), {names});
}

}  // namespace app
