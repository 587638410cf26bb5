// `attenscope tokens`: a checkpoint's tokenizer from its folder.

#include <gmock/gmock.h>

#include "core/io/json.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::Folder;
using cli_test::run;
using cli_test::write_file;
using testing::HasSubstr;

const char* const kBytes =
    R"({"model": {"type": "BPE", "vocab": {"a": 0, "æ": 1, "Ĺ": 2, "©": 3, "Ġ": 4, "Ġa": 5, "ě": 6}, "merges": ["Ġ a"]},
        "added_tokens": [{"id": 7, "content": "<s>", "special": true}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "decoder": {"type": "ByteLevel"},
        "post_processor": {"type": "TemplateProcessing", "special_tokens": {"<s>": {"ids": [7]}},
                           "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]}})";

TEST(CliTokens, PrintsPiecesIdsAndBytes) {
    const Folder folder;
    write_file(folder / "tokenizer.json", kBytes);
    const auto table = run({"tokens", "--model", folder.path().string(), "--text", "a a早\x1b"});
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr("special"));
    EXPECT_THAT(table.out, HasSubstr("3   5  \" a\"      Ġa       1-3"));
    EXPECT_THAT(table.out, HasSubstr("\"早 2/3\"  Ĺ        3-6"));
    EXPECT_EQ(table.out.find('\x1b'), std::string::npos);
    const auto json = run({"tokens", "--model", folder.path().string(), "--text", "早", "--plain", "--json"});
    EXPECT_EQ(json.status, 0) << json.err;
    const auto parsed = attn::parse_json(json.out);
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->items.size(), 3U);
    EXPECT_EQ(parsed->items[2].find("text")->string, "早 3/3");
    EXPECT_EQ(parsed->items[2].find("id")->integer, 3);
    EXPECT_EQ(parsed->items[2].find("end")->integer, 3);
    EXPECT_EQ(parsed->items[2].find("part")->integer, 3);
    EXPECT_EQ(run({"tokens", "--model", folder.path().string(), "--text", ""}).status, 0);
}

/// A vision model has no text to tokenize: the command lists its positions, each patch with its place in the picture.
TEST(CliTokens, PrintsThePositionsOfPictures) {
    const std::string vit = ATTN_SOURCE_DIR "/tests/data/checkpoints/vit";
    const auto table = run({"tokens", "--model", vit});
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr("a picture of 12 × 12 pixels, cut into 3 × 3 patches of 4 × 4"));
    EXPECT_THAT(table.out, HasSubstr(" 1  [CLS]\n 2  1,1      1       1   0-3   0-3"));
    EXPECT_THAT(table.out, HasSubstr(" 6  2,2      2       2   4-7   4-7"));
    const auto json = run({"tokens", "--model", vit, "--json"});
    EXPECT_EQ(json.status, 0) << json.err;
    const auto parsed = attn::parse_json(json.out);
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->items.size(), 10U);
    EXPECT_EQ(parsed->items[0].find("token")->string, "[CLS]");
    EXPECT_EQ(parsed->items[0].find("row"), nullptr);
    EXPECT_EQ(parsed->items[6].find("row")->integer, 2);
    EXPECT_EQ(parsed->items[6].find("column")->integer, 3);
    const auto distilled = run({"tokens", "--model", ATTN_SOURCE_DIR "/tests/data/checkpoints/deit"});
    EXPECT_EQ(distilled.status, 0) << distilled.err;
    EXPECT_THAT(distilled.out, HasSubstr("the class token and the distillation token come before them"));
    EXPECT_THAT(distilled.out, HasSubstr(" 2  [DIST]\n 3  1,1       1       1   0-3   0-3"));
    EXPECT_EQ(parsed->items[6].find("x")->integer, 8);
    EXPECT_EQ(parsed->items[6].find("y")->integer, 4);
    EXPECT_EQ(parsed->items[6].find("width")->integer, 4);
    // Models that read a text still require one.
    const Folder folder;
    write_file(folder / "tokenizer.json", kBytes);
    const auto none = run({"tokens", "--model", folder.path().string()});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("--text"));
}

