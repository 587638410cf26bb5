#include "app/cli/next_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/columns.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"
#include "core/ops/ops.h"
#include "core/tokenizers/tokenizer_model.h"

namespace app {
namespace {

using TextRows = std::vector<std::vector<std::string>>;

constexpr std::size_t kLensWords = 3;  // per layer, side by side

std::string quoted_word(std::string_view text) { return "\"" + attn::visible_text(text) + "\""; }
std::string probability_text(float probability) { return fmt::format("{:.4f}", probability); }

std::string words_table(const std::vector<attn::LikelyWord>& words) {
    TextRows rows = {{"", "probability", "id", "token"}};
    for (const attn::LikelyWord& word : words)
        rows.push_back({std::to_string(rows.size()), probability_text(word.probability), std::to_string(word.id),
                        quoted_word(word.text)});
    return in_columns(rows, {Side::Right, Side::Right, Side::Right, Side::Left});
}

std::string layer_passed(int layers, attn::CountFrom count) { return layers == 0 ? "none" : attn::number_of(layers - 1, count); }

std::string lens_table(const std::vector<LensLine>& lines, attn::CountFrom count) {
    TextRows rows = {{"after layer", "probability", "token"}};
    std::vector<Side> sides = {Side::Right};
    for (const LensLine& line : lines) {
        rows.push_back({layer_passed(line.layers, count)});
        for (std::size_t i = 0; i < std::min(kLensWords, line.words.size()); ++i) {
            rows.back().push_back(probability_text(line.words[i].probability));
            rows.back().push_back(quoted_word(line.words[i].text));
            if (sides.size() < rows.back().size()) sides.insert(sides.end(), {Side::Right, Side::Left});
        }
    }
    return in_columns(rows, sides);
}

std::string ranks_table(const attn::LikelyWord& target, const std::vector<attn::LensRank>& ranks, attn::CountFrom count) {
    TextRows rows = {{"after layer", "probability", "rank"}};
    for (const attn::LensRank& at : ranks)
        rows.push_back({layer_passed(at.layers, count), probability_text(at.probability), std::to_string(at.rank)});
    return quoted_word(target.text) + " through the layers\n" + in_columns(rows, {Side::Right, Side::Right, Side::Right});
}

void write_ranks(attn::JsonWriter& out, const attn::LikelyWord& target, const std::vector<attn::LensRank>& ranks) {
    out.key("target");
    out.begin_object();
    out.key("id");
    out.integer(target.id);
    out.key("text");
    out.string(target.text);
    out.key("lens");
    out.begin_array();
    for (const attn::LensRank& at : ranks) {
        out.begin_object();
        out.key("layer");
        out.integer(at.layers);
        out.key("probability");
        out.number(at.probability);
        out.key("rank");
        out.integer(at.rank);
        out.end_object();
    }
    out.end_array();
    out.end_object();
}

void write_word(attn::JsonWriter& out, const attn::LikelyWord& word) {
    out.key("id");
    out.integer(word.id);
    out.key("text");
    out.string(word.text);
    out.key("probability");
    out.number(word.probability);
}

/// `logits`: theirs, or none where a form has them not.
void write_words(attn::JsonWriter& out, const std::vector<attn::LikelyWord>& words, const std::vector<float>& logits = {}) {
    out.key("words");
    out.begin_array();
    for (std::size_t i = 0; i < words.size(); ++i) {
        out.begin_object();
        write_word(out, words[i]);
        if (i < logits.size()) out.key("logit"), out.number(logits[i]);
        out.end_object();
    }
    out.end_array();
}

void write_lens(attn::JsonWriter& out, const std::vector<LensLine>& lines) {
    out.key("lens");
    out.begin_array();
    for (const LensLine& line : lines) {
        out.begin_object();
        out.key("layer");
        out.integer(line.layers);
        write_words(out, line.words);
        out.end_object();
    }
    out.end_array();
}

}  // namespace

attn::Error says_no_words(const attn::Run& run) {
    const attn::Step& last = run.trace.steps.back();
    return {fmt::format("there is no matrix from its outputs to words, so it says none; what it ends on is {}, {} × {} "
                        "(`attenscope trace`). "
                        "Of a checkpoint take the files with its language-model head; of a document set "
                        "\"unembedding\" or take the form "
                        "\"generate\"",
                        attn::step_name(last.tag), last.value.rows(), last.value.cols()),
            "", "unembedding", 0};
}

attn::Result<std::vector<attn::ExpectedAt>> requested_places(int at, const attn::Document& document, const attn::Run& run) {
    const auto rows = static_cast<int>(run.trace[attn::logits_step(run.trace)].value.rows());
    if (at > rows)
        return attn::Error{
            fmt::format("the text has {} places with words to choose among, and {} is none of them", rows, at),
            "--at", "", 0};
    if (at > 0) return std::vector<attn::ExpectedAt>{{at - 1, !attn::looks_back_only(run.config)}};
    auto places = attn::expected_places(document, run);
    if (places.empty() && attn::says_own_place(run.config))
        return attn::Error{
            "each row predicts the word at its own position from those before it; name the position with --at", "",
            "--at", 0};
    if (places.empty() && document.model && !attn::mask_word(document))
        return attn::Error{
            "its tokens see those after them, so it predicts the token at a position, and its vocabulary has no [MASK]; name the "
            "position with --at",
            "", "--at", 0};
    if (places.empty())
        return attn::Error{
            "its tokens see those after them, so it fills in words, and no token of the text is [MASK]; write [MASK] "
            "where one is wanted, or name the position with --at",
            "", "text", 0};
    return places;
}

attn::Error no_such_word(std::string_view text, const char* option) {
    return {fmt::format("the vocabulary has no token \"{}\"; `attenscope tokens` tells how a text is cut", attn::visible_text(text)), option, "", 0};
}

std::vector<Expectation> expectations(attn::Run& run, const std::vector<attn::ExpectedAt>& places, int top, bool lens,
                                      const std::optional<attn::LikelyWord>& target) {
    const attn::StepId logits = attn::logits_step(run.trace);
    std::vector<Expectation> out;
    for (const attn::ExpectedAt& place : places) {
        // The generating form has only the logits of its last token.
        const attn::Axis tokens = run.trace[logits].rows;
        Expectation one{
            tokens.first + place.row + 1, attn::axis_label(run.trace, tokens, place.row), place.masked, {}, {}, {}, target, {}};
        const bool whole = run.trace[logits].value.rows() > 1;
        const attn::StepId row =
            whole ? attn::slice_rows(run.trace, logits, place.row, 1, {attn::Role::LogitsTopK}) : logits;
        one.words = attn::likeliest(run.trace, attn::softmax(run.trace, row, 1, {attn::Role::Probabilities}), 0, top);
        for (const attn::LikelyWord& word : one.words) one.logits.push_back(run.trace[row].value(0, word.id));
        if (lens) {
            const std::vector<attn::LensReading> readings = attn::read_lens(run, place.row);
            for (const attn::LensReading& reading : readings)
                one.layers.push_back({reading.layers, attn::likeliest(run.trace, reading.shares, 0, top)});
            if (target) one.ranks = attn::ranks_in_lens(run.trace, readings, target->id);
        }
        out.push_back(std::move(one));
    }
    return out;
}

std::string expected_text(const std::vector<Expectation>& said, attn::CountFrom count) {
    std::string out;
    for (const Expectation& one : said) {
        if (!out.empty()) out += "\n";
        out += fmt::format("{} {} {}\n", one.masked ? "at" : "after", one.place, quoted_word(one.token)) +
               words_table(one.words);
        if (!one.layers.empty()) out += "\n" + lens_table(one.layers, count);
        if (one.target && !one.ranks.empty()) out += "\n" + ranks_table(*one.target, one.ranks, count);
    }
    return out;
}

std::string expected_json(const std::vector<Expectation>& said) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("expected");
    out.begin_array();
    for (const Expectation& one : said) {
        out.begin_object();
        out.key("place");
        out.integer(one.place);
        out.key("token");
        out.string(one.token);
        out.key("masked");
        out.boolean(one.masked);
        write_words(out, one.words, one.logits);
        if (!one.layers.empty()) write_lens(out, one.layers);
        if (one.target && !one.ranks.empty()) write_ranks(out, *one.target, one.ranks);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

std::string text_of(const attn::Document& document, const std::vector<attn::SampledWord>& words) {
    std::vector<int> ids;
    std::string out;
    const std::string_view between = document.tokenizer == "characters" ? "" : " ";
    for (const attn::SampledWord& one : words) {
        ids.push_back(one.word.id);
        out.append(out.empty() ? "" : between).append(one.word.text);
    }
    if (!document.model || !document.model->tokenizer) return out;
    return (document.model->writer ? document.model->writer : document.model->tokenizer)->decode(ids);
}

std::string sampled_text(const std::string& text, const std::vector<attn::SampledWord>& words) {
    TextRows rows = {{"", "probability", "drawn by", "id", "token"}};
    for (const attn::SampledWord& one : words)
        rows.push_back({std::to_string(rows.size()), probability_text(one.word.probability),
                        probability_text(one.drawn_by), std::to_string(one.word.id), quoted_word(one.word.text)});
    return quoted_word(text) + "\n" +
           in_columns(rows, {Side::Right, Side::Right, Side::Right, Side::Right, Side::Left});
}

std::string sampled_json(const std::string& text, const std::vector<attn::SampledWord>& words) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("text");
    out.string(text);
    out.key("words");
    out.begin_array();
    for (const attn::SampledWord& one : words) {
        out.begin_object();
        write_word(out, one.word);
        out.key("drawn_by");
        out.number(one.drawn_by);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

}  // namespace app
