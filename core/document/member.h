#pragma once
// A member of the document as a row of the table of fields: how it is read, written, reset and compared. Internal to
// the table.

#include <cmath>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/document/fields.h"
#include "core/document/internal.h"
#include "core/document/lists.h"
#include "core/io/matrix_json.h"

namespace attn::member {

// Rows for members that are a text, a choice or a number.
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
        std::isinf(member) ? out.string("inf") : out.number(member);
    else
        out.integer(static_cast<std::int64_t>(member));
}
template <auto Get>
std::string_view chosen_member(const Document& doc) {
    return Get(doc);
}
template <auto Get>
double number_member(const Document& doc) {
    return static_cast<double>(Get(doc));
}
template <auto Get>
void reset_member(Document& doc) {
    static const Document kDefaults;
    Get(doc) = Get(kDefaults);
}
template <auto Get>
bool default_member(const Document& doc) {
    static const Document kDefaults;
    return Get(doc) == Get(kDefaults);
}

inline Field plain_field(std::string_view key, FieldKind kind, std::string_view help, decltype(Field::read) read,
                  decltype(Field::write) write, decltype(Field::is_default) is_default, decltype(Field::reset) reset) {
    Field field;
    field.key = key;
    field.kind = kind;
    field.help = help;
    field.read = read;
    field.write = write;
    field.is_default = is_default;
    field.reset = reset;
    return field;
}

template <auto Get>
Field text_field(std::string_view key, std::string_view help) {
    return plain_field(key, FieldKind::Text, help, read_text<Get>, write_text<Get>, default_member<Get>, reset_member<Get>);
}
template <auto Get>
Field choice_field(std::string_view key, std::vector<std::string_view> (*choices)(), std::string_view help) {
    Field field = plain_field(key, FieldKind::Choice, help, read_text<Get>, write_text<Get>, default_member<Get>, reset_member<Get>);
    field.choices = choices;
    field.chosen = chosen_member<Get>;
    return field;
}
template <auto Get>
Field number_field(std::string_view key, FieldKind kind, double low, double high, std::string_view help) {
    Field field = plain_field(key, kind, help, read_number<Get>, write_number<Get>, default_member<Get>, reset_member<Get>);
    field.low = low;
    field.high = high;
    field.number = number_member<Get>;
    return field;
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
void drop_matrix(Document& doc) {
    doc.given[static_cast<std::size_t>(Which)].reset();
}
template <Given Which>
Field given_field(std::string_view key, std::string_view help) {
    Field field;
    field.key = key;
    field.kind = Which >= Given::b_Q ? FieldKind::Row : FieldKind::Table;
    field.help = help;
    field.read = read_matrix<Which>;
    field.write = write_matrix<Which>;
    field.is_default = no_matrix<Which>;
    field.reset = drop_matrix<Which>;
    return field;
}

}  // namespace attn::member
