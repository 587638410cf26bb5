#include "tests/core/model_small.h"

namespace attn::test {

JsonValue value_of(std::string_view json) { return *parse_json(json); }

Model small_model() {
    Model m;
    m.name = "small";
    m.about = {"Three words.", "三个词。"};
    m.settings = {{"heads", value_of("2")}, {"position", value_of("\"learned\"")}, {"temperature", value_of("1.5")}};
    m.words = {"the", "cat", "猫"};
    m.columns = {"a", "b", "c", "d"};
    m.embeddings = seeded_matrix(1, 3, 4);
    m.weights.emplace("positions", seeded_matrix(2, 5, 4));
    std::uint64_t seed = 3;
    for (const char* name : {"query_weight", "key_weight", "value_weight", "output_weight"})
        m.weights.emplace(name, seeded_matrix(seed++, 4, 4));
    m.weights.emplace("query_bias", seeded_matrix(seed, 1, 4));
    m.questions = {{"one", {"What?", "什么？"}}, {"two", {"Who?", "谁？"}}};
    m.training = ModelTraining{"a test", 7, 100, 8};
    m.measured = {{"unseen", {{"share", 0.75}}}};
    return m;
}

}  // namespace attn::test
