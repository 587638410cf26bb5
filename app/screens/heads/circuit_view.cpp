// The page of W_OV and W_QK: the copying score and the singular values of the shown head, and what it does with one
// token of the text: which tokens attending to it raises and lowers, and which it attends to as a query.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/chart.h"
#include "app/frame/hint.h"
#include "app/frame/signed_map.h"
#include "app/screens/heads/view.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kLeastSpectra = 240, kLeastList = 148, kLeastSpectrum = 120, kLowSpectrum = 84;
/// With fewer bars in a list, the note gives way.
constexpr std::size_t kFewBars = 4;

std::string circuit_number(double value) {
    std::string out = number_text(static_cast<float>(value), 3);
    return value > 0 && !has_only_zeros(out) ? "+" + out : out;
}

std::string word_of(const Frame& f, int id) { return f.derived.labels.of({attn::Axis::Kind::Words}, id); }

/// Which token of the text, and how much is still to be read. Returns the area below.
Rect circuit_controls(const Frame& f, Rect area, const CircuitData& data) {
    if (f.view().figure || f.view().present.on) return area;
    ControlRows flow(f, area, f.px(28), f.px(12));
    if (data.token >= 0) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < data.ids.size(); ++i) names.push_back(f.derived.labels.of({attn::Axis::Kind::Tokens}, static_cast<int>(i)));
        std::vector<SelectOption> options;
        for (std::size_t i = 0; i < names.size(); ++i) options.push_back({names[i], data.ids[i] >= 0});
        const std::string_view title = f.say(Str::circuit_token);
        const float words = f.painter().width(title, Type::Small) + f.px(8);
        const Rect at = flow.next(words + std::min(f.px(220), widest_name(f, names, Type::Body) + f.px(36)));
        f.painter().text_in({at.x, at.y, words, at.h}, title, {Type::Small}, Hue::Soft);
        int chosen = data.token;
        if (select(f.ui, "circuit_token", {at.x + words, at.y, at.w - words, at.h}, options, chosen, Align::Left) && chosen != data.token)
            change_heads(f, [chosen](HeadsChoice& h) { h.queries = {chosen}; });
    }
    if (data.computing) {
        const double share = data.head.copying ? data.of_token.share : data.of_token.finished ? data.head.share : std::min(data.head.share, data.of_token.share);
        const std::string words = f.say(Str::circuit_reading, {fmt::format("{:.0f}", 100 * share)});
        const float wide = f.painter().width(f.say(Str::circuit_reading, {"100"}), Type::Small) + f.px(10), bar = f.px(120);
        const Rect at = flow.next(wide + bar);
        f.painter().text_fit({at.x, at.y, wide, at.h}, words, {Type::Small}, Hue::Soft);
        progress_bar(f.ui, {at.x + wide, at.center().y - f.px(2), std::max(0.0f, at.w - wide), f.px(4)}, static_cast<float>(share));
    }
    const float top = flow.bottom() + f.px(6);
    return {area.x, top, area.w, std::max(0.0f, area.bottom() - top)};
}

std::string circuit_words_of_head(const Frame& f, const attn::HeadCircuit& head) {
    const std::string place = attn::head_place_text(head.tag.layer, std::max(head.tag.head, 0), f.counts_from());
    return f.say(Str::circuit_says, {head.tag.part == attn::Part::Encoder ? f.say(Str::put_of_encoder, {place}) : place, number_text(static_cast<float>(head.ov_norm()), 3), number_text(static_cast<float>(head.qk_norm()), 3)});
}

std::string copying_words(const Frame& f, const CircuitData& data) {
    if (!data.head.copying) return {};
    const double copying = data.circuit()->copying;
    return std::isfinite(copying) ? f.say(Str::circuit_copying, {circuit_number(copying)}) : std::string(f.say(Str::circuit_no_copying));
}

/// The first sentence: what is on the page. The rest says under which conditions.
std::string first_sentence(const std::string& text, Language language) {
    const std::string_view end = language == Language::Chinese ? "。" : ". ";
    const std::size_t at = text.find(end);
    return at == std::string::npos ? text : text.substr(0, at + (language == Language::Chinese ? end.size() : 1));
}

/// What is folded in differs from model to model and changes every number.
std::string circuit_note(const Frame& f, const CircuitData& data) {
    std::string out(f.say(Str::circuit_note));
    const attn::CircuitFolding& folded = data.head.made->folded;
    const std::pair<bool, Str> more[] = {{folded.sum_normed, Str::circuit_sums}, {folded.gain && !folded.sum_normed, Str::circuit_folded}, {folded.rotary, Str::circuit_rotary}};
    for (const auto& [applies, words] : more)
        if (applies) out += fmt::format("{}{}", f.view().language == Language::Chinese ? "" : " ", f.say(words));
    return out;
}

