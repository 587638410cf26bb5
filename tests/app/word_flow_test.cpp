// The flow of one word: at every size, for every form, its row is legible; what is drawn is what was computed; choosing
// another word as the query is animated. Layouts as data, no pixels.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "app/content/number_text.h"
#include "app/state/examples.h"
#include "core/attention/forms/attention.h"
#include "tests/app/anim_flow_support.h"

namespace {

using namespace app;
using namespace flowing;
using attn::Cell;
using attn::Role;
using attn::StepId;

constexpr Size kAreas[] = {{1384, 660}, {1224, 560}, {968, 528}, {1864, 840}};
constexpr const char* kTexts[] = {"the cat sat", "the boy saw the bird and he loved it", "a b c d e f g h i j k l",
                                  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"};

Document with_text(const char* text, std::string_view form = "multi_head", int heads = 1) {
    Document d;
    d.text = text;
    d.config.form = form;
    d.config.heads = heads;
    return d;
}

/// The place that has a flow of one word; null: none.
struct Shown {
    explicit Shown(const Document& document) : flowing(document) {
        for (const FlowPlace& place : flowing.places()) {
            graph = flowing.word(place);
            if (graph.word) return;
        }
    }
    const WordFlow& word() const { return *graph.word; }
    Scene at(Size size, int query = -1, int before = -1, double swing = 1, float scale = 1) const {
        Scene scene;
        flowing.with(graph, {}, {28, 152, size.w, size.h}, [&](FlowInput in) {
            in.query = query;
            in.before = before;
            in.swing = swing;
            in.stage.style = in.stage.style.scaled(scale);
            lay_out_flow(in, scene);
        });
        return scene;
    }
    /// The place of a weight of the query's row: discs of the other rows come before it.
    static Rect glass(const Scene& scene, Cell cell) {
        Rect found{};
        for (const MatrixSprite& m : scene.matrices)
            if (m.unseen && m.step == cell.step && m.first_row == cell.row && m.first_col == cell.col) found = m.grid.area();
        return found;
    }
    Flowing flowing;
    FlowGraph graph;
};

Rect box_of(const LabelSprite& l) {
    float w = width_of(l.text, l.type);
    if (l.fit > 0) w = std::min(w, l.fit);
    const float x = l.align == Align::Left ? l.at.x : l.align == Align::Right ? l.at.x - w : l.at.x - w / 2;
    return {x, l.at.y - 9, w, 10};
}

TEST(WordFlow, EveryFormWithQueriesAndKeysHasOne) {
    std::vector<std::string_view> without;
    for (const attn::Form& form : attn::forms()) {
        Document d = with_text("the boy saw the bird", form.id);
        if (!attn::run(d)) continue;
        const Shown shown(d);
        if (!shown.graph.word) {
            without.push_back(form.id);
            continue;
        }
        const attn::Trace& trace = shown.flowing.trace();
        EXPECT_EQ(trace[shown.word().output.step].inputs[0], shown.word().weights.step) << form.id;
        if (shown.word().products) {
            EXPECT_EQ(trace[shown.word().scores.step].inputs[0], shown.word().queries.step) << form.id;
        }
        EXPECT_GE(shown.word().output.stop, shown.word().weights.stop) << form.id;
    }
    EXPECT_EQ(without, (std::vector<std::string_view>{"online", "linear"})) << "tiles and sums have no row of weights";
}

/// Bahdanau's decoder: at each step one word is the query, with the state before it; the scores are sums over pairs.
TEST(WordFlow, FollowsAWordOfARecurrentDecoder) {
    Document d = with_text("le chat noir", "bahdanau");
    d.source = "the black cat";
    d.weights = "random";
    const Flowing flowing(d);
    const attn::Trace& trace = flowing.trace();
    int time = 0;
    for (const FlowPlace& place : flowing.places()) {
        const FlowGraph graph = flowing.word(place);
        ASSERT_TRUE(graph.word) << time;
        const WordFlow& w = *graph.word;
        EXPECT_FALSE(w.products);
        EXPECT_EQ(trace[w.queries.step].tag.role, Role::ScoreQueries);
        EXPECT_EQ(trace[w.keys.step].tag.role, Role::ScoreKeys);
        EXPECT_EQ(trace[w.values.step].tag.role, Role::Annotations);
        EXPECT_EQ(trace[w.weights.step].rows.first, time);
        std::vector<Role> after;
        for (const WordStep& part : w.after) after.push_back(trace[part.step].tag.role);
        EXPECT_TRUE(std::count(after.begin(), after.end(), Role::State)) << "the context makes the new state";
        Scene scene;
        flowing.with(graph, {}, {28, 152, 1384, 660}, [&](const FlowInput& in) { lay_out_flow(in, scene); });
        // Its scores and shares are written as numbers, and none is called a product or divided.
        for (int j = 0; j < 3; ++j) {
            const Cell cell{w.scores.step, 0, j};
            EXPECT_TRUE(std::any_of(scene.cells.begin(), scene.cells.end(), [&](const CellSprite& c) { return c.cell == cell; })) << time << " " << j;
        }
        const std::string most = number_text(trace[w.weights.step].value.one_row(0).maxCoeff());
        const auto says = [&](std::string_view text) {
            return std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) { return l.text.find(text) != std::string::npos; });
        };
        EXPECT_TRUE(says(most)) << time;
        EXPECT_FALSE(says("q·k"));
        EXPECT_FALSE(says("÷"));
        ++time;
    }
    EXPECT_EQ(time, 3);
}

