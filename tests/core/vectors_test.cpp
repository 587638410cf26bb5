// The row kernels: the same bytes with every vector width and at every place of a row, and close to the library's.
#include "core/kernels/widths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/kernels/kernels.h"
#include "core/kernels/softmax.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"
#include "tests/core/widths.h"

namespace attn::test {
namespace {

using vectors::Kernels;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// Numbers of many magnitudes, some of them −∞.
std::vector<float> numbers(int count, bool hidden) {
    const Matrix m = seeded_matrix(static_cast<std::uint64_t>(count) + 1, 1, count, 6);
    std::vector<float> out(m.data(), m.data() + m.size());
    for (std::size_t i = 0; i < out.size(); i += 5) out[i] *= i % 2 ? 1e-6f : 12;
    for (std::size_t i = 3; hidden && i < out.size(); i += 7) out[i] = -kInf;
    return out;
}

/// All results of a set of kernels on rows of this length, as bits.
std::vector<std::uint64_t> all_bytes(int count) {
    const Kernels& k = vectors::kernels();
    std::vector<std::uint64_t> out;
    const auto keep = [&](double v) { out.push_back(std::bit_cast<std::uint64_t>(v)); };
    const std::vector<float> x = numbers(count, false), y = numbers(count, true);
    std::vector<float> made(x.size());
    const auto keep_row = [&] {
        for (const float v : made) out.push_back(std::bit_cast<std::uint32_t>(v));
    };
    keep(k.sum(x.data(), count));
    keep(k.sum_of_squares(x.data(), count, 0.37));
    keep(k.all_finite(x.data(), count));
    if (count > 0) keep(static_cast<double>(k.largest(y.data(), count)));
    k.normalise(x.data(), count, 0.3, 1.7, y.data(), x.data(), made.data());
    keep_row();
    k.normalise(x.data(), count, 0, 3, nullptr, nullptr, made.data());
    keep_row();
    for (const double by : {1.0, 0.3, 0.0, 1e20}) {
        keep(k.exponentials(y.data(), count, 20, by, 1e-38, made.data()));
        keep_row();
    }
    k.times(x.data(), count, 1 / 3.0, made.data());
    keep_row();
    k.add(x.data(), y.data(), count, made.data());
    keep_row();
    k.scale(x.data(), count, 1 / 3.0f, made.data());
    keep_row();
    k.hide(y.data(), x.data(), count, made.data());
    keep_row();
    for (int curve = 0; curve <= static_cast<int>(vectors::Curve::EluPlusOne); ++curve) {
        k.curve(static_cast<vectors::Curve>(curve), x.data(), count, made.data());
        keep_row();
    }
    return out;
}

TEST(Vectors, EveryWidthGivesTheSameBytes) {
    for (const int count : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100}) {
        std::vector<std::uint64_t> first;
        for (const vectors::Width width : vectors::widths()) {
            const Forced forced(width, 1);
            const auto bytes = all_bytes(count);
            if (first.empty()) first = bytes;
            EXPECT_EQ(bytes, first) << vectors::width_id(width) << ", rows of " << count;
        }
    }
}

TEST(Vectors, NonFiniteNumbersAreFoundAnywhere) {
    for (const vectors::Width width : vectors::widths()) {
        const Forced forced(width, 1);
        for (const float odd : {kInf, -kInf, std::numeric_limits<float>::quiet_NaN()})
            for (int count = 1; count < 40; ++count)
                for (int at = 0; at < count; ++at) {
                    std::vector<float> x(static_cast<std::size_t>(count), 1e38f);
                    EXPECT_TRUE(vectors::kernels().all_finite(x.data(), count));
                    x[static_cast<std::size_t>(at)] = odd;
                    ASSERT_FALSE(vectors::kernels().all_finite(x.data(), count)) << at << " of " << count;
                }
    }
}

TEST(Vectors, TheLargestIsFoundAnywhere) {
    for (const vectors::Width width : vectors::widths()) {
        const Forced forced(width, 1);
        for (int count = 1; count < 40; ++count)
            for (int at = 0; at < count; ++at) {
                std::vector<float> x(static_cast<std::size_t>(count), -kInf);
                x[static_cast<std::size_t>(at)] = -3;
                ASSERT_EQ(vectors::kernels().largest(x.data(), count), -3) << at << " of " << count;
            }
    }
}

/// 0 and −0 in the mask hide; NaN does not, and visible numbers stay unchanged to the last bit.
TEST(Vectors, AMaskHidesWhereItIsZero) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const vectors::Width width : vectors::widths()) {
        const Forced forced(width, 1);
        for (int count = 0; count < 40; ++count) {
            const std::vector<float> x = numbers(count, true);
            std::vector<float> seen(x.size()), made(x.size(), 7);
            for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = i % 4 == 0 ? 0.0f : i % 4 == 1 ? -0.0f : i % 4 == 2 ? 1.0f : nan;
            vectors::kernels().hide(x.data(), seen.data(), count, made.data());
            for (std::size_t i = 0; i < x.size(); ++i)
                ASSERT_EQ(std::bit_cast<std::uint32_t>(made[i]), std::bit_cast<std::uint32_t>(i % 4 < 2 ? -kInf : x[i])) << i << " of " << count;
        }
    }
}

