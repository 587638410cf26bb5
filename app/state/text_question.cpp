#include "app/state/text_question.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/content/number_text.h"
#include "app/explain/head_names.h"
#include "app/timeline/labels.h"
#include "core/analysis/telling.h"
#include "core/model/model.h"
#include "core/text/word_kind.h"

namespace app {
namespace {

/// A model with this recorded figure was trained to resolve pronouns; if it has several heads, the one with this
/// question.
constexpr std::string_view kPronounFigure = "pronoun_noun", kPronounQuestion = "meaning";
/// For this head any word can be the answer, because it finds a position rather than a meaning.
constexpr std::string_view kPlaceQuestion = "previous";

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

using attn::WordKind;

/// A word that can ask or answer: nothing is known about an unknown word, and function words mean little by themselves.
bool says_something(WordKind kind) { return kind != WordKind::Blank && kind != WordKind::Mark && kind != WordKind::Function; }

/// Chooses the query: pronouns if the head resolves them, then words that describe or act, then any content word.
/// Within a class, the last pronoun, or else the row with the largest weight. None if every row attends to itself or to
/// a word without meaning.
std::optional<int> who_asks(const attn::Run& run, const attn::Matrix& weights, bool pronouns, bool any_key) {
    std::vector<WordKind> kinds;
    const auto& tokens = run.trace.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        kinds.push_back(attn::is_blank(run, static_cast<int>(i)) ? WordKind::Blank : attn::word_kind(tokens[i]));
    std::optional<int> best;
    int best_rank = 0;
    float surest = 0;
    for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int key = largest_of(weights, i);
        const bool back = pronouns && attn::refers_back(tokens[at]);
        if (key == i || !says_something(kinds[at])) continue;
        if (any_key ? kinds[static_cast<std::size_t>(key)] == WordKind::Blank : !says_something(kinds[static_cast<std::size_t>(key)])) continue;
        // A pronoun must be answered with a noun: with any other answer, the head does not know.
        if (pronouns && kinds[static_cast<std::size_t>(key)] != WordKind::Names) continue;
        const int rank = back ? 3 : kinds[at] == WordKind::Describes || kinds[at] == WordKind::Does ? 2 : 1;
        const float sure = weights(i, key);
        if (rank < best_rank || (rank == best_rank && rank < 3 && sure <= surest)) continue;
        best = i, best_rank = rank, surest = sure;
    }
    return best;
}

}  // namespace

bool is_pronoun(std::string_view token) { return attn::refers_back(token); }

namespace {

std::optional<TextQuestion> question_of_head(const attn::Document& document, const attn::Run& run, int head, Language language) {
    const attn::Trace& trace = run.trace;
    const std::string_view question = head_question(document, head, language);
    const bool pronouns = finds_pronouns(document, head);
    const attn::StepId id = pronouns || !question.empty() ? weights_of(trace, head) : attn::kNoStep;
    if (id == attn::kNoStep) return std::nullopt;
    const attn::Matrix& weights = trace[id].value;
    const auto n = static_cast<int>(trace.tokens.size());
    if (n < 2 || weights.rows() != n || weights.cols() != n || !weights.allFinite()) return std::nullopt;
    TextQuestion out;
    out.weights = id;
    out.head = head;
    out.query = -1;
    if (document.model->other_words) {
        const attn::HeadQuestion* own = question.empty() ? nullptr : &document.model->questions[static_cast<std::size_t>(std::max(head, 0))];
        out.query = who_asks(run, weights, pronouns, own && own->id == kPlaceQuestion).value_or(-1);
    } else {
        for (int i = 0; pronouns && i < n; ++i)
            if (is_pronoun(trace.tokens[static_cast<std::size_t>(i)]) && largest_of(weights, i) != i) out.query = i;
        const auto telling = out.query >= 0 || question.empty() ? std::nullopt : attn::telling_pair(trace, id);
        if (telling) out.query = telling->query;
    }
    if (out.query < 0) return std::nullopt;
    const bool pronoun = pronouns && is_pronoun(trace.tokens[static_cast<std::size_t>(out.query)]);
    out.key = largest_of(weights, out.query);
    const AxisLabels labels = labels_of(trace, language);
    out.word = labels.tokens[static_cast<std::size_t>(out.query)];
    out.answer = labels.tokens[static_cast<std::size_t>(out.key)];
    out.title = pronoun ? fill_in(tr(Str::asking_pronoun, language), {out.word})
                        : fill_in(tr(Str::asking_head, language), {out.word, question});
    out.says = fill_in(tr(Str::flow_title, language), {out.word, weight_text(static_cast<double>(weights(out.query, out.key))), out.answer});
    return out;
}

}  // namespace

std::optional<TextQuestion> question_of_text(const attn::Document& document, const attn::Run& run, int head, Language language) {
    if (!document.model) return std::nullopt;
    if (auto own = question_of_head(document, run, head, language)) return own;
    // Try the other heads.
    for (int other = 0; document.model->other_words && other < document.config.heads; ++other)
        if (other != head)
            if (auto question = question_of_head(document, run, other, language)) return question;
    return std::nullopt;
}

}  // namespace app
