// Queries and keys in place of maps, and the residual stream: which arrays they are, whether they fit, and their numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/limits.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

constexpr std::string_view kQueryArray = "queries", kKeyArray = "keys", kSeenArray = "seen", kStreamArray = "residual";
constexpr std::string_view kSaidScale = "scale", kSaidCausal = "causal", kInputOfStream = "input";
constexpr int kMostCapturedLayer = 9999;

/// "decoder_queries_12".
struct CapturedName {
    std::string_view prefix, kind;
    int layer = 0;
};
std::optional<CapturedName> captured_name(std::string_view name) {
    const std::size_t at = name.rfind('_');
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view front = name.substr(0, at), number = name.substr(at + 1);
    for (const std::string_view kind : {kQueryArray, kKeyArray, kSeenArray, kStreamArray}) {
        if (!front.ends_with(kind)) continue;
        CapturedName out{front.substr(0, front.size() - kind.size()), kind, StreamPlace::kStreamInput};
        if (!part_of_prefix(out.prefix)) continue;
        if (kind == kStreamArray && number == kInputOfStream) return out;
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), out.layer);
        if (problem == std::errc{} && end == number.data() + number.size() && out.layer >= 0 && out.layer <= kMostCapturedLayer) return out;
    }
    return std::nullopt;
}

/// The axes of one text's array, `rank` of them; the axis of texts comes before.
Result<std::vector<std::size_t>> sides_of_text(const AttentionArray& array, std::size_t rank, std::size_t texts, std::string_view wanted) {
    const bool with_texts = array.shape.size() == rank + 1 && array.shape[0] == texts;
    std::vector<std::size_t> out(array.shape.end() - static_cast<std::ptrdiff_t>(std::min(rank, array.shape.size())), array.shape.end());
    std::size_t maps = texts;
    for (std::size_t i = 0; i + 2 < rank && i < out.size(); ++i) maps *= out[i];
    if (!(with_texts || (texts == 1 && array.shape.size() == rank)) || array.maps.size() != maps || maps == 0)
        return attention_error(texts == 1 ? fmt::format("its shape is {}; {} is expected", shape_words(array.shape), wanted)
                                          : fmt::format("its shape is {}; {} of each of the {} texts is expected", shape_words(array.shape), wanted,
                                                        texts),
                               array.name);
    return out;
}

/// The maps of one text.
std::vector<MapPlace> maps_of_text(const AttentionArray& array, std::size_t text, std::size_t texts) {
    const auto count = static_cast<std::ptrdiff_t>(array.maps.size() / texts), first = static_cast<std::ptrdiff_t>(text) * count;
    return {array.maps.begin() + first, array.maps.begin() + first + count};
}

/// What the metadata say of all arrays of queries, or of each by its name.
class SaidOfQueries {
public:
    static Result<SaidOfQueries> from(const std::map<std::string, std::string>& said) {
        SaidOfQueries out;
        for (const auto& [key, into] : {std::pair{kSaidScale, &out.scale_}, {kSaidCausal, &out.causal_}}) {
            const auto at = said.find(std::string(key));
            if (at == said.end())
                return attention_error("it is missing in the metadata: of queries and keys these say \"scale\", a number, and \"causal\", true or "
                                       "false, or an object with one for each array of queries",
                                       key);
            auto value = parse_json(at->second);
            if (!value) return attention_error("in the metadata: " + value.error().message, key);
            *into = std::move(*value);
        }
        return out;
    }

    Result<Done> tell(ComparedPlace& place) const {
        const JsonValue* scale = of(scale_, place.name);
        if (!scale || scale->kind != JsonKind::Number || !std::isfinite(scale->number32) || scale->number == 0)
            return attention_error(fmt::format("in the metadata: a number other than 0 is expected for {}", in_quotes(place.name)), kSaidScale);
        const JsonValue* causal = of(causal_, place.name);
        if (!causal || causal->kind != JsonKind::Boolean)
            return attention_error(fmt::format("in the metadata: true or false is expected for {}", in_quotes(place.name)), kSaidCausal);
        place.scale = scale->number;
        place.causal = causal->boolean;
        return Done{};
    }

private:
    static const JsonValue* of(const JsonValue& said, const std::string& name) { return said.kind == JsonKind::Object ? said.find(name) : &said; }
    JsonValue scale_, causal_;
};

