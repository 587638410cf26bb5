#pragma once
// A view is a function of the frame: it draws from values and pushes actions. What it writes itself is its Scratch,
// which is nobody's state, and the clipboard.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/draw/scene.h"
#include "app/frame/heatmaps.h"
#include "app/layout/stage.h"
#include "app/state/derived.h"
#include "app/state/screens.h"
#include "app/state/state.h"
#include "app/ui/formula.h"
#include "app/ui/widgets.h"

namespace app {

/// Formulas set once for a theme's sizes and kept.
class FormulaCache {
public:
    const FormulaLayout& get(std::string_view source, FormulaSize size, const Theme& theme, const Fonts& fonts,
                             FormulaRoom room = {});
    void forget() { kept_.clear(); }

private:
    struct Key {
        std::string source;
        FormulaSize size;
        FormulaRoom room;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, FormulaLayout, std::less<>> kept_;
};

/// The formula with a cell's numbers in it, as long as it may be in the room it has; set anew only when one of these
/// changes.
struct NumbersLine {
    std::optional<attn::Cell> cell;
    std::string text;  ///< the longest
    float room = 0, em = 0;
    std::size_t line = 0;  ///< of the substitution
    FormulaLayout layout;
};

/// A number being typed over a cell.
struct NumberField {
    CellRef cell;
    std::string text;
    bool fresh = true;  ///< takes the keyboard in the next frame
    bool had_keyboard = false;
    int serial = 0;  ///< each opening is a field of its own: the caret of the last one is forgotten
    Rect rect{};     ///< where it stood in the last frame: the stage below is not touched there
};

/// A number being dragged up and down.
struct NumberDrag {
    CellRef cell;
    float start = 0, moved = 0;
    float step = 0;  ///< of the number, for a pixel
    int gesture = 0;
};

/// A token under the pointer: a query or a key of the attention that the heads screen shows.
struct TokenSpot {
    bool key = false;
    int index = 0;
    bool operator==(const TokenSpot&) const = default;
};

/// Points of a plane and pixels; y upwards. Both axes have the same unit, so angles are true.
struct PlaneView {
    Rect area;
    float unit = 1;
    Point origin;

    Point at(Point v) const { return {origin.x + v.x * unit, origin.y - v.y * unit}; }
    Point from(Point pixel) const { return {(pixel.x - origin.x) / unit, (origin.y - pixel.y) / unit}; }
};

/// The tip of an arrow in the hand; the picture keeps its scale meanwhile.
struct ArrowDrag {
    CellRef at;
    PlaneView plane;
    Point grip;  ///< from the pointer to the tip
    int gesture = 0;
};

/// One thing that can be done from the palette.
struct PaletteEntry {
    std::string title, note;                          ///< in the language shown; what it belongs to
    std::array<std::string, kLanguageCount> words{};  ///< what it is found by
    std::string keys{};                               ///< "Ctrl+E"
    std::function<void(const struct Frame&)> run;
    bool possible = true;
    std::string why{};  ///< it is not possible
    bool chosen = false;
};

/// The palette while it is open.
struct PaletteState {
    bool open = false;
    Sheet of = Sheet::Palette;  ///< or Help
    std::string text, searched;
    std::vector<PaletteEntry> entries;
    std::size_t listed = 0;  ///< of them; those behind are what the text itself names
    std::vector<int> found;  ///< entries, the best first
    int chosen = 0;          ///< of `found`
    float scroll = 0;
    bool follow = false;  ///< the chosen one must come into sight
};

/// The view in words, and of what they are.
struct DescriptionSheet {
    struct Key {
        std::uint64_t generation = 0;
        attn::StepId step = attn::kNoStep;
        std::optional<CellRef> pinned;
        Language language = Language::English;
        attn::Convention convention = attn::Convention::Rows;
        attn::CountFrom count = attn::CountFrom::One;
        int experiment = -1;  ///< the revision, on the experiments' page of paths
        bool operator==(const Key&) const = default;
    };
    std::optional<Key> key;
    std::string text;
    float scroll = 0;
};

/// The beginning of a text that would be exported, kept until something else is chosen.
struct ExportPreview {
    std::uint64_t generation = 0;
    attn::StepId step = attn::kNoStep;
    ExportChoice choice;
    std::vector<std::string> lines;
};

/// A rectangle of the mask being painted, from one corner to the other.
struct MaskStroke {
    int row = 0, col = 0, to_row = 0, to_col = 0;
    bool seen = false;
};

/// The hand on a large matrix.
struct MapHand {
    float most_zoom = 1;  ///< of what was drawn in the last frame: no command comes closer
    std::string held;     ///< the matrix that the press began on, by its id; empty: none
    float moved = 0;      ///< pixels that the press moved it; kept until the next press
};

struct ProsePicture;

/// Of the chapter's panel, the list of chapters and the glossary: pictures of words, and how far they are scrolled.
struct CourseScratch {
    struct Kept {
        std::string id;
        float width = 0;
        std::shared_ptr<ProsePicture> picture;
    };
    std::vector<Kept> pictures;  ///< of the page, at this revision and type
    unsigned revision = 0;
    float scale = 0;
    std::string_view theme;
    std::pair<std::string, int> page;
    float scroll = 0, height = 0;
    int shown = 0;       ///< paragraphs shown while presenting, that the scrolling has followed
    std::string number;  ///< being typed
    std::string search, unfolded;
    float list_scroll = 0, glossary_scroll = 0;
    struct Term {
        const ChapterTerm* term = nullptr;
        std::shared_ptr<ProsePicture> says;
    };
    std::vector<Term> glossary;
    std::tuple<Language, float, float, const ChapterLibrary*> glossary_key;
    std::string glossary_to;  ///< a term to scroll to

