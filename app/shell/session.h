#pragma once
// What survives from one start to the next: settings, the last document and the position in it. Saved automatically
// soon after a change and when the program ends, each file whole or not at all, so that a crash or a power cut loses at
// most two seconds of work.

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
inline constexpr const char* kChaptersFile = "chapters.json";  ///< progress in the chapters
inline constexpr const char* kPreviousFile = "previous.json";  ///< the document that was replaced by opening another

/// What was restored. Whatever could not be used is at its default and reported in `notices`.
struct Restored {
    Settings settings;
    std::optional<attn::Document> document;
    std::optional<ViewPart> view;
    ChapterProgress progress;
    std::vector<std::string> notices;  ///< sentences for the user, in the settings' language
};

/// One per run of the program. Every function belongs to the thread that owns the state; the writing itself is done on
/// another.
class Session {
public:
    /// A change is saved after this many seconds.
    static constexpr double kPause = 2.0;

    /// `wake` is called from another thread when a write has ended.
    explicit Session(Folders paths, std::function<void()> wake = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Reads the existing files. A file that cannot be understood is renamed to "last.json.bad". `language`: for the
    /// notices, if the settings name none.
    Restored restore(Language language);

    /// From here on, `state` and `place` count as unchanged. A document other than the restored one is saved soon, and
    /// the restored one is saved in addition.
    void begin(const AppState& state, const WindowPlace& place, double time);

    /// Detects changes, and starts to save those that are `kPause` old. `time`: seconds of a monotonic clock.
    void watch(const AppState& state, const WindowPlace& place, double time);
    /// Seconds until watch() has something to do; none: nothing until the state changes.
    std::optional<double> due_in(double time) const;
    /// Saves all changes and waits for it; call before the program ends.
    void finish(const AppState& state, const WindowPlace& place);

    /// Where the document is saved; empty if it is not saved.
    std::filesystem::path last_file() const;

    /// Why saving failed; reported once, until it works again.
    std::optional<attn::Error> take_error();

private:
    /// What the files contain, as far as known.
    struct Stored {
        std::optional<attn::Document> document;
        std::optional<ViewPart> view;
        std::optional<Settings> settings;
        ChapterProgress progress;
    };
    /// Everything that a write needs, so that it can run on another thread.
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
    std::optional<attn::Document> replaced_;  ///< written to kPreviousFile with the next write
    std::optional<double> changed_at_;
    bool failed_ = false;  ///< the last write failed: finish() tries once more
    bool reported_ = false;  ///< a failure was reported since the last success
    std::optional<attn::Error> error_;
    std::atomic<bool> written_ = false;
    std::future<attn::Result<attn::Done>> writing_;
    std::jthread writer_;  ///< last, because it uses the members above
};

}  // namespace app
