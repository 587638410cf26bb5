#include "core/document/lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/document/fields.h"
#include "core/document/internal.h"
#include "core/document/intervene.h"
#include "core/io/matrix_json.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

Result<std::string> read_string(const JsonValue& value, std::string_view key) {
    if (value.kind == JsonKind::String) return value.string;
    return error_at(value, key, fmt::format("a text in quotes is expected, not {}", kind_name(value.kind)));
}

/// A list of tokens; `without` says what omitting the key means.
Result<std::vector<std::string>> read_list(const JsonValue& value, std::string_view name, std::string_view without) {
    std::vector<std::string> tokens;
    for (const JsonValue& item : value.items) {
        const std::string key = fmt::format("{}[{}]", name, tokens.size());
        auto token = read_string(item, key);
        if (!token) return token.error();
        if (token->empty()) return error_at(item, key, "a token may not be empty");
        if (token->size() > kMaxTokenBytes)
            return error_at(item, key, fmt::format("{} bytes are more than the {} of the longest token", token->size(), kMaxTokenBytes));
        tokens.push_back(std::move(*token));
    }
    if (tokens.empty()) return error_at(value, name, fmt::format("the list is empty; leave the key out to {}", without));
    if (tokens.size() > kMaxTokens)
        return error_at(value, name, fmt::format("{} tokens are more than the {} that can be shown", tokens.size(), kMaxTokens));
    return tokens;
}

}  // namespace

Result<Done> read_tokens(Document& doc, const JsonValue& value) {
    auto tokens = read_list(value, "tokens", "use the text");
    if (!tokens) return tokens.error();
    doc.tokens = std::move(*tokens);
    return Done{};
}

Result<Done> read_target(Document& doc, const JsonValue& value) {
    auto words = read_list(value, "target", "train nothing");
    if (!words) return words.error();
    doc.config.target = std::move(*words);
    return Done{};
}

Result<Done> read_pattern(Document& doc, const JsonValue& value) {
    auto pattern = matrix_from_json(value, "mask_pattern");
    if (!pattern) return pattern.error();
    for (Eigen::Index r = 0; r < pattern->rows(); ++r)
        for (Eigen::Index c = 0; c < pattern->cols(); ++c)
            if ((*pattern)(r, c) != 0 && (*pattern)(r, c) != 1) {
                const JsonValue& cell = value.items[static_cast<std::size_t>(r)].items[static_cast<std::size_t>(c)];
                return error_at(cell, fmt::format("mask_pattern[{}][{}]", r, c), "1 (visible) or 0 (masked) is expected");
            }
    doc.mask_pattern = std::move(*pattern);
    return Done{};
}

Result<Done> read_edits(Document& doc, const JsonValue& value) {
    std::vector<Edit> edits;
    for (const JsonValue& item : value.items) {
        auto edit = edit_from_json(item, fmt::format("edits[{}]", edits.size()));
        if (!edit) return edit.error();
        edits.push_back(*edit);
    }
    doc.edits = std::move(edits);
    return Done{};
}

void write_edits(const Document& doc, JsonWriter& out) {
    out.begin_array();
    for (const Edit& edit : doc.edits) {
        out.begin_object();
        out.key("step");
        out.string(step_name(edit.tag));
        out.key("row");
        out.integer(edit.row + 1);
        out.key("column");
        out.integer(edit.col + 1);
        out.key("value");
        out.number(edit.value);
        out.end_object();
    }
    out.end_array();
}

Result<Done> read_interventions(Document& doc, const JsonValue& value) {
    std::vector<Intervention> interventions;
    for (const JsonValue& item : value.items) {
        auto one = intervention_from_json(item, fmt::format("interventions[{}]", interventions.size()));
        if (!one) return one.error();
        interventions.push_back(std::move(*one));
    }
    doc.interventions = std::move(interventions);
    return Done{};
}

void write_interventions(const Document& doc, JsonWriter& out) {
    out.begin_array();
    for (const Intervention& one : doc.interventions) write_intervention(one, out);
    out.end_array();
}

Result<Done> read_heads_off(Document& doc, const JsonValue& value) {
    std::vector<int> heads;
    for (const JsonValue& item : value.items) {
        const std::string key = fmt::format("heads_off[{}]", heads.size());
        if (item.kind != JsonKind::Number || !item.is_integer || item.integer < 1 || item.integer > kMaxHeads)
            return error_at(item, key, fmt::format("the number of a head is expected, 1 to {}", kMaxHeads));
        heads.push_back(static_cast<int>(item.integer) - 1);
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    doc.config.heads_off = std::move(heads);
    return Done{};
}

void write_heads_off(const Document& doc, JsonWriter& out) {
    out.begin_row();
    for (const int head : doc.config.heads_off) out.integer(head + 1);
    out.end_array();
}

Result<Done> read_parameters(Document& doc, const JsonValue& value) {
    std::vector<GivenParameter> parameters;
    for (const JsonMember& member : value.members) {
        const std::string key = fmt::format("parameters.{}", visible(member.key));
        const auto tag = parse_step_name(member.key);
        if (!tag)
            return error_at(member.value, key,
                      "the name of a step is expected, such as \"score_weight\" or \"l1.up_weight\"");
        for (const GivenParameter& given : parameters)
            if (given.tag == *tag) return error_at(member.value, key, fmt::format("\"{}\" appears twice", step_name(*tag)));
        auto matrix = matrix_from_json(member.value, key);
        if (!matrix) return matrix.error();
        parameters.push_back({*tag, std::move(*matrix)});
    }
    doc.parameters = std::move(parameters);
    return Done{};
}

void write_parameters(const Document& doc, JsonWriter& out) {
    out.begin_object();
    for (const GivenParameter& given : doc.parameters) {
        out.key(step_name(given.tag));
        out.matrix(given.value);
    }
    out.end_object();
}

}  // namespace attn