/// The arrays of one layer.
struct ComparedArrays {
    const AttentionArray *queries = nullptr, *keys = nullptr, *seen = nullptr;
};
using CapturedLayer = std::pair<std::string, int>;  // its prefix and number

Result<Done> take_layer(const CapturedLayer& at, const ComparedArrays& arrays, const SaidOfQueries& said, std::vector<AttentionParts::Text>& texts) {
    const auto name = [&](std::string_view kind) { return fmt::format("{}{}_{}", at.first, kind, at.second); };
    const auto missing = [](const AttentionArray& there, const std::string& key) {
        return attention_error(fmt::format("it is missing, and there is {}", in_quotes(there.name)), key);
    };
    if (!arrays.queries) return missing(arrays.keys ? *arrays.keys : *arrays.seen, name(kQueryArray));
    if (!arrays.keys) return missing(*arrays.queries, name(kKeyArray));
    const auto queries = sides_of_text(*arrays.queries, 3, texts.size(), "[heads, queries, width]");
    if (!queries) return queries.error();
    const auto keys = sides_of_text(*arrays.keys, 3, texts.size(), "[heads, keys, width]");
    if (!keys) return keys.error();
    auto keys_of = shared_keys((*queries)[0], (*keys)[0], arrays.queries->name, arrays.keys->name);
    if (!keys_of) return keys_of.error();
    if (arrays.seen)
        if (const auto seen = sides_of_text(*arrays.seen, 2, texts.size(), "[queries, 2]"); !seen) return seen.error();
    for (std::size_t text = 0; text < texts.size(); ++text) {
        ComparedPlace place{.name = arrays.queries->name, .part = *part_of_prefix(at.first), .layer = at.second,
                            .queries = maps_of_text(*arrays.queries, text, texts.size()), .keys = maps_of_text(*arrays.keys, text, texts.size()),
                            .keys_of = *keys_of, .seen = {}};
        if (arrays.seen) place.seen = maps_of_text(*arrays.seen, text, texts.size()).front();
        if (auto done = said.tell(place); !done) return done.error();
        texts[text].compared.push_back(std::move(place));
    }
    return Done{};
}

Result<Done> name_texts(AttentionParts& parts) {
    if (parts.named.size() > parts.texts.size())
        return attention_error(fmt::format("the tokens of {} texts are named, and the file is of {}", parts.named.size(), parts.texts.size()),
                               "tokens");
    for (std::size_t i = 0; i < parts.named.size(); ++i) parts.texts[i].named = std::move(parts.named[i]);
    parts.named.clear();
    return Done{};
}

/// The numbers of a place: read now, or when they are looked at; then NaN stands for what can no longer be read.
Result<StepValue> value_at(const MapPlace& place, std::string_view name, std::string_view what, bool held) {
    if (!held) {
        auto read = [place] {
            constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
            auto numbers = place.read();
            return std::make_shared<const Matrix>(numbers ? std::move(*numbers) : Matrix(Matrix::Constant(place.rows, place.cols, kNone)));
        };
        return StepValue(read_later(std::move(read)), place.rows, place.cols);
    }
    auto numbers = place.read();
    if (!numbers) return numbers.error();
    for (Eigen::Index i = 0; i < numbers->size(); ++i)
        if (const float number = numbers->data()[i]; !std::isfinite(number))
            return attention_error(fmt::format("{}row {}, column {} is {}; nothing can be computed with that", what, i / numbers->cols() + 1,
                                               i % numbers->cols() + 1, number),
                                   name);
    return StepValue(std::move(*numbers));
}

