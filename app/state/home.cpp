#include "app/state/home.h"

#include "app/state/examples.h"
#include "core/model/model.h"
#include "core/train/tasks.h"
#include "core/train/untrained.h"

namespace app {
namespace {

/// A task that trains in seconds and whose maps before and after differ most.
constexpr std::string_view kTrainedTask = "induction";
constexpr std::size_t kMostModels = 6;

std::optional<HomeTraining> trained(Language language) {
    for (const std::string_view id : attn::shipped_ids()) {
        const attn::ModelPtr model = attn::shipped_model(id);
        const attn::train::Task* task = attn::train::task_of(*model);
        if (!task || task->id != kTrainedTask) continue;
        const auto before = attn::train::untrained(*model);
        if (!before) return std::nullopt;
        const attn::train::TaskExample& example = attn::train::example_for(*task, language == Language::Chinese);
        GalleryCard after = card_of_model(model, {}, language);
        const attn::Matrix raw = map_of(attn::train::task_document(example, *before), after.map);
        if (raw.size() == 0 || raw.size() != after.picture.size()) return std::nullopt;
        return HomeTraining{after.title, raw, after.picture};
    }
    return std::nullopt;
}

}  // namespace

HomeData make_home(Language language, const std::stop_token& stop) {
    HomeData out;
    const attn::Document first = opening_document(language);
    if (const auto run = attn::run(first)) {
        const auto question = question_of_text(first, *run, 0, language);
        out.watch = opening_data(first, *run, 0, language, question, -1);
    }
    if (stop.stop_requested()) return out;
    out.train = trained(language);
    for (const std::string_view id : attn::shipped_ids()) {
        if (stop.stop_requested() || out.models.size() == kMostModels) break;
        GalleryCard card = card_of_model(attn::shipped_model(id), first, language);
        if (card.picture.size() > 0) out.models.push_back(std::move(card.picture));
    }
    return out;
}

}  // namespace app
