// Which part of a model contributes to a word's logit: compared with a circuit set by hand
// (tests/data/make_planted.py), whose numbers come from an independent float64 pass, and checked to sum up on every
// family of checkpoints.
#include "core/analysis/attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/head_roles.h"
#include "core/analysis/patching.h"
#include "core/analysis/prediction.h"
#include "core/attention/parts/choices.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/model/model.h"
#include "tests/core/checkpoint_folder.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

constexpr double kClose = 1e-4;
const std::filesystem::path kPlanted = ATTN_SOURCE_DIR "/tests/data/planted";

/// The independent pass's numbers, and the program's run of the same tokens.
struct Planted {
    JsonValue says;
    Document document;
    attn::Run run;
    AttributedWord word;  ///< the target alone

    AttributedWord difference() const {
        AttributedWord out = word;
        out.against = document.model->row_of(says.find("against")->string);
        return out;
    }
};

Planted planted() {
    Planted out;
    out.says = *parse_json(*read_file(kPlanted / "reference.json", 1 << 20));
    const auto opened = document_from_json(R"({"model": ")" + kPlanted.string() + "\"}", "", {.folders = true});
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().text());
    out.document = *opened;
    for (const JsonValue& token : out.says.find("tokens")->items) out.document.tokens.push_back(token.string);
    out.run = run_valid(out.document);
    out.word = {.row = static_cast<int>(out.says.find("position")->integer) - 1, .target = *out.document.model->row_of(out.says.find("target")->string)};
    return out;
}

using Place = std::pair<int, int>;  // layer and head, counted from 1

Place place_of(const JsonValue& one) { return {static_cast<int>(one.find("layer")->integer), static_cast<int>(one.find("head")->integer)}; }
Place place_of(const Tag& tag) { return {tag.layer + 1, tag.head + 1}; }

TEST(PlantedCircuit, PredictsTheRightNextWord) {
    const Planted p = planted();
    const Matrix& logits = p.run.trace[logits_step(p.run.trace)].value;
    const auto half = static_cast<Eigen::Index>(p.document.tokens.size()) / 2;
    int right = 0;
    for (Eigen::Index row = half; row + 1 < logits.rows(); ++row) {
        Eigen::Index said = 0;
        logits.row(row).maxCoeff(&said);
        right += p.document.model->words[static_cast<std::size_t>(said)] == p.document.tokens[static_cast<std::size_t>(row) + 1];
    }
    EXPECT_EQ(right, p.says.find("right")->integer);
    EXPECT_EQ(right, half - 1);
}

/// Each role is found in the head that has it, and in no other; each share is that of the independent pass.
TEST(PlantedCircuit, ItsHeadsAreFoundAndNoOthers) {
    const Planted p = planted();
    std::map<Place, HeadRoles> measured;
    for (const AttentionMap& map : attention_maps(p.run.trace)) measured[place_of(map.tag)] = head_roles_of(p.run.trace, map);
    ASSERT_EQ(measured.size(), 8U);
    std::map<std::string, std::vector<Place>> found;
    for (const auto& [place, roles] : measured)
        for (std::size_t role = 0; role < kHeadRoles; ++role)
            if (roles.roles[role].share > 0.9) found[std::string(head_roles()[role].id)].push_back(place);
    std::map<std::string, std::vector<Place>> set_by_hand;
    for (const JsonValue& one : p.says.find("planted")->items) set_by_hand[one.find("role")->string].push_back(place_of(one));
    EXPECT_EQ(found, set_by_hand);
    for (const JsonValue& one : p.says.find("roles")->items)
        for (const HeadRole role : {HeadRole::Previous, HeadRole::Same, HeadRole::First, HeadRole::Duplicate, HeadRole::Induction}) {
            const std::string id(head_roles()[static_cast<std::size_t>(role)].id);
            EXPECT_NEAR(measured[place_of(one)][role].share, one.find(id)->number, kClose) << id;
        }
    // A head that was not set attends uniformly, so it has each role's chance level.
    const HeadRoles& any = measured[{1, 1}];
    for (const HeadRole role : {HeadRole::Previous, HeadRole::Same, HeadRole::First, HeadRole::Duplicate, HeadRole::Induction})
        EXPECT_NEAR(any[role].share, any[role].chance, 0.05 * any[role].chance + 1e-3);
}

