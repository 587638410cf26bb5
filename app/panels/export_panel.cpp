// The export panel: subject, format, destination and progress.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/export/matrix_format.h"
#include "app/frame/commands.h"
#include "app/frame/sheet.h"
#include "app/panels/clipboard.h"
#include "app/panels/export_formats.h"
#include "app/panels/export_preview.h"
#include "app/panels/figures.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

/// The slider's upper end: a wider range would leave little precision for page widths; the command line accepts more.
constexpr float kWidestSlid = 300;
constexpr float kExportWidth = 660, kRow = 34, kGap = 10, kMargin = 28, kPreview = 132, kLabel = 92;

/// Draws its rows from top to bottom.
struct Panel {
    const Frame& f;
    Rect card;
    ExportChoice choice;
    ExportFormat format;
    float y = 0;

    explicit Panel(const Frame& frame, Rect area)
        : f(frame), card(area), choice(frame.view().exporting), format(chosen_format(choice)) {}

    bool running() const { return f.state.exporting.running; }
    float left() const { return card.x + f.px(kMargin); }
    float right() const { return card.right() - f.px(kMargin); }
    Rect row(float height = kRow) {
        const Rect rect{left(), y, right() - left(), f.px(height)};
        y += f.px(height + kGap);
        return rect;
    }
    /// Draws a row's title; returns the space left for the control.
    Rect labelled(Rect rect, Str title) {
        f.painter().text_fit({rect.x, rect.y, f.px(kLabel) - f.px(8), rect.h}, f.say(title), {Type::Small}, Hue::Soft);
        return {rect.x + f.px(kLabel), rect.y, rect.w - f.px(kLabel), rect.h};
    }
    /// Applies a choice; if the file name was our proposal, a new one is proposed.
    void change(const ExportChoice& next) {
        f.change_view([next](ViewState& v) {
            v.exporting = next;
            if (next.proposed) v.exporting.path.clear();
        });
    }

    /// A choice from a few options: side by side if there is room, else as a list.
    bool one_of(std::string_view id, Rect rect, const std::vector<std::string_view>& names, int& chosen) {
        float widest = 0;
        for (const std::string_view name : names) widest = std::max(widest, f.painter().width(name, Type::BodyStrong));
        const float wanted = (widest + f.px(20)) * static_cast<float>(names.size());
        if (wanted <= rect.w) return segmented(f.ui, id, {rect.x, rect.y, wanted, rect.h}, names, chosen);
        return select(f.ui, id, {rect.x, rect.y, std::min(rect.w, f.px(220)), rect.h}, names, chosen, Align::Left);
    }

