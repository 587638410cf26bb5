#include "core/model/stored_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/kernels/widths.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

/// A tensor's rows and columns as a matrix; a one-dimensional tensor is one row.
struct Extent {
    std::uint64_t rows, cols;
};
std::optional<Extent> extent_of(const TensorPlace& place, const StoredMatrix& how) {
    if (how.folded && place.shape.size() > 2) {
        // The product cannot overflow: the header was checked against the file.
        std::uint64_t numbers = 1;
        for (const std::uint64_t size : place.shape) numbers *= size;
        const std::uint64_t cols = how.transposed ? numbers / std::max<std::uint64_t>(1, place.shape.front()) : place.shape.back();
        return Extent{numbers / std::max<std::uint64_t>(1, cols), cols};
    }
    if (place.shape.size() == 1) return Extent{1, place.shape[0]};
    if (place.shape.size() == 2) return Extent{place.shape[0], place.shape[1]};
    return std::nullopt;
}

std::string shape_text(const TensorPlace& place) {
    std::string out;
    for (const std::uint64_t size : place.shape) out += (out.empty() ? "" : " × ") + std::to_string(size);
    return out.empty() ? "one number" : out;
}

/// The column of the transposed tensor that becomes column c of the matrix.
int column_of(const StoredMatrix& how, int c) {
    return how.block == 0 ? how.first + c : c / how.block * how.period + how.first + c % how.block;
}

/// Checks the shape of a matrix's tensor, which must exist.
Result<Done> check_place(std::string_view step, const StoredMatrix& how, const TensorPlace& place, const std::string& file) {
    const auto wrong = [&](std::string message) { return Error{std::move(message), file, visible(place.name), 0}; };
    const std::optional<Extent> extent = extent_of(place, how);
    if (!extent) return wrong(fmt::format("it is {}; a matrix has two dimensions", shape_text(place)));
    const std::uint64_t rows = how.transposed && place.shape.size() >= 2 ? extent->cols : extent->rows;
    const std::uint64_t cols = how.transposed && place.shape.size() >= 2 ? extent->rows : extent->cols;
    const auto needed_rows = static_cast<std::uint64_t>(how.skip_rows + how.rows + how.rows_behind);
    const std::uint64_t needed_cols =
        how.block == 0 ? static_cast<std::uint64_t>(how.cols)
                       : static_cast<std::uint64_t>(how.period) * static_cast<std::uint64_t>(how.cols / how.block);
    if (rows == needed_rows && cols == needed_cols) return Done{};
    const std::string expected = place.shape.size() == 1 ? std::to_string(needed_cols)
                                 : how.transposed            ? fmt::format("{} × {}", needed_cols, needed_rows)
                                                         : fmt::format("{} × {}", needed_rows, needed_cols);
    return wrong(fmt::format("it is {}, but with config.json it must be {} to be {}", shape_text(place), expected, step));
}

}  // namespace

Result<std::shared_ptr<const StoredWeights>> StoredWeights::make(std::vector<TensorFile> files,
                                                                 const std::map<std::string, StoredMatrix, std::less<>>& matrices,
                                                                 std::shared_ptr<const std::string> bytes) {
    std::shared_ptr<StoredWeights> out(new StoredWeights);
    out->held_ = std::move(bytes);
    out->files_ = std::move(files);
    std::multimap<std::string_view, Held*> of_tensor;
    for (auto& [step, how] : matrices) {
        const auto [first, last] = of_tensor.equal_range(how.tensor);
        if (const auto same = std::find_if(first, last, [&](const auto& one) { return one.second->how == how; }); same != last) {
            out->matrices_.emplace(step, same->second);
            continue;
        }
        Held held{how};
        for (std::size_t i = 0; i < out->files_.size(); ++i)
            if (!held.how.file || held.how.file == i)
                if (const TensorPlace* place = out->files_[i].header().find(held.how.tensor)) held.file = &out->files_[i], held.place = place;
        if (!held.place) return Error{"there is no such tensor", "", visible(held.how.tensor), 0};
        if (auto fits = check_place(step, held.how, *held.place, held.file->name()); !fits) return fits.error();
        Held& stored = out->held_matrices_.emplace_back(std::move(held));
        out->matrices_.emplace(step, &stored);
        of_tensor.emplace(stored.how.tensor, &stored);
    }
    return std::shared_ptr<const StoredWeights>(std::move(out));
}

std::optional<FrozenMatrix> StoredWeights::shape_of(std::string_view step) const {
    const Held* const held = find(step);
    return held ? std::optional(FrozenMatrix::of_shape(held->how.rows, held->how.cols)) : std::nullopt;
}

