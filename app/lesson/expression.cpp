#include "app/lesson/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "app/content/number_text.h"
#include "app/lesson/expression_parts.h"
#include "core/document_fields.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using Kind = LessonValue::Kind;

/// Another run is made for texts up to this long: it stands between two frames.
constexpr std::size_t kLongestOtherRun = 64;
constexpr int kDeepest = 64;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Recursive descent that computes as it reads. The first error stops it.
class Reader {
public:
    Reader(std::string_view text, const LessonContext& context, std::vector<Reading>* readings = nullptr)
        : text_(text), context_(&context), first_(&context), readings_(readings) {}

    attn::Result<LessonValue> all() {
        LessonValue value = either();
        skip();
        if (error_.empty() && at_ < text_.size()) fail(fmt::format("“{}” does not belong here", text_.substr(at_, 12)));
        if (!error_.empty()) return attn::Error{error_, "", "", 0};
        return value;
    }

private:
    LessonValue fail(std::string message) {
        if (error_.empty()) error_ = std::move(message);
        at_ = text_.size();
        return {};
    }
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
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
            (rest.size() > word.size() && (is_letter(rest[word.size()]) || is_digit(rest[word.size()]))))
            return false;
        at_ += word.size();
        return true;
    }
    bool need(std::string_view sign) {
        if (next(sign)) return true;
        fail(fmt::format("“{}” is missing", sign));
        return false;
    }

    LessonValue either() {
        LessonValue left = both();
        while (next_word("or")) left = join(left, both(), true);
        return left;
    }
    LessonValue both() {
        LessonValue left = denied();
        while (next_word("and")) left = join(left, denied(), false);
        return left;
    }
    static LessonValue join(const LessonValue& a, const LessonValue& b, bool any) {
        if (a.kind != Kind::Truth || b.kind != Kind::Truth) return {};
        return LessonValue::of_truth(any ? a.truth || b.truth : a.truth && b.truth);
    }
    LessonValue denied() {
        if (!next_word("not")) return relation();
        const LessonValue value = denied();
        return value.kind == Kind::Truth ? LessonValue::of_truth(!value.truth) : LessonValue{};
    }
    LessonValue relation() {
        const LessonValue left = sum();
        for (const std::string_view op : {"<=", ">=", "!=", "<", ">", "="})
            if (next(op)) return compare(op, left, sum());
        return left;
    }
    LessonValue sum() {
        LessonValue left = product();
        while (true) {
            if (next("+"))
                left = combine('+', left, product());
            else if (next("-") || next("−"))
                left = combine('-', left, product());
            else
                return left;
        }
    }
    LessonValue product() {
        LessonValue left = signed_value();
        while (true) {
            if (next("*"))
                left = combine('*', left, signed_value());
            else if (next("/"))
                left = combine('/', left, signed_value());
            else
                return left;
        }
    }
    LessonValue signed_value() {
        if (next("-") || next("−")) return combine('-', LessonValue::of(0, true), signed_value());
        const LessonValue base = primary();
        return next("^") ? combine('^', base, signed_value()) : base;
    }

    LessonValue primary() {
        skip();
        if (++depth_ > kDeepest) return fail("the expression is nested too deeply");
        LessonValue out;
        if (at_ >= text_.size())
            out = fail("a value is missing");
        else if (is_digit(text_[at_]) || text_[at_] == '.')
            out = literal();
        else if (text_[at_] == '"')
            out = text_literal();
        else if (next("(")) {
            out = either();
            need(")");
        } else if (is_letter(text_[at_]))
            out = name();
        else
            out = fail(fmt::format("“{}” does not begin a value", text_.substr(at_, 8)));
        --depth_;
        return out;
    }
    LessonValue literal() {
        double number = 0;
        const char* begin = text_.data() + at_;
        const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), number);
        if (code != std::errc()) return fail("this is no number");
        const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
        at_ += digits.size();
        return LessonValue::of(number, digits.find_first_of(".eE") == std::string_view::npos);
    }
    LessonValue text_literal() {
        const std::size_t end = text_.find('"', at_ + 1);
        if (end == std::string_view::npos) return fail("a text has no second quote");
        LessonValue out = LessonValue::of(std::string(text_.substr(at_ + 1, end - at_ - 1)));
        at_ = end + 1;
        return out;
    }
    std::string_view identifier() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) ||
                                      (text_[at_] == '.' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]))))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    /// What was read from `begin` up to here came to `value`.
    LessonValue noted(std::size_t begin, LessonValue value, std::optional<attn::Cell> cell = {}) {
        // In another run the same words mean other numbers: only what came of them is told.
        if (!readings_ || context_ != first_ || value.none() || !error_.empty()) return value;
        std::string_view text = text_.substr(begin, at_ - begin);
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
        const auto known =
            std::find_if(readings_->begin(), readings_->end(), [&](const Reading& r) { return r.text == text; });
        if (known == readings_->end()) readings_->push_back({std::string(text), value, cell});
        return value;
    }

    LessonValue name() {
        const std::size_t begin = at_;
        const std::string_view id = identifier();
        if (next("(")) return noted(begin, id == "with" ? other_run() : call(id));
        if (id == "end" && end_ >= 0) return LessonValue::of(end_, true);
        // "weights" and "penalty" are fields, too: the steps are meant, and field("weights") is the other.
        if (!is_step_name(id)) {
            if (const auto value = named_value(*context_, id)) return noted(begin, *value);
        }
        if (!is_step_name(id)) return fail(fmt::format("there is no step, field or function “{}”", id));
        const attn::StepId step = step_in(*context_, id);
        int row = -1, col = -1;
        bool there = step != attn::kNoStep;
        if (next("[")) {
            const int rows = there ? static_cast<int>(context_->trace[step].value.rows()) : 0;
            const int cols = there ? static_cast<int>(context_->trace[step].value.cols()) : 0;
            if (!next(",")) {
                row = index(step, true, rows, there);
                if (next(",")) col = index(step, false, cols, there);
            } else {
                col = index(step, false, cols, there);
            }
            need("]");
        }
        if (!there) return {};
        std::optional<attn::Cell> cell;
        if (row >= 0 && col >= 0) cell = attn::Cell{step, row, col};
        return noted(begin, part_of_step(*context_, step, row, col), cell);
    }
    /// An index from 0; `there` becomes false where it has no value or is outside.
    int index(attn::StepId step, bool row, int count, bool& there) {
        const int before = end_;
        end_ = count;
        const LessonValue value = either();
        end_ = before;
        if (value.kind == Kind::Text && there) {
            const attn::Step& of = context_->trace[step];
            for (int i = 0; i < count; ++i)
                if (attn::axis_label(context_->trace, row ? of.rows : of.cols, i) == value.text) return i;
        }
        const bool inside = value.kind == Kind::Number && value.number >= 1 && value.number <= count &&
                            value.number == std::floor(value.number);
        if (inside) return static_cast<int>(value.number) - 1;
        there = false;
        return 0;
    }

    LessonValue call(std::string_view id) {
        const LessonFunction* function = find_lesson_function(id);
        if (!function) return fail(fmt::format("there is no function “{}”", id));
        std::vector<LessonValue> arguments;
        do arguments.push_back(either());
        while (next(","));
        if (!need(")")) return {};
        const int count = static_cast<int>(arguments.size());
        if (count < function->fewest || count > function->most)
            return fail(fmt::format("“{}” takes {} argument{}, not {}", id, function->fewest,
                                    function->most > function->fewest ? " or more"
                                    : function->fewest == 1           ? ""
                                                                      : "s",
                                    count));
        for (const LessonValue& argument : arguments)
            if (argument.none()) return {};
        return function->call(arguments, *context_);
    }

    /// with("score", "dot", …): the rest in a run with other fields.
    LessonValue other_run() {
        attn::Document document = context_->document;
        bool possible = true, any = false;
        while (true) {
            skip();
            const std::size_t begin = at_;
            if (at_ >= text_.size() || text_[at_] != '"') break;
            const std::string field = text_literal().text;
            if (!attn::find_field(field) || !next(",")) {
                at_ = begin;
                break;
            }
            const LessonValue value = sum();
            if (!need(",")) return {};
            any = true;
            if (value.none()) possible = false;
            const std::string given = value.kind == Kind::Text ? value.text : attn::shortest(value.number);
            if (possible && field == "variant") attn::choose_variant(document, given);
            if (const auto set = attn::set_field(document, field, given); !set)
                return fail(fmt::format("with {}: {}", field, set.error().message));
        }
        if (!any) return fail("“with” begins with a field of the document and its value, both with a comma");
        attn::drop_unread(document);
        std::optional<attn::Run> run;
        if (possible && context_->trace.tokens.size() <= kLongestOtherRun) {
            auto made = attn::run(document);
            if (made) run = std::move(*made);
        }
        if (!run) {
            // Still read to its end, so that what is written wrongly is found.
            const LessonValue ignored = either();
            need(")");
            return {};
        }
        const LessonContext* before = context_;
        LessonContext there{run->trace,         document,     before->own,    before->language,
                            before->convention, before->head, before->screen, before->shown,
                            before->pinned,     before->row,  before->column, before->dials};
        context_ = &there;
        LessonValue value = either();
        context_ = before;
        need(")");
        value.step = attn::kNoStep;  // its labels are gone with the run
        return value;
    }

    std::string_view text_;
    const LessonContext* context_;
    const LessonContext* first_;      ///< not that of another run
    std::vector<Reading>* readings_;  ///< null: nobody asks how
    std::size_t at_ = 0;
    std::string error_;
    int depth_ = 0;
    int end_ = -1;  ///< what "end" is inside an index
};

}  // namespace

