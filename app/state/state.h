#pragma once
// What the program knows: the document (saved, undone) and the view of it (kept, not undone). Views read it and push
// actions; update() alone writes it.

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/content/strings.h"
#include "app/draw/map_window.h"
#include "app/draw/pyramid.h"
#include "app/screens/flow/model_map.h"
#include "app/state/course.h"
#include "app/state/history.h"
#include "app/state/opening.h"
#include "app/state/own_models.h"
#include "app/state/owned.h"
#include "app/state/parts.h"
#include "app/state/text_question.h"
#include "app/timeline/answer.h"
#include "app/timeline/walk_pace.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// A cell by meaning, not by step number: it stays the same place while the computation around it changes.
struct CellRef {
    attn::Tag tag;
    int row = 0;
    int col = 0;
    bool operator==(const CellRef&) const = default;
};

/// Progress comes in steps, far below what can be seen: a moment that was played to and the same moment sought differ by the
/// rounding of the frames between, and must be one and the same number, or a picture hangs on its last bit.
inline constexpr double kProgressSteps = 67108864;

/// Where the animation stands, by meaning as well.
struct Playhead {
    attn::Tag tag;
    double progress = 1;  ///< of the step's motion, a multiple of 1 / kProgressSteps
    bool operator==(const Playhead&) const = default;
};

/// What fills the window between header and footer (screens.h).
enum class Screen : std::uint8_t {
#define SCREEN(name, ...) name,
#include "app/state/screens.inc"
#undef SCREEN
};
#define SCREEN(name, ...) +1
inline constexpr int kScreenCount = 0
#include "app/state/screens.inc"
    ;
#undef SCREEN
/// "stage", "compare" …
std::string_view screen_id(Screen screen);
std::optional<Screen> find_screen(std::string_view id);

/// The flow's camera on its way, 0 … 1: to a place of the model, to the whole, closer.
struct FlowFlight {
    FlowCamera from, to;
    double passed = 0;
    bool operator==(const FlowFlight&) const = default;
};

/// How the flow is looked at: the camera is that of the place that the playhead is in.
struct FlowLook : FlowCamera {
    bool fan = false;   ///< all heads side by side instead of one in front of the others
    double fanned = 0;  ///< how far they are apart now: 0 stacked, 1 side by side
    std::optional<FlowFlight> flight{};
    bool entered = false;  ///< the stage was come to from the flow: the way back stands on it
    int asked = -1;        ///< the word that was clicked to be followed; −1: the pinned cell's, or the one that says most
    int asked_before = -1; ///< the one that was followed before …
    double swing = 1;      ///< … and how far the picture has come since, 0 … 1
    bool operator==(const FlowLook&) const = default;
    const FlowCamera& camera() const { return *this; }
    /// The picture swings from the word that it follows to this one.
    void ask(int query) {
        if (query == asked) return;
        asked_before = asked;
        asked = query;
        swing = 0;
    }
    bool moves() const { return flight || swing < 1 || (fan ? fanned < 1 : fanned > 0); }
    bool is_close() const { return zoom > 1 || (zoom == 1 && (x != 0.5f || y != 0.5f)); }
};

/// Places of the window that the tour shows.
inline constexpr int kTourStops = 6;

/// A token that is looked for, or a row by its number: ":120", or `rows` and "120".
struct Search {
    bool open = false;  ///< its field stands on the screen
    bool rows = false;  ///< opened for a row's number
    std::string text;
    int at = -1;  ///< of the matches, the one that was gone to; −1: none yet
    bool operator==(const Search&) const = default;
};

/// On the way from the flow into one of its matrices: 0 in the flow, 1 on the stage. The way back runs it backwards.
struct Passage {
    CellRef cell;
    double passed = 0;
    bool back = false;
    bool operator==(const Passage&) const = default;
};

