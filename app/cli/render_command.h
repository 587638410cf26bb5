#pragma once
// `attenscope render`: the window's picture without a window.

#include <optional>
#include <string>

#include "app/cli/document_arguments.h"

namespace app {

struct RenderOptions {
    DocumentArguments document;
    bool force = false;              ///< replaces OUT
    std::string out;                 ///< OUT.png, OUT.gif, a folder with `walk`, or "-": a PNG to standard output
    bool walk = false;               ///< one PNG a stop of the timeline
    std::string step;                ///< empty: the last
    std::optional<double> time;      ///< seconds on the timeline
    std::optional<double> progress;  ///< of the step's motion, 0 … 1
    std::string row, column;         ///< of the pinned cell
    int trained = 0;                 ///< steps that are taken first, on the screen train
    int head = -1;                   ///< shown on the stage, as the document counts; −1: the first
    std::string size;                ///< design pixels; empty: 1440x900
    float scale = 1;                 ///< pixels per design pixel
    std::string screen = "stage";
    std::string page;     ///< of the experiments or of the heads, or the matrix that is compared
    std::string compare;  ///< what is set beside the document, as comparison_named() reads it
    std::string storyboard;  ///< the walk on one sheet; instead of `out`
    std::optional<double> every;  ///< seconds between two pictures of it; 2 without it
    std::string pace;        ///< of the walk; empty: story
    std::string gallery;  ///< a folder for every view in every look; instead of `out`
    std::string panels = "on";
    std::string figure;          ///< a picture for a page; empty: the window's
    std::string width;           ///< of the figure on paper; empty: 170mm
    std::string title = "on", caption = "on", ground;  ///< of the figure
    std::optional<double> seconds;  ///< of an animation; none: as long as the walk, of a figure 12
    std::string level = "everything";
    std::string sheet = "none";  ///< what lies over the window
    std::string theme;           ///< empty: light
    std::string convention = "rows";
    bool cube = false;  ///< products of matrices as cubes
    bool fan = false;   ///< the flow's heads side by side
    bool map = false;   ///< the flow from afar
    bool room = false;  ///< as before a room
    std::optional<double> opening;  ///< seconds of its answer; below 0: its question
    std::string language;
    std::string assets;
    std::string as;    ///< settings, as the program keeps them; they say theme, language and scale
    std::string view;  ///< where the learner is, as the program keeps it
    bool tell_progress = false;
};

Exit run_render(const RenderOptions& options, Streams& streams);

extern const Command kRenderCommand;

}  // namespace app
