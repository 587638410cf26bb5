// The alignment of two texts: which documents have the page, which words swap places, and the layout.

#include <gtest/gtest.h>

#include "app/screens/heads/alignment_layout.h"
#include "app/screens/heads/heads.h"
#include "app/state/derived.h"
#include "app/state/edits.h"
#include "core/document/document.h"
#include "core/model/model.h"

namespace app {
namespace {

class Alignment : public ::testing::Test {
protected:
    void use(std::string_view model) {
        state_.document = {};
        use_model(state_.document, attn::shipped_model(model));
        show();
    }
    void show() {
        state_.view.screen = Screen::Heads;
        deriver_.finish(state_, derived_);
        ASSERT_FALSE(derived_.error) << derived_.error->text();
    }
    const HeadsData& data() const { return derived_.part<HeadsData>(); }

    AppState state_ = first_state(Language::English);
    Derived derived_;
    Deriver deriver_;
};

TEST_F(Alignment, OpensForTwoTexts) {
    for (const std::string_view model : {"alignment", "translation", "dates"}) {
        use(model);
        EXPECT_EQ(data().page, "alignment") << model;
        EXPECT_TRUE(data().aligns(*data().here())) << model;
        EXPECT_EQ(data().map().keys.kind, attn::Axis::Kind::SourceTokens) << model;
        EXPECT_EQ(static_cast<int>(data().alignment.said.size()), data().here()->queries()) << model;
    }
    state_.view.part<HeadsChoice>().page = "lines";
    show();
    EXPECT_EQ(data().page, "lines") << "a page that was chosen stays";
}

TEST_F(Alignment, IsNotOfferedForSelfAttention) {
    for (const std::string_view page : {"", "alignment"}) {
        state_.view.part<HeadsChoice>().page = page;
        use("questions");
        EXPECT_EQ(data().page, "lines");
    }
}

TEST_F(Alignment, FindsTheSwappedWords) {
    use("alignment");
    ASSERT_TRUE(data().alignment.swap);
    const auto [query, key] = *data().alignment.swap;
    const HeadsPlace& place = *data().here();
    EXPECT_EQ(place.key_names[static_cast<std::size_t>(key)], "black");
    EXPECT_EQ(place.key_names[static_cast<std::size_t>(key) + 1], "cat");
    EXPECT_EQ(place.query_names[static_cast<std::size_t>(query)], "chat");
    EXPECT_EQ(place.query_names[static_cast<std::size_t>(query) + 1], "noir");
    // The page opens on the alignment.
    ASSERT_TRUE(data().at_first);
    const auto first = query_key_of(derived_.run->trace, data().map(), *data().at_first);
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, (QueryKey{query, key + 1}));
}

/// Rows of both decoders are named after the word that is written there, with the word that was read beside it.
TEST_F(Alignment, ARowIsNamedAfterTheWrittenWord) {
    for (const std::string_view model : {"alignment", "translation"}) {
        use(model);
        const AlignmentData& a = data().alignment;
        const auto rows = static_cast<std::size_t>(data().here()->queries());
        ASSERT_EQ(a.written.size(), rows) << model;
        ASSERT_EQ(a.read.size(), rows) << model;
        for (std::size_t r = 0; r < rows; ++r) {
            EXPECT_EQ(a.written[r], a.said[r].word) << model << " " << r;
            if (r > 0) {
                EXPECT_EQ(a.read[r], a.written[r - 1]) << model << " " << r;
            }
        }
        ASSERT_TRUE(a.swap) << model;
        const auto swap = static_cast<std::size_t>(a.swap->query);
        EXPECT_EQ(a.written[swap], "chat") << model;
        EXPECT_EQ(a.written[swap + 1], "noir") << model;
    }
}

TEST_F(Alignment, HasTheNumbersOfTheRun) {
    use("translation");
    const attn::Trace& trace = derived_.run->trace;
    const attn::Step* said = nullptr;
    for (const attn::Step& step : trace.steps)
        if (step.tag.role == attn::Role::Probabilities) said = &step;
    ASSERT_TRUE(said);
    for (int r = 0; r < data().here()->queries(); ++r) {
        Eigen::Index word = 0;
        const float share = said->value.row(r).maxCoeff(&word);
        EXPECT_EQ(data().alignment.said[static_cast<std::size_t>(r)].share, share);
        EXPECT_EQ(data().alignment.said[static_cast<std::size_t>(r)].word, derived_.labels.of(said->cols, static_cast<int>(word)));
    }
}

/// Beside the strip of the source's words there is one of the queries: a decoder's states, or the vectors of its words.
TEST_F(Alignment, EachRowHasItsQuery) {
    for (const std::string_view model : {"alignment", "translation"}) {
        use(model);
        const attn::Trace& trace = derived_.run->trace;
        const auto& asking = data().alignment.asking;
        ASSERT_EQ(static_cast<int>(asking.size()), data().here()->queries()) << model;
        for (int r = 0; r < data().here()->queries(); ++r) {
            const attn::Cell& one = asking[static_cast<std::size_t>(r)];
            const attn::Step& step = trace[one.step];
            EXPECT_EQ(step.rows.first + one.row, r) << model;
            if (model == "alignment") {
                EXPECT_EQ(trace[step.inputs[0]].tag.role, attn::Role::State) << "the state before asks";
            }
        }
    }
}

/// After each row come the context that its weights mix, and the state computed from it, which predicts the word.
TEST_F(Alignment, EachRowHasItsResult) {
    for (const std::string_view model : {"alignment", "translation"}) {
        use(model);
        const attn::Trace& trace = derived_.run->trace;
        const AlignmentData& a = data().alignment;
        const int rows = data().here()->queries();
        ASSERT_EQ(static_cast<int>(a.contexts.size()), rows) << model;
        ASSERT_EQ(static_cast<int>(a.states.size()), rows) << model;
        const bool recurrent = model == "alignment";
        EXPECT_EQ(static_cast<int>(a.units.size()), recurrent ? rows : 0);
        for (int r = 0; r < rows; ++r) {
            const auto i = static_cast<std::size_t>(r);
            const attn::Cell at = data().map().places[i];
            EXPECT_EQ(trace[a.contexts[i].step].inputs[0], at.step);
            EXPECT_EQ(trace[a.states[i].step].rows.first + a.states[i].row, r) << model;
            EXPECT_EQ(trace[a.states[i].step].tag.role, recurrent ? attn::Role::State : attn::Role::Output);
            if (recurrent) {
                EXPECT_EQ(a.units[i].step, a.states[i].step);
                EXPECT_EQ(a.units[i].inside.size(), 3u) << "two gates and the candidate";
                // It reads the state that was the query.
                ASSERT_EQ(a.units[i].reads.size(), 1u);
                EXPECT_EQ(trace[a.units[i].reads[0]].value.one_row(0), trace[a.asking[i].step].value.one_row(a.asking[i].row));
            }
        }
    }
}

TEST_F(Alignment, MakesNoClaimAboutAnUnknownWord) {
    use("alignment");
    ASSERT_TRUE(data().alignment.swap);
    const int noir = data().alignment.swap->query + 1;
    attn::Document& doc = state_.document;
    const auto put = [](std::string& text, std::string_view word, std::string_view other) { text.replace(text.find(word), word.size(), other); };
    put(doc.text, "noir", "zorglub");
    put(doc.source, "black", "zorglub");
    show();
    const HeadsPlace& place = *data().here();
    for (int r = 0; r < place.queries(); ++r) EXPECT_EQ(place.blank_queries[static_cast<std::size_t>(r)], r == noir) << r;
    for (int c = 0; c < place.keys(); ++c)
        EXPECT_EQ(place.blank_keys[static_cast<std::size_t>(c)], place.key_names[static_cast<std::size_t>(c)] == "zorglub") << c;
    if (const auto swap = data().alignment.swap) {
        EXPECT_NE(swap->query + 1, noir);
    }
}

/// While the sheet is being written, the newest row is the one that is explained.
TEST_F(Alignment, TheExplainedRowIsTheNewestWrittenOne) {
    for (const std::string_view model : {"alignment", "translation"}) {
        use(model);
        const attn::Trace& trace = derived_.run->trace;
        int rows = 0;
        for (int r = 0; r < data().here()->queries(); ++r) {
            const attn::Cell at = data().map().places[static_cast<std::size_t>(r)];
            const bool own = trace[at.step].value.rows() == 1;
            if (!own && stop_of(derived_.timeline, trace, at.step) < 0) continue;
            state_.view.playhead = {trace[at.step].tag, own ? 0.6 : (r + 0.6) / data().here()->queries()};
            state_.view.playing = true;
            show();
            if (written_last(derived_, data()) != r) continue;  // another head's step comes first
            ++rows;
            ASSERT_TRUE(derived_.focus) << r;
            const auto pair = query_key_of(derived_.run->trace, data().map(), *derived_.focus);
            ASSERT_TRUE(pair) << r;
            EXPECT_EQ(pair->query, r) << model;
            EXPECT_LT(written_share(derived_, data(), r), 1);
        }
        EXPECT_GT(rows, 5) << model;
        state_.view.playing = false;
    }
}

/// Columns without room for "0.00" show ".00" before any column is left empty.
TEST(AlignmentLayout, DropsTheLeadingZeroBeforeNumbers) {
    AlignmentRoom room{.area = {100, 80, 690, 400}, .scale = 1, .em = 16, .figure = 40, .bare = 30, .names = 70, .sources = 84, .says = 120, .rows = 14, .cols = 12, .lit = 4};
    for (int c = 0; c < room.cols; ++c) room.strongest.push_back(c);
    const auto figures = [&] {
        const AlignmentLayout at = lay_out_alignment(room);
        int count = 0;
        for (int c = 0; c < room.cols; ++c) count += at.has_figure(4, c) && at.cell(4, c).w >= room.bare + 3 ? 1 : 0;
        EXPECT_LE(at.sheet.right(), room.area.right() + 0.5f);
        return count;
    };
    EXPECT_EQ(figures(), room.cols);
    room.bare = 0;
    EXPECT_LT(figures(), room.cols);
}

TEST(AlignmentLayout, QueriesDisplaceNoNumbers) {
    int with = 0;
    for (const float width : {1100.0f, 900.0f, 760.0f, 620.0f, 420.0f})
        for (const int cols : {2, 6, 12}) {
            AlignmentRoom room{.area = {100, 80, width, 500}, .scale = 1, .em = 16, .figure = 34, .names = 70, .sources = 84, .says = 120, .strips = true, .rows = 8, .cols = cols, .lit = 0};
            const AlignmentLayout plain = lay_out_alignment(room);
            room.asks = true;
            const AlignmentLayout at = lay_out_alignment(room);
            EXPECT_EQ(at.figures, plain.figures) << width << " " << cols;
            if (at.asks_w <= 0) continue;
            ++with;
            EXPECT_LT(at.names_right, at.asks_x);
            EXPECT_LT(at.asks_x + at.asks_w, at.sheet.x);
            EXPECT_LE(at.says_left + at.says_w, room.area.right() + 0.5f);
        }
    EXPECT_GT(with, 3);
}

TEST(AlignmentLayout, ResultsDisplaceNoNumbers) {
    int with = 0;
    for (const float width : {1300.0f, 1100.0f, 900.0f, 760.0f, 620.0f, 420.0f})
        for (const int cols : {2, 6, 12}) {
            AlignmentRoom room{.area = {100, 80, width, 500}, .scale = 1, .em = 16, .figure = 34, .names = 70, .sources = 84, .says = 120, .strips = true, .asks = true, .rows = 8, .cols = cols, .lit = 2};
            const AlignmentLayout plain = lay_out_alignment(room);
            room.makes = 2;
            const AlignmentLayout at = lay_out_alignment(room);
            EXPECT_EQ(at.figures, plain.figures) << width << " " << cols;
            if (at.makes_w <= 0) continue;
            ++with;
            EXPECT_GT(at.made(2, 0).x, at.sheet.right());
            EXPECT_GT(at.made(2, 1).x, at.made(2, 0).right());
            EXPECT_GT(at.says_left, at.made(2, 1).right());
            EXPECT_LE(at.says_left + at.says_w, room.area.right() + 0.5f);
        }
    EXPECT_GT(with, 3);
}

/// However small the sheet is, the explained cells and their results show their numbers.
TEST(AlignmentLayout, TheHighlightedRowKeepsItsNumbers) {
    int thin = 0;
    for (const Size size : {Size{1100, 500}, Size{900, 400}, Size{760, 330}, Size{620, 330}})
        for (const int cols : {6, 12, 16})
            for (const int makes : {0, 2}) {
                AlignmentRoom room{.area = {100, 80, size.w, size.h}, .scale = 1, .em = 16, .figure = 34, .names = 70, .sources = 84, .reads = 50, .says = 120, .strips = true, .asks = true, .makes = makes, .rows = 14, .cols = cols, .lit = 4};
                for (int c = 0; c < cols; ++c) room.strongest.push_back((c + 2) % cols);
                const AlignmentLayout at = lay_out_alignment(room);
                SCOPED_TRACE(std::to_string(size.w) + " " + std::to_string(cols) + " " + std::to_string(makes));
                int figures = 0;
                for (int c = 0; c < cols; ++c) {
                    if (!at.has_figure(4, c)) continue;
                    ++figures;
                    EXPECT_GE(at.cell(4, c).w, room.figure + 3);
                    EXPECT_GE(at.cell(4, c).h, room.em);
                }
                EXPECT_TRUE(at.has_figure(4, room.strongest[0])) << "the largest weight first";
                EXPECT_GE(figures, makes > 0 && at.makes_w > 0 ? std::min(cols, 5) : 3);
                EXPECT_LE(at.sheet.right(), room.area.right() + 0.5f);
                for (int c = 0; c + 1 < cols; ++c) EXPECT_NEAR(at.col(c).right(), at.col(c + 1).x, 0.01f);
                for (const int c : {0, cols / 2, cols - 1}) {
                    int r = 0, found = -1;
                    ASSERT_TRUE(at.find(at.cell(4, c).center(), r, found));
                    EXPECT_EQ(r, 4);
                    EXPECT_EQ(found, c);
                }
                thin += figures < cols ? 1 : 0;
            }
    EXPECT_GT(thin, 3);
}

TEST(AlignmentLayout, KeepsEverythingInsideWithoutOverlap) {
    for (const Size size : {Size{1100, 640}, Size{760, 480}, Size{420, 300}})
        for (const int rows : {2, 14, 40})
            for (const int cols : {2, 12, 40})
                for (const int lit : {-1, 0, rows - 1}) {
                    const AlignmentRoom room{.area = {100, 80, size.w, size.h}, .scale = 1, .em = 16, .figure = 34, .names = 70, .sources = 84, .says = 120, .strips = true, .rows = rows, .cols = cols, .lit = lit};
                    const AlignmentLayout at = lay_out_alignment(room);
                    EXPECT_GE(at.sheet.x, room.area.x);
                    EXPECT_GE(at.sheet.y, room.area.y - 0.5f);
                    EXPECT_LE(at.sheet.bottom(), room.area.bottom() + 0.5f);
                    EXPECT_LE(at.says_left + at.says_w, room.area.right() + 0.5f);
                    EXPECT_LT(at.names_right, at.sheet.x);
                    EXPECT_LE(at.strip_y + at.strip_h, at.sheet.y) << "the vectors stand above the sheet";
                    EXPECT_LT(at.names_base, at.strip_y) << "and the names above them";
                    for (int r = 0; r + 1 < rows; ++r) EXPECT_NEAR(at.row(r).bottom(), at.row(r + 1).y, 0.01f);
                    EXPECT_NEAR(at.row(rows - 1).bottom(), at.sheet.bottom(), 0.05f);
                    if (lit >= 0) {
                        EXPECT_GT(at.row(lit).h, at.row(lit == 0 ? 1 : 0).h);
                    }
                    for (const int r : {0, rows / 2, rows - 1})
                        for (const int c : {0, cols / 2, cols - 1}) {
                            int row = -1, col = -1;
                            ASSERT_TRUE(at.find(at.cell(r, c).center(), row, col));
                            EXPECT_EQ(row, r);
                            EXPECT_EQ(col, c);
                        }
                    for (int r = 0, before = -1; r < rows; ++r) {
                        if (!at.named[static_cast<std::size_t>(r)]) continue;
                        if (before >= 0) {
                            EXPECT_GE(at.row(r).center().y - at.row(before).center().y, room.em - 0.01f);
                        }
                        before = r;
                    }
                    EXPECT_TRUE(lit < 0 || at.named[static_cast<std::size_t>(lit)]);
                    EXPECT_TRUE(!at.figures || at.cell_w >= room.figure);
                }
}

}  // namespace
}  // namespace app
