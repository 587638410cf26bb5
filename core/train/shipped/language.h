#pragma once
// A small language model: a decoder that continues any text. Its task (tasks/language.cpp), its weights as a checkpoint
// in Llama's layout, and its measurements. Internal to core/train.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/train/form.h"
#include "core/train/shipped/corpus.h"
#include "core/train/tasks.h"

namespace attn::train {

/// The size that is trained only on the program's own sentences.
inline constexpr std::string_view kGrammarSize = "grammar";

/// The form for a vocabulary of this size. It draws examples if there is a corpus.
FormTask language_form(const TaskSize& size, int vocabulary, std::shared_ptr<const Corpus> corpus);

/// A model's loss on texts, in nats per token.
struct TextLoss {
    double tokens = 0, characters = 0, loss = 0, right = 0;  ///< sums
    double per_token() const { return loss / tokens; }
    double bits_per_character() const { return loss / (0.6931471805599453 * characters); }
    void add(const TextLoss& more);
};

/// The weight that each head puts on the previous token.
struct PreviousLook {
    std::vector<double> share;  ///< one entry per head; sums over rows
    double rows = 0;
};

/// Runs a model on streams. The weights must outlive it.
class TextReader {
public:
    TextReader(const FormTask& task, const std::vector<Weight>& weights);
    /// On at most so many examples, evenly spaced. `look` is added to; may be null.
    TextLoss loss(const TextStream& stream, int examples, const std::vector<int>& characters, PreviousLook* look);
    Tag map_tag(std::size_t map) const { return form_->maps()[map].tag; }

private:
    int longest_;
    std::shared_ptr<const TrainedForm> form_;
    const std::vector<Weight>& weights_;
    PlanMemory memory_;
};

/// Baselines by counting on the same examples: the frequency of each token, and of each pair interpolated with it by
/// Witten and Bell's method. [Witten, Bell 1991]
class CountedText {
public:
    CountedText(const std::vector<const TextStream*>& seen, int vocabulary);
    TextLoss by_tokens(const TextStream& stream, int longest, int examples, const std::vector<int>& characters) const;
    TextLoss by_pairs(const TextStream& stream, int longest, int examples, const std::vector<int>& characters) const;

private:
    double single(int token) const;
    double paired(int before, int token) const;
    std::vector<double> counts_;
    std::vector<std::vector<std::pair<int, double>>> pairs_;  ///< by the previous token's id
    std::vector<double> after_;                               ///< total count of the tokens that follow it
    double all_ = 0;
};

/// Texts of a size, and their counts.
struct LanguageTexts {
    std::shared_ptr<const Corpus> corpus;
    std::vector<int> characters;  ///< of each token

    /// Counts over all training texts of one language; computed on first request.
    const CountedText& counted(bool chinese) const;

private:
    mutable std::once_flag once_[2];
    mutable std::unique_ptr<const CountedText> counted_[2];
};
/// Read and tokenized once, then cached. Error: a package is missing.
Result<std::shared_ptr<const LanguageTexts>> language_texts(const TaskSize& size);

Course language_course(const TaskSize& size, const LanguageTexts& texts, const TaskOptions& options);
/// A model with these weights: tokenizer, words, settings; without name and record.
Model language_model(const TaskSize& size, std::shared_ptr<const TokenizerModel> tokenizer, const std::vector<Weight>& weights);

/// On held-out text, with so many examples in all; 0: as many as for a model's record.
TaskMeasure language_measure(const TaskSize& size, const LanguageTexts& texts, const std::vector<Weight>& weights, int examples);
/// Only on sentences of the program's own grammar, so that it can be repeated without any package.
std::vector<MeasuredSet> language_check(const TaskSize& size, const TokenizerModel& tokenizer, const std::vector<Weight>& weights);
std::string language_table(const TaskMeasure& measure);

/// The starts used for measuring: evenly spaced.
std::vector<std::uint32_t> measured_starts(const TextStream& stream, int examples);

}  // namespace attn::train
