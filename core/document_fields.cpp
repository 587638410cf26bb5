#include "core/document_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/io/matrix_json.h"
#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/parts/score.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::string_view kVersionKey = "attenscope";
constexpr double kMaxSeed = 9007199254740991.0;   // 2^53 - 1: every JSON reader keeps it exactly
constexpr double kMaxTemperature = 3.4028235e38;  // the largest float, as it is written (a little above it)

Error at(const JsonValue& value, std::string_view key, std::string message) {
    return {std::move(message), "", std::string(key), value.line};
}

Result<std::string> read_string(const JsonValue& value, std::string_view key) {
    if (value.kind == JsonKind::String) return value.string;
    return at(value, key, fmt::format("a text in quotes is expected, not {}", kind_name(value.kind)));
}

template <class Row>
std::vector<std::string_view> ids_of(std::span<const Row> table) {
    std::vector<std::string_view> out;
    for (const Row& row : table) out.push_back(row.id);
    return out;
}

std::vector<std::string_view> vector_choices() { return {"meaning", "one_hot", "random"}; }
std::vector<std::string_view> weight_choices() { return {"identity", "random"}; }

// One row of the table for a member of the document that is a text, a choice or a number.
template <auto Get>
Result<Done> read_text(Document& doc, const JsonValue& value) {
    Get(doc) = value.string;
    return Done{};
}
template <auto Get>
void write_text(const Document& doc, JsonWriter& out) {
    out.string(Get(doc));
}
template <auto Get>
Result<Done> read_number(Document& doc, const JsonValue& value) {
    auto& member = Get(doc);
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (std::is_floating_point_v<Member>)
        member = value.number32;
    else
        member = static_cast<Member>(value.integer);
    return Done{};
}
template <auto Get>
void write_number(const Document& doc, JsonWriter& out) {
    const auto& member = Get(doc);
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(member)>>)
        out.number(member);
    else
        out.integer(static_cast<std::int64_t>(member));
}
template <auto Get>
bool default_member(const Document& doc) {
    static const Document kDefaults;
    return Get(doc) == Get(kDefaults);
}

template <Given Which>
Result<Done> read_matrix(Document& doc, const JsonValue& value) {
    constexpr bool row = Which >= Given::b_Q;
    if constexpr (row) {
        auto given = row_vector_from_json(value, given_id(Which));
        if (!given) return given.error();
        doc.given[static_cast<std::size_t>(Which)] = *given;
    } else {
        auto given = matrix_from_json(value, given_id(Which));
        if (!given) return given.error();
        doc.given[static_cast<std::size_t>(Which)] = std::move(*given);
    }
    return Done{};
}
template <Given Which>
void write_matrix(const Document& doc, JsonWriter& out) {
    const Matrix& m = *doc.matrix(Which);
    if constexpr (Which >= Given::b_Q)
        out.numbers({m.data(), static_cast<std::size_t>(m.size())});
    else
        out.matrix(m);
}
template <Given Which>
bool no_matrix(const Document& doc) {
    return !doc.matrix(Which);
}
template <Given Which>
constexpr Field given_field(std::string_view key, std::string_view help) {
    return {key,
            Which >= Given::b_Q ? FieldKind::Row : FieldKind::Table,
            help,
            nullptr,
            0,
            0,
            read_matrix<Which>,
            write_matrix<Which>,
            no_matrix<Which>};
}

Result<Done> read_tokens(Document& doc, const JsonValue& value) {
    std::vector<std::string> tokens;
    for (const JsonValue& item : value.items) {
        const std::string key = fmt::format("tokens[{}]", tokens.size());
        auto token = read_string(item, key);
        if (!token) return token.error();
        if (token->empty()) return at(item, key, "a token may not be empty");
        tokens.push_back(std::move(*token));
    }
    if (tokens.empty()) return at(value, "tokens", "the list is empty; leave the key out to use the text");
    if (tokens.size() > kMaxTokens)
        return at(value, "tokens",
                  fmt::format("{} tokens are more than the {} that can be shown", tokens.size(), kMaxTokens));
    doc.tokens = std::move(tokens);
    return Done{};
}

