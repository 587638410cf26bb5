#include "core/tokenizers/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/effort.h"
#include "core/io/safe_text.h"

namespace attn::tokenizing {

std::optional<std::string> Vocabulary::add(std::string_view token, std::int64_t id) {
    if (id < 0 || id > kLargestId)
        return fmt::format("{} has the id {}; ids are whole numbers from 0 to {}", in_quotes(token), id, kLargestId);
    if (has(static_cast<int>(id)))
        return fmt::format("{} has the id {}, which {} has, too", in_quotes(token), id,
                           in_quotes(this->token(static_cast<int>(id))));
    if (ids_.contains(token)) return fmt::format("{} occurs in the vocabulary twice", in_quotes(token));
    put(token, static_cast<int>(id));
    return std::nullopt;
}

std::optional<std::string> Vocabulary::rename(std::string_view token, std::int64_t id) {
    if (id < 0 || id > kLargestId)
        return fmt::format("{} has the id {}; ids are whole numbers from 0 to {}", in_quotes(token), id, kLargestId);
    put(token, static_cast<int>(id));
    return std::nullopt;
}

void Vocabulary::put(std::string_view token, int id) {
    count_step();
    const auto at = static_cast<std::size_t>(id);
    if (at >= tokens_.size()) {
        tokens_.resize(at + 1);
        there_.resize(at + 1);
    }
    tokens_[at] = token;
    there_[at] = true;
    ids_.insert_or_assign(std::string(token), id);
}

std::optional<int> Vocabulary::find(std::string_view token) const {
    count_step();
    const auto found = ids_.find(token);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view Vocabulary::token(int id) const {
    return has(id) ? std::string_view(tokens_[static_cast<std::size_t>(id)]) : std::string_view();
}

SortedTokens::SortedTokens(std::vector<std::pair<std::string, int>> pieces) : pieces_(std::move(pieces)) {
    std::sort(pieces_.begin(), pieces_.end());
    pieces_.erase(
        std::unique(pieces_.begin(), pieces_.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
        pieces_.end());
    std::erase_if(pieces_, [](const auto& piece) { return piece.first.empty(); });
    for (const auto& [text, id] : pieces_) longest_ = std::max(longest_, text.size());
}

void SortedTokens::narrow(std::size_t depth, unsigned char byte, std::size_t& low, std::size_t& high) const {
    const auto next = [&](const std::pair<std::string, int>& piece) {
        count_step();
        return static_cast<unsigned char>(piece.first[depth]);
    };
    const auto begin = pieces_.begin();
    const auto first =
        std::partition_point(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high),
                             [&](const auto& piece) { return next(piece) < byte; });
    const auto last = std::partition_point(first, begin + static_cast<std::ptrdiff_t>(high),
                                           [&](const auto& piece) { return next(piece) == byte; });
    low = static_cast<std::size_t>(first - begin);
    high = static_cast<std::size_t>(last - begin);
}

}  // namespace attn::tokenizing
