#pragma once
// The data behind the pictures of the home screen: runs of what its cards open.

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
    std::optional<OpeningData> watch;  ///< the opening sentence
    std::optional<HomeTraining> train;
    std::vector<attn::Matrix> models;  ///< maps of the first shipped models
};

/// Runs several shipped models, so call it on a thread; `stop` cuts it short.
HomeData make_home(Language language, const std::stop_token& stop);

}  // namespace app
