#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/io/safe_text.h"
#include "core/io/sniff.h"
#include "core/tokenizers/charsmap.h"
#include "core/tokenizers/readers.h"
#include "core/tokenizers/sentencepiece_file.h"

namespace attn::pieces {

namespace {

constexpr std::string_view kSpaceMark = "\u2581";
constexpr int kExtraIds = 100;  // of T5

/// How the classes of tokenizers that use SentencePiece differ: ids, and what stands around a text.
struct SentencePieceClass {
    std::string_view name;
    bool bos, eos;         ///< around a text, where tokenizer_config.json says nothing
    bool shifted = false;  ///< XLM-R: <s>, <pad>, </s>, <unk> come first, all others one later, <mask> last
    bool extra = false;    ///< T5: <extra_id_99> … <extra_id_0> at the end
    bool codes = false;    ///< Marian: >>fra<< before a text is one token, the language to write in
};
constexpr std::array kSentencePieceClasses = {
    SentencePieceClass{"LlamaTokenizer", true, false},
    SentencePieceClass{"GemmaTokenizer", true, false},
    SentencePieceClass{"T5Tokenizer", false, true, false, true},
    SentencePieceClass{"XLMRobertaTokenizer", true, true, true},
    SentencePieceClass{"MarianTokenizer", false, true, false, false, true},
    SentencePieceClass{"PreTrainedTokenizer", false, false},
};

/// Spaces at the ends go, and those beside others.
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
    const Search space(" ");
    return [=](AlignedText& text, Effort& effort) -> Result<Done> {
        const bool first = text.from.empty() || text.from.front().begin == 0;
        if (map) text = map->longest(text);
        if (spaces.remove_extra) text = without_extra_spaces(text);
        if (text.empty()) return Done{};
        if (spaces.prefix && (first || !spaces.first_only)) text.prepend(" ");
        if (spaces.escape) text = replace_matches(text, *space.find_all(text.text, effort), kSpaceMark);
        return Done{};
    };
}

/// As Hugging Face's MarianTokenizer: where a text begins with ">>", all up to the first "<<" is one token, which
/// SentencePiece never sees. (Earlier versions had a pattern, ">>.+<<", and took codes in the middle away, too. Texts as these
/// models want them, with one code in front, are cut alike.)
TakeFirst take_language_code(VocabularyPtr vocabulary, std::optional<int> unknown) {
    return [vocabulary = std::move(vocabulary), stand_in = Unknown(*vocabulary, unknown, false, false)](AlignedText& text, Chunks& out) -> Result<Done> {
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

/// Ids of pieces as the checkpoint counts them.
class PieceIds {
public:
    PieceIds(const SentencePieceClass& row, const Vocabulary* given) : row_(row), given_(given) {}

    std::optional<std::int64_t> of(std::size_t place, const std::string& piece) const {
        if (given_) {
            const auto id = given_->find(piece);
            return id ? std::optional<std::int64_t>(*id) : std::nullopt;
        }
        if (!row_.shifted) return static_cast<std::int64_t>(place);
        for (const auto& [text, id] :
             {std::pair<std::string_view, int>{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}})
            if (piece == text) return id;
        return static_cast<std::int64_t>(place) + 1;
    }

private:
    const SentencePieceClass& row_;
    const Vocabulary* given_;
};

/// Everything of the pieces: the vocabulary, what is found in texts beforehand, scores.
struct Gathered {
    std::shared_ptr<Vocabulary> own = std::make_shared<Vocabulary>();
    std::vector<AddedToken> added;
    std::vector<Scored> scores;
    std::optional<int> unknown;
    /// Pieces that cut, though vocab.json has no number for them: what is cut by them is unknown to the model. As Hugging
    /// Face's MarianTokenizer: SentencePiece cuts, and then each piece is looked up.
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

/// Tokens beyond the pieces: those that the class brings, and those of tokenizer_config.json.
void add_more(const SentencePieceClass& row, const TokenizerConfig& config, Gathered& out) {
    std::vector<AddedToken> more = config.added;
    const int size = out.own->size();
    if (row.shifted) {
        more.push_back({.content = "<pad>", .id = 1, .normalized = false, .special = true});
        more.push_back({.content = "<mask>", .id = size, .lstrip = true, .normalized = false, .special = true});
    }
    const int extra = row.extra ? config.extra_ids.value_or(kExtraIds) : 0;
    for (int i = 0; i < extra; ++i)
        more.push_back({.content = fmt::format("<extra_id_{}>", i),
                        .id = size + extra - 1 - i,
                        .normalized = false,
                        .special = true});
    for (AddedToken& token : more) {
        const auto same = [&](const AddedToken& other) {
            return other.id == token.id || other.content == token.content;
        };
        const auto at = std::find_if(out.added.begin(), out.added.end(), same);
        if (at == out.added.end()) out.added.push_back(std::move(token));
    }
}

std::unique_ptr<const CutModel> cutting(const SentencePieceFile& file, const VocabularyPtr& vocabulary,
                                        const std::vector<Scored>& all, std::optional<int> unknown) {
    if (file.kind == SentencePieceKind::Unigram)
        return make_unigram(vocabulary, all, {.unknown = unknown, .byte_fallback = file.byte_fallback});
    std::vector<std::pair<int, double>> scores;
    for (const Scored& scored : all) scores.emplace_back(scored.id, scored.score);
    BpeChoices choices;
    choices.unknown = unknown;
    choices.byte_fallback = file.byte_fallback;
    choices.fuse_unknown = true;
    return make_bpe(vocabulary, merges_by_score(*vocabulary, scores), choices);
}

/// The pieces without a number come behind all others.
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

void put_around(const SentencePieceClass& row, const TokenizerConfig& config, Pipeline& out) {
    const auto id_of_role = [&](std::string_view role, std::string_view usual) {
        const auto named = config.roles.find(role);
        return out.vocabulary->find(named == config.roles.end() ? usual : std::string_view(named->second));
    };
    for (const auto& [role, usual] : {std::pair<std::string_view, std::string_view>{"bos", "<s>"},
                                      {"eos", "</s>"},
                                      {"unk", "<unk>"},
                                      {"pad", "<pad>"}})
        if (const auto id = id_of_role(role, usual)) out.roles[std::string(role)] = *id;
    const auto bos = out.roles.find("bos"), eos = out.roles.find("eos");
    if (config.add_bos.value_or(row.bos) && bos != out.roles.end()) out.before = {bos->second};
    if (config.add_eos.value_or(row.eos) && eos != out.roles.end()) out.after = {eos->second};
}

}  // namespace

Result<PipelinePtr> read_sentencepiece(const TokenizerFiles& files, const TokenizerConfig& config) {
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
    const std::string name = config.tokenizer_class.empty() ? "PreTrainedTokenizer" : config.tokenizer_class;
    const auto row = std::find_if(kSentencePieceClasses.begin(), kSentencePieceClasses.end(),
                                  [&](const SentencePieceClass& one) { return one.name == name; });
    if (row == kSentencePieceClasses.end())
        return Error{fmt::format("there is no {} with a SentencePiece model here; there are {}", in_quotes(name),
                                 names_in(kSentencePieceClasses)),
                     place_of(files, "tokenizer_config.json"), "tokenizer_class", 0};
    Vocabulary given;
    const bool has_ids = !files.vocab_json.empty();
    if (has_ids)
        if (auto error = read_plain_vocabulary(files, given)) return *std::move(error);
    Gathered all;
    if (auto problem = gather(*file, PieceIds(*row, has_ids ? &given : nullptr), all)) return wrong(*problem);
    if (has_ids)  // tokens that only vocab.json has (<pad>)
        for (int id = 0; id < given.size(); ++id)
            if (given.has(id) && !all.own->has(id))
                if (auto problem = all.own->add(given.token(id), id)) return wrong(*problem);
    if (has_ids && !all.unknown) {
        const auto named = config.roles.find("unk");
        all.unknown = given.find(named == config.roles.end() ? "<unk>" : std::string_view(named->second));
    }
    add_more(*row, config, all);
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
    out->normalizer = sentencepiece_normalizer(
        map, {file->remove_extra_spaces, file->add_dummy_prefix, !config.legacy.value_or(true), file->escape_spaces});
    const MetaspaceChoices marks{.prepend = file->add_dummy_prefix ? Prepend::Always : Prepend::Never};
    out->decoder = one_after_the_other({metaspace_decoder(marks), byte_fallback_decoder()});
    out->spelling = {.byte_tokens = file->byte_fallback, .space = std::string(kSpaceMark)};
    if (auto error = finish_pipeline(*out, *all.own, all.added, where)) return *std::move(error);
    if (row->codes) out->take_first = take_language_code(out->vocabulary, all.unknown);
    put_around(*row, config, *out);
    return out;
}

}  // namespace attn::pieces