/// A step that only masks is not called a division.
TEST(WordFlow, NamesADivisionOnlyIfThereIsOne) {
    const auto divided = [](const char* score) {
        Document d = with_text("the boy saw the bird");
        d.config.mask = "causal";
        d.config.score = score;
        const Scene scene = Shown(d).at(kAreas[0]);
        return std::any_of(scene.labels.begin(), scene.labels.end(), [](const LabelSprite& l) { return l.text.starts_with("÷"); });
    };
    EXPECT_TRUE(divided("scaled_dot"));
    EXPECT_FALSE(divided("dot"));
}

TEST(WordFlow, NothingIsOutsideOrOverlaps) {
    for (const attn::Form& form : attn::forms())
        for (const char* text : kTexts)
            for (const Size size : kAreas) {
                Document d = with_text(text, form.id);
                if (!attn::run(d)) continue;
                const Shown shown(d);
                if (!shown.graph.word) continue;
                const Scene scene = shown.at(size);
                if (scene.asks.empty()) continue;  // too small: the matrices' picture
                const Rect area = scene.area.inset(-24);
                for (const LabelSprite& l : scene.labels) {
                    if (l.slanted) continue;
                    const Rect box = box_of(l);
                    EXPECT_TRUE(box.x >= area.x && box.right() <= area.right() && box.y >= area.y && box.bottom() <= area.bottom())
                        << form.id << " " << size.w << " \"" << text << "\": " << l.text;
                }
                for (std::size_t i = 0; i < scene.labels.size(); ++i)
                    for (std::size_t k = i + 1; k < scene.labels.size(); ++k) {
                        const LabelSprite &a = scene.labels[i], &b = scene.labels[k];
                        if (a.slanted || b.slanted || a.alpha < 0.1f || b.alpha < 0.1f) continue;
                        EXPECT_FALSE(box_of(a).inset(0.5f).overlaps(box_of(b).inset(0.5f)))
                            << form.id << " " << size.w << "×" << size.h << " \"" << text << "\": " << a.text << " | " << b.text;
                    }
            }
}

/// The numbers of the word with the largest weight, of the query and of the result are written at every size.
TEST(WordFlow, TheRowInFocusHasItsNumbers) {
    for (const char* text : kTexts)
        for (const Size size : kAreas) {
            const Shown shown(with_text(text));
            const attn::Trace& trace = shown.flowing.trace();
            const StepId weights = shown.word().weights.step;
            const int rows = static_cast<int>(trace[weights].value.rows());
            for (int query = 0; query < rows; ++query) {
                const Scene scene = shown.at(size, query);
                ASSERT_FALSE(scene.asks.empty()) << size.w;
                Eigen::Index key = 0;
                const float most = trace[weights].value.one_row(query).maxCoeff(&key);
                const std::string said = number_text(most);
                EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(),
                                        [&](const LabelSprite& l) { return l.type == Type::NumberStrong && l.text == said; }))
                    << text << " " << size.w << ": " << said;
                const Cell best{shown.word().scores.step, query, static_cast<int>(key)};
                const auto cell = std::find_if(scene.cells.begin(), scene.cells.end(), [&](const CellSprite& c) { return c.cell == best; });
                ASSERT_NE(cell, scene.cells.end());
                EXPECT_GE(cell->rect.w, width_of("00.00", Type::Number) * 0.9f);
            }
        }
}

/// In a small picture words are dropped before digits: a line has the complete numbers of all words shown, beside the key
/// with the largest weight below the query.
TEST(WordFlow, ASmallPictureKeepsTheDigitsOfItsLines) {
    int folded = 0;
    for (const char* text : kTexts)
        for (const Size size : {Size{700, 460}, Size{640, 420}}) {
            const Shown shown(with_text(text));
            const attn::Trace& trace = shown.flowing.trace();
            const WordFlow& w = shown.word();
            const auto words = static_cast<int>(trace[w.weights.step].value.cols());
            for (const int query : {0, words - 1}) {
                SCOPED_TRACE(std::string(text) + " " + std::to_string(size.w) + " " + std::to_string(query));
                const Scene scene = shown.at(size, query);
                ASSERT_FALSE(scene.cells.empty());
                Eigen::Index best = 0;
                trace[w.weights.step].value.one_row(query).maxCoeff(&best);
                int shown_words = 0;
                for (const CellSprite& c : scene.cells) {
                    if (c.cell.step != w.scores.step) continue;
                    ++shown_words;
                    EXPECT_TRUE(c.number);
                    const std::string scaled = number_text(trace[w.read.step].value(query, c.cell.col));
                    EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) { return l.text == scaled; })) << scaled;
                }
                EXPECT_GE(shown_words, std::min(words, 3));
                // "… 4"; in a long text each stretch without room shows how many tokens it stands for.
                const bool says_rest = std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) {
                    return l.text == "… " + std::to_string(words - shown_words) || l.text.find(" more") != std::string::npos;
                });
                EXPECT_TRUE(says_rest || shown_words == words || words > 12);  // a longer text is already folded
                folded += says_rest ? 1 : 0;
                EXPECT_TRUE(std::any_of(scene.matrices.begin(), scene.matrices.end(), [&](const MatrixSprite& m) { return m.step == w.keys.step && m.first_row == static_cast<int>(best) && m.numbers; }));
            }
        }
    EXPECT_GT(folded, 4);
}