/// In front of a room: one thing on the screen, in large type, moved on by a clicker. Nothing of it is kept.
struct Presentation {
    bool on = false;
    bool blank = false;      ///< a dark screen, so that all look at who speaks
    bool spotlight = false;  ///< all but a circle around the pointer is dimmed
    bool pen = false;        ///< a drag draws
    /// What the pen drew: points in shares of the window.
    struct Dot {
        float x = 0, y = 0;
        bool operator==(const Dot&) const = default;
    };
    std::vector<std::vector<Dot>> strokes;
    bool was_full_screen = false;  ///< what leaving goes back to
    bool operator==(const Presentation&) const = default;
};

/// What lies over the window and takes the keys; one at a time.
/// `Steps` and `Cell` are the columns beside the stage as drawers, where a window is too narrow to have them there.
enum class Sheet : std::uint8_t {
    None, Keys, Palette, Export, Description, Tour, Chapters, Glossary, Examples, Forms, Models, Steps, Cell, Help
};
/// "none", "keys", "palette", "export", "description", "tour", "chapters", "glossary", "examples", "forms", "models", "steps",
/// "cell", "help".
std::string_view sheet_id(Sheet sheet);
std::optional<Sheet> find_sheet(std::string_view id);

/// What a figure has around its picture (ViewState::figure).
struct FigureLook {
    enum class Ground : std::uint8_t { Theme, White, None };
    bool title = true, caption = true;
    Ground ground = Ground::Theme;  ///< None: transparent
    bool operator==(const FigureLook&) const = default;
};

enum class Subject : std::uint8_t { View, Figure, Animation, Matrix, Steps, Document };

/// What the export panel has chosen.
struct ExportChoice {
    Subject subject = Subject::View;
    std::string format = "png";
    int scale = 2;  ///< pixels for each of the view's, of a PNG or GIF
    bool panels = true;
    bool shortened = true;  ///< LaTeX: long matrices with dots in them
    std::string path;       ///< empty: one is proposed
    bool proposed = true;   ///< `path` is ours, not typed: it follows the format
    int millimetres = 170;  ///< how wide a figure is on paper
    FigureLook figure{true, true, FigureLook::Ground::White};
    bool operator==(const ExportChoice&) const = default;
};

inline constexpr float kMinScale = 0.75f;
inline constexpr float kMaxScale = 3.0f;
/// MiB that a memory budget may be set to.
inline constexpr int kLeastMemory = 64, kMostMemory = 1 << 24;
inline constexpr double kMiB = 1 << 20;
/// In bytes, of a choice in MiB; 0: the usual one.
double budget_of(int memory);
inline constexpr double kMinSpeed = 0.25;
inline constexpr double kMaxSpeed = 4.0;

struct ViewState {
    Language language = Language::English;
    std::string theme = "light";
    float scale = 1;  ///< of the whole interface, on top of the display's own
    int memory = 0;   ///< MiB that a checkpoint's run may take (attn::memory_budget); 0: half of the machine's
    Screen screen = Screen::Stage;
    FlowLook flow;
    MapLook map;                      ///< of every matrix that is larger than its numbers have room
    Pooling pooling = Pooling::Mean;  ///< what a pixel shows of several cells
    Search search;
    Presentation present;
    CourseView course;
    std::optional<Passage> passage;
    bool difference = false;  ///< the stage shows what the numbers typed over changed
    Playhead playhead;
    double rest = 0;  ///< seconds since the motion of the stop ended, while playing
    bool playing = false;
    bool filming = false;   ///< pictures of the walk are taken: all looks as while it plays, and stands still
    bool one_step = false;  ///< the playing stops where the motion of this step ends
    double speed = 1;
    WalkPace pace = WalkPace::Story;
    int head = 0;  ///< the head on the stage, from 0
    std::optional<CellRef> pinned;
    std::optional<attn::Tag> unfolded;  ///< the box of a word's way that shows its numbers, of whatever layer or time
    std::optional<CellRef> pointed;                        ///< under the pointer now
    std::optional<CellRef> lit;                            ///< whose number in the formula is under the pointer
    bool shared_scale = false;                             ///< one colour range for all matrices of a kind
    attn::Convention convention = attn::Convention::Rows;  ///< tokens are rows or columns: in pictures, formulas, words
    std::optional<attn::CountFrom> count_from{};           ///< layers and heads; none: as counts_from() says
    bool still = false;                                    ///< no motion: steps are shown finished
    bool cube = false;                                     ///< products of matrices stand as a cube
    Sheet sheet = Sheet::None;
    int tour = 0;              ///< the place that the tour shows, from 0
    bool offers_tour = false;  ///< at the first start, until anything is done
    Asking asking = Asking::None;  ///< the opening: the question of the text and its answer
    Opening opening;
    Detail level = Detail::Everything;   ///< how much is on the screen
    std::optional<Detail> own_level{};   ///< while a chapter has raised it: what the learner has chosen
    bool panels = true;        ///< header, steps, inspector and timeline stand around the stage
    bool figure = false;       ///< for a page of somebody's: no tabs, no hints, nothing to press
    FigureLook figure_look;
    bool inspector = false;    ///< its column stands beside the stage although figures want the room
    ExportChoice exporting;
    bool full_screen = false;
    bool quit = false;
    std::map<std::string, std::string> model_names{};  ///< that were given to models trained here, by the names of their folders
    std::string notice;  ///< a sentence that waits to be dismissed
    std::string done;    ///< what was just done ("Copied: …"); gone with the next thing that is
    std::vector<std::string> put_aside;  ///< what was told of a document, and closed: it is told no more
    Owned<kViewPlaces> owned;            ///< what the screens' folders know of it

