// The compare screen: its row in the table of screens, which of its view state is saved, and when its data is
// recomputed.

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "app/screens/compare/comparison.h"
#include "app/state/follower.h"
#include "app/state/memo.h"
#include "app/state/own_models.h"
#include "app/state/screens.h"
#include "app/state/view_row.h"
#include "core/document/link.h"
#include "core/model/model.h"
#include "core/model/named.h"

namespace app {
namespace {

/// A document as a link; other texts are rejected.
struct Link : field::Text {
    static bool read(std::string& out, const attn::JsonValue& v) {
        return (v.string.empty() || attn::document_from_link(v.string)) && field::Text::read(out, v);
    }
};
constexpr field::Row<Comparison> kComparisonRows[] = {field::row<Comparison, field::Text, MEMBER(kind)>("kind"),
                                               field::row<Comparison, field::Text, MEMBER(choice)>("choice"),
                                               field::row<Comparison, field::Ordinal<>, MEMBER(first)>("first"),
                                               field::row<Comparison, field::Ordinal<>, MEMBER(second)>("second"),
                                               field::row<Comparison, field::Text, MEMBER(shown)>("shown"),
                                               field::row<Comparison, field::Text, MEMBER(text)>("text"),
                                               field::row<Comparison, field::Text, MEMBER(model)>("model"),
                                               field::row<Comparison, Link, MEMBER(stored_link)>("kept")};

/// The number of weights in all maps.
Eigen::Index weights_in(const attn::Trace& trace) {
    Eigen::Index out = 0;
    for (const attn::Step& step : trace.steps)
        if (step.tag.role == attn::Role::Weights && step.tag.pass == 0) out += step.value.size();
    return out;
}

class CompareFollower : public Follower {
public:
    Beside beside(const AppState& state) override {
        const Comparison& comparison = state.view.part<Comparison>();
        Beside out;
        out.unedited = true;
        out.same_run = kind_of(comparison, state.document).what == Compares::Head;
        if (out.same_run) return out;
        if (wants_model(state.view, state.document)) {
            follow_model(comparison.model);
            if (!opened_.model) return out;
        }
        const attn::ModelPtr model = wants_model(state.view, state.document) ? opened_.model : nullptr;
        wanted_.follow(other_, {state.document, comparison, model}, [&](attn::Document& made) { made = other_document(state.document, comparison, model); });
        out.document = other_;
        return out;
    }
    /// Releases large matrices that are not shown.
    void rest(Derived& derived) override {
        if (!memo_.requested()) return;
        memo_.forget();
        changes_ = {};
        derived.part<ComparisonData>().compared = {};
    }
    void follow(const AppState& state, Derived& derived) override {
        ComparisonData& shown = derived.part<ComparisonData>();
        memo_.take(shown.compared);
        shown.model_title = opened_.title[static_cast<std::size_t>(state.view.language)];
        shown.model_error = opened_.error;
        shown.model_missing = opened_.missing;
        shown.opening = !opened_.model && !opened_.error && model_.requested();
        const Runs runs{derived.generation, derived.other.generation};
        if (shown.compared.changes && shown_runs_ == runs) changes_ = {runs, shown.compared.changes};
        const Comparison& comparison = state.view.part<Comparison>();
        const attn::Trace& trace = derived.run->trace;
        const auto step = derived.pose.step;
        attn::Tag near = step == attn::kNoStep ? attn::Tag{} : trace[step].tag;
        near.head = state.document.config.heads > 1 ? state.view.head : attn::kNoHead;
        const Key key{derived.generation, derived.other.generation, derived.same_run, comparison, near,
                      state.view.language};
        if (memo_.requested_for(key)) return;
        const ComparisonKind& kind = kind_of(comparison, state.document);
        shown.choices = choices_of(kind, state.document, state.view.head);
        shown.choice = choice_of(kind, comparison, shown.choices);
        const std::shared_ptr<const Computed> with = derived.same_run ? derived.computed : derived.other.computed;
        shown.compared = {};
        bool large = false;
        if (with) {
            shown.labels = labels_of(with->run.trace, state.view.language);
            ComparedPlace place{comparison.shown, near, {}, {}};
            if (kind.what == Compares::Order) place.swap = swap_of(comparison, static_cast<int>(trace.tokens.size()));
            if (kind.what == Compares::Head && !shown.choice.empty())
                place.other_head = head_of_choice(shown.choice);
            // The alignment of the matrices is known at once; the difference of large ones takes a while.
            shown.compared = place_runs(trace, with->run.trace, place);
            shown.compared.serial = ++serial_;
            const attn::StepId left = shown.compared.left;
            large = left != attn::kNoStep && trace[left].value.size() > kSubtractedAtOnce;
        }
        // If only another matrix of the same two runs is shown, the heads are unchanged.
        const bool ranks = with && ranks_heads(kind);
        if (ranks && changes_.first == runs) shown.compared.changes = changes_.second;
        const bool measures = ranks && !shown.compared.changes;
        large |= measures && weights_in(trace) > kSubtractedAtOnce;
        shown_runs_ = runs;
        const auto make = [left = derived.computed, with, measures, placed = shown.compared](const std::stop_token&) {
            Compared made = placed;
            if (with) subtract_runs(left->run.trace, with->run.trace, made);
            if (measures) made.changes = std::make_shared<const attn::HeadChanges>(attn::head_changes(left->run.trace, with->run.trace));
            return made;
        };
        memo_.ask(shown.compared, key, !large, make);
    }
    std::span<LateJob* const> jobs() override { return jobs_; }
    int made() const override { return memo_.made(); }

private:
    /// The other model, read on a thread: a folder may be large, or on a slow disk.
    struct Opened {
        attn::ModelPtr model;
        std::string title[kLanguageCount];
        std::optional<attn::Error> error;
        bool missing = false;
    };
    void follow_model(const std::string& name) {
        model_.take(opened_);
        if (model_.requested_for(name)) return;
        opened_ = {};
        if (name.empty()) return model_.forget();
        model_.ask(opened_, name, false, [name](const std::stop_token&) { return open(name); });
    }
    static Opened open(const std::string& name) {
        Opened out;
        auto model = attn::find_model(name, {.folders = true});
        if (model) {
            out.model = std::move(*model);
            for (const Language language : {Language::English, Language::Chinese}) out.title[static_cast<std::size_t>(language)] = model_title(*out.model, language);
            return out;
        }
        std::error_code problem;
        out.error = model.error();
        out.missing = !std::filesystem::exists(name, problem);
        return out;
    }

