#include "core/model/attention_file/given_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"
#include "core/model/attention_file/row_checks.h"
#include "core/remake/remake.h"
#include "core/text/unicode.h"
#include "core/tokenizers/byte_letters.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// Size limit of a text file next to the weights.
constexpr std::size_t kMostTokenBytes = std::size_t{16} << 20;

AttentionStack* stack_with(std::vector<AttentionStack>& stacks, Part part) {
    const auto at = std::find_if(stacks.begin(), stacks.end(), [part](const AttentionStack& s) { return s.part == part; });
    return at == stacks.end() ? nullptr : &*at;
}

Error sides_error(std::string_view what, int one, std::string_view other, int two) {
    return attention_error(fmt::format("{} {} and {} {}: they must be as many", one, what, two, other));
}

/// Decides whether rows and columns are the same text or two.
Result<Done> name_axes(GivenAttention& out, bool source_named) {
    auto& stacks = out.stacks;
    if (stacks.size() == 1) {
        AttentionStack& only = stacks.front();
        const bool crosses = only.part == Part::Cross || only.rows != only.cols || source_named;
        only.part = Part::Main;
        only.keys = crosses ? Axis::Kind::SourceTokens : Axis::Kind::Tokens;
        out.queries = only.rows;
        out.sources = crosses ? only.cols : 0;
        return Done{};
    }
    AttentionStack *own = stack_with(stacks, Part::Main), *cross = stack_with(stacks, Part::Cross), *encoder = stack_with(stacks, Part::Encoder);
    if (cross) cross->keys = Axis::Kind::SourceTokens;
    if (encoder) encoder->queries = encoder->keys = Axis::Kind::SourceTokens;
    for (const AttentionStack* stack : {own, encoder})
        if (stack && stack->rows != stack->cols)
            return sides_error("queries of a text that looks at itself", stack->rows, "keys", stack->cols);
    out.queries = own ? own->rows : cross->rows;
    out.sources = encoder ? encoder->rows : cross->cols;
    if (own && cross && own->rows != cross->rows)
        return sides_error("tokens of the decoder", own->rows, "queries that look into the encoder", cross->rows);
    if (encoder && cross && encoder->rows != cross->cols)
        return sides_error("tokens of the encoder", encoder->rows, "keys that the decoder looks at", cross->cols);
    return Done{};
}

/// A stream has a row for each token of its text.
Result<Done> check_streams(GivenAttention& attention) {
    for (GivenStream& stream : attention.streams) {
        const bool of_source = stream.part == Part::Encoder && stack_with(attention.stacks, Part::Main) && attention.sources > 0;
        stream.tokens = of_source ? Axis::Kind::SourceTokens : Axis::Kind::Tokens;
        const int wanted = of_source ? attention.sources : attention.queries;
        if (stream.input.rows() != wanted)
            return attention_error(fmt::format("the residual stream has {} tokens and attention has {}", stream.input.rows(), wanted), "residual");
    }
    return Done{};
}

Result<Done> check_names(std::vector<std::string>& names, int wanted, std::string_view which, std::string_view where) {
    if (names.empty()) return Done{};
    const std::string from = where.empty() ? "" : fmt::format(" in {}", where);
    if (static_cast<int>(names.size()) != wanted)
        return attention_error(fmt::format("{} named{}, but the weights have {}", names.size(), from, wanted), which);
    for (std::string& name : names) {
        if (name.size() > kMaxTokenBytes)
            return attention_error(fmt::format("one of them has {} bytes; at most {} are read", name.size(), kMaxTokenBytes), which);
        if (clean_utf8(name).replaced > 0) return attention_error("one of them is not UTF-8", which);
    }
    return Done{};
}

/// A document may have this file name; it names no tokens.
bool names_nothing(const TokenNames& names) { return names.tokens.empty() && names.source_tokens.empty(); }

Result<TokenNames> names_beside(const fs::path& file) {
    constexpr std::array<std::string_view, 4> kEndings = {".tokens.txt", ".tokens.json", ".txt", ".json"};
    for (const std::string_view ending : kEndings) {
        fs::path beside = file;
        beside.replace_extension();
        beside += ending;
        std::error_code problem;
        if (beside == file || !fs::is_regular_file(beside, problem)) continue;
        const auto bytes = read_file(beside, kMostTokenBytes);
        if (!bytes) return bytes.error();
        auto names = read_token_names(*bytes, beside.filename().string());
        if (!names) {
            Error error = names.error();
            error.where = visible_text(beside.string());
            return error;
        }
        if (!names_nothing(*names)) return names;
    }
    return TokenNames{};
}

}  // namespace

