#include "core/attention/forms/attention.h"

#include <algorithm>
#include <array>

#include "core/attention/forms/forms.h"

namespace attn {
namespace {

/// About as many steps, and inputs among them, as a run of one layer has; the lists grow if there are more.
constexpr int kUsualSteps = 64, kUsualInputs = 16;

std::size_t usual_steps(const AttentionConfig& config) {
    constexpr int kOfALayer = 32, kOfAHead = 10;
    return static_cast<std::size_t>(config.layers > 1 ? config.layers * (kOfALayer + kOfAHead * config.heads) : kUsualSteps);
}

}  // namespace

Catalogue<Form>& form_catalogue() {
    static Catalogue<Form> table(std::array{
#define FORM(name) form::name,
#include "core/attention/forms/forms.inc"
#undef FORM
    });
    return table;
}

std::span<const Form> forms() { return form_catalogue().rows(); }
const Form* find_form(std::string_view id) {
    for (const Form* of_file : {&form::from_file, &form::from_queries})
        if (id == of_file->id) return of_file;
    return form_catalogue().find(id);
}

std::string_view score_of(const AttentionConfig& config) {
    if (!config.score.empty()) return config.score;
    const Form* form = find_form(config.form);
    return form ? form->score : std::string_view{};
}

Trace run_attention(const Inputs& in, const AttentionConfig& config, const std::stop_token& stop,
                    std::optional<Eigen::Index> evict_from) {
    Trace t;
    t.stop = stop;
    t.evict_from = evict_from;
    t.tokens = in.tokens;
    t.source_tokens = in.source_tokens;
    t.features = in.features;
    t.words = in.words;
    t.things = in.things;
    t.replacements = in.replacements;
    t.edits = in.edits;
    t.steps.reserve(usual_steps(config));
    t.given.reserve(kUsualInputs);
    find_form(config.form)->run(t, in, config);
    // An evicted value is noted only when a step reads it, so the notes are out of order.
    if (evict_from) std::stable_sort(t.notes.begin(), t.notes.end(), [](const Note& a, const Note& b) { return a.step < b.step; });
    t.stop = {};
    return t;
}

Trace run_shapes(const Inputs& in, const AttentionConfig& config, std::function<Inputs()> numbers,
                 std::optional<Eigen::Index> evict_from) {
    Trace t;
    t.evict_from = evict_from;
    t.shapes.emplace();
    Inputs whole = in;
    whole.numbers = std::move(numbers);
    t.steps.reserve(kUsualSteps);
    find_form(config.form)->run(t, whole, config);
    return t;
}

}  // namespace attn
