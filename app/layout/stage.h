#pragma once
// The stage: a step of the trace and how far its motion is, laid out as a scene. Pure; the same input is the same
// picture, so going back, scrubbing and exporting are the same code.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/content/strings.h"
#include "app/draw/scene.h"
#include "app/layout/giving_way.h"
#include "app/timeline/colors.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"
#include "app/timeline/step_ranges.h"
#include "app/timeline/timeline.h"
#include "core/attention/forms/attention.h"
#include "core/trace/counting.h"

namespace app {

/// Lengths in real pixels, by name.
struct StageStyle {
    float scale = 1;      ///< pixels per design pixel
    float cell_max = 54;  ///< pitch of a cell, gap included
    float gap = 3;
    float ribbon = 28;        ///< from a token to its row; above columns half of it
    float between = 40;       ///< between operands and result
    float label = 13.5f;      ///< em of row and column labels
    float label_width = 120;  ///< a token's label is never wider
    float caption = 40;       ///< height kept for the captions below
    float aside = 190;        ///< width of the column beside the result
    float aside_gap = 34;
    float line = 40;  ///< pitch of a line in the column beside
    float chip_w = 52, chip_h = 29;
    float legend_w = 200, legend_h = 9;
    /// Figures that must be readable in every cell that stands, in pixels: how high, and how wide one of them is. Cells
    /// grow until they are, and what does not fit folds away. 0: cells are as large as there is room, figures or not.
    float figure = 0, digit = 0;
    float small_figure = 0, small_digit = 0;  ///< of the type that is tried where those have no room; 0: none is
    bool room = false;  ///< before a room: nothing is said but what is needed
    Given given = given_before(Gives::Funnels);  ///< what has gone to leave the figures room
    StageStyle scaled(float factor) const;
};

/// Where the scores of a head came out: what is done to them is done there, cell by cell, until they are weights.
struct ScoreSheet {
    Grid grid;
    float top = 0;  ///< of the operand that stood above it: from there to the sheet the stage is free, as it is left of it
    bool operator==(const ScoreSheet&) const = default;
};

/// How a scene is folded so that its figures can be read: how many lines and uprights of a matrix stand at most, how
/// many of the terms of a product, and how many times as wide as high a cell is.
struct Folding {
    float narrow = 1;
    bool alone = false;  ///< what the step makes, without what it is made of
    Given given = given_before(Gives::Funnels);
    int lines = kAll, uprights = kAll, terms = kAll;
    float thin_lines = 1, thin_uprights = 1;  ///< what is not spoken of, of a pitch
    bool small = false;                       ///< the figures are those of the smaller type
    bool words = false;                       ///< weights carry the words that they are given to, whatever folds for it
    std::optional<ScoreSheet> sheet{};        ///< of a step that keeps the shape of scores
    static constexpr int kAll = 1 << 30;
    bool thins() const { return thin_lines < 1 || thin_uprights < 1; }
    bool folds() const { return lines < kAll || uprights < kAll || terms < kAll; }
    bool operator==(const Folding&) const = default;
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
    bool cube = false;  ///< products of matrices stand as a cube
    std::optional<attn::Cell> told = {};  ///< of the pose's step: what its motion is about where the focus lies elsewhere
    attn::CountFrom count = attn::CountFrom::One;  ///< heads
    std::optional<Folding> folding = {};  ///< as folding_for() says
};

/// How the scene must be folded for `style.figure` to be readable in every cell; none: no figures are asked for.
/// The same for all of a step's motion.
std::optional<Folding> folding_for(const StageInput& in);
/// At the desk a step with a side as long as this is a map: it asks for no figures.
bool is_map(const StageInput& in);

/// Characters of the longest number of a step: what a cell must have room for.
float longest_number(const StepRange& range);
/// The same in the row that is spoken of: a decimal less where two are too wide.
float shortest_number(const StepRange& range);

void lay_out(const StageInput& in, Scene& scene);
/// What a story ends on: the words, and the arcs of the one that was followed, as thick as its weights.
/// Of the last word of a text that goes on (`goes_on`) besides an open place, and the words that may stand there; of two texts
/// both, and a line for each weight.
void lay_out_arcs(const StageInput& in, const StoryEnd& end, attn::StepId weights, int query, bool goes_on, Scene& scene);

}  // namespace app
