#include "app/screens/training/page.h"
#include "app/screens/training/data.h"
#include "app/screens/training/training.h"

#include <cmath>
#include <cstdlib>

namespace app {

std::optional<TrainedNow> trained_now(const TrainingData& data) {
    const TrainingSnapshot* shown = data.shown();
    const UnseenPoint* measured = data.measured();
    if (!shown || !measured || !measured->measure) return std::nullopt;
    TrainedNow out;
    out.step = static_cast<double>(shown->step);
    out.newest = static_cast<double>(data.news->step);
    out.loss = shown->step > 0 ? static_cast<double>(shown->report.loss) : std::nan("");
    out.right = answers_right(*measured->measure);
    out.role = measured->measure->role;
    out.role_off = measured->measure->off;
    if (const UnseenPoint* other = data.beside_measured(); other && other->measure)
        out.beside = {answers_right(*other->measure), other->measure->role};
    return out;
}

std::optional<TrainedNow> train_for_page(const TrainingLook& look) {
    if (!attn::train::find_task(look.task) || look.until > kMostPageSteps) return std::nullopt;
    const attn::train::Variation* variation = beside_of(look);
    TrainingJob job;
    job.follow({1, &task_of(look), options_of(look), variation ? std::string(variation->id) : std::string(), false, look.until, 0});
    job.wait();
    TrainingData data;
    data.news = job.take();
    data.show(look.at);
    return trained_now(data);
}

}  // namespace app
