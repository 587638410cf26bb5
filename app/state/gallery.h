#pragma once
// What can be chosen from pictures: examples, forms of attention, models. Each card's picture was computed from a run of
// what the card opens.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/strings.h"
#include "app/state/examples.h"
#include "core/document/document.h"
#include "core/model/model.h"

namespace app {

enum class Gallery : std::uint8_t { Examples, Forms, Models };

struct GalleryCard {
    std::string id;  ///< of the example, the form or the model; empty: no model
    attn::ModelPtr model;  ///< of a model
    std::string title;
    std::string says;            ///< what is to be seen, in a sentence
    std::optional<Level> level;  ///< of an example
    std::string formula;         ///< of a form
    attn::Matrix picture;        ///< attention weights, queries × keys; empty: this form never holds them, or there is a formula
    int head = attn::kNoHead;    ///< whose weights these are, of several
    attn::Tag map{};             ///< … and of which attention
    bool chosen = false;         ///< it is what the document has
    std::string refused;         ///< why the document cannot become this; empty: it can
};

/// The cards, those in the user's language first. Runs every example or model once: on a thread. Cut short by `stop`.
/// `models`: the folder of those that were trained here; empty: there is none.
std::vector<GalleryCard> make_gallery(Gallery which, const attn::Document& now, Language language, attn::Convention convention,
                                      const std::stop_token& stop, const std::filesystem::path& models = {});
/// The card of one model, with the document's text where it knows its words. Runs it.
GalleryCard card_of_model(const attn::ModelPtr& model, const attn::Document& now, Language language);
/// The weights of one attention in the run of a document, as a card shows them; empty: it has none.
attn::Matrix map_of(const attn::Document& document, const attn::Tag& tag);

}  // namespace app
