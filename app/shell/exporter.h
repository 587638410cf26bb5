#pragma once
// Writes exports on a separate thread: numbers directly, pictures in another process of the program.

#include <functional>
#include <memory>
#include <string>

#include "app/draw/vocab.h"
#include "app/state/derived.h"
#include "app/state/state.h"

namespace app {

class Exporter {
public:
    /// `program`: the path of this program, which is run again for pictures.
    explicit Exporter(std::string program);
    /// Cancels the current export; no incomplete file is left.
    ~Exporter();
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;

    /// Sets the function that the thread calls when `follow` has something to do.
    void on_news(std::function<void()> wake);
    /// Call once a frame: proposes a name if one is needed, starts the ordered export, cancels, and reports the
    /// outcome, all as actions. `window`: its size in design pixels. True: the state changed.
    bool follow(AppState& state, const Derived& derived, Size window);
    /// `follow` has something to do.
    bool ready() const;

private:
    struct Job;
    void begin(AppState& state, const Derived& derived, Size window);
    bool take_news(AppState& state, const Derived& derived);

    std::string program_;
    std::string folder_;  ///< the last file's folder, proposed for the next one
    std::function<void()> wake_;
    std::unique_ptr<Job> job_;
};

/// The folder proposed before any file was written: ~/Documents if it exists, else the home folder.
std::string export_folder();
/// A file name that is not taken in the folder: "attenscope-weights.h2.png", "attenscope-weights.h2-2.png".
std::string proposed_path(const std::string& folder, std::string_view stem, std::string_view ending);
/// What was typed, as an absolute path: "~/" is the home folder.
std::string absolute_path(std::string_view typed);

}  // namespace app
