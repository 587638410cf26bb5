#include "core/model/stored_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/unicode.h"

namespace attn {
namespace {

/// Rows and columns of a tensor as a matrix; a list is one row.
struct Extent {
    std::uint64_t rows, cols;
};
std::optional<Extent> extent_of(const TensorPlace& place) {
    if (place.shape.size() == 1) return Extent{1, place.shape[0]};
    if (place.shape.size() == 2) return Extent{place.shape[0], place.shape[1]};
    return std::nullopt;
}

std::string shape_text(const TensorPlace& place) {
    std::string out;
    for (const std::uint64_t size : place.shape) out += (out.empty() ? "" : " × ") + std::to_string(size);
    return out.empty() ? "one number" : out;
}

/// The column of the turned tensor that becomes column c.
int column_of(const StoredMatrix& how, int c) {
    return how.block == 0 ? how.first + c : c / how.block * how.period + how.first + c % how.block;
}

/// What the matrix needs of its tensor; it must be there.
Result<Done> check_place(std::string_view step, const StoredMatrix& how, const TensorPlace& place, const std::string& file) {
    const auto wrong = [&](std::string message) { return Error{std::move(message), file, visible(place.name), 0}; };
    const std::optional<Extent> extent = extent_of(place);
    if (!extent) return wrong(fmt::format("it is {}; a matrix has two dimensions", shape_text(place)));
    const std::uint64_t rows = how.turned && place.shape.size() == 2 ? extent->cols : extent->rows;
    const std::uint64_t cols = how.turned && place.shape.size() == 2 ? extent->rows : extent->cols;
    const auto needed_rows = static_cast<std::uint64_t>(how.skip_rows + how.rows + how.rows_behind);
    const std::uint64_t needed_cols =
        how.block == 0 ? static_cast<std::uint64_t>(how.cols)
                       : static_cast<std::uint64_t>(how.period) * static_cast<std::uint64_t>(how.cols / how.block);
    if (rows == needed_rows && cols == needed_cols) return Done{};
    const std::string expected = place.shape.size() == 1 ? std::to_string(needed_cols)
                                 : how.turned            ? fmt::format("{} × {}", needed_cols, needed_rows)
                                                         : fmt::format("{} × {}", needed_rows, needed_cols);
    return wrong(fmt::format("it is {}, but with config.json it must be {} to be {}", shape_text(place), expected, step));
}

}  // namespace

Result<std::shared_ptr<const StoredWeights>> StoredWeights::make(std::vector<TensorFile> files,
                                                                 std::map<std::string, StoredMatrix, std::less<>> matrices,
                                                                 std::shared_ptr<const std::string> bytes) {
    std::shared_ptr<StoredWeights> out(new StoredWeights);
    out->held_ = std::move(bytes);
    out->files_ = std::move(files);
    for (auto& [step, how] : matrices) {
        Held held{std::move(how), nullptr, nullptr, {}};
        for (const TensorFile& file : out->files_)
            if (const TensorPlace* place = file.header().find(held.how.tensor)) held.file = &file, held.place = place;
        if (!held.place) return Error{"there is no such tensor", "", visible(held.how.tensor), 0};
        if (auto fits = check_place(step, held.how, *held.place, held.file->name()); !fits) return fits.error();
        out->matrices_.emplace(step, std::move(held));
    }
    return std::shared_ptr<const StoredWeights>(std::move(out));
}

std::optional<FrozenMatrix> StoredWeights::shape_of(std::string_view step) const {
    const auto at = matrices_.find(step);
    if (at == matrices_.end()) return std::nullopt;
    return FrozenMatrix::of_shape(at->second.how.rows, at->second.how.cols);
}

std::optional<FrozenMatrix> StoredWeights::matrix(std::string_view step) const {
    const std::lock_guard lock(mutex_);
    const auto at = matrices_.find(step);
    if (at == matrices_.end()) return std::nullopt;
    Held& held = at->second;
    if (const auto there = held.value.lock()) return FrozenMatrix::of(there);
    const auto made = std::make_shared<const Matrix>(read(held));
    held.value = made;
    return FrozenMatrix::of(made);
}

Matrix StoredWeights::read(const Held& held) const {
    const StoredMatrix& how = held.how;
    const Extent extent = *extent_of(*held.place);
    const bool turned = how.turned && held.place->shape.size() == 2;
    Matrix out(how.rows, how.cols);
    // Where each column of the tensor goes: −1 nowhere.
    std::vector<int> goes(static_cast<std::size_t>(turned ? extent.rows : extent.cols), -1);
    for (int c = 0; c < how.cols; ++c) goes[static_cast<std::size_t>(column_of(how, c))] = c;
    constexpr std::uint64_t kAtOnce = 1 << 18;  // numbers
    const std::uint64_t rows_at_once = std::max<std::uint64_t>(1, kAtOnce / std::max<std::uint64_t>(1, extent.cols));
    const std::uint64_t past = turned ? extent.rows : static_cast<std::uint64_t>(how.skip_rows + how.rows);
    for (std::uint64_t first = turned ? 0 : static_cast<std::uint64_t>(how.skip_rows); first < past; first += rows_at_once) {
        const std::uint64_t count = std::min(rows_at_once, past - first);
        const auto numbers = held.file->read_part(*held.place, first * extent.cols, count * extent.cols);
        if (!numbers) throw ModelUnreadable{numbers.error()};
        const Eigen::Map<const Matrix> part(numbers->data(), static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(extent.cols));
        if (turned && how.block == 0) {
            out.middleCols(static_cast<Eigen::Index>(first), part.rows()) = part.transpose().middleRows(how.skip_rows, how.rows);
            continue;
        }
        for (Eigen::Index r = 0; r < part.rows(); ++r) {
            const auto row = static_cast<Eigen::Index>(first) + r;
            if (turned) {
                const int to = goes[static_cast<std::size_t>(row)];
                if (to >= 0) out.col(to) = part.row(r).transpose().segment(how.skip_rows, how.rows);
            } else if (how.block == 0 || how.block == how.cols) {
                out.row(row - how.skip_rows) = part.row(r).segment(how.first, how.cols);
            } else {
                for (int c = 0; c < how.cols; ++c) out(row - how.skip_rows, c) = part(r, column_of(how, c));
            }
        }
    }
    if (how.plus != 0) out.array() += how.plus;
    for (Eigen::Index i = 0; i < out.size(); ++i)
        if (!std::isfinite(out.data()[i]))
            throw ModelUnreadable{{fmt::format("there is NaN or an infinity in row {}, column {}; such weights compute nothing",
                                               i / out.cols() + 1, i % out.cols() + 1),
                                   held.file->name(), visible(held.place->name), 0}};
    return out;
}

RowVector StoredWeights::row(std::string_view step, int row) const {
    const std::lock_guard lock(mutex_);
    const Held& held = matrices_.find(step)->second;
    if (const auto there = held.value.lock()) return there->row(row);
    const auto cols = static_cast<std::uint64_t>(held.how.cols);
    const auto numbers = held.file->read_part(*held.place, static_cast<std::uint64_t>(row) * cols, cols);
    if (!numbers) throw ModelUnreadable{numbers.error()};
    return Eigen::Map<const RowVector>(numbers->data(), held.how.cols);
}

std::vector<std::string> StoredWeights::names() const {
    std::vector<std::string> out;
    for (const auto& [step, held] : matrices_) out.push_back(step);
    return out;
}

std::int64_t StoredWeights::numbers() const {
    std::int64_t sum = 0;
    for (const auto& [step, held] : matrices_) sum += static_cast<std::int64_t>(held.how.rows) * held.how.cols;
    return sum;
}

}  // namespace attn
