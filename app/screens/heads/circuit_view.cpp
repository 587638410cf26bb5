// The page of W_OV and W_QK: the copying score and the singular values of the shown head, and what it does with one
// token of the text: which tokens attending to it raises and lowers, and which it attends to as a query.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/chart.h"
#include "app/frame/signed_map.h"
#include "app/screens/heads/view.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kLeastSpectra = 240, kLeastList = 190, kLeastSpectrum = 120;

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

/// `title`: the height of the longest title.
void draw_word_list(const Frame& f, Rect area, const WordList& list, float title) {
    const float line = f.theme.line_height(Type::Small);
    draw_lines(f.painter(), {area.x, area.y, area.w, title}, list.title, {Type::SmallStrong}, Hue::Ink);
    f.painter().text_fit({area.x, area.y + title, area.w, line}, list.itself, {Type::Small}, Hue::Soft);
    const float top = area.y + title + line + f.px(4);
    const Rect rows{area.x, top, area.w, std::max(0.0f, area.bottom() - top)};
    std::vector<SignedBar> bars;
    for (std::size_t i = 0; i < std::min(list.words->size(), signed_bars_in(f, rows.h)); ++i) bars.push_back({word_of(f, (*list.words)[i].id), (*list.words)[i].value, false, false});
    draw_signed_bars(f, rows, list.id, bars, {}, circuit_number, BarsFrom::Left);
}

/// The token's own number, and its rank; empty: it has none.
std::string itself_words(const Frame& f, const std::optional<attn::WordRow>& row) {
    return row ? f.say(Str::circuit_itself, {circuit_number(row->itself), std::to_string(row->rank)}) : std::string();
}

void draw_token(const Frame& f, Rect area, const CircuitData& data) {
    const TokenFacts& facts = data.of_token;
    if (!facts.moved && !facts.sought) return say_in_middle(f, area, f.say(facts.finished || data.token < 0 ? Str::circuit_no_words : Str::computing));
    const std::string token = word_of(f, facts.moved ? facts.moved->id : facts.sought->id);
    std::vector<WordList> lists;
    if (facts.moved) {
        lists.push_back({f.say(Str::circuit_raises, {token}), itself_words(f, facts.moved), &facts.moved->says.most, "circuit_raises"});
        lists.push_back({f.say(Str::circuit_lowers, {token}), {}, &facts.moved->says.least, "circuit_lowers"});
    }
    if (facts.sought) lists.push_back({f.say(Str::circuit_seeks, {token}), itself_words(f, facts.sought), &facts.sought->says.most, "circuit_seeks"});
    const float gap = f.px(20);
    const auto count = static_cast<float>(lists.size());
    const bool beside = (area.w - gap * (count - 1)) / count >= f.px(kLeastList);
    const float wide = beside ? (area.w - gap * (count - 1)) / count : area.w, high = beside ? area.h : (area.h - f.px(10) * (count - 1)) / count;
    Rect at{area.x, area.y, wide, high};
    float title = 0;
    for (const WordList& list : lists) title = std::max(title, lines_height(f.painter(), wide, list.title, Type::SmallStrong));
    for (const WordList& list : lists) {
        draw_word_list(f, at, list, title);
        beside ? void(at.x += wide + gap) : void(at.y += high + f.px(10));
    }
}

}  // namespace

void draw_heads_circuit(const Frame& f, Rect area) {
    const CircuitData& data = *f.derived.part<HeadsData>().circuit;
    point_at_weight(f, std::nullopt);
    Rect body = circuit_controls(f, area, data);
    if (!data.circuit()) return say_in_middle(f, body, f.say(data.computing ? Str::computing : Str::circuit_none));
    if (!f.view().present.on) body = caption_below(f, body, circuit_note(f, data));
    const attn::HeadCircuit& head = *data.circuit();
    std::string words = circuit_words_of_head(f, head);
    if (const std::string copying = copying_words(f, data); !copying.empty()) words += fmt::format("{}{}", f.view().language == Language::Chinese ? "" : " ", copying);
    const RichText says = lay_out_rich(words, body.w, Type::Body, f.theme, f.painter().fonts());
    draw_rich(f.painter(), says, {body.x, body.y}, Hue::Ink);
    const float top = body.y + says.height() + f.px(8);
    body = {body.x, top, body.w, std::max(0.0f, body.bottom() - top)};
    const float spectra = std::max(f.px(kLeastSpectra), body.w * 0.3f), gap = f.px(24);
    const bool beside = body.w - spectra - gap >= f.px(kLeastList);
    const Rect left{body.x, body.y, beside ? spectra : body.w, beside ? body.h : std::min(body.h * 0.4f, f.px(kLeastSpectrum))};
    const Rect first{left.x, left.y, beside ? left.w : (left.w - gap) / 2, beside ? (left.h - f.px(10)) / 2 : left.h};
    Rect second = first;
    beside ? void(second.y += first.h + f.px(10)) : void(second.x += first.w + gap);
    draw_spectrum(f, first, "circuit_ov", Str::circuit_ov, head.ov, Hue::Value);
    draw_spectrum(f, second, "circuit_qk", Str::circuit_qk, head.qk, Hue::Score);
    const Rect right = beside ? Rect{left.right() + gap, body.y, body.w - spectra - gap, body.h} : Rect{body.x, left.bottom() + f.px(10), body.w, std::max(0.0f, body.bottom() - left.bottom() - f.px(10))};
    draw_token(f, right, data);
}

}  // namespace app
