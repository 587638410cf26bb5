// The opening: one sentence, one guess, one large arc. Everything moves by the seconds since the answer was requested
// (app/timeline/answer.h); every number is one of the trace.

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/content/number_text.h"
#include "app/explain/head_names.h"
#include "app/frame/asking.h"
#include "app/frame/commands.h"
#include "app/frame/heatmaps.h"
#include "app/frame/hint.h"
#include "app/screens/opening/layout.h"
#include "app/state/edits.h"
#include "app/timeline/labels.h"
#include "core/text/unicode.h"

namespace app {
namespace {

/// The opacity of arcs with hardly any share, and of the large arc.
constexpr float kFaintArc = 0.34f, kArch = 0.95f;
/// From this share on an arc is the large arc, in the colours of both words.
constexpr float kArchFrom = 0.25f;
/// The part of the large arc that each end colours.
constexpr float kArchEnd = 0.17f;
/// From this width on, in pixels, an arc is drawn as an area.
constexpr float kBandFrom = 2.5f;
/// Smaller weights have no arc on a card.
constexpr float kCardArc = 0.05f;

/// Part of a line, with its own colour.
struct Part {
    std::string text;
    Ink ink;
};

/// A sentence with {0}, {1} … filled in, each in its own colour.
std::vector<Part> filled(std::string_view sentence, std::initializer_list<Part> arguments, Ink ink) {
    std::vector<Part> out;
    while (!sentence.empty()) {
        const std::size_t at = sentence.find('{');
        if (at == std::string_view::npos || at + 2 >= sentence.size()) {
            out.push_back({std::string(sentence), ink});
            break;
        }
        if (at > 0) out.push_back({std::string(sentence.substr(0, at)), ink});
        const auto which = static_cast<std::size_t>(sentence[at + 1] - '0');
        if (which < arguments.size()) out.push_back(arguments.begin()[which]);
        sentence.remove_prefix(at + 3);
    }
    return out;
}

float width_of(const Painter& p, const std::vector<Part>& parts, Type type) {
    float sum = 0;
    for (const Part& part : parts) sum += p.width(part.text, type);
    return sum;
}

/// Centred in the rectangle; if necessary in a smaller type of the list, and truncated if none fits.
void write_parts(Painter& p, Rect rect, const std::vector<Part>& parts, std::initializer_list<Type> types) {
    Type type = *types.begin();
    for (const Type one : types) {
        type = one;
        if (width_of(p, parts, type) <= rect.w) break;
    }
    const float all = width_of(p, parts, type);
    if (all > rect.w) {
        std::string whole;
        for (const Part& part : parts) whole += part.text;
        p.text_fit(rect, whole, {type, Align::Center}, parts.front().ink);
        return;
    }
    float x = rect.center().x - all / 2;
    for (const Part& part : parts) {
        const float w = p.width(part.text, type);
        p.text({x, rect.center().y + p.middle_to_baseline(type)}, part.text, {type}, part.ink);
        x += w;
    }
}

std::string change_label(const WordChange& change) { return change.from + " → " + change.to; }

/// A press changes the text.
void change_chip(const Frame& f, Rect chip, const WordChange& change, std::size_t number, float unit) {
    const std::string id = "question.change." + std::to_string(number + 1);
    f.ui.record(id, chip);
    const Touch touch = touch_area(f.ui, id, chip);
    Painter& p = f.painter();
    p.fill(chip, touch.hovered ? Hue::AccentSoft : Hue::Paper, chip.h / 2);
    p.stroke(chip, touch.hovered ? Hue::Accent : Hue::Rule, chip.h / 2, unit * 1.2f);
    p.text_in(chip, change_label(change), {Type::BodyStrong, Align::Center}, Hue::Accent);
    if (touch.focused) focus_ring(f.ui, chip, chip.h / 2);
    hint(f, id, chip, f.say(Str::tip_change_word));
    if (touch.clicked) f.edit([text = change.text](attn::Document& d) { type_text(d, text); });
}

/// At most three words that the model does not know, joined as the language requires.
constexpr std::size_t kMostBlank = 3;
std::vector<Part> listed(const Frame& f, const std::vector<std::string>& words) {
    const bool chinese = f.view().language == Language::Chinese;
    const std::string last = (chinese ? "" : " ") + std::string(f.say(Str::asking_and)) + (chinese ? "" : " ");
    std::vector<Part> out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out.push_back({i + 1 < words.size() ? (chinese ? "、" : ", ") : last, Hue::Ink});
        out.push_back({words[i], Hue::Soft});
    }
    return out;
}
std::vector<Part> never_saw(const Frame& f, const std::vector<std::string>& words) {
    std::vector<Part> out;
    for (const Part& part : filled(f.say(words.size() > 1 ? Str::asking_blanks : Str::asking_blank), {{"\x01", Hue::Soft}}, Hue::Ink)) {
        if (part.text != "\x01") {
            out.push_back(part);
            continue;
        }
        for (Part& one : listed(f, words)) out.push_back(std::move(one));
    }
    return out;
}

struct Picture {
    const Frame& f;
    const OpeningData& data;
    const Opening& now;
    OpeningLayout at;
    bool answered = false;
    AnswerPose pose{};
    float fit = 1;
    int hovered = -1;

