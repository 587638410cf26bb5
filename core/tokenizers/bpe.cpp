#include <algorithm>
#include <queue>

#include "core/base/effort.h"
#include "core/text/unicode.h"
#include "core/tokenizers/cut_model.h"

namespace attn::tokenizing {

namespace {

std::uint64_t pair_key(int left, int right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

/// A symbol on its way to a token: a node of a linked list. An empty one (`begin == end`) was merged into its
/// predecessor.
struct Symbol {
    int id = 0;
    int before = -1, after = -1;
    std::size_t begin = 0, end = 0;
    bool unknown = false;
};

struct Candidate {
    int rank = 0;
    int at = 0;  ///< the left symbol
    int made = 0;
    int left = 0, right = 0;  ///< the ids at the time; the candidate is stale if they have changed
};
struct Later {
    bool operator()(const Candidate& a, const Candidate& b) const {
        count_step();
        return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
    }
};

class Bpe : public CutModel {
public:
    Bpe(VocabularyPtr vocabulary, const std::vector<Merge>& merges, BpeChoices choices)
        : vocabulary_(std::move(vocabulary)),
          choices_(std::move(choices)),
          unknown_(*vocabulary_, choices_.unknown, choices_.byte_fallback, choices_.fuse_unknown) {
        merges_.reserve(merges.size());
        for (const Merge& merge : merges)
            merges_.try_emplace(pair_key(merge.left, merge.right), Made{merge.rank, merge.made});
    }

    Result<Done> cut(std::string_view text, std::vector<Cut>& out) const override {
        if (choices_.ignore_merges)
            if (const auto whole = vocabulary_->find(text)) {
                out.push_back({*whole, 0, text.size()});
                return Done{};
            }
        std::vector<Symbol> symbols;
        if (auto done = begin_with(text, symbols); !done) return done.error();
        merge_all(symbols);
        for (const Symbol& symbol : symbols)
            if (symbol.begin < symbol.end) out.push_back({symbol.id, symbol.begin, symbol.end, symbol.unknown});
        return Done{};
    }

private:
    struct Made {
        int rank = 0;
        int id = 0;
    };

    /// Splits the text into one symbol per character.
    Result<Done> begin_with(std::string_view text, std::vector<Symbol>& symbols) const {
        std::vector<Cut> cuts;
        std::string spelled;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = at + decode_utf8(text, at).length;
            spelled.clear();
            if (at > 0) spelled += choices_.prefix;
            spelled += text.substr(at, end - at);
            if (end == text.size()) spelled += choices_.suffix;
            if (const auto id = vocabulary_->find(spelled))
                cuts.push_back({*id, at, end});
            else if (auto done = unknown_.take(text, at, end, cuts); !done)
                return done.error();
            at = end;
        }
        const int count = static_cast<int>(cuts.size());
        symbols.reserve(cuts.size());
        for (int i = 0; i < count; ++i) {
            const Cut& cut = cuts[static_cast<std::size_t>(i)];
            symbols.push_back({cut.id, i - 1, i + 1 < count ? i + 1 : -1, cut.begin, cut.end, cut.unknown});
        }
        return Done{};
    }

    void merge_all(std::vector<Symbol>& symbols) const {
        std::priority_queue<Candidate, std::vector<Candidate>, Later> queue;
        const auto symbol = [&](int at) -> Symbol& { return symbols[static_cast<std::size_t>(at)]; };
        const auto offer = [&](int at) {
            if (at < 0 || symbol(at).after < 0) return;
            const int left = symbol(at).id, right = symbol(symbol(at).after).id;
            count_step();
            const auto found = merges_.find(pair_key(left, right));
            if (found != merges_.end()) queue.push({found->second.rank, at, found->second.id, left, right});
        };
        for (int i = 0; i + 1 < static_cast<int>(symbols.size()); ++i) offer(i);
        while (!queue.empty()) {
            const Candidate best = queue.top();
            queue.pop();
            Symbol& left = symbol(best.at);
            if (left.begin == left.end || left.after < 0) continue;
            Symbol& right = symbol(left.after);
            if (left.id != best.left || right.id != best.right) continue;
            left.id = best.made;
            left.end = right.end;
            left.unknown = false;
            left.after = right.after;
            right.end = right.begin;
            if (left.after >= 0) symbol(left.after).before = best.at;
            offer(left.before);
            offer(best.at);
        }
    }

    VocabularyPtr vocabulary_;
    BpeChoices choices_;
    Unknown unknown_;
    std::unordered_map<std::uint64_t, Made> merges_;
};

}  // namespace

std::unique_ptr<CutModel> make_bpe(VocabularyPtr vocabulary, const std::vector<Merge>& merges, BpeChoices choices) {
    return std::make_unique<Bpe>(std::move(vocabulary), merges, std::move(choices));
}

std::vector<Merge> merges_by_score(const Vocabulary& vocabulary, const std::vector<std::pair<int, double>>& scores) {
    auto order = scores;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<Merge> out;
    int rank = -1;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || order[i].second < order[i - 1].second) ++rank;
        const std::string_view piece = vocabulary.token(order[i].first);
        for (std::size_t at = piece.empty() ? 0 : decode_utf8(piece, 0).length; at < piece.size();
             at += decode_utf8(piece, at).length) {
            const auto left = vocabulary.find(piece.substr(0, at)), right = vocabulary.find(piece.substr(at));
            if (left && right) out.push_back({*left, *right, rank, order[i].first});
        }
    }
    return out;
}

}  // namespace attn::tokenizing