LessonValue LessonValue::of(double number, bool whole) {
    LessonValue out;
    if (std::isnan(number)) return out;
    out.kind = Kind::Number;
    out.number = number;
    out.whole = whole;
    return out;
}
LessonValue LessonValue::of(std::string text) {
    LessonValue out;
    out.kind = Kind::Text;
    out.text = std::move(text);
    return out;
}
LessonValue LessonValue::of_truth(bool truth) {
    LessonValue out;
    out.kind = Kind::Truth;
    out.truth = truth;
    return out;
}

attn::Result<LessonValue> evaluate(std::string_view expression, const LessonContext& context) {
    return Reader(expression, context).all();
}

std::vector<Reading> readings_of(std::string_view expression, const LessonContext& context) {
    std::vector<Reading> out;
    const auto value = Reader(expression, context, &out).all();
    if (!value || value->none()) return {};
    if (out.empty() || out.back().text != expression) out.push_back({std::string(expression), *value, {}});
    return out;
}

std::string reading_text(const LessonValue& value) {
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

bool holds(std::string_view condition, const LessonContext& context) {
    const auto value = evaluate(condition, context);
    return value && value->kind == Kind::Truth && value->truth;
}

std::optional<int> index_of(std::string_view expression, const LessonContext& context, int count) {
    const auto value = evaluate(expression, context);
    if (!value || value->kind != Kind::Number || !(value->number >= 1) || value->number > count) return std::nullopt;
    return static_cast<int>(value->number) - 1;
}

attn::Result<std::string> shown_value(std::string_view written, const LessonContext& context) {
    // The last colon outside quotes and brackets parts the format.
    std::size_t colon = std::string_view::npos;
    bool quoted = false;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] == '"') quoted = !quoted;
        if (written[i] == ':' && !quoted) colon = i;
    }
    const std::string_view format = colon == std::string_view::npos ? "" : written.substr(colon + 1);
    const auto value = evaluate(written.substr(0, colon), context);
    if (!value) return value.error();
    int decimals = -1;
    bool percent = false, plus = false;
    for (const char c : format) {
        if (c == '%')
            percent = true;
        else if (c == '+')
            plus = true;
        else if (is_digit(c))
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
    const int places = decimals >= 0 ? decimals : percent || value->whole ? 0 : 2;
    std::string text = number_text(static_cast<float>(percent ? value->number * 100 : value->number), places);
    if (plus && value->number > 0) text = "+" + text;
    return percent ? text + "%" : text;
}

}  // namespace app
