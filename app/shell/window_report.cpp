#include "app/shell/window_report.h"

#include "app/screens/prediction/prediction.h"
#include "app/screens/training/data.h"
#include "app/state/view_fields.h"
#include "app/ui/compat.h"
#include "core/document/fields.h"
#include "core/io/files.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

void write_input(attn::JsonWriter& out, const gfx::InputCount& input) {
    out.key("input");
    out.begin_object();
    out.key("changes");
    out.integer(input.changes);
    out.key("typed");
    out.integer(input.typed);
    out.key("held");
    out.integer(input.held);
    out.key("pointer");
    out.begin_row();
    out.number(input.x);
    out.number(input.y);
    out.end_array();
    out.end_object();
}

void write_document(attn::JsonWriter& out, const AppState& state, const Derived& derived) {
    out.key("text");
    out.string(state.document.text);
    out.key("variant");
    out.string(state.document.config.form);
    out.key("head_count");
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

void write_time(attn::JsonWriter& out, const ViewState& view, const Derived& derived) {
    out.key("stop");
    out.integer(derived.pose.stop);
    out.key("stops");
    out.natural(derived.timeline.stops.size());
    out.key("step");
    const bool shown = derived.pose.step != attn::kNoStep;
    shown ? out.string(attn::step_name(derived.run->trace[derived.pose.step].tag)) : out.null();
    out.key("progress");
    out.number(view.playhead.progress);
    out.key("time");
    out.number(derived.time);
    out.key("length");
    out.number(derived.timeline.length());
    out.key("found");
    out.integer(derived.found.count());
    out.key("computing");
    out.boolean(derived.computing);
}

void write_training(attn::JsonWriter& out, const Derived& derived) {
    const TrainingSnapshot* snapshot = derived.part<TrainingData>().shown();
    out.key("training_step");
    out.integer(derived.part<TrainingData>().news ? derived.part<TrainingData>().news->step : -1);
    out.key("training_shown");
    out.integer(snapshot ? snapshot->step : -1);
}

/// The likeliest token, as the screen of the prediction shows it; null: it shows none.
void write_predicted(attn::JsonWriter& out, const Derived& derived) {
    const PredictionData& data = derived.part<PredictionData>();
    out.key("predicted");
    data.words.empty() ? out.null() : out.string(data.words.front().word.text);
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
    write_input(out, frame.input);
    write_document(out, state, app.derived());
    for (const ViewField& field : view_fields()) {
        out.key(field.key);
        field.write(state.view, out);
    }
    out.key("typing");
    out.boolean(gui::typing());
    out.key("focus");
    out.natural(log.focused);
    write_time(out, state.view, app.derived());
    write_training(out, app.derived());
    write_predicted(out, app.derived());
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
