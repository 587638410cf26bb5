#include "core/train/shipped/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "core/io/json.h"
#include "core/tokenizers/tokenizer_model.h"
#include "core/train/drills.h"
#include "core/train/task_texts.h"

namespace attn::train {
namespace {

constexpr int kReadTogether = 16;
/// The share of the steps in which the rate stays at its maximum before it falls. A longer training can continue from
/// that point, so nothing of it is wasted. [Hu et al. 2024]
constexpr double kSteady = 0.8;
constexpr int kWarmUp = 100;
/// The width of a gated feed-forward layer, which has three matrices where another has two.
int inner_width(int width) { return (width * 8 / 3 + 7) / 8 * 8; }

Drill drawn(const Corpus& corpus, Random& random) {
    const std::vector<TextStream>& streams = corpus.seen;
    double all = 0;
    for (const TextStream& stream : streams) all += stream.source->share;
    double at = random.uniform() * all;
    std::size_t s = 0;
    while (s + 1 < streams.size() && at >= streams[s].source->share) at -= streams[s++].source->share;
    const TextStream& stream = streams[s];
    const std::uint32_t start = stream.starts[static_cast<std::size_t>(task::below(random, static_cast<int>(stream.starts.size())))];
    Drill out;
    for (int i = 0; i < corpus.longest; ++i) {
        out.text.push_back(stream.tokens[start + static_cast<std::uint32_t>(i)]);
        out.targets.push_back(stream.tokens[start + static_cast<std::uint32_t>(i) + 1]);
    }
    return out;
}

}  // namespace

FormTask language_form(const TaskSize& size, int vocabulary, std::shared_ptr<const Corpus> corpus) {
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "encoder", "heads": {}, "layers": {}, "ffn_width": {}, "block": "pre_norm", "norm": "rms_norm", "epsilon": 1e-05, "activation": "swiglu", "position": "rope_half", "rope_base": 10000, "mask": "causal", "unembedding": "tied"}})",
        size.heads, size.layers, inner_width(size.width));
    out.words.resize(static_cast<std::size_t>(vocabulary));
    for (int i = 0; i < vocabulary; ++i) out.words[static_cast<std::size_t>(i)] = std::to_string(i);
    out.width = size.width;
    out.longest = kLanguageContext;
    out.spread = 0.5f;
    out.vector_spread = 0.03f;
    out.copying = false;
    out.decay = 0.05f;
    out.unseen = 0;  // held-out texts are chosen in corpus.h
    if (corpus) out.drill = [corpus = std::move(corpus)](Random& random) { return drawn(*corpus, random); };
    return out;
}

const CountedText& LanguageTexts::counted(bool chinese) const {
    std::call_once(once_[chinese], [&] {
        std::vector<const TextStream*> seen;
        for (const TextStream& stream : corpus->seen)
            if (stream.source->chinese == chinese) seen.push_back(&stream);
        counted_[chinese] = std::make_unique<const CountedText>(seen, corpus->vocabulary());
    });
    return *counted_[chinese];
}

Result<std::shared_ptr<const LanguageTexts>> language_texts(const TaskSize& size) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const LanguageTexts>, std::less<>> made;
    const std::scoped_lock lock(mutex);
    if (const auto there = made.find(size.id); there != made.end()) return there->second;
    auto corpus = size.id == kGrammarSize ? make_corpus(own_sources(), {.merged = 300, .characters = 300}, kLanguageContext)
                                          : make_corpus(text_sources(), {}, kLanguageContext);
    if (!corpus) return corpus.error();
    const auto texts = std::make_shared<LanguageTexts>();
    texts->characters = token_characters(*(*corpus)->tokenizer);
    texts->corpus = std::move(*corpus);
    return made.emplace(size.id, texts).first->second;
}

Course language_course(const TaskSize& size, const LanguageTexts& texts, const TaskOptions& options) {
    Course out = form_course(language_form(size, texts.corpus->vocabulary(), texts.corpus), options);
    const int steady = static_cast<int>(std::lround(kSteady * options.steps));
    const int warm = std::min(kWarmUp, std::max(steady / 2, 1));
    out.phases = {{steady, options.rate, warm, 1.0f, false}, {options.steps - steady, options.rate, 0, 0.02f, false}};
    if (steady == 0) out.phases.erase(out.phases.begin());
    return out;
}

Model language_model(const TaskSize& size, std::shared_ptr<const TokenizerModel> tokenizer, const std::vector<Weight>& weights) {
    Model out;
    const auto settings = parse_json(language_form(size, 1, nullptr).settings);
    assert(settings);
    for (const JsonMember& one : settings->members) out.settings.emplace_back(one.key, one.value);
    for (int id = 0; id < tokenizer->size(); ++id) out.words.push_back(tokenizer->token_text(id));
    out.tokenizer = std::move(tokenizer);
    out.embeddings = Matrix(weights.front().value);
    for (std::size_t w = 1; w < weights.size(); ++w) out.weights.emplace(weights[w].name, weights[w].value);
    return out;
}

void TextLoss::add(const TextLoss& more) {
    tokens += more.tokens;
    characters += more.characters;
    loss += more.loss;
    right += more.right;
}

