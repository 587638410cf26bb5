#pragma once
// The checked options of `render`, and its ways to draw. Internal to render_*.cpp.

#include <optional>
#include <string>

#include "app/cli/render_command.h"
#include "app/cli/render_figure.h"
#include "app/cli/studio.h"
#include "app/shell/interrupt.h"

namespace app {

enum class RenderKind : std::uint8_t { Picture, Drawing, Page, Walk, Animation, Gallery, Storyboard };

/// Everything that a picture needs; lives as long as the command runs.
struct RenderJob {
    const RenderOptions& options;
    const Interrupt& interrupt;
    const attn::Document& document;
    Studio& studio;
    Size size;  ///< pixels
    const std::optional<Figure>& figure;
    Streams& streams;
};

/// Goes to the step or time and pins the cell that the options name.
attn::Result<attn::Done> show_place(const RenderJob& job);
/// One picture at the step, time and cell of the options: a PNG, an SVG or a PDF.
Exit render_picture(const RenderJob& job, RenderKind kind);
/// One PNG per stop, shown finished: 01-embeddings.png, 02-scores.png …
Exit render_walk(const RenderJob& job);
/// Every view of the document, in every theme, language and usual size.
Exit render_gallery(const RenderJob& job);
/// The walk on one sheet: a picture every few seconds, with its caption.
Exit render_storyboard(const RenderJob& job);
/// An animated GIF of all motions.
Exit render_animation(const RenderJob& job);

/// The frame as a PNG that contains the program's version and the document. `path` "-": standard output.
Exit write_png(const RenderJob& job, const std::string& path);
/// Writes "progress 0.250" to standard output, if the options ask for it.
void tell_progress(const RenderJob& job, double share);
/// Reports an interruption by a signal and returns its exit status.
Exit interrupted(Streams& streams);

}  // namespace app
