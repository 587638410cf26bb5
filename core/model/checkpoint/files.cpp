#include "core/model/checkpoint/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/model/folder_names.h"
#include "core/base/random.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::size_t kMostIndex = std::size_t{64} << 20;
constexpr std::size_t kMostShards = 512;

}  // namespace

Result<CheckpointFiles> CheckpointFiles::open(const CheckpointSource& source) {
    CheckpointFiles out;
    const auto best = std::find_if(std::begin(kWeightFiles), std::end(kWeightFiles), [&](std::string_view file) { return source.has(file); });
    out.name_ = best == std::end(kWeightFiles) ? kShardIndex : *best;
    std::vector<std::string> files = {out.name_};
    if (out.name_.ends_with(".json"))
        if (auto read = out.read_index(source, files); !read) return read.error();
    for (const std::string& file : files)
        if (auto added = out.add(source, file); !added) return added.error();
    out.unwrap();
    return out;
}

Result<Done> CheckpointFiles::read_index(const CheckpointSource& source, std::vector<std::string>& files) {
    const auto bytes = source.bytes(name_, kMostIndex);
    if (!bytes) return bytes.error();
    fingerprint_ = hash_bytes(*bytes);
    const auto wrong = [&](std::string message, std::string key, int line) {
        return Error{std::move(message), source.where() + "/" + name_, std::move(key), line};
    };
    const auto root = parse_json(*bytes, {.max_bytes = kMostIndex});
    if (!root) return wrong(root.error().message, root.error().key, root.error().line);
    const JsonValue* map = root->find("weight_map");
    if (!map || map->kind != JsonKind::Object) return wrong("an object of tensors and their files is expected", "weight_map", root->line);
    std::set<std::string> names;
    for (const JsonMember& one : map->members) {
        const std::string& file = one.value.string;
        if (one.value.kind != JsonKind::String || file.empty() || file.find_first_of("/\\") != file.npos || file.starts_with("."))
            return wrong("the name of a file of this folder is expected", "weight_map." + visible(one.key), one.key_line);
        names.insert(file);
        file_of_.emplace(one.key, file);
    }
    if (names.size() > kMostShards)
        return wrong(fmt::format("{} files are more than the {} that are opened", names.size(), kMostShards), "weight_map", map->line);
    files.assign(names.begin(), names.end());
    return Done{};
}

/// Adds the tensors of one file, except those that the index assigns to another.
Result<Done> CheckpointFiles::add(const CheckpointSource& source, const std::string& name) {
    const std::string where = source.where() + "/" + name;
    auto file = source.tensors(name);
    if (!file) {
        Error error = file.error();
        error.where = where;
        return error;
    }
    const std::uint64_t written = source.version(name);
    for (const TensorPlace& place : file->header().tensors) {
        fingerprint_ = fingerprint_ * 31 ^ hash_bytes(place.name) ^ place.end ^ written;
        const auto named = file_of_.find(place.name);
        if (named != file_of_.end() && named->second != name) continue;
        if (!tensors_.emplace(place.name, Stored{opened_.size(), &place}).second)
            return Error{"it stands in two files", where, visible(place.name), 0};
    }
    opened_.push_back(std::move(*file));
    return Done{};
}

void CheckpointFiles::unwrap() {
    constexpr std::string_view kWrappers[] = {"_orig_mod.", "module."};
    for (bool again = !tensors_.empty(); again;) {
        again = false;
        for (const std::string_view wrapper : kWrappers) {
            if (!std::all_of(tensors_.begin(), tensors_.end(), [&](const auto& one) { return one.first.starts_with(wrapper); })) continue;
            std::map<std::string, Stored, std::less<>> bare;
            for (const auto& [name, lies] : tensors_) bare.emplace(name.substr(wrapper.size()), lies);
            tensors_ = std::move(bare);
            again = true;
        }
    }
}

Result<bool> CheckpointFiles::same(std::string_view a, std::string_view b) const {
    const Stored &one = at(a), &other = at(b);
    return TensorFile::same(opened_[one.file], *one.place, opened_[other.file], *other.place);
}

}  // namespace attn
