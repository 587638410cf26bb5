// Pictures: PNG files (JPEG: jpeg_test.cpp) read and resized, cut into patches for a ViT, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/analysis/prediction.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/document/take.h"
#include "core/model/checkpoint/source.h"
#include "core/model/given_picture.h"
#include "core/model/model.h"
#include "core/model/picture/picture.h"
#include "core/ops/explain.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

const std::filesystem::path kVit = ATTN_SOURCE_DIR "/tests/data/checkpoints/vit";

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string png_of(int width, int height, png_uint_32 format, const std::vector<std::uint8_t>& pixels) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = format;
    png_alloc_size_t size = 1 << 20;
    std::string out(size, '\0');
    EXPECT_TRUE(png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0, nullptr)) << image.message;
    out.resize(size);
    return out;
}

std::string refused(std::string_view bytes) {
    const auto picture = decode_picture(bytes);
    return picture ? "it was read" : picture.error().message;
}

TEST(Picture, ReadsEveryKindOfPngAsRedGreenAndBlue) {
    const auto grey = decode_picture(png_of(2, 1, PNG_FORMAT_GRAY, {0, 200}));
    ASSERT_TRUE(grey);
    EXPECT_EQ(*grey, (Picture{2, 1, {0, 0, 0, 200, 200, 200}}));
    const auto color = decode_picture(png_of(1, 2, PNG_FORMAT_RGB, {1, 2, 3, 250, 251, 252}));
    ASSERT_TRUE(color);
    EXPECT_EQ(*color, (Picture{1, 2, {1, 2, 3, 250, 251, 252}}));
    // Transparent pixels are blended with white.
    const auto clear = decode_picture(png_of(2, 1, PNG_FORMAT_RGBA, {9, 9, 9, 0, 10, 20, 30, 255}));
    ASSERT_TRUE(clear);
    EXPECT_EQ(*clear, (Picture{2, 1, {255, 255, 255, 10, 20, 30}}));
}

TEST(Picture, RefusesDamagedPng) {
    const std::string whole = bytes_of(kVit / "picture.png");
    EXPECT_EQ(refused(whole), "it was read");
    EXPECT_EQ(refused(""), "the file is empty; a picture is a PNG or a JPEG");
    EXPECT_EQ(refused("GIF89a"), "this is a GIF; pictures are read as PNG or JPEG: save it as one of them");
    EXPECT_THAT(refused("version https://git-lfs.github.com/spec/v1"), HasSubstr("run \"git lfs pull\""));
    EXPECT_EQ(refused("hello"), "this is no picture that is read here; PNG and JPEG are: save it as one of them");
    for (const std::size_t length : {std::size_t{8}, std::size_t{20}, std::size_t{33}, std::size_t{60}, whole.size() / 2})
        EXPECT_THAT(refused(std::string_view(whole).substr(0, length)), HasSubstr("the PNG is damaged or was cut short (")) << length;
    // Each byte changed in turn: none may do harm, and a picture that is read has as many pixels as its size says.
    for (std::size_t at = 8; at < whole.size(); ++at) {
        std::string other = whole;
        other[at] = static_cast<char>(other[at] ^ 0x55);
        const auto picture = decode_picture(other);
        if (!picture) continue;
        EXPECT_EQ(picture->rgb.size(), static_cast<std::size_t>(picture->width) * static_cast<std::size_t>(picture->height) * 3);
    }
}

/// A header alone, with its checksum, and the given sizes.
std::string header_of(png_uint_32 width, png_uint_32 height) {
    std::string header = "IHDR";
    for (const png_uint_32 side : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(side >> shift & 0xFF);
    header += std::string("\x08\x02\0\0\0", 5);
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : header) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    crc = ~crc;
    std::string out("\x89PNG\r\n\x1A\n\0\0\0\x0D", 12);
    out += header;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(crc >> shift & 0xFF);
    return out + std::string("\0\0\0\x04IDAT", 8) + "abcd";
}

TEST(Picture, RefusesSizesBeforeAnyMemoryIsTaken) {
    EXPECT_THAT(refused(header_of(40000, 40000)), HasSubstr("the picture has 40000 × 40000 pixels; up to 40 million are read"));
    EXPECT_THAT(refused(header_of(0, 5)), HasSubstr("the PNG is damaged"));
    EXPECT_THAT(refused(header_of(0x7FFFFFFF, 0x7FFFFFFF)), HasSubstr("the PNG is damaged"));
}

