#pragma once
// A small language model: a decoder that continues any text. Its task (tasks/language.cpp), its weights as a checkpoint
// of Llama's layout, and what is measured of it. Internal to core/train.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/train/form.h"
#include "core/train/shipped/corpus.h"
#include "core/train/tasks.h"

namespace attn::train {

/// Context of training: tokens of an example.
inline constexpr int kLanguageContext = 64;

/// The size that is trained on the program's own sentences alone.
inline constexpr std::string_view kGrammarSize = "grammar";

/// The form for a vocabulary of this size. It draws examples where there is a corpus.
FormTask language_form(const TaskSize& size, int vocabulary, std::shared_ptr<const Corpus> corpus);


/// What a model loses on texts: nats for each token.
struct TextLoss {
    double tokens = 0, characters = 0, loss = 0, right = 0;  ///< sums
    double per_token() const { return loss / tokens; }
    double bits_per_character() const { return loss / (0.6931471805599453 * characters); }
    void add(const TextLoss& more);
};

/// How much of its weight each head puts on the token before.
struct PreviousLook {
    std::vector<double> share;  ///< a head; sums over rows
    double rows = 0;
};

/// Runs a model over streams. The weights must outlive it.
class TextReader {
public:
    TextReader(const FormTask& task, const std::vector<Weight>& weights);
    /// At most so many examples, evenly from all of them. `look`: added to; may be null.
    TextLoss loss(const TextStream& stream, int examples, const std::vector<int>& characters, PreviousLook* look);
    Tag map_tag(std::size_t map) const { return form_->maps()[map].tag; }

private:
    int longest_;
    std::shared_ptr<const TrainedForm> form_;
    const std::vector<Weight>& weights_;
    PlanMemory memory_;
};

/// What counting alone gives on the same examples: the frequency of each token, and of each pair, mixed with it as Witten
/// and Bell do. [Witten, Bell 1991]
class CountedText {
public:
    CountedText(const std::vector<const TextStream*>& seen, int vocabulary);
    TextLoss by_tokens(const TextStream& stream, int longest, int examples, const std::vector<int>& characters) const;
    TextLoss by_pairs(const TextStream& stream, int longest, int examples, const std::vector<int>& characters) const;

private:
    double single(int token) const;
    double paired(int before, int token) const;
    std::vector<double> counts_;
    std::vector<std::vector<std::pair<int, double>>> pairs_;  ///< of the token before, by number
    std::vector<double> after_;                               ///< how many follow it
    double all_ = 0;
};

/// Texts of a size, and what is counted in them.
struct LanguageTexts {
    std::shared_ptr<const Corpus> corpus;
    std::vector<int> characters;  ///< of each token

    /// Over all texts of one language that train; made when it is first asked for.
    const CountedText& counted(bool chinese) const;

private:
    mutable std::once_flag once_[2];
    mutable std::unique_ptr<const CountedText> counted_[2];
};
/// Read and cut once and kept. Error: a package is missing.
Result<std::shared_ptr<const LanguageTexts>> language_texts(const TaskSize& size);

Course language_course(const TaskSize& size, const LanguageTexts& texts, const TaskOptions& options);
/// A model of these weights: tokenizer, words, settings; neither name nor record.
Model language_model(const TaskSize& size, std::shared_ptr<const TokenizerModel> tokenizer, const std::vector<Weight>& weights);

/// On text that never trained, so many examples in all; 0: as many as a model's record has.
TaskMeasure language_measure(const TaskSize& size, const LanguageTexts& texts, const std::vector<Weight>& weights, int examples);
/// On sentences of the program's own grammar alone: what can be measured again wherever the program runs.
std::vector<MeasuredSet> language_check(const TaskSize& size, const TokenizerModel& tokenizer, const std::vector<Weight>& weights);
std::string language_table(const TaskMeasure& measure);

/// The starts that are measured on: evenly from all of them.
std::vector<std::uint32_t> measured_starts(const TextStream& stream, int examples);

}  // namespace attn::train
