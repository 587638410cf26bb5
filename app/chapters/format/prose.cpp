#include "app/chapters/format/prose.h"

#include <utility>

#include "core/base/effort.h"
#include "core/io/nesting.h"
#include "core/text/unicode.h"

namespace app {
namespace {

using SpanKind = ProseSpan::Kind;

constexpr std::string_view kNum = "\\num{";
constexpr std::string_view kMissing = "–";

/// The character next to a line end: Chinese, one that Chinese shares with other scripts (quotes, dashes, dots), or any
/// other.
enum class Beside : std::uint8_t { Chinese, Shared, Other };
Beside kind_at(std::string_view text, std::size_t at) {
    const char32_t c = attn::decode_utf8(text, at).value;
    if (c >= 0x2e80 && c <= 0xffef) return Beside::Chinese;
    return (c >= 0x2014 && c <= 0x201d) || c == 0x2026 ? Beside::Shared : Beside::Other;
}
/// The start of the character before `at`.
std::size_t before(std::string_view text, std::size_t at) {
    do --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
    return at;
}

/// The most consecutive marks that are skipped; real texts have fewer.
constexpr std::size_t kMostMarks = 16;

/// The last visible character before the end, ignoring the marks of a link, a term or strong words. `link`: the
/// position of the last "](".
Beside end_of(std::string_view text, std::size_t link) {
    const auto drop = [&](std::string_view marks) {
        for (std::size_t i = 0; i < kMostMarks && !text.empty() && marks.find(text.back()) != std::string_view::npos; ++i) {
            attn::count_step();
            text.remove_suffix(1);
        }
    };
    drop("*]");
    if (text.ends_with(')') && link != std::string_view::npos) text = text.substr(0, link);
    drop("*");
    return text.empty() ? Beside::Other : kind_at(text, before(text, text.size()));
}
/// The same for the first visible character.
Beside beginning_of(std::string_view text) {
    while (text.starts_with('[') || text.starts_with('*')) text.remove_prefix(1);
    return text.empty() ? Beside::Other : kind_at(text, 0);
}

/// Line ends inside a paragraph become spaces, or nothing between two Chinese characters.
std::string joined(std::string_view lines) {
    std::string out;
    std::size_t link = std::string_view::npos;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        attn::count_step();
        if (lines[i] != '\n') {
            if (lines[i] == '(' && out.ends_with(']')) link = out.size() - 1;
            out.push_back(lines[i]);
            continue;
        }
        while (!out.empty() && out.back() == ' ') out.pop_back();
        std::size_t next = i + 1;
        while (next < lines.size() && lines[next] == ' ') ++next;
        const Beside left = end_of(out, link), right = beginning_of(lines.substr(next));
        const bool wide =
            left != Beside::Other && right != Beside::Other && (left == Beside::Chinese || right == Beside::Chinese);
        if (!wide && !out.empty() && next < lines.size()) out.push_back(' ');
        i = next - 1;
    }
    return out;
}

/// Finds closing marks in a paragraph. A mark that does not occur again is searched for only once, not once per opening
/// mark.
class Closers {
public:
    explicit Closers(std::string_view text) : text_(text) {}

    /// The position of `close` at or after `from`.
    std::size_t find(std::string_view close, std::size_t from) {
        for (const std::string_view gone : gone_)
            if (gone == close) return std::string_view::npos;
        const std::size_t at = text_.find(close, from);
        attn::count_steps((at == std::string_view::npos ? text_.size() : at) - from + 1);
        if (at == std::string_view::npos) gone_.push_back(close);
        return at;
    }
    bool between(std::size_t at, std::string_view open, std::string_view close, std::string_view& inside,
                 std::size_t& used) {
        if (!text_.substr(at).starts_with(open)) return false;
        const std::size_t begin = at + open.size(), end = find(close, begin);
        if (end == std::string_view::npos || end == begin) return false;
        inside = text_.substr(begin, end - begin);
        used = end + close.size() - at;
        return true;
    }

private:
    std::string_view text_;
    std::vector<std::string_view> gone_;
};

/// Parses a paragraph into spans.
class InlineReader {
public:
    InlineReader(Prose& prose, const std::function<std::string(std::string_view)>& term,
                 const std::function<void(std::string)>& error)
        : prose_(prose), term_(term), error_(error) {}