TEST(Picture, IsResizedAsBilinearFiltersDo) {
    const Picture one{2, 2, {0, 0, 0, 100, 100, 100, 200, 200, 200, 40, 40, 40}};
    EXPECT_EQ(resized(one, 2, 2), one);
    // Shrinking averages with triangular weights, half for each of 2 pixels: (0 + 100) / 2, (200 + 40) / 2, then both.
    EXPECT_EQ(resized(one, 1, 2).rgb, (std::vector<std::uint8_t>{50, 50, 50, 120, 120, 120}));
    EXPECT_EQ(resized(one, 1, 1).rgb, (std::vector<std::uint8_t>{85, 85, 85}));
    // Enlarging interpolates between pixel centres: 3/4 and 1/4 in the middle, the edges unchanged.
    const Picture row{2, 1, {0, 0, 0, 100, 100, 100}};
    EXPECT_EQ(resized(row, 4, 1).rgb, (std::vector<std::uint8_t>{0, 0, 0, 25, 25, 25, 75, 75, 75, 100, 100, 100}));
}

/// Keys' kernel with a = -1/2: at 1/4, 3/4, 5/4 and 7/4 of a pixel it is 111/128, 29/128, -9/128 and -3/128.
TEST(Picture, IsResizedAsBicubicFiltersDo) {
    const Picture row{2, 1, {0, 0, 0, 128, 128, 128}};
    // Only existing pixels count: weights -9 of 111 - 9, 29 of 111 + 29, and the same mirrored.
    EXPECT_EQ(resized(row, 4, 1, Resize::Bicubic).rgb, (std::vector<std::uint8_t>{0, 0, 0, 27, 27, 27, 101, 101, 101, 139, 139, 139}));
    EXPECT_EQ(resized(row, 2, 1, Resize::Bicubic), row);
    const Picture grey{5, 4, std::vector<std::uint8_t>(60, 77)};
    EXPECT_EQ(resized(grey, 3, 9, Resize::Bicubic).rgb, std::vector<std::uint8_t>(81, 77));
}

TEST(Picture, CropsItsCentre) {
    Picture picture{4, 3, {}};
    for (int i = 0; i < 12; ++i) picture.rgb.insert(picture.rgb.end(), 3, static_cast<std::uint8_t>(i));
    EXPECT_EQ(middle_of(picture, 2, 1), (Picture{2, 1, {5, 5, 5, 6, 6, 6}}));
    EXPECT_EQ(middle_of(picture, 3, 2), (Picture{3, 2, {0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4, 5, 5, 5, 6, 6, 6}}));
    EXPECT_EQ(middle_of(picture, 4, 3), picture);
}

/// All of red row by row, then green, then blue, as Conv2d reads them.
TEST(Picture, IsCutIntoPatchesChannelByChannel) {
    Picture picture{4, 2, {}};
    for (int i = 0; i < 4 * 2 * 3; ++i) picture.rgb.push_back(static_cast<std::uint8_t>(i));
    PictureInput how;
    how.width = 4;
    how.height = 2;
    how.patch = 2;
    how.factor = 1;
    how.mean = {0, 0, 0};
    how.spread = {1, 1, 2};
    const Matrix cut = patch_numbers(picture, how);
    Matrix expected(2, 12);
    expected << 0, 3, 12, 15, 1, 4, 13, 16, 1, 2.5f, 7, 8.5f,  //
        6, 9, 18, 21, 7, 10, 19, 22, 4, 5.5f, 10, 11.5f;
    EXPECT_EQ(cut, expected);
    EXPECT_EQ(picture_tokens(how), (std::vector<std::string>{"[CLS]", "1,1", "1,2"}));
}

std::string document_of(const std::string& more = "") {
    return R"({"model": ")" + kVit.string() + R"(", "picture": "picture.png")" + more + "}";
}
const ModelPlaces kBeside{.folders = true, .base = kVit};

TEST(PictureDocument, RoundTripsThroughJson) {
    const auto doc = document_from_json(document_of(), "", kBeside);
    ASSERT_TRUE(doc) << doc.error().text();
    EXPECT_EQ(doc->picture->name, (kVit / "picture.png").string());
    const auto again = document_from_json(document_to_json(*doc), "", {.folders = true});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *doc);
    Document other = *doc;
    other.picture.reset();
    EXPECT_NE(other, *doc);
    EXPECT_TRUE(problems(other).empty());
    EXPECT_TRUE(wants_picture(other));
    EXPECT_TRUE(run_valid(other).trace.steps.empty());
}

std::string document_refused(const std::string& json) {
    const auto doc = document_from_json(json, "", kBeside);
    return doc ? "it was opened" : doc.error().text();
}

