#pragma once
// The open chapter: where the learner is in it, what has been answered, what is done.

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

/// The learner's own view settings that a page has changed; restored when the page is left.
struct LentView {
    std::optional<attn::Convention> convention;
    std::optional<bool> shared_scale;
    std::optional<double> speed;
    bool operator==(const LentView&) const = default;
};

struct CourseView {
    std::string chapter;     ///< its id; empty: none is open
    int page = 0;           ///< one past the last page: the further reading
    bool arriving = false;  ///< the page's document is being computed; afterwards the view goes where the page says
    int attempt = 1;        ///< at the page's question
    Answer answer;          ///< as far as it has been given
    bool checked = false;
    PageQuestion question;             ///< the question when it was checked
    Marked marked;                     ///< and the result; the document may have changed since
    int shown = 0;                     ///< paragraphs shown so far when presenting
    std::string term;                  ///< of the glossary, on its own card; empty: none
    std::optional<LitCells> lit;       ///< lit by a link, or by the page itself
    std::string lit_part;              ///< lit part of the formula
    std::optional<attn::Tag> play_to;  ///< the step at which a page's motion ends
    LentView lent;
    std::shared_ptr<const attn::Model> model;  ///< the learner's, where a page may have any language model; null: none
    std::optional<CourseWalk> walk;  ///< a lesson or a quiz: a sequence of pages

    bool open() const { return !chapter.empty(); }
    bool operator==(const CourseView&) const = default;
};

/// What has been done on a page.
struct PageDone {
    std::string chapter, page;
    bool seen = false, task = false, right = false;
    bool operator==(const PageDone&) const = default;
};
struct ChapterProgress {
    std::vector<PageDone> pages;
    std::string chapter;  ///< the learner's last chapter
    std::string page;
    /// The lesson or the quiz that is walked, by its minutes or its seed; its pages are looked up (restored_walk).
    std::optional<CourseWalk> walk = {};

    const PageDone* find(std::string_view in_chapter, std::string_view of_page) const;
    PageDone& at(std::string_view in_chapter, std::string_view of_page);
    bool operator==(const ChapterProgress&) const = default;
};
std::string progress_to_json(const ChapterProgress& progress);
/// What cannot be understood is left out: only progress is lost.
ChapterProgress progress_from_json(std::string_view bytes);
/// Marks pages that have moved to another chapter (Chapter::was) as done there.
void follow_moved_pages(ChapterProgress& progress, const ChapterLibrary& library);

// Actions.

/// Opening a page is an edit: the document becomes the page's.
struct OpenPage {
    std::string chapter;
    int page = 0;
};
struct TurnPage {
    int pages = 1;
};
/// Begins a lesson or a quiz with its first page. Opening a page from a list ends it; following a link does not.
struct BeginWalk {
    CourseWalk walk;
};
struct CloseChapter {};
/// Resets the document and the view to the page's.
struct OwnNumbers {};
/// The page's document is computed: goes to the step, screen and cell that the page names.
struct Arrive {};
struct GiveAnswer {
    Answer answer;
    bool check = false;
};
struct TryAgain {};
/// Does the task for the learner.
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
/// The open page's own document at this attempt.
attn::Document own_document(const AppState& state);
/// Keeps the fields that the page locks. True: one had been changed.
bool keep_locked(const AppState& state, attn::Document& document);

}  // namespace app
