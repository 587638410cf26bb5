#pragma once
// Opens documents and chapters from files named on the command line or dropped onto the window.

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "app/content/strings.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/model/given_picture.h"

namespace app {

/// A document that shows a model, from a folder or shipped, with one of its example sentences, for this language.
/// Errors name the file in the folder, and the key.
attn::Result<attn::Document> open_model(const std::filesystem::path& folder, Language language = Language::English);

/// A document that shows the attention in a file (core/model/attention_file/given_attention.h).
attn::Result<attn::Document> open_attention(const std::filesystem::path& file);

/// Reads and checks a document; a folder gives a document with its model, an attention file one with its weights.
/// Errors name the file, the line and the key.
attn::Result<attn::Document> open_document(const std::filesystem::path& file);

/// The result of a drop.
struct Dropped {
    /// The most files that are tried: somebody may drop the whole content of a folder.
    static constexpr std::size_t kMostTries = 20;

    std::optional<attn::Document> document;  ///< from the first file that is a document
    /// From the first file that is an image; then `document` and `chapter` are empty.
    attn::GivenPicturePtr picture;
    std::string chapter;                      ///< the first file with a chapter's name; then there is no document
    std::optional<attn::Error> refused;      ///< why the first of the other files cannot be opened
    std::size_t others = 0;                  ///< failed files before it, or all others if there is no document

    /// For the user: the error, and the number of further ones ("… (+4)"); empty if there is nothing to report.
    std::string notice() const;
};
/// Replaces the document's image; false if its model reads text.
bool take_picture(attn::Document& document, attn::GivenPicturePtr picture);
/// The first chapter, image or document among the files. A chapter is not read here.
Dropped open_dropped(std::span<const std::string> files);

}  // namespace app