StoredWeights::Held* StoredWeights::find(std::string_view step) const {
    const auto at = matrices_.find(step);
    return at == matrices_.end() ? nullptr : at->second;
}

/// Runs request weights in the same order, so the matrix requested after this one last time is read ahead.
void StoredWeights::foresee(Held& requested) const {
    constexpr std::int64_t kLarge = 1 << 16;  // numbers: smaller matrices are read at once
    if (std::int64_t{requested.how.rows} * requested.how.cols < kLarge) return;
    if (last_ && !last_->next) last_->next = &requested;
    last_ = &requested;
    if (!requested.next) return;
    if (const auto there = requested.next->value.lock()) will_read(there->data(), there->size());
}

std::optional<FrozenMatrix> StoredWeights::matrix(std::string_view step) const {
    const std::lock_guard lock(mutex_);
    Held* const found = find(step);
    if (!found) return std::nullopt;
    Held& held = *found;
    foresee(held);
    if (const auto there = held.value.lock()) return FrozenMatrix::of(there);
    const auto made = held.waiting ? std::move(held.waiting) : read_beside(held);
    std::erase(waiting_, &held);
    held.value = made;
    return FrozenMatrix::of(made);
}

Matrix StoredWeights::first_rows(std::string_view step, int count) const {
    const std::lock_guard lock(mutex_);
    Held part = held_of(step);
    if (const auto there = part.value.lock()) return there->topRows(count);
    part.how.rows_behind += part.how.rows - count;
    part.how.rows = count;
    return read(part, true);
}

StepValue StoredWeights::value(std::string_view step) const {
    {
        const std::lock_guard lock(mutex_);
        Held& held = held_of(step);
        const Eigen::Index rows = held.how.rows, cols = held.how.cols;
        if (rows * cols >= kEvictFrom) {
            auto later = held.later.lock();
            if (!later) held.later = later = read_later([self = shared_from_this(), name = std::string(step)] { return self->as_it_is(name); });
            return {std::move(later), rows, cols};
        }
    }
    return *matrix(step);
}

std::uint64_t StoredWeights::failures() const {
    const std::lock_guard lock(mutex_);
    return failures_;
}

Error StoredWeights::last_failure() const {
    const std::lock_guard lock(mutex_);
    return last_failure_;
}

std::shared_ptr<const Matrix> StoredWeights::as_it_is(std::string_view step) const {
    const std::lock_guard lock(mutex_);
    Held& held = held_of(step);
    if (auto there = held.value.lock()) return there;
    try {
        return std::make_shared<const Matrix>(read(held, false));
    } catch (const ModelUnreadable& problem) {
        ++failures_;
        last_failure_ = problem.error;
        held.later.reset();  // what is cached of it is not for the next run, which may find the file whole
        return std::make_shared<const Matrix>(Matrix::Constant(held.how.rows, held.how.cols, std::numeric_limits<float>::quiet_NaN()));
    }
}

namespace {

/// A buffer that each thread keeps between tensors.
float* tensor_room(std::uint64_t size) {
    thread_local std::uint64_t held = 0;
    thread_local std::unique_ptr<float[]> room;
    if (held < size) {
        room = std::make_unique_for_overwrite<float[]>(size);
        held = size;
    }
    return room.get();
}

/// Copies consecutive rows of a tensor, from row `first` on, to their places in the matrix.
class Placing {
public:
    Placing(const TensorPlace& place, const StoredMatrix& how, Extent extent, Matrix& out)
        : how_(how), width_(extent.cols), transposed_(how.transposed && place.shape.size() >= 2), out_(out) {
        if (!transposed_ || how.block == 0) return;
        goes_.assign(extent.rows, -1);
        for (int c = 0; c < how.cols; ++c) goes_[static_cast<std::size_t>(column_of(how, c))] = c;
    }

    /// Where these rows can be read directly in their final layout; null: they need put().
    float* place_of(std::uint64_t first) const {
        const bool as_they_lie = !transposed_ && how_.block == 0 && how_.first == 0 && static_cast<std::uint64_t>(how_.cols) == width_;
        return as_they_lie ? out_.row(out_row(first)).data() : nullptr;
    }

    /// Thread-safe for disjoint rows.
    void put(const float* numbers, std::uint64_t first, std::uint64_t count) const {
        const Eigen::Map<const Matrix> part(numbers, static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(width_));
        if (transposed_)
            put_turned(part, first);
        else
            put_rows(part, first);
    }

private:
    Eigen::Index out_row(std::uint64_t row) const { return static_cast<Eigen::Index>(row) - how_.skip_rows; }

