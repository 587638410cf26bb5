#include "app/cli/link_command.h"

#include <memory>

#include "app/cli/document_arguments.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "core/document/fields.h"
#include "core/document/link.h"

namespace app {
namespace {

struct LinkOptions {
    DocumentArguments document;
    bool read = false;
};

Exit run_link(const LinkOptions& options, Streams& streams) {
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    if (options.read) return write_output(streams, "", attn::document_to_json(*document), Content::Text);
    const auto link = attn::link_to_send(*document);
    if (!link) return fail(streams, Exit::BadInput, link.error());
    return write_output(streams, "", *link + '\n', Content::Text);
}

Runner declare_link(Parser& parser) {
    const auto options = std::make_shared<LinkOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--read", .help = "The other way: the document as JSON."}, options->read);
    return [options](Streams& streams) { return run_link(*options, streams); };
}

}  // namespace

const Command kLinkCommand = {
    {
        .name = "link",
        .summary = "prints a document as one line of text, to be sent and opened again",
        .synopsis = R"( attenscope link [OPTIONS] [FILE]
 attenscope link --read LINK)",
        .description =
            R"(A link holds the whole document: the text, every choice, every number typed over; no files, so a document with a model, a picture or attention from a file of yours is refused. It opens wherever a document does: `attenscope LINK`, pasted into the window (Ctrl+V) or into its text field, as FILE of any command, or as the content of a file that is dropped.

"attenscope:1:", then base64url: a check (CRC-32 of the JSON, four bytes) and the document's compact JSON, deflated. A link that was cut or changed on its way is refused; blanks and line breaks in it do no harm.)",
        .examples = R"x( attenscope link --text 早上好
 attenscope link chapter.json
 attenscope link --read "$(attenscope link chapter.json)")x",
    },
    declare_link,
};

}  // namespace app
