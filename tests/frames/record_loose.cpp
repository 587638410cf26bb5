#include "tests/frames/record_loose.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

#include "core/text/unicode.h"

namespace frames {
namespace {

/// The dots under a word with a meaning are as many as its width needs: items of this size or smaller are ignored, in pixels.
constexpr float kDotWidth = 2.5f, kDotHeight = 1.2f;
/// An item that follows a line's end onto the next line moves down by a line and back by most of its length, in pixels.
constexpr float kLineDown = 10, kLineBack = 100;
constexpr char32_t kFirstChinese = 0x2e80;

/// An item, or one word of a text: what it is, and its numbers that depend on places.
struct Piece {
    std::string what;            ///< as a line of a record, without places
    std::vector<float> numbers;  ///< empty for the words of a text after its first
    std::size_t line = 0;        ///< of the record
    bool is_text = false;
    bool along = false;  ///< numbers are places alone, x and y alternating; otherwise x and y, then lengths
};

std::string_view next_word(std::string_view& rest) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

std::optional<float> number_in(std::string_view word) {
    float value = 0;
    const char* const end = word.data() + word.size();
    if (word.empty() || std::from_chars(word.data(), end, value).ptr != end) return std::nullopt;
    return value;
}

/// The next word of a text, up to a space; a Chinese character is a word, because lines break after each.
std::string_view predict_written(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    std::size_t end = 0;
    while (end < rest.size() && rest[end] != ' ') {
        const attn::CodePoint code = attn::decode_utf8(rest, end);
        if (code.value >= kFirstChinese && end > 0) break;
        end += code.length;
        if (code.value >= kFirstChinese) break;
    }
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

/// Of a line without its text.
struct Head {
    std::string what;
    std::vector<float> numbers;
    std::vector<std::string_view> colors;
    float step = 0;  ///< of a row of cells
};

Head head_of(std::string_view line) {
    Head head;
    head.what = next_word(line);
    while (!line.empty()) {
        const std::string_view word = next_word(line);
        if (const auto plain = number_in(word)) {
            head.numbers.push_back(*plain);
            continue;
        }
        // "r3", "w1.5": whether the item has one, and how large; which corners are round is not a length.
        const auto named = word.size() > 1 && word[0] != 'c' && word[0] != '#' ? number_in(word.substr(1)) : std::nullopt;
        if (named && word[0] == 's') {
            head.step = *named;
            continue;
        }
        if (named) head.numbers.push_back(*named);
        if (word[0] == '#') head.colors.push_back(word);
        (head.what += ' ') += named ? word.substr(0, 1) : word;
    }
    return head;
}

void add_text(std::vector<Piece>& out, std::string_view line, std::size_t number) {
    const std::size_t quote = line.find(" \"");
    if (quote == std::string_view::npos || line.size() < quote + 3) return;
    const Head head = head_of(line.substr(0, quote));
    std::string_view rest = line.substr(quote + 2, line.size() - quote - 3);
    for (std::vector<float> numbers = head.numbers; !rest.empty(); numbers.clear()) {
        const std::string_view word = predict_written(rest);
        if (!word.empty()) out.push_back({head.what + " \"" + std::string(word) + '"', numbers, number, true, false});
    }
}

/// A row of cells is listed cell by cell, because its place determines where it is cut.
void add_cells(std::vector<Piece>& out, const Head& head, std::size_t number) {
    const bool round = head.numbers.size() > 4;
    for (std::size_t i = 0; i < head.colors.size(); ++i) {
        std::vector<float> numbers = head.numbers;
        numbers[0] += head.step * static_cast<float>(i);
        out.push_back({"fill " + std::string(head.colors[i]) + (round ? " r" : ""), std::move(numbers), number, false, false});
    }
}

std::vector<Piece> pieces_of(const Record& record) {
    std::vector<Piece> out;
    for (std::size_t i = 0; i < record.size(); ++i) {
        const std::string_view line = record[i];
        if (line.starts_with("clip ")) continue;  // where something is cut depends on its place
        if (line.starts_with("row ")) {
            out.push_back({record[i], {}, i, false, false});
            continue;
        }
        if (line.starts_with("text ")) {
            add_text(out, line, i);
            continue;
        }
        Head head = head_of(line);
        const bool cells = line.starts_with("cells "), fill = cells || line.starts_with("fill ");
        if (fill && head.numbers.size() >= 4 && head.numbers[2] < kDotWidth && head.numbers[3] < kDotHeight) continue;
        if (cells && head.numbers.size() >= 4) {
            add_cells(out, head, i);
            continue;
        }
        const bool along = line.starts_with("line ") || line.starts_with("polygon ") || line.starts_with("ribbon ");
        out.push_back({std::move(head.what), std::move(head.numbers), i, false, along});
    }
    return out;
}

Record record_of_pieces(const std::vector<Piece>& pieces) {
    Record out;
    for (const Piece& piece : pieces) out.push_back(piece.what);
    return out;
}

/// From the end of one line to the start of the next, or back.
bool changed_lines(const Piece& one, const Piece& other) {
    if (one.along || one.numbers.size() < 2 || other.numbers.size() < 2) return false;
    const float right = other.numbers[0] - one.numbers[0], down = other.numbers[1] - one.numbers[1];
    return right * down < 0 && std::fabs(right) >= kLineBack && std::fabs(down) >= kLineDown;
}

/// Both, and for each piece of `expected` the piece of `found`.
struct Pairs {
    std::vector<Piece> expected, found;
    std::vector<int> partner;

    Pairs(const Record& one, const Record& other) : expected(pieces_of(one)), found(pieces_of(other)) {
        partner = matched(record_of_pieces(expected), record_of_pieces(found), same_line);
    }
    /// The pieces without a partner, in order: of one record, or of the other.
    void each_alone(const std::function<void(const Piece& piece, bool is_expected)>& take) const {
        std::size_t j = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (partner[i] < 0) {
                take(expected[i], true);
                continue;
            }
            for (; j < static_cast<std::size_t>(partner[i]); ++j) take(found[j], false);
            ++j;
        }
        for (; j < found.size(); ++j) take(found[j], false);
    }
    /// A line of text begins in one record where it continues in the other, or an item moved onto another line, or is in one
    /// record only.
    bool wraps() const {
        if (std::count(partner.begin(), partner.end(), -1) > 0 || expected.size() != found.size()) return true;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (partner[i] < 0 || !expected[i].is_text) continue;
            const Piece& other = found[static_cast<std::size_t>(partner[i])];
            if (expected[i].numbers.empty() != other.numbers.empty() || changed_lines(expected[i], other)) return true;
        }
        return false;
    }
};

bool in_place(const Piece& one, const Piece& other, float limit, bool wraps) {
    if (one.numbers.empty() || other.numbers.empty()) return true;  // in a line that breaks elsewhere the place is its first word's
    if (one.numbers.size() != other.numbers.size()) return false;
    const std::size_t first = wraps && changed_lines(one, other) ? 2 : 0;
    for (std::size_t i = first; i < one.numbers.size(); ++i)
        if (std::fabs(one.numbers[i] - other.numbers[i]) > limit) return false;
    return true;
}

/// A line that depends on the widths of letters, and its message if it is not known.
struct Moved {
    std::string line;
    Change change;
};

std::vector<Moved> all_moved(const Record& expected, const Record& found, Looseness looseness) {
    const Pairs pairs(expected, found);
    std::vector<Moved> out;
    pairs.each_alone([&](const Piece& piece, bool is_expected) {
        if (is_expected)
            out.push_back({"- " + piece.what, {piece.what, {}}});
        else
            out.push_back({"+ " + piece.what, {{}, piece.what}});
    });
    const bool wraps = pairs.wraps();
    const float limit = wraps ? looseness.wrapped : looseness.place;
    std::size_t moved_from = found.size();
    for (std::size_t i = 0; i < pairs.expected.size(); ++i) {
        if (pairs.partner[i] < 0) continue;
        const Piece& one = pairs.expected[i];
        const Piece& other = pairs.found[static_cast<std::size_t>(pairs.partner[i])];
        // The cells of one row are reported once.
        if (in_place(one, other, limit, wraps) || moved_from == other.line) continue;
        moved_from = other.line;
        out.push_back({"@ " + found[other.line], {expected[one.line], found[other.line]}});
    }
    return out;
}

}  // namespace