    Painter& p() const { return f.painter(); }
    float u(float design) const { return design * at.unit; }
    const std::string& text(int i) const { return data.words[static_cast<std::size_t>(i)]; }
    int asking_head() const { return f.trace()[data.weights].tag.head; }
    bool is_blank(int i) const { return data.blank[static_cast<std::size_t>(i)]; }
    /// Whether the result is presented as an answer, even if not as a certain one.
    bool claims() const { return data.doubt == Doubt::None || data.doubt == Doubt::Unsure; }
    std::string share_of(int i) const { return weight_text(static_cast<double>(data.shares[static_cast<std::size_t>(i)])); }
    /// The share that the arc and the glass of a word show now.
    float share(int i) const { return shown_share(data, now, static_cast<std::size_t>(i)) * static_cast<float>(pose.softmax); }
    /// The foot of a word, where arcs end.
    Point foot(const OpeningWord& word) const { return {word.chip.center().x, at.arcs.bottom()}; }
    std::vector<Point> way(const OpeningWord& from, const OpeningWord& to) const {
        if (from.index == to.index) {
            // To itself: a small arc over the word.
            const float half = std::min(from.chip.w * 0.3f, u(30));
            return arc_points({foot(from).x + half, foot(from).y}, {foot(from).x - half, foot(from).y},
                              std::min(u(64), at.arcs.h * 0.5f));
        }
        return arc_points(foot(from), foot(to), arc_rise(at, std::abs(foot(from).x - foot(to).x)) * fit);
    }

    void title() const {
        // The query word is blue, and in English then needs no quotes.
        const std::string quoted = "“" + text(data.query) + "”";
        const std::size_t found = data.title.find(quoted);
        std::vector<Part> parts;
        if (found == std::string::npos) {
            parts = {{data.title, Hue::Ink}};
        } else {
            const bool bare = f.view().language == Language::English;
            parts = {{data.title.substr(0, found) + (bare ? "" : "“"), Hue::Ink}, {text(data.query), Hue::Query},
                     {(bare ? "" : "”") + data.title.substr(found + quoted.size()), Hue::Ink}};
            std::erase_if(parts, [](const Part& part) { return part.text.empty(); });
        }
        write_parts(p(), at.title, parts, {at.title_type, Type::LargeStrong, Type::MediumStrong, Type::Lead});
        const Ink soft = Hue::Soft;
        const bool alone = data.heads.size() < 2 || p().width(f.say(Str::asking_answered), Type::Body) > at.lead.w;
        const std::vector<Part> lead = answered         ? filled(f.say(alone ? Str::asking_answered_one : Str::asking_answered), {}, soft)
                                       : now.guess >= 0 ? filled(f.say(Str::asking_guessed), {{guessed(), Hue::Ink}}, soft)
                                                        : filled(f.say(Str::asking_guess), {}, soft);
        write_parts(p(), at.lead, lead, {Type::Lead, Type::Body, Type::Small});
    }
    std::string guessed() const {
        return now.guess >= 0 && now.guess < static_cast<int>(data.words.size()) ? text(now.guess) : std::string();
    }

    // -- words

    void touch_words() {
        for (const OpeningWord& word : at.words) {
            if (word.is_gap()) continue;
            const std::string id = "question.word." + std::to_string(word.index + 1);
            f.ui.record(id, word.chip);
            // The query word cannot be guessed; once the answer is there, every word can become the query.
            if (!answered && word.index == data.query) continue;
            const Touch touch = touch_area(f.ui, id, word.chip);
            if (touch.hovered || touch.focused) hovered = word.index;
            if (touch.focused) focus_ring(f.ui, word.chip, u(14));
            if (word.index != data.query) hint(f, id, word.chip, f.say(answered ? Str::tip_ask_with : Str::tip_guess), TipSide::Above);
            if (touch.clicked) f.push(OpeningAction{answered ? OpeningAction::Do::AskWith : OpeningAction::Do::Guess, word.index});
        }
    }

    /// A word that the model does not know: a dashed card in grey.
    void blank_word(const OpeningWord& word, bool guess, bool asks) const {
        const Rect chip = word.index == hovered ? word.chip.moved(0, -u(4)) : word.chip;
        p().fill(chip, Hue::Back, u(14));
        p().stroke_dashed(chip, guess ? Hue::Ink : asks ? Hue::Query : Hue::Faint, u(14), u(guess ? 1.8f : 1.5f), u(5), u(4));
        const float fits = std::min(1.0f, (chip.w - u(6)) / std::max(1.0f, p().width(text(word.index), at.word_type)));
        p().text_in(chip, text(word.index), {at.word_type, Align::Center, fits}, Hue::Soft);
    }

    void words() const {
        for (const OpeningWord& word : at.words) {
            if (word.is_gap()) {
                p().text_in(word.chip, gap_text(word.left_out), {Type::NumberLarge, Align::Center}, Hue::Soft);
                continue;
            }
            const bool asks = word.index == data.query, guess = word.index == now.guess;
            const bool most = word.index == data.key || (word.index == data.second && data.doubt == Doubt::Unsure);
            const bool answers = answered && most && pose.softmax > 0.5 && !asks && claims();
            if (is_blank(word.index)) {
                blank_word(word, guess, asks);
                continue;
            }
            const Rect chip = word.index == hovered && !asks ? word.chip.moved(0, -u(4)) : word.chip;
            const float strength = answers ? static_cast<float>(pose.softmax) : asks && answered ? static_cast<float>(pose.ring) : 1;
            const Hue hue = asks ? Hue::Query : Hue::Key;
            p().fill(chip, Hue::Paper, u(14));
            if (asks || answers) p().fill(chip, Ink(hue, 0.16f * strength), u(14));
            if (asks || answers)
                p().stroke(chip, Ink(hue, strength), u(14), u(2.2f));
            else if (!guess)
                p().stroke(chip, word.index == hovered ? Hue::Faint : Hue::Rule, u(14), u(1.2f));
            if (guess) p().stroke_dashed(chip.inset(asks || answers ? -u(4) : 0), Hue::Ink, u(14), u(1.8f), u(4), u(5));
            const float breath = asks && !answered && !f.view().still ? static_cast<float>(breath_at(now.seconds)) : 1;
            const Type type = asks || answers ? at.word_strong : at.word_type;
            const float fits = std::min(1.0f, (chip.w - u(6)) / std::max(1.0f, p().width(text(word.index), type)));
            p().text_in(chip, text(word.index), {type, Align::Center, fits * breath}, asks || answers ? hue : Hue::Ink);
        }
    }

