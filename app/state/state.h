#pragma once
// The program's state: the document (saved, undoable) and the view of it (stored, not undoable). Views read it and push
// actions; only update() writes it.

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
#include "app/layout/flow/model_map.h"
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

/// A cell identified by its step's tag instead of a step number, so that it stays the same while the computation around
/// it changes.
struct CellRef {
    attn::Tag tag;
    int row = 0;
    int col = 0;
    bool operator==(const CellRef&) const = default;
};

/// Progress is quantized, far below what can be seen: a moment reached by playing and the same moment reached by
/// seeking differ by the frames' rounding errors; they must be the same number, or a rendered picture depends on the
/// last bit.
inline constexpr double kProgressSteps = 67108864;

/// Where the animation is, by tag as well.
struct Playhead {
    attn::Tag tag;
    double progress = 1;  ///< of the step's motion, a multiple of 1 / kProgressSteps
    bool operator==(const Playhead&) const = default;
};

/// The screen between header and footer (screens.h).
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

/// A camera motion of the flow, `passed` 0 … 1: to a place of the model, to the whole, closer.
struct FlowFlight {
    FlowCamera from, to;
    double passed = 0;
    bool operator==(const FlowFlight&) const = default;
};

/// The flow's view settings; the inherited camera is that of the place that the playhead is in.
struct FlowLook : FlowCamera {
    bool fan = false;   ///< all heads side by side instead of one in front of the others
    double fanned = 0;  ///< how far apart they are now: 0 stacked, 1 side by side
    std::optional<FlowFlight> flight{};
    bool entered = false;  ///< the stage was entered from the flow, and shows the way back
    int followed = -1;     ///< the word that was clicked to be followed; −1: the pinned cell's, or the most telling one
    int followed_before = -1;  ///< the word that was followed before …
    double swing = 1;      ///< … and how far the picture has moved on since, 0 … 1
    bool operator==(const FlowLook&) const = default;
    const FlowCamera& camera() const { return *this; }
    /// Follows this word: the picture moves there from the one before.
    void follow(int query) {
        if (query == followed) return;
        followed_before = followed;
        followed = query;
        swing = 0;
    }
    bool moves() const { return flight || swing < 1 || (fan ? fanned < 1 : fanned > 0); }
    bool is_close() const { return zoom > 1 || (zoom == 1 && (x != 0.5f || y != 0.5f)); }
};

/// Number of places that the tour shows.
inline constexpr int kTourStops = 6;

/// The search for a token by its letters or for a row by its number: ":120", or `rows` and "120".
struct Search {
    bool open = false;  ///< its field is on the screen
    bool rows = false;  ///< opened to enter a row number
    std::string text;
    int at = -1;  ///< index of the match that was gone to; −1: none yet
    bool operator==(const Search&) const = default;
};

/// The transition from the flow into one of its matrices: 0 in the flow, 1 on the stage. The way back runs it
/// backwards.
struct Passage {
    CellRef cell;
    double passed = 0;
    bool back = false;
    bool operator==(const Passage&) const = default;
};

/// The projector mode: one thing on the screen, in large type, advanced by a clicker. None of it is stored.
struct Presentation {
    bool on = false;
    bool blank = false;      ///< a dark screen, so that all look at the speaker
    bool spotlight = false;  ///< all but a circle around the pointer is dimmed
    bool pen = false;        ///< a drag draws
    /// A point that the pen drew, in fractions of the window's size.
    struct Dot {
        float x = 0, y = 0;
        bool operator==(const Dot&) const = default;
    };
    std::vector<std::vector<Dot>> strokes;
    bool was_full_screen = false;  ///< whether to stay in full screen afterwards
    bool operator==(const Presentation&) const = default;
};

/// What lies over the window and takes the keys; one at a time. `Steps` and `Cell` are the columns left and right of
/// the stage, as drawers in a window too narrow for columns.
enum class Sheet : std::uint8_t {
    None, Keys, Palette, Export, Description, Tour, Chapters, Glossary, Examples, Forms, Models, Steps, Cell, Help
};
/// "none", "keys", "palette", "export", "description", "tour", "chapters", "glossary", "examples", "forms", "models", "steps",
/// "cell", "help".
std::string_view sheet_id(Sheet sheet);
std::optional<Sheet> find_sheet(std::string_view id);

/// What a figure shows around its picture (ViewState::figure).
struct FigureLook {
    enum class Ground : std::uint8_t { Theme, White, None };
    bool title = true, caption = true;
    Ground ground = Ground::Theme;  ///< None: transparent
    bool operator==(const FigureLook&) const = default;
};

enum class Subject : std::uint8_t { View, Figure, Animation, Matrix, Steps, Document };

