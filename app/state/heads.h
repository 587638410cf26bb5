#pragma once
// What the heads screen shows, computed here and never in a view: the maps of attention as they are drawn, the lines
// worth drawing, what tokens give and get, one query's scores taken apart, and planes of queries and keys.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/anim/labels.h"
#include "app/state/state.h"
#include "core/study/heads.h"
#include "core/study/plane.h"
#include "core/study/products.h"

namespace app {

/// The pages of the screen, in the order of the switch.
inline constexpr std::string_view kHeadsPages[] = {"lines", "grid", "neuron", "plane"};
/// The page asked for where it is one; else the first.
std::string_view heads_page(std::string_view asked);

/// The heads of one attention: one layer of one part.
struct HeadsPlace {
    attn::Tag at;
    std::vector<int> maps;  ///< of HeadsData::maps, a head each
    std::vector<std::string> query_names, key_names;
    std::vector<bool> hidden;  ///< keys that are left out
    double hidden_weight = 0;  ///< share of all weight that lies on them
    attn::Matrix average, largest;
    Eigen::MatrixXi strongest;  ///< index of `maps`; −1: none
};

/// Something that is drawn as lines or as a heatmap.
struct DrawnMap {
    int head = -1;  ///< from 0; −1: of several heads
    attn::Matrix weights;
    float most = 0;                       ///< the largest in it
    std::vector<double> received, given;  ///< by key over the picked queries, by query over the picked keys
};

/// One key against the picked query.
struct NeuronRow {
    std::optional<attn::FeatureProducts> products;
    std::vector<float> values;  ///< a number for each step of NeuronData::path
};
struct NeuronData {
    int query = 0;
    std::vector<attn::StepId> path;              ///< scores … weights
    std::vector<attn::Cell> cells;               ///< of the last step of the path, a key each
    std::vector<NeuronRow> rows;                 ///< a key each; empty: the scores are no sums of products
    bool same_left = false, same_right = false;  ///< one vector for all keys
    float left_most = 0, right_most = 0, product_most = 0, score_most = 0;  ///< magnitudes
};

/// A vector that is drawn as an arrow, and the row that it is.
struct PlaneVector {
    CellRef at;  ///< its first number
    attn::PlanePoint tip{};
};
struct PlaneData {
    attn::StepId queries = attn::kNoStep, keys = attn::kNoStep;  ///< their rows are the vectors; kNoStep: none are
    bool same = false;  ///< both are one matrix: vectors that look at themselves
    int query = 0, key = 0;
    attn::Plane plane;
    attn::PairMeasure measure;
    PlaneVector left, right;
    attn::PlanePoint foot{};  ///< of the projection of left on right, as it falls in the plane
    std::vector<attn::PlanePoint> query_tips, key_tips;
    /// What W_Q and W_K do: the plane of the inputs, where it goes, and where each token stands before and after.
    struct Side {
        attn::StepId weight = attn::kNoStep;  ///< kNoStep: there is none here
        attn::PlaneMap map;
        attn::Plane from, to;
        std::vector<attn::PlanePoint> before, after;
        attn::StepId output = attn::kNoStep;
    };
    Side query_side, key_side;
};

struct HeadsData {
    std::vector<attn::AttentionMap> maps;
    std::vector<attn::Matrix> weights;  ///< of each map, as shown: hidden keys are NaN
    std::vector<HeadsPlace> places;
    int place = -1;                            ///< of `places`; −1: there are no weights
    int head = 0;                              ///< the one that the stage shows, inside the place
    float most = 0;                            ///< the largest weight of all
    std::optional<attn::Cell> at_first;        ///< the weight that is looked at before any is picked
    unsigned revision = 0, page_revision = 0;  ///< of `weights` and what is made of them; of `drawn`
    std::vector<DrawnMap> drawn;               ///< lines
    attn::AttentionLines lines;                ///< lines: `map` is an index of `drawn`
    std::vector<attn::AttentionLines> small;   ///< grid, as lines: one for each map
    NeuronData neuron;
    PlaneData plane;

    const HeadsPlace* here() const { return place < 0 ? nullptr : &places[static_cast<std::size_t>(place)]; }
    /// The map of the head that is shown; there is one where here() is not null.
    const attn::AttentionMap& map() const {
        return maps[static_cast<std::size_t>(here()->maps[static_cast<std::size_t>(head)])];
    }
};

/// The number that is looked at now, and the one to go back to where that is no query with a key.
struct LookedAt {
    std::optional<attn::Cell> now, rest;
    bool operator==(const LookedAt&) const = default;
};

/// What is made from the run alone and from which keys are left out.
void make_heads(const attn::Trace& trace, const AxisLabels& labels, const HeadsChoice& choice, HeadsData& out);
/// What a page shows.
void make_heads_page(const attn::Trace& trace, const HeadsChoice& choice, int head, const LookedAt& cells,
                     HeadsData& out);

/// Row and column of a number of the attention that is shown: of its scores, weights, or anything between.
struct QueryKey {
    int query = 0, key = 0;
    bool operator==(const QueryKey&) const = default;
};
std::optional<QueryKey> query_key_of(const attn::Trace& trace, const attn::AttentionMap& map, attn::Cell cell);
/// The weight of a query with a key; of several heads (head −1) the strongest's.
std::optional<CellRef> weight_at(const attn::Trace& trace, const HeadsData& data, int head, QueryKey at);

/// Moves the tip of a drawn vector: its row's numbers that change, typed over.
void move_tip(attn::Document& document, const attn::Trace& trace, const attn::Plane& plane, const CellRef& at,
              attn::PlanePoint tip);

}  // namespace app