    // -- arcs

    void dashed_arc(int index) const {
        const OpeningWord *asks = at.find(data.query), *to = at.find(index);
        if (!asks || !to || asks == to) return;
        p().polyline_dashed(way(*asks, *to), Ink(Hue::Ink, 0.7f), u(1.6f), u(4), u(5));
    }

    void arcs() const {
        const OpeningWord* asks = at.find(data.query);
        if (!asks) return;
        std::vector<const OpeningWord*> order;
        for (const OpeningWord& word : at.words)
            if (!word.is_gap()) order.push_back(&word);
        // Lines land in order of their distance; the thickest is drawn last.
        const auto away = [&](const OpeningWord* w) { return std::abs(w->chip.center().x - asks->chip.center().x); };
        std::stable_sort(order.begin(), order.end(), [&](auto* a, auto* b) { return away(a) < away(b); });
        std::vector<std::pair<const OpeningWord*, int>> ranked;
        for (std::size_t i = 0; i < order.size(); ++i) ranked.emplace_back(order[i], static_cast<int>(i));
        std::stable_sort(ranked.begin(), ranked.end(), [&](auto& a, auto& b) { return share(a.first->index) < share(b.first->index); });
        for (const auto& [word, rank] : ranked) {
            const double come = line_at(now.seconds, rank, static_cast<int>(order.size()));
            if (come <= 0) continue;
            std::vector<Point> points = way(*asks, *word);
            const auto so_far = static_cast<std::size_t>(std::lround(come * static_cast<double>(points.size() - 1))) + 1;
            points.resize(std::max<std::size_t>(std::min(so_far, points.size()), 2));
            // Nothing is claimed by an arc to a blank word, or from one.
            if (is_blank(word->index) || is_blank(data.query))
                p().polyline(points, Hue::Faint, u(1.2f));
            else
                arc(points, share(word->index));
        }
    }

    void arc(const std::vector<Point>& points, float of) const {
        // As it grows thicker, a line becomes the large arc.
        const float arch = claims() ? std::clamp((of - kArchFrom / 2) / (kArchFrom / 2), 0.0f, 1.0f) : 0.0f;
        const float strength = kFaintArc + (kArch - kFaintArc) * std::max(arch, std::sqrt(std::clamp(of, 0.0f, 1.0f)) * (claims() ? 0.6f : 0.0f));
        const Color middle = f.theme[Hue::Score];
        const float low = points.front().x, high = points.back().x;
        std::vector<Ink> inks;
        for (const Point point : points) {
            const float t = high == low ? 0.5f : (point.x - low) / (high - low);
            const float asking = std::clamp((kArchEnd - t) / kArchEnd, 0.0f, 1.0f), answering = std::clamp((t - 1 + kArchEnd) / kArchEnd, 0.0f, 1.0f);
            const Color color = mix(mix(middle, f.theme[Hue::Query], asking * arch), f.theme[Hue::Key], answering * arch);
            inks.emplace_back(color, strength);
        }
        // An arc thinner than the soft edges of a line is drawn as a line.
        const float wide = arc_width(at, of);
        if (wide < kBandFrom) return p().polyline(points, Ink(middle, strength), wide);
        p().band(points, inks, wide);
    }

    /// The share inside the large arc, or above it if it is too thin.
    void figure_of_arch() const {
        const OpeningWord *asks = at.find(data.query), *to = at.find(data.key);
        if (!asks || !to || pose.softmax < 1 || data.doubt != Doubt::None) return;
        const std::vector<Point> points = way(*asks, *to);
        const auto top = std::min_element(points.begin(), points.end(), [](Point a, Point b) { return a.y < b.y; });
        const float thick = arc_width(at, shown_share(data, now, static_cast<std::size_t>(data.key))), em = f.theme.em(Type::NumberHuge);
        const std::string figure = share_of(data.key);
        const bool inside = thick > em * 0.95f && asks != to;
        const float y = inside ? top->y : top->y - thick / 2 - em * 0.8f;
        const Ink ink = inside ? Ink(ink_on(f.theme[Hue::Score])) : Ink(Hue::Score);
        p().text({top->x, y + p().middle_to_baseline(Type::NumberHuge)}, figure, {Type::NumberHuge, Align::Center}, ink);
    }

    // -- glasses

    /// How full a glass is for its score: nearly empty for the lowest, nearly full for the highest.
    float level_of_score(int i) const {
        float low = 0, high = 0;
        for (const float s : data.scores)
            if (std::isfinite(s)) {
                low = std::min(low, s);
                high = std::max(high, s);
            }
        const float s = data.scores[static_cast<std::size_t>(i)];
        if (!std::isfinite(s) || high <= low) return 0;
        return 0.06f + 0.86f * (s - low) / (high - low);
    }

    /// A score or a share. If its digits do not fit it has one less, and a share close to 0 is a dot.
    void figure_of(const OpeningWord& word, float number, bool share, Ink ink, Type type) const {
        std::string figure = share ? weight_text(static_cast<double>(number)) : number_text(number);
        for (const Type smaller : {Type::NumberLarge, Type::Number, Type::NumberSmall})
            if (p().width(figure, type) > word.figure.w) type = smaller;
        if (p().width(figure, type) > word.figure.w) {
            if (number < 0.01f && share) return (void)p().circle({word.figure.center().x, word.figure.center().y}, u(1.8f), Hue::Soft);
            if (!share) figure = number_text(number, 1);
        }
        p().text_in(word.figure, figure, {type, Align::Center}, ink);
    }

