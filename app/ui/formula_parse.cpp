#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/ui/formula_node.h"
#include "core/base/effort.h"
#include "core/io/nesting.h"
#include "core/text/unicode.h"

namespace app {
namespace {

using Node = FormulaNode;
using Kind = FormulaNode::Kind;

struct Sign {
    std::string_view name;  // as written: \name, or the character itself
    std::string_view text;
    AtomClass atom;
    FormulaFace face = FormulaFace::Upright;
};

constexpr Sign kSigns[] = {
    {"+", "+", AtomClass::Binary},        {"-", "−", AtomClass::Binary},         {"−", "−", AtomClass::Binary},
    {"*", "∗", AtomClass::Binary},        {"·", "·", AtomClass::Binary},         {"×", "×", AtomClass::Binary},
    {"cdot", "·", AtomClass::Binary},     {"times", "×", AtomClass::Binary},     {"pm", "±", AtomClass::Binary},
    {"odot", "⊙", AtomClass::Binary},     {"oplus", "⊕", AtomClass::Binary},     {"otimes", "⊗", AtomClass::Binary},
    {"=", "=", AtomClass::Relation},      {"<", "<", AtomClass::Relation},       {">", ">", AtomClass::Relation},
    {":", ":", AtomClass::Relation},      {"≤", "≤", AtomClass::Relation},       {"≥", "≥", AtomClass::Relation},
    {"≈", "≈", AtomClass::Relation},      {"→", "→", AtomClass::Relation},       {"le", "≤", AtomClass::Relation},
    {"ge", "≥", AtomClass::Relation},     {"ne", "≠", AtomClass::Relation},      {"approx", "≈", AtomClass::Relation},
    {"equiv", "≡", AtomClass::Relation},  {"to", "→", AtomClass::Relation},      {"gets", "←", AtomClass::Relation},
    {"in", "∈", AtomClass::Relation},     {"notin", "∉", AtomClass::Relation},   {"sim", "~", AtomClass::Relation},
    {"mid", "|", AtomClass::Relation},    {",", ",", AtomClass::Punctuation},    {";", ";", AtomClass::Punctuation},
    {"infty", "∞", AtomClass::Ordinary},  {"partial", "∂", AtomClass::Ordinary}, {"nabla", "∇", AtomClass::Ordinary},
    {"dots", "…", AtomClass::Ordinary},   {"ldots", "…", AtomClass::Ordinary},   {"cdots", "⋯", AtomClass::Ordinary},
    {"forall", "∀", AtomClass::Ordinary}, {"exists", "∃", AtomClass::Ordinary},  {"ell", "ℓ", AtomClass::Ordinary},
    {"top", "⊤", AtomClass::Ordinary},    {"R", "ℝ", AtomClass::Ordinary},       {"prime", "′", AtomClass::Ordinary},
    {"{", "{", AtomClass::Open},          {"}", "}", AtomClass::Close},          {"degree", "°", AtomClass::Ordinary},
    {"langle", "⟨", AtomClass::Open},     {"rangle", "⟩", AtomClass::Close},     {"!", "!", AtomClass::Close},
};

constexpr std::pair<std::string_view, std::string_view> kGreek[] = {
    {"alpha", "α"}, {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"},
    {"eta", "η"},   {"theta", "θ"},  {"iota", "ι"},  {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
    {"nu", "ν"},    {"xi", "ξ"},     {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
    {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
    {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},     {"Omega", "Ω"},
};

// Upright words with a command of their own; `limits`: their subscripts are set below them.
struct Word {
    std::string_view name;
    bool limits;
};
constexpr Word kWords[] = {{"softmax", false}, {"exp", false}, {"log", false}, {"ln", false},   {"tanh", false},
                           {"sin", false},     {"cos", false}, {"max", true},  {"min", true},   {"argmax", true},
                           {"mean", false},    {"var", false}, {"lim", true},  {"diag", false}, {"sign", false}};

constexpr std::pair<std::string_view, Hue> kColors[] = {{"q", Hue::Query},  {"k", Hue::Key},    {"v", Hue::Value},
                                                        {"s", Hue::Score},  {"o", Hue::Output}, {"x", Hue::Input},
                                                        {"m", Hue::Masked}, {"f", Hue::Faint},  {"g", Hue::Gradient}};
// In ems: TeX's thin, medium and thick spaces, and so on.
constexpr std::pair<std::string_view, float> kSpaces[] = {{",", 3 / 18.0f},  {":", 4 / 18.0f}, {";", 5 / 18.0f},
                                                          {"!", -3 / 18.0f}, {" ", 0.25f},     {"quad", 1.0f}};

constexpr char32_t kFirstWideScript = 0x2e80;  // Chinese and its punctuation, which no mathematical font has

template <class Table>
auto find_in(const Table& table, std::string_view name) {
    return std::find_if(std::begin(table), std::end(table), [name](const auto& row) { return row.first == name; });
}

class Parser {
public:
    explicit Parser(std::string_view source) : source_(source) {}

    attn::Result<Formula> run() {
        std::shared_ptr<Node> root = row(0);
        if (!error_ && at_ < source_.size()) fail(fmt::format("'{}' closes nothing", source_[at_]));
        if (error_) return *error_;
        root->parts = std::move(parts_);
        return Formula{root};
    }

private:
    std::shared_ptr<Node> make(Kind kind) const {
        auto node = std::make_shared<Node>();
        node->kind = kind;
        node->hue = hue_;
        node->part = part_;
        return node;
    }

    std::shared_ptr<Node> symbol(std::string_view text, FormulaFace face, AtomClass atom = AtomClass::Ordinary) const {
        auto node = make(Kind::Symbol);
        node->text = text;
        node->face = face;
        node->atom = atom;
        return node;
    }

    void fail(std::string message) {
        if (!error_) error_ = attn::Error{fmt::format("formula, column {}: {}", at_ + 1, message), {}, {}, 0};
        at_ = source_.size();
    }

    bool done() const {
        attn::count_step();
        return at_ >= source_.size();
    }
    bool next_is(char c) const { return !done() && source_[at_] == c; }
    bool take(char c) {
        if (!next_is(c)) return false;
        ++at_;
        return true;
    }

    /// Items up to a closing brace, parenthesis or bracket, or the end. A colour set inside ends there.
    std::shared_ptr<Node> row(int depth) {
        const Hue outer = hue_;
        auto node = make(Kind::Row);
        if (depth > attn::kDeepestNesting) fail("nested too deeply");
        while (!done() && !next_is('}') && !next_is(')') && !next_is(']')) {
            if (take(' ')) continue;
            if (NodePtr atom = item(depth)) node->children.push_back(scripts(std::move(atom), depth));
        }
        hue_ = outer;
        return node;
    }

    /// {…}, or one item.
    NodePtr argument(int depth) {
        while (take(' ')) {
        }
        if (done()) {
            fail("something is missing here");
            return make(Kind::Row);
        }
        if (next_is('{')) return group(depth);
        NodePtr node = item(depth + 1);
        return node ? node : make(Kind::Row);
    }

    NodePtr group(int depth) {
        if (!take('{')) {
            fail("'{' expected");
            return make(Kind::Row);
        }
        NodePtr node = row(depth + 1);
        if (!take('}')) fail("a '{' is never closed");
        return node;
    }

    std::string_view name_in_braces() {
        if (!take('{')) {
            fail("'{' expected");
            return {};
        }
        const std::size_t end = source_.find('}', at_);
        if (end == std::string_view::npos) {
            fail("a '{' is never closed");
            return {};
        }
        const std::string_view name = source_.substr(at_, end - at_);
        at_ = end + 1;
        return name;
    }

    NodePtr scripts(NodePtr base, int depth) {
        NodePtr above, below;
        while (!done()) {
            if (take('\'')) {
                above = symbol("′", FormulaFace::Upright);
            } else if (next_is('^') || next_is('_')) {
                NodePtr& place = source_[at_] == '^' ? above : below;
                if (place) fail("two scripts in one place");
                ++at_;
                place = argument(depth);
            } else {
                break;
            }
        }
        if (!above && !below) return base;
        auto node = make(Kind::Scripts);
        node->atom = base->atom;
        node->limits = base->limits;
        node->children = {std::move(base), std::move(above), std::move(below)};
        return node;
    }

    NodePtr item(int depth) {
        if (depth > attn::kDeepestNesting) {  // arguments without braces nest, too: \sqrt\sqrt…
            fail("nested too deeply");
            return nullptr;
        }
        const char c = source_[at_];
        if (c == '{') return group(depth);
        if (c == '(' || c == '[') return fence(depth);
        if (c == '\\') return command(depth);
        if (c == '^' || c == '_') return make(Kind::Row);  // scripts without a base
        if (c >= '0' && c <= '9') return number();
        return character();
    }

    NodePtr number() {
        const std::size_t begin = at_;
        while (!done() && ((source_[at_] >= '0' && source_[at_] <= '9') || source_[at_] == '.')) ++at_;
        return symbol(source_.substr(begin, at_ - begin), FormulaFace::Upright);
    }

    NodePtr character() {
        const std::size_t begin = at_;
        const attn::CodePoint code = attn::decode_utf8(source_, at_);
        at_ += code.length;
        std::string_view text = source_.substr(begin, code.length);
        if (code.value >= kFirstWideScript) return words(begin);
        const attn::CharKind kind = attn::kind_of(code.value);
        // A letter always means itself: only \R means the real numbers.
        for (const Sign& sign : kSigns)
            if (kind != attn::CharKind::Letter && sign.name == text) return symbol(sign.text, sign.face, sign.atom);
        return symbol(text, kind == attn::CharKind::Letter ? FormulaFace::Italic : FormulaFace::Upright);
    }

    /// A run of Chinese.
    NodePtr words(std::size_t begin) {
        while (!done()) {
            const attn::CodePoint code = attn::decode_utf8(source_, at_);
            if (code.value < kFirstWideScript) break;
            at_ += code.length;
        }
        return symbol(source_.substr(begin, at_ - begin), FormulaFace::Words);
    }

    NodePtr fence(int depth) {
        auto node = make(Kind::Fence);
        node->text = source_[at_++];
        node->children.push_back(row(depth + 1));
        if (!next_is(')') && !next_is(']')) {
            fail(fmt::format("'{}' is never closed", node->text));
            return node;
        }
        node->close = source_[at_++];
        return node;
    }

    NodePtr command(int depth) {
        const std::size_t begin = ++at_;
        const auto letter = [this] {
            return !done() && ((source_[at_] | 0x20) >= 'a' && (source_[at_] | 0x20) <= 'z');
        };
        while (letter()) ++at_;
        if (at_ == begin && !done()) ++at_;
        const std::string_view name = source_.substr(begin, at_ - begin);
        if (NodePtr node = structure(name, depth)) return node;
        if (error_) return nullptr;
        if (const auto color = find_in(kColors, name); color != std::end(kColors)) return colored(color->second, depth);
        if (const auto space = find_in(kSpaces, name); space != std::end(kSpaces)) {
            auto node = make(Kind::Space);
            node->space = space->second;
            return node;
        }
        if (const auto greek = find_in(kGreek, name); greek != std::end(kGreek)) {
            const bool capital = name.front() < 'a';
            return symbol(greek->second, capital ? FormulaFace::Upright : FormulaFace::Italic);
        }
        for (const Sign& sign : kSigns) {
            if (sign.name == name) return symbol(sign.text, sign.face, sign.atom);
        }
        for (const Word& word : kWords) {
            if (word.name != name) continue;
            auto node = symbol(word.name, FormulaFace::Upright, AtomClass::Operator);
            node->limits = word.limits;
            return node;
        }
        fail(fmt::format("unknown command \\{}", name));
        return nullptr;
    }

    /// \q{…} colours what is in the braces, \q without braces the rest of the group.
    NodePtr colored(Hue hue, int depth) {
        const Hue outer = hue_;
        hue_ = hue;
        if (!next_is('{')) return nullptr;
        NodePtr node = group(depth);
        hue_ = outer;
        return node;
    }

    NodePtr structure(std::string_view name, int depth) {
        if (name == "part") return part(depth);
        if (name == "word") return symbol(name_in_braces(), FormulaFace::Upright, AtomClass::Operator);
        if (name == "text") return symbol(name_in_braces(), FormulaFace::Words);
        if (name == "frac") return with_arguments(Kind::Fraction, {}, 2, depth);
        if (name == "sqrt") return with_arguments(Kind::Root, {}, 1, depth);
        if (name == "hat" || name == "tilde" || name == "bar") return with_arguments(Kind::Accent, name, 1, depth);
        if (name == "abs") return with_arguments(Kind::Fence, "|", 1, depth);
        if (name == "norm") return with_arguments(Kind::Fence, "‖", 1, depth);
        if (name == "sum" || name == "prod") {
            auto node = symbol(name == "sum" ? "∑" : "∏", FormulaFace::Upright, AtomClass::Operator);
            node->limits = node->large = true;
            return node;
        }
        return nullptr;
    }

    NodePtr with_arguments(Kind kind, std::string_view text, int count, int depth) {
        auto node = make(kind);
        node->text = node->close = text;
        for (int i = 0; i < count; ++i) node->children.push_back(argument(depth));
        return node;
    }

    NodePtr part(int depth) {
        const std::string_view name = name_in_braces();
        const int outer = part_;
        parts_.push_back({std::string(name), {}, outer});
        part_ = static_cast<int>(parts_.size()) - 1;
        const int own = part_;
        auto node = make(Kind::Row);
        node->opens_part = own;
        node->children.push_back(group(depth));
        part_ = outer;
        return node;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    Hue hue_ = Hue::Ink;
    int part_ = FormulaLayout::kNoPart;
    std::vector<FormulaLayout::Part> parts_;
    std::optional<attn::Error> error_;
};

}  // namespace

attn::Result<Formula> parse_formula(std::string_view source) { return Parser(source).run(); }

}  // namespace app
