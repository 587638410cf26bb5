// The names of heads, the notes about them, and the document with which the window opens.
#include "app/explain/head_names.h"

#include <gmock/gmock.h>

#include "app/state/edits.h"
#include "app/state/examples.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace app {
namespace {

using attn::Role;
using testing::HasSubstr;
using testing::IsEmpty;

attn::Trace trace_of(const attn::Document& document) {
    auto run = attn::run(document);
    EXPECT_TRUE(run.ok());
    return std::move(run->trace);
}

/// A token's weight on another, in a head.
float weight(const attn::Trace& trace, int head, std::string_view query, std::string_view key) {
    const auto at = [&](std::string_view token) {
        return std::find(trace.tokens.begin(), trace.tokens.end(), token) - trace.tokens.begin();
    };
    return attn::find(trace, {Role::Weights, head})->value(at(query), at(key));
}

TEST(Opening, ResolvesItsPronouns) {
    const attn::Trace english = trace_of(opening_document(Language::English));
    EXPECT_GT(weight(english, 0, "it", "bird"), 0.8f);
    EXPECT_GT(weight(english, 0, "he", "boy"), 0.8f);
    const attn::Trace chinese = trace_of(opening_document(Language::Chinese));
    EXPECT_GT(weight(chinese, 0, "它", "小鸟"), 0.8f);
    EXPECT_GT(weight(chinese, 0, "他", "男孩"), 0.8f);
}

TEST(Opening, EveryHeadHasItsOwnTask) {
    for (const Language language : {Language::English, Language::Chinese}) {
        const attn::Trace trace = trace_of(opening_document(language));
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < a; ++b) {
                const attn::Matrix one = attn::find(trace, {Role::Weights, a})->value.matrix(),
                                   other = attn::find(trace, {Role::Weights, b})->value.matrix();
                EXPECT_GT((one - other).cwiseAbs().sum() / static_cast<float>(2 * one.rows()), 0.25f)
                    << "weight that heads " << b + 1 << " and " << a + 1 << " put elsewhere";
            }
    }
}

TEST(Opening, UnknownWordsAreNotPunctuation) {
    attn::Document document = opening_document(Language::Chinese);
    EXPECT_THAT(attn::run(document)->unknown, IsEmpty()) << "it has a comma";
    document.text += "，zzyzx";
    EXPECT_THAT(attn::run(document)->unknown, testing::ElementsAre("zzyzx"));
}

TEST(HeadNames, AreTheQuestionsIfTheWeightsAreTheModels) {
    attn::Document document = opening_document(Language::English);
    for (int head = 0; head < 4; ++head)
        for (const Language language : {Language::English, Language::Chinese}) {
            const auto question = head_question(document, head, language);
            EXPECT_TRUE(question.ends_with(language == Language::Chinese ? "？" : "?")) << question;
            EXPECT_THAT(question_sentence(document, head, language), HasSubstr(std::string(question)));
        }
    EXPECT_THAT(head_question(document, 4, Language::English), IsEmpty());
    document.weights = "random";
    EXPECT_THAT(head_question(document, 0, Language::English), IsEmpty());
    EXPECT_THAT(question_sentence(document, 0, Language::English), IsEmpty());
    document = opening_document(Language::English);
    document.config.heads = 2;
    EXPECT_THAT(head_question(document, 0, Language::English), IsEmpty()) << "other heads than were asked";
}

TEST(HeadNames, ReportTheModelsMeasurements) {
    attn::Document document = opening_document(Language::English);
    auto model = std::make_shared<attn::Model>(*document.model);
    const std::string id = model->questions[1].id;
    model->measured = {{"unseen", {{"answers_" + id, 0.875}, {"answers_" + id + "_head_off", 0.25}}}};
    document.model = model;
    EXPECT_THAT(question_sentence(document, 1, Language::English), HasSubstr("88% of its answers are right, 25%"));
    EXPECT_THAT(question_sentence(document, 0, Language::English), testing::Not(HasSubstr("%"))) << "never measured";
}

/// What the training's tests measured for this weight; nothing if they had too few answers or the head answers no question.
TEST(HeadNames, HowSureAnAnswerIsComesFromTheTests) {
    attn::Document document;
    use_model(document, attn::shipped_model("questions"));
    auto model = std::make_shared<attn::Model>(*document.model);
    model->questions[0].sure = {{0, 0.1, 5}, {0.5, 0.42, 60}, {0.9, 0.87, 300}};
    document.model = model;
    EXPECT_THAT(sure_sentence(document, 0, "it", 0.7f, Language::English), HasSubstr("42% of its answers"));
    EXPECT_THAT(sure_sentence(document, 0, "it", 0.95f, Language::Chinese), HasSubstr("87%"));
    EXPECT_EQ(sure_sentence(document, 0, "it", 0.3f, Language::English), "") << "five answers say nothing";
    EXPECT_EQ(sure_sentence(attn::Document{}, 0, "it", 0.7f, Language::English), "");

    // A model without questions was tested on pronouns, in its last layer.
    use_model(document, attn::shipped_model("it"));
    EXPECT_THAT(sure_sentence(document, 0, "it", 0.95f, Language::English), HasSubstr("were right"));
    EXPECT_EQ(sure_sentence(document, 0, "street", 0.95f, Language::English), "");
    document.config.layers = 1;
    EXPECT_EQ(sure_sentence(document, 0, "it", 0.95f, Language::English), "");
}

