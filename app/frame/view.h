#pragma once
// A view is a function of the frame: it draws from values and pushes actions. All it writes itself is its Scratch,
// which is not part of the state, and the clipboard.

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

/// Cache of typeset formulas, for one set of sizes.
class FormulaCache {
public:
    const FormulaLayout& get(std::string_view source, FormulaSize size, const Theme& theme, const Fonts& fonts,
                             FormulaRoom room = {});
    void forget() { layouts_.clear(); }

private:
    struct Key {
        std::string source;
        FormulaSize size;
        FormulaRoom room;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, FormulaLayout, std::less<>> layouts_;
};

/// The formula with a cell's numbers, in the longest form that fits its room; typeset again only when one of these
/// changes.
struct NumbersLine {
    std::optional<attn::Cell> cell;
    std::string text;  ///< the longest form
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
    int serial = 0;  ///< each opening is a new field, so that the caret of the last one is forgotten
    Rect rect{};     ///< where it was in the last frame: the stage below ignores the pointer there
};

/// A number being dragged up and down.
struct NumberDrag {
    CellRef cell;
    float start = 0, moved = 0;
    float step = 0;  ///< change of the number per pixel
    int gesture = 0;
};

/// A token under the pointer: a query or a key of the attention shown by the heads screen.
struct TokenSpot {
    bool key = false;
    int index = 0;
    bool operator==(const TokenSpot&) const = default;
};

/// Maps points of a plane to pixels; y upwards. Both axes have the same unit, so that angles are preserved.
struct PlaneView {
    Rect area;
    float unit = 1;
    Point origin;

    Point at(Point v) const { return {origin.x + v.x * unit, origin.y - v.y * unit}; }
    Point from(Point pixel) const { return {(pixel.x - origin.x) / unit, (origin.y - pixel.y) / unit}; }
};

/// An arrow being dragged by its tip; the picture keeps its scale meanwhile.
struct ArrowDrag {
    CellRef at;
    PlaneView plane;
    Point grip;  ///< offset from the pointer to the tip
    int gesture = 0;
};

/// One entry of the palette.
struct PaletteEntry {
    std::string title, note;                          ///< title in the current language; what it belongs to
    std::array<std::string, kLanguageCount> words{};  ///< the search terms
    std::string keys{};                               ///< "Ctrl+E"
    std::function<void(const struct Frame&)> run;
    bool possible = true;
    std::string why{};  ///< why it is not possible
    bool chosen = false;
};

/// The palette while it is open.
struct PaletteState {
    bool open = false;
    Sheet of = Sheet::Palette;  ///< or Help
    std::string text, searched;
    std::vector<PaletteEntry> entries;
    std::size_t listed = 0;  ///< how many of them are listed; the others are suggested by the text itself
    std::vector<int> found;  ///< indices of entries, best match first
    int chosen = 0;          ///< index in `found`
    float scroll = 0;
    bool follow = false;  ///< scroll to the chosen one
};

/// The view in words, and the key that it was made for.
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

/// The beginning of a text to be exported, cached until another choice.
struct ExportPreview {
    std::uint64_t generation = 0;
    attn::StepId step = attn::kNoStep;
    ExportChoice choice;
    std::vector<std::string> lines;
};

/// A rectangle of the mask being painted, from one corner to the opposite one.
struct MaskStroke {
    int row = 0, col = 0, to_row = 0, to_col = 0;
    bool seen = false;
};

/// The pointer on a large matrix.
struct MapHand {
    float most_zoom = 1;  ///< of what was drawn in the last frame: the limit for commands
    std::string held;     ///< id of the matrix on which the press began; empty: none
    float moved = 0;      ///< how far the press moved it in pixels; valid until the next press
};

struct ProsePicture;

/// For the chapter's panel, the list of chapters and the glossary: typeset text and scroll positions.
struct CourseScratch {
    struct CachedPicture {
        std::string id;
        float width = 0;
        std::shared_ptr<ProsePicture> picture;
    };
    std::vector<CachedPicture> pictures;  ///< for the page at this revision, scale and theme
    unsigned revision = 0;
    float scale = 0;
    std::string_view theme;
    std::pair<std::string, int> page;
    float scroll = 0, height = 0;
    int shown = 0;       ///< paragraphs already scrolled to while presenting
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

