#pragma once
// The data of the heads screen, computed here and never in a view: the maps of attention, the lines worth drawing, the
// sums of weights per token, the decomposition of one query's scores, and planes of queries and keys.

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
#include "app/screens/heads/circuit.h"
#include "app/screens/heads/composition.h"
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
inline constexpr std::string_view kHeadsPages[] = {"lines", "alignment", "grid", "ranked", "through", "neuron", "plane", "regions", "composition", "circuit"};
/// The requested page, if there is one. If none is requested: the alignment for two texts, the regions for a picture,
/// else the lines, which also replace a requested alignment if there is none.
std::string_view heads_page(std::string_view requested, bool aligns, bool pictured);

/// A matrix kept alive by its users: a step's own (together with its run), or one computed from it.
using SharedMatrix = std::shared_ptr<const attn::Matrix>;

/// A list that copies share, so that the data can be handed on, as far as it is made, for every head that is ready.
template <class T>
class SharedList {
public:
    SharedList& operator=(std::vector<T> list) {
        list_ = std::make_shared<const std::vector<T>>(std::move(list));
        return *this;
    }
    operator const std::vector<T>&() const { return *list_; }
    const T& operator[](std::size_t i) const { return (*list_)[i]; }
    std::size_t size() const { return list_->size(); }
    auto begin() const { return list_->begin(); }
    auto end() const { return list_->end(); }

private:
    std::shared_ptr<const std::vector<T>> list_ = std::make_shared<const std::vector<T>>();
};

/// The largest weight of a map and, for a large one, the range of nearly all weights (bulk_of), which the colours span.
struct Spread {
    float most = 0, bulk = 0;
    bool is_cut() const { return bulk > 0 && bulk < most; }
    float colored() const { return is_cut() ? bulk : most; }
};

/// A reduced map of a long text, shown where the whole map is not needed.
struct FarMap {
    PyramidLevel cells;  ///< at most kSmallestLevel along a side, and less where there are very many heads
    int block = 1;       ///< how many cells of the map one of these covers along a side
};
using SharedFar = std::shared_ptr<const FarMap>;

/// The strongest of several heads, at decreasing resolution: for each block of cells the head with the largest weight
/// in it, and that weight, encoded in one number so that the usual heatmaps can draw it.
struct StrongestLevel {
    static constexpr int kSteps = 16;  ///< head h has the numbers from h · kSteps to h · kSteps + kSteps − 1
    /// `share`: relative to Spread::colored() of the place's largest weights, 0 … 1.
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
    std::vector<int> maps;  ///< indices into HeadsData::maps, one per head
    SharedList<std::string> query_names, key_names;
    std::vector<bool> blank_queries, blank_keys;                   ///< never seen by the model: nothing is claimed
    std::vector<bool> hidden;                                      ///< hidden keys
    double hidden_weight = 0;                                      ///< share of all weight that lies on them
    SharedMatrix average, largest;                                 ///< null: not needed by the page
    Spread average_spread, spread;                                 ///< of the average; of the largest
    std::shared_ptr<const std::vector<StrongestLevel>> strongest;  ///< the finest first; null: not needed by the page
    SharedFar far_average, far_largest;                            ///< for a long text, instead of the whole maps
    bool looked_through = false;  ///< spreads, roles and hidden weight are known
    bool from_afar = false;       ///< so are the reduced maps

    bool is_blank(int query, int key) const {
        return blank_queries[static_cast<std::size_t>(query)] || blank_keys[static_cast<std::size_t>(key)];
    }
    bool has_blanks() const {
        const auto any = [](const std::vector<bool>& blank) { return std::find(blank.begin(), blank.end(), true) != blank.end(); };
        return any(blank_queries) || any(blank_keys);
    }
    int queries() const { return static_cast<int>(query_names.size()); }
    int keys() const { return static_cast<int>(key_names.size()); }
    /// Too many cells to draw each as a rectangle, or to process between two frames.
    bool is_large() const;
};

/// Row and column of a number of an attention: a score, a weight, or anything in between.
struct QueryKey {
    int query = 0, key = 0;
    bool operator==(const QueryKey&) const = default;
};

/// Something drawn as lines or as a heatmap.
struct DrawnMap {
    int head = -1;  ///< −1: several heads together
    SharedMatrix weights;                 ///< null: it stays in its file, and its rows are read when they are looked at
    float most = 0;                       ///< the largest weight in it
    std::vector<double> received, given;  ///< per key, summed over the picked queries; per query, over the picked keys
};

