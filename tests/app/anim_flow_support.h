#pragma once
// A computed document and its flow, for the tests of the picture.

#include "app/anim/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/anim/roles.h"
#include "app/state/derived.h"
#include "core/document.h"
#include "core/document_fields.h"

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
    attn::choose_variant(doc, fields.front().second);
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
    FlowGraph graph(const FlowPlace& place) const { return make_flow(trace(), timeline_, place); }

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

private:
    std::shared_ptr<const Computed> computed_;
    int heads_;
    AxisLabels labels_;
    Timeline timeline_;
    std::vector<FlowPlace> places_;
};

}  // namespace flowing