Looseness looseness_of(double ratio) {
    // Text moves items after it on a line, or by half of its line on either side; an item has up to some 140 pixels of
    // letters before it (a caption of 280 in the middle, a row label, a button). Rounding is added to this.
    constexpr double kLettersBefore = 140, kRounding = 2, kMostRatio = 1.25;
    // Three lines of prose: a paragraph, a row of buttons and a caption may each take one more.
    constexpr float kThreeLines = 64;
    const auto place = static_cast<float>(kRounding + kLettersBefore * (std::min(ratio, kMostRatio) - 1));
    return {place, std::max(kThreeLines, place)};
}

Record moved_by_widths(const Record& expected, const Record& found, Looseness looseness) {
    Record out;
    for (const Moved& one : all_moved(expected, found, looseness)) out.push_back(one.line);
    return out;
}

std::vector<Change> loose_changes(const Record& expected, const Record& found, Looseness looseness, const Record& known) {
    std::vector<Moved> moved = all_moved(expected, found, looseness);
    Record lines;
    for (const Moved& one : moved) lines.push_back(one.line);
    std::vector<char> is_known(lines.size());
    std::vector<Change> out;
    const std::vector<int> partner = matched(known, lines, same_line);
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (partner[i] < 0)
            out.push_back({known[i], {}});
        else
            is_known[static_cast<std::size_t>(partner[i])] = 1;
    }
    for (std::size_t i = 0; i < moved.size(); ++i)
        if (!is_known[i]) out.push_back(std::move(moved[i].change));
    return out;
}

}  // namespace frames