/// Notes name a class that no file states and settings that are ignored, but not settings that are followed.
TEST(CliTokens, NotesItsAssumptions) {
    const Folder folder;
    const auto notes = [&] {
        const auto outcome = run({"tokens", "--model", folder.path().string(), "--text", "a"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.err;
    };
    write_file(folder / "vocab.json", R"({"<s>": 0, "</s>": 1, "a": 2})");
    write_file(folder / "merges.txt", "#version: 0.2\n");
    EXPECT_THAT(notes(), HasSubstr("note: no file names the class of the tokenizer: a GPT2Tokenizer is used"));
    write_file(folder / "config.json", R"({"model_type": "roberta", "vocab_size": 3})");
    EXPECT_THAT(notes(), HasSubstr("note: tokenizer_config.json names no class: a RobertaTokenizer is used, as for every model of the type roberta"));
    write_file(folder / "tokenizer_config.json", R"({"tokenizer_class": "RobertaTokenizer", "model_max_length": 512})");
    EXPECT_EQ(notes(), "");
    write_file(folder / "tokenizer_config.json", R"({"tokenizer_class": "RobertaTokenizer", "split_special_tokens": true, "add_bos_token": false})");
    EXPECT_THAT(notes(), HasSubstr("tokenizer_config.json: split_special_tokens is not followed"));
    EXPECT_THAT(notes(), HasSubstr("tokenizer_config.json: add_bos_token is not followed"));
    write_file(folder / "tokenizer.json", kBytes);
    write_file(folder / "tokenizer_config.json", R"({"bos_token": "<s>", "add_bos_token": true, "add_prefix_space": false})");
    EXPECT_EQ(notes(), "");
    write_file(folder / "tokenizer_config.json", R"({"bos_token": "<s>", "add_bos_token": false, "add_prefix_space": true})");
    EXPECT_THAT(notes(), HasSubstr("tokenizer.json is followed, which says otherwise than add_bos_token in tokenizer_config.json"));
    EXPECT_THAT(notes(), HasSubstr("tokenizer.json is followed, which says otherwise than add_prefix_space in tokenizer_config.json"));
    std::string other = kBytes;
    other.insert(other.find("\"type\": \"BPE\""), "\"dropout\": 0.1, \"surprise\": true, \"fuse_unk\": false, ");
    write_file(folder / "tokenizer.json", other);
    write_file(folder / "tokenizer_config.json", "{}");
    EXPECT_THAT(notes(), HasSubstr("tokenizer.json: model.dropout is not followed"));
    EXPECT_THAT(notes(), HasSubstr("tokenizer.json: model.surprise is not followed"));
    EXPECT_EQ(notes().find("fuse_unk"), std::string::npos);
}

TEST(CliTokens, ReportsErrors) {
    const Folder folder;
    const auto said = [&] {
        const auto outcome = run({"tokens", "--model", folder.path().string(), "--text", "b"});
        EXPECT_EQ(outcome.status, 3);
        return outcome.err;
    };
    EXPECT_THAT(said(), HasSubstr("there is no tokenizer"));
    write_file(folder / "spiece.model", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    EXPECT_THAT(said(), HasSubstr("git lfs pull"));
    write_file(folder / "tokenizer.json", kBytes);
    EXPECT_THAT(said(), HasSubstr("no token for \"b\""));
    EXPECT_EQ(run({"tokens", "--model", folder / "nothing", "--text", "a"}).status, 3);
    EXPECT_THAT(run({"tokens", "--model", "dates", "--text", "a"}).err, HasSubstr("a text is cut into characters\n"));
    EXPECT_THAT(run({"tokens", "--model", "it", "--text", "a"}).err, HasSubstr("cut into words"));
    EXPECT_EQ(run({"tokens", "--text", "a"}).status, 2);
}

}  // namespace
