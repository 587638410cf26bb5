#include "tests/frames/record_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace frames {
namespace {

constexpr std::size_t kListedChanges = 12;
/// The largest number of pairs of lines that are compared; longer stretches are paired in order.
constexpr std::size_t kMostPairs = 16'000'000;

bool is_hex(std::string_view s) {
    return !s.empty() && s.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// "#1F2533"; two colours are equal if each channel differs by at most one level.
bool same_levels(std::string_view a, std::string_view b) {
    if (a.size() != b.size() || a.size() % 2 != 0 || !is_hex(a) || !is_hex(b)) return false;
    for (std::size_t i = 0; i < a.size(); i += 2) {
        int one = 0, other = 0;
        std::from_chars(a.data() + i, a.data() + i + 2, one, 16);
        std::from_chars(b.data() + i, b.data() + i + 2, other, 16);
        if (std::abs(one - other) > 1) return false;
    }
    return true;
}

/// Without the text before a number: "r3" -> "3", "range=0" -> "0".
std::string_view number_of(std::string_view word) {
    const std::size_t first = word.find_first_of("-0123456789");
    return first == std::string_view::npos ? std::string_view() : word.substr(first);
}

/// A number that was written with a few digits, and the unit of its last place (0.1 if it has no decimal: places have one
/// decimal, which is left out if it is 0).
bool same_numbers(std::string_view a, std::string_view b) {
    double one = 0, other = 0;
    if (std::from_chars(a.data(), a.data() + a.size(), one).ptr != a.data() + a.size()) return false;
    if (std::from_chars(b.data(), b.data() + b.size(), other).ptr != b.data() + b.size()) return false;
    const auto unit = [](std::string_view s) {
        const std::size_t point = s.find('.');
        if (point == std::string_view::npos) return 0.1;
        return std::pow(10.0, -static_cast<double>(std::min(s.find_first_of("eE"), s.size()) - point - 1));
    };
    return std::fabs(one - other) <= 1.01 * std::min(unit(a), unit(b));
}

bool same_word(std::string_view a, std::string_view b) {
    if (a == b) return true;
    if (a.empty() || b.empty()) return false;
    if (a[0] == '#' && b[0] == '#') return same_levels(a.substr(1), b.substr(1));
    const std::string_view one = number_of(a), other = number_of(b);
    if (one.empty() || other.empty()) return false;
    if (a.substr(0, a.size() - one.size()) != b.substr(0, b.size() - other.size())) return false;
    // "range=0,1": each by itself.
    std::string_view x = one, y = other;
    while (true) {
        const std::size_t i = x.find(','), j = y.find(',');
        const std::string_view first = x.substr(0, i), second = y.substr(0, j);
        if (first != second && !same_numbers(first, second)) return false;
        if (i == std::string_view::npos || j == std::string_view::npos) return i == j;
        x.remove_prefix(i + 1), y.remove_prefix(j + 1);
    }
}

/// The next word; a text in quotes is one word.
std::string_view next(std::string_view& rest) {
    const std::size_t end = rest.starts_with('"') ? rest.size() : std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

std::string_view kind_of(std::string_view line) { return next(line); }

/// "\n       cell 3: #C8DBFD is #102030"; empty if the lines are no row of cells.
std::string cells_that_differ(std::string_view one, std::string_view other) {
    const bool colors = one.starts_with("cells "), levels = one.starts_with("row ");
    if (!colors && !levels) return {};
    std::string out;
    for (int cell = levels ? -1 : 1; !one.empty() && !other.empty();) {
        const std::string_view a = next(one), b = next(other);
        const bool counts = levels || a.starts_with('#');
        if (counts && cell > 0 && !same_levels(a.substr(colors), b.substr(colors)) && a != b)
            out += fmt::format("\n       cell {}: {} is {}", cell, a, b);
        if (counts) ++cell;
    }
    return out;
}

}  // namespace

bool same_line(std::string_view one, std::string_view other) {
    if (one == other) return true;
    const bool cells = one.starts_with("row ");
    if (kind_of(one) != kind_of(other)) return false;
    bool first = true;
    while (!one.empty() && !other.empty()) {
        const std::string_view a = next(one), b = next(other);
        // Of a map: "row", its number, its cells.
        const bool same = a == b || (cells ? !first && same_levels(a, b)
                                           : !a.starts_with('"') && !b.starts_with('"') && same_word(a, b));
        if (!same) return false;
        first = first && a == "row";
    }
    return one.empty() && other.empty();
}

std::string Change::text() const {
    if (expected.empty()) return "found, and not expected: " + found;
    if (found.empty()) return "expected, and not found: " + expected;
    return "expected: " + expected + "\n       found: " + found + cells_that_differ(expected, found);
}

std::vector<int> matched(const Record& expected, const Record& found, bool (*same)(std::string_view, std::string_view)) {
    std::vector<int> out(expected.size(), -1);
    std::size_t first = 0, end = expected.size(), end_found = found.size();
    for (; first < end && first < end_found && same(expected[first], found[first]); ++first)
        out[first] = static_cast<int>(first);
    for (; end > first && end_found > first && same(expected[end - 1], found[end_found - 1]); --end, --end_found)
        out[end - 1] = static_cast<int>(end_found - 1);
    const std::size_t n = end - first, m = end_found - first;
    if (n == 0 || m == 0) return out;
    if (n > kMostPairs / m) {
        for (std::size_t i = 0; i < std::min(n, m); ++i)
            if (same(expected[first + i], found[first + i])) out[first + i] = static_cast<int>(first + i);
        return out;
    }
    // How many lines match from i and j on.
    std::vector<std::uint16_t> common((n + 1) * (m + 1));
    std::vector<char> equal(n * m);
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t j = m; j-- > 0;) {
            const bool one = same(expected[first + i], found[first + j]);
            equal[i * m + j] = one;
            common[i * (m + 1) + j] =
                one ? static_cast<std::uint16_t>(common[(i + 1) * (m + 1) + j + 1] + 1)
                    : std::max(common[(i + 1) * (m + 1) + j], common[i * (m + 1) + j + 1]);
        }
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
        if (equal[i * m + j])
            out[first + i++] = static_cast<int>(first + j++);
        else if (common[(i + 1) * (m + 1) + j] >= common[i * (m + 1) + j + 1])
            ++i;
        else
            ++j;
    }
    return out;
}

