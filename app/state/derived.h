#pragma once
// What follows from the state: the computation, the timeline, the pose, what the inspector says. Remade only where
// something that it depends on changed; views draw from here and compute nothing.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/caption.h"
#include "app/explain/inspection.h"
#include "app/explain/substitution.h"
#include "app/screens/flow/flow.h"
#include "app/screens/flow/model_map.h"
#include "app/screens/flow/turn.h"
#include "app/state/computed.h"
#include "app/state/difference.h"
#include "app/state/examples.h"
#include "app/state/gallery.h"
#include "app/state/home.h"
#include "app/state/owned.h"
#include "app/state/picture.h"
#include "app/state/state.h"
#include "app/state/worker.h"
#include "app/timeline/timeline.h"
#include "core/document/document.h"

namespace app {

/// A choice that the document does not allow, and what it says against it. Of whole numbers the next ones are asked,
/// of heads every count by itself.
inline constexpr std::string_view kOneLess = "-", kOneMore = "+";
struct Refusal {
    std::string_view field;
    std::string id;
    attn::Error why;
};

/// Tokens that contain what is looked for, in the order of the text; or the row that was asked for by its number.
struct Found {
    std::vector<int> tokens, source;  ///< from 0
    bool by_number = false;           ///< `tokens` is that row, or empty where there is none
    int count() const { return static_cast<int>(tokens.size() + source.size()); }
};
/// ":120" or a number that no token contains is a row, from 1.
Found find_tokens(const AxisLabels& labels, std::string_view text);

/// A run beside the document's own, made only while somebody looks at it.
struct SideRun {
    std::shared_ptr<const Computed> computed;  ///< null: none was asked for, or it is still being computed
    std::uint64_t generation = 0;              ///< changes whenever `computed` does
    std::optional<attn::Error> error;
    bool computing = false;
    const attn::Trace* trace() const { return computed ? &computed->run.trace : nullptr; }
};

/// A head: the part and layer of its attention, and its number from 0.
struct HeadPlace {
    attn::Tag at;
    int head = 0;
};

struct Derived {
    std::shared_ptr<const Computed> computed;  ///< never null
    const attn::Run* run = nullptr;            ///< of `computed`
    std::optional<attn::Error> error;          ///< why the document cannot be run; `run` is then the last good one
    bool computing = false;                    ///< a newer run is on its way
    std::uint64_t generation = 0;  ///< changes whenever `computed` does: what all that follows from it is kept by

    /// Choices (field, id) that this document does not allow: they are not offered.
    std::vector<Refusal> refused;
    /// Why a choice is not offered; null: it is.
    const attn::Error* refusal(std::string_view field, std::string_view id) const;

    SideRun unedited;        ///< the document as it computes by itself, where numbers are typed over or something is replaced
    Difference edit_change;  ///< of the step at the playhead: with them minus without; none: not looked at
    SideRun other;           ///< the second run of the comparison
    /// What the second run of the comparison is of: the document's own where only another head is looked at. May be
    /// null.
    const Computed* compared_with() const { return same_run ? computed.get() : other.computed.get(); }
    bool same_run = false;
    /// Changes whenever any of the runs does.
    std::uint64_t generations() const { return generation + unedited.generation + other.generation; }

    Found found;        ///< of what is looked for
    AxisLabels labels;  ///< of rows and columns, in the language shown
    Timeline timeline;
    Pose pose;
    double time = 0;
    /// The playhead is at a step whose numbers are being made again: `pose` is where it was.
    bool remaking = false;
    std::vector<std::shared_ptr<const attn::Matrix>> in_sight;  ///< what was made again for this step, as long as it is shown
    std::optional<attn::Cell> told;  ///< of the pose's step: what the motion explains, of the pinned cell's row and column
    Caption caption;                 ///< of this moment
    StoryEnd story_end;  ///< of this run and head, once the story is over
    struct Ending {
        attn::StepId weights = attn::kNoStep;
        int query = 0;
        bool goes_on = false;  ///< the query is the last word of a text that goes on
        double arrived = 0;    ///< 0 … 1
        bool operator==(const Ending&) const = default;
    };
    std::optional<Ending> ending;  ///< the story is over, and its words stand with their arcs
    std::optional<TextQuestion> question;  ///< of the text, while it is asked
    std::optional<OpeningData> opening;    ///< what is drawn of it
    std::vector<WordChange> changes;       ///< words that can be exchanged; empty while they are tried
    std::vector<WordChange> repairs;       ///< known words for those of which nothing is known, while the text is asked

    std::optional<attn::Cell> focus;  ///< pointed at, or pinned, or the one that the motion shows
    bool focus_pinned = false;
    Inspection inspection;  ///< of the focus
    /// The formula with the numbers of the pinned cell, or of the one pointed at; while one of the pinned cell's own
    /// sources is pointed at it stays, and `lit_source` is that.
    Substitution substitution;
    std::optional<attn::Cell> lit_source;
    std::optional<HeadPlace> shown_head;   ///< of the screen, or of the step that is shown; none: it is of no head
    std::optional<attn::Cell> to_explain;  ///< of the screen that is shown, where nothing is pointed at or pinned
    std::optional<HeadsPicture> picture;  ///< that the run looks at; none: it is of a text
    std::vector<FlowPlace> places;  ///< what the flow shows one of
    int place = 0;                  ///< where the playhead is
    ModelMap map;                   ///< of all places
    std::shared_ptr<const struct Tower> tower;      ///< of a model whose map is one, while that is seen; null: it is on its way
    std::shared_ptr<const struct TowerLens> lens;   ///< what each of its floors would answer; null: nothing, or not yet
    FlowGraph flow;                 ///< of that place, while the flow is shown
    std::optional<FlowTurn> turn;   ///< its picture has just taken the place of another …
    FlowGraph flow_before;          ///< … which was this

    HomeData home;  ///< from the first time on that the home screen was shown

    std::vector<GalleryCard> gallery;  ///< of the gallery that is open; empty while it is being made

    Owned<kDerivedPlaces> owned;  ///< what the screens show, while they are shown
    /// What a screen's folder makes of it: derived.part<HeadsData>().
    template <class T>
    const T& part() const {
        return owned.get<T>();
    }
    template <class T>
    T& part() {
        return owned.get<T>();
    }

    double last_rest() const { return timeline.stops.empty() ? 0 : timeline.stops.back().rest; }

    Derived();
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;
    ~Derived();
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
    /// Something that a run of the document is looked at for is being made.
    bool busy() const;
    /// Called from the thread when a result is ready; wakes the window.
    void on_ready(Wake wake);
    /// How often each part of the Derived has been made so far, by its name, of a screen's folder by the screen's: what a test counts.
    std::map<std::string_view, int> made() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace app
