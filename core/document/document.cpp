#include "core/document/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/attention/parts/choices.h"
#include "core/attention/parts/scope.h"
#include "core/base/cancel.h"
#include "core/base/memory.h"
#include "core/base/progress.h"
#include "core/document/gradient_request.h"
#include "core/document/internal.h"
#include "core/document/intervene.h"
#include "core/document/model_tokens.h"
#include "core/document/origins.h"
#include "core/document/scene.h"
#include "core/document/take.h"
#include "core/kernels/multiply.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/given_picture.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "core/remake/remake.h"
#include "core/text/meaning.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kGivenCount> kGivenIds = {"X",   "X_source", "W_Q", "W_K", "W_V",
                                                                 "W_O", "b_Q",      "b_K", "b_V", "b_O"};

/// Eigen asserts equal shapes before it compares.
bool same(const Matrix& a, const Matrix& b) { return a.rows() == b.rows() && a.cols() == b.cols() && a == b; }

bool same(const std::optional<FrozenMatrix>& a, const std::optional<FrozenMatrix>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

bool same(const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b) {
    return a == b || (a && b && a->name == b->name && a->fingerprint == b->fingerprint);
}

bool same(const std::shared_ptr<const GivenAttention>& a, const std::shared_ptr<const GivenAttention>& b) {
    return a == b || (a && b && *a == *b);
}

bool same(const std::shared_ptr<const GivenPicture>& a, const std::shared_ptr<const GivenPicture>& b) {
    return a == b || (a && b && *a == *b);
}

bool same(const GivenParameter& a, const GivenParameter& b) { return a.tag == b.tag && same(a.value, b.value); }

bool reads(const Document& doc, Reads use) {
    const Form* form = find_form(doc.config.form);
    return form && has(form->reads, use);
}

/// Whether the words of the texts are inputs: something is predicted among them, or trained to say them.
bool reads_words(const Document& doc) {
    if (reads(doc, Reads::Blocks | Reads::Unit) && unembeddings().find(doc.config.unembedding)->predicts) return true;
    return reads(doc, Reads::Words) || (reads(doc, Reads::Target) && !doc.config.target.empty());
}

/// Padding is no word, so its vector is 0.
void clear_padding(const std::vector<std::string>& tokens, Matrix& x, std::vector<Source>& sources) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i] != kPadding) continue;
        x.row(static_cast<Eigen::Index>(i)).setZero();
        if (sources.size() == tokens.size()) sources[i] = Source::Formula;
    }
}

void add_scene(const Document& doc, Inputs& in) {
    const Scene scene = make_scene(doc.scene_seed);
    for (const SceneThing& thing : scene.things) in.things.emplace_back(thing.word);
    in.region_shares = scene_shares(scene);
}

/// Vectors are computed by steps of the run, from the pixel values of the patches.
void add_picture(const Document& doc, Inputs& in, bool numbers) {
    const PictureInput& how = *doc.model->picture;
    in.picture_model = doc.model;
    in.x = FrozenMatrix::of_shape(how.patches() + how.before, doc.model->width());
    in.pixels = numbers ? FrozenMatrix(patch_numbers(doc.picture->picture, how)) : FrozenMatrix::of_shape(how.patches(), how.numbers());
    in.x_sources = {Source::Model};
    in.features = doc.model->columns;
}

void add_vectors(const Document& doc, Inputs& in) {
    if (shows_picture(doc)) {
        if (doc.picture) add_picture(doc, in, true);
        return;
    }
    const VectorOrigin& origin = *vector_origins().find(doc.vectors);
    if (shows_scene(doc)) add_scene(doc, in);
    std::vector<std::string> names;
    if (origin.by_name) names = different({in.tokens, in.things.empty() ? in.source_tokens : in.things});
    if (origin.features) in.features = origin.features(doc, names);
    const auto fill = [&](Given which, const std::vector<std::string>& tokens, FrozenMatrix& x,
                          std::vector<Source>& sources) {
        if (const auto& given = doc.matrix(which)) {
            x = *given;
            sources = {Source::Given};
            return;
        }
        Matrix made = origin.make(doc, tokens, names, sources);
        clear_padding(tokens, made, sources);
        x = std::move(made);
    };
    fill(Given::X, in.tokens, in.x, in.x_sources);
    if (doc.matrix(Given::X)) in.features.clear();
    if (!in.things.empty()) {
        in.thing_vectors = origin.make(doc, in.things, names, in.thing_sources);
        in.source_x = multiply(in.region_shares, in.thing_vectors);
        in.source_x_sources = {Source::Scene};
        return;
    }
    if (reads(doc, Reads::Source)) fill(Given::X_source, in.source_tokens, in.source_x, in.source_x_sources);
}

