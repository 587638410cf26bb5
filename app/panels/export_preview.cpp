#include "app/panels/export_preview.h"

#include <algorithm>

#include "app/export/matrix_format.h"
#include "app/panels/clipboard.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

constexpr std::size_t kLines = 10, kCharacters = 200;
/// Only this corner of a large matrix is written for the preview.
constexpr Eigen::Index kCorner = 24;

std::string text_of_matrix(const Frame& f, attn::StepId step, const ExportChoice& choice, std::string_view format) {
    MatrixSource whole = matrix_of(f.trace(), step, f.view().convention);
    const attn::Matrix corner =
        whole.value.topLeftCorner(std::min(whole.value.rows(), kCorner), std::min(whole.value.cols(), kCorner));
    whole.rows.resize(static_cast<std::size_t>(corner.rows()));
    whole.columns.resize(static_cast<std::size_t>(corner.cols()));
    const MatrixSource source{
        corner, whole.name, whole.rows, whole.columns, {}, choice.shortened, attn::CsvGuard::Apostrophe};
    const auto text = encode_matrix(*find_matrix_format(format), source);
    return text ? *text : std::string();
}

std::vector<std::string> first_lines(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size() && out.size() < kLines;) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, std::min(end - at, kCharacters));
        for (std::size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "  ");
        out.push_back(attn::visible_text(line));
        at = end + 1;
    }
    return out;
}

}  // namespace

const std::vector<std::string>& preview_lines(const Frame& f, const ExportChoice& choice, const ExportFormat& format) {
    ExportPreview& preview = f.scratch.preview;
    const attn::StepId step = picked_step(f);
    ExportChoice key = choice;
    key.path.clear();
    if (preview.generation == f.derived.generation && preview.step == step && preview.choice == key) return preview.lines;
    preview = {f.derived.generation, step, key, {}};
    if (!format.is_text) return preview.lines;
    if (choice.subject == Subject::Matrix) {
        if (step != attn::kNoStep) preview.lines = first_lines(text_of_matrix(f, step, choice, format.id));
    } else if (format.id == "link") {
        const auto link = attn::link_to_send(f.state.document);
        preview.lines = first_lines(link ? *link : link.error().text());
    } else {
        preview.lines = first_lines(attn::document_to_json(f.state.document));
    }
    return preview.lines;
}

}  // namespace app
