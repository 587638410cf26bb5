#include <fmt/format.h>

#include "core/io/safe_text.h"
#include "core/io/sniff.h"
#include "core/tokenizers/charsmap.h"
#include "core/tokenizers/readers.h"
#include "core/tokenizers/sentencepiece_file.h"

namespace attn::tokenizing {

namespace {

constexpr std::string_view kSpaceMark = "\u2581";
constexpr int kExtraIds = 100;  // of T5

/// Removes spaces at the ends, and repeated ones.
AlignedText without_extra_spaces(const AlignedText& text) {
    AlignedText out;
    bool space = true;  // none at the beginning
    for (std::size_t i = 0; i < text.text.size(); ++i) {
        const bool blank = text.text[i] == ' ';
        if (!blank || !space) out.append(text, i, i + 1);
        space = blank;
    }
    if (!out.empty() && out.text.back() == ' ') {
        out.text.pop_back();
        out.from.pop_back();
    }
    return out;
}

struct Spaces {
    bool remove_extra, prefix, first_only, escape;
};

Normalizer sentencepiece_normalizer(std::shared_ptr<const Charsmap> map, Spaces spaces) {
    return [map = std::move(map), spaces, space = Search(" ")](AlignedText& text, Effort& effort) -> Result<Done> {
        const bool first = text.from.empty() || text.from.front().begin == 0;
        if (map) text = map->longest(text, effort.most);
        if (auto done = effort.check_size(text.text.size()); !done) return done;
        if (spaces.remove_extra) text = without_extra_spaces(text);
        if (text.empty()) return Done{};
        if (spaces.prefix && (first || !spaces.first_only)) text.prepend(" ");
        if (spaces.escape) text = replace_matches(text, *space.find_all(text.text, effort), kSpaceMark);
        return Done{};
    };
}

/// As Hugging Face's AlbertTokenizerFast: both kinds of quotes in pairs become one, accents and capitals go,
/// unless its settings keep them.
Normalizer folding(bool lowercase, bool strip_accents) {
    const Normalizer fold = bert_normalizer({.clean = false, .set_han_apart = false, .strip_accents = strip_accents, .lowercase = lowercase});
    return [fold, open = Search("``"), close = Search("''")](AlignedText& text, Effort& effort) -> Result<Done> {
        for (const Search* quotes : {&open, &close})
            if (auto done = replace_found(text, *quotes, "\"", effort); !done) return done;
        return fold(text, effort);
    };
}
/// As in Hugging Face's MarianTokenizer: where a text begins with ">>", everything up to the first "<<" is one token,
/// which SentencePiece never sees. (Earlier versions used a pattern, ">>.+<<", and also removed codes in the middle.
/// Texts as these models expect them, with one code in front, are split alike.)
TakeFirst take_language_code(VocabularyPtr vocabulary, std::optional<int> unknown) {
    const Unknown stand_in(*vocabulary, unknown, false, false);
    return [vocabulary = std::move(vocabulary), stand_in](AlignedText& text, Chunks& out) -> Result<Done> {
        constexpr std::string_view kOpen = ">>", kClose = "<<";
        const std::string_view all = text.text;
        const std::size_t close = all.starts_with(kOpen) ? all.find(kClose) : std::string_view::npos;
        if (close == std::string_view::npos) return Done{};
        const std::size_t end = close + kClose.size();
        std::vector<Cut> cuts;
        if (const auto id = vocabulary->find(all.substr(0, end)))
            cuts.push_back({*id, 0, end});
        else if (auto done = stand_in.take(all, 0, end, cuts); !done)
            return done;
        out.push_back({text.part(0, end), cuts.front().id, cuts.front().unknown});
        text = text.part(end, all.size());
        return Done{};
    };
}

/// The checkpoint's ids of tokens.
class PieceIds {
public:
    PieceIds(const TokenizerClass& row, const Vocabulary* given) : row_(row), given_(given) {}