void expect_parts(const Attribution& ours, const JsonValue& theirs) {
    const std::map<std::string, std::string> kNames = {{"mlp", "feed_forward"}, {"mlp_bias", "feed_forward_bias"}};
    EXPECT_NEAR(ours.logit, theirs.find("logit")->number, kClose * std::abs(theirs.find("logit")->number));
    EXPECT_EQ(ours.parts.size(), theirs.find("parts")->items.size());
    const double tolerance = kClose * std::abs(ours.logit);
    for (const JsonValue& there : theirs.find("parts")->items) {
        std::string id = there.find("part")->string;
        if (const auto other = kNames.find(id); other != kNames.end()) id = other->second;
        const int layer = there.find("layer") ? static_cast<int>(there.find("layer")->integer) - 1 : kNoLayer;
        const int head = there.find("head") ? static_cast<int>(there.find("head")->integer) - 1 : kNoHead;
        const auto here = std::find_if(ours.parts.begin(), ours.parts.end(), [&](const Contribution& one) {
            return contributor_id(one.what) == id && one.layer == layer && one.head == head;
        });
        ASSERT_NE(here, ours.parts.end()) << id << layer << head;
        EXPECT_NEAR(here->value, there.find("value")->number, tolerance) << id << layer << head;
        if (!there.find("sources")) continue;
        ASSERT_EQ(here->sources.size(), there.find("sources")->items.size());
        for (std::size_t j = 0; j < here->sources.size(); ++j) EXPECT_NEAR(here->sources[j], there.find("sources")->items[j].number, tolerance);
    }
}

TEST(Attribution, EqualsAnIndependentPass) {
    const Planted p = planted();
    const auto target = attribute(p.run, p.word), difference = attribute(p.run, p.difference());
    ASSERT_TRUE(target && difference);
    expect_parts(*target, *p.says.find("of_target"));
    expect_parts(*difference, *p.says.find("of_difference"));
}

/// The largest contribution is the induction head's, and its source token is the one after the earlier copy.
TEST(Attribution, NamesTheInductionHeadAndItsSource) {
    const Planted p = planted();
    const auto made = attribute(p.run, p.word);
    ASSERT_TRUE(made);
    const Contribution& most = *std::max_element(made->parts.begin(), made->parts.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    EXPECT_EQ(most.what, Contributor::Head);
    EXPECT_EQ((Place{most.layer + 1, most.head + 1}), (Place{2, 3}));
    const auto from = static_cast<std::size_t>(std::max_element(most.sources.begin(), most.sources.end()) - most.sources.begin());
    EXPECT_EQ(p.document.tokens[from], p.says.find("target")->string);
    EXPECT_EQ(from, static_cast<std::size_t>(p.word.row) + 1 - p.document.tokens.size() / 2);
}

TEST(Attribution, GradientTimesValueEqualsDifferences) {
    const Planted p = planted();
    const auto made = attribute(p.run, p.word);
    ASSERT_TRUE(made);
    const std::vector<Contribution> heads = gradient_times_value(p.run, *made);
    const auto& there = p.says.find("gradient")->items;
    ASSERT_EQ(heads.size(), there.size());
    double largest_there = 0;
    for (const JsonValue& one : there) largest_there = std::max(largest_there, std::abs(one.find("value")->number));
    for (const Contribution& head : heads) {
        const auto one = std::find_if(there.begin(), there.end(), [&](const JsonValue& it) { return place_of(it) == Place{head.layer + 1, head.head + 1}; });
        ASSERT_NE(one, there.end());
        EXPECT_NEAR(head.value, one->find("value")->number, 5e-4 * largest_there) << head.layer << head.head;
        ASSERT_EQ(head.sources.size(), one->find("sources")->items.size());
        for (std::size_t j = 0; j < head.sources.size(); ++j)
            EXPECT_NEAR(head.sources[j], one->find("sources")->items[j].number, 5e-4 * largest_there) << head.layer << head.head << j;
    }
    EXPECT_GT(std::abs(there[1].find("value")->number), 1) << "by way of the head that reads it; straight it has next to nothing";
}

/// Without the induction head, or the head that it reads, the word is not predicted; without any other it still is.
TEST(Ablation, EqualsAnIndependentPass) {
    const Planted p = planted();
    const double logit = logit_of(p.run.trace, p.word);
    const std::vector<StepId> heads = head_outputs(p.run.trace);
    const auto& there = p.says.find("without_head")->items;
    ASSERT_EQ(heads.size(), there.size());
    for (const StepId head : heads) {
        const auto one = std::find_if(there.begin(), there.end(), [&](const JsonValue& it) { return place_of(it) == place_of(p.run.trace[head].tag); });
        ASSERT_NE(one, there.end());
        const attn::Run zero = run_valid(with_intervention(p.document, at_head(p.run.trace[head].tag, PutBy::Zero)));
        const attn::Run mean = run_valid(with_intervention(p.document, at_head(p.run.trace[head].tag, PutBy::Mean)));
        EXPECT_EQ(zero.unused_edits, 0);
        EXPECT_NEAR(logit_of(zero.trace, p.word), one->find("logit")->number, kClose * logit);
        EXPECT_NEAR(logit_of(mean.trace, p.word), one->find("logit_mean")->number, kClose * logit);
        Eigen::Index said = 0;
        zero.trace[logits_step(zero.trace)].value.row(p.word.row).maxCoeff(&said);
        const Place place = place_of(p.run.trace[head].tag);
        EXPECT_EQ(said == p.word.target, place != Place(1, 2) && place != Place(2, 3));
    }
}

/// Patching the whole residual stream from another text, at whatever depth, gives that text's logits; patching one
/// token's alone does not.
TEST(Intervention, PatchingTheWholeStreamGivesTheOtherTextsLogits) {
    Planted p = planted();
    std::string other;
    for (auto token = p.document.tokens.rbegin(); token != p.document.tokens.rend(); ++token) other += (other.empty() ? "" : " ") + *token;
    const attn::Run there = run_valid(patched_from(p.document, other));
    const Matrix& wanted = there.trace[logits_step(there.trace)].value;
    for (const int layer : {0, 1, 2}) {
        p.document.interventions = {{.at = Site::Residual, .by = PutBy::Text, .layer = layer, .tokens = {}, .text = other}};
        const attn::Run patched = run_valid(p.document);
        EXPECT_LT((patched.trace[logits_step(patched.trace)].value.matrix() - wanted).cwiseAbs().maxCoeff(), 1e-5F) << layer;
        p.document.interventions.front().tokens = {3};
        const attn::Run in_part = run_valid(p.document);
        EXPECT_GT((in_part.trace[logits_step(in_part.trace)].value.matrix() - wanted).cwiseAbs().maxCoeff(), 0.1F) << layer;
    }
    const auto again = document_from_json(document_to_json(p.document), "", {.folders = true});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->interventions, p.document.interventions);
    p.document.interventions.front().text = "river stone";
    EXPECT_THAT(problems(p.document).front().text(), HasSubstr("has 2 tokens, this one 24"));
}

