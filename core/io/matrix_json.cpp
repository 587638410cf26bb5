#include "core/io/matrix_json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace attn {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Error error_at(const JsonValue& value, std::string key, std::string message) {
    return {std::move(message), {}, std::move(key), value.line};
}

std::string item_key(std::string_view key, std::size_t index) { return fmt::format("{}[{}]", key, index); }

/// Why this is not a number that a matrix may hold.
std::string describe_refusal(const JsonValue& value, Infinities infinities) {
    if (value.kind == JsonKind::Number)
        return fmt::format("{} is beyond what a 32-bit float holds (about ±3.4e38).", shortest(value.number));
    if (value.kind != JsonKind::String) return fmt::format("A number is expected, not {}.", kind_name(value.kind));
    const bool infinite = value.string == "inf" || value.string == "-inf";
    if (infinite && infinities == Infinities::Refused)
        return "An infinity is not allowed here: a finite number is expected.";
    if (value.string == "nan") return "NaN is not a number that can be computed with.";
    return fmt::format("A number is expected, not the text {}.", in_quotes(value.string));
}

std::optional<float> number_of(const JsonValue& value, Infinities infinities) {
    if (value.kind == JsonKind::Number && std::isfinite(value.number32)) return value.number32;
    if (value.kind == JsonKind::String && infinities == Infinities::Allowed) {
        if (value.string == "inf") return kInfinity;
        if (value.string == "-inf") return -kInfinity;
    }
    return std::nullopt;
}

/// Fills `out`, which has room for as many numbers as `row` has items.
std::optional<Error> read_row(const JsonValue& row, std::string_view key, Infinities infinities, float* out) {
    for (std::size_t i = 0; i < row.items.size(); ++i) {
        const std::optional<float> number = number_of(row.items[i], infinities);
        if (!number) return error_at(row.items[i], item_key(key, i), describe_refusal(row.items[i], infinities));
        out[i] = *number;
    }
    return std::nullopt;
}

std::optional<Error> check_rows(const JsonValue& value, std::string_view key) {
    if (value.kind != JsonKind::Array)
        return error_at(value, std::string(key),
                        fmt::format("A matrix is expected, a list of rows such as [[1, 2], [3, 4]], not {}.",
                                    kind_name(value.kind)));
    if (value.items.empty())
        return error_at(value, std::string(key), "The matrix is empty: at least one row is needed.");
    const std::size_t columns = value.items.front().items.size();
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        const JsonValue& row = value.items[i];
        if (row.kind != JsonKind::Array)
            return error_at(row, item_key(key, i),
                            fmt::format("A row is expected, a list of numbers, not {}.", kind_name(row.kind)));
        if (row.items.empty())
            return error_at(row, item_key(key, i), "The row is empty: at least one number is needed.");
        if (row.items.size() != columns)
            return error_at(row, item_key(key, i),
                            fmt::format("The rows differ in length: this one has {}, the first has {}.",
                                        row.items.size(), columns));
    }
    return std::nullopt;
}

}  // namespace

Result<Matrix> matrix_from_json(const JsonValue& value, std::string_view key, Infinities infinities) {
    if (auto error = check_rows(value, key)) return *std::move(error);
    Matrix matrix(static_cast<Eigen::Index>(value.items.size()),
                  static_cast<Eigen::Index>(value.items.front().items.size()));
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        float* const out = matrix.data() + static_cast<Eigen::Index>(i) * matrix.cols();
        if (auto error = read_row(value.items[i], item_key(key, i), infinities, out)) return *std::move(error);
    }
    return matrix;
}

Result<RowVector> row_vector_from_json(const JsonValue& value, std::string_view key, Infinities infinities) {
    if (value.kind != JsonKind::Array)
        return error_at(value, std::string(key),
                        fmt::format("One row of numbers is expected, such as [1, 2], not {}.", kind_name(value.kind)));
    if (value.items.empty())
        return error_at(value, std::string(key), "The row is empty: at least one number is needed.");
    RowVector row(static_cast<Eigen::Index>(value.items.size()));
    if (auto error = read_row(value, key, infinities, row.data())) return *std::move(error);
    return row;
}

}  // namespace attn
