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

/// Checks the rules that need one page with its own document. `question`: its question at the first attempt; null if it
/// has none.
std::vector<RuleBroken> broken_rules(const ChapterPage& page, const ChapterContext& context, const PageQuestion* question);

/// Reports texts that the page calls translations of each other, in either language, but that are not in the list of
/// pairs. None: no problem, or the page has only one text.
std::optional<RuleBroken> unlisted_translation(const ChapterPage& page, const ChapterContext& context,
                                               const std::vector<TextPair>& pairs);

/// For a page whose document has another text in each language and that refers to a row by its number: if the English token
/// in this row is one word of a pair, and the other word is in another row of the Chinese text, the number means another
/// token there. `tokens`: those of both texts. None: every such number means the same word in both.
std::optional<RuleBroken> number_of_another_token(const ChapterPage& page, const std::array<std::vector<std::string>, kLanguageCount>& tokens,
                                                  const std::vector<TextPair>& pairs);
/// Rules for the words of the program's own pages:
/// a link with a chapter's number leads to that chapter, and every number that is mentioned belongs to a chapter;
/// whatever is announced for later has a link to it;
/// a page does not mention "this program", which changes while the page stays the same: it says "here", or names a screen;
/// claims that are often too broad (that this is all, what one step of a chain does, which words ask in a picture) state their limits;
/// a question about the weights of one layer of several names the layer, since another layer may attend elsewhere.
std::vector<RuleBroken> broken_words(const ChapterPage& page, const ChapterContext& context, const ChapterLibrary& library);

/// From chapter 5 on, and in the appendices, numbers come from trained weights, or the page states that they do not.
/// True: this page's weights are not trained. `says_so`: it states this.
bool is_untrained(const Chapter& chapter, const ChapterPage& page, const ChapterContext& context, bool& says_so);

/// How many of this many questions whether something rises or falls may have the answer “stays the same”.
constexpr int most_same(int questions) { return questions / 3; }

/// Keys of a page's `view` that are reset with the page. Any other would persist when it is left.
std::span<const std::string_view> page_view_keys();

}  // namespace app
