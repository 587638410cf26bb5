#include "app/shell/exporter.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/panels/export_formats.h"
#include "app/panels/figures.h"
#include "app/shell/delivery.h"
#include "app/shell/export_work.h"
#include "app/state/worker.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 1000;

std::string home() {
    const char* value = std::getenv("HOME");
    return value && fs::path(value).is_absolute() ? value : "";
}

/// The stem of the file name, which says what the file contains.
std::string stem_of(const AppState& state, const Derived& derived) {
    const ExportChoice& choice = state.view.exporting;
    const auto& trace = derived.run->trace;
    const attn::StepId shown = derived.pose.step;
    const std::string step = shown == attn::kNoStep ? "view" : attn::file_name_of(trace[shown].tag, counts_from(state.view, state.document));
    switch (choice.subject) {
        case Subject::View:
        case Subject::Figure:
            return state.view.screen == Screen::Stage ? step : std::string(screen_id(state.view.screen));
        case Subject::Matrix:
            return state.view.pinned ? attn::file_name_of(state.view.pinned->tag, counts_from(state.view, state.document)) : step;
        case Subject::Animation:
            return "walk";
        case Subject::Steps:
            return "steps";
        case Subject::Document:
            break;
    }
    return choice.format == "link" ? "link" : "document";
}

attn::StepId picked(const AppState& state, const Derived& derived) {
    if (state.view.pinned)
        if (const auto step = attn::find_id(derived.run->trace, state.view.pinned->tag); step != attn::kNoStep)
            return step;
    return derived.pose.step;
}

}  // namespace

/// One export, from its order to its outcome.
struct Exporter::Job {
    ExportWork work;
    std::atomic<float> share = 0;
    std::atomic<bool> moved = false, ended = false;
    attn::Result<attn::Done> outcome = attn::Done{};  ///< valid once `ended`
    bool cancelled = false;
    std::function<void()> wake;
    std::unique_ptr<RunningChild> child;  ///< draws a picture
    Worker worker;                 ///< writes numbers

    void start() {
        if (is_picture(work.choice.subject)) {
            ChildJob job = picture_job(work);
            job.progress = [this](float at) {
                share = std::isfinite(at) ? std::clamp(at, 0.0f, 1.0f) : 0.0f;
                tell();
            };
            child = start_child(std::move(job), [this](attn::Result<attn::Done> end) { finish(std::move(end)); });
            return;
        }
        worker.on_ready([this](JobEnd end) {
            if (end == JobEnd::NoMemory) finish(no_memory_to_write());
        });
        worker.add([this](const std::stop_token&) -> Worker::Keep {
            finish(write_numbers(work));
            return {};
        });
    }
    void cancel() {
        if (std::exchange(cancelled, true) || !child) return;
        child->cancel();
    }
    void finish(attn::Result<attn::Done> end) {
        outcome = std::move(end);
        ended = true;
        tell();
    }
    void tell() {
        moved = true;
        if (wake) wake();
    }
};

Exporter::Exporter(std::string program) : program_(std::move(program)), folder_(export_folder()) {}
Exporter::~Exporter() = default;

void Exporter::on_news(std::function<void()> wake) { wake_ = std::move(wake); }
bool Exporter::ready() const { return job_ && job_->moved; }

