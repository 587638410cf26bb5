#include "app/chapters/format/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/chapters/format/expression_tree.h"
#include "app/content/number_text.h"
#include "core/document/fields.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using Kind = ChapterValue::Kind;
using Node = ExpressionNode;

/// The longest text for which another run is made, because this happens between two frames.
constexpr std::size_t kLongestOtherRun = 64;

/// Evaluates a tree's nodes on a computation. Whatever reads something without a value has no value either.
class Evaluator {
public:
    Evaluator(const ExpressionTree& tree, const ChapterContext& context, std::vector<Reading>* readings)
        : tree_(tree), context_(&context), first_(&context), readings_(readings) {}

    attn::Result<ChapterValue> all() {
        if (!tree_.error.empty()) return attn::Error{tree_.error, "", "", 0};
        ChapterValue out = value(tree_.root);
        if (!error_.empty()) return attn::Error{error_, "", "", 0};
        return out;
    }

private:
    ChapterValue value(int at) {
        const Node& node = tree_.nodes[static_cast<std::size_t>(at)];
        switch (node.kind) {
            case Node::Kind::Literal:
                return node.value;
            case Node::Kind::Any:
            case Node::Kind::All:
                return joined(node, node.kind == Node::Kind::Any);
            case Node::Kind::Not: {
                const ChapterValue denied = value(node.parts[0]);
                return denied.kind == Kind::Truth ? ChapterValue::of_truth(!denied.truth) : ChapterValue{};
            }
            case Node::Kind::Compare: {
                const ChapterValue left = value(node.parts[0]);
                return compare(node.word, left, value(node.parts[1]));
            }
            case Node::Kind::Chain:
                return chain(node);
            case Node::Kind::End:
                return ChapterValue::of(end_, true);
            case Node::Kind::Value:
                return noted(node, named_value(*context_, node.word).value_or(ChapterValue{}));
            case Node::Kind::Step:
                return step(node);
            case Node::Kind::Call:
                return noted(node, call(node));
            case Node::Kind::With:
                return noted(node, other_run(node));
        }
        return {};
    }
    ChapterValue joined(const Node& node, bool any) {
        ChapterValue out = value(node.parts[0]);
        for (std::size_t i = 1; i < node.parts.size(); ++i) {
            const ChapterValue next = value(node.parts[i]);
            const bool both = out.kind == Kind::Truth && next.kind == Kind::Truth;
            out = both ? ChapterValue::of_truth(any ? out.truth || next.truth : out.truth && next.truth) : ChapterValue{};
        }
        return out;
    }
    ChapterValue chain(const Node& node) {
        ChapterValue out = value(node.parts[0]);
        for (std::size_t i = 1; i < node.parts.size(); ++i) out = combine(node.signs[i], out, value(node.parts[i]));
        return out;
    }

    /// Records that the text of a node has the value `value`.
    ChapterValue noted(const Node& node, ChapterValue value, std::optional<attn::Cell> cell = {}) {
        // In another run the same text has other values, so only the result of with() is recorded.
        if (!readings_ || context_ != first_ || value.none() || !error_.empty()) return value;
        const std::string text = tree_.text.substr(node.begin, node.end - node.begin);
        const auto known =
            std::find_if(readings_->begin(), readings_->end(), [&](const Reading& r) { return r.text == text; });
        if (known == readings_->end()) readings_->push_back({text, value, cell});
        return value;
    }

    ChapterValue step(const Node& node) {
        const attn::StepId id = step_in(*context_, node.word);
        bool there = id != attn::kNoStep;
        const int rows = there ? static_cast<int>(context_->trace[id].value.rows()) : 0;
        const int cols = there ? static_cast<int>(context_->trace[id].value.cols()) : 0;
        const int row = node.row < 0 ? -1 : index(node.row, id, true, rows, there);
        const int col = node.column < 0 ? -1 : index(node.column, id, false, cols, there);
        if (!there) return {};
        std::optional<attn::Cell> cell;
        if (row >= 0 && col >= 0) cell = attn::Cell{id, row, col};
        return noted(node, part_of_step(*context_, id, row, col), cell);
    }
    /// An index from 0; `there` becomes false if it has no value or is out of range.
    int index(int at, attn::StepId step, bool row, int count, bool& there) {
        const int before = end_;
        end_ = count;
        const ChapterValue wanted = value(at);
        end_ = before;
        if (wanted.kind == Kind::Text && there) {
            const attn::Step& of = context_->trace[step];
            for (int i = 0; i < count; ++i)
                if (attn::axis_label(context_->trace, row ? of.rows : of.cols, i) == wanted.text) return i;
        }
        const bool inside = wanted.kind == Kind::Number && wanted.number >= 1 && wanted.number <= count &&
                            wanted.number == std::floor(wanted.number);
        if (inside) return static_cast<int>(wanted.number) - 1;
        there = false;
        return 0;
    }

    ChapterValue call(const Node& node) {
        std::vector<ChapterValue> arguments;
        bool missing = false;
        for (const int part : node.parts) {
            arguments.push_back(value(part));
            missing |= arguments.back().none();
        }
        return missing ? ChapterValue{} : node.function->call(arguments, *context_);
    }

