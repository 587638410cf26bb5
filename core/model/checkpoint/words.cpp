#include "core/model/checkpoint/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/model/folder_names.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_folder.h"

namespace attn {
namespace {

constexpr std::size_t kMostWordBytes = std::size_t{64} << 20;

class WordReader {
public:
    WordReader(const CheckpointSource& source, int count, Model& model)
        : source_(source), where_(source.where()), count_(count), model_(model) {}

    Result<Done> read() {
        auto gathered = gather_tokenizer_files(
            where_, [this](std::string_view file) { return there(file); },
            [this](std::string_view file) { return source_.bytes(file, kMostWordBytes); });
        if (!gathered) return gathered.error();
        TokenizerFiles files = std::move(*gathered);
        files.keep = model_.training.has_value();  // for a model trained by this program, which may be written again
        const bool pieces = !files.tokenizer_json.empty() || !files.vocab_txt.empty() || !files.sentencepiece.empty() ||
                            !files.merges.empty();
        if (pieces) return by_tokenizer(std::move(files));
        if (!files.vocab_json.empty()) return whole_words(files.vocab_json);
        return Error{"there is no tokenizer: a model has tokenizer.json, vocab.json with merges.txt, vocab.txt or tokenizer.model",
                     where_, "", 0};
    }

private:
    bool there(std::string_view file) const { return source_.has(file); }

    /// Marian tokenizes its output with a separate file; both files number their pieces by vocab.json.
    Result<Done> read_writer(TokenizerFiles& files) {
        if (!files.tokenizer_json.empty() || !there("target.spm")) return Done{};
        auto bytes = source_.bytes("target.spm", kMostWordBytes);
        if (!bytes) return bytes.error();
        files.sentencepiece = std::move(*bytes);
        auto read = read_tokenizer(files);
        if (!read) return read.error();
        model_.writer = std::move(*read);
        return Done{};
    }

    Result<Done> by_tokenizer(TokenizerFiles files) {
        auto read = read_tokenizer(files);
        if (!read) return read.error();
        const TokenizerModel& tokenizer = **read;
        model_.words.reserve(static_cast<std::size_t>(count_));
        for (int id = 0; id < count_; ++id) {
            std::string text = tokenizer.token_text(id);
            if (text.empty()) text = tokenizer.token(id);
            model_.words.push_back(text.empty() ? fmt::format("[{}]", id) : std::move(text));
        }
        model_.tokenizer = std::move(*read);
        return read_writer(files);
    }

    /// An object of words and their ids.
    Result<Done> whole_words(const std::string& bytes) {
        const auto wrong = [&](std::string message, std::string key, int line) {
            return Error{std::move(message), where_ + "/" + std::string(kVocabularyFile), std::move(key), line};
        };
        const auto root = parse_json(bytes, {.max_bytes = kMostWordBytes});
        if (!root) return wrong(root.error().message, root.error().key, root.error().line);
        if (root->kind != JsonKind::Object) return wrong("an object of words and their numbers is expected", "", root->line);
        model_.words.resize(static_cast<std::size_t>(count_));
        model_.rows.reserve(std::min(root->members.size(), static_cast<std::size_t>(count_)));
        for (const JsonMember& word : root->members) {
            const JsonValue& id = word.value;
            if (id.kind != JsonKind::Number || !id.is_integer || id.integer < 0 || id.integer >= count_)
                return wrong(fmt::format("the number of a word is a whole one from 0 to {}", count_ - 1), visible(word.key), word.key_line);
            std::string& place = model_.words[static_cast<std::size_t>(id.integer)];
            if (word.key.empty()) return wrong("a word may not be empty", "", word.key_line);
            if (!place.empty())
                return wrong(fmt::format("\"{}\" has the number {}, too", visible(place), id.integer), visible(word.key), word.key_line);
            place = word.key;
            model_.rows.emplace(word.key, static_cast<int>(id.integer));
        }
        for (std::size_t id = 0; id < model_.words.size(); ++id)
            if (model_.words[id].empty()) model_.words[id] = fmt::format("[{}]", id);
        return Done{};
    }

    const CheckpointSource& source_;
    std::string where_;
    int count_;
    Model& model_;
};

}  // namespace

Result<Done> read_checkpoint_words(const CheckpointSource& source, int count, Model& model) {
    return WordReader(source, count, model).read();
}

}  // namespace attn