    void read(std::string_view text, std::vector<ProseSpan>& out, int link, SpanKind plain) {
        const attn::Nested level(depth_);
        if (level.too_deep()) return error_("links and strong words are nested too deeply");
        const std::vector<std::size_t> middles = link_middles(text);
        Closers closers(text);
        const auto add = [&](SpanKind kind, std::string piece, std::string source = {}) {
            if (!piece.empty() || kind != SpanKind::Plain)
                out.push_back({kind, std::move(piece), link, false, std::move(source)});
        };
        std::string words;
        const auto flush = [&] {
            if (!words.empty()) add(plain, std::exchange(words, {}));
        };
        for (std::size_t at = 0; at < text.size();) {
            const std::string_view rest = text.substr(at);
            std::string_view inside;
            std::size_t used = 0;
            if (rest.starts_with("{{") || rest.starts_with("}}")) {
                words.push_back(rest[0]);
                used = 2;
            } else if (closers.between(at, "**", "**", inside, used)) {
                flush();
                read(inside, out, link, SpanKind::Strong);
            } else if (closers.between(at, "`", "`", inside, used)) {
                flush();
                add(SpanKind::Code, std::string(inside));
            } else if (closers.between(at, "$", "$", inside, used)) {
                flush();
                add(SpanKind::Math, std::string(inside));
            } else if (closers.between(at, "{", "}", inside, used)) {
                flush();
                add(SpanKind::Number, std::string(inside));
            } else if (closers.between(at, "[@", "]", inside, used)) {
                flush();
                const std::size_t comma = inside.find(',');
                std::string_view place = comma == std::string_view::npos ? "" : inside.substr(comma + 1);
                while (place.starts_with(' ')) place.remove_prefix(1);
                add(SpanKind::Cite, std::string(place), std::string(inside.substr(0, comma)));
            } else if (closers.between(at, "[[", "]]", inside, used)) {
                flush();
                const std::size_t bar = inside.find('|');
                const std::string_view id = inside.substr(0, bar);
                std::string name = term_(id);
                if (name.empty()) error_("there is no term “" + std::string(id) + "” in the glossary");
                if (bar != std::string_view::npos) name = inside.substr(bar + 1);
                read(name, out, target("term " + std::string(id)), plain);
            } else if (const std::size_t middle = middles.empty() ? std::string_view::npos : middles[at];
                       middle != std::string_view::npos) {
                flush();
                const std::size_t end = link_end(text, middle + 2);
                if (end == std::string_view::npos) {
                    error_("a link has no closing bracket");
                    return;
                }
                read(text.substr(at + 1, middle - at - 1), out,
                     target(std::string(text.substr(middle + 2, end - middle - 2))), plain);
                used = end + 1 - at;
            } else {
                if (rest[0] == '{' && !std::exchange(said_brace_, true))
                    error_("a brace is not closed; a brace itself is written twice");
                if (rest[0] == '$') error_("mathematics has no second $");
                words.push_back(rest[0]);
                used = 1;
            }
            at += used;
        }
        flush();
    }

private:
    /// For each "[" of "[words](target)", the position of "](", taking brackets inside the words into account. Empty:
    /// no bracket. A single pass, however many brackets are never closed.
    static std::vector<std::size_t> link_middles(std::string_view text) {
        if (text.find('[') == std::string_view::npos) return {};
        std::vector<std::size_t> out(text.size(), std::string_view::npos), open;
        for (std::size_t i = 0; i < text.size(); ++i) {
            attn::count_step();
            if (text[i] == '[') open.push_back(i);
            if (text[i] != ']' || open.empty()) continue;
            if (i + 1 < text.size() && text[i + 1] == '(') out[open.back()] = i;
            open.pop_back();
        }
        return out;
    }
    static std::size_t link_end(std::string_view text, std::size_t at) {
        int depth = 1;
        for (; at < text.size(); ++at) {
            if (text[at] == '(') ++depth;
            if (text[at] == ')' && --depth == 0) return at;
        }
        return std::string_view::npos;
    }
    int target(std::string to) {
        prose_.links.push_back(std::move(to));
        return static_cast<int>(prose_.links.size()) - 1;
    }

