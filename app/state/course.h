#pragma once
// A chapter that is open: where the learner is in it, what has been answered, what is done, and what can be done with it.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/chapters/format/library.h"
#include "app/chapters/format/question.h"
#include "app/chapters/format/target.h"
#include "app/chapters/format/walk.h"

namespace app {

/// What a page has changed of how the learner looks, as it was before: given back when the page is left.
struct LentView {
    std::optional<attn::Convention> convention;
    std::optional<bool> shared_scale;
    std::optional<double> speed;
    bool operator==(const LentView&) const = default;
};

struct CourseView {
    std::string chapter;     ///< its id; empty: none is open
    int page = 0;           ///< one past the last: what to read
    bool arriving = false;  ///< the page's document is being computed; the view goes where the page says after that
    int attempt = 1;        ///< of the page's question
    Answer answer;          ///< as far as it is given
    bool checked = false;
    Asked asked;                       ///< as it was when it was checked
    Marked marked;                     ///< and what came of it: the document may be another one since
    int shown = 0;                     ///< paragraphs that are there before a room
    std::string term;                  ///< of the glossary, on a card of its own; empty: none
    std::optional<LitCells> lit;       ///< by a link, or by the page itself
    std::string lit_part;              ///< of the formula
    std::optional<attn::Tag> play_to;  ///< the motion that a page plays ends with this step
    LentView lent;
    std::optional<CourseWalk> walk;  ///< a lesson or a quiz: its pages follow one another

    bool open() const { return !chapter.empty(); }
    bool operator==(const CourseView&) const = default;
};

/// What is done, of one page.
struct PageDone {
    std::string chapter, page;
    bool seen = false, task = false, right = false;
    bool operator==(const PageDone&) const = default;
};
struct ChapterProgress {
    std::vector<PageDone> pages;
    std::string chapter;  ///< where the learner was last
    std::string page;

    const PageDone* find(std::string_view in_chapter, std::string_view of_page) const;
    PageDone& at(std::string_view in_chapter, std::string_view of_page);
    bool operator==(const ChapterProgress&) const = default;
};
std::string progress_to_json(const ChapterProgress& progress);
/// What is not understood is left out: it is only what was done.
ChapterProgress progress_from_json(std::string_view bytes);
/// Pages that are in another chapter now (Chapter::was) are done there.
void follow_moved_pages(ChapterProgress& progress, const ChapterLibrary& library);

// Actions.

/// Entering a page is an edit: the document becomes the page's.
struct OpenPage {
    std::string chapter;
    int page = 0;
};
struct TurnPage {
    int pages = 1;
};
/// A lesson or a quiz, from its first page on. Opening a page from a list ends it; following a link does not.
struct BeginWalk {
    CourseWalk walk;
};
struct CloseChapter {};
/// The page's document and view again, whatever was changed.
struct OwnNumbers {};
/// The page's document is computed: to the step, screen and cell that the page names.
struct Arrive {};
struct GiveAnswer {
    Answer answer;
    bool check = false;
};
struct TryAgain {};
/// The task is done for the learner.
struct ShowHow {};
/// The task's conditions hold.
struct TaskDone {};
struct ForgetProgress {};
struct FollowLink {
    std::string target;
};
using CourseAction = std::variant<OpenPage, TurnPage, BeginWalk, CloseChapter, OwnNumbers, Arrive, GiveAnswer, TryAgain, ShowHow,
                                 TaskDone, ForgetProgress, FollowLink>;

struct AppState;
struct Derived;

/// Done in app/chapters, which builds on the state. True: something of the document or the view changed that the rest must follow.
bool act_on(AppState& state, const CourseAction& action, const Derived& derived);

/// The open chapter and page; null: none, or the page is one past the last.
const Chapter* open_chapter(const AppState& state);
const ChapterPage* open_page(const AppState& state);
/// The open page's own document at this try.
attn::Document own_document(const AppState& state);
/// Fields that the page keeps stay as they are. True: one had been changed.
bool keep_locked(const AppState& state, attn::Document& document);

}  // namespace app