    ChapterValue other_run(const Node& node) {
        attn::Document document = context_->document;
        bool possible = context_->trace.tokens.size() <= kLongestOtherRun;
        for (std::size_t i = 0; i < node.fields.size(); ++i) {
            const std::string& field = node.fields[i];
            const ChapterValue wanted = value(node.parts[i]);
            const std::string given = wanted.kind == Kind::Text ? wanted.text : attn::shortest(wanted.number);
            if (wanted.none()) {
                possible = false;
                continue;
            }
            if (field == "variant") attn::choose_form(document, given);
            if (const auto set = attn::set_field(document, field, given); !set) {
                if (error_.empty()) error_ = fmt::format("with {}: {}", field, set.error().message);
                return {};
            }
        }
        if (!possible) return {};
        attn::drop_unread(document);
        ExpressionMemo own;
        ExpressionMemo& memo = context_->memo ? *context_->memo : own;
        const std::shared_ptr<const attn::Run> run = memo.run(document);
        if (!run) return {};
        const ChapterContext there = context_->on(run->trace, document);
        const ChapterContext* before = std::exchange(context_, &there);
        ChapterValue out = value(node.parts.back());
        context_ = before;
        out.step = attn::kNoStep;  // the labels do not outlive the run
        return out;
    }

    const ExpressionTree& tree_;
    const ChapterContext* context_;
    const ChapterContext* first_;      ///< of the original run, not of another one
    std::vector<Reading>* readings_;  ///< null: not requested
    std::string error_;
    int end_ = 0;  ///< the value of "end" inside an index
};

}  // namespace

ChapterValue ChapterValue::of(double number, bool whole) {
    ChapterValue out;
    if (std::isnan(number)) return out;
    out.kind = Kind::Number;
    out.number = number;
    out.whole = whole;
    return out;
}
ChapterValue ChapterValue::of(std::string text) {
    ChapterValue out;
    out.kind = Kind::Text;
    out.text = std::move(text);
    return out;
}
ChapterValue ChapterValue::of_truth(bool truth) {
    ChapterValue out;
    out.kind = Kind::Truth;
    out.truth = truth;
    return out;
}

attn::Result<ChapterValue> evaluate(const ExpressionTree& tree, const ChapterContext& context,
                                   std::vector<Reading>* readings) {
    return Evaluator(tree, context, readings).all();
}

attn::Result<ChapterValue> evaluate(std::string_view expression, const ChapterContext& context) {
    if (context.memo) return evaluate(context.memo->tree(expression), context);
    return evaluate(parse_expression(expression), context);
}

std::vector<Reading> readings_of(std::string_view expression, const ChapterContext& context) {
    std::vector<Reading> out;
    const auto value = evaluate(parse_expression(expression), context, &out);
    if (!value || value->none()) return {};
    if (out.empty() || out.back().text != expression) out.push_back({std::string(expression), *value, {}});
    return out;
}

std::string reading_text(const ChapterValue& value) {
    constexpr std::size_t kMostNumbers = 6;
    if (value.kind == Kind::Text) return value.text;
    if (value.kind == Kind::Number) {
        if (!value.text.empty()) return value.text;
        return number_text(static_cast<float>(value.number), value.whole ? 0 : 3);
    }
    std::string out;
    for (std::size_t i = 0; i < std::min(value.numbers.size(), kMostNumbers); ++i)
        out += (i > 0 ? "  " : "") + number_text(static_cast<float>(value.numbers[i]), 2);
    return out + (value.numbers.size() > kMostNumbers ? "  …" : "");
}

bool holds(std::string_view condition, const ChapterContext& context) {
    const auto value = evaluate(condition, context);
    return value && value->kind == Kind::Truth && value->truth;
}

std::optional<int> index_of(std::string_view expression, const ChapterContext& context, int count) {
    const auto value = evaluate(expression, context);
    if (!value || value->kind != Kind::Number || !(value->number >= 1) || value->number > count) return std::nullopt;
    return static_cast<int>(value->number) - 1;
}

std::string_view without_format(std::string_view written) {
    // The last colon outside quotes separates the format.
    std::size_t colon = std::string_view::npos;
    bool quoted = false;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] == '"') quoted = !quoted;
        if (written[i] == ':' && !quoted) colon = i;
    }
    return written.substr(0, colon);
}

attn::Result<std::string> shown_value(std::string_view written, const ChapterContext& context) {
    const std::string_view expression = without_format(written);
    const std::string_view format = expression.size() == written.size() ? "" : written.substr(expression.size() + 1);
    const auto value = evaluate(expression, context);
    if (!value) return value.error();
    int decimals = -1;
    bool percent = false, plus = false;
    for (const char c : format) {
        if (c == '%')
            percent = true;
        else if (c == '+')
            plus = true;
        else if (c >= '0' && c <= '9')
            decimals = c - '0';
        else
            return attn::Error{fmt::format("“:{}” is no format; write :3, :%, :%1 or :+", format), "", "", 0};
    }
    if (value->kind == Kind::Text) return value->text;
    if (value->kind != Kind::Number) {
        if (value->none()) return std::string();
        return attn::Error{"a number or a text is expected here, not a row or a condition", "", "", 0};
    }
    if (decimals < 0 && !percent && !value->text.empty()) return value->text;
    if (percent && !plus && decimals < 0 && value->number >= 0 && value->number <= 1) return weight_text(value->number);
    const int places = decimals >= 0 ? decimals : percent || value->whole ? 0 : 2;
    std::string text = number_text(static_cast<float>(percent ? value->number * 100 : value->number), places);
    if (plus && value->number > 0) text = "+" + text;
    return percent ? text + "%" : text;
}

}  // namespace app