void draw_spectrum(const Frame& f, Rect area, std::string_view id, Str title, const std::vector<double>& singular, Hue hue) {
    const double most = singular.empty() ? 0 : singular.front();
    if (area.h < f.px(60)) return;
    f.ui.record(id, area);
    const Chart chart(f, area, {0, static_cast<double>(std::max<std::size_t>(1, singular.size())), false, {}, {}}, {0, most > 0 ? most * 1.05 : 1, false, f.say(title), "88.8"});
    chart.bars(singular, Ink(hue, 0.8f));
}

struct WordList {
    std::string title, itself;
    const std::vector<attn::WordNumber>* words;
    std::string_view id;
};

/// The lists of words side by side or one below the other, and where the spectra are.
struct CircuitPlan {
    Rect first, second;        ///< the spectra; empty: no room
    std::vector<Rect> lists;
    std::vector<float> heads;  ///< the height of each list's title, and of its line about the token itself
    std::size_t bars = 0;      ///< of the list that has the fewest
};

/// `head`: the height above the bars.
void draw_word_list(const Frame& f, Rect area, const WordList& list, float head) {
    const float line = f.theme.line_height(Type::Small), title = head - (list.itself.empty() ? 0 : line) - f.px(4);
    draw_lines(f.painter(), {area.x, area.y, area.w, title}, list.title, {Type::SmallStrong}, Hue::Ink);
    const float own = lines_height(f.painter(), area.w, list.title, Type::SmallStrong);
    if (!list.itself.empty()) f.painter().text_fit({area.x, area.y + own, area.w, line}, list.itself, {Type::Small}, Hue::Soft);
    const Rect rows{area.x, area.y + head, area.w, std::max(0.0f, area.h - head)};
    std::vector<SignedBar> bars;
    for (std::size_t i = 0; i < std::min(list.words->size(), signed_bars_in(f, rows.h)); ++i) bars.push_back({word_of(f, (*list.words)[i].id), (*list.words)[i].value, false, false});
    draw_signed_bars(f, rows, list.id, bars, {}, circuit_number, BarsFrom::Left);
}

/// The token's own number, and its rank; empty: it has none.
std::string itself_words(const Frame& f, const std::optional<attn::WordRow>& row) {
    return row ? f.say(Str::circuit_itself, {circuit_number(row->itself), std::to_string(row->rank)}) : std::string();
}

std::vector<WordList> word_lists(const Frame& f, const TokenFacts& facts) {
    std::vector<WordList> lists;
    if (!facts.moved && !facts.sought) return lists;
    const std::string token = word_of(f, facts.moved ? facts.moved->id : facts.sought->id);
    if (facts.moved) {
        lists.push_back({f.say(Str::circuit_raises, {token}), itself_words(f, facts.moved), &facts.moved->says.most, "circuit_raises"});
        lists.push_back({f.say(Str::circuit_lowers, {token}), {}, &facts.moved->says.least, "circuit_lowers"});
    }
    if (facts.sought) lists.push_back({f.say(Str::circuit_seeks, {token}), itself_words(f, facts.sought), &facts.sought->says.most, "circuit_seeks"});
    return lists;
}

/// Places the lists in an area, and counts the bars that they then have.
void place_lists(const Frame& f, Rect area, const std::vector<WordList>& lists, bool beside, CircuitPlan& plan) {
    const float gap = f.px(20), below = f.px(10), line = f.theme.line_height(Type::Small);
    const auto count = static_cast<float>(std::max<std::size_t>(1, lists.size()));
    const float wide = beside ? (area.w - gap * (count - 1)) / count : area.w;
    float title = 0, heads = 0;
    for (const WordList& list : lists) title = std::max(title, lines_height(f.painter(), wide, list.title, Type::SmallStrong));
    for (const WordList& list : lists) {
        // Side by side all bars begin at one height; below each other a list takes no line that it does not need.
        const float own = beside ? title + line : lines_height(f.painter(), wide, list.title, Type::SmallStrong) + (list.itself.empty() ? 0 : line);
        plan.heads.push_back(own + f.px(4));
        heads += plan.heads.back();
    }
    const float bars = beside ? area.h - title - line - f.px(4) : (area.h - heads - below * (count - 1)) / count;
    Rect at{area.x, area.y, wide, area.h};
    plan.bars = bars > 0 ? signed_bars_in(f, bars) : 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (!beside) at.h = plan.heads[i] + std::max(0.0f, bars);
        plan.lists.push_back(at);
        beside ? void(at.x += wide + gap) : void(at.y += at.h + below);
    }
}

