#include "app/cli/render_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/cli/compare_argument.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/render_job.h"
#include "app/cli/step_arguments.h"
#include "app/screens/compare/comparison.h"
#include "app/screens/experiments/experiments.h"
#include "app/screens/heads/heads.h"
#include "app/screens/heads/view.h"
#include "app/screens/prediction/look.h"
#include "app/state/screens.h"
#include "app/ui/theme.h"

namespace app {
namespace {

/// Limits of a side and of the whole picture, in pixels, that graphics drivers and memory can handle.
constexpr int kMaxSide = 16384;
constexpr double kMaxPixels = double(1u << 26);
constexpr const char* kUsualSize = "1440x900";

attn::Result<Size> parse_size(const std::string& text, float scale) {
    int width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    const bool cross = first.ec == std::errc() && first.ptr != end && *first.ptr == 'x';
    const auto second = cross ? std::from_chars(first.ptr + 1, end, height) : first;
    if (!cross || second.ec != std::errc() || second.ptr != end || width < 1 || height < 1)
        return wrong_option("--size", "write width and height in pixels, such as 1440x900");
    const Size size{std::round(static_cast<float>(width) * scale), std::round(static_cast<float>(height) * scale)};
    if (size.w < 1 || size.h < 1 || size.w > kMaxSide || size.h > kMaxSide ||
        double(size.w) * double(size.h) > kMaxPixels)
        return wrong_option("--size",
                     fmt::format("{:.0f} x {:.0f} pixels are not possible; a side has at most {}, the picture "
                                 "at most {:.0f} million",
                                 size.w, size.h, kMaxSide, kMaxPixels / 1e6));
    return size;
}

/// The kind of rendering, by OUT.
attn::Result<RenderKind> kind_of(const RenderOptions& options) {
    if (!options.gallery.empty()) return RenderKind::Gallery;
    if (!options.storyboard.empty()) return RenderKind::Storyboard;
    if (options.out.empty()) return wrong_option("-o", "say where the picture goes: -o OUT.png (or --storyboard OUT.png, --gallery DIR)");
    if (options.walk)
        return options.out == "-" ? attn::Result<RenderKind>(wrong_option("-o", "--walk needs a folder")) : RenderKind::Walk;
    if (options.out == "-") return RenderKind::Picture;
    std::string ending = std::filesystem::path(options.out).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (ending == ".png") return RenderKind::Picture;
    if (ending == ".svg") return RenderKind::Drawing;
    if (ending == ".pdf") return RenderKind::Page;
    if (ending != ".gif")
        return wrong_option("-o", "the file's ending says what to draw: .png, .svg, .pdf or .gif (or give --walk)");
    if (!options.step.empty() || options.time || options.progress || !options.row.empty())
        return wrong_option("-o", "an animation shows the whole walk; --step, --time, --progress and --row are for a .png");
    return RenderKind::Animation;
}

/// Dots per inch of a printed figure, and the pixels of an animated one.
constexpr float kDots = 300;
constexpr Size kRoomOfFilm{1024, 768};
constexpr double kFilmSeconds = 12;

/// A figure has nothing around its picture; an animated one has the layout of projector mode.
void take_figure(StudioOptions& studio, const Figure& figure, RenderKind kind) {
    studio.screen = figure.screen;
    studio.page = figure.page;
    studio.map = figure.map;
    studio.panels = false;
    studio.figure = figure.look;
    studio.presenting = kind == RenderKind::Animation;
}

/// Whether the requested figure is ready.
bool has_figure(const Derived& derived, const Figure& figure) {
    if (figure.map) return derived.tower != nullptr;
    return figure.page.empty() || derived.part<HeadsData>().page == figure.page;
}

/// The head's index from 0, whatever the document counts from.
int head_index(const RenderOptions& options, const attn::Document& document) {
    return options.head < 0 ? 0 : attn::index_of(options.head, options.document.counts_from(document));
}

StudioOptions studio_options(const RenderOptions& options, const attn::Document& document) {
    return {.document = document,
            .language = find_language(options.language).value_or(system_language()),
            .theme = options.theme.empty() ? "light" : options.theme,
            .convention = attn::find_convention(options.convention).value_or(attn::Convention::Rows),
            .cube = options.cube,
            .fan = options.fan,
            .map = options.map,
            .presenting = options.presenting,
            .opening = options.opening,
            .scale = options.scale,
            .screen = find_screen(options.screen).value_or(Screen::Stage),
            .page = options.page,
            .panels = options.panels == "on",
            .level = find_detail(options.level).value_or(Detail::Everything),
            .sheet = find_sheet(options.sheet).value_or(Sheet::None),
            .trained = options.trained,
            .head = head_index(options, document),
            .count_from = attn::find_count_from(options.document.count_from),
            .pace = find_walk_pace(options.pace).value_or(WalkPace::Story),
            .assets = options.assets};
}

/// Takes what another program passes of the view: first the settings, then the position.
attn::Result<attn::Done> take_view(Studio& studio, const RenderOptions& options) {
    if (!options.as.empty()) {
        const auto settings = settings_from_json(options.as, "--as");
        if (!settings) return settings.error();
        if (!settings->problems.empty()) return settings->problems.front();
        studio.use(settings->settings.view);
    }
    if (!options.view.empty()) {
        const auto view = part_from_json(options.view, kPlace, "--view");
        if (!view) return view.error();
        if (!view->problems.empty()) return view->problems.front();
        studio.use(view->part);
    }
    return attn::Done{};
}

Exit render(const RenderJob& job, RenderKind kind) {
    if (const auto& error = job.studio.derived().error) return fail(job.streams, Exit::BadInput, *error);
    switch (kind) {
        case RenderKind::Picture:
        case RenderKind::Drawing:
        case RenderKind::Page:
            return render_picture(job, kind);
        case RenderKind::Walk:
            return render_walk(job);
        case RenderKind::Animation:
            return render_animation(job);
        case RenderKind::Gallery:
            return render_gallery(job);
        case RenderKind::Storyboard:
            return render_storyboard(job);
    }
    return Exit::Failure;
}

void declare_place(Parser& parser, RenderOptions& options) {
    parser.add({.name = "--step", .value = "STEP", .help = "The step to show, by name or number; the last without it."},
               options.step);
    parser.add({.name = "--time",
                .value = "SECONDS",
                .help = "The second of the walk to show, instead of a step.",
                .check = number_between(0, 86400),
                .excludes = {"--step"}},
               options.time);
    parser.add({.name = "--progress",
                .value = "SHARE",
                .help = "How far the step's motion is, from 0 to 1; without it the motion is over.",
                .check = number_between(0, 1),
                .excludes = {"--time"}},
               options.progress);
    parser.add({.name = "--row",
                .value = "ROW",
                .help = "Pins a cell of the step shown: its row as shown, from 1, or its label.",
                .needs = {"--column"}},
               options.row);
    parser.add(
        {.name = "--column", .value = "COLUMN", .help = "The pinned cell's column, likewise.", .needs = {"--row"}},
        options.column);
    parser.add({.name = "--head",
                .value = "HEAD",
                .help = "The head to show, as --count-from says.",
                .check = whole_between(0, attn::kMaxHeads)},
               options.head);
    parser.add({.name = "--walk",
                .help = "One PNG for each step of the walk, finished, into the folder OUT (made if it is missing): "
                        "01-embeddings.png and so on. Until all are there a file UNFINISHED lies beside them.",
                .excludes = {"--step", "--time", "--progress", "--row"}},
               options.walk);
}

/// The pages of the experiments, then of the heads and predictions, then the comparisons.
std::vector<std::string_view> pages() {
    std::vector<std::string_view> all = ids_of(experiment_topics());
    all.insert(all.end(), std::begin(kHeadsPages), std::end(kHeadsPages));
    all.insert(all.end(), std::begin(kPredictionPages), std::end(kPredictionPages));
    all.insert(all.end(), std::begin(kComparedRoles), std::end(kComparedRoles));
    return all;
}

void declare_walk(Parser& parser, RenderOptions& options) {
    parser.add({.name = "--storyboard",
                .value = "OUT.png",
                .help = "Instead of OUT: the walk on one sheet, a picture every few seconds with its time and what is "
                        "said then.",
                .excludes = {"--output", "--gallery", "--walk", "--step", "--time", "--progress", "--row", "--view"}},
               options.storyboard);
    parser.add({.name = "--every",
                .value = "SECONDS",
                .help = "Between two pictures of the storyboard, from 0.1; 2 without it.",
                .check = number_between(0.1, 3600),
                .needs = {"--storyboard"}},
               options.every);
    parser.add({.name = "--pace",
                .value = "PACE",
                .help = "Of the walk: story (without it: each step as long as its news), deep (each as long as its "
                        "operation) or step (as deep, but what changes nothing is a blink).",
                .choices = {"story", "deep", "step"}},
               options.pace);
}

void declare_look(Parser& parser, RenderOptions& options) {
    parser.add({.name = "--size", .value = "WxH", .help = "Width and height at scale 1; 1440x900 without it."},
               options.size);
    parser.add({.name = "--scale",
                .value = "K",
                .help = "Pixels for each of these, from 0.5 to 4: 2 is a picture twice as fine.",
                .check = number_between(0.5, 4)},
               options.scale);
    parser.add({.name = "--theme",
                .value = "THEME",
                .help = "light (without it), dark or projector.",
                .choices = ids_of(themes())},
               options.theme);
    parser.add({.name = "--convention",
                .value = "CONVENTION",
                .help = "rows (each row is a token, the default) or columns (each column is one: W^q X, K^T Q): every "
                        "matrix transposed, formulas and words as well.",
                .choices = {"rows", "columns"}},
               options.convention);
    parser.add({.name = "--cube", .help = "Products of matrices as cubes."}, options.cube);
    parser.add({.name = "--room", .help = "As for a projector: one thing with its sentence, large, without panels."}, options.presenting);
    parser.add({.name = "--opening",
                .value = "SECONDS",
                .help = "The opening, this many seconds after the reader asked for the answer: until 3.6 it comes, until "
                        "4.2 it goes over into the flow; -1: the question alone.",
                .check = number_between(-1, kAnswerSeconds + kLeavingSeconds),
                .excludes = {"--step", "--time", "--progress", "--row", "--walk", "--screen"}},
               options.opening);
    parser.add({.name = "--map", .help = "The flow from afar: all layers of the model."}, options.map);
    parser.add({.name = "--fan", .help = "The flow's heads side by side instead of stacked."}, options.fan);
    parser.add({.name = "--screen",
                .value = "SCREEN",
                .help = "stage, flow, prediction, compare, experiments, heads, train or home.",
                .choices = ids_of(screens())},
               options.screen);
    parser.add({.name = "--trained",
                .value = "STEPS",
                .help = "On the screen train: how many steps are trained first.",
                .check = whole_between(0, 100000)},
               options.trained);
    parser.add({.name = "--page",
                .value = "PAGE",
                .help = "Of the screen heads, prediction or experiments, or the matrix that is compared; without it the first that the "
                        "document has.",
                .choices = pages()},
               options.page);
    parser.add({.name = "--compare",
                .value = "KIND=CHOICE",
                .help = "Sets another run beside this one: score=cosine, mask=causal, text=\"another sentence\", "
                        "head=2, order=1,3, edits, untrained, model=DIR, kept=LINK, kept=FILE … It is the screen compare."},
               options.compare);
    parser.add({.name = "--panels",
                .value = "SWITCH",
                .help = "on, or off: the picture alone, as for a page: without header, steps, inspector and timeline, without tabs, hints and buttons.",
                .choices = {"on", "off"}},
               options.panels);
    parser.add({.name = "--figure",
                .value = "PICTURE",
                .help = "A picture for a page: stage, flow, lines, grid, tower or alignment, on white, with nothing around it and no "
                        "higher than what is drawn. A .gif of it has the layout of a room and takes 12 seconds.",
                .choices = figure_names(),
                .excludes = {"--screen", "--page", "--size", "--panels", "--sheet", "--room", "--map", "--opening", "--compare", "--gallery",
                             "--storyboard", "--walk"}},
               options.figure);
    parser.add({.name = "--width",
                .value = "LENGTH",
                .help = "Of the figure on paper: 85mm, 17cm, 3.35in, 240pt; 170mm without it. A .png has 300 dots to the inch "
                        "(--scale K: 144 times K).",
                .needs = {"--figure"}},
               options.width);
    parser.add({.name = "--title", .value = "SWITCH", .help = "Of the figure: on, or off: without the line above it.", .choices = {"on", "off"}, .needs = {"--figure"}},
               options.title);
    parser.add({.name = "--caption",
                .value = "SWITCH",
                .help = "Of the figure: on, or off: without the sentences below it.",
                .choices = {"on", "off"},
                .needs = {"--figure"}},
               options.caption);
    parser.add({.name = "--ground",
                .value = "GROUND",
                .help = "Of the figure: white (the dark theme's own in it), theme, or none: transparent.",
                .choices = {"white", "theme", "none"},
                .needs = {"--figure"}},
               options.ground);
    parser.add({.name = "--seconds",
                .value = "SECONDS",
                .help = "How long an animation takes: as long as the walk without it, of a figure 12.",
                .check = number_between(1, 600)},
               options.seconds);
    parser.add({.name = "--level",
                .value = "LEVEL",
                .help = "How much is drawn: first (the sentence and its arcs), numbers (the walk with its figures) or everything "
                        "(without it). A screen that a level lacks raises it.",
                .choices = {"first", "numbers", "everything"}},
               options.level);
    parser.add({.name = "--sheet",
                .value = "SHEET",
                .help = "What lies over the window: none, keys, palette, export, description, tour, examples, forms, models, "
                        "chapters, glossary, help, or a column that is a drawer in narrow windows: steps or cell.",
                .choices = {"none", "keys", "palette", "export", "description", "tour", "examples", "forms",
                                 "models", "steps", "cell", "words", "chapters", "glossary", "help"}},
               options.sheet);
    parser.add({.name = "--language",
                .value = "LANGUAGE",
                .help = "en or zh; without it the environment's.",
                .choices = {"en", "zh"}},
               options.language);
    parser.add({.name = "--as",
                .value = "JSON",
                .help = "Theme, language, size of the interface and colours, as settings.json has them; for programs."},
               options.as);
    parser.add({.name = "--view",
                .value = "JSON",
                .help = "Step, head, pinned cell and screen, as last-view.json has them; for programs.",
                .excludes = {"--step", "--time", "--progress", "--row", "--walk"}},
               options.view);
    parser.add({.name = "--tell-progress",
                .help = "Writes lines \"progress SHARE\" to standard output while an animation is drawn."},
               options.tell_progress);
    parser.add({.name = "--assets",
                .value = "DIR",
                .help = "Reads shaders and assets from this folder, not from the program."},
               options.assets);
}

Runner declare_render(Parser& parser) {
    const auto options = std::make_shared<RenderOptions>();
    declare_document(parser, options->document);
    parser.add(
        {.name = "-o,--output",
         .value = "OUT",
         .help = "What to write: a .png, a .svg, a .pdf, a .gif (the animation of the whole walk), a folder with --walk, "
                 "or - (a PNG to standard output).",
         .required = false},
        options->out);
    declare_force(parser, options->force);
    parser.add(
        {.name = "--gallery",
         .value = "DIR",
         .help = "Instead of OUT: every view of the document in every theme and both languages, at 1280x800 "
                 "and 1920x1080 (the projector's theme at 1024x768 as well), a PNG each, into this folder (with a file UNFINISHED where not all are there yet); "
                 "--theme, --language and --size leave one of them.",
         .excludes = {"--output", "--screen", "--page", "--compare", "--sheet", "--view", "--as", "--time", "--walk"}},
        options->gallery);
    declare_place(parser, *options);
    declare_walk(parser, *options);
    declare_look(parser, *options);
    return [options](Streams& streams) { return run_render(*options, streams); };
}

}  // namespace

const Command kRenderCommand = {
    {
        .name = "render",
        .summary = "draws what the window shows, without a window",
        .synopsis = R"( attenscope render [OPTIONS] [FILE] -o OUT.png
 attenscope render [OPTIONS] [FILE] -o OUT.svg
 attenscope render [OPTIONS] [FILE] -o OUT.pdf
 attenscope render [OPTIONS] [FILE] -o OUT.gif
 attenscope render [OPTIONS] [FILE] --walk -o DIR
 attenscope render [OPTIONS] [FILE] --storyboard OUT.png
 attenscope render [OPTIONS] [FILE] --gallery DIR)",
        .description =
            R"(The same frame as in the window, drawn offscreen through EGL: no display and no graphics card are needed. The same document and options give the same bytes on the same machine.

Files are written whole or not at all. A PNG carries the program's version ("Software") and the document ("Document") as text chunks. An SVG has its text as text, in the typefaces by name (Inter, JetBrains Mono, STIX, Noto Sans CJK SC; others stand in where they are missing), and the document as metadata. A PDF has its typefaces inside.

An animation has 12 frames a second while something moves, fewer where the walk is long; one that would be too large is refused with the figures. Ctrl-C leaves no file.)",
        .examples = R"( attenscope render --text 早上好 -o attention.png
 attenscope render chapter.json --step weights.h2 --row 2 --column 3 -o cell.png
 attenscope render chapter.json --step scores --progress 0.4 --scale 2 -o moving.png
 attenscope render chapter.json --walk --theme dark -o pictures/
 attenscope render --text "the tired cat" --language zh -o walk.gif
 attenscope render --text "the tired cat" --compare score=additive -o side-by-side.png
 attenscope render --text "the tired cat" --storyboard walk.png --every 1
 attenscope render --text "the tired cat" --figure stage --width 85mm -o figure.pdf
 attenscope render chapter.json --gallery pictures/)",
        .environment = "LC_ALL, LC_MESSAGES, LANG: the language of the picture; zh... is Chinese, all else English.",
    },
    declare_render,
};

