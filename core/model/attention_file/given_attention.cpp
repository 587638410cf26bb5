#include "core/model/attention_file/given_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"
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
        const bool crosses = only.part == Part::Cross || only.rows() != only.cols() || source_named;
        only.part = Part::Main;
        only.keys = crosses ? Axis::Kind::SourceTokens : Axis::Kind::Tokens;
        out.queries = only.rows();
        out.sources = crosses ? only.cols() : 0;
        return Done{};
    }
    AttentionStack *own = stack_with(stacks, Part::Main), *cross = stack_with(stacks, Part::Cross), *encoder = stack_with(stacks, Part::Encoder);
    if (cross) cross->keys = Axis::Kind::SourceTokens;
    if (encoder) encoder->queries = encoder->keys = Axis::Kind::SourceTokens;
    for (const AttentionStack* stack : {own, encoder})
        if (stack && stack->rows() != stack->cols())
            return sides_error("queries of a text that looks at itself", stack->rows(), "keys", stack->cols());
    out.queries = own ? own->rows() : cross->rows();
    out.sources = encoder ? encoder->rows() : cross->cols();
    if (own && cross && own->rows() != cross->rows())
        return sides_error("tokens of the decoder", own->rows(), "queries that look into the encoder", cross->rows());
    if (encoder && cross && encoder->rows() != cross->cols())
        return sides_error("tokens of the encoder", encoder->rows(), "keys that the decoder looks at", cross->cols());
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

void count_fault(GivenAttention& out, RowFault fault, const AttentionStack& stack, int layer, int head, int row, double value) {
    auto at = std::find_if(out.faults.begin(), out.faults.end(), [fault](const FaultyRows& f) { return f.fault == fault; });
    if (at == out.faults.end()) at = out.faults.insert(at, {fault, 0, stack.part, stack.numbers[static_cast<std::size_t>(layer)], head, row, value});
    ++at->count;
}

void count_faults(GivenAttention& out) {
    for (const AttentionStack& stack : out.stacks)
        for (int layer = 0; layer < stack.layers; ++layer)
            for (int head = 0; head < stack.heads; ++head) {
                const FrozenMatrix& map = stack.map(layer, head);
                out.rows += map.rows();
                for (int r = 0; r < static_cast<int>(map.rows()); ++r) {
                    const RowCheck row = check_row(map.data() + Eigen::Index{r} * map.cols(), static_cast<std::size_t>(map.cols()), out.tolerance);
                    if (row.sum) count_fault(out, RowFault::Sum, stack, layer, head, r, row.total);
                    if (row.negative) count_fault(out, RowFault::Negative, stack, layer, head, r, static_cast<double>(row.worst));
                    if (row.not_finite) count_fault(out, RowFault::NotFinite, stack, layer, head, r, static_cast<double>(row.worst));
                }
            }
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

Result<GivenAttentionPtr> read_attention_beside(std::string_view bytes, std::string_view name, const std::function<Result<TokenNames>()>& beside) {
    const auto in_file = [name](Error error) {
        error.where = visible_text(name);
        return error;
    };
    auto parts = attention_parts(bytes, name);
    if (!parts) return in_file(parts.error());
    if (auto done = name_tokens(parts->named, beside); !done) return done.error();
    for (auto* names : {&parts->named.tokens, &parts->named.source_tokens}) read_byte_letters(*names);
    auto out = std::make_shared<GivenAttention>();
    out->name = name;
    for (const AttentionArray& array : parts->arrays) out->tolerance = std::max(out->tolerance, array.tolerance);
    auto stacks = stacks_of(parts->arrays);
    if (!stacks) return in_file(stacks.error());
    out->stacks = std::move(*stacks);
    out->heads = out->stacks.front().heads;
    for (const AttentionStack& stack : out->stacks) out->layers = std::max(out->layers, stack.layers);
    if (auto done = name_axes(*out, !parts->named.source_tokens.empty()); !done) return in_file(done.error());
    out->tokens = std::move(parts->named.tokens);
    out->source_tokens = std::move(parts->named.source_tokens);
    const std::string_view where = parts->named.where;
    if (auto done = check_names(out->tokens, out->queries, "tokens", where); !done) return in_file(done.error());
    if (auto done = check_names(out->source_tokens, out->sources, "source_tokens", where); !done) return in_file(done.error());
    count_faults(*out);
    out->fingerprint = hash_bytes(bytes);
    for (const auto* list : {&out->tokens, &out->source_tokens})
        for (const std::string& token : *list) out->fingerprint = out->fingerprint * 31 + hash_bytes(token);
    return GivenAttentionPtr(out);
}

}  // namespace

Result<GivenAttentionPtr> read_attention(std::string_view bytes, std::string_view name, const TokenNames& beside) {
    return read_attention_beside(bytes, name, [&]() -> Result<TokenNames> { return beside; });
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
    const auto bytes = read_file(file, static_cast<std::size_t>(kMaxBytes));
    if (!bytes) return bytes.error();
    return read_attention_beside(*bytes, file.string(), [&] { return names_beside(file); });
}

std::string place_of_fault(const GivenAttention& attention, const FaultyRows& faulty) {
    std::string out = std::string(part_id(faulty.part));
    if (!out.empty()) out += ", ";
    if (attention.layers > 1 || faulty.layer > 0) out += fmt::format("layer {}, ", faulty.layer + 1);
    return out + fmt::format("head {}, row {}", faulty.head + 1, faulty.row + 1);
}

std::vector<std::string> fault_sentences(const GivenAttention& attention) {
    std::vector<std::string> out;
    for (const FaultyRows& faulty : attention.faults) {
        const std::string place = place_of_fault(attention, faulty);
        switch (faulty.fault) {
            case RowFault::Sum:
                out.push_back(fmt::format("{} of {} rows do not sum to 1 (the first, {}: {:.4g}); they are shown unchanged", faulty.count,
                                          attention.rows, place, faulty.value));
                break;
            case RowFault::Negative:
                out.push_back(fmt::format("{} of {} rows have negative weights (the first, {}: {:.4g}); they are shown unchanged",
                                          faulty.count, attention.rows, place, faulty.value));
                break;
            case RowFault::NotFinite:
                out.push_back(fmt::format("{} of {} rows have weights that are no numbers (the first, {}: {})", faulty.count, attention.rows,
                                          place, faulty.value));
                break;
        }
    }
    return out;
}

}  // namespace attn