    void put_turned(const Eigen::Map<const Matrix>& part, std::uint64_t first) const {
        if (how_.block == 0) {
            out_.middleCols(static_cast<Eigen::Index>(first), part.rows()) = part.transpose().middleRows(how_.skip_rows, how_.rows);
            return;
        }
        for (Eigen::Index r = 0; r < part.rows(); ++r) {
            const int to = goes_[static_cast<std::size_t>(first) + static_cast<std::size_t>(r)];
            if (to >= 0) out_.col(to) = part.row(r).transpose().segment(how_.skip_rows, how_.rows);
        }
    }

    void put_rows(const Eigen::Map<const Matrix>& part, std::uint64_t first) const {
        const Eigen::Index at = out_row(first);
        if (how_.block == 0 || how_.block == how_.cols) {
            for (Eigen::Index r = 0; r < part.rows(); ++r) std::copy_n(part.row(r).data() + how_.first, how_.cols, out_.row(at + r).data());
            return;
        }
        for (Eigen::Index r = 0; r < part.rows(); ++r)
            for (int c = 0; c < how_.cols; ++c) out_(at + r, c) = part(r, column_of(how_, c));
    }

    const StoredMatrix& how_;
    std::uint64_t width_;
    bool transposed_;
    Matrix& out_;
    std::vector<int> goes_;  ///< the matrix column of each column of the transposed tensor: −1 none; empty: unchanged
};

/// Reports the first NaN or infinity in row order, if there is one.
std::optional<Error> first_that_is_none(const Matrix& of, const std::string& file, const std::string& tensor) {
    Eigen::Index i = 0;
    while (i < of.size() && std::isfinite(of.data()[i])) ++i;
    if (i == of.size()) return std::nullopt;
    return Error{fmt::format("there is NaN or an infinity in row {}, column {}; such weights compute nothing", i / of.cols() + 1, i % of.cols() + 1),
                 file, visible(tensor), 0};
}

/// Whether two matrices are different columns of one tensor, taken from the same rows.
bool lie_side_by_side(const StoredMatrix& a, const StoredMatrix& b) {
    return a.block != 0 && b.block != 0 && a.transposed == b.transposed && a.folded == b.folded && a.skip_rows == b.skip_rows && a.rows == b.rows;
}

/// Reads the rows of a tensor that `outs` need, once for all of them, in parallel. Checks that all numbers are finite
/// while they are in the cache; false if not, possibly only in columns that are left out.
Result<bool> read_rows(const TensorFile& file, const TensorPlace& place, const StoredMatrix& how, std::span<const Placing> outs) {
    const Extent extent = *extent_of(place, how);
    const bool transposed = how.transposed && place.shape.size() >= 2;
    constexpr std::uint64_t kAtOnce = 1 << 16;  // numbers: they fit into a core's cache
    const std::uint64_t first = transposed ? 0 : static_cast<std::uint64_t>(how.skip_rows);
    const std::uint64_t past = transposed ? extent.rows : first + static_cast<std::uint64_t>(how.rows);
    const std::uint64_t at_once = std::max<std::uint64_t>(1, kAtOnce / std::max<std::uint64_t>(1, extent.cols));
    std::mutex mutex;
    std::optional<Error> wrong;
    std::atomic<bool> sound = true;
    const auto parts = static_cast<int>((past - first + at_once - 1) / at_once);
    if (parts > 0) share_parts(parts, [&](int part) {
        const std::uint64_t begin = first + static_cast<std::uint64_t>(part) * at_once, count = std::min(at_once, past - begin);
        float* there = outs.size() == 1 ? outs.front().place_of(begin) : nullptr;
        float* numbers = there ? there : tensor_room(count * extent.cols);
        if (auto read = file.read_into(place, begin * extent.cols, count * extent.cols, numbers); !read) {
            const std::lock_guard lock(mutex);
            wrong = read.error();
            return;
        }
        if (!vectors::kernels().all_finite(numbers, static_cast<vectors::Index>(count * extent.cols))) sound = false;
        for (const Placing& out : outs)
            if (!there) out.put(numbers, begin, count);
    });
    if (wrong) return *wrong;
    return sound.load();
}

Matrix room_for(const StoredMatrix& how) {
    Matrix out(how.rows, how.cols);
    ask_large_pages(out.data(), static_cast<std::size_t>(out.size()) * sizeof(float));
    return out;
}

}  // namespace

