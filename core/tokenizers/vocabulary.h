#pragma once
// Tokens and their ids, and sorted tokens in which those that begin a text are found letter by letter.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"

namespace attn::tokenizing {

/// The largest id that is accepted: the largest vocabularies have 262,144 tokens.
inline constexpr int kLargestId = (1 << 22) - 1;

class Vocabulary {
public:
    /// Returns an error message for an id out of range, or one that another token has.
    std::optional<std::string> add(std::string_view token, std::int64_t id);
    /// Adds an added token, which may rename the token at its id. A token that already has another id is found by the
    /// new one.
    std::optional<std::string> rename(std::string_view token, std::int64_t id);

    std::optional<int> find(std::string_view token) const;
    /// "" if there is none.
    std::string_view token(int id) const;
    bool has(int id) const { return id >= 0 && id < size() && there_[static_cast<std::size_t>(id)]; }
    int size() const { return static_cast<int>(tokens_.size()); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    void put(std::string_view token, int id);

    std::vector<std::string> tokens_;
    std::vector<bool> there_;
    std::unordered_map<std::string, int, Hash, std::equal_to<>> ids_;
};

/// A set of texts with ids, sorted: as good as a trie, and built by one sort.
class SortedTokens {
public:
    SortedTokens() = default;
    explicit SortedTokens(std::vector<std::pair<std::string, int>> pieces);

    bool empty() const { return pieces_.empty(); }
    std::size_t longest() const { return longest_; }

    /// Calls found(length, id) for every token that is a prefix of `text`, the shortest first. Steps: the bytes of the
    /// longest, each with a logarithm of the number of tokens.
    template <class Found>
    void each_prefix(std::string_view text, Found found) const {
        std::size_t low = 0, high = pieces_.size();
        for (std::size_t depth = 0; low < high; ++depth) {
            const auto& [piece, id] = pieces_[low];
            if (depth > 0 && piece.size() == depth) {
                found(depth, id);
                ++low;
            }
            if (depth >= text.size()) return;
            narrow(depth, static_cast<unsigned char>(text[depth]), low, high);
        }
    }

private:
    /// Narrows the tokens [low, high), which agree in `depth` bytes, to those whose next byte is `byte`.
    void narrow(std::size_t depth, unsigned char byte, std::size_t& low, std::size_t& high) const;

    std::vector<std::pair<std::string, int>> pieces_;
    std::size_t longest_ = 0;
};

}  // namespace attn::tokenizing
