#include "app/chapters/text_question.h"

#include <algorithm>
#include <iterator>

#include "app/content/number_text.h"
#include "app/explain/head_names.h"
#include "app/timeline/labels.h"
#include "core/analysis/telling.h"
#include "core/model/model.h"

namespace app {
namespace {

/// A model whose record has this figure was asked what pronouns stand for; the head with this question was, of several.
constexpr std::string_view kPronounFigure = "pronoun_noun", kPronounQuestion = "meaning";

bool finds_pronouns(const attn::Document& document, int head) {
    const attn::Model& model = *document.model;
    const bool measured = std::any_of(model.measured.begin(), model.measured.end(), [](const attn::MeasuredSet& set) {
        return std::any_of(set.figures.begin(), set.figures.end(), [](const auto& one) { return one.first == kPronounFigure; });
    });
    if (!measured || model.questions.empty()) return measured;
    const auto at = static_cast<std::size_t>(std::max(head, 0));
    return at < model.questions.size() && model.questions[at].id == kPronounQuestion;
}

/// The head's weights in the last layer.
attn::StepId weights_of(const attn::Trace& trace, int head) {
    for (attn::StepId id = trace.size() - 1; id >= 0; --id) {
        const attn::Tag& tag = trace[id].tag;
        if (tag.role == attn::Role::Weights && (tag.head == attn::kNoHead || tag.head == head)) return id;
    }
    return attn::kNoStep;
}

int largest_of(const attn::Matrix& m, int row) {
    attn::Matrix::Index at = 0;
    m.row(row).maxCoeff(&at);
    return static_cast<int>(at);
}

}  // namespace

bool is_pronoun(std::string_view token) {
    constexpr std::string_view kPronouns[] = {"it", "he", "she", "they", "him", "her", "them", "It", "He", "She", "They",
                                              "它", "他", "她", "它们", "他们", "她们"};
    return std::find(std::begin(kPronouns), std::end(kPronouns), token) != std::end(kPronouns);
}

std::optional<TextQuestion> question_of_text(const attn::Document& document, const attn::Run& run, int head, Language language) {
    if (!document.model) return std::nullopt;
    const attn::Trace& trace = run.trace;
    const std::string_view asked = head_question(document, head, language);
    const bool pronouns = finds_pronouns(document, head);
    const attn::StepId id = pronouns || !asked.empty() ? weights_of(trace, head) : attn::kNoStep;
    if (id == attn::kNoStep) return std::nullopt;
    const attn::Matrix& weights = trace[id].value;
    const auto n = static_cast<int>(trace.tokens.size());
    if (n < 2 || weights.rows() != n || weights.cols() != n || !weights.allFinite()) return std::nullopt;
    TextQuestion out;
    out.weights = id;
    out.query = -1;
    for (int i = 0; pronouns && i < n; ++i)
        if (is_pronoun(trace.tokens[static_cast<std::size_t>(i)]) && largest_of(weights, i) != i) out.query = i;
    const bool pronoun = out.query >= 0;
    if (!pronoun) {
        const auto telling = asked.empty() ? std::nullopt : attn::telling_pair(trace, id);
        if (!telling) return std::nullopt;
        out.query = telling->query;
    }
    out.key = largest_of(weights, out.query);
    const AxisLabels labels = labels_of(trace, language);
    out.word = labels.tokens[static_cast<std::size_t>(out.query)];
    out.answer = labels.tokens[static_cast<std::size_t>(out.key)];
    out.title = pronoun ? fill_in(tr(Str::asking_pronoun, language), {out.word})
                        : fill_in(tr(Str::asking_head, language), {out.word, asked});
    out.says = fill_in(tr(Str::flow_title, language), {out.word, number_text(weights(out.query, out.key)), out.answer});
    return out;
}

}  // namespace app
