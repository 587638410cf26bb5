#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/tokenizers/oniguruma.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/io/nesting.h"
#include "core/io/safe_text.h"
#include "core/text/unicode.h"

namespace attn::tokenizing {

namespace {

/// The contents of PCRE2 character classes, without the brackets.
constexpr std::string_view kSpaceSet = R"(\x09-\x0D\x20\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
constexpr std::string_view kWordSet = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
/// \w and \b match six more Latin-1 characters than the property Word, except within a class.
constexpr std::string_view kWordSignSet = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE})";
constexpr std::string_view kHexSet = "0-9A-Fa-f";

struct NamedSet {
    std::string_view name;  ///< in lower case, without blanks, hyphens and underscores
    std::string_view set;
    bool negated = false;
};
constexpr std::array kNamedSets = {
    NamedSet{"alnum", R"(\p{Alphabetic}\p{Nd})"},
    NamedSet{"alpha", R"(\p{Alphabetic})"},
    NamedSet{"blank", R"(\p{Zs}\t)"},
    NamedSet{"cntrl", R"(\p{Cc})"},
    NamedSet{"digit", R"(\p{Nd})"},
    NamedSet{"graph", R"(\p{Z}\p{Cc}\p{Cs}\p{Cn})", true},
    NamedSet{"lower", R"(\p{Lowercase})"},
    NamedSet{"print", R"(\p{Cc}\p{Cs}\p{Cn}\x{2028}\x{2029})", true},
    NamedSet{"punct", R"(\p{P})"},
    NamedSet{"space", kSpaceSet},
    NamedSet{"upper", R"(\p{Uppercase})"},
    NamedSet{"xdigit", kHexSet},
    NamedSet{"word", kWordSet},
    NamedSet{"ascii", R"(\x00-\x7F)"},
    NamedSet{"any", R"(\p{Any})"},
    NamedSet{"assigned", R"(\P{Cn})"},
    NamedSet{"letter", R"(\p{L})"},
    NamedSet{"uppercaseletter", R"(\p{Lu})"},
    NamedSet{"lowercaseletter", R"(\p{Ll})"},
    NamedSet{"titlecaseletter", R"(\p{Lt})"},
    NamedSet{"casedletter", R"(\p{Lu}\p{Ll}\p{Lt})"},
    NamedSet{"lc", R"(\p{Lu}\p{Ll}\p{Lt})"},
    NamedSet{"modifierletter", R"(\p{Lm})"},
    NamedSet{"otherletter", R"(\p{Lo})"},
    NamedSet{"mark", R"(\p{M})"},
    NamedSet{"nonspacingmark", R"(\p{Mn})"},
    NamedSet{"spacingmark", R"(\p{Mc})"},
    NamedSet{"enclosingmark", R"(\p{Me})"},
    NamedSet{"number", R"(\p{N})"},
    NamedSet{"decimalnumber", R"(\p{Nd})"},
    NamedSet{"letternumber", R"(\p{Nl})"},
    NamedSet{"othernumber", R"(\p{No})"},
    NamedSet{"punctuation", R"(\p{P})"},
    NamedSet{"connectorpunctuation", R"(\p{Pc})"},
    NamedSet{"dashpunctuation", R"(\p{Pd})"},
    NamedSet{"openpunctuation", R"(\p{Ps})"},
    NamedSet{"closepunctuation", R"(\p{Pe})"},
    NamedSet{"initialpunctuation", R"(\p{Pi})"},
    NamedSet{"finalpunctuation", R"(\p{Pf})"},
    NamedSet{"otherpunctuation", R"(\p{Po})"},
    NamedSet{"symbol", R"(\p{S})"},
    NamedSet{"mathsymbol", R"(\p{Sm})"},
    NamedSet{"currencysymbol", R"(\p{Sc})"},
    NamedSet{"modifiersymbol", R"(\p{Sk})"},
    NamedSet{"othersymbol", R"(\p{So})"},
    NamedSet{"separator", R"(\p{Z})"},
    NamedSet{"spaceseparator", R"(\p{Zs})"},
    NamedSet{"lineseparator", R"(\p{Zl})"},
    NamedSet{"paragraphseparator", R"(\p{Zp})"},
    NamedSet{"other", R"(\p{C})"},
    NamedSet{"control", R"(\p{Cc})"},
    NamedSet{"format", R"(\p{Cf})"},
    NamedSet{"surrogate", R"(\p{Cs})"},
    NamedSet{"privateuse", R"(\p{Co})"},
    NamedSet{"unassigned", R"(\p{Cn})"},
};

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_ascii_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Whether PCRE2 knows a property; this tells scripts from binary properties.
bool has_property(const std::string& expression) {
    int problem = 0;
    PCRE2_SIZE at = 0;
    pcre2_code* const made = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), PCRE2_UTF, &problem, &at, nullptr);
    pcre2_code_free(made);
    return made != nullptr;
}

