#pragma once
// FILE, --text and --set: how every subcommand is told its document.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

struct DocumentArguments {
    std::string file;                   ///< a path, "-" for standard input; empty: the defaults
    std::string attention;              ///< a file of weights in place of the document's form; empty: the document's
    std::string tokens;                 ///< a file that names tokens, or a list in JSON; empty: the document's
    std::string picture;                ///< a PNG that a model of pictures looks at; empty: the document's
    std::string model;                  ///< the id of one that comes along, or a folder; empty: the document's
    std::optional<std::string> text;    ///< "-": from standard input
    std::optional<std::string> source;  ///< the second text
    std::string gradient;               ///< "loss" or "STEP,ROW,COLUMN"; empty: the document's
    std::vector<std::string> settings;  ///< "key=value", in order
    std::optional<double> memory;       ///< MiB that a run may take; none: the program's own
    std::string count_from;             ///< "0" or "1": layers and heads; empty: as the document's are usually counted

    attn::CountFrom counts_from(const attn::Document& document) const;
};

/// --count-from, as text.
void declare_count_from(Parser& parser, std::string& count_from);

/// --memory, in MiB.
void declare_memory(Parser& parser, std::optional<double>& memory);
/// From now on, for the whole process; none: as it is.
void take_memory(std::optional<double> memory);

/// Declares them on a subcommand.
void declare_document(Parser& parser, DocumentArguments& arguments);

/// The file, then the model or the attention, the text or the tokens, then the settings; checked as a whole. Every error is bad input.
attn::Result<attn::Document> load_document(const DocumentArguments& arguments, std::istream& in);

/// The document from a file, checked. `path` "-" reads `in`.
attn::Result<attn::Document> document_from(const std::string& path, std::istream& in);

/// The texts of a file, a line each, without blank ones; `path` "-" reads `in`.
attn::Result<std::vector<std::string>> texts_from(const std::string& path, std::istream& in);

/// Says on the error stream what a reader of the result must know: a text cut short, bytes replaced, edits unused.
void tell_notes(Streams& streams, const attn::Run& run);

}  // namespace app
