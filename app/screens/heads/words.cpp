// Texts of the heads screen: a head's title, what it does, and what a link in a chapter's text refers to.

#include "app/explain/head_names.h"
#include "app/screens/heads/view.h"

namespace app {

int query_in_words(const Frame& f) {
    const auto& lit = f.view().course.lit;
    if (!lit) return -1;
    if (lit->token >= 0) return lit->token;
    const attn::StepId id = attn::find_id(f.trace(), lit->tag);
    if (id == attn::kNoStep) return -1;
    const attn::Axis& keys = f.trace()[id].cols;
    const bool of_keys = keys.kind == attn::Axis::Kind::Tokens || keys.kind == attn::Axis::Kind::SourceTokens;
    return of_keys ? lit->row : -1;
}

std::string head_title(const Frame& f, int head, float room, Type type) {
    const std::string number = f.number(head);
    const std::string_view question = head_question(f.state.document, head, f.view().language);
    if (!question.empty()) {
        std::string both = f.say(Str::head_and_question, {number, question});
        if (f.painter().width(both, type) <= room) return both;
    }
    return f.say(Str::head_number, {number});
}

std::string head_sentence(const Frame& f) {
    if (f.view().present.on) return {};  // too small to be read; the speaker explains it
    const HeadsData& data = f.derived.part<HeadsData>();
    const HeadsPlace& place = *data.here();
    const auto map = static_cast<std::size_t>(place.maps[static_cast<std::size_t>(data.head)]);
    const Language language = f.view().language;
    std::string out = question_sentence(f.state.document, data.head, language, f.counts_from());
    if (map >= data.roles.size() || !data.roles[map]) return out;
    const std::string role = role_sentence(*data.roles[map], data.head, language, f.counts_from());
    if (role.empty()) return out;
    return out.empty() || language == Language::Chinese ? out + role : out + " " + role;
}

}  // namespace app
