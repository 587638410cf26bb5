#include "core/tokenizers/cut_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/effort.h"
#include "core/io/safe_text.h"
#include "core/text/unicode.h"
#include "core/tokenizers/byte_letters.h"

namespace attn::tokenizing {

namespace {

class WordPiece : public CutModel {
public:
    WordPiece(const VocabularyPtr& vocabulary, WordPieceChoices choices) : choices_(std::move(choices)) {
        std::vector<std::pair<std::string, int>> first, later;
        for (int id = 0; id < vocabulary->size(); ++id) {
            const std::string_view token = vocabulary->token(id);
            if (vocabulary->find(token) != id) continue;  // no token has this id, or a later one has the same text
            if (token.starts_with(choices_.prefix)) later.emplace_back(token.substr(choices_.prefix.size()), id);
            first.emplace_back(token, id);
        }
        first_ = SortedTokens(std::move(first));
        later_ = SortedTokens(std::move(later));
    }

    Result<Done> cut(std::string_view text, std::vector<Cut>& out) const override {
        const std::size_t before = out.size();
        const bool fits = code_points(text) <= static_cast<std::size_t>(choices_.longest_word);
        for (std::size_t at = 0; fits && at < text.size();) {
            std::size_t length = 0;
            int id = 0;
            (at == 0 ? first_ : later_).each_prefix(text.substr(at), [&](std::size_t n, int found) {
                length = n;
                id = found;
            });
            if (length == 0) break;
            out.push_back({id, at, at + length});
            at += length;
        }
        const bool whole = out.size() > before && out.back().end == text.size();
        if (!whole) {
            out.resize(before);
            out.push_back({choices_.unknown, 0, text.size(), true});
        }
        return Done{};
    }

private:
    WordPieceChoices choices_;
    SortedTokens first_, later_;
};

class WordLevel : public CutModel {
public:
    WordLevel(VocabularyPtr vocabulary, std::optional<int> unknown)
        : vocabulary_(std::move(vocabulary)), unknown_(*vocabulary_, unknown, false, false) {}

    Result<Done> cut(std::string_view text, std::vector<Cut>& out) const override {
        const auto id = vocabulary_->find(text);
        if (!id) return unknown_.take(text, 0, text.size(), out);
        out.push_back({*id, 0, text.size()});
        return Done{};
    }

private:
    VocabularyPtr vocabulary_;
    Unknown unknown_;
};

class Wider : public CutModel {
public:
    Wider(std::unique_ptr<const CutModel> model, int size, std::optional<int> unknown) : model_(std::move(model)), size_(size) {
        unknown_.id = unknown;
    }

    Result<Done> cut(std::string_view text, std::vector<Cut>& out) const override {
        std::vector<Cut> cuts;
        if (auto done = model_->cut(text, cuts); !done) return done;
        for (const Cut& cut : cuts)
            if (cut.id < size_)
                out.push_back(cut);
            else if (auto done = unknown_.take(text, cut.begin, cut.end, out); !done)
                return done;
        return Done{};
    }

private:
    std::unique_ptr<const CutModel> model_;
    int size_;
    Unknown unknown_;
};

}  // namespace

Unknown::Unknown(const Vocabulary& vocabulary, std::optional<int> unknown, bool use_bytes, bool fuse_neighbours)
    : id(unknown), fuse(fuse_neighbours) {
    for (int byte = 0; use_bytes && byte < 256; ++byte) {
        const auto found = vocabulary.find(fallback_token(static_cast<std::uint8_t>(byte)));
        bytes.push_back(found.value_or(-1));
    }
}

Result<Done> Unknown::take(std::string_view text, std::size_t begin, std::size_t end, std::vector<Cut>& out) const {
    const auto byte_id = [&](std::size_t at) { return bytes[static_cast<unsigned char>(text[at])]; };
    bool all = !bytes.empty();
    for (std::size_t at = begin; all && at < end; ++at) all = byte_id(at) >= 0;
    if (all) {
        for (std::size_t at = begin; at < end; ++at) out.push_back({byte_id(at), at, at + 1});
        return Done{};
    }
    if (!id)
        return Error{fmt::format("the vocabulary has no token for {}, and none for what is unknown",
                                 in_quotes(text.substr(begin, end - begin))),
                     "", "", 0};
    if (fuse && !out.empty() && out.back().unknown && out.back().end == begin && begin > 0)
        out.back().end = end;
    else
        out.push_back({*id, begin, end, true});
    return Done{};
}

std::unique_ptr<CutModel> make_wordpiece(const VocabularyPtr& vocabulary, WordPieceChoices choices) {
    return std::make_unique<WordPiece>(vocabulary, std::move(choices));
}

std::unique_ptr<CutModel> make_wider(std::unique_ptr<const CutModel> model, int size, std::optional<int> unknown) {
    return std::make_unique<Wider>(std::move(model), size, unknown);
}

std::unique_ptr<CutModel> make_wordlevel(VocabularyPtr vocabulary, std::optional<int> unknown) {
    return std::make_unique<WordLevel>(std::move(vocabulary), unknown);
}

}  // namespace attn::tokenizing
