// Reads a model's files. Each error names the file, the key or tensor, and what to do.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/checkpoint/families.h"
#include "core/model/checkpoint/source.h"
#include "core/model/files/model_files.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "core/model/model_record.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::string_view kEmbeddings = "embeddings";
constexpr std::size_t kMostVocabulary = std::size_t{16} << 20;
constexpr std::size_t kMostWords = 200'000;
constexpr int kMostWaves = kMaxWidth / 2;

/// Whether a model may set this field of a document: fields that define how it computes, not the text or the numbers.
bool is_setting(const Field& field) {
    constexpr std::array<std::string_view, 9> kOthers = {"source_kind", "scene_seed",  "padding",
                                                         "vectors",     "vector_seed", "width",
                                                         "weights",     "weight_seed", "heads_off"};
    const bool choice =
        field.kind == FieldKind::Choice || field.kind == FieldKind::Integer || field.kind == FieldKind::Number;
    if (field.key == "mask_pattern") return true;  // of a model that was trained behind it
    return choice && std::find(kOthers.begin(), kOthers.end(), field.key) == kOthers.end();
}

class ModelReader {
public:
    explicit ModelReader(const ModelFiles& files) : files_(files) {}

    Result<ModelPtr> read() {
        auto model = std::make_shared<Model>();
        model_ = model.get();
        model_->name = files_.name;
        model_->fingerprint =
            hash_bytes(files_.config) ^ (hash_bytes(files_.vocabulary) * 3) ^ (hash_bytes(files_.tensors) * 5);
        for (const auto part :
             {&ModelReader::config, &ModelReader::vocabulary, &ModelReader::tensors, &ModelReader::together})
            if (auto done = (this->*part)(); !done) return done.error();
        return ModelPtr(model);
    }

private:
    Error wrong(std::string_view file, std::string key, std::string message, int line = 0) const {
        const std::string where = files_.where.empty() ? std::string(file) : files_.where + "/" + std::string(file);
        return {std::move(message), where, std::move(key), line};
    }
    Error wrong_value(const JsonValue& value, std::string key, std::string message) const {
        return wrong(kConfigFile, std::move(key), std::move(message), value.line);
    }

    /// A member of that kind; null if it is missing and optional.
    Result<const JsonValue*> member(const JsonValue& of, std::string_view key, JsonKind kind, bool needed,
                                    std::string path = {}) {
        if (path.empty()) path = key;
        const JsonValue* value = of.find(key);
        if (!value && needed) return wrong_value(of, path, "it is missing");
        if (!value) return static_cast<const JsonValue*>(nullptr);
        if (value->kind != kind)
            return wrong_value(*value, path,
                               fmt::format("{} is expected, not {}", kind_name(kind), kind_name(value->kind)));
        return value;
    }
    Result<std::int64_t> count(const JsonValue& of, std::string_view key, std::int64_t low, std::int64_t high,
                               std::string path = {}) {
        if (path.empty()) path = key;
        const auto value = member(of, key, JsonKind::Number, true, path);
        if (!value) return value.error();
        if (!(*value)->is_integer || (*value)->integer < low || (*value)->integer > high)
            return wrong_value(**value, path, fmt::format("a whole number from {} to {} is expected", low, high));
        return (*value)->integer;
    }
    Result<std::string> text(const JsonValue& of, std::string_view key, const std::string& path) {
        const auto value = member(of, key, JsonKind::String, true, path);
        if (!value) return value.error();
        return (*value)->string;
    }
    Result<BothLanguages> both(const JsonValue& of, const std::string& path) {
        auto english = text(of, "en", path + ".en"), chinese = text(of, "zh", path + ".zh");
        if (!english) return english.error();
        if (!chinese) return chinese.error();
        return BothLanguages{std::move(*english), std::move(*chinese)};
    }