Result<Done> read_pattern(Document& doc, const JsonValue& value) {
    auto pattern = matrix_from_json(value, "mask_pattern");
    if (!pattern) return pattern.error();
    for (Eigen::Index r = 0; r < pattern->rows(); ++r)
        for (Eigen::Index c = 0; c < pattern->cols(); ++c)
            if ((*pattern)(r, c) != 0 && (*pattern)(r, c) != 1) {
                const JsonValue& cell = value.items[static_cast<std::size_t>(r)].items[static_cast<std::size_t>(c)];
                return at(cell, fmt::format("mask_pattern[{}][{}]", r, c), "1 (looked at) or 0 (masked) is expected");
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

// clang-format off
#define ATTN_GET(member) [](auto& d) -> auto& { return d.member; }
#define ATTN_TEXT(key, member, help) \
    Field{key, FieldKind::Text, help, nullptr, 0, 0, read_text<ATTN_GET(member)>, write_text<ATTN_GET(member)>, default_member<ATTN_GET(member)>}
#define ATTN_CHOICE(key, member, choices, help) \
    Field{key, FieldKind::Choice, help, choices, 0, 0, read_text<ATTN_GET(member)>, write_text<ATTN_GET(member)>, default_member<ATTN_GET(member)>}
#define ATTN_NUMBER(key, kind, member, low, high, help) \
    Field{key, kind, help, nullptr, low, high, read_number<ATTN_GET(member)>, write_number<ATTN_GET(member)>, default_member<ATTN_GET(member)>}

const std::array kFields = {
    ATTN_TEXT("text", text, "The sentence, in any language. Invalid UTF-8 is shown as U+FFFD."),
    ATTN_CHOICE("tokenizer", tokenizer, [] { return ids_of(tokenizers()); }, "How the text is cut into tokens."),
    Field{"tokens", FieldKind::Strings, "The tokens themselves, instead of text and tokenizer.", nullptr, 0, 0, read_tokens,
          [](const Document& d, JsonWriter& out) { out.strings(d.tokens); }, [](const Document& d) { return d.tokens.empty(); }},
    ATTN_CHOICE("vectors", vectors, vector_choices, "Where the tokens' vectors come from, unless X is given."),
    ATTN_NUMBER("vector_seed", FieldKind::Integer, vector_seed, 0, kMaxSeed, "The seed of random vectors."),
    ATTN_NUMBER("width", FieldKind::Integer, width, 1, kMaxWidth, "The number of columns of random vectors."),
    ATTN_CHOICE("weights", weights, weight_choices, "W_Q, W_K, W_V and W_O, where they are not given."),
    ATTN_NUMBER("weight_seed", FieldKind::Integer, weight_seed, 0, kMaxSeed, "The seed of random weights."),
    ATTN_CHOICE("variant", config.variant, [] { return ids_of(variants()); }, "The form of attention."),
    ATTN_CHOICE("score", config.score, [] { return ids_of(scores()); }, "How a query is compared with a key; the variant's own where it is left out."),
    ATTN_CHOICE("mask", config.mask, [] { return ids_of(masks()); }, "Which keys a query may look at."),
    ATTN_CHOICE("position", config.position, [] { return ids_of(positions()); }, "How the order of the tokens is told."),
    ATTN_NUMBER("heads", FieldKind::Integer, config.heads, 1, kMaxHeads, "Heads; they share the columns of Q, K and V equally."),
    ATTN_NUMBER("temperature", FieldKind::Number, config.temperature, 0, kMaxTemperature,
                "Divides the scores before the softmax; 0 is the limit: the largest score takes all, ties share."),
    given_field<Given::X>("X", "The tokens' vectors: one row a token."),
    given_field<Given::W_Q>("W_Q", "Query weight: as many rows as X has columns."),
    given_field<Given::W_K>("W_K", "Key weight: the shape of W_Q."),
    given_field<Given::W_V>("W_V", "Value weight: as many rows as X has columns."),
    given_field<Given::W_O>("W_O", "Output weight: as many rows as W_V has columns."),
    given_field<Given::b_Q>("b_Q", "Query bias: one number for each column of W_Q."),
    given_field<Given::b_K>("b_K", "Key bias: one number for each column of W_K."),
    given_field<Given::b_V>("b_V", "Value bias: one number for each column of W_V."),
    given_field<Given::b_O>("b_O", "Output bias: one number for each column of W_O."),
    Field{"mask_pattern", FieldKind::Table, "The mask drawn by hand: a row a query, a column a key; 1 is looked at, 0 is masked.",
          nullptr, 0, 1, read_pattern, [](const Document& d, JsonWriter& out) { out.matrix(d.mask_pattern); },
          [](const Document& d) { return d.mask_pattern.size() == 0; }},
    Field{"edits", FieldKind::Edits, "Numbers typed over: the step's name, row and column from 1, and the value.", nullptr, 0, 0,
          read_edits, write_edits, [](const Document& d) { return d.edits.empty(); }},
};
#undef ATTN_GET
#undef ATTN_TEXT
#undef ATTN_CHOICE
#undef ATTN_NUMBER
// clang-format on

JsonKind json_kind(FieldKind kind) {
    switch (kind) {
        case FieldKind::Text:
        case FieldKind::Choice:
            return JsonKind::String;
        case FieldKind::Integer:
        case FieldKind::Number:
            return JsonKind::Number;
        case FieldKind::Strings:
        case FieldKind::Table:
        case FieldKind::Row:
        case FieldKind::Edits:
            return JsonKind::Array;
    }
    return JsonKind::Null;
}

Result<Done> check_choice(const Field& field, const JsonValue& value) {
    const auto choices = field.choices();
    if (std::find(choices.begin(), choices.end(), value.string) != choices.end()) return Done{};
    return at(value, field.key,
              fmt::format("there is no \"{}\"; choose one of {}", visible(value.string), fmt::join(choices, ", ")));
}

Result<Done> check_range(const Field& field, const JsonValue& value) {
    if (field.kind == FieldKind::Integer && !value.is_integer)
        return at(value, field.key, "a whole number is expected");
    if (field.low == field.high || (value.number >= field.low && value.number <= field.high)) return Done{};
    return at(value, field.key, fmt::format("{} is not possible; take {} to {}", value.number, field.low, field.high));
}

Result<Done> read_field(const Field& field, Document& doc, const JsonValue& value) {
    const JsonKind wanted = json_kind(field.kind);
    if (value.kind != wanted)
        return at(value, field.key, fmt::format("{} is expected, not {}", kind_name(wanted), kind_name(value.kind)));
    if (field.kind == FieldKind::Choice)
        if (auto ok = check_choice(field, value); !ok) return ok;
    if (wanted == JsonKind::Number)
        if (auto ok = check_range(field, value); !ok) return ok;
    return field.read(doc, value);
}

/// The known key that was probably meant, for a message.
std::string near_key(std::string_view wrong) {
    const auto lower = fold_case(wrong);
    for (const Field& field : kFields)
        if (fold_case(field.key) == lower || (wrong.size() >= 3 && field.key.starts_with(wrong.substr(0, 3))))
            return fmt::format("; did you mean \"{}\"?", field.key);
    return "; `attenscope schema` lists the keys";
}

Result<Done> check_version(const JsonValue& value) {
    if (!value.is_integer || value.integer < 1)
        return at(value, kVersionKey, "the version of the format is a whole number from 1");
    if (value.integer <= kDocumentVersion) return Done{};
    return at(value, kVersionKey,
              fmt::format("the document is of format {}, this program reads up to {}; take a newer program",
                          value.integer, kDocumentVersion));
}

/// The line of the first key that an error is about.
int line_of(const JsonValue& root, std::string_view key) {
    const JsonValue* value = root.find(key.substr(0, key.find('[')));
    return value ? value->line : 0;
}

Result<JsonValue> parse_setting(const Field& field, std::string_view value) {
    if (json_kind(field.kind) != JsonKind::String) {
        auto parsed = parse_json(value);
        if (!parsed)
            return Error{fmt::format("\"{}\" is not {}", visible(value), kind_name(json_kind(field.kind))), "",
                         std::string(field.key), 0};
        parsed->line = 0;
        return parsed;
    }
    JsonValue text;
    text.kind = JsonKind::String;
    text.string = value;
    return text;
}

}  // namespace

std::span<const Field> document_fields() { return kFields; }

const Field* find_field(std::string_view key) {
    const auto found = std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return f.key == key; });
    return found == kFields.end() ? nullptr : &*found;
}

