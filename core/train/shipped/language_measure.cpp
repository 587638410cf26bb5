// A language model's loss on held-out text, next to that of counting.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/train/shipped/language.h"

namespace attn::train {
namespace {

constexpr int kRecorded = 160;  ///< examples per source, for a model's record
constexpr int kGrammarSentences = 300;
constexpr std::uint64_t kCheckedSeed = 777;  ///< of the sentences used for measuring; training uses another seed

double digits(double value) { return std::round(value * 1000) / 1000; }

struct SourceLoss {
    const TextSource* source = nullptr;
    bool chinese = false;
    TextLoss model, tokens, pairs;
};

std::vector<SourceLoss> losses_of(const LanguageTexts& texts, TextReader& reader, int examples, PreviousLook* look) {
    std::vector<SourceLoss> out;
    const Corpus& corpus = *texts.corpus;
    for (const TextStream& stream : corpus.held_out) {
        if (stream.starts.empty()) continue;
        const CountedText& counted = texts.counted(stream.source->chinese);
        out.push_back({stream.source, stream.source->chinese, reader.loss(stream, examples, texts.characters, look),
                       counted.by_tokens(stream, corpus.longest, examples, texts.characters),
                       counted.by_pairs(stream, corpus.longest, examples, texts.characters)});
    }
    return out;
}

SourceLoss sum_of(const std::vector<SourceLoss>& all, bool chinese) {
    SourceLoss out;
    out.chinese = chinese;
    for (const SourceLoss& one : all) {
        if (one.chinese != chinese) continue;
        out.model.add(one.model);
        out.tokens.add(one.tokens);
        out.pairs.add(one.pairs);
    }
    return out;
}

double right_of(const TextLoss& loss) { return loss.tokens > 0 ? loss.right / loss.tokens : 0; }

MeasuredSet set_of(std::string id, const SourceLoss& one) {
    return {std::move(id),
            {{"loss", digits(one.model.per_token())},
             {"bits_per_character", digits(one.model.bits_per_character())},
             {"right", digits(right_of(one.model))},
             {"loss_by_frequency", digits(one.tokens.per_token())},
             {"loss_by_pairs", digits(one.pairs.per_token())},
             {"bits_per_character_by_pairs", digits(one.pairs.bits_per_character())}}};
}

/// The weights with one head switched off: its output is not read by W_O.
std::vector<Weight> without_head(std::vector<Weight> weights, Tag tag, int heads) {
    const std::string output = step_name({Role::OutputWeight, kNoHead, tag.layer, kNoTime, tag.part});
    for (Weight& weight : weights)
        if (weight.name == output) {
            const Eigen::Index width = weight.value.rows() / heads;
            weight.value.middleRows(std::max(tag.head, 0) * width, width).setZero();
        }
    return weights;
}

/// Drawn once: every snapshot of a training is measured on the same sentences.
const std::vector<std::string>& checked_sentences(bool chinese) {
    static const std::vector<std::string> kSentences[2] = {untrained_sentences(kCheckedSeed, false, kGrammarSentences),
                                                           untrained_sentences(kCheckedSeed, true, kGrammarSentences)};
    return kSentences[chinese ? 1 : 0];
}

}  // namespace

std::vector<MeasuredSet> language_check(const TaskSize& size, const TokenizerModel& tokenizer, const std::vector<Weight>& weights) {
    const FormTask task = language_form(size, static_cast<int>(weights.front().value.rows()), nullptr);
    TextReader reader(task, weights);
    const std::vector<int> characters = token_characters(tokenizer);
    std::vector<MeasuredSet> out;
    for (const bool chinese : {false, true}) {
        const TextLoss loss = reader.loss(text_stream(nullptr, checked_sentences(chinese), tokenizer, task.longest), kRecorded, characters, nullptr);
        out.push_back({chinese ? "own_sentences_chinese" : "own_sentences_english",
                       {{"loss", digits(loss.per_token())}, {"right", digits(right_of(loss))}}});
    }
    return out;
}

TaskMeasure language_measure(const TaskSize& size, const LanguageTexts& texts, const std::vector<Weight>& weights, int examples) {
    const Corpus& corpus = *texts.corpus;
    const FormTask task = language_form(size, corpus.vocabulary(), nullptr);
    const auto sources = static_cast<int>(corpus.held_out.size());
    const int each = examples > 0 ? std::max(1, examples / sources) : kRecorded;
    TextReader reader(task, weights);
    PreviousLook look;
    const std::vector<SourceLoss> all = losses_of(texts, reader, each, &look);
    const SourceLoss english = sum_of(all, false), chinese = sum_of(all, true);
    TextLoss whole = english.model, counted = english.tokens;
    whole.add(chinese.model);
    counted.add(chinese.tokens);
    TaskMeasure out;
    out.right = out.score = right_of(whole);
    out.chance = right_of(counted);
    out.role_name = {"looks at the token before", "看前一个词元"};
    const auto best = std::max_element(look.share.begin(), look.share.end()) - look.share.begin();
    const Tag head = reader.map_tag(static_cast<std::size_t>(best));
    out.role = look.share[static_cast<std::size_t>(best)] / std::max(look.rows, 1.0);
    const std::vector<Weight> off = without_head(weights, head, size.heads);
    TextReader lame(task, off);
    TextLoss without;
    for (const TextStream& stream : corpus.held_out) without.add(lame.loss(stream, each, texts.characters, nullptr));
    out.off = right_of(without);
    out.figures = {{"right_english", {"next token right, English", "下一个词元猜中（英文）"}, right_of(english.model)},
                   {"pairs_right_english", {"the same by counting pairs", "只数词对时的同一比例"}, right_of(english.pairs)},
                   {"right_chinese", {"next token right, Chinese", "下一个词元猜中（中文）"}, right_of(chinese.model)},
                   {"pairs_right_chinese", {"the same by counting pairs", "只数词对时的同一比例"}, right_of(chinese.pairs)},
                   {"previous", {"looks at the token before", "看前一个词元"}, out.role, step_name(head)},
                   {"previous_head_off", {"next token right with this head off", "关掉这个头后猜中的比例"}, out.off, step_name(head)}};
    out.sets = {set_of("english", english), set_of("chinese", chinese)};
    for (const SourceLoss& one : all) out.sets.push_back(set_of("kept_" + std::string(one.source->id), one));
    for (MeasuredSet& one : language_check(size, *corpus.tokenizer, weights)) out.sets.push_back(std::move(one));
    return out;
}

std::string language_table(const TaskMeasure& measure) {
    std::string out = "Loss on text that never trained, in nats for each token and bits for each character:\n\n";
    out += fmt::format("{:<24}{:>8}{:>10}{:>9}{:>15}{:>13}{:>12}\n", "text", "loss", "bits/char", "right", "by frequency", "by pairs", "bits/char");
    for (const MeasuredSet& set : measure.sets) {
        const auto value = [&](std::string_view key) {
            const auto at = std::find_if(set.figures.begin(), set.figures.end(), [key](const auto& f) { return f.first == key; });
            return at == set.figures.end() ? std::string() : fmt::format("{:.3f}", at->second);
        };
        out += fmt::format("{:<24}{:>8}{:>10}{:>9}{:>15}{:>13}{:>12}\n", set.id, value("loss"), value("bits_per_character"), value("right"),
                           value("loss_by_frequency"), value("loss_by_pairs"), value("bits_per_character_by_pairs"));
    }
    return out;
}

}  // namespace attn::train
