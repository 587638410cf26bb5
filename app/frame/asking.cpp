// The question of the text: a sentence, one word that asks, and one thing to press. When the walk has come to its end
// the answer stands there with its number, and every head is one click away.

#include "app/frame/asking.h"

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/explain/head_names.h"

namespace app {
namespace {

// Design pixels.
constexpr float kTitle = 44, kSubtitleHigh = 26, kWord = 46, kWordPad = 17, kWordGap = 12, kBarHigh = 50, kBarWide = 30,
                kNumberHigh = 22, kSays = 34, kHeadCard = 44, kMostArc = 190, kWidest = 1120;
/// A text of more words has no room here: the stage shows it.
constexpr std::size_t kMostWords = 24;
/// Of its size at Type::Title: a question that fills the window is read from the last row.
constexpr float kTitleScale = 1.7f;

struct QuestionPicture {
    const Frame& f;
    const TextQuestion& q;
    bool answered;
    std::vector<Rect> words{};
    float scale = 1;  ///< of the words, where they are many

    const std::vector<std::string>& tokens() const { return f.derived.labels.tokens; }
    float weight(std::size_t i) const { return f.trace()[q.weights].value(q.query, static_cast<int>(i)); }
    Painter& p() const { return f.painter(); }

    /// All words on one line, smaller where they must be.
    void place_words(float y) {
        const float wide = std::min(f.area.w - f.px(48), f.px(kWidest));
        float sum = 0;
        for (const std::string& one : tokens()) sum += p().width(one, Type::Title) + f.px(2 * kWordPad + kWordGap);
        sum -= f.px(kWordGap);
        scale = std::min(1.0f, wide / std::max(sum, 1.0f));
        float x = f.area.center().x - std::min(sum, wide) / 2;
        for (const std::string& one : tokens()) {
            const float w = (p().width(one, Type::Title) + f.px(2 * kWordPad)) * scale;
            words.push_back({x, y, w, f.px(kWord)});
            x += w + f.px(kWordGap) * scale;
        }
    }

    void draw_words() const {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool asks = static_cast<int>(i) == q.query, answers = answered && static_cast<int>(i) == q.key;
            const Hue hue = asks ? Hue::Query : Hue::Key;
            p().fill(words[i], asks || answers ? Ink(hue, 0.16f) : Ink(Hue::Paper), f.px(9));
            p().stroke(words[i], asks || answers ? Ink(hue) : Ink(Hue::Rule), f.px(9), f.px(asks || answers ? 1.8f : 1.0f));
            p().text_fit(words[i].inset(f.px(2), 0), tokens()[i], {scale < 0.8f ? Type::Body : asks || answers ? Type::TitleStrong : Type::Title, Align::Center},
                         asks || answers ? hue : Hue::Ink);
            f.ui.record("question.word." + std::to_string(i + 1), words[i]);
        }
    }

    /// From the word that asks to each that answers, as thick as its weight.
    void draw_arcs(float top) const {
        const Rect from = words[static_cast<std::size_t>(q.query)];
        const float reach = words.back().right() - words.front().x;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (static_cast<int>(i) == q.query) continue;
            const float x0 = from.center().x, x1 = words[i].center().x, y = from.y - f.px(3);
            const float high = std::min(y - top, f.px(60) + f.px(kMostArc) * std::abs(x1 - x0) / std::max(reach, 1.0f)) * 1.3f;
            const float thick = std::max(f.px(1.2f), f.px(22) * weight(i));
            const Ink ink = Ink(Hue::Score, 0.22f + 0.6f * std::sqrt(std::clamp(weight(i), 0.0f, 1.0f)));
            p().curve({x0, y}, {x0, y - high}, {x1, y - high}, {x1, y}, ink, thick);
        }
    }