TEST(HeadNames, ARoleIsNamedIfMostOfTheWeightHasIt) {
    using attn::HeadRole;
    attn::HeadRoles roles{.tag = {Role::Weights, 0}};
    const auto set = [&](std::initializer_list<double> shares, double chance) {
        std::size_t i = 0;
        for (const double share : shares) roles.roles[i++] = {share, chance, 7};
    };
    set({0.9, 0.02, 0.01, 0.2, 0, 0}, 0.2);
    EXPECT_EQ(role_sentence(roles, 3, Language::English),
              "In this text, 90% of head 4’s weight is on the previous token, averaged over the 7 rows that have one; spread "
              "evenly it would be 20%.");
    roles[HeadRole::First].share = 0.95;
    EXPECT_THAT(role_sentence(roles, 3, Language::Chinese), HasSubstr("第一个词元"));
    roles[HeadRole::Induction].share = 0.97;
    EXPECT_THAT(role_sentence(roles, 3, Language::English), HasSubstr("(induction)"));
    set({0.3, 0.3, 0.2, 0.4, 0, 0}, 0.1);
    EXPECT_THAT(role_sentence(roles, 0, Language::English), HasSubstr("no simple position"));
    set({0.6, 0.3, 0.2, 0.6, 0, 0}, 0.5);
    EXPECT_THAT(role_sentence(roles, 0, Language::English), HasSubstr("no simple position")) << "chance gives as much";
}

TEST(Models, CanBeChosenAndRemovedWithoutLosingTexts) {
    attn::Document document;
    document.text = "the cat slept";
    document.source = "another";
    document.edits.push_back({{Role::Scores}, 0, 0, 1});
    document.given[static_cast<std::size_t>(attn::Given::W_Q)] = attn::Matrix::Identity(8, 8);
    use_model(document, attn::shipped_model("questions"));
    EXPECT_EQ(document.text, "the cat slept");
    EXPECT_EQ(document.source, "another");
    EXPECT_EQ(document.config.heads, 4);
    EXPECT_EQ(document.weights, "model");
    EXPECT_THAT(document.edits, IsEmpty());
    EXPECT_THAT(attn::problems(document), IsEmpty());
    use_model(document, nullptr);
    EXPECT_EQ(document.model, nullptr);
    EXPECT_EQ(document.text, "the cat slept");
    EXPECT_EQ(document.weights, "identity");
    EXPECT_EQ(document.config.form, "multi_head");
    EXPECT_THAT(attn::problems(document), IsEmpty());
}

TEST(Models, AModelThatDoesNotKnowTheWordsSetsItsExample) {
    for (const attn::ModelPtr& model : attn::shipped_models()) {
        SCOPED_TRACE(model->name);
        attn::Document document;
        document.text = "the tired cat sat down";
        use_model(document, model);
        EXPECT_TRUE(attn::problems(document).empty()) << attn::problems(document).front().text();
        EXPECT_EQ(document.model, model);
        EXPECT_EQ(document.text == "the tired cat sat down", model->name == "questions" || model->name == "it" || model->tokenizer != nullptr);
    }
}

/// An encoder reads a sentence that was typed for another form.
TEST(Models, ATypedSentenceIsReadByTheEncoder) {
    attn::Document document;
    document.text = "the small girl saw a black cat .";
    use_model(document, attn::shipped_model("translation"));
    EXPECT_EQ(document.source, "the small girl saw a black cat .");
    EXPECT_EQ(document.text, "fr");
    use_model(document, attn::shipped_model("alignment"));
    EXPECT_EQ(document.source, "the small girl saw a black cat .") << "and stays, as the words written so far do";
    EXPECT_EQ(document.text, "fr");
}

TEST(Models, ReadersOfChineseSeeAChineseExample) {
    for (const std::string_view id : {"translation", "it", "dates"}) {
        attn::Document english, chinese;
        english.text = chinese.text = "qq";  // no model knows it
        use_model(english, attn::shipped_model(id));
        use_model(chinese, attn::shipped_model(id), Language::Chinese);
        const auto& task = *attn::train::find_task(id);
        EXPECT_EQ(english.text, task.examples.front().text) << id;
        EXPECT_NE(chinese.text + chinese.source, english.text + english.source) << id;
        EXPECT_EQ(chinese.text, attn::train::example_for(task, true).text) << id;
    }
    attn::Document typed;
    typed.text = "the small girl saw a black cat .";
    use_model(typed, attn::shipped_model("translation"), Language::Chinese);
    EXPECT_EQ(typed.text, "zh");
}

/// Another form is one click away: settings for which the model has no numbers are dropped, not refused.
TEST(Models, EveryFormCanBeChosenAfterOne) {
    for (const attn::Form& form : attn::forms()) {
        attn::Document document = opening_document(Language::English);
        attn::choose_form(document, form.id);
        EXPECT_EQ(document.config.form, form.id);
        EXPECT_THAT(attn::problems(document), IsEmpty()) << form.id;
    }
}

}  // namespace
}  // namespace app