std::vector<std::uint32_t> measured_starts(const TextStream& stream, int examples) {
    std::vector<std::uint32_t> out;
    const auto all = stream.starts.size(), count = std::min(all, static_cast<std::size_t>(examples));
    for (std::size_t i = 0; i < count; ++i) out.push_back(stream.starts[i * all / count]);
    return out;
}

TextReader::TextReader(const FormTask& task, const std::vector<Weight>& weights)
    : longest_(task.longest), form_(TrainedForm::make(task, kReadTogether)), weights_(weights), memory_(form_->plan().memory()) {
    for (std::size_t w = 0; w < weights.size(); ++w)
        if (form_->weight_steps()[w] != kNoStep) form_->plan().place_weight(memory_, form_->weight_steps()[w], weights[w].value.data());
}

TextLoss TextReader::loss(const TextStream& stream, int examples, const std::vector<int>& characters, PreviousLook* look) {
    const std::vector<std::uint32_t> starts = measured_starts(stream, examples);
    TextLoss out;
    for (std::size_t first = 0; first < starts.size(); first += kReadTogether) {
        const std::size_t count = std::min<std::size_t>(kReadTogether, starts.size() - first);
        for (std::size_t i = 0; i < kReadTogether; ++i) {
            const auto from = stream.tokens.begin() + starts[first + std::min(i, count - 1)];
            Drill drill;
            drill.text.assign(from, from + longest_);
            form_->fill(memory_, static_cast<int>(i), drill, weights_.front().value);
        }
        form_->plan().forward(memory_);
        for (std::size_t i = 0; look && i < count; ++i) {
            look->share.resize(form_->maps().size());
            look->rows += longest_ - 1;
            for (std::size_t m = 0; m < form_->maps().size(); ++m) {
                const auto map = form_->weights_of(memory_, form_->maps()[m], static_cast<int>(i));
                for (int r = 1; r < longest_; ++r) look->share[m] += static_cast<double>(map(r, r - 1));
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const auto logits = form_->logits(memory_, static_cast<int>(i));
            for (int r = 0; r < longest_; ++r) {
                const int target = stream.tokens[starts[first + i] + static_cast<std::uint32_t>(r) + 1];
                Eigen::Index best = 0;
                const float most = logits.row(r).maxCoeff(&best);
                const double sum = (logits.row(r).array() - most).exp().cast<double>().sum();
                out.loss += std::log(sum) - static_cast<double>(logits(r, target) - most);
                out.right += best == target ? 1 : 0;
                out.characters += characters[static_cast<std::size_t>(target)];
                ++out.tokens;
            }
        }
    }
    return out;
}

CountedText::CountedText(const std::vector<const TextStream*>& seen, int vocabulary)
    : counts_(static_cast<std::size_t>(vocabulary)), pairs_(static_cast<std::size_t>(vocabulary)), after_(static_cast<std::size_t>(vocabulary)) {
    std::vector<std::map<int, double>> pairs(static_cast<std::size_t>(vocabulary));
    for (const TextStream* stream : seen)
        for (std::size_t i = 0; i < stream->tokens.size(); ++i) {
            ++counts_[stream->tokens[i]];
            ++all_;
            if (i > 0) ++pairs[stream->tokens[i - 1]][stream->tokens[i]], ++after_[stream->tokens[i - 1]];
        }
    for (std::size_t t = 0; t < pairs.size(); ++t) pairs_[t].assign(pairs[t].begin(), pairs[t].end());
}

double CountedText::single(int token) const {
    return (counts_[static_cast<std::size_t>(token)] + 1) / (all_ + static_cast<double>(counts_.size()));
}

double CountedText::paired(int before, int token) const {
    const auto& row = pairs_[static_cast<std::size_t>(before)];
    const auto at = std::lower_bound(row.begin(), row.end(), token, [](const auto& one, int t) { return one.first < t; });
    const double count = at != row.end() && at->first == token ? at->second : 0, kinds = static_cast<double>(row.size());
    if (kinds == 0) return single(token);
    return (count + kinds * single(token)) / (after_[static_cast<std::size_t>(before)] + kinds);
}

TextLoss CountedText::by_tokens(const TextStream& stream, int longest, int examples, const std::vector<int>& characters) const {
    TextLoss out;
    const auto best = std::max_element(counts_.begin(), counts_.end()) - counts_.begin();
    for (const std::uint32_t start : measured_starts(stream, examples))
        for (std::uint32_t i = start; i < start + static_cast<std::uint32_t>(longest); ++i) {
            const int target = stream.tokens[i + 1];
            out.add({1, static_cast<double>(characters[static_cast<std::size_t>(target)]), -std::log(single(target)), target == best ? 1.0 : 0.0});
        }
    return out;
}

TextLoss CountedText::by_pairs(const TextStream& stream, int longest, int examples, const std::vector<int>& characters) const {
    TextLoss out;
    for (const std::uint32_t start : measured_starts(stream, examples))
        for (std::uint32_t i = start; i < start + static_cast<std::uint32_t>(longest); ++i) {
            const int before = stream.tokens[i], target = stream.tokens[i + 1];
            const auto& row = pairs_[static_cast<std::size_t>(before)];
            const auto best = std::max_element(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
            const double right = best != row.end() && best->first == target ? 1 : 0;
            out.add({1, static_cast<double>(characters[static_cast<std::size_t>(target)]), -std::log(paired(before, target)), right});
        }
    return out;
}

}  // namespace attn::train
