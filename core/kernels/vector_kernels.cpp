#include "core/kernels/vector_kernels.h"

#include "core/kernels/widths.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

namespace attn::vectors {

#include "core/kernels/fitted.inc"

/// The product of two float32 is exact in float64. Its sum with c is rounded to odd there (towards zero, with the last
/// bit set if something was lost), so that rounding it again to float32 equals rounding once: 53 bits are more than
/// 2·24 + 1 [Boldo, Melquiond 2008, "Emulation of a FMA"].
float fused(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b), addend = static_cast<double>(c);
    double sum = product + addend;
    const double part = sum - product;
    const double lost = (product - (sum - part)) + (addend - part);  // exact [Knuth]; NaN where the sum is not finite
    if (lost < 0 || lost > 0) {
        std::uint64_t bits;
        __builtin_memcpy(&bits, &sum, sizeof bits);
        if ((lost < 0) != (sum < 0)) --bits;
        bits |= 1;
        __builtin_memcpy(&sum, &bits, sizeof bits);
    }
    return static_cast<float>(sum);
}

namespace plain {
constexpr int kBytes = 16;
constexpr int kTileRows = 4;
#include "core/kernels/lanes.inc"
inline Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(__FP_FAST_FMAF)  // all machines of this architecture have the instruction
    UNROLL for (int i = 0; i < kLanes; ++i) c[i] = __builtin_fmaf(a[i], b[i], c[i]);
#else
    UNROLL for (int i = 0; i < kLanes; ++i) c[i] = fused(a[i], b[i], c[i]);
#endif
    return c;
}
/// The sum of two numbers, and its rounding error [Knuth].
struct ExactSum {
    Doubles sum, lost;
};
inline ExactSum exact_sum(Doubles a, Doubles b) {
    const Doubles sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}
/// The rounding error of a product, from products of the factors' halves, which are exact [Dekker 1971].
inline Doubles lost_of_product(Doubles a, Doubles b, Doubles product) {
    constexpr double kSplit = 134217729;  // 2²⁷ + 1
    const Doubles a_wide = a * kSplit, a_high = a_wide - (a_wide - a), a_low = a - a_high;
    const Doubles b_wide = b * kSplit, b_high = b_wide - (b_wide - b), b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}
/// A sum rounded to odd: towards zero, with the last bit set if something was lost.
inline Doubles odd_sum(Doubles a, Doubles b) {
    const ExactSum s = exact_sum(a, b);
    const auto inexact = (s.lost < 0.0) | (s.lost > 0.0);
    const auto beyond = inexact & ((s.lost < 0.0) ^ (s.sum < 0.0));  // −1 where it was rounded away from zero
    return (Doubles)(((Bits)s.sum + (Bits)beyond) | ((Bits)inexact & 1));
}
/// a·b + c, rounded once, for numbers far from float64's limits [Boldo, Melquiond 2008].
inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
#if defined(__FP_FAST_FMA)
    UNROLL for (Index i = 0; i < kHalf; ++i) c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
#else
    const Doubles product = a * b;
    const ExactSum low = exact_sum(c, lost_of_product(a, b, product)), high = exact_sum(product, low.sum);
    const Doubles sum = high.sum + odd_sum(low.lost, high.lost);
    return sum == sum ? sum : product + c;  // ∞ cannot be split into halves. NOLINT(misc-redundant-expression): not NaN
