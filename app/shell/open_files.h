#pragma once
// Documents and chapters from files: named on the command line or dropped onto the window.

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "app/content/strings.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/model/picture/given_picture.h"

namespace app {

/// A document that shows the model of a folder, or one that comes along, with a sentence of its own, for readers of this
/// language. Errors name the file of the folder, and the key.
attn::Result<attn::Document> open_model(const std::filesystem::path& folder, Language language = Language::English);

/// A document that shows the attention of a file (core/model/attention_file/given_attention.h).
attn::Result<attn::Document> open_attention(const std::filesystem::path& file);

/// Reads and checks a document; a folder is one with its model, a file of attention one with its weights. Errors name the file, the line and the key.
attn::Result<attn::Document> open_document(const std::filesystem::path& file);

/// What became of a drop.
struct Dropped {
    /// At most so many are looked at: somebody may drop a folder's whole content.
    static constexpr std::size_t kMostTries = 20;

    std::optional<attn::Document> document;  ///< of the first file that is one
    attn::GivenPicturePtr picture;            ///< of the first file that is one; then there is neither
    std::string chapter;                      ///< the first file by whose name it is a chapter; then there is no document
    std::optional<attn::Error> refused;      ///< why the first of the others is not
    std::size_t others = 0;                  ///< files before it that are none, or, without a document, all others

    /// For the user: the refusal, and how many more there were ("… (+4)"); empty when there is nothing to say.
    std::string notice() const;
};
/// Puts it in place of the document's picture; not where its model looks at texts.
bool take_picture(attn::Document& document, attn::GivenPicturePtr picture);
/// The first chapter, picture or document among them. A chapter is not read here.
Dropped open_dropped(std::span<const std::string> files);

}  // namespace app
