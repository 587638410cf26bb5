#include "app/cli/train_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/train_beside.h"
#include "app/shell/interrupt.h"
#include "core/document/fields.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/files/model_files.h"
#include "core/train/task_texts.h"
#include "core/train/variations.h"

namespace app {
namespace {

namespace train = attn::train;

constexpr int kMostSteps = 1'000'000, kMostThreads = 64, kMostSeeds = 100;
constexpr std::size_t kMostStateBytes = std::size_t{1} << 28;
constexpr std::string_view kStateFile = "state.safetensors";
/// A document next to the folder's files refers to the model like this.
constexpr const char* kHere = ".";

struct TrainOptions {
    std::string task, size, folder, beside;
    int seed = 0, seeds = 0, steps = 0, threads = 2;
    bool resume = false, force = false, half = false;
};

const train::Task& task_of(const TrainOptions& options) { return *train::find_task(options.task); }

train::TaskOptions course_options(const TrainOptions& options) {
    train::TaskOptions out;
    out.seed = static_cast<std::uint64_t>(options.seed);
    out.size = options.size;
    out.steps = options.steps;
    return train::complete(task_of(options), out);
}

Exit save(Streams& streams, const std::filesystem::path& path, const std::string& bytes) {
    const auto written = attn::atomic_write(path, bytes);
    return written ? Exit::Ok : fail(streams, Exit::Failure, written.error());
}

/// Writes the model's files, and a document that shows it.
Exit write_folder(Streams& streams, const std::filesystem::path& folder, const TrainOptions& options,
                  const train::TaskOptions& task_options, std::vector<train::Weight>& weights) {
    const train::Task& task = task_of(options);
    const attn::TensorNumbers numbers = options.half ? attn::TensorNumbers::F16 : attn::TensorNumbers::F32;
    auto model = std::make_shared<attn::Model>(task.model(kHere, task_options, weights));
    if (options.half) {  // measure the numbers as they are written
        const auto rounded = attn::read_model(attn::model_files(*model, numbers));
        if (!rounded) return fail(streams, Exit::Failure, rounded.error());
        auto rounded_weights = task.weights(**rounded);
        if (!rounded_weights) return fail(streams, Exit::Failure, rounded_weights.error());
        weights = std::move(*rounded_weights);
        *model = task.model(kHere, task_options, weights);
    }
    const attn::ModelFiles files = attn::model_files(*model, numbers);
    const attn::Document document = train::task_document(task.examples.front(), std::move(model));
    if (const auto written = attn::write_model_folder(folder, files); !written) return fail(streams, Exit::Failure, written.error());
    return save(streams, folder / "document.json", attn::document_to_json(document));
}

/// Writes the folder, and what was measured.
Exit finish(Streams& streams, const std::filesystem::path& folder, const TrainOptions& options,
            const train::TaskOptions& task_options, std::vector<train::Weight> weights) {
    if (const Exit exit = write_folder(streams, folder, options, task_options, weights); exit != Exit::Ok) return exit;
    return write_output(streams, "", task_of(options).table(task_options, weights), Content::Text);
}

/// Trains until finished or interrupted, printing a line now and then.
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

Exit run_one_seed(Streams& streams, const TrainOptions& options, const std::filesystem::path& folder) {
    const train::TaskOptions task_options = course_options(options);
    const Interrupt interrupt;  // before any thread starts
    train::Trainer trainer(task_of(options).course(task_options), options.threads);
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
    return finish(streams, folder, options, task_options, trainer.weights());
}

/// Trains with several seeds in turn, beginning with the first; keeps the one whose heads do best on their questions.
Exit run_seeds(Streams& streams, TrainOptions options, const std::filesystem::path& folder) {
    const Interrupt interrupt;
    const int first = options.seed;
    std::vector<train::Weight> best_weights;
    train::TaskOptions best;
    double most = -1;
    for (options.seed = first; options.seed < first + options.seeds; ++options.seed) {
        const train::TaskOptions task_options = course_options(options);
        train::Trainer trainer(task_of(options).course(task_options), options.threads);
        go_on(streams, trainer, interrupt);
        if (!trainer.finished()) {
            note(streams, fmt::format("stopped at seed {}; nothing is saved", options.seed));
            return Exit::Failure;
        }
        const double score = task_of(options).measure(task_options, trainer.weights(), 0).score;
        const std::string line = fmt::format("seed {}: score on unseen examples {:.4f}\n", options.seed, score);
        if (const Exit exit = write_output(streams, "", line, Content::Text); exit != Exit::Ok) return exit;
        if (score <= most) continue;
        most = score;
        best = task_options;
        best_weights = trainer.weights();
    }
    const std::string stays = fmt::format("seed {} stays\n\n", best.seed);
    if (const Exit exit = write_output(streams, "", stays, Content::Text); exit != Exit::Ok) return exit;
    return finish(streams, folder, options, best, best_weights);
}

/// Each task has its own sizes.
std::optional<std::string> refuse_size(const TrainOptions& options) {
    const train::Task& task = task_of(options);
    if (train::size_of(task, {.seed = 0, .size = options.size})) return std::nullopt;
    std::vector<std::string_view> sizes;
    for (const train::TaskSize& size : task.sizes) sizes.push_back(size.id);
    return fmt::format("the task {} has no size \"{}\"; it has {}", task.id, attn::visible_text(options.size),
                       fmt::join(sizes, ", "));
}

/// Some tasks read texts from system packages.
std::optional<std::string> refuse_without_texts(const TrainOptions& options) {
    const train::Task& task = task_of(options);
    const auto packages = train::missing(task, course_options(options));
    if (packages.empty()) return std::nullopt;
    const train::TaskSize* other = train::size_without_packages(task);
    return fmt::format("texts that the task {} is trained on are not installed: apt-get install {}{}", task.id, fmt::join(packages, " "),
                       other ? fmt::format("; --size {} needs none", other->id) : "");
}

/// These files may hold hours of work: a resumed training replaces its own, any other only with --force.
Exit make_room(Streams& streams, const TrainOptions& options, const std::filesystem::path& folder) {
    for (const std::string_view file : {std::string_view("model.safetensors"), std::string_view("document.json"), kStateFile})
        if (const auto refused = refuse_output((folder / file).string(), options.force || options.resume))
            return fail(streams, Exit::Usage, *refused);
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    return problem ? fail(streams, Exit::Failure, attn::Error{problem.message(), folder.string(), "", 0}) : Exit::Ok;
}

/// Refuses a variation that the task does not have.
std::optional<std::string> refuse_variation(const TrainOptions& options) {
    const train::Task& task = task_of(options);
    const train::TaskOptions task_options = course_options(options);
    if (train::applies(task, task_options, *train::find_variation(options.beside))) return std::nullopt;
    std::vector<std::string_view> has;
    for (const train::Variation& one : train::variations())
        if (train::applies(task, task_options, one)) has.push_back(one.id);
    return fmt::format("the variation {} changes nothing of the task {}; it has {}", options.beside, task.id,
                       has.empty() ? std::string("none") : fmt::format("{}", fmt::join(has, ", ")));
}

/// Two trainings with the same seed, in lockstep. Their folders are DIR and, inside it, one named after the variation.
Exit run_beside(Streams& streams, const TrainOptions& options) {
    if (const auto refused = refuse_variation(options)) return fail(streams, Exit::Usage, *refused);
    const bool keeps = !options.folder.empty();
    if (options.resume && !keeps) return fail(streams, Exit::Usage, "--resume continues the training in a folder; name the folder with -o");
    const std::filesystem::path folders[] = {options.folder, std::filesystem::path(options.folder) / options.beside};
    if (keeps)
        for (const auto& folder : folders)
            if (const Exit exit = make_room(streams, options, folder); exit != Exit::Ok) return exit;
    train::TaskOptions task_options[] = {course_options(options), course_options(options)};
    task_options[1].variation = options.beside;
    const Interrupt interrupt;  // before any thread starts
    train::Trainer one(task_of(options).course(task_options[0]), options.threads), other(task_of(options).course(task_options[1]), options.threads);
    train::Trainer* const both[] = {&one, &other};
    for (std::size_t i = 0; options.resume && i < 2; ++i) {
        const auto bytes = attn::read_file(folders[i] / kStateFile, kMostStateBytes);
        if (!bytes) return fail(streams, Exit::BadInput, bytes.error());
        if (const auto restored = both[i]->restore(*bytes); !restored) return fail(streams, Exit::BadInput, restored.error());
    }
    const train::Variation& variation = *train::find_variation(options.beside);
    train_two(streams, one, other, variation, interrupt);
    for (std::size_t i = 0; keeps && i < 2; ++i)
        if (const Exit exit = save(streams, folders[i] / kStateFile, both[i]->state()); exit != Exit::Ok) return exit;
    if (!one.finished() || !other.finished()) {
        note(streams, fmt::format("stopped after step {}{}", std::min(one.steps_taken(), other.steps_taken()),
                                  keeps ? "; the same command with --resume continues" : "; nothing is saved without -o"));
        return Exit::Failure;
    }
    const std::string table = two_runs_table(task_of(options), task_options[0], one, task_options[1], other);
    if (const Exit exit = write_output(streams, "", table, Content::Text); exit != Exit::Ok || !keeps) return exit;
    std::vector<train::Weight> weights[] = {one.weights(), other.weights()};
    for (std::size_t i = 0; i < 2; ++i)
        if (const Exit exit = write_folder(streams, folders[i], options, task_options[i], weights[i]); exit != Exit::Ok) return exit;
    return Exit::Ok;
}

Exit run_train(Streams& streams, const TrainOptions& options) {
    if (const auto refused = refuse_size(options)) return fail(streams, Exit::Usage, *refused);
    if (const auto refused = refuse_without_texts(options)) return fail(streams, Exit::Failure, *refused);
    if (!options.beside.empty()) return run_beside(streams, options);
    if (options.folder.empty()) return fail(streams, Exit::Usage, "the folder for the model is missing: -o DIR (only --beside trains without one)");
    const std::filesystem::path folder = options.folder;
    if (const Exit exit = make_room(streams, options, folder); exit != Exit::Ok) return exit;
    return options.seeds > 0 ? run_seeds(streams, options, folder) : run_one_seed(streams, options, folder);
}

std::vector<std::string_view> task_ids() {
    std::vector<std::string_view> out;
    for (const train::Task& task : train::tasks()) out.push_back(task.id);
    return out;
}

std::vector<std::string_view> variation_ids() {
    std::vector<std::string_view> out;
    for (const train::Variation& one : train::variations()) out.push_back(one.id);
    return out;
}

Runner declare_train(Parser& parser) {
    const auto options = std::make_shared<TrainOptions>();
    parser.add(
        {.name = "TASK",
         .help = fmt::format("What is learned (`attenscope list tasks`): {}.", fmt::join(task_ids(), ", ")),
         .choices = task_ids(),
         .required = true},
        options->task);
    parser.add({.name = "-o,--output",
                .value = "DIR",
                .help = "The folder for the model; made if it is not there. Only --beside does without."},
               options->folder);
    parser.add({.name = "--seed",
                .value = "N",
                .help = "The seed of first weights and examples.",
                .check = whole_between(0, kMostSteps)},
               options->seed);
    parser.add({.name = "--best-of",
                .value = "N",
                .help = "Trains with N seeds, from --seed on, and keeps the one that does best on examples that no "
                        "training had; of questions: the one whose heads look most at what they were asked for.",
                .check = whole_between(1, kMostSeeds),
                .excludes = {"--resume"}},
               options->seeds);
    parser.add({.name = "--beside",
                .value = "VARIATION",
                .help = fmt::format("Trains a second model step by step beside it, on the same seed and examples, with one thing "
                                    "changed (`attenscope list variations`): {}. With -o it goes into DIR/VARIATION.",
                                    fmt::join(variation_ids(), ", ")),
                .choices = variation_ids(),
                .excludes = {"--best-of"}},
               options->beside);
    parser.add({.name = "--size",
                .value = "SIZE",
                .help = "The size of the model, where the task has several; the first is the usual one."},
               options->size);
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
    parser.add({.name = "--half",
                .help = "Writes the model's numbers in half precision: a file half as large, three digits of each."},
               options->half);
    parser.add({.name = "--force", .help = "Replaces a model that is in DIR already."}, options->force);
    return [options](Streams& streams) { return run_train(streams, *options); };
}

}  // namespace

const Command kTrainCommand = {
    {
        .name = "train",
        .summary = "trains a model of the program's own",
        .synopsis = " attenscope train [OPTIONS] TASK -o DIR\n attenscope train [OPTIONS] TASK --beside VARIATION [-o DIR]",
        .description =
            R"(`attenscope list tasks` lists the tasks and describes each. All of them generate their training examples as needed; some examples are held out, and the result is measured on these: how many are right, where the head with the job looks (its fraction of weight on the right position, beside that of uniform weights), and how many answers are right with that head off.

The task it: what "it" stands for, in two layers. translation: English into French and Chinese; alignment: the same sentences by a recurrent network with additive attention. dates: many spellings into one. induction: a sequence that is being repeated. sort, reverse, copy: letters. brackets: which one closes next. modular: remainders of sums. With seed 0 or 1 they take from a few seconds to a few minutes.

The task questions trains one layer of sixteen columns (the eight named meanings, and eight of position) with four heads over a small grammar of English and Chinese. Each head is asked a question of its own: which noun is this about; who does it, and what is it like; what does this word describe; which word came before. Only the answer is marked, never where a head looks. W_Q and W_K learn first, W_V and W_O after.

At the end its heads are measured on sentences with words and patterns that no training sentence had: each head's fraction of weight on the right word beside chance, and how many of its questions are answered with the head and without it. A word without an answer has itself as its answer; the column "resting" says how much of its weight lies on itself or on the first word.

With --beside two models learn at the same time, from the same first numbers wherever both have a weight, and on the same examples; one of them has one thing changed: no scaling, no position, another number of heads, no mask, another score. Each line says what both have come to, and a table at the end what they do with examples that neither saw.

The task language trains a small language model of English and Chinese on texts of Debian packages that are read where they lie (wordnet-base, bible-kjv-text, fortunes-zh; none of their lines is part of the program) and on sentences of its own grammar; --size grammar is a smaller one on these alone. It cuts text by a tokenizer that it trains first, and what comes out is a checkpoint in Llama's layout with tokenizer.json, which opens here and elsewhere. The learning rate stays at its height for four fifths of the steps and falls in the rest; --resume with a larger --steps goes on with a training that was stopped before it fell.

The folder then holds config.json, vocab.json and model.safetensors, a model that documents can name (`attenscope model DIR` tells what is in it), and document.json, which opens in the program. The same seed gives the same bytes with any number of threads. Ctrl+C leaves state.safetensors behind, and --resume goes on as if nothing had happened.)",
        .examples = R"( attenscope train questions -o heads --seed 1
 attenscope train questions -o heads --seed 1 --resume
 attenscope heads/document.json
 attenscope train copy --beside no_position --steps 600
 attenscope train questions --best-of 5 --force -o assets/models/questions
 attenscope train it --best-of 5 --half --force -o assets/models/it
 attenscope train translation --half --force -o assets/models/translation
 attenscope train alignment --half --force -o assets/models/alignment
 attenscope train dates --half --force -o assets/models/dates
 attenscope train induction --half --force -o assets/models/induction
 attenscope train sort --seed 1 --half --force -o assets/models/sort
 attenscope train language --half --force -o assets/models/language)",
    },
    declare_train,
};

}  // namespace app
