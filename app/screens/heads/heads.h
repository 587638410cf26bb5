#pragma once
// What the heads screen shows, computed here and never in a view: the maps of attention as they are drawn, the lines
// worth drawing, what tokens give and get, one query's scores taken apart, and planes of queries and keys.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/pyramid.h"
#include "app/layout/word_steps.h"
#include "app/screens/heads/look.h"
#include "app/screens/heads/ranked.h"
#include "app/state/computed.h"
#include "app/state/picture.h"
#include "app/state/state.h"
#include "app/timeline/labels.h"
#include "core/analysis/head_roles.h"
#include "core/analysis/heads.h"
#include "core/analysis/measures.h"
#include "core/analysis/plane.h"
#include "core/analysis/products.h"
#include "core/analysis/through_layers.h"

namespace app {

/// The pages of the screen, in the order of the switch.
inline constexpr std::string_view kHeadsPages[] = {"lines", "alignment", "grid", "ranked", "through", "neuron", "plane", "regions"};
/// The page asked for where it is one. Nothing asked for: the alignment of two texts where there is one, the regions of a picture,
/// else lines, as where an alignment is asked for and there is none.
std::string_view heads_page(std::string_view asked, bool aligns, bool pictured);

/// Numbers that live as long as somebody holds them: a step's own, with its run, or some that were made from them.
using SharedMatrix = std::shared_ptr<const attn::Matrix>;

/// How far the weights of a map reach, and how far nearly all of a large one do (bulk_of): its colours span that.
struct Spread {
    float most = 0, bulk = 0;
    bool is_cut() const { return bulk > 0 && bulk < most; }
    float colored() const { return is_cut() ? bulk : most; }
};

/// A map of a long text as it looks from afar: what stands for it wherever nobody looks at the whole.
struct FarMap {
    PyramidLevel cells;  ///< at most kSmallestLevel along a side
    int block = 1;       ///< numbers of the map along a side of one of them
};
using SharedFar = std::shared_ptr<const FarMap>;

/// Where several heads are strongest, from nearer to farther away: of each block of cells the head with the largest
/// weight in it and how large that is, in one number, so that a picture of it is a picture of numbers.
struct StrongestLevel {
    static constexpr int kSteps = 16;  ///< a head has the numbers from head · kSteps to head · kSteps + kSteps − 1
    /// `share`: of Spread::colored() of the place's largest weights, 0 … 1.
    static float code_of(int head, float share) {
        return static_cast<float>(head * kSteps) + share * static_cast<float>(kSteps - 1);
    }
    static int head_of(float code) { return code < 0 ? -1 : static_cast<int>(code) / kSteps; }
    static float share_of(float code) {
        return (code - static_cast<float>(head_of(code) * kSteps)) / static_cast<float>(kSteps - 1);
    }

    int block = 1;      ///< cells along a side
    attn::Matrix code;  ///< −∞ where no head has any weight
};

/// The heads of one attention: one layer of one part.
struct HeadsPlace {
    attn::Tag at;
    std::vector<int> maps;  ///< of HeadsData::maps, a head each
    std::vector<std::string> query_names, key_names;
    std::vector<bool> blank_queries, blank_keys;                   ///< words that the model never saw: nothing is claimed of them
    std::vector<bool> hidden;                                      ///< keys that are left out
    double hidden_weight = 0;                                      ///< share of all weight that lies on them
    SharedMatrix average, largest;                                 ///< null: nobody looks at it
    Spread average_spread, spread;                                 ///< of the average; of the largest
    std::shared_ptr<const std::vector<StrongestLevel>> strongest;  ///< the finest first; null: nobody looks at it
    SharedFar far_average, far_largest;                            ///< of a long text: in place of the whole
    bool looked_through = false;  ///< spreads, roles and hidden weight are known
    bool from_afar = false;       ///< and all that stands for the whole

