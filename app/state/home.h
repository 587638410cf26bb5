#pragma once
// What the pictures of the home screen are drawn from: runs of what its cards open.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/gallery.h"
#include "app/state/opening.h"

namespace app {

/// A model before it was trained and after, on the same sentence.
struct HomeTraining {
    std::string title;  ///< of the model
    attn::Matrix before, after;
};

struct HomeData {
    std::optional<OpeningData> watch;  ///< of the sentence that the program opens with
    std::optional<HomeTraining> train;
    std::vector<attn::Matrix> models;  ///< a map of each of the models that come along
};

/// Runs every included model once: on a thread. Cut short by `stop`.
HomeData make_home(Language language, const std::stop_token& stop);

}  // namespace app
