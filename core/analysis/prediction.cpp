#include "core/analysis/prediction.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/attention/forms/decoder_row.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/patches.h"
#include "core/attention/parts/training.h"
#include "core/document/model_tokens.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

bool reads_of(const AttentionConfig& config, Reads what) { return has(find_form(config.form)->reads, what); }

/// Whether the token is the vocabulary's mask.
bool is_mask_word(const Document& doc, std::string_view token) {
    if (doc.model && doc.model->tokenizer)
        if (const auto id = doc.model->tokenizer->special_id("mask"))
            return doc.model->tokenizer->token_text(*id) == token;
    return token == "[MASK]" || token == "<mask>";
}

/// The step with this tag, or with the tag at time 0: forms that decode have a time.
StepId step_at_any_time(const Trace& trace, Tag tag) {
    if (const StepId id = find_id(trace, tag); id != kNoStep) return id;
    tag.time = 0;
    return find_id(trace, tag);
}

/// The sum after a layer, or its norm if sums are normalised.
StepId left_by(const Trace& trace, const form::Stack& s, int layer) {
    const Tag sum{Role::Residual, kNoHead, layer, kNoTime, s.feed};
    if (!s.order().norm_sum) return step_at_any_time(trace, sum);
    return step_at_any_time(trace, s.last(layer) ? Tag{Role::Output} : sum.as(Role::Normed));
}

/// The input of the first layer: the left operand of its first sum.
StepId read_first(const Trace& trace) {
    const StepId sum = step_at_any_time(trace, {Role::Residual, kNoHead, 0});
    return sum == kNoStep ? kNoStep : trace[sum].inputs[0];
}

}  // namespace

double share_of(const Eigen::Ref<const RowVector>& logits, int word) {
    const Eigen::ArrayXd own = logits.transpose().cast<double>().array();
    return std::exp(own(word) - own.maxCoeff()) / (own - own.maxCoeff()).exp().sum();
}

std::optional<LikelyWord> find_word(const Trace& trace, std::string_view text) {
    const auto at = [&](std::string_view word) -> std::optional<LikelyWord> {
        const auto found = std::find(trace.words.begin(), trace.words.end(), word);
        if (found == trace.words.end()) return std::nullopt;
        return LikelyWord{static_cast<int>(found - trace.words.begin()), *found, 0};
    };
    if (const auto behind_space = at(" " + std::string(text))) return behind_space;
    if (const auto alone = at(text)) return alone;
    int id = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (!whole || id < 0 || static_cast<std::size_t>(id) >= trace.words.size()) return std::nullopt;
    return LikelyWord{id, trace.words[static_cast<std::size_t>(id)], 0};
}

std::vector<LikelyWord> likeliest(const Trace& trace, StepId shares, int row, int count) {
    const RowVector all = trace[shares].value.one_row(row);
    std::vector<int> ids(static_cast<std::size_t>(all.size()));
    std::iota(ids.begin(), ids.end(), 0);
    const auto last = ids.begin() + std::min<std::ptrdiff_t>(count, std::ssize(ids));
    std::partial_sort(ids.begin(), last, ids.end(),
                      [&](int a, int b) { return all(a) != all(b) ? all(a) > all(b) : a < b; });
    std::vector<LikelyWord> out;
    for (auto id = ids.begin(); id != last; ++id)
        out.push_back({*id, axis_label(trace, trace[shares].cols, *id), all(*id)});
    return out;
}

bool looks_back_only(const AttentionConfig& config) {
    if (reads_of(config, Reads::Causal)) return true;
    const Mask* mask = find_mask(config.mask);
    return mask->causal || (!mask->global.empty() && find_mask(mask->global)->causal);
}

bool says_own_place(const AttentionConfig& config) { return reads_of(config, Reads::Unit); }

