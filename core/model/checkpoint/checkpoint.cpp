// A folder of Hugging Face's: the files named, the configuration by the row of its family, every tensor given its step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/model/checkpoint/config.h"
#include "core/model/checkpoint/families.h"
#include "core/model/checkpoint/source.h"
#include "core/model/checkpoint/stored_weights.h"
#include "core/model/checkpoint/words.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "core/model/model_record.h"
#include "core/model/picture/given_picture.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::size_t kMostIndex = std::size_t{64} << 20;
constexpr std::size_t kMostShards = 512;
/// What a run takes beside the weights themselves, at the least: the largest of them once more, transposed.
constexpr double kBeside = 1.2;

/// Bytes that the system can give without swapping; nothing where it does not say.
std::optional<double> available_memory() {
    std::ifstream info("/proc/meminfo");
    std::string word;
    double kilobytes = 0;
    while (info >> word)
        if (word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
    return std::nullopt;
}

std::string with_number(std::string_view text, int number) {
    std::string out(text);
    if (const std::size_t at = out.find('#'); at != std::string::npos) out.replace(at, 1, std::to_string(number));
    return out;
}

class CheckpointReader {
public:
    CheckpointReader(const CheckpointSource& source, std::string name) : source_(source), where_(source.where()) {
        model_->name = std::move(name);
    }

    Result<ModelPtr> read() {
        for (const auto part : {&CheckpointReader::config, &CheckpointReader::files, &CheckpointReader::tensors,
                                &CheckpointReader::words, &CheckpointReader::together})
            if (auto done = (this->*part)(); !done) return done.error();
        return ModelPtr(model_);
    }

private:
    bool there(std::string_view file) const { return source_.has(file); }
    std::string in_folder(std::string_view file) const { return where_ + "/" + std::string(file); }

    Result<Done> config() {
        auto bytes = source_.bytes(kConfigFile, kMostConfigBytes);
        if (!bytes) return bytes.error();
        model_->fingerprint = hash_bytes(*bytes);
        const auto root = parse_json(*bytes);
        if (!root) return Error{root.error().message, in_folder(kConfigFile), root.error().key, root.error().line};
        auto read = read_checkpoint_config(*root, in_folder(kConfigFile));
        if (!read) return read.error();
        config_ = std::move(*read);
        if (!config_.unread.empty()) model_->notes.push_back({ModelNote::Kind::UnreadKeys, config_.unread});
        return read_model_record(*root, in_folder(kConfigFile), *model_);
    }

    /// One file, or those that an index names; each must lie in the folder.
    Result<Done> files() {
        if (there(kTensorFile)) return open(std::string(kTensorFile));
        auto bytes = source_.bytes(kShardIndex, kMostIndex);
        if (!bytes) return bytes.error();
        const auto wrong = [&](std::string message, std::string key, int line) {
            return Error{std::move(message), in_folder(kShardIndex), std::move(key), line};
        };
        const auto root = parse_json(*bytes, {.max_bytes = kMostIndex});
        if (!root) return wrong(root.error().message, root.error().key, root.error().line);
        const JsonValue* map = root->find("weight_map");
        if (!map || map->kind != JsonKind::Object) return wrong("an object of tensors and their files is expected", "weight_map", root->line);
        std::set<std::string> names;
        for (const JsonMember& one : map->members) {
            const std::string& file = one.value.string;
            if (one.value.kind != JsonKind::String || file.empty() || file.find_first_of("/\\") != file.npos || file.starts_with("."))
                return wrong("the name of a file of this folder is expected", "weight_map." + visible(one.key), one.key_line);
            names.insert(file);
        }
        if (names.size() > kMostShards) return wrong(fmt::format("{} files are more than the {} that are opened", names.size(), kMostShards), "weight_map", map->line);
        for (const std::string& name : names)
            if (auto done = open(name); !done) return done;
        return Done{};
    }

    Result<Done> open(const std::string& name) {
        auto file = source_.tensors(name);
        if (!file) {
            Error error = file.error();
            error.where = in_folder(name);
            return error;
        }
        const std::uint64_t written = source_.version(name);
        for (const TensorPlace& place : file->header().tensors) {
            model_->fingerprint = model_->fingerprint * 31 ^ hash_bytes(place.name) ^ place.end ^ written;
            if (!places_.emplace(place.name, &place).second)
                return Error{"it stands in two files", in_folder(name), visible(place.name), 0};
        }
        opened_.push_back(std::move(*file));
        return Done{};
    }

    /// The name that the file has for a tensor, whatever stands in front of it; BERT's oldest files say gamma and beta.
    std::optional<std::string> named(const std::string& tensor) const {
        std::string old = tensor;
        if (tensor.ends_with("LayerNorm.weight")) old.replace(old.size() - 6, 6, "gamma");
        if (tensor.ends_with("LayerNorm.bias")) old.replace(old.size() - 4, 4, "beta");
        for (const std::string_view prefix : config_.family->prefixes)
            for (const std::string& name : {tensor, old})
                if (const std::string full = std::string(prefix) + name; places_.contains(full)) return full;
        return places_.contains(tensor) ? std::optional(tensor) : std::nullopt;
    }

    int extent(Side side) const {
        const CheckpointSizes& s = config_.sizes;
        switch (side) {
            case Side::One:
                return 1;
            case Side::Width:
                return s.width;
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
        out.tensor = name;
        out.transposed = t.transposed;
        out.rows = extent(t.rows);
        out.cols = extent(t.cols);
        out.plus = t.plus;
        out.folded = t.folded;
        if (t.rows == Side::Places) out.skip_rows = config_.family->first_place;
        if (t.first_row) {
            const std::vector<std::uint64_t>& shape = places_.find(name)->second->shape;
            if (shape.size() == 2 && shape[0] < kMaxTokens) out.rows_behind = static_cast<int>(shape[0]) - 1;
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

    Result<Done> take(const FamilyTensor& t, int layer) {
        const std::string wanted = with_number(t.tensor, layer);
        const std::optional<std::string> name = named(wanted);
        if (!name && !t.needed) return Done{};
        if (!name)
            return Error{fmt::format("there is no such tensor; {} has it", config_.family->name), in_folder(tensor_file()), wanted, 0};
        used_.insert(*name);
        // A second copy of the words' vectors.
        if (config_.tied && t.step == "unembedding_weight") return Done{};
        matrices_.emplace(with_number(t.step, layer + 1), place_of(t, *name));
        return Done{};
    }

    bool left_out_here(std::string_view name) const {
        const auto& ends = config_.family->left_out;
        return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
    }

    std::string_view tensor_file() const { return there(kTensorFile) ? kTensorFile : kShardIndex; }

    /// How many there are of a tensor; an encoder may have its own number of layers.
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
        for (const auto& [name, place] : places_)
            if (!used_.contains(name) && !is_left_out(name) && !left_out_here(name))
                return Error{fmt::format("{} with these settings has no place for this tensor, and to leave it out would compute "
                                         "something else", config_.family->name),
                             in_folder(tensor_file()), visible(name), 0};
        auto stored = StoredWeights::make(std::move(opened_), std::move(matrices_), source_.held());
        if (!stored) return stored.error();
        model_->stored = std::move(*stored);
        model_->embeddings = FrozenMatrix::of_shape(config_.sizes.words, config_.sizes.width);
        const double bytes = kBeside * static_cast<double>(model_->numbers() - model_->embeddings.size()) * sizeof(float);
        if (const auto free = available_memory(); free && bytes > *free)
            return Error{fmt::format("its weights take {:.1f} GB as float32, and {:.1f} GB of memory are free; take a smaller model, or end other programs",
                                     bytes / 1e9, *free / 1e9),
                         where_, "", 0};
        return Done{};
    }

    Result<Done> words() {
        if (config_.picture) return picture();
        return read_checkpoint_words(source_, config_.sizes.words, *model_);
    }

    /// A model of pictures says labels, and what is done to pixels stands in a file of its own.
    Result<Done> picture() {
        model_->words = std::move(config_.labels);
        model_->picture = config_.picture;
        if (!there(kPreprocessorFile)) return Done{};
        const auto bytes = source_.bytes(kPreprocessorFile, kMostConfigBytes);
        if (!bytes) return bytes.error();
        model_->fingerprint ^= hash_bytes(*bytes) * 7;
        const auto root = parse_json(*bytes);
        if (!root) return Error{root.error().message, in_folder(kPreprocessorFile), root.error().key, root.error().line};
        return read_preprocessor(*root, in_folder(kPreprocessorFile), *model_->picture);
    }

    /// What the words are read off: their own vectors, a matrix, or nothing, where the file has no head for them.
    std::string_view unembedding() const {
        if (model_->has("unembedding_weight")) return "own";
        const bool head = model_->has("unembedding_bias") || model_->has("words.up_weight");
        const bool says = config_.family->causal || config_.start;  // goes on with a text
        return config_.tied && (says || head) ? "tied" : "by_form";
    }

    Result<Done> together() {
        model_->settings = std::move(config_.settings);
        model_->start = config_.start;
        model_->end = config_.end;
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
        doc.source = "a b";
        take_model(doc, model_);
        for (const Error& problem : problems(doc))
            return Error{problem.message, in_folder(problem.key == "weights" ? tensor_file() : kConfigFile), problem.key, 0};
        return Done{};
    }

    const CheckpointSource& source_;
    std::string where_;
    std::shared_ptr<Model> model_ = std::make_shared<Model>();
    CheckpointConfig config_;
    std::vector<TensorFile> opened_;
    std::map<std::string, const TensorPlace*, std::less<>> places_;
    std::set<std::string, std::less<>> used_;
    std::map<std::string, StoredMatrix, std::less<>> matrices_;
};

}  // namespace

Result<ModelPtr> read_checkpoint_from(const CheckpointSource& source, std::string name) {
    return CheckpointReader(source, std::move(name)).read();
}

}  // namespace attn
