#pragma once
// A chapter's expression, parsed once: a tree that can be evaluated on any computation. Parsing runs nothing.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/format/expression_parts.h"

namespace app {

/// Nodes are stored in one list and refer to each other by index, so that neither evaluating nor destroying a long sum
/// recurses once per term.
struct ExpressionNode {
    enum class Kind : std::uint8_t {
        Literal,  ///< `value`
        Any,      ///< or of `parts`
        All,      ///< and of `parts`
        Not,
        Compare,  ///< `word`: the sign
        Chain,    ///< parts joined by signs, left to right: one sign per part, the first one unused
        End,      ///< the number of positions of the surrounding index
        Value,    ///< `word`: the name of a value
        Step,     ///< `word`: the step's name; `row` and `column`, if given
        Call,     ///< `function` of `parts`
        With,     ///< `fields` and `parts`: first the fields' values, last the expression for the other run
    } kind = Kind::Literal;
    std::string word;
    std::string signs;
    std::vector<int> parts;
    std::vector<std::string> fields;
    int row = -1, column = -1;  ///< for Step: node indices; −1: not given
    ChapterValue value;
    const ChapterFunction* function = nullptr;
    std::size_t begin = 0, end = 0;  ///< position in the text
};

struct ExpressionTree {
    std::string text;
    std::string error;  ///< empty: the expression is valid
    std::vector<ExpressionNode> nodes;
    int root = -1;
};

ExpressionTree parse_expression(std::string_view text);
/// `readings`: how the value was computed; may be null. Error: the expression is wrong.
attn::Result<ChapterValue> evaluate(const ExpressionTree& tree, const ChapterContext& context,
                                   std::vector<Reading>* readings = nullptr);

/// The expressions of one chapter, each parsed on first use and cached; and the latest runs with other fields that they
/// requested. For one thread.
class ExpressionMemo {
public:
    const ExpressionTree& tree(std::string_view text);
    /// The run of a document; null: it has none. Cached until a few others were requested.
    std::shared_ptr<const attn::Run> run(const attn::Document& document);
    int trees_read() const { return trees_read_; }
    int runs_made() const { return runs_made_; }

private:
    static constexpr std::size_t kMostTrees = 4096, kMostRuns = 8;
    struct OtherRun {
        attn::Document document;
        std::shared_ptr<const attn::Run> run;
    };
    std::vector<std::pair<std::string, std::unique_ptr<ExpressionTree>>> trees_;  ///< sorted by text
    std::vector<OtherRun> runs_;                                                  ///< newest last
    int trees_read_ = 0, runs_made_ = 0;
};

}  // namespace app