/// The keys that each query sees, checked.
Result<std::shared_ptr<const Matrix>> seen_at(const MapPlace& place, const ComparedPlace& of, Eigen::Index rows, Eigen::Index keys) {
    const std::string name = fmt::format("the keys that {} see", in_quotes(of.name));
    if (place.rows != rows || place.cols != 2)
        return attention_error(fmt::format("{} are {} × {}; {} × 2 is expected", name, place.rows, place.cols, rows), of.name);
    auto seen = place.read();
    if (!seen) return seen.error();
    for (Eigen::Index i = 0; i < rows; ++i) {
        const float first = (*seen)(i, 0), past = (*seen)(i, 1);
        if (!(first >= 0 && first <= past && past <= static_cast<float>(keys)) || first != std::floor(first) || past != std::floor(past))
            return attention_error(fmt::format("{}: row {} is {} to {}; whole numbers are expected, the first key and the one behind the last, "
                                               "of {}",
                                               name, i + 1, first, past, keys),
                                   of.name);
    }
    return std::make_shared<const Matrix>(std::move(*seen));
}

/// 1 where a query sees a key.
Matrix pattern_from(bool causal, const Matrix* seen, Eigen::Index rows, Eigen::Index cols) {
    Matrix out = Matrix::Zero(rows, cols);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Eigen::Index first = seen ? static_cast<Eigen::Index>((*seen)(i, 0)) : 0;
        const Eigen::Index past = std::min(seen ? static_cast<Eigen::Index>((*seen)(i, 1)) : cols, causal ? i + 1 : cols);
        if (past > first) out.row(i).segment(first, past - first).setOnes();
    }
    return out;
}

StepValue pattern_value(bool causal, const std::shared_ptr<const Matrix>& seen, Eigen::Index rows, Eigen::Index cols) {
    if (!causal && (!seen || ((seen->col(0).array() == 0).all() && (seen->col(1).array() == static_cast<float>(cols)).all()))) return {};
    if (rows * cols < kEvictFrom) return pattern_from(causal, seen.get(), rows, cols);
    return {read_later([=] { return std::make_shared<const Matrix>(pattern_from(causal, seen.get(), rows, cols)); }), rows, cols};
}

Error more_than_shown(const std::string& name, std::size_t has, std::string_view what, std::size_t most) {
    return attention_error(fmt::format("it has {} {}; 1 to {} are shown", has, what, most), name);
}

Result<Done> check_layer(const ComparedPlace& place, const ComparedPlace& first) {
    const MapPlace &q = place.queries.front(), &k = place.keys.front();
    if (place.queries.size() > kMaxHeads) return more_than_shown(place.name, place.queries.size(), "heads", kMaxHeads);
    for (const auto& [rows, what] : {std::pair{q.rows, "queries"}, {k.rows, "keys"}})
        if (rows < 1 || rows > static_cast<Eigen::Index>(kMaxTokens))
            return more_than_shown(place.name, static_cast<std::size_t>(rows), what, kMaxTokens);
    if (q.cols != k.cols || q.cols < 1 || q.cols > kMaxWidth)
        return attention_error(fmt::format("queries have {} columns and keys {}: both must have as many, from 1 to {}", q.cols, k.cols, kMaxWidth),
                               place.name);
    if (place.causal && q.rows != k.rows)
        return attention_error(fmt::format("it is causal, and {} queries and {} keys are not of one text", q.rows, k.rows), place.name);
    const MapPlace &first_q = first.queries.front(), &first_k = first.keys.front();
    if (place.queries.size() != first.queries.size() || q.rows != first_q.rows || k.rows != first_k.rows)
        return attention_error(fmt::format("it has {} heads, {} queries and {} keys, and {} has {}, {} and {}: the layers of one attention have "
                                           "as many",
                                           place.queries.size(), q.rows, k.rows, in_quotes(first.name), first.queries.size(), first_q.rows,
                                           first_k.rows),
                               place.name);
    return Done{};
}

Result<ComparedLayer> layer_at(const ComparedPlace& place, bool held) {
    ComparedLayer out;
    out.keys_of = place.keys_of;
    out.scale = static_cast<float>(place.scale);
    for (std::size_t i = 0; i < place.queries.size(); ++i) {
        auto value = value_at(place.queries[i], place.name, fmt::format("head {}, ", i + 1), held);
        if (!value) return value.error();
        out.queries.push_back(std::move(*value));
    }
    for (std::size_t i = 0; i < place.keys.size(); ++i) {
        auto value = value_at(place.keys[i], place.name, fmt::format("keys of head {}, ", i + 1), held);
        if (!value) return value.error();
        out.keys.push_back(std::move(*value));
    }
    return out;
}

