// The heads screen in use: tokens, lines, small maps, products and arrows, by pointer and by key.

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "app/frame/view.h"
#include "app/screens/heads/heads.h"
#include "app/state/edits.h"
#include "core/document/take.h"
#include "core/io/json.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"
#include "tests/app/cli_fixture.h"

namespace app {
namespace {

using attn::Role;

class AppHeads : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    const attn::Trace& trace() { return app_->derived().run->trace; }

    void open(std::string_view page, int heads = 2, std::string_view form = "multi_head") {
        attn::Document doc;
        doc.text = "the tired cat sat down";
        attn::choose_form(doc, form);
        doc.weights = "random";
        doc.config.heads = heads;
        app_->apply(becomes(doc));
        ViewState changed = view();
        changed.screen = Screen::Heads;
        changed.part<HeadsChoice>().page = page;
        app_->apply(becomes(changed));
        frame();
    }
    /// Two blocks of four heads each.
    void open_planted(std::string_view page) {
        const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        attn::Document doc;
        attn::take_model(doc, *model);
        doc.text = "river stone apple green";
        app_->apply(becomes(doc));
        ViewState changed = view();
        changed.screen = Screen::Heads;
        changed.part<HeadsChoice>().page = page;
        app_->apply(becomes(changed));
        frame();
    }
    void point(std::string_view id) {
        gui::inject_mouse_pos(middle(id));
        frame();
    }
    void move_to(Point at) {
        gui::inject_mouse_pos(at);
        frame();
    }
};

TEST_F(AppHeads, ColumnTitlesAreWholeOrSingleLetters) {
    open("lines");
    attn::Document doc = app_->state().document;
    doc.text = "早上好";
    app_->apply(becomes(doc));
    int heads = 0;
    for (const LabelRect& label : frame().labels) {
        EXPECT_FALSE(label.shortened) << label.text;
        heads += label.text == "queries" || label.text == "keys";
    }
    EXPECT_EQ(heads, 2);
}

TEST_F(AppHeads, KeysOpenItAndSwitchPagesAndHeatmaps) {
    show("the tired cat", "none", {Role::Scores});
    press(gui::Key::F10);
    EXPECT_EQ(view().screen, Screen::Heads);
    for (const char* page : {"grid", "ranked", "through", "neuron", "plane", "lines"}) {
        press(gui::Key::F10);
        EXPECT_EQ(view().part<HeadsChoice>().page, page);
    }
    press(gui::Key::L);
    EXPECT_TRUE(view().part<HeadsChoice>().matrix);
    EXPECT_TRUE(shows("map0_1_1"));
    press(gui::Key::L);
    EXPECT_FALSE(view().part<HeadsChoice>().matrix);
    press(gui::Key::F2);
    EXPECT_EQ(view().screen, Screen::Stage);
    press(gui::Key::L);
    EXPECT_FALSE(view().part<HeadsChoice>().matrix);  // this key does nothing on the stage
}

TEST_F(AppHeads, PointingAtATokenPointsAtItsStrongestWeight) {
    open("lines");
    point("query_2");
    ASSERT_TRUE(view().pointed);
    EXPECT_EQ(view().pointed->tag.role, Role::Weights);
    EXPECT_EQ(view().pointed->row, 2);
    EXPECT_EQ(app_->derived().inspection.row_label, "cat");
    EXPECT_FALSE(app_->derived().inspection.chain.empty());
    point("key_4");
    ASSERT_TRUE(view().pointed);
    EXPECT_EQ(view().pointed->col, 4);
    move_to({700, 780});  // the timeline
    EXPECT_FALSE(view().pointed);
}

TEST_F(AppHeads, AClickAddsATokenAndAnotherRemovesIt) {
    open("lines");
    click("query_1");
    click("query_3");
    click("key_0");
    EXPECT_EQ(view().part<HeadsChoice>().queries, (std::vector<int>{1, 3}));
    EXPECT_EQ(view().part<HeadsChoice>().keys, (std::vector<int>{0}));
    click("query_1");
    EXPECT_EQ(view().part<HeadsChoice>().queries, (std::vector<int>{3}));
    click("picks_clear");
    EXPECT_TRUE(view().part<HeadsChoice>().queries.empty());
    EXPECT_TRUE(view().part<HeadsChoice>().keys.empty());
}

/// A horizontal line that belongs to one head alone lies between the centres of its two tokens.
TEST_F(AppHeads, ALineIsPointedAtAndPinned) {
    open("lines", 1);
    const Point from = middle("query_1"), to = middle("key_1");
    move_to({(from.x + to.x) / 2, from.y});
    // In the middle all lines between mirrored tokens cross: slightly beside it only the horizontal one is near.
    move_to({from.x + (to.x - from.x) * 0.42f, from.y});
    ASSERT_TRUE(view().pointed);
    const CellRef pointed = *view().pointed;
    EXPECT_EQ(pointed.tag, (attn::Tag{Role::Weights}));
    gui::inject_mouse_button(0, true);
    frame();
    gui::inject_mouse_button(0, false);
    frame();
    EXPECT_EQ(view().pinned, pointed);
}

TEST_F(AppHeads, HeadsAreShownAloneAndTogether) {
    open("lines", 4);
    click("lit_head_3");
    EXPECT_EQ(view().part<HeadsChoice>().only, (std::vector<int>{2}));
    EXPECT_EQ(view().head, 2);
    gui::inject_key(gui::Key::Shift, true);
    click("lit_head_1");
    gui::inject_key(gui::Key::Shift, false);
    frame();
    EXPECT_EQ(view().part<HeadsChoice>().only, (std::vector<int>{0, 2}));
    click("lit_head_1");
    click("lit_head_1");
    EXPECT_TRUE(view().part<HeadsChoice>().only.empty());
    press(gui::Key::Down);
    EXPECT_EQ(view().head, 1);
}

/// A word that the model never saw has no colour in the small maps, no line of a head and no bar.
TEST_F(AppHeads, UnknownWordsClaimNothing) {
    constexpr int kBlank = 1;
    attn::Document doc;
    use_model(doc, attn::shipped_model("it"));
    doc.text = "the blorp the cat";
    app_->apply(becomes(doc));
    app_->finish();
    ViewState changed = view();
    changed.screen = Screen::Heads;
    changed.part<HeadsChoice>().page = "grid";
    app_->apply(becomes(changed));
    Drawing drawing;
    const auto drawn = [&] {
        FrameLog log = frame(30);
        log = {};
        drawing = {};
        log.drawing = &drawing;
        app_->run_frame(kSize, 1.0 / 60, &log);
        return log;
    };
    frame_with("tile_0_0");
    FrameLog log = drawn();
    const HeadsPlace& place = *app_->derived().part<HeadsData>().here();
    const int n = place.keys();
    ASSERT_TRUE(place.blank_keys[kBlank]);
    const auto known = std::count(place.blank_keys.begin(), place.blank_keys.end(), false);
    for (int tile = 0; tile == 0 || has(log, "tile_0_" + std::to_string(tile)); ++tile) {
        const Rect rect = rect_of(log, "tile_0_" + std::to_string(tile));
        const auto cells = std::count_if(drawing.items.begin(), drawing.items.end(), [&](const DrawnItem& item) {
            return item.kind == DrawnItem::Kind::Fill && rect.contains(item.rect.center()) && item.rect.w < rect.w / static_cast<float>(n);
        });
        EXPECT_EQ(cells, known * known) << tile;
    }
    app_->state().view.part<HeadsChoice>().page = "lines";
    frame_with("query_1");
    log = drawn();
    const float asks = rect_of(log, "query_1").center().y, answers = rect_of(log, "key_1").center().y, near = rect_of(log, "query_1").h / 2;
    const auto rgb = [](std::uint32_t c) { return c & 0xffffff; };
    std::vector<std::uint32_t> said, unsaid;
    for (const DrawnItem& item : drawing.items) {
        if (item.kind != DrawnItem::Kind::Polyline || item.points.size() < 20) continue;
        const auto at = [near](Point point, float y) { return std::abs(point.y - y) < near; };  // strands of several heads are side by side
        (at(item.points.front(), asks) || at(item.points.back(), answers) ? unsaid : said).push_back(rgb(item.color));
    }
    ASSERT_FALSE(said.empty());
    ASSERT_FALSE(unsaid.empty());
    for (const std::uint32_t color : unsaid) {
        EXPECT_EQ(color, unsaid.front());
        EXPECT_EQ(std::count(said.begin(), said.end(), color), 0);
    }
    int sums = 0;
    for (const LabelRect& label : log.labels) {
        const bool is_sum = label.text.size() == 4 && label.text[1] == '.' && label.rect.x > rect_of(log, "key_1").right();
        sums += is_sum;
        EXPECT_FALSE(is_sum && std::abs(label.rect.center().y - answers) < 5) << label.text;
    }
    EXPECT_GT(sums, 0);
}

TEST_F(AppHeads, KeysAreHidden) {
    open("lines");
    click("hide_first");
    EXPECT_TRUE(view().part<HeadsChoice>().hide_first);
    click("renormalise");
    EXPECT_TRUE(view().part<HeadsChoice>().renormalise);
    EXPECT_TRUE(std::isnan((*app_->derived().part<HeadsData>().weights[0])(0, 0)));
}

/// For a long text, pointing at a head shows it pooled, with a note that says so; a click computes the whole of it.
TEST_F(AppHeads, AHeadOfALongTextIsPooledUntilItIsSelected) {
    open("grid", 4);
    attn::Document doc = app_->state().document;
    doc.text.clear();
    for (int i = 0; i < 600; ++i) doc.text += i % 3 == 0 ? "cat " : i % 7 == 0 ? "sat " : "the ";
    app_->apply(becomes(doc));
    const auto said = [&](std::string_view words) {
        const FrameLog log = frame();
        return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& l) { return l.text.find(words) != std::string::npos; });
    };
    const auto wait_until = [&](auto there) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!there() && std::chrono::steady_clock::now() < until) frame();
        return there();
    };
    const auto data = [&]() -> const HeadsData& { return app_->derived().part<HeadsData>(); };
    ASSERT_TRUE(wait_until([&] { return !data().computing && data().far.size() == 4 && data().far[2]; }));
    const std::string_view afar = "Click to see the whole map.";
    EXPECT_FALSE(said(afar)) << "the head that is kept is there whole";
    point("tile_0_2");
    EXPECT_TRUE(said(afar));
    EXPECT_FALSE(data().weights[2]);
    click("tile_0_2");
    ASSERT_TRUE(wait_until([&] { return !data().computing && data().weights[2]; }));
    EXPECT_FALSE(said(afar));
    EXPECT_FALSE(data().weights[0]);
    point("tile_0_4");  // their average
    EXPECT_TRUE(said("mean of about"));
    EXPECT_FALSE(said(afar));
}

