// A recursive-descent parser; it stops at the first error.
#include "app/chapters/format/expression_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/base/effort.h"
#include "core/document/fields.h"
#include "core/io/nesting.h"

namespace app {
namespace {

using Node = ExpressionNode;

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
/// The first `bytes` bytes, extended to a whole character.
std::string begin_of(std::string_view text, std::size_t bytes) {
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) ++bytes;
    return std::string(text.substr(0, bytes));
}
bool is_figure(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class TreeReader {
public:
    explicit TreeReader(ExpressionTree& tree) : tree_(tree), text_(tree.text) {}

    void all() {
        tree_.root = either();
        skip();
        if (at_ < text_.size()) fail(fmt::format("“{}” does not belong here", near(12)));
    }

private:
    std::string near(std::size_t length) const { return begin_of(text_.substr(at_), length); }
    int fail(std::string message) {
        if (tree_.error.empty()) tree_.error = std::move(message);
        at_ = text_.size();
        return add({});
    }
    int add(Node node) {
        tree_.nodes.push_back(std::move(node));
        return static_cast<int>(tree_.nodes.size()) - 1;
    }
    int add(Node::Kind kind, std::vector<int> parts, std::string word = {}) {
        Node node;
        node.kind = kind;
        node.parts = std::move(parts);
        node.word = std::move(word);
        return add(std::move(node));
    }
    int literal_node(ChapterValue value) {
        Node node;
        node.value = std::move(value);
        return add(std::move(node));
    }
    void skip() {
        attn::count_step();
        for (; at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])); ++at_) attn::count_step();
    }
    bool next(std::string_view sign) {
        skip();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    bool next_word(std::string_view word) {
        skip();
        const std::string_view rest = text_.substr(at_);
        if (!rest.starts_with(word) ||
            (rest.size() > word.size() && (begins_word(rest[word.size()]) || is_figure(rest[word.size()]))))
            return false;
        at_ += word.size();
        return true;
    }
    bool need(std::string_view sign) {
        if (next(sign)) return true;
        fail(fmt::format("“{}” is missing", sign));
        return false;
    }
    int too_deep() { return fail("the expression is nested too deeply"); }

    int either() { return joined("or", Node::Kind::Any, &TreeReader::both); }
    int both() { return joined("and", Node::Kind::All, &TreeReader::denied); }
    int joined(std::string_view word, Node::Kind kind, int (TreeReader::*part)()) {
        std::vector<int> parts = {(this->*part)()};
        while (next_word(word)) parts.push_back((this->*part)());
        return parts.size() == 1 ? parts[0] : add(kind, std::move(parts));
    }
    int denied() {
        if (!next_word("not")) return relation();
        const attn::Nested level(depth_);
        if (level.too_deep()) return too_deep();
        return add(Node::Kind::Not, {denied()});
    }
    int relation() {
        const int left = chain();
        for (const std::string_view op : {"<=", ">=", "!=", "<", ">", "="})
            if (next(op)) return add(Node::Kind::Compare, {left, chain()}, std::string(op));
        return left;
    }
    int chain() {
        return chained([this] { return next("+") ? '+' : next("-") || next("−") ? '-' : '\0'; }, &TreeReader::product);
    }
    int product() {
        return chained([this] { return next("*") ? '*' : next("/") ? '/' : '\0'; }, &TreeReader::signed_value);
    }
    template <class Sign>
    int chained(const Sign& sign, int (TreeReader::*part)()) {
        Node node;
        node.kind = Node::Kind::Chain;
        node.parts.push_back((this->*part)());
        node.signs = "+";
        while (const char one = sign()) {
            node.signs.push_back(one);
            node.parts.push_back((this->*part)());
        }
        return node.parts.size() == 1 ? node.parts[0] : add(std::move(node));
    }
    int binary(char sign, int left, int right) {
        Node node;
        node.kind = Node::Kind::Chain;
        node.parts = {left, right};
        node.signs = {'+', sign};
        return add(std::move(node));
    }
    int signed_value() {
        const attn::Nested level(depth_);
        if (level.too_deep()) return too_deep();
        if (next("-") || next("−")) return binary('-', literal_node(ChapterValue::of(0, true)), signed_value());
        const int base = primary();
        return next("^") ? binary('^', base, signed_value()) : base;
    }
    int primary() {
        skip();
        if (at_ >= text_.size()) return fail("a value is missing");
        if (is_figure(text_[at_]) || text_[at_] == '.') return number();
        if (text_[at_] == '"') return literal_node(ChapterValue::of(quoted()));
        if (next("(")) {
            const int inside = either();
            need(")");
            return inside;
        }
        if (begins_word(text_[at_])) return name();
        return fail(fmt::format("“{}” does not begin a value", near(8)));
    }
    int number() {
        double value = 0;
        const char* begin = text_.data() + at_;
        const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (code != std::errc()) return fail("this is no number");
        const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
        at_ += digits.size();
        return literal_node(ChapterValue::of(value, digits.find_first_of(".eE") == std::string_view::npos));
    }
    std::string quoted() {
        const std::size_t end = text_.find('"', at_ + 1);
        if (end == std::string_view::npos) {
            fail("a text has no second quote");
            return {};
        }
        std::string out(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return out;
    }
    std::string_view identifier() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (begins_word(text_[at_]) || is_figure(text_[at_]) ||
                                      (text_[at_] == '.' && at_ + 1 < text_.size() && begins_word(text_[at_ + 1]))))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }
    int named(Node node, std::size_t begin) {
        node.begin = begin;
        node.end = at_;
        while (node.end > begin && text_[node.end - 1] == ' ') --node.end;
        return add(std::move(node));
    }
    int name() {
        const std::size_t begin = at_;
        const std::string_view id = identifier();
        if (next("(")) return named(id == "with" ? other_run() : call(id), begin);
        Node node;
        node.word = std::string(id);
        if (id == "end" && indices_ > 0) {
            node.kind = Node::Kind::End;
            return add(std::move(node));
        }
        // "weights" and "penalty" are also fields: here they mean the steps; field("weights") reads the field.
        if (!is_step_name(id)) {
            if (!is_value_name(id))
                return fail(fmt::format("there is no step, field or function “{}”", begin_of(id, 40)));
            node.kind = Node::Kind::Value;
            return named(std::move(node), begin);
        }
        node.kind = Node::Kind::Step;
        if (next("[")) {
            ++indices_;
            if (!next(",")) {
                node.row = either();
                if (next(",")) node.column = either();
            } else {
                node.column = either();
            }
            --indices_;
            need("]");
        }
        return named(std::move(node), begin);
    }
    Node call(std::string_view id) {
        Node node;
        node.kind = Node::Kind::Call;
        node.function = find_chapter_function(id);
        if (!node.function) {
            fail(fmt::format("there is no function “{}”", begin_of(id, 40)));
            return {};
        }
        do node.parts.push_back(either());
        while (next(","));
        if (!need(")")) return {};
        const int count = static_cast<int>(node.parts.size());
        const ChapterFunction& f = *node.function;
        if (count < f.fewest || count > f.most) {
            fail(fmt::format("“{}” takes {} argument{}, not {}", id, f.fewest,
                             f.most > f.fewest ? " or more"
                             : f.fewest == 1   ? ""
                                               : "s",
                             count));
            return {};
        }
        return node;
    }
    /// with("score", "dot", …, expression): evaluates the expression in a run with other fields.
    Node other_run() {
        Node node;
        node.kind = Node::Kind::With;
        while (true) {
            skip();
            const std::size_t begin = at_;
            if (at_ >= text_.size() || text_[at_] != '"') break;
            std::string field = quoted();
            if (!attn::find_field(field) || !next(",")) {
                at_ = std::min(begin, text_.size());
                break;
            }
            node.parts.push_back(chain());
            if (!need(",")) return {};
            node.fields.push_back(std::move(field));
        }
        if (node.fields.empty()) {
            fail("“with” begins with a field of the document and its value, both with a comma");
            return {};
        }
        node.parts.push_back(either());
        need(")");
        return node;
    }

    ExpressionTree& tree_;
    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int indices_ = 0;  ///< open brackets of steps, inside which "end" has a meaning
};

}  // namespace