    void subjects() {
        std::vector<std::string_view> names;
        int chosen = 0;
        for (const ExportSubject& subject : kExportSubjects) {
            if (subject.subject == choice.subject) chosen = static_cast<int>(names.size());
            names.push_back(f.say(subject.title));
        }
        if (!one_of("export_what", labelled(row(), Str::export_what), names, chosen)) return;
        ExportChoice next = choice;
        next.subject = kExportSubjects[static_cast<std::size_t>(chosen)].subject;
        next.format = export_formats(next.subject).front().id;
        next.scale = next.subject == Subject::Animation ? 1 : ExportChoice{}.scale;  // else it has four times the bytes
        change(next);
    }
    void formats() {
        const std::vector<ExportFormat> all = export_formats(choice.subject);
        std::vector<std::string_view> names;
        int chosen = 0;
        for (const ExportFormat& one : all) {
            if (one.id == format.id) chosen = static_cast<int>(names.size());
            names.push_back(one.name);
        }
        const Rect rect = row();
        if (one_of("export_format", labelled(rect, Str::export_format), names, chosen)) {
            ExportChoice next = choice;
            next.format = all[static_cast<std::size_t>(chosen)].id;
            change(next);
        }
        const Rect about{rect.x + f.px(kLabel) + f.px(10), rect.bottom(), rect.w - f.px(kLabel) - f.px(10), f.px(20)};
        f.painter().text_fit(about, about_text(), {Type::Small}, Hue::Soft);
        y += f.px(20);
    }
    std::string about_text() const {
        std::string text(f.say(format.about));
        const attn::StepId step = picked_step(f);
        if (choice.subject != Subject::Matrix || step == attn::kNoStep) return text;
        const attn::Matrix& value = f.trace()[step].value;
        return f.say(Str::export_of, {name_of(f.trace(), step, f.view().language), std::to_string(value.rows()),
                                      std::to_string(value.cols())}) +
               " · " + text;
    }
    bool is_raster() const { return format.id == "png" || format.id == "gif"; }
    void size() {
        const Rect rect = labelled(row(), Str::export_scale);
        std::vector<std::string> words;
        std::vector<std::string_view> names;
        int chosen = 0;
        for (const int scale : kExportScales) words.push_back(std::to_string(scale) + "×");
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (kExportScales[i] == choice.scale) chosen = static_cast<int>(i);
            names.push_back(words[i]);
        }
        if (one_of("export_scale", rect, names, chosen)) {
            ExportChoice next = choice;
            next.scale = kExportScales[chosen];
            f.change_view([next](ViewState& v) { v.exporting = next; });
        }
        const float unit = static_cast<float>(choice.scale) / f.scratch.display_scale;
        f.painter().text_in(rect,
                            f.say(Str::export_pixels,
                                  {fmt::format("{:.0f}", f.window.w * unit), fmt::format("{:.0f}", f.window.h * unit)}),
                            {Type::Small, Align::Right}, Hue::Soft);
    }
    void flag(std::string_view id, Str title, bool ExportChoice::*which) {
        bool on = choice.*which;
        if (toggle(f.ui, id, row(), f.say(title), on))
            f.change_view([which, on](ViewState& v) { v.exporting.*which = on; });
    }
    template <class Change>
    void change_figure(Change change_it) {
        f.change_view([change_it](ViewState& v) { change_it(v.exporting); });
    }
    /// For a figure: its width on paper, and what is drawn around it.
    void figure() {
        const Rect rect = labelled(row(), Str::export_width);
        const std::string says = f.say(Str::export_millimetres, {std::to_string(choice.millimetres)});
        const float words = f.painter().width(f.say(Str::export_millimetres, {"900"}), Type::Small) + f.px(12);
        auto wide = static_cast<float>(choice.millimetres);
        if (slider(f.ui, "export_width", {rect.x, rect.y, rect.w - words, rect.h}, wide,
                   {static_cast<float>(kLeastFigure), kWidestSlid, 5, static_cast<float>(ExportChoice{}.millimetres)}))
            change_figure([wide](ExportChoice& c) { c.millimetres = static_cast<int>(std::lround(wide)); });
        f.painter().text_in(rect, says, {Type::Small, Align::Right}, Hue::Soft);

        constexpr FigureLook::Ground kGrounds[] = {FigureLook::Ground::White, FigureLook::Ground::Theme, FigureLook::Ground::None};
        const std::vector<std::string_view> names{f.say(Str::ground_white), f.say(Str::ground_theme), f.say(Str::ground_none)};
        int chosen = static_cast<int>(std::find(std::begin(kGrounds), std::end(kGrounds), choice.figure.ground) - std::begin(kGrounds));
        if (one_of("export_ground", labelled(row(), Str::export_ground), names, chosen))
            change_figure([ground = kGrounds[chosen]](ExportChoice& c) { c.figure.ground = ground; });
        const Rect around = row();
        const float half = (around.w - f.px(kMargin)) / 2;
        const auto part = [&](std::string_view id, float x, Str title, bool FigureLook::*which) {
            bool on = choice.figure.*which;
            if (toggle(f.ui, id, {x, around.y, half, around.h}, f.say(title), on)) change_figure([which, on](ExportChoice& c) { c.figure.*which = on; });
        };
        part("export_figure_title", around.x, Str::export_figure_title, &FigureLook::title);
        part("export_figure_caption", around.right() - half, Str::export_figure_caption, &FigureLook::caption);
    }
    void preview() {
        const std::vector<std::string>& lines = preview_lines(f, choice, format);
        if (lines.empty()) return;
        const Rect box = row(kPreview);
        Painter& p = f.painter();
        p.fill(box, Hue::Back, f.theme.field_radius);
        const auto clip = p.clip(box);
        const float line = f.theme.em(Type::NumberSmall) * 1.5f, pad = f.px(14);
        float base = box.y + pad + f.theme.em(Type::NumberSmall);
        for (const std::string& text : lines) {
            if (base + line * 0.4f > box.bottom()) break;
            p.text_fit({box.x + pad, base - line * 0.5f - f.theme.em(Type::NumberSmall) * 0.36f, box.w - 2 * pad, line},
                       text, {Type::NumberSmall}, Hue::Ink);
            base += line;
        }
    }
    void path() {
        std::string typed = choice.path;
        const Rect rect = labelled(row(), Str::export_file);
        const gui::FieldResult result = text_field(f.ui, "export_path", rect, typed);
        if (result.changed)
            f.change_view([typed](ViewState& v) {
                v.exporting.path = typed;
                v.exporting.proposed = typed.empty();
            });
        if (result.entered && !running()) f.push(StartExport{});
    }
    void said() {
        const ExportState& state = f.state.exporting;
        Rect rect = row(22);
        rect = {rect.x + f.px(kLabel), rect.y, rect.w - f.px(kLabel), rect.h};
        if (running()) return;
        const std::string text = state.exists ? std::string(f.say(Str::export_exists)) : state.problem;
        if (text.empty()) return;
        const float line = f.theme.line_height(Type::Small), until = card.bottom() - f.px(kMargin) - f.theme.button_height;
        if (rect.y + 2 * line > until) return (void)f.painter().text_fit(rect, text, {Type::Small}, Hue::Warning);
        draw_lines(f.painter(), {rect.x, rect.y, rect.w, 2 * line}, text, {Type::Small}, Hue::Warning);
    }
    void buttons() {
        const float high = f.theme.button_height, base = card.bottom() - f.px(kMargin) - high;
        float x = right();
        const auto place = [&](Str words) {
            const float w = button_width(f.ui, f.say(words));
            x -= w + f.px(8);
            return Rect{x + f.px(8), base, w, high};
        };
        if (running()) {
            if (button(f.ui, "export_cancel", place(Str::export_cancel), f.say(Str::export_cancel)))
                f.push(CancelExport{});
            const float share = f.state.exporting.share;
            const Rect bar{left(), base + high * 0.62f, x - left() - f.px(12), f.px(6)};
            progress_bar(f.ui, bar, share);
            const std::string percent = fmt::format("{:.0f}", share * 100);
            const std::string words =
                share > 0 ? f.say(Str::export_drawing, {percent}) : std::string(f.say(Str::export_running));
            f.painter().text_fit({bar.x, base, bar.w, high * 0.5f}, words, {Type::Small}, Hue::Soft);
            return;
        }
        const bool exists = f.state.exporting.exists;
        const Str save = exists ? Str::export_replace : Str::export_save;
        if (button(f.ui, "export_save", place(save), f.say(save), ButtonKind::Filled)) f.push(StartExport{exists});
        if (format.is_text && button(f.ui, "export_copy", place(Str::export_copy), f.say(Str::export_copy))) copy();
    }
    void copy() {
        if (choice.subject == Subject::Matrix) return copy_matrix(f, format.id, choice.shortened);
        if (format.id == "link") return copy_link(f);
        copy_document(f);
    }
    void draw() {
        y = card.y + f.px(20);
        const Rect head = row(40);
        f.painter().text_in(head, f.say(Str::export_title), {Type::TitleStrong}, Hue::Ink);
        const float cross = f.px(30);
        if (icon_button(f.ui, "export_close", {right() - cross, head.y, cross, cross}, Icon::Close))
            toggle_sheet(f, Sheet::Export);
        subjects();
        formats();
        if (choice.subject == Subject::Figure)
            figure();
        else if (is_raster())
            size();
        if (choice.subject == Subject::View) flag("export_panels", Str::export_panels, &ExportChoice::panels);
        if (format.id == "latex") flag("export_shortened", Str::export_shortened, &ExportChoice::shortened);
        preview();
        path();
        said();
        buttons();
    }
};

}  // namespace

void draw_export_panel(const Frame& f) {
    if (f.view().sheet != Sheet::Export || f.window.empty()) return;
    // As high as the fullest subject, so that nothing moves under the pointer.
    const Rect card = sheet_rect(f, f.px(kExportWidth), f.px(474));
    const SheetScope sheet(f, "export_panel", card);
    const auto clip = f.painter().clip(card);
    Panel(f, card).draw();
}

}  // namespace app
