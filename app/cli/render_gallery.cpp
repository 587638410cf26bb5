// `render --gallery`: every view, in every look.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/cli/output.h"
#include "app/cli/render_job.h"
#include "app/screens/compare/comparison.h"
#include "app/screens/experiments/look.h"
#include "app/screens/experiments/view.h"
#include "app/screens/heads/heads.h"
#include "app/screens/prediction/look.h"
#include "app/screens/training/training.h"
#include "app/ui/theme.h"
#include "core/document/take.h"

namespace app {
namespace {

constexpr Size kUsual[] = {{1280, 800}, {1920, 1080}};
constexpr Size kProjector{1024, 768};
constexpr Language kLanguages[] = {Language::English, Language::Chinese};

/// Training steps for the training screen, after which heads begin to attend to something.
constexpr int kTrainedSteps = 512;

struct GalleryView {
    std::string name;
    std::function<void(ViewState&)> show;
};

GalleryView screen_view(std::string name, Screen screen, std::string experiment = {}, std::string heads = {}) {
    return {std::move(name), [screen, experiment = std::move(experiment), heads = std::move(heads)](ViewState& v) {
                v.screen = screen;
                v.part<ExperimentsLook>().page = experiment;
                v.part<HeadsChoice>().page = heads;
            }};
}

/// Comparisons that need a choice first (another text, a kept run) show nothing without it.
bool is_chosen_by_itself(const ComparisonKind& kind, const attn::Document& document) {
    const bool needs_more = kind.what == Compares::Text || kind.what == Compares::StoredRun;
    return !needs_more && (!kind.applies || kind.applies(document));
}

void add_comparisons(const attn::Document& document, std::vector<GalleryView>& out) {
    for (const ComparisonKind& kind : comparison_kinds())
        if (is_chosen_by_itself(kind, document))
            out.push_back({fmt::format("compare-{}", kind.id), [&kind](ViewState& v) {
                               v.screen = Screen::Compare;
                               v.part<Comparison>() = {};
                               v.part<Comparison>().kind = kind.id;
                           }});
}

std::vector<GalleryView> views_of(const attn::Document& document) {
    std::vector<GalleryView> out = {screen_view("stage", Screen::Stage), screen_view("flow", Screen::Flow)};
    const attn::Tag product{attn::Role::Scores, document.config.heads > 1 ? 0 : attn::kNoHead};
    out.push_back({"stage-cube", [product](ViewState& v) {
                       v.cube = true;
                       v.playhead = {product, 1};
                   }});
    out.push_back({"flow-fan", [](ViewState& v) {
                       v.screen = Screen::Flow;
                       v.flow.fan = true;
                       v.flow.fanned = 1;
                   }});
    for (const std::string_view page : kHeadsPages) {
        if (page == "regions" && !attn::shows_picture(document)) continue;
        out.push_back(screen_view(fmt::format("heads-{}", page), Screen::Heads, "", std::string(page)));
    }
    for (const std::string_view page : kPredictionPages)
        out.push_back({fmt::format("next-{}", page), [page](ViewState& v) {
                           v.screen = Screen::Prediction;
                           v.part<PredictionLook>().page = page;
                       }});
    for (const ExperimentPage& page : experiment_pages())
        out.push_back(screen_view(fmt::format("experiments-{}", page.id), Screen::Experiments, std::string(page.id)));
    out.push_back({"train", [](ViewState& v) {
                       v.screen = Screen::Train;
                       v.part<TrainingLook>().until = kTrainedSteps;
                   }});
    add_comparisons(document, out);
    for (const auto& [name, sheet] : {std::pair{"keys", Sheet::Keys},
                                      {"palette", Sheet::Palette},
                                      {"export", Sheet::Export},
                                      {"description", Sheet::Description},
                                      {"tour", Sheet::Tour},
                                      {"examples", Sheet::Examples},
                                      {"forms", Sheet::Forms},
                                      {"models", Sheet::Models}})
        out.push_back({fmt::format("sheet-{}", name), [sheet = sheet](ViewState& v) { v.sheet = sheet; }});
    out.push_back({"present", [](ViewState& v) { v.present.on = true; }});
    out.push_back({"columns", [](ViewState& v) { v.convention = attn::Convention::Columns; }});
    return out;
}

/// A look: what its pictures have in common.
struct Look {
    std::string_view theme;
    Language language;
    Size size;
    std::string folder() const {
        return fmt::format("{}-{}-{:.0f}x{:.0f}", theme, language_id(language), size.w, size.h);
    }
};

/// All looks, or those that the options select.
std::vector<Look> looks(const RenderJob& job) {
    const RenderOptions& only = job.options;
    const float scale = only.scale;
    std::vector<Look> out;
    for (const auto& theme : themes())
        for (const Language language : kLanguages) {
            if (!only.theme.empty() && theme.id != only.theme) continue;
            if (!only.language.empty() && language != find_language(only.language)) continue;
            const auto add = [&](Size size) { out.push_back({theme.id, language, size}); };
            if (!only.size.empty()) {
                add(job.size);
                continue;
            }
            if (theme.id == "projector") add({kProjector.w * scale, kProjector.h * scale});
            for (const Size size : kUsual) add({size.w * scale, size.h * scale});
        }
    return out;
}

void show(const RenderJob& job, const ViewState& plain, const Look& look, const GalleryView& view) {
    job.studio.change_view([&](ViewState& v) {
        v = plain;
        v.theme = look.theme;
        v.language = look.language;
        view.show(v);
    });
}

/// A page that the document does not have shows another page instead, so it is left out.
attn::Result<std::vector<GalleryView>> distinct(const RenderJob& job, const ViewState& plain,
                                                std::vector<GalleryView> all) {
    std::vector<GalleryView> out;
    std::vector<gfx::Image> seen;
    constexpr Size kSmall{640, 400};
    for (GalleryView& view : all) {
        show(job, plain, {"light", Language::English, kSmall}, view);
        auto image = job.studio.picture(kSmall);
        if (!image) return image.error();
        const auto same = [&](const gfx::Image& other) { return other.rgba == image->rgba; };
        if (std::any_of(seen.begin(), seen.end(), same)) continue;
        seen.push_back(*std::move(image));
        out.push_back(std::move(view));
    }
    return out;
}

}  // namespace

Exit render_gallery(const RenderJob& job) {
    if (const auto shown = show_place(job); !shown) return fail(job.streams, Exit::BadInput, shown.error());
    const ViewState plain = job.studio.view();
    const auto views = distinct(job, plain, views_of(job.document));
    if (!views) return fail(job.streams, Exit::Failure, views.error());
    const std::vector<Look> all = looks(job);
    std::size_t done = 0;
    for (const Look& look : all) {
        const auto folder = std::filesystem::path(job.options.gallery) / look.folder();
        if (const auto begun = begin_folder(folder); !begun) return fail(job.streams, Exit::Failure, begun.error());
        RenderJob one = job;
        one.size = look.size;
        for (const GalleryView& view : *views) {
            show(job, plain, look, view);
            if (const Exit written = write_png(one, (folder / (view.name + ".png")).string()); written != Exit::Ok)
                return written;
            ++done;
            tell_progress(job, static_cast<double>(done) / static_cast<double>(all.size() * views->size()));
        }
        finish_folder(folder);
    }
    return Exit::Ok;
}

}  // namespace app
