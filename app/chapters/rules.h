#pragma once
// Rules for how a page's text, picture and question fit together: an answer is not given away before the question, a
// pinned cell is named in a sentence, a number in a sentence is that of the cell that it describes.

#include <array>
#include <string>
#include <vector>

#include "app/chapters/format/library.h"
#include "app/chapters/format/question.h"

namespace app {

struct RuleBroken {
    std::string key;  ///< the page's key: "ask", "pin", "light", "en"
    std::string message;
};

/// Checks the rules that need one page with its own document. `question`: its question at the first attempt; null: it has
/// none.
std::vector<RuleBroken> broken_rules(const ChapterPage& page, const ChapterContext& context, const PageQuestion* question);

/// Reports texts that the page calls translations of each other, in either language, but that are not in the list of
/// pairs. None: no problem, or the page has only one text.
std::optional<RuleBroken> unlisted_translation(const ChapterPage& page, const ChapterContext& context,
                                               const std::vector<TextPair>& pairs);

/// A page whose text differs between the languages and that names a row by its number in both: if the English token there is
/// one word of a pair, and the other word is elsewhere in the Chinese text, the number names another token there.
/// `tokens`: those of both texts. None: every such number names the same word in both.
std::optional<RuleBroken> number_of_another_token(const ChapterPage& page, const std::array<std::vector<std::string>, kLanguageCount>& tokens,
                                                  const std::vector<TextPair>& pairs);
/// Rules for the words of the program's own pages:
/// a link that says a chapter's number leads to that chapter, and there is a chapter of every number that is said;
/// what is promised for later has a link to it;
/// nothing is said of "this program", which changes while the page stays: the page says "here", or names a screen;
/// what is known to be said too widely (that this is all, what one step of a chain does, who asks in a picture) is said with its limits;
/// a question about the weights of one layer of several names the layer, since another layer may look elsewhere.
std::vector<RuleBroken> broken_words(const ChapterPage& page, const ChapterContext& context, const ChapterLibrary& library);

/// From chapter 5 on and in the appendices numbers are trained, or the page says that they are not.
/// True: this page's numbers are not trained; `says_so`: and it says so.
bool is_untrained(const Chapter& chapter, const ChapterPage& page, const ChapterContext& context, bool& says_so);

/// Of this many questions whether something rises or falls, how many may have the answer “stays the same”.
constexpr int most_same(int questions) { return questions / 3; }

/// Keys of a page's `view` that are reset with the page. Any other would persist when it is left.
std::span<const std::string_view> page_view_keys();

}  // namespace app
