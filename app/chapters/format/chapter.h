#pragma once
// A chapter as plain data, read from one TOML file (assets/chapters/README.md is the reference of the format).

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/format/prose.h"
#include "app/chapters/format/toml.h"
#include "app/content/strings.h"

namespace app {

using LocalText = std::array<std::string, kLanguageCount>;
using LocalProse = std::array<Prose, kLanguageCount>;
template <class T>
const T& in(const std::array<T, kLanguageCount>& both, Language language) {
    return both[static_cast<std::size_t>(language)];
}

/// A position in the file.
struct ChapterPlace {
    int line = 0, column = 0;
};

/// A field of the document and its value, as set_field() takes it; it may differ between the languages.
struct FieldSetting {
    std::string field;
    LocalText value;
    ChapterPlace place;
};
using FieldSettings = std::vector<FieldSetting>;

/// A cell, by the name of its step and two expressions.
struct CellSpot {
    std::string step, row = "1", column = "1";
    ChapterPlace place;
};

/// Actions: what a page does when it is opened, or a task's solution.
struct ChapterDo {
    FieldSettings set;
    std::optional<CellSpot> pin;
    std::string show;    ///< a step; empty: unchanged
    std::string screen;  ///< "experiments scaling"; empty: unchanged
    LocalText view;      ///< JSON with keys of last-view.json and settings.json; empty: none
    struct NumberTyped {
        CellSpot cell;
        double value = 0;
    };
    std::optional<NumberTyped> edit;
    ChapterPlace place;
};

struct ChapterTask {
    LocalProse say;
    std::vector<std::string> until;
    ChapterDo how;
    ChapterPlace place;
};

/// An option to choose from: a change with its name, or a sentence with the condition that makes it right.
struct AskOption {
    LocalProse say;
    FieldSettings set;
    std::string right;
    ChapterPlace place;
};

struct ChapterAsk {
    std::string kind;
    LocalProse say;  ///< empty: the kind's own sentence
    LocalProse because;
    std::string step, row, column;  ///< rows and columns are expressions
    std::string of;                 ///< an expression
    double tolerance = 0.01;
    int count = 3;
    std::vector<std::string> choices;  ///< ids of masks
    std::vector<AskOption> options;    ///< for choice and which_change
    FieldSettings change;              ///< for predict_sign
    std::vector<std::string> until;    ///< for drag_vector
    ChapterDo how;
    std::vector<std::string> fresh;
    std::array<std::vector<std::string>, kLanguageCount> texts;
    std::string reveal;
    ChapterPlace place;
};

struct ChapterPage {
    std::string id;
    LocalText title;
    LocalProse say;
    /// How many parts of the course's sentence are lit above it; below 0: the sentence is not shown.
    int sentence = -1;
    ChapterDo enter;
    std::string play_from, play_to;  ///< empty: nothing plays
    std::string light;               ///< a target, as in links
    std::vector<std::string> hide, lock;
    std::optional<ChapterTask> task;
    std::optional<ChapterAsk> ask;
    LocalProse notes;
    bool closing = false;
    bool any_model = false;  ///< a language model opened from a folder replaces the page's own model
    ChapterPlace place;

    bool hides(std::string_view panel) const;
    bool locks(std::string_view field) const;
};

struct ChapterSource {
    std::string id, text, url;
    LocalProse read;  ///< empty: cited only
    ChapterPlace place;
};

struct ChapterTerm {
    std::string id;
    LocalText name;
    LocalProse says;
    std::vector<std::string> see;
    ChapterPlace place;
};

/// The parts of the course's central sentence (Str::course_sentence).
inline constexpr int kSentenceParts = 5;

class ExpressionMemo;

struct Chapter {
    std::string id;
    std::string was;   ///< the chapter that formerly contained its pages; progress there counts here
    std::string file;  ///< where it was read from
    bool own = false;  ///< the user's, not the program's
    LocalText title, summary;
    int minutes = 10;
    FieldSettings start;
    std::vector<ChapterSource> sources;
    std::vector<ChapterTerm> terms;
    std::vector<ChapterPage> pages;  ///< including the closing questions at the end
    std::vector<ChapterProblem> problems;
    /// Its expressions, each parsed once, and the runs with other fields that they requested.
    std::shared_ptr<ExpressionMemo> memo = {};

    const ChapterSource* source(std::string_view source_id) const;
    /// −1 if there is none.
    int page_index(std::string_view page_id) const;
    bool readable() const { return !pages.empty(); }
};

/// All texts of its pages, terms and further reading in one language, concatenated.
std::string words_of(const Chapter& chapter, Language language);

/// Never fails: errors are in `problems`, and everything that could be read is there. `terms`: the glossary, whose
/// terms may be named.
Chapter parse_chapter(std::string_view toml, std::string_view file, const std::vector<ChapterTerm>& terms);
/// A way through the course for a lesson of `minutes`: pages of several chapters, each as "chapter/page".
struct CourseRoute {
    int minutes = 0;
    LocalText title;
    std::vector<std::string> pages;
    ChapterPlace place;
};
/// Reads the [[route]] tables, each with minutes, title and pages.
std::vector<CourseRoute> parse_routes(std::string_view toml, std::string_view file, std::vector<ChapterProblem>& problems);
/// Reads the [[pair]] tables, each with texts = ["…", "…"].
std::vector<std::array<std::string, 2>> parse_pairs(std::string_view toml, std::string_view file,
                                                    std::vector<ChapterProblem>& problems);
std::vector<ChapterTerm> parse_glossary(std::string_view toml, std::string_view file,
                                       std::vector<ChapterProblem>& problems);

}  // namespace app
