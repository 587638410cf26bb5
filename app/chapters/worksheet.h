#pragma once
// The parts of a chapter that can be computed by hand, as tables with empty cells. The engine computes every number.

#include <string>
#include <vector>

#include "app/chapters/format/chapter.h"

namespace app {

struct SheetTable {
    std::string title;                            ///< the program's name for the matrix
    std::vector<std::string> rows, cols;          ///< tokens, dimensions
    std::vector<std::vector<std::string>> cells;  ///< as the page shows them: integers if all are
};

/// A row, or a small matrix, to fill in.
struct SheetTask {
    std::string page;                ///< the title of its page
    std::string says;                ///< the operation, such as "every query with every key"
    std::vector<SheetTable> given;   ///< the operands
    SheetTable made;                 ///< the result, with the answers
};

/// One task for each page whose step is a product, a sum or a softmax of matrices small enough for paper; each
/// computation once.
std::vector<SheetTask> worksheet(const Chapter& chapter, Language language);

}  // namespace app