    /// Letters have become others: what was measured counts no more.
    void forget() {
        pictures.clear();
        glossary.clear();
        glossary_key = {};
    }
};

/// What is said of a thing on which the pointer rests (hint.h).
struct HintState {
    std::string id, says;
    Rect at{};
    double rested = 0;   ///< seconds
    bool asked = false;  ///< in this frame
    std::string done;      ///< what was pressed: it says nothing more until the pointer has been elsewhere
    bool on_done = false;  ///< the pointer is on it, in this frame
};

/// What is said before a room, and how long it has stood.
struct RoomNote {
    std::string text;
    bool goes = false;  ///< by itself
    double seconds = 0;
};

/// Of the screen of training: the text of one's own while its field has the keyboard.
struct TrainScratch {
    std::string text;
    bool active = false;
};

/// Of the models' cards: the one that is being given a name, and the name.
struct Naming {
    std::string key;  ///< of ViewState::model_names; empty: none is
    std::string text;
    bool active = false;  ///< the field has had the keyboard
};

/// How the stage is folded, and what that depends on.
struct FoldingKept {
    struct Key {
        std::uint64_t generation = 0;
        attn::StepId step = attn::kNoStep;
        std::optional<attn::Cell> told;
        Rect area{};
        float figure = 0, digit = 0;
        Language language = Language::English;
        attn::Convention convention = attn::Convention::Rows;
        bool cube = false;
        bool operator==(const Key&) const = default;
    };
    std::optional<Key> key;
    std::optional<Folding> folding;
};

/// What must live from frame to frame but is nobody's state: caches, the scene being drawn, a text being typed.
/// How long ago something was typed, in seconds, and whether it was said since that quitting takes the keys twice.
struct TypedLately {
    double ago = 1e9;
    bool warned = false;
};

struct Scratch {
    Scene scene;
    Scene scene_before;  ///< of the flow, while it gives way
    std::shared_ptr<struct TowerPicture> tower;  ///< where its floors stand in this frame
    FormulaCache formulas;
    NumbersLine numbers;
    Heatmaps* heatmaps = nullptr;
    Focus focus;
    std::string text;  ///< of the text field while it has the keyboard
    bool text_active = false;
    float steps_scroll = 0;  ///< of the list of steps
    int steps_section = -1;  ///< that the list has scrolled to
    std::string source;      ///< of the second text's field, likewise
    bool source_active = false;
    std::string other_text;  ///< of the field on the compare screen, likewise
    bool other_text_active = false;
    float settings_scroll = 0;
    std::optional<int> settings_group;  ///< that stands open where they are folded; −1: none; nothing: not chosen yet
    std::optional<NumberField> number;
    std::optional<NumberDrag> drag;
    std::optional<MaskStroke> stroke;
    std::optional<ArrowDrag> arrow;
    float heads_scroll = 0;             ///< of the list of keys, or of the grid
    int gestures = 0;                   ///< drags so far: each is undone by itself
    bool opened = false;                ///< the press that is still held opened the number field
    std::optional<CellRef> compare_at;  ///< pointed at on the compare screen, in the first run
    MapHand map;
    std::string search;  ///< of its field while it has the keyboard
    bool search_active = false;
    int search_shown = -1;      ///< the match that the list has scrolled to
    bool search_focus = false;  ///< it shall take the keyboard in the next frame
    int search_coming = 0;      ///< frames within which it has it: until then keys are the search's, too
    int search_go = 0;          ///< by so many matches, as soon as they are known
    float search_scroll = 0;
    float panned = 0;  ///< pixels that the press still held moved the flow
    PaletteState palette;
    ExportPreview preview;
    float display_scale = 1;  ///< pixels for each of the window's design pixels, at the interface's usual size
    float keys_scroll = 0;
    float gallery_scroll = 0;
    Naming naming;
    DescriptionSheet description;
    CourseScratch course;
    TrainScratch train;
    bool focus_text = false;  ///< the text field shall take the keyboard in the next frame
    HintState hint;
    RoomNote room_note;
    double seconds = 0;  ///< between the frame before and this one
    TypedLately typed;
    FoldingKept folding, folding_before;  ///< of the step at the playhead; of the one that its matrices come from
    Scene before;

