// Attention in JSON: nested lists of numbers, and lists of tokens.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/io/nesting.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"
#include "core/text/byte_order_mark.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

/// [layers, batch, heads, queries, keys] has five axes; generate() adds one for the steps.
constexpr std::size_t kMostAxes = 6;

Error wrong_at(const JsonValue& value, std::string_view key, std::string message) {
    return {std::move(message), {}, std::string(key), value.line};
}

bool says_attention(std::string_view key) {
    return key.find("attention") != std::string_view::npos || key.find("attn") != std::string_view::npos || key.find("weights") != std::string_view::npos;
}

/// The numbers of nested lists, which must be regular.
struct NestedNumbers {
    std::vector<std::size_t> shape;
    std::vector<float> values;
};
class Nested {
public:
    Nested(std::string_view key, NestedNumbers& into) : key_(key), into_(into) {}

    Result<Done> take(const JsonValue& value) {
        for (const JsonValue* at = &value; at->kind == JsonKind::Array; at = &at->items.front()) {
            if (into_.shape.size() == kMostAxes)
                return wrong_at(*at, key_, fmt::format("lists are nested more than {} deep", kMostAxes));
            into_.shape.push_back(at->items.size());
            if (at->items.empty()) return wrong_at(*at, key_, "a list is empty; weights are expected");
        }
        return walk(value, 0);
    }

private:
    Result<Done> walk(const JsonValue& value, std::size_t depth) {
        if (depth == into_.shape.size()) {
            if (value.kind == JsonKind::Null) {
                into_.values.push_back(std::numeric_limits<float>::quiet_NaN());
                return Done{};
            }
            if (value.kind != JsonKind::Number)
                return wrong_at(value, key_, fmt::format("a number is expected, not {}", kind_name(value.kind)));
            into_.values.push_back(value.number32);
            return Done{};
        }
        if (value.kind != JsonKind::Array)
            return wrong_at(value, key_, fmt::format("a list is expected, not {}", kind_name(value.kind)));
        if (value.items.size() != into_.shape[depth])
            return wrong_at(value, key_, fmt::format("this list has {} entries, those before it {}", value.items.size(), into_.shape[depth]));
        for (const JsonValue& item : value.items)
            if (auto done = walk(item, depth + 1); !done) return done;
        return Done{};
    }

    std::string_view key_;
    NestedNumbers& into_;
};

Result<std::vector<std::string>> names_in(const JsonValue& list, std::string_view key) {
    if (list.kind != JsonKind::Array)
        return wrong_at(list, key, fmt::format("a list of tokens is expected, not {}", kind_name(list.kind)));
    std::vector<std::string> out;
    for (const JsonValue& one : list.items) {
        if (one.kind != JsonKind::String)
            return wrong_at(one, key, fmt::format("a token is a text, not {}", kind_name(one.kind)));
        out.push_back(one.string);
    }
    return out;
}

std::size_t axes_of(const JsonValue& value) {
    std::size_t out = 0;
    for (const JsonValue* at = &value; at->kind == JsonKind::Array && !at->items.empty(); at = &at->items.front()) ++out;
    return out;
}

Result<Done> add_array(AttentionParts& out, const std::string& key, const JsonValue& value) {
    // The output of generate() has a list of layers for each step; steps differ in their number of keys, so each
    // becomes an array.
    if (axes_of(value) == kMostAxes) {
        for (std::size_t step = 0; step < value.items.size(); ++step)
            for (std::size_t layer = 0; layer < value.items[step].items.size(); ++layer) {
                const std::string name = fmt::format("{}_step_{}_layer_{}", key, step, layer);
                if (auto done = add_array(out, name, value.items[step].items[layer]); !done) return done;
            }
        return Done{};
    }
    NestedNumbers numbers;
    if (auto done = Nested(key, numbers).take(value); !done) return done;
    out.arrays.push_back(AttentionArray::of(key, std::move(numbers.shape), std::move(numbers.values), kSumOfWritten));
    return Done{};
}

