#pragma once
// A single export, run on the thread of an Exporter. Internal to exporter.cpp and its tests.

#include <atomic>
#include <memory>
#include <string>

#include "app/draw/vocab.h"
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

/// The export's state as seen from outside.
struct ExportGauge {
    std::atomic<float> share = 0;
    std::atomic<bool> cancel = false;
};

/// Writes the file, whole or not at all.
attn::Result<attn::Done> do_export(const ExportWork& work, ExportGauge& gauge, const std::function<void()>& moved);

}  // namespace app