/// The model whose whole vocabulary a prediction chooses from; null: it chooses from the words of the texts. It also
/// does so with a model that knows words by their meanings, so that any word can be the answer.
const Model* speaking_model(const Document& doc) {
    const bool own = vector_origins().find(doc.vectors)->of_model && !doc.matrix(Given::X) && !(doc.model && doc.model->other_words);
    return own && !trains_hard(doc) ? doc.model.get() : nullptr;
}

/// The words that a prediction chooses from, with their vectors: the model's vocabulary, or the words of both texts
/// without duplicates.
void add_words(const Document& doc, Inputs& in) {
    if (!reads_words(doc)) return;
    if (const Model* model = speaking_model(doc)) {
        in.words = SharedNames(std::shared_ptr<const std::vector<std::string>>(doc.model, &model->words));
        in.word_vectors = model->picture ? StepValue(FrozenMatrix::of_shape(model->embeddings.rows(), model->embeddings.cols())) : model->word_values();
        in.word_sources = {Source::Model};
        return;
    }
    in.words = different({in.tokens, in.things.empty() ? in.source_tokens : std::vector<std::string>{}});
    Matrix vectors(static_cast<Eigen::Index>(in.words.size()), in.x.cols());
    for (std::size_t w = 0; w < in.words.size(); ++w) {
        const auto at = std::find(in.tokens.begin(), in.tokens.end(), in.words[w]);
        const bool source = at == in.tokens.end();
        const auto row = source ? std::find(in.source_tokens.begin(), in.source_tokens.end(), in.words[w]) - in.source_tokens.begin()
                                : at - in.tokens.begin();
        const std::vector<Source>& from = source ? in.source_x_sources : in.x_sources;
        vectors.row(static_cast<Eigen::Index>(w)) = (source ? in.source_x : in.x).row(row);
        in.word_sources.push_back(from[std::min(from.size() - 1, static_cast<std::size_t>(row))]);
    }
    in.word_vectors = std::move(vectors);
}

/// Punctuation that a vocabulary of words lacks need not be reported.
bool is_punctuation(std::string_view token) {
    std::size_t at = 0;
    while (at < token.size()) {
        const CodePoint point = decode_utf8(token, at);
        if (kind_of(point.value) != CharKind::Punctuation) return false;
        at += point.length;
    }
    return true;
}

/// The unknown words of both texts, without duplicates. Punctuation means nothing in the table of meanings, so it is
/// skipped, unless the model has its own words: there it counts as a word.
std::vector<std::string> unknown_words(const Inputs& in) {
    std::vector<std::string> out;
    const bool marks_too = in.model && !in.model->other_words;
    const auto look = [&](const std::vector<std::string>& tokens, const std::vector<Source>& sources) {
        for (std::size_t i = 0; i < tokens.size() && sources.size() == tokens.size(); ++i)
            if (sources[i] == Source::Unknown && (marks_too || !is_punctuation(tokens[i])) &&
                std::find(out.begin(), out.end(), tokens[i]) == out.end())
                out.push_back(tokens[i]);
    };
    look(in.tokens, in.x_sources);
    look(in.source_tokens, in.source_x_sources);
    return out;
}

std::vector<std::vector<std::string>> close_words(const Document& doc, const std::vector<std::string>& unknown) {
    constexpr std::size_t kWords = 4, kCloseTo = 3;
    std::vector<std::vector<std::string>> out;
    if (!doc.model || !doc.model->other_words) return out;
    for (std::size_t i = 0; i < std::min(unknown.size(), kWords); ++i) out.push_back(closest_meaning_words(unknown[i], kCloseTo));
    return out;
}

Projection projection_of(const Document& doc, Given weight, Given bias, int rows, int cols, bool numbers) {
    Projection p;
    if (const auto& given = doc.matrix(weight)) {
        p.weight = *given;
        p.source = Source::Given;
    } else if (!numbers) {
        p.weight = FrozenMatrix::of_shape(rows, cols);
    } else {
        const WeightOrigin& origin = *weight_origins().find(doc.weights);
        p.weight = origin.make(doc, given_id(weight), rows, cols);
        p.source = origin.source;
    }
    if (const auto held = numbers ? held_matrix(doc, bias) : held_shape(doc, bias)) {
        p.bias = numbers ? RowVector(held->row(0)) : RowVector(RowVector::Zero(held->cols()));
        p.bias_source = doc.matrix(bias) ? Source::Given : Source::Model;
    }
    return p;
}

