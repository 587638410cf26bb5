// The engine's half of torch_side_by_side.py and torch_training.py, which start it and send one command per line:
// "run SHAPE TIMES": microseconds of one run, with every step recorded and retained.
// "peak": multiply-adds per nanosecond that one thread of this machine can do.
// "product": multiply-adds per nanosecond of a 256×768 by 768×768 product on one thread.
// "threads N": sets the number of threads.
// "train TIMES": microseconds of one training step of a language model of the shipped one's shape, on random tokens.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/kernels/multiply.h"
#include "core/kernels/widths.h"
#include "core/train/shipped/language.h"
#include "core/train/task_texts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace attn {
namespace {

Matrix random_matrix(int rows, int cols, float spread) {
    Random random(1);
    Matrix m(rows, cols);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = spread * static_cast<float>(random.uniform() - 0.5);
    return m;
}

Document attention(int n) {
    Document doc;
    doc.text.clear();
    doc.given[static_cast<std::size_t>(Given::X)] = random_matrix(n, 64, 1);
    doc.config.form = "multi_head";
    doc.config.heads = 4;
    doc.weights = "random";
    return doc;
}

/// Twelve blocks of GPT-2's shape: pre-norm, causal, GELU by tanh, weights given.
Document blocks(int n) {
    constexpr int kWidth = 768;
    Document doc;
    doc.text.clear();
    doc.given[static_cast<std::size_t>(Given::X)] = random_matrix(n, kWidth, 1);
    doc.config.form = "encoder";
    doc.config.layers = 12;
    doc.config.heads = 12;
    doc.config.mask = "causal";
    doc.config.block = "pre_norm";
    doc.config.activation = "gelu_tanh";
    const auto give = [&](Role role, int layer, int rows, int cols) {
        doc.parameters.push_back({{role, kNoHead, layer}, random_matrix(rows, cols, 0.06f)});
    };
    for (int layer = 0; layer < doc.config.layers; ++layer) {
        for (const Role role : {Role::QueryWeight, Role::KeyWeight, Role::ValueWeight, Role::OutputWeight})
            give(role, layer, kWidth, kWidth);
        give(Role::UpWeight, layer, kWidth, 4 * kWidth);
        give(Role::UpBias, layer, 1, 4 * kWidth);
        give(Role::DownWeight, layer, 4 * kWidth, kWidth);
        give(Role::DownBias, layer, 1, kWidth);
    }
    return doc;
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Shape {
    Document doc;
    Inputs inputs;
};

std::string timed_run(std::map<std::string, Shape>& shapes, const std::string& name, int times) {
    if (!shapes.count(name)) {
        const bool deep = name.starts_with("blocks");
        const int n = std::stoi(name.substr(name.find('/') + 1));
        Document doc = deep ? blocks(n) : attention(n);
        // A document cannot be saved with this many weights: they are passed to the engine separately.
        const std::vector<GivenParameter> weights = std::exchange(doc.parameters, {});
        const Result<Run> ready = run(doc);
        if (!ready) return "error: " + ready.error().text();
        shapes[name] = {doc, ready->inputs};
        shapes[name].inputs.parameters = weights;
    }
    const Shape& shape = shapes[name];
    const auto begin = Clock::now();
    for (int i = 0; i < times; ++i) run_attention(shape.inputs, shape.doc.config);
    return fmt::format("{:.3f}", seconds_since(begin) / times * 1e6);
}

/// A step: 32 examples of 64 tokens, forwards and backwards, clipped, AdamW.
std::string timed_training(int times) {
    static const std::unique_ptr<train::Trainer> kTrainer = [] {
        constexpr int kVocabulary = 4096;
        const train::TaskSize size{"usual", {"", ""}, 1000, 0.001f, 32, 128, 4, 4};
        train::FormTask task = train::language_form(size, kVocabulary, nullptr);
        task.drill = [](Random& random) {
            train::Drill out;
            for (int i = 0; i < train::kLanguageContext; ++i) {
                out.text.push_back(static_cast<int>(random.next() % kVocabulary));
                out.targets.push_back(static_cast<int>(random.next() % kVocabulary));
            }
            return out;
        };
        train::TaskOptions options{.seed = 1, .size = "usual", .steps = 1'000'000, .rate = 0.001f, .batch = 32};
        auto trainer = std::make_unique<train::Trainer>(train::form_course(task, options), threads());
        trainer->keep_snapshots(0);
        return trainer;
    }();
    const auto begin = Clock::now();
    for (int i = 0; i < times; ++i) kTrainer->step();
    return fmt::format("{:.3f}", seconds_since(begin) / times * 1e6);
}

// ---- the machine's peak: chains of fused multiply-adds in registers, as many as hide their latency ----

constexpr int kChains = 12, kTurns = 200'000;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float turn_avx512() {
    __m512 sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
    const __m512 by = _mm512_set1_ps(0.999f), plus = _mm512_set1_ps(0.001f);
    for (int t = 0; t < kTurns; ++t)
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], by, plus);
    float out = 0;
    for (int i = 0; i < kChains; ++i) out += _mm512_cvtss_f32(sums[i]);
    return out;
}

__attribute__((target("avx2,fma"))) float turn_avx2() {
    __m256 sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
    const __m256 by = _mm256_set1_ps(0.999f), plus = _mm256_set1_ps(0.001f);
    for (int t = 0; t < kTurns; ++t)
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], by, plus);
    float out = 0;
    for (int i = 0; i < kChains; ++i) out += _mm256_cvtss_f32(sums[i]);
    return out;
}
#endif

/// Multiply-adds per nanosecond with the chosen vector width; 0 where it has no such instruction.
double peak() {
#if defined(__x86_64__)
    if (vectors::chosen() == vectors::Width::Plain) return 0;
    const bool wide = vectors::chosen() == vectors::Width::Avx512;
    const auto begin = Clock::now();
    volatile float kept = wide ? turn_avx512() : turn_avx2();
    static_cast<void>(kept);
    return static_cast<double>(kChains) * kTurns * (wide ? 16 : 8) / seconds_since(begin) / 1e9;
#else
    return 0;
#endif
}

double product_rate() {
    static const Matrix a = random_matrix(256, 768, 1), b = random_matrix(768, 768, 1);
    const int before = threads();
    set_threads(1);
    const auto begin = Clock::now();
    const Matrix c = multiply(a, b);
    const double seconds = seconds_since(begin);
    set_threads(before);
    return c.size() == 0 ? 0 : 256.0 * 768 * 768 / seconds / 1e9;
}

std::string answer(std::map<std::string, Shape>& shapes, const std::string& line) {
    std::istringstream words(line);
    std::string word, shape;
    int number = 0;
    words >> word;
    if (word == "run" && words >> shape >> number) return timed_run(shapes, shape, number);
    if (word == "train" && words >> number) return timed_training(number);
    if (word == "threads" && words >> number) {
        set_threads(number);
        return std::string(vectors::width_id(vectors::chosen()));
    }
    if (word == "peak") return fmt::format("{:.3f}", peak());
    if (word == "product") return fmt::format("{:.3f}", product_rate());
    return "error: " + line;
}

}  // namespace
}  // namespace attn

int main() {
    attn::keep_freed_memory();  // as the program does
    std::map<std::string, attn::Shape> shapes;
    for (std::string line; std::getline(std::cin, line);) std::cout << attn::answer(shapes, line) << std::endl;
}
