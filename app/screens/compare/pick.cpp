// The controls for what is compared: the upper row of the compare screen.

#include <algorithm>

#include "app/frame/commands.h"
#include "app/screens/compare/parts.h"
#include "app/state/own_models.h"
#include "app/state/reasons.h"
#include "core/document/link.h"

namespace app {
namespace {

/// Design pixels: in a narrower row the choices take two lines.
constexpr float kOneRow = 640;

/// Titles of kComparedRoles.
constexpr Str kShownTitles[] = {Str::shown_weights, Str::shown_scores, Str::shown_output};

void pick_kind(const ComparePage& p, Rect rect) {
    std::vector<const ComparisonKind*> kinds;
    std::vector<SelectOption> options;
    int chosen = 0;
    for (const ComparisonKind& kind : comparison_kinds()) {
        if (kind.applies && !kind.applies(p.f.state.document)) continue;
        if (kind.id == p.kind.id) chosen = static_cast<int>(kinds.size());
        kinds.push_back(&kind);
        options.push_back({p.f.say(kind.title)});
    }
    const int before = chosen;
    if (select(p.f.ui, "compare_kind", rect, options, chosen, Align::Left) && chosen != before)
        p.change([id = kinds[static_cast<std::size_t>(chosen)]->id](Comparison& c) {
            c.kind = id;
            c.choice.clear();
        });
}

std::string name_of_choice(const ComparePage& p, std::string_view id) {
    if (p.kind.id == "temperature") return "τ = " + std::string(id);
    if (p.kind.what == Compares::Head) return p.f.say(Str::head_number, {p.f.number(head_of_choice(id))});
    return std::string(label_of(id, p.f.view().language));
}

void pick_choice(const ComparePage& p, Rect rect) {
    std::vector<std::string> names, notes;
    const auto& choices = p.f.derived.part<ComparisonData>().choices;
    for (const ComparisonChoice& choice : choices) {
        names.push_back(name_of_choice(p, choice.id));
        notes.push_back(choice.current           ? std::string(p.f.say(Str::compare_own))
                        : choice.why_not.empty() ? ""
                                                 : reason_text({choice.why_not, "", "", 0}, p.f.view().language));
    }
    std::vector<SelectOption> options;
    int chosen = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i].id == p.f.derived.part<ComparisonData>().choice) chosen = static_cast<int>(i);
        options.push_back({names[i], notes[i].empty(), notes[i]});
    }
    const int before = chosen;
    if (select(p.f.ui, "compare_choice", rect, options, chosen, Align::Left) && chosen != before)
        p.change([kind = p.kind.id, choice = choices[static_cast<std::size_t>(chosen)].id](Comparison& c) {
            c.kind = kind;
            c.choice = choice;
        });
}

/// The two words that are swapped.
void pick_words(const ComparePage& p, Rect rect) {
    const auto& tokens = p.f.derived.labels.tokens;
    if (tokens.size() < 2) return;
    std::vector<SelectOption> options;
    for (const std::string& token : tokens) options.push_back({token});
    const Swap swap = swap_of(p.wanted(), static_cast<int>(tokens.size()));
    int first = swap.first, second = swap.second;
    const float each = (rect.w - p.f.px(34)) / 2;
    const bool one = select(p.f.ui, "swap_first", {rect.x, rect.y, each, rect.h}, options, first, Align::Left);
    p.f.painter().text_in({rect.x + each, rect.y, p.f.px(24), rect.h}, "⇄", {Type::Body, Align::Center}, Hue::Faint);
    const bool two =
        select(p.f.ui, "swap_second", {rect.x + each + p.f.px(34), rect.y, each, rect.h}, options, second, Align::Left);
    if (!one && !two) return;
    p.change([kind = p.kind.id, first, second](Comparison& c) {
        c.kind = kind;
        c.first = first;
        c.second = second;
    });
}

/// The other sentence; a pasted link is opened for comparison.
void pick_text(const ComparePage& p, Rect rect) {
    Scratch& s = p.f.scratch;
    if (!s.other_text_active) s.other_text = p.wanted().text;
    FieldLook look;
    look.placeholder = p.f.say(Str::compare_text_here);
    const gui::FieldResult result = text_field(p.f.ui, "compare_text", rect, s.other_text, look);
    s.other_text_active = result.active;
    if (!result.changed) return;
    const bool link = attn::is_link(s.other_text) && attn::document_from_link(s.other_text);
    p.change([link, typed = s.other_text](Comparison& c) {
        c.kind = link ? "kept" : "text";
        (link ? c.stored_link : c.text) = typed;
        if (link) c.stored_run.reset();
    });
    if (link) s.other_text_active = false;
}

/// The other model's folder; one that is dropped onto the window is taken, too.
void pick_model(const ComparePage& p, Rect rect) {
    TypedText& typing = p.f.scratch.other_model;
    if (!typing.active) typing.text = p.wanted().model;
    FieldLook look;
    look.placeholder = p.f.say(Str::compare_model_here);
    if (p.f.derived.part<ComparisonData>().opening) {
        // A large model takes long to read, and nothing of it is kept.
        const std::string_view cancel = p.f.say(Str::export_cancel);
        const float wide = std::min(button_width(p.f.ui, cancel), rect.w / 2);
        const Rect at{rect.right() - wide, rect.y, wide, rect.h};
        rect.w -= wide + p.f.px(8);
        if (button(p.f.ui, "compare_cancel", at, cancel)) {
            typing.active = false;
            p.change([](Comparison& c) { c.model.clear(); });
        }
    }
    const gui::FieldResult typed = text_field(p.f.ui, "compare_model", rect, typing.text, look);
    typing.active = typed.active;
    if (typed.changed)
        p.change([text = typing.text](Comparison& c) {
            c.kind = "model";
            c.model = text;
        });
}