std::vector<ExpectedAt> expected_places(const Document& document, const Run& run) {
    if (has_patches(run.inputs)) return {{0, true}};  // the class token itself predicts the label
    if (looks_back_only(run.config)) return {{static_cast<int>(run.trace[logits_step(run.trace)].value.rows()) - 1}};
    std::vector<ExpectedAt> out;
    for (int i = 0; i < run.inputs.n(); ++i)
        if (is_mask_word(document, run.trace.tokens[static_cast<std::size_t>(i)])) out.push_back({i, true});
    return out;
}

Document for_prediction(Document document) {
    if (!reads_of(document.config, Reads::Generate)) return document;
    const AttentionConfig plain;
    document.config.generate = 1;
    document.config.choose = plain.choose;
    document.config.choose_temperature = plain.choose_temperature;
    document.config.choose_top_k = plain.choose_top_k;
    document.config.choose_top_p = plain.choose_top_p;
    return document;
}

StepId logits_step(const Trace& trace) { return step_at_any_time(trace, {Role::Logits}); }

Result<Document> going_on(Document document, const Sampling& how) {
    AttentionConfig& c = document.config;
    const bool speaks = reads_of(c, Reads::Words) || unembeddings().find(c.unembedding)->predicts;
    if (!reads_of(c, Reads::Generate)) {
        if (!reads_of(c, Reads::Blocks) || !speaks)
            return says_own_place(c) && speaks
                       ? Error{"each of its rows says the word at its own place, made of those before it, so it goes on with no text; "
                               "ask a place with --at, without --sample", "", "variant", 0}
                       : Error{"it has no matrix from its outputs to words, so no word can be drawn; take a model that says words", "",
                               "variant", 0};
        if (reads_of(c, Reads::Source))
            return Error{
                "its words depend on a second text, and no token is known that its own begins with; ask it for one word "
                "without --sample",
                "", "variant", 0};
        if (shows_picture(document))
            return Error{"it says which label a picture has, once; ask it without --sample", "", "picture", 0};
        if (!looks_back_only(c))
            return Error{
                "its tokens see those behind them, so it fills in words and adds none; put [MASK] into the text, "
                "without --sample",
                "", "mask", 0};
        c.form = "generate";
    }
    const AttentionConfig plain;
    c.generate = how.words;
    c.choose = how.draw ? "sample" : plain.choose;
    c.choose_temperature = how.draw ? how.temperature : plain.choose_temperature;
    c.choose_top_k = how.draw ? how.top_k : plain.choose_top_k;
    c.choose_top_p = how.draw ? how.top_p : plain.choose_top_p;
    c.draw_seed = how.seed;
    if (auto wrong = problems(document); !wrong.empty()) return wrong.front();
    return document;
}

std::vector<SampledWord> sampled_words(Trace& trace, int words) {
    std::vector<SampledWord> out;
    for (int time = 0; time < words; ++time) {
        const Tag tag{Role::Logits, kNoHead, kNoLayer, time};
        const StepId own =
            softmax(trace, find_id(trace, tag), 1, {Role::Probabilities, kNoHead, kNoLayer, time, Part::Words});
        const Step *choice = find(trace, tag.as(Role::Choice)), *drawn = find(trace, tag.as(Role::Probabilities));
        SampledWord one;
        one.word = likeliest(trace, find_id(trace, choice->tag), 0, 1).front();
        one.word.probability = trace[own].value(0, one.word.id);
        one.drawn_by = drawn->value(0, one.word.id);
        out.push_back(std::move(one));
    }
    return out;
}

bool says_words(const Document& doc) {
    const AttentionConfig& c = doc.config;
    if (doc.attention || (!reads_of(c, Reads::Blocks) && !says_own_place(c))) return false;
    return reads_of(c, Reads::Words) || unembeddings().find(c.unembedding)->predicts;
}