/// A column of several keys says how many they are above its bar, and as the rest of all others also their share.
TEST(WordFlow, ABarOfSeveralKeysIsNamed) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "w" + std::to_string(i % 11) + " ";
    for (const auto& [words, size] : {std::pair{text, Size{1384, 660}}, {text, Size{968, 528}}, {std::string(kTexts[1]), Size{640, 420}}}) {
        SCOPED_TRACE(std::to_string(size.w));
        const Shown shown(with_text(words.c_str()));
        const WordFlow& w = shown.word();
        const Scene scene = shown.at(size, 5);
        const Rect card = std::find_if(scene.cards.begin(), scene.cards.end(), [](const CardSprite& c) { return c.paper; })->rect;
        // Glasses whose keys cannot be picked are those of several keys.
        int several = 0, named = 0;
        for (const LabelSprite& l : scene.labels) {
            if (!card.contains(l.at)) continue;
            several += l.text == "…" && l.type == Type::NumberSmall ? 1 : 0;
            named += l.text.starts_with("… ") || (!l.text.empty() && l.text.size() < 4 && l.type == Type::Small && std::isdigit(static_cast<unsigned char>(l.text[0])) && l.hue == Hue::Soft) ? 1 : 0;
            EXPECT_FALSE(l.text.starts_with("+")) << l.text;
        }
        EXPECT_GT(several, 0);
        EXPECT_EQ(named, several / 2) << "each has … in two lines";
        EXPECT_TRUE(std::any_of(scene.cells.begin(), scene.cells.end(), [&](const CellSprite& c) { return c.cell.step == w.scores.step; }));
    }
}

/// From five words to three hundred, in every window: as many of the strongest keys as fit have their numbers in all three
/// lines, in the size of the others; a key that has no number is weaker than all that have one.
TEST(WordFlow, TheStrongestKeysHaveTheirNumbersAtEverySize) {
    const auto words = [](int count) {
        constexpr const char* kWords[] = {"the", "old", "man", "by", "sea", "told", "boy", "bird", "he", "loved", "it"};
        std::string text;
        for (int i = 0; i < count; ++i) text += std::string(kWords[i * 7 % 11]) + " ";
        return text;
    };
    for (const int count : {5, 9, 12, 16, 22, 38, 300})
        for (const Size size : kAreas) {
            SCOPED_TRACE(std::to_string(count) + " " + std::to_string(size.w));
            const Shown shown(with_text(words(count).c_str()));
            const attn::Trace& trace = shown.flowing.trace();
            const WordFlow& w = shown.word();
            const int query = count - 1;
            const Scene scene = shown.at(size, query);
            const attn::RowVector row = trace[w.weights.step].value.one_row(query);
            int figures = 0;
            float weakest = 1, strongest_without = 0;
            for (const CellSprite& c : scene.cells) {
                if (c.cell.step != w.scores.step) continue;
                const float weight = row[c.cell.col];
                (c.number ? weakest : strongest_without) = c.number ? std::min(weakest, weight) : std::max(strongest_without, weight);
                if (!c.number) continue;
                ++figures;
                EXPECT_GE(c.rect.w, width_of("000", Type::Number));
                const auto written = [&](float top, float bottom) {
                    return std::count_if(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) {
                        return std::abs(l.at.x - c.rect.center().x) < 0.5f && l.at.y > top && l.at.y < bottom && (l.type == Type::Number || l.type == Type::NumberStrong);
                    });
                };
                const Rect glass = Shown::glass(scene, {w.weights.step, query, c.cell.col});
                EXPECT_EQ(written(c.rect.bottom(), c.rect.bottom() + 24), 1) << "÷ √d";
                EXPECT_GE(written(c.rect.bottom() + 24, glass.bottom()), weight >= 0.01f ? 1 : 0) << "its share";
            }
            EXPECT_GE(figures, std::min(count, count == 9 ? 7 : size.w < 1000 ? 3 : 5));
            EXPECT_LE(strongest_without, weakest + 1e-6f);
        }
}

TEST(WordFlow, SlantedNamesStayOnTheCard) {
    int slanted = 0;
    for (const Size size : {Size{1384, 660}, Size{968, 528}, Size{700, 528}}) {
        const Shown shown(with_text("the animal that crossed the street because of tiredness"));
        const Scene scene = shown.at(size);
        ASSERT_FALSE(scene.cards.empty());
        const Rect card = scene.cards.front().rect;
        for (const LabelSprite& l : scene.labels) {
            if (!l.slanted || !card.contains(l.at)) continue;
            ++slanted;
            EXPECT_LE(l.at.x + 0.57f * std::min(width_of(l.text, l.type), l.fit), card.right()) << size.w << " " << l.text;
        }
    }
    EXPECT_GT(slanted, 5);
}