TEST_F(AppHeads, TheGridPreviewsAndLocks) {
    open("grid", 4);
    point("tile_0_2");
    EXPECT_EQ(view().head, 0);
    ASSERT_TRUE(view().pointed);
    EXPECT_EQ(view().pointed->tag.head, 2);
    click("tile_0_2");
    EXPECT_EQ(view().head, 2);
    click("preview_3_1");
    EXPECT_EQ(view().pinned, (CellRef{{Role::Weights, 2}, 3, 1}));
}

/// The head that is chosen there is shown on every screen: in the second block, too, and at its weights.
TEST_F(AppHeads, AHeadOfTheGridIsShownOnTheStageAndInTheFlow) {
    open_planted("grid");
    click("tile_1_2");
    EXPECT_EQ(view().head, 2);
    for (const Screen screen : {Screen::Stage, Screen::Flow}) {
        app_->apply(ChangeView{[screen](ViewState& v) { v.screen = screen; }});
        frame();
        EXPECT_EQ(attn::step_name(trace()[app_->derived().pose.step].tag), "l2.weights.h3") << screen_id(screen);
        EXPECT_FALSE(view().playing) << screen_id(screen);
        ASSERT_TRUE(app_->derived().shown_head) << screen_id(screen);
        EXPECT_EQ(app_->derived().shown_head->at.layer, 1) << screen_id(screen);
        EXPECT_EQ(app_->derived().shown_head->head, 2) << screen_id(screen);
    }
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Heads; }});
    frame();
    click("tile_0_1");
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    frame();
    EXPECT_EQ(attn::step_name(trace()[app_->derived().pose.step].tag), "l1.weights.h2");
}