namespace {

/// The screen that is drawn.
Screen screen_of(const RenderOptions& options) {
    return options.compare.empty() ? find_screen(options.screen).value_or(Screen::Stage) : Screen::Compare;
}

/// The pages of a screen, by the names that --page has.
std::vector<std::string_view> pages_of(Screen screen) {
    if (screen == Screen::Compare) return {std::begin(kComparedRoles), std::end(kComparedRoles)};
    const ScreenPages* pages = row_of(screen).pages;
    return pages ? pages->all() : std::vector<std::string_view>{};
}

/// Options that do not fit together.
std::optional<attn::Error> wrong_together(const RenderOptions& options) {
    const Screen screen = screen_of(options);
    if (!options.compare.empty() && !options.screen.empty() && find_screen(options.screen) != Screen::Compare)
        return wrong_option("--compare", fmt::format("it is drawn on the screen compare, not on {}: leave --screen out", options.screen));
    if (options.page.empty()) return std::nullopt;
    const std::vector<std::string_view> pages = pages_of(screen);
    if (pages.empty()) return wrong_option("--page", fmt::format("the screen {} has no pages; choose --screen heads, prediction, compare or experiments", row_of(screen).id));
    if (std::find(pages.begin(), pages.end(), options.page) != pages.end()) return std::nullopt;
    return wrong_option("--page", fmt::format("the screen {} has no page {}; it has {}", row_of(screen).id, options.page, fmt::join(pages, ", ")));
}

/// A page of the heads that this document lacks.
std::optional<attn::Error> missing_page(const RenderOptions& options, const attn::Run& run) {
    if (options.page.empty() || screen_of(options) != Screen::Heads) return std::nullopt;
    std::vector<std::string_view> pages;
    for (const HeadsPageName& page : heads_pages_of_run(run)) pages.push_back(page.id);
    if (pages.empty() || std::find(pages.begin(), pages.end(), options.page) != pages.end()) return std::nullopt;
    return wrong_option("--page", fmt::format("the document has no page {}; it has {}", options.page, fmt::join(pages, ", ")));
}

Exit run_render_as(const RenderOptions& options, const std::optional<Figure>& figure, RenderKind kind, const Interrupt& interrupt,
                   Streams& streams) {
    const auto size = parse_size(options.size.empty() ? kUsualSize : options.size, options.scale);
    if (!size) return fail(streams, Exit::Usage, size.error());
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    if (const int head = head_index(options, *document); head < 0 || head >= document->config.heads)
        return fail(streams, Exit::BadInput,
                    wrong_option("--head", fmt::format("the document has {} head{}, counted from {}", document->config.heads, document->config.heads == 1 ? "" : "s",
                                                       attn::count_from_id(options.document.counts_from(*document)))));
    std::optional<Comparison> comparison;
    if (!options.compare.empty()) {
        auto named = comparison_named(options.compare, *document, options.document.counts_from(*document));
        if (!named) return fail(streams, Exit::BadInput, named.error());
        if (!options.page.empty()) named->shown = options.page;
        comparison = *std::move(named);
    }
    announce(*document, streams);
    StudioOptions with_figure = studio_options(options, *document);
    if (figure) take_figure(with_figure, *figure, kind);
    auto studio = Studio::open(with_figure);
    if (!studio) return fail(streams, options.assets.empty() ? Exit::NoDisplay : Exit::Failure, studio.error());
    if (figure && !has_figure(studio->derived(), *figure))
        return fail(streams, Exit::BadInput, wrong_option("--figure", fmt::format("the document has no {} to draw", options.figure)));
    if (const auto missing = missing_page(options, *studio->derived().run)) return fail(streams, Exit::BadInput, *missing);
    if (const auto taken = take_view(*studio, options); !taken) return fail(streams, Exit::BadInput, taken.error());
    if (comparison) studio->compare(*std::move(comparison));
    tell_notes(streams, *studio->derived().run);
    const AtEndTellChecked checked(streams, *studio->derived().run);
    return render({options, interrupt, *document, *studio, *size, figure, streams}, kind);
}

}  // namespace

