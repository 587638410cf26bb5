// The training's screen: its row, what is stored of how it is looked at, and what it derives while it trains.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "app/screens/training/data.h"
#include "app/screens/training/training.h"
#include "app/state/follower.h"
#include "app/state/memo.h"
#include "app/state/screens.h"
#include "app/state/view_row.h"

namespace app {
namespace {

using Steps = field::Whole<0, 1 << 20>;
using Seed = field::Whole<0, 1 << 30>;
using TrainingRow = field::Row<TrainingLook>;
/// The fields that both objects below begin with, then those of one.
template <class... Own>
constexpr std::array<TrainingRow, 6 + sizeof...(Own)> training_rows(Own... own) {
    return {
        field::row<TrainingLook, field::Text, MEMBER(task)>("task"),
        field::row<TrainingLook, field::Text, MEMBER(size)>("size"),
        field::row<TrainingLook, Seed, MEMBER(seed)>("seed"),
        field::row<TrainingLook, field::Text, MEMBER(beside)>("beside"),
        field::row<TrainingLook, field::Ordinal<>, MEMBER(example)>("example"),
        field::row<TrainingLook, field::Text, MEMBER(text)>("text"),
        own...,
    };
}
/// What the screen stores.
constexpr auto kTrainingRows = training_rows(field::row<TrainingLook, Steps, MEMBER(speed)>("speed"));
/// What a chapter's page sets: the model on its screen is trained for this many `steps`.
constexpr auto kTrainedRows = training_rows(field::row<TrainingLook, Steps, MEMBER(until)>("steps"),
                                            field::row<TrainingLook, field::Truth, MEMBER(running)>("running"),
                                            field::row<TrainingLook, field::Whole<-1, 1 << 20>, MEMBER(at)>("at"));

/// What is ordered of the job belongs to this moment: it is neither stored nor copied.
TrainingLook chosen_part(TrainingLook look) {
    look.at = -1;
    look.run = 0;
    look.running = false;
    look.until = 0;
    return look;
}
constexpr ViewField training_field() {
    ViewField out = view_field<field::Object<kTrainingRows>, MEMBER(template part<TrainingLook>())>("training", "an object", kPlace);
    out.copy = [](ViewState& to, const ViewState& from) {
        const TrainingLook now = std::as_const(to).part<TrainingLook>();
        TrainingLook next = from.part<TrainingLook>();
        next.at = now.at;
        next.run = now.run;
        next.running = now.running;
        next.until = now.until;
        if (next != now) to.part<TrainingLook>() = next;
    };
    out.same = [](const ViewState& a, const ViewState& b) {
        return chosen_part(a.part<TrainingLook>()) == chosen_part(b.part<TrainingLook>());
    };
    return out;
}

/// Once its screen has been shown, the training goes on whatever screen is; its picture is made while it is shown.
class TrainingFollower : public Follower {
public:
    void follow_always(const AppState& state, Derived& derived) override {
        trains_ = trains_ || state.view.screen == Screen::Train;
        if (!trains_) return;
        const TrainingLook& look = state.view.part<TrainingLook>();
        const attn::train::Variation* beside = beside_of(look);
        TrainingOrder order{0, &task_of(look), options_of(look), std::string(beside ? beside->id : ""), look.running, look.until, look.speed};
        const Key key{look.run, order.task, order.options.size, order.options.seed, order.beside};
        if (key_ != key) {
            key_ = key;
            ++run_;
        }
        order.run = run_;
        job_.follow(order);
        TrainingData& data = derived.part<TrainingData>();
        if (data.news && data.news->run != order.run) data = {};
        auto news = job_.take();
        if (news && news->run == order.run) {
            data.curves = curves_of(*news);
            data.beside_curves = news->beside ? curves_of(*news->beside) : TrainingCurves{};
            data.news = std::move(news);
        }
        if (!data.news) return;
        data.show(look.at);
    }

    void follow(const AppState& state, Derived& derived) override {
        TrainingData& data = derived.part<TrainingData>();
        std::shared_ptr<const TrainingPicture> made;
        if (picture_.take(made) && made && data.news && made->of_run == data.news->run) data.picture = std::move(made);
        const TrainingSnapshot* shown = data.shown();
        if (!shown) return;
        const TrainingLook& look = state.view.part<TrainingLook>();
        TrainingRequest request{&task_of(look), options_of(look), data.news->run, shown->step, shown->weights, look.example, look.text};
        const attn::train::Variation* variation = beside_of(look);
        if (const TrainingSnapshot* changed = data.beside_shown(); changed && variation) {
            request.variation = variation->id;
            request.beside = changed->weights;
        }
        // One after the other: news that come faster than pictures are made do not keep them from being made.
        if (picture_.requested_for(request) || picture_.job().busy() || picture_.job().ready()) return;
        std::shared_ptr<const TrainingPicture> none;
        const auto make = [request, serial = static_cast<unsigned>(picture_.made() + 1)](const std::stop_token& stop) {
            return make_training_picture(request, serial, stop);
        };
        picture_.ask(none, request, false, make);
    }

    bool goes_on() const override { return trains_; }
    std::span<LateJob* const> jobs() override { return jobs_; }
    int made() const override { return picture_.made(); }

private:
    /// What makes a training another one.
    using Key = std::tuple<std::uint64_t, const attn::train::Task*, std::string, std::uint64_t, std::string>;

    TrainingJob job_;
    bool trains_ = false;
    std::optional<Key> key_;
    std::uint64_t run_ = 0;
    LateMemo<TrainingRequest, std::shared_ptr<const TrainingPicture>> picture_;
    LateJob* const jobs_[2] = {&job_, &picture_.job()};
};

}  // namespace

constexpr ViewField kTrainingField = training_field();
constexpr ViewField kTrainedField = part_field<field::Object<kTrainedRows>, MEMBER(template part<TrainingLook>())>("trained", kObject, kOnPage);

constexpr ScreenRow kTrainScreen = {.steps = false, .walks = false, .timeline = false, .follower = make_follower<TrainingFollower>};

}  // namespace app
