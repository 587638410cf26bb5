#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/output.h"
#include "app/cli/render_job.h"
#include "app/cli/step_arguments.h"
#include "app/cli/version.h"
#include "app/export/pdf.h"
#include "app/export/png.h"
#include "app/export/svg.h"
#include "app/screens/heads/look.h"
#include "core/document/fields.h"

namespace app {
namespace {

std::string_view as_text(const std::vector<std::uint8_t>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Goes to the step and its head. Operands (weights, biases, a mask's pattern) have no stop.
attn::Result<attn::Done> show_step(const RenderJob& job) {
    const attn::Trace& trace = job.studio.trace();
    const Timeline& timeline = job.studio.derived().timeline;
    int stop = static_cast<int>(timeline.stops.size()) - 1;
    if (!job.options.step.empty()) {
        const auto step = step_named(trace, job.options.step, job.options.document.counts_from(job.document));
        if (!step) return step.error();
        // A walk follows one head.
        job.studio.change_view([tag = trace[*step].tag](ViewState& view) {
            if (tag.head >= 0) view.head = tag.head;
            view.part<HeadsChoice>().at = tag.as(attn::Role::Weights).of_head(attn::kNoHead);
        });
        stop = stop_of(timeline, trace, *step);
        if (stop < 0)
            return attn::Error{fmt::format("{} is drawn beside the steps that read it and is not shown alone",
                                           attn::step_name(trace[*step].tag)),
                               "--step", "", 0};
    }
    job.studio.show_stop(stop, job.options.progress.value_or(1));
    return attn::Done{};
}

attn::Result<attn::Done> pin_cell(const RenderJob& job) {
    if (job.options.row.empty()) return attn::Done{};
    const attn::StepId shown = job.studio.derived().pose.step;
    if (shown == attn::kNoStep) return attn::Error{"there are no cells: the text has no tokens", "--row", "", 0};
    const auto cell = cell_named(job.studio.trace(), shown, job.options.row, job.options.column,
                                 attn::find_convention(job.options.convention).value_or(attn::Convention::Rows));
    if (!cell) return cell.error();
    job.studio.pin(*cell);
    return attn::Done{};
}

/// The rows with content. Over a transparent ground OpenGL leaves premultiplied colours; a PNG needs straight alpha.
attn::Result<gfx::Image> figure_image(const RenderJob& job) {
    Drawing drawn;
    const auto whole = job.studio.picture(job.size, drawn);
    if (!whole) return whole.error();
    const Rect part = inked_rows(drawn, job.size);
    gfx::Image out = gfx::make_image(static_cast<int>(part.w), static_cast<int>(part.h));
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            const std::uint8_t* from = whole->at(x, y + static_cast<int>(part.y));
            std::uint8_t* to = out.at(x, y);
            const int alpha = from[3];
            for (int i = 0; i < 3; ++i)
                to[i] = alpha == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::min(255, (from[i] * 255 + alpha / 2) / alpha));
            to[3] = from[3];
        }
    return out;
}

}  // namespace

attn::Result<attn::Done> show_place(const RenderJob& job) {
    if (!job.options.view.empty() || job.options.opening) return attn::Done{};
    if (job.options.time)
        job.studio.show_time(*job.options.time);
    else if (const auto shown = show_step(job); !shown)
        return shown.error();
    return pin_cell(job);
}

Exit interrupted(Streams& streams) { return fail(streams, Exit::Failure, "interrupted; the file was not written"); }

Exit write_png(const RenderJob& job, const std::string& path) {
    auto image = job.figure ? figure_image(job) : job.studio.picture(job.size);
    if (!image) return fail(job.streams, Exit::Failure, image.error());
    const std::array text = {PngText{"Software", kProgram}, PngText{"Document", attn::document_to_json(job.document)}};
    const auto bytes = encode_png(*image, text, job.figure ? job.options.scale * kPixelsPerInch : 0);
    if (!bytes) return fail(job.streams, Exit::Failure, bytes.error());
    if (job.interrupt.requested()) return interrupted(job.streams);
    return write_output(job.streams, path, as_text(*bytes), Content::Binary);
}

namespace {

/// Points per pixel of the window, if it becomes a page.
constexpr float kPointsPerPixel = 0.75f;

Exit write_shapes(const RenderJob& job, RenderKind kind) {
    const auto drawing = job.studio.drawing(job.size);
    if (!drawing) return fail(job.streams, Exit::Failure, drawing.error());
    SvgOptions options{job.size, fmt::format("{} · {}", job.document.text, kProgram),
                       attn::document_to_json(job.document, attn::JsonLayout::Compact)};
    float points = kPointsPerPixel;
    if (job.figure) {
        options.part = inked_rows(*drawing, job.size);
        options.millimetres = job.figure->millimetres;
        options.ground = job.figure->look.ground == FigureLook::Ground::Theme;
        points = 72 / kPixelsPerInch / job.options.scale;
    }
    auto out = drawing_svg(*drawing, options);
    const Size size = options.part ? Size{options.part->w, options.part->h} : job.size;
    if (out && kind == RenderKind::Page) out = pdf_of_svg(*out, {size.w * points, size.h * points});
    if (!out) return fail(job.streams, Exit::Failure, out.error());
    if (job.interrupt.requested()) return interrupted(job.streams);
    return write_output(job.streams, job.options.out, *out, kind == RenderKind::Page ? Content::Binary : Content::Text);
}

}  // namespace

Exit render_picture(const RenderJob& job, RenderKind kind) {
    if (const auto shown = show_place(job); !shown) return fail(job.streams, Exit::BadInput, shown.error());
    return kind == RenderKind::Picture ? write_png(job, job.options.out) : write_shapes(job, kind);
}

Exit render_walk(const RenderJob& job) {
    const auto& stops = job.studio.derived().timeline.stops;
    if (stops.empty())
        return fail(job.streams, Exit::BadInput, "the text has no tokens: there is nothing to walk through");
    const std::filesystem::path folder = job.options.out;
    if (const auto begun = begin_folder(folder); !begun) return fail(job.streams, Exit::Failure, begun.error());
    for (int i = 0; i < static_cast<int>(stops.size()); ++i) {
        job.studio.show_stop(i, 1);
        const attn::StepId step = stops[static_cast<std::size_t>(i)].step;
        const std::string name = fmt::format("{:02}-{}.png", i + 1, attn::file_name_of(job.studio.trace()[step].tag, counts_from(job.studio.view(), job.document)));
        if (const Exit done = write_png(job, (folder / name).string()); done != Exit::Ok) return done;
    }
    finish_folder(folder);
    return Exit::Ok;
}

}  // namespace app