    /// Letters have become others, or others are as large: what was measured counts no more.
    void forget_measures() {
        formulas.forget();
        numbers = {};
        folding = folding_before = {};
        course.forget();
    }
};

struct Frame {
    const AppState& state;
    const Derived& derived;
    const Theme& theme;
    Ui& ui;
    Actions& actions;
    Scratch& scratch;
    Rect area;    ///< of this view
    Rect window;  ///< all there is

    const ViewState& view() const { return state.view; }
    const attn::Trace& trace() const { return derived.run->trace; }
    /// Tokens are columns: what is shown of every matrix is the transposed one.
    bool columns() const { return state.view.convention == attn::Convention::Columns; }
    Painter& painter() const { return ui.painter(); }
    float px(float design) const { return theme.px(design); }
    std::string_view say(Str string) const {
        return tr(in_convention(string, state.view.convention), state.view.language);
    }
    std::string say(Str string, std::initializer_list<std::string_view> arguments) const {
        return fill_in(say(string), arguments);
    }
    /// From which number layers and heads are counted, and what is said of one.
    attn::CountFrom counts_from() const { return app::counts_from(state.view, state.document); }
    std::string number(int layer_or_head) const { return attn::number_of(layer_or_head, counts_from()); }
    void push(Action action) const;
    /// Changes are made when the frame is drawn, one after the other: they hold by value what they need.
    void change_view(std::function<void(ViewState&)> change) const;
    void edit(std::function<void(attn::Document&)> change, std::string gesture = {}) const;
};

/// Design pixels at the foot of the window for what is said before a room.
inline constexpr float kPresentFoot = 84;

/// Where a view stands in the window.
enum class Place : std::uint8_t {
    Header,
    Tokens,
    Course,
    Left,
    Formula,
    Right,
    Footer,
    Overlay,
// and each screen
#define SCREEN(name, ...) name,
#include "app/state/screens.inc"
#undef SCREEN
};
/// The screen that has this place; none: it is a panel's.
std::optional<Screen> screen_at(Place place);
Place place_at(Screen screen);

struct View {
    std::string_view id;
    Place place;
    Part part;  ///< says from which level of detail on it is drawn
    void (*draw)(const Frame&);
};

std::span<const View> views();

/// How the window is shared out: what is shown beside the screen itself.
struct Panels {
    bool presenting = false;  ///< no panels: the screen has the window, but for the words at its foot
    bool around = true;       ///< header, steps, inspector and timeline
    bool course = false;       ///< a chapter stands on the left; steps or the inspector on the right
    bool asking = false;        ///< the question of the text has the place of the stage and of what is around it
    bool yields = false;        ///< what is around the stage gives way to its figures
    bool kept = false;          ///< but for the inspector, which was opened by hand
    bool writes = false;        ///< the form goes on with its text: the line that grows always stands
    bool left = true, right = true, formula = true, tokens = true, footer = true;  ///< a page can take them away
};
Panels panels_of(const AppState& state);

/// Whether a screen has this place: its own, or a panel beside it.
bool is_on(Place place, Screen screen, const Panels& panels = {});

/// Whether the column at a place, Left or Right, belongs to this screen but has no room beside it: it is a drawer.
bool is_drawer(const struct Frame& frame, Place place);

/// Whether the inspector has room beside the stage but is folded to a handle, or would be if it were not opened by hand.
bool inspector_has_handle(const struct Frame& frame);

/// Where that handle is: at the stage's right edge.
Rect inspector_handle_rect(const struct Frame& frame);

/// Where each place is in a window of this size; a place that has no room is empty.
Rect place_rect(Place place, Rect window, const Theme& theme, const Panels& panels = {});

#define VIEW(name, place) void draw_##name(const Frame& frame);
#include "app/frame/views.inc"
#undef VIEW

// What several views share.

/// The part of the formula that belongs to a stage: "scores".
std::string_view part_of(Stage stage);
Str title_of(Stage stage);
/// To another screen; from the stage to the flow the picture moves back out of the matrix.
void show_screen(const Frame& frame, Screen screen);
/// Whether a screen has something to show: the experiments have where a page applies.
bool has_screen(const Frame& frame, Screen screen);
/// "Encoder · block 2 · step 3": where in the model a section is; empty where there is only one place.
std::string place_of(const Frame& frame, const Section& section);
/// What a stage makes, for the formula setter: "Q Kᵀ".
std::string symbol_of_stage(const Frame& frame, Stage stage);

}  // namespace app
