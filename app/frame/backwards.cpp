#include "app/frame/backwards.h"

#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"
#include "core/document/gradient_request.h"

namespace app {
namespace {

/// The number whose gradient would be computed; none if the focus is not a number of the forward run.
std::optional<attn::GradientOf> number_looked_at(const Frame& f) {
    if (const auto& pinned = f.view().pinned) {
        if (is_reverse(pinned->tag) || !attn::find(f.trace(), pinned->tag)) return std::nullopt;
        return attn::GradientOf{false, pinned->tag, pinned->row, pinned->col};
    }
    if (!f.derived.focus) return std::nullopt;
    const attn::Tag tag = f.trace()[f.derived.focus->step].tag;
    if (is_reverse(tag)) return std::nullopt;
    return attn::GradientOf{false, tag, f.derived.focus->row, f.derived.focus->col};
}

/// The walk continues where the reverse pass begins; nothing stays pinned, so that each step explains its own cell.
void ask(const Frame& f, const attn::GradientOf& request) {
    f.edit([request](attn::Document& d) {
        d.gradient = request;
        attn::drop_unread(d);
    });
    f.push(Pin{});
    const attn::Tag begin = request.loss ? attn::Tag{attn::Role::Loss} : request.tag.of_pass(1);
    f.change_view([begin](ViewState& v) {
        v.screen = Screen::Stage;
        v.playhead = {begin, v.still ? 1.0 : 0.0};
        v.rest = 0;
        v.playing = !v.still;
        v.one_step = v.playing && v.pace == WalkPace::Step;
    });
}

}  // namespace

bool is_turned_back(const Frame& f) { return f.state.document.gradient.has_value(); }
bool can_turn_back(const Frame& f) { return is_turned_back(f) || number_looked_at(f); }

void leave_reverse(const Frame& f) {
    f.edit([](attn::Document& d) {
        d.gradient.reset();
        attn::drop_unread(d);
    });
}

void turn_back(const Frame& f) {
    const auto& now = f.state.document.gradient;
    const auto request = number_looked_at(f);
    if (now && (!f.view().pinned || !request || *now == *request)) return leave_reverse(f);
    if (request) ask(f, *request);
}

bool can_turn_back_from_loss(const Frame& f) {
    const auto& now = f.state.document.gradient;
    return (now && now->loss) || attn::has_loss(f.state.document);
}

void turn_back_from_loss(const Frame& f) {
    const auto& now = f.state.document.gradient;
    now && now->loss ? leave_reverse(f) : ask(f, attn::GradientOf{true, {}, 0, 0});
}

std::string whose_gradient(const Frame& f) {
    const auto& request = f.state.document.gradient;
    if (!request) return {};
    if (request->loss) return std::string(f.say(Str::back_from_loss));
    const attn::StepId step = attn::find_id(f.trace(), request->tag);
    if (step == attn::kNoStep) return {};
    const attn::Step& s = f.trace()[step];
    std::string row = f.derived.labels.of(s.rows, request->row), col = f.derived.labels.of(s.cols, request->col);
    if (f.columns()) std::swap(row, col);
    return f.say(Str::back_from, {name_of(f.trace(), step, f.view().language), row, col});
}

std::string symbol_of_section(const Frame& f, const Section& section) {
    return section.reverse ? symbol_of_gradient(f.trace(), section.role, f.view().convention) : symbol_of_stage(f, section.stage);
}

std::string title_of_section(const Frame& f, const Section& section) {
    // A file of attention has queries and keys, and no projections.
    if (!section.reverse && section.stage == Stage::Projections && f.derived.run->inputs.attention) return std::string(f.say(Str::stage_queries_keys));
    return std::string(section.reverse ? label_of(attn::role_id(section.role), f.view().language) : f.say(title_of(section.stage)));
}

Hue hue_of_stop(const Stop& stop) { return stop.reverse ? Hue::Gradient : look_of(stop.stage).hue; }

}  // namespace app