namespace {

/// The word chosen from a row of logits, at the time of its tag.
PredictionSteps taken_of(Trace& t, StepId logits, const Sampling& how, int time) {
    const Tag tag = t[logits].tag;
    PredictionSteps out;
    out.logits = logits;
    StepId selected = logits;
    if (how.draw && how.top_k > 0) selected = top_k(t, selected, how.top_k, tag.as(Role::LogitsTopK));
    if (how.draw && how.top_p < 1) selected = top_p(t, selected, how.top_p, tag.as(Role::LogitsTopP), how.temperature);
    out.shares = softmax(t, selected, how.draw ? how.temperature : 0, tag.as(Role::Probabilities));
    out.choice = draw(t, out.shares, 1, how.seed + static_cast<std::uint64_t>(time), tag.as(Role::Choice));
    out.own = softmax(t, out.logits, 1, {Role::Probabilities, kNoHead, kNoLayer, tag.time, Part::Words});
    return out;
}

SampledWord sampled_word(const Trace& t, const PredictionSteps& steps) {
    SampledWord out;
    out.word = likeliest(t, steps.choice, 0, 1).front();
    out.word.probability = t[steps.own].value(0, out.word.id);
    out.drawn_by = t[steps.shares].value(0, out.word.id);
    return out;
}

}  // namespace

PredictionSteps predict_at(Run& run, int row, const Sampling& how, int time) {
    Trace& t = run.trace;
    const StepId all = logits_step(t);
    // After the times of the run itself, because step names must be unique.
    return taken_of(t, slice_rows(t, all, row, 1, {Role::Logits, kNoHead, kNoLayer, t[all].tag.time + 1 + time}), how, time);
}

bool writes_of_source(const Document& doc) { return doc.model && reads_of(doc.config, Reads::Source) && reads_of(doc.config, Reads::Blocks) && says_words(doc); }

SampledWord predict_written(Run& run, const Sampling& how, int time) {
    const Trace& t = run.trace;
    return sampled_word(t, predict_at(run, static_cast<int>(t[logits_step(t)].value.rows()) - 1, how, time));
}

struct Writing::State {
    Run& run;
    Sampling how;
    form::DecoderCache cache;
    int time = 0;  ///< number of words chosen
    PredictionSteps last{};

    /// The logits after the word that was chosen last.
    StepId row() {
        Trace& t = run.trace;
        const auto place = static_cast<int>(t.tokens.size());
        t.tokens.push_back(likeliest(t, last.choice, 0, 1).front().text);
        const StepId vector = matmul(t, last.choice, words_of(t, run.inputs), {Role::NextEmbedding, kNoHead, kNoLayer, time});
        t.steps.back().rows = {Axis::Kind::Tokens, place};
        return form::decoder_row(t, run.inputs, run.config, cache, vector, place, time);
    }
};

Writing::Writing(Run& run, const Sampling& how) : state_(new State{run, how, form::decoder_cache(run.trace, run.config)}) {}
Writing::~Writing() = default;

bool Writing::suits(const AttentionConfig& config) { return form::goes_on(config); }

StepId Writing::logits() const { return state_->last.logits; }

SampledWord Writing::next() {
    State& s = *state_;
    Trace& t = s.run.trace;
    if (s.time == 0)
        s.last = predict_at(s.run, static_cast<int>(t[logits_step(t)].value.rows()) - 1, s.how, 0);
    else
        s.last = taken_of(t, s.row(), s.how, s.time);
    ++s.time;
    return sampled_word(t, s.last);
}

