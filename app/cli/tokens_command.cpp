#include "app/cli/tokens_command.h"

#include <fmt/format.h>

#include <memory>

#include "app/cli/columns.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"
#include "core/tokenizers/tokenizer_folder.h"

namespace app {
namespace {

struct TokensOptions {
    std::string model, text;
    bool plain = false;
    bool json = false;
};

/// Spaces can be seen at the ends, and nothing acts on a terminal.
std::string shown_piece(std::string_view text) { return "\"" + attn::visible_text(text) + "\""; }

std::string kinds_of(const attn::Piece& piece) {
    if (piece.special) return "special";
    return piece.unknown ? "unknown" : "";
}

std::string pieces_table(const std::vector<attn::Piece>& pieces) {
    std::vector<std::vector<std::string>> rows = {{"", "id", "piece", "token", "bytes", ""}};
    for (const attn::Piece& piece : pieces)
        rows.push_back({std::to_string(rows.size()), std::to_string(piece.id), shown_piece(piece.text),
                        attn::visible_text(piece.token), fmt::format("{}-{}", piece.begin, piece.end),
                        kinds_of(piece)});
    return in_columns(rows, {Side::Right, Side::Right, Side::Left, Side::Left, Side::Right});
}

std::string pieces_json(const std::vector<attn::Piece>& pieces) {
    attn::JsonWriter out;
    out.begin_array();
    for (const attn::Piece& piece : pieces) {
        out.begin_object();
        out.key("id");
        out.integer(piece.id);
        out.key("text");
        out.string(piece.text);
        out.key("token");
        out.string(piece.token);
        out.key("begin");
        out.natural(piece.begin);
        out.key("end");
        out.natural(piece.end);
        out.key("special");
        out.boolean(piece.special);
        out.key("unknown");
        out.boolean(piece.unknown);
        if (piece.parts > 0) {
            out.key("part");
            out.integer(piece.part);
            out.key("parts");
            out.integer(piece.parts);
        }
        out.end_object();
    }
    out.end_array();
    return out.take();
}

Exit run_tokens(const TokensOptions& options, Streams& streams) {
    std::shared_ptr<const attn::TokenizerModel> model;
    if (const attn::ModelPtr shipped = attn::shipped_model(options.model)) model = shipped->tokenizer;
    if (!model) {
        auto read = attn::read_tokenizer_folder(options.model);
        if (!read) return fail(streams, Exit::BadInput, read.error());
        model = std::move(*read);
    }
    const auto pieces = model->encode(options.text, !options.plain);
    if (!pieces) return fail(streams, Exit::BadInput, pieces.error());
    return write_output(streams, "", options.json ? pieces_json(*pieces) : pieces_table(*pieces), Content::Text);
}

Runner declare_tokens(Parser& parser) {
    const auto options = std::make_shared<TokensOptions>();
    parser.add(
        {.name = "--model",
         .value = "DIR",
         .help = "A model that comes along and cuts text into pieces (language), or the folder of a checkpoint with "
                 "tokenizer.json, or vocab.json and merges.txt, or vocab.txt, or "
                 "a SentencePiece model.",
         .required = true},
        options->model);
    parser.add({.name = "--text", .value = "TEXT", .help = "What is cut.", .required = true, .may_be_empty = true},
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
            R"(One line for each token: its id, the piece as a person reads it, the token as the vocabulary spells it, and which bytes of the text it stands for (the first, and the one behind the last), through all normalisation. A character that was cut into bytes is shown in each of its pieces with the part that it is: "早 1/3". What the checkpoint itself adds stands for no bytes.

Byte-level BPE, WordPiece, Unigram, SentencePiece's BPE and vocabularies of whole words are read, with normalizers, patterns and added tokens as the files say. What a file asks for and is not known here is named.)",
        .examples = R"( attenscope tokens --model ./gpt2 --text "Attention is all you need"
 attenscope tokens --model ./bert --text 早上好 --json)",
    },
    declare_tokens,
};

}  // namespace app