/// However many there are, the columns of the grid either all have names or all have numbers.
TEST_F(AppHeads, TheColumnsOfTheGridAreNamedConsistently) {
    int named = 0, numbered = 0;
    for (const int heads : {4, 8, 10, 11, 12, 13, 14, 15, 16}) {
        attn::Document doc;
        doc.text = "the tired cat";
        doc.vectors = "random";
        doc.weights = "random";
        doc.width = heads;
        doc.config.heads = heads;
        app_->apply(becomes(doc));
        ViewState changed = view();
        changed.screen = Screen::Heads;
        changed.part<HeadsChoice>().page = "grid";
        app_->apply(becomes(changed));
        std::set<std::string> names, all;
        for (int head = 1; head <= heads; ++head) all.insert("head " + std::to_string(head));
        for (const LabelRect& label : frame().labels)
            if (all.count(label.text)) names.insert(label.text);
        if (names.size() > 1) {
            EXPECT_EQ(names, all) << heads << " heads";
            ++named;
        } else {
            ++numbered;
        }
    }
    EXPECT_GT(named, 0);
    EXPECT_GT(numbered, 0);
}

TEST_F(AppHeads, ANeuronsQueryIsPointedAtAndPinned) {
    open("neuron");
    point("neuron_query_3");
    EXPECT_EQ(app_->derived().part<HeadsData>().neuron.query, 3);
    click("neuron_query_1");
    move_to({700, 780});
    EXPECT_EQ(app_->derived().part<HeadsData>().neuron.query, 1);
    point("neuron_key_4");
    ASSERT_TRUE(view().pointed);
    EXPECT_EQ(view().pointed->row, 1);
    EXPECT_EQ(view().pointed->col, 4);
    EXPECT_EQ(app_->derived().part<HeadsData>().neuron.query, 1);
}