ExpressionTree parse_expression(std::string_view text) {
    ExpressionTree tree;
    tree.text = text;
    TreeReader(tree).all();
    return tree;
}

const ExpressionTree& ExpressionMemo::tree(std::string_view text) {
    const auto at = std::lower_bound(trees_.begin(), trees_.end(), text,
                                     [](const auto& known, std::string_view wanted) { return known.first < wanted; });
    if (at != trees_.end() && at->first == text) return *at->second;
    ++trees_read_;
    if (trees_.size() >= kMostTrees) trees_.clear();
    auto made = std::make_unique<ExpressionTree>(parse_expression(text));
    const auto place = std::lower_bound(trees_.begin(), trees_.end(), text, [](const auto& known, std::string_view wanted) {
        return known.first < wanted;
    });
    return *trees_.emplace(place, std::string(text), std::move(made))->second;
}

std::shared_ptr<const attn::Run> ExpressionMemo::run(const attn::Document& document) {
    const auto known = std::find_if(runs_.begin(), runs_.end(),
                                    [&](const OtherRun& other) { return other.document == document; });
    if (known != runs_.end()) {
        std::rotate(known, known + 1, runs_.end());
        return runs_.back().run;
    }
    ++runs_made_;
    auto made = attn::run(document);
    if (runs_.size() >= kMostRuns) runs_.erase(runs_.begin());
    runs_.push_back({document, made ? std::make_shared<const attn::Run>(std::move(*made)) : nullptr});
    return runs_.back().run;
}

}  // namespace app