/// One character, or a set of them.
struct PatternItem {
    std::string text;  ///< as written inside a class
    bool negated = false;
    bool single = false;  ///< one character: may begin or end a range
};

/// A class while it is parsed: what fits between one pair of brackets, and the rest as expressions that match one
/// character each.
struct ClassParts {
    std::string flat;
    std::vector<std::string> others;

    void add(const PatternItem& item) {
        if (item.negated)
            others.push_back("[^" + item.text + "]");
        else
            flat += item.text;
    }
    bool empty() const { return flat.empty() && others.empty(); }
    std::string expression() const {
        if (others.empty()) return "[" + flat + "]";
        std::string out = flat.empty() ? "(?:" : "(?:[" + flat + "]|";
        for (std::size_t i = 0; i < others.size(); ++i) out += (i > 0 ? "|" : "") + others[i];
        return out + ")";
    }
};

class Translation {
public:
    explicit Translation(std::string_view in) : in_(in) {}

    Result<std::string> run() {
        groups_.push_back({0, 0});
        while (problem_.empty() && at_ < in_.size()) step();
        if (!problem_.empty()) return Error{problem_, "", "", 0};
        for (int i = 0; i < groups_.front().open; ++i) out_ += ')';
        return out_;
    }

private:
    static constexpr std::size_t kNone = std::string::npos;
    struct PatternGroup {
        std::size_t begin = 0;  ///< in the output
        int open = 0;           ///< option groups that end with it
    };

