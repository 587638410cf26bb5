#pragma once
// From one start to the next: settings, the last document and the place in it. Written by itself soon after a change
// and when the program ends, whole or not at all, so that a crash or a power cut costs two seconds of work at most.

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/state/folders.h"
#include "app/state/settings.h"
#include "app/state/state.h"

namespace app {

inline constexpr const char* kSettingsFile = "settings.json";  ///< in Folders::config
inline constexpr const char* kLastFile = "last.json";          ///< in Folders::state, like the next two
inline constexpr const char* kLastViewFile = "last-view.json";
inline constexpr const char* kChaptersFile = "chapters.json";  ///< what is done of the chapters
inline constexpr const char* kPreviousFile = "previous.json";  ///< the last document before another was opened

/// What came back from the last time. Whatever could not be used is at its default and said in `notices`.
struct Restored {
    Settings settings;
    std::optional<attn::Document> document;
    std::optional<ViewPart> view;
    ChapterProgress progress;
    std::vector<std::string> notices;  ///< sentences for the user, in the settings' language
};

/// One for a run of the program. Every function is for the thread that owns the state; the writing itself is not on it.
class Session {
public:
    /// Seconds of change before it is saved.
    static constexpr double kPause = 2.0;

    /// `wake` is called, from another thread, when a write has ended.
    explicit Session(Folders paths, std::function<void()> wake = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Reads what there is. A file that is not understood is set aside as "last.json.bad". `language`: of the notices,
    /// where the settings name none.
    Restored restore(Language language);

    /// From here on `state` and `place` count as unchanged. A document other than the restored one is saved soon, and
    /// the restored one kept beside it.
    void begin(const AppState& state, const WindowPlace& place, double time);

    /// Looks for changes, and starts to save those that are `kPause` old. `time`: seconds of a monotonic clock.
    void watch(const AppState& state, const WindowPlace& place, double time);
    /// Seconds until watch() has something to do; none: not before the state changes.
    std::optional<double> due_in(double time) const;
    /// Saves what changed, and waits for it: before the program ends.
    void finish(const AppState& state, const WindowPlace& place);

    /// Where the document is saved; empty where it is not.
    std::filesystem::path last_file() const;

    /// Why saving failed: said once, until it works again.
    std::optional<attn::Error> take_error();

private:
    /// What stands in the files; none: nothing that we know of.
    struct Stored {
        std::optional<attn::Document> document;
        std::optional<ViewPart> view;
        std::optional<Settings> settings;
        ChapterProgress progress;
    };
    /// What a write needs, so that it can be done on another thread.
    struct Job;

    void restore_settings(Restored& out, Language fallback);
    void restore_document(Restored& out, Language language);
    bool document_changed(const AppState& state) const;
    bool view_changed(const AppState& state) const;
    bool progress_changed(const AppState& state) const;
    bool settings_changed(const AppState& state, const WindowPlace& place) const;
    Job take_changes(const AppState& state, const WindowPlace& place);
    void collect();
    void note_outcome(const attn::Result<attn::Done>& outcome);

    Folders folders_;
    std::function<void()> wake_;
    Stored stored_;
    Settings loaded_, at_start_;
    std::optional<attn::Document> replaced_;  ///< goes to kPreviousFile with the next write
    std::optional<double> changed_at_;
    bool failed_ = false;  ///< the last write: the end tries once more
    bool told_ = false;    ///< of a failure, since the last success
    std::optional<attn::Error> error_;
    std::atomic<bool> written_ = false;
    std::future<attn::Result<attn::Done>> writing_;
    std::jthread writer_;  ///< last: it uses what is above
};

}  // namespace app
