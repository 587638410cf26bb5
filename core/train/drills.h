#pragma once
// Helpers for making examples of tasks: a vocabulary, letters, random draws.

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/gradient/gradient.h"
#include "core/train/form.h"

namespace attn::train::task {

/// Words and their ids.
class Vocabulary {
public:
    explicit Vocabulary(std::string_view spaced) {
        for (std::size_t at = 0; at < spaced.size();) {
            const std::size_t end = std::min(spaced.find(' ', at), spaced.size());
            if (end > at) add(spaced.substr(at, end - at));
            at = end + 1;
        }
    }
    Vocabulary() = default;
    /// The word's id, new or existing.
    int add(std::string_view word) {
        const auto [at, fresh] = numbers_.emplace(std::string(word), static_cast<int>(words_.size()));
        if (fresh) words_.emplace_back(word);
        return at->second;
    }
    int operator[](std::string_view word) const {
        const auto at = numbers_.find(word);
        assert(at != numbers_.end());
        return at->second;
    }
    const std::vector<std::string>& words() const { return words_; }
    int size() const { return static_cast<int>(words_.size()); }

private:
    std::vector<std::string> words_;
    std::map<std::string, int, std::less<>> numbers_;
};

inline int below(Random& random, int count) { return static_cast<int>(random.uniform() * count); }
inline bool chance(Random& random, double p) { return random.uniform() < p; }

/// `count` different numbers below `of`, in random order.
inline std::vector<int> different_numbers(Random& random, int count, int of) {
    std::vector<int> all(static_cast<std::size_t>(of));
    for (int i = 0; i < of; ++i) all[static_cast<std::size_t>(i)] = i;
    for (int i = 0; i < count; ++i) std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i + below(random, of - i))]);
    all.resize(static_cast<std::size_t>(count));
    return all;
}

/// The numbers as text: the key that identifies an example.
inline std::string key_of(const std::vector<int>& words) {
    std::string out;
    for (const int word : words) out += std::to_string(word) + " ";
    return out;
}

inline constexpr std::string_view kLetters = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
inline constexpr int kLetterCount = 26;

/// The size that the options name.
inline const TaskSize& chosen_size(std::span<const TaskSize> sizes, const TaskOptions& options) {
    for (const TaskSize& size : sizes)
        if (size.id == options.size) return size;
    return sizes.front();
}

}  // namespace attn::train::task
