#include "app/shell/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "core/document/fields.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

namespace fs = std::filesystem;

/// Our own files are far smaller; a larger one was not written by us.
constexpr std::size_t kMostBytes = attn::JsonLimits{}.max_bytes;
constexpr int kMostBad = 9;  ///< the most bad files that are kept

std::string say(Str sentence, Language language, std::string_view argument = {}) {
    return fill_in(tr(sentence, language), {argument});
}

/// Whether the file does not seem to exist; also true if a file is in the place of its folder (saving will report
/// that).
bool is_missing(const fs::path& file) {
    std::error_code ignored;
    return file.empty() || fs::symlink_status(file, ignored).type() == fs::file_type::not_found;
}

/// Renames a file that cannot be understood, so that its owner can inspect it, and returns the new path; empty if it
/// stays.
fs::path set_aside(const fs::path& file) {
    fs::path aside = file;
    aside += ".bad";
    for (int i = 2; i <= kMostBad && !is_missing(aside); ++i) aside = fmt::format("{}.bad{}", file.string(), i);
    std::error_code failed;
    fs::rename(file, aside, failed);
    return failed ? fs::path() : aside;
}

attn::Result<attn::Done> write_whole(const fs::path& folder, const char* name, const std::string& bytes) {
    if (const auto made = make_folder(folder); !made) return made.error();
    return attn::atomic_write(folder / name, bytes);
}

}  // namespace

struct Session::Job {
    Folders paths;
    std::optional<attn::Document> previous, document;
    std::optional<ViewPart> view;
    std::optional<Settings> settings;
    std::optional<ChapterProgress> progress = {};

    bool empty() const { return !previous && !document && !view && !settings && !progress; }

    /// Writes each file independently; a failure does not prevent the others, except that the last document is not
    /// replaced before the previous one is safe. Returns the first error.
    attn::Result<attn::Done> run() const {
        attn::Result<attn::Done> outcome = attn::Done{};
        const auto write = [&](const fs::path& folder, const char* name, const std::string& bytes) {
            if (folder.empty()) return;
            if (auto written = write_whole(folder, name, bytes); !written && outcome) outcome = written.error();
        };
        if (previous) write(paths.state, kPreviousFile, attn::document_to_json(*previous));
        if (document && outcome) write(paths.state, kLastFile, attn::document_to_json(*document));
        if (view) write(paths.state, kLastViewFile, part_to_json(*view));
        if (progress) write(paths.state, kChaptersFile, progress_to_json(*progress));
        if (settings) write(paths.config, kSettingsFile, settings_to_json(*settings));
        return outcome;
    }
};

Session::Session(Folders paths, std::function<void()> wake) : folders_(std::move(paths)), wake_(std::move(wake)) {}

Session::~Session() {
    if (writing_.valid()) writing_.wait();
}

fs::path Session::last_file() const { return folders_.state.empty() ? fs::path() : folders_.state / kLastFile; }

void Session::restore_settings(Restored& out, Language fallback) {
    const fs::path file = folders_.config.empty() ? fs::path() : folders_.config / kSettingsFile;
    if (is_missing(file)) return;
    const auto bytes = attn::read_file(file, kMostBytes);
    const auto loaded = bytes ? settings_from_json(*bytes, kSettingsFile) : bytes.error();
    if (!loaded) {
        const bool backed_up = !set_aside(file).empty();
        reported_ = reported_ || !backed_up;  // saving will fail for the same reason
        out.notices.push_back(say(Str::settings_bad, fallback) + " " + loaded.error().text());
        return;
    }
    out.settings = loaded->settings;
    for (const attn::Error& problem : loaded->problems) out.notices.push_back(problem.text());
    if (loaded->problems.empty()) stored_.settings = out.settings;
}

void Session::restore_document(Restored& out, Language language) {
    const fs::path file = last_file();
    if (is_missing(file)) return;
    const auto bytes = attn::read_file(file, kMostBytes);
    auto document = bytes ? attn::document_from_json_in_part(*bytes, kLastFile, {.folders = true}) : bytes.error();
    if (document) {
        out.document = std::move(document->document);
        if (document->left_out.empty()) {
            stored_.document = out.document;
            return;
        }
        // The file is kept for its owner; what could be read of it is used.
        const fs::path backup = set_aside(file);
        std::string left;
        for (const attn::Error& one : document->left_out) left += (left.empty() ? "" : "; ") + one.text();
        out.notices.push_back(fill_in(tr(Str::restored_part, language), {attn::visible_text(backup.string()), left}));
        return;
    }
    const fs::path aside = set_aside(file);
    if (!aside.empty()) {
        const std::string name = attn::visible_text(aside.string());
        out.notices.push_back(say(Str::restored_bad, language, name) + " " + document.error().text());
        return;
    }
    out.notices.push_back(say(Str::cannot_save, language, document.error().text()));
    folders_.state.clear();  // leave the file untouched
}

