#include "app/panels/export_formats.h"

#include <algorithm>

#include "app/export/matrix_format.h"

namespace app {

std::vector<ExportFormat> export_formats(Subject subject) {
    switch (subject) {
        case Subject::View:
        case Subject::Figure:
            return {{"png", "PNG", "png", Str::about_png}, {"svg", "SVG", "svg", Str::about_svg}, {"pdf", "PDF", "pdf", Str::about_pdf}};
        case Subject::Animation:
            return {{"gif", "GIF", "gif", Str::about_gif}};
        case Subject::Matrix: {
            std::vector<ExportFormat> out;
            for (const MatrixFormat& format : matrix_formats())
                out.push_back({format.id, format.name, format.ending, format.about, format.is_text});
            return out;
        }
        case Subject::Steps:
            return {{"json", "JSON", "json", Str::about_json},
                    {"npz", "NPZ", "npz", Str::about_npz},
                    {"csv", "CSV", "csv", Str::about_csv}};
        case Subject::Document:
            break;
    }
    return {{"json", "JSON", "json", Str::about_document, true}, {"link", "Link", "txt", Str::about_link, true}};
}

ExportFormat chosen_format(const ExportChoice& choice) {
    const std::vector<ExportFormat> all = export_formats(choice.subject);
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.id == choice.format; });
    return found == all.end() ? all.front() : *found;
}

}  // namespace app