/// The choices of the export panel.
struct ExportChoice {
    Subject subject = Subject::View;
    std::string format = "png";
    int scale = 2;  ///< PNG and GIF: pixels per pixel of the view
    bool panels = true;
    bool shortened = true;  ///< LaTeX: long matrices are abbreviated with dots
    std::string path;       ///< empty: a path is proposed
    bool proposed = true;   ///< `path` is our proposal, not typed: it follows the format
    int millimetres = 170;  ///< how wide a figure is on paper
    FigureLook figure{true, true, FigureLook::Ground::White};
    bool operator==(const ExportChoice&) const = default;
};

inline constexpr float kMinScale = 0.75f;
inline constexpr float kMaxScale = 3.0f;
/// Limits of the memory budget, in MiB.
inline constexpr int kLeastMemory = 64, kMostMemory = 1 << 24;
inline constexpr double kMiB = 1 << 20;
/// A budget chosen in MiB as bytes; 0: the default budget.
double budget_of(int memory);
inline constexpr double kMinSpeed = 0.25;
inline constexpr double kMaxSpeed = 4.0;

struct ViewState {
    Language language = Language::English;
    std::string theme = "light";
    float scale = 1;  ///< of the whole interface, on top of the display's own
    int memory = 0;   ///< MiB that a checkpoint's run may take (attn::memory_budget); 0: half of the machine's memory
    Screen screen = Screen::Stage;
    FlowLook flow;
    MapLook map;                      ///< the zoom of every matrix that is too large for its numbers
    Pooling pooling = Pooling::Mean;  ///< how a pixel that covers several cells is computed
    Search search;
    Presentation present;
    CourseView course;
    std::optional<Passage> passage;
    bool difference = false;  ///< the stage shows what edits and interventions changed
    Playhead playhead;
    double rest = 0;  ///< seconds since the motion of the stop ended, while playing
    bool playing = false;
    bool filming = false;   ///< rendering an animation of the walk: drawn as if playing, but time does not pass
    bool one_step = false;  ///< playing stops at the end of this step's motion
    double speed = 1;
    WalkPace pace = WalkPace::Story;
    int head = 0;  ///< the head on the stage, from 0
    std::optional<CellRef> pinned;
    std::optional<attn::Tag> unfolded;  ///< the box in a word's path that shows its numbers, in whatever layer or time
    std::optional<CellRef> pointed;                        ///< under the pointer now
    /// The cell whose number in the formula is under the pointer.
    std::optional<CellRef> lit;
    bool shared_scale = false;                             ///< one colour range for all matrices of a kind
    /// Tokens are rows or columns, in pictures, formulas and words.
    attn::Convention convention = attn::Convention::Rows;
    /// How layers and heads are counted; none: as counts_from() says.
    std::optional<attn::CountFrom> count_from{};
    bool still = false;                                    ///< no motion: steps are shown finished
    bool cube = false;                                     ///< products of matrices are drawn as a cube
    Sheet sheet = Sheet::None;
    int tour = 0;              ///< the place that the tour shows, from 0
    bool offers_tour = false;  ///< at the first start, until the user does something
    Asking asking = Asking::None;  ///< the opening: the question of the text and its answer
    Opening opening;
    Detail level = Detail::Everything;   ///< how much is on the screen
    std::optional<Detail> own_level{};   ///< set while a chapter has raised the level: the learner's own choice
    bool panels = true;        ///< header, steps, inspector and timeline are shown around the stage
    bool figure = false;       ///< for a publication: no tabs, no hints, no buttons
    FigureLook figure_look;
    bool inspector = false;    ///< the inspector's column is shown although figures want the room
    ExportChoice exporting;
    bool full_screen = false;
    bool quit = false;
    std::map<std::string, std::string> model_names{};  ///< names given to models trained here, by their folders' names
    std::string notice;  ///< a message that waits to be dismissed
    std::string done;    ///< what was just done ("Copied: …"); cleared by the next action
    std::vector<std::string> put_aside;  ///< notices about a document that were closed, and are not shown again
    Owned<kViewPlaces> owned;            ///< the view settings of the screens' folders

    /// A screen folder's part: view.part<HeadsChoice>().
    template <class T>
    const T& part() const {
        return owned.get<T>();
    }
    template <class T>
    T& part() {
        return owned.get<T>();
    }

    /// Whether something in the opening is moving.
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

    /// Whether the picture is drawn as in playing.
    bool plays() const { return playing || filming; }

    // Defined in state.cpp, so that the views that include this do not compile them.
    ViewState();
    ViewState(const ViewState&);
    ViewState(ViewState&&) noexcept;
    ViewState& operator=(const ViewState&);
    ViewState& operator=(ViewState&&) noexcept;
    ~ViewState();
    bool operator==(const ViewState&) const;
};

