// Attention of other programs: dropped, named on the command line, shown on every screen, compared with another run, restored
// at the next start; and the message for numbers that it does not contain.

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "app/cli/window_command.h"
#include "app/screens/compare/comparison.h"
#include "app/screens/heads/heads.h"
#include "app/screens/prediction/prediction.h"
#include "app/shell/open_files.h"
#include "app/shell/session.h"
#include "app/state/screens.h"
#include "app/timeline/roles.h"
#include "core/document/fields.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/model/attention_file/given_attention.h"
#include "tests/app/app_fixture.h"
#include "tests/app/cli_fixture.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using cli_test::Folder;
using cli_test::run;
using testing::HasSubstr;

constexpr std::size_t kLayers = 2, kHeadCount = 3, kTokens = 4;

/// Head 1 attends to the previous token, head 2 to itself, head 3 uniformly; the second layer is less sharp.
std::vector<float> example_weights() {
    std::vector<float> out;
    for (std::size_t l = 0; l < kLayers; ++l)
        for (std::size_t h = 0; h < kHeadCount; ++h)
            for (std::size_t q = 0; q < kTokens; ++q)
                for (std::size_t k = 0; k < kTokens; ++k) {
                    const std::size_t most = h == 0 ? (q > 0 ? q - 1 : 0) : q;
                    const float large = l == 0 ? 0.85f : 0.55f, rest = (1 - large) / 3;
                    out.push_back(h == 2 ? 0.25f : k == most ? large : rest);
                }
    return out;
}

std::string example_npz(std::vector<float> weights = example_weights()) {
    const std::size_t shape[] = {kLayers, kHeadCount, kTokens, kTokens};
    return *attn::npz_bytes(std::vector<attn::NpzFile>{{"attention.npy", attn::npy_bytes(shape, weights)}});
}

/// A capture of queries and keys of two layers, three heads and four tokens, and of the residual stream.
std::string example_capture() {
    std::string header = R"({"__metadata__": {"scale": "0.5", "causal": "true", "tokens": "[\"the\", \"tired\", \"cat\", \"sat\"]"})", data;
    const auto add = [&](const std::string& name, std::initializer_list<std::size_t> shape) {
        const std::size_t begin = data.size();
        std::size_t count = 1;
        std::string sides;
        for (const std::size_t side : shape) count *= side, sides += (sides.empty() ? "" : ", ") + std::to_string(side);
        for (std::size_t i = 0; i < count; ++i) {
            const float number = static_cast<float>((i * 37 + begin) % 23) / 8 - 1;
            data.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
        header += ", \"" + name + R"(": {"dtype": "F32", "shape": [)" + sides + R"(], "data_offsets": [)" + std::to_string(begin) + ", " + std::to_string(data.size()) + "]}";
    };
    for (std::size_t l = 0; l < kLayers; ++l) {
        add("queries_" + std::to_string(l), {kHeadCount, kTokens, 2});
        add("keys_" + std::to_string(l), {1, kTokens, 2});
    }
    for (const char* name : {"residual_input", "residual_0", "residual_1"}) add(name, {kTokens, 6});
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 255);
    return length + header + data;
}

class AttentionFile : public testing::Test {
protected:
    AttentionFile() {
        cli_test::write_file(folder_ / "heads.npz", example_npz());
        cli_test::write_file(folder_ / "heads.txt", "the\ntired\ncat\nsat\n");
    }
    attn::Document opened(const std::string& name = "heads.npz") {
        auto document = open_document(folder_ / name);
        EXPECT_TRUE(document.ok()) << (document.ok() ? "" : document.error().text());
        return document.ok() ? *document : attn::Document{};
    }
    const Folder folder_;
};

TEST_F(AttentionFile, IsOpenedByDroppingInEveryFormat) {
    cli_test::write_file(folder_ / "small.json", R"({"tokens": ["a", "b"], "attention": [[[0.5, 0.5], [0.25, 0.75]]]})");
    for (const char* name : {"heads.npz", "small.json"}) {
        const Dropped dropped = open_dropped(std::vector<std::string>{folder_ / name});
        ASSERT_TRUE(dropped.document) << dropped.notice();
        EXPECT_TRUE(dropped.document->attention);
        EXPECT_EQ(dropped.notice(), "");
    }
    EXPECT_EQ(attn::tokens_of(opened("small.json")), (std::vector<std::string>{"a", "b"}));
    cli_test::write_file(folder_ / "cut.npz", example_npz().substr(0, 200));
    EXPECT_THAT(open_dropped(std::vector<std::string>{folder_ / "cut.npz"}).notice(), HasSubstr("damaged or cut short"));
    cli_test::write_file(folder_ / "doc.json", R"({"attention": "heads.npz", "tokens": ["q", "r", "s", "t"]})");
    EXPECT_EQ(attn::tokens_of(opened("doc.json")).front(), "q") << "a document names it, and has its own tokens";
}