/// What is written on the lanes lies neither on another lane nor on another line.
TEST(WordFlow, TheNamesOfLanesLieOnNothing) {
    int said = 0, clear = 0;
    std::string long_text;
    for (int i = 0; i < 38; ++i) long_text += "w" + std::to_string(i * 7 % 11) + " ";
    for (const std::string& text : {std::string(kTexts[1]), std::string(kTexts[3]), long_text})
        for (const Size size : kAreas) {
            const Shown shown(with_text(text.c_str()));
            const auto rows = static_cast<int>(shown.flowing.trace()[shown.word().weights.step].value.rows());
            for (const int query : {0, rows / 2, rows - 1}) {
                const Scene scene = shown.at(size, query);
                for (const LabelSprite& l : scene.labels) {
                    if (l.text.find(" × ") == std::string::npos || l.hue != Hue::Value) continue;
                    ++said;
                    SCOPED_TRACE(text + " " + std::to_string(size.w) + ": " + l.text);
                    const Rect box = box_of(l);
                    // Where lanes are close together it has a ground of its own.
                    if (std::any_of(scene.bars.begin(), scene.bars.end(), [&](const BandSprite& b) { return b.hue == Hue::Back && b.rect.contains(box.center()); })) continue;
                    ++clear;
                    for (const RibbonSprite& r : scene.ribbons) {
                        if (r.hue != Hue::Value || r.from_at > box.right() || r.to_at < box.x) continue;
                        for (float t = 0; t <= 1; t += 1 / 64.0f) {
                            const float u = 1 - t, x = r.from_at + (r.to_at - r.from_at) * (1.5f * t * u + t * t * t), along = t * t * (3 - 2 * t);
                            const Rect ribbon{x, r.from_low + (r.to_low - r.from_low) * along, 1, r.from_high - r.from_low + (r.to_high - r.to_low - r.from_high + r.from_low) * along};
                            EXPECT_FALSE(ribbon.overlaps(box));
                        }
                    }
                    for (const PathSprite& line : scene.paths)
                        for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
                            const Point a = line.points[i], z = line.points[i + 1];
                            EXPECT_FALSE(line.hue == Hue::Score && a.x > box.x && a.x < box.right() && std::min(a.y, z.y) < box.bottom() && std::max(a.y, z.y) > box.y);
                        }
                }
            }
        }
    EXPECT_GT(said, 20);
    EXPECT_GT(clear, said / 2);
}

/// A key that the user pinned is shown however small its weight is, and the folded keys show the sum of their weights.
TEST(WordFlow, APinnedKeyNeverFolds) {
    int folded = 0;
    for (const char* text : kTexts) {
        const Shown shown(with_text(text));
        const attn::Trace& trace = shown.flowing.trace();
        const WordFlow& w = shown.word();
        const attn::RowVector row = trace[w.weights.step].value.one_row(0);
        const auto words = static_cast<int>(row.size());
        Eigen::Index weakest = 0;
        row.minCoeff(&weakest);
        const auto scene_with = [&](int key) {
            Scene scene;
            shown.flowing.with(shown.graph, {}, {28, 152, 640, 420}, [&](FlowInput in) {
                in.query = 0;
                in.key = key;
                lay_out_flow(in, scene);
            });
            return scene;
        };
        const auto columns = [&](const Scene& scene) {
            std::vector<int> out;
            for (const CellSprite& c : scene.cells)
                if (c.cell.step == w.scores.step) out.push_back(c.cell.col);
            return out;
        };
        const auto has = [&](const std::vector<int>& all) { return std::find(all.begin(), all.end(), static_cast<int>(weakest)) != all.end(); };
        const Scene scene = scene_with(static_cast<int>(weakest));
        const std::vector<int> in_scene = columns(scene);
        EXPECT_TRUE(has(in_scene)) << text;
        if (has(columns(scene_with(-1))) || words > 12) continue;
        ++folded;
    }
    EXPECT_GT(folded, 1);
}

/// The part left of the card is left out before the digits of nine words are.
TEST(WordFlow, TheBraidIsDroppedBeforeNumbers) {
    const Shown shown(with_text(kTexts[1]));
    for (const Size size : {kAreas[0], kAreas[1], kAreas[3]}) {
        const Scene scene = shown.at(size, 8);
        for (const CellSprite& c : scene.cells)
            if (c.cell.step == shown.word().scores.step) {
                const std::string figure = number_text(shown.flowing.trace()[c.cell.step].value(c.cell.row, c.cell.col));
                EXPECT_TRUE(c.number);
                EXPECT_GE(c.rect.w, width_of(figure, Type::Number)) << size.w << ": " << figure;
            }
    }
}

