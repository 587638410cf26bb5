// Training in the window: actions in, state out, and every number as the trainer itself computes it.

#include "app/screens/training/training.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <tuple>

#include "app/screens/training/data.h"
#include "app/screens/training/elsewhere.h"
#include "app/state/own_models.h"
#include "app/shell/session.h"
#include "app/state/view_fields.h"
#include "core/document/fields.h"
#include "core/train/variations.h"
#include "tests/app/state_fixture.h"
#include "tests/support/as_nobody.h"

namespace app_test {
namespace {

namespace train = attn::train;
using namespace app;

class Training : public testing::Test {
protected:
    Bench b;
    void SetUp() override {
        b.act(ChangeView{[](ViewState& v) { v.screen = Screen::Train; }});
        finish();
    }
    void finish() { b.deriver.finish(b.state, b.derived); }
    void act(TrainingAction action) {
        b.act(action);
        finish();
    }
    const TrainingData& data() const { return b.derived.part<TrainingData>(); }
    const TrainingNews& news() const { return *data().news; }
    TrainingLook& look() { return b.view().part<TrainingLook>(); }
    train::Trainer trainer() const { return {task_of(b.state.view.part<TrainingLook>()).course(options_of(b.state.view.part<TrainingLook>())), 1}; }
};

bool same_weights(const std::vector<train::Weight>& a, const std::vector<train::Weight>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].name != b[i].name || a[i].value != b[i].value) return false;
    return true;
}

TEST_F(Training, StartsUntrainedWhenItsScreenIsShown) {
    ASSERT_TRUE(data().news);
    EXPECT_EQ(news().step, 0);
    EXPECT_GT(news().planned, 100);
    ASSERT_TRUE(data().shown());
    EXPECT_EQ(data().shown()->step, 0);
    EXPECT_TRUE(data().shown()->measure);
    ASSERT_TRUE(data().picture);
    EXPECT_EQ(data().picture->heads.size(), 4u);
    EXPECT_FALSE(look().running);
}

/// As in a page of a browser, or if the system refuses another thread.
TEST_F(Training, WithoutAThreadPollingTrainsTheSame) {
    const train::Task& task = task_of(b.state.view.part<TrainingLook>());
    const train::TaskOptions options = options_of(b.state.view.part<TrainingLook>());
    const auto trained = [&](TrainingJob& job) {
        TrainingOrder order{.run = 1, .task = &task, .options = options, .until = 3};
        job.follow(order);
        job.wait();
        return job.take();
    };
    TrainingJob usual;
    const auto there = trained(usual);
    ASSERT_TRUE(there);
    test_support::as_nobody([&] {
        const rlimit none{0, 0};
        ASSERT_EQ(setrlimit(RLIMIT_NPROC, &none), 0);
        ASSERT_THROW(std::thread([] {}).join(), std::system_error);
        TrainingJob alone;
        const auto here = trained(alone);
        ASSERT_TRUE(here);
        EXPECT_EQ(here->step, 3);
        ASSERT_FALSE(here->snapshots.empty());
        EXPECT_TRUE(same_weights(*here->snapshots.back().weights, *there->snapshots.back().weights));
        EXPECT_FALSE(alone.ready());
        // Without a thread it trains a little whenever it is polled, and requests to be polled again.
        TrainingOrder order{.run = 2, .task = &task, .options = options, .running = true};
        alone.follow(order);
        std::int64_t step = -1;
        for (int looks = 0; looks < 1000 && step < 2; ++looks) {
            EXPECT_TRUE(alone.ready());
            if (const auto news = alone.take()) step = news->step;
        }
        EXPECT_GE(step, 2);
    });
}