TEST_F(AttentionFile, IsOpenedFromTheCommandLine) {
    std::istringstream none;
    WindowArguments arguments;
    arguments.words = {folder_ / "heads.npz"};
    const auto options = window_options(arguments, none);
    ASSERT_TRUE(options.ok()) << options.error().text();
    ASSERT_TRUE(options->document);
    EXPECT_EQ(options->document->attention->heads, 3);
    const auto explained = run({"explain", "--attention", folder_ / "heads.npz", "--step", "l1.weights.h1", "--row", "cat", "--column", "tired"});
    EXPECT_EQ(explained.status, 0) << explained.err;
    EXPECT_THAT(explained.out, HasSubstr("0.85 (file)"));
    const auto listed = run({"explain", folder_ / "heads.npz", "--step", "scores", "--row", "1", "--column", "1"});
    EXPECT_EQ(listed.status, 3) << "there are no scores";
    const auto named = run({"trace", "--attention", folder_ / "heads.npz", "--tokens", R"(["a","b","c","d"])", "--step", "l2.weights.h3", "--format", "csv"});
    EXPECT_EQ(named.status, 0) << named.err;
    EXPECT_THAT(named.out, HasSubstr("a,b,c,d"));
    EXPECT_THAT(run({"trace", folder_ / "heads.npz", "--tokens", R"(["a"])"}).err, HasSubstr("1 tokens are named, but the attention from the file is of 4"));
    EXPECT_THAT(run({"trace", folder_ / "heads.npz", "--tokens", "[1]"}).err, HasSubstr("--tokens"));
    EXPECT_EQ(run({"trace", "--attention", folder_ / "heads.npz", "--model", "it"}).status, 2) << "one or the other";
    cli_test::write_file(folder_ / "other.npz", example_npz());
    const auto two = run({"heads", "--attention", folder_ / "heads.npz", folder_ / "other.npz"});
    EXPECT_EQ(two.status, 3) << "one of two files would not be looked at";
    EXPECT_THAT(two.err, HasSubstr("other.npz: this attention would be passed over, because --attention names another; name one of the two"));
    EXPECT_EQ(two.out, "");
    EXPECT_THAT(run({"heads", "--model", "induction", folder_ / "other.npz"}).err, HasSubstr("because --model names another"));
    EXPECT_THAT(run({"heads", "--model", "induction", ATTN_SOURCE_DIR "/tests/data/planted"}).err, HasSubstr("this model would be passed over"));
    cli_test::write_file(folder_ / "doc.json", R"({"text": "k q b z k q b", "model": "language"})");
    EXPECT_EQ(run({"heads", "--model", "induction", folder_ / "doc.json"}).status, 0) << "a document has a text, too";
    EXPECT_THAT(run({"next", folder_ / "heads.npz"}).err, testing::Not(HasSubstr("Assertion")));
    EXPECT_NE(run({"next", folder_ / "heads.npz"}).status, 0) << "weights predict no word";
}

TEST_F(AttentionFile, QueriesAndKeysAreExplainedAndTheStreamIsFollowed) {
    cli_test::write_file(folder_ / "run.safetensors", example_capture());
    const std::string file = folder_ / "run.safetensors";
    const auto weight = run({"explain", file, "--step", "l2.weights.h3", "--row", "cat", "--column", "tired"});
    EXPECT_EQ(weight.status, 0) << weight.err;
    EXPECT_THAT(weight.out, HasSubstr("exp"));
    const auto score = run({"explain", file, "--step", "l2.scores.h3", "--row", "cat", "--column", "tired"});
    EXPECT_EQ(score.status, 0) << score.err;
    EXPECT_EQ(run({"explain", file, "--step", "l2.queries.h3", "--row", "cat", "--column", "1"}).status, 0);
    const auto described = run({"describe", file});
    EXPECT_EQ(described.status, 0) << described.err;
    const auto heads = run({"heads", file, "--json"});
    EXPECT_EQ(heads.status, 0) << heads.err;
    EXPECT_EQ(attn::parse_json(heads.out)->find("heads")->items.size(), kLayers * kHeadCount);
    const auto stream = run({"residual", file});
    EXPECT_EQ(stream.status, 0) << stream.err;
    EXPECT_THAT(stream.out, HasSubstr("layer 2"));
    EXPECT_THAT(run({"residual", folder_ / "heads.npz"}).err, HasSubstr("residual=True"));
    const auto sent = run({"trace", file, "--step", "l1.masked.h1", "--format", "csv"});
    EXPECT_EQ(sent.status, 0) << sent.err;
    EXPECT_NE(run({"next", file}).status, 0) << "it predicts no word";
}

