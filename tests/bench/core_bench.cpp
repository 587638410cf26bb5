// The engine's running times, with every step recorded and retained. Run a Release build: build/tests/core_bench.
#include <benchmark/benchmark.h>

#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/ops/explain.h"

namespace attn {
namespace {

constexpr int kWidth = 64;
constexpr int kHeads = 4;
constexpr int kSentenceWidth = 8;

Matrix random_matrix(int rows, int cols) {
    Random random(1);
    Matrix m(rows, cols);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = random.normal();
    return m;
}

/// n tokens of `width` numbers; multi_head: seeded weights, 4 heads.
Document document_of(int n, std::string_view form, std::string_view mask, int width = kWidth) {
    Document doc;
    doc.text.clear();
    doc.given[static_cast<std::size_t>(Given::X)] = random_matrix(n, width);
    doc.config.form = form;
    doc.config.mask = mask;
    if (has(find_form(form)->reads, Reads::Heads)) {
        doc.config.heads = kHeads;
        doc.weights = "random";
    }
    return doc;
}

void run_document(benchmark::State& state, const Document& doc) {
    const Result<Run> ready = run(doc);
    if (!ready) return state.SkipWithError(ready.error().text().c_str());
    for (auto _ : state) {
        const Trace trace = run_attention(ready->inputs, doc.config);
        benchmark::DoNotOptimize(trace.steps.data());
    }
    state.counters["multiply_adds/s"] = benchmark::Counter(cost_of(doc).multiply_adds,
                                                           benchmark::Counter::kIsIterationInvariantRate);
}

void attend(benchmark::State& state, std::string_view form, std::string_view mask, int width = kWidth) {
    run_document(state, document_of(static_cast<int>(state.range(0)), form, mask, width));
}

void multi_head(benchmark::State& state) { attend(state, "multi_head", "none"); }
void multi_head_causal(benchmark::State& state) { attend(state, "multi_head", "causal"); }
void raw(benchmark::State& state) { attend(state, "raw", "none"); }
/// The size of a typed sentence: 8 features per token.
void multi_head_sentence(benchmark::State& state) { attend(state, "multi_head", "none", kSentenceWidth); }
BENCHMARK(multi_head_sentence)->Arg(4)->Arg(8)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK(multi_head)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(multi_head_causal)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(raw)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

/// Gives the weights that a run would seed: seeding 50,000 numbers takes longer than computing a block.
void give_weights(Document& doc) {
    const Result<Run> seeded = run(doc);
    for (const Step& step : seeded->trace.steps)
        if (step.op == Op::Input && step.tag.layer != kNoLayer) doc.parameters.push_back({step.tag, step.value});
}

/// One block: attention, feed-forward layer of four times the width, two norms.
void encoder(benchmark::State& state, std::string_view activation, bool given) {
    Document doc = document_of(static_cast<int>(state.range(0)), "encoder", "none");
    doc.config.activation = activation;
    if (given) give_weights(doc);
    run_document(state, doc);
}
BENCHMARK_CAPTURE(encoder, relu, "relu", true)->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encoder, relu_seeded, "relu", false)->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encoder, gelu, "gelu", true)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encoder, gelu_tanh, "gelu_tanh", true)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encoder, swiglu, "swiglu", true)->Arg(64)->Unit(benchmark::kMicrosecond);

/// A text of the given number of tokens, and 16 generated tokens with the cache, through two blocks.
void generate(benchmark::State& state) {
    Document doc = document_of(static_cast<int>(state.range(0)), "generate", "none");
    doc.config.layers = 2;
    doc.config.generate = 16;
    run_document(state, doc);
}
BENCHMARK(generate)->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond);

/// 16 keys per tile.
void online(benchmark::State& state) {
    Document doc = document_of(static_cast<int>(state.range(0)), "online", "none");
    doc.config.tile = 16;
    run_document(state, doc);
}
BENCHMARK(online)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

void linear(benchmark::State& state) { attend(state, "linear", "none"); }
void linear_causal(benchmark::State& state) { attend(state, "linear", "causal"); }
BENCHMARK(linear)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(linear_causal)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

/// From the document to the trace, including tokens, vectors, weights and checks.
void whole_document(benchmark::State& state) {
    Document doc = document_of(static_cast<int>(state.range(0)), "multi_head", "causal");
    for (auto _ : state) benchmark::DoNotOptimize(run(doc).ok());
}
BENCHMARK(whole_document)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

void explain_one_cell(benchmark::State& state, std::string_view step) {
    const Result<Run> ready = run(document_of(64, "multi_head", "causal"));
    const StepId id = find_step(ready->trace, step);
    for (auto _ : state) {
        const Explanation e = explain(ready->trace, {id, 40, 3});
        benchmark::DoNotOptimize(recompute(ready->trace, e));
    }
}
BENCHMARK_CAPTURE(explain_one_cell, weights, "weights.h2")->Unit(benchmark::kNanosecond);
BENCHMARK_CAPTURE(explain_one_cell, output, "output")->Unit(benchmark::kNanosecond);

void parse_document(benchmark::State& state) {
    const std::string json = document_to_json(document_of(static_cast<int>(state.range(0)), "multi_head", "causal"));
    for (auto _ : state) benchmark::DoNotOptimize(document_from_json(json, "bench.json").ok());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(json.size()));
}
BENCHMARK(parse_document)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace attn