    bool is_blank(int query, int key) const {
        return blank_queries[static_cast<std::size_t>(query)] || blank_keys[static_cast<std::size_t>(key)];
    }
    bool has_blanks() const {
        const auto any = [](const std::vector<bool>& blank) { return std::find(blank.begin(), blank.end(), true) != blank.end(); };
        return any(blank_queries) || any(blank_keys);
    }
    int queries() const { return static_cast<int>(query_names.size()); }
    int keys() const { return static_cast<int>(key_names.size()); }
    /// Too many cells for a rectangle each, and for what can be made between two frames.
    bool is_large() const;
};

/// Row and column of a number of an attention: of its scores, weights, or anything between.
struct QueryKey {
    int query = 0, key = 0;
    bool operator==(const QueryKey&) const = default;
};

/// Something that is drawn as lines or as a heatmap.
struct DrawnMap {
    int head = -1;  ///< from 0; −1: of several heads
    SharedMatrix weights;
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

/// What arrives behind several layers, told from their maps (core/analysis/through_layers.h).
struct ThroughData {
    attn::Through which = attn::Through::Rollout;
    attn::Part part = attn::Part::Main;
    int stacks = 0;            ///< that have maps of one text by itself; 0: none has
    int layers = 0, used = 0;  ///< of the stack; of these so many, from the first
    SharedMatrix map;          ///< as shown: hidden keys are NaN; null: there is none, or the text is too long for it
    float most = 0;
    int place = -1;            ///< of HeadsData::places, whose tokens are its own
    bool too_long = false;
};

/// How the words of one text look at those of another.
struct AlignmentData {
    /// Two words that follow each other, and look at two that follow each other the other way round: `query` and the next
    /// one, `key` and the next one; of several pairs the surest.
    std::optional<QueryKey> swap;
    /// What is said behind a row, and how sure it is; empty: the run says no words.
    struct Said {
        std::string word;
        float share = 0;
    };
    std::vector<Said> said;
    /// Of each row the word that is written there; and the word that was read before, from which it is written. Empty
    /// `read`: nothing is written, the words themselves ask.
    std::vector<std::string> written, read;
    attn::StepId sources = attn::kNoStep;  ///< a vector for each word that is looked at; kNoStep: there is none
    /// What asks for each word that is written: a decoder's state before it, or its vector; empty: there are none.
    std::vector<attn::Cell> asking;
    /// What a row's weights mix, and what the decoder makes of it: its state, or its vector behind all layers. Empty: the
    /// run has none. `units`: a state each, with the gates that stand in its box.
    std::vector<attn::Cell> contexts, states;
    std::vector<WordStep> units;
};

struct HeadsData {
    std::vector<attn::AttentionMap> maps;
    /// Of each map, as shown: hidden keys are NaN. Null: the text is long, and nobody looks at the whole of it.
    std::vector<SharedMatrix> weights;
    std::vector<SharedFar> far;         ///< of each map of a long text that was seen from afar
    std::vector<Spread> spreads;        ///< of each map
    std::vector<std::optional<attn::HeadRoles>> roles;  ///< of each map; none: its queries and keys are not of one text
    std::vector<HeadsPlace> places;
    int place = -1;                            ///< of `places`; −1: there are no weights
    int head = 0;                              ///< the one that the stage shows, inside the place
    float most = 0;                            ///< the largest weight of all
    std::optional<attn::Cell> at_first;        ///< the weight that is looked at before any is picked
    std::string page;                          ///< of which the rest is made
    bool computing = false;                    ///< something newer is on its way: what is here may be empty, or older
    unsigned revision = 0, page_revision = 0;  ///< of `weights` and what is made of them; of `drawn`
    std::vector<DrawnMap> drawn;               ///< lines
    int left_out = 0;                          ///< lines: heads that the memory budget has no room to draw
    attn::AttentionLines lines;                ///< lines: `map` is an index of `drawn`
    std::vector<attn::AttentionLines> small;   ///< grid, as lines: one for each map
    attn::Measure measure = attn::Measure::Weight;  ///< of the maps; what was asked for, where the run has it
    NeuronData neuron;
    PlaneData plane;
    ThroughData through;
    AlignmentData alignment;
    RankedHeads ranked;       ///< the table, and the tint of the grid
    bool can_repeat = false;  ///< it can be measured on repeated random words
    std::optional<HeadsPicture> picture;  ///< whose patches are looked at; none: the run is of a text

