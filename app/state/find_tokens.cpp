// Finds tokens by their letters and rows by their number.

#include <charconv>

#include "app/state/derived.h"

namespace app {

Found find_tokens(const AxisLabels& labels, std::string_view text) {
    Found found;
    const auto lower = [](std::string_view s) {
        std::string out(s);
        for (char& c : out)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return out;
    };
    if (text.empty()) return found;
    const bool colon = text.front() == ':';
    const std::string wanted = lower(text);
    const auto collect = [&](const std::vector<std::string>& names, std::vector<int>& out) {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (lower(names[i]).find(wanted) != std::string::npos) out.push_back(static_cast<int>(i));
    };
    if (!colon || text.size() == 1) {
        collect(labels.tokens, found.tokens);
        collect(labels.source_tokens, found.source);
        if (found.count() > 0) return found;
    }
    const std::string_view digits = text.substr(colon ? 1 : 0);
    int row = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), row);
    found.by_number = problem == std::errc() && end == digits.data() + digits.size();
    if (found.by_number && row >= 1 && row <= static_cast<int>(labels.tokens.size())) found.tokens = {row - 1};
    return found;
}

}  // namespace app
