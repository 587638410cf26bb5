// An index of the files that the processes of one run wrote (assets/python/attenscope_capture.py): which heads, layers
// and texts are in which tensor. All of them are read as one capture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"

namespace attn {
namespace {

constexpr std::string_view kStreamPieces = "stream_pieces";
constexpr std::string_view kAgain = "capture again, with all processes";

/// One tensor of one file: [texts, heads, queries, keys] of a layer; or its queries [texts, heads, queries, width], and
/// what they are compared with.
struct Piece {
    std::string file, tensor, part;
    std::size_t layer = 0, first_head = 0, first_text = 0;
    std::vector<std::size_t> shape;
    int line = 0;
    std::string keys, seen;  ///< tensors of the same file; empty: it has weights, or a mask that `causal` says
    std::vector<std::size_t> key_shape;
    double scale = 1;
    bool causal = false;

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

Result<std::vector<std::size_t>> shape_in(const JsonValue& object, std::string_view key, std::size_t rank, std::string_view wanted) {
    const JsonValue* shape = object.find(key);
    if (!shape || shape->kind != JsonKind::Array || shape->items.size() != rank) return at_line(object, key, fmt::format("{} is expected", wanted));
    std::vector<std::size_t> out;
    for (const JsonValue& side : shape->items) {
        if (!side.is_integer || side.integer < 1 || side.integer > static_cast<std::int64_t>(kMaxTexts))
            return at_line(side, key, fmt::format("numbers from 1 to {} are expected", kMaxTexts));
        out.push_back(static_cast<std::size_t>(side.integer));
    }
    return out;
}

/// What a piece of queries says besides.
Result<Done> take_compared(const JsonValue& value, Piece& out) {
    auto keys = text(value, "keys");
    if (!keys) return keys.error();
    out.keys = std::move(*keys);
    auto shape = shape_in(value, "key_shape", 4, "[texts, heads, keys, width]");
    if (!shape) return shape.error();
    out.key_shape = std::move(*shape);
    if (value.find("seen")) {
        auto seen = text(value, "seen");
        if (!seen) return seen.error();
        out.seen = std::move(*seen);
    }
    const JsonValue *scale = value.find("scale"), *causal = value.find("causal");
    if (!scale || scale->kind != JsonKind::Number || !std::isfinite(scale->number32) || scale->number == 0)
        return at_line(scale ? *scale : value, "scale", "a number other than 0 is expected");
    if (!causal || causal->kind != JsonKind::Boolean) return at_line(causal ? *causal : value, "causal", "true or false is expected");
    out.scale = scale->number;
    out.causal = causal->boolean;
    if (out.key_shape[0] != out.texts())
        return at_line(value, "key_shape", fmt::format("it says {} texts, and shape says {}", out.key_shape[0], out.texts()));
    return Done{};
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
    auto shape = shape_in(value, "shape", 4, value.find("keys") ? "[texts, heads, queries, width]" : "[texts, heads, queries, keys]");
    if (!shape) return shape.error();
    out.shape = std::move(*shape);
    if (value.find("keys"))
        if (auto done = take_compared(value, out); !done) return done.error();
    return out;
}

/// One tensor of one file: [texts, tokens, width] of the residual stream.
struct StreamPiece {
    std::string file, tensor;
    Part part = Part::Main;
    int layer = StreamPlace::kStreamInput;
    std::size_t first_text = 0;
    std::vector<std::size_t> shape;
};

Result<StreamPiece> stream_piece_from(const JsonValue& value, std::size_t texts) {
    if (value.kind != JsonKind::Object) return at_line(value, kStreamPieces, "an object for each piece is expected");
    StreamPiece out;
    std::string part;
    for (const auto& [key, into] : {std::pair{"file", &out.file}, {"tensor", &out.tensor}, {"part", &part}}) {
        auto read = text(value, key);
        if (!read) return read.error();
        *into = std::move(*read);
    }
    if (out.file.empty() || std::filesystem::path(out.file).filename() != out.file)
        return at_line(value, "file", "the name of a file in the folder of the index is expected, without a path");
    const auto known = part_of_prefix(part);
    if (!known || *known == Part::Cross) return at_line(value, "part", "\"\", \"encoder_\" or \"decoder_\" is expected");
    out.part = *known;
    const JsonValue* layer = value.find("layer");
    if (!layer || !layer->is_integer || layer->integer < StreamPlace::kStreamInput || layer->integer > 9999)
        return at_line(layer ? *layer : value, "layer", "a whole number from -1 to 9999 is expected");
    out.layer = static_cast<int>(layer->integer);
    const auto first = whole(value, "first_text", 0, texts - 1);
    if (!first) return first.error();
    out.first_text = *first;
    auto shape = shape_in(value, "shape", 3, "[texts, tokens, width]");
    if (!shape) return shape.error();
    out.shape = std::move(*shape);
    if (out.first_text + out.shape[0] > texts) return at_line(value, kStreamPieces, fmt::format("it holds more than the {} texts", texts));
    return out;
}

double product_of(const std::vector<std::size_t>& shape) {
    double out = 1;
    for (const std::size_t side : shape) out *= static_cast<double>(side);
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

Result<const TensorPlace*> place_of(const TensorFile& file, const std::string& tensor, const std::vector<std::size_t>& wanted) {
    const TensorPlace* place = file.header().find(tensor);
    const auto wrong = [&](std::string message) { return Error{std::move(message), visible_text(file.name()), visible_text(tensor), 0}; };
    if (!place) return wrong(fmt::format("there is no such tensor, which the index names; {}", kAgain));
    const std::vector<std::size_t> shape(place->shape.begin(), place->shape.end());
    if (shape != wanted)
        return wrong(fmt::format("its shape is {}, and the index says {}; the file is of another capture: {}", shape_words(shape),
                                 shape_words(wanted), kAgain));
    return place;
}

/// A tensor that a piece names, as an array.
Result<AttentionArray> array_in(const std::shared_ptr<const TensorFile>& file, const std::string& tensor, const std::vector<std::size_t>& shape,
                                bool held) {
    const auto place = place_of(*file, tensor, shape);
    if (!place) return place.error();
    auto source = source_of(file, **place, held);
    if (!source) return source.error();
    AttentionArray out = AttentionArray::of(tensor, shape, std::move(*source), tolerance_of_type((*place)->type));
    std::size_t maps = 1;
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) maps *= shape[i];
    if (out.maps.size() != maps) return attention_error("it holds more maps than are read", tensor);
    return out;
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

/// What a piece's queries are compared with.
struct KeyTensors {
    AttentionArray keys, seen;
};

/// Queries and keys of one layer of one text, its heads joined.
Result<ComparedPlace> compared_of(const std::vector<const Piece*>& pieces, const std::vector<AttentionArray>& tensors,
                                  const std::vector<KeyTensors>& compared, const Piece* first_of_all, std::size_t text) {
    const Piece& first = *pieces.front();
    ComparedPlace out{.name = fmt::format("{}queries_{}", first.part, first.layer), .part = *part_of_prefix(first.part),
                      .layer = static_cast<int>(first.layer), .queries = {}, .keys = {}, .keys_of = {}, .scale = first.scale, .causal = first.causal, .seen = {}, .where = first.file};
    for (const Piece* piece : pieces) {
        const bool alike = piece->scale == first.scale && piece->causal == first.causal && !piece->keys.empty() && piece->seen.empty() == first.seen.empty();
        const auto side = [&](std::size_t i) { return piece->shape[i] == first.shape[i] && piece->key_shape[i] == first.key_shape[i]; };
        if (!alike || !side(2) || !side(3))
            return attention_error(fmt::format("{} and {} hold heads of it that do not fit together; {}", in_quotes(first.file), in_quotes(piece->file),
                                               kAgain),
                                   out.name);
        const auto at = static_cast<std::size_t>(piece - first_of_all), place = text - piece->first_text, key_heads = piece->key_shape[1];
        const auto shared = shared_keys(piece->heads(), key_heads, piece->tensor, piece->keys);
        if (!shared) return shared.error();
        for (const int head : *shared) out.keys_of.push_back(static_cast<int>(out.keys.size()) + head);
        const auto take = [&](const AttentionArray& from, std::size_t heads, std::vector<MapPlace>& into) {
            const auto begin = from.maps.begin() + static_cast<std::ptrdiff_t>(place * heads);
            into.insert(into.end(), begin, begin + static_cast<std::ptrdiff_t>(heads));
        };
        take(tensors[at], piece->heads(), out.queries);
        take(compared[at].keys, key_heads, out.keys);
        if (!piece->seen.empty() && !out.seen) out.seen = compared[at].seen.maps[place];
    }
    return out;
}

/// The residual stream of all texts; a part has it in all of them, or in none.
Result<Done> take_streams(const std::vector<StreamPiece>& pieces, const std::vector<AttentionArray>& tensors,
                          std::vector<AttentionParts::Text>& texts) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (std::size_t text = 0; text < pieces[i].shape[0]; ++text)
            texts[pieces[i].first_text + text].streams.push_back(
                {pieces[i].tensor, pieces[i].part, pieces[i].layer, tensors[i].maps[text], pieces[i].file});
    for (std::size_t text = 1; text < texts.size(); ++text)
        if (texts[text].streams.size() != texts[0].streams.size())
            return attention_error(fmt::format("text {} (counted from 0) has {} pieces of the residual stream, and text 0 has {}; {}", text,
                                               texts[text].streams.size(), texts[0].streams.size(), kAgain),
                                   kStreamPieces);
    return Done{};
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
        numbers += product_of(piece->shape) + (piece->keys.empty() ? 0 : product_of(piece->key_shape));
        pieces.push_back(std::move(*piece));
    }
    std::vector<StreamPiece> stream_pieces;
    if (const JsonValue* streams = index.find(kStreamPieces)) {
        if (streams->kind != JsonKind::Array) return at_line(*streams, kStreamPieces, "a list of pieces is expected");
        for (const JsonValue& one : streams->items) {
            auto piece = stream_piece_from(one, *texts);
            if (!piece) return piece.error();
            numbers += product_of(piece->shape);
            stream_pieces.push_back(std::move(*piece));
        }
    }
    AttentionParts out;
    out.held = are_held(numbers);
    Files files(folder);
    std::vector<AttentionArray> tensors, streams;
    std::vector<KeyTensors> compared(pieces.size());
    const auto read_into = [&](AttentionArray& into, const std::string& name, const std::string& tensor,
                               const std::vector<std::size_t>& shape) -> Result<Done> {
        const auto file = files.open(name);
        if (!file) return file.error();
        auto array = array_in(*file, tensor, shape, out.held);
        if (!array) return array.error();
        into = std::move(*array);
        return Done{};
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        if (auto done = read_into(tensors.emplace_back(), piece.file, piece.tensor, piece.shape); !done) return done.error();
        if (piece.keys.empty()) continue;
        if (auto done = read_into(compared[i].keys, piece.file, piece.keys, piece.key_shape); !done) return done.error();
        if (piece.seen.empty()) continue;
        if (auto done = read_into(compared[i].seen, piece.file, piece.seen, {piece.texts(), piece.shape[2], 2}); !done) return done.error();
    }
    for (const StreamPiece& piece : stream_pieces)
        if (auto done = read_into(streams.emplace_back(), piece.file, piece.tensor, piece.shape); !done) return done.error();
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
            if (of_layer.front()->keys.empty()) {
                auto array = layer_of(of_layer, tensors, pieces.data(), t);
                if (!array) return array.error();
                out.texts[t].arrays.push_back(std::move(*array));
            } else {
                auto place = compared_of(of_layer, tensors, compared, pieces.data(), t);
                if (!place) return place.error();
                out.texts[t].compared.push_back(std::move(*place));
            }
        }
    for (const AttentionParts::Text& one : out.texts)
        if (!one.arrays.empty() && !one.compared.empty())
            return attention_error(fmt::format("some pieces hold weights and others queries and keys; {}", kAgain), kPieces);
    if (auto done = take_streams(stream_pieces, streams, out.texts); !done) return done.error();
    if (auto done = take_tokens(index, *texts, out.texts); !done) return done.error();
    out.fingerprint = files.fingerprint();
    return out;
}

}  // namespace attn
