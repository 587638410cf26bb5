#pragma once
// The lab: one page at a time, each an experiment on the document's numbers. A page is a row of labs.inc.

#include <span>

#include "app/views/view.h"

namespace app {

struct LabPage {
    std::string_view id;
    Str title;
    void (*draw)(const Frame&, Rect);  ///< in the body below the switch of pages
    bool (*applies)(const Frame&);     ///< whether this document has what the page is about
};

/// All pages, in the order of the switch; empty: the lab has no tab.
std::span<const LabPage> lab_pages();
/// The page that the view asks for, where it applies; else the first that does. Null: none does.
const LabPage* lab_page(const Frame& frame);

/// What the page is about, in one or two lines at its head. Returns where the rest begins.
float lab_says(const Frame& frame, Rect body, std::string_view words);

#define LAB(name)                             \
    void draw_lab_##name(const Frame&, Rect); \
    bool lab_##name##_applies(const Frame&);
#include "app/views/labs.inc"
#undef LAB

}  // namespace app