/// One key against the picked query.
struct NeuronRow {
    std::optional<attn::FeatureProducts> products;
    std::vector<float> values;  ///< one number for each step of NeuronData::path
};
struct NeuronData {
    int query = 0;
    std::vector<attn::StepId> path;              ///< from scores to weights
    std::vector<attn::Cell> cells;               ///< of the last step of the path, one per key
    std::vector<NeuronRow> rows;                 ///< one per key; empty: the scores are not sums of products
    bool same_left = false, same_right = false;  ///< the same vector for all keys
    float left_most = 0, right_most = 0, product_most = 0, score_most = 0;  ///< magnitudes
};

/// A vector drawn as an arrow, and the matrix row that it shows.
struct PlaneVector {
    CellRef at;  ///< its first number
    attn::PlanePoint tip{};
};
struct PlaneData {
    attn::StepId queries = attn::kNoStep, keys = attn::kNoStep;  ///< their rows are the vectors; kNoStep: none
    bool same = false;  ///< both are the same matrix: vectors that attend to themselves
    int query = 0, key = 0;
    attn::Plane plane;
    attn::PairMeasure measure;
    PlaneVector left, right;
    attn::PlanePoint foot{};  ///< of the projection of left onto right, within the plane
    std::vector<attn::PlanePoint> query_tips, key_tips;
    /// The effect of W_Q and W_K: the plane of the inputs, its image, and each token's position before and after.
    struct Side {
        attn::StepId weight = attn::kNoStep;  ///< kNoStep: there is none here
        attn::PlaneMap map;
        attn::Plane from, to;
        std::vector<attn::PlanePoint> before, after;
        attn::StepId output = attn::kNoStep;
    };
    Side query_side, key_side;
};

/// What arrives after several layers, computed from their maps (core/analysis/through_layers.h).
struct ThroughData {
    attn::Through which = attn::Through::Rollout;
    attn::Part part = attn::Part::Main;
    int stacks = 0;            ///< how many stacks have maps of one text to itself; 0: none
    int layers = 0, used = 0;  ///< of the stack, and how many of them are used, from the first on
    SharedMatrix map;          ///< as shown: hidden keys are NaN; null: there is none, or the text is too long
    float most = 0;
    int place = -1;            ///< index into HeadsData::places: the place whose tokens it has
    bool too_long = false;
};

/// How the words of one text attend to those of another.
struct AlignmentData {
    /// Two neighbouring words that attend to two neighbouring words in reverse order: `query` and the next one, `key`
    /// and the next one; of several such pairs, the most certain.
    std::optional<QueryKey> swap;
    /// The prediction after a row, and its probability; empty: the run predicts no words.
    struct Said {
        std::string word;
        float share = 0;
    };
    std::vector<Said> said;
    /// For each row, the word written there, and the word read before it. Empty `read`: nothing is written, the words
    /// themselves are the queries.
    std::vector<std::string> written, read;
    attn::StepId sources = attn::kNoStep;  ///< a vector for each key word; kNoStep: there is none
    /// The query of each written word: the decoder's previous state, or its vector; empty: there are none.
    std::vector<attn::Cell> asking;
    /// What a row's weights mix, and what the decoder makes from it: its state, or its vector after all layers. Empty:
    /// the run has none. `units`: one per state, with the gates inside its box.
    std::vector<attn::Cell> contexts, states;
    std::vector<WordStep> units;
};

struct HeadsData {
    SharedList<attn::AttentionMap> maps;
    /// For each map, as shown: hidden keys are NaN. Null: the text is long, and the page does not need the whole map.
    std::vector<SharedMatrix> weights;
    std::vector<SharedFar> far;         ///< for each map of a long text that has been reduced
    std::vector<Spread> spreads;        ///< for each map
    std::vector<std::optional<attn::HeadRoles>> roles;  ///< for each map; none: its queries and keys are of two texts
    std::vector<HeadsPlace> places;
    int place = -1;                            ///< index into `places`; −1: there are no weights
    int head = 0;                              ///< the one that the stage shows, within the place
    float most = 0;                            ///< the largest weight in any map
    std::optional<attn::Cell> at_first;        ///< the weight in focus before any is picked
    std::string page;                          ///< the page for which the rest was made
    bool computing = false;                    ///< newer data is being computed: what is here may be empty or old
    unsigned revision = 0, page_revision = 0;  ///< of `weights` and what is made from them; of `drawn`
    std::vector<DrawnMap> drawn;               ///< lines
    int left_out = 0;                          ///< lines: heads that do not fit into the memory budget
    attn::AttentionLines lines;                ///< lines: `map` is an index into `drawn`
    std::vector<attn::AttentionLines> small;   ///< grid, drawn as lines: one for each map
    attn::Measure measure = attn::Measure::Weight;  ///< of the maps; the requested one, if the run has it
    NeuronData neuron;
    PlaneData plane;
    ThroughData through;
    AlignmentData alignment;
    RankedHeads ranked;       ///< the table, and the colours of the grid
    CompositionData composition;
    std::shared_ptr<const CircuitData> circuit = std::make_shared<CircuitData>();  ///< the maker's own
    bool can_repeat = false;  ///< roles can be measured on repeated random words
    std::optional<HeadsPicture> picture;  ///< the picture whose patches are the tokens; none: the run is of a text