    Memo<std::tuple<attn::Document, Comparison, attn::ModelPtr>, attn::Document> wanted_;
    LateMemo<std::string, Opened> model_;
    Opened opened_;
    attn::Document other_;
    /// Both runs, what is compared, and the position of the walk.
    using Key = std::tuple<std::uint64_t, std::uint64_t, bool, Comparison, attn::Tag, Language>;
    LateMemo<Key, Compared> memo_;
    LateJob* const jobs_[2] = {&memo_.job(), &model_.job()};
    unsigned serial_ = 0;
    using Runs = std::pair<std::uint64_t, std::uint64_t>;
    Runs shown_runs_{};  ///< of the shown data
    std::pair<Runs, std::shared_ptr<const attn::HeadChanges>> changes_;
};

constexpr ScreenPages kComparePages = {[] {
                                           std::vector<std::string_view> out;
                                           for (const ComparisonKind& kind : comparison_kinds()) out.push_back(kind.id);
                                           return out;
                                       },
                                       [](const ViewState& v) -> const std::string& { return v.part<Comparison>().kind; },
                                       [](ViewState& v, std::string page) { v.part<Comparison>().kind = std::move(page); }};

}  // namespace

constexpr ViewField kComparisonField =
    part_field<field::Object<kComparisonRows>, MEMBER(template part<Comparison>())>("comparison", kObject, kChapter);

constexpr ScreenRow kCompareScreen = {.walks = false, .maps = true, .pages = &kComparePages,
                                      .follower = make_follower<CompareFollower>};

}  // namespace app
