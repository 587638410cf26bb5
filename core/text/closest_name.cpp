#include "core/text/closest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn {
namespace {

constexpr std::size_t kLongestName = 64;

std::size_t letters_to_change(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row.back();
}

}  // namespace

std::string closest_name(std::string_view name, const std::vector<std::string_view>& names) {
    const std::string_view query = name.substr(0, kLongestName);
    return std::string(*std::min_element(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
        return letters_to_change(query, a) < letters_to_change(query, b);
    }));
}

}  // namespace attn