void Exporter::begin(AppState& state, const Derived& derived, Size window) {
    ExportState next;
    ViewState seen = state.view;
    seen.count_from = counts_from(state.view, state.document);  // the picture is rendered without an open chapter
    const FigureKind* figure = figure_shown(state.view, derived);
    ExportWork work{*state.exporting.ordered,
                    state.document,
                    derived.computed,
                    picked(state, derived),
                    settings_of(seen, {}),
                    part_of(state.view, kPlace),
                    std::string(figure ? figure->name : ""),
                    window,
                    program_};
    work.choice.path = absolute_path(work.choice.path);
    work.choice.format = chosen_format(work.choice).id;
    const Language language = state.view.language;
    const auto target = attn::resolve_target(work.choice.path);
    if (work.choice.path.empty())
        next.problem = tr(Str::export_no_path, language);
    else if (work.choice.subject == Subject::Figure && !figure)
        next.problem = tr(Str::export_no_figure, language);
    else if (!target)
        next.problem = target.error().text();
    else if (target->exists && !state.exporting.replace)
        next.exists = true;
    else
        next.running = true;
    if (next.running) {
        job_ = std::make_unique<Job>();
        job_->work = std::move(work);
        job_->wake = wake_;
        job_->start();
    }
    update(state, ExportNews{next}, derived);
}

bool Exporter::take_news(AppState& state, const Derived& derived) {
    if (!job_ || !job_->moved.exchange(false)) return false;
    ExportState next = state.exporting;
    next.share = job_->share;
    if (!job_->ended) {
        update(state, ExportNews{next}, derived);
        return true;
    }
    const Language language = state.view.language;
    const std::string path = attn::visible_text(job_->work.choice.path);
    const bool cancelled = job_->cancelled && !job_->outcome;
    next = {};
    if (!job_->outcome && !cancelled) next.problem = job_->outcome.error().text();
    update(state, ExportNews{next}, derived);
    if (job_->outcome) {
        folder_ = fs::path(job_->work.choice.path).parent_path().string();
        deliver(job_->work.choice.path);
    }
    const auto with_message = [&](ViewState& view) {
        if (job_->outcome) {
            if (view.sheet == Sheet::Export) view.sheet = Sheet::None;
            view.exporting.path.clear();
        } else if (view.sheet != Sheet::Export && !cancelled) {
            view.notice = next.problem;  // the panel that would show it is closed
        }
    };
    update(state, ChangeView{with_message}, derived);
    if (job_->outcome) update(state, Tell{fill_in(tr(Str::saved_to, language), {path})}, derived);
    if (cancelled) update(state, Tell{std::string(tr(Str::export_cancelled, language))}, derived);
    job_.reset();
    return true;
}

bool Exporter::follow(AppState& state, const Derived& derived, Size window) {
    bool changed = take_news(state, derived);
    if (state.exporting.cancel && job_) job_->cancel();
    if (state.exporting.ordered && !job_) {
        begin(state, derived, window);
        changed = true;
    }
    if (state.view.sheet == Sheet::Export && state.view.exporting.path.empty() && state.view.exporting.proposed) {
        const auto propose = [&](ViewState& v) {
            v.exporting.path = proposed_path(folder_, stem_of(state, derived), chosen_format(v.exporting).ending);
        };
        update(state, ChangeView{propose}, derived);
        changed = true;
    }
    return changed;
}

std::string export_folder() {
    const std::string at = home();
    std::error_code ignored;
    if (at.empty()) return fs::current_path(ignored).string();
    const fs::path documents = fs::path(at) / "Documents";
    return fs::is_directory(documents, ignored) ? documents.string() : at;
}

std::string proposed_path(const std::string& folder, std::string_view stem, std::string_view ending) {
    std::error_code ignored;
    for (int i = 1; i < kMostNames; ++i) {
        std::string name = "attenscope-" + std::string(stem);
        if (i > 1) name += "-" + std::to_string(i);
        const fs::path path = fs::path(folder) / (name + "." + std::string(ending));
        if (!fs::exists(fs::symlink_status(path, ignored))) return path.string();
    }
    return {};
}

std::string absolute_path(std::string_view typed) {
    if (typed.empty()) return {};
    fs::path path(typed);
    if (typed.starts_with("~/") && !home().empty()) path = fs::path(home()) / typed.substr(2);
    std::error_code failed;
    const fs::path whole = fs::absolute(path, failed);
    return failed ? path.string() : whole.lexically_normal().string();
}

}  // namespace app