/// Where the information that decides between the two texts is: at the word after the first "seven", then in the
/// induction head, then at the position that predicts.
TEST(Patching, EqualsAnIndependentPassAndFindsThePathOfTheWord) {
    Planted p = planted();
    const JsonValue& patch = *p.says.find("patch");
    std::string text;
    for (const JsonValue& token : patch.find("tokens")->items) text += (text.empty() ? "" : " ") + token.string;
    const AttributedWord word = p.difference();
    OtherRuns others;
    others[text] = std::make_shared<const attn::Run>(run_valid(patched_from(p.document, text)));
    const double here = patch.find("logit")->number, there = patch.find("logit_of_text")->number;
    EXPECT_NEAR(logit_of(p.run.trace, word), here, kClose * std::abs(here));
    EXPECT_NEAR(logit_of(others[text]->trace, word), there, kClose * std::abs(here));
    const Attribution attribution{.of = word, .logits = summed_logits(p.run.trace), .parts = {}};
    std::vector<std::string> found;
    for (const Site site : {Site::Residual, Site::Pattern, Site::Head}) {
        const std::vector<Intervention> places = places_of(p.document, p.run, site, PutBy::Text, text);
        const auto estimates = estimated_changes(p.document, p.run, attribution, places, {}, others);
        ASSERT_TRUE(estimates);
        std::size_t at = 0;
        for (const JsonValue& one : patch.find("places")->items) {
            if (one.find("at")->string != site_id(site)) continue;
            const auto same = std::find_if(places.begin(), places.end(), [&](const Intervention& put) {
                const bool layer = put.layer + (site == Site::Residual ? 0 : 1) == one.find("layer")->integer;
                return layer && (site == Site::Residual ? put.tokens.front() + 1 == one.find("token")->integer : put.head + 1 == one.find("head")->integer);
            });
            ASSERT_NE(same, places.end());
            const auto patched = attn::run(with_intervention(p.document, *same), {}, {}, others);
            ASSERT_TRUE(patched) << patched.error().text();
            const double logit = logit_of(patched->trace, word);
            EXPECT_NEAR(logit, one.find("logit")->number, kClose * std::abs(here)) << intervention_text(*same);
            EXPECT_NEAR((*estimates)[static_cast<std::size_t>(same - places.begin())], one.find("first_order")->number, kClose * std::abs(here)) << intervention_text(*same);
            if (recovered(logit, here, there) > 0.5) found.push_back(intervention_text(*same));
            ++at;
        }
        EXPECT_EQ(at, places.size()) << site_id(site);
    }
    EXPECT_THAT(found, testing::UnorderedElementsAre("residual 0 at token 10", "residual 1 at token 10", "residual 2 at token 21", "head 2.3"));
}