    void glasses() const {
        const auto come = static_cast<float>(pose.fill), shared = static_cast<float>(pose.softmax);
        if (come <= 0) return;
        const bool scored = !data.scores.empty();
        for (const OpeningWord& word : at.words) {
            if (word.is_gap()) {
                float sum = 0;
                for (int i = word.index; i < word.index + word.left_out; ++i) sum += data.shares[static_cast<std::size_t>(i)];
                if (shared >= 1) figure_of(word, sum, true, Hue::Soft, Type::NumberLarge);
                continue;
            }
            const float share_now = shown_share(data, now, static_cast<std::size_t>(word.index));
            const float score = scored ? level_of_score(word.index) * come : 0;
            const float level = score + (share_now - score) * shared;
            const float alpha = std::min(1.0f, come * 3);
            p().fill(word.glass, Ink(Hue::Paper, alpha), u(6));
            p().stroke(word.glass, Ink(Hue::Rule, alpha), u(6), u(1.2f));
            const Rect inner = word.glass.inset(u(1.5f));
            const float high = std::max(u(2), inner.h * std::clamp(level, 0.0f, 1.0f));
            const bool blank = is_blank(word.index) || is_blank(data.query);
            p().fill({inner.x, inner.bottom() - high, inner.w, high}, Ink(blank ? Hue::Faint : Hue::Score, alpha), std::min(u(5), high / 2));
            // Half way through, the scores are replaced by the shares.
            const bool most = word.index == data.key && shared >= 1 && data.doubt == Doubt::None;
            const float seen = shared < 0.5f ? std::min(1.0f, come * 1.5f) * (1 - 2 * shared) : 2 * shared - 1;
            const float number = shared < 0.5f ? (scored ? data.scores[static_cast<std::size_t>(word.index)] : NAN) : data.shares[static_cast<std::size_t>(word.index)];
            if (std::isnan(number) || seen <= 0) continue;
            const auto opacity = p().opacity(seen);
            figure_of(word, number, shared >= 0.5f, most ? Ink(Hue::Score) : number > 0.01f && shared > 0.5f && !blank ? Ink(Hue::Ink) : Ink(Hue::Soft),
                      most ? Type::NumberHuge : Type::NumberLarge);
        }
        // The title of the glasses, if there is room next to the first one.
        const Rect first = at.words.front().glass;
        const std::string_view says = f.say(shared < 0.5f ? Str::asking_scores : Str::asking_shares);
        const float w = p().width(says, Type::Body), room = first.x - at.says.x - u(10);
        if (w <= room && (scored || shared >= 0.5f))
            p().text_in({first.x - u(14) - w, first.y, w, first.h}, says, {Type::Body, Align::Right}, Hue::Soft);
    }

    // -- the sentence

    std::vector<std::string> blank_words() const {
        std::vector<std::string> out;
        for (int i = 0; i < static_cast<int>(data.words.size()) && out.size() < kMostBlank; ++i)
            if (is_blank(i) && std::find(out.begin(), out.end(), text(i)) == out.end()) out.push_back(text(i));
        return out;
    }

    /// In large type: who attends how much to whom or, if that would claim too much, why there is no answer.
    std::vector<Part> answer() const {
        const Part asks{text(data.query), Hue::Query}, most{text(data.key), Hue::Key}, share{share_of(data.key), Hue::Score};
        switch (data.doubt) {
            case Doubt::Blank: return never_saw(f, blank_words());
            case Doubt::Long: return filled(f.say(Str::asking_long), {}, Hue::Ink);
            case Doubt::Strange: return filled(f.say(Str::asking_strange), {}, Hue::Ink);
            case Doubt::Unsure:
                return data.second >= 0 ? filled(f.say(Str::asking_wavers), {asks, most, {text(data.second), Hue::Key}}, Hue::Ink)
                                        : filled(f.say(Str::asking_leans), {asks, most}, Hue::Ink);
            case Doubt::None: break;
        }
        if (data.query == data.key) return filled(f.say(Str::asking_says_itself), {asks, share}, Hue::Ink);
        if (data.second >= 0) return filled(f.say(Str::asking_shared), {asks, share, most, {share_of(data.second), Hue::Score}, {text(data.second), Hue::Ink}}, Hue::Ink);
        return filled(f.say(Str::asking_says), {asks, share, most}, Hue::Ink);
    }

    /// Below it: what the numbers mean, if they are not in the sentence, and how often such answers were right.
    std::string answer_means() const {
        const std::string sure = sure_sentence(f.state.document, asking_head(), data.words[static_cast<std::size_t>(data.query)], data.shares[static_cast<std::size_t>(data.key)], f.view().language);
        const std::string between = f.view().language == Language::English ? " " : "";
        switch (data.doubt) {
            case Doubt::Blank: return is_blank(data.query) || is_blank(data.key) ? std::string(f.say(Str::asking_nothing)) : f.say(Str::asking_known, {text(data.key), share_of(data.key)});
            case Doubt::Long:
                return f.say(Str::asking_long_says, {std::to_string(data.words.size()), std::to_string(data.longest), text(data.key), share_of(data.key)});
            case Doubt::Strange: return f.say(Str::asking_strange_says, {text(data.strange.front()), text(data.key), share_of(data.key)});
            case Doubt::Unsure:
                return (data.second >= 0 ? f.say(Str::asking_two_shares, {text(data.key), share_of(data.key), text(data.second), share_of(data.second)})
                                         : f.say(Str::asking_one_share, {text(data.key), share_of(data.key)})) +
                       between + sure;
            case Doubt::None: break;
        }
        if (!sure.empty()) return sure;
        return std::string(f.say(data.heads.size() > 1 && !at.cards.empty() ? Str::asking_others : Str::asking_click));
    }

