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

constexpr int kMostSteps = 1'000'000, kMostThreads = 64, kMostSeeds = 100;
constexpr std::size_t kMostStateBytes = std::size_t{1} << 28;
constexpr std::string_view kStateFile = "state.safetensors";

struct TrainOptions {
    std::string task, folder;
    int seed = 0, seeds = 0, steps = 0, threads = 2;
    bool resume = false, force = false;
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

/// The model's files, and a document that shows it.
Exit finish(Streams& streams, const std::filesystem::path& folder, attn::Model model,
            const std::vector<train::Weight>& weights) {
    const attn::ModelFiles files = attn::model_files(model);
    attn::Document document;
    document.text = "the tired cat sat down";
    attn::take_model(document, std::make_shared<attn::Model>(std::move(model)));
    const std::pair<const char*, std::string> written[] = {
        {"model.safetensors", files.tensors},
        {"vocab.json", files.vocabulary},
        {"config.json", files.config},
        {"document.json", attn::document_to_json(document)},
    };
    for (const auto& [name, bytes] : written)
        if (const Exit exit = save(streams, folder / name, bytes); exit != Exit::Ok) return exit;
    const auto table = [&](train::Unseen unseen) {
        return train::figures_table(
            train::measure_questions(weights, train::kMeasureSeed, unseen, train::kMeasuredSentences, false));
    };
    return write_output(streams, "",
                        "On sentences with unseen words:\n" + table(train::Unseen::Words) +
                            "\nOn sentences of unseen shapes:\n" + table(train::Unseen::Shapes),
                        Content::Text);
}

/// Until it is finished or interrupted, with a line now and then.
void go_on(Streams& streams, train::Trainer& trainer, const Interrupt& interrupt) {
    const auto start = std::chrono::steady_clock::now();
    while (!trainer.finished() && !interrupt.requested()) {
        const train::StepReport report = trainer.step();
        const std::int64_t every = std::max<std::int64_t>(1, trainer.steps_planned() / 20);
        if (report.step % every != 0 && !trainer.finished()) continue;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        note(streams, fmt::format("step {} of {}  loss {:.4f}  right {:.1f} %  {:.1f} s", report.step,
                                  trainer.steps_planned(), report.loss, 100 * report.accuracy, seconds));
        streams.err.flush();
    }
}

/// A document beside the folder's files names the model so.
constexpr const char* kBeside = ".";

Exit run_one_seed(Streams& streams, const TrainOptions& options, const std::filesystem::path& folder) {
    const train::QuestionOptions asked = course_options(options);
    const Interrupt interrupt;  // before the threads begin
    train::Trainer trainer(train::questions_course(asked), options.threads);
    if (options.resume) {
        const auto bytes = attn::read_file(folder / kStateFile, kMostStateBytes);
        if (!bytes) return fail(streams, Exit::BadInput, bytes.error());
        if (const auto restored = trainer.restore(*bytes); !restored)
            return fail(streams, Exit::BadInput, restored.error());
    }
    go_on(streams, trainer, interrupt);
    if (const Exit exit = save(streams, folder / kStateFile, trainer.state()); exit != Exit::Ok) return exit;
    if (!trainer.finished()) {
        note(streams, fmt::format("stopped after step {}; `attenscope train {} -o {} --resume` goes on",
                                  trainer.steps_taken(), options.task, options.folder));
        return Exit::Failure;
    }
    return finish(streams, folder, train::questions_model(kBeside, asked, trainer.weights()), trainer.weights());
}

/// The seeds from the first on, one after the other; the one whose heads look best at what they were asked for stays.
Exit run_seeds(Streams& streams, TrainOptions options, const std::filesystem::path& folder) {
    const Interrupt interrupt;
    const int first = options.seed;
    std::vector<train::Weight> best_weights;
    train::QuestionOptions best;
    double most = -1;
    for (options.seed = first; options.seed < first + options.seeds; ++options.seed) {
        const train::QuestionOptions asked = course_options(options);
        train::Trainer trainer(train::questions_course(asked), options.threads);
        go_on(streams, trainer, interrupt);
        if (!trainer.finished()) {
            note(streams, fmt::format("stopped at seed {}; nothing is kept", options.seed));
            return Exit::Failure;
        }
        const double score = train::unseen_score(trainer.weights());
        const std::string line = fmt::format("seed {}: mean share on unseen words and shapes {:.4f}\n", options.seed, score);
        if (const Exit exit = write_output(streams, "", line, Content::Text); exit != Exit::Ok) return exit;
        if (score <= most) continue;
        most = score;
        best = asked;
        best_weights = trainer.weights();
    }
    const std::string stays = fmt::format("seed {} stays\n\n", best.seed);
    if (const Exit exit = write_output(streams, "", stays, Content::Text); exit != Exit::Ok) return exit;
    return finish(streams, folder, train::questions_model(kBeside, best, best_weights), best_weights);
}

Exit run_train(Streams& streams, const TrainOptions& options) {
    const std::filesystem::path folder = options.folder;
    // Hours of work stand in such files: a training that goes on replaces its own, another only when told to.
    for (const std::string_view file : {std::string_view("model.safetensors"), std::string_view("document.json"), kStateFile})
        if (const auto refused = refuse_output((folder / file).string(), options.force || options.resume))
            return fail(streams, Exit::Usage, *refused);
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) return fail(streams, Exit::Failure, attn::Error{problem.message(), options.folder, "", 0});
    return options.seeds > 0 ? run_seeds(streams, options, folder) : run_one_seed(streams, options, folder);
}

