#include "app/screens/experiments/model_sizes.h"

#include <array>

namespace app {

WeightCount count_weights(const PublishedModel& m) {
    const double queries = m.heads * m.head_width, keys = m.key_heads * m.head_width;
    const double of_attention = m.biases ? queries + 2 * keys + m.width : 0;
    const double of_inner = m.biases ? (m.inner_matrices - 1) * m.inner + m.width : 0;
    const double norm = m.biases ? 2 * m.width : m.width;
    return {(m.vocabulary + m.positions) * m.width,
            m.layers * (m.width * (queries + 2 * keys) + queries * m.width + of_attention),
            m.layers * (m.inner_matrices * m.width * m.inner + of_inner), (2 * m.layers + 1) * norm};
}

double rule_of_thumb(const PublishedModel& m) { return 12 * m.layers * m.width * m.width + m.vocabulary * m.width; }

std::span<const PublishedModel> published_models() {
    static constexpr std::array<PublishedModel, 3> kModels = {{
        {"gpt2", "GPT-2", 12, 12, 12, 768, 64, 3072, 50257, 1024, 2, true, "Radford et al. 2019"},
        {"llama32_1b", "Llama 3.2 1B", 16, 32, 8, 2048, 64, 8192, 128256, 0, 3, false, "Grattafiori et al. 2024"},
        {"gpt3", "GPT-3", 96, 96, 96, 12288, 128, 49152, 50257, 2048, 2, true, "Brown et al. 2020, table 2.1"},
    }};
    return kModels;
}

}  // namespace app