/// Everything below the sentence: with the spectra beside the lists, or above them, from high to low, until the lists
/// have enough bars; failing that the plan with the most.
CircuitPlan plan_circuit(const Frame& f, Rect body, const std::vector<WordList>& lists) {
    constexpr std::size_t kEnough = 5;
    const float gap = f.px(24), spectra = std::max(f.px(kLeastSpectra), body.w * 0.3f);
    std::vector<CircuitPlan> plans;
    const auto add = [&](Rect first, Rect second, Rect rest) {
        const auto count = static_cast<float>(std::max<std::size_t>(1, lists.size()));
        for (const bool beside : {true, false}) {
            if (beside && (lists.size() < 2 || (rest.w - f.px(20) * (count - 1)) / count < f.px(kLeastList))) continue;
            plans.push_back({first, second, {}, {}, 0});
            place_lists(f, rest, lists, beside, plans.back());
        }
    };
    if (body.w - spectra - gap >= f.px(kLeastList)) {
        const float high = (body.h - f.px(10)) / 2;
        const Rect first{body.x, body.y, spectra, high};
        add(first, first.moved(0, high + f.px(10)), {first.right() + gap, body.y, body.w - spectra - gap, body.h});
    }
    for (const float least : {kLeastSpectrum, kLowSpectrum}) {
        const float high = std::min(body.h * 0.4f, f.px(least)), wide = (body.w - gap) / 2, top = body.y + high + f.px(10);
        add({body.x, body.y, wide, high}, {body.x + wide + gap, body.y, wide, high}, {body.x, top, body.w, std::max(0.0f, body.bottom() - top)});
    }
    const auto enough = std::find_if(plans.begin(), plans.end(), [](const CircuitPlan& plan) { return plan.bars >= kEnough; });
    if (enough != plans.end()) return *enough;
    return *std::max_element(plans.begin(), plans.end(), [](const CircuitPlan& a, const CircuitPlan& z) { return a.bars < z.bars; });
}

}  // namespace

void draw_heads_circuit(const Frame& f, Rect area) {
    const CircuitData& data = *f.derived.part<HeadsData>().circuit;
    point_at_weight(f, std::nullopt);
    Rect body = circuit_controls(f, area, data);
    if (!data.circuit()) return say_in_middle(f, body, f.say(data.computing ? Str::computing : Str::circuit_none));
    const attn::HeadCircuit& head = *data.circuit();
    std::string words = circuit_words_of_head(f, head);
    if (const std::string copying = copying_words(f, data); !copying.empty()) words += fmt::format("{}{}", f.view().language == Language::Chinese ? "" : " ", copying);
    const RichText says = lay_out_rich(words, body.w, Type::Body, f.theme, f.painter().fonts());
    draw_rich(f.painter(), says, {body.x, body.y}, Hue::Ink);
    const float top = body.y + says.height() + f.px(8);
    body = {body.x, top, body.w, std::max(0.0f, body.bottom() - top)};
    const TokenFacts& facts = data.of_token;
    const std::vector<WordList> lists = word_lists(f, facts);
    // The numbers go last: the note is shortened first, then it goes.
    const std::string note = f.view().present.on ? std::string() : circuit_note(f, data);
    CircuitPlan plan;
    Rect with_note = body;
    for (const std::string& some : {note, first_sentence(note, f.view().language), std::string()}) {
        const float high = some.empty() ? 0 : lay_out_rich(some, body.w, Type::Small, f.theme, f.painter().fonts()).height() + f.px(8);
        with_note = {body.x, body.y, body.w, std::max(0.0f, body.h - high)};
        plan = plan_circuit(f, with_note, lists);
        if (!some.empty() && !lists.empty() && plan.bars < kFewBars) continue;
        if (!some.empty()) caption_below(f, body, some);
        // What is not written is said where the pointer rests on the sentence.
        if (some != note) hint(f, "circuit_says", {body.x, top - says.height() - f.px(8), body.w, says.height()}, note);
        break;
    }
    draw_spectrum(f, plan.first, "circuit_ov", Str::circuit_ov, head.ov, Hue::Value);
    draw_spectrum(f, plan.second, "circuit_qk", Str::circuit_qk, head.qk, Hue::Score);
    if (lists.empty()) {
        const bool beside = plan.second.y > plan.first.y;
        const Rect right = beside ? Rect{plan.first.right() + f.px(24), with_note.y, with_note.right() - plan.first.right() - f.px(24), with_note.h}
                                  : Rect{with_note.x, plan.first.bottom() + f.px(10), with_note.w, std::max(0.0f, with_note.bottom() - plan.first.bottom() - f.px(10))};
        return say_in_middle(f, right, f.say(facts.finished || data.token < 0 ? Str::circuit_no_words : Str::computing));
    }
    for (std::size_t i = 0; i < lists.size(); ++i) draw_word_list(f, plan.lists[i], lists[i], plan.heads[i]);
}

}  // namespace app
