#include "tests/core/formula_value.h"

#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn::test {
namespace {

Numbers scalar(double v) { return Numbers::Constant(1, 1, v); }
bool is_scalar(const Numbers& m) { return m.size() == 1; }

class Reader {
public:
    Reader(std::string_view text, const FormulaNames& names) : text_(text), names_(names) {}

    Numbers all() {
        const Numbers value = sum();
        if (at_ < text_.size()) fail("something is left over");
        return value;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at " + std::to_string(at_) + " of " + std::string(text_));
    }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || starts("\\,"))) at_ += text_[at_] == ' ' ? 1 : 2;
    }
    bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    /// Whether a command of exactly this name is next: \word and not \words.
    bool command(std::string_view name) const {
        const std::size_t end = at_ + name.size();
        return starts(name) && (end >= text_.size() || !std::isalpha(static_cast<unsigned char>(text_[end])));
    }
    bool take(std::string_view what) {
        skip();
        if (!starts(what)) return false;
        at_ += what.size();
        return true;
    }
    bool take_command(std::string_view name) {
        skip();
        return command(name) && take(name);
    }
    void need(std::string_view what) {
        if (!take(what)) fail("no " + std::string(what));
    }
    /// The contents of the braces that begin here.
    std::string_view braces() {
        need("{");
        const std::size_t begin = at_;
        for (int open = 1; at_ < text_.size(); ++at_) {
            if (text_[at_] == '{') ++open;
            if (text_[at_] == '}' && --open == 0) return text_.substr(begin, at_++ - begin);
        }
        fail("a brace is not closed");
    }
    Numbers of(std::string_view part) const { return Reader(part, names_).all(); }

    Numbers sum() {
        skip();
        const bool negative = take("-");
        Numbers value = product();
        if (negative) value = -value;
        while (true) {
            if (take("+"))
                value = added(value, product(), 1);
            else if (take("-"))
                value = added(value, product(), -1);
            else
                return value;
        }
    }

    Numbers added(const Numbers& a, const Numbers& b, double sign) const {
        if (a.rows() == b.rows() && a.cols() == b.cols()) return a + sign * b;
        // A bias: one row or one column added to all.
        if (b.rows() == 1 && b.cols() == a.cols()) return a.rowwise() + sign * b.row(0);
        if (b.cols() == 1 && b.rows() == a.rows()) return a.colwise() + sign * b.col(0);
        fail("a sum of different shapes");
    }

    bool product_ends() {
        skip();
        return at_ >= text_.size() || text_[at_] == '+' || text_[at_] == '-' || text_[at_] == ')' || text_[at_] == ']' ||
               text_[at_] == ';' || text_[at_] == ',' || (text_[at_] == '|' && in_bars_);
    }

    Numbers product() {
        Numbers value = factor();
        while (!product_ends()) {
            if (take_command("\\cdot")) {
                const Numbers other = factor();
                if (value.size() != other.size()) fail("a dot product of different lengths");
                double dot = 0;
                for (Eigen::Index i = 0; i < value.size(); ++i) dot += value.data()[i] * other.data()[i];
                value = scalar(dot);
            } else if (take_command("\\odot")) {
                // What follows up to the next summand is one factor: β ⊙ softmax(…) V.
                value = times_each(value, product());
            } else {
                value = times(value, factor());
            }
        }
        return value;
    }
    Numbers times(const Numbers& a, const Numbers& b) const {
        if (is_scalar(a)) return a(0, 0) * b;
        if (is_scalar(b)) return a * b(0, 0);
        if (a.cols() != b.rows()) fail("a product of shapes that do not fit");
        // 0 times −∞ does not occur: weights and values are finite.
        return a * b;
    }
    Numbers times_each(const Numbers& a, const Numbers& b) const {
        if (is_scalar(a) || is_scalar(b)) return times(a, b);
        if (a.rows() == b.rows() && a.cols() == b.cols()) return a.cwiseProduct(b);
        if (a.cols() == 1 && a.rows() == b.rows()) return a.asDiagonal() * b;
        if (a.rows() == 1 && a.cols() == b.cols()) return b * a.row(0).asDiagonal();
        fail("an element-wise product of different shapes");
    }

    Numbers factor() {
        Numbers value = primary();
        while (take("^T")) value = value.transpose().eval();
        return value;
    }

    Numbers primary() {
        skip();
        if (at_ >= text_.size()) fail("something is missing");
        const char c = text_[at_];
        if (c == '(') return inside(")");
        if (c == '|') return length();
        if (c == '[') return together();
        if (std::isdigit(static_cast<unsigned char>(c))) return number();
        if (take_command("\\frac")) {
            const Numbers top = of(braces());
            const Numbers bottom = of(braces());
            if (!is_scalar(bottom)) fail("a division by what is no number");
            return top / bottom(0, 0);
        }
        if (take_command("\\sqrt")) return of(braces()).cwiseSqrt();
        if (take_command("\\part")) return part();
        if (take_command("\\hat")) return unit(of(braces()));
        if (take_command("\\word")) {
            const std::string function = "\\word{" + std::string(braces()) + "}";
            return applied(function + scripts());
        }
        return named(name());
    }

    Numbers inside(std::string_view closing) {
        ++at_;
        const Numbers value = sum();
        need(closing);
        return value;
    }
    /// |q|, the length of a vector, or |p - p'|, the distance of positions.
    Numbers length() {
        ++at_;
        const bool places = starts("p ");
        const bool outer = std::exchange(in_bars_, true);
        const Numbers value = sum();
        in_bars_ = outer;
        need("|");
        return places ? Numbers(value.cwiseAbs()) : scalar(value.norm());
    }
    Numbers together() {
        ++at_;
        const Numbers a = sum();
        const bool semicolon = take(";");
        if (!semicolon) need(",");
        const Numbers b = sum();
        need("]");
        const bool stacked = semicolon == names_.semicolon_stacks;
        if (stacked ? a.cols() != b.cols() : a.rows() != b.rows()) fail("two that do not fit together");
        Numbers both(stacked ? a.rows() + b.rows() : a.rows(), stacked ? a.cols() : a.cols() + b.cols());
        stacked ? (both << a, b).finished() : (both.leftCols(a.cols()) = a, both.rightCols(b.cols()) = b, both);
        return both;
    }
    Numbers number() {
        std::size_t used = 0;
        const double v = std::stod(std::string(text_.substr(at_)), &used);
        at_ += used;
        return scalar(v);
    }
    Numbers part() {
        const std::string id(braces());
        const std::string_view what = braces();
        if (const auto own = names_.parts.find(id); own != names_.parts.end()) return own->second(what);
        // \part{mix}{\word{MHA}}(x): a part that is a function's name.
        skip();
        if (starts("(") && names_.functions.contains(what)) return applied(std::string(what));
        return of(what);
    }
    Numbers unit(const Numbers& m) const {
        // Normalises each token's vector: a row or, where tokens are columns, a column.
        Numbers out = m;
        const auto scaled = [](auto v) { if (v.norm() > 0) v /= v.norm(); };
        if (names_.semicolon_stacks)
            for (auto v : out.colwise()) scaled(v);
        else
            for (auto v : out.rowwise()) scaled(v);
        return out;
    }
    Numbers applied(const std::string& function) {
        const auto found = names_.functions.find(function);
        if (found == names_.functions.end()) fail("the function " + function + " is not known");
        need("(");
        const Numbers argument = sum();
        need(")");
        return found->second(argument);
    }

    /// "_a", "_{i-1}", "^q", "'": all scripts but a transposition.
    std::string scripts() {
        std::string out;
        while (at_ < text_.size() && !starts("^T")) {
            if (text_[at_] == '\'') {
                out += text_[at_++];
            } else if (text_[at_] == '_' || text_[at_] == '^') {
                out += text_[at_++];
                if (starts("{")) {
                    const std::string_view sub = braces();
                    out += "{" + std::string(sub) + "}";
                } else {
                    out += text_[at_++];
                }
            } else {
                break;
            }
        }
        return out;
    }
    /// {\q Q_i}, W_a, \tau, \tilde{h}_t.
    std::string name() {
        if (take("{")) {
            need("\\");
            while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;  // the colour
            skip();
            const std::string inner = name();
            need("}");
            return inner + scripts();
        }
        skip();
        std::string out;
        if (starts("\\")) {
            out += text_[at_++];
            while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) out += text_[at_++];
            if (starts("{")) {
                const std::string_view inner = braces();
                out += "{" + std::string(inner) + "}";
            }
        } else if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) {
            out += text_[at_++];
        } else {
            fail("no name");
        }
        return out + scripts();
    }
    Numbers named(const std::string& name) {
        if (names_.functions.contains(name)) return applied(name);
        const auto found = names_.values.find(name);
        if (found == names_.values.end()) fail("the name " + name + " is not known");
        return found->second;
    }

    std::string_view text_;
    const FormulaNames& names_;
    std::size_t at_ = 0;
    bool in_bars_ = false;
};

