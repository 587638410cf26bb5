#pragma once
// What a teacher reads while the class looks at a page: its notes, the answer to its question, and what comes next.

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
    std::string shown;                   ///< "On the wall: 2 of 4 paragraphs"; empty: not before a room
    std::vector<std::string> notes;      ///< paragraphs, their numbers computed
    std::string question, answer;        ///< computed on what is on the screen; empty: the page asks nothing
    std::string next;                    ///< the next page's title
    std::vector<std::string> next_says;  ///< its paragraphs, with the numbers of its own document

    bool operator==(const TeacherNotes&) const = default;
};

/// The key to a question on the context that it was made on: what is right, and how it was measured, a line each.
std::string key_of(const ChapterAsk& ask, const Asked& asked, const ChapterContext& context);

/// Words without their marks: a line a paragraph, an item or a formula.
std::vector<std::string> lines_of(const Prose& prose);

/// Without a chapter that is open everything is empty. Runs the next page's document, which is small.
TeacherNotes teacher_notes(const AppState& state, const Derived& derived);

/// The notes as lines for a terminal; without a chapter one line that says how to open one.
std::string text_of(const TeacherNotes& notes, Language language);

/// Keeps what a terminal shows in step with the window. Nothing is made while nothing turned.
class NotesTerminal {
public:
    /// `wipes`: each page replaces the one before, as on a terminal; else they follow one another, as in a file.
    NotesTerminal(std::ostream& out, bool wipes) : out_(out), wipes_(wipes) {}
    void follow(const AppState& state, const Derived& derived);

private:
    struct Seen {
        unsigned revision = 0;
        int page = 0, shown = 0;
        bool room = false;
        Language language{};
        bool operator==(const Seen&) const = default;
    };
    std::ostream& out_;
    bool wipes_;
    std::optional<Seen> seen_;
    std::string told_;
};

}  // namespace app
