// What screens show in addition to the run.

#include <algorithm>
#include <cstdlib>

#include "app/layout/flow/tower.h"
#include "app/state/derived_parts.h"
#include "app/state/difference.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// The weights of longer texts are gathered on a thread.
constexpr std::size_t kTowerAtOnce = 128;

/// The word that was clicked as the query, as a token of the tower that contains it; −1: none.
int followed_in_tower(const AppState& state, const Derived& derived) {
    const FlowPlace& place = derived.places[static_cast<std::size_t>(derived.place)];
    const bool source = derived.timeline.sections[static_cast<std::size_t>(place.main)].encoder;
    const int followed = state.view.flow.followed;
    return !source && followed < static_cast<int>(derived.run->trace.tokens.size()) ? followed : -1;
}

}  // namespace

/// What edits and interventions change in the step at the playhead.
void Deriver::Parts::follow_change(const AppState&, Derived& derived) {
    edit_change.take(derived.edit_change);
    const auto step = derived.pose.step;
    const std::tuple key{derived.generation, derived.unedited.generation, step};
    if (edit_change.requested_for(key)) return;
    derived.edit_change = {};
    const bool any = derived.unedited.computed && step != attn::kNoStep;
    const bool large = any && derived.run->trace[step].value.size() > kSubtractedAtOnce;
    const auto make = [any, now = derived.computed, before = derived.unedited.computed, step](const std::stop_token&) {
        return any ? edit_difference(now->run.trace, before->run.trace, step) : Difference{};
    };
    edit_change.ask(derived.edit_change, key, !large, make);
}

/// The places of the model, their map, and where in it the playhead is.
void Deriver::Parts::follow_places(const AppState& state, Derived& derived) {
    const int head = state.document.config.heads > 1 ? state.view.head : attn::kNoHead;
    const attn::Trace& trace = derived.run->trace;
    places.follow(derived.places, {derived.generation, head},
                  [&](std::vector<FlowPlace>& made) { made = flow_places(trace, derived.timeline); });
    map.follow(derived.map, {derived.generation, head},
               [&](ModelMap& made) { made = make_model_map(trace, derived.timeline, derived.places); });
    derived.place = std::max(0, flow_place_of(derived.places, derived.timeline, derived.pose.stop));
}

void Deriver::Parts::follow_flow(const AppState& state, Derived& derived) {
    const int head = state.document.config.heads > 1 ? state.view.head : attn::kNoHead;
    const attn::Trace& trace = derived.run->trace;
    follow_places(state, derived);
    // As in the walk: the question's word, else the pronoun.
    const std::optional<TextQuestion>& text_question = derived.question ? derived.question : pronoun;
    const int asker = text_question ? text_question->query : -1;
    const auto picture = [&](Memo<FlowKey, FlowGraph>& memo, FlowGraph& graph, int stop) {
        const int at = std::max(0, flow_place_of(derived.places, derived.timeline, stop));
        const FlowBlock open = open_block(derived.timeline, stop);
        memo.follow(graph, {derived.generation, head, at, open, asker}, [&](FlowGraph& made) {
            made = {};
            if (derived.places.empty()) return;
            const FlowPlace& place = derived.places[static_cast<std::size_t>(at)];
            made = shut_blocks(derived.timeline, make_flow(trace, derived.timeline, place), open);
            const bool of_text = made.mixing != attn::kNoStep && trace[made.mixing].value.rows() == static_cast<Eigen::Index>(trace.tokens.size());
            if (of_text && asker >= 0) made.query = asker;
        });
    };
    picture(flow, derived.flow, derived.pose.stop);
    derived.turn = state.view.still ? std::nullopt : flow_turn(derived.places, derived.timeline, derived.time);
    if (derived.turn) picture(flow_before, derived.flow_before, derived.turn->stop);
    follow_tower(state, derived);
}

/// The weights between the shown words are gathered at once if they are in memory; the lens is always read on the
/// thread, and until it is read the tags are missing.
void Deriver::Parts::follow_tower(const AppState& state, Derived& derived) {
    tower.take(derived.tower);
    tower_lens.take(derived.lens);
    const auto of_another_run = [&](const auto& memo) { return memo.of() && std::get<0>(*memo.of()) != derived.generation; };
    if (of_another_run(tower)) derived.tower.reset();
    if (of_another_run(tower_lens)) derived.lens.reset();
    if (!derived.map.tower || state.view.flow.zoom >= 1) return;
    const std::tuple key{derived.generation, followed_in_tower(state, derived)};
    if (!tower.requested_for(key)) {
        const attn::Trace& trace = derived.run->trace;
        Tower plan = plan_tower(trace, derived.timeline, derived.places, derived.map);
        bool large = trace.tokens.size() > kTowerAtOnce || trace.source_tokens.size() > kTowerAtOnce;
        for (const TowerFloor& floor : plan.floors) large |= !floor.heads.empty() && trace[floor.heads.front().weights].value.recipe();
        const auto make = [run = derived.computed, document = state.document, plan = std::move(plan), followed = std::get<1>(key)](const std::stop_token& stop) {
            Tower made = plan;
            fill_tower(run->run.trace, followed >= 0 ? followed : followed_by_default(run->run, document, plan), made, stop);
            return std::shared_ptr<const Tower>(std::make_shared<Tower>(std::move(made)));
        };
        tower.ask(derived.tower, key, !large, make);
    }
    // What the lens reads depends on the words that are shown.
    if (!derived.tower || tower.of() != key || tower_lens.requested_for(key)) return;
    if (!attn::says_words(state.document)) return derived.lens.reset();
    const auto read = [run = derived.computed, document = state.document, words = derived.tower](const std::stop_token& stop) {
        return std::shared_ptr<const TowerLens>(std::make_shared<TowerLens>(read_tower(run->run, document, *words, stop)));
    };
    tower_lens.ask(derived.lens, key, false, read);
}

/// The home screen shows only shipped models and texts, so its pictures are made once per language.
void Deriver::Parts::follow_home(const AppState& state, Derived& derived) {
    home.take(derived.home);
    const Language language = state.view.language;
    if (home.requested_for(language)) return;
    home.ask(derived.home, language, false, [language](const std::stop_token& stop) { return make_home(language, stop); });
}

/// The cards of the open gallery; none while no gallery is open.
void Deriver::Parts::follow_gallery(const AppState& state, Derived& derived) {
    constexpr std::pair<Sheet, Gallery> kGalleries[] = {
        {Sheet::Examples, Gallery::Examples}, {Sheet::Forms, Gallery::Forms}, {Sheet::Models, Gallery::Models}};
    const auto open = std::find_if(std::begin(kGalleries), std::end(kGalleries),
                                   [&](const auto& one) { return one.first == state.view.sheet; });
    if (open == std::end(kGalleries)) {
        if (gallery.requested()) gallery.forget();
        derived.gallery.clear();
        return;
    }
    gallery.take(derived.gallery);
    // Examples do not depend on the document.
    const bool of_document = open->second != Gallery::Examples;
    GalleryKey key{open->second, state.view.language, state.view.convention,
                   of_document ? state.document : attn::Document{}};
    if (gallery.requested_for(key)) return;
    const auto make = [key, models = state.models](const std::stop_token& stop) {
        return make_gallery(std::get<0>(key), std::get<3>(key), std::get<1>(key), std::get<2>(key), stop, models);
    };
    gallery.ask(derived.gallery, key, open->second == Gallery::Forms, make);
}


}  // namespace app
