// The prediction screen: its row in the table of screens, which of its view state is saved, and when its data is
// recomputed.

#include "app/screens/prediction/integrated.h"
#include "app/screens/prediction/prediction.h"
#include "app/screens/prediction/sweep.h"
#include "app/state/follower.h"
#include "app/state/memo.h"
#include "app/state/screens.h"
#include "app/state/view_row.h"

namespace app {
namespace {

constexpr field::Bounds kTemperatureBounds{kLeastTemperature, kMostTemperature};
using Temperature = field::Number<kTemperatureBounds>;
/// What was written here, and at which position, is not saved.
constexpr field::Row<SweepLook> kSweepRows[] = {
    field::row<SweepLook, field::Text, MEMBER(by)>("by"),
    field::row<SweepLook, field::Text, MEMBER(from)>("from"),
    field::row<SweepLook, field::Text, MEMBER(places)>("places"),
};
constexpr field::Row<IntegratedLook> kIntegratedRows[] = {
    field::row<IntegratedLook, field::Text, MEMBER(baseline)>("baseline"),
    field::row<IntegratedLook, field::Whole<1, kMostIntegratedPoints>, MEMBER(points)>("points"),
};
constexpr field::Row<PredictionLook> kPredictionRows[] = {
    field::row<PredictionLook, field::Text, MEMBER(page)>("page"),
    field::row<PredictionLook, field::Truth, MEMBER(draw)>("draw"),
    field::row<PredictionLook, Temperature, MEMBER(temperature)>("temperature"),
    field::row<PredictionLook, field::Whole<0, kMostTopK>, MEMBER(top_k)>("top_k"),
    field::row<PredictionLook, field::Share, MEMBER(top_p)>("top_p"),
    field::row<PredictionLook, field::Whole<0, 1 << 30>, MEMBER(seed)>("seed"),
    field::row<PredictionLook, field::Whole<-1, 1 << 20>, MEMBER(place)>("row"),
    field::row<PredictionLook, field::Whole<-1, 1 << 30>, MEMBER(target)>("target"),
    field::row<PredictionLook, field::Text, MEMBER(measure)>("measure"),
    field::row<PredictionLook, field::Whole<kNoOther, 1 << 30>, MEMBER(against)>("against"),
    field::row<PredictionLook, field::Object<kSweepRows>, MEMBER(sweep)>("sweep"),
    field::row<PredictionLook, field::Object<kIntegratedRows>, MEMBER(integrated)>("integrated"),
};

/// The logit of the chosen token; nothing while the prediction is of another run.
std::optional<attn::Cell> logit_of_taken(const attn::Trace& trace, const PredictionData& prediction, std::uint64_t generation) {
    const attn::StepId logits = attn::logits_step(trace);
    if (prediction.row < 0 || prediction.generation != generation || logits == attn::kNoStep) return std::nullopt;
    return attn::Cell{logits, prediction.row, prediction.taken.word.id};
}

/// Softmaxes over a whole vocabulary, and the lens's products with it, are computed on a thread. The old data stays
/// visible until then, but nothing is taken from another run's data.
class PredictionFollower : public Follower {
public:
    void follow(const AppState& state, Derived& derived) override {
        remake(state, derived);
        const PredictionData& shown = derived.part<PredictionData>();
        derived.to_explain = logit_of_taken(derived.run->trace, shown, derived.generation);
        const std::string_view page = page_of(state, state.view.part<PredictionLook>());
        if (shown.parts && page == "parts") derived.shown_head = head_among(*shown.parts, derived.shown_head);
        if (page == "interventions")
            sweep_.follow(state, derived);
        else
            sweep_.rest(derived);
        if (page == "parts" && state.view.part<PredictionLook>().integrates())
            integrated_.follow(state, derived);
        else
            integrated_.rest(derived);
    }
    void rest(Derived& derived) override {
        sweep_.rest(derived);
        integrated_.rest(derived);
    }
    Beside beside(const AppState&) override { return {.document = {}, .unedited = true}; }
    std::span<LateJob* const> jobs() override { return jobs_; }
    int made() const override { return memo_.made() + sweep_.made() + integrated_.made(); }

private:
    static std::string_view page_of(const AppState& state, const PredictionLook& look) {
        return has_given_stream(state.document) ? std::string_view("stream") : prediction_page(look.page);
    }

    void remake(const AppState& state, Derived& derived) {
        PredictionData& shown = derived.part<PredictionData>();
        memo_.take(shown);
        PredictionLook look = state.view.part<PredictionLook>();
        look.layers = PredictionLook{}.layers;
        look.sweep = {};
        look.integrated = {};
        const std::string_view page = page_of(state, look);
        if (page == "words") look.target = PredictionLook{}.target;
        if (page != "parts" || look.integrates()) look.measure = PredictionLook{}.measure;
        if (page != "parts" && page != "interventions") look.against = PredictionLook{}.against;
        const std::tuple key{derived.generation, derived.unedited.generation, look};
        if (memo_.requested_for(key)) return;
        if (!attn::says_words(state.document) && !has_given_stream(state.document)) shown = {};
        const auto make = [run = derived.computed, before = derived.unedited.computed, document = state.document, look,
                           generation = derived.generation](const std::stop_token& stop) {
            PredictionData data;
            data.generation = generation;
            make_prediction(*run, before.get(), document, look, data, stop);
            return data;
        };
        memo_.ask(shown, key, false, make);
        shown.computing = true;
    }

    LateMemo<std::tuple<std::uint64_t, std::uint64_t, PredictionLook>, PredictionData> memo_;
    SweepMaker sweep_;
    IntegratedMaker integrated_;
    LateJob* const jobs_[3] = {&memo_.job(), &sweep_.job(), &integrated_.job()};
};

/// Only models that predict words have this screen, and files with a residual stream.
bool has_words_or_stream(const attn::Document& document) { return attn::says_words(document) || has_given_stream(document); }

/// The head that is shown takes the place of another part that was chosen on the page of interventions.
void show_chosen_head(ViewState& view) {
    if (std::as_const(view).part<PredictionLook>().sweep.place) view.part<PredictionLook>().sweep.place.reset();
}

constexpr ScreenPages kPredictionScreenPages = {
    [] { return std::vector<std::string_view>(std::begin(kPredictionPages), std::end(kPredictionPages)); },
    [](const ViewState& v) -> const std::string& { return v.part<PredictionLook>().page; },
    [](ViewState& v, std::string page) { v.part<PredictionLook>().page = std::move(page); }};

}  // namespace

constexpr ViewField kPredictionField =
    part_field<field::Object<kPredictionRows>, MEMBER(template part<PredictionLook>())>("prediction", kObject, kChapter);

constexpr ScreenRow kPredictionScreen = {.inspector = true, .steps = false, .walks = false, .timeline = false,
                                         .available = has_words_or_stream, .pages = &kPredictionScreenPages, .follower = make_follower<PredictionFollower>,
                                         .head_chosen = show_chosen_head};

}  // namespace app