/// The stored run, described by its own text; buttons to store this one instead, or to swap the two.
void pick_kept_run(const ComparePage& p, Rect rect) {
    const Frame& f = p.f;
    const std::string_view keep = f.say(Str::compare_keep), exchange = f.say(Str::compare_exchange);
    const float gap = f.px(8);
    const bool both = has_stored_run(p.wanted());
    // In a narrow window they share the available width.
    const float most = both ? (rect.w - gap) / 2 : rect.w;
    const float keep_w = std::min(button_width(f.ui, keep), most),
                exchange_w = std::min(button_width(f.ui, exchange), most);
    if (button(f.ui, "keep", {rect.x, rect.y, keep_w, rect.h}, keep)) run_command(f, "keep_run");
    if (!both) return;
    const Rect second{rect.x + keep_w + gap, rect.y, exchange_w, rect.h};
    if (button(f.ui, "exchange", second, exchange)) run_command(f, "exchange_runs");
    const float x = second.right() + gap;
    if (!p.other() || rect.right() - x < f.px(60)) return;
    std::string words;
    for (const std::string& token : p.right().tokens) words += (words.empty() ? "" : " ") + token;
    f.painter().text_fit({x, rect.y, rect.right() - x, rect.h}, "“" + words + "”", {Type::Small}, Hue::Soft);
}

void pick_shown(const ComparePage& p, Rect rect) {
    std::vector<std::string_view> titles;
    std::vector<std::string_view> ids;
    int chosen = 0;
    for (std::size_t i = 0; i < std::size(kComparedRoles); ++i) {
        if (!has_role(p.left(), kComparedRoles[i])) continue;
        if (kComparedRoles[i] == p.wanted().shown) chosen = static_cast<int>(ids.size());
        ids.push_back(kComparedRoles[i]);
        titles.push_back(p.f.say(kShownTitles[i]));
    }
    if (ids.size() > 1 && segmented(p.f.ui, "compare_shown", rect, titles, chosen))
        p.change([id = ids[static_cast<std::size_t>(chosen)]](Comparison& c) { c.shown = id; });
}

}  // namespace

float draw_compare_choices(const ComparePage& p, Rect area) {
    const Frame& f = p.f;
    const float high = f.px(34), gap = f.px(16);
    Rect row{area.x, area.y, area.w, high};
    const float title_w = f.painter().width(f.say(Str::compare_with), Type::Body) + f.px(14);
    // In a narrow window, the choice of the matrix has its own line.
    const bool two_rows = row.w < f.px(kOneRow);
    const float shown_w = two_rows ? std::min(f.px(300), row.w) : std::min(f.px(300), row.w * 0.34f);
    const Rect shown{two_rows ? row.x : row.right() - shown_w, row.y + f.px(2) + (two_rows ? high + f.px(6) : 0),
                     shown_w, high - f.px(4)};
    f.painter().text_in(row, f.say(Str::compare_with), {Type::Body}, Hue::Soft);
    float x = row.x + title_w;
    const float end = two_rows ? row.right() : shown.x - gap, kind_w = std::min(f.px(170), (end - x) * 0.45f);
    pick_kind(p, {x, row.y, kind_w, row.h});
    x += kind_w + gap;
    const Rect rest{x, row.y, std::max(0.0f, end - x), row.h};
    switch (p.kind.what) {
        case Compares::Order:
            pick_words(p, rest);
            break;
        case Compares::Choice:
        case Compares::Head:
            pick_choice(p, rest);
            break;
        case Compares::Text:
            pick_text(p, rest);
            break;
        case Compares::Model:
            pick_model(p, rest);
            break;
        case Compares::StoredRun:
            pick_kept_run(p, rest);
            break;
        case Compares::Edits:
        case Compares::Untrained:
            break;
    }
    pick_shown(p, shown);
    return two_rows ? shown.bottom() : row.bottom();
}

/// The document's own choice and the other one: the headings of the two.
std::string own_run_name(const ComparePage& p) {
    if (p.kind.what == Compares::Order) return std::string(p.f.say(Str::compare_as_written));
    if (p.kind.what == Compares::Edits) return std::string(p.f.say(Str::compare_with_edits));
    if (p.kind.what == Compares::Text) return "“" + p.f.state.document.text + "”";
    if (p.kind.what == Compares::Model) return model_title(*p.f.state.document.model, p.f.view().language);
    if (p.kind.what == Compares::StoredRun) return std::string(p.f.say(Str::compare_now));
    if (p.kind.what == Compares::Untrained)
        return p.f.say(Str::compare_trained, {std::to_string(p.f.state.document.model->training->steps)});
    for (const ComparisonChoice& choice : p.f.derived.part<ComparisonData>().choices)
        if (choice.current) return name_of_choice(p, choice.id);
    return std::string(p.f.say(Str::compare_document));
}

std::string other_run_name(const ComparePage& p) {
    if (p.kind.what == Compares::Order) return std::string(p.f.say(Str::compare_swapped));
    if (p.kind.what == Compares::Edits) return std::string(p.f.say(Str::compare_without_edits));
    if (p.kind.what == Compares::Text) return "“" + p.wanted().text + "”";
    if (p.kind.what == Compares::Model) return p.f.derived.part<ComparisonData>().model_title;
    if (p.kind.what == Compares::StoredRun) return std::string(p.f.say(Str::compare_kept_run));
    if (p.kind.what == Compares::Untrained) return std::string(p.f.say(Str::compare_untrained));
    return p.f.derived.part<ComparisonData>().choice.empty() ? std::string(p.f.say(Str::compare_document))
                                            : name_of_choice(p, p.f.derived.part<ComparisonData>().choice);
}

}  // namespace app