TEST_F(AppHeads, ADraggedArrowIsOneUndo) {
    open("plane", 1);
    const attn::Document before = app_->state().document;
    const Point tip = middle("tip_0");
    move_to(tip);
    EXPECT_TRUE(view().pointed);
    gui::inject_mouse_button(0, true);
    frame(2);
    EXPECT_TRUE(view().part<HeadsChoice>().held);
    for (int i = 1; i <= 3; ++i) {
        move_to({tip.x + 15.0f * static_cast<float>(i), tip.y - 10.0f * static_cast<float>(i)});
        app_->apply(Advance{2});  // a drag may pause
    }
    const Point there = middle("tip_0");
    EXPECT_NEAR(there.x, tip.x + 45, 8);  // it follows the pointer, to within the rounding of its numbers
    EXPECT_NEAR(there.y, tip.y - 30, 8);
    gui::inject_mouse_button(0, false);
    frame(2);
    EXPECT_FALSE(view().part<HeadsChoice>().held);
    EXPECT_FALSE(app_->state().document.edits.empty());
    app_->apply(Undo{});
    EXPECT_EQ(app_->state().document, before);
}

TEST_F(AppHeads, TwoFeaturesAreChosenAndNeverTheSame) {
    open("plane", 1);
    click("plane_best");
    EXPECT_EQ(view().part<HeadsChoice>().first, 0);
    EXPECT_EQ(view().part<HeadsChoice>().second, 1);
    click("plane_best");
    EXPECT_LT(view().part<HeadsChoice>().first, 0);
    click("plane_mode.2");
    EXPECT_EQ(view().part<HeadsChoice>().plane, "map");
    EXPECT_TRUE(shows("plane_after"));
}