namespace {

/// A token's spelling in the vocabulary, by which explicitly given tokens are found.
std::string named(const Document& doc, int id) {
    const TokenizerModel* cutter = writing_tokenizer(doc);
    return cutter ? cutter->token(id) : doc.model->words[static_cast<std::size_t>(id)];
}

/// Gives its tokens explicitly.
void give_tokens(Document& doc) {
    if (!doc.tokens.empty()) return;
    doc.padding = 0;
    std::vector<std::string> tokens = tokens_of(doc);
    if (const auto ids = token_ids(doc, tokens))
        for (std::size_t i = 0; i < tokens.size(); ++i)
            if ((*ids)[i] >= 0) tokens[i] = named(doc, (*ids)[i]);
    doc.tokens = std::move(tokens);
}

/// Whether the word is from the model's vocabulary; otherwise the form predicts the words of its own texts.
bool is_of_model(const Document& doc, const LikelyWord& word) {
    const auto at = static_cast<std::size_t>(word.id);
    return doc.model && at < doc.model->words.size() && doc.model->words[at] == word.text;
}

/// What a token appends to a text, as its tokenizer writes it: " is", "s", "好".
std::string behind(const Document& doc, const std::vector<int>& ids, int id) {
    const TokenizerModel* cutter = writing_tokenizer(doc);
    std::vector<int> longer = ids;
    longer.push_back(id);
    const std::string before = cutter->decode(ids), after = cutter->decode(longer);
    return after.starts_with(before) ? after.substr(before.size()) : cutter->token_text(id);
}

std::string_view without_spaces(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

/// Takes the first of several texts that is tokenized into these tokens.
bool take_text(Document& doc, const std::vector<std::string>& texts, const std::vector<std::string>& tokens) {
    Document tried = doc;
    for (const std::string& text : texts) {
        tried.text = text;
        if (tokens_of(tried) != tokens) continue;
        doc.text = text;
        return true;
    }
    return false;
}

/// Given matrices and drawn masks fit only the previous tokens.
void drop_what_was_of_its_tokens(Document& doc) {
    for (const Given which : {Given::X, Given::X_source}) doc.given[static_cast<std::size_t>(which)].reset();
    doc.mask_pattern.resize(0, 0);
}

}  // namespace

bool ends_with(const Document& doc, const LikelyWord& word) {
    if (!doc.model) return false;
    const std::vector<int>& ends = doc.model->ends;
    if (!ends.empty()) return std::find(ends.begin(), ends.end(), word.id) != ends.end();
    return doc.model->training && (word.text == "." || word.text == "。");
}

Document with_written(Document doc, int id) {
    give_tokens(doc);
    doc.tokens.push_back(named(doc, id));
    return doc;
}

Document with_predicted(Document doc, const LikelyWord& next) {
    drop_what_was_of_its_tokens(doc);
    doc.padding = 0;
    const std::string& word = next.text;
    if (doc.tokens.empty()) {
        std::vector<std::string> tokens = tokens_of(doc);
        std::vector<std::string> texts;
        if (const auto ids = token_ids(doc, tokens)) texts.push_back(doc.text + behind(doc, *ids, next.id));
        if (!writing_tokenizer(doc)) texts.push_back(doc.text + word);
        texts.push_back(doc.text + (doc.text.empty() ? "" : " ") + std::string(without_spaces(word)));
        tokens.push_back(word);
        if (take_text(doc, texts, tokens)) return doc;
    }
    if (is_of_model(doc, next)) return with_written(std::move(doc), next.id);
    if (doc.tokens.empty()) doc.tokens = tokens_of(doc);
    doc.tokens.push_back(word);
    return doc;
}

Document with_replaced(Document doc, int row, const LikelyWord& by) {
    drop_what_was_of_its_tokens(doc);
    doc.padding = 0;
    const auto at = static_cast<std::size_t>(row);
    if (const TokenizerModel* cutter = writing_tokenizer(doc); cutter && doc.tokens.empty()) {
        std::vector<std::string> tokens = tokens_of(doc);
        const auto cut = cutter->encode(doc.text, !start_token(doc));
        if (cut && at < cut->size() && tokens.size() == cut->size() && (*cut)[at].end > (*cut)[at].begin) {
            const ModelToken& old = (*cut)[at];
            const std::string& word = by.text;
            const auto put = [&](std::string_view words) {
                return doc.text.substr(0, old.begin) + std::string(words) + doc.text.substr(old.end);
            };
            tokens[at] = word;
            if (take_text(doc, {put(word), put(without_spaces(word)), put(" " + std::string(without_spaces(word)))}, tokens)) return doc;
        }
    }
    if (is_of_model(doc, by)) give_tokens(doc);
    if (doc.tokens.empty()) doc.tokens = tokens_of(doc);
    if (at < doc.tokens.size()) doc.tokens[at] = is_of_model(doc, by) ? named(doc, by.id) : by.text;
    return doc;
}

std::optional<LikelyWord> mask_word(const Document& doc) {
    if (!doc.model) return std::nullopt;
    std::optional<int> id;
    if (const TokenizerModel* cutter = writing_tokenizer(doc)) id = cutter->special_id("mask");
    for (const std::string_view name : {"[MASK]", "<mask>"})
        if (!id) id = doc.model->row_of(name);
    if (!id || static_cast<std::size_t>(*id) >= doc.model->words.size()) return std::nullopt;
    return LikelyWord{*id, doc.model->words[static_cast<std::size_t>(*id)], 0};
}

namespace {

/// The prediction after `layers` layers for some rows of the logits, computed like the last layer's: probabilities of
/// words.
LensReading read_after(Run& run, int layers, int row, int rows, int time) {
    Trace& t = run.trace;
    form::Stack s{run.inputs, run.config};
    const Tag tag{Role::Logits, kNoHead, kNoLayer, time};
    const StepId left = layers == 0 ? read_first(t) : left_by(t, s, layers - 1);
    // The generating form has logits only of its last rows; of a picture the first rows are used.
    const bool labels = has_patches(run.inputs);
    const auto above = labels ? 0 : static_cast<int>(t[left].value.rows() - t[logits_step(t)].value.rows());
    s.result = {Role::Normed, kNoHead, kNoLayer, tag.time, Part::Final};
    const StepId state = slice_rows(t, left, above + row, labels ? form::rows_of_labels(run.inputs) : rows, tag.as(Role::State));
    const StepId logits = (labels ? form::label_logits : form::word_logits)(t, run.inputs, run.config, form::final_norm(t, s, state), tag);
    return {layers, logits, softmax(t, logits, 1, tag.as(Role::Probabilities))};
}

bool has_lens(const Run& run) {
    return logits_step(run.trace) != kNoStep && reads_of(run.config, Reads::Blocks) && read_first(run.trace) != kNoStep;
}

}  // namespace

std::vector<LensReading> read_lens(Run& run, int row) {
    if (!has_lens(run)) return {};
    // Each reading has its own time, after those of the run; the parameters it shares have none.
    const int first = run.trace[logits_step(run.trace)].tag.time + 1;
    std::vector<LensReading> out;
    for (int layers = 0; layers <= run.config.layers; ++layers) out.push_back(read_after(run, layers, row, 1, first + layers));
    return out;
}

std::vector<LensRank> ranks_in_lens(const Trace& trace, const std::vector<LensReading>& lens, int id) {
    std::vector<LensRank> out;
    for (const LensReading& course : lens) {
        const FrozenMatrix& all = trace[course.shares].value;
        const float own = all(0, id);
        int before = 0;
        for (int w = 0; w < static_cast<int>(all.cols()); ++w)
            if (all(0, w) > own || (all(0, w) == own && w < id)) ++before;
        out.push_back({course.layers, own, before + 1});
    }
    return out;
}

LensGrid lens_grid(const Run& run, int first, int rows, int top, const std::stop_token& stop) {
    if (!has_lens(run)) return {};
    LensGrid out{first, rows, run.config.layers, {}};
    const int time = run.trace[logits_step(run.trace)].tag.time + 1;
    for (int layers = 0; layers <= run.config.layers; ++layers) {
        if (stop.stop_requested()) return {};
        Run own = run;  // shares the run's values; what is added is released with it
        const LensReading course = read_after(own, layers, first, rows, time);
        for (int r = 0; r < rows; ++r) out.cells.push_back(likeliest(own.trace, course.shares, r, top));
    }
    return out;
}

}  // namespace attn
