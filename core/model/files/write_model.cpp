// Writes a model's files.
#include <filesystem>
#include <string>
#include <system_error>

#include "core/io/files.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"
#include "core/model/checkpoint/write_checkpoint.h"
#include "core/model/files/model_files.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "core/model/model_record.h"

namespace attn {
namespace {

void put(JsonWriter& out, std::string_view key, std::string_view text) {
    out.key(key);
    out.string(text);
}
void put(JsonWriter& out, std::string_view key, std::int64_t count) {
    out.key(key);
    out.integer(count);
}

void put_languages(JsonWriter& out, const BothLanguages& text) {
    put(out, "en", text.english);
    put(out, "zh", text.chinese);
}

/// A text, a number, or a list of these.
void put_value(JsonWriter& out, const JsonValue& value) {
    if (value.kind == JsonKind::Array) {
        out.begin_array();
        for (const JsonValue& item : value.items) put_value(out, item);
        return out.end_array();
    }
    if (value.kind == JsonKind::String) return out.string(value.string);
    value.is_integer ? out.integer(value.integer) : out.number(value.number);
}

void put_settings(JsonWriter& out, const Model& model) {
    out.key("attention");
    out.begin_object();
    for (const auto& [key, value] : model.settings) {
        out.key(key);
        put_value(out, value);
    }
    out.end_object();
}

void put_sure(JsonWriter& out, const std::vector<SureAt>& rows) {
    std::vector<float> weights, right, counts;
    for (const SureAt& row : rows) {
        weights.push_back(static_cast<float>(row.weight));
        right.push_back(static_cast<float>(row.right));
        counts.push_back(static_cast<float>(row.count));
    }
    out.key(kSure);
    out.begin_object();
    out.key("weight");
    out.numbers(weights);
    out.key("right");
    out.numbers(right);
    out.key("count");
    out.numbers(counts);
    out.end_object();
}

std::string config_of(const Model& model) {
    JsonWriter out;
    out.begin_object();
    put(out, "model_type", "attenscope");
    put_model_description(out, model);
    put(out, "hidden_size", std::int64_t{model.width()});
    put(out, "vocab_size", static_cast<std::int64_t>(model.words.size()));
    for (const auto& [key, value] : model.settings)
        if (key == "heads") put(out, "num_attention_heads", value.integer);
    put_settings(out, model);
    if (!model.columns.empty()) {
        out.key("columns");
        out.strings(model.columns);
    }
    if (model.other_words) put(out, kOtherWords, kOfMeanings);
    if (model.waves) {
        out.key("position_waves");
        out.begin_object();
        put(out, "first_column", std::int64_t{model.waves->first_column});
        out.key("wavelengths");
        out.numbers(model.waves->wavelengths);
        out.end_object();
    }
    if (!model.questions.empty()) {
        out.key("questions");
        out.begin_array();
        for (const HeadQuestion& question : model.questions) {
            out.begin_object();
            put(out, "id", question.id);
            put_languages(out, question.text);
            if (!question.sure.empty()) put_sure(out, question.sure);
            out.end_object();
        }
        out.end_array();
    }
    if (!model.sure.empty()) put_sure(out, model.sure);
    put_model_training(out, model);
    out.end_object();
    return out.take();
}

}  // namespace

ModelFiles model_files(const Model& model, TensorNumbers numbers) {
    if (model.tokenizer) return checkpoint_files(model, numbers);
    ModelFiles files;
    files.name = model.name;
    files.config = config_of(model);
    JsonWriter words;
    words.begin_object();
    for (std::size_t i = 0; i < model.words.size(); ++i) put(words, model.words[i], static_cast<std::int64_t>(i));
    words.end_object();
    files.vocabulary = words.take();
    std::vector<NamedTensor> tensors = {{"embeddings", model.embeddings.matrix()}};
    for (const auto& [name, tensor] : model.weights) tensors.push_back({name, tensor.matrix()});
    files.tensors = tensor_file_bytes(tensors, {{"format", "attenscope"}}, numbers);
    return files;
}

Result<Done> write_model_folder(const std::filesystem::path& folder, const ModelFiles& files) {
    const std::filesystem::path config = folder / kConfigFile;
    std::error_code problem;
    const bool existed = std::filesystem::exists(config, problem);
    const auto before = existed ? read_file(config, kMostConfigBytes) : Result<std::string>(std::string());
    if (!before) return before.error();
    if (existed && *before != files.config && !std::filesystem::remove(config, problem) && problem)
        return Error{problem.message(), visible_text(config.string()), "", 0};
    if (auto written = atomic_write(folder / kTensorFile, files.tensors); !written) {
        if (existed) (void)atomic_write(config, *before);  // the old weights are still in place
        return written;
    }
    if (auto written = atomic_write(folder / files.vocabulary_name, files.vocabulary); !written) return written;
    return atomic_write(config, files.config);
}

}  // namespace attn