    Prose& prose_;
    const std::function<std::string(std::string_view)>& term_;
    const std::function<void(std::string)>& error_;
    int depth_ = 0;
    bool said_brace_ = false;
};

/// Calls `each` with the position and the contents of every \num{…} in a formula.
template <class Each>
void for_numbers(std::string_view formula, Each each) {
    for (std::size_t at = formula.find(kNum); at != std::string_view::npos; at = formula.find(kNum, at + 1)) {
        const std::size_t end = formula.find('}', at);
        if (end != std::string_view::npos) each(at, formula.substr(at + kNum.size(), end - at - kNum.size()));
    }
}

/// In a formula, a number is set upright; a text as words.
std::string fill_formula(std::string_view formula, const ChapterContext& context, bool& missing) {
    std::string out;
    std::size_t done = 0;
    for_numbers(formula, [&](std::size_t at, std::string_view inside) {
        const auto value = shown_value(inside, context);
        out += formula.substr(done, at - done);
        if (!value || value->empty()) missing = true;
        out += "{\\word{" + (value && !value->empty() ? *value : std::string(kMissing)) + "}}";
        done = at + kNum.size() + inside.size() + 1;
    });
    return out + std::string(formula.substr(done));
}

struct RawBlock {
    ProseBlock::Kind kind;
    std::string text;
    int line;
};

std::vector<RawBlock> split_blocks(std::string_view markup) {
    std::vector<RawBlock> out;
    bool open = false, formula = false;
    int number = 0;
    while (!markup.empty()) {
        const std::size_t end = markup.find('\n');
        std::string_view line = markup.substr(0, end);
        markup.remove_prefix(end == std::string_view::npos ? markup.size() : end + 1);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        const std::string_view bare = line.substr(std::min(line.find_first_not_of(' '), line.size()));
        if (formula) {
            formula = !bare.ends_with("$$");
            out.back().text += " " + std::string(formula ? bare : bare.substr(0, bare.size() - 2));
        } else if (bare.empty()) {
            open = false;
        } else if (bare.starts_with("$$")) {
            // Up to the next "$$", which may be on a later line.
            formula = bare.size() < 4 || !bare.ends_with("$$");
            out.push_back(
                {ProseBlock::Kind::Formula, std::string(bare.substr(2, bare.size() - (formula ? 2 : 4))), number});
            open = false;
        } else if (bare.starts_with("- ")) {
            out.push_back({ProseBlock::Kind::Item, std::string(bare.substr(2)), number});
            open = true;
        } else if (open) {
            out.back().text += "\n" + std::string(bare);
        } else {
            out.push_back({ProseBlock::Kind::Paragraph, std::string(bare), number});
            open = true;
        }
        ++number;
    }
    return out;
}

}  // namespace

Prose parse_prose(std::string_view markup, const std::function<std::string(std::string_view)>& term,
                  std::vector<ProseError>& errors) {
    Prose prose;
    for (const RawBlock& raw : split_blocks(markup)) {
        ProseBlock block{raw.kind, {}};
        if (raw.kind == ProseBlock::Kind::Formula) {
            block.spans.push_back({SpanKind::Math, raw.text});
        } else {
            const std::function<void(std::string)> error = [&](std::string message) {
                errors.push_back({std::move(message), raw.line, 0});
            };
            InlineReader(prose, term, error).read(joined(raw.text), block.spans, -1, SpanKind::Plain);
        }
        prose.blocks.push_back(std::move(block));
    }
    return prose;
}

Prose fill_prose(const Prose& prose, const ChapterContext& context) {
    Prose out = prose;
    for (ProseBlock& block : out.blocks) {
        for (ProseSpan& span : block.spans) {
            if (span.kind == SpanKind::Math) span.text = fill_formula(span.text, context, span.missing);
            if (span.kind != SpanKind::Number) continue;
            const auto value = shown_value(span.text, context);
            span.missing = !value || value->empty();
            span.text = span.missing ? std::string(kMissing) : *value;
        }
    }
    return out;
}

std::string words_of(const Prose& prose) {
    std::string out;
    for (const ProseBlock& block : prose.blocks) {
        for (const ProseSpan& span : block.spans)
            if (span.kind == SpanKind::Plain || span.kind == SpanKind::Strong || span.kind == SpanKind::Code) out += span.text;
        out += "\n";
    }
    return out;
}

std::string text_of(const Prose& prose) {
    std::string out;
    for (const ProseBlock& block : prose.blocks) {
        if (!out.empty()) out += " ";
        for (const ProseSpan& span : block.spans) out += span.text;
    }
    return out;
}

std::vector<std::string> expressions_of(const Prose& prose) {
    std::vector<std::string> out;
    for (const ProseBlock& block : prose.blocks) {
        for (const ProseSpan& span : block.spans) {
            if (span.kind == SpanKind::Number) out.push_back(span.text);
            if (span.kind == SpanKind::Math)
                for_numbers(span.text, [&](std::size_t, std::string_view inside) { out.emplace_back(inside); });
        }
    }
    return out;
}

}  // namespace app