/// Whether layers and heads are counted from 0 or from 1 where they are named: as chosen, else from 0 for a published
/// checkpoint, as in its papers, and from 1 for all that is made here. A chapter always counts from 1.
attn::CountFrom counts_from(const ViewState& view, const attn::Document& document);

/// An export that is running, or that waits for an answer.
struct ExportState {
    std::optional<ExportChoice> ordered;  ///< to be started by the program, which owns disk and clipboard
    bool replace = false;                 ///< the order may replace an existing file
    bool cancel = false;                  ///< cancelling was requested
    bool running = false;
    float share = 0;      ///< progress, 0 … 1; 0 if unknown
    bool exists = false;  ///< the file existed: nothing was written
    std::string problem;  ///< why the last one failed
    bool operator==(const ExportState&) const = default;
};

struct AppState {
    attn::Document document;
    ViewState view;
    History<attn::Document> history;
    ExportState exporting;
    std::shared_ptr<const ChapterLibrary> chapters = {};  ///< immutable; null until the program has read them
    ChapterProgress progress = {};                       ///< saved between runs of the program
    std::optional<TakenSnapshot> keeping = {};  ///< the program, which owns the disk, is saving a model of it
    std::filesystem::path models = {};  ///< the folder where models trained here are saved; empty: none
};

// Actions: what the user can do, in coarse terms. A change is a function applied to the state as it is then, so two
// changes in one frame both count. It must hold by value whatever it needs.

/// `gesture` joins edits that belong together (a drag, a burst of typing) into one undo step; empty: never joined. A
/// change that leaves the document as it was is ignored.
struct EditDocument {
    std::function<void(attn::Document&)> change;
    std::string gesture{};
};
/// Replaces the whole document.
EditDocument becomes(attn::Document document, std::string gesture = {});
struct Undo {};
struct Redo {};
struct Pin {
    std::optional<CellRef> cell;
};
struct PointAt {
    std::optional<CellRef> cell;
};
/// The pointer is on a number of the formula: highlights its cell on the stage.
struct LightUp {
    std::optional<CellRef> cell;
};
/// Plays the current step's motion again from its beginning; the pinned cell is the one shown slowly.
struct Replay {};
/// Moves the pinned cell inside its matrix, by rows and columns as drawn: in a transposed picture, by those of the
/// picture.
struct MovePin {
    int rows = 0, cols = 0;
};
struct Play {
    bool on = true;
};
/// Goes to a time of the current timeline, in seconds.
struct Seek {
    double time = 0;
};
/// Goes to a stop of the current timeline; `progress` 0 is its beginning.
struct GoToStop {
    int stop = 0;
    double progress = 1;
};
/// Goes to a stop relative to the current one, shown finished.
struct StepBy {
    int stops = 1;
};
/// What a clicker does: plays the next step's motion, then rests; in the middle of a motion, goes to its end.
struct PlayNext {};
/// EnterMatrix goes from the flow into a cell's matrix, which is then on the stage with the cell pinned; LeaveMatrix
/// goes back.
struct EnterMatrix {
    CellRef cell;
};
struct LeaveMatrix {};
/// Moves the flow's camera to a place of the model (an index of Derived::places), in that place's coordinates, and the
/// playhead with it. `flies`: animated; a drag or wheel moves it at once.
struct LookAt {
    int place = 0;
    FlowCamera camera{};
    bool flies = true;
};
struct ChooseHead {
    int head = 0;
};
/// An action in the opening. Guess: a word is guessed, or its guess withdrawn. Answer: the answer is computed, or its
/// animation is skipped to the end. AskWith: after the answer, another word becomes the query. LookInside: leaves the
/// opening for the flow, with the answer's row. Again: back to the question.
struct OpeningAction {
    enum class Do : std::uint8_t { Guess, Answer, AskWith, LookInside, Again };
    Do what = Do::Answer;
    int word = -1;
};
/// Real seconds since the last frame.
struct Advance {
    double seconds = 0;
};
/// Any plain choice of the view.
struct ChangeView {
    std::function<void(ViewState&)> change;
};
/// Replaces the whole view.
ChangeView becomes(ViewState view);

/// Writes the file that the view's ExportChoice names; `replace`: even if it exists.
struct StartExport {
    bool replace = false;
};
struct CancelExport {};
/// The program reports the state of an export.
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
/// Reports what was done.
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

/// The only function that writes the state. `derived` is what the user saw when the action was made.
void update(AppState& state, const Action& action, const Derived& derived);

/// A fresh state with the simplest document: softmax(X Xᵀ) X of a sentence in this language.
AppState first_state(Language language);

}  // namespace app