    std::optional<std::int64_t> of(std::size_t place, const std::string& piece) const {
        if (given_) {
            const auto id = given_->find(piece);
            return id ? std::optional<std::int64_t>(*id) : std::nullopt;
        }
        auto out = static_cast<std::int64_t>(place) + row_.later;
        std::int64_t first = 0;
        each_word(row_.first, [&](std::string_view token) {
            if (token == piece) out = first;
            ++first;
        });
        return out;
    }

private:
    const TokenizerClass& row_;
    const Vocabulary* given_;
};

/// All about the tokens: the vocabulary, the added tokens, scores.
struct Gathered {
    std::shared_ptr<Vocabulary> own = std::make_shared<Vocabulary>();
    std::vector<AddedToken> added;
    std::vector<Scored> scores;
    std::optional<int> unknown;
    /// Pieces that SentencePiece splits by although vocab.json has no id for them: these tokens are unknown to the
    /// model. As in Hugging Face's MarianTokenizer, where SentencePiece splits and then each token is looked up.
    std::vector<const SentencePieceEntry*> beyond;
};

std::optional<std::string> gather(const SentencePieceFile& file, const PieceIds& ids, Gathered& out) {
    for (std::size_t place = 0; place < file.pieces.size(); ++place) {
        const SentencePieceEntry& entry = file.pieces[place];
        const auto id = ids.of(place, entry.piece);
        if (!id) {
            if (entry.type == SentencePieceType::Normal || entry.type == SentencePieceType::Byte) out.beyond.push_back(&entry);
            continue;
        }
        if (auto problem = out.own->add(entry.piece, *id)) return problem;
        const int number = static_cast<int>(*id);
        switch (entry.type) {
            case SentencePieceType::Normal:
                out.scores.push_back({number, entry.score});
                break;
            case SentencePieceType::Unknown:
                out.unknown = number;
                [[fallthrough]];
            case SentencePieceType::Control:
                out.added.push_back({.content = entry.piece, .id = number, .normalized = false, .special = true});
                break;
            case SentencePieceType::UserDefined:
                out.added.push_back({.content = entry.piece, .id = number, .normalized = false});
                break;
            case SentencePieceType::Unused:
            case SentencePieceType::Byte:
                break;
        }
    }
    return std::nullopt;
}

/// Added tokens: those of the files, and those of the class.
std::vector<AddedToken> all_added(const TokenizerClass& row, const TokenizerConfig& config, const Gathered& all) {
    TokenList out;
    out.add_numbered(config);
    for (const AddedToken& token : all.added) out.add(token);
    const int size = all.own->size();
    int first = 0;
    each_word(row.first, [&](std::string_view token) {
        out.add({.content = std::string(token), .id = first++, .normalized = false, .special = true});
    });
    if (first > 0) out.add({.content = "<mask>", .id = size, .lstrip = true, .normalized = false, .special = true});
    const int extra = row.extra ? config.extra_ids.value_or(kExtraIds) : 0;
    for (int i = 0; i < extra; ++i)
        out.add({.content = fmt::format("<extra_id_{}>", i), .id = size + extra - 1 - i, .normalized = false, .special = true});
    out.add_special(config, &row, *all.own);
    return out.take();
}

std::unique_ptr<const CutModel> cutting(const SentencePieceFile& file, const VocabularyPtr& vocabulary,
                                        const std::vector<Scored>& all, std::optional<int> unknown) {
    if (file.kind == SentencePieceKind::Unigram)
        return make_unigram(vocabulary, all, {.unknown = unknown, .byte_fallback = file.byte_fallback, .single = true});
    std::vector<std::pair<int, double>> scores;
    for (const Scored& scored : all) scores.emplace_back(scored.id, scored.score);
    BpeChoices choices;
    choices.unknown = unknown;
    choices.byte_fallback = file.byte_fallback;
    choices.fuse_unknown = true;
    return make_bpe(vocabulary, merges_by_score(*vocabulary, scores), choices);
}

/// The tokens without an id are appended after all others.
Result<std::unique_ptr<const CutModel>> model_of(const SentencePieceFile& file, const Gathered& all) {
    if (all.beyond.empty()) return cutting(file, all.own, all.scores, all.unknown);
    const auto wider = std::make_shared<Vocabulary>(*all.own);
    std::vector<Scored> scores = all.scores;
    for (const SentencePieceEntry* entry : all.beyond) {
        const int id = wider->size();
        if (auto problem = wider->add(entry->piece, id)) return Error{*std::move(problem), "", "", 0};
        if (entry->type == SentencePieceType::Normal) scores.push_back({id, entry->score});
    }
    std::unique_ptr<const CutModel> model = make_wider(cutting(file, wider, scores, all.unknown), all.own->size(), all.unknown);
    return model;
}

}  // namespace

Result<PipelinePtr> read_sentencepiece(const TokenizerFiles& files, const TokenizerConfig& config, const TokenizerClass& row) {
    const std::string where = place_of(files, "the SentencePiece model");
    const auto wrong = [&](std::string message) { return Error{std::move(message), where, "", 0}; };
    if (auto other = recognise_other(files.sentencepiece, "a SentencePiece model")) return wrong(*std::move(other));
    const auto file = read_sentencepiece_file(files.sentencepiece);
    if (!file) return wrong(file.error().message);
    if (file->kind != SentencePieceKind::Unigram && file->kind != SentencePieceKind::Bpe)
        return wrong(
            "it cuts into whole words or characters (\"word\", \"char\"), which is not read; there are unigram and "
            "bpe");
    if (file->space_as_suffix)
        return wrong("it puts the space behind words (treat_whitespace_as_suffix), which is not read");
    Vocabulary given;
    const bool has_ids = !files.vocab_json.empty();
    if (has_ids)
        if (auto error = read_plain_vocabulary(files, given)) return *std::move(error);
    Gathered all;
    if (auto problem = gather(*file, PieceIds(row, has_ids ? &given : nullptr), all)) return wrong(*problem);
    if (has_ids)  // tokens that only vocab.json has (<pad>)
        for (int id = 0; id < given.size(); ++id)
            if (given.has(id) && !all.own->has(id))
                if (auto problem = all.own->add(given.token(id), id)) return wrong(*problem);
    if (has_ids && !all.unknown) all.unknown = given.find(token_of_role(config, row, "unk"));
    std::shared_ptr<const Charsmap> map;
    if (!file->charsmap.empty()) {
        auto read = Charsmap::read(file->charsmap);
        if (!read) return wrong(read.error().message);
        map = std::make_shared<const Charsmap>(std::move(*read));
    }
    auto out = std::make_unique<Pipeline>();
    auto model = model_of(*file, all);
    if (!model) return wrong(model.error().message);
    out->model = std::move(*model);
    const bool prefix = file->add_dummy_prefix && config.add_space.value_or(true);
    out->normalizer = sentencepiece_normalizer(
        map, {file->remove_extra_spaces, prefix, !config.legacy.value_or(true), file->escape_spaces});
    if (row.folded) out->normalizer = in_sequence({folding(config.lowercase.value_or(true), !config.keep_accents.value_or(false)), std::move(out->normalizer)});
    const MetaspaceChoices marks{.prepend = prefix ? Prepend::Always : Prepend::Never};
    out->decoder = one_after_the_other({metaspace_decoder(marks), byte_fallback_decoder()});
    out->spelling = {.byte_tokens = file->byte_fallback, .space = std::string(kSpaceMark)};
    if (auto error = finish_pipeline(*out, *all.own, all_added(row, config, all), where)) return *std::move(error);
    if (row.codes) out->take_first = take_language_code(out->vocabulary, all.unknown);
    if (auto problem = put_around(config, row, *out)) return wrong(*std::move(problem));
    return out;
}

}  // namespace attn::tokenizing
