#include "app/frame/interventions.h"

#include "app/explain/intervention_words.h"
#include "app/frame/control_rows.h"
#include "app/frame/hint.h"
#include "app/state/edits.h"

namespace app {
namespace {

/// Visits all chips; returns where they end.
template <class Each>
float chips_of(const Frame& f, Rect area, Each each) {
    const auto& all = f.state.document.interventions;
    if (all.empty()) return area.y;
    const float high = chip_size(f.ui, "0").h;
    ControlRows flow(f, area, high, f.px(6));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string words = intervention_words(all[i], f.view().language, f.counts_from()) + "  ×";
        each(i, words, flow.next(chip_size(f.ui, words).w));
    }
    return flow.bottom();
}

attn::Tag step_here(const Frame& f) {
    const attn::StepId step = f.derived.pose.step;
    return step == attn::kNoStep ? attn::Tag{} : f.trace()[step].tag;
}

}  // namespace

float interventions_height(const Frame& f, float width) {
    return chips_of(f, {0, 0, width, 0}, [](std::size_t, const std::string&, Rect) {});
}

float draw_interventions(const Frame& f, Rect area) {
    return chips_of(f, area, [&](std::size_t i, const std::string& words, Rect rect) {
        ChipLook look;
        look.fill = Ink(Hue::Warning, 0.22f);
        const std::string id = "intervention" + std::to_string(i + 1);
        const std::string shown = f.painter().fitted(words, Type::Body, rect.w - f.px(16));
        if (chip(f.ui, id, {rect.x, rect.y}, shown, look).clicked)
            f.edit([i](attn::Document& d) {
                if (i < d.interventions.size()) d.interventions.erase(d.interventions.begin() + static_cast<std::ptrdiff_t>(i));
            });
        hint(f, id, rect, f.say(Str::put_take_back));
    });
}

std::optional<HeadPlace> head_to_switch(const Frame& f) { return can_switch_heads(f.state.document) ? f.derived.shown_head : std::nullopt; }

bool is_off(const Frame& f, const HeadPlace& head) { return head_is_off(f.state.document, head.at, head.head); }

void switch_head(const Frame& f, const HeadPlace& head) {
    f.edit([head](attn::Document& d) { switch_head(d, head.at, head.head); });
    // If another step of the same block is shown, the walk stays there.
    const attn::Tag at = step_here(f);
    if (at.part != head.at.part || at.layer != head.at.layer || f.view().head != head.head) choose_head(f, head);
}

void choose_head(const Frame& f, const HeadPlace& head) {
    const attn::Tag at = step_here(f);
    attn::Tag weights{attn::Role::Weights, attn::kNoHead, head.at.layer, head.at.time, head.at.part};
    if (f.state.document.config.heads > 1) weights.head = head.head;
    const bool there = at.pass == 0 && at.part == weights.part && at.layer == weights.layer && at.head == weights.head;
    f.change_view([weights, there, number = head.head](ViewState& v) {
        v.head = number;
        if (!there) v.playhead = {weights, 1};
        for (const ScreenRow& row : screens()) {
            if (row.show_attention) row.show_attention(v, weights);
            if (row.head_chosen) row.head_chosen(v);
        }
    });
}

}  // namespace app