Matrix curve_of(const Matrix& x, Activation activation) {
    Matrix out(x.rows(), x.cols());
    kernel::activate(x, activation, {}, out.data());
    return out;
}

/// Within float32's rounding of the library's float64 results, over the whole range; nearly always the same float.
TEST(Vectors, CurvesAreTheLibrarysFunctions) {
    Matrix x(1, 40'001);
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(static_cast<double>(i - 20'000) * 1e-3);
    for (const float small : {1e-30f, -1e-30f, 1e-7f, 0.0199f, 0.0201f, -0.02f}) x.data()[static_cast<int>(small * 1e6f) % 7 + 8] = small;
    for (int which = 0; which < kActivationCount; ++which) {
        const auto activation = static_cast<Activation>(which);
        const Matrix made = curve_of(x, activation);
        Eigen::Index others = 0;
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const double expected = activated(activation, static_cast<double>(x.data()[i]));
            if (std::isnan(expected)) {  // the logarithm of a number below 0
                ASSERT_TRUE(std::isnan(made.data()[i])) << activation_id(activation) << "(" << x.data()[i] << ")";
                continue;
            }
            if (std::isinf(expected) && static_cast<double>(made.data()[i]) == expected) continue;
            if (made.data()[i] == static_cast<float>(expected)) continue;
            ++others;
            ASSERT_NEAR(static_cast<double>(made.data()[i]), expected, 1.2e-7 * std::abs(expected) + 1.5e-45)
                << activation_id(activation) << "(" << x.data()[i] << ")";
        }
        EXPECT_LE(others, activation == Activation::Gelu ? 60 : 3) << activation_id(activation);
    }
}

TEST(Vectors, CurvesAtTheirEnds) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const Matrix x = (Matrix(1, 8) << kInf, -kInf, kNan, 1e30f, -1e30f, 0.0f, -0.0f, 800.0f).finished();
    for (int which = 0; which < kActivationCount; ++which) {
        const auto activation = static_cast<Activation>(which);
        const Matrix made = curve_of(x, activation);
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const auto expected = static_cast<float>(activated(activation, static_cast<double>(x.data()[i])));
            EXPECT_TRUE(std::isnan(expected) ? std::isnan(made.data()[i]) : made.data()[i] == expected)
                << activation_id(activation) << "(" << x.data()[i] << ") = " << made.data()[i] << ", not " << expected;
        }
    }
}

