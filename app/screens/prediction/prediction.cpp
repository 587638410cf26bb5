#include "app/screens/prediction/prediction.h"

#include <algorithm>
#include <cmath>

#include "app/state/edits.h"
#include "core/analysis/circuits.h"
#include "core/analysis/patching.h"
#include "core/document/model_tokens.h"
#include "core/document/take.h"
#include "core/model/model.h"

namespace app {
namespace {

/// More than fit into a window.
constexpr int kMostNextWords = 40, kLensWords = 5;
/// The number of rows that the lens reads: those before the selected position.
constexpr int kMostLensRows = 24;
/// The probabilities of all rows are computed for at most this many numbers.
constexpr Eigen::Index kMostGiven = Eigen::Index{1} << 25;
/// Neurons that are listed, and how many tokens are named for and against each.
constexpr int kMostNeurons = 40, kWordsOfNeuron = 4;

/// For each token its row in the vocabulary.
std::vector<int> ids_of(const attn::Document& document, const attn::Trace& trace) {
    if (const auto pieces = attn::token_ids(document, trace.tokens)) return *pieces;
    std::vector<int> out;
    for (const std::string& token : trace.tokens) {
        const auto row = document.model ? document.model->row_of(token) : std::nullopt;
        const auto word = std::find(trace.words.begin(), trace.words.end(), token);
        out.push_back(row ? *row : word == trace.words.end() ? -1 : static_cast<int>(word - trace.words.begin()));
    }
    return out;
}

int rank_in(const attn::Matrix& logits, Eigen::Index row, int id) {
    int before = 0;
    for (int w = 0; w < static_cast<int>(logits.cols()); ++w)
        before += logits(row, w) > logits(row, id) || (logits(row, w) == logits(row, id) && w < id);
    return before + 1;
}

void read_text(const attn::Run& run, const attn::Document& document, const PredictionLook& look, PredictionData& out,
               const std::stop_token& stop) {
    const attn::Step& said = run.trace[attn::logits_step(run.trace)];
    out.rows = static_cast<int>(said.value.rows());
    out.above = said.rows.first;
    out.vocabulary = static_cast<int>(said.value.cols());
    out.labels = attn::shows_picture(document);
    out.looks_back = !out.labels && attn::looks_back_only(run.config);
    out.own_place = !out.labels && !out.looks_back && attn::says_own_place(run.config);
    out.ids = ids_of(document, run.trace);
    // While the run of the document that was just opened is computed, the shown run is still the last one's, whose output
    // matrix may have fewer columns. A tokenizer may also know more tokens than its model.
    for (int& id : out.ids)
        if (id >= out.vocabulary) id = -1;
    out.written = look.written_of(out.ids);
    out.mask = out.looks_back || out.labels || out.own_place ? std::nullopt : attn::mask_word(document);
    out.given.clear();
    if ((!out.looks_back && !out.own_place) || said.value.size() > kMostGiven) return;
    const attn::Matrix& logits = said.value;
    out.given.resize(out.ids.size());
    const int ahead = out.own_place ? 0 : 1;  // offset from a row to the token that it predicts
    for (int row = 0; row + ahead < out.rows && !stop.stop_requested(); ++row) {
        const auto token = static_cast<std::size_t>(out.above + row + ahead);
        if (token >= out.ids.size() || out.ids[token] < 0) continue;
        out.given[token] = {static_cast<float>(attn::share_of(logits.row(row), out.ids[token])), rank_in(logits, row, out.ids[token])};
    }
}

/// The selected row: the chosen one, the one after the text, the last word's, or the first mask.
void choose_row(const attn::Run& run, const attn::Document& document, const PredictionLook& look, PredictionData& out) {
    out.masks.clear();
    out.row = out.labels ? 0 : out.rows - 1;
    if (out.labels) return;
    if (!out.looks_back && !out.own_place) {
        for (const attn::ExpectedAt& place : attn::expected_places(document, run)) out.masks.push_back(place.row);
        out.row = out.masks.empty() ? -1 : out.masks.front();
    }
    if (look.place >= 0 && look.place < out.rows) out.row = look.place;
    out.masked = std::find(out.masks.begin(), out.masks.end(), out.row) != out.masks.end();
}

PredictedToken word_at(const attn::Trace& t, const attn::PredictionSteps& steps, int id) {
    return {{id, attn::axis_label(t, t[steps.own].cols, id), t[steps.own].value(0, id)},
            t[steps.logits].value(0, id),
            t[steps.shares].value(0, id)};
}

void ask_words(const attn::Run& run, const PredictionLook& look, PredictionData& out) {
    attn::Run own = run;  // its values are shared; the added steps are discarded with it
    // Inside a text, too, the draw for the next token is shown, as if nothing followed.
    const attn::PredictionSteps steps = attn::predict_at(own, out.row, look.sampling(), out.written);
    const attn::Trace& t = own.trace;
    out.words.clear();
    for (const attn::LikelyWord& word : attn::likeliest(t, steps.own, 0, kMostNextWords))
        out.words.push_back(word_at(t, steps, word.id));
    out.taken = word_at(t, steps, attn::likeliest(t, steps.choice, 0, 1).front().id);
    out.entropy = 0;
    out.candidates = 0;
    for (Eigen::Index w = 0; w < t[steps.own].value.cols(); ++w) {
        const auto p = static_cast<double>(t[steps.own].value(0, w));
        if (p > 0) out.entropy -= p * std::log2(p);
        out.candidates += t[steps.shares].value(0, w) > 0;
    }
    out.actual.reset();
    const auto token = static_cast<std::size_t>(out.above + out.row + (out.looks_back ? 1 : 0));
    if (token >= out.ids.size() || out.ids[token] < 0 || out.masked) return;
    out.actual = word_at(t, steps, out.ids[token]);
    out.actual_rank = rank_in(t[steps.logits].value, 0, out.ids[token]);
}

attn::LikelyWord word_named(const attn::Run& run, int id) { return {id, attn::axis_label(run.trace, {attn::Axis::Kind::Words}, id), 0}; }

/// The token that is followed: the chosen one, or the model's answer.
void choose_target(const attn::Run& run, const PredictionLook& look, PredictionData& out) {
    const bool chosen = look.target >= 0 && look.target < out.vocabulary;
    out.target = chosen ? word_named(run, look.target) : out.words.front().word;
}

/// The prediction of the same row without the changes made by hand.
void read_before(const attn::Run& run, const attn::Run& before, PredictionData& out) {
    const attn::StepId now = attn::logits_step(run.trace), then = attn::logits_step(before.trace);
    if (then == attn::kNoStep || before.trace[then].value.rows() != out.rows || before.trace[then].value.cols() != out.vocabulary) return;
    const attn::RowVector row = before.trace[then].value.one_row(out.row);
    out.divergence = attn::kl_divergence(row, run.trace[now].value.one_row(out.row));
    for (PredictedToken& one : out.words) {
        one.logit_before = row(one.word.id);
        one.probability_before = static_cast<float>(attn::share_of(row, one.word.id));
    }
}

/// The token that the target is compared with: the chosen one, or the likeliest other one.
void choose_against(const attn::Run& run, const PredictionLook& look, PredictionData& out) {
    const auto other = std::find_if(out.words.begin(), out.words.end(), [&](const PredictedToken& one) { return one.word.id != out.target.id; });
    if (look.against >= 0 && look.against < out.vocabulary && look.against != out.target.id)
        out.against = word_named(run, look.against);
    else if (look.against != kNoOther && other != out.words.end())
        out.against = other->word;
}

void read_neurons(const attn::Run& run, const attn::Attribution& made, PredictionData& out) {
    const std::vector<attn::Neuron> neurons = attn::top_neurons(run.trace, made, kMostNeurons);
    const std::vector<attn::WordReading> readings = attn::neuron_words(run, neurons, kWordsOfNeuron);
    const auto named = [&](const std::vector<attn::WordNumber>& words) {
        std::vector<attn::LikelyWord> said;
        for (const attn::WordNumber& one : words) said.push_back(word_named(run, one.id));
        return said;
    };
    for (std::size_t i = 0; i < neurons.size(); ++i) {
        ReadNeuron one{neurons[i], {}, {}};
        if (i < readings.size()) {
            // A negative activation turns the row round.
            one.raises = named(one.neuron.activation < 0 ? readings[i].least : readings[i].most);
            one.lowers = named(one.neuron.activation < 0 ? readings[i].most : readings[i].least);
        }
        out.neurons.push_back(std::move(one));
    }
}

/// The contribution of each part of the model to the target's logit, or to its margin over another.
void read_parts(const attn::Run& run, const PredictionLook& look, PredictionData& out) {
    attn::AttributedWord word{.row = out.row, .target = out.target.id};
    if (out.against) word.against = out.against->id;
    const bool neurons = look.measure == kPartMeasures[3];
    auto made = attn::attribute(run, word, neurons);
    if (!made) {
        out.no_parts = made.error().message;
        return;
    }
    if (neurons) read_neurons(run, *made, out);
    if (look.measure == kPartMeasures[1]) made->parts = attn::gradient_times_value(run, *made);
    out.parts = lay_out_parts(std::move(*made));
}

void read_layers(const attn::Run& run, PredictionData& out, const std::stop_token& stop) {
    const int last = out.row, first = out.looks_back ? std::max(0, last + 1 - kMostLensRows)
                                                     : std::clamp(last - kMostLensRows / 2, 0, std::max(0, out.rows - kMostLensRows));
    const int rows = (out.looks_back ? last + 1 : std::min(out.rows, first + kMostLensRows)) - first;
    out.lens = attn::lens_grid(run, first, rows, kLensWords, stop);
    out.lens_row = out.row - first;
    if (out.lens.cells.empty()) return;
    attn::Run own = run;
    out.ranks = attn::ranks_in_lens(own.trace, attn::read_lens(own, out.row), out.target.id);
}

/// The last stack is the one that predicts words.
void read_stream(const attn::Run& run, PredictionData& out) {
    auto stacks = attn::residual_stacks(run);
    if (!stacks || stacks->empty()) return;
    out.stream = std::move(stacks->back());
    out.stream_row = std::clamp(out.above + out.row, 0, static_cast<int>(out.stream->points.front().norm.size()) - 1);
}

/// Of a file with a residual stream that is all that the screen shows: no words are predicted.
void read_given_stream(const attn::Run& run, const PredictionLook& look, PredictionData& out) {
    auto stacks = attn::residual_stacks(run);
    if (!stacks || stacks->empty()) return;
    out.stream = std::move(stacks->back());
    out.rows = static_cast<int>(out.stream->points.front().norm.size());
    out.row = out.stream_row = look.place >= 0 && look.place < out.rows ? look.place : out.rows - 1;
    out.looks_back = false;
    out.ids.assign(static_cast<std::size_t>(out.rows), -1);
}

}  // namespace

bool has_given_stream(const attn::Document& document) { return document.attention && !document.attention->streams.empty(); }

std::string_view prediction_page(std::string_view requested) {
    for (const std::string_view page : kPredictionPages)
        if (page == requested) return page;
    return kPredictionPages[0];
}

int PredictionLook::written_of(const std::vector<int>& ids) const {
    if (base.empty() || ids.size() <= base.size() || ids.size() > base.size() + written.size()) return 0;
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(base.size());
    const bool same = std::equal(ids.begin(), end, base.begin()) && std::equal(end, ids.end(), written.begin());
    return same ? static_cast<int>(ids.size() - base.size()) : 0;
}

void PredictionLook::write(const std::vector<int>& ids, int id) {
    const int before = written_of(ids);
    if (before == 0 && base != ids) base = ids;
    written.resize(static_cast<std::size_t>(before));
    written.push_back(id);
}

void make_prediction(const Computed& computed, const Computed* before, const attn::Document& document, const PredictionLook& look, PredictionData& out,
               const std::stop_token& stop) {
    const attn::Run& run = computed.run;
    const std::uint64_t generation = out.generation;
    out = {};
    out.generation = generation;
    if (has_given_stream(document)) return read_given_stream(run, look, out);
    if (attn::logits_step(run.trace) == attn::kNoStep || run.trace[attn::logits_step(run.trace)].value.size() == 0) return;
    read_text(run, document, look, out, stop);
    choose_row(run, document, look, out);
    if (out.row < 0 || stop.stop_requested()) return;
    ask_words(run, look, out);
    choose_target(run, look, out);
    if (before) read_before(run, before->run, out);
    const std::string_view page = prediction_page(look.page);
    if (page == "parts" || page == "interventions") choose_against(run, look, out);
    if (page == "lens") read_layers(run, out, stop);
    if (page == "parts") read_parts(run, look, out);
    if (page == "stream") read_stream(run, out);
    if (stop.stop_requested() || !out.looks_back) return;
    attn::Document longer = document;
    take_predicted(longer, out, out.taken.word);
    if (const auto wrong = attn::problems(longer); !wrong.empty()) out.refused = wrong.front().text();
}

void take_predicted(attn::Document& document, const PredictionData& data, const attn::LikelyWord& word) {
    document = data.looks_back ? attn::with_predicted(std::move(document), word)
                               : attn::with_replaced(std::move(document), data.row, word);
}

}  // namespace app
