#pragma once
// The parts of the compare screen. Internal to this folder.

#include <string>

#include "app/frame/view.h"
#include "app/screens/compare/comparison.h"

namespace app {

/// The compare screen as its parts see it.
struct ComparePage {
    const Frame& f;
    const ComparisonKind& kind;
    const Compared& c;

    const Comparison& wanted() const { return f.view().part<Comparison>(); }
    const attn::Trace& left() const { return f.trace(); }
    const Computed* other() const { return f.derived.compared_with(); }
    const attn::Trace& right() const { return other()->run.trace; }
    /// Whether there is something to compare the document with.
    bool is_chosen() const {
        return !(has_choices() && f.derived.part<ComparisonData>().choice.empty()) &&
               !(kind.what == Compares::StoredRun && !has_stored_run(wanted())) &&
               !(kind.what == Compares::Text && wanted().text.empty()) &&
               !(kind.what == Compares::Model && f.derived.part<ComparisonData>().model_title.empty());
    }
    /// The other run is chosen from a list.
    bool has_choices() const { return kind.what == Compares::Choice || kind.what == Compares::Head; }

    template <class Change>
    void change(Change how) const {
        f.change_view([how = std::move(how)](ViewState& v) { how(v.part<Comparison>()); });
    }
};

/// The controls for what is compared: the kind, the other choice and the matrix. Returns where they end.
float draw_compare_choices(const ComparePage& page, Rect area);
/// The heads whose weights differ between the runs: a map of all, and below it those that differ most. has_changes()
/// also checks that there is room next to the panels.
bool has_changes(const ComparePage& page, Rect body);
void draw_changes(const ComparePage& page, Rect area);
/// The headings above the two runs.
std::string own_run_name(const ComparePage& page);
std::string other_run_name(const ComparePage& page);

}  // namespace app
