#include "core/model/checkpoint/write_checkpoint.h"

#include <algorithm>
#include <cassert>

#include "core/io/json_writer.h"
#include "core/io/tensor_lists.h"
#include "core/model/checkpoint/families.h"
#include "core/model/folder_names.h"
#include "core/model/model_record.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

constexpr std::string_view kFamily = "llama", kPrefix = "model.";

const JsonValue& setting(const Model& model, std::string_view key) {
    const auto at = std::find_if(model.settings.begin(), model.settings.end(), [key](const auto& one) { return one.first == key; });
    assert(at != model.settings.end());
    return at->second;
}

[[maybe_unused]] bool is_of_family(const Model& model) {
    const auto says = [&](std::string_view key, std::string_view value) { return setting(model, key).string == value; };
    return says("block", "pre_norm") && says("norm", "rms_norm") && says("activation", "swiglu") && says("position", "rope_half") &&
           says("mask", "causal") && says("unembedding", "tied");
}

std::string checkpoint_config_text(const Model& model) {
    assert(is_of_family(model));
    const std::int64_t heads = setting(model, "heads").integer;
    JsonWriter out;
    const auto text = [&out](std::string_view key, std::string_view value) { out.key(key), out.string(value); };
    const auto whole = [&out](std::string_view key, std::int64_t value) { out.key(key), out.integer(value); };
    out.begin_object();
    out.key("architectures"), out.strings(std::vector<std::string>{"LlamaForCausalLM"});
    text("model_type", kFamily);
    put_model_description(out, model);
    whole("hidden_size", model.width());
    whole("intermediate_size", setting(model, "ffn_width").integer);
    whole("num_hidden_layers", setting(model, "layers").integer);
    whole("num_attention_heads", heads);
    whole("num_key_value_heads", heads);
    text("hidden_act", "silu");
    out.key("rms_norm_eps"), out.number(setting(model, "epsilon").number);
    out.key("rope_theta"), out.number(setting(model, "rope_base").number);
    whole("vocab_size", model.embeddings.rows());
    for (const char* no : {"attention_bias", "mlp_bias"}) out.key(no), out.boolean(false);
    out.key("tie_word_embeddings"), out.boolean(true);
    put_model_training(out, model);
    out.end_object();
    return out.take();
}

std::string numbered(std::string_view text, int number) {
    std::string out(text);
    if (const std::size_t at = out.find('#'); at != out.npos) out.replace(at, 1, std::to_string(number));
    return out;
}

struct CheckpointTensors {
    std::vector<NamedTensor> all;
    std::set<std::string> lists;
};

CheckpointTensors tensors_of(const Model& model) {
    CheckpointTensors out;
    const auto layers = static_cast<int>(setting(model, "layers").integer);
    for (const auto list : find_family(kFamily)->tensors)
        for (const FamilyTensor& t : list) {
            const bool layered = t.step.find('#') != t.step.npos;
            for (int layer = 0; layer < (layered ? layers : 1); ++layer) {
                const bool words = t.step == "embeddings";
                const auto matrix = words ? std::optional(model.word_vectors()) : model.matrix(numbered(t.step, layer + 1));
                assert(matrix || !t.needed);
                if (!matrix) continue;
                NamedTensor one{std::string(kPrefix) + numbered(t.tensor, layer), matrix->matrix()};
                if (t.transposed) one.value = Matrix(one.value.transpose());
                if (t.rows == Side::One) out.lists.insert(one.name);
                out.all.push_back(std::move(one));
            }
        }
    return out;
}

}  // namespace

ModelFiles checkpoint_files(const Model& model, TensorNumbers numbers) {
    assert(!model.tokenizer->file().empty());
    ModelFiles out;
    out.name = model.name;
    out.vocabulary_name = kTokenizerFile;
    out.config = checkpoint_config_text(model);
    out.vocabulary = model.tokenizer->file();
    const CheckpointTensors tensors = tensors_of(model);
    out.tensors = tensor_file_bytes(tensors.all, {{"format", "pt"}}, numbers, tensors.lists);
    return out;
}

}  // namespace attn
