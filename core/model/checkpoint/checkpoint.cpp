// Reads a Hugging Face folder: the files, the configuration by its family's row, and a step for every tensor.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/checkpoint/config.h"
#include "core/model/checkpoint/config_keys.h"
#include "core/model/checkpoint/families.h"
#include "core/model/checkpoint/files.h"
#include "core/model/checkpoint/source.h"
#include "core/model/checkpoint/words.h"
#include "core/model/folder_names.h"
#include "core/model/given_picture.h"
#include "core/model/model.h"
#include "core/model/model_record.h"
#include "core/model/stored_weights.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

bool is_token(const JsonValue& value) { return value.is_integer && value.integer >= 0; }

std::string with_number(std::string_view text, int number) {
    std::string out(text);
    if (const std::size_t at = out.find('#'); at != std::string::npos) out.replace(at, 1, std::to_string(number));
    return out;
}

/// '#': the layer, or, where layers share tensors, its group; '@': which one it is there.
std::string name_of_tensor(std::string_view tensor, int layer, const CheckpointSizes& sizes) {
    if (sizes.groups == 0) return with_number(tensor, layer);
    const int turn = layer / sizes.layers_of_group, turns = sizes.layers / sizes.layers_of_group;
    std::string out = with_number(tensor, turn * sizes.groups / turns);
    if (const std::size_t at = out.find('@'); at != out.npos) out.replace(at, 1, std::to_string(layer % sizes.layers_of_group));
    return out;
}

class CheckpointReader {
public:
    CheckpointReader(const CheckpointSource& source, std::string name, std::string_view tower) : source_(source), where_(source.where()), tower_(tower) {
        model_->name = std::move(name);
    }

    Result<ModelPtr> read() {
        for (const auto part : {&CheckpointReader::config, &CheckpointReader::files, &CheckpointReader::tensors,
                                &CheckpointReader::words, &CheckpointReader::together})
            if (auto done = (this->*part)(); !done) return done.error();
        return ModelPtr(model_);
    }

private:
    Result<Done> files() {
        auto opened = CheckpointFiles::open(source_);
        if (!opened) return opened.error();
        files_ = std::move(*opened);
        model_->fingerprint = model_->fingerprint * 31 ^ files_.fingerprint();
        return Done{};
    }

    bool there(std::string_view file) const { return source_.has(file); }
    std::string in_folder(std::string_view file) const { return where_ + "/" + std::string(file); }

    Result<Done> config() {
        auto bytes = source_.bytes(kConfigFile, kMostConfigBytes);
        if (!bytes) return bytes.error();
        model_->fingerprint = hash_bytes(*bytes) ^ (tower_.empty() ? 0 : hash_bytes(tower_));
        auto root = parse_json(*bytes);
        if (!root) return Error{root.error().message, in_folder(kConfigFile), root.error().key, root.error().line};
        std::vector<std::string> unread;
        if (auto added = add_generation(*root, unread); !added) return added;
        auto read = read_checkpoint_config(*root, in_folder(kConfigFile), tower_);
        if (!read) return read.error();
        config_ = std::move(*read);
        config_.unread.insert(config_.unread.end(), unread.begin(), unread.end());
        if (!config_.unread.empty()) tell(ModelNote::Kind::UnreadKeys, config_.unread);
        return read_model_record(*root, in_folder(kConfigFile), *model_);
    }