TEST_F(AppHeads, AFormWithoutWeightsSaysSo) {
    open("lines", 1, "online");
    EXPECT_FALSE(shows("heads_page"));
    EXPECT_FALSE(shows("query_0"));
}

/// On repeated random words the planted heads have their roles, and the table says which.
TEST_F(AppHeads, TheTableFindsThePlantedHeads) {
    open_planted("ranked");
    const auto share = [&](std::size_t column) {
        const RankedHeads& ranked = app_->derived().part<HeadsData>().ranked;
        return in_column(ranked.measured->at(static_cast<std::size_t>(ranked.order.at(0))), column).share;
    };
    const auto first = [&] {
        const RankedHeads& ranked = app_->derived().part<HeadsData>().ranked;
        return attn::step_name(ranked.measured->at(static_cast<std::size_t>(ranked.order.at(0))).tag);
    };
    EXPECT_EQ(app_->derived().part<HeadsData>().ranked.order.size(), 8U);
    click("rank_by_induction");
    EXPECT_TRUE(std::isnan(share(5))) << "no word stands again in this text";
    click("ranked_on.1");
    frame();
    EXPECT_TRUE(view().part<HeadsChoice>().repeated);
    EXPECT_EQ(first(), "l2.weights.h3");
    EXPECT_GT(share(5), 0.9);
    click("rank_by_previous");
    EXPECT_EQ(first(), "l1.weights.h2");
    click("rank_by_duplicate");
    EXPECT_EQ(first(), "l1.weights.h4");
    // A row selects that head on every screen; another click on the column restores the order of the table.
    click("ranked_1");
    EXPECT_EQ(view().head, 3);
    EXPECT_EQ(app_->derived().shown_head->at.layer, 0);
    click("rank_by_duplicate");
    EXPECT_EQ(first(), "l1.weights.h1");
    click("ranked_here");
    EXPECT_EQ(app_->derived().part<HeadsData>().ranked.order.size(), 4U);
    // The column that was chosen colours the grid.
    click("rank_by_duplicate");
    ViewState changed = view();
    changed.part<HeadsChoice>().page = "grid";
    app_->apply(becomes(changed));
    EXPECT_TRUE(shows("tile_1_3"));
    ASSERT_TRUE(app_->derived().part<HeadsData>().ranked.measured);
    EXPECT_GT(app_->derived().part<HeadsData>().ranked.find({Role::Weights, 3, 0, attn::kNoTime, attn::Part::Main})->roles[4].share, 0.9);
}

/// A head is found by its number or by a part of its name, in both languages; a whole number is one head.
TEST(RankedHeads, AreFoundByNumberAndByName) {
    using attn::CountFrom;
    const attn::Tag head{Role::Weights, 11, 7, attn::kNoTime, attn::Part::Main}, cross{Role::Weights, 1, 0, attn::kNoTime, attn::Part::Cross};
    for (const std::string_view typed : {"", " ", "7.11", "L7H11", "layer 7", "Layer 7", "7.", "head 11", "第 7 层", "头 11", "  7.11 "})
        EXPECT_TRUE(names_head(typed, head, CountFrom::Zero)) << typed;
    for (const std::string_view typed : {"7.1", "8.12", "layer 1", "head 1", "头 1", "cross", "encoder", "nothing"}) EXPECT_FALSE(names_head(typed, head, CountFrom::Zero)) << typed;
    EXPECT_TRUE(names_head("8.12", head, CountFrom::One));
    EXPECT_TRUE(names_head("cross", cross, CountFrom::One));
    EXPECT_TRUE(names_head("交叉", cross, CountFrom::One));
}

