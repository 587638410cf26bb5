#pragma once
// The formats that each subject can be exported in: a table for the panel and for the program that writes the files.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"

namespace app {

struct ExportFormat {
    std::string_view id, name, ending;
    Str about;
    bool is_text = false;  ///< so it can be copied
};
/// The first one is proposed.
std::vector<ExportFormat> export_formats(Subject subject);
/// The chosen format, or the subject's first one if it has none with that id.
ExportFormat chosen_format(const ExportChoice& choice);

struct ExportSubject {
    Subject subject;
    Str title;
};
inline constexpr ExportSubject kExportSubjects[] = {{Subject::View, Str::export_view},
                                                    {Subject::Figure, Str::export_figure},
                                                    {Subject::Animation, Str::export_animation},
                                                    {Subject::Matrix, Str::export_matrix},
                                                    {Subject::Steps, Str::export_steps},
                                                    {Subject::Document, Str::export_document}};

/// Pictures are drawn again with this many pixels for each of the view's.
inline constexpr int kExportScales[] = {1, 2, 4};

}  // namespace app
