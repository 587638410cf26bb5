// The heads screen: its row in the table of screens, which of its view state is saved, and when its data is recomputed.

#include "app/screens/heads/heads.h"
#include "app/screens/heads/parts.h"
#include "app/state/follower.h"
#include "app/state/memo.h"
#include "app/state/screens.h"
#include "app/state/view_row.h"
#include "core/remake/remake.h"

namespace app {
namespace {

using Feature = field::Ordinal<0, attn::kMaxWidth>;
constexpr field::Bounds kTimesBounds{0, 1000};
constexpr field::Row<HeadsChoice> kHeadsRows[] = {
    field::row<HeadsChoice, field::Text, MEMBER(page)>("page"),
    field::row<HeadsChoice, field::StepName, MEMBER(at)>("at"),
    field::row<HeadsChoice, field::Text, MEMBER(measure)>("measure"),
    field::row<HeadsChoice, field::Text, MEMBER(through)>("through"),
    field::row<HeadsChoice, field::Whole<0, attn::kMaxLayers>, MEMBER(layers)>("layers"),
    field::row<HeadsChoice, field::Text, MEMBER(shown)>("shown"),
    field::row<HeadsChoice, field::Text, MEMBER(plane)>("plane"),
    field::row<HeadsChoice, field::Text, MEMBER(role)>("role"),
    field::row<HeadsChoice, field::Text, MEMBER(composes)>("composes"),
    field::row<HeadsChoice, field::Truth, MEMBER(repeated)>("repeated"),
    field::row<HeadsChoice, field::Truth, MEMBER(only_here)>("only_here"),
    field::row<HeadsChoice, field::Text, MEMBER(find)>("find"),
    field::row<HeadsChoice, field::Number<kTimesBounds>, MEMBER(times)>("times"),
    field::row<HeadsChoice, field::Truth, MEMBER(matrix)>("matrix"),
    field::row<HeadsChoice, field::Truth, MEMBER(small_lines)>("small_lines"),
    field::row<HeadsChoice, field::Truth, MEMBER(hide_first)>("hide_first"),
    field::row<HeadsChoice, field::Truth, MEMBER(hide_special)>("hide_special"),
    field::row<HeadsChoice, field::Truth, MEMBER(renormalise)>("renormalise"),
    field::row<HeadsChoice, field::Share, MEMBER(keep)>("keep"),
    field::row<HeadsChoice, field::Ordinals, MEMBER(only)>("only"),
    field::row<HeadsChoice, field::Ordinals, MEMBER(queries)>("queries"),
    field::row<HeadsChoice, field::Ordinals, MEMBER(keys)>("keys"),
    field::row<HeadsChoice, Feature, MEMBER(first)>("first"),
    field::row<HeadsChoice, Feature, MEMBER(second)>("second"),
};

/// Without the transient state of a dragged arrow.
HeadsChoice at_rest(HeadsChoice heads) {
    heads.held = false;
    heads.after = 1;
    return heads;
}
constexpr ViewField heads_field(unsigned uses) {
    ViewField out = part_field<field::Object<kHeadsRows>, MEMBER(template part<HeadsChoice>())>("heads", kObject, uses);
    out.copy = [](ViewState& to, const ViewState& from) {
        const HeadsChoice resting = at_rest(from.part<HeadsChoice>());
        if (std::as_const(to).part<HeadsChoice>() != resting) to.part<HeadsChoice>() = resting;
    };
    out.same = [](const ViewState& a, const ViewState& b) { return at_rest(a.part<HeadsChoice>()) == at_rest(b.part<HeadsChoice>()); };
    return out;
}

/// What the maps of the heads depend on, and what a page depends on.
using MapsKey = std::tuple<std::uint64_t, Language, bool, bool, bool, std::string>;
struct HeadsKey {
    MapsKey maps;
    HeadsChoice choice;
    int head = 0;
    LookedAt cells;
    bool shared_scale = false;  ///< if that needs more data than there is
    bool roles = false;          ///< they are shown
    std::uint64_t repeated = 0;  ///< the run of repeated words, if roles are measured on it
    double budget = 0;          ///< of memory
    bool operator==(const HeadsKey&) const = default;
};

/// The maps of a long text are processed on a thread; meanwhile the old data stays if it is of the same run.
class HeadsFollower : public Follower {
public:
    Beside beside(const AppState& state) override {
        const HeadsChoice& choice = state.view.part<HeadsChoice>();
        if (!choice.repeated || !shows_roles(choice)) return {};
        words_.follow(repeated_, state.document, [&](std::optional<attn::Document>& made) { made = on_repeated_words(state.document); });
        return {.document = repeated_};
    }
    /// There is no motion on this screen: a weight is explained.
    void follow(const AppState& state, Derived& derived) override {
        remake(state, derived);
        if (HeadsData& made = derived.part<HeadsData>(); made.here())
            order_heads(state.view.part<HeadsChoice>(), made.here()->at, counts_from(state.view, state.document), made.ranked);
        const std::string& page = state.view.part<HeadsChoice>().page;
        if (page == "composition" || page == "circuit") follow_weights(state, derived);
        if (page == "composition")
            follow_compositions(state, derived);
        else
            rest_compositions();
        if (page == "circuit" && std::as_const(derived).part<HeadsData>().here())
            follow_circuit(state, derived);
        else
            circuit_.rest();
        const HeadsData& shown = derived.part<HeadsData>();
        derived.to_explain = shown.at_first;
        // While a sheet is written what is explained goes with it.
        if (shown.page == "alignment" && shown.here())
            if (const attn::Cell cell = strongest_written(derived, shown); cell.step != attn::kNoStep) derived.to_explain = cell;
        if (const HeadsPlace* here = shown.here()) derived.shown_head = {here->at, state.view.head};
    }
    void rest(Derived&) override {
        rest_compositions();
        circuit_.rest();
    }
    std::span<LateJob* const> jobs() override { return jobs_; }
    int made() const override { return memo_.made() + composed_.made() + circuit_.made(); }

private:
    void remake(const AppState& state, Derived& derived) {
        HeadsData& shown = derived.part<HeadsData>();
        memo_.take(shown);
        const ViewState& view = state.view;
        const HeadsChoice& choice = view.part<HeadsChoice>();
        const attn::Trace& trace = derived.run->trace;
        const LookedAt cells{cell_of(trace, view.pointed), cell_of(trace, view.pinned)};
        // Only these pages show a single pair: the others need not be recomputed when the pointer moves.
        const std::string_view page = choice.page;
        const bool pair = page == "neuron" || page == "plane";
        HeadsChoice read = read_by_page(choice);
        if (reads_maps_from_disk(trace)) read.matrix = choice.matrix;  // the maps are held for it alone
        const HeadsKey key{{derived.generation, view.language, choice.hide_first, choice.hide_special, choice.renormalise, choice.measure},
                           std::move(read),
                           view.head,
                           pair ? cells : LookedAt{},
                           view.shared_scale && has_large_heads(trace),
                           shows_roles(choice),
                           repeated_ ? derived.other.generation : 0,
                           attn::memory_budget()};
        if (memo_.requested_for(key)) return;
        if (!memo_.of() || std::get<0>(memo_.of()->maps) != derived.generation) {
            // The old data refers to another run's steps; only the plane of a dragged arrow is kept.
            const attn::Plane held = shown.plane.plane;
            shown = {};
            shown.plane.plane = held;
        }
        const bool again = !memo_.of() || memo_.of()->maps != key.maps;
        const bool large = has_large_heads(trace) || takes_long(trace, choice);
        const bool can_repeat = knows_words(state.document);
        const auto make = [run = derived.computed, axes = derived.labels, key, cells, again, can_repeat, measured_on = roles_run(choice, derived),
                           before = shown](const std::stop_token& stop, const SoFar& so_far) {
            HeadsData data = before;
            data.computing = true;
            if (again) make_heads(run, axes, key.choice, data, stop);
            make_heads_page(run->run.trace, axes, key.choice, key.head, key.shared_scale, cells, data, stop, so_far);
            data.can_repeat = can_repeat;
            measure_roles(measured_on, data);
            data.computing = false;
            return data;
        };
        memo_.ask_by_parts(shown, key, !large, make);
        shown.computing = large;
    }