    /// What each word gets, as a bar and as a number.
    void draw_weights(float y) const {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const float w = std::min(f.px(kBarWide), words[i].w), share = std::clamp(weight(i), 0.0f, 1.0f);
            const Rect bar{words[i].center().x - w / 2, y, w, f.px(kBarHigh)};
            p().fill(bar, Hue::Paper, f.px(5));
            p().stroke(bar, Hue::Rule, f.px(5));
            const float high = std::max(f.px(2), bar.h * share);
            p().fill({bar.x, bar.bottom() - high, bar.w, high}, Hue::Score, f.px(4));
            const std::string number = number_text(weight(i));
            if (p().width(number, Type::Number) <= words[i].w + f.px(kWordGap) * scale || static_cast<int>(i) == q.key)
                p().text_in({words[i].center().x - f.px(40), bar.bottom() + f.px(4), f.px(80), f.px(kNumberHigh)}, number,
                            {Type::Number, Align::Center}, static_cast<int>(i) == q.key ? Hue::Score : Hue::Soft);
        }
    }
};

/// The head's number, and what it was asked.
std::string card_text(const Frame& f, int head) {
    return std::string(head_question(f.state.document, head, f.view().language));
}

/// Every head, one click away: on one line where they have room, else on two; not at all where they would not stay
/// below `highest`. Returns where they begin.
float draw_head_cards(const Frame& f, float bottom, float highest) {
    const int heads = f.state.document.config.heads;
    if (heads < 2 || card_text(f, 0).empty()) return bottom;
    const float wide = std::min(f.area.w - f.px(48), f.px(kWidest)), gap = f.px(12), high = f.px(kHeadCard);
    float each = 0;
    for (int h = 0; h < heads; ++h)
        each = std::max(each, f.painter().width(std::string(f.say(Str::head)) + " 0", Type::SmallStrong) +
                                  f.painter().width(card_text(f, h), Type::Small) + f.px(46));
    const int on_line = std::clamp(static_cast<int>((wide + gap) / (each + gap)), 1, heads);
    const int lines = (heads + on_line - 1) / on_line;
    const float w = std::min(each, (wide - gap * static_cast<float>(on_line - 1)) / static_cast<float>(on_line));
    const float top = bottom - static_cast<float>(lines) * (high + gap) + gap;
    if (top < highest) return bottom;
    for (int h = 0; h < heads; ++h) {
        const int line = h / on_line, here = std::min(on_line, heads - line * on_line);
        const float left = f.area.center().x - (w * static_cast<float>(here) + gap * static_cast<float>(here - 1)) / 2;
        const Rect card{left + (w + gap) * static_cast<float>(h % on_line), top + static_cast<float>(line) * (high + gap), w, high};
        const std::string id = "question.head." + std::to_string(h + 1);
        const Touch touch = touch_area(f.ui, id, card);
        f.ui.record(id, card);
        const bool chosen = h == f.view().head;
        f.painter().fill(card, chosen ? Hue::AccentSoft : touch.hovered ? Hue::Back : Hue::Paper, f.px(9));
        f.painter().stroke(card, chosen ? Ink(Hue::Accent) : Ink(Hue::Rule), f.px(9), f.px(chosen ? 1.6f : 1.0f));
        const std::string number = std::string(f.say(Str::head)) + " " + std::to_string(h + 1);
        const float number_w = f.painter().width(number, Type::SmallStrong), pad = f.px(14);
        f.painter().text_in({card.x + pad, card.y, number_w, card.h}, number, {Type::SmallStrong}, Hue::Accent);
        f.painter().text_fit({card.x + pad + number_w + f.px(12), card.y, card.w - 2 * pad - number_w - f.px(12), card.h},
                             card_text(f, h), {Type::Small}, chosen ? Hue::Ink : Hue::Soft);
        if (touch.focused) focus_ring(f.ui, card, f.px(9));
        if (touch.clicked) f.push(ChooseHead{h});
    }
    return top;
}