    void says() const {
        if (pose.says <= 0) return;
        const auto opacity = p().opacity(static_cast<float>(pose.says));
        write_parts(p(), at.says, answer(), {Type::MediumStrong, Type::TitleStrong, Type::BodyStrong});
        std::vector<Part> said;
        const bool right = now.guess == data.key;
        if (now.guess >= 0 && now.guess < static_cast<int>(data.words.size()) && claims())
            said = filled(f.say(right ? Str::asking_right : Str::asking_wrong),
                          {{guessed(), right ? Hue::Good : Hue::Ink}, {share_of(now.guess), Hue::Ink}}, Hue::Soft);
        const bool space = !said.empty() && f.view().language == Language::English;
        std::vector<Part> both = said;
        both.push_back({std::string(space ? " " : "") + answer_means(), Hue::Soft});
        write_parts(p(), at.said, width_of(p(), both, Type::Lead) <= at.said.w || said.empty() ? both : said, {Type::Lead, Type::Body, Type::Small});
    }

    // -- exchanges

    /// "Why “bird”?", before the words that can be exchanged.
    std::string why_label() const {
        return now.why || at.cards.empty() || data.why.empty() ? std::string(f.say(Str::asking_heads)) : f.say(Str::asking_why, {text(data.key)});
    }
    void why_chip(Rect chip) const {
        const std::string id = "question.why";
        f.ui.record(id, chip);
        const Touch touch = touch_area(f.ui, id, chip);
        p().fill(chip, now.why || touch.hovered ? Hue::AccentSoft : Hue::Paper, chip.h / 2);
        p().stroke(chip, now.why || touch.hovered ? Hue::Accent : Hue::Rule, chip.h / 2, u(1.2f));
        p().text_in(chip, why_label(), {Type::BodyStrong, Align::Center}, Hue::Accent);
        if (touch.focused) focus_ring(f.ui, chip, chip.h / 2);
        if (!now.why) hint(f, id, chip, f.say(Str::tip_why));
        if (touch.clicked) f.change_view([](ViewState& view) { view.opening.why = !view.opening.why; });
    }
    /// Known words to replace blank ones, then exchanges that change the answer.
    std::vector<WordChange> offered() const {
        constexpr std::size_t kMostRepairs = 3;
        std::vector<WordChange> out(f.derived.repairs.begin(), f.derived.repairs.begin() + static_cast<std::ptrdiff_t>(std::min(f.derived.repairs.size(), kMostRepairs)));
        out.insert(out.end(), f.derived.changes.begin(), f.derived.changes.end());
        return out;
    }
    void changes() const {
        if (at.changes.empty() || pose.says < 1) return;
        const std::vector<WordChange> offers = offered();
        const bool asks_why = !data.why.empty() && !at.cards.empty() && claims();
        if (offers.empty()) {
            if (!asks_why) return;
            const float own = p().width(why_label(), Type::BodyStrong) + 2 * u(14);
            return why_chip({at.changes.center().x - own / 2, at.changes.y, own, at.changes.h});
        }
        const float high = at.changes.h, gap = u(10), pad = u(14);
        const std::string_view title = f.say(Str::asking_change);
        const float why_w = asks_why ? p().width(why_label(), Type::BodyStrong) + 2 * pad : 0;
        const float title_w = p().width(title, Type::Body) + u(14) + (asks_why ? why_w + u(26) : 0);
        const auto wide = [&](std::size_t count) {
            float sum = title_w;
            for (std::size_t i = 0; i < count; ++i) sum += p().width(change_label(offers[i]), Type::BodyStrong) + 2 * pad + (i > 0 ? gap : 0);
            return sum;
        };
        std::size_t count = offers.size();
        while (count > 1 && wide(count) > at.changes.w) --count;
        float x = at.changes.center().x - wide(count) / 2;
        if (asks_why) why_chip({x, at.changes.y, why_w, high});
        p().text_in({x + (asks_why ? why_w + u(26) : 0), at.changes.y, title_w, high}, title, {Type::Body}, Hue::Soft);
        x += title_w;
        for (std::size_t i = 0; i < count; ++i) {
            const Rect chip{x, at.changes.y, p().width(change_label(offers[i]), Type::BodyStrong) + 2 * pad, high};
            change_chip(f, chip, offers[i], i, at.unit);
            x += chip.w + gap;
        }
    }

    // -- heads

    void card(int head, Rect rect) const {
        const auto come = static_cast<float>(card_at(now.seconds, head, static_cast<int>(at.cards.size())));
        if (come <= 0) return;
        const HeadAnswer& answer = data.heads[static_cast<std::size_t>(head)];
        const std::string id = "question.head." + std::to_string(head + 1);
        f.ui.record(id, rect);
        const Touch touch = touch_area(f.ui, id, rect);
        hint(f, id, rect, f.say(Str::tip_head_card));
        const bool chosen = head == asking_head();  // differs from the chosen head if that has no answer
        const auto opacity = p().opacity(come);
        rect = rect.moved(0, u(10) * (1 - come));
        const Color color = f.theme.head(head), letters = f.theme.head_text(head);
        p().fill(rect, touch.hovered && !chosen ? Hue::Back : Hue::Paper, u(12));
        p().stroke(rect, chosen ? Ink(color) : touch.hovered ? Ink(Hue::Faint) : Ink(Hue::Rule), u(12), u(chosen ? 2.0f : 1.2f));
        if (touch.focused) focus_ring(f.ui, rect, u(12));
        const Rect inner = rect.inset(u(14), u(8));
        const std::string number = f.number(head);
        std::string name = std::string(f.say(Str::head)) + " " + number;
        const std::string_view question = head_question(f.state.document, head, f.view().language);
        // The question matters most; a narrow card has only the number.
        if (p().width(name, Type::BodyStrong) + u(10) + p().width(question, Type::Small) > inner.w) name = number;
        const float line = f.theme.em(Type::Body) * 1.6f, name_w = p().width(name, Type::BodyStrong) + u(10);
        p().text_in({inner.x, inner.y, name_w, line}, name, {Type::BodyStrong}, letters);
        const Rect asks{inner.x + name_w, inner.y, inner.w - name_w, line};
        p().text_fit(asks, question, {p().width(question, Type::Body) <= asks.w ? Type::Body : Type::Small}, chosen ? Hue::Ink : Hue::Soft);
        card_arcs(answer, inner, inner.y + line, color, letters);
        if (touch.clicked) f.push(ChooseHead{head});
    }

