#include "app/shell/export_work.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "app/content/program.h"
#include "app/export/matrix_format.h"
#include "app/export/trace_format.h"
#include "app/panels/figures.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/io/files.h"

namespace app {
namespace {

using attn::Done;
using attn::Result;

Result<Done> write(const ExportWork& work, const Result<std::string>& bytes) {
    if (!bytes) return bytes.error();
    return attn::atomic_write(work.choice.path, *bytes);
}

Result<Done> write_matrix(const ExportWork& work) {
    const MatrixFormat* format = find_matrix_format(work.choice.format);
    if (!format || work.step == attn::kNoStep) return attn::Error{"there is no matrix to write", {}, {}, 0};
    MatrixSource source = matrix_of(work.computed->run.trace, work.step, work.settings.view.values.convention);
    source.program = kProgram;
    source.shortened = work.choice.shortened;
    source.guard = attn::CsvGuard::Apostrophe;
    return write(work, encode_matrix(*format, source));
}

Result<Done> write_steps(const ExportWork& work) {
    const auto format = find_trace_format(work.choice.format).value_or(TraceFormat::Json);
    const auto guard = attn::CsvGuard::Apostrophe;
    const std::vector<attn::StepId> steps = every_step(work.computed->run.trace);
    if (work.settings.view.values.convention == attn::Convention::Rows)
        return write(work, encode_trace(format, {work.document, work.computed->run, kProgram, steps}, guard));
    attn::Run turned = work.computed->run;
    turned.trace = in_columns(std::move(turned.trace), steps);
    return write(work, encode_trace(format, {work.document, turned, kProgram, steps, attn::Convention::Columns}, guard));
}

Result<Done> write_document(const ExportWork& work) {
    if (work.choice.format == "link") {
        const auto link = attn::link_to_send(work.document);
        return link ? write(work, *link + '\n') : link.error();
    }
    return write(work, attn::document_to_json(work.document));
}

std::vector<std::string> look_of_view(const ExportWork& work) {
    const int scale = work.choice.format != "png" && work.choice.format != "gif" ? 1 : work.choice.scale;
    std::vector<std::string> out{"--size", fmt::format("{:.0f}x{:.0f}", work.window.w, work.window.h), "--scale", std::to_string(scale)};
    // An animation has the layout of projector mode, with no panels.
    const std::vector<std::string> around = {"--panels", work.choice.panels ? "on" : "off"}, film = {"--room"};
    const auto& more = work.choice.subject == Subject::Animation ? film : around;
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

std::vector<std::string> look_of_figure(const ExportWork& work) {
    const auto on = [](bool is) { return std::string(is ? "on" : "off"); };
    const FigureLook& look = work.choice.figure;
    return {"--figure", work.figure, "--width", fmt::format("{}mm", work.choice.millimetres), "--title", on(look.title), "--caption", on(look.caption),
            "--ground", std::string(ground_id(look.ground)), "--theme", work.settings.view.values.theme};
}

}  // namespace

bool is_picture(Subject subject) { return subject == Subject::View || subject == Subject::Figure || subject == Subject::Animation; }

ChildJob picture_job(const ExportWork& work) {
    const bool figure = work.choice.subject == Subject::Figure;
    Settings settings = work.settings;
    if (figure) settings.view.values.scale = 1;  // its type has a fixed size on paper
    ChildJob job;
    job.program = work.program;
    job.arguments = {"render",
                     "-",
                     "-o",
                     work.choice.path,
                     "--force",  // the window has asked the user
                     "--as",
                     settings_to_json(settings),
                     "--view",
                     part_to_json(work.view),
                     "--tell-progress"};
    const std::vector<std::string> look = figure ? look_of_figure(work) : look_of_view(work);
    job.arguments.insert(job.arguments.end(), look.begin(), look.end());
    job.input = attn::document_to_json(work.document);
    return job;
}

Result<Done> write_numbers(const ExportWork& work) {
    switch (work.choice.subject) {
        case Subject::Matrix:
            return write_matrix(work);
        case Subject::Steps:
            return write_steps(work);
        case Subject::Document:
            return write_document(work);
        case Subject::View:
        case Subject::Figure:
        case Subject::Animation:
            break;
    }
    return attn::Error{"a picture has no numbers to write", {}, {}, 0};
}

}  // namespace app
