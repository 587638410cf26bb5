// Where the learner was, as JSON. Text in, text out.

#include <algorithm>
#include <climits>
#include <iterator>

#include "app/state/json_read.h"
#include "app/state/lab.h"
#include "app/state/settings.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/link.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;
using attn::JsonWriter;

std::optional<CellRef> read_cell(const JsonValue& value) {
    const JsonValue *step = value.find("step"), *row = value.find("row"), *column = value.find("column");
    if (!step || !row || !column || step->kind != JsonKind::String) return std::nullopt;
    const auto tag = attn::parse_step_name(step->string);
    CellRef cell;
    constexpr int kLast = 1 << 20;
    if (!tag || !read(cell.row, *row, 1, kLast) || !read(cell.col, *column, 1, kLast)) return std::nullopt;
    return CellRef{*tag, cell.row - 1, cell.col - 1};
}

bool read_playhead(Playhead& playhead, const JsonValue& value) {
    const JsonValue *step = value.find("step"), *progress = value.find("progress");
    const auto tag = step && step->kind == JsonKind::String ? attn::parse_step_name(step->string) : std::nullopt;
    if (!tag || !progress || !read(playhead.progress, *progress, 0, 1)) return false;
    playhead.tag = *tag;
    return true;
}

/// A text, if there is one; ids are checked where they are used.
void read_text(std::string& out, const JsonValue* value) {
    if (value && value->kind == JsonKind::String) out = value->string;
}

void read_comparison(Comparison& out, const JsonValue& value) {
    constexpr int kLast = 1 << 20;
    read_text(out.kind, value.find("kind"));
    read_text(out.choice, value.find("choice"));
    read_text(out.shown, value.find("shown"));
    read_text(out.text, value.find("text"));
    read_text(out.kept, value.find("kept"));
    if (!attn::document_from_link(out.kept)) out.kept.clear();
    const auto token = [&](int& index, const char* key) {
        const JsonValue* number = value.find(key);
        if (number && read(index, *number, 1, kLast)) --index;
    };
    token(out.first, "first");
    token(out.second, "second");
}

void write_comparison(const Comparison& comparison, JsonWriter& out) {
    out.begin_object();
    out.key("kind");
    out.string(comparison.kind);
    out.key("choice");
    out.string(comparison.choice);
    out.key("first");
    out.integer(comparison.first + 1);
    out.key("second");
    out.integer(comparison.second + 1);
    out.key("shown");
    out.string(comparison.shown);
    out.key("text");
    out.string(comparison.text);
    out.key("kept");
    out.string(comparison.kept);
    out.end_object();
}

void read_indices(std::vector<int>& out, const JsonValue* value) {
    constexpr int kLast = 1 << 20;
    constexpr std::size_t kMost = 4096;
    if (!value || value->kind != JsonKind::Array || value->items.size() > kMost) return;
    out.clear();
    for (const JsonValue& item : value->items)
        if (int index = 0; read(index, item, 1, kLast)) out.push_back(index - 1);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

void write_indices(const char* key, const std::vector<int>& indices, JsonWriter& out) {
    if (indices.empty()) return;
    out.key(key);
    out.begin_row();
    for (const int index : indices) out.integer(index + 1);
    out.end_array();
}

/// A flag that is written where it is on.
struct HeadsFlag {
    const char* key;
    bool HeadsChoice::*flag;
};
constexpr HeadsFlag kHeadsFlags[] = {{"matrix", &HeadsChoice::matrix},
                                     {"small_lines", &HeadsChoice::small_lines},
                                     {"hide_first", &HeadsChoice::hide_first},
                                     {"hide_special", &HeadsChoice::hide_special},
                                     {"renormalise", &HeadsChoice::renormalise}};

/// The kernel is odd; `to` 0 is the last token.
void read_paths(PathsLook& out, const JsonValue& value) {
    constexpr int kLast = 1 << 20;
    attn::PathChoice& dials = out.dials;
    if (const JsonValue* kernel = value.find("kernel"); kernel && read(dials.kernel, *kernel, 3, attn::kWidestKernel))
        dials.kernel |= 1;
    if (const JsonValue* layers = value.find("layers")) read(dials.layers, *layers, 0, attn::kMostPathLayers);
    if (const JsonValue* dilated = value.find("dilated")) read(dials.dilated, *dilated);
    double radius = 1;
    const JsonValue* size = value.find("radius");
    if (size && read(radius, *size, static_cast<double>(attn::kLeastRadius), static_cast<double>(attn::kLargestRadius)))
        dials.radius = static_cast<float>(radius);
    if (const JsonValue* from = value.find("from"); from && read(out.from, *from, 1, kLast)) --out.from;
    if (const JsonValue* to = value.find("to"); to && read(out.to, *to, 0, kLast)) --out.to;
    if (const JsonValue* only = value.find("only"); only && only->kind == JsonKind::String)
        out.only = attn::find_path_kind(only->string);
}

void write_paths(const PathsLook& paths, JsonWriter& out) {
    out.begin_object();
    out.key("kernel");
    out.integer(paths.dials.kernel);
    out.key("dilated");
    out.boolean(paths.dials.dilated);
    out.key("layers");
    out.integer(paths.dials.layers);
    out.key("radius");
    out.number(paths.dials.radius);
    out.key("from");
    out.integer(paths.from + 1);
    out.key("to");
    out.integer(paths.to + 1);
    if (paths.only) {
        out.key("only");
        out.string(attn::path_kind_id(*paths.only));
    }
    out.end_object();
}

void read_heads(HeadsChoice& out, const JsonValue& value) {
    read_text(out.page, value.find("page"));
    read_text(out.shown, value.find("shown"));
    read_text(out.plane, value.find("plane"));
    if (const JsonValue* at = value.find("at"); at && at->kind == JsonKind::String)
        out.at = attn::parse_step_name(at->string).value_or(out.at);
    for (const HeadsFlag& one : kHeadsFlags)
        if (const JsonValue* flag = value.find(one.key)) read(out.*one.flag, *flag);
    if (const JsonValue* keep = value.find("keep"))
        if (double share = 1; read(share, *keep, 0, 1)) out.keep = static_cast<float>(share);
    read_indices(out.only, value.find("only"));
    read_indices(out.queries, value.find("queries"));
    read_indices(out.keys, value.find("keys"));
    const auto feature = [&](int& index, const char* key) {
        const JsonValue* number = value.find(key);
        if (number && read(index, *number, 1, attn::kMaxWidth)) --index;
    };
    feature(out.first, "first");
    feature(out.second, "second");
}

void write_heads(const HeadsChoice& heads, JsonWriter& out) {
    out.begin_object();
    const auto text = [&](const char* key, std::string_view value) {
        out.key(key);
        out.string(value);
    };
    text("page", heads.page);
    text("at", attn::step_name(heads.at));
    text("shown", heads.shown);
    text("plane", heads.plane);
    for (const HeadsFlag& one : kHeadsFlags) {
        if (!(heads.*one.flag)) continue;
        out.key(one.key);
        out.boolean(true);
    }
    out.key("keep");
    out.number(heads.keep);
    write_indices("only", heads.only, out);
    write_indices("queries", heads.queries, out);
    write_indices("keys", heads.keys, out);
    if (heads.first >= 0 && heads.second >= 0) {
        out.key("first");
        out.integer(heads.first + 1);
        out.key("second");
        out.integer(heads.second + 1);
    }
    out.end_object();
}

}  // namespace