    /// The whole sentence as arcs in the head's colour, with those of the query word on top.
    void card_arcs(const HeadAnswer& answer, Rect inner, float top, Color color, Color letters) const {
        const float row = f.theme.em(Type::Small) * 1.35f, base = inner.bottom() - 2 * row - u(2);
        std::vector<int> shown;
        for (const OpeningWord& word : at.words)
            if (!word.is_gap()) shown.push_back(word.index);
        // Words have their full width; if they do not fit, only the two that matter are written, and the others are
        // ticks.
        float sum = 0;
        for (const int i : shown) sum += p().width(text(i), Type::SmallStrong) + u(7);
        const bool written = sum <= inner.w + u(7);
        std::vector<float> x(data.words.size(), -1);
        // Spread over the card, but no further apart than words of a sentence.
        const float spread = !written || shown.size() < 2 ? 0 : std::min((inner.w + u(7) - sum) / static_cast<float>(shown.size() - 1), u(22));
        float at_x = inner.center().x - std::min(sum - u(7) + spread * static_cast<float>(shown.size() - 1), inner.w) / 2;
        for (const int i : shown) {
            const float w = written ? p().width(text(i), Type::SmallStrong) + u(7) : inner.w / static_cast<float>(shown.size());
            x[static_cast<std::size_t>(i)] = at_x + (w - (written ? u(7) : 0)) / 2;
            at_x += w + spread;
        }
        const float room = base - top - u(4), span = std::max(1.0f, inner.w);
        const bool says_nothing = is_blank(answer.key) || is_blank(data.query);
        const attn::Matrix& weights = f.trace()[answer.weights].value;
        const auto draw = [&](int from, int to, float weight, float strength, float most) {
            const float a = x[static_cast<std::size_t>(from)], b = x[static_cast<std::size_t>(to)];
            if (a < 0 || b < 0) return;
            const Ink ink(color, strength);
            if (from == to) return p().circle({a, base - u(4)}, std::max(u(1.5f), u(most * 0.9f) * std::sqrt(weight)), ink);
            const float rise = std::min(room - u(most) / 2, room * (0.22f + 0.78f * std::abs(a - b) / span));
            p().polyline(arc_points({a, base}, {b, base}, rise), ink, std::max(u(0.8f), u(most) * weight));
        };
        for (const int i : shown)
            for (const int j : shown)
                if (i != data.query && weights(i, j) > kCardArc && !is_blank(i) && !is_blank(j)) draw(i, j, weights(i, j), 0.36f, 2.2f);
        for (const int j : shown)
            if (weights(data.query, j) > kCardArc && !says_nothing) draw(data.query, j, weights(data.query, j), j == answer.key ? 1.0f : 0.6f, 5.5f);
        const auto middle_of = [&](int i) {
            const float w = p().width(text(i), Type::SmallStrong), low = inner.x + w / 2;
            return written ? x[static_cast<std::size_t>(i)] : std::clamp(x[static_cast<std::size_t>(i)], low, std::max(low, inner.right() - w / 2));
        };
        for (const int i : shown) {
            const bool asks = i == data.query, answers = i == answer.key && !says_nothing;
            if (!written && !asks && !answers) continue;
            const float w = p().width(text(i), Type::SmallStrong), middle = middle_of(i);
            // If these two would overlap, the key word is written.
            const bool touches = std::abs(middle - middle_of(answer.key)) < (w + p().width(text(answer.key), Type::SmallStrong)) / 2 + u(4);
            if (!written && asks && !answers && touches) continue;
            p().text_in({middle - w / 2, base + u(2), w, row}, text(i), {asks || answers ? Type::SmallStrong : Type::Small, Align::Center},
                        answers ? Ink(letters) : asks ? Ink(Hue::Query) : is_blank(i) ? Ink(Hue::Faint) : Ink(Hue::Soft));
        }
        if (x[static_cast<std::size_t>(answer.key)] < 0 || says_nothing) return;
        const std::string figure = weight_text(static_cast<double>(answer.weight));
        const float w = p().width(figure, Type::NumberSmall);
        const float middle = std::clamp(x[static_cast<std::size_t>(answer.key)], inner.x + w / 2, inner.right() - w / 2);
        p().text_in({middle - w / 2, base + u(2) + row, w, row}, figure, {Type::NumberSmall, Align::Center}, Ink(letters));
    }

