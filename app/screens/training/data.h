#pragma once
// What the screen of training shows, made from what the job published: curves as they are drawn, and the attention of
// the snapshot under the playhead on an example.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/content/strings.h"
#include "app/screens/training/job.h"
#include "app/state/computed.h"

namespace app {

/// One head's weights on the example.
struct TrainingHead {
    attn::Tag tag;
    std::shared_ptr<const attn::Matrix> weights;  ///< queries × keys
    attn::StepId step = attn::kNoStep;            ///< that they are the value of; kNoStep: rows of several
    std::vector<std::string> rows, cols;
    attn::BothLanguages asked;  ///< its question; empty: it was asked none
};

struct TrainingPicture {
    attn::Document document;                 ///< the model's, with the texts that are shown
    std::shared_ptr<const Computed> run;
    std::vector<TrainingHead> heads;
    std::vector<attn::train::PlaceAnswer> answers;  ///< what the model says of the text; empty: it says no words
    std::vector<std::string> unknown;        ///< words of one's own text that the task does not know: the example is shown
    std::optional<attn::Error> refused;      ///< why one's own text cannot be shown else
    std::uint64_t of_run = 0;  ///< of the training
    std::int64_t step = 0;     ///< of the snapshot
    unsigned serial = 0;                     ///< no two pictures have the same
    std::shared_ptr<const TrainingPicture> beside;  ///< of the variation, after the same step, on the same texts; null: none
};

/// What a picture is made from.
struct TrainingAsked {
    const attn::train::Task* task = nullptr;
    attn::train::TaskOptions options;
    std::uint64_t run = 0;  ///< of the training
    std::int64_t step = 0;
    std::shared_ptr<const std::vector<attn::train::Weight>> weights;
    int example = 0;
    std::string text;  ///< of one's own
    /// Of the variation beside it, after the same step; empty and null: none.
    std::string variation = {};
    std::shared_ptr<const std::vector<attn::train::Weight>> beside = {};
    bool operator==(const TrainingAsked& o) const {
        return task == o.task && weights == o.weights && beside == o.beside && example == o.example && text == o.text;
    }
};
/// Null where it was told to stop.
std::shared_ptr<const TrainingPicture> make_training_picture(const TrainingAsked& asked, unsigned serial,
                                                             const std::stop_token& stop);

/// Means over stretches of steps that are the same width on a log scale; the first steps are each by themselves.
struct TrainingCurves {
    std::vector<double> steps, loss, right;
    std::vector<double> unseen_steps, unseen_right;  ///< measured at snapshots
};
TrainingCurves curves_of(const TrainingNews& news);
/// Answers right, which is what the curve of training counts, too.
double answers_right(const attn::train::TaskMeasure& measure);

struct TrainingData {
    std::shared_ptr<const TrainingNews> news;  ///< null: nothing yet
    int at = -1;                               ///< of the snapshots: the one that is shown
    TrainingCurves curves, beside_curves;
    std::shared_ptr<const TrainingPicture> picture;  ///< of that one, or of the one before while it is being made
    /// The snapshot whose step is nearest; −1: the newest.
    void show(std::int64_t step);
    /// What was measured at the snapshot that is shown, or last before it; null: nothing.
    const UnseenPoint* measured() const;
    const UnseenPoint* beside_measured() const;
    const TrainingSnapshot* shown() const {
        return news && at >= 0 ? &news->snapshots[static_cast<std::size_t>(at)] : nullptr;
    }
    /// The variation's, after the same step; null: nothing is trained beside it.
    const TrainingSnapshot* beside_shown() const {
        return shown() && news->beside ? &news->beside->snapshots[static_cast<std::size_t>(at)] : nullptr;
    }
};

}  // namespace app
