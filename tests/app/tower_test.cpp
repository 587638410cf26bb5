// The tower: every line on it is a number of the trace, nothing overlaps, and a click opens what was clicked.

#include "app/layout/flow/tower.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/content/number_text.h"
#include "app/state/edits.h"
#include "core/model/model.h"
#include "tests/app/anim_flow_support.h"
#include "tests/app/app_fixture.h"

namespace {

using namespace flowing;

Document floors_of(int layers, int heads, std::string text = "the tired cat sat down") {
    return document_of({{"variant", "encoder"}, {"vectors", "random"}, {"width", "24"}, {"heads", std::to_string(heads)}, {"layers", std::to_string(layers)}},
                       std::move(text));
}

Document with_source() {
    Document doc = document_of({{"variant", "decoder"}, {"heads", "2"}, {"layers", "2"}});
    doc.source = "the small cat";
    return doc;
}

std::string words_of_length(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i > 0 ? " word" : "word") + std::to_string(i);
    return text;
}

struct Built {
    Flowing flowing;
    ModelMap map;
    Tower tower;
    explicit Built(const Document& document, int followed = -1)
        : flowing(document), map(make_model_map(flowing.trace(), flowing.timeline(), flowing.places())),
          tower(plan_tower(flowing.trace(), flowing.timeline(), flowing.places(), map)) {
        fill_tower(flowing.trace(), followed < 0 ? static_cast<int>(flowing.trace().tokens.size()) - 1 : followed, tower);
    }
    std::string word(const TowerSide& side, int token) const {
        return (side.source ? flowing.trace().source_tokens : flowing.trace().tokens)[static_cast<std::size_t>(token)];
    }
    TowerPicture picture(Rect area, int place = 0, const TowerLens* lens = nullptr) const {
        const TowerRoom room{.area = area,
                             .theme = themes()[0],
                             .width = width_of,
                             .word = [this](const TowerSide& side, int token) { return word(side, token); },
                             .answer = [](const attn::LikelyWord& answer) { return answer.text; },
                             .floors_name = [this](int from, int to) { return "block " + std::to_string(tower.floors[static_cast<std::size_t>(from)].layer + 1) + (to > from ? "–" + std::to_string(tower.floors[static_cast<std::size_t>(to)].layer + 1) : ""); },
                             .head_name = [](int head) { return "head " + std::to_string(head + 1); },
                             .place = place};
        return lay_out_tower(room, tower, lens);
    }
    float weight(const TowerFloor& floor, int head, int query, int key) const {
        const attn::Step& step = flowing.trace()[floor.heads[static_cast<std::size_t>(head)].weights];
        const auto token = [&](int side, int column) { return tower.sides[static_cast<std::size_t>(side)].tokens[static_cast<std::size_t>(column)]; };
        return step.value(token(floor.side, query), token(floor.keys_of, key));
    }
};

constexpr Rect kWide{28, 140, 1384, 660}, kSmall{28, 140, 968, 528};

TEST(Tower, ExistsForStackedAttentions) {
    const auto is = [](const Document& document) {
        const Flowing f(document);
        return make_model_map(f.trace(), f.timeline(), f.places()).tower;
    };
    EXPECT_TRUE(is(floors_of(2, 1)));
    EXPECT_TRUE(is(floors_of(12, 12)));
    EXPECT_TRUE(is(with_source()));
    EXPECT_FALSE(is(document_of({{"variant", "multi_head"}, {"heads", "2"}}))) << "one attention is no tower";
    EXPECT_FALSE(is(document_of({{"variant", "bahdanau"}}))) << "times are not floors";
    EXPECT_FALSE(is(document_of({{"variant", "generate"}, {"heads", "2"}, {"layers", "2"}}))) << "nor where each time has its own";
}

TEST(Tower, ItsArcsAreTheWeightsOfTheTrace) {
    for (const Document& document : {floors_of(4, 4), floors_of(2, 1), with_source()}) {
        const Built b(document);
        const TowerPicture at = b.picture(kWide);
        ASSERT_FALSE(at.arcs.empty());
        std::set<std::tuple<int, int, int>> lit;
        for (const TowerArc& arc : at.arcs) {
            const TowerFloor& floor = b.tower.floors[static_cast<std::size_t>(arc.floor)];
            EXPECT_EQ(arc.weight, b.weight(floor, arc.head, arc.query, arc.key));
            EXPECT_EQ(arc.crosses, floor.crosses());
            if (arc.lit) lit.insert({arc.floor, arc.head, arc.key});
            if (arc.is_dot()) continue;
            for (const TowerArc& other : at.arcs) {
                if (other.is_dot() || other.slot != arc.slot || other.lit != arc.lit) continue;
                EXPECT_EQ(arc.weight < other.weight, arc.width < other.width) << "an arc is as thick as its weight";
            }
        }
        // The path of the followed word is complete: no visible part is left out.
        for (std::size_t f = 0; f < b.tower.floors.size(); ++f) {
            const TowerFloor& floor = b.tower.floors[f];
            const int followed = b.tower.sides[static_cast<std::size_t>(floor.side)].followed;
            for (int h = 0; h < static_cast<int>(floor.heads.size()); ++h)
                for (int key = 0; key < floor.heads[static_cast<std::size_t>(h)].keys; ++key)
                    EXPECT_EQ(lit.count({static_cast<int>(f), h, key}) > 0, b.weight(floor, h, followed, key) >= 0.03f);
        }
    }
}