void expect_same_news(const TrainingNews& a, const TrainingNews& b) {
    EXPECT_EQ(std::tie(a.run, a.step, a.planned, a.finished), std::tie(b.run, b.step, b.planned, b.finished));
    ASSERT_EQ(a.reports.size(), b.reports.size());
    for (std::size_t i = 0; i < a.reports.size(); ++i) {
        ASSERT_EQ(a.reports[i]->size(), b.reports[i]->size());
        for (std::size_t j = 0; j < a.reports[i]->size(); ++j) {
            const train::StepReport &x = (*a.reports[i])[j], &y = (*b.reports[i])[j];
            EXPECT_EQ(std::tie(x.step, x.loss, x.accuracy, x.gradient_length, x.rate), std::tie(y.step, y.loss, y.accuracy, y.gradient_length, y.rate));
        }
    }
    ASSERT_EQ(a.unseen.size(), b.unseen.size());
    for (std::size_t i = 0; i < a.unseen.size(); ++i) {
        const train::TaskMeasure &x = *a.unseen[i].measure, &y = *b.unseen[i].measure;
        EXPECT_EQ(a.unseen[i].step, b.unseen[i].step);
        EXPECT_EQ(std::tie(x.right, x.chance, x.role, x.off, x.score, x.role_name.english, x.role_name.chinese, x.sure),
                  std::tie(y.right, y.chance, y.role, y.off, y.score, y.role_name.english, y.role_name.chinese, y.sure));
        ASSERT_EQ(x.sets.size(), y.sets.size());
        for (std::size_t j = 0; j < x.sets.size(); ++j) EXPECT_EQ(std::tie(x.sets[j].id, x.sets[j].figures), std::tie(y.sets[j].id, y.sets[j].figures));
        ASSERT_EQ(x.figures.size(), y.figures.size());
        for (std::size_t j = 0; j < x.figures.size(); ++j)
            EXPECT_EQ(std::tie(x.figures[j].id, x.figures[j].name, x.figures[j].value, x.figures[j].head),
                      std::tie(y.figures[j].id, y.figures[j].name, y.figures[j].value, y.figures[j].head));
    }
    ASSERT_EQ(a.snapshots.size(), b.snapshots.size());
    for (std::size_t i = 0; i < a.snapshots.size(); ++i) {
        EXPECT_EQ(a.snapshots[i].step, b.snapshots[i].step);
        EXPECT_EQ(a.snapshots[i].report.loss, b.snapshots[i].report.loss);
        EXPECT_TRUE(same_weights(*a.snapshots[i].weights, *b.snapshots[i].weights));
        ASSERT_EQ(!a.snapshots[i].measure, !b.snapshots[i].measure);
        if (a.snapshots[i].measure) {
            EXPECT_EQ(a.snapshots[i].measure->right, b.snapshots[i].measure->right);
        }
    }
    ASSERT_EQ(!a.beside, !b.beside);
    if (a.beside) expect_same_news(*a.beside, *b.beside);
}

/// A training in a browser's worker is followed through messages: each holds what is new, and none is read in part.
TEST_F(Training, MessagesCarryOrdersAndNews) {
    const train::Task* task = train::find_task("reverse");
    ASSERT_TRUE(task);
    TrainingOrder order{.run = 7, .task = task, .options = {}, .speed = 25};
    order.options.seed = 3;
    order.options = train::complete(*task, order.options);
    for (const train::Variation& one : train::variations())
        if (train::applies(*task, order.options, one)) order.beside = one.id;
    ASSERT_FALSE(order.beside.empty());
    TrainingJob job;
    NewsSender sender;
    NewsReceiver receiver;
    std::size_t whole = 0;
    for (const std::int64_t until : {0, 3, 300}) {
        order.until = until;
        const std::string message = order_message(order);
        const auto there = order_of_message(message);
        ASSERT_TRUE(there) << there.error().text();
        EXPECT_EQ(std::tie(there->run, there->task, there->beside, there->running, there->until, there->speed),
                  std::tie(order.run, order.task, order.beside, order.running, order.until, order.speed));
        EXPECT_EQ(std::tie(there->options.seed, there->options.size, there->options.steps, there->options.rate, there->options.batch, there->options.variation),
                  std::tie(order.options.seed, order.options.size, order.options.steps, order.options.rate, order.options.batch, order.options.variation));
        for (std::size_t n = 0; n < message.size(); ++n) EXPECT_FALSE(order_of_message(message.substr(0, n))) << n;
        job.follow(*there);
        job.wait();
        const auto news = job.take();
        ASSERT_TRUE(news);
        const std::string sent = sender.message(*news);
        for (std::size_t n = 0; n < sent.size(); n += 1 + sent.size() / 97) EXPECT_FALSE(NewsReceiver().news(std::string_view(sent).substr(0, n))) << n;
        const auto received = receiver.news(sent);
        ASSERT_TRUE(received) << received.error().text();
        expect_same_news(**received, *news);
        // What has been sent is not sent again.
        if (until == 0)
            whole = sent.size();
        else
            EXPECT_LT(sent.size(), news->snapshots.size() * whole);
    }
}

