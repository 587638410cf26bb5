#pragma once
// Checks a chapter page by page, in both languages. What pages say and show is checked in check.cpp, tasks and
// questions in check_tasks.cpp.

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/chapters/check.h"
#include "app/chapters/format/question.h"
#include "app/screens/training/page.h"
#include "app/screens/training/training.h"

namespace app {

class ChapterChecker {
public:
    ChapterChecker(const Chapter& chapter, const ChapterLibrary& library, ChapterRules rules)
        : chapter_(chapter), library_(library), rules_(rules) {}

    void house_rules();
    void check();
    std::vector<ChapterProblem> take() { return std::move(problems_); }

private:
    void say(ChapterPlace place, std::string key, std::string message);
    /// Reports a problem of the current page.
    void page_says(ChapterPlace place, std::string_view key, std::string message);

    /// Checks that do not depend on a document.
    void names(const ChapterPage& page);
    /// The view fields that a page sets are restored when it is left; any other key would persist, and is reported.
    void own_view(const std::string& chosen);
    void own_training(const TrainingLook& look);
    void ask_names(const ChapterAsk& ask);
    void on_document(const ChapterPage& page, Language language);
    void need_step(std::string_view key, const std::string& name, const ChapterContext& context, ChapterPlace place = {});
    void need_cell(std::string_view key, const CellSpot& spot, const std::string& step, const ChapterContext& context);
    void need_index(std::string_view key, const std::string& expression, int count, const ChapterContext& context,
                    ChapterPlace place);
    void view_of(const ChapterPage& page, const ChapterContext& context);
    void value(const std::string& expression, const ChapterContext& context, std::string_view key);
    void condition(const std::string& expression, const ChapterContext& context, std::string_view key, ChapterPlace place);
    void prose(const Prose& text, const ChapterContext& context, std::string_view key);
    void target(const std::string& text, const ChapterContext& context, std::string_view key);
    bool all_hold(const std::vector<std::string>& until, const ChapterContext& context);
    /// Whether the conditions hold after doing it, on the document and in the view.
    bool done_by(const ChapterDo& how, const std::vector<std::string>& until, const ChapterContext& context);
    void task(const ChapterTask& task, const ChapterContext& context);
    void question(const ChapterAsk& ask, const ChapterContext& page);
    void try_question(const ChapterAsk& ask, const ChapterContext& context, int attempt);
    /// A page's training does not depend on the language, and several pages share one: each is run only once.
    const std::optional<TrainedNow>& trained(const TrainingLook& look);
    static bool use_settings_text(attn::Document& document, std::string_view text, std::string* problem);

    /// The number of questions whether something rises or falls, and of those with the answer "stays the same".
    struct Guesses {
        int questions = 0, same = 0;
        ChapterPlace place;
    };

    const Chapter& chapter_;
    const ChapterLibrary& library_;
    const ChapterRules rules_;
    std::array<Guesses, kLanguageCount> guesses_;
    std::set<std::pair<Language, std::string>> said_untrained_;  ///< forms whose numbers a page has stated to be untrained
    const ChapterPage* page_ = nullptr;
    std::array<std::vector<std::string>, kLanguageCount> tokens_;  ///< of the page's text, in the languages checked so far
    Language language_ = Language::English;
    std::vector<ChapterProblem> problems_;
    std::vector<std::pair<TrainingLook, std::optional<TrainedNow>>> trained_;
};

}  // namespace app