Runner declare_train(Parser& parser) {
    const auto options = std::make_shared<TrainOptions>();
    parser.add(
        {.name = "TASK", .help = "What is learned: questions.", .check = one_of({"questions"}), .required = true},
        options->task);
    parser.add({.name = "-o,--output",
                .value = "DIR",
                .help = "The folder for the model; made if it is not there.",
                .required = true},
               options->folder);
    parser.add({.name = "--seed",
                .value = "N",
                .help = "The seed of first weights and examples.",
                .check = whole_between(0, kMostSteps)},
               options->seed);
    parser.add({.name = "--best-of",
                .value = "N",
                .help = "Trains with N seeds, from --seed on, and keeps the one whose heads look most at what they "
                        "were asked for, on "
                        "sentences with unseen words and of unseen shapes.",
                .check = whole_between(1, kMostSeeds),
                .excludes = {"--resume"}},
               options->seeds);
    parser.add({.name = "--steps",
                .value = "N",
                .help = "Steps in place of the task's own number.",
                .check = whole_between(1, kMostSteps)},
               options->steps);
    parser.add({.name = "--threads",
                .value = "N",
                .help = "Threads; the result is the same with any number.",
                .check = whole_between(1, kMostThreads)},
               options->threads);
    parser.add({.name = "--resume", .help = "Goes on with a training that was stopped, with the same seed and steps."},
               options->resume);
    parser.add({.name = "--force", .help = "Replaces a model that is in DIR already."}, options->force);
    return [options](Streams& streams) { return run_train(streams, *options); };
}

}  // namespace

const Command kTrainCommand = {
    {
        .name = "train",
        .summary = "trains a layer of the program's own",
        .synopsis = " attenscope train [OPTIONS] TASK -o DIR",
        .description =
            R"(The task questions trains one layer of sixteen columns (the eight named meanings, and eight of position) with four heads over a small grammar of English and Chinese. Each head is asked a question of its own: which noun is this about; who does it, and what is it like; what does this word describe; which word came before. Only the answer is marked, never where a head looks. W_Q and W_K learn first, W_V and W_O after.

At the end the heads are measured on sentences with words, and of shapes, that no training sentence had: each head's share of weight on the right word beside chance, and how many of its questions are answered with the head and without it. A word without an answer is asked for itself; the column "resting" says how much of its weight lies on itself or on the first word.

The folder then holds config.json, vocab.json and model.safetensors, a model that documents can name (`attenscope model DIR` tells what is in it), and document.json, which opens in the program. The same seed gives the same bytes with any number of threads. Ctrl+C leaves state.safetensors behind, and --resume goes on as if nothing had happened.)",
        .examples = R"( attenscope train questions -o heads --seed 1
 attenscope train questions -o heads --seed 1 --resume
 attenscope heads/document.json
 attenscope train questions --best-of 5 --force -o assets/models/questions)",
    },
    declare_train,
};

}  // namespace app
