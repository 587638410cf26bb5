#include "tests/frames/record_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

#include "core/io/files.h"
#include "tests/frames/record_compare.h"

namespace frames {
namespace {

constexpr std::size_t kMostBytesOfRecords = 16u << 20;  // of one file
constexpr std::size_t kShortest = 3;
constexpr std::string_view kFrame = "== ", kCopy = "= ";

void append(std::string& out, const Record& before, const Record& record) {
    const std::vector<int> partner =
        matched(record, before, [](std::string_view a, std::string_view b) { return a == b; });
    for (std::size_t i = 0; i < record.size();) {
        std::size_t run = 0;
        while (i + run < record.size() && partner[i] >= 0 && partner[i + run] == partner[i] + static_cast<int>(run))
            ++run;
        if (run < kShortest) run = 0;  // a shorter reference would save nothing, and the line itself is easier to read
        if (run > 0)
            out += fmt::format("{}{} {}\n", kCopy, partner[i], run);
        else
            out += record[i] + '\n';
        i += std::max(run, std::size_t{1});
    }
}

/// False if there are no such lines.
bool copy(std::string_view range, const Record& before, Record& record) {
    std::size_t first = 0, count = 0;
    const char* end = range.data() + range.size();
    const auto [space, error] = std::from_chars(range.data(), end, first);
    if (error != std::errc() || space == end || std::from_chars(space + 1, end, count).ptr != end) return false;
    if (first > before.size() || count > before.size() - first) return false;
    record.insert(record.end(), before.begin() + static_cast<std::ptrdiff_t>(first),
                  before.begin() + static_cast<std::ptrdiff_t>(first + count));
    return true;
}

}  // namespace

std::string records_to_text(const Records& records) {
    std::string out;
    const Record none;
    for (std::size_t i = 0; i < records.size(); ++i) {
        out += fmt::format("{}{}\n", kFrame, records[i].first);
        append(out, i == 0 ? none : records[i - 1].second, records[i].second);
    }
    return out;
}

Records records_from_text(std::string_view text) {
    Records out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with(kFrame)) {
            out.push_back({std::string(line.substr(kFrame.size())), {}});
        } else if (out.empty()) {
            return {};
        } else if (line.starts_with(kCopy)) {
            if (out.size() < 2 || !copy(line.substr(kCopy.size()), out[out.size() - 2].second, out.back().second))
                return {};
        } else {
            out.back().second.emplace_back(line);
        }
    }
    return out;
}

Records read_records(const std::filesystem::path& file) {
    const auto bytes = attn::read_file(file, kMostBytesOfRecords);
    return bytes ? records_from_text(*bytes) : Records{};
}

void write_records(const std::filesystem::path& file, const Records& records) {
    std::filesystem::create_directories(file.parent_path());
    const auto written = attn::atomic_write(file, records_to_text(records));
    ASSERT_TRUE(written) << written.error().text();
}

const Record* find(const Records& records, std::string_view name) {
    const auto found = std::find_if(records.begin(), records.end(), [&](const auto& one) { return one.first == name; });
    return found == records.end() ? nullptr : &found->second;
}

}  // namespace frames