    /// What a screen's folder has of it: view.part<HeadsChoice>().
    template <class T>
    const T& part() const {
        return owned.get<T>();
    }
    template <class T>
    T& part() {
        return owned.get<T>();
    }

    /// Something of the opening moves.
    bool opening_moves() const {
        switch (asking) {
            case Asking::None:
                return false;
            case Asking::Asked:
                return !still && opening.seconds < kBreathSeconds;
            case Asking::Answered:
                return opening.seconds < kAnswerSeconds || opening.swing < 1;
            case Asking::Leaving:
                return true;
        }
        return false;
    }

    /// It is seen as it happens.
    bool plays() const { return playing || filming; }

    // Made once, in state.cpp: every view would pay for them.
    ViewState();
    ViewState(const ViewState&);
    ViewState(ViewState&&) noexcept;
    ViewState& operator=(const ViewState&);
    ViewState& operator=(ViewState&&) noexcept;
    ~ViewState();
    bool operator==(const ViewState&) const;
};

/// From which number layers and heads are counted where they are said: as was chosen, else a checkpoint's from 0, as its papers do,
/// and all that is made here from 1. A chapter counts in its own words, from 1.
attn::CountFrom counts_from(const ViewState& view, const attn::Document& document);

/// An export under way, and one that is waiting for its answer.
struct ExportState {
    std::optional<ExportChoice> ordered;  ///< to be begun by the program, which owns disk and clipboard
    bool replace = false;                 ///< of the order: a file of that name may be replaced
    bool cancel = false;                  ///< asked for
    bool running = false;
    float share = 0;      ///< done of it, 0 … 1; 0 where nothing can be told
    bool exists = false;  ///< the file was there: nothing was written
    std::string problem;  ///< why the last one failed
    bool operator==(const ExportState&) const = default;
};

struct AppState {
    attn::Document document;
    ViewState view;
    History<attn::Document> history;
    ExportState exporting;
    std::shared_ptr<const ChapterLibrary> chapters = {};  ///< never changed; null before the program has read them
    ChapterProgress progress = {};                       ///< kept from start to start
    std::optional<TakenSnapshot> keeping = {};  ///< a model of it is being made, by the program, which owns the disk
    std::filesystem::path models = {};  ///< the folder where models that were trained here are written; empty: none
};

// Actions: what can be done, coarse. A change is a function of what it changes, applied to the state as it is then: two
// of one frame both count. It must hold by value whatever it needs.

