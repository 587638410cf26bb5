#pragma once
// Everything that follows from the state: the computation, the timeline, the pose, the inspector's text. A part is
// recomputed only when something that it depends on changes; views draw from here and compute nothing.

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
#include "app/layout/flow/flow.h"
#include "app/layout/flow/model_map.h"
#include "app/layout/flow/turn.h"
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

/// A choice that the document does not allow, and the reason. For integer fields only the next smaller and next larger
/// values are tried; for head counts, every value.
inline constexpr std::string_view kOneLess = "-", kOneMore = "+";
struct Refusal {
    std::string_view field;
    std::string id;
    attn::Error why;
};

/// The tokens that contain the search text, in text order, or the row that was requested by number.
struct Found {
    std::vector<int> tokens, source;  ///< from 0
    bool by_number = false;           ///< `tokens` is that row, or empty if there is no such row
    int count() const { return static_cast<int>(tokens.size() + source.size()); }
};
/// ":120", or a number that no token contains, means that row, counted from 1.
Found find_tokens(const AxisLabels& labels, std::string_view text);

/// A second run next to the document's own, made only while it is shown.
struct SideRun {
    std::shared_ptr<const Computed> computed;  ///< null: none was requested, or it is still being computed
    std::uint64_t generation = 0;              ///< changes whenever `computed` does
    std::optional<attn::Error> error;
    bool computing = false;
    float share = 0;  ///< of that run, 0 … 1
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
    float share = 0;                           ///< how much of it is done, 0 … 1
    std::uint64_t generation = 0;  ///< changes whenever `computed` does; the cache key of all that follows from it

    /// Choices (field, id) that this document does not allow: they are not offered.
    std::vector<Refusal> refused;
    /// Why a choice is not offered; null if it is offered.
    const attn::Error* refusal(std::string_view field, std::string_view id) const;

    SideRun unedited;        ///< the document without edited numbers and interventions, if it has any
    Difference edit_change;  ///< at the playhead's step: the edited run minus the unedited one; empty if not shown
    SideRun other;           ///< the second run of the comparison
    /// What the comparison's second run is: the document's own run if only another head is compared. May be null.
    const Computed* compared_with() const { return same_run ? computed.get() : other.computed.get(); }
    bool same_run = false;
    /// Changes whenever any of these runs changes.
    std::uint64_t generations() const { return generation + unedited.generation + other.generation; }

    Found found;        ///< matches of the search text
    AxisLabels labels;  ///< of rows and columns, in the language shown
    Timeline timeline;
    Pose pose;
    double time = 0;
    /// The values of the playhead's step are being recomputed; until they are there, `pose` stays where it was.
    bool remaking = false;
    std::vector<std::shared_ptr<const attn::Matrix>> in_sight;  ///< values recomputed for the shown step
    /// The cell of the pose's step that the motion explains, in the pinned cell's row and column.
    std::optional<attn::Cell> explained;
    Caption caption;                 ///< of this moment
    StoryEnd story_end;  ///< for this run and head, once the story is over
    struct Ending {
        attn::StepId weights = attn::kNoStep;
        int query = 0;
        bool goes_on = false;  ///< the query is the last word of a text that the model continues
        double arrived = 0;    ///< 0 … 1
        bool operator==(const Ending&) const = default;
    };
    std::optional<Ending> ending;  ///< set once the story is over and its words are drawn with their arcs
    std::optional<TextQuestion> question;  ///< the text's question, while the opening shows it
    std::optional<OpeningData> opening;    ///< what the opening draws of it
    std::vector<WordChange> changes;       ///< words that can be exchanged; empty while the candidates are being run
    std::vector<WordChange> repairs;       ///< known words in place of unknown ones, while the opening is shown

    std::optional<attn::Cell> focus;  ///< under the pointer, else pinned, else the screen's own, else the motion's
    bool focus_pinned = false;
    Inspection inspection;  ///< of the focused cell
    /// The formula with the numbers of the pinned cell, or of the cell under the pointer. If the pointer is on one of
    /// the pinned cell's own sources, the formula stays and `lit_source` is that source.
    Substitution substitution;
    std::optional<attn::Cell> lit_source;
    std::optional<HeadPlace> shown_head;   ///< of the screen, or of the step that is shown; none: it belongs to no head
    std::optional<attn::Cell> to_explain;  ///< the shown screen's own cell, used when nothing is pointed at or pinned
    std::optional<HeadsPicture> picture;  ///< the image that the run reads; none: it reads text

    std::vector<FlowPlace> places;  ///< the places of the model; the flow shows one at a time
    int place = 0;                  ///< the place that the playhead is in
    ModelMap map;                   ///< of all places
    /// The tower of a model whose map is one, while that is visible; null: not ready.
    std::shared_ptr<const struct Tower> tower;
    std::shared_ptr<const struct TowerLens> lens;   ///< what its floors would predict; null: nothing, or not read yet
    FlowGraph flow;                 ///< of the current place, while the flow is shown
    std::optional<FlowTurn> turn;   ///< set while one picture replaces another …
    FlowGraph flow_before;          ///< … and the picture that is being replaced

    HomeData home;  ///< filled once the home screen has been shown

    std::vector<GalleryCard> gallery;  ///< cards of the open gallery; empty while they are being made


    Owned<kDerivedPlaces> owned;  ///< what the screens show, while they are visible
    /// The part that a screen's folder derives: derived.part<HeadsData>().
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

/// Sets a field of the document by name and resets whatever no longer fits it, as a switch in the window does.
void choose(attn::Document& document, std::string_view field, std::string_view id);

/// Keeps a Derived up to date with a state. Small documents are computed at once, large ones on a separate thread while
/// the previous picture stays.
class Deriver {
public:
    Deriver();
    ~Deriver();
    Deriver(const Deriver&) = delete;
    Deriver& operator=(const Deriver&) = delete;

    void refresh(const AppState& state, Derived& derived);
    /// Waits for the thread and takes its result; for rendered pictures and tests.
    void finish(const AppState& state, Derived& derived);
    /// A result is waiting for the next refresh.
    bool ready() const;
    /// Something that is shown is still being computed.
    bool busy() const;
    /// Called from the thread when a result is ready; wakes the window.
    void on_ready(Wake wake);
    /// How often each part of the Derived has been made so far, by the part's name (a screen folder's parts by the
    /// screen's name). For tests.
    std::map<std::string_view, int> made() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace app