    Result<Done> config() {
        auto root = parse_json(files_.config);
        if (!root) return wrong(kConfigFile, root.error().key, root.error().message, root.error().line);
        if (root->kind != JsonKind::Object)
            return wrong_value(*root, "",
                               fmt::format("a configuration is an object {{…}}, not {}", kind_name(root->kind)));
        const auto family = member(*root, "model_type", JsonKind::String, true);
        if (!family) return family.error();
        if ((*family)->string != kOwnFamily)
            return wrong_value(**family, "model_type",
                               fmt::format("models of the family \"{}\" are not read; \"{}\" is",
                                           visible((*family)->string), kOwnFamily));
        const auto width = count(*root, "hidden_size", 1, kMaxWidth), words = count(*root, "vocab_size", 1, kMostWords);
        if (!width) return width.error();
        if (!words) return words.error();
        width_ = static_cast<int>(*width);
        words_ = *words;
        for (const auto part : {&ModelReader::settings, &ModelReader::columns, &ModelReader::waves,
                                &ModelReader::questions, &ModelReader::sure, &ModelReader::record, &ModelReader::other_words})
            if (auto done = (this->*part)(*root); !done) return done;
        // Keys for other readers of this layout must agree with the settings, if they are present.
        if (const JsonValue* heads = root->find("num_attention_heads")) {
            Document doc;
            for (const auto& [key, value] : model_->settings) static_cast<void>(read_field(*find_field(key), doc, value));
            if (!heads->is_integer || heads->integer != doc.config.heads)
                return wrong_value(*heads, "num_attention_heads",
                                   fmt::format("it contradicts attention.heads, which is {}", doc.config.heads));
        }
        return Done{};
    }

    Result<Done> settings(const JsonValue& root) {
        const auto all = member(root, "attention", JsonKind::Object, true);
        if (!all) return all.error();
        Document doc;
        for (const JsonMember& one : (*all)->members) {
            const std::string path = "attention." + visible(one.key);
            const Field* field = find_field(one.key);
            if (!field || !is_setting(*field))
                return wrong_value(one.value, path,
                                   "this is no setting of attention; `attenscope schema` lists those of a document");
            if (auto done = read_field(*field, doc, one.value); !done)
                return wrong_value(one.value, path, done.error().message);
            model_->settings.emplace_back(one.key, one.value);
        }
        return Done{};
    }

    Result<Done> columns(const JsonValue& root) {
        const auto names = member(root, "columns", JsonKind::Array, false);
        if (!names) return names.error();
        if (!*names) return Done{};
        for (const JsonValue& name : (*names)->items) {
            if (name.kind != JsonKind::String)
                return wrong_value(name, "columns", fmt::format("names are expected, not {}", kind_name(name.kind)));
            model_->columns.push_back(name.string);
        }
        if (static_cast<int>(model_->columns.size()) != width_)
            return wrong_value(
                **names, "columns",
                fmt::format("it has {} names, but hidden_size is {}", model_->columns.size(), width_));
        return Done{};
    }

    Result<Done> other_words(const JsonValue& root) {
        const auto others = member(root, kOtherWords, JsonKind::String, false);
        if (!others) return others.error();
        if (!*others) return Done{};
        if ((*others)->string != kOfMeanings)
            return wrong_value(**others, std::string(kOtherWords),
                               fmt::format("words that are not in the vocabulary can come from \"{}\" alone", kOfMeanings));
        if (width_ < kMeaningWidth)
            return wrong_value(**others, std::string(kOtherWords),
                               fmt::format("the table of meanings has {} columns, but hidden_size is {}", kMeaningWidth, width_));
        model_->other_words = true;
        return Done{};
    }