    /// The named features of the query word and of an key word, and what their pairs contribute to q·k.
    void reasons(const OpeningWhy& why, Rect rect, bool best) const {
        p().fill(rect, Hue::Paper, u(12));
        p().stroke(rect, best ? Ink(Hue::Score) : Ink(Hue::Rule), u(12), u(best ? 2.0f : 1.2f));
        const Rect inside = rect.inset(u(16), u(9));
        const auto count = static_cast<float>(why.lines.size() + 2);
        const float line = inside.h / count, figures = p().width("+00.00", Type::Number) + u(8), bars = inside.w * 0.22f;
        float most = 0.01f;
        for (const OpeningWhy::Line& l : why.lines) most = std::max(most, std::abs(l.value));
        float y = inside.y;
        p().text_fit({inside.x, y, inside.w - figures, line}, f.say(Str::why_score, {text(data.query), text(why.key)}), {Type::SmallStrong}, best ? Hue::Key : Hue::Ink);
        p().text_in({inside.right() - figures, y, figures, line}, number_text(why.score), {Type::NumberStrong, Align::Right}, Hue::Score);
        y += line;
        const auto row = [&](const std::string& words, float value, bool rest) {
            const Rect bar{inside.right() - figures - bars - u(6), y + line * 0.3f, bars * std::min(1.0f, std::abs(value) / most), line * 0.4f};
            p().text_fit({inside.x, y, inside.w - figures - bars - u(14), line}, words, {Type::Small}, rest ? Hue::Soft : Hue::Ink);
            if (!rest) p().fill(bar, value < 0 ? Hue::Negative : Hue::Score, bar.h / 3);
            p().text_in({inside.right() - figures, y, figures, line}, (value > 0 ? "+" : "") + number_text(value), {Type::NumberSmall, Align::Right}, value < 0 ? Hue::Negative : Hue::Ink);
            y += line;
        };
        for (const OpeningWhy::Line& l : why.lines) row(text(data.query) + ": " + l.asks + " × " + text(why.key) + ": " + l.answers, l.value, false);
        row(std::string(f.say(Str::why_rest)), why.rest, true);
    }
    void cards() const {
        if (now.why && !data.why.empty() && !at.cards.empty() && claims()) {
            Rect all = at.cards.front();
            for (const Rect& card : at.cards) all = around(all, card);
            const float gap = u(14), wide = (all.w - gap) / 2;
            for (std::size_t i = 0; i < data.why.size(); ++i) reasons(data.why[i], {all.x + (wide + gap) * static_cast<float>(i), all.y, wide, all.h}, i == 0);
            f.ui.record("question.reasons", all);
            return;
        }
        for (std::size_t h = 0; h < at.cards.size(); ++h) card(static_cast<int>(h), at.cards[h]);
    }

    // -- buttons

    void see() const {
        if (answered) return;
        const std::string_view says = f.say(Str::asking_see);
        const float w = button_width(f.ui, says) + u(24), h = f.theme.button_height + u(8);
        const Rect rect = rect_around({at.see.center().x, at.see.y + u(14) + h / 2}, w, h);
        if (!at.buttons.empty() && button(f.ui, "question.see", rect, says, ButtonKind::Filled)) f.push(OpeningAction{OpeningAction::Do::Answer});
    }

    void foot() const {
        if (at.buttons.empty() || f.view().course.open()) return;
        const bool ready = answered && pose.says >= 1;
        const std::string_view look = f.say(Str::asking_look);
        const float high = f.theme.button_height, cap = u(6);
        struct Key {
            std::string_view key, says;
        };
        const Key keys[] = {{"↑ ↓", f.say(Str::asking_keys_heads)}, {find_user_command("edit_text")->chords.text(), f.say(Str::asking_keys_text)}};
        const auto key_w = [&](const Key& key) { return p().width(key.key, Type::BodyStrong) + cap + p().width(key.says, Type::Body); };
        const std::string_view space = f.say(Str::asking_keys_before);
        const float space_w = ready ? p().width(space, Type::BodyStrong) + u(10) : 0;
        const float button_w = std::min(button_width(f.ui, look), at.buttons.w - space_w), gap = u(26);
        float sum = space_w + button_w;
        std::size_t count = 0;
        for (const Key& key : keys) {
            if (key.key == keys[0].key && data.heads.size() < 2) continue;
            if (ready && sum + gap + key_w(key) <= at.buttons.w) sum += gap + key_w(key), ++count;
        }
        float x = at.buttons.center().x - sum / 2;
        const float y = at.buttons.center().y - high / 2;
        if (ready) p().text_in({x, y, space_w, high}, space, {Type::BodyStrong}, Hue::Ink);
        x += space_w;
        if (button(f.ui, "question.look", {x, y, button_w, high}, look, ready ? ButtonKind::Filled : ButtonKind::Plain))
            f.push(OpeningAction{OpeningAction::Do::LookInside});
        x += button_w;
        for (const Key& key : keys) {
            if (count == 0) break;
            if (key.key == keys[0].key && data.heads.size() < 2) continue;
            --count;
            x += gap;
            const float w = p().width(key.key, Type::BodyStrong);
            p().text_in({x, y, w, high}, key.key, {Type::BodyStrong}, Hue::Ink);
            x += w + cap;
            const float words = p().width(key.says, Type::Body);
            p().text_in({x, y, words, high}, key.says, {Type::Body}, Hue::Soft);
            x += words;
        }
    }
};

OpeningLayout layout_of(const Frame& f, Rect area) {
    const bool room = f.view().present.on;
    return lay_out_opening({.area = area,
                            .theme = f.theme,
                            .width = [&f](std::string_view text, Type type) { return f.painter().width(text, type); },
                            .cards = !room,
                            .changes = !room,
                            .buttons = !room},
                           *f.derived.opening);
}

Picture picture_of(const Frame& f, Rect area) {
    Picture out{f, *f.derived.opening, f.view().opening, layout_of(f, area)};
    out.answered = f.view().asking != Asking::Asked;
    const double seconds = f.view().asking == Asking::Leaving ? kAnswerSeconds : out.now.seconds;
    if (out.answered) out.pose = answer_at(seconds);
    out.fit = arcs_fit(out.at, out.data);
    return out;
}

/// The rectangle of a weight in the picture of the flow: its glass.
Rect weight_in(const Scene& scene, attn::Cell cell) {
    for (const MatrixSprite& m : scene.matrices)
        if (m.step == cell.step && m.first_row == cell.row && m.first_col == cell.col && m.grid.rows == 1 && m.grid.cols == 1) return m.grid.area();
    return {};
}

/// No head has a question for this text: says so, with the unknown words and what they may have been meant to be.
/// Everything else can still be viewed.
void draw_no_question(const Frame& f) {
    Painter& p = f.painter();
    const float line = f.theme.em(Type::MediumStrong) * 1.6f, below = f.theme.em(Type::Lead) * 1.7f, high = f.theme.button_height, gap = f.px(14);
    const Rect words{f.area.x + f.px(24), f.area.center().y - line, f.area.w - f.px(48), line};
    if (f.trace().tokens.empty()) return write_parts(p, words, {{std::string(f.say(Str::no_tokens)), Hue::Soft}}, {Type::MediumStrong, Type::Lead});
    write_parts(p, words, {{std::string(f.say(Str::asking_none)), Hue::Ink}}, {Type::MediumStrong, Type::TitleStrong, Type::Lead, Type::Small});
    float y = words.bottom();
    if (!f.derived.run->close_to_unknown.empty()) {
        const std::vector<std::string>& unknown = f.derived.run->unknown;
        std::vector<std::string> shown;
        for (std::size_t i = 0; i < std::min(unknown.size(), kMostBlank); ++i) shown.push_back(attn::visible(unknown[i]));
        write_parts(p, {words.x, y, words.w, below}, never_saw(f, shown), {Type::Lead, Type::Body, Type::Small});
        y += below;
    }
    if (const auto& repairs = f.derived.repairs; !repairs.empty()) {
        const auto wide = [&](const WordChange& change) { return p.width(change_label(change), Type::BodyStrong) + 2 * gap; };
        float sum = -gap;
        std::size_t count = 0;
        while (count < repairs.size() && sum + gap + wide(repairs[count]) <= words.w) sum += gap + wide(repairs[count++]);
        float x = f.area.center().x - sum / 2;
        for (std::size_t i = 0; i < count; ++i) {
            change_chip(f, {x, y + gap / 2, wide(repairs[i]), high}, repairs[i], i, f.px(1));
            x += wide(repairs[i]) + gap;
        }
        y += high + gap / 2;
    }
    const std::string_view look = f.say(Str::asking_look);
    const float w = button_width(f.ui, look);
    if (button(f.ui, "question.look", {f.area.center().x - w / 2, y + gap, w, high}, look, ButtonKind::Filled))
        f.push(OpeningAction{OpeningAction::Do::LookInside});
}

}  // namespace

