#include "app/window_report.h"

#include "app/ui/compat.h"
#include "core/document_fields.h"
#include "core/io/files.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

void write_cell(attn::JsonWriter& out, const CellRef& cell) {
    out.begin_object();
    out.key("step");
    out.string(attn::step_name(cell.tag));
    out.key("row");
    out.integer(cell.row + 1);
    out.key("column");
    out.integer(cell.col + 1);
    out.end_object();
}

void write_document(attn::JsonWriter& out, const AppState& state, const Derived& derived) {
    out.key("text");
    out.string(state.document.text);
    out.key("variant");
    out.string(state.document.config.variant);
    out.key("heads");
    out.integer(state.document.config.heads);
    out.key("vector_seed");
    out.natural(state.document.vector_seed);
    out.key("weight_seed");
    out.natural(state.document.weight_seed);
    out.key("document");
    out.string(attn::document_to_json(state.document));
    out.key("can_undo");
    out.boolean(state.history.can_undo());
    out.key("can_redo");
    out.boolean(state.history.can_redo());
    out.key("tokens");
    out.strings(derived.run->trace.tokens);
    out.key("error");
    derived.error ? out.string(derived.error->text()) : out.null();
}

void write_view(attn::JsonWriter& out, const ViewState& view) {
    out.key("language");
    out.string(language_id(view.language));
    out.key("screen");
    out.string(screen_id(view.screen));
    out.key("presenting");
    out.boolean(view.present.on);
    out.key("blank");
    out.boolean(view.present.blank);
    out.key("strokes");
    out.natural(view.present.strokes.size());
    out.key("flow_zoom");
    out.number(view.flow.zoom);
    out.key("map_zoom");
    out.number(view.map.zoom);
    out.key("map_row");
    out.number(view.map.row);
    out.key("pooling");
    out.string(view.pooling == Pooling::Mean ? "mean" : "largest");
    out.key("searching");
    out.boolean(view.search.open);
    out.key("flow_fanned");
    out.number(view.flow.fanned);
    out.key("still");
    out.boolean(view.still);
    out.key("cube");
    out.boolean(view.cube);
    out.key("lit");
    view.lit ? write_cell(out, *view.lit) : out.null();
    out.key("passing");
    out.boolean(view.passage.has_value());
    out.key("lab_page");
    out.string(view.lab_page);
    out.key("compare_kind");
    out.string(view.comparison.kind);
    out.key("compare_text");
    out.string(view.comparison.text);
    out.key("tour");
    out.integer(view.tour + 1);
    out.key("offers_tour");
    out.boolean(view.offers_tour);
    out.key("difference");
    out.boolean(view.difference);
    out.key("theme");
    out.string(view.theme);
    out.key("scale");
    out.number(view.scale);
    out.key("speed");
    out.number(view.speed);
    out.key("playing");
    out.boolean(view.playing);
    out.key("head");
    out.integer(view.head + 1);
    out.key("pinned");
    view.pinned ? write_cell(out, *view.pinned) : out.null();
    out.key("heads_page");
    out.string(view.heads.page);
    out.key("heads_matrix");
    out.boolean(view.heads.matrix);
    out.key("tokens_picked");
    out.natural(view.heads.queries.size() + view.heads.keys.size());
    out.key("typing");
    out.boolean(gui::typing());
    out.key("lesson");
    out.string(view.study.lesson);
    out.key("lesson_page");
    out.integer(view.study.open() ? view.study.page + 1 : 0);
    out.key("lesson_shown");
    out.integer(view.study.shown);
    out.key("answered");
    out.string(!view.study.checked ? "" : view.study.marked.right ? "right" : "wrong");
    out.key("sheet");
    out.string(sheet_id(view.sheet));
    out.key("panels");
    out.boolean(view.panels);
    out.key("done");
    out.string(view.done);
    out.key("full_screen");
    out.boolean(view.full_screen);
    out.key("notice");
    out.string(view.notice);
}

void write_time(attn::JsonWriter& out, const Derived& derived) {
    out.key("stop");
    out.integer(derived.pose.stop);
    out.key("stops");
    out.natural(derived.timeline.stops.size());
    out.key("step");
    const bool shown = derived.pose.step != attn::kNoStep;
    shown ? out.string(attn::step_name(derived.run->trace[derived.pose.step].tag)) : out.null();
    out.key("progress");
    out.number(derived.pose.progress);
    out.key("time");
    out.number(derived.time);
    out.key("length");
    out.number(derived.timeline.length());
    out.key("found");
    out.integer(derived.found.count());
    out.key("computing");
    out.boolean(derived.computing);
}

void write_widgets(attn::JsonWriter& out, const FrameLog& log) {
    out.key("widgets");
    out.begin_array();
    for (const auto& [id, rect] : log.widgets) {
        out.begin_row();
        out.string(id);
        for (const float number : {rect.x, rect.y, rect.w, rect.h}) out.number(number);
        out.end_array();
    }
    out.end_array();
}

}  // namespace

std::string window_report(App& app, const FrameLog& log, const ReportFrame& frame) {
    const AppState& state = app.state();
    attn::JsonWriter out;
    out.begin_object();
    out.key("frame");
    out.integer(frame.serial);
    out.key("settled");
    out.boolean(frame.settled);
    out.key("window");
    out.begin_row();
    out.integer(frame.size.width);
    out.integer(frame.size.height);
    out.end_array();
    write_document(out, state, app.derived());
    write_view(out, state.view);
    out.key("focus");
    out.natural(log.focused);
    write_time(out, app.derived());
    write_widgets(out, log);
    out.end_object();
    return out.take();
}

attn::Result<attn::Done> write_report(const std::string& path, const std::string& json) {
    attn::FileOps ops;
    ops.fsync = [](int) { return 0; };
    return attn::atomic_write(path, json, ops);
}

}  // namespace app
