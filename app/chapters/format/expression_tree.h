#pragma once
// An expression of a chapter, read once: a tree that is evaluated on any computation. Reading runs nothing.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/format/expression_parts.h"

namespace app {

/// Nodes stand in one list and name each other by their place, so neither evaluating a long sum nor throwing it away
/// calls itself once a term.
struct ExpressionNode {
    enum class Kind : std::uint8_t {
        Literal,  ///< value
        Any,      ///< or of its parts
        All,      ///< and of its parts
        Not,
        Compare,  ///< word: the sign
        Chain,    ///< parts joined from the left by signs: one sign for each part, the first unread
        End,      ///< how many places the index around it has
        Value,    ///< word: a name with a value
        Step,     ///< word: the step's name; row and column, where they are given
        Call,     ///< function of its parts
        With,     ///< fields and parts: the values first, the last is what is asked of the other run
    } kind = Kind::Literal;
    std::string word;
    std::string signs;
    std::vector<int> parts;
    std::vector<std::string> fields;
    int row = -1, column = -1;  ///< of Step: nodes; −1: not said
    ChapterValue value;
    const ChapterFunction* function = nullptr;
    std::size_t begin = 0, end = 0;  ///< in the text
};

struct ExpressionTree {
    std::string text;
    std::string error;  ///< empty: it is written rightly
    std::vector<ExpressionNode> nodes;
    int root = -1;
};

ExpressionTree parse_expression(std::string_view text);
/// `readings`: how it comes to its value; may be null. Error: the expression is wrong.
attn::Result<ChapterValue> evaluate(const ExpressionTree& tree, const ChapterContext& context,
                                   std::vector<Reading>* readings = nullptr);

/// The expressions of one chapter, each read when it is first asked for and kept; and the last runs with other fields
/// that they asked for. For one thread.
class ExpressionMemo {
public:
    const ExpressionTree& tree(std::string_view text);
    /// The run of a document; null: it has none. Kept until a few others were asked for.
    std::shared_ptr<const attn::Run> run(const attn::Document& document);
    int trees_read() const { return trees_read_; }
    int runs_made() const { return runs_made_; }

private:
    static constexpr std::size_t kMostTrees = 4096, kMostRuns = 8;
    struct OtherRun {
        attn::Document document;
        std::shared_ptr<const attn::Run> run;
    };
    std::vector<std::pair<std::string, std::unique_ptr<ExpressionTree>>> trees_;  ///< by text, in order
    std::vector<OtherRun> runs_;                                                  ///< the newest last
    int trees_read_ = 0, runs_made_ = 0;
};

}  // namespace app
