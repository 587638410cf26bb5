// The engine's half of torch_checkpoint.py, which starts it and sends one command per line:
// "open DIR N": microseconds to open a checkpoint and run a text of N tokens, with nothing cached.
// "read DIR": microseconds to read its file once into memory that holds all of it, and once through a small buffer.
// "run N TIMES": microseconds of one run of another text, with values cached or recomputed on demand.
// "products N TIMES": microseconds of that run's matrix products alone, without the logits (computed on demand).
// "head N TIMES": microseconds to recompute one head's weights.
// "held N": bytes that the run holds, and bytes of all its values. "resident": the process's memory, now and at peak.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/kernels/multiply.h"
#include "core/model/model.h"
#include "core/ops/measure.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

using Clock = std::chrono::steady_clock;
double micros(Clock::time_point begin) { return std::chrono::duration<double, std::micro>(Clock::now() - begin).count(); }

struct Bench {
    Document doc;
    int turn = 0;
    std::shared_ptr<const Run> last;

    /// Another text of n words at each call.
    Document text(int n) {
        Document out = doc;
        out.text.clear();
        ++turn;
        for (int i = 0; i < n; ++i) out.text += fmt::format("{}w{}", i == 0 ? "" : " ", (i * 131 + turn * 7919 + i * i) % 50257);
        return out;
    }
    /// As in the window: the previous run stays until the next one is complete, and so do the model's numbers.
    const Run& made(int n) {
        auto out = run(text(n));
        if (!out) throw std::runtime_error(out.error().text());
        last = std::make_shared<const Run>(std::move(*out));
        return *last;
    }

    std::string open(const std::string& folder, int n) {
        doc = {};
        last.reset();
        const auto begin = Clock::now();
        auto model = find_model(folder, {.folders = true});
        if (!model) return "error: " + model.error().text();
        take_model(doc, std::move(*model));
        doc.tokenizer = "words";
        const double opened = micros(begin);
        made(n);
        return fmt::format("{:.1f} {:.1f}", opened, micros(begin));
    }
    static double read_file(const std::string& path, bool hold) {
        const auto begin = Clock::now();
        const int file = ::open(path.c_str(), O_RDONLY);
        const std::size_t size = hold ? std::filesystem::file_size(path) : std::size_t{16} << 20;
        const auto room = std::make_unique_for_overwrite<char[]>(size);
        for (std::size_t at = 0; at < size;) {
            const ssize_t count = ::read(file, room.get() + at, size - at);
            if (count <= 0) break;
            if (hold) at += static_cast<std::size_t>(count);
        }
        close(file);
        return micros(begin);
    }
    static std::string read(const std::string& folder) {
        const std::string path = folder + "/model.safetensors";
        const double held = read_file(path, true);
        return fmt::format("{:.1f} {:.1f}", held, read_file(path, false));
    }
    std::string timed_run(int n, int times) {
        const auto begin = Clock::now();
        for (int i = 0; i < times; ++i) made(n);
        return fmt::format("{:.1f}", micros(begin) / times);
    }
    std::string products(int n, int times) {
        const Run& of = made(n);
        std::vector<std::pair<Matrix, Matrix>> pairs;
        std::map<std::pair<Eigen::Index, Eigen::Index>, Matrix> shapes;
        // Weights are the model's own, read from memory each time; computed values become random ones of their shape.
        const auto like = [&](StepId id) -> const Matrix& {
            const StepValue& value = of.trace[id].value;
            if (of.trace[id].op == Op::Input) return value.matrix();
            Matrix& there = shapes[{value.rows(), value.cols()}];
            if (there.size() == 0) there = Matrix::Random(value.rows(), value.cols());
            return there;
        };
        std::vector<std::pair<const Matrix*, const Matrix*>> all;
        for (const Step& step : of.trace.steps)
            if (step.op == Op::MatMul && !notes_wait(step.value)) all.emplace_back(&like(step.inputs[0]), &like(step.inputs[1]));
        const auto begin = Clock::now();
        float kept = 0;
        for (int i = 0; i < times; ++i)
            for (const auto& [a, b] : all) kept += multiply(*a, *b)(0, 0);
        const double took = micros(begin) / times;
        return std::isnan(kept) ? "error: NaN" : fmt::format("{:.1f}", took);
    }
    std::string head(int n, int times) {
        const Run& of = made(n);
        const double before = memory_budget();
        set_memory_budget(1);  // only the value used last stays
        double sum = 0;
        for (int i = 0; i < times; ++i) {
            const PinScope pins;
            const Tag tag{Role::Weights, i % 12, (i * 5) % 12};
            const Step* step = find(of.trace, tag);
            if (!step) return "error: no such head";
            const auto begin = Clock::now();
            const float seen = step->value(n - 1, 0);
            sum += std::isnan(seen) ? 0 : micros(begin);
        }
        set_memory_budget(before);
        return fmt::format("{:.1f}", sum / times);
    }
    std::string held(int n) {
        const Run& of = made(n);
        double held = 0, all = 0, squares = 0;
        for (StepId id = 0; id < of.trace.size(); ++id) {
            const Step& step = of.trace[id];
            if (step.op == Op::Input) continue;
            const double bytes = cost(of.trace, id).bytes;
            all += bytes;
            held += step.value.recipe() ? 0 : bytes;
            squares += step.value.rows() == n && step.value.cols() == n ? bytes : 0;
        }
        return fmt::format("{:.0f} {:.0f} {:.0f}", held, all, squares);
    }
    static std::string resident() {
        std::ifstream file("/proc/self/statm");
        double pages = 0, now = 0;
        file >> pages >> now;
        rusage use{};
        getrusage(RUSAGE_SELF, &use);
        return fmt::format("{:.0f} {:.0f}", now * static_cast<double>(sysconf(_SC_PAGESIZE)), static_cast<double>(use.ru_maxrss) * 1024);
    }

    std::string answer(const std::string& line) {
        std::istringstream words(line);
        std::string word, folder;
        int n = 0, times = 1;
        words >> word;
        if (word == "threads" && words >> n) return set_threads(n), "ok";
        if (word == "open" && words >> folder >> n) return open(folder, n);
        if (word == "read" && words >> folder) return read(folder);
        if (word == "run" && words >> n >> times) return timed_run(n, times);
        if (word == "products" && words >> n) return words >> times, products(n, std::max(times, 1));
        if (word == "head" && words >> n >> times) return head(n, times);
        if (word == "held" && words >> n) return held(n);
        if (word == "budget" && words >> n) return set_memory_budget(static_cast<double>(n) * (1 << 20)), "ok";
        if (word == "resident") return resident();
        return "error: " + line;
    }
};

}  // namespace
}  // namespace attn

int main() {
    attn::keep_freed_memory();  // as the program does
    attn::Bench bench;
    for (std::string line; std::getline(std::cin, line);) {
        std::string said;
        try {
            said = bench.answer(line);
        } catch (const std::exception& problem) {
            said = std::string("error: ") + problem.what();
        }
        std::cout << said << std::endl;
    }
}