TEST(PictureDocument, ReportsItsErrors) {
    EXPECT_THAT(document_refused(R"({"picture": "picture.png"})"), HasSubstr("picture: it is read only by models of pictures"));
    const std::string model = R"({"model": ")" + kVit.string() + "\", ";
    EXPECT_THAT(document_refused(model + R"("picture": "none.png"})"), HasSubstr((kVit / "none.png").string()));
    EXPECT_THAT(document_refused(model + R"("picture": "config.json"})"), HasSubstr((kVit / "config.json").string() + ": this is no picture that is read here"));
    EXPECT_THAT(document_refused(model + R"("picture": 3})"), HasSubstr("picture: a text is expected, not a number"));
    EXPECT_THAT(document_refused(document_of(R"(, "tokens": ["a"])")), HasSubstr("the model cuts its picture into patches"));
    EXPECT_THAT(document_refused(document_of(R"(, "padding": 1)")), HasSubstr("padding"));
    EXPECT_THAT(document_refused(document_of(R"(, "variant": "generate")")), HasSubstr("the nearest that does is \"encoder\""));
    EXPECT_THAT(document_refused(document_of(R"(, "unembedding": "tied")")), HasSubstr("unembedding: labels of a picture have no vectors"));
    EXPECT_THAT(document_refused(document_of(R"(, "gradient": "loss")")), HasSubstr("gradient: it is read only by forms that predict words"));
    const auto linked = document_from_json(document_of(), "", {});
    EXPECT_FALSE(linked);
}

/// Each number of a patch's vector is its pixels times a column of the projection, plus a bias; positions are added.
TEST(PictureDocument, ExplainsAPatchFromItsPixels) {
    const auto doc = document_from_json(document_of(), "", kBeside);
    ASSERT_TRUE(doc);
    const attn::Run run = run_valid(*doc);
    const StepId products = find_step(run.trace, "patch_products");
    const Explanation product = explain(run.trace, {products, 4, 3});
    ASSERT_EQ(product.terms.size(), 48u);
    EXPECT_EQ(run.trace[product.terms[0].left.step].tag.role, Role::Pixels);
    EXPECT_EQ(run.trace[product.terms[0].right->step].tag.role, Role::PatchWeight);
    EXPECT_EQ(axis_label(run.trace, run.trace[products].rows, 4), "2,2");
    const StepId vectors = find_step(run.trace, "embeddings");
    EXPECT_EQ(axis_label(run.trace, run.trace[vectors].rows, 0), "[CLS]");
    EXPECT_EQ(axis_label(run.trace, run.trace[vectors].rows, 5), "2,2");
    // The patch is computed from a typed-over pixel.
    Document edited = *doc;
    edited.edits.push_back({{Role::Pixels}, 4, 0, 9});
    const attn::Run other = run_valid(edited);
    EXPECT_NE(other.trace[vectors].value.row(5), run.trace[vectors].value.row(5));
    EXPECT_EQ(other.trace[vectors].value.row(4), run.trace[vectors].value.row(4));
}

TEST(PictureDocument, PredictsLabelsFromTheClassToken) {
    const auto doc = document_from_json(document_of(), "", kBeside);
    ASSERT_TRUE(doc);
    attn::Run run = run_valid(*doc);
    const auto places = expected_places(*doc, run);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].row, 0);
    const StepId shares = find_step(run.trace, "probabilities");
    const auto words = likeliest(run.trace, shares, 0, 3);
    ASSERT_EQ(words.size(), 3u);
    std::vector<std::string> names;
    for (const LikelyWord& word : words) names.push_back(word.text);
    EXPECT_THAT(names, testing::UnorderedElementsAre("tabby cat", "猫头鹰", "bus"));
    // The last layer of the logit lens is the model's output.
    const auto lens = read_lens(run, 0);
    ASSERT_EQ(lens.size(), 3u);
    EXPECT_LE((run.trace[lens.back().shares].value.matrix() - run.trace[shares].value.matrix()).cwiseAbs().maxCoeff(), 1e-6f);
    const auto onwards = going_on(*doc, {});
    ASSERT_FALSE(onwards);
    EXPECT_THAT(onwards.error().message, HasSubstr("label"));
}

/// A DeiT has two tokens before its patches, and its output is the mean of both tokens' logits; so is the lens's.
TEST(PictureDocument, IsReadByADistilledModel) {
    const std::filesystem::path folder = ATTN_SOURCE_DIR "/tests/data/checkpoints/deit";
    const auto doc = document_from_json(R"({"model": ")" + folder.string() + R"(", "picture": "picture.png"})", "", {.folders = true, .base = folder});
    ASSERT_TRUE(doc) << doc.error().text();
    attn::Run run = run_valid(*doc);
    ASSERT_EQ(run.trace.tokens.size(), 11u);
    EXPECT_EQ(run.trace.tokens[1], "[DIST]");
    EXPECT_EQ(run.trace.tokens[2], "1,1");
    const Step& products = run.trace[find_step(run.trace, "patch_products")];
    EXPECT_EQ(axis_label(run.trace, products.rows, 4), "2,2");
    const StepId logits = find_step(run.trace, "logits");
    const Explanation mean = explain(run.trace, {logits, 0, 1});
    EXPECT_NEAR(recompute(run.trace, mean), static_cast<double>(mean.computed), 1e-6);
    const auto lens = read_lens(run, 0);
    ASSERT_EQ(lens.size(), 3u);
    EXPECT_LE((run.trace[lens.back().logits].value.matrix() - run.trace[logits].value.matrix()).cwiseAbs().maxCoeff(), 1e-5f);
    EXPECT_EQ(expected_places(*doc, run).size(), 1u);
}

