#pragma once
// What a Deriver stores between two frames: for each part of a Derived, the key of all inputs that it was made from.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/state/derived.h"
#include "app/state/follower.h"
#include "app/state/memo.h"
#include "app/state/runner.h"
#include "core/analysis/telling.h"

namespace app {

/// Each part is cached under a key of all its inputs.
struct Deriver::Parts {
    /// A second run next to the document's own, and the document that it computes.
    struct Side {
        DocumentRunner runner;
        std::optional<attn::Document> document;
        void follow(SideRun& run, const std::optional<attn::Document>& wanted);
    };
    DocumentRunner main;
    Side unedited, other;
    std::optional<attn::Document> document;
    double budget = 0;  ///< the memory budget when the run was requested
    std::array<std::unique_ptr<Follower>, kScreenCount> of_screens;  ///< null: the screen's folder derives nothing
    std::unique_ptr<Follower> of_chapter = chapter_follower();
    Parts();

    using Generation = std::uint64_t;
    Memo<std::tuple<Generation, int, WalkPace>, Timeline> timeline;
    using ExplainedKey = std::tuple<Generation, attn::StepId, int, std::optional<attn::Cell>, std::optional<LitCells>,
                               std::optional<attn::TellingPair>, bool>;
    Memo<ExplainedKey, std::optional<attn::Cell>> explained;
    Memo<std::tuple<Generation, int>, StoryEnd> over;
    Memo<std::tuple<Generation, int, Language, bool>, std::optional<TextQuestion>> question;
    Memo<std::tuple<Generation, int, Language, bool, int>, std::optional<OpeningData>> opening;
    Memo<std::tuple<Generation, int, bool>, std::optional<TextQuestion>> followed;
    std::optional<TextQuestion> pronoun;  ///< the question that the walk follows when the text asks none
    LateMemo<std::tuple<Generation, int>, std::vector<WordChange>> changes;
    Memo<std::tuple<Generation, bool>, std::vector<WordChange>> repairs;
    Memo<std::tuple<Generation, std::optional<attn::Cell>, Moment, News, Language, attn::Convention, attn::CountFrom>, Caption> caption;
    Memo<std::tuple<Generation, Language>, AxisLabels> labels;
    Memo<std::tuple<Generation, Language, std::string>, Found> found;

    using CellKey = std::tuple<Generation, std::optional<attn::Cell>, Language, attn::Convention>;
    Memo<std::pair<CellKey, attn::CountFrom>, Inspection> inspection;
    Memo<CellKey, Substitution> of_pin, of_shown;
    Substitution pin_substitution;  ///< of the pinned cell, wherever the pointer is

    Memo<std::tuple<Generation, int>, std::vector<FlowPlace>> places;
    Memo<std::tuple<Generation, int>, ModelMap> map;
    LateMemo<std::tuple<Generation, int>, std::shared_ptr<const Tower>> tower;
    LateMemo<std::tuple<Generation, int>, std::shared_ptr<const TowerLens>> tower_lens;
    using FlowKey = std::tuple<Generation, int, int, FlowBlock, int>;
    Memo<FlowKey, FlowGraph> flow, flow_before;
    Memo<Generation, std::optional<HeadsPicture>> seen_picture;
    LateMemo<Language, HomeData> home;
    using GalleryKey = std::tuple<Gallery, Language, attn::Convention, attn::Document>;
    LateMemo<GalleryKey, std::vector<GalleryCard>> gallery;
    LateMemo<std::tuple<Generation, Generation, attn::StepId>, Difference> edit_change;

    LateMemo<std::tuple<Generation, attn::StepId, bool>, std::vector<std::shared_ptr<const attn::Matrix>>> sight;
    Generation pose_of = 0;  ///< the run that the pose belongs to
    /// Sets the pose to `next` once the values that its pictures read are there. `staged`: the stage is on the screen.
    void pose_when_seen(Derived& derived, Pose next, bool staged);

    void take(Derived& derived, Outcome outcome);
    void follow_document(const AppState& state, Derived& derived);
    void follow_sides(const AppState& state, Derived& derived);
    void follow_time(const AppState& state, Derived& derived);
    void follow_opening(const AppState& state, Derived& derived);
    void follow_explained(const AppState& state, Derived& derived);
    void follow_ending(const AppState& state, Derived& derived);
    void follow_focus(const AppState& state, Derived& derived);
    void follow_change(const AppState& state, Derived& derived);
    void follow_gallery(const AppState& state, Derived& derived);
    // Data that screens show in addition to the run and that their folders do not derive themselves yet.
    /// A user who entered from the flow sees the way back.
    void follow_stage(const AppState& state, Derived& derived) {
        if (state.view.flow.entered) follow_places(state, derived);
    }
    /// The tower, and what its floors would predict.
    void follow_tower(const AppState& state, Derived& derived);
    void follow_flow(const AppState& state, Derived& derived);
    void follow_places(const AppState& state, Derived& derived);
    void follow_home(const AppState& state, Derived& derived);

    void refresh(const AppState& state, Derived& derived);
    template <class Do>
    void each_runner(Do act) {
        for (DocumentRunner* runner : {&main, &unedited.runner, &other.runner}) act(*runner);
    }
    template <class Do>
    void each_job(Do act) {
        for (const auto& one : of_screens)
            if (one)
                for (LateJob* job : one->jobs()) act(*job);
        act(tower.job());
        act(tower_lens.job());
        act(edit_change.job());
        act(home.job());
        act(gallery.job());
        act(changes.job());
        act(sight.job());
    }
};

}  // namespace app
