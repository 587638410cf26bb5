#pragma once
// The stage: lays out a step of the trace, at a given progress of its motion, as a scene. Pure: the same input gives
// the same picture, so that going back, scrubbing and exporting share this code.

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "app/draw/recent.h"
#include "app/draw/scene.h"
#include "app/layout/omission.h"
#include "app/timeline/colors.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"
#include "app/timeline/step_ranges.h"
#include "app/timeline/timeline.h"
#include "core/attention/forms/attention.h"
#include "core/ops/explain.h"
#include "core/trace/counting.h"

namespace app {

/// Lengths in physical pixels.
struct StageStyle {
    float scale = 1;      ///< pixels per design pixel
    float cell_max = 54;  ///< pitch of a cell, gap included
    float gap = 3;
    float ribbon = 28;        ///< from a token to its row; half of it above columns
    float between = 40;       ///< between operands and result
    float label = 13.5f;      ///< em of the row and column labels
    float label_width = 120;  ///< a token's label is truncated to this
    float caption = 40;       ///< height reserved for the captions below
    float aside = 190;        ///< width of the column next to the result
    float aside_gap = 34;
    float line = 40;  ///< pitch of a line in that column
    float chip_w = 52, chip_h = 29;
    float legend_w = 200, legend_h = 9;
    /// Height of the figures that must be readable in every shown cell, and width of one digit, in pixels. Cells grow
    /// until they are readable, and what then does not fit is folded. 0: cells just fill the available room.
    float figure = 0, digit = 0;
    float small_figure = 0, small_digit = 0;  ///< of the smaller type tried if those do not fit; 0: none
    bool presenting = false;  ///< projector mode: only what is needed is written
    Omitted omitted = omitted_before(Omittable::Funnels);  ///< what has already made room for the figures
    StageStyle scaled(float factor) const;
};

/// Where the scores of a head were computed: all that is then done to them is drawn there, cell by cell, up to the
/// weights.
struct ScoreSheet {
    Grid grid;
    float top = 0;  ///< of the operand that was above it: from there down to the sheet the stage is free
    bool operator==(const ScoreSheet&) const = default;
};

/// How a scene is folded so that its figures are readable: the most lines and uprights of a matrix and terms of a
/// product that are shown, and how narrow cells are.
struct Folding {
    float narrow = 1;
    bool alone = false;  ///< only the result, without its operands
    Omitted omitted = omitted_before(Omittable::Funnels);
    int lines = kAll, uprights = kAll, terms = kAll;
    float thin_lines = 1, thin_uprights = 1;  ///< pitch of lines and uprights out of focus, relative to a full one
    bool small = false;                       ///< the figures are set in the smaller type
    bool words = false;                       ///< the weights are labelled with their words, even if that folds more
    std::optional<ScoreSheet> sheet{};        ///< of a step whose value has the shape of the scores
    static constexpr int kAll = 1 << 30;
    bool thins() const { return thin_lines < 1 || thin_uprights < 1; }
    bool folds() const { return lines < kAll || uprights < kAll || terms < kAll; }
    bool operator==(const Folding&) const = default;
};

/// What layouts compute of the rows of one run. A step is laid out in every frame, and several times with different
/// foldings, while a vocabulary has tens of thousands of columns.
class LongRows {
public:
    struct Key {
        const attn::Step* step = nullptr;
        int row = 0, must = -1;
        bool terms = false;  ///< of the sum that makes cell (row, must), not columns of the row
        bool operator==(const Key&) const = default;
    };
    /// The indices with the largest weights, the largest first.
    template <class Rank>
    const std::vector<int>& largest(const Key& key, Rank rank) {
        return ranked_.get(key, rank);
    }
    /// The finite numbers of a whole value.
    struct Distribution {
        static constexpr int kBins = 21 * 64;
        double mean = 0, deviation = 0;
        std::array<int, kBins> bins{};  ///< from −limit to limit
    };
    template <class Make>
    const Distribution& distribution(const attn::Step& of, Make make) {
        return distributions_.get(&of, make);
    }
    const attn::Explanation& explained(const attn::Trace& trace, attn::Cell cell) {
        return explained_.get(cell, [&] { return attn::explain(trace, cell); });
    }

private:
    Recent<Key, std::vector<int>, 32> ranked_;
    Recent<attn::Cell, attn::Explanation, 4> explained_;
    Recent<const attn::Step*, Distribution, 4> distributions_;
};

struct StageInput {
    const attn::Trace& trace;
    const StepRanges& ranges;
    const AxisLabels& labels;
    Pose pose;
    std::optional<attn::Cell> focus;
    Rect area;
    StageStyle style;
    Language language = Language::English;
    bool shared_scale = false;
    attn::Convention convention = attn::Convention::Rows;
    std::function<float(std::string_view, Type)> measure;
    bool cube = false;  ///< products of matrices are drawn as a cube
    std::optional<attn::Cell> explained = {};  ///< the explained cell of the step, used where the focus is elsewhere
    attn::CountFrom count = attn::CountFrom::One;  ///< for heads
    std::optional<Folding> folding = {};  ///< from folding_for()
    std::shared_ptr<LongRows> rows = std::make_shared<LongRows>();  ///< shared by its copies, and by all inputs with this trace
};

/// How the scene must be folded for `style.figure` to be readable in every cell; nothing if no figures are requested.
/// It does not change during a step's motion.
std::optional<Folding> folding_for(const StageInput& in);
/// A step with too long a side is shown as a map: at normal size (not presenting), no figures are requested for it.
bool is_map(const StageInput& in);

/// Characters of the step's longest number: what a cell must have room for.
float longest_number(const StepRange& range);
/// The same for the row in focus, whose numbers may have one decimal less if two do not fit.
float shortest_number(const StepRange& range);

/// Whether a step can be drawn as a cube: a product of two matrices that are both on the stage. Of a large vocabulary
/// the vectors are left out.
bool can_be_cube(const attn::Trace& trace, attn::StepId id);

void lay_out(const StageInput& in, Scene& scene);
/// The end of a story: the words, and the arcs of the word that was followed, as thick as its weights. For the last
/// word of a text that is continued (`goes_on`) also an empty place with the words that may come there; for two texts,
/// both of them, with a line for each weight.
void lay_out_arcs(const StageInput& in, const StoryEnd& end, attn::StepId weights, int query, bool goes_on, Scene& scene);

}  // namespace app