/// A lane is as thick as its weight, and all lanes together arrive at the result.
TEST(WordFlow, LanesAreAsThickAsTheirWeights) {
    const Shown shown(with_text(kTexts[1]));
    const attn::Trace& trace = shown.flowing.trace();
    const int query = 8;
    const Scene scene = shown.at(kAreas[0], query);
    const attn::RowVector row = trace[shown.word().weights.step].value.one_row(query);
    float whole = 0;
    std::vector<float> thick;
    for (Eigen::Index j = 0; j < row.size(); ++j) {
        const Rect glass = Shown::glass(scene, {shown.word().weights.step, query, static_cast<int>(j)});
        ASSERT_FALSE(glass.empty());
        const auto lane = std::find_if(scene.ribbons.begin(), scene.ribbons.end(), [&](const RibbonSprite& r) {
            return r.hue == Hue::Value && std::abs(r.from_at - glass.center().x) < 0.5f;
        });
        ASSERT_NE(lane, scene.ribbons.end());
        thick.push_back(lane->to_high - lane->to_low);
        whole += thick.back();
    }
    for (Eigen::Index j = 0; j < row.size(); ++j) EXPECT_NEAR(thick[static_cast<std::size_t>(j)] / whole, row[j], 0.02f) << j;
}

TEST(WordFlow, ANewQueryIsAnimatedFromRowToRow) {
    const Shown shown(with_text(kTexts[1]));
    const auto texts = [](const Scene& scene) {
        std::vector<std::string> out;
        for (const LabelSprite& l : scene.labels) out.push_back(l.text);
        return out;
    };
    EXPECT_EQ(texts(shown.at(kAreas[0], 6, 8, 1)), texts(shown.at(kAreas[0], 6)));
    const StepId weights = shown.word().weights.step;
    float before = -1;
    const Cell cell{weights, 6, 0};
    const auto bar = [&](double swing) {
        const Scene scene = shown.at(kAreas[0], 6, 8, swing);
        const Rect glass = Shown::glass(scene, cell);
        for (const BandSprite& b : scene.bars)
            if (b.hue == Hue::Score && std::abs(b.rect.center().x - glass.center().x) < 0.5f && std::abs(b.rect.bottom() - glass.bottom()) < 0.5f) return b.rect.h / glass.h;
        return -1.0f;
    };
    const attn::Matrix& map = shown.flowing.trace()[weights].value;
    EXPECT_NEAR(bar(1), map(6, 0), 0.02f);
    EXPECT_NEAR(bar(0), map(8, 0), 0.02f);
    for (double swing = 0; swing <= 1; swing += 0.1) {
        const float now = bar(swing);
        if (before >= 0) {
            EXPECT_LE(std::abs(now - before), 0.5f * std::abs(map(6, 0) - map(8, 0)) + 0.01f);
        }
        before = now;
    }
}

TEST(WordFlow, MaskedKeysContributeNothing) {
    Document d = with_text(kTexts[1]);
    d.config.mask = "causal";
    const Shown shown(d);
    const int query = 2;
    const Scene scene = shown.at(kAreas[0], query);
    for (int j = 0; j < 9; ++j) {
        const StepId weights = shown.word().weights.step;
        const auto hatch = std::count_if(scene.cells.begin(), scene.cells.end(), [&](const CellSprite& c) { return c.hatched && c.cell == Cell{weights, query, j}; });
        EXPECT_EQ(hatch, j > query ? 1 : 0) << j;
    }
    const auto drops = std::count_if(scene.paths.begin(), scene.paths.end(), [](const PathSprite& p) { return p.hue == Hue::Score; });
    EXPECT_EQ(drops, query + 1) << "a line from each share that is one";
}

/// During playback the picture shows nothing that is not computed yet.
TEST(WordFlow, ShowsNothingBeyondThePlayhead) {
    const Shown shown(with_text(kTexts[1]));
    const WordFlow& w = shown.word();
    const auto at = [&](const WordPart& part, double progress) { return shown.flowing.moving(shown.graph, part.stop, progress, {28, 152, 1384, 660}, 8); };
    const auto shares = [](const Scene& s) { return std::count_if(s.labels.begin(), s.labels.end(), [](const LabelSprite& l) { return l.type == Type::NumberStrong && l.hue == Hue::Score && l.alpha > 0; }); };
    const auto cells_of = [](const Scene& s, StepId step) { return std::count_if(s.cells.begin(), s.cells.end(), [&](const CellSprite& c) { return c.cell.step == step && c.alpha > 0; }); };
    const auto keys_lit = [](const Scene& s) { return std::count_if(s.labels.begin(), s.labels.end(), [](const LabelSprite& l) { return l.hue == Hue::Key && l.type == Type::BodyStrong && l.text == "boy"; }); };
    EXPECT_EQ(cells_of(at(w.queries, 0.5), w.scores.step), 0);
    EXPECT_EQ(keys_lit(at(w.queries, 0.5)), 0) << "who answers is not known yet";
    EXPECT_EQ(cells_of(at(w.scores, 0.5), w.scores.step), 1) << "one product slowly";
    EXPECT_EQ(cells_of(at(w.scores, 1), w.scores.step), 9);
    EXPECT_EQ(shares(at(w.scores, 1)), 0);
    EXPECT_GT(shares(at(w.weights, 1)), 0);
    const auto takes_home = [&](const Scene& s) { return std::any_of(s.matrices.begin(), s.matrices.end(), [&](const MatrixSprite& m) { return m.step == w.output.step; }); };
    EXPECT_FALSE(takes_home(at(w.weights, 1)));
    EXPECT_TRUE(takes_home(at(w.output, 1)));
}