/// Relations between interventions: the first-order estimate of zeroing is minus gradient × value, zeroing a head's
/// weights equals zeroing the head, and patching in a text's own numbers changes nothing.
TEST(Patching, IsConsistent) {
    const Planted p = planted();
    const Attribution attribution{.of = p.word, .logits = summed_logits(p.run.trace), .parts = {}};
    const auto zeros = estimated_changes(p.document, p.run, attribution, places_of(p.document, p.run, Site::Head, PutBy::Zero));
    ASSERT_TRUE(zeros);
    const std::vector<Contribution> slopes = gradient_times_value(p.run, attribution);
    ASSERT_EQ(zeros->size(), slopes.size());
    for (std::size_t i = 0; i < slopes.size(); ++i) EXPECT_NEAR((*zeros)[i], -slopes[i].value, 1e-5);

    const attn::Run no_weights = run_valid(with_intervention(p.document, {.at = Site::Pattern, .by = PutBy::Zero, .layer = 1, .head = 2, .tokens = {}, .text = {}}));
    const attn::Run no_head = run_valid(with_intervention(p.document, {.at = Site::Head, .by = PutBy::Zero, .layer = 1, .head = 2, .tokens = {}, .text = {}}));
    EXPECT_EQ(no_weights.trace[logits_step(no_weights.trace)].value.matrix(), no_head.trace[logits_step(no_head.trace)].value.matrix());

    std::string own;
    for (const std::string& token : p.document.tokens) own += (own.empty() ? "" : " ") + token;
    for (const Site site : {Site::Head, Site::Pattern, Site::Attention, Site::FeedForward, Site::Layer, Site::Residual})
        for (const Intervention& put : places_of(p.document, p.run, site, PutBy::Text, own)) {
            if (!put.tokens.empty() && put.tokens.front() % 8 != 0) continue;
            const attn::Run same = run_valid(with_intervention(p.document, put));
            EXPECT_EQ(same.trace[logits_step(same.trace)].value.matrix(), p.run.trace[logits_step(p.run.trace)].value.matrix()) << intervention_text(put);
        }
    EXPECT_TRUE(std::isnan(recovered(1, 2, 2)));
    const RowVector row = p.run.trace[logits_step(p.run.trace)].value.one_row(0);
    EXPECT_EQ(kl_divergence(row, row), 0);
    const float ln3 = std::log(3.0F);
    EXPECT_NEAR(kl_divergence(RowVector{{0, 0}}, RowVector{{0, ln3}}), 0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3.0), 1e-6);
}

TEST(Intervention, APlaceIsReadInEveryNotation) {
    const auto same = [](std::string_view words, const Intervention& wanted) {
        const auto read = intervention_at(words);
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(*read, wanted) << words;
    };
    same("head 2.3", {.at = Site::Head, .layer = 1, .head = 2, .tokens = {}, .text = {}});
    same(" pattern  1.1 of cross", {.at = Site::Pattern, .part = Part::Cross, .layer = 0, .head = 0, .tokens = {}, .text = {}});
    same("residual 0 @5,4,5", {.at = Site::Residual, .layer = 0, .tokens = {3, 4}, .text = {}});
    same("feed_forward 3 of encoder @1", {.at = Site::FeedForward, .part = Part::Encoder, .layer = 2, .tokens = {0}, .text = {}});
    // As it is printed, and as others call it.
    for (const char* one : {"feed forward 2", "mlp 2", "ffn 2"}) same(one, {.at = Site::FeedForward, .layer = 1, .tokens = {}, .text = {}});
    for (const std::string_view wrong : {"", "head", "head 2", "head 0.1", "head 1.0", "layer 0", "layer 1.2", "residual -1", "stream 1", "layer 1 of main", "layer 1 @", "layer 1 @0",
                                         "layer 1 @2x", "layer 99999999999", "layer 1 of encoder of cross", "feed 2", "mlp"})
        EXPECT_FALSE(intervention_at(wrong)) << wrong;
    EXPECT_THAT(intervention_at("head 2").error().text(), HasSubstr("head 2.3"));
}

