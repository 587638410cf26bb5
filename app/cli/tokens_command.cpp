#include "app/cli/tokens_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/columns.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "core/document/take.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"
#include "core/model/checkpoint/config.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "core/tokenizers/tokenizer_folder.h"

namespace app {
namespace {

constexpr std::size_t kMostConfig = std::size_t{16} << 20;  // bytes

struct TokensOptions {
    std::string model;
    std::optional<std::string> text;
    bool plain = false;
    bool json = false;
};

/// In quotes, so that spaces at the ends are visible, and with control characters made visible.
std::string shown_token(std::string_view text) { return "\"" + attn::visible_text(text) + "\""; }

std::string kinds_of(const attn::ModelToken& token) {
    if (token.special) return "special";
    return token.unknown ? "unknown" : "";
}

std::string tokens_table(const std::vector<attn::ModelToken>& tokens) {
    std::vector<std::vector<std::string>> rows = {{"", "id", "text", "token", "bytes", ""}};
    for (const attn::ModelToken& token : tokens)
        rows.push_back({std::to_string(rows.size()), std::to_string(token.id), shown_token(token.text),
                        attn::visible_text(token.spelling), fmt::format("{}-{}", token.begin, token.end),
                        kinds_of(token)});
    return in_columns(rows, {Side::Right, Side::Right, Side::Left, Side::Left, Side::Right});
}

std::string tokens_json(const std::vector<attn::ModelToken>& tokens) {
    attn::JsonWriter out;
    out.begin_array();
    for (const attn::ModelToken& token : tokens) {
        out.begin_object();
        out.key("id");
        out.integer(token.id);
        out.key("text");
        out.string(token.text);
        out.key("token");
        out.string(token.spelling);
        out.key("begin");
        out.natural(token.begin);
        out.key("end");
        out.natural(token.end);
        out.key("special");
        out.boolean(token.special);
        out.key("unknown");
        out.boolean(token.unknown);
        if (token.parts > 0) {
            out.key("part");
            out.integer(token.part);
            out.key("parts");
            out.integer(token.parts);
        }
        out.end_object();
    }
    out.end_array();
    return out.take();
}

/// How a folder's model splits images; none: it reads text, or its config.json is not that of a model.
std::optional<attn::PictureInput> picture_input(const std::filesystem::path& folder) {
    std::error_code problem;
    const auto file = folder / "config.json";
    if (!std::filesystem::exists(file, problem)) return std::nullopt;
    const auto bytes = attn::read_file(file, kMostConfig);
    const auto root = bytes ? attn::parse_json(*bytes) : attn::Result<attn::JsonValue>(bytes.error());
    if (!root) return std::nullopt;
    auto config = attn::read_checkpoint_config(*root, file.string());
    if (!config || !config->picture) return std::nullopt;
    // The size of a picture may be the preprocessor's.
    const auto prepared = attn::read_file(folder / attn::kPreprocessorFile, kMostConfig);
    const auto how = prepared ? attn::parse_json(*prepared) : attn::Result<attn::JsonValue>(prepared.error());
    if (how && !attn::read_preprocessor(*how, config->picture_kind, file.string(), *config->picture)) return std::nullopt;
    return config->picture;
}

/// A position of a ViT: the class token, DeiT's distillation token, or a patch, with its place in the input image.
struct PicturePlace {
    std::string token;
    int row = 0, column = 0;  ///< from 1; 0: not a patch
};

std::vector<PicturePlace> places_of(const attn::PictureInput& input) {
    std::vector<PicturePlace> out;
    for (const std::string& token : attn::picture_tokens(input)) {
        const auto patch = static_cast<int>(out.size()) - input.before;
        const bool own = patch >= 0;
        out.push_back({token, own ? patch / input.columns() + 1 : 0, own ? patch % input.columns() + 1 : 0});
    }
    return out;
}

std::string places_table(const attn::PictureInput& input) {
    std::vector<std::vector<std::string>> rows = {{"", "token", "row", "column", "x", "y"}};
    const auto span = [&](int index) { return fmt::format("{}-{}", (index - 1) * input.patch, index * input.patch - 1); };
    for (const PicturePlace& place : places_of(input))
        rows.push_back(place.row == 0 ? std::vector<std::string>{std::to_string(rows.size()), place.token, "", "", "", ""}
                                      : std::vector<std::string>{std::to_string(rows.size()), place.token, std::to_string(place.row),
                                                                 std::to_string(place.column), span(place.column), span(place.row)});
    return fmt::format("a picture of {} × {} pixels, cut into {} × {} patches of {} × {}; {} before them\n", input.width,
                       input.height, input.columns(), input.rows(), input.patch, input.patch,
                       input.before == 0      ? "nothing comes"
                       : input.registers > 0  ? "the class token and the registers come"
                       : input.before > 1     ? "the class token and the distillation token come"
                                              : "the class token comes") +
           in_columns(rows, {Side::Right, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right});
}

std::string places_json(const attn::PictureInput& input) {
    attn::JsonWriter out;
    out.begin_array();
    const auto number = [&](std::string_view key, int value) { out.key(key), out.integer(value); };
    int place = 0;
    for (const PicturePlace& one : places_of(input)) {
        out.begin_object();
        number("place", ++place);
        out.key("token"), out.string(one.token);
        if (one.row > 0) {
            number("row", one.row), number("column", one.column);
            number("x", (one.column - 1) * input.patch), number("y", (one.row - 1) * input.patch);
            number("width", input.patch), number("height", input.patch);
        }
        out.end_object();
    }
    out.end_array();
    return out.take();
}

/// Whether a model without a tokenizer knows characters rather than words.
bool of_characters(const attn::ModelPtr& model) {
    attn::Document document;
    attn::take_model(document, model);
    return document.tokenizer == "characters";
}

Exit run_tokens(const TokensOptions& options, Streams& streams) {
    std::shared_ptr<const attn::TokenizerModel> model;
    if (const attn::ModelPtr shipped = attn::shipped_model(options.model)) {
        model = shipped->tokenizer;
        if (!model)
            return fail(streams, Exit::BadInput,
                        fmt::format("the model {} has no tokenizer of its own: a text is cut into {}", options.model, of_characters(shipped) ? "characters" : "words"));
    }
    const std::filesystem::path folder = attn::snapshot_of(options.model);
    if (const auto picture = model ? std::nullopt : picture_input(folder))
        return write_output(streams, "", options.json ? places_json(*picture) : places_table(*picture), Content::Text);
    if (!options.text) return fail(streams, Exit::Usage, attn::Error{"it is missing; it says what is cut", "--text", "", 0});
    if (!model) {
        auto read = attn::read_tokenizer_folder(folder);
        if (!read) return fail(streams, Exit::BadInput, read.error());
        model = std::move(*read);
    }
    for (const std::string& sentence : model->notes()) note(streams, sentence);
    const auto tokens = model->encode(*options.text, !options.plain);
    if (!tokens) return fail(streams, Exit::BadInput, tokens.error());
    return write_output(streams, "", options.json ? tokens_json(*tokens) : tokens_table(*tokens), Content::Text);
}

Runner declare_tokens(Parser& parser) {
    const auto options = std::make_shared<TokensOptions>();
    parser.add(
        {.name = "--model",
         .value = "DIR",
         .help = "An included model that cuts text into tokens (language), or the folder of a checkpoint with "
                 "tokenizer.json, or vocab.json and merges.txt, or vocab.txt, or "
                 "a SentencePiece model.",
         .required = true},
        options->model);
    parser.add({.name = "--text", .value = "TEXT", .help = "What is cut; a model of pictures (ViT) reads none.", .may_be_empty = true},
               options->text);
    parser.add({.name = "--plain", .help = "Without what the checkpoint puts around a text ([CLS], <s>)."},
               options->plain);
    parser.add({.name = "--json", .help = "A list of objects in JSON."}, options->json);
    return [options](Streams& streams) { return run_tokens(*options, streams); };
}

}  // namespace

const Command kTokensCommand = {
    {
        .name = "tokens",
        .summary = "cuts a text as the tokenizer of a checkpoint does",
        .synopsis = " attenscope tokens [OPTIONS] --model DIR --text TEXT",
        .description =
            R"(One line for each token: its id, its text as a person reads it, the token as the vocabulary spells it, and which bytes of the original text it covers (the first, and the one after the last). A character that was cut into bytes is shown in each of its tokens with the part that it is: "早 1/3". Tokens that the checkpoint adds cover no bytes.

Byte-level BPE, WordPiece, Unigram, SentencePiece's BPE and vocabularies of whole words are read, with normalizers, patterns and added tokens as the files say. What a file asks for and is not known here is named. Folders without tokenizer.json are read as the published library reads them: by the class that tokenizer_config.json or config.json names, else by the model_type; what was taken without being said, and a setting that is not followed, is a note.

A model of pictures has no tokenizer: its positions are listed, that is the class token (with DeiT the distillation token, too) and each patch with its row, its column and its pixels in the picture as the model takes it, from the left and from above.)",
        .examples = R"( attenscope tokens --model ./gpt2 --text "Attention is all you need"
 attenscope tokens --model ./bert --text 早上好 --json
 attenscope tokens --model ./vit)",
    },
    declare_tokens,
};

}  // namespace app