/// Heads below a multiple of their role's own chance give way in the table, and pale in the grid.
TEST_F(AppHeads, AFilterLeavesTheHeadsAboveChance) {
    open_planted("ranked");
    const auto ranked = [&]() -> const RankedHeads& { return app_->derived().part<HeadsData>().ranked; };
    click("ranked_on.1");
    frame();
    EXPECT_FALSE(shows("ranked_times")) << "there is no chance without a role";
    click("rank_by_induction");
    ASSERT_EQ(ranked().order.size(), 8U);
    const unsigned before = app_->derived().part<HeadsData>().page_revision;
    click("ranked_times");
    click("ranked_times.4");
    EXPECT_FLOAT_EQ(view().part<HeadsChoice>().times, 8);
    ASSERT_EQ(ranked().order.size(), 1U);
    EXPECT_EQ(attn::step_name(ranked().measured->at(static_cast<std::size_t>(ranked().order[0])).tag), "l2.weights.h3");
    EXPECT_TRUE(shows("ranked_1"));
    EXPECT_FALSE(shows("ranked_2"));
    click("ranked_times");
    click("ranked_times.0");
    EXPECT_EQ(ranked().order.size(), 8U);
    click("ranked_find");
    type("0.");  // a checkpoint counts from 0
    EXPECT_EQ(view().part<HeadsChoice>().find, "0.");
    EXPECT_EQ(ranked().order.size(), 4U);
    type("3");
    ASSERT_EQ(ranked().order.size(), 1U);
    EXPECT_EQ(attn::step_name(ranked().measured->at(static_cast<std::size_t>(ranked().order[0])).tag), "l1.weights.h4");
    EXPECT_EQ(app_->derived().part<HeadsData>().page_revision, before) << "a filter makes no page again";
    // The grid has the same filter. A head that it leaves out keeps its place and can be chosen.
    ViewState changed = view();
    changed.part<HeadsChoice>().page = "grid";
    app_->apply(becomes(changed));
    frame();
    EXPECT_TRUE(shows("ranked_find"));
    EXPECT_TRUE(ranked().leaves({Role::Weights, 3, 0, attn::kNoTime, attn::Part::Main}));
    EXPECT_FALSE(ranked().leaves({Role::Weights, 0, 0, attn::kNoTime, attn::Part::Main}));
    click("tile_1_2");
    EXPECT_EQ(app_->derived().shown_head->head, 2);
}

/// The induction head reads the head that looks at the previous token by its keys, and the map names that pair. Another
/// text needs no weight again.
TEST_F(AppHeads, TheMapOfCompositionsShowsTheCircuit) {
    open_planted("composition");
    app_->finish();
    frame_with("composed1");
    const auto data = [&]() -> const CompositionData& { return app_->derived().part<HeadsData>().composition; };
    ASSERT_TRUE(data().map);
    EXPECT_EQ(data().by, attn::Composes::Key);
    EXPECT_EQ(data().map->rows(), 4) << "heads of the second layer read";
    EXPECT_EQ(data().map->cols(), 4) << "heads of the first layer write";
    const auto name = [&](int head) { return attn::step_name(data().all->heads[static_cast<std::size_t>(head)]); };
    EXPECT_EQ(name(data().largest[0].writer), "l1.weights.h2");
    EXPECT_EQ(name(data().largest[0].reader), "l2.weights.h3");
    EXPECT_GT(data().largest[0].score, 0.3F);
    EXPECT_LT(data().largest[1].score, 0.2F) << "chance is 0.146";
    for (const float width : {1024.0f, 1280.0f, 1366.0f, 1440.0f}) {
        FrameLog log;
        app_->build_frame({width, 900}, 0, &log);
        for (const LabelRect& label : log.labels)
            EXPECT_FALSE(label.text.size() < 8 && label.text.ends_with("…")) << label.text << ": the name of a head, at " << width;
    }
    frame();
    click("composed1");
    EXPECT_EQ(app_->derived().shown_head->at.layer, 1);
    EXPECT_EQ(app_->derived().shown_head->head, 2);
    click("composition_3_1");
    EXPECT_EQ(app_->derived().shown_head->at.layer, 1);
    EXPECT_EQ(app_->derived().shown_head->head, 3);
    const auto all = data().all;
    click("composes.2");
    app_->finish();
    frame();
    EXPECT_EQ(view().part<HeadsChoice>().composes, "v");
    EXPECT_EQ(data().by, attn::Composes::Value);
    EXPECT_EQ(data().all, all);
    attn::Document doc = app_->state().document;
    doc.text = "winter garden silver";
    app_->apply(becomes(doc));
    app_->finish();
    frame();
    EXPECT_EQ(data().all, all) << "the weights are the same";
    ASSERT_TRUE(data().map);
    // Scores that are no products, and a single layer, have none.
    open("composition");
    app_->finish();
    frame();
    EXPECT_FALSE(data().map);
    EXPECT_TRUE(data().none);
}