RowCheck check_row(const float* numbers, std::size_t count, double tolerance) {
    RowCheck out;
    bool zeros = true;
    for (std::size_t i = 0; i < count; ++i) {
        const float value = numbers[i];
        zeros = zeros && value == 0;
        const bool bad = !std::isfinite(value), below = value < 0;
        if ((bad && !out.not_finite) || (below && !out.negative && !out.not_finite)) out.worst = value;
        out.not_finite = out.not_finite || bad;
        out.negative = out.negative || (below && !bad);
        out.total += static_cast<double>(value);
    }
    out.sum = !out.not_finite && !zeros && std::abs(out.total - 1) > tolerance;
    return out;
}

namespace {

/// Takes names from elsewhere if the file has none; only then is `beside` called, so that unrelated files do no harm.
Result<Done> name_tokens(TokenNames& in_file, const std::function<Result<TokenNames>()>& beside) {
    if (!in_file.tokens.empty()) return Done{};
    auto names = beside();
    if (!names) return names.error();
    in_file.where = names->where;
    in_file.tokens = std::move(names->tokens);
    if (in_file.source_tokens.empty()) in_file.source_tokens = std::move(names->source_tokens);
    return Done{};
}

/// Whether names are written in the letters by which byte-level vocabularies represent bytes: a name with Ġ or Ċ
/// suffices; otherwise every name that decoding changes must become text, and there must be one.
bool are_byte_letters(const std::vector<std::string>& names) {
    bool any = false;
    for (const std::string& name : names) {
        const bool marked = name.find("\u0120") != std::string::npos || name.find("\u010a") != std::string::npos;
        const auto bytes = tokenizing::bytes_of_letters(name);
        if (marked && bytes) return true;
        if (!bytes || *bytes == name) continue;
        const auto is_control = [](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\t' && c != '\r'; };
        if (clean_utf8(*bytes).replaced > 0 || std::any_of(bytes->begin(), bytes->end(), is_control)) return false;
        any = true;
    }
    return any;
}

/// "Ġcat" becomes " cat", "æĹ©" becomes 早; an incomplete character is left as it is.
void read_byte_letters(std::vector<std::string>& names) {
    if (!are_byte_letters(names)) return;
    for (std::string& name : names)
        if (auto bytes = tokenizing::bytes_of_letters(name); bytes && clean_utf8(*bytes).replaced == 0) name = std::move(*bytes);
}

/// Holds the maps of a small file, and counts the rows that are not weights.
Result<Done> hold_maps(AttentionStack& stack, const std::vector<MapPlace>& maps, int number, RowChecks& checks) {
    for (std::size_t i = 0; i < maps.size(); ++i) {
        auto map = maps[i].read();
        if (!map) return map.error();
        checks.take(stack, number, static_cast<int>(i), *map);
        stack.maps.emplace_back(std::move(*map));
    }
    return Done{};
}

/// Reads the maps of a large file when they are looked at. A map that can no longer be read is NaN, which is counted and
/// reported like other rows that are not weights.
void leave_maps(AttentionStack& stack, const std::vector<MapPlace>& maps, int number, double tolerance, const std::shared_ptr<RowChecks>& checks) {
    AttentionStack alone = stack;  // without maps
    alone.maps.clear();
    const auto about = std::make_shared<const AttentionStack>(std::move(alone));
    const auto state = [tolerance](const RowVector& row) {
        return check_row(row.data(), static_cast<std::size_t>(row.size()), tolerance).any() ? std::optional(RowState::NotWeights) : std::nullopt;
    };
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const MapPlace& place = maps[i];
        auto read = [place, about, number, at = static_cast<int>(i), checks] {
            auto numbers = place.read();
            auto map = std::make_shared<const Matrix>(numbers ? std::move(*numbers)
                                                              : Matrix(Matrix::Constant(place.rows, place.cols, std::numeric_limits<float>::quiet_NaN())));
            checks->take(*about, number, at, *map);
            return map;
        };
        auto rows = [place](Eigen::Index first, Eigen::Index count) {
            auto numbers = place.read(first, count);
            return numbers ? std::move(*numbers) : Matrix(Matrix::Constant(count, place.cols, std::numeric_limits<float>::quiet_NaN()));
        };
        stack.maps.emplace_back(read_later(std::move(read), state, std::move(rows)), place.rows, place.cols);
    }
}

Result<GivenAttentionPtr> arrange(std::shared_ptr<const AttentionParts> parts, std::string_view name, int text) {
    const AttentionParts::Text& of = parts->texts[static_cast<std::size_t>(text)];
    auto out = std::make_shared<GivenAttention>();
    out->name = name;
    out->text = text;
    out->texts = static_cast<int>(parts->texts.size());
    out->held = parts->held;
    for (const AttentionArray& array : of.arrays) out->tolerance = std::max(out->tolerance, array.tolerance);
    std::vector<PlacedStack> placed;
    if (of.compared.empty()) {
        auto stacks = stacks_of(of.arrays, parts->held);
        if (!stacks) return stacks.error();
        placed = std::move(*stacks);
        for (PlacedStack& one : placed) out->stacks.push_back(std::move(one.stack));
    } else {
        auto stacks = compared_stacks(of.compared, parts->held);
        if (!stacks) return stacks.error();
        out->stacks = std::move(*stacks);
    }
    std::int64_t all_maps = 0;
    for (const PlacedStack& one : placed) all_maps += static_cast<std::int64_t>(one.maps.size());
    out->checks = std::make_shared<RowChecks>(out->tolerance, all_maps);
    for (const AttentionStack& stack : out->stacks) out->layers = std::max(out->layers, stack.layers);
    out->heads = out->stacks.front().heads;
    if (auto done = name_axes(*out, !of.named.source_tokens.empty()); !done) return done.error();
    out->tokens = of.named.tokens;
    out->source_tokens = of.named.source_tokens;
    const std::string_view where = of.named.where;
    if (auto done = check_names(out->tokens, out->queries, "tokens", where); !done) return done.error();
    if (auto done = check_names(out->source_tokens, out->sources, "source_tokens", where); !done) return done.error();
    auto streams = streams_of(of.streams, parts->held);
    if (!streams) return streams.error();
    out->streams = std::move(*streams);
    if (auto done = check_streams(*out); !done) return done.error();
    for (std::size_t i = 0; i < placed.size(); ++i) {
        AttentionStack& stack = out->stacks[i];
        if (!parts->held)
            leave_maps(stack, placed[i].maps, static_cast<int>(i), out->tolerance, out->checks);
        else if (auto done = hold_maps(stack, placed[i].maps, static_cast<int>(i), *out->checks); !done)
            return done.error();
    }
    out->fingerprint = parts->fingerprint * 31 + static_cast<std::uint64_t>(text);
    for (const auto* list : {&out->tokens, &out->source_tokens})
        for (const std::string& token : *list) out->fingerprint = out->fingerprint * 31 + hash_bytes(token);
    if (out->texts > 1) out->parts = std::move(parts);
    return GivenAttentionPtr(out);
}

Error in_file(Error error, std::string_view name) {
    if (error.where.empty()) error.where = visible_text(name);
    return error;
}

Result<GivenAttentionPtr> arranged(Result<AttentionParts> parts, std::string_view name, const std::function<Result<TokenNames>()>& beside) {
    if (!parts) return in_file(parts.error(), name);
    if (auto done = take_queries_and_keys(*parts); !done) return in_file(done.error(), name);
    if (auto done = split_texts(*parts); !done) return in_file(done.error(), name);
    if (parts->texts.size() == 1)
        if (auto done = name_tokens(parts->texts.front().named, beside); !done) return done.error();
    for (AttentionParts::Text& text : parts->texts)
        for (auto* names : {&text.named.tokens, &text.named.source_tokens}) read_byte_letters(*names);
    auto out = arrange(std::make_shared<const AttentionParts>(std::move(*parts)), name, 0);
    if (!out) return in_file(out.error(), name);
    return out;
}

/// The first bytes of an ordinary file; fewer if it has fewer or cannot be read, which opening it reports.
std::string read_begin(const fs::path& file, std::size_t count) {
    std::string out(count, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(out.data(), static_cast<std::streamsize>(count));
    out.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    return out;
}

/// The parts of a file; a large one of tensors is opened by its header.
Result<AttentionParts> parts_of_file(const fs::path& file) {
    std::error_code problem;
    const auto size = fs::is_regular_file(file, problem) ? fs::file_size(file, problem) : 0;
    constexpr std::size_t kBegin = 16;
    if (size > 0 && looks_like_safetensors(read_begin(file, kBegin), size)) return attention_parts_of_tensors(file.string());
    if (file.extension() == ".safetensors" && static_cast<double>(size) > kMaxBytes) return attention_parts_of_tensors(file.string());
    const auto bytes = read_file(file, static_cast<std::size_t>(kMaxBytes));
    if (!bytes) return bytes.error();
    if (is_attention_index(*bytes)) {
        const auto root = parse_json(*bytes);
        if (!root) return root.error();
        auto parts = attention_parts_of_index(*root, file.parent_path());
        if (parts) parts->fingerprint = parts->fingerprint * 31 + hash_bytes(*bytes);
        return parts;
    }
    return attention_parts(*bytes, file.string());
}

}  // namespace

CheckedRows GivenAttention::checked() const { return checks->seen(); }

Result<GivenAttentionPtr> read_attention(std::string_view bytes, std::string_view name, const TokenNames& beside) {
    return arranged(attention_parts(bytes, name), name, [&]() -> Result<TokenNames> { return beside; });
}

Result<GivenAttentionPtr> text_of(const GivenAttention& attention, int text) {
    if (text < 0 || text >= attention.texts)
        return attention_error(attention.texts == 1 ? "the file holds one text" : fmt::format("the file holds {} texts; take 1 to {}", attention.texts, attention.texts));
    if (text == attention.text) return std::make_shared<const GivenAttention>(attention);
    auto out = arrange(attention.parts, attention.name, text);
    if (!out) return in_file(out.error(), attention.name);
    return out;
}

Result<GivenAttentionPtr> find_attention(std::string_view name, const ModelPlaces& places) {
    if (!places.folders)
        return attention_error(fmt::format("the file \"{}\" is read only where a document of one's own names it", visible(name)));
    fs::path file(name);
    const fs::path base = places.base.empty() ? fs::current_path() : places.base;
    std::error_code problem;
    // If a document was moved together with its file, the file is still found.
    if (file.is_absolute() && !fs::exists(file, problem) && fs::exists(base / file.filename(), problem)) file = file.filename();
    if (file.is_relative()) file = base / file;
    file = fs::absolute(file).lexically_normal();
    return arranged(parts_of_file(file), file.string(), [&] { return names_beside(file); });
}

std::string place_of_fault(const GivenAttention& attention, const FaultyRows& faulty) {
    std::string out = std::string(part_id(faulty.part));
    if (!out.empty()) out += ", ";
    if (attention.layers > 1 || faulty.layer > 0) out += fmt::format("layer {}, ", faulty.layer + 1);
    return out + fmt::format("head {}, row {}", faulty.head + 1, faulty.row + 1);
}

std::vector<std::string> fault_sentences(const GivenAttention& attention) {
    std::vector<std::string> out;
    const CheckedRows checked = attention.checked();
    for (const FaultyRows& faulty : checked.faults) {
        const std::string place = place_of_fault(attention, faulty);
        switch (faulty.fault) {
            case RowFault::Sum:
                out.push_back(fmt::format("{} of {} rows do not sum to 1 (the first, {}: {:.4g}); they are shown unchanged", faulty.count,
                                          checked.rows, place, faulty.value));
                break;
            case RowFault::Negative:
                out.push_back(fmt::format("{} of {} rows have negative weights (the first, {}: {:.4g}); they are shown unchanged",
                                          faulty.count, checked.rows, place, faulty.value));
                break;
            case RowFault::NotFinite:
                out.push_back(fmt::format("{} of {} rows have weights that are no numbers (the first, {}: {})", faulty.count, checked.rows,
                                          place, faulty.value));
                break;
        }
    }
    return out;
}

}  // namespace attn
