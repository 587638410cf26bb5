#pragma once
// A single export: numbers, which a thread writes, or a picture, which another process of the program draws. Internal to
// exporter.cpp and its tests.

#include <memory>
#include <string>

#include "app/draw/vocab.h"
#include "app/shell/child.h"
#include "app/state/computed.h"
#include "app/state/settings.h"
#include "app/state/state.h"

namespace app {

/// Everything that the export needs, copied, because the window goes on meanwhile.
struct ExportWork {
    ExportChoice choice;  ///< with an absolute path
    attn::Document document;
    std::shared_ptr<const Computed> computed;
    attn::StepId step = attn::kNoStep;  ///< for a matrix
    Settings settings;
    ViewPart view;  ///< the position in the document
    std::string figure;  ///< the figure's kind (app/panels/figures.h)
    Size window;  ///< in design pixels
    std::string program;
};

/// Whether the file is a picture, drawn by the process of picture_job(), or numbers, written by write_numbers().
bool is_picture(Subject subject);
/// Without the functions that follow its progress.
ChildJob picture_job(const ExportWork& work);
/// Writes the file, whole or not at all.
attn::Result<attn::Done> write_numbers(const ExportWork& work);

}  // namespace app
