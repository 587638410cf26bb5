#pragma once
// Parameters and results of the kernels that the trace records, too.

#include <cstdint>
#include <string_view>

namespace attn {

/// Functions of one number: those of models, the derivative of each (in the same order; gradient.h), and −log of a
/// probability.
enum class Activation : std::uint8_t {
    Tanh, Sigmoid, Relu, LeakyRelu, Gelu, GeluTanh, GeluQuick, Silu, EluPlusOne, LogEluPlusOne, Log,
    TanhSlope, SigmoidSlope, ReluSlope, LeakyReluSlope, GeluSlope, GeluTanhSlope, GeluQuickSlope, SiluSlope, EluPlusOneSlope, LogEluPlusOneSlope, LogSlope,
    MinusLog
};
inline constexpr int kActivationCount = 23;
/// The derivative of one of the models' functions.
Activation slope_of(Activation activation);
std::string_view activation_id(Activation activation);

/// How a rotation's angles are slowed for texts longer than those a model was first trained on: all by `factor`
/// (original 0: position interpolation [Chen et al. 2023]); or a pair that makes fewer than `low` rotations over
/// `original` positions by `factor`, one that makes more than `high` not at all, and those between by a mixture [Llama
/// 3.1]. With a pair_high the pairs are given directly: those up to pair_low are unchanged, those from pair_high on
/// slowed, linearly blended between [YaRN: Peng et al. 2023, 3.2].
struct RotarySlowing {
    float factor = 1, low = 1, high = 4;
    float pair_low = 0, pair_high = 0;
    int original = 0;
    bool operator==(const RotarySlowing&) const = default;
};

struct RotateParams {
    float base = 1;           ///< of the angles
    int first = 0;            ///< the first row's position
    bool half_pairs = false;  ///< feature i is paired with i + d/2, not with its neighbour
    bool backward = false;    ///< by the opposite angle
    RotarySlowing slowing = {};
};

/// Why a row of a step is marked. NotWeights: a row of weights from a file that does not sum to 1, or holds numbers
/// that cannot be weights (core/model/attention_file/given_attention.h).
enum class RowState : std::uint8_t { AllMasked, Overflow, NotWeights };

/// A number at its place in a matrix.
struct PlacedNumber {
    int row = 0, col = 0;
    float value = 0;
};

}  // namespace attn