    /// The fonts have changed: drops all that was measured.
    void forget() {
        pictures.clear();
        glossary.clear();
        glossary_key = {};
    }
};

/// The hint for a control on which the pointer rests (hint.h).
struct HintState {
    std::string id, says;
    Rect at{};
    std::optional<TipSide> side{};  ///< none: as suits its place
    double rested = 0;   ///< seconds
    bool requested = false;  ///< requested in this frame
    std::string done;      ///< the control that was pressed: no hint again until the pointer has left it
    bool on_done = false;  ///< the pointer is on it in this frame
};

/// The note shown while presenting, and for how long it has been there.
struct PresentedNote {
    std::string text;
    bool goes = false;  ///< disappears by itself
    double seconds = 0;
};

/// The content of a text field while it has the keyboard; otherwise the field shows the state.
struct TypedText {
    std::string text;
    bool active = false;
};

/// For the cards of models: the one being renamed, and the name.
struct Naming {
    std::string key;  ///< key of ViewState::model_names; empty: none
    std::string text;
    bool active = false;  ///< the field has had the keyboard
};

/// How the stage is folded, and what that was computed for.
struct CachedFolding {
    struct Key {
        std::uint64_t generation = 0;
        attn::StepId step = attn::kNoStep;
        std::optional<attn::Cell> explained;
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

/// The folded part of a row or column, as drawn: in stripes, each with the number farthest from 0 among its share of the
/// cells (nothing: none of them is a number), and the sum of all.
struct FoldedRest {
    struct Key {
        attn::StepId step = attn::kNoStep;
        int first_row = 0, other = 0;  ///< `other`: the row or column of the grid
        bool of_rows = false;
        int all = 0;  ///< rows or columns, folded or not
        Fold fold{};
        bool operator==(const Key&) const = default;
    };
    std::vector<std::optional<float>> stripes;
    float sum = 0;
};

/// What was computed of the long rows of one run.
struct RunScratch {
    std::uint64_t generation = 0;
    const attn::Trace* trace = nullptr;
    std::shared_ptr<LongRows> rows = std::make_shared<LongRows>();
    Recent<FoldedRest::Key, FoldedRest, 128> rests{};
};

/// How long ago something was typed, in seconds, and whether the user has been warned since then that quitting needs
/// the keys pressed twice.
struct TypedLately {
    double ago = 1e9;
    bool warned = false;
};

/// What views keep from frame to frame that is not part of the state: caches, the scene being drawn, a text being
/// typed.
struct Scratch {
    Scene scene;
    Scene scene_before;  ///< of the flow, while it is replaced
    std::shared_ptr<struct TowerPicture> tower;  ///< positions of its floors in this frame
    FormulaCache formulas;
    NumbersLine numbers;
    Heatmaps* heatmaps = nullptr;
    Focus focus;
    std::string text;  ///< of the text field while it has the keyboard
    bool text_active = false;
    float steps_scroll = 0;  ///< of the list of steps
    int steps_section = -1;  ///< the section that the list has scrolled to
    std::string source;      ///< of the second text's field, likewise
    bool source_active = false;
    std::string other_text;  ///< of the field on the compare screen, likewise
    bool other_text_active = false;
    float settings_scroll = 0;
    std::optional<int> settings_group;  ///< the open one, where they are folded; −1: none; nothing: not chosen yet
    std::optional<NumberField> number;
    std::optional<NumberDrag> drag;
    std::optional<MaskStroke> stroke;
    std::optional<ArrowDrag> arrow;
    float heads_scroll = 0;             ///< of the list of keys, or of the grid
    int gestures = 0;                   ///< number of drags so far: each is undone separately
    bool opened = false;                ///< the press still held has opened the number field
    std::optional<CellRef> compare_at;  ///< the cell pointed at on the compare screen, in the first run
    MapHand map;
    std::string search;  ///< content of its field while it has the keyboard
    bool search_active = false;
    int search_shown = -1;      ///< the match that the list has scrolled to
    bool search_focus = false;  ///< give it the keyboard in the next frame
    int search_coming = 0;      ///< frames within which it gets the keyboard: until then keys go to the search, too
    int search_go = 0;          ///< move by this many matches as soon as they are known
    float search_scroll = 0;
    float panned = 0;  ///< pixels by which the press still held has moved the flow
    PaletteState palette;
    ExportPreview preview;
    float display_scale = 1;  ///< physical pixels per design pixel of the window, at the normal interface size
    float keys_scroll = 0;
    float gallery_scroll = 0;
    Naming naming;
    DescriptionSheet description;
    CourseScratch course;
    TypedText train;        ///< the user's own text on the training screen
    TypedText sweep;        ///< the text that is patched from
    TypedText target, against;  ///< the tokens whose logits are attributed, or followed through interventions
    TypedText heads_find;   ///< the heads that are looked for
    TypedText other_model;  ///< the folder of the second model on the compare screen
    bool focus_text = false;  ///< give the text field the keyboard in the next frame
    HintState hint;
    PresentedNote presented_note;
    double seconds = 0;  ///< between the previous frame and this one
    TypedLately typed;
    CachedFolding folding, folding_before;  ///< of the step at the playhead; of the step from which its matrices come
    Scene before;
    RunScratch run;