/// The layers of one part, in order.
Result<AttentionStack> compared_stack(const std::vector<const ComparedPlace*>& places, bool held) {
    struct Shown {
        bool causal;
        std::shared_ptr<const Matrix> seen;
    };
    AttentionStack out;
    const ComparedPlace& first = *places.front();
    if (places.size() > kMaxFileLayers) return more_than_shown(first.name, places.size(), "layers", kMaxFileLayers);
    std::vector<Shown> shown;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const ComparedPlace& place = *places[i];
        if (auto done = check_layer(place, first); !done) return done.error();
        out.part = place.part;
        out.rows = static_cast<int>(place.queries.front().rows);
        out.cols = static_cast<int>(place.keys.front().rows);
        out.heads = static_cast<int>(place.queries.size());
        out.numbers.push_back(place.layer);
        std::shared_ptr<const Matrix> seen;
        if (place.seen) {
            auto read = seen_at(*place.seen, place, out.rows, out.cols);
            if (!read) return read.error();
            seen = std::move(*read);
        }
        auto layer = layer_at(place, held);
        if (!layer) return layer.error();
        const auto same = std::find_if(shown.begin(), shown.end(), [&](const Shown& one) {
            return one.causal == place.causal && (one.seen == seen || (one.seen && seen && *one.seen == *seen));
        });
        layer->pattern_of = static_cast<int>(same - shown.begin());
        layer->pattern = same == shown.end() ? pattern_value(place.causal, seen, out.rows, out.cols)
                                             : out.compared[static_cast<std::size_t>(layer->pattern_of)].pattern;
        shown.push_back({place.causal, std::move(seen)});
        out.compared.push_back(std::move(*layer));
    }
    out.layers = static_cast<int>(places.size());
    return out;
}

template <class Place>
Result<std::vector<const Place*>> places_of_part(const std::vector<Place>& places, Part part) {
    std::vector<const Place*> out;
    for (const Place& place : places)
        if (place.part == part) out.push_back(&place);
    std::sort(out.begin(), out.end(), [](const Place* a, const Place* b) { return a->layer < b->layer; });
    for (std::size_t i = 1; i < out.size(); ++i)
        if (out[i]->layer == out[i - 1]->layer)
            return attention_error(fmt::format("{} is of the same layer", in_quotes(out[i - 1]->name)), out[i]->name);
    return out;
}

}  // namespace

std::optional<Part> part_of_prefix(std::string_view prefix) {
    if (prefix.empty() || prefix == "decoder_") return Part::Main;
    if (prefix == "encoder_") return Part::Encoder;
    return prefix == "cross_" ? std::optional(Part::Cross) : std::nullopt;
}

Result<std::vector<int>> shared_keys(std::size_t heads, std::size_t key_heads, std::string_view queries, std::string_view keys) {
    if (key_heads == 0 || heads % key_heads != 0)
        return attention_error(fmt::format("it has {} heads and {} has {}: as many heads of queries share each of keys", heads, in_quotes(keys),
                                           key_heads),
                               queries);
    std::vector<int> out;
    for (std::size_t head = 0; head < heads; ++head) out.push_back(static_cast<int>(head / (heads / key_heads)));
    return out;
}