/// The contributions sum to the logit, and each head's sources sum to that head's contribution.
void expect_sums(const attn::Run& run, const AttributedWord& of, bool has_sources = true) {
    const auto made = attribute(run, of);
    ASSERT_TRUE(made) << made.error().text();
    double size = std::abs(made->logit);
    for (const Contribution& part : made->parts) size = std::max(size, std::abs(part.value));
    EXPECT_NEAR(made->sum(), made->logit, kClose * size);
    const float shown = run.trace[made->logits].value(of.row, of.target) - (of.against ? run.trace[made->logits].value(of.row, *of.against) : 0);
    EXPECT_NEAR(made->logit, static_cast<double>(shown), kClose * size);
    int heads = 0;
    for (const Contribution& part : made->parts) {
        if (part.what != Contributor::Head) continue;
        ++heads;
        double sum = 0;
        for (const double source : part.sources) sum += source;
        EXPECT_NE(part.sources.empty(), has_sources);
        if (!has_sources) continue;
        EXPECT_NEAR(sum, part.value, kClose * size) << part.layer << part.head;
    }
    const int stacks = has(find_form(run.config.form)->reads, Reads::Source) ? 2 : 1;  // a decoder reads both texts
    EXPECT_EQ(heads, stacks * run.config.layers * run.config.heads);
}

std::vector<std::string> checkpoint_names() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

/// Why some families have no contributions that sum to the logit.
const std::map<std::string, std::string> kRefused = {
    {"bert", "a layer with an activation is between the last block and the words"},
    {"albert", "a layer with an activation is between the last block and the words"},
    {"albert-groups", "a layer with an activation is between the last block and the words"},
    {"electra", "a layer with an activation is between the last block and the words"},
    {"mpnet", "a layer with an activation is between the last block and the words"},
    {"electra-discriminator", "no matrix from its outputs to words"},
    {"mpnet-bare", "no matrix from its outputs to words"},
    {"bert-pair", "a layer with an activation is between the last block and the words"},
    {"distilbert", "a layer with an activation is between the last block and the words"},
    {"roberta", "a layer with an activation is between the last block and the words"},
    {"modernbert", "a layer with an activation is between the last block and the words"},
    {"modernbert-classes", "no matrix from its outputs to words"},
    {"minilm", "no matrix from its outputs to words"},
    {"vit-bare", "no matrix from its outputs to words"},
    {"deit-bare", "no matrix from its outputs to words"},
    {"clip", "no matrix from its outputs to words"},
    {"clip-text", "no matrix from its outputs to words"},
    {"dinov2", "no matrix from its outputs to words"},
    {"dinov2-large", "no matrix from its outputs to words"},
    {"dinov2-registers", "no matrix from its outputs to words"},
    {"siglip", "no matrix from its outputs to words"},
};

class AttributionOf : public testing::TestWithParam<std::string> {};

TEST_P(AttributionOf, SumsToTheLogitOrIsRefused) {
    const auto doc = opened(kCheckpoints / GetParam());
    ASSERT_TRUE(doc);
    const attn::Run run = run_valid(*doc);
    if (const auto why = kRefused.find(GetParam()); why != kRefused.end()) {
        const auto made = attribute(run, {});
        ASSERT_FALSE(made);
        EXPECT_THAT(made.error().text(), HasSubstr(why->second));
        return;
    }
    const StepId of_words = logits_step(run.trace);
    ASSERT_NE(of_words, kNoStep) << "the model predicts no words: it belongs into kRefused";
    const auto& logits = run.trace[of_words].value;
    for (int row = 0; row < static_cast<int>(logits.rows()); ++row) {
        expect_sums(run, {.row = row, .target = 2});
        expect_sums(run, {.row = row, .target = 0, .against = static_cast<int>(logits.cols()) - 1});
    }
    const auto made = attribute(run, {});
    EXPECT_EQ(made->capped(run.trace), run.config.logit_cap > 0);
}