std::vector<Change> changes(const Record& expected, const Record& found) {
    const std::vector<int> partner = matched(expected, found, same_line);
    std::vector<Change> out;
    std::size_t i = 0, j = 0;
    while (i < expected.size() || j < found.size()) {
        std::vector<std::string> gone, fresh;
        for (; i < expected.size() && partner[i] < 0; ++i) gone.push_back(expected[i]);
        const std::size_t until = i < expected.size() ? static_cast<std::size_t>(partner[i]) : found.size();
        for (; j < until; ++j) fresh.push_back(found[j]);
        std::size_t next_fresh = 0;
        for (std::string& line : gone) {
            const auto same_kind =
                std::find_if(fresh.begin() + static_cast<std::ptrdiff_t>(next_fresh), fresh.end(),
                             [&](const std::string& other) { return kind_of(line) == kind_of(other); });
            if (same_kind == fresh.end()) {
                out.push_back({std::move(line), {}});
                continue;
            }
            const auto at = static_cast<std::size_t>(same_kind - fresh.begin());
            for (; next_fresh < at; ++next_fresh) out.push_back({{}, std::move(fresh[next_fresh])});
            out.push_back({std::move(line), std::move(fresh[next_fresh++])});
        }
        for (; next_fresh < fresh.size(); ++next_fresh) out.push_back({{}, std::move(fresh[next_fresh])});
        if (i < expected.size()) ++i, ++j;
    }
    return out;
}

std::string text_of_changes(const std::vector<Change>& changes) {
    if (changes.empty()) return {};
    std::string out = fmt::format("{} of what is drawn differs:", changes.size());
    for (std::size_t i = 0; i < std::min(changes.size(), kListedChanges); ++i) out += "\n  " + changes[i].text();
    if (changes.size() > kListedChanges) out += fmt::format("\n  and {} more", changes.size() - kListedChanges);
    return out;
}

}  // namespace frames