/// A sentence says that a word has nearly become another only if this is measured: the other gets the largest weight, and the
/// word's row of the output is no further from that value than a quarter of the value's length.
TEST(WordFlow, ReportsAWordBecomingAnotherOnlyIfMeasured) {
    const Shown shown(opening_document(Language::English));
    const attn::Trace& trace = shown.flowing.trace();
    int said = 0, silent = 0;
    for (int query = 0; query < static_cast<int>(trace[shown.word().weights.step].value.rows()); ++query) {
        Eigen::Index key = 0;
        const float most = trace[shown.word().weights.step].value.one_row(query).maxCoeff(&key);
        const attn::RowVector value = trace[shown.word().values.step].value.one_row(static_cast<int>(key));
        const bool is = most >= 0.5f && static_cast<int>(key) != query && (trace[shown.word().output.step].value.one_row(query) - value).norm() <= 0.25f * value.norm();
        const Scene scene = shown.at(kAreas[0], query);
        const bool says = std::any_of(scene.labels.begin(), scene.labels.end(), [](const LabelSprite& l) { return l.text.find("has become nearly") != std::string::npos; });
        EXPECT_EQ(says, is) << query;
        ++(says ? said : silent);
    }
    EXPECT_GT(said, 0);
    EXPECT_GT(silent, 0);
}

TEST(WordFlow, OfALongTextTheStrongestAreShown) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += (i % 7 == 0 ? "bird " : "and ");
    const Shown shown(with_text(text.c_str()));
    const Scene scene = shown.at(kAreas[0], 250);
    EXPECT_LE(scene.matrices.size(), 120u);
    double sum = 0;
    const attn::RowVector row = shown.flowing.trace()[shown.word().weights.step].value.one_row(250);
    for (const FlowSlot& slot : strongest_slots({row.data(), static_cast<std::size_t>(row.size())}, 7, {250})) sum += slot.share;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_TRUE(std::any_of(scene.asks.begin(), scene.asks.end(), [](const AskSprite& a) { return a.query == 250; }));
}

/// A whole block, or a small model's last one.
Document block(std::string_view order, const char* text = "the boy saw the bird and he loved it") {
    Document d = with_text(text, "encoder");
    d.weights = "random";
    d.config.block = order;
    return d;
}

const LabelSprite* label_in(const Scene& scene, Rect rect, std::string_view text) {
    for (const LabelSprite& l : scene.labels)
        if (l.text == text && rect.contains(l.at)) return &l;
    return nullptr;
}

/// The whole block, one box per step in the order of the computation, at every size: the inputs of each are known.
TEST(WordStrip, NamesEveryStepAfterTheAttention) {
    using Names = std::vector<std::string>;
    const auto names = [](const Document& d) {
        const Shown shown(d);
        Names out;
        Scene scene;
        shown.flowing.with(shown.graph, {}, {28, 152, 1384, 660}, [&](const FlowInput& in) {
            stage::Builder b{in.stage, scene};
            for (const WordStep& box : shown.word().after) out.push_back(name_of_box(b, box));
        });
        return out;
    };
    EXPECT_EQ(names(block("pre_norm")), (Names{"attention", "x + attention", "LayerNorm", "FFN up", "ReLU", "FFN down", "+ FFN", "LayerNorm"}));
    EXPECT_EQ(names(block("post_norm")), (Names{"attention", "x + attention", "LayerNorm", "FFN up", "ReLU", "FFN down", "+ FFN", "LayerNorm"}));
    const Shown shown(block("pre_norm"));
    const attn::Trace& trace = shown.flowing.trace();
    const auto& after = shown.word().after;
    const auto reads = [&](std::size_t i) {
        std::vector<Role> out;
        for (const StepId id : after[i].reads) out.push_back(trace[id].tag.role);
        return out;
    };
    EXPECT_EQ(reads(0), std::vector{Role::HeadOutput});
    EXPECT_EQ(reads(1), (std::vector{Role::Embeddings, Role::Attended})) << "the stream, not its norm";
    EXPECT_EQ(reads(3), std::vector{Role::Normed}) << "the product before the bias is no box";
    EXPECT_EQ(reads(6), (std::vector{Role::Residual, Role::Down}));
}

