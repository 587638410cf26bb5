#include "core/attention/parts/choices.h"

#include <array>

namespace attn {
namespace {

constexpr std::array kGates = {
    Gate{"none", std::nullopt},
    Gate{"sigmoid", Activation::Sigmoid},
};
constexpr std::array kBlockOrders = {
    BlockOrder{.id = "post_norm", .norm_sum = true},
    BlockOrder{.id = "pre_norm", .norm_first = true},
    BlockOrder{.id = "output_norm", .norm_made = true},
    BlockOrder{.id = "both_norms", .norm_first = true, .norm_made = true},
    BlockOrder{.id = "parallel", .norm_first = true, .parallel = true},
};
constexpr std::array kNorms = {
    Norm{"layer_norm", "LN", true},
    Norm{"rms_norm", "RMS", false},
};
constexpr std::array kFeedForwards = {
    FeedForward{"relu", Activation::Relu, "ReLU", false},
    FeedForward{"gelu", Activation::Gelu, "GELU", false},
    FeedForward{"gelu_tanh", Activation::GeluTanh, "GELU", false},
    FeedForward{"gelu_quick", Activation::GeluQuick, "QuickGELU", false},
    FeedForward{"silu", Activation::Silu, "SiLU", false},
    FeedForward{"swiglu", Activation::Silu, "SiLU", true},
    FeedForward{"geglu", Activation::Gelu, "GELU", true},
    FeedForward{"geglu_tanh", Activation::GeluTanh, "GELU", true},
};
constexpr std::array kWordChoices = {
    WordChoice{"greedy", false},
    WordChoice{"sample", true, {"choose_temperature", "choose_top_k", "choose_top_p", "draw_seed"}},
};
constexpr std::array kRecurrentUnits = {
    RecurrentUnit{"tanh", false},
    RecurrentUnit{"gru", true},
};
constexpr std::array kUnembeddings = {
    Unembedding{"by_form", false, false},
    Unembedding{"tied", true, false},
    Unembedding{"own", true, true},
};

}  // namespace

const Catalogue<Gate>& gates() {
    static const Catalogue<Gate> table(kGates);
    return table;
}
const Catalogue<BlockOrder>& block_orders() {
    static const Catalogue<BlockOrder> table(kBlockOrders);
    return table;
}
const Catalogue<Norm>& norms() {
    static const Catalogue<Norm> table(kNorms);
    return table;
}
const Catalogue<FeedForward>& feed_forwards() {
    static const Catalogue<FeedForward> table(kFeedForwards);
    return table;
}
const Catalogue<WordChoice>& word_choices() {
    static const Catalogue<WordChoice> table(kWordChoices);
    return table;
}
const Catalogue<RecurrentUnit>& recurrent_units() {
    static const Catalogue<RecurrentUnit> table(kRecurrentUnits);
    return table;
}
const Catalogue<Unembedding>& unembeddings() {
    static const Catalogue<Unembedding> table(kUnembeddings);
    return table;
}

}  // namespace attn
