#pragma once
// The galleries: examples, forms of attention and models to choose from pictures. Each card's picture comes from a run
// of what the card opens.

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
    attn::ModelPtr model;  ///< set on a model's card
    std::string title;
    std::string says;            ///< what to look for, in a sentence
    std::optional<Level> level;  ///< set on an example's card
    std::string formula;         ///< set on a form's card
    /// Attention weights, queries × keys; empty: the form never holds them, or a formula is shown.
    attn::Matrix picture;
    int head = attn::kNoHead;    ///< the head of the weights, if there are several
    attn::Tag map{};             ///< … and the attention that they belong to
    bool chosen = false;         ///< the document has it now
    std::string refused;         ///< why the document cannot become this; empty: it can
};

/// The cards, those in the user's language first. Runs every example or model once, so call it on a thread; `stop` cuts
/// it short. `models`: the folder of the models trained here; empty: there is none.
std::vector<GalleryCard> make_gallery(Gallery which, const attn::Document& now, Language language, attn::Convention convention,
                                      const std::stop_token& stop, const std::filesystem::path& models = {});
/// The card of one model, with the document's text if the model knows its words. Runs it.
GalleryCard card_of_model(const attn::ModelPtr& model, const attn::Document& now, Language language);
/// The weights of one attention in the document's run, as a card shows them; empty if it has none.
attn::Matrix map_of(const attn::Document& document, const attn::Tag& tag);

}  // namespace app