TEST_F(AttentionFile, ItsHeadsAreMeasured) {
    const auto printed = run({"heads", "--attention", folder_ / "heads.npz", "--json"});
    ASSERT_EQ(printed.status, 0) << printed.err;
    const auto parsed = attn::parse_json(printed.out);
    ASSERT_TRUE(parsed);
    const auto& heads = parsed->find("heads")->items;
    ASSERT_EQ(heads.size(), kLayers * kHeadCount);
    EXPECT_NEAR(heads[0].find("previous")->find("share")->number, 0.85, 1e-6);
    EXPECT_NEAR(heads[1].find("same")->find("share")->number, 0.85, 1e-6);
    EXPECT_NEAR(heads[5].find("spread")->number, 1, 1e-6);
}

TEST_F(AttentionFile, InvalidRowsAreReported) {
    std::vector<float> weights = example_weights();
    weights[5] += 0.5f;
    cli_test::write_file(folder_ / "odd.npz", example_npz(weights));
    EXPECT_THAT(run({"heads", folder_ / "odd.npz"}).err, HasSubstr("1 of 24 rows do not sum to 1 (the first, layer 1, head 1, row 2: 1.5)"));
    const auto json = run({"trace", folder_ / "odd.npz"});
    EXPECT_THAT(json.out, HasSubstr("not_weights"));
    app_test::Bench bench(opened("odd.npz"));
    bench.act(Pin{CellRef{{attn::Role::Weights, 0, 0}, 1, 2}});
    EXPECT_THAT(bench.derived.inspection.note, HasSubstr("from the file"));
    EXPECT_THAT(bench.derived.inspection.note, HasSubstr("sums to 1.5"));
    bench.act(Pin{CellRef{{attn::Role::Weights, 0, 0}, 0, 2}});
    EXPECT_THAT(bench.derived.inspection.note, testing::Not(HasSubstr("sums to")));
}

TEST_F(AttentionFile, IsComparedWithAnotherRun) {
    std::vector<float> weights = example_weights();
    std::swap(weights[4], weights[5]);
    cli_test::write_file(folder_ / "other.npz", example_npz(weights));
    app_test::Bench bench(opened());
    Comparison comparison;
    keep(comparison, opened("other.npz"));
    EXPECT_TRUE(has_stored_run(comparison));
    EXPECT_EQ(comparison.stored_link, "") << "no link can hold a file";
    EXPECT_EQ(stored_run_document(comparison), opened("other.npz"));
    ViewState view = bench.view();
    view.screen = Screen::Compare;
    view.part<Comparison>() = comparison;
    bench.act(becomes(view));
    bench.deriver.finish(bench.state, bench.derived);
    ASSERT_TRUE(bench.derived.part<ComparisonData>().compared.difference.value);
    EXPECT_NEAR((*bench.derived.part<ComparisonData>().compared.difference.value)(1, 0), weights[4] - example_weights()[4], 1e-6);
    // Compared with another head of the same file, and with a form that computes on the same tokens.
    Comparison form;
    form.kind = "head";
    EXPECT_EQ(kind_of(form, bench.state.document).what, Compares::Head);
    form.kind = "variant";
    form.choice = "raw";
    const attn::Document computed = other_document(bench.state.document, form);
    EXPECT_EQ(attn::tokens_of(computed), attn::tokens_of(bench.state.document));
    EXPECT_TRUE(attn::problems(computed).empty());
    // A run without files is stored as a link, as before.
    keep(comparison, app_test::document_of("the cat"));
    EXPECT_FALSE(comparison.stored_run);
    EXPECT_EQ(stored_run_document(comparison)->text, "the cat");
}