TEST(Tower, NothingOverlaps) {
    for (const Document& document : {floors_of(2, 1), floors_of(4, 4), floors_of(6, 12), floors_of(12, 12), floors_of(40, 2), with_source(), floors_of(4, 2, words_of_length(300))})
        for (const Rect area : {kWide, kSmall, Rect{28, 140, 1224, 560}})
            for (const int place : {0, 1}) {
                const Built b(document);
                const TowerPicture at = b.picture(area, place);
                SCOPED_TRACE(std::to_string(b.tower.floors.size()) + " floors in " + std::to_string(area.w) + ", place " + std::to_string(place));
                std::vector<std::pair<std::string, Rect>> all;
                for (const TowerWord& word : at.words) all.emplace_back(word.text, word.rect);
                for (const TowerWord& word : at.roof) all.emplace_back("roof " + word.text, word.rect);
                for (const TowerSlot& slot : at.slots)
                    if (!slot.label.empty()) all.emplace_back(slot.name, slot.label);
                for (const TowerName& name : at.names) all.emplace_back(name.text, name.rect);
                for (const Rect& card : {at.answers, at.way, at.asks})
                    if (!card.empty()) all.emplace_back("card", card);
                for (std::size_t i = 0; i < all.size(); ++i) {
                    const Rect& r = all[i].second;
                    EXPECT_TRUE(r.x >= area.x - 1 && r.right() <= area.right() + 1 && r.y >= area.y - 1 && r.bottom() <= area.bottom() + 1) << all[i].first;
                    for (std::size_t j = i + 1; j < all.size(); ++j) EXPECT_FALSE(r.inset(0.5f).overlaps(all[j].second.inset(0.5f))) << all[i].first << " on " << all[j].first;
                }
                // Every floor has a slot, from the bottom up, without overlap.
                std::set<int> floors;
                for (std::size_t i = 0; i < at.slots.size(); ++i) {
                    const TowerSlot& slot = at.slots[i];
                    for (int f = slot.first; f <= slot.last; ++f) floors.insert(f);
                    EXPECT_GE(slot.front - slot.depth, area.y);
                    if (i > 0 && at.slots[i - 1].side == slot.side) {
                        EXPECT_LE(slot.front, at.slots[i - 1].front - at.slots[i - 1].depth);
                    }
                    const bool here = b.tower.floors[static_cast<std::size_t>(slot.last)].place == place && slot.first == slot.last;
                    EXPECT_TRUE(slot.open || !here) << "the floor of the playhead stands open";
                }
                EXPECT_EQ(floors.size(), b.tower.floors.size());
                for (const TowerArc& arc : at.arcs)
                    for (const Point& p : arc.points()) EXPECT_TRUE(p.y >= area.y - 1 && p.x >= area.x - 1 && p.x <= area.right() + 1);
            }
}

TEST(Tower, OfALongTextTheWordsThatMatterAreShown) {
    const int followed = 250;
    const Built b(floors_of(3, 2, words_of_length(300)), followed);
    const TowerSide& side = b.tower.answers();
    ASSERT_EQ(side.tokens.size(), static_cast<std::size_t>(kMostTowerWords));
    EXPECT_EQ(b.tower.followed_token(), followed);
    EXPECT_EQ(side.rank[static_cast<std::size_t>(side.followed)], 0);
    // The token that gets most of its attention is among them.
    std::vector<double> given(300, 0);
    for (const TowerFloor& floor : b.tower.floors)
        for (const TowerHead& head : floor.heads)
            for (int key = 0; key < 300; ++key) given[static_cast<std::size_t>(key)] += static_cast<double>(b.flowing.trace()[head.weights].value(followed, key));
    given[followed] = 0;
    const auto most = static_cast<int>(std::max_element(given.begin(), given.end()) - given.begin());
    EXPECT_TRUE(std::binary_search(side.tokens.begin(), side.tokens.end(), most));
    int counted = 0;
    for (const TowerWord& word : b.picture(kWide).words) counted += word.left_out > 0 ? word.left_out : 1;
    EXPECT_EQ(counted, 300) << "each word is shown or counted";
}