    /// The fonts or sizes have changed: drops all that was measured.
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
    Rect window;  ///< the whole window

    const ViewState& view() const { return state.view; }
    const attn::Trace& trace() const { return derived.run->trace; }
    /// What was computed of the run that is shown; emptied when it changes.
    RunScratch& of_run() const {
        if (scratch.run.generation != derived.generation || scratch.run.trace != &trace()) scratch.run = {derived.generation, &trace()};
        return scratch.run;
    }
    /// Tokens are columns, so every matrix is shown transposed.
    bool columns() const { return state.view.convention == attn::Convention::Columns; }
    Painter& painter() const { return ui.painter(); }
    float px(float design) const { return theme.px(design); }
    std::string_view say(Str string) const {
        return tr(in_convention(string, state.view.convention), state.view.language);
    }
    std::string say(Str string, std::initializer_list<std::string_view> arguments) const {
        return fill_in(say(string), arguments);
    }
    /// The number from which layers and heads are counted, and the number of one of them.
    attn::CountFrom counts_from() const { return app::counts_from(state.view, state.document); }
    std::string number(int layer_or_head) const { return attn::number_of(layer_or_head, counts_from()); }
    void push(Action action) const;
    /// Changes are applied one after the other once the frame is drawn, so they capture what they need by value.
    void change_view(std::function<void(ViewState&)> change) const;
    void edit(std::function<void(attn::Document&)> change, std::string gesture = {}) const;
};

/// Height reserved at the foot of the window for the text shown while presenting, in design pixels.
inline constexpr float kPresentFoot = 84;

/// The place of a view in the window.
enum class Place : std::uint8_t {
    Header,
    Tokens,
    Course,
    Left,
    Formula,
    Right,
    Footer,
    Overlay,
// and one for each screen
#define SCREEN(name, ...) name,
#include "app/state/screens.inc"
#undef SCREEN
};
/// The screen at this place; nothing if it is a panel's place.
std::optional<Screen> screen_at(Place place);
Place place_at(Screen screen);

struct View {
    std::string_view id;
    Place place;
    Part part;  ///< sets the level of detail from which it is drawn
    void (*draw)(const Frame&);
};

std::span<const View> views();

/// How the window is divided: what is shown around the screen.
struct Panels {
    bool presenting = false;  ///< no panels: the screen fills the window, except for the text at its foot
    bool around = true;       ///< header, steps, inspector and timeline
    bool course = false;       ///< a chapter is shown on the left; steps or the inspector on the right
    bool asking = false;        ///< the question about the text replaces the stage and its surroundings
    bool yields = false;        ///< what surrounds the stage makes room for its figures
    bool inspector_opened = false;  ///< the user has opened the inspector, so it does not yield
    bool captioned = true;      ///< while presenting, the foot has the caption of the walk; else only its progress
    bool writes = false;        ///< the form continues its text: the line with the growing text is always shown
    bool left = true, right = true, formula = true, tokens = true, footer = true;  ///< a page can remove these
};
Panels panels_of(const AppState& state);

/// Whether a screen shows this place: its own, or a panel's.
bool is_on(Place place, Screen screen, const Panels& panels = {});

/// Whether the column at a place, Left or Right, belongs to this screen but does not fit next to it, so that it is a
/// drawer.
bool is_drawer(const struct Frame& frame, Place place);

/// Whether the inspector would fit next to the stage but is folded to a handle, or would be if it had not been opened
/// by hand.
bool inspector_has_handle(const struct Frame& frame);

/// Where that handle is: at the right edge of the stage.
Rect inspector_handle_rect(const struct Frame& frame);

/// The rectangle of each place in a window of this size; empty for a place without room.
Rect place_rect(Place place, Rect window, const Theme& theme, const Panels& panels = {});

#define VIEW(name, place) void draw_##name(const Frame& frame);
#include "app/frame/views.inc"
#undef VIEW

// What several views share.

/// The part of the formula that belongs to a stage: "scores".
std::string_view part_of(Stage stage);
Str title_of(Stage stage);
/// Goes to another screen; from the stage to the flow with a transition out of the matrix.
void show_screen(const Frame& frame, Screen screen);
/// Whether a screen has something to show; the experiments have if one of their pages applies.
bool has_screen(const Frame& frame, Screen screen);
/// "Encoder · block 2 · step 3": where in the model a section is; empty if there is only one place.
std::string place_of(const Frame& frame, const Section& section);
/// Of many names, only the longest ones are measured.
float widest_name(const Frame& frame, const std::vector<std::string>& names, Type type);
/// What a stage makes, for the formula setter: "Q Kᵀ".
std::string symbol_of_stage(const Frame& frame, Stage stage);

}  // namespace app