/// `numbers`: false for shapes only.
void add_projections(const Document& doc, Inputs& in, bool numbers) {
    const int d = in.d();
    const auto [queries, keys, values] = projection_widths(doc, d);
    // Query heads that share a key head make keys and values narrower; W_O reads all heads.
    const int heads = doc.config.heads, shared = doc.config.key_heads();
    in.query = projection_of(doc, Given::W_Q, Given::b_Q, d, queries, numbers);
    in.key = projection_of(doc, Given::W_K, Given::b_K, d, keys, numbers);
    in.value = projection_of(doc, Given::W_V, Given::b_V, d, values, numbers);
    const int joined = values / shared * heads;
    in.output = projection_of(doc, Given::W_O, Given::b_O, joined, doc.config.head_width > 0 ? d : joined, numbers);
}

int count_unused_edits(const Document& doc, const Trace& trace) {
    if (trace.steps.empty()) return static_cast<int>(doc.edits.size());
    return static_cast<int>(std::count_if(trace.edits.begin(), trace.edits.end(), [&](const Edit& edit) {
        const Step* step = find(trace, edit.tag);
        return !step || edit.row >= step->value.rows() || edit.col >= step->value.cols();
    }));
}

}  // namespace

std::string_view given_id(Given which) { return kGivenIds[static_cast<std::size_t>(which)]; }

ProjectionWidths projection_widths(const Document& doc, int d) {
    const std::optional<FrozenMatrix> w_q = held_shape(doc, Given::W_Q);
    const std::optional<FrozenMatrix> w_k = held_shape(doc, Given::W_K);
    const std::optional<FrozenMatrix> w_v = held_shape(doc, Given::W_V);
    const std::optional<FrozenMatrix> w_o = held_shape(doc, Given::W_O);
    const int heads = std::max(doc.config.heads, 1), shared = std::max(doc.config.key_heads(), 1);
    ProjectionWidths w;
    if (doc.config.head_width > 0) {
        const int one = doc.config.head_width;
        return {one * heads, one * shared, one * shared};
    }
    w.queries = static_cast<int>(w_q ? w_q->cols() : w_k ? w_k->cols() / shared * heads : d);
    w.keys = w.queries / heads * shared;
    w.values = static_cast<int>(w_v ? w_v->cols() : (w_o ? static_cast<int>(w_o->rows()) : d) / heads * shared);
    return w;
}

bool Document::operator==(const Document& o) const {
    return text == o.text && source == o.source && source_kind == o.source_kind && scene_seed == o.scene_seed && padding == o.padding && tokenizer == o.tokenizer &&
           tokens == o.tokens && vectors == o.vectors && vector_seed == o.vector_seed && width == o.width &&
           weights == o.weights && weight_seed == o.weight_seed && same(model, o.model) && same(attention, o.attention) && same(picture, o.picture) && config == o.config &&
           edits == o.edits && interventions == o.interventions && gradient == o.gradient &&
           same(mask_pattern, o.mask_pattern) &&
           std::equal(given.begin(), given.end(), o.given.begin(), [](const auto& a, const auto& b) { return same(a, b); }) &&
           std::equal(parameters.begin(), parameters.end(), o.parameters.begin(), o.parameters.end(),
                      [](const auto& a, const auto& b) { return same(a, b); });
}

std::vector<std::string> different(std::initializer_list<std::span<const std::string>> lists) {
    std::vector<std::string> out;
    std::set<std::string_view> seen;
    for (const auto list : lists)
        for (const std::string& one : list)
            if (seen.insert(one).second) out.push_back(one);
    return out;
}

Sizes sizes_of(const Document& doc) {
    const std::vector<std::string> tokens = tokens_of(doc), source = source_tokens_of(doc);
    Sizes s{static_cast<int>(tokens.size()), static_cast<int>(source.size()), 0, 0, 0};
    if (doc.attention) return s;
    std::vector<std::string> things;
    if (shows_scene(doc))
        for (const SceneThing& thing : make_scene(doc.scene_seed).things) things.emplace_back(thing.word);
    s.things = static_cast<int>(things.size());
    if (const Model* model = reads_words(doc) ? speaking_model(doc) : nullptr)
        s.words = static_cast<int>(model->words.size());
    else if (reads_words(doc))
        s.words = static_cast<int>(different({tokens, things.empty() ? source : std::vector<std::string>{}}).size());
    if (const auto& x = doc.matrix(Given::X)) {
        s.d = static_cast<int>(x->cols());
    } else {
        const VectorOrigin& origin = *vector_origins().find(doc.vectors);
        const auto names = origin.by_name ? different({tokens, things.empty() ? source : things}) : std::vector<std::string>{};
        s.d = origin.width(doc, static_cast<int>(names.size()));
    }
    return s;
}