std::string without_color(std::string text) {
    for (std::size_t at = 0; (at = text.find("{\\")) != std::string::npos;) {
        const std::size_t space = text.find(' ', at), end = text.rfind('}');
        if (space == std::string::npos || end == std::string::npos || space > end) break;
        text = text.substr(0, at) + text.substr(space + 1, end - space - 1) + text.substr(end + 1);
    }
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

Numbers formula_value(std::string_view text, const FormulaNames& names) { return Reader(text, names).all(); }

namespace {

/// The first position from `from` on where `what` occurs outside all braces; npos: none.
std::size_t find_outside(std::string_view text, std::string_view what, std::size_t from = 0) {
    int open = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (open == 0 && text.substr(i).starts_with(what)) return i;
        if (text[i] == '{') ++open;
        if (text[i] == '}') --open;
    }
    return std::string_view::npos;
}

/// The contents of \part{id}{ … } if that is the whole text.
std::string_view without_part(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (!text.starts_with("\\part{")) return text;
    const std::size_t body = text.find("}{");
    if (body == std::string_view::npos || find_outside(text, "}", body + 2) != text.size() - 1) return text;
    return text.substr(body + 2, text.size() - body - 3);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> equations_of(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> out;
    constexpr std::string_view kBetween = "\\quad";
    while (!text.empty()) {
        const std::size_t end = std::min(find_outside(text, kBetween), text.size());
        const std::string_view one = without_part(text.substr(0, end));
        text.remove_prefix(std::min(end + kBetween.size(), text.size()));
        const std::size_t equals = find_outside(one, "=");
        if (equals == std::string_view::npos) continue;
        out.emplace_back(without_color(std::string(one.substr(0, equals))), std::string(one.substr(equals + 1)));
    }
    return out;
}

}  // namespace attn::test