    /// Whether the words of one text attend to those of another, and few enough to draw every cell.
    bool aligns(const HeadsPlace& of) const;
    bool aligns() const { return std::any_of(places.begin(), places.end(), [this](const HeadsPlace& one) { return aligns(one); }); }
    const HeadsPlace* here() const { return place < 0 ? nullptr : &places[static_cast<std::size_t>(place)]; }
    /// The map of the shown head; it exists if here() is not null.
    const attn::AttentionMap& map() const {
        return maps[static_cast<std::size_t>(here()->maps[static_cast<std::size_t>(head)])];
    }
    const attn::Matrix& weights_of(const HeadsPlace& from, int of_head) const {
        return *weights[static_cast<std::size_t>(from.maps[static_cast<std::size_t>(of_head)])];
    }
    /// All heads of a place, for functions of several heads; null where `weights` is.
    std::vector<const attn::Matrix*> of_place(const HeadsPlace& from) const;
    /// The total of numbers held for the screen, counting each matrix once.
    std::size_t numbers_held() const;
};

/// The number in focus, and the one to fall back to if that is not a pair of query and key.
struct LookedAt {
    std::optional<attn::Cell> now, rest;
    bool operator==(const LookedAt&) const = default;
};

/// What depends only on the run and on the hidden keys. Whole maps are used in place; they are copied only if keys are
/// hidden, or if queries were processed one at a time. Maps of long texts are not made yet. Returns early if `stop` is
/// requested.
void make_heads(const std::shared_ptr<const Computed>& run, const AxisLabels& labels, const HeadsChoice& choice,
                HeadsData& out, const std::stop_token& stop = {});
/// What a page shows. For long texts only the maps that it shows whole are kept, within the memory budget; others are
/// computed one after the other where something of them is needed. Progress is reported through `so_far`: the maps of
/// 144 heads take a while, and each can be viewed once it is there. `shared_scale`: the largest weight of all maps is
/// needed.
using SoFar = std::function<void(const HeadsData&)>;
void make_heads_page(const attn::Trace& trace, const AxisLabels& labels, const HeadsChoice& choice, int head, bool shared_scale,
                     const LookedAt& cells, HeadsData& out, const std::stop_token& stop = {}, const SoFar& so_far = {});
/// The part of a choice on which a page's data depends; the rest concerns only the view.
HeadsChoice read_by_page(const HeadsChoice& choice);
/// Flow (max-flow through all layers) takes a while for a text of some length; so do values multiplied by the output
/// matrix.
bool takes_long(const attn::Trace& trace, const HeadsChoice& choice);
/// Whether a run's maps have too many numbers to process between two frames.
bool has_large_heads(const attn::Trace& trace);
/// Whether they stay in their file, and are read when they are looked at.
bool reads_maps_from_disk(const attn::Trace& trace);
/// Such a map's row as shown; nothing if it is another.
std::optional<attn::RowVector> row_on_disk(const attn::Trace& trace, const HeadsData& data, const HeadsPlace& place, int head, int query);

struct Derived;
/// On the page of alignments: how much of a row has been written at the playhead, 0 … 1.
float written_share(const Derived& derived, const HeadsData& data, int row);
/// The row that is being written; between two the one before. −1: all rows are written, or none is.
int written_last(const Derived& derived, const HeadsData& data);

std::optional<QueryKey> query_key_of(const attn::Trace& trace, const attn::AttentionMap& map, attn::Cell cell);
/// The weight of a query with a key; for several heads (head −1) the strongest one's.
std::optional<CellRef> weight_at(const attn::Trace& trace, const HeadsData& data, int head, QueryKey at);

/// Moves the tip of a drawn vector by overwriting those numbers of its row that change.
void move_tip(attn::Document& document, const attn::Trace& trace, const attn::Plane& plane, const CellRef& at,
              attn::PlanePoint tip);

}  // namespace app