Restored Session::restore(Language language) {
    Restored out;
    const auto say_aside = [&](Str sentence, const fs::path& aside, const attn::Error& error) {
        return fill_in(tr(sentence, out.settings.language().value_or(language)), {attn::visible_text(aside.string())}) + " " +
               error.text();
    };
    if (folders_.config.empty() && folders_.state.empty()) {
        out.notices.push_back(say(Str::cannot_save, language, make_folder({}).error().text()));
        return out;
    }
    for (const fs::path& folder : {folders_.config, folders_.state})
        if (!folder.empty()) attn::sweep_stale_temps(folder);
    restore_settings(out, language);
    restore_document(out, out.settings.language().value_or(language));
    if (out.document && !is_missing(folders_.state / kLastViewFile)) {
        const fs::path file = folders_.state / kLastViewFile;
        const auto bytes = attn::read_file(file, kMostBytes);
        const auto view = bytes ? part_from_json(*bytes, kPlace, kLastViewFile) : bytes.error();
        if (view)
            stored_.view = out.view = view->part;
        else
            out.notices.push_back(say_aside(Str::view_bad, set_aside(file), view.error()));
    }
    if (!folders_.state.empty() && !is_missing(folders_.state / kChaptersFile)) {
        const fs::path file = folders_.state / kChaptersFile;
        const auto bytes = attn::read_file(file, kMostBytes);
        const auto sound = bytes ? attn::parse_json(*bytes) : bytes.error();
        if (sound && sound->kind == attn::JsonKind::Object)
            stored_.progress = out.progress = progress_from_json(*bytes);
        else
            out.notices.push_back(say_aside(Str::progress_bad, set_aside(file),
                                            sound ? attn::Error{"an object is expected", kChaptersFile, "", 1} : sound.error()));
    }
    loaded_ = out.settings;
    return out;
}

void Session::begin(const AppState& state, const WindowPlace& place, double time) {
    at_start_ = settings_of(state.view, place);
    if (stored_.document && document_changed(state)) replaced_ = stored_.document;
    watch(state, place, time);
}

bool Session::document_changed(const AppState& state) const {
    return !folders_.state.empty() && !(stored_.document && *stored_.document == state.document);
}

bool Session::view_changed(const AppState& state) const {
    // While it plays, the playhead moves all the time: only where it stops counts.
    return !folders_.state.empty() && !state.view.playing && stored_.view != part_of(state.view, kPlace);
}

bool Session::progress_changed(const AppState& state) const {
    return !folders_.state.empty() && stored_.progress != state.progress;
}

bool Session::settings_changed(const AppState& state, const WindowPlace& place) const {
    return !folders_.config.empty() && stored_.settings != merged(loaded_, at_start_, settings_of(state.view, place));
}

/// Collects what differs from the files. It counts as written from here on: a failure is retried at the end, not for
/// ever.
Session::Job Session::take_changes(const AppState& state, const WindowPlace& place) {
    Job job{folders_, replaced_, std::nullopt, std::nullopt, std::nullopt};
    if (failed_) stored_ = {};
    failed_ = true;  // until everything has been collected and written, because memory may run out on the way
    if (document_changed(state)) job.document = stored_.document = state.document;
    if (view_changed(state)) job.view = stored_.view = part_of(state.view, kPlace);
    if (settings_changed(state, place))
        job.settings = stored_.settings = merged(loaded_, at_start_, settings_of(state.view, place));
    if (progress_changed(state)) job.progress = stored_.progress = state.progress;
    changed_at_.reset();
    failed_ = !job.empty();
    return job;
}

void Session::note_outcome(const attn::Result<attn::Done>& outcome) {
    failed_ = !outcome;
    if (failed_ && !reported_) error_ = outcome.error();
    reported_ = failed_;
    if (failed_) return;
    replaced_.reset();
    error_.reset();  // an unreported earlier error no longer applies
}

void Session::collect() {
    if (written_.exchange(false)) note_outcome(writing_.get());
}

void Session::watch(const AppState& state, const WindowPlace& place, double time) {
    collect();
    if (!document_changed(state) && !view_changed(state) && !progress_changed(state) &&
        !settings_changed(state, place)) {
        changed_at_.reset();
        return;
    }
    if (!changed_at_) changed_at_ = time;
    if (time - *changed_at_ < kPause || writing_.valid()) return;
    const auto write = [this, job = take_changes(state, place)] {
        attn::Result<attn::Done> outcome = attn::Done{};
        try {
            outcome = job.run();
        } catch (const std::bad_alloc&) {
            outcome = attn::Error{"there is not enough memory to save the document; it is tried again with the next change", "", "", 0};
        }
        written_ = true;
        if (wake_) wake_();
        return outcome;
    };
    // (Not std::async: in LLVM's library it hangs if no thread can be started.)
    const auto task = std::make_shared<std::packaged_task<attn::Result<attn::Done>()>>(write);
    writing_ = task->get_future();
    try {
        writer_ = std::jthread([task] { (*task)(); });
    } catch (const std::exception&) {
        // No thread, or no memory for one: write here and now.
        (*task)();
        collect();
    }
}

std::optional<double> Session::due_in(double time) const {
    if (!changed_at_ || writing_.valid()) return std::nullopt;
    return std::max(0.0, *changed_at_ + kPause - time);
}

void Session::finish(const AppState& state, const WindowPlace& place) {
    if (writing_.valid()) {
        note_outcome(writing_.get());
        written_ = false;
    }
    AppState at_rest{state.document, state.view, {}, {}};
    at_rest.progress = state.progress;
    at_rest.view.playing = false;
    if (const Job job = take_changes(at_rest, place); !job.empty()) note_outcome(job.run());
}

std::optional<attn::Error> Session::take_error() { return std::exchange(error_, std::nullopt); }

}  // namespace app
