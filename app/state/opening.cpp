#include "app/state/opening.h"

#include "core/analysis/why.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/explain/head_names.h"
#include "app/timeline/answer.h"
#include "app/timeline/labels.h"
#include "core/text/word_kind.h"
#include "core/train/tasks.h"

namespace app {
namespace {

/// A longer text has enough to show by itself, and running it many times would be noticeable.
constexpr std::size_t kMostWords = 24;
/// How many exchanges are offered, and how many are tried to find them.
constexpr std::size_t kMostChanges = 4, kMostTried = 12;
/// An exchange that moves less than this fraction of the attention has no visible effect.
constexpr float kMatters = 0.04f;

int largest_in(const attn::Matrix& m, int row) {
    attn::Matrix::Index at = 0;
    m.row(row).maxCoeff(&at);
    return static_cast<int>(at);
}

/// The weights of all heads in the same place as `of`; empty if one is missing.
std::vector<attn::StepId> weights_beside(const attn::Trace& trace, attn::StepId of, int heads) {
    std::vector<attn::StepId> out;
    attn::Tag tag = trace[of].tag;
    for (int h = 0; h < heads; ++h) {
        tag.head = h;
        const attn::StepId id = attn::find_id(trace, tag);
        if (id == attn::kNoStep) return {};
        out.push_back(id);
    }
    return out;
}

}  // namespace

namespace {

constexpr int kPairsSaid = 4;

/// From this fraction of the largest weight on, a second word shares the attention. And the answer is stated as one if
/// at least this fraction of such answers was right.
constexpr float kComesNear = 0.5f;
constexpr double kRightEnough = 0.5;

/// The second-largest share's index; −1: there is none.
int second_of(const OpeningData& data) {
    int second = -1;
    for (int j = 0; j < static_cast<int>(data.shares.size()); ++j)
        if (j != data.key && (second < 0 || data.shares[static_cast<std::size_t>(j)] > data.shares[static_cast<std::size_t>(second)])) second = j;
    return second;
}

bool is_blank_in(const OpeningData& data, int word) { return word >= 0 && data.blank[static_cast<std::size_t>(word)]; }

/// Punctuation marks do not count as unknown words.
std::vector<bool> blanks_of(const attn::Run& run) {
    std::vector<bool> out;
    for (int i = 0; i < static_cast<int>(run.trace.tokens.size()); ++i)
        out.push_back(attn::is_blank(run, i) && attn::word_kind(run.trace.tokens[static_cast<std::size_t>(i)]) != attn::WordKind::Mark);
    return out;
}

/// For a model that was tested as a whole: pronouns and function words without an embedding row. A noun that was in no
/// training text is known by its meaning; words like "and" or "she", whose meaning says little, make a sentence of
/// another kind.
std::vector<int> strange_in(const attn::Document& document, const attn::Run& run) {
    std::vector<int> out;
    if (document.model->sure.empty()) return out;
    for (int i = 0; i < static_cast<int>(run.trace.tokens.size()); ++i) {
        const std::string& token = run.trace.tokens[static_cast<std::size_t>(i)];
        const attn::WordKind kind = attn::word_kind(token);
        if ((kind == attn::WordKind::Function || kind == attn::WordKind::Pronoun) && !document.model->row_of(token)) out.push_back(i);
    }
    return out;
}

Doubt doubt_of(const attn::Document& document, const attn::Run& run, const OpeningData& data) {
    if (std::find(data.blank.begin(), data.blank.end(), true) != data.blank.end()) return Doubt::Blank;
    if (data.longest > 0 && static_cast<int>(data.words.size()) > data.longest) return Doubt::Long;
    if (!data.strange.empty()) return Doubt::Strange;
    const auto right = sure_share(document, run.trace[data.weights].tag.head, run.trace.tokens[static_cast<std::size_t>(data.query)], data.shares[static_cast<std::size_t>(data.key)]);
    return right && *right < kRightEnough ? Doubt::Unsure : Doubt::None;
}

/// The product q·k behind weights.
attn::StepId product_behind(const attn::Trace& trace, attn::StepId id) {
    while (!trace[id].inputs.empty() && trace[id].op != attn::Op::MatMul) id = trace[id].inputs[0];
    return id;
}

/// For the largest weight and the one after it.
std::vector<OpeningWhy> whys_of(const attn::Trace& trace, const OpeningData& data, Language language) {
    const AxisLabels labels = labels_of(trace, language);
    std::vector<OpeningWhy> out;
    for (const int key : {data.key, second_of(data)}) {
        if (key < 0 || is_blank_in(data, key) || is_blank_in(data, data.query)) continue;
        const auto reasons = attn::reasons_of_score(trace, {product_behind(trace, data.weights), data.query, key}, kPairsSaid);
        if (!reasons) return {};
        OpeningWhy why{key, static_cast<float>(reasons->score), {}, static_cast<float>(reasons->rest)};
        const auto named = [&](attn::StepId of, int feature) {
            return feature == attn::ScoreReason::kBias ? std::string(tr(Str::why_always, language)) : labels.of(trace[of].cols, feature);
        };
        for (const attn::ScoreReason& r : reasons->largest)
            why.lines.push_back({named(reasons->queries_of, r.query_feature), named(reasons->keys_of, r.key_feature), static_cast<float>(r.value)});
        out.push_back(std::move(why));
    }
    return out;
}

}  // namespace

std::optional<OpeningData> opening_data(const attn::Document& document, const attn::Run& run, int head, Language language,
                                        const std::optional<TextQuestion>& question, int word) {
    if (!question) return std::nullopt;
    const attn::Trace& trace = run.trace;
    const attn::Step& step = trace[question->weights];
    const attn::Matrix& weights = step.value;
    OpeningData out;
    out.weights = question->weights;
    out.words = labels_of(trace, language).tokens;
    const bool other = word >= 0 && word < static_cast<int>(out.words.size()) && word != question->query;
    out.query = other ? word : question->query;
    out.key = other ? largest_in(weights, word) : question->key;
    out.title = question->title;
    if (const std::string_view of_head = head_question(document, head, language); other && !of_head.empty())
        out.title = fill_in(tr(Str::asking_head, language), {out.words[static_cast<std::size_t>(word)], of_head});
    for (attn::Matrix::Index i = 0; i < weights.cols(); ++i) out.shares.push_back(weights(out.query, i));
    const attn::StepId from = step.inputs.empty() ? attn::kNoStep : step.inputs[0];
    const bool scored = from != attn::kNoStep && trace[from].value.rows() == weights.rows() && trace[from].value.cols() == weights.cols();
    for (attn::Matrix::Index i = 0; scored && i < weights.cols(); ++i) out.scores.push_back(trace[from].value(out.query, static_cast<int>(i)));
    out.blank = blanks_of(run);
    out.longest = attn::train::longest_trained(*document.model).text;
    out.strange = strange_in(document, run);
    out.doubt = doubt_of(document, run, out);
    const int second = second_of(out);
    if (second >= 0 && second != out.query && !out.blank[static_cast<std::size_t>(second)] &&
        out.shares[static_cast<std::size_t>(second)] >= kComesNear * out.shares[static_cast<std::size_t>(out.key)])
        out.second = second;
    out.why = whys_of(trace, out, language);
    if (!head_question(document, 0, language).empty() && document.config.heads > 1)
        for (const attn::StepId id : weights_beside(trace, question->weights, document.config.heads)) {
            const attn::Matrix& of = trace[id].value;
            const int key = largest_in(of, out.query);
            out.heads.push_back({id, key, of(out.query, key)});
        }
    return out;
}

std::vector<WordChange> repairs_of(const attn::Document& document, const attn::Run& run) {
    std::vector<WordChange> out;
    for (std::size_t i = 0; i < run.close_to_unknown.size(); ++i)
        for (const std::string& to : run.close_to_unknown[i])
            for (WordChange& change : exchanged(document, run.trace.tokens, run.unknown[i], to)) out.push_back(std::move(change));
    return out;
}

std::vector<WordChange> telling_changes(const attn::Document& document, const attn::Trace& trace, const TextQuestion& question, int head,
                                        Language language, const std::stop_token& stop) {
    if (trace.tokens.size() > kMostWords) return {};
    const attn::Matrix& now = trace[question.weights].value;
    std::vector<std::pair<float, WordChange>> found;
    std::vector<WordChange> all = word_changes(document, trace.tokens);
    if (all.size() > kMostTried) all.resize(kMostTried);
    for (WordChange& change : all) {
        attn::Document other = document;
        other.text = change.text;
        const auto run = attn::run(other, stop);
        if (!run || run->trace.tokens.size() != trace.tokens.size()) continue;
        const auto after = question_of_text(other, *run, head, language);
        if (!after) continue;
        const attn::Matrix& then = run->trace[after->weights].value;
        float moved = (then.row(after->query) - now.row(question.query)).cwiseAbs().sum() / 2;
        if (after->query != question.query || after->key != question.key) moved += 1;
        if (moved >= kMatters) found.emplace_back(moved, std::move(change));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<WordChange> out;
    // For each word, the exchange that moves the answer most.
    for (auto& [moved, change] : found) {
        const bool again = std::any_of(out.begin(), out.end(), [&](const WordChange& one) { return one.word == change.word; });
        if (!again && out.size() < kMostChanges) out.push_back(std::move(change));
    }
    return out;
}

float shown_share(const OpeningData& data, const Opening& opening, std::size_t word) {
    const float now = word < data.shares.size() ? data.shares[word] : 0;
    if (opening.swing >= 1) return now;
    const float before = word < opening.before.size() ? opening.before[word] : 0;
    return before + (now - before) * static_cast<float>(eased(opening.swing));
}

}  // namespace app