Result<Done> take_queries_and_keys(AttentionParts& parts) {
    if (!parts.texts.empty()) return Done{};  // an index has said which they are
    std::map<CapturedLayer, ComparedArrays> layers;
    std::vector<std::pair<CapturedName, const AttentionArray*>> streams;
    const std::vector<AttentionArray> all = std::move(parts.arrays);
    parts.arrays.clear();
    for (const AttentionArray& array : all) {
        const auto name = captured_name(array.name);
        if (!name) {
            parts.arrays.push_back(array);
        } else if (name->kind == kStreamArray) {
            streams.emplace_back(*name, &array);
        } else {
            ComparedArrays& layer = layers[{std::string(name->prefix), name->layer}];
            const AttentionArray*& into = name->kind == kQueryArray ? layer.queries : name->kind == kKeyArray ? layer.keys : layer.seen;
            if (into) return attention_error(fmt::format("{} is of the same layer", in_quotes(into->name)), array.name);
            into = &array;
        }
    }
    if (layers.empty() && streams.empty()) return Done{};
    if (!layers.empty() && !parts.arrays.empty())
        return attention_error("it lies beside queries and keys; a file has weights, or queries and keys from which they are computed",
                               parts.arrays.front().name);
    if (layers.empty() && parts.arrays.empty())
        return attention_error("there is a residual stream in it and no attention; capture weights, or queries and keys, with it",
                               streams.front().second->name);
    if (layers.empty()) {
        if (auto done = split_texts(parts); !done) return done.error();
    } else {
        const auto said = SaidOfQueries::from(parts.said);
        if (!said) return said.error();
        parts.texts.resize(parts.said_texts.value_or(1));
        for (const auto& [at, arrays] : layers)
            if (auto done = take_layer(at, arrays, *said, parts.texts); !done) return done.error();
        if (auto done = name_texts(parts); !done) return done.error();
    }
    for (const auto& [name, array] : streams) {
        if (const auto sides = sides_of_text(*array, 2, parts.texts.size(), "[tokens, width]"); !sides) return sides.error();
        for (std::size_t text = 0; text < parts.texts.size(); ++text)
            parts.texts[text].streams.push_back(
                {array->name, *part_of_prefix(name.prefix), name.layer, maps_of_text(*array, text, parts.texts.size()).front()});
    }
    return Done{};
}

Result<std::vector<AttentionStack>> compared_stacks(const std::vector<ComparedPlace>& places, bool held) {
    std::vector<AttentionStack> out;
    for (const Part part : {Part::Encoder, Part::Main, Part::Cross}) {
        const auto of_part = places_of_part(places, part);
        if (!of_part) return of_part.error();
        if (of_part->empty()) continue;
        auto stack = compared_stack(*of_part, held);
        if (!stack) return stack.error();
        if (!out.empty() && stack->heads != out.front().heads)
            return attention_error(fmt::format("it has {} heads, and another part of the model {}; save them as files of their own", stack->heads,
                                               out.front().heads),
                                   of_part->front()->name);
        out.push_back(std::move(*stack));
    }
    return out;
}

Result<std::vector<GivenStream>> streams_of(const std::vector<StreamPlace>& places, bool held) {
    std::vector<GivenStream> out;
    for (const StreamPlace& place : places)
        if (place.part == Part::Cross) return attention_error("cross-attention has no residual stream of its own", place.name);
    for (const Part part : {Part::Encoder, Part::Main}) {
        const auto of_part = places_of_part(places, part);
        if (!of_part) return of_part.error();
        if (of_part->empty()) continue;
        GivenStream& stream = out.emplace_back();
        stream.part = part;
        const StreamPlace& first = *of_part->front();
        for (std::size_t i = 0; i < of_part->size(); ++i) {
            const StreamPlace& place = *(*of_part)[i];
            if (const int wanted = static_cast<int>(i) - 1; place.layer != wanted) {
                const std::string missing = wanted < 0 ? std::string(kInputOfStream) : std::to_string(wanted);
                return attention_error(fmt::format("it is there, and {}_{} is not: the stream is read in front of the first layer and behind each",
                                                   kStreamArray, missing),
                                       place.name);
            }
            if (place.rows.rows != first.rows.rows || place.rows.cols != first.rows.cols || place.rows.rows > static_cast<Eigen::Index>(kMaxTokens))
                return attention_error(fmt::format("it is {} × {}, and {} is {} × {}: all are as large, with 1 to {} tokens", place.rows.rows,
                                                   place.rows.cols, in_quotes(first.name), first.rows.rows, first.rows.cols, kMaxTokens),
                                       place.name);
            auto value = value_at(place.rows, place.name, "", held);
            if (!value) return value.error();
            if (i == 0)
                stream.input = std::move(*value);
            else
                stream.layers.push_back(std::move(*value));
        }
        if (stream.layers.empty()) return attention_error(fmt::format("it is there, and {}_0 is not", kStreamArray), first.name);
        if (stream.layers.size() > kMaxFileLayers) return more_than_shown(first.name, stream.layers.size(), "layers", kMaxFileLayers);
    }
    return out;
}

}  // namespace attn