bool is_attention(const JsonValue& root) {
    if (root.kind == JsonKind::Array) return true;
    return root.kind == JsonKind::Object && std::any_of(root.members.begin(), root.members.end(), [](const JsonMember& member) {
               return says_attention(member.key) && member.value.kind == JsonKind::Array;
           });
}

}  // namespace

bool is_attention_json(std::string_view bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || (bytes[first] != '[' && !says_attention(bytes))) return false;
    if (bytes[first] == '[') return true;  // a document is never a list
    const auto root = parse_json(bytes);
    return root && is_attention(*root);
}

bool is_attention_index(std::string_view bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '{' && bytes.find(kPieces) != std::string_view::npos;
}

Result<std::vector<std::vector<std::string>>> token_lists_from(const JsonValue& value, std::string_view key) {
    const bool of_texts = value.kind == JsonKind::Array && !value.items.empty() && value.items.front().kind == JsonKind::Array;
    std::vector<std::vector<std::string>> out;
    for (std::size_t i = 0; i < (of_texts ? value.items.size() : 1); ++i) {
        auto names = names_in(of_texts ? value.items[i] : value, key);
        if (!names) return names.error();
        out.push_back(std::move(*names));
    }
    return out;
}

Result<TokenNames> token_names_from(const JsonValue& value) {
    TokenNames out;
    if (value.kind != JsonKind::Object) {
        auto names = names_in(value, "");
        if (!names) return names.error();
        out.tokens = std::move(*names);
        return out;
    }
    for (const auto& [key, into] : {std::pair{"tokens", &out.tokens}, {"source_tokens", &out.source_tokens},
                                    {"key_tokens", &out.source_tokens}, {"encoder_tokens", &out.source_tokens}}) {
        const JsonValue* list = value.find(key);
        if (!list) continue;
        auto names = names_in(*list, key);
        if (!names) return names.error();
        *into = std::move(*names);
    }
    return out;
}

Result<AttentionParts> attention_parts_of_json(std::string_view bytes) {
    const auto root = parse_json(bytes);
    if (!root) return root.error();
    AttentionParts out;
    if (root->kind == JsonKind::Array) {
        if (auto done = add_array(out, "", *root); !done) return done.error();
        return out;
    }
    if (!is_attention(*root))
        return wrong_at(*root, "", "there is no attention in it: a list of weights under \"attention\" or \"weights\" is expected");
    for (const std::string_view key : {"tokens", "source_tokens", "key_tokens", "encoder_tokens"})
        if (const JsonValue* list = root->find(key)) {
            auto names = token_lists_from(*list, key);
            if (!names) return names.error();
            take_names(out.named, key, std::move(*names));
        }
    for (const JsonMember& member : root->members)
        if (says_attention(member.key) && member.value.kind == JsonKind::Array)
            if (auto done = add_array(out, member.key, member.value); !done) return done.error();
    return out;
}

Result<TokenNames> read_token_names(std::string_view bytes, std::string_view name) {
    TokenNames out;
    bytes = without_byte_order_mark(bytes);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (name.ends_with(".json") || (!name.ends_with(".txt") && first != std::string_view::npos && (bytes[first] == '[' || bytes[first] == '{'))) {
        const auto root = parse_json(bytes);
        auto names = root ? token_names_from(*root) : Result<TokenNames>(root.error());
        if (!names) return names.error();
        out = std::move(*names);
    } else {
        if (clean_utf8(bytes).replaced > 0) return attention_error("The names of tokens are not UTF-8; save the file again as UTF-8.");
        std::vector<std::string>* into = &out.tokens;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
            std::string_view line = bytes.substr(at, end - at);
            if (line.ends_with('\r')) line.remove_suffix(1);
            at = end + 1;
            if (!line.empty())
                into->emplace_back(line);
            else if (!out.tokens.empty())
                into = &out.source_tokens;
        }
    }
    out.where = visible_text(name);
    return out;
}

}  // namespace attn