    char peek(std::size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
    bool next_is(std::string_view text) const { return in_.substr(at_).starts_with(text); }
    bool take(std::string_view text) {
        if (!next_is(text)) return false;
        at_ += text.size();
        return true;
    }
    void unknown(std::string_view construct) {
        if (problem_.empty()) problem_ = fmt::format("{} (at byte {}) is not read here", in_quotes(construct), at_);
    }

    void atom(std::string_view text) {
        last_ = out_.size();
        repeated_ = false;
        out_ += text;
    }
    void between(std::string_view text) {
        last_ = kNone;
        out_ += text;
    }

    void step() {
        switch (peek()) {
            case '\\':
                return escape();
            case '[':
                ++at_;
                return atom(char_class());
            case '(':
                return open();
            case ')':
                return close();
            case '*':
            case '+':
            case '?': {
                const char c = in_[at_++];
                std::string text(1, c);
                if (peek() == '?' || peek() == '+') text += in_[at_++];
                return repeat(text);
            }
            case '{':
                return interval();
            case '|':
            case '^':
            case '$':
                between(in_.substr(at_++, 1));
                return;
            case '.':
                atom(in_.substr(at_++, 1));
                return;
            default:
                atom(literal());
        }
    }

    /// A repetition of something already repeated applies to the whole.
    void repeat(const std::string& text) {
        if (repeated_ && last_ != kNone) {
            out_.insert(last_, "(?:");
            out_ += ')';
        }
        out_ += text;
        repeated_ = true;
    }

    void interval() {
        std::size_t at = at_ + 1;
        const auto number = [&] {
            std::string digits;
            while (at < in_.size() && is_ascii_digit(in_[at]) && digits.size() < 6) digits += in_[at++];
            return digits;
        };
        const std::string low = number();
        std::string high = low;
        const bool comma = at < in_.size() && in_[at] == ',';
        if (comma) {
            ++at;
            high = number();
        }
        if (at >= in_.size() || in_[at] != '}' || (low.empty() && high.empty())) return atom(literal());
        const std::string_view all = in_.substr(at_, at + 1 - at_);
        if (comma && !low.empty() && !high.empty() && std::stoi(low) > std::stoi(high)) return unknown(all);
        at_ = at + 1;
        std::string text = comma ? fmt::format("{{{},{}}}", low.empty() ? "0" : low, high) : fmt::format("{{{}}}", low);
        if (comma && peek() == '?') text += in_[at_++];  // {2}? means {2} or nothing
        repeat(text);
    }

    void open() {
        const std::size_t begin = out_.size();
        ++at_;
        if (peek() == '*') return unknown("(*");
        if (!take("?")) return enter(begin, "(");
        if (take("#")) {
            const std::size_t end = in_.find(')', at_);
            if (end == kNone) return unknown("(?#");
            at_ = end + 1;
            return;
        }
        for (const std::string_view kind : {"<=", "<!", ":", "=", "!", ">"})
            if (take(kind)) return enter(begin, "(?" + std::string(kind));
        if (peek() == '<' || peek() == '\'') {
            const std::size_t end = in_.find(peek() == '<' ? '>' : '\'', at_ + 1);
            if (end == kNone) return unknown("(?<");
            const std::string_view name = in_.substr(at_, end + 1 - at_);
            at_ = end + 1;
            return enter(begin, "(?" + std::string(name));
        }
        options(begin);
    }

    /// (?i:…) and (?i): the latter applies to the end of its group, including other alternatives. Oniguruma's m lets
    /// the dot match line ends, which PCRE2 calls s.
    void options(std::size_t begin) {
        std::string flags;
        for (; peek() == 'i' || peek() == 'm' || peek() == '-'; ++at_) flags += peek() == 'm' ? 's' : peek();
        if (take(":")) return enter(begin, "(?" + flags + ":");
        if (!take(")")) return unknown(fmt::format("(?{}", std::string_view(in_).substr(at_, 1)));
        between("(?" + flags + ":");
        ++groups_.back().open;
    }

    void enter(std::size_t begin, const std::string& text) {
        between(text);
        groups_.push_back({begin, 0});
    }

    void close() {
        ++at_;
        if (groups_.size() == 1) {  // one too many: PCRE2 reports it
            between(")");
            return;
        }
        const PatternGroup group = groups_.back();
        groups_.pop_back();
        out_.append(static_cast<std::size_t>(group.open) + 1, ')');
        last_ = group.begin;
        repeated_ = false;
    }

    /// A literal character, escaped if necessary.
    std::string literal() {
        const std::size_t length = decode_utf8(in_, at_).length;
        std::string out(in_.substr(at_, length));
        at_ += length;
        const bool plain = length > 1 || is_ascii_letter(out[0]) || is_ascii_digit(out[0]) || static_cast<unsigned char>(out[0]) <= ' ';
        return plain ? out : "\\" + out;
    }

    void escape() {
        if (at_ + 1 == in_.size()) {
            out_ += in_[at_++];  // PCRE2 reports the error
            return;
        }
        const char c = peek(1);
        const auto rest = [&](std::string_view text) {
            at_ += 2;
            atom(text);
        };
        if (c == 'b' || c == 'B') {
            at_ += 2;
            const std::string in = "(?<=[" + std::string(kWordSignSet) + "])", no_in = "(?<![" + std::string(kWordSignSet) + "])";
            const std::string on = "(?=[" + std::string(kWordSignSet) + "])", no_on = "(?![" + std::string(kWordSignSet) + "])";
            return atom(c == 'b' ? "(?:" + in + no_on + "|" + no_in + on + ")" : "(?:" + in + on + "|" + no_in + no_on + ")");
        }
        if (std::string_view("AZzGRXKN").find(c) != kNone) return rest(in_.substr(at_, 2));
        if (c == 'O') return rest("(?s:.)");
        if ((c == 'k' || c == 'g') && peek(2) == '<') {
            const std::size_t end = in_.find('>', at_);
            if (end == kNone) return unknown(in_.substr(at_, 3));
            const std::string_view all = in_.substr(at_, end + 1 - at_);
            at_ = end + 1;
            return atom(all);
        }
        if (is_ascii_digit(c)) {
            std::size_t end = at_ + 1;
            while (end < in_.size() && is_ascii_digit(in_[end])) ++end;
            const std::string_view all = in_.substr(at_, end - at_);
            at_ = end;
            return atom(all);
        }
        const PatternItem item = escaped_item();
        if (item.single)
            atom(item.text);
        else
            atom((item.negated ? "[^" : "[") + item.text + "]");
    }

    /// An escape sequence that stands for one character or a set of them.
    PatternItem escaped_item() {
        const char c = peek(1);
        const auto set = [&](std::string_view text, bool negated) {
            at_ += 2;
            return PatternItem{std::string(text), negated, false};
        };
        const auto one = [&](std::string_view text) {
            at_ += 2;
            return PatternItem{std::string(text), false, true};
        };
        switch (c) {
            case 'w':
            case 'W':
                return set(kWordSignSet, c == 'W');
            case 's':
            case 'S':
                return set(kSpaceSet, c == 'S');
            case 'd':
            case 'D':
                return set(R"(\p{Nd})", c == 'D');
            case 'h':
            case 'H':
                return set(kHexSet, c == 'H');
            case 'p':
            case 'P':
                if (peek(2) == '{') return property();
                break;
            case 'u':
                return code(4, 4);
            case 'x':
                return peek(2) == '{' ? braced_code() : code(1, 2);
            case 'v':
                return one(R"(\x0B)");
            case 't':
            case 'n':
            case 'r':
            case 'f':
            case 'a':
            case 'e':
                return one(in_.substr(at_, 2));
            default:
                break;
        }
        if (std::string_view("cCMoyY").find(c) != kNone) {
            unknown(in_.substr(at_, 2));
            return {};
        }
        ++at_;  // any other character stands for itself
        return {literal(), false, true};
    }

    PatternItem code(std::size_t least, std::size_t most) {
        std::size_t digits = 0;
        while (digits < most && is_hex_digit(peek(2 + digits))) ++digits;
        const std::string number(in_.substr(at_ + 2, digits));
        // Two digits above 7F denote a byte of a character, not a character.
        if (digits < least || (most == 2 && std::stoi(number, nullptr, 16) > 0x7F)) {
            unknown(in_.substr(at_, 2 + digits));
            return {};
        }
        at_ += 2 + digits;
        return {"\\x{" + number + "}", false, true};
    }

    PatternItem braced_code() {
        const std::size_t end = in_.find('}', at_);
        const std::string_view number = end == kNone ? std::string_view() : in_.substr(at_ + 3, end - at_ - 3);
        if (number.empty() || number.size() > 8 || !std::all_of(number.begin(), number.end(), is_hex_digit)) {
            unknown(R"(\x{)");
            return {};
        }
        at_ = end + 1;
        return {"\\x{" + std::string(number) + "}", false, true};
    }

    PatternItem property() {
        const std::size_t end = in_.find('}', at_);
        if (end == kNone) {
            unknown(in_.substr(at_, 3));
            return {};
        }
        const std::string_view all = in_.substr(at_, end + 1 - at_);
        std::string_view name = in_.substr(at_ + 3, end - at_ - 3);
        bool negated = peek(1) == 'P';
        if (name.starts_with('^')) {
            name.remove_prefix(1);
            negated = !negated;
        }
        auto found = named_set(name);
        if (!found) {
            unknown(all);
            return {};
        }
        at_ = end + 1;
        found->negated = found->negated != negated;
        return *found;
    }

    /// A set by its name: a POSIX class, a category, a script (without characters shared with other scripts), or
    /// another property.
    static std::optional<PatternItem> named_set(std::string_view name) {
        std::string plain;
        for (const char c : name)
            if (is_ascii_letter(c) || is_ascii_digit(c))
                plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            else if (c != ' ' && c != '_' && c != '-')
                return std::nullopt;
        for (const NamedSet& row : kNamedSets)
            if (row.name == plain) return PatternItem{std::string(row.set), row.negated, false};
        if (plain.empty()) return std::nullopt;
        std::string category = plain;
        category[0] = static_cast<char>(category[0] - 'a' + 'A');
        if (plain.size() > 2 || !is_ascii_letter(plain[0])) category.clear();
        for (const std::string& text : {"\\p{" + category + "}", "\\p{sc:" + plain + "}", "\\p{" + plain + "}"})
            if (text != "\\p{}" && has_property(text)) return PatternItem{text, false, false};
        return std::nullopt;
    }

    /// [:alpha:] and [:^alpha:]
    std::optional<PatternItem> posix() {
        if (!next_is("[:")) return std::nullopt;
        const std::size_t end = in_.find(":]", at_ + 2);
        if (end == kNone || end - at_ > 20) return std::nullopt;
        std::string_view name = in_.substr(at_ + 2, end - at_ - 2);
        const bool negated = name.starts_with('^');
        if (negated) name.remove_prefix(1);
        if (!std::all_of(name.begin(), name.end(), is_ascii_letter)) return std::nullopt;
        auto found = named_set(name);
        if (!found) return std::nullopt;
        at_ = end + 2;
        found->negated = found->negated != negated;
        return found;
    }

    /// Parses from after the opening bracket of a class to after the closing one; returns an expression that matches
    /// one character.
    std::string char_class() {
        const Nested level(depth_);
        if (level.too_deep()) unknown("[");
        const bool negated = take("^");
        std::vector<std::string> both;  // the operands of &&
        ClassParts parts;
        for (bool first = true; problem_.empty(); first = false) {
            if (at_ >= in_.size()) {
                problem_ = "missing terminating ] for a class of characters";
            } else if (!first && take("]")) {
                break;
            } else if (take("&&")) {
                if (!parts.empty()) both.push_back(parts.expression());
                parts = {};
            } else if (const auto named = posix()) {
                parts.add(*named);
            } else if (take("[")) {
                add_inner(parts);
            } else {
                add_item(parts);
            }
        }
        if (problem_.empty() && parts.empty() && both.empty()) unknown("[]");
        if (both.empty() && parts.others.empty()) return (negated ? "[^" : "[") + parts.flat + "]";
        std::string all;
        for (const std::string& one : both) all += "(?=" + one + ")";
        all += parts.empty() ? "(?s:.)" : parts.expression();
        return negated ? "(?:(?!" + all + ")(?s:.))" : "(?:" + all + ")";
    }

    /// A nested class: a simple one is merged into the same brackets.
    void add_inner(ClassParts& parts) {
        std::string inner = char_class();
        if (inner.starts_with("[") && !inner.starts_with("[^"))
            parts.flat += inner.substr(1, inner.size() - 2);
        else
            parts.others.push_back(std::move(inner));
    }

    PatternItem class_item() {
        if (peek() != '\\' || at_ + 1 == in_.size()) return {literal(), false, true};
        if (peek(1) == 'b') {
            at_ += 2;
            return {R"(\x08)", false, true};
        }
        if (peek(1) == 'w' || peek(1) == 'W') {
            at_ += 2;
            return {std::string(kWordSet), in_[at_ - 1] == 'W', false};
        }
        if (is_ascii_digit(peek(1)) || std::string_view("RXKNOGAZzkgB").find(peek(1)) != kNone) {
            unknown(in_.substr(at_, 2));
            return {};
        }
        return escaped_item();
    }

    void add_item(ClassParts& parts) {
        const PatternItem low = class_item();
        const bool range = low.single && peek() == '-' && at_ + 1 < in_.size() && peek(1) != ']' && peek(1) != '[' &&
                           in_.substr(at_ + 1, 2) != "&&";
        if (!range) return parts.add(low);
        ++at_;
        const PatternItem high = class_item();
        if (!high.single) return unknown("-");
        parts.flat += low.text + "-" + high.text;
    }

    std::string_view in_;
    std::size_t at_ = 0;
    std::string out_;
    std::string problem_;
    std::size_t last_ = kNone;  ///< where the last atom begins in out_
    bool repeated_ = false;     ///< whether the last atom has a repetition
    std::vector<PatternGroup> groups_;
    int depth_ = 0;
};

}  // namespace

Result<std::string> from_oniguruma(std::string_view expression) { return Translation(expression).run(); }

}  // namespace attn::tokenizing