/// What can be pressed: to see it computed, or to look at the numbers.
void draw_buttons(const Frame& f, float y, bool answered) {
    const std::string_view see = f.say(answered ? Str::asking_again : Str::asking_see), look = f.say(Str::asking_look);
    const float high = f.theme.button_height, see_w = button_width(f.ui, see), look_w = button_width(f.ui, look), gap = f.px(10);
    float x = f.area.center().x - (see_w + gap + look_w) / 2;
    if (button(f.ui, "question.see", {x, y, see_w, high}, see, answered ? ButtonKind::Soft : ButtonKind::Filled)) f.push(Play{true});
    x += see_w + gap;
    if (button(f.ui, "question.look", {x, y, look_w, high}, look, answered ? ButtonKind::Filled : ButtonKind::Plain))
        f.change_view([](ViewState& v) { v.asking = Asking::None; });
}

}  // namespace

bool shows_question(const AppState& state) {
    const ViewState& v = state.view;
    return (v.asking == Asking::Asked || v.asking == Asking::Answered) && v.screen == Screen::Stage && !v.present.on &&
           !v.plays() && v.panels && !v.reading.open();
}

bool can_ask(const Frame& f) {
    return question_of_text(f.state.document, *f.derived.run, f.view().head, f.view().language).has_value() &&
           f.derived.labels.tokens.size() <= kMostWords;
}

void toggle_question(const Frame& f) {
    const bool on = !shows_question(f.state);
    if (on) f.push(GoToStop{0, 0});
    f.change_view([on](ViewState& v) {
        v.asking = on ? Asking::Asked : Asking::None;
        if (on) v.screen = Screen::Stage;
        v.pinned.reset();
    });
}

void draw_question(const Frame& f) {
    const auto& question = f.derived.question;
    const bool answered = f.view().asking == Asking::Answered;
    if (!question || f.derived.labels.tokens.size() > kMostWords) {
        // Nothing of this text is known to any head: there is still all to be seen.
        const float y = f.area.center().y - f.px(kTitle);
        f.painter().text_fit({f.area.x + f.px(24), y, f.area.w - f.px(48), f.px(kTitle)}, f.say(Str::asking_none), {Type::Title, Align::Center}, Hue::Soft);
        return draw_buttons(f, y + f.px(kTitle + 10), answered);
    }
    QuestionPicture picture{f, *question, answered};
    const float title = f.theme.line_height(Type::Title) * kTitleScale;
    float y = f.area.y + f.px(26);
    const float fits = std::min(1.0f, (f.area.w - f.px(48)) / std::max(1.0f, f.painter().width(question->title, Type::TitleStrong) * kTitleScale));
    f.painter().text_in({f.area.x + f.px(24), y, f.area.w - f.px(48), title}, question->title, {Type::TitleStrong, Align::Center, kTitleScale * fits}, Hue::Ink);
    y += title + f.px(4);
    f.painter().text_fit({f.area.x + f.px(24), y, f.area.w - f.px(48), f.px(kSubtitleHigh)}, f.say(answered ? Str::asking_answered : Str::asking_guess),
                         {Type::Body, Align::Center}, Hue::Soft);
    y += f.px(kSubtitleHigh + 8);
    const float needed = f.px(kWord + 12) + (answered ? f.px(kBarHigh + kNumberHigh + 14 + kSays + 12) : 0) + f.theme.button_height;
    const float bottom = draw_head_cards(f, f.area.bottom() - f.px(22), y + needed + f.px(18));
    const float buttons = bottom - f.px(18) - f.theme.button_height;
    // From below: what is said, the weights, the words; the arcs have what is left.
    const float says = buttons - f.px(kSays + 12), weights = says - f.px(kBarHigh + kNumberHigh + 14);
    const float lowest = weights - f.px(kWord + 12);
    picture.place_words(std::max(y, answered ? lowest : std::min(lowest, (y + buttons) / 2 - f.px(kWord) / 2)));
    if (answered) {
        picture.draw_arcs(y);
        picture.draw_weights(weights);
        f.painter().text_fit({f.area.x + f.px(24), says, f.area.w - f.px(48), f.px(kSays)}, question->says, {Type::TitleStrong, Align::Center}, Hue::Ink);
    }
    picture.draw_words();
    draw_buttons(f, buttons, answered);
}

}  // namespace app
