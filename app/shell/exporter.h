#pragma once
// Writes what is taken along, on a thread of its own: numbers by themselves, pictures by another run of the program.

#include <functional>
#include <memory>
#include <string>

#include "app/draw/vocab.h"
#include "app/state/derived.h"
#include "app/state/state.h"

namespace app {

class Exporter {
public:
    /// `program`: the path of this program, run again for pictures.
    explicit Exporter(std::string program);
    /// What is under way is cancelled; no half file is left.
    ~Exporter();
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;

    /// Called from the thread when there is something for `follow`.
    void on_news(std::function<void()> wake);
    /// Once a frame: proposes a name where one is wanted, begins what was ordered, cancels, and says what has become
    /// of it, all by actions. `window`: its size in design pixels. True: the state changed.
    bool follow(AppState& state, const Derived& derived, Size window);
    /// There is something for `follow`.
    bool ready() const;

private:
    struct Job;
    void begin(AppState& state, const Derived& derived, Size window);
    bool take_news(AppState& state, const Derived& derived);

    std::string program_;
    std::string folder_;  ///< of the last file: the next one is proposed there
    std::function<void()> wake_;
    std::unique_ptr<Job> job_;
};

/// Where a file is proposed, before any was written: ~/Documents where there is such a folder, else the home folder.
std::string export_folder();
/// A name in the folder that no file has: "attenscope-weights.h2.png", "attenscope-weights.h2-2.png".
std::string proposed_path(const std::string& folder, std::string_view stem, std::string_view ending);
/// What was typed, as an absolute path: "~/" is the home folder.
std::string absolute_path(std::string_view typed);

}  // namespace app