    /// Words of one text look at those of another, few enough for a cell each.
    bool aligns(const HeadsPlace& of) const;
    bool aligns() const { return std::any_of(places.begin(), places.end(), [this](const HeadsPlace& one) { return aligns(one); }); }
    const HeadsPlace* here() const { return place < 0 ? nullptr : &places[static_cast<std::size_t>(place)]; }
    /// The map of the head that is shown; there is one where here() is not null.
    const attn::AttentionMap& map() const {
        return maps[static_cast<std::size_t>(here()->maps[static_cast<std::size_t>(head)])];
    }
    const attn::Matrix& weights_of(const HeadsPlace& from, int of_head) const {
        return *weights[static_cast<std::size_t>(from.maps[static_cast<std::size_t>(of_head)])];
    }
    /// All heads of a place, for what is asked of several; null where `weights` is.
    std::vector<const attn::Matrix*> of_place(const HeadsPlace& from) const;
    /// Numbers that are kept for the screen in all, each matrix once.
    std::size_t numbers_held() const;
};

/// The number that is looked at now, and the one to go back to where that is no query with a key.
struct LookedAt {
    std::optional<attn::Cell> now, rest;
    bool operator==(const LookedAt&) const = default;
};

/// What is made from the run alone and from which keys are left out. Whole maps are looked at where they are; only
/// where keys are left out, or queries were asked one at a time, they are copied. Maps of long texts are not made yet.
/// Ends early where `stop` is asked for.
void make_heads(const std::shared_ptr<const Computed>& run, const AxisLabels& labels, const HeadsChoice& choice,
                HeadsData& out, const std::stop_token& stop = {});
/// What a page shows. Of long texts only the maps that it shows whole are kept, within the memory budget; others are
/// made one after the other where something of them is asked for, and told of on the way: the maps of 144 heads take a
/// while, and each can be looked at once it is there. `shared_scale`: the largest weight of all is.
using SoFar = std::function<void(const HeadsData&)>;
void make_heads_page(const attn::Trace& trace, const AxisLabels& labels, const HeadsChoice& choice, int head, bool shared_scale,
                     const LookedAt& cells, HeadsData& out, const std::stop_token& stop = {}, const SoFar& so_far = {});
/// The part of a choice that a page is made from: the rest is for the view alone.
HeadsChoice read_by_page(const HeadsChoice& choice);
/// The flow of a text of some length takes a while, and so do values taken through the output matrix.
bool takes_long(const attn::Trace& trace, const HeadsChoice& choice);
/// So many numbers in all maps of a run that they are not looked through between two frames.
bool has_large_heads(const attn::Trace& trace);

struct Derived;
/// On the page of alignments: how much of a row has been written at the playhead, 0 … 1.
float written_share(const Derived& derived, const HeadsData& data, int row);
/// The row that is being written; between two the one before. −1: all rows are written, or none is.
int written_last(const Derived& derived, const HeadsData& data);

std::optional<QueryKey> query_key_of(const attn::Trace& trace, const attn::AttentionMap& map, attn::Cell cell);
/// The weight of a query with a key; of several heads (head −1) the strongest's.
std::optional<CellRef> weight_at(const attn::Trace& trace, const HeadsData& data, int head, QueryKey at);

/// Moves the tip of a drawn vector: its row's numbers that change, typed over.
void move_tip(attn::Document& document, const attn::Trace& trace, const attn::Plane& plane, const CellRef& at,
              attn::PlanePoint tip);

}  // namespace app