Matrix StoredWeights::read(const Held& held, bool sound) const {
    Matrix out = room_for(held.how);
    const Placing placing(*held.place, held.how, *extent_of(*held.place, held.how), out);
    const auto numbers = read_rows(*held.file, *held.place, held.how, {&placing, 1});
    if (!numbers) throw ModelUnreadable{numbers.error()};
    if (held.how.plus != 0) out.array() += held.how.plus;
    if (sound && !*numbers)
        if (auto none = first_that_is_none(out, held.file->name(), held.place->name)) throw ModelUnreadable{*none};
    return out;
}

/// Queries, keys and values of a fused tensor are interleaved, so they are read together; the others wait until they
/// are requested, which a run does next.
std::shared_ptr<const Matrix> StoredWeights::read_beside(Held& held) const {
    constexpr std::size_t kMostWaiting = 4;
    std::vector<Held*> all = {&held};
    for (Held& other : held_matrices_)
        if (&other != &held && other.place == held.place && !other.waiting && other.value.expired() && lie_side_by_side(held.how, other.how))
            all.push_back(&other);
    if (all.size() == 1) return std::make_shared<const Matrix>(read(held, true));
    std::vector<Matrix> made;
    for (const Held* one : all) made.push_back(room_for(one->how));
    std::vector<Placing> placings;
    for (std::size_t i = 0; i < all.size(); ++i) placings.emplace_back(*held.place, all[i]->how, *extent_of(*held.place, held.how), made[i]);
    const auto sound = read_rows(*held.file, *held.place, held.how, placings);
    if (!sound) throw ModelUnreadable{sound.error()};
    if (!*sound) return std::make_shared<const Matrix>(read(held, true));  // reports the number, if it is in this one
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i]->how.plus != 0) made[i].array() += all[i]->how.plus;
    for (std::size_t i = 1; i < all.size(); ++i) {
        all[i]->waiting = std::make_shared<const Matrix>(std::move(made[i]));
        waiting_.push_back(all[i]);
    }
    for (; waiting_.size() > kMostWaiting; waiting_.pop_front()) waiting_.front()->waiting.reset();
    return std::make_shared<const Matrix>(std::move(made.front()));
}

void StoredWeights::rows(std::string_view step, std::span<const int> rows, Matrix& out) const {
    constexpr double kRead = 10'000;  // simple operations: reading one row from the file takes some microseconds
    const auto [there, file, place] = [&] {
        const std::lock_guard lock(mutex_);
        const Held& held = held_of(step);
        return std::tuple(held.value.lock(), held.file, held.place);
    }();
    std::mutex mutex;
    std::optional<Error> wrong;
    share_rows(out.rows(), kRead, [&](Eigen::Index first, Eigen::Index past) {
        const auto cols = static_cast<std::uint64_t>(out.cols());
        for (Eigen::Index i = first; i < past; ++i) {
            const int row = rows[static_cast<std::size_t>(i)];
            if (row < 0) continue;
            if (there) {
                out.row(i) = there->row(row);
            } else if (const auto read = file->read_into(*place, static_cast<std::uint64_t>(row) * cols, cols, out.row(i).data()); !read) {
                const std::lock_guard lock(mutex);
                wrong = read.error();
            }
        }
    });
    if (wrong) throw ModelUnreadable{*wrong};
}

std::vector<std::string> StoredWeights::names() const {
    std::vector<std::string> out;
    for (const auto& [step, held] : matrices_) out.push_back(step);
    std::sort(out.begin(), out.end());
    return out;
}

std::int64_t StoredWeights::numbers() const {
    std::int64_t sum = 0;
    for (const Held& held : held_matrices_) sum += static_cast<std::int64_t>(held.how.rows) * held.how.cols;
    return sum;
}

template <class Take>
void StoredWeights::each_of_blocks(Take take) const {
    const Held *const words = find(kEmbeddingsTensor), *const above = find(kUnembeddingTensor);
    for (const Held& held : held_matrices_)
        if (&held != words && &held != above) take(held, std::int64_t{held.how.rows} * held.how.cols);
}

std::int64_t StoredWeights::numbers_to_read() const {
    const std::lock_guard lock(mutex_);
    std::int64_t sum = 0;
    each_of_blocks([&](const Held& held, std::int64_t numbers) { sum += held.value.expired() ? numbers : 0; });
    return sum;
}

std::int64_t StoredWeights::largest() const {
    std::int64_t most = 0;
    each_of_blocks([&](const Held&, std::int64_t numbers) { most = std::max(most, numbers); });
    return most;
}

}  // namespace attn
