// The heads of a large file of attention: maps are read when they are looked at, one after the other, and not held.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/screens/heads/heads.h"
#include "app/shell/open_files.h"
#include "core/model/attention_file/given_attention.h"
#include "core/remake/remake.h"
#include "tests/app/cli_fixture.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

/// Two layers of three heads in F16, over a text so long that a single map is large.
class HeadsOnDisk : public testing::Test {
protected:
    static constexpr int kTokens = 640, kHeads = 3, kLayers = 2;
    static constexpr std::size_t kMap = std::size_t{kTokens} * kTokens;

    HeadsOnDisk() {
        std::string header = R"({"attention": {"dtype": "F16", "shape": [2, 3, 640, 640], "data_offsets": [0, )" + std::to_string(kHeads * kLayers * kMap * 2) + "]}}";
        header.resize((header.size() + 7) / 8 * 8, ' ');
        std::string bytes(8, '\0');
        for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 255);
        bytes += header;
        for (int map = 0; map < kLayers * kHeads; ++map) {
            maps_.push_back(weights(map));
            const Eigen::Matrix<Eigen::half, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> halves = maps_.back().cast<Eigen::half>();
            maps_.back() = halves.cast<float>();
            bytes.append(reinterpret_cast<const char*>(halves.data()), kMap * sizeof(Eigen::half));
        }
        cli_test::write_file(folder_ / "large.safetensors", bytes);
        const double held = attn::held_attention();
        attn::set_held_attention(0);
        document_ = *open_document(folder_ / "large.safetensors");
        attn::set_held_attention(held);
        before_ = attn::recomputed_bytes();
        b_.edit(document_);
        b_.deriver.finish(b_.state, b_.derived);
    }
    /// A few keys have nearly all the weight of a row.
    static attn::Matrix weights(int map) {
        attn::Matrix out = attn::Matrix::Zero(kTokens, kTokens);
        for (int q = 0; q < kTokens; ++q) {
            for (int k = 0; k <= q; ++k) out(q, k) = static_cast<float>(1 + (q * 31 + k * (17 + map)) % 97 * (k % 5 == map % 5 ? 9 : 1));
            out.row(q) /= out.row(q).sum();
        }
        return out;
    }
    template <class Change>
    void choose(Change change) {
        ViewState view = b_.view();
        view.screen = Screen::Heads;
        change(view);
        b_.act(becomes(view));
        b_.deriver.finish(b_.state, b_.derived);
    }
    void show(std::string_view page) {
        choose([&](ViewState& v) { v.part<HeadsChoice>().page = page; });
        ASSERT_TRUE(data().here() && data().here()->is_large());
    }
    const HeadsData& data() { return b_.derived.part<HeadsData>(); }
    std::size_t cached() { return (attn::recomputed_bytes() - before_) / sizeof(float); }

    const cli_test::Folder folder_;
    std::vector<attn::Matrix> maps_;
    attn::Document document_;
    std::size_t before_ = 0;
    app_test::Bench b_;
};

/// Lines of all heads of a layer are those of all the maps, of which only the shown head's is held.
TEST_F(HeadsOnDisk, LinesAreHeldAndNotTheMaps) {
    show("lines");
    ASSERT_EQ(data().drawn.size(), 3u);
    EXPECT_EQ(data().left_out, 0);
    EXPECT_EQ(data().numbers_held(), kMap) << "that of the shown head";
    EXPECT_LE(cached(), kMap);
    EXPECT_EQ(document_.attention->checked().maps, kHeads) << "those of the other layer are not read";
    const attn::Matrix* const all[] = {&maps_[0], &maps_[1], &maps_[2]};
    EXPECT_EQ(data().lines.lines, attn::strongest_lines(all, {.keep = 1, .queries = {}, .keys = {}, .most = 1200}).lines);
    EXPECT_EQ(data().drawn[2].received, attn::sum_of_rows(maps_[2], {}));
    EXPECT_EQ(data().drawn[2].most, maps_[2].maxCoeff());
    EXPECT_FALSE(data().drawn[2].weights);
    const auto row = row_on_disk(b_.derived.run->trace, data(), *data().here(), 2, 400);
    ASSERT_TRUE(row);
    EXPECT_EQ(*row, maps_[2].row(400));
    // A pair in the picture belongs to the head that is strongest there, held or not.
    const auto cell = weight_at(b_.derived.run->trace, data(), -1, {400, 12});
    ASSERT_TRUE(cell);
    int strongest = 0;
    for (int head = 1; head < kHeads; ++head)
        if (maps_[static_cast<std::size_t>(head)](400, 12) > maps_[static_cast<std::size_t>(strongest)](400, 12)) strongest = head;
    EXPECT_EQ(cell->tag.head, strongest);
}

TEST_F(HeadsOnDisk, LinesFollowTheirChoices) {
    choose([](ViewState& v) {
        v.part<HeadsChoice>().page = "lines";
        v.part<HeadsChoice>().hide_first = true;
        v.part<HeadsChoice>().only = {1, 2};
        v.part<HeadsChoice>().keep = 0.5f;
    });
    ASSERT_EQ(data().drawn.size(), 2u);
    EXPECT_EQ(data().drawn[0].head, 1);
    EXPECT_TRUE(std::ranges::none_of(data().lines.lines, [](const attn::AttentionLine& one) { return one.key == 0; }));
    EXPECT_LT(data().lines.remaining, data().lines.all);
    EXPECT_TRUE(std::isnan((*row_on_disk(b_.derived.run->trace, data(), *data().here(), 1, 9))(0)));
    // As heatmaps all of them are needed as a whole.
    choose([](ViewState& v) { v.part<HeadsChoice>().matrix = true; });
    ASSERT_EQ(data().drawn.size(), 2u);
    EXPECT_TRUE(data().drawn[0].weights && data().drawn[1].weights);
}

/// The grid reads every map once, and holds that of the shown head and what is reduced of the others.
TEST_F(HeadsOnDisk, TheGridHoldsWhatIsReduced) {
    show("grid");
    EXPECT_EQ(document_.attention->checked().maps, kLayers * kHeads);
    EXPECT_LE(cached(), kMap);
    const auto whole = std::ranges::count_if(data().weights, [](const SharedMatrix& one) { return one != nullptr; });
    EXPECT_EQ(whole, 1);
    for (std::size_t map = 0; map < maps_.size(); ++map) {
        const SharedFar& far = data().far[map];
        ASSERT_TRUE(far);
        const attn::Matrix block = maps_[map].block(40 * far->block, 20 * far->block, far->block, far->block);
        EXPECT_NEAR(far->cells.mean(40, 20), block.mean(), 1e-7);
        EXPECT_EQ(far->cells.largest(40, 20), block.maxCoeff());
    }
}

/// What is published for each head shares what does not change: a file may have a thousand heads of thousands of tokens.
TEST_F(HeadsOnDisk, APartialResultCopiesNoNames) {
    show("grid");
    const HeadsData copy = data();
    EXPECT_EQ(copy.maps.begin(), data().maps.begin());
    EXPECT_EQ(copy.places[0].key_names.begin(), data().places[0].key_names.begin());
}

}  // namespace
}  // namespace app