TEST(PictureDocument, IsReadByFormsWithOneSequence) {
    const auto doc = document_from_json(document_of(R"(, "weights": "random", "variant": "multi_head", "heads": 2, "unembedding": "by_form")"), "", kBeside);
    ASSERT_TRUE(doc) << doc.error().text();
    const attn::Run run = run_valid(*doc);
    EXPECT_EQ(run.trace.tokens.size(), 10u);
    EXPECT_NE(find_step(run.trace, "weights.h2"), kNoStep);
}

/// The error message for a copy of the folder with one file changed.
std::string folder_refused(const std::string& file, const std::string& old, const std::string& other) {
    std::string name = (std::filesystem::temp_directory_path() / "attn_picture_XXXXXX").string();
    const std::filesystem::path path = ::mkdtemp(name.data());
    for (const auto& entry : std::filesystem::directory_iterator(kVit)) std::filesystem::copy(entry.path(), path);
    std::string text = bytes_of(path / file);
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    if (at != std::string::npos) text.replace(at, old.size(), other);
    std::ofstream(path / file, std::ios::binary) << text;
    const auto model = read_checkpoint(path, "vit");
    std::filesystem::remove_all(path);
    return model ? "it was opened" : model.error().text();
}

TEST(PictureModel, NamesWhatIsNotComputed) {
    const std::string config = "config.json", pre = "preprocessor_config.json";
    EXPECT_THAT(folder_refused(config, "\"image_size\": 12", "\"image_size\": 16"), HasSubstr("embeddings.position_embeddings: it is 1 × 10 × 8, but with config.json it must be 17 × 8"));
    EXPECT_THAT(folder_refused(config, "\"patch_size\": 4", "\"patch_size\": 5"), HasSubstr("patch_size: patches of 5 × 5 do not cut 12 × 12"));
    EXPECT_THAT(folder_refused(config, "\"patch_size\": 4", "\"patch_size\": [4, 3]"), HasSubstr("patches have equal sides"));
    EXPECT_THAT(folder_refused(config, "\"num_channels\": 3", "\"num_channels\": 1"), HasSubstr("num_channels: pictures have three channels here"));
    EXPECT_THAT(folder_refused(config, "\"1\": ", "\"7\": "), HasSubstr("id2label: \"7\" is no number of a label; they go from 0 to 2"));
    EXPECT_THAT(folder_refused(config, "\"image_size\": 12", "\"image_size\": 0"), HasSubstr("image_size: a whole number from 1 to 2048"));
    EXPECT_THAT(folder_refused(pre, "\"height\": 12", "\"height\": 24"), HasSubstr("size: 24 × 12 pixels would need positions interpolated between those of 12 × 12"));
    EXPECT_THAT(folder_refused(pre, "\"resample\": 2", "\"resample\": 1"), HasSubstr("resample: this way to resize is not computed here; 2 (bilinear) and 3 (bicubic) are"));
    const std::string resize = "\"do_resize\": true", middle = "\"do_center_crop\": true, \"crop_size\": ";
    EXPECT_EQ(folder_refused(pre, resize, middle + "12"), "it was opened");
    EXPECT_THAT(folder_refused(pre, resize, middle + "14"), HasSubstr("crop_size: 14 × 14 pixels would need positions interpolated between those of 12 × 12"));
    EXPECT_THAT(folder_refused(pre, resize, middle + "true"), HasSubstr("crop_size: a height and a width are expected"));
    EXPECT_THAT(folder_refused(pre, "\"height\": 12", "\"height\": 10},\n \"do_center_crop\": true, \"other\": {\"height\": 1"), HasSubstr("size: a height and a width, or a shortest edge, are expected"));
    EXPECT_THAT(folder_refused(pre, "\"size\": {", "\"do_center_crop\": true, \"size\": 10, \"other\": {"), HasSubstr("size: 10 × 10 pixels are fewer than the 12 × 12 that are cut out of them"));
    EXPECT_THAT(folder_refused(pre, "  0.25,", "  0.0,"), HasSubstr("image_std: three numbers above 0"));
    EXPECT_THAT(folder_refused(pre, "{", "{{"), HasSubstr("preprocessor_config.json"));
}

}  // namespace
}  // namespace attn::test
