#include "core/base/random.h"

#include <bit>
#include <cassert>

namespace attn {

namespace {

/// One step of SplitMix64: a Weyl sequence through a 64-bit mixer. Spreads similar seeds far apart.
std::uint64_t split_mix(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) : state_{} {
    for (std::uint64_t& word : state_) word = split_mix(seed);
}

Random::Random(const State& state) : state_(state) {
    assert(state != State{} && "xoshiro never leaves the all-zero state");
}

std::uint64_t Random::next() {
    auto& [a, b, c, d] = state_;
    const std::uint64_t result = std::rotl(b * 5, 7) * 9;
    const std::uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    return result;
}

double Random::uniform() {
    // The top 53 bits: a double holds each of these values exactly.
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

float Random::normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return static_cast<float>(sum);
}

std::uint64_t hash_bytes(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : bytes) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001B3U;
    }
    return hash;
}

}  // namespace attn
