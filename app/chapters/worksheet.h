#pragma once
// What of a chapter can be computed by hand, as tables with empty cells. Every number is the engine's.

#include <optional>
#include <string>
#include <vector>

#include "app/chapters/format/chapter.h"

namespace app {

struct SheetTable {
    std::string title;                            ///< what the program calls the matrix
    std::vector<std::string> rows, cols;          ///< tokens, dimensions
    std::vector<std::vector<std::string>> cells;  ///< as the page shows them: integers where all are
};

/// A row, or a small matrix, to be filled in.
struct SheetTask {
    std::string page;                ///< the title of the page that it belongs to
    std::string says;                ///< what is done there, such as "every query with every key"
    std::vector<SheetTable> given;   ///< what it is computed from
    /// Of a softmax, with cells to fill in as well: 100 · e^(s − the row's largest), in whole numbers, and their sum. A share is
    /// then a division of two of them.
    std::optional<SheetTable> halfway;
    SheetTable made;                 ///< with the answers
};

/// One a page whose step is a product, a sum or a softmax, of matrices small enough for paper; each computation once.
std::vector<SheetTask> worksheet(const Chapter& chapter, Language language);

}  // namespace app
