#pragma once
// FILE, --text and --set: how every subcommand gets its document.

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

struct DocumentArguments {
    std::string file;                   ///< a file of weights instead of the document's form; empty: the document's
    std::string attention;              ///< a file of weights in place of the document's form; empty: the document's
    std::string tokens;                 ///< a file that names tokens, or a list in JSON; empty: the document's
    std::string picture;                ///< a PNG for an image model; empty: the document's
    std::string model;                  ///< the id of a shipped model, or a folder; empty: the document's
    std::optional<std::string> text;    ///< "-": from standard input
    std::optional<std::string> source;  ///< the second text
    std::string gradient;               ///< "loss" or "STEP,ROW,COLUMN"; empty: the document's
    std::vector<std::string> settings;  ///< "key=value", in order
    std::optional<double> memory;       ///< MiB that a run may take; none: the default
    std::string count_from;             ///< "0" or "1", for layers and heads; empty: the usual count for the document

    attn::CountFrom counts_from(const attn::Document& document) const;
};

/// Declares --count-from, as text.
void declare_count_from(Parser& parser, std::string& count_from);

/// Declares --memory, in MiB.
void declare_memory(Parser& parser, std::optional<double>& memory);
/// Sets the memory budget of the whole process; none: leaves it as it is.
void take_memory(std::optional<double> memory);

/// Declares all of them for a subcommand.
void declare_document(Parser& parser, DocumentArguments& arguments);

/// Applies the file, then the model or the attention, the text or the tokens, and the settings; then checks the result.
/// Every error is bad input.
attn::Result<attn::Document> load_document(const DocumentArguments& arguments, std::istream& in);

/// The document in a file, checked. `path` "-" reads `in`.
attn::Result<attn::Document> document_from(const std::string& path, std::istream& in);

/// The texts in a file, one per line, without blank lines; `path` "-" reads `in`.
attn::Result<std::vector<std::string>> texts_from(const std::string& path, std::istream& in);

/// The error for a run without a step, because its text has no tokens. `purpose`: what the text is wanted for, as in
/// "there is no text to measure heads on". None: something was computed.
std::optional<attn::Error> no_text(const attn::Run& run, std::string_view purpose);

/// Writes notes to the error stream that a reader of the result needs: a text cut short, bytes replaced, edits unused.
void tell_notes(Streams& streams, const attn::Run& run);
/// At the end of a command: of a large file of attention, whose rows are checked as its maps are read, what was checked and
/// what was found.
class AtEndTellChecked {
public:
    AtEndTellChecked(Streams& streams, const attn::Run& run) : streams_(streams), given_(run.inputs.attention) {}
    ~AtEndTellChecked();
    AtEndTellChecked(const AtEndTellChecked&) = delete;
    AtEndTellChecked& operator=(const AtEndTellChecked&) = delete;

private:
    Streams& streams_;
    std::shared_ptr<const attn::GivenAttention> given_;
};

}  // namespace app
