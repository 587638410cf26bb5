// An index of the files that the processes of one run wrote (assets/python/attenscope_capture.py): which heads, layers
// and texts are in which tensor. All of them are read as one capture.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"

namespace attn {
namespace {

constexpr std::string_view kAgain = "capture again, with all processes";

/// One tensor of one file: [texts, heads, queries, keys] of a layer.
struct Piece {
    std::string file, tensor, part;
    std::size_t layer = 0, first_head = 0, first_text = 0;
    std::vector<std::size_t> shape;
    int line = 0;

    std::size_t texts() const { return shape[0]; }
    std::size_t heads() const { return shape[1]; }
};

Error at_line(const JsonValue& value, std::string_view key, std::string message) { return {std::move(message), {}, std::string(key), value.line}; }

Result<std::size_t> whole(const JsonValue& object, std::string_view key, std::size_t low, std::size_t high) {
    const JsonValue* value = object.find(key);
    if (!value) return at_line(object, key, "it is missing; " + std::string(kAgain));
    if (!value->is_integer || value->integer < static_cast<std::int64_t>(low) || value->integer > static_cast<std::int64_t>(high))
        return at_line(*value, key, fmt::format("a whole number from {} to {} is expected", low, high));
    return static_cast<std::size_t>(value->integer);
}

Result<std::string> text(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    if (!value || value->kind != JsonKind::String) return at_line(value ? *value : object, key, "a text is expected");
    return value->string;
}

Result<Piece> piece_from(const JsonValue& value, std::size_t heads, std::size_t texts) {
    if (value.kind != JsonKind::Object) return at_line(value, kPieces, "an object for each piece is expected");
    Piece out;
    out.line = value.line;
    for (const auto& [key, into] : {std::pair{"file", &out.file}, {"tensor", &out.tensor}, {"part", &out.part}}) {
        auto read = text(value, key);
        if (!read) return read.error();
        *into = std::move(*read);
    }
    if (out.file.empty() || std::filesystem::path(out.file).filename() != out.file)
        return at_line(value, "file", "the name of a file in the folder of the index is expected, without a path");
    if (!out.part.empty() && out.part != "encoder_" && out.part != "decoder_" && out.part != "cross_")
        return at_line(value, "part", "\"\", \"encoder_\", \"decoder_\" or \"cross_\" is expected");
    for (const auto& [key, into, high] : {std::tuple{"layer", &out.layer, std::size_t{9999}}, {"first_head", &out.first_head, heads - 1},
                                          {"first_text", &out.first_text, texts - 1}}) {
        const auto read = whole(value, key, 0, high);
        if (!read) return read.error();
        *into = *read;
    }
    const JsonValue* shape = value.find("shape");
    if (!shape || shape->kind != JsonKind::Array || shape->items.size() != 4) return at_line(value, "shape", "[texts, heads, queries, keys] is expected");
    for (const JsonValue& side : shape->items) {
        if (!side.is_integer || side.integer < 1 || side.integer > static_cast<std::int64_t>(kMaxTexts))
            return at_line(side, "shape", fmt::format("numbers from 1 to {} are expected", kMaxTexts));
        out.shape.push_back(static_cast<std::size_t>(side.integer));
    }
    return out;
}

/// The files, opened by their headers, each once.
class Files {
public:
    explicit Files(std::filesystem::path folder) : folder_(std::move(folder)) {}

