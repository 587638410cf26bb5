#include "app/state/derived.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/document_fields.h"
#include "core/text/unicode.h"

namespace app {
namespace {

/// More multiply-adds than this (about a millisecond) go to the thread.
constexpr double kAtOnce = 3e6;

StepRange range_of(const attn::Matrix& value) {
    StepRange range;
    bool first = true;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        const float v = value.data()[i];
        if (!std::isfinite(v)) continue;
        range.low = first ? v : std::min(range.low, v);
        range.high = first ? v : std::max(range.high, v);
        first = false;
    }
    return range;
}

/// Where the motion's explanation stands: the first cell of the step that is shown.
attn::Cell first_cell(attn::StepId step) { return {step, 0, 0}; }

std::optional<attn::Cell> cell_of(const attn::Trace& trace, const std::optional<CellRef>& ref) {
    if (!ref) return std::nullopt;
    const attn::StepId step = attn::find_id(trace, ref->tag);
    if (step == attn::kNoStep) return std::nullopt;
    const attn::Matrix& value = trace[step].value;
    if (ref->row >= value.rows() || ref->col >= value.cols()) return std::nullopt;
    return attn::Cell{step, ref->row, ref->col};
}

double cost_of(const attn::Document& doc) {
    return attn::find_variant(doc.config.variant) ? attn::estimate(attn::sizes_of(doc), doc.config).multiply_adds : 0;
}

/// Padding that a switch to the padding mask brings along, so that there is something to mask.
constexpr int kUsualPadding = 2;

/// Longer texts are not asked what else would be possible at each keystroke.
constexpr std::size_t kAskAtMost = 20'000;

std::vector<std::pair<std::string_view, std::string_view>> refused_by(const attn::Document& doc) {
    std::vector<std::pair<std::string_view, std::string_view>> out;
    if (doc.text.size() > kAskAtMost) return out;
    for (const attn::Field& field : attn::document_fields()) {
        if (field.kind != attn::FieldKind::Choice) continue;
        for (const std::string_view id : field.choices()) {
            attn::Document copy = doc;
            choose(copy, field.key, id);
            if (!attn::problems(copy).empty()) out.emplace_back(field.key, id);
        }
    }
    return out;
}

}  // namespace

void choose(attn::Document& doc, std::string_view field, std::string_view id) {
    if (field == "variant") return attn::choose_variant(doc, id);
    if (field == "vectors") doc.given[static_cast<std::size_t>(attn::Given::X)].reset();
    if (field == "tokenizer") doc.tokens.clear();
    if (field == "mask" && id == "padding" && doc.padding == 0) doc.padding = kUsualPadding;
    if (field == "mask" && id != "padding") doc.padding = 0;
    if (field == "mask") doc.mask_pattern.resize(0, 0);
    [[maybe_unused]] const auto set = attn::set_field(doc, field, id);
    assert(set.ok() && "ids come from the tables");
    attn::drop_unread(doc);
}

bool Derived::refuses(std::string_view field, std::string_view id) const {
    return std::find(refused.begin(), refused.end(), std::pair(field, id)) != refused.end();
}

std::shared_ptr<const Computed> compute_all(attn::Run run) {
    auto computed = std::make_shared<Computed>();
    computed->run = std::move(run);
    for (const attn::Step& step : computed->run.trace.steps) computed->ranges.push_back(range_of(step.value));
    return computed;
}

/// One thread that computes the newest document asked for; older requests are dropped.
struct Deriver::Worker {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<attn::Document> wanted;
    std::shared_ptr<const Computed> result;
    std::optional<attn::Error> error;
    std::uint64_t asked = 0;  ///< of the newest request; a result of an older one is thrown away
    bool done = false;
    std::function<void()> wake;
    std::jthread thread;  // last: it ends before what it uses

    Worker() : thread([this](std::stop_token stop) { loop(stop); }) {}

    void loop(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        while (changed.wait(lock, stop, [&] { return wanted.has_value(); })) {
            const attn::Document document = std::move(*wanted);
            const std::uint64_t serial = asked;
            wanted.reset();
            lock.unlock();
            auto run = attn::run(document);
            auto computed = run ? compute_all(std::move(*run)) : nullptr;
            lock.lock();
            if (serial != asked) continue;
            result = std::move(computed);
            error = run ? std::nullopt : std::optional(run.error());
            done = true;
            changed.notify_all();
            if (wake) wake();
        }
    }
};

Deriver::Deriver() = default;
Deriver::~Deriver() = default;