TEST(WordStrip, FitsAtEverySizeWithoutOverlap) {
    for (const char* order : {"pre_norm", "post_norm", "parallel", "both_norms"})
        for (const Size size : {Size{1384, 660}, Size{1224, 560}, Size{968, 528}, Size{968, 430}}) {
            const Shown shown(block(order));
            const Scene scene = shown.at(size);
            ASSERT_EQ(scene.opens.size(), shown.word().after.size()) << order << " " << size.w;
            EXPECT_FALSE(scene.asks.empty()) << "the row that asks stands as well";
            for (std::size_t i = 0; i < scene.opens.size(); ++i) {
                const Rect box = scene.opens[i].rect;
                EXPECT_TRUE(box.x >= 28 && box.right() <= 28 + size.w + 0.5f && box.bottom() <= 152 + size.h + 0.5f) << order << " " << i;
                for (std::size_t k = i + 1; k < scene.opens.size(); ++k) EXPECT_FALSE(box.overlaps(scene.opens[k].rect));
                for (const MatrixSprite& m : scene.matrices)
                    if (m.pickable && !m.unseen) {
                        EXPECT_FALSE(m.grid.area().overlaps(box)) << order << " " << size.w << " " << i;
                    }
            }
        }
}

/// Where not all boxes can be equally wide, those with long names are wider: no name is cut.
TEST(WordStrip, NamesAreWholeWhereTheBoxesHaveRoomForAll) {
    int uneven = 0;
    for (const float wide : {968.0f, 700.0f, 640.0f, 600.0f}) {
        const Shown shown(block("pre_norm"));
        const Scene scene = shown.at({wide, 700});
        ASSERT_FALSE(scene.opens.empty()) << wide;
        float narrowest = 1e9f, widest = 0;
        for (const OpenSprite& box : scene.opens) {
            narrowest = std::min(narrowest, box.rect.w);
            widest = std::max(widest, box.rect.w);
            for (const LabelSprite& l : scene.labels)
                if (l.type == Type::SmallStrong && box.rect.contains(l.at)) {
                    EXPECT_LE(width_of(l.text, l.type), l.fit) << wide << " " << l.text;
                }
        }
        uneven += widest > narrowest + 1;
    }
    EXPECT_GT(uneven, 0);
}

/// Where not all names have room, the feed-forward network is one box, and no name is cut.
TEST(WordStrip, FoldsTheFeedForwardNetworkInANarrowPicture) {
    Document d = block("pre_norm");
    d.config.activation = "swiglu";
    d.config.heads = 2;
    const Shown shown(d);
    const Scene scene = shown.at({520, 700});
    ASSERT_FALSE(scene.opens.empty());
    EXPECT_EQ(scene.opens.size(), shown.word().after.size() - 4) << "without FFN up, its activation, the side branch and their product";
    EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [](const LabelSprite& l) { return l.text == "FFN"; }));
    for (const OpenSprite& box : scene.opens)
        for (const LabelSprite& l : scene.labels)
            if (l.type == Type::SmallStrong && box.rect.contains(l.at)) {
                EXPECT_LE(width_of(l.text, l.type), l.fit) << l.text;
            }
}

/// The number of a box is computed from the same numbers as the row.
TEST(WordStrip, NumbersAreThoseOfTheRow) {
    const Shown shown(block("pre_norm"));
    const attn::Trace& trace = shown.flowing.trace();
    const auto& after = shown.word().after;
    for (const int query : {0, 4, 8}) {
        const Scene scene = shown.at(kAreas[0], query);
        const auto row = [&](StepId id) { return trace[id].value.one_row(query); };
        const auto expect = [&](std::size_t i, const std::string& text) {
            EXPECT_TRUE(label_in(scene, scene.opens[i].rect, text)) << query << ": " << text;
        };
        expect(0, "length " + number_text(row(after[0].step).norm()));
        const attn::RowVector x = row(after[1].reads[0]);
        expect(1, "changed by " + number_text(100 * (row(after[1].step) - x).norm() / x.norm(), 0) + "%");
        const attn::RowVector active = row(after[4].step);
        expect(4, std::to_string((active.array() != 0).count()) + " of " + std::to_string(active.size()) + " not 0");
    }
}

/// Narrow boxes show only the number, which is never cut.
TEST(WordStrip, NumbersAreNotCut) {
    for (const float wide : {1384.0f, 1100.0f, 968.0f, 860.0f}) {
        const Shown shown(block("pre_norm"));
        const Scene scene = shown.at({wide, 660});
        ASSERT_FALSE(scene.opens.empty());
        for (const OpenSprite& box : scene.opens)
            for (const LabelSprite& l : scene.labels)
                if (box.rect.contains(l.at) && l.type == Type::Small) {
                    EXPECT_LE(width_of(l.text, l.type), l.fit) << wide << ": " << l.text;
                }
    }
}

