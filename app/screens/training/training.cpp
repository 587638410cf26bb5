#include "app/screens/training/training.h"

#include <algorithm>
#include <cstdlib>

#include "app/screens/training/data.h"
#include "app/screens/training/texts.h"
#include "app/state/derived.h"
#include "app/state/state.h"
#include "core/document/take.h"
#include "core/train/task_texts.h"

namespace app {

namespace train = attn::train;

const train::Task& task_of(const TrainingLook& look) {
    const train::Task* task = train::find_task(look.task);
    return task ? *task : train::tasks().front();
}

train::TaskOptions options_of(const TrainingLook& look) {
    const train::Task& task = task_of(look);
    train::TaskOptions out;
    out.seed = static_cast<std::uint64_t>(std::max(look.seed, 0));
    out.size = look.size;
    if (!train::size_of(task, out)) out.size.clear();
    out = train::complete(task, out);
    const train::TaskSize* other = missing_texts(look).empty() ? nullptr : train::size_without_packages(task);
    return other ? train::complete(task, {.seed = out.seed, .size = std::string(other->id)}) : out;
}

const train::Variation* beside_of(const TrainingLook& look) {
    const train::Variation* variation = train::find_variation(look.beside);
    return variation && train::applies(task_of(look), options_of(look), *variation) ? variation : nullptr;
}

std::vector<std::string> missing_texts(const TrainingLook& look) {
    const train::Task& task = task_of(look);
    train::TaskOptions options{.seed = 0, .size = look.size};
    if (!train::size_of(task, options)) options.size.clear();
    return train::missing(task, train::complete(task, options));
}

namespace {

struct TrainingUpdater {
    AppState& state;
    const Derived& derived;

    TrainingLook& look() { return state.view.part<TrainingLook>(); }
    const TrainingData& data() const { return derived.part<TrainingData>(); }

    void discard() {
        ++look().run;
        look().running = false;
        look().until = 0;
        look().at = -1;
    }

    void say_what_is_missing() {
        std::string all;
        for (const std::string& one : missing_texts(look())) all.append(all.empty() ? "" : " ").append(one);
        if (!all.empty()) state.view.notice = fill_in(tr(Str::train_missing, state.view.language), {all});
    }

    bool operator()(const ChooseTraining& choice) {
        if (choice.task == look().task && choice.size == look().size && choice.seed == look().seed && choice.beside == look().beside) return false;
        if (choice.task != look().task) {
            look().example = 0;
            look().text.clear();
        }
        look().task = choice.task;
        look().size = choice.size;
        look().seed = std::max(choice.seed, 0);
        look().beside = choice.beside;
        discard();
        say_what_is_missing();
        return false;
    }
    bool operator()(const StartTraining&) {
        look().running = true;
        look().at = -1;  // the newest snapshot is shown
        return false;
    }
    bool operator()(const PauseTraining&) {
        look().running = false;
        look().until = 0;
        return false;
    }
    bool operator()(const StepTraining& step) {
        look().running = false;
        look().until = (data().news ? data().news->step : 0) + std::max(step.steps, 1);
        look().at = -1;
        return false;
    }
    bool operator()(const StopTraining&) {
        discard();
        return false;
    }
    bool operator()(const SeekSnapshot& seek) {
        look().at = -1;
        if (seek.step < 0 || !data().news) return false;
        std::int64_t best = -1;
        for (const TrainingSnapshot& one : data().news->snapshots)
            if (best < 0 || std::llabs(one.step - seek.step) < std::llabs(best - seek.step)) best = one.step;
        // At the end, the newest snapshot is followed.
        if (best != data().news->step) look().at = best;
        return false;
    }
    bool operator()(const TurnSnapshot& turn) {
        if (!data().shown()) return false;
        const auto& all = data().news->snapshots;
        const int to = std::clamp(data().at + turn.by, 0, static_cast<int>(all.size()) - 1);
        return (*this)(SeekSnapshot{all[static_cast<std::size_t>(to)].step});
    }
    bool operator()(const TakeSnapshot& take) {
        const TrainingSnapshot* shown = take.beside ? data().beside_shown() : data().shown();
        const train::Variation* variation = beside_of(look());
        if (!shown || !data().picture || state.keeping || (take.beside && !variation)) return false;
        const attn::Document& texts = data().picture->document;
        train::TaskOptions options = options_of(look());
        if (take.beside) options.variation = variation->id;
        state.keeping = TakenSnapshot{&task_of(look()), std::move(options), shown->step, shown->weights, texts.text, texts.source};
        return false;
    }
    bool operator()(const SnapshotTaken& taken) {
        if (!state.keeping) return false;
        const TakenSnapshot from = *std::move(state.keeping);
        state.keeping.reset();
        if (!taken.model) {
            state.view.notice = taken.problem;
            return false;
        }
        attn::Document next;
        next.text = from.text;
        next.source = from.source.empty() ? next.source : from.source;
        attn::take_model(next, taken.model);
        state.history.remember(state.document, {});
        state.document = std::move(next);
        state.view.map = {};
        state.view.screen = Screen::Stage;
        state.view.head = 0;
        state.view.pinned.reset();
        state.view.playing = false;
        state.view.playhead = {{attn::Role::Weights, state.document.config.heads > 1 ? 0 : attn::kNoHead}, 1};
        state.view.done = fill_in(tr(Str::train_taken, state.view.language), {std::to_string(from.step)});
        return true;
    }
};

}  // namespace

bool act_on(AppState& state, const TrainingAction& action, const Derived& derived) {
    return std::visit(TrainingUpdater{state, derived}, action);
}

}  // namespace app