Exit run_render(const RenderOptions& options, Streams& streams) {
    const Interrupt interrupt;  // before the driver starts threads, which would otherwise receive the signals
    const auto kind = kind_of(options);
    if (!kind) return fail(streams, Exit::Usage, kind.error());
    if (const auto wrong = wrong_together(options)) return fail(streams, Exit::Usage, *wrong);
    const std::string& file = options.storyboard.empty() ? options.out : options.storyboard;
    if (const auto refused = refuse_output(file, options.force, options.document.file))
        return fail(streams, Exit::Usage, *refused);
    RenderOptions figure_options = options;
    std::optional<Figure> figure;
    if (!options.figure.empty()) {
        const auto found = figure_of(options);
        if (!found) return fail(streams, Exit::Usage, found.error());
        figure = *found;
        const bool film = *kind == RenderKind::Animation;
        if (film && !figure_options.seconds) figure_options.seconds = kFilmSeconds;
        // Vector formats have no pixels; a printed picture gets a printer's resolution.
        if (*kind == RenderKind::Picture && options.scale == 1) figure_options.scale = kDots / kPixelsPerInch;
        const Size layout = film ? kRoomOfFilm : figure->size;
        figure_options.size = fmt::format("{:.0f}x{:.0f}", layout.w, layout.h);
    }
    return run_render_as(figure_options, figure, *kind, interrupt, streams);
}

}  // namespace app