    Result<std::shared_ptr<const TensorFile>> open(const std::string& name) {
        auto& known = files_[name];
        if (!known) {
            const std::filesystem::path path = folder_ / name;
            auto file = TensorFile::open(path.string());
            if (!file) {
                Error error = file.error();
                error.message += fmt::format(" It is a piece of this capture: it must be in the folder of the index, whole; copy it there, or {}.", kAgain);
                return error;
            }
            known = std::make_shared<const TensorFile>(std::move(*file));
            fingerprint_ = fingerprint_ * 31 + hash_bytes(name) + time_written(path);
        }
        return known;
    }
    std::uint64_t fingerprint() const { return fingerprint_; }

private:
    std::filesystem::path folder_;
    std::map<std::string, std::shared_ptr<const TensorFile>> files_;
    std::uint64_t fingerprint_ = 0;
};

Result<const TensorPlace*> place_of(const TensorFile& file, const Piece& piece) {
    const TensorPlace* place = file.header().find(piece.tensor);
    const auto wrong = [&](std::string message) { return Error{std::move(message), visible_text(file.name()), visible_text(piece.tensor), 0}; };
    if (!place) return wrong(fmt::format("there is no such tensor, which the index names; {}", kAgain));
    const std::vector<std::size_t> shape(place->shape.begin(), place->shape.end());
    if (shape != piece.shape)
        return wrong(fmt::format("its shape is {}, and the index says {}; the file is of another capture: {}", shape_words(shape), shape_words(piece.shape), kAgain));
    return place;
}

/// "heads 2 to 3 of layer 5 of text 1", counted from 0 as in the index.
std::string heads_words(std::size_t first, std::size_t past, const Piece& of, std::size_t text) {
    const std::string heads = past - first == 1 ? fmt::format("head {}", first) : fmt::format("heads {} to {}", first, past - 1);
    return fmt::format("{} of {}attention_{} of text {} (counted from 0)", heads, of.part, of.layer, text);
}

/// The pieces of one layer of one text must have each head once.
Result<Done> check_heads(const std::vector<const Piece*>& pieces, std::size_t heads, std::size_t text) {
    std::size_t past = 0;
    const Piece* before = nullptr;
    for (const Piece* piece : pieces) {
        if (piece->first_head < past)
            return attention_error(fmt::format("{}: in both {} and {}; say which are where, with first_head=, and {}",
                                               heads_words(piece->first_head, std::min(past, piece->first_head + piece->heads()), *piece, text),
                                               in_quotes(before->file), in_quotes(piece->file), kAgain),
                                   kPieces);
        if (piece->first_head > past)
            return attention_error(fmt::format("{}: in no file; {}", heads_words(past, piece->first_head, *piece, text), kAgain), kPieces);
        past = piece->first_head + piece->heads();
        before = piece;
    }
    if (past > heads)
        return attention_error(fmt::format("{} holds {}, and there are {} heads; {}", in_quotes(before->file),
                                           heads_words(before->first_head, past, *before, text), heads, kAgain),
                               kPieces);
    if (past < heads) return attention_error(fmt::format("{}: in no file; {}", heads_words(past, heads, *before, text), kAgain), kPieces);
    return Done{};
}

/// One layer of one text, its heads joined.
Result<AttentionArray> layer_of(const std::vector<const Piece*>& pieces, const std::vector<AttentionArray>& tensors, const Piece* first_of_all, std::size_t text) {
    const Piece& first = *pieces.front();
    AttentionArray out{fmt::format("{}attention_{}", first.part, first.layer), {}, {}, 0, first.file, true};
    for (const Piece* piece : pieces) {
        if (piece->shape[2] != first.shape[2] || piece->shape[3] != first.shape[3])
            return attention_error(fmt::format("{} holds {} queries and {} keys, and {} holds {} and {}: they are not of one text; say which text is "
                                               "where, with first_text=, and {}",
                                               in_quotes(first.file), first.shape[2], first.shape[3], in_quotes(piece->file), piece->shape[2], piece->shape[3], kAgain),
                                   out.name);
        const AttentionArray& tensor = tensors[static_cast<std::size_t>(piece - first_of_all)];
        const auto begin = tensor.maps.begin() + static_cast<std::ptrdiff_t>((text - piece->first_text) * piece->heads());
        out.maps.insert(out.maps.end(), begin, begin + static_cast<std::ptrdiff_t>(piece->heads()));
        out.tolerance = std::max(out.tolerance, tensor.tolerance);
    }
    out.shape = {out.maps.size(), first.shape[2], first.shape[3]};
    return out;
}

/// The names of the tokens of each text.
Result<Done> take_tokens(const JsonValue& index, std::size_t texts, std::vector<AttentionParts::Text>& into) {
    for (const std::string_view key : {"tokens", "source_tokens"}) {
        const JsonValue* list = index.find(key);
        if (!list) continue;
        auto names = token_lists_from(*list, key);
        if (!names) return names.error();
        if (names->size() != texts)
            return at_line(*list, key, fmt::format("the tokens of {} texts are named, and there are {} texts", names->size(), texts));
        for (std::size_t i = 0; i < texts; ++i) (key == "tokens" ? into[i].named.tokens : into[i].named.source_tokens) = std::move((*names)[i]);
    }
    return Done{};
}

}  // namespace

Result<AttentionParts> attention_parts_of_index(const JsonValue& index, const std::filesystem::path& folder) {
    const auto heads = whole(index, "heads", 1, kMaxTexts), texts = whole(index, "texts", 1, kMaxTexts);
    if (!heads) return heads.error();
    if (!texts) return texts.error();
    const JsonValue* list = index.find(kPieces);
    if (!list || list->kind != JsonKind::Array || list->items.empty()) return at_line(index, kPieces, "a list of pieces is expected");
    std::vector<Piece> pieces;
    double numbers = 0;
    for (const JsonValue& one : list->items) {
        auto piece = piece_from(one, *heads, *texts);
        if (!piece) return piece.error();
        double size = 1;
        for (const std::size_t side : piece->shape) size *= static_cast<double>(side);
        numbers += size;
        pieces.push_back(std::move(*piece));
    }
    AttentionParts out;
    out.held = are_held(numbers);
    Files files(folder);
    std::vector<AttentionArray> tensors;
    for (const Piece& piece : pieces) {
        const auto file = files.open(piece.file);
        if (!file) return file.error();
        const auto place = place_of(**file, piece);
        if (!place) return place.error();
        auto source = source_of(*file, **place, out.held);
        if (!source) return source.error();
        tensors.push_back(AttentionArray::of(piece.tensor, piece.shape, std::move(*source), tolerance_of_type((*place)->type)));
        if (tensors.back().maps.size() != piece.texts() * piece.heads()) return attention_error("it holds more maps than are read", piece.tensor);
    }
    std::vector<std::map<std::pair<std::string, std::size_t>, std::vector<const Piece*>>> of_text(*texts);
    std::set<std::pair<std::string, std::size_t>> layers;
    for (const Piece& piece : pieces) {
        if (piece.first_text + piece.texts() > *texts)
            return attention_error(fmt::format("{} holds texts {} to {} (counted from 0), and there are {}; {}", in_quotes(piece.file), piece.first_text,
                                               piece.first_text + piece.texts() - 1, *texts, kAgain),
                                   kPieces);
        layers.insert({piece.part, piece.layer});
        for (std::size_t i = 0; i < piece.texts(); ++i) of_text[piece.first_text + i][{piece.part, piece.layer}].push_back(&piece);
    }
    out.texts.resize(*texts);
    for (std::size_t t = 0; t < *texts; ++t)
        for (const auto& layer : layers) {
            auto& of_layer = of_text[t][layer];
            if (of_layer.empty())
                return attention_error(fmt::format("{}attention_{} of text {} (counted from 0) is in no file; {}", layer.first, layer.second, t, kAgain), kPieces);
            std::stable_sort(of_layer.begin(), of_layer.end(), [](const Piece* a, const Piece* b) { return a->first_head < b->first_head; });
            if (auto done = check_heads(of_layer, *heads, t); !done) return done.error();
            auto array = layer_of(of_layer, tensors, pieces.data(), t);
            if (!array) return array.error();
            out.texts[t].arrays.push_back(std::move(*array));
        }
    if (auto done = take_tokens(index, *texts, out.texts); !done) return done.error();
    out.fingerprint = files.fingerprint();
    return out;
}

}  // namespace attn