/// The page shows the numbers of `attenscope circuits --head 1.2 --json`: the induction head copies.
TEST_F(AppHeads, ThePageOfCircuitsShowsTheNumbersOfTheCommandLine) {
    open_planted("circuit");
    app_->apply(ChangeView{[](ViewState& v) {
        v.part<HeadsChoice>().at = {attn::Role::Weights, attn::kNoHead, 1};
        v.head = 2;
    }});
    app_->finish();
    frame();
    const auto data = [&]() -> const CircuitData& { return *app_->derived().part<HeadsData>().circuit; };
    const auto said = cli_test::run({"circuits", "--model", ATTN_SOURCE_DIR "/tests/data/planted", "--text", "river stone apple green", "--head", "1.2", "--json"});
    const auto json = attn::parse_json(said.out);
    ASSERT_TRUE(json) << said.err;
    const attn::JsonValue& head = json->find("heads")->items.front();
    ASSERT_TRUE(data().circuit());
    EXPECT_FALSE(data().computing);
    EXPECT_EQ(attn::step_name(data().circuit()->tag), head.find("name")->string);
    ASSERT_TRUE(data().head.copying);
    EXPECT_NEAR(data().circuit()->copying, head.find("copying")->number, 1e-9);
    EXPECT_GT(data().circuit()->copying, 0.999);
    const auto& ov = head.find("ov")->find("singular_values")->items;
    const auto& qk = head.find("qk")->find("singular_values")->items;
    ASSERT_EQ(data().circuit()->ov.size(), ov.size());
    for (std::size_t i = 0; i < ov.size(); ++i) {
        EXPECT_NEAR(data().circuit()->ov[i], ov[i].number, 1e-9);
        EXPECT_NEAR(data().circuit()->qk[i], qk[i].number, 1e-9);
    }
    const auto expect_row = [&](const std::optional<attn::WordRow>& row, const attn::JsonValue& there) {
        ASSERT_TRUE(row);
        EXPECT_EQ(row->id, there.find("id")->integer);
        EXPECT_NEAR(row->itself, there.find("itself")->number, 1e-5);
        EXPECT_EQ(row->rank, there.find("rank")->integer);
        for (std::size_t i = 0; i < there.find("most")->items.size(); ++i) {
            EXPECT_EQ(row->says.most[i].id, there.find("most")->items[i].find("id")->integer);
            EXPECT_NEAR(row->says.most[i].value, there.find("most")->items[i].find("value")->number, 1e-5);
        }
    };
    EXPECT_EQ(data().token, 3) << "the last one, as none is picked";
    expect_row(data().of_token.moved, json->find("tokens")->items[3]);
    expect_row(data().of_token.sought, json->find("queries")->items[3]);
    EXPECT_EQ(data().of_token.moved->rank, 1) << "it copies";
    EXPECT_TRUE(shows("circuit_ov"));
    EXPECT_TRUE(shows("circuit_qk"));
    EXPECT_TRUE(shows("circuit_raises1"));
    EXPECT_TRUE(shows("circuit_seeks1"));
    click("circuit_token");
    click("circuit_token.0");
    app_->finish();
    frame();
    EXPECT_EQ(view().part<HeadsChoice>().queries, std::vector<int>{0});
    expect_row(data().of_token.moved, json->find("tokens")->items[0]);
    // Another text needs nothing of the head again.
    const attn::HeadCircuit* const before = data().circuit();
    attn::Document doc = app_->state().document;
    doc.text = "winter garden silver";
    app_->apply(becomes(doc));
    frame();
    EXPECT_EQ(data().circuit(), before) << "it is the same";
    EXPECT_TRUE(data().head.copying);
    app_->finish();
    frame();
    EXPECT_EQ(attn::step_name(data().circuit()->tag), "l2.weights.h3");
    EXPECT_EQ(data().ids.size(), 3U);
    app_->apply(ChangeView{[](ViewState& v) { v.head = 0; }});
    app_->finish();
    frame();
    EXPECT_EQ(attn::step_name(data().circuit()->tag), "l2.weights.h1");
}

