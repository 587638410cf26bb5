#pragma once
// The experiments: one page at a time, each an experiment with the document's numbers. A page is a row of
// experiments.inc.

#include <span>

#include "app/frame/view.h"
#include "app/screens/experiments/experiments.h"

namespace app {

struct ExperimentPage {
    std::string_view id;
    Str title;
    void (*draw)(const Frame&, Rect);  ///< in the area below the switch of pages
    bool (*applies)(const Frame&);     ///< whether this document has what the page needs
};

/// All pages, in the order of the switch; if empty, there is no tab.
std::span<const ExperimentPage> experiment_pages();
/// The page that the view requests, if it applies; else the first that does. Null if none does.
const ExperimentPage* experiment_page(const Frame& frame);

/// Explains the page in one or two lines at its head. Returns where the rest begins.
float experiment_says(const Frame& frame, Rect body, std::string_view words);

#define EXPERIMENT(name)                             \
    void draw_experiment_##name(const Frame&, Rect); \
    bool experiment_##name##_applies(const Frame&);
#include "app/screens/experiments/experiments.inc"
#undef EXPERIMENT

}  // namespace app