namespace {

/// Parameters under the names of a run's steps. A single head has no number in its steps' names, so "score_weight.h1"
/// keeps its meaning when the number of heads becomes 1.
void take_parameters(const Document& doc, Inputs& in) {
    in.parameters = doc.parameters;
    if (doc.config.heads > 1) return;
    for (GivenParameter& given : in.parameters)
        if (given.tag.head == 0) given.tag.head = kNoHead;
}

void take_edits(const Document& doc, Inputs& in) {
    in.edits = doc.edits;
    if (doc.config.heads > 1) return;
    for (Edit& edit : in.edits)
        if (edit.tag.head == 0) edit.tag.head = kNoHead;
}

/// Of a model that reads a text's vector from one token's row.
int end_row_of(const Document& doc, std::span<const std::string> tokens) {
    if (!takes_model_vectors(doc) || !doc.model->text_end) return -1;
    auto ids = token_ids(doc, tokens);
    if (!ids) {  // tokens that the model's own tokenizer has not cut
        ids.emplace();
        for (const std::string& token : tokens) ids->push_back(doc.model->row_of(token).value_or(-1));
    }
    if (ids->empty()) return -1;
    const auto at = *doc.model->text_end == Model::kHighestToken ? std::max_element(ids->begin(), ids->end()) : std::find(ids->begin(), ids->end(), *doc.model->text_end);
    return at == ids->end() ? -1 : static_cast<int>(at - ids->begin());
}

/// Inputs with shapes only.
Inputs shapes_of(const Document& doc, const Sizes& s) {
    Inputs in;
    in.x = FrozenMatrix::of_shape(s.n, s.d);
    in.attention = doc.attention;
    in.source_x = FrozenMatrix::of_shape(s.m, s.d);
    in.word_vectors = FrozenMatrix::of_shape(s.words, s.d);
    in.things.resize(static_cast<std::size_t>(s.things));
    in.region_shares = FrozenMatrix::of_shape(s.m, s.things);
    in.thing_vectors = FrozenMatrix::of_shape(s.things, s.d);
    in.padding = doc.padding;
    in.segments = segments_of(doc, static_cast<std::size_t>(s.n));
    if (doc.model && doc.model->text_end) in.end_row = end_row_of(doc, tokens_of(doc));
    take_parameters(doc, in);  // shared, not copied: needed because a given bias adds a step
    if (shows_picture(doc) && doc.picture) add_picture(doc, in, false);
    if (takes_model_weights(doc)) in.model = doc.model;
    if (reads(doc, Reads::Projections)) add_projections(doc, in, false);
    return in;
}

bool takes_stored_weights(const Document& doc) { return doc.model && doc.model->stored && takes_model_weights(doc); }

/// Decides where the weights of a checkpoint are during its run. They are held as float32 if that takes no more than a
/// run may hold and the memory is free; otherwise they stay on disk, in their own type, and are read one matrix at a
/// time. Error: not even that fits.
Result<Done> place_weights(const Document& doc, Inputs& in) {
    if (!takes_stored_weights(doc)) return Done{};
    constexpr double kNumber = sizeof(float), kGigabyte = 1e9;
    const StoredWeights& stored = *doc.model->stored;
    const double weights = kNumber * static_cast<double>(stored.numbers_to_read());
    const double beside = std::max(0.0, cost_of(doc).held - kNumber * static_cast<double>(doc.model->numbers()));
    const std::optional<double> free = available_memory();
    in.weights_stay_on_disk = weights > most_held() || (free && weights + beside > *free);
    if (!in.weights_stay_on_disk || !free) return Done{};
    const double one = kNumber * static_cast<double>(stored.largest());
    if (one + beside <= *free) return Done{};
    return Error{fmt::format("a run of \"{}\" needs {:.1f} GB of memory: {:.1f} GB for the largest of its weights, which are computed with as "
                             "float32, and {:.1f} GB for what it holds of each layer; {:.1f} GB are free. Take a shorter text or a smaller "
                             "model, or end other programs",
                             visible(doc.model->name), (one + beside) / kGigabyte, one / kGigabyte, beside / kGigabyte, *free / kGigabyte),
                 "", "model", 0};
}

}  // namespace

std::optional<Eigen::Index> evict_from(const Document& doc) {
    const bool compared = doc.attention && doc.attention->is_compared();
    return compared || takes_stored_weights(doc) ? std::optional(kEvictFrom) : std::nullopt;
}

