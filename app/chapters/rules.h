#pragma once
// What the words, the picture and the question of a page owe each other: an answer is not told before it is asked for, a
// pinned cell is one that a sentence names, a number in a sentence is that of the cell it speaks of.

#include <array>
#include <string>
#include <vector>

#include "app/chapters/format/library.h"
#include "app/chapters/format/question.h"

namespace app {

struct RuleBroken {
    std::string key;  ///< of the page: "ask", "pin", "light", "en"
    std::string message;
};

/// The rules that need one page on its own document. `asked`: its question at the first try; null: it has none.
std::vector<RuleBroken> broken_rules(const ChapterPage& page, const ChapterContext& context, const Asked* asked);

/// Called translations of each other by the page, in either language, and not in the list of pairs. None: all is well,
/// or the page looks at one text only.
std::optional<RuleBroken> unlisted_translation(const ChapterPage& page, const ChapterContext& context,
                                               const std::vector<TextPair>& pairs);

/// A page whose text differs between the languages and that says a row by its number in both: where the English token there is
/// one word of a pair, and the other word stands elsewhere in the Chinese text, the number names something else there.
/// `tokens`: of both texts. None: every such number follows its token.
std::optional<RuleBroken> number_of_another_token(const ChapterPage& page, const std::array<std::vector<std::string>, kLanguageCount>& tokens,
                                                  const std::vector<TextPair>& pairs);

/// Questions whether something rises or falls: in how many the answer may be “stays the same”.
constexpr int most_same(int questions) { return questions / 3; }

/// Keys of a page's `view` that end with the page. Any other would stay when it is left.
std::span<const std::string_view> page_view_keys();

}  // namespace app
