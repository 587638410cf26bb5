#include "app/cli/chapter_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/chapters/check.h"
#include "app/state/course.h"
#include "app/chapters/format/library.h"
#include "app/chapters/format/walk.h"
#include "app/cli/chapter_class.h"
#include "app/cli/chapter_handout.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/studio.h"
#include "app/export/png.h"
#include "app/ui/formula_text.h"
#include "app/ui/theme.h"
#include "core/io/files.h"

namespace app {
namespace {

struct ChapterOptions {
    std::string action;
    std::vector<std::string> files;
    std::string out, assets, language, page;
    std::string theme = "light", size = "1280x800";
    std::optional<std::string> route;  ///< for list, plan and quiz: of the lesson with this many minutes
    std::string seed = "1";            ///< for quiz
    bool answers = false;              ///< for handout: add a key at the end
    bool worksheet = false;            ///< for handout: with cells to fill in
    bool force = false;  ///< replace an existing OUT
};

constexpr std::string_view kTemplate =
    R"TOML(# A chapter of your own. Everything that can stand here: assets/chapters/README.md in the program's sources.
id = "my-chapter"
title = { en = "My chapter", zh = "我的章节" }
summary = { en = "One sentence on what it is about.", zh = "用一句话说明内容。" }
minutes = 5

[start]
variant = "raw"
text = { en = "the tired cat sat down", zh = "早上好" }

[[page]]
id = "one-row"
title = { en = "One row", zh = "一行权重" }
show = "weights"
light = "row weights 1"
en = '''
[The first row](row weights 1) says where “{token(1)}” looks. Its largest share, {max(weights[1]):%}, goes to
“{argmax(weights[1])}”. All shares of a row sum to {sum(weights[1])}: that is what the [[softmax]] is for.
'''
zh = '''
[第一行](row weights 1)说的是“{token(1)}”看向哪里。最大的一份 {max(weights[1]):%} 给了“{argmax(weights[1])}”。
一行的权重加起来是 {sum(weights[1])}，这就是[[softmax]]的作用。
'''
notes = { en = "What you want to remember when you teach.", zh = "讲课时的备注。" }

[[page]]
id = "try-it"
title = { en = "Try it", zh = "动手试试" }
show = "weights"
en = "A low [[temperature]] makes a row look at one word."
zh = "[[temperature]]低的时候，一行只看一个词。"

[page.task]
en = "Lower the temperature until one word gets nine tenths of row 1."
zh = "调低温度，直到第一行有一个词得到九成。"
until = ["max(weights[1]) >= 0.9"]
do = { set = { temperature = 0.01 } }

[[page]]
id = "predict"
title = { en = "Predict, then look", zh = "先猜，再看" }
show = "scores"
en = "These are the scores. The softmax keeps their order."
zh = "这里是分数。softmax 不改变大小顺序。"
ask = { kind = "largest_in_row", step = "weights", row = 2 }
)TOML";

/// Finds a chapter by its file or by the id of a built-in one.
attn::Result<const Chapter*> chapter(ChapterLibrary& library, const std::string& name) {
    if (const Chapter* chapter = library.find(name)) return chapter;
    auto chapter = load_chapter_file(name, library);
    if (!chapter) return chapter.error();
    chapter->id = chapter->id.empty() ? name : chapter->id;
    const std::string id = chapter->id;
    library.add(std::move(*chapter));
    return library.find(id);
}

Exit list_chapters(const ChapterLibrary& library, Streams& streams) {
    std::string out;
    for (const Chapter& chapter : library.chapters) {
        out += fmt::format("{}  {} · {}\n", chapter.id, chapter.title[0], chapter.title[1]);
        for (const ChapterPage& page : chapter.pages)
            out += fmt::format("  {:<22} {} · {}\n", page.id, page.title[0], page.title[1]);
    }
    return write_output(streams, "", out, Content::Text);
}

/// The lesson that --route names; null: there is none, which has been reported.
const CourseRoute* route_of(const std::string& minutes, const ChapterLibrary& library, Streams& streams) {
    const auto found = std::ranges::find(library.routes, static_cast<int>(number_of(minutes).value_or(0)), &CourseRoute::minutes);
    if (found != library.routes.end()) return &*found;
    std::vector<int> there;
    for (const CourseRoute& route : library.routes) there.push_back(route.minutes);
    fail(streams, Exit::Usage,
         there.empty() ? std::string("--route: there are no routes here")
                       : fmt::format("--route: there is none of {} minutes; choose one of {}", minutes, fmt::join(there, ", ")));
    return nullptr;
}

/// Lists the pages of a lesson, in its order.
Exit list_route(const std::string& minutes, const ChapterLibrary& library, Streams& streams) {
    const CourseRoute* found = route_of(minutes, library, streams);
    if (!found) return Exit::Usage;
    std::string out = fmt::format("{} · {}\n", found->title[0], found->title[1]);
    std::size_t longest = 0;
    for (const std::string& name : found->pages) longest = std::max(longest, name.size());
    for (const std::string& name : found->pages)
        if (const ChapterPage* page = library.page(name))
            out += fmt::format("  {:<{}}  {} · {}\n", name, longest, page->title[0], page->title[1]);
    return write_output(streams, "", out, Content::Text);
}

Exit new_chapter(const ChapterOptions& options, Streams& streams) {
    if (options.files.size() != 1)
        return fail(streams, Exit::Usage, "name the file of the new chapter: attenscope chapter new my-chapter.toml");
    const std::string& file = options.files.front();
    std::error_code code;
    if (std::filesystem::exists(file, code))
        return fail(streams, Exit::BadInput, file + " already exists and was not changed");
    if (const auto written = attn::atomic_write(file, std::string(kTemplate)); !written)
        return fail(streams, Exit::Failure, written.error());
    return write_output(streams, "",
                        fmt::format("{0}: a chapter of three pages. See it with\n  attenscope --chapter {0}\n", file),
                        Content::Text);
}

Exit check_chapters(const ChapterOptions& options, ChapterLibrary& library, Streams& streams) {
    std::vector<const Chapter*> all;
    const bool house = options.files.empty();
    for (const Chapter& chapter : library.chapters)
        if (house) all.push_back(&chapter);
    std::size_t count = 0;
    const auto tell = [&](const ChapterProblem& problem) {
        say(streams, problem.text());
        ++count;
    };
    for (const ChapterProblem& problem : library.problems) tell(problem);
    for (const std::string& file : options.files) {
        const auto found = chapter(library, file);
        if (!found) return fail(streams, Exit::BadInput, found.error());
        for (const ChapterProblem& problem :
             check_chapter(**found, library, (*found)->own ? ChapterRules::Any : ChapterRules::House))
            tell(problem);
        say(streams, fmt::format("{}: {} pages", (*found)->file, (*found)->pages.size()));
    }
    if (house)
        for (const ChapterProblem& problem : check_routes(library)) tell(problem);
    for (const Chapter* chapter : all) {
        for (const ChapterProblem& problem : check_chapter(*chapter, library, ChapterRules::House)) tell(problem);
        say(streams, fmt::format("{}: {} pages", chapter->file, chapter->pages.size()));
    }
    if (count == 0) return Exit::Ok;
    say(streams, fmt::format("{} mistake{}", count, count == 1 ? "" : "s"));
    return Exit::BadInput;
}

/// A sentence of a page, and the sources that it names.
struct Fact {
    std::string sentence;
    std::vector<std::string> sources;
};

/// Splits a paragraph after each full stop that is followed by a space or the end.
std::vector<Fact> facts_in(const ProseBlock& block, const Chapter& chapter) {
    std::vector<Fact> out(1);
    for (const ProseSpan& span : block.spans) {
        if (span.kind == ProseSpan::Kind::Cite) {
            const ChapterSource* source = chapter.source(span.source);
            out.back().sources.push_back((source ? source->text : span.source) +
                                         (span.text.empty() ? "" : ", " + span.text));
            while (out.back().sentence.ends_with(' ')) out.back().sentence.pop_back();
            continue;
        }
        if (span.kind != ProseSpan::Kind::Plain) {
            out.back().sentence += span.kind == ProseSpan::Kind::Math     ? formula_to_text(span.text)
                                   : span.kind == ProseSpan::Kind::Number ? "{" + span.text + "}"
                                                                          : span.text;
            continue;
        }
        for (std::size_t at = 0; at < span.text.size(); ++at) {
            const char c = span.text[at];
            if (c == ' ' && out.back().sentence.empty()) continue;
            out.back().sentence.push_back(c);
            const bool stop = c == '.' || c == '?' || c == '!';
            if (stop && at + 1 < span.text.size() && span.text[at + 1] == ' ') out.emplace_back();
        }
    }
    std::erase_if(out, [](const Fact& fact) { return fact.sources.empty(); });
    return out;
}

/// Lists every sentence that names a source, with the source, so that a reader can check it.
Exit list_facts(const ChapterLibrary& library, Streams& streams) {
    std::string out;
    const auto tell = [&](const Chapter& chapter, const ChapterPage& page, const Prose& prose) {
        for (const ProseBlock& block : prose.blocks)
            for (const Fact& fact : facts_in(block, chapter))
                out += fmt::format("{}/{}: {}\n    {}\n", chapter.id, page.id, fact.sentence,
                                   fmt::join(fact.sources, "; "));
    };
    for (const Chapter& chapter : library.chapters)
        for (const ChapterPage& page : chapter.pages) {
            tell(chapter, page, page.say[0]);
            if (page.ask) tell(chapter, page, page.ask->because[0]);
        }
    return write_output(streams, "", out, Content::Text);
}

/// Parses "1280x800"; none: it is not written like that.
std::optional<Size> size_of(const std::string& text) {
    const std::size_t cross = text.find('x');
    const auto w = number_of(text.substr(0, cross)),
               h = cross == std::string::npos ? std::nullopt : number_of(text.substr(cross + 1));
    constexpr double kLeast = 320, kMost = 8192;
    if (!w || !h || *w < kLeast || *h < kLeast || *w > kMost || *h > kMost) return std::nullopt;
    return Size{static_cast<float>(*w), static_cast<float>(*h)};
}

/// The program offscreen, and the chapter in it.
struct Opened {
    Studio studio;
    Chapter chapter;
};
attn::Result<Opened> open_chapter(const ChapterOptions& options, Language language) {
    StudioOptions studio_options;
    studio_options.language = language;
    studio_options.theme = options.theme;
    studio_options.assets = options.assets;
    auto studio = Studio::open(std::move(studio_options));
    if (!studio) return studio.error();
    const std::string& name = options.files.front();
    const Chapter* chapter = studio->chapters().find(name);
    if (!chapter) {
        // `check` reports its mistakes; whatever can be read is drawn.
        (void)studio->use_chapter(name);
        for (const Chapter& one : studio->chapters().chapters)
            if (one.file == name) chapter = &one;
    }
    if (!chapter || !chapter->readable())
        return attn::Error{"there is no such chapter, or no page of it can be read", name, "", 0};
    return Opened{std::move(*studio), *chapter};
}

std::vector<Language> languages_of(const ChapterOptions& options) {
    if (const auto one = find_language(options.language)) return {*one};
    return {Language::English, Language::Chinese};
}

/// Draws one PNG per page: 01-a-table-en.png …
Exit preview(const ChapterOptions& options, Streams& streams) {
    const auto size = size_of(options.size);
    if (!size) return fail(streams, Exit::Usage, "--size: write width and height in pixels, such as 1280x800");
    std::error_code code;
    std::filesystem::create_directories(options.out, code);
    if (code) return fail(streams, Exit::Failure, options.out + ": " + code.message());
    for (const Language language : languages_of(options)) {
        auto opened = open_chapter(options, language);
        if (!opened) return fail(streams, Exit::BadInput, opened.error());
        const Chapter& chapter = opened->chapter;
        for (int page = 0; page <= static_cast<int>(chapter.pages.size()); ++page) {
            const std::string id = page < static_cast<int>(chapter.pages.size())
                                       ? chapter.pages[static_cast<std::size_t>(page)].id
                                       : "reading";
            if (!options.page.empty() && options.page != id) continue;
            opened->studio.open_page(chapter.id, page);
            const auto picture = opened->studio.picture(*size);
            if (!picture) return fail(streams, Exit::Failure, picture.error());
            const auto bytes = encode_png(*picture);
            if (!bytes) return fail(streams, Exit::Failure, bytes.error());
            const std::string name = fmt::format("{:02}-{}-{}.png", page + 1, id, language_id(language));
            const std::string file = (std::filesystem::path(options.out) / name).string();
            const auto written =
                attn::atomic_write(file, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
            if (!written) return fail(streams, Exit::Failure, written.error());
            say(streams, file);
        }
    }
    return Exit::Ok;
}

Exit write_handout(const ChapterOptions& options, Streams& streams) {
    if (const auto refused = refuse_output(options.out, options.force, options.files.front()))
        return fail(streams, Exit::Usage, *refused);
    const std::vector<Language> languages = languages_of(options);
    if (options.worksheet) {
        ChapterLibrary library = load_chapters(Assets(options.assets));
        const auto found = chapter(library, options.files.front());
        if (!found) return fail(streams, Exit::BadInput, found.error());
        const auto html = worksheet_paper(**found, languages);
        if (!html) return fail(streams, Exit::BadInput, html.error());
        return write_output(streams, options.out, *html, Content::Text);
    }
    auto opened = open_chapter(options, languages.front());
    if (!opened) return fail(streams, Exit::BadInput, opened.error());
    const auto html = handout(opened->studio, opened->chapter, languages, options.answers);
    if (!html) return fail(streams, Exit::Failure, html.error());
    return write_output(streams, options.out, *html, Content::Text);
}

/// Writes a lesson plan or a quiz on paper: for all chapters, or for those of a lesson.
Exit write_for_class(const ChapterOptions& options, Streams& streams) {
    const bool plan = options.action == "plan";
    if (!options.files.empty() || (plan && (options.out.empty() || !options.route)))
        return fail(streams, Exit::Usage,
                    plan ? "name the lesson and the file: attenscope chapter plan --route 45 -o plan.html"
                         : "it asks of all chapters: name none, or a lesson: attenscope chapter quiz --route 45");
    if (const auto refused = refuse_output(options.out, options.force, "")) return fail(streams, Exit::Usage, *refused);
    const ChapterLibrary library = load_chapters(Assets(options.assets));
    const CourseRoute* route = options.route ? route_of(*options.route, library, streams) : nullptr;
    if (options.route && !route) return Exit::Usage;
    const std::vector<Language> languages = languages_of(options);
    if (plan) return write_output(streams, options.out, lesson_plan(*route, library, languages), Content::Text);
    const CourseWalk quiz = quiz_of(library, static_cast<std::uint64_t>(number_of(options.seed).value_or(1)), route);
    if (options.out.empty()) return ask_quiz(streams, quiz, library, languages.front());
    StudioOptions studio_options;
    studio_options.language = languages.front();
    studio_options.theme = options.theme;
    studio_options.assets = options.assets;
    auto studio = Studio::open(std::move(studio_options));
    if (!studio) return fail(streams, Exit::Failure, studio.error());
    const auto html = quiz_paper(*studio, quiz, languages);
    if (!html) return fail(streams, Exit::Failure, html.error());
    return write_output(streams, options.out, *html, Content::Text);
}

Exit run_chapter(const ChapterOptions& options, Streams& streams) {
    if (options.answers && options.action != "handout") return fail(streams, Exit::Usage, "--answers belongs to handout");
    if (options.worksheet && options.action != "handout") return fail(streams, Exit::Usage, "--worksheet belongs to handout");
    if (options.answers && options.worksheet) return fail(streams, Exit::Usage, "--worksheet has its answers on the last sheet: leave --answers out");
    if (options.action == "plan" || options.action == "quiz") return write_for_class(options, streams);
    if (options.action == "preview" || options.action == "handout") {
        if (options.files.size() != 1 || options.out.empty())
            return fail(streams, Exit::Usage,
                        "name one chapter and where it goes: attenscope chapter " + options.action + " FILE -o OUT");
        return options.action == "preview" ? preview(options, streams) : write_handout(options, streams);
    }
    if (options.action == "new") return new_chapter(options, streams);
    ChapterLibrary library = load_chapters(Assets(options.assets));
    if (library.chapters.empty() && options.files.empty() && !library.problems.empty())
        return fail(streams, Exit::BadInput, library.problems.front().text());
    if (options.route && options.action != "list") return fail(streams, Exit::Usage, "--route belongs to list, plan and quiz");
    if (options.action == "list")
        return options.route ? list_route(*options.route, library, streams) : list_chapters(library, streams);
    if (options.action == "facts") return list_facts(library, streams);
    return check_chapters(options, library, streams);
}

Runner declare_chapter(Parser& parser) {
    const auto options = std::make_shared<ChapterOptions>();
    parser.add({.name = "ACTION",
                .help = "list, new, check, preview, handout, plan, quiz or facts.",
                .choices = {"list", "new", "check", "preview", "handout", "plan", "quiz", "facts"},
                .required = true},
               options->action);
    parser.add({.name = "FILE",
                .help = "Chapters: files, or ids of the program's own; check without one checks all of these."},
               options->files);
    parser.add({.name = "-o,--output",
                .value = "OUT",
                .help = "The folder for the pictures, made if it is missing, or the file of the handout, plan or quiz."},
               options->out);
    declare_force(parser, options->force);
    parser.add({.name = "--language",
                .value = "LANGUAGE",
                .help = "preview, handout, plan, quiz: en or zh; without it both, on the terminal en.",
                .choices = {"en", "zh"}},
               options->language);
    parser.add({.name = "--theme",
                .value = "THEME",
                .help = "preview, handout: light, dark or projector.",
                .choices = ids_of(themes())},
               options->theme);
    parser.add({.name = "--size", .value = "WxH", .help = "preview: width and height; 1280x800 without it."},
               options->size);
    parser.add({.name = "--page", .value = "ID", .help = "preview: this page only."}, options->page);
    parser.add({.name = "--route",
                .value = "MINUTES",
                .help = "list, plan: a lesson of 15, 45 or 90 minutes. quiz: of its chapters only.",
                .check = whole_between(1, 600)},
               options->route);
    parser.add({.name = "--seed", .value = "SEED", .help = "quiz: chooses the ten questions; 1 without it.", .check = whole_between(1, 1000000)},
               options->seed);
    parser.add({.name = "--worksheet", .help = "handout: tables with empty cells to compute by hand, the answers on the last sheet."}, options->worksheet);
    parser.add({.name = "--answers", .help = "handout: a key at the end, with the answer to each question."}, options->answers);
    parser.add({.name = "--assets",
                .value = "DIR",
                .help = "Reads the program's chapters from this folder, not from the program."},
               options->assets);
    return [options](Streams& streams) { return run_chapter(*options, streams); };
}

}  // namespace

const Command kChapterCommand = {
    {
        .name = "chapter",
        .summary = "lists, begins, checks and draws chapters",
        .synopsis = R"( attenscope chapter list [--route MINUTES]
 attenscope chapter new FILE
 attenscope chapter check [FILE...]
 attenscope chapter preview [OPTIONS] FILE -o FOLDER
 attenscope chapter handout [OPTIONS] FILE -o chapter.html
 attenscope chapter plan --route MINUTES -o plan.html
 attenscope chapter quiz [--seed SEED] [-o quiz.html]
 attenscope chapter facts)",
        .description =
            R"(A chapter is one TOML file with both languages in it and no code: assets/chapters/README.md describes it whole.

list prints all chapters and their pages; with --route the pages of a lesson, in its order. new writes a chapter that works, to write over. check tries everything that a chapter promises, in both languages: that it can be read, that every field, step, screen, link and source is there, that every number has a value, that every task can be done and every question marked; and that the page keeps the rules of its house: no answer stands in its own words or picture, “stays the same” is the answer to one guess in three at most, what it chooses of the view ends with it, a sentence names the cell that is pinned, a number in a link is that of its cell, and what is called a translation is in the list of pairs. Each mistake is a line "FILE:LINE:COLUMN: where: what", and the status is 3. preview draws each page as it is when its motion is over. handout writes one HTML file with the pictures, the words, the tasks and the questions in it, for a browser or a printer; with --answers a key at its end, computed like the numbers in it; with --worksheet, instead, the chapter's small matrices with empty cells and the answers on the last sheet. plan writes the plan of a lesson: minutes, what to say, ask and do on each page, and the answers. quiz asks ten questions on the terminal and counts the answers: type a letter, letters in order or a number, and an empty line where you do not know; with --output it writes them with their pictures and the key. The window asks the same ones. facts prints every claim with its source.)",
        .examples = R"( attenscope chapter list
 attenscope chapter list --route 45
 attenscope chapter plan --route 45 -o plan.html
 attenscope chapter new my-chapter.toml
 attenscope chapter check my-chapter.toml
 attenscope chapter preview my-chapter.toml -o pages)",
    },
    declare_chapter,
};

}  // namespace app