INSTANTIATE_TEST_SUITE_P(All, AttributionOf, testing::ValuesIn(checkpoint_names()), [](const auto& one) {
    std::string name = one.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

/// Contributions sum whatever a block is made of, and whatever a head's output is.
TEST(Attribution, SumsInEveryKindOfBlock) {
    const auto of = [](const char* form) {
        Document doc;
        doc.tokens = {"the", "cat", "sat", "on", "it"};
        doc.config.form = form;
        doc.config.unembedding = "tied";
        doc.config.layers = doc.config.heads = 2;
        doc.weights = "random";
        return doc;
    };
    for (const char* form : {"encoder", "decoder", "generate"}) {
        for (const BlockOrder& block : block_orders().rows())
            for (const Norm& norm : norms().rows()) {
                if (block.parallel && std::string_view(form) == "decoder") continue;  // no decoder has parallel blocks
                SCOPED_TRACE(std::string(form) + " " + std::string(block.id) + " " + std::string(norm.id));
                Document doc = of(form);
                doc.config.block = block.id;
                doc.config.norm = norm.id;
                const attn::Run run = run_valid(doc);
                expect_sums(run, {.row = static_cast<int>(run.trace[logits_step(run.trace)].value.rows()) - 1, .target = 1, .against = 0});
            }
    }
    for (const char* form : {"encoder", "generate"}) {
        Document far = of(form);
        far.config.position = "relative";
        expect_sums(run_valid(far), {.row = 0, .target = 1}, false);
    }
    Document gated = of("encoder");
    gated.config.gate = "sigmoid";
    expect_sums(run_valid(gated), {.row = 0, .target = 1}, false);
}

/// A typed-over number is its own contribution, and a head that is switched off contributes nothing.
TEST(Attribution, CoversTypedOverNumbersAndHeadsThatAreOff) {
    auto doc = opened(kCheckpoints / "llama");
    ASSERT_TRUE(doc);
    doc->edits = {{{Role::Residual, kNoHead, 0}, 4, 3, 2.5F}, {{Role::Attended, kNoHead, 1}, 4, 1, -1.5F}};
    const attn::Run edited = run_valid(*doc);
    expect_sums(edited, {.row = 4, .target = 2});
    const auto made = attribute(edited, {.row = 4, .target = 2});
    EXPECT_EQ(std::count_if(made->parts.begin(), made->parts.end(), [](const auto& part) { return part.what == Contributor::Replaced; }), 2);
    doc->edits = {{{Role::HeadOutput, 1, 1}, 4, 0, 2.5F}};
    const auto head = attribute(run_valid(*doc), {.row = 4, .target = 2});
    EXPECT_NEAR(head->sum(), head->logit, 1e-4);
    for (const Contribution& part : head->parts) EXPECT_EQ(part.sources.empty(), part.what != Contributor::Head || (part.layer == 1 && part.head == 1));
    doc->edits.clear();
    doc->config.heads_off = {2};
    const attn::Run off = run_valid(*doc);
    expect_sums(off, {.row = 4, .target = 2});
    const auto without = attribute(off, {.row = 4, .target = 2});
    for (const Contribution& part : without->parts)
        EXPECT_EQ(part.value == 0, part.what == Contributor::Head && part.head == 2) << contributor_id(part.what) << part.layer << part.head;
}

/// The generating form, whose keys come from a cache, has the same contributions as the whole text at once.
TEST(Attribution, OfAFormThatGenerates) {
    const auto doc = opened(kCheckpoints / "gpt2"), on = opened(kCheckpoints / "gpt2", R"(, "variant": "generate", "generate": 1)");
    ASSERT_TRUE(doc && on);
    const attn::Run whole = run_valid(*doc), run = run_valid(*on);
    const auto there = attribute(whole, {.row = 4, .target = 3}), here = attribute(run, {.row = 0, .target = 3});
    ASSERT_TRUE(there && here);
    ASSERT_EQ(here->parts.size(), there->parts.size());
    for (std::size_t i = 0; i < here->parts.size(); ++i) {
        EXPECT_EQ(here->parts[i].what, there->parts[i].what);
        EXPECT_NEAR(here->parts[i].value, there->parts[i].value, kClose * std::abs(there->logit));
    }
}

TEST(Attribution, RefusesFormsWithoutBlocks) {
    Document doc;
    doc.config.form = "multi_head";
    const auto none = attribute(run_valid(doc), {});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().text(), HasSubstr("no matrix from its outputs to words"));
}

}  // namespace
}  // namespace attn::test