/// A box unfolds into its inputs and its result, with every number written out; only the smallest stay folded.
TEST(WordStrip, UnfoldsIntoItsNumbers) {
    for (const Size size : {Size{1384, 660}, Size{1224, 560}, Size{968, 528}, Size{968, 430}})
        for (const std::size_t open : {1u, 2u, 3u, 4u, 6u}) {
            const Shown shown(block("pre_norm"));
            const attn::Trace& trace = shown.flowing.trace();
            const WordStep& box = shown.word().after[open];
            const int query = 4;
            Scene scene;
            shown.flowing.with(shown.graph, {}, {28, 152, size.w, size.h}, [&](FlowInput in) {
                in.query = query;
                in.unfolded = trace[box.step].tag;
                in.unfolded->layer = attn::kNoLayer;  // of whatever block
                lay_out_flow(in, scene);
            });
            std::vector<StepId> rows = box.reads;
            rows.push_back(box.step);
            float below = 0;
            for (const StepId id : rows) {
                const auto line = std::find_if(scene.matrices.begin(), scene.matrices.end(), [&](const MatrixSprite& m) {
                    return m.step == id && m.first_row == query && m.numbers && !m.unseen && m.grid.origin.y > scene.opens[0].rect.bottom() && m.lit_row == 0;
                });
                ASSERT_NE(line, scene.matrices.end()) << size.w << " box " << open << " step " << id;
                EXPECT_GT(line->grid.origin.y, below);
                below = line->grid.origin.y;
                EXPECT_GE(line->grid.pitch_x(), width_of("-0.00", Type::Number)) << size.w;
                EXPECT_LE(line->grid.area().right(), 28 + size.w) << size.w;
                EXPECT_LE(line->grid.area().bottom(), 152 + size.h + 0.5f) << size.w << " " << open;
                const Fold& fold = line->grid.col_fold;
                if (!fold.on() || id != box.step) continue;
                const attn::RowVector row = trace[id].value.one_row(query);
                float least = 1e9f, hidden = 0;
                for (int c = 0; c < static_cast<int>(row.size()); ++c)
                    (fold.shows(c) ? least = std::min(least, std::abs(row[c])) : hidden = std::max(hidden, std::abs(row[c])));
                EXPECT_LE(hidden, least);
            }
        }
}

/// The sentence about the operation contains its numbers.
TEST(WordStrip, ANormShowsItsMeanAndStandardDeviation) {
    const Shown shown(block("pre_norm"));
    const attn::Trace& trace = shown.flowing.trace();
    const WordStep& norm = shown.word().after[2];
    Scene scene;
    shown.flowing.with(shown.graph, {}, {28, 152, 1384, 660}, [&](FlowInput in) {
        in.query = 4;
        in.unfolded = trace[norm.step].tag;
        lay_out_flow(in, scene);
    });
    const attn::RowVector x = trace[norm.reads[0]].value.one_row(4);
    const float mean = x.mean(), spread = std::sqrt((x.array() - mean).square().mean());
    const std::string said = "(x " + minus_text(mean) + ") / " + number_text(spread) + " · γ + β = ";
    EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) { return l.text.starts_with(said); })) << said;
}

TEST(WordStrip, ShowsNothingBeyondThePlayhead) {
    const Shown shown(block("pre_norm"));
    const auto& after = shown.word().after;
    const Scene scene = shown.flowing.moving(shown.graph, after[2].stop, 1, {28, 152, 1384, 660}, 4);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const bool bar = std::any_of(scene.matrices.begin(), scene.matrices.end(), [&](const MatrixSprite& m) { return m.step == after[i].step && scene.opens[i].rect.contains(m.grid.area().center()); });
        EXPECT_EQ(bar, i <= 2) << i;
    }
}

/// A gated unit is one box; it opens into the state before, its gates, its candidate and the new state.
TEST(WordStrip, AGatedUnitIsOneBox) {
    Document d = with_text("le chat noir", "bahdanau");
    d.source = "the black cat";
    d.weights = "random";
    d.config.unit = "gru";
    const Flowing flowing(d);
    const attn::Trace& trace = flowing.trace();
    int times = 0;
    for (const FlowPlace& place : flowing.places()) {
        const FlowGraph graph = flowing.word(place);
        ASSERT_TRUE(graph.word);
        const WordStep& unit = graph.word->after.front();
        EXPECT_EQ(trace[unit.step].tag.role, Role::State);
        std::vector<Role> roles;
        for (const StepId id : unit.inside) roles.push_back(trace[id].tag.role);
        EXPECT_EQ(roles, (std::vector{Role::Update, Role::Reset, Role::Candidate}));
        ASSERT_EQ(unit.reads.size(), 1u) << "the state before";
        for (const WordStep& box : graph.word->after) EXPECT_NE(trace[box.step].tag.role, Role::Update);
        Scene scene;
        flowing.with(graph, {}, {28, 152, 1384, 660}, [&](FlowInput in) {
            in.unfolded = trace[unit.step].tag;
            lay_out_flow(in, scene);
        });
        // s + z (n − s), of the rows that are shown there.
        const auto row = [&](StepId id) { return trace[id].value.one_row(0); };
        const attn::RowVector s = row(unit.reads[0]), z = row(unit.inside[0]), n = row(unit.inside[2]);
        EXPECT_LE((s + z.cwiseProduct(n - s) - row(unit.step)).norm(), 1e-5f);
        for (const StepId id : unit.inside)
            EXPECT_TRUE(std::any_of(scene.matrices.begin(), scene.matrices.end(), [&](const MatrixSprite& m) { return m.step == id && m.numbers && m.lit_row == 0; })) << times;
        ++times;
    }
    EXPECT_EQ(times, 3);
}

}  // namespace
