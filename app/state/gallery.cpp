#include "app/state/gallery.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/state/own_models.h"
#include "app/state/derived.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "app/state/reasons.h"
#include "app/state/refusals.h"
#include "core/analysis/heads.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace app {
namespace {

/// A card has no room for more rows and columns.
constexpr int kMostShown = 16;

/// How much a map shows: the mean of each row's largest weight, squared, times the variety of these weights' positions
/// (a diagonal or a single column counts as one).
double to_be_seen(const attn::Matrix& weights) {
    double sum = 0;
    std::set<Eigen::Index> columns, offsets;
    for (Eigen::Index r = 0; r < weights.rows(); ++r) {
        Eigen::Index at = 0;
        sum += static_cast<double>(weights.row(r).maxCoeff(&at));
        columns.insert(at);
        offsets.insert(at - r);
    }
    const auto rows = static_cast<double>(std::max<Eigen::Index>(weights.rows(), 1));
    const double sharp = sum / rows;
    return sharp * sharp * static_cast<double>(std::min(columns.size(), offsets.size())) / rows;
}

attn::Matrix picture_of(const attn::Trace& trace, const attn::AttentionMap& map) {
    attn::Matrix out = attn::Matrix::Zero(std::min(map.rows(), kMostShown), std::min(map.cols, kMostShown));
    for (Eigen::Index r = 0; r < out.rows(); ++r)
        for (Eigen::Index c = 0; c < out.cols(); ++c) {
            const attn::Cell cell = map.cell(trace, static_cast<int>(r), static_cast<int>(c));
            if (cell.step == attn::kNoStep) continue;
            const float weight = trace[cell.step].value(cell.row, cell.col);
            if (std::isfinite(weight)) out(r, c) = weight;
        }
    return out;
}

/// Takes the weights of the map that shows most, preferring a decoder's to an encoder's; none if the form never holds
/// weights.
void take_picture(GalleryCard& card, const attn::Document& document) {
    const auto run = attn::run(document);
    if (!run) return;
    double best = -1;
    for (const attn::AttentionMap& map : attn::attention_maps(run->trace)) {
        attn::Matrix weights = picture_of(run->trace, map);
        const double seen = to_be_seen(weights) - (map.tag.part == attn::Part::Encoder ? 1.0 : 0.0);
        if (card.picture.size() > 0 && seen <= best) continue;
        best = seen;
        card.picture = std::move(weights);
        card.head = map.tag.head;
        card.map = map.tag;
    }
}

std::vector<GalleryCard> examples(Language language, attn::Convention convention, const std::stop_token& stop) {
    std::vector<const Example*> rows;
    for (const Example& example : example_documents()) rows.push_back(&example);
    std::stable_sort(rows.begin(), rows.end(), [language](const Example* a, const Example* b) {
        return std::pair(a->level, a->language && *a->language != language) <
               std::pair(b->level, b->language && *b->language != language);
    });
    std::vector<GalleryCard> out;
    for (const Example* example : rows) {
        if (stop.stop_requested()) return out;
        GalleryCard card;
        card.id = example->id;
        card.title = tr(example->title, language);
        card.says = tr(example->says, language);
        card.level = example->level;
        take_picture(card, example->document);
        // A form that never holds its weights shows its formula instead.
        if (const attn::Form* form = attn::find_form(example->document.config.form); form && card.picture.size() == 0)
            card.formula = form->formula(example->document.config, convention);
        out.push_back(std::move(card));
    }
    return out;
}

std::vector<GalleryCard> forms(const attn::Document& now, Language language, attn::Convention convention) {
    const std::vector<Refusal> refused = refused_by(now);
    std::vector<GalleryCard> out;
    for (const attn::Form& form : attn::forms()) {
        GalleryCard card;
        card.id = form.id;
        card.title = label_of(form.id, language);
        card.says = sentence_of_form(form.id, language);
        attn::Document with = now;
        choose(with, "variant", form.id);
        card.formula = form.formula(with.config, convention);
        card.chosen = now.config.form == form.id;
        for (const Refusal& one : refused)
            if (one.field == "variant" && one.id == form.id) card.refused = reason_text(one.why, language);
        out.push_back(std::move(card));
    }
    return out;
}

/// The document's own model first, then the shipped ones, beginning with the one of the opening document, then those
/// trained here.
std::vector<GalleryCard> models(const attn::Document& now, Language language, const std::stop_token& stop,
                                const std::filesystem::path& folder) {
    std::vector<GalleryCard> out(1);
    out[0].title = tr(Str::model_none, language);
    out[0].says = tr(Str::model_none_says, language);
    out[0].chosen = !now.model;
    attn::Document without = now;
    use_model(without, nullptr);
    take_picture(out[0], without);
    std::vector<attn::ModelPtr> all;
    for (const std::string_view id : attn::shipped_ids()) all.push_back(attn::shipped_model(id));
    const attn::ModelPtr first = opening_document(language).model;
    std::stable_partition(all.begin(), all.end(), [&](const attn::ModelPtr& model) { return model == first; });
    if (now.model && std::find(all.begin(), all.end(), now.model) == all.end()) all.insert(all.begin(), now.model);
    for (const attn::ModelPtr& model : all) {
        if (stop.stop_requested()) return out;
        out.push_back(card_of_model(model, now, language));
    }
    for (const auto& [name, model] : saved_models(folder, stop)) {
        if (stop.stop_requested()) return out;
        if (!model) {
            GalleryCard& card = out.emplace_back();
            card.id = card.title = attn::visible_text(name);
            card.refused = model.error().text();
        } else if (!now.model || now.model->fingerprint != (*model)->fingerprint) {
            out.push_back(card_of_model(*model, now, language));
        }
    }
    return out;
}

}  // namespace

// Its picture is an example of the task that the model was trained for, else what it does with the document's own text.
GalleryCard card_of_model(const attn::ModelPtr& model, const attn::Document& now, Language language) {
    GalleryCard card;
    card.id = model->name;
    card.model = model;
    card.title = model_title(*model, language);
    card.says = language == Language::Chinese ? model->about.chinese : model->about.english;
    card.chosen = now.model == model;
    if (const attn::train::Task* task = attn::train::task_of(*model)) {
        const attn::train::TaskExample& example = attn::train::example_for(*task, language == Language::Chinese);
        take_picture(card, attn::train::task_document(example, model));
        return card;
    }
    attn::Document with = now;
    use_model(with, model, language);
    take_picture(card, with);
    return card;
}

attn::Matrix map_of(const attn::Document& document, const attn::Tag& tag) {
    const auto run = attn::run(document);
    if (!run) return {};
    for (const attn::AttentionMap& map : attn::attention_maps(run->trace))
        if (map.tag == tag) return picture_of(run->trace, map);
    return {};
}

std::vector<GalleryCard> make_gallery(Gallery which, const attn::Document& now, Language language,
                                      attn::Convention convention, const std::stop_token& stop,
                                      const std::filesystem::path& folder) {
    switch (which) {
        case Gallery::Examples: return examples(language, convention, stop);
        case Gallery::Forms: return forms(now, language, convention);
        case Gallery::Models: return models(now, language, stop, folder);
    }
    return {};
}

}  // namespace app
