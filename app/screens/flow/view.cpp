// The flow: the whole way from the tokens to the output in one picture; a click enters a matrix.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/content/number_text.h"
#include "app/explain/blank.h"
#include "app/explain/head_names.h"
#include "app/explain/inspection.h"
#include "app/explain/row_reader.h"
#include "app/frame/breadcrumb.h"
#include "app/frame/caption_paint.h"
#include "app/frame/flow_camera.h"
#include "app/frame/hint.h"
#include "app/frame/nothing.h"
#include "app/frame/scene_paint.h"
#include "app/frame/view.h"
#include "app/layout/flow/flow.h"
#include "app/screens/flow/map.h"
#include "app/screens/flow/tower_view.h"
#include "app/screens/flow/zoom.h"
#include "app/state/follower.h"
#include "core/analysis/telling.h"

namespace app {
namespace {

constexpr float kHead = 92;              ///< the sentence and the hint
constexpr float kRoomHead = 28;
constexpr float kPlaces = 40;            ///< the row of places, if there are several
constexpr float kPathHigh = 22;          ///< the path from the model to what is shown
constexpr int kMostQuestions = 12;       ///< for more heads the picture has no room for their questions
constexpr double kCrossFade = 0.6;       ///< share of the transition

int heads_of(const Frame& f) {
    const int heads = f.state.document.config.heads;
    return f.derived.timeline.stops.empty() ? 1 : std::max(1, heads);
}

/// Whether this is a moment of the walk, playing or paused, however it was reached. Once a step is over, and at the
/// end, the whole picture is shown.
bool on_the_way(const Frame& f) {
    const ViewState& view = f.view();
    if (view.plays() || view.present.on || f.derived.pose.progress < 1) return true;
    const bool last = f.derived.pose.stop + 1 == static_cast<int>(f.derived.timeline.stops.size());
    return view.rest > 0 && !last;
}

/// Who asks and who answers in the number that is pinned.
std::optional<attn::TellingPair> pinned_pair(const Frame& f) {
    const auto cell = cell_of(f.trace(), f.view().pinned);
    return cell ? attn::pair_of(f.trace(), *cell) : std::nullopt;
}
/// The query whose row of weights is followed: the selected word, else that of a pinned cell, regardless of the
/// pointer.
int followed_query(const Frame& f) {
    const attn::StepId weights = f.derived.flow.mixing;
    // What a chapter's text points at is followed while it does.
    const auto& lit = f.view().course.lit;
    const int rows = weights == attn::kNoStep ? 0 : static_cast<int>(f.trace()[weights].value.rows());
    if (const int row = !lit ? -1 : lit->token >= 0 ? lit->token : lit->tag.role == attn::Role::Weights ? lit->row : -1; row >= 0 && row < rows) return row;
    if (f.view().flow.followed >= 0 && weights != attn::kNoStep && f.view().flow.followed < f.trace()[weights].value.rows()) return f.view().flow.followed;
    const auto pair = pinned_pair(f);
    return pair ? pair->query : -1;
}

/// The result as a sentence: the query, the weight and the key, each in its colour.
Caption headline(const Frame& f, const FlowInput& in) {
    const auto said = flow_message(in);
    if (!said) return {{{std::string(f.say(Str::flow_title_plain)), Hue::Ink, true}}};
    if (said->masked) return {{{std::string(f.say(Str::masked_row)), Hue::Ink, true}}};
    const Caption::Part query{said->query, Hue::Query, true}, key{said->key, Hue::Key, true};
    const Caption::Part share{weight_text(static_cast<double>(said->weight)), Hue::Score, true};
    const auto blank = blank_claim(f.trace(), said->cell);
    const std::vector<Caption::Part> given = blank ? std::vector{query, key} : std::vector{query, share, key};
    Caption out;
    std::string_view rest = f.say(blank.value_or(Str::flow_title));
    for (std::size_t at; (at = rest.find('{')) != std::string_view::npos; rest.remove_prefix(at + 3)) {
        if (at > 0) out.parts.push_back({std::string(rest.substr(0, at)), Hue::Ink, true});
        out.parts.push_back(given[static_cast<std::size_t>(rest[at + 1] - '0')]);
    }
    if (!rest.empty()) out.parts.push_back({std::string(rest), Hue::Ink, true});
    return out;
}

/// The first parts of "this · that · other" that fit.
std::string_view parts_that_fit(const Frame& f, std::string_view text, float room) {
    while (f.painter().width(text, Type::Small) > room) {
        const std::size_t last = text.rfind(" · ");
        if (last == std::string_view::npos) break;
        text = text.substr(0, last);
    }
    return text;
}

void sentence(const Frame& f, Rect rect, const FlowInput& in) {
    Painter& p = f.painter();
    const Rect line{rect.x + f.px(16), rect.y + f.px(18), rect.w - f.px(32), f.px(30)};
    if (shows_tower(f)) {
        p.text_fit(line, tower_title(f), {Type::TitleStrong, Align::Center}, Hue::Ink);
        if (!f.view().present.on && !f.view().figure) p.text_fit({rect.x + f.px(12), rect.y + f.px(50), rect.w - f.px(24), f.px(22)}, parts_that_fit(f, tower_hint(f), rect.w - f.px(24)), {Type::Small, Align::Center}, Hue::Soft);
        return;
    }
    if (shows_map(f)) {
        p.text_fit(line, map_title(f), {Type::TitleStrong, Align::Center}, Hue::Ink);
        if (!f.view().figure) p.text_fit({rect.x, rect.y + f.px(50), rect.w, f.px(22)}, f.say(Str::flow_map_hint), {Type::Small, Align::Center}, Hue::Soft);
        return;
    }
    // While it moves, the headline describes what happens; at rest, the result.
    if (in.playing || (!f.view().present.on && !flow_message(in) && !f.derived.caption.empty()))
        draw_caption(f, line, f.view().present.on ? Caption{} : f.derived.caption, Type::Title);
    else
        draw_caption(f, line, headline(f, in), Type::Title);
    // One sentence at a time: what can be clicked is said at rest.
    if (f.view().figure || in.playing) return;
    const bool heads = !f.derived.flow.weights.empty();
    const Str hint = follows_word(in) ? Str::flow_word_hint : !heads ? Str::flow_hint : f.view().flow.fan ? Str::flow_hint_fan : Str::flow_hint_heads;
    p.text_fit({rect.x, rect.y + f.px(50), rect.w, f.px(22)}, f.say(hint), {Type::Small, Align::Center}, Hue::Soft);
}

/// If each step of a decoder follows one word, that word, so that the row of places reads as the text.
std::optional<std::string> asking_word(const Frame& f, const Section& section) {
    const attn::Step& last = f.trace()[f.derived.timeline.stops[static_cast<std::size_t>(section.last)].step];
    if (section.time == attn::kNoTime || last.value.rows() != 1 || last.rows.kind != attn::Axis::Kind::Tokens) return std::nullopt;
    return f.derived.labels.of(last.rows, 0);
}

/// "Encoder · block 2" side by side; the one in the picture is highlighted.
void draw_places(const Frame& f, Rect rect) {
    const auto& all = f.derived.places;
    std::vector<std::string> titles;
    std::vector<std::string_view> views;
    for (const FlowPlace& place : all) {
        const Section& section = f.derived.timeline.sections[static_cast<std::size_t>(place.main)];
        const std::string where = asking_word(f, section).value_or(place_of(f, section));
        titles.push_back(where.empty() ? std::string(f.say(title_of(section.stage))) : where);
    }
    views.assign(titles.begin(), titles.end());
    float widest = 0;
    for (const std::string_view title : views) widest = std::max(widest, f.painter().width(title, Type::BodyStrong));
    const float w = (widest + f.px(28)) * static_cast<float>(views.size());
    int chosen = f.derived.place;
    const int before = chosen;
    if (w <= rect.w)
        segmented(f.ui, "flow_place", rect_around(rect.center(), w, rect.h), views, chosen);
    else
        select(f.ui, "flow_place", rect_around(rect.center(), std::min(rect.w, f.px(320)), rect.h), views, chosen,
               Align::Center);
    if (chosen == before) return;
    const FlowPlace& place = all[static_cast<std::size_t>(chosen)];
    f.push(GoToStop{f.derived.timeline.sections[static_cast<std::size_t>(place.last)].last, 1});
}

std::optional<CellRef> ref(const Frame& f, const std::optional<attn::Cell>& cell) {
    if (!cell) return std::nullopt;
    return CellRef{f.trace()[cell->step].tag, cell->row, cell->col};
}

/// Records the matrices by name, for tests and scripts.
void record_matrices(const Frame& f, int query) {
    for (const MatrixSprite& m : f.scratch.scene.matrices)
        if (m.first_row == 0 && !m.unseen) f.ui.record("flow_" + attn::step_name(f.trace()[m.step].tag), m.grid.area());
    // The weights of the followed word, by their keys.
    const attn::StepId weights = f.derived.flow.mixing;
    for (const MatrixSprite& m : f.scratch.scene.matrices)
        if (m.unseen && m.step == weights && m.first_row == query) f.ui.record("flow_cell_" + std::to_string(m.first_col + 1), m.grid.area());
    for (const AskSprite& ask : f.scratch.scene.asks)
        if (ask.stays) f.ui.record("flow_ask_" + std::to_string(ask.query + 1), ask.rect);
    for (const OpenSprite& open : f.scratch.scene.opens) f.ui.record("flow_box_" + std::string(attn::step_name(f.trace()[open.step].tag)), open.rect);
    for (const CardSprite& card : f.scratch.scene.cards)
        f.ui.record(card.head == kNoHeadColor ? "flow_stack" : "flow_head_" + std::to_string(card.head + 1), card.rect);
}

/// The card under the pointer: a head's index, or kNoHeadColor for the stack; nothing: none.
std::optional<int> card_under(const Frame& f) {
    const auto& cards = f.scratch.scene.cards;
    const auto found =
        std::find_if(cards.rbegin(), cards.rend(), [](const CardSprite& c) { return c.rect.contains(gui::mouse()); });
    return found == cards.rend() ? std::nullopt : std::optional(found->head);
}

/// A click on the stack fans it out; one on a head chooses it and stacks them again. Returns whether it was such a
/// click.
bool click_on_card(const Frame& f, bool clicked, bool on_cell) {
    const FlowLook& look = f.view().flow;
    if (f.derived.flow.weights.empty() || (on_cell && look.fanned <= 0)) return false;
    const auto card = card_under(f);
    if (!card) return false;
    gui::set_cursor(gui::Cursor::Hand);
    if (!clicked) return true;
    // Next to the path of one word are the other heads' answers.
    if (*card != kNoHeadColor && !look.fan && !f.scratch.scene.asks.empty()) {
        f.push(ChooseHead{*card});
        return true;
    }
    f.change_view([](ViewState& v) { v.flow.fan = !v.flow.fan; });
    if (look.fan && *card != kNoHeadColor) f.push(ChooseHead{*card});
    return true;
}

/// The closed block that a step represents and that opens when its stops are shown; null if there is none, or if it
/// opens on the stage.
const FlowNode* shut_block(const Frame& f, attn::StepId step) {
    const auto& nodes = f.derived.flow.nodes;
    const auto at = std::find_if(nodes.begin(), nodes.end(), [&](const FlowNode& n) { return n.step == step; });
    const bool opens = at != nodes.end() && (at->shut == FlowBlock::FeedForward || at->shut == FlowBlock::Attention);
    return opens ? &*at : nullptr;
}

/// Selects the word under the pointer as the query; for the words on the left also while the button is held, so that
/// one can drag along them. Returns whether the pointer is on a word.
bool ask_with_word(const Frame& f, const Touch& touch) {
    const auto& asks = f.scratch.scene.asks;
    const auto word = std::find_if(asks.begin(), asks.end(), [](const AskSprite& a) { return a.rect.contains(gui::mouse()); });
    if (!touch.hovered || word == asks.end()) return false;
    gui::set_cursor(gui::Cursor::Hand);
    if (!touch.clicked && !(touch.held && word->stays)) return true;
    f.change_view([query = word->query](ViewState& v) { v.flow.follow(query); });
    return true;
}

/// Unfolds the box under the pointer, or folds it. Returns whether the pointer is on a box.
bool unfold(const Frame& f, const Touch& touch, bool clicked) {
    const auto& opens = f.scratch.scene.opens;
    const auto box = std::find_if(opens.begin(), opens.end(), [](const OpenSprite& o) { return o.rect.contains(gui::mouse()); });
    if (!touch.hovered || box == opens.end()) return false;
    gui::set_cursor(gui::Cursor::Hand);
    const attn::Tag tag = f.trace()[box->step].tag;
    hint(f, "flow_box_" + attn::step_name(tag), box->rect, f.say(Str::tip_flow_unfold));
    if (!clicked) return true;
    f.change_view([tag](ViewState& v) {
        const bool open = v.unfolded && is_alike(*v.unfolded, tag);
        v.unfolded = open ? std::nullopt : std::optional(tag);
    });
    return true;
}

/// Says what the cell under the pointer is.
void say_cell(const Frame& f, attn::Cell cell) {
    const attn::Step& step = f.trace()[cell.step];
    const Rect at{gui::mouse().x - f.px(6), gui::mouse().y - f.px(6), f.px(12), f.px(12)};
    hint(f, fmt::format("flow_cell_{}_{}_{}", cell.step, cell.row, cell.col), at,
         f.say(Str::flow_cell, {name_of(f.trace(), cell.step, f.view().language), f.derived.labels.of(step.rows, cell.row),
                                f.derived.labels.of(step.cols, cell.col), number_text(RowReader(f.trace())(cell), 2)}));
}

void touch(const Frame& f, Rect area) {
    const Touch touch = touch_area(f.ui, "flow", area, false);
    const std::optional<attn::Cell> under = touch.hovered ? pick(f.scratch.scene, gui::mouse()) : std::nullopt;
    const std::optional<CellRef> pointed = ref(f, under);
    const bool asks = !shows_map(f) && ask_with_word(f, touch);
    Touch moved = touch;
    moved.held = touch.held && !asks;  // a drag along the words does not pan the picture
    zoom_and_pan(f, moved, area, pointed);
    if (asks) return f.ui.record("flow", area);
    if (pointed != f.view().pointed) f.push(PointAt{pointed});
    f.ui.record("flow", area);
    const bool panned = f.scratch.panned >= f.px(kFlowClickSlack);
    if (!touch.held) f.scratch.panned = 0;
    if (shows_tower(f)) return touch_tower(f, touch, touch.clicked && !panned);
    if (shows_map(f)) return touch_map_tiles(f, area, touch.hovered, touch.clicked && !panned);
    if (unfold(f, touch, touch.clicked && !panned)) return;
    if (under) gui::set_cursor(gui::Cursor::Hand);
    if (under) say_cell(f, *under);
    if (touch.double_clicked && !under && !card_under(f) && can_go_out(f)) return go_out(f);
    if (touch.hovered && click_on_card(f, touch.clicked && !panned, under.has_value())) return;
    if (!pointed || !touch.clicked || panned) return;
    // A closed block opens in place; an open one is entered.
    if (const FlowNode* block = shut_block(f, under->step))
        f.push(GoToStop{block->first_stop, 1});
    else
        f.push(EnterMatrix{*pointed});
}

/// The camera between the flow and the stage: the matrix grows to its place on the stage.
Camera between_cameras(const Camera& flow, Rect from, Rect to, double passed) {
    if (from.empty() || to.empty()) return flow;
    const auto t = static_cast<float>(ease(passed));
    const float last = to.h / from.h;
    const float zoom = flow.zoom * std::pow(last / flow.zoom, t);
    const Point seen = flow(from.center()), at = between(seen, to.center(), t);
    return {zoom, at - from.center() * zoom};
}

/// In the last part of the transition, the flow fades into the stage.
void draw_passage(const Frame& f, Rect body, const Passage& way) {
    Rect place = place_rect(Place::Stage, f.window, f.theme, panels_of(f.state));
    place.h = f.area.bottom() - place.y;  // above the lasting messages, as this picture is
    const Rect stage = stage_area(f, place);
    const attn::StepId step = attn::find_id(f.trace(), way.cell.tag);
    Scene there;
    if (step == f.derived.pose.step) lay_out(stage_input(f, stage.inset(f.px(20), f.px(10))), there);
    const Camera camera = between_cameras(camera_of(flow_camera(f), body), matrix_in(f.scratch.scene, step),
                                          matrix_in(there, step), way.passed);
    const auto shown = static_cast<float>(phase(way.passed, kCrossFade, 1));
    const Rect grown = camera(matrix_in(f.scratch.scene, step)), there_now = matrix_in(there, step);
    if (!there_now.empty() && !grown.empty()) {
        // Both matrices coincide, and what surrounds it on the stage zooms in with it.
        const float zoom = grown.h / there_now.h;
        look_through({zoom, grown.center() - there_now.center() * zoom}, there);
    }
    look_through(camera, f.scratch.scene);
    {
        const auto scope = f.painter().opacity(1 - shown);
        paint_scene(f, f.scratch.scene);
    }
    const auto scope = f.painter().opacity(shown);
    if (shown > 0) paint_scene(f, there);
}

/// Draws the picture, or both pictures during a transition.
void draw_picture(const Frame& f, Rect body, const FlowInput& in) {
    const Camera camera = camera_of(flow_camera(f), body);
    Scene& scene = f.scratch.scene;
    if (!f.derived.turn || !in.playing) {
        look_through(camera, scene);
        return paint_scene(f, scene);
    }
    const double passed = f.derived.turn->passed;
    Scene& before = f.scratch.scene_before;
    FlowInput was{in.stage, f.derived.flow_before, true, in.head, in.heads, in.fan, {}, in.query, -1, 1, in.questions, in.unfolded};
    lay_out_flow(was, before);
    carry_over(before, scene, f.derived.flow_before, f.derived.flow, body, passed);
    look_through(camera, before);
    look_through(camera, scene);
    {
        const auto scope = f.painter().opacity(seen_before(passed));
        paint_scene(f, before);
    }
    const auto scope = f.painter().opacity(seen_after(passed));
    paint_scene(f, scene);
}

}  // namespace

void draw_flow(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const bool several = f.derived.places.size() > 1;
    // While presenting, the sentence is below.
    const float head = f.view().present.on && !shows_map(f) ? f.px(kRoomHead) : f.px(kHead + (several ? kPlaces : 0));
    const Rect body{f.area.x + f.px(28), f.area.y + head, f.area.w - f.px(56),
                    std::max(0.0f, f.area.h - head - f.px(28))};
    FlowInput in{stage_input(f, body),
                       f.derived.flow,
                       on_the_way(f),
                       f.view().head,
                       heads_of(f),
                       f.view().flow.fanned,
                       flow_sweep(f.derived.timeline, f.derived.time),
                       followed_query(f)};
    in.before = f.view().flow.followed_before >= 0 ? f.view().flow.followed_before : f.derived.flow.query;
    in.swing = f.view().flow.swing;
    in.unfolded = f.view().unfolded;
    if (const auto pair = pinned_pair(f); pair && pair->query == (in.query >= 0 ? in.query : f.derived.flow.query)) in.key = pair->key;
    for (int h = 0; h < in.heads && h < kMostQuestions; ++h)
        in.questions.emplace_back(head_question(f.state.document, h, f.view().language));
    lay_out_flow(in, f.scratch.scene);
    if (f.trace().tokens.empty()) {
        f.painter().text_in(f.area, f.say(nothing_yet(f)), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    if (f.view().passage) return draw_passage(f, body, *f.view().passage);
    const bool figure = f.view().figure;
    if ((!f.view().present.on || shows_map(f)) && (!figure || f.view().figure_look.title)) sentence(f, f.area, in);
    // In a tower, the floors are the places.
    if (several && !f.view().present.on && !figure && !shows_tower(f)) draw_places(f, {body.x, f.area.y + f.px(80), body.w, f.px(30)});
    if (!f.view().present.on && !figure)
        draw_breadcrumb(f, {f.area.x + f.px(20), f.area.bottom() - f.px(kPathHigh + 3), f.area.w - f.px(40), f.px(kPathHigh)});
    const float above = f.px(shows_tower(f) ? kPlaces + 24 : 6);
    const auto inside = f.painter().clip({f.area.x, body.y - above, f.area.w, f.area.bottom() - body.y + above});
    if (shows_tower(f)) {
        const float top = f.px(kHead - 12);
        draw_tower(f, {body.x, f.area.y + top, body.w, body.bottom() - f.area.y - top}, body);
    } else if (shows_map(f)) {
        draw_model_map(f, in.stage, body);
    } else {
        draw_picture(f, body, in);
        record_matrices(f, in.query >= 0 ? in.query : f.derived.flow.query);
    }
    touch(f, body);
}

constexpr ScreenRow kFlowScreen = {.steps = false, .lights = true};

}  // namespace app