std::optional<Trace> shape_trace(const Document& doc) {
    const Inputs in = shapes_of(doc, sizes_of(doc));
    if (!can_run(in, doc)) return std::nullopt;
    return run_shapes(in, doc.config, [&doc] { return inputs_of(doc); }, evict_from(doc));
}

Cost cost_of(const Document& doc) {
    const std::optional<Trace> trace = shape_trace(doc);
    return trace ? with_gradient(doc, trace->shapes->sum) : Cost{};
}

bool is_blank(const Run& run, int token) {
    const Inputs& in = run.inputs;
    const auto at = static_cast<std::size_t>(token);
    if (token < 0 || at >= in.x_sources.size() || token >= in.x.rows() || in.x_sources[at] != Source::Unknown) return false;
    for (Eigen::Index c = 0; c < in.x.cols(); ++c)
        if (in.x(token, c) != 0) return false;
    return true;
}

bool is_altered(const Document& doc) { return !doc.edits.empty() || !doc.interventions.empty(); }

Document unaltered(Document doc) {
    doc.edits.clear();
    doc.interventions.clear();
    return doc;
}

double work_of(const Document& doc) {
    // Scores and weights of long captures are computed when they are looked at; the run only records how.
    if (doc.attention && doc.attention->is_compared()) {
        const AttentionStack& stack = doc.attention->stacks.front();
        if (Eigen::Index{stack.rows} * stack.cols >= kEvictFrom) return static_cast<double>(doc.attention->layers) * stack.heads;
    }
    return cost_of(doc).work;
}

Result<Run> run(const Document& doc, const std::stop_token& stop, std::optional<Eigen::Index> from, const OtherRuns& others) try {
    if (auto wrong = problems(doc); !wrong.empty()) return wrong.front();
    Run out;
    out.inputs = inputs_of(doc, &out.cut, &out.replaced);
    out.config = doc.config;
    out.unknown = unknown_words(out.inputs);
    out.close_to_unknown = close_words(doc, out.unknown);
    if (can_run(out.inputs, doc)) {
        if (auto placed = place_weights(doc, out.inputs); !placed) return placed.error();
        auto replacements = replacements_of(doc, stop, others);
        if (!replacements) return replacements.error();
        out.inputs.replacements = std::move(*replacements);
        expect_work(work_of(doc));
        const StoredWeights* const stored = takes_stored_weights(doc) ? doc.model->stored.get() : nullptr;
        const std::uint64_t unread = stored ? stored->failures() : 0;
        out.trace = run_attention(out.inputs, doc.config, stop, from ? from : evict_from(doc));
        if (stored && stored->failures() > unread) return stored->last_failure();
        if (!out.trace.refused.empty()) return out.trace.refused.front();
        out.no_gradient = !record_requested_gradient(doc, out.inputs, out.trace, stop);
    }
    out.growing_source = reads(doc, Reads::Generate) && find_scope(doc.config.scope)->predicted && doc.config.generate > 1;
    out.unused_edits = count_unused_edits(doc, out.trace);
    return out;
} catch (const Cancelled&) {
    return Error{"cancelled", "", "", 0};
} catch (const ModelUnreadable& problem) {
    return problem.error;
}

Inputs inputs_of(const Document& doc, bool* cut, int* replaced) {
    Inputs in;
    in.tokens = tokens_of(doc, cut, replaced);
    in.end_row = end_row_of(doc, in.tokens);
    in.source_tokens = source_tokens_of(doc);
    in.segments = segments_of(doc, in.tokens.size());
    if (doc.attention) {
        in.attention = doc.attention;
        in.x = Matrix(static_cast<Eigen::Index>(in.tokens.size()), 0);  // tokens without vectors
        take_parameters(doc, in);  // no step reads them, which is reported
        take_edits(doc, in);
        return in;
    }
    in.padding = doc.padding;
    add_vectors(doc, in);
    add_words(doc, in);
    if (reads(doc, Reads::Projections)) add_projections(doc, in, true);
    if (takes_model_weights(doc)) in.model = doc.model;
    in.random_weights = seeds_weights(doc);
    in.weight_seed = doc.weight_seed;
    take_parameters(doc, in);
    take_edits(doc, in);
    in.drawn_mask = doc.mask_pattern;
    return in;
}

bool can_run(const Inputs& in, const Document& doc) {
    return in.n() > 0 && (!reads(doc, Reads::Source) || in.source_x.rows() > 0);
}

}  // namespace attn