/// The numbers of the lists are dropped last: in a small window, too, each has several bars.
TEST_F(AppHeads, ThePageOfCircuitsHasSeveralBarsInEveryWindow) {
    open_planted("circuit");
    for (const Language language : {Language::English, Language::Chinese})
        for (const bool room : {false, true})
            for (const Size size : {Size{1440, 900}, Size{1280, 800}, Size{1024, 768}}) {
                app_->apply(ChangeView{[&](ViewState& v) {
                    v.language = language;
                    v.present.on = room;
                }});
                app_->finish();
                FrameLog log;
                for (int i = 0; i < 3; ++i) {
                    log = {};
                    app_->build_frame(size, 0.1, &log);
                    app_->finish();
                }
                SCOPED_TRACE(std::to_string(static_cast<int>(size.w)) + (room ? " while presenting" : ""));
                for (const std::string_view list : {"circuit_raises", "circuit_lowers", "circuit_seeks"}) EXPECT_TRUE(has(log, std::string(list) + "3")) << list;
                EXPECT_GE(rect_of(log, "circuit_ov").h, 60);
            }
}

/// Where columns that are all alike would cut a title, each is as wide as its title needs.
TEST_F(AppHeads, TheTitlesOfTheTableOfHeadsAreNotCut) {
    open_planted("ranked");
    for (const Language language : {Language::English, Language::Chinese})
        for (const bool room : {false, true}) {
            app_->apply(ChangeView{[&](ViewState& v) {
                v.language = language;
                v.present.on = room;
            }});
            app_->finish();
            FrameLog log;
            for (int i = 0; i < 3; ++i) {
                log = {};
                app_->build_frame({1024, 768}, 0.1, &log);
                app_->finish();
            }
            for (const LabelRect& label : log.labels) EXPECT_FALSE(label.shortened && rect_of(log, "rank_by_previous").y <= label.rect.y && label.rect.bottom() <= rect_of(log, "rank_by_previous").bottom() + 1) << label.text;
        }
}

/// The arrows in focus are named in strong type, and not once more like the others.
TEST_F(AppHeads, AStressedArrowIsNamedOnce) {
    open("plane");
    app_->apply(ChangeView{[](ViewState& v) { v.part<HeadsChoice>().plane = "all"; }});
    app_->finish();
    const FrameLog log = frame();
    const Rect plane = rect_of(log, "heads_plane");
    for (const std::string_view word : {"the", "tired", "cat", "sat", "down"}) {
        const auto count = std::count_if(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text == word && plane.contains(label.rect.center()); });
        EXPECT_LE(count, 2) << word << ": once as a query, once as a key";
    }
}

TEST_F(AppHeads, AHeadWithoutCircuitsSaysSo) {
    open("circuit");
    app_->finish();
    frame();
    EXPECT_FALSE(app_->derived().part<HeadsData>().circuit->circuit());
    EXPECT_FALSE(app_->derived().part<HeadsData>().circuit->computing);
}

}  // namespace
}  // namespace app
