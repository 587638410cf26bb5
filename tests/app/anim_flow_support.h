#pragma once
// A computed document and its flow, for the tests of the picture.

#include "app/layout/flow/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/state/derived.h"
#include "app/timeline/roles.h"
#include "core/analysis/telling.h"
#include "core/document/document.h"
#include "core/document/fields.h"

namespace flowing {

using namespace app;
using attn::Document;
using attn::Role;
using attn::StepId;

inline constexpr Rect kArea{20, 150, 1240, 560};

inline float width_of(std::string_view text, Type) { return 7.5f * static_cast<float>(text.size()); }

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
inline Document document_of(const Fields& fields, std::string text = "the tired cat sat down") {
    Document doc;
    doc.text = std::move(text);
    attn::choose_form(doc, fields.front().second);
    if (fields.front().second != "raw") doc.weights = "random";
    for (std::size_t i = 1; i < fields.size(); ++i)
        EXPECT_TRUE(attn::set_field(doc, fields[i].first, fields[i].second)) << fields[i].first;
    return doc;
}

/// A computed document, its places and their pictures.
class Flowing {
public:
    explicit Flowing(const Document& document)
        : computed_(compute_all(*attn::run(document))), heads_(std::max(1, document.config.heads)) {
        labels_ = labels_of(trace(), Language::English);
        timeline_ = make_timeline(trace(), heads_ > 1 ? 0 : attn::kNoHead);
        places_ = flow_places(trace(), timeline_);
    }
    const attn::Trace& trace() const { return computed_->run.trace; }
    const Timeline& timeline() const { return timeline_; }
    const std::vector<FlowPlace>& places() const { return places_; }
    /// The picture of all matrices, without the flow of one word.
    FlowGraph graph(const FlowPlace& place) const {
        FlowGraph graph = make_flow(trace(), timeline_, place);
        graph.word.reset();
        return graph;
    }

    /// The flow of one word, if the place has one.
    FlowGraph word(const FlowPlace& place) const { return make_flow(trace(), timeline_, place); }

    template <class Use>
    void with(const FlowGraph& graph, std::optional<attn::Cell> focus, Rect area, Use use,
              attn::Convention convention = attn::Convention::Rows, double fan = 0) const {
        const StageInput stage{trace(), computed_->ranges, labels_, {},         focus,   area,
                               {},      Language::English, false,   convention, width_of};
        use(FlowInput{stage, graph, false, 0, heads_, fan});
    }
    Scene scene(const FlowGraph& graph, std::optional<attn::Cell> focus = {}, Rect area = kArea,
                attn::Convention convention = attn::Convention::Rows) const {
        Scene scene;
        with(
            graph, focus, area, [&](const FlowInput& in) { lay_out_flow(in, scene); }, convention);
        return scene;
    }

    Scene fanned(const FlowGraph& graph, double fan, attn::Convention convention = attn::Convention::Rows) const {
        Scene scene;
        with(
            graph, {}, kArea, [&](const FlowInput& in) { lay_out_flow(in, scene); }, convention, fan);
        return scene;
    }

    /// The scene during playback: a stop, the progress of its motion, and the query that is shown of a long text.
    Scene moving(const FlowGraph& graph, int stop, double progress, Rect area = kArea, int query = -1) const {
        const Pose pose{stop, timeline_.stops[static_cast<std::size_t>(stop)].step, progress};
        const auto pair = attn::telling_pair(trace(), pose.step);
        const attn::Cell cell = pair ? attn::telling_cell(trace(), pose.step, *pair) : attn::Cell{pose.step, 0, 0};
        const StageInput stage{trace(), computed_->ranges,      labels_, pose, cell, area, {}, Language::English,
                               false,   attn::Convention::Rows, width_of};
        FlowInput in{stage, graph, true, 0, heads_, 0};
        in.sweep = flow_sweep(timeline_, time_of(timeline_, stop, progress));
        in.query = query;
        Scene scene;
        lay_out_flow(in, scene);
        return scene;
    }
    int stop_at(Role role) const { return stop_of(timeline_, trace(), attn::Tag{role}); }
    const StepRanges& ranges() const { return computed_->ranges; }

private:
    std::shared_ptr<const Computed> computed_;
    int heads_;
    AxisLabels labels_;
    Timeline timeline_;
    std::vector<FlowPlace> places_;
};

}  // namespace flowing