    /// Of what depends on the weights alone another text needs nothing again.
    void follow_weights(const AppState& state, const Derived& derived) {
        // While another run is being computed, the present one is not the document's.
        if (!derived.computing)
            weights_.follow(weights_of_, derived.generation, [&](attn::Document& made) {
                made = state.document;
                made.text.clear();
                made.source.clear();
                made.tokens.clear();
            });
    }
    void follow_circuit(const AppState& state, Derived& derived) {
        HeadsData& data = derived.part<HeadsData>();
        const attn::Tag head = data.maps[static_cast<std::size_t>(data.here()->maps[static_cast<std::size_t>(data.head)])].tag;
        circuit_.follow(weights_of_, head, state.view.part<HeadsChoice>().queries, state.document, derived);
        data.circuit = circuit_.data();
    }
    void follow_compositions(const AppState& state, Derived& derived) {
        CompositionData& shown = derived.part<HeadsData>().composition;
        if (composed_.take(composed_now_)) ++composed_serial_;
        if (!composed_.requested_for(weights_of_) && !derived.computing) {
            composed_now_.reset();
            ++composed_serial_;
            composed_.ask(composed_now_, weights_of_, false, [run = derived.computed](const std::stop_token& stop) { return make_compositions(run->run, stop); });
        }
        const attn::Composes by = composes_by(state.view.part<HeadsChoice>().composes);
        if (shown.of == composed_serial_ && shown.by == by) return;
        shown.of = composed_serial_;
        shown.all = composed_now_;
        shown.none = !composed_.job().busy() && !shown.all;
        lay_out_compositions(by, shown);
        shown.serial = ++laid_out_;
    }
    void rest_compositions() {
        if (composed_.job().busy()) composed_.forget();
    }

