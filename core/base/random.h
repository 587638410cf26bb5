#pragma once
// Seeded randomness and hashing that give the same bits on every machine and every compiler.

#include <array>
#include <cstdint>
#include <string_view>

namespace attn {

/// xoshiro256** (Blackman and Vigna 2018), its state filled from one seed by SplitMix64 (Steele, Lea, Flood 2014).
/// Nothing here calls libm, reads a clock or depends on the standard library's distributions, which differ from one
/// implementation to the next: the same seed is the same sequence everywhere.
class Random {
public:
    using State = std::array<std::uint64_t, 4>;

    explicit Random(std::uint64_t seed);

    /// Continues from a state; it must not be all zeros.
    explicit Random(const State& state);

    /// 64 random bits.
    std::uint64_t next();

    /// In [0, 1), a multiple of 2^-53.
    double uniform();

    /// Mean 0, variance 1, within [-6, 6]: the sum of 12 uniforms less 6 (Irwin-Hall). Chosen over Box-Muller because
    /// it uses additions alone, which IEEE 754 rounds exactly, where log and cos differ between libraries.
    float normal();

private:
    State state_;
};

/// FNV-1a, 64 bits: a stable hash of a text (the seed of an unknown token's vector). Not for security.
std::uint64_t hash_bytes(std::string_view bytes);

}  // namespace attn