TEST_F(AttentionFile, IsRestoredAtTheNextStart) {
    const Folders folders{folder_ / "config", folder_ / "state", folder_ / "data", folder_ / "cache"};
    const attn::Document before = opened();
    {
        Session session(folders);
        AppState state = first_state(Language::English);
        session.begin(state, {}, 0);
        state.document = before;
        session.finish(state, {});
        EXPECT_FALSE(session.take_error());
    }
    Session session(folders);
    const Restored restored = session.restore(Language::English);
    ASSERT_TRUE(restored.document);
    EXPECT_EQ(*restored.document, before);
    EXPECT_TRUE(restored.notices.empty());
    // If the file is gone, only that run is lost, and a message says so.
    std::filesystem::remove(folder_ / "heads.npz");
    const Restored without = Session(folders).restore(Language::English);
    ASSERT_TRUE(without.document);
    EXPECT_FALSE(without.document->attention);
    ASSERT_FALSE(without.notices.empty());
    EXPECT_THAT(without.notices.front(), HasSubstr("heads.npz"));
}

/// All words of a drawn frame, one after the other.
std::string words_of(const FrameLog& log) {
    std::string out;
    for (const LabelRect& label : log.labels) out += label.text + " ";
    return out;
}

class AttentionFrame : public AppFrame {
protected:
    void open(const attn::Document& document) {
        app_->apply(becomes(document));
        frame();
    }
    void look(Screen screen, std::string_view page = "lines") {
        ViewState view = app_->state().view;
        view.screen = screen;
        view.part<HeadsChoice>().page = page;
        app_->apply(becomes(view));
    }
    const Folder folder_;
};

TEST_F(AttentionFrame, EveryScreenDrawsItOrReportsWhatIsMissing) {
    cli_test::write_file(folder_ / "heads.npz", example_npz());
    cli_test::write_file(folder_ / "heads.txt", "the\ntired\ncat\nsat\n");
    open(*open_document(folder_ / "heads.npz"));
    look(Screen::Heads);
    const FrameLog lines = frame();
    EXPECT_TRUE(has(lines, "query_2"));
    EXPECT_THAT(words_of(lines), HasSubstr("tired"));
    ASSERT_TRUE(app_->derived().part<HeadsData>().here());
    EXPECT_EQ(app_->derived().part<HeadsData>().places.size(), kLayers);
    EXPECT_EQ(app_->derived().part<HeadsData>().here()->maps.size(), kHeadCount);
    look(Screen::Heads, "grid");
    EXPECT_FALSE(words_of(frame()).empty());
    for (const char* page : {"neuron", "plane"}) {
        look(Screen::Heads, page);
        EXPECT_THAT(words_of(frame()), HasSubstr("only weights")) << page;
    }
    for (const Screen screen : {Screen::Flow, Screen::Stage, Screen::Compare}) {
        look(screen);
        EXPECT_FALSE(words_of(frame()).empty());
        EXPECT_FALSE(app_->derived().error);
    }
    EXPECT_FALSE(is_available(Screen::Experiments, app_->state().document)) << "nothing can be varied";
    // Another language, tokens as columns, and a long text that is shown as a map.
    ViewState view = app_->state().view;
    view.language = Language::Chinese;
    view.convention = attn::Convention::Columns;
    app_->apply(becomes(view));
    for (const Screen screen : {Screen::Flow, Screen::Stage, Screen::Heads}) {
        look(screen, "neuron");
        frame();
    }
}

/// Of a large file the list of steps reads the corners that it draws, and only the map that is looked at is read.
TEST_F(AttentionFrame, OnlyTheMapThatIsLookedAtIsRead) {
    const std::vector<float> weights = example_weights();
    std::string header = R"({"attention": {"dtype": "F32", "shape": [2, 3, 4, 4], "data_offsets": [0, 384]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 255);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float));
    cli_test::write_file(folder_ / "large.safetensors", bytes);
    const double held = attn::held_attention();
    attn::set_held_attention(0);
    open(*open_document(folder_ / "large.safetensors"));
    attn::set_held_attention(held);
    const auto& given = app_->state().document.attention;
    ASSERT_TRUE(given && !given->held);
    look(Screen::Stage);
    app_->apply(GoToStop{static_cast<int>(app_->derived().timeline.stops.size()) - 1, 1});
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_LE(given->checked().maps, 2) << "of 6: the one that was shown first, and the one that is shown now";
}

