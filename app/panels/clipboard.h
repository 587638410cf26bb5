#pragma once
// The clipboard, and the way to the export panel.

#include "app/frame/view.h"

namespace app {

/// What spreadsheets take.
inline constexpr std::string_view kClipboardFormat = "tsv";

/// The matrix that is taken: of the pinned cell, else of the step that is shown; kNoStep: there is none.
attn::StepId picked_step(const Frame& frame);

/// The pinned number with all its digits, else the matrix.
void copy_number_or_matrix(const Frame& frame);
/// `format`: a MatrixFormat's id, of a text.
void copy_matrix(const Frame& frame, std::string_view format, bool shortened = false);
void copy_link(const Frame& frame);
void copy_document(const Frame& frame);
/// A link or a document in JSON opens; any other text becomes the sentence.
void paste(const Frame& frame);

/// The panel with something chosen.
void open_export(const Frame& frame, Subject subject, std::string_view format);

}  // namespace app
