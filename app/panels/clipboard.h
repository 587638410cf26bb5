#pragma once
// Copying to and pasting from the clipboard, and opening the export panel.

#include "app/frame/view.h"

namespace app {

/// The format that spreadsheets accept.
inline constexpr std::string_view kClipboardFormat = "tsv";

/// The step whose matrix is copied: that of the pinned cell, else the shown one; kNoStep: there is none.
attn::StepId picked_step(const AppState& state, const Derived& derived);
attn::StepId picked_step(const Frame& frame);

/// Copies the pinned number with all its digits, else the matrix.
void copy_number_or_matrix(const Frame& frame);
/// `format`: a MatrixFormat's id, of a text format.
void copy_matrix(const Frame& frame, std::string_view format, bool shortened = false);
void copy_link(const Frame& frame);
void copy_document(const Frame& frame);
/// Opens a link or a JSON document; any other text becomes the sentence.
void paste(const Frame& frame);

/// Opens the export panel with a subject and a format chosen.
void open_export(const Frame& frame, Subject subject, std::string_view format);

}  // namespace app
