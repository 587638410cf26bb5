#include "core/train/questions_model.h"

#include <fmt/format.h>

#include <cmath>

#include "core/io/json_writer.h"
#include "core/model/safetensors.h"

namespace attn::train {
namespace {

/// Three digits are what was measured.
void write_share(JsonWriter& out, std::string_view key, double value) {
    out.key(key);
    out.number(std::round(value * 1000) / 1000);
}

void write_figures(JsonWriter& out, std::string_view key, const HeadFigures& figures) {
    out.key(key);
    out.begin_object();
    for (const HeadFigures::Row& row : figures.rows)
        if (row.count > 0) write_share(out, relation_id(row.relation), row.share);
    write_share(out, "previous", figures.previous);
    for (std::size_t h = 0; h < kAskedHeads; ++h) {
        write_share(out, "answers_" + std::string(questions()[h].id), figures.right[h]);
        write_share(out, "answers_" + std::string(questions()[h].id) + "_head_off", figures.right_off[h]);
    }
    out.end_object();
}

void write_member(JsonWriter& out, std::string_view key, std::string_view text) {
    out.key(key);
    out.string(text);
}

void write_count(JsonWriter& out, std::string_view key, std::int64_t count) {
    out.key(key);
    out.integer(count);
}

}  // namespace

std::string questions_config(const QuestionOptions& options, const HeadFigures& unseen_words, const HeadFigures& unseen_shapes) {
    JsonWriter out;
    out.begin_object();
    write_member(out, "model_type", "attenscope");
    write_member(out, "variant", "multi_head");
    write_count(out, "hidden_size", kAskedWidth);
    write_count(out, "num_hidden_layers", 1);
    write_count(out, "num_attention_heads", kAskedHeads);
    write_count(out, "head_dim", kAskedHeadWidth);
    write_member(out, "embedding", "meaning");
    write_member(out, "position", "beside");
    out.key("wavelengths");
    const std::vector<float> wavelengths = {4, 8, 16, 32};
    out.numbers(wavelengths);
    out.key("questions");
    out.begin_array();
    for (const Question& question : questions()) {
        out.begin_object();
        write_member(out, "id", question.id);
        write_member(out, "en", question.english);
        write_member(out, "zh", question.chinese);
        out.end_object();
    }
    out.end_array();
    out.key("training");
    out.begin_object();
    write_member(out, "task", "questions");
    out.key("seed");
    out.natural(options.seed);
    write_count(out, "steps", options.first_steps + options.second_steps);
    write_count(out, "batch", options.batch);
    out.end_object();
    out.key("measured");
    out.begin_object();
    write_figures(out, "unseen_words", unseen_words);
    write_figures(out, "unseen_shapes", unseen_shapes);
    out.end_object();
    out.end_object();
    return out.take();
}

std::string questions_tensors(const std::vector<Weight>& weights) {
    std::vector<NamedTensor> tensors;
    for (const Weight& weight : weights) tensors.push_back({weight.name, weight.value});
    return tensor_file_bytes(tensors, {{"format", "attenscope"}});
}

Document questions_document(const std::vector<Weight>& weights, const std::vector<std::string>& tokens) {
    Document doc;
    doc.tokens = tokens;
    doc.text.clear();
    for (const std::string& token : tokens) doc.text += (doc.text.empty() ? "" : " ") + token;
    doc.config.heads = kAskedHeads;
    const auto give = [&doc](Given which, Matrix value) { doc.given[static_cast<std::size_t>(which)] = std::move(value); };
    give(Given::X, asked_vectors(tokens) + asked_positions(static_cast<int>(tokens.size())));
    give(Given::W_Q, weights[0].value);
    give(Given::W_K, weights[1].value);
    give(Given::W_V, weights[2].value);
    give(Given::W_O, weights[3].value);
    return doc;
}

std::string figures_table(const HeadFigures& figures) {
    std::string out = fmt::format("{:<22}{:<10}{:>8}{:>8}\n", "relation", "head", "share", "chance");
    for (const HeadFigures::Row& row : figures.rows)
        if (row.count > 0)
            out += fmt::format("{:<22}{:<10}{:>8.2f}{:>8.2f}\n", relation_id(row.relation),
                               questions()[static_cast<std::size_t>(row.head)].id, row.share, row.chance);
    out += fmt::format("{:<22}{:<10}{:>8.2f}\n\n", "word before", questions().back().id, figures.previous);
    out += fmt::format("{:<10}{:>8}{:>10}{:>10}  asked\n", "head", "right", "head off", "resting");
    for (std::size_t h = 0; h < kAskedHeads; ++h)
        out += fmt::format("{:<10}{:>8.2f}{:>10.2f}{:>10.2f}  {}\n", questions()[h].id, figures.right[h], figures.right_off[h],
                           figures.resting[h], questions()[h].english);
    return out;
}

}  // namespace attn::train