/// Two equal numbers of a row have equal shares, in whatever columns they are, and whatever is around them.
TEST(Vectors, EqualScoresHaveEqualSharesInEveryColumn) {
    for (const vectors::Width width : vectors::widths()) {
        const Forced forced(width, 1);
        for (int count = 2; count < 50; ++count) {
            std::vector<float> row = numbers(count, true), out(row.size());
            row.front() = row.back() = row[row.size() / 2] = 1.2345f;
            softmax_row(row.data(), count, 0.7f, out.data());
            EXPECT_EQ(out.front(), out.back());
            EXPECT_EQ(out.front(), out[out.size() / 2]);
        }
    }
}

/// Rows computed together equal rows computed one by one, whatever their neighbours are.
TEST(Vectors, RowsTogetherEqualRowsAlone) {
    for (const vectors::Width width : vectors::widths()) {
        const Forced forced(width, 1);
        for (const int cols : {1, 5, 8, 16, 23, 300}) {
            Matrix scores = seeded_matrix(static_cast<std::uint64_t>(cols), 37, cols, 9);
            scores.row(3).setConstant(-kInf);
            scores(7, cols / 2) = std::numeric_limits<float>::quiet_NaN();
            scores(20, 0) = kInf;
            std::vector<bool> overflowed(37);
            overflowed[11] = true;
            const Matrix made = softmax_rows(scores, 0.7f, overflowed);
            for (int row = 0; row < 37; ++row) {
                RowVector alone(cols);
                softmax_row(scores.row(row).data(), cols, 0.7f, alone.data());
                if (row == 11) alone.setConstant(std::numeric_limits<float>::quiet_NaN());
                EXPECT_EQ(std::memcmp(alone.data(), made.row(row).data(), static_cast<std::size_t>(cols) * sizeof(float)), 0)
                    << vectors::width_id(width) << ", row " << row << " of " << cols << " columns";
            }
        }
    }
}

TEST(Vectors, NothingIsWrittenAfterARow) {
    constexpr float kUntouched = 12345;
    for (const vectors::Width width : vectors::widths()) {
        const Forced forced(width, 1);
        const Kernels& k = vectors::kernels();
        for (int count = 0; count < 40; ++count) {
            const std::vector<float> x = numbers(count, true);
            std::vector<float> made(x.size() + 32, kUntouched);
            k.exponentials(x.data(), count, 20, 1, 1e-38, made.data());
            k.times(x.data(), count, 0.5, made.data());
            k.add(x.data(), x.data(), count, made.data());
            k.scale(x.data(), count, 0.5f, made.data());
            k.curve(vectors::Curve::Tanh, x.data(), count, made.data());
            k.normalise(x.data(), count, 0, 3, nullptr, nullptr, made.data());
            k.hide(x.data(), x.data(), count, made.data());
            EXPECT_EQ(std::count(made.begin() + count, made.end(), kUntouched), 32) << vectors::width_id(width) << ", " << count;
        }
    }
}

/// Whole runs: every step of every form, from documents of some length.
TEST(Vectors, EveryStepIsTheSameWithEveryWidthAndNumberOfThreads) {
    for (const Form& form : forms()) {
        Document doc = numbers_document(seeded_matrix(3, 40, 48), form.id);
        if (has(form.reads, Reads::Heads)) doc.config.heads = 3;
        doc.weights = "random";
        doc.config.mask = "causal";
        if (!problems(doc).empty()) doc.config.mask = "none";
        if (!problems(doc).empty()) doc.weights = "identity";
        if (!problems(doc).empty()) continue;
        const attn::Run expected = run_valid(doc);
        with_every_width([&](const std::string& forced) {
            const attn::Run made = run_valid(doc);
            ASSERT_EQ(made.trace.size(), expected.trace.size());
            for (StepId id = 0; id < made.trace.size(); ++id)
                EXPECT_TRUE(same_bits(made.trace[id].value, expected.trace[id].value))
                    << form.id << ", " << forced << ": " << step_name(made.trace[id].tag);
        });
    }
}

}  // namespace
}  // namespace attn::test