/// `gesture` joins edits that belong together (a drag, a burst of typing) into one undo; empty: never joined. A change
/// that leaves the document as it was is none.
struct EditDocument {
    std::function<void(attn::Document&)> change;
    std::string gesture{};
};
/// Another document in place of this one.
EditDocument becomes(attn::Document document, std::string gesture = {});
struct Undo {};
struct Redo {};
struct Pin {
    std::optional<CellRef> cell;
};
struct PointAt {
    std::optional<CellRef> cell;
};
/// A number of the formula is under the pointer: its cell is lit on the stage.
struct LightUp {
    std::optional<CellRef> cell;
};
/// The motion of the step that is shown, once more from its beginning; the pinned cell is the one that goes slowly.
struct Replay {};
/// The pinned cell moves inside its matrix by rows and columns as they are seen: of a transposed picture, of it.
struct MovePin {
    int rows = 0, cols = 0;
};
struct Play {
    bool on = true;
};
/// To a time of the current timeline, in seconds.
struct Seek {
    double time = 0;
};
/// To a stop of the current timeline; `progress` 0 is its beginning.
struct GoToStop {
    int stop = 0;
    double progress = 1;
};
/// To the next or previous stop, finished.
struct StepBy {
    int stops = 1;
};
/// What a clicker does: the next step's motion, then rest; in the middle of a motion, to its end.
struct PlayNext {};
/// From the flow into the matrix of a cell, which is then on the stage and pinned; and back into the flow.
struct EnterMatrix {
    CellRef cell;
};
struct LeaveMatrix {};
/// The flow's camera to a place of the model (an index of Derived::places), said of that place; the playhead goes there,
/// too. It flies, or, in the hand, is there.
struct LookAt {
    int place = 0;
    FlowCamera camera{};
    bool flies = true;
};
struct ChooseHead {
    int head = 0;
};
/// What is done in the opening: a word is guessed, or let go of; the answer is computed, or shown to its end where it is
/// being computed; once it is there, another word asks; the matrix is entered; the question stands again.
struct OpeningAction {
    enum class Do : std::uint8_t { Guess, Answer, AskWith, LookInside, Again };
    Do what = Do::Answer;
    int word = -1;
};
/// Real seconds since the last frame.
struct Advance {
    double seconds = 0;
};
/// Everything about how it is looked at that is a plain choice.
struct ChangeView {
    std::function<void(ViewState&)> change;
};
/// All of it at once.
ChangeView becomes(ViewState view);

/// Writes the file that the view's ExportChoice names; `replace`: even where there is one.
struct StartExport {
    bool replace = false;
};
struct CancelExport {};
/// What has become of an export: said by the program that does it.
struct ExportNews {
    ExportState state;
};
struct AppState;
struct Derived;
/// What a folder does to the state that the state itself does not know of. The folder declares beside the action, for
/// whatever type it has, `bool act_on(AppState&, const T&, const Derived&)`: true where the document changed.
struct OwnAction {
    template <class T>
        requires requires(AppState& state, const T& action, const Derived& derived) { { act_on(state, action, derived) } -> std::same_as<bool>; }
    OwnAction(T action) : act([action = std::move(action)](AppState& state, const Derived& derived) { return act_on(state, action, derived); }) {}
    std::function<bool(AppState&, const Derived&)> act;
};
/// A sentence about what was done.
struct Tell {
    std::string sentence;
};

using AnyAction = std::variant<EditDocument, Undo, Redo, Pin, PointAt, LightUp, Replay, MovePin, Play, Seek, GoToStop,
                               StepBy, PlayNext, EnterMatrix, LeaveMatrix, LookAt, ChooseHead, OpeningAction, Advance, ChangeView, StartExport,
                               CancelExport, ExportNews, Tell, OwnAction>;
struct Action : AnyAction {
    using AnyAction::AnyAction;
    Action(const Action&);
    Action(Action&&) noexcept;
    Action& operator=(const Action&);
    Action& operator=(Action&&) noexcept;
    ~Action();
};
using Actions = std::vector<Action>;

struct Derived;

/// The only writer. `derived` is what the user saw when the action was made.
void update(AppState& state, const Action& action, const Derived& derived);

/// A fresh state with the plainest document: softmax(X Xᵀ) X of a sentence in the language given.
AppState first_state(Language language);

}  // namespace app