TEST_F(Training, AStepIsTheTrainersOwn) {
    act(StepTraining{3});
    train::Trainer own = trainer();
    std::vector<train::StepReport> reports;
    for (int i = 0; i < 3; ++i) reports.push_back(own.step());
    EXPECT_EQ(news().step, 3);
    ASSERT_EQ(news().reports.size(), 1u);
    ASSERT_EQ(news().reports[0]->size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ((*news().reports[0])[i].loss, reports[i].loss);
        EXPECT_EQ((*news().reports[0])[i].accuracy, reports[i].accuracy);
        EXPECT_EQ(data().curves.loss[i], reports[i].loss);  // each of the first steps has a point of its own
        EXPECT_EQ(data().curves.right[i], reports[i].accuracy);
    }
    EXPECT_TRUE(same_weights(*data().shown()->weights, own.weights()));
    EXPECT_EQ(data().shown()->report.loss, reports[2].loss);
    const train::TaskMeasure measure = task_of(look()).measure(options_of(look()), own.weights(), kMeasuredExamples);
    ASSERT_TRUE(data().shown()->measure);
    EXPECT_EQ(data().shown()->measure->right, measure.right);
    EXPECT_EQ(data().shown()->measure->role, measure.role);
}

TEST_F(Training, PausingChangesNothingOfTheNumbers) {
    act(StepTraining{2});
    act(StepTraining{});
    act(StartTraining{});
    while (news().step < 5) {
        b.deriver.refresh(b.state, b.derived);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    act(PauseTraining{});
    EXPECT_FALSE(look().running);
    const std::int64_t reached = news().step;
    train::Trainer own = trainer();
    while (own.steps_taken() < reached) own.step();
    EXPECT_TRUE(same_weights(*news().snapshots.back().weights, own.weights()));
    EXPECT_EQ(news().snapshots.back().step, reached);
    finish();
    EXPECT_EQ(news().step, reached) << "it does not go on by itself";
    std::size_t reports = 0;
    for (const auto& piece : news().reports) reports += piece->size();
    EXPECT_EQ(reports, static_cast<std::size_t>(reached));
}

TEST_F(Training, LookingBackShowsTheSnapshotsNumbers) {
    act(StepTraining{12});
    train::Trainer own = trainer();
    for (int i = 0; i < 4; ++i) own.step();
    act(SeekSnapshot{4});
    EXPECT_EQ(look().at, 4);
    ASSERT_EQ(data().shown()->step, 4);
    EXPECT_TRUE(same_weights(*data().shown()->weights, own.weights()));
    ASSERT_EQ(data().picture->step, 4);
    // The attention is that of the engine with these weights.
    const train::Task& task = task_of(look());
    auto options = options_of(look());
    options.figures = false;
    const auto model = std::make_shared<attn::Model>(task.model("", options, own.weights()));
    const auto run = attn::run(train::task_document(task.examples.front(), model));
    ASSERT_TRUE(run);
    for (const TrainingHead& head : data().picture->heads) EXPECT_EQ(*head.weights, attn::find(run->trace, head.tag)->value.matrix());
    EXPECT_EQ(data().measured()->step, 4);
    act(TurnSnapshot{1});
    EXPECT_EQ(data().shown()->step, 6);
    act(SeekSnapshot{1000});
    EXPECT_EQ(look().at, -1) << "at the end one goes along";
    EXPECT_EQ(data().shown()->step, 12);
    act(SeekSnapshot{0});
    EXPECT_EQ(data().shown()->step, 0);
}

TEST_F(Training, UnchangedDataIsNotCopied) {
    act(StepTraining{4});
    const auto before = data().news;
    act(StepTraining{4});
    for (std::size_t i = 0; i + 1 < before->snapshots.size(); ++i)
        EXPECT_EQ(before->snapshots[i].weights, news().snapshots[i].weights);
    const auto picture = data().picture;
    finish();
    EXPECT_EQ(data().picture, picture);
}

TEST_F(Training, AnotherTaskSizeOrSeedStartsOver) {
    act(StepTraining{2});
    const auto before = *data().shown()->weights;
    act(ChooseTraining{"questions", "", 1});
    EXPECT_EQ(news().step, 0);
    EXPECT_FALSE(same_weights(*data().shown()->weights, before));
    act(ChooseTraining{"copy", "", 1});
    EXPECT_EQ(news().step, 0);
    ASSERT_TRUE(data().picture);
    EXPECT_EQ(data().picture->document.source, task_of(look()).examples.front().source);
    act(StepTraining{});
    EXPECT_EQ(news().step, 1);
    act(StopTraining{});
    EXPECT_EQ(news().step, 0);
    EXPECT_EQ(look().task, "copy");
    b.act(ChangeView{[](ViewState& v) { v.part<TrainingLook>().task = "no such task"; }});
    EXPECT_EQ(task_of(look()).id, train::tasks().front().id);
}

/// A variation beside it: as many steps, each the trainer's own; looking back shows both after the same step.
TEST_F(Training, AVariationBesideItKeepsStep) {
    act(ChooseTraining{"copy", "", 1, "no_position"});
    ASSERT_TRUE(beside_of(look()));
    act(StepTraining{6});
    ASSERT_TRUE(news().beside);
    EXPECT_EQ(news().beside->step, 6);
    auto options = options_of(look());
    options.variation = "no_position";
    train::Trainer own(task_of(look()).course(options), 1);
    for (int i = 0; i < 4; ++i) own.step();
    act(SeekSnapshot{4});
    ASSERT_TRUE(data().beside_shown());
    EXPECT_EQ(data().beside_shown()->step, 4);
    EXPECT_EQ(data().shown()->step, 4);
    EXPECT_TRUE(same_weights(*data().beside_shown()->weights, own.weights()));
    EXPECT_EQ(data().beside_curves.loss.size(), 6u);
    EXPECT_EQ(data().beside_curves.loss[3], own.last_report().loss);
    EXPECT_EQ(data().beside_measured()->step, 4);
    // The attention of the same example, with its own weights.
    ASSERT_TRUE(data().picture && data().picture->beside);
    EXPECT_EQ(data().picture->beside->step, 4);
    EXPECT_EQ(data().picture->beside->document.text, data().picture->document.text);
    options.figures = false;
    const auto model = std::make_shared<attn::Model>(task_of(look()).model("", options, own.weights()));
    const auto run = attn::run(train::task_document(task_of(look()).examples.front(), model));
    ASSERT_TRUE(run);
    for (const TrainingHead& head : data().picture->beside->heads) EXPECT_EQ(*head.weights, attn::find(run->trace, head.tag)->value.matrix());
}

/// The first one equals a training alone; stopping ends both; a variation that the task does not have is not trained.
TEST_F(Training, AVariationBesideItDoesNotChangeIt) {
    act(ChooseTraining{"copy", "", 1});
    act(StepTraining{3});
    const auto alone = *data().shown()->weights;
    EXPECT_FALSE(news().beside);
    EXPECT_FALSE(data().picture->beside);
    act(ChooseTraining{"copy", "", 1, "unscaled"});
    EXPECT_EQ(news().step, 0) << "both begin anew";
    act(StepTraining{3});
    EXPECT_TRUE(same_weights(*data().shown()->weights, alone));
    EXPECT_FALSE(same_weights(*data().beside_shown()->weights, alone));
    act(StopTraining{});
    EXPECT_EQ(news().step, 0);
    EXPECT_EQ(news().beside->step, 0);
    act(ChooseTraining{"copy", "", 1, "one_head"});
    EXPECT_EQ(beside_of(look()), nullptr) << "it has but one";
    EXPECT_FALSE(news().beside);
    const auto part = part_from_json(part_to_json(part_of(b.state.view, kPlace)), kPlace, "view");
    ASSERT_TRUE(part);
    ViewState fresh;
    use_part(fresh, part->part);
    EXPECT_EQ(fresh.part<TrainingLook>().beside, "one_head");
}

TEST_F(Training, TheVariationCanBeShownOnTheStage) {
    act(ChooseTraining{"copy", "", 1, "no_position"});
    act(StepTraining{2});
    const auto before = b.state.document;
    b.act(TrainingAction{TakeSnapshot{true}});
    ASSERT_TRUE(b.state.keeping);
    const auto kept = save_snapshot(*b.state.keeping, {});
    ASSERT_TRUE(kept) << kept.error().text();
    EXPECT_EQ((*kept)->training->variation, "no_position");
    act(SnapshotTaken{*kept, {}});
    EXPECT_EQ(b.state.document.config.position, "none");
    EXPECT_FALSE(b.derived.error);
    b.act(Undo{});
    EXPECT_TRUE(b.state.document == before);
}

/// A number about one head names a head of the picture.
TEST_F(Training, FiguresNameHeadsOfTheirPictures) {
    for (const train::Task& task : train::tasks()) {
        act(ChooseTraining{std::string(task.id), std::string(task.sizes.back().id), 0});
        ASSERT_TRUE(data().picture) << task.id;
        int named = 0;
        for (const train::TaskFigure& figure : data().measured()->measure->figures)
            for (const TrainingHead& head : data().picture->heads) named += figure.head == attn::step_name(head.tag) ? 1 : 0;
        EXPECT_GT(named, 0) << task.id;
    }
}

/// The snapshot's answer and the expected one are beside the heads at each position.
TEST_F(Training, AnswersAreShownBesideTheExpectedOnes) {
    act(ChooseTraining{"reverse", "", 1});
    ASSERT_TRUE(data().picture);
    const auto right = [&] {
        const auto& all = data().picture->answers;
        return std::count_if(all.begin(), all.end(), [](const train::PlaceAnswer& one) { return one.right(); });
    };
    ASSERT_EQ(data().picture->answers.size(), 8u);
    const std::vector<std::string> text{"k", "d", "x", "b", "q", "w", "f", "a"};
    const attn::Trace& trace = data().picture->run->run.trace;
    const attn::Step& logits = trace[attn::find_id(trace, {attn::Role::Logits})];
    for (std::size_t i = 0; i < text.size(); ++i) {
        const train::PlaceAnswer& one = data().picture->answers[i];
        EXPECT_EQ(one.token, text[i]);
        EXPECT_EQ(one.target, text[text.size() - 1 - i]);
        Eigen::Index best = 0;
        logits.value.one_row(static_cast<int>(i)).maxCoeff(&best);
        EXPECT_EQ(one.said, attn::axis_label(trace, logits.cols, static_cast<int>(best)));
    }
    EXPECT_LT(right(), 8) << "nothing has been learned yet";
    act(StepTraining{400});
    EXPECT_EQ(data().picture->step, 400);
    EXPECT_EQ(right(), 8);
    // The four questions are for heads; the model predicts no word.
    act(ChooseTraining{"questions", "", 1});
    EXPECT_TRUE(data().picture->answers.empty());
}

TEST_F(Training, AUsersTextIsShownIfItsWordsAreKnown) {
    b.act(ChangeView{[](ViewState& v) { v.part<TrainingLook>().text = "the happy dog ran"; }});
    finish();
    EXPECT_EQ(data().picture->document.text, "the happy dog ran");
    EXPECT_EQ(data().picture->heads.front().rows.size(), 4u);
    b.act(ChangeView{[](ViewState& v) { v.part<TrainingLook>().text = "the zzyzx ran"; }});
    finish();
    EXPECT_EQ(data().picture->unknown, std::vector<std::string>{"zzyzx"});
    EXPECT_EQ(data().picture->document.text, task_of(look()).examples.front().text);
}

TEST_F(Training, ASnapshotIsShownOnTheStageAndReadBack) {
    act(StepTraining{4});
    act(SeekSnapshot{2});
    b.act(TrainingAction{TakeSnapshot{}});
    ASSERT_TRUE(b.state.keeping);
    EXPECT_EQ(b.state.keeping->step, 2);
    const auto folder = std::filesystem::temp_directory_path() / "attenscope_training_test";
    std::filesystem::remove_all(folder);
    const auto kept = save_snapshot(*b.state.keeping, folder);
    ASSERT_TRUE(kept) << kept.error().text();
    EXPECT_EQ((*kept)->training->steps, 2);
    const auto before = b.state.document;
    act(SnapshotTaken{*kept, {}});
    EXPECT_FALSE(b.state.keeping);
    EXPECT_EQ(b.view().screen, Screen::Stage);
    EXPECT_FALSE(b.derived.error);
    EXPECT_EQ(b.state.document.model->fingerprint, (*kept)->fingerprint);
    const attn::Step* weights = attn::find(b.derived.run->trace, {attn::Role::Weights, 0});
    ASSERT_TRUE(weights);
    EXPECT_EQ(weights->value.matrix(), *data().picture->heads.front().weights);
    // The saved document names the folder, and reads back as the same document.
    const auto again = attn::document_from_json(attn::document_to_json(b.state.document), "last.json", {.folders = true});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(*again == b.state.document);
    b.act(Undo{});
    EXPECT_TRUE(b.state.document == before);
    std::filesystem::remove_all(folder);
}

TEST_F(Training, WriteErrorsAreReported) {
    b.act(TrainingAction{TakeSnapshot{}});
    const auto kept = save_snapshot(*b.state.keeping, "/proc/no such folder");
    ASSERT_FALSE(kept);
    const auto before = b.state.document;
    b.act(TrainingAction{SnapshotTaken{nullptr, kept.error().text()}});
    EXPECT_FALSE(b.state.keeping);
    EXPECT_FALSE(b.view().notice.empty());
    EXPECT_TRUE(b.state.document == before);
}

/// The choice is saved between starts; a training in progress is not.
TEST_F(Training, OnlyTheChoiceIsSaved) {
    look().task = "copy";
    look().seed = 7;
    look().running = true;
    look().until = 40;
    const auto part = part_from_json(part_to_json(part_of(b.state.view, kPlace)), kPlace, "view");
    ASSERT_TRUE(part);
    ViewState fresh;
    use_part(fresh, part->part);
    EXPECT_EQ(fresh.part<TrainingLook>().task, "copy");
    EXPECT_EQ(fresh.part<TrainingLook>().seed, 7);
    EXPECT_FALSE(fresh.part<TrainingLook>().running);
    EXPECT_EQ(fresh.part<TrainingLook>().until, 0);
}

TEST_F(Training, QuittingWaitsForOneStepAtMost) {
    b.act(TrainingAction{StartTraining{}});
    const auto begin = std::chrono::steady_clock::now();
    {
        Bench other;
        other.act(ChangeView{[](ViewState& v) {
            v.screen = Screen::Train;
            v.part<TrainingLook>().running = true;
        }});
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace app_test
