#include "app/screens/training/data.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/timeline/labels.h"
#include "core/analysis/heads.h"

namespace app {

namespace train = attn::train;

namespace {

/// Points of a curve for each doubling of the step.
constexpr double kPointsADoubling = 24;

std::vector<TrainingHead> heads_of(const attn::Trace& trace, const attn::Model& model) {
    const AxisLabels labels = labels_of(trace, Language::English);  // for tokens: the language does not matter
    std::vector<TrainingHead> out;
    for (const attn::AttentionMap& map : attn::attention_maps(trace)) {
        TrainingHead head;
        head.tag = map.tag;
        head.weights = std::make_shared<const attn::Matrix>(attn::weights_of(trace, map));
        for (const attn::Cell& row : map.places) head.rows.push_back(labels.of(trace[row.step].rows, row.row));
        for (int c = 0; c < map.cols; ++c) head.cols.push_back(labels.of(map.keys, c));
        const bool whole = !map.places.empty() && map.places.front().step == map.places.back().step;
        if (whole) head.step = map.places.front().step;
        const auto index = static_cast<std::size_t>(std::max(map.tag.head, 0));
        if (index < model.questions.size()) head.question = model.questions[index].text;
        out.push_back(std::move(head));
    }
    return out;
}

}  // namespace

namespace {

std::shared_ptr<TrainingPicture> picture_of(const TrainingRequest& request, const train::TaskOptions& options,
                                            const std::vector<train::Weight>& weights, unsigned serial, const std::stop_token& stop) {
    const auto model = std::make_shared<attn::Model>(request.task->model("", options, weights));
    const auto count = static_cast<int>(request.task->examples.size());
    const train::TaskExample& example = request.task->examples[static_cast<std::size_t>(std::clamp(request.example, 0, count - 1))];
    auto out = std::make_shared<TrainingPicture>();
    out->serial = serial;
    out->of_run = request.run;
    out->step = request.step;
    out->document = train::task_document(example, model);
    std::optional<attn::Run> run;
    if (!request.text.empty() && example.source.empty()) {
        attn::Document own = out->document;
        own.text = request.text;
        auto made = attn::run(own, stop);
        if (!made)
            out->refused = made.error();
        else if (!made->unknown.empty())
            out->unknown = made->unknown;
        else {
            run = std::move(*made);
            out->document = std::move(own);
        }
    }
    if (!run) {
        auto made = attn::run(out->document, stop);
        if (!made) return nullptr;
        run = std::move(*made);
    }
    out->run = compute_all(*std::move(run), stop);
    if (!out->run) return nullptr;
    out->heads = heads_of(out->run->run.trace, *model);
    out->answers = train::answers_of(*request.task, options, out->run->run);
    return out;
}

}  // namespace

std::shared_ptr<const TrainingPicture> make_training_picture(const TrainingRequest& request, unsigned serial,
                                                             const std::stop_token& stop) {
    train::TaskOptions options = request.options;
    options.figures = false;
    const auto out = picture_of(request, options, *request.weights, serial, stop);
    if (!out || !request.beside) return out;
    options.variation = request.variation;
    out->beside = picture_of(request, options, *request.beside, serial, stop);
    return out->beside ? out : nullptr;
}

double answers_right(const train::TaskMeasure& measure) {
    for (const train::TaskFigure& figure : measure.figures)
        if (figure.id == "answers_right") return figure.value;
    return measure.right;
}

TrainingCurves curves_of(const TrainingNews& news) {
    TrainingCurves out;
    double count = 0, last = -1;
    const auto end_point = [&] {
        if (count == 0) return;
        for (auto* list : {&out.steps, &out.loss, &out.right}) list->back() /= count;
    };
    for (const auto& piece : news.reports)
        for (const train::StepReport& report : *piece) {
            const double point = std::floor(kPointsADoubling * std::log2(static_cast<double>(report.step)));
            if (point != last) {
                end_point();
                for (auto* list : {&out.steps, &out.loss, &out.right}) list->push_back(0);
                count = 0;
                last = point;
            }
            out.steps.back() += static_cast<double>(report.step);
            out.loss.back() += report.loss;
            out.right.back() += report.accuracy;
            ++count;
        }
    end_point();
    for (const UnseenPoint& point : news.unseen) {
        out.unseen_steps.push_back(static_cast<double>(point.step));
        out.unseen_right.push_back(answers_right(*point.measure));
    }
    return out;
}

void TrainingData::show(std::int64_t step) {
    at = -1;
    if (!news) return;
    const auto& all = news->snapshots;
    at = static_cast<int>(all.size()) - 1;
    const auto away = [&](int i) { return std::llabs(all[static_cast<std::size_t>(i)].step - step); };
    for (int i = 0; step >= 0 && i < static_cast<int>(all.size()); ++i)
        if (away(i) < away(at)) at = i;
}

namespace {

const UnseenPoint* measured_by(const TrainingNews& news, std::int64_t step) {
    const UnseenPoint* best = nullptr;
    for (const UnseenPoint& point : news.unseen)
        if (point.step <= step) best = &point;
    return best;
}

}  // namespace

const UnseenPoint* TrainingData::measured() const { return shown() ? measured_by(*news, shown()->step) : nullptr; }
const UnseenPoint* TrainingData::beside_measured() const {
    return beside_shown() ? measured_by(*news->beside, shown()->step) : nullptr;
}

}  // namespace app