void Deriver::on_ready(std::function<void()> wake) {
    if (!worker_) worker_ = std::make_unique<Worker>();
    const std::lock_guard lock(worker_->mutex);
    worker_->wake = std::move(wake);
}

bool Deriver::ready() const {
    if (!worker_) return false;
    const std::lock_guard lock(worker_->mutex);
    return worker_->done;
}

void Deriver::take(Derived& derived, std::shared_ptr<const Computed> computed) {
    derived.computed = std::move(computed);
    derived.run = &derived.computed->run;
    ++derived.generation;
}

void Deriver::follow_document(const AppState& state, Derived& derived) {
    if (worker_) {
        const std::lock_guard lock(worker_->mutex);
        if (worker_->done) {
            worker_->done = false;
            derived.computing = false;
            derived.error = worker_->error;
            if (worker_->result) take(derived, std::move(worker_->result));
        }
    }
    if (document_ && *document_ == state.document) return;
    document_ = state.document;
    derived.refused = refused_by(state.document);
    if (cost_of(state.document) > kAtOnce) {
        if (!worker_) worker_ = std::make_unique<Worker>();
        const std::lock_guard lock(worker_->mutex);
        worker_->wanted = state.document;
        ++worker_->asked;
        worker_->done = false;
        derived.computing = true;
        worker_->changed.notify_all();
    } else {
        if (worker_) {  // whatever is still being computed is of an older document
            const std::lock_guard lock(worker_->mutex);
            worker_->wanted.reset();
            ++worker_->asked;
            worker_->done = false;
        }
        derived.computing = false;
        auto run = attn::run(state.document);
        derived.error = run ? std::nullopt : std::optional(run.error());
        if (run) take(derived, compute_all(std::move(*run)));
    }
    if (!derived.computed) take(derived, compute_all({}));
}

void Deriver::follow_view(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    const attn::Trace& trace = derived.run->trace;
    const int heads = state.document.config.heads;
    const int head = heads > 1 ? view.head : attn::kNoHead;
    if (timeline_generation_ != derived.generation || timeline_head_ != head) {
        derived.timeline = make_timeline(trace, head);
        timeline_generation_ = derived.generation;
        timeline_head_ = head;
        language_.reset();
    }
    if (language_ != view.language) {
        language_ = view.language;
        derived.labels = labels_of(trace, view.language);
    }
    const int stop = std::max(0, stop_of(derived.timeline, trace, view.playhead.tag));
    derived.time = time_of(derived.timeline, stop, view.playhead.progress);
    derived.pose = pose_at(derived.timeline, derived.time);
    if (!derived.timeline.stops.empty()) {
        // time_of(stop, 1) lies inside the stop: its rest belongs to it.
        derived.pose = {stop, derived.timeline.stops[static_cast<std::size_t>(stop)].step, view.playhead.progress};
        derived.time += view.rest;
    }

    const auto pointed = cell_of(trace, view.pointed), pinned = cell_of(trace, view.pinned);
    derived.focus = pointed ? pointed : pinned;
    derived.focus_pinned = !pointed && pinned;
    if (!derived.focus && derived.pose.step != attn::kNoStep && trace[derived.pose.step].value.size() > 0)
        derived.focus = first_cell(derived.pose.step);
    const InspectionKey key{derived.generation, derived.focus, view.language};
    if (key == inspected_) return;
    inspected_ = key;
    derived.inspection = derived.focus ? inspect(trace, *derived.focus, derived.labels, view.language) : Inspection{};
}

void Deriver::follow_lab(const AppState& state, Derived& derived) {
    const ViewState& view = state.view;
    if (view.screen != Screen::Lab) return;
    const std::string page(shown_lab_page(view.lab_page, state.document));
    const int head = state.document.config.heads > 1 ? view.head : attn::kNoHead;
    LabKey key{derived.generation, page,           head, derived.focus ? derived.focus->row : 0,
               view.study_width,   view.study_seed};
    if (key == lab_) return;
    make_lab({page, *derived.run, state.document, head, key.row, view.study_width, view.study_seed}, derived.lab);
    lab_ = std::move(key);
}

void Deriver::refresh(const AppState& state, Derived& derived) {
    follow_document(state, derived);
    follow_view(state, derived);
    follow_lab(state, derived);
}

void Deriver::finish(const AppState& state, Derived& derived) {
    refresh(state, derived);
    if (!derived.computing) return;
    {
        std::unique_lock lock(worker_->mutex);
        worker_->changed.wait(lock, [&] { return worker_->done; });
    }
    refresh(state, derived);
}

}  // namespace app
