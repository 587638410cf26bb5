#include "core/analysis/next_word.h"

#include <algorithm>
#include <numeric>

#include "core/document_pieces.h"
#include "core/model/model.h"
#include "core/parts/choices.h"
#include "core/parts/mask.h"
#include "core/tokenizers/tokenizer_model.h"
#include "core/variants/block.h"

namespace attn {
namespace {

bool reads_of(const AttentionConfig& config, Reads what) { return has(find_variant(config.variant)->uses, what); }

/// What the vocabulary calls the place of a hidden word.
bool is_mask_word(const Document& doc, std::string_view token) {
    if (doc.model && doc.model->tokenizer)
        if (const auto id = doc.model->tokenizer->special_id("mask"))
            return doc.model->tokenizer->piece_text(*id) == token;
    return token == "[MASK]" || token == "<mask>";
}

/// Of the first of two tags that has a step: forms that decode have a time.
StepId step_at_any_time(const Trace& trace, Tag tag) {
    if (const StepId id = find_id(trace, tag); id != kNoStep) return id;
    tag.time = 0;
    return find_id(trace, tag);
}

/// The sum that a layer leaves, or its norm where sums are normalised.
StepId left_by(const Trace& trace, const variant::Stack& s, int layer) {
    const Tag sum{Role::Residual, kNoHead, layer, kNoTime, s.feed};
    if (!s.order().norm_sum) return step_at_any_time(trace, sum);
    return step_at_any_time(trace, s.last(layer) ? Tag{Role::Output} : sum.as(Role::Normed));
}

/// What the first layer reads: the left of its first sum.
StepId read_first(const Trace& trace) {
    const StepId sum = step_at_any_time(trace, {Role::Residual, kNoHead, 0});
    return sum == kNoStep ? kNoStep : trace[sum].inputs[0];
}

}  // namespace

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

std::vector<ExpectedAt> expected_places(const Document& document, const Run& run) {
    if (looks_back_only(run.config)) return {{static_cast<int>(run.trace[logits_step(run.trace)].value.rows()) - 1}};
    std::vector<ExpectedAt> out;
    for (int i = 0; i < run.inputs.n(); ++i)
        if (is_mask_word(document, run.trace.tokens[static_cast<std::size_t>(i)])) out.push_back({i, true});
    return out;
}

Document asked_once(Document document) {
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
    const bool speaks = reads_of(c, Reads::Words) || unembeddings().find(c.unembedding)->asked;
    if (!reads_of(c, Reads::Generate)) {
        if (!reads_of(c, Reads::Blocks) || !speaks)
            return Error{
                "it has no matrix from its outputs to words, so no word can be drawn; take a model that says words", "",
                "variant", 0};
        if (reads_of(c, Reads::Source))
            return Error{
                "its words depend on a second text, and no token is known that its own begins with; ask it for one word "
                "without --sample",
                "", "variant", 0};
        if (!looks_back_only(c))
            return Error{
                "its tokens see those behind them, so it fills in words and adds none; put [MASK] into the text, "
                "without --sample",
                "", "mask", 0};
        c.variant = "generate";
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

bool writes_of_source(const Document& doc) { return start_token(doc).has_value(); }

SampledWord next_written(Run& run, const Sampling& how, int time) {
    Trace& t = run.trace;
    const Tag tag{Role::Logits, kNoHead, kNoLayer, time};
    const StepId all = logits_step(t);
    const StepId row = slice_rows(t, all, static_cast<int>(t[all].value.rows()) - 1, 1, tag);
    StepId kept = row;
    if (how.draw && how.top_k > 0) kept = top_k(t, kept, how.top_k, tag.as(Role::LogitsKept));
    if (how.draw && how.top_p < 1) kept = top_p(t, kept, how.top_p, tag.as(Role::LogitsLikely), how.temperature);
    const StepId shares = softmax(t, kept, how.draw ? how.temperature : 0, tag.as(Role::Probabilities));
    const StepId choice = draw(t, shares, 1, how.seed + static_cast<std::uint64_t>(time), tag.as(Role::Choice));
    const StepId own = softmax(t, row, 1, {Role::Probabilities, kNoHead, kNoLayer, time, Part::Words});
    SampledWord out;
    out.word = likeliest(t, choice, 0, 1).front();
    out.word.probability = t[own].value(0, out.word.id);
    out.drawn_by = t[shares].value(0, out.word.id);
    return out;
}

Document with_written(Document doc, int id) {
    const TokenizerModel* cutter = writing_tokenizer(doc);
    // By hand a piece is named as the vocabulary spells it.
    const auto named = [&](int of) { return cutter ? cutter->token(of) : doc.model->words[static_cast<std::size_t>(of)]; };
    if (doc.tokens.empty()) {
        std::vector<std::string> tokens = tokens_of(doc);
        if (const auto ids = piece_ids(doc, tokens))
            for (std::size_t i = 0; i < tokens.size(); ++i)
                if ((*ids)[i] >= 0) tokens[i] = named((*ids)[i]);
        doc.tokens = std::move(tokens);
    }
    doc.tokens.push_back(named(id));
    return doc;
}

std::vector<LensReading> read_lens(Run& run, int row) {
    Trace& t = run.trace;
    const StepId said = logits_step(t);
    if (said == kNoStep || !reads_of(run.config, Reads::Blocks) || read_first(t) == kNoStep) return {};
    // A time of its own for each reading, behind those of the run: the parameters that it shares have none.
    const int first = t[said].tag.time + 1;
    std::vector<LensReading> out;
    for (int layers = 0; layers <= run.config.layers; ++layers) {
        const Tag tag{Role::Logits, kNoHead, kNoLayer, first + layers};
        variant::Stack s{run.inputs, run.config};
        const StepId left = layers == 0 ? read_first(t) : left_by(t, s, layers - 1);
        // The form that generates has logits of its last rows alone.
        const auto above = static_cast<int>(t[left].value.rows() - t[said].value.rows());
        s.result = {Role::Normed, kNoHead, kNoLayer, tag.time, Part::Final};
        const StepId state = slice_rows(t, left, above + row, 1, tag.as(Role::State));
        const StepId logits = variant::word_logits(t, run.inputs, run.config, variant::final_norm(t, s, state), tag);
        out.push_back({layers, logits, softmax(t, logits, 1, tag.as(Role::Probabilities))});
    }
    return out;
}

}  // namespace attn
