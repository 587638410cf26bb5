#include <algorithm>
#include <limits>

#include "core/base/effort.h"
#include "core/text/unicode.h"
#include "core/tokenizers/cut_model.h"

namespace attn::tokenizing {

namespace {

constexpr double kUnknownPenalty = 10;  // below the lowest score

class Unigram : public CutModel {
public:
    Unigram(VocabularyPtr vocabulary, const std::vector<Scored>& scores, UnigramChoices choices)
        : vocabulary_(std::move(vocabulary)), unknown_(*vocabulary_, choices.unknown, choices.byte_fallback, true), single_(choices.single) {
        std::vector<std::pair<std::string, int>> pieces;
        scores_.resize(static_cast<std::size_t>(vocabulary_->size()));
        double lowest = std::numeric_limits<double>::infinity();
        for (const Scored& scored : scores) {
            const std::string_view text = vocabulary_->token(scored.id);
            if (vocabulary_->find(text) == scored.id) pieces.emplace_back(text, scored.id);  // of equal ones the last
            scores_[static_cast<std::size_t>(scored.id)] = scored.score;
            lowest = std::min(lowest, scored.score);
        }
        unknown_score_ = (scores.empty() ? 0 : lowest) - kUnknownPenalty;
        if (single_) unknown_score_ = static_cast<double>(static_cast<float>(unknown_score_));
        pieces_ = SortedTokens(std::move(pieces));
    }

    Result<Done> cut(std::string_view text, std::vector<Cut>& out) const override {
        const std::vector<End> ends = best_ends(text);
        std::vector<Cut> backwards;
        for (std::size_t at = text.size(); at > 0; at = ends[at].begin)
            backwards.push_back({ends[at].id, ends[at].begin, at, ends[at].id < 0});
        std::vector<Cut> cuts;
        for (auto cut = backwards.rbegin(); cut != backwards.rend(); ++cut) {
            count_step();
            if (!cut->unknown) {
                cuts.push_back(*cut);
                continue;
            }
            auto last = cut;  // adjacent unknown characters are one token
            while (last + 1 != backwards.rend() && (last + 1)->unknown) ++last;
            if (auto done = unknown_.take(text, cut->begin, last->end, cuts); !done) return done.error();
            cut = last;
        }
        out.insert(out.end(), cuts.begin(), cuts.end());
        return Done{};
    }

private:
    /// The best way to split the text before a byte: its last token. -1: a character outside the vocabulary.
    struct End {
        double score = 0;
        std::size_t begin = 0;
        int id = -1;
        bool reached = false;
    };

    std::vector<End> best_ends(std::string_view text) const {
        std::vector<End> ends(text.size() + 1);
        const auto offer = [&](std::size_t begin, std::size_t end, double score, int id) {
            // SentencePiece compares before it rounds, except for the unknown token.
            double sum = ends[begin].score + score;
            const double rounded = single_ ? static_cast<double>(static_cast<float>(sum)) : sum;
            if (id < 0) sum = rounded;
            if (!ends[end].reached || sum > ends[end].score) ends[end] = {rounded, begin, id, true};
        };
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = decode_utf8(text, at).length;
            bool alone = false;
            pieces_.each_prefix(text.substr(at), [&](std::size_t n, int id) {
                count_step();
                // Tokens are whole UTF-8 texts, so none ends within a character.
                offer(at, at + n, scores_[static_cast<std::size_t>(id)], id);
                alone = alone || n == length;
            });
            if (!alone) offer(at, at + length, unknown_score_, -1);
            at += length;
        }
        return ends;
    }

    VocabularyPtr vocabulary_;
    Unknown unknown_;
    SortedTokens pieces_;
    std::vector<double> scores_;
    double unknown_score_ = 0;
    bool single_ = false;
};

}  // namespace

std::unique_ptr<CutModel> make_unigram(VocabularyPtr vocabulary, const std::vector<Scored>& scores,
                                       UnigramChoices choices) {
    return std::make_unique<Unigram>(std::move(vocabulary), scores, choices);
}

}  // namespace attn::tokenizing