/// Of queries and keys, scores and weights are computed, and shown as those of a model.
TEST_F(AttentionFrame, EveryScreenDrawsQueriesAndKeysOfAFile) {
    cli_test::write_file(folder_ / "run.safetensors", example_capture());
    open(*open_document(folder_ / "run.safetensors"));
    for (const Language language : {Language::English, Language::Chinese})
        for (const attn::Convention convention : {attn::Convention::Rows, attn::Convention::Columns}) {
            ViewState view = app_->state().view;
            view.language = language;
            view.convention = convention;
            app_->apply(becomes(view));
            for (const char* page : {"lines", "grid", "neuron", "plane", "through", "regions"}) {
                look(Screen::Heads, page);
                const std::string words = words_of(frame());
                EXPECT_FALSE(words.empty()) << page;
                EXPECT_THAT(words, testing::Not(HasSubstr("only weights"))) << page;
            }
            for (const Screen screen : {Screen::Flow, Screen::Stage, Screen::Compare, Screen::Prediction}) {
                look(screen);
                EXPECT_FALSE(words_of(frame()).empty());
                EXPECT_FALSE(app_->derived().error);
            }
        }
    ASSERT_TRUE(app_->derived().part<PredictionData>().stream);
    EXPECT_EQ(app_->derived().part<PredictionData>().stream->points.size(), 3U);
    EXPECT_EQ(app_->derived().part<PredictionData>().row, 3) << "the last token";
    EXPECT_FALSE(is_available(Screen::Experiments, app_->state().document));
    const attn::Trace& trace = app_->derived().run->trace;
    EXPECT_EQ(say_of(*app_->derived().run, attn::find_id(trace, {attn::Role::Queries, 1, 1})), Str::say_compared_from_file);
    EXPECT_EQ(say_of(*app_->derived().run, attn::find_id(trace, {attn::Role::Residual, attn::kNoHead, 1})), Str::say_stream_from_file);
    EXPECT_NE(say_of(*app_->derived().run, attn::find_id(trace, {attn::Role::Weights, 1, 1})), Str::say_from_file) << "they are computed";
}

/// The texts of a batch are chosen by a stepper, whose ends are those of the batch; undoing brings the text before.
TEST_F(AttentionFrame, ATextOfABatchIsChosenInTheSettings) {
    const std::size_t texts = 3, shape[] = {texts, kHeadCount, kTokens, kTokens};
    std::vector<attn::NpzFile> layers;
    for (std::size_t l = 0; l < kLayers; ++l) {
        std::vector<float> weights;
        // The first key's share tells the text and the layer.
        for (std::size_t i = 0; i < texts * kHeadCount * kTokens; ++i) {
            const float first = 0.2f + 0.2f * static_cast<float>(i / (kHeadCount * kTokens)) + 0.1f * static_cast<float>(l);
            weights.push_back(first);
            for (std::size_t k = 1; k < kTokens; ++k) weights.push_back((1 - first) / static_cast<float>(kTokens - 1));
        }
        layers.push_back({"attention_" + std::to_string(l) + ".npy", attn::npy_bytes(shape, weights)});
    }
    cli_test::write_file(folder_ / "batch.npz", *attn::npz_bytes(layers));
    open(*open_document(folder_ / "batch.npz"));
    look(Screen::Stage);
    const auto shown = [&](int layer) { return attn::find(app_->derived().run->trace, {attn::Role::Weights, 1, layer})->value(2, 0); };
    const auto text = [&] { return app_->state().document.attention->text; };
    ASSERT_EQ(app_->state().document.attention->texts, 3);
    EXPECT_NEAR(shown(0), 0.2f, 1e-6f);
    scroll_to("attention_text+");
    click("attention_text-");
    EXPECT_EQ(text(), 0) << "there is none before the first";
    click("attention_text+");
    EXPECT_EQ(text(), 1);
    EXPECT_EQ(attn::find_field("attention_text")->number(app_->state().document), 2);
    EXPECT_NEAR(shown(0), 0.4f, 1e-6f);
    EXPECT_NEAR(shown(1), 0.5f, 1e-6f);
    click("attention_text+");
    click("attention_text+");
    EXPECT_EQ(text(), 2) << "there is none behind the last";
    EXPECT_NEAR(shown(0), 0.6f, 1e-6f);
    EXPECT_FALSE(app_->derived().error);
    app_->apply(Undo{});
    frame();
    EXPECT_LT(text(), 2);
    EXPECT_NEAR(shown(0), 0.2f + 0.2f * static_cast<float>(text()), 1e-6f);
}

TEST_F(AttentionFrame, CrossAttentionHasTwoTexts) {
    cli_test::write_file(folder_ / "cross.json", R"({"tokens": ["le", "chat"], "source_tokens": ["the", "black", "cat"],
        "cross_attention": [[[[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]]]})");
    open(*open_document(folder_ / "cross.json"));
    look(Screen::Heads);
    const std::string words = words_of(frame());
    for (const char* token : {"le", "chat", "the", "black", "cat"}) EXPECT_THAT(words, HasSubstr(token));
    look(Screen::Stage);
    frame();
    EXPECT_FALSE(app_->derived().error);
}

}  // namespace