    /// Three lists of equal length, by rising weights.
    Result<Done> sure_rows(const JsonValue& one, const std::string& path, std::vector<SureAt>& rows) {
        const auto all = member(one, kSure, JsonKind::Object, false, path);
        if (!all) return all.error();
        if (!*all) return Done{};
        for (const auto& [key, put] : {std::pair{"weight", &SureAt::weight}, std::pair{"right", &SureAt::right}}) {
            const auto list = member(**all, key, JsonKind::Array, true, path + "." + key);
            if (!list) return list.error();
            rows.resize(std::max(rows.size(), std::min<std::size_t>((*list)->items.size(), kMostSure)));
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (i >= (*list)->items.size() || (*list)->items[i].kind != JsonKind::Number || !((*list)->items[i].number >= 0) || !((*list)->items[i].number <= 1))
                    return wrong_value(**list, path + "." + key, fmt::format("{} numbers from 0 to 1 are expected", rows.size()));
                rows[i].*put = (*list)->items[i].number;
            }
        }
        const auto counts = member(**all, "count", JsonKind::Array, true, path + ".count");
        if (!counts) return counts.error();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i >= (*counts)->items.size() || !(*counts)->items[i].is_integer || (*counts)->items[i].integer < 0 || (*counts)->items[i].integer > 1'000'000'000)
                return wrong_value(**counts, path + ".count", fmt::format("{} whole numbers are expected", rows.size()));
            rows[i].count = static_cast<int>((*counts)->items[i].integer);
        }
        return Done{};
    }

    Result<Done> waves(const JsonValue& root) {
        const auto waves = member(root, "position_waves", JsonKind::Object, false);
        if (!waves) return waves.error();
        if (!*waves) return Done{};
        PositionWaves out;
        const auto first = count(**waves, "first_column", 0, width_ - 1, "position_waves.first_column");
        if (!first) return first.error();
        out.first_column = static_cast<int>(*first);
        const std::string path = "position_waves.wavelengths";
        const auto lengths = member(**waves, "wavelengths", JsonKind::Array, true, path);
        if (!lengths) return lengths.error();
        for (const JsonValue& length : (*lengths)->items) {
            if (length.kind != JsonKind::Number || !(length.number32 > 0) || !std::isfinite(length.number32))
                return wrong_value(length, path, "lengths above 0 are expected");
            out.wavelengths.push_back(length.number32);
        }
        const auto count = static_cast<int>(std::min<std::size_t>(out.wavelengths.size(), kMostWaves + 1));
        if (count == 0 || out.first_column + 2 * count > width_)
            return wrong_value(**lengths, path,
                               fmt::format("a sine and a cosine each from column {} do not fit into {} columns",
                                           out.first_column, width_));
        model_->waves = std::move(out);
        return Done{};
    }

    Result<Done> questions(const JsonValue& root) {
        const auto listed = member(root, "questions", JsonKind::Array, false);
        if (!listed) return listed.error();
        for (std::size_t i = 0; *listed && i < (*listed)->items.size(); ++i) {
            const JsonValue& one = (*listed)->items[i];
            const std::string path = fmt::format("questions[{}]", i);
            auto id = text(one, "id", path + ".id");
            if (!id) return id.error();
            auto texts = both(one, path);
            if (!texts) return texts.error();
            HeadQuestion question{std::move(*id), std::move(*texts)};
            if (auto done = sure_rows(one, path + "." + std::string(kSure), question.sure); !done) return done;
            model_->questions.push_back(std::move(question));
        }
        return Done{};
    }

    Result<Done> sure(const JsonValue& root) { return sure_rows(root, std::string(kSure), model_->sure); }

    Result<Done> record(const JsonValue& root) {
        return read_model_record(root, files_.where.empty() ? std::string(kConfigFile) : files_.where + "/" + std::string(kConfigFile), *model_);
    }

    Result<Done> vocabulary() {
        const std::string& file = files_.vocabulary_name;
        auto root = parse_json(files_.vocabulary, {.max_bytes = kMostVocabulary});
        if (!root) return wrong(file, root.error().key, root.error().message, root.error().line);
        const JsonValue* words = &*root;
        std::string path;
        if (file == kTokenizerFile) {
            const JsonValue* model = root->find("model");
            const JsonValue* type = model ? model->find("type") : nullptr;
            if (!type || type->kind != JsonKind::String || type->string != "WordLevel")
                return wrong(file, "model.type",
                             fmt::format("vocabularies of whole words (\"WordLevel\") are read, not {}",
                                         type && type->kind == JsonKind::String ? "\"" + visible(type->string) + "\""
                                                                                : "of this kind"),
                             root->line);
            words = model->find("vocab");
            path = "model.vocab";
        }
        if (!words || words->kind != JsonKind::Object)
            return wrong(file, path, "an object of words and their numbers is expected", root->line);
        model_->words.resize(static_cast<std::size_t>(words_));
        if (static_cast<std::int64_t>(words->members.size()) != words_)
            return wrong(
                file, path,
                fmt::format("it has {} words, but vocab_size in config.json is {}", words->members.size(), words_),
                words->line);
        for (const JsonMember& word : words->members) {
            const JsonValue& id = word.value;
            const std::string key = path.empty() ? visible(word.key) : path + "." + visible(word.key);
            if (id.kind != JsonKind::Number || !id.is_integer || id.integer < 0 || id.integer >= words_)
                return wrong(file, key, fmt::format("the number of a word is a whole one from 0 to {}", words_ - 1),
                             word.key_line);
            std::string& place = model_->words[static_cast<std::size_t>(id.integer)];
            if (word.key.empty()) return wrong(file, key, "a word may not be empty", word.key_line);
            if (!place.empty())
                return wrong(file, key, fmt::format("\"{}\" has the number {}, too", visible(place), id.integer),
                             word.key_line);
            place = word.key;
            model_->rows.emplace(word.key, static_cast<int>(id.integer));
        }
        return Done{};
    }

    Result<Done> tensors() {
        auto file =
            TensorFile::in_memory(files_.tensors, files_.where.empty() ? std::string(kTensorFile)
                                                                       : files_.where + "/" + std::string(kTensorFile));
        if (!file) return file.error();
        for (const TensorPlace& place : file->header().tensors) {
            auto numbers = file->read(place);
            if (!numbers) return numbers.error();
            if (numbers->not_finite > 0)
                return wrong(
                    kTensorFile, visible(place.name),
                    fmt::format(
                        "{} of its numbers are NaN or infinite, the first at place {}; such weights compute nothing",
                        numbers->not_finite, numbers->first_bad));
            auto matrix = file->matrix(place.name);
            if (!matrix) return matrix.error();
            if (place.name == kEmbeddings)
                model_->embeddings = std::move(*matrix);
            else
                model_->weights.emplace(place.name, std::move(*matrix));
        }
        const FrozenMatrix& e = model_->embeddings;
        if (e.size() == 0)
            return wrong(kTensorFile, std::string(kEmbeddings),
                         fmt::format("there is no such tensor; it must be {} × {}", words_, width_));
        if (e.rows() != words_ || e.cols() != width_)
            return wrong(
                kTensorFile, std::string(kEmbeddings),
                fmt::format("it is {} × {}, but with vocab_size and hidden_size of config.json it must be {} × {}",
                            e.rows(), e.cols(), words_, width_));
        return Done{};
    }

    /// Checks the model as a whole with a document of two of its words.
    Result<Done> together() {
        Document doc;
        doc.tokens = {model_->words.front(), model_->words.back()};
        doc.source = doc.text;
        take_model(doc, std::make_shared<Model>(*model_));
        // A mask of its own fixes the number of tokens.
        if (doc.mask_pattern.size() > 0) doc.tokens.resize(static_cast<std::size_t>(doc.mask_pattern.rows()), model_->words.front());
        for (const Error& problem : problems(doc)) {
            const bool weights = problem.key == "weights";
            return wrong(weights ? kTensorFile : kConfigFile, weights ? "" : "attention." + problem.key, problem.message);
        }
        if (!model_->questions.empty() && static_cast<int>(model_->questions.size()) != doc.config.heads)
            return wrong(
                kConfigFile, "questions",
                fmt::format("it has {}, but attention.heads is {}", model_->questions.size(), doc.config.heads));
        return Done{};
    }

    const ModelFiles& files_;
    Model* model_ = nullptr;
    int width_ = 0;
    std::int64_t words_ = 0;
};

}  // namespace

namespace {

/// Whether these files are a checkpoint of a supported family.
bool is_checkpoint(const ModelFiles& files) {
    if (files.vocabulary_name != kTokenizerFile) return false;
    const auto root = parse_json(files.config);
    const JsonValue* type = root ? root->find("model_type") : nullptr;
    return type && type->kind == JsonKind::String && find_family(type->string);
}

}  // namespace

Result<ModelPtr> read_model(const ModelFiles& files) {
    if (is_checkpoint(files)) return read_checkpoint_from(*checkpoint_memory(files), files.name);
    return ModelReader(files).read();
}

}  // namespace attn