TEST(Tower, ALaneIsHitWhereItIsDrawn) {
    for (const Document& document : {floors_of(4, 4), floors_of(2, 1), with_source(), floors_of(12, 3)}) {
        const Built b(document);
        const TowerPicture at = b.picture(kWide);
        for (std::size_t i = 0; i < at.slots.size(); ++i) {
            const TowerSlot& slot = at.slots[i];
            const auto heads = static_cast<int>(b.tower.floors[static_cast<std::size_t>(slot.first)].heads.size());
            for (int h = 0; h < heads; ++h) {
                const auto hit = at.hit(b.tower, at.lane(b.tower, static_cast<int>(i), slot.first, h, slot.right - 3));
                EXPECT_EQ(hit.floor, slot.first);
                EXPECT_EQ(hit.head, slot.open ? h : -1);
            }
        }
        for (const TowerArc& arc : at.arcs) {
            if (!arc.lit || arc.is_dot() || arc.weight < 0.2f) continue;
            const auto points = arc.points();
            const auto hit = at.hit(b.tower, points[points.size() / 2]);
            EXPECT_GE(hit.floor, 0) << "an arc can be pointed at";
        }
        EXPECT_LT(at.hit(b.tower, {-100, -100}).floor, 0);
    }
}

TEST(Tower, TheDecodersLinesEndAtTheEncoder) {
    const Built b(with_source());
    ASSERT_EQ(b.tower.sides.size(), 2u);
    EXPECT_TRUE(b.tower.sides[0].source);
    const TowerPicture at = b.picture(kWide);
    int crossing = 0;
    for (const TowerArc& arc : at.arcs) {
        if (!arc.crosses) continue;
        ++crossing;
        const auto word = std::find_if(at.roof.begin(), at.roof.end(), [&](const TowerWord& w) { return w.column == arc.key; });
        ASSERT_NE(word, at.roof.end());
        EXPECT_EQ(arc.to.x, word->x);
    }
    EXPECT_GT(crossing, 0);
}

/// No lines rise from the floor whose lines lead to the encoder: that space belongs to the floors.
TEST(Tower, TheHigherOfTwoReachesTheTop) {
    for (const int layers : {1, 2, 3})
        for (const Rect area : {kWide, kSmall}) {
            Document doc = with_source();
            doc.config.layers = layers;
            const TowerPicture at = Built(doc).picture(area);
            float top = area.bottom(), below = area.y;
            for (const TowerSlot& slot : at.slots) top = std::min(top, slot.front - slot.depth);
            for (const TowerWord& word : at.words) below = std::max(below, word.rect.bottom());
            EXPECT_LT(top - area.y, area.h * 0.14f) << layers << " layers in " << area.h;
            EXPECT_LT(area.bottom() - below, area.h * 0.12f) << layers << " layers in " << area.h;
        }
}

/// Words fold if there is little space, and floors never leave the window.
TEST(Tower, StaysInsideANarrowWindow) {
    for (const int count : {4, 9, 14})
        for (const float wide : {968.0f, 760.0f, 620.0f}) {
            Document doc = with_source();
            doc.text = words_of_length(count);
            doc.source = words_of_length(count - 1);
            doc.weights = "random";
            const Rect area{28, 140, wide, 420};
            const TowerPicture at = Built(doc).picture(area);
            for (const TowerSlot& slot : at.slots)
                for (const Point corner : slot.plate()) EXPECT_LE(corner.x, area.right() + 0.5f) << count << " words in " << wide;
            for (const TowerSlot& slot : at.slots) {
                if (slot.label.empty()) continue;
                EXPECT_GE(slot.label.x, area.x - 0.5f) << count << " words in " << wide;
                for (const TowerArc& arc : at.arcs) {
                    if (!arc.crosses || arc.slot != &slot - at.slots.data()) continue;
                    for (const Point p : arc.points()) EXPECT_FALSE(slot.label.contains(p)) << slot.name << " under an arc";
                }
            }
        }
}

// -- the program

class TowerFrame : public AppFrame {
protected:
    void from_afar(const Document& document, Language language = Language::English, std::string_view theme = "light") {
        ViewState changed = app_->state().view;
        changed.screen = Screen::Flow;
        changed.language = language;
        changed.theme = theme;
        changed.still = true;
        app_->apply(becomes(changed));
        app_->apply(becomes(document));
        app_->finish();
        app_->apply(LookAt{app_->derived().place, whole_of(app_->derived().map, app_->derived().place), false});
        app_->finish();
    }
    static Document of_model(const char* name, std::string_view text = "") {
        Document document;
        use_model(document, attn::shipped_model(name));
        if (!text.empty()) document.text = text;
        return document;
    }
};

