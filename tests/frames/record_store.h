#pragma once
// Records in files: golden/NAME.txt; frames that share much are in one file.

#include <filesystem>
#include <map>
#include <utility>

#include "tests/frames/record.h"

namespace frames {

/// The frames of a file by their names, in order.
using Records = std::vector<std::pair<std::string, Record>>;

/// "== NAME" before each frame; "= 12 40" stands for 40 lines of the previous frame, from its line 12 on (counted from 0).
std::string records_to_text(const Records& records);
/// Empty if the text is not in this format.
Records records_from_text(std::string_view text);

Records read_records(const std::filesystem::path& file);
void write_records(const std::filesystem::path& file, const Records& records);

const Record* find(const Records& records, std::string_view name);

}  // namespace frames
