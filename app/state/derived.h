#pragma once
// What follows from the state: the computation, the timeline, the pose, what the inspector says. Remade only where
// something that it depends on changed; views draw from here and compute nothing.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/anim/stage.h"
#include "app/anim/timeline.h"
#include "app/state/examples.h"
#include "app/state/inspection.h"
#include "app/state/lab.h"
#include "app/state/state.h"
#include "core/document.h"

namespace app {

/// A finished computation, shared between the thread that made it and the frames that draw it. Never changed.
struct Computed {
    attn::Run run;
    std::vector<StepRange> ranges;  ///< one a step
};
std::shared_ptr<const Computed> compute_all(attn::Run run);

struct Derived {
    std::shared_ptr<const Computed> computed;  ///< never null
    const attn::Run* run = nullptr;            ///< of `computed`
    std::optional<attn::Error> error;          ///< why the document cannot be run; `run` is then the last good one
    bool computing = false;                    ///< a newer run is on its way
    std::uint64_t generation = 0;              ///< changes whenever `computed` does: the only cache key

    /// Choices (field, id) that this document does not allow: they are not offered.
    std::vector<std::pair<std::string_view, std::string_view>> refused;
    bool refuses(std::string_view field, std::string_view id) const;

    AxisLabels labels;  ///< of rows and columns, in the language shown
    Timeline timeline;
    Pose pose;
    double time = 0;

    std::optional<attn::Cell> focus;  ///< pointed at, or pinned, or the one that the motion shows
    bool focus_pinned = false;
    Inspection inspection;  ///< of the focus
    LabData lab;            ///< of the lab's page, while the lab is shown

    double last_rest() const { return timeline.stops.empty() ? 0 : timeline.stops.back().rest; }
};

/// Sets a choice of the document by name and puts what no longer belongs to it back: what a switch does.
void choose(attn::Document& document, std::string_view field, std::string_view id);

/// Keeps a Derived in step with a state. Small documents are computed at once; large ones on a thread of their own,
/// while the last picture stays.
class Deriver {
public:
    Deriver();
    ~Deriver();
    Deriver(const Deriver&) = delete;
    Deriver& operator=(const Deriver&) = delete;

    void refresh(const AppState& state, Derived& derived);
    /// Waits for the thread and takes its result: for pictures and tests.
    void finish(const AppState& state, Derived& derived);
    /// A result is waiting for the next refresh.
    bool ready() const;
    /// Called from the thread when a result is ready; wakes the window.
    void on_ready(std::function<void()> wake);

private:
    struct Worker;
    void follow_document(const AppState& state, Derived& derived);
    void take(Derived& derived, std::shared_ptr<const Computed> computed);
    void follow_view(const AppState& state, Derived& derived);
    void follow_lab(const AppState& state, Derived& derived);

    std::unique_ptr<Worker> worker_;
    std::optional<attn::Document> document_;
    std::uint64_t timeline_generation_ = 0;
    int timeline_head_ = -2;
    std::optional<Language> language_;
    struct InspectionKey {
        std::uint64_t generation = 0;
        std::optional<attn::Cell> cell;
        Language language = Language::English;
        bool operator==(const InspectionKey&) const = default;
    };
    InspectionKey inspected_;
    struct LabKey {
        std::uint64_t generation = 0;
        std::string page;
        int head = 0, row = 0, width = 0;
        std::uint64_t seed = 0;
        bool operator==(const LabKey&) const = default;
    };
    LabKey lab_;
};

}  // namespace app