attn::Result<LastView> last_view_from_json(std::string_view bytes, std::string_view where) {
    const auto json = parse_object(bytes, where);
    if (!json) return json.error();
    LastView out;
    const JsonValue *playhead = json->find("playhead"), *head = json->find("head"), *pinned = json->find("pinned");
    if (playhead && !read_playhead(out.playhead, *playhead))
        return wrong_key("a step and its progress are expected", where, "playhead", playhead->line);
    if (head && !read(out.head, *head, 1, attn::kMaxHeads))
        return wrong_key("a head's number is expected", where, "head", head->line);
    if (head) --out.head;
    if (pinned && pinned->kind != JsonKind::Null) {
        out.pinned = read_cell(*pinned);
        if (!out.pinned) return wrong_key("a step, a row and a column are expected", where, "pinned", pinned->line);
    }
    if (const JsonValue* screen = json->find("screen"); screen && screen->kind == JsonKind::String)
        out.screen = find_screen(screen->string).value_or(Screen::Stage);
    read_text(out.lab_page, json->find("lab_page"));
    if (const JsonValue* comparison = json->find("comparison")) read_comparison(out.comparison, *comparison);
    if (const JsonValue* heads = json->find("heads")) read_heads(out.heads, *heads);
    if (const JsonValue* on = json->find("difference")) read(out.difference, *on);
    if (const JsonValue* width = json->find("study_width")) read(out.study_width, *width, 1, kWidestStudy);
    if (const JsonValue* paths = json->find("paths")) read_paths(out.paths, *paths);
    int seed = 0;
    if (const JsonValue* at = json->find("study_seed"); at && read(seed, *at, 0, INT_MAX))
        out.study_seed = static_cast<std::uint64_t>(seed);
    return out;
}

std::string last_view_to_json(const LastView& view) {
    JsonWriter out;
    out.begin_object();
    out.key("playhead");
    out.begin_object();
    out.key("step");
    out.string(attn::step_name(view.playhead.tag));
    out.key("progress");
    out.number(view.playhead.progress);
    out.end_object();
    out.key("head");
    out.integer(view.head + 1);
    if (view.pinned) {
        out.key("pinned");
        out.begin_object();
        out.key("step");
        out.string(attn::step_name(view.pinned->tag));
        out.key("row");
        out.integer(view.pinned->row + 1);
        out.key("column");
        out.integer(view.pinned->col + 1);
        out.end_object();
    }
    out.key("screen");
    out.string(screen_id(view.screen));
    if (!view.lab_page.empty()) {
        out.key("lab_page");
        out.string(view.lab_page);
    }
    if (view.comparison != Comparison{}) {
        out.key("comparison");
        write_comparison(view.comparison, out);
    }
    if (view.heads != HeadsChoice{}) {
        out.key("heads");
        write_heads(view.heads, out);
    }
    if (view.difference) {
        out.key("difference");
        out.boolean(true);
    }
    if (view.study_width != LastView{}.study_width) {
        out.key("study_width");
        out.integer(view.study_width);
    }
    if (view.study_seed != LastView{}.study_seed) {
        out.key("study_seed");
        out.natural(view.study_seed);
    }
    if (view.paths != PathsLook{}) {
        out.key("paths");
        write_paths(view.paths, out);
    }
    out.end_object();
    return out.take();
}

LastView last_view_of(const ViewState& view) {
    LastView last{view.playhead, view.head,       view.pinned,      view.screen,     view.lab_page, view.comparison,
                  view.heads,    view.difference, view.study_width, view.study_seed, view.paths};
    last.heads.held = false;
    last.heads.after = 1;
    return last;
}

void use_last_view(ViewState& view, const LastView& last) {
    view.playhead = last.playhead;
    view.head = last.head;
    view.pinned = last.pinned;
    view.screen = last.screen;
    view.lab_page = last.lab_page;
    view.comparison = last.comparison;
    view.heads = last.heads;
    view.difference = last.difference;
    view.study_width = last.study_width;
    view.study_seed = last.study_seed;
    view.paths = last.paths;
}

}  // namespace app