#endif
}
inline Doubles doubles_of(HalfFloats x) { return __builtin_convertvector(x, Doubles); }
/// The first `count` numbers (there may be no more); the others are `fill`.
inline HalfFloats some_of(const float* p, Index count, float fill) {
    HalfFloats out;
    UNROLL for (Index i = 0; i < kHalf; ++i) out[i] = i < count ? p[i] : fill;
    return out;
}
inline void write_some(float* p, Index count, HalfFloats x) {
    UNROLL for (Index i = 0; i < kHalf; ++i)
        if (i < count) p[i] = x[i];
}
inline bool all_zero(Floats x) {
    bool zero = true;
    UNROLL for (int i = 0; i < kLanes; ++i) zero &= x[i] == 0.0f;
    return zero;
}
/// Adds the two halves, then the halves of the result, and so on.
inline double total_of(Doubles x) { return x[0] + x[1]; }
inline Doubles smaller(Doubles a, Doubles b) { return a < b ? a : b; }
inline Doubles larger(Doubles a, Doubles b) { return a > b ? a : b; }
#include "core/kernels/product.inc"
#include "core/kernels/rows.inc"
}  // namespace plain

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
constexpr int kBytes = 32;
constexpr int kTileRows = 6;
#include "core/kernels/lanes.inc"
inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return _mm256_fmadd_pd(a, b, c); }
inline Doubles doubles_of(HalfFloats x) { return _mm256_cvtps_pd(x); }
inline __m128i first_of(Index count) { return _mm_cmpgt_epi32(_mm_set1_epi32(static_cast<int>(count)), _mm_setr_epi32(0, 1, 2, 3)); }
inline HalfFloats some_of(const float* p, Index count, float fill) {
    const __m128i there = first_of(count);
    return _mm_blendv_ps(_mm_set1_ps(fill), _mm_maskload_ps(p, there), _mm_castsi128_ps(there));
}
inline void write_some(float* p, Index count, HalfFloats x) { _mm_maskstore_ps(p, first_of(count), x); }
inline bool all_zero(Floats x) { return _mm256_movemask_ps(_mm256_cmp_ps(x, Floats{}, _CMP_NEQ_UQ)) == 0; }
inline double total_of(Doubles x) {
    const auto two = __builtin_shufflevector(x, x, 0, 1) + __builtin_shufflevector(x, x, 2, 3);
    return two[0] + two[1];
}
inline Doubles smaller(Doubles a, Doubles b) { return _mm256_min_pd(a, b); }
inline Doubles larger(Doubles a, Doubles b) { return _mm256_max_pd(a, b); }
#include "core/kernels/product.inc"
#include "core/kernels/rows.inc"
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
#endif
namespace avx512 {
constexpr int kBytes = 64;
constexpr int kTileRows = 14;
#include "core/kernels/lanes.inc"
inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return _mm512_fmadd_pd(a, b, c); }
inline Doubles doubles_of(HalfFloats x) { return _mm512_cvtps_pd(x); }
inline __mmask8 first_of(Index count) { return static_cast<__mmask8>((1U << count) - 1); }
inline HalfFloats some_of(const float* p, Index count, float fill) { return _mm256_mask_loadu_ps(_mm256_set1_ps(fill), first_of(count), p); }
inline void write_some(float* p, Index count, HalfFloats x) { _mm256_mask_storeu_ps(p, first_of(count), x); }
inline bool all_zero(Floats x) { return _mm512_cmp_ps_mask(x, Floats{}, _CMP_NEQ_UQ) == 0; }
inline double total_of(Doubles x) {
    const auto four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
    const auto two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
    return two[0] + two[1];
}
inline Doubles smaller(Doubles a, Doubles b) { return _mm512_min_pd(a, b); }
inline Doubles larger(Doubles a, Doubles b) { return _mm512_max_pd(a, b); }
#include "core/kernels/product.inc"
#include "core/kernels/rows.inc"
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // x86-64

namespace {

#define KERNELS(path)                                                                                               \
    {                                                                                                               \
        path::kTileRows, path::kLanes, path::tile, path::all_finite, path::sum, path::sum_of_squares,               \
            path::normalise, path::curve, path::exponentials, path::times, path::add, path::scale, path::largest,   \
            path::hide                                                                                              \
    }

constexpr Kernels kPlain = KERNELS(plain);
#if defined(__x86_64__)
constexpr Kernels kAvx2 = KERNELS(avx2), kAvx512 = KERNELS(avx512);
#endif

}  // namespace

const Kernels& kernels_of(Width width) {
#if defined(__x86_64__)
    if (width == Width::Avx512) return kAvx512;
    if (width == Width::Avx2) return kAvx2;
#endif
    static_cast<void>(width);
    return kPlain;
}

bool has(Width width) {
#if defined(__x86_64__)
    if (width == Width::Avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (width == Width::Avx512)
        return has(Width::Avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
    return width == Width::Plain;
}

}  // namespace attn::vectors
