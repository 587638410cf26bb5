#include "app/cli/schema_command.h"

#include "app/cli/output.h"
#include "core/document/fields.h"

namespace app {
namespace {

Runner declare_schema(Parser&) {
    return [](Streams& streams) { return run_schema(streams); };
}

}  // namespace

const Command kSchemaCommand = {
    {
        .name = "schema",
        .summary = "prints the JSON Schema of documents",
        .synopsis = " attenscope schema",
        .description =
            R"(A document is one JSON file that holds everything that a computation depends on: the text, how it is cut into tokens, where vectors and weights come from or the matrices themselves, the form of attention, and numbers typed over. Every field has a default; {} is a document. The schema (draft 2020-12) says for each field what it means, its type, its choices or range, and its default; documents are read by the same table.

Beyond the schema a document is checked as a whole: matrices must fit each other and the tokens, heads must divide the width, and a field that the chosen variant does not use may not be set.)",
        .examples = R"( attenscope schema
 attenscope schema > attenscope.schema.json
 echo '{"text": "早上好", "variant": "raw"}' | attenscope trace -)",
    },
    declare_schema,
};

Exit run_schema(Streams& streams) { return write_output(streams, "", attn::document_schema(), Content::Text); }

}  // namespace app
