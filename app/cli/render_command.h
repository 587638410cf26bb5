#pragma once
// `attenscope render`: draws the window's picture without a window.

#include <optional>
#include <string>

#include "app/cli/document_arguments.h"

namespace app {

struct RenderOptions {
    DocumentArguments document;
    bool force = false;              ///< replace an existing OUT
    std::string out;                 ///< OUT.png, OUT.gif, a folder with `walk`, or "-": a PNG to standard output
    bool walk = false;               ///< one PNG per stop of the timeline
    std::string step;                ///< empty: the last one
    std::optional<double> time;      ///< seconds on the timeline
    std::optional<double> progress;  ///< of the step's motion, 0 … 1
    std::string row, column;         ///< of the pinned cell
    int trained = 0;                 ///< training steps to take first, on the training screen
    int head = -1;                   ///< the head on the stage, as the document counts; −1: the first
    std::string size;                ///< design pixels; empty: 1440x900
    float scale = 1;                 ///< pixels per design pixel
    std::string screen;   ///< empty: the stage
    std::string page;     ///< of the experiments, heads or prediction screen, or the compared matrix
    std::string compare;  ///< the second run, as comparison_named() reads it
    std::string storyboard;  ///< file for the walk on one sheet; instead of `out`
    std::optional<double> every;  ///< seconds between its pictures; default 2
    std::string pace;        ///< of the walk; empty: story
    std::string gallery;  ///< folder for every view in every look; instead of `out`
    std::string panels = "on";
    std::string figure;          ///< a figure for a publication; empty: the window
    std::string width;           ///< of the figure on paper; empty: 170mm
    std::string title = "on", caption = "on", ground;  ///< of the figure
    std::optional<double> seconds;  ///< length of an animation; none: that of the walk, or 12 for a figure
    std::string level = "everything";
    std::string sheet = "none";  ///< what lies over the window
    std::string theme;           ///< empty: light
    std::string convention = "rows";
    bool cube = false;  ///< products of matrices as cubes
    bool fan = false;   ///< the flow's heads side by side
    bool map = false;   ///< the flow zoomed out to the whole model
    bool presenting = false;  ///< projector mode
    std::optional<double> opening;  ///< seconds into the opening's answer; below 0: its question
    std::string language;
    std::string assets;
    std::string as;    ///< settings as the program stores them, with theme, language and scale
    std::string view;  ///< the learner's position, as the program stores it
    bool tell_progress = false;
};

Exit run_render(const RenderOptions& options, Streams& streams);

extern const Command kRenderCommand;

}  // namespace app