Result<Edit> edit_from_json(const JsonValue& value, std::string_view key) {
    if (value.kind != JsonKind::Object)
        return at(value, key, fmt::format("an object is expected, not {}", kind_name(value.kind)));
    Edit edit;
    for (const char* needed : {"step", "row", "column", "value"})
        if (!value.find(needed))
            return at(value, key, fmt::format("\"{}\" is missing; an edit has step, row, column and value", needed));
    for (const JsonMember& member : value.members) {
        const JsonValue& v = member.value;
        const std::string path = fmt::format("{}.{}", key, visible(member.key));
        const bool index = member.key == "row" || member.key == "column";
        if (member.key == "step") {
            const auto tag = v.kind == JsonKind::String ? parse_step_name(v.string) : std::nullopt;
            if (!tag) return at(v, path, "the name of a step is expected, such as \"scores\" or \"weights.h2\"");
            edit.tag = *tag;
        } else if (index) {
            if (!v.is_integer || v.integer < 1 || v.integer > std::numeric_limits<int>::max())
                return at(v, path, "a whole number from 1 is expected");
            (member.key == "row" ? edit.row : edit.col) = static_cast<int>(v.integer) - 1;
        } else if (member.key == "value") {
            if (v.kind != JsonKind::Number || !std::isfinite(v.number32))
                return at(v, path, "a number that float32 can hold is expected");
            edit.value = v.number32;
        } else {
            return at(v, path, "unknown key; an edit has step, row, column and value");
        }
    }
    return edit;
}