    /// Adds the tokens that texts begin and end with, where config.json leaves them to generation_config.json. Tokens that
    /// end a text are the other file's if it names any, as in Hugging Face's generate(): chat models add theirs there.
    Result<Done> add_generation(JsonValue& config, std::vector<std::string>& unread) {
        if (!there(kGenerationFile) || config.kind != JsonKind::Object) return Done{};
        const auto bytes = source_.bytes(kGenerationFile, kMostConfigBytes);
        if (!bytes) return bytes.error();
        model_->fingerprint ^= hash_bytes(*bytes) * 13;
        const std::string where = in_folder(kGenerationFile);
        const auto root = parse_json(*bytes);
        if (!root) return Error{root.error().message, where, root.error().key, root.error().line};
        if (root->kind != JsonKind::Object) return Error{fmt::format("an object is expected, not {}", kind_name(root->kind)), where, "", root->line};
        ConfigKeys keys(*root);
        for (const std::string_view key : {"bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "forced_bos_token_id"}) {
            const JsonValue* value = keys.find(key);
            if (!value) continue;
            const bool ends = key == "eos_token_id";
            const bool list = value->kind == JsonKind::Array && !value->items.empty();
            if (list && !ends) value = value->items.data();
            const bool tokens = list && ends ? std::all_of(value->items.begin(), value->items.end(), is_token) : is_token(*value);
            if (!tokens) return Error{fmt::format("the number of a token is expected, not {}", kind_name(value->kind)), where, std::string(key), value->line};
            const auto own = std::find_if(config.members.begin(), config.members.end(), [&](const JsonMember& one) { return one.key == key; });
            if (own == config.members.end())
                config.members.push_back({std::string(key), *value, 0});
            else if (ends || own->value.kind == JsonKind::Null)
                own->value = *value;
        }
        for (const std::string& key : keys.unread()) unread.push_back(fmt::format("{}: {}", kGenerationFile, key));
        return Done{};
    }

    /// A tensor's name in the file, with whatever prefix; BERT's oldest files say gamma and beta.
    std::optional<std::string> named(const std::string& tensor) const {
        std::string old = tensor;
        if (tensor.ends_with("LayerNorm.weight")) old.replace(old.size() - 6, 6, "gamma");
        if (tensor.ends_with("LayerNorm.bias")) old.replace(old.size() - 4, 4, "beta");
        for (const std::string_view prefix : config_.family->prefixes)
            for (const std::string& name : {tensor, old})
                if (const std::string full = std::string(prefix) + name; files_.has(full)) return full;
        return files_.has(tensor) ? std::optional(tensor) : std::nullopt;
    }

    int extent(Side side) const {
        const CheckpointSizes& s = config_.sizes;
        switch (side) {
            case Side::One:
                return 1;
            case Side::Registers:
                return s.registers;
            case Side::Width:
                return s.width;
            case Side::Narrow:
                return s.narrow;
            case Side::Queries:
                return s.heads * s.head;
            case Side::Keys:
                return s.key_heads * s.head;
            case Side::Head:
                return s.head;
            case Side::Inner:
                return s.inner;
            case Side::Words:
                return s.words;
            case Side::Places:
                return s.places - config_.family->first_place;
            case Side::Heads:
                return s.heads;
            case Side::Buckets:
                return s.buckets;
            case Side::Pixels:
                return s.pixels;
        }
        return 0;
    }

    StoredMatrix place_of(const FamilyTensor& t, const std::string& name) const {
        StoredMatrix out;
        out.tensor = files_.at(name).place->name;
        out.file = files_.at(name).file;
        out.transposed = t.transposed;
        out.rows = extent(t.rows);
        out.cols = extent(t.cols);
        out.plus = t.plus;
        out.folded = t.folded;
        if (t.rows == Side::Places) out.skip_rows = config_.family->first_place;
        if (t.row >= 0) {
            const std::vector<std::uint64_t>& shape = files_.at(name).place->shape;
            out.skip_rows = t.row;
            if (shape.size() == 2 && shape[0] < kMaxTokens) out.rows_behind = static_cast<int>(shape[0]) - t.row - 1;
        }
        const int queries = extent(Side::Queries), keys = extent(Side::Keys), head = extent(Side::Head), inner = extent(Side::Inner);
        const auto fuse = [&out](int first, int block, int period) { out.first = first, out.block = block, out.period = period; };
        switch (t.fused) {
            case Fused::No:
                break;
            case Fused::Query:
                fuse(0, queries, queries + 2 * keys);
                break;
            case Fused::Key:
                fuse(queries, keys, queries + 2 * keys);
                break;
            case Fused::Value:
                fuse(queries + keys, keys, queries + 2 * keys);
                break;
            case Fused::Up:
                fuse(0, inner, 2 * inner);
                break;
            case Fused::Side:
                fuse(inner, inner, 2 * inner);
                break;
            case Fused::HeadQuery:
            case Fused::HeadKey:
            case Fused::HeadValue:
                fuse((static_cast<int>(t.fused) - static_cast<int>(Fused::HeadQuery)) * head, head, 3 * head);
                break;
        }
        return out;
    }

    /// Whether the tensor lacks the row: the first one always exists, and a model of single texts has no others.
    bool lacks_row(const FamilyTensor& t, const std::string& name) const {
        const std::vector<std::uint64_t>& shape = files_.at(name).place->shape;
        return t.row > 0 && shape.size() == 2 && shape[0] <= static_cast<std::uint64_t>(t.row);
    }

    /// A step's matrix may be stored under several names; the copies must be equal.
    Result<Done> take(const FamilyTensor& t, int layer) {
        const std::string wanted = name_of_tensor(t.tensor, layer, config_.sizes), step = with_number(t.step, layer + 1);
        const std::optional<std::string> name = named(wanted);
        if (!name) {
            if (t.needed) lacking_.emplace_back(step, wanted);
            return Done{};
        }
        used_.insert(*name);
        if (lacks_row(t, *name)) return Done{};
        const auto [at, first] = taken_.emplace(step, *name);
        if (first || at->second == *name) {
            matrices_.emplace(step, place_of(t, *name));
            return Done{};
        }
        const auto equal = files_.same(at->second, *name);
        if (!equal) return equal.error();
        if (*equal) return Done{};
        return Error{fmt::format("it is to be a copy of {}, and is not; {} has one matrix for both", visible(at->second), config_.family->name),
                     in_folder(files_.name()), visible(*name), 0};
    }

    /// With tied words, either name may be the only one. An output matrix that differs from the word vectors is used.
    Result<Done> tie() {
        const auto words = taken_.find(std::string(kEmbeddingsTensor)), own = taken_.find(std::string(kUnembeddingTensor));
        if (!config_.tied || own == taken_.end()) return Done{};
        if (words != taken_.end()) {
            const auto equal = files_.same(words->second, own->second);
            if (!equal) return equal.error();
            if (!*equal) return tell(ModelNote::Kind::OwnOutput, {own->second, words->second}), Done{};
        } else {
            const FamilyTensor vectors{.step = kEmbeddingsTensor, .tensor = own->second, .rows = Side::Words, .cols = Side::Narrow};
            matrices_.emplace(kEmbeddingsTensor, place_of(vectors, own->second));
        }
        matrices_.erase(std::string(kUnembeddingTensor));
        return Done{};
    }

    void tell(ModelNote::Kind kind, std::vector<std::string> names) { model_->notes.push_back({kind, std::move(names)}); }

    /// Leaves out the tensors of a head for another task. A head for words next to it stays; otherwise the model
    /// predicts none.
    void leave_other_heads() {
        std::vector<std::string> other;
        for (const auto& [name, lies] : files_.tensors())
            if (!used_.contains(name) && is_of_other_head(name) && !left_out_here(name)) other.push_back(name);
        if (config_.family->ends_text) has_words_ = false;  // it ends in a vector of the text
        if (other.empty()) return;
        const bool says_words = taken_.contains(std::string(kUnembeddingTensor)) || matrices_.contains("unembedding_bias");
        if (says_words) return tell(ModelNote::Kind::LeftOut, std::move(other));
        std::erase_if(matrices_, [](const auto& one) { return one.first.starts_with("words."); });
        has_words_ = false;
        tell(ModelNote::Kind::OtherHead, std::move(other));
    }

    /// The layer in front of the words is computed with the blocks' function; some families have one of its own there.
    Result<Done> words_are_said_alike() const {
        const std::string_view own = config_.family->words_activation;
        if (own.empty() || own == config_.activation || !matrices_.contains("words.up_weight")) return Done{};
        const std::string_view key = config_.family->keys.activation;
        return Error{fmt::format("the layer in front of the words has the function \"{}\" in all models of {}; beside blocks with \"{}\" it is not computed here",
                                 own, config_.family->name, config_.activation), in_folder(kConfigFile), std::string(key), 0};
    }

    bool left_out_here(std::string_view name) const {
        if (config_.beside_another && name.starts_with(config_.family->beside)) return true;
        const auto& ends = config_.family->left_out;
        return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
    }

    /// The number of layers that have the tensor; an encoder may have its own number of layers.
    int layers_of(const FamilyTensor& t) const {
        if (t.step.find('#') == t.step.npos) return 1;
        const CheckpointSizes& s = config_.sizes;
        return t.step.starts_with("encoder") && s.encoder_layers != 0 ? s.encoder_layers : s.layers;
    }

    Result<Done> tensors() {
        for (const auto list : config_.family->tensors)
            for (const FamilyTensor& t : list) {
                for (int layer = 0; layer < layers_of(t); ++layer)
                    if (auto done = take(t, layer); !done) return done;
            }
        if (auto tied = tie(); !tied) return tied;
        for (const auto& [step, tensor] : lacking_)
            if (!matrices_.contains(step))
                return Error{fmt::format("there is no such tensor; {} has it", config_.family->name), in_folder(files_.name()), tensor, 0};
        if (config_.ends_in_norm && !matrices_.contains("final.norm_gain"))
            return Error{fmt::format("there is no norm behind the last block; {} with these settings has one", config_.family->name), in_folder(files_.name()), "", 0};
        if (!config_.ends_in_norm && matrices_.contains("final.norm_gain"))
            return Error{fmt::format("{} with these settings has no norm behind the last block", config_.family->name), in_folder(files_.name()),
                         taken_.at("final.norm_gain"), 0};
        leave_other_heads();
        if (auto said = words_are_said_alike(); !said) return said;
        for (const auto& [name, lies] : files_.tensors())
            if (!used_.contains(name) && !is_of_other_head(name) && !is_left_out(name) && !left_out_here(name))
                return Error{fmt::format("{} with these settings has no place for this tensor, and to leave it out would compute "
                                         "something else", config_.family->name),
                             in_folder(files_.name()), visible(lies.place->name), 0};
        auto stored = StoredWeights::make(files_.take_opened(), matrices_, source_.held());
        if (!stored) return stored.error();
        model_->stored = std::move(*stored);
        model_->embeddings = FrozenMatrix::of_shape(config_.sizes.words, config_.sizes.narrow);
        return Done{};
    }

    Result<Done> words() {
        if (config_.picture) return picture();
        return read_checkpoint_words(source_, config_.sizes.words, *model_);
    }

    /// A picture model predicts labels; the normalisation of pixels is in a separate file.
    Result<Done> picture() {
        model_->words = std::move(config_.labels);
        model_->picture = config_.picture;
        if (!there(kPreprocessorFile)) return Done{};
        const auto bytes = source_.bytes(kPreprocessorFile, kMostConfigBytes);
        if (!bytes) return bytes.error();
        model_->fingerprint ^= hash_bytes(*bytes) * 7;
        const auto root = parse_json(*bytes);
        if (!root) return Error{root.error().message, in_folder(kPreprocessorFile), root.error().key, root.error().line};
        return read_preprocessor(*root, config_.picture_kind, in_folder(kPreprocessorFile), *model_->picture);
    }

    /// fairseq's: all sines, then all cosines, with angles that end at exactly 1/10000; the first two places are no token's.
    static PositionWaves waves_from_two(int width) {
        constexpr double kSlowest = 10000;
        PositionWaves out;
        out.first_place = 2;
        out.halves = true;
        const int count = width / 2;
        for (int i = 0; i < count; ++i)
            out.wavelengths.push_back(static_cast<float>(2 * std::numbers::pi * std::pow(kSlowest, count == 1 ? 0.0 : static_cast<double>(i) / (count - 1))));
        return out;
    }
    /// The unembedding: the word vectors, a separate matrix, or nothing if the files have no head for words.
    std::string_view unembedding() const {
        if (model_->has(kUnembeddingTensor)) return "own";
        if (!has_words_) return "by_form";
        const bool head = model_->has("unembedding_bias") || model_->has("words.up_weight");
        const bool says = config_.family->causal || config_.start;  // continues a text
        return config_.tied && (says || head) ? "tied" : "by_form";
    }

    /// A causal model without an unembedding is valid unless it needs one: its outputs are vectors then.
    Result<Done> says_words() {
        const bool goes_on = config_.family->causal || config_.start;
        if (config_.picture || !goes_on || unembedding() != "by_form") return Done{};
        // A decoder with an encoder always predicts words.
        if (config_.start)
            return Error{fmt::format("there is no such tensor, {}; take the files with the language-model head",
                                     has_words_ ? "and the words' vectors do not stand for it where tie_word_embeddings is false"
                                                : "but a head for another task, which is not computed here"),
                         in_folder(files_.name()), "lm_head.weight", 0};
        if (has_words_) tell(ModelNote::Kind::NoOutput, {});
        return Done{};
    }

    Result<Done> together() {
        if (auto says = says_words(); !says) return says;
        model_->settings = std::move(config_.settings);
        model_->pairs = !config_.family->causal && config_.family->form == "encoder" && !config_.picture;
        if (config_.family->waves_from_two) model_->waves = waves_from_two(config_.sizes.width);
        if (config_.beside_another) tell(config_.picture ? ModelNote::Kind::VisionTower : ModelNote::Kind::TextTower, {});
        model_->text_end = config_.text_end;
        if (config_.family->language_codes) tell(ModelNote::Kind::LanguageToken, {});
        if (model_->tokenizer && model_->tokenizer->source_language())
            tell(model_->tokenizer->language_in_front() ? ModelNote::Kind::LanguageInFront : ModelNote::Kind::LanguageBehind,
                 {visible(model_->words[static_cast<std::size_t>(*model_->tokenizer->source_language())])});
        if (config_.forced) tell(ModelNote::Kind::FirstToken, {visible(model_->words[static_cast<std::size_t>(*config_.forced)])});
        model_->start = config_.start;
        model_->ends = config_.ends;
        JsonValue how;
        how.kind = JsonKind::String;
        how.string = unembedding();
        model_->settings.emplace_back("unembedding", std::move(how));
        Document doc;
        for (const auto& [key, value] : model_->settings)
            if (auto done = read_field(*find_field(key), doc, value); !done)
                return Error{done.error().message, in_folder(kConfigFile), key, 0};
        if (model_->picture)
            doc.picture = std::make_shared<const GivenPicture>(GivenPicture{"", {1, 1, {0, 0, 0}}, 0});
        else
            doc.tokens = {"a", "b"};
        if (config_.start) doc.source = "a b";
        take_model(doc, model_);
        for (const Error& problem : problems(doc))
            return Error{problem.message, in_folder(problem.key == "weights" ? files_.name() : kConfigFile), problem.key, 0};
        return Done{};
    }

    const CheckpointSource& source_;
    std::string where_;
    std::string_view tower_;
    std::shared_ptr<Model> model_ = std::make_shared<Model>();
    CheckpointConfig config_;
    CheckpointFiles files_;
    std::set<std::string, std::less<>> used_;
    std::map<std::string, std::string, std::less<>> taken_;    ///< step -> its tensor
    std::vector<std::pair<std::string, std::string>> lacking_;  ///< a step, and its tensor that the files lack
    bool has_words_ = true;  ///< false: a head for another task replaces the head for words
    std::map<std::string, StoredMatrix, std::less<>> matrices_;
};

}  // namespace

Result<ModelPtr> read_checkpoint_from(const CheckpointSource& source, std::string name, std::string_view tower) {
    return CheckpointReader(source, std::move(name), tower).read();
}

}  // namespace attn
