#include "app/shell/child_words.h"

#include <charconv>

namespace app {
namespace {

constexpr std::string_view kProgress = "progress ";
/// The most of its standard error that is kept.
constexpr std::size_t kMostSaid = 8192;

}  // namespace

void ChildWords::hear(std::string_view more, const ChildJob& job) {
    line += more;
    for (std::size_t end; (end = line.find('\n')) != std::string::npos; line.erase(0, end + 1)) {
        const std::string_view text = std::string_view(line).substr(0, end);
        float share = 0;
        if (!text.starts_with(kProgress) || !job.progress) continue;
        const std::string_view number = text.substr(kProgress.size());
        if (std::from_chars(number.data(), number.data() + number.size(), share).ec == std::errc()) job.progress(share);
    }
    if (line.size() > kMostSaid) line.clear();
}

void ChildWords::hear_error(std::string_view more) {
    said += more;
    if (said.size() > kMostSaid) said.erase(0, said.size() - kMostSaid);
}

std::string ChildWords::last_line() const {
    std::string_view last = said;
    while (last.ends_with('\n')) last.remove_suffix(1);
    if (const std::size_t before = last.rfind('\n'); before != std::string_view::npos) last.remove_prefix(before + 1);
    constexpr std::string_view kName = "attenscope: ";
    return std::string(last.starts_with(kName) ? last.substr(kName.size()) : last);
}

}  // namespace app
