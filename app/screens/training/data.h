#pragma once
// The data of the training screen, made from what the job has published: curves for drawing, and the attention of the
// snapshot under the playhead on an example.

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
    attn::StepId step = attn::kNoStep;            ///< the step whose value they are; kNoStep: combined from several
    std::vector<std::string> rows, cols;
    attn::BothLanguages question;  ///< its question; empty: it has none
};

struct TrainingPicture {
    attn::Document document;                 ///< the model's, with the shown texts
    std::shared_ptr<const Computed> run;
    std::vector<TrainingHead> heads;
    std::vector<attn::train::PlaceAnswer> answers;  ///< the model's predictions for the text; empty: it has none
    std::vector<std::string> unknown;        ///< words of the user's text that the task lacks: the example is shown
    std::optional<attn::Error> refused;      ///< any other reason why the user's own text cannot be shown
    std::uint64_t of_run = 0;  ///< of the training
    std::int64_t step = 0;     ///< of the snapshot
    unsigned serial = 0;                     ///< unique to each picture
    std::shared_ptr<const TrainingPicture> beside;  ///< of the variation, after the same step, same texts; null: none
};

/// What a picture is made from.
struct TrainingRequest {
    const attn::train::Task* task = nullptr;
    attn::train::TaskOptions options;
    std::uint64_t run = 0;  ///< of the training
    std::int64_t step = 0;
    std::shared_ptr<const std::vector<attn::train::Weight>> weights;
    int example = 0;
    std::string text;  ///< the user's own
    /// The variation trained in parallel, after the same step; empty and null: none.
    std::string variation = {};
    std::shared_ptr<const std::vector<attn::train::Weight>> beside = {};
    bool operator==(const TrainingRequest& o) const {
        return task == o.task && weights == o.weights && beside == o.beside && example == o.example && text == o.text;
    }
};
/// Null if it was stopped.
std::shared_ptr<const TrainingPicture> make_training_picture(const TrainingRequest& request, unsigned serial,
                                                             const std::stop_token& stop);

/// Averages over ranges of steps that are equally wide on a log scale; the first steps are not averaged.
struct TrainingCurves {
    std::vector<double> steps, loss, right;
    std::vector<double> unseen_steps, unseen_right;  ///< measured at snapshots
};
TrainingCurves curves_of(const TrainingNews& news);
/// The share of right answers, as in the curve of the training.
double answers_right(const attn::train::TaskMeasure& measure);

struct TrainingData {
    std::shared_ptr<const TrainingNews> news;  ///< null: nothing yet
    int at = -1;                               ///< index of the shown snapshot
    TrainingCurves curves, beside_curves;
    std::shared_ptr<const TrainingPicture> picture;  ///< of that snapshot, or the previous one until it is made
    /// Shows the snapshot whose step is nearest; −1: the newest.
    void show(std::int64_t step);
    /// The measurement at the shown snapshot, or the last one before it; null: none.
    const UnseenPoint* measured() const;
    const UnseenPoint* beside_measured() const;
    const TrainingSnapshot* shown() const {
        return news && at >= 0 ? &news->snapshots[static_cast<std::size_t>(at)] : nullptr;
    }
    /// The variation's snapshot after the same step; null: there is no variation.
    const TrainingSnapshot* beside_shown() const {
        return shown() && news->beside ? &news->beside->snapshots[static_cast<std::size_t>(at)] : nullptr;
    }
};

}  // namespace app
