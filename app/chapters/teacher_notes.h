#pragma once
// A teacher's notes for the page that the class sees: its notes, the answer to its question, and what comes next.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/state/derived.h"
#include "app/state/state.h"

namespace app {

struct TeacherNotes {
    std::string place;                   ///< "Many heads · page 3 of 14"
    std::string title;                   ///< of the page
    std::string shown;                   ///< "On the wall: 2 of 4 paragraphs"; empty: not presenting
    std::vector<std::string> notes;      ///< paragraphs, with computed numbers
    std::string question, answer;        ///< computed for what is on the screen; empty: the page has no question
    std::string next;                    ///< the next page's title
    std::vector<std::string> next_says;  ///< the next page's paragraphs, with the numbers of its own document

    bool operator==(const TeacherNotes&) const = default;
};

/// The key to a question in its context: the right answer, and how it was measured, one line each.
std::string key_of(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context);

/// Prose without its markup: one line for each paragraph, list item or formula.
std::vector<std::string> lines_of(const Prose& prose);
/// Everything is empty if no chapter is open. Runs the next page's document, which is small.
TeacherNotes teacher_notes(const AppState& state, const Derived& derived);

/// The notes as lines for a terminal; without a chapter, one line that says how to open one.
std::string text_of(const TeacherNotes& notes, Language language);

/// Keeps a terminal's output up to date with the window; prints only when something has changed.
class NotesTerminal {
public:
    /// `wipes`: each page replaces the previous one, as on a terminal; else they follow each other, as in a file.
    NotesTerminal(std::ostream& out, bool wipes) : out_(out), wipes_(wipes) {}
    void follow(const AppState& state, const Derived& derived);

private:
    struct Seen {
        unsigned revision = 0;
        int page = 0, shown = 0;
        bool presenting = false;
        Language language{};
        bool operator==(const Seen&) const = default;
    };
    std::ostream& out_;
    bool wipes_;
    std::optional<Seen> seen_;
    std::string printed_;
};

}  // namespace app