    /// The run on which the shown roles are measured, and its number; null: it is not finished.
    struct MeasuredOn {
        bool wanted = false, repeated = false;
        std::shared_ptr<const Computed> run;
        std::uint64_t number = 0;
    };
    MeasuredOn roles_run(const HeadsChoice& choice, const Derived& derived) const {
        const bool repeated = choice.repeated && repeated_;
        return {shows_roles(choice), repeated, repeated ? derived.other.computed : derived.computed, repeated ? derived.other.generation : derived.generation};
    }
    static void measure_roles(const MeasuredOn& on, HeadsData& data) {
        RankedHeads& ranked = data.ranked;
        if (!on.wanted || !data.here()) return;
        if (!on.run || ranked.of != on.number || ranked.repeated != on.repeated) ranked = {};
        if (on.run && !ranked.measured) {
            ranked.measured = std::make_shared<const std::vector<attn::HeadRoles>>(attn::measured_heads(on.run->run.trace));
            ranked.of = on.number;
            ranked.repeated = on.repeated;
        }
    }
    static bool shows_roles(const HeadsChoice& choice) { return choice.page == "ranked" || (choice.page == "grid" && (!choice.role.empty() || filters_heads(choice))); }

    Memo<attn::Document, std::optional<attn::Document>> words_;
    std::optional<attn::Document> repeated_;
    LateMemo<HeadsKey, HeadsData> memo_;
    Memo<std::uint64_t, attn::Document> weights_;
    attn::Document weights_of_;
    LateMemo<attn::Document, std::shared_ptr<const attn::Compositions>> composed_;
    std::shared_ptr<const attn::Compositions> composed_now_;
    unsigned composed_serial_ = 0, laid_out_ = 0;
    CircuitMaker circuit_;
    LateJob* const jobs_[4] = {&memo_.job(), &composed_.job(), &circuit_.head_job(), &circuit_.token_job()};
};

constexpr ScreenPages kHeadsScreenPages = {
    [] { return std::vector<std::string_view>(std::begin(kHeadsPages), std::end(kHeadsPages)); },
    [](const ViewState& v) -> const std::string& { return v.part<HeadsChoice>().page; },
    [](ViewState& v, std::string page) { v.part<HeadsChoice>().page = std::move(page); }};

/// If only one head is drawn, it is the chosen one.
void draw_chosen(ViewState& view) {
    if (std::as_const(view).part<HeadsChoice>().only.size() == 1) view.part<HeadsChoice>().only = {view.head};
}

void show_attention(ViewState& view, const attn::Tag& of) {
    view.part<HeadsChoice>().at = {attn::Role::Weights, attn::kNoHead, of.layer, attn::kNoTime, of.part};
}

}  // namespace

constexpr ViewField kHeadsField = heads_field(kChapter);
constexpr ViewField kHeadsAfterField = part_field<field::Share, MEMBER(template part<HeadsChoice>().after)>("after", kNumber, kPageStarts);

constexpr ScreenRow kHeadsScreen = {.inspector = true, .maps = true, .pages = &kHeadsScreenPages,
                                    .follower = make_follower<HeadsFollower>, .show_attention = show_attention, .head_chosen = draw_chosen};

}  // namespace app
