#include "app/state/state.h"

#include "core/document/origins.h"
#include "core/remake/remake.h"

namespace app {

ViewState::ViewState() = default;
ViewState::ViewState(const ViewState&) = default;
ViewState::ViewState(ViewState&&) noexcept = default;
ViewState& ViewState::operator=(const ViewState&) = default;
ViewState& ViewState::operator=(ViewState&&) noexcept = default;
ViewState::~ViewState() = default;
bool ViewState::operator==(const ViewState&) const = default;

Action::Action(const Action&) = default;
Action::Action(Action&&) noexcept = default;
Action& Action::operator=(const Action&) = default;
Action& Action::operator=(Action&&) noexcept = default;
Action::~Action() = default;

EditDocument becomes(attn::Document document, std::string gesture) {
    return {[whole = std::move(document)](attn::Document& now) { now = whole; }, std::move(gesture)};
}

attn::CountFrom counts_from(const ViewState& view, const attn::Document& document) {
    if (view.course.open()) return attn::CountFrom::One;
    return view.count_from.value_or(attn::usual_count(document));
}

double budget_of(int memory) { return memory > 0 ? memory * kMiB : attn::usual_memory_budget(); }

ChangeView becomes(ViewState view) {
    return {[whole = std::move(view)](ViewState& now) { now = whole; }};
}

}  // namespace app