void draw_opening(const Frame& f) {
    if (!shows_question(f.state) || f.area.empty()) return;
    if (!f.derived.opening) return draw_no_question(f);
    Picture picture = picture_of(f, f.area);
    picture.touch_words();
    picture.title();
    if (picture.answered) picture.arcs();
    // A guess keeps its line next to the answer.
    if (picture.now.guess >= 0 && picture.now.guess != picture.data.query) picture.dashed_arc(picture.now.guess);
    if (picture.hovered >= 0 && picture.hovered != picture.now.guess && !picture.answered) picture.dashed_arc(picture.hovered);
    if (picture.answered) picture.figure_of_arch();
    picture.words();
    if (picture.answered) {
        picture.glasses();
        picture.says();
        picture.changes();
        picture.cards();
    }
    picture.see();
    picture.foot();
}

/// Arcs, row and flow in one transition: the arcs sink into the words, the words fade into the flow, and the glasses
/// drop into those of their row, where the flow has been laid out in this frame.
void draw_opening_leaves(const Frame& f) {
    if (f.view().asking != Asking::Leaving || !f.derived.opening) return;
    const OpeningData& data = *f.derived.opening;
    const auto gone = static_cast<float>(eased(f.view().opening.seconds / kLeavingSeconds));
    const float header = f.view().present.on ? 0 : f.theme.header_height;
    Picture picture = picture_of(f, {f.window.x, f.window.y + header, f.window.w, f.window.h - header});
    Painter& p = f.painter();
    const auto onto = p.onto(gui::foreground());
    // The stage becomes visible only when the words begin to fade.
    p.fill(f.window, Ink(Hue::Back, std::min(1.0f, (1 - gone) * 1.6f)));
    const float words = std::clamp(1 - 2 * gone, 0.0f, 1.0f);
    if (words > 0) {
        const auto opacity = p.opacity(words);
        picture.fit *= 1 - gone;
        Opening still = picture.now;
        still.seconds = kAnswerSeconds;
        Picture last{f, data, still, picture.at, true, picture.pose, picture.fit, -1};
        last.arcs();
        last.words();
    }
    for (const OpeningWord& word : picture.at.words) {
        if (word.is_gap()) continue;
        const float share = data.shares[static_cast<std::size_t>(word.index)];
        const auto filled = [share, least = picture.u(2)](Rect glass) {
            const float level = std::max(least, glass.h * std::clamp(share, 0.0f, 1.0f));
            return Rect{glass.x, glass.bottom() - level, glass.w, level};
        };
        const Rect full = filled(word.glass.inset(picture.u(1.5f)));
        const Rect there = weight_in(f.scratch.scene, {data.weights, data.query, word.index});
        if (there.empty()) {
            p.fill(full, Ink(Hue::Score, words), picture.u(5));
            continue;
        }
        const Rect end = filled(there);
        const auto way = [gone](float from, float to) { return from + (to - from) * gone; };
        p.fill({way(full.x, end.x), way(full.y, end.y), way(full.w, end.w), way(full.h, end.h)}, Hue::Score, std::min(picture.u(5), full.h / 2));
    }
}

}  // namespace app
