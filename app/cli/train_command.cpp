#include "app/cli/train_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <ostream>

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "core/document_fields.h"
#include "core/io/files.h"
#include "core/train/questions_model.h"

namespace app {
namespace {

namespace train = attn::train;

constexpr int kMostSteps = 1'000'000, kMostThreads = 64;
constexpr std::size_t kMostStateBytes = std::size_t{1} << 28;
constexpr std::uint64_t kMeasureSeed = 99;
constexpr int kMeasured = 600;  // sentences
constexpr std::string_view kStateFile = "state.safetensors";

struct TrainOptions {
    std::string task, folder;
    int seed = 0, steps = 0, threads = 2;
    bool resume = false;
};

/// The two stretches of the questions' course, kept in proportion where another number of steps is asked for.
train::QuestionOptions course_options(const TrainOptions& options) {
    train::QuestionOptions out;
    out.seed = static_cast<std::uint64_t>(options.seed);
    if (options.steps > 0) {
        const int all = out.first_steps + out.second_steps;
        out.second_steps = options.steps * out.second_steps / all;
        out.first_steps = options.steps - out.second_steps;
    }
    return out;
}

Exit save(Streams& streams, const std::filesystem::path& path, const std::string& bytes) {
    const auto written = attn::atomic_write(path, bytes);
    return written ? Exit::Ok : fail(streams, Exit::Failure, written.error());
}

std::vector<std::string> example_sentence() { return {"the", "tired", "cat", "sat", "down"}; }

Exit finish(Streams& streams, const std::filesystem::path& folder, const train::Trainer& trainer, const train::QuestionOptions& asked) {
    const auto measured = [&](train::Unseen unseen) {
        return train::measure_questions(trainer.weights(), kMeasureSeed, unseen, kMeasured, false);
    };
    const train::HeadFigures words = measured(train::Unseen::Words), shapes = measured(train::Unseen::Shapes);
    const attn::Document document = train::questions_document(trainer.weights(), example_sentence());
    const std::pair<const char*, std::string> files[] = {
        {"model.safetensors", train::questions_tensors(trainer.weights())},
        {"config.json", train::questions_config(asked, words, shapes)},
        {"document.json", attn::document_to_json(document)},
    };
    for (const auto& [name, bytes] : files)
        if (const Exit exit = save(streams, folder / name, bytes); exit != Exit::Ok) return exit;
    streams.out << "On sentences with unseen words:\n" << train::figures_table(words);
    streams.out << "\nOn sentences of unseen shapes:\n" << train::figures_table(shapes);
    return Exit::Ok;
}

Exit run_train(Streams& streams, const TrainOptions& options) {
    const std::filesystem::path folder = options.folder;
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) return fail(streams, Exit::Failure, attn::Error{problem.message(), options.folder, "", 0});
    const train::QuestionOptions asked = course_options(options);
    const Interrupt interrupt;  // before the threads begin
    train::Trainer trainer(train::questions_course(asked), options.threads);
    if (options.resume) {
        const auto bytes = attn::read_file(folder / kStateFile, kMostStateBytes);
        if (!bytes) return fail(streams, Exit::BadInput, bytes.error());
        if (const auto restored = trainer.restore(*bytes); !restored) return fail(streams, Exit::BadInput, restored.error());
    }
    const auto start = std::chrono::steady_clock::now();
    while (!trainer.finished() && !interrupt.requested()) {
        const train::StepReport report = trainer.step();
        const std::int64_t every = std::max<std::int64_t>(1, trainer.steps_planned() / 20);
        if (report.step % every != 0 && !trainer.finished()) continue;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        streams.err << fmt::format("step {} of {}  loss {:.4f}  right {:.1f} %  {:.1f} s\n", report.step, trainer.steps_planned(),
                                   report.loss, 100 * report.accuracy, seconds);
    }
    if (const Exit exit = save(streams, folder / kStateFile, trainer.state()); exit != Exit::Ok) return exit;
    if (!trainer.finished()) {
        note(streams, fmt::format("stopped after step {}; `attenscope train {} -o {} --resume` goes on", trainer.steps_taken(),
                                  options.task, options.folder));
        return Exit::Failure;
    }
    return finish(streams, folder, trainer, asked);
}

Runner declare_train(Parser& parser) {
    const auto options = std::make_shared<TrainOptions>();
    parser.add({.name = "TASK", .help = "What is learned: questions.", .check = one_of({"questions"}), .required = true}, options->task);
    parser.add({.name = "-o,--output", .value = "DIR", .help = "The folder for the model; made if it is not there.", .required = true},
               options->folder);
    parser.add({.name = "--seed", .value = "N", .help = "The seed of first weights and examples.", .check = whole_between(0, kMostSteps)},
               options->seed);
    parser.add({.name = "--steps", .value = "N", .help = "Steps in place of the task's own number.", .check = whole_between(1, kMostSteps)},
               options->steps);
    parser.add({.name = "--threads", .value = "N", .help = "Threads; the result is the same with any number.",
                .check = whole_between(1, kMostThreads)},
               options->threads);
    parser.add({.name = "--resume", .help = "Goes on with a training that was stopped, with the same seed and steps."}, options->resume);
    return [options](Streams& streams) { return run_train(streams, *options); };
}

}  // namespace

const Command kTrainCommand = {
    {
        .name = "train",
        .summary = "trains a layer of the program's own",
        .synopsis = " attenscope train TASK -o DIR [--seed N] [--steps N] [--threads N] [--resume]",
        .description =
            R"(The task questions trains one layer of sixteen columns (the eight named meanings, and eight of position) with four heads over a small grammar of English and Chinese. Each head is asked a question of its own: which noun is this about; who does it, and what is it like; what does this word describe; which word came before. Only the answer is marked, never where a head looks. W_Q and W_K learn first, W_V and W_O after.

At the end the heads are measured on sentences with words, and of shapes, that no training sentence had: each head's share of weight on the right word beside chance, and how many of its questions are answered with the head and without it. A word without an answer is asked for itself; the column "resting" says how much of its weight lies on itself or on the first word.

The folder then holds config.json, model.safetensors and document.json, which opens in the program. The same seed gives the same bytes with any number of threads. Ctrl+C leaves state.safetensors behind, and --resume goes on as if nothing had happened.)",
        .examples = R"( attenscope train questions -o heads --seed 1
 attenscope train questions -o heads --seed 1 --resume
 attenscope heads/document.json)",
    },
    declare_train,
};

}  // namespace app