Result<Document> document_from_json(std::string_view bytes, std::string_view where) {
    const auto in_file = [&](Error error) {
        error.where = where;
        return error;
    };
    auto root = parse_json(bytes);
    if (!root) return in_file(root.error());
    if (root->kind != JsonKind::Object)
        return in_file(at(*root, "", fmt::format("a document is an object {{…}}, not {}", kind_name(root->kind))));
    Document doc;
    const bool own_numbers = root->find("X") && !root->find("text");
    if (own_numbers) doc.text.clear();  // a matrix of one's own has no sentence unless it is given
    for (const JsonMember& member : root->members) {
        if (member.key == kVersionKey) {
            if (auto ok = check_version(member.value); !ok) return in_file(ok.error());
            continue;
        }
        const Field* field = find_field(member.key);
        if (!field) return in_file({"unknown key" + near_key(member.key), "", visible(member.key), member.key_line});
        if (auto ok = read_field(*field, doc, member.value); !ok) return in_file(ok.error());
    }
    for (Error& problem : problems(doc)) {
        problem.line = line_of(*root, problem.key);
        return in_file(problem);
    }
    return doc;
}

std::string document_to_json(const Document& doc) {
    JsonWriter out;
    out.begin_object();
    out.key(kVersionKey);
    out.integer(kDocumentVersion);
    for (const Field& field : kFields) {
        if (field.key != "text" && field.is_default(doc)) continue;
        out.key(field.key);
        field.write(doc, out);
    }
    out.end_object();
    return out.take();
}

Result<Done> set_field(Document& doc, std::string_view key, std::string_view value) {
    const Field* field = find_field(key);
    if (!field) return Error{"unknown key" + near_key(key), "", visible(key), 0};
    auto parsed = parse_setting(*field, value);
    if (!parsed) return parsed.error();
    return read_field(*field, doc, *parsed);
}

}  // namespace attn
