#include "app/cli/model_command.h"

#include <fmt/format.h>

#include <memory>

#include "app/cli/columns.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/explain/form_words.h"
#include "core/document/take.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "core/train/tasks.h"

namespace app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kModelIndent = 2, kWordsShown = 12;

std::string setting_text(const attn::JsonValue& value) {
    if (value.kind == attn::JsonKind::String) return value.string;
    return value.is_integer ? std::to_string(value.integer) : attn::shortest(value.number);
}

std::string first_words(const attn::Model& model) {
    std::string out;
    for (std::size_t i = 0; i < std::min(model.words.size(), kWordsShown); ++i)
        out += (i > 0 ? " " : "") + attn::visible_text(model.words[i]);
    return out + (model.words.size() > kWordsShown ? " …" : "");
}

std::string shape_text(const attn::FrozenMatrix& tensor) {
    return fmt::format("{} × {}", tensor.rows(), tensor.cols());
}

std::string model_text(const attn::ModelPtr& of) {
    const attn::Model& model = *of;
    std::string out = attn::visible_text(model.name) + "\n";
    for (const std::string& text : {model.about.english, model.about.chinese})
        if (!text.empty()) out += attn::visible_text(text) + "\n";
    Rows rows = {{"numbers", std::to_string(model.numbers())},
                 {"columns of a vector", std::to_string(model.width())},
                 {model.picture ? "labels" : "words", fmt::format("{}: {}", model.words.size(), first_words(model))}};
    if (model.stored && !model.training) {
        attn::Document document;
        attn::take_model(document, of);
        rows.push_back({"architecture", std::string(form_title(document, Language::English))});
    }
    for (const auto& [key, value] : model.settings) rows.push_back({key, attn::visible_text(setting_text(value))});
    if (model.training)
        rows.push_back(
            {"trained on", fmt::format("{}{}, seed {}, {} steps of {} examples", attn::visible_text(model.training->task),
                         model.training->variation.empty() ? "" : " (" + attn::visible_text(model.training->variation) + ")",
                                       model.training->seed, model.training->steps, model.training->batch)});
    if (const attn::train::Longest longest = attn::train::longest_trained(model); longest.text > 0)
        rows.push_back({"longest text trained on", longest.source > 0 ? fmt::format("{} tokens, the second {}", longest.text, longest.source)
                                                                      : fmt::format("{} tokens", longest.text)});
    out += "\n" + in_columns(rows);
    Rows tensors;
    if (!model.picture) tensors.push_back({"embeddings", shape_text(model.embeddings)});
    for (const std::string& name : model.stored ? model.stored->names() : std::vector<std::string>{})
        if (name != attn::kEmbeddingsTensor) tensors.push_back({name, shape_text(*model.shape_of(name))});
    for (const auto& [name, tensor] : model.weights) tensors.push_back({attn::visible_text(name), shape_text(tensor)});
    if (model.waves) tensors.push_back({"positions", "by their formula: sines and cosines in columns of their own"});
    out += "\ntensors\n" + in_columns(tensors, {}, kModelIndent);
    Rows heads;
    for (std::size_t h = 0; h < model.questions.size(); ++h)
        heads.push_back({std::to_string(h + 1), attn::visible_text(model.questions[h].id),
                         attn::visible_text(model.questions[h].text.english),
                         attn::visible_text(model.questions[h].text.chinese)});
    if (!heads.empty()) out += "\nthe question of each head\n" + in_columns(heads, {}, kModelIndent);
    for (const attn::MeasuredSet& set : model.measured) {
        Rows figures;
        for (const auto& [key, value] : set.figures)
            figures.push_back({attn::visible_text(key), fmt::format("{:.3f}", value)});
        out += "\nmeasured on " + attn::visible_text(set.id) + "\n" + in_columns(figures, {}, kModelIndent);
    }
    return out;
}

Runner declare_model(Parser& parser) {
    const auto name = std::make_shared<std::string>();
    parser.add({.name = "MODEL",
                .help = "The name of an included model (`attenscope list models`), or a folder.",
                .required = true},
               *name);
    return [name](Streams& streams) {
        const auto model = attn::find_model(*name, {.folders = true});
        if (!model) return fail(streams, Exit::BadInput, model.error());
        return write_output(streams, "", model_text(*model), Content::Text);
    };
}

}  // namespace

const Command kModelCommand = {
    {
        .name = "model",
        .summary = "says what is in a model",
        .synopsis = " attenscope model MODEL",
        .description =
            R"(What a model is for, its settings, its vocabulary, the shape of each tensor, the question that each head was trained on, how it was trained and what was measured.

A model is a folder in Hugging Face's layout: config.json (with "model_type": "attenscope"), vocab.json (or a tokenizer.json of whole words), model.safetensors, whose tensors are named as the steps that they become. A document takes one with "model": its settings come first, then the document's own; vectors and weights that are called "model" come from it; matrices given and numbers typed over still win. Links name only models that come along.)",
        .examples = R"( attenscope model questions
 attenscope trace --set model=questions --text "the tired cat sat down"
 attenscope model ./heads)",
    },
    declare_model,
};

}  // namespace app
