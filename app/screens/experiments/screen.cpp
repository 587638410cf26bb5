// The experiments: their row in the table of screens, which of their view state is saved, and when their data is
// recomputed.

#include "app/screens/experiments/experiments.h"
#include "app/state/follower.h"
#include "app/state/memo.h"
#include "app/state/screens.h"
#include "app/state/view_row.h"

namespace app {
namespace {

/// A kernel width is odd, so that the kernel has a centre.
struct Odd : field::Whole<3, attn::kWidestKernel> {
    static bool read(int& out, const attn::JsonValue& v) {
        const bool good = Whole::read(out, v);
        if (good) out |= 1;
        return good;
    }
};
using PathName = field::Named<attn::find_path_kind, attn::path_kind_id>;
constexpr field::Bounds kRadiusBounds{attn::kLeastRadius, attn::kLargestRadius};
using Radius = field::Number<kRadiusBounds>;
constexpr field::Row<PathsLook> kPathsRows[] = {
    field::row<PathsLook, Odd, MEMBER(dials.kernel)>("kernel"),
    field::row<PathsLook, field::Truth, MEMBER(dials.dilated)>("dilated"),
    field::row<PathsLook, field::Whole<0, attn::kMostPathLayers>, MEMBER(dials.layers)>("layers"),
    field::row<PathsLook, Radius, MEMBER(dials.radius)>("radius"),
    field::row<PathsLook, field::Ordinal<>, MEMBER(from)>("from"),
    field::row<PathsLook, field::Ordinal<0>, MEMBER(to)>("to"),
    field::row<PathsLook, field::Maybe<PathName>, MEMBER(only)>("only"),
};

/// For longer texts, paths between tokens are measured on a thread.
constexpr std::size_t kPathsAtOnce = 128;

class ExperimentsFollower : public Follower {
public:
    void follow(const AppState& state, Derived& derived) override {
        ExperimentData& shown = derived.part<ExperimentData>();
        memo_.take(shown);
        const ViewState& view = state.view;
        ExperimentsLook look = view.part<ExperimentsLook>();
        look.page = shown_experiment_page(look.page, state.document);
        const int head = state.document.config.heads > 1 ? view.head : attn::kNoHead;
        // The row of a focused cell, else the first one.
        const auto pointed = cell_of(derived.run->trace, view.pointed), pinned = cell_of(derived.run->trace, view.pinned);
        const int row = pointed ? pointed->row : pinned ? pinned->row : 0;
        const Key key{derived.generation, head, row, look};
        if (memo_.requested_for(key)) return;
        const bool large = look.page == "paths" && derived.run->trace.tokens.size() > kPathsAtOnce;
        // The old paths are of another run's tokens.
        if (memo_.of() && std::get<0>(*memo_.of()) != derived.generation) shown.paths = {};
        const auto make = [run = derived.computed, document = state.document, head, row, look, revision = memo_.made(),
                           before = shown](const std::stop_token& stop) {
            ExperimentData made = before;
            make_experiments({look.page, run->run, document, head, row, look.scaling_width, look.scaling_seed, look.paths, stop}, made);
            made.revision = revision;
            made.computing = false;
            return made;
        };
        memo_.ask(shown, key, !large, make);
        shown.computing = large;
    }
    std::span<LateJob* const> jobs() override { return jobs_; }
    int made() const override { return memo_.made(); }

private:
    /// The run, the head, the shown row, the page and its controls.
    using Key = std::tuple<std::uint64_t, int, int, ExperimentsLook>;
    LateMemo<Key, ExperimentData> memo_;
    LateJob* const jobs_[1] = {&memo_.job()};
};

/// Whether one of the pages applies.
bool has_experiments(const attn::Document& document) { return !shown_experiment_page("", document).empty(); }

constexpr ScreenPages kExperimentsPages = {[] {
                                               std::vector<std::string_view> out;
                                               for (const ExperimentTopic& topic : experiment_topics()) out.push_back(topic.id);
                                               return out;
                                           },
                                           [](const ViewState& v) -> const std::string& { return v.part<ExperimentsLook>().page; },
                                           [](ViewState& v, std::string page) { v.part<ExperimentsLook>().page = std::move(page); }};

}  // namespace

constexpr ViewField kExperimentPageField =
    part_field<field::Text, MEMBER(template part<ExperimentsLook>().page)>("experiment_page", kName, kChapter);
constexpr ViewField kScalingWidthField =
    part_field<field::Whole<1, kWidestScaling>, MEMBER(template part<ExperimentsLook>().scaling_width)>("scaling_width", "a whole number", kChapter);
constexpr ViewField kScalingSeedField =
    part_field<field::Whole<0, 2147483647>, MEMBER(template part<ExperimentsLook>().scaling_seed)>("scaling_seed", "a whole number", kChapter);
constexpr ViewField kPathsField =
    part_field<field::Object<kPathsRows>, MEMBER(template part<ExperimentsLook>().paths)>("paths", kObject, kChapter);

constexpr ScreenRow kExperimentsScreen = {.walks = false, .available = has_experiments, .pages = &kExperimentsPages,
                                          .follower = make_follower<ExperimentsFollower>};

}  // namespace app
