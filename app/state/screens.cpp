#include "app/state/screens.h"

#include <algorithm>
#include <iterator>

#include "app/screens/compare/comparison.h"
#include "app/screens/experiments/experiments.h"
#include "app/screens/heads/heads.h"

namespace app {
namespace {

template <class Rows>
std::vector<std::string_view> ids_of(const Rows& rows) {
    std::vector<std::string_view> out;
    for (const auto& row : rows) out.push_back(row.id);
    return out;
}

constexpr ScreenPages kComparisons = {[] { return ids_of(comparison_kinds()); },
                                      [](const ViewState& v) -> const std::string& { return v.comparison.kind; },
                                      [](ViewState& v, std::string page) { v.comparison.kind = std::move(page); }};
constexpr ScreenPages kExperimentPages = {[] { return ids_of(experiment_topics()); },
                                   [](const ViewState& v) -> const std::string& { return v.experiment_page; },
                                   [](ViewState& v, std::string page) { v.experiment_page = std::move(page); }};
constexpr ScreenPages kPredictionPagesOf = {
    [] { return std::vector<std::string_view>(std::begin(kPredictionPages), std::end(kPredictionPages)); },
    [](const ViewState& v) -> const std::string& { return v.prediction.page; },
    [](ViewState& v, std::string page) { v.prediction.page = std::move(page); }};
constexpr ScreenPages kHeadsPagesOf = {
    [] { return std::vector<std::string_view>(std::begin(kHeadsPages), std::end(kHeadsPages)); },
    [](const ViewState& v) -> const std::string& { return v.heads.page; },
    [](ViewState& v, std::string page) { v.heads.page = std::move(page); }};

/// It says words, so there is something to predict.
bool has_words(const attn::Document& document) { return attn::says_words(document); }

/// A page of it applies.
bool has_experiments(const attn::Document& document) { return !shown_experiment_page("", document).empty(); }

constexpr ScreenRow kScreens[] = {
#define SCREEN(name, id_, ...) {.screen = Screen::name, .id = #id_, .title = Str::screen_##id_, __VA_ARGS__},
#include "app/state/screens.inc"
#undef SCREEN
};
static_assert(std::size(kScreens) == kScreenCount);

}  // namespace

std::span<const ScreenRow> screens() { return kScreens; }

Part part_of(Screen screen) {
    constexpr Part kParts[] = {
#define SCREEN(name, id, ...) Part::id,
#include "app/state/screens.inc"
#undef SCREEN
    };
    return kParts[static_cast<std::size_t>(screen)];
}

const ScreenRow& row_of(Screen screen) { return kScreens[static_cast<std::size_t>(screen)]; }

bool is_available(Screen screen, const attn::Document& document) {
    const auto available = row_of(screen).available;
    return !available || available(document);
}

std::string_view screen_id(Screen screen) { return row_of(screen).id; }

std::optional<Screen> find_screen(std::string_view id) {
    const auto at =
        std::find_if(std::begin(kScreens), std::end(kScreens), [&](const ScreenRow& r) { return r.id == id; });
    return at == std::end(kScreens) ? std::nullopt : std::optional(at->screen);
}

}  // namespace app