TEST_F(TowerFrame, EveryPredictingFloorShowsTheWordOfTheLens) {
    for (const char* model : {"language", "it", "translation"}) {
        from_afar(of_model(model));
        const FrameLog log = frame();
        ASSERT_TRUE(app_->derived().map.tower) << model;
        ASSERT_TRUE(app_->derived().tower && app_->derived().lens) << model;
        const attn::Run& run = app_->derived().computed->run;
        const TowerLens& lens = *app_->derived().lens;
        const int token = app_->derived().tower->followed_token();
        const attn::Step& said = run.trace[attn::logits_step(run.trace)];
        const attn::LensGrid grid = attn::lens_grid(run, token - said.rows.first, 1, 1);
        ASSERT_EQ(lens.layers, grid.layers) << model;
        for (int layer = 1; layer <= lens.layers; ++layer) {
            const attn::LikelyWord& word = grid.at(layer, 0).front();
            EXPECT_EQ(lens.at(layer, token)->front().id, word.id);
            EXPECT_EQ(lens.at(layer, token)->front().probability, word.probability);
            const Rect tag = rect_of(log, "tower_answer_" + std::to_string(layer));
            const std::string shown = app_->derived().labels.of({attn::Axis::Kind::Words}, word.id);
            EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& l) { return tag.inset(-1).contains(l.rect.center()) && l.text == shown; }))
                << model << " " << layer << ": " << shown;
        }
    }
}

TEST_F(TowerFrame, IsReadableInEveryWindowThemeAndLanguage) {
    const std::pair<const char*, const char*> texts[] = {{"language", "春眠不觉晓，处处闻啼"}, {"it", ""}, {"translation", ""}};
    for (const auto& [model, text] : texts)
        for (const Size size : {Size{1440, 900}, {1280, 800}, {1024, 768}})
            for (const std::string_view theme : {"light", "dark", "projector"})
                for (const Language language : {Language::English, Language::Chinese}) {
                    from_afar(of_model(model, text), language, theme);
                    FrameLog log;
                    for (int i = 0; i < 3; ++i) {
                        log = {};
                        app_->build_frame(size, 1.0 / 60, &log);
                    }
                    SCOPED_TRACE(std::string(model) + " " + std::to_string(static_cast<int>(size.w)) + " " + std::string(theme) + (language == Language::English ? " en" : " zh"));
                    const Rect flow = rect_of(log, "flow");
                    for (std::size_t i = 0; i < log.labels.size(); ++i) {
                        const LabelRect& a = log.labels[i];
                        if (!flow.contains(a.rect.center())) continue;
                        EXPECT_FALSE(a.shortened) << a.text;
                        for (std::size_t j = i + 1; j < log.labels.size(); ++j) {
                            const LabelRect& b = log.labels[j];
                            if (!flow.contains(b.rect.center())) continue;
                            EXPECT_FALSE(a.rect.inset(1, a.rect.h * 0.16f).overlaps(b.rect.inset(1, b.rect.h * 0.16f))) << a.text << " on " << b.text;
                        }
                    }
                }
}

TEST_F(TowerFrame, AClickOnALaneOpensTheFlowOfThatHead) {
    const Document document = of_model("language");
    for (const int place : {0, 1, 3})
        for (const int head : {0, 2}) {
            from_afar(document);
            click("tower_head_" + std::to_string(place + 1) + "_" + std::to_string(head + 1));
            frame();
            EXPECT_EQ(app_->derived().place, place);
            EXPECT_EQ(app_->state().view.head, head);
            EXPECT_EQ(app_->state().view.flow.zoom, 1);
        }
}

TEST_F(TowerFrame, AClickOnAWordFollowsIt) {
    from_afar(of_model("language", "春眠不觉晓，处处闻啼"));
    frame();
    const int last = app_->derived().tower->followed_token();
    click("tower_word_3");
    app_->finish();
    frame();
    EXPECT_EQ(app_->state().view.flow.followed, 2);
    EXPECT_EQ(app_->derived().tower->followed_token(), 2);
    EXPECT_NE(last, 2);
    EXPECT_EQ(app_->derived().lens->followed, 2);
    EXPECT_LT(app_->state().view.flow.zoom, 1) << "and one stays where one is";
}

TEST_F(TowerFrame, DuringPlaybackFloorsAppearOneAfterTheOther) {
    from_afar(of_model("language"));
    app_->apply(GoToStop{0, 0});
    app_->apply(LookAt{0, whole_of(app_->derived().map, 0), false});
    app_->apply(Play{true});
    const FrameLog log = frame();
    const auto shows_tag = [&](int layer) {
        for (const WidgetRect& widget : log.widgets)
            if (widget.id == "tower_answer_" + std::to_string(layer))
                return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& l) { return widget.rect.contains(l.rect.center()); });
        return false;
    };
    EXPECT_FALSE(shows_tag(1));
    EXPECT_FALSE(shows_tag(4)) << "what comes later is not there yet";
}

}  // namespace
