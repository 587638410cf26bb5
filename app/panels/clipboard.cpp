#include "app/panels/clipboard.h"

#include "app/export/matrix_format.h"
#include "app/state/edits.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

/// Writing more numbers than this as text takes seconds, and no program accepts it.
constexpr Eigen::Index kMostCopied = 250'000;

/// No typed text is longer than this.
constexpr std::size_t kMostPastedText = 20'000;

void complain(const Frame& f, std::string sentence) {
    f.change_view([said = std::move(sentence)](ViewState& v) { v.notice = said; });
}

void open_document(const Frame& f, attn::Result<attn::Document> document, Str said) {
    if (!document) return complain(f, document.error().text());
    f.push(becomes(std::move(*document)));
    f.push(GoToStop{0, 1});
    f.push(Tell{std::string(f.say(said))});
}

bool looks_like_json(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

}  // namespace

attn::StepId picked_step(const AppState& state, const Derived& derived) {
    if (state.view.pinned)
        if (const attn::StepId step = attn::find_id(derived.run->trace, state.view.pinned->tag); step != attn::kNoStep)
            return step;
    return derived.pose.step;
}

attn::StepId picked_step(const Frame& f) { return picked_step(f.state, f.derived); }

void copy_number_or_matrix(const Frame& f) {
    const auto& pinned = f.view().pinned;
    const attn::Step* step = pinned ? attn::find(f.trace(), pinned->tag) : nullptr;
    if (!step || pinned->row >= step->value.rows() || pinned->col >= step->value.cols())
        return copy_matrix(f, kClipboardFormat);
    const std::string number = attn::shortest(step->value(pinned->row, pinned->col));
    gui::set_clipboard(number);
    f.push(Tell{f.say(Str::copied_number, {number})});
}

void copy_matrix(const Frame& f, std::string_view format, bool shortened) {
    const attn::StepId step = picked_step(f);
    const MatrixFormat* row = find_matrix_format(format);
    if (step == attn::kNoStep || !row || !row->is_text) return;
    MatrixSource source = matrix_of(f.trace(), step, f.view().convention);
    if (source.value.size() > kMostCopied)
        return complain(f, f.say(Str::too_large_to_copy, {std::to_string(source.value.size())}));
    source.shortened = shortened;
    source.guard = attn::CsvGuard::Apostrophe;
    const auto text = encode_matrix(*row, source);
    if (!text) return complain(f, text.error().text());
    gui::set_clipboard(*text);
    f.push(Tell{f.say(Str::copied_matrix, {name_of(f.trace(), step, f.view().language),
                                           std::to_string(source.value.rows()), std::to_string(source.value.cols())})});
}

void copy_link(const Frame& f) {
    const auto link = attn::link_to_send(f.state.document);
    if (!link) return complain(f, link.error().text());
    gui::set_clipboard(*link);
    f.push(Tell{f.say(Str::copied_link, {std::to_string(link->size())})});
}

void copy_document(const Frame& f) {
    const std::string json = attn::document_to_json(f.state.document);
    gui::set_clipboard(json);
    f.push(Tell{std::string(f.say(Str::copied_document))});
}

void paste(const Frame& f) {
    const std::string text = gui::clipboard();
    if (attn::is_link(text)) return open_document(f, attn::document_from_link(text), Str::opened_link);
    if (looks_like_json(text)) return open_document(f, attn::document_from_json(text, ""), Str::opened_pasted);
    if (text.empty() || text.size() > kMostPastedText) return;
    f.edit([text](attn::Document& d) { type_text(d, text); });
}

void open_export(const Frame& f, Subject subject, std::string_view format) {
    f.change_view([subject, format = std::string(format)](ViewState& v) {
        v.sheet = Sheet::Export;
        v.exporting.subject = subject;
        v.exporting.format = format;
        v.exporting.path.clear();
    });
}

}  // namespace app
